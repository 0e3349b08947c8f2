// SPDX-License-Identifier: MIT
// Any bytes as a raster's PNG file: loads or is refused, and can be sampled. The first byte chooses how the raster lies
// and whether what follows is taken as it is, gets right checksums chunk by chunk (which lets mutations through to the
// decoder), or is the header and the scanlines of a file that is otherwise well formed.
#include "tests/raster_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void mend_checksums(uint8_t *bytes, size_t size)
{
    for (size_t at = 8; at < size && size - at >= 12;) {
        size_t length = get_u32be(bytes + at);
        if (length > size - at - 12)
            break;
        put_u32be(bytes + at + 8 + length, (uint32_t)crc32(0, bytes + at + 4, (uInt)(length + 4)));
        at += 12 + length;
    }
}

static struct plain_bytes whole_file(const uint8_t *bytes, size_t size)
{
    struct plain_bytes file = {NULL, 0};
    struct plain_header header = {size > 0 ? bytes[0] & 31 : 0, size > 1 ? bytes[1] & 31 : 0,
                                  size > 2 && bytes[2] & 1 ? 16 : 8, size > 2 && bytes[2] & 2 ? 2 : 0, 0};
    plain_begin(&file, header);
    size_t row = (size_t)header.width * (size_t)plain_channels(header.color) * (size_t)header.bits / 8 + 1;
    size_t total = row * header.height;
    uint8_t *lines = calloc(1, total + 1);
    if (!lines)
        abort();
    if (size > 3)
        memcpy(lines, bytes + 3, size - 3 < total ? size - 3 : total);
    plain_add_deflated(&file, "IDAT", lines, total);
    free(lines);
    plain_add_chunk(&file, "IEND", NULL, 0);
    return file;
}

static void sample_all_over(const struct raster *raster)
{
    static double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], out[4][PLANET_BLOCK];
    for (int k = 0; k < PLANET_BLOCK; k++) {
        struct double3 dir = fixture_dir(k % 8 ? 1.5 * k - 96.0 : k % 16 ? 90.0 : -90.0, 47.0 * k);
        x[k] = dir.x, y[k] = dir.y, z[k] = dir.z;
    }
    for (double spacing = 1e-5; spacing < 20.0; spacing *= 37.0) {
        if (raster_is_color(raster))
            raster_sample_color(raster, (double *const[3]){out[0], out[1], out[2]}, x, y, z, spacing);
        else
            raster_sample(raster, (struct field){out[0], out[1], out[2], out[3]}, x, y, z, spacing);
        double high = raster_is_color(raster) ? 1.0 : 65535.0 * 1.5625 + 1.0;
        for (int k = 0; k < PLANET_BLOCK; k++) {
            if (!(fabs(out[0][k]) <= high))
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct raster_options options[] = {{0, 360, RASTER_PIXEL},  {-180, 180, RASTER_NODE},
                                                    {10, 200, RASTER_PIXEL}, {10, 200, RASTER_NODE},
                                                    {0, 350, RASTER_NODE},   {-360, -359.9, RASTER_PIXEL}};
    if (size < 1)
        return 0;
    int lie = bytes[0] % 6, mode = bytes[0] / 6 % 3;
    struct plain_bytes file = {NULL, 0};
    if (mode == 2)
        file = whole_file(bytes + 1, size - 1);
    else
        plain_add(&file, bytes + 1, size - 1);
    if (mode == 1)
        mend_checksums(file.bytes, file.size);
    struct raster *raster;
    struct status status;
    if (fixture_load(&raster, file.bytes, file.size, &options[lie], &status) == STATUS_OK) {
        sample_all_over(raster);
        raster_free(raster);
    } else if (raster || strlen(status.text) < 10) {
        abort();
    }
    plain_free(&file);
    return 0;
}

// SPDX-License-Identifier: MIT
// Three small packs as they are baked, damaged in every way that is not meant: each bit turned over, each byte set to
// each of a few values, each length that a cut leaves, a byte too many. `verify --quick` finds them all, and so does
// `verify`, which looks at more.
//
// One change in TERRANE_FLIP_STRIDE is tried, 23 if it is not set and 1 for all of them; which ones, the seed decides.
#include "bake/bake_run.h"
#include "tests/pack_layers.h"

#define SIZE_MAX_BYTES 16384

static char place[128];
static struct bake_request request; // large
static struct status status;
static size_t stride = 23;

enum small_pack { FULL, SPARSE, SHARE, SMALL_PACKS };
static const char *const names[] = {"full", "sparse", "share"};

static uint8_t *bytes; // what is read in place of the file
static size_t size;

static int64_t read_memory(int fd, void *to, size_t wanted, int64_t offset)
{
    (void)fd;
    if ((uint64_t)offset >= size)
        return 0;
    if (wanted > size - (size_t)offset)
        wanted = size - (size_t)offset;
    memcpy(to, bytes + offset, wanted);
    return (int64_t)wanted;
}

static void bake_small(enum small_pack which)
{
    struct bake_result result;
    memset(&request, 0, sizeof request);
    request.subject = (struct bake_subject){.planet = {.name = "plain", .seed = 1},
                                            .plan = {.depth = 1, .faces = 1},
                                            .share = which == SHARE ? 2 : 1,
                                            .share_count = which == SHARE ? 3 : 1,
                                            .intervals = 32,
                                            .layers = 1u << (which == SHARE ? LAYER_HEIGHT : LAYER_NORMAL)};
    request.output = place;
    request.thread_count = 1;
    request.quiet = true;
    CHECK_TEXT(bake_run(&request, &result, &status) == STATUS_OK, "%s", status.text);
}

// A region below a root page of three levels. The pages that a bake would put it in are too many for a small pack.
static void write_sparse(void)
{
    struct sample_keys set = {0};
    struct pack_info info = layers_info(1u << LAYER_COLOR, 3);
    keys_add(&set, (struct node){3, 0, 0, 0});
    keys_add(&set, (struct node){3, 1, 1, 0});
    keys_add(&set, (struct node){3, 2, 2, 1});
    keys_add(&set, (struct node){3, 2, 3, 0});
    keys_sort(&set);
    CHECK_TEXT(layers_write(place, &info, &set, NULL, &status), "%s", status.text);
    keys_free(&set);
}

// Whether `terrane verify --quick` would find nothing. A refusal must be one line that names the file.
static bool passes(void)
{
    struct pack *pack;
    status = (struct status){0};
    enum status_code code = pack_open(&pack, place, &status);
    if (!code) {
        code = pack_check(pack, false, NULL, NULL, &status);
        pack_close(pack);
    }
    CHECK_TEXT(code == STATUS_OK || (code == STATUS_INPUT && strncmp(status.text, place, strlen(place)) == 0 &&
                                     !strchr(status.text, '\n')),
               "%d %s", (int)code, status.text);
    return code == STATUS_OK;
}

static void set_byte(enum small_pack which, size_t at, uint8_t value)
{
    uint8_t good = bytes[at];
    if (value == good)
        return;
    bytes[at] = value;
    CHECK_TEXT(!passes(), "%s: byte %zu is %02x instead of %02x", names[which], at, value, good);
    bytes[at] = good;
}

static void turn_bits(enum small_pack which)
{
    for (size_t bit = check_random_below(stride); bit < 8 * size; bit += stride)
        set_byte(which, bit / 8, (uint8_t)(bytes[bit / 8] ^ 1u << bit % 8));
}

static void set_values(enum small_pack which)
{
    for (size_t k = check_random_below(stride); k < 8 * size; k += stride) {
        const uint8_t good = bytes[k / 8];
        const uint8_t values[8] = {0, 1, 0x7F, 0x80, 0xFE, 0xFF, (uint8_t)(good + 1), (uint8_t)~good};
        set_byte(which, k / 8, values[k % 8]);
    }
}

// The length is what the file system says, so here the file is really cut.
static void cut(enum small_pack which)
{
    size_t whole = size;
    int fd = open(place, O_WRONLY);
    for (size = whole + 1; size-- > 0;) {
        if (size == whole)
            continue;
        CHECK(ftruncate(fd, (off_t)size) == 0);
        CHECK_TEXT(!passes(), "%s: cut to %zu bytes", names[which], size);
    }
    size = whole + 1;
    CHECK(ftruncate(fd, (off_t)size) == 0);
    CHECK_TEXT(!passes(), "%s: one byte longer", names[which]);
    size = whole;
    CHECK(ftruncate(fd, (off_t)size) == 0);
    close(fd);
}

static void with_each_pack(void change(enum small_pack which))
{
    int64_t (*pread_disk)(int fd, void *to, size_t wanted, int64_t offset) = file_system.pread;
    for (enum small_pack which = FULL; which < SMALL_PACKS; which++) {
        unlink(place);
        if (which == SPARSE)
            write_sparse();
        else
            bake_small(which);
        bytes = sample_load(place, &size);
        CHECK_TEXT(size <= SIZE_MAX_BYTES, "%s: %zu bytes", names[which], size);
        file_system.pread = read_memory;
        CHECK_TEXT(passes(), "%s: %s", names[which], status.text);
        change(which);
        CHECK_TEXT(passes(), "%s: %s", names[which], status.text);
        file_system.pread = pread_disk;
        free(bytes);
    }
}

static void verify_finds_every_bit_that_is_turned_over(void)
{
    with_each_pack(turn_bits);
}

static void verify_finds_every_byte_that_is_overwritten(void)
{
    with_each_pack(set_values);
}

static void verify_finds_every_cut_and_a_byte_too_many(void)
{
    with_each_pack(cut);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    const char *wanted = getenv("TERRANE_FLIP_STRIDE");
    if (wanted && atoi(wanted) > 0)
        stride = (size_t)atoi(wanted);
    sample_begin();
    snprintf(place, sizeof place, "%s", sample_path("a.terrane"));
    CHECK_RUN(verify_finds_every_bit_that_is_turned_over);
    CHECK_RUN(verify_finds_every_byte_that_is_overwritten);
    CHECK_RUN(verify_finds_every_cut_and_a_byte_too_many);
    sample_end();
    return CHECK_END;
}

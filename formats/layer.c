// SPDX-License-Identifier: MIT
#include "formats/layer.h"

#include "common/byteorder.h"
#include "formats/sha256_many.h"

const char *const layer_names[LAYER_COUNT] = {"height", "normal", "color"};

void layer_content(uint8_t digest[SHA256_BYTES], enum layer_kind kind, const void *samples, size_t size_bytes)
{
    if (kind != LAYER_HEIGHT || memory_is_little_endian()) {
        sha256_of(digest, samples, size_bytes);
        return;
    }
    struct sha256 hash;
    sha256_begin(&hash);
    const int32_t *heights = samples;
    size_t count = size_bytes / sizeof *heights;
    uint8_t bytes[4096];
    for (size_t done = 0; done < count;) {
        size_t now = count - done < sizeof bytes / 4 ? count - done : sizeof bytes / 4;
        for (size_t k = 0; k < now; k++)
            put_i32le(bytes + 4 * k, heights[done + k]);
        sha256_add(&hash, bytes, 4 * now);
        done += now;
    }
    sha256_finish(&hash, digest);
}

void layer_contents(uint8_t (*digests)[SHA256_BYTES], const void *const *samples, const size_t *sizes_bytes)
{
    struct sha256_job jobs[LAYER_COUNT];
    int job_count = 0;
    for (enum layer_kind kind = 0; kind < LAYER_COUNT; kind++) {
        if (samples[kind] && (kind != LAYER_HEIGHT || memory_is_little_endian()))
            jobs[job_count++] = (struct sha256_job){samples[kind], sizes_bytes[kind], digests[kind]};
        else if (samples[kind])
            layer_content(digests[kind], kind, samples[kind], sizes_bytes[kind]);
    }
    sha256_of_many(jobs, job_count);
}

// SPDX-License-Identifier: MIT
#include "formats/sha256_many.h"

#include <string.h>

#include "common/byteorder.h"
#include "formats/sha256_lanes.h"

#define LENGTH_BYTES 8 // at the end of the padding: the number of bits

// A job in its lane: first the whole blocks of its bytes, then what is left of them with the padding.
struct run {
    struct sha256_lane lane;
    uint8_t *digest;
    bool in_tail;
    size_t blocks_left; // of this part
    size_t tail_blocks;
    uint8_t tail[2 * SHA256_BLOCK_BYTES];
};

// FIPS 180-4, section 5.1.1: a one bit, zeros, and the length in bits at the end of a block.
static void pad(struct run *run, const struct sha256_job *job)
{
    size_t rest = job->size_bytes % SHA256_BLOCK_BYTES;
    run->tail_blocks = rest + 1 + LENGTH_BYTES <= SHA256_BLOCK_BYTES ? 1 : 2;
    uint8_t *end = run->tail + run->tail_blocks * SHA256_BLOCK_BYTES;
    memset(run->tail, 0, sizeof run->tail);
    if (rest > 0)
        memcpy(run->tail, (const uint8_t *)job->bytes + (job->size_bytes - rest), rest);
    run->tail[rest] = 0x80;
    put_u32be(end - 8, (uint32_t)((uint64_t)job->size_bytes >> 29));
    put_u32be(end - 4, (uint32_t)((uint64_t)job->size_bytes << 3));
}

// Goes on to the tail where the whole blocks are done. False where the tail is done as well.
static bool turn_over(struct run *run)
{
    if (run->blocks_left == 0 && !run->in_tail) {
        run->lane.at = run->tail;
        run->blocks_left = run->tail_blocks;
        run->in_tail = true;
    }
    return run->blocks_left > 0;
}

static void begin(struct run *run, const struct sha256_job *job)
{
    // Of the first eight primes the first 32 bits of the fractional part of the square root.
    run->lane = (struct sha256_lane){
        {0x9B05688C, 0x510E527F, 0xBB67AE85, 0x6A09E667}, {0x5BE0CD19, 0x1F83D9AB, 0xA54FF53A, 0x3C6EF372}, job->bytes};
    run->digest = job->digest;
    run->in_tail = false;
    run->blocks_left = job->size_bytes / SHA256_BLOCK_BYTES;
    pad(run, job);
    turn_over(run);
}

static void put_digest(const struct run *run)
{
    const uint32_t *feba = run->lane.fe_ba, *hgdc = run->lane.hg_dc;
    const uint32_t words[8] = {feba[3], feba[2], hgdc[3], hgdc[2], feba[1], feba[0], hgdc[1], hgdc[0]};
    for (int k = 0; k < 8; k++)
        put_u32be(run->digest + 4 * k, words[k]);
}

// As many blocks as all have.
static void advance(struct run *const *runs, int run_count)
{
    struct sha256_lane *lanes[SHA256_LANES];
    size_t block_count = runs[0]->blocks_left;
    for (int k = 0; k < run_count; k++) {
        lanes[k] = &runs[k]->lane;
        block_count = runs[k]->blocks_left < block_count ? runs[k]->blocks_left : block_count;
    }
    sha256_lanes_add(lanes, run_count, block_count);
    for (int k = 0; k < run_count; k++)
        runs[k]->blocks_left -= block_count;
}

bool sha256_side_by_side(const struct sha256_job *jobs, int job_count)
{
    if (!sha256_lanes_supported())
        return false;
    struct run memory[SHA256_LANES], *runs[SHA256_LANES]; // the busy ones first
    for (int k = 0; k < SHA256_LANES; k++)
        runs[k] = &memory[k];
    for (int next = 0, busy = 0; next < job_count || busy > 0;) {
        while (busy < SHA256_LANES && next < job_count)
            begin(runs[busy++], &jobs[next++]);
        advance(runs, busy);
        for (int k = busy - 1; k >= 0; k--) {
            if (turn_over(runs[k]))
                continue;
            struct run *done = runs[k];
            put_digest(done);
            runs[k] = runs[--busy];
            runs[busy] = done;
        }
    }
    return true;
}

void sha256_one_by_one(const struct sha256_job *jobs, int job_count)
{
    for (int k = 0; k < job_count; k++)
        sha256_of(jobs[k].digest, jobs[k].bytes, jobs[k].size_bytes);
}

void sha256_of_many(const struct sha256_job *jobs, int job_count)
{
    if (!sha256_side_by_side(jobs, job_count))
        sha256_one_by_one(jobs, job_count);
}

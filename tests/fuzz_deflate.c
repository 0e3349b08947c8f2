// SPDX-License-Identifier: MIT
// Each input is used twice. As a source, it is deflated: within the bound, read by zlib, by tests/tiny_inflate.h and by
// our own inflate as it went in. And as the blocks of a deflated stream: what our inflate takes of it, zlib takes too,
// and to the same bytes.
// A source is: two bytes for the block size, one for how often the rest is repeated byte by byte (runs), the rest. To
// be quick, long inputs are not used as one.
// New inputs are mostly blocks, put together so that they are right in nearly all.
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "common/byteorder.h"
#include "common/splitmix64.h"
#include "formats/deflate_decode.h"
#include "formats/deflate_encode.h"
#include "tests/deflate_by_hand.h"
#include "tests/tiny_inflate.h"

#define INPUT_MAX 1500
#define SOURCE_MAX 200 // of an input that is also a source
#define INFLATED_MAX (1u << 16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

// ---- Blocks ----

// Whether zlib takes the whole stream for exactly these bytes.
static bool zlib_gives(const uint8_t *wanted, size_t target_bytes, uint8_t *stream, size_t stream_bytes)
{
    uint8_t *target = malloc(target_bytes + 1);
    z_stream state = {.next_in = stream, .avail_in = (uInt)stream_bytes};
    if (!target || inflateInit(&state) != Z_OK)
        abort();
    state.next_out = target;
    state.avail_out = (uInt)target_bytes + 1;
    bool whole = inflate(&state, Z_FINISH) == Z_STREAM_END && state.avail_in == 0 && state.avail_out == 1;
    inflateEnd(&state);
    whole = whole && memcmp(target, wanted, target_bytes) == 0;
    free(target);
    return whole;
}

// The blocks as a stream of target_bytes bytes, which begin with the inflated ones. The checksum is right for a decoder
// that puts these, and no more, before zeros.
static void try_target(const uint8_t *inflated, size_t target_bytes, const uint8_t *blocks, size_t blocks_bytes)
{
    size_t stream_bytes = 2 + blocks_bytes + 4;
    uint8_t *stream = malloc(stream_bytes), *target = calloc(1, target_bytes > 0 ? target_bytes : 1);
    stream[0] = 0x78;
    stream[1] = 0x01;
    if (blocks_bytes > 0)
        memcpy(stream + 2, blocks, blocks_bytes);
    put_u32be(stream + 2 + blocks_bytes, (uint32_t)adler32(1, inflated, (uInt)target_bytes));
    if (deflate_decode(target, target_bytes, stream, stream_bytes) &&
        !zlib_gives(target, target_bytes, stream, stream_bytes))
        abort();
    free(stream);
    free(target);
}

static void check_blocks(const uint8_t *blocks, size_t blocks_bytes)
{
    static uint8_t inflated[INFLATED_MAX];
    memset(inflated, 0, sizeof inflated);
    uint8_t *copy = malloc(blocks_bytes + 1);
    memcpy(copy, blocks, blocks_bytes);
    z_stream state = {.next_in = copy, .avail_in = (uInt)blocks_bytes};
    if (inflateInit2(&state, -15) != Z_OK)
        abort();
    state.next_out = inflated;
    state.avail_out = INFLATED_MAX - 5000;
    inflate(&state, Z_FINISH); // however far it comes
    size_t inflated_bytes = state.total_out, used_bytes = blocks_bytes - state.avail_in;
    inflateEnd(&state);
    const size_t others[] = {inflated_bytes + 1, inflated_bytes + 5000, inflated_bytes ? inflated_bytes - 1 : 1};
    try_target(inflated, inflated_bytes, blocks, used_bytes);
    if (used_bytes < blocks_bytes)
        try_target(inflated, inflated_bytes, blocks, blocks_bytes);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        try_target(inflated, others[k], blocks, used_bytes);
    free(copy);
}

// ---- Sources ----

static void check_source(const uint8_t *data, size_t size)
{
    size_t block_bytes = 1 + (size_t)(data[0] | data[1] << 8), repeats = data[2] % 40 + 1;
    size_t source_bytes = (size - 3) * repeats, bound = deflate_bound(source_bytes);
    uint8_t *source = malloc(source_bytes + 1), *target = malloc(bound), *back = malloc(source_bytes + 1);
    struct deflate_scratch *scratch = malloc(deflate_scratch_bytes());
    for (size_t k = 0; k < source_bytes; k++)
        source[k] = data[3 + k / repeats];

    size_t encoded = deflate_encode(target, source, source_bytes, block_bytes, scratch);
    uLongf back_bytes = source_bytes + 1;
    if (encoded > source_bytes + source_bytes / 1000 + 11)
        abort();
    if (uncompress(back, &back_bytes, target, encoded) != Z_OK || back_bytes != source_bytes ||
        memcmp(back, source, source_bytes) != 0)
        abort();
    memset(back, 0, source_bytes);
    if (tiny_inflate(back, source_bytes, target, encoded) != (long)source_bytes ||
        memcmp(back, source, source_bytes) != 0)
        abort();
    memset(back, 0, source_bytes);
    if (!deflate_decode(back, source_bytes, target, encoded) || memcmp(back, source, source_bytes) != 0)
        abort();
    free(source);
    free(target);
    free(back);
    free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3 || size > INPUT_MAX)
        return 0;
    if (size <= SOURCE_MAX)
        check_source(data, size);
    check_blocks(data, size);
    return 0;
}

// ---- New inputs ----

static uint64_t dice_state;

static unsigned dice(unsigned count)
{
    return (unsigned)(splitmix64_next(&dice_state) % count);
}

// A complete code of that many words, 2..symbol_count, for some of the symbols: leaves of a tree that is split at
// random, often in its depth.
static void make_lengths(uint8_t *lengths, unsigned symbol_count, unsigned words, unsigned length_max)
{
    uint8_t depths[HAND_LENGTHS_MAX] = {0};
    unsigned count = 1;
    for (unsigned tries = 0; count < words && tries < 3000; tries++) {
        unsigned leaf = dice(3) ? dice(count) : count - 1;
        if (depths[leaf] < length_max)
            depths[count++] = ++depths[leaf];
    }
    memset(lengths, 0, symbol_count);
    for (unsigned k = 0; k < count; k++) {
        unsigned symbol = dice(symbol_count);
        while (lengths[symbol])
            symbol = (symbol + 1) % symbol_count;
        lengths[symbol] = depths[k];
    }
}

// Runs of lengths mostly as repeats, which seldom go too far.
static void make_steps(struct hand_head *head, const uint8_t *lengths, unsigned count)
{
    for (unsigned k = 0; k < count;) {
        unsigned run = 1, beyond = dice(200) ? 0 : dice(4), symbol = lengths[k];
        while (k + run < count && lengths[k + run] == symbol)
            run++;
        unsigned taken = run + beyond;
        bool again = k > 0 && lengths[k - 1] == symbol;
        if (taken >= 3 && (symbol == 0 || again) && dice(8)) {
            unsigned kind = again && (symbol || !dice(9)) ? 16 : taken > 10 ? 18 : 17;
            unsigned least = kind == 18 ? 11 : 3, most = kind == 16 ? 6 : kind == 17 ? 10 : 138;
            taken = taken < most ? taken : most;
            hand_add_step(head, kind, taken - least);
            k += taken;
        } else {
            hand_add_step(head, symbol, 0);
            k++;
        }
    }
    if (!dice(150))
        head->steps[0].symbol = 16;
}

// Some of the symbols and the end of the block.
static void put_symbols(struct hand_bits *out, const uint8_t *lengths, unsigned literals)
{
    uint16_t words[HAND_LENGTHS_MAX] = {0};
    hand_code(words, lengths, literals);
    for (unsigned count = dice(8) ? dice(60) : dice(300); count > 0; count--) {
        unsigned symbol = dice(literals), tries = 0;
        while ((lengths[symbol] == 0 || symbol == HAND_END_OF_BLOCK) && tries++ < literals)
            symbol = (symbol + 1) % literals;
        if (symbol == HAND_END_OF_BLOCK)
            continue;
        hand_put(out, words[symbol], lengths[symbol]);
        if (symbol > HAND_END_OF_BLOCK) {
            unsigned v = symbol - 257, extra_bits = v < 8 || v >= 28 ? 0 : (v - 4) / 4;
            hand_put(out, dice(32), extra_bits);
            hand_put(out, !dice(300), 1);
        }
    }
    hand_put(out, words[HAND_END_OF_BLOCK], lengths[HAND_END_OF_BLOCK]);
}

static void put_dynamic(struct hand_bits *out, bool last)
{
    uint8_t lengths[HAND_LENGTHS_MAX] = {0};
    struct hand_head head = hand_head(dice(40) ? 257 + dice(30) : 287 + dice(2));
    unsigned symbols = head.literals > 286 ? 286 : head.literals;
    make_lengths(lengths, symbols, 2 + dice(dice(3) ? 20 : 240), 15 - dice(2));
    if (lengths[HAND_END_OF_BLOCK] == 0 && dice(40)) {
        unsigned other = dice(symbols);
        while (lengths[other] == 0)
            other = (other + 1) % symbols;
        lengths[HAND_END_OF_BLOCK] = lengths[other];
        lengths[other] = 0;
    }
    if (!dice(25))
        lengths[dice(symbols)] = (uint8_t)dice(16);
    lengths[head.literals] = (uint8_t)(dice(40) ? 1 : dice(4));
    if (!dice(30))
        head.distances += dice(32);
    make_steps(&head, lengths, head.literals + head.distances);
    make_lengths(head.step_lengths, HAND_STEPS, HAND_STEPS, 7);
    if (!dice(60))
        head.step_lengths[dice(HAND_STEPS)] = (uint8_t)dice(8);
    hand_put_head(out, &head, last);
    put_symbols(out, lengths, head.literals);
}

static size_t make_blocks(uint8_t *bytes, size_t room_bytes)
{
    struct hand_bits out = {.bytes = bytes, .room_bytes = room_bytes};
    for (unsigned left = dice(4) + 1; left-- > 0;) {
        if (dice(4)) {
            put_dynamic(&out, left == 0);
            continue;
        }
        unsigned size_bytes = dice(4) ? dice(20) : dice(200);
        hand_put_stored(&out, left == 0, size_bytes, !dice(60));
        for (; size_bytes > 0; size_bytes--)
            hand_put(&out, dice(256), 8);
    }
    hand_align(&out);
    for (unsigned flips = dice(4) ? 0 : 1 + dice(3); flips > 0; flips--) {
        size_t bit = dice(dice(2) ? (unsigned)out.bit_count : 40);
        bytes[bit / 8 % (out.bit_count / 8)] ^= (uint8_t)(1 << bit % 8);
    }
    return out.bit_count / 8;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static uint8_t blocks[1 << 14];
    dice_state = seed;
    if (dice(3) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    size_t made = make_blocks(blocks, sizeof blocks);
    if (made > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    memcpy(data, blocks, made);
    return made;
}

// SPDX-License-Identifier: MIT
// The quick inflate: it reads all that our encoder writes, and takes nothing that zlib would not give the same for.
#include <stdbool.h>
#include <zlib.h>

#include "common/byteorder.h"
#include "formats/deflate_decode.h"
#include "formats/deflate_encode.h"
#include "formats/deflate_header.h"
#include "formats/huffman.h"
#include "tests/check.h"
#include "tests/deflate_by_hand.h"
#include "tests/guard_page.h"

#define SOURCE_MAX 70000

static struct guard_page stream_guard, target_guard;
static struct deflate_scratch *scratch;
static uint8_t source[SOURCE_MAX], stream[2 * SOURCE_MAX];

// Whether the stream is taken; both buffers end at a guard page.
static bool is_taken(const uint8_t *bytes, size_t stream_bytes, size_t target_bytes)
{
    uint8_t *target = guard_page_tail(&target_guard, target_bytes);
    return deflate_decode(target, target_bytes, guard_page_copy(&stream_guard, bytes, stream_bytes), stream_bytes);
}

static bool target_is(const uint8_t *wanted, size_t size_bytes)
{
    return size_bytes == 0 || memcmp(guard_page_tail(&target_guard, size_bytes), wanted, size_bytes) == 0;
}

// Constant, noise, few values in long or short words, runs, code words from 1 bit to the longest.
#define KINDS 6
static void fill(size_t size_bytes, unsigned kind)
{
    for (size_t k = 0; k < size_bytes; k++) {
        uint64_t v = check_random();
        uint8_t before = k > 0 ? source[k - 1] : 0;
        source[k] = (uint8_t)(kind == 0   ? 5
                              : kind == 1 ? v
                              : kind == 2 ? (v & 3) * (v >> 2 & 1)
                              : kind == 3 ? (v % 30 ? before : v >> 32)
                              : kind == 4 ? (unsigned)__builtin_ctzll(v | 1u << 17) * 11
                                          : (v >> 8) % (1 + v % 251));
    }
}

static void all_that_we_write_is_read(void)
{
    static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 31, 32, 33, 100, 258, 259, 1000, 4099, 66049};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (unsigned kind = 0; kind < KINDS; kind++) {
            for (size_t block_bytes = 66049; block_bytes > 300; block_bytes /= 9) {
                fill(sizes[k], kind);
                size_t size = deflate_encode(stream, source, sizes[k], block_bytes, scratch);
                CHECK_TEXT(is_taken(stream, size, sizes[k]), "%zu of kind %u", sizes[k], kind);
                CHECK(target_is(source, sizes[k]));
                CHECK(!is_taken(stream, size, sizes[k] + 1));
                CHECK(sizes[k] == 0 || !is_taken(stream, size, sizes[k] - 1));
                CHECK(!is_taken(stream, size - 1, sizes[k]));
                memset(stream + size, 0, 9);
                CHECK(!is_taken(stream, size + 1, sizes[k]) && !is_taken(stream, size + 9, sizes[k]));
            }
        }
    }
}

static void every_run_length_is_read(void)
{
    for (size_t run = 1; run <= 800; run++) {
        memset(source, 9, run + 40);
        source[20 + run] = source[19] = 200;
        size_t size = deflate_encode(stream, source, run + 40, SOURCE_MAX, scratch);
        CHECK_TEXT(is_taken(stream, size, run + 40) && target_is(source, run + 40), "%zu", run);
    }
}

// What zlib makes of a stream: its bytes if it is whole, ends with stream_bytes and holds target_bytes, the checksum
// apart, which is set right.
static bool zlib_takes(uint8_t *target, size_t target_bytes, uint8_t *bytes, size_t stream_bytes)
{
    uint8_t more;
    z_stream state = {.next_in = bytes + 2, .avail_in = (uInt)(stream_bytes - 2)};
    if (inflateInit2(&state, -15) != Z_OK)
        return false;
    state.next_out = target;
    state.avail_out = (uInt)target_bytes;
    int result = inflate(&state, Z_SYNC_FLUSH);
    if (result != Z_STREAM_END && state.avail_out == 0) {
        state.next_out = &more;
        state.avail_out = 1;
        result = inflate(&state, Z_SYNC_FLUSH);
        state.avail_out = state.avail_out == 1 ? 0 : 1;
    }
    bool whole = result == Z_STREAM_END && state.avail_out == 0 && state.avail_in == 4;
    inflateEnd(&state);
    if (whole)
        put_u32be(bytes + stream_bytes - 4, (uint32_t)adler32(1, target, (uInt)target_bytes));
    return whole;
}

// Bits flipped, mostly near the head, where they bend the codes. Of those that zlib reads, the checksum is made to fit,
// so that nothing but the decoding can tell; of those that it does not, none may be taken.
static void bent_streams_are_taken_only_as_zlib_reads_them(void)
{
    static uint8_t bent[2000], wanted[3000];
    int read_by_zlib = 0, taken = 0;
    for (int round = 0; round < 20000; round++) {
        size_t size_bytes = 1 + check_random_below(round % 8 ? 60 : 1500);
        fill(size_bytes, (unsigned)round % KINDS);
        size_t size = deflate_encode(stream, source, size_bytes, 1 + check_random_below(800), scratch);
        if (size > sizeof bent)
            continue;
        memcpy(bent, stream, size);
        size_t reach = 8 * (size - 6);
        reach = round % 2 && reach > 300 ? 300 : reach;
        for (uint64_t flips = 1 + check_random_below(3); flips > 0; flips--) {
            size_t bit = 16 + check_random_below(reach);
            bent[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        size_t target_bytes = size_bytes;
        bool readable = zlib_takes(wanted, target_bytes, bent, size);
        bool is = is_taken(bent, size, target_bytes);
        CHECK_TEXT(!is || readable, "round %d: zlib refuses it", round);
        CHECK(!is || target_is(wanted, target_bytes));
        read_by_zlib += readable;
        taken += is;
    }
    CHECK_TEXT(taken > 500 && taken <= read_by_zlib, "%d of %d", taken, read_by_zlib);
}

static void every_flipped_bit_is_noticed(void)
{
    fill(3000, 2);
    size_t size = deflate_encode(stream, source, 3000, 1500, scratch);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        stream[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK_TEXT(!is_taken(stream, size, 3000) || target_is(source, 3000), "bit %zu", bit);
        stream[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t cut = 0; cut < size; cut++)
        CHECK(!is_taken(stream, cut, 3000));
}

// A block that is nothing but a match, after `literals` bytes of value 7: without one there is nothing to repeat, but
// the memory before the target also holds 7, so that only looking tells.
static size_t write_match(uint8_t *bytes, unsigned literals, size_t *target_bytes)
{
    uint32_t counts[DEFLATE_LITERALS] = {[7] = 2, [DEFLATE_END_OF_BLOCK] = 1, [DEFLATE_END_OF_BLOCK + 1 + 8] = 1};
    uint8_t lengths[DEFLATE_LITERALS];
    uint64_t codes[DEFLATE_LITERALS];
    struct deflate_header header;
    bytes[0] = 0x78;
    bytes[1] = 0x01;
    struct bit_writer out = {.at = bytes + 2};
    huffman_lengths(lengths, counts, DEFLATE_LITERALS, BIT_CODE_MAX);
    huffman_codes(codes, lengths, DEFLATE_LITERALS);
    deflate_header_build(&header, lengths);
    deflate_header_write(&out, &header, true);
    for (unsigned k = 0; k < literals; k++)
        bit_put_code(&out, codes[7]);
    bit_put_code(&out, codes[DEFLATE_END_OF_BLOCK + 1 + 8]); // 11 or 12 bytes
    bit_put(&out, 0, 2);                                     // 11, and distance 1
    bit_put_code(&out, codes[DEFLATE_END_OF_BLOCK]);
    bit_align(&out);
    *target_bytes = literals + 11;
    memset(source, 7, *target_bytes);
    put_u32be(out.at, (uint32_t)adler32(1, source, (uInt)*target_bytes));
    return (size_t)(out.at + 4 - bytes);
}

static void a_match_needs_a_byte_before_it(void)
{
    for (unsigned literals = 0; literals < 3; literals++) {
        size_t target_bytes, size = write_match(stream, literals, &target_bytes);
        memset(guard_page_tail(&target_guard, SOURCE_MAX), 7, SOURCE_MAX);
        CHECK_TEXT(is_taken(stream, size, target_bytes) == (literals > 0), "%u literals", literals);
        CHECK(literals == 0 || target_is(source, target_bytes));
    }
}

// Other encoders' streams may be taken, but then they are read right.
static void streams_of_zlib_are_left_to_it_or_read_right(void)
{
    int taken = 0;
    for (int round = 0; round < 400; round++) {
        size_t size_bytes = check_random_below(3000);
        uLongf size = sizeof stream;
        fill(size_bytes, (unsigned)round % KINDS);
        CHECK(compress2(stream, &size, source, size_bytes, round % 10) == Z_OK);
        stream[0] = 0x78; // the level that the head tells does not matter
        stream[1] = 0x01;
        bool is = is_taken(stream, size, size_bytes);
        CHECK(!is || target_is(source, size_bytes));
        taken += is;
    }
    CHECK_TEXT(taken < 400, "%d", taken); // with fixed codes and far matches there are those that it does not know
}

// ---- Streams by hand: each that is wrong is beside one that is right ------------------------------------------

#define TEXT_BYTES 500 // so many that their stream is within the bound, heads of one step a length and all

static struct hand_bits begin_stream(void)
{
    struct hand_bits out = {.bytes = stream, .room_bytes = sizeof stream};
    hand_put(&out, 0x0178, 16);
    return out;
}

// Puts the checksum of source_bytes times the byte and compares what zlib and we say of the stream with `good`.
static void end_stream(struct hand_bits *out, uint8_t byte, size_t source_bytes, bool good, const char *what)
{
    static uint8_t wanted[SOURCE_MAX];
    memset(source, byte, source_bytes);
    hand_align(out);
    size_t size = out->bit_count / 8 + 4;
    put_u32be(stream + size - 4, (uint32_t)adler32(1, source, (uInt)source_bytes));
    CHECK_TEXT(zlib_takes(wanted, source_bytes, stream, size) == good, "%s", what);
    CHECK_TEXT(is_taken(stream, size, source_bytes) == good, "%s", what);
    CHECK_TEXT(!good || target_is(source, source_bytes), "%s", what);
}

// TEXT_BYTES times the byte and the end of the block, in the code of these lengths.
static void put_text(struct hand_bits *out, uint8_t byte, const uint8_t *lengths, bool ended)
{
    uint16_t words[HAND_LENGTHS_MAX] = {0};
    hand_code(words, lengths, 286);
    for (int k = 0; k < TEXT_BYTES; k++)
        hand_put(out, words[byte], lengths[byte]);
    if (ended)
        hand_put(out, words[HAND_END_OF_BLOCK], lengths[HAND_END_OF_BLOCK]);
}

// A stream of one block: this head, whose steps come to these lengths.
static void judge(const struct hand_head *head, const uint8_t *lengths, uint8_t byte, bool good, const char *what)
{
    struct hand_bits out = begin_stream();
    hand_put_head(&out, head, true);
    put_text(&out, byte, lengths, true);
    end_stream(&out, byte, TEXT_BYTES, good, what);
}

static void judge_lengths(const uint8_t *lengths, unsigned literals, bool good, const char *what)
{
    struct hand_head head = hand_head_of(lengths, literals);
    judge(&head, lengths, 7, good, what);
}

static void only_complete_codes_with_an_end_are_taken(void)
{
    static const struct {
        const char *what;
        bool good;
        uint8_t of_7, of_8, of_9, of_end;
    } codes[] = {{"two words", true, 1, 0, 0, 1},        {"three words", true, 1, 2, 0, 2},
                 {"a word too few", false, 1, 0, 0, 2},  {"two too few", false, 2, 0, 0, 2},
                 {"least too few", false, 1, 2, 14, 3},  {"a word too many", false, 1, 1, 0, 1},
                 {"least too many", false, 1, 15, 0, 1}, {"long too many", false, 1, 15, 15, 1},
                 {"no end of block", false, 1, 1, 0, 0}, {"nothing but text", false, 1, 0, 0, 0}};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
        uint8_t lengths[HAND_LENGTHS_MAX] = {
            [7] = codes[k].of_7, [8] = codes[k].of_8, [9] = codes[k].of_9, [HAND_END_OF_BLOCK] = codes[k].of_end};
        judge_lengths(lengths, 257, codes[k].good, codes[k].what);
    }
}

static void only_complete_codes_of_steps_are_taken(void)
{
    const uint8_t lengths[HAND_LENGTHS_MAX] = {[7] = 1, [HAND_END_OF_BLOCK] = 1};
    static const struct {
        const char *what;
        bool good;
        uint8_t of_17, of_18;
    } codes[] = {{"steps", true, 5, 5},
                 {"steps without one", true, 4, 0},
                 {"a step too few", false, 5, 0},
                 {"least step too few", false, 5, 6},
                 {"a step too many", false, 4, 5},
                 {"least step too many", false, 4, 7}};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
        struct hand_head head = hand_head_of(lengths, 257);
        head.step_lengths[17] = codes[k].of_17;
        head.step_lengths[18] = codes[k].of_18;
        judge(&head, lengths, 7, codes[k].good, codes[k].what);
    }
}

static void at_most_286_literals_are_taken(void)
{
    const uint8_t lengths[HAND_LENGTHS_MAX] = {[7] = 1, [HAND_END_OF_BLOCK] = 1};
    for (unsigned literals = 257; literals <= 288; literals++)
        judge_lengths(lengths, literals, literals <= 286, literals <= 286 ? "up to 286" : "more than 286");
}

// Whatever stands before the lengths and would be repeated, a code comes out: so only looking tells.
static void the_first_step_cannot_repeat(void)
{
    for (uint8_t v = 0; v <= 15; v = v ? (uint8_t)(v + 1) : 3) {
        // 0, 1, 2 and the end: 4 words of v bits; with words of 1..v - 2 bits that is complete.
        uint8_t lengths[HAND_LENGTHS_MAX] = {v, v, v, [7] = 1, [HAND_END_OF_BLOCK] = v ? v : 1};
        for (uint8_t length = 2; length + 2 <= v; length++)
            lengths[6 + length] = length;
        struct hand_head plain = hand_head_of(lengths, 257), repeating = hand_head(257);
        judge(&plain, lengths, 7, true, "three lengths");
        hand_add_step(&repeating, 16, 0);
        hand_add_lengths(&repeating, lengths + 3, 254);
        hand_add_step(&repeating, 1, 0);
        judge(&repeating, lengths, 7, false, "nothing to repeat");
    }
}

// The last length is that of the distance code, 1, and would be so with a repeat that goes on too.
static void repeats_end_with_the_lengths(void)
{
    static const struct hand_step ends[][3] = {{{1, 0}, {1, 0}, {1, 0}}, {{1, 0}, {16, 0}}};
    const uint8_t few[HAND_LENGTHS_MAX] = {[255] = 1, [HAND_END_OF_BLOCK] = 1};
    const uint8_t many[HAND_LENGTHS_MAX] = {[7] = 2, [HAND_END_OF_BLOCK] = 2, [285] = 1};
    for (int beyond = 0; beyond < 2; beyond++) {
        struct hand_head head = hand_head(257);
        hand_add_step(&head, 18, 138 - 11);
        hand_add_step(&head, 18, 117 - 11);
        for (int k = 0; k < 3 - beyond; k++)
            hand_add_step(&head, ends[beyond][k].symbol, 0);
        judge(&head, few, 255, !beyond, "a repeat beyond the last length by one");
        head = hand_head(286);
        hand_add_step(&head, 17, 7 - 3);
        hand_add_step(&head, 2, 0);
        hand_add_step(&head, 18, 138 - 11);
        hand_add_step(&head, 18, 110 - 11);
        hand_add_step(&head, 2, 0);
        hand_add_step(&head, 18, 28 - 11);
        hand_add_step(&head, 1, 0);
        hand_add_step(&head, beyond ? 16 : 1, 0);
        judge(&head, many, 7, !beyond, "a repeat beyond the last length of most");
    }
}

static void stored_blocks_may_be_empty(void)
{
    const uint8_t lengths[HAND_LENGTHS_MAX] = {[7] = 1, [HAND_END_OF_BLOCK] = 1};
    struct hand_head head = hand_head_of(lengths, 257);
    for (int kind = 0; kind < 12; kind++) {
        int before = kind % 3, after = kind / 3 % 2, wrong = kind / 6;
        struct hand_bits out = begin_stream();
        for (int k = 0; k < before; k++)
            hand_put_stored(&out, false, 0, 0);
        hand_put_head(&out, &head, false);
        put_text(&out, 7, lengths, true);
        for (int k = 0; k < after; k++)
            hand_put_stored(&out, false, 0, 0);
        hand_put_stored(&out, true, 0, wrong ? 1u << kind : 0);
        end_stream(&out, 7, TEXT_BYTES, !wrong, "empty stored blocks");
    }
    struct hand_bits out = begin_stream();
    hand_put_stored(&out, true, 0, 0);
    end_stream(&out, 0, 0, true, "an empty stored block alone");
}

// With a target large enough for all that they promise.
static void stored_blocks_end_within_the_stream(void)
{
    static const size_t beyond_bytes[] = {0, 1, 4, 5, 6, 1000, 60000};
    for (size_t k = 0; k < sizeof beyond_bytes / sizeof *beyond_bytes; k++) {
        struct hand_bits out = begin_stream();
        hand_put_stored(&out, true, (unsigned)(100 + beyond_bytes[k]), 0);
        for (int byte = 0; byte < 100; byte++)
            hand_put(&out, 7, 8);
        end_stream(&out, 7, 100 + beyond_bytes[k], k == 0, "stored bytes beyond the stream");
    }
}

static void blocks_end_within_the_stream(void)
{
    const uint8_t lengths[HAND_LENGTHS_MAX] = {[7] = 1, [HAND_END_OF_BLOCK] = 1};
    struct hand_head head = hand_head_of(lengths, 257);
    for (int kind = 0; kind < 4; kind++) {
        struct hand_bits out = begin_stream();
        hand_put_head(&out, &head, kind % 2);
        put_text(&out, 7, lengths, kind / 2);
        end_stream(&out, 7, TEXT_BYTES, kind == 3, "a block or a stream without an end");
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    stream_guard = guard_page_new(sizeof stream);
    target_guard = guard_page_new(SOURCE_MAX);
    scratch = malloc(deflate_scratch_bytes());
    CHECK_RUN(all_that_we_write_is_read);
    CHECK_RUN(every_run_length_is_read);
    CHECK_RUN(bent_streams_are_taken_only_as_zlib_reads_them);
    CHECK_RUN(every_flipped_bit_is_noticed);
    CHECK_RUN(a_match_needs_a_byte_before_it);
    CHECK_RUN(streams_of_zlib_are_left_to_it_or_read_right);
    CHECK_RUN(only_complete_codes_with_an_end_are_taken);
    CHECK_RUN(only_complete_codes_of_steps_are_taken);
    CHECK_RUN(at_most_286_literals_are_taken);
    CHECK_RUN(the_first_step_cannot_repeat);
    CHECK_RUN(repeats_end_with_the_lengths);
    CHECK_RUN(stored_blocks_may_be_empty);
    CHECK_RUN(stored_blocks_end_within_the_stream);
    CHECK_RUN(blocks_end_within_the_stream);
    free(scratch);
    guard_page_free(&stream_guard);
    guard_page_free(&target_guard);
    return CHECK_END;
}

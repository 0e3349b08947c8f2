// SPDX-License-Identifier: MIT
#include <stdbool.h>

#include "formats/bit_writer.h"
#include "formats/huffman.h"
#include "tests/check.h"

#define SYMBOLS 286

static int64_t kraft_sum(const uint8_t *lengths, int symbol_count)
{
    int64_t sum = 0;
    for (int k = 0; k < symbol_count; k++)
        sum += lengths[k] ? INT64_C(1) << (HUFFMAN_LENGTH_MAX - lengths[k]) : 0;
    return sum;
}

static bool code_is_complete(const uint8_t *lengths, int symbol_count)
{
    return kraft_sum(lengths, symbol_count) == INT64_C(1) << HUFFMAN_LENGTH_MAX;
}

static uint64_t cost_of(const uint8_t *lengths, const uint32_t *counts, int symbol_count)
{
    uint64_t cost = 0;
    for (int k = 0; k < symbol_count; k++)
        cost += (uint64_t)counts[k] * lengths[k];
    return cost;
}

static int compare_weights(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// The least cost of any code of at most limit bits (package-merge: Larmore, Hirschberg 1990), weights alone.
static uint64_t least_cost(const uint32_t *counts, int symbol_count, int limit)
{
    uint64_t leaves[SYMBOLS], list[2 * SYMBOLS];
    int used = 0, listed = 0;
    for (int k = 0; k < symbol_count; k++) {
        if (counts[k])
            leaves[used++] = counts[k];
    }
    for (int level = 0; level < limit; level++) {
        for (int k = 0; k < listed / 2; k++)
            list[k] = list[2 * k] + list[2 * k + 1];
        memcpy(list + listed / 2, leaves, (size_t)used * sizeof *leaves);
        listed = listed / 2 + used;
        qsort(list, (size_t)listed, sizeof *list, compare_weights);
    }
    uint64_t cost = 0;
    for (int k = 0; k < 2 * used - 2; k++)
        cost += list[k];
    return cost;
}

// Counts of very different shapes: flat, geometric, sparse, single peaks.
static int random_counts(uint32_t *counts)
{
    int symbol_count = 2 + (int)check_random_below(SYMBOLS - 1);
    uint64_t shape = check_random_below(4);
    for (int k = 0; k < symbol_count; k++) {
        uint64_t v = check_random();
        counts[k] = shape == 0   ? (uint32_t)(v % 100)
                    : shape == 1 ? (uint32_t)(v % 131072) >> (v >> 32) % 18
                    : shape == 2 ? (uint32_t)((v % 16 == 0) * (v >> 8) % 5)
                                 : (uint32_t)(v % 3) + (k == 7 ? 100000 : 0);
    }
    return symbol_count;
}

static void codes_are_complete_and_within_the_limit(void)
{
    for (int round = 0; round < 2000; round++) {
        uint32_t counts[SYMBOLS];
        uint8_t lengths[SYMBOLS];
        int symbol_count = random_counts(counts), limit = 9 + (int)check_random_below(7);
        huffman_lengths(lengths, counts, symbol_count, limit);
        CHECK(code_is_complete(lengths, symbol_count));
        int used = 0;
        for (int k = 0; k < symbol_count; k++)
            used += counts[k] != 0;
        for (int k = 0; k < symbol_count; k++) {
            CHECK(lengths[k] <= limit);
            CHECK((lengths[k] != 0) == (counts[k] != 0) || used < 2);
        }
    }
}

static void codes_cost_the_least_where_the_limit_is_far(void)
{
    for (int round = 0; round < 200; round++) {
        uint32_t counts[SYMBOLS];
        uint8_t lengths[SYMBOLS];
        for (int k = 0; k < SYMBOLS; k++)
            counts[k] = 20 + (uint32_t)(check_random_below(1000) >> check_random_below(6));
        huffman_lengths(lengths, counts, SYMBOLS, HUFFMAN_LENGTH_MAX);
        CHECK(cost_of(lengths, counts, SYMBOLS) == least_cost(counts, SYMBOLS, HUFFMAN_LENGTH_MAX));
    }
}

static void fibonacci_counts_are_cut_at_the_limit_for_little(void)
{
    for (int limit = 6; limit <= HUFFMAN_LENGTH_MAX; limit++) {
        uint32_t counts[40];
        uint8_t lengths[40];
        int symbol_count = limit < 9 ? 19 : 30;
        counts[0] = counts[1] = 1;
        for (int k = 2; k < symbol_count; k++)
            counts[k] = counts[k - 1] + counts[k - 2];
        huffman_lengths(lengths, counts, symbol_count, limit);
        CHECK(code_is_complete(lengths, symbol_count));
        CHECK(lengths[0] == limit);
        uint64_t cost = cost_of(lengths, counts, symbol_count), least = least_cost(counts, symbol_count, limit);
        CHECK_TEXT(cost >= least && cost <= least + least / (limit < 12 ? 8 : 50), "%llu of %llu at %d",
                   (unsigned long long)cost, (unsigned long long)least, limit);
    }
}

static void rarer_symbols_never_have_shorter_codes(void)
{
    for (int round = 0; round < 300; round++) {
        uint32_t counts[SYMBOLS];
        uint8_t lengths[SYMBOLS];
        int symbol_count = random_counts(counts);
        huffman_lengths(lengths, counts, symbol_count, 10);
        for (int a = 0; a < symbol_count; a++) {
            for (int b = 0; b < symbol_count; b++)
                CHECK(!(counts[a] > counts[b] && counts[b] > 0) || lengths[a] <= lengths[b]);
        }
    }
}

static void fewer_than_two_symbols_make_a_code_of_two(void)
{
    static const uint32_t counts[3][4] = {{0, 0, 0, 0}, {9, 0, 0, 0}, {0, 0, 5, 0}};
    static const uint8_t wanted[3][4] = {{1, 1, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}};
    for (int k = 0; k < 3; k++) {
        uint8_t lengths[4];
        huffman_lengths(lengths, counts[k], 4, 7);
        CHECK(memcmp(lengths, wanted[k], 4) == 0);
    }
}

static void ties_go_by_symbol_and_keep_the_code_shallow(void)
{
    static const uint32_t counts[3][5] = {{2, 2, 2, 2, 2}, {1, 1, 2, 2, 0}, {4, 1, 1, 1, 1}};
    static const uint8_t wanted[3][5] = {{3, 3, 2, 2, 2}, {2, 2, 2, 2, 0}, {1, 3, 3, 3, 3}};
    for (int k = 0; k < 3; k++) {
        uint8_t lengths[5];
        huffman_lengths(lengths, counts[k], 5, 15);
        CHECK_TEXT(memcmp(lengths, wanted[k], 5) == 0, "%d", k);
    }
}

// The example of RFC 1951, section 3.2.2: lengths 3,3,3,3,3,2,4,4 give 010 011 100 101 110 00 1110 1111.
static void codes_are_those_of_the_rfc(void)
{
    static const uint8_t lengths[9] = {3, 3, 3, 3, 3, 2, 4, 4, 0};
    static const unsigned wanted[8] = {2, 3, 4, 5, 6, 0, 14, 15};
    uint64_t codes[9];
    huffman_codes(codes, lengths, 9);
    for (int k = 0; k < 8; k++) {
        unsigned value = 0;
        for (int bit = 0; bit < lengths[k]; bit++)
            value = value << 1 | (unsigned)(codes[k] >> (64 - lengths[k] + bit) & 1);
        CHECK_TEXT(value == wanted[k], "symbol %d", k);
        CHECK((codes[k] & 63) == lengths[k]);
    }
    CHECK(codes[8] == 0);
}

// Four words of the greatest length, whatever is waiting, come out as bit_put() would have written them.
static void four_words_at_once_are_the_same_bits(void)
{
    for (int round = 0; round < 5000; round++) {
        uint8_t one[64] = {0}, four[64] = {0};
        struct bit_writer a = {.at = one}, b = {.at = four};
        unsigned waiting = (unsigned)check_random_below(8);
        bit_put(&a, (1u << waiting) - 1, waiting);
        bit_put(&b, (1u << waiting) - 1, waiting);
        uint64_t words[4];
        for (int k = 0; k < 4; k++) {
            unsigned count = round < 10 ? BIT_CODE_MAX : (unsigned)check_random_below(BIT_CODE_MAX + 1);
            uint64_t bits = check_random() & ((1u << count) - 1);
            words[k] = count > 0 ? bits << (64 - count) | count : 0;
            bit_put(&a, bits, count);
            bit_flush(&a);
        }
        bit_put_codes(&b, words[0], words[1], words[2], words[3]);
        CHECK(a.count == b.count && a.waiting == b.waiting && a.at - one == b.at - four);
        CHECK(memcmp(one, four, (size_t)(a.at - one)) == 0);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(codes_are_complete_and_within_the_limit);
    CHECK_RUN(codes_cost_the_least_where_the_limit_is_far);
    CHECK_RUN(fibonacci_counts_are_cut_at_the_limit_for_little);
    CHECK_RUN(rarer_symbols_never_have_shorter_codes);
    CHECK_RUN(fewer_than_two_symbols_make_a_code_of_two);
    CHECK_RUN(ties_go_by_symbol_and_keep_the_code_shallow);
    CHECK_RUN(codes_are_those_of_the_rfc);
    CHECK_RUN(four_words_at_once_are_the_same_bits);
    return CHECK_END;
}

// SPDX-License-Identifier: MIT
#include <zlib.h>

#include "formats/crc.h"
#include "tests/check.h"
#include "tests/guard_page.h"

static void every_length_gives_what_zlib_gives(void)
{
    enum { MOST = 700 };
    uint8_t bytes[MOST];
    struct guard_page guard = guard_page_new(MOST);
    for (size_t size = 0; size <= MOST; size++) {
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)check_random();
        uint8_t *at = guard_page_copy(&guard, bytes, size);
        CHECK_TEXT(crc_of(at, size) == crc32_z(0, at, size), "%zu bytes", size);
    }
    guard_page_free(&guard);
}

static void long_texts_and_single_bits_count(void)
{
    static uint8_t bytes[100003];
    CHECK(crc_of(bytes, sizeof bytes) == crc32_z(0, bytes, sizeof bytes));
    for (int round = 0; round < 300; round++) {
        size_t first = check_random_below(sizeof bytes), size = check_random_below(sizeof bytes - first + 1);
        bytes[check_random_below(sizeof bytes)] ^= (uint8_t)(1u << check_random_below(8));
        CHECK_TEXT(crc_of(bytes + first, size) == crc32_z(0, bytes + first, size), "%zu from %zu", size, first);
    }
}

static void the_check_value_is_that_of_the_standard(void)
{
    CHECK(crc_of("123456789", 9) == 0xCBF43926);
    CHECK(crc_of(NULL, 0) == 0);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(every_length_gives_what_zlib_gives);
    CHECK_RUN(long_texts_and_single_bits_count);
    CHECK_RUN(the_check_value_is_that_of_the_standard);
    return CHECK_END;
}

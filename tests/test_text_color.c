// SPDX-License-Identifier: MIT
// Colours as text.
#include "common/text_color.h"

#include "tests/check.h"

static void six_hexadecimal_digits_are_a_color(void)
{
    uint8_t rgb[3] = {1, 2, 3};
    CHECK(parse_color("#d9a066", rgb) && rgb[0] == 0xd9 && rgb[1] == 0xa0 && rgb[2] == 0x66);
    CHECK(parse_color("#0aFf9A", rgb) && rgb[0] == 0x0a && rgb[1] == 0xff && rgb[2] == 0x9a);
}

static void anything_else_is_refused_and_leaves_what_was(void)
{
    static const char *const bad[] = {"",        "#",       "d9a066",   "#d9a06", "#d9a0666",
                                      "#d9a06g", "#d9a0 6", " #d9a066", "##a066f"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        uint8_t rgb[3] = {1, 2, 3};
        CHECK_TEXT(!parse_color(bad[k], rgb) && rgb[0] == 1 && rgb[1] == 2 && rgb[2] == 3, "%s", bad[k]);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(six_hexadecimal_digits_are_a_color);
    CHECK_RUN(anything_else_is_refused_and_leaves_what_was);
    return CHECK_END;
}

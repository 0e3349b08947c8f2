// SPDX-License-Identifier: MIT
// Numbers as text: strict reading, shortest writing.
#include "common/text_number.h"

#include <float.h>
#include <math.h>

#include "tests/check.h"

static void whole_numbers_to_2_to_the_64_are_read(void)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"007", 7},
                {"4294967296", UINT64_C(4294967296)},
                {"18446744073709551615", UINT64_MAX},
                {"00000000000000000000000000000000000001", 1}};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        uint64_t value = 99;
        CHECK_TEXT(parse_u64(good[k].text, &value) && value == good[k].value, "%s", good[k].text);
    }
}

static void whole_numbers_with_anything_else_are_refused(void)
{
    static const char *const bad[] = {"",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "1e3",
                                      "0x1",
                                      "1,0",
                                      "abc",
                                      "-",
                                      "1\n",
                                      "１",
                                      "18446744073709551616",
                                      "18446744073709551625",
                                      "99999999999999999999999"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        uint64_t value = 99;
        CHECK_TEXT(!parse_u64(bad[k], &value) && value == 99, "'%s'", bad[k]);
    }
}

static void real_numbers_are_read(void)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},       {"1", 1},         {"-32.875", -32.875}, {"+2.5", 2.5},
                {".5", 0.5},    {"5.", 5},        {"-.25e2", -25},      {"1e-3", 0.001},
                {"1E+3", 1000}, {"1e308", 1e308}, {"1e-400", 0.0},      {"6371000", 6371e3},
                {"0.1", 0.1},   {"007.5", 7.5},   {"-0", -0.0}};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        double value = 99;
        CHECK_TEXT(parse_real(good[k].text, &value) && value == good[k].value, "%s", good[k].text);
    }
}

static void real_numbers_with_anything_else_are_refused(void)
{
    static const char *const bad[] = {
        "",     "-",     "+",      ".",     "e5",       "1e",  "1e+",          "nan", "inf",
        "-inf", "0x10",  "1,5",    "1.2.3", "1e5.0",    " 1",  "1 ",           "1m",  "--1",
        "+-1",  "1e309", "-1e309", "1_000", "infinity", "NAN", "1e99999999999"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        double value = 99;
        CHECK_TEXT(!parse_real(bad[k], &value) && value == 99, "'%s'", bad[k]);
    }
    char longer[80];
    memset(longer, '1', sizeof longer);
    longer[60] = 0;
    double value;
    CHECK(parse_real(longer, &value));
    longer[60] = '1', longer[61] = 0;
    CHECK(!parse_real(longer, &value));
}

static void the_longest_number_at_the_start_is_taken(void)
{
    double value = 0;
    CHECK(parse_real_prefix("62.1,4", 6, &value) == 4 && value == 62.1);
    CHECK(parse_real_prefix("1e5x", 4, &value) == 3 && value == 1e5);
    CHECK(parse_real_prefix("1e", 2, &value) == 1 && value == 1);
    CHECK(parse_real_prefix("1e+", 3, &value) == 1 && value == 1);
    CHECK(parse_real_prefix("2.e3", 4, &value) == 4 && value == 2000);
    CHECK(parse_real_prefix("1.5.5", 5, &value) == 3 && value == 1.5);
    CHECK(parse_real_prefix("-", 1, &value) == 0 && parse_real_prefix("x1", 2, &value) == 0);
    CHECK(parse_real_prefix("", 0, &value) == 0);
    // Bytes beyond the length are not looked at.
    CHECK(parse_real_prefix("123456", 3, &value) == 3 && value == 123);
    CHECK(parse_real_prefix("1e55", 3, &value) == 3 && value == 1e5);
    char exact[3] = {'4', '.', '5'};
    CHECK(parse_real_prefix(exact, sizeof exact, &value) == 3 && value == 4.5);
}

static void real_numbers_are_written_shortest(void)
{
    static const struct {
        double value;
        const char *text;
    } good[] = {{0, "0"},
                {1, "1"},
                {-1.5, "-1.5"},
                {0.1, "0.1"},
                {100000, "100000"},
                {6371000, "6371000"},
                {1e9, "1000000000"},
                {0.00390625, "0.00390625"},
                {1.0 / 3, "0.3333333333333333"},
                {1e300, "1e+300"},
                {1e15, "1e+15"},
                {1e-7, "1e-07"},
                {123456.789, "123456.789"}};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        char text[REAL_TEXT_MAX];
        format_real(text, good[k].value);
        CHECK_TEXT(strcmp(text, good[k].text) == 0, "%s not %s", text, good[k].text);
    }
}

static void what_is_written_reads_back_to_the_same_bits(void)
{
    for (int k = 0; k < 100000; k++) {
        uint64_t bits = check_random();
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        if (k % 4 == 0)
            value = floor(check_random_unit() * 1e17) / (k % 8 ? 1e3 : 1);
        char text[REAL_TEXT_MAX];
        format_real(text, value);
        CHECK_TEXT(strlen(text) < REAL_TEXT_MAX && parse_real(text, &back), "%s", text);
        CHECK_TEXT(memcmp(&back, &value, sizeof value) == 0, "%s", text);
    }
    char text[REAL_TEXT_MAX];
    double back;
    format_real(text, -DBL_MAX);
    CHECK(parse_real(text, &back) && back == -DBL_MAX);
    format_real(text, DBL_TRUE_MIN);
    CHECK(parse_real(text, &back) && back == DBL_TRUE_MIN);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(whole_numbers_to_2_to_the_64_are_read);
    CHECK_RUN(whole_numbers_with_anything_else_are_refused);
    CHECK_RUN(real_numbers_are_read);
    CHECK_RUN(real_numbers_with_anything_else_are_refused);
    CHECK_RUN(the_longest_number_at_the_start_is_taken);
    CHECK_RUN(real_numbers_are_written_shortest);
    CHECK_RUN(what_is_written_reads_back_to_the_same_bits);
    return CHECK_END;
}

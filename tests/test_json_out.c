// SPDX-License-Identifier: MIT
#include "bake/json_out.h"

#include "tests/check.h"

static char *written;
static size_t written_size;

static struct json_out begin(void)
{
    return json_begin(open_memstream(&written, &written_size));
}

static bool end_is(struct json_out *json, const char *expected)
{
    fclose(json->file);
    bool same = strcmp(written, expected) == 0;
    if (!same)
        printf("got %s, expected %s\n", written, expected);
    free(written);
    return same;
}

static void groups_nest_with_commas_between_members(void)
{
    struct json_out json = begin();
    json_open_object(&json, NULL);
    json_open_array(&json, "a");
    json_open_array(&json, NULL);
    json_end(&json);
    json_open_object(&json, NULL);
    json_u64(&json, "b", 1);
    json_none(&json, "c");
    json_end(&json);
    json_i64(&json, NULL, INT64_MIN);
    json_end(&json);
    json_bool(&json, "d", true);
    json_bool(&json, "e", false);
    json_u64(&json, "f", UINT64_MAX);
    json_end(&json);
    CHECK(end_is(&json, "{\"a\":[[],{\"b\":1,\"c\":null},-9223372036854775808],\"d\":true,\"e\":false,"
                        "\"f\":18446744073709551615}"));
}

static void reals_have_a_point_or_an_exponent_and_read_back(void)
{
    static const double values[] = {0, 1, -1, 0.1, 6371000, 1e15, 1e300, 4e-320, 1.0 / 3, 0.00390625, -2.5e-7};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        struct json_out json = begin();
        json_double(&json, NULL, values[k]);
        fclose(json.file);
        CHECK_TEXT(strpbrk(written, ".e") != NULL, "%s", written);
        CHECK_TEXT(strtod(written, NULL) == values[k], "%s", written);
        free(written);
    }
    struct json_out json = begin();
    json_double(&json, NULL, 6371000);
    CHECK(end_is(&json, "6371000.0"));
}

static void texts_are_escaped(void)
{
    struct json_out json = begin();
    json_text(&json, NULL, "a\"b\\c\nd\te\x01\x7f/");
    CHECK(end_is(&json, "\"a\\\"b\\\\c\\nd\\u0009e\\u0001\\u007f/\""));
}

static void utf8_passes_and_other_bytes_are_replaced(void)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\x8d", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\x8d\""},
        {"\xff", "\"\\ufffd\""},
        {"a\x80z", "\"a\\ufffdz\""},
        {"\xc3", "\"\\ufffd\""},                                  // cut
        {"\xe2\x82", "\"\\ufffd\\ufffd\""},                       // cut
        {"\xc0\xaf", "\"\\ufffd\\ufffd\""},                       // not the shortest form
        {"\xe0\x9f\xbf", "\"\\ufffd\\ufffd\\ufffd\""},            // not the shortest form
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},            // a surrogate
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, // beyond U+10FFFF
        {"\xed\x9f\xbf", "\"\xed\x9f\xbf\""},
        {"\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct json_out json = begin();
        json_text(&json, NULL, cases[k].text);
        CHECK_TEXT(end_is(&json, cases[k].expected), "case %zu", k);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(groups_nest_with_commas_between_members);
    CHECK_RUN(reals_have_a_point_or_an_exponent_and_read_back);
    CHECK_RUN(texts_are_escaped);
    CHECK_RUN(utf8_passes_and_other_bytes_are_replaced);
    return CHECK_END;
}

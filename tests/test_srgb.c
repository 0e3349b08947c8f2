// SPDX-License-Identifier: MIT
#include <math.h>

#include "bake/srgb.h"
#include "common/srgb.h"
#include "tests/check.h"

static struct srgb_table table;

static double encoded_by_pow(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

static void every_code_comes_back_from_its_decoded_value(void)
{
    for (int code = 0; code < 256; code++)
        CHECK_TEXT(srgb_encode(&table, srgb_decode(code / 255.0)) == code, "%d", code);
}

static void decoding_agrees_with_pow(void)
{
    for (int k = 0; k <= 10000; k++) {
        double e = k / 10000.0, expected = e <= 0.04045 ? e / 12.92 : pow((e + 0.055) / 1.055, 2.4);
        CHECK(fabs(srgb_decode(e) - expected) <= 4e-16);
    }
}

static void encoding_rounds_to_the_nearest_code(void)
{
    for (int k = 0; k < 400000; k++) {
        double linear = check_random_unit();
        linear *= k & 1 ? linear * linear : 1; // more of the dark ones
        double exact = 255 * encoded_by_pow(linear);
        // The two branches of the standard meet only to about 1e-8, and pow is not exact.
        if (fabs(exact - floor(exact) - 0.5) < 1e-5)
            continue;
        CHECK_TEXT(srgb_encode(&table, linear) == (int)floor(exact + 0.5), "%.17g", linear);
    }
}

static void thresholds_are_the_first_values_of_their_codes(void)
{
    for (int code = 1; code < 256; code++) {
        double t = table.threshold[code];
        CHECK(srgb_encode(&table, t) == code && srgb_encode(&table, nextafter(t, 0)) == code - 1);
        CHECK(t > table.threshold[code - 1]);
    }
}

static void values_outside_are_cut(void)
{
    CHECK(srgb_encode(&table, -1) == 0 && srgb_encode(&table, -0.0) == 0 && srgb_encode(&table, 0) == 0);
    CHECK(srgb_encode(&table, 1) == 255 && srgb_encode(&table, 1.5) == 255 && srgb_encode(&table, HUGE_VAL) == 255);
    CHECK(srgb_encode(&table, nextafter(1, 0)) == 255 && srgb_encode(&table, 5e-324) == 0);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    srgb_prepare(&table);
    CHECK_RUN(every_code_comes_back_from_its_decoded_value);
    CHECK_RUN(decoding_agrees_with_pow);
    CHECK_RUN(encoding_rounds_to_the_nearest_code);
    CHECK_RUN(thresholds_are_the_first_values_of_their_codes);
    CHECK_RUN(values_outside_are_cut);
    return CHECK_END;
}

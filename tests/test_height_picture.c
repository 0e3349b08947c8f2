// SPDX-License-Identifier: MIT
#include "bake/height_picture.h"

#include <math.h>

#include "common/tile_grid.h"
#include "tests/check.h"

static double terrarium_m(const uint8_t rgb[3])
{
    return rgb[0] * 256.0 + rgb[1] + rgb[2] / 256.0 - 32768.0;
}

static void terrarium_is_exact_for_units_of_its_own(void)
{
    static const int32_t heights[] = {0, 1, -1, 255, 256, -256, 65535, 65536, -8 * 256, 8849 * 256, -8388608, 8388607};
    uint8_t rgb[3];
    for (size_t k = 0; k < sizeof heights / sizeof *heights; k++) {
        CHECK(terrarium_encode(rgb, heights[k], -8));
        CHECK_TEXT(terrarium_m(rgb) == heights[k] / 256.0, "%d", (int)heights[k]);
    }
    for (int k = 0; k < 10000; k++) {
        int32_t units = (int32_t)check_random_below(1u << 24) - (1 << 23);
        CHECK(terrarium_encode(rgb, units, -8) && terrarium_m(rgb) == units / 256.0);
    }
}

static void terrarium_rounds_finer_units_to_the_nearest(void)
{
    uint8_t rgb[3];
    for (int exponent = -27; exponent < -8; exponent++) {
        double unit_m = height_unit_m(exponent);
        for (int k = 0; k < 2000; k++) {
            int32_t units = (int32_t)(uint32_t)check_random();
            double height_m = units * unit_m, expected_m = floor(height_m * 256 + 0.5) / 256;
            bool fits = expected_m >= -32768 && expected_m < 32768;
            CHECK(terrarium_encode(rgb, units, exponent) == fits);
            if (fits)
                CHECK_TEXT(terrarium_m(rgb) == expected_m, "%.17g", height_m);
        }
    }
}

static void terrarium_refuses_what_does_not_fit_and_writes_nothing(void)
{
    uint8_t rgb[3] = {1, 2, 3};
    static const int32_t beyond[] = {8388608, -8388609, INT32_MAX, INT32_MIN};
    for (int k = 0; k < 4; k++)
        CHECK(!terrarium_encode(rgb, beyond[k], -8));
    // Rounds up to 32768 m.
    CHECK(!terrarium_encode(rgb, 8388608 * 2 - 1, -9));
    CHECK(terrarium_encode(rgb, 8388608 * 2 - 2, -9));
    uint8_t last[3] = {255, 255, 255};
    CHECK(memcmp(rgb, last, 3) == 0);
}

static void gray_runs_from_the_least_to_the_greatest_height(void)
{
    static const int32_t heights[] = {INT32_MIN, -1, 0, INT32_MAX};
    uint16_t gray[4];
    heights_to_gray16(gray, heights, 4, INT32_MIN, INT32_MAX);
    CHECK(gray[0] == 0 && gray[1] == 32767 && gray[2] == 32768 && gray[3] == 65535);

    static const int32_t flat[] = {7, 7};
    heights_to_gray16(gray, flat, 2, 7, 7);
    CHECK(gray[0] == 0 && gray[1] == 0);

    for (int k = 0; k < 10000; k++) {
        int32_t min = (int32_t)(uint32_t)check_random() / 4, range = (int32_t)check_random_below(1 << 29) + 1;
        int32_t height = min + (int32_t)check_random_below((uint64_t)range + 1);
        heights_to_gray16(gray, &height, 1, min, min + range);
        double expected = ((double)height - min) / range * 65535;
        CHECK_TEXT(fabs(gray[0] - expected) <= 0.5 + 1e-9, "%g", expected);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(terrarium_is_exact_for_units_of_its_own);
    CHECK_RUN(terrarium_rounds_finer_units_to_the_nearest);
    CHECK_RUN(terrarium_refuses_what_does_not_fit_and_writes_nothing);
    CHECK_RUN(gray_runs_from_the_least_to_the_greatest_height);
    return CHECK_END;
}

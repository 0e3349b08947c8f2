// SPDX-License-Identifier: MIT
// Layers from samples: every vector width gives the same bytes, and the quick loops know what they cannot decide.
#include <math.h>

#include "bake/layer_loops.h"
#include "bake/layers.h"
#include "common/cube_sphere.h"
#include "common/srgb.h"
#include "tests/check.h"

#define COUNT 1000
#define RADIUS_M 6371e3
static const char *const names[] = {"base", "avx2"};
#define WIDTHS (sizeof names / sizeof *names)

static double x[COUNT], y[COUNT], z[COUNT], height_m[COUNT], gx[COUNT], gy[COUNT], gz[COUNT];
static double red[COUNT], green[COUNT], blue[COUNT];
static const struct sample_run run = {COUNT, x, y, z, {height_m, gx, gy, gz, red, green, blue}};
static struct srgb_table table;

// Directions of one face, gradients across them from flat to steep, colours of which many are dark.
static void fill_run(int face)
{
    const struct cube_face_frame *frame = &cube_face_frames[face];
    double *const dir[3] = {x, y, z};
    for (int k = 0; k < COUNT; k++) {
        dir[frame->s.axis][k] = 2 * check_random_unit() - 1;
        dir[frame->t.axis][k] = 2 * check_random_unit() - 1;
        dir[frame->out.axis][k] = frame->out.sign;
        double length = sqrt(x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
        x[k] /= length;
        y[k] /= length;
        z[k] /= length;
        double steepness = RADIUS_M * pow(10, 6 * check_random_unit() - 5);
        double a = steepness * (check_random_unit() - 0.5), b = steepness * (check_random_unit() - 0.5);
        double c = steepness * (check_random_unit() - 0.5), along = a * x[k] + b * y[k] + c * z[k];
        gx[k] = a - along * x[k];
        gy[k] = b - along * y[k];
        gz[k] = c - along * z[k];
        height_m[k] = 9000 * (check_random_unit() - 0.5);
        red[k] = 1.2 * check_random_unit() - 0.1;
        green[k] = check_random_unit() * check_random_unit() * check_random_unit();
        blue[k] = 0.01 * check_random_unit();
    }
}

static struct normal_input input_of(int face)
{
    const struct cube_face_frame *frame = &cube_face_frames[face];
    const double *const dir[3] = {x, y, z}, *const gradient[3] = {gx, gy, gz};
    const struct cube_axis axes[3] = {frame->s, frame->t, frame->out};
    struct normal_input input = {.height_m = height_m, .radius_m = RADIUS_M};
    for (int k = 0; k < 3; k++) {
        input.dir[k] = dir[axes[k].axis];
        input.gradient[k] = gradient[axes[k].axis];
        input.sign[k] = axes[k].sign;
    }
    return input;
}

static void every_width_computes_the_same_in_double(void)
{
    const struct layer_loops *base = layer_loops_named("base");
    for (int round = 0; round < 60; round++) {
        int count = 1 + (int)check_random_below(LAYER_BLOCK);
        fill_run(round % 6);
        const struct normal_input input = input_of(round % 6);
        for (size_t width = 0; width < WIDTHS; width++) {
            const struct layer_loops *loops = layer_loops_named(names[width]);
            if (!loops)
                continue;
            int32_t q[2][3][LAYER_BLOCK], heights[2][LAYER_BLOCK];
            int32_t *const wanted[3] = {q[0][0], q[0][1], q[0][2]}, *const got[3] = {q[1][0], q[1][1], q[1][2]};
            double scale = round % 2 ? 127 : 32767;
            CHECK(base->normals(wanted, count, &input, scale) && loops->normals(got, count, &input, scale));
            struct height_range ranges[2] = {{INT32_MAX, INT32_MIN}, {INT32_MAX, INT32_MIN}};
            CHECK(base->heights(heights[0], count, height_m, 256, -1e4, &ranges[0]));
            CHECK(loops->heights(heights[1], count, height_m, 256, -1e4, &ranges[1]));
            CHECK(memcmp(&ranges[0], &ranges[1], sizeof ranges[0]) == 0);
            for (int part = 0; part < 3; part++)
                CHECK(memcmp(wanted[part], got[part], (size_t)count * sizeof **wanted) == 0);
            CHECK(memcmp(heights[0], heights[1], (size_t)count * sizeof **heights) == 0);
        }
    }
}

static void normals_are_those_computed_in_double(void)
{
    static uint8_t slots[TILE_WIDE_SLOT_BYTES * COUNT];
    for (int round = 0; round < 120; round++) {
        int face = round % 6, bits = round % 4 ? 8 : 16;
        fill_run(face);
        // Too steep for a float to square, and a hole to the middle of the planet.
        gx[COUNT / 2] = 1e25;
        height_m[COUNT / 3] = -RADIUS_M;
        CHECK(layer_normals(slots, &run, face, RADIUS_M, bits));
        struct normal_input input = input_of(face);
        for (int k = 0; k < COUNT; k++) {
            int32_t q[3];
            int32_t *const components[3] = {&q[0], &q[1], &q[2]};
            CHECK(layer_loops_named("base")->normals(components, 1, &input, bits == 8 ? 127 : 32767));
            for (int part = 0; part < 3; part++) {
                const uint8_t *at =
                    bits == 8 ? slots + TILE_SLOT_BYTES * k + part : slots + TILE_WIDE_SLOT_BYTES * k + 2 * part;
                CHECK_TEXT(q[part] == (bits == 8 ? at[0] : at[0] << 8 | at[1]), "sample %d part %d", k, part);
                input.dir[part]++;
                input.gradient[part]++;
            }
            input.height_m++;
        }
    }
}

static void colors_are_those_of_the_table(void)
{
    static uint8_t slots[TILE_SLOT_BYTES * COUNT];
    for (int round = 0; round < 120; round++) {
        fill_run(0);
        // Steps themselves and their neighbours.
        for (int code = 1; code < 256; code++) {
            red[code] = table.threshold[code];
            green[code] = nextafter(table.threshold[code], 0);
            blue[code] = nextafter(table.threshold[code], 1);
        }
        CHECK(layer_colors(slots, &run, &table));
        for (int k = 0; k < COUNT; k++) {
            const double linear[3] = {red[k], green[k], blue[k]};
            for (int channel = 0; channel < 3; channel++)
                CHECK_TEXT(slots[TILE_SLOT_BYTES * k + channel] == srgb_encode(&table, linear[channel]), "%.17g",
                           linear[channel]);
        }
    }
}

static bool is_listed(const uint8_t *unsure, int unsure_count, int number)
{
    bool found = false;
    for (int k = 0; k < unsure_count; k++)
        found |= unsure[k] == number;
    return found;
}

// Whether a value is so near to the middle between two codes that a quick loop must say unsure.
static bool must_be_unsure(double v, double within)
{
    return fabs(v - floor(v) - 0.5) < within / 2;
}

// The stored components before they are rounded, but for their offset.
static void exact_normal(double n[3], const struct normal_input *in, int k, double scale)
{
    double b = in->sign[1] * in->dir[1][k], c = in->sign[2] * in->dir[2][k], across = sqrt(b * b + c * c);
    n[0] = -in->sign[0] * in->gradient[0][k] / across;
    n[1] = (b * in->sign[2] * in->gradient[2][k] - c * in->sign[1] * in->gradient[1][k]) / across;
    n[2] = in->radius_m + in->height_m[k];
    double over_length = scale / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int part = 0; part < 3; part++)
        n[part] *= over_length;
}

static void check_unsure_normals(int (*quick)(uint8_t *, uint8_t *, int, const struct normal_input *), double scale,
                                 double within)
{
    uint8_t slots[TILE_WIDE_SLOT_BYTES * LAYER_BLOCK], unsure[LAYER_BLOCK];
    int near = 0, listed = 0, all = 0;
    for (int round = 0; round < 2000; round++) {
        fill_run(round % 6);
        const struct normal_input in = input_of(round % 6);
        int unsure_count = quick(slots, unsure, LAYER_BLOCK, &in);
        for (int k = 0; k < LAYER_BLOCK; k++) {
            double n[3];
            exact_normal(n, &in, k, scale);
            if (must_be_unsure(n[0], within) || must_be_unsure(n[1], within) || must_be_unsure(n[2], within)) {
                near++;
                CHECK_TEXT(is_listed(unsure, unsure_count, k), "%.9g %.9g %.9g", n[0], n[1], n[2]);
            }
        }
        listed += unsure_count;
        all += LAYER_BLOCK;
    }
    CHECK(near > 40 && listed < all / 100);
}

static void quick_normals_are_sure_only_far_from_steps(void)
{
    const struct layer_loops *loops = layer_loops_choose();
    if (loops->quick_normals) {
        check_unsure_normals(loops->quick_normals, 127, NORMAL_UNSURE_WITHIN);
        check_unsure_normals(loops->quick_wide_normals, 32767, WIDE_NORMAL_UNSURE_WITHIN);
    }
}

// The arithmetic of the quick loops (layer_quick_avx2.c, layer_wide_avx2.c) for one sample, with estimates of roots
// that are off by parts of themselves that the test chooses, of across and of the length.
static float narrow_root(float square, double off)
{
    float r = (float)((1 + off) / sqrt((double)square));
    return r * fmaf(-(square * r), 0.5f * r, 1.5f);
}

static void narrow_normal(float n[3], const struct normal_input *in, int k, const double off[2])
{
    float b = (float)in->dir[1][k], c = (float)in->dir[2][k], ga = (float)in->gradient[0][k];
    float gb = (float)in->gradient[1][k], gc = (float)in->gradient[2][k];
    float scale_x = (float)(-127 * in->sign[0]), scale_y = (float)(127 * in->sign[1] * in->sign[2]);
    float over_across = narrow_root(fmaf(b, b, c * c), off[0]);
    float tx = ga * over_across, ty = fmaf(b, gc, -(c * gb)) * over_across;
    float tz = (float)in->radius_m + (float)in->height_m[k];
    float over_length = narrow_root(fmaf(tx, tx, fmaf(ty, ty, tz * tz)), off[1]);
    n[0] = fmaf(tx, over_length * scale_x, 128);
    n[1] = fmaf(ty, over_length * scale_y, 128);
    n[2] = fmaf(tz, over_length * 127, 128);
}

static double wide_root(double square, double off)
{
    double r = (double)(float)((1 + off) / sqrt((double)(float)square)), left = 1 - square * r * r;
    return r + r * left * (0.5 + 0.375 * left);
}

static void wide_normal(double n[3], const struct normal_input *in, int k, const double off[2])
{
    double b = in->dir[1][k], c = in->dir[2][k], over_across = wide_root(b * b + c * c, off[0]);
    double tx = in->gradient[0][k] * over_across;
    double ty = (b * in->gradient[2][k] - c * in->gradient[1][k]) * over_across;
    double tz = in->radius_m + in->height_m[k], over_length = wide_root(tx * tx + ty * ty + tz * tz, off[1]);
    n[0] = tx * (over_length * -32767 * in->sign[0]) + 32768;
    n[1] = ty * (over_length * 32767 * in->sign[1] * in->sign[2]) + 32768;
    n[2] = tz * (over_length * 32767) + 32768;
}

// Other processors may estimate worse than this one does, up to 1.5 / 4096 (Intel's manual of RSQRTPS).
static void margins_of_normals_hold_for_the_worst_estimates_of_roots(void)
{
    double narrow_most = 0, wide_most = 0;
    for (int round = 0; round < 200; round++) {
        fill_run(round % 6);
        struct normal_input in = input_of(round % 6);
        in.radius_m = RADIUS_M * (1 + check_random_unit()); // which no float is
        for (int k = 0; k < COUNT; k++)
            height_m[k] = in.radius_m * (0.9 * check_random_unit() * check_random_unit() - 0.9);
        for (int k = 0; k < COUNT; k++) {
            double exact[3], exact_wide[3], wide[3];
            const double off[2] = {(k & 1 ? 1.5 : -1.5) / 4096, (k & 2 ? 1.5 : -1.5) / 4096};
            float narrow[3];
            exact_normal(exact, &in, k, 127);
            exact_normal(exact_wide, &in, k, 32767);
            narrow_normal(narrow, &in, k, off);
            wide_normal(wide, &in, k, off);
            for (int part = 0; part < 3; part++) {
                narrow_most = fmax(narrow_most, fabs((double)narrow[part] - 128 - exact[part]));
                wide_most = fmax(wide_most, fabs(wide[part] - 32768 - exact_wide[part]));
            }
        }
    }
    CHECK_TEXT(narrow_most < NORMAL_UNSURE_WITHIN / 2, "%.9g", narrow_most);
    CHECK_TEXT(wide_most < WIDE_NORMAL_UNSURE_WITHIN / 2, "%.9g", wide_most);
}

static void quick_colors_are_sure_only_far_from_steps(void)
{
    uint8_t slots[TILE_SLOT_BYTES * LAYER_BLOCK], unsure[LAYER_BLOCK];
    double light[LAYER_BLOCK] = {0};
    const double *const channels[3] = {light, light, light};
    const struct layer_loops *loops = layer_loops_choose();
    // A step begins at code k - 1/2; all the way from half the margin below to half of it above.
    for (int part = -8; loops->quick_colors && part <= 8; part++) {
        for (int k = 1; k < 256; k++)
            light[k] = srgb_decode((k - 0.5 + part * 0.99 * COLOR_UNSURE_WITHIN / 16) / 255);
        int unsure_count = loops->quick_colors(slots, unsure, LAYER_BLOCK, channels);
        for (int k = 1; k < 256; k++)
            CHECK_TEXT(is_listed(unsure, unsure_count, k), "code %d, %d sixteenths", k, part);
        CHECK(!is_listed(unsure, unsure_count, 0) && slots[0] == 0);
    }
    fill_run(0);
    const double *const random[3] = {red, green, blue};
    CHECK(!loops->quick_colors || loops->quick_colors(slots, unsure, LAYER_BLOCK, random) < LAYER_BLOCK / 20);
}

static void quick_heights_are_those_of_the_other_loop_as_far_as_they_go(void)
{
    const struct layer_loops *base = layer_loops_named("base"), *loops = layer_loops_choose();
    int all_done = 0;
    for (int round = 0; loops->quick_heights && round < 400; round++) {
        static const double special[] = {NAN, INFINITY, -INFINITY, -1e4, 1e300, -8388608};
        int32_t wanted[LAYER_BLOCK], got[LAYER_BLOCK];
        struct height_range ranges[2] = {{7, 7}, {7, 7}};
        int count = 1 + (int)check_random_below(LAYER_BLOCK);
        fill_run(0);
        if (round % 2)
            height_m[check_random_below((uint64_t)count)] = special[round / 2 % 6];
        int done = loops->quick_heights(got, count, height_m, 256, -9000, &ranges[1]);
        CHECK(done >= 0 && done <= count && (done == 0 || done > count - 8));
        CHECK(base->heights(wanted, done, height_m, 256, -9000, &ranges[0]));
        CHECK(memcmp(wanted, got, (size_t)done * sizeof *got) == 0);
        CHECK(memcmp(&ranges[0], &ranges[1], sizeof ranges[0]) == 0);
        all_done += round % 2 == 0 && done > count - 8;
    }
    CHECK(!loops->quick_heights || all_done == 200);
}

static void heights_go_down_to_the_least_integer(void)
{
    static int32_t heights[COUNT];
    struct height_range range = {INT32_MAX, INT32_MIN};
    fill_run(0);
    height_m[500] = -8388608;
    CHECK(layer_heights(heights, &run, 256, -1e7, &range));
    CHECK(heights[500] == INT32_MIN && range.least == INT32_MIN && range.greatest < 9000 * 256);
    height_m[500] = -8388608 - 0.003;
    CHECK(!layer_heights(heights, &run, 256, -1e7, &range));
}

static void what_cannot_be_stored_is_refused(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e200};
    static uint8_t slots[TILE_WIDE_SLOT_BYTES * COUNT];
    static int32_t heights[COUNT];
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        for (int at = 0; at < COUNT; at += 333) {
            for (int bits = 8; bits <= 16; bits += 8) {
                fill_run(1);
                gz[at] = bad[k];
                CHECK(!layer_normals(slots, &run, 1, RADIUS_M, bits));
                fill_run(1);
                height_m[at] = bad[k];
                CHECK(!layer_normals(slots, &run, 1, RADIUS_M, bits));
                CHECK(!layer_heights(heights, &run, 256, -1e4, &(struct height_range){0, 0}));
            }
            fill_run(1);
            green[at] = bad[k];
            CHECK(layer_colors(slots, &run, &table) == !isnan(bad[k]));
            CHECK(isnan(bad[k]) || slots[TILE_SLOT_BYTES * at + 1] == (bad[k] > 0 ? 255 : 0));
        }
    }
}

static void flat_land_is_exactly_flat(void)
{
    static uint8_t slots[TILE_SLOT_BYTES * COUNT];
    fill_run(2);
    memset(gx, 0, sizeof gx);
    memset(gy, 0, sizeof gy);
    memset(gz, 0, sizeof gz);
    CHECK(layer_normals(slots, &run, 2, RADIUS_M, 8));
    for (int k = 0; k < COUNT; k++)
        CHECK(slots[TILE_SLOT_BYTES * k] == 128 && slots[TILE_SLOT_BYTES * k + 1] == 128 &&
              slots[TILE_SLOT_BYTES * k + 2] == 255);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    srgb_prepare(&table);
    CHECK_RUN(every_width_computes_the_same_in_double);
    CHECK_RUN(normals_are_those_computed_in_double);
    CHECK_RUN(colors_are_those_of_the_table);
    CHECK_RUN(quick_normals_are_sure_only_far_from_steps);
    CHECK_RUN(margins_of_normals_hold_for_the_worst_estimates_of_roots);
    CHECK_RUN(quick_colors_are_sure_only_far_from_steps);
    CHECK_RUN(quick_heights_are_those_of_the_other_loop_as_far_as_they_go);
    CHECK_RUN(heights_go_down_to_the_least_integer);
    CHECK_RUN(what_cannot_be_stored_is_refused);
    CHECK_RUN(flat_land_is_exactly_flat);
    return CHECK_END;
}

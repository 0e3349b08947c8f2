// SPDX-License-Identifier: MIT
// Height curves and colour ramps: knots are met, curves are monotone and smooth, a ramp's colour is the mean over the
// footprint that integration by brute force finds.
#include "tests/kernel_block.h"

static const struct kernels *kernels;

static struct curve random_curve(bool rising)
{
    struct curve curve = {.count = 2 + (int)check_random_below(CURVE_KNOTS_MAX - 1)};
    double x = -3.0, y = 10.0;
    for (int k = 0; k < curve.count; k++) {
        curve.x[k] = x += random_between(0.01, 0.3);
        curve.y[k] = y += rising ? random_between(0.0, 2.0) * (double)check_random_below(3) : random_between(-1, 1);
    }
    curve_prepare(&curve);
    return curve;
}

// value[0] and slope[1] of the curve at up to PLANET_BLOCK places.
static void evaluate_curve(struct block *out, const struct curve *curve, const double *x, int count)
{
    static struct block in;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        in.row[0][i] = x[i < count ? i : count - 1];
        in.row[1][i] = 1.0;
        in.row[2][i] = in.row[3][i] = 0.0;
    }
    kernels->curve(block_field(out, true), block_field(&in, true), curve);
}

static void curves_go_through_their_knots_with_one_slope(void)
{
    for (int round = 0; round < 200; round++) {
        struct curve curve = random_curve(round & 1);
        static struct block at, before;
        double left[CURVE_KNOTS_MAX];
        for (int k = 0; k < curve.count; k++)
            left[k] = nextafter(curve.x[k], -INFINITY);
        evaluate_curve(&at, &curve, curve.x, curve.count);
        evaluate_curve(&before, &curve, left, curve.count);
        for (int k = 0; k < curve.count; k++) {
            CHECK_TEXT(at.row[0][k] == curve.y[k], "knot %d: %g for %g", k, at.row[0][k], curve.y[k]);
            CHECK_TEXT(fabs(before.row[0][k] - curve.y[k]) < 1e-11, "before knot %d", k);
            CHECK_TEXT(fabs(before.row[1][k] - at.row[1][k]) < 1e-9 * (1 + fabs(at.row[1][k])), "slope at knot %d", k);
        }
    }
}

static void rising_knots_give_curves_that_never_fall(void)
{
    for (int round = 0; round < 200; round++) {
        struct curve curve = random_curve(true);
        double first = curve.x[0] - 0.5, step = (curve.x[curve.count - 1] + 0.5 - first) / (20 * PLANET_BLOCK);
        double last = -INFINITY;
        for (int part = 0; part < 20; part++) {
            static struct block out;
            double x[PLANET_BLOCK];
            for (int i = 0; i < PLANET_BLOCK; i++)
                x[i] = first + step * (part * PLANET_BLOCK + i);
            evaluate_curve(&out, &curve, x, PLANET_BLOCK);
            for (int i = 0; i < PLANET_BLOCK; i++) {
                CHECK_TEXT(out.row[0][i] >= last - 1e-12, "falls at %g", x[i]);
                CHECK_TEXT(out.row[1][i] >= -1e-12, "slope %g at %g", out.row[1][i], x[i]);
                last = out.row[0][i];
            }
        }
    }
}

static void curves_stay_between_the_knots_on_both_sides(void)
{
    for (int round = 0; round < 200; round++) {
        struct curve curve = random_curve(false);
        static struct block out;
        double x[PLANET_BLOCK];
        int knot[PLANET_BLOCK];
        for (int i = 0; i < PLANET_BLOCK; i++) {
            int k = knot[i] = (int)check_random_below((uint64_t)curve.count - 1);
            x[i] = random_between(curve.x[k], curve.x[k + 1]);
        }
        evaluate_curve(&out, &curve, x, PLANET_BLOCK);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double left = curve.y[knot[i]], right = curve.y[knot[i] + 1];
            double low = left < right ? left : right, high = left < right ? right : left;
            CHECK_TEXT(out.row[0][i] >= low - 1e-12 && out.row[0][i] <= high + 1e-12, "%g between %g and %g",
                       out.row[0][i], low, high);
        }
    }
}

// A block in few pieces of the curve is evaluated in another way than one in many.
static void a_curve_is_the_same_whatever_else_is_in_the_block(void)
{
    enum { HALF = PLANET_BLOCK / 2 };
    for (int round = 0; round < 300; round++) {
        struct curve curve = random_curve(false);
        double low = curve.x[0] - 0.2, high = curve.x[curve.count - 1] + 0.2, x[PLANET_BLOCK];
        int knot = (int)check_random_below((uint32_t)curve.count);
        static struct block narrow, wide;
        for (int i = 0; i < HALF; i++) {
            x[i] = i == 0 ? NAN : i % 4 == 1 ? curve.x[knot] : curve.x[knot] + random_between(-0.2, 0.2);
            x[HALF + i] = random_between(low, high);
        }
        evaluate_curve(&narrow, &curve, x, HALF);
        evaluate_curve(&wide, &curve, x, PLANET_BLOCK);
        for (int row = 0; row < 4; row++)
            CHECK(memcmp(narrow.row[row], wide.row[row], HALF * sizeof(double)) == 0);
    }
}

static void curves_are_straight_beyond_their_ends(void)
{
    struct curve curve = {.count = 3, .x = {1.0, 2.0, 4.0}, .y = {0.0, 3.0, 4.0}};
    curve_prepare(&curve);
    static struct block out;
    evaluate_curve(&out, &curve, (double[]){-1e6, 0.0, 4.0, 6.0, 1e6}, 5);
    CHECK(out.row[0][0] == -3000003.0 && out.row[0][1] == -3.0 && out.row[1][0] == 3.0 && out.row[1][1] == 3.0);
    CHECK(out.row[0][2] == 4.0 && out.row[0][3] == 5.0 && out.row[0][4] == 500002.0 && out.row[1][4] == 0.5);
}

static void a_curve_of_nothing_is_nothing(void)
{
    struct curve curve = {.count = 2, .x = {0.0, 1.0}, .y = {5.0, 6.0}};
    curve_prepare(&curve);
    static struct block out;
    evaluate_curve(&out, &curve, (double[]){NAN, 0.5}, 2);
    CHECK(isnan(out.row[0][0]) && out.row[0][1] == 5.5);
}

// ---- Ramps ---------------------------------------------------------------------------------------------

// Colours at a[i] over footprints of width[i]: a gradient along y at places along x, spacing 2. Along x it is radial,
// which must not count.
static void evaluate_ramp_beside(struct block *out, const struct ramp *ramp, const double *a, const double *width,
                                 double radial)
{
    static struct block in, places;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        in.row[0][i] = a[i];
        in.row[1][i] = radial;
        in.row[2][i] = width ? 0.5 * width[i] : 0.0;
        in.row[3][i] = 0.0;
        places.row[0][i] = 1.0;
        places.row[1][i] = places.row[2][i] = 0.0;
    }
    double *const colors[3] = {out->row[0], out->row[1], out->row[2]};
    kernels->ramp(colors, block_field(&in, width != NULL), places.row[0], places.row[1], places.row[2], ramp, 2.0,
                  INFINITY);
}

static void evaluate_ramp(struct block *out, const struct ramp *ramp, const double *a, const double *width)
{
    evaluate_ramp_beside(out, ramp, a, width, 77.0);
}

// Piecewise linear, the later of equal knots at a jump, constant outside.
static double ramp_at(const struct ramp *ramp, const double *channel, double x)
{
    if (x < ramp->x[0])
        return channel[0];
    int k = 0;
    while (k + 1 < ramp->count && ramp->x[k + 1] <= x)
        k++;
    if (k + 1 == ramp->count)
        return channel[k];
    double t = (x - ramp->x[k]) / (ramp->x[k + 1] - ramp->x[k]);
    return channel[k] + t * (channel[k + 1] - channel[k]);
}

static void a_ramp_is_the_same_whatever_else_is_in_the_block(void)
{
    for (int round = 0; round < 60; round++) {
        struct ramp ramp = random_ramp(16);
        static struct block among, alone;
        double a[PLANET_BLOCK], width[PLANET_BLOCK], one[PLANET_BLOCK], one_width[PLANET_BLOCK];
        for (int i = 0; i < PLANET_BLOCK; i++) {
            a[i] = i % 8 == 1 ? ramp.x[i % ramp.count] : random_between(-4, 4);
            width[i] = i % 3 == 0 ? 0.0 : random_between(0, 1);
        }
        evaluate_ramp(&among, &ramp, a, width);
        for (int i = 0; i < PLANET_BLOCK; i += 5) {
            for (int k = 0; k < PLANET_BLOCK; k++) {
                one[k] = a[i];
                one_width[k] = width[i];
            }
            evaluate_ramp(&alone, &ramp, one, one_width);
            for (int c = 0; c < 3; c++)
                CHECK(memcmp(&among.row[c][i], &alone.row[c][0], sizeof(double)) == 0);
        }
    }
}

// Whether sample number of a block of such footprints has the colour that it has in a block of its own.
static bool is_as_alone(const struct ramp *ramp, const double *a, const double *width, int number)
{
    static struct block among, alone;
    double one[PLANET_BLOCK], one_width[PLANET_BLOCK];
    for (int k = 0; k < PLANET_BLOCK; k++) {
        one[k] = a[number];
        one_width[k] = width[number];
    }
    evaluate_ramp_beside(&among, ramp, a, width, 0.0);
    evaluate_ramp_beside(&alone, ramp, one, one_width, 77.0); // by way of all pieces, since this seems wide
    bool same = true;
    for (int c = 0; c < 3; c++)
        same = same && memcmp(&among.row[c][number], &alone.row[c][number], sizeof(double)) == 0;
    return same;
}

// All footprints are on one piece, but for one sample's, which ends before a knot, on it or beyond. The piece ends on
// both sides with a jump, so that going over by a little shows.
static void a_footprint_that_touches_a_knot_is_seen_among_others_that_do_not(void)
{
    struct ramp ramp = {.count = 4,
                        .x = {1.0, 1.0, 2.0, 2.0},
                        .red = {0.0, 0.2, 0.4, 1.0},
                        .green = {1.0, 0.3, 0.7, 0.1},
                        .blue = {0.9, 0.5, 0.4, 0.0}};
    static const double reaches[] = {0.4, 0.99, 0.9999, 1.0, 1.0001, 1.01, 1.3, 1.9};
    ramp_prepare(&ramp);
    for (int round = 0; round < 400; round++) {
        double a[PLANET_BLOCK], width[PLANET_BLOCK], knot = 1 + round % 2;
        int odd = (int)check_random_below(PLANET_BLOCK);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            a[i] = random_between(1.45, 1.55);
            width[i] = random_between(0.0, 0.01);
        }
        double away = random_between(0.001, 0.1);
        a[odd] = knot == 1 ? knot + away : knot - away;
        width[odd] = 2 * away * reaches[round % 8];
        CHECK_TEXT(is_as_alone(&ramp, a, width, odd), "%g from the knot, width %g", away, width[odd]);
        CHECK(is_as_alone(&ramp, a, width, (odd + 1) % PLANET_BLOCK));
    }
}

static void ramps_without_footprint_are_piecewise_linear(void)
{
    for (int round = 0; round < 200; round++) {
        struct ramp ramp = random_ramp(16);
        double a[PLANET_BLOCK], zero[PLANET_BLOCK] = {0};
        for (int i = 0; i < PLANET_BLOCK; i++)
            a[i] = i < ramp.count ? ramp.x[i] : random_between(ramp.x[0] - 0.5, ramp.x[ramp.count - 1] + 0.5);
        static struct block at_point, with_zero;
        evaluate_ramp(&at_point, &ramp, a, NULL);
        evaluate_ramp(&with_zero, &ramp, a, zero);
        const double *channels[3] = {ramp.red, ramp.green, ramp.blue};
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < PLANET_BLOCK; i++) {
                double expected = ramp_at(&ramp, channels[c], a[i]);
                CHECK_TEXT(fabs(at_point.row[c][i] - expected) < 1e-12, "%g for %g", at_point.row[c][i], expected);
                CHECK(at_point.row[c][i] == with_zero.row[c][i]);
            }
    }
}

static void ramps_are_the_mean_over_the_footprint(void)
{
    enum { STEPS = 2000 };
    for (int round = 0; round < 10; round++) {
        struct ramp ramp = random_ramp(16);
        double a[PLANET_BLOCK], width[PLANET_BLOCK];
        for (int i = 0; i < PLANET_BLOCK; i++) {
            a[i] = random_between(ramp.x[0] - 0.5, ramp.x[ramp.count - 1] + 0.5);
            width[i] = i & 1 ? random_between(0.0, 0.05) : random_between(0.0, 4.0);
        }
        static struct block out;
        evaluate_ramp(&out, &ramp, a, width);
        const double *channels[3] = {ramp.red, ramp.green, ramp.blue};
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < PLANET_BLOCK; i++) {
                double sum = 0;
                for (int k = 0; k < STEPS; k++)
                    sum += ramp_at(&ramp, channels[c], a[i] + width[i] * ((k + 0.5) / STEPS - 0.5));
                // A jump falls anywhere within one step, and there are at most 15.
                CHECK_TEXT(fabs(out.row[c][i] - sum / STEPS) < 16.0 / STEPS * 0.5, "%g for %g, width %g", out.row[c][i],
                           sum / STEPS, width[i]);
            }
    }
}

static void ramps_change_smoothly_with_the_footprint_down_to_nothing(void)
{
    // Halving the width moves the mean of a channel by at most its total variation in the footprint, and by less than
    // a tenth of the width where no jump is near; without cancellation down to the last bits of a.
    struct ramp ramp = {.count = 5,
                        .x = {-6000.0, 0.0, 0.0, 100.0, 9000.0},
                        .red = {0.0, 0.1, 0.9, 0.5, 1.0},
                        .green = {0.2, 0.2, 0.2, 0.2, 0.2},
                        .blue = {1.0, 0.0, 1.0, 0.0, 1.0}};
    ramp_prepare(&ramp);
    double a[PLANET_BLOCK], width[PLANET_BLOCK];
    for (int i = 0; i < PLANET_BLOCK; i++) {
        a[i] = i < 64 ? 100.0 : 0.0; // on a bend, on a jump
        width[i] = 4.0 * pow(0.5, i % 64);
    }
    static struct block out;
    evaluate_ramp(&out, &ramp, a, width);
    for (int i = 0; i < 64; i++) {
        CHECK_TEXT(fabs(out.row[0][i] - 0.5) <= 0.002 * width[i] + 1e-15, "red %a", out.row[0][i]);
        CHECK_TEXT(fabs(out.row[1][i] - 0.2) <= 1e-15, "green %a", out.row[1][i]);
        // Half the footprint at 0.1 and half at 0.9, as long as there is a footprint.
        CHECK_TEXT(fabs(out.row[0][64 + i] - 0.5) <= 0.002 * width[i] + 1e-15, "jump %a", out.row[0][64 + i]);
    }
}

static void a_narrow_footprint_crosses_a_jump_linearly(void)
{
    struct ramp ramp = {.count = 4, .x = {-10.0, 5.0, 5.0, 10.0}, .red = {0.25, 0.25, 0.75, 0.75}};
    ramp_prepare(&ramp);
    double a[PLANET_BLOCK], width[PLANET_BLOCK];
    for (int i = 0; i < PLANET_BLOCK; i++) {
        width[i] = 0x1p-30;
        a[i] = 5.0 + width[i] * (i - 64) / 64.0;
    }
    static struct block out;
    evaluate_ramp(&out, &ramp, a, width);
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double share = 0.5 + (i - 64) / 64.0;
        share = share < 0 ? 0 : share > 1 ? 1 : share;
        CHECK_TEXT(fabs(out.row[0][i] - (0.25 + 0.5 * share)) < 1e-12, "sample %d: %g", i, out.row[0][i]);
    }
}

static void ramps_stay_within_their_colours_for_any_input(void)
{
    const double odd[] = {INFINITY, -INFINITY, NAN, 1e308, -1e308, 0.0, 0x1p-1074};
    for (int round = 0; round < 100; round++) {
        struct ramp ramp = random_ramp(16);
        double low = 1, high = 0;
        for (int k = 0; k < ramp.count; k++) {
            low = ramp.red[k] < low ? ramp.red[k] : low;
            high = ramp.red[k] > high ? ramp.red[k] : high;
        }
        double a[PLANET_BLOCK], width[PLANET_BLOCK];
        for (int i = 0; i < PLANET_BLOCK; i++) {
            a[i] = check_random_below(2) ? odd[check_random_below(7)] : random_between(-3, 3);
            width[i] = check_random_below(2) ? odd[check_random_below(7)] : exp(random_between(-40, 40));
        }
        static struct block out;
        evaluate_ramp(&out, &ramp, a, width);
        for (int i = 0; i < PLANET_BLOCK; i++)
            CHECK_TEXT(out.row[0][i] >= low - 1e-9 && out.row[0][i] <= high + 1e-9, "%g of %g, width %g", out.row[0][i],
                       a[i], width[i]);
    }
}

static void colours_mix_by_a_clamped_share_and_scale(void)
{
    static struct block a, b, out, share;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        for (int c = 0; c < 3; c++)
            a.row[c][i] = 0.25 * c, b.row[c][i] = 1.0 - 0.25 * c;
        share.row[0][i] = i % 5 * 0.5 - 0.5;
    }
    double *const pa[3] = {a.row[0], a.row[1], a.row[2]}, *const pb[3] = {b.row[0], b.row[1], b.row[2]};
    double *const po[3] = {out.row[0], out.row[1], out.row[2]};
    kernels->color_mix(po, pa, pb, share.row[0]);
    const double expected[5] = {0, 0, 0.5, 1, 1};
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < PLANET_BLOCK; i++)
            CHECK(out.row[c][i] == 0.25 * c + expected[i % 5] * (1.0 - 0.5 * c));
    kernels->color_scale(pa, pa, share.row[0]);
    for (int i = 0; i < PLANET_BLOCK; i++)
        CHECK(a.row[2][i] == 0.5 * share.row[0][i]);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    kernels = kernels_choose();
    CHECK_RUN(curves_go_through_their_knots_with_one_slope);
    CHECK_RUN(rising_knots_give_curves_that_never_fall);
    CHECK_RUN(curves_stay_between_the_knots_on_both_sides);
    CHECK_RUN(a_curve_is_the_same_whatever_else_is_in_the_block);
    CHECK_RUN(curves_are_straight_beyond_their_ends);
    CHECK_RUN(a_curve_of_nothing_is_nothing);
    CHECK_RUN(a_ramp_is_the_same_whatever_else_is_in_the_block);
    CHECK_RUN(a_footprint_that_touches_a_knot_is_seen_among_others_that_do_not);
    CHECK_RUN(ramps_without_footprint_are_piecewise_linear);
    CHECK_RUN(ramps_are_the_mean_over_the_footprint);
    CHECK_RUN(ramps_change_smoothly_with_the_footprint_down_to_nothing);
    CHECK_RUN(a_narrow_footprint_crosses_a_jump_linearly);
    CHECK_RUN(ramps_stay_within_their_colours_for_any_input);
    CHECK_RUN(colours_mix_by_a_clamped_share_and_scale);
    return CHECK_END;
}

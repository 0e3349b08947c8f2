// SPDX-License-Identifier: MIT
// Arithmetic on fields: every gradient against differences of the kernel's own value, and what the header promises at
// the edges of each function.
#include "common/stable_math.h"
#include "tests/kernel_block.h"

static const struct kernels *kernels;

// One way to use a kernel, as a function of the position: the inputs are polynomials a, b, t of it.
struct use {
    const char *name;
    void (*call)(struct field out, struct field a, struct field b, struct field t);
    double kink_share_max; // samples whose difference quotient crosses a kink
};

static struct curve curve;

static void call_affine(struct field out, struct field a, struct field b, struct field t)
{
    (void)b, (void)t;
    kernels->affine(out, a, -2.5, 0.75);
}

static void call_add(struct field out, struct field a, struct field b, struct field t)
{
    (void)t;
    kernels->add(out, a, b);
}

static void call_subtract(struct field out, struct field a, struct field b, struct field t)
{
    (void)t;
    kernels->subtract(out, a, b);
}

static void call_multiply(struct field out, struct field a, struct field b, struct field t)
{
    (void)t;
    kernels->multiply(out, a, b);
}

// Divides by b^2 + 1/2.
static void call_divide(struct field out, struct field a, struct field b, struct field t)
{
    kernels->multiply(t, b, b);
    kernels->affine(t, t, 1.0, 0.5);
    kernels->divide(out, a, t);
}

static void call_minimum(struct field out, struct field a, struct field b, struct field t)
{
    (void)t;
    kernels->minimum(out, a, b);
}

static void call_maximum(struct field out, struct field a, struct field b, struct field t)
{
    (void)t;
    kernels->maximum(out, a, b);
}

static void call_absolute(struct field out, struct field a, struct field b, struct field t)
{
    (void)b, (void)t;
    kernels->absolute(out, a);
}

// Of a^2 + 1/4.
static void call_square_root(struct field out, struct field a, struct field b, struct field t)
{
    (void)b;
    kernels->multiply(t, a, a);
    kernels->affine(t, t, 1.0, 0.25);
    kernels->square_root(out, t);
}

static void call_clamp(struct field out, struct field a, struct field b, struct field t)
{
    (void)b, (void)t;
    kernels->clamp(out, a, -0.5, 0.5);
}

static void call_smoothstep_up(struct field out, struct field a, struct field b, struct field t)
{
    (void)b, (void)t;
    kernels->smoothstep(out, a, -0.75, 0.5);
}

static void call_smoothstep_down(struct field out, struct field a, struct field b, struct field t)
{
    (void)b, (void)t;
    kernels->smoothstep(out, a, 0.5, -0.75);
}

static void call_mix(struct field out, struct field a, struct field b, struct field t)
{
    kernels->mix(out, a, b, t);
}

static void call_exponential(struct field out, struct field a, struct field b, struct field t)
{
    (void)b, (void)t;
    kernels->exponential(out, a);
}

// Of a^2 + 1/4.
static void call_power_below_1(struct field out, struct field a, struct field b, struct field t)
{
    (void)b;
    kernels->multiply(t, a, a);
    kernels->affine(t, t, 1.0, 0.25);
    kernels->power(out, t, 0.3);
}

static void call_power_above_1(struct field out, struct field a, struct field b, struct field t)
{
    (void)b, (void)t;
    kernels->power(out, a, 2.5);
}

// Over more than a turn.
static void call_sine(struct field out, struct field a, struct field b, struct field t)
{
    (void)b;
    kernels->affine(t, a, 200.0, 30.0);
    kernels->sine(out, t);
    kernels->affine(out, out, 0.1, 0.0);
}

static void call_cosine(struct field out, struct field a, struct field b, struct field t)
{
    (void)b;
    kernels->affine(t, a, -200.0, 30.0);
    kernels->cosine(out, t);
    kernels->affine(out, out, 0.1, 0.0);
}

static void call_curve(struct field out, struct field a, struct field b, struct field t)
{
    (void)b, (void)t;
    kernels->curve(out, a, &curve);
}

static const struct use uses[] = {
    {"affine", call_affine, 0},
    {"add", call_add, 0},
    {"subtract", call_subtract, 0},
    {"multiply", call_multiply, 0},
    {"divide", call_divide, 0},
    {"minimum", call_minimum, 0.001},
    {"maximum", call_maximum, 0.001},
    {"absolute", call_absolute, 0.001},
    {"square_root", call_square_root, 0},
    {"clamp", call_clamp, 0.001},
    {"smoothstep up", call_smoothstep_up, 0.001},
    {"smoothstep down", call_smoothstep_down, 0.001},
    {"mix", call_mix, 0},
    {"exponential", call_exponential, 0},
    {"power below 1", call_power_below_1, 0},
    {"power above 1", call_power_above_1, 0.001},
    {"sine", call_sine, 0},
    {"cosine", call_cosine, 0},
    {"curve", call_curve, 0.001},
};
#define USE_COUNT (sizeof uses / sizeof *uses)

static void evaluate(const struct use *use, struct block *out, const struct polynomial inputs[3],
                     const struct block *places, bool gradient)
{
    static struct block block[3];
    struct field field[3];
    for (int k = 0; k < 3; k++) {
        field[k] = block_field(&block[k], gradient);
        polynomial_field(field[k], &inputs[k], places);
    }
    use->call(block_field(out, gradient), field[0], field[1], field[2]);
}

// Samples whose slope does not agree with the difference quotient over 2 * 10^-6.
static int gradient_misses(const struct use *use, const struct polynomial inputs[3], const struct block *places)
{
    const double step = 1e-6;
    static struct block exact, up, down, moved;
    evaluate(use, &exact, inputs, places, true);
    int misses = 0;
    for (int k = 0; k < 3; k++) {
        moved = *places;
        for (int i = 0; i < PLANET_BLOCK; i++)
            moved.row[k][i] = places->row[k][i] + step;
        evaluate(use, &up, inputs, &moved, false);
        for (int i = 0; i < PLANET_BLOCK; i++)
            moved.row[k][i] = places->row[k][i] - step;
        evaluate(use, &down, inputs, &moved, false);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double quotient = (up.row[0][i] - down.row[0][i]) / (2 * step), slope = exact.row[1 + k][i];
            misses += !(fabs(quotient - slope) <= 1e-7 * (1 + fabs(slope)));
        }
    }
    return misses;
}

static void gradients_are_those_of_the_values(void)
{
    enum { ROUNDS = 100 };
    for (size_t u = 0; u < USE_COUNT; u++) {
        int misses = 0;
        for (int round = 0; round < ROUNDS; round++) {
            static struct block places;
            random_directions(&places);
            struct polynomial inputs[3] = {random_polynomial(), random_polynomial(), random_polynomial()};
            misses += gradient_misses(&uses[u], inputs, &places);
        }
        CHECK_TEXT(misses <= uses[u].kink_share_max * ROUNDS * 3 * PLANET_BLOCK, "%s: %d wrong", uses[u].name, misses);
    }
}

static void values_do_not_depend_on_whether_the_gradient_is_wanted(void)
{
    static struct block places, with, without;
    random_directions(&places);
    struct polynomial inputs[3] = {random_polynomial(), random_polynomial(), random_polynomial()};
    for (size_t u = 0; u < USE_COUNT; u++) {
        evaluate(&uses[u], &with, inputs, &places, true);
        for (int k = 1; k < 4; k++)
            for (int i = 0; i < PLANET_BLOCK; i++)
                without.row[k][i] = 7.0;
        evaluate(&uses[u], &without, inputs, &places, false);
        CHECK_TEXT(memcmp(with.row[0], without.row[0], sizeof with.row[0]) == 0, "%s", uses[u].name);
        for (int k = 1; k < 4; k++)
            for (int i = 0; i < PLANET_BLOCK; i++)
                CHECK_TEXT(without.row[k][i] == 7.0, "%s wrote a gradient", uses[u].name);
    }
}

static void out_may_be_any_of_the_inputs(void)
{
    static struct block places, inputs[3], used[3], apart;
    random_directions(&places);
    for (int k = 0; k < 3; k++) {
        struct polynomial polynomial = random_polynomial();
        polynomial_field(block_field(&inputs[k], true), &polynomial, &places);
    }
    for (size_t u = 0; u < USE_COUNT; u++) {
        // Those that use t as scratch cannot have it as their output.
        bool scratch = uses[u].call == call_divide || uses[u].call == call_square_root ||
                       uses[u].call == call_power_below_1 || uses[u].call == call_sine || uses[u].call == call_cosine;
        for (int in = 0; in < (scratch ? 2 : 3); in++) {
            memcpy(used, inputs, sizeof used);
            uses[u].call(block_field(&apart, true), block_field(&used[0], true), block_field(&used[1], true),
                         block_field(&used[2], true));
            memcpy(used, inputs, sizeof used);
            uses[u].call(block_field(&used[in], true), block_field(&used[0], true), block_field(&used[1], true),
                         block_field(&used[2], true));
            CHECK_TEXT(memcmp(&used[in], &apart, sizeof apart) == 0, "%s into input %d", uses[u].name, in);
        }
    }
}

static void out_may_be_divisor_or_both_factors(void)
{
    static struct block places, a, b, apart;
    random_directions(&places);
    struct polynomial pa = random_polynomial(), pb = random_polynomial();
    polynomial_field(block_field(&a, true), &pa, &places);
    polynomial_field(block_field(&b, true), &pb, &places);
    struct field fa = block_field(&a, true), fb = block_field(&b, true), out = block_field(&apart, true);
    kernels->divide(out, fa, fb);
    kernels->divide(fb, fa, fb);
    CHECK(memcmp(&apart, &b, sizeof apart) == 0);
    kernels->multiply(out, fa, fa);
    kernels->multiply(fa, fa, fa);
    CHECK(memcmp(&apart, &a, sizeof apart) == 0);
}

// A field with these values and gradient (1, 2, 3).
static struct field given(struct block *block, const double *values, int count)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        block->row[0][i] = values[i % count];
        for (int k = 1; k < 4; k++)
            block->row[k][i] = k;
    }
    return block_field(block, true);
}

static bool is_plus_zero(double x)
{
    return x == 0.0 && !signbit(x);
}

// Also nothing times infinity and what is not a number, on either side, in value and gradient.
static void nothing_times_anything_is_nothing(void)
{
    static struct block nothing, anything, out;
    const double values[] = {INFINITY, -INFINITY, NAN, -1.0, -0.0, 1e300};
    const double zeros[] = {0.0, -0.0};
    for (int side = 0; side < 2; side++) {
        struct field b = given(&anything, values, 6), a = given(&nothing, zeros, 2), result = block_field(&out, true);
        for (int k = 1; k < 4; k++)
            memcpy(anything.row[k], anything.row[0], sizeof anything.row[k]);
        for (int k = 1; k < 4; k++)
            memcpy(nothing.row[k], nothing.row[0], sizeof nothing.row[k]);
        kernels->multiply(result, side ? b : a, side ? a : b);
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < PLANET_BLOCK; i++)
                CHECK(is_plus_zero(out.row[k][i]));
        kernels->affine(result, b, side ? -0.0 : 0.0, -3.5);
        for (int i = 0; i < PLANET_BLOCK; i++)
            CHECK(out.row[0][i] == -3.5 && is_plus_zero(out.row[1][i]) && is_plus_zero(out.row[3][i]));
        double *const color[3] = {anything.row[0], anything.row[1], anything.row[2]};
        double *const scaled[3] = {out.row[0], out.row[1], out.row[2]};
        kernels->color_scale(scaled, color, nothing.row[0]);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < PLANET_BLOCK; i++)
                CHECK(is_plus_zero(out.row[k][i]));
    }
}

static void a_zero_with_a_slope_lets_the_other_factor_through(void)
{
    static struct block zero, five, out;
    struct field a = given(&zero, (double[]){0.0}, 1), b = given(&five, (double[]){5.0}, 1);
    kernels->multiply(block_field(&out, true), a, b);
    CHECK(out.row[0][0] == 0.0 && out.row[1][0] == 5.0 && out.row[2][0] == 10.0 && out.row[3][0] == 15.0);
    kernels->mix(block_field(&out, true), a, b, a);
    CHECK(out.row[0][0] == 0.0 && out.row[1][0] == 1.0 + 5.0 && out.row[3][0] == 3.0 + 15.0);
}

// Whatever the other is; values that a + 1 (b - a) would round.
static void a_mix_is_exactly_one_of_both_at_its_ends(void)
{
    static struct block a, b, t, out;
    const double values[] = {0.1, -1e17, NAN, INFINITY, 3e-9, -7.25}, others[] = {1e20, 0.3, 5.0, -INFINITY, 0.7, NAN};
    struct field low = given(&a, values, 6), high = given(&b, others, 6), result = block_field(&out, true);
    double *const colors[2][3] = {{a.row[0], a.row[1], a.row[2]}, {b.row[0], b.row[1], b.row[2]}};
    double *const mixed[3] = {out.row[0], out.row[1], out.row[2]};
    for (int k = 1; k < 4; k++) {
        memcpy(a.row[k], a.row[0], sizeof a.row[k]);
        memcpy(b.row[k], b.row[0], sizeof b.row[k]);
    }
    for (int end = 0; end < 2; end++) {
        const struct block *taken = end ? &b : &a;
        kernels->fill(block_field(&t, true), end);
        kernels->mix(result, low, high, block_field(&t, true));
        CHECK(memcmp(&out, taken, sizeof out) == 0);
        kernels->fill(block_field(&t, true), end ? 1.5 : -2.5);
        kernels->color_mix(mixed, colors[0], colors[1], t.row[0]);
        CHECK(memcmp(&out, taken, 3 * sizeof out.row[0]) == 0);
    }
    kernels->fill(block_field(&t, true), NAN);
    kernels->color_mix(mixed, colors[0], colors[1], t.row[0]);
    CHECK(memcmp(&out, &a, 3 * sizeof out.row[0]) == 0);
}

static void fill_has_no_gradient(void)
{
    static struct block out;
    given(&out, (double[]){3.0}, 1);
    kernels->fill(block_field(&out, true), -4.5);
    for (int i = 0; i < PLANET_BLOCK; i++)
        CHECK(out.row[0][i] == -4.5 && out.row[1][i] == 0 && out.row[2][i] == 0 && out.row[3][i] == 0);
}

static void square_root_is_flat_zero_up_to_zero(void)
{
    static struct block in, out;
    const double values[] = {-4.0, -0.0, 0.0, 4.0, 0x1p-1074};
    kernels->square_root(block_field(&out, true), given(&in, values, 5));
    for (int i = 0; i < 3; i++)
        CHECK_TEXT(out.row[0][i] == 0.0 && out.row[1][i] == 0.0 && out.row[3][i] == 0.0, "of %g", values[i]);
    CHECK(out.row[0][3] == 2.0 && out.row[1][3] == 0.25 && out.row[2][3] == 0.5);
    CHECK(out.row[0][4] > 0.0 && out.row[1][4] > 1e100);
}

static void minimum_and_maximum_take_the_first_where_equal(void)
{
    static struct block a, b, out;
    struct field fa = given(&a, (double[]){1.0, 2.0, 5.0}, 3), fb = given(&b, (double[]){1.0, 3.0, 4.0}, 3);
    for (int i = 0; i < PLANET_BLOCK; i++)
        b.row[1][i] = 10.0;
    kernels->minimum(block_field(&out, true), fa, fb);
    CHECK(out.row[0][0] == 1.0 && out.row[1][0] == 1.0);
    CHECK(out.row[0][1] == 2.0 && out.row[1][1] == 1.0);
    CHECK(out.row[0][2] == 4.0 && out.row[1][2] == 10.0);
    kernels->maximum(block_field(&out, true), fa, fb);
    CHECK(out.row[0][0] == 1.0 && out.row[1][0] == 1.0);
    CHECK(out.row[0][1] == 3.0 && out.row[1][1] == 10.0);
    CHECK(out.row[0][2] == 5.0 && out.row[1][2] == 1.0);
}

static void what_is_cut_off_has_no_gradient_whatever_came_in(void)
{
    static struct block in, out;
    struct field a = given(&in, (double[]){-2.0, 0.25, 2.0}, 3);
    for (int i = 0; i < PLANET_BLOCK; i++)
        if (i % 3 != 1)
            in.row[1][i] = INFINITY, in.row[2][i] = NAN;
    kernels->clamp(block_field(&out, true), a, 0.0, 1.0);
    for (int i = 0; i < PLANET_BLOCK; i++) {
        bool inside = i % 3 == 1;
        CHECK(out.row[0][i] == (inside ? 0.25 : i % 3 ? 1.0 : 0.0));
        CHECK(out.row[1][i] == (inside ? 1.0 : 0.0) && out.row[2][i] == (inside ? 2.0 : 0.0));
    }
    kernels->smoothstep(block_field(&out, true), a, 0.0, 1.0);
    for (int i = 0; i < PLANET_BLOCK; i++)
        CHECK(i % 3 == 1 ? out.row[1][i] > 1.0 : out.row[1][i] == 0.0 && out.row[2][i] == 0.0);
}

static void exponential_is_stable_exp_to_the_bit(void)
{
    static struct block in, out;
    const double special[] = {0.0, -0.0, 700.0, 700.5, -700.0, -699.9999, INFINITY, -INFINITY, NAN, 1e-300, 0.34657359};
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < PLANET_BLOCK; i++)
            in.row[0][i] = i < 11 ? special[i] : random_between(-750, 750) * (round & 1 ? 1 : 0.01);
        kernels->exponential(block_field(&out, false), block_field(&in, false));
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double expected = stable_exp(in.row[0][i]);
            CHECK_TEXT(memcmp(&out.row[0][i], &expected, sizeof expected) == 0, "exp(%a)", in.row[0][i]);
        }
    }
}

static void power_is_stable_pow_to_the_bit(void)
{
    static struct block in, out;
    const double special[] = {0.0, -0.0, -3.0, 1.0, 1e300, 1e-300, 0x1p-1074, 0x1p-1022, 2.0, 1.4142135623730951};
    for (int round = 0; round < 200; round++) {
        double exponent = round == 0 ? 1.0 : round == 1 ? 1000.0 : random_between(0.001, 5.0);
        for (int i = 0; i < PLANET_BLOCK; i++)
            in.row[0][i] = i < 10 ? special[i] : exp(random_between(-5, 5) * (round & 1 ? 100 : 1));
        kernels->power(block_field(&out, false), block_field(&in, false), exponent);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double expected = stable_pow(in.row[0][i], exponent);
            CHECK_TEXT(memcmp(&out.row[0][i], &expected, sizeof expected) == 0, "%a^%a", in.row[0][i], exponent);
        }
    }
}

static void power_is_flat_zero_up_to_zero_and_flat_where_it_ends(void)
{
    static struct block in, out;
    const double values[] = {-2.0, 0.0, NAN, 4.0, INFINITY, 1e300};
    kernels->power(block_field(&out, true), given(&in, values, 6), 1.5);
    for (int i = 0; i < 3; i++)
        CHECK_TEXT(out.row[0][i] == 0.0 && out.row[1][i] == 0.0 && out.row[3][i] == 0.0, "of %g", values[i]);
    CHECK(fabs(out.row[0][3] - 8.0) < 1e-14 && fabs(out.row[1][3] - 3.0) < 1e-14 && fabs(out.row[2][3] - 6.0) < 1e-14);
    CHECK(out.row[0][4] == INFINITY && out.row[1][4] == 0.0);
    kernels->power(block_field(&out, true), given(&in, values, 6), 3.0);
    CHECK(out.row[0][5] == stable_exp(700.0) && out.row[1][5] == 0.0); // the end of exp
}

static void sine_and_cosine_are_stable_sincos_deg_to_the_bit(void)
{
    static struct block in, sine, cosine;
    const double special[] = {0.0, -0.0, 90.0, -90.0, 180.0, 270.0, 360.0, -450.0, 45.0, 1e9, -1e9, 135.0, 1e-300};
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < PLANET_BLOCK; i++)
            in.row[0][i] = i < 13 ? special[i] : random_between(-1, 1) * (round & 1 ? 1e9 : 720);
        kernels->sine(block_field(&sine, false), block_field(&in, false));
        kernels->cosine(block_field(&cosine, false), block_field(&in, false));
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double s, c;
            stable_sincos_deg(in.row[0][i], &s, &c);
            CHECK_TEXT(memcmp(&sine.row[0][i], &s, sizeof s) == 0, "sin(%a)", in.row[0][i]);
            CHECK_TEXT(memcmp(&cosine.row[0][i], &c, sizeof c) == 0, "cos(%a)", in.row[0][i]);
        }
    }
}

static void sine_ends_at_a_thousand_million_degrees(void)
{
    static struct block in, out;
    const double values[] = {1e12, -1e300, INFINITY, -INFINITY, NAN};
    kernels->sine(block_field(&out, true), given(&in, values, 5));
    double s, c;
    stable_sincos_deg(1e9, &s, &c);
    CHECK(out.row[0][0] == s && out.row[0][1] == -s && out.row[1][0] == 0.0 && out.row[1][1] == 0.0);
    for (int i = 2; i < 5; i++)
        CHECK(isnan(out.row[0][i]));
}

static void steepness_and_above_see_only_the_tangential_gradient(void)
{
    static struct block places, in, out;
    random_directions(&places);
    struct field a = block_field(&in, true);
    for (int i = 0; i < PLANET_BLOCK; i++) {
        // 0.75 across x and up, and 100 along the direction.
        double x = places.row[0][i], y = places.row[1][i], z = places.row[2][i], across = hypot(y, z) + 1e-30;
        a.v[i] = 0.1;
        a.gx[i] = 100 * x;
        a.gy[i] = 100 * y + 0.75 * z / across;
        a.gz[i] = 100 * z - 0.75 * y / across;
    }
    const double *x = places.row[0], *y = places.row[1], *z = places.row[2];
    kernels->steepness(block_field(&out, false), a, x, y, z);
    for (int i = 0; i < PLANET_BLOCK; i++)
        CHECK_TEXT(fabs(out.row[0][i] - 0.75) < 1e-12, "%g", out.row[0][i]);
    kernels->above(block_field(&out, false), a, x, y, z, 0.0, 0.01, 0.5, INFINITY); // 0.5 + 0.1 / (0.75 * 0.5)
    for (int i = 0; i < PLANET_BLOCK; i++)
        CHECK_TEXT(fabs(out.row[0][i] - (0.5 + 0.1 / 0.375)) < 1e-12, "%g", out.row[0][i]);
    kernels->above(block_field(&out, false), a, x, y, z, 0.2, 0.4, 1e-9, INFINITY); // the least width
    for (int i = 0; i < PLANET_BLOCK; i++)
        CHECK_TEXT(fabs(out.row[0][i] - 0.25) < 1e-12, "%g", out.row[0][i]);
    kernels->above(block_field(&out, false), a, x, y, z, -5.0, 0.4, 0.5, INFINITY);
    CHECK(out.row[0][0] == 1.0);
    kernels->above(block_field(&out, false), a, x, y, z, 5.0, 0.4, 0.5, INFINITY);
    CHECK(out.row[0][0] == 0.0);
}

static void above_a_flat_field_without_width_is_0_or_1(void)
{
    static struct block places, in, out;
    random_directions(&places);
    struct field a = block_field(&in, true);
    for (int i = 0; i < PLANET_BLOCK; i++) {
        a.v[i] = 0.1 * (i % 3 - 1);
        a.gx[i] = a.gy[i] = a.gz[i] = 0;
    }
    kernels->above(block_field(&out, false), a, places.row[0], places.row[1], places.row[2], 0.0, 0.0, 0.5, INFINITY);
    for (int i = 0; i < PLANET_BLOCK; i++)
        CHECK(out.row[0][i] == (i % 3 > 0 ? 1.0 : 0.0)); // at the threshold itself: above
}

static void unknown_variants_are_refused(void)
{
    CHECK(kernels_named("base") != NULL && kernels_named("sse9") == NULL && kernels_named("") == NULL);
    CHECK(kernels_choose() == kernels_named(kernels_choose()->name));
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    kernels = kernels_choose();
    curve = (struct curve){.count = 5, .x = {-1.0, -0.4, 0.1, 0.3, 1.2}, .y = {-2.0, 0.0, 0.5, 0.4, 3.0}};
    curve_prepare(&curve);
    CHECK_RUN(gradients_are_those_of_the_values);
    CHECK_RUN(values_do_not_depend_on_whether_the_gradient_is_wanted);
    CHECK_RUN(out_may_be_any_of_the_inputs);
    CHECK_RUN(out_may_be_divisor_or_both_factors);
    CHECK_RUN(nothing_times_anything_is_nothing);
    CHECK_RUN(a_zero_with_a_slope_lets_the_other_factor_through);
    CHECK_RUN(a_mix_is_exactly_one_of_both_at_its_ends);
    CHECK_RUN(fill_has_no_gradient);
    CHECK_RUN(square_root_is_flat_zero_up_to_zero);
    CHECK_RUN(minimum_and_maximum_take_the_first_where_equal);
    CHECK_RUN(what_is_cut_off_has_no_gradient_whatever_came_in);
    CHECK_RUN(exponential_is_stable_exp_to_the_bit);
    CHECK_RUN(power_is_stable_pow_to_the_bit);
    CHECK_RUN(power_is_flat_zero_up_to_zero_and_flat_where_it_ends);
    CHECK_RUN(sine_and_cosine_are_stable_sincos_deg_to_the_bit);
    CHECK_RUN(sine_ends_at_a_thousand_million_degrees);
    CHECK_RUN(steepness_and_above_see_only_the_tangential_gradient);
    CHECK_RUN(above_a_flat_field_without_width_is_0_or_1);
    CHECK_RUN(unknown_variants_are_refused);
    return CHECK_END;
}

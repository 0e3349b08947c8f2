// SPDX-License-Identifier: MIT
// What planets compute: values, gradients, colours, band limit, seeds, and the same bits everywhere.
#include <math.h>
#include <unistd.h>

#include "bake/planet/kernels.h"
#include "common/byteorder.h"
#include "common/srgb.h"
#include "common/tile_grid.h"
#include "formats/sha256.h"
#include "tests/plain_png.h"
#include "tests/planet_help.h"

#define RADIUS_M 6371000.0
#define FINE_M 100.0

static const struct double3 some_dir = {0.36, 0.48, 0.8};

static void plain_is_its_formula(void)
{
    struct planet *planet = load_text(builtin_planets[1].text);
    CHECK(strcmp(planet_name(planet), "plain") == 0);
    for (int i = 0; i < 2000; i++) {
        struct double3 d = random_dir(), gradient;
        double x = d.x, y = d.y, z = d.z;
        double height = 900 * x - 600 * z + 2400 * x * y + 1500 * (y * z - z * x) + 1800 * x * y * z + 300;
        gradient.x = 900 + 2400 * y - 1500 * z + 1800 * y * z;
        gradient.y = 2400 * x + 1500 * z + 1800 * z * x;
        gradient.z = -600 + 1500 * (y - x) + 1800 * x * y;
        struct double3 across = double3_sub(gradient, double3_scale(d, double3_dot(gradient, d)));
        struct sampled sampled;
        sample_dirs(&sampled, planet, &d, 1, FINE_M, PLANET_WANT_GRADIENT);
        CHECK(fabs(sampled.height[0] - height) < 1e-11);
        CHECK(fabs(sampled.gx[0] - across.x) < 1e-10 && fabs(sampled.gy[0] - across.y) < 1e-10 &&
              fabs(sampled.gz[0] - across.z) < 1e-10);
    }
    planet_free(planet);
}

static double height_of(const char *text, struct double3 dir)
{
    struct planet *planet = load_text(text);
    double height = planet ? height_at(planet, dir, FINE_M) : NAN;
    planet_free(planet);
    return height;
}

static void functions_give_their_values(void)
{
    double x = some_dir.x, y = some_dir.y, z = some_dir.z;
    CHECK(height_of("height = x", some_dir) == x);
    CHECK(height_of("height = 3 * x - y / 4 + 1", some_dir) == (3 * x + -(y * 0.25)) + 1);
    CHECK(fabs(height_of("height = x * y / z", some_dir) - x * y / z) < 1e-15);
    CHECK(fabs(height_of("height = 1 / x - 2", some_dir) - (1 / x - 2)) < 1e-15);
    CHECK(height_of("height = 1 - x", some_dir) == 1 - x && height_of("height = -x", some_dir) == -x);
    CHECK(height_of("height = min(x, y)", some_dir) == x && height_of("height = max(x, y)", some_dir) == y);
    CHECK(height_of("height = abs(-x)", some_dir) == x);
    CHECK(fabs(height_of("height = sqrt(x)", some_dir) - 0.6) < 1e-16);
    CHECK(fabs(height_of("height = exp(z)", some_dir) - exp(0.8)) < 1e-15);
    CHECK(height_of("height = clamp(x, 0.4, 0.5)", some_dir) == 0.4);
    CHECK(fabs(height_of("height = smoothstep(0.16, 0.56, x)", some_dir) - 0.5) < 1e-15);
    CHECK(fabs(height_of("height = mix(x, y, z)", some_dir) - (x + z * (y - x))) < 1e-16);
    CHECK(height_of("height = mix(2, 3, x)", some_dir) == 2.36);
    CHECK(fabs(height_of("height = select(x, 0.36, 10, 20, width = 0.1)", some_dir) - 15) < 1e-12);
    CHECK(height_of("height = curve(y, 0, 1, 0.48, 7, 1, 8)", some_dir) == 7);
    CHECK(fabs(height_of("height = latitude", some_dir) - asin(0.8) * 180 / M_PI) < 1e-13);
    CHECK(fabs(height_of("height = latitude", (struct double3){0, 0, -1}) + 90) < 1e-13);
}

// The colour of a planet with that text after "height = ...".
static struct double3 color_of(const char *text, struct double3 dir, double spacing_m)
{
    struct planet *planet = load_text(text);
    struct sampled sampled = {.red = {-1}};
    if (planet)
        sample_dirs(&sampled, planet, &dir, 1, spacing_m, PLANET_WANT_COLOR);
    planet_free(planet);
    return (struct double3){sampled.red[0], sampled.green[0], sampled.blue[0]};
}

static bool near_color(struct double3 a, double red, double green, double blue)
{
    return fabs(a.x - red) < 1e-12 && fabs(a.y - green) < 1e-12 && fabs(a.z - blue) < 1e-12;
}

// A field of colours for what has no gradient: its red is the field where that is within [0,1].
static double shown(const char *field, struct double3 dir, double spacing_m)
{
    char text[400];
    snprintf(text, sizeof text, "height = 1\ncolor = #ffffff * (%s)", field);
    return color_of(text, dir, spacing_m).x;
}

static void colors_are_mixed_in_linear_light(void)
{
    double grey = srgb_decode(0x8C / 255.0), half = srgb_decode(0x80 / 255.0);
    CHECK(near_color(color_of("height = 1", some_dir, 1), grey, grey, grey));
    CHECK(near_color(color_of("height = 1\ncolor = #ff0080", some_dir, 1), 1, 0, half));
    CHECK(near_color(color_of("height = 1\ncolor = mix(#ff0000, #0000ff, 0.25)", some_dir, 1), 0.75, 0, 0.25));
    CHECK(near_color(color_of("height = 1\ncolor = mix(#ff0000, #0000ff, x)", some_dir, 1), 0.64, 0, 0.36));
    CHECK(near_color(color_of("height = 1\ncolor = x * #ffff00 * 0.5", some_dir, 1), 0.18, 0.18, 0));
    // A colour that is an input twice gives its lanes back once.
    CHECK(
        near_color(color_of("height = 1\nc = ramp(x, 0, #000000, 1, #ff0000)\nd = ramp(y, 0, #000000, 1, #00ff00)\n"
                            "e = ramp(z, 0, #000000, 1, #0000ff)\ncolor = mix(mix(c, c, y), mix(d, e, x + 0.14), 0.5)",
                            some_dir, 1),
                   0.18, 0.12, 0.2));
    CHECK(near_color(color_of("height = 1\ncolor = #ffff00 * 7", some_dir, 1), 1, 1, 0));
    CHECK(near_color(color_of("height = 1\ncolor = #ffffff * (x - 1)", some_dir, 1), 0, 0, 0));
    CHECK(near_color(color_of("height = 1\ncolor = ramp(y, 0, #000000, 1, #ff0000)", some_dir, 1), 0.48, 0, 0));
    CHECK(near_color(color_of("height = 1\ncolor = ramp(y, 0, #000000, 0.5, #ff0000, 0.5, #00ff00)", some_dir, 1), 0.96,
                     0, 0));
    CHECK(near_color(color_of("height = 1\ncolor = select(x, 0.3, #ff0000, #00ff00)", some_dir, 1), 0, 1, 0));
    CHECK(near_color(color_of("height = 1\ncolor = select(longitude, 40, #ff0000, #00ff00, width = 1)", some_dir, 1), 0,
                     1, 0));
    CHECK(fabs(shown("longitude / 100", some_dir, 1) - atan2(0.48, 0.36) * 1.8 / M_PI) < 1e-13);
    CHECK(fabs(shown("0.5 + longitude / 1000", (struct double3){-1, 0, 0}, 1) - 0.32) < 1e-13);
}

// The footprint of a sample of spacing s on a field of slope g is s g wide.
static void thresholds_cover_their_share_of_the_footprint(void)
{
    struct double3 dir = {1, 0, 0.001};
    dir = double3_normalise(dir);
    double spacing = 0.01, z = dir.z, slope = sqrt(1 - z * z);
    double share = 0.5 + z / (spacing * slope);
    CHECK(share > 0.55 && share < 0.65);
    CHECK(fabs(shown("above(z, 0)", dir, spacing * RADIUS_M) - share) < 1e-12);
    CHECK(fabs(shown("select(z, 0, 0.2, 0.8)", dir, spacing * RADIUS_M) - (0.2 + 0.6 * share)) < 1e-12);
    CHECK(fabs(shown("above(z, 0, width = 0.1)", dir, spacing * RADIUS_M) - (0.5 + z / 0.1)) < 1e-12);
    CHECK(shown("above(z, 0)", dir, 10) == 1);
    struct double3 color = color_of("height = 1\ncolor = ramp(z, 0, #ff0000, 0, #00ff00)", dir, spacing * RADIUS_M);
    CHECK(near_color(color, 1 - share, share, 0));
}

static void slope_is_rise_over_run(void)
{
    struct planet *planet = load_text("radius = 1e6\nh = 3e5 * fbm(1e6, octaves = 3)\nheight = h\n"
                                      "color = #ffffff * (0.2 * slope(h))");
    for (int i = 0; i < 100; i++) {
        struct double3 dir = random_dir();
        struct sampled sampled;
        sample_dirs(&sampled, planet, &dir, 1, FINE_M, PLANET_WANT_GRADIENT | PLANET_WANT_COLOR);
        struct double3 gradient = {sampled.gx[0], sampled.gy[0], sampled.gz[0]};
        double expected = 0.2 * double3_length(gradient) / 1e6;
        CHECK(fabs(sampled.red[0] - (expected < 1 ? expected : 1)) < 1e-12);
    }
    planet_free(planet);
}

// ---- Gradients ------------------------------------------------------------------------------------------

// Compares the gradient along a random tangent with differences of the height. Where the differences to both sides
// disagree there is a kink, which has no gradient to compare.
static void check_gradient(const char *height)
{
    char text[600];
    snprintf(text, sizeof text, "height = %s", height);
    struct planet *planet = load_text(text);
    if (!planet)
        return;
    int kinks = 0, compared = 0;
    double largest = 0;
    for (int i = 0; i < 60; i++) {
        struct double3 dir = random_dir(), tangent = double3_normalise(double3_cross(dir, random_dir()));
        double step = 2e-6;
        struct double3 dirs[3] = {dir, double3_normalise(double3_add(dir, double3_scale(tangent, step))),
                                  double3_normalise(double3_sub(dir, double3_scale(tangent, step)))};
        struct sampled s;
        sample_dirs(&s, planet, dirs, 3, 20e3, PLANET_WANT_GRADIENT);
        double analytic = s.gx[0] * tangent.x + s.gy[0] * tangent.y + s.gz[0] * tangent.z;
        double ahead = (s.height[1] - s.height[0]) / step, behind = (s.height[0] - s.height[2]) / step;
        double along = s.gx[0] * dir.x + s.gy[0] * dir.y + s.gz[0] * dir.z;
        CHECK_TEXT(fabs(along) <= 1e-12 * (1 + fabs(s.gx[0]) + fabs(s.gy[0]) + fabs(s.gz[0])), "%s", height);
        double size = 1 + fabs(ahead) + fabs(behind);
        if (fabs(ahead - behind) > 1e-2 * size) {
            kinks++;
            continue;
        }
        compared++;
        largest = fmax(largest, fabs(analytic));
        CHECK_TEXT(fabs(analytic - 0.5 * (ahead + behind)) < 1e-4 * size, "%s: %g, not %g", height, analytic,
                   0.5 * (ahead + behind));
    }
    CHECK_TEXT(kinks <= 3 && compared >= 50 && largest > 0.1, "%s: %d kinks, slope up to %g", height, kinks, largest);
    planet_free(planet);
}

static void gradients_are_those_of_the_heights(void)
{
    static const char *const heights[] = {
        "10 * x",
        "x + 2 * y - 3 * z",
        "5 * x * y - y * z * 2",
        "x / (2 + y)",
        "1 / (2 + x) - 3",
        "min(x, y) + max(y, z)",
        "abs(x) * 3",
        "sqrt(2 + x + y)",
        "exp(2 * x)",
        "clamp(2 * x, -1, 1) + y",
        "smoothstep(-0.5, 0.7, x) + z * 0.2",
        "smoothstep(0.7, -0.5, x) + y * 0.2",
        "mix(x, y * y, z)",
        "mix(x, 3, 0.5 + 0.5 * z)",
        "mix(1, 3, 0.5 + 0.5 * z)",
        "select(x, 0.1, y, 3 * z, width = 0.5)",
        "curve(x, -1, 0, -0.2, 1, 0.3, 3, 1, 4)",
        "latitude * 0.1",
        "noise(3e6)",
        "fbm(3e6, octaves = 4, gain = 0.6)",
        "billow(3e6, octaves = 4)",
        "ridged(3e6, octaves = 4)",
        "fbm(3e6, octaves = 3, at = warp(6e5, 3e6))",
        "ridged(3e6, octaves = 3, at = warp(4e5, 3e6, at = warp(5e5, 4e6, octaves = 2)))",
        "noise(2e6, at = warp(8e5, 2.5e6, octaves = 2))",
        "quantile(fbm(3e6, octaves = 3)) * 3",
        "quantile(x * quantile(fbm(4e6, octaves = 2))) * 3",
        "x * x + fbm(2e6, octaves = 2) * smoothstep(-0.3, 0.3, fbm(4e6, octaves = 2)) * exp(-y)",
    };
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++)
        check_gradient(heights[i]);
}

// ---- Random programs against a plain evaluator ----------------------------------------------------------

struct dual {
    double v;
    struct double3 g;
};

static struct dual dual_of(double v, double by_a, struct double3 ga, double by_b, struct double3 gb)
{
    return (struct dual){v, double3_add(double3_scale(ga, by_a), double3_scale(gb, by_b))};
}

// Definition number index of a random planet: an operation on two earlier ones, as text and as a value.
static struct dual random_definition(char *text, size_t size, int index, const struct dual *values)
{
    int i = (int)check_random_below((uint64_t)index), k = (int)check_random_below((uint64_t)index);
    struct dual a = values[i], b = values[k];
    const struct double3 none = {0, 0, 0};
    double c = 0.25 * (double)(check_random_below(17)) - 2.125, t;
    switch (check_random_below(9)) {
    case 0: snprintf(text, size, "v%d + v%d", i, k); return dual_of(a.v + b.v, 1, a.g, 1, b.g);
    case 1: snprintf(text, size, "v%d - v%d", i, k); return dual_of(a.v - b.v, 1, a.g, -1, b.g);
    case 2:
        snprintf(text, size, "0.5 * v%d * v%d", i, k);
        return dual_of(0.5 * a.v * b.v, 0.5 * b.v, a.g, 0.5 * a.v, b.g);
    case 3: snprintf(text, size, "v%d * %.17g + 0.5", i, c); return dual_of(a.v * c + 0.5, c, a.g, 0, none);
    case 4: snprintf(text, size, "%.17g - v%d", c, i); return dual_of(c - a.v, -1, a.g, 0, none);
    case 5:
        snprintf(text, size, "v%d / (1.5 + v%d * v%d)", i, k, k);
        t = 1.5 + b.v * b.v;
        return dual_of(a.v / t, 1 / t, a.g, -a.v / (t * t) * 2 * b.v, b.g);
    case 6: snprintf(text, size, "min(v%d, v%d)", i, k); return a.v <= b.v ? a : b;
    case 7:
        snprintf(text, size, "exp(-v%d * v%d)", i, i);
        t = exp(-a.v * a.v);
        return dual_of(t, -2 * a.v * t, a.g, 0, none);
    default:
        snprintf(text, size, "mix(v%d, v%d, smoothstep(-2, 2, v%d))", i, k, i);
        t = fmin(fmax((a.v + 2) / 4, 0), 1);
        return dual_of(a.v + t * t * (3 - 2 * t) * (b.v - a.v),
                       1 - t * t * (3 - 2 * t) + (b.v - a.v) * 6 * t * (1 - t) / 4, a.g, t * t * (3 - 2 * t), b.g);
    }
}

// Shared values, lanes used again and steps done in place must not change any result.
static void random_planets_agree_with_a_plain_evaluator(void)
{
    enum { COUNT = 60 };
    for (int round = 0; round < 30; round++) {
        struct double3 dir = random_dir();
        struct dual values[COUNT] = {{dir.x, {1, 0, 0}}, {dir.y, {0, 1, 0}}, {dir.z, {0, 0, 1}}};
        char *text = malloc(COUNT * 100), *at = text;
        at += sprintf(at, "v0 = x\nv1 = y\nv2 = z\n");
        for (int i = 3; i < COUNT; i++) {
            char expression[80];
            values[i] = random_definition(expression, sizeof expression, i, values);
            at += sprintf(at, "v%d = %s\n", i, expression);
        }
        struct dual sum = {0, {0, 0, 0}};
        at += sprintf(at, "height = 0");
        for (int i = COUNT - 8; i < COUNT; i++) {
            at += sprintf(at, " + v%d", i);
            sum = dual_of(sum.v + values[i].v, 1, sum.g, 1, values[i].g);
        }
        sprintf(at, "\ncolor = #ffffff * (0.5 + 0.1 * v%d)", COUNT - 9);
        struct planet *planet = load_text(text);
        struct sampled s;
        sample_dirs(&s, planet, &dir, 1, FINE_M, PLANET_WANT_GRADIENT | PLANET_WANT_COLOR);
        struct double3 g = double3_sub(sum.g, double3_scale(dir, double3_dot(sum.g, dir)));
        double size = 1 + fabs(sum.v) + double3_length(sum.g);
        CHECK_TEXT(fabs(s.height[0] - sum.v) < 1e-11 * size, "%g, not %g:\n%s", s.height[0], sum.v, text);
        CHECK_TEXT(fabs(s.gx[0] - g.x) + fabs(s.gy[0] - g.y) + fabs(s.gz[0] - g.z) < 1e-10 * size, "%s", text);
        double shade = fmin(fmax(0.5 + 0.1 * values[COUNT - 9].v, 0), 1);
        CHECK_TEXT(fabs(s.green[0] - shade) < 1e-11 * (1 + fabs(values[COUNT - 9].v)), "%s", text);
        planet_free(planet);
        free(text);
    }
}

// ---- Purity ---------------------------------------------------------------------------------------------

static const unsigned everything = PLANET_WANT_GRADIENT | PLANET_WANT_COLOR;

static struct planet *load_earthlike(uint64_t seed)
{
    CHECK(strcmp(builtin_planets[0].name, "earthlike") == 0);
    return load_seed(builtin_planets[0].text, seed);
}

static bool same_sample(const struct sampled *a, int i, const struct sampled *b, int k)
{
    return a->height[i] == b->height[k] && a->gx[i] == b->gx[k] && a->gy[i] == b->gy[k] && a->gz[i] == b->gz[k] &&
           a->red[i] == b->red[k] && a->green[i] == b->green[k] && a->blue[i] == b->blue[k];
}

static void a_sample_does_not_depend_on_its_block(void)
{
    struct planet *planet = load_earthlike(1);
    struct double3 dirs[PLANET_BLOCK];
    struct sampled whole, part;
    for (int i = 0; i < PLANET_BLOCK; i++)
        dirs[i] = random_dir();
    sample_dirs(&whole, planet, dirs, PLANET_BLOCK, 3000, everything);
    for (int round = 0; round < 50; round++) {
        int first = (int)check_random_below(PLANET_BLOCK),
            count = 1 + (int)check_random_below((uint64_t)(PLANET_BLOCK - first));
        sample_dirs(&part, planet, dirs + first, count, 3000, everything);
        for (int i = 0; i < count; i++)
            CHECK(same_sample(&whole, first + i, &part, i));
    }
    planet_free(planet);
}

static void what_is_wanted_does_not_change_what_comes(void)
{
    struct planet *planet = load_earthlike(1);
    struct double3 dirs[PLANET_BLOCK];
    struct sampled all, some;
    for (int i = 0; i < PLANET_BLOCK; i++)
        dirs[i] = random_dir();
    for (double spacing = 1; spacing < 1e6; spacing *= 30) {
        sample_dirs(&all, planet, dirs, PLANET_BLOCK, spacing, everything);
        for (unsigned want = 0; want < everything; want++) {
            some = all;
            memset(some.height, 0, sizeof some.height);
            if (want & PLANET_WANT_GRADIENT)
                memset(some.gx, 0, sizeof some.gx);
            if (want & PLANET_WANT_COLOR)
                memset(some.red, 0, sizeof some.red);
            sample_dirs(&some, planet, dirs, PLANET_BLOCK, spacing, want);
            for (int i = 0; i < PLANET_BLOCK; i++)
                CHECK(same_sample(&all, i, &some, i));
        }
    }
    planet_free(planet);
}

// The corner of three faces and points on an edge, on every level, from all sides.
static void faces_agree_on_shared_samples(void)
{
    struct planet *planet = load_earthlike(1);
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        for (int side = 0; side < NODE_SIDE_COUNT; side++) {
            enum node_side back;
            bool reversed;
            int level = 3 + 5 * side;
            uint32_t last = (UINT32_C(1) << level) - 1;
            struct node node = {face, level, side == SIDE_EAST ? last : 0, side == SIDE_SOUTH ? last : 0};
            struct node other = node_neighbour(node, (enum node_side)side, &back, &reversed);
            struct double3 here[33], there[33];
            for (int k = 0; k <= 32; k++) {
                int along = reversed ? 32 - k : k;
                int column = side == SIDE_WEST ? 0 : side == SIDE_EAST ? 32 : k;
                int row = side == SIDE_NORTH ? 0 : side == SIDE_SOUTH ? 32 : k;
                here[k] = tile_sample_dir(node, 32, column, row);
                column = back == SIDE_WEST ? 0 : back == SIDE_EAST ? 32 : along;
                row = back == SIDE_NORTH ? 0 : back == SIDE_SOUTH ? 32 : along;
                there[32 - k] = tile_sample_dir(other, 32, column, row);
            }
            struct sampled a, b;
            double spacing = tile_spacing_m(RADIUS_M, 32, level);
            sample_dirs(&a, planet, here, 33, spacing, everything);
            sample_dirs(&b, planet, there, 33, spacing, everything);
            CHECK(other.face != face);
            for (int k = 0; k <= 32; k++)
                CHECK(same_sample(&a, k, &b, 32 - k));
        }
    }
    planet_free(planet);
}

static void threads_share_a_planet(void)
{
    enum { BLOCKS = 24 };
    struct planet *planet = load_earthlike(1);
    static struct double3 dirs[BLOCKS][PLANET_BLOCK];
    static struct sampled one[BLOCKS], many[BLOCKS];
    for (int block = 0; block < BLOCKS; block++) {
        for (int i = 0; i < PLANET_BLOCK; i++)
            dirs[block][i] = random_dir();
        sample_dirs(&one[block], planet, dirs[block], PLANET_BLOCK, 5e4, everything);
    }
#pragma omp parallel for num_threads(4) schedule(dynamic, 1)
    for (int block = 0; block < BLOCKS; block++)
        sample_dirs(&many[block], planet, dirs[block], PLANET_BLOCK, 5e4, everything);
    for (int block = 0; block < BLOCKS; block++) {
        for (int i = 0; i < PLANET_BLOCK; i++)
            CHECK(same_sample(&one[block], i, &many[block], i));
    }
    planet_free(planet);
}

// ---- Seeds, radius, band limit --------------------------------------------------------------------------

static void seeds_tell_noises_apart(void)
{
    CHECK(height_of("height = fbm(2e6) - fbm(2e6)", some_dir) != 0);
    CHECK(height_of("height = fbm(2e6, seed = 5) - fbm(2e6, seed = 5)", some_dir) == 0);
    CHECK(height_of("height = fbm(2e6, seed = 5) - fbm(2e6, seed = 6)", some_dir) != 0);
    CHECK(height_of("height = noise(2e6, seed = 5) - fbm(2e6, octaves = 1, seed = 5)", some_dir) == 0);
    // The first call in the text is number 1, also where it is evaluated after the second.
    CHECK(height_of("height = fbm(2e6, at = warp(1e5, 1e6))", some_dir) ==
          height_of("height = fbm(2e6, seed = 1, at = warp(1e5, 1e6, seed = 2))", some_dir));
    double text_seed = height_of("height = fbm(2e6, seed = 1)", some_dir);
    struct planet *two = load_seed("height = fbm(2e6, seed = 1)", 2);
    CHECK(height_at(two, some_dir, FINE_M) != text_seed);
    planet_free(two);
    struct planet *far = load_seed("height = fbm(2e6, seed = 1)", UINT64_MAX);
    CHECK(height_at(far, some_dir, FINE_M) != text_seed);
    planet_free(far);
}

// Noise of a very long wavelength is linear, so what a warp changes about it is a product of the displacement with a
// vector. If the displacements were parallel everywhere, two such products would keep their ratio.
static void warps_move_each_axis_by_itself(void)
{
    static const char bent[] = "fbm(1e12, octaves = 1, seed = %d, at = warp(1e6, 3e6, seed = 9)) - "
                               "fbm(1e12, octaves = 1, seed = %d)";
    double ratio[2];
    for (int place = 0; place < 2; place++) {
        struct double3 dir = place ? (struct double3){0, 0, 1} : some_dir;
        double moved[2];
        for (int k = 0; k < 2; k++) {
            char expression[200], text[220];
            snprintf(expression, sizeof expression, bent, k + 1, k + 1);
            snprintf(text, sizeof text, "height = %s", expression);
            moved[k] = height_of(text, dir);
        }
        ratio[place] = moved[0] / moved[1];
    }
    CHECK_TEXT(fabs(ratio[0] - ratio[1]) > 1e-3 * fabs(ratio[0]), "%g and %g", ratio[0], ratio[1]);
}

static void radius_scales_the_whole_body(void)
{
    const struct builtin_planet *builtin = &builtin_planets[0];
    struct planet *own = load_text(builtin->text), *half, *odd;
    struct status status;
    CHECK(load_with(&half, builtin->text, NULL, 1, RADIUS_M / 2, &status) == STATUS_OK);
    CHECK(load_with(&odd, builtin->text, NULL, 1, 123456.7, &status) == STATUS_OK);
    CHECK(planet_radius_m(half) == RADIUS_M / 2 && planet_radius_m(odd) == 123456.7);
    struct double3 dirs[PLANET_BLOCK];
    struct sampled a, b, c;
    for (int i = 0; i < PLANET_BLOCK; i++)
        dirs[i] = random_dir();
    double scale = 123456.7 / RADIUS_M;
    sample_dirs(&a, own, dirs, PLANET_BLOCK, 1e4, everything);
    sample_dirs(&b, half, dirs, PLANET_BLOCK, 0.5e4, everything);
    sample_dirs(&c, odd, dirs, PLANET_BLOCK, scale * 1e4, everything);
    for (int i = 0; i < PLANET_BLOCK; i++) {
        CHECK(b.height[i] == a.height[i] / 2 && b.gx[i] == a.gx[i] / 2 && b.red[i] == a.red[i]);
        CHECK(fabs(c.height[i] - a.height[i] * scale) <= 1e-9 * fabs(a.height[i] * scale) + 1e-12);
        CHECK(fabs(c.gy[i] - a.gy[i] * scale) <= 1e-6 * fabs(a.gy[i] * scale) + 1e-9);
    }
    planet_free(own);
    planet_free(half);
    planet_free(odd);
}

// Along a great circle, sampled four times finer than the spacing: the share of the variance that lies above the limit
// of half a cycle a spacing.
static double variance_above_limit(const struct planet *planet, double spacing_rad, int samples)
{
    double *heights = malloc((size_t)samples * sizeof heights[0]);
    for (int first = 0; first < samples; first += PLANET_BLOCK) {
        struct double3 dirs[PLANET_BLOCK];
        struct sampled sampled;
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double angle = 2 * M_PI * (first + i) / samples;
            dirs[i] = double3_normalise((struct double3){cos(angle), 0.8 * sin(angle), 0.6 * sin(angle)});
        }
        sample_dirs(&sampled, planet, dirs, PLANET_BLOCK, spacing_rad * RADIUS_M, 0);
        memcpy(heights + first, sampled.height, sizeof sampled.height);
    }
    double total = 0, above = 0;
    for (int k = 1; k < samples / 2; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < samples; i++) {
            int turn = (int)((long)k * i % samples);
            re += heights[i] * cos(2 * M_PI * turn / samples);
            im += heights[i] * sin(2 * M_PI * turn / samples);
        }
        total += re * re + im * im;
        if (k > samples / 8)
            above += re * re + im * im;
    }
    free(heights);
    return above / total;
}

static void coarse_samples_carry_no_finer_detail(void)
{
    enum { SAMPLES = 1024 };
    struct planet *planet = load_text("height = 3000 * fbm(1e6, octaves = 20, gain = 0.6) + "
                                      "800 * ridged(6e5, octaves = 20, gain = 0.5)");
    double spacing = 2 * M_PI / SAMPLES * 4;
    double limited = variance_above_limit(planet, spacing, SAMPLES);
    double unlimited = variance_above_limit(planet, spacing / 64, SAMPLES);
    CHECK_TEXT(limited < 0.01, "%g of the variance is above the limit", limited);
    CHECK_TEXT(unlimited > 0.02, "only %g where there is no limit: the test sees nothing", unlimited);
    planet_free(planet);
}

// ---- Quantiles ------------------------------------------------------------------------------------------

static void quantile_is_the_share_of_area_below(void)
{
    enum { POINTS = 100 * PLANET_BLOCK };
    static const double shares[] = {0.01, 0.1, 0.3, 0.5, 0.71, 0.9, 0.99};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct planet *planet = load_seed("height = quantile(fbm(5e6, octaves = 6) + 0.2 * x)", seed);
        int below[7] = {0};
        for (int first = 0; first < POINTS; first += PLANET_BLOCK) {
            struct double3 dirs[PLANET_BLOCK];
            struct sampled sampled;
            for (int i = 0; i < PLANET_BLOCK; i++)
                dirs[i] = random_dir();
            sample_dirs(&sampled, planet, dirs, PLANET_BLOCK, 1e5, 0);
            for (int i = 0; i < PLANET_BLOCK; i++) {
                CHECK(sampled.height[i] >= 0 && sampled.height[i] <= 1);
                for (int k = 0; k < 7; k++)
                    below[k] += sampled.height[i] < shares[k];
            }
        }
        // Four standard deviations of a random sample's share.
        for (int k = 0; k < 7; k++)
            CHECK_TEXT(fabs((double)below[k] / POINTS - shares[k]) <
                           4 * sqrt(shares[k] * (1 - shares[k]) / POINTS) + 1e-3,
                       "seed %d: %g below %g", (int)seed, (double)below[k] / POINTS, shares[k]);
        planet_free(planet);
    }
}

static void quantile_looks_at_the_large_only(void)
{
    struct planet *planet = load_text("height = quantile(z + 100 * noise(50e3))");
    CHECK(fabs(height_at(planet, some_dir, 200e3) - 0.9) < 1e-3);
    planet_free(planet);
}

static void quantile_of_flats_counts_what_is_below(void)
{
    // A third of the sphere lies below z = -1/3, and there the field is flat; a sixth above z = 2/3.
    struct double3 low = double3_normalise((struct double3){0.1, 0, -0.9}), high = {0, 0, 1};
    struct double3 middle = {sqrt(8.0 / 9), 0, 1.0 / 3};
    static const char text[] = "height = quantile(clamp(z, -0.333333333, 0.666666666))";
    CHECK(height_of(text, low) == 0);
    CHECK(fabs(height_of(text, middle) - 2.0 / 3) < 1e-3);
    CHECK(fabs(height_of(text, high) - 5.0 / 6) < 1e-3);
    CHECK(height_of("height = quantile(clamp(z, 3, 4))", middle) == 0);
    CHECK(fabs(height_of("height = quantile(1e-40 * z)", middle) - 2.0 / 3) < 1e-3);
    CHECK(fabs(height_of("height = quantile(1e40 * z)", middle) - 2.0 / 3) < 1e-3);
}

// ---- Rasters --------------------------------------------------------------------------------------------

enum { COLUMNS = 8, ROWS = 4 };

// Samples of 8 bits, the same channels in every pixel.
static void write_png(const char *path, int color, const uint16_t *pixel)
{
    struct plain_header header = {COLUMNS, ROWS, 8, color, 0};
    int channels = plain_channels(color);
    uint16_t samples[COLUMNS * ROWS * 3];
    for (int i = 0; i < COLUMNS * ROWS * channels; i++)
        samples[i] = pixel[i % channels];
    struct plain_bytes file = plain_png(header, samples);
    plain_save(path, file.bytes, file.size);
    plain_free(&file);
}

// As raster.h defines it.
static void check_raster_hash(const struct planet *planet, int index, uint8_t channels, const uint16_t *pixel)
{
    uint8_t head[10] = {COLUMNS, 0, 0, 0, ROWS, 0, 0, 0, channels, 8}, expected[SHA256_BYTES], digest[SHA256_BYTES];
    struct sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, head, sizeof head);
    for (int i = 0; i < COLUMNS * ROWS * channels; i++)
        sha256_add(&hash, &(uint8_t){(uint8_t)pixel[i % channels]}, 1);
    sha256_finish(&hash, expected);
    planet_raster_sha256(planet, index, digest);
    CHECK(memcmp(digest, expected, sizeof digest) == 0);
}

static void rasters_are_found_beside_the_planet_file(void)
{
    char folder[] = "/tmp/terrane-test-XXXXXX", grey[64], color[64], path[64];
    CHECK(mkdtemp(folder));
    snprintf(grey, sizeof grey, "%s/grey.png", folder);
    snprintf(color, sizeof color, "%s/color.png", folder);
    snprintf(path, sizeof path, "%s/a.planet", folder);
    static const uint16_t grey_pixel[1] = {40}, green_pixel[3] = {0, 255, 0};
    write_png(grey, 0, grey_pixel);
    write_png(color, 2, green_pixel);
    FILE *file = fopen(path, "wb");
    fprintf(file,
            "file = \"nowhere.png\"\nheight = raster(file, scale = 10, offset = -5) + raster(\"%s\")\n"
            "color = raster(\"color.png\")",
            grey);
    fclose(file);
    struct planet *planet;
    struct status status;
    struct planet_source source = {.name = path};
    CHECK(planet_load(&planet, &source, &status) == STATUS_INPUT);
    CHECK_TEXT(strstr(status.text, "a.planet:2:17: ") && strstr(status.text, "nowhere.png"), "%s", status.text);
    const char *overrides[] = {"file=grey.png"};
    source.overrides = overrides;
    source.override_count = 1;
    CHECK_TEXT(planet_load(&planet, &source, &status) == STATUS_OK, "%s", status.text);
    struct sampled sampled;
    sample_dirs(&sampled, planet, &some_dir, 1, FINE_M, everything);
    CHECK(fabs(sampled.height[0] - (40 * 10 - 5 + 40)) < 1e-9 && fabs(sampled.gx[0]) < 1e-6);
    CHECK(sampled.green[0] == 1 && sampled.red[0] == 0 && sampled.blue[0] == 0);
    check_raster_hash(planet, 0, 1, grey_pixel);
    check_raster_hash(planet, 1, 1, grey_pixel); // by another path
    check_raster_hash(planet, 2, 3, green_pixel);
    CHECK(planet_raster_count(planet) == 3);
    planet_free(planet);
    unlink(grey);
    unlink(color);
    unlink(path);
    CHECK(rmdir(folder) == 0);
}

// ---- The same bits everywhere ---------------------------------------------------------------------------

static void hash_doubles(struct sha256 *hash, const double *values)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        uint64_t bits;
        uint8_t bytes[8];
        memcpy(&bits, &values[i], sizeof bits);
        put_u64le(bytes, bits);
        sha256_add(hash, bytes, sizeof bytes);
    }
}

static void hash_planet(char text[2 * SHA256_BYTES + 1], const struct planet *planet)
{
    struct sha256 hash;
    uint8_t digest[SHA256_BYTES];
    sha256_begin(&hash);
    for (double spacing = 0.5; spacing < 2e6; spacing *= 9) {
        struct double3 dirs[PLANET_BLOCK];
        struct sampled s;
        for (int i = 0; i < PLANET_BLOCK; i++)
            dirs[i] = cube_sphere_lattice_dir(i % 6, i * 37 % 129, i * 91 % 129, 128);
        sample_dirs(&s, planet, dirs, PLANET_BLOCK, spacing, everything);
        const double *const parts[] = {s.height, s.gx, s.gy, s.gz, s.red, s.green, s.blue};
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
            hash_doubles(&hash, parts[k]);
    }
    sha256_finish(&hash, digest);
    sha256_text(text, digest);
}

// Golden: a change here is a change of every pack of these planets, and needs a new generator version.
static void builtins_give_the_same_bits_everywhere(void)
{
    static const struct {
        const char *name, *digest;
    } golden[] = {
        {"earthlike", "05f7b57a8f40680e7b2ea78bcb49ee53ab2c92879bb96a33f48700476dd698d7"},
        {"plain", "63ae59629ac2a8eb540462aa7ca8e9d6ef0352828f025483e5c3865608943cf3"},
    };
    static const char *const variants[] = {"base", "avx2", "avx512"};
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        struct planet *planet = load_text(builtin_planets[i].text);
        CHECK(strcmp(planet_name(planet), golden[i].name) == 0);
        for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++) {
            const struct kernels *kernels = kernels_named(variants[k]);
            char text[2 * SHA256_BYTES + 1];
            if (!kernels)
                continue;
            planet_use_kernels(planet, kernels);
            hash_planet(text, planet);
            CHECK_TEXT(strcmp(text, golden[i].digest) == 0, "%s with %s: %s", golden[i].name, variants[k], text);
        }
        planet_free(planet);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(plain_is_its_formula);
    CHECK_RUN(functions_give_their_values);
    CHECK_RUN(colors_are_mixed_in_linear_light);
    CHECK_RUN(thresholds_cover_their_share_of_the_footprint);
    CHECK_RUN(slope_is_rise_over_run);
    CHECK_RUN(gradients_are_those_of_the_heights);
    CHECK_RUN(random_planets_agree_with_a_plain_evaluator);
    CHECK_RUN(a_sample_does_not_depend_on_its_block);
    CHECK_RUN(what_is_wanted_does_not_change_what_comes);
    CHECK_RUN(faces_agree_on_shared_samples);
    CHECK_RUN(threads_share_a_planet);
    CHECK_RUN(seeds_tell_noises_apart);
    CHECK_RUN(warps_move_each_axis_by_itself);
    CHECK_RUN(radius_scales_the_whole_body);
    CHECK_RUN(coarse_samples_carry_no_finer_detail);
    CHECK_RUN(quantile_is_the_share_of_area_below);
    CHECK_RUN(quantile_looks_at_the_large_only);
    CHECK_RUN(quantile_of_flats_counts_what_is_below);
    CHECK_RUN(rasters_are_found_beside_the_planet_file);
    CHECK_RUN(builtins_give_the_same_bits_everywhere);
    return CHECK_END;
}

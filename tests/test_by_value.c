// SPDX-License-Identifier: MIT
// Colours and masks from values alone (ramp_by_value, above_by_value, program_compile_lean): they are those that
// gradients give, to the bit, or there are none.
#include <math.h>
#include <stdio.h>

#include "bake/planet/kernels.h"
#include "bake/planet/lattice.h"
#include "bake/planet/mesh.h"
#include "bake/planet/planet_internal.h"
#include "bake/tile_lattice.h"
#include "bake/tile_order.h"
#include "tests/color_planets.h"
#include "tests/kernel_block.h"
#include "tests/planet_help.h"
#include "tests/random_node.h"

// ---- Kernels --------------------------------------------------------------------------------------------

static const double odd_values[] = {INFINITY, -INFINITY, NAN, 1e308, -1e308, 0.0, -0.0, 0x1p-1074, -0x1p-1074};
enum { ODD_COUNT = sizeof odd_values / sizeof odd_values[0] };

// Values near knot, so that a footprint of that width touches it or just not; now and then something else.
static void values_near(double *a, double knot, double width, bool odd)
{
    double away = random_between(0.4, 0.8) * width * (check_random_below(2) ? 1 : -1);
    for (int i = 0; i < PLANET_BLOCK; i++)
        a[i] = knot + away * random_between(1.0, 1.5);
    if (odd)
        a[check_random_below(PLANET_BLOCK)] = odd_values[check_random_below(ODD_COUNT)];
}

// A gradient across the direction x whose footprint, at a spacing of 1, has a width of 0 to most, and some that seem
// wider: these count as most.
static void gradients_up_to(struct field a, struct block *places, double most)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        places->row[0][i] = 1.0;
        places->row[1][i] = places->row[2][i] = 0.0;
        a.gx[i] = random_between(-9, 9);
        a.gz[i] = 0.0;
        switch (check_random_below(4)) {
        case 0: a.gy[i] = most; break;
        case 1: a.gy[i] = -3.0 * most; break;
        case 2: a.gy[i] = 0.0; break;
        default: a.gy[i] = most * check_random_unit(); break;
        }
    }
}

// From nothing to everything, and subnormal.
static double random_width(int round)
{
    return round % 7 == 0    ? 0.0
           : round % 11 == 0 ? (double)(1 + check_random_below(6)) * 0x1p-1074
                             : exp(random_between(-12, 1));
}

static bool same_rows(const struct block *a, const struct block *b, int rows)
{
    return memcmp(a->row, b->row, (size_t)rows * sizeof a->row[0]) == 0;
}

static void a_ramp_by_value_is_the_ramp_of_any_footprint_that_is_narrower(void)
{
    int known = 0, unknown = 0;
    for (int round = 0; round < 3000; round++) {
        struct ramp ramp = random_ramp(9);
        static struct block in, places, by_value, whole;
        struct field a = block_field(&in, true);
        double most = random_width(round);
        values_near(a.v, ramp.x[check_random_below((uint64_t)ramp.count)], most, round % 5 == 0);
        gradients_up_to(a, &places, most);
        double *const one[3] = {by_value.row[0], by_value.row[1], by_value.row[2]};
        double *const two[3] = {whole.row[0], whole.row[1], whole.row[2]};
        for (int v = 0; v < KERNEL_VARIANT_COUNT; v++) {
            const struct kernels *kernels = kernels_named(kernel_variants[v]);
            if (!kernels)
                continue;
            bool is_known = kernels->ramp_by_value(one, a.v, &ramp, most);
            known += is_known;
            unknown += !is_known;
            if (!is_known)
                continue;
            kernels->ramp(two, a, places.row[0], places.row[1], places.row[2], &ramp, 1.0, most);
            CHECK_TEXT(same_rows(&by_value, &whole, 3), "%s, width %g", kernels->name, most);
        }
    }
    CHECK_TEXT(known > 500 && unknown > 500, "%d of %d", known, known + unknown);
}

static void a_ramp_by_value_is_refused_only_near_a_knot(void)
{
    const struct kernels *kernels = kernels_choose();
    for (int round = 0; round < 1000; round++) {
        struct ramp ramp = random_ramp(9);
        static struct block in, out;
        double *const colors[3] = {out.row[0], out.row[1], out.row[2]};
        double most = exp(random_between(-12, 1)), middle = random_between(-3, 3), apart = INFINITY;
        for (int i = 0; i < PLANET_BLOCK; i++)
            in.row[0][i] = middle + 0.1 * most * check_random_unit();
        for (int k = 0; k < ramp.count; k++)
            apart = fmin(apart, fabs(middle + 0.05 * most - ramp.x[k]));
        CHECK(kernels->ramp_by_value(colors, in.row[0], &ramp, most) || apart < 0.56 * most);
    }
}

static void above_by_value_is_above_of_any_footprint_that_is_narrower(void)
{
    int known = 0, unknown = 0;
    for (int round = 0; round < 3000; round++) {
        static struct block in, places, by_value, whole;
        struct field a = block_field(&in, true), one = block_field(&by_value, false), two = block_field(&whole, false);
        double most = random_width(round), at = round % 11 == 0 ? 0.0 : random_between(-1, 1);
        double least = round % 3 == 0 ? 0.0 : most * random_between(0.0, 1.5);
        values_near(a.v, at, fmax(most, least), round % 5 == 0);
        gradients_up_to(a, &places, most);
        for (int v = 0; v < KERNEL_VARIANT_COUNT; v++) {
            const struct kernels *kernels = kernels_named(kernel_variants[v]);
            if (!kernels)
                continue;
            bool is_known = kernels->above_by_value(one, a.v, at, least, most);
            known += is_known;
            unknown += !is_known;
            CHECK(is_known || most > least);
            if (!is_known)
                continue;
            kernels->above(two, a, places.row[0], places.row[1], places.row[2], at, least, 1.0, most);
            CHECK_TEXT(same_rows(&by_value, &whole, 1), "%s, width %g to %g", kernels->name, least, most);
        }
    }
    CHECK_TEXT(known > 500 && unknown > 500, "%d of %d", known, known + unknown);
}

static void footprints_are_no_wider_than_the_widest(void)
{
    const struct kernels *kernels = kernels_choose();
    for (int round = 0; round < 200; round++) {
        struct ramp ramp = random_ramp(9);
        static struct block in, cut, places, one, two;
        struct field a = block_field(&in, true), b = block_field(&cut, true);
        double most = exp(random_between(-6, 1));
        gradients_up_to(a, &places, most);
        for (int i = 0; i < PLANET_BLOCK; i++)
            a.v[i] = random_between(-3, 3);
        cut = in;
        for (int i = 0; i < PLANET_BLOCK; i++)
            b.gy[i] = fmin(fabs(b.gy[i]), most);
        const double *x = places.row[0], *y = places.row[1], *z = places.row[2];
        double *const first[3] = {one.row[0], one.row[1], one.row[2]};
        double *const second[3] = {two.row[0], two.row[1], two.row[2]};
        kernels->ramp(first, a, x, y, z, &ramp, 1.0, most);
        kernels->ramp(second, b, x, y, z, &ramp, 1.0, INFINITY);
        CHECK(same_rows(&one, &two, 3));
        kernels->above(block_field(&one, false), a, x, y, z, 0.1, 0.01, 1.0, most);
        kernels->above(block_field(&two, false), b, x, y, z, 0.1, 0.01, 1.0, INFINITY);
        CHECK(same_rows(&one, &two, 1));
    }
}

// ---- Planets --------------------------------------------------------------------------------------------

// Programs of a planet on a tile, with a mesh as bakes have it.
struct runner {
    const struct planet *planet;
    unsigned want;
    struct lattice_memory memory;
    void *mesh_memory;
    struct mesh *mesh;
    double *lanes;
};

enum { INTERVALS = 32 };

static void runner_begin(struct runner *runner, const struct planet *planet, unsigned want)
{
    struct status status;
    *runner = (struct runner){.planet = planet, .want = want};
    size_t lanes = planet->programs[want].lane_count + planet->lean[want].lane_count;
    runner->lanes = aligned(lanes * PLANET_BLOCK * sizeof(double));
    runner->mesh_memory = aligned(planet_mesh_bytes(planet, INTERVALS, want));
    CHECK(runner->lanes && runner->mesh_memory &&
          lattice_memory_new(&runner->memory, &planet->tables, &status) == STATUS_OK);
    runner->mesh = planet_mesh_begin(planet, INTERVALS, want, runner->mesh_memory);
}

static void runner_end(struct runner *runner)
{
    lattice_memory_free(&runner->memory);
    free(runner->mesh_memory);
    free(runner->lanes);
}

static bool run(struct runner *runner, const struct program *program, const struct tile_lattice *lattice,
                const uint16_t *columns, const uint16_t *rows)
{
    double *x = runner->lanes, *y = x + PLANET_BLOCK, *z = y + PLANET_BLOCK;
    double spacing = tile_spacing_m(1, INTERVALS, lattice->node.level);
    tile_lattice_dirs_at(lattice, columns, rows, PLANET_BLOCK, x, y, z);
    mesh_start_block(runner->mesh, columns, rows, PLANET_BLOCK);
    runner->memory.program.mesh = runner->mesh;
    return program_run(program, &runner->planet->tables, runner->planet->kernels, &runner->memory.program,
                       runner->lanes, spacing, spacing);
}

// Whether all outputs of two runs have the same bits.
static bool same_outputs(const struct runner *a, const struct program *program, const struct runner *b,
                         const struct program *other)
{
    for (int output = 0; output < 2; output++) {
        const struct step *one = &program->steps[program->output[output].step];
        const struct step *two = &other->steps[other->output[output].step];
        int lanes = output == PLANET_COLOR ? 3 : a->want & PLANET_WANT_GRADIENT ? 4 : 1;
        for (int k = 0; k < lanes; k++)
            if (memcmp(a->lanes + one->lane[k] * PLANET_BLOCK, b->lanes + two->lane[k] * PLANET_BLOCK,
                       PLANET_BLOCK * sizeof(double)) != 0)
                return false;
    }
    return true;
}

// Blocks of a tile for which the lean program sufficed, and others.
struct counts {
    int lean, whole;
};

// The lean program, and the whole one where it does not suffice, share a mesh; beside them the whole one has its own.
static void compare_on_tile(struct runner *both, struct runner *alone, struct node node, struct counts *counts)
{
    const struct planet *planet = both->planet;
    const struct program *lean = &planet->lean[both->want], *whole = &planet->programs[both->want];
    static struct tile_lattice lattice;
    double spacing_m = tile_spacing_m(planet->radius_m, INTERVALS, node.level);
    int samples = (INTERVALS + 1) * (INTERVALS + 1);
    tile_lattice_prepare(&lattice, node, INTERVALS);
    planet_mesh_start(planet, both->mesh, node, spacing_m);
    planet_mesh_start(planet, alone->mesh, node, spacing_m);
    for (int first = 0; first + PLANET_BLOCK <= samples; first += PLANET_BLOCK) {
        uint16_t columns[PLANET_BLOCK], rows[PLANET_BLOCK];
        tile_order(INTERVALS + 1, first, PLANET_BLOCK, columns, rows);
        bool suffices = run(both, lean, &lattice, columns, rows);
        counts->lean += suffices;
        counts->whole += !suffices;
        if (!suffices)
            CHECK(run(both, whole, &lattice, columns, rows));
        CHECK(run(alone, whole, &lattice, columns, rows));
        CHECK_TEXT(same_outputs(both, suffices ? lean : whole, alone, whole), "level %d, %s\n%s", node.level,
                   suffices ? "lean" : "whole", planet->text);
    }
}

static void compare_on_tiles(const struct planet *planet, unsigned want, struct counts *counts)
{
    struct runner both, alone;
    runner_begin(&both, planet, want);
    runner_begin(&alone, planet, want);
    for (int level = 1; level <= 21; level += 4)
        compare_on_tile(&both, &alone, random_node(level), counts);
    runner_end(&both);
    runner_end(&alone);
}

static void lean_programs_give_the_bits_of_whole_ones(void)
{
    struct counts counts = {0};
    int lean_planets = 0;
    for (int round = 0; round < 40; round++) {
        struct planet *planet = random_color_planet();
        for (unsigned want = PLANET_WANT_COLOR; planet && want < PLANET_WANT_COUNT; want++) {
            if (planet->lean[want].step_count == 0)
                continue;
            lean_planets++;
            compare_on_tiles(planet, want, &counts);
        }
        planet_free(planet);
    }
    CHECK_TEXT(lean_planets >= 10 && counts.lean > 100 && counts.whole > 100, "%d planets, %d and %d blocks",
               lean_planets, counts.lean, counts.whole);
}

static bool has_lean(const char *text, unsigned want)
{
    struct planet *planet = load_text(text);
    bool lean = planet && planet->lean[want].step_count > 0;
    planet_free(planet);
    return lean;
}

static void only_programs_that_save_much_have_a_lean_one(void)
{
    static const char relief[] = "height = 4000 * fbm(2000e3, octaves = 12)\n"
                                 "color = select(height, 0, #0b2a4a, ramp(height, 0, #55702c, 4000, #f0f0f0))";
    unsigned color = PLANET_WANT_COLOR, both = PLANET_WANT_COLOR | PLANET_WANT_GRADIENT;
    CHECK(has_lean(relief, color) && !has_lean(relief, both) && !has_lean(relief, 0));
    static const char steep[] = "height = 4000 * fbm(2000e3, octaves = 12)\n"
                                "color = mix(ramp(height, 0, #55702c, 4000, #f0f0f0), #6b6258, slope(height))";
    CHECK(!has_lean(steep, color));
    static const char moist[] = "height = 4000 * fbm(2000e3, octaves = 12)\n"
                                "color = ramp(fbm(300e3, octaves = 12), -0.5, #55702c, 0.5, #f0f0f0)";
    CHECK(has_lean(moist, color) && has_lean(moist, both));
    static const char unknown[] = "height = 4000 * fbm(2000e3, octaves = 12)\n"
                                  "color = ramp(sqrt(fbm(300e3, octaves = 12)), 0, #55702c, 0.5, #f0f0f0)";
    CHECK(!has_lean(unknown, color));
}

// With so many values at the same time the whole program just fits, and the lean one, which works in place less often,
// does not.
static void a_planet_loads_though_its_lean_program_has_too_many_lanes(void)
{
    enum { FIELDS = 970, SLOPES = 159, WAVES = 40 };
    const size_t room = 200000;
    char *text = malloc(room);
    size_t length = 0;
    CHECK(text != NULL);
    if (!text)
        return;
#define ADD(...) (length += (size_t)snprintf(text + length, room - length, __VA_ARGS__))
    for (int i = 0; i < FIELDS; i++)
        ADD("f%d = fbm(1000e3, octaves = 1, seed = %d)\n", i, i + 1);
    for (int i = 0; i < SLOPES; i++)
        ADD("e%d = slope(f%d)\n", i, i);
    ADD("a0 = f0\nb0 = f0\nt0 = e0\nu0 = e0\n");
    for (int i = 1; i < FIELDS; i++)
        ADD("a%d = a%d + f%d\nb%d = b%d - f%d\n", i, i - 1, i, i, i - 1, i);
    for (int i = 1; i < SLOPES; i++)
        ADD("t%d = t%d + e%d\nu%d = u%d - e%d\n", i, i - 1, i, i, i - 1, i);
    ADD("x1 = fbm(900e3, octaves = 1, seed = 9001)\nx2 = fbm(800e3, octaves = 1, seed = 9002)\n"
        "x12 = slope(x1) + slope(x2)\nr%d = above(x1 + x2, 0.7)\n",
        WAVES);
    for (int i = 0; i < WAVES; i++)
        ADD("q%d = sin(longitude * %d)\nr%d = q%d - r%d\n", i, i + 2, i, i, i + 1);
    ADD("m1 = t%d - (x12 - r0)\nheight = a%d\n"
        "color = ramp(m1 - slope(b%d) - u%d, 0, #000000, 1, #ffffff)\n",
        SLOPES - 1, FIELDS - 1, FIELDS - 1, SLOPES - 1);
#undef ADD
    CHECK(length < room);
    struct planet *planet = load_text(text);
    unsigned want = PLANET_WANT_COLOR | PLANET_WANT_GRADIENT;
    CHECK(planet && planet->programs[want].lane_count == LANES_MAX && planet->lean[want].step_count == 0);
    planet_free(planet);
    free(text);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_ramp_by_value_is_the_ramp_of_any_footprint_that_is_narrower);
    CHECK_RUN(a_ramp_by_value_is_refused_only_near_a_knot);
    CHECK_RUN(above_by_value_is_above_of_any_footprint_that_is_narrower);
    CHECK_RUN(footprints_are_no_wider_than_the_widest);
    CHECK_RUN(lean_programs_give_the_bits_of_whole_ones);
    CHECK_RUN(only_programs_that_save_much_have_a_lean_one);
    CHECK_RUN(a_planet_loads_though_its_lean_program_has_too_many_lanes);
    return CHECK_END;
}

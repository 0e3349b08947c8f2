// SPDX-License-Identifier: MIT
// How steep fields can be (bake/planet/steepest.h): nowhere is one steeper.
#include "bake/planet/lattice.h"
#include "bake/planet/planet_internal.h"
#include "tests/color_planets.h"

// Runs all steps of the whole program on a block; returns how many fields with gradients had a bound.
static int check_steepness(const struct planet *planet, const struct double3 *dirs, double spacing)
{
    unsigned want = PLANET_WANT_COLOR | PLANET_WANT_GRADIENT;
    const struct program *program = &planet->programs[want];
    struct lattice_memory memory;
    struct status status;
    double *lanes = aligned_alloc(ARENA_ALIGNMENT, program->lane_count * PLANET_BLOCK * sizeof(double));
    int bounded = 0;
    CHECK(lanes && lattice_memory_new(&memory, &planet->tables, &status) == STATUS_OK);
    for (int i = 0; i < PLANET_BLOCK; i++) {
        lanes[i] = dirs[i].x;
        lanes[PLANET_BLOCK + i] = dirs[i].y;
        lanes[2 * PLANET_BLOCK + i] = dirs[i].z;
    }
    for (uint32_t s = 0; s < program->step_count; s++) {
        const struct step *step = &program->steps[s];
        program_run_step(program, &planet->tables, planet->kernels, &memory.program, lanes, spacing, spacing, s);
        double most = planet->tables.steepest[step->value];
        if (graph_ops[step->op].shape != SHAPE_FIELD || step->lane[1] == LANE_NONE || isinf(most))
            continue;
        bounded++;
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double square = 0;
            for (int k = 1; k < 4; k++) {
                double g = lanes[step->lane[k] * PLANET_BLOCK + i];
                square += g * g;
            }
            CHECK_TEXT(sqrt(square) <= most * (1 + 1e-6), "step %u (%d): %g for %g\n%s", s, (int)step->op, sqrt(square),
                       most, planet->text);
        }
    }
    lattice_memory_free(&memory);
    free(lanes);
    return bounded;
}

static int check_steepness_somewhere(const struct planet *planet, double spacing)
{
    struct double3 dirs[PLANET_BLOCK];
    patch_dirs(dirs, spacing);
    return check_steepness(planet, dirs, spacing);
}

// A peak that no point of those that planets are looked at from lies on, and what becomes steep there alone.
static void a_peak_that_was_not_seen_is_no_steeper_than_is_known(void)
{
    static const char *const fields[] = {"exp(6 * cone)", "1 / (2 - 1.9 * cone)", "pow(2 + 5 * cone, 5)",
                                         "(1 + cone) * (1 + cone) * (1 + cone) * (1 + cone)"};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "cone = smoothstep(0.012, 0, abs(y)) * smoothstep(0.012, 0, abs(z)) * smoothstep(0, 0.5, x)\n"
                 "height = 100 * fbm(900e3, octaves = 3)\ncolor = ramp(%s, 0, #000000, 3, #808080, 3, #ffffff)\n",
                 fields[k]);
        struct planet *planet = load_text(text);
        struct double3 dirs[PLANET_BLOCK];
        for (int i = 0; i < PLANET_BLOCK; i++) // on its ridge
            dirs[i] = double3_normalise((struct double3){1, 0.0001 * (i - 64), 0.00003 * (i % 16)});
        CHECK(planet && check_steepness(planet, dirs, 1e-4) > 0);
        planet_free(planet);
    }
}

// `coarse` makes slopes of jumps, as steep as its pitch allows.
static void what_jumps_is_steep_without_bound(void)
{
    struct planet *planet = load_text("age = coarse(cells(900e3, \"value\"), 100e3)\n"
                                      "height = 100 * fbm(900e3, octaves = 3)\n"
                                      "color = ramp(age, 0, #000000, 0.1, #808080, 0.1, #ffffff)\n");
    const struct program *program = planet ? &planet->programs[PLANET_WANT_COLOR] : NULL;
    int found = 0;
    for (uint32_t s = 0; planet && s < program->step_count; s++)
        if (program->steps[s].op == GRAPH_COARSE)
            found += isinf(planet->tables.steepest[program->steps[s].value]);
    CHECK(found == 1);
    planet_free(planet);
}

static void no_field_is_steeper_than_is_known(void)
{
    int bounded = 0;
    for (int round = 0; round < 60; round++) {
        struct planet *planet = random_color_planet();
        for (int k = 0; planet && k < 6; k++)
            bounded += check_steepness_somewhere(planet, k % 2 ? 1e-7 : 1e-3);
        planet_free(planet);
    }
    CHECK_TEXT(bounded > 1000, "%d", bounded);
    for (const struct builtin_planet *builtin = builtin_planets; builtin->name; builtin++) {
        struct planet *planet = load_text(builtin->text);
        for (int k = 0; planet && k < 4; k++)
            CHECK(check_steepness_somewhere(planet, k % 2 ? 1e-7 : 1e-3) > 0);
        planet_free(planet);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(no_field_is_steeper_than_is_known);
    CHECK_RUN(a_peak_that_was_not_seen_is_no_steeper_than_is_known);
    CHECK_RUN(what_jumps_is_steep_without_bound);
    return CHECK_END;
}

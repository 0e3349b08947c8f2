// SPDX-License-Identifier: MIT
// What a mask gives no weight is skipped, and no sample shows it: guards.h.
#include <math.h>

#include "bake/planet/kernels.h"
#include "bake/planet/lattice.h"
#include "bake/planet/planet_internal.h"
#include "tests/planet_help.h"

// Random planets, and blocks of samples that each of their programs is tried with.
enum { ROUNDS = 12, BLOCKS = 8 };
static const unsigned everything = PLANET_WANT_GRADIENT | PLANET_WANT_COLOR;

// A planet's program with memory to run it.
struct runner {
    const struct planet *planet;
    const struct program *program;
    struct lattice_memory memory;
    double *lanes;
};

static void runner_begin(struct runner *runner, const struct planet *planet, unsigned want)
{
    struct status status;
    *runner = (struct runner){.planet = planet, .program = &planet->programs[want]};
    runner->lanes = aligned_alloc(ARENA_ALIGNMENT, runner->program->lane_count * PLANET_BLOCK * sizeof(double));
    CHECK(runner->lanes && lattice_memory_new(&runner->memory, &planet->tables, &status) == STATUS_OK);
}

static void runner_end(struct runner *runner)
{
    lattice_memory_free(&runner->memory);
    free(runner->lanes);
}

static void place(struct runner *runner, const struct double3 *dirs)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        runner->lanes[i] = dirs[i].x;
        runner->lanes[PLANET_BLOCK + i] = dirs[i].y;
        runner->lanes[2 * PLANET_BLOCK + i] = dirs[i].z;
    }
}

// Returns how many steps were run, those of lattices among them.
static uint64_t run_program(struct runner *runner, const struct program *program, const struct double3 *dirs,
                            double spacing)
{
    uint64_t before = runner->memory.program.step_count;
    place(runner, dirs);
    program_run(program, &runner->planet->tables, runner->planet->kernels, &runner->memory.program, runner->lanes,
                spacing, spacing);
    return runner->memory.program.step_count - before;
}

static uint64_t run_all(struct runner *runner, const struct double3 *dirs, double spacing)
{
    return run_program(runner, runner->program, dirs, spacing);
}

// The same without skipping anything, each step where it stands.
static uint64_t run_every_step(struct runner *runner, const struct double3 *dirs, double spacing)
{
    struct program program = *runner->program;
    size_t bytes = program.step_count * sizeof *program.steps;
    program.guard_count = program.shared_count = program.site_count = 0;
    program.steps = malloc(bytes);
    CHECK(program.steps != NULL);
    memcpy(program.steps, runner->program->steps, bytes);
    for (uint32_t i = 0; i < program.step_count; i++) {
        program.steps[i].lazy = LAZY_NONE;
        for (int k = 0; k < GRAPH_INPUTS_MAX; k++)
            program.steps[i].site[k] = SITE_NONE;
    }
    uint64_t count = run_program(runner, &program, dirs, spacing);
    free(program.steps);
    return count;
}

enum { RESULT_LANES = 7 };

// The lanes of height, its gradient and the colour, as many as are wanted; returns how many.
static int copy_results(double *results, const struct runner *runner)
{
    int count = 0;
    for (int output = 0; output < runner->program->output_count; output++) {
        const struct step *step = &runner->program->steps[runner->program->output[output].step];
        for (int k = 0; k < STEP_LANES_MAX && step->lane[k] != LANE_NONE && count < RESULT_LANES; k++)
            memcpy(results + PLANET_BLOCK * count++, runner->lanes + (size_t)step->lane[k] * PLANET_BLOCK,
                   PLANET_BLOCK * sizeof(double));
    }
    return count;
}

// A patch of some size around a place.
static void patch(struct double3 *dirs, struct double3 middle, double size)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct double3 off = random_dir();
        dirs[i] = double3_normalise(
            (struct double3){middle.x + size * off.x, middle.y + size * off.y, middle.z + size * off.z});
    }
}

// ---- Random planets -------------------------------------------------------------------------------------

struct writer {
    char text[8192];
    size_t length;
    int fields, masks, colors;
    bool coarse, erode; // one of each, since they take long
};

#define WRITE(writer, ...)                                                                                             \
    ((writer)->length +=                                                                                               \
     (size_t)snprintf((writer)->text + (writer)->length, sizeof(writer)->text - (writer)->length, __VA_ARGS__))

static double random_between(double low, double high)
{
    return low + (high - low) * check_random_unit();
}

static int below(int count)
{
    return (int)check_random_below((uint64_t)count);
}

static void write_mask(struct writer *w)
{
    static const char axes[] = "xyz";
    char axis = axes[below(3)];
    int old = w->masks > 0 ? below(w->masks) : 0;
    WRITE(w, "m%d = ", w->masks);
    switch (w->masks < 3 ? 0 : below(7)) {
    case 0: WRITE(w, "smoothstep(%.2f, %.2f, %c)\n", random_between(-0.6, 0), random_between(0.1, 0.6), axis); break;
    case 1: WRITE(w, "smoothstep(%.2f, %.2f, %c)\n", random_between(0.1, 0.6), random_between(-0.6, 0), axis); break;
    case 2: WRITE(w, "1 - m%d\n", old); break;
    case 3: WRITE(w, "m%d * m%d\n", old, below(w->masks)); break;
    case 4: WRITE(w, "clamp(%.1f * %c, 0, 1)\n", random_between(1, 9), axis); break;
    case 5: WRITE(w, "m%d * max(f%d, 0)\n", old, below(w->fields)); break;
    default: WRITE(w, "max(%c, 0.2) - 0.2\n", axis); break;
    }
    w->masks++;
}

static void write_field(struct writer *w)
{
    int a = w->fields > 0 ? below(w->fields) : 0, b = w->fields > 0 ? below(w->fields) : 0, m = below(w->masks);
    int last = w->fields > 0 ? w->fields - 1 : 0, seed = 1 + below(1000), kind = w->fields < 2 ? 0 : below(15);
    if ((kind == 11 && w->coarse) || (kind == 12 && w->erode))
        kind = 0;
    w->coarse = w->coarse || kind == 11;
    w->erode = w->erode || kind == 12;
    WRITE(w, "f%d = ", w->fields);
    switch (kind) {
    case 0: WRITE(w, "fbm(%de3, octaves = 2, seed = %d)\n", 500 + below(4000), seed); break;
    case 1: WRITE(w, "fbm(%de3, octaves = 3, gain = 0.4 + 0.3 * f%d, seed = %d)\n", 500 + below(4000), a, seed); break;
    case 2:
    case 3: WRITE(w, "m%d * f%d\n", m, last); break;
    case 4:
    case 5: WRITE(w, "(f%d + ridged(900e3, octaves = 2, seed = %d)) * m%d\n", last, seed, m); break;
    case 6:
    case 7: WRITE(w, "mix(f%d, f%d + noise(600e3, seed = %d), m%d)\n", a, last, seed, m); break;
    case 8: WRITE(w, "mix(curve(f%d, -1, 0, 0, 3, 1, 1) + f%d, f%d, m%d)\n", a, last, b, m); break;
    case 9: WRITE(w, "f%d - f%d\n", last, a); break;
    case 10: WRITE(w, "f%d * clamp(f%d, -1, 1)\n", last, a); break;
    case 11: WRITE(w, "m%d * coarse(f%d, 400e3) + f%d\n", m, last, a); break;
    case 12: WRITE(w, "m%d * erode(9000 * f%d, 30e3, 3, %d)\n", m, a, seed); break;
    case 13:
        WRITE(w, "m%d * fbm(800e3, octaves = 2, at = warp(50e3, 2000e3, octaves = 1, seed = %d)) + f%d\n", m, seed,
              last);
        break;
    default: WRITE(w, "max(f%d, f%d)\n", last, a); break;
    }
    w->fields++;
}

static void write_color(struct writer *w)
{
    int a = w->colors > 0 ? below(w->colors) : 0, last = w->colors > 0 ? w->colors - 1 : 0;
    int f = below(w->fields), m = below(w->masks);
    WRITE(w, "c%d = ", w->colors);
    switch (w->colors < 2 ? 0 : below(5)) {
    case 0: WRITE(w, "ramp(f%d, -1, #10%d030, 0.2, #605040, 1, #f0e0d0)\n", f, below(10)); break;
    case 1: WRITE(w, "mix(c%d, c%d, 3 * m%d - 1)\n", a, last, m); break;
    case 2: WRITE(w, "select(f%d, 0, c%d, c%d)\n", f, last, a); break;
    case 3: WRITE(w, "c%d * m%d\n", last, m); break;
    default: WRITE(w, "ramp(f%d, -0.2, c%d, 0, c%d, 0.2, #ffffff)\n", f, last, a); break;
    }
    w->colors++;
}

static struct planet *random_planet(void)
{
    static struct writer w;
    w = (struct writer){0};
    while (w.masks < 3)
        write_mask(&w);
    while (w.fields < 14) {
        write_field(&w);
        if (w.masks < 8 && w.fields > 1)
            write_mask(&w);
    }
    while (w.colors < 7)
        write_color(&w);
    WRITE(&w, "height = 1000 * (f%d + m%d * f%d + f%d)\ncolor = c%d\n", w.fields - 1, below(w.masks), below(w.fields),
          w.fields - 2, w.colors - 1);
    CHECK(w.length < sizeof w.text);
    return load_text(w.text);
}

// ---- Claims ---------------------------------------------------------------------------------------------

// Returns whether anything was skipped: fewer steps once the lattices hold what either looks up.
static bool compare_with_every_step(struct runner *runner, const struct double3 *dirs, double spacing)
{
    static double skipped[RESULT_LANES * PLANET_BLOCK], all[RESULT_LANES * PLANET_BLOCK];
    run_all(runner, dirs, spacing);
    int count = copy_results(skipped, runner);
    run_every_step(runner, dirs, spacing);
    CHECK(copy_results(all, runner) == count && count > 0);
    CHECK_TEXT(memcmp(skipped, all, (size_t)count * PLANET_BLOCK * sizeof(double)) == 0, "at spacing %g", spacing);
    return run_all(runner, dirs, spacing) < run_every_step(runner, dirs, spacing);
}

static bool same_bits(const double *a, const double *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// Alone a sample lets more be skipped than among others.
static void compare_with_alone(const struct planet *planet, unsigned want)
{
    void *scratch = new_scratch(planet);
    struct double3 dirs[PLANET_BLOCK];
    static struct sampled among, alone;
    patch(dirs, (struct double3){0, 0, 0}, 1);
    memset(&among, 0, sizeof among);
    memset(&alone, 0, sizeof alone);
    sample_into(&among, planet, scratch, dirs, PLANET_BLOCK, 300e3, want);
    for (int i = 0; i < PLANET_BLOCK; i += 9) {
        sample_into(&alone, planet, scratch, &dirs[i], 1, 300e3, want);
        CHECK(same_bits(&among.height[i], &alone.height[0]) && same_bits(&among.gx[i], &alone.gx[0]) &&
              same_bits(&among.gy[i], &alone.gy[0]) && same_bits(&among.gz[i], &alone.gz[0]) &&
              same_bits(&among.red[i], &alone.red[0]) && same_bits(&among.green[i], &alone.green[0]) &&
              same_bits(&among.blue[i], &alone.blue[0]));
    }
    free(scratch);
}

// Of a piece only its last step is read from outside, by one step: a product at once.
static void check_guard(const struct program *program, const struct guard *guard)
{
    int readers = 0;
    CHECK(guard->mask < guard->first && guard->first < guard->end && guard->end < program->step_count);
    for (uint32_t i = guard->end; i < program->step_count; i++)
        for (int k = 0; k < program_input_count(program->steps[i].op); k++) {
            uint32_t input = program->steps[i].input[k];
            CHECK(input == STEP_POSITION || input < guard->first || input >= guard->end - 1);
            readers += input == guard->end - 1;
            enum graph_op op = program->steps[i].op;
            if (input == guard->end - 1 && (op == GRAPH_MULTIPLY || op == GRAPH_COLOR_SCALE))
                CHECK(i == guard->end);
        }
    CHECK(readers == 1);
    for (int i = 0; i < program->output_count; i++)
        CHECK(program->output[i].step < guard->first || program->output[i].step >= guard->end);
}

static void check_order(const struct program *program)
{
    for (uint32_t i = 0; i < program->step_count; i++)
        for (int k = 0; k < program_input_count(program->steps[i].op); k++)
            CHECK(program->steps[i].input[k] == STEP_POSITION || program->steps[i].input[k] < i);
    for (uint32_t g = 0; g < program->guard_count; g++) {
        const struct guard *guard = &program->guards[g];
        check_guard(program, guard);
        uint32_t depth = 1;
        for (uint32_t before = 0; before < g; before++) {
            const struct guard *outer = &program->guards[before];
            CHECK(outer->first <= guard->first && (outer->end <= guard->first || outer->end > guard->end));
            depth += outer->end > guard->first;
        }
        CHECK(depth <= 16);
    }
}

// Masks are computed before the guard looks at them, and still there.
static void check_shared(const struct program *program)
{
    uint32_t end = 0;
    for (uint32_t g = 0; g < program->shared_count; g++) {
        const struct shared_guard *guard = &program->shared[g];
        CHECK(guard->first >= end && guard->end > guard->first && guard->masks.count >= 1);
        end = guard->end;
        for (int m = 0; m < guard->masks.count; m++) {
            const struct step *mask = &program->steps[guard->masks.mask[m]];
            CHECK(guard->masks.mask[m] < guard->first);
            for (uint32_t i = guard->masks.mask[m] + 1; i < guard->first; i++)
                for (int k = 0; k < STEP_LANES_MAX; k++)
                    CHECK(program->steps[i].lane[k] == LANE_NONE || program->steps[i].lane[k] != mask->lane[0]);
        }
    }
    CHECK(end <= program->step_count);
}

// Returns in how many of its blocks something was skipped.
static int compare_program(const struct planet *planet, unsigned want)
{
    struct runner runner;
    int skipping = 0;
    runner_begin(&runner, planet, want);
    for (int k = 0; k < BLOCKS; k++) {
        struct double3 dirs[PLANET_BLOCK];
        // Where samples are close, the first of these, lattices are looked up.
        patch(dirs, random_dir(), k % 4 == 0 ? 2e-4 : k % 2 ? 0.1 : 3);
        skipping += compare_with_every_step(&runner, dirs, k % 4 == 0 ? 1e-4 : 0.02);
    }
    runner_end(&runner);
    return skipping;
}

static void skipping_never_changes_a_bit(void)
{
    int skipping = 0;
    uint32_t guards = 0, shared = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct planet *planet = random_planet();
        for (unsigned want = 0; want < PLANET_WANT_COUNT && planet; want++) {
            check_order(&planet->programs[want]);
            check_shared(&planet->programs[want]);
            skipping += compare_program(planet, want);
            compare_with_alone(planet, want);
            guards += planet->programs[want].guard_count;
            shared += planet->programs[want].shared_count;
        }
        planet_free(planet);
    }
    CHECK(shared > 0);
    // A third of what any of 300 seeds gave, for each planet.
    CHECK_TEXT(guards > 4 * ROUNDS && skipping > 4 * ROUNDS, "%u guards, %d of %d blocks", guards, skipping,
               ROUNDS * PLANET_WANT_COUNT * BLOCKS);
}

// A block where z is that everywhere.
static void ring(struct double3 *dirs, double z)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double around = sqrt(1 - z * z), angle = 0.01 * i;
        dirs[i] = (struct double3){around * cos(angle), around * sin(angle), z};
    }
}

// How many steps of a planet's program are skipped in such a block.
static int skipped_at(const char *text, double z, unsigned want)
{
    struct planet *planet = load_text(text);
    struct runner runner;
    struct double3 dirs[PLANET_BLOCK];
    if (!planet)
        return -1;
    ring(dirs, z);
    runner_begin(&runner, planet, want);
    int skipped = (int)runner.program->step_count - (int)run_all(&runner, dirs, 1e-3);
    runner_end(&runner);
    planet_free(planet);
    return skipped;
}

static void what_only_a_mask_shows_is_skipped(void)
{
    static const char first[] = "height = smoothstep(0, 0.1, z) * exp(fbm(1000e3))";
    static const char second[] = "height = exp(fbm(1000e3)) * smoothstep(0, 0.1, z)";
    for (unsigned want = 0; want < 2; want++) {
        CHECK(skipped_at(first, -0.5, want) == 2 && skipped_at(second, -0.5, want) == 2);
        CHECK(skipped_at(first, 0.05, want) == 0 && skipped_at(first, 0.5, want) == 0);
    }
    static const char nested[] = "height = smoothstep(0, 0.1, z) * (1 + smoothstep(0.5, 0.6, z) * exp(fbm(1000e3)))";
    CHECK(skipped_at(nested, 0.55, 0) == 0 && skipped_at(nested, 0.3, 0) == 2 && skipped_at(nested, -0.5, 0) == 5);
}

static void what_is_needed_elsewhere_is_not_skipped(void)
{
    static const char shared[] = "f = fbm(1000e3)\nheight = smoothstep(0, 0.1, z) * (exp(f) * exp(2 * f)) + f";
    CHECK(skipped_at(shared, -0.5, 0) == 4);
    static const char mask[] = "f = fbm(1000e3)\nheight = smoothstep(3, 4, f) * exp(f)";
    CHECK(skipped_at(mask, 0.5, 0) == 0);
    static const char both[] = "f = fbm(1000e3)\nheight = f * f";
    CHECK(skipped_at(both, 0.5, 0) == 0);
    static const char output[] = "height = fbm(1000e3)\ncolor = mix(#000000, #ffffff, smoothstep(0, 0.1, z) * height)";
    CHECK(skipped_at(output, -0.5, everything) == 0);
}

static void what_several_products_read_is_skipped_where_all_their_masks_are_0(void)
{
    static const char one[] = "m = smoothstep(0, 0.1, z)\nf = exp(fbm(1000e3))\nheight = m * f - 0.5 * m * (1 + f)";
    static const char two[] = "m = smoothstep(0, 0.1, z)\nn = smoothstep(0.3, 0.4, z)\nf = exp(fbm(1000e3))\n"
                              "height = 300 * m + n * f + (m - n) * m * (1 + f)";
    static const char three[] = "f = exp(fbm(1000e3))\nheight = smoothstep(0, 0.1, z) * f + f";
    for (unsigned want = 0; want < 2; want++) {
        CHECK(skipped_at(one, -0.5, want) == 2);
        CHECK(skipped_at(one, 0.05, want) == 0 && skipped_at(one, 0.5, want) == 0);
        CHECK(skipped_at(two, -0.5, want) == 2);
        CHECK(skipped_at(two, 0.2, want) == 0);
        CHECK(skipped_at(three, -0.5, want) == 0);
    }
    static const char sloped[] = "m = max(z, 0)\nf = exp(fbm(1000e3))\nheight = m * f - 0.5 * m * (1 + f)";
    CHECK(skipped_at(sloped, 0, 0) == 2 && skipped_at(sloped, -0.5, PLANET_WANT_GRADIENT) == 2);
    CHECK(skipped_at(sloped, 0, PLANET_WANT_GRADIENT) == 0);
}

static void what_needs_the_position_alone_waits_until_it_is_read(void)
{
    // The second mask is known after the noise.
    static const char text[] = "f = fbm(1000e3)\n"
                               "height = smoothstep(0, 0.1, z) * f + smoothstep(-0.3, -0.4, z) * (2 * f)";
    for (unsigned want = 0; want < 2; want++) {
        CHECK(skipped_at(text, -0.1, want) == 1 && skipped_at(text, -0.5, want) == 0);
        CHECK(skipped_at(text, 0.05, want) == 0 && skipped_at(text, -0.35, want) == 0);
    }
    // Of a mix its mask is looked at before it is read.
    static const char mixed[] = "f = fbm(1000e3)\nm = smoothstep(0, 0.1, z)\n"
                                "height = m * mix(fbm(900e3), exp(fbm(800e3)), f) + m * m * f";
    CHECK(skipped_at(mixed, 0.5, 0) == 0 && skipped_at(mixed, -0.5, 0) == 5);
    static const char output[] = "height = fbm(1000e3)\ncolor = #808080 * (smoothstep(0, 0.1, z) * height + "
                                 "smoothstep(-0.3, -0.4, z) * (2 * height))";
    CHECK(skipped_at(output, -0.1, everything) == 0);
}

// Lanes start with what is not a number: who reads a skipped step reads 0.
static void what_is_read_of_skipped_steps_is_a_number(void)
{
    struct planet *planet = load_text("m = smoothstep(0, 0.1, z)\nf = exp(fbm(1000e3))\n"
                                      "height = (m * f) * (m * (1 + f))");
    struct runner runner;
    struct double3 dirs[PLANET_BLOCK];
    int outlived = 0;
    runner_begin(&runner, planet, PLANET_WANT_GRADIENT);
    for (uint32_t i = 0; i < runner.program->lane_count * PLANET_BLOCK; i++)
        runner.lanes[i] = NAN;
    ring(dirs, -0.5);
    CHECK(run_all(&runner, dirs, 1e-3) < runner.program->step_count);
    for (uint32_t i = 0; i < runner.program->step_count; i++)
        for (int k = 0; k < 4 && runner.program->steps[i].outlives_guard; k++)
            for (int sample = 0; sample < PLANET_BLOCK; sample++, outlived++)
                CHECK(runner.lanes[runner.program->steps[i].lane[k] * PLANET_BLOCK + sample] == 0);
    CHECK(outlived > 0);
    runner_end(&runner);
    planet_free(planet);
}

static void both_sides_of_a_mix_are_skipped(void)
{
    static const char fields[] = "height = mix(fbm(1000e3), exp(fbm(900e3)), smoothstep(0, 0.1, z))";
    for (unsigned want = 0; want < 2; want++)
        CHECK(skipped_at(fields, -0.5, want) == 2 && skipped_at(fields, 0.5, want) == 1 &&
              skipped_at(fields, 0.05, want) == 0);
    static const char colors[] = "height = 1000 * z\n"
                                 "color = select(height, 0, ramp(fbm(1000e3), 0, #000000, 1, #ffffff), "
                                 "ramp(exp(fbm(900e3)), 0, #000000, 1, #ffffff))";
    CHECK(skipped_at(colors, -0.5, everything) == 3 && skipped_at(colors, 0.5, everything) == 2);
    CHECK(skipped_at(colors, 0, everything) == 0);
    static const char scaled[] = "height = z\ncolor = mix(#102030, #405060, fbm(1000e3)) * smoothstep(0, 0.1, z)";
    CHECK(skipped_at(scaled, -0.5, everything) == 4 && skipped_at(scaled, 0.5, everything) == 0);
}

// What a mix does not need may end before a product of other operands, with which the mix's other side begins.
static void a_product_behind_what_a_mix_does_not_need_is_computed(void)
{
    static const char *const texts[] = {
        "height = mix(fbm(1000e3), exp(exp(z * z)), smoothstep(0, 0.1, z))",
        "height = z\ncolor = mix(ramp(fbm(1000e3), 0, #000000, 1, #ffffff), "
        "ramp(z * z, 0, #000000, 1, #ffffff), smoothstep(0, 0.1, z))",
    };
    for (unsigned want = 0; want < PLANET_WANT_COUNT; want++) {
        struct planet *planet = load_text(texts[want & PLANET_WANT_COLOR ? 1 : 0]);
        struct runner runner;
        struct double3 dirs[PLANET_BLOCK];
        ring(dirs, 0.5);
        runner_begin(&runner, planet, want);
        CHECK(compare_with_every_step(&runner, dirs, 1e-3));
        const struct guard *guard = runner.program->guards;
        CHECK(runner.program->guard_count == 2 && runner.program->steps[guard->end].op == GRAPH_MULTIPLY);
        runner_end(&runner);
        planet_free(planet);
    }
}

// What waits until a mask shows it must not read what has gone by then.
static void noise_with_a_field_as_its_gain_does_not_wait_for_its_masks(void)
{
    struct planet *planet = load_text("g = 0.5 + 0.3 * x\n"
                                      "f = fbm(1000e3, octaves = 3, gain = g)\n"
                                      "n = smoothstep(-0.3, -0.4, z) * smoothstep(-1, 1, y)\n"
                                      "height = 1000 * (smoothstep(0, 0.1, z) * f + n * (2 * f))\n"
                                      "color = ramp(n * f, 0, #000000, 1, #ffffff)\n");
    for (unsigned want = 0; want < PLANET_WANT_COUNT; want++) {
        struct runner runner;
        struct double3 dirs[PLANET_BLOCK];
        runner_begin(&runner, planet, want);
        for (int step = -9; step <= 9; step++) {
            ring(dirs, 0.1 * step);
            compare_with_every_step(&runner, dirs, 1e-3);
        }
        runner_end(&runner);
    }
    planet_free(planet);
}

// At z = 0 the mask is 0, but its slope shows how high what it masks is.
static void a_mask_with_a_slope_hides_no_gradient(void)
{
    static const char sloped[] = "height = max(z, 0) * exp(fbm(1000e3))";
    CHECK(skipped_at(sloped, 0, PLANET_WANT_GRADIENT) == 0 && skipped_at(sloped, 0, 0) == 2);
    CHECK(skipped_at(sloped, -0.5, PLANET_WANT_GRADIENT) == 2);
    static const char blend[] = "height = mix(exp(fbm(1000e3)), exp(fbm(900e3)), clamp(z + 0.5, 0, 1))";
    CHECK(skipped_at(blend, -0.5, PLANET_WANT_GRADIENT) == 0 && skipped_at(blend, -0.5, 0) == 2);
    CHECK(skipped_at(blend, 0.5, PLANET_WANT_GRADIENT) == 0 && skipped_at(blend, 0.5, 0) == 2);
}

static void the_factor_that_is_never_flat_is_the_one_skipped(void)
{
    // The mask costs more than what it masks.
    static const char text[] = "height = fbm(1000e3, octaves = 3) * smoothstep(8, 9, fbm(900e3, octaves = 8))";
    CHECK(skipped_at(text, 0.5, 0) == 1);
    static const char never[] = "height = fbm(1000e3, octaves = 3) * (x + fbm(900e3, octaves = 8))";
    struct planet *planet = load_text(never);
    CHECK(planet && planet->programs[0].guard_count == 0);
    planet_free(planet);
}

// As long as a file may be, one inside the other, each needing something from outside.
static void masks_in_thousands_are_put_in_order(void)
{
    enum { COUNT = 2000 };
    char *text = malloc(COUNT * 64), *at = text;
    at += sprintf(at, "f0 = fbm(1000e3)\n");
    for (int i = 1; i < COUNT; i++)
        at += sprintf(at, "f%d = (y + f%d) * min(max(z, 0), %d)\n", i, i - 1, i);
    sprintf(at, "height = f%d + min(max(z, 0), 1000)", COUNT - 1);
    struct planet *planet = load_text(text);
    if (planet)
        check_order(&planet->programs[0]);
    CHECK(planet && planet->programs[0].guard_count == 16);
    planet_free(planet);
    free(text);
}

// What is shared with a guarded piece is made before it: here that would take too many lanes.
static void guards_give_way_where_lanes_are_short(void)
{
    enum { COUNT = 600 };
    char *text = malloc(COUNT * 256), *at = text;
    at += sprintf(at, "w0 = 1\np0 = 1\nq0 = 1\n");
    for (int i = 1; i < COUNT; i++) {
        at += sprintf(at, "a%d = sqrt(x + %d)\nb%d = sqrt(y + %d)\n", i, i + 2, i, i + 2);
        at += sprintf(at, "w%d = w%d + a%d\np%d = p%d + a%d * b%d\nq%d = q%d + b%d\n", i, i - 1, i, i, i - 1, i, i, i,
                      i - 1, i);
    }
    sprintf(at, "height = w%d + smoothstep(0, 0.1, z) * p%d + q%d", COUNT - 1, COUNT - 1, COUNT - 1);
    struct planet *planet = load_text(text);
    CHECK(planet && planet->programs[0].guard_count == 1);
    CHECK(planet && planet->programs[PLANET_WANT_GRADIENT].guard_count == 0);
    planet_free(planet);
    free(text);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(skipping_never_changes_a_bit);
    CHECK_RUN(what_only_a_mask_shows_is_skipped);
    CHECK_RUN(what_is_needed_elsewhere_is_not_skipped);
    CHECK_RUN(what_several_products_read_is_skipped_where_all_their_masks_are_0);
    CHECK_RUN(what_needs_the_position_alone_waits_until_it_is_read);
    CHECK_RUN(what_is_read_of_skipped_steps_is_a_number);
    CHECK_RUN(both_sides_of_a_mix_are_skipped);
    CHECK_RUN(a_product_behind_what_a_mix_does_not_need_is_computed);
    CHECK_RUN(noise_with_a_field_as_its_gain_does_not_wait_for_its_masks);
    CHECK_RUN(a_mask_with_a_slope_hides_no_gradient);
    CHECK_RUN(the_factor_that_is_never_flat_is_the_one_skipped);
    CHECK_RUN(masks_in_thousands_are_put_in_order);
    CHECK_RUN(guards_give_way_where_lanes_are_short);
    return CHECK_END;
}

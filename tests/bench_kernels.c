// SPDX-License-Identifier: MIT
// Nanoseconds a sample of the planet engine's kernels, one JSON object a line: the best of several runs by thread CPU
// time, for every vector width that this processor has. An argument filters by a part of the kernel's name.
//   bench_kernels [FILTER]
// "scattered" samples lie all over the sphere, "row" samples 20 m apart on Earth as in a tile of level 12. For the
// fractals 5 octaves of 8 and of 16 are double (frequency 2, lacunarity 2), the single one is float. "tile" is a tile
// of level 9, 256 x 256 samples in blocks of 16 x 8, the mean over its blocks; all its octaves are float, of frequency
// 1 to 32768, a single one of 8192.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bake/planet/kernels.h"
#include "bake/planet/plates.h"
#include "common/clock.h"

#define RUNS 25
#define SAMPLES_PER_RUN (PLANET_BLOCK * 200)

static _Alignas(64) double memory[56][PLANET_BLOCK];
static const char *filter = "";

static struct field field_at(int row, int gradient)
{
    if (!gradient)
        return (struct field){memory[row], NULL, NULL, NULL};
    return (struct field){memory[row], memory[row + 1], memory[row + 2], memory[row + 3]};
}

// What is timed: one call of one kernel on the fields out (row 0), a (4), b (8), t (12) at the positions in
// rows 16..18.
struct job {
    const char *name;
    void (*call)(const struct kernels *kernels, const struct job *job);
    int gradient;
    struct fractal fractal;
    const char *places;
};

static struct curve curve = {.count = 19};
static struct ramp ramp = {.count = 12};

static void call_fractal(const struct kernels *kernels, const struct job *job)
{
    struct points at = {memory[16], memory[17], memory[18], {NULL}};
    kernels->fractal(field_at(0, job->gradient), &at, &job->fractal);
}

// Positions of a whole tile, of which each call takes the next block.
#define TILE_SAMPLES 256
#define TILE_BLOCKS (TILE_SAMPLES * TILE_SAMPLES / PLANET_BLOCK)
static _Alignas(64) double tile[TILE_BLOCKS][3][PLANET_BLOCK];

static void place_tile(void)
{
    const double width = 2.0 / 512;
    for (int b = 0; b < TILE_BLOCKS; b++)
        for (int i = 0; i < PLANET_BLOCK; i++) {
            int column = b % (TILE_SAMPLES / 16) * 16 + i % 16, row = b / (TILE_SAMPLES / 16) * 8 + i / 16;
            double p[3] = {0.3 + width * column / TILE_SAMPLES, 0.1 + width * row / TILE_SAMPLES, 1.0};
            double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
            for (int k = 0; k < 3; k++)
                tile[b][k][i] = p[k] / length;
        }
}

static void call_tile(const struct kernels *kernels, const struct job *job)
{
    static int next;
    double(*p)[PLANET_BLOCK] = tile[next++ % TILE_BLOCKS];
    struct points at = {p[0], p[1], p[2], {NULL}};
    kernels->fractal(field_at(0, job->gradient), &at, &job->fractal);
}

static void call_cellular(const struct kernels *kernels, const struct job *job)
{
    struct points at = {memory[16], memory[17], memory[18], {NULL}};
    struct cellular cellular = {
        .kind = CELLULAR_EDGE, .frequency = job->fractal.frequency, .jitter = 1, .seed = 1, .f_max = INFINITY};
    kernels->cellular(field_at(0, job->gradient), &at, &cellular);
}

// A field on the Moon, largest 600 km, with the detail that 20 m apart can carry (or what is scattered, 20 km).
static void call_craters(const struct kernels *kernels, const struct job *job)
{
    struct craters craters = {.largest = 600.0 / 1737.4,
                              .density = 1,
                              .depth = 1,
                              .transition = 18.0 / 1737.4,
                              .age = 1,
                              .radius_m = 1737400,
                              .seed = 1,
                              .f_max = job->fractal.f_max};
    kernels->craters(field_at(0, job->gradient), memory[16], memory[17], memory[18], &craters);
}

static void call_rays(const struct kernels *kernels, const struct job *job)
{
    struct craters craters = {.output = CRATER_RAYS,
                              .largest = 600.0 / 1737.4,
                              .density = 1,
                              .depth = 1,
                              .transition = 18.0 / 1737.4,
                              .age = 1,
                              .radius_m = 1737400,
                              .seed = 1,
                              .f_max = job->fractal.f_max};
    kernels->craters(field_at(0, 0), memory[16], memory[17], memory[18], &craters);
}

#define CALL(name, arguments)                                                                                          \
    static void call_##name(const struct kernels *kernels, const struct job *job)                                      \
    {                                                                                                                  \
        struct field out = field_at(0, job->gradient), a = field_at(4, job->gradient), b = field_at(8, job->gradient), \
                     t = field_at(12, job->gradient);                                                                  \
        (void)b, (void)t;                                                                                              \
        kernels->name arguments;                                                                                       \
    }
CALL(affine, (out, a, 2.0, 1.0))
CALL(add, (out, a, b))
CALL(multiply, (out, a, b))
CALL(divide, (out, a, b))
CALL(minimum, (out, a, b))
CALL(absolute, (out, a))
CALL(square_root, (out, a))
CALL(clamp, (out, a, 0.2, 0.8))
CALL(smoothstep, (out, a, 0.2, 0.8))
CALL(mix, (out, a, b, t))
CALL(exponential, (out, a))
CALL(curve, (out, a, &curve))

static void call_above(const struct kernels *kernels, const struct job *job)
{
    (void)job;
    kernels->above(field_at(0, 0), field_at(4, 1), memory[16], memory[17], memory[18], 0.5, 0.01, 0.001, INFINITY);
}

static void call_ramp(const struct kernels *kernels, const struct job *job)
{
    double *const out[3] = {memory[0], memory[1], memory[2]};
    kernels->ramp(out, field_at(4, job->gradient), memory[16], memory[17], memory[18], &ramp, 0.01, INFINITY);
}

static void measure(const struct kernels *kernels, const struct job *job)
{
    if (!strstr(job->name, filter))
        return;
    int calls = SAMPLES_PER_RUN / PLANET_BLOCK, octaves = job->fractal.octaves;
    if (octaves)
        calls = calls / octaves + 1;
    if (job->call == call_tile)
        calls = TILE_BLOCKS;
    double best = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        double start = clock_thread_seconds();
        for (int call = 0; call < calls; call++)
            job->call(kernels, job);
        double seconds = clock_thread_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    printf("{\"kernel\":\"%s\",\"variant\":\"%s\",\"gradient\":%s", job->name, kernels->name,
           job->gradient ? "true" : "false");
    if (octaves)
        printf(",\"octaves\":%d,\"places\":\"%s\"", octaves, job->places);
    printf(",\"ns_per_sample\":%.2f}\n", best * 1e9 / ((double)calls * PLANET_BLOCK));
}

static void place_samples(int scattered)
{
    uint64_t state = 1;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double p[3] = {0.36, 0.48 + 20.0 / 6371000.0 * i, 0.8};
        for (int k = 0; k < 3 && scattered; k++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            p[k] = (double)(state >> 11) * 0x1p-52 - 1.0;
        }
        double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int k = 0; k < 3; k++)
            memory[16 + k][i] = p[k] / length;
    }
}

static void measure_fractals(const struct kernels *kernels)
{
    static const char *const names[] = {"fbm", "billow", "ridged"};
    for (int scattered = 1; scattered >= 0; scattered--)
        for (int kind = FRACTAL_FBM; kind <= FRACTAL_RIDGED; kind++)
            for (int gradient = 0; gradient < 2; gradient++)
                for (int octaves = 1; octaves <= 16; octaves += octaves == 1 ? 7 : 8) {
                    place_samples(scattered);
                    struct job job = {names[kind], call_fractal, gradient,
                                      .fractal = {.kind = (enum fractal_kind)kind,
                                                  .frequency = octaves == 1 ? 128.0 : 2.0,
                                                  .octaves = octaves,
                                                  .gain = 0.5,
                                                  .lacunarity = 2.0,
                                                  .seed = 1,
                                                  .f_max = INFINITY},
                                      .places = scattered ? "scattered" : "row"};
                    measure(kernels, &job);
                }
}

static void measure_tile(const struct kernels *kernels)
{
    place_tile();
    for (int gradient = 0; gradient < 2; gradient++)
        for (int octaves = 1; octaves <= 16; octaves += octaves == 1 ? 7 : 8) {
            struct job job = {.name = "fbm tile",
                              .call = call_tile,
                              .gradient = gradient,
                              .fractal = {.kind = FRACTAL_FBM,
                                          .frequency = octaves == 1 ? 8192.0 : 1.0,
                                          .octaves = octaves,
                                          .gain = 0.5,
                                          .lacunarity = 2.0,
                                          .seed = 1,
                                          .f_max = 5e4},
                              .places = "tile"};
            measure(kernels, &job);
        }
}

// 16 x 8 samples 20 m apart on the Moon.
static void place_patch(void)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double step = 20.0 / 1737400.0;
        double p[3] = {0.36 + step * (i / 16), 0.48 + step * (i % 16), 0.8};
        double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int k = 0; k < 3; k++)
            memory[16 + k][i] = p[k] / length;
    }
}

static void measure_craters(const struct kernels *kernels)
{
    for (int scattered = 1; scattered >= 0; scattered--)
        for (int gradient = 0; gradient < 2; gradient++) {
            place_samples(scattered);
            struct job job = {.name = "cellular",
                              .call = call_cellular,
                              .gradient = gradient,
                              .fractal = {.frequency = 128.0, .octaves = 1},
                              .places = scattered ? "scattered" : "row"};
            measure(kernels, &job);
            if (!scattered)
                place_patch();
            job = (struct job){.name = "craters",
                               .call = call_craters,
                               .gradient = gradient,
                               .fractal = {.octaves = 50, .f_max = 0.5 * 1737400.0 / (scattered ? 20e3 : 20.0)},
                               .places = scattered ? "scattered" : "patch"};
            measure(kernels, &job);
            job.name = "crater rays";
            job.call = call_rays;
            if (!gradient)
                measure(kernels, &job);
        }
}

static struct plates plates;

// All parts, in rows 20 on.
static void call_plates(const struct kernels *kernels, const struct job *job)
{
    struct points at = {memory[16], memory[17], memory[18], {NULL}};
    struct field out[PLATE_PARTS];
    for (int part = 0; part < PLATE_PARTS; part++)
        out[part] = field_at(20 + 4 * part, job->gradient);
    kernels->plates(out, &at, &plates);
}

static void measure_plates(const struct kernels *kernels)
{
    plates_prepare(&plates, 22, 1, 1);
    for (int scattered = 1; scattered >= 0; scattered--)
        for (int gradient = 0; gradient < 2; gradient++) {
            place_samples(scattered);
            struct job job = {
                .name = scattered ? "plates scattered" : "plates row", .call = call_plates, .gradient = gradient};
            measure(kernels, &job);
        }
}

static void measure_fields(const struct kernels *kernels)
{
    static const struct job jobs[] = {{.name = "affine", .call = call_affine},
                                      {.name = "add", .call = call_add},
                                      {.name = "multiply", .call = call_multiply},
                                      {.name = "divide", .call = call_divide},
                                      {.name = "minimum", .call = call_minimum},
                                      {.name = "absolute", .call = call_absolute},
                                      {.name = "square_root", .call = call_square_root},
                                      {.name = "clamp", .call = call_clamp},
                                      {.name = "smoothstep", .call = call_smoothstep},
                                      {.name = "mix", .call = call_mix},
                                      {.name = "exponential", .call = call_exponential},
                                      {.name = "curve", .call = call_curve},
                                      {.name = "above", .call = call_above},
                                      {.name = "ramp", .call = call_ramp}};
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++)
        for (int gradient = 0; gradient < 2; gradient++) {
            for (int row = 4; row < 16; row++)
                for (int i = 0; i < PLANET_BLOCK; i++)
                    memory[row][i] = (double)((i * 37 + row * 11) % PLANET_BLOCK) / PLANET_BLOCK;
            struct job job = jobs[j];
            job.gradient = gradient;
            measure(kernels, &job);
        }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        filter = argv[1];
    for (int k = 0; k < curve.count; k++)
        curve.x[k] = k / 19.0, curve.y[k] = k * k;
    for (int k = 0; k < ramp.count; k++)
        ramp.x[k] = k / 12.0, ramp.red[k] = k & 1, ramp.green[k] = k & 2, ramp.blue[k] = k & 3;
    curve_prepare(&curve);
    ramp_prepare(&ramp);
    static const char *const names[] = {"base", "avx2", "avx512"};
    for (int v = 0; v < 3; v++) {
        const struct kernels *kernels = kernels_named(names[v]);
        if (!kernels)
            continue;
        measure_fractals(kernels);
        measure_tile(kernels);
        measure_craters(kernels);
        measure_plates(kernels);
        measure_fields(kernels);
    }
    return 0;
}

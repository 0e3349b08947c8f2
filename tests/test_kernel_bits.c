// SPDX-License-Identifier: MIT
// Every vector width, compiler and optimisation level computes the same bits: all kernels on random and extreme inputs,
// the variants against each other and all against one hash that is written down here.
#include "bake/planet/plates.h"
#include "common/byteorder.h"
#include "formats/sha256.h"
#include "tests/kernel_block.h"

// Of all outputs in order, as little-endian doubles with one form for what is not a number. It changes when a kernel's
// result changes, which changes every planet, and then only.
static const char golden[] = "45bd841df4a6a18bd19673c93d32a59c107fc36071a4ea3ce270739cff2a2028";

// Of the kernels that came later, so that a change of theirs leaves the one above as it is.
static const char golden_later[] = "e236bf6aa23c5604dba5f22ed62d02241e5a715fba2501f597b19e648a672de9";

static const char golden_features[] = "9ba8ec9423e927f4949124466ac7184204b95b16f9f6793aaf9325d06df79f3c";

enum { ROUNDS = 24 };

static struct curve curve;
static struct ramp ramp;

static const double extremes[] = {0.0,        -0.0,      1.0,     -1.0,   0.5,     0x1p-1074, -0x1p-1074, 0x1p-1022,
                                  -0x1p-1023, 1e-300,    -1e-300, 1e300,  -1e300,  0x1p53,    -0x1p53,    3.0,
                                  700.0,      -700.0,    709.0,   -745.0, 0.1,     -0.3,      1e15,       -1e15,
                                  INFINITY,   -INFINITY, NAN,     0x1p31, -0x1p31, 0x1p63,    1e-9,       1.5};
#define EXTREME_COUNT (sizeof extremes / sizeof *extremes)

struct inputs {
    struct block a, b, t, places, scattered, jacobian[3], colors[2];
};

// Moderate numbers in even rounds; in odd ones every third number is an extreme.
static void fill_inputs(struct inputs *inputs, int round)
{
    struct block *blocks[] = {&inputs->a,           &inputs->b,           &inputs->t,
                              &inputs->scattered,   &inputs->jacobian[0], &inputs->jacobian[1],
                              &inputs->jacobian[2], &inputs->colors[0],   &inputs->colors[1]};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < PLANET_BLOCK; i++) {
                double x = random_between(-2.0, 2.0);
                if (round & 1 && check_random_below(3) == 0)
                    x = extremes[check_random_below(EXTREME_COUNT)];
                blocks[b]->row[k][i] = x;
            }
    for (int i = 0; i < PLANET_BLOCK; i++) {
        // sqrt and division only, so that the places do not depend on the C library. Every third round has them close
        // together, in one cell of most octaves.
        double spread = round % 3 ? 1.0 : 1e-4;
        double x = random_between(-1, 1) * spread - 0.2, y = random_between(-1, 1) * spread + 0.1;
        double z = random_between(-1, 1) * spread + 0.3;
        double length = sqrt(x * x + y * y + z * z + 1e-9);
        inputs->places.row[0][i] = x / length;
        inputs->places.row[1][i] = y / length;
        inputs->places.row[2][i] = z / length;
    }
}

// Outputs are gathered here in order: a hash, and the bytes themselves for comparing.
#define GATHER_BYTES_MAX ((size_t)8 << 20)
struct gathered {
    unsigned char *bytes;
    size_t size_bytes;
};

static void gather(struct gathered *gathered, const struct block *block, int rows)
{
    for (int k = 0; k < rows; k++)
        for (int i = 0; i < PLANET_BLOCK; i++) {
            uint64_t bits;
            memcpy(&bits, &block->row[k][i], sizeof bits);
            if (isnan(block->row[k][i]))
                bits = UINT64_C(0x7FF8000000000000);
            if (gathered->size_bytes + 8 <= GATHER_BYTES_MAX) {
                put_u64le(gathered->bytes + gathered->size_bytes, bits);
                gathered->size_bytes += 8;
            }
        }
}

static void run_arithmetic(const struct kernels *kernels, struct inputs *inputs, struct gathered *gathered)
{
    static struct block result;
    struct field a = block_field(&inputs->a, true), b = block_field(&inputs->b, true),
                 t = block_field(&inputs->t, true);
    struct field out = block_field(&result, true);
    const double *x = inputs->places.row[0], *y = inputs->places.row[1], *z = inputs->places.row[2];
#define GATHER(call) (kernels->call, gather(gathered, &result, 4))
    GATHER(fill(out, -3.25));
    GATHER(affine(out, a, 1.7, -0.3));
    GATHER(add(out, a, b));
    GATHER(subtract(out, a, b));
    GATHER(multiply(out, a, b));
    GATHER(divide(out, a, b));
    GATHER(minimum(out, a, b));
    GATHER(maximum(out, a, b));
    GATHER(absolute(out, a));
    GATHER(square_root(out, a));
    GATHER(clamp(out, a, -0.7, 0.9));
    GATHER(smoothstep(out, a, -0.7, 0.9));
    GATHER(smoothstep(out, a, 0.9, -0.7));
    GATHER(mix(out, a, b, t));
    GATHER(exponential(out, a));
    GATHER(curve(out, a, &curve));
    struct field value = block_field(&result, false);
    GATHER(above(value, a, x, y, z, 0.1, 1e-3, 0.01, INFINITY));
    GATHER(above(value, a, x, y, z, 0.0, 0.0, 1e-9, INFINITY));
    GATHER(steepness(value, a, x, y, z));
    double *const colors[3] = {result.row[0], result.row[1], result.row[2]};
    double *const one[3] = {inputs->colors[0].row[0], inputs->colors[0].row[1], inputs->colors[0].row[2]};
    double *const two[3] = {inputs->colors[1].row[0], inputs->colors[1].row[1], inputs->colors[1].row[2]};
    GATHER(ramp(colors, a, x, y, z, &ramp, 0.05, INFINITY));
    GATHER(ramp(colors, a, x, y, z, &ramp, 1e-12, INFINITY));
    GATHER(ramp(colors, block_field(&inputs->a, false), x, y, z, &ramp, 0.05, INFINITY));
    GATHER(color_mix(colors, one, two, inputs->t.row[0]));
    GATHER(color_scale(colors, one, inputs->t.row[0]));
}

static void run_fractals(const struct kernels *kernels, struct inputs *inputs, struct gathered *gathered, int round)
{
    static struct block result, moved, jacobian[3];
    for (int kind = FRACTAL_FBM; kind <= FRACTAL_RIDGED; kind++) {
        struct fractal fractal = {.kind = (enum fractal_kind)kind,
                                  .frequency = round % 4 < 2 ? 1.3 : 47.0,
                                  .octaves = 9,
                                  .gain = 0.55,
                                  .lacunarity = 2.17,
                                  .seed = UINT64_C(0xC0FFEE123456789) * (uint64_t)(round + 1),
                                  .f_max = round % 3 ? 1e30 : 800.0};
        struct points at = block_points(&inputs->places), odd = block_points(&inputs->scattered);
        GATHER(fractal(block_field(&result, true), &at, &fractal));
        GATHER(fractal(block_field(&result, false), &at, &fractal));
        GATHER(fractal(block_field(&result, true), &odd, &fractal));
        for (int j = 0; j < 9; j++)
            odd.jacobian[j] = inputs->jacobian[j / 3].row[j % 3];
        GATHER(fractal(block_field(&result, true), &odd, &fractal));
        struct points next = block_points(&moved);
        for (int j = 0; j < 9; j++)
            next.jacobian[j] = jacobian[j / 3].row[j % 3];
        kernels->warp(&next, round & 2 ? &at : &odd, 0.4, block_field(&inputs->a, true), block_field(&inputs->b, true),
                      block_field(&inputs->t, true));
        gather(gathered, &moved, 3);
        for (int j = 0; j < 3; j++)
            gather(gathered, &jacobian[j], 3);
    }
}

static void run_cellular(const struct kernels *kernels, struct inputs *inputs, struct gathered *gathered, int round)
{
    static struct block result;
    for (int kind = CELLULAR_DISTANCE; kind <= CELLULAR_VALUE; kind++) {
        struct cellular cellular = {.kind = (enum cellular_kind)kind,
                                    .frequency = round % 4 < 2 ? 3.1 : 470.0,
                                    .jitter = round % 5 * 0.25,
                                    .seed = UINT64_C(0xC0FFEE123456789) * (uint64_t)(round + 1),
                                    .f_max = round % 3 ? 1e30 : 600.0};
        struct points at = block_points(&inputs->places), odd = block_points(&inputs->scattered);
        GATHER(cellular(block_field(&result, true), &at, &cellular));
        for (int j = 0; j < 9; j++)
            odd.jacobian[j] = inputs->jacobian[j / 3].row[j % 3];
        GATHER(cellular(block_field(&result, true), &odd, &cellular));
    }
}

static void run_craters(const struct kernels *kernels, struct inputs *inputs, struct gathered *gathered, int round)
{
    static struct block result;
    const double *x = inputs->places.row[0], *y = inputs->places.row[1], *z = inputs->places.row[2];
    struct craters craters = {.output = CRATER_HEIGHT,
                              .largest = 0.8,
                              .smallest = round % 4 ? 0 : 0.05,
                              .density = 1.1,
                              .depth = 1,
                              .transition = 0.01,
                              .age = 0.9,
                              .radius_m = 1737400,
                              .seed = UINT64_C(0xC0FFEE123456789) * (uint64_t)(round + 1),
                              .f_max = round % 3 ? 60 : 2e4};
    GATHER(craters(block_field(&result, true), x, y, z, &craters));
    craters.output = CRATER_RAYS;
    GATHER(craters(block_field(&result, false), x, y, z, &craters));
}

static void run_powers(const struct kernels *kernels, struct inputs *inputs, struct gathered *gathered)
{
    static struct block result, wide;
    struct field a = block_field(&inputs->a, true), b = block_field(&wide, true), out = block_field(&result, true);
    GATHER(power(out, a, 0.37));
    GATHER(power(out, a, 1.0));
    GATHER(power(out, a, 3.6));
    GATHER(sine(out, a));
    GATHER(cosine(out, a));
    kernels->affine(b, a, 1234.5, 0.0);
    GATHER(sine(out, b));
    GATHER(cosine(out, b));
}

static void run_gains(const struct kernels *kernels, struct inputs *inputs, struct gathered *gathered, int round)
{
    static struct block result;
    for (int kind = FRACTAL_FBM; kind <= FRACTAL_RIDGED; kind++) {
        struct fractal fractal = {.kind = (enum fractal_kind)kind,
                                  .frequency = round % 4 < 2 ? 1.3 : 47.0,
                                  .octaves = 9,
                                  .gain = 1.0,
                                  .lacunarity = 2.17,
                                  .seed = UINT64_C(0xC0FFEE123456789) * (uint64_t)(round + 1),
                                  .f_max = round % 3 ? 1e30 : 800.0};
        struct points at = block_points(&inputs->places), odd = block_points(&inputs->scattered);
        GATHER(fractal_gain(block_field(&result, true), &at, block_field(&inputs->a, true), &fractal));
        GATHER(fractal_gain(block_field(&result, false), &at, block_field(&inputs->a, false), &fractal));
        for (int j = 0; j < 9; j++)
            odd.jacobian[j] = inputs->jacobian[j / 3].row[j % 3];
        GATHER(fractal_gain(block_field(&result, true), &odd, block_field(&inputs->t, true), &fractal));
    }
}

static void run_plates(const struct kernels *kernels, struct inputs *inputs, struct gathered *gathered, int round)
{
    static struct plates plates;
    static struct block results[PLATE_PARTS];
    plates_prepare(&plates, round % 5 == 4 ? PLATES_MAX : 3 + 2 * round, 0.3 + round % 3, (uint64_t)round);
    struct points at = block_points(round & 2 ? &inputs->places : &inputs->scattered);
    for (int j = 0; j < 9 && round & 4; j++)
        at.jacobian[j] = inputs->jacobian[j / 3].row[j % 3];
    struct field out[PLATE_PARTS];
    for (int part = 0; part < PLATE_PARTS; part++)
        out[part] = block_field(&results[part], true);
    kernels->plates(out, &at, &plates);
    for (int part = 0; part < PLATE_PARTS; part++)
        gather(gathered, &results[part], 4);
}

static void run_all(const struct kernels *kernels, struct gathered *gathered)
{
    static struct inputs inputs;
    check_state = 42; // the hash is of these inputs, whatever seed the tests run with
    gathered->size_bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        fill_inputs(&inputs, round);
        run_arithmetic(kernels, &inputs, gathered);
        run_fractals(kernels, &inputs, gathered, round);
    }
}

static void run_later(const struct kernels *kernels, struct gathered *gathered)
{
    static struct inputs inputs;
    check_state = 43;
    gathered->size_bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        fill_inputs(&inputs, round);
        run_powers(kernels, &inputs, gathered);
        run_gains(kernels, &inputs, gathered, round);
        run_plates(kernels, &inputs, gathered, round);
    }
}

static void run_features(const struct kernels *kernels, struct gathered *gathered)
{
    static struct inputs inputs;
    check_state = 44;
    gathered->size_bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        fill_inputs(&inputs, round);
        run_cellular(kernels, &inputs, gathered, round);
        run_craters(kernels, &inputs, gathered, round);
    }
}

static void check_variants(void (*run)(const struct kernels *, struct gathered *), const char *expected)
{
    struct gathered first = {malloc(GATHER_BYTES_MAX), 0}, other = {malloc(GATHER_BYTES_MAX), 0};
    CHECK(first.bytes && other.bytes);
    if (!first.bytes || !other.bytes)
        return;
    run(kernels_named("base"), &first);
    CHECK(first.size_bytes > 500000 && first.size_bytes < GATHER_BYTES_MAX);
    uint8_t digest[SHA256_BYTES];
    char text[2 * SHA256_BYTES + 1];
    sha256_of(digest, first.bytes, first.size_bytes);
    sha256_text(text, digest);
    CHECK_TEXT(strcmp(text, expected) == 0, "base gives %s", text);
    for (int v = 1; v < KERNEL_VARIANT_COUNT; v++) {
        const struct kernels *kernels = kernels_named(kernel_variants[v]);
        if (!kernels) {
            printf("  (this processor has no %s)\n", kernel_variants[v]);
            continue;
        }
        run(kernels, &other);
        CHECK(other.size_bytes == first.size_bytes);
        for (size_t at = 0; at < first.size_bytes; at += 8)
            CHECK_TEXT(memcmp(first.bytes + at, other.bytes + at, 8) == 0, "%s differs from base at output %zu",
                       kernel_variants[v], at / 8);
    }
    free(first.bytes);
    free(other.bytes);
}

static void all_variants_give_the_golden_bits(void)
{
    check_variants(run_all, golden);
}

static void all_variants_give_the_later_golden_bits(void)
{
    check_variants(run_later, golden_later);
}

static void cells_and_craters_of_all_variants_give_the_golden_bits(void)
{
    check_variants(run_features, golden_features);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    curve = (struct curve){.count = 6, .x = {-1.5, -0.4, 0.1, 0.3, 1.2, 5.0}, .y = {-2.0, 0.0, 0.5, 0.4, 3.0, 3.0}};
    ramp = (struct ramp){.count = 5,
                         .x = {-1.0, 0.0, 0.0, 0.6, 1.4},
                         .red = {0.0, 0.2, 0.9, 0.1, 1.0},
                         .green = {0.3, 0.1, 0.4, 0.1, 0.5},
                         .blue = {0.9, 0.2, 0.6, 0.5, 0.35}};
    curve_prepare(&curve);
    ramp_prepare(&ramp);
    CHECK_RUN(all_variants_give_the_golden_bits);
    CHECK_RUN(all_variants_give_the_later_golden_bits);
    CHECK_RUN(cells_and_craters_of_all_variants_give_the_golden_bits);
    return CHECK_END;
}

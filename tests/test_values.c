// SPDX-License-Identifier: MIT
// The small value headers of common: arena, byte order, sample grid, vectors.
#include "common/arena.h"

#include "common/byteorder.h"
#include "common/tile_grid.h"
#include "common/vec3.h"
#include "tests/check.h"

static void blocks_are_aligned_and_never_overlap(void)
{
    for (int k = 0; k < 2000; k++) {
        unsigned char memory[4096 + 64];
        struct arena arena = arena_over(memory + check_random_below(64), 4096);
        unsigned char *last = arena.at;
        for (;;) {
            size_t count = check_random_below(40), bytes = 1 + check_random_below(16);
            size_t left = (size_t)(arena.end - arena.at);
            unsigned char *block = arena_take(&arena, count, bytes);
            if (!block) {
                CHECK(left < arena_bound(count, bytes));
                break;
            }
            CHECK((uintptr_t)block % ARENA_ALIGNMENT == 0 && block >= last && block + count * bytes <= arena.end);
            last = block + count * bytes;
            CHECK(arena.at == last);
        }
    }
}

static void an_arena_of_the_bounds_is_large_enough(void)
{
    unsigned char memory[2000];
    for (size_t offset = 0; offset < 64; offset++) {
        size_t size = arena_bound(7, 13) + arena_bound(100, 8) + arena_bound(1, 1);
        struct arena arena = arena_over(memory + offset, size);
        CHECK(arena_take(&arena, 7, 13) && arena_take(&arena, 100, 8) && arena_take(&arena, 1, 1));
    }
}

static void sizes_that_overflow_do_not_fit(void)
{
    unsigned char memory[256];
    struct arena arena = arena_over(memory, sizeof memory);
    CHECK(!arena_take(&arena, SIZE_MAX, 2) && !arena_take(&arena, SIZE_MAX / 2 + 2, 2));
    CHECK(!arena_take(&arena, 1, SIZE_MAX) && !arena_take(&arena, 257, 1));
    CHECK(arena.at == memory);
}

static void a_copy_is_scratch(void)
{
    unsigned char memory[512];
    struct arena arena = arena_over(memory, sizeof memory), copy = arena;
    void *first = arena_take(&copy, 10, 10);
    CHECK(arena.at == memory && arena_take(&arena, 10, 10) == first);
}

static void bytes_are_little_endian_at_any_alignment(void)
{
    uint8_t bytes[16] = {0};
    for (int at = 0; at < 8; at++) {
        put_u64le(bytes + at, UINT64_C(0x0123456789ABCDEF));
        CHECK(bytes[at] == 0xEF && bytes[at + 7] == 0x01 && get_u64le(bytes + at) == UINT64_C(0x0123456789ABCDEF));
        put_u32le(bytes + at, 0x89ABCDEF);
        CHECK(bytes[at] == 0xEF && bytes[at + 3] == 0x89 && get_u32le(bytes + at) == 0x89ABCDEF);
        put_u16le(bytes + at, 0xCDEF);
        CHECK(bytes[at] == 0xEF && bytes[at + 1] == 0xCD && get_u16le(bytes + at) == 0xCDEF);
        put_u32be(bytes + at, 0x89ABCDEF);
        CHECK(bytes[at] == 0x89 && bytes[at + 3] == 0xEF && get_u32be(bytes + at) == 0x89ABCDEF);
        put_i32le(bytes + at, -2);
        CHECK(bytes[at] == 0xFE && bytes[at + 3] == 0xFF && get_i32le(bytes + at) == -2);
        put_i32le(bytes + at, INT32_MIN);
        CHECK(get_i32le(bytes + at) == INT32_MIN);
    }
}

static void rows_run_from_the_largest_t_downward(void)
{
    struct node node = {1, 2, 3, 1}; // s in [0.75, 1], t in [0.5, 0.75]
    for (int k = 0; k <= 32; k++) {
        struct cube_place row = cube_sphere_locate_on_face(1, tile_sample_dir(node, 32, 5, k));
        struct cube_place column = cube_sphere_locate_on_face(1, tile_sample_dir(node, 32, k, 5));
        CHECK(row.t == 0.75 - k / 128.0 && row.s == 0.75 + 5 / 128.0);
        CHECK(column.s == 0.75 + k / 128.0 && column.t == 0.75 - 5 / 128.0);
    }
}

static void spacing_is_a_quarter_of_the_circumference_shared_out(void)
{
    CHECK(fabs(tile_spacing_m(6371000, 128, 0) * 128 * 4 - 2 * STABLE_PI * 6371000) < 1e-6);
    CHECK(tile_spacing_m(6371000, 128, 7) * 128 == tile_spacing_m(6371000, 128, 0));
    CHECK(tile_lattice_size(512, 24) == INT64_C(1) << 33);
    int valid = 0;
    for (long n = -1; n <= 1100; n++)
        valid += tile_intervals_valid(n) ? 1 : 0;
    CHECK(valid == 5 && tile_intervals_valid(32) && tile_intervals_valid(512));
}

static void height_units_are_the_largest_allowed_power_of_two(void)
{
    static const double radii_m[] = {10, 1000, 1737400, 3389500, 3906249, 3906250, 6371000, 69911000, 1e9};
    for (size_t k = 0; k < sizeof radii_m / sizeof radii_m[0]; k++) {
        int exponent = height_unit_exponent(radii_m[k]);
        double unit_m = height_unit_m(exponent), most_m = radii_m[k] * 1e-9;
        most_m = most_m < 1.0 / 256 ? most_m : 1.0 / 256;
        CHECK(unit_m == ldexp(1, exponent) && unit_m <= most_m && 2 * unit_m > most_m);
        // A planet of that radius fits an int32 many times over.
        CHECK(radii_m[k] / unit_m < 2147483648.0 * 120);
    }
    CHECK(height_unit_exponent(6371000) == -8 && height_unit_exponent(3389500) == -9);
    CHECK(height_unit_exponent(RADIUS_MIN_M) == -27);
}

static void relative_positions_subtract_before_they_narrow(void)
{
    struct double3 far = {6371000.125, -2, 3}, origin = {6371000, -2.5, 3};
    struct float3 d = float3_relative(far, origin);
    CHECK(d.x == 0.125f && d.y == 0.5f && d.z == 0.0f);
}

static void products_of_vectors_are_right_handed(void)
{
    struct double3 x = {1, 0, 0}, y = {0, 1, 0}, z = double3_cross(x, y);
    CHECK(z.x == 0 && z.y == 0 && z.z == 1 && double3_dot(x, y) == 0);
    struct double3 n = double3_normalise((struct double3){3, 4, 12});
    CHECK(n.x == 3 / 13.0 && n.y == 4 / 13.0 && n.z == 12 / 13.0 && double3_length((struct double3){2, 3, 6}) == 7);
    struct double3 sum = double3_add(double3_scale(x, 2), y);
    CHECK(sum.x == 2 && sum.y == 1 && sum.z == 0 && double3_sub(sum, sum).x == 0);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(blocks_are_aligned_and_never_overlap);
    CHECK_RUN(an_arena_of_the_bounds_is_large_enough);
    CHECK_RUN(sizes_that_overflow_do_not_fit);
    CHECK_RUN(a_copy_is_scratch);
    CHECK_RUN(bytes_are_little_endian_at_any_alignment);
    CHECK_RUN(rows_run_from_the_largest_t_downward);
    CHECK_RUN(spacing_is_a_quarter_of_the_circumference_shared_out);
    CHECK_RUN(height_units_are_the_largest_allowed_power_of_two);
    CHECK_RUN(relative_positions_subtract_before_they_narrow);
    CHECK_RUN(products_of_vectors_are_right_handed);
    return CHECK_END;
}

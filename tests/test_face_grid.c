// SPDX-License-Identifier: MIT
// Directions of grids: the same bits in every width, those of the lattice, nothing beside them touched.
#include <math.h>
#include <stdbool.h>

#include "bake/planet/face_grid.h"
#include "tests/check.h"

#define SIDE_MOST 140
#define POINTS (SIDE_MOST * SIDE_MOST)

static double u[SIDE_MOST], v[SIDE_MOST], dirs[3][POINTS + 1];
static const char *const names[] = {"base", "avx2"};
#define WIDTHS (sizeof names / sizeof *names)

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// The formula of a direction (cube_sphere.h), its length in the order x, y, z.
static struct double3 direction(int face, double on_s, double on_t)
{
    const struct cube_face_frame *frame = &cube_face_frames[face];
    double p[3];
    p[frame->out.axis] = frame->out.sign;
    p[frame->s.axis] = on_s;
    p[frame->t.axis] = on_t;
    return double3_normalise((struct double3){p[0], p[1], p[2]});
}

static void check_grid(const struct face_grid *grid)
{
    int count = grid->column_count * grid->row_count;
    for (size_t width = 0; width < WIDTHS; width++) {
        face_grid_dirs *find = face_grid_dirs_named(names[width]);
        for (int axis = 0; axis < 3; axis++)
            dirs[axis][count] = 77;
        if (find)
            find(grid, dirs[0], dirs[1], dirs[2]);
        for (int k = 0; find && k < count; k++) {
            struct double3 wanted =
                direction(grid->face, grid->u[k / grid->row_count * grid->u_step], grid->v[k % grid->row_count]);
            CHECK_TEXT(same_bits(dirs[0][k], wanted.x) && same_bits(dirs[1][k], wanted.y) &&
                           same_bits(dirs[2][k], wanted.z),
                       "%s, face %d, point %d", names[width], grid->face, k);
        }
        CHECK(dirs[0][count] == 77 && dirs[1][count] == 77 && dirs[2][count] == 77);
    }
}

static int random_side(int most)
{
    return 1 + (int)check_random_below((uint64_t)most);
}

static void lines_of_the_lattice_give_its_directions(void)
{
    for (int round = 0; round < 120; round++) {
        int face = round % CUBE_FACE_COUNT, columns = random_side(60), rows = random_side(30);
        const struct cube_face_frame *frame = &cube_face_frames[face];
        int64_t n = INT64_C(1) << (7 + check_random_below(27));
        int64_t i = (int64_t)check_random_below((uint64_t)(n - columns + 1));
        int64_t j = (int64_t)check_random_below((uint64_t)(n - rows + 1));
        bool backward = check_random_below(2) == 1;
        for (int k = 0; k < columns; k++)
            u[k] = cube_lattice_line(frame->s.sign, i + k, n);
        for (int k = 0; k < rows; k++)
            v[k] = cube_lattice_line(frame->t.sign, j + k, n);
        const struct face_grid grid = {face, backward ? u + columns - 1 : u, v, backward ? -1 : 1, columns, rows};
        check_grid(&grid);
        struct double3 first = cube_sphere_lattice_dir(face, backward ? i + columns - 1 : i, j, n);
        CHECK(same_bits(dirs[0][0], first.x) && same_bits(dirs[1][0], first.y) && same_bits(dirs[2][0], first.z));
    }
}

// Middles and edges of faces, what is beyond them, where lengths are 1 and 2, and tiny steps from all of these.
static void any_lines_give_the_same_in_every_width(void)
{
    static const double special[] = {0, 1, -1, 1.2247448713915890, -1.2247448713915890, 0.5, 1e-10};
    for (int round = 0; round < 60; round++) {
        int columns = random_side(SIDE_MOST), rows = random_side(SIDE_MOST);
        for (int k = 0; k < SIDE_MOST; k++) {
            u[k] = 2.6 * (check_random_unit() - 0.5);
            v[k] = 2.6 * (check_random_unit() - 0.5);
            if (k % 4 == 0)
                u[k] = v[k] = special[check_random_below(7)];
            if (k % 8 == 0 && v[k] != 0)
                v[k] = nextafter(v[k], 2);
        }
        check_grid(&(struct face_grid){round % CUBE_FACE_COUNT, u, v, 1, columns, rows});
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(lines_of_the_lattice_give_its_directions);
    CHECK_RUN(any_lines_give_the_same_in_every_width);
    return CHECK_END;
}

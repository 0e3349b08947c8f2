// SPDX-License-Identifier: MIT
#include "view/tile_piece.h"

#include <assert.h>
#include <math.h>

bool tile_piece_wanted(struct node node, int intervals, double radius_m)
{
    return node.level < TILE_LEVEL_MAX &&
           tile_spacing_m(radius_m, tile_mesh_quads(intervals), node.level) > PIECE_CELL_MAX_M;
}

double tile_piece_sag_m(struct node leaf, int intervals, double radius_m)
{
    // Cells are up to 1.5 times as wide as on average, and their diagonals 1.5 times that.
    double half_rad = tile_spacing_m(1, tile_mesh_quads(intervals), leaf.level) * 1.5 * 1.5 / 2;
    return radius_m * (1 - cos(fmin(half_rad, 1.5)));
}

struct cutting {
    const struct tile_data *leaf_data;
    const double *leaf_heights_m;
    struct node leaf, piece;
    int intervals, quads;
    double radius_m;
};

// A sample of the piece in units of the leaf's intervals, from the leaf's first column and row: exact, a dyadic
// fraction.
static void place_in_leaf(const struct cutting *cutting, int column, int row, double *x, double *y)
{
    double share = 1.0 / (double)(UINT32_C(1) << (cutting->piece.level - cutting->leaf.level));
    double n = cutting->intervals;
    *x = (cutting->piece.x * n + column) * share - cutting->leaf.x * n;
    *y = (cutting->piece.y * n + row) * share - cutting->leaf.y * n;
}

static struct double3 leaf_vertex_m(const struct cutting *cutting, int column, int row)
{
    int step = cutting->intervals / cutting->quads, side = cutting->intervals + 1;
    double height_m = cutting->leaf_heights_m[(size_t)(row * step) * (size_t)side + (size_t)(column * step)];
    return double3_scale(tile_sample_dir(cutting->leaf, cutting->quads, column, row), cutting->radius_m + height_m);
}

// Where the piece's direction meets the leaf's triangle there, as a height.
static double height_on_leaf_m(const struct cutting *cutting, int column, int row)
{
    double x, y;
    place_in_leaf(cutting, column, row, &x, &y);
    int step = cutting->intervals / cutting->quads;
    x /= step;
    y /= step;
    int c = (int)fmin(floor(x), cutting->quads - 1), r = (int)fmin(floor(y), cutting->quads - 1);
    bool lower = y - r > x - c;
    struct double3 a = leaf_vertex_m(cutting, c, r), b = leaf_vertex_m(cutting, c + 1, r + 1);
    struct double3 third = lower ? leaf_vertex_m(cutting, c, r + 1) : leaf_vertex_m(cutting, c + 1, r);
    struct double3 normal = double3_cross(double3_sub(b, a), double3_sub(third, a));
    struct double3 dir = tile_sample_dir(cutting->piece, cutting->intervals, column, row);
    return double3_dot(a, normal) / double3_dot(dir, normal) - cutting->radius_m;
}

static double between(double a, double b, double c, double d, double x, double y)
{
    double top = a + (b - a) * x, bottom = c + (d - c) * x;
    return top + (bottom - top) * y;
}

// What the GPU would make of the leaf's textures at this place.
static void texel_of_leaf(const struct cutting *cutting, struct tile_data *data, int column, int row)
{
    double x, y;
    place_in_leaf(cutting, column, row, &x, &y);
    int side = cutting->intervals + 1;
    int c = (int)fmin(floor(x), cutting->intervals - 1), r = (int)fmin(floor(y), cutting->intervals - 1);
    size_t from = (size_t)r * (size_t)side + (size_t)c, down = from + (size_t)side;
    size_t to = (size_t)row * (size_t)side + (size_t)column;
    const int16_t *n = cutting->leaf_data->normals;
    const uint8_t *k = cutting->leaf_data->colors;
    for (size_t i = 0; i < 2; i++)
        data->normals[2 * to + i] = (int16_t)lrint(
            between(n[2 * from + i], n[2 * from + 2 + i], n[2 * down + i], n[2 * down + 2 + i], x - c, y - r));
    for (size_t i = 0; i < 4; i++)
        data->colors[4 * to + i] = (uint8_t)lrint(
            between(k[4 * from + i], k[4 * from + 4 + i], k[4 * down + i], k[4 * down + 4 + i], x - c, y - r));
}

void tile_piece_cut(struct tile_data *data, double *heights_m, struct node piece, const struct tile_data *leaf_data,
                    const double *leaf_heights_m, struct node leaf, int intervals, double radius_m)
{
    assert(piece.face == leaf.face && piece.level > leaf.level);
    struct cutting cutting = {leaf_data, leaf_heights_m, leaf, piece, intervals, tile_mesh_quads(intervals), radius_m};
    int step = intervals / cutting.quads, side = intervals + 1;
    for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
            texel_of_leaf(&cutting, data, column, row);
            if (row % step == 0 && column % step == 0)
                heights_m[(size_t)row * (size_t)side + (size_t)column] = height_on_leaf_m(&cutting, column, row);
        }
    }
}

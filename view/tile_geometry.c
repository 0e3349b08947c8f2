// SPDX-License-Identifier: MIT
#include "view/tile_geometry.h"

#include <math.h>
#include <stdlib.h>

int tile_vertex_count(int intervals)
{
    int side = tile_mesh_quads(intervals) + 1;
    return side * side + TILE_SKIRT_LINES * side;
}

struct double3 tile_center_m(struct node node, double radius_m)
{
    double size = 1.0 / (double)(UINT32_C(1) << node.level);
    return double3_scale(cube_sphere_dir(node.face, (node.x + 0.5) * size, 1 - (node.y + 0.5) * size), radius_m);
}

static struct double3 sample_pos_m(struct node node, int intervals, double radius_m, const double *heights_m,
                                   int column, int row)
{
    double height_m = heights_m[(size_t)row * (size_t)(intervals + 1) + (size_t)column];
    return double3_scale(tile_sample_dir(node, intervals, column, row), radius_m + height_m);
}

static struct tile_vertex vertex_of(struct double3 rel_m)
{
    struct tile_vertex v = {{(float)rel_m.x, (float)rel_m.y, (float)rel_m.z}, {0, 0, 0}};
    v.low[0] = (float)(rel_m.x - v.high[0]);
    v.low[1] = (float)(rel_m.y - v.high[1]);
    v.low[2] = (float)(rel_m.z - v.high[2]);
    return v;
}

// The surface vertex of each place of a skirt line.
static int skirt_source(int quads, int line, int k)
{
    int side = quads + 1;
    static const int where[3] = {0, 2, 1}; // halves of the tile: first, last, middle
    int at = where[line % 3] * quads / 2;
    return line < 3 ? at * side + k : k * side + at;
}

void tile_vertices(struct tile_vertex *vertices, struct node node, int intervals, double radius_m,
                   const double *heights_m)
{
    int quads = tile_mesh_quads(intervals), step = intervals / quads, side = quads + 1;
    struct double3 center_m = tile_center_m(node, radius_m);
    for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
            struct double3 pos_m = sample_pos_m(node, intervals, radius_m, heights_m, column * step, row * step);
            vertices[row * side + column] = vertex_of(double3_sub(pos_m, center_m));
        }
    }
    for (int line = 0; line < TILE_SKIRT_LINES; line++) {
        for (int k = 0; k < side; k++)
            vertices[side * side + line * side + k] = vertices[skirt_source(quads, line, k)];
    }
}

struct index_list {
    uint32_t *at;
    int quads;
};

static void add_triangle(struct index_list *list, int a, int b, int c)
{
    *list->at++ = (uint32_t)a;
    *list->at++ = (uint32_t)b;
    *list->at++ = (uint32_t)c;
}

static void add_surface(struct index_list *list, int column, int row, int size)
{
    int side = list->quads + 1;
    for (int r = row; r < row + size; r++) {
        for (int c = column; c < column + size; c++) {
            int a = r * side + c;
            add_triangle(list, a, a + side, a + side + 1);
            add_triangle(list, a, a + side + 1, a + 1);
        }
    }
}

// Part of a skirt line, from place first on.
static void add_skirt(struct index_list *list, int line, int first, int size)
{
    int side = list->quads + 1, base = side * side + line * side;
    for (int k = first; k < first + size; k++) {
        int top = skirt_source(list->quads, line, k), next = skirt_source(list->quads, line, k + 1);
        add_triangle(list, top, base + k, base + k + 1);
        add_triangle(list, top, base + k + 1, next);
    }
}

enum status_code tile_indices_new(struct tile_indices *indices, int intervals, struct status *status)
{
    int quads = tile_mesh_quads(intervals), half = quads / 2;
    size_t surface = (size_t)quads * (size_t)quads * 6, skirts = (size_t)quads * 4 * 6;
    indices->count = surface + skirts + surface + 2 * skirts;
    indices->indices = malloc(indices->count * sizeof *indices->indices);
    if (!indices->indices)
        return status_fail_memory(status, "mesh indices", indices->count * sizeof *indices->indices);
    struct index_list list = {indices->indices, quads};
    add_surface(&list, 0, 0, quads);
    static const int outer[4] = {0, 1, 3, 4}; // lines: row 0, row G, column 0, column G
    for (int k = 0; k < 4; k++)
        add_skirt(&list, outer[k], 0, quads);
    indices->whole = (struct tile_index_range){0, (uint32_t)(surface + skirts)};
    for (int child = 0; child < 4; child++) {
        int column = (child & 1) * half, row = (child >> 1) * half;
        uint32_t first = (uint32_t)(list.at - indices->indices);
        add_surface(&list, column, row, half);
        // Its own two outer lines, and both middle lines: row lines run along columns and the other way round.
        add_skirt(&list, child >> 1 ? 1 : 0, column, half);
        add_skirt(&list, 2, column, half);
        add_skirt(&list, child & 1 ? 4 : 3, row, half);
        add_skirt(&list, 5, row, half);
        indices->quarters[child] = (struct tile_index_range){first, (uint32_t)(list.at - indices->indices) - first};
    }
    return STATUS_OK;
}

void tile_normals_from_heights(int16_t *normals, struct node node, int intervals, double radius_m,
                               const double *heights_m)
{
    for (int row = 0; row <= intervals; row++) {
        for (int column = 0; column <= intervals; column++) {
            int west = column > 0 ? column - 1 : 0, east = column < intervals ? column + 1 : intervals;
            int north = row > 0 ? row - 1 : 0, south = row < intervals ? row + 1 : intervals;
            struct double3 along_s = double3_sub(sample_pos_m(node, intervals, radius_m, heights_m, east, row),
                                                 sample_pos_m(node, intervals, radius_m, heights_m, west, row));
            struct double3 along_t = double3_sub(sample_pos_m(node, intervals, radius_m, heights_m, column, north),
                                                 sample_pos_m(node, intervals, radius_m, heights_m, column, south));
            struct double3 n = double3_normalise(double3_cross(along_s, along_t));
            struct tangent_frame frame = cube_tangent_frame(node.face, tile_sample_dir(node, intervals, column, row));
            int16_t *out = normals + 2 * ((size_t)row * (size_t)(intervals + 1) + (size_t)column);
            out[0] = (int16_t)lrint(32767 * double3_dot(n, frame.x));
            out[1] = (int16_t)lrint(32767 * double3_dot(n, frame.y));
        }
    }
}

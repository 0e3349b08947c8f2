// SPDX-License-Identifier: MIT
#include "view/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cube_sphere.h"
#include "common/stable_math.h"
#include "view/tile_geometry.h"

struct ground {
    int quads, slots;
    double radius_m;
    float *heights_m; // (G+1)^2 a slot
    const struct stream_draw *draws;
    int draw_count;
};

size_t ground_tile_bytes(int intervals)
{
    size_t side = (size_t)tile_mesh_quads(intervals) + 1;
    return side * side * sizeof(float);
}

enum status_code ground_new(struct ground **result, int intervals, double radius_m, int slots, struct status *status)
{
    struct ground *ground = calloc(1, sizeof *ground);
    size_t bytes = ground_tile_bytes(intervals) * (size_t)slots;
    if (ground)
        ground->heights_m = malloc(bytes);
    if (!ground || !ground->heights_m) {
        free(ground);
        return status_fail_memory(status, "ground", bytes);
    }
    ground->quads = tile_mesh_quads(intervals);
    ground->slots = slots;
    ground->radius_m = radius_m;
    *result = ground;
    return STATUS_OK;
}

void ground_free(struct ground *ground)
{
    if (!ground)
        return;
    free(ground->heights_m);
    free(ground);
}

static float *slot_heights(const struct ground *ground, int slot)
{
    size_t side = (size_t)ground->quads + 1;
    return ground->heights_m + (size_t)slot * side * side;
}

void ground_set(struct ground *ground, int slot, const float *mesh_heights_m)
{
    size_t side = (size_t)ground->quads + 1;
    memcpy(slot_heights(ground, slot), mesh_heights_m, side * side * sizeof(float));
}

void ground_follow(struct ground *ground, const struct stream_draw *draws, int count)
{
    ground->draws = draws;
    ground->draw_count = count;
}

// The drawn tile, or quarter of a tile, that holds a place; the deepest, where a parent's quarter lies beside children.
static const struct stream_draw *draw_at(const struct ground *ground, struct cube_place place)
{
    const struct stream_draw *best = NULL;
    for (int k = 0; k < ground->draw_count; k++) {
        const struct stream_draw *draw = &ground->draws[k];
        if (draw->node.face != place.face || (best && draw->node.level <= best->node.level))
            continue;
        struct node at = node_at(place.face, place.s, place.t, draw->node.level);
        if (at.x != draw->node.x || at.y != draw->node.y)
            continue;
        if (draw->quarters != 15) {
            struct node child = node_at(place.face, place.s, place.t, draw->node.level + 1);
            if (!(draw->quarters >> node_child_index(child) & 1))
                continue;
        }
        best = draw;
    }
    return best;
}

static struct double3 vertex_m(const struct ground *ground, const struct stream_draw *draw, int column, int row)
{
    double height_m = (double)slot_heights(ground, draw->slot)[row * (ground->quads + 1) + column];
    return double3_scale(tile_sample_dir(draw->node, ground->quads, column, row), ground->radius_m + height_m);
}

bool ground_height_m(const struct ground *ground, struct double3 dir, double *height_m)
{
    struct cube_place place = cube_sphere_locate(dir);
    const struct stream_draw *draw = draw_at(ground, place);
    if (!draw)
        return false;
    double count = (double)(UINT32_C(1) << draw->node.level) * ground->quads;
    double x = place.s * count - (double)draw->node.x * ground->quads;
    double y = (1 - place.t) * count - (double)draw->node.y * ground->quads;
    double most = ground->quads - 1;
    int column = (int)fmin(fmax(floor(x), 0), most), row = (int)fmin(fmax(floor(y), 0), most);

    // The triangle of the quad that dir goes through, and where dir meets its plane.
    bool lower = y - row > x - column;
    struct double3 a = vertex_m(ground, draw, column, row);
    struct double3 b = vertex_m(ground, draw, column + 1, row + 1);
    struct double3 c = lower ? vertex_m(ground, draw, column, row + 1) : vertex_m(ground, draw, column + 1, row);
    struct double3 normal = double3_cross(double3_sub(b, a), double3_sub(c, a));
    double along = double3_dot(dir, normal);
    if (along == 0)
        return false;
    *height_m = double3_dot(a, normal) / along - ground->radius_m;
    return true;
}

static double height_or_datum_m(const struct ground *ground, struct double3 point_m)
{
    double height_m;
    return ground_height_m(ground, double3_normalise(point_m), &height_m) ? height_m : 0;
}

// Distances along the ray at which it enters and leaves a sphere about the planet's centre; false if it misses.
static bool sphere_span(struct double3 eye_m, struct double3 ray, double radius_m, double span[2])
{
    double b = double3_dot(eye_m, ray);
    // |eye x ray| is the ray's distance from the centre, without the cancellation of |eye|^2 - b^2.
    double aside = double3_length(double3_cross(eye_m, ray));
    if (aside >= radius_m)
        return false;
    double half = sqrt((radius_m - aside) * (radius_m + aside));
    span[0] = -b - half;
    span[1] = -b + half;
    return span[1] > 0;
}

bool ground_hit(const struct ground *ground, struct double3 eye_m, struct double3 ray, double lowest_m,
                double highest_m, struct double3 *point_m)
{
    double outer[2], inner[2];
    if (!sphere_span(eye_m, ray, (ground->radius_m + highest_m) * (1 + 1e-12), outer))
        return false;
    double from_m = fmax(outer[0], 0), to_m = outer[1];
    // The coarsest mesh's chords lie below the lowest of its vertices by this much.
    double sag_m = ground->radius_m * (1 - cos(0.75 * (STABLE_PI / 2) / ground->quads));
    if (sphere_span(eye_m, ray, ground->radius_m + lowest_m - sag_m, inner) && inner[0] > 0)
        to_m = inner[0];
    // Steps that grow with distance: a ridge is missed only where it is smaller than a step looks.
    double before_m = from_m, step_m = fmax((to_m - from_m) / 400, 1e-3 * from_m);
    for (double at_m = from_m; before_m < to_m; at_m += fmax(step_m * 0.25, 0.02 * at_m)) {
        at_m = fmin(at_m, to_m);
        struct double3 point = double3_add(eye_m, double3_scale(ray, at_m));
        if (double3_length(point) - ground->radius_m <= height_or_datum_m(ground, point)) {
            for (int k = 0; k < 40; k++) {
                double middle_m = (before_m + at_m) / 2;
                point = double3_add(eye_m, double3_scale(ray, middle_m));
                bool under = double3_length(point) - ground->radius_m <= height_or_datum_m(ground, point);
                if (under)
                    at_m = middle_m;
                else
                    before_m = middle_m;
            }
            *point_m = double3_add(eye_m, double3_scale(ray, at_m));
            return true;
        }
        before_m = at_m;
    }
    return false;
}

// SPDX-License-Identifier: MIT
// A procedural planet behind the streaming core and the renderer, without threads: for tests that look at pixels.
#ifndef TERRANE_TESTS_VIEW_SCENE_H
#define TERRANE_TESTS_VIEW_SCENE_H

#include <glad/gl.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>

#include "common/stable_math.h"
#include "tests/check.h"
#include "view/gl_context.h"
#include "view/renderer.h"
#include "view/stream.h"

struct scene_planet {
    double radius_m;
    int intervals, level_max;
    double lowest_m, highest_m;             // of height_m, not tight
    double (*height_m)(struct double3 dir); // at full detail
    void (*color)(struct double3 dir, uint8_t rgb[3]);
    struct double3 (*gradient_m)(struct double3 dir); // metres a radian, any radial part; NULL: normals from heights
};

struct scene {
    const struct scene_planet *planet;
    struct renderer *renderer;
    struct stream *stream;
    struct scene_style style;
    double *heights_m;
    double now_s;
    uint64_t withheld; // of 1000: share of deliveries that are put off in scene_step
};

static const struct scene_planet *scene_planet_now; // what the lookup speaks of

static inline bool scene_lookup(void *context, struct node node, struct stream_record *record)
{
    (void)context;
    const struct scene_planet *planet = scene_planet_now;
    *record = (struct stream_record){.present = true,
                                     .descends = node.level < planet->level_max,
                                     .height_min_m = planet->lowest_m,
                                     .height_max_m = planet->highest_m};
    // Chord sag of the mesh, and a slope of 0.3 across a quarter of a cell.
    int quads = tile_mesh_quads(planet->intervals);
    double cell_m = tile_spacing_m(planet->radius_m, quads, node.level);
    record->error_m = cell_m * cell_m / (8 * planet->radius_m) + (node.level < planet->level_max ? 0.08 * cell_m : 0);
    return true;
}

static inline void scene_free(struct scene *scene)
{
    renderer_free(scene->renderer);
    stream_free(scene->stream);
    free(scene->heights_m);
}

// slots tiles at most; log_depth forces the fallback.
static inline void scene_new(struct scene *scene, const struct scene_planet *planet, int slots, bool log_depth)
{
    struct status status = {0};
    memset(scene, 0, sizeof *scene);
    scene->planet = scene_planet_now = planet;
    struct renderer_config renderer = {planet->radius_m, planet->intervals, slots, log_depth};
    int quads = tile_mesh_quads(planet->intervals);
    double half_cell = tile_spacing_m(1, quads, 0) * 0.75;
    struct stream_config stream = {.radius_m = planet->radius_m,
                                   .intervals = planet->intervals,
                                   .tile_bytes = 1000,
                                   .budget_bytes = (size_t)slots * 1000,
                                   .detail_px = 3,
                                   .error_limit_px = 1,
                                   .uploads_per_frame = 64,
                                   .slots = slots,
                                   .occluder_m = planet->radius_m * cos(half_cell) + planet->lowest_m,
                                   .lookup = scene_lookup};
    if (renderer_new(&scene->renderer, &renderer, &status) || stream_new(&scene->stream, &stream, &status)) {
        printf("FAILED scene: %s\n", status.text);
        exit(1);
    }
    size_t side = (size_t)planet->intervals + 1;
    scene->heights_m = malloc(side * side * sizeof(double));
    scene->style = (struct scene_style){.sun = {1, 0, 0}, .lowest_m = planet->lowest_m, .highest_m = planet->highest_m};
}

static inline struct double3 scene_normal(const struct scene_planet *planet, struct double3 dir)
{
    struct double3 g = planet->gradient_m(dir);
    g = double3_sub(g, double3_scale(dir, double3_dot(g, dir)));
    return double3_normalise(double3_sub(double3_scale(dir, planet->radius_m + planet->height_m(dir)), g));
}

// Normals as a pack of 16 bits has them.
static inline void scene_normals(const struct scene_planet *planet, struct node node, int16_t *normals)
{
    int side = planet->intervals + 1;
    for (int k = 0; k < side * side; k++) {
        struct double3 dir = tile_sample_dir(node, planet->intervals, k % side, k / side);
        struct tangent_frame frame = cube_tangent_frame(node.face, dir);
        struct double3 n = scene_normal(planet, dir);
        normals[2 * k] = (int16_t)floor(32767 * double3_dot(n, frame.x) + 0.5);
        normals[2 * k + 1] = (int16_t)floor(32767 * double3_dot(n, frame.y) + 0.5);
    }
}

static inline struct tile_data *scene_tile(struct scene *scene, struct node node)
{
    const struct scene_planet *planet = scene->planet;
    int side = planet->intervals + 1;
    struct tile_data *data = tile_data_over(malloc(tile_data_bytes(planet->intervals)), planet->intervals);
    for (int k = 0; k < side * side; k++) {
        struct double3 dir = tile_sample_dir(node, planet->intervals, k % side, k / side);
        scene->heights_m[k] = planet->height_m(dir);
        planet->color(dir, data->colors + 4 * k);
        data->colors[4 * k + 3] = 255;
    }
    tile_vertices(data->vertices, node, planet->intervals, planet->radius_m, scene->heights_m);
    if (planet->gradient_m)
        scene_normals(planet, node, data->normals);
    else
        tile_normals_from_heights(data->normals, node, planet->intervals, planet->radius_m, scene->heights_m);
    return data;
}

// One frame of streaming: at most loads tiles come in.
static inline void scene_step(struct scene *scene, const struct camera *camera, int loads)
{
    stream_update(scene->stream, camera, scene->now_s += 0.016);
    int count;
    const struct stream_upload *uploads = stream_uploads(scene->stream, &count);
    for (int k = 0; k < count; k++) {
        renderer_upload(scene->renderer, uploads[k].slot, uploads[k].node, uploads[k].data);
        free(uploads[k].data);
    }
    void *const *dropped = stream_dropped(scene->stream, &count);
    for (int k = 0; k < count; k++)
        free(dropped[k]);
    struct node node;
    for (int k = 0; k < loads && stream_take(scene->stream, &node); k++)
        stream_deliver(scene->stream, node, false, scene_tile(scene, node));
}

static inline void scene_fill(struct scene *scene, const struct camera *camera)
{
    for (int k = 0; k < 400; k++) {
        scene_step(scene, camera, 64);
        if (stream_is_full(scene->stream))
            return;
    }
    CHECK_TEXT(false, "the view never became full");
}

static inline void scene_draw(struct scene *scene, const struct camera *camera, uint8_t *rgb)
{
    int count;
    struct status status;
    const struct stream_draw *draws = stream_draws(scene->stream, &count);
    CHECK(renderer_draw(scene->renderer, camera, draws, count, &scene->style, &status) == STATUS_OK);
    renderer_finish_frame(scene->renderer);
    renderer_read(scene->renderer, rgb);
    CHECK(glGetError() == GL_NO_ERROR);
}

// One headless context for the test program. Where this machine has none the program says so and fails.
static inline void scene_open_context(void)
{
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    struct status status;
    if (gl_headless_open(&status)) {
        printf("FAILED context: %s\n", status.text);
        exit(1);
    }
}

// Fractal relief without a lattice: turned sine products, amplitude_m at wavelength 2 pi / frequency radii, halving.
static inline double scene_relief_m(struct double3 d, double amplitude_m, double frequency, int octaves, double gain)
{
    double sum = 0;
    for (int k = 0; k < octaves; k++) {
        sum += amplitude_m * (sin(frequency * d.x + 1.3 * k) * sin(frequency * 1.1 * d.y + k) +
                              0.7 * sin(frequency * 0.9 * d.z + 2 * k));
        frequency *= 2.1;
        amplitude_m *= gain;
        d = (struct double3){0.8 * d.y + 0.6 * d.z, -0.8 * d.x + 0.36 * d.y - 0.48 * d.z,
                             -0.6 * d.x - 0.48 * d.y + 0.64 * d.z};
    }
    return sum;
}

#endif

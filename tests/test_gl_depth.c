// SPDX-License-Identifier: MIT
// Two surfaces that are 1e-5 of their distance apart never swap, from 1 m to 10 radii, on both depth paths, whichever
// is drawn first.
#include "tests/view_scene.h"

#define WIDTH 320
#define HEIGHT 180
#define RADIUS_M 6371000.0
#define INTERVALS 32

static double flat_m(struct double3 dir)
{
    (void)dir;
    return 0;
}

static void no_color(struct double3 dir, uint8_t rgb[3])
{
    (void)dir;
    memset(rgb, 0, 3);
}

static const struct scene_planet planet = {RADIUS_M, INTERVALS, 1, 0, 0, flat_m, no_color, NULL};

static void upload_shell(struct scene *scene, int slot, struct node node, double height_m, int channel)
{
    struct tile_data *data = tile_data_over(malloc(tile_data_bytes(INTERVALS)), INTERVALS);
    size_t samples = (INTERVALS + 1) * (INTERVALS + 1);
    memset(data->normals, 0, samples * 4);
    for (size_t k = 0; k < samples; k++) {
        scene->heights_m[k] = height_m;
        memcpy(data->colors + 4 * k, (uint8_t[4]){0, 0, 0, 255}, 4);
        data->colors[4 * k + (size_t)channel] = 255;
    }
    tile_vertices(data->vertices, node, INTERVALS, RADIUS_M, scene->heights_m);
    renderer_upload(scene->renderer, slot, node, data);
    free(data);
}

// Pixels that show the far (blue) shell, and those that show the near (red) one.
static void look(struct scene *scene, double distance_m, double pitch_deg, bool far_first, int *far_px, int *near_px)
{
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    // The tile whose width is nearest to the distance, seen aslant.
    int level = 0;
    while (level < TILE_LEVEL_MAX && tile_spacing_m(RADIUS_M, 1, level) > 4 * distance_m)
        level++;
    struct camera camera = {12.3, 34.5, RADIUS_M + distance_m, 33, pitch_deg, 50, WIDTH, HEIGHT};
    struct cube_place place = cube_sphere_locate(geographic_dir(camera.latitude_deg, camera.longitude_deg));
    struct node node = node_at(place.face, place.s, place.t, level);
    upload_shell(scene, 0, node, 0, 0);
    upload_shell(scene, 1, node, -1e-5 * distance_m, 2);
    struct stream_draw draws[2] = {{node, far_first, 15, 0}, {node, !far_first, 15, 0}};
    struct status status;
    scene->style.flat_light = true;
    scene->style.plain_background = true;
    CHECK(renderer_draw(scene->renderer, &camera, draws, 2, &scene->style, &status) == STATUS_OK);
    renderer_finish_frame(scene->renderer);
    renderer_read(scene->renderer, rgb);
    *far_px = *near_px = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        *far_px += rgb[3 * k + 2] > 0;
        *near_px += rgb[3 * k] > 0;
    }
}

static void check_path(bool log_depth)
{
    struct scene scene;
    scene_new(&scene, &planet, 64, log_depth);
    CHECK(renderer_get_counters(scene.renderer)->log_depth == log_depth);
    static const double distances_m[] = {1, 1.7, 30, 1000, 1e5, 1e6, 6.371e6, 6.371e7};
    for (size_t k = 0; k < sizeof distances_m / sizeof distances_m[0]; k++) {
        for (int order = 0; order < 2; order++) {
            for (int tilt = 0; tilt < 2; tilt++) {
                int far_px, near_px;
                look(&scene, distances_m[k], tilt ? -60 : -90, order, &far_px, &near_px);
                // Looking aslant from afar misses the globe; straight down it never does. Beside the tile's rim the far
                // shell shows by parallax: at most one pixel's width along it.
                bool far_away = distances_m[k] > RADIUS_M * 0.9;
                CHECK_TEXT(near_px > (far_away ? tilt ? -1 : 100 : 3000), "%g m: %d pixels", distances_m[k], near_px);
                CHECK_TEXT(far_px == 0, "%g m, tilt %d: %d of %d pixels show the far shell", distances_m[k], tilt,
                           far_px, near_px + far_px);
            }
        }
    }
    scene_free(&scene);
}

static void reversed_depth_never_swaps_surfaces_1e_5_of_their_distance_apart(void)
{
    check_path(false);
}

static void logarithmic_depth_never_swaps_surfaces_1e_5_of_their_distance_apart(void)
{
    check_path(true);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    scene_open_context();
    CHECK_RUN(reversed_depth_never_swaps_surfaces_1e_5_of_their_distance_apart);
    CHECK_RUN(logarithmic_depth_never_swaps_surfaces_1e_5_of_their_distance_apart);
    gl_headless_close();
    return CHECK_END;
}

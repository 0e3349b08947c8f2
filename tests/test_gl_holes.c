// SPDX-License-Identifier: MIT
// Random views over rugged ground on a magenta background: below the horizon nothing of it may show, be the tiles there
// or still on their way, on both depth paths.
#include "tests/view_scene.h"

#define WIDTH 384
#define HEIGHT 216
#define RADIUS_M 6371000.0

static double rugged_m(struct double3 dir)
{
    // Slopes of about 0.2 at every scale down to 500 m.
    return scene_relief_m(dir, 2600, 11, 13, 0.51);
}

static void grey(struct double3 dir, uint8_t rgb[3])
{
    (void)dir;
    rgb[0] = rgb[1] = rgb[2] = 120;
}

static const struct scene_planet planet = {RADIUS_M, 32, 14, -9000, 9000, rugged_m, grey, NULL};

static struct camera random_view(void)
{
    double latitude_deg = asin(2 * check_random_unit() - 1) / STABLE_DEGREE, longitude_deg = 360 * check_random_unit();
    double altitude_m = 2 * pow(6.4e7 / 2, check_random_unit());
    struct camera camera = {latitude_deg, longitude_deg, 0, 360 * check_random_unit(), 0, 60, WIDTH, HEIGHT};
    camera.radius_m = RADIUS_M + rugged_m(geographic_dir(latitude_deg, longitude_deg)) + 6 + altitude_m;
    // Looking about the horizon, where cracks and limbs are, more often than down.
    double dip_deg = acos(RADIUS_M / fmax(camera.radius_m, RADIUS_M)) / STABLE_DEGREE;
    camera.pitch_deg = fmax(-90, -dip_deg + 10 - 60 * check_random_unit() * check_random_unit());
    return camera;
}

// Background pixels whose ray meets the sphere that lies below every drawn triangle.
static int holes(const struct camera *camera, const uint8_t *rgb)
{
    struct camera_frame frame = camera_frame_of(camera);
    double half_cell = tile_spacing_m(1, 32, 0) * 0.75; // the coarsest mesh's chords lie this far in
    double solid_m = RADIUS_M * cos(half_cell) + planet.lowest_m;
    int found = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        if (rgb[3 * k] != 255 || rgb[3 * k + 1] != 0 || rgb[3 * k + 2] != 255)
            continue;
        struct double3 ray = camera_ray(&frame, camera, k % WIDTH + 0.5, k / WIDTH + 0.5);
        found += double3_dot(frame.eye_m, ray) < 0 && double3_length(double3_cross(frame.eye_m, ray)) < solid_m;
    }
    return found;
}

static void look(int views, bool log_depth)
{
    struct scene scene;
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    scene_new(&scene, &planet, 600, log_depth);
    scene.style.plain_background = true;
    scene.style.background[0] = scene.style.background[2] = 255;
    int streaming = 0, ground = 0;
    for (int k = 0; k < views; k++) {
        struct camera camera = random_view();
        // Half of the views in the middle of streaming: a few tiles a frame, for a few frames.
        if (k % 2 == 0) {
            int frames = 2 + (int)check_random_below(6);
            for (int f = 0; f < frames; f++)
                scene_step(&scene, &camera, 1 + (int)check_random_below(12));
            scene_step(&scene, &camera, 0);
            streaming += !stream_is_full(scene.stream);
        } else {
            scene_fill(&scene, &camera);
        }
        if (stream_get_counters(scene.stream)->missing_frames > 0 && k == 0)
            scene_fill(&scene, &camera);
        scene_draw(&scene, &camera, rgb);
        int found = holes(&camera, rgb);
        CHECK_TEXT(found == 0, "view %d: %d background pixels, lat %.4f lon %.4f altitude %g heading %.1f pitch %.1f",
                   k, found, camera.latitude_deg, camera.longitude_deg, camera.radius_m - RADIUS_M, camera.heading_deg,
                   camera.pitch_deg);
        for (int p = 0; p < WIDTH * HEIGHT; p += 97)
            ground += rgb[3 * p] != 255 || rgb[3 * p + 1] != 0;
    }
    CHECK(streaming > views / 8);
    CHECK(ground > views * 200);
    scene_free(&scene);
}

static void no_background_shows_through_in_200_views(void)
{
    look(200, false);
}

static void no_background_shows_through_with_logarithmic_depth(void)
{
    look(40, true);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    scene_open_context();
    CHECK_RUN(no_background_shows_through_in_200_views);
    CHECK_RUN(no_background_shows_through_with_logarithmic_depth);
    gl_headless_close();
    return CHECK_END;
}

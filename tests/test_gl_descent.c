// SPDX-License-Identifier: MIT
// A slow descent from 10 radii to 2 m and back up, frame by frame: no frame leaps away from its neighbours (a pop, a
// hole, a vanished disc), on both depth paths.
#include "tests/view_scene.h"

#define WIDTH 320
#define HEIGHT 180
#define RADIUS_M 6371000.0
#define FRAMES 240

static double hills_m(struct double3 dir)
{
    return scene_relief_m(dir, 1500, 9, 12, 0.5);
}

static void moss(struct double3 dir, uint8_t rgb[3])
{
    double share = fmin(fmax(0.5 + hills_m(dir) / 6000, 0), 1);
    rgb[0] = (uint8_t)(60 + 120 * share);
    rgb[1] = (uint8_t)(90 + 70 * share);
    rgb[2] = (uint8_t)(40 + 110 * share);
}

static const struct scene_planet planet = {RADIUS_M, 32, 15, -6000, 6000, hills_m, moss, NULL};

static struct camera on_the_way_down(int frame)
{
    double t = (double)frame / (FRAMES - 1);
    struct camera camera = {37.1, 18.6, 0, 40, -90 + 75 * t * t, 60, WIDTH, HEIGHT};
    double ground_m = hills_m(geographic_dir(camera.latitude_deg, camera.longitude_deg));
    camera.radius_m = RADIUS_M + ground_m + 2 * pow(10 * RADIUS_M / 2, 1 - t);
    return camera;
}

// Mean absolute difference of two pictures in levels.
static double difference(const uint8_t *a, const uint8_t *b)
{
    long sum = 0;
    for (int k = 0; k < WIDTH * HEIGHT * 3; k++)
        sum += abs(a[k] - b[k]);
    return (double)sum / (WIDTH * HEIGHT * 3);
}

// Share of pixels that show the globe: lit or not, they are not the plain background.
static double globe_share(const uint8_t *rgb)
{
    long count = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        count += !(rgb[3 * k] == 255 && rgb[3 * k + 1] == 0 && rgb[3 * k + 2] == 255);
    return (double)count / (WIDTH * HEIGHT);
}

static double middle_of(const double *values, int at)
{
    // Median of the nine values around.
    double sorted[9];
    int count = 0;
    for (int k = at - 4; k <= at + 4; k++) {
        double value = values[k];
        int j = count++;
        for (; j > 0 && sorted[j - 1] > value; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = value;
    }
    return sorted[4];
}

static void descend(bool log_depth)
{
    static uint8_t pictures[2][WIDTH * HEIGHT * 3];
    static double change[FRAMES], globe[FRAMES];
    struct scene scene;
    scene_new(&scene, &planet, 600, log_depth);
    scene.style.sun = geographic_dir(50, -40);
    scene.style.plain_background = true;
    scene.style.background[0] = scene.style.background[2] = 255;
    struct camera camera = on_the_way_down(0);
    scene_fill(&scene, &camera);
    for (int k = 0; k < FRAMES; k++) {
        camera = on_the_way_down(k);
        scene_step(&scene, &camera, 12);
        scene_draw(&scene, &camera, pictures[k & 1]);
        change[k] = k > 0 ? difference(pictures[0], pictures[1]) : 0;
        globe[k] = globe_share(pictures[k & 1]);
        CHECK_TEXT(globe[k] > 0.003 && (k == 0 || fabs(globe[k] - globe[k - 1]) < 0.06), "frame %d: globe %.4f", k,
                   globe[k]);
        CHECK_TEXT(change[k] < 12, "frame %d: mean change %.2f levels", k, change[k]);
    }
    for (int k = 5; k < FRAMES - 5; k++)
        CHECK_TEXT(change[k] <= 2 * middle_of(change, k) + 1.5, "frame %d: change %.2f among %.2f", k, change[k],
                   middle_of(change, k));
    scene_free(&scene);
}

static void a_slow_descent_neither_pops_nor_loses_the_globe(void)
{
    descend(false);
}

static void a_slow_descent_is_as_smooth_with_logarithmic_depth(void)
{
    descend(true);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    scene_open_context();
    CHECK_RUN(a_slow_descent_neither_pops_nor_loses_the_globe);
    CHECK_RUN(a_slow_descent_is_as_smooth_with_logarithmic_depth);
    gl_headless_close();
    return CHECK_END;
}

// SPDX-License-Identifier: MIT
// Shading against a picture computed in double from the closed form: a dome at each face's centre lit from six
// directions, and all twelve edges of the cube under grazing light. The plain light of bodies without air.
#include "tests/view_scene.h"

#define WIDTH 256
#define HEIGHT 144
#define RADIUS_M 1000000.0
#define AMBIENT 0.035 // as in terrain.frag

// Four gentle waves and a dome 8 km high at the centre of each face.
static const struct double3 wave_ways[4] = {{23, 11, -7}, {-13, 29, 17}, {41, -37, 53}, {97, 89, -71}};
static const double wave_heights_m[4] = {900, 700, 300, 120};

static double dome_m(struct double3 d, struct double3 *gradient)
{
    double sum = 0;
    const double p[3] = {d.x, d.y, d.z};
    double g[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        // exp(-(1 - cos^2) / w) is largest at both ends of the axis.
        double w = 0.004, height_m = 8000 * exp((p[axis] * p[axis] - 1) / w);
        sum += height_m;
        g[axis] = height_m * 2 * p[axis] / w;
    }
    if (gradient)
        *gradient = (struct double3){g[0], g[1], g[2]};
    return sum;
}

static double relief_m(struct double3 d)
{
    double sum = dome_m(d, NULL);
    for (int k = 0; k < 4; k++)
        sum += wave_heights_m[k] * sin(double3_dot(wave_ways[k], d) + k);
    return sum;
}

static struct double3 relief_gradient_m(struct double3 d)
{
    struct double3 g;
    dome_m(d, &g);
    for (int k = 0; k < 4; k++)
        g = double3_add(g, double3_scale(wave_ways[k], wave_heights_m[k] * cos(double3_dot(wave_ways[k], d) + k)));
    return g;
}

static void sand(struct double3 dir, uint8_t rgb[3])
{
    (void)dir;
    rgb[0] = 200, rgb[1] = 170, rgb[2] = 120;
}

static const struct scene_planet planet = {RADIUS_M, 128, 6, -2100, 10100, relief_m, sand, relief_gradient_m};

static struct double3 hit(struct double3 eye, struct double3 ray)
{
    double near_m = 0, far_m = 0, step_m = 2000;
    while (double3_length(double3_add(eye, double3_scale(ray, far_m))) > RADIUS_M + 20000)
        far_m += step_m;
    for (near_m = far_m;; near_m = far_m) {
        far_m = near_m + step_m;
        struct double3 at = double3_add(eye, double3_scale(ray, far_m));
        if (double3_length(at) < RADIUS_M + relief_m(double3_normalise(at)))
            break;
    }
    for (int k = 0; k < 50; k++) {
        double middle_m = (near_m + far_m) / 2;
        struct double3 at = double3_add(eye, double3_scale(ray, middle_m));
        if (double3_length(at) < RADIUS_M + relief_m(double3_normalise(at)))
            far_m = middle_m;
        else
            near_m = middle_m;
    }
    return double3_normalise(double3_add(eye, double3_scale(ray, far_m)));
}

static double to_linear(double s)
{
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static double to_srgb(double l)
{
    return l <= 0.0031308 ? 12.92 * l : 1.055 * pow(l, 1 / 2.4) - 0.055;
}

// Largest difference of any channel over a sparse set of pixels.
static int worst_difference(struct scene *scene, const struct camera *camera)
{
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    scene_draw(scene, camera, rgb);
    struct camera_frame frame = camera_frame_of(camera);
    uint8_t albedo[3];
    sand((struct double3){1, 0, 0}, albedo);
    int worst = 0;
    for (int y = 1; y < HEIGHT; y += 7) {
        for (int x = 1; x < WIDTH; x += 5) {
            struct double3 dir = hit(frame.eye_m, camera_ray(&frame, camera, x + 0.5, y + 0.5));
            double slope = fmax(double3_dot(scene_normal(&planet, dir), scene->style.sun), 0);
            for (int c = 0; c < 3; c++) {
                double light = to_linear(albedo[c] / 255.0) * (AMBIENT + (1 - AMBIENT) * slope);
                int difference = abs((int)lrint(255 * to_srgb(light)) - rgb[3 * (y * WIDTH + x) + c]);
                worst = difference > worst ? difference : worst;
            }
        }
    }
    return worst;
}

static struct camera above(struct double3 dir, double altitude_m)
{
    struct camera camera = {.radius_m = RADIUS_M + altitude_m,
                            .heading_deg = 17,
                            .pitch_deg = -90,
                            .fov_deg = 40,
                            .width_px = WIDTH,
                            .height_px = HEIGHT};
    geographic_of(dir, &camera.latitude_deg, &camera.longitude_deg);
    return camera;
}

static void domes_on_six_faces_lit_from_six_directions_differ_by_at_most_3_levels(void)
{
    struct scene scene;
    scene_new(&scene, &planet, 400, false);
    for (int face = 0; face < 6; face++) {
        struct double3 out = cube_sphere_dir(face, 0.5, 0.5);
        struct camera camera = above(double3_normalise(double3_add(out, (struct double3){0.01, 0.013, 0.017})), 150000);
        scene_fill(&scene, &camera);
        for (int side = 0; side < 6; side++) {
            // Low from one side of an axis, but not straight from behind the globe.
            struct double3 sun = cube_sphere_dir(side, 0.5, 0.5);
            scene.style.sun = double3_normalise(double3_add(sun, double3_scale(out, 0.35)));
            int worst = worst_difference(&scene, &camera);
            CHECK_TEXT(worst <= 3, "face %d, light %d: %d", face, side, worst);
        }
    }
    scene_free(&scene);
}

static void the_bright_side_of_each_dome_faces_the_light(void)
{
    struct scene scene;
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    scene_new(&scene, &planet, 400, false);
    for (int face = 0; face < 6; face++) {
        struct double3 out = cube_sphere_dir(face, 0.5, 0.5);
        struct camera camera = above(out, 150000);
        camera.heading_deg = 0;
        scene_fill(&scene, &camera);
        struct camera_frame frame = camera_frame_of(&camera);
        for (int side = 0; side < 2; side++) {
            double sign = side ? -1 : 1;
            scene.style.sun = double3_normalise(double3_add(double3_scale(frame.right, sign), double3_scale(out, 0.3)));
            scene_draw(&scene, &camera, rgb);
            long left = 0, right = 0;
            for (int y = HEIGHT / 3; y < HEIGHT * 2 / 3; y++) {
                for (int x = WIDTH / 2 - 40; x < WIDTH / 2 + 40; x++)
                    *(x < WIDTH / 2 ? &left : &right) += rgb[3 * (y * WIDTH + x)];
            }
            CHECK_TEXT((side ? left - right : right - left) > 20000, "face %d: left %ld right %ld", face, left, right);
        }
    }
    scene_free(&scene);
}

static void the_twelve_edges_under_grazing_light_differ_by_at_most_3_levels(void)
{
    struct scene scene;
    scene_new(&scene, &planet, 400, false);
    int edges = 0;
    for (int face = 0; face < 6; face++) {
        static const double middles[4][2] = {{0, 0.47}, {1, 0.47}, {0.47, 0}, {0.47, 1}};
        for (int side = 0; side < 4; side++) {
            struct double3 dir = cube_sphere_dir(face, middles[side][0], middles[side][1]);
            // Each edge is met from both of its faces, at mirrored places: all twelve, twice.
            struct camera camera = above(dir, 60000);
            scene_fill(&scene, &camera);
            struct camera_frame frame = camera_frame_of(&camera);
            scene.style.sun = double3_normalise(double3_add(frame.right, double3_scale(dir, 0.12)));
            int worst = worst_difference(&scene, &camera);
            CHECK_TEXT(worst <= 3, "face %d side %d: %d", face, side, worst);
            edges++;
        }
    }
    CHECK(edges == 24);
    scene_free(&scene);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    scene_open_context();
    CHECK_RUN(domes_on_six_faces_lit_from_six_directions_differ_by_at_most_3_levels);
    CHECK_RUN(the_bright_side_of_each_dome_faces_the_light);
    CHECK_RUN(the_twelve_edges_under_grazing_light_differ_by_at_most_3_levels);
    gl_headless_close();
    return CHECK_END;
}

// SPDX-License-Identifier: MIT
// The streaming core on a simulated clock: 60 frames a second, 2 loaders, 3 ms and 200 KiB a tile, 720p, an Earth-sized
// planet with 129-sample tiles to level 16, the conditions of the notes on the viewer.
#include <math.h>

#include "common/stable_math.h"
#include "common/tile_grid.h"
#include "tests/check.h"
#include "view/cull.h"
#include "view/stream.h"

#define RADIUS_M 6371000.0
#define INTERVALS 128
#define LEVEL_MAX 16
#define TILE_BYTES (200 * 1024)
#define LOAD_S 0.003
#define LOADERS 2
#define FRAME_S (1 / 60.0)
#define MIB 1048576

static bool any_planet(void *context, struct node node, struct stream_record *record)
{
    (void)context;
    double spacing_m = tile_spacing_m(RADIUS_M, INTERVALS, node.level);
    *record = (struct stream_record){.present = true,
                                     .descends = node.level < LEVEL_MAX,
                                     .height_min_m = -fmin(4000, spacing_m * 20),
                                     .height_max_m = fmin(6000, spacing_m * 20),
                                     .error_m = spacing_m * 0.4};
    return true;
}

struct run {
    struct stream *stream;
    struct stream_config config;
    double free_at_s[LOADERS]; // when each loader is done
    bool busy[LOADERS];
    struct node loading[LOADERS];
    uint64_t damage_every;      // every so many-th key fails to load; 0 for none
    const struct node *damaged; // these fail too
    int damaged_count;
    bool over_budget;
};

static void run_begin(struct run *run, size_t budget_mib, double prefetch_s, stream_lookup *lookup)
{
    struct status status;
    memset(run, 0, sizeof *run);
    run->config = (struct stream_config){.radius_m = RADIUS_M,
                                         .intervals = INTERVALS,
                                         .tile_bytes = TILE_BYTES,
                                         .budget_bytes = budget_mib * MIB,
                                         .detail_px = 1.5,
                                         .error_limit_px = 1,
                                         .uploads_per_frame = 12,
                                         .prefetch_s = prefetch_s,
                                         .slots = 4096,
                                         .occluder_m = RADIUS_M - 4500,
                                         .lookup = lookup};
    CHECK(stream_new(&run->stream, &run->config, &status) == STATUS_OK);
}

static bool is_damaged(const struct run *run, struct node node)
{
    for (int k = 0; k < run->damaged_count; k++) {
        if (tile_key_of(run->damaged[k]) == tile_key_of(node))
            return true;
    }
    uint64_t mixed = tile_key_of(node) * UINT64_C(0x9E3779B97F4A7C15) >> 20;
    return run->damage_every && node.level > 0 && mixed % run->damage_every == 0;
}

// One frame at now_s, and what the loaders get done until the next.
static void run_frame(struct run *run, const struct camera *camera, double now_s)
{
    stream_update(run->stream, camera, now_s);
    for (;;) {
        int k = run->free_at_s[1] < run->free_at_s[0];
        if (run->free_at_s[k] >= now_s + FRAME_S)
            break;
        if (run->busy[k])
            stream_deliver(run->stream, run->loading[k], is_damaged(run, run->loading[k]), &run->stream);
        run->busy[k] = false;
        run->free_at_s[k] = fmax(run->free_at_s[k], now_s);
        if (stream_take(run->stream, &run->loading[k])) {
            run->busy[k] = true;
            run->free_at_s[k] += LOAD_S;
        } else {
            run->free_at_s[k] = now_s + FRAME_S;
        }
    }
    const struct stream_counters *counters = stream_get_counters(run->stream);
    run->over_budget |= counters->bytes > counters->bytes_budget || counters->bytes_peak > counters->bytes_budget;
}

static struct camera camera_at(double latitude_deg, double longitude_deg, double altitude_m, double heading_deg,
                               double pitch_deg)
{
    return (struct camera){latitude_deg, longitude_deg, RADIUS_M + altitude_m, heading_deg, pitch_deg, 60, 1280, 720};
}

static struct camera cruise(double time_s, double speed_m_s, double altitude_m, double pitch_deg)
{
    return camera_at(23 + time_s * speed_m_s / RADIUS_M / STABLE_DEGREE, 275, altitude_m, 0, pitch_deg);
}

static uint64_t draw_hash(const struct stream *stream)
{
    int count;
    const struct stream_draw *draws = stream_draws(stream, &count);
    uint64_t hash = 1469598103934665603u;
    for (int k = 0; k < count; k++)
        hash = (hash ^ tile_key_of(draws[k].node) ^ (uint64_t)draws[k].quarters << 60) * 1099511628211u;
    return hash;
}

static void settle(struct run *run, const struct camera *camera, int frames)
{
    for (int k = 0; k < frames; k++)
        run_frame(run, camera, k * FRAME_S);
}

static double wasted_share(const struct stream_counters *from, const struct stream_counters *to)
{
    return (double)(to->loads_wasted - from->loads_wasted) / (double)(to->loads - from->loads);
}

static void teleport_to_the_ground_is_full_within_the_bound(void)
{
    struct run run;
    run_begin(&run, 512, 0.5, any_planet);
    struct camera orbit = camera_at(23, 275, 1.2e7, 30, -85), ground = camera_at(23, 275, 1.7, 30, -3);
    settle(&run, &orbit, 120);
    CHECK(stream_is_full(run.stream));
    struct stream_counters before = *stream_get_counters(run.stream);
    int frames = 0;
    do
        run_frame(&run, &ground, (120 + frames++) * FRAME_S);
    while (!stream_is_full(run.stream) && frames < 600);
    struct stream_counters after = *stream_get_counters(run.stream);
    double missing = (double)(after.loads - before.loads);
    double bound_s = 1.15 * missing * LOAD_S / LOADERS + 3 * FRAME_S;
    CHECK_TEXT((frames - 1) * FRAME_S <= bound_s, "%.3f s for %.0f tiles, bound %.3f s", (frames - 1) * FRAME_S,
               missing, bound_s);
    CHECK_TEXT(wasted_share(&before, &after) <= 0.12, "wasted %.3f", wasted_share(&before, &after));
    CHECK(after.reloads == 0);
    stream_free(run.stream);
}

static void steady_flight(double speed_m_s, double altitude_m, double pitch_deg)
{
    struct run run;
    run_begin(&run, 512, 0.5, any_planet);
    struct stream_counters start = {0};
    for (int k = 0; k < 1200; k++) {
        struct camera camera = cruise(k * FRAME_S, speed_m_s, altitude_m, pitch_deg);
        if (k == 120)
            start = *stream_get_counters(run.stream);
        run_frame(&run, &camera, k * FRAME_S);
    }
    struct stream_counters end = *stream_get_counters(run.stream);
    double coarse = (double)(end.coarse_frames - start.coarse_frames) / (double)(end.frames - start.frames);
    CHECK_TEXT(coarse <= 0.01, "coarse frames %.4f", coarse);
    CHECK_TEXT((double)end.loads_wasted / (double)end.loads <= 0.10, "wasted %llu of %llu",
               (unsigned long long)end.loads_wasted, (unsigned long long)end.loads);
    CHECK(end.reloads == 0);
    stream_free(run.stream);
}

static void steady_flight_at_250_m_s_stays_sharp_and_wastes_little(void)
{
    steady_flight(250, 1000, -14);
}

static void steady_flight_at_8_km_s_stays_sharp_and_wastes_little(void)
{
    steady_flight(8000, 30000, -20);
}

static void a_zoom_from_space_to_the_ground_wastes_little(void)
{
    struct run run;
    run_begin(&run, 512, 0.5, any_planet);
    for (int k = 0; k < 840; k++) {
        double t = fmin(k * FRAME_S / 10, 1);
        struct camera camera = camera_at(23, 275, 3e7 * pow(2 / 3e7, t), 30, -69 + 63 * t);
        run_frame(&run, &camera, k * FRAME_S);
    }
    const struct stream_counters *end = stream_get_counters(run.stream);
    CHECK_TEXT((double)end->loads_wasted / (double)end->loads <= 0.05, "wasted %llu of %llu",
               (unsigned long long)end->loads_wasted, (unsigned long long)end->loads);
    CHECK(end->reloads == 0);
    CHECK(stream_is_full(run.stream));
    stream_free(run.stream);
}

static void looking_ahead_costs_at_most_7_points_of_waste(void)
{
    double wasted[2];
    for (int ahead = 0; ahead < 2; ahead++) {
        struct run run;
        run_begin(&run, 512, ahead ? 0.5 : 0, any_planet);
        for (int k = 0; k < 1200; k++) {
            struct camera camera = cruise(k * FRAME_S, 250, 1000, -14);
            run_frame(&run, &camera, k * FRAME_S);
        }
        const struct stream_counters *end = stream_get_counters(run.stream);
        wasted[ahead] = (double)end->loads_wasted / (double)end->loads;
        stream_free(run.stream);
    }
    CHECK_TEXT(wasted[1] <= wasted[0] + 0.07, "%.3f against %.3f", wasted[1], wasted[0]);
}

static void a_still_camera_settles_and_nothing_flips_or_reloads(void)
{
    static const size_t budgets_mib[] = {512, 64, 24, 12, 5};
    for (int b = 0; b < 5; b++) {
        struct run run;
        run_begin(&run, budgets_mib[b], 0.5, any_planet);
        struct camera camera = camera_at(23, 275, 800, 17, -28);
        settle(&run, &camera, 600);
        uint64_t hash = draw_hash(run.stream), loads = stream_get_counters(run.stream)->loads;
        uint64_t reloads = stream_get_counters(run.stream)->reloads;
        int flips = 0;
        for (int k = 600; k < 900; k++) {
            run_frame(&run, &camera, k * FRAME_S);
            flips += draw_hash(run.stream) != hash;
        }
        const struct stream_counters *end = stream_get_counters(run.stream);
        CHECK_TEXT(flips == 0, "%d flips with %zu MiB", flips, budgets_mib[b]);
        CHECK_TEXT(end->loads == loads && end->reloads == reloads, "%zu MiB", budgets_mib[b]);
        CHECK_TEXT(stream_is_full(run.stream), "%zu MiB, detail %.3f", budgets_mib[b], end->detail_scale);
        CHECK(budgets_mib[b] >= 512 ? end->detail_scale == 1 : end->detail_scale < 1);
        CHECK(!run.over_budget);
        stream_free(run.stream);
    }
}

static void a_wobble_within_the_hysteresis_flips_nothing(void)
{
    struct run run;
    run_begin(&run, 512, 0.5, any_planet);
    struct camera camera = camera_at(23, 275, 800, 17, -60);
    settle(&run, &camera, 300);
    // Two metres up and down move every need by a quarter per cent at most: after one swing all is decided.
    for (int k = 0; k < 120; k++) {
        camera.radius_m = RADIUS_M + 800 + 2 * sin(k * 0.2);
        run_frame(&run, &camera, (300 + k) * FRAME_S);
    }
    uint64_t hash = draw_hash(run.stream);
    int flips = 0;
    for (int k = 120; k < 420; k++) {
        camera.radius_m = RADIUS_M + 800 + 2 * sin(k * 0.2);
        run_frame(&run, &camera, (300 + k) * FRAME_S);
        flips += draw_hash(run.stream) != hash;
    }
    CHECK_TEXT(flips == 0, "%d", flips);
    stream_free(run.stream);
}

static void bytes_never_exceed_the_budget_however_erratic_the_flight(void)
{
    static const size_t budgets_mib[] = {2, 8, 24, 100};
    for (int b = 0; b < 4; b++) {
        struct run run;
        run_begin(&run, budgets_mib[b], 0.5, any_planet);
        for (int k = 0; k < 600; k++) {
            double t = k * FRAME_S;
            struct camera camera = camera_at(23 + 1.1 * sin(t * 2), 275 + 1.1 * cos(t * 1.7), 2000 + 1900 * sin(t * 3),
                                             fmod(t * 115, 360), -17);
            run_frame(&run, &camera, t);
        }
        CHECK_TEXT(!run.over_budget, "%zu MiB", budgets_mib[b]);
        stream_free(run.stream);
    }
}

static void a_budget_too_small_for_the_roots_is_refused_naming_the_least(void)
{
    struct stream *stream;
    struct status status;
    struct stream_config config = {.radius_m = RADIUS_M,
                                   .intervals = INTERVALS,
                                   .tile_bytes = TILE_BYTES,
                                   .budget_bytes = MIB,
                                   .detail_px = 1.5,
                                   .error_limit_px = 1,
                                   .uploads_per_frame = 8,
                                   .slots = 100,
                                   .lookup = any_planet};
    CHECK(stream_new(&stream, &config, &status) == STATUS_USAGE);
    CHECK(strstr(status.text, "2 MiB") != NULL);
}

static void tile_counts_at_face_centre_edge_corner_and_pole_are_within_a_factor_of_2(void)
{
    static const double places_deg[][2] = {{0, 0}, {0, 45}, {35.264, 45}, {90, 0}, {45, 0}, {20, 30}};
    static const double altitudes_m[] = {2, 1000, 100000, 3e6};
    for (int a = 0; a < 4; a++) {
        int least = 1 << 30, most = 0;
        for (int p = 0; p < 6; p++) {
            struct run run;
            run_begin(&run, 2000, 0, any_planet);
            struct camera camera = camera_at(places_deg[p][0], places_deg[p][1], altitudes_m[a], 33, -20);
            settle(&run, &camera, 400);
            CHECK(stream_is_full(run.stream));
            int drawn = stream_get_counters(run.stream)->drawn;
            least = drawn < least ? drawn : least;
            most = drawn > most ? drawn : most;
            stream_free(run.stream);
        }
        CHECK_TEXT(most <= 2 * least, "altitude %g m: %d to %d", altitudes_m[a], least, most);
    }
}

// How many draws show the surface in direction dir.
static int draws_at(const struct stream *stream, struct double3 dir)
{
    int count, shown = 0;
    const struct stream_draw *draws = stream_draws(stream, &count);
    struct cube_place place = cube_sphere_locate(dir);
    for (int k = 0; k < count; k++) {
        struct node node = node_at(place.face, place.s, place.t, draws[k].node.level);
        struct node child = node_at(place.face, place.s, place.t, draws[k].node.level + 1);
        shown += tile_key_of(node) == tile_key_of(draws[k].node) && (draws[k].quarters >> node_child_index(child) & 1);
    }
    return shown;
}

// Every point of the datum sphere that the picture shows is drawn exactly once, whatever is loaded.
static void check_cover(const struct run *run, const struct camera *camera)
{
    struct camera_frame frame = camera_frame_of(camera);
    for (int k = 0; k < 200; k++) {
        struct double3 ray =
            camera_ray(&frame, camera, check_random_unit() * camera->width_px, check_random_unit() * camera->height_px);
        double b = double3_dot(frame.eye_m, ray);
        double aside_m = double3_length(double3_cross(frame.eye_m, ray));
        if (aside_m >= RADIUS_M * 0.99999 || b >= 0)
            continue;
        double along_m = -b - sqrt((RADIUS_M - aside_m) * (RADIUS_M + aside_m));
        struct double3 point = double3_add(frame.eye_m, double3_scale(ray, along_m));
        int shown = draws_at(run->stream, double3_normalise(point));
        CHECK_TEXT(shown == 1, "%d draws at altitude %g m", shown, camera->radius_m - RADIUS_M);
    }
}

static void every_visible_point_is_drawn_exactly_once_while_streaming_and_with_damage(void)
{
    for (uint64_t damage = 0; damage <= 5; damage += 5) {
        struct run run;
        run_begin(&run, 64, 0.5, any_planet);
        run.damage_every = damage;
        double now_s = 0;
        for (int view = 0; view < 40; view++) {
            struct camera camera =
                camera_at(asin(2 * check_random_unit() - 1) / STABLE_DEGREE, 360 * check_random_unit(),
                          2 * pow(3e7, check_random_unit()), 360 * check_random_unit(), -90 * check_random_unit());
            int frames = 4 + (int)check_random_below(20);
            for (int k = 0; k < frames; k++, now_s += FRAME_S) {
                run_frame(&run, &camera, now_s);
                if (k >= 3 || view > 0)
                    check_cover(&run, &camera);
            }
        }
        CHECK((stream_get_counters(run.stream)->failed > 0) == (damage > 0));
        stream_free(run.stream);
    }
}

static void damaged_tiles_count_as_final(void)
{
    struct run run;
    run_begin(&run, 512, 0.5, any_planet);
    run.damage_every = 7;
    struct camera camera = camera_at(23, 275, 800, 17, -28);
    settle(&run, &camera, 400);
    CHECK(stream_get_counters(run.stream)->failed > 0);
    CHECK(stream_is_full(run.stream));
    uint64_t failed = stream_get_counters(run.stream)->failed;
    settle(&run, &camera, 100);
    CHECK(stream_get_counters(run.stream)->failed == failed);
    stream_free(run.stream);
}

// The level of the tile that is drawn under the camera; -1 for none.
static int level_under(struct run *run, const struct camera *camera)
{
    struct cube_place place = cube_sphere_locate(geographic_dir(camera->latitude_deg, camera->longitude_deg));
    int count;
    const struct stream_draw *draws = stream_draws(run->stream, &count);
    for (int k = 0; k < count; k++) {
        struct node node = node_at(place.face, place.s, place.t, draws[k].node.level);
        struct node child = node_at(place.face, place.s, place.t, draws[k].node.level + 1);
        if (tile_key_of(node) == tile_key_of(draws[k].node) && (draws[k].quarters >> node_child_index(child) & 1))
            return draws[k].node.level;
    }
    return -1;
}

// The tiles of some levels above a place fail: what is drawn there with them, in the end.
static int level_with_damage(const struct camera *camera, int first_level, int last_level)
{
    struct cube_place place = cube_sphere_locate(geographic_dir(camera->latitude_deg, camera->longitude_deg));
    struct node damaged[TILE_LEVEL_MAX + 1];
    struct run run;
    run_begin(&run, 512, 0.5, any_planet);
    run.damaged = damaged;
    for (int level = first_level; level <= last_level; level++)
        damaged[run.damaged_count++] = node_at(place.face, place.s, place.t, level);
    // All the way down, as one comes there, nothing is drawn twice or left out.
    for (int k = 0; k < 300; k++) {
        struct camera above = *camera;
        above.radius_m = RADIUS_M + (camera->radius_m - RADIUS_M) * pow(2000, fmax(0, 1 - k / 150.0));
        run_frame(&run, &above, k * FRAME_S);
        if (k >= 3 && k % 10 == 0)
            check_cover(&run, &above);
    }
    CHECK(stream_is_full(run.stream));
    CHECK(stream_get_counters(run.stream)->failed == (uint64_t)run.damaged_count);
    int level = level_under(&run, camera);
    stream_free(run.stream);
    return level;
}

static void intact_tiles_below_damaged_ones_are_drawn(void)
{
    struct camera camera = camera_at(23, 275, 3000, 17, -85);
    int finest = level_with_damage(&camera, 0, -1);
    CHECK_TEXT(finest > 8, "%d", finest);
    CHECK(level_with_damage(&camera, 1, 1) == finest);
    CHECK(level_with_damage(&camera, 3, 3) == finest);
    CHECK(level_with_damage(&camera, finest - 1, finest - 1) == finest);
    CHECK(level_with_damage(&camera, 2, 5) == finest);
    // Nothing intact lies below what is looked for.
    CHECK(level_with_damage(&camera, finest, finest) == finest - 1);
    CHECK(level_with_damage(&camera, finest - 2, finest) == finest - 3);
}

// A share: faces 0 and 3 lack levels 1 to 3; level 4 and 5 are there; other faces end at level 2.
static bool a_share(void *context, struct node node, struct stream_record *record)
{
    any_planet(context, node, record);
    bool deep = node.face == 0 || node.face == 3;
    record->descends = node.level < (deep ? 5 : 2);
    record->present = node.level == 0 || (deep ? node.level >= 4 && node.level <= 5 : node.level <= 2);
    return true;
}

static void shares_with_missing_ancestors_are_descended_through(void)
{
    struct run run;
    run_begin(&run, 512, 0.5, a_share);
    struct camera camera = camera_at(5, 3, 50000, 17, -50);
    settle(&run, &camera, 200);
    int count, deepest = 0;
    const struct stream_draw *draws = stream_draws(run.stream, &count);
    for (int k = 0; k < count; k++)
        deepest = draws[k].node.level > deepest ? draws[k].node.level : deepest;
    CHECK_TEXT(deepest == 5, "%d", deepest);
    CHECK(stream_is_full(run.stream));
    check_cover(&run, &camera);
    stream_free(run.stream);
}

static void skirts_reach_below_both_errors_and_one_per_cent_of_the_width(void)
{
    struct run run;
    run_begin(&run, 512, 0.5, any_planet);
    struct camera camera = camera_at(35, 44, 20000, 17, -10);
    settle(&run, &camera, 400);
    int count;
    const struct stream_draw *draws = stream_draws(run.stream, &count);
    for (int k = 0; k < count; k++) {
        struct stream_record own, other;
        any_planet(NULL, draws[k].node, &own);
        double width_m = tile_spacing_m(RADIUS_M, 1, draws[k].node.level);
        CHECK(draws[k].skirt_m >= 0.01 * width_m && draws[k].skirt_m >= 2 * own.error_m);
        for (int side = 0; side < NODE_SIDE_COUNT; side++) {
            struct node at = node_neighbour(draws[k].node, (enum node_side)side, NULL, NULL);
            for (; at.level > 0; at = node_parent(at)) {
                for (int j = 0; j < count; j++) {
                    if (tile_key_of(draws[j].node) != tile_key_of(at))
                        continue;
                    any_planet(NULL, at, &other);
                    CHECK(draws[k].skirt_m >= own.error_m + other.error_m);
                }
            }
        }
    }
    stream_free(run.stream);
}

static void a_frozen_view_keeps_its_draws_and_asks_for_nothing(void)
{
    struct run run;
    run_begin(&run, 64, 0.5, any_planet);
    struct camera camera = camera_at(35, 44, 20000, 17, -10), away = camera_at(-35, 144, 2000, 17, -10);
    settle(&run, &camera, 300);
    uint64_t hash = draw_hash(run.stream), loads = stream_get_counters(run.stream)->loads;
    stream_freeze(run.stream, true);
    for (int k = 0; k < 600; k++)
        run_frame(&run, &away, 5 + k * FRAME_S);
    CHECK(draw_hash(run.stream) == hash);
    CHECK(stream_get_counters(run.stream)->loads == loads);
    stream_freeze(run.stream, false);
    for (int k = 0; k < 300; k++)
        run_frame(&run, &away, 20 + k * FRAME_S);
    CHECK(draw_hash(run.stream) != hash && stream_is_full(run.stream));
    stream_free(run.stream);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(teleport_to_the_ground_is_full_within_the_bound);
    CHECK_RUN(steady_flight_at_250_m_s_stays_sharp_and_wastes_little);
    CHECK_RUN(steady_flight_at_8_km_s_stays_sharp_and_wastes_little);
    CHECK_RUN(a_zoom_from_space_to_the_ground_wastes_little);
    CHECK_RUN(looking_ahead_costs_at_most_7_points_of_waste);
    CHECK_RUN(a_still_camera_settles_and_nothing_flips_or_reloads);
    CHECK_RUN(a_wobble_within_the_hysteresis_flips_nothing);
    CHECK_RUN(bytes_never_exceed_the_budget_however_erratic_the_flight);
    CHECK_RUN(a_budget_too_small_for_the_roots_is_refused_naming_the_least);
    CHECK_RUN(tile_counts_at_face_centre_edge_corner_and_pole_are_within_a_factor_of_2);
    CHECK_RUN(every_visible_point_is_drawn_exactly_once_while_streaming_and_with_damage);
    CHECK_RUN(damaged_tiles_count_as_final);
    CHECK_RUN(intact_tiles_below_damaged_ones_are_drawn);
    CHECK_RUN(shares_with_missing_ancestors_are_descended_through);
    CHECK_RUN(skirts_reach_below_both_errors_and_one_per_cent_of_the_width);
    CHECK_RUN(a_frozen_view_keeps_its_draws_and_asks_for_nothing);
    return CHECK_END;
}

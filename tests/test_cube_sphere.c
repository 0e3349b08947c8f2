// SPDX-License-Identifier: MIT
// The way from a place on a cube face to a direction and back: the frames of the faces, the warp, and
// borders that are equal to the bit from every face and level.
#include "common/cube_sphere.h"

#include <math.h>

#include "common/tile_grid.h"
#include "common/tile_key.h"
#include "tests/check.h"

// The frames as S2 defines them (s2coords.h, FaceUVtoXYZ), written down apart from the table under test.
static void s2_face_uv_to_xyz(int face, int64_t u, int64_t v, int64_t one, int64_t xyz[3])
{
    const int64_t points[6][3] = {{one, u, v},    {-u, one, v},  {-u, -v, one},
                                  {-one, -v, -u}, {v, -one, -u}, {v, u, -one}};
    memcpy(xyz, points[face], sizeof points[face]);
}

// The inverse: whether the cube point lies on the face, and where.
static bool s2_xyz_to_face_uv(int face, const int64_t p[3], int64_t one, int64_t *u, int64_t *v)
{
    const int64_t out[6] = {p[0], p[1], p[2], -p[0], -p[1], -p[2]};
    const int64_t us[6] = {p[1], -p[0], -p[0], -p[2], -p[2], p[1]};
    const int64_t vs[6] = {p[2], p[2], -p[1], -p[1], p[0], p[0]};
    *u = us[face];
    *v = vs[face];
    return out[face] == one;
}

static bool same_bits(struct double3 a, struct double3 b)
{
    return memcmp(&a.x, &b.x, 8) == 0 && memcmp(&a.y, &b.y, 8) == 0 && memcmp(&a.z, &b.z, 8) == 0;
}

static double distance(struct double3 a, struct double3 b)
{
    return double3_length(double3_sub(a, b));
}

// Compares the direction of a border point with that from every other face it lies on; returns how many.
static int compare_over_faces(int face, int64_t i, int64_t j, int64_t n)
{
    int64_t p[3], u, v;
    int others = 0;
    struct double3 dir = cube_sphere_lattice_dir(face, i, j, n);
    s2_face_uv_to_xyz(face, 2 * i - n, 2 * j - n, n, p);
    for (int other = 0; other < CUBE_FACE_COUNT; other++) {
        if (other == face || !s2_xyz_to_face_uv(other, p, n, &u, &v))
            continue;
        others++;
        struct double3 seen = cube_sphere_lattice_dir(other, (u + n) / 2, (v + n) / 2, n);
        CHECK_TEXT(same_bits(dir, seen), "face %d, %lld,%lld of %lld, from face %d", face, (long long)i, (long long)j,
                   (long long)n, other);
    }
    return others;
}

// Point k of 0..n along border 0..3 of a face.
static void border_point(int border, int64_t k, int64_t n, int64_t *i, int64_t *j)
{
    *i = border == 0 ? 0 : border == 1 ? n : k;
    *j = border == 2 ? 0 : border == 3 ? n : k;
}

static void borders_are_equal_to_the_bit_from_every_face_to_level_6(void)
{
    // N 2^level runs over the powers of two from 32 to 512 * 2^6.
    for (int64_t n = TILE_INTERVALS_MIN; n <= tile_lattice_size(TILE_INTERVALS_MAX, 6); n *= 2) {
        int64_t edges = 0, corners = 0;
        for (int at = 0; at < 24; at++) {
            for (int64_t k = 0; k <= n; k++) {
                int64_t i, j;
                border_point(at % 4, k, n, &i, &j);
                int others = compare_over_faces(at / 4, i, j, n);
                edges += others == 1;
                corners += others == 2;
            }
        }
        // 12 edges seen from 2 faces, 8 corners from 3 faces and along 2 borders of each.
        CHECK(edges == 24 * (n - 1) && corners == 48);
    }
}

static void borders_are_equal_to_the_bit_from_every_face_to_level_24(void)
{
    for (int k = 0; k < 200000; k++) {
        int64_t n = tile_lattice_size(32 << check_random_below(5), (int)check_random_below(25)), i, j;
        border_point((int)check_random_below(4), (int64_t)check_random_below((uint64_t)n + 1), n, &i, &j);
        CHECK(compare_over_faces((int)check_random_below(6), i, j, n) >= 1);
    }
    for (int64_t n = 1; n <= INT64_C(1) << 33; n *= 2) {
        for (int face = 0; face < 6; face++) {
            for (int corner = 0; corner < 4; corner++)
                CHECK(compare_over_faces(face, corner & 1 ? n : 0, corner & 2 ? n : 0, n) == 2);
        }
    }
}

static void points_are_equal_to_the_bit_on_every_level(void)
{
    for (int k = 0; k < 200000; k++) {
        int face = (int)check_random_below(6), level = (int)check_random_below(25);
        int64_t n = tile_lattice_size(32 << check_random_below(5), level);
        int64_t i = (int64_t)check_random_below((uint64_t)n + 1), j = (int64_t)check_random_below((uint64_t)n + 1);
        if (k % 4 == 0)
            border_point((int)check_random_below(4), j, n, &i, &j);
        struct double3 dir = cube_sphere_lattice_dir(face, i, j, n);
        for (int64_t scale = 2; n * scale <= INT64_C(1) << 33; scale *= 2)
            CHECK(same_bits(dir, cube_sphere_lattice_dir(face, i * scale, j * scale, n * scale)));
        CHECK(same_bits(dir, cube_sphere_dir(face, (double)i / (double)n, (double)j / (double)n)));
    }
}

static void directions_have_unit_length_and_no_minus_zero(void)
{
    for (int face = 0; face < 6; face++) {
        for (int64_t i = 0; i <= 64; i++) {
            for (int64_t j = 0; j <= 64; j++) {
                struct double3 d = cube_sphere_lattice_dir(face, i, j, 64);
                CHECK(fabs(double3_length(d) - 1) < 3e-16);
                CHECK(!(d.x == 0 && signbit(d.x)) && !(d.y == 0 && signbit(d.y)) && !(d.z == 0 && signbit(d.z)));
            }
        }
    }
}

static void index_to_direction_to_index_is_exact_at_coarse_levels(void)
{
    for (int64_t n = 1; n <= 128; n *= 2) {
        for (int face = 0; face < 6; face++) {
            for (int64_t k = 0; k < (n + 1) * (n + 1); k++) {
                int64_t i = k % (n + 1), j = k / (n + 1);
                struct double3 dir = cube_sphere_lattice_dir(face, i, j, n);
                struct cube_place place = cube_sphere_locate_on_face(face, dir);
                CHECK(place.s * (double)n == (double)i && place.t * (double)n == (double)j);
            }
        }
    }
}

static void index_to_direction_to_index_is_exact_to_level_24(void)
{
    for (int k = 0; k < 200000; k++) {
        int face = (int)check_random_below(6), level = (int)check_random_below(25);
        int64_t n = tile_lattice_size(32 << check_random_below(5), level);
        // Near the rim half of the time, and never on it: there the face may be another one.
        uint64_t span = k % 2 ? (uint64_t)n - 1 : 9;
        int64_t i = 1 + (int64_t)check_random_below(span), j = 1 + (int64_t)check_random_below((uint64_t)n - 1);
        if (k % 4 == 0)
            i = n - i;
        struct cube_place place = cube_sphere_locate(cube_sphere_lattice_dir(face, i, j, n));
        CHECK_TEXT(place.face == face && place.s * (double)n == (double)i && place.t * (double)n == (double)j,
                   "face %d, %lld,%lld of %lld: face %d, %a,%a", face, (long long)i, (long long)j, (long long)n,
                   place.face, place.s, place.t);
    }
}

static void a_border_point_is_located_on_the_first_axis_of_its_faces(void)
{
    for (int k = 0; k < 50000; k++) {
        int face = (int)check_random_below(6);
        int64_t n = tile_lattice_size(32, (int)check_random_below(25)), i, j, p[3], u, v;
        border_point((int)check_random_below(4), (int64_t)check_random_below((uint64_t)n + 1), n, &i, &j);
        struct cube_place place = cube_sphere_locate(cube_sphere_lattice_dir(face, i, j, n));
        s2_face_uv_to_xyz(face, 2 * i - n, 2 * j - n, n, p);
        int expected = llabs(p[0]) == n ? (p[0] > 0 ? 0 : 3) : (p[1] > 0 ? 1 : 4);
        CHECK(s2_xyz_to_face_uv(expected, p, n, &u, &v));
        CHECK(place.face == expected && place.s * (double)(2 * n) == (double)(u + n) &&
              place.t * (double)(2 * n) == (double)(v + n));
    }
}

// Whether a coordinate is one of those that cube_unwarp takes what is very near for.
static bool on_lattice(double s)
{
    return s * 0x1p33 == floor(s * 0x1p33);
}

static void any_direction_is_located_where_it_came_from(void)
{
    // Rounding alone did 5.9e-16 at most to any of 50 million directions.
    const double rounding = 8e-16, snap = 4 * 0x1p-52;
    for (int k = 0; k < 200000; k++) {
        struct double3 raw = {check_random_unit() - 0.5, check_random_unit() - 0.5, check_random_unit() - 0.5};
        if (k % 8 == 0)
            raw.y = raw.x; // on the plane through an edge
        if (k % 16 == 0)
            raw.z = 0;
        struct double3 dir = double3_normalise(raw);
        struct cube_place place = cube_sphere_locate(raw);
        CHECK(place.s >= 0 && place.s <= 1 && place.t >= 0 && place.t <= 1);
        int snapped = on_lattice(place.s) + on_lattice(place.t);
        double off = distance(cube_sphere_dir(place.face, place.s, place.t), dir);
        CHECK_TEXT(off < rounding + snapped * snap, "%g", off);
    }
}

static void places_beyond_the_rim_continue_the_face(void)
{
    // 20 degrees beyond the middle of each border of face 0, where s and t are angles: 90 degrees make 1.
    struct cube_place east = cube_sphere_locate_on_face(0, geographic_dir(0, 65));
    struct cube_place west = cube_sphere_locate_on_face(0, geographic_dir(0, -65));
    struct cube_place north = cube_sphere_locate_on_face(0, geographic_dir(65, 0));
    CHECK(fabs(east.s - (1 + 20.0 / 90)) < 1e-14 && fabs(east.t - 0.5) < 1e-15);
    CHECK(fabs(west.s + 20.0 / 90) < 1e-14);
    CHECK(fabs(north.t - (1 + 20.0 / 90)) < 1e-14);
}

struct landmark {
    int face;
    double s, t, latitude_deg, longitude_deg;
};

static void faces_are_numbered_and_oriented_as_in_s2(void)
{
    static const struct landmark landmarks[] = {
        {0, 0.5, 0.5, 0, 0},    {0, 1, 0.5, 0, 45},     {0, 0.5, 1, 45, 0},   // Gulf of Guinea
        {1, 0.5, 0.5, 0, 90},   {1, 1, 0.5, 0, 135},    {1, 0.5, 1, 45, 90},  // Indian Ocean
        {2, 0.5, 0.5, 90, 0},   {2, 1, 0.5, 45, -180},  {2, 0.5, 1, 45, -90}, // north pole
        {3, 0.5, 0.5, 0, -180}, {3, 1, 0.5, -45, -180}, {3, 0.5, 1, 0, -135}, // date line
        {4, 0.5, 0.5, 0, -90},  {4, 1, 0.5, -45, -90},  {4, 0.5, 1, 0, -45},  // Galapagos
        {5, 0.5, 0.5, -90, 0},  {5, 1, 0.5, -45, 90},   {5, 0.5, 1, -45, 0},  // south pole
    };
    for (size_t k = 0; k < sizeof landmarks / sizeof landmarks[0]; k++) {
        const struct landmark *mark = &landmarks[k];
        struct double3 dir = cube_sphere_dir(mark->face, mark->s, mark->t);
        double latitude, longitude;
        geographic_of(dir, &latitude, &longitude);
        CHECK_TEXT(fabs(latitude - mark->latitude_deg) < 1e-13 && fabs(longitude - mark->longitude_deg) < 1e-13,
                   "face %d %g,%g: %.17g %.17g", mark->face, mark->s, mark->t, latitude, longitude);
        CHECK(distance(dir, geographic_dir(mark->latitude_deg, mark->longitude_deg)) < 4e-16);
    }
    for (int face = 0; face < 6; face++) {
        const struct cube_face_frame *frame = &cube_face_frames[face];
        int64_t p[3];
        s2_face_uv_to_xyz(face, 2, 3, 1, p);
        CHECK(p[frame->out.axis] == frame->out.sign && p[frame->s.axis] == 2 * frame->s.sign &&
              p[frame->t.axis] == 3 * frame->t.sign);
    }
}

// The letter L: a long stem upward (growing t, lower rows), a short foot to the right. A mirrored or turned
// face would show another figure.
static void every_face_shows_the_letter_l_from_outside(void)
{
    for (int face = 0; face < 6; face++) {
        struct node node = {face, 1, 0, 1}; // the lower left quarter
        struct double3 corner = tile_sample_dir(node, 32, 8, 28), foot = tile_sample_dir(node, 32, 14, 28),
                       top = tile_sample_dir(node, 32, 8, 4), right = tile_sample_dir(node, 32, 14, 4);
        struct double3 to_foot = double3_sub(foot, corner), to_top = double3_sub(top, corner);
        CHECK(double3_length(to_top) > 3 * double3_length(to_foot));
        // Seen from outside, the foot is turned counter-clockwise to reach the top.
        CHECK(double3_dot(corner, double3_cross(to_foot, to_top)) > 0.1 * double3_length(to_foot));
        CHECK(double3_dot(right, double3_cross(double3_sub(top, right), double3_sub(foot, right))) > 0);
        // And the figure stands where S2 puts it: s to the frame's s, rows against t.
        struct cube_place place = cube_sphere_locate(top);
        CHECK(place.face == face && place.s == 8 / 64.0 && place.t == (32 - 4) / 64.0);
    }
}

static void warp_is_odd_to_the_bit_with_exact_ends(void)
{
    CHECK(cube_warp(1.0) == 1.0 && cube_warp(-1.0) == -1.0 && cube_warp(0.0) == 0.0);
    CHECK(cube_unwarp(1.0) == 1.0 && cube_unwarp(-1.0) == -1.0 && cube_unwarp(0.0) == 0.0);
    for (int k = 0; k < 200000; k++) {
        double x = check_random_unit(), u = cube_warp(x), minus = cube_warp(-x);
        CHECK(minus == -u);
        CHECK(u < 1.0 || x == 1.0);
    }
    CHECK(cube_warp(nextafter(1.0, 0.0)) < 1.0);
}

static void warp_grows_strictly_along_every_lattice(void)
{
    for (int k = 0; k < 200000; k++) {
        int64_t n = INT64_C(1) << (5 + check_random_below(29));
        int64_t i = (int64_t)check_random_below((uint64_t)n);
        double x = (double)(2 * i - n) / (double)n, next = (double)(2 * i + 2 - n) / (double)n;
        CHECK_TEXT(cube_warp(x) < cube_warp(next), "%a", x);
    }
    double before = cube_warp(1 - 0x1p-20);
    for (double x = 1 - 0x1p-20 + 0x1p-32; x <= 1.0; x += 0x1p-32) {
        double u = cube_warp(x);
        CHECK_TEXT(before < u, "%a", x);
        before = u;
    }
}

static void warp_is_the_tangent(void)
{
    double worst = 0;
    for (int k = 0; k < 200000; k++) {
        double x = check_random_unit();
        long double exact = tanl(0.785398163397448309615660845819875721L * (long double)x);
        double error = (double)fabsl((long double)cube_warp(x) - exact);
        worst = error > worst ? error : worst;
    }
    CHECK_TEXT(worst < 4e-16, "%g", worst);
    CHECK(worst > 1e-17); // the comparison sees rounding, so it compares something
}

static void unwarp_undoes_the_warp(void)
{
    for (int k = 0; k < 200000; k++) {
        double x = 2 * check_random_unit() - 1, back = cube_unwarp(cube_warp(x));
        CHECK_TEXT(fabs(back - x) < 1.5e-15, "%a %a", x, back);
        double lattice = floor(x * 0x1p32) * 0x1p-32, u = cube_warp(lattice);
        CHECK(cube_unwarp(u) == lattice);
        CHECK(cube_unwarp(u + 3 * 0x1p-52) == lattice && cube_unwarp(u - 3 * 0x1p-52) == lattice);
        // What is clearly off the lattice is not pulled to it.
        CHECK(cube_unwarp(u + 32 * 0x1p-52) > lattice && cube_unwarp(u - 32 * 0x1p-52) < lattice);
    }
}

// Solid angle of the triangle a b c (Van Oosterom and Strackee 1983).
static double solid_angle(struct double3 a, struct double3 b, struct double3 c)
{
    double above = double3_dot(a, double3_cross(b, c));
    return 2 * atan2(above, 1 + double3_dot(a, b) + double3_dot(b, c) + double3_dot(c, a));
}

static void lines_in_a_row_are_those_one_by_one(void)
{
    for (int round = 0; round < 400; round++) {
        double lines[150];
        int64_t n = INT64_C(1) << (5 + check_random_below(29)), third = n / 3, most = n + 2 * third + 1;
        int64_t first = (int64_t)check_random_below((uint64_t)most) - third;
        int64_t step = (int64_t)(1 + check_random_below(16)) * (round % 2 ? 1 : -1);
        int64_t room = (step > 0 ? n + third - first : first + third) / (step > 0 ? step : -step);
        int sign = round % 4 < 2 ? 1 : -1, count = room < 149 ? (int)room + 1 : 150;
        // Among them the middle and both edges.
        if (round % 8 == 0 && n <= 64)
            first = 0, step = 1, count = (int)n + 1;
        cube_lattice_lines(lines, count, sign, first, step, n);
        for (int k = 0; k < count; k++) {
            double line = cube_lattice_line(sign, first + k * step, n);
            CHECK_TEXT(memcmp(&line, &lines[k], sizeof line) == 0, "line %d of %d", k, count);
        }
    }
}

static void cells_differ_in_area_by_1_41_at_most_and_fill_the_sphere(void)
{
    double least = 1, most = 0, whole = 0;
    const int64_t n = 128;
    for (int face = 0; face < 6; face++) {
        for (int64_t k = 0; k < n * n; k++) {
            int64_t i = k % n, j = k / n;
            struct double3 a = cube_sphere_lattice_dir(face, i, j, n), b = cube_sphere_lattice_dir(face, i + 1, j, n),
                           c = cube_sphere_lattice_dir(face, i + 1, j + 1, n),
                           d = cube_sphere_lattice_dir(face, i, j + 1, n);
            double area = solid_angle(a, b, c) + solid_angle(a, c, d);
            whole += area;
            least = area < least ? area : least;
            most = area > most ? area : most;
        }
    }
    CHECK_TEXT(most / least > 1.40 && most / least < 1.4143, "%g", most / least);
    CHECK(fabs(whole - 4 * STABLE_PI) < 1e-9);
}

static void tangent_frames_are_right_handed_and_follow_s(void)
{
    for (int k = 0; k < 50000; k++) {
        int face = (int)check_random_below(6);
        double s = check_random_unit() * 0.999, t = check_random_unit() * 0.999;
        struct double3 dir = cube_sphere_dir(face, s, t);
        struct tangent_frame frame = cube_tangent_frame(face, dir);
        CHECK(same_bits(frame.z, dir));
        // x takes over the error of the length of z, up to 3e-16, twice, and rounds by as much; y is made of both.
        CHECK(fabs(double3_dot(frame.x, frame.z)) < 1e-15 && fabs(double3_dot(frame.y, frame.z)) < 4e-16);
        CHECK(fabs(double3_length(frame.x) - 1) < 5e-16 && fabs(double3_length(frame.y) - 1) < 1e-15);
        CHECK(distance(double3_cross(frame.z, frame.x), frame.y) == 0);
        struct double3 along_s = double3_sub(cube_sphere_dir(face, s + 1e-4, t), dir);
        struct double3 along_t = double3_sub(cube_sphere_dir(face, s, t + 1e-4), dir);
        CHECK(double3_dot(double3_normalise(along_s), frame.x) > 0.9999);
        CHECK(double3_dot(along_t, frame.y) > 0);
    }
}

static void geographic_degrees_return(void)
{
    for (int k = 0; k < 100000; k++) {
        double latitude = 180 * check_random_unit() - 90, longitude = 540 * check_random_unit() - 180, lat, lon;
        geographic_of(geographic_dir(latitude, longitude), &lat, &lon);
        double expected = longitude >= 180 ? longitude - 360 : longitude;
        CHECK_TEXT(fabs(lat - latitude) < 1e-12, "%.17g %.17g", latitude, lat);
        // A longitude loses digits towards the poles.
        CHECK(fabs(lon - expected) * cos(latitude * STABLE_DEGREE) < 1e-12);
    }
    double lat, lon;
    geographic_of(geographic_dir(90, 33), &lat, &lon);
    CHECK(lat == 90 && lon == 0);
    geographic_of(geographic_dir(-90, 33), &lat, &lon);
    CHECK(lat == -90 && lon == 0);
    geographic_of(geographic_dir(0, 180), &lat, &lon);
    CHECK(lat == 0 && lon == -180);
    struct double3 x = geographic_dir(0, 0), y = geographic_dir(0, 90), z = geographic_dir(90, 0);
    CHECK(x.x == 1 && x.y == 0 && x.z == 0 && y.x == 0 && y.y == 1 && z.x == 0 && z.z == 1);
}

static void bits_are_the_same_on_every_machine(void)
{
    uint64_t warps = CHECK_HASH_START, unwarps = CHECK_HASH_START, dirs = CHECK_HASH_START, degrees = CHECK_HASH_START;
    for (int k = 0; k < 100000; k++) {
        double x = k * 2e-5 - 1, latitude, longitude;
        warps = check_hash(warps, cube_warp(x));
        unwarps = check_hash(unwarps, cube_unwarp(x));
        struct double3 dir = cube_sphere_lattice_dir(k % 6, k * INT64_C(36000), k * INT64_C(7777), INT64_C(1) << 32);
        dirs = check_hash(check_hash(check_hash(dirs, dir.x), dir.y), dir.z);
        geographic_of(dir, &latitude, &longitude);
        degrees = check_hash(check_hash(degrees, latitude), longitude);
    }
    CHECK_TEXT(warps == UINT64_C(0x23E57A25CC8630E2), "0x%016llX", (unsigned long long)warps);
    CHECK_TEXT(unwarps == UINT64_C(0x2E667AAB642D33F5), "0x%016llX", (unsigned long long)unwarps);
    CHECK_TEXT(dirs == UINT64_C(0x51FE6DD0B818FE69), "0x%016llX", (unsigned long long)dirs);
    CHECK_TEXT(degrees == UINT64_C(0x54DF13F664D63556), "0x%016llX", (unsigned long long)degrees);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(borders_are_equal_to_the_bit_from_every_face_to_level_6);
    CHECK_RUN(borders_are_equal_to_the_bit_from_every_face_to_level_24);
    CHECK_RUN(points_are_equal_to_the_bit_on_every_level);
    CHECK_RUN(directions_have_unit_length_and_no_minus_zero);
    CHECK_RUN(index_to_direction_to_index_is_exact_at_coarse_levels);
    CHECK_RUN(index_to_direction_to_index_is_exact_to_level_24);
    CHECK_RUN(a_border_point_is_located_on_the_first_axis_of_its_faces);
    CHECK_RUN(any_direction_is_located_where_it_came_from);
    CHECK_RUN(places_beyond_the_rim_continue_the_face);
    CHECK_RUN(faces_are_numbered_and_oriented_as_in_s2);
    CHECK_RUN(every_face_shows_the_letter_l_from_outside);
    CHECK_RUN(warp_is_odd_to_the_bit_with_exact_ends);
    CHECK_RUN(warp_grows_strictly_along_every_lattice);
    CHECK_RUN_WITHOUT_VALGRIND(warp_is_the_tangent, WHY_LONG_DOUBLE);
    CHECK_RUN(unwarp_undoes_the_warp);
    CHECK_RUN(lines_in_a_row_are_those_one_by_one);
    CHECK_RUN(cells_differ_in_area_by_1_41_at_most_and_fill_the_sphere);
    CHECK_RUN(tangent_frames_are_right_handed_and_follow_s);
    CHECK_RUN(geographic_degrees_return);
    CHECK_RUN(bits_are_the_same_on_every_machine);
    return CHECK_END;
}

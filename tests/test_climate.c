// SPDX-License-Identifier: MIT
// climate(): where the model lets rain fall, and the field that is made of it.
#include "bake/planet/climate_model.h"
#include "common/stable_math.h"
#include "formats/sha256.h"
#include "tests/planet_help.h"

#define FINE_M 1000.0

static struct climate_ground ground;
static float rain[CLIMATE_ROWS][CLIMATE_COLUMNS];

static double latitude_of(int row)
{
    return 90 - (row + 0.5) * 180 / CLIMATE_ROWS;
}

// Sea everywhere, as warm as on Earth.
static void make_sea(void)
{
    memset(&ground, 0, sizeof ground);
    for (int row = 0; row < CLIMATE_ROWS; row++)
        for (int k = 0; k < CLIMATE_COLUMNS; k++) {
            double sine, cosine;
            stable_sincos_deg(latitude_of(row), &sine, &cosine);
            ground.warmth[row][k] = 27.5 - 44 * sine * sine * fabs(sine);
        }
}

static void make_land(int column, int columns, double height_m)
{
    for (int row = 0; row < CLIMATE_ROWS; row++)
        for (int k = column; k < column + columns; k++) {
            ground.land[row][k] = 1;
            ground.height_m[row][k] = height_m;
        }
}

static void run_model(double mean_mm)
{
    struct status status;
    CHECK(climate_model(rain, &ground, mean_mm, &status) == STATUS_OK);
}

// Means over rows whose latitude is within low..high, and over columns.
static double mean_between(double low, double high, int column, int columns)
{
    double sum = 0;
    int count = 0;
    for (int row = 0; row < CLIMATE_ROWS; row++)
        for (int k = column; k < column + columns && latitude_of(row) > low && latitude_of(row) < high; k++) {
            sum += (double)rain[row][k];
            count++;
        }
    return sum / count;
}

static double zonal(double low, double high)
{
    return mean_between(low, high, 0, CLIMATE_COLUMNS);
}

static double mean_rain(void)
{
    double sum = 0, area = 0;
    for (int row = 0; row < CLIMATE_ROWS; row++)
        for (int k = 0; k < CLIMATE_COLUMNS; k++) {
            double weight = cos(latitude_of(row) * M_PI / 180);
            sum += weight * (double)rain[row][k];
            area += weight;
        }
    return sum / area;
}

static void a_sea_has_wet_tropics_dry_belts_and_wet_westerlies(void)
{
    make_sea();
    run_model(1000);
    double tropics = zonal(-5, 5);
    for (int side = 0; side < 2; side++) {
        double north = side ? -1 : 1;
        double dry = north > 0 ? zonal(20, 30) : zonal(-30, -20), wet = north > 0 ? zonal(50, 60) : zonal(-60, -50);
        double polar = north > 0 ? zonal(75, 90) : zonal(-90, -75);
        CHECK_TEXT(tropics > 1.5 * dry && wet > 1.15 * dry && polar < 0.6 * wet && tropics > wet,
                   "%g at the equator, %g at 25, %g at 55, %g at the pole", tropics, dry, wet, polar);
    }
    for (int row = 0; row < CLIMATE_ROWS; row++) {
        CHECK_TEXT(rain[row][0] == rain[CLIMATE_ROWS - 1 - row][0], "row %d", row);
        CHECK_TEXT(fabsf(rain[row][7] - rain[row][200]) < 1e-3f, "row %d", row);
    }
}

static void rain_has_the_wanted_mean(void)
{
    for (int round = 0; round < 2; round++) {
        make_sea();
        if (round > 0)
            make_land(40, 216, 500);
        double wanted = round == 1 ? 40 : 1300;
        run_model(wanted);
        CHECK_TEXT(fabs(mean_rain() - wanted) < 1e-3 * wanted, "%g", mean_rain());
    }
}

static void mountains_are_wet_to_windward_and_dry_to_leeward(void)
{
    make_sea();
    make_land(100, 40, 200);
    for (int row = 0; row < CLIMATE_ROWS; row++)
        for (int k = 104; k < 107; k++)
            ground.height_m[row][k] = 3000;
    run_model(1000);
    double west = mean_between(38, 58, 101, 4), east = mean_between(38, 58, 110, 8), plain = zonal(38, 58);
    CHECK_TEXT(west > 1.5 * plain && west > 4 * east, "west %g, east %g, all %g", west, east, plain);
    // Trades blow the other way.
    west = mean_between(5, 18, 98, 4), east = mean_between(5, 18, 106, 4);
    CHECK_TEXT(east > 1.5 * west, "west %g, east %g", west, east);
}

static void the_inside_of_a_continent_is_drier_than_its_coast(void)
{
    make_sea();
    make_land(60, 100, 100);
    run_model(1000);
    double coast = mean_between(40, 60, 61, 6), inside = mean_between(40, 60, 120, 30);
    CHECK_TEXT(coast > 1.5 * inside, "%g and %g", coast, inside);
    CHECK(mean_between(-60, 60, 60, 100) < mean_between(-60, 60, 170, 80));
}

static void extremes_give_finite_rain(void)
{
    for (int round = 0; round < 2; round++) {
        make_sea();
        for (int row = 0; row < CLIMATE_ROWS; row++)
            for (int k = 0; k < CLIMATE_COLUMNS; k++) {
                ground.land[row][k] = round == 1 ? 1 : (double)check_random_below(2);
                ground.height_m[row][k] =
                    ground.land[row][k] > 0 ? check_random_unit() * (round == 1 ? 1e60 : 9000) : 0;
                ground.warmth[row][k] = round == 1 ? (check_random_unit() - 0.5) * 2e60 : 15;
            }
        run_model(1000);
        for (int row = 0; row < CLIMATE_ROWS; row++)
            for (int k = 0; k < CLIMATE_COLUMNS; k++)
                CHECK(isfinite(rain[row][k]) && rain[row][k] >= 0);
        CHECK(fabs(mean_rain() - 1000) < 1);
    }
}

// Little-endian machines only, as the processors are that this runs on.
static void rain_has_its_golden_bits(void)
{
    make_sea();
    make_land(30, 70, 300);
    for (int row = 0; row < CLIMATE_ROWS; row++)
        for (int k = 0; k < CLIMATE_COLUMNS; k++)
            ground.height_m[row][k] *= (row * 7 + k * 13) % 11;
    run_model(900);
    uint8_t digest[SHA256_BYTES];
    char text[2 * SHA256_BYTES + 1];
    sha256_of(digest, rain, sizeof rain);
    sha256_text(text, digest);
    CHECK_TEXT(strcmp(text, "cefa4b244c3282bc9ba5c1b3a1ed55609ce20de72446d81e8046806957412080") == 0, "rain gives %s",
               text);
}

// ---- As a field ----

static const char world[] =
    "sea = 100\nland = 900 * fbm(9000e3, 3)\nwarmth = 28 - 45 * z * z - max(land - sea, 0) / 160\n";

static struct planet *load_world(const char *height)
{
    char text[600];
    snprintf(text, sizeof text, "%sheight = %s", world, height);
    return load_text(text);
}

static void the_field_has_its_gradient(void)
{
    struct planet *planet = load_world("climate(land, warmth)");
    double step = 1e-5, greatest = 0;
    for (int i = 0; i < 400; i++) {
        struct double3 dir = random_dir();
        if (i % 4 == 0) // near a pole
            dir = double3_normalise((struct double3){dir.x * 0.02, dir.y * 0.02, i % 8 ? 1 : -1});
        struct double3 other = random_dir();
        struct double3 along = double3_normalise(double3_sub(other, double3_scale(dir, double3_dot(other, dir))));
        struct double3 dirs[3] = {dir, double3_normalise(double3_add(dir, double3_scale(along, step))),
                                  double3_normalise(double3_sub(dir, double3_scale(along, step)))};
        struct sampled s;
        sample_dirs(&s, planet, dirs, 3, FINE_M, PLANET_WANT_GRADIENT);
        double slope = s.gx[0] * along.x + s.gy[0] * along.y + s.gz[0] * along.z;
        double difference = (s.height[1] - s.height[2]) / (2 * step);
        CHECK_TEXT(fabs(slope - difference) < 1 + 1e-3 * fabs(slope), "%g, differences give %g", slope, difference);
        CHECK(s.height[0] >= 0 && s.height[0] < 20000);
        greatest = fabs(slope) > greatest ? fabs(slope) : greatest;
    }
    CHECK(greatest > 1000);
    planet_free(planet);
}

static void poles_have_one_value(void)
{
    struct planet *planet = load_world("climate(land, warmth)");
    for (int south = 0; south < 2; south++) {
        double z = south ? -1 : 1, pole = height_at(planet, (struct double3){0, 0, z}, FINE_M);
        for (int k = 0; k < 8; k++) {
            struct double3 near = {1e-6 * cos(k), 1e-6 * sin(k), z};
            CHECK(fabs(height_at(planet, double3_normalise(near), FINE_M) - pole) < 0.05);
        }
    }
    planet_free(planet);
}

static void fields_without_gradient_will_do(void)
{
    struct planet *planet = load_world("climate(1000 * above(longitude, 0, width = 1) - 500, warmth)");
    CHECK(planet && isfinite(height_at(planet, some_dir, FINE_M)));
    planet_free(planet);
    planet = load_world("climate(-500, 20) + 0 * climate(500, 20)");
    CHECK(planet && fabs(height_at(planet, some_dir, FINE_M) - 1000) < 900);
    planet_free(planet);
}

// Land is where height is at least sea, which can be set.
static void sea_parts_land_from_water(void)
{
    const char *const low[] = {"sea=-1e5", NULL}, *const high[] = {"sea=1e5", NULL};
    char text[600];
    snprintf(text, sizeof text, "%sheight = climate(land, warmth)", world);
    struct status status;
    struct planet *planets[4] = {load_text(text), NULL, NULL, NULL};
    CHECK(load_with(&planets[1], text, low, 1, 0, &status) == STATUS_OK);
    CHECK(load_with(&planets[2], text, high, 1, 0, &status) == STATUS_OK);
    planets[3] = load_text("height = climate(-500, 20)"); // without a sea all is land
    double value[3];
    for (int k = 0; k < 3; k++)
        value[k] = height_at(planets[k], some_dir, FINE_M);
    CHECK(value[0] != value[1] && value[1] != value[2] && value[2] != value[0]);
    double dry = height_of("height = climate(500, 20)", some_dir),
           wet = height_of("sea = 0\nheight = climate(-500, 20)", some_dir);
    CHECK(height_at(planets[3], some_dir, FINE_M) == dry && wet != dry);
    for (int k = 0; k < 4; k++)
        planet_free(planets[k]);
}

static void climates_and_quantiles_may_need_each_other(void)
{
    struct planet *planet = load_world("quantile(climate(5000 * quantile(land), warmth, 700))");
    double sum = 0;
    int count = 500;
    for (int i = 0; i < count; i++) {
        double share = height_at(planet, random_dir(), FINE_M);
        CHECK(share >= 0 && share <= 1);
        sum += share / count;
    }
    CHECK_TEXT(fabs(sum - 0.5) < 0.08, "%g", sum);
    planet_free(planet);
}

static void climates_are_prepared_only_where_they_are_needed(void)
{
    struct planet *planet;
    struct status status;
    CHECK(load_with(&planet, "height = z\nunused = climate(1e300 * z * 1e300, 20)", NULL, 1, 0, &status) == STATUS_OK);
    planet_free(planet);
    CHECK(load_with(&planet, "height = climate(1e300 * z * 1e300, 20)", NULL, 1, 0, &status) == STATUS_INPUT);
    CHECK_TEXT(strcmp(status.text, "P:1:10: expected fields within 1e60 everywhere in climate") == 0, "%s",
               status.text);
}

static void wrong_arguments_are_refused(void)
{
    static const char *const texts[][2] = {
        {"height = climate(z)", "'warmth'"},
        {"height = climate(z, #ffffff)", "a field"},
        {"height = climate(z, 1, 0)", "1 to 100000"},
        {"height = climate(z, 1) + climate(z, 2) + climate(z, 3) + climate(z, 4) + climate(z, 5) + climate(z, 6) + "
         "climate(z, 7) + climate(z, 8) + climate(z, 9)",
         "at most 8"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        check_refused(texts[k][0], NULL, STATUS_INPUT, "P:1:", texts[k][1]);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_sea_has_wet_tropics_dry_belts_and_wet_westerlies);
    CHECK_RUN(rain_has_the_wanted_mean);
    CHECK_RUN(mountains_are_wet_to_windward_and_dry_to_leeward);
    CHECK_RUN(the_inside_of_a_continent_is_drier_than_its_coast);
    CHECK_RUN(extremes_give_finite_rain);
    CHECK_RUN(rain_has_its_golden_bits);
    CHECK_RUN(the_field_has_its_gradient);
    CHECK_RUN(poles_have_one_value);
    CHECK_RUN(fields_without_gradient_will_do);
    CHECK_RUN(sea_parts_land_from_water);
    CHECK_RUN(climates_and_quantiles_may_need_each_other);
    CHECK_RUN(climates_are_prepared_only_where_they_are_needed);
    CHECK_RUN(wrong_arguments_are_refused);
    return CHECK_END;
}

// SPDX-License-Identifier: MIT
// What the planet language accepts, refuses, and says about it.
#include <math.h>
#include <unistd.h>

#include "tests/planet_help.h"

static double evaluate(const char *text)
{
    return height_of(text, some_dir);
}

// The place of text that a status names: line and column, both from 1.
static void place_of(const struct status *status, int *line, int *column)
{
    CHECK_TEXT(sscanf(status->text, "P:%d:%d: ", line, column) == 2, "%s", status->text);
}

static const struct {
    const char *text, *start, *part;
} refusals[] = {
    // Text and syntax.
    {"height = 1\n\xFF", "P:2:1: ", "UTF-8"},
    {"height = 1 $ 2", "P:1:12: ", "got '$'"},
    {"height = \xC3\xA4", "P:1:10: ", "got '\xC3\xA4'"},
    {"height = 4000km", "P:1:14: ", "number to end"},
    {"height = 1.2.3", "P:1:13: ", "number to end"},
    {"height = 1e999", "P:1:10: ", "1.8e308"},
    {"height = 1\nname = \"abc", "P:2:8: ", "end of the string"},
    {"height = 1\nname = \"a\\nb\"", "P:2:10: ", "backslash"},
    {"height = 1\nname = \"a\tb\"", "P:2:10: ", "control"},
    {"height = 1\ncolor = #12345", "P:2:9: ", "#rrggbb"},
    {"height = 1\ncolor = #1234567", "P:2:9: ", "#rrggbb"},
    {"height = (1 + 2", "P:1:16: ", "')' before the end"},
    {"height = 1 2", "P:1:12: ", "end of the line, got '2'"},
    {"height = ", "P:1:10: ", "before the end"},
    {"height = \n3", "P:1:10: ", "before the end of the line"},
    {"height = 1 + * 2", "P:1:14: ", "got '*'"},
    {"height 1", "P:1:8: ", "'='"},
    {"  3 = height", "P:1:3: ", "name = expression"},
    {"height = min(1, 2", "P:1:18: ", "',' or ')'"},
    {"height = min(1, )", "P:1:17: ", "behind ','"},
    {"height = min(a = 1, 2)", "P:1:21: ", "by name come last"},
    // Names.
    {"height = heigt", "P:1:10: ", "did you mean 'height'"},
    {"\n\nheight = 2 * qqqq", "P:3:14: ", "got 'qqqq'"},
    {"height = longitud", "P:1:10: ", "did you mean 'longitude'"},
    {"height = fbmm(4000)", "P:1:10: ", "did you mean 'fbm'"},
    {"height = max", "P:1:10: ", "the function max(a, b)"},
    {"height = fbm(4000, octave = 4)", "P:1:20: ", "did you mean 'octaves'"},
    {"b = 0\na = 1\n\na = 2\nheight = a", "P:4:1: ", "one definition of 'a', the first is on line 2"},
    {"a = 1\na = 2\nheight = a", "P:2:1: ", "one definition of 'a', the first is on line 1"},
    {"height = 1\nlatitude = 3", "P:2:1: ", "'latitude' is given already"},
    {"a = b\nb = c + 1\nc = 2 * a\nheight = 1", "P:3:9: ", "a -> b -> c -> a"},
    {"height = height + 1", "P:1:10: ", "height -> height"},
    // Counts and types.
    {"height = clamp(x, 1)", "P:1:10: ", "'high'"},
    {"height = clamp(x, 1, 2, 3)", "P:1:25: ", "at most 3 arguments"},
    {"height = clamp(x, 1, low = 2, high = 3)", "P:1:22: ", "'low' once"},
    {"height = fbm(longitude)", "P:1:14: ", "a number for 'wavelength' in fbm, got a field"},
    {"height = fbm(1e6, at = x)", "P:1:24: ", "a point for 'at' in fbm, got a field"},
    {"height = abs(#ffffff)", "P:1:14: ", "a field or number for 'x' in abs, got a colour"},
    {"height = raster(3)", "P:1:17: ", "a string for 'file' in raster, got a number"},
    {"height = mix(position, 1, 0)", "P:1:14: ", "got a point"},
    {"height = mix(x, #ffffff, 0.5)", "P:1:17: ", "both fields or both colours"},
    {"height = \"abc\" + 1", "P:1:16: ", "got a string and a number"},
    {"height = 1\ncolor = #ffffff + #000000", "P:2:17: ", "got a colour and a colour"},
    {"height = -position", "P:1:10: ", "got a point"},
    {"height = 1\ncolor = 3 + x", "P:2:9: ", "a colour for 'color', got a field"},
    {"height = #ffffff", "P:1:10: ", "a field for 'height', got a colour"},
    {"height = 1\nsea = x", "P:2:7: ", "a number for 'sea', got a field"},
    {"height = 1\nname = 3", "P:2:8: ", "a string for 'name', got a number"},
    {"height = 1\nradius = \"big\"", "P:2:10: ", "a number for 'radius', got a string"},
    {"a = 1\n", "P:2:1: ", "definition of 'height'"},
    {"", "P:1:1: ", "definition of 'height'"},
    // Values.
    {"height = x / (1 - 1)", "P:1:17: ", "divisor other than 0"},
    {"height = 1e300 * 1e300", "P:1:16: ", "finite"},
    {"height = fbm(1e6, octaves = 33)", "P:1:29: ", "1 to 32 for 'octaves' in fbm, got 33"},
    {"height = fbm(1e6, octaves = 2.5)", "P:1:29: ", "whole number for 'octaves'"},
    {"height = fbm(0)", "P:1:14: ", "for 'wavelength'"},
    {"height = fbm(1e6, lacunarity = 1)", "P:1:32: ", "1.1 to 16"},
    {"height = fbm(1e6, seed = -1)", "P:1:26: ", "for 'seed'"},
    {"height = select(x, 0, 1, 2, width = -1)", "P:1:37: ", "at least 0 for 'width'"},
    {"height = select(x, 1e6, 0, 1, width = 1e-12)", "P:1:39: ", "lost beside"},
    {"height = clamp(x, 2, 1)", "P:1:22: ", "not below"},
    {"height = smoothstep(1, 1, x)", "P:1:24: ", "other than"},
    {"height = 1\nradius = 9.5", "P:2:10: ", "10 to 1000000000 metres"},
    {"height = quantile(1 / (x - x))", "P:1:10: ", "within 1e60 everywhere"},
    {"height = exp(1e5) * 1e10", "P:1:19: ", "finite"},
    {"height = -1e308 - 1e308", "P:1:17: ", "finite"},
    {"height = 1 / 1e-320", "P:1:12: ", "finite"},
    {"height = 2 + mix(-1e308, 1.7e308, 2)", "P:1:14: ", "finite"},
    {"height = 1\ncolor = #ffffff * 1e308 * 1e308", "P:2:25: ", "finite"},
    // What is not finite at some place.
    {"height = 5 + exp(x) / z", "P:1:21: ", "expected a finite value: '/' gives infinity at latitude 0.00 longitude"},
    {"height = 3 + (y - y) / (z - z)", "P:1:22: ", "'/' gives what is not a number at latitude"},
    {"a = 1 / abs(x)\nb = min(a, 3)\nheight = b + (y - y) / (z - z)", "P:3:22: ", "'/' gives"},
    {"a = exp(400 + x)\nb = a * a\nheight = max(x, 1) / (b + 1) + 1 / b * 0 + b", "P:2:7: ", "'*' gives infinity"},
    {"height = sqrt(abs(x) + 1e-323)", "P:1:10: ", "expected a finite gradient: 'sqrt' gives too much at"},
    {"height = 1e-200 * (1 / (1e-200 + abs(x)))", "P:1:22: ", "expected a finite gradient: '/' gives infinity at"},
    {"g = 1e-200 * (1 / (1e-200 + abs(x)))\nheight = 1\ncolor = #ffffff * slope(g)",
     "P:1:17: ", "expected a finite gradient: '/' gives infinity"},
    {"f = 1 / x\nheight = 1\ncolor = #102030 * (f + 1)", "P:1:7: ", "'/' gives infinity"},
    {"height = 1\ncolor = #ffffff * exp(400 + x) * exp(400 + x)", "P:2:32: ", "'*' gives infinity"},
    {"height = -6e6", "P:1:10: ", "heights of -5733900 to 8388607.996 metres on a body of this radius, got -6e+06"},
    {"a = 3 * x\nheight = a * 3e6", "P:2:12: ", "heights of -5733900"},
    {"radius = 100\nheight = 200", "P:2:10: ", "heights of -90 to 127.9"},
    // Knots.
    {"height = curve(x, 0, 1, 0, 2)", "P:1:25: ", "above the one before"},
    {"height = curve(x, 0, 1)", "P:1:10: ", "2 to 64 pairs"},
    {"height = curve(x, 0, 1, 2)", "P:1:10: ", "pairs of arguments"},
    {"height = curve(x, 0, 1, y, 2)", "P:1:25: ", "a number in curve"},
    {"height = 1\ncolor = ramp(x, 0, #000000, 1, 5)", "P:2:32: ", "expected a colour in ramp"},
    {"height = 1\ncolor = ramp(x, 1, #000000, 0, #ffffff)", "P:2:29: ", "not below the one before"},
    {"height = 1\nc = ramp(x, 0, #000000)\ncolor = ramp(longitude, 0, c, 0, #ffffff)", "P:3:14: ", "no width"},
    {"height = 1\nc = ramp(x, 0, #000000)\ncolor = ramp(x, 1, c, 0, c)", "P:3:23: ", "not below the one before"},
    {"height = 1\nc = ramp(x, 0, #000000)\ncolor = ramp(x, 0, c, y, c)", "P:3:23: ", "a number in ramp"},
    // Functions with ranges.
    {"height = distance(91, 0)", "P:1:19: ", "-90 to 90 for 'latitude' in distance, got 91"},
    {"height = distance(0, x)", "P:1:22: ", "a number for 'longitude' in distance, got a field"},
    {"height = pow(x, 0)", "P:1:17: ", "0.001 to 1000 for 'exponent' in pow, got 0"},
    {"height = pow(2, y)", "P:1:17: ", "a number for 'exponent' in pow"},
    {"height = sin(#ffffff)", "P:1:14: ", "a field or number for 'x' in sin, got a colour"},
    {"height = fbm(1e6, gain = 2.5)", "P:1:26: ", "0 to 2 for 'gain' in fbm, got 2.5"},
    {"height = billow(1e6, gain = #ffffff)", "P:1:29: ", "a field or number for 'gain' in billow, got a colour"},
    {"height = fbm(1e6, at = warp(1e5, 1e6, gain = x))", "P:1:46: ", "a number for 'gain' in warp, got a field"},
    {"height = fbm(1e6, gain = slope(x))", "P:1:26: ", "slope has none"},
    // Gradients.
    {"height = 10 * above(x, 0.5)", "P:1:15: ", "a threshold of no width has none"},
    {"height = select(x, 0, 1, 2)", "P:1:10: ", "for 'height'"},
    {"a = slope(1e3 * x)\nheight = 3 + a", "P:1:5: ", "slope has none"},
    {"height = smoothstep(0, 1, longitude)", "P:1:27: ", "longitude has none"},
    {"height = 1\nb = slope(longitude)", "P:2:11: ", "to take the slope of"},
    {"height = 1\nb = above(longitude, 3)", "P:2:11: ", "for a threshold of no width"},
    // Cells and craters.
    {"height = cells(3e6, \"corner\")", "P:1:21: ", "\"distance\", \"edge\" or \"value\" for 'kind' in cells"},
    {"height = cells(3e6, jitter = 1.5)", "P:1:30: ", "0 to 1 for 'jitter'"},
    {"height = craters(7e6)", "P:1:18: ", "not to be above the body's radius"},
    {"height = craters(1e5, output = \"dust\")", "P:1:32: ", "\"height\" or \"rays\" for 'output' in craters"},
    {"height = 10 * craters(1e5, output = \"rays\")", "P:1:15: ", "the rays of craters have none"},
    {"height = craters(1e5, density = 3)", "P:1:33: ", "0 to 1.25 for 'density'"},
    {"height = random(x, 1)", "P:1:17: ", "a number for 'low' in random, got a field"},
    // Rasters.
    {"height = raster(\"a.png\")", "P:1:17: ", "no folder"},
    {"height = raster(\"a.png\", registration = \"corner\")", "P:1:41: ", "\"pixel\" or \"node\""},
    {"height = raster(\"a.png\", west = 10, east = 5)", "P:1:44: ", "'east'"},
};

static void every_error_names_line_and_column(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        check_refused(refusals[i].text, NULL, STATUS_INPUT, refusals[i].start, refusals[i].part);
}

// What the refusals do not tell apart is in tests/test_excerpt.c: their texts have a byte a character and no tabs.
static void every_error_shows_its_line_with_a_caret(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct planet *planet;
        struct status status;
        int line = 0, column = 0;
        if (load_with(&planet, refusals[i].text, NULL, 1, 0, &status) == STATUS_OK)
            continue; // the test above says so
        place_of(&status, &line, &column);
        const char *text = refusals[i].text;
        for (int k = 1; k < line && text; k++)
            text = strchr(text, '\n') + 1;
        size_t length = strcspn(text, "\n");
        const char *caret = strchr(status.context, '\n');
        CHECK_TEXT(caret && (size_t)(caret - status.context) == length, "%s\n%s", status.text, status.context);
        for (size_t k = 0; k < length; k++)
            CHECK(status.context[k] == text[k] || status.context[k] == '?');
        CHECK_TEXT(caret && strspn(caret + 1, " ") == (size_t)column - 1 && strcmp(caret + column, "^\n") == 0,
                   "%s\n%s", status.text, status.context);
    }
}

static void operators_bind_as_in_mathematics(void)
{
    CHECK(evaluate("height = 1 + 2 * 3") == 7);
    CHECK(evaluate("height = (1 + 2) * 3") == 9);
    CHECK(evaluate("height = 10 - 4 - 3") == 3);
    CHECK(evaluate("height = 64 / 4 / 2") == 8);
    CHECK(evaluate("height = 12 / 4 * 3") == 9);
    CHECK(evaluate("height = -2 * -3 - -1") == 7);
    CHECK(evaluate("height = - (1 + 2) * 2") == -6);
    CHECK(evaluate("height = --3") == 3);
    CHECK(evaluate("height = .5e1 + 2.E-1") == 5.2);
}

static void definitions_may_come_in_any_order(void)
{
    CHECK(evaluate("height = a * b\nb = 2 * a\na = 3") == 18);
    CHECK(evaluate("height = fbm(0.5 * radius, seed = 3)\nradius = 2 * half\nhalf = 1e6") ==
          evaluate("radius = 2e6\nheight = fbm(1e6, seed = 3)"));
    CHECK(evaluate("height = fbm(1e6, seed = 3)\nradius = 2e6") ==
          evaluate("radius = 2e6\nheight = fbm(1e6, seed = 3)"));
}

static void arguments_may_be_given_by_name(void)
{
    CHECK(evaluate("height = clamp(high = 2, x = 7, low = 1)") == 2);
    CHECK(evaluate("height = clamp(7, high = 2, low = 1)") == 2);
    double positional = evaluate("height = fbm(3e6, 5, 0.6, 2.2, 7)");
    CHECK(positional == evaluate("height = fbm(3e6, lacunarity = 2.2, seed = 7, gain = 0.6, octaves = 5)"));
    CHECK(positional == evaluate("height = fbm(3e6, 5, 0.6, 2.2, 7, position)"));
    CHECK(evaluate("height = fbm(3e6, seed = 7)") ==
          evaluate("height = fbm(3e6, octaves = 8, gain = 0.5, lacunarity = 2.03, seed = 7)"));
    CHECK(evaluate("height = noise(3e6, 7)") == evaluate("height = fbm(3e6, octaves = 1, seed = 7)"));
}

static void comments_blank_lines_and_line_ends_are_skipped(void)
{
    CHECK(evaluate("\xEF\xBB\xBF// comment = 1 + \n\n\t height = 4 // 5\n//") == 4);
    CHECK(evaluate("a = 1\r\n\r\nheight = a + // more\r\n  1\r\n") == 2);
    CHECK(evaluate("height = 8 / 2 // / 2") == 4);
}

static void lines_go_on_behind_operators_and_in_parentheses(void)
{
    CHECK(evaluate("height = 1 +\n\n // no\n 2 *\n3") == 7);
    CHECK(evaluate("height = min(\n 1\n ,\n b\n =\n 2\n )\n") == 1);
    CHECK(evaluate("height = (1\n + 2\n) * 2") == 6);
    CHECK(evaluate("height = -\n2") == -2);
    check_refused("height = 1\n+ 2", NULL, STATUS_INPUT, "P:2:1: ", "name = expression");
    check_refused("height = (1) \n+ 2", NULL, STATUS_INPUT, "P:2:1: ", "name = expression");
}

static void constants_are_known_beforehand(void)
{
    CHECK(evaluate("height = fbm(max(1e6, min(3e6, 4e6)), octaves = abs(-5), seed = 2)") ==
          evaluate("height = fbm(3e6, octaves = 5, seed = 2)"));
    CHECK(evaluate("height = sqrt(16) + sqrt(-1) + exp(0)") == 5);
    CHECK(evaluate("height = mix(0.1, 1e17, 0) + mix(1e17, 0.1, 1)") == 0.2);
    CHECK(evaluate("height = mix(10, 20, 0.25) + clamp(5, 6, 7)") == 18.5);
    CHECK(evaluate("height = smoothstep(0, 4, 1) + smoothstep(4, 0, 1)") == 1);
    CHECK(evaluate("height = select(1, 0.5, 3, 4) + select(0.25, 0.5, 3, 4) + select(1, 1, 3, 4, width = 2)") == 10.5);
    CHECK(evaluate("height = above(3, 3) + above(2, 3) + above(3.25, 3, width = 1) + slope(4) + quantile(4)") == 1.75);
}

static void infinities_that_are_masked_do_no_harm(void)
{
    CHECK(evaluate("height = min(1 / abs(x), 3)") == 1 / 0.36);
    CHECK(height_of("height = min(1 / abs(x), 3)", (struct double3){0, 1, 0}) == 3);
    CHECK(height_of("height = clamp(y / x, -2, 2)", (struct double3){0, 1, 0}) == 2);
    CHECK(height_of("height = smoothstep(0, 1, 1 / abs(z))", (struct double3){0, 1, 0}) == 1);
    CHECK(height_of("height = smoothstep(0.5, 0.6, abs(z)) * (1 / z)", (struct double3){0, 1, 0}) == 0);
    CHECK(height_of("height = mix(1 / z, 7 + 0 / z * 0, smoothstep(0.5, 0.4, abs(z)))", (struct double3){0, 1, 0}) ==
          7);
    CHECK(evaluate("height = x\ncolor = ramp(1 / x, 0, #000000, 1, #ffffff)\nunused = 1 / (x - x)") == 0.36);
}

static void about_a_planet(void)
{
    static const char text[] = "name = \"T\xC3\xA4st \\\"q\\\" \\\\\"\nradius = 2000\nsea = 30\nheight = 1";
    struct planet *planet;
    struct status status;
    size_t length;
    CHECK(load_with(&planet, text, NULL, 1, 0, &status) == STATUS_OK);
    CHECK(strcmp(planet_name(planet), "T\xC3\xA4st \"q\" \\") == 0);
    CHECK(planet_radius_m(planet) == 2000 && planet_has_sea(planet) && planet_sea_m(planet) == 30);
    CHECK(strcmp(planet_text(planet, &length), text) == 0 && length == sizeof text - 1);
    CHECK(planet_raster_count(planet) == 0);
    planet_free(planet);
    CHECK(load_with(&planet, text, NULL, 1, 1000, &status) == STATUS_OK);
    CHECK(planet_radius_m(planet) == 1000 && planet_sea_m(planet) == 15);
    planet_free(planet);
    double air[3] = {9, 9, 9};
    planet = load_text("height = 1\nair = mix(#ff0000, #0000ff, 0.25)");
    CHECK(planet_air(planet, air) && air[0] == 0.75 && air[1] == 0 && air[2] == 0.25);
    planet_free(planet);
    CHECK(load_with(&planet, "height = 1\nair = 0.5", NULL, 1, 0, &status) == STATUS_INPUT);
    CHECK(load_with(&planet, "height = 1\nair = x * #ffffff", NULL, 1, 0, &status) == STATUS_INPUT &&
          strstr(status.text, "a constant colour"));
    planet = load_text("height = 1");
    CHECK(!planet_air(planet, air) && air[0] == 0.75);
    CHECK(strcmp(planet_name(planet), "P") == 0 && planet_radius_m(planet) == 6371000 && !planet_has_sea(planet));
    planet_free(planet);
}

static void builtins_are_sorted_and_load(void)
{
    int count = 0;
    for (; builtin_planets[count].name; count++) {
        const struct builtin_planet *builtin = &builtin_planets[count];
        CHECK(count == 0 || strcmp(builtin[-1].name, builtin->name) < 0);
        CHECK(strncmp(builtin->text + strspn(strstr(builtin->text, "//"), "/ ") +
                          (strstr(builtin->text, "//") - builtin->text),
                      builtin->summary, strlen(builtin->summary)) == 0);
        CHECK(strlen(builtin->summary) >= 20 && strlen(builtin->summary) <= 120);
        struct planet *planet = NULL;
        struct status status;
        struct planet_source source = {.name = builtin->name, .seed = 3};
        CHECK_TEXT(planet_load(&planet, &source, &status) == STATUS_OK, "%s", status.text);
        CHECK(strcmp(planet_name(planet), builtin->name) == 0);
        CHECK(planet_scratch_bytes(planet) <= 12 << 20); // lattices keep what they have looked up
        planet_free(planet);
    }
    CHECK(count >= 2);
    struct planet *planet;
    struct status status;
    struct planet_source source = {.name = "earthlik"};
    CHECK(planet_load(&planet, &source, &status) == STATUS_USAGE);
    CHECK_TEXT(strstr(status.text, "earthlik: ") && strstr(status.text, "are earthlike, ") &&
                   strstr(status.text, ", plain"),
               "%s", status.text);
}

static void files_are_told_from_builtins_by_their_names(void)
{
    char folder[] = "/tmp/terrane-test-XXXXXX", path[64];
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m\xC3\xA4r\xFFs.planet", folder);
    FILE *file = fopen(path, "wb");
    fputs("height = 3", file);
    fclose(file);
    struct planet *planet;
    struct status status;
    struct planet_source source = {.name = path};
    CHECK(planet_load(&planet, &source, &status) == STATUS_OK);
    CHECK_TEXT(strcmp(planet_name(planet), "m\xC3\xA4r?s") == 0, "%s", planet_name(planet));
    planet_free(planet);

    file = fopen(path, "wb");
    fputs("height = a", file);
    fclose(file);
    CHECK(planet_load(&planet, &source, &status) == STATUS_INPUT);
    CHECK(strncmp(status.text, path, strlen(path)) == 0 && strncmp(status.text + strlen(path), ":1:10: ", 7) == 0);
    CHECK(truncate(path, (1 << 20) + 1) == 0);
    CHECK(planet_load(&planet, &source, &status) == STATUS_INPUT && strstr(status.text, "1048576 bytes"));
    unlink(path);
    CHECK(planet_load(&planet, &source, &status) == STATUS_INPUT && strstr(status.text, path));
    source.name = "plain.planet";
    CHECK(planet_load(&planet, &source, &status) == STATUS_INPUT && strstr(status.text, "cannot be opened"));
    source.name = folder;
    CHECK(planet_load(&planet, &source, &status) == STATUS_INPUT && strstr(status.text, "directory"));
    CHECK(rmdir(folder) == 0);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(every_error_names_line_and_column);
    CHECK_RUN(every_error_shows_its_line_with_a_caret);
    CHECK_RUN(operators_bind_as_in_mathematics);
    CHECK_RUN(definitions_may_come_in_any_order);
    CHECK_RUN(arguments_may_be_given_by_name);
    CHECK_RUN(comments_blank_lines_and_line_ends_are_skipped);
    CHECK_RUN(lines_go_on_behind_operators_and_in_parentheses);
    CHECK_RUN(constants_are_known_beforehand);
    CHECK_RUN(infinities_that_are_masked_do_no_harm);
    CHECK_RUN(about_a_planet);
    CHECK_RUN(builtins_are_sorted_and_load);
    CHECK_RUN(files_are_told_from_builtins_by_their_names);
    return CHECK_END;
}

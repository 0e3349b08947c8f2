// SPDX-License-Identifier: MIT
// --set KEY=VALUE: what it changes, and what is wrong with it.
#include "tests/planet_help.h"

static const char overridable[] = "level = 2\ntop = 3 * level\nsea = -1\nname = \"old\"\ngrass = #00ff00\n"
                                  "hills = 100 * x\nheight = top + 0 * hills\ncolor = grass\nradius = 1e6";

static double height_with(const char *override)
{
    struct planet *planet;
    struct status status;
    const char *overrides[] = {override, NULL};
    CHECK_TEXT(load_with(&planet, overridable, overrides, 1, 0, &status) == STATUS_OK, "%s", status.text);
    double height = height_at(planet, (struct double3){1, 0, 0}, 100);
    planet_free(planet);
    return height;
}

static void overrides_replace_constants(void)
{
    CHECK(height_with("sea=4") == 6);
    CHECK(height_with("level=5") == 15);
    CHECK(height_with("level= 2 * (3 + 4) ") == 42);
    CHECK(height_with("top=-7.5") == -7.5);
    CHECK(height_with("level=max(8, 9)") == 27);
    struct planet *planet;
    struct status status;
    const char *several[] = {"sea=1", "name=Arda \"2\"", "grass=#0000ff", "sea=2", "radius=5e5", NULL};
    CHECK(load_with(&planet, overridable, several, 1, 0, &status) == STATUS_OK);
    CHECK(planet_sea_m(planet) == 2 && planet_radius_m(planet) == 5e5 &&
          strcmp(planet_name(planet), "Arda \"2\"") == 0);
    struct sampled sampled;
    sample_dirs(&sampled, planet, &(struct double3){0, 0, 1}, 1, 100, PLANET_WANT_COLOR);
    CHECK(sampled.blue[0] == 1 && sampled.green[0] == 0);
    planet_free(planet);
    const char *quoted[] = {"name=\"in \\\"quotes\\\"\"", NULL};
    CHECK(load_with(&planet, overridable, quoted, 1, 0, &status) == STATUS_OK);
    CHECK(strcmp(planet_name(planet), "in \"quotes\"") == 0);
    planet_free(planet);
}

static void wrong_overrides_are_usage_errors(void)
{
    static const struct {
        const char *override, *start, *part;
    } cases[] = {
        {"levl=3",
         "--set levl=3: ", "'levl' names nothing; the constants of this planet are level, top, sea, name, grass"},
        {"height=3", "--set height=3: ", "'height' differs from place to place"},
        {"level=\"a\"", "--set level=\"a\": ", "a number for 'level', got a string"},
        {"grass=3", "--set grass=3: ", "a colour for 'grass', got a number"},
        {"level=3 +", "--set level=3 +: ", "before the end"},
        {"level=3 4", "--set level=3 4: ", "got '4'"},
        {"level=", "--set level=: ", "before the end"},
        {"level=sea", "--set level=sea: ", "without names, got 'sea'"},
        {"level=fbm(1e5)", "--set level=fbm(1e5): ", "got a field that differs"},
        {"radius=3", "--set radius=3: ", "10 to 1000000000 metres"},
        {"level=1/0", "--set level=1/0: ", "divisor"},
        {"level=1e400", "--set level=1e400: ", "1.8e308"},
        {"level=\xFF", "--set level=\xFF: ", "UTF-8"},
        {"level", "--set level: ", "KEY=VALUE"},
        {"=3", "--set =3: ", "KEY=VALUE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *overrides[] = {cases[i].override, NULL};
        check_refused(overridable, overrides, STATUS_USAGE, cases[i].start, cases[i].part);
    }
}

static void wrong_overrides_are_shown_with_a_caret(void)
{
    static const struct {
        const char *override, *context;
    } cases[] = {
        {"level=2 * (3 + sea)", "2 * (3 + sea)\n         ^\n"},
        {"level=3 4", "3 4\n  ^\n"},
        {"level=", "\n^\n"},
        {"radius=3", "3\n^\n"},
        {"level=\"a\"", "\"a\"\n^\n"},
        {"levl=1 + 2", ""},
        {"height=3", ""},
        {"level=1 +\n $", " $\n ^\n"},
        {"level", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *overrides[] = {cases[i].override, NULL};
        struct planet *planet;
        struct status status;
        CHECK(load_with(&planet, overridable, overrides, 1, 0, &status) == STATUS_USAGE);
        CHECK_TEXT(strcmp(status.context, cases[i].context) == 0, "%s shows\n%s", cases[i].override, status.context);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(overrides_replace_constants);
    CHECK_RUN(wrong_overrides_are_usage_errors);
    CHECK_RUN(wrong_overrides_are_shown_with_a_caret);
    return CHECK_END;
}

// SPDX-License-Identifier: MIT
// terrane planets [NAME]: the built-in planets, or one planet file's text.
#include <stdio.h>
#include <string.h>

#include "bake/planet/planet.h"
#include "bake/verbs.h"
#include "common/options.h"

#define PLANETS_MAX 64

static enum status_code print_planet(const char *name, struct status *status)
{
    const char *words[PLANETS_MAX + 1];
    int count = 0;
    for (; count < PLANETS_MAX && builtin_planets[count].name; count++) {
        if (strcmp(builtin_planets[count].name, name) == 0) {
            fputs(builtin_planets[count].text, stdout);
            return STATUS_OK;
        }
        words[count] = builtin_planets[count].name;
    }
    words[count] = NULL;
    const char *near = nearest_word(name, words);
    if (near)
        return status_fail(status, STATUS_USAGE, "%.100s: no such built-in planet; did you mean %s?", name, near);
    return status_fail(status, STATUS_USAGE, "%.100s: no such built-in planet; see terrane planets", name);
}

static enum status_code run(const void *options, int argument_count, char **arguments, struct status *status)
{
    (void)options;
    if (argument_count > 0)
        return print_planet(arguments[0], status);
    for (int k = 0; builtin_planets[k].name; k++)
        printf("%-12s %s\n", builtin_planets[k].name, builtin_planets[k].summary);
    return STATUS_OK;
}

static const char *const description[] = {
    "Lists the planets that are compiled into the program, with one line about each. With a name it prints that "
    "planet file, which is a good start for a planet of your own.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane planets earthlike >mine.planet", "Takes a built-in planet as a start for your own."},
};

const struct verb verb_planets = {
    .name = "planets",
    .positionals = "[NAME]",
    .positional_max = 1,
    .summary = "list the built-in planets, or print one",
    .description = description,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};

// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "bake/bake_options.h"
#include "common/cube_sphere.h"
#include "common/text_number.h"

struct command {
    char *text;
    size_t size, used;
    bool whole;
};

static void add(struct command *command, const char *text)
{
    size_t length = strlen(text);
    if (!command->whole || length >= command->size - command->used) {
        command->whole = false;
        return;
    }
    memcpy(command->text + command->used, text, length + 1);
    command->used += length;
}

// Quoted where a shell could make something else of it.
static void add_word(struct command *command, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    add(command, " ");
    if (*word && strspn(word, plain) == strlen(word)) {
        add(command, word);
        return;
    }
    add(command, "'");
    for (; *word; word++) {
        char one[2] = {*word, 0};
        add(command, *word == '\'' ? "'\\''" : one);
    }
    add(command, "'");
}

// "--name=value" in one word, so that a value may begin with a dash.
static void add_option(struct command *command, const char *name, const char *value)
{
    char word[PATH_MAX + 32];
    int length = snprintf(word, sizeof word, "--%s=%s", name, value);
    if (length < 0 || (size_t)length >= sizeof word)
        command->whole = false;
    else
        add_word(command, word);
}

static void add_integer(struct command *command, const char *name, unsigned long long value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", value);
    add_option(command, name, text);
}

static void add_layers(struct command *command, unsigned layers)
{
    char text[64] = "";
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (layers >> kind & 1) {
            strcat(text, *text ? "," : "");
            strcat(text, layer_names[kind]);
        }
    }
    add_option(command, "layers", text);
}

static void add_content(struct command *command, const struct bake_options *options)
{
    const struct bake_options *defaults = &bake_option_defaults;
    char number[REAL_TEXT_MAX];
    if (strcmp(options->planet, defaults->planet) != 0)
        add_option(command, "planet", options->planet);
    if (options->seed != defaults->seed)
        add_integer(command, "seed", options->seed);
    if (options->radius_m > 0) {
        format_real(number, options->radius_m);
        add_option(command, "radius", number);
    }
    for (int k = 0; k < options->overrides.count; k++)
        add_option(command, "set", options->overrides.items[k]);
    if (options->tile_choice != defaults->tile_choice)
        add_option(command, "tile", bake_tile_words[options->tile_choice]);
    if (options->layers != defaults->layers)
        add_layers(command, options->layers);
}

bool bake_options_resume_command(char *text, size_t size, const struct bake_options *options)
{
    struct command command = {text, size, 0, true};
    text[0] = 0;
    add(&command, "terrane bake");
    add_option(&command, "output", options->output);
    add_content(&command, options);
    if (options->depth != bake_option_defaults.depth)
        add_integer(&command, "depth", (unsigned long long)options->depth);
    for (int k = 0; k < options->regions.count; k++)
        add_option(&command, "region", options->regions.texts[k]);
    for (unsigned face = 0; face < CUBE_FACE_COUNT; face++) {
        if (options->faces >> face & 1)
            add_integer(&command, "face", face);
    }
    if (options->share.count > 1) {
        char share[48];
        snprintf(share, sizeof share, "%u/%u", (unsigned)options->share.number, (unsigned)options->share.count);
        add_option(&command, "shard", share);
    }
    if (options->work)
        add_option(&command, "work", options->work);
    if (options->thread_count)
        add_integer(&command, "threads", (unsigned long long)options->thread_count);
    if (options->force)
        add(&command, " --force");
    add(&command, " --resume");
    return command.whole;
}

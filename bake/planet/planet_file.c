// SPDX-License-Identifier: MIT
// Planets by name: built in, or files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/planet.h"
#include "bake/planet/source.h"
#include "common/options.h"
#include "formats/file_io.h"

static const char suffix[] = ".planet";

static bool is_path(const char *name)
{
    size_t length = strlen(name), suffix_length = sizeof suffix - 1;
    return strchr(name, '/') || (length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0);
}

static enum status_code load_builtin(struct planet **planet, const struct planet_source *source, struct status *status)
{
    char names[200] = "";
    size_t length = 0;
    for (const struct builtin_planet *builtin = builtin_planets; builtin->name; builtin++) {
        if (strcmp(builtin->name, source->name) == 0)
            return planet_load_text(planet, builtin->text, strlen(builtin->text), builtin->name, NULL, source, status);
        if (length < sizeof names)
            length +=
                (size_t)snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? ", " : "", builtin->name);
    }
    return status_fail(status, STATUS_USAGE,
                       "%s: no planet of that name is built in; there are %s, and a file's name needs a '/' or the "
                       "ending .planet",
                       source->name, names);
}

// malloc'd.
static enum status_code read_file(char **text, size_t *length, const char *path, struct status *status)
{
    int fd;
    uint64_t size;
    enum status_code code = file_open_read(&fd, &size, path, status);
    if (code)
        return code;
    *length = (size_t)size;
    *text = NULL;
    if (size > SOURCE_BYTES_MAX) {
        code = status_fail(status, STATUS_INPUT, "%s: expected a planet file of at most %u bytes, got %llu", path,
                           SOURCE_BYTES_MAX, (unsigned long long)size);
    } else if (!(*text = malloc((size_t)size + 1))) {
        code = status_fail_memory(status, path, size);
    } else {
        code = file_read_at(fd, *text, *length, 0, path, status);
    }
    file_system.close(fd);
    if (code)
        free(*text);
    return code;
}

// The folder that holds the file, "." where the path has none; malloc'd.
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static enum status_code load_file(struct planet **planet, const struct planet_source *source, struct status *status)
{
    char *text;
    size_t length;
    enum status_code code = read_file(&text, &length, source->name, status);
    if (code)
        return code;
    char *folder = folder_of(source->name);
    code = folder ? planet_load_text(planet, text, length, source->name, folder, source, status)
                  : status_fail_memory(status, source->name, strlen(source->name));
    free(folder);
    free(text);
    return code;
}

enum status_code planet_load(struct planet **planet, const struct planet_source *source, struct status *status)
{
    return is_path(source->name) ? load_file(planet, source, status) : load_builtin(planet, source, status);
}

// SPDX-License-Identifier: MIT
#include "view/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text_number.h"

static enum status_code check_outputs(const struct view_options *options, struct status *status)
{
    const char *const names[3] = {options->shot, options->record, options->stats};
    for (int k = 0; k < 3; k++) {
        if (!names[k])
            continue;
        for (int before = 0; before < k; before++) {
            if (names[before] && strcmp(names[before], names[k]) == 0)
                return status_fail(status, STATUS_USAGE, "%s: named for two outputs", names[k]);
        }
        enum status_code code = output_check(names[k], options->force, status);
        if (code)
            return code;
    }
    return STATUS_OK;
}

enum status_code script_begin(struct script *script, struct app *app, struct status *status)
{
    memset(script, 0, sizeof *script);
    const struct view_options *options = app->options;
    enum status_code code = check_outputs(options, status);
    if (!code && options->replay) {
        code = flight_path_read(&script->path, options->replay, status);
        script->replaying = !code;
    }
    for (size_t k = 0; !code && k < script->path.count; k++) {
        struct flight_point *point = &script->path.points[k];
        point->altitude_m += app_ground_m(app, point->latitude_deg, point->longitude_deg);
    }
    if (script->replaying)
        script->time_s = script->path.points[0].time_s;
    if (!code && options->record) {
        script->record = malloc(sizeof *script->record);
        if (!script->record)
            code = status_fail_memory(status, options->record, sizeof *script->record);
        else if ((code = output_begin(script->record, options->record, false, status))) {
            free(script->record);
            script->record = NULL;
        }
    }
    return code;
}

bool script_camera(struct script *script, struct app *app)
{
    if (!script->replaying)
        return true;
    const struct flight_path *path = &script->path;
    // A hair of slack, so that a path of whole frames has its last one.
    if (script->time_s > path->points[path->count - 1].time_s + 1e-9)
        return false;
    flight_path_at(path, script->time_s, app->source.info->radius_m, &app->camera);
    return true;
}

enum status_code script_frame(struct script *script, struct app *app, double now_s, double step_s,
                              struct status *status)
{
    enum status_code code = STATUS_OK;
    if (script->record) {
        const struct camera *camera = &app->camera;
        double altitude_m = camera->radius_m - app->source.info->radius_m -
                            app_ground_m(app, camera->latitude_deg, camera->longitude_deg);
        const double values[6] = {now_s,      camera->latitude_deg, camera->longitude_deg,
                                  altitude_m, camera->heading_deg,  camera->pitch_deg};
        char line[6 * REAL_TEXT_MAX + 8];
        size_t length = 0;
        for (int k = 0; k < 6; k++) {
            char text[REAL_TEXT_MAX];
            format_real(text, values[k]);
            length += (size_t)snprintf(line + length, sizeof line - length, "%s%s", text, k < 5 ? " " : "\n");
        }
        code = output_write(script->record, line, length, status);
    }
    script->time_s += step_s;
    return code;
}

enum status_code script_end(struct script *script, struct app *app, enum status_code code, struct status *status)
{
    const struct view_options *options = app->options;
    if (!code && options->shot)
        code = app_shot(app, options->shot, options->force, status);
    if (script->record) {
        if (code)
            output_abandon(script->record);
        else
            code = output_finish(script->record, status);
        free(script->record);
    }
    if (!code && options->stats)
        code = app_write_stats(app, options->stats, options->force, status);
    flight_path_free(&script->path);
    return code;
}

// SPDX-License-Identifier: MIT
#include <signal.h>

#include "common/clock.h"
#include "view/app.h"
#include "view/gl_context.h"
#include "view/run.h"
#include "view/script.h"

// One frame without a replay; with one, a frame for every step of the path.
static enum status_code fly(struct app *app, struct script *script, struct status *status)
{
    const struct view_options *options = app->options;
    double start_s = clock_seconds(), step_s = options->dt_s;
    for (double now_s = 1e-3; script_camera(script, app);) {
        enum status_code code = app_frame(app, now_s, options->wait_full, status);
        double next_s = options->dt_s > 0 ? now_s + options->dt_s : clock_seconds() - start_s + 2e-3;
        step_s = next_s - now_s;
        if (!code)
            code = script_frame(script, app, now_s, step_s, status);
        if (code || !script->replaying)
            return code;
        now_s = next_s;
    }
    return STATUS_OK;
}

enum status_code run_headless(const struct view_options *options, const char *pack_path, struct status *status)
{
    if (!options->shot && !options->replay && !options->stats)
        return status_fail(status, STATUS_USAGE, "--headless: nothing to do; give --shot, --replay or --stats");
    enum status_code code = gl_headless_open(status);
    if (code)
        return code;
    struct app app;
    code = app_open(&app, options, pack_path, status);
    if (!code) {
        struct script script;
        code = script_begin(&script, &app, status);
        if (!code) {
            app_wait_for_roots(&app);
            code = fly(&app, &script, status);
        }
        code = script_end(&script, &app, code, status);
        app_close(&app);
    }
    gl_headless_close();
    return code;
}

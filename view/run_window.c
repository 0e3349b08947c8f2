// SPDX-License-Identifier: MIT
// The window: GLFW's events to controls, and the loop of frames.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <jansson.h>
#include <nettle/version.h>
#include <png.h>
#include <stdio.h>
#include <time.h>
#include <zlib.h>

#include "common/clock.h"
#include "view/app.h"
#include "view/gl_context.h"
#include "view/run.h"
#include "view/script.h"

#define FRAME_S (1.0 / 60)
#define STEP_MOST_S 0.1 // a frame that took longer must not make the camera leap
#define SETTLE_MOST_S 3 // from the start, that the ground may take to load before the controls have the camera

struct window {
    GLFWwindow *glfw;
    struct app *app;
    double cursor_x_px, cursor_y_px; // of the last cursor event, in picture pixels
    bool full_screen, shot_wanted;
    int restore_x, restore_y, restore_width, restore_height;
    struct status status; // of a screenshot that failed
};

static struct window *window_of(GLFWwindow *glfw)
{
    return glfwGetWindowUserPointer(glfw);
}

// GLFW's cursor is in screen coordinates; a picture may have more pixels (HiDPI).
static void to_pixels(GLFWwindow *glfw, double *x, double *y)
{
    int width, height, width_px, height_px;
    glfwGetWindowSize(glfw, &width, &height);
    glfwGetFramebufferSize(glfw, &width_px, &height_px);
    if (width > 0 && height > 0) {
        *x *= (double)width_px / width;
        *y *= (double)height_px / height;
    }
}

static void on_cursor(GLFWwindow *glfw, double x, double y)
{
    struct window *window = window_of(glfw);
    to_pixels(glfw, &x, &y);
    window->cursor_x_px = x;
    window->cursor_y_px = y;
    if (window->app->controls.drag != DRAG_NONE)
        controls_cursor(&window->app->controls, &window->app->camera, &window->app->around, x, y, clock_seconds());
}

static void on_button(GLFWwindow *glfw, int button, int action, int modifiers)
{
    struct window *window = window_of(glfw);
    struct controls *controls = &window->app->controls;
    if (action == GLFW_RELEASE) {
        controls_release(controls, clock_seconds());
        return;
    }
    enum drag drag = DRAG_NONE;
    if (button == GLFW_MOUSE_BUTTON_MIDDLE || button == GLFW_MOUSE_BUTTON_RIGHT)
        drag = DRAG_TILT;
    else if (button == GLFW_MOUSE_BUTTON_LEFT)
        drag = modifiers & GLFW_MOD_CONTROL ? DRAG_TILT : modifiers & GLFW_MOD_SHIFT ? DRAG_LOOK : DRAG_GRAB;
    // Where the last cursor event was, not where the cursor is by now: several events may come at once.
    controls_press(controls, &window->app->camera, &window->app->around, drag, window->cursor_x_px, window->cursor_y_px,
                   clock_seconds());
}

static void on_wheel(GLFWwindow *glfw, double across, double steps)
{
    (void)across;
    struct window *window = window_of(glfw);
    controls_wheel(&window->app->controls, &window->app->camera, &window->app->around, steps, window->cursor_x_px,
                   window->cursor_y_px);
}

static void toggle_full_screen(struct window *window)
{
    window->full_screen = !window->full_screen;
    if (!window->full_screen) {
        glfwSetWindowMonitor(window->glfw, NULL, window->restore_x, window->restore_y, window->restore_width,
                             window->restore_height, GLFW_DONT_CARE);
        return;
    }
    glfwGetWindowPos(window->glfw, &window->restore_x, &window->restore_y);
    glfwGetWindowSize(window->glfw, &window->restore_width, &window->restore_height);
    // The monitor that holds the window's middle.
    int count, middle_x = window->restore_x + window->restore_width / 2;
    int middle_y = window->restore_y + window->restore_height / 2;
    GLFWmonitor **monitors = glfwGetMonitors(&count), *chosen = glfwGetPrimaryMonitor();
    for (int k = 0; k < count; k++) {
        int x, y;
        const GLFWvidmode *mode = glfwGetVideoMode(monitors[k]);
        glfwGetMonitorPos(monitors[k], &x, &y);
        if (mode && middle_x >= x && middle_x < x + mode->width && middle_y >= y && middle_y < y + mode->height)
            chosen = monitors[k];
    }
    const GLFWvidmode *mode = chosen ? glfwGetVideoMode(chosen) : NULL;
    if (!mode) {
        window->full_screen = false;
        return;
    }
    glfwSetWindowMonitor(window->glfw, chosen, 0, 0, mode->width, mode->height, mode->refreshRate);
}

static void on_key(GLFWwindow *glfw, int key, int scancode, int action, int modifiers)
{
    (void)scancode;
    (void)modifiers;
    if (action != GLFW_PRESS)
        return;
    struct window *window = window_of(glfw);
    struct app *app = window->app;
    switch (key) {
    case GLFW_KEY_1: app->controls.mode = MODE_ORBIT; break;
    case GLFW_KEY_2: app->controls.mode = MODE_FLY; break;
    case GLFW_KEY_3: app->controls.mode = MODE_WALK; break;
    case GLFW_KEY_HOME: controls_home(&app->controls, &app->camera, &app->around); break;
    case GLFW_KEY_N: controls_north(&app->camera); break;
    case GLFW_KEY_Z: controls_land(&app->controls, &app->camera, &app->around); break;
    case GLFW_KEY_F: app->style.wireframe = !app->style.wireframe; break;
    case GLFW_KEY_U: app_freeze(app, !app->frozen); break;
    case GLFW_KEY_B: app->style.borders = !app->style.borders; break;
    case GLFW_KEY_H:
    case GLFW_KEY_F1: app->help = !app->help; break;
    case GLFW_KEY_F2: app->hud = !app->hud; break;
    case GLFW_KEY_F11: toggle_full_screen(window); break;
    case GLFW_KEY_F12: window->shot_wanted = true; break;
    case GLFW_KEY_ESCAPE: glfwSetWindowShouldClose(glfw, GLFW_TRUE); break;
    default: break;
    }
}

static unsigned keys_held(GLFWwindow *glfw)
{
    static const struct {
        int key;
        unsigned move;
    } map[] = {{GLFW_KEY_W, MOVE_FORWARD},
               {GLFW_KEY_UP, MOVE_FORWARD},
               {GLFW_KEY_S, MOVE_BACK},
               {GLFW_KEY_DOWN, MOVE_BACK},
               {GLFW_KEY_A, MOVE_LEFT},
               {GLFW_KEY_LEFT, MOVE_LEFT},
               {GLFW_KEY_D, MOVE_RIGHT},
               {GLFW_KEY_RIGHT, MOVE_RIGHT},
               {GLFW_KEY_E, MOVE_UP},
               {GLFW_KEY_C, MOVE_DOWN},
               {GLFW_KEY_LEFT_SHIFT, MOVE_FAST},
               {GLFW_KEY_RIGHT_SHIFT, MOVE_FAST},
               {GLFW_KEY_LEFT_CONTROL, MOVE_SLOW},
               {GLFW_KEY_RIGHT_CONTROL, MOVE_SLOW}};
    unsigned held = 0;
    for (size_t k = 0; k < sizeof map / sizeof map[0]; k++) {
        if (glfwGetKey(glfw, map[k].key) == GLFW_PRESS)
            held |= map[k].move;
    }
    return held;
}

// terrane-view-1.png and on, the first name that is free.
static void take_screenshot(struct window *window)
{
    window->shot_wanted = false;
    for (int number = 1; number < 10000; number++) {
        char name[40];
        snprintf(name, sizeof name, "terrane-view-%d.png", number);
        if (output_check(name, false, &window->status))
            continue;
        if (app_shot(window->app, name, false, &window->status))
            fprintf(stderr, "terrane-view: %s\n", window->status.text);
        else
            fprintf(stderr, "terrane-view: wrote %s\n", name);
        return;
    }
}

static void rest(double until_s)
{
    double left_s = until_s - clock_seconds();
    if (left_s <= 0)
        return;
    struct timespec time = {(time_t)left_s, (long)((left_s - (double)(time_t)left_s) * 1e9)};
    nanosleep(&time, NULL);
}

static void set_callbacks(struct window *window)
{
    glfwSetWindowUserPointer(window->glfw, window);
    glfwSetCursorPosCallback(window->glfw, on_cursor);
    glfwSetMouseButtonCallback(window->glfw, on_button);
    glfwSetScrollCallback(window->glfw, on_wheel);
    glfwSetKeyCallback(window->glfw, on_key);
}

// Whether the controls move the camera: not in scripts, nor while the ground is still that of coarse tiles, which can
// be far above the place that --at named and would lift the eye.
static bool controls_have_camera(const struct app *app, const struct script *script, double now_s)
{
    bool settled = app->stats->full_after_s >= 0 || now_s > SETTLE_MOST_S;
    return settled && !script->replaying && !app->options->shot;
}

// One turn of the loop; *leave at its end.
static enum status_code turn(struct window *window, struct script *script, double now_s, double step_s, bool *leave,
                             struct status *status)
{
    struct app *app = window->app;
    int width_px, height_px;
    glfwGetFramebufferSize(window->glfw, &width_px, &height_px);
    if (width_px < 1 || height_px < 1) // minimised: nothing to draw into
        return STATUS_OK;
    app->camera.width_px = width_px;
    app->camera.height_px = height_px;
    if (!script_camera(script, app)) {
        *leave = true;
        return STATUS_OK;
    }
    if (controls_have_camera(app, script, now_s))
        controls_step(&app->controls, &app->camera, &app->around, keys_held(window->glfw), step_s);
    enum status_code code = app_frame(app, now_s, app->options->wait_full, status);
    if (!code)
        code = script_frame(script, app, now_s, app->options->dt_s > 0 ? app->options->dt_s : step_s, status);
    if (code)
        return code;
    renderer_present(app->renderer, width_px, height_px);
    if (window->shot_wanted)
        take_screenshot(window);
    glfwSwapBuffers(window->glfw);
    loader_lock(app->loader);
    bool full = stream_is_full(app->stream);
    loader_unlock(app->loader);
    // --shot leaves with the first picture that is as it should be.
    *leave = app->options->shot && !script->replaying && (full || !app->options->wait_full);
    return STATUS_OK;
}

static enum status_code loop(struct window *window, struct script *script, struct status *status)
{
    double start_s = clock_seconds(), before_s = start_s;
    bool leave = false;
    enum status_code code = STATUS_OK;
    while (!code && !leave && !glfwWindowShouldClose(window->glfw)) {
        glfwPollEvents();
        double frame_s = clock_seconds(), step_s = frame_s - before_s;
        before_s = frame_s;
        code =
            turn(window, script, frame_s - start_s + 1e-3, step_s < STEP_MOST_S ? step_s : STEP_MOST_S, &leave, status);
        // Where the swap does not wait for the screen (a virtual display, a minimised window), the loop still does.
        rest(frame_s + FRAME_S);
    }
    return code;
}

void print_view_version(FILE *out)
{
    int major, minor, revision;
    glfwGetVersion(&major, &minor, &revision);
    fprintf(out, "terrane-view %s\n", TERRANE_VERSION);
    fprintf(out, "GLFW %d.%d.%d\n", major, minor, revision);
    fprintf(out, "zlib %s\n", zlibVersion());
    fprintf(out, "libpng %s\n", png_get_libpng_ver(NULL));
    fprintf(out, "nettle %d.%d\n", nettle_version_major(), nettle_version_minor());
    fprintf(out, "jansson %s\n", jansson_version_str());
}

enum status_code run_window(const struct view_options *options, const char *pack_path, struct status *status)
{
    struct window window = {0};
    enum status_code code =
        gl_window_open(&window.glfw, options->size.width_px, options->size.height_px, "terrane-view", status);
    if (code)
        return code;
    struct app app;
    code = app_open(&app, options, pack_path, status);
    if (!code) {
        window.app = &app;
        set_callbacks(&window);
        struct script script;
        code = script_begin(&script, &app, status);
        if (!code) {
            app_wait_for_roots(&app);
            code = loop(&window, &script, status);
        }
        code = script_end(&script, &app, code, status);
        app_close(&app);
    }
    gl_window_close(window.glfw);
    return code;
}

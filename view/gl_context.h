// SPDX-License-Identifier: MIT
// A current OpenGL 3.3 core context, from a GLFW window or from EGL without any window system; glad is loaded by it.
#ifndef TERRANE_VIEW_GL_CONTEXT_H
#define TERRANE_VIEW_GL_CONTEXT_H

#include "common/status.h"

// EGL surfaceless (Mesa), else the first EGL device; needs no display. STATUS_RESOURCE with one line where neither is
// there.
enum status_code gl_headless_open(struct status *status);
void gl_headless_close(void);

// GLFW. STATUS_RESOURCE, naming --headless, where there is no display. The window is GLFW's own handle.
struct GLFWwindow;
enum status_code gl_window_open(struct GLFWwindow **window, int width, int height, const char *title,
                                struct status *status);
void gl_window_close(struct GLFWwindow *window);

#endif

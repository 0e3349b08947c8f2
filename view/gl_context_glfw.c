// SPDX-License-Identifier: MIT
#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stdio.h>

#include "view/gl_context.h"

static char last_error[160]; // GLFW tells its reasons only through a callback

static void keep_error(int code, const char *text)
{
    snprintf(last_error, sizeof last_error, "%s (0x%x)", text, (unsigned)code);
}

enum status_code gl_window_open(GLFWwindow **window, int width, int height, const char *title, struct status *status)
{
    snprintf(last_error, sizeof last_error, "unknown reason");
    glfwSetErrorCallback(keep_error);
    if (!glfwInit())
        return status_fail(status, STATUS_RESOURCE, "no window: %s; --headless --shot FILE.png works without a display",
                           last_error);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    *window = glfwCreateWindow(width, height, title, NULL, NULL);
    if (!*window) {
        glfwTerminate();
        return status_fail(status, STATUS_RESOURCE, "no window: %s; --headless --shot FILE.png works without a display",
                           last_error);
    }
    glfwMakeContextCurrent(*window);
    if (!gladLoadGL((GLADloadfunc)glfwGetProcAddress)) {
        gl_window_close(*window);
        return status_fail(status, STATUS_RESOURCE, "no OpenGL 3.3 core functions in this driver");
    }
    glfwSwapInterval(1);
    return STATUS_OK;
}

void gl_window_close(GLFWwindow *window)
{
    glfwDestroyWindow(window);
    glfwTerminate();
}

// SPDX-License-Identifier: MIT
// The context without any window system. Kept apart from GLFW's, so that headless programs do not link it.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>
#include <stddef.h>

#include "view/gl_context.h"

static EGLDisplay display = EGL_NO_DISPLAY; // one headless context a process
static EGLContext context = EGL_NO_CONTEXT;

static EGLDisplay open_display(void)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    if (!get_display)
        return EGL_NO_DISPLAY;
    EGLDisplay found = get_display(EGL_PLATFORM_SURFACELESS_MESA, (void *)EGL_DEFAULT_DISPLAY, NULL);
    if (found != EGL_NO_DISPLAY && eglInitialize(found, NULL, NULL))
        return found;
    PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLDeviceEXT devices[8];
    EGLint count = 0;
    if (!query || !query(8, devices, &count))
        return EGL_NO_DISPLAY;
    for (EGLint k = 0; k < count; k++) {
        found = get_display(EGL_PLATFORM_DEVICE_EXT, devices[k], NULL);
        if (found != EGL_NO_DISPLAY && eglInitialize(found, NULL, NULL))
            return found;
    }
    return EGL_NO_DISPLAY;
}

enum status_code gl_headless_open(struct status *status)
{
    display = open_display();
    if (display == EGL_NO_DISPLAY)
        return status_fail(status, STATUS_RESOURCE, "headless drawing: no EGL display (is libgl1-mesa-dri installed?)");
    static const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    if (eglBindAPI(EGL_OPENGL_API))
        context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) ||
        !gladLoadGL((GLADloadfunc)eglGetProcAddress)) {
        EGLint error = eglGetError();
        gl_headless_close();
        return status_fail(status, STATUS_RESOURCE, "headless drawing: no OpenGL 3.3 core context (EGL error 0x%x)",
                           (unsigned)error);
    }
    return STATUS_OK;
}

void gl_headless_close(void)
{
    if (display == EGL_NO_DISPLAY)
        return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT)
        eglDestroyContext(display, context);
    eglTerminate(display);
    context = EGL_NO_CONTEXT;
    display = EGL_NO_DISPLAY;
}

// SPDX-License-Identifier: MIT
#include "view/gl_program.h"

#include <stddef.h>

#define PIECES_MAX 8

static enum status_code compile(GLuint *shader, GLenum kind, const char *name, const char *const *pieces,
                                bool log_depth, struct status *status)
{
    const char *sources[PIECES_MAX] = {"#version 330 core\n", log_depth ? "#define LOG_DEPTH\n" : ""};
    GLsizei count = 2;
    for (; pieces[count - 2] && count < PIECES_MAX; count++)
        sources[count] = pieces[count - 2];
    *shader = glCreateShader(kind);
    glShaderSource(*shader, count, sources, NULL);
    glCompileShader(*shader);
    GLint good = 0;
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &good);
    if (good)
        return STATUS_OK;
    char log[300] = "";
    glGetShaderInfoLog(*shader, sizeof log, NULL, log);
    return status_fail(status, STATUS_INTERNAL, "shader %s (%s): %s", name,
                       kind == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
}

enum status_code gl_program_new(GLuint *program, const char *name, const char *const *vertex,
                                const char *const *fragment, bool log_depth, struct status *status)
{
    GLuint shaders[2] = {0, 0};
    enum status_code code = compile(&shaders[0], GL_VERTEX_SHADER, name, vertex, log_depth, status);
    if (!code)
        code = compile(&shaders[1], GL_FRAGMENT_SHADER, name, fragment, log_depth, status);
    *program = glCreateProgram();
    if (!code) {
        glAttachShader(*program, shaders[0]);
        glAttachShader(*program, shaders[1]);
        glLinkProgram(*program);
        GLint good = 0;
        glGetProgramiv(*program, GL_LINK_STATUS, &good);
        if (!good) {
            char log[300] = "";
            glGetProgramInfoLog(*program, sizeof log, NULL, log);
            code = status_fail(status, STATUS_INTERNAL, "shader program %s: %s", name, log);
        }
    }
    glDeleteShader(shaders[0]);
    glDeleteShader(shaders[1]);
    return code;
}

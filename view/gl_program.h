// SPDX-License-Identifier: MIT
// Compiling and linking of shader programs.
#ifndef TERRANE_VIEW_GL_PROGRAM_H
#define TERRANE_VIEW_GL_PROGRAM_H

#include <glad/gl.h>
#include <stdbool.h>

#include "common/status.h"

// vertex and fragment are lists of source pieces that end with NULL; "#version 330 core" and, where log_depth says so,
// "#define LOG_DEPTH" are put in front. A message of the driver's compiler comes back as STATUS_INTERNAL.
enum status_code gl_program_new(GLuint *program, const char *name, const char *const *vertex,
                                const char *const *fragment, bool log_depth, struct status *status);

#endif

// SPDX-License-Identifier: MIT
#include "view/overlay.h"

#include <glad/gl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "view/gl_program.h"
#include "view/shaders.h"

// A public-domain header from Debian's libstb-dev; its warnings are not ours to mend.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wshadow"
#include <stb/stb_easy_font.h>
#pragma GCC diagnostic pop

#define VERTICES_MAX 24576
#define TEXT_MAX 512
#define TEXT_QUADS_BYTES (64 * 1024)

struct overlay_vertex {
    float position[4];
    uint8_t color[4];
};

struct overlay_batch {
    struct overlay_vertex vertices[VERTICES_MAX];
    int count;
};

struct overlay {
    GLuint program, vertex_array, buffer;
    struct overlay_batch lines, shapes;
    char text_quads[TEXT_QUADS_BYTES];
};

enum status_code overlay_new(struct overlay **result, bool log_depth, struct status *status)
{
    struct overlay *overlay = calloc(1, sizeof *overlay);
    if (!overlay)
        return status_fail_memory(status, "overlay", sizeof *overlay);
    enum status_code code = gl_program_new(
        &overlay->program, "overlay", (const char *const[]){shader_projection_glsl, shader_overlay_vert, NULL},
        (const char *const[]){shader_depth_glsl, shader_overlay_frag, NULL}, log_depth, status);
    glGenVertexArrays(1, &overlay->vertex_array);
    glGenBuffers(1, &overlay->buffer);
    glBindVertexArray(overlay->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, overlay->buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof overlay->lines.vertices, NULL, GL_STREAM_DRAW);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(struct overlay_vertex), NULL);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(struct overlay_vertex),
                          (const void *)offsetof(struct overlay_vertex, color));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glBindVertexArray(0);
    if (code) {
        overlay_free(overlay);
        return code;
    }
    *result = overlay;
    return STATUS_OK;
}

void overlay_free(struct overlay *overlay)
{
    if (!overlay)
        return;
    glDeleteProgram(overlay->program);
    glDeleteVertexArrays(1, &overlay->vertex_array);
    glDeleteBuffers(1, &overlay->buffer);
    free(overlay);
}

unsigned overlay_program(const struct overlay *overlay)
{
    return overlay->program;
}

static void add_vertex(struct overlay_batch *batch, float x, float y, float z, float w, const uint8_t color[4])
{
    struct overlay_vertex *vertex = &batch->vertices[batch->count++];
    *vertex = (struct overlay_vertex){.position = {x, y, z, w}};
    memcpy(vertex->color, color, sizeof vertex->color);
}

void overlay_line(struct overlay *overlay, struct float3 from, struct float3 to, const uint8_t color[4])
{
    if (overlay->lines.count + 2 > VERTICES_MAX)
        return;
    add_vertex(&overlay->lines, from.x, from.y, from.z, 1, color);
    add_vertex(&overlay->lines, to.x, to.y, to.z, 1, color);
}

void overlay_rect(struct overlay *overlay, double x, double y, double width, double height, const uint8_t color[4])
{
    struct overlay_batch *batch = &overlay->shapes;
    if (batch->count + 6 > VERTICES_MAX)
        return;
    float x0 = (float)x, y0 = (float)y, x1 = (float)(x + width), y1 = (float)(y + height);
    const float corners[6][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y0}, {x1, y1}, {x0, y1}};
    for (int k = 0; k < 6; k++)
        add_vertex(batch, corners[k][0], corners[k][1], 0, 0, color);
}

static void copy_printable(char *copy, size_t size, const char *text)
{
    strncpy(copy, text, size - 1);
    copy[size - 1] = 0;
    for (char *p = copy; *p; p++) {
        if ((*p < ' ' || *p > '~') && *p != '\n')
            *p = '?';
    }
}

double overlay_text_width(const char *text)
{
    char copy[TEXT_MAX];
    copy_printable(copy, sizeof copy, text);
    return stb_easy_font_width(copy);
}

void overlay_text(struct overlay *overlay, double x, double y, double scale, const uint8_t color[4], const char *text)
{
    char copy[TEXT_MAX]; // the library wants a writable string
    copy_printable(copy, sizeof copy, text);
    int quads = stb_easy_font_print(0, 0, copy, NULL, overlay->text_quads, sizeof overlay->text_quads);
    for (int k = 0; k < quads; k++) {
        float corner[4][4]; // x, y, z and colour bytes of each corner
        memcpy(corner, overlay->text_quads + (size_t)k * sizeof corner, sizeof corner);
        overlay_rect(overlay, x + scale * (double)corner[0][0], y + scale * (double)corner[0][1],
                     scale * (double)(corner[2][0] - corner[0][0]), scale * (double)(corner[2][1] - corner[0][1]),
                     color);
    }
}

static int draw_batch(struct overlay_batch *batch, GLenum mode)
{
    if (batch->count == 0)
        return 0;
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)((size_t)batch->count * sizeof batch->vertices[0]),
                    batch->vertices);
    glDrawArrays(mode, 0, batch->count);
    batch->count = 0;
    return 1;
}

int overlay_draw(struct overlay *overlay, int width_px, int height_px)
{
    glUseProgram(overlay->program);
    glUniform2f(glGetUniformLocation(overlay->program, "size_px"), (float)width_px, (float)height_px);
    glBindVertexArray(overlay->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, overlay->buffer);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    int calls = draw_batch(&overlay->lines, GL_LINES);
    glDisable(GL_DEPTH_TEST);
    calls += draw_batch(&overlay->shapes, GL_TRIANGLES);
    glEnable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    return calls;
}

// SPDX-License-Identifier: MIT
#include "view/renderer.h"

#include <assert.h>
#include <glad/gl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/gl_program.h"
#include "view/overlay.h"
#include "view/shaders.h"

#define TEXELS_A_SLOT 4
#define NEAR_M 0.05
#define FAR_M 1e11 // of logarithmic depth only: 100 radii of the largest planet

enum { UNIT_SLOTS, UNIT_NORMALS, UNIT_COLORS };

struct renderer {
    struct renderer_config config;
    bool log_depth;
    GLuint framebuffer, color_buffer, depth_buffer;
    int width_px, height_px;
    GLuint terrain, sky;
    GLuint vertex_array, empty_array, vertices, indices;
    GLuint slot_buffer, slot_texture, normal_array, color_array;
    struct tile_indices ranges;
    float *slot_data;        // TEXELS_A_SLOT x 4 a slot
    struct node *slot_nodes; // of each slot's last upload
    GLsizei *draw_counts;    // up to 4 ranges a slot
    const void **draw_offsets;
    GLint *draw_bases;
    struct overlay *overlay;
    struct camera_frame view; // of the frame being drawn
    struct renderer_counters counters;
};

int renderer_slot_limit(void)
{
    GLint layers = 0;
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers);
    return layers;
}

static GLuint new_array_texture(GLenum unit, GLenum format, GLenum layout, GLenum type, int side, int layers)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, (GLint)format, side, side, layers, 0, layout, type, NULL);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

static void make_buffers(struct renderer *renderer)
{
    const struct renderer_config *config = &renderer->config;
    size_t vertex_bytes = (size_t)tile_vertex_count(config->intervals) * sizeof(struct tile_vertex);
    glGenVertexArrays(1, &renderer->empty_array);
    glGenVertexArrays(1, &renderer->vertex_array);
    glBindVertexArray(renderer->vertex_array);
    glGenBuffers(1, &renderer->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(vertex_bytes * (size_t)config->slots), NULL, GL_DYNAMIC_DRAW);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(struct tile_vertex), NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(struct tile_vertex),
                          (const void *)offsetof(struct tile_vertex, low));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glGenBuffers(1, &renderer->indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, renderer->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(renderer->ranges.count * sizeof(uint32_t)),
                 renderer->ranges.indices, GL_STATIC_DRAW);
    glBindVertexArray(0);

    glGenBuffers(1, &renderer->slot_buffer);
    glBindBuffer(GL_TEXTURE_BUFFER, renderer->slot_buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(config->slots * TEXELS_A_SLOT * 16), NULL, GL_STREAM_DRAW);
    glGenTextures(1, &renderer->slot_texture);
    glActiveTexture(GL_TEXTURE0 + UNIT_SLOTS);
    glBindTexture(GL_TEXTURE_BUFFER, renderer->slot_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, renderer->slot_buffer);

    int side = config->intervals + 1;
    renderer->normal_array = new_array_texture(UNIT_NORMALS, GL_RG16_SNORM, GL_RG, GL_SHORT, side, config->slots);
    renderer->color_array =
        new_array_texture(UNIT_COLORS, GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, side, config->slots);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1); // rows of N + 1 texels are rarely multiples of 4 bytes
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
}

static enum status_code make_programs(struct renderer *renderer, struct status *status)
{
    bool log_depth = renderer->log_depth;
    enum status_code code = gl_program_new(
        &renderer->terrain, "terrain", (const char *const[]){shader_projection_glsl, shader_terrain_vert, NULL},
        (const char *const[]){shader_depth_glsl, shader_atmosphere_glsl, shader_terrain_frag, NULL}, log_depth, status);
    if (!code)
        code = gl_program_new(&renderer->sky, "sky", (const char *const[]){shader_sky_vert, NULL},
                              (const char *const[]){shader_atmosphere_glsl, shader_sky_frag, NULL}, false, status);
    if (!code)
        code = overlay_new(&renderer->overlay, log_depth, status);
    return code;
}

enum status_code renderer_new(struct renderer **result, const struct renderer_config *config, struct status *status)
{
    assert(config->slots > 0 && config->slots <= renderer_slot_limit());
    struct renderer *renderer = calloc(1, sizeof *renderer);
    if (!renderer)
        return status_fail_memory(status, "renderer", sizeof *renderer);
    renderer->config = *config;
    renderer->log_depth = config->force_log_depth || !GLAD_GL_ARB_clip_control;
    renderer->counters.log_depth = renderer->log_depth;
    renderer->counters.gl_renderer = (const char *)glGetString(GL_RENDERER);
    renderer->counters.gl_version = (const char *)glGetString(GL_VERSION);
    size_t slots = (size_t)config->slots;
    renderer->slot_data = calloc(slots, TEXELS_A_SLOT * 4 * sizeof(float));
    renderer->slot_nodes = calloc(slots, sizeof *renderer->slot_nodes);
    renderer->draw_counts = calloc(slots * 4, sizeof *renderer->draw_counts);
    renderer->draw_offsets = calloc(slots * 4, sizeof *renderer->draw_offsets);
    renderer->draw_bases = calloc(slots * 4, sizeof *renderer->draw_bases);
    bool allocated = renderer->slot_data && renderer->slot_nodes && renderer->draw_counts && renderer->draw_offsets &&
                     renderer->draw_bases;
    enum status_code code = allocated ? tile_indices_new(&renderer->ranges, config->intervals, status)
                                      : status_fail_memory(status, "renderer", slots * 128);
    if (!code) {
        make_buffers(renderer);
        code = make_programs(renderer, status);
    }
    if (!code && glGetError() == GL_OUT_OF_MEMORY)
        code = status_fail(status, STATUS_RESOURCE, "the graphics memory does not hold %d tiles; use a smaller --cache",
                           config->slots);
    if (code) {
        renderer_free(renderer);
        return code;
    }
    *result = renderer;
    return STATUS_OK;
}

static void free_framebuffer(struct renderer *renderer)
{
    glDeleteFramebuffers(1, &renderer->framebuffer);
    glDeleteRenderbuffers(1, &renderer->color_buffer);
    glDeleteRenderbuffers(1, &renderer->depth_buffer);
}

void renderer_free(struct renderer *renderer)
{
    if (!renderer)
        return;
    free_framebuffer(renderer);
    overlay_free(renderer->overlay);
    glDeleteProgram(renderer->terrain);
    glDeleteProgram(renderer->sky);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    glDeleteVertexArrays(1, &renderer->empty_array);
    const GLuint buffers[3] = {renderer->vertices, renderer->indices, renderer->slot_buffer};
    glDeleteBuffers(3, buffers);
    const GLuint textures[3] = {renderer->slot_texture, renderer->normal_array, renderer->color_array};
    glDeleteTextures(3, textures);
    free(renderer->ranges.indices);
    free(renderer->slot_data);
    free(renderer->slot_nodes);
    free(renderer->draw_counts);
    free(renderer->draw_offsets);
    free(renderer->draw_bases);
    free(renderer);
}

void renderer_upload(struct renderer *renderer, int slot, struct node node, const struct tile_data *data)
{
    assert(slot >= 0 && slot < renderer->config.slots);
    int side = renderer->config.intervals + 1;
    size_t vertex_bytes = (size_t)tile_vertex_count(renderer->config.intervals) * sizeof(struct tile_vertex);
    renderer->slot_nodes[slot] = node;
    glBindBuffer(GL_ARRAY_BUFFER, renderer->vertices);
    glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)(vertex_bytes * (size_t)slot), (GLsizeiptr)vertex_bytes, data->vertices);
    glActiveTexture(GL_TEXTURE0 + UNIT_NORMALS);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, slot, side, side, 1, GL_RG, GL_SHORT, data->normals);
    glActiveTexture(GL_TEXTURE0 + UNIT_COLORS);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, slot, side, side, 1, GL_RGBA, GL_UNSIGNED_BYTE, data->colors);
}

static enum status_code fit_framebuffer(struct renderer *renderer, int width_px, int height_px, struct status *status)
{
    if (renderer->framebuffer && renderer->width_px == width_px && renderer->height_px == height_px)
        return STATUS_OK;
    free_framebuffer(renderer);
    renderer->width_px = width_px;
    renderer->height_px = height_px;
    glGenFramebuffers(1, &renderer->framebuffer);
    glGenRenderbuffers(1, &renderer->color_buffer);
    glGenRenderbuffers(1, &renderer->depth_buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderer->color_buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width_px, height_px);
    glBindRenderbuffer(GL_RENDERBUFFER, renderer->depth_buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, width_px, height_px);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderer->color_buffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, renderer->depth_buffer);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return status_fail(status, STATUS_RESOURCE, "a picture of %d x %d pixels is too large for this driver",
                           width_px, height_px);
    return STATUS_OK;
}

// What every program that projects needs to know of the camera.
static void set_projection(const struct renderer *renderer, GLuint program)
{
    const struct camera_frame *view = &renderer->view;
    const float rows[9] = {(float)view->right.x,    (float)view->right.y,    (float)view->right.z,
                           (float)view->up.x,       (float)view->up.y,       (float)view->up.z,
                           (float)-view->forward.x, (float)-view->forward.y, (float)-view->forward.z};
    glUseProgram(program);
    glUniformMatrix3fv(glGetUniformLocation(program, "view"), 1, GL_TRUE, rows);
    glUniform2f(glGetUniformLocation(program, "scale"), (float)(1 / view->tan_half_width),
                (float)(1 / view->tan_half_height));
    glUniform1f(glGetUniformLocation(program, "near_m"), (float)NEAR_M);
    glUniform1f(glGetUniformLocation(program, "log_far"), (float)log2(FAR_M / NEAR_M + 1));
}

static void set_vector(GLuint program, const char *name, const double v[3])
{
    glUniform3f(glGetUniformLocation(program, name), (float)v[0], (float)v[1], (float)v[2]);
}

// Earth's air, or dust that scatters of each colour what air_color says and takes the same of all: so the horizon,
// where much of it lies behind one another, has the colour too.
static void set_air(GLuint program, const struct scene_style *style)
{
    double molecules[3] = {0.030, 0.070, 0.165}, dust[3] = {0.014, 0.014, 0.014}, loss[3];
    double sky[3] = {0.16, 0.22, 0.32};
    const double *color = style->air_color;
    double brightest = fmax(color[0], fmax(color[1], color[2]));
    bool dusty = brightest > 0;
    for (int k = 0; k < 3; k++) {
        if (dusty) {
            molecules[k] = 0.17 * color[k];
            dust[k] = 0.06 * color[k];
            sky[k] = 0.40 * color[k];
        }
        loss[k] = dusty ? 0.23 * brightest : molecules[k] + dust[k];
    }
    glUniform1f(glGetUniformLocation(program, "air"), style->has_air ? 1.0f : 0.0f);
    set_vector(program, "air_molecules", molecules);
    set_vector(program, "air_dust", dust);
    set_vector(program, "air_loss", loss);
    set_vector(program, "sky_light", sky);
}

static void set_light(const struct renderer *renderer, GLuint program, const struct scene_style *style)
{
    struct double3 eye = double3_scale(renderer->view.eye_m, 1 / renderer->config.radius_m);
    glUniform3f(glGetUniformLocation(program, "sun"), (float)style->sun.x, (float)style->sun.y, (float)style->sun.z);
    glUniform3f(glGetUniformLocation(program, "eye"), (float)eye.x, (float)eye.y, (float)eye.z);
    set_air(program, style);
    glUniform1f(glGetUniformLocation(program, "exposure"), 1.0f);
}

static void split(float *high, float *low, double value)
{
    *high = (float)value;
    *low = (float)(value - *high);
}

// The frame's texels of a slot: the double subtraction of the camera happens here and nowhere else.
static void place_slot(struct renderer *renderer, const struct stream_draw *draw)
{
    float *texels = renderer->slot_data + (size_t)draw->slot * TEXELS_A_SLOT * 4;
    struct double3 center_m = tile_center_m(draw->node, renderer->config.radius_m);
    struct double3 offset_m = double3_sub(center_m, renderer->view.eye_m);
    split(&texels[0], &texels[4], offset_m.x);
    split(&texels[1], &texels[5], offset_m.y);
    split(&texels[2], &texels[6], offset_m.z);
    texels[3] = (float)draw->node.face;
    texels[7] = (float)draw->skirt_m;
    texels[8] = (float)center_m.x;
    texels[9] = (float)center_m.y;
    texels[10] = (float)center_m.z;
    texels[11] = (float)draw->node.level;
}

static int gather_draws(struct renderer *renderer, const struct stream_draw *draws, int draw_count)
{
    int vertices = tile_vertex_count(renderer->config.intervals), count = 0;
    uint64_t indices = 0;
    for (int k = 0; k < draw_count; k++) {
        place_slot(renderer, &draws[k]);
        for (int quarter = 0; quarter < 4; quarter++) {
            bool whole = draws[k].quarters == 15;
            const struct tile_index_range *range =
                whole ? &renderer->ranges.whole : &renderer->ranges.quarters[quarter];
            if (!(draws[k].quarters >> quarter & 1) || (whole && quarter > 0))
                continue;
            renderer->draw_counts[count] = (GLsizei)range->count;
            renderer->draw_offsets[count] = (const void *)(range->first * sizeof(uint32_t));
            renderer->draw_bases[count] = draws[k].slot * vertices;
            indices += range->count;
            count++;
        }
    }
    renderer->counters.triangles = (int)(indices / 3);
    return count;
}

static void draw_terrain(struct renderer *renderer, const struct stream_draw *draws, int draw_count,
                         const struct scene_style *style)
{
    GLuint program = renderer->terrain;
    int count = gather_draws(renderer, draws, draw_count);
    if (count == 0)
        return;
    glBindBuffer(GL_TEXTURE_BUFFER, renderer->slot_buffer);
    size_t slot_bytes = (size_t)renderer->config.slots * TEXELS_A_SLOT * 4 * sizeof(float);
    // A new store every frame, so that the driver need not wait for the last frame's draws.
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)slot_bytes, renderer->slot_data, GL_STREAM_DRAW);
    set_projection(renderer, program);
    set_light(renderer, program, style);
    glUniform1i(glGetUniformLocation(program, "slots"), UNIT_SLOTS);
    glUniform1i(glGetUniformLocation(program, "normals"), UNIT_NORMALS);
    glUniform1i(glGetUniformLocation(program, "colors"), UNIT_COLORS);
    glUniform1i(glGetUniformLocation(program, "vertices_a_tile"), tile_vertex_count(renderer->config.intervals));
    glUniform1i(glGetUniformLocation(program, "quads"), tile_mesh_quads(renderer->config.intervals));
    glUniform1f(glGetUniformLocation(program, "intervals"), (float)renderer->config.intervals);
    glUniform1f(glGetUniformLocation(program, "radius_m"), (float)renderer->config.radius_m);
    glUniform1i(glGetUniformLocation(program, "flat_light"), style->flat_light);
    glUniform1i(glGetUniformLocation(program, "borders"), style->borders);
    glBindVertexArray(renderer->vertex_array);
    glPolygonMode(GL_FRONT_AND_BACK, style->wireframe ? GL_LINE : GL_FILL);
    glMultiDrawElementsBaseVertex(GL_TRIANGLES, renderer->draw_counts, GL_UNSIGNED_INT, renderer->draw_offsets, count,
                                  renderer->draw_bases);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glBindVertexArray(0);
    renderer->counters.draw_calls++;
}

static void draw_sky(struct renderer *renderer, const struct scene_style *style)
{
    GLuint program = renderer->sky;
    set_projection(renderer, program);
    set_light(renderer, program, style);
    glUniform1f(glGetUniformLocation(program, "far_depth"), renderer->log_depth ? 1.0f : 0.0f);
    glUniform4f(glGetUniformLocation(program, "plain"), (float)style->background[0] / 255.0f,
                (float)style->background[1] / 255.0f, (float)style->background[2] / 255.0f,
                style->plain_background ? 1.0f : 0.0f);
    glBindVertexArray(renderer->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    renderer->counters.draw_calls++;
}

enum status_code renderer_draw(struct renderer *renderer, const struct camera *camera, const struct stream_draw *draws,
                               int draw_count, const struct scene_style *style, struct status *status)
{
    enum status_code code = fit_framebuffer(renderer, camera->width_px, camera->height_px, status);
    if (code)
        return code;
    renderer->view = camera_frame_of(camera);
    renderer->counters.draw_calls = 0;
    renderer->counters.triangles = 0;
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->framebuffer);
    glViewport(0, 0, camera->width_px, camera->height_px);
    glEnable(GL_DEPTH_TEST);
    if (!renderer->log_depth)
        glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glClearDepth(renderer->log_depth ? 1 : 0);
    glDepthFunc(renderer->log_depth ? GL_LEQUAL : GL_GEQUAL);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_terrain(renderer, draws, draw_count, style);
    draw_sky(renderer, style);
    return STATUS_OK;
}

double renderer_hud_unit_px(const struct renderer *renderer)
{
    return renderer->height_px >= 1000 ? 2 : renderer->height_px >= 500 ? 1.5 : 1;
}

double renderer_hud_text_width_px(const struct renderer *renderer, const char *text)
{
    return overlay_text_width(text) * renderer_hud_unit_px(renderer);
}

void renderer_hud_text(struct renderer *renderer, double x_px, double y_px, const uint8_t color[4], const char *text)
{
    overlay_text(renderer->overlay, x_px, y_px, renderer_hud_unit_px(renderer), color, text);
}

void renderer_hud_rect(struct renderer *renderer, double x_px, double y_px, double width_px, double height_px,
                       const uint8_t color[4])
{
    overlay_rect(renderer->overlay, x_px, y_px, width_px, height_px, color);
}

void renderer_world_line(struct renderer *renderer, struct double3 from_m, struct double3 to_m, const uint8_t color[4])
{
    overlay_line(renderer->overlay, float3_relative(from_m, renderer->view.eye_m),
                 float3_relative(to_m, renderer->view.eye_m), color);
}

void renderer_finish_frame(struct renderer *renderer)
{
    set_projection(renderer, overlay_program(renderer->overlay));
    renderer->counters.draw_calls += overlay_draw(renderer->overlay, renderer->width_px, renderer->height_px);
}

void renderer_read(struct renderer *renderer, uint8_t *rgb)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, renderer->framebuffer);
    size_t row_bytes = (size_t)renderer->width_px * 3;
    // OpenGL's rows go upward.
    for (int row = 0; row < renderer->height_px; row++)
        glReadPixels(0, renderer->height_px - 1 - row, renderer->width_px, 1, GL_RGB, GL_UNSIGNED_BYTE,
                     rgb + (size_t)row * row_bytes);
}

void renderer_present(struct renderer *renderer, int window_width_px, int window_height_px)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, renderer->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, renderer->width_px, renderer->height_px, 0, 0, window_width_px, window_height_px,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

const struct renderer_counters *renderer_get_counters(const struct renderer *renderer)
{
    return &renderer->counters;
}

// SPDX-License-Identifier: MIT
// Where the terrain shader puts vertices on a 720p screen, caught by transform feedback, against double arithmetic,
// with the eye 1.7 m above the ground of an Earth-sized planet. Wide leaves included: no pack makes the ground tremble.
#include "tests/view_scene.h"
#include "view/shaders.h"

#define RADIUS_M 6371000.0
#define INTERVALS 64
#define WIDTH 1280
#define HEIGHT 720

static GLuint compile(GLenum kind, const char *const *pieces, int count)
{
    GLuint shader = glCreateShader(kind);
    GLint good = 0;
    glShaderSource(shader, count, pieces, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    CHECK(good);
    return shader;
}

// The terrain's own vertex shader, with its clip position caught instead of drawn.
static GLuint feedback_program(void)
{
    const char *vertex[] = {"#version 330 core\n", shader_projection_glsl, shader_terrain_vert};
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex, 3));
    const char *caught[] = {"gl_Position"};
    glTransformFeedbackVaryings(program, 1, caught, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    CHECK(good);
    return program;
}

struct catcher {
    GLuint program, array, vertices, slots, slot_texture, caught, framebuffer, target;
};

static void catcher_new(struct catcher *catcher, size_t vertex_count)
{
    catcher->program = feedback_program();
    glGenVertexArrays(1, &catcher->array);
    glBindVertexArray(catcher->array);
    glGenBuffers(1, &catcher->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, catcher->vertices);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(struct tile_vertex), NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(struct tile_vertex),
                          (const void *)offsetof(struct tile_vertex, low));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glGenBuffers(1, &catcher->slots);
    glBindBuffer(GL_TEXTURE_BUFFER, catcher->slots);
    glGenTextures(1, &catcher->slot_texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_BUFFER, catcher->slot_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, catcher->slots);
    glGenBuffers(1, &catcher->caught);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, catcher->caught);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)(vertex_count * 16), NULL, GL_STREAM_READ);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, catcher->caught);
    // Without a surface even discarded draws want a framebuffer.
    glGenFramebuffers(1, &catcher->framebuffer);
    glGenRenderbuffers(1, &catcher->target);
    glBindRenderbuffer(GL_RENDERBUFFER, catcher->target);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    glBindFramebuffer(GL_FRAMEBUFFER, catcher->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, catcher->target);
}

static void split(float *high, float *low, double value)
{
    *high = (float)value;
    *low = (float)(value - *high);
}

static void catch_tile(struct catcher *catcher, struct node node, const struct tile_vertex *vertices,
                       const struct camera *camera, float *clip, int count)
{
    struct camera_frame view = camera_frame_of(camera);
    struct double3 center_m = tile_center_m(node, RADIUS_M), offset_m = double3_sub(center_m, view.eye_m);
    float texels[16] = {0};
    split(&texels[0], &texels[4], offset_m.x);
    split(&texels[1], &texels[5], offset_m.y);
    split(&texels[2], &texels[6], offset_m.z);
    texels[8] = (float)center_m.x, texels[9] = (float)center_m.y, texels[10] = (float)center_m.z;
    const float rows[9] = {(float)view.right.x,    (float)view.right.y,    (float)view.right.z,
                           (float)view.up.x,       (float)view.up.y,       (float)view.up.z,
                           (float)-view.forward.x, (float)-view.forward.y, (float)-view.forward.z};
    glUseProgram(catcher->program);
    glUniformMatrix3fv(glGetUniformLocation(catcher->program, "view"), 1, GL_TRUE, rows);
    glUniform2f(glGetUniformLocation(catcher->program, "scale"), (float)(1 / view.tan_half_width),
                (float)(1 / view.tan_half_height));
    glUniform1f(glGetUniformLocation(catcher->program, "near_m"), 0.05f);
    glUniform1i(glGetUniformLocation(catcher->program, "slots"), 0);
    glUniform1i(glGetUniformLocation(catcher->program, "vertices_a_tile"), tile_vertex_count(INTERVALS));
    glUniform1i(glGetUniformLocation(catcher->program, "quads"), INTERVALS);
    glUniform1f(glGetUniformLocation(catcher->program, "radius_m"), (float)RADIUS_M);
    glBindBuffer(GL_TEXTURE_BUFFER, catcher->slots);
    glBufferData(GL_TEXTURE_BUFFER, sizeof texels, texels, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, catcher->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * sizeof *vertices), vertices, GL_STREAM_DRAW);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, count);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)((size_t)count * 16), clip);
    CHECK(glGetError() == GL_NO_ERROR);
}

// Worst distance on the screen, in pixels, over the vertices in the picture and at least 0.5 m away.
static double worst_px(const struct camera *camera, struct node node, const double *heights_m, const float *clip,
                       int *seen)
{
    struct camera_frame view = camera_frame_of(camera);
    double worst = 0;
    for (int k = 0; k < (INTERVALS + 1) * (INTERVALS + 1); k++) {
        struct double3 dir = tile_sample_dir(node, INTERVALS, k % (INTERVALS + 1), k / (INTERVALS + 1));
        struct double3 rel = double3_sub(double3_scale(dir, RADIUS_M + heights_m[k]), view.eye_m);
        double w = double3_dot(rel, view.forward);
        if (w < 0.5)
            continue;
        double x = double3_dot(rel, view.right) / (w * view.tan_half_width);
        double y = double3_dot(rel, view.up) / (w * view.tan_half_height);
        if (fabs(x) > 1 || fabs(y) > 1)
            continue;
        double cx = (double)clip[4 * k] / (double)clip[4 * k + 3],
               cy = (double)clip[4 * k + 1] / (double)clip[4 * k + 3];
        worst = fmax(worst, hypot((cx - x) * WIDTH / 2, (cy - y) * HEIGHT / 2));
        ++*seen;
    }
    return worst;
}

// The eye stands 1.7 m above one of the tile's own vertices, so that the nearest ones are as near as can be.
static double worst_at_level(struct catcher *catcher, int level, int cameras, int *seen)
{
    int count = tile_vertex_count(INTERVALS);
    struct tile_vertex *vertices = malloc((size_t)count * sizeof *vertices);
    float *clip = malloc((size_t)count * 16);
    static double heights_m[(INTERVALS + 1) * (INTERVALS + 1)];
    double worst = 0, spacing_m = tile_spacing_m(RADIUS_M, INTERVALS, level);
    for (int k = 0; k < cameras; k++) {
        uint32_t side = UINT32_C(1) << level;
        struct node node = {(int)check_random_below(6), level, (uint32_t)check_random_below(side),
                            (uint32_t)check_random_below(side)};
        for (int i = 0; i < (INTERVALS + 1) * (INTERVALS + 1); i++)
            heights_m[i] = 8000 * check_random_unit() * fmin(1, spacing_m / 8000);
        tile_vertices(vertices, node, INTERVALS, RADIUS_M, heights_m);
        int column = 8 + (int)check_random_below(48), row = 8 + (int)check_random_below(48);
        struct double3 dir = tile_sample_dir(node, INTERVALS, column, row);
        struct camera camera = {.fov_deg = 60, .width_px = WIDTH, .height_px = HEIGHT};
        geographic_of(dir, &camera.latitude_deg, &camera.longitude_deg);
        camera.radius_m = RADIUS_M + heights_m[row * (INTERVALS + 1) + column] + 1.7;
        camera.heading_deg = 360 * check_random_unit();
        camera.pitch_deg = -60 + 60 * check_random_unit();
        catch_tile(catcher, node, vertices, &camera, clip, count);
        worst = fmax(worst, worst_px(&camera, node, heights_m, clip, seen));
    }
    free(vertices);
    free(clip);
    return worst;
}

static void no_vertex_is_more_than_a_twentieth_of_a_pixel_off_whatever_the_width_of_its_tile(void)
{
    struct catcher catcher;
    catcher_new(&catcher, (size_t)tile_vertex_count(INTERVALS));
    for (int level = 0; level <= 20; level++) {
        int seen = 0;
        double worst = worst_at_level(&catcher, level, 40, &seen);
        CHECK_TEXT(worst <= 0.05 && seen > 100, "level %d (tiles of %.0f m): %.4f px over %d vertices", level,
                   tile_spacing_m(RADIUS_M, 1, level), worst, seen);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    scene_open_context();
    CHECK_RUN(no_vertex_is_more_than_a_twentieth_of_a_pixel_off_whatever_the_width_of_its_tile);
    gl_headless_close();
    return CHECK_END;
}

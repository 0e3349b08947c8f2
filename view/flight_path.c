// SPDX-License-Identifier: MIT
#include "view/flight_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cube_sphere.h"
#include "common/text_number.h"

#define POINTS_MAX 1000000
#define FILE_BYTES_MAX (256u << 20)

static enum status_code parse_line(struct flight_point *point, const char *line, size_t length, const char *file,
                                   size_t number, struct status *status)
{
    double v[6];
    size_t at = 0;
    for (int k = 0; k < 6; k++) {
        while (at < length && (line[at] == ' ' || line[at] == '\t'))
            at++;
        size_t used = parse_real_prefix(line + at, length - at, &v[k]);
        at += used;
        bool ends = at == length || line[at] == ' ' || line[at] == '\t';
        if (used == 0 || !ends)
            return status_fail(status, STATUS_INPUT, "%s:%zu: expected \"time lat lon alt heading pitch\"", file,
                               number);
    }
    while (at < length && (line[at] == ' ' || line[at] == '\t'))
        at++;
    if (at < length || fabs(v[1]) > 90 || fabs(v[2]) > 360 || fabs(v[3]) > 1e12 || fabs(v[4]) > 1e6 || fabs(v[5]) > 90)
        return status_fail(status, STATUS_INPUT,
                           "%s:%zu: expected six numbers: time, latitude -90 to 90, longitude -360 to 360, altitude, "
                           "heading, pitch -90 to 90",
                           file, number);
    *point = (struct flight_point){v[0], v[1], v[2], v[3], v[4], v[5]};
    return STATUS_OK;
}

enum status_code flight_path_parse(struct flight_path *path, const char *text, size_t length, const char *file,
                                   struct status *status)
{
    *path = (struct flight_path){0};
    size_t capacity = 0, number = 0;
    enum status_code code = STATUS_OK;
    for (size_t at = 0; !code && at < length; number++) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t line_length = end ? (size_t)(end - text) - at : length - at;
        const char *line = text + at;
        at += line_length + 1;
        if (line_length > 0 && line[line_length - 1] == '\r')
            line_length--;
        size_t blank = 0;
        while (blank < line_length && (line[blank] == ' ' || line[blank] == '\t'))
            blank++;
        if (blank == line_length || line[blank] == '#')
            continue;
        if (path->count == capacity) {
            capacity = capacity ? capacity * 2 : 256;
            struct flight_point *grown =
                capacity <= 2 * POINTS_MAX ? realloc(path->points, capacity * sizeof *grown) : NULL;
            if (!grown) {
                code = status_fail(status, STATUS_INPUT, "%s:%zu: more than %d points", file, number + 1, POINTS_MAX);
                break;
            }
            path->points = grown;
        }
        struct flight_point *point = &path->points[path->count];
        code = parse_line(point, line, line_length, file, number + 1, status);
        if (!code && path->count > 0 && point->time_s <= point[-1].time_s)
            code = status_fail(status, STATUS_INPUT, "%s:%zu: times must grow", file, number + 1);
        path->count += !code;
    }
    if (!code && path->count == 0)
        code = status_fail(status, STATUS_INPUT, "%s: no points", file);
    if (code)
        flight_path_free(path);
    return code;
}

enum status_code flight_path_read(struct flight_path *path, const char *file, struct status *status)
{
    FILE *in = fopen(file, "rb");
    char *text = NULL;
    size_t length = 0, capacity = 0;
    bool good = in != NULL;
    while (good) {
        if (length == capacity) {
            capacity = capacity ? capacity * 2 : 65536;
            char *grown = capacity <= FILE_BYTES_MAX ? realloc(text, capacity) : NULL;
            good = grown != NULL;
            text = grown ? grown : text;
        }
        size_t got = good ? fread(text + length, 1, capacity - length, in) : 0;
        length += got;
        if (got == 0)
            break;
    }
    good = good && !ferror(in);
    if (in)
        fclose(in);
    enum status_code code = good ? flight_path_parse(path, text, length, file, status)
                                 : status_fail(status, STATUS_INPUT, "%s: cannot be read", file);
    free(text);
    return code;
}

void flight_path_free(struct flight_path *path)
{
    free(path->points);
    *path = (struct flight_path){0};
}

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

void flight_path_at(const struct flight_path *path, double time_s, double planet_radius_m, struct camera *camera)
{
    size_t low = 0, high = path->count - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (path->points[middle].time_s <= time_s)
            low = middle;
        else
            high = middle;
    }
    const struct flight_point *a = &path->points[low], *b = &path->points[high];
    double t = low == high ? 0 : (time_s - a->time_s) / (b->time_s - a->time_s);
    t = fmin(fmax(t, 0), 1);
    struct double3 from = geographic_dir(a->latitude_deg, a->longitude_deg);
    struct double3 to = geographic_dir(b->latitude_deg, b->longitude_deg);
    struct double3 dir = double3_add(from, double3_scale(double3_sub(to, from), t));
    double turn_deg = b->heading_deg - a->heading_deg;
    turn_deg -= 360 * floor((turn_deg + 180) / 360);
    camera->latitude_deg = a->latitude_deg;
    camera->longitude_deg = a->longitude_deg;
    if (t > 0 && double3_length(dir) > 1e-6)
        geographic_of(dir, &camera->latitude_deg, &camera->longitude_deg);
    // Heights above the datum go by ratio where both are far up, so that a descent is even to the eye.
    double low_m = a->altitude_m, high_m = b->altitude_m;
    bool by_ratio = low_m > 1 && high_m > 1;
    camera->radius_m = planet_radius_m + (by_ratio ? low_m * pow(high_m / low_m, t) : mix(low_m, high_m, t));
    camera->heading_deg = a->heading_deg + turn_deg * t;
    camera->pitch_deg = mix(a->pitch_deg, b->pitch_deg, t);
    camera_normalise(camera);
}

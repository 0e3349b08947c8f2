// SPDX-License-Identifier: MIT
#include "bake/plot.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "common/stable_math.h"

#define INK 0x2A3340
#define INK_SOFT 0x5A6675
#define GRID 0xDFE3E9
#define GRID_FINE 0xEFF1F4
#define SHADE 0xF1F2F5
#define NUMBER_PX 12.0
#define LABEL_PX 13.0
#define TITLE_PX 16.0
#define TICKS_WANTED 8.0

// Where a value lies along its axis, 0 to 1 within it.
static double fraction(const struct plot_axis *axis, double value)
{
    if (axis->log)
        return stable_log(value / axis->low) / stable_log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}

static double x_of(const struct plot *plot, double value)
{
    return plot->box.left + fraction(&plot->x, value) * (plot->box.right - plot->box.left);
}

static double y_of(const struct plot *plot, double value)
{
    return plot->box.bottom - fraction(&plot->y, value) * (plot->box.bottom - plot->box.top);
}

// The least of 1, 2 and 5 times a power of ten with at most TICKS_WANTED steps over the axis.
static double linear_step(const struct plot_axis *axis)
{
    static const double parts[3] = {1, 2, 5};
    for (double ten = 1e-12;; ten *= 10) {
        for (int k = 0; k < 3; k++) {
            if ((axis->high - axis->low) / (parts[k] * ten) <= TICKS_WANTED)
                return parts[k] * ten;
        }
    }
}

static bool within(const struct plot_axis *axis, double value)
{
    double f = fraction(axis, value);
    return f > -1e-9 && f < 1 + 1e-9;
}

// One tick's line across the data, its stub and its number; the number is mantissa alone, or 10 to the exponent.
static void put_line(const struct plot *plot, bool is_x, double value, uint32_t color)
{
    const struct canvas_box *box = &plot->box;
    if (is_x) {
        double x = floor(x_of(plot, value)) + 0.5;
        canvas_fill(plot->canvas, x - 0.5, box->top, x + 0.5, box->bottom, color, 1);
    } else {
        double y = floor(y_of(plot, value)) + 0.5;
        canvas_fill(plot->canvas, box->left, y - 0.5, box->right, y + 0.5, color, 1);
    }
}

static void put_number(const struct plot *plot, bool is_x, double value, const char *text, const char *raised)
{
    double small_px = NUMBER_PX * 0.75;
    double main_width = canvas_text_width(NUMBER_PX, text), raised_width = canvas_text_width(small_px, raised);
    double width = main_width + (raised_width > 0 ? raised_width + 2 : 0), x, y;
    if (is_x) {
        x = x_of(plot, value) - width / 2;
        y = plot->box.bottom + 8 + NUMBER_PX;
    } else {
        x = plot->box.left - 8 - width;
        y = y_of(plot, value) + NUMBER_PX / 2 - 1;
    }
    canvas_text(plot->canvas, x, y, CANVAS_LEFT, NUMBER_PX, INK_SOFT, text);
    canvas_text(plot->canvas, x + width, y - NUMBER_PX * 0.55, CANVAS_RIGHT, small_px, INK_SOFT, raised);
}

static void linear_ticks(const struct plot *plot, bool is_x)
{
    const struct plot_axis *axis = is_x ? &plot->x : &plot->y;
    double step = linear_step(axis), first = ceil(axis->low / step - 1e-9), last = floor(axis->high / step + 1e-9);
    // Counted in whole numbers, as k + 1 may be k where the axis is short and far from 0.
    int count = (int)(last - first) + 1;
    for (int i = 0; i < count; i++) {
        char text[32];
        double k = first + i;
        // %g also rounds away what multiplying leaves behind the last digit; + 0 keeps -0 out.
        snprintf(text, sizeof text, "%.6g", k * step + 0.0);
        put_line(plot, is_x, k * step, GRID);
        put_number(plot, is_x, k * step, text, "");
    }
}

static void decade_number(const struct plot *plot, bool is_x, double value, int exponent, int decades)
{
    char text[32], raised[16] = "";
    // Over many decades only every second or third has a number.
    if (decades > 8 && exponent % (decades > 14 ? 3 : 2) != 0)
        return;
    if (exponent >= -3 && exponent <= 3) {
        snprintf(text, sizeof text, "%g", value);
    } else {
        snprintf(text, sizeof text, "10");
        snprintf(raised, sizeof raised, "%d", exponent);
    }
    put_number(plot, is_x, value, text, raised);
}

static double power_of_ten(int exponent)
{
    double result = 1;
    for (int k = 0; k < exponent; k++)
        result *= 10;
    for (int k = 0; k > exponent; k--)
        result /= 10;
    return result;
}

static void log_ticks(const struct plot *plot, bool is_x)
{
    const struct plot_axis *axis = is_x ? &plot->x : &plot->y;
    const double ten = stable_log(10);
    int first = (int)floor(stable_log(axis->low) / ten - 1e-9), last = (int)ceil(stable_log(axis->high) / ten + 1e-9);
    int decades = last - first;
    for (int pass = 0; pass < 2; pass++) { // fine lines first
        for (int exponent = first; exponent <= last; exponent++) {
            double decade = power_of_ten(exponent);
            for (int part = 2; part <= 9 && pass == 0 && decades <= 8; part++) {
                if (within(axis, part * decade))
                    put_line(plot, is_x, part * decade, GRID_FINE);
            }
            if (pass == 0 || !within(axis, decade))
                continue;
            put_line(plot, is_x, decade, GRID);
            decade_number(plot, is_x, decade, exponent, decades);
        }
    }
}

static void put_border(const struct plot *plot)
{
    const struct canvas_box *box = &plot->box;
    struct canvas_point corners[] = {
        {box->left - 0.5, box->top - 0.5},    {box->right + 0.5, box->top - 0.5}, {box->right + 0.5, box->bottom + 0.5},
        {box->left - 0.5, box->bottom + 0.5}, {box->left - 0.5, box->top - 0.5},
    };
    canvas_line(plot->canvas, corners, 5, 1, 0x9AA3AF);
}

void plot_frame(const struct plot *plot)
{
    const struct canvas_box *box = &plot->box;
    for (int is_x = 0; is_x < 2; is_x++) {
        const struct plot_axis *axis = is_x ? &plot->x : &plot->y;
        assert(axis->low < axis->high && (!axis->log || axis->low > 0));
        if (axis->log)
            log_ticks(plot, is_x);
        else
            linear_ticks(plot, is_x);
    }
    put_border(plot);
    double middle_x = (box->left + box->right) * 0.5, middle_y = (box->top + box->bottom) * 0.5;
    canvas_text(plot->canvas, middle_x, box->bottom + 28 + NUMBER_PX + LABEL_PX, CANVAS_MIDDLE, LABEL_PX, INK,
                plot->x.label);
    canvas_text_up(plot->canvas, box->left - 62, middle_y, CANVAS_MIDDLE, LABEL_PX, INK, plot->y.label);
    canvas_text(plot->canvas, box->left, box->top - 14, CANVAS_LEFT, TITLE_PX, INK, plot->title);
}

// Far outside is as good as infinitely far, and keeps the numbers small.
static double within_reach(double value)
{
    return value > -10 ? value < 11 ? value : 11 : -10;
}

void plot_curve(const struct plot *plot, const struct plot_curve *curve)
{
    assert(curve->count <= PLOT_CURVE_MAX);
    const struct canvas_box *box = &plot->box;
    struct canvas_point points[PLOT_CURVE_MAX];
    int count = 0;
    for (int k = 0; k < curve->count; k++) {
        struct canvas_point p = curve->points[k];
        if ((plot->x.log && !(p.x > 1e-300)) || (plot->y.log && !(p.y > 1e-300)))
            continue;
        double across = within_reach(fraction(&plot->x, p.x)), up = within_reach(fraction(&plot->y, p.y));
        points[count].x = box->left + across * (box->right - box->left);
        points[count].y = box->bottom - up * (box->bottom - box->top);
        count++;
    }
    canvas_clip(plot->canvas, *box);
    canvas_line(plot->canvas, points, count, curve->width_px, curve->color);
    canvas_clip_none(plot->canvas);
}

void plot_bar(const struct plot *plot, double x_low, double x_high, double y, uint32_t color)
{
    canvas_clip(plot->canvas, plot->box);
    // To whole pixels, or seams would show between bars.
    double left = floor(x_of(plot, x_low) + 0.5), right = floor(x_of(plot, x_high) + 0.5);
    canvas_fill(plot->canvas, left, y_of(plot, y), right, plot->box.bottom, color, 1);
    canvas_clip_none(plot->canvas);
}

void plot_shade(const struct plot *plot, double x_low)
{
    canvas_clip(plot->canvas, plot->box);
    canvas_fill(plot->canvas, x_of(plot, x_low), plot->box.top, plot->box.right, plot->box.bottom, SHADE, 1);
    canvas_clip_none(plot->canvas);
}

void plot_legend(const struct plot *plot, enum plot_corner corner, const struct plot_legend_entry *entries, int count)
{
    const double line_px = 24, sample_px = 30, margin_px = 14;
    double text_width = 0;
    for (int k = 0; k < count; k++) {
        double width = canvas_text_width(NUMBER_PX, entries[k].text);
        text_width = width > text_width ? width : text_width;
    }
    double width = ceil(sample_px + 10 + text_width + 2 * margin_px), height = line_px * count + 10;
    double left = corner == PLOT_UPPER_LEFT ? plot->box.left + 12 : plot->box.right - 12 - width;
    double top = corner == PLOT_LOWER_RIGHT ? plot->box.bottom - 12 - height : plot->box.top + 12;
    canvas_fill(plot->canvas, left, top, left + width, top + height, GRID, 1);
    canvas_fill(plot->canvas, left + 1, top + 1, left + width - 1, top + height - 1, 0xFFFFFF, 1);
    for (int k = 0; k < count; k++) {
        double y = top + 5 + line_px * (k + 0.5);
        struct canvas_point sample[2] = {{left + margin_px, y}, {left + margin_px + sample_px, y}};
        canvas_line(plot->canvas, sample, 2, entries[k].width_px, entries[k].color);
        canvas_text(plot->canvas, left + margin_px + sample_px + 10, y + NUMBER_PX / 2, CANVAS_LEFT, NUMBER_PX, INK,
                    entries[k].text);
    }
}

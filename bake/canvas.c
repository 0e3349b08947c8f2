// SPDX-License-Identifier: MIT
// A line's coverage of a pixel is taken from the distance of the pixel's centre to the line. Coverages are gathered as
// a maximum in a plane of their own, and only then laid over the picture, once for each pixel.
#include "bake/canvas.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bake/bitmap_font.h"

struct canvas {
    int width, height;
    struct canvas_box clip;
    struct canvas_box touched; // of the coverage plane, which is 0 elsewhere
    uint8_t *pixels;
    float *coverage;
};

enum status_code canvas_new(struct canvas **canvas, int width, int height, uint32_t color, struct status *status)
{
    assert(width >= 1 && height >= 1 && width <= 16384 && height <= 16384);
    size_t count = (size_t)width * (size_t)height;
    struct canvas *made = calloc(1, sizeof *made);
    if (made) {
        made->pixels = calloc(count, 3); // the first fill blends with what is there
        made->coverage = calloc(count, sizeof *made->coverage);
    }
    if (!made || !made->pixels || !made->coverage) {
        canvas_free(made);
        return status_fail_memory(status, "picture", count * (3 + sizeof(float)));
    }
    made->width = width;
    made->height = height;
    made->touched = (struct canvas_box){width, height, 0, 0};
    canvas_clip_none(made);
    canvas_fill(made, 0, 0, width, height, color, 1);
    *canvas = made;
    return STATUS_OK;
}

void canvas_free(struct canvas *canvas)
{
    if (!canvas)
        return;
    free(canvas->pixels);
    free(canvas->coverage);
    free(canvas);
}

const uint8_t *canvas_pixels(const struct canvas *canvas)
{
    return canvas->pixels;
}

void canvas_clip(struct canvas *canvas, struct canvas_box box)
{
    canvas->clip.left = box.left > 0 ? box.left : 0;
    canvas->clip.top = box.top > 0 ? box.top : 0;
    canvas->clip.right = box.right < canvas->width ? box.right : canvas->width;
    canvas->clip.bottom = box.bottom < canvas->height ? box.bottom : canvas->height;
}

void canvas_clip_none(struct canvas *canvas)
{
    canvas->clip = (struct canvas_box){0, 0, canvas->width, canvas->height};
}

// The pixels from low to high, which may be any numbers, within least and end.
static int first_pixel(double low, int least, int end)
{
    return low <= least ? least : low >= end ? end : (int)floor(low);
}

static int end_pixel(double high, int least, int end)
{
    return high >= end ? end : high <= least ? least : (int)ceil(high);
}

static void blend(uint8_t *pixel, uint32_t color, double share)
{
    for (int k = 0; k < 3; k++) {
        double wanted = color >> (16 - 8 * k) & 255;
        pixel[k] = (uint8_t)(pixel[k] + (wanted - pixel[k]) * share + 0.5);
    }
}

// The part of pixel number k that lies between low and high.
static double overlap(int k, double low, double high)
{
    double from = low > k ? low : k, to = high < k + 1 ? high : k + 1;
    return to > from ? to - from : 0;
}

void canvas_fill(struct canvas *canvas, double left, double top, double right, double bottom, uint32_t color,
                 double opacity)
{
    const struct canvas_box *clip = &canvas->clip;
    int y_end = end_pixel(bottom, clip->top, clip->bottom), x_end = end_pixel(right, clip->left, clip->right);
    for (int y = first_pixel(top, clip->top, clip->bottom); y < y_end; y++) {
        double rows = overlap(y, top, bottom);
        for (int x = first_pixel(left, clip->left, clip->right); x < x_end; x++) {
            uint8_t *pixel = canvas->pixels + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
            blend(pixel, color, opacity * rows * overlap(x, left, right));
        }
    }
}

static double distance(struct canvas_point p, struct canvas_point a, struct canvas_point b)
{
    double x = b.x - a.x, y = b.y - a.y, length2 = x * x + y * y;
    double along = length2 > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / length2 : 0;
    along = along > 0 ? along < 1 ? along : 1 : 0;
    double off_x = p.x - a.x - along * x, off_y = p.y - a.y - along * y;
    return sqrt(off_x * off_x + off_y * off_y);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void cover_segment(struct canvas *canvas, struct canvas_point a, struct canvas_point b, double width_px)
{
    const struct canvas_box *clip = &canvas->clip;
    double reach = width_px / 2 + 0.5;
    int top = first_pixel(smaller(a.y, b.y) - reach, clip->top, clip->bottom);
    int bottom = end_pixel(larger(a.y, b.y) + reach, clip->top, clip->bottom);
    int left = first_pixel(smaller(a.x, b.x) - reach, clip->left, clip->right);
    int right = end_pixel(larger(a.x, b.x) + reach, clip->left, clip->right);
    if (top >= bottom || left >= right)
        return;
    for (int y = top; y < bottom; y++) {
        float *row = canvas->coverage + (size_t)y * (size_t)canvas->width;
        for (int x = left; x < right; x++) {
            double covered = reach - distance((struct canvas_point){x + 0.5, y + 0.5}, a, b);
            float most = (float)smaller(smaller(covered, width_px), 1);
            row[x] = most > row[x] ? most : row[x];
        }
    }
    struct canvas_box *touched = &canvas->touched;
    touched->left = left < touched->left ? left : touched->left;
    touched->top = top < touched->top ? top : touched->top;
    touched->right = right > touched->right ? right : touched->right;
    touched->bottom = bottom > touched->bottom ? bottom : touched->bottom;
}

// Lays what is covered over the picture, and clears the plane.
static void lay_over(struct canvas *canvas, uint32_t color)
{
    for (int y = canvas->touched.top; y < canvas->touched.bottom; y++) {
        for (int x = canvas->touched.left; x < canvas->touched.right; x++) {
            size_t at = (size_t)y * (size_t)canvas->width + (size_t)x;
            if (canvas->coverage[at] > 0)
                blend(canvas->pixels + 3 * at, color, (double)canvas->coverage[at]);
            canvas->coverage[at] = 0;
        }
    }
    canvas->touched = (struct canvas_box){canvas->width, canvas->height, 0, 0};
}

void canvas_line(struct canvas *canvas, const struct canvas_point *points, int count, double width_px, uint32_t color)
{
    for (int k = 0; k < count; k++)
        cover_segment(canvas, points[k > 0 ? k - 1 : 0], points[k], width_px);
    lay_over(canvas, color);
}

// Where text runs: the base line's start, and the size of a cell of the font in pixels.
struct text_run {
    struct canvas *canvas;
    double x, y, cell_px;
    bool up;
};

static struct canvas_point cell_point(const struct text_run *run, double column, double row)
{
    double along = (column + 0.5) * run->cell_px, over = (row - FONT_BASE_ROW) * run->cell_px;
    if (run->up)
        return (struct canvas_point){run->x + over, run->y - along};
    return (struct canvas_point){run->x + along, run->y + over};
}

static bool is_lit(const uint8_t *glyph, int column, int row)
{
    return column >= 0 && column < FONT_COLUMNS && row >= 0 && row < FONT_ROWS &&
           (glyph[row] >> (FONT_COLUMNS - 1 - column) & 1);
}

// The glyph as pen strokes between the centres of lit cells that touch: to the right, downward, and across corners
// where no lit cell already joins the two.
static void cover_glyph(const struct text_run *run, const uint8_t *glyph, int first_column)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    double pen_px = larger(0.85 * run->cell_px, 1);
    for (int row = 0; row < FONT_ROWS; row++) {
        for (int column = 0; column < FONT_COLUMNS; column++) {
            if (!is_lit(glyph, column, row))
                continue;
            struct canvas_point here = cell_point(run, first_column + column, row);
            cover_segment(run->canvas, here, here, pen_px);
            for (int k = 0; k < 4; k++) {
                int x = column + steps[k][0], y = row + steps[k][1];
                bool joined = k >= 2 && (is_lit(glyph, x, row) || is_lit(glyph, column, y));
                if (is_lit(glyph, x, y) && !joined)
                    cover_segment(run->canvas, here, cell_point(run, first_column + x, y), pen_px);
            }
        }
    }
}

// Characters of UTF-8: bytes that do not continue one.
static int count_characters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static double cell_of(double size_px)
{
    return size_px / (FONT_BASE_ROW + 1);
}

double canvas_text_width(double size_px, const char *text)
{
    int count = count_characters(text);
    return count > 0 ? cell_of(size_px) * (count * FONT_ADVANCE - (FONT_ADVANCE - FONT_COLUMNS)) : 0;
}

static void write_text(struct text_run run, enum canvas_anchor anchor, double size_px, uint32_t color, const char *text)
{
    double width = canvas_text_width(size_px, text);
    double back = anchor == CANVAS_LEFT ? 0 : anchor == CANVAS_MIDDLE ? width / 2 : width;
    run.cell_px = cell_of(size_px);
    if (run.up)
        run.y += back;
    else
        run.x -= back;
    int column = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if ((*p & 0xC0) == 0x80)
            continue;
        cover_glyph(&run, font_glyph(*p), column);
        column += FONT_ADVANCE;
    }
    lay_over(run.canvas, color);
}

void canvas_text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor, double size_px, uint32_t color,
                 const char *text)
{
    write_text((struct text_run){.canvas = canvas, .x = x, .y = y}, anchor, size_px, color, text);
}

void canvas_text_up(struct canvas *canvas, double x, double y, enum canvas_anchor anchor, double size_px,
                    uint32_t color, const char *text)
{
    write_text((struct text_run){.canvas = canvas, .x = x, .y = y, .up = true}, anchor, size_px, color, text);
}

// SPDX-License-Identifier: MIT
// What plots are drawn with: rectangles, lines, text, axes.
#include "bake/canvas.h"
#include "bake/plot.h"
#include "tests/check.h"

#define WIDTH 200
#define HEIGHT 120
#define WHITE 0xFFFFFF
#define RED 0xC00000

static struct canvas *canvas;

static void fresh(void)
{
    struct status status;
    canvas_free(canvas);
    canvas = NULL;
    CHECK(canvas_new(&canvas, WIDTH, HEIGHT, WHITE, &status) == STATUS_OK);
}

static uint32_t pixel(int x, int y)
{
    const uint8_t *p = canvas_pixels(canvas) + 3 * (y * WIDTH + x);
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

// Pixels in the box that are not white.
static int count_drawn(struct canvas_box box)
{
    int count = 0;
    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++)
            count += pixel(x, y) != WHITE;
    }
    return count;
}

static const struct canvas_box everything = {0, 0, WIDTH, HEIGHT};

static void rectangles_cover_whole_pixels_and_parts(void)
{
    fresh();
    canvas_fill(canvas, 10, 20, 12.5, 22, 0, 1);
    CHECK(pixel(10, 20) == 0 && pixel(11, 21) == 0 && pixel(12, 20) == 0x808080);
    CHECK(count_drawn(everything) == 6);
    canvas_fill(canvas, -1e9, 100, 1e9, 1e9, RED, 1);
    CHECK(pixel(0, 100) == RED && pixel(WIDTH - 1, HEIGHT - 1) == RED && pixel(0, 99) == WHITE);
    canvas_fill(canvas, 0, 0, 1, 1, 0, 0.25);
    CHECK(pixel(0, 0) == 0xBFBFBF);
}

static void lines_are_as_wide_as_asked(void)
{
    fresh();
    struct canvas_point level[2] = {{20, 50.5}, {180, 50.5}};
    canvas_line(canvas, level, 2, 3, RED);
    for (int x = 22; x < 178; x++) {
        CHECK(pixel(x, 49) == RED && pixel(x, 50) == RED && pixel(x, 51) == RED);
        CHECK(pixel(x, 48) == WHITE && pixel(x, 52) == WHITE);
    }
    // At any slant the ink is the width times the length.
    for (int k = 0; k < 50; k++) {
        fresh();
        struct canvas_point slanted[2] = {{60, 60}, {60 + 80 * check_random_unit(), 60 + 40 * check_random_unit()}};
        double x = slanted[1].x - 60, y = slanted[1].y - 60, ink = 0, length2 = x * x + y * y;
        canvas_line(canvas, slanted, 2, 2, 0);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            ink += 1 - canvas_pixels(canvas)[3 * i] / 255.0;
        double expected = ink - 3.5; // the round ends
        CHECK_TEXT(expected * expected > 4 * length2 * 0.8 && expected * expected < 4 * length2 * 1.2 + 30, "%g, %g",
                   ink, length2);
    }
}

static void lines_do_not_darken_where_they_meet_themselves(void)
{
    fresh();
    struct canvas_point twice[3] = {{20, 50}, {100, 53}, {20, 50}};
    canvas_line(canvas, twice, 3, 1.5, RED);
    uint32_t once[WIDTH];
    for (int x = 0; x < WIDTH; x++)
        once[x] = pixel(x, 51);
    fresh();
    canvas_line(canvas, twice, 2, 1.5, RED);
    for (int x = 0; x < WIDTH; x++)
        CHECK(pixel(x, 51) == once[x]);
}

static void nothing_is_drawn_outside_the_clip_or_the_picture(void)
{
    fresh();
    canvas_clip(canvas, (struct canvas_box){50, 30, 70, 40});
    struct canvas_point across[4] = {{-1e12, 35}, {1e12, 35}, {60, -1e12}, {60, 1e12}};
    canvas_line(canvas, across, 4, 5, RED);
    canvas_fill(canvas, 0, 0, WIDTH, 32, RED, 1);
    canvas_text(canvas, 0, 38, CANVAS_LEFT, 30, 0, "WWWWWWWW");
    int inside = count_drawn((struct canvas_box){50, 30, 70, 40});
    CHECK(inside > 100 && count_drawn(everything) == inside);
    canvas_clip(canvas, (struct canvas_box){-50, -50, 5000, 5000});
    canvas_line(canvas, across, 4, 5, 0);
    CHECK(pixel(0, 35) == 0 && pixel(60, 119) == 0);
    canvas_clip(canvas, (struct canvas_box){300, 300, 400, 400});
    canvas_fill(canvas, 0, 0, WIDTH, HEIGHT, RED, 1);
    CHECK(pixel(5, 5) != RED);
    canvas_clip_none(canvas);
}

static void text_stays_in_its_box_and_follows_its_anchor(void)
{
    const char *text = "Ag 19.5 %";
    double width = canvas_text_width(14, text);
    for (int anchor = CANVAS_LEFT; anchor <= CANVAS_RIGHT; anchor++) {
        fresh();
        canvas_text(canvas, 100, 60, (enum canvas_anchor)anchor, 14, 0, text);
        double left = 100 - (anchor == CANVAS_LEFT ? 0 : anchor == CANVAS_MIDDLE ? width / 2 : width);
        struct canvas_box box = {(int)left - 1, 60 - 15, (int)(left + width) + 2, 60 + 6};
        CHECK(count_drawn(box) > 200 && count_drawn(everything) == count_drawn(box));
    }
    fresh();
    canvas_text_up(canvas, 100, 100, CANVAS_LEFT, 12, 0, "ml");
    CHECK(count_drawn((struct canvas_box){86, 70, 104, 102}) == count_drawn(everything) &&
          count_drawn(everything) > 20);
    CHECK(canvas_text_width(14, "") == 0);
}

static void glyphs_differ_and_others_are_boxes(void)
{
    uint64_t hashes[256];
    for (int c = 1; c < 256; c++) {
        fresh();
        char text[4] = {(char)c, 0};
        if (c >= 0xC0) { // the first byte of a character of two
            text[0] = (char)0xC3;
            text[1] = (char)(0x80 + (c & 0x3F));
        }
        canvas_text(canvas, 10, 50, CANVAS_LEFT, 14, 0, text);
        hashes[c] = CHECK_HASH_START;
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            hashes[c] = check_hash(hashes[c], canvas_pixels(canvas)[3 * i]);
    }
    for (int a = 33; a < 127; a++) {
        for (int b = 32; b < a; b++)
            CHECK_TEXT(hashes[a] != hashes[b] || (a == 'O' && b == '0'), "%c and %c", a, b);
    }
    CHECK(hashes[1] == hashes[127] && hashes[0xC3] == hashes[127] && hashes[127] != hashes['0']);
    CHECK(canvas_text_width(14, "\xC3\xBC") == canvas_text_width(14, "u"));
}

static void curves_go_through_their_points(void)
{
    fresh();
    struct plot plot = {
        .canvas = canvas,
        .box = {80, 20, 180, 70},
        .title = "",
        .x = {1, 1000, true, ""},
        .y = {-10, 10, false, ""},
    };
    struct canvas_point points[3] = {{0, 0}, {10, 5}, {100, -5}}; // the first has no place on a logarithmic axis
    struct plot_curve curve = {points, 3, 2, RED};
    plot_curve(&plot, &curve);
    CHECK(pixel(80 + 33, 70 - 38) == RED && pixel(80 + 66, 70 - 13) == RED);
    CHECK(count_drawn((struct canvas_box){0, 0, 110, HEIGHT}) == 0);
    plot_frame(&plot);
    CHECK(count_drawn((struct canvas_box){81, 75, 200, 95}) > 20); // numbers below
    CHECK(count_drawn((struct canvas_box){50, 15, 75, 75}) > 20);  // and to the left
}

// Whatever the axes, ticks end and stay in the picture.
static void any_axes_can_be_drawn(void)
{
    for (int k = 0; k < 200; k++) {
        fresh();
        double low = (check_random_unit() - 0.5) * 2e6, wide = check_random_below(2) ? 1e-8 : 1e7;
        struct plot plot = {
            .canvas = canvas,
            .box = {80, 20, 180, 70},
            .title = "t",
            .x = {low, low + wide * (check_random_unit() + 0.1), false, "x"},
            .y = {1e-6 * (check_random_unit() + 1e-6), 1e-5 + 1e3 * check_random_unit(), true, "y"},
        };
        plot_frame(&plot);
        CHECK(count_drawn(everything) > 100);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(rectangles_cover_whole_pixels_and_parts);
    CHECK_RUN(lines_are_as_wide_as_asked);
    CHECK_RUN(lines_do_not_darken_where_they_meet_themselves);
    CHECK_RUN(nothing_is_drawn_outside_the_clip_or_the_picture);
    CHECK_RUN(text_stays_in_its_box_and_follows_its_anchor);
    CHECK_RUN(glyphs_differ_and_others_are_boxes);
    CHECK_RUN(curves_go_through_their_points);
    CHECK_RUN(any_axes_can_be_drawn);
    canvas_free(canvas);
    return CHECK_END;
}

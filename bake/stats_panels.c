// SPDX-License-Identifier: MIT
#include "bake/stats_panels.h"

#include <stdio.h>

#include "bake/planet_reference.h"
#include "bake/plot.h"

#define OWN 0xC2185B
#define OWN_LIGHT 0xF0BFD2
#define SEA 0x7FA8C9
#define OWN_PX 3.2
#define REFERENCE_PX 2.0

static const uint32_t reference_colors[PLANET_REFERENCES] = {0x1F77B4, 0xD9822B, 0x7F8791};

void stats_drawing_prepare(struct stats_drawing *d)
{
    const struct terrain_stats *stats = d->stats;
    double range = stats->max_m - stats->min_m;
    d->beside = range >= 3000 && range <= 100000;
    d->low_m = stats->min_m;
    d->high_m = stats->max_m;
    for (int k = 0; k < PLANET_REFERENCES && d->beside; k++) {
        const double *percentiles = planet_references[k].percentiles_m;
        double low = percentiles[0], high = percentiles[STATS_PERCENTILES - 1];
        d->low_m = low < d->low_m ? low : d->low_m;
        d->high_m = high > d->high_m ? high : d->high_m;
    }
    if (!(d->high_m > d->low_m)) { // a smooth ball
        d->low_m -= 1;
        d->high_m += 1;
    }
    double margin = 0.04 * (d->high_m - d->low_m);
    d->low_m -= margin;
    d->high_m += margin;
    bool km = d->high_m - d->low_m >= 5000;
    d->unit_m = km ? 1000 : 1;
    d->height_label = km ? "height, km" : "height, m";
}

static void draw_reference(const struct plot *plot, int number, struct reference_curve curve, double x_unit,
                           double y_unit)
{
    struct canvas_point points[PLOT_CURVE_MAX];
    for (int k = 0; k < curve.count; k++)
        points[k] = (struct canvas_point){curve.points[k].x / x_unit, curve.points[k].y / y_unit};
    struct plot_curve drawn = {points, curve.count, REFERENCE_PX, reference_colors[number]};
    plot_curve(plot, &drawn);
}

// The planet first, then the references that count in with.
static void draw_legend(const struct stats_drawing *d, const struct plot *plot, enum plot_corner corner,
                        const char *const texts[], const bool with[])
{
    struct plot_legend_entry entries[PLANET_REFERENCES + 1] = {{d->name, OWN, OWN_PX}};
    int count = 1;
    for (int k = 0; k < PLANET_REFERENCES; k++) {
        if (with[k])
            entries[count++] = (struct plot_legend_entry){texts[k], reference_colors[k], REFERENCE_PX};
    }
    plot_legend(plot, corner, entries, count);
}

static void names_of(const char *texts[PLANET_REFERENCES])
{
    for (int k = 0; k < PLANET_REFERENCES; k++)
        texts[k] = planet_references[k].name;
}

void stats_draw_hypsometry(const struct stats_drawing *d, struct canvas_box box)
{
    struct plot plot = {
        .canvas = d->canvas,
        .box = box,
        .title = "Hypsometric curve",
        .x = {0, 100, false, "% of the area that is higher"},
        .y = {d->low_m / d->unit_m, d->high_m / d->unit_m, false, d->height_label},
    };
    plot_frame(&plot);
    bool with[PLANET_REFERENCES];
    const char *texts[PLANET_REFERENCES];
    names_of(texts);
    for (int k = 0; k < PLANET_REFERENCES; k++) {
        with[k] = d->beside;
        if (with[k])
            draw_reference(&plot, k, planet_references[k].hypsometry, 0.01, d->unit_m);
    }
    struct canvas_point sea[2] = {{0, d->stats->sea_m / d->unit_m}, {100, d->stats->sea_m / d->unit_m}};
    struct plot_curve sea_curve = {sea, d->stats->has_sea ? 2 : 0, 1.2, SEA};
    plot_curve(&plot, &sea_curve);
    struct canvas_point points[STATS_CURVE_STEPS + 1];
    for (int k = 0; k <= STATS_CURVE_STEPS; k++)
        points[k] = (struct canvas_point){100.0 * k / STATS_CURVE_STEPS, d->stats->hypsometry_m[k] / d->unit_m};
    struct plot_curve own = {points, STATS_CURVE_STEPS + 1, OWN_PX, OWN};
    plot_curve(&plot, &own);
    draw_legend(d, &plot, PLOT_UPPER_RIGHT, texts, with);
}

// Bars where the histogram stands, and their outline.
static void draw_bars(const struct stats_drawing *d, const struct plot *plot)
{
    const struct terrain_stats *stats = d->stats;
    struct canvas_point outline[2 * STATS_BINS_MAX + 2] = {{stats->start_m / d->unit_m, 0}};
    int count = 1;
    double right = outline[0].x;
    for (int k = 0; k < stats->bin_count; k++) {
        double left = right, share = 100 * stats->bins[k];
        right = (stats->start_m + (k + 1) * stats->bin_m) / d->unit_m;
        plot_bar(plot, left, right, share, OWN_LIGHT);
        outline[count++] = (struct canvas_point){left, share};
        outline[count++] = (struct canvas_point){right, share};
    }
    outline[count++] = (struct canvas_point){right, 0};
    struct plot_curve curve = {outline, count, 1.8, OWN};
    plot_curve(plot, &curve);
}

void stats_draw_histogram(const struct stats_drawing *d, struct canvas_box box)
{
    const struct terrain_stats *stats = d->stats;
    bool with[PLANET_REFERENCES];
    const char *texts[PLANET_REFERENCES];
    names_of(texts);
    double most = 0, wider = stats->bin_m / STATS_BIN_M;
    for (int k = 0; k < stats->bin_count; k++)
        most = stats->bins[k] > most ? stats->bins[k] : most;
    for (int k = 0; k < PLANET_REFERENCES; k++) {
        struct reference_curve curve = planet_references[k].histogram;
        with[k] = d->beside && curve.count > 0;
        for (int i = 0; i < curve.count && with[k]; i++)
            most = curve.points[i].y * wider > most ? curve.points[i].y * wider : most;
    }
    char label[64];
    snprintf(label, sizeof label, "%% of the area in %g m of height", stats->bin_m);
    struct plot plot = {
        .canvas = d->canvas,
        .box = box,
        .title = "Histogram of heights",
        .x = {d->low_m / d->unit_m, d->high_m / d->unit_m, false, d->height_label},
        .y = {0, 108 * most, false, label},
    };
    plot_frame(&plot);
    draw_bars(d, &plot);
    for (int k = 0; k < PLANET_REFERENCES; k++) {
        if (with[k])
            draw_reference(&plot, k, planet_references[k].histogram, d->unit_m, 0.01 / wider);
    }
    draw_legend(d, &plot, PLOT_UPPER_RIGHT, texts, with);
}

void stats_length_text(char *text, size_t size, double length_m)
{
    if (length_m >= 1e6)
        snprintf(text, size, "%.0f km", length_m / 1000);
    else if (length_m >= 1000)
        snprintf(text, size, "%.3g km", length_m / 1000);
    else
        snprintf(text, size, "%.3g m", length_m);
}

void stats_draw_slopes(const struct stats_drawing *d, struct canvas_box box)
{
    const struct terrain_stats *stats = d->stats;
    double low = stats->slope_deg[STATS_CURVE_STEPS / 100], high = stats->slope_deg[STATS_CURVE_STEPS];
    low = low > 0.005 ? 0.005 : low;
    low = low > 1e-5 ? low : 1e-5;
    high = high > 45 ? 90 : 45;
    char title[96], spacing[32], texts[PLANET_REFERENCES][64];
    stats_length_text(spacing, sizeof spacing, stats->spacing_m);
    snprintf(title, sizeof title, "Slopes over %s", spacing);
    struct plot plot = {
        .canvas = d->canvas,
        .box = box,
        .title = title,
        .x = {low, high, true, "slope, degrees"},
        .y = {0, 100, false, "% of the area that is less steep"},
    };
    plot_frame(&plot);
    const char *list[PLANET_REFERENCES];
    bool with[PLANET_REFERENCES];
    for (int k = 0; k < PLANET_REFERENCES; k++) {
        const struct planet_reference *reference = &planet_references[k];
        stats_length_text(spacing, sizeof spacing, reference->slope_spacing_m);
        snprintf(texts[k], sizeof texts[k], "%s, over %s", reference->name, spacing);
        list[k] = texts[k];
        with[k] = true;
        draw_reference(&plot, k, reference->slopes, 1, 0.01);
    }
    struct canvas_point points[STATS_CURVE_STEPS + 1];
    for (int k = 0; k <= STATS_CURVE_STEPS; k++)
        points[k] = (struct canvas_point){stats->slope_deg[k], 100.0 * k / STATS_CURVE_STEPS};
    struct plot_curve own = {points, STATS_CURVE_STEPS + 1, OWN_PX, OWN};
    plot_curve(&plot, &own);
    draw_legend(d, &plot, stats->slope_median_deg < 0.08 ? PLOT_LOWER_RIGHT : PLOT_UPPER_LEFT, list, with);
}

#define SPECTRUM_DECADES 1e9

// The range of the powers that are shown: the planet's own where trusted, and the references'.
static void power_range(const struct stats_drawing *d, double *low, double *high)
{
    const struct terrain_stats *stats = d->stats;
    *low = 1e300;
    *high = 0;
    for (int l = 1; l <= stats->degree_trusted; l++) {
        double power = stats->power_m2[l];
        *high = power > *high ? power : *high;
        *low = power < *low ? power : *low;
    }
    for (int k = 0; k < PLANET_REFERENCES && d->beside; k++) {
        struct reference_curve curve = planet_references[k].spectrum;
        for (int i = 0; i < curve.count; i++) {
            *high = curve.points[i].y > *high ? curve.points[i].y : *high;
            *low = curve.points[i].y < *low ? curve.points[i].y : *low;
        }
    }
    if (!(*high > 1e-12)) { // a smooth ball: what is left is noise of rounding
        *low = 0.1;
        *high = 10;
        return;
    }
    *high *= 3;
    *low = *low > *high / SPECTRUM_DECADES ? *low / 2 : *high / SPECTRUM_DECADES;
}

void stats_draw_spectrum(const struct stats_drawing *d, struct canvas_box box)
{
    const struct terrain_stats *stats = d->stats;
    double low, high;
    power_range(d, &low, &high);
    bool shaded = stats->degree_trusted < stats->degree_max;
    char title[64] = "Power spectrum";
    if (shaded)
        snprintf(title, sizeof title, "Power spectrum (good to degree %d)", stats->degree_trusted);
    struct plot plot = {
        .canvas = d->canvas,
        .box = box,
        .title = title,
        .x = {1, stats->degree_max, true, "degree l of spherical harmonics"},
        .y = {low, high, true, "variance S(l), square metres"},
    };
    if (shaded)
        plot_shade(&plot, stats->degree_trusted);
    plot_frame(&plot);
    bool with[PLANET_REFERENCES];
    const char *texts[PLANET_REFERENCES];
    names_of(texts);
    for (int k = 0; k < PLANET_REFERENCES; k++) {
        with[k] = d->beside;
        if (with[k])
            draw_reference(&plot, k, planet_references[k].spectrum, 1, 1);
    }
    struct canvas_point points[SPECTRUM_DEGREE_MAX];
    for (int l = 1; l <= stats->degree_max; l++)
        points[l - 1] = (struct canvas_point){l, stats->power_m2[l]};
    struct plot_curve own = {points, stats->degree_max, 2.4, OWN};
    plot_curve(&plot, &own);
    draw_legend(d, &plot, PLOT_UPPER_RIGHT, texts, with);
}

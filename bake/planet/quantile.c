// SPDX-License-Identifier: MIT
#include "bake/planet/quantile.h"

#include <math.h>
#include <stdlib.h>

#include "common/stable_math.h"

// Knots of the curve: between two that make it flat outside.
#define SHARES (CURVE_KNOTS_MAX - 2)

void spread_direction(int index, int count, double *x, double *y, double *z)
{
    double height = 1.0 - (2.0 * index + 1.0) / count;
    double turns = index * 0.61803398874989484820; // the golden ratio
    double sine, cosine;
    stable_sincos_deg(360.0 * (turns - floor(turns)), &sine, &cosine);
    double across = sqrt(1.0 - height * height);
    *x = across * cosine;
    *y = across * sine;
    *z = height;
}

void quantile_direction(int index, double *x, double *y, double *z)
{
    enum { ACROSS = 16, DOWN = PLANET_BLOCK / ACROSS, PATCHES = QUANTILE_COLUMNS / ACROSS };
    int patch = index / PLANET_BLOCK, inside = index % PLANET_BLOCK;
    int row = patch / PATCHES * DOWN + inside / ACROSS, column = patch % PATCHES * ACROSS + inside % ACROSS;
    // Steps by the golden ratio keep neighbours apart in height and in longitude alike.
    double up = column * 0.61803398874989484820, along = row * 0.61803398874989484820, sine, cosine;
    double height = 1.0 - 2.0 * (row + (up - floor(up))) / QUANTILE_ROWS;
    stable_sincos_deg(360.0 / QUANTILE_COLUMNS * (column + (along - floor(along))), &sine, &cosine);
    double across = sqrt(1.0 - height * height);
    *x = across * cosine;
    *y = across * sine;
    *z = height;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// How many of the sorted values are below value.
static int count_below(const double *values, int count, double value)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_knot(struct curve *curve, double x, double y)
{
    curve->x[curve->count] = x;
    curve->y[curve->count] = y;
    curve->count++;
}

enum status_code quantile_curve(struct curve *curve, double *values, int count, struct status *status)
{
    for (int i = 0; i < count; i++) {
        // Cubes of their distances are formed below.
        if (!(fabs(values[i]) <= 1e60))
            return status_fail(status, STATUS_INPUT, "expected a field within 1e60 everywhere in quantile");
    }
    qsort(values, (size_t)count, sizeof values[0], compare_doubles);
    double least = values[0], greatest = values[count - 1], range = greatest - least;
    // Values that are closer than this share one knot, so that slopes stay finite.
    double apart = 1e-9 * range + 1e-14 * (fabs(least) + fabs(greatest)) + 1e-60;
    *curve = (struct curve){0};
    add_knot(curve, least - apart, 0);
    add_knot(curve, least, 0);
    for (int k = 1; k < SHARES; k++) {
        // Closer together toward both ends, where the distribution bends.
        double share = 0.5 - 0.5 * stable_cos(STABLE_PI * k / (SHARES - 1));
        double value = k < SHARES - 1 ? values[(int)(share * (count - 1))] : greatest;
        if (value >= curve->x[curve->count - 1] + apart)
            add_knot(curve, value, (double)count_below(values, count, value) / count);
    }
    add_knot(curve, curve->x[curve->count - 1] + apart, curve->y[curve->count - 1]);
    curve_prepare(curve);
    return STATUS_OK;
}

enum status_code quantile_prepare(const struct preparation *preparation, uint32_t index, struct status *status)
{
    struct tables *tables = preparation->tables;
    double *values = malloc(QUANTILE_POINTS * sizeof values[0]);
    if (!values)
        return status_fail_memory(status, "quantile", QUANTILE_POINTS * sizeof values[0]);
    enum status_code code =
        prepare_sample(preparation, preparation->graph->values[index].input[0], GRAPH_NONE, QUANTILE_POINTS,
                       quantile_direction, QUANTILE_SPACING_RAD, values, NULL, status);
    if (code == STATUS_OK)
        code = quantile_curve(&tables->curves[tables->table_of[index]], values, QUANTILE_POINTS, status);
    free(values);
    return code;
}

// SPDX-License-Identifier: MIT
#include "bake/distribution.h"

#include <assert.h>
#include <stdlib.h>

#define BINS 65536

struct distribution {
    double low, high, scale; // scale: bins per unit of value, 0 where low is high
    double sums[BINS + 1];   // weights of bin k at [k + 1]; when sealed, the share below bin k at [k]
};

enum status_code distribution_new(struct distribution **distribution, double low, double high, struct status *status)
{
    assert(low <= high);
    struct distribution *made = calloc(1, sizeof *made);
    if (!made)
        return status_fail_memory(status, "distribution", sizeof *made);
    made->low = low;
    made->high = high;
    made->scale = high > low ? BINS / (high - low) : 0;
    *distribution = made;
    return STATUS_OK;
}

void distribution_free(struct distribution *distribution)
{
    free(distribution);
}

void distribution_add(struct distribution *distribution, double value, double weight)
{
    assert(value >= distribution->low && value <= distribution->high && weight >= 0);
    double place = (value - distribution->low) * distribution->scale;
    int bin = place < BINS - 1 ? (int)place : BINS - 1;
    distribution->sums[bin + 1] += weight;
}

void distribution_seal(struct distribution *distribution)
{
    double *sums = distribution->sums;
    for (int k = 1; k <= BINS; k++)
        sums[k] += sums[k - 1];
    double total = sums[BINS];
    assert(total > 0);
    for (int k = 1; k <= BINS; k++)
        sums[k] /= total;
}

double distribution_quantile(const struct distribution *distribution, double share)
{
    assert(share >= 0 && share <= 1);
    if (distribution->scale == 0.0 || share <= 0)
        return distribution->low;
    if (share >= 1)
        return distribution->high;
    // The first bin that reaches the share: sums[low] < share <= sums[high].
    const double *sums = distribution->sums;
    int low = 0, high = BINS;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (sums[middle] < share)
            low = middle;
        else
            high = middle;
    }
    double inside = (share - sums[low]) / (sums[high] - sums[low]);
    return distribution->low + (low + inside) / distribution->scale;
}

double distribution_below(const struct distribution *distribution, double value)
{
    if (value <= distribution->low)
        return 0;
    if (value > distribution->high)
        return 1;
    if (distribution->scale == 0.0)
        return 0;
    double place = (value - distribution->low) * distribution->scale;
    int bin = place < BINS - 1 ? (int)place : BINS - 1;
    const double *sums = distribution->sums;
    double share = sums[bin] + (place - bin) * (sums[bin + 1] - sums[bin]);
    return share < 1 ? share : 1;
}

// SPDX-License-Identifier: MIT
// How weighted values are distributed: quantiles and shares below a value, from 65,536 equal bins between the least and
// the greatest value, linear within a bin. A quantile is good to a bin; nothing is sorted or kept.
//
//   distribution_new(&d, low, high, &status); distribution_add(d, value, weight) for each; distribution_seal(d);
//   distribution_quantile(d, 0.5)
#ifndef TERRANE_BAKE_DISTRIBUTION_H
#define TERRANE_BAKE_DISTRIBUTION_H

#include "common/status.h"

struct distribution; // opaque; one thread's until it is sealed

// low <= high, finite.
enum status_code distribution_new(struct distribution **distribution, double low, double high, struct status *status);
void distribution_free(struct distribution *distribution); // NULL is fine

// low <= value <= high; weight is not negative.
void distribution_add(struct distribution *distribution, double value, double weight);

// After the last value; the sum of the weights must be positive.
void distribution_seal(struct distribution *distribution);

// The value that this share of the weight, 0 to 1, lies below: low for 0, high for 1.
double distribution_quantile(const struct distribution *distribution, double share);

// The share of the weight below value, which may be any number.
double distribution_below(const struct distribution *distribution, double value);

#endif

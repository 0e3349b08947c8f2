// SPDX-License-Identifier: MIT
#include "bake/planet/plates.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "common/splitmix64.h"
#include "common/stable_math.h"

// The first plates are spread more evenly than the rest, which makes a few large plates and many small ones.
#define EVEN_PLATES 8
#define CANDIDATES_EVEN 12
#define CANDIDATES 4

// Slowest and fastest spin; two plates at full speed toward each other close at twice that.
#define SPIN_MIN 0.4
#define SPIN_MAX 1.2

// Uniform in [0,1).
static double next_unit(uint64_t *state)
{
    return (double)(splitmix64_next(state) >> 11) * 0x1p-53;
}

// Uniform on the unit sphere.
static void next_direction(uint64_t *state, double direction[3])
{
    double height = 2.0 * next_unit(state) - 1.0, across = sqrt(1.0 - height * height), sine, cosine;
    stable_sincos_deg(360.0 * next_unit(state), &sine, &cosine);
    direction[0] = across * cosine;
    direction[1] = across * sine;
    direction[2] = height;
}

static double square_distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

// Mitchell's best candidate (1991): of some random points the one furthest from all centres so far.
static void place_center(struct plates *plates, int index, uint64_t *state)
{
    int candidates = index < EVEN_PLATES ? CANDIDATES_EVEN : CANDIDATES;
    double furthest = -1.0;
    for (int k = 0; k < candidates; k++) {
        double candidate[3], nearest = 8.0;
        next_direction(state, candidate);
        for (int i = 0; i < index; i++) {
            double distance = square_distance(candidate, plates->center[i]);
            nearest = distance < nearest ? distance : nearest;
        }
        if (nearest > furthest) {
            furthest = nearest;
            memcpy(plates->center[index], candidate, sizeof candidate);
        }
    }
}

void plates_prepare(struct plates *plates, int count, double width, uint64_t seed)
{
    assert(count >= 2 && count <= PLATES_MAX && width > 0.0);
    *plates = (struct plates){.count = count, .width = width};
    uint64_t state = seed;
    for (int i = 0; i < count; i++) {
        place_center(plates, i, &state);
        next_direction(&state, plates->spin[i]);
        double speed = SPIN_MIN + (SPIN_MAX - SPIN_MIN) * next_unit(&state);
        for (int k = 0; k < 3; k++)
            plates->spin[i][k] *= speed;
        plates->bias[i] = 2.0 * next_unit(&state) - 1.0;
        plates->rank[i] = next_unit(&state);
    }
}

enum plate_part plate_part_named(const char *name)
{
    static const char *const names[PLATE_PARTS] = {
        [PLATE_BIAS] = "bias",         [PLATE_TRENCH] = "trench", [PLATE_ARC] = "arc",     [PLATE_OROGEN] = "orogen",
        [PLATE_HIGHLAND] = "highland", [PLATE_SIDE] = "side",     [PLATE_RIDGE] = "ridge", [PLATE_AGE] = "age",
    };
    int part = 0;
    while (part < PLATE_PARTS && strcmp(name, names[part]) != 0)
        part++;
    return (enum plate_part)part;
}

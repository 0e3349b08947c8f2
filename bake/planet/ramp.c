// SPDX-License-Identifier: MIT
#include <assert.h>

#include "bake/planet/kernels.h"

void ramp_prepare(struct ramp *ramp)
{
    int count = ramp->count;
    assert(count >= 1 && count <= CURVE_KNOTS_MAX);
    ramp->density[0] = ramp->density[count] = 0.0;
    for (int k = 0; k + 1 < count; k++) {
        double width = ramp->x[k + 1] - ramp->x[k];
        assert(width >= 0.0);
        ramp->density[k + 1] = width > 0.0 ? 1.0 / width : 0.0;
    }
}

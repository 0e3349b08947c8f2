// SPDX-License-Identifier: MIT
#include "bake/srgb.h"

#include "common/stable_math.h"

double srgb_decode(double encoded)
{
    if (encoded <= 0.04045)
        return encoded / 12.92;
    // y^2.4 as y^2 times the square of the fifth root.
    double y = (encoded + 0.055) / 1.055, root = stable_root5(y);
    return y * y * (root * root);
}

void srgb_prepare(struct srgb_table *table)
{
    table->threshold[0] = 0;
    for (int k = 1; k <= 255; k++)
        table->threshold[k] = srgb_decode((k - 0.5) / 255);
    table->threshold[256] = 2;
    int code = 0;
    for (int cell = 0; cell <= SRGB_CELLS; cell++) {
        while (table->threshold[code + 1] <= (double)cell / SRGB_CELLS)
            code++;
        table->code[cell] = (uint8_t)code;
    }
}

// SPDX-License-Identifier: MIT
#include "bake/srgb.h"

#include "common/srgb.h"

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

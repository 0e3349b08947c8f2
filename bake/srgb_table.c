// SPDX-License-Identifier: MIT
#include "bake/srgb_table.h"

#include "common/stable_math.h"

static double decode(double encoded)
{
    if (encoded <= 0.04045)
        return encoded / 12.92;
    double y = (encoded + 0.055) / 1.055, root = stable_root5(y);
    return y * y * root * root; // y^2.4
}

void srgb_table_fill(struct srgb_table *table)
{
    for (int k = 0; k < 256; k++) {
        table->light[k] = decode(k / 255.0);
        table->threshold[k] = k > 0 ? decode((k - 0.5) / 255.0) : 0.0;
    }
    table->threshold[256] = 2.0;
    int value = 0;
    for (int k = 0; k < SRGB_GUIDES; k++) {
        while (table->threshold[value + 1] <= (double)k / SRGB_GUIDES)
            value++;
        table->guide[k] = (uint8_t)value;
    }
}

uint8_t srgb_encode(const struct srgb_table *table, double light)
{
    if (!(light > 0.0))
        return 0;
    if (light >= 1.0)
        return 255;
    int value = table->guide[(int)(light * SRGB_GUIDES)];
    while (table->threshold[value + 1] <= light)
        value++;
    return (uint8_t)value;
}

// SPDX-License-Identifier: MIT
#include "formats/layer.h"

const char *const layer_names[LAYER_COUNT] = {"height", "normal", "color"};

// SPDX-License-Identifier: MIT
// The value of --layers: names of layers with commas between them.
#ifndef TERRANE_BAKE_LAYER_LIST_H
#define TERRANE_BAKE_LAYER_LIST_H

#include "common/options.h"

// An OPTION_CUSTOM parse function; the destination is an unsigned with bit 1 << kind for each layer named. At least
// one, none twice.
enum status_code layer_list_parse(const struct option_row *row, const char *text, void *destination,
                                  struct status *status);

#endif

// SPDX-License-Identifier: MIT
// A random node of a level, for tests.
#ifndef TERRANE_TESTS_RANDOM_NODE_H
#define TERRANE_TESTS_RANDOM_NODE_H

#include "common/tile_key.h"
#include "tests/check.h"

static inline struct node random_node(int level)
{
    uint64_t count = UINT64_C(1) << level;
    struct node node = {.face = (int)check_random_below(6), .level = level};
    node.x = (uint32_t)check_random_below(count);
    node.y = (uint32_t)check_random_below(count);
    return node;
}

#endif

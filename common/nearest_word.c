// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "common/options.h"

#define WORD_MAX 32

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Insertions, deletions, changes and swaps of neighbours that turn a into b ("optimal string
// alignment"); WORD_MAX for words that are too long.
static int edit_distance(const char *a, const char *b)
{
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length >= WORD_MAX || b_length >= WORD_MAX)
        return WORD_MAX;
    int cost[WORD_MAX][WORD_MAX];
    for (size_t i = 0; i <= a_length; i++)
        cost[i][0] = (int)i;
    for (size_t j = 0; j <= b_length; j++)
        cost[0][j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        for (size_t j = 1; j <= b_length; j++) {
            int change = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            cost[i][j] = least(change, 1 + least(cost[i - 1][j], cost[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = least(cost[i][j], 1 + cost[i - 2][j - 2]);
        }
    }
    return cost[a_length][b_length];
}

const char *nearest_word(const char *name, const char *const *words)
{
    size_t length = strlen(name);
    const char *best = NULL;
    int best_distance = length < 3 ? 2 : (int)(length / 3) + 1;
    for (; *words; words++) {
        // The beginning of a word counts as one slip.
        bool beginning = length >= 3 && strncmp(*words, name, length) == 0;
        int distance = beginning ? 1 : edit_distance(name, *words);
        if (distance < best_distance) {
            best = *words;
            best_distance = distance;
        }
    }
    return best;
}

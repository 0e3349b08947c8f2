// SPDX-License-Identifier: MIT
#include "bake/tile_cache.h"

#include "tests/check.h"

#define SLOTS 7
#define KEYS 20

// The same by hand: keys in the order of use, the newest first.
struct model {
    tile_key keys[SLOTS];
    int count;
};

static int model_find(const struct model *model, tile_key key)
{
    for (int k = 0; k < model->count; k++) {
        if (model->keys[k] == key)
            return k;
    }
    return -1;
}

static void model_remove(struct model *model, int at)
{
    memmove(&model->keys[at], &model->keys[at + 1], (size_t)(model->count - at - 1) * sizeof model->keys[0]);
    model->count--;
}

static void model_use(struct model *model, tile_key key)
{
    int at = model_find(model, key);
    if (at >= 0)
        model_remove(model, at);
    else if (model->count == SLOTS)
        model->count--;
    memmove(&model->keys[1], &model->keys[0], (size_t)model->count * sizeof model->keys[0]);
    model->keys[0] = key;
    model->count++;
}

static tile_key some_key(void)
{
    return check_random_below(KEYS) << 40 | check_random_below(2);
}

static void the_least_recently_used_gives_way(void)
{
    struct status status;
    struct tile_cache *cache;
    CHECK(tile_cache_new(&cache, sizeof(tile_key), SLOTS * 64, 3, 1000, &status) == STATUS_OK);
    struct model model = {.count = 0};
    for (int step = 0; step < 20000; step++) {
        tile_key key = some_key();
        tile_key *slot = tile_cache_get(cache, key);
        int at = model_find(&model, key);
        CHECK_TEXT((slot != NULL) == (at >= 0), "step %d", step);
        if (slot && check_random_below(4) == 0) {
            tile_cache_drop(cache, key);
            model_remove(&model, at);
            continue;
        }
        if (!slot) {
            slot = tile_cache_put(cache, key);
            CHECK((uintptr_t)slot % 64 == 0);
            *slot = key;
        }
        CHECK_TEXT(*slot == key, "step %d", step);
        model_use(&model, key);
    }
    tile_cache_free(cache);
}

static void a_small_budget_still_gives_the_least_number_of_slots(void)
{
    struct status status;
    struct tile_cache *cache;
    CHECK(tile_cache_new(&cache, 1000, 1, 3, 1000, &status) == STATUS_OK);
    for (tile_key key = 1; key <= 3; key++)
        memset(tile_cache_put(cache, key), (int)key, 1000);
    for (tile_key key = 1; key <= 3; key++) {
        const unsigned char *slot = tile_cache_get(cache, key);
        CHECK(slot && slot[0] == key && slot[999] == key);
    }
    tile_cache_put(cache, 4);
    CHECK(!tile_cache_get(cache, 1) && tile_cache_get(cache, 2) && tile_cache_get(cache, 4));
    tile_cache_free(cache);
}

static void there_are_no_more_slots_than_tiles(void)
{
    struct status status;
    struct tile_cache *cache;
    CHECK(tile_cache_new(&cache, 64, 64000, 2, 5, &status) == STATUS_OK);
    for (tile_key key = 1; key <= 6; key++)
        tile_cache_put(cache, key);
    CHECK(!tile_cache_get(cache, 1) && tile_cache_get(cache, 2) && tile_cache_get(cache, 6));
    tile_cache_free(cache);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(the_least_recently_used_gives_way);
    CHECK_RUN(a_small_budget_still_gives_the_least_number_of_slots);
    CHECK_RUN(there_are_no_more_slots_than_tiles);
    return CHECK_END;
}

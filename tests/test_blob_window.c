// SPDX-License-Identifier: MIT
// The window of small blobs against the plainest thing that could do its work: a list.
#include "formats/blob_window.h"
#include "tests/check.h"

static struct status status;

#define ROOM 40
#define KINDS 200

static void digest_of(uint8_t digest[SHA256_BYTES], uint64_t kind)
{
    memset(digest, 0, SHA256_BYTES);
    digest[0] = (uint8_t)(kind % 7); // many in the same bucket
    digest[31] = (uint8_t)kind;
}

static void it_finds_what_a_list_would_find(void)
{
    struct blob_window *window;
    CHECK(blob_window_new(&window, ROOM - 1, &status) == STATUS_OK);
    CHECK(blob_window_room(window) == ROOM);
    uint64_t list[ROOM], added = 0, offsets[ROOM], offset = 1000; // by turn, as in a ring
    for (int k = 0; k < 20000; k++) {
        uint8_t digest[SHA256_BYTES];
        uint64_t kind = check_random_below(KINDS);
        digest_of(digest, kind);
        const struct small_blob *found = blob_window_find(window, digest), *wanted_place = NULL;
        bool wanted = false;
        for (uint64_t turn = added > ROOM ? added - ROOM : 0; turn < added; turn++) {
            if (list[turn % ROOM] != kind)
                continue;
            wanted = true;
            wanted_place = blob_window_at(window, offsets[turn % ROOM]);
            CHECK(found && found->offset == offsets[turn % ROOM]);
        }
        CHECK(found == wanted_place && (found != NULL) == wanted);
        CHECK(!blob_window_at(window, offset) && !blob_window_at(window, 999));
        if (wanted)
            continue;
        uint64_t dropped = added >= ROOM ? offsets[added % ROOM] : 0;
        const struct small_blob *made = blob_window_add(window, digest, offset, (uint32_t)kind);
        CHECK(made->place < ROOM && made->length == kind && made == blob_window_at(window, offset));
        CHECK(dropped == 0 || !blob_window_at(window, dropped));
        list[added % ROOM] = kind;
        offsets[added % ROOM] = offset;
        offset += 1 + check_random_below(3);
        added++;
    }
    CHECK(added > 10 * ROOM);
    blob_window_free(window);
}

static void it_is_never_larger_than_the_format_says(void)
{
    struct blob_window *window;
    CHECK(blob_window_new(&window, UINT64_MAX, &status) == STATUS_OK);
    CHECK(blob_window_room(window) == PACK_SMALL_WINDOW);
    blob_window_free(window);
    CHECK(blob_window_new(&window, 0, &status) == STATUS_OK);
    uint8_t digest[SHA256_BYTES] = {0};
    CHECK(!blob_window_find(window, digest) && !blob_window_at(window, 0));
    blob_window_free(window);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(it_finds_what_a_list_would_find);
    CHECK_RUN(it_is_never_larger_than_the_format_says);
    return CHECK_END;
}

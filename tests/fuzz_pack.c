// SPDX-License-Identifier: MIT
// Everything that reads a pack, on hostile files. libFuzzer: make config=fuzz fuzz, then
//     build/fuzz/tests/fuzz_pack [-max_total_time=60] [CORPUS]
//
// A changed byte would always end at a checksum. So each input is repaired before it is read: sizes, counts and
// checksums that follow from the rest of the file are made right, each with a chance of being left as it is. The
// library that is tested is the one that users get, with all its checks. New inputs come from good packs made at the
// start, by changes to single fields of header, pages and records, as well as by libFuzzer's own.
#define _GNU_SOURCE // memfd_create
#include <sys/mman.h>

#include "formats/blob_reader.h"
#include "formats/pack_walk.h"
#include "tests/pack_layers.h"

#define INPUT_MAX (1u << 18)
#define SEED_COUNT 5

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static struct status status;
static uint8_t *seeds[SEED_COUNT];
static size_t seed_sizes[SEED_COUNT];
static struct blob_reader *blob_reader;
static int memory_fd;
static char memory_path[64];
static uint8_t input[INPUT_MAX];

static void make_seed(int which)
{
    struct sample_keys set = {0};
    struct pack_info info = layers_info(which == 0 ? 1u : 7u, 1 + which % 4);
    switch (which) {
    case 0: keys_add_full(&set, 3, 3, 0); break;
    case 1:
        keys_add_full(&set, 1, 2, 0);
        keys_add(&set, (struct node){1, 1, 0, 1});
        break;
    case 2: keys_add(&set, (struct node){4, 24, 5, 6}); break;
    case 3:
        keys_add_full(&set, 0, 5, 0); // a full level, so that pages are found by arithmetic
        keys_add(&set, (struct node){2, 6, 40, 3});
        break;
    default: break;
    }
    keys_sort(&set);
    if (!layers_write(sample_path("a.terrane"), &info, &set, NULL, &status))
        abort();
    seeds[which] = sample_load(sample_path("a.terrane"), &seed_sizes[which]);
    keys_free(&set);
}

// Without a corpus libFuzzer would make inputs of 4 KiB, less than any pack.
static void allow_long_inputs(int *argc, char ***argv)
{
    static char *arguments[64], max_len[] = "-max_len=131072";
    int count = 0;
    for (int k = 0; k < *argc && count < 62; k++) {
        arguments[count++] = (*argv)[k];
        if (k == 0)
            arguments[count++] = max_len;
    }
    *argc = count;
    *argv = arguments;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    sample_begin();
    for (int k = 0; k < SEED_COUNT; k++)
        make_seed(k);
    sample_end();
    memory_fd = memfd_create("pack", 0);
    if (memory_fd < 0 || blob_reader_new(&blob_reader, &status))
        abort();
    snprintf(memory_path, sizeof memory_path, "/proc/self/fd/%d", memory_fd);
    allow_long_inputs(argc, argv);
    return 0;
}

// ---- Repair ----

static uint64_t dice_state;
static bool chance(unsigned one_in)
{
    dice_state = sample_hash(dice_state, 1);
    return dice_state % one_in == 0;
}

// Where the pages of the input are; count is 0 when they cannot be made out.
struct pages {
    int slot_count;
    size_t offset, bytes, count;
};

static struct pages find_pages(const uint8_t *file, size_t size)
{
    struct pages pages = {.slot_count = file[76]};
    uint64_t offset = get_u64le(file + 56);
    if (pages.slot_count < 1 || pages.slot_count > PACK_LAYER_SLOTS || offset < PACK_HEADER_BYTES || offset > size)
        return pages;
    pages.offset = (size_t)offset;
    pages.bytes = pack_page_bytes(pages.slot_count);
    pages.count = (size - pages.offset) / pages.bytes;
    return pages;
}

static void repair_blobs(uint8_t *file, size_t size, uint8_t *record, int slot_count)
{
    for (int slot = 0; slot < slot_count; slot++) {
        uint8_t *blob = record + 24 + 48 * slot;
        uint64_t offset = get_u64le(blob), length = get_u32le(blob + 8);
        if (length > 0 && offset < size && length <= size - offset && !chance(32))
            put_u32le(blob + 12, pack_crc(file + offset, (size_t)length));
    }
}

static void repair_pages(uint8_t *file, size_t size, uint64_t tiles[PACK_LEVELS])
{
    struct pages pages = find_pages(file, size);
    for (size_t k = 0; k < pages.count; k++) {
        uint8_t *page = file + pages.offset + k * pages.bytes;
        uint32_t present = 0;
        for (unsigned index = 0; index < PACK_PAGE_RECORDS; index++) {
            uint8_t *record = page + pack_record_offset(pages.slot_count, index);
            unsigned level = page[9] + (index >= 1) + (index >= 5) + (index >= 21);
            if (!(get_u32le(record) & 1))
                continue;
            present++;
            if (level < PACK_LEVELS)
                tiles[level]++;
            repair_blobs(file, size, record, pages.slot_count);
        }
        if (chance(64))
            continue;
        memcpy(page, "TRPG", 4);
        memcpy(page + 20, file + 128, 8);
        put_u32le(page + 28, present);
        put_u32le(page + 4, pack_crc(page + 8, pages.bytes - 8));
    }
}

static void repair_counts(uint8_t *file, const uint64_t tiles[PACK_LEVELS])
{
    int max_level = 0, depth = pack_full_depth_of(tiles);
    for (int level = 0; level < PACK_LEVELS; level++) {
        put_u64le(file + 384 + 8 * level, tiles[level]);
        max_level = tiles[level] ? level : max_level;
    }
    file[74] = depth < 0 ? 255 : (uint8_t)depth;
    file[75] = (uint8_t)max_level;
}

static void seal_header(uint8_t *file, size_t size)
{
    if (!chance(32))
        sha256_of(file + 160, file + PACK_HEADER_BYTES, size - PACK_HEADER_BYTES);
    put_u32le(file + 1020, pack_crc(file, 1020));
}

// Everything but content_sha256, for which the pack must be read.
static void repair(uint8_t *file, size_t size)
{
    uint64_t tiles[PACK_LEVELS] = {0};
    memcpy(file, seeds[0], 16);
    put_u64le(file + 16, size);
    uint32_t metadata_bytes = get_u32le(file + 32);
    if (metadata_bytes <= size - PACK_HEADER_BYTES && !chance(32)) {
        put_u32le(file + 36, pack_crc(file + PACK_HEADER_BYTES, metadata_bytes));
        sha256_of(file + 128, file + PACK_HEADER_BYTES, metadata_bytes);
    }
    repair_pages(file, size, tiles);
    struct pages pages = find_pages(file, size);
    if (pages.count > 0 && !chance(32)) {
        put_u32le(file + 64, (uint32_t)pages.bytes);
        put_u32le(file + 68, (uint32_t)pages.count);
    }
    if (!chance(32))
        repair_counts(file, tiles);
    seal_header(file, size);
}

// ---- Reading ----

static struct pack *open_input(size_t size)
{
    struct pack *pack;
    if (ftruncate(memory_fd, (off_t)size) != 0 || pwrite(memory_fd, input, size, 0) != (ssize_t)size)
        abort();
    return pack_open(&pack, memory_path, &status) == STATUS_OK ? pack : NULL;
}

struct walked {
    const struct pack *pack;
    struct sha256 content;
    tile_key keys[8];
    size_t count;
};

static enum status_code note_tile(void *context, tile_key key, const struct pack_record *record, struct status *why)
{
    struct walked *walked = context;
    const struct pack_header *header = &walked->pack->header;
    (void)why;
    for (int slot = 0; slot < header->slot_count; slot++)
        pack_content_add(&walked->content, key, header->slots[slot].id, header->info.intervals,
                         record->blobs[slot].content);
    walked->keys[walked->count++ % 8] = key;
    return STATUS_OK;
}

// The reader of many blobs gives what reading one by one does.
static void compare_blob(const struct pack *pack, const struct pack_blob *blob)
{
    static struct status plain_status;
    uint8_t *bytes = malloc(blob->length), *plain = malloc(blob->length);
    enum status_code code = blob_reader_read(blob_reader, blob, bytes, &status);
    if (code != pack_read_blob(pack, blob, plain, &plain_status))
        abort();
    if (code ? strcmp(status.text, plain_status.text) != 0 : memcmp(bytes, plain, blob->length) != 0)
        abort();
    free(bytes);
    free(plain);
}

static void read_tile(const struct pack *pack, struct pack_cursor *cursor, struct layer_decoder *decoder,
                      struct node node, bool *found)
{
    static int32_t samples[TILE_SAMPLES_MAX * TILE_SAMPLES_MAX * 2];
    struct pack_tile tile;
    if (pack_find(cursor, node, found, &tile, &status) != STATUS_OK || !*found)
        return;
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (tile.blobs[kind].length > 0) {
            compare_blob(pack, &tile.blobs[kind]);
            layer_decode(decoder, &tile, (enum layer_kind)kind, samples, &status);
        }
    }
}

// A pack that the checker takes for good must be one.
static void demand_good(struct pack_cursor *cursor, struct layer_decoder *decoder, const struct walked *walked)
{
    if (walked->count != pack_tile_count(walked->pack))
        abort();
    for (size_t k = 0; k < walked->count && k < 8; k++) {
        bool found;
        read_tile(walked->pack, cursor, decoder, tile_key_node(walked->keys[k]), &found);
        if (!found)
            abort();
    }
}

static void read_all(const struct pack *pack, struct walked *walked)
{
    struct pack_cursor *cursor;
    struct layer_decoder *decoder;
    char *text;
    size_t length;
    struct pack_tile tile;
    bool found;
    if (pack_read_metadata(pack, &text, &length, &status) == STATUS_OK)
        free(text);
    blob_reader_open(blob_reader, pack);
    if (pack_cursor_new(&cursor, pack, &status) || layer_decoder_new(&decoder, pack, &status))
        abort();
    for (size_t k = 0; k < walked->count && k < 8; k++)
        read_tile(pack, cursor, decoder, tile_key_node(walked->keys[k]), &found);
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        struct node node = {face, TILE_LEVEL_MAX, 40 << 18, 3 << 18};
        pack_find_deepest(cursor, node, &found, &tile, &status);
    }
    if (pack_check(pack, true, NULL, NULL, &status) == STATUS_OK)
        demand_good(cursor, decoder, walked);
    layer_decoder_free(decoder);
    pack_cursor_free(cursor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > INPUT_MAX)
        return -1;
    memcpy(input, data, size);
    if (size >= PACK_HEADER_BYTES) {
        dice_state = pack_crc(data, size);
        repair(input, size);
    }
    struct pack *pack = open_input(size);
    if (!pack)
        return 0;
    struct walked walked = {.pack = pack};
    sha256_begin(&walked.content);
    if (pack_walk_records(pack, note_tile, &walked, &status) == STATUS_OK && !chance(32)) {
        pack_close(pack);
        sha256_finish(&walked.content, input + 192);
        put_u32le(input + 1020, pack_crc(input, 1020));
        pack = open_input(size);
        if (!pack)
            abort();
        walked.pack = pack;
    }
    read_all(pack, &walked);
    pack_close(pack);
    return 0;
}

// ---- New inputs ----

static size_t pick(size_t count)
{
    dice_state = sample_hash(dice_state, 2);
    return count ? dice_state % count : 0;
}

static void change_field(uint8_t *at, size_t width)
{
    static const uint64_t values[] = {0,    1,    2,    3,     7,        8,          32,         255,       256,
                                      1024, 4096, 4097, 65535, 1u << 24, UINT32_MAX, UINT64_MAX, INT32_MAX, INT64_MAX};
    uint64_t value = 0;
    for (size_t k = 0; k < width; k++)
        value |= (uint64_t)at[k] << 8 * k;
    switch (pick(4)) {
    case 0: value = values[pick(sizeof values / sizeof *values)]; break;
    case 1: value += pick(9) - 4; break;
    case 2: value ^= UINT64_C(1) << pick(8 * width); break;
    default: value = sample_hash(dice_state, 3) >> pick(64); break;
    }
    for (size_t k = 0; k < width; k++)
        at[k] = (uint8_t)(value >> 8 * k);
}

// A record that is in use, if a few tries find one; now and then the field's whole record is copied to another place.
static void change_record(uint8_t *page, int slot_count)
{
    static const uint8_t fields[][2] = {{0, 4}, {4, 4}, {8, 4}, {12, 4}, {16, 4}, {20, 4}};
    static const uint8_t blob_fields[][2] = {{0, 8}, {8, 4}, {12, 4}, {16, 4}};
    uint8_t *record = NULL;
    for (int k = 0; k < 40 && (!record || !get_u32le(record)); k++)
        record = page + pack_record_offset(slot_count, (unsigned)pick(PACK_PAGE_RECORDS));
    if (pick(8) == 0) {
        uint8_t *to = page + pack_record_offset(slot_count, (unsigned)pick(PACK_PAGE_RECORDS));
        memmove(to, record, pack_record_bytes(slot_count));
    } else if (pick(3) == 0) {
        const uint8_t *field = fields[pick(6)];
        change_field(record + field[0], field[1]);
    } else {
        const uint8_t *field = blob_fields[pick(4)];
        change_field(record + 24 + 48 * pick((size_t)slot_count) + field[0], field[1]);
    }
}

static void change_page(uint8_t *file, const struct pages *pages)
{
    static const uint8_t fields[][2] = {{8, 1}, {9, 1}, {10, 1}, {11, 1}, {12, 4}, {16, 4}};
    uint8_t *page = file + pages->offset + pick(pages->count) * pages->bytes;
    size_t children = 32 + PACK_PAGE_RECORDS * pack_record_bytes(pages->slot_count);
    switch (pick(4)) {
    case 0: {
        const uint8_t *field = fields[pick(6)];
        change_field(page + field[0], field[1]);
        break;
    }
    case 1: change_field(page + children + 4 * pick(PACK_PAGE_CHILDREN), 4); break;
    default: change_record(page, pages->slot_count); break;
    }
}

static void change_header(uint8_t *file)
{
    static const uint16_t fields[][2] = {{8, 2},   {10, 2},  {24, 8},  {32, 4},  {40, 8},  {48, 8},  {56, 8},
                                         {72, 1},  {73, 1},  {74, 1},  {75, 1},  {76, 1},  {77, 1},  {78, 1},
                                         {80, 8},  {88, 1},  {89, 1},  {92, 4},  {96, 4},  {100, 4}, {104, 4},
                                         {108, 4}, {224, 4}, {228, 4}, {236, 4}, {256, 4}, {272, 4}, {384, 8}};
    const uint16_t *field = fields[pick(sizeof fields / sizeof *fields)];
    change_field(file + field[0], field[1]);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    dice_state = seed;
    if (size < PACK_HEADER_BYTES || pick(200) == 0) {
        size_t which = pick(SEED_COUNT);
        if (seed_sizes[which] > max_size)
            return LLVMFuzzerMutate(data, size, max_size);
        memcpy(data, seeds[which], seed_sizes[which]);
        return seed_sizes[which];
    }
    struct pages pages = find_pages(data, size);
    for (size_t changes = 1 + pick(3); changes > 0; changes--) {
        size_t blobs_end = pages.count ? pages.offset : size;
        switch (pick(6)) {
        case 0: change_header(data); break;
        case 1:
        case 2:
            if (pages.count > 0)
                change_page(data, &pages);
            break;
        case 3:
        case 4: // within a stored layer or the metadata
            data[PACK_HEADER_BYTES + pick(blobs_end - PACK_HEADER_BYTES)] ^= (uint8_t)(1 + pick(255));
            break;
        default: return LLVMFuzzerMutate(data, size, max_size);
        }
    }
    return size;
}

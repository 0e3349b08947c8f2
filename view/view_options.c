// SPDX-License-Identifier: MIT
#include "view/view_options.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/options.h"
#include "common/text_number.h"

// ---- Values made of several numbers --------------------------------------------------------------------

// count numbers separated by commas, the whole text.
static bool parse_numbers(const char *text, double *values, int count)
{
    for (int k = 0; k < count; k++) {
        size_t used = parse_real_prefix(text, strlen(text), &values[k]);
        if (used == 0)
            return false;
        text += used;
        if (*text != (k + 1 < count ? ',' : 0))
            return false;
        text += k + 1 < count;
    }
    return true;
}

static bool place_in_range(double latitude_deg, double longitude_deg)
{
    return fabs(latitude_deg) <= 90 && longitude_deg >= -180 && longitude_deg <= 360;
}

static enum status_code parse_at(const struct option_row *row, const char *text, void *destination,
                                 struct status *status)
{
    double v[3];
    if (!parse_numbers(text, v, 3) || !place_in_range(v[0], v[1]) || v[2] < 0 || v[2] > 1e12)
        return option_refuse(row, text, "LAT,LON,ALT_M: -90 to 90, -180 to 360, 0 to 1e12", status);
    *(struct view_at *)destination = (struct view_at){true, v[0], v[1], v[2]};
    return STATUS_OK;
}

static enum status_code parse_look(const struct option_row *row, const char *text, void *destination,
                                   struct status *status)
{
    double v[2];
    if (!parse_numbers(text, v, 2) || fabs(v[0]) > 360 || fabs(v[1]) > 90)
        return option_refuse(row, text, "HEADING,PITCH: -360 to 360, -90 to 90", status);
    *(struct view_look *)destination = (struct view_look){true, v[0], v[1]};
    return STATUS_OK;
}

static enum status_code parse_sun(const struct option_row *row, const char *text, void *destination,
                                  struct status *status)
{
    double v[2];
    if (!parse_numbers(text, v, 2) || !place_in_range(v[0], v[1]))
        return option_refuse(row, text, "LAT,LON: -90 to 90, -180 to 360", status);
    *(struct view_sun *)destination = (struct view_sun){true, v[0], v[1]};
    return STATUS_OK;
}

static enum status_code parse_size(const struct option_row *row, const char *text, void *destination,
                                   struct status *status)
{
    uint64_t side[2];
    char copy[32];
    const char *cross = strchr(text, 'x');
    bool good = cross && strlen(text) < sizeof copy;
    if (good) {
        strcpy(copy, text);
        copy[cross - text] = 0;
        good = parse_u64(copy, &side[0]) && parse_u64(copy + (cross - text) + 1, &side[1]);
    }
    if (!good || side[0] < 1 || side[1] < 1 || side[0] > 16384 || side[1] > 16384)
        return option_refuse(row, text, "WIDTHxHEIGHT in pixels, each 1 to 16384", status);
    *(struct view_size *)destination = (struct view_size){(int)side[0], (int)side[1]};
    return STATUS_OK;
}

static enum status_code parse_background(const struct option_row *row, const char *text, void *destination,
                                         struct status *status)
{
    struct view_background *background = destination;
    if (strlen(text) != 6 || strspn(text, "0123456789abcdefABCDEF") != 6)
        return option_refuse(row, text, "six hexadecimal digits RRGGBB", status);
    for (int k = 0; k < 6; k++) {
        char c = text[k];
        int digit = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
        background->rgb[k / 2] = (uint8_t)(background->rgb[k / 2] * 16 * (k & 1) + digit);
    }
    background->given = true;
    return STATUS_OK;
}

// ---- The table -----------------------------------------------------------------------------------------

#define AT(member) offsetof(struct view_options, member)

static const char *const mode_words[] = {"orbit", "fly", "walk", NULL};

static const struct option_row rows[] = {
    {.name = "at",
     .kind = OPTION_CUSTOM,
     .value = "LAT,LON,ALT_M",
     .help = "where the camera is; altitude above the ground there",
     .default_text = "the whole globe",
     .parse = parse_at,
     .offset = AT(at)},
    {.name = "look",
     .kind = OPTION_CUSTOM,
     .value = "HEADING,PITCH",
     .help = "where it looks, in degrees; pitch -90 is straight down",
     .default_text = "0,-90 from above 1000 km, else 0,-15",
     .parse = parse_look,
     .offset = AT(look)},
    {.name = "mode",
     .kind = OPTION_CHOICE,
     .value = "MODE",
     .help = "how the camera moves; walk keeps the eye 1.7 m above the ground",
     .words = mode_words,
     .offset = AT(mode)},
    {.name = "size",
     .kind = OPTION_CUSTOM,
     .value = "WxH",
     .help = "size of window and picture in pixels",
     .default_text = "1280x720",
     .parse = parse_size,
     .offset = AT(size)},
    {.name = "fov",
     .kind = OPTION_REAL,
     .value = "DEG",
     .help = "vertical field of view in degrees",
     .min = 1,
     .max = 120,
     .offset = AT(fov_deg)},
    {.name = "detail",
     .kind = OPTION_REAL,
     .value = "PX",
     .help = "pixels a texel aimed at; less is finer",
     .min = 0.25,
     .max = 64,
     .offset = AT(detail_px)},
    {.name = "cache",
     .kind = OPTION_INTEGER,
     .value = "MIB",
     .help = "hard budget for tiles on CPU and GPU together, in MiB; detail is shed rather than exceed it",
     .min = 1,
     .max = 65536,
     .offset = AT(cache_mib)},
    {.name = "loaders",
     .kind = OPTION_INTEGER,
     .value = "N",
     .help = "threads that read and decode tiles",
     .default_text = "by the number of processors",
     .min = 1,
     .max = 64,
     .offset = AT(loaders)},
    {.name = "no-inertia",
     .kind = OPTION_FLAG,
     .help = "no gliding on after a drag or wheel step",
     .offset = AT(no_inertia)},
    {.name = "sun",
     .kind = OPTION_CUSTOM,
     .value = "LAT,LON",
     .help = "where the sun stands at the zenith",
     .default_text = "beside the first view",
     .parse = parse_sun,
     .offset = AT(sun)},
    {.name = "wireframe", .kind = OPTION_FLAG, .help = "draw triangles as lines", .offset = AT(wireframe)},
    {.name = "borders", .kind = OPTION_FLAG, .help = "draw tile borders", .offset = AT(borders)},
    {.name = "hud", .kind = OPTION_FLAG, .help = "show place, speed and counters over the picture", .offset = AT(hud)},
    {.name = "headless",
     .kind = OPTION_FLAG,
     .help = "no window system at all; needs --shot, --replay or --stats",
     .offset = AT(headless)},
    {.name = "background",
     .kind = OPTION_CUSTOM,
     .value = "RRGGBB",
     .help = "a plain background instead of the sky",
     .default_text = "the sky",
     .parse = parse_background,
     .offset = AT(background)},
    {.name = "wait-full",
     .kind = OPTION_FLAG,
     .help = "wait for all the detail that each view asks for before it is drawn",
     .offset = AT(wait_full)},
    {.name = "shot",
     .kind = OPTION_PATH,
     .value = "FILE.png",
     .help = "write a picture and leave; with --replay, of its last frame",
     .offset = AT(shot)},
    {.name = "replay",
     .kind = OPTION_PATH,
     .value = "FILE",
     .help = "fly a camera path, one \"time lat lon alt heading pitch\" a line, and leave",
     .offset = AT(replay)},
    {.name = "dt",
     .kind = OPTION_REAL,
     .value = "S",
     .help = "replay with this many seconds a frame, whatever the clock says",
     .default_text = "the clock's",
     .min = 1e-4,
     .max = 10,
     .offset = AT(dt_s)},
    {.name = "record", .kind = OPTION_PATH, .value = "FILE", .help = "write the camera's path", .offset = AT(record)},
    {.name = "stats",
     .kind = OPTION_PATH,
     .value = "FILE.json",
     .help = "write counters at the end",
     .offset = AT(stats)},
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "replace existing files named by --shot, --record and --stats",
     .offset = AT(force)},
    {.name = "log-depth",
     .kind = OPTION_FLAG,
     .help = "logarithmic depth as on drivers without clip control",
     .offset = AT(log_depth)},
};

static const struct view_options defaults = {
    .size = {1280, 720}, .fov_deg = 60, .detail_px = 1.5, .cache_mib = 512, .loaders = 0};

static const char *const description[] = {
    "terrane-view flies over a planet that terrane bake made. Positions are double on the CPU, and the GPU only ever "
    "sees floats measured from the camera, so a walk at eye height is as steady as a view from orbit.",
    "It opens any pack: full, sparse, a share, without some layers. Damaged tiles are named once on stderr and drawn "
    "from their parents.",
    NULL};

static const struct verb_example examples[] = {
    {"terrane-view earth.terrane", "Opens a window on the whole globe."},
    {"terrane-view earth.terrane --at 46.5,7.6,1500 --look 190,-10", "Starts 1.5 km above the ground, looking south."},
    {"terrane-view earth.terrane --headless --at 46.5,7.6,2 --wait-full --shot ground.png",
     "Writes one picture, without a display."},
    {"terrane-view earth.terrane --headless --replay flight.txt --dt 0.0166667 --stats flight.json",
     "Flies a recorded path and writes counters."},
};

static const struct verb view_verb = {
    .positionals = "PACK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "fly over a baked planet",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct view_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
};

static const char *const keys[] = {
    "left drag\tgrabs the globe: the point under the cursor stays under it.",
    "wheel\tzooms to the cursor, and never through the ground.",
    "middle drag, Ctrl + left drag\tturns and tilts about the point under the cursor.",
    "Shift + left drag\tlooks around.",
    "W A S D E C\tmove; the speed grows with height above ground. Shift is faster, Ctrl slower.",
    "1 2 3\torbit, fly, walk.",
    "Home, N, Z\tthe whole globe; north up; to the ground.",
    "F, U, B\twireframe; freeze the level of detail and see it from outside; tile borders.",
    "F2, F11, F12, H, Esc\tHUD; full screen; screenshot; help; leave.",
    NULL};

static const char *const exit_status[] = {
    "0\tdone.", "2\tthe command line is wrong, or the cache is too small for the pack.", "3\tthe pack cannot be read.",
    "4\tno display or no OpenGL 3.3; a file cannot be written; out of memory.", NULL};

static const struct program_section sections[] = {{"KEYS AND MOUSE", keys}, {"EXIT STATUS", exit_status}};

static const struct verb *const verbs[] = {&view_verb};

const struct program view_program = {
    .name = "terrane-view",
    .version = TERRANE_VERSION,
    .date = "2026-11-30",
    .summary = "fly over a baked planet",
    .description = description,
    .verbs = verbs,
    .verb_count = 1,
    .sections = sections,
    .section_count = sizeof sections / sizeof sections[0],
    .see_also = "terrane(1)",
};

// SPDX-License-Identifier: MIT
#include "bake/verbs.h"

#include <jansson.h>
#include <nettle/version.h>
#include <png.h>
#include <zlib.h>

static const struct verb *const verbs[] = {
    &verb_bake,   &verb_merge, &verb_info,   &verb_tile, &verb_extract, &verb_map,
    &verb_sample, &verb_stats, &verb_verify, &verb_diff, &verb_planets,
};

static const char *const description[] = {
    "terrane bakes planets into packs: single files with the heights, normals and colours of a whole planet as a "
    "pyramid of tiles on the six faces of a cube sphere. The same plan and content give the same bytes on any "
    "machine, for any number of threads.",
    "Everything that is asked for goes to standard output, everything else to standard error. No existing file is "
    "replaced without --force, and a file gets its name only when it is whole.",
    NULL,
};

static const char *const exit_codes[] = {
    "0\tdone",
    "1\tinternal fault, a bug",
    "2\tthe command line is wrong",
    "3\tbad, corrupt, incomplete or mismatched input; diff: the packs differ",
    "4\toutput, disk, memory or another resource",
    "5\tthe output is locked by another bake",
    "75\tinterrupted; bake can be resumed",
    NULL,
};

static const struct program_section sections[] = {{"EXIT STATUS", exit_codes}};

const struct program terrane_program = {
    .name = "terrane",
    .version = TERRANE_VERSION,
    .date = "2026-11-30",
    .summary = "bake planets into tiles and look into them",
    .description = description,
    .verbs = verbs,
    .verb_count = sizeof verbs / sizeof verbs[0],
    .sections = sections,
    .section_count = sizeof sections / sizeof sections[0],
};

void terrane_print_version(FILE *out)
{
    fprintf(out, "terrane %s\n", TERRANE_VERSION);
    fprintf(out, "zlib %s\n", zlibVersion());
    fprintf(out, "libpng %s\n", png_get_libpng_ver(NULL));
    fprintf(out, "nettle %d.%d\n", nettle_version_major(), nettle_version_minor());
    fprintf(out, "jansson %s\n", jansson_version_str());
    fprintf(out, "OpenMP %d\n", _OPENMP);
}

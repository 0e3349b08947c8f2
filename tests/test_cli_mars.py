#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mars end to end: a planet file over real data, baked, checked, asked and drawn, and held against the source."""
from terrane_cli import *

SOURCE = os.path.join(ROOT, "tests", "data", "mars_mola_1440x720_u16.png")
COLUMNS, ROWS = 1440, 720
TILE = 64  # half of the default: a quarter of the work, and still three samples for each of the source's pixels


def mars():
    with open(path("mars.planet"), "w") as file:
        file.write('name   = "mars-mola"\n'
                   'radius = 3389500\n'
                   'height = raster("%s", offset = -32768)\n'
                   'color  = ramp(height, -8200, #2b1a12, 0, #b0703f, 8000, #d8a878, 21300, #fff4e6)\n' % SOURCE)
    return bake("mars.terrane", planet="mars.planet", tile=TILE, depth=4)


@claim
def the_summit_and_the_floor_are_where_they_are_and_nowhere_else():
    places = {"17.375,226.875": 21134, "-32.875,62.125": -8068}
    for place, height_m in places.items():
        latitude, longitude = (float(part) for part in place.split(","))
        equal(answer("sample", mars(), place, "--json")["level"], 4)
        check(abs(answer("sample", mars(), place, "--json")["height_m"] - height_m) < 150, place)
        east = longitude - 360 if longitude > 180 else longitude
        equal(answer("sample", mars(), "%r,%r" % (latitude, east), "--json"), answer("sample", mars(), place, "--json"))
        for turn in (90, 180, 270):
            check_elsewhere("%r,%r" % (latitude, (longitude + turn) % 360), height_m)
        check_elsewhere("%r,%r" % (-latitude, longitude), height_m)
        check_elsewhere("%r,%r" % (latitude, -east), height_m)
        if abs(east) <= 90:
            check_elsewhere("%r,%r" % (east, latitude), height_m)


def check_elsewhere(place, height_m):
    got = answer("sample", mars(), place, "--json")["height_m"]
    check(abs(got - height_m) > 1500, place, "is as high as the true place:", got)


@claim
def a_map_is_the_source_pixel_by_pixel():
    run("map", mars(), "-o", "mars.raw", "--style", "height", "--raw", "--width", str(COLUMNS), code=0)
    with open(path("mars.raw"), "rb") as file:
        got = int32s(file.read())
    with open(SOURCE, "rb") as file:
        source = Picture(file.read())
    equal((source.width, source.height, source.bits, len(got)), (COLUMNS, ROWS, 16, COLUMNS * ROWS))
    unit_m = answer("info", mars(), "--json")["height_unit_m"]
    differences = []
    for row in range(0, ROWS, 3):
        # The map begins at 180 west, the source at 0 east.
        line = source.samples[row * COLUMNS:(row + 1) * COLUMNS]
        line = line[COLUMNS // 2:] + line[:COLUMNS // 2]
        here = got[row * COLUMNS:(row + 1) * COLUMNS]
        differences += [abs(a * unit_m - (b - 32768)) for a, b in zip(here, line)]
    differences.sort()
    check(differences[len(differences) // 2] < 20, "median", differences[len(differences) // 2])
    check(differences[len(differences) * 9 // 10] < 80, "90 %", differences[len(differences) * 9 // 10])


@claim
def the_pack_proves_itself_with_its_planet_file():
    report = answer("verify", mars(), "--borders", "--rebake", "10", "--planet", "mars.planet", "--json")
    check(report["ok"] and report["rebake"]["tiles"] == 10, report)
    check(b"--planet" in run("verify", mars(), "--quick", "--rebake", "1", code=2).stderr)
    with open(path("other.planet"), "w") as file:
        file.write("height = 0\n")
    check(b"other.planet" in run("verify", mars(), "--quick", "--rebake", "1", "--planet", "other.planet",
                                 code=3).stderr)


@claim
def no_path_is_in_the_metadata_but_the_planet_files_own_words():
    with open(mars(), "rb") as file:
        head = file.read(65536)
    check(FOLDER.encode() not in head and b"mars.planet" not in head)


@claim
def colors_follow_the_ramp():
    equal(answer("sample", mars(), "17.375,226.875", "--json")["color"][0], 255)
    low = answer("sample", mars(), "-32.875,62.125", "--json")["color"]
    check(max(abs(a - b) for a, b in zip(low, (0x2b, 0x1a, 0x12))) < 12, low)


main()

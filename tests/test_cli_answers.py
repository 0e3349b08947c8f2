#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What terrane prints: help, version, info, planets, sample."""
import math
import random
import re
import subprocess

from terrane_cli import *


# ---- Help ------------------------------------------------------------------------------------------------------------
@claim
def every_verb_has_help_on_stdout():
    overview = run("--help", code=0)
    for verb in VERBS:
        check(re.search(rb"^ +%s " % verb.encode(), overview.stdout, re.M), verb, "is not listed")
        results = [run(verb, "--help", code=0), run(verb, "-h", code=0), run("help", verb, code=0)]
        for result in results:
            check(result.stdout.startswith(b"usage: terrane " + verb.encode()) and result.stderr == b"", verb)
            equal(result.stdout, results[0].stdout)
    equal(run("help", code=0).stdout, overview.stdout)
    equal(run("-h", code=0).stdout, overview.stdout)


@claim
def help_wins_over_missing_arguments():
    for verb in VERBS:
        run(verb, "--help", "--no-such-flag", code=0)


@claim
def the_version_names_the_libraries():
    text = run("--version", code=0).stdout.decode()
    check(re.match(r"terrane \d+\.\d+\.\d+\n", text), text)
    for library in ("zlib", "libpng", "nettle", "jansson"):
        check(re.search(r"^%s \d+\.\d+" % library, text, re.M), library)


@claim
def unknown_verbs_are_refused_with_a_hint():
    check(b"verify" in run("verfiy", code=2).stderr)
    run(code=2)
    run("", code=2)
    run("help", "nonsense", code=2)


@claim
def documents_and_completions_come_out():
    check(b".TH" in run("--man", code=0).stdout)
    for shell in ("bash", "zsh", "fish"):
        text = run("--completion", shell, code=0).stdout
        check(all(verb.encode() in text for verb in VERBS), shell)
    run("--completion", "tcsh", code=2)


# ---- info ------------------------------------------------------------------------------------------------------------
@claim
def info_has_every_promised_field():
    pack = bake("full.terrane", "--seed", "18446744073709551615", depth=2)
    info = answer("info", pack, "--json")
    expected = {"schema": 1, "format": "1.0", "planet": "plain", "seed": "18446744073709551615",
                "radius_m": 6371000.0, "tile": 32, "samples": 33, "layers": ["height", "normal", "color"],
                "full_depth": 2, "max_level": 2, "tiles": 126, "tiles_per_level": [6, 24, 96],
                "file_bytes": os.path.getsize(pack), "height_unit_m": 2.0**-8, "complete": True}
    for key, value in expected.items():
        equal(info[key], value, key)
    check(re.fullmatch(r"terrane \d+\.\d+\.\d+", info["generator"]))
    check(all(re.fullmatch("[0-9a-f]{64}", info[key]) for key in ("content_sha256", "fingerprint")))
    check(-12000 < info["height_min_m"] < 0 < info["height_max_m"] < 12000)
    check(b'"radius_m":6371000.0,' in run("info", pack, "--json", code=0).stdout, "no decimal point")


@claim
def info_tells_regions_faces_and_layers():
    pack = bake("sparse.terrane", "--face", "3", "--face", "2", "--layers", "color,height", "--region",
                "0,180,200,6", "--radius", "1000000")
    info = answer("info", pack, "--json")
    equal(info["layers"], ["height", "color"])
    equal(info["full_depth"], None)
    equal((info["max_level"], len(info["tiles_per_level"])), (6, 7))
    equal(sum(info["tiles_per_level"]), info["tiles"])
    equal(info["tiles_per_level"][:2], [2, 8])
    equal(info["radius_m"], 1e6)
    check(info["height_unit_m"] == 2.0**-10, info["height_unit_m"])
    text = run("info", pack, code=0).stdout.decode()
    check("height color" in text and "plain" in text and info["content_sha256"] in text, text)


@claim
def info_of_a_share_says_so():
    run("bake", "-o", "share.terrane", "--planet", "plain", "--tile", "32", "--depth", "1", "--shard", "2/3", "-q",
        code=0)
    info = answer("info", "share.terrane", "--json")
    equal((info["complete"], info["share"], info["shares"]), (False, 2, 3))
    check("share 2 of 3" in run("info", "share.terrane", code=0).stdout.decode())


@claim
def the_lowest_and_highest_height_are_in_the_tiles():
    pack = bake("full.terrane", "--seed", "18446744073709551615", depth=2)
    info = answer("info", pack, "--json")
    heights = []
    for face in range(6):
        for level in range(3):
            for x in range(1 << level):
                for y in range(1 << level):
                    node = "%d/%d/%d/%d" % (face, level, x, y)
                    heights += int32s(run("tile", pack, node, "--layer", "height", "--raw", code=0).stdout)
    equal((info["height_min_m"], info["height_max_m"]),
          (min(heights) * info["height_unit_m"], max(heights) * info["height_unit_m"]))


# ---- planets ---------------------------------------------------------------------------------------------------------
@claim
def planets_lists_what_bake_takes_and_prints_their_files():
    lines = run("planets", code=0).stdout.decode().splitlines()
    names = [line.split()[0] for line in lines]
    check("earthlike" in names and "plain" in names and names == sorted(names), names)
    for name in names:
        text = run("planets", name, code=0).stdout
        check(b"height" in text and text.endswith(b"\n"), name)
    with open(path("copy.planet"), "wb") as file:
        file.write(run("planets", "plain", code=0).stdout)
    builtin, copied = bake("full.terrane", depth=2), bake("copied.terrane", "--seed", "18446744073709551615",
                                                         planet="copy.planet", depth=2)
    equal(answer("info", builtin, "--json")["content_sha256"], answer("info", copied, "--json")["content_sha256"])
    check(b"plain" in run("planets", "plian", code=2).stderr)


# ---- sample ----------------------------------------------------------------------------------------------------------
DEPTH = 2
INTERVALS = 32


def deep_pack():
    return bake("deep.terrane", "--region", "10,20,2000,5", depth=DEPTH)


class Tiles:
    """Heights of a pack through `tile --raw`, which test_cli_pictures.py holds against the PNG."""

    def __init__(self, pack):
        self.pack, self.unit_m, self.heights = pack, answer("info", pack, "--json")["height_unit_m"], {}

    def tile(self, node):
        if node not in self.heights:
            result = run("tile", self.pack, "%d/%d/%d/%d" % node, "--layer", "height", "--raw")
            self.heights[node] = int32s(result.stdout) if result.returncode == 0 else None
        return self.heights[node]

    def bilinear_m(self, latitude, longitude, level):
        face, s, t = locate(direction(latitude, longitude))
        n = INTERVALS << level
        i, j = min(s * n, n - 1e-9), min((1 - t) * n, n - 1e-9)
        node = (face, level, int(i) // INTERVALS, int(j) // INTERVALS)
        heights = self.tile(node)
        if heights is None:
            return None
        i, j = i - node[2] * INTERVALS, j - node[3] * INTERVALS
        x, y, a, b = int(i), int(j), i % 1, j % 1
        v = [heights[(y + dy) * (INTERVALS + 1) + x + dx] for dy in (0, 1) for dx in (0, 1)]
        upper, lower = v[0] + (v[1] - v[0]) * a, v[2] + (v[3] - v[2]) * a
        return (upper + (lower - upper) * b) * self.unit_m


@claim
def sample_is_bilinear_between_the_deepest_tiles_heights():
    tiles, random_ = Tiles(deep_pack()), random.Random(1)
    points = [(random_.uniform(-90, 90), random_.uniform(-180, 360)) for _ in range(300)]
    points += [(10 + random_.uniform(-15, 15), 20 + random_.uniform(-15, 15)) for _ in range(150)]
    lines = "".join("%.17g,%.17g\n" % point for point in points).encode()
    answers = [json.loads(line) for line in run("sample", tiles.pack, "-", "--json", stdin=lines,
                                                code=0).stdout.splitlines()]
    equal(len(answers), len(points))
    levels = set()
    for point, got in zip(points, answers):
        expected = tiles.bilinear_m(*point, got["level"])
        check(abs(got["height_m"] - expected) <= tiles.unit_m, point, got, expected)
        deeper = tiles.bilinear_m(*point, got["level"] + 1)
        check(deeper is None, point, "has a deeper tile than", got["level"])
        levels.add(got["level"])
    equal(levels, {2, 3, 4, 5})


@claim
def slope_and_normal_are_those_of_the_ground():
    pack, step_deg = deep_pack(), 0.02
    radius_m = 6371000
    for latitude, longitude in [(5, 15), (-40, 100), (62, -30), (-75, -170), (20, 201)]:
        lines = ["%r,%r" % (latitude + a * step_deg, longitude + b * step_deg)
                 for a, b in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]]
        here, north, south, east, west = [json.loads(line) for line in run(
            "sample", pack, "-", "--json", stdin="\n".join(lines).encode(), code=0).stdout.splitlines()]
        length = math.radians(2 * step_deg) * radius_m
        rise_north = (north["height_m"] - south["height_m"]) / length
        rise_east = (east["height_m"] - west["height_m"]) / (length * math.cos(math.radians(latitude)))
        slope = math.degrees(math.atan(math.hypot(rise_north, rise_east)))
        check(abs(here["slope_deg"] - slope) <= 0.05 * slope + 0.001, here, slope)
        normal = here["normal"]
        check(abs(math.hypot(*normal) - 1) < 1e-5, normal)
        check(abs(normal[0] / normal[2] + rise_east) < 0.1 * math.hypot(rise_north, rise_east) + 1e-4, here, rise_east)
        check(abs(normal[1] / normal[2] + rise_north) < 0.1 * math.hypot(rise_north, rise_east) + 1e-4, here,
              rise_north)


@claim
def colors_are_three_bytes_of_the_place():
    pack = deep_pack()
    sea = answer("sample", pack, "0,0", "--json")["color"]
    check(len(sea) == 3 and all(isinstance(part, int) and 0 <= part <= 255 for part in sea), sea)
    text = run("sample", pack, "0,0", code=0).stdout.decode()
    check("color #%02x%02x%02x" % tuple(sea) in text and "height_m " in text and "level " in text, text)


@claim
def longitudes_from_minus_180_to_360_name_the_same_places():
    pack = deep_pack()
    for longitude in (-180, -123.25, -0.5):
        equal(answer("sample", pack, "30,%r" % longitude, "--json"), answer("sample", pack, "30,%r" % (longitude + 360),
                                                                            "--json"))
    for latitude in ("90", "-90"):
        heights = {answer("sample", pack, "%s,%d" % (latitude, longitude), "--json")["height_m"]
                   for longitude in (-180, -90, 0, 45, 180, 360)}
        equal(len(heights), 1, "the pole is one point")


@claim
def points_that_are_none_are_refused():
    pack = deep_pack()
    for point in ("91,0", "-90.0001,0", "0,-181", "0,360.001", "0", "0,", ",0", "0,0,0", "a,b", "0 0", " 0,0", "0,0 ",
                  "nan,0", "0,inf", "1e999,0", "0x10,0", "--", ""):
        run("sample", pack, point, code=2)
    error = run("sample", pack, "91,0", code=2).stderr.decode()
    check("91,0" in error and "-90 to 90" in error, error)


@claim
def negative_points_need_no_dashes_before_them():
    pack = deep_pack()
    expected = run("sample", pack, "--", "-32.9,62.1", code=0).stdout
    equal(run("sample", pack, "-32.9,62.1", code=0).stdout, expected)
    equal(run("sample", "--json", pack, "-.5,1", code=0).returncode, 0)


@claim
def each_line_of_stdin_gives_one_line():
    pack = deep_pack()
    result = run("sample", pack, "-", stdin=b"1,2\n-3.5,4\r\n  5 , 6\t\n7e0,+8", code=0)
    equal(len(result.stdout.splitlines()), 4)
    equal(result.stdout.splitlines()[1], run("sample", pack, "-3.5,4", code=0).stdout.rstrip(b"\n"))
    equal(run("sample", pack, "-", stdin=b"", code=0).stdout, b"")


@claim
def a_bad_line_is_named_after_the_answers_before_it():
    pack = deep_pack()
    for bad in (b"1;2", b"", b"95,0", b"1,2,3", b"x" * 5000, b"1,\x002"):
        result = run("sample", pack, "-", "--json", stdin=b"1,2\n3,4\n" + bad + b"\n5,6\n", code=3)
        equal(len(result.stdout.splitlines()), 2, bad[:20])
        check(b"line 3" in result.stderr, result.stderr)


@claim
def answers_come_as_soon_as_their_line_is_there():
    process = subprocess.Popen([TERRANE, "sample", deep_pack(), "-", "--json"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    for point in (b"1,2\n", b"3,4\n"):
        process.stdin.write(point)
        process.stdin.flush()
        check("height_m" in json.loads(process.stdout.readline()))
    process.stdin.close()
    equal(process.wait(timeout=30), 0)
    process.stdout.close()


@claim
def what_the_pack_lacks_is_null():
    pack = bake("face.terrane", "--face", "0")
    check(answer("sample", pack, "0,0", "--json")["level"] == 1)
    equal(answer("sample", pack, "0,180", "--json"), None)
    result = run("sample", pack, "-", "--json", stdin=b"0,180\n0,0\n90,0\n", code=0).stdout.splitlines()
    check(result[0] == b"null" and result[2] == b"null" and json.loads(result[1])["level"] == 1)
    equal(run("sample", pack, "0,180", code=0).stdout, b"nothing\n")

    heights = answer("sample", bake("heights.terrane", "--layers", "height"), "12,34", "--json")
    check(heights["normal"] is None and heights["color"] is None and heights["slope_deg"] > 0)
    colors = answer("sample", bake("colors.terrane", "--layers", "color"), "12,34", "--json")
    check(colors["height_m"] is None and colors["slope_deg"] is None and len(colors["color"]) == 3)
    normals = answer("sample", bake("normals.terrane", "--layers", "normal"), "12,34", "--json")
    check(abs(normals["slope_deg"] - heights["slope_deg"]) < 0.1 * heights["slope_deg"], normals, heights)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether planets have the statistics of Earth: reads packs by `terrane stats --json` and nothing else.

    tests/planet_stats.py PACK...                          packs that stand, at least as fine as those of --bake
    tests/planet_stats.py --bake [PROGRAM] --seeds 1-10    bakes them first: depth 3, 128 intervals, heights only
    tests/planet_stats.py --targets                        what is asked for

One line a planet; a figure that is out of bounds has a star. The last line counts: "N passed, M failed". Exit code 1
if a planet fails, 2 for a wrong command line, 3 where a program fails. Standard library only.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("TERRANE", os.path.join(ROOT, "build", "release", "terrane"))
WIDTH = 2048
DEPTH, INTERVALS = 3, 128

# S(l) of Earth in square metres, l = 1, 2, 3, ...: ETOPO5 as a raster planet, baked to DEPTH with INTERVALS and measured
# by this very tool.
EARTH = [
    969800, 714500, 823500, 789300, 688800, 277100, 251200, 117100, 148800, 139300, 80120, 64310, 84740, 82580,
    63020, 63220, 80160, 47580, 24010, 33240, 38310, 26460, 22270, 27600, 26600, 34520, 18210, 20540, 15910, 25560,
    13560, 13090, 13830, 14440, 14870, 13810, 13180, 8826, 12000, 8957, 11220, 10620, 8711, 8542, 9177, 9242, 6988,
    7035, 7310, 5636, 6414, 5354, 6030, 5370, 4923, 4237, 5272, 3785, 4568, 4219, 4556, 3527, 4234, 3906, 3985,
    3858, 3446, 3162, 3835, 3500, 3403, 2710, 2884, 2852, 2602, 2542, 2349, 2787, 2552, 2192, 2631, 2562, 2064,
    1883, 1893, 2258, 2165, 2095, 2009, 1883, 2175, 1747, 1637, 1930, 1995, 1674, 1473, 1866, 1351, 1413, 1193,
    1406, 1898, 1402, 1454, 1341, 1432, 1641, 1357, 1433, 1538, 1293, 1271, 1380, 1212, 1148, 1210, 1150, 1087,
    1138, 998.7, 1006, 1157, 1064, 1265, 1153, 1163, 1033, 985.9, 883.8, 1015, 969.9, 853.6, 1021, 880.7, 897.1,
    994.7, 911.9, 795.7, 911.8, 816.3, 745.1, 906.8, 866.4, 676.3, 736.1, 773.7, 795.8, 752.5, 778.3, 796.8, 751.4,
    768.6, 611.9, 691.5, 760.1, 740.2, 663.3, 798.8, 708.7, 646, 664.9, 782.6, 646.2, 676.8, 704.5, 677.2, 668.7,
    589, 567.6, 662.6, 564.5, 610.9, 601.3, 599.6, 584.1, 560, 515.5, 608, 564.1, 479, 550.6, 544.9, 544.5, 467.1,
    531.2, 542.1, 515.5, 509.4, 402.8, 508.2, 459.4, 524.8, 430.2, 448.7, 467.3, 492, 459.9, 418.8, 451, 401.8,
    441.1, 411.6, 380.4, 383.1, 465.3, 376.8, 405, 400.3, 451.1, 403.2, 428.8, 356.2, 390.9, 372.9, 382.7, 365.5,
    364.8, 349.8, 371.3, 347.1, 333.2, 322.3, 334.9, 334, 321.8, 292.9, 312.3, 347.2, 334.6, 327.4, 362.3, 328.6,
    331.3, 307.6, 321.2, 272.8, 309.6, 328.3, 280.7, 294.6, 275.2, 277.8, 293, 281.3, 279.8, 267.9, 276, 234,
    269.2, 261.4, 241.8, 266.4, 215.8, 268.5, 259.3, 266, 227.8, 266, 255.5, 217.6, 210.9, 238.4, 213.3, 202.1,
    216.2, 230.6, 209, 225.7, 241.5, 230.5, 226.2, 201, 212.6, 219.9, 204.2, 216.5, 216, 216.8, 224.4, 196.7, 243,
    211, 185.5, 183.9, 190.7, 173.5, 177.5, 167.4, 201.2, 193.5, 200.1, 190.8, 183.1, 183.6, 169.8, 171.3, 192.9,
    171, 181.2, 166.3, 162.4,
]
FIRST, LAST = 3, 300  # the degrees that are compared
SMOOTH = 2            # each with so many neighbours to both sides
FACTOR = 2.5

# Least and greatest of each figure, in its unit. Percentiles and slopes of Earth with what they may be off.
BOUNDS = {
    "land %": (27, 31),
    "land m": (750, 900),
    "sea m": (-3900, -3500),
    "p10": (-5199 - 150, -5199 + 150),
    "p50": (-3320 - 150, -3320 + 150),
    "p90": (733 - 150, 733 + 150),
    "S min": (1 / FACTOR, None),
    "S max": (None, FACTOR),
    "S slope": (-2.15, -1.85),
    "slp50": (0.20 * 0.7, 0.20 * 1.3),
    "slp90": (1.46 * 0.7, 1.46 * 1.3),
    "slp99": (4.46 * 0.7, 4.46 * 1.3),
    "valley %": (None, 20),
}
DIGITS = {"land %": 1, "land m": 0, "sea m": 0, "p10": 0, "p50": 0, "p90": 0, "S min": 3, "S max": 3, "S slope": 2,
          "slp50": 3, "slp90": 2, "slp99": 2, "valley %": 1}
MEANINGS = {
    "land %": "share of the area",
    "land m": "mean height of the land",
    "sea m": "mean height of the sea floor",
    "p10": "10 % of the area is lower, m",
    "p50": "50 % of the area is lower, m",
    "p90": "90 % of the area is lower, m",
    "S min": "least ratio of S(l), smoothed over 5 degrees, to Earth's, l = %d..%d (at which l)" % (FIRST, LAST),
    "S max": "greatest ratio (at which l)",
    "S slope": "exponent of S(l) over l = 20..100",
    "slp50": "slopes on a map of %d columns, degrees: median" % WIDTH,
    "slp90": "90 %",
    "slp99": "99 %",
    "valley %": "emptiest 250 m bin from -3 to -1 km, against the lower of the fullest bins beside that range",
}


class Trouble(Exception):
    pass


def terrane(*arguments):
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode:
        raise Trouble(done.stderr.decode(errors="replace").strip() or "%s: exit code %d" % (arguments[0],
                                                                                            done.returncode))
    return done.stdout


def smoothed(power, degree):
    """power[0] belongs to degree 1."""
    return sum(power[degree - 1 - SMOOTH:degree + SMOOTH]) / (2 * SMOOTH + 1)


def ratios(spectrum):
    """(ratio to Earth, degree) of each degree."""
    mine = spectrum[1:]
    return [(smoothed(mine, degree) / smoothed(EARTH, degree), degree) for degree in range(FIRST, LAST + 1)]


def valley_percent(histogram):
    """How full the emptiest bin between the two peaks is, against the lower peak."""
    if histogram["bin_m"] != 250:
        return 100.0  # far from the relief of Earth
    low, valley, high = [], [], []
    for number, share in enumerate(histogram["shares"]):
        middle_m = histogram["start_m"] + 250 * (number + 0.5)
        (low if middle_m < -3000 else valley if middle_m < -1000 else high).append(share)
    if not low or not valley or not high:
        return 100.0
    return 100 * min(valley) / min(max(low), max(high))


def figures(stats):
    """Figures by the names of BOUNDS, and notes on some of them."""
    if stats["lmax_trusted"] < LAST:
        raise Trouble("its spectrum is good to degree %d only: bake to depth %d with --tile %d" % (
            stats["lmax_trusted"], DEPTH, INTERVALS))
    if not stats["land_share"] or stats["mean_ocean_m"] is None:
        raise Trouble("has no land or no sea")
    least, greatest = min(ratios(stats["spectrum"])), max(ratios(stats["spectrum"]))
    values = {
        "land %": 100 * stats["land_share"],
        "land m": stats["mean_land_m"],
        "sea m": stats["mean_ocean_m"],
        "p10": stats["percentiles"]["10"],
        "p50": stats["percentiles"]["50"],
        "p90": stats["percentiles"]["90"],
        "S min": least[0],
        "S max": greatest[0],
        "S slope": stats["spectrum_slopes"]["20-100"],
        "slp50": stats["slope"]["median_deg"],
        "slp90": stats["slope"]["p90_deg"],
        "slp99": stats["slope"]["p99_deg"],
        "valley %": valley_percent(stats["histogram"]),
    }
    return values, {"S min": "@%d" % least[1], "S max": "@%d" % greatest[1]}


def inside(name, value):
    low, high = BOUNDS[name]
    return (low is None or value >= low) and (high is None or value <= high)


def row_of(label, cells):
    return "%-16s" % label[-16:] + "".join("%*s" % (13 if name in ("S min", "S max") else 9, cell)
                                           for name, cell in cells.items())


def measure(program, pack, label):
    """Prints the planet's line; whether all is in bounds."""
    stats = json.loads(terrane(program, "stats", pack, "--json", "--width", str(WIDTH)))
    values, notes = figures(stats)
    cells = {name: "%.*f%s%s" % (DIGITS[name], value, notes.get(name, ""), " " if inside(name, value) else "*")
             for name, value in values.items()}
    print(row_of(label or "%s %s" % (stats["planet"], stats["seed"]), cells), flush=True)
    return all(inside(name, value) for name, value in values.items())


def seeds_of(text):
    """"1-3,7" -> [1, 2, 3, 7]."""
    seeds = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        seeds += range(int(first), int(last or first) + 1)
    if not seeds or len(seeds) > 1000:
        raise ValueError
    return seeds


def bake_and_measure(options):
    results = []
    with tempfile.TemporaryDirectory(prefix="planet-stats-") as folder:
        for seed in options.seeds:
            pack = os.path.join(folder, "planet.terrane")
            terrane(options.program, "bake", "-o", pack, "--planet", options.planet, "--seed", str(seed), "--depth",
                    str(DEPTH), "--tile", str(INTERVALS), "--layers", "height", "--force", "-q",
                    *(part for value in options.set for part in ("--set", value)))
            results.append(measure(options.program, pack, ""))
    return results


def print_targets():
    for name, (low, high) in BOUNDS.items():
        ends = ["%.*f" % (DIGITS[name], end) if end is not None else "" for end in (low, high)]
        print("%-9s %8s to %-8s %s" % (name, ends[0], ends[1], MEANINGS[name]))


def main():
    parser = argparse.ArgumentParser(description="Whether planets have the statistics of Earth.")
    parser.add_argument("packs", nargs="*", metavar="PACK")
    parser.add_argument("--bake", nargs="?", const=PROGRAM, metavar="PROGRAM", help="bake with this program")
    parser.add_argument("--seeds", type=seeds_of, default=[1], metavar="LIST", help="as 1-3,7; default 1")
    parser.add_argument("--planet", default="earthlike", metavar="NAME|FILE", help="default earthlike")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as terrane bake has it")
    parser.add_argument("--program", default=PROGRAM, help="that measures packs; default %s" % PROGRAM)
    parser.add_argument("--targets", action="store_true", help="say what is asked for")
    options = parser.parse_args()
    if options.targets:
        print_targets()
        return 0
    if bool(options.packs) == bool(options.bake):
        parser.error("either packs or --bake")
    print(row_of("planet, seed", {name: name + " " for name in BOUNDS}))
    try:
        if options.bake:
            options.program = options.bake
            results = bake_and_measure(options)
        else:
            results = [measure(options.program, pack, os.path.basename(pack)) for pack in options.packs]
    except (Trouble, OSError) as trouble:
        print("planet_stats: %s" % trouble, file=sys.stderr)
        return 3
    print("%d passed, %d failed" % (results.count(True), results.count(False)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""terrane stats from outside: planets whose statistics are known in closed form, the JSON, the picture, refusals."""
import random

from terrane_cli import *

PERCENTILES = ["1", "5", "10", "20", "30", "40", "50", "60", "70", "80", "90", "95", "99"]


def planet(name, text, *arguments, **more):
    with open(path(name + ".planet"), "w") as file:
        file.write(text)
    return bake(name + ".terrane", "--layers", "height", *arguments, planet=name + ".planet", **more)


def zonal():
    """1000 P_2(sin latitude) on a small body, sea at 0."""
    return planet("zonal", "radius = 100000\nsea = 0\nheight = 500 * (3 * z * z - 1)\n", tile=64, depth=2)


def tilted():
    """The same about another axis, so that no row of a map is of one height."""
    return planet("tilted", "radius = 100000\nsea = 0\nw = 0.48 * x + 0.64 * y + 0.6 * z\n"
                  "height = 500 * (3 * w * w - 1)\n", tile=64, depth=2)


def near(got, expected, tolerance, *what):
    check(abs(got - expected) <= tolerance, "got", got, "expected", expected, *what)


def near_zero(values, tolerance):
    check(max(values) <= tolerance, "not nothing:", max(values), "at", values.index(max(values)))


@claim
def heights_of_a_closed_form_planet_have_its_figures():
    got = answer("stats", tilted(), "--json", "--width", "1024")
    zero = 1 / math.sqrt(3)  # where the height is 0
    near(got["land_share"], 1 - zero, 2e-4)
    near(got["mean_land_m"], 500 * (zero - zero ** 3) / (1 - zero), 0.5)
    near(got["mean_ocean_m"], -500 * (zero - zero ** 3) / zero, 0.5)
    near(got["mean_m"], 0, 0.1)
    near(got["sd_m"], 1000 / math.sqrt(5), 0.1)
    near(got["min_m"], -500, 0.1)
    near(got["max_m"], 1000, 0.1)
    equal(list(got["percentiles"]), PERCENTILES)
    for key in PERCENTILES:
        near(got["percentiles"][key], 500 * (3 * (int(key) / 100) ** 2 - 1), 1, key)
    shares = [share for share, _ in got["hypsometry"]]
    equal((shares[0], shares[-1], shares), (0, 1, sorted(shares)))
    for share, height_m in got["hypsometry"]:
        near(height_m, 500 * (3 * (1 - share) ** 2 - 1), 1, share)
    histogram = got["histogram"]
    equal((histogram["bin_m"], histogram["start_m"]), (10, -500))
    near(sum(histogram["shares"]), 1, 1e-6)
    for number, share in enumerate(histogram["shares"]):
        ends = [math.sqrt(max((height / 500 + 1) / 3, 0)) for height in (-500 + 10 * number, -490 + 10 * number)]
        near(share, min(ends[1], 1) - min(ends[0], 1), 3e-4, number)


def expected_slopes(steepness):
    """(share, degrees) by steepness(direction), rise over run, over the area within 60 degrees of the equator."""
    slopes = []
    for row in range(120):
        latitude = row + 0.5 - 60
        for column in range(180):
            slope = math.degrees(math.atan(steepness(direction(latitude, 2 * column + 0.3))))
            slopes.append((slope, math.cos(math.radians(latitude))))
    slopes.sort()
    total, below = sum(weight for _, weight in slopes), 0
    for slope, weight in slopes:
        below += weight
        yield below / total, slope


@claim
def slopes_are_those_of_the_ground_along_and_across_meridians():
    # Heights of 500 (3 w^2 - 1) metres fall by 3000 w sqrt(1 - w^2) a radian.
    def steepness(w):
        return abs(3000 * w) * math.sqrt(max(1 - w * w, 0)) / 100000

    for pack, axis in ((zonal(), (0, 0, 1)), (tilted(), (0.48, 0.64, 0.6))):
        got = answer("stats", pack, "--json", "--width", "1024")["slope"]
        near(got["spacing_m"], math.pi * 100000 / 512, 1e-3)
        equal(got["latitude_max_deg"], 60)
        expected = list(expected_slopes(lambda dir: steepness(dot(dir, axis))))
        for key, wanted in (("median_deg", 0.5), ("p90_deg", 0.9), ("p99_deg", 0.99)):
            near(got[key], next(slope for share, slope in expected if share >= wanted), 1e-2, key)
        for wanted, got_deg in got["quantiles"]:
            slope = next((slope for share, slope in expected if share >= wanted), expected[-1][1])
            near(got_deg, slope, 3e-2, wanted)


@claim
def spectra_of_closed_form_planets_are_theirs():
    got = answer("stats", zonal(), "--json", "--width", "512")
    near(got["spectrum"][2], 1000 ** 2 / 5, 200)
    near_zero(got["spectrum"][:2] + got["spectrum"][3:], 0.1)
    # Of an order other than 0: 500 z (x^2 - y^2) is 1000 / sqrt(105) Y_3,2.
    tesseral = planet("tesseral", "height = 500 * z * (x * x - y * y)\n", tile=64, depth=2)
    got = answer("stats", tesseral, "--json", "--width", "512")
    near(got["spectrum"][3], 1000 ** 2 / 105, 10)
    near_zero(got["spectrum"][:3] + got["spectrum"][4:], 0.01)
    got = answer("stats", bake("plain.terrane", tile=64, depth=2), "--json", "--width", "512")
    expected = [300 ** 2, (900 ** 2 + 600 ** 2) / 3, (2400 ** 2 + 1500 ** 2 + 1500 ** 2) / 15, 1800 ** 2 / 105]
    for degree, power in enumerate(expected):
        near(got["spectrum"][degree], power, 1e-3 * power, degree)
    near_zero(got["spectrum"][4:], 0.1)
    near(sum(got["spectrum"]), got["mean_m"] ** 2 + got["sd_m"] ** 2, 1)


@claim
def the_fitted_slope_is_that_of_the_noise():
    # An fbm whose gain and lacunarity make S(l) ~ l^-2.
    noise = planet("noise", "height = 3000 * fbm(9000e3, octaves = 12, gain = 0.7071, lacunarity = 2)\n", tile=128,
                   depth=2)
    got = answer("stats", noise, "--json", "--width", "1024")
    equal((got["lmax"], got["lmax_trusted"], len(got["spectrum"])), (255, 255, 256))
    near(got["spectrum_slopes"]["20-100"], -2, 0.25)
    equal(list(got["spectrum_slopes"]), ["3-20", "20-100", "100-300"])
    points = [(math.log(l), math.log(got["spectrum"][l])) for l in range(20, 101)]
    mean = [sum(point[k] for point in points) / len(points) for k in (0, 1)]
    fit = (sum((x - mean[0]) * (y - mean[1]) for x, y in points) / sum((x - mean[0]) ** 2 for x, _ in points))
    near(got["spectrum_slopes"]["20-100"], fit, 1e-4)
    equal(got["spectrum_slopes"]["100-300"], None)


@claim
def the_json_names_what_was_measured():
    got = answer("stats", zonal(), "--json")
    equal((got["schema"], got["planet"], got["seed"], got["radius_m"]), (1, "zonal", "1", 100000.0))
    equal((got["width"], got["level"], got["sea_m"]), (2048, 2, 0.0))
    near(got["spacing_m"], math.pi * 100000 / 1024, 1e-3)
    near(got["pack_spacing_m"], math.pi / 2 * 100000 / 256, 1e-3)
    equal((got["lmax"], got["lmax_trusted"]), (511, 128))
    # Of a pack that is finer than the grid the level is taken that is twice as fine.
    equal(answer("stats", bake("deep.terrane", depth=4), "--json", "--width", "256")["level"], 2)


@claim
def without_a_sea_or_land_their_figures_are_null():
    dry = planet("dry", "height = 1000 * z\n")
    got = answer("stats", dry, "--json", "--width", "256")
    equal([got[key] for key in ("sea_m", "land_share", "mean_land_m", "mean_ocean_m")], [None] * 4)
    ocean = answer("stats", planet("ocean", "sea = 2000\nheight = 1000 * z\n"), "--json", "--width", "256")
    equal([ocean[key] for key in ("sea_m", "land_share", "mean_land_m")], [2000.0, 0.0, None])
    near(ocean["mean_ocean_m"], 0, 0.01)
    land = answer("stats", planet("land", "sea = -2000\nheight = 1000 * z\n"), "--json", "--width", "256")
    equal((land["land_share"], land["mean_ocean_m"]), (1.0, None))
    ball = answer("stats", planet("ball", "height = 7\n"), "--json", "--width", "256")
    equal((ball["min_m"], ball["max_m"], ball["sd_m"], ball["slope"]["p99_deg"]), (7.0, 7.0, 0.0, 0.0))
    equal(ball["histogram"]["shares"], [1.0])
    equal(ball["spectrum_slopes"]["3-20"], None)


@claim
def threads_change_no_byte():
    first = run("stats", zonal(), "--json", "--width", "512", "-j", "1", code=0).stdout
    for threads in ("2", "5"):
        equal(run("stats", zonal(), "--json", "--width", "512", "-j", threads, code=0).stdout, first)


@claim
def the_table_stands_beside_real_planets():
    text = run("stats", zonal(), "--width", "256", code=0).stdout.decode()
    header = next(line for line in text.splitlines() if "Earth" in line)
    equal(header.split(), ["this", "planet", "Earth", "Mars", "Moon"])
    rows = {line[:24].strip(): line[24:].split() for line in text.splitlines() if len(line) > 24}
    equal(rows["land, % of area"][1:], ["28.7", "-", "-"])
    near(float(rows["land, % of area"][0]), 42.3, 0.5)
    equal(rows["50 % are below, m"][1:], ["-3320", "-152", "-647"])
    check(b"good to degree 63 of 63" in text.encode(), text)


@claim
def plots_are_a_picture_with_all_its_curves():
    run("stats", zonal(), "-o", "plots.png", "--json", "--width", "256", code=0)
    picture = picture_file("plots.png")
    equal((picture.width, picture.height, picture.bits, picture.channels), (1600, 1240, 8, 3))
    colors = {picture.samples[start:start + 3].tobytes() for start in range(0, len(picture.samples), 3)}
    # The planet, the Moon, Earth, Mars, and the white ground.
    for color in ("c2185b", "7f8791", "1f77b4", "d9822b", "ffffff"):
        check(bytes.fromhex(color) in colors, color)
    white = sum(1 for start in range(0, len(picture.samples), 300) if picture.samples[start] == 255)
    check(0.5 < white / (len(picture.samples) / 300) < 0.98, white)
    # Each of the four diagrams has its own curve.
    for left, top in ((96, 140), (896, 140), (96, 710), (896, 710)):
        own = sum(picture.at(x, y) == (0xc2, 0x18, 0x5b) for x in range(left, left + 672, 2)
                  for y in range(top + 60, top + 440, 2))
        check(own > 40, left, top, own)


@claim
def an_existing_picture_is_replaced_only_when_forced():
    with open(path("mine.png"), "w") as file:
        file.write("mine")
    check(b"--force" in run("stats", zonal(), "-o", "mine.png", code=4).stderr)
    with open(path("mine.png")) as file:
        equal(file.read(), "mine")
    run("stats", zonal(), "-o", "mine.png", "--force", "--width", "256", code=0)
    with open(path("mine.png"), "rb") as file:
        equal(file.read(4), b"\x89PNG")
    run("stats", zonal(), "-o", "no/such/folder.png", "--width", "256", code=4)


@claim
def wrong_widths_are_refused():
    for width in ("1000", "2047", "0", "128", "16384", "1e3", "-256", "x"):
        error = run("stats", zonal(), "--width=" + width, code=2).stderr.decode()
        check("--width " + width in error and "256" in error and "8192" in error, error)
    run("stats", code=2)
    run("stats", zonal(), "--layer", "height", code=2)


@claim
def packs_that_cannot_be_measured_are_refused():
    with open(path("no.terrane"), "w") as file:
        file.write("not a pack")
    run("stats", "no.terrane", code=3)
    run("stats", "missing.terrane", code=3)
    colors = bake("colors.terrane", "--layers", "color")
    check(b"height" in run("stats", colors, "-o", "none.png", code=3).stderr)
    faces = bake("faces.terrane", "--face", "0", "--face", "1")
    check(b"incomplete" in run("stats", faces, "-o", "none.png", code=3).stderr)
    share = bake("share.terrane", "--shard", "2/3", depth=2)
    check(b"incomplete" in run("stats", share, "-o", "none.png", code=3).stderr)
    check(not exists("none.png"))


@claim
def damage_is_named():
    with open(zonal(), "rb") as file:
        data = bytearray(file.read())
    # Between the metadata and the index: in the tiles.
    for place in random.Random(1).sample(range(len(data) // 4, len(data) // 2), 8):
        data[place] ^= 0x40
    with open(path("damaged.terrane"), "wb") as file:
        file.write(data)
    result = run("stats", "damaged.terrane", code=3)
    equal(result.stdout, b"")


# ---- tests/planet_stats.py, which stands on it ------------------------------------------------------------------------
def planet_stats(*arguments):
    program = os.path.join(ROOT, "tests", "planet_stats.py")
    return subprocess.run([sys.executable, program, "--program", TERRANE, *arguments], cwd=FOLDER, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@claim
def planet_stats_marks_what_is_out_of_bounds():
    # 4096 samples around are asked for; plain is quickly baked, and has land and sea but no relief like Earth's.
    result = planet_stats(bake("fine.terrane", "--layers", "height", tile=512, depth=1))
    equal(result.returncode, 1, result.stderr)
    head, line, last = result.stdout.decode().splitlines()
    equal(last, "0 passed, 1 failed")
    check("land %" in head and "valley %" in head, head)
    check(line.count("*") >= 10, line)
    result = planet_stats(zonal())
    equal((result.returncode, b"degree 128" in result.stderr), (3, True))
    equal(planet_stats().returncode, 2)
    equal(planet_stats("--targets").returncode, 0)


main()

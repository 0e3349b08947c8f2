#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What terrane draws: tile, extract and map, read by a PNG decoder that is not libpng."""
import functools
import random

from terrane_cli import *

INTERVALS = 32
SIDE = INTERVALS + 1


def pack():
    return bake("pack.terrane", depth=2)


@functools.lru_cache(maxsize=None)
def unit_m(name):
    return answer("info", name, "--json")["height_unit_m"]


def tile(name, node, layer, *more):
    return run("tile", name, node, "--layer", layer, *more, code=0).stdout


# ---- tile ------------------------------------------------------------------------------------------------------------
@claim
def heights_are_terrarium_and_say_so():
    picture = Picture(tile(pack(), "2/1/0/1", "height"))
    heights = int32s(tile(pack(), "2/1/0/1", "height", "--raw"))
    equal((picture.width, picture.height, picture.bits, picture.channels), (SIDE, SIDE, 8, 3))
    check("R * 256 + G + B / 256 - 32768" in picture.texts["Encoding"], picture.texts)
    equal([terrarium_m(picture.at(k % SIDE, k // SIDE)) for k in range(SIDE * SIDE)],
          [height * unit_m(pack()) for height in heights])


@claim
def gray_heights_run_from_least_to_greatest():
    picture = Picture(tile(pack(), "0/2/3/1", "height", "--gray16"))
    heights = int32s(tile(pack(), "0/2/3/1", "height", "--raw"))
    equal((picture.width, picture.height, picture.bits, picture.channels), (SIDE, SIDE, 16, 1))
    low, high = float(picture.texts["height_min_m"]), float(picture.texts["height_max_m"])
    equal((low, high), (min(heights) * unit_m(pack()), max(heights) * unit_m(pack())))
    equal((min(picture.samples), max(picture.samples)), (0, 65535))
    step = (high - low) / 65535
    for sample, height in zip(picture.samples, heights):
        check(abs(low + sample * step - height * unit_m(pack())) <= step / 2 * 1.0001, sample, height)


@claim
def normals_and_colors_are_pictures_of_their_own():
    normals, colors = Picture(tile(pack(), "0/0/0/0", "normal")), Picture(tile(pack(), "0/0/0/0", "color"))
    equal((normals.width, normals.bits, normals.channels), (SIDE, 16, 3))  # over 1 km between samples
    equal((colors.width, colors.bits, colors.channels), (SIDE, 8, 3))
    check("sRGB" in colors.chunks and "sRGB" not in normals.chunks)
    small = bake("small.terrane", "--radius", "5000", depth=0)
    equal(Picture(tile(small, "0/0/0/0", "normal")).bits, 8)


@claim
def row_0_is_the_tiles_northern_side_on_the_equators_faces():
    # height = 1000 latitude: t grows to the north on faces 0 and 1.
    with open(path("north.planet"), "w") as file:
        file.write("height = 10000 * z\n")
    name = bake("north.terrane", planet="north.planet")
    for face in (0, 1):
        heights = int32s(tile(name, "%d/1/0/0" % face, "height", "--raw"))
        check(heights[0] > heights[-1] and heights[16] > heights[-17] + 1000)
        check(abs(heights[-1]) < 10 and abs(heights[-17]) < 10, "the last row of the upper tile is the equator")


@claim
def a_tile_goes_to_a_file_as_it_goes_to_stdout():
    for layer in ("height", "normal", "color"):
        run("tile", pack(), "1/2/0/3", "--layer", layer, "-o", layer + ".png", code=0)
        with open(path(layer + ".png"), "rb") as file:
            equal(file.read(), tile(pack(), "1/2/0/3", layer))


@claim
def nodes_that_are_none_or_not_there_are_refused():
    for node in ("6/0/0/0", "0/25/0/0", "0/1/2/0", "0/1/0/2", "0/0/0", "0/0/0/0/0", "-1/0/0/0", "a", "0/0/0/ 0", "0/00/0/0"):
        check(node.encode() in run("tile", pack(), "--layer", "color", "--", node, code=2).stderr)
    check(b"0/3/0/0" in run("tile", pack(), "0/3/0/0", "--layer", "height", code=3).stderr)
    check(b"normal" in run("tile", bake("heights.terrane", "--layers", "height"), "0/0/0/0", "--layer", "normal",
                           code=3).stderr)


@claim
def heights_beyond_terrarium_are_refused_with_the_ways_out():
    with open(path("tall.planet"), "w") as file:
        file.write("radius = 60000000\nheight = 40000 * z\n")
    name = bake("tall.terrane", planet="tall.planet")
    run("tile", name, "0/0/0/0", "--layer", "height", code=0)  # up to 28,284 m there
    for arguments in (["tile", name, "2/0/0/0", "--layer", "height"], ["extract", name, "-o", "tall"],
                      ["map", name, "-o", "tall.png", "--style", "height", "--width", "64"]):
        error = run(*arguments, code=3).stderr
        check(b"--raw" in error and b"--gray16" in error, error)
    check(not exists("tall") and not exists("tall.png"))
    equal(max(int32s(tile(name, "2/0/0/0", "height", "--raw"))) * unit_m(name), 40000)
    equal(Picture(tile(name, "2/0/0/0", "height", "--gray16")).texts["height_max_m"], "40000")
    run("extract", name, "-o", "tall", "--gray16", "--layers", "height", code=0)
    run("map", name, "-o", "tall.raw", "--style", "height", "--raw", "--width", "64", code=0)


# ---- extract ---------------------------------------------------------------------------------------------------------
def files_under(name):
    found = set()
    for folder, _, files in os.walk(path(name)):
        found |= {os.path.relpath(os.path.join(folder, file), path(name)) for file in files}
    return found


@claim
def extract_writes_each_tile_as_tile_does():
    run("extract", pack(), "-o", "all", code=0)
    expected = {"%s/%d/%d/%d/%d.png" % (layer, face, level, x, y) for layer in ("height", "normal", "color")
                for face in range(6) for level in range(3) for x in range(1 << level) for y in range(1 << level)}
    equal(files_under("all"), expected)
    for name in random.Random(2).sample(sorted(expected), 12):
        layer, node = name[:-4].split("/", 1)
        with open(path(os.path.join("all", name)), "rb") as file:
            equal(file.read(), tile(pack(), node, layer), name)


@claim
def extract_takes_levels_faces_and_layers():
    run("extract", pack(), "-o", "some", "--levels", "1-2", "--face", "4", "--layers", "color,height", code=0)
    equal(files_under("some"), {"%s/4/%d/%d/%d.png" % (layer, level, x, y) for layer in ("height", "color")
                                for level in (1, 2) for x in range(1 << level) for y in range(1 << level)})
    run("extract", pack(), "-o", "one", "--levels", "0", "--layers", "height", "--gray16", code=0)
    equal(files_under("one"), {"height/%d/0/0/0.png" % face for face in range(6)})
    equal(picture_file("one/height/0/0/0/0.png").bits, 16)
    check(b"levels" in run("extract", pack(), "-o", "none", "--levels", "7-9", code=3).stderr)
    check(not exists("none"))
    for levels in ("2-1", "1-25", "-1", "1-", "-", "a", "1-2-3", "99999999999-1"):
        error = run("extract", pack(), "-o", "none", "--levels=" + levels, code=2).stderr.decode()
        check("--levels " + levels in error and "0 to 24" in error, error)
    for layers in ("", "heights", "height,", "height,height", ",color"):
        run("extract", pack(), "-o", "none", "--layers=" + layers, code=2)
    run("extract", bake("heights.terrane", "--layers", "height"), "-o", "none", "--layers", "color", code=3)
    check(not exists("none"))


@claim
def extract_writes_into_a_full_folder_only_when_forced():
    os.mkdir(path("full"))
    with open(path("full/mine.txt"), "w") as file:
        file.write("keep")
    check(b"--force" in run("extract", pack(), "-o", "full", "--levels", "0", code=4).stderr)
    equal(files_under("full"), {"mine.txt"})
    run("extract", pack(), "-o", "full", "--levels", "0", "--layers", "color", "--force", code=0)
    run("extract", pack(), "-o", "full", "--levels", "0", "--layers", "color", "--force", code=0)
    equal(files_under("full"), {"mine.txt"} | {"color/%d/0/0/0.png" % face for face in range(6)})
    os.mkdir(path("empty"))
    run("extract", pack(), "-o", "empty", "--levels", "0", "--layers", "color", code=0)
    equal(len(files_under("empty")), 6)
    check(b"folder" in run("extract", pack(), "-o", "full/mine.txt", "--force", code=4).stderr)
    run("extract", pack(), "-o", "no/such/folder", code=4)


# ---- map -------------------------------------------------------------------------------------------------------------
def centers(width):
    for row in range(width // 2):
        for column in range(width):
            yield 90 - (row + 0.5) * 360 / width, (column + 0.5) * 360 / width - 180


def make_map(name, *arguments, source=None):
    run("map", source or pack(), "-o", name, "--force", *arguments, code=0)
    with open(path(name), "rb") as file:
        return file.read()


@claim
def map_pixels_are_the_planet_at_their_centers():
    width = 48
    lines = "".join("%r,%r\n" % point for point in centers(width)).encode()
    samples = [json.loads(line) for line in run("sample", pack(), "-", "--json", stdin=lines, code=0).stdout.splitlines()]
    raw = int32s(make_map("map.raw", "--style", "height", "--raw", "--width", str(width), "--level", "24"))
    equal([height * unit_m(pack()) for height in raw], [sample["height_m"] for sample in samples])
    colors = Picture(make_map("map.png", "--width", str(width), "--level", "24"))
    equal((colors.width, colors.height, colors.bits, colors.channels), (width, width // 2, 8, 3))
    equal(list(colors.samples), [part for sample in samples for part in sample["color"]])
    normals = Picture(make_map("map.png", "--width", str(width), "--level", "24", "--style", "normal"))
    expected = [int(128.5 + 127 * part) for sample in samples for part in sample["normal"]]
    check(max(abs(a - b) for a, b in zip(normals.samples, expected)) <= 1)
    heights = Picture(make_map("map.png", "--width", str(width), "--level", "24", "--style", "height"))
    check("Terrarium" in heights.texts["Encoding"])
    equal([terrarium_m(heights.at(k % width, k // width)) for k in range(len(samples))],
          [sample["height_m"] for sample in samples])


@claim
def maps_are_north_up_and_begin_at_180_west():
    # Height tells the latitude, and the colour's channels the axes, by a formula instead of this program's geometry.
    with open(path("axes.planet"), "w") as file:
        file.write("height = 1000 * z\n"
                   "color = mix(mix(#000000, #ff0000, 0.5 + 0.5 * x), mix(#00ff00, #ffff00, 0.5 + 0.5 * x), "
                   "0.5 + 0.5 * y)\n")
    name = bake("axes.terrane", planet="axes.planet", depth=2)
    width = 64
    raw = int32s(make_map("axes.raw", "--style", "height", "--raw", "--width", str(width), source=name))
    colors = Picture(make_map("axes.png", "--width", str(width), source=name))
    for k, (latitude, longitude) in enumerate(centers(width)):
        x, y, z = direction(latitude, longitude)
        check(abs(raw[k] * unit_m(name) - 1000 * z) < 2, latitude, longitude)
        red, green, _ = colors.at(k % width, k // width)
        for channel, axis in ((red, x), (green, y)):
            linear = 0.5 + 0.5 * axis
            encoded = 255 * (12.92 * linear if linear <= 0.0031308 else 1.055 * linear**(1 / 2.4) - 0.055)
            check(abs(channel - encoded) <= 1.5, latitude, longitude, channel, encoded)


@claim
def the_level_is_capped_or_follows_from_the_width():
    tiles = pack()
    # 4 N 2^level samples along the equator: as many as pixels, and twice as many for heights.
    for width, color_level, height_level in ((64, 0, 0), (128, 0, 1), (130, 1, 2), (256, 1, 2), (258, 2, 2)):
        def made(level, style):
            more = ["--level", str(level)] if level is not None else []
            return make_map("level.out", "--width", str(width), *style, *more, source=tiles)
        equal(made(None, []), made(color_level, []), width)
        raw = ["--style", "height", "--raw"]
        equal(made(None, raw), made(height_level, raw), width)
        check(made(0, raw) != made(2, raw))


@claim
def relief_shades_slopes_from_the_north_west():
    with open(path("dome.planet"), "w") as file:
        file.write("height = 100000 * x\ncolor = #808080\n")  # a dome around 0,0
    for layers in ("height,normal,color", "height,color", "normal,color"):
        name = bake("dome-%s.terrane" % layers, "--layers", layers, planet="dome.planet")
        picture = Picture(make_map("dome.png", "--style", "relief", "--width", "128", source=name))
        north_west, south_east = picture.at(50, 18)[0], picture.at(78, 46)[0]
        north_east, south_west, top = picture.at(78, 18)[0], picture.at(50, 46)[0], picture.at(64, 32)[0]
        check(north_west > top + 10 > south_east + 30, layers, north_west, top, south_east)
        check(abs(north_east - south_west) < 10, layers, north_east, south_west)
        check(abs(top - 128) < 12, layers, top)
    flat = Picture(make_map("flat.png", "--style", "color", "--width", "128",
                            source=bake("dome-height,color.terrane", planet="dome.planet")))
    equal(set(flat.samples), {128})


@claim
def the_sea_is_shaded_less_than_the_land():
    with open(path("sea.planet"), "w") as file:
        file.write("sea = 0\nheight = 100000 * x\ncolor = #808080\n")
    name = bake("sea.terrane", planet="sea.planet")
    picture = Picture(make_map("sea.png", "--style", "relief", "--width", "128", source=name))
    rows = [row for row in range(8, 56)]
    land = [picture.at(column, row)[0] for row in rows for column in range(36, 92)]
    sea = [picture.at(column, row)[0] for row in rows for column in list(range(0, 28)) + list(range(100, 128))]
    check(max(sea) - min(sea) < 0.5 * (max(land) - min(land)), min(sea), max(sea), min(land), max(land))


@claim
def what_the_pack_lacks_is_the_bare_datum_sphere():
    name = bake("face.terrane", "--face", "2")
    for style, bare in (("color", (128, 128, 128)), ("relief", (128, 128, 128)), ("height", (128, 0, 0)),
                        ("normal", (128, 128, 255))):
        result = run("map", name, "-o", "face.png", "--style", style, "--width", "64", "--force", code=0)
        check(re_pixels(result.stderr) > 64 * 32 / 2, result.stderr)
        picture = picture_file("face.png")
        equal({picture.at(column, 31) for column in range(64)}, {bare}, style)
        if style != "normal":
            check(picture.at(10, 0) != bare, style)
    for layers, style in (("height", "color"), ("height", "relief"), ("height", "normal"), ("color", "height"),
                          ("color", "relief")):
        error = run("map", bake(layers + ".terrane", "--layers", layers), "-o", "x.png", "--style", style, code=3).stderr
        check(b"layer" in error and not exists("x.png"), error)


def re_pixels(note):
    words = note.decode().split()
    return int(words[words.index("pixels") - 1])


@claim
def shares_are_drawn_from_what_they_have():
    full = make_map("whole.raw", "--style", "height", "--raw", "--width", "64", "--level", "2")
    for share in range(1, 4):
        name = "share%d.terrane" % share
        run("bake", "-o", name, "--planet", "plain", "--tile", "32", "--depth", "2", "--shard", "%d/3" % share, "-q",
            code=0)
        raw = make_map("share.raw", "--style", "height", "--raw", "--width", "64", "--level", "2", source=name)
        same = sum(a == b for a, b in zip(int32s(full), int32s(raw)))
        check(64 * 32 / 6 < same < 64 * 32, share, same)
        # Coarse maps, whose level the share may lack, show the same region.
        coarse = make_map("share.raw", "--style", "height", "--raw", "--width", "32", source=name)
        check(sum(height != 0 for height in int32s(coarse)) > 32 * 16 / 6, share)


@claim
def odd_widths_and_wrong_pairs_are_refused():
    for width in ("0", "1", "3", "65538", "-2", "2.0", "1e3", "x"):
        error = run("map", pack(), "-o", "w.png", "--width=" + width, code=2).stderr.decode()
        check("--width " + width in error and "2 to 65536" in error, error)
    run("map", pack(), "-o", "w.png", "--raw", code=2)
    run("map", pack(), "-o", "w.png", "--style", "relief", "--raw", code=2)
    run("map", pack(), code=2)
    check(not exists("w.png"))
    run("map", pack(), "-o", "w2.png", "--width", "2", code=0)
    equal(picture_file("w2.png").width, 2)


@claim
def tile_flags_that_do_not_fit_are_refused():
    for arguments in (["--layer", "color", "--raw"], ["--layer", "normal", "--gray16"],
                      ["--layer", "height", "--raw", "--gray16"], [], ["--layer", "elevation"]):
        run("tile", pack(), "0/0/0/0", *arguments, code=2)


main()

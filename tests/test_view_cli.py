#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""terrane-view from outside, without a window: packs, damage, options, outputs, scripts, counters. BUILD names the
folder with the programs.

One line a test, "ok NAME" or "FAILED NAME"; what cannot be tried here says "skipped NAME: why". An argument filters.
"""
import glob
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pack_reader
from test_png_by_python import read_png

BUILD = os.path.abspath(os.environ.get("BUILD", "build/release"))
TERRANE = os.path.join(BUILD, "terrane")
VIEW = os.path.join(BUILD, "terrane-view")
PACKS = ""  # the folder of the packs that tests share
SIZE = (160, 90)
SMALL = ["--headless", "--wait-full", "--size", "160x90"]
MAGENTA = (255, 0, 255)
FIELDS = ["frames", "frame_ms_p50", "frame_ms_p99", "frame_ms_max", "cpu_ms_p50", "cpu_ms_p99", "tiles_drawn",
          "tiles_drawn_max", "draw_calls_max", "triangles_max", "loads", "loads_wasted", "reloads", "cache_bytes_peak",
          "cache_bytes_budget", "coarse_frames", "missing_frames", "full_after_s", "gl_renderer"]
PROMISED = ["at", "look", "mode", "size", "fov", "detail", "cache", "loaders", "no-inertia", "sun", "wireframe",
            "borders", "hud", "headless", "background", "wait-full", "shot", "replay", "dt", "record", "stats"]


class Skip(Exception):
    pass


def surroundings(**more):
    """The environment of a run: no display. The rasteriser's own leaks are not ours."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return dict(environment, ASAN_OPTIONS="detect_leaks=0", LP_NUM_THREADS="2", **more)


def run(*arguments, environment=None, **more):
    done = subprocess.run([VIEW, *arguments], capture_output=True, timeout=120, env=surroundings(**(environment or {})),
                          check=False, **more)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "surrogateescape")


def expect(code, *arguments, says="", **more):
    """Runs a command that must end so; errors are one line on stderr that begins with the program, success is silent."""
    got, out, err = run(*arguments, **more)
    assert got == code, f"{arguments}: exit {got}, not {code}: {err}"
    if code:
        assert err.count("\n") == 1 and err.startswith("terrane-view: ") and len(err) < 300, (arguments, err)
    else:
        assert err == "", (arguments, err)
    assert not out and says in err, (says, out, err)
    return err


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb" if isinstance(data, bytes) else "w") as file:
        file.write(data)


class Picture:
    def __init__(self, path):
        self.width, self.height, channels, bits, self.bytes, _ = read_png(read(path))
        assert (channels, bits) == (3, 8)

    def at(self, x, y):
        return tuple(self.bytes[3 * (y * self.width + x):][:3])

    def pixels(self):
        return [tuple(self.bytes[k:k + 3]) for k in range(0, len(self.bytes), 3)]

    def spread(self):
        """Standard deviation of the green channel."""
        green = self.bytes[1::3]
        mean = sum(green) / len(green)
        return math.sqrt(sum((value - mean) ** 2 for value in green) / len(green))


def differing(a, b):
    """How many bytes of two pictures of one size differ by more than 2."""
    assert len(a.bytes) == len(b.bytes)
    return sum(abs(x - y) > 2 for x, y in zip(a.bytes, b.bytes))


def shot(pack, *arguments, name="shot.png", **more):
    expect(0, pack, *SMALL, "--force", "--shot", name, *arguments, **more)
    return Picture(name)


def stats(pack, *arguments):
    expect(0, pack, *SMALL, "--force", "--stats", "stats.json", *arguments)
    return json.loads(read("stats.json"))


def bake(path, *arguments):
    subprocess.run([TERRANE, "bake", "-q", "--force", "-o", path, *arguments], check=True,
                   env=dict(surroundings(), OMP_WAIT_POLICY="passive"))
    return path


def shared(name, *arguments):
    """A pack baked once for all tests; they must leave it as it is."""
    path = os.path.join(PACKS, name + ".terrane")
    return path if os.path.exists(path) else bake(path, *arguments)


def earth():
    return shared("earth", "--depth", "3", "--tile", "32")


# Straight down from low orbit on a sphere of the Earth's shape: ground fills the picture, whatever the radius.
def down_over(latitude_deg, longitude_deg, radius_m):
    return ["--at", f"{latitude_deg},{longitude_deg},{radius_m / 12}", "--look", "0,-90"]


def assert_no_holes(picture, what):
    holes = sum(pixel == MAGENTA for pixel in picture.pixels())
    assert holes == 0, f"{what}: {holes} pixels of background"


def opens(pack, radius_m=6371000, latitude_deg=20, longitude_deg=10):
    """From orbit, over the ground and on it, without holes, without a word."""
    radius_m = float(radius_m)
    background = ["--background", "FF00FF"]
    below = shot(pack, *background, *down_over(latitude_deg, longitude_deg, radius_m))
    assert_no_holes(below, pack + " from orbit")
    ground = shot(pack, *background, "--at", f"{latitude_deg},{longitude_deg},1.7", "--look", "90,-80")
    assert_no_holes(ground, pack + " at eye height")
    # The disc from afar, at three radii from the centre: a sixth less than its rim, for heights and flat chords.
    disc = shot(pack, *background, "--at", f"{latitude_deg},{longitude_deg},{2 * radius_m}", "--look", "0,-90")
    focal_px = SIZE[1] / 2 / math.tan(math.radians(30))
    rim_px = focal_px * math.tan(math.asin(1 / 3)) * 5 / 6
    assert MAGENTA in disc.pixels(), "no background"
    for y in range(SIZE[1]):
        for x in range(SIZE[0]):
            if math.hypot(x + 0.5 - SIZE[0] / 2, y + 0.5 - SIZE[1] / 2) < rim_px:
                assert disc.at(x, y) != MAGENTA, f"{pack}: a hole in the disc at {x},{y}"
    return below


# ---- Packs ------------------------------------------------------------------------------------------------

def a_full_pack_opens():
    opens(earth())


def a_sparse_pack_opens_where_it_is_deep_and_where_not():
    pack = shared("sparse", "--depth", "0", "--tile", "32", "--region", "46.5,8,20,9")
    opens(pack, latitude_deg=46.5, longitude_deg=8)
    opens(pack, latitude_deg=-30, longitude_deg=-100)
    deep = stats(pack, "--at", "46.5,8,1000", "--look", "0,-60")
    assert deep["tiles_drawn"] > 10, deep


def a_share_opens_also_where_tiles_are_missing():
    pack = shared("share", "--depth", "2", "--tile", "32", "--shard", "2/3")
    for latitude_deg, longitude_deg in [(20, 10), (0, 100), (-80, 0)]:
        opens(pack, latitude_deg=latitude_deg, longitude_deg=longitude_deg)


def one_tile_opens():
    pack = shared("one-tile", "--depth", "0", "--tile", "32", "--face", "0")
    opens(pack, latitude_deg=0, longitude_deg=0)
    opens(pack, latitude_deg=0, longitude_deg=180)


def every_set_of_layers_opens():
    for layers in ["height", "normal", "color", "height,normal", "height,color", "normal,color", "height,normal,color"]:
        pack = shared(layers.replace(",", "-"), "--depth", "2", "--tile", "32", "--layers", layers)
        opens(pack)


def the_sky_has_the_color_of_the_air_that_the_planet_file_gives():
    def sky(text):
        write("air.planet", "radius = 3e6\nheight = 100 * x\ncolor = #808080\n" + text)
        pack = bake("air.terrane", "--planet", "./air.planet", "--depth", "0", "--tile", "32")
        picture = shot(pack, "--at", "0,0,100", "--look", "90,10", "--sun", "0,-40")
        # The middle one of the brightest and the darkest, of a row above the horizon: stars aside.
        return sorted((picture.at(x, 20) for x in range(SIZE[0])), key=sum)[SIZE[0] // 2]
    red, green, blue = sky("air = #d9a066")
    assert red > 1.1 * green > 1.3 * blue and red > 60, (red, green, blue)
    red, green, blue = sky("sea = 0")
    assert blue > 1.1 * red and blue > 60, (red, green, blue)
    for text in ["", "air = #000000", "sea = 0\nair = #000000"]:
        assert max(sky(text)) < 20, (text, sky(text))


def height_alone_is_shaded_by_its_own_slope():
    # A body of rock with high relief for its size, lit from the side: neither flat nor only darker towards the night.
    arguments = ["--planet", "plain", "--depth", "2", "--tile", "32", "--radius", "200000"]
    alone = shared("relief-height", *arguments, "--layers", "height", "--set", "sea=-100000")
    normal = shared("relief-normal", *arguments, "--layers", "height,normal", "--set", "sea=-100000")
    view = ["--at", "10,10,40000", "--look", "0,-90", "--sun", "10,-50"]
    shaded, told = shot(alone, *view), shot(normal, *view)
    assert shaded.spread() > 4, shaded.spread()
    # And nearly as with the baked normals.
    apart = sum(abs(a - b) for a, b in zip(shaded.bytes, told.bytes)) / len(shaded.bytes)
    assert apart < 4, apart


def every_radius_opens():
    for radius in ["10", "500", "1e5", "1e9"]:
        opens(shared("radius-" + radius, "--planet", "plain", "--depth", "1", "--tile", "32", "--radius", radius),
              radius_m=radius)


def every_tile_size_opens():
    for tile, depth in [("32", "1"), ("64", "1"), ("128", "0"), ("256", "0"), ("512", "0")]:
        opens(shared("tile-" + tile, "--planet", "plain", "--depth", depth, "--tile", tile))


def a_read_only_file_opens():
    os.chmod(".", 0o777)
    shutil.copy(earth(), "p.terrane")
    os.chmod("p.terrane", 0o444)
    more = {"preexec_fn": lambda: os.setuid(65534)} if os.geteuid() == 0 else {}
    expect(0, "p.terrane", *SMALL, "--shot", "a.png", **more)
    assert Picture("a.png").bytes == shot(earth()).bytes


def a_pack_that_is_replaced_meanwhile_stays_what_it_was():
    write("path.txt", "0 20 10 3e6 0 -90\n3 -20 100 2000 0 -30\n")
    flight = ["--replay", "path.txt", "--dt", "0.03"]
    before = shot(earth(), *flight, name="before.png")
    shutil.copy(earth(), "p.terrane")
    other = shared("other", "--depth", "2", "--tile", "64", "--seed", "7")
    shutil.copy(other, "q.terrane")
    process = subprocess.Popen([VIEW, "p.terrane", *SMALL, *flight, "--record", "r.txt", "--shot", "a.png"],
                               stderr=subprocess.PIPE, env=surroundings())
    while process.poll() is None and not glob.glob("r.txt.part*"):
        time.sleep(0.002)
    assert process.poll() is None, "the flight was over before anything could be replaced"
    os.replace("q.terrane", "p.terrane")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0 and err == b"", err
    assert Picture("a.png").bytes == before.bytes
    assert shot("p.terrane", *flight).bytes != before.bytes


# ---- Damage -----------------------------------------------------------------------------------------------

def spoil(path, copy, nodes):
    """A copy of a pack with a byte of every layer of these nodes changed."""
    shutil.copy(path, copy)
    pack = pack_reader.Pack(path)
    with open(copy, "r+b") as file:
        for node in nodes:
            for offset, size, _, _ in pack.find(*node).blobs:
                file.seek(offset + size // 2)
                byte = file.read(1)[0]
                file.seek(offset + size // 2)
                file.write(bytes([byte ^ 0x55]))


def damaged_tiles_are_named_once_and_drawn_from_what_is_above_or_below():
    pack = shared("depth2", "--depth", "2", "--tile", "32")
    view = [*SMALL, "--background", "FF00FF", "--detail", "0.5", *down_over(0, 0, 6371000)]
    expect(0, pack, *view, "--shot", "whole.png")
    leaves = [(0, 2, x, y) for x in (1, 2) for y in (1, 2)]
    # What is intact below a damaged tile is drawn in its place.
    for nodes in [leaves[:1], leaves, [(0, 1, 0, 1)], [(0, 1, 1, 1), *leaves[:3]], [(0, 0, 0, 0)]]:
        spoil(pack, "bad.terrane", nodes)
        code, out, err = run("bad.terrane", *view, "--force", "--shot", "bad.png", "--stats", "s.json")
        assert code == 0 and not out, err
        lines = err.splitlines()
        for node in nodes:
            name = "/".join(map(str, node))
            naming = [line for line in lines if name in line]
            assert len(naming) == 1 and naming[0].startswith("terrane-view: "), (name, lines)
        assert len(lines) == len(nodes), lines
        picture = Picture("bad.png")
        assert_no_holes(picture, f"damage of {nodes}")
        # A root is not drawn from here, but must be there all the same: as the bare datum sphere.
        if nodes[0][1]:
            gone = any(node in leaves for node in nodes)
            assert (picture.bytes != Picture("whole.png").bytes) == gone, nodes
            assert json.loads(read("s.json"))["loads_failed"] == len(nodes)
    # Time and again in a flight: still named once.
    spoil(pack, "bad.terrane", leaves)
    write("path.txt", "0 0 0 500000 0 -90\n1 0 180 500000 0 -90\n2 0 0 500000 0 -90\n3 0 180 500000 0 -90\n")
    code, _, err = run("bad.terrane", *SMALL, "--replay", "path.txt", "--dt", "0.1", "--cache", "1", "--detail", "0.5",
                       "--stats", "f.json")
    assert code == 0 and len(err.splitlines()) == 4, err


def what_is_no_pack_is_refused_in_one_line():
    whole = read(earth())
    for size in [0, 1, 7, 1023, 1024, len(whole) // 2, len(whole) - 1]:
        write("cut.terrane", whole[:size])
        expect(3, "cut.terrane", *SMALL, "--shot", "a.png", says="cut.terrane")
    write("foreign.terrane", b"\x89PNG\r\n\x1a\n" + bytes(5000))
    expect(3, "foreign.terrane", *SMALL, "--shot", "a.png", says="foreign.terrane")
    write("header.terrane", whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    expect(3, "header.terrane", *SMALL, "--shot", "a.png", says="header.terrane")
    expect(3, "none.terrane", *SMALL, "--shot", "a.png", says="none.terrane")
    expect(3, ".", *SMALL, "--shot", "a.png")
    expect(3, "/dev/null", *SMALL, "--shot", "a.png")
    os.mkfifo("fifo")
    expect(3, "fifo", *SMALL, "--shot", "a.png", says="fifo")
    assert not os.path.exists("a.png")


# ---- Command line -----------------------------------------------------------------------------------------

def nonsense_is_a_usage_error_that_names_flag_value_and_range():
    cases = {
        "--at": (["91,0,0", "0,361,0", "0,0,-1", "0,0,2e12", "0,0", "1,2,3,4", "a,b,c", "1,2,3x", "nan,0,0", ""],
                 "-90 to 90"),
        "--look": (["361,0", "0,-91", "0", "0,0,0", "x", "inf,0"], "-360 to 360"),
        "--mode": (["swim", "Orbit", "1"], "orbit, fly or walk"),
        "--size": (["0x1", "1x0", "16385x1", "10", "axb", "-1x5", "1x2x3", "1.5x2", "x", "99999999999999999999x1"],
                   "1 to 16384"),
        "--fov": (["0", "121", "nan", "inf", "60deg", "1,5"], "1 to 120"),
        "--detail": (["0.2", "65", "x", "1e999"], "0.25 to 64"),
        "--cache": (["0", "65537", "1.5", "x", "99999999999999999999"], "1 to 65536"),
        "--loaders": (["0", "65", "x"], "1 to 64"),
        "--sun": (["91,0", "0", "0,0,0", "x,y"], "-90 to 90"),
        "--background": (["12345", "1234567", "GG0000", "#FF00FF", "0x1234"], "six hexadecimal digits"),
        "--dt": (["0", "11", "-1", "x"], "0.0001 to 10"),
    }
    for flag, (values, allowed) in cases.items():
        for value in values:
            for words in ([flag, value], [f"{flag}={value}"]):
                expect(2, "none.terrane", "--headless", "--shot", "a.png", *words, says=f"{flag} {value}".strip())
                err = expect(2, "none.terrane", *words)
                assert allowed in err or not value, (words, err)
        expect(2, "none.terrane", flag, says=flag)
    for flag in ["--no-inertia", "--wireframe", "--borders", "--hud", "--headless", "--wait-full", "--force"]:
        expect(2, "none.terrane", flag + "=1", says=flag)
    for flag in ["--shot", "--replay", "--record", "--stats"]:
        expect(2, "none.terrane", flag, says=flag)
        expect(2, "none.terrane", flag, "", says=flag)
    expect(2, says="PACK")
    expect(2, "a", "b", says="b")
    expect(2, "none.terrane", "--wat", says="--wat")
    expect(2, "none.terrane", "-x", says="-x")
    expect(2, "none.terrane", "--fov", "50", "--fov", "60", says="--fov")
    expect(2, earth(), "--headless", says="--shot")
    assert os.listdir(".") == []


def a_value_may_begin_with_a_dash():
    a = shot(earth(), "--at", "-20.5,-60,1e6", "--look", "-30,-70")
    assert a.bytes == shot(earth(), "--at=-20.5,300,1e6", "--look=330,-70").bytes


def a_cache_too_small_names_the_least():
    pack = shared("tile-128", "--planet", "plain", "--depth", "0", "--tile", "128")
    err = expect(2, pack, *SMALL, "--cache", "1", "--shot", "a.png", says="--cache 1")
    least = int(re.search(r"at least (\d+)", err).group(1))
    assert least > 1
    if least > 2:
        expect(2, pack, *SMALL, "--cache", str(least - 1), "--shot", "a.png", says="--cache")
    assert stats(pack, "--cache", str(least))["cache_bytes_peak"] <= least << 20


def no_display_names_headless():
    expect(4, earth(), says="--headless")
    expect(4, earth(), says="--headless", environment={"DISPLAY": ":9931"})
    expect(4, earth(), "--wait-full", "--shot", "a.png", says="--headless")


def help_manual_and_completion_agree():
    _, help_text, err = run("--help")
    assert err == "" and run("-h")[1] == help_text and run("none", "--help")[1] == help_text
    _, manual, _ = run("--man")
    in_help = set(re.findall(r"^ +(?:-\w, |    )--([a-z-]+)", help_text.decode(), re.M))
    in_manual = {name.replace("\\", "") for name in re.findall(r"\\fB\\-\\-([a-z\\-]+)\\fR", manual.decode())}
    assert set(PROMISED) <= in_help and in_help - {"help"} <= in_manual, (in_help, in_manual)
    assert in_manual <= in_help | {"help", "version"}, in_manual - in_help
    for shell in ["bash", "zsh", "fish"]:
        code, text, _ = run("--completion", shell)
        assert code == 0 and all(name in text.decode() for name in in_help), shell
        assert "terrane-view" in text.decode()
    expect(2, "--completion", "csh", says="csh")
    text = " ".join(manual.decode().split())
    assert ".TH TERRANE\\-VIEW 1" in text and "Damaged tiles are named once" in text and "KEYS AND MOUSE" in text
    assert "Damaged tiles are named once" in " ".join(help_text.decode().split())
    code, version, _ = run("--version")
    assert code == 0 and version.startswith(b"terrane-view ") and b"GLFW" in version and b"libpng" in version, version
    for tool in (["mandoc", "-Tlint", "-Wwarning"],):
        if shutil.which(tool[0]):
            write("terrane-view.1", manual)
            linted = subprocess.run([*tool, "terrane-view.1"], capture_output=True, text=True, check=False)
            assert linted.returncode == 0, linted.stdout
    write("completion", run("--completion", "bash")[1])
    subprocess.run(["bash", "-n", "completion"], check=True)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([VIEW, "--help"], stdout=full, stderr=subprocess.PIPE, env=surroundings(), check=False)
        assert done.returncode == 4 and done.stderr.count(b"\n") == 1


def numbers_have_a_point_in_every_locale():
    have = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.lower()
    german = {"LC_ALL": "de_DE.UTF-8"}
    if "de_de.utf8" not in have:
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "./de_DE.UTF-8"], capture_output=True,
                              check=False)
        if made.returncode:
            raise Skip("no German locale, and localedef cannot make one")
        german["LOCPATH"] = os.getcwd()
    view = ["--at", "1.5,2.25,1e5", "--fov", "50.5", "--hud"]
    for name, environment in [("a", {}), ("b", german)]:
        expect(0, earth(), *SMALL, *view[:-1], "--shot", name + ".png", "--record", name + ".txt", "--stats",
               name + ".json", environment=environment)
    assert read("a.png") == read("b.png") and read("a.txt").split()[1:] == read("b.txt").split()[1:]
    assert set(json.loads(read("a.json"))) == set(json.loads(read("b.json")))
    assert b"," not in read("b.txt")
    expect(2, earth(), "--fov", "50,5", says="--fov", environment=german)


# ---- Outputs ----------------------------------------------------------------------------------------------

OUTPUTS = ["--shot", "--record", "--stats"]


def existing_outputs_are_not_touched():
    for flag in OUTPUTS:
        write("mine", "mine")
        expect(4, earth(), *SMALL, flag, "mine", "--stats" if flag != "--stats" else "--shot", "other", says="--force")
        assert read("mine") == b"mine" and os.listdir(".") == ["mine"]
        os.unlink("mine")
        os.mkdir("folder")
        for target in ["folder", "missing/a", "/dev/full", "folder/a/b"]:
            for force in ([], ["--force"]):
                more = ["--stats", "s.json"] if flag == "--record" else []
                expect(4, earth(), *SMALL, flag, target, *more, *force, says=target.split("/a")[0])
        assert os.listdir(".") == ["folder"] and os.listdir("folder") == []
        os.rmdir("folder")
    write("mine", "mine")
    expect(0, earth(), *SMALL, "--shot", "mine", "--force")
    Picture("mine")
    expect(2, earth(), *SMALL, "--shot", "two", "--stats", "two", says="two")
    assert os.listdir(".") == ["mine"]


def a_file_size_limit_is_a_resource_error():
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    for flag in ["--shot", "--stats"]:
        expect(4, earth(), *SMALL, flag, "a", preexec_fn=limit, says="File too large",
               environment={"MESA_SHADER_CACHE_DISABLE": "true"})
        assert os.listdir(".") == []
    write("mine", "mine")
    expect(4, earth(), *SMALL, "--force", "--shot", "mine", preexec_fn=limit, says="File too large",
           environment={"MESA_SHADER_CACHE_DISABLE": "true"})
    assert read("mine") == b"mine" and os.listdir(".") == ["mine"]


def odd_names_work():
    for name in ["with space.png", "größe €.png", "quote'\"$(x).png", "line\nbreak", "per%sent%d"]:
        expect(0, earth(), *SMALL, "--shot", name)
        Picture(name)
    expect(0, earth(), *SMALL, "--shot=-dash")
    shutil.copy(earth(), "-pack")
    expect(0, *SMALL, "--shot", "b.png", "--", "-pack")
    os.mkdir(b"f\xff")
    shutil.copy(earth(), b"f\xff/\xfe")
    expect(0, b"f\xff/\xfe", *SMALL, "--shot", b"f\xff/\xfd")
    assert read(b"f\xff/\xfd") == read("b.png") == read("-dash")


# ---- Pictures ---------------------------------------------------------------------------------------------

def the_same_command_writes_the_same_bytes():
    for view in [[], ["--at", "20,10,2", "--look", "45,-5"], ["--loaders", "1", "--detail", "0.5"]]:
        shot(earth(), *view, name="a.png")
        shot(earth(), *view, name="b.png")
        assert read("a.png") == read("b.png"), view


def options_change_the_picture():
    view = ["--at", "25,-60,1e6", "--look", "0,-70"]
    plain = shot(earth(), *view)
    for more in [["--sun", "-20,150"], ["--wireframe"], ["--borders"], ["--hud"], ["--fov", "30"], ["--detail", "20"],
                 ["--background", "204060"]]:
        assert differing(shot(earth(), *view, *more), plain) > 50, more
    # Which depth is used must not be seen, nor how many loaders there were.
    assert differing(shot(earth(), *view, "--log-depth"), plain) < len(plain.bytes) / 200
    for more in [["--loaders", "7"], ["--no-inertia"], ["--mode", "fly"]]:
        assert shot(earth(), *view, *more).bytes == plain.bytes, more
    for size in ["1x1", "1x300", "300x1", "7x5"]:
        expect(0, earth(), "--headless", "--wait-full", "--size", size, "--shot", size)
        picture = Picture(size)
        assert f"{picture.width}x{picture.height}" == size


def walking_starts_at_eye_height():
    walk = shot(earth(), "--mode", "walk", "--at", "20,10,500", "--look", "45,-5")
    assert walk.bytes == shot(earth(), "--at", "20,10,1.7", "--look", "45,-5").bytes
    walk = shot(earth(), "--mode", "walk", "--sun", "0,0")
    assert walk.bytes == shot(earth(), "--at", "20,0,1.7", "--sun", "0,0").bytes


def a_driver_without_clip_control_draws_the_same():
    view = ["--at", "20,10,2", "--look", "45,-5"]
    without = {"MESA_EXTENSION_OVERRIDE": "-GL_ARB_clip_control", "MESA_GL_VERSION_OVERRIDE": "3.3",
               "MESA_GLSL_VERSION_OVERRIDE": "330"}
    a, b = shot(earth(), *view), shot(earth(), *view, "--stats", "s.json", name="b.png", environment=without)
    assert json.loads(read("s.json"))["log_depth"] is True
    assert differing(a, b) < len(a.bytes) / 200


# ---- Scripts ----------------------------------------------------------------------------------------------

def a_recorded_flight_replays_to_the_same_picture():
    write("path.txt", "# a comment\n\n0 20 10 3e6 0 -90\r\n  1.5\t10 20 5e4 300 -60  \n2 10.5 20.5 300 20 -20")
    expect(0, earth(), *SMALL, "--replay", "path.txt", "--dt", "0.1", "--record", "r.txt", "--shot", "a.png", "--stats",
           "a.json")
    lines = [[float(word) for word in line.split()] for line in read("r.txt").splitlines()]
    assert len(lines) == 21 == json.loads(read("a.json"))["frames"], len(lines)
    assert all(len(line) == 6 for line in lines)
    assert all(abs(b[0] - a[0] - 0.1) < 1e-9 for a, b in zip(lines, lines[1:]))
    assert abs(lines[0][3] - 3e6) < 1 and abs(lines[-1][3] - 300) < 0.01 and abs(lines[-1][4] - 20) < 1e-6
    expect(0, earth(), *SMALL, "--replay", "r.txt", "--dt", "0.1", "--record", "r2.txt", "--shot", "b.png")
    assert read("a.png") == read("b.png")
    assert len(read("r2.txt").splitlines()) == 21
    # And the last frame is the picture from its place, without a flight.
    shot(earth(), "--at", "10.5,20.5,300", "--look", "20,-20", "--sun", "0,0", name="c.png")
    expect(0, earth(), *SMALL, "--replay", "path.txt", "--dt", "0.1", "--sun", "0,0", "--shot", "d.png")
    assert differing(Picture("c.png"), Picture("d.png")) == 0


def replays_without_dt_take_the_time_that_they_say():
    write("path.txt", "5 20 10 3e6 0 -90\n6 10 20 2e6 0 -90\n")
    start_s = time.monotonic()
    expect(0, earth(), "--headless", "--size", "64x36", "--replay", "path.txt", "--stats", "s.json")
    assert 1 <= time.monotonic() - start_s < 30
    write("one.txt", "7 20 10 3e6 0 -90\n")
    expect(0, earth(), *SMALL, "--replay", "one.txt", "--shot", "a.png", "--stats", "t.json")
    assert json.loads(read("t.json"))["frames"] == 1
    shot(earth(), "--at", "20,10,3e6", "--look", "0,-90", "--sun", "5,5", name="b.png")
    expect(0, earth(), *SMALL, "--force", "--replay", "one.txt", "--shot", "a.png", "--sun", "5,5")
    assert read("a.png") == read("b.png")


def malformed_replays_name_the_line():
    good = "0 20 10 3e6 0 -90\n"
    for bad in ["1 2 3 4 5\n", "1 2 3 4 5 6 7\n", "1 91 0 0 0 0\n", "1 0 361 0 0 0\n", "1 0 0 0 0 91\n", "x\n",
                "nan 0 0 0 0 0\n", "1 0 0 inf 0 0\n", "1,2,3,4,5,6\n", "0 1 2 3 4 5\n", "-1 1 2 3 4 5\n", "1 2 3 4 5 6x\n",
                "1 0 0 1e13 0 0\n", "1 0 0 1e999 0 0\n"]:
        write("path.txt", good + "# fine\n" + bad)
        expect(3, earth(), *SMALL, "--replay", "path.txt", "--shot", "a.png", says="path.txt:3: ")
    write("path.txt", b"\x00\xff\x89PNG" * 1000)
    expect(3, earth(), *SMALL, "--replay", "path.txt", "--shot", "a.png", says="path.txt:1: ")
    for empty in ["", "\n\n", "# nothing\n"]:
        write("path.txt", empty)
        expect(3, earth(), *SMALL, "--replay", "path.txt", "--shot", "a.png", says="path.txt: ")
    expect(3, earth(), *SMALL, "--replay", "none.txt", "--shot", "a.png", says="none.txt: ")
    expect(3, earth(), *SMALL, "--replay", ".", "--shot", "a.png")
    assert os.listdir(".") == ["path.txt"]


# ---- Counters ---------------------------------------------------------------------------------------------

def counters_are_complete_and_sane():
    write("path.txt", "0 20 10 2e7 0 -90\n1.5 10 20 5e4 300 -60\n3 10.5 20.5 300 20 -20\n")
    for arguments in [[], ["--replay", "path.txt", "--dt", "0.1"], ["--hud", "--borders"]]:
        s = stats(earth(), *arguments)
        assert set(FIELDS) <= set(s), set(FIELDS) - set(s)
        assert s["frames"] == (31 if "--replay" in arguments else 1), s["frames"]
        assert 0 < s["frame_ms_p50"] <= s["frame_ms_p99"] <= s["frame_ms_max"] * 1.001 < 60000, s
        assert 0 <= s["cpu_ms_p50"] <= s["cpu_ms_p99"] and s["cpu_ms_p50"] <= s["frame_ms_p50"], s
        assert 1 <= s["tiles_drawn"] <= s["tiles_drawn_max"] and 1 <= s["draw_calls_max"] <= 4, s
        assert s["triangles_max"] >= s["tiles_drawn_max"] * 2 and s["loads"] >= s["tiles_drawn"], s
        assert 0 <= s["loads_wasted"] <= s["loads"] and s["reloads"] == 0, s
        assert 0 < s["cache_bytes_peak"] <= s["cache_bytes_budget"] == 512 << 20, s
        assert s["missing_frames"] == 0 and s["coarse_frames"] == 0 and 0 < s["full_after_s"] < 60, s
        assert s["gl_renderer"] and isinstance(s["gl_renderer"], str)


def the_cache_is_never_exceeded():
    write("path.txt", "0 20 10 2e7 0 -90\n1 10 20 5e4 300 -60\n2 -30 120 5e4 0 -90\n3 10.5 20.5 300 20 -20\n")
    pack = shared("tile-64-deep", "--depth", "3", "--tile", "64")
    for mib in ["2", "3", "8"]:
        s = stats(pack, "--cache", mib, "--detail", "0.5", "--replay", "path.txt", "--dt", "0.1")
        assert s["cache_bytes_budget"] == int(mib) << 20 and 0 < s["cache_bytes_peak"] <= int(mib) << 20, (mib, s)
        assert s["frames"] == 31 and s["missing_frames"] == 0, s
    assert s["detail_scale"] <= 1


def a_long_orbit_does_not_grow():
    if b"__asan_init" in read(VIEW):
        raise Skip("the sanitizer keeps what is freed")
    peaks, loads = [], []
    pack = shared("tile-64-deep", "--depth", "3", "--tile", "64")
    for laps in [2, 24]:
        write("path.txt", "\n".join(f"{k} {30 * math.sin(k)} {k * 45 % 360} {10 ** (4 + 2 * (k % 2))} {k * 10} -60"
                                    for k in range(8 * laps + 1)))
        process = subprocess.Popen([VIEW, pack, "--headless", "--wait-full", "--size", "64x36", "--cache", "4",
                                    "--replay", "path.txt", "--dt", "0.125", "--stats", "s.json", "--force"],
                                   env=surroundings())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        assert status == 0
        peaks.append(usage.ru_maxrss / 1024)
        loads.append(json.loads(read("s.json"))["loads"])
    print(f"  peak {peaks[0]:.1f} MiB after {loads[0]} loads and {peaks[1]:.1f} MiB after {loads[1]}")
    # The C library's heap grows in pieces of 16 MiB (main.c asks for that). A tile left behind is 36 KiB and more.
    assert (loads[1] - loads[0]) * 36 / 1024 > 30, loads
    assert peaks[1] < peaks[0] + 20, peaks


def main():
    global PACKS, VIEW
    if not os.path.exists(VIEW):
        print(f"skipped all tests of the viewer: {VIEW} was not built (scripts/deps installs what it takes)")
        print("ok the_viewer_was_not_built_and_not_tested")
        return 0
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    failed = 0
    helpers = ("assert_no_holes", "down_over")
    tests = [item for name, item in globals().items()
             if callable(item) and getattr(item, "__module__", "") == "__main__" and "_" in name and wanted in name
             and name not in helpers]
    room = "/dev/shm" if os.path.isdir("/dev/shm") else None
    PACKS = tempfile.mkdtemp(prefix="terrane-packs-", dir=room)
    os.chmod(PACKS, 0o755)
    # A test that becomes somebody else must reach the program, also where the checkout is in a home of mode 700.
    VIEW = shutil.copy(VIEW, PACKS)
    for test in tests:
        folder = tempfile.mkdtemp(prefix="terrane-test-", dir=room)
        os.chdir(folder)
        start_s = time.monotonic()
        try:
            test()
            print(f"ok {test.__name__}")
        except Skip as why:
            print(f"skipped {test.__name__}: {why}")
        except Exception:  # a test that dies has failed
            traceback.print_exc(file=sys.stdout)
            print(f"FAILED {test.__name__}\n  replay: BUILD={BUILD} {sys.argv[0]} {test.__name__}")
            failed += 1
        if os.environ.get("TERRANE_TEST_TIMES"):
            print(f"  {time.monotonic() - start_s:.1f} s")
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
        sys.stdout.flush()
    shutil.rmtree(PACKS, ignore_errors=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Parts of scripts/bench --rivals: what other programs and libraries take for the like, in the same run. Those that are
not installed are named and left out."""
import glob
import os
import shutil
import subprocess
import tempfile

from benchmarks.harness import median
from benchmarks.tiles import FBM, SPECKLED

# What is baked here, and of which level of which bake a square of neighbouring tiles is the picture that vips cuts up.
# What vips takes depends on the picture, what an evaluated tile takes does not: so the figure that is held sets plain
# fbm against a picture with detail in every pixel, as photographs and maps have, like the one that the figure was first
# measured with. The others give both sides the same pixels.
COLOR = ["--tile", "256", "--layers", "color", "--planet"]
DISC = ["--depth", "0", "--region", "46.5,7.6,25,12"]
CONTENTS = [
    {"name": "level 12", "options": [*COLOR, FBM, *DISC], "picture": [*COLOR, SPECKLED, *DISC], "level": 12, "across": 12,
     "page": "colour tiles of 16 octaves of noise, level 12; `vips` cuts a picture with detail in every pixel",
     "held": True},
    {"name": "level 12, speckled", "options": [*COLOR, SPECKLED, *DISC], "level": 12, "across": 12,
     "page": "the same pixels on both sides: speckled colours, level 12", "held": False},
    {"name": "level 12, smooth", "options": [*COLOR, FBM, *DISC], "level": 12, "across": 12,
     "page": "the same pixels on both sides: smooth colours, level 12", "held": False},
    {"name": "whole planet, levels 0 to 3", "options": [*COLOR, FBM, "--depth", "3"], "level": 3, "across": 8,
     "page": "the same pixels on both sides: whole planet, levels 0 to 3", "held": False},
]
COMPRESSIONS = {6: (7, 15), 1: (2.7, 6), 0: (1, 2.3)}  # the speed over vips that must be, and that is aimed at
TILE_MPX = 65536e-6


def rival_noise(bench):
    """Values of 16 octaves beside libnoise and stb_perlin."""
    lines = bench.turns("bench_rivals", ["5"])[0]
    ours = min(line["ns"] for line in lines if line["who"].startswith("terrane"))
    for line in lines:
        bench.row(f"fBm, 16 octaves, value: {line['who']}", line["ns"], "ns/sample")
    for rival, package in (("libnoise", "libnoise-dev"), ("stb_perlin", "libstb-dev")):
        took = [line["ns"] for line in lines if line["who"] == rival]
        if took:
            bench.row(f"  speed over {rival}", took[0] / ours, "x", page=f"16 octaves of noise at every sample: speed over {rival}")
        else:
            bench.leave_out(f"  speed over {rival}", f"built without {package}")


def block_of(names, across):
    """The PNG files of a full square of neighbouring tiles, row by row, from paths .../X/Y.png of one face."""
    places = {(int(os.path.basename(os.path.dirname(name))), int(os.path.basename(name)[:-4])): name for name in names}
    for x, y in sorted(places):
        block = [(x + column, y + row) for row in range(across) for column in range(across)]
        if all(place in places for place in block):
            return [places[place] for place in block]
    return None


def picture_of(bench, content, pack, folder):
    """The picture that vips is given: colour tiles of the very planet, joined, as it keeps pictures itself."""
    tiles, picture = os.path.join(folder, "tiles"), os.path.join(folder, "picture.v")
    level, across = content["level"], content["across"]
    bench.measure("extract", "-o", tiles, "--levels", f"{level}-{level}", pack)
    blocks = (block_of(glob.glob(os.path.join(face, str(level), "*", "*.png")), across)
              for face in sorted(glob.glob(os.path.join(tiles, "color", "*"))))
    block = next(block for block in blocks if block)
    subprocess.run(["vips", "arrayjoin", " ".join(block), picture, "--across", str(across)], check=True)
    shutil.rmtree(tiles)
    return picture


def cut_up(bench, picture, compression, folder):
    """Megapixels a CPU second of vips dzsave, and bytes a pixel."""
    cut = os.path.join(folder, "cut")
    cpu = bench.run("vips", "dzsave", picture, cut, "--layout", "google", "--suffix", f".png[compression={compression}]",
                    environment=dict(os.environ, VIPS_CONCURRENCY="1"))["cpu"]
    names = glob.glob(os.path.join(cut, "*", "*", "*.png"))
    size = sum(os.path.getsize(name) for name in names)
    shutil.rmtree(cut)
    return {"speed": len(names) * TILE_MPX / cpu, "size": size / (len(names) * TILE_MPX * 1e6)}


def compare_tiles(bench, content, folder):
    """Terrane and vips in turns, both with one thread and into memory."""
    name = os.path.join(folder, "color.terrane")
    bench.bake(name, content.get("picture", content["options"]))
    picture = picture_of(bench, content, name, folder)
    ours, theirs = [], {compression: [] for compression in COMPRESSIONS}
    for _ in range(bench.runs):
        baked = bench.bake(name, content["options"])
        pixels = baked["tiles"] * TILE_MPX
        ours.append({"speed": pixels / baked["cpu"], "size": os.path.getsize(name) / (pixels * 1e6)})
        for compression, runs in theirs.items():
            runs.append(cut_up(bench, picture, compression, folder))
    bench.row(f"colour tiles of fbm, {content['name']}, all included", median(ours, "speed"), "Mpx/s/core",
              page=content["page"])
    for compression, (must, aim) in COMPRESSIONS.items():
        runs = theirs[compression]
        bench.row(f"  vips dzsave, PNG at compression {compression}", median(runs, "speed"), "Mpx/s/core")
        bench.row("    speed over it", median(ours, "speed") / median(runs, "speed"), "x",
                  page=f"  its speed over `vips dzsave` at PNG compression {compression}",
                  **({"least": must, "aim": aim} if content["held"] else {}))
        if "picture" not in content:
            bench.row("    size over it", median(ours, "size") / median(runs, "size"), "")


def rival_tiles(bench):
    """Colour tiles a CPU second: evaluated and baked here, only cut out of a picture by vips dzsave."""
    if not shutil.which("vips"):
        bench.leave_out("colour tiles beside vips dzsave", "libvips-tools is not installed")
        return
    for content in CONTENTS:
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
            compare_tiles(bench, content, folder)

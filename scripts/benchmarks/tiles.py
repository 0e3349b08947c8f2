# SPDX-License-Identifier: MIT
"""Parts of scripts/bench about planets and the tiles baked of them."""
import json
import os
import statistics
import subprocess
import sys

from benchmarks.harness import median

FBM = "tests/data/fbm.planet"
SPECKLED = "tests/data/speckled.planet"
FLAT_SEA = "tests/data/flat_sea.planet"
EARTH = ["--planet", "earthlike", "--tile", "128", "--depth", "2"]
PLAIN = ["--planet", "plain", "--tile", "128", "--depth", "3"]
HEIGHTS = ["--planet", FBM, "--tile", "64", "--layers", "height", "--depth", "5"]  # 8,190 tiles
MANY = ["--planet", "plain", "--tile", "32", "--depth", "7"]  # 131,070 tiles
FEW = ["--planet", "plain", "--tile", "32", "--depth", "3"]  # 510
DEEP = ["--planet", "earthlike", "--tile", "256", "--depth", "0", "--region", "46.5,7.6,4,12"]
ABOUT = {"earthlike": "`earthlike` to depth 2", "plain": "`plain`, a closed form: what is left is the baker itself"}
STAGES = ("planet", "layers", "encode")


def baking(bench):
    """Whole bakes of earthlike and of a closed form: tiles a second, shares of the stages, memory."""
    samples = 129 * 129
    earth, plain = [], []
    for _ in range(bench.runs):
        earth.append(bench.bake("earth.terrane", EARTH))
        plain.append(bench.bake("plain.terrane", PLAIN))
    for name, runs in (("earthlike", earth), ("plain", plain)):
        per_core = statistics.median(run["tiles"] / run["cpu"] for run in runs)
        bench.row(f"bake {name}, tiles of 129 x 129 samples", per_core, "tiles/s/core",
                  page=f"whole bake of {ABOUT[name]}, 129 x 129 samples, three layers")
        bench.row(f"bake {name}", per_core * samples * 1e-6, "M samples/s")
    parts = {key: median(earth, key + "_s") for key in ("planet_cpu", "layers_cpu", "encode_cpu", "write")}
    parts["assemble"] = median(earth, "assemble_wall_s")
    whole = sum(parts.values())
    for key, seconds in parts.items():
        bench.row(f"share of a bake of earthlike: {key.removesuffix('_cpu')}", seconds / whole, "")
    bench.row("share of a bake of earthlike: encode + write + assemble",
              1 - (parts["planet_cpu"] + parts["layers_cpu"]) / whole, "", most=0.25)


def engine(bench):
    """earthlike in whole tiles of 257 x 257 samples: the planet alone, every vector width."""
    (lines,) = bench.turns("bench_planet", [])
    widest = lines[-1]["kernels"]
    for line in lines:
        held = {}
        if line["kernels"] == widest and line["tiles"] == "all" and line["level"] >= 8:
            held = {"most": 700, "aim": 400,
                    "page": f"`earthlike`'s function (continents, climate, erosion, colour), level {line['level']}"}
        bench.row(f"earthlike, level {line['level']}, {line['kernels']}: {line['tiles']}", line["ns"], "ns/sample", **held)


def tile(bench):
    """Whole finished tiles, 257 x 257 samples, level 12, three layers; what each stage takes."""
    fbm, earth = bench.turns("bench_tile", [FBM], ["-p", "4", "earthlike"])
    for name, line in (("fbm of 16 octaves", fbm[0]), ("earthlike", earth[0])):
        bench.row(f"finished tile of {name}, level 12, {line['kernels']}", line["ns"], "ns/sample",
                  page=f"finished tile of {name}, level 12, 257 x 257 samples, three layers")
        for stage in STAGES:
            bench.row(f"  {stage}", line[stage + "_ns"], "ns/sample")


def noise_stage(bench):
    """The noise of a whole tile against evaluating it at every sample, value and gradient."""
    if not os.path.exists(bench.program("bench_noise")):
        bench.leave_out("noise of a whole tile over brute force", "bench_noise is not built")
        return
    (lines,) = bench.turns("bench_noise", [])
    for line in lines:
        if not line["gradient"]:
            continue
        held = {}
        if line["kernels"] == lines[-1]["kernels"] and line["level"] >= 10:
            held = {"most": 0.35, "aim": 0.2,
                    "page": f"noise of a whole tile of level {line['level']} over evaluating all octaves at every sample"}
        bench.row(f"noise of a whole tile over brute force, level {line['level']}, {line['kernels']}",
                  line["mesh_ns"] / line["brute_ns"], "", **held)


def sea(bench):
    """A planet with 71 % flat sea against the same planet all land, tiles all over it."""
    common = ["-v", "8-12/4", "-p", "24", FLAT_SEA]
    wet, dry = bench.turns("bench_tile", common, ["-s", "sea_share=-1", *common])
    for with_sea, all_land in zip(wet, dry):
        level = with_sea["level"]
        bench.row(f"71 % flat sea, level {level}: tiles wholly sea", with_sea["flat"], "")
        bench.row(f"  speed over all land ({all_land['ns']:.0f} ns a sample)", all_land["ns"] / with_sea["ns"], "x",
                  least=2, aim=3, page=f"a planet with 71 % flat sea over the same all land, level {level}")


def heights(bench):
    """Bakes of heights alone in tiles of 64 intervals, everything included."""
    runs = [bench.bake("heights.terrane", HEIGHTS) for _ in range(bench.runs)]
    bench.row("bake fbm, heights alone, 65 x 65 samples, levels 0 to 5",
              statistics.median(run["tiles"] / run["cpu"] for run in runs), "tiles/s/core",
              page="whole bake of heights alone, 65 x 65 samples, levels 0 to 5, noise of 16 octaves")
    line = bench.turns("bench_tile", ["-l", "h", "-n", "64", "-p", "200", FBM])[0][0]
    bench.row("  the tiles alone, level 12, all 16 octaves", 1e9 / (line["ns"] * 65 * 65), "tiles/s/core",
              page="heights alone, 65 x 65 samples, level 12, noise of 16 octaves")


def baking_seconds(bench, count, threads):
    """The mean wall time of count bakes of earthlike at the same time, and which part of it their threads were busy.
    Nothing looks on meanwhile, as harness.run would: that takes a hundredth of a processor."""
    bakes = []
    for number in range(count):
        timings = bench.path(f"timings{number}.json")
        bakes.append((timings, subprocess.Popen([bench.terrane, "bake", "-q", "--force", "-o",
                                                 bench.path(f"earth{number}.terrane"), "--timings", timings, "-j",
                                                 str(threads), *EARTH], stdin=subprocess.DEVNULL)))
    seconds, busy = [], []
    for timings, process in bakes:
        if process.wait() != 0:
            sys.exit("bench: a bake of earthlike failed")
        with open(timings, encoding="utf-8") as file:
            times = json.load(file)
        worked = times["planet_cpu_s"] + times["layers_cpu_s"] + times["encode_cpu_s"] + times["write_s"]
        seconds.append(times["bake_wall_s"])
        busy.append(worked / (threads * times["bake_wall_s"]))
    return statistics.mean(seconds), statistics.mean(busy)


def threads(bench):
    """Two threads against one, by the clock, beside what the machine gives two processes: wants a quiet machine."""
    ours, machine, busy = [], [], []
    # Twice as often as other figures: processors of one machine are not always equally quick.
    for _ in range(2 * bench.runs):
        # One thread before and after, so that a machine that becomes slower or quicker makes no difference.
        before = baking_seconds(bench, 1, 1)[0]
        two, share = baking_seconds(bench, 1, 2)
        pair = baking_seconds(bench, 2, 1)[0]
        one = (before + baking_seconds(bench, 1, 1)[0]) / 2
        busy.append(share)
        ours.append(one / two)
        machine.append(2 * one / pair)
    bench.row("speed of 2 threads over 1, earthlike (by the clock)", statistics.median(ours), "x", least=1.95,
              aim=1.98, page="two threads over one, `earthlike`, by the clock")
    bench.row("  part of the time that both threads work", statistics.median(busy), "",
              page="  part of the time that both threads are at work, whatever the clocks do")
    bench.row("  of 2 processes of one thread each over 1", statistics.median(machine), "x",
              page="  two processes of one thread each over one: what the machine gives")


def memory(bench):
    """Peak memory of bakes."""
    deep = [bench.bake("deep.terrane", DEEP, 2) for _ in range(3)]
    bench.row("peak memory, earthlike to level 12, 257 x 257 samples, 2 threads", median(deep, "peak") / 2**20, "MiB",
              most=64, aim=32, page="peak memory, two threads, `earthlike` to level 12, 257 x 257 samples")
    many = bench.bake("many.terrane", MANY, 2)
    few = bench.bake("few.terrane", FEW, 2)
    bench.row("peak memory, 131,070 tiles of N = 32", many["peak"] / 2**20, "MiB")
    bench.row("  over that of 510 tiles", (many["peak"] - few["peak"]) / 2**20, "MiB", most=16)


def depth(bench):
    """What a sample costs by level, from 0 to 20: the chart of scripts/bench-chart."""
    common = ["-n", "128", "-v", "0-20", "-p", "6"]
    fbm, earth = bench.turns("bench_tile", [*common, FBM], [*common, "earthlike"])
    for name, lines in (("fbm", fbm), ("earthlike", earth)):
        bench.curves[name] = [{key: line[key] for key in ("level", "ns", "planet_ns", "layers_ns", "encode_ns")}
                              for line in lines]
        for line in lines[::4]:
            bench.row(f"finished tile of {name}, 129 x 129, level {line['level']}", line["ns"], "ns/sample")

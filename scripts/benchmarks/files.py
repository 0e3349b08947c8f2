# SPDX-License-Identifier: MIT
"""Parts of scripts/bench about kernels, codecs and packs."""
import json
import os
import statistics
import subprocess
import sys

from benchmarks.tiles import FBM, MANY

PACK = ["--planet", FBM, "--tile", "256", "--depth", "3"]  # 510 tiles, three layers
SMALL = ["--planet", "earthlike", "--tile", "128", "--depth", "2"]
TEN = ["--planet", "plain", "--tile", "32", "--depth", "1", "--face", "0", "--face", "1"]


def noise(bench):
    """The fractal kernel alone, at every sample."""
    for line in bench.turns("bench_kernels", ["fbm tile"])[0]:
        what = "and gradient" if line["gradient"] else "alone"
        name = f"fBm, {line['octaves']} octaves, {line['variant']}: value {what}"
        bench.row(name, line["ns_per_sample"], "ns/sample")


def instructions(bench):
    """Instructions a sample of two fixed tiles under callgrind; scripts/instructions compares them."""
    script = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "instructions")
    ended = subprocess.run([script, bench.build, "--json"], stdout=subprocess.PIPE, check=False)
    if ended.returncode != 0:
        bench.leave_out("instructions of a finished tile", "see above")
        return
    counted = json.loads(ended.stdout)["instructions_per_sample"]
    for what, number in counted.items():
        bench.row(f"instructions of a finished tile: {what}", number, "a sample")


def codecs(bench):
    """Deflate against libdeflate level 1 on the same predicted bytes, and whole layers."""
    for line in bench.lines_of("bench_codec", str(max(bench.runs, 5))):
        layer = line["layer"]
        if line["bench"] == "deflate":
            bench.row(f"deflate {layer}: {line['coder']}", line["mb_per_s"], "MB/s")
        elif line["bench"] == "deflate ratio":
            speed, size = ({"least": 3, "aim": 5}, {"most": 0.92, "aim": 0.87}) if layer == "all" else ({}, {})
            bench.row(f"deflate {layer}: speed over libdeflate 1", line["speed"], "x", **speed,
                      page=layer == "all" and "deflate of predicted terrain, the three layers: speed over libdeflate 1")
            bench.row(f"deflate {layer}: size over libdeflate 1", line["size"], "", **size,
                      page=layer == "all" and "  its size over libdeflate 1's")
        elif line["bench"] == "codec":
            bench.row(f"encode {layer} (samples)", line["encode_samples_mb_per_s"], "MB/s/core")
            bench.row(f"decode {layer} (samples)", line["decode_samples_mb_per_s"], "MB/s/core")
        elif line["bench"] == "hash" and layer == "all" and line["side_by_side_mb_per_s"]:
            bench.row("hash a tile's layers: side by side over nettle",
                      line["side_by_side_mb_per_s"] / line["nettle_mb_per_s"], "x")


def reading(bench):
    """Opening packs, finding and decoding tiles."""
    packs = {"ten": bench.pack("ten.terrane", TEN), "many": bench.pack("many.terrane", MANY),
             "earth": bench.pack("earth.terrane", SMALL)}
    opens = {}
    for name, path in packs.items():
        for line in bench.lines_of("bench_pack", path, str(max(bench.runs, 5))):
            if line["bench"] == "open" and name != "earth":
                opens[name] = line["us"]
                bench.row(f"open a pack of {line['tiles']:,} tiles", line["us"], "us",
                          page=name == "many" and f"opening a pack of {line['tiles']:,} tiles")
            elif line["bench"] == "find" and name == "many":
                bench.row("find a random tile of 131,070, cold", line["per_s"], "tiles/s")
            elif line["bench"] == "read" and name == "earth":
                bench.row("read and decode a random tile, 129 x 129, 3 layers", line["per_s"], "tiles/s",
                          page="reading and decoding random tiles, 129 x 129 samples, three layers")
                bench.row("  in samples", line["mb_per_s"], "MB/s")
    bench.row("  opening: 131,070 tiles over 10", opens["many"] / opens["ten"], "x", most=1.5)


def verifying(bench):
    """verify --quick, verify and merge of fbm in tiles of 257 x 257 samples, three layers."""
    whole = bench.pack("fbm.terrane", PACK)
    parts = [bench.pack(f"part{k}.terrane", [*PACK, "--shard", f"{k}/2"]) for k in (1, 2)]
    commands = {"verify --quick": (["verify", "--quick", whole], 800, 1200), "verify": (["verify", whole], 40, 80),
                "merge": (["merge", "-q", "--force", "-o", bench.path("merged.terrane"), *parts], 300, 600)}
    seconds = {name: [] for name in commands}
    for _ in range(bench.runs):
        for name, (command, _, _) in commands.items():
            seconds[name].append(bench.measure(*command)["cpu"])
    megabytes = os.path.getsize(whole) * 1e-6
    if os.path.getsize(bench.path("merged.terrane")) * 1e-6 != megabytes:
        sys.exit("bench: the merged pack is not as long as the whole")
    for name, (_, must, aim) in commands.items():
        bench.row(f"{name}, of pack", megabytes / statistics.median(seconds[name]), "MB/s/core", least=must, aim=aim,
                  page=f"`{name}`, of pack")

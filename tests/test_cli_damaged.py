#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damaged packs in the hands of every verb, and of the viewer where it is built: a bit turned over, some bytes
overwritten, a cut. `verify` refuses each; the others answer or refuse, in one line, and then leave nothing behind.

TERRANE_DAMAGED is how many (9; make soak-flips takes 300), TERRANE_TEST_SEED replays.
"""
import random

from terrane_cli import *

COUNT = int(os.environ.get("TERRANE_DAMAGED", "9"))
SEED = int(os.environ.get("TERRANE_TEST_SEED", "20261130"))
VIEW = os.path.join(os.path.dirname(TERRANE), "terrane-view")

PLANS = {
    "full": ["--face", "0", "--layers", "normal,height"],
    "sparse": ["--face", "0", "--region", "10,20,50,3"],
    "share": ["--shard", "2/3", "--layers", "height,color"],
}


def damage(draw, data):
    data = bytearray(data)
    kind = draw.choice(["bit", "bit", "bytes", "cut"])
    # Header and metadata are what the first look falls on, and the index what every search goes through.
    place = draw.randrange(*draw.choice([(1536,), (len(data),), (len(data) * 3 // 4, len(data))]))
    if kind == "bit":
        data[place] ^= 1 << draw.randrange(8)
    elif kind == "bytes":
        for k in range(place, min(place + draw.randint(1, 40), len(data))):
            data[k] = draw.choice([0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)])
        data[place] ^= 0x10
    else:
        del data[place:]
    return bytes(data)


def allowed(*arguments, leaves=None):
    result = run(*arguments, timeout=30)
    check(result.returncode in (0, 3), arguments, result.returncode, result.stderr)
    if leaves and result.returncode:
        check(not exists(leaves), arguments, "left", leaves)
    return result.returncode


def look(good, shares, whole):
    """Every verb at bad.terrane."""
    run("verify", "bad.terrane", code=3)
    run("verify", "bad.terrane", "--quick", code=3)
    allowed("info", "bad.terrane", "--json")
    for layer in ["height", "normal", "color"]:
        allowed("tile", "bad.terrane", "0/1/0/1", "--layer", layer, "-o", "t.png", leaves="t.png")
        shutil.rmtree(path("t.png"), ignore_errors=True)
        if exists("t.png"):
            os.unlink(path("t.png"))
    allowed("sample", "bad.terrane", "10,20")
    allowed("extract", "bad.terrane", "-o", "tiles", leaves="tiles")
    shutil.rmtree(path("tiles"), ignore_errors=True)
    allowed("map", "bad.terrane", "-o", "m.png", "--width", "64", "--style", "height", "--force")
    allowed("stats", "bad.terrane", "--json")
    allowed("diff", good, "bad.terrane")
    allowed("diff", "bad.terrane", good)
    # The other shares are whole. Zeros that nothing uses are not read, and may be damaged without harm.
    if allowed("merge", "-o", "merged.terrane", *shares, "-q", "--force") == 0:
        run("diff", "merged.terrane", whole, code=0)
        run("verify", "merged.terrane", code=0)
        os.unlink(path("merged.terrane"))
    check(not exists("merged.terrane") and not exists("merged.terrane.bake"))


def look_with_viewer():
    environment = dict(ENVIRONMENT, ASAN_OPTIONS="detect_leaks=0", LP_NUM_THREADS="2")
    result = subprocess.run([VIEW, "bad.terrane", "--headless", "--size", "64x36", "--wait-full", "--shot", "v.png",
                             "--force"], cwd=FOLDER, env=environment, timeout=60, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    # Without a way to draw it says so with exit code 4.
    check(result.returncode in (0, 3, 4), result.returncode, result.stderr)
    check(all(line.startswith(b"terrane-view: ") for line in result.stderr.splitlines()), result.stderr)


@claim
def damaged_packs_are_found_by_verify_and_survived_by_every_verb():
    draw = random.Random(SEED)
    packs = {name: bake(name + ".terrane", *plan) for name, plan in PLANS.items()}
    layers = ["--layers", "height,color"]
    others = [bake("share%d.terrane" % share, "--shard", "%d/3" % share, *layers) for share in (1, 3)]
    whole = bake("whole.terrane", *layers)
    for number in range(COUNT):
        name = draw.choice(sorted(PLANS)) if number >= 3 else sorted(PLANS)[number]
        with open(packs[name], "rb") as file:
            bad = damage(draw, file.read())
        with open(path("bad.terrane"), "wb") as file:
            file.write(bad)
        try:
            look(packs[name], ["bad.terrane", *others], whole)
            if number % 5 == 0 and os.access(VIEW, os.X_OK):
                look_with_viewer()
        except Exception:
            print("pack %d, of %s\nreplay: TERRANE_TEST_SEED=%d TERRANE_DAMAGED=%d %s" %
                  (number, name, SEED, COUNT, sys.argv[0]))
            raise


main()

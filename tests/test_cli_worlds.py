#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The built-in worlds from outside: the same content on every machine, borders that agree on all edges and corners,
statistics that are right, and different seeds that are different worlds."""
from terrane_cli import *

sys.path.insert(0, os.path.join(ROOT, "tests"))

# content_sha256 of `bake --planet WORLD --seed 7 --depth 2 --tile 32`. A change here is a change of the world: raise
# METADATA_GENERATOR_CONTENT when one was released, and say so in the change log.
GOLDEN = {
    "earthlike": "599c842f2bf3c039bb16a6fa29f947762b98a5c6785b755354f406d17e90b72a",
    "ice": "9ce93a12ef7c5c31953cb5230f39f7dcb9f60468ddd0058bffe1faab8dec2f0a",
    "lava": "d50321c00c319275b79b74ac25b8c09a17645f7d03fc1ac8c8351c46489d1035",
    "mars": "a8e49531c5a9e0723d53ce1bcd6cc17facea81b5999273ec4cabd9b4e2984ace",
    "moon": "3041c8db62044f461030f83e08b9a493cac3c5e71bb8151da2d53396a8782409",
    "ocean": "2c1287e791b45350317e896718eb219bffbd6e58461bb86bf58fcb66fe501055",
    "plain": "468faf590f708356506f19b22a29df1c6af0d54cdfd62e6ee1d610bec9d4c422",
}


def world(name, seed=7, **more):
    pack = path("%s-%d.terrane" % (name, seed))
    if not os.path.exists(pack):
        run("bake", "-q", "-o", pack, "--planet", name, "--seed", str(seed), "--depth", "2", "--tile", "32", code=0)
    return pack


@claim
def the_worlds_are_those_that_are_named_here():
    names = [line.split()[0] for line in run("planets", code=0).stdout.decode().splitlines()]
    equal(names, sorted(GOLDEN))


@claim
def every_world_has_its_golden_content():
    got = {name: answer("info", world(name), "--json")["content_sha256"] for name in GOLDEN}
    equal(got, GOLDEN)


# A depth-2 pack has every edge and corner of the cube, between faces and within them, on three levels.
@claim
def borders_of_every_world_agree_on_all_edges_and_corners():
    for name in GOLDEN:
        got = answer("verify", world(name), "--borders", "--json")
        # A level of 6 n^2 tiles has twice as many sides; 216 are all pairs of tiles that meet in a corner alone.
        equal((got["borders"]["sides"], got["borders"]["corners"]), (12 + 48 + 192, 216))


@claim
def seeds_make_different_worlds_of_one_kind():
    for name in GOLDEN:
        if name == "plain":
            continue
        one, other = (answer("stats", world(name, seed), "--json", "--width", "256") for seed in (7, 8))
        difference = json.loads(run("diff", world(name, 7), world(name, 8), "--json", code=3).stdout)
        equal(difference["differing"], 126)
        # The same roughness: standard deviations within a half of each other.
        check(2 / 3 < one["sd_m"] / other["sd_m"] < 3 / 2, name, one["sd_m"], other["sd_m"])
        check(one["percentiles"] != other["percentiles"], name)


main()

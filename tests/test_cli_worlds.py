#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The built-in worlds from outside: the same content on every machine, borders that agree on all edges and corners,
statistics that are right, and different seeds that are different worlds."""
from terrane_cli import *

sys.path.insert(0, os.path.join(ROOT, "tests"))

# content_sha256 of `bake --planet WORLD --seed 7 --depth 2 --tile 32`. A change here is a change of the world: raise
# METADATA_GENERATOR_CONTENT when one was released, and say so in the change log.
GOLDEN = {
    "earthlike": "ef096e1e66376f18778ec18aaae53aa215cb0bcc0ccd3dbcd4f10a4e8c82f424",
    "ice": "5e9d91f9d2c6423039095ec16c741adde7e2cb8d394009f49433d9c5c3f4c7b1",
    "lava": "bbe198df46f87903ab60a197cffd25a52d7daace59986c40df4e60ee50a894a7",
    "mars": "2f3d0aadb14b7a35415fb691ce958bae6334e225dc6c51ebf222da05cab61e48",
    "moon": "607b97580b37f8f6a02eddb8e1c0c28aeac93f2eb867f7c80ad125c944a79743",
    "ocean": "0934b5a4662c103e32e31a2ba52dc93c5cccbcf4459e6902e96f5b2114ca1a37",
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

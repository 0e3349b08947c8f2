#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The built-in worlds from outside: the same content on every machine, borders that agree on all edges and corners,
statistics that are right, and different seeds that are different worlds."""
from terrane_cli import *

sys.path.insert(0, os.path.join(ROOT, "tests"))

# content_sha256 of `bake --planet WORLD --seed 7 --depth 2 --tile 32`. A change here is a change of the world: raise
# METADATA_GENERATOR_CONTENT when one was released, and say so in the change log.
GOLDEN = {
    "earthlike": "5739a6b4960e92d4eb871fc136ae06d25b778584f07fb24a8105c1b9cf238d1d",
    "ice": "51366d9b01c287286d32ea15210cf5b584a6e5363e5f92e0164ea0bad399c354",
    "lava": "d50321c00c319275b79b74ac25b8c09a17645f7d03fc1ac8c8351c46489d1035",
    "mars": "e5026b6b3cb1f26d2399c160e979da985c988209ad0e2ba9b34df4bee91cb442",
    "moon": "baa8fb938d1f94795a4d4ce8b2c4b89390fce379fff86357c641e115d9be7fc5",
    "ocean": "4a6db11174344fa7162aecd2c0a4103a42735def6578fe13990b2f82c5b2c09c",
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

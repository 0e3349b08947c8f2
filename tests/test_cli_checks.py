#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""terrane verify and diff, on packs that are good, damaged, and different."""
import hashlib

from terrane_cli import *


def pack():
    return bake("pack.terrane", depth=2)


def copy_with(name, change):
    with open(pack(), "rb") as file:
        data = bytearray(file.read())
    changed = change(data)
    data = data if changed is None else changed
    with open(path(name), "wb") as file:
        file.write(data)
    return path(name)


# ---- verify ----------------------------------------------------------------------------------------------------------
@claim
def good_packs_pass_with_every_flag():
    for flags in ([], ["--quick"], ["--borders"], ["--rebake", "3"], ["--quick", "--borders", "--rebake", "1000"]):
        result = run("verify", pack(), *flags, code=0)
        check(result.stdout.startswith(b"intact: 126 tiles") and result.stderr == b"", result)
    sparse = bake("sparse.terrane", "--region", "45,45,300,7", "--face", "0", "--face", "1", "--face", "2", depth=2)
    report = answer("verify", sparse, "--borders", "--rebake", "5", "--json")
    check(report["ok"] and report["complete"] and report["rebake"]["tiles"] == 5, report)
    equal(report["content_sha256"], answer("info", sparse, "--json")["content_sha256"])


@claim
def the_report_counts_what_was_compared():
    report = answer("verify", pack(), "--borders", "--rebake", "4", "--seed", "77", "--json")
    equal((report["schema"], report["quick"], report["tiles"]), (1, False, 126))
    equal((report["borders"]["sides"], report["borders"]["corners"]), (252, 216))
    check(0 < report["borders"]["normal_steps_max"] <= 1.25)
    equal(report["rebake"], {"tiles": 4, "seed": "77"})
    quick = answer("verify", pack(), "--quick", "--json")
    check(quick["quick"] and "borders" not in quick and "rebake" not in quick)


@claim
def a_drawn_seed_is_printed_and_differs():
    seeds = {answer("verify", pack(), "--quick", "--rebake", "1", "--json")["rebake"]["seed"] for _ in range(3)}
    equal(len(seeds), 3)
    check(b"seed 5" in run("verify", pack(), "--quick", "--rebake", "1", "--seed", "5", code=0).stdout)


@claim
def intact_shares_pass_with_a_note():
    run("bake", "-o", "share.terrane", "--planet", "plain", "--tile", "32", "--depth", "2", "--shard", "3/5", "-q",
        code=0)
    result = run("verify", "share.terrane", "--borders", "--rebake", "2", code=0)
    check(b"note" in result.stderr and b"share 3 of 5" in result.stderr, result.stderr)
    report = answer("verify", "share.terrane", "--json")
    check(report["ok"] and not report["complete"] and (report["share"], report["shares"]) == (3, 5))


@claim
def damage_is_found_and_named():
    def flip(data):
        data[len(data) // 2] ^= 1
    damaged = copy_with("damaged.terrane", flip)
    for flags in ([], ["--quick"], ["--borders"]):
        check(b"damaged.terrane" in run("verify", damaged, *flags, code=3).stderr)
    report = json.loads(run("verify", damaged, "--json", code=3).stdout)
    check(report["ok"] is False and "damaged.terrane" in report["error"], report)


@claim
def cut_lengthened_empty_and_foreign_files_are_refused():
    variants = {
        "cut": lambda data: data[:-1],
        "half": lambda data: data[:len(data) // 2],
        "head": lambda data: data[:1024],
        "longer": lambda data: data + b"\0",
        "empty": lambda data: b"",
        "text": lambda data: b"not a pack\n" * 1000,
        "other": lambda data: b"\x89PNG\r\n\x1a\n" + data[8:],
    }
    for name, change in variants.items():
        bad = copy_with("bad-%s.terrane" % name, change)
        for arguments in (["verify", bad], ["verify", bad, "--quick"], ["info", bad], ["info", bad, "--json"],
                          ["tile", bad, "0/0/0/0", "--layer", "color"], ["sample", bad, "1,2"],
                          ["map", bad, "-o", "bad.png"], ["extract", bad, "-o", "bad-tiles"], ["diff", bad, pack()],
                          ["diff", pack(), bad]):
            check(("bad-%s.terrane" % name).encode() in run(*arguments, code=3).stderr)
    check(not exists("bad.png") and not exists("bad-tiles"))


@claim
def verify_flags_that_do_not_fit_are_refused():
    for flags in (["--rebake", "0"], ["--rebake", "-1"], ["--rebake", "x"], ["--rebake", "1", "--seed", "-1"],
                  ["--rebake", "1", "--seed", "18446744073709551616"], ["--seed", "1"], ["--planet", "x.planet"],
                  ["--quick=yes"], ["--quick", "--quick"]):
        named = [flag.split("=")[0].encode() for flag in flags if flag.startswith("--")][-1]
        check(named in run("verify", pack(), *flags, code=2).stderr, flags)


# ---- diff ------------------------------------------------------------------------------------------------------------
def raised():
    """The same planet with 3 m more height wherever x > 0.9, which is in the middle of face 0."""
    for name, more in (("base", ""), ("raised", " + 3 * clamp(1000000 * (x - 0.95), 0, 1)")):
        with open(path(name + ".planet"), "w") as file:
            file.write('name = "p"\nheight = 500 * y%s\ncolor = #204060\n' % more)
    return bake("base.terrane", planet="base.planet"), bake("raised.terrane", planet="raised.planet")


@claim
def equal_packs_are_equal():
    again = bake("again.terrane", depth=2)
    report = answer("diff", pack(), again, "--json")
    equal((report["equal"], report["compared"], report["differing"], report["tiles"], report["metadata"]),
          (True, 126, 0, [], ""))
    check(b"0 of them differ" in run("diff", pack(), again, code=0).stdout)


@claim
def differing_tiles_are_listed_with_how_much():
    base, high = raised()
    result = run("diff", base, high, "--json", code=3)
    report = json.loads(result.stdout)
    check(not report["equal"] and report["compared"] == 30 and report["only_in_a"] == report["only_in_b"] == 0)
    names = [tile["tile"] for tile in report["tiles"]]
    equal(names, ["0/0/0/0", "0/1/0/0", "0/1/1/0", "0/1/0/1", "0/1/1/1"])
    for tile in report["tiles"]:
        equal((tile["kind"], tile["color_max"]), ("differs", 0))
        check(2.9 < tile["height_max_m"] <= 3.01, tile)
    check(2.9 < report["height_max_m"] <= 3.01 and "planet_text" in report["metadata"], report)
    text = run("diff", base, high, code=3).stdout.decode()
    check(all(name + " height " in text for name in names), text)
    check(b"differ in 5 tiles" in result.stderr, result.stderr)


@claim
def tiles_of_one_pack_only_are_listed():
    deep = bake("deep.terrane", "--region", "0,0,100,3", depth=2)
    report = json.loads(run("diff", pack(), deep, "--json", code=3).stdout)
    check(report["only_in_b"] > 0 and report["only_in_a"] == 0 and report["compared"] == 126)
    check(all(tile["kind"] == "only_in_b" and tile["tile"].split("/")[1] == "3" for tile in report["tiles"]))
    equal(len(report["tiles"]), report["only_in_b"])
    turned = json.loads(run("diff", deep, pack(), "--json", code=3).stdout)
    equal((turned["only_in_a"], turned["only_in_b"]), (report["only_in_b"], 0))
    check(b"only in the second" in run("diff", pack(), deep, code=3).stdout)


@claim
def seeds_differ_in_the_metadata_though_not_in_the_tiles():
    # The closed-form planet takes nothing from the seed.
    report = answer("diff", pack(), bake("seed.terrane", "--seed", "2", depth=2), "--json")
    check(report["equal"] and "seed" in report["metadata"], report)


@claim
def packs_of_another_shape_cannot_be_compared():
    for arguments in (["--radius", "1000000"], ["--layers", "height"]):
        other = bake("other%s.terrane" % arguments[0], *arguments, depth=2)
        result = run("diff", pack(), other, code=3)
        check(b"cannot be compared" in result.stderr and result.stdout == b"", result)
        report = json.loads(run("diff", pack(), other, "--json", code=3).stdout)
        check(report["equal"] is False and arguments[0][2:] in report["incomparable"], report)
    check(b"tile size" in run("diff", pack(), bake("fine.terrane", tile=64), code=3).stderr)


@claim
def checks_change_nothing():
    with open(pack(), "rb") as file:
        before = hashlib.sha256(file.read()).digest()
    run("verify", pack(), "--borders", "--rebake", "3", code=0)
    run("diff", pack(), pack(), code=0)
    with open(pack(), "rb") as file:
        equal(hashlib.sha256(file.read()).digest(), before)


main()

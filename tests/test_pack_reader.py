#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs that the C code wrote, read by pack_reader.py, which knows only the text of the format. Uses the test programs
of a build (environment variable BUILD) to make packs, and the baker ($TERRANE) where it is built."""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
READER = HERE / "pack_reader.py"
BUILD = Path(os.environ.get("BUILD", "build/release"))
TERRANE = Path(os.environ.get("TERRANE", BUILD / "terrane"))
failed = False


def claim(name, good, why=""):
    global failed
    failed = failed or not good
    print(("ok %s" if good else "FAILED %s: %s") % ((name,) if good else (name, why)))


def read(path, *options):
    done = subprocess.run([sys.executable, READER, *options, path], capture_output=True, text=True)
    return (json.loads(done.stdout) if done.returncode == 0 else None), done.stderr.strip()


def make(folder, program, test):
    environment = dict(os.environ, TERRANE_SAMPLES=str(folder))
    subprocess.run([BUILD / "tests" / program, test], env=environment, check=True, stdout=subprocess.DEVNULL)


def sample_packs_are_read(folder):
    make(folder, "test_pack_decode", "decoding_gives_back_the_samples")
    wanted = {  # number of the sample: levels, full depth, layers, complete
        0: ([6, 24] + [4] * 19, 1, [0, 1, 2], True),
        1: ([0, 0, 0, 1, 0, 0, 0, 0, 0, 1] + [0] * 14 + [1], None, [0, 1, 2], False),
        2: ([1, 4, 16], None, [0], True),
        3: ([1, 4, 0, 0, 0, 0, 0, 0, 1], None, [1, 2], True),
        4: ([0], None, [0, 1, 2], True),
    }
    for number, (levels, depth, layers, complete) in wanted.items():
        found, why = read(folder / ("sample-%d.terrane" % number))
        good = found is not None and (
            found["tiles_per_level"],
            found["full_depth"],
            found["layers"],
            found["complete"],
        ) == (levels, depth, layers, complete)
        claim("a_reader_made_from_the_text_reads_sample_%d" % number, good, why or found)


def big_packs_are_read(folder):
    make(folder, "test_pack_big", "tiles_beyond")
    path = folder / "sample-big.terrane"
    found, why = read(path, "--holes")
    claim("a_reader_made_from_the_text_reads_beyond_4_gib", found and found["tiles"] == 5 and found["decoded"] > 9, why)
    path.unlink()


def damage_is_refused(folder):
    whole = (folder / "sample-3.terrane").read_bytes()
    path = folder / "damaged.terrane"
    seed = int(os.environ.get("TERRANE_TEST_SEED", "20261130"))
    dice = random.Random(seed)
    for _ in range(8):
        at, change = dice.randrange(len(whole)), dice.randrange(1, 256)
        path.write_bytes(whole[:at] + bytes([whole[at] ^ change]) + whole[at + 1 :])
        found, why = read(path)
        if found:
            claim("the_second_reader_sees_a_changed_byte", False, "byte %d, seed %d" % (at, seed))
            return
    claim("the_second_reader_sees_a_changed_byte", True)
    path.write_bytes(whole[:-1])
    found, why = read(path)
    claim("the_second_reader_sees_a_missing_byte", not found and "size" in why, why)


def both_programs_agree(folder):
    """What the baker says of its pack and what the second reader finds in it."""
    path = folder / "baked.terrane"
    bake = [TERRANE, "bake", "-o", path, "--planet", "plain", "--depth", "1", "--tile", "32", "-q"]
    bake += ["--region", "12,34,1,7"]
    done = subprocess.run(bake, capture_output=True, text=True)
    if done.returncode:
        claim("the_baker_and_the_second_reader_agree", False, done.stderr)
        return
    info = json.loads(subprocess.run([TERRANE, "info", path, "--json"], capture_output=True, check=True).stdout)
    found, why = read(path)
    keys = ("tiles", "tiles_per_level", "full_depth", "content_sha256", "fingerprint", "file_bytes", "complete")
    claim("the_baker_and_the_second_reader_agree", found and all(found[k] == info[k] for k in keys), why or found)


def main():
    with tempfile.TemporaryDirectory(prefix="terrane-test-") as name:
        folder = Path(name)
        sample_packs_are_read(folder)
        big_packs_are_read(folder)
        damage_is_refused(folder)
        if TERRANE.exists():
            both_programs_agree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

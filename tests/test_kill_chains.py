#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bakes killed at moments drawn by chance, up to four times on end, and then resumed: the output is always the older
pack, the whole new one or nothing, and in the end it is byte for byte that of an undisturbed bake.

TERRANE_KILL_CHAINS is how many chains (10; scripts/check takes 100, make soak-kill 1,000), TERRANE_TEST_SEED replays
the draws, though not how far a bake comes in that time.
"""
import hashlib
import random
import signal
import time

from terrane_cli import *

COUNT = int(os.environ.get("TERRANE_KILL_CHAINS", "10"))
SEED = int(os.environ.get("TERRANE_TEST_SEED", "20261130"))
PLAN = ["--planet", "plain", "--tile", "32", "--depth", "3", "--region", "46,8,300,6", "--layers", "height,normal"]


def digest(name):
    with open(path(name), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Chain:
    """What one chain bakes, and how: the plan, what stands at the output before, where work files go."""

    def __init__(self, draw, number, whole, share, old):
        self.name = "p%d.terrane" % number
        self.arguments = ["bake", "-q", "-o", self.name, *PLAN, "--resume"]
        self.wanted, self.before = whole, None
        kind = draw.randrange(4)
        if kind == 1:
            self.arguments += ["--shard", "2/3"]
            self.wanted = share
        elif kind == 2:
            self.arguments += ["--work", "work%d" % number]
        elif kind == 3:
            shutil.copy(path("old.terrane"), path(self.name))
            self.arguments.append("--force")
            self.before = old

    def stands(self):
        """Whether the output is what it may be while the bake is not done."""
        there = digest(self.name) if exists(self.name) else None
        return there in (self.before, self.wanted)

    def kill_one(self, draw, longest_s):
        """Returns whether the bake was still at work."""
        process = subprocess.Popen([TERRANE, *self.arguments, "-j", str(draw.randint(1, 4))], cwd=FOLDER,
                                   env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(longest_s * draw.random() ** 2) # later tries have less left to do
        process.kill()
        _, error = process.communicate()
        check(process.returncode in (0, -signal.SIGKILL), process.returncode, error)
        return process.returncode != 0

    def leave(self):
        for name in [self.name, self.name + ".bake", *self.arguments[-1:]]:
            if name.startswith("work") or name == self.name + ".bake":
                check(not exists(name), name, "is left")
        os.unlink(path(self.name))


def seconds_of_a_bake():
    times = []
    for _ in range(2):
        start = time.monotonic()
        run("bake", "-q", "-o", "whole.terrane", *PLAN, "--force", "-j", "2", code=0)
        times.append(time.monotonic() - start)
    return min(times)


@claim
def killed_bakes_resume_to_the_same_bytes():
    draw = random.Random(SEED)
    seconds_of_a_bake()
    run("bake", "-q", "-o", "share.terrane", *PLAN, "--shard", "2/3", code=0)
    run("bake", "-q", "-o", "old.terrane", *PLAN, "--seed", "7", code=0)
    known = digest("whole.terrane"), digest("share.terrane"), digest("old.terrane")
    equal(len(set(known)), 3)
    kills = with_work_files = 0
    for number in range(COUNT):
        if number % 20 == 0:
            longest_s = seconds_of_a_bake() # what else runs here comes and goes
        chain = Chain(draw, number, *known)
        for _ in range(draw.randint(1, 4)):
            killed = chain.kill_one(draw, longest_s)
            kills += killed
            with_work_files += exists(chain.name + ".bake")
            check(chain.stands(), "chain", number, "of seed", SEED, ": torn output after a kill")
            if not killed:
                break
        run(*chain.arguments, code=0)
        equal(digest(chain.name), chain.wanted, "chain", number, "of seed", SEED)
        chain.leave()
    print("  %d chains, %d kills, %d of them left work files, a bake takes %.3f s" %
          (COUNT, kills, with_work_files, longest_s))
    check(kills >= COUNT // 3 and with_work_files >= COUNT // 6, "hardly killed")


main()

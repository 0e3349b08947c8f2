#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/cluster: what every engine runs for a share, alone and several at once, and the recipe for GNU parallel."""
import glob
import signal
import time

from terrane_cli import *

CLUSTER = os.path.join(ROOT, "scripts", "cluster")
PLANET = ["--planet", "plain", "--depth", "2", "--tile", "32"]
# A share of this takes long enough to be stopped half done.
LONG = ["--planet", "plain", "--depth", "4", "--tile", "64", "-j", "1"]


def start(script, *arguments, **environment):
    return subprocess.Popen([os.path.join(CLUSTER, script), *arguments], cwd=FOLDER, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(ENVIRONMENT, TERRANE=TERRANE, **environment))


def ended(process, code):
    """What it said, after it ended with this exit code."""
    output, errors = process.communicate(timeout=120)
    check(process.returncode == code, "exit code", process.returncode, errors)
    equal(output, "")
    return errors


def folder(name):
    os.makedirs(path(name))
    return path(name)


def contents(name):
    return sorted(os.listdir(path(name)))


def data(name):
    with open(path(name), "rb") as file:
        return file.read()


@claim
def shares_of_attempts_at_once_merge_to_the_bytes_of_one_machine():
    place = folder("at once, 100%a")
    attempts = [start("bake-share", place, str(k), "3", *PLANET) for k in (1, 2, 3, 2, 2)]
    for attempt in attempts:
        check("finished" in ended(attempt, 0))
    equal(contents("at once, 100%a"), ["1-of-3.terrane", "2-of-3.terrane", "3-of-3.terrane"])
    ended(start("merge-shares", path("merged.terrane"), place, "3", *PLANET), 0)
    equal(data("merged.terrane"), data(bake("single.terrane", planet="plain", depth=2)))
    # A merge that is started again finds the pack; one of something else does not touch it.
    check("stands finished" in ended(start("merge-shares", path("merged.terrane"), place, "3", *PLANET), 0))
    errors = ended(start("merge-shares", path("merged.terrane"), place, "3", *PLANET, "--seed", "2"), 4)
    check("--force" in errors, errors)


@claim
def a_share_works_on_scratch_and_is_published_whole():
    place = folder("shares")
    # Another file system than that of the test's folder, where there is one.
    scratch = tempfile.mkdtemp(prefix="terrane-scratch-", dir="/tmp")
    try:
        ended(start("bake-share", place, "1", "1", *PLANET, TERRANE_SCRATCH=scratch), 0)
        equal(os.listdir(scratch), [])
    finally:
        shutil.rmtree(scratch)
    equal(contents("shares"), ["1-of-1.terrane"])
    equal(data("shares/1-of-1.terrane"), data(bake("single.terrane", planet="plain", depth=2)))
    errors = ended(start("bake-share", place, "1", "2", *PLANET, TERRANE_SCRATCH=path("not there")), 4)
    check("not there" in errors, errors)
    equal(contents("shares"), ["1-of-1.terrane"])


@claim
def a_stopped_attempt_hands_its_work_on():
    place, scratch = folder("stopped"), folder("stopped-scratch")
    run("bake", "-o", "alone.terrane", "--shard", "1/2", *LONG, code=0)
    for environment in {}, {"TERRANE_SCRATCH": scratch}:
        attempt = start("bake-share", place, "1", "2", *LONG, **environment)
        while not [name for where in (place, scratch)
                   for name in glob.glob(where + "/*1-of-2.*/share.terrane.bake/*.journal")
                   if os.path.getsize(name) > 100000]:
            check(attempt.poll() is None, "ended too early")
            time.sleep(0.005)
        attempt.send_signal(signal.SIGTERM)
        errors = ended(attempt, 75)
        check("goes on with what is done" in errors, errors)
        equal(contents("stopped"), ["1-of-2.work"])
        equal(contents("stopped-scratch"), [])
        # Work for another planet is no use, and no loss either.
        check("another bake" in ended(start("bake-share", place, "1", "2", *LONG, "--seed", "2"), 3))
        equal(contents("stopped"), ["1-of-2.work"])
        errors = ended(start("bake-share", place, "1", "2", *LONG, **environment), 0)
        check("goes on with the work" in errors, errors)
        equal(contents("stopped"), ["1-of-2.terrane"])
        equal(data("stopped/1-of-2.terrane"), data("alone.terrane"))
        os.unlink(path("stopped/1-of-2.terrane"))


@claim
def finished_shares_stay_damaged_ones_are_replaced_and_foreign_ones_only_by_force():
    place, share = folder("again"), path("again/2-of-4.terrane")
    ended(start("bake-share", place, "2", "4", *PLANET), 0)
    whole, time_ns = data(share), os.stat(share).st_mtime_ns
    check("stands finished" in ended(start("bake-share", place, "2", "4", *PLANET), 0))
    equal(os.stat(share).st_mtime_ns, time_ns)

    for damaged in whole[:-1], whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:], b"":
        with open(share, "wb") as file:
            file.write(damaged)
        check("is replaced" in ended(start("bake-share", place, "2", "4", *PLANET), 0))
        equal(data(share), whole)

    errors = ended(start("bake-share", place, "2", "4", *PLANET, "--seed", "2"), 4)
    check("not the pack that was asked for" in errors, errors)
    equal(data(share), whole)
    ended(start("bake-share", place, "2", "4", *PLANET, "--seed", "2", TERRANE_FORCE="1"), 0)
    check(data(share) != whole)
    equal(contents("again"), ["2-of-4.terrane"])


@claim
def a_task_of_slurm_takes_the_number_of_shares_from_its_arguments_alone():
    place = folder("array")
    # As with --array=2,3 of three shares, after the first was lost.
    task = subprocess.Popen(["bash", os.path.join(ROOT, "scripts", "slurm", "bake.sbatch"), CLUSTER, TERRANE, "0", place,
                             "3", *PLANET], cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env=dict(ENVIRONMENT, SLURM_ARRAY_JOB_ID="7", SLURM_ARRAY_TASK_ID="2",
                                     SLURM_ARRAY_TASK_COUNT="2", SLURM_ARRAY_TASK_MIN="2", SLURM_ARRAY_TASK_MAX="3"))
    ended(task, 0)
    equal(contents("array"), ["2-of-3.terrane"])


@claim
def errors_of_the_bake_come_through():
    place = folder("errors")
    ended(start("bake-share", place, "3", "2", *PLANET), 2)
    ended(start("bake-share", place, "1", "2", "--planet", "./none.planet"), 3)
    ended(start("bake-share", path("nowhere"), "1", "2"), 4)
    ended(start("merge-shares", path("none.terrane"), place, "2", *PLANET), 3)
    equal(contents("errors"), [])
    check(not exists("none.terrane"))


@claim
def gnu_parallel_bakes_the_bytes_of_one_machine():
    # A name that shells and parallel would take apart, were it not quoted.
    name = "a {} {#} b $c 'd' \"e.terrane"
    planet = path("my planet.planet")
    with open(planet, "w") as file:
        file.write('name = "mine"\nradius = 1e6\nheight = 1000 * fbm(9e5, octaves = 3)\ncolor = #808080\n')
    arguments = ["--planet", planet, "--depth", "2", "--tile", "32"]
    ended(start("parallel.sh", path(name), "5", *arguments), 0)
    run("bake", "-o", "mine.terrane", *arguments, code=0)
    equal(data(name), data("mine.terrane"))
    check(not exists(name + ".shares"))
    ended(start("parallel.sh", path(name), "5", "--depth", "99"), 2)
    errors = ended(start("parallel.sh", path("none.terrane"), "2", *arguments, TERRANE_SCRATCH=path("not there")), 4)
    check("not all shares" in errors, errors)
    check(not exists("none.terrane"))


if not shutil.which("parallel"):
    print("skipped gnu_parallel_bakes_the_bytes_of_one_machine: no parallel here (scripts/deps installs it)")
    skipped = gnu_parallel_bakes_the_bytes_of_one_machine
    import terrane_cli
    terrane_cli._claims.remove(skipped)
main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""terrane bake and merge from outside: exit codes, streams, signals, full disks, odd names. TERRANE names the program.

One line a test, "ok NAME" or "FAILED NAME"; what cannot be tried here says "skipped NAME: why". An argument filters.
"""
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

TERRANE = os.path.abspath(os.environ.get("TERRANE", "build/release/terrane"))
SMALL = ["--planet", "plain", "--tile", "32", "--depth", "1"]
# Takes so long that there is time to interrupt it; a slow build needs fewer levels for that.
LONG = ["--planet", "plain", "--tile", "32", "--depth", os.environ.get("TERRANE_TEST_LONG", "6"), "--layers", "height"]
SEED = int(os.environ.get("TERRANE_TEST_SEED", "20261130"))


class Skip(Exception):
    pass


def start(*arguments, **more):
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", **more.pop("environment", {}))
    return subprocess.Popen([TERRANE, *arguments], stdout=more.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                            env=environment, **more)


def run(*arguments, **more):
    process = start(*arguments, **more)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err.decode("utf-8", "surrogateescape")


def expect(code, *arguments, says="", **more):
    """Runs a command that must end so; errors are one line on stderr that begins with program and verb."""
    got, out, err = run(*arguments, **more)
    assert got == code, f"{arguments}: exit {got}, not {code}: {err}"
    if code:
        lines = [line for line in err.splitlines() if not line.startswith("{")]
        assert len(lines) == 1 and lines[0].startswith(f"terrane: {arguments[0]}: "), (arguments, err)
        assert not out, out
    assert says in err, (says, err)
    return out, err


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def wait_until(condition, what):
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f"waited in vain for {what}")


def size(path):
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return -1


# ---- Command line ------------------------------------------------------------------------------------------

def nonsense_is_a_usage_error_that_names_the_flag():
    cases = [("--depth", "25"), ("--depth", "-1"), ("--depth", "4.5"), ("--depth", "x"), ("--seed", "-3"),
             ("--seed", "18446744073709551616"), ("--seed", "1e3"), ("--radius", "9.9"), ("--radius", "1e10"),
             ("--radius", "nan"), ("--radius", "inf"), ("--radius", "6371km"), ("--tile", "100"), ("--tile", "1024"),
             ("--layers", "height,depth"), ("--layers", ""), ("--layers", "height,height"), ("--face", "6"),
             ("--face", "-1"), ("--region", "1,2,3"), ("--region", "91,0,1,5"), ("--region", "0,0,0,5"),
             ("--region", "0,0,1,25"), ("--threads", "0"), ("--threads", "99999"), ("--shard", "0/3"),
             ("--shard", "4/3"), ("--shard", "1"), ("--shard", "1/0"), ("--set", "novalue"), ("--progress", "loud"),
             ("--set", "nothing_like_it=1"), ("--json",), ("--wat",), ("--depth",)]
    for case in cases:
        out, err = expect(2, "bake", "-o", "p.terrane", *case)
        assert case[0] in err and (len(case) < 2 or case[1] in err), (case, err)
    expect(2, "bake", "--depth", "1", says="--output")
    expect(2, "bake", "-o", "p.terrane", "surplus")
    expect(2, "merge", "-o", "p.terrane")
    assert os.listdir(".") == []


def a_bake_keeps_stdout_empty_and_ends_with_one_line():
    out, err = expect(0, "bake", "-o", "p.terrane", *SMALL)
    assert out == b"" and err.count("\n") == 1 and "30 tiles" in err and "\r" not in err, (out, err)
    out, err = expect(0, "bake", "-q", "-o", "q.terrane", *SMALL)
    assert out == b"" and err == ""
    out, err = expect(0, "bake", "--progress", "none", "-o", "r.terrane", *SMALL)
    assert out == b"" and err == ""


def progress_as_json_ends_with_everything_done():
    out, err = expect(0, "bake", "--progress", "json", "-o", "p.terrane", *SMALL)
    lines = [json.loads(line) for line in err.splitlines()]
    assert lines and out == b""
    for line in lines:
        assert set(line) >= {"done", "planned", "bytes", "elapsed_s", "eta_s"}, line
    assert lines[-1]["done"] == lines[-1]["planned"] == 30 and lines[-1]["bytes"] > 0 and lines[-1]["eta_s"] == 0


def numbers_have_a_point_in_every_locale():
    have = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.lower()
    if "de_de.utf8" not in have:
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "./de_DE.UTF-8"], capture_output=True,
                              check=False)
        if made.returncode:
            raise Skip("no German locale, and localedef cannot make one")
    german = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": os.getcwd()} if "de_de.utf8" not in have else {
        "LC_ALL": "de_DE.UTF-8"}
    expect(0, "bake", "-q", "-o", "a.terrane", *SMALL, "--radius", "1234567.5", "--region", "1.5,2.25,0.5,3")
    expect(0, "bake", "-q", "-o", "b.terrane", *SMALL, "--radius", "1234567.5", "--region", "1.5,2.25,0.5,3",
           environment=german)
    assert digest("a.terrane") == digest("b.terrane")
    out, _ = expect(0, "bake", "-o", "c.terrane", *SMALL, "--estimate", "--json", environment=german)
    json.loads(out)


def odd_names_work():
    for name in ["with space.terrane", "größe €.terrane", "quote'\"$(x).terrane", "line\nbreak", "per%sent%d"]:
        expect(0, "bake", "-q", "-o", name, *SMALL)
        expect(4, "bake", "-q", "-o", name, *SMALL, says="exists")
    expect(0, "bake", "-q", "--output=-dash", *SMALL)
    expect(0, "bake", "-q", "-o", "plain", *SMALL)
    assert digest("plain") == digest("-dash") == digest("with space.terrane")
    expect(0, "merge", "-q", "-o", "merged", "--", "-dash")
    assert digest("merged") == digest("plain")
    os.mkdir(b"f\xff")
    process = subprocess.run([TERRANE.encode(), b"bake", b"-q", b"-o", b"f\xff/\xfe", b"--planet", b"plain", b"--depth",
                              b"0", b"--tile", b"32"], check=False)
    assert process.returncode == 0 and os.path.exists(b"f\xff/\xfe")


# ---- Outputs -----------------------------------------------------------------------------------------------

def existing_outputs_are_not_touched():
    with open("p.terrane", "w", encoding="ascii") as file:
        file.write("mine")
    expect(4, "bake", "-o", "p.terrane", *SMALL, says="--force")
    os.mkdir("folder")
    expect(4, "bake", "-o", "folder", *SMALL, says="directory")
    expect(4, "bake", "-o", "folder", "--force", *SMALL, says="directory")
    expect(4, "bake", "-o", "missing/p.terrane", *SMALL, says="missing")
    expect(4, "bake", "-o", "p.terrane/q", *SMALL)
    expect(4, "bake", "--force", "-o", "/dev/full", *SMALL, says="not a regular file")
    expect(4, "merge", "-o", "p.terrane", "p.terrane", says="--force")
    expect(3, "merge", "--force", "-o", "p.terrane", "p.terrane")
    expect(3, "bake", "-o", "q.terrane", "--planet", "./none.planet")
    assert open("p.terrane", encoding="ascii").read() == "mine" and sorted(os.listdir(".")) == ["folder", "p.terrane"]
    expect(0, "bake", "-q", "--force", "-o", "p.terrane", *SMALL)
    expect(0, "verify", "p.terrane")


def a_folder_without_permission_is_a_resource_error():
    if os.geteuid() != 0:
        raise Skip("needs to be root, to become somebody else")
    os.chmod(".", 0o755)
    expect(4, "bake", "-o", "p.terrane", *SMALL, preexec_fn=lambda: os.setuid(65534), says="ermission denied")
    assert os.listdir(".") == []


class TinyDisk:
    """A tmpfs of so many KiB on folder `disk`."""

    def __init__(self, kib):
        self.kib = kib

    def __enter__(self):
        os.mkdir("disk")
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.kib}k", "none", "disk"], capture_output=True,
                              check=False)
        if made.returncode:
            raise Skip("cannot mount a small tmpfs: " + made.stderr.decode().strip())
        return self

    def grow(self, kib):
        subprocess.run(["mount", "-o", f"remount,size={kib}k", "disk"], check=True)

    def __exit__(self, *_):
        subprocess.run(["umount", "disk"], check=False)


def a_full_disk_is_a_resource_error_and_resumes():
    expect(0, "bake", "-q", "-o", "whole.terrane", *SMALL)
    whole = os.stat("whole.terrane").st_size // 1024
    # Full at once, amid the tiles, and amid the pack.
    for kib in [8, whole // 2, whole + whole // 2]:
        with TinyDisk(kib) as disk:
            expect(4, "bake", "-q", "-o", "disk/p.terrane", *SMALL, says="o space left")
            assert not os.path.exists("disk/p.terrane")
            disk.grow(whole * 4)
            expect(0, "bake", "-q", "-o", "disk/p.terrane", *SMALL, "--resume")
            assert digest("disk/p.terrane") == digest("whole.terrane") and os.listdir("disk") == ["p.terrane"]
        os.rmdir("disk")


def a_file_size_limit_is_a_resource_error():
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))
    expect(4, "bake", "-q", "-o", "p.terrane", *SMALL, preexec_fn=limit, says="File too large")
    assert not os.path.exists("p.terrane")
    expect(0, "bake", "-q", "-o", "p.terrane", *SMALL, "--resume")
    assert os.listdir(".") == ["p.terrane"]


def few_open_files_are_enough():
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
    expect(0, "bake", "-q", "-o", "p.terrane", *SMALL, "-j", "2", preexec_fn=limit)
    for share in range(1, 41):
        expect(0, "bake", "-q", "-o", f"s{share}", *SMALL, "--shard", f"{share}/40", preexec_fn=limit)
    expect(0, "merge", "-q", "-o", "merged", *[f"s{share}" for share in range(1, 41)], preexec_fn=limit)
    assert digest("merged") == digest("p.terrane")
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))
    expect(4, "bake", "-q", "-o", "q.terrane", *LONG, "-j", "64", preexec_fn=limit, says="oo many open files")


def links_beside_the_output_are_not_followed():
    os.mkdir("victim")
    os.symlink("victim", "p.terrane.bake")
    expect(4, "bake", "-o", "p.terrane", *SMALL, says="p.terrane.bake")
    assert os.listdir("victim") == [] and not os.path.exists("p.terrane")


# ---- Plans -------------------------------------------------------------------------------------------------

def a_place_can_be_refined_to_level_20():
    expect(0, "bake", "-q", "-o", "p.terrane", *SMALL, "--region", "46.5,8,0.05,20")
    out, _ = expect(0, "info", "--json", "p.terrane")
    about = json.loads(out)
    assert about["max_level"] == 20 and about["full_depth"] == 1 and about["complete"], about
    expect(0, "verify", "p.terrane")


def one_face_of_depth_0_is_one_tile():
    expect(0, "bake", "-q", "-o", "p.terrane", "--planet", "plain", "--tile", "32", "--depth", "0", "--face", "4")
    out, _ = expect(0, "info", "--json", "p.terrane")
    about = json.loads(out)
    assert about["tiles"] == 1 and about["full_depth"] is None, about


def estimates_count_exactly_and_write_nothing():
    plan = ["--planet", "plain", "--tile", "64", "--depth", "2", "--region", "10,20,200,6"]
    out, err = expect(0, "bake", "-o", "p.terrane", *plan, "--estimate", "--json")
    estimate = json.loads(out)
    assert os.listdir(".") == [] and err == ""
    expect(0, "bake", "-q", "-o", "p.terrane", *plan)
    out, _ = expect(0, "info", "--json", "p.terrane")
    about = json.loads(out)
    assert estimate["tiles"] == about["tiles"] and estimate["tiles_per_level"] == about["tiles_per_level"]
    assert 0.7 < estimate["pack_bytes"] / about["file_bytes"] < 1.4, (estimate, about["file_bytes"])
    assert 1.8 < estimate["peak_bytes"] / estimate["pack_bytes"] < 2.2
    assert estimate["seconds"] > 0 and estimate["free_bytes"] > 0 and estimate["samples"] > 65 * 65 * about["tiles"]
    out, _ = expect(0, "bake", "-o", "q.terrane", *plan, "--estimate")
    assert f"{about['tiles']} tiles" in out.decode()
    # Plans that nobody could bake are still estimated at once.
    start_s = time.monotonic()
    out, _ = expect(0, "bake", "-o", "q.terrane", "--planet", "plain", "--depth", "24", "--estimate", "--json")
    assert json.loads(out)["tiles"] == 6 * (4**25 - 1) // 3 and time.monotonic() - start_s < 30
    with open("/dev/full", "wb") as full:
        code, _, err = run("bake", "-o", "q.terrane", *plan, "--estimate", stdout=full)
        assert code == 4 and err.count("\n") == 1


def timings_are_written():
    expect(0, "bake", "-q", "-o", "p.terrane", *SMALL, "--timings", "t.json")
    with open("t.json", encoding="ascii") as file:
        times = json.load(file)
    assert times["tiles"] == 30 and times["planet_cpu_s"] > 0 and times["encode_cpu_s"] > 0 and times["wall_s"] > 0
    assert times["layers_cpu_s"] > 0 and times["write_s"] > 0 and times["peak_rss_bytes"] > 1 << 20
    assert times["pack_bytes"] == os.stat("p.terrane").st_size


def a_place_where_no_timings_can_be_written_is_known_before_the_bake():
    os.mkdir("folder")
    for place in ["no/such/place", "folder", "link"]:
        if place == "link":
            os.symlink("no/such/place", place)
        code, _, err = run("bake", "-o", "p.terrane", *SMALL, "--timings", place)
        assert code == 4 and err.count("\n") == 1 and f"{place}: cannot be written" in err, err
        assert sorted(os.listdir(".")) in (["folder"], ["folder", "link"]), os.listdir(".")


def a_bake_that_fails_leaves_the_timings_of_the_one_before():
    expect(3, "bake", "-o", "p.terrane", "--planet", "no-such.planet", "--timings", "t.json")
    assert os.listdir(".") == []
    expect(0, "bake", "-q", "-o", "p.terrane", *SMALL, "--timings", "t.json")
    with open("t.json", "rb") as file:
        before = file.read()
    expect(4, "bake", "-q", "-o", "p.terrane", *SMALL, "--timings", "t.json")
    with open("t.json", "rb") as file:
        assert file.read() == before
    # A longer file of before leaves no rest.
    with open("t.json", "ab") as file:
        file.write(bytes(100000))
    expect(0, "bake", "-q", "--force", "-o", "p.terrane", *SMALL, "--timings", "t.json")
    with open("t.json", encoding="ascii") as file:
        json.load(file)


def threads_are_as_many_as_the_process_may_use():
    cpu = min(os.sched_getaffinity(0))
    expect(0, "bake", "-q", "-o", "p.terrane", *SMALL, "--timings", "t.json",
           preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    assert json.load(open("t.json", encoding="ascii"))["threads"] == 1
    expect(0, "bake", "-q", "-o", "q.terrane", *SMALL, "--timings", "t.json", "-j", "3",
           preexec_fn=lambda: os.sched_setaffinity(0, {cpu}), environment={"OMP_NUM_THREADS": "1"})
    assert json.load(open("t.json", encoding="ascii"))["threads"] == 3


def what_decides_content_decides_the_bytes():
    with open("content.planet", "w", encoding="ascii") as file:
        file.write("radius = 5e6\nsea = 0\nheight = 2000 * fbm(3e6, octaves = 5)\n"
                   "color = ramp(height, -2000, #102040, 2000, #f0f0f0)\n")
    seen = set()
    for more in [[], ["--seed", "2"], ["--radius", "1e6"], ["--set", "sea=100"], ["--layers", "height,color"],
                 ["--tile", "64"], ["--depth", "2"], ["--face", "1"], ["--region", "0,0,100,3"]]:
        base = {"--planet": "./content.planet", "--tile": "32", "--depth": "1"}
        arguments = [word for flag, value in base.items() if flag not in more for word in (flag, value)]
        expect(0, "bake", "-q", "--force", "-o", "p.terrane", *arguments, *more)
        seen.add(digest("p.terrane"))
    assert len(seen) == 9
    # And what says the same in other words does not.
    expect(0, "bake", "-q", "--force", "-o", "p.terrane", *SMALL, "--region", "5,190,100,3", "--set", "sea=7")
    expect(0, "bake", "-q", "--force", "-o", "q.terrane", *SMALL, "--set", "sea=5", "--set", "sea=7", "--region",
           "5.0,-170,1e2,3", "--region", "40,50,10,1", "--face", "0", "--face", "1", "--face", "2", "--face", "3",
           "--face", "4", "--face", "5", "--seed", "1", "--radius", "6371000")
    assert digest("p.terrane") == digest("q.terrane")


def memory_does_not_go_with_the_number_of_tiles():
    # 8,190 tiles against 510; depth 7 (131,070 tiles) is for TERRANE_TEST_DEPTH.
    peaks = []
    for depth in ["3", os.environ.get("TERRANE_TEST_DEPTH", "5")]:
        # Behind a shell that stays, since a child of Python is counted with Python's own memory.
        subprocess.run(["sh", "-c", '"$@"; exit $?', "sh", TERRANE, "bake", "-q", "-o", "p", "--force", "--planet",
                        "plain", "--tile", "32", "--depth", depth, "-j", "2", "--timings", "t.json"], check=True)
        with open("t.json", encoding="ascii") as file:
            peaks.append(json.load(file)["peak_rss_bytes"] / (1 << 20))
    print(f"  peak {peaks[0]:.1f} MiB and {peaks[1]:.1f} MiB")
    assert peaks[1] < peaks[0] + 16, peaks


# ---- Interruptions -----------------------------------------------------------------------------------------

def signals_stop_in_good_order_and_the_command_printed_goes_on():
    expect(0, "bake", "-q", "-o", "whole.terrane", *LONG)
    for number in [signal.SIGINT, signal.SIGTERM]:
        name = f"it's {number.name}.terrane"
        process = start("bake", "-o", name, *LONG, "-j", "3")
        wait_until(lambda: size(f"{name}.bake/tiles-0000.journal") > 50000, "work files")
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        err = err.decode()
        assert process.returncode == 75 and err.count("\n") == 1 and "interrupted" in err and out == b"", err
        assert not os.path.exists(name)
        command = err.split("go on with: ")[1].strip()
        assert command.startswith("terrane bake ") and command.endswith("--resume"), command
        command = command.replace("terrane", f"'{TERRANE}'", 1)
        done = subprocess.run(["sh", "-c", command + " -q"], capture_output=True, check=False)
        assert done.returncode == 0 and digest(name) == digest("whole.terrane"), done.stderr
    assert not [item for item in os.listdir(".") if item.endswith(".bake")]


def a_second_signal_stops_at_once():
    process = start("bake", "-o", "p.terrane", "--planet", "earthlike", "--tile", "512", "--depth", "4", "-j", "2")
    wait_until(lambda: os.path.exists("p.terrane.bake"), "the work folder")
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 75 and not os.path.exists("p.terrane")


def ignored_signals_stay_ignored():
    process = start("bake", "-q", "-o", "p.terrane", *SMALL,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        time.sleep(0.005)
    process.communicate(timeout=60)
    assert process.returncode == 0


def an_empty_work_folder_of_a_bake_killed_at_its_very_end_is_cleared_away():
    # Everything as such a bake leaves it; the folder that it made is named in the lock beside the pack.
    expect(0, "bake", "-q", "-o", "end.terrane", *SMALL)
    for made in [True, False]:
        os.mkdir("end.terrane.bake")
        os.mkdir("end.work")
        about = os.stat("end.work")
        with open("end.terrane.bake/lock", "w", encoding="ascii") as file:
            file.write(f"made {about.st_dev:x}:{about.st_ino:x}\n" if made else "")
        expect(0, "bake", "-q", "-o", "end.terrane", *SMALL, "--work", "end.work", "--resume")
        assert os.path.exists("end.work") != made and not os.path.exists("end.terrane.bake")


def resume_of_a_finished_pack_is_done_at_once():
    expect(0, "bake", "-q", "-o", "p.terrane", *SMALL)
    before = os.stat("p.terrane")
    expect(0, "bake", "-o", "p.terrane", *SMALL, "--resume", says="finished")
    after = os.stat("p.terrane")
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    expect(4, "bake", "-o", "p.terrane", *SMALL, "--resume", "--seed", "2", says="--force")


def one_output_has_one_bake():
    first = start("bake", "-q", "-o", "p.terrane", *LONG, "-j", "1")
    wait_until(lambda: size("p.terrane.bake/tiles-0000.journal") > 0, "work files")
    first.send_signal(signal.SIGSTOP)
    expect(5, "bake", "-o", "p.terrane", *LONG, says="another bake")
    expect(5, "bake", "-o", "p.terrane", *LONG, "--resume")
    expect(5, "bake", "-o", "p.terrane", *LONG, "--force", "--work", "elsewhere")
    first.send_signal(signal.SIGCONT)
    first.communicate(timeout=120)
    assert first.returncode == 0 and os.listdir(".") == ["p.terrane"]


def work_files_can_be_elsewhere():
    os.mkdir("scratch")
    process = start("bake", "-q", "-o", "p.terrane", *LONG, "--work", "scratch")
    wait_until(lambda: size("scratch/tiles-0000.journal") > 0, "work files")
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 75 and b"--work=scratch" in err, err
    expect(4, "bake", "-o", "p.terrane", *LONG, "--work", "scratch", says="scratch")
    expect(0, "bake", "-q", "-o", "p.terrane", *LONG, "--work", "scratch", "--resume")
    assert sorted(os.listdir(".")) == ["p.terrane", "scratch"] and os.listdir("scratch") == []


# ---- Shares ------------------------------------------------------------------------------------------------

def shares_from_the_command_line_merge_to_the_same_pack():
    plan = [*SMALL, "--region", "35.3,45,500,5"]
    expect(0, "bake", "-q", "-o", "whole.terrane", *plan)
    names = []
    for share in range(1, 4):
        names.append(f"share {share}")
        expect(0, "bake", "-q", "-o", names[-1], *plan, "--shard", f"{share}/3")
        expect(0, "verify", names[-1])
    out, err = expect(0, "merge", "-o", "merged.terrane", names[2], names[0], names[1], says="tiles")
    assert out == b"" and digest("merged.terrane") == digest("whole.terrane")
    expect(3, "merge", "-o", "m2", names[0], names[2], says="share 2 of 3 is missing")
    expect(3, "merge", "-o", "m2", *names, names[0], says="share 1")
    expect(3, "merge", "-o", "m2", names[0], names[1], "whole.terrane")
    expect(3, "merge", "-o", "m2", names[0], names[1], "none", says="none")
    assert not os.path.exists("m2") and not os.path.exists("m2.bake")


def main():
    global TERRANE
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    failed = 0
    # A test that becomes somebody else must reach the program, also where the checkout is in a home of mode 700.
    programs = tempfile.mkdtemp(prefix="terrane-program-")
    os.chmod(programs, 0o755)
    TERRANE = shutil.copy(TERRANE, programs)
    tests = [item for name, item in globals().items()
             if callable(item) and getattr(item, "__module__", "") == "__main__" and "_" in name and wanted in name
             and name not in ("wait_until",)]
    for test in tests:
        folder = tempfile.mkdtemp(prefix="terrane-test-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        os.chdir(folder)
        try:
            test()
            print(f"ok {test.__name__}")
        except Skip as why:
            print(f"skipped {test.__name__}: {why}")
        except Exception:  # a test that dies has failed
            traceback.print_exc(file=sys.stdout)
            print(f"FAILED {test.__name__}\n  replay: TERRANE_TEST_SEED={SEED} {sys.argv[0]} {test.__name__}")
            failed += 1
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
        sys.stdout.flush()
    shutil.rmtree(programs, ignore_errors=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

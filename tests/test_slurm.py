#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/slurm on a real Slurm: three nodes on loopback, one of which dies while it bakes."""
from slurm_loopback import *
from terrane_cli import *

SUBMIT = os.path.join(ROOT, "scripts", "slurm", "submit")
SHARES = 6
# A share takes half a second of processor time, so that it can be met half done.
PLANET = ["--planet", "plain", "--depth", "4", "--tile", "128"]
cluster = None


def listen_to_interrupts():
    """Where the tests run in the background, SIGINT is ignored, and a shell cannot change that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def submit(name, *arguments, **environment):
    return subprocess.Popen([SUBMIT, "-o", path(name), "-n", str(SHARES), *arguments], cwd=FOLDER,
                            env=dict(cluster.environment, TERRANE=TERRANE, **environment),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=listen_to_interrupts)


def ended(process, code):
    """What it said, after it ended with this exit code."""
    try:
        output, errors = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        raise RuntimeError("submit does not end\n" + cluster.state())
    check(process.returncode == code, "exit code", process.returncode, errors, cluster.state())
    equal(output, "")
    return errors


def log(name, share):
    with open(path("%s.shares/%d-of-%d.log" % (name, share, SHARES))) as file:
        return file.read()


def half_done(node, shares_not=()):
    """The number of a share and the id of the process that bakes it, stopped when some of its tiles were written."""
    for pid in cluster.of_node(node):
        words = command_of(pid)
        if words[:2] != [TERRANE, "bake"] or "--shard" not in words:
            continue
        share = int(words[words.index("--shard") + 1].split("/")[0])
        output = words[words.index("-o") + 1]
        if share in shares_not or not glob.glob(glob.escape(output) + ".bake/*.journal"):
            continue
        kill(pid, signal.SIGSTOP)
        wait_until_stopped(pid)
        if not os.path.exists(output) and glob.glob(glob.escape(output) + ".bake/*.journal"):
            return share, pid
        kill(pid, signal.SIGCONT)
    return None


def status_of(pid, field):
    with open("/proc/%d/status" % pid) as file:
        return next(line.split()[1] for line in file if line.startswith(field + ":"))


def wait_until_stopped(pid):
    try:
        cluster.wait_for(lambda: status_of(pid, "State") in "TZX", "stopped process")
    except FileNotFoundError:
        pass


def has_term_pending(pid):
    return int(status_of(pid, "ShdPnd"), 16) >> (signal.SIGTERM - 1) & 1


@claim
def a_crashed_node_and_an_interrupted_task_leave_the_bytes_of_one_machine():
    name = "my 100%a pack.terrane"
    single = bake("single.terrane", planet="plain", depth=4, tile=128)
    process = submit(name, "--keep-shares", *PLANET)

    # A node dies in the middle of a share. Nobody knows that the attempt is dead, so its work is not taken over.
    lost, _ = cluster.wait_for(lambda: half_done("n2"), "half done share on n2", 60)
    cluster.crash("n2")
    # Another share is told to stop, as by --signal=B at its time limit: it goes on later where it was. The signal goes
    # to the batch shell alone (scancel --batch would need 5 s to be allowed), and must have come to terrane before that
    # may go on.
    stopped, pid = cluster.wait_for(lambda: half_done("n1") or half_done("n3"), "half done share", 60)
    kill(parent_of(parent_of(pid)), signal.SIGTERM)
    cluster.wait_for(lambda: has_term_pending(pid), "SIGTERM at terrane")
    kill(pid, signal.SIGCONT)

    errors = ended(process, 0)
    check("intact" in errors, errors)
    with open(single, "rb") as a, open(path(name), "rb") as b:
        check(a.read() == b.read(), "the merged pack is not the one that a single machine bakes")
    for share in range(1, SHARES + 1):
        text = log(name, share)
        equal("attempt 2 on" in text, share in (lost, stopped), share, text)
        equal("goes on with the work" in text, share == stopped, share, text)
        equal(text.count("finished"), 1, share, text)
    cluster.revive("n2")


@claim
def the_same_command_again_bakes_only_what_is_missing():
    name = "my 100%a pack.terrane"
    folder = path(name) + ".shares"
    os.unlink(path(name))
    os.unlink(os.path.join(folder, "2-of-6.terrane"))
    with open(os.path.join(folder, "5-of-6.terrane"), "r+b") as file:
        file.seek(-1000, os.SEEK_END)
        byte = file.read(1)[0]
        file.seek(-1000, os.SEEK_END)
        file.write(bytes([byte ^ 1]))
    before = os.stat(os.path.join(folder, "1-of-6.terrane")).st_mtime_ns
    ended(submit(name, "--keep-shares", *PLANET), 0)
    with open(path("single.terrane"), "rb") as a, open(path(name), "rb") as b:
        check(a.read() == b.read())
    equal(os.stat(os.path.join(folder, "1-of-6.terrane")).st_mtime_ns, before)
    check("stands finished" in log(name, 1), log(name, 1))
    check("is replaced" in log(name, 5), log(name, 5))
    # With the pack there is nothing to do, and the shares go.
    ended(submit(name, *PLANET), 0)
    check(not os.path.exists(folder), os.listdir(FOLDER))


@claim
def a_failed_share_is_named_with_its_code_and_nothing_is_merged():
    errors = ended(submit("none.terrane", "--planet", "plain", "--depth", "1",
                          TERRANE_SCRATCH=path("not there")), 4)
    check("6 of 6 shares failed" in errors and "not there" in errors, errors)
    check(not exists("none.terrane"))


@claim
def an_interrupted_submit_cancels_its_jobs():
    process = submit("stopped.terrane", *PLANET)
    cluster.wait_for(lambda: "R" in cluster.command("squeue", "-h", "-o", "%t").split(), "running task")
    process.send_signal(signal.SIGINT)
    ended(process, 75)
    cluster.wait_for(lambda: not cluster.command("squeue", "-h").strip(), "empty queue")
    check(not exists("stopped.terrane"))


@claim
def bad_arguments_are_refused_before_anything_is_queued():
    for arguments, code in [(["--depth", "99"], 2), (["--shard", "1/2"], 2), (["--planet", "./none.planet"], 3),
                            (["-n", "0"], 2), (["--sbatch", "--partition=none"], 4)]:
        errors = ended(submit("bad.terrane", *arguments), code)
        check(errors, arguments)
        check(not exists("bad.terrane") and not exists("bad.terrane.shares"), arguments, os.listdir(FOLDER))
    equal(cluster.command("squeue", "-h"), "")


def run_all():
    global cluster
    why = why_not()
    with open(TERRANE, "rb") as file:
        if b"__asan_init" in file.read():
            why = "once is enough, with the program that is not slowed by sanitizers"
    if why:
        shutil.rmtree(FOLDER)
        print("skipped slurm: " + why)
        return
    # A time limit over this test must not leave daemons behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = tempfile.mkdtemp(prefix="terrane-slurm-")
    try:
        with SlurmCluster(folder) as cluster:
            main()
    except NoCluster as reason:
        shutil.rmtree(FOLDER)
        print("skipped slurm: %s" % reason)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


run_all()

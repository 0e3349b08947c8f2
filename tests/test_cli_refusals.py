#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bad command lines, bad inputs, bad outputs: the right exit code, one line on stderr, nothing lost, nothing left."""
import re
import resource
import signal
import time

from terrane_cli import *


def pack():
    return bake("pack.terrane")


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def write(name, data=b"precious"):
    with open(path(name), "wb") as file:
        file.write(data)


def leftovers():
    return [name for name in os.listdir(FOLDER) if ".part" in name or name.endswith(".bake")]


# Command lines that write to stdout, and such that write a file FILE.
def printing():
    return [["info", pack()], ["info", pack(), "--json"], ["tile", pack(), "0/0/0/0", "--layer", "height"],
            ["tile", pack(), "0/0/0/0", "--layer", "height", "--gray16"],
            ["tile", pack(), "0/0/0/0", "--layer", "height", "--raw"], ["tile", pack(), "0/0/0/0", "--layer", "color"],
            ["sample", pack(), "1,2"], ["sample", pack(), "1,2", "--json"], ["sample", pack(), "-"],
            ["verify", pack()], ["verify", pack(), "--json"], ["diff", pack(), pack()],
            ["diff", pack(), pack(), "--json"], ["planets"], ["planets", "plain"], ["--help"], ["--version"],
            ["--man"], ["--completion", "bash"], ["help", "bake"], ["bake", "--help"], ["map", "-h"],
            ["bake", "-o", "none.terrane", "--planet", "plain", "--estimate", "--json"]]


def making(name):
    return [["tile", pack(), "0/0/0/0", "--layer", "color", "-o", name],
            ["tile", pack(), "0/1/0/1", "--layer", "height", "-o", name],
            ["map", pack(), "-o", name, "--width", "64"],
            ["map", pack(), "-o", name, "--width", "64", "--style", "height", "--raw"]]


# ---- Standard output -------------------------------------------------------------------------------------------------
@claim
def a_full_disk_behind_stdout_is_exit_4():
    with open("/dev/full", "wb") as full:
        for arguments in printing():
            result = run(*arguments, stdin=b"1,2\n3,4\n", stdout=full, code=4)
            check(b"standard output" in result.stderr and b"No space left" in result.stderr, arguments, result.stderr)


@claim
def a_closed_stdout_is_exit_4_where_something_is_printed():
    for arguments in printing():
        shell = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', TERRANE, *arguments], input=b"1,2\n", cwd=FOLDER,
                               stderr=subprocess.PIPE)
        equal(shell.returncode, 4, arguments)
        equal(shell.stderr.count(b"\n"), 1, arguments)
    for arguments in making("closed.png"):
        shell = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&- <&-', TERRANE, *arguments, "--force"], cwd=FOLDER)
        equal(shell.returncode, 0, arguments)
    os.unlink(path("closed.png"))


@claim
def a_reader_that_goes_away_is_exit_4():
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as pipe:
        for arguments in printing():
            result = run(*arguments, stdin=b"1,2\n" * 5, stdout=pipe)
            equal(result.returncode, 4, arguments)


# ---- Files that are made ---------------------------------------------------------------------------------------------
@claim
def existing_files_stay_without_force_and_are_replaced_with_it():
    for arguments in making("there.png"):
        write("there.png")
        error = run(*arguments, code=4).stderr
        check(b"there.png" in error and b"--force" in error, error)
        equal(read("there.png"), b"precious")
        run(*arguments, "--force", code=0)
        check(read("there.png") != b"precious")
        os.unlink(path("there.png"))
    equal(leftovers(), [])


@claim
def links_are_replaced_and_not_followed():
    write("target.txt")
    os.symlink("target.txt", path("link.png"))
    for arguments in making("link.png"):
        run(*arguments, code=4)
    run(*making("link.png")[0], "--force", code=0)
    check(not os.path.islink(path("link.png")) and read("target.txt") == b"precious")


@claim
def places_where_no_file_can_be_are_exit_4():
    os.mkdir(path("folder"))
    write("file")
    for name in ("folder", "folder/", "no/such/folder/x.png", "file/x.png", "/proc/terrane.png", "/dev/full", "/dev/null"):
        for force in ([], ["--force"]):
            for arguments in making(name):
                run(*arguments, *force, code=4)
    for name in ("file", "file/tiles", "no/such/tiles", "/proc/tiles"):
        run("extract", pack(), "-o", name, "--force", code=4)
    equal((os.listdir(path("folder")), read("file"), leftovers()), ([], b"precious", []))
    check(os.path.exists("/dev/full") and os.path.exists("/dev/null"))


@claim
def a_disk_that_fills_up_leaves_the_old_file():
    def limited(arguments, size):
        process = subprocess.Popen([TERRANE, *arguments], cwd=FOLDER, stderr=subprocess.PIPE, preexec_fn=lambda:
                                   resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        error = process.communicate()[1]
        equal((process.returncode, error.count(b"\n")), (4, 1), arguments, error)
    for arguments in making("limited.png"):
        limited(arguments, 100)
        check(not exists("limited.png"))
        write("limited.png")
        limited(arguments + ["--force"], 100)
        equal(read("limited.png"), b"precious")
        os.unlink(path("limited.png"))
    limited(["extract", pack(), "-o", "limited"], 300)
    check(not exists("limited"))
    equal(leftovers(), [])


@claim
def a_signal_leaves_nothing():
    for arguments, name in ((["map", pack(), "-o", "signal.png", "--width", "16384"], "signal.png"),
                            (["extract", bake("many.terrane", depth=4), "-o", "signal"], "signal")):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([TERRANE, *arguments], cwd=FOLDER, stderr=subprocess.PIPE)
            deadline = time.time() + 60
            while not [found for found in os.listdir(FOLDER) if found.startswith("signal")]:
                check(time.time() < deadline and process.poll() is None, "it never began")
                time.sleep(0.002)
            process.send_signal(number)
            error = process.communicate(timeout=60)[1]
            equal((process.returncode, error.count(b"\n")), (75, 1), arguments, error)
            check(not exists(name) and leftovers() == [], os.listdir(FOLDER))


# ---- Files that are read ---------------------------------------------------------------------------------------------
def reading(name):
    return [["info", name], ["tile", name, "0/0/0/0", "--layer", "color"], ["sample", name, "1,2"],
            ["verify", name], ["verify", name, "--json"], ["diff", name, pack()], ["diff", pack(), name],
            ["map", name, "-o", "unread.png"], ["extract", name, "-o", "unread"]]


@claim
def what_is_no_pack_is_exit_3():
    os.makedirs(path("a folder"), exist_ok=True)
    os.mkfifo(path("fifo"))
    write("empty", b"")
    for name in ("missing.terrane", "a folder", "fifo", "empty", "/dev/null", "/dev/zero", "fifo/x"):
        for arguments in reading(name):
            check(name.encode() in run(*arguments, code=3, timeout=30).stderr, arguments)
    check(not exists("unread.png") and not exists("unread"))


# ---- Command lines ---------------------------------------------------------------------------------------------------
NUMBERS = {  # verb: flag: what lies outside its range, and words of the range
    "bake": {"--seed": (["-1", "18446744073709551616"], "18446744073709551615"),
             "--radius": (["9.99", "1.1e9", "-5"], "1000000000"), "--depth": (["-1", "25"], "24"),
             "--face": (["6", "-1"], "5"), "--tile": (["31", "33", "1024", "0"], "512"),
             "--threads": (["0", "-4"], "1"), "--shard": (["0/2", "3/2", "1", "1/0", "1/2/3"], "K/N"),
             "--region": (["91,0,1,5", "0,0,-1,5", "0,0,1,25", "0,0,1", "0,361,1,5"], "")},
    "map": {"--width": (["1", "65538", "7"], "65536"), "--level": (["-1", "25"], "24")},
    "extract": {"--face": (["6", "-1"], "5"), "--levels": (["0-25", "3-2"], "24")},
    "verify": {"--rebake": (["0"], "1"), "--seed": (["-1"], "18446744073709551615")},
}
NONSENSE = ["x", "1x", "1,5", "0x10", "nan", "inf", "-inf", "1e999", "99999999999999999999999", " 1", "1 ", "+"]
REQUIRED = {"bake": ["-o", "none.terrane"], "map": ["PACK", "-o", "none.png"], "extract": ["PACK", "-o", "none"],
            "verify": ["PACK"]}


@claim
def numbers_are_parsed_strictly_and_refusals_name_flag_value_and_range():
    for verb, flags in NUMBERS.items():
        rest = [pack() if word == "PACK" else word for word in REQUIRED[verb]]
        for flag, (outside, words) in flags.items():
            for value in outside + NONSENSE:
                error = run(verb, *rest, flag + "=" + value, code=2).stderr.decode()
                check(flag in error and value in error and words in error, error)
    check(not [name for name in os.listdir(FOLDER) if name.startswith("none")])


def flags_of(verb):
    """Name, letter and whether it takes a value, from the help."""
    text = run(verb, "--help", code=0).stdout.decode()
    return [(name, letter, bool(value)) for letter, name, value in
            re.findall(r"^  (?:(-\w), |    )(--[\w-]+)( [A-Z|<][^ ]*)?", text, re.M)]


@claim
def every_flag_refuses_a_missing_or_superfluous_value():
    positional = {"bake": [], "merge": ["a", "b"], "info": ["a"], "tile": ["a", "0/0/0/0"], "extract": ["a"],
                  "map": ["a"], "sample": ["a", "1,2"], "stats": ["a"], "verify": ["a"],
                  "diff": ["a", "b"], "planets": []}
    seen = 0
    for verb in VERBS:
        for name, _, takes_value in flags_of(verb):
            if name == "--help":
                continue
            seen += 1
            last = [name] if takes_value else [name + "=1"]
            check(name.encode() in run(verb, *positional[verb], *last, code=2).stderr, verb, name)
            if takes_value:
                check(name.encode() in run(verb, *positional[verb], name + "=", code=2).stderr, verb, name)
    check(seen > 35, seen)


@claim
def unknown_flags_and_superfluous_arguments_are_refused():
    for verb in VERBS:
        check(b"--nonsense" in run(verb, "--nonsense", code=2).stderr)
        run(verb, "-Z", code=2)
    check(b"--width" in run("map", pack(), "-o", "none.png", "--widht", "64", code=2).stderr)
    for arguments in (["info"], ["info", "a", "b"], ["tile", "a"], ["sample", "a"], ["diff", "a"], ["diff", "a", "b", "c"],
                      ["map"], ["extract"], ["extract", pack()], ["verify"], ["planets", "a", "b"], ["merge"]):
        run(*arguments, code=2)


# ---- Names and places ------------------------------------------------------------------------------------------------
@claim
def any_path_works():
    pack()
    data = read("pack.terrane")
    names = [b"with spaces", "\u00fcml\u00e4ut \u5730\u7403".encode(), b"-leading", b"--quick", b"new\nline", b"\xff\xfe",
             b"100%s%n", b"a'b\"c"]
    for name in names:
        whole = os.path.join(FOLDER.encode(), name + b".terrane")
        with open(whole, "wb") as file:
            file.write(data)
        local = name + b".terrane"
        run("info", "--", local, code=0)
        run("verify", "--json", "--", local, code=0)
        run("map", b"-o" + b"./" + name + b".png", "--width", "16", "--", local, code=0)
        with open(os.path.join(FOLDER.encode(), name + b".png"), "rb") as file:
            equal(Picture(file.read()).width, 16)
        run("extract", b"--output=" + name + b".d", "--levels", "0", "--", local, code=0)
        error = run("tile", "--layer", "color", "--", local, "0/9/0/0", code=3).stderr  # one line, whatever the name
        check(b"0/9/0/0" in error)


@claim
def a_locale_with_decimal_commas_changes_nothing():
    environment = german()
    if not environment:
        print("SKIPPED: no de_DE locale here and localedef cannot make one")
        return
    asking = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'])"
    shown = subprocess.run([sys.executable, "-c", asking], env=dict(ENVIRONMENT, **environment), stdout=subprocess.PIPE)
    equal(shown.stdout, b",\n", "the locale itself does not work")
    for arguments in printing():
        if arguments[0] == "bake" or arguments[-1] == "-":
            continue
        equal(run(*arguments, code=0, environment=environment).stdout, run(*arguments, code=0).stdout, arguments)
    run("map", pack(), "-o", "locale.png", "--width", "64", environment=environment, code=0)
    run("map", pack(), "-o", "plain.png", "--width", "64", code=0)
    equal(read("locale.png"), read("plain.png"))


def german():
    base = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    listed = subprocess.run(["locale", "-a"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    if re.search(rb"^de_DE\.utf-?8$", listed, re.M | re.I):
        return base
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", path("de_DE.UTF-8")], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    return dict(base, LOCPATH=FOLDER) if made.returncode <= 1 and exists("de_DE.UTF-8") else None


main()

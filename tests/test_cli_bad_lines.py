#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bad command lines drawn by chance over all verbs' options: a good one gets one fault, or a few, and must then end
with the exit code of that fault and one line on standard error, print nothing and leave no file behind.

TERRANE_BAD_LINES is how many (500; make soak-cli takes 20,000), TERRANE_TEST_SEED replays.
"""
import random
import re

from terrane_cli import *

COUNT = int(os.environ.get("TERRANE_BAD_LINES", "500"))
SEED = int(os.environ.get("TERRANE_TEST_SEED", "20261130"))

NONSENSE = ["x", "1x", "1,5", "0x10", "nan", "inf", "-inf", "1e999", "99999999999999999999999", " 1", "1 ", "+", "",
            "-", "\u00b2", "1/", "%n%s", "1\n2"]


def numbers(*outside):
    return NONSENSE + list(outside)


def words(*kin):
    return ["", "x", "height ", "HEIGHT", "heigh", ",", "\xff", *kin]


LISTS = words("height,", ",color", "height,height", "height color", "height;color")

# What each option takes: a few good values, and bad ones. An option without a value has None. Options of one name mean
# the same to all verbs, save those in OWN.
VALUES = {
    "--planet": (["plain", "earthlike"], ["", "nosuch", "Plain", "plain ", "plain.terrane"]),
    "--seed": (["0", "18446744073709551615"], numbers("-1", "18446744073709551616", "1.0")),
    "--radius": (["10", "1e9", "6371000.5"], numbers("9.99", "1.1e9", "-5", "0")),
    "--set": (["radius=2000"], ["", "radius", "=1", "nosuch=1", "radius=", "radius=x"]),
    "--depth": (["0", "3"], numbers("-1", "25", "1.5")),
    "--region": (["1,2,3,4", "-32.9,360,0.5,6"],
                 numbers("91,0,1,5", "0,0,-1,5", "0,0,1,25", "0,0,1", "0,361,1,5", "0,0,1,5,")),
    "--face": (["0", "5"], numbers("6", "-1")),
    "--tile": (["32", "128"], numbers("31", "33", "1024", "0", "-32")),
    "--layers": (["height", "height,color"], LISTS),
    "--threads": (["1", "2"], numbers("0", "-4", "1025")),
    "--shard": (["1/2", "3/3"], numbers("0/2", "3/2", "1", "1/0", "1/2/3", "1/2 ", "/2")),
    "--work": (["work"], [""]),
    "--timings": (["timings.json"], [""]),
    "--progress": (["none", "json", "auto"], words("non", "JSON")),
    "--layer": (["height", "normal", "color"], words("height,color")),
    "--levels": (["0-1", "1-1"], numbers("0-25", "3-2", "1-", "-1", "0-1-2")),
    "--width": (["256", "512"], numbers("0", "1", "7", "65538", "-2")),
    "--style": (["color", "relief", "height", "normal"], words("reliefs")),
    "--level": (["0", "24"], numbers("-1", "25")),
    "--rebake": (["1"], numbers("0", "-1")),
    "--resume": None, "--force": None, "--estimate": None, "--json": None, "--quiet": None, "--raw": None,
    "--gray16": None, "--quick": None, "--borders": None,
}

# What else a verb's good line has: its operands and output, and options that only go with others and are left out.
VERB_LINES = {
    "bake": (["OUT"], ["--json", "--estimate", "--work", "--timings", "--shard", "--force", "--resume"]),
    "merge": (["OUT", "PACK"], ["--force"]),
    "info": (["PACK"], []),
    "tile": (["PACK", "0/0/0/0"], ["--raw", "--gray16", "--force"]),
    "extract": (["OUT", "PACK"], ["--gray16", "--force", "--levels", "--face"]),
    "map": (["OUT", "PACK"], ["--raw", "--force", "--level"]),
    "sample": (["PACK", "1,2"], []),
    "stats": (["PACK"], ["--force"]),
    "verify": (["PACK"], ["--rebake", "--seed", "--planet"]),
    "diff": (["PACK", "PACK"], []),
    "planets": (["plain"], []),
}
BAD_OPERANDS = {"tile": ["0/0/0", "6/0/0/0", "0/25/0/0", "0/0/1/0", "a/0/0/0", "0/0/0/0/", "", "-1/0/0/0"],
                "sample": ["91,0", "0,361", "1", "1,", "1,2,3", "x,y", "nan,0", "", "1;2"],
                "planets": ["nosuch", "", "Plain"]}
REPEATABLE = {"--set", "--region"}
USAGE, INPUT, RESOURCE = 2, 3, 4


def tables():
    """Each verb's options (name, letter or ""), from its help."""
    found = {}
    for verb in VERBS:
        text = run(verb, "--help", code=0).stdout.decode()
        rows = re.findall(r"^  (?:(-\w), |    )(--[\w-]+)(?: [A-Z|<]\S*)?", text, re.M)
        found[verb] = [(name, letter) for letter, name in rows if name not in ("--help", "--output")]
    return found


class Line:
    """A good command line in pieces that may stand in any order; operands keep theirs."""

    def __init__(self, draw, verb, options):
        self.draw, self.verb, self.options = draw, verb, options
        operands, with_others = VERB_LINES[verb]
        self.operands = [pack() if word == "PACK" else word for word in operands if word != "OUT"]
        self.output = ["-o", "out"] if "OUT" in operands else []
        self.pieces, self.used = [], set()
        for name, letter in options:
            if name == "--layer" or (name not in with_others and draw.random() < 0.3):
                self.add(name, letter)

    def add(self, name, letter="", value=None):
        self.used.add(name)
        if VALUES[name] is None:
            self.pieces.append([letter if letter and self.draw.random() < 0.5 else name])
            return
        if value is None:
            value = self.draw.choice(VALUES[name][0])
        forms = [[name + "=" + value]]
        # A separate value that looks like an option is a missing value, and with a letter an empty one is none.
        if not value.startswith("-"):
            forms.append([name, value])
            if letter and value:
                forms += [[letter + value], [letter, value]]
        self.pieces.append(self.draw.choice(forms))

    def words(self):
        pieces = self.pieces + ([self.output] if self.output else [])
        self.draw.shuffle(pieces)
        # Operands at places drawn by chance, in their order.
        places = sorted(self.draw.randint(0, len(pieces)) for _ in self.operands)
        for place, operand in reversed(list(zip(places, self.operands))):
            pieces.insert(place, [operand])
        last = getattr(self, "last", [])
        return [self.verb] + [word for piece in pieces for word in piece] + last


# ---- The faults: each changes the line and tells the exit codes that it may have, or None where it cannot be --------
def misspelt(draw, line):
    name = draw.choice(line.options or [("--json", "")])[0]
    at = draw.randrange(2, len(name))
    changed = draw.choice([name[:at] + name[at + 1:], name[:at] + draw.choice("abcxyz-") + name[at:], name + "s",
                           name.upper(), "--", "-Z", "-=", "--=", "---", "--" + "n" * 5000])
    if changed in ["--", "--output", "--help"] or changed in [known for known, _ in line.options]:
        return None
    line.pieces.append([changed])
    return USAGE


def bad_value(draw, line):
    choices = [name for name, _ in line.options if VALUES[name] and name not in line.used]
    if not choices:
        return None
    name = draw.choice(choices)
    value = draw.choice(VALUES[name][1])
    if name == "--planet" and line.verb == "verify":
        return None
    line.add(name, "", value)
    return USAGE


def no_value(draw, line):
    choices = [row for row in line.options if VALUES[row[0]] and row[0] not in line.used]
    if not choices:
        return None
    line.last = [draw.choice([word for word in draw.choice(choices) if word])]
    return USAGE


def value_for_none(draw, line):
    choices = [name for name, _ in line.options if VALUES[name] is None and name not in line.used]
    if not choices:
        return None
    line.pieces.append([draw.choice(choices) + draw.choice(["=", "=1", "=yes"])])
    return USAGE


def given_twice(draw, line):
    choices = [name for name in line.used if name not in REPEATABLE and not (name == "--face" and line.verb == "bake")]
    if not choices:
        return None
    line.add(draw.choice(sorted(choices)))
    return USAGE


def too_few(draw, line):
    if line.verb == "planets":
        return None
    if line.output and draw.random() < 0.5:
        line.output = []
    elif line.operands and line.verb != "tile" or len(line.operands) == 2:
        line.operands.pop()
    else:
        return None
    return USAGE


def too_many(draw, line):
    if line.verb == "merge":
        return None
    line.operands.append(draw.choice(["more", "", "a b", pack()]))
    return USAGE


def bad_operand(draw, line):
    if line.verb not in BAD_OPERANDS:
        return None
    line.operands[-1:] = [draw.choice(BAD_OPERANDS[line.verb])]
    return USAGE


def wrong_verb(draw, line):
    line.verb = draw.choice([line.verb[:-1], line.verb + "s", line.verb.upper(), "", "--nosuch", "-q", "\xfc",
                             "a" * 5000])
    return USAGE


def bad_pack(draw, line):
    places = [k for k, word in enumerate(line.operands) if word == pack()]
    if not places:
        return None
    bad = ["missing.terrane", "text.terrane", "empty.terrane", "cut.terrane", "folder", "text.terrane/x", "/dev/null"]
    line.operands[draw.choice(places)] = draw.choice(bad)
    return INPUT


def bad_planet_file(draw, line):
    if line.verb != "bake" or line.used & {"--planet", "--set"}: # an empty planet has nothing to set
        return None
    line.add("--planet", "", draw.choice(["./missing.planet", "./folder", "./broken.planet", "./empty.terrane"]))
    return INPUT


def bad_output(draw, line):
    if not line.output:
        return None
    line.output = [draw.choice(["-o", "--output"]), draw.choice(["text.terrane", "missing/out", "text.terrane/out"])]
    if line.verb == "extract" and line.output[1] == "missing/out":
        line.output[1] = "full"
    return RESOURCE


FAULTS = [misspelt, bad_value, bad_value, bad_value, no_value, value_for_none, given_twice, too_few, too_many,
          bad_operand, wrong_verb, bad_pack, bad_planet_file, bad_output]


# ---- Trying them -----------------------------------------------------------------------------------------------------
def pack():
    return "pack.terrane"


def prepare():
    bake("pack.terrane")
    with open(path("pack.terrane"), "rb") as file:
        whole = file.read()
    os.mkdir(path("folder"))
    os.mkdir(path("full"))
    for name, data in [("text.terrane", b"not a pack\n" * 100), ("empty.terrane", b""), ("cut.terrane", whole[:-1]),
                       ("full/file", b"x"), ("broken.planet", b"name = \"broken\"\nheight = 3 +* 4\n")]:
        with open(path(name), "wb") as file:
            file.write(data)


def everything():
    """Every file with its size and time."""
    found = []
    for where, folders, names in os.walk(FOLDER):
        for name in folders + names:
            about = os.lstat(os.path.join(where, name))
            found.append((where, name, about.st_mode, about.st_size, about.st_mtime_ns if name in names else 0))
    return sorted(found)


def one_line(error):
    """One line; where a planet file or an overriding value is wrong, two more may show the place in it."""
    lines = error.split("\n")
    return error.endswith("\n") and (len(lines) == 2 or (len(lines) == 4 and lines[2].strip() == "^" and
                                                         re.search(r":\d+:\d+: |--set ", lines[0])))


def bad_line(draw, options):
    """Words, and the exit codes that are right for them."""
    faults = draw.sample(FAULTS, 1 if draw.random() < 0.8 else draw.randint(2, 3))
    while True: # until there is a verb that they are possible with, without undoing each other
        verb = draw.choice(VERBS)
        line = Line(draw, verb, options[verb])
        codes = [fault(draw, line) for fault in faults]
        if None not in codes and not (too_many in faults and too_few in faults):
            return line.words(), set(codes), faults
        if draw.random() < 0.05: # there may be none
            faults = faults[:1]


def attempt(arguments, codes):
    result = subprocess.run([TERRANE, *arguments], cwd=FOLDER, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20)
    error = result.stderr.decode(errors="replace")
    shown = (arguments, "exit code", result.returncode, "not", codes, result.stdout[:100], error[-800:])
    check(result.returncode in codes, *shown)
    if arguments[0] == "verify" and "--json" in arguments and result.returncode == INPUT:
        answered = json.loads(result.stdout)
        check(answered["ok"] is False and answered["error"] in error, *shown)
    else:
        check(not result.stdout, *shown)
    check(error.startswith("terrane: ") and one_line(error), *shown)


@claim
def every_option_has_good_and_bad_values_here():
    for verb, options in tables().items():
        check(options or verb == "planets", verb)
        for name, _ in options:
            check(name in VALUES, "no values for", name, "of", verb)


@claim
def every_bad_command_line_is_refused_with_its_code_and_leaves_nothing():
    draw = random.Random(SEED)
    prepare()
    options = tables()
    before = everything()
    seen = {}
    for number in range(COUNT):
        arguments, codes, faults = bad_line(draw, options)
        try:
            attempt(arguments, codes)
            now = everything()
            check(now == before, arguments, "left or changed", set(now) ^ set(before))
        except Exception:
            print("line %d: %s\nreplay: TERRANE_TEST_SEED=%d TERRANE_BAD_LINES=%d %s" %
                  (number, [fault.__name__ for fault in faults], SEED, COUNT, sys.argv[0]))
            raise
        for fault in faults:
            seen[fault] = seen.get(fault, 0) + 1
    for fault in FAULTS:
        check(COUNT < 500 or seen.get(fault, 0) >= 5, "hardly tried:", fault.__name__)


main()

# SPDX-License-Identifier: MIT
"""What the tests share that run terrane from outside: running it, claims, and readers of its output that use none of
its code. Standard library only.

    from terrane_cli import *

    @claim
    def info_names_the_planet():
        equal(run("info", PACK, code=0).stdout, b"...")

    main()

Each claim prints "ok NAME" or "FAILED NAME"; an argument filters them by a part of their name.
"""
import array
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

from test_png_by_python import read_png

TERRANE = os.path.abspath(os.environ.get("TERRANE", "build/release/terrane"))
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = tempfile.mkdtemp(prefix="terrane-test-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
ENVIRONMENT = dict(os.environ, OMP_WAIT_POLICY="passive")

_claims = []


def claim(function):
    _claims.append(function)
    return function


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    failed = 0
    if not os.access(TERRANE, os.X_OK):
        sys.exit("%s: no such program; set TERRANE to the one to test" % TERRANE)
    try:
        for function in _claims:
            if wanted not in function.__name__:
                continue
            try:
                function()
                print("ok", function.__name__, flush=True)
            except Exception as error:
                for frame in traceback.extract_tb(error.__traceback__)[1:3]:
                    print("%s:%d: %s" % (os.path.basename(frame.filename), frame.lineno, frame.line))
                print("%s: %s" % (type(error).__name__, error))
                print("FAILED", function.__name__, flush=True)
                failed += 1
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)
    sys.exit(1 if failed else 0)


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(part) for part in what))


def equal(got, expected, *what):
    check(got == expected, "got", repr(got)[:500], "expected", repr(expected)[:500], *what)


def path(name):
    return os.path.join(FOLDER, name)


def exists(name):
    return os.path.lexists(path(name))


def run(*arguments, code=None, stdin=b"", stdout=subprocess.PIPE, environment=None, folder=FOLDER, timeout=120,
        lines=1):
    """Runs terrane; code is the exit code that it must have. A failure must be one line on stderr that begins with
    the program's and the verb's name (lines: of an error in a planet file or an override three, the last two are its
    line and the caret), and a death by a signal is never right."""
    result = subprocess.run([TERRANE, *arguments], input=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=folder,
                            env=dict(ENVIRONMENT, **(environment or {})), timeout=timeout)
    shown = (arguments, result.returncode, result.stderr.decode(errors="replace")[-800:])
    check(result.returncode in (0, 2, 3, 4, 5, 75), *shown)
    if code is not None:
        check(result.returncode == code, "expected exit code", code, "got", *shown)
    if result.returncode:
        error = result.stderr.decode(errors="replace")
        check(error.count("\n") == lines and error.endswith("\n"), "not as many lines:", lines, *shown)
        verb = arguments[0] if arguments and isinstance(arguments[0], str) else ""
        check(error.startswith("terrane: "), *shown)
        if verb in VERBS:
            check(error.startswith("terrane: %s: " % verb), *shown)
    return result


VERBS = ["bake", "merge", "info", "tile", "extract", "map", "sample", "stats", "verify", "diff", "planets"]


def answer(*arguments, **more):
    """The JSON that a successful run prints."""
    return json.loads(run(*arguments, code=0, **more).stdout)


def bake(name, *arguments, planet="plain", tile=32, depth=1):
    """A pack in the test's folder, baked once."""
    if not exists(name):
        run("bake", "-o", name, "--planet", planet, "--tile", str(tile), "--depth", str(depth), "-q", "-j", "2",
            *arguments, code=0)
    return path(name)


# ---- Pictures, by a decoder that is not libpng -----------------------------------------------------------------------
class Picture:
    """Samples as one flat array in rows, channels side by side; texts by key; names of the chunks."""

    def __init__(self, data):
        self.width, self.height, self.channels, self.bits, samples, chunks = read_png(data)
        self.samples = array.array("H" if self.bits == 16 else "B", samples)
        if self.bits == 16 and sys.byteorder == "little":
            self.samples.byteswap()
        pairs = [body.split(b"\0", 1) for name, body in chunks if name == b"tEXt"]
        self.texts = {key.decode("latin-1"): text.decode("latin-1") for key, text in pairs}
        self.chunks = [name.decode() for name, _ in chunks]

    def at(self, x, y):
        start = (y * self.width + x) * self.channels
        return tuple(self.samples[start:start + self.channels])


def picture_file(name):
    with open(path(name), "rb") as file:
        return Picture(file.read())


def terrarium_m(rgb):
    return rgb[0] * 256 + rgb[1] + rgb[2] / 256 - 32768


def int32s(data):
    values = array.array("i", data)
    check(values.itemsize == 4)
    if sys.byteorder == "big":
        values.byteswap()
    return values


# ---- The cube sphere, from its definition (S2's faces, tangent warp) by the C library's tan and atan ------------------
FACES = [  # out, s, t
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    ((0, 0, 1), (-1, 0, 0), (0, -1, 0)),
    ((-1, 0, 0), (0, 0, -1), (0, -1, 0)),
    ((0, -1, 0), (0, 0, -1), (1, 0, 0)),
    ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def direction(latitude, longitude):
    a, b = math.radians(latitude), math.radians(longitude)
    return (math.cos(a) * math.cos(b), math.cos(a) * math.sin(b), math.sin(a))


def locate(dir):
    """face, s, t of a direction."""
    face = max(range(6), key=lambda f: dot(dir, FACES[f][0]))
    out, s_axis, t_axis = FACES[face]
    s, t = (math.atan(dot(dir, axis) / dot(dir, out)) * 2 / math.pi + 0.5 for axis in (s_axis, t_axis))
    return face, s, t


def face_direction(face, s, t):
    out, s_axis, t_axis = FACES[face]
    u, v = math.tan(math.pi / 4 * (2 * s - 1)), math.tan(math.pi / 4 * (2 * t - 1))
    vector = [o + u * a + v * b for o, a, b in zip(out, s_axis, t_axis)]
    length = math.sqrt(dot(vector, vector))
    return [part / length for part in vector]

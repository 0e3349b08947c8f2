#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trouble in a planet file, from outside: exit 3, one line that names the place, and below it the line with a caret."""
from terrane_cli import *


def refusal(text, *arguments, code=3):
    """The three lines of a bake that is refused; no pack may come of it."""
    with open(path("bad.planet"), "wb") as file:
        file.write(text.encode())
    result = run("bake", "-o", "bad.terrane", "--planet", "./bad.planet", "--tile", "32", "--depth", "0", *arguments,
                 code=code, lines=3)
    equal(result.stdout, b"")
    check(not exists("bad.terrane") and not exists("bad.terrane.part"), os.listdir(FOLDER))
    return result.stderr.decode().split("\n")[:3]


def check_caret(text, line, column, *parts):
    first, shown, caret = refusal(text)
    start = "terrane: bake: ./bad.planet:%d:%d: expected " % (line, column)
    check(first.startswith(start), "not", start, "but", first)
    for part in parts:
        check(part in first, part, "is not in", first)
    equal(shown, text.split("\n")[line - 1])
    before = shown.encode()[:column - 1].decode()
    equal(caret, "".join("\t" if c == "\t" else " " for c in before) + "^")


@claim
def an_error_in_a_planet_file_shows_its_line_and_a_caret():
    check_caret("height = 2 * qqqq\n", 1, 14, "got 'qqqq'")
    check_caret("sea = 0\n\theight = \tmin(1, #ffffff)", 2, 19, "'b' in min", "got a colour")
    check_caret("height = clamp(x, 1)\n", 1, 10, "'high'")
    check_caret("a = b\nb = c + 1\nc = 2 * a\nheight = 1\n", 3, 9, "a -> b -> c -> a")
    check_caret("height = x / (1 - 1)\n", 1, 17, "other than 0")
    check_caret('name = "\u00e4\u5730" + 1\nheight = 1\n', 1, 16, "got a string and a number")


@claim
def what_is_not_finite_is_refused_before_any_tile():
    check_caret("height = 100 * x\na = 1 / (x - x)\ncolor = #ffffff * (a + 1)\n", 2, 7, "'/'")
    check_caret("height = 5 +\n  exp(x) / z\n", 2, 10, "'/' gives infinity at latitude 0")


@claim
def an_error_in_an_override_shows_the_value_and_a_caret():
    text = "level = 3\nheight = level\n"
    first, shown, caret = refusal(text, "--set", "level=2 * (x + 1)", code=2)
    equal(first, "terrane: bake: --set level=2 * (x + 1): expected a constant without names, got 'x'")
    equal((shown, caret), ("2 * (x + 1)", "     ^"))


main()

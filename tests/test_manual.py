#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Help, man page and completions of the programs name the same verbs and options, and those that were promised.

They are printed from the same tables; this looks at what comes out. BUILD names the folder of the programs.
"""
import os
import re
import subprocess
import sys
import tempfile

BUILD = os.environ.get("BUILD", "build/release")

# The options that scripts may rely on, verb by verb; more may come.
PROMISED = {
    "bake": "output planet seed radius set depth region face tile layers threads shard resume force estimate json work "
            "progress quiet",
    "info": "json",
    "tile": "layer output raw gray16",
    "extract": "output levels face layers force gray16",
    "map": "output width style level raw",
    "sample": "json",
    "stats": "json output width",
    "verify": "quick borders rebake seed planet json",
    "merge": "output",
    "diff": "json",
    "planets": "",
    "": "at look mode size fov detail cache loaders no-inertia sun wireframe borders hud headless background wait-full "
        "shot replay dt record stats",
}
LETTERS = {("bake", "output"): "o", ("bake", "threads"): "j", ("bake", "quiet"): "q", ("tile", "output"): "o",
           ("extract", "output"): "o", ("map", "output"): "o", ("merge", "output"): "o",
           ("stats", "output"): "o"}


def run(program, *arguments):
    done = subprocess.run([os.path.join(BUILD, program), *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def printed(program, *arguments):
    code, out, err = run(program, *arguments)
    assert code == 0 and not err and out, (program, arguments, code, err)
    return out


def verbs_of(program):
    """The verbs of a program; "" stands for the program itself where it has none."""
    _, _, after = printed(program, "--help").partition("\nverbs:\n")
    return re.findall(r"^  ([a-z]+) ", after, re.M) or [""]


def help_options(program, verb):
    """{name: letter or ""} as the verb's help has them."""
    text = printed(program, *([verb] if verb else []), "--help")
    rows = re.findall(r"^  (?:-([A-Za-z]), |    )--([a-z0-9-]+)", text.partition("\noptions:\n")[2], re.M)
    return {name: letter for letter, name in rows}


def man_options(program, verb):
    page = printed(program, "--man")
    heading = rf"^\.SS {program} {verb}\n" if verb else r"^\.SH OPTIONS\n"
    section = re.split(r"^\.S[SH] ", re.split(heading, page, flags=re.M)[1], flags=re.M)[0].replace("\\-", "-")
    rows = re.findall(r"^\.TP\n(?:\\fB-([A-Za-z])\\fR, )?\\fB--([a-z0-9-]+)\\fR", section, re.M)
    return {name: letter for letter, name in rows}


def bash_options(program, verb):
    """What the shell really proposes, by calling the function as bash would."""
    with tempfile.NamedTemporaryFile("w", suffix=".bash") as script:
        script.write(printed(program, "--completion", "bash"))
        words = [program] + ([verb] if verb else []) + ["--"]
        function = "_" + program.replace("-", "_")
        script.write(f"\nCOMP_WORDS=({' '.join(words)})\nCOMP_CWORD={len(words) - 1}\n{function}\n"
                     'printf "%s\\n" "${COMPREPLY[@]}"\n')
        script.flush()
        out = subprocess.run(["bash", script.name], capture_output=True, check=True)
    assert not out.stderr, out.stderr
    return {word[2:] for word in out.stdout.decode().split()}


def zsh_options(program, verb):
    text = printed(program, "--completion", "zsh")
    section = re.search(rf"^    {verb or repr('')}\)\n(.*?)^        ;;", text, re.M | re.S).group(1)
    return set(re.findall(r"--([a-z0-9-]+)=?(?:\}'|\[)", section))


def fish_options(program, verb):
    text = printed(program, "--completion", "fish")
    condition = f"-n '__fish_seen_subcommand_from {verb}' " if verb else ""
    rows = re.findall(rf"^complete -c {program} {condition}-l ([a-z0-9-]+)", text, re.M)
    return set(rows) | {"help"}


def programs():
    """The viewer is looked at where it is built."""
    return [name for name in ("terrane", "terrane-view") if os.path.exists(os.path.join(BUILD, name))]


def help_man_and_completions_agree_on_every_option():
    for program in programs():
        for verb in verbs_of(program):
            options = help_options(program, verb)
            assert options.get("help") == "h" and len(options) > 1 or verb == "planets", (program, verb, options)
            assert man_options(program, verb) == options, (program, verb)
            for shell in (bash_options, zsh_options, fish_options):
                assert shell(program, verb) == set(options), (program, verb, shell.__name__)


def all_verbs_are_in_the_man_page_and_proposed():
    verbs = verbs_of("terrane")
    assert len(verbs) >= 10
    assert re.findall(r"^\.SS terrane ([a-z]+)", printed("terrane", "--man"), re.M) == verbs
    for shell in ("bash", "zsh", "fish"):
        text = printed("terrane", "--completion", shell)
        assert all(re.search(rf"\b{verb}\b", text) for verb in verbs), shell


def promised_options_are_there():
    for program in programs():
        for verb in verbs_of(program):
            options = help_options(program, verb)
            missing = set(PROMISED.get(verb, "").split()) - set(options)
            assert not missing, (program, verb, missing)
            for (of, name), letter in LETTERS.items():
                assert of != verb or options[name] == letter, (verb, name)


def help_of_every_verb_goes_to_stdout_and_fits():
    for program in programs():
        for verb in verbs_of(program):
            words = [verb] if verb else []
            text = printed(program, *words, "--help")
            assert text == printed(program, *words, "-h")
            # An example's command line is not broken.
            lines = [line for line in text.splitlines() if not line.startswith(f"  {program} ")]
            assert all(len(line) <= 80 for line in lines), (program, verb)
            assert text.startswith(f"usage: {program}{' ' if verb else ''}{verb} ")
            if verb:
                assert text == printed(program, "help", verb)


def unknown_words_are_usage_errors_of_one_line():
    for program in programs():
        for verb in verbs_of(program):
            for junk in ("--nonsense", "--nonsense=1", "-Z"):
                code, out, err = run(program, *([verb] if verb else []), junk)
                assert code == 2 and not out, (program, verb, junk, code)
                assert err.count("\n") == 1 and junk in err and err.startswith(f"{program}: "), err
    for words in ([], ["nonsense"], ["--completion"], ["--completion", "csh"], ["help", "nonsense"]):
        code, out, err = run("terrane", *words)
        assert code == 2 and not out and err.count("\n") == 1, (words, code, out, err)


def version_names_the_libraries():
    text = printed("terrane", "--version")
    assert re.match(r"terrane \d+\.\d+\.\d+\n", text)
    for library in ("zlib", "libpng", "nettle", "jansson"):
        assert re.search(rf"^{library} \d+\.\d+", text, re.M), library


def main():
    tests = [help_man_and_completions_agree_on_every_option, all_verbs_are_in_the_man_page_and_proposed,
             promised_options_are_there, help_of_every_verb_goes_to_stdout_and_fits,
             unknown_words_are_usage_errors_of_one_line, version_names_the_libraries]
    failed = 0
    for test in tests:
        try:
            test()
            print("ok", test.__name__)
        except (AssertionError, OSError, subprocess.SubprocessError, AttributeError, IndexError, KeyError) as error:
            failed += 1
            print(f"{type(error).__name__}: {error}")
            print("FAILED", test.__name__)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

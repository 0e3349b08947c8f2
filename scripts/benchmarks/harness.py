# SPDX-License-Identifier: MIT
"""What all parts of scripts/bench use: running programs, taking turns, rows of the table."""
import json
import os
import statistics
import subprocess
import sys
import time


def peak_memory(pid):
    """Bytes that a running program had resident at most; 0 once it is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def middle(launches):
    """Of what some launches of a program printed, the same lines with medians for numbers."""
    lines = []
    for same in zip(*launches):
        lines.append({key: statistics.median(line[key] for line in same) if isinstance(value, float) else value
                      for key, value in same[0].items()})
    return lines


class Bench:
    """One run of scripts/bench. Packs are made in folder when a part first wants them."""

    def __init__(self, build, runs, folder):
        self.build = os.path.abspath(build)
        self.terrane = os.path.join(self.build, "terrane")
        self.runs, self.folder = runs, folder
        self.rows, self.left_out, self.curves = [], [], {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *command, environment=None):
        """Wall and CPU seconds and peak memory of one run of a program, which must end well."""
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)
        peak, ended = 0, 0
        # rusage would count the memory of this program too, which the child was before it became another.
        while not ended:
            peak = max(peak, peak_memory(process.pid))
            time.sleep(0.01)
            ended, state, usage = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(state)
        if process.returncode != 0:
            sys.exit(f"bench: {' '.join(command[:8])} ended with {process.returncode}")
        return {"wall": time.monotonic() - start, "cpu": usage.ru_utime + usage.ru_stime, "peak": peak}

    def measure(self, *arguments):
        return self.run(self.terrane, *arguments)

    def bake(self, name, options, threads=1):
        """One bake; its stages' times come from the program."""
        timings = self.path("timings.json")
        result = self.measure("bake", "-q", "-o", self.path(name), "--force", "--timings", timings, "-j", str(threads),
                              *options)
        with open(timings, encoding="utf-8") as file:
            result.update(json.load(file))
        return result

    def pack(self, name, options, threads=2):
        """The path of a pack that is made once."""
        if not os.path.exists(self.path(name)):
            self.bake(name, options, threads)
        return self.path(name)

    def program(self, name):
        return os.path.join(self.build, "tests", name)

    def lines_of(self, program, *arguments):
        """What a benchmark program prints: one JSON object a line."""
        out = subprocess.run([self.program(program), *arguments], stdout=subprocess.PIPE, check=True).stdout
        return [json.loads(line) for line in out.decode().splitlines()]

    def turns(self, program, *commands):
        """The medians that each command of a program prints, the commands taking turns."""
        launches = [[] for _ in commands]
        for _ in range(self.runs):
            for k, arguments in enumerate(commands):
                launches[k].append(self.lines_of(program, *arguments))
        return [middle(lines) for lines in launches]

    def row(self, what, value, unit, least=None, most=None, aim=None, page=None):
        """One line of the table. least or most is what must hold, aim what is aimed at; page is what scripts/bench-page
        calls it in the README, None: not there."""
        self.rows.append({"what": what, "value": value, "unit": unit, "at_least": least, "at_most": most, "aim": aim,
                          "page": page})
        target = f">= {least:g}" if least is not None else f"<= {most:g}" if most is not None else ""
        held = "" if not target else "held" if (value >= least if least is not None else value <= most) else "MISSED"
        if aim is not None:
            target += f", aim {aim:g}"
        print(f"{what:<62} {value:>11,.4g} {unit:<12} {target:<18} {held}", flush=True)

    def leave_out(self, what, why):
        self.left_out.append({"what": what, "why": why})
        print(f"{what:<62} left out: {why}", flush=True)

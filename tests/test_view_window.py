#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""terrane-view's window under a virtual X server (Xvfb), with real mouse and keys (xdotool). BUILD names the folder with
the programs.

One line a test, "ok NAME" or "FAILED NAME"; an argument filters. F12 writes terrane-view-N.png into the working folder:
that is how pictures are compared.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_png_by_python import read_png

BUILD = os.path.abspath(os.environ.get("BUILD", "build/release"))
TERRANE = os.path.join(BUILD, "terrane")
VIEW = os.path.join(BUILD, "terrane-view")
SIZE = (160, 90)
DISPLAY = PACK = ""


def environment():
    kept = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
    return dict(kept, DISPLAY=DISPLAY, ASAN_OPTIONS="detect_leaks=0", LP_NUM_THREADS="2")


def start_screen():
    """Xvfb on a display that it chooses itself. It must outlive the last window, hence no reset."""
    there, back = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(back), "-screen", "0", "800x600x24", "-nolisten", "tcp",
                               "-noreset"],
                              pass_fds=[back], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(back)
    number = b""
    while not number.endswith(b"\n"):
        more = os.read(there, 16)
        if not more:
            raise AssertionError("Xvfb did not start")
        number += more
    os.close(there)
    return screen, ":" + number.decode().strip()


def xdotool(*arguments):
    return subprocess.run(["xdotool", *map(str, arguments)], check=True, capture_output=True, text=True, timeout=30,
                          env=environment()).stdout


class Picture:
    """A PNG file; decoded when it is looked into, since equal pictures are equal files."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.file = file.read()
        self.size = (int.from_bytes(self.file[16:20], "big"), int.from_bytes(self.file[20:24], "big"))

    def __eq__(self, other):
        return self.file == other.file

    def samples(self):
        return read_png(self.file)[4]


def wait_until(condition, what, seconds=30):
    end_s = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end_s, f"waited in vain for {what}"
        time.sleep(0.02)


class Window:
    """A running viewer. Leaves by Esc, with exit code 0 and no other words than where screenshots went."""

    def __init__(self, *arguments):
        size = [] if "--size" in arguments else ["--size", "%dx%d" % SIZE]
        self.errors = open("errors", "w+b")
        self.process = subprocess.Popen([VIEW, PACK, "--no-inertia", *size, *arguments], stderr=self.errors,
                                        env=environment())
        self.shots = 0
        self.rests = "--hud" not in arguments

    def __enter__(self):
        try:
            self.find()
        except BaseException:
            self.__exit__(AssertionError)
            raise
        return self

    def find(self):
        found = []

        def search():
            assert self.process.poll() is None, "the viewer left at once: " + self.said()
            out = subprocess.run(["xdotool", "search", "--onlyvisible", "--all", "--pid", str(self.process.pid),
                                  "--name", "^terrane-view$"], capture_output=True, text=True, check=False, timeout=30,
                                 env=environment()).stdout
            found[:] = out.split()
            return len(found) == 1

        wait_until(search, "the window")
        self.id = found[0]
        # Keys follow the pointer where there is no window manager.
        xdotool("mousemove", "--window", self.id, SIZE[0] // 2, SIZE[1] // 2)
        if self.rests:
            self.settle()
        else:
            self.shot()

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def key(self, *keys):
        for key in keys:
            xdotool("key", key)
            time.sleep(0.04)

    def hold(self, key, seconds):
        xdotool("keydown", key)
        time.sleep(seconds)
        xdotool("keyup", key)

    def drag(self, x, y, by_x, by_y, button=1, hold=None):
        """Slowly: events that come together are seen together."""
        if hold:
            xdotool("keydown", hold)
        xdotool("mousemove", "--window", self.id, x, y, "sleep", "0.06", "mousedown", button, "sleep", "0.06",
                "mousemove", "--window", self.id, x + by_x // 2, y + by_y // 2, "sleep", "0.06",
                "mousemove", "--window", self.id, x + by_x, y + by_y, "sleep", "0.06", "mouseup", button)
        if hold:
            xdotool("keyup", hold)

    def shot(self):
        """The next frame's picture, by F12."""
        self.shots += 1
        name = f"terrane-view-{self.shots}.png"
        self.key("F12")
        wait_until(lambda: os.path.exists(name), name)
        return Picture(name)

    def settle(self):
        """The picture when it no longer changes."""
        before = self.shot()
        for _ in range(100):
            time.sleep(0.05)
            now = self.shot()
            if now == before:
                return now
            before = now
        raise AssertionError("the picture never comes to rest")

    def __exit__(self, kind, *_):
        if kind is None:
            self.key("Escape")
        else:
            self.process.send_signal(signal.SIGKILL)
        code = self.process.wait(timeout=30)
        said = self.said()
        self.errors.close()
        for number in range(1, self.shots + 1):
            if os.path.exists(f"terrane-view-{number}.png"):
                os.unlink(f"terrane-view-{number}.png")
        if kind is None:
            assert code == 0, f"exit code {code}: {said}"
            assert all(line.startswith("terrane-view: wrote terrane-view-") for line in said.splitlines()), said


def differing(a, b):
    """Share of the samples that differ by more than 2."""
    assert a.size == b.size, (a.size, b.size)
    return sum(abs(x - y) > 2 for x, y in zip(a.samples(), b.samples())) / (3 * a.size[0] * a.size[1])


def globe_samples(picture):
    """How many pixels are brighter than the sky: how large the planet is in the picture."""
    data = picture.samples()
    return sum(data[k] + data[k + 1] + data[k + 2] > 120 for k in range(0, len(data), 3))


# ---- Tests ------------------------------------------------------------------------------------------------

def window_and_headless_draw_the_same():
    for view in [[], ["--at", "20,10,2", "--look", "45,-5"], ["--at", "46,8,3e5", "--borders"]]:
        arguments = [PACK, "--size", "%dx%d" % SIZE, "--wait-full", "--force", *view]
        for name, more in [("window.png", []), ("headless.png", ["--headless"])]:
            done = subprocess.run([VIEW, *arguments, *more, "--shot", name], env=environment(), timeout=60, check=True,
                                  capture_output=True)
            assert done.stderr == b"" and done.stdout == b"", done
        assert Picture("window.png") == Picture("headless.png"), view


def mouse_grabs_zooms_tilts_and_looks():
    with Window("--at", "20,10,3e6", "--look", "0,-90") as window:
        x, y = SIZE[0] // 2, SIZE[1] // 2
        rest = window.settle()
        window.drag(x, y, 24, 10)
        dragged = window.settle()
        assert differing(rest, dragged) > 0.02, "a left drag does not move the globe"
        window.drag(x + 24, y + 10, -24, -10)
        back = window.settle()
        assert differing(rest, back) < differing(rest, dragged) / 2, "dragged back, it is not where it was"
        xdotool("mousemove", "--window", window.id, x, y)
        for _ in range(8):
            xdotool("click", 5)
        far = window.settle()
        assert globe_samples(far) < globe_samples(back) / 1.2, "the wheel does not zoom out"
        for _ in range(5):
            xdotool("click", 4)
        near = window.settle()
        assert globe_samples(near) > globe_samples(far) * 1.2, "the wheel does not zoom in"
        before = near
        for button, hold in [(2, None), (1, "ctrl"), (1, "shift")]:
            window.drag(x, y, 10, 25, button, hold)
            after = window.settle()
            assert differing(before, after) > 0.02, f"a drag with button {button} and {hold} does nothing"
            before = after


def keys_do_what_help_says():
    with Window("--at", "20,10,3e6", "--look", "60,-50") as window:
        rest = window.settle()
        for key in ["w", "s", "a", "d", "e", "c"]:
            window.hold(key, 0.3)
            moved = window.settle()
            assert differing(rest, moved) > 0.01, key + " does not move"
            rest = moved
        window.key("n")
        north = window.settle()
        assert differing(rest, north) > 0.01, "N does nothing"
        window.key("Home")
        home = window.settle()
        assert differing(north, home) > 0.05, "Home does nothing"
        for key, least in [("f", 0.01), ("b", 0.001), ("F2", 0.002), ("h", 0.01)]:
            window.key(key)
            on = window.shot()
            assert differing(home, on) > least, key + " changes nothing"
            window.key(key)
            assert window.settle() == home, key + " cannot be taken back"
        # The number keys are modes: walking brings the eye down by itself, and flying leaves it there.
        window.key("z")
        ground = window.settle()
        assert differing(home, ground) > 0.2, "Z does not land"
        window.key("2")
        xdotool("keydown", "shift")
        window.hold("e", 1)
        xdotool("keyup", "shift")
        risen = window.settle()
        assert differing(ground, risen) > 0.001, "E does not rise in fly mode"
        window.key("3")
        walking = window.settle()
        assert differing(walking, risen) > 0.001, "3 does not walk"
        window.key("1", "Home")
        assert differing(window.settle(), walking) > 0.2, "Home does not leave the ground"


def frozen_detail_is_seen_from_outside():
    with Window("--at", "20,10,1e6", "--look", "0,-60", "--wireframe") as window:
        window.settle()
        window.key("u", "1", "Home")
        frozen = window.settle()
        window.key("u")
        thawed = window.settle()
        assert differing(frozen, thawed) > 0.005, "U changes nothing"


def every_window_size_is_drawn():
    with Window() as window:
        home = window.settle()
        for width, height in [(400, 300), (300, 1), (1, 1), (1, 200), SIZE]:
            xdotool("windowsize", window.id, width, height)
            wait_until(lambda: window.shot().size == (width, height), f"a picture of {width} by {height}")
        # Not to the last pixel: what the larger window needed may still be drawn.
        assert differing(window.settle(), home) < 0.1
        home = window.settle()
        xdotool("windowunmap", window.id)
        time.sleep(0.2)
        assert window.process.poll() is None
        xdotool("windowmap", window.id)
        xdotool("mousemove", "--window", window.id, SIZE[0] // 2 + 1, SIZE[1] // 2)
        time.sleep(0.2)
        assert window.settle() == home
        window.key("F11")
        wait_until(lambda: window.shot().size == (800, 600), "the full screen")
        window.key("F11")
        wait_until(lambda: window.shot().size == SIZE, "the window again")


def closing_the_window_writes_what_was_asked_for():
    with Window("--record", "r.txt", "--stats", "s.json", "--hud") as window:
        window.hold("w", 0.2)
        assert not os.path.exists("r.txt")
    with open("r.txt", encoding="ascii") as file:
        lines = file.read().splitlines()
    assert len(lines) > 5 and all(len(line.split()) == 6 for line in lines)
    with open("s.json", encoding="utf-8") as file:
        assert file.read().startswith('{"schema":1')
    # A replay in the window leaves by itself.
    done = subprocess.run([VIEW, PACK, "--size", "%dx%d" % SIZE, "--replay", "r.txt", "--shot", "a.png"],
                          env=environment(), timeout=60, check=False, capture_output=True)
    assert done.returncode == 0 and done.stderr == b"" and Picture("a.png").size == SIZE, done


def coarse_ground_does_not_lift_the_eye():
    """The first frames have coarse ground only; the eye must still come to stand where --at says."""
    for place in ["-30,130,2", "30,-20,2", "50,150,2"]:
        view = ["--at", place, "--look", "0,-10"]
        with Window(*view) as window:
            settled = window.settle()
        subprocess.run([VIEW, PACK, "--size", "%dx%d" % SIZE, "--headless", "--wait-full", "--force", *view, "--shot",
                        "a.png"], env=environment(), check=True, timeout=60)
        assert differing(settled, Picture("a.png")) < 0.001, place


def main():
    global DISPLAY, PACK
    missing = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    if missing or not os.path.exists(VIEW):
        why = f"{VIEW} was not built" if not os.path.exists(VIEW) else " and ".join(missing) + " missing"
        print(f"skipped all tests of the window: {why} (scripts/deps installs what it takes)")
        print("ok the_window_was_not_tested")
        return 0
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    failed = 0
    helpers = ("start_screen", "wait_until", "globe_samples")
    tests = [item for name, item in globals().items()
             if callable(item) and getattr(item, "__module__", "") == "__main__" and "_" in name and wanted in name
             and name not in helpers]
    folder = tempfile.mkdtemp(prefix="terrane-window-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    os.chdir(folder)
    PACK = os.path.join(folder, "p.terrane")
    subprocess.run([TERRANE, "bake", "-q", "-o", PACK, "--depth", "2", "--tile", "32"], check=True,
                   env=dict(os.environ, OMP_WAIT_POLICY="passive"))
    screen, DISPLAY = start_screen()
    try:
        for test in tests:
            start_s = time.monotonic()
            try:
                test()
                print(f"ok {test.__name__}")
            except Exception:  # a test that dies has failed
                traceback.print_exc(file=sys.stdout)
                print(f"FAILED {test.__name__}\n  replay: BUILD={BUILD} {sys.argv[0]} {test.__name__}")
                failed += 1
            if os.environ.get("TERRANE_TEST_TIMES"):
                print(f"  {time.monotonic() - start_s:.1f} s")
            sys.stdout.flush()
    finally:
        screen.terminate()
        screen.wait()
        shutil.rmtree(folder, ignore_errors=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

"""The table in a real window on a virtual X server, with real keys and a real mouse, as on a laptop.

The tests see only the pixels of the window and the journal on disk. A second table in this process, the shadow, gets
the same input and shows what the window should look like. The next key is sent only when the window matches, so a slow
machine takes longer but never presses a key on the wrong screen.
"""

import ctypes
import os
import shutil
import signal
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from table.machine.service import LEFT
from table.session.lineup import Seat
from table.session.messages import DeviceLost, PowerRefused
from table.storage.journal.folded import unfold
from table.ui.kiosk.gestures import CHATTER
from tests.processes import PATIENCE, asked, environment, records, running, until, x_server
from tests.tabletop import Tabletop

pytestmark = pytest.mark.ground

SIZE = (800, 480)
WINDOW = "800x480"
# The share of the pixels that must match. The mouse pointer may cover the rest. Different lists share less than 0.8.
ALIKE = 0.98
# The share on the first screen, whose dice and games change. A list shares less than 0.3 with this screen.
FIRST = 0.5
# A fake systemctl that logs its arguments. If there is a file `refused`, it fails with that file's text.
SYSTEMCTL = """#!/bin/sh
echo "$@" >>"$(dirname "$0")/asked"
[ ! -f "$(dirname "$0")/refused" ] || { cat "$(dirname "$0")/refused" >&2; exit 1; }
"""


class Window:
    """The table's window, controlled and observed from outside."""

    def __init__(self, home: Path, process: "subprocess.Popen[str]", env: dict[str, str], pixels: Path) -> None:
        self.home, self.process, self.env, self._pixels = home, process, env, pixels
        ours = ("search", "--onlyvisible", "--pid", str(process.pid))
        found = until("the window opened", lambda: self._x(*ours), process)
        self.id = int(found.split()[0])
        self.focus()

    def _x(self, *words: str) -> str:
        done = subprocess.run(["xdotool", *words], env=self.env, capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout

    def focus(self) -> None:
        self._x("windowfocus", str(self.id))

    def leave(self) -> None:
        """Move the keyboard focus away from the window."""
        self._x("windowfocus", self._x("search", "--maxdepth", "0", "").split()[0])

    def key(self, name: str) -> None:
        """Press a key, after a pause. Without the pause, the table would think that the button bounces."""
        self._x("sleep", str(2 * CHATTER), "key", name)

    def click(self, place: tuple[int, int]) -> None:
        self._x("mousemove", "--window", str(self.id), str(place[0]), str(place[1]), "click", "1")

    def seen(self) -> pygame.Surface:
        """The picture, from an X window dump: a header of 32-bit numbers, a colour table, then pixels."""
        dump = self._pixels.read_bytes()
        header = struct.unpack(">25I", dump[:100])
        start, line = header[0] + 12 * header[19], header[12]
        assert header[4:6] == SIZE and line == 4 * SIZE[0]
        return pygame.image.frombuffer(dump[start : start + line * SIZE[1]], SIZE, "BGRA")

    def shows(self, shadow: Tabletop, share: float = ALIKE) -> None:
        """Wait until at least this share of the window's pixels equals the shadow's."""
        wanted = pygame.Surface(SIZE, pygame.SRCALPHA)
        wanted.blit(shadow.surface, (0, 0))

        def alike() -> bool:
            same = pygame.mask.from_threshold(self.seen(), (0, 0, 0), (3, 3, 3, 255), wanted)
            return same.count() >= share * SIZE[0] * SIZE[1]

        until(f"the window showed {shadow.words}", alike, self.process)

    @property
    def systemctl(self) -> str:
        """The arguments of all calls to systemctl."""
        path = self.home / "bin" / "asked"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def close(self) -> None:
        """Close the window as a window manager does when the close button is clicked."""
        x = ctypes.CDLL("libX11.so.6")
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XInternAtom.restype = ctypes.c_ulong
        display = ctypes.c_void_p(x.XOpenDisplay(self.env["DISPLAY"].encode()))
        protocols, wish = (x.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
        event = (ctypes.c_long * 24)()  # XClientMessageEvent: type, serial, sent, display, window, kind, format, data
        event[0], event[4], event[5], event[6], event[7] = 33, self.id, protocols, 32, wish
        x.XSendEvent(display, ctypes.c_ulong(self.id), 0, ctypes.c_long(0), ctypes.byref(event))
        x.XCloseDisplay(display)


@pytest.fixture
def window(tmp_path, request) -> Iterator[Window]:
    """The table in a window. With `indirect`, the parameter adds command line arguments."""
    if shutil.which("xdotool") is None:
        pytest.skip("xdotool is not installed (Debian: xdotool)")
    home = tmp_path / "home"
    systemctl = home / "bin" / "systemctl"
    systemctl.parent.mkdir(parents=True)
    systemctl.write_text(SYSTEMCTL, encoding="utf-8")
    systemctl.chmod(0o755)
    with x_server(tmp_path, WINDOW) as display:
        env = environment(home, DISPLAY=display, PATH=f"{systemctl.parent}{os.pathsep}{os.environ['PATH']}")
        with running("--window", WINDOW, "--simulate", *getattr(request, "param", ()), env=env) as process:
            yield Window(home, process, env, tmp_path / "Xvfb_screen0")


@pytest.fixture
def shadow(tmp_path) -> Iterator[Tabletop]:
    with Tabletop(SIZE, folder=tmp_path / "shadow", source="simulated") as shadow:
        shadow.kiosk.turn([DeviceLost("buttons", "")], [], shadow.now)  # no buttons, as with --simulate
        yield shadow


@pytest.fixture
def begun(tmp_path) -> None:
    """An unfinished game of one round in both the window and its shadow. Who begins is already
    decided."""
    with Tabletop(folder=tmp_path / "shadow", source="simulated") as table:
        table.sit("mexico", (Seat(""), Seat("", "classic")), {"rounds": 1})
        while table.session.match.referee.view(None)["leader"] is None:
            table.roll()
            table.wait_for_disk(lambda: not table.session.writing)
    shutil.copytree(tmp_path / "shadow", records(tmp_path / "home"))


def test_keys_start_a_game_of_mexico_from_the_first_screen(window, shadow):
    window.shows(shadow, FIRST)
    window.key("space")
    shadow.roll()
    for _ in range(3):  # three screens: games (Mexico is first), players (one person and a computer), options
        window.shows(shadow)
        window.key("Return")
        shadow.end()
    until("the game began", lambda: asked(window.home, "SELECT game FROM matches") == [("mexico",)], window.process)


def test_keys_resume_a_game_and_play_it_to_its_result(begun, window, shadow):
    window.shows(shadow, FIRST)
    window.key("space")
    shadow.roll()
    window.shows(shadow)
    window.key("Return")

    def over() -> bool:
        window.key("space")  # rolls, or skips an animation
        return asked(window.home, "SELECT count(*) FROM matches WHERE ended IS NOT NULL") == [(1,)]

    until("the game was over", over, window.process)
    assert asked(window.home, "SELECT count(*) FROM seats WHERE won") == [(1,)]
    [(log,)] = asked(window.home, "SELECT log FROM matches")
    sources = unfold(log).sources
    assert len(sources) > sources.count("simulated") >= 4  # each player rolls for who begins, and then in the round


def test_a_click_that_focuses_the_window_also_counts(window, shadow):
    window.shows(shadow, FIRST)
    window.leave()
    window.process.send_signal(signal.SIGSTOP)  # paused, so that it gets the focus and the click together
    window.focus()
    window.click({name: rect.center for name, rect in shadow.canvas.spots}["cap:roll"])
    window.process.send_signal(signal.SIGCONT)
    shadow.touch("cap:roll")
    window.shows(shadow)


def test_the_mouse_starts_a_game_and_closing_the_window_keeps_it(window, shadow):
    def click(spot: str) -> None:
        window.click({name: rect.center for name, rect in shadow.canvas.spots}[spot])
        shadow.touch(spot)

    window.shows(shadow, FIRST)
    click("cap:roll")
    for spot in ("entry:1", "entry:0", "entry:0"):  # three screens: games (Bluff is second), players, options
        window.shows(shadow)
        click(spot)
    until("the game began", lambda: asked(window.home, "SELECT game FROM matches") == [("bluff",)], window.process)
    window.close()
    _, errors = window.process.communicate(timeout=PATIENCE)
    assert (window.process.returncode, errors) == (0, "")
    assert asked(window.home, "SELECT count(*) FROM matches WHERE ended IS NULL") == [(1,)]


# Exit and shutdown

as_service = pytest.mark.parametrize("window", [("--service",)], indirect=True)


def ended_by_menu(window: Window, shadow: Tabletop, up: int) -> None:
    """Open the menu, press Up this many times to reach an entry near the end, choose it and confirm."""
    share = FIRST
    for name in ("Escape", *["Up"] * up, "Return", "Down", "Return"):
        window.shows(shadow, share)
        window.key(name)
        shadow.key(getattr(pygame, f"K_{name.upper()}"), "\r" if name == "Return" else "")
        share = ALIKE


@as_service
def test_exit_from_the_menu_ends_a_service_with_the_status_that_prevents_a_restart(window, shadow):
    ended_by_menu(window, shadow, 1)
    _, errors = window.process.communicate(timeout=PATIENCE)
    assert (window.process.returncode, errors) == (LEFT, "")


@as_service
def test_restart_from_the_menu_of_a_service_restarts_the_machine(window, shadow):
    shadow.context.run.service = True
    ended_by_menu(window, shadow, 3)
    window.shows(shadow)
    assert shadow.wishes == ["restart"]
    until("systemctl was asked", lambda: window.systemctl == "reboot\n", window.process)
    assert window.process.poll() is None, "it runs until the machine ends it"


def test_a_refused_shutdown_shows_the_reason(window, shadow):
    refusal = "Failed to power off system via logind: Access denied.\n"
    (window.home / "bin" / "refused").write_text(refusal, encoding="utf-8")
    ended_by_menu(window, shadow, 2)
    shadow.mailbox.post(PowerRefused("shut_down", "Access denied"))
    shadow.turn()
    window.shows(shadow)
    assert shadow.wishes == ["shut_down"] and window.systemctl == "poweroff\n"

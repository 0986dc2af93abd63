"""Run `dicetable` in a terminal for a test, with scripted answers.

`sit` runs it in this process. `Sitting` starts a real process on a pty or on pipes, for tests that need interrupt keys,
signals or a sudden end. Both show the same output, and a test checks that. Only the computers' pause for thinking is
patched away.
"""

import os
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

from table.text.catalogue import texts
from tests.in_process import Keyboard, Output, call

ROOT = Path(__file__).resolve().parent.parent
APART = re.compile(r"\x1b\[\?1049h(.*?)\x1b\[\?1049l", re.DOTALL)
PAINT = re.compile(r"\x1b\[[0-9;]*[mHJ]")
COMMAND = "import table.ui.terminal.screen as s; s.MOMENT = 0; import sys; from table.app import main; sys.exit(main())"
OWN_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
PATIENCE = 60.0  # seconds to wait for the next question
MOST = 3000  # at most this many questions in one run


def environment(**more: str) -> dict[str, str]:
    plain = {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    return {**os.environ, **plain, **more}


class Run(NamedTuple):
    """The exit status of a run, its standard error and its output."""

    status: int
    errors: str
    text: str

    @property
    def public(self) -> str:
        """The output without private looks: what stays on screen and in the scroll-back."""
        return public(self.text)


def sit(*arguments: str, answer: Callable[[str], str | None], tty: bool = False, **more: str) -> Run:
    """Run `dicetable` in this process, as on a terminal or on pipes. An answer of None closes its input."""
    env = environment(**more)
    out, errors = Output(env["PYTHONIOENCODING"], tty), Output(env["PYTHONIOENCODING"])
    left = iter(range(MOST))

    def answered(line: str) -> str | None:
        assert next(left, None) is not None, f"too many questions:\n{out.text[-2000:]}"
        return answer(PAINT.sub("", line))

    with mock.patch("table.ui.terminal.screen.MOMENT", 0):
        status = call(arguments, env, Keyboard(answered, out), out, errors, ROOT)
    return Run(status, errors.text, out.text)


def replies(*texts: str) -> Callable[[str], str]:
    """Answer with these texts in order; fail on any further question."""
    left = iter(texts)
    return lambda question: next(left)


def public(text: str) -> str:
    return PAINT.sub("", APART.sub("", text))


sittings: list["Sitting"] = []


class Sitting:
    """One `dicetable` process on its own pty or on pipes, with all its output."""

    def __init__(self, *arguments: str, tty: bool = False, **more: str) -> None:
        if sys.platform == "win32":
            pytest.skip("a pty and select on pipes need Linux or macOS")
        code, ends = COMMAND, {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        if tty:
            import pty

            self._in, ours = pty.openpty()
            self._out, code, ends = self._in, OWN_TERMINAL + COMMAND, {"stdin": ours, "stdout": ours}
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=environment(**more),
            start_new_session=tty,
            **ends,  # type: ignore[call-overload]
        )
        if tty:
            os.close(ours)
        else:
            assert self.process.stdin and self.process.stdout
            self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.text = ""
        self._bytes = b""
        self._tty = tty
        sittings.append(self)

    def until_question(self) -> str | None:
        """Wait for the next question and return its line, or None at the end of the output."""
        end = time.monotonic() + PATIENCE
        while True:
            ready, _, _ = select.select([self._out], [], [], max(0, end - time.monotonic()))
            assert ready, f"no question and no end in {PATIENCE:.0f} seconds:\n{self.text[-2000:]}"
            try:
                piece = os.read(self._out, 65536)
            except OSError:  # a pty raises this when the other side is closed
                piece = b""
            self._bytes += piece
            self.text = self._bytes.decode("utf-8", "replace").replace("\r\n", "\n")
            if not piece:
                return None
            last = PAINT.sub("", self.text)
            if last.endswith(" > "):
                return last.split("\n")[-1]

    def type(self, text: str) -> None:
        os.write(self._in, text.encode())

    def play(self, answer: Callable[[str], str]) -> "Sitting":
        for _ in range(MOST):
            if (question := self.until_question()) is None:
                return self
            self.type(answer(question) + "\n")
        raise AssertionError(f"too many questions:\n{self.text[-2000:]}")

    def end(self) -> tuple[int, str]:
        """Wait for the process to end; return its exit status and standard error."""
        _, errors = self.process.communicate(timeout=PATIENCE)
        if self._tty:
            os.close(self._in)
        return self.process.returncode, errors.decode()

    @property
    def public(self) -> str:
        """The output without private looks: what stays on screen and in the scroll-back."""
        return public(self.text)


def random_answers(seed: int, language: str = "en", **fixed: str) -> Callable[[str], str]:
    """Answer every question at random, and leave after one game."""
    chance, say = random.Random(seed), texts(language)

    def answer(question: str) -> str:
        for words, reply in fixed.items():
            if words.replace("_", " ") in question:
                return reply
        for key, replies in ANSWERS.items():
            if constant(say.get(key, key)) in question:
                return chance.choice(replies)
        raise AssertionError(f"no answer is known for {question!r}")

    return answer


def constant(text: Any) -> str:
    """The longest part of a text that contains no placeholder."""
    return str(max(re.split(r"\{\w+\}", text), key=len))


ANSWERS = {  # answers by the catalogue key of the question; the first match counts
    "terminal.again.ask": ("q",),
    "terminal.hint.throw": ("",),
    "terminal.pass": ("",),
    "terminal.hide": ("",),
    "terminal.hint.faces": ("", "", "1", "5", "155"),
    "Dudo": ("d", "c", "dudo"),
    "terminal.hint.bid": ("1 2", "1x3", "2 5", "14"),
    "terminal.hint.list": ("1", "2"),
    "terminal.hint.numbers": ("2", "7", "9"),
    "terminal.hint.roll_or_end": ("", "end", "roll"),
}
SEATS = ("--seat", "Ann", "--seat", "Bo", "--seat", "computer", "--seat", "computer:random")
SHORT = {
    "mexico": ("--option", "lives=1"),
    "bluff": ("--option", "rounds=2"),
    "pocoloco": ("--option", "chips=2"),
    "cheese": ("--option", "goal=500", "--option", "cards=yes", "--option", "last_turn=yes"),
    "cacho": ("--option", "dice=2", "--option", "shuffle=yes"),
}

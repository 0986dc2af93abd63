"""How the tests sit at the terminal: a run of `dicetable`, and somebody who types.

`sit` runs it within this process. `Sitting` starts a process on a real pty or on pipes, for tests of what only such a
one has: keys that interrupt, signals, an end that comes in the middle. Both show the same, and a test compares them.
Nothing of ours is replaced but the moment that a computer seems to think.
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
PATIENCE = 60.0  # seconds for the next question: a guard against one that never comes
MOST = 3000  # questions in an evening


def environment(**more: str) -> dict[str, str]:
    plain = {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    return {**os.environ, **plain, **more}


class Evening(NamedTuple):
    """How a run ended, what it said on the error output, and all that it wrote."""

    status: int
    errors: str
    text: str

    @property
    def public(self) -> str:
        """All that stays in sight and in the scroll-back."""
        return public(self.text)


def sit(*arguments: str, answer: Callable[[str], str | None], tty: bool = False, **more: str) -> Evening:
    """A run of `dicetable` within this process, as on a terminal or on pipes; None closes its input."""
    env = environment(**more)
    out, errors = Output(env["PYTHONIOENCODING"], tty), Output(env["PYTHONIOENCODING"])
    left = iter(range(MOST))

    def answered(line: str) -> str | None:
        assert next(left, None) is not None, f"no end in sight:\n{out.text[-2000:]}"
        return answer(PAINT.sub("", line))

    with mock.patch("table.ui.terminal.screen.MOMENT", 0):
        status = call(arguments, env, Keyboard(answered, out), out, errors, ROOT)
    return Evening(status, errors.text, out.text)


def replies(*texts: str) -> Callable[[str], str]:
    """Somebody who knows beforehand what to type, and is asked nothing else."""
    left = iter(texts)
    return lambda question: next(left)


def public(text: str) -> str:
    return PAINT.sub("", APART.sub("", text))


sittings: list["Sitting"] = []


class Sitting:
    """One run of `dicetable`, on a terminal of its own or on pipes, and all that it wrote."""

    def __init__(self, *arguments: str, tty: bool = False, **more: str) -> None:
        if sys.platform == "win32":
            pytest.skip("a pty, and waiting for a pipe, need Linux or macOS")
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
        """What stands before the cursor when it waits for an answer; None at the end."""
        end = time.monotonic() + PATIENCE
        while True:
            ready, _, _ = select.select([self._out], [], [], max(0, end - time.monotonic()))
            assert ready, f"it neither asks nor ends:\n{self.text[-2000:]}"
            try:
                piece = os.read(self._out, 65536)
            except OSError:  # how a pty says that the other side has gone
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
        raise AssertionError(f"no end in sight:\n{self.text[-2000:]}")

    def end(self) -> tuple[int, str]:
        """The exit status and what was said on the error output."""
        _, errors = self.process.communicate(timeout=PATIENCE)
        if self._tty:
            os.close(self._in)
        return self.process.returncode, errors.decode()

    @property
    def public(self) -> str:
        """All that stays in sight and in the scroll-back."""
        return public(self.text)


def somebody(seed: int, language: str = "en", **fixed: str) -> Callable[[str], str]:
    """A person who answers every question, and leaves after one game."""
    chance, say = random.Random(seed), texts(language)

    def answer(question: str) -> str:
        for words, reply in fixed.items():
            if words.replace("_", " ") in question:
                return reply
        for key, replies in ANSWERS.items():
            if constant(say.get(key, key)) in question:
                return chance.choice(replies)
        raise AssertionError(f"nobody knows what to answer to {question!r}")

    return answer


def constant(text: Any) -> str:
    """The longest part of a text that has no facts in it."""
    return str(max(re.split(r"\{\w+\}", text), key=len))


ANSWERS = {  # by the texts that they answer, the most telling first
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

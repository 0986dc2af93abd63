"""The command within the process of the tests: a process of its own takes half a second to start.

Its one rule: what the command changes for its whole process (environment, folder, signals, umask) is put back.
"""

import io
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TextIO
from unittest import mock

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
NO_FILE = 1_000_000  # a number that no open file has


class Output(io.TextIOWrapper):
    """All that was written, on a terminal or to a file."""

    def __init__(self, encoding: str = "utf-8", tty: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="")
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty

    @property
    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)  # type: ignore[attr-defined,no-any-return]


class Keyboard(io.StringIO):
    """Somebody who reads what was written last and types an answer; None closes the terminal.

    A terminal shows what is typed, and a program that reads from a file does that itself."""

    def __init__(self, answer: Callable[[str], str | None], output: Output) -> None:
        super().__init__()
        self._answer, self._output = answer, output

    def isatty(self) -> bool:
        return self._output.isatty()

    def fileno(self) -> int:
        """Of nothing that is open: whoever wants to forget what was typed meanwhile finds nothing there."""
        return NO_FILE

    def readline(self, *_: object) -> str:
        reply = self._answer(self._output.text.rpartition("\n")[2])
        if reply is None:
            return ""
        if self.isatty():
            self._output.write(f"{reply}\n")
        return f"{reply}\n"


def call(
    arguments: Sequence[str],
    env: Mapping[str, str],
    stdin: TextIO,
    stdout: TextIO,
    stderr: TextIO,
    folder: Path | None = None,
) -> int:
    """The exit status of `dicetable` with these arguments."""
    from table.app import main

    with _put_back(), mock.patch("sys.stdin", stdin), redirect_stdout(stdout), redirect_stderr(stderr):
        os.environ.clear()
        os.environ.update(env)
        if folder is not None:
            os.chdir(folder)
        try:
            return main(list(arguments))
        except SystemExit as end:  # --help
            return int(end.code or 0)


@contextmanager
def _put_back() -> Iterator[None]:
    environment, folder, umask = dict(os.environ), os.getcwd(), os.umask(0o022)
    os.umask(umask)
    handlers = [(number, signal.getsignal(number)) for number in SIGNALS]
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        os.umask(umask)
        for number, handler in handlers:
            signal.signal(number, handler)

"""Run the command in the test process, which saves the half second that a child process takes to start.

Everything that the command changes for its process (environment, folder, signals, umask) is restored.
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
NO_FILE = 1_000_000  # not a valid file descriptor


class Output(io.TextIOWrapper):
    """A text output that keeps everything that is written to it, and can pass for a terminal."""

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
    """A standard input that answers the last line of the output. An answer of None closes the terminal.

    If it is a terminal, it echoes the answers."""

    def __init__(self, answer: Callable[[str], str | None], output: Output) -> None:
        super().__init__()
        self._answer, self._output = answer, output

    def isatty(self) -> bool:
        return self._output.isatty()

    def fileno(self) -> int:
        """An invalid descriptor, so that there is no real terminal whose input could be flushed."""
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
    """Run `dicetable` with these arguments and return its exit status."""
    from table.app import main

    with _put_back(), mock.patch("sys.stdin", stdin), redirect_stdout(stdout), redirect_stderr(stderr):
        os.environ.clear()
        os.environ.update(env)
        if folder is not None:
            os.chdir(folder)
        try:
            return main(list(arguments))
        except SystemExit as end:  # argparse exits after --help
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

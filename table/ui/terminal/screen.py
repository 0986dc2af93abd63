"""The terminal as games use it: print, ask, and show something to one person only.

Its one rule: whatever happens at a question (end of input, Ctrl-C), the terminal is restored.
"""

import codecs
import os
import shutil
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

from table.engine.errors import Closed
from table.engine.names import clean
from table.text.catalogue import Catalogue
from table.ui.terminal import draw

MOMENT = 0.6  # seconds that a computer pretends to think
PAINT = {"bold": "1", "dim": "2", "good": "1;32", "bad": "31", "name": "1;36"}
# The alternate screen has no scroll-back. Some terminals keep its contents, so it is cleared before leaving it.
_APART, _BACK = "\x1b[?1049h\x1b[2J\x1b[H", "\x1b[2J\x1b[H\x1b[?1049l"


class Screen:
    """Line input and coloured output, on a terminal or pipes."""

    def __init__(self, source: TextIO | None, sink: TextIO | None, say: Catalogue | None = None) -> None:
        self._closed = (say or Catalogue())("terminal.closed")
        if source is None or sink is None:  # closed before the start, as in `dicetable <&-`
            raise Closed(self._closed)
        self._source, self._sink = source, sink
        self._encoding = getattr(sink, "encoding", None) or "utf-8"
        try:
            "".join(draw.SIGNS).encode(self._encoding)
            self._unicode = True
        except (UnicodeError, LookupError):
            self._unicode = False
        if hasattr(source, "reconfigure"):  # invalid bytes are replaced, and then refused like typing errors
            source.reconfigure(errors="replace")
        self.watched = sink.isatty()
        self.terminal = self.watched and os.environ.get("TERM") != "dumb" and _understands_sequences()
        self._painted = self.terminal and not os.environ.get("NO_COLOR")
        self._echoed = source.isatty()

    @property
    def width(self) -> int:
        return max(20, min(draw.WIDEST, shutil.get_terminal_size((draw.WIDEST, 24)).columns))

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{PAINT[style]}m{text}\x1b[0m" if self._painted and style and text else text

    def say(self, text: str = "", style: str = "", indent: str = "") -> None:
        """Prints a sentence, wrapped to the window."""
        for line in draw.wrapped(text, self.width, indent):
            self.line(line, style)

    def line(self, text: str, style: str = "") -> None:
        self._write(self.paint(text, style) + "\n")

    def dice(self, faces: Sequence[int | None], counts: Callable[[int], bool] | None = None) -> None:
        """Prints dice as pictures. If `counts` is given, it says which positions count, and those dice are
        highlighted."""

        def shade(place: int, row: str) -> str:
            return row if counts is None else self.paint(row, "good" if counts(place) else "dim")

        for line in draw.dice(faces, self.width, shade):
            self.line(line)

    def ask(self, question: str) -> str:
        """Asks a question and returns the typed line without control characters."""
        lines = draw.wrapped(question, self.width - 4)
        for line in lines[:-1]:
            self.line(line, "bold")
        self._write(self.paint(lines[-1] + " >", "bold") + " ")
        try:
            self._sink.flush()
            typed = self._source.readline()
        except (OSError, ValueError):
            typed = ""
        if not typed:
            with suppress(Closed):
                self._write("\n")
            raise Closed(self._closed)
        text = "".join(" " if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") else char for char in typed)
        text = " ".join(text.split())
        if not self._echoed:
            self._write(text + "\n")
        return text

    def moment(self) -> None:
        """Pauses so that people can follow a computer's turn. Discards anything typed meanwhile."""
        if self.terminal:
            with self._closing():
                self._sink.flush()
            time.sleep(MOMENT)
            if self._echoed:
                _forget_typing(self._source)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Everything printed in this context is cleared afterwards, including the scroll-back if the terminal allows
        it."""
        if not self.terminal:
            yield
            if self.watched:
                self._write("\n" * shutil.get_terminal_size((draw.WIDEST, 50)).lines)
            return
        self._write(_APART)
        try:
            yield
        finally:
            self._write(_BACK)
            with self._closing():
                self._sink.flush()

    def show_page(self, markdown: str, question: str) -> None:
        """Shows a rules page, one windowful at a time, and asks `question` before each further windowful."""
        rows = shutil.get_terminal_size((draw.WIDEST, 24)).lines - 2 if self.terminal else 10**6
        self.line("")
        lines = draw.page(markdown, self.width - 2)
        while lines:
            for text, heading in lines[:rows]:
                self.line(text, "bold" if heading else "")
            lines = lines[max(rows, 1) :]
            if lines and self.ask(question).casefold() == "q":
                break
        self.line("")

    def _write(self, text: str) -> None:
        if not self._unicode:
            text = text.translate(draw.ASCII)
        with self._closing():
            self._sink.write(text.encode(self._encoding, "dicetable.plain").decode(self._encoding))

    @contextmanager
    def _closing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError):
            raise Closed(self._closed) from None


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Error handler for letters that the output cannot show: removes the accent, or else returns a question mark."""
    assert isinstance(error, UnicodeEncodeError)
    letters = unicodedata.normalize("NFKD", error.object[error.start : error.end])
    return letters.encode("ascii", "ignore").decode() or "?", error.end


codecs.register_error("dicetable.plain", _plain)


def _forget_typing(source: TextIO) -> None:
    """Discards pending input: holding Enter must not roll dice in advance."""
    if sys.platform != "win32":
        import termios

        with suppress(termios.error):
            termios.tcflush(source.fileno(), termios.TCIFLUSH)


def quoted(text: str) -> str:
    """User input, in a form that is safe to repeat."""
    return f'"{clean(text)}"'


def folded(text: str) -> str:
    """Normalizes user input for comparison: lower case, without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def _understands_sequences() -> bool:
    """Whether escape sequences work. Windows must enable them first."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        handle, mode = kernel.GetStdHandle(-11), ctypes.c_ulong()
        got = kernel.GetConsoleMode(handle, ctypes.byref(mode))
        return bool(got and kernel.SetConsoleMode(handle, mode.value | 4))
    return True

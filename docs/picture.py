"""`make picture`: plays a few turns in a real terminal and draws them into docs/terminal.svg.

Its one rule: the picture shows real output. The game is seeded, so the same commands give the same picture.
"""

import os
import pty
import re
import select
import sys
from html import escape
from pathlib import Path

COMMAND = ["play", "cacho", "--seat", "Ann", "--seat", "computer", "--seat", "computer", "--seed", "3"]
TYPED = ["", "", "", "2x6", "5x6"]
LINES = 36
COLUMNS = 80
COLOURS = {"1": ("#ffffff", True), "2": ("#6f7a86", False), "1;32": ("#7ee787", True), "31": ("#ff7b72", False)}
COLOURS |= {"1;36": ("#79c0ff", True)}
PLAIN = ("#c9d1d9", False)
DOTS = {26: "#ff5f57", 48: "#febc2e", 70: "#28c840"}
ROW, CHAR, MARGIN = 17, 8.43, 22


def played() -> str:
    """The terminal's output up to the last question."""
    child, terminal = pty.fork()
    if not child:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": "60", "PYTHONUTF8": "1"}
        os.environ.pop("NO_COLOR", None)
        os.execv(sys.executable, [sys.executable, "-m", "table", *COMMAND])
    seen = b""
    for typed in [*TYPED, None]:
        while select.select([terminal], [], [], 3)[0]:
            seen += os.read(terminal, 65536)
            if seen.endswith(b" >\x1b[0m "):
                break
        if typed is not None:
            os.write(terminal, typed.encode() + b"\n")
            seen += os.read(terminal, 65536)
    os.close(terminal)
    os.waitpid(child, 0)
    return seen.decode().replace("\r", "")


def drawn(text: str) -> str:
    """The last lines of the output, drawn as a terminal window in SVG."""
    lines = ["$ dicetable " + " ".join(COMMAND[:2]), *text.split("\n")][-LINES:]
    rows = []
    for number, line in enumerate(lines):
        spans, column = [], 0
        for style, words in re.findall(r"\x1b\[([\d;]*)m([^\x1b]*)", "\x1b[0m" + line):
            colour, bold = COLOURS.get(style, PLAIN)
            x = MARGIN + column * CHAR
            weight = ' font-weight="bold"' if bold else ""
            length = f' textLength="{len(words) * CHAR:.1f}" lengthAdjust="spacingAndGlyphs"' if words else ""
            if words.strip():
                spans.append(f'<tspan x="{x:.1f}" fill="{colour}"{weight}{length}>{escape(words)}</tspan>')
            column += len(words)
        y = MARGIN + 40 + number * ROW
        rows.append(f'<text y="{y}" xml:space="preserve">{"".join(spans)}</text>')
    width, height = COLUMNS * CHAR + 2 * MARGIN, len(lines) * ROW + 2 * MARGIN + 34
    dots = "".join(f'<circle cx="{x}" cy="22" r="6.5" fill="{fill}"/>' for x, fill in DOTS.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" font-size="14" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">\n'
        f'<rect width="100%" height="100%" rx="12" fill="#0d1117"/>\n{dots}\n' + "\n".join(rows) + "\n</svg>\n"
    )


if __name__ == "__main__":
    (Path(__file__).parent / "terminal.svg").write_text(drawn(played()), encoding="utf-8")

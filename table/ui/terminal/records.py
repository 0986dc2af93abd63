"""Pages of the records in a terminal: sentences, columns, charts, and commands for further pages.

Its one rule: it fits any window width. Names are shortened, columns without room are omitted, sentences are wrapped.
"""

from collections.abc import Sequence
from itertools import groupby

from table.analysis.review import Review
from table.engine.errors import shown
from table.engine.referee import Referee
from table.text.catalogue import Catalogue
from table.text.records import blocks as b
from table.text.records.review import review
from table.ui.terminal import charts, draw
from table.ui.terminal.draw import GAP
from table.ui.terminal.figures import table
from table.ui.terminal.screen import Screen

NARROW = 24  # columns that a text needs next to the figures of its line
TONES = {"": "", "lead": "bold", "quiet": "dim", "good": "good", "bad": "bad"}
SUSPICIOUS = ("odd", "unfair")


def show(screen: Screen, page: b.Page) -> None:
    _say(screen, page.title, "name")
    if page.detail:
        _say(screen, page.detail, "dim")
    _blocks(screen, page.blocks)


def show_review(screen: Screen, game: Referee, found: Review, say: Catalogue, every: bool = False) -> None:
    """How a seat played: the worst mistakes, or `every` decision."""
    screen.line("")
    show(screen, review(found, {found.seat: game.players[found.seat]}, say, slips=not every, every=every))


def _blocks(screen: Screen, blocks: Sequence[b.Block]) -> None:
    for people, run in groupby(blocks, lambda block: isinstance(block, b.Faces) and block.link is not None):
        if people:
            _people(screen, [block for block in run if isinstance(block, b.Faces)])
        else:
            for block in run:
                _block(screen, block)


def _block(screen: Screen, block: b.Block) -> None:
    match block:
        case b.Text(text, tone):
            _say(screen, text, TONES[tone])
        case b.Section(title, blocks):
            screen.line("")
            _say(screen, title, "bold")
            _blocks(screen, blocks)
        case b.Rows(rows, tiles=True):
            screen.say(" · ".join(f"{row.label}: {row.figures[0]}" for row in rows))
        case b.Rows(rows):
            _rows(screen, rows)
        case b.Table(heads, lines):
            short = [(_short(screen, label), *figures) for label, *figures in lines]
            table(screen, [heads, *short], [None] * (1 + len(lines)), ["bold", *[""] * len(lines)])
        case b.Dots(won, text):
            screen.line("")
            screen.line(charts.dots(won, screen.width))
            screen.say(text, "dim")
        case b.Faces():
            _faces(screen, block)
        case b.Series(names, values):
            charts.series(screen, list(zip(names, values, strict=True)))
        case b.Luck():
            _say(screen, block.text, indent="  ")
            if block.detail:
                screen.say(f"  {block.detail}", "dim", indent="  ")
        case b.Chances(start, points, result, axis, text):
            charts.chances(screen, start, [(after, slip) for _, after, slip in points], result, axis)
            screen.say(text)
        case b.Switch(label, links, at):
            _say(screen, f"{label}: {links[at][0]}", "bold")
        case b.Go(label, link):
            _say(screen, f"{label}{'' if label.endswith('?') else ':'} {command(link)}", "dim", indent="  ")


def _rows(screen: Screen, rows: Sequence[b.Row]) -> None:
    """Rows in columns; but if any row has details, each row is its figures followed by its text."""
    styles = [TONES[row.tone] for row in rows]
    if any(row.detail for row in rows):
        heads = draw.columns([row.figures for row in rows], str.ljust)
        for row, head, style in zip(rows, heads, styles, strict=True):
            _beside(screen, head, " · ".join(filter(None, (row.label, row.detail, row.note))), style)
        return
    marks = max(len(row.mark) for row in rows)
    names = [f"{row.label} ({row.note})" if row.note else row.label for row in rows]
    labels = [
        f"{row.mark:>{marks}}{GAP if marks else ''}{_short(screen, name)}"
        for row, name in zip(rows, names, strict=True)
    ]
    bars = [(row.bar.part, row.bar.of - row.bar.theirs) if row.bar else None for row in rows]
    table(screen, [(label, *row.figures) for label, row in zip(labels, rows, strict=True)], bars, styles)


def _faces(screen: Screen, block: b.Faces) -> None:
    screen.line("")
    _say(screen, block.label, "bold")
    charts.faces(screen, block.counts, block.shown, block.band, block.suspect)
    if block.text:
        screen.say(block.text, "bad" if block.level in SUSPICIOUS else "")
    for sentence in block.needed:
        screen.say(sentence, "dim")


def _people(screen: Screen, people: Sequence[b.Faces]) -> None:
    """A line per person, with the six faces side by side, and a sentence for each suspicious die."""
    lines = [(_short(screen, one.label), charts.small(one.counts), str(sum(one.counts)), one.verdict) for one in people]
    table(screen, lines, [None] * len(lines), ["bad" if one.level in SUSPICIOUS else "" for one in people])
    for one in people:
        if one.level in SUSPICIOUS:
            _say(screen, f"{one.label}: {one.text}", "bad", indent="  ")


def command(link: b.Link) -> str:
    """The command for this page."""
    name, number = shown(link.name) if link.name else "", link.number or ""
    words = {
        "board": "players",
        "player": f"player {name}",
        "games": f"games{name and f' --player {name}'}{link.game and f' --game {link.game}'}"
        f"{number and f' --after {number}'}",
        "review": f"review {number} --seat {link.at}",
    }
    return f"dicetable records {words.get(link.page, f'{link.page} {number}')}"


def _beside(screen: Screen, head: str, text: str, style: str) -> None:
    """A text next to its figures, or below them if the window is too narrow."""
    column = draw.width_of(head) + len(GAP)
    if screen.width - column < NARROW:
        screen.say(head.rstrip())
        head, column = "", len(GAP)
    first, *rest = draw.wrapped(text, screen.width - column)
    screen.line(draw.isolated_in(draw.padded(head, column) + first), style)
    for line in rest:
        screen.line(" " * column + draw.isolated_in(line), style)


def _say(screen: Screen, text: str, style: str = "", indent: str = "") -> None:
    screen.say(draw.isolated_in(text), style, indent)


def _short(screen: Screen, name: str) -> str:
    return draw.cut(name, max(8, screen.width // 3))

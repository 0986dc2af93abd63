"""Draws odds as gauges. A gauge is a bar with the name of an event on it, filled in proportion to the event's
probability. Callers decide who can see the gauges."""

from collections.abc import Sequence
from typing import NamedTuple

from pygame import Rect

from table.analysis.odds import Odds
from table.text import narration, numbers
from table.text.catalogue import Catalogue
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import centred, cut_left, cut_right, inset, rows
from table.ui.kiosk.style import BRASS, BRASS_DARK, DARK, GOLD, INK, INK_FAINT, IVORY_SHADE, NIGHT, Colour, mixed

WIDE = 214  # units
TALL = 40  # height of a single gauge, whose words can take two lines


class Inks(NamedTuple):
    ground: Colour
    edge: Colour
    full: Colour
    words: Colour
    figure: Colour


ON_FELT = Inks(NIGHT, INK_FAINT, mixed(BRASS_DARK, NIGHT, 0.45), INK, GOLD)
ON_IVORY = Inks(IVORY_SHADE, BRASS, mixed(GOLD, IVORY_SHADE, 0.35), DARK, DARK)


def beside(canvas: Canvas, rect: Rect, lines: Sequence[Odds], game: str, say: Catalogue, own: bool) -> Rect:
    """Draws gauges at one end of a line of text: public odds on the right, odds from a player's own dice on the left.
    Returns the rest of the line."""
    if not lines:
        return rect
    place, rest = (cut_left if own else cut_right)(rect, canvas.px(WIDE), canvas.px(12))
    canvas.private = own
    draw(canvas, place, lines, game, say)
    canvas.private = False
    return rest


def draw(canvas: Canvas, rect: Rect, lines: Sequence[Odds], game: str, say: Catalogue, inks: Inks = ON_FELT) -> None:
    """Draws the gauges one below the other."""
    whole = centred(rect, rect.width, canvas.px(TALL) if len(lines) == 1 else rect.height - canvas.px(4))
    for line, row in zip(lines, rows(whole, len(lines), canvas.px(4)), strict=True):
        canvas.panel(row, inks.ground, 9, border=inks.edge, width=1)
        groove = inset(row, canvas.px(2))
        full = Rect(groove.x, groove.y, round(groove.width * line.chance), groove.height)
        canvas.panel(full, inks.full, 7)
        shown = numbers.percent(line.chance, say)
        inner = inset(row, canvas.px(9), canvas.px(2))
        figure, words = cut_right(inner, canvas.text_width(shown, 19, "bold"), canvas.px(6))
        canvas.text(narration.chance(line, game, say), words, 15, inks.words, align="left", lines=2 // len(lines))
        canvas.text(shown, figure, 19, inks.figure, "bold", align="right")

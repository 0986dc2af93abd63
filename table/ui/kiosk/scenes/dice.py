"""How often each face came up: by source, how that is judged, and by player, page by page. Roll turns the page.

Its one rule: no chart stands without its verdict in words.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pygame import Rect

from table.analysis import fairness
from table.analysis.fairness import Verdict
from table.storage.records import pages, read
from table.text.narration import recorded
from table.ui.kiosk import charts, frame
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.dice import die
from table.ui.kiosk.layout import columns, cut_left, cut_top, grid, inset, rows
from table.ui.kiosk.pieces import avatar
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.scenes.waiting import reading, refused
from table.ui.kiosk.style import BRASS, GOLD, INK, INK_SOFT, NIGHT, Face

AT_ONCE = 4  # charts on a page
MOST_PLAYERS = 12  # the suspicious and the busiest; everybody's dice are on their own page too

Group = tuple[str, Verdict]
Judged = dict[tuple[str, str], Verdict]


def dice(context: KioskContext, under: Scene, now: float) -> Scene:
    return reading(context, _judged, partial(all_dice, context, under), under, now)


def players_dice(context: KioskContext, name: str, under: Scene, now: float) -> Scene:
    """Those of one player, judged among all that are looked at."""

    def own(judged: Judged, now: float) -> Scene:
        if ("player", name) not in judged:
            return refused(context, context.say("records.none"), under)
        groups = [(name, judged["player", name])]
        return Paging(context, _Pages(context, [("player", groups), ("how", groups)], len(judged)).draw, under)

    return reading(context, _judged, own, under, now)


def _judged(connection: sqlite3.Connection) -> Judged:
    return pages.verdicts(read.dice(connection))


def all_dice(context: KioskContext, under: Scene, judged: Judged, now: float) -> Scene:
    sources = [(name, verdict) for (kind, name), verdict in judged.items() if kind == "source" and verdict.throws]
    if not sources:
        return refused(context, context.say("records.none"), under)
    players = recorded.ordered([(name, verdict) for (kind, name), verdict in judged.items() if kind == "player"])
    sources.sort(key=lambda group: pages.SOURCES.index(group[0]) if group[0] in pages.SOURCES else len(pages.SOURCES))
    split = [("source", sources[at : at + AT_ONCE]) for at in range(0, len(sources), AT_ONCE)]
    split.append(("how", sources))
    shown = players[:MOST_PLAYERS]
    split += [("player", shown[at : at + AT_ONCE]) for at in range(0, len(shown), AT_ONCE)]
    return Paging(context, _Pages(context, split, len(judged)).draw, under)


@dataclass(frozen=True)
class _Pages:
    """A page is what its groups are ("source", "player"), or "how" they are judged, and those; `judged` is how many
    groups are, here and elsewhere."""

    context: KioskContext
    split: Sequence[tuple[str, Sequence[Group]]]
    judged: int

    def draw(self, canvas: Canvas, page: int) -> int:
        say, (kind, groups) = self.context.say, self.split[page]
        canvas.background()
        where = say("rules.page", page=page + 1, pages=len(self.split))
        room = frame.head(canvas, say(f"records.screen.dice_{kind}"), where, die(5, canvas.px(36)))
        canvas.spot("page", room)
        if kind == "how":
            self._draw_how(canvas, room, groups)
            return len(self.split)
        across = 1 if len(groups) < 3 else 2
        for group, cell in zip(groups, grid(room, across, -(-len(groups) // across), canvas.px(8)), strict=False):
            self._draw_group(canvas, cell, kind, group, alone=len(groups) == 1)
        return len(self.split)

    def _draw_group(self, canvas: Canvas, rect: Rect, kind: str, group: Group, alone: bool) -> None:
        say, (name, verdict) = self.context.say, group
        canvas.panel(rect, NIGHT, 14, alpha=150)
        inner = inset(rect, canvas.px(12), canvas.px(9))
        chart, words = cut_left(inner, inner.width * 11 // 20, canvas.px(14))
        charts.faces(canvas, chart, verdict.counts, fairness.band(verdict.throws), say, verdict.suspect)
        title, words = cut_top(words, canvas.px(40), canvas.px(4))
        if kind == "player":
            face, title = cut_left(title, canvas.px(34), canvas.px(8))
            canvas.blit(avatar(name, face.width), center=face.center)
            written(canvas, title, name, 19, INK, lines=1)
        else:
            canvas.text(recorded.source(name, say), title, 17, BRASS, "display", "left", lines=2, shrink=0.6)
        colour = GOLD if verdict.level in ("odd", "unfair") else INK
        told = canvas.text(recorded.fair(verdict, say), words, 17, colour, "body", "left", "top", lines=8, shrink=0.6)
        if alone:  # there is room for more
            words = cut_top(words, told.height, canvas.px(12))[1]
            self._draw_needed(canvas, words, verdict)

    def _draw_needed(self, canvas: Canvas, rect: Rect, verdict: Verdict) -> None:
        """What so many throws would have shown by now, and how many more a smaller bias takes."""
        for sentence in recorded.needed(verdict.throws, self.judged, self.context.say):
            told = canvas.text(sentence, rect, 16, INK_SOFT, "body", "left", "top", lines=4, shrink=0.65)
            rect = cut_top(rect, told.height, canvas.px(10))[1]

    def _draw_how(self, canvas: Canvas, rect: Rect, groups: Sequence[Group]) -> None:
        """Why one may look as often as one likes, and how many throws would show what."""
        say = self.context.say
        canvas.panel(rect, NIGHT, 14, alpha=150)
        inner = inset(rect, canvas.px(18), canvas.px(12))
        if len(groups) == 1:
            canvas.text(recorded.trap(say), inner, 24, INK, lines=9, shrink=0.6)
            return
        top, _ = cut_top(inner, inner.height // 2)
        told = canvas.text(recorded.trap(say), top, 20, INK, "body", "left", "top", lines=6, shrink=0.6)
        low = cut_top(inner, told.height, canvas.px(20))[1]
        low = cut_top(low, canvas.px(32) * (len(groups) + 2))[0]
        head, low = cut_top(low, canvas.px(28), canvas.px(4))
        canvas.text(say("records.screen.needed"), head, 18, BRASS, "bold", "left", shrink=0.6)
        table = [[""] + [say("records.screen.one_in", number=one_in) for one_in in recorded.BIASES]]
        for name, verdict in groups:
            left = [fairness.still_needed(verdict.throws, bias, self.judged) for bias in recorded.BIASES.values()]
            figures = [recorded.number(count) if count else say("records.screen.enough") for count in left]
            table.append([recorded.source(name, say), *figures])
        for at, (line, row) in enumerate(zip(table, rows(low, len(table), canvas.px(2)), strict=True)):
            for place, (text, cell) in enumerate(zip(line, columns(row, len(line), canvas.px(10)), strict=True)):
                ink = INK_SOFT if at == 0 or place == 0 else INK
                face: Face = "bold" if at else "body"
                canvas.text(text, cell, 17, ink, face, "right" if place else "left", shrink=0.6)

"""Statistics of the faces, page by page: by source, by player, and how they are judged. Roll turns the page.

Every chart comes with its verdict in words.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pygame import Rect

from table.analysis.fairness import Verdict
from table.storage.records import read
from table.storage.records.pages import SOURCES, verdicts
from table.text.catalogue import Catalogue
from table.text.records import pages, words
from table.text.records.blocks import Faces, Table, Text
from table.ui.kiosk import charts, frame
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.dice import die
from table.ui.kiosk.layout import columns, cut_left, cut_top, grid, rows
from table.ui.kiosk.pieces import avatar
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.paging import Paging
from table.ui.kiosk.scenes.waiting import reading, refused
from table.ui.kiosk.style import BRASS, GOLD, INK, INK_SOFT, Face

AT_ONCE = 4  # charts per page
MOST_PLAYERS = 12  # those with suspicious dice first, then by number of rolls; every player also has a page

Group = tuple[str, Verdict]
Judged = dict[tuple[str, str], Verdict]


def dice(context: KioskContext, under: Scene, now: float) -> Scene:
    return reading(context, _judged, partial(all_dice, context, under), under, now)


def players_dice(context: KioskContext, name: str, under: Scene, now: float) -> Scene:
    """The dice of one player, judged together with all others."""

    def own(judged: Judged, now: float) -> Scene:
        if ("player", name) not in judged:
            return refused(context, context.say("records.no_games"), under)
        split = [*_split("player", [(name, judged["player", name])], len(judged), context.say), Sheet("how")]
        return Paging(context, partial(_draw, split=split, say=context.say), under)

    return reading(context, _judged, own, under, now)


def _judged(connection: sqlite3.Connection) -> Judged:
    return verdicts(read.dice(connection))


def all_dice(context: KioskContext, under: Scene, judged: Judged, now: float) -> Scene:
    say = context.say
    sources = [(name, verdict) for (kind, name), verdict in judged.items() if kind == "source" and verdict.throws]
    if not sources:
        return refused(context, say("records.none"), under)
    order = {source: place for place, source in enumerate(SOURCES)}
    sources.sort(key=lambda group: order.get(group[0], len(order)))
    named = [(words.source(source, say), verdict) for source, verdict in sources]
    players = words.ordered([(name, verdict) for (kind, name), verdict in judged.items() if kind == "player"])
    split = [
        *_split("source", named, len(judged), say),
        Sheet("how", (), pages.needed(named, len(judged), say) if len(named) > 1 else ()),
        *_split("player", players[:MOST_PLAYERS], len(judged), say),
    ]
    return Paging(context, partial(_draw, split=split, say=say), under)


@dataclass(frozen=True)
class Sheet:
    """One page: dice by "source" or by "player", or "how" they are judged."""

    kind: str
    groups: tuple[Faces, ...] = ()
    needed: tuple[Text, Table] | tuple[()] = ()


def _split(kind: str, groups: Sequence[Group], judged: int, say: Catalogue) -> Iterator[Sheet]:
    """Splits the groups into pages. A group alone on its page gets more words."""
    for at in range(0, len(groups), AT_ONCE):
        some = groups[at : at + AT_ONCE]
        alone = judged if len(some) == 1 else 0
        yield Sheet(kind, tuple(pages.faces(label, verdict, say, alone) for label, verdict in some))


def _draw(canvas: Canvas, page: int, split: Sequence[Sheet], say: Catalogue) -> int:
    sheet = split[page]
    where = say("rules.page", page=page + 1, pages=len(split))
    title = {"source": "records.screen.dice_source", "player": "records.screen.dice_player"}
    room = frame.head(canvas, say(title.get(sheet.kind, "records.dice_how")), where, die(5, canvas.px(36)))
    canvas.spot("page", room)
    if sheet.kind == "how":
        _draw_how(canvas, room, sheet, say)
    across = 1 if len(sheet.groups) < 3 else 2
    down = -(-len(sheet.groups) // across)
    for group, cell in zip(sheet.groups, grid(room, across, down, canvas.px(8)), strict=False):
        _draw_group(canvas, cell, sheet.kind, group, say)
    return len(split)


def _draw_group(canvas: Canvas, rect: Rect, kind: str, group: Faces, say: Catalogue) -> None:
    inner = canvas.sunk(rect, 12, 9)
    chart, below = cut_left(inner, inner.width * 11 // 20, canvas.px(14))
    charts.faces(canvas, chart, group.counts, group.band, say, group.suspect)
    title, below = cut_top(below, canvas.px(40), canvas.px(4))
    if kind == "player":
        face, title = cut_left(title, canvas.px(34), canvas.px(8))
        canvas.blit(avatar(group.label, face.width), center=face.center)
        written(canvas, title, group.label, 19, INK, lines=1)
    else:
        canvas.text(group.label, title, 17, BRASS, "display", "left", lines=2, shrink=0.6)
    colour = GOLD if group.level in ("odd", "unfair") else INK
    told = canvas.text(group.text, below, 17, colour, "body", "left", "top", lines=8, shrink=0.6)
    gap = canvas.px(12)
    for sentence in group.needed:
        below = cut_top(below, told.height, gap)[1]
        told = canvas.text(sentence, below, 16, INK_SOFT, "body", "left", "top", lines=4, shrink=0.65)
        gap = canvas.px(10)


def _draw_how(canvas: Canvas, rect: Rect, sheet: Sheet, say: Catalogue) -> None:
    """Explains why looking often does not distort the verdict, and how many rolls would reveal which bias."""
    inner = canvas.sunk(rect, 18, 12)
    if not sheet.needed:
        canvas.text(words.trap(say), inner, 24, INK, lines=9, shrink=0.6)
        return
    heading, table = sheet.needed
    top, _ = cut_top(inner, inner.height // 2)
    told = canvas.text(words.trap(say), top, 20, INK, "body", "left", "top", lines=6, shrink=0.6)
    low = cut_top(inner, told.height, canvas.px(20))[1]
    low = cut_top(low, canvas.px(32) * (len(table.lines) + 2))[0]
    head, low = cut_top(low, canvas.px(28), canvas.px(4))
    canvas.text(heading.text, head, 18, BRASS, "bold", "left", shrink=0.6)
    lines = (table.heads, *table.lines)
    for at, (line, row) in enumerate(zip(lines, rows(low, len(lines), canvas.px(2)), strict=True)):
        for place, (text, cell) in enumerate(zip(line, columns(row, len(line), canvas.px(10)), strict=True)):
            ink = INK_SOFT if at == 0 or place == 0 else INK
            face: Face = "bold" if at else "body"
            canvas.text(text, cell, 17, ink, face, "right" if place else "left", shrink=0.6)

"""A label in the camera's picture that says how the dice were read: by the camera alone, confirmed or corrected."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from pygame import Rect

from table.session.match import Match, News
from table.text.catalogue import Catalogue
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.layout import cut_left, inset, rows
from table.ui.kiosk.pieces import sign
from table.ui.kiosk.style import GOLD, INK, INK_SOFT, NIGHT, SKY, Colour

STREAK = 3  # the fewest rolls in a row read without asking that are worth mentioning
TALL = 34  # units, for one line
SIGNS: dict[str, tuple[Literal["camera", "tick", "pencil"], Colour]] = {
    "camera": ("camera", SKY),
    "confirmed": ("tick", GOLD),
    "corrected": ("pencil", GOLD),
}


@dataclass(frozen=True)
class HowRead:
    rolled: str  # one of SIGNS
    name: str  # who confirmed or corrected the dice, or empty for a guest
    streak: int  # rolls in a row that were read without asking

    def words(self, say: Catalogue) -> list[str]:
        """The lines of the label."""
        named = "_by" if self.name and self.rolled != "camera" else ""
        first = say(f"reading.{self.rolled}{named}", name=self.name)
        return [first, say("reading.streak", count=self.streak)] if self.streak >= STREAK else [first]


def how_read(news: News, match: Match, streak: int) -> HowRead | None:
    """How the dice of this answer were read, or None if no camera read them."""
    if news.rolled not in SIGNS:
        return None
    seat = getattr(news.ask, "seat", 0)
    return HowRead(news.rolled, "" if seat in match.guests else match.referee.players[seat], streak)


def label(canvas: Canvas, how: HowRead, say: Catalogue, picture: Rect, taken: Sequence[Rect]) -> None:
    """Draws the label at the edge of the picture, where it covers the dice at these places least."""
    words = how.words(say)
    size, side, gap = canvas.px(22), canvas.px(14), canvas.px(9)
    room = inset(picture, canvas.px(8))
    wide = max(canvas.text_width(words[0], 17, "bold"), *(canvas.text_width(line, 15) for line in words[1:]), 0)
    wide += size + gap + 2 * side
    lines = 2 if wide > room.width else 1  # a long name
    box = Rect(0, 0, min(wide, room.width), canvas.px(TALL + 16 * (max(len(words), lines) - 1)))
    places = [box.copy() for _ in range(6)]
    places[0].midbottom, places[1].midtop = room.midbottom, room.midtop
    places[2].bottomleft, places[3].bottomright = room.bottomleft, room.bottomright
    places[4].topleft, places[5].topright = room.topleft, room.topright
    box = min(places, key=lambda place: sum(prod(place.clip(other).size) for other in taken))
    canvas.panel(box, NIGHT, 14, alpha=225)
    icon, inner = cut_left(inset(box, side, canvas.px(4)), size, gap)
    kind, colour = SIGNS[how.rolled]
    canvas.blit(sign(kind, size, colour), center=icon.center)
    for line, row in zip(words, rows(inner, len(words)), strict=True):
        if line is words[0]:
            canvas.text(line, row, 17, INK, "bold", align="left", lines=lines)
        else:
            canvas.text(line, row, 15, INK_SOFT, align="left")

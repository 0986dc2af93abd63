"""Parts shared by the game boards.

Each game draws its board in `board.py`: `draw(canvas, area, view, stage)`. A game without this file uses
table/games/default/board.py. A board knows only its view and its stage, so it cannot show hidden information.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table.text.catalogue import Catalogue
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.show import Hand, Moment

Flight = Callable[[Canvas, float], None]
"""Draws a die in the air at the given progress of its roll."""


@dataclass(frozen=True)
class Stage:
    """What a board needs in addition to the view."""

    say: Catalogue
    computers: frozenset[int] = frozenset()
    moment: Moment | None = None  # what is being shown, and its progress
    marks: frozenset[int] | None = None  # places of the dice selected to be kept; None if no dice can be selected
    flights: list[Flight] | None = None  # if set, dice in the air are collected here instead of being drawn
    under: Sequence[Hand] = ()  # the dice under the cups, by seat; revealed once a game is over

    @property
    def moving(self) -> Moment | None:
        """The current moment; None once its animation has ended."""
        return self.moment if self.moment and self.moment.t < 1 else None

    def showing(self, *kinds: str) -> Moment | None:
        """The current moment if it is one of these kinds and still moving."""
        return self.moving if self.moving and self.moving.kind in kinds else None

    def showing_of(self, seat: int | None, *kinds: str) -> Moment | None:
        """Like `showing`, but only if the moment belongs to this seat."""
        moment = self.showing(*kinds)
        return moment if moment and moment.facts["seat"] == seat else None

"""What the boards of the games share. Each game draws its own in `board.py`: `draw(canvas, area, view, stage)`; for a
game without one there is table/games/default/board.py.

Their one rule: a board knows the view and the stage that it is given, and nothing else; what it cannot know it cannot
show.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table.text.catalogue import Catalogue
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.show import Moment

Flight = Callable[[Canvas, float], None]
"""A die in the air, drawn where it is when so much of its throw is done."""


@dataclass(frozen=True)
class Stage:
    """What a board needs besides the view."""

    say: Catalogue
    computers: frozenset[int] = frozenset()
    moment: Moment | None = None  # what is being shown just now, and how far it has come
    marks: frozenset[int] | None = (
        None  # while dice are chosen, and can be touched ("die:0"): the places that would stay
    )
    flights: list[Flight] | None = None  # dice in the air are put here instead of being drawn, for a table that rests
    under: Sequence[Sequence[int | None]] = ()  # by seat, what lies under the cups: once a game is over, all may see it

    @property
    def moving(self) -> Moment | None:
        """What is being shown, until it has come to rest."""
        return self.moment if self.moment and self.moment.t < 1 else None

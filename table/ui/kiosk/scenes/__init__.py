"""The screens, one file each.

Its one rule: a scene is given what people do and answers with the scene that follows, itself or another. What it shows
comes from the context and from public views; nothing may hold more but a private look, and the review and the replay of
a game that is over.
"""

from typing import Protocol

from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.frame import Caps
from table.ui.kiosk.gestures import Gesture


class Scene(Protocol):
    @property
    def wants_look(self) -> bool:
        """Roll, held, is a private look here."""
        return False

    @property
    def typing(self) -> bool:
        """Letters are letters here, not buttons."""
        return False

    @property
    def restful(self) -> bool:
        """Nobody need be here: it is not left when the table was not touched for long."""
        return False

    @property
    def overlay(self) -> bool:
        """It lies over another screen, as the menu does, and has no menu of its own."""
        return False

    def handle(self, gesture: Gesture, now: float) -> "Scene": ...

    def tick(self, now: float) -> "Scene":
        """Time has passed, or the session has news."""
        return self

    def draw(self, canvas: Canvas, now: float) -> None:
        """Everything but the caps; what can be touched and read is registered on the canvas."""
        ...

    def caps(self, now: float) -> Caps:
        """What the two buttons do now."""
        ...

    def wake(self, now: float) -> float | None:
        """When it has to be drawn again though nothing happened; None: not before something does."""
        return None

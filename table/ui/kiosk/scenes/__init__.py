"""The screens, one per file.

A scene receives gestures and returns the next scene: itself or another. Scenes show only the context and public views,
except when players peek at their own dice and when a finished game is reviewed or replayed.
"""

from typing import Protocol

from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.frame import Caps
from table.ui.kiosk.gestures import Gesture


class Scene(Protocol):
    @property
    def wants_look(self) -> bool:
        """Whether holding Roll shows hidden dice."""
        return False

    @property
    def typing(self) -> bool:
        """Whether letter keys type letters instead of acting as buttons."""
        return False

    @property
    def restful(self) -> bool:
        """Whether the scene can stay on the screen of an untouched table."""
        return False

    @property
    def overlay(self) -> bool:
        """Whether the scene covers another one, as the menu does, and has no menu of its own."""
        return False

    def handle(self, gesture: Gesture, now: float) -> "Scene": ...

    def tick(self, now: float) -> "Scene":
        """Called when time has passed or the session has news."""
        return self

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draws everything except the caps, and registers the texts and the touchable spots on the canvas."""
        ...

    def caps(self, now: float) -> Caps:
        """The current actions of the two buttons."""
        ...

    def wake(self, now: float) -> float | None:
        """When to redraw if nothing happens before then; None if no redraw is needed."""
        return None

"""Turns window events into gestures: keys, touch and mouse. Presses of the physical buttons arrive here too.

Every press is tracked by key or finger and is always released, even if the window never receives the release event. A
touch counts once, although SDL also reports it as a mouse event.
"""

from collections.abc import Hashable, Sequence
from typing import Protocol

import pygame

from table.ui.kiosk.gestures import (
    ANYWHERE,
    END,
    ROLL,
    Both,
    Dragged,
    Gesture,
    Gestures,
    Moved,
    Scrolled,
    Touched,
    Typed,
)

ROLL_KEYS = {pygame.K_SPACE, pygame.K_r}
END_KEYS = {pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_e}
LETTERS = {pygame.K_SPACE, pygame.K_r, pygame.K_e}
"""Keys that act as buttons, except while text is typed."""
STEPS = {pygame.K_LEFT: -1, pygame.K_UP: -1, pygame.K_RIGHT: 1, pygame.K_DOWN: 1}
SHORTCUT = pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META  # keys pressed with one of these are ignored
CAPS = {"cap:roll": ROLL, "cap:end": END}
HANDLE = "handle:"  # prefix of spots that follow the finger
ENTRY = "entry:"  # prefix of list entries, which a finger can drag up and down
PULLED = "pulled"  # replaces the spot of a finger that drags a list, so that lifting the finger selects nothing
BACKSPACE = "\b"


class Drawn(Protocol):
    """What is on the screen: its size and the touchable spots, the topmost last."""

    @property
    def area(self) -> pygame.Rect: ...
    @property
    def spots(self) -> Sequence[tuple[str, pygame.Rect]]: ...


class Inputs:
    """All input. `typing` means that the current screen takes text, so letter keys are letters instead of buttons."""

    def __init__(self) -> None:
        self.gestures = Gestures()
        self.typing = False
        self._holding: dict[Hashable, str] = {}  # the button held by each key or finger
        self._pointing: dict[Hashable, str] = {}  # the spot where each finger went down
        self._pulling: dict[Hashable, tuple[int, int]] = {}  # for each finger on a list entry: start y and entry height

    def pressed(self, button: str, at: float) -> list[Gesture]:
        """A physical button went down."""
        self.gestures.down(button, at)
        return self.gestures.due(at)

    def released(self, button: str, at: float) -> list[Gesture]:
        self.gestures.up(button, at)
        return self.gestures.due(at)

    def screen_changed(self, at: float) -> list[Gesture]:
        """Makes sure that presses on the previous screen do not affect the new one."""
        self._pointing.clear()
        self._pulling.clear()
        self.gestures.screen_changed(at)
        return self.gestures.due(at)

    def event(self, event: pygame.event.Event, drawn: Drawn | None, at: float) -> list[Gesture]:
        """All gestures that are due, and then the one that the event causes, if any."""
        meant: Gesture | None = None
        match event.type:
            case pygame.KEYDOWN:
                meant = self._key(event, at)
            case pygame.KEYUP:
                self._let_go(event.key, at)
            case pygame.TEXTINPUT if self.typing and event.text.isprintable():
                meant = Typed(event.text)
            case pygame.FINGERDOWN if drawn:
                self._point(_finger(event), _place(event, drawn.area), drawn, at)
            case pygame.FINGERMOTION if drawn:
                meant = self._drag(_finger(event), _place(event, drawn.area))
            case pygame.FINGERUP if drawn:
                meant = self._lift(_finger(event), spot_at(_place(event, drawn.area), drawn), at)
            case pygame.MOUSEBUTTONDOWN if drawn and _is_mouse(event):
                self._point("mouse", event.pos, drawn, at)
            case pygame.MOUSEMOTION if drawn and not getattr(event, "touch", False):
                meant = self._drag("mouse", event.pos)
            case pygame.MOUSEBUTTONUP if drawn and _is_mouse(event):
                meant = self._lift("mouse", spot_at(event.pos, drawn), at)
            case pygame.MOUSEWHEEL if event.y:
                meant = Moved(-1 if event.y > 0 else 1)
            case pygame.WINDOWFOCUSLOST:
                self._let_all_go(at)
        return [*self.gestures.due(at), *([meant] if meant else [])]

    def _key(self, event: pygame.event.Event, at: float) -> Gesture | None:
        key, letter = event.key, event.key in LETTERS
        if key == pygame.K_ESCAPE:
            return Both()
        if event.mod & SHORTCUT:
            return None
        if key in STEPS:
            return Moved(STEPS[key])
        if self.typing and key == pygame.K_BACKSPACE:
            return Typed(BACKSPACE)
        if key in ROLL_KEYS | END_KEYS and not (self.typing and letter):
            self._hold(key, ROLL if key in ROLL_KEYS else END, at)
        elif not self.typing and event.unicode and event.unicode.isprintable():
            return Typed(event.unicode)
        return None

    def _point(self, pointer: Hashable, place: tuple[int, int], drawn: Drawn, at: float) -> None:
        spot = spot_at(place, drawn)
        if spot in CAPS:
            self._hold(pointer, CAPS[spot], at)
            return
        self._pointing[pointer] = spot
        if spot.startswith(ENTRY):
            self._pulling[pointer] = place[1], max(1, dict(drawn.spots)[spot].height)

    def _drag(self, pointer: Hashable, place: tuple[int, int]) -> Gesture | None:
        spot = self._pointing.get(pointer, ANYWHERE)
        if spot.startswith(HANDLE):
            return Dragged(spot, place)
        if pointer not in self._pointing or pointer not in self._pulling:
            return None
        start, height = self._pulling[pointer]
        step = int((start - place[1]) / height)  # dragging up scrolls forward
        if not step:
            return None
        self._pointing[pointer], self._pulling[pointer] = PULLED, (start - step * height, height)
        return Scrolled(step)

    def _lift(self, pointer: Hashable, spot: str, at: float) -> Gesture | None:
        if pointer in self._holding:
            # Sliding off a cap cancels the press.
            self._let_go(pointer, at, meant=CAPS.get(spot) == self._holding[pointer])
            return None
        self._pulling.pop(pointer, None)
        return Touched(spot) if self._pointing.pop(pointer, None) == spot else None

    def _hold(self, by: Hashable, button: str, at: float) -> None:
        if by in self._holding:
            return
        if self.gestures.is_stuck(button):  # the last release of this button was never received
            self._holding = {held: other for held, other in self._holding.items() if other != button}
            self.gestures.drop(button, at)
        self._holding[by] = button
        self.gestures.down(button, at)

    def _let_go(self, by: Hashable, at: float, meant: bool = True) -> None:
        button = self._holding.pop(by, None)
        if button is None or button in self._holding.values():
            return
        if meant:
            self.gestures.up(button, at)
        else:
            self.gestures.drop(button, at)

    def _let_all_go(self, at: float) -> None:
        self._pointing.clear()
        self._pulling.clear()
        for by in list(self._holding):
            self._let_go(by, at, meant=False)


def spot_at(place: tuple[int, int], drawn: Drawn) -> str:
    """The topmost spot at this point."""
    return next((name for name, rect in reversed(drawn.spots) if rect.collidepoint(place)), ANYWHERE)


def _place(event: pygame.event.Event, area: pygame.Rect) -> tuple[int, int]:
    """Converts touch coordinates (0 to 1) to pixels. A touch at exactly 1 is still inside the window."""
    return min(int(event.x * area.w), area.w - 1), min(int(event.y * area.h), area.h - 1)


def _finger(event: pygame.event.Event) -> Hashable:
    return event.touch_id, event.finger_id


def _is_mouse(event: pygame.event.Event) -> bool:
    return event.button == pygame.BUTTON_LEFT and not getattr(event, "touch", False)

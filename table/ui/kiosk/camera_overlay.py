"""The camera picture over the board while dice are requested: a box and a value for each die, and any problems.

After the dice are read, the picture freezes for a moment, so that moving the dice does not change it.
"""

from collections.abc import Sequence

import pygame
from pygame import Rect, Surface

from table.devices import Camera
from table.session.messages import CameraSaw, SeenDie
from table.ui.kiosk.camera_view import CLEAR, around, labels
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.entry import Entering
from table.ui.kiosk.layout import centred
from table.ui.kiosk.style import DARK, GOLD, INK, NIGHT, SKY

HOLDS = 1.0  # seconds that the dice stay on screen after being read
CALM = ("", "empty", "settled", "restarting")  # states before a roll: the picture is small, and the board is visible
GRAVEST = (
    "many", "stacked", "edge", "hand", "dark", "different", "small", "strange", "glare", "blurred", "wavers", "stayed",
    "few",
)  # fmt: skip
"""Doubts in order of importance. The first match is reported; doubts that people can act on come first."""
BESIDE = ("many", "hand", "dark", "different", "small", "strange")  # doubts that are named even if all dice were read
LIFTED = ("empty", "settled", "doubt_few", "doubt_stayed")  # messages that are worded differently when a cup is lifted


class CameraOverlay:
    def __init__(self, context: KioskContext) -> None:
        self._context = context
        self._heard = context.devices.saw  # the last report handled; those from before this game are skipped
        self._saw: CameraSaw | None = None
        self._until = 0.0  # when to stop showing the dice that were read
        self._camera: Camera | None = None  # the camera of the last source that was asked for dice
        self._number = 0
        self._picture: Surface | None = None
        self.correcting: Entering | None = None

    def tick(self, now: float) -> None:
        dice, saw, asked = self._context.session.dice, self._context.devices.saw, self._asked
        if dice.asked and dice.asked.camera:
            self._camera = dice.asked.camera
        if saw and saw is not self._heard and now >= self._until and (saw.state == "read" or saw.ticket == asked):
            self._hear(saw, now)
        if asked is None or (self._corrected and self._corrected.ticket != asked):
            self.correcting = None
        if now >= self._until and self._saw and self._saw.ticket != asked:
            self._saw = None
        if not self.active(now) and self._picture and self._camera:
            self._camera.show(None)
            self._picture = None

    @property
    def _asked(self) -> int | None:
        """The ticket of the request for dice, if a camera is to read them."""
        dice = self._context.session.dice
        return dice.awaited.ticket if dice.awaited and dice.asked and dice.asked.camera else None

    def _hear(self, saw: CameraSaw, now: float) -> None:
        self._heard = self._saw = saw
        if saw.state == "read":
            self._until = now + HOLDS
        elif saw.state == "unsure" and not (self._corrected and _alike(self._corrected, saw)):
            self.correcting = Entering(saw.count, saw)
        elif saw.state != "unsure" and self.correcting and (saw.state == "empty" or not self.correcting.open):
            self.correcting = None  # the dice were removed, so do not ask about them

    def active(self, now: float) -> bool:
        return now < self._until or self._asked is not None

    def wake(self, now: float) -> float | None:
        return self._until if now < self._until else None

    @property
    def _corrected(self) -> CameraSaw | None:
        return self.correcting.saw if self.correcting else None

    @property
    def _shown(self) -> CameraSaw | None:
        """The report whose boxes are drawn. During a correction it does not change, even if a hand comes into view."""
        return self._corrected if self.correcting and self.correcting.open else self._saw

    def words(self) -> str:
        """A message about the state of the camera, or about the problem."""
        saw = self._shown
        if saw and saw.state == "empty" and self._context.devices.misfit:
            return self._context.say(f"camera.misfit_{self._context.devices.misfit}")
        if saw is None or saw.state != "unsure":
            return self._say(saw.state or "opening" if saw else "opening")
        what = next((doubt for doubt in GRAVEST if doubt in saw.doubts), "unclear")
        if self.correcting and not self.correcting.open and what not in BESIDE:
            what = "strange"  # there is one die too many, so its value cannot be entered
        return self._say(f"doubt_{what}", seen=sum(die.sure for die in saw.dice), count=saw.count)

    def _say(self, what: str, **facts: int) -> str:
        """A message of the overlay. Some are worded differently when a cup is lifted, because that is not a roll."""
        awaited = self._context.session.dice.awaited
        lifted = awaited is not None and awaited.throw.lifted
        return self._context.say(f"camera.lift_{what}" if lifted and what in LIFTED else f"camera.{what}", **facts)

    @property
    def doubtful(self) -> bool:
        return self._shown is not None and self._shown.state == "unsure"

    @property
    def small(self) -> bool:
        """Whether the picture is still small, next to the words, because nothing has happened yet."""
        return self._shown is None or self._shown.state in CALM

    def draw(self, canvas: Canvas, board: Rect, beside: Rect) -> None:
        """Draws the newest picture with its boxes, over the board, or small next to the words."""
        place = beside if self.small else board
        edge = canvas.px(2 if self.small else 4)
        if self._camera is None:
            return
        self._camera.show((place.width - 2 * edge, place.height - 2 * edge))
        if self._picture is None or not (self._saw and self._saw.state == "read"):
            self._look(self._camera)
        if self._picture is None:
            return
        size = self._picture.get_size()
        k = min((place.width - 2 * edge) / size[0], (place.height - 2 * edge) / size[1])
        fits = (round(size[0] * k), round(size[1] * k))
        picture = self._picture
        if abs(fits[0] - size[0]) > 2:  # this picture was scaled for another place; the next one will fit
            picture = pygame.transform.scale(picture, fits)
        frame = centred(place, picture.get_width() + 2 * edge, picture.get_height() + 2 * edge)
        canvas.panel(frame, NIGHT, 4, border=GOLD if self.doubtful else INK, width=1.5 if self.small else 3)
        inner = picture.get_rect(center=frame.center)
        canvas.surface.blit(picture, inner)
        if self._shown and self._shown.state in ("read", "unsure"):
            self._boxes(canvas, inner, self._shown.dice)
            for x, y in self._shown.places:
                middle = inner.x + x * inner.width, inner.y + y * inner.height
                canvas.ring(middle, canvas.px(26), GOLD, 4)

    def _look(self, camera: Camera) -> None:
        found = camera.picture(self._number)
        if found:
            height, width = found.frame.shape[:2]
            self._number = found.number
            self._picture = pygame.image.frombuffer(found.frame.tobytes(), (width, height), "BGR")

    def _boxes(self, canvas: Canvas, inner: Rect, dice: Sequence[SeenDie]) -> None:
        """A box around each die with its value. A doubtful die has a question mark and another colour."""
        asked = self.correcting.die if self.correcting else None
        side = canvas.px(24)
        seen = [[(inner.x + x * inner.width, inner.y + y * inner.height) for x, y in die.corners] for die in dice]
        boxes = [around(corners, canvas.px(CLEAR)) for corners in seen]
        for die, box in zip(dice, boxes, strict=True):
            for a, b in zip(box, [*box[1:], box[0]], strict=True):
                canvas.line(a, b, SKY if die.sure else GOLD, 5 if die is asked else 3)
        sizes = [(side if die.sure else side * 3 // 2, side) for die in dice]
        places = labels([around(box, canvas.px(CLEAR)) for box in boxes], sizes, inner)
        for die, label in zip(dice, places, strict=True):
            canvas.panel(label, SKY if die.sure else GOLD, 6)
            canvas.text(str(die.value) if die.sure else f"{die.value}?", label, 18, DARK, "bold")


def _alike(one: CameraSaw, other: CameraSaw) -> bool:
    """Whether both reports have the same dice with the same doubts, so that one correction applies to both."""
    seen = [sorted((die.value, die.sure) for die in saw.dice) for saw in (one, other)]
    return one.ticket == other.ticket and seen[0] == seen[1]

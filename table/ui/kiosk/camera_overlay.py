"""The camera picture over the board while dice are requested: a box and a value for each die, and any problems.

After the dice are read, the picture freezes for a moment, so that moving the dice does not change it. If the camera is
unsure, the dice in question are enlarged beside the picture.
"""

from collections.abc import Sequence
from dataclasses import replace

import pygame
from pygame import Rect, Surface

from table.devices import Camera
from table.session.match import Match, News
from table.session.messages import CameraSaw
from table.ui.kiosk.camera_marks import GAP, boxes, column, enlarge
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.entry import Entering
from table.ui.kiosk.how_read import HowRead, how_read, label
from table.ui.kiosk.layout import centred
from table.ui.kiosk.style import GOLD, INK, NIGHT

HOLDS = 1.2  # seconds that the dice stay on screen after being read, unless something else happens
ASKS = 0.4  # seconds before a question can be answered, so that an earlier press does not count as an answer
MUCH = 1.5  # a picture that is larger than its place by this factor is scaled smoothly, which takes longer
CLOSER = 3  # how many times larger the requested pictures are while dice are enlarged
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
        self._from = 0.0  # when the question can be answered
        self._camera: Camera | None = None  # the camera of the last source that was asked for dice
        self._number = 0
        self._picture: Surface | None = None
        self._how: HowRead | None = None  # how the dice that are shown were read
        self.correcting: Entering | None = None

    def tick(self, now: float) -> None:
        dice, saw, asked = self._context.session.dice, self._context.devices.saw, self._asked
        if dice.asked and dice.asked.camera:
            self._camera = dice.asked.camera
        if saw and saw is not self._heard and now >= self._until and (saw.state == "read" or saw.ticket == asked):
            self._hear(saw, now)
        if asked is None or (self._corrected and self._corrected.ticket != asked):
            self.correcting = None
        if now >= self._until:
            self._how = None
            if self._saw and self._saw.ticket != asked:
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
            self._from = now + ASKS
            self._context.count_unasked(0)
        elif saw.state != "unsure" and self.correcting and (saw.state == "empty" or not self.correcting.dice):
            self.correcting = None  # the dice were removed, so do not ask about them

    def entered(self, now: float) -> None:
        """Shows the dice with their entered values for a moment."""
        if self.correcting and self.correcting.saw:
            values = zip(self.correcting.dice, self.correcting.values, strict=True)
            dice = tuple(replace(die, value=value, sure=True) for die, value in values if die and value)
            self._saw = replace(self.correcting.saw, state="read", dice=dice, doubts=(), places=())
            self._until, self.correcting = now + HOLDS, None

    def follow(self, news: Sequence[News], match: Match) -> None:
        """Counts the rolls that the camera has read without asking. If something else happens, the board is shown
        again."""
        for one in news:
            if one.rolled == "camera":
                self._context.count_unasked(self._context.devices.unasked + 1)
            self._how = how_read(one, match, self._context.devices.unasked)
            if self._how is None:
                self.release()

    def release(self) -> None:
        """Shows the board again instead of the dice that were read."""
        self._until = 0.0

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
        return self._corrected if self.correcting and self.correcting.dice else self._saw

    def words(self) -> str:
        """A message about the state of the camera, or about the problem."""
        saw = self._shown
        if saw and saw.state == "empty" and self._context.devices.misfit:
            return self._context.say(f"camera.misfit_{self._context.devices.misfit}")
        if saw is None or saw.state != "unsure":
            return self._say(saw.state or "opening" if saw else "opening")
        what = next((doubt for doubt in GRAVEST if doubt in saw.doubts), "unclear")
        if self.correcting and self.correcting.change is not None:
            return ""  # the question says everything
        if self.correcting and not self.correcting.dice and what not in BESIDE:
            what = "strange"  # there is one die too many, so its value cannot be entered
        return self._say(f"doubt_{what}", seen=sum(die.sure for die in saw.dice), count=saw.count)

    def _say(self, what: str, **facts: int) -> str:
        """A message of the overlay. Some are worded differently when a cup is lifted, because that is not a roll."""
        return self._context.say(f"camera.lift_{what}" if self.lifted and what in LIFTED else f"camera.{what}", **facts)

    @property
    def lifted(self) -> bool:
        """Whether the dice were under a cup."""
        awaited = self._context.session.dice.awaited
        return awaited is not None and awaited.throw.lifted

    def answerable(self, now: float) -> bool:
        """Whether the question has been on the screen for long enough that a press answers it."""
        return now >= self._from

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
        closer = self.correcting.asked if self.correcting else ()
        larger = CLOSER if closer else 1
        self._camera.show((larger * (place.width - 2 * edge), larger * (place.height - 2 * edge)))
        if self._picture is None or not (self._saw and self._saw.state == "read"):
            self._look(self._camera)
        if self._picture is None:
            return
        squares = column(canvas, place, len(closer))
        wide = place.right - squares[0].left + canvas.px(GAP) if squares else 0
        size = self._picture.get_size()
        k = min((place.width - wide - 2 * edge) / size[0], (place.height - 2 * edge) / size[1])
        fits = (round(size[0] * k), round(size[1] * k))
        picture = self._picture
        if size[0] > MUCH * fits[0]:
            picture = pygame.transform.smoothscale(picture, fits)
        elif abs(fits[0] - size[0]) > 2:  # this picture was scaled for another place; the next one will fit
            picture = pygame.transform.scale(picture, fits)
        both = centred(place, picture.get_width() + 2 * edge + wide, place.height)
        frame = centred(both, picture.get_width() + 2 * edge, picture.get_height() + 2 * edge)
        frame.left = both.left
        for die, square in zip(closer, squares, strict=True):
            assert self.correcting is not None
            enlarge(canvas, self._picture, square.move(both.right - place.right, 0), die, self.correcting)
        canvas.panel(frame, NIGHT, 4, border=GOLD if self.doubtful else INK, width=1.5 if self.small else 3)
        inner = picture.get_rect(center=frame.center)
        canvas.surface.blit(picture, inner)
        if self._shown and self._shown.state in ("read", "unsure"):
            taken = boxes(canvas, inner, self._shown.dice, self.correcting)
            if self._how and self._shown.state == "read":
                label(canvas, self._how, self._context.say, inner, taken)
            for x, y in self._shown.places:
                middle = inner.x + x * inner.width, inner.y + y * inner.height
                canvas.ring(middle, canvas.px(26), GOLD, 4)

    def _look(self, camera: Camera) -> None:
        found = camera.picture(self._number)
        if found:
            height, width = found.frame.shape[:2]
            self._number = found.number
            self._picture = pygame.image.frombuffer(found.frame.tobytes(), (width, height), "BGR")


def _alike(one: CameraSaw, other: CameraSaw) -> bool:
    """Whether both reports have the same dice with the same doubts, so that one correction applies to both."""
    seen = [sorted((die.value, die.sure) for die in saw.dice) for saw in (one, other)]
    return one.ticket == other.ticket and seen[0] == seen[1]

"""The camera picture over the board while dice are requested: a box and a value for each die, and any problems.

After the dice are read, the picture freezes for a moment, so that moving the dice does not change it. If the camera is
unsure, the dice in question are enlarged beside the picture.
"""

from collections.abc import Sequence

import pygame
from pygame import Rect, Surface

from table.devices import Camera
from table.session.messages import CameraSaw, SeenDie
from table.ui.kiosk import dice
from table.ui.kiosk.camera_view import CLEAR, around, bounds, closeup, labels
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.entry import FACES, Entering
from table.ui.kiosk.frame import Cap, Caps, following
from table.ui.kiosk.layout import centred, grid, inset
from table.ui.kiosk.style import DARK, GOLD, INK, NIGHT, SKY

HOLDS = 1.0  # seconds that the dice stay on screen after being read
ASKS = 0.4  # seconds before a question can be answered, so that an earlier press does not count as an answer
CLOSER = 3  # how many times larger the requested pictures are while dice are enlarged
COLUMN = 0.36  # the largest share of the width for enlarged dice
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
            self._from = now + ASKS
        elif saw.state != "unsure" and self.correcting and (saw.state == "empty" or not self.correcting.dice):
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
        return self._context.say(
            f"camera.lift_{what}" if self._lifted and what in LIFTED else f"camera.{what}", **facts
        )

    @property
    def _lifted(self) -> bool:
        awaited = self._context.session.dice.awaited
        return awaited is not None and awaited.throw.lifted

    def question(self) -> str:
        """What people are asked about the dice, or an empty string."""
        correcting, saw = self.correcting, self._shown
        if correcting is None or saw is None or not correcting.dice:
            return ""
        say = self._context.say
        if correcting.change is not None and correcting.die:
            return say("reading.change", read=correcting.die.value, face=correcting.change)
        if not correcting.confirming:
            return say("reading.which" if correcting.die else "reading.missing")
        if "stayed" in saw.doubts:
            return say("reading.lift_stayed" if self._lifted else "reading.stayed")
        if len(correcting.asked) == 1:
            return say("reading.this_one", face=correcting.asked[0].value)
        return say("reading.all")

    def caps(self) -> Caps:
        """What the buttons do while a question is open."""
        correcting, say = self.correcting, self._context.say
        assert correcting is not None
        if correcting.confirming:
            return Caps(Cap(say("reading.all_correct", count=correcting.count)), Cap(say("reading.correct")))
        if correcting.change is not None and correcting.die:
            keep = say("reading.keep", face=correcting.die.value)
            return Caps(Cap(keep), Cap(say("reading.change_to", face=correcting.change)))
        return Caps(following(say("cap.next"), correcting.picker.entries), Cap(say("cap.take")))

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
        across = 1 if len(closer) < 3 else 2
        down = -(-len(closer) // across)
        gap = canvas.px(10)
        side = min((place.height + gap) // down, (round(COLUMN * place.width) + gap) // across) - gap if closer else 0
        column = across * (side + gap) if closer else 0
        size = self._picture.get_size()
        k = min((place.width - column - 2 * edge) / size[0], (place.height - 2 * edge) / size[1])
        fits = (round(size[0] * k), round(size[1] * k))
        picture = self._picture
        if closer:
            picture = pygame.transform.smoothscale(picture, fits)
        elif abs(fits[0] - size[0]) > 2:  # this picture was scaled for another place; the next one will fit
            picture = pygame.transform.scale(picture, fits)
        both = centred(place, picture.get_width() + 2 * edge + column, place.height)
        frame = centred(both, picture.get_width() + 2 * edge, picture.get_height() + 2 * edge)
        frame.left = both.left
        if closer:
            cells = centred(both, column - gap, down * (side + gap) - gap)
            cells.right = both.right
            for die, cell in zip(closer, grid(cells, across, down, gap), strict=False):
                self._enlarge(canvas, cell, die)
        canvas.panel(frame, NIGHT, 4, border=GOLD if self.doubtful else INK, width=1.5 if self.small else 3)
        inner = picture.get_rect(center=frame.center)
        canvas.surface.blit(picture, inner)
        if self._shown and self._shown.state in ("read", "unsure"):
            self._boxes(canvas, inner, self._shown.dice)
            for x, y in self._shown.places:
                middle = inner.x + x * inner.width, inner.y + y * inner.height
                canvas.ring(middle, canvas.px(26), GOLD, 4)

    def _enlarge(self, canvas: Canvas, cell: Rect, die: SeenDie) -> None:
        """Draws a die of the picture enlarged, and the value that it would be entered with."""
        assert self._picture is not None and self.correcting is not None
        box = inset(cell, canvas.px(4))
        canvas.panel(cell, NIGHT, 4, border=GOLD, width=3)
        closeup(canvas, self._picture, die.corners, box)
        value = die.value if self.correcting.confirming else self.correcting.change or self.correcting.picker.entry
        if value in FACES:
            size = min(canvas.px(60), cell.width // 4 - canvas.px(8))
            plate = Rect(0, 0, size + canvas.px(8), size + canvas.px(8))
            plate.bottomright = cell.bottomright
            canvas.panel(plate, NIGHT, 10, border=GOLD, width=3)
            canvas.blit(dice.die(value, size), center=plate.center)

    def _look(self, camera: Camera) -> None:
        found = camera.picture(self._number)
        if found:
            height, width = found.frame.shape[:2]
            self._number = found.number
            self._picture = pygame.image.frombuffer(found.frame.tobytes(), (width, height), "BGR")

    def _boxes(self, canvas: Canvas, inner: Rect, seen: Sequence[SeenDie]) -> None:
        """A box around each die with its value. A die in question has a question mark and another colour. While people
        are asked, each die can be touched ("die:0") to change it."""
        asked, entered = (self.correcting.asked, self.correcting.entered) if self.correcting else ((), {})
        side = canvas.px(24)
        corners = [[(inner.x + x * inner.width, inner.y + y * inner.height) for x, y in die.corners] for die in seen]
        boxes = [around(places, canvas.px(CLEAR)) for places in corners]
        marked = [die in asked or not (die.sure or die in entered) for die in seen]
        for die, mark, box in zip(seen, marked, boxes, strict=True):
            for a, b in zip(box, [*box[1:], box[0]], strict=True):
                canvas.line(a, b, GOLD if mark else SKY, 5 if die in asked else 3)
        sizes = [(side * 3 // 2 if mark else side, side) for mark in marked]
        places = labels([around(box, canvas.px(CLEAR)) for box in boxes], sizes, inner)
        for number, (die, mark, box, label) in enumerate(zip(seen, marked, boxes, places, strict=True)):
            canvas.panel(label, GOLD if mark else SKY, 6)
            value = entered.get(die, die.value)
            canvas.text(f"{value}?" if mark else str(value), label, 18, DARK, "bold")
            if self.correcting:
                canvas.spot(f"die:{number}", bounds(box).inflate(canvas.px(12), canvas.px(12)))


def _alike(one: CameraSaw, other: CameraSaw) -> bool:
    """Whether both reports have the same dice with the same doubts, so that one correction applies to both."""
    seen = [sorted((die.value, die.sure) for die in saw.dice) for saw in (one, other)]
    return one.ticket == other.ticket and seen[0] == seen[1]

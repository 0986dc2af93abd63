"""Calibration of the camera: the live picture, instructions, and the outlines that people adjust.

Every step works with two buttons. In a list, Roll moves on and End selects; in other steps, End confirms. Holding End
goes one step back; in the first step or during a calculation, it leaves the calibration and changes nothing.
"""

from pygame import Rect

from table.devices.calibrating import Calibrating
from table.ui.kiosk import frame, lists
from table.ui.kiosk.camera_view import View
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, ROLL, Dragged, Gesture, Held, Tap
from table.ui.kiosk.layout import cut_left, cut_top, inset, rows
from table.ui.kiosk.lists import Row
from table.ui.kiosk.outline import Outline, dragged, grown, handles, moved
from table.ui.kiosk.picker import Picker, place_in
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.style import BRASS_DARK, GOLD, INK, INK_SOFT, NIGHT

EACH = 1 / 15  # seconds between two camera pictures
STEPS = ("empty", "edge", "strip", "first", "more", "verdict")
CHANGES = ("right", "larger", "smaller", "left", "rightward", "up", "down", "corner")
SIDES = ("none", "left", "right", "top", "bottom")
WAYS = {"left": (-1, 0), "rightward": (1, 0), "up": (0, -1), "down": (0, 1)}
NUDGE = 0.008  # distance that one press moves an outline, as a fraction of the picture height
MOST_FINDINGS = 3  # maximum number of findings shown at once


class Calibration(Scene):
    overlay = True

    def __init__(self, context: KioskContext, work: Calibrating, under: Scene) -> None:
        self.context = context
        self.under = under
        self._work = work
        self._shown = work.shown  # snapshot from the last tick, because the calibration continues during drawing
        context.session.dice.cancel()  # dice rolled during calibration do not count
        self._step = ""  # the step that the picker and the outline belong to
        self._outline: Outline | None = None  # the outline being adjusted, if any
        self._handle: int | None = None  # the corner being moved; None for the whole outline
        self._side = "none"  # the side of the tray last chosen for kept dice
        self._picker: Picker[str] = Picker(CHANGES)
        self._view = View(Rect(0, 0, 1, 1), (1, 1))

    def tick(self, now: float) -> Scene:
        self._work.look()
        shown = self._shown = self._work.shown
        if shown is not None and shown.step != self._step:
            if shown.step == "done":
                self.context.sounds.play("take")
                return self._left()
            self._step, self._handle = shown.step, None
            self._adjust(shown.tray if shown.step == "edge" else shown.keep)
        return self

    def wake(self, now: float) -> float | None:
        return now + EACH

    def _adjust(self, outline: Outline | None) -> None:
        """Lets people adjust this outline or, without one, choose a side. In the list of sides, the cursor starts on
        the side that was chosen last."""
        self._outline = outline
        changes = (*CHANGES, "none") if self._step == "strip" else CHANGES
        self._picker = Picker(changes) if outline else Picker(SIDES, SIDES.index(self._side))

    @property
    def _listing(self) -> bool:
        return self._step in ("edge", "strip")

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if gesture == Held(END):
            self.context.sounds.play("back")
            return self._back()
        if self._work.busy or self._shown is None:
            return self
        if isinstance(gesture, Dragged):
            self._drag(gesture)
        elif self._listing:
            taken = self._picker.handle(gesture)
            self.context.sounds.play("tick" if taken is None else "take")
            if taken is not None:
                self._take(taken)
        elif gesture == Tap(ROLL) and self._step == "verdict":
            self._work.again()
        elif gesture == Tap(END):
            ready = self._shown.ready
            self.context.sounds.play("take" if ready else "refuse")
            if ready:
                self._work.accept()
        return self

    def _back(self) -> Scene:
        if self._step in ("", "empty") or self._work.busy:
            return self._left()
        if self._step == "strip" and self._outline:
            self._adjust(None)
        else:
            self._work.back()
        return self

    def _left(self) -> Scene:
        """Leaves the calibration. Forgets the dice that are under the camera now, because they were not rolled or kept
        in a game."""
        self.context.devices.lies = None
        dice = self.context.session.dice
        for device in dice.devices.values():
            if device is not dice.device:
                device.rest()
        dice.watch()
        return self.under

    def _drag(self, gesture: Dragged) -> None:
        handle = place_in("handle", gesture.spot)
        if self._outline and handle is not None and handle < len(handles(self._outline)):
            self._handle = handle
            self._outline = dragged(self._outline, handle, self._view.in_frame(gesture.place), self._view.size)

    def _take(self, entry: str) -> None:
        size, outline = self._view.size, self._outline
        if outline is None:
            self._choose(entry)
        elif entry == "right":
            self._work.accept(outline)
        elif entry == "none":
            self._side = entry
            self._adjust(None)
        elif entry == "corner":
            following = 0 if self._handle is None else self._handle + 1
            self._handle = following if following < len(handles(outline)) else None
        else:
            step = NUDGE * size[1]
            if entry in WAYS:
                across, down = WAYS[entry]
                self._outline = moved(outline, self._handle, (across * step, down * step), size)
            else:
                self._outline = grown(outline, self._handle, step if entry == "larger" else -step, size)

    def _choose(self, side: str) -> None:
        """Sets which side of the tray the kept dice go on."""
        shown, self._side = self._shown, side
        if side == "none":
            self._work.accept(None)
        elif shown is not None and shown.tray is not None:
            from vision.guide import beside  # fast: the tray detection has already loaded this module

            self._adjust(beside(shown.tray, side, self._view.size))

    def caps(self, now: float) -> Caps:
        say, shown = self.context.say, self._shown
        if shown is None or not self._step:
            return Caps()
        free = not self._work.busy
        if self._listing:
            return Caps(Cap(say("cap.next"), lit=free), Cap(say("cap.take"), lit=free))
        again = Cap(say("calibration.cap.again"), lit=free) if self._step == "verdict" else None
        return Caps(again, Cap(say(f"calibration.cap.{self._step}"), lit=free and shown.ready))

    # drawing

    def draw(self, canvas: Canvas, now: float) -> None:
        say, shown, picture = self.context.say, self._shown, self._work.frame
        number = STEPS.index(self._step) + 1 if self._step in STEPS else 1
        step = say("calibration.step", step=number, count=len(STEPS))
        room = frame.head(canvas, say("calibration.title"), step)
        if shown is None or picture is None or not self._step:
            canvas.text(say("calibration.no_picture"), room, 26, INK, "display", lines=2)
            return
        left, right = cut_left(room, room.width * 63 // 100, canvas.px(14))
        self._view = View.within(left, (picture.shape[1], picture.shape[0]))
        self._view.draw(canvas, picture)
        tray = self._outline if self._step == "edge" else shown.tray
        keep = self._outline if self._step == "strip" else shown.keep
        if self._listing:
            self._view.shade(canvas, [outline for outline in (tray, keep) if outline])
        self._view.outlines(canvas, tray, keep)
        if self._listing and self._outline:
            self._view.handles(canvas, handles(self._outline), self._handle)
        self._view.dice(canvas, shown.dice)
        places = [(at + 1, finding.at) for at, finding in enumerate(shown.findings[:MOST_FINDINGS]) if finding.at]
        self._view.point(canvas, places)
        self._draw_side(canvas, right)

    def _draw_side(self, canvas: Canvas, room: Rect) -> None:
        """Draws the instruction, what the guide is waiting for, and the entries or findings."""
        canvas.panel(room, NIGHT, 16, border=BRASS_DARK, alpha=170, width=1.5)
        inner = inset(room, canvas.px(14), canvas.px(10))
        head, rest = cut_top(inner, canvas.px(74 if self._listing else 104), canvas.px(6))
        large = 23 if self._listing else 26
        canvas.text(self._to_do(), head, large, INK, "display", "left", "top", lines=4, shrink=0.55)
        words, colour = self._why(), INK_SOFT
        shown = self._shown
        assert shown is not None
        if shown.ready and not self._listing:
            colour = GOLD
        if words:
            line, rest = cut_top(rest, canvas.px(48 if self._listing else 74), canvas.px(6))
            canvas.text(words, line, 18, colour, "bold", "left", "top", lines=4, shrink=0.55)
        if self._listing:
            kind = "change" if self._outline else "side"
            entries = [Row(self.context.say(f"calibration.{kind}.{entry}")) for entry in self._picker.entries]
            lists.rows(canvas, rest, entries, self._picker.at, 38)
        elif shown.findings:
            self._draw_findings(canvas, rest)

    def _draw_findings(self, canvas: Canvas, room: Rect) -> None:
        shown = self._shown
        assert shown is not None
        found = shown.findings[:MOST_FINDINGS]
        for at, (finding, row) in enumerate(zip(found, rows(room, MOST_FINDINGS, canvas.px(4)), strict=False)):
            mark, words = cut_left(row, canvas.px(26), canvas.px(8))
            self._view.number(canvas, at + 1, (mark.centerx, row.centery))
            canvas.text(
                self.context.say(f"lighting.{finding.what}"), words, 16, INK, align="left", lines=4, shrink=0.62
            )

    def _to_do(self) -> str:
        shown = self._shown
        step = self._step
        if step == "strip" and self._outline:
            step = "strip_right"
        elif step == "verdict" and shown is not None and shown.findings:
            step = "verdict_findings"
        return self.context.say(f"calibration.do.{step}")

    def _why(self) -> str:
        say, shown = self.context.say, self._shown
        assert shown is not None
        if self._work.busy:
            return say("calibration.busy")
        if not shown.ready:
            return say(f"calibration.waits.{shown.waits}", why=shown.detail)
        if self._step == "edge":
            return say(f"calibration.how.{shown.detail or 'found'}")
        return "" if self._step in ("strip", "verdict") else say(f"calibration.ready.{self._step}")

"""The chances of this moment that everybody may know, drawn as bars. Any press goes back."""

from pygame import Rect

from table import odds as chances
from table import tell
from table.kiosk import frame
from table.kiosk.canvas import Canvas
from table.kiosk.desk import Desk
from table.kiosk.frame import Cap, Caps
from table.kiosk.gestures import Gesture, Held, Tap, Touched
from table.kiosk.layout import cut_left, cut_right, inset, rows
from table.kiosk.pieces import emblem
from table.kiosk.scenes import Scene
from table.kiosk.style import GOLD, INK, INK_SOFT, NIGHT
from table.rules.vocabulary import View


class Odds:
    wants_look = restful = typing = False

    def __init__(self, desk: Desk, view: View, under: Scene) -> None:
        self.desk = desk
        self.game = view["game"]
        self.under = under
        self._lines = chances.odds(view)

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if isinstance(gesture, (Tap, Held, Touched)):
            self.desk.sounds.play("back")
            return self.under
        return self

    def tick(self, now: float) -> Scene:
        return self

    def wake(self, now: float) -> float | None:
        return None

    def caps(self, now: float) -> Caps:
        return Caps(None, Cap(self.desk.say("cap.back")))

    def draw(self, canvas: Canvas, now: float) -> None:
        say = self.desk.say
        canvas.background()
        title = f"{say('menu.odds')}: {say(f'game.{self.game}.name')}"
        room = frame.head(canvas, title, "", emblem(self.game, canvas.px(36)))
        if not self._lines:
            canvas.text(say("odds.none"), room, 22, INK, "bold", lines=2)
            return
        canvas.panel(room, NIGHT, 14, alpha=150)
        inner = inset(room, canvas.px(16), canvas.px(10))
        for line, row in zip(self._lines, rows(inner, len(self._lines), canvas.px(4)), strict=True):
            self._draw_line(canvas, row, line)

    def _draw_line(self, canvas: Canvas, row: Rect, line: chances.Odds) -> None:
        say = self.desk.say
        name, rest = cut_left(row, row.width * 9 // 20, canvas.px(12))
        figure, bar = cut_right(rest, canvas.px(72), canvas.px(10))
        canvas.text(tell.chance(line, self.game, say), name, 18, INK, align="left", shrink=0.6)
        canvas.text(say("value.percent", percent=_percent(line.chance)), figure, 19, INK, "bold", align="right")
        high = min(bar.height * 2 // 3, canvas.px(18))
        groove = Rect(bar.x, bar.centery - high // 2, bar.width, high)
        canvas.panel(groove, NIGHT, 9, border=INK_SOFT, width=1)
        filled = Rect(groove.x, groove.y, max(high, round(groove.width * line.chance)), high)
        if line.chance > 0:
            canvas.panel(filled, GOLD, 9)


def _percent(chance: float) -> str:
    """Whole percents, but never "0" for what can happen nor "100" for what need not."""
    if 0 < chance < 0.01:
        return f"{100 * chance:.1f}"
    return str(min(99, round(100 * chance)) if chance < 1 else 100)

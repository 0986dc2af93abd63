"""The chances of this moment that everybody may know, drawn as bars. Any press goes back."""

from table import odds as chances
from table import tell
from table.kiosk import charts, frame
from table.kiosk.canvas import Canvas
from table.kiosk.charts import Bar
from table.kiosk.desk import Desk
from table.kiosk.frame import Cap, Caps
from table.kiosk.gestures import Gesture, Held, Tap, Touched
from table.kiosk.layout import inset
from table.kiosk.pieces import emblem
from table.kiosk.scenes import Scene
from table.kiosk.style import INK, NIGHT
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
        bars = [
            Bar(tell.chance(each, self.game, say), tell.percent(each.chance, say), each.chance) for each in self._lines
        ]
        charts.bars(canvas, inner, bars)

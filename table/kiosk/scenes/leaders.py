"""The leaderboard: who has won most, over all games or at one of them. Roll goes through the games."""

from functools import partial

from pygame import Rect

from table.kiosk import charts, frame
from table.kiosk.canvas import Canvas
from table.kiosk.charts import Bar
from table.kiosk.desk import Desk
from table.kiosk.frame import Cap, Caps
from table.kiosk.gestures import END, ROLL, Gesture, Held, Moved, Run, Tap, Touched
from table.kiosk.layout import cut_left, inset, rows
from table.kiosk.picker import place_in
from table.kiosk.pieces import avatar, crown, emblem
from table.kiosk.scenes import Scene
from table.kiosk.scenes.player import to_player
from table.kiosk.style import BRASS, INK, INK_SOFT, NIGHT
from table.records.pages import Leader, leaders
from table.rules import GAMES
from table.tell import recorded

MOST = 8  # lines

BOARDS: tuple[str | None, ...] = (None, *GAMES)  # None: over all games


class Leaders:
    wants_look = restful = typing = False

    def __init__(self, desk: Desk, under: Scene) -> None:
        self.desk = desk
        self.under = under
        self._page = 0

    def _lines(self) -> tuple[Leader, ...]:
        return leaders(self.desk.board[1], BOARDS[self._page])[:MOST]

    def handle(self, gesture: Gesture, now: float) -> Scene:
        match gesture:
            case Tap(button) | Held(button) if button == END:
                self.desk.sounds.play("back")
                return self.under
            case Tap(button) | Run(button) if button == ROLL:
                self._turn(1)
            case Moved(step):
                self._turn(step)
            case Touched(spot):
                place, lines = place_in("leader", spot), self._lines()
                here = {player.name for player in self.desk.players}
                if place is not None and place < len(lines) and lines[place].name in here:
                    self.desk.sounds.play("take")
                    return to_player(self.desk, lines[place].name, self, now)
        return self

    def _turn(self, step: int) -> None:
        self.desk.sounds.play("tick")
        self._page = (self._page + step) % len(BOARDS)

    def tick(self, now: float) -> Scene:
        return self

    def wake(self, now: float) -> float | None:
        return None

    def caps(self, now: float) -> Caps:
        say = self.desk.say
        return Caps(Cap(say("records.screen.next_game")), Cap(say("cap.back")))

    def draw(self, canvas: Canvas, now: float) -> None:
        say, game, lines = self.desk.say, BOARDS[self._page], self._lines()
        canvas.background()
        detail = say(f"game.{game}.name") if game else say("records.all_games")
        mark = emblem(game, canvas.px(36)) if game else crown(canvas.px(36))
        room = frame.head(canvas, self.desk.board[0], detail, mark)
        canvas.panel(room, NIGHT, 14, alpha=150)
        inner = inset(room, canvas.px(16), canvas.px(10))
        if not lines:
            canvas.text(say("records.none"), inner, 22, INK, "bold", lines=2)
            return
        high = min(inner.height, (canvas.px(48) + canvas.px(4)) * len(lines))
        self._draw_lines(canvas, Rect(inner.x, inner.y, inner.width, high), lines)

    def _draw_lines(self, canvas: Canvas, rect: Rect, lines: tuple[Leader, ...]) -> None:
        beside, chart = cut_left(rect, canvas.px(78), canvas.px(10))
        most = max(1, *(line.won for line in lines))
        for at, (line, row) in enumerate(zip(lines, rows(beside, len(lines), canvas.px(4)), strict=True)):
            place, face = cut_left(row, canvas.px(30), canvas.px(6))
            canvas.text(str(line.place), place, 22, BRASS if line.place == 1 else INK_SOFT, "display", shrink=0.5)
            side = min(face.width, face.height)
            canvas.blit(avatar(line.name, side), center=face.center)
            canvas.spot(f"leader:{at}", Rect(rect.x, row.y, rect.width, row.height))
        shown = partial(recorded.share, say=self.desk.say)
        charts.bars(canvas, chart, [Bar(one.name, shown(one.won, one.played), one.won / most) for one in lines])

"""The end of a game: who won, the final standings, and one press to play again."""

from pygame import Rect

from table.engine.errors import Refused
from table.text import game_texts, narration
from table.ui.kiosk import frame
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, ROLL, Gesture, Held, Look, Tap, Touched
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_right, inset, rows
from table.ui.kiosk.pieces import avatar, crown, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.review import Reviewing, reviewable
from table.ui.kiosk.style import BRASS, DARK, GOLD, INK, INK_SOFT, IVORY

CALM = 1.0  # seconds for which presses are ignored, because they were meant for the last roll
DEMO_SECONDS = 5.0
RISE = 0.6  # seconds until the winner's crown has come down


class Result(Scene):
    def __init__(self, context: KioskContext, now: float) -> None:
        match = context.session.match
        assert match is not None
        self.context = context
        self.match = match
        self._begun = now
        context.sounds.play("win")

    def handle(self, gesture: Gesture, now: float) -> Scene:
        from table.ui.kiosk.scenes.games import games
        from table.ui.kiosk.scenes.play import Play

        if isinstance(gesture, Look) or now - self._begun < CALM:
            return self
        if gesture in (Tap(ROLL), Touched("again")):
            try:
                self.context.play_again(self.match)
            except Refused:
                return games(self.context)
            self.context.sounds.play("take")
            return Play(self.context, now)
        if gesture == Touched("review"):
            self.context.sounds.play("take")
            return Reviewing(self.context, self.match, self)
        if gesture in (Tap(END), Held(END)):
            self.context.sounds.play("take")
            self.context.session.set_aside()
            return games(self.context)
        return self

    def tick(self, now: float) -> Scene:
        if self.context.run.demo and now - self._begun > DEMO_SECONDS:
            from table.ui.kiosk.demo import next_game

            return next_game(self.context, now)
        return self

    def wake(self, now: float) -> float | None:
        if now - self._begun < RISE:
            return now
        if now - self._begun < CALM:
            return self._begun + CALM
        return self._begun + DEMO_SECONDS + 0.01 if self.context.run.demo else None

    def caps(self, now: float) -> Caps:
        lit = now - self._begun >= CALM
        return Caps(Cap(self.context.say("cap.play_again"), lit), Cap(self.context.say("cap.another"), lit))

    def draw(self, canvas: Canvas, now: float) -> None:
        say, referee = self.context.say, self.match.referee
        view, winners = referee.view(None), self.match.winners
        game = self.match.game.id
        line, mark = narration.round_line(view, say), emblem(game, canvas.px(36))
        room = frame.head(canvas, game_texts.name(game, say), line, mark)
        result = narration.result(view, self.match.places, say)
        left, right = cut_left(room, room.width * 2 // 5, canvas.px(16))
        self._draw_winner(canvas, left, result.sentence, winners, now)
        inner = canvas.sunk(right, 12, 10)
        if reviewable(self.match):
            offer, inner = cut_bottom(inner, canvas.px(26), canvas.px(4))
            canvas.spot("review", offer)
            canvas.text(say("review.offer"), offer, 16, INK_SOFT, shrink=0.6)
        high = min(canvas.px(58), inner.height // len(result.lines))
        block = Rect(inner.x, inner.y, inner.width, min(inner.height, high * len(result.lines)))
        block.centery = inner.centery
        for each, row in zip(result.lines, rows(block, len(result.lines), canvas.px(4)), strict=True):
            self._draw_line(canvas, row, each)

    def _draw_winner(self, canvas: Canvas, rect: Rect, sentence: str, winners: tuple[int, ...], now: float) -> None:
        canvas.panel(rect, IVORY, 18, border=GOLD, width=4, shadow=True)
        inner = inset(rect, canvas.px(16), canvas.px(14))
        words = Rect(inner.x, inner.bottom - inner.height * 2 // 5, inner.width, inner.height * 2 // 5)
        faces = Rect(inner.x, inner.y, inner.width, inner.height - words.height)
        size = min(canvas.px(110), faces.height * 3 // 5, inner.width // max(1, len(winners)) - canvas.px(8))
        t = min(1.0, (now - self._begun) / RISE)
        for place, seat in enumerate(winners):
            x = faces.centerx + (place - (len(winners) - 1) / 2) * (size + canvas.px(8))
            y = faces.bottom - size / 2
            name = self.match.referee.players[seat]
            canvas.blit(avatar(name, size, self.match.seating.levels[seat] is not None), center=(x, y))
            drop = (1 - t) ** 2 * canvas.px(60)
            canvas.blit(crown(size * 3 // 5), center=(x, y - size * 0.62 - drop))
        canvas.text(sentence, words, 27, DARK, "display", lines=3, shrink=0.5)

    def _draw_line(self, canvas: Canvas, row: Rect, line: narration.Line) -> None:
        name, level, won = line.name, self.match.seating.levels[line.seat], line.won
        number, rest = cut_left(row, canvas.px(30), canvas.px(4))
        canvas.text(str(line.place), number, 20, BRASS if won else INK_SOFT, "display")
        face, rest = cut_left(rest, min(row.height, canvas.px(40)), canvas.px(8))
        canvas.blit(avatar(name, min(row.height, canvas.px(40)), level is not None), center=face.center)
        value, label = cut_right(rest, rest.width * 2 // 5, canvas.px(8))
        written(canvas, label, name, 20, INK, lines=1)
        canvas.text(line.figure, value, 19, BRASS if won else INK_SOFT, "bold", align="right", shrink=0.55)

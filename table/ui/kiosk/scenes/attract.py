"""The first screen of an idle table: large dice, the games in turn with the leaders in between, and "press Roll".

Roll or a touch starts; End opens the records, if they are available. The screen is redrawn only a few times per second
and needs very little CPU.
"""

import random
from collections.abc import Sequence

from pygame import Rect

from table.games import GAMES
from table.storage.records.pages import Leader, leaders
from table.text import game_texts
from table.ui.kiosk import dice, frame
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, ROLL, Gesture, Tap, Touched
from table.ui.kiosk.layout import centred, columns, cut_bottom, cut_left, cut_right, cut_top, inset
from table.ui.kiosk.pieces import avatar, code, crown, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.records import leaderboard, records
from table.ui.kiosk.style import BRASS, BRASS_DARK, GOLD, INK, INK_SOFT, IVORY, NIGHT

SHOWN = 6.0  # seconds that each game is shown
EVERY = 3  # the dice are rolled once in this many turns, because rolling takes most of the CPU time
TUMBLE = 0.9
LEADERS = 5  # number of leaders shown
READING = 0.5  # after a press, seconds to wait for the journal, which might contain a game to resume
FRAME = 1 / 60


class Attract(Scene):
    restful = True

    def __init__(self, context: KioskContext, now: float) -> None:
        self.context = context
        self._begun = now
        self._pressed: float | None = None

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if self.context.storage.reader and gesture in (Tap(END), Touched("leaders")):
            self.context.sounds.play("take")
            return records(self.context, self) if gesture == Tap(END) else leaderboard(self.context, self)
        if gesture != Tap(ROLL) and not isinstance(gesture, Touched):
            return self
        self.context.sounds.play("take")
        self._pressed = now
        return self.tick(now)

    def tick(self, now: float) -> Scene:
        from table.ui.kiosk.scenes.games import games
        from table.ui.kiosk.scenes.go_on import go_on

        if self._pressed is not None and (self.context.history.read or now - self._pressed > READING):
            return go_on(self.context) if self.context.history.unfinished else games(self.context)
        if self.context.run.demo:
            from table.ui.kiosk.demo import next_game

            return next_game(self.context, now)
        return self

    def wake(self, now: float) -> float | None:
        if self._pressed is not None:
            return self._pressed + READING + FRAME
        turn, since = divmod(now - self._begun, SHOWN)
        if turn % EVERY == 1 and since < TUMBLE + 2 * FRAME:  # the last frame shows the dice at rest
            return now
        return self._begun + (turn + 1) * SHOWN

    def caps(self, now: float) -> Caps:
        say = self.context.say
        return Caps(
            Cap(say("cap.go_on" if self.context.history.unfinished else "cap.start")),
            Cap(say("records.title")) if self.context.storage.reader else None,
        )

    def draw(self, canvas: Canvas, now: float) -> None:
        say = self.context.say
        canvas.background()
        turn, since = divmod(now - self._begun, SHOWN)
        whole = Rect(0, canvas.px(14), canvas.area.width, canvas.area.height - canvas.px(frame.RAIL + 14))
        if self.context.joining:
            beside, whole = cut_right(whole, canvas.area.width * 31 // 100)
            self._draw_joining(canvas, inset(beside, canvas.px(14), canvas.px(10)))
        low, rest = cut_bottom(whole, canvas.px(154))
        title = Rect(rest.x, rest.y, rest.width, canvas.px(64))
        canvas.text(say("attract.title"), title, 50, BRASS, "display")
        top = title.bottom
        wrong = self.context.wrong()
        if not wrong and self.context.devices.buttons_missing is not None:
            wrong = say("device.no_buttons")
        if wrong:
            top = frame.ribbon(canvas, wrong, Rect(rest.x, top, rest.width, rest.bottom - top)).bottom
        self._draw_dice(canvas, Rect(rest.x, top, rest.width, rest.bottom - top), int(turn), since)
        self._draw_card(canvas, low, int(turn))

    def _draw_dice(self, canvas: Canvas, rect: Rect, turn: int, since: float) -> None:
        throw = (turn + EVERY - 1) // EVERY
        chance = random.Random(throw)  # new random dice for each roll, but the same in all of its frames
        size = min(canvas.px(118), rect.height * 3 // 4, rect.width // 7)
        t = min(1.0, since / TUMBLE) if turn % EVERY == 1 else 1.0
        for place in range(5):
            value = chance.randint(1, 6)
            x = rect.centerx + (place - 2) * size * 1.22
            y = rect.centery + (place % 2 - 0.5) * size * 0.22
            sprite = dice.die(value, size) if t == 1 else dice.tumbling(value, size, t, throw * 5 + place)
            canvas.blit(sprite, center=(x, y))

    def _draw_joining(self, canvas: Canvas, rect: Rect) -> None:
        """The QR code for phones, with the room code and the address to type."""
        from table.ui.kiosk.scenes.join import who

        context = self.context
        words, top = cut_bottom(rect, canvas.px(112), canvas.px(6))
        side = min(top.width, top.height)
        card = centred(top, side, side)
        canvas.panel(card, IVORY, 10, shadow=True)
        canvas.blit(code(context.joining, side - canvas.px(4)), center=card.center)
        hint, words = cut_top(words, canvas.px(26))
        canvas.text(who(context, here=True) or context.say("menu.phones"), hint, 18, INK_SOFT, shrink=0.5)
        letters, address = cut_top(words, canvas.px(48))
        canvas.text(context.room.code, letters, 38, GOLD, "bold", shrink=0.5)
        canvas.text(context.joining.partition("//")[2], address, 16, INK, "bold", shrink=0.5)

    def _draw_card(self, canvas: Canvas, rect: Rect, turn: int) -> None:
        """A game (or, every third turn, the leaders), and below it the button to press."""
        say = self.context.say
        best = [one for one in leaders(self.context.board[1]) if one.won][:LEADERS]
        hint, rest = cut_bottom(rect, canvas.px(48))
        waiting = self.context.history.unfinished
        both = f"{say('attract.press')} {say('attract.touch')}"
        if waiting:
            both = say("attract.waiting", game=game_texts.name(waiting[0].saved["game"], say))
        canvas.text(both, hint, 25, GOLD, "display")
        card = centred(rest, min(canvas.px(700), rest.width - canvas.px(24)), rest.height)
        canvas.panel(card, NIGHT, 18, border=BRASS_DARK, alpha=140, width=1.5)
        inner = inset(card, canvas.px(14), canvas.px(8))
        if best and turn % EVERY == EVERY - 1:
            canvas.spot("leaders", card)
            self._draw_leaders(canvas, inner, best)
        else:
            passed = (turn + 1) // EVERY if best else 0  # number of earlier turns that showed the leaders
            self._draw_game(canvas, inner, list(GAMES)[(turn - passed) % len(GAMES)])

    def _draw_leaders(self, canvas: Canvas, rect: Rect, best: Sequence[Leader]) -> None:
        title, rest = cut_top(rect, canvas.px(28), canvas.px(4))
        mark, title = cut_left(title, title.height, canvas.px(8))
        canvas.blit(crown(mark.width), center=mark.center)
        canvas.text(self.context.board[0], title, 22, BRASS, "display", "left", shrink=0.5)
        wins = [self.context.say("records.count_won", count=line.won) for line in best]
        side = min(rest.height, canvas.px(42))
        wide = max(canvas.px(74), *(canvas.text_width(won, 16, "bold") for won in wins)) + side + canvas.px(18)
        fit = max(1, min(LEADERS, rest.width // wide))
        for line, won, cell in zip(best, wins, columns(rest, fit, canvas.px(8)), strict=False):
            face, words = cut_left(cell, side, canvas.px(8))
            canvas.blit(avatar(line.name, side), center=face.center)
            name, below = cut_top(words, words.height // 2)
            written(canvas, name, line.name, 17, INK, lines=1)
            canvas.text(won, below, 16, GOLD, "bold", "left", shrink=0.6)

    def _draw_game(self, canvas: Canvas, rect: Rect, game: str) -> None:
        say = self.context.say
        mark, words = cut_left(rect, rect.height, canvas.px(16))
        canvas.blit(emblem(game, mark.width), center=mark.center)
        name, summary = cut_top(words, words.height // 2)
        canvas.text(game_texts.name(game, say), name, 30, INK, "display", align="left")
        canvas.text(game_texts.summary(game, say), summary, 18, INK_SOFT, align="left", lines=2, shrink=0.7)

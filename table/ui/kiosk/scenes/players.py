"""Who plays: the seats on the left, what can be added on the right, and Start as soon as there are enough.

Its one rule: two presses of End are enough. The seats begin filled with whoever is likely, and Start stands first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pygame import Rect, Surface

from table.games import bots
from table.session.lineup import Lineup, Seat, guest, level_of
from table.text import game_texts
from table.ui.kiosk import frame, lists
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, Gesture, Held, Moved, Run, Scrolled, Tap, Touched
from table.ui.kiosk.layout import cut_left, cut_top, grid, inset
from table.ui.kiosk.lists import Row
from table.ui.kiosk.picker import Picker, place_in
from table.ui.kiosk.pieces import avatar, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.keyboard import Keyboard
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.options import options
from table.ui.kiosk.style import INK, INK_FAINT, INK_SOFT, NIGHT


@dataclass(frozen=True)
class _Entry:
    key: str  # what it is, whatever else the list holds: the cursor stays on it
    row: Row
    take: Callable[[], Scene]


class Players:
    wants_look = restful = typing = False

    def __init__(self, context: KioskContext, lineup: Lineup) -> None:
        self.context = context
        context.room.lobby.propose(lineup)
        self._picker = Picker(self._entries())
        self._shown = range(0)  # entries, as of the last drawing

    @property
    def lineup(self) -> Lineup:
        """The room's: people with phones come into it by themselves."""
        return self.context.room.lobby.lineup

    @lineup.setter
    def lineup(self, lineup: Lineup) -> None:
        self.context.room.lobby.lineup = lineup

    def _entries(self) -> list[_Entry]:
        say, lineup = self.context.say, self.lineup
        names = lineup.names()
        seated = {seat.name for seat in lineup.seats if seat.level is None}
        found = []
        if not lineup.missing:
            start = lambda: options(self.context, self.lineup, self)  # noqa: E731
            found.append(_Entry("start", Row(say("players.start"), mark=None), start))
        if not lineup.full:
            found.append(_Entry("computer", Row(say("players.computer"), mark=_face("", True)), self._computers))
            row = Row(say("players.guest"), mark=_face("?", False))
            found.append(_Entry("guest", row, lambda: self._seat(guest(self.lineup.seats, self.context.say))))
            row = Row(say("players.new"), mark=_face("+", False))
            found.append(_Entry("new", row, lambda: Keyboard(self.context, self, self.named)))
            for player in self.context.history.players:
                if player.name not in seated:
                    wins = say("many.wins", count=sum(player.won.values()))
                    row = Row(player.name, wins, mark=_face(player.name, False))
                    found.append(_Entry(f"known {player.name}", row, partial(self._seat, Seat(player.name))))
        if lineup.seats:
            row = Row(say("players.remove"), names[-1])
            found.append(_Entry("remove", row, lambda: self._free(len(self.lineup.seats) - 1)))
        return found

    def _computers(self) -> Scene:
        """The strongest first."""

        def entries() -> list[Entry]:
            say, game = self.context.say, self.lineup.game.id
            return [
                Entry(
                    Row(game_texts.level_name(level, say, game), help=game_texts.level_help(level, say, game)),
                    lambda now, level=level: self._seat(Seat("", level)),  # type: ignore[misc]
                )
                for level in reversed(bots.levels(game))
            ]

        heading = lambda: Heading(self.context.say("players.which_computer"), mark=_face("", True))  # noqa: E731
        return Listing(self.context, heading, entries, lambda now: self)

    def named(self, name: str, now: float) -> Scene:
        """Somebody typed a name; one that sits here already is not seated twice, one that is known is as it was."""
        if name.casefold() in {seat.name.casefold() for seat in self.lineup.seats if seat.level is None}:
            return self
        known = {player.name.casefold(): player.name for player in self.context.history.players}
        return self._seat(Seat(known.get(name.casefold(), name)))

    def _seat(self, seat: Seat) -> Scene:
        if not self.lineup.full:
            self.lineup = self.lineup.with_seat(seat)
        return self

    def _free(self, place: int) -> Scene:
        self.lineup = self.lineup.without(place)
        return self

    def _refresh(self) -> None:
        entries, key = self._entries(), self._picker.entry.key
        keys = [entry.key for entry in entries]
        at = keys.index(key) if key in keys else min(self._picker.at, len(entries) - 1)
        self._picker = Picker(entries, at)

    def handle(self, gesture: Gesture, now: float) -> Scene:
        from table.ui.kiosk.scenes.games import games

        if gesture == Held(END):
            self.context.sounds.play("back")
            return games(self.context)
        self._refresh()
        if isinstance(gesture, Scrolled):
            if len(self._shown) < len(self._picker.entries):
                self._picker.at = lists.scrolled(len(self._picker.entries), self._shown, gesture.step)
                self._shown = lists.window(len(self._picker.entries), self._picker.at, len(self._shown))
            return self
        place = place_in("seat", gesture.spot) if isinstance(gesture, Touched) else None
        if place is not None and place < len(self.lineup.seats):
            self.context.sounds.play("back")
            return self._free(place)
        taken = self._picker.handle(gesture)
        if taken is not None:
            self.context.sounds.play("take")
            return taken.take()
        if isinstance(gesture, (Tap, Run, Moved)):
            self.context.sounds.play("tick")
        return self

    def tick(self, now: float) -> Scene:
        return self

    def wake(self, now: float) -> float | None:
        return None

    def caps(self, now: float) -> Caps:
        return Caps(Cap(self.context.say("cap.next")), Cap(self.context.say("cap.take")))

    def draw(self, canvas: Canvas, now: float) -> None:
        say, lineup = self.context.say, self.lineup
        self._refresh()
        canvas.background()
        game = lineup.game.id
        title = f"{game_texts.name(game, say)}: {say('players.title')}"
        room = frame.head(canvas, title, say("list.hold_back"), emblem(game, canvas.px(36)))
        left, right = cut_left(room, room.width * 9 // 20, canvas.px(14))
        self._draw_seats(canvas, left)
        self._shown = lists.rows(canvas, right, [entry.row for entry in self._picker.entries], self._picker.at)

    def _draw_seats(self, canvas: Canvas, rect: Rect) -> None:
        say, lineup = self.context.say, self.lineup
        canvas.panel(rect, NIGHT, 14, alpha=140)
        inner = inset(rect, canvas.px(12), canvas.px(10))
        note = Rect(inner.x, inner.bottom - canvas.px(26), inner.width, canvas.px(26))
        least, most = lineup.game.seats
        words = say("players.too_few", count=lineup.missing) if lineup.missing else ""
        words = words or (say("players.full") if lineup.full else say("choose.seats", least=least, most=most))
        canvas.text(words, note, 16, INK_SOFT)
        across = 1 if most <= 5 or len(lineup.seats) < 6 else 2
        down = 6 if across == 1 and most > 5 else 5
        cells = grid(Rect(inner.x, inner.y, inner.width, note.y - inner.y - canvas.px(4)), across, down, canvas.px(5))
        names = lineup.names()
        for place, cell in enumerate(cells):
            # Seats are numbered down the columns, as people read a list.
            number = place // across + place % across * down
            if number < len(lineup.seats):
                self._draw_seat(canvas, cell, number, names[number])
            elif number < most:
                canvas.panel(cell, NIGHT, 10, alpha=70)
                if number == len(lineup.seats):
                    canvas.text(say("players.free"), cell, 17, INK_FAINT)

    def _draw_seat(self, canvas: Canvas, cell: Rect, number: int, name: str) -> None:
        say, seat = self.context.say, self.lineup.seats[number]
        canvas.panel(cell, NIGHT, 10, alpha=200)
        inner = inset(cell, canvas.px(8), canvas.px(3))
        face, words = cut_left(inner, min(inner.height, canvas.px(42)), canvas.px(8))
        canvas.blit(avatar(name, face.width, seat.level is not None), center=face.center)
        canvas.spot(f"seat:{number}", cell)
        if seat.level is None and not seat.phone:
            written(canvas, words, name, 20, INK)
            return
        top, low = cut_top(words, words.height * 11 // 20)
        canvas.text(name, top, 20, INK, "bold", align="left", valign="bottom", shrink=0.6)
        kind = level_of(self.lineup, seat, say) if seat.level else say("players.phone")
        canvas.text(kind, low, 16, INK_SOFT, align="left", valign="top", shrink=0.7)


def _face(name: str, computer: bool) -> Callable[[int], Surface]:
    return lambda size: avatar(name, size, computer)

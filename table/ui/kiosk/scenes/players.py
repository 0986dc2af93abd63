"""The line-up: seats on the left, people and computers to add on the right, and Start once there are enough players.

Pressing End twice starts a game: the likely players are already seated, and Start is the first entry.
"""

from collections.abc import Callable
from functools import partial

from pygame import Rect, Surface

from table.games import bots
from table.session.lineup import Lineup, Seat, guest, level_of
from table.text import game_texts
from table.ui.kiosk.boards.plates import written
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.frame import Caps
from table.ui.kiosk.gestures import Gesture, Touched
from table.ui.kiosk.layout import cut_left, cut_top, grid, inset
from table.ui.kiosk.lists import Row
from table.ui.kiosk.picker import place_in
from table.ui.kiosk.pieces import avatar, emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.keyboard import Keyboard
from table.ui.kiosk.scenes.listing import Entry, Heading, Listing
from table.ui.kiosk.scenes.options import options
from table.ui.kiosk.style import INK, INK_FAINT, INK_SOFT, NIGHT


class Players(Scene):
    def __init__(self, context: KioskContext, lineup: Lineup) -> None:
        from table.ui.kiosk.scenes.games import games

        self.context = context
        context.room.lobby.propose(lineup)
        self._list = Listing(
            context, self._heading, self._entries, lambda _: games(context), aside=self._draw_seats, beside=45
        )

    @property
    def lineup(self) -> Lineup:
        """The line-up of the room, which includes the people who have joined by phone."""
        return self.context.room.lobby.lineup

    @lineup.setter
    def lineup(self, lineup: Lineup) -> None:
        self.context.room.lobby.lineup = lineup

    def _heading(self) -> Heading:
        game, say = self.lineup.game.id, self.context.say
        return Heading(f"{game_texts.name(game, say)}: {say('players.title')}", mark=partial(emblem, game))

    def _entries(self) -> list[Entry]:
        say, lineup = self.context.say, self.lineup
        names = lineup.names()
        seated = {seat.name for seat in lineup.seats if seat.level is None}
        found = []
        if not lineup.missing:
            start = Row(say("players.start"))
            found.append(Entry(start, lambda _: options(self.context, self.lineup, self), "start"))
        if not lineup.full:
            row = Row(say("players.computer"), mark=_face("", True))
            found.append(Entry(row, lambda _: self._computers(), "computer"))
            row = Row(say("players.guest"), mark=_face("?", False))
            found.append(Entry(row, lambda now: self._seat(guest(self.lineup.seats, say), now), "guest"))
            row = Row(say("players.new"), mark=_face("+", False))
            found.append(Entry(row, lambda _: Keyboard(self.context, self, self.named), "new"))
            for player in self.context.history.players:
                if player.name not in seated:
                    wins = say("many.wins", count=sum(player.won.values()))
                    row = Row(player.name, wins, mark=_face(player.name, False))
                    found.append(Entry(row, partial(self._seat, Seat(player.name)), f"known {player.name}"))
        if lineup.seats:
            row = Row(say("players.remove"), names[-1])
            found.append(Entry(row, lambda _: self._free(len(self.lineup.seats) - 1), "remove"))
        return found

    def _computers(self) -> Scene:
        """Lists the computer levels, the strongest first."""

        def entries() -> list[Entry]:
            say, game = self.context.say, self.lineup.game.id
            return [
                Entry(
                    Row(game_texts.level_name(level, say, game), help=game_texts.level_help(level, say, game)),
                    partial(self._seat, Seat("", level)),
                )
                for level in reversed(bots.levels(game))
            ]

        heading = lambda: Heading(self.context.say("players.which_computer"), mark=_face("", True))  # noqa: E731
        return Listing(self.context, heading, entries, lambda _: self)

    def named(self, name: str, now: float) -> Scene:
        """Seats the person who typed a name. No one is seated twice, and a known name keeps its spelling."""
        if name.casefold() in {seat.name.casefold() for seat in self.lineup.seats if seat.level is None}:
            return self
        known = {player.name.casefold(): player.name for player in self.context.history.players}
        return self._seat(Seat(known.get(name.casefold(), name)), now)

    def _seat(self, seat: Seat, now: float) -> Scene:
        if not self.lineup.full:
            self.lineup = self.lineup.with_seat(seat)
        if self.lineup.full:  # no one else can be added, so the next End starts the game instead of removing a player
            self._list.to_first()
        return self

    def _free(self, place: int) -> Scene:
        self.lineup = self.lineup.without(place)
        return self

    def handle(self, gesture: Gesture, now: float) -> Scene:
        place = place_in("seat", gesture.spot) if isinstance(gesture, Touched) else None
        if place is not None and place < len(self.lineup.seats):
            self.context.sounds.play("back")
            return self._free(place)
        after = self._list.handle(gesture, now)
        return self if after is self._list else after

    def caps(self, now: float) -> Caps:
        return self._list.caps(now)

    def draw(self, canvas: Canvas, now: float) -> None:
        self._list.draw(canvas, now)

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
            # Seats are numbered down the columns, the way people read lists.
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

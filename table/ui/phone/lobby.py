"""The lobby of a room: the players and options of the next game, until it begins.

Its one rule: the line-up is a frozen value. The functions below return a changed copy of the line-up or raise Refused.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

from table.engine import options
from table.engine.asks import Game
from table.engine.errors import Refused
from table.engine.fields import kind_of, right
from table.engine.names import clean, made_good
from table.games import GAMES, bots
from table.session.lineup import Lineup, Seat, seats_in
from table.session.session import Session
from table.ui.phone.people import Person, Register


def first_game() -> Game:
    """The first game that can be played with cups, because phones suit hidden dice best."""
    with_cups = (
        game for game in GAMES.values() if any(o.get("of") == options.SEATS for o in options.describe(game.options))
    )
    return next(with_cups, next(iter(GAMES.values())))


class Lobby:
    def __init__(self, session: Session, register: Register) -> None:
        self.lineup = Lineup(first_game())
        self._session = session
        self._register = register

    def only_here(self) -> None:
        """Raises Refused while a game is on."""
        if self._session.match is not None:
            raise Refused("refused.not_in_lobby")

    def arrange(self, change: Callable[[Lineup], Lineup]) -> None:
        """Applies a change by the host."""
        self.only_here()
        self.lineup = change(self.lineup)

    def play(self, game: str) -> None:
        self.arrange(lambda lineup: with_game(lineup, game))
        self.seat(self._register.here)

    def propose(self, lineup: Lineup) -> None:
        """Applies a line-up selected at the table, and seats the connected phones. If no phone is in the line-up, the
        phones replace the guests and, if there are several phones, the computers."""
        here = self._register.here
        seats = [seat for seat in lineup.seats if not seat.phone or seat.phone in {person.id for person in here}]
        if here and not any(seat.phone for seat in seats):
            seats = [seat for seat in seats if not seat.guest and (len(here) == 1 or not seat.level)]
        self.lineup = replace(lineup, seats=tuple(seats))
        self.seat(here)

    def seat(self, people: Iterable[Person]) -> None:
        """Gives a seat to everyone who has none, as long as seats are free."""
        for person in people if self._session.match is None else ():
            if not self.lineup.full and person.id not in {seat.phone for seat in self.lineup.seats}:
                self.lineup = self.lineup.with_seat(Seat(person.name, phone=person.id))

    def leave(self, person: Person) -> None:
        self.lineup = replace(self.lineup, seats=tuple(one for one in self.lineup.seats if one.phone != person.id))

    def call(self, person: Person, name: str) -> None:
        """Renames a person; the name is altered if another player has it."""
        person.name = self.unused(name, person)
        seats = (replace(one, name=person.name) if one.phone == person.id else one for one in self.lineup.seats)
        self.lineup = replace(self.lineup, seats=tuple(seats))

    def unused(self, name: str, own: Person | None = None) -> str:
        others = [person.name for person in self._register.people.values() if person is not own]
        others += [seat.name for seat in self.lineup.seats if not seat.phone and seat.level is None]
        return made_good([*others, clean(name) or "Player"])[-1]

    def waits_for(self) -> list[str]:
        """The people who are not ready. The host counts as ready."""
        people = [self._register.people.get(seat.phone) for seat in self.lineup.seats]
        return [one.name for one in people if one and one.id != self._register.host and not (one.ready and one.here)]


def with_game(lineup: Lineup, game: str) -> Lineup:
    """A line-up for another game with the same people, as far as that game has seats for them."""
    if game not in GAMES:
        raise Refused("refused.no_such_game")
    if game == lineup.game.id:
        return lineup
    return Lineup(GAMES[game], seats_in(GAMES[game], lineup.seats[: GAMES[game].seats[1]]))


def with_option(lineup: Lineup, name: str, value: Any) -> Lineup:
    known = {options.name_of(option): kind_of(option) for option in fields(lineup.game.options)}
    # List options cannot be changed here: past wins, which the table counts itself, and real cups, which need real
    # dice at the table.
    _only_if(name in known and known[name].type != "list" and right(known[name], value))
    return replace(lineup, options={**lineup.options, name: value})


def with_computer(lineup: Lineup, level: str) -> Lineup:
    _only_if(level in bots.levels(lineup.game.id) and not lineup.full)
    return lineup.with_seat(Seat("", level))


def moved(lineup: Lineup, place: int, to: int) -> Lineup:
    seats = list(lineup.seats)
    _only_if(0 <= place < len(seats) and 0 <= to < len(seats))
    seats.insert(to, seats.pop(place))
    return replace(lineup, seats=tuple(seats))


def dropped(lineup: Lineup, place: int) -> Lineup:
    """Removes the seat; its player can still watch."""
    _only_if(0 <= place < len(lineup.seats))
    return lineup.without(place)


def replaced(lineup: Lineup, place: int, level: str) -> Lineup:
    """Replaces the seat's player with a computer."""
    _only_if(0 <= place < len(lineup.seats) and level in bots.levels(lineup.game.id))
    return replace(lineup, seats=(*lineup.seats[:place], Seat("", level), *lineup.seats[place + 1 :]))


def _only_if(offered: bool) -> None:
    if not offered:
        raise Refused("refused.not_offered")

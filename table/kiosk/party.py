"""Who is about to play what: from the choice of a game to its first ask, and again for a rematch.

Its one rule: it is a value. Screens make a new one with what was changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from table.kiosk.desk import Desk
from table.match import Match, begin, fitting, named
from table.rules import GAMES
from table.rules import options as game_options
from table.rules.vocabulary import Game


@dataclass(frozen=True)
class Seat:
    """A person by name, or a computer of a level. Guests are not remembered."""

    name: str
    level: str | None = None
    guest: bool = False


@dataclass(frozen=True)
class Party:
    game: Game
    seats: tuple[Seat, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)  # those that were changed

    @property
    def missing(self) -> int:
        """How many more players the game needs."""
        return max(0, self.game.seats[0] - len(self.seats))

    @property
    def full(self) -> bool:
        return len(self.seats) >= self.game.seats[1]

    def with_seat(self, seat: Seat) -> "Party":
        return replace(self, seats=(*self.seats, seat))

    def without(self, place: int) -> "Party":
        return replace(self, seats=self.seats[:place] + self.seats[place + 1 :])

    def names(self) -> tuple[str, ...]:
        """As they will be called at the table: computers have names too."""
        return named([seat.name for seat in self.seats], [seat.level for seat in self.seats]).names

    def in_force(self) -> dict[str, Any]:
        """Every option of the mode that is played, with its value."""
        given = {name: value for name, value in self.played().items() if name != "cups"}
        checked = game_options.check(self.game.options, given, len(self.seats))
        return {**game_options.in_force(checked), **({"cups": self.options["cups"]} if "cups" in self.options else {})}

    def played(self) -> dict[str, Any]:
        """The options that were changed and are played: those of another mode are left out."""
        given = dict(fitting(self.game, len(self.seats), self.options))
        only = {option["name"]: option.get("only") for option in game_options.describe(self.game.options)}
        defaults = {option["name"]: option["default"] for option in game_options.describe(self.game.options)}
        return {
            name: value
            for name, value in given.items()
            if all(given.get(mode, defaults[mode]) == word for mode, word in (only[name] or {}).items())
        }


def usual(desk: Desk, game: Game) -> Party:
    """The people of the game before, if they fit; otherwise a guest against a computer, or alone where one can."""
    before = desk.last.seats if desk.last else ()
    if before and game.seats[0] <= len(before) <= game.seats[1]:
        return Party(game, before)
    return Party(game, (guest(desk, ()), Seat("", "classic")))


def guest(desk: Desk, seats: tuple[Seat, ...]) -> Seat:
    """One more guest, by a number that no other has."""
    taken = {seat.name for seat in seats}
    names = (desk.say("players.guest_numbered", number=number) for number in range(1, 12))
    return Seat(next(name for name in names if name not in taken), guest=True)


def sit_down(desk: Desk, party: Party) -> None:
    """Begins the game in the hall; Refused says why it cannot."""
    seating = named([seat.name for seat in party.seats], [seat.level for seat in party.seats])
    options = party.played()
    if options.pop("cups", False):
        options["cups"] = seating.people
    if "wins" in {option["name"] for option in game_options.describe(party.game.options)}:
        won = {player.name.casefold(): player.won.get(party.game.id, 0) for player in desk.players}
        guests = {seat.name for seat in party.seats if seat.guest}
        options["wins"] = [
            0 if level or name in guests else won.get(name.casefold(), 0)
            for name, level in zip(seating.names, seating.levels, strict=True)
        ]
    match = Match(
        begin(party.game, seating, options),
        seating,
        tuple(place for place, seat in enumerate(party.seats) if seat.guest),
    )
    desk.hall.begin(match)
    desk.last = party


def again(desk: Desk, match: Match) -> Party:
    """The party of a match that was played, for a rematch after it was gone on with."""
    seats = tuple(
        Seat("" if level else name, level, place in match.guests)
        for place, (name, level) in enumerate(zip(match.seating.names, match.seating.levels, strict=True))
    )
    options = game_options.in_force(match.referee.options)
    options.pop("wins", None)
    return Party(GAMES[match.game.id], seats, options)

"""The players and options of a game, kept from the selection of the game to its first ask, and used again for a
rematch.

Its one rule: a line-up never changes. Screens make changed copies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from table.engine import options as game_options
from table.engine.asks import Game
from table.engine.errors import Refused, RuleFailed
from table.engine.options import PER_SEAT, SEATS
from table.games import GAMES, bots, defect
from table.session.match import Match, admits, begin, fitting, named
from table.session.messages import Player
from table.text import game_texts, guests
from table.text.catalogue import Catalogue

SMALL_STEPS = (*range(11), 12, 15, 20, 30, 50, 100, 200, 300, 500)
# The values offered for options that are numbers.
STEPS = (
    *SMALL_STEPS,
    1000,
    2000,
    3000,
    5000,
    7500,
    10000,
    15000,
    20000,
    50000,
    100000,
)


@dataclass(frozen=True)
class Seat:
    """A person with a name, or a computer with a level. Guests' names are not kept in the records. `phone` is the id
    that a room gives to a person who plays with a phone. A person without this id plays at the table."""

    name: str
    level: str | None = None
    guest: bool = False
    phone: str = ""


@dataclass(frozen=True)
class Lineup:
    game: Game
    seats: tuple[Seat, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)  # only the options that were changed

    @property
    def missing(self) -> int:
        """How many more players the game needs."""
        return max(0, self.game.seats[0] - len(self.seats))

    @property
    def full(self) -> bool:
        return len(self.seats) >= self.game.seats[1]

    def with_seat(self, seat: Seat) -> "Lineup":
        return replace(self, seats=(*self.seats, seat))

    def without(self, place: int) -> "Lineup":
        return replace(self, seats=self.seats[:place] + self.seats[place + 1 :])

    def names(self) -> tuple[str, ...]:
        """The names at the table; computers get names too."""
        return named([seat.name for seat in self.seats], [seat.level for seat in self.seats]).names

    def in_force(self) -> dict[str, Any]:
        """Every option of the selected mode, with its value."""
        cups = game_options.named(self.game.options, SEATS)
        given = {name: value for name, value in self.played().items() if name not in cups}
        checked = game_options.check(self.game.options, given, len(self.seats))
        return {**game_options.in_force(checked), **{name: self.options[name] for name in cups if name in self.options}}

    def played(self) -> dict[str, Any]:
        """The changed options that apply; those of other modes are left out."""
        given = dict(fitting(self.game, len(self.seats), self.options))
        only = {option["name"]: option.get("only") for option in game_options.describe(self.game.options)}
        defaults = {option["name"]: option["default"] for option in game_options.describe(self.game.options)}
        return {
            name: value
            for name, value in given.items()
            if all(given.get(mode, defaults[mode]) == word for mode, word in (only[name] or {}).items())
        }


def usual(before: Lineup | None, game: Game, say: Catalogue) -> Lineup:
    """The previous game's players, if this game allows that many; otherwise a guest and one computer."""
    seats = before.seats if before else ()
    if seats and game.seats[0] <= len(seats) <= game.seats[1]:
        return Lineup(game, seats_in(game, seats))
    return Lineup(game, (guest((), say), Seat("", bots.usual(game.id))))


def seats_in(game: Game, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The same players in another game. A computer whose level the game lacks gets the game's default level."""
    known = (None, *bots.levels(game.id))
    return tuple(seat if seat.level in known else replace(seat, level=bots.usual(game.id)) for seat in seats)


def guest(seats: tuple[Seat, ...], say: Catalogue) -> Seat:
    """Another guest, with a number that no other guest has."""
    taken = {seat.name for seat in seats}
    names = (guests.guest_name(number, say) for number in range(1, guests.MOST + 1))
    return Seat(next(name for name in names if name not in taken), guest=True)


def in_language(lineup: Lineup, say: Catalogue) -> Lineup:
    """The same line-up, with the guests' names in this language."""
    at = [place for place, seat in enumerate(lineup.seats) if seat.guest]
    names = guests.in_language([seat.name for seat in lineup.seats], at, say)
    seats = (replace(seat, name=name) for seat, name in zip(lineup.seats, names, strict=True))
    return replace(lineup, seats=tuple(seats))


def match_of(lineup: Lineup, known: Sequence[Player]) -> Match:
    """The match for this line-up, with each player's previous wins if the game uses them. Raises Refused if it cannot
    start."""
    seating = named([seat.name for seat in lineup.seats], [seat.level for seat in lineup.seats])
    options = lineup.played()
    for name in game_options.named(lineup.game.options, SEATS):
        if options.pop(name, False):
            options[name] = seating.people
    for name in game_options.named(lineup.game.options, PER_SEAT):
        won = {player.name.casefold(): player.won.get(lineup.game.id, 0) for player in known}
        unknown = {seat.name for seat in lineup.seats if seat.guest}
        options[name] = [
            0 if level or who in unknown else won.get(who.casefold(), 0)
            for who, level in zip(seating.names, seating.levels, strict=True)
        ]
    guests_at = tuple(place for place, seat in enumerate(lineup.seats) if seat.guest)
    try:
        return Match(begin(lineup.game, seating, options), seating, guests_at)
    except RuleFailed as failed:
        # The screen does not show where the rules failed, so report it here.
        defect(f"{lineup.game.id}: rules", failed.what)
        raise Refused("play.fault_rules") from failed


def again(match: Match) -> Lineup:
    """The line-up of a played match, for a rematch after a resumed game."""
    seats = tuple(
        Seat("" if level else name, level, place in match.guests)
        for place, (name, level) in enumerate(zip(match.seating.names, match.seating.levels, strict=True))
    )
    options = game_options.in_force(match.referee.options)
    for name in game_options.named(match.game.options, PER_SEAT):
        options.pop(name, None)
    return Lineup(GAMES[match.game.id], seats, options)


def offered(option: Mapping[str, Any], lineup: Lineup) -> list[Any]:
    """The values of an option (as described by `options.describe`) that these players can select."""
    if option.get("of") == SEATS:  # either all people have a real cup, or no one
        return [False, True]
    if "values" in option:
        seats, played, name = len(lineup.seats), lineup.played(), option["name"]
        # Values that select another mode are always offered, because that mode has its own limits.
        return [value for value in option["values"] if admits(lineup.game, seats, {**played, name: value}, True)]
    inside = [step for step in STEPS if option["min"] <= step <= option["max"]]
    return sorted({option["min"], *inside, option["max"], option["default"]})


def shown(game: Game, option: Mapping[str, Any], value: Any, say: Catalogue) -> str:
    """The value of an option in words."""
    if option.get("of") == SEATS:
        return say("value.everybody" if value else "value.nobody")
    if isinstance(value, bool):
        return say("value.yes" if value else "value.no")
    return game_texts.option_value(game.id, option["name"], value, say) if isinstance(value, str) else str(value)


def level_of(lineup: Lineup, seat: Seat, say: Catalogue) -> str:
    """The name of a computer's level; a perfect computer is marked as estimating if the game is not solved."""
    name = game_texts.level_name(seat.level or "", say, lineup.game.id)
    return say("level.estimate", level=name) if seat.level == "perfect" and estimates(lineup) else name


def estimates(lineup: Lineup) -> bool:
    """Whether there is a perfect computer, although this game is not solved for these options and players."""
    if lineup.missing or all(seat.level != "perfect" for seat in lineup.seats):
        return False
    return not bots.solved(lineup.game.id, lineup.in_force(), len(lineup.seats))


def counted(known: Sequence[Player], match: Match) -> tuple[Player, ...]:
    """The known players after this match: each named player has played one more game, and each winner has one more
    win."""
    players, game = {player.name: player for player in known}, match.game.id
    for seat in match.sat_down:
        if seat in match.guests:
            continue
        name = match.referee.players[seat]
        old = players.pop(name, Player(name, {}, {}))
        played = {**old.played, game: old.played.get(game, 0) + 1}
        won = {**old.won, game: old.won.get(game, 0) + (seat in match.winners)}
        players = {name: Player(name, played, won), **players}
    return tuple(players.values())

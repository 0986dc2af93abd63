"""A match: one game, the players at its seats, and each seat's hidden dice.

Its one rule: it queries the referee and changes nothing by itself. The session or the terminal gives the answers.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from table import games
from table.engine import options as game_options
from table.engine import referee
from table.engine.asks import Answer, Ask, Choose, Event, Game, Over, Roll, View, rolls
from table.engine.errors import NoTable, Refused, RuleFailed, Unfit, did_you_mean, shown
from table.engine.names import clean, made_good
from table.engine.places import Places
from table.engine.referee import Referee
from table.games import bots

COMPUTERS = ("Dot", "Pip", "Cubo", "Domino", "Tumble", "Rolo", "Lucky", "Bones", "Pepper", "Clover")


@dataclass(frozen=True)
class Seating:
    """The name at each seat, and the level of the computer there, or None for a person."""

    names: tuple[str, ...]
    levels: tuple[str | None, ...]

    @property
    def people(self) -> list[int]:
        return [seat for seat, level in enumerate(self.levels) if level is None]

    @property
    def computers(self) -> frozenset[int]:
        return frozenset(seat for seat, level in enumerate(self.levels) if level is not None)


Rolled = Literal["", "real", "camera", "confirmed", "corrected"]
"""How the dice of an answer were rolled: by the table (or the answer is not a roll), by people with real dice, or by
people under a camera, whose reading was taken without asking, was confirmed, or was corrected."""


class News(NamedTuple):
    """One answer and what it changed. During the game, news contains only public information, so a hidden roll has no
    answer. After the game, the news is complete."""

    number: int
    ask: Ask | None  # None if the events came before the first answer
    answer: Answer | None
    events: tuple[Event, ...]
    before: View
    after: View
    rolled: Rolled = ""  # known only when the dice have just been rolled, so a replay shows all dice as the table's


def public(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events that everyone can see."""
    return tuple(event for event in events if event.visible_to(None))


def public_news(
    number: int,
    ask: Ask | None,
    answer: Answer | None,
    events: Iterable[Event],
    before: View,
    after: View,
    rolled: Rolled = "",
) -> News:
    """The news with only public information."""
    hidden = isinstance(ask, Roll) and ask.hidden
    return News(number, ask, None if hidden else answer, public(events), before, after, "" if hidden else rolled)


@dataclass(frozen=True)
class Match:
    """A game being played. `guests` are the seats of people whose names are not kept in the records. `sat_down` are the
    seats that people had at the start. The game counts for these people, even if a computer stands in for them."""

    referee: Referee
    seating: Seating
    guests: tuple[int, ...] = ()
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    sat_down: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "sat_down", self.sat_down or tuple(self.seating.people))

    @property
    def game(self) -> Game:
        return self.referee.game

    @property
    def alone(self) -> bool:
        """Whether only one person plays, so that there is no one to hide dice from."""
        return len(self.seating.people) == 1

    @property
    def level(self) -> str | None:
        """The level of the computer whose answer is pending; None for a person or a finished game."""
        seat = getattr(self.referee.ask, "seat", None)
        return None if seat is None else self.seating.levels[seat]

    def hidden_dice(self, seat: int) -> list[int | None]:
        """The seat's dice if that seat can see them and the others cannot."""
        own, public = (self.referee.view(viewer)["dice"][seat] for viewer in (seat, None))
        return own if own != public else []

    def under_cup(self, ask: Roll) -> bool:
        """Whether the dice are under a real cup and therefore have to be read now, not rolled."""
        return not ask.hidden and None in self.referee.view(ask.seat)["dice"][ask.seat]

    def thrown_already(self, ask: Roll) -> bool:
        """Whether the player has just chosen to roll, so that the roll needs no press of its own."""
        last, answer = self.referee.history[-1] if self.referee.history else (None, None)
        if not isinstance(last, Choose) or last.seat != ask.seat:
            return False
        return rolls(answer)

    def computers_choice(self) -> Answer:
        """The choice of the computer whose turn it is."""
        return self.thinking()()

    def thinking(self) -> Callable[[], Answer]:
        """Returns a function that computes the choice of the computer whose turn it is. Everything that the function
        needs is copied from the match first, so it can run in a thread.

        If a level cannot play (missing tables, tables of another version, a search that meets hidden dice), the next
        weaker level plays instead: continuing the game matters more than playing at the right level."""
        known, level = bots.levels(self.game.id), self.level
        strongest = known.index(level if level in known else bots.usual(self.game.id))
        ways: list[Callable[[], Answer]] = []
        for weaker in known[strongest::-1]:
            with suppress(Refused):
                ways.append(bots.thinking(weaker, self.referee))

        def choose() -> Answer:
            for way in ways[:-1]:
                with suppress(Refused):
                    return way()
            return ways[-1]()  # the last is "random", which can always play

        return choose

    def prepare(self) -> None:
        """Loads the tables of the level `perfect` before a computer's first turn. Loading takes too long for the thread
        that draws the screen, so it is done in another thread."""
        if "perfect" in self.seating.levels:
            with suppress(NoTable):
                bots.prepare(self.game.id)

    @property
    def places(self) -> Places:
        """The final places; empty until the game is over."""
        return self.referee.ask.places if isinstance(self.referee.ask, Over) else ()

    @property
    def winners(self) -> tuple[int, ...]:
        return self.places[0] if self.places else ()


def seated(seats: Sequence[str], game: Game) -> Seating:
    """Seats people by name; each `computer` or `computer:LEVEL` gets an unused name."""
    referee.check_seats(game.name, game.seats, len(seats))
    levels: list[str | None] = []
    for seat in seats:
        word, _, level = clean(seat).casefold().partition(":")
        if word.strip() != "computer":
            levels.append(None)
            continue
        level = level.strip() or bots.usual(game.id)
        if level not in (known := bots.levels(game.id)):
            near = did_you_mean(level, known)
            why = f"There is no computer level {shown(level)}.{near} The levels are {', '.join(known)}."
            raise Unfit(why, "level", level=level)
        levels.append(level)
    return named(["" if level else seat for seat, level in zip(seats, levels, strict=True)], levels)


def named(people: Sequence[str], levels: Sequence[str | None]) -> Seating:
    """The seating of people and computers. `people` has a name per seat; names at computers' seats are ignored."""
    good = made_good(name if level is None else "" for name, level in zip(people, levels, strict=True))
    taken = {name.casefold() for name, level in zip(good, levels, strict=True) if level is None}
    spare = iter([name for name in COMPUTERS if name.casefold() not in taken] + [f"Computer {n}" for n in range(1, 11)])
    names = (name if level is None else next(spare) for name, level in zip(good, levels, strict=True))
    return Seating(made_good(names), tuple(levels))


def begin(game: Game, seating: Seating, options: Mapping[str, Any], seed: int | None = None) -> Referee:
    """Starts the game. Raises Refused if it cannot start."""
    at_cups = [seat for name in game_options.named(game.options, game_options.SEATS) for seat in options.get(name, ())]
    for seat in at_cups:
        if type(seat) is int and 0 <= seat < len(seating.levels) and seating.levels[seat] is not None:
            who = seating.names[seat]
            why = f"{who} is a computer and cannot lift a real cup. Give cups only to people."
            raise Unfit(why, "cup", name=who)
    return games.new(game.id, seating.names, fitting(game, len(seating.names), options), seed)


def fitting(game: Game, seats: int, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The chosen options. If these options include no mode, and the default mode does not allow this many players, the
    first mode that does is added."""
    if game.seats_with is None:
        return options
    for option in game_options.describe(game.options):
        name = option["name"]
        if option["type"] == "string" and name not in options:
            fits = (value for value in option["values"] if admits(game, seats, {name: value}))
            if (first := next(fits, option["default"])) != option["default"]:
                return {**options, name: first}
    return options


def admits(game: Game, seats: int, options: Mapping[str, Any], otherwise: bool = False) -> bool:
    """Whether this number of players is allowed. Returns `otherwise` if the options are invalid, for example
    because one of them does not belong to the selected mode."""
    try:
        least, most = game.seat_limits(game_options.check(game.options, options, seats))
    except Refused:
        return otherwise
    return least <= seats <= most


def called_anew(match: Match, names: Iterable[tuple[str, str | None]]) -> Match:
    """A finished match with the current names of its people, for a rematch. People whose names were removed become
    guests."""
    seated, guests = list(match.seating.names), set(match.guests)
    for old, new in names:
        for seat in match.sat_down:
            if seated[seat] == old and seat not in guests:
                seated[seat] = new or ""
                guests |= {seat} if new is None else set()
    return replace(match, seating=replace(match.seating, names=tuple(seated)), guests=tuple(sorted(guests)))


def resumed(saved: Mapping[str, Any], levels: Sequence[str | None], guests: Sequence[int], match_id: str) -> Match:
    """Restores a saved match. Raises Refused if it cannot be resumed."""
    try:
        game = games.load(dict(saved))
    except Refused as why:
        failed = why if isinstance(why, RuleFailed) else why.__cause__  # the game's start or a saved answer failed
        if not isinstance(failed, RuleFailed):
            raise
        # The screen does not show where the rules failed, so report it here.
        games.defect(f"{saved['game']}: rules", failed.what)
        raise Refused("play.fault_rules") from failed
    return Match(game, Seating(game.players, tuple(levels)), tuple(guests), match_id)

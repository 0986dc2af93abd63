"""The building blocks of a game: the asks that it yields, the table that it is played on, and its declaration.

A game is a generator. It yields an ask (`Roll`, `Choose` or `Draw`), receives the answer, and returns the seats that
won. Random results are answers too, so the same answers always give the same game.

Nothing here uses I/O, a clock or random numbers. The caller checks every answer before sending it in.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from table.engine.places import Places

Dice = tuple[int, ...]
View = dict[str, Any]
"""What a seat can see, or what everyone can see, as a JSON value."""
Option = str | tuple[str, int | tuple[int, ...]]
"""One choice: a word ("roll"), or a word with a value (("claim", 7), ("bid", (3, 5)))."""


def rolls(option: object) -> bool:
    """Whether this choice rolls dice at once, so that nobody has to press Roll as well."""
    return option == "roll" or bool(to_reroll(option))


def to_reroll(option: object) -> tuple[int, ...]:
    """The places of the dice that the choice ("reroll", places) rolls again; empty for any other choice."""
    match option:
        case ("reroll", tuple(places)):
            return places
    return ()


class Roll(NamedTuple):
    """The seat rolls `count` dice. If hidden, only this seat can see them. The answer is the dice."""

    seat: int
    count: int  # type: ignore[assignment]  # shadows tuple.count, which nobody needs here
    hidden: bool = False


class Choose(NamedTuple):
    """The seat picks one of the options. The answer is that option."""

    seat: int
    options: tuple[Option, ...]


class Draw(NamedTuple):
    """The table draws lots. The answer is all candidates in random order ("order"), or exactly one of them
    ("pick")."""

    kind: Literal["order", "pick"]
    candidates: tuple[int | str, ...]


Ask = Roll | Choose | Draw
Answer = Dice | Option | tuple[int | str, ...]

T = TypeVar("T")
Steps = Generator[Ask, Any, T]
"""A part of a game that returns a T. The whole game returns the winners."""


class Over(NamedTuple):
    """The game has ended. The winners share first place."""

    places: Places

    @property
    def winners(self) -> tuple[int, ...]:
        return self.places[0]


class Event(NamedTuple):
    """Something to announce: to everyone, or only to the seats in `to`.

    `table` is the view at the moment when the rules reported the event, or None if the answer was given without
    `watch`."""

    kind: str
    facts: dict[str, Any]
    to: tuple[int, ...] | None = None
    table: View | None = None

    def visible_to(self, seat: int | None) -> bool:
        return self.to is None or seat in self.to


class Hands:
    """The dice in front of each seat. Nothing else on the table holds hidden dice.

    A die under a real cup is None, because only its owner can see it.
    """

    def __init__(self, seats: int) -> None:
        self._dice: list[tuple[int | None, ...]] = [()] * seats
        self._hidden = [False] * seats

    def __getitem__(self, seat: int) -> Dice:
        return self._dice[seat]  # type: ignore[return-value]  # the rules read dice only once their cup has been lifted

    def lay(self, seat: int, dice: Iterable[int | None], hidden: bool = False) -> None:
        self._dice[seat] = tuple(dice)
        self._hidden[seat] = hidden

    def reveal(self, seat: int) -> None:
        self._hidden[seat] = False

    def clear(self) -> None:
        self._dice = [()] * len(self._dice)
        self._hidden = [False] * len(self._hidden)

    def seen_by(self, viewer: int | None) -> list[list[int | None]]:
        """The dice of every seat, with None for each die that the viewer must not see. A viewer of None gives the
        public view."""
        return [
            [None] * len(dice) if hidden and seat != viewer else list(dice)
            for seat, (dice, hidden) in enumerate(zip(self._dice, self._hidden, strict=True))
        ]


class Table:
    """The state of a game: seats, round, standing, board and hands. Everything is public except hidden hands."""

    def __init__(self, seats: int) -> None:
        self.seats = range(seats)
        self.round = 1
        self.standing: list[Any] = [None] * seats  # each seat's score: points, lives, dice or whatever the game counts
        self.board: Any = None  # the game's own dataclass of public facts, if it has any
        self.hands = Hands(seats)
        self.gone: list[int] = []  # seats that are out, in the order in which they went out
        self.events: list[Event] = []
        self.watch: Callable[[], View] | None = None

    def tell(self, kind: str, /, **facts: Any) -> None:
        watch = self.watch
        self.events.append(Event(kind, facts, None, watch()) if watch else Event(kind, facts))

    def out(self, seat: int) -> None:
        """Removes the seat from play. It ranks below everyone still playing and everyone who goes out later."""
        self.gone.append(seat)
        self.tell("out", seat=seat)


@dataclass(frozen=True)
class Game:
    """A game, as the menu and the referee know it."""

    id: str
    name: str
    summary: str
    seats: tuple[int, int]
    dice: int  # the most dice in one roll
    options: type  # a frozen dataclass made with the fields from options.py
    play: Callable[[Table, Any], Steps[tuple[int, ...]]]
    version: int = 1  # increased when the same answers no longer give the same game
    seats_with: Callable[[Any], tuple[int, int]] | None = None  # the limits on seats, if they depend on the options
    fewest_first: bool = False  # among the losers, a lower standing ranks higher

    @property
    def package(self) -> str:
        """The Python package of the rules."""
        return self.play.__module__.rpartition(".")[0] or self.play.__module__

    def seat_limits(self, options: Any) -> tuple[int, int]:
        return self.seats_with(options) if self.seats_with else self.seats

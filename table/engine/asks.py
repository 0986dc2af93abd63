"""What a game is written in: the asks it yields, the table it plays on, and how it is declared.

A game is a generator. It yields an ask (`Roll`, `Choose` or `Draw`), is sent the answer, and returns the seats
that won. Chance is asked for like everything else, so the same answers always give the same game.

The one rule of this room: no I/O, no clock, no random. Whoever runs a game has checked an answer before it is sent in.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from table.engine.places import Places

Dice = tuple[int, ...]
View = dict[str, Any]
"""What a seat, or everybody, may see: a JSON value."""
Option = str | tuple[str, int | tuple[int, ...]]
"""What can be chosen: a word ("roll"), or a word with a value (("claim", 7), ("bid", (3, 5)))."""


class Roll(NamedTuple):
    """That seat rolls so many dice. Hidden: only that seat may see them. Answered by the dice."""

    seat: int
    count: int  # type: ignore[assignment]  # the word for it; a tuple's own count is of no use here
    hidden: bool = False


class Choose(NamedTuple):
    """That seat picks one of the options. Answered by the option."""

    seat: int
    options: tuple[Option, ...]


class Draw(NamedTuple):
    """The table draws. Answered by all the candidates in an order, or ("pick") by exactly one of them."""

    kind: Literal["order", "pick"]
    candidates: tuple[int | str, ...]


Ask = Roll | Choose | Draw
Answer = Dice | Option | tuple[int | str, ...]

T = TypeVar("T")
Steps = Generator[Ask, Any, T]
"""A stretch of a game that ends in a T; the whole of it ends in the winners."""


class Over(NamedTuple):
    """Nothing more is asked. The winners share the first place."""

    places: Places

    @property
    def winners(self) -> tuple[int, ...]:
        return self.places[0]


class Event(NamedTuple):
    """Something worth telling the people who watch; with `to`, those seats only."""

    kind: str
    facts: dict[str, Any]
    to: tuple[int, ...] | None = None

    def visible_to(self, seat: int | None) -> bool:
        return self.to is None or seat in self.to


class Hands:
    """The dice in front of each seat, and the only place where dice live that not everybody may know.

    A die is None where nobody but its owner can know it: it lies under a real cup.
    """

    def __init__(self, seats: int) -> None:
        self._dice: list[tuple[int | None, ...]] = [()] * seats
        self._hidden = [False] * seats

    def __getitem__(self, seat: int) -> Dice:
        return self._dice[seat]  # type: ignore[return-value]  # rules read a cup's dice only once it was lifted

    def lay(self, seat: int, dice: Iterable[int | None], hidden: bool = False) -> None:
        self._dice[seat] = tuple(dice)
        self._hidden[seat] = hidden

    def reveal(self, seat: int) -> None:
        self._hidden[seat] = False

    def clear(self) -> None:
        self._dice = [()] * len(self._dice)
        self._hidden = [False] * len(self._hidden)

    def seen_by(self, viewer: int | None) -> list[list[int | None]]:
        """The dice of every seat, None for each one that the viewer (None: everybody) may not know."""
        return [
            [None] * len(dice) if hidden and seat != viewer else list(dice)
            for seat, (dice, hidden) in enumerate(zip(self._dice, self._hidden, strict=True))
        ]


class Table:
    """What a game is played on. All of it is public but the hands that are hidden."""

    def __init__(self, seats: int) -> None:
        self.seats = range(seats)
        self.round = 1
        self.standing: list[Any] = [None] * seats  # the one number a seat that the game is about
        self.board: Any = None  # the game's own dataclass of what everybody may see
        self.hands = Hands(seats)
        self.gone: list[int] = []  # the seats that are out, in the order in which they went
        self.events: list[Event] = []

    def tell(self, kind: str, /, **facts: Any) -> None:
        self.events.append(Event(kind, facts))

    def out(self, seat: int) -> None:
        """That seat plays no more: everybody still in, and whoever goes later, is placed higher."""
        self.gone.append(seat)
        self.tell("out", seat=seat)


@dataclass(frozen=True)
class Game:
    """A game as the menu and the referee know it."""

    id: str
    name: str
    summary: str
    seats: tuple[int, int]
    dice: int  # the most thrown at once
    options: type  # a frozen dataclass made with the fields of options.py
    play: Callable[[Table, Any], Steps[tuple[int, ...]]]
    version: int = 1  # goes up when the same answers no longer give the same game
    seats_with: Callable[[Any], tuple[int, int]] | None = None  # narrower limits under some options
    fewest_first: bool = False  # of two who did not win, the one with the lower standing is placed higher

    def seat_limits(self, options: Any) -> tuple[int, int]:
        return self.seats_with(options) if self.seats_with else self.seats

"""Real dice without a camera: people roll them and enter the values.

Its one rule: it answers only the pending ask, with the requested number of dice. A refusal never repeats the entered
values, because they might be hidden.
"""

from collections.abc import Iterable, Sequence

from table.devices.source import DiceSource
from table.engine.asks import Roll
from table.engine.errors import Refused
from table.session.messages import DiceRead, Post, SeenDie


class TypedDice(DiceSource):
    name = "typed"
    entered = True
    reads_cups = True

    def __init__(self, post: Post) -> None:
        self._post = post
        self._asked: tuple[int, Roll] | None = None

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        self._asked = (ticket, roll)

    def enter(self, dice: Iterable[int], seen: Sequence[SeenDie | None] = ()) -> None:
        """Accepts the values in any order."""
        if self._asked is None:
            raise Refused("No roll is needed now.")
        ticket, roll = self._asked
        entered = tuple(dice)
        if len(entered) != roll.count or any(type(die) is not int or not 1 <= die <= 6 for die in entered):
            count = "one die" if roll.count == 1 else f"{roll.count} dice"
            raise Refused(f"Enter {count}, from 1 to 6{'' if roll.count == 1 else ' each'}.")
        self._asked = None
        self._post(DiceRead(self.name, ticket, entered))

    def cancel(self) -> None:
        self._asked = None

    def close(self) -> None:
        self._asked = None

"""Real dice without a camera: people throw them and enter what they see.

Its one rule: it answers only what it was asked, with as many dice as were asked for. What was entered is not said again
in a refusal, for it may lie under a cup.
"""

from collections.abc import Iterable

from table.devices.source import DiceSource
from table.engine.asks import Roll
from table.engine.errors import Refused
from table.session.messages import DiceRead, Post


class TypedDice(DiceSource):
    name = "typed"
    entered = True
    reads_cups = True

    def __init__(self, post: Post) -> None:
        self._post = post
        self._asked: tuple[int, Roll] | None = None

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        self._asked = (ticket, roll)

    def enter(self, dice: Iterable[int]) -> None:
        """What the people threw, in any order they like."""
        if self._asked is None:
            raise Refused("Nobody is to throw now.")
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

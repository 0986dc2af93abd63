"""What is attached to the table: where its dice come from, and its two buttons.

The one rule of this room: a device posts messages and changes nothing itself. A dice source is asked and answers later;
the rest of the table knows it by its name only.
"""

from collections.abc import Callable
from typing import Protocol

from table.devices.simulated import SimulatedDice
from table.devices.typed import TypedDice
from table.errors import Refused, did_you_mean, shown
from table.messages import Post
from table.rules.vocabulary import Roll


class DiceSource(Protocol):
    """Where dice come from. Each ask is answered by one DiceRead with its name and ticket, or by none if cancelled."""

    name: str
    private: bool  # nobody sees the dice before the table shows them, so that it can throw hidden ones

    def ask(self, ticket: int, roll: Roll) -> None:
        """Throw, or wait for a throw. A new ask takes the place of the one before."""

    def cancel(self) -> None:
        """Nobody waits for the dice any more."""

    def close(self) -> None: ...


SOURCES: dict[str, Callable[[Post], DiceSource]] = {  # in menu order
    SimulatedDice.name: SimulatedDice,
    TypedDice.name: TypedDice,
}


def make(name: str, post: Post) -> DiceSource:
    if name not in SOURCES:
        known = ", ".join(SOURCES)
        raise Refused(f"There is no dice source {shown(name)}.{did_you_mean(name, SOURCES)} There are {known}.")
    return SOURCES[name](post)

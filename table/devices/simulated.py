"""Dice that the machine throws itself, at once.

Its one rule: every face is as likely as any other, and nothing that was thrown before says what comes next.
"""

import random
import secrets

from table.devices.source import DiceSource
from table.engine.asks import Roll
from table.session.messages import DiceRead, Post


class SimulatedDice(DiceSource):
    name = "simulated"
    instant = True

    def __init__(self, post: Post, chance: random.Random | None = None) -> None:
        """`chance` is for a game that has to go the same way again; otherwise the system's own randomness throws."""
        self._post = post
        self._chance = chance or secrets.SystemRandom()

    def private(self, seat: int) -> bool:
        return True

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        dice = tuple(self._chance.randint(1, 6) for _ in range(roll.count))
        self._post(DiceRead(self.name, ticket, dice))

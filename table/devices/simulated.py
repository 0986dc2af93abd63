"""Dice that the computer rolls at once.

Its one rule: every face is equally likely, and rolls are independent.
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
        """`chance` makes a game repeatable; by default, rolls use the system's randomness."""
        self._post = post
        self._chance = chance or secrets.SystemRandom()

    def private(self, seat: int) -> bool:
        return True

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        dice = tuple(self._chance.randint(1, 6) for _ in range(roll.count))
        self._post(DiceRead(self.name, ticket, dice))

"""Computer players. Each is given its seat's view, the options and (to choose) a generator, and nothing else.

A level is a policy: the chances with which it would choose each option. Choosing is drawing from them, so what a
computer does and what it says it would do cannot differ.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from table.bots import bluff, cacho, cheese, mexico, pocoloco
from table.errors import Refused, shown
from table.rules.vocabulary import Option, View

Policy = Callable[[View, Sequence[Option]], list[float]]


def uniform(view: View, options: Sequence[Option]) -> list[float]:
    """Everything alike."""
    return [1 / len(options)] * len(options)


CLASSIC: dict[str, Policy] = {
    "mexico": mexico.classic,
    "bluff": bluff.classic,
    "pocoloco": pocoloco.classic,
    "cheese": cheese.classic,
    "cacho": cacho.classic,
}
LEVELS: dict[str, dict[str, Policy]] = {"random": dict.fromkeys(CLASSIC, uniform), "classic": CLASSIC}
"""Each level's policies, by the id of the game."""


def policy(level: Any, view: View, options: Sequence[Option]) -> list[float]:
    """The chances with which that level would choose each of the options."""
    if not isinstance(level, str) or level not in LEVELS:
        raise Refused(f"There is no level {shown(level)}: the levels are {', '.join(LEVELS)}.")
    return LEVELS[level][view["game"]](view, options)


def choose(level: Any, view: View, options: Sequence[Option], chance: random.Random) -> Option:
    return chance.choices(options, policy(level, view, options))[0]

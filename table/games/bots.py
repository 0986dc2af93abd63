"""Computer players. Each is given its seat's view, the options and (to choose) a generator, and nothing else.

A level is a policy: the chances with which it would choose each option. Choosing is drawing from them, so what a
computer does and what it says it would do cannot differ.

One file a game holds the levels that go by a rule of thumb or by plain odds. The mathematics stand in perfect/, a file
a game too, which is imported, with numpy and its tables, when somebody first plays or asks for it.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from table.engine.asks import Option, View
from table.engine.errors import Refused, shown
from table.games import own_part, part

Policy = Callable[[View, Sequence[Option]], list[float]]

LEVELS = ("random", "easy", "classic", "sharp", "perfect")
"""From the weakest to the strongest."""
WITHOUT_TABLES = "sharp"
"""The strongest that needs nothing but this code."""

TABLED = ("cheese", "pocoloco", "bluff", "cacho")
"""Games that perfect plays by a table, `table.npz` in their folder. Mexico's rounds are solved when they are played."""


def uniform(view: View, options: Sequence[Option]) -> list[float]:
    """Everything alike."""
    return [1 / len(options)] * len(options)


def policy(level: Any, view: View, options: Sequence[Option]) -> list[float]:
    """The chances with which that level would choose each of the options."""
    return _policy(level, view["game"])(view, options)


def choose(level: Any, view: View, options: Sequence[Option], chance: random.Random) -> Option:
    return chance.choices(options, policy(level, view, options))[0]


def win(view: View, options: Sequence[Option]) -> list[float]:
    """The seat's chance to win the game after each option, as perfect sees it: exact where the game is solved, an
    estimate elsewhere."""
    chances: list[float] = _perfect(view["game"]).win(view, options)
    return [min(1.0, max(0.0, chance)) for chance in chances]  # sums of many floats


def fair(view: View) -> float:
    """The seat's chance to win before anything was thrown, if all play perfectly."""
    chance: float = _perfect(view["game"]).fair(view)
    return chance


def solved(game: str, options: Mapping[str, Any], seats: int) -> bool:
    """Whether perfect is perfect there. Elsewhere it plays by the same tables as well as they go."""
    return bool(part(game, "bots").solved(options, seats))


def prepare(game: str) -> None:
    """Loads what perfect reckons with, which is otherwise done at its first decision."""
    _perfect(game)
    if game in TABLED:
        import_module("table.games.tables").load(game)


def _policy(level: Any, game: str) -> Policy:
    if not isinstance(level, str) or level not in LEVELS:
        raise Refused(f"There is no level {shown(level)}: the levels are {', '.join(LEVELS)}.")
    if level == "random":
        return uniform
    found: Policy = getattr(_perfect(game) if level == "perfect" else part(game, "bots"), level)
    return found


def _perfect(game: str) -> Any:
    return own_part(game, "perfect")

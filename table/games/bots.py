"""Computer players: the levels that a game offers, and what each of them chooses.

A level is a policy: the chances with which it would choose each option, from its seat's view. Choosing is drawing from
them, so what a computer does and what it says it would do cannot differ.

A game's own levels are functions of its `bots` module, named in its LEVELS. `perfect.py` in its folder has the
mathematics, and `table.npz` the tables that `solve.py` builds for it: they are imported, with numpy, when somebody
first plays or asks for that level. Two levels need no code of the game: `random`, and `search`, which tries out the
rules.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from table.engine.asks import Choose, Option, View
from table.engine.errors import NoTable, Refused, shown
from table.engine.referee import Referee
from table.games import BROKEN, BUILT_IN, has_part, own_part, part, search

Policy = Callable[[View, Sequence[Option]], list[float]]


@cache
def levels(game: str) -> tuple[str, ...]:
    """Those of a game, from the weakest to the strongest."""
    own: tuple[str, ...] = part(game, "bots").LEVELS
    if "search" in own and search.hides_dice(game):
        own = tuple(level for level in own if level != "search")
    return ("random", *own, *(["perfect"] if has_part(game, "perfect") else []))


def usual(game: str) -> str:
    """The level of somebody who asks for a computer and names none."""
    return "classic" if "classic" in levels(game) else levels(game)[-1]


def weaker(game: str, level: str) -> str:
    """The next level below, for one that cannot play."""
    known = levels(game)
    return known[max(0, known.index(level) - 1)] if level in known else usual(game)


def choose(level: Any, referee: Referee, chance: random.Random | None = None) -> Option:
    """What that level chooses for the seat that is asked; drawn by the referee's own generator if no other is given."""
    return thinking(level, referee, chance)()


def thinking(level: Any, referee: Referee, chance: random.Random | None = None) -> Callable[[], Option]:
    """Works out that choice. All it needs is taken from the game now, so that a thread can call the result."""
    options, drawn = _asked(referee).options, chance or referee.chance("bot")
    weigh, game = _weighing(level, referee), referee.game

    def think() -> Option:
        try:
            return drawn.choices(options, weigh())[0]
        except Exception as fault:
            if isinstance(fault, Refused) or game.id in BUILT_IN:
                raise
            raise Refused(f"The level {level} of {game.name} failed ({type(fault).__name__}: {fault}).") from fault

    return think


def chances(level: Any, referee: Referee) -> list[float]:
    """The chances with which that level would choose each of the options that are offered now."""
    return _weighing(level, referee)()


def _weighing(level: Any, referee: Referee) -> Callable[[], list[float]]:
    ask = _asked(referee)
    if level == "search" and level in levels(referee.game.id):
        return search.weighing(referee)
    view = referee.view(ask.seat)
    return lambda: policy(level, view, ask.options)


def policy(level: Any, view: View, options: Sequence[Option]) -> list[float]:
    """The same for a level that goes by nothing but a view: all but `search`."""
    return _policy(level, view["game"])(view, options)


def uniform(view: View, options: Sequence[Option]) -> list[float]:
    """The same chance for every option."""
    return [1 / len(options)] * len(options)


def has_perfect(game: str) -> bool:
    """Whether `win`, `fair` and the level `perfect` can be asked for."""
    return "perfect" in levels(game)


def win(view: View, options: Sequence[Option]) -> list[float]:
    """The seat's chance to win the game after each option, as perfect sees it: exact where the game is solved, an
    estimate elsewhere."""
    found: list[float] = _perfect(view["game"]).win(view, options)
    return [min(1.0, max(0.0, chance)) for chance in found]  # sums of many floats


def fair(view: View) -> float:
    """The seat's chance to win before anything was thrown, if all play perfectly: the same for all, unless the game
    knows better."""
    known: Callable[[View], float] | None = getattr(_perfect(view["game"]), "fair", None)
    return known(view) if known else 1 / len(view["players"])


def solved(game: str, options: Mapping[str, Any], seats: int) -> bool:
    """Whether perfect is perfect there. Elsewhere it plays by the same tables as well as they go."""
    return bool(part(game, "bots").solved(options, seats))


def prepare(game: str) -> None:
    """Loads what perfect reckons with, if there is something, which is otherwise done at its first decision."""
    if has_perfect(game):
        _perfect(game)
    if has_part(game, "solve"):
        import_module("table.games.tables").load(game)


def _asked(referee: Referee) -> Choose:
    if not isinstance(referee.ask, Choose):
        raise Refused("Computers only choose: dice and draws are answered automatically.")
    return referee.ask


def _policy(level: Any, game: str) -> Policy:
    known = levels(game)
    if not isinstance(level, str) or level not in known:
        raise Refused(f"There is no level {shown(level)}: the levels are {', '.join(known)}.")
    if level == "random":
        return uniform
    found: Policy = getattr(_perfect(game) if level == "perfect" else part(game, "bots"), level)
    return found


def _perfect(game: str) -> Any:
    found = own_part(game, "perfect")
    if found is None:
        why = BROKEN.get(f"{game}: perfect", "there is none")
        raise NoTable(f"Perfect play of {game} cannot be imported: {why}. Play another level.")
    return found

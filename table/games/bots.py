"""Computer players: the levels of each game, and what they choose.

A level is a policy: it maps a seat's view to a probability for each option. A choice is drawn from these probabilities,
so a computer always plays the policy it reports.

A game's own levels are functions in its `bots` module, named in LEVELS. In the game's folder, `perfect.py` has the
level `perfect`, and `table.npz` has the tables that `solve.py` built for it. Both are loaded, with numpy, when that
level is first used. Two levels need no code from the game: `random`, and `search`, which tries out moves with the
game's rules.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from math import isfinite
from typing import Any

from table.engine.asks import Choose, Option, View
from table.engine.errors import NoTable, Refused, raised_in, shown
from table.engine.referee import Referee
from table.games import BUILT_IN, DEFECTS, GAMES, has_part, own_part, part, search

Policy = Callable[[View, Sequence[Option]], list[float]]


@cache
def levels(game: str) -> tuple[str, ...]:
    """The levels of a game, from weakest to strongest."""
    own: tuple[str, ...] = part(game, "bots").LEVELS
    if "search" in own and search.hides_dice(game):
        own = tuple(level for level in own if level != "search")
    return ("random", *own, *(["perfect"] if has_part(game, "perfect") else []))


def usual(game: str) -> str:
    """The default level of a computer player."""
    return "classic" if "classic" in levels(game) else levels(game)[-1]


def weaker(game: str, level: str) -> str:
    """The next lower level, which is used if this level cannot play."""
    known = levels(game)
    return known[max(0, known.index(level) - 1)] if level in known else usual(game)


def choose(level: Any, referee: Referee, chance: random.Random | None = None) -> Option:
    """The level's choice for the seat whose turn it is. It is drawn with `chance` or, if that is None, with the
    referee's own generator."""
    return thinking(level, referee, chance)()


def thinking(level: Any, referee: Referee, chance: random.Random | None = None) -> Callable[[], Option]:
    """Returns a function that chooses as `choose` does. The function does not read the referee, so it can run in a
    thread."""
    options, drawn = _asked(referee).options, chance or referee.chance("bot")
    weigh = _weighing(level, referee)
    return lambda: drawn.choices(options, weigh())[0]


def chances(level: Any, referee: Referee) -> list[float]:
    """The level's probability for each option of the current ask."""
    return _weighing(level, referee)()


def _weighing(level: Any, referee: Referee) -> Callable[[], list[float]]:
    ask, game = _asked(referee), referee.game.id
    if level == "search" and level in levels(game):
        return partial(_weights, level, game, ask.options, search.weighing(referee))
    view = referee.view(ask.seat)
    return lambda: policy(level, view, ask.options)


def policy(level: Any, view: View, options: Sequence[Option]) -> list[float]:
    """The level's probability for each option, for levels that need only a view: all except `search`."""
    game = view["game"]
    return _weights(level, game, options, lambda: _policy(level, game)(view, options))


def uniform(view: View, options: Sequence[Option]) -> list[float]:
    """Equal probability for every option."""
    return [1 / len(options)] * len(options)


def has_perfect(game: str) -> bool:
    """Whether `win`, `fair` and the level `perfect` are available."""
    return "perfect" in levels(game)


def win(view: View, options: Sequence[Option]) -> list[float]:
    """For each option, the seat's probability of winning if it is chosen and everyone plays perfectly afterwards. It is
    exact if the game is solved, otherwise an estimate."""
    game = view["game"]
    found = _numbers("Perfect play", game, len(options), lambda: _perfect(game).win(view, options))
    return [min(1.0, max(0.0, chance)) for chance in found]  # rounding can push a sum slightly out of this range


def fair(view: View) -> float:
    """The probability, before the first roll, that the seat will win if everyone plays perfectly. It is the same for
    all seats, unless the game has its own `fair`."""
    game = view["game"]
    known: Callable[[View], float] | None = getattr(_perfect(game), "fair", None)
    return _numbers("Perfect play", game, 1, lambda: [known(view)])[0] if known else 1 / len(view["players"])


def solved(game: str, options: Mapping[str, Any], seats: int) -> bool:
    """Whether the level `perfect` is exact with these options, not based on estimates."""
    return bool(part(game, "bots").solved(options, seats))


def missing(game: str) -> list[str]:
    """The functions for computer players that the game's files promise but do not define, such as "bots.sharp"."""
    promised = [("bots", level) for level in levels(game) if level not in ("random", "search", "perfect")]
    promised += [("perfect", "perfect"), ("perfect", "win"), ("solve", "build")]
    found = ((name, function, own_part(game, name)) for name, function in promised)
    return [f"{name}.{function}" for name, function, own in found if own and not hasattr(own, function)]


def prepare(game: str) -> None:
    """Loads what the level `perfect` needs, if the game has it, so that its first decision does not have to wait."""
    if has_perfect(game):
        _perfect(game)
    if has_part(game, "solve"):
        import_module("table.games.tables").load(game)


def _asked(referee: Referee) -> Choose:
    if not isinstance(referee.ask, Choose):
        raise Refused("Computers only choose. Dice and draws are answered automatically.")
    return referee.ask


def _policy(level: Any, game: str) -> Policy:
    known = levels(game)
    if not isinstance(level, str) or level not in known:
        raise Refused(f"There is no level {shown(level)}. The levels are {', '.join(known)}.")
    if level == "random":
        return uniform
    found: Policy = getattr(_perfect(game) if level == "perfect" else part(game, "bots"), level)
    return found


def _weights(level: str, game: str, options: Sequence[Option], weigh: Callable[[], list[float]]) -> list[float]:
    """A level's probabilities for the options, checked so that a choice can be drawn with them."""
    return _numbers(f"The level {level}", game, len(options), weigh, lambda found: min(found) >= 0 < sum(found))


def _numbers(
    what: str,
    game: str,
    count: int,
    compute: Callable[[], list[float]],
    right: Callable[[list[float]], bool] = lambda found: True,
) -> list[float]:
    """Calls a game's code for computer players, which should return `count` numbers. Raises NoTable if another
    package's code fails or returns something else. The error message does not quote the numbers, because they could
    reveal hidden dice."""
    if game in BUILT_IN:
        return compute()
    known = GAMES[game]
    try:
        found = [float(number) for number in compute()]
        if len(found) == count and all(map(isfinite, found)) and right(found):
            return found
        why = f"it gives no valid number for each of {count}"
    except (Refused, KeyboardInterrupt):
        raise
    except BaseException as fault:
        why = type(fault).__name__ + raised_in(fault, known.package)
    raise NoTable(f"{what} of {known.name} failed ({why}). Please tell the author of the game.")


def _perfect(game: str) -> Any:
    found = own_part(game, "perfect")
    if found is None:
        why = DEFECTS.get(f"{game}: perfect", "it does not exist")
        raise NoTable(f"Perfect play of {game} cannot be imported: {why}. Play another level.")
    return found

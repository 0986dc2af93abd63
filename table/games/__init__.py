"""The games, found by id. Each has its own folder.

A game is a package with a module `rules` that defines `GAME`. Its other parts are optional modules: `words`, `board`,
`beats`, `emblem`, `bots`, `analysis`. If a module or a function is missing, `table.games.default` provides it for any
game. Parts are imported on first use, so the rules import nothing heavy.

Other packages add games through an entry point in the group `dicetable.games`, which names such a package (see
docs/add-a-game.md). A game that cannot be imported is listed in `BROKEN` with the reason, and the others still work. If
a part or a text of a game fails, the failure is listed in `DEFECTS`, and the default is used.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from inspect import formatannotation, isfunction
from types import SimpleNamespace
from typing import Any

from table.engine import options as game_options
from table.engine import referee
from table.engine.asks import Game
from table.engine.errors import Refused, did_you_mean, raised_in, shown
from table.engine.referee import Referee
from table.games.kinds import fits

GROUP = "dicetable.games"
BUILT_IN = ("mexico", "bluff", "pocoloco", "cheese", "cacho")  # in menu order; games of other packages follow
PARTS = ("words", "board", "beats", "emblem", "bots", "analysis")

GAMES: dict[str, Game] = {}
BROKEN: dict[str, str] = {}
"""Why a game cannot be imported, by id."""
DEFECTS: dict[str, str] = {}
"""What is wrong with a game that can still be played, by place: "pig: words.tell"."""
_PACKAGES: dict[str, str] = {}


def _register(name: str, package: str) -> None:
    try:
        game = import_module(f"{package}.rules").GAME
        if not isinstance(game, Game) or game.id != name or not re.fullmatch("[a-z][a-z0-9_]*", name):
            raise ValueError(f"its GAME must be a table.engine.asks.Game with the id {name}, in lower case letters")
        if name in GAMES:
            raise ValueError("there is already a game with this id")
        game_options.check(game.options, {}, game.seats[0])
    except KeyboardInterrupt:
        raise
    except BaseException as why:  # another package's code can raise anything, even SystemExit
        BROKEN[name] = described(why, package)
        return
    GAMES[name] = game
    _PACKAGES[name] = package


def register(found: Sequence[EntryPoint]) -> None:
    """Adds the games of other packages."""
    for point in sorted(found, key=lambda point: point.name):
        _register(point.name, point.value)


@cache
def part(game: str, name: str) -> Any:
    """The functions of one part of a game: the game's own, completed with the default ones."""
    default = import_module(f"{__name__}.default.{name}")
    own = own_part(game, name)
    if own is None:
        return default
    found = {**vars(default), **vars(own)}
    if game not in BUILT_IN:
        of_both = (key for key, function in vars(default).items() if isfunction(function) and key in vars(own))
        found |= {key: _guarded(game, f"{name}.{key}", found[key], getattr(default, key)) for key in of_both}
        for key, kind in vars(default).get("__annotations__", {}).items():
            if not fits(found[key], kind):
                defect(f"{game}: {name}.{key}", _wrong(found[key], kind))
                found[key] = getattr(default, key)
    return SimpleNamespace(**found)


def _guarded(game: str, name: str, own: Callable[..., Any], default: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps another package's function. If it fails, or returns a value of another type than the default does, the
    default is called."""
    kind = default.__annotations__["return"]

    def call(*given: Any, **named: Any) -> Any:
        try:
            found = own(*given, **named)
        except KeyboardInterrupt:
            raise
        except BaseException as why:
            defect(f"{game}: {name}", described(why, _PACKAGES[game]))
        else:
            if kind is None or fits(found, kind):  # what a function like `draw` returns is never used
                return found
            defect(f"{game}: {name}", _wrong(found, kind))
        return default(*given, **named)

    return call


def _wrong(found: Any, kind: Any) -> str:
    """Names types only, because the value itself could reveal hidden dice."""
    return f"{formatannotation(kind)} is needed, not {type(found).__name__}"


@cache
def own_part(game: str, name: str) -> Any:
    """The game's own module for this part, or None if it is missing or cannot be imported."""
    try:
        return import_module(f"{_PACKAGES[game]}.{name}") if has_part(game, name) else None
    except KeyboardInterrupt:
        raise
    except BaseException as why:
        if game in BUILT_IN:
            raise
        defect(f"{game}: {name}", described(why, _PACKAGES[game]))
        return None


def defect(where: str, why: str) -> None:
    """Records what is wrong with another package's game, and prints it to stderr once."""
    if where not in DEFECTS:
        DEFECTS[where] = why
        print(f"{where}: {why}", file=sys.stderr)


def described(why: BaseException, package: str) -> str:
    """The exception in one line, with the place in this package that raised it. A SyntaxError already names its
    place."""
    said = f"{type(why).__name__}: {why}" if str(why) else type(why).__name__
    return said if isinstance(why, SyntaxError) else said + raised_in(why, package)


def has_part(game: str, name: str) -> bool:
    """Whether the game has a module of this name. Does not import it."""
    return find_spec(f"{_PACKAGES[game]}.{name}") is not None


def folder(game: str) -> Traversable:
    """The folder with a game's texts, rule pages and tables."""
    return files(_PACKAGES[game])


def find(game_id: str) -> Game:
    if game_id not in GAMES:
        if game_id in BROKEN:
            raise Refused(f"The game {game_id} cannot be played ({BROKEN[game_id]}).")
        hint = did_you_mean(game_id, GAMES)
        raise Refused(f"There is no game {shown(game_id)}.{hint} The games are {', '.join(GAMES)}.")
    return GAMES[game_id]


def new(
    game_id: str, players: Sequence[str], options: Mapping[str, Any] | None = None, seed: int | None = None
) -> Referee:
    """A new game. Names and options can be as people typed them. Raises Refused if the game cannot start; the message
    says what would be valid."""
    return referee.start(find(game_id), players, options, seed)


def load(saved: Any) -> Referee:
    """Resumes a saved game. Raises Refused if the value is corrupt or the rules have changed too much."""
    return referee.resume(saved, find)


# At the end of the file, because reporting an error in a game needs the functions above.
for _name in BUILT_IN:
    _register(_name, f"{__name__}.{_name}")
register(tuple(entry_points(group=GROUP)))

"""Who may know whom: the table below is the diagram of the house, and the imports in the source are held to it."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from table.games import BUILT_IN

CLONE = Path(__file__).parent.parent
TOPS = ("table", "vision", "firmware")

# A room is a package or a module of one; it may import itself and the rooms named beside it. Lower ones stand first.
# A module belongs to the room with the longest name that fits; each game's `rules` belong to one room, and so on.
ROOMS: dict[str, set[str]] = {
    "vision": set(),
    "firmware": set(),
    "table": set(),
    "table.engine": set(),
    "table.config": {"table.engine"},
    "table.games.*.rules": {"table.engine"},
    "table.games": {"table.engine", "table.games.*.rules", "table.config"},
    "table.games.*.solve": {"table.games", "table.games.*.rules"},
    "table.session.messages": {"table.engine"},
    "table.session.match": {"table.engine", "table.games"},
    "table.text.catalogue": {"table.config", "table.games"},
    "table.text.game_texts": {"table.games", "table.text.catalogue"},
    "table.text.guests": {"table.text.catalogue"},
    "table.session": {
        "table.engine", "table.games", "table.session.match", "table.session.messages", "table.text.catalogue",
        "table.text.game_texts", "table.text.guests",
    },
    "table.analysis": {"table.engine", "table.games", "table.session.match"},
    "table.machine": {"table.session.messages"},
    "table.devices": {
        "table.engine", "table.config", "table.session.messages", "table.machine", "vision", "firmware",
    },
}  # fmt: skip
CORE = {
    "table.engine", "table.config", "table.games", "table.games.*.rules", "table.analysis", "table.session.messages",
    "table.session.match", "table.text.catalogue", "table.text.game_texts", "table.text.guests",
}  # fmt: skip
ROOMS["table.text"] = CORE | {"table.session", "table.storage"}
ROOMS["table.storage"] = CORE | {"table", "table.text", "table.session.session"}
ROOMS["table.session.dice"] = CORE | {"table.devices"}
ROOMS["table.session.write_ahead"] = CORE | {"table.storage"}
ROOMS["table.session.session"] = CORE | {
    "table.session", "table.session.dice", "table.session.write_ahead", "table.devices",
}  # fmt: skip
TABLE = CORE | {"table.text", "table.session", "table.session.session", "table.storage", "table.devices"}
ROOMS["table.ui"] = {"table.engine", "table.games"}
ROOMS["table.ui.terminal"] = TABLE - {"table.devices", "table.session.session"}
ROOMS["table.ui.shared.storage"] = TABLE
ROOMS["table.ui.phone"] = TABLE | {"table.ui", "table.ui.shared.storage"}
ROOMS["table.ui.shared"] = TABLE | {"table.ui.phone", "table.ui.shared.storage"}
ROOMS["table.ui.serve"] = TABLE | {"table.ui.phone", "table.ui.shared", "table.ui.shared.storage"}
ROOMS["table.ui.kiosk"] = TABLE | {
    "table.ui", "table.ui.kiosk.show", "table.ui.phone", "table.ui.shared", "table.ui.shared.storage", "table.machine",
    "table.games.*.emblem", "vision",
}  # fmt: skip
ROOMS["table.ui.kiosk.show"] = CORE | {"table.text"}
ROOMS["table.games.*.words"] = {
    "table.engine", "table.games", "table.games.*.rules", "table.session.match", "table.analysis", "table.text",
    "table.text.catalogue",
}  # fmt: skip
ROOMS["table.games.*.analysis"] = {"table.engine", "table.games", "table.games.*.rules", "table.analysis"}
ROOMS["table.games.*.beats"] = {
    "table.engine", "table.games.*.rules", "table.session.match", "table.ui.kiosk.show",
}  # fmt: skip
ROOMS["table.games.*.emblem"] = {"table.games.*.pieces", "table.ui.kiosk"}
ROOMS["table.games.*.pieces"] = {"table.ui.kiosk"}
ROOMS["table.games.*.board"] = {
    "table.engine", "table.games", "table.games.*.rules", "table.games.*.pieces", "table.games.*.words", "table.text",
    "table.text.catalogue", "table.ui.kiosk", "table.ui.kiosk.show",
}  # fmt: skip
ROOMS["table.machine.doctor"] = TABLE | {"table", "table.machine", "table.ui.kiosk", "vision"}
ROOMS["table.machine.install"] = {"table", "table.engine", "table.config", "table.machine"}
# Wiring: knows everything but itself from outside, so nothing else may import it.
ROOMS["table.app"] = set(ROOMS)
ROOMS["table.__main__"] = {"table.app"}

RULES = "table.games.*.rules"
# All that the rules may use of Python: it reads nothing, waits for nothing, and gives the same every time.
PURE = {
    "abc", "bisect", "collections", "dataclasses", "difflib", "enum", "fractions", "functools", "heapq", "itertools",
    "math", "operator", "re", "statistics", "string", "types", "typing",
}  # fmt: skip
WITHOUT_PYGAME = {"table.games.*.beats", "table.ui.kiosk.show"}
WORLDLY_CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint", "id", "hash"}

# Laptops run Windows and macOS: these are imported inside the function that uses them.
LINUX_ONLY = {"fcntl", "pty", "termios", "tty", "grp", "pwd", "resource"}


class Import(NamedTuple):
    name: str  # in full: "table.games.mexico.rules", "os.path"
    line: int
    at_top: bool  # runs when the module is imported


def imports(source: str, module: str, is_package: bool = False) -> Iterator[Import]:
    """All imports of a module, wherever they stand in it."""
    package = module if is_package else module.rpartition(".")[0]

    def walk(node: ast.AST, at_top: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, at_top)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:  # what is imported from a package may be a module of it
                yield Import(f"{base}.{alias.name}", node.lineno, at_top)
        inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            yield from walk(child, at_top and not inside)

    return walk(ast.parse(source), True)


def room_of(name: str) -> str | None:
    """The room that a module, or a name in one, belongs to; None for what is not ours."""
    parts = name.split(".")
    if parts[:2] == ["table", "games"] and len(parts) > 3 and f"table.games.*.{parts[3]}" in ROOMS:
        return f"table.games.*.{parts[3]}"
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in ROOMS:
            return ".".join(parts[:length])
    return None


def complaints(source: str, module: str, is_package: bool = False) -> list[str]:
    """What is wrong with a module, a sentence each."""
    room = room_of(module)
    if room is None or (room == "table" and module != "table"):
        return [f"{module} is a new room: add it to ROOMS in tests/test_layers.py with the rooms that it may import."]
    found = []
    for name, line, at_top in imports(source, module, is_package):
        where, other, top = f"{module}, line {line}", room_of(name), name.partition(".")[0]
        if other is not None and other != room and other not in ROOMS[room]:
            found.append(f"{where}: {room} may not import {other}.")
        if other is None and room == RULES and top not in PURE:
            found.append(f"{where}: rules may not use {top}, only what is pure.")
        if top == "pygame" and room in WITHOUT_PYGAME:
            found.append(f"{where}: {room} says what is shown and draws nothing, so it may not use pygame.")
        if at_top and top in LINUX_ONLY:
            found.append(f"{where}: {top} is not on Windows, so import it inside the function that uses it.")
    if room == RULES:
        found += [f"{module}, line {line}: rules may not call {name}()." for name, line in calls(source, WORLDLY_CALLS)]
    return found


def calls(source: str, names: set[str]) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node.func.id, node.lineno


def modules(top: str) -> Iterator[tuple[str, Path]]:
    for path in sorted((CLONE / top).rglob("*.py")):
        parts = path.relative_to(CLONE).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@pytest.mark.parametrize("top", TOPS)
def test_a_module_imports_only_what_it_may_know(top):
    found = [
        complaint
        for module, path in modules(top)
        for complaint in complaints(path.read_text(encoding="utf-8"), module, path.name == "__init__.py")
    ]
    assert not found, "\n".join(found)


# Only a config that names them needs these; the phone port loads aiohttp after the first screen.
SELDOM = ("table.storage.league", "table.storage.mqtt", "table.machine.install", "psycopg", "paho", "aiohttp")


@pytest.mark.parametrize("module", ["table.app", "table.ui.kiosk.start", "table.ui.serve"])
def test_a_table_loads_nothing_that_few_configs_need(module):
    pytest.importorskip("pygame", reason="pygame draws the table")
    code = f"import sys, {module}; print([name for name in sys.modules if name.startswith({SELDOM})])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=CLONE)
    assert told.stdout.splitlines()[-1] == "[]"  # pygame may say hello before


def test_the_modules_are_found():
    found = {module for top in TOPS for module, _ in modules(top)}
    assert {"table", "table.games.mexico.rules", "table.engine.referee", "vision", "firmware"} <= found
    assert len(found) > 300


# A game is one folder: nothing outside it names it.

IDS = re.compile(rf"(?<![a-z])({'|'.join(BUILT_IN)})(?![a-z])")


def named_games(source: str) -> Iterator[tuple[str, int]]:
    """Names and strings in the code that have the id of a game in them. Sentences do not count: they are examples."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                found = [name]
            case ast.ClassDef(name=name) | ast.keyword(arg=str(name)):
                found = [name.lower()]
            case ast.ImportFrom(module=str(module), names=names):
                found = [module, *(alias.name for alias in names)]
            case ast.Import(names=names):
                found = [alias.name for alias in names]
            case ast.Constant(value=str(text)) if " " not in text:
                found = [text]
            case _:
                continue
        yield from ((name, node.lineno) for name in found if IDS.search(name))


def test_no_game_is_named_outside_its_folder():
    found = [
        f"{module}, line {line}: {name}"
        for module, path in modules("table")
        if not module.startswith("table.games")
        for name, line in named_games(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_a_game_that_is_named_is_noticed():
    for source in (
        "from table.games.mexico import rules", "import table.games.bluff.rules", "x = 'cheese'", "f('cacho.tell.bid')",
        "def _mexico(): pass", "pocoloco_hand(dice)", "f(bluff=1)", "say(f'mexico.{key}')",
    ):  # fmt: skip
        assert list(named_games(source)), source
    for source in ('"""As in Mexico: a bluff."""', "say('Play mexico with two.')", "x = 'mexican'", "# cheese"):
        assert not list(named_games(source)), source


# A class that grows past these does more than one thing: look for the part that only some of its methods use.

MOST_METHODS, MOST_FIELDS = 20, 14


def large_classes(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ClassDef):
            continue
        methods = sum(isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) for one in node.body)
        declared = {
            one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        }
        fields = declared | {
            one.attr
            for one in ast.walk(node)
            if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
            if isinstance(one.value, ast.Name) and one.value.id == "self"
        }
        if methods > MOST_METHODS or len(fields) > MOST_FIELDS:
            yield f"{node.name} has {methods} methods and {len(fields)} fields"


def test_no_class_is_large():
    found = [
        f"{module}: {large}."
        for module, path in modules("table")
        for large in large_classes(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_a_large_class_is_noticed():
    methods = "".join(f"    def m{n}(self): pass\n" for n in range(MOST_METHODS))
    declared = "".join(f"    f{n}: int\n" for n in range(MOST_FIELDS))
    assigned = "    def set(self):\n" + "".join(f"        self.f{n} = self.g = 1\n" for n in range(MOST_FIELDS - 1))
    for body, more in (
        (methods, "    async def more(self): pass"),
        (declared, "    more: int"),
        (assigned, "        self.more, x = 1, 2"),
    ):
        assert not list(large_classes(f"class A:\n{body}")), body
        assert list(large_classes(f"class A:\n{body}{more}")), body


# The checker itself has to notice what it is there for.

WORLDLY = (
    "random", "time", "os", "sys", "io", "socket", "threading", "datetime", "secrets", "asyncio", "subprocess",
    "pathlib",
)  # fmt: skip


@pytest.mark.parametrize("source", ["import {0}", "from {0} import x", "import {0}.x as y", "def f():\n    import {0}"])
def test_rules_that_reach_for_the_world_are_noticed(source):
    for name in WORLDLY:
        assert len(complaints(source.format(name), "table.games.mexico.rules")) == 1, name


def test_rules_that_call_the_world_are_noticed():
    for call in ("open('x')", "print(1)", "input()", "__import__('os')", "hash('x')"):
        assert len(complaints(f"def play():\n    return {call}", "table.games.bluff.rules")) == 1, call


ACROSS = [
    ("table.games.mexico.rules", "from table.games.mexico import bots"),
    ("table.games.mexico.rules", "from . import perfect"),
    ("table.games.mexico.rules", "from ...session.match import begin"),
    ("table.games.mexico.bots", "from table.session import match"),
    ("table.games.mexico.bots", "from table.games.mexico import analysis"),
    ("table.analysis.odds", "from table.games.mexico import rules"),
    ("table.engine.referee", "from table.games import GAMES"),
    ("table.engine.referee", "def f():\n    from table.games import bots"),
    ("table.engine.names", "if TYPE_CHECKING:\n    from table.ui import protocol"),
    ("table.games.cacho.solve", "import table.ui.terminal"),
    ("table.ui.protocol", "import table.ui.terminal"),
    ("table.ui.terminal.screen", "from table.app import main"),
    ("table.ui.phone.room", "from table.ui.kiosk import loop"),
    ("table.games.mexico.beats", "from table.ui.kiosk.canvas import Canvas"),
    ("table.games.mexico.beats", "import pygame"),
    ("table.games.mexico.emblem", "from table.games.mexico import board"),
    ("table.ui.kiosk.show", "from pygame import Rect"),
    ("vision.find", "from table.engine.errors import Refused"),
    ("firmware.wire", "import table"),
]


def test_an_import_across_the_diagram_is_noticed():
    for module, source in ACROSS:
        assert len(complaints(source, module)) == 1, (module, source)


ALLOWED = [
    ("table.games.mexico.rules", "from collections.abc import Sequence\nfrom table.engine.errors import Refused"),
    ("table.games.mexico.rules", "from ...engine import customs\nfrom ...engine.asks import Roll"),
    ("table.engine.referee", "import random\nfrom table.engine import names"),
    ("table.app", "from table.games import bots\nfrom table.ui import protocol, terminal"),
    ("table.ui.terminal.screen", "def raw():\n    import termios, tty"),
]


def test_what_is_allowed_passes():
    for module, source in ALLOWED:
        assert complaints(source, module) == [], (module, source)


def test_a_linux_only_module_at_the_top_is_noticed():
    for source in ("import termios", "try:\n    import fcntl\nexcept ImportError:\n    fcntl = None"):
        assert len(complaints(source, "table.ui.terminal.screen")) == 1, source


def test_a_new_room_has_to_be_added_to_the_table():
    for module in ("table.attic", "table.attic.box", "cellar"):
        assert "add it to ROOMS" in complaints("", module)[0]

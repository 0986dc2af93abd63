"""Who may know whom: the table below is the diagram of the house, and the imports in the source are held to it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

CLONE = Path(__file__).parent.parent
TOPS = ("table", "vision", "firmware")

# A room is a package or module; it may import itself and the rooms named beside it. Lower ones stand first.
ROOMS: dict[str, set[str]] = {
    "vision": set(),
    "firmware": set(),
    "table": set(),
    "table.errors": set(),
    "table.names": set(),
    "table.places": set(),
    "table.games": {"table.errors"},
    "table.chances": {"table.games", "table.errors"},
    "table.games.bots": {"table.chances", "table.games", "table.errors", "table.places"},
    "table.solve": {"table.games.bots", "table.games"},
    "table.referee": {"table.games", "table.names", "table.errors"},
    "table.messages": {"table.games"},
    "table.broker": {"table.errors"},
    "table.database": {"table.errors"},
    "table.config": {"table.broker", "table.database", "table.errors"},
    "table.hotspot": {"table.messages"},
    "table.qr": set(),
    "table.power": {"table.messages"},
    "table.service": set(),
    "table.guard": set(),
    "table.arguments": {"table", "table.games.bots", "table.games", "table.errors"},
    "table.pages": {"table.games", "table.errors", "table.places"},
    "table.odds": {"table.chances", "table.games"},
    "table.strip": set(),
    "table.fairness": set(),
    "table.pretend": {"table.errors", "table.places", "firmware"},
    "table.install": {"table", "table.errors", "table.config"},
    "table.protocol": {"table.referee", "table.games.bots", "table.games", "table.errors"},
    "table.moments": set(),
    "table.storage.journal": {
        "table.referee", "table.games", "table.names", "table.errors", "table.messages", "table.moments",
    },
    "table.match": {"table.referee", "table.games.bots", "table.games", "table.names", "table.errors"},
    "table.records": {
        "table.storage.journal", "table.match", "table.referee", "table.games.bots", "table.games", "table.names", "table.errors",
        "table.messages", "table.fairness",
    },
    "table.arena": {"table.match", "table.referee", "table.games.bots", "table.games", "table.errors"},
    "table.devices": {
        "table.games", "table.errors", "table.messages", "table.config", "table.hotspot", "vision", "firmware",
    },
    "table.hall": {
        "table.match", "table.storage.journal", "table.devices", "table.messages", "table.referee", "table.games",
        "table.errors",
    },
    "table.review": {"table.games.bots", "table.referee", "table.games", "table.errors"},
    "table.luck": {"table.chances", "table.referee", "table.games"},
    "table.catalogue": {"table.places"},
    "table.storage.league": {
        "table.catalogue", "table.config", "table.database", "table.storage.journal", "table.records", "table.messages",
        "table.errors",
    },
    "table.party": {"table.match", "table.games.bots", "table.catalogue", "table.messages", "table.games", "table.errors"},
    "table.tell": {
        "table.catalogue", "table.match", "table.games.bots", "table.games", "table.odds", "table.review", "table.records",
        "table.fairness", "table.luck", "table.party", "table.messages", "table.errors",
    },
    "table.choices": {"table.games"},
    "table.mqtt": {
        "table", "table.broker", "table.catalogue", "table.config", "table.hall", "table.match", "table.games",
        "table.tell",
    },
    "table.mailbox": {"table.messages"},
    "table.ui.phone": {
        "table.hall", "table.match", "table.party", "table.storage.journal", "table.devices", "table.messages", "table.mailbox",
        "table.games.bots", "table.games", "table.names", "table.errors", "table.odds", "table.config", "table.qr",
        "table.catalogue", "table.tell", "table.choices", "table.mqtt", "table.storage.league", "table.records",
        "table.referee", "table.review", "table.luck", "table.fairness", "table.guard",
    },
    "table.ui.terminal": {
        "table.match", "table.referee", "table.games.bots", "table.games", "table.names", "table.errors", "table.places",
        "table.pages", "table.review", "table.catalogue", "table.tell", "table.arena", "table.records", "table.luck",
        "table.fairness", "table.messages",
    },
    "table.ui.kiosk": {
        "table.hall", "table.match", "table.storage.journal", "table.devices", "table.messages", "table.referee", "table.games.bots",
        "table.games", "table.names", "table.errors", "table.places", "table.pages", "table.odds", "table.config",
        "table.strip", "table.hotspot", "table.qr", "table.power", "table.service", "table.catalogue", "table.tell",
        "table.choices", "table.party", "table.ui.phone", "table.mailbox", "table.review", "table.mqtt", "table.storage.league",
        "table.records", "table.fairness", "table.luck", "table.guard", "vision",
    },
    "table.doctor": {
        "table", "table.config", "table.devices", "table.messages", "table.errors", "table.places", "table.storage.journal",
        "table.ui.kiosk", "table.catalogue", "table.broker", "table.mqtt", "table.database", "table.storage.league", "vision",
    },
}  # fmt: skip
# Wiring: knows everything but itself from outside, so nothing else may import it.
ROOMS["table.app"] = set(ROOMS)
ROOMS["table.__main__"] = {"table.app"}

# All that the rules may use of Python: it reads nothing, waits for nothing, and gives the same every time.
PURE = {
    "abc", "bisect", "collections", "dataclasses", "difflib", "enum", "fractions", "functools", "heapq", "itertools",
    "math", "operator", "re", "statistics", "string", "types", "typing",
}  # fmt: skip
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
    if parts[0] not in ROOMS:
        return None
    return ".".join(parts[:2]) if ".".join(parts[:2]) in ROOMS else parts[0]


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
        if other is None and room == "table.games" and top not in PURE:
            found.append(f"{where}: rules may not use {top}, only what is pure.")
        if at_top and top in LINUX_ONLY:
            found.append(f"{where}: {top} is not on Windows, so import it inside the function that uses it.")
    if room == "table.games":
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


def test_the_modules_are_found():
    found = {module for top in TOPS for module, _ in modules(top)}
    assert {"table", "table.games.mexico.rules", "table.referee", "vision", "firmware"} <= found
    assert len(found) > 300


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
    ("table.games.mexico.rules", "from table import referee"),
    ("table.games.mexico.rules", "from table.games.bots import mexico"),
    ("table.games.mexico.rules", "from ..referee import new"),
    ("table.games.mexico.rules", "from table.engine.names import clean"),
    ("table.errors", "import table.engine.names"),
    ("table.names", "from table.engine.errors import Refused"),
    ("table.games.bluff.bots", "from table.engine.referee import Referee"),
    ("table.referee", "def f():\n    from table import bots"),
    ("table.referee", "if TYPE_CHECKING:\n    from table import protocol"),
    ("table.protocol", "import table.ui.terminal"),
    ("table.ui.terminal.screen", "from table.app import main"),
    ("vision.find", "from table.engine.errors import Refused"),
    ("firmware.wire", "import table"),
]


def test_an_import_across_the_diagram_is_noticed():
    for module, source in ACROSS:
        assert len(complaints(source, module)) == 1, (module, source)


ALLOWED = [
    ("table.games.mexico.rules", "from collections.abc import Sequence\nfrom table.errors import Refused"),
    ("table.games.mexico.rules", "from . import customs\nfrom .vocabulary import Roll\nfrom ..errors import Refused"),
    ("table.referee", "import random\nfrom table import names\nfrom table.rules import GAMES"),
    ("table.app", "from table import bots, protocol, referee, terminal"),
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

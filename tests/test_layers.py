"""The program's layers: every import in the source must be allowed by LAYERS below."""

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

# Each layer (a package or module) with the other layers that it may import, lower layers first. A module belongs to
# the layer with the longest matching name. The `rules` of all games form one layer, their `words` another, and so on.
LAYERS: dict[str, set[str]] = {
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
LAYERS["table.text"] = CORE | {"table.session", "table.storage"}
LAYERS["table.storage"] = CORE | {"table", "table.text", "table.session.session"}
LAYERS["table.session.dice"] = CORE | {"table.devices"}
LAYERS["table.session.write_ahead"] = CORE | {"table.storage"}
LAYERS["table.session.session"] = CORE | {
    "table.session", "table.session.dice", "table.session.write_ahead", "table.devices",
}  # fmt: skip
TABLE = CORE | {"table.text", "table.session", "table.session.session", "table.storage", "table.devices"}
LAYERS["table.ui"] = {"table.engine", "table.games"}
LAYERS["table.ui.terminal"] = TABLE - {"table.devices", "table.session.session"}
LAYERS["table.ui.shared.storage"] = TABLE
LAYERS["table.ui.phone"] = TABLE | {"table.ui", "table.ui.shared.storage"}
LAYERS["table.ui.shared"] = TABLE | {"table.ui.phone", "table.ui.shared.storage"}
LAYERS["table.ui.serve"] = TABLE | {"table.ui.phone", "table.ui.shared", "table.ui.shared.storage"}
LAYERS["table.ui.kiosk"] = TABLE | {
    "table.ui", "table.ui.kiosk.show", "table.ui.phone", "table.ui.shared", "table.ui.shared.storage", "table.machine",
    "table.games.*.emblem", "vision",
}  # fmt: skip
LAYERS["table.ui.kiosk.show"] = CORE | {"table.text"}
LAYERS["table.games.*.words"] = {
    "table.engine", "table.games", "table.games.*.rules", "table.session.match", "table.analysis", "table.text",
    "table.text.catalogue",
}  # fmt: skip
LAYERS["table.games.*.analysis"] = {"table.engine", "table.games", "table.games.*.rules", "table.analysis"}
LAYERS["table.games.*.beats"] = {
    "table.engine", "table.games.*.rules", "table.session.match", "table.ui.kiosk.show",
}  # fmt: skip
LAYERS["table.games.*.emblem"] = {"table.games.*.pieces", "table.ui.kiosk"}
LAYERS["table.games.*.pieces"] = {"table.ui.kiosk"}
LAYERS["table.games.*.board"] = {
    "table.engine", "table.games", "table.games.*.rules", "table.games.*.pieces", "table.games.*.words", "table.text",
    "table.text.catalogue", "table.ui.kiosk", "table.ui.kiosk.show",
}  # fmt: skip
LAYERS["table.machine.doctor"] = TABLE | {"table", "table.machine", "table.ui.kiosk", "vision"}
LAYERS["table.machine.install"] = {"table", "table.engine", "table.config", "table.machine"}
# The application may import every layer; only `table.__main__` may import it.
LAYERS["table.app"] = set(LAYERS)
LAYERS["table.__main__"] = {"table.app"}

RULES = "table.games.*.rules"
# The standard modules that rules may import: deterministic, without I/O.
PURE = {
    "abc", "bisect", "collections", "dataclasses", "difflib", "enum", "fractions", "functools", "heapq", "itertools",
    "math", "operator", "re", "statistics", "string", "types", "typing",
}  # fmt: skip
WITHOUT_PYGAME = {"table.games.*.beats", "table.ui.kiosk.show"}
IMPURE_CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint", "id", "hash"}

# Laptops also run Windows and macOS, so these modules are imported only inside the functions that use them.
LINUX_ONLY = {"fcntl", "pty", "termios", "tty", "grp", "pwd", "resource"}


class Import(NamedTuple):
    name: str  # in full: "table.games.mexico.rules", "os.path"
    line: int
    at_top: bool  # whether it runs when the module is imported


def imports(source: str, module: str, is_package: bool = False) -> Iterator[Import]:
    """All of a module's imports, including those inside functions."""
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
            for alias in node.names:  # a name imported from a package may be a module of that package
                yield Import(f"{base}.{alias.name}", node.lineno, at_top)
        inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            yield from walk(child, at_top and not inside)

    return walk(ast.parse(source), True)


def layer_of(name: str) -> str | None:
    """The layer of a module or of a name in a module; None if it is not part of this project."""
    parts = name.split(".")
    if parts[:2] == ["table", "games"] and len(parts) > 3 and f"table.games.*.{parts[3]}" in LAYERS:
        return f"table.games.*.{parts[3]}"
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in LAYERS:
            return ".".join(parts[:length])
    return None


def complaints(source: str, module: str, is_package: bool = False) -> list[str]:
    """The violations in a module, one sentence each."""
    layer = layer_of(module)
    if layer is None or (layer == "table" and module != "table"):
        return [
            f"{module} is a new layer: add it to LAYERS in tests/test_layers.py with the layers that it may import."
        ]
    found = []
    for name, line, at_top in imports(source, module, is_package):
        where, other, top = f"{module}, line {line}", layer_of(name), name.partition(".")[0]
        if other is not None and other != layer and other not in LAYERS[layer]:
            found.append(f"{where}: {layer} may not import {other}.")
        if other is None and layer == RULES and top not in PURE:
            found.append(f"{where}: rules may not use {top}, only pure modules.")
        if top == "pygame" and layer in WITHOUT_PYGAME:
            found.append(f"{where}: {layer} decides what to show but does not draw, so it may not use pygame.")
        if at_top and top in LINUX_ONLY:
            found.append(f"{where}: {top} does not exist on Windows, so import it inside the function that uses it.")
    if layer == RULES:
        found += [f"{module}, line {line}: rules may not call {name}()." for name, line in calls(source, IMPURE_CALLS)]
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
def test_every_module_imports_only_what_its_layer_allows(top):
    found = [
        complaint
        for module, path in modules(top)
        for complaint in complaints(path.read_text(encoding="utf-8"), module, path.name == "__init__.py")
    ]
    assert not found, "\n".join(found)


# Few configs need these packages. The phone port imports aiohttp after the first screen is shown.
RARELY_NEEDED = ("table.storage.league", "table.storage.mqtt", "table.machine.install", "psycopg", "paho", "aiohttp")


@pytest.mark.ground
@pytest.mark.parametrize("module", ["table.app", "table.ui.kiosk.start", "table.ui.serve"])
def test_a_table_does_not_import_what_few_configs_need(module):
    pytest.importorskip("pygame", reason="pygame draws the table")
    code = f"import sys, {module}; print([name for name in sys.modules if name.startswith({RARELY_NEEDED})])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=CLONE)
    assert told.stdout.splitlines()[-1] == "[]"  # pygame may print a greeting first


def test_all_modules_are_checked():
    found = {module for top in TOPS for module, _ in modules(top)}
    assert {"table", "table.games.mexico.rules", "table.engine.referee", "vision", "firmware"} <= found
    assert len(found) > 300


# A game is one folder: nothing outside that folder names the game.

IDS = re.compile(rf"(?<![a-z])({'|'.join(BUILT_IN)})(?![a-z])")


def named_games(source: str) -> Iterator[tuple[str, int]]:
    """Names and strings that contain a game's id. Strings with spaces do not count, because they are texts."""
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
        for top in TOPS
        for module, path in modules(top)
        if not module.startswith("table.games")
        for name, line in named_games(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_no_file_that_all_games_share_names_a_game():
    """Such files include the phone page, texts and sounds. Only a comment for translators may name a game."""
    found = [
        f"{path.relative_to(CLONE)}, line {number}"  # line 0 is the file's name
        for folder in ("assets", "firmware", "table/config", "table/ui")
        for path in sorted((CLONE / folder).rglob("*"))
        if path.suffix in (".css", ".html", ".js", ".json", ".toml", ".wav")
        for number, line in enumerate(
            [path.name, *([] if path.suffix == ".wav" else path.read_text("utf-8").splitlines())]
        )
        if IDS.search(line.lower()) and not (path.suffix == ".toml" and line.startswith("#"))
    ]
    assert not found, "\n".join(found)


def test_the_check_finds_named_games():
    for source in (
        "from table.games.mexico import rules", "import table.games.bluff.rules", "x = 'cheese'", "f('cacho.tell.bid')",
        "def _mexico(): pass", "pocoloco_hand(dice)", "f(bluff=1)", "say(f'mexico.{key}')",
    ):  # fmt: skip
        assert list(named_games(source)), source
    for source in ('"""As in Mexico: a bluff."""', "say('Play mexico with two.')", "x = 'mexican'", "# cheese"):
        assert not list(named_games(source)), source


# A larger class probably does more than one thing. To split it, look for a part that only some of its methods use.

MOST_METHODS, MOST_FIELDS = 20, 12
LARGE_IN_VISION = {"Material", "Patch", "Sensor", "Settle", "Watch"}  # this list may only shrink


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


def large_classes_in(top: str) -> list[str]:
    return [large for _, path in modules(top) for large in large_classes(path.read_text(encoding="utf-8"))]


def test_no_class_of_the_table_is_too_large():
    assert not large_classes_in("table")


def test_no_more_classes_of_vision_are_too_large():
    found = large_classes_in("vision")
    assert {large.split()[0] for large in found} == LARGE_IN_VISION, found


def test_the_check_finds_large_classes():
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


# Tests of the import check itself

IMPURE = (
    "random", "time", "os", "sys", "io", "socket", "threading", "datetime", "secrets", "asyncio", "subprocess",
    "pathlib",
)  # fmt: skip


@pytest.mark.parametrize("source", ["import {0}", "from {0} import x", "import {0}.x as y", "def f():\n    import {0}"])
def test_the_check_finds_rules_that_import_an_impure_module(source):
    for name in IMPURE:
        assert len(complaints(source.format(name), "table.games.mexico.rules")) == 1, name


def test_the_check_finds_rules_that_call_an_impure_function():
    for call in ("open('x')", "print(1)", "input()", "__import__('os')", "hash('x')"):
        assert len(complaints(f"def play():\n    return {call}", "table.games.bluff.rules")) == 1, call


FORBIDDEN = [
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


def test_the_check_finds_forbidden_imports():
    for module, source in FORBIDDEN:
        assert len(complaints(source, module)) == 1, (module, source)


ALLOWED = [
    ("table.games.mexico.rules", "from collections.abc import Sequence\nfrom table.engine.errors import Refused"),
    ("table.games.mexico.rules", "from ...engine import customs\nfrom ...engine.asks import Roll"),
    ("table.engine.referee", "import random\nfrom table.engine import names"),
    ("table.app", "from table.games import bots\nfrom table.ui import protocol, terminal"),
    ("table.ui.terminal.screen", "def raw():\n    import termios, tty"),
]


def test_allowed_imports_pass():
    for module, source in ALLOWED:
        assert complaints(source, module) == [], (module, source)


def test_the_check_finds_linux_only_imports_at_module_level():
    for source in ("import termios", "try:\n    import fcntl\nexcept ImportError:\n    fcntl = None"):
        assert len(complaints(source, "table.ui.terminal.screen")) == 1, source


def test_a_new_layer_must_be_added():
    for module in ("table.attic", "table.attic.box", "cellar"):
        assert "add it to LAYERS" in complaints("", module)[0]

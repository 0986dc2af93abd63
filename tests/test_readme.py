"""Runs the examples in the documentation.

- ```console: each `$ command` runs in an empty folder, and its output is compared with the lines below. `...` matches
  anything, and on its own line any number of lines. A line that begins with `> ` continues the command.
- ```python with >>>: runs as a doctest.
- ```sh: changes the machine, so it is not run; but every `make target` in it has to exist.
"""

import doctest
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from table.text.catalogue import Catalogue, languages

CLONE = Path(__file__).parent.parent
PAGES = [CLONE / "README.md", CLONE / "CONTRIBUTING.md", *sorted((CLONE / "docs").rglob("*.md"))]
SECONDS = 60
FENCED = re.compile(r"^( *)```(\w+)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    page: str
    line: int
    language: str
    text: str


def blocks_of(page: str, text: str) -> Iterator[Block]:
    for found in FENCED.finditer(text):
        indent, language, body = found.groups()
        lines = [line.removeprefix(indent) for line in body.splitlines()]
        yield Block(page, text.count("\n", 0, found.start()) + 2, language, "\n".join(lines) + "\n")


BLOCKS = [
    block
    for page in PAGES
    if page.exists()
    for block in blocks_of(page.relative_to(CLONE).as_posix(), page.read_text(encoding="utf-8"))
]


# One test per page, not per block: if a kind of block had no examples, pytest would skip its test.
on_each_page = pytest.mark.parametrize("page", [page.relative_to(CLONE).as_posix() for page in PAGES])


def blocks_on(page: str, language: str) -> list[Block]:
    return [block for block in BLOCKS if (block.page, block.language) == (page, language)]


def commands(text: str) -> list[tuple[str, str]]:
    """Each command of a console block with its documented output."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif not found:
            raise ValueError(f"a console example begins with a command, not with {line!r}")
        elif line.startswith("> ") and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", "")
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
    return found


def agrees(shown: str, printed: str) -> bool:
    """Whether the page shows what was printed, ignoring trailing spaces, and blank lines at either end."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r"\n"
        for line in shown.strip("\n").splitlines()
    )
    tidy = "".join(line.rstrip() + "\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch(pattern, tidy) is not None


def outside_make() -> dict[str, str]:
    """The environment without the variables that `make` sets."""
    return {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}


def printed_by(command: str, folder: Path) -> str:
    """Run a command and return its output, including errors. Processes that it leaves running are killed."""
    environment = outside_make() | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "PYTHONUTF8": "1",
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }
    process = subprocess.Popen(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        return process.communicate(timeout=SECONDS)[0].decode()
    except subprocess.TimeoutExpired:
        pytest.fail(f"{command} did not end within {SECONDS} seconds")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@on_each_page
def test_console_examples_print_what_the_page_shows(page, tmp_path):
    examples = blocks_on(page, "console")
    if examples and (os.name != "posix" or not shutil.which("sh")):
        pytest.skip("console examples need a POSIX shell")
    for block in examples:
        folder = tmp_path / str(block.line)
        folder.mkdir()
        for command, shown in commands(block.text):
            printed = printed_by(command, folder)
            if not agrees(shown, printed):
                assert printed == shown, f"{page}, line {block.line}: $ {command}"


@on_each_page
def test_every_game_that_a_page_starts_begins(page, tmp_path):
    for line in (line for block in blocks_on(page, "sh") for line in block.text.splitlines()):
        if line.startswith("dicetable play ") and not line.startswith("dicetable play pig "):  # see test_add_a_game.py
            printed = printed_by(line, tmp_path)
            begun = [Catalogue(language)("round.plain", round=1) in printed for language in languages()]
            assert any(begun) or "usage:" in printed, f"{page}: {line}\n{printed}"


@on_each_page
def test_python_examples_give_what_the_page_shows(page):
    for block in blocks_on(page, "python"):
        example = doctest.DocTestParser().get_doctest(block.text, {}, page, page, block.line - 1)
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        assert runner.run(example, out=report.append).failed == 0, "".join(report)


@on_each_page
def test_every_make_target_on_a_page_exists(page):
    named = {name for block in blocks_on(page, "sh") for name in targets_named(block.text)}
    assert named <= targets_of_the_makefile()


def targets_named(text: str) -> list[str]:
    called = re.findall(r"(?:^|&&|;|\$ )\s*make((?: +[^\s#;&]+)*)", text, re.MULTILINE)
    return [word for words in called for word in words.split() if "=" not in word and not word.startswith(("-", '"'))]


def targets_of_the_makefile() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (CLONE / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_the_readme_shows_commands_that_run_and_how_to_start():
    assert blocks_on("README.md", "console"), "README.md has no console example"
    named = [name for block in blocks_on("README.md", "sh") for name in targets_named(block.text)]
    assert {"play", "test"} <= set(named), "README.md does not name make play and make test"


def test_every_target_is_listed_by_bare_make():
    if not shutil.which("make"):
        pytest.skip("make is not installed (Debian: make)")
    listed = subprocess.run(
        ["make"], cwd=CLONE, env=outside_make(), stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS
    ).stdout
    inner = {"installed", "tools"}
    assert {line.split()[1] for line in listed.splitlines()} == targets_of_the_makefile() - inner


# Tests of the helpers above


@pytest.mark.parametrize(
    ("shown", "printed"),
    [("", ""), ("a\n", "a\n"), ("a\n...\nd\n", "a\nb\nc\nd\n"), ("a\n...\n", "a\n"), ("a ...!\n", "a 6 3!\n")],
)
def test_matching_output_is_accepted(shown, printed):
    assert agrees(shown, printed)


@pytest.mark.parametrize(
    ("shown", "printed"),
    [("", "a\n"), ("a\n", ""), ("a\n", "b\n"), ("a\n", "a\nb\n"), ("a\n...\nd\n", "a\nb\n"), ("a...c\n", "a\nc\n")],
)
def test_different_output_is_rejected(shown, printed):
    assert not agrees(shown, printed)


def test_blocks_commands_and_targets_are_found():
    page = "Say\n\n```console\n$ echo a \\\n> b\na b\n$ true\n```\n\n  ```sh\n  make play  # plays\n  ```\n"
    console, setup = blocks_of("page", page)
    assert (console.line, commands(console.text)) == (4, [("echo a \\\nb", "a b\n"), ("true", "")])
    assert targets_named(setup.text) == ["play"]
    assert targets_named("git clone x && make test ARGS=-x\nmake -j2 lint\n") == ["test", "lint"]

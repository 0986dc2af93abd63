"""What a table is told once, in a TOML file: its screen, buttons, dice, sound, and where it keeps its games.

The one rule: whatever is wrong with the file is one sentence, with the line it stands on and what would be right.

    sections.py   what can be set, and why
    values.py     what a value has to be
"""

import os
import re
import textwrap
import tomllib
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, replace
from pathlib import Path
from typing import Any

from table.config.sections import DEFAULT, KEYS, MOVED, PIN, SECTIONS, Config
from table.config.values import toml
from table.engine.errors import Refused, did_you_mean, shown
from table.engine.fields import checked, either, kind_of

__all__ = ["DEFAULT", "Config", "commented", "load", "parse"]

MOST_BYTES = 100_000  # no config is longer, and whatever else was named by mistake is not read to its end


def load(path: Path | None) -> Config:
    """The config of that file, with defaults for what it leaves out; no file at all is all defaults."""
    if path is None:
        return DEFAULT
    name = str(path).encode("utf-8", "replace").decode()
    return parse(_text_of(path, name), name)


def parse(text: str, name: str) -> Config:
    """As `load`, of a text; `name` is what a refusal calls it."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(_nottoml(text, name, str(error))) from None
    except (ValueError, RecursionError):  # a number with thousands of digits; brackets within brackets without end
        raise Refused(f"{name}: A number in it is too long, or its brackets are too deep.") from None

    def refuse(path: tuple[str, ...], sentence: str) -> Refused:
        return Refused(f"{name}, line {_line_of(text, path)}: {sentence}")

    made: dict[str, Any] = {}
    given, moved = _moved(given, refuse)
    for section, values in given.items():
        if section not in KEYS:
            raise refuse((section,), _no_section(section, values))
        if not isinstance(values, dict):
            raise refuse((section,), f"{section} is a section: write [{section}], and its keys in the lines below.")
        made[section] = _section(section, values, refuse)
    for (section, key), value in moved.items():
        made[section] = replace(made.get(section, SECTIONS[section]()), **{key: value})
    return Config(**made)


def commented() -> str:
    """A whole config file: every key with its default, what it is for and what else would be right."""
    lines = ["# The config of a dice table. Every key stands here with its default; what is left out has it too."]
    for name, made in SECTIONS.items():
        lines += ["", "", *_comment(made.__doc__ or ""), f"[{name}]"]
        for key in KEYS[name].values():
            lines += ["", *_comment(f"{key.metadata['help']} {_choices(key)}"), f"{key.name} = {toml(key.default)}"]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> Iterator[str]:
    return (f"# {line}" for line in textwrap.wrap(text, 100))


def _choices(key: Field[Any]) -> str:
    """What can stand there, as a comment says it; nothing where the help says it all."""
    limits = kind_of(key).limits
    if "min" in limits:
        return f"From {limits['min']} to {limits['max']}."
    return f"One of {', '.join(map(toml, limits['values']))}." if kind_of(key).type == "string" and limits else ""


def _text_of(path: Path, name: str) -> str:
    if os.path.isdir(path):
        raise Refused(f"{name} is a folder, not a config file.")
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise Refused(f"There is no file {name}. The command dicetable config writes one.") from None
    except OSError as error:
        raise Refused(f"{name} cannot be read: {error.strerror or error}.") from None
    except ValueError:  # a zero in it
        raise Refused(f"{shown(name)} is not the name of a file.") from None
    if len(raw) > MOST_BYTES:
        raise Refused(f"{name} is too long for a config file.")
    try:
        return raw.decode("utf-8-sig")  # some editors put a mark in front
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Refused(f"{name}, line {line}: This is not text in UTF-8. Save the file as UTF-8.") from None


_Refuse = Callable[[tuple[str, ...], str], Refused]


def _moved(given: Mapping[str, Any], refuse: _Refuse) -> tuple[dict[str, Any], dict[tuple[str, str], Any]]:
    """What is given without the keys that stand elsewhere now, and these, by where that is. A table that started with
    one of them starts with it after an update too."""
    found = {section: dict(values) if isinstance(values, dict) else values for section, values in given.items()}
    moved = {}
    for (old, key), (home, name, then) in MOVED.items():
        if not isinstance(found.get(old), dict) or key not in found[old]:
            continue
        if isinstance(found.get(home), dict) and name in found[home]:
            raise refuse((old, key), f"[{old}] {key} is [{home}] {name} now, which is set too: leave this one out.")
        try:
            moved[home, name] = checked(f"[{old}] {key}", kind_of(then), found[old].pop(key))
        except Refused as error:
            raise refuse((old, key), str(error)) from None
    return found, moved


def _section(section: str, given: Mapping[str, Any], refuse: _Refuse) -> Any:
    keys = KEYS[section]
    values = {}
    for name, value in given.items():
        if name not in keys:
            raise refuse((section, name), _no_key(section, name))
        try:
            values[name] = checked(f"[{section}] {name}", kind_of(keys[name]), value)
        except Refused as error:
            raise refuse((section, name), str(error)) from None
    made = SECTIONS[section](**values)
    _check_pins(section, made, list(given), refuse)
    return made


def _check_pins(section: str, made: Any, given: list[str], refuse: _Refuse) -> None:
    """Every pin is named once. The key to blame is the last one that stands in the file."""
    pins = [name for name, key in KEYS[section].items() if kind_of(key) is PIN]
    pins.sort(key=lambda name: given.index(name) if name in given else -1)
    taken: dict[int, str] = {}
    for name in pins:
        pin = getattr(made, name)
        if pin in taken:
            sentence = f"[{section}] {name} is {pin}, and so is {taken[pin]}: every one needs a pin of its own."
            raise refuse((section, name), sentence)
        taken[pin] = name


def _no_section(name: str, value: Any) -> str:
    if not isinstance(value, (dict, list)):
        home = next((section for section, keys in KEYS.items() if name in keys), None)
        if home:
            return f"The key {shown(name)} stands in no section. It belongs below [{home}]."
        every = [key for keys in KEYS.values() for key in keys]
        return f"There is no key {shown(name)}.{did_you_mean(name, every)} Every key belongs to a section."
    return f"There is no section [{_plain(name)}].{did_you_mean(name, KEYS) or f' There are {either(list(KEYS))}.'}"


def _no_key(section: str, name: str) -> str:
    sentence = f"There is no key {shown(name)} in [{section}]."
    if near := did_you_mean(name, KEYS[section]):
        return sentence + near
    home = next((other for other, keys in KEYS.items() if name in keys), None)
    if home:
        return f"{sentence} It belongs in [{home}]."
    return f"{sentence} Its keys are {', '.join(KEYS[section])}."


def _plain(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]{1,40}", name) else shown(name)


def _nottoml(text: str, name: str, words: str) -> str:
    """tomllib's own words, with the line in front: "Invalid value (at line 3, column 7)", or "(at end of document)"."""
    found = re.search(r"\s*\(at (?:line (\d+), column \d+|end of document)\)\s*$", words)
    line = found[1] if found and found[1] else len(text.rstrip().split("\n"))
    said = words[: found.start()] if found else words
    return f"{name}, line {line}: This is not TOML: {said[:1].lower()}{said[1:].rstrip('.')}."


def _line_of(text: str, path: tuple[str, ...]) -> int:
    """The line on which what first names that key begins.

    tomllib tells no lines, but it can be asked: a file that is right is still right when cut off after any of its
    statements, and the shortest such piece that has the key ends with it. So quotes, dots and brackets need no second
    parser.
    """
    lines = text.replace("\r\n", "\n").split("\n")

    def piece(end: int) -> Any:
        """The first `end` lines, and as many more as the statement that stands there goes on."""
        while True:
            try:
                return tomllib.loads("\n".join(lines[:end]))
            except tomllib.TOMLDecodeError:
                end += 1

    def has_it(end: int) -> bool:
        values = piece(end)
        for part in path:
            if not isinstance(values, dict) or part not in values:
                return False
            values = values[part]
        return True

    return 1 + bisect_left(range(1, len(lines)), True, key=has_it)

"""The config, a TOML file: screen, buttons, dice, sound, phones, services, and the folder for the records.

The one rule: an error in the file is reported in one sentence, which gives the line and says what would be right.

    sections.py   sections and keys
    values.py     types of values
    addresses.py  addresses of brokers and databases
    paths.py      the paths of files
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

MOST_BYTES = 100_000  # longer than any config; a large file named by mistake is not read completely


def load(path: Path | None) -> Config:
    """Loads a config file. Missing keys have their defaults; without a file, all keys do."""
    if path is None:
        return DEFAULT
    name = str(path).encode("utf-8", "replace").decode()
    return parse(_text_of(path, name), name)


def parse(text: str, name: str) -> Config:
    """Like `load`, but from a string. `name` is the file's name in errors."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(_nottoml(text, name, str(error))) from None
    except (ValueError, RecursionError):  # a number with thousands of digits, or deeply nested brackets
        raise Refused(f"{name}: It contains a number that is too long, or too many nested brackets.") from None

    def refuse(path: tuple[str, ...], sentence: str) -> Refused:
        return Refused(f"{name}, line {_line_of(text, path)}: {sentence}")

    made: dict[str, Any] = {}
    given, moved = _moved(given, refuse)
    for section, values in given.items():
        if section not in KEYS:
            raise refuse((section,), _no_section(section, values))
        if not isinstance(values, dict):
            raise refuse((section,), f"{section} is a section: write [{section}], and its keys on the lines below.")
        made[section] = _section(section, values, refuse)
    for (section, key), value in moved.items():
        made[section] = replace(made.get(section, SECTIONS[section]()), **{key: value})
    return Config(**made)


def commented() -> str:
    """A complete config file: every key with its default, and comments on its use and its possible values."""
    lines = ["# The config of a dice table. All keys have their defaults; leave out those you do not change."]
    for name, made in SECTIONS.items():
        lines += ["", "", *_comment(made.__doc__ or ""), f"[{name}]"]
        for key in KEYS[name].values():
            lines += ["", *_comment(f"{key.metadata['help']} {_choices(key)}"), f"{key.name} = {toml(key.default)}"]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> Iterator[str]:
    return (f"# {line}" for line in textwrap.wrap(text, 100))


def _choices(key: Field[Any]) -> str:
    """The possible values, for a comment; "" if the help already lists them."""
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
        raise Refused(f"There is no file {name}: create one with dicetable config.") from None
    except OSError as error:
        raise Refused(f"{name} cannot be read: {error.strerror or error}.") from None
    except ValueError:  # the name contains a NUL
        raise Refused(f"{shown(name)} is not a valid file name.") from None
    if len(raw) > MOST_BYTES:
        raise Refused(f"{name} is too long for a config file.")
    try:
        return raw.decode("utf-8-sig")  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Refused(f"{name}, line {line}: This is not UTF-8. Save the file as UTF-8.") from None


_Refuse = Callable[[tuple[str, ...], str], Refused]


def _moved(given: Mapping[str, Any], refuse: _Refuse) -> tuple[dict[str, Any], dict[tuple[str, str], Any]]:
    """Separates keys that have moved to another section, so that older files still work. Returns the other keys, and
    the values of the moved ones by their new section and key."""
    found = {section: dict(values) if isinstance(values, dict) else values for section, values in given.items()}
    moved = {}
    for (old, key), (home, name, then) in MOVED.items():
        if not isinstance(found.get(old), dict) or key not in found[old]:
            continue
        if isinstance(found.get(home), dict) and name in found[home]:
            raise refuse((old, key), f"[{old}] {key} is now [{home}] {name}, which is set too: remove this one.")
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
    """Checks that no pin is used twice. If two keys share a pin, the error is reported for the one that comes later in
    the file."""
    pins = [name for name, key in KEYS[section].items() if kind_of(key) is PIN]
    pins.sort(key=lambda name: given.index(name) if name in given else -1)
    taken: dict[int, str] = {}
    for name in pins:
        pin = getattr(made, name)
        if pin in taken:
            sentence = f"[{section}] {name} is {pin}, and so is {taken[pin]}: choose different pins."
            raise refuse((section, name), sentence)
        taken[pin] = name


def _no_section(name: str, value: Any) -> str:
    if not isinstance(value, (dict, list)):
        home = next((section for section, keys in KEYS.items() if name in keys), None)
        if home:
            return f"The key {shown(name)} is outside of all sections. It belongs under [{home}]."
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
    """tomllib's message, with the line number first. tomllib puts it last: "(at line 3, column 7)" or "(at end of
    document)"."""
    found = re.search(r"\s*\(at (?:line (\d+), column \d+|end of document)\)\s*$", words)
    line = found[1] if found and found[1] else len(text.rstrip().split("\n"))
    said = words[: found.start()] if found else words
    return f"{name}, line {line}: This is not TOML: {said[:1].lower()}{said[1:].rstrip('.')}."


def _line_of(text: str, path: tuple[str, ...]) -> int:
    """The line of the first statement that sets a key or opens a section.

    tomllib does not say where a key is set. But a valid file stays valid if it is cut off after a statement. So the
    shortest valid beginning of the file that contains the key ends with the statement that sets the key. This avoids a
    second parser for quotes, dots and brackets.
    """
    lines = text.replace("\r\n", "\n").split("\n")

    def piece(end: int) -> Any:
        """Parses the first `end` lines, and more if the last statement continues."""
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

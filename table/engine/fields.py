"""Fields that people can set: each declares its default, a line of help, and what a value has to be.

The options of a game and the sections of the config file are frozen dataclasses, and their fields are made here. A
value that is not right is refused with a sentence that says what would be.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field
from typing import Any

from table.engine.errors import Refused, did_you_mean, shown

Only = tuple[str, str]
"""Another field and its value: a field of one mode of a game is set in that mode only."""


@dataclass(frozen=True)
class Kind:
    """What a value has to be."""

    type: str  # as JSON knows it: "string", "integer", "boolean" or "list"
    right: str  # the same in words: "a whole number from 0 to 100"
    read: Callable[[Any], Any]  # the value as it is used; ValueError if it is not right, or Refused to say why
    near: Callable[[Any], str] = lambda value: ""  # a second sentence: what was meant, perhaps
    limits: Mapping[str, Any] = field(default_factory=dict)  # "values", or "min" and "max"


def declare(kind: Kind, default: Any, help: str, only: Only | None = None) -> Any:
    return field(default=default, metadata={"kind": kind, "help": help, "only": only})


def kind_of(declared: Field[Any]) -> Kind:
    kind: Kind = declared.metadata["kind"]
    return kind


def one_of(*words: str, help: str, only: Only | None = None, default: str | None = None) -> Any:
    """A word out of several; the first is the default unless another is named."""

    def near(value: Any) -> str:
        return did_you_mean(value.strip().lower(), words) if isinstance(value, str) else ""

    right = either([json.dumps(word, ensure_ascii=False) for word in words])
    kind = Kind("string", right, only_if(lambda value: type(value) is str and value in words), near, {"values": words})
    return declare(kind, words[0] if default is None else default, help, only)


def number(default: int, least: int, most: int, help: str, only: Only | None = None) -> Any:
    return declare(whole(least, most), default, help, only)


def whole(least: int, most: int) -> Kind:
    def near(value: Any) -> str:
        try:
            meant = round(float(value)) if type(value) in (int, float, str) else None
        except (ValueError, OverflowError):
            meant = None
        return "" if meant is None else f" Did you mean {max(least, min(most, meant))}?"

    right = f"a whole number from {least} to {most}"
    fits = only_if(lambda value: type(value) is int and least <= value <= most)
    return Kind("integer", right, fits, near, {"min": least, "max": most})


def flag(default: bool, help: str, only: Only | None = None) -> Any:
    def near(value: Any) -> str:
        word = _FLAGS.get(str(value).strip().lower())
        return f" Did you mean {word}?" if word else ""

    fits = only_if(lambda value: type(value) is bool)
    return declare(Kind("boolean", "true or false", fits, near, {"values": (False, True)}), default, help, only)


_FLAGS = dict.fromkeys(("true", "yes", "on", "1"), "true") | dict.fromkeys(("false", "no", "off", "0"), "false")


def only_if(right: Callable[[Any], bool]) -> Callable[[Any], Any]:
    """A value is used as it is if it is right."""

    def read(value: Any) -> Any:
        if not right(value):
            raise ValueError
        return value

    return read


def checked(name: str, kind: Kind, value: Any) -> Any:
    """The value as it is used; Refused says what would be right. `name` is what the sentence begins with."""
    try:
        return kind.read(value)
    except Refused:
        raise
    except ValueError:
        raise Refused(f"{name} is {kind.right}, not {shown(value)}.{kind.near(value)}") from None


def right(kind: Kind, value: Any) -> bool:
    """Whether that is a value of this kind, for whoever says nothing of why not."""
    try:
        kind.read(value)
    except ValueError:
        return False
    return True


def either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]

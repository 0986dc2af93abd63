"""Fields that people can set. Each declares its default, a line of help, and which values are valid.

The options of a game and the sections of the config file are frozen dataclasses whose fields are made here. An invalid
value is refused with a message that says what would be valid.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field
from typing import Any

from table.engine.errors import Refused, did_you_mean, shown

Only = tuple[str, str]
"""A condition for a field: the name of another field, and the value that the other field must have."""


@dataclass(frozen=True)
class Kind:
    """A kind of value: which values are valid, and how they are read."""

    type: str  # the JSON type: "string", "integer", "boolean" or "list"
    right: str  # the valid values in words: "a whole number from 0 to 100"
    read: Callable[[Any], Any]  # returns the value to use; if invalid, raises ValueError, or Refused with a reason
    near: Callable[[Any], str] = lambda value: ""  # a sentence that suggests a valid value, for the error message
    limits: Mapping[str, Any] = field(default_factory=dict)  # "values", or "min" and "max"


def declare(kind: Kind, default: Any, help: str, only: Only | None = None) -> Any:
    return field(default=default, metadata={"kind": kind, "help": help, "only": only})


def kind_of(declared: Field[Any]) -> Kind:
    kind: Kind = declared.metadata["kind"]
    return kind


def one_of(*words: str, help: str, only: Only | None = None, default: str | None = None) -> Any:
    """One of several words. The default is the first word, unless another is given."""

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
    """Makes a `read` function that returns a value unchanged if `right` accepts it."""

    def read(value: Any) -> Any:
        if not right(value):
            raise ValueError
        return value

    return read


def checked(name: str, kind: Kind, value: Any) -> Any:
    """Returns the value to use. If `value` is invalid, raises Refused with a sentence that begins with `name` and says
    what would be valid."""
    try:
        return kind.read(value)
    except Refused:
        raise
    except ValueError:
        raise Refused(f"{name} must be {kind.right}, not {shown(value)}.{kind.near(value)}") from None


def right(kind: Kind, value: Any) -> bool:
    """Whether the value is valid, for callers that need no reason."""
    try:
        kind.read(value)
    except ValueError:
        return False
    return True


def either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]

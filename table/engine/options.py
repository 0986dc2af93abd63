"""The options of a game: declared as a frozen dataclass, checked once, described for menus.

A field is made by one of `one_of`, `number`, `flag`, `per_seat` and `seat_list`; nothing else may stand in a game's
Options. `only` names the mode that an option belongs to: in another mode it is refused like an unknown one.
"""

from collections.abc import Mapping
from dataclasses import Field, field, fields
from typing import Any

from table.engine.errors import Refused, did_you_mean, shown

Only = tuple[str, str]
PER_SEAT = "one number a seat"


def one_of(*values: str, help: str, only: Only | None = None) -> Any:
    """A word out of several; the first is the default."""
    return _option(values[0], "string", help, only, values=values)


def number(default: int, least: int, most: int, help: str, only: Only | None = None) -> Any:
    return _option(default, "integer", help, only, min=least, max=most)


def flag(default: bool, help: str, only: Only | None = None) -> Any:
    return _option(default, "boolean", help, only, values=(False, True))


def per_seat(most: int, help: str) -> Any:
    """A number for each seat, from 0; empty means all zeros."""
    return _option((), "list", help, None, min=0, max=most, of=PER_SEAT)


def seat_list(most_seats: int, help: str) -> Any:
    """Some of the seats, by number."""
    return _option((), "list", help, None, min=0, max=most_seats - 1, of="seats")


def _option(default: Any, kind: str, help: str, only: Only | None, **limits: Any) -> Any:
    return field(default=default, metadata={"type": kind, "help": help, "only": only, "limits": limits})


def name_of(option: Field[Any]) -> str:
    """`raise_` is called raise: a field cannot have a Python keyword for its name."""
    return option.name.rstrip("_")


def describe(options: type) -> list[dict[str, Any]]:
    """Each option with its name, type, default, help and limits, as a menu or a program needs it."""
    described = []
    for option in fields(options):
        meta = option.metadata
        entry = {"name": name_of(option), "type": meta["type"], "default": option.default, "help": meta["help"]}
        entry |= meta["limits"]
        if meta["only"]:
            entry["only"] = dict([meta["only"]])
        described.append({key: list(value) if isinstance(value, tuple) else value for key, value in entry.items()})
    return described


def check(options: type, given: Mapping[str, Any], seats: int) -> Any:
    """The options as given, the rest at their defaults; Refused says which one is wrong and what would be right."""
    known = {name_of(option): option for option in fields(options)}
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known)
            raise Refused(f"There is no option {shown(name)}.{hint} The options are {', '.join(known)}.")
    values = {known[name].name: _checked(name, known[name], value, seats) for name, value in given.items()}
    for name in given:
        if not _played(known[name], known, values):
            mode, word = known[name].metadata["only"]
            raise Refused(f"Option {name} belongs to {mode} {word} and is not played here: leave it out.")
    for option in known.values():
        if option.metadata["limits"].get("of") == PER_SEAT and not values.get(option.name):
            values[option.name] = (0,) * seats
    return options(**values)


def in_force(options: Any) -> dict[str, Any]:
    """All options of the mode that is played, by name, as JSON values."""
    known = {name_of(option): option for option in fields(options)}
    values = {option.name: getattr(options, option.name) for option in known.values()}
    return {
        name: list(values[option.name]) if isinstance(values[option.name], tuple) else values[option.name]
        for name, option in known.items()
        if _played(option, known, values)
    }


def _played(option: Field[Any], known: Mapping[str, Field[Any]], values: Mapping[str, Any]) -> bool:
    if option.metadata["only"] is None:
        return True
    mode, word = option.metadata["only"]
    return bool(values.get(mode, known[mode].default) == word)


def _checked(name: str, option: Field[Any], value: Any, seats: int) -> Any:
    limits = option.metadata["limits"]
    match option.metadata["type"]:
        case "string":
            if type(value) is str and value in limits["values"]:
                return value
            raise Refused(f"Option {name} is {_either(limits['values'])}, not {shown(value)}.")
        case "boolean":
            if type(value) is bool:
                return value
            raise Refused(f"Option {name} is true or false, not {shown(value)}.")
        case "integer":
            if _whole(value, limits):
                return value
            raise Refused(
                f"Option {name} is a whole number from {limits['min']} to {limits['max']}, not {shown(value)}."
            )
        case _:
            return _checked_list(name, limits, value, seats)


def _checked_list(name: str, limits: Mapping[str, Any], value: Any, seats: int) -> tuple[int, ...]:
    listed = tuple(value) if isinstance(value, (list, tuple)) else None
    if limits["of"] == PER_SEAT:
        if listed is not None and len(listed) in (0, seats) and all(_whole(entry, limits) for entry in listed):
            return listed
        raise Refused(
            f"Option {name} is a list of {seats} whole numbers from {limits['min']} to {limits['max']}, "
            f"one for each seat, not {shown(value)}."
        )
    within = {"min": 0, "max": seats - 1}
    if listed is not None and all(_whole(seat, within) for seat in listed) and len(set(listed)) == len(listed):
        return tuple(sorted(listed))
    raise Refused(f"Option {name} is a list of seats, each from 0 to {seats - 1} and named once, not {shown(value)}.")


def _whole(value: Any, limits: Mapping[str, int]) -> bool:
    return type(value) is int and limits["min"] <= value <= limits["max"]


def _either(values: tuple[str, ...]) -> str:
    return " or ".join(f'"{value}"' for value in values)

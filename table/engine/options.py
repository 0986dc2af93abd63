"""A game's options: declared as a frozen dataclass, checked once, described for menus.

Fields are made with `one_of`, `number` or `flag` from `table.engine.fields`, or with `per_seat` or `seat_list`, which
depend on the number of seats. `only` names the mode that an option belongs to: other modes refuse it.
"""

from collections.abc import Mapping
from dataclasses import Field, fields
from functools import cache
from typing import Any

from table.engine.errors import Refused, Unfit, did_you_mean, shown
from table.engine.fields import Kind, checked, declare, flag, kind_of, number, one_of

__all__ = ["check", "describe", "flag", "in_force", "number", "one_of", "per_seat", "seat_list"]

PER_SEAT = "one number a seat"
SEATS = "seats"


def per_seat(most: int, help: str) -> Any:
    """The number of games that each seat has won before. The table fills this in; empty means all zeros."""
    return declare(_listed(0, most, PER_SEAT), (), help)


def seat_list(most_seats: int, help: str) -> Any:
    """Seats that play with real dice under a real cup, which only people can do."""
    return declare(_listed(0, most_seats - 1, SEATS), (), help)


def _listed(least: int, most: int, of: str) -> Kind:
    """The valid number of entries depends on the number of seats: see `_for_seats`."""
    return Kind("list", "", lambda value: value, limits={"min": least, "max": most, "of": of})


def _for_seats(kind: Kind, seats: int) -> Kind:
    """Returns the kind unchanged, except for a list, whose limits depend on the number of seats."""
    limits = kind.limits
    if kind.type != "list":
        return kind
    least, most = limits["min"], limits["max"] if limits["of"] == PER_SEAT else seats - 1

    def read(value: Any) -> tuple[int, ...]:
        listed = tuple(value) if isinstance(value, (list, tuple)) else (None,)
        if not all(type(entry) is int and least <= entry <= most for entry in listed):
            raise ValueError
        if limits["of"] == PER_SEAT:
            if len(listed) not in (0, seats):
                raise ValueError
            return listed
        if len(set(listed)) < len(listed):
            raise ValueError
        return tuple(sorted(listed))

    right = f"a list of seats, each from 0 to {most} and named once"
    if limits["of"] == PER_SEAT:
        right = f"a list of {seats} whole numbers from {least} to {most}, one for each seat"
    return Kind("list", right, read)


def name_of(option: Field[Any]) -> str:
    """The option's name. `raise_` becomes raise, because a Python keyword cannot be a field name."""
    return option.name.rstrip("_")


@cache  # called at the start of every game
def named(options: type, of: str) -> tuple[str, ...]:
    """The names of all list options of one kind: PER_SEAT or SEATS."""
    return tuple(name_of(option) for option in fields(options) if kind_of(option).limits.get("of") == of)


def describe(options: type) -> list[dict[str, Any]]:
    """Each option with its name, type, default, help and limits, for menus and programs."""
    described = []
    for option in fields(options):
        kind, only = kind_of(option), option.metadata["only"]
        entry = {"name": name_of(option), "type": kind.type, "default": option.default, "help": option.metadata["help"]}
        entry |= kind.limits
        if only:
            entry["only"] = dict([only])
        described.append({key: list(value) if isinstance(value, tuple) else value for key, value in entry.items()})
    return described


def check(options: type, given: Mapping[str, Any], seats: int) -> Any:
    """The given options, with defaults for the rest. If one of them is invalid, raises Refused with a message that
    names it and says what would be valid."""
    known = {name_of(option): option for option in fields(options)}
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known)
            offered = f"The options are {', '.join(known)}." if known else "This game has none."
            raise Refused(f"There is no option {shown(name)}.{hint} {offered}")
    values = {known[name].name: _checked(known[name], value, seats) for name, value in given.items()}
    for name in given:
        if not _played(known[name], known, values):
            mode, word = known[name].metadata["only"]
            why = f"Option {name} is only for {mode} {word}. Leave it out."
            raise Unfit(why, "only", name=name, mode=mode, word=word)
    for name in named(options, PER_SEAT):
        if not values.get(known[name].name):
            values[known[name].name] = (0,) * seats
    return options(**values)


def valid(options: type, name: str, value: Any, seats: int) -> bool:
    """Whether the option can have this value, whatever the other options are."""
    try:
        _checked(next(option for option in fields(options) if name_of(option) == name), value, seats)
    except Refused:
        return False
    return True


def _checked(option: Field[Any], value: Any, seats: int) -> Any:
    return checked(f"Option {name_of(option)}", _for_seats(kind_of(option), seats), value)


def in_force(options: Any) -> dict[str, Any]:
    """All options of the current mode, by name, as JSON values."""
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

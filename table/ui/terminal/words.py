"""Words of the tables of figures, in English."""

from collections.abc import Sequence


def listed(items: Sequence[str]) -> str:
    """Ann, Bo and Dot."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def many(count: int, one: str, more: str | None = None) -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"

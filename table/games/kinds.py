"""Whether a value has the type that an annotation declares. This checks the values that the code of other packages
returns.

The check is as lenient as the table's own code: a tuple fits a list, any number fits a number type, and anything fits
a bool.
"""

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin


def fits(value: Any, kind: Any) -> bool:
    """Whether the value and everything in it have this type."""
    whole, parts = get_origin(kind) or kind, get_args(kind)
    if whole in (Any, bool):
        return True
    if whole in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if whole is Callable:
        return callable(value)
    if whole in (None, NoneType):
        return value is None
    if issubclass(whole, Mapping):
        return isinstance(value, Mapping) and (
            len(parts) != 2 or all(fits(key, parts[0]) and fits(entry, parts[1]) for key, entry in value.items())
        )
    if parts and issubclass(whole, Sequence):
        if isinstance(value, str) or not isinstance(value, Sequence):
            return False
        kinds = [parts[0]] * len(value) if whole is not tuple or parts[-1] is ... else parts
        return len(kinds) == len(value) and all(map(fits, value, kinds))
    if issubclass(whole, Real):
        return isinstance(value, Integral if whole is int else Real)
    return isinstance(value, whole)

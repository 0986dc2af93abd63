"""Checks messages from pages.

Its one rule: the result has exactly the fields of its message type, with the right types and limited lengths. All other
input is refused, with a sentence that says why.
"""

import json
from collections.abc import Mapping
from typing import Any

from table.engine.errors import Refused

LONGEST = 2048  # maximum number of bytes in a message
LONGEST_TEXT = 200  # maximum number of characters in a field; names are shortened further later on
LARGEST = 10**9  # numbers must be smaller than this

SAYS: Mapping[str, Mapping[str, type]] = {
    "hello": {"room": str, "token": str, "language": str, "watch": bool},
    "create": {"name": str, "player": str},
    "join": {"name": str},
    "pass": {},
    "take": {"code": str},
    "ready": {"ready": bool},
    "rename": {"name": str},
    "game": {"game": str},
    "option": {"name": str, "value": object},
    "computer": {"level": str},
    "move": {"place": int, "to": int},
    "drop": {"place": int},
    "replace": {"place": int, "level": str},
    "start": {},
    "roll": {"at": str},
    "pick": {"at": str, "pick": int},
    "gone": {"seat": int, "do": str},
    "retry": {},
    "again": {},
    "lobby": {},
    "leave": {},
    "language": {"language": str},
    "settings": {"pin": str, "name": str, "value": object},
    "records": {"page": str, "name": str, "number": int, "at": int},
    "rename_player": {"pin": str, "name": str, "to": str},
    "merge_player": {"pin": str, "name": str, "to": str},
    "forget_player": {"pin": str, "name": str},
}


def heard(text: str | bytes) -> dict[str, Any]:
    """Parses a message and raises Refused if the message is invalid."""
    if len(text) > LONGEST:
        raise Refused(f"A message can have at most {LONGEST} bytes.")
    try:
        said = json.loads(text)
        json.dumps(said, ensure_ascii=False).encode()  # rejects lone surrogates: valid JSON, but not valid text
    except (ValueError, RecursionError):
        raise Refused("A message must be one JSON object.") from None
    word = said.get("say") if isinstance(said, dict) else None
    if not isinstance(said, dict) or not isinstance(word, str) or word not in SAYS:
        raise Refused('A message must be one JSON object with a known word in "say".')
    fields = SAYS[word]
    if set(said) != {"say", *fields}:
        raise Refused(f"{word} must have exactly these fields: {', '.join(['say', *fields])}.")
    for name, kind in fields.items():
        if not _right(said[name], kind):
            raise Refused(f"{name} of {word} has the wrong type or size.")
    return said


def _right(value: Any, kind: type) -> bool:
    if type(value) not in ((bool, int, str) if kind is object else (kind,)):
        return False
    return len(value) <= LONGEST_TEXT if isinstance(value, str) else abs(value) < LARGEST

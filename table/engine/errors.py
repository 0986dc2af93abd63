"""Everything that can be refused, as one sentence for the person who meets it: what is wrong, what to do."""

import json
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class Refused(ValueError):
    """Not possible as asked, and nothing has changed. The message says what would be right."""


class RuleFailed(Refused):
    """A rule raised: our fault, not the players'. The game stands as it did before the answer."""


class NoTable(Refused):
    """What a computer player plays by is missing or broken."""


class Closed(Exception):
    """It cannot go on, whatever was asked for: an output is gone, a port is taken, a step has failed."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A second sentence for a word that nobody knows, if one that is known comes near."""
    near = get_close_matches(word[:40], list(known), 1)  # its time grows with the length
    return f" Did you mean {near[0]}?" if near else ""


def shown(value: Any) -> str:
    """A value as a sentence can quote it: as JSON writes it, and never long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"that {type(value).__name__}"
    text = text if len(text) <= 60 else text[:57] + "..."
    return text.encode("utf-8", "replace").decode()  # half a character would break whoever reads the sentence

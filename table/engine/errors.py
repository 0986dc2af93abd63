"""Everything that can be refused, as one sentence for the person who meets it: what is wrong, what to do."""

import json
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from traceback import extract_tb
from typing import Any


class Refused(ValueError):
    """Not possible as asked, and nothing has changed. The message says what would be right."""


class RuleFailed(Refused):
    """A rule raised: the fault of whoever wrote the game. The game stands as it did before the answer.

    Of the fault, only its kind and place are named: its text could hold dice that not everybody may know."""

    def __init__(self, game: str, fault: Exception) -> None:
        self.what = type(fault).__name__ + raised_in(fault)
        super().__init__(
            f"The rules of {game} failed ({self.what}), and the game stands as it did before. Please report this to "
            "whoever wrote the game."
        )


class NoTable(Refused):
    """What a computer player plays by is missing or broken."""


class Closed(Exception):
    """It cannot go on, whatever was asked for: an output is gone, a port is taken, a step has failed."""


def raised_in(fault: Exception) -> str:
    """Where, as the end of a sentence: " in rules.py, line 12". Empty if that is only known inside Python."""
    places = [place for place in extract_tb(fault.__traceback__) if Path(place.filename).parent.name != "importlib"]
    places = [place for place in places if not place.filename.startswith("<")]
    return f" in {Path(places[-1].filename).name}, line {places[-1].lineno}" if places else ""


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

"""The games in the catalogue's words: what happened, what is asked, how it stands and how it ended.

Each function here asks the `words` of the game, or those of `table.games.default`, which says what a game may have.

Its one rule: only public events and public views come in here, so nothing else can come out.
"""

from table.text.narration.asked import prompt, round_line, thrown_for
from table.text.narration.happened import counting, tell, told_by_another
from table.text.narration.stands import (
    Line,
    Result,
    counted,
    facts,
    kept,
    marks,
    note,
    order,
    out,
    result,
    standing,
)
from table.text.narration.words import chance, hand, name_of, percent

__all__ = [
    "Line",
    "Result",
    "chance",
    "counted",
    "counting",
    "facts",
    "hand",
    "kept",
    "marks",
    "name_of",
    "note",
    "order",
    "out",
    "percent",
    "prompt",
    "result",
    "round_line",
    "standing",
    "tell",
    "thrown_for",
    "told_by_another",
]

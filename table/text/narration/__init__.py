"""The games in the catalogue's words: what happened, what is asked, how it stands and how it ended.

Its one rule: only public events and public views come in here, so nothing else can come out.
"""

from table.text.narration.asked import prompt, round_line, thrown_for
from table.text.narration.counting import counting
from table.text.narration.happened import tell
from table.text.narration.stands import Line, Result, result, standing
from table.text.narration.words import card_help, chance, hand, mexico_hand, name_of, percent, pocoloco_hand

__all__ = [
    "Line",
    "Result",
    "card_help",
    "chance",
    "counting",
    "hand",
    "mexico_hand",
    "name_of",
    "percent",
    "pocoloco_hand",
    "prompt",
    "result",
    "round_line",
    "standing",
    "tell",
    "thrown_for",
]

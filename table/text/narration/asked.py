"""What is asked now, and the line of the round. Its one rule: one sentence, and it begins with whoever is asked."""

from typing import Literal

from table.engine.asks import Ask, Over, Roll, View
from table.games import part
from table.text.catalogue import Catalogue
from table.text.narration.stands import result

Purpose = Literal["begin", "lowest"]


def prompt(ask: Ask | Over, view: View, say: Catalogue) -> str:
    """What the ask that stands wants, and of whom; after the end, who won."""
    if isinstance(ask, Over):
        return result(view, ask.places, say).sentence
    said: str = part(view["game"], "words").prompt(ask, view, say)
    return said


def thrown_for(ask: Roll, view: View) -> Purpose | None:
    """What a single die is thrown for, each player one; None if it is thrown to be played."""
    purpose: Purpose | None = part(view["game"], "words").thrown_for(ask, view)
    return purpose


def round_line(view: View, say: Catalogue) -> str:
    """Which round this is, of how many or to what."""
    said: str = part(view["game"], "words").round_line(view, say)
    return said

"""Refusals as sentences in the reader's language."""

from table.engine.errors import Refused
from table.text.catalogue import Catalogue


def sentence(why: Refused, say: Catalogue) -> str:
    """A refusal in the reader's language, if its message is a catalogue key; otherwise its message."""
    key = str(why)
    return say(key) if say.has(key) else key

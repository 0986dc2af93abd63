"""A game that has ended, in one piece: what was asked and answered, where each answer came from, and what was told.

The one rule: it is whole in itself. An answer a row is what a game needs that may be cut off at any moment; of one that
is over that would be twenty times the size. What was told is kept beside the answers: so a game stays readable when the
rules have changed and its answers can no longer be played.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Log:
    asks: Sequence[str]
    answers: Sequence[Any]
    sources: Sequence[str]  # of the answers, a word each
    events: Sequence[Any]  # none of a game that was left


def fold(log: Log) -> bytes:
    whole = [list(log.asks), list(log.answers), list(log.sources), list(log.events)]
    return zlib.compress(plain(whole).encode(), 9)


def unfold(folded: bytes) -> Log:
    """ValueError or zlib.error: it is damaged."""
    asks, answers, sources, events = json.loads(zlib.decompress(folded))
    return Log(asks, answers, sources, events)


def whole(folded: bytes) -> None:
    """zlib.error: it is damaged, which its checksum tells. To read it as well would take ten times as long."""
    zlib.decompress(folded)


def plain(value: Any) -> str:
    """As the journal writes JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

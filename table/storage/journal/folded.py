"""A game that has ended, as one compressed blob: asks, answers, their sources, and the events.

The one rule: the blob is self-contained. A running game needs one row per answer, because it can be cut off at any
moment; for a game that has ended, rows would take twenty times the space. The events are stored too, so that a game
stays readable when its answers can no longer be replayed under changed rules.
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
    sources: Sequence[str]  # where each answer came from
    events: Sequence[Any]  # empty if the game was abandoned


def fold(log: Log) -> bytes:
    whole = [list(log.asks), list(log.answers), list(log.sources), list(log.events)]
    return zlib.compress(plain(whole).encode(), 9)


def unfold(folded: bytes) -> Log:
    """Raises ValueError or zlib.error if the blob is damaged."""
    asks, answers, sources, events = json.loads(zlib.decompress(folded))
    return Log(asks, answers, sources, events)


def whole(folded: bytes) -> None:
    """Raises zlib.error if the checksum is wrong. The JSON is not parsed: that would take ten times as long."""
    zlib.decompress(folded)


def plain(value: Any) -> str:
    """Compact JSON, as stored in the journal."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

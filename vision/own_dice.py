"""Remembers the faces of this table's own dice, as the judge describes their looks, and lets them vote on new dice.

Its one rule: only people teach it. A look is remembered only together with the value that a person confirmed or
entered, because readings that nobody checked would repeat their own mistakes.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision import models, networks, saving, trouble
from vision.networks import COCKED, LOOK, Floats, Image
from vision.reading import Box, Reading
from vision.scoring import Candidate

MOST = 40  # remembered faces per value
TURNS = 4  # looks per face: the finder does not know which of a die's four sides is up
# Limits for cosine similarities, which depend on the judge (see tests/soak/likeness.py). In half of all cases, the
# closest face of the same value is more alike than 0.96. In 1 of 100, the closest of another value is above 0.89.
ALIKE = 0.88  # minimum likeness of a face that votes
SAME = 0.95  # minimum likeness of a corrected face that overrules the reader
APART = 0.4  # a vote is clear if its distance (1 - likeness) is at most this share of the distance to any other value
UNKNOWN = 0.85  # assumed likeness of values that have not been remembered yet
UNFIT = ("edge", "stacked", "hand", "blurred", "glare")  # doubts about dice from which nothing is learned
FORMAT, VERSION = "dicetable own dice", 1
MOST_BYTES = 2_000_000  # maximum size of a file in bytes; a full memory takes a fifth


class Vote(NamedTuple):
    value: int
    likeness: float  # from -1 to 1
    corrected: bool  # whether the reader had misread the remembered face, and is likely to misread this one too


@dataclass(frozen=True, eq=False)
class Face:
    """One die whose value a person entered or confirmed."""

    value: int
    corrected: bool  # whether the reader had read another value
    looks: NDArray[np.float16]  # (TURNS, LOOK), each of length 1


@dataclass(frozen=True, eq=False)
class OwnDice:
    faces: tuple[Face, ...] = ()  # the oldest first

    @cached_property
    def _values(self) -> NDArray[np.int64]:
        return np.array([face.value for face in self.faces], np.int64)

    @cached_property
    def _corrected(self) -> NDArray[np.bool_]:
        return np.array([face.corrected for face in self.faces], np.bool_)

    @cached_property
    def _unknown(self) -> float:
        """The least likeness to assume of another value: one that has not been remembered yet may look like this."""
        return -1.0 if len({face.value for face in self.faces}) == 6 else UNKNOWN

    @cached_property
    def _looks(self) -> Floats:
        """(faces, TURNS, LOOK)"""
        return np.array([face.looks for face in self.faces], np.float32).reshape(-1, TURNS, LOOK)

    def vote(self, look: Floats) -> Vote | None:
        """Which value this look has, if it clearly resembles remembered faces of one value."""
        length = float(np.linalg.norm(look))
        if not self.faces or length == 0:
            return None
        likeness = (self._looks @ (look / length)).max(1)
        closest = float(likeness.max())
        if closest < ALIKE:
            return None
        value = self.faces[int(likeness.argmax())].value
        other = float(likeness[self._values != value].max(initial=self._unknown))
        if 1 - closest > APART * (1 - other):
            return None
        return Vote(value, closest, bool((likeness[self._corrected & (self._values == value)] >= SAME).any()))

    def learned(self, faces: Iterable[Face]) -> OwnDice:
        """These dice and the new faces. A wrong value that a person entered by mistake is kept beside the right one, so
        that neither votes."""
        known = self.faces
        for new in faces:
            known = (*known, new)
            own = [face for face in known if face.value == new.value]
            if len(own) > MOST:
                left_out = _redundant(own)
                known = tuple(face for face in known if face is not left_out)
        return OwnDice(known)


def _redundant(faces: Sequence[Face]) -> Face:
    """The face that is missed least: one that the reader had read right, and that another one resembles most."""
    looks = np.array([face.looks for face in faces], np.float32)
    likeness = np.einsum("itf,jf->ijt", looks, looks[:, 0]).max(2)
    np.fill_diagonal(likeness, -1)
    closest = likeness.max(1)
    right = [k for k, face in enumerate(faces) if not face.corrected] or range(len(faces))
    return faces[max(right, key=lambda k: closest[k])]


NOTHING_LEARNED = OwnDice()


def corrected(found: list[Candidate], own: OwnDice) -> list[Candidate]:
    """The candidates, with the values that people gave to faces which look the same and had been misread."""
    known = {face.value for face in own.faces}

    def heard(c: Candidate) -> Candidate:
        vote = own.vote(c.face)
        # Without a face of the value that was read, nobody knows whether its look really is another one.
        return replace(c, told=vote.value) if vote and vote.corrected and c.value in known else c

    return [heard(c) for c in found]


def seen(frame: Image, dice: Sequence[tuple[Box, int, bool]], judge: Any = None) -> tuple[Face, ...]:
    """The faces at these places in a frame, with the value that people said and whether they corrected the reader. A
    die that the judge takes for cocked, stacked or hidden is left out."""
    if not dice:
        return ()
    halves = networks.Halves(frame)
    crops = [
        np.ascontiguousarray(np.rot90(halves.upright(*box.centre, box.size[0], np.deg2rad(box.angle)), turn))
        for box, _, _ in dice
        for turn in range(TURNS)
    ]
    votes = networks.judge(judge or models.shipped().judge, crops)
    looks = votes.look.reshape(len(dice), TURNS, LOOK)
    chances = networks.chances(votes.among) + networks.chances(votes.alone)
    likely = chances.reshape(len(dice), TURNS, -1).sum(1).argmax(1)
    lengths = np.linalg.norm(looks, axis=2, keepdims=True)
    units = (looks / np.maximum(lengths, 1e-6)).astype(np.float16)
    return tuple(
        Face(value, corrected, own)
        for (_, value, corrected), own, length, what in zip(dice, units, lengths, likely, strict=True)
        if length.all() and what < COCKED
    )


def taught(frame: Image, reading: Reading, shown: Sequence[tuple[float, float, int]]) -> tuple[Face, ...]:
    """The faces that people taught by saying what the dice of a reading show: each die's centre and its value. A die
    that does not lie flat and in full view is left out, because its look says little about its face. The doubts do not
    name every such die, so each is examined here."""
    unfit = {doubt.at for doubt in reading.doubts if doubt.what in UNFIT}
    values = {(x, y): value for x, y, value in shown}
    dice = [die for die in reading.dice if die.centre in values and die.centre not in unfit]
    halves = networks.Halves(frame)
    plain = [die for die in dice if not trouble.blurred(halves, die.box) and not trouble.glare(frame, die.box)]
    return seen(frame, [(die.box, values[die.centre], values[die.centre] != die.value) for die in plain])


def save(own: OwnDice, path: Path) -> None:
    """Save to a file, atomically. Raises OSError if it cannot be written."""
    looks = np.array([face.looks for face in own.faces], np.float16)
    told = {
        "format": FORMAT,
        "version": VERSION,
        "judge": models.fingerprint(),
        "values": [face.value for face in own.faces],
        "corrected": [face.corrected for face in own.faces],
        "looks": base64.b64encode(looks.astype("<f2").tobytes()).decode("ascii"),
    }
    saving.write(path, json.dumps(told).encode("ascii"))


def load(path: Path) -> OwnDice:
    """The remembered dice. A file that is missing, damaged or made with another judge counts as an empty memory,
    because the table learns its dice again by itself."""
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        if path.is_file() and path.stat().st_size <= MOST_BYTES:
            return _understood(json.loads(path.read_text(encoding="ascii")))
    return OwnDice()


def _understood(told: Any) -> OwnDice:
    """Raises ValueError, KeyError or TypeError if the content is not a memory for this version and this judge."""
    if (told["format"], told["version"], told["judge"]) != (FORMAT, VERSION, models.fingerprint()):
        raise ValueError
    values, corrected = told["values"], told["corrected"]
    looks = np.frombuffer(base64.b64decode(told["looks"], validate=True), "<f2").reshape(-1, TURNS, LOOK)
    if not all(type(value) is int and 1 <= value <= 6 for value in values) or not np.isfinite(looks).all():
        raise ValueError
    faces = [
        Face(value, bool(wrong), own.astype(np.float16))
        for value, wrong, own in zip(values, corrected, looks, strict=True)
    ]
    return OwnDice(tuple(faces))

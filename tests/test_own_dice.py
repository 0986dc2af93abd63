"""What is learned about the table's own dice: which looks vote, how long they are remembered, and where."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.ground
cv2 = pytest.importorskip("cv2", reason="OpenCV runs the networks")

from vision import decide, models, own_dice, reader, simulated  # noqa: E402
from vision.models import Rules, Skill  # noqa: E402
from vision.networks import COCKED, LOOK, NOTHING, Floats, Image  # noqa: E402
from vision.own_dice import MOST, NOTHING_LEARNED, Face, OwnDice  # noqa: E402
from vision.reading import OK, UNSURE, Box, Die, Reading  # noqa: E402
from vision.render import fixed  # noqa: E402
from vision.render.scene import Truth  # noqa: E402
from vision.scoring import FEATURES, Candidate  # noqa: E402


def look(value: int, away: float = 0.0, way: int = 0) -> Floats:
    """A look of its own for each value, changed by `away` in one of many ways."""
    out = np.zeros(LOOK, np.float32)
    out[value], out[10 + way] = np.cos(away), np.sin(away)
    return out


def face(value: int, corrected: bool = False, like: Floats | None = None) -> Face:
    one = look(value) if like is None else like
    return Face(value, corrected, np.stack([one] * own_dice.TURNS).astype(np.float16))


def dice(*more: Face) -> OwnDice:
    return NOTHING_LEARNED.learned([*(face(value) for value in range(1, 7)), *more])


def test_nothing_votes_before_something_was_learned() -> None:
    assert NOTHING_LEARNED.vote(look(3)) is None


def test_a_look_like_that_of_a_remembered_face_votes_for_its_value() -> None:
    vote = dice().vote(7 * look(3, 0.1))
    assert vote and vote.value == 3 and not vote.corrected
    assert vote.likeness == pytest.approx(np.cos(0.1), abs=1e-3)


def test_a_look_unlike_all_remembered_faces_does_not_vote() -> None:
    assert dice().vote(look(3, 0.5)) is None


def test_a_look_between_two_values_does_not_vote() -> None:
    both = look(3) + look(4)
    both /= np.linalg.norm(both)
    near_three, near_four = look(3) + 3 * both, look(4) + 3 * both
    known = dice(
        face(3, like=near_three / np.linalg.norm(near_three)), face(4, like=near_four / np.linalg.norm(near_four))
    )
    assert known.vote(both) is None


def test_as_long_as_a_value_is_unknown_only_a_very_close_look_votes() -> None:
    few = NOTHING_LEARNED.learned([face(3)])
    away = float(np.arccos(own_dice.ALIKE + 0.005))
    assert few.vote(look(3, away)) is None and dice().vote(look(3, away))
    assert few.vote(look(3, 0.05))


def test_a_face_is_recognized_in_every_quarter_turn() -> None:
    turned = np.stack([look(5, 0.6, way) for way in range(own_dice.TURNS)]).astype(np.float16)
    known = dice(Face(5, False, turned))
    for way in range(own_dice.TURNS):
        vote = known.vote(look(5, 0.6, way))
        assert vote and vote.value == 5


def test_a_corrected_face_overrules_the_reader_only_for_nearly_the_same_look() -> None:
    odd = look(6, 1.0)
    known = dice(face(4, corrected=True, like=odd))
    vote, far = known.vote(look(6, 1.05)), known.vote(look(6, 1.35))
    assert vote and (vote.value, vote.corrected) == (4, True)
    assert far and (far.value, far.corrected) == (4, False)


def test_a_corrected_face_still_overrules_the_reader_after_its_value_was_confirmed() -> None:
    odd = look(6, 1.0)
    known = dice(face(4, corrected=True, like=odd), face(4, like=look(6, 1.02)))
    vote = known.vote(look(6, 1.03))
    assert vote and vote.value == 4 and vote.corrected


def test_a_look_to_which_people_gave_two_values_does_not_vote() -> None:
    assert dice(face(5, corrected=True, like=look(3, 0.05))).vote(look(3, 0.05, way=1)) is None


def test_a_full_memory_forgets_a_face_that_another_one_resembles_and_keeps_corrected_ones() -> None:
    distinct = [face(2, like=look(2, 1.2, way)) for way in range(MOST - 1)]
    corrected = face(2, corrected=True, like=look(2, 1.2, 60))
    twin = face(2, corrected=True, like=look(2, 1.19, 60))
    full = NOTHING_LEARNED.learned([*distinct, corrected])
    assert len(full.faces) == MOST
    more = full.learned([twin, face(2, like=look(2, 1.19, 7))])
    assert len(more.faces) == MOST
    assert corrected in more.faces and twin in more.faces
    votes = [more.vote(look(2, 1.2, way)) for way in range(MOST - 1)]
    assert sum(vote is None for vote in votes) <= 1
    assert len(more.learned([face(3)]).faces) == MOST + 1, "every value has its own room"


def test_a_saved_memory_is_loaded_again(tmp_path: Path) -> None:
    path = tmp_path / "own.dice"
    own_dice.save(dice(face(2, corrected=True, like=look(3, 1.3))), path)
    known = own_dice.load(path)
    assert [(one.value, one.corrected) for one in known.faces] == [(v, False) for v in range(1, 7)] + [(2, True)]
    vote = known.vote(look(3, 1.3))
    assert vote and (vote.value, vote.corrected) == (2, True)
    assert [file.name for file in tmp_path.iterdir()] == ["own.dice"]


def test_a_full_memory_is_small_enough_to_be_loaded(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    faces = [face(value, like=rng.normal(size=LOOK).astype(np.float32)) for value in range(1, 7) for _ in range(MOST)]
    own_dice.save(OwnDice(tuple(faces)), tmp_path / "own.dice")
    assert len(own_dice.load(tmp_path / "own.dice").faces) == 6 * MOST


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"}, {"version": 0}, {"judge": "other"}, {"values": [1]}, {"values": [0, 1, 2, 3, 4, 5]},
        {"values": None}, {"corrected": []}, {"looks": "AAAA"}, {"looks": "!"}, {"looks": 5},
    ],
)  # fmt: skip
def test_a_damaged_file_or_one_of_another_judge_counts_as_nothing_learned(
    tmp_path: Path, change: dict[str, object]
) -> None:
    path = tmp_path / "own.dice"
    own_dice.save(dice(), path)
    told = json.loads(path.read_text())
    assert told["judge"] == models.fingerprint()
    path.write_text(json.dumps(told | change))
    assert own_dice.load(path).faces == ()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"format": "dicetable own dice"}']
)
def test_a_file_with_anything_else_in_it_counts_as_nothing_learned(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own.dice"
    path.write_bytes(content)
    assert own_dice.load(path).faces == ()
    assert own_dice.load(tmp_path).faces == () and own_dice.load(tmp_path / "missing").faces == ()


# How remembered faces count in a reading

FRAME = np.full((100, 100, 3), 128, np.uint8)
HALF = (0.0,) * (FEATURES + 1)  # rules that give every candidate a trust and a presence of one half
SKILL = Skill(None, None, Rules(HALF, HALF, sure=0.8, agreed=0.7, none=0.2, known=0.3, gap=0.5), "a test")
KNOWN = dice(face(6, corrected=True, like=look(2, 1.2)))


def candidate(read: int, shown: Floats, **more: float) -> Candidate:
    """A candidate that the reader reads as one value; `more` are votes of the judge for other classes."""
    finder, judge = np.full(7, 0.02, np.float32), np.full(10, 0.01, np.float32)
    finder[read - 1] = judge[read] = 0.8
    for other, vote in more.items():
        judge[{"nothing": NOTHING, "cocked": COCKED}[other]] = vote
    fits = np.eye(6, dtype=np.float32)[read - 1]
    return Candidate(50.0, 50.0, 30.0, 0.0, finder, 1.0, judge, judge, fits, shown)


def read(one: Candidate, known: OwnDice = KNOWN) -> tuple[str, tuple[int, ...]]:
    reading = decide.reading(FRAME, [one], SKILL, own=known)
    return reading.status, reading.values


def test_a_doubtful_die_is_sure_if_people_have_confirmed_its_face() -> None:
    assert read(candidate(3, look(3)), NOTHING_LEARNED) == (UNSURE, (3,))
    assert read(candidate(3, look(3))) == (OK, (3,))
    assert read(candidate(3, look(3, 0.5))) == (UNSURE, (3,)), "its look is too different"


def test_a_die_is_in_doubt_if_people_said_another_value_of_its_face() -> None:
    sure = replace(SKILL, rules=replace(SKILL.rules, sure=0.4))
    one = candidate(4, look(3))
    assert decide.reading(FRAME, [one], sure).status == OK
    assert decide.reading(FRAME, [one], sure, own=KNOWN).status == UNSURE


def test_a_value_that_a_person_has_corrected_is_not_asked_for_again() -> None:
    assert read(candidate(2, look(2, 1.2))) == (OK, (6,))
    assert read(candidate(2, look(2, 0.85))) == (UNSURE, (2,)), "its look is too different"
    few = OwnDice(tuple(one for one in KNOWN.faces if one.value != 2))
    assert read(candidate(2, look(2, 1.2)), few) == (UNSURE, (2,)), "the look of a real two is not known yet"


@pytest.mark.parametrize("other", ["nothing", "cocked"])
def test_what_is_not_a_die_or_is_cocked_stays_in_doubt_whatever_its_look(other: str) -> None:
    assert read(candidate(3, look(3), **{other: 0.6})) == (UNSURE, (3,))
    status, _ = read(candidate(2, look(2, 1.2), **{other: 0.6}))
    assert status == UNSURE
    absent = replace(SKILL, rules=replace(SKILL.rules, presence=(*HALF[:-1], -2.0)))
    assert decide.reading(FRAME, [candidate(3, look(3))], absent, own=KNOWN).dice == ()


# With the real judge


@cache
def thrown(fault: str | None) -> tuple[Image, Reading, list[Truth]]:
    """A frame of three dice, what lies there, and a reading that puts each die at its place without a doubt."""
    rng = np.random.default_rng(3)
    table = fixed.set_up(rng, unseen=False)
    scene = fixed.roll(rng, table, 3, fault).scene
    truth = table.truth(scene)
    frame, dice = next(fixed.lying(rng, table, scene)), []
    for one in truth:
        centre, size, angle = cv2.minAreaRect(np.array(one.corners, np.float32))
        dice.append(Die(one.value, centre, Box(centre, (math.sqrt(math.prod(size)),) * 2, angle), 0.9))
    return frame, Reading(tuple(dice), OK), truth


def taught(frame: Image, *dice: Die) -> tuple[int, ...]:
    shown = [(*die.centre, die.value) for die in dice]
    return tuple(face.value for face in own_dice.taught(frame, Reading(dice, OK), shown))


def test_people_teach_the_faces_of_dice_in_full_view() -> None:
    frame, reading, _ = thrown(None)
    assert taught(frame, *reading.dice) == tuple(die.value for die in reading.dice)


def test_nothing_is_learned_from_a_die_that_is_partly_hidden_even_if_no_doubt_says_so() -> None:
    frame, reading, truth = thrown("hidden")
    covered = [die for die, one in zip(reading.dice, truth, strict=True) if 0.1 < one.top_visible < 0.6]
    assert covered and taught(frame, *covered) == ()
    assert own_dice.seen(frame, [(die.box, die.value, False) for die in covered]) == ()


def test_nothing_is_learned_from_a_blurred_die_or_one_with_glare_even_if_no_doubt_says_so() -> None:
    frame, reading, _ = thrown(None)
    one, *others = reading.dice
    assert taught(np.asarray(cv2.blur(frame, (15, 1)), np.uint8), *reading.dice) == ()
    (x, y), side = one.centre, one.box.size[0]
    lit = np.asarray(0.6 * frame, np.uint8)
    cv2.circle(lit, (round(x + side / 5), round(y)), round(side / 4), (255, 255, 255), -1)
    assert taught(lit, *reading.dice) == tuple(die.value for die in others)


def test_a_face_seen_in_a_picture_is_recognized_in_another_picture_of_it() -> None:
    rng = np.random.default_rng(simulated.SEED)
    table = fixed.set_up(rng, unseen=False)
    scene = fixed.roll(rng, table, 6).scene
    known = simulated.calibration(table)
    frames = fixed.lying(rng, table, scene)
    shown = reader.read(next(frames), known, 6)
    right = {t.centre: t.value for t in table.truth(scene)}
    values = [right[min(right, key=lambda at, die=die: math.dist(at, die.centre))] for die in shown.dice]
    faces = own_dice.seen(
        next(frames), [(die.box, value, False) for die, value in zip(shown.dice, values, strict=True)]
    )
    assert [one.value for one in faces] == values
    learned = NOTHING_LEARNED.learned(faces)
    looks = reader.look(next(frames), known, 6).found
    near = [min(looks, key=lambda c, die=die: math.dist((c.x, c.y), die.centre)) for die in shown.dice]
    votes = [learned.vote(c.face) for c in near]
    assert [vote and vote.value for vote in votes].count(None) <= 1
    assert all(vote is None or vote.value == value for vote, value in zip(votes, values, strict=True))

"""Watching a film: each roll is read only once, when the dice lie still, and hands are reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, cycle, dropwhile, groupby, islice

import cv2
import numpy as np
import pytest

from tests.dice import kept
from vision import simulated
from vision.reader import read
from vision.render import fixed, random_stage, throw
from vision.render.scene import Image
from vision.settle import Seen, Settle

pytestmark = pytest.mark.ground
SIZE = (320, 240)
LONG_ENOUGH = 1.7  # seconds within which dice at rest get a reading, even if it is unsure


@cache
def film(seed: int, ending: str = "still") -> tuple[tuple[Image, bool], ...]:
    """The frames of one roll, each paired with whether anything moves in it."""
    rng = np.random.default_rng([6, seed])
    stage = random_stage(rng, SIZE, die_px=22, unseen=True)
    return tuple((f, t is None) for f, t in throw(rng, stage, 2, SIZE, ending=ending, still=4, unseen=True))


def parts(frames: tuple[tuple[Image, bool], ...], fps: float) -> Iterator[tuple[Image, bool]]:
    """The film with its still parts lengthened, so that there is time to read the dice in each of them."""
    for moving, part in groupby(frames, lambda f: f[1]):
        shown = [frame for frame, _ in part]
        count = len(shown) if moving else int(LONG_ENOUGH * fps) + 2
        yield from ((frame, moving) for frame in islice(cycle(shown), count))


def watched(frames: Iterator[tuple[Image, bool]], fps: float, settle: Settle | None = None) -> list[tuple[Seen, bool]]:
    settle = settle or Settle()
    return [(settle.see(frame, number / fps), moving) for number, (frame, moving) in enumerate(frames)]


def readings(seen: list[tuple[Seen, bool]]) -> int:
    return sum(s.reading is not None for s, _ in seen)


@pytest.mark.parametrize(("fps", "every"), [(5, 6), (12, 2), (30, 1), (60, 1)])
def test_a_roll_is_read_once_and_only_after_the_dice_are_still(fps: int, every: int) -> None:
    thrown = [f for f in film(0) if f[1]]
    lain = [f for f in film(0)[-4:] if not f[1]]
    seen = watched(chain(thrown[::every], parts(tuple(lain), fps)), fps)
    assert not any(s.reading or s.state in ("settled", "empty") for s, moving in seen if moving)
    assert readings(seen) == (seen[-1][0].state == "settled") == 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_is_read_while_dice_roll_on_any_table(seed: int) -> None:
    seen = watched(parts(film(seed), 10), 10)
    _, rolling, lying = ([s for s, _ in part] for _, part in groupby(seen, lambda s: s[1]))
    in_view = dropwhile(lambda s: s.state in ("empty", "settled"), rolling)
    assert {s.state for s in in_view} <= {"moving", "hand", "still"} and "moving" in {s.state for s in rolling}
    assert lying[-1].state == "settled" and sum(s.reading is not None for s in lying) == 1


@pytest.mark.parametrize("ending", ["take", "move"])
def test_a_hand_is_reported_and_the_remaining_dice_are_read_again(ending: str) -> None:
    seen = watched(parts(film(4, ending), 10), 10)
    _, rolling, lying, hand, after = ([s for s, _ in part] for _, part in groupby(seen, lambda s: s[1]))
    over_the_dice = hand[len(hand) // 2 - 3 : len(hand) // 2 + 4]
    assert {s.state for s in over_the_dice} == {"hand"}
    assert not any(s.reading for s in rolling) and not any(s.state == "hand" for s in lying)
    assert sum(s.reading is not None for s in lying) == 1
    left = (*hand, *after)  # both parts, because the hand has left the picture before `hand` ends
    assert left[-1].state in (("settled",) if ending == "move" else ("empty", "settled"))
    assert sum(s.reading is not None for s in left) == (left[-1].state == "settled")


def lying_dice() -> list[Image]:
    return [frame for frame, _ in film(0)[-4:]]


def settled(fps: float = 10, settle: Settle | None = None) -> tuple[Settle, float]:
    """A Settle that has just read two dice, and the time of the next frame."""
    settle = settle or Settle()
    frames = list(islice(cycle(lying_dice()), int(LONG_ENOUGH * fps) + 2))
    assert [settle.see(f, k / fps) for k, f in enumerate(frames)][-1].state == "settled"
    return settle, len(frames) / fps


def test_drifting_light_is_not_motion() -> None:
    settle, at = settled()
    for k, frame in enumerate(islice(cycle(lying_dice()), 120)):
        share = k / 120
        warm = frame * np.array((1 - 0.5 * share, 1 - 0.35 * share, 1 - 0.25 * share))
        assert settle.see(warm.astype(np.uint8), at + k / 10) == Seen("settled", None, False)


def test_switching_on_a_lamp_is_motion() -> None:
    settle, at = settled()
    bright = np.clip(lying_dice()[0] * 1.4, 0, 255).astype(np.uint8)
    assert settle.see(bright, at).state == "moving"


def test_a_bumped_camera_is_motion_but_not_a_hand_and_the_dice_are_read_again() -> None:
    settle, at = settled()
    bumped = [np.roll(frame, (3, 2), (0, 1)) for frame in lying_dice()]
    seen = [settle.see(frame, at + k / 10) for k, frame in enumerate(islice(cycle(bumped), 19))]
    assert seen[0].state == "moving" and not any(s.state == "hand" for s in seen)
    assert sum(s.reading is not None for s in seen) == 1


@pytest.fixture(scope="module")
def table() -> fixed.SetUp:
    return fixed.set_up(np.random.default_rng(12), SIZE)


@pytest.mark.parametrize("fps", [6, 30])
def test_a_die_that_slows_down_gradually_is_not_read_early(table: fixed.SetUp, fps: int) -> None:
    rng = np.random.default_rng(8)
    scene = fixed.roll(rng, table, 1).scene
    seen = watched(((f, True) for f in fixed.flying(rng, table, scene, int(1.5 * fps))), fps)
    assert not any(s.reading for s, _ in seen)


def test_a_die_that_never_stops_creeping_is_never_read(table: fixed.SetUp) -> None:
    rng = np.random.default_rng(9)
    scene = fixed.roll(rng, table, 1).scene
    die = scene.dice[0]
    x, y, z = die.centre
    steps = [replace(scene, dice=(replace(die, centre=(x + 0.3 * k, y, z)),)) for k in range(40)]
    seen = watched(((next(fixed.lying(rng, table, s)), True) for s in steps), 30)
    assert not any(s.reading for s, _ in seen)


def test_a_hand_over_the_edge_of_a_known_tray_is_reported_even_if_it_was_always_there(table: fixed.SetUp) -> None:
    rng, known = np.random.default_rng(3), simulated.calibration(table)
    scene = fixed.roll(rng, table, 3).scene
    for covered, state in ((False, "still"), (True, "hand")):
        frames = list(islice(fixed.lying(rng, table, scene), 3))
        if covered:
            for frame in frames:
                cv2.rectangle(frame, (SIZE[0] // 2 - 40, 0), (SIZE[0] // 2 + 40, SIZE[1] // 2), (120, 150, 200), -1)
        seen = watched(((f, False) for f in frames), 6, Settle(known))
        assert seen[1][0].state == state


def test_a_picture_without_dice_is_empty_and_gives_no_reading() -> None:
    frames = (np.full((240, 320, 3), 128, np.uint8) for _ in range(20))
    seen = watched(((f, False) for f in frames), 10, Settle(expect=5))
    assert seen[-1][0].state == "empty" and readings(seen) == 0


@pytest.mark.parametrize("expect", [None, 5])
def test_a_table_is_not_empty_while_something_large_covers_its_edge(expect: int | None) -> None:
    bare = np.full((240, 320, 3), 128, np.uint8)
    covered = cv2.rectangle(bare.copy(), (120, 0), (200, 120), (90, 110, 150), -1)
    frames = ((f, False) for f in [bare] * 8 + [covered] * 40)
    seen = [s for s, _ in watched(frames, 10, Settle(expect=expect))]
    assert seen[7].state == "empty" and {s.state for s in seen[8:36]} == {"hand"}
    assert [s.reading.status for s in seen if s.reading] == ["unsure"]


def test_a_reading_beside_a_large_object_is_unsure() -> None:
    one = next(k for k in kept() if len(k.values) == 5 and read(k.image).status == "ok")
    half = one.image.shape[1] // 2
    covered = cv2.rectangle(one.image.copy(), (half, 0), (2 * half, len(one.image)), (120, 150, 200), -1)
    for expect in (None, 5):
        seen = watched(((f, False) for f in [one.image] * 8 + [covered] * 45), 10, Settle(expect=expect))
        first, second = [s.reading for s, _ in seen if s.reading]
        assert first.values == one.values and first.status == "ok"
        assert second.status == "unsure", second


def test_an_unreadable_picture_is_reported_once_with_the_reason() -> None:
    frames = (np.full((240, 320, 3), 3, np.uint8) for _ in range(30))
    seen = watched(((f, False) for f in frames), 10, Settle(expect=5))
    told = [s.reading for s, _ in seen if s.reading]
    assert len(told) == 1 and told[0].status == "unsure" and told[0].why == "too dark"


def test_a_clock_set_back_and_a_long_gap_are_handled() -> None:
    settle, at = settled()
    frame = lying_dice()[0]
    assert settle.see(frame, at - 3600).state == "moving"
    assert settle.see(frame, at - 3599.95).state == "still"
    late = [settle.see(frame, at + k) for k in range(4)]
    assert late[-1].state == "settled" and sum(s.reading is not None for s in late) == 1


def test_a_frame_of_another_size_counts_as_motion() -> None:
    settle, at = settled()
    larger = cv2.resize(lying_dice()[0], (400, 300))
    assert settle.see(np.asarray(larger, np.uint8), at).state == "moving"


def again(settle: Settle, at: float, *parts: list[Image], fps: float = 10) -> list[Seen]:
    """What is seen of these frames; the last part is repeated until there is time to read it."""
    last = islice(cycle(parts[-1]), int(LONG_ENOUGH * fps) + 2)
    frames = chain(*parts[:-1], last)
    return [settle.see(frame, at + k / fps) for k, frame in enumerate(frames)]


def passing() -> list[Image]:
    """A hand passes over the dice without moving them."""
    frames = []
    for k, reach in enumerate((40, 120, 200, 120, 40)):
        frame = lying_dice()[k % 4].copy()
        cv2.rectangle(frame, (90, 240 - reach), (170, 240), (110, 140, 200), -1)
        frames.append(frame)
    return frames


def test_dice_are_not_reported_again_after_a_hand_has_passed_over_them() -> None:
    settle, at = settled()
    seen = again(settle, at, passing(), lying_dice())
    assert "hand" in {s.state for s in seen} and seen[-1].state == "settled"
    assert not any(s.reading for s in seen)
    back = [s.at_rest for s in seen if s.at_rest]
    assert len(back) == 1 and back[0] == seen[-1].lies


def test_dice_with_the_same_values_at_other_places_are_reported() -> None:
    settle, at = settled()
    moved = [frame.copy() for frame in lying_dice()]
    for frame in moved:
        frame[85:160, 80:140] = frame[120:195, 125:185]
        frame[120:195, 140:185] = frame[120:195, 190:235]
    seen = again(settle, at, passing(), moved)
    assert sum(s.reading is not None for s in seen) == 1


def test_dice_are_reported_again_if_another_number_is_expected() -> None:
    settle, at = settled()
    settle.expect = 3
    seen = again(settle, at, passing(), lying_dice())
    assert [s.reading.status for s in seen if s.reading] == ["unsure"]


def test_a_hand_in_the_first_frame_is_not_reported_and_the_dice_are_read_once_it_has_left() -> None:
    settle, trembling = Settle(), [np.roll(passing()[2], k % 3, 1) for k in range(20)]
    seen = again(settle, 0.0, trembling, lying_dice())
    assert "hand" not in {s.state for s in seen}
    assert sum(s.reading is not None for s in seen) == 1 and seen[-1].state == "settled"


def test_after_a_cut_the_dice_are_read_without_waiting() -> None:
    one = next(k for k in kept() if len(k.values) == 5 and read(k.image).status == "ok")
    settle = Settle()
    again(settle, 0.0, [np.full_like(one.image, 90)])
    seen = again(settle, 10.0, [one.image])
    assert "hand" not in {s.state for s in seen}
    assert next(k for k, s in enumerate(seen) if s.reading) <= 5, "half a second"


def test_an_object_put_on_the_table_is_no_hand_after_half_a_second() -> None:
    settle, at = settled()
    covered = [cv2.rectangle(frame.copy(), (0, 180), (120, 239), (60, 20, 10), -1) for frame in lying_dice()]
    seen = again(settle, at, covered)
    assert [s.state for s in seen[:5]] == ["hand"] * 5
    assert seen[-1].state == "settled" and "hand" not in {s.state for s in seen[8:]}


def test_what_has_left_the_table_is_no_hand() -> None:
    book = [cv2.rectangle(frame.copy(), (0, 180), (120, 239), (60, 20, 10), -1) for frame in lying_dice()]
    settle = Settle()
    again(settle, 0.0, book)
    assert "hand" not in {s.state for s in again(settle, 10.0, lying_dice())}


def test_a_shadow_is_no_hand() -> None:
    settle, at = settled()
    shade = np.ones((240, 320, 1), np.float32)
    shade[140:] = 0.93
    shaded = [np.asarray(frame * shade, np.uint8) for frame in lying_dice()]
    assert "hand" not in {s.state for s in again(settle, at, shaded)}

"""Dice that are taken from the table and thrown again without a pause: which of those before were seen to go."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.motion import compare, shrink
from vision.networks import Image
from vision.pickup import Pickup
from vision.reading import OK, UNSURE, Box, Die, Reading

pytestmark = pytest.mark.ground
SIZE = (640, 480)
A, B = (200.0, 200.0), (420.0, 300.0)
Place = tuple[float, float]


def die(place: Place, value: int = 3) -> Die:
    return Die(value, place, Box(place, (40.0, 40.0), 0.0), 0.99)


def table(*places: Place, hand: Place | None = None, light: float = 1.0) -> Image:
    """A table with dice at these places, and a hand that reaches from the lower edge up to a place."""
    rng = np.random.default_rng(4)
    frame = cv2.resize(rng.uniform(70, 110, (48, 64, 3)).astype(np.float32), SIZE, interpolation=cv2.INTER_CUBIC)
    for x, y in places:
        cv2.rectangle(frame, (round(x) - 20, round(y) - 20), (round(x) + 20, round(y) + 20), (220, 220, 220), -1)
    if hand:
        x, y = (round(part) for part in hand)
        cv2.rectangle(frame, (x - 45, y), (x + 45, SIZE[1]), (120, 150, 200), -1)
    return np.asarray((light * frame).clip(0, 255), np.uint8)


class Film:
    """Pictures at rest and pictures with motion, as `Settle` passes them on."""

    def __init__(self) -> None:
        self.pickup = Pickup(None)
        self.rest()

    def rest(self, *places: Place, status: str = OK, read: int | None = None) -> list[Place]:
        """These dice come to rest, and the first `read` of them are read. Returns where dice were taken before."""
        self.at_rest = shrink(table(*places))
        taken = self.pickup.rest(self.at_rest, Reading(tuple(map(die, places[:read])), status))
        return [one.centre for one in taken]

    def moves(self, *frames: Image) -> None:
        for frame in frames:
            small = shrink(frame)
            self.pickup.see(small, compare(small, self.at_rest))


def taken(*left: Place) -> list[Image]:
    """A hand takes dice, leaves the picture, and only the dice `left` are still there."""
    return [table(A, B, hand=A), table(*left, hand=A), table(*left), table(*left)]


def test_dice_that_a_hand_takes_out_of_the_picture_are_taken() -> None:
    film = Film()
    film.rest(A, B)
    film.moves(*taken(), table((100, 100)))
    assert film.rest((100, 100), (150, 300)) == [A, B]


def test_a_die_that_stays_while_the_other_is_taken_is_not_taken() -> None:
    film = Film()
    film.rest(A, B)
    film.moves(*taken(B), table((100, 100), B))
    assert film.rest((100, 100), B) == [A]


def test_a_die_that_is_thrown_onto_its_old_place_was_taken() -> None:
    film = Film()
    film.rest(A, B)
    film.moves(*taken(B), table(A, B), table(A, B))
    assert film.rest(A, B) == [A]


def test_a_hand_that_only_passes_over_takes_nothing() -> None:
    film = Film()
    film.rest(A, B)
    film.moves(table(A, B, hand=A), table(A, B, hand=B), table(A, B), table(A, B))
    assert film.rest(A, B) == []


def test_dice_pushed_in_view_are_never_taken() -> None:
    film = Film()
    film.rest(A, B)
    film.moves(*(table((A[0] + 10 * k, A[1]), B) for k in range(1, 12)))
    assert film.rest((310, 200), B) == []


def test_a_die_pushed_under_a_hand_is_not_taken() -> None:
    film = Film()
    film.rest(A)
    film.moves(*(table(hand=(A[0] + 10 * k, A[1] - 30)) for k in range(12)))
    assert film.rest((310, 200)) == []


def test_a_die_hidden_under_a_hand_at_the_edge_of_the_picture_is_not_taken() -> None:
    low = (200.0, 450.0)
    film = Film()
    film.rest(low)
    film.moves(*[table(hand=(200, 425))] * 3)
    assert film.rest((300, 440)) == []


def test_a_single_frame_without_dice_is_not_enough() -> None:
    film = Film()
    film.rest(A, B)
    film.moves(table(hand=A), table(), table(A, B))
    assert film.rest(A, B) == []


def test_without_having_seen_the_table_bare_nothing_is_known() -> None:
    film = Film()
    film.pickup = Pickup(None)
    film.rest(A, B)
    film.moves(*taken())
    assert film.rest((100, 100)) == []


def test_the_table_is_learnt_where_dice_lay_before() -> None:
    film = Film()
    film.pickup = Pickup(None)
    film.rest(A)
    film.rest(B)  # now all of the table has been seen
    film.moves(*taken())
    assert film.rest((100, 100)) == [B]


def test_a_die_that_was_not_read_does_not_become_part_of_the_table() -> None:
    film = Film()
    film.rest(A, B, status=UNSURE, read=1)
    film.moves(*taken(B))
    assert film.rest((100, 100)) == [], "the other die still lies there"


def test_dice_that_cannot_be_told_from_the_table_are_not_seen_to_go() -> None:
    film = Film()
    film.at_rest = shrink(table())
    film.pickup.rest(film.at_rest, Reading((die(A),), OK))
    film.moves(*taken())
    assert film.rest((100, 100)) == []


def test_dice_are_seen_to_go_in_other_light() -> None:
    film = Film()
    film.rest(A, B)
    film.moves(*(np.asarray(frame * 0.8, np.uint8) for frame in taken()))
    assert film.rest((100, 100)) == [A, B]

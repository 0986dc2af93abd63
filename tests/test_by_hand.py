"""Turns played by hand: setting dice aside in the strip, rolling the rest, lifting cups. The real reader reads rendered
pictures.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.ground,
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for rpicam-vid needs Linux or macOS"),
]
pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("cv2", reason="OpenCV reads dice")

from table.engine.asks import Choose, Roll  # noqa: E402
from table.session.lineup import Seat  # noqa: E402
from table.session.messages import CameraLies  # noqa: E402
from table.ui.kiosk.gestures import END, ROLL  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from tests.evening import Evening  # noqa: E402
from tests.homemade import homemade  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402
from tests.test_worker import after, die, empty_tray  # noqa: E402
from vision.reading import OK, UNSURE, Die, Doubt, Reading  # noqa: E402
from vision.settle import EMPTY, SETTLED, Seen  # noqa: E402
from vision.strip import Lying, Strip  # noqa: E402

# Whole turns


class Turn(Evening):
    """A game played with rendered dice and two buttons, with access to its answers."""

    def begin(self, game: str, **options: Any) -> None:
        self.sit(game)
        self.table.sit(game, [Seat("Ann"), Seat("Bo")], options)

    def turn(self) -> None:
        """Skip the animation of tumbling dice."""
        super().turn()
        if isinstance(self.table.scene, Play) and not self.shown:
            self.press(ROLL)

    @property
    def ask(self) -> Any:
        assert self.table.session.match
        return self.table.session.match.referee.ask

    @property
    def shown(self) -> bool:
        scene = self.table.scene
        return isinstance(scene, Play) and scene._show.done(self.table.now)

    def roll_faces(self, *faces: int) -> None:
        self.until(lambda: self.asked == len(faces) and self.state in ("empty", "settled"), "an ask")
        self.dice.throw(len(faces), faces=faces)
        self.until(lambda: isinstance(self.ask, Choose) and self.shown, "a choice")

    def roll_one(self, face: int) -> None:
        """Roll one die in an empty tray: near another die, it might count as one that was knocked over."""
        self.until(lambda: self.asked == 1 and self.state in ("empty", "settled"), "an ask")
        if self.dice.lies.dice:
            self.dice.take()
            self.until(lambda: self.state == "empty", "an empty tray")
        before = len(self.history)
        self.dice.throw(1, faces=(face,))
        self.until(lambda: len(self.history) > before, "a die")

    def chosen(self) -> list[int] | None:
        """The dice set aside by hand, or None if the list is used instead."""
        dice, choosing = self.view["dice"][self.ask.seat], self.table.scene._decision.choosing
        return None if choosing is None or choosing._touched is None else sorted(dice[k] for k in choosing._touched)

    @property
    def view(self) -> Any:
        assert self.table.session.match
        return self.table.session.match.referee.view(None)

    @property
    def name(self) -> str:
        return str(self.view["players"][self.ask.seat])

    def last_answers_are(self, word: str, dice: tuple[int, ...]) -> bool:
        """Whether the last two answers are this choice and a roll of these dice."""
        (_, chosen), (_, rolled) = self.history[-2:]
        said = chosen if isinstance(chosen, str) else chosen[0]
        return said == word and tuple(sorted(rolled)) == dice

    def choose(self, *options: Any) -> None:
        for option in options:
            self.until(lambda: isinstance(self.ask, Choose) and self.table.session.turn == "person", "a choice")
            self.table.session.choose(option)
            before = len(self.history)
            self.until(lambda: len(self.history) > before, "the answer")  # noqa: B023

    def says(self, words: str) -> bool:
        self.turn()
        return any(words in text for text in self.table.words)


@pytest.fixture
def turn(tmp_path: Path) -> Iterator[Turn]:
    with Turn(tmp_path, seed=4) as found:
        yield found


def test_cheese_can_be_played_by_setting_dice_aside(turn: Turn) -> None:
    turn.begin("cheese")
    turn.roll_faces(1, 5, 3, 3, 2, 6)
    turn.dice.set_aside(1)
    turn.until(lambda: turn.chosen() == [1], "what was set aside")
    turn.dice.set_aside(5)
    turn.until(lambda: turn.chosen() == [1, 5], "what was set aside")
    turn.press(END)
    turn.until(lambda: turn.ask.options == ("roll", "end") and turn.shown, "the next choice")
    turn.dice.throw(4, faces=(5, 2, 2, 3))  # without pressing Roll
    turn.until(lambda: turn.last_answers_are("roll", (2, 2, 3, 5)) and turn.shown, "the rest as the next roll")

    turn.dice.set_aside(5)  # the same value as the die already in the strip
    turn.until(lambda: turn.chosen() == [5], "what was set aside")
    turn.dice.throw(3, faces=(1, 4, 6))
    turn.until(lambda: turn.last_answers_are("roll", (1, 4, 6)) and turn.shown, "the rest as the next roll")
    assert turn.view["kept"] in ([1, 5, 5], [5, 1, 5]) and turn.view["points"] == 200

    turn.dice.set_aside(4, turned=True)
    turn.until(lambda: turn.says("No one rolled this"), "an explanation")
    assert turn.chosen() is None
    turn.press(END)  # take the selected entry of the list
    turn.until(lambda: turn.ask.options == ("roll", "end") and turn.shown, "the next choice")
    assert turn.view["points"] == 300


def test_a_set_that_does_not_score_is_explained_and_no_roll_after_it_counts(turn: Turn) -> None:
    turn.begin("cheese")
    turn.roll_faces(1, 5, 3, 3, 2, 6)
    turn.dice.set_aside(3)
    turn.until(lambda: turn.says("3 doesn't score here"), "an explanation")
    turn.press(END)
    turn.dice.throw(5, faces=(5, 5, 1, 1, 2))
    turn.until(lambda: turn.says("doesn't count"), "an explanation")
    turn.press(END)
    turn.press(ROLL)  # choose a set from the list instead
    turn.press(END)
    turn.until(lambda: turn.ask.options == ("roll", "end") and turn.shown, "the next choice")
    turn.press(ROLL)
    turn.until(lambda: turn.asked, "an ask")
    turn.run(1.0)
    assert [type(ask) for ask, _ in turn.history] == [Roll, Choose, Choose], (
        "the dice in the tray were rolled before the ask"
    )
    turn.dice.take()
    turn.until(lambda: turn.state == "empty", "a tray with nothing but kept dice")


def test_pocoloco_can_be_played_by_setting_dice_aside(turn: Turn) -> None:
    turn.begin("pocoloco")
    turn.roll_faces(6, 6, 2)
    first = turn.ask.seat
    turn.dice.set_aside(6, 6)
    turn.until(lambda: turn.chosen() == [6, 6], "what was set aside")
    turn.dice.throw(1, faces=(6,))
    turn.until(lambda: turn.last_answers_are("reroll", (6,)) and turn.shown, "the third six")
    turn.dice.set_aside(6)
    turn.until(lambda: turn.chosen() == [6, 6, 6], "all of them")
    turn.press(END)
    turn.until(lambda: turn.history[-1][1] == "end", "the end of the turn")

    turn.dice.take(strip=True)
    turn.roll_faces(1, 1, 3)
    assert turn.ask.seat != first
    turn.dice.set_aside(1, 1)
    turn.until(lambda: turn.chosen() == [1, 1], "what was set aside")
    turn.dice.take()
    turn.run(1.0)
    turn.dice.throw(1, faces=(3,))  # this die was picked up, so even the same value counts as rolled
    turn.until(lambda: turn.last_answers_are("reroll", (3,)), "the last die")


def test_rolling_again_in_mexico_needs_no_press(turn: Turn) -> None:
    turn.begin("mexico", mode="elimination", lives=1)
    turn.roll_one(6)
    turn.roll_one(3)
    turn.roll_faces(3, 1)
    first = turn.ask.seat
    assert turn.dice.push()
    turn.run(1.5)
    assert len(turn.history) == 3, "nobody rolled"
    turn.dice.throw(1, faces=(5,))
    turn.until(lambda: turn.says("doesn't count"), "an explanation")
    turn.dice.throw(2, faces=(5, 4))
    turn.until(lambda: turn.last_answers_are("roll", (4, 5)) and turn.shown, "the dice as the next roll")
    assert turn.ask.options == ("roll", "end") and turn.ask.seat == first
    turn.press(END)
    turn.until(lambda: turn.asked == 2 and turn.state == "settled", "the next player's roll")
    assert turn.history[-1][1] == "end"


def test_two_cups_are_lifted_in_turn_and_no_dice_are_read_twice(turn: Turn) -> None:
    turn.begin("cacho", dice=2, cups=[0, 1])
    turn.roll_one(6)
    turn.roll_one(3)
    turn.choose(("bid", (1, 2)), "dudo")
    turn.until(lambda: turn.asked == 2 and turn.says("Remove the other dice from the tray"), "whose cup is lifted")
    assert turn.says(f"{turn.name}, lift your cup")
    first = turn.name
    turn.dice.take()
    turn.until(lambda: turn.state == "empty", "an empty tray")
    assert turn.says("Put the cup in the tray and lift it there")
    turn.dice.throw(2, faces=(2, 4))
    turn.until(lambda: len(turn.history) == 5, "the first cup")

    turn.until(lambda: turn.asked == 2 and turn.says("lift your cup"), "the second cup")
    assert turn.name != first
    assert turn.dice.push()
    turn.until(lambda: turn.says("Were all of these under the cup?"), "a doubt")
    assert len(turn.history) == 5
    turn.dice.take()
    turn.until(lambda: turn.state == "empty", "an empty tray")
    turn.dice.throw(2, faces=(2, 5))
    turn.until(lambda: len(turn.history) == 6, "the second cup")
    assert [sorted(dice) for _, dice in turn.history[-2:]] == [[2, 4], [2, 5]]


def test_a_called_claim_is_settled_by_the_claimants_cup(turn: Turn) -> None:
    turn.begin("bluff", rules="simple", rounds=1, cups=[0, 1])
    turn.choose(("claim", 9), "call")
    turn.until(lambda: turn.asked == 2 and turn.state == "empty", "the cup")
    assert turn.says(f"{turn.name}, lift your cup")
    turn.dice.throw(2, faces=(4, 5))
    turn.until(lambda: len(turn.history) == 3, "the dice")
    assert sorted(turn.history[-1][1]) == [4, 5]


# At the table


@pytest.fixture
def table() -> Iterator[Tabletop]:
    with Tabletop(source="typed") as found:
        found.sit("cheese", [Seat("Ann"), Seat("Bo")])
        yield found


def enter(table: Tabletop, *dice: int) -> None:
    table.session.dice.throw()
    table.session.dice.enter(dice)
    table.run(4.0)


def lie(
    table: Tabletop, strip: tuple[int, ...], loose: tuple[int, ...], rolled: bool = False, sure: bool = True
) -> None:
    table.mailbox.post(CameraLies(strip, (), loose, rolled, sure))
    table.run(0.1)


def test_dice_in_the_strip_before_the_roll_do_not_count_as_set_aside(table: Tabletop) -> None:
    lie(table, (1,), ())
    enter(table, 1, 1, 2, 3, 4, 6)
    assert table.scene._decision.choosing._touched is None


def test_moving_dice_in_the_tray_does_not_change_what_was_touched_on_the_screen(table: Tabletop) -> None:
    enter(table, 1, 1, 2, 3, 4, 6)
    table.touch("die:0")
    lie(table, (), (1, 2, 3, 4, 6))
    assert table.scene._decision.choosing.places == (1,)
    lie(table, (1,), (1, 2, 3, 4, 6))
    assert table.scene._decision.choosing.places == (0,)
    lie(table, (), (1, 1, 2, 3, 4, 6))
    assert table.scene._decision.choosing._touched is None, "the die was put back"


def test_an_unreadable_die_in_the_strip_is_reported_until_a_choice_on_the_screen(table: Tabletop) -> None:
    enter(table, 1, 1, 2, 3, 4, 6)
    lie(table, (1,), (1, 2, 3, 4, 6), sure=False)
    assert any("can't be read" in words for words in table.words)
    table.roll()
    assert not any("can't be read" in words for words in table.words)


def test_roll_means_next_only_if_there_is_another_entry_or_other_dice_were_touched(table: Tabletop) -> None:
    enter(table, 1, 2, 3, 4, 6, 6)
    assert table.scene.caps(table.now).roll is None
    table.touch("die:1")
    assert table.scene.caps(table.now).roll.label == "Next"
    table.roll()
    caps = table.scene.caps(table.now)
    assert caps.roll is None and caps.end.lit


CHOOSES_TWICE = """
from dataclasses import dataclass

from table.engine.asks import Choose, Game, Roll


@dataclass(frozen=True)
class Options:
    pass


@dataclass
class Board:
    pass


def play(table, options):
    table.board = Board()
    dice = yield Roll(0, 3)
    table.hands.lay(0, dice)
    for word in ("keep", "turn"):
        yield Choose(0, ((word, (0,)), (word, (1,)), (word, (2,))))
    return (0,)


GAME = Game("pig", "Pig", "", (1, 2), 3, Options, play)
"""


def test_dice_can_be_set_aside_for_a_second_choice_in_a_row(tmp_path: Path) -> None:
    with homemade(tmp_path, {"rules.py": CHOOSES_TWICE}), Tabletop(source="typed") as table:
        table.sit("pig", [Seat("Ann")])
        enter(table, 1, 2, 3)
        table.session.choose(("keep", (0,)))
        table.run(4.0)
        lie(table, (2,), (1, 3))
        assert table.scene._decision.choosing.places == (1,)


def test_a_roll_in_the_tray_is_ignored_if_the_camera_is_not_the_source(table: Tabletop) -> None:
    enter(table, 1, 1, 2, 3, 4, 6)
    lie(table, (1,), (5, 5, 5, 5, 5), rolled=True)
    assert len(table.session.match.referee.history) == 1  # type: ignore[union-attr]


# What the camera reports


def kept(value: int, x: float) -> Die:
    return die(value, x, kept=True)


def lay(strip: Strip, *dice: Die, status: str = OK) -> Lying | None:
    if not dice:
        return strip.see(Seen(EMPTY, None, True))
    return strip.see(Seen(SETTLED, Reading(dice, status, None, (Doubt("edge"),) * (status != OK)), True))


def rolled(*readings: tuple[Die, ...]) -> list[bool | None]:
    strip = Strip()
    told = [lay(strip, *dice) for dice in readings]
    return [one.thrown if one else None for one in told]


def test_dice_count_as_rolled_if_they_moved_and_changed_while_the_strip_stayed_the_same() -> None:
    fell = (die(1, 100), die(3, 200), die(4, 300))
    aside = (kept(1, 500), die(3, 200), die(4, 300))
    again = (kept(1, 500), die(2, 120), die(4, 350))
    assert rolled(fell, aside, again) == [False, False, True]
    assert rolled(fell, again) == [False, False], "the dice set aside were never seen before the roll"


def test_pushed_dice_or_only_part_of_the_dice_do_not_count_as_rolled() -> None:
    aside = (kept(1, 500), die(3, 200), die(4, 300))
    assert rolled(aside, (kept(1, 500), die(3, 240), die(4, 340))) == [False, False], "pushed"
    assert rolled(aside, (kept(1, 500), die(3, 200), die(2, 340))) == [False, False], "one die did not move"
    assert rolled(aside, (kept(1, 500), kept(3, 560), die(2, 340))) == [False, False], "one fell into the strip"


def test_with_an_empty_strip_all_dice_can_count_as_rolled() -> None:
    fell = (die(3, 200), die(4, 300))
    assert rolled(fell, (die(2, 240), die(5, 340))) == [False, True]
    assert rolled(fell, (die(4, 240), die(3, 340))) == [False, False], "maybe pushed"
    assert rolled(fell, (), (die(4, 240), die(3, 340))) == [False, False, True]
    assert rolled((die(3, 200),), (die(5, 240),)) == [False, False], "maybe knocked over"
    assert rolled((die(3, 200),), (), (die(5, 240),)) == [False, False, True]


@pytest.mark.parametrize("seen", [(die(2, 240),), ()])
def test_dice_entered_by_people_do_not_count_as_rolled_when_they_are_read_later(
    seen: tuple[Die, ...],
) -> None:
    strip = Strip()
    lay(strip, die(3, 200), die(4, 300))
    doubt = Reading(seen, UNSURE, None, (Doubt("dark"),))
    assert strip.see(Seen(SETTLED, doubt, True), asked=True)
    again = lay(strip, die(2, 240), die(5, 340))
    assert again and not again.thrown
    other = lay(strip, die(6, 100), die(1, 150))
    assert other and other.thrown


def test_dice_that_were_picked_up_count_as_rolled_with_any_value() -> None:
    aside, gone = (kept(1, 500), die(3, 200)), (kept(1, 500),)
    assert rolled(aside, gone, (kept(1, 500), die(3, 240))) == [False, False, True]


def test_unsure_dice_do_not_count_as_rolled_and_unchanged_dice_are_not_reported() -> None:
    strip = Strip()
    lay(strip, kept(1, 500), die(3, 200))
    unsure = lay(strip, kept(1, 500), die(2, 240), status=UNSURE)
    assert unsure and not unsure.thrown
    assert lay(strip, kept(1, 501), die(3, 201)) is None
    assert lay(strip, kept(1, 500), die(2, 240)) is not None
    assert lay(strip) is not None and lay(strip) is None


def test_dice_from_a_cup_are_sure_only_if_the_tray_was_seen_empty_before() -> None:
    rolls = empty_tray()
    after(rolls, die(3, 100), die(4, 200))
    rolls.ask(1, lifted=True)
    pushed = after(rolls, die(3, 140), die(4, 240))
    assert pushed and not pushed.sure and len(pushed.stayed) == 2
    assert after(rolls) is None
    told = after(rolls, die(3, 140), die(4, 240))
    assert told and told.sure

"""The session: whose turn it is, answers that are stored before they count, taking answers back, and dice that fail."""

import queue
import random
import sqlite3
from collections import deque
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from table import devices
from table.devices import DiceSource
from table.devices.simulated import SimulatedDice
from table.engine.asks import Choose, Draw, Game, Over, Roll, Steps, Table
from table.engine.errors import Refused
from table.engine.referee import Referee
from table.games import GAMES
from table.session.match import Match, begin, seated
from table.session.messages import (
    Committed,
    ComputerChose,
    Correction,
    DeviceFound,
    DeviceLost,
    DiceRead,
    NotKept,
    Opened,
    Records,
    Unfinished,
)
from table.session.pace import PAUSES
from table.session.session import Session
from table.storage.journal.entries import Answered, Began, Corrected, Finished, Left, TookBack
from table.storage.journal.writer import Journal
from tests.homemade import homemade

PATIENCE = 60.0  # seconds; only a failing test waits this long
PEOPLE = ("Ann", "Bo")


class ScriptedDice(DiceSource):
    """A dice source that the test controls."""

    def __init__(self, post: Any, name: str = "scripted", private: bool = False) -> None:
        self.name, self._private, self._post = name, private, post
        self.asked: list[tuple[int, Roll]] = []
        self.cancelled = 0

    def private(self, seat: int) -> bool:
        return self._private

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        self.asked.append((ticket, roll))

    def say(self, *dice: int) -> None:
        self._post(DiceRead(self.name, self.asked[-1][0], dice))

    def cancel(self) -> None:
        self.cancelled += 1


class Room:
    """A session whose journal is a list. Entries are committed only when the test says so."""

    def __init__(self, source: str = "simulated", seed: int = 1, chosen: Any = None) -> None:
        self.entries: list[Any] = []
        self.posted: deque[Any] = deque()
        post = self.posted.append
        self.sources: dict[str, Any] = {name: devices.make(name, post) for name in devices.SOURCES}
        self.sources["simulated"] = SimulatedDice(post, random.Random(seed))
        self.scripted = self.sources["scripted"] = ScriptedDice(post)
        self.session = Session(self, self.sources, source, random.Random(seed), clock=lambda: 5.0, post=chosen)

    def keep(self, entry: Any) -> int:
        self.entries.append(entry)
        return len(self.entries)

    def sit(self, game: str, *seats: str, **options: Any) -> Referee:
        return self.begin(match(game, seats or PEOPLE, **options))

    def begin(self, match: Match) -> Referee:
        self.session.begin(match)
        return match.referee

    def deliver(self) -> None:
        """Deliver the posted messages."""
        while self.posted:
            self.session.handle(self.posted.popleft())

    def settle(self) -> None:
        """Deliver messages and commit entries until nothing is pending."""
        self.deliver()
        while self.session.writing:
            for ticket in range(len(self.entries)):
                self.session.handle(Committed(ticket + 1))
            self.deliver()

    def roll(self, *dice: int) -> None:
        """Roll exactly these dice, instead of what the source would have rolled."""
        self.session.dice.throw()
        assert self.session.dice.awaited
        self.posted.clear()
        self.posted.append(DiceRead(self.session.dice.awaited.source, self.session.dice.awaited.ticket, dice))
        self.settle()

    def choose(self, option: Any) -> None:
        self.session.choose(option)
        self.settle()

    def step(self) -> None:
        self.session.step()
        self.settle()

    def until_roll(self) -> None:
        assert self.session.match
        while not isinstance(self.session.match.referee.ask, Roll):
            self.step()

    def until_choice(self) -> Choose:
        """Roll and draw until someone has a choice to make."""
        assert self.session.match
        while not isinstance(self.session.match.referee.ask, Choose):
            self.session.dice.throw()
            self.step()
        return self.session.match.referee.ask


def match(game: str, seats: tuple[str, ...] = PEOPLE, **options: Any) -> Match:
    seating = seated(seats, GAMES[game])
    return Match(begin(GAMES[game], seating, options, seed=3), seating)


# Write-ahead


def test_an_answer_is_written_before_the_match_takes_it():
    room = Room()
    game = room.sit("mexico")
    room.session.dice.throw()
    room.deliver()
    kept = room.entries[-1]
    assert isinstance(kept, Answered)
    assert (kept.number, kept.asked, kept.source) == (0, "dice 0 1", "simulated")
    assert game.history == [] and room.session.turn == "busy" and not room.session.news.take()
    assert room.session.handle(Committed(len(room.entries)))
    assert [list(answer) for _, answer in game.history] == [kept.answer]
    assert [news.number for news in room.session.news.take()] == [0]


def test_a_commit_of_another_entry_changes_nothing():
    room = Room()
    game = room.sit("mexico")
    room.session.dice.throw()
    room.deliver()
    for ticket in (len(room.entries) - 1, len(room.entries) + 1):
        assert not room.session.handle(Committed(ticket))
    assert game.history == [] and room.session.turn == "busy"


def test_an_answer_that_cannot_be_written_is_still_played():
    room = Room()
    game = room.sit("mexico")
    room.session.dice.throw()
    room.deliver()
    assert room.session.handle(NotKept(len(room.entries), "full"))
    assert len(game.history) == 1 and room.session.turn == "person"


def test_nothing_else_is_accepted_while_an_answer_is_being_written():
    room = Room()
    game = room.sit("bluff")
    room.until_choice()
    before = len(game.history)
    room.session.choose(("claim", 7))
    kept = list(room.entries)
    room.session.choose(("claim", 8))
    room.session.take_back()
    room.session.dice.throw()
    room.session.step()
    assert room.entries == kept
    room.settle()
    assert len(game.history) == before + 1 and game.history[-1][1] == ("claim", 7)


def test_an_option_that_is_not_offered_is_refused_and_not_written():
    room = Room()
    room.sit("bluff")
    room.until_choice()
    kept = list(room.entries)
    with pytest.raises(Refused, match="not offered"):
        room.session.choose(("claim", 13))
    assert room.entries == kept and room.session.turn == "person"


def test_the_journal_receives_the_whole_game_from_began_to_finished():
    room = Room()
    began = match("pocoloco", ("Ann", "computer"), chips=2)
    game = room.begin(began)
    while room.session.turn != "over":
        if isinstance(game.ask, Choose) and room.session.turn == "person":
            room.choose(game.ask.options[-1])
        room.session.dice.throw()
        room.step()
    first, *answers, last = room.entries
    assert first == Began(
        match=began.id,
        game="pocoloco",
        rules=GAMES["pocoloco"].version,
        players=("Ann", "Dot"),
        levels=(None, "classic"),
        guests=(),
        options=game.save()["options"],
        seed=3,
        at=5.0,
    )
    assert [entry.number for entry in answers] == list(range(len(game.history)))
    assert [entry.answer for entry in answers] == game.save()["answers"]
    assert {entry.source for entry in answers} <= {"simulated", "choice", "computer", "table"}
    assert isinstance(last, Finished) and isinstance(game.ask, Over)
    assert (last.match, last.winners, last.at) == (began.id, game.ask.winners, 5.0)
    assert last.standing == tuple(game.table.standing)


# Whose turn it is


def test_choosing_roll_rolls_the_dice_at_once():
    room = Room()
    game = room.sit("mexico")
    room.roll(6)
    room.roll(1)
    room.roll(5, 4)
    assert isinstance(game.ask, Choose)
    before = len(game.history)
    room.choose("roll")
    assert len(game.history) == before + 2 and isinstance(game.history[-1][0], Roll)


def test_choosing_which_dice_to_reroll_rolls_them_at_once():
    room = Room()
    game = room.sit("pocoloco")
    room.until_choice()
    before = len(game.history)
    room.choose(("reroll", (0, 2)))
    ask, _ = game.history[before + 1]
    assert isinstance(ask, Roll) and ask.count == 2


def test_a_computer_that_chooses_roll_pauses_before_it_rolls():
    room = Room()
    game = room.sit("cheese", "computer", "computer")
    for _ in range(200):
        room.step()
        last, answer = game.history[-1]
        if isinstance(last, Choose) and answer == "roll":
            break
    assert isinstance(game.ask, Roll) and room.session.turn == "table" and room.session.dice.awaited is None


def test_open_dice_come_from_the_source_in_use_and_hidden_dice_from_a_private_source():
    room = Room(source="typed")
    room.sit("mexico")
    room.session.dice.throw()
    assert room.session.dice.awaited and room.session.dice.awaited.source == "typed"
    room.sit("cacho")
    for _ in PEOPLE:
        room.session.dice.throw()
        assert room.session.dice.awaited and room.session.dice.awaited.source == "typed"
        room.session.dice.enter((6 - len(room.session.match.referee.history),) if room.session.match else ())
        room.settle()
    room.session.dice.throw()
    assert (
        room.session.dice.awaited
        and room.session.dice.awaited.roll.hidden
        and room.session.dice.awaited.source == "simulated"
    )


@pytest.mark.parametrize("source", ["simulated", "typed", "edice"])
def test_dice_under_a_real_cup_are_typed_in_and_never_rolled_by_the_table(source):
    room = Room(source=source)
    game = room.sit("bluff", cups=[0, 1])
    room.until_choice()
    room.choose(("claim", 9))
    room.choose("call")
    assert isinstance(game.ask, Roll) and not game.ask.hidden
    room.session.dice.throw()
    assert room.session.dice.awaited and room.session.dice.awaited.source == "typed"
    room.session.dice.enter((4, 5))
    room.settle()
    assert game.history[-1][1] == (4, 5)


def test_computers_roll_simulated_dice_whatever_source_people_use():
    room = Room(source="typed")
    game = room.sit("mexico", "computer", "Ann")
    room.step()
    assert len(game.history) == 1 and room.entries[-1].source == "simulated"


def test_people_cannot_roll_for_a_computer():
    room = Room()
    game = room.sit("mexico", "computer", "Ann")
    room.session.dice.throw()
    assert room.session.dice.awaited is None and room.session.turn == "table"
    room.step()
    assert len(game.history) == 1


def test_the_table_draws_with_the_random_generator_it_was_given():
    drawn = []
    for seed in (7, 7, 8):
        room = Room(seed=seed)
        game = room.sit("bluff", *("Ann", "Bo", "Cy", "Di", "Ed", "Flo"))
        assert isinstance(game.ask, Draw)
        expected = game.drawn(random.Random(seed))
        room.step()
        assert game.history[0][1] == expected and room.entries[-1].source == "table"
        drawn.append(expected)
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_news_of_a_hidden_roll_does_not_contain_its_dice():
    room = Room()
    game = room.sit("bluff")
    room.until_choice()
    hidden = [news for news in room.session.news.take() if isinstance(news.ask, Roll)]
    assert len(hidden) == 2
    for news in hidden:
        assert news.answer is None
        assert all(die is None for hand in news.after["dice"] for die in hand)
        assert all(event.to is None and set(event.facts["dice"]) == {None} for event in news.events)
    assert None not in game.view(0)["dice"][0]


# Taking back


def test_a_choice_is_taken_back_once_the_journal_has_written_it():
    room = Room()
    game = room.sit("bluff")
    ask = room.until_choice()
    number = len(game.history)
    room.choose(("claim", 9))
    assert room.session.can_take_back
    room.session.take_back()
    assert room.entries[-1] == TookBack(room.entries[0].match, number)
    assert len(game.history) == number + 1 and room.session.turn == "busy"
    room.settle()
    assert len(game.history) == number and game.ask == ask
    assert not room.session.can_take_back, "only one step can be taken back"


def test_believing_a_claim_can_be_taken_back_and_calling_it_cannot():
    for word, allowed in (("accept", True), ("call", False)):
        room = Room()
        room.sit("bluff", immunity=False)
        room.until_choice()
        room.choose(("claim", 7))
        room.choose(word)
        assert room.session.can_take_back is allowed
        before = len(room.entries)
        room.session.take_back()
        assert len(room.entries) == before + allowed


def test_calling_a_bluff_on_a_real_cup_can_be_taken_back_until_the_cup_is_lifted():
    room = Room()
    room.sit("bluff", cups=[0, 1], immunity=False)
    room.until_choice()
    room.choose(("claim", 7))
    room.choose("call")
    assert room.session.can_take_back
    room.roll(3, 4)
    assert not room.session.can_take_back


def test_a_bid_can_be_taken_back_and_a_challenge_cannot():
    room = Room()
    room.sit("cacho")
    room.until_choice()
    room.choose(("bid", (2, 5)))
    assert room.session.can_take_back
    for word in ("dudo", "calza"):
        room = Room()
        room.sit("cacho")
        room.until_choice()
        room.choose(("bid", (2, 5)))
        room.choose(word)
        assert not room.session.can_take_back


def test_a_challenge_that_revealed_dice_cannot_be_taken_back_even_before_a_real_cup_is_lifted():
    room = Room()
    game = room.sit("cacho", "Ann", "Bo", "computer", cups=[0, 1])
    while not (isinstance(game.ask, Choose) and game.ask.seat != 2 and "dudo" in game.ask.options):
        if room.session.turn == "person" and isinstance(game.ask, Choose):
            room.choose(game.ask.options[0])
        else:
            room.session.dice.throw()
            room.step()
    room.choose("dudo")
    assert isinstance(game.ask, Roll) and None not in game.view(None)["dice"][2]
    assert not room.session.can_take_back


SHOWDOWN = """
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
    while True:
        dice = yield Roll(0, 2, hidden=True)
        table.hands.lay(0, dice, hidden=True)
        if (yield Choose(1, ("doubt", "pass"))) == "doubt":
            table.tell("showdown", dice=[list(dice)])
        table.hands.clear()
        if (yield Choose(1, ("stop", "again"))) == "stop":
            return (0,)


GAME = Game("pig", "Pig", "", (2, 2), 2, Options, play)
"""


def test_a_choice_that_revealed_hidden_dice_cannot_be_taken_back_in_any_game(tmp_path):
    with homemade(tmp_path, {"rules.py": SHOWDOWN}):
        for word, allowed in (("pass", True), ("doubt", False)):
            room = Room()
            room.sit("pig")
            room.until_choice()
            room.choose(word)
            assert room.session.can_take_back is allowed


def test_a_choice_cannot_be_taken_back_after_a_roll():
    room = Room()
    room.sit("mexico")
    room.roll(6)
    room.roll(1)
    room.roll(5, 4)
    assert not room.session.can_take_back
    room.choose("roll")
    assert not room.session.can_take_back
    room.choose("end")
    assert room.session.can_take_back, "there was no roll since"
    room.roll(2, 1)
    assert not room.session.can_take_back


def test_a_computers_choice_cannot_be_taken_back():
    room = Room()
    game = room.sit("bluff", "Ann", "computer")
    while not (game.history and isinstance(game.history[-1][0], Choose) and game.history[-1][0].seat == 1):
        if room.session.turn == "person" and isinstance(game.ask, Choose):
            room.choose(game.ask.options[0])
        room.session.dice.throw()
        room.step()
    assert not room.session.can_take_back


# Dice that fail


def test_dice_of_a_cancelled_roll_are_ignored():
    room = Room(source="scripted")
    game = room.sit("mexico")
    room.session.dice.throw()
    room.scripted.say(6)
    room.session.dice.cancel()
    room.deliver()
    assert game.history == [] and room.session.turn == "person" and room.scripted.cancelled == 1
    room.session.dice.throw()
    old, _ = room.scripted.asked[0]
    assert not room.session.handle(DiceRead("scripted", old, (6,)))
    assert not room.session.handle(DiceRead("typed", room.scripted.asked[1][0], (6,)))
    room.scripted.say(2)
    room.settle()
    assert [answer for _, answer in game.history] == [(2,)]


@pytest.mark.parametrize("dice", [(7,), (0,), (3, 3), (), (True,)])
def test_impossible_dice_are_refused_and_rolled_again(dice):
    room = Room(source="scripted")
    game = room.sit("mexico")
    room.session.dice.throw()
    room.scripted.say(*dice)
    room.deliver()
    assert len(room.entries) == 1 and game.history == [] and room.session.turn == "person"
    assert room.session.news.take_fault() == "dice" and room.session.news.take_fault() is None
    room.session.dice.throw()
    room.scripted.say(3)
    room.settle()
    assert [answer for _, answer in game.history] == [(3,)]


def test_a_lost_device_can_be_asked_again():
    room = Room(source="scripted")
    game = room.sit("mexico")
    room.session.dice.throw()
    lost = DeviceLost("scripted", "It rolled under the sofa.")
    assert not room.session.handle(DeviceLost("typed", "unplugged")), "this source was not asked"
    assert room.session.handle(lost) and room.session.dice.lost == lost and room.session.turn == "busy"
    room.session.dice.retry()
    assert room.session.dice.lost is None and len(room.scripted.asked) == 2
    room.scripted.say(4)
    room.settle()
    assert [answer for _, answer in game.history] == [(4,)]


def test_a_device_that_is_found_again_is_asked_again():
    room = Room(source="scripted")
    room.sit("mexico")
    room.session.dice.throw()
    room.session.handle(DeviceLost("scripted", "unplugged"))
    assert not room.session.handle(DeviceFound("typed")) and room.session.dice.lost
    assert room.session.handle(DeviceFound("scripted")) and room.session.dice.lost is None
    assert len(room.scripted.asked) == 2


@pytest.mark.parametrize("other", ["simulated", "typed"])
def test_another_source_can_replace_a_lost_device(other):
    room = Room(source="scripted")
    game = room.sit("mexico")
    room.session.dice.throw()
    room.session.handle(DeviceLost("scripted", "gone"))
    room.session.dice.use(other)
    assert room.session.dice.lost is None and room.session.dice.source == other
    if other == "typed":
        room.session.dice.enter((5,))
    room.settle()
    assert len(game.history) == 1 and room.entries[-1].source == other
    room.scripted.say(6)
    room.deliver()
    assert len(game.history) == 1, "the lost device answered too late"


# Errors in the rules


@dataclass(frozen=True)
class NoOptions:
    pass


@dataclass
class NoBoard:
    pass


def stumbles(table: Table, options: NoOptions) -> Steps[tuple[int, ...]]:
    table.board = NoBoard()
    dice = yield Roll(0, 2)
    table.hands.lay(0, dice)
    while (choice := (yield Choose(0, ("well", "badly", "enough")))) != "enough":
        if choice == "badly":
            raise ZeroDivisionError("a bug in the rules")
    return (0,)


STUMBLES = Game("stumbles", "Stumbles", "It fails.", (1, 2), 2, NoOptions, stumbles)


def test_an_error_in_the_rules_is_reported_and_nothing_is_lost():
    room = Room()
    game = room.begin(Match(Referee(STUMBLES, PEOPLE, NoOptions(), 1), seated(PEOPLE, GAMES["mexico"])))
    room.roll(3, 4)
    room.choose("well")
    room.session.news.take()
    before = game.save()
    room.choose("badly")
    assert room.session.news.take_fault() == "rules"
    assert room.session.news.take_fault() is None and not room.session.news.take()
    assert game.save() == before and room.session.turn == "person"
    assert room.entries[-2].number == 2 and room.entries[-1] == TookBack(room.entries[0].match, 2)
    room.choose("enough")
    assert room.session.turn == "over" and isinstance(room.entries[-1], Finished)
    assert room.entries[-2].number == 2


def fails(table: Table, options: NoOptions) -> Steps[tuple[int, ...]]:
    table.board = NoBoard()
    if (yield Choose(0, ("well", "enough"))) == "well":
        yield Roll(1, 2)
        raise ZeroDivisionError("a bug in the rules")
    return (0,)


FAILS = Game("fails", "Fails", "It fails at every roll.", (2, 2), 2, NoOptions, fails)


def stuck_room() -> Room:
    """A person's choice was applied, and then the rules failed at a computer's roll."""
    room = Room()
    seating = seated(["Ann", "computer"], GAMES["mexico"])
    room.begin(Match(Referee(FAILS, seating.names, NoOptions(), 1), seating))
    room.choose("well")
    wait(room, 0, 10)
    return room


def wait(room: Room, start: int, end: int) -> None:
    for second in range(start, end):
        room.session.tick(100.0 + second)
        room.settle()


def test_rules_that_fail_at_a_computers_turn_are_asked_again_only_by_a_person():
    room = stuck_room()
    game, written = room.session.match.referee, len(room.entries)
    assert room.session.stuck and room.session.news.take_fault() == "rules"
    assert len(game.history) == 1 and written == 4 and isinstance(room.entries[-1], TookBack)
    wait(room, 10, 100)
    assert len(room.entries) == written and room.session.pace.due is None and not room.session.news.fault
    room.session.stuck = False  # a person tries again
    wait(room, 100, 200)
    assert room.session.stuck and len(room.entries) == written + 2 and room.session.news.take_fault() == "rules"
    assert len(game.history) == 1 and game.ask == Roll(1, 2)


def test_a_choice_that_made_the_rules_fail_can_be_taken_back():
    room = stuck_room()
    assert room.session.can_take_back
    room.session.take_back()
    room.settle()
    assert not room.session.stuck and room.session.turn == "person"
    room.choose("enough")
    assert room.session.turn == "over"


def test_a_game_that_waits_after_its_rules_failed_can_be_set_aside_without_loss():
    room = stuck_room()
    aside = room.session.set_aside()
    assert aside and aside.saved["answers"] == ["well"] and not room.session.stuck


# Leaving and coming back


def test_a_game_set_aside_resumes_exactly_where_it_was():
    room = Room()
    game = room.sit("cacho", "Ann", "Bo", "computer")
    while not (isinstance(game.ask, Choose) and room.session.turn == "person"):
        room.session.dice.throw()
        room.step()
    aside = room.session.set_aside()
    assert aside and aside.levels == (None, None, "classic") and aside.at == 5.0
    assert room.session.turn == "none" and room.session.match is None
    assert not any(isinstance(entry, Left) for entry in room.entries)
    room.session.go_on(aside)
    again = room.session.match
    assert again and again.id == aside.match and again.referee.ask == game.ask
    assert [again.referee.view(seat) for seat in (None, 0, 1, 2)] == [game.view(seat) for seat in (None, 0, 1, 2)]
    assert room.session.turn == "person" and not room.session.can_take_back and not room.session.news.take()


def test_setting_a_game_aside_cancels_a_pending_roll():
    room = Room(source="scripted")
    room.sit("mexico")
    room.session.dice.throw()
    room.scripted.say(6)
    aside = room.session.set_aside()
    room.deliver()
    assert aside and aside.saved["answers"] == [] and room.scripted.cancelled == 1
    assert len(room.entries) == 1 and room.session.dice.awaited is None


def test_a_game_set_aside_during_a_take_back_continues_with_the_journals_numbering():
    room = Room()
    game = room.sit("bluff")
    room.until_choice()
    number = len(game.history)
    room.choose(("claim", 9))
    room.session.take_back()
    aside = room.session.set_aside()
    room.settle()
    assert aside and len(aside.saved["answers"]) == number
    room.session.go_on(aside)
    room.choose(("claim", 5))
    assert room.entries[-1].number == number


def test_leaving_a_game_gives_it_up_for_good():
    room = Room()
    game = match("mexico")
    room.begin(game)
    room.session.leave()
    assert room.entries[-1] == Left(game.id, 5.0) and room.session.turn == "none"
    room.session.leave()
    assert len(room.entries) == 2, "there is no game left to leave"


def test_a_game_that_was_set_aside_can_be_given_up():
    room = Room()
    room.session.leave(Unfinished("some match", {}, (), (), 1.0))
    assert room.entries == [Left("some match", 5.0)]


def test_a_finished_game_is_neither_set_aside_nor_given_up():
    room = Room()
    game = Match(Referee(STUMBLES, PEOPLE, NoOptions(), 1), seated(PEOPLE, GAMES["mexico"]))
    for leave in (room.session.set_aside, room.session.leave):
        room.begin(game)
        while not isinstance(game.referee.ask, Over):
            if isinstance(game.referee.ask, Choose):
                room.choose("enough")
            room.session.dice.throw()
            room.settle()
        before = len(room.entries)
        assert leave() is None and len(room.entries) == before and room.session.match is None


def test_a_damaged_saved_game_is_refused_and_the_current_game_stays():
    room = Room()
    game = room.sit("mexico")
    with pytest.raises(Refused, match="not a saved game"):
        room.session.go_on(Unfinished("another", {}, (None, None), (), 1.0))
    assert room.session.match and room.session.match.referee is game


# Pauses


def test_the_table_continues_by_itself_after_a_pause():
    room = Room()
    game = room.sit("mexico", "computer", "computer")
    for _ in range(6):
        history, pause = len(game.history), PAUSES[type(game.ask)].unseen
        room.session.tick(100.0)
        room.session.tick(100.0 + pause - 0.01)
        room.settle()
        assert len(game.history) == history and room.session.pace.due == 100.0 + pause
        room.session.tick(100.0 + pause)
        room.settle()
        assert len(game.history) == history + 1 and room.session.pace.due is None


def test_the_table_waits_until_a_screen_has_shown_what_happened():
    room = Room()
    game = room.sit("mexico", "computer", "computer")
    pause = PAUSES[Roll].shown
    for now in (100.0, 107.0, 107.0 + pause - 0.01):
        room.session.tick(now, shown=107.0)
        assert room.session.dice.awaited is None
    room.session.tick(107.0 + pause, shown=107.0)
    room.settle()
    assert len(game.history) == 1
    room.session.tick(200.0, shown=107.0)
    assert room.session.dice.awaited is None, "the pause starts now, however long ago the screen finished"


def test_a_pause_begins_with_the_ask():
    room = Room()
    room.sit("mexico", "Ann", "computer")
    room.session.tick(100.0)
    assert room.session.pace.due is None, "it waits for Ann"
    room.roll(3)
    room.session.tick(200.0)
    assert room.session.pace.due == 200.0 + PAUSES[Roll].unseen


# Computers that think


class Thinking:
    """A room whose computers think in threads. A computer has to answer a person's claim."""

    def __init__(self) -> None:
        self.chosen: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.room = Room(chosen=self.chosen.put)
        self.game = self.room.sit("bluff", immunity=False)
        self.seat = 1 - self.room.until_choice().seat
        self.room.choose(("claim", 7))
        self.room.session.stand_in(self.seat, "classic")

    def answer(self) -> ComputerChose:
        """Start the computer's thread and wait for its choice."""
        self.room.session.step()
        choice: ComputerChose = self.chosen.get(timeout=PATIENCE)
        return choice


def test_a_computer_thinks_in_a_thread_and_is_asked_once():
    thinking = Thinking()
    room, before = thinking.room, len(thinking.game.history)
    choice = thinking.answer()
    assert room.session.turn == "table" and len(thinking.game.history) == before
    room.session.step()
    room.session.tick(1000.0)
    assert room.session.pace.due is None and thinking.chosen.empty()
    assert room.session.handle(choice)
    room.settle()
    assert len(thinking.game.history) == before + 1 and thinking.game.history[-1][1] == choice.option


def test_a_computers_choice_is_not_accepted_twice():
    thinking = Thinking()
    choice = thinking.answer()
    assert thinking.room.session.handle(choice)
    thinking.room.settle()
    assert not thinking.room.session.handle(choice)


def test_a_computer_does_not_answer_a_choice_that_was_taken_back_while_it_was_thinking():
    thinking = Thinking()
    room, claim = thinking.room, len(thinking.game.history) - 1
    assert room.session.can_take_back
    choice = thinking.answer()
    room.session.take_back()
    assert not room.session.handle(choice)
    room.settle()
    assert not room.session.handle(choice)
    assert len(thinking.game.history) == claim and room.session.turn == "person"


def test_a_thinking_computer_is_ignored_once_a_person_takes_over_its_seat():
    thinking = Thinking()
    room, before = thinking.room, len(thinking.game.history)
    choice = thinking.answer()
    room.session.stand_in(thinking.seat, None)
    assert not room.session.handle(choice) and room.session.turn == "person"
    room.session.stand_in(thinking.seat, "easy")
    again = thinking.answer()
    assert again.ticket != choice.ticket and room.session.handle(again)
    room.settle()
    assert len(thinking.game.history) == before + 1


def test_a_computer_thinking_about_a_game_that_was_set_aside_changes_nothing():
    thinking = Thinking()
    room = thinking.room
    choice = thinking.answer()
    aside = room.session.set_aside()
    assert aside and not room.session.handle(choice)
    room.session.go_on(aside)
    assert not room.session.handle(choice) and room.session.match
    assert room.session.match.referee.save() == aside.saved


def test_a_computer_that_fails_does_not_stop_the_game():
    thinking = Thinking()
    choice = thinking.answer()
    before = len(thinking.game.history)
    assert thinking.room.session.handle(ComputerChose(choice.ticket, None))
    thinking.room.settle()
    assert len(thinking.game.history) == before + 1


# With the real journal


class Desk:
    """A session with the real journal, and random choices for every seat."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.posted: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.journal = Journal(folder, self.posted.put)
        sources: dict[str, Any] = {name: devices.make(name, self.posted.put) for name in devices.SOURCES}
        sources["simulated"] = SimulatedDice(self.posted.put, random.Random(seed))
        self.session = Session(self.journal, sources, "simulated", random.Random(seed))
        self.chance = random.Random(seed)
        self.journal.start()
        self.records: Records | None = None
        while self.records is None:
            message = self.posted.get(timeout=PATIENCE)
            if isinstance(message, Opened):
                self.records = message.records

    def __enter__(self) -> "Desk":
        return self

    def __exit__(self, *_: object) -> None:
        assert self.journal.close(PATIENCE)

    def settle(self, look: Any = None) -> None:
        while self.session.turn == "busy":
            message = self.posted.get(timeout=PATIENCE)
            if look:
                look(message)
            self.session.handle(message)

    def move(self, look: Any = None) -> None:
        """Give the next answer, whichever seat has to give it."""
        assert self.session.match
        ask = self.session.match.referee.ask
        if self.session.turn == "person" and isinstance(ask, Choose):
            self.session.choose(self.chance.choice(ask.options))
        self.session.dice.throw()
        self.session.step()
        self.settle(look)


SEATS = ("Ann", "Bo", "computer", "computer:random")
SHORT: dict[str, dict[str, Any]] = {
    "mexico": {"lives": 2, "mode": "elimination"},
    "bluff": {"rounds": 2},
    "pocoloco": {"chips": 7},
    "cheese": {"goal": 2000},
    "cacho": {"dice": 2},
}


def test_an_answer_is_on_disk_before_the_match_takes_it(tmp_path):
    with Desk(tmp_path) as desk:
        game = match("mexico", ("Ann", "Bo"), mode="elimination", lives=1)
        desk.session.begin(game)
        seen = []

        def look(message: Any) -> None:
            if desk.session.writing and isinstance(message, Committed):
                seen.append((len(game.referee.history), answers_on(tmp_path)))

        for _ in range(6):
            desk.move(look)
    assert seen
    assert all(on_disk >= taken for taken, on_disk in seen)
    assert any(on_disk == taken + 1 for taken, on_disk in seen)


def answers_on(folder: Path) -> int:
    """Count the answers through a second connection, while the journal has the file open."""
    (file,) = [path for path in folder.glob("*.db") if "older" not in path.name]
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM answers").fetchone()
        return int(count)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_resumes_at_the_same_ask_with_the_same_dice_after_a_restart(game, tmp_path):
    played = match(game, SEATS, **SHORT[game])
    with Desk(tmp_path) as desk:
        desk.session.begin(played)
        for _ in range(12):
            desk.move()
        assert desk.session.turn != "over", "the game is too short to stop in the middle"
    with Desk(tmp_path, seed=2) as desk:
        assert desk.records
        (kept,) = desk.records.unfinished
        assert (kept.match, kept.levels) == (played.id, played.seating.levels)
        desk.session.go_on(kept)
        again = desk.session.match
        assert again and again.referee.save() == played.referee.save()
        assert again.referee.ask == played.referee.ask
        seats = [None, *range(len(SEATS))]
        assert [again.referee.view(seat) for seat in seats] == [played.referee.view(seat) for seat in seats]
        while desk.session.turn != "over":
            desk.move()
        winners = again.winners
    with Desk(tmp_path) as desk:
        assert desk.records and desk.records.unfinished == ()
        known = {player.name: player for player in desk.records.players}
        assert set(known) == {"Ann", "Bo"}
        for seat, name in enumerate(PEOPLE):
            assert known[name].played == {game: 1}
            assert known[name].won.get(game, 0) == (seat in winners)


def test_a_game_that_was_left_is_not_offered_again(tmp_path):
    with Desk(tmp_path) as desk:
        desk.session.begin(match("mexico"))
        desk.move()
        desk.session.leave()
    with Desk(tmp_path) as desk:
        assert desk.records and desk.records.unfinished == ()


def test_a_take_back_is_also_written_to_disk(tmp_path):
    with Desk(tmp_path) as desk:
        game = match("bluff")
        desk.session.begin(game)
        while not isinstance(game.referee.ask, Choose):
            desk.move()
        before = game.referee.save()
        desk.move()
        desk.session.take_back()
        desk.settle()
    with Desk(tmp_path) as desk:
        assert desk.records
        assert desk.records.unfinished[0].saved == before


def test_a_game_set_aside_while_an_answer_is_being_written_resumes_without_a_gap(tmp_path):
    with Desk(tmp_path) as desk:
        desk.session.begin(match("bluff"))
        while not isinstance(desk.session.match.referee.ask, Choose):
            desk.move()
        desk.session.choose(("claim", 9))
        aside = desk.session.set_aside()
        assert aside
        desk.session.go_on(aside)
        desk.session.choose(("claim", 5))
        desk.settle()
        after = desk.session.match.referee.save()
        assert after["answers"][-1] == {"claim": 5}
    with Desk(tmp_path) as desk:
        assert desk.records and desk.records.unfinished[0].saved == after


# Sources that watch the dice


def watched_room() -> Room:
    room = Room("scripted")
    room.scripted.watches = True
    return room


def test_a_watching_source_is_asked_before_anyone_presses_a_button():
    room = watched_room()
    room.sit("mexico")
    room.until_roll()
    assert room.session.turn == "busy" and len(room.scripted.asked) == 1
    room.scripted.say(*(2, 1)[: room.scripted.asked[-1][1].count])
    room.settle()
    assert room.entries[-1].source == "scripted"


def test_a_cancelled_watch_starts_again_with_a_press():
    room = watched_room()
    room.sit("mexico")
    room.until_roll()
    room.session.dice.cancel()
    assert room.session.turn == "person" and room.scripted.cancelled == 1
    room.session.dice.throw()
    assert room.session.turn == "busy" and len(room.scripted.asked) == 2


def test_dice_entered_when_no_roll_is_pending_are_ignored():
    room = Room()
    room.sit("mexico")
    room.until_roll()
    room.session.dice.enter((3,))
    assert room.session.turn == "person" and not room.posted


def test_a_hidden_roll_is_never_watched():
    room = watched_room()
    room.sit("bluff")
    room.until_roll()
    assert room.session.turn == "person"
    room.session.dice.throw()
    assert not room.scripted.asked


@pytest.mark.parametrize(
    ("source", "camera", "correction", "rolled"),
    [
        ("simulated", None, None, ""),
        ("scripted", None, None, "real"),
        ("scripted", "a camera", None, "camera"),
        ("scripted", "a camera", Correction((2,), (False,), "not clear", b"jpeg"), "confirmed"),
        ("scripted", "a camera", Correction((4,), (False,), "not clear", b"jpeg"), "corrected"),
    ],
)
def test_the_news_of_a_roll_say_how_the_dice_were_rolled(source, camera, correction, rolled):
    room = Room(source)
    room.scripted.camera = camera
    room.sit("mexico")
    room.until_roll()
    room.session.dice.throw()
    assert room.session.dice.awaited
    ticket, throw = room.session.dice.awaited.ticket, room.session.dice.awaited.throw
    room.posted.clear()
    room.posted.append(DiceRead(source, ticket, (2, 1)[: throw.roll.count], correction=correction))
    room.settle()
    assert room.session.news.take()[-1].rolled == rolled


@pytest.mark.parametrize(("read", "source"), [((4,), "corrected"), ((2,), "confirmed")])
def test_what_people_confirmed_or_corrected_is_kept_with_its_photo(read, source):
    room = watched_room()
    room.sit("mexico")
    room.until_roll()
    ticket, _ = room.scripted.asked[-1]
    room.posted.append(DiceRead("scripted", ticket, (2,), correction=Correction(read, (True,), "not clear", b"jpeg")))
    room.settle()
    answered, corrected = room.entries[-2:]
    assert answered.source == source and answered.answer == [2]
    assert corrected == Corrected(answered.match, answered.number, read, (2,), (True,), "not clear", b"jpeg")

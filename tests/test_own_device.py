"""A dice source that is not part of dicetable: one class is all that the table needs."""

from collections import deque
from typing import Any

import pytest

from table import devices
from table.devices import DiceSource
from table.engine.asks import Choose, Roll
from table.session.lineup import Lineup, Seat, match_of
from table.session.messages import Committed, DeviceFound, DeviceLost, DiceRead, Post
from table.session.session import Session

NAMES = ("Ann", "Bo")


class Tower(DiceSource):
    """A dice tower: people drop dice into it on their turn, and it reports the faces."""

    name = "tower"
    watches = True

    def __init__(self, post: Post) -> None:
        self._post = post
        self.asked: tuple[int, Roll] | None = None
        self.opened = 0

    def open(self) -> None:
        self.opened += 1

    def rest(self) -> None:
        self.opened = 0

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        self.asked = ticket, roll

    def cancel(self) -> None:
        self.asked = None

    def drop(self) -> None:
        """Drops the dice that were asked for. Their values vary between rolls, so that ties do not go on forever."""
        if self.asked:
            (ticket, roll), self.asked = self.asked, None
            self._post(DiceRead(self.name, ticket, tuple(1 + (ticket + at) % 6 for at in range(roll.count))))


@pytest.fixture(autouse=True)
def tower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(devices.SOURCES, Tower.name, lambda post, _: Tower(post))


class Journal:
    def __init__(self, post: Post) -> None:
        self.entries: list[Any] = []
        self._post = post

    def keep(self, entry: Any) -> int:
        self.entries.append(entry)
        self._post(Committed(len(self.entries)))
        return len(self.entries)


def table() -> tuple[Session, Tower, Journal, deque[Any]]:
    posted: deque[Any] = deque()
    sources = {name: devices.make(name, posted.append) for name in devices.SOURCES}
    found, journal = sources["tower"], Journal(posted.append)
    assert isinstance(found, Tower)
    return Session(journal, sources, "tower"), found, journal, posted


def begin(session: Session, game: str, **options: Any) -> Any:
    from table.games import GAMES

    session.begin(match_of(Lineup(GAMES[game], tuple(Seat(name) for name in NAMES), options), ()))
    assert session.match
    return session.match.referee


def play_until(session: Session, found: Tower, posted: deque[Any], done: Any) -> None:
    """Rolls for everyone, makes the table's draws and handles messages until `done`."""
    for _ in range(1000):
        while posted:
            session.handle(posted.popleft())
        if done():
            return
        session.dice.throw()
        session.step()
        found.drop()
    raise AssertionError("not done after a thousand turns")


def test_a_third_party_source_is_used_for_open_rolls_but_not_for_hidden_ones():
    session, found, journal, posted = table()
    game = begin(session, "bluff", rounds=1)
    while session.turn != "over":
        play_until(session, found, posted, lambda: session.turn == "over" or isinstance(game.ask, Choose))
        if isinstance(game.ask, Choose):
            session.choose(game.ask.options[-1])
    answered = zip(game.history, answers(journal), strict=True)
    rolls = {(ask.hidden, entry.source) for (ask, _), entry in answered if isinstance(ask, Roll)}
    assert (True, "simulated") in rolls and (True, "tower") not in rolls


def answers(journal: Journal) -> list[Any]:
    return [entry for entry in journal.entries if type(entry).__name__ == "Answered"]


def test_a_device_that_watches_is_asked_before_anyone_presses():
    session, found, _, _ = table()
    begin(session, "mexico")
    assert found.asked and session.turn == "busy"


def test_a_lost_source_can_be_asked_again_or_replaced():
    session, found, _, posted = table()
    begin(session, "mexico")
    posted.clear()
    assert session.handle(DeviceLost("tower", "It fell over.")) and session.dice.lost
    assert session.handle(DeviceFound("tower")) and session.dice.lost is None and found.asked
    session.handle(DeviceLost("tower", "It fell over."))
    found.open()
    session.dice.use("simulated")
    assert found.asked is None and found.opened == 0
    assert session.handle(posted.popleft()), "the simulated dice were rolled at once"
    session.dice.use("tower")
    assert found.opened == 1


def test_dice_under_a_lifted_cup_are_typed_in():
    session, found, _, posted = table()
    game = begin(session, "bluff", cups=True)
    for choice in (("claim", 9), "call"):
        play_until(session, found, posted, lambda: isinstance(game.ask, Choose))
        session.choose(choice)
    play_until(session, found, posted, lambda: isinstance(game.ask, Roll))
    assert not game.ask.hidden
    session.dice.throw()
    assert session.dice.awaited and session.dice.awaited.source == "typed"


@pytest.mark.ground
def test_a_game_can_be_played_with_a_third_party_source_on_the_kiosk():
    pytest.importorskip("pygame", reason="pygame draws the table")
    from table.ui.kiosk.scenes.result import Result
    from tests.tabletop import Tabletop

    with Tabletop(source="tower") as shown:
        shown.sit("mexico", [Seat("Ann"), Seat("", "classic")], {"rounds": 1})
        sources = set()

        def turn() -> None:
            dice = shown.session.dice
            sources.add(dice.awaited.source if dice.awaited else "")
            shown.sources["tower"].drop()

        while not isinstance(shown.scene, Result):
            turn()
            if shown.session.turn == "person" and shown.scene._still:
                shown.end()
            shown.run(0.25)
            assert shown.now < 1600.0, shown.words
        assert "tower" in sources

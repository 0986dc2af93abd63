"""Computers play at their own pace, whatever the screen shows, and even without a screen."""

import random
import secrets
from collections import deque
from typing import Any

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("pygame", reason="pygame draws the table")

from table.devices.simulated import SimulatedDice  # noqa: E402
from table.games import GAMES  # noqa: E402
from table.session.lineup import Lineup, Seat, match_of  # noqa: E402
from table.session.session import Session  # noqa: E402
from table.ui.kiosk.demo import Forgetful  # noqa: E402
from table.ui.kiosk.scenes.menu import menu  # noqa: E402
from table.ui.kiosk.scenes.play import MOST_NEWS, Play  # noqa: E402
from tests.tabletop import STEP, Tabletop  # noqa: E402

DOT = Seat("", "classic")
ANSWERS = 12


@pytest.fixture(autouse=True)
def fixed_seed(monkeypatch):
    monkeypatch.setattr(secrets, "randbits", lambda _: 7)


def begun_at(game: str) -> list[float]:
    """The time of each answer in a game between computers at a table without a screen."""
    posted: deque[Any] = deque()
    dice = SimulatedDice(posted.append, random.Random(1))
    session = Session(Forgetful(posted.append), {dice.name: dice}, dice.name, random.Random(1))
    session.begin(match_of(Lineup(GAMES[game], (DOT, DOT)), ()))
    assert session.match
    now, times = 1000.0, list[float]()
    while len(times) < ANSWERS and now < 1060.0:
        now += STEP
        while posted:
            session.handle(posted.popleft())
        times += [now - 1000.0] * (len(session.match.referee.history) - len(times))
        session.tick(now)
    return times


@pytest.mark.parametrize("game", ["mexico", "cheese"])
def test_computers_play_behind_the_menu_as_fast_as_without_a_screen(game: str):
    with Tabletop() as table:
        table.sit(game, [DOT, DOT])
        table.kiosk.show(menu(table.context, table.scene), table.now)
        assert table.session.match
        begun, times = table.now, list[float]()
        while len(times) < ANSWERS:
            assert table.now < begun + 60.0
            table.run(STEP)
            times += [table.now - begun] * (len(table.session.match.referee.history) - len(times))
        assert not isinstance(table.scene, Play)
    assert times == pytest.approx(begun_at(game), abs=(ANSWERS + 1) * 2 * STEP)


def test_computers_wait_until_the_screen_has_shown_what_happened():
    with Tabletop() as table:
        table.sit("mexico", [DOT, DOT])
        assert table.session.match
        history, skipped = table.session.match.referee.history, 0
        for _ in range(4):
            before = list(history)
            while len(history) == len(before):
                assert table.now < 1060.0
                table.run(STEP)
            table.run(STEP)
            while not table.scene._show.done(table.now):
                assert len(history) == len(before) + 1
                skipped += 1
                table.run(STEP)
        assert skipped > 1 / STEP, "something was shown for more than a second"


def test_returning_to_a_game_shows_only_the_latest_events():
    with Tabletop() as table:
        table.sit("mexico", [DOT, DOT])
        play = table.scene
        table.kiosk.show(menu(table.context, play), table.now)
        assert table.session.match
        table.until(lambda: len(table.session.match.referee.history) > MOST_NEWS + 3, most=60.0)
        table.kiosk.show(play, table.now)
        table.run(STEP)
        beats = play._show._playing
        assert beats and beats[-1][0] + beats[-1][1].pace.total - table.now < 4.0
        table.until(lambda: play._show.done(table.now), most=4.0)
        assert play._show.at(table.now).view == table.session.match.referee.view(None)

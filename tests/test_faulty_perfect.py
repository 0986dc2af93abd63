"""If the computer players or the perfect play of a game from another package fail, every interface reports it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table import games
from table.analysis.review import review
from table.engine.asks import Choose, Over
from table.engine.errors import NoTable, Refused
from table.engine.referee import Referee
from table.games import bots
from table.session.match import Match, named
from table.storage.records.pages import GameLine, GamePage, SeatLine
from table.text.catalogue import Catalogue
from table.ui.phone.replayed import _judged
from table.ui.protocol import Dialogue
from tests.homemade import homemade
from tests.terminal_session import sit

GOOD = """
def perfect(view, options):
    return [1 / len(options)] * len(options)

def win(view, options):
    return [0.5] * len(options)
"""
FAULTS = {
    "it fails": "def win(view, options):\n    return [view['wits']]",
    "it ends Python": "def win(view, options):\n    raise SystemExit",
    "it is missing": "del win",
    "nothing": "def win(view, options):\n    pass",
    "words": "def win(view, options):\n    return ['high'] * len(options)",
    "too few": "def win(view, options):\n    return [0.5]",
    "not a number": "def win(view, options):\n    return [float('nan')] * len(options)",
}
SOLVED = "LEVELS = ('search',)\n\ndef solved(options, seats):\n    return True\n"


@pytest.fixture(params=FAULTS.values(), ids=FAULTS)
def faulty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    with homemade(tmp_path, {"perfect.py": GOOD + request.param, "bots.py": SOLVED}):
        yield


def at_a_choice() -> Referee:
    game = games.new("pig", ["Ann", "Bo"], {"goal": 10}, seed=1)
    for dice in ((6,), (1,), (5, 6)):
        game.answer(dice)
    return game


def finished() -> Referee:
    game = at_a_choice()
    game.answer("end")
    assert isinstance(game.ask, Over)
    return game


def test_perfect_play_that_fails_is_reported_without_values(faulty):
    game = at_a_choice()
    assert isinstance(game.ask, Choose)
    with pytest.raises(NoTable, match=r"^Perfect play of Pig failed \(") as why:
        bots.win(game.view(0), game.ask.options)
    assert "wits" not in str(why.value), "the message of an error can contain hidden dice"
    with pytest.raises(NoTable):
        review(finished(), 0)


def test_the_terminal_says_that_there_are_no_odds_and_no_review(faulty):
    asked = iter(["o"])

    def answer(question: str) -> str:
        if "Play again" in question:
            return next(after)
        return next(asked, "end") if "roll again" in question else ""

    after = iter(["h", "q"])
    seats = ("--seat", "Ann", "--seat", "Bo", "--option", "goal=10", "--seed", "1")
    run = sit("play", "pig", *seats, answer=answer)
    assert run.status == 0 and "Traceback" not in run.errors
    assert " ".join(run.text.split()).count(Catalogue()("refused.no_table")) == 2


@pytest.mark.ground
def test_the_screen_says_that_there_is_no_review(faulty):
    pytest.importorskip("pygame", reason="pygame draws the table")
    from table.ui.kiosk.scenes.review import Reviewing
    from tests.tabletop import Tabletop

    with Tabletop() as table:
        match = Match(finished(), named(["Ann", "Bo"], [None, None]))
        table.kiosk.show(Reviewing(table.context, match, table.scene), table.now)
        table.run(0.2)
        assert table.context.say("refused.no_table") in " ".join(table.words)


def test_a_phone_is_told_that_there_is_no_review(faulty):
    seats = tuple(SeatLine(name, None, False, name == "Ann", 10) for name in ("Ann", "Bo"))
    game = finished()
    page = GamePage(GameLine(1, "pig", 0.0, seats, True), "id", 0.0, game.save(), (), [], ((0,), (1,)))
    with pytest.raises(Refused, match=r"^refused\.no_table$"):
        list(_judged(page, game, 0, Catalogue()))


def replies(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    dialogue = Dialogue()
    return [dialogue.reply(json.dumps(request).encode())[-1] for request in requests]


START = ({"new": "pig", "players": ["Ann", "Bo"]}, {"dice": [6]}, {"dice": [1]}, {"dice": [5, 6]})


def test_the_referee_says_that_perfect_play_failed_and_plays_on(faulty):
    *_, told, chosen = replies(*START, {"policy": "perfect"}, {"choose": "end"})
    assert told["error"].startswith("Perfect play of Pig failed (")
    assert chosen["ask"] == "dice"


@pytest.mark.parametrize(
    "level",
    [
        "",  # a module without the level `wild`
        "def wild(view, options):\n    return [view['wits']]",
        "def wild(view, options):\n    raise SystemExit",
        "def wild(view, options):\n    return None",
        "def wild(view, options):\n    return [0.0] * len(options)",
        "def wild(view, options):\n    return [1.0]",
        "def wild(view, options):\n    return [-1.0, 2.0]",
    ],
)
def test_a_level_that_fails_or_does_not_exist_is_named(tmp_path, level):
    with homemade(tmp_path, {"bots.py": f"LEVELS = ('search', 'wild')\n{level}"}):
        *_, policy, bot, chosen = replies(*START, {"policy": "wild"}, {"bot": "wild"}, {"choose": "end"})
        for told in (policy, bot):
            assert told["error"].startswith("The level wild of Pig failed (") and "report" not in told["error"]
        assert chosen["ask"] == "dice"


def test_a_faulty_chance_before_the_first_roll_is_reported(tmp_path):
    with homemade(tmp_path, {"perfect.py": GOOD + "def fair(view):\n    return 'even'"}):
        with pytest.raises(NoTable, match="Perfect play of Pig failed"):
            bots.fair(at_a_choice().view(0))
        assert bots.win(at_a_choice().view(0), ("roll", "end")) == [0.5, 0.5]

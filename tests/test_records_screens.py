"""The records screens, used with two buttons, touch and keys: lists, replays, names and the PIN."""

import secrets
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("gpiozero", reason="gpiozero has the mock pins")

import pygame  # noqa: E402

from table.analysis.review import reviewing  # noqa: E402
from table.config import DEFAULT  # noqa: E402
from table.config.sections import OperatorSettings  # noqa: E402
from table.games import GAMES  # noqa: E402
from table.session.guard import PAUSE, TRIES, Guard  # noqa: E402
from table.session.lineup import Lineup, Seat  # noqa: E402
from table.session.messages import Committed, League, NotKept, Player, Recounted  # noqa: E402
from table.storage.journal import files  # noqa: E402
from table.storage.journal.entries import Entry, Forgotten, Renamed  # noqa: E402
from table.storage.records import names, read  # noqa: E402
from table.storage.records.pages import leaders, verdicts  # noqa: E402
from table.storage.records.reader import Reader  # noqa: E402
from table.text.catalogue import Catalogue, languages  # noqa: E402
from table.text.records import pages, words  # noqa: E402
from table.text.records.review import review  # noqa: E402
from table.ui.kiosk import records as drawn  # noqa: E402
from table.ui.kiosk.canvas import Canvas, Look  # noqa: E402
from table.ui.kiosk.gestures import Run, Scrolled, Tap  # noqa: E402
from table.ui.kiosk.scenes.attract import EVERY, SHOWN, Attract  # noqa: E402
from table.ui.kiosk.scenes.game import tell, to_game, to_match  # noqa: E402
from table.ui.kiosk.scenes.keyboard import Keyboard  # noqa: E402
from table.ui.kiosk.scenes.pin import Pin  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from table.ui.kiosk.scenes.player import to_player  # noqa: E402
from table.ui.kiosk.scenes.records import leaderboard, people, records  # noqa: E402
from table.ui.kiosk.scenes.replay import Replay  # noqa: E402
from table.ui.kiosk.scenes.result import Result  # noqa: E402
from table.ui.kiosk.scenes.waiting import PATIENCE, Waiting  # noqa: E402
from tests import past_games  # noqa: E402
from tests.fingers import Fingers, go_to  # noqa: E402
from tests.processes import until  # noqa: E402
from tests.tabletop import PATIENCE as SLOW  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402
from tests.test_texts import faults_of  # noqa: E402
from tests.visit import Watched  # noqa: E402

GUARDED = replace(DEFAULT, operator=OperatorSettings("2468"))


@pytest.fixture(autouse=True)
def fixed_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the seed of each match, which decides how long its computers hesitate."""
    monkeypatch.setattr(secrets, "randbits", lambda _: 7)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which Ann, Bo and Cleo have met in games, and Dee and Eve have played without those three."""
    past_games.filled(tmp_path, 3, 2, ("Dee", "Eve"))
    past_games.filled(tmp_path, 12)
    return tmp_path


def known(folder: Path) -> set[str]:
    with read.opened(folder) as connection:
        return {player.name for player in read.players(connection)}


def played(folder: Path) -> set[str]:
    """The players who have a finished game in the file, which the table writes in the background."""
    with read.opened(folder) as connection:
        return {player.name for player in read.players(connection) if player.played}


def to_page_of(fingers: Fingers, name: str) -> None:
    """Open a player's page from the first screen."""
    say = fingers.table.context.say
    fingers.press("end")
    fingers.take(say("records.players"))
    fingers.take(name)
    assert name in fingers.table.words


def type_pin(fingers: Fingers, pin: str) -> None:
    for digit in pin:
        place = 10 if digit == "0" else int(digit) - 1
        go_to(fingers, place // 3, place % 3)
    go_to(fingers, 3, 2)


# Browsing


def test_two_buttons_lead_from_the_first_screen_to_a_replay_and_back(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("end")
        assert say("records.title") in table.words
        fingers.take(say("records.screen.games_help"))
        fingers.press("end")
        assert say("records.screen.replay") in fingers.shown
        fingers.press("end")
        replay = table.scene
        assert isinstance(replay, Replay)
        first, last = (
            say("records.screen.step", number=at, count=len(replay._frames)) for at in (1, len(replay._frames))
        )
        assert first in table.words
        fingers.press("roll")
        assert first not in table.words
        fingers.press("end")
        assert first in table.words and table.scene is replay
        for _ in range(len(replay._frames) // 20 + 1):
            fingers.press("roll", 4.0)  # a button that is held repeats
        assert last in table.words and not fingers.caps.roll.lit
        for _ in range(4):
            assert not isinstance(table.scene, Attract)
            fingers.hold_end()
        assert isinstance(table.scene, Attract)


def test_every_page_of_the_records_can_be_opened_and_closed_with_two_buttons(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("end")
        menu = table.scene
        for word in ("board", "players", "games", "dice"):
            fingers.take(say(f"records.screen.{word}_help"))
            assert table.scene is not menu
            fingers.press("roll")
            fingers.hold_end()
            assert table.scene is menu


def test_pressing_both_buttons_closes_a_page_and_opens_no_menu_over_it(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.both()
        menu = table.scene
        fingers.take(say("records.title"))
        records_menu = table.scene
        for word in ("board", "players", "games", "dice"):
            fingers.take(say(f"records.screen.{word}_help"))
            assert table.scene is not records_menu
            fingers.both()
            assert table.scene is records_menu
        fingers.both()
        assert table.scene is menu


def test_a_players_page_leads_to_rivals_moments_games_and_dice(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        to_page_of(fingers, "Ann")
        page = table.scene
        for word in ("records.games", "records.rivals", "records.moments", "records.dice"):
            fingers.take(say(word))
            assert table.scene is not page
            fingers.hold_end()
            assert table.scene is page


def test_the_list_of_games_shows_each_game_with_its_number(folder: Path) -> None:
    with read.opened(folder) as connection:
        (last,) = read.games(connection, most=1).games
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("end")
        fingers.take(say("records.screen.games_help"))
        assert say("records.number", number=last.number) in table.words
        assert any(words.startswith(f"{say(f'{last.game}.name')}: ") for words in table.words)


def test_the_list_of_rivals_explains_games_won_by_others(folder: Path) -> None:
    with read.opened(folder) as connection:
        assert any(map(words.others_won, read.player(connection, "Ann").rivals))
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        to_page_of(fingers, "Ann")
        fingers.take(say("records.rivals"))
        assert say("records.rivals_rest") in table.words


def test_a_best_moment_opens_its_game(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        to_page_of(fingers, "Ann")
        fingers.take(say("records.moments"))
        fingers.press("end")
        assert say("records.screen.replay") in fingers.shown


def test_an_old_game_can_be_reviewed(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("end")
        fingers.take(say("records.screen.games_help"))
        fingers.take("won")
        page = table.scene
        fingers.take(say("review.open"))
        table.until(lambda: say("review.start") in table.words or say("review.nothing", name="Ann") in table.words)
        assert table.session.match is None
        fingers.press("end")
        assert table.scene is page


def test_a_game_that_was_just_played_is_first_in_the_list(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        table.sit("pocoloco", [Seat("Zoe"), Seat("", "random")], {"chips": 1})
        fingers.play(lambda: isinstance(table.scene, Result))
        until("its end is on the disk", lambda: "Zoe" in played(folder))
        fingers.wait(1.5)
        fingers.both()
        fingers.take(say("records.title"))
        fingers.take(say("records.screen.games_help"))
        assert "Zoe" in fingers.shown


def test_a_game_that_was_just_played_can_be_replayed_from_its_result(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        table.sit("pocoloco", [Seat("Zoe"), Seat("", "random")], {"chips": 1})
        fingers.play(lambda: isinstance(table.scene, Result))
        until("its end is on the disk", lambda: "Zoe" in played(folder))
        fingers.wait(1.5)
        result = table.scene
        fingers.both()
        fingers.take(say("records.screen.this_game"))
        fingers.take(say("records.screen.replay"))
        assert isinstance(table.scene, Replay) and table.scene._frames[0].view["players"][0] == "Zoe"
        fingers.hold_end()
        fingers.hold_end()
        assert table.scene is result


def test_after_a_game_a_renamed_player_plays_again_renamed_and_a_deleted_one_as_a_guest(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers = Fingers(table)
        table.sit("pocoloco", [Seat("Zoe"), Seat("Yan"), Seat("", "random")], {"chips": 1})
        fingers.play(lambda: isinstance(table.scene, Result))
        for change in (Renamed("Zoe", "Zoë"), Forgotten("Yan")):
            table.context.storage.keep(change, lambda _: None)
        table.wait_for_disk(lambda: "Zoë" in {player.name for player in table.context.history.players})
        fingers.wait(1.5)
        fingers.press("roll")
        match = table.session.match
        assert isinstance(table.scene, Play) and match is not None
        assert match.referee.players[0] == "Zoë" and "Yan" not in match.referee.players
        assert match.guests == (1,)


def test_the_leaderboard_steps_through_the_games_and_shows_the_share_of_wins(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("end")
        fingers.press("end")
        seen = []
        for _ in range(len(GAMES) + 1):
            seen.append(table.words[0])
            fingers.press("roll")
        assert seen == [say("records.all_games"), *(say(f"{game}.name") for game in GAMES)]
        ann = next(player for player in table.context.history.players if player.name == "Ann")
        won, played = sum(ann.won.values()), sum(ann.played.values())
        assert words.share(won, played, say) in table.words


def test_touching_a_leader_opens_their_page(folder: Path) -> None:
    with Tabletop(folder=folder) as table:
        table.kiosk.show(leaderboard(table.context, table.scene), table.now)
        table.turn()
        name = leaders(table.context.history.players)[1].name
        table.touch("row:1")
        assert name in table.words and table.context.say("records.screen.rename") in table.words


def test_the_leaderboard_covers_the_league_or_only_this_table_while_the_league_is_away(folder: Path) -> None:
    with Tabletop(folder=folder) as table:
        say = table.context.say
        table.mailbox.post(League((Player("Zed", {"bluff": 9}, {"bluff": 7}),)))
        table.kiosk.show(leaderboard(table.context, table.scene), table.now)
        table.turn()
        assert {say("records.board_all"), "Zed"} <= set(table.words) and "Ann" not in table.words
        table.touch("row:0")
        assert say("records.board_all") in table.words, "players of other tables have no page here"
        table.mailbox.post(League((Player("Zed", {"bluff": 9}, {"bluff": 7}),), "away", "timed out"))
        table.turn()
        assert {say("records.board_here"), "Ann"} <= set(table.words) and "Zed" not in table.words


@pytest.mark.parametrize("number", range(1, 16))
def test_every_step_of_a_game_can_be_drawn_and_all_dice_are_known(folder: Path, number: int) -> None:
    with read.opened(folder) as connection:
        told = tell(read.game(connection, number), Catalogue("en"))
    with Tabletop() as table:
        replay = Replay(table.context, told.frames, table.scene)
        for frame in told.frames:
            replay.draw(Canvas(pygame.Surface((400, 240))), table.now)
            replay.handle(Tap("roll"), table.now)
            for shown, under in zip(frame.view["dice"], frame.under, strict=True):
                assert len(under) == len(shown) and None not in under
        assert any(None in hand for frame in told.frames for hand in frame.view["dice"]) == (
            told.match.game.id in ("bluff", "cacho")
        ), "only games with cups have hidden dice"


@pytest.mark.parametrize("language", languages())
def test_every_page_of_a_phone_can_be_drawn_on_the_screen(folder: Path, language: str) -> None:
    say = Catalogue(language)
    with read.opened(folder) as connection:
        everybody, games, found = read.players(connection), read.games(connection, most=8), read.dice(connection)
        ann, judged, cheese = read.player(connection, "Ann"), verdicts(found), read.games(connection, "cheese").games[0]
        counts = {line.game: 1 for line in games.games}
        last = read.game(connection, cheese.number)
    told = pages.told(last)
    seat = next(at for at, line in enumerate(last.line.seats) if line.level is None)
    (*_, reviewed) = reviewing(told.game, [seat])
    for page in (
        pages.overview(everybody, counts, games, say),
        pages.board("", everybody, say),
        pages.player(ann, judged["player", "Ann"], len(judged), say),
        pages.games(games, say),
        pages.game(last, told, "", say),
        pages.dice(found, judged, say),
        review(reviewed, {seat: "Ann"}, say),
    ):
        canvas = Watched(pygame.Surface((800, 480)), Look())
        for sheet in drawn.sheets(canvas, canvas.area, page.blocks, say):
            canvas.written.clear()
            drawn.draw(canvas, canvas.area, sheet)
            assert not list(faults_of(canvas, moving=False))


# Missing and slow pages


@pytest.mark.parametrize("language", languages())
def test_an_unreadable_page_shows_a_message_and_a_way_back(folder: Path, tmp_path: Path, language: str) -> None:
    with Tabletop(pins=True, folder=folder, language=language) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("end")
        menu = table.scene
        table.context.storage.reader = Reader(tmp_path / "nowhere", table.mailbox.post)
        fingers.take(say("records.screen.games_help"))
        assert say("refused.unreadable") in table.words and not any("nowhere" in words for words in table.words)
        fingers.press("end")
        assert table.scene is menu


@pytest.mark.parametrize("language", languages())
def test_a_missing_player_or_game_is_reported_in_the_tables_language(folder: Path, language: str) -> None:
    with Tabletop(folder=folder, language=language) as table:
        say, first = table.context.say, table.scene
        for scene, words in [
            (to_player(table.context, "Nobody", first, table.now), say("refused.no_player")),
            (to_game(table.context, 999, first, table.now), say("refused.no_game")),
        ]:
            table.kiosk.show(scene, table.now)
            table.until(lambda: not isinstance(table.scene, Waiting))
            assert words in table.words


@pytest.mark.parametrize("language", languages())
def test_a_game_without_its_log_says_so_in_the_tables_language(folder: Path, language: str) -> None:
    path = files.ours(folder)
    assert path
    with closing(files.opened(path)) as connection:
        connection.execute("UPDATE matches SET log = NULL WHERE key = 1")
    with Tabletop(folder=folder, language=language) as table:
        table.kiosk.show(to_game(table.context, 1, table.scene, table.now), table.now)
        table.until(lambda: table.context.say("refused.game_gone") in table.words)


def test_a_games_page_is_still_found_after_many_more_games(folder: Path) -> None:
    with Tabletop(folder=folder) as table:
        with read.opened(folder) as connection:
            page = read.game(connection, 1)
            assert read.games(connection).total > 6
        match = tell(page, table.context.say).match
        table.kiosk.show(to_match(table.context, match, table.scene, table.now), table.now)
        table.until(lambda: not isinstance(table.scene, Waiting))
        assert table.context.say(f"{page.line.game}.name") in table.words
        assert any(words.day(page.line.ended, table.context.say, clock=True) in word for word in table.words)


def test_the_waiting_message_appears_only_if_a_page_is_slow(folder: Path) -> None:
    with Tabletop(folder=folder) as table:
        say = table.context.say
        menu = records(table.context, table.scene)
        table.kiosk.show(Waiting(table.context, lambda take: None, lambda page, now: menu, menu, table.now), table.now)
        table.turn()
        assert say("records.reading") not in table.words and say("records.board") in table.words
        table.run(PATIENCE - 0.05)
        assert say("records.reading") not in table.words
        table.run(0.1)
        assert say("records.reading") in table.words
        table.end()
        assert table.scene is menu


def test_every_page_says_so_if_no_game_has_been_played(tmp_path: Path) -> None:
    with Tabletop(pins=True, folder=tmp_path) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("end")
        for word in ("board", "players", "games", "dice"):
            fingers.take(say(f"records.screen.{word}_help"))
            assert say("records.no_leaders" if word in ("board", "players") else "records.none") in table.words
            fingers.hold_end()


def test_a_table_without_storage_offers_no_records() -> None:
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        assert fingers.caps.end is None
        fingers.press("end")
        assert isinstance(table.scene, Attract)
        fingers.both()
        assert say("records.title") not in [entry.row.label for entry in table.scene._entries()]


def test_the_first_screen_shows_the_leaders_in_turn_if_anybody_has_won(folder: Path) -> None:
    with Tabletop(folder=folder) as table:
        say = table.context.say
        seen = []
        for _ in range(2 * EVERY):
            table.run(SHOWN, 1.0)
            seen.append(say("records.board") in table.words)
        assert seen.count(True) == 2 and seen[0] is False
        table.context.history.players = (Player("Ann", {"bluff": 3}, {"bluff": 0}),)
        for _ in range(EVERY):
            table.run(SHOWN, 1.0)
            assert say("records.board") not in table.words


def test_every_game_has_its_turn_on_the_first_screen(folder: Path) -> None:
    for kept in (folder, None):
        with Tabletop(folder=kept) as table:
            seen: set[str] = set()
            for _ in range(2 * EVERY + 2):
                seen |= set(table.words)
                table.run(SHOWN, 1.0)
            assert {table.context.say(f"{game}.name") for game in GAMES} <= seen


# Long lists


def test_three_hundred_players_can_be_scrolled_by_holding_roll_and_by_touch() -> None:
    with Tabletop() as table:
        table.context.history.players = tuple(Player(f"Player {n:03}", {"bluff": n}, {"bluff": n}) for n in range(300))
        table.kiosk.show(people(table.context, table.scene), table.now)
        table.turn()
        for _ in range(299):
            table.scene.handle(Run("roll"), table.now)
        table.kiosk._changed = True
        table.turn()
        assert "Player 299" in table.words and "Player 000" not in table.words
        for _ in range(100):
            table.scene.handle(Scrolled(-4), table.now)
        table.kiosk._changed = True
        table.turn()
        assert "Player 000" in table.words and "Player 299" not in table.words


def test_dragging_a_list_selects_nothing() -> None:
    with Tabletop() as table:
        table.context.history.players = tuple(Player(f"Player {n:03}", {}, {}) for n in range(300))
        table.kiosk.show(people(table.context, table.scene), table.now)
        table.turn()
        listing = table.scene
        (entry,) = (rect for name, rect in table.canvas.spots if name == "entry:5")
        x, y = entry.center
        table.turn(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x, y), touch=False))
        for up in range(0, 4 * entry.height, 5):
            table.turn(pygame.event.Event(pygame.MOUSEMOTION, pos=(x, y - up), touch=False))
        table.turn(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=(x, y - 4 * entry.height), touch=False))
        assert table.scene is listing
        assert "Player 003" in table.words and "Player 000" not in table.words


def test_more_games_are_loaded_near_the_end_of_the_list(tmp_path: Path) -> None:
    past_games.filled(tmp_path, 130)
    with Tabletop(pins=True, folder=tmp_path) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("end")
        fingers.take(say("records.screen.games_help"))
        assert say("records.count_games", count=130, number=130) in table.words
        assert len(table.scene._entries()) == read.AT_ONCE
        for _ in range(129):
            table.scene.handle(Run("roll"), table.now)
            table.turn()
        assert len(table.scene._entries()) == 130 and table.scene.at == 129


# Names


def test_a_player_is_renamed(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        to_page_of(fingers, "Ann")
        fingers.take(say("records.screen.rename"))
        keyboard = table.scene
        assert isinstance(keyboard, Keyboard) and keyboard.text == "Ann"
        go_to(fingers, 0, 0)
        go_to(fingers, 4, 2)
        assert "Anna" in table.words and say("records.screen.rename") in table.words, "the page of the new name"
        table.wait_for_disk(lambda: "Anna" in {player.name for player in table.context.history.players})
        assert "Ann" not in {player.name for player in table.context.history.players}
    assert known(folder) == {"Anna", "Bo", "Cleo", "Dee", "Eve"}


def test_a_taken_name_is_refused(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        to_page_of(fingers, "Ann")
        fingers.take(say("records.screen.rename"))
        keyboard = table.scene
        keyboard.text = "Bo"
        go_to(fingers, 4, 2)
        assert say("records.screen.taken", name="Bo") in table.words
        fingers.press("end")
        assert table.scene is keyboard
    assert "Ann" in known(folder)


def test_players_who_never_met_can_be_merged(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        to_page_of(fingers, "Dee")
        fingers.take(say("records.screen.merge"))
        fingers.take("Ann")
        assert say("records.screen.merge_sure", name="Dee", other="Ann") in table.words
        fingers.take(say("confirm.yes"))
        assert "Ann" in table.words and say("records.screen.merge") in table.words
    assert known(folder) == {"Ann", "Bo", "Cleo", "Eve"}


def test_players_who_have_met_cannot_be_merged(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        to_page_of(fingers, "Ann")
        fingers.take(say("records.screen.merge"))
        fingers.take("Bo")
        assert say("records.screen.met", name="Ann", other="Bo") in table.words
    assert known(folder) == {"Ann", "Bo", "Cleo", "Dee", "Eve"}


def test_deleting_a_player_takes_the_pin_and_a_confirmation_and_keeps_the_games(folder: Path) -> None:
    with read.opened(folder) as connection:
        before = read.games(connection).total
    with Tabletop(pins=True, folder=folder, config=GUARDED) as table:
        fingers, say = Fingers(table), table.context.say
        to_page_of(fingers, "Ann")
        page = table.scene
        fingers.take(say("records.screen.delete"))
        assert isinstance(table.scene, Pin)
        type_pin(fingers, "1357")
        assert isinstance(table.scene, Pin) and say("pin.wrong") in table.words
        type_pin(fingers, "2468")
        assert say("records.screen.delete_sure", name="Ann") in table.words
        fingers.press("end")
        assert table.scene is page, "No is selected first"
        fingers.take(say("records.screen.delete"))
        type_pin(fingers, "2468")
        fingers.take(say("confirm.yes"))
        table.wait_for_disk(lambda: "Ann" not in {player.name for player in table.context.history.players})
        table.run(0.1)
        assert "Bo" in table.words and "Ann" not in table.words
    assert known(folder) == {"Bo", "Cleo", "Dee", "Eve"}
    with read.opened(folder) as connection:
        page_of_games = read.games(connection)
        assert page_of_games.total == before
        assert any(seat.name == "" for line in page_of_games.games for seat in line.seats)


def test_a_player_in_the_current_game_cannot_be_renamed_merged_or_deleted(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        table.sit("cheese", [Seat("Ann"), Seat("", "classic")])
        fingers.both()
        fingers.take(say("records.title"))
        fingers.take(say("records.players"))
        fingers.take("Ann")
        page = table.scene
        for word in ("rename", "merge", "delete"):
            fingers.find(say(f"records.screen.{word}"))
            assert not fingers.caps.end.lit
            fingers.press("end")
            assert table.scene is page
        fingers.hold_end()
        fingers.take("Bo")
        fingers.find(say("records.screen.delete"))
        assert fingers.caps.end.lit


def test_a_rename_by_another_program_reaches_the_table(folder: Path) -> None:
    with Tabletop(folder=folder) as table:
        table.context.history.last = Lineup(GAMES["mexico"], (Seat("Ann"), Seat("Bo")))
        table.sit("cheese", [Seat("Ann"), Seat("Bo")])
        table.roll()  # the start of the game is written before this answer
        table.context.set_aside()
        assert table.context.history.unfinished[0].saved["players"][0] == "Ann"
        names.change(folder, [Renamed("Ann", "Anna")])
        with read.opened(folder) as connection:
            table.mailbox.post(Recounted(read.players(connection)))
        table.turn()
        while table.context.storage.busy:  # the unfinished games are read again
            assert table.mailbox.wait(SLOW)
            table.turn()
        assert "Anna" in {player.name for player in table.context.history.players}
        assert table.context.history.unfinished[0].saved["players"][0] == "Anna"
        assert table.context.history.last is None, "the old name would be a new player"


class Full:
    """A journal on a full disk."""

    def __init__(self, table: Tabletop) -> None:
        self._post = table.mailbox.post
        self._tickets = 0

    def keep(self, entry: Entry) -> int:
        self._tickets += 1
        self._post(NotKept(self._tickets, "full"))
        return self._tickets


def test_a_full_disk_is_reported(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder) as table:
        fingers, say = Fingers(table), table.context.say
        to_page_of(fingers, "Ann")
        page = table.scene
        table.context.storage.journal = Full(table)
        fingers.take(say("records.screen.delete"))
        fingers.take(say("confirm.yes"))
        assert say("refused.not_kept") in table.words
        fingers.press("end")
        assert table.scene is page
    assert "Ann" in known(folder)


# The PIN


def test_wrong_pins_and_the_lockout_survive_a_restart(folder: Path) -> None:
    def settings(table: Tabletop) -> Fingers:
        fingers = Fingers(table)
        fingers.both()
        fingers.take(table.context.say("menu.settings"))
        assert isinstance(table.scene, Pin)
        return fingers

    with Tabletop(pins=True, folder=folder, config=GUARDED) as table:
        for _ in range(TRIES - 1):
            type_pin(settings(table), "1111")
            table.kiosk.show(Attract(table.context, table.now), table.now)
    with Tabletop(pins=True, folder=folder, config=GUARDED) as table:
        type_pin(settings(table), "1111")  # the fifth wrong PIN
        assert table.context.guard.locked(table.now)
    with Tabletop(pins=True, folder=folder, config=GUARDED) as table:
        assert 0 < table.context.guard.locked(table.now) <= PAUSE
        fingers = settings(table)
        type_pin(fingers, "2468")
        assert isinstance(table.scene, Pin)
        fingers.wait(PAUSE)
        type_pin(fingers, "2468")
        assert not isinstance(table.scene, Pin)


@pytest.mark.parametrize("kept", [None, 3, [], [1], ["1", 2.0], [9, 1e12], [-1, 0.0], [1, 1e12], {"wrong": 1}])
def test_invalid_stored_tries_never_lock_the_pin_for_long(kept) -> None:
    guard = Guard("2468")
    guard.restore(kept, 1000.0)
    assert guard.locked(5.0) <= PAUSE and guard.right("2468", 5.0 + PAUSE)


def test_only_the_operator_can_exit_to_the_desktop(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder, config=GUARDED) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.both()
        fingers.take(say("menu.exit"))
        type_pin(fingers, "2468")
        assert say("confirm.exit") in table.words and table.context.run.ending is None
        fingers.take(say("confirm.yes"))
        assert table.context.run.ending == "exit"


def test_settings_ask_for_the_pin_but_the_sound_switch_does_not(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder, config=GUARDED) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.both()
        menu = table.scene
        fingers.find(say("settings.sound"))
        fingers.press("end")
        assert table.scene is menu and not table.context.settings.sound
        fingers.take(say("menu.settings"))
        assert isinstance(table.scene, Pin)
        fingers.hold_end()
        assert table.scene is menu
        fingers.take(say("menu.settings"))
        type_pin(fingers, "2468")
        assert say("settings.large_text") in table.words


@pytest.mark.parametrize("pin", ["", "secret"])
def test_the_pin_is_not_asked_for_if_none_is_set_or_it_cannot_be_typed_here(folder: Path, pin: str) -> None:
    with Tabletop(pins=True, folder=folder, config=replace(DEFAULT, operator=OperatorSettings(pin))) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.both()
        fingers.take(say("menu.settings"))
        assert say("settings.large_text") in table.words


@pytest.mark.parametrize("by", ["keys", "touch"])
def test_the_pin_can_be_typed_by_keys_and_by_touch(folder: Path, by: str) -> None:
    with Tabletop(folder=folder, config=GUARDED) as table:
        say = table.context.say
        table.kiosk.show(Pin(table.context, lambda _: records(table.context, table.scene), table.scene), table.now)
        table.turn()
        if by == "keys":
            for key in (pygame.K_2, pygame.K_4, pygame.K_9, pygame.K_BACKSPACE, pygame.K_6, pygame.K_8):
                table.key(key, "" if key == pygame.K_BACKSPACE else chr(key))
            table.end()
        else:
            for key in ("0.1", "1.0", "2.2", "3.0", "1.2", "2.1", "3.2"):
                table.touch(f"key:{key}")
        assert say("records.board") in table.words


def test_the_pin_is_never_shown() -> None:
    with Tabletop(config=GUARDED) as table:
        table.kiosk.show(Pin(table.context, lambda _: table.scene, table.scene), table.now)
        table.turn()
        for key in (pygame.K_2, pygame.K_4, pygame.K_6):
            table.key(key, chr(key))
        assert [words for words in table.words if any(map(str.isdigit, words))] == list("1234567890"), "on the keys"


def test_five_wrong_pins_lock_the_pin_screen_for_a_minute(folder: Path) -> None:
    with Tabletop(pins=True, folder=folder, config=GUARDED) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.both()
        fingers.take(say("menu.settings"))
        for _ in range(TRIES):
            type_pin(fingers, "1")
        assert any(words.startswith(say("pin.locked", count=60)[:12]) for words in table.words)
        type_pin(fingers, "2468")
        assert isinstance(table.scene, Pin), "even the right PIN is ignored"
        assert not fingers.caps.roll.lit and not fingers.caps.end.lit
        fingers.wait(PAUSE + 1)
        assert say("pin.why") in table.words or say("pin.wrong") in table.words
        type_pin(fingers, "2468")
        assert say("settings.large_text") in table.words


def test_leaving_the_pin_screen_and_coming_back_gives_no_further_tries() -> None:
    guard = Guard("2468")
    assert not any(guard.right("1", 100.0 + n) for n in range(TRIES))
    assert guard.locked(105.0) == pytest.approx(PAUSE - 1)
    assert not guard.right("2468", 110.0)
    assert guard.right("2468", 104.0 + PAUSE + 0.1)


def test_a_right_pin_clears_the_earlier_wrong_ones() -> None:
    guard = Guard("2468")
    for _ in range(3):
        assert not any(guard.right("1", 5.0) for _ in range(TRIES - 1))
        assert guard.right("2468", 5.0)


def test_a_reply_to_an_unknown_ticket_is_ignored(folder: Path) -> None:
    with Tabletop(folder=folder) as table:
        assert not table.context.storage.answered(Committed(987654))

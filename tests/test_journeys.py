"""Everything but playing with two buttons: touch, keys, names, leaving, resuming and trouble."""

import secrets
from dataclasses import replace

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("gpiozero", reason="gpiozero has the mock pins")

import pygame  # noqa: E402

from table import games  # noqa: E402
from table.config import DEFAULT, Config  # noqa: E402
from table.engine.asks import Choose, Roll  # noqa: E402
from table.games import GAMES  # noqa: E402
from table.session.lineup import Seat  # noqa: E402
from table.session.messages import Committed, DeviceFound, DeviceLost, NotKept, Player, Troubled, Unfinished  # noqa: E402
from table.text.catalogue import Catalogue  # noqa: E402
from table.ui.kiosk.scenes.attract import Attract  # noqa: E402
from table.ui.kiosk.scenes.keyboard import Keyboard  # noqa: E402
from table.ui.kiosk.scenes.listing import Listing  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from table.ui.kiosk.scenes.players import Players  # noqa: E402
from table.ui.kiosk.scenes.result import Result  # noqa: E402
from tests.fingers import QUICK, Fingers, Loaded, Silent, calm, go_to, lamps  # noqa: E402
from tests.homemade import RULES, homemade  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402

ANN, BO, DOT, RANDOM = Seat("Ann"), Seat("Bo"), Seat("", "classic"), Seat("", "random")


@pytest.fixture(autouse=True)
def fixed_seed(monkeypatch):
    """Fixes the seed of each match, which also decides how long its computers hesitate."""
    monkeypatch.setattr(secrets, "randbits", lambda _: 7)


# Idle tables, and resuming games


@pytest.mark.parametrize("game", GAMES)
def test_an_idle_table_puts_its_game_aside_and_resumes_it_at_the_same_ask(game, tmp_path):
    with Tabletop(pins=True, folder=tmp_path) as table:
        fingers, say = Fingers(table), table.context.say
        table.sit(game, [ANN, BO, DOT])
        for _ in range(20):
            fingers.go_on()
        calm(table)
        left = table.session.match
        views = [left.referee.view(seat) for seat in (None, 0, 1, 2)]
        fingers.wait(60 * DEFAULT.screen.idle_minutes - 60)
        assert isinstance(table.scene, Play)
        fingers.wait(120)
        assert isinstance(table.scene, Attract) and table.session.match is None
        fingers.press("roll")
        fingers.take(say(f"{game}.name"))
        again = table.session.match
        assert isinstance(table.scene, Play) and again.id == left.id and again.referee.ask == left.referee.ask
        assert [again.referee.view(seat) for seat in (None, 0, 1, 2)] == views
        assert table.context.history.unfinished == ()
        fingers.go_on()
    with Tabletop(pins=True, folder=tmp_path) as table:
        fingers = Fingers(table)
        fingers.press("roll")
        assert say("go_on.title") in table.words
        fingers.take(say(f"{game}.name"))
        found = table.session.match
        assert found.id == left.id and found.seating == left.seating
        assert found.referee.save() == again.referee.save() and found.referee.ask == again.referee.ask
        fingers.play(lambda: len(found.referee.history) > len(again.referee.history))


def test_a_game_put_aside_can_wait_or_be_given_up_after_confirming(tmp_path):
    with Tabletop(pins=True, folder=tmp_path) as table:
        fingers, say = Fingers(table), table.context.say
        table.sit("mexico", [ANN, BO])
        calm(table)
        fingers.press("roll")
        fingers.both()
        fingers.take(say("menu.leave"))
        fingers.take(say("confirm.put_aside"))
        assert isinstance(table.scene, Attract) and len(table.context.history.unfinished) == 1
        fingers.press("roll")
        fingers.take(say("go_on.later"))
        assert say("choose.title") in table.words and len(table.context.history.unfinished) == 1
        fingers.hold_end()
        fingers.press("roll")
        fingers.take(say("go_on.give_up"))
        fingers.press("end")
        assert len(table.context.history.unfinished) == 1, "No comes first"
        fingers.take(say("go_on.give_up"))
        fingers.take(say("confirm.yes"))
        assert table.context.history.unfinished == ()
    with Tabletop(pins=True, folder=tmp_path) as table:
        assert table.context.history.unfinished == ()


def test_a_game_that_cannot_be_resumed_says_why_and_can_be_given_up():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        broken = Unfinished("some match", {"game": "mexico", "players": ["Ann", "Bo"]}, (None, None), (), 900.0)
        table.context.history.unfinished = (broken,)
        fingers.press("roll")
        fingers.take(say("mexico.name"))
        assert table.session.match is None and say("go_on.cannot") in table.words
        fingers.take(say("go_on.give_up"))
        fingers.take(say("confirm.yes"))
        assert table.context.history.unfinished == ()


@pytest.mark.parametrize("line", ["board = table.board = Board()", "table.hands.lay(seat, dice)"])
def test_a_game_whose_rules_fail_when_it_is_resumed_says_so(line, tmp_path_factory, capsys):
    """The rules fail either at the start or after a saved answer."""
    assert line in RULES
    with homemade(tmp_path_factory.mktemp("good")):
        game = games.new("pig", ["Ann", "Bo"], {}, 1)
        while not any(isinstance(ask, Roll) and ask.count == 2 for ask, _ in game.history):
            game.answer(game.ask.options[0] if isinstance(game.ask, Choose) else game.drawn())
    failing = {"rules.py": RULES.replace(line, "0 / 0")}
    with homemade(tmp_path_factory.mktemp("bad"), failing), Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        table.context.history.unfinished = (Unfinished("a match", game.save(), (None, None), (), 900.0),)
        fingers.press("roll")
        fingers.take("Pig")
        assert table.session.match is None and say("play.fault_rules") in table.words
    assert "pig: rules: ZeroDivisionError in rules.py, line " in capsys.readouterr().err


def test_closing_the_window_ends_the_table():
    with Tabletop() as table:
        table.turn(pygame.event.Event(pygame.QUIT))
        assert table.context.run.ending == "exit"


def test_an_idle_table_returns_to_the_first_screen():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        fingers.press("roll")
        fingers.press("end")
        assert isinstance(table.scene, Players)
        fingers.wait(60 * DEFAULT.screen.idle_minutes + 1)
        assert isinstance(table.scene, Attract)


def test_a_game_of_computers_plays_to_the_end_and_its_result_stays_a_while():
    config = replace(DEFAULT, screen=replace(DEFAULT.screen, idle_minutes=1))
    with Tabletop(config=config) as table:
        table.sit("cacho", [DOT, RANDOM, DOT, RANDOM])
        table.until(lambda: isinstance(table.scene, Result), most=3600, step=0.25)
        assert table.now - 1000 > 60, "longer than the idle time"
        table.run(50, 0.25)
        assert isinstance(table.scene, Result)
        table.run(20, 0.25)
        assert isinstance(table.scene, Attract) and table.context.history.unfinished == ()


def test_the_demo_plays_all_games_in_turn():
    with Tabletop() as table:
        table.context.run.demo = True
        for game in [*GAMES, *list(GAMES)[:1]]:
            table.until(lambda: isinstance(table.scene, Play), step=0.25)
            assert table.session.match.game.id == game and table.session.match.seating.people == []
            table.until(lambda: isinstance(table.scene, Result), most=3600, step=0.25)
            table.run(4, 0.25)
            assert isinstance(table.scene, Result), "the result stays long enough to be read"


# Trouble


@pytest.mark.parametrize(("lost", "other"), [("simulated", "typed"), ("typed", "simulated")])
def test_when_a_dice_source_is_lost_the_game_continues_with_another(lost, other):
    with Tabletop(pins=True, source=lost) as table:
        fingers, say = Fingers(table), table.context.say
        silent = Silent(table, lost)
        table.sit("mexico", [ANN, BO])
        calm(table)
        play, game = table.scene, table.session.match.referee
        fingers.press("roll")
        assert table.session.turn == "busy" and silent.asked == 1
        table.mailbox.post(DeviceLost(lost, "It fell off the table"))
        fingers.wait(0.2)
        assert say("device.lost", device=say(f"device.{lost}")) in table.words
        assert any("It fell off the table" in words for words in table.words)
        fingers.take(say("device.retry"))
        assert table.scene is play and silent.asked == 2 and game.history == []
        table.mailbox.post(DeviceLost(lost, "It fell off the table"))
        fingers.wait(0.2)
        fingers.take(say(f"device.use_{other}"))
        assert table.scene is play
        if other == "typed":
            for _ in range(3):
                fingers.press("roll")
            fingers.press("end")
            assert game.history[0][1] == (4,)
        assert len(game.history) == 1


def test_a_device_that_comes_back_is_asked_again_and_the_message_closes():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        silent = Silent(table, "simulated")
        table.sit("mexico", [ANN, BO])
        calm(table)
        play = table.scene
        fingers.press("roll")
        table.mailbox.post(DeviceLost("simulated", "gone"))
        fingers.wait(0.2)
        assert table.scene is not play
        table.mailbox.post(DeviceFound("simulated"))
        fingers.wait(0.2)
        assert table.scene is play and silent.asked == 2


def test_a_roll_that_never_arrives_can_be_cancelled():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        Silent(table, "simulated")
        table.sit("mexico", [ANN, BO])
        calm(table)
        fingers.press("roll")
        assert table.session.turn == "busy"
        fingers.hold_end()
        assert table.session.turn == "person"


def test_impossible_dice_show_a_message_for_a_while_and_are_rolled_again():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        Loaded(table, (7,), (5,))
        table.sit("mexico", [ANN, BO])
        calm(table)
        fingers.press("roll")
        message = table.context.say("play.fault_dice")
        assert message in table.words
        fingers.wait(10.0)
        assert message not in table.words
        fingers.press("roll")
        assert [answer for _, answer in table.session.match.referee.history] == [(5,)]


def test_disk_trouble_is_shown_until_it_is_fixed_and_the_game_continues():
    with Tabletop(pins=True) as table:
        say, fingers = table.context.say, Fingers(table)
        table.mailbox.post(Troubled("full", ""))
        table.run(0.1)
        assert say("trouble.full") in table.words
        table.sit("mexico", [ANN, BO])
        table.mailbox.post(NotKept(10_000, "full"))
        calm(table)
        table.run(0.1)
        assert say("trouble.full") in table.words
        fingers.press("roll")
        assert len(table.session.match.referee.history) == 1
        table.mailbox.post(Committed(10_000))
        table.run(2.0)
        assert say("trouble.full") not in table.words


def test_a_table_without_buttons_says_which_keys_replace_them():
    with Tabletop() as table:
        table.mailbox.post(DeviceLost("buttons", "There are no pins."))
        table.run(0.1)
        assert table.context.say("device.no_buttons") in table.words
        table.mailbox.post(DeviceFound("buttons"))
        table.run(0.1)
        assert table.context.say("device.no_buttons") not in table.words


# Touch


def test_dice_are_kept_by_touching_them():
    with Tabletop() as table:
        Loaded(table, (1, 2, 5, 3, 4, 1))
        table.sit("cheese", [ANN])
        calm(table)
        table.roll()
        calm(table)
        assert isinstance(table.session.match.referee.ask, Choose)
        kept = set(table.scene._decision.choosing.places)
        for place in sorted(kept - {5}):
            table.touch(f"die:{place}")
        assert table.scene._decision.choosing.places == (5,)
        table.touch("die:1")
        assert not table.scene._decision.choosing.allowed, "a two scores nothing"
        table.touch("cap:end")
        assert isinstance(table.session.match.referee.ask, Choose), "a two cannot be kept"
        assert "refuse" in table.ears.heard
        table.touch("die:1")
        table.touch("cap:end")
        assert table.session.match.referee.history[-1][1] == ("keep", (5,))


def test_a_bid_is_made_by_touching_it():
    with Tabletop(pins=True) as table:
        Loaded(table, (6,), (1,))  # Ann starts
        table.sit("cacho", [ANN, DOT])
        Fingers(table).throw()
        before = len(table.session.match.referee.history)
        table.touch("entry:1")
        assert len(table.session.match.referee.history) == before
        face = table.scene._decision.choosing.entries[1].option
        table.touch("entry:1")
        assert table.session.match.referee.history[before][1] == face


def test_dice_are_rolled_and_the_screen_is_handed_over_by_touch():
    with Tabletop() as table:
        table.sit("bluff", [ANN, BO])
        for _ in range(2):
            calm(table)
            assert isinstance(table.session.match.referee.ask, Roll)
            table.touch("cap:roll")
        calm(table)
        assert table.scene.wants_look
        table.touch("go on")
        assert not table.scene.wants_look
        table.touch("entry:4")
        assert table.session.match.referee.history[-1][1] == ("claim", 5)


def test_the_menu_works_by_touch():
    with Tabletop() as table:
        say = table.context.say
        table.sit("mexico", [ANN, BO])
        calm(table)
        play = table.scene
        table.touch("menu")
        assert say("menu.title") in table.words
        table.touch("entry:1")
        assert table.scene is not play and say("menu.title") not in table.words
        table.touch("cap:end")
        assert say("menu.title") in table.words
        table.end()  # the entry that was touched is still selected
        assert say("menu.title") not in table.words
        table.touch("cap:end")
        table.touch("entry:0")
        assert table.scene is play


def test_a_game_is_set_up_by_touch():
    with Tabletop() as table:
        table.touch("cap:roll")
        table.touch("entry:3")
        assert isinstance(table.scene, Players) and table.scene.lineup.game.id == "cheese"
        table.touch("seat:1")
        assert [seat.guest for seat in table.scene.lineup.seats] == [True], "touching a seat frees it"
        table.touch("entry:0")
        table.touch("entry:0")
        assert isinstance(table.scene, Play) and table.session.match.seating.names == ("Guest 1",)


# Keys


def test_arrows_and_keys_do_what_the_buttons_do():
    with Tabletop() as table:
        table.key(pygame.K_r, "r")
        assert isinstance(table.scene, Listing) and table.scene.at == 0
        table.key(pygame.K_DOWN)
        table.key(pygame.K_DOWN)
        table.key(pygame.K_UP)
        assert table.scene.at == 1
        table.key(pygame.K_e, "e")
        assert isinstance(table.scene, Players) and table.scene.lineup.game.id == "bluff"
        table.key(pygame.K_ESCAPE)
        assert table.context.say("menu.title") in table.words


def test_a_name_is_typed_on_a_real_keyboard_and_enter_confirms_it():
    with Tabletop() as table:
        table.roll()
        table.end()
        players = table.scene
        take(table, table.context.say("players.new"))
        assert isinstance(table.scene, Keyboard)
        for letter in "René Eck":
            table.key(pygame.K_e if letter == "e" else pygame.K_SPACE if letter == " " else pygame.K_x, letter)
        table.key(pygame.K_x, "x")
        table.key(pygame.K_BACKSPACE, "\b")
        assert table.scene.text == "René Eck"
        table.key(pygame.K_RETURN, "\r")
        assert table.scene is players and players.lineup.seats[-1] == Seat("René Eck")


def take(table: Tabletop, words: str) -> None:
    """Selects an entry with the keyboard: Space until it is highlighted, then Enter."""
    fingers = Fingers(table)
    for _ in range(30):
        if words in fingers.shown:
            table.end()
            return
        table.roll()
    raise AssertionError(f"no entry {words!r}")


def test_dice_are_entered_by_number_keys_and_deleted_one_by_one():
    with Tabletop(source="typed") as table:
        table.sit("cheese", [ANN])
        calm(table)
        table.roll()
        for digit in "12345":
            table.key(getattr(pygame, f"K_{digit}"), digit)
        table.key(pygame.K_9, "9")
        table.end(seconds=1.2)
        assert table.scene._entering.values == (1, 2, 3, 4, None, None)
        table.key(pygame.K_1, "1")
        assert table.session.match.referee.history == []
        table.key(pygame.K_1, "1")
        assert table.session.match.referee.history[0][1] == (1, 2, 3, 4, 1, 1)


def test_entering_dice_can_be_cancelled_and_started_again():
    with Tabletop(pins=True, source="typed") as table:
        fingers = Fingers(table)
        table.sit("mexico", [ANN, BO])
        calm(table)
        fingers.press("roll")
        assert table.scene._entering
        fingers.hold_end()
        assert table.scene._entering is None and table.session.turn == "person"
        fingers.press("roll")
        fingers.press("roll")
        fingers.press("end")
        assert table.session.match.referee.history[0][1] == (2,)


def test_entering_the_last_die_closes_the_entry_box():
    with Tabletop(source="typed") as table:
        table.sit("mexico", [ANN, BO])
        calm(table)
        table.roll()
        table.turn(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_3, mod=0, unicode="3"))
        assert table.scene._entering is None


def test_real_dice_under_cups_are_entered_only_when_a_cup_is_lifted():
    with Tabletop(pins=True, source="typed") as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("roll")
        fingers.take(say("bluff.name"))
        fingers.take(say("players.guest"))
        fingers.take(say("players.start"))
        fingers.find(say("bluff.option.cups.name"))
        assert say("value.everybody") in fingers.shown
        fingers.take(say("options.start"))
        match = table.session.match
        assert match.referee.options.cups == (0, 2), "people have real cups, the computer has none"
        fingers.play(lambda: any(isinstance(ask, Roll) and not ask.hidden for ask, _ in match.referee.history), 400)


def test_cups_are_real_with_a_camera_but_not_with_a_simulated_one():
    for camera, word in (("camera:0", "value.everybody"), ("simulated-camera", "value.nobody")):
        config = replace(DEFAULT, dice=replace(DEFAULT.dice, camera=camera))
        with Tabletop(pins=True, config=config, source="camera") as table:
            fingers, say = Fingers(table), table.context.say
            fingers.press("roll")
            fingers.take(say("cacho.name"))
            fingers.take(say("players.guest"))
            fingers.take(say("players.start"))
            fingers.find(say("cacho.option.cups.name"))
            assert say(word) in fingers.shown


# Before a game


def test_a_name_can_be_written_with_two_buttons():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("roll")
        fingers.press("end")
        players = table.scene
        fingers.take(say("players.new"))
        for row, key in ((0, 0), (2, 4), (1, 4)):  # A, S, L
            go_to(fingers, row, key)
        assert table.scene.text == "Asl"
        go_to(fingers, 4, 1)  # Delete
        go_to(fingers, 4, 0)  # Space
        go_to(fingers, 1, 6)
        assert table.scene.text == "As N"
        go_to(fingers, 4, 2)
        assert table.scene is players and players.lineup.seats[-1] == Seat("As N")


def test_holding_end_leaves_a_row_of_letters_and_then_the_keyboard():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        fingers.press("roll")
        fingers.press("end")
        players = table.scene
        fingers.take(table.context.say("players.new"))
        fingers.press("end")
        fingers.hold_end()
        assert isinstance(table.scene, Keyboard) and table.scene.text == ""
        fingers.hold_end()
        assert table.scene is players and len(players.lineup.seats) == 2


def test_an_empty_or_blank_name_is_not_accepted():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        fingers.press("roll")
        fingers.press("end")
        fingers.take(table.context.say("players.new"))
        go_to(fingers, 4, 2)
        assert isinstance(table.scene, Keyboard)
        go_to(fingers, 4, 0)
        go_to(fingers, 4, 2)
        assert isinstance(table.scene, Keyboard), "a blank is not accepted either"


@pytest.mark.parametrize("game", GAMES)
def test_seats_can_be_added_up_to_the_maximum_and_removed_again(game):
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("roll")
        fingers.take(say(f"{game}.name"))
        least, most = GAMES[game].seats
        players = table.scene
        fingers.find(say("players.guest"))
        while not players.lineup.full:
            fingers.press("end")
        assert len(players.lineup.seats) == most and say("players.full") in table.words
        assert players._list._picker.entry.key == "start", "one press too many removes nobody"
        assert len(set(players.lineup.names())) == most
        fingers.find(say("players.remove"))
        for left in range(most - 1, 0, -1):
            fingers.press("end")
            assert len(players.lineup.seats) == left
            starts = any(entry.key == "start" for entry in players._list._picker.entries)
            assert starts is (left >= least)
        while len(players.lineup.seats) < least:
            fingers.take(say("players.guest"))
        fingers.take(say("players.start"))
        fingers.take(say("options.start"))
        assert isinstance(table.scene, Play) and len(table.session.match.seating.names) == least


def test_every_game_starts_with_every_number_of_players_it_allows():
    with Tabletop() as table:
        for game in GAMES.values():
            for seats in range(game.seats[0], game.seats[1] + 1):
                table.sit(game.id, [ANN, *[DOT] * (seats - 1)])
                assert isinstance(table.scene, Play) and len(table.session.match.seating.names) == seats
                table.run(0.2, 0.1)


def test_options_can_be_changed_and_reset():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("roll")
        fingers.take(say("cacho.name"))
        fingers.take(say("players.start"))
        fingers.set(say("cacho.option.dice.name"), "2")
        fingers.set(say("cacho.option.raise.name"), say("cacho.option.raise.classic"))
        fingers.take(say("options.reset"))
        fingers.set(say("cacho.option.dice.name"), "3")
        fingers.set(say("cacho.option.shuffle.name"), say("value.yes"))
        fingers.take(say("options.start"))
        played = table.session.match.referee.options
        assert (played.dice, played.shuffle, played.raise_) == (3, True, "strict")


def test_a_mode_of_mexico_is_not_offered_with_too_many_players():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("roll")
        fingers.take(say("mexico.name"))
        fingers.take(say("players.guest"))
        fingers.take(say("players.start"))
        fingers.find(say("mexico.option.mode.name"))
        assert say("mexico.option.mode.elimination") in fingers.shown
        assert lamps(table) == (True, False), "only one value, so End does nothing"
        fingers.press("end")
        assert say("mexico.option.mode.elimination") in fingers.shown
        fingers.take(say("options.start"))
        assert table.session.match.referee.options.mode == "elimination"


# Known players


def test_players_are_remembered_with_their_wins_and_bluff_uses_them(tmp_path):
    with Tabletop(pins=True, folder=tmp_path) as table:
        for _ in range(2):
            fingers = Fingers(table)
            table.sit("bluff", [ANN, BO, Seat("Guest 1", guest=True)], {"rounds": 1})
            fingers.play(lambda: isinstance(table.scene, Result))
            fingers.wait(1.2)  # an earlier press would be taken as meant for the last roll
        known = {player.name: player for player in table.context.history.players}
        assert set(known) == {"Ann", "Bo"}
        won = {name: player.won.get("bluff", 0) for name, player in known.items()}
        assert {player.played["bluff"] for player in known.values()} == {2}
    with Tabletop(pins=True, folder=tmp_path) as table:
        fingers, say = Fingers(table), table.context.say
        assert {player.name: player.won.get("bluff", 0) for player in table.context.history.players} == won
        fingers.press("roll")
        fingers.take(say("bluff.name"))
        fingers.find(say("players.remove"))
        fingers.press("end")
        fingers.press("end")
        for name in ("Bo", "Ann"):
            fingers.find(name)
            assert say("many.wins", count=won[name]) in fingers.shown
            fingers.press("end")
        fingers.take(say("players.start"))
        fingers.take(say("options.start"))
        assert table.session.match.referee.options.wins == (won["Bo"], won["Ann"])
        assert table.session.match.guests == ()


def test_a_rematch_includes_the_game_that_was_just_won():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        table.context.history.players = (Player("Ann", {"bluff": 9}, {"bluff": 4}),)
        table.sit("bluff", [ANN, BO], {"rounds": 1})
        assert table.session.match.referee.options.wins == (4, 0)
        fingers.play(lambda: isinstance(table.scene, Result))
        fingers.wait(1.2)  # an earlier press would be taken as meant for the last roll
        (winner,) = table.session.match.winners
        fingers.press("roll")
        assert table.session.match.referee.options.wins == ((5, 0) if winner == 0 else (4, 1))


def test_guests_and_computers_start_without_wins():
    with Tabletop() as table:
        table.context.history.players = (Player("Ann", {"bluff": 9}, {"bluff": 4}),)
        table.sit("bluff", [Seat("Ann", guest=True), DOT])
        assert table.session.match.referee.options.wins == (0, 0)


def test_the_last_players_are_suggested_for_the_next_game():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        table.sit("cheese", [ANN, BO, DOT], {"goal": 500})
        fingers.play(lambda: isinstance(table.scene, Result))
        fingers.wait(1.2)  # an earlier press would be taken as meant for the last roll
        fingers.press("end")
        fingers.take(table.context.say("cacho.name"))
        assert table.scene.lineup.seats == (ANN, BO, DOT)


# Settings


def test_the_language_is_changed_in_the_middle_of_a_game():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        table.sit("mexico", [ANN, BO])
        calm(table)
        fingers.press("roll")
        calm(table)
        english = set(table.words)
        fingers.both()
        fingers.take(say("settings.language"))
        assert table.context.say.language == "es"
        fingers.hold_end()
        fingers.wait(0.2)
        assert isinstance(table.scene, Play)
        same = english & set(table.words)
        assert same <= {"", "–", "Ann", "Bo", Catalogue("es")("mexico.name")}, "everything else is in Spanish now"
        fingers.play(lambda: isinstance(table.scene, Result))
        fingers.wait(1.2)  # an earlier press would be taken as meant for the last roll


def test_settings_are_kept_and_apply_at_once(tmp_path):
    with Tabletop(pins=True, folder=tmp_path) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.both()
        fingers.take(say("menu.settings"))
        fingers.set(say("settings.large_text"), say("value.on"))
        fingers.set(say("settings.brightness"), "40%")
        fingers.set(say("settings.dice"), say("source.typed.name"))
        assert table.context.settings.large_text and table.session.dice.source == "typed"
    with Tabletop(folder=tmp_path) as table:
        kept = table.context.settings
        assert (kept.large_text, kept.brightness, kept.source) == (True, 40, "typed")
        assert table.session.dice.source == "typed"


def test_the_dice_source_can_be_changed_while_dice_are_being_entered():
    with Tabletop(pins=True, source="typed") as table:
        fingers, say = Fingers(table), table.context.say
        table.sit("mexico", [ANN, BO])
        calm(table)
        fingers.press("roll")
        assert table.scene._entering
        fingers.both()
        fingers.take(say("menu.settings"))
        fingers.set(say("settings.dice"), say("source.simulated.name"))
        fingers.hold_end()
        fingers.hold_end()
        fingers.wait(QUICK)
        assert table.scene._entering is None and len(table.session.match.referee.history) == 1


def test_idle_minutes_come_from_the_config():
    config: Config = replace(DEFAULT, screen=replace(DEFAULT.screen, idle_minutes=2))
    with Tabletop(config=config) as table:
        table.sit("mexico", [ANN, BO])
        table.run(110, 0.5)
        assert isinstance(table.scene, Play)
        table.run(20, 0.5)
        assert isinstance(table.scene, Attract) and len(table.context.history.unfinished) == 1

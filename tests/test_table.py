"""The whole table played with two buttons, on mock pins and a scripted clock."""

import secrets

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("gpiozero", reason="gpiozero has the mock pins")

import pygame  # noqa: E402

from table.config import DEFAULT  # noqa: E402
from table.engine.asks import Choose, Roll  # noqa: E402
from table.games import GAMES  # noqa: E402
from table.session.lineup import Lineup, Seat  # noqa: E402
from table.session.messages import DeviceLost, PowerRefused  # noqa: E402
from table.ui.kiosk.private_look import own_dice  # noqa: E402
from table.ui.kiosk.scenes.attract import Attract  # noqa: E402
from table.ui.kiosk.scenes.keyboard import Keyboard  # noqa: E402
from table.ui.kiosk.scenes.listing import Listing  # noqa: E402
from table.ui.kiosk.scenes.play import Play  # noqa: E402
from table.ui.kiosk.scenes.players import Players  # noqa: E402
from table.ui.kiosk.scenes.result import Result  # noqa: E402
from table.ui.kiosk.scenes.review import Reviewing  # noqa: E402
from tests.fingers import QUICK, Fingers, Loaded, calm, lamps, lit  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402

ANN, BO, DOT = Seat("Ann"), Seat("Bo"), Seat("", "classic")
SHORTER = {"cheese": ("goal", "500"), "pocoloco": ("chips", "2")}
SHORT = {"cheese": {"goal": 500}, "pocoloco": {"chips": 2}, "cacho": {"dice": 1}, "bluff": {"rounds": 1}}


@pytest.fixture(autouse=True)
def fixed_match_seed(monkeypatch):
    """Fixes the seed of each match, which decides how long its computers pause."""
    monkeypatch.setattr(secrets, "randbits", lambda _: 7)


# Whole games


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("language", "source"), [("en", "simulated"), ("es", "typed")])
def test_two_buttons_are_enough_from_the_first_screen_to_a_rematch(game, language, source):
    with Tabletop(pins=True, language=language, source=source) as table:
        say = table.context.say
        fingers = Fingers(table, look=lambda: check_lamps(table))
        assert isinstance(table.scene, Attract)
        fingers.press("roll")
        fingers.take(say(f"{game}.name"))
        assert isinstance(table.scene, Players)
        fingers.take(say("players.guest"))
        fingers.take(say("players.start"))
        if game in SHORTER:
            name, value = SHORTER[game]
            fingers.set(say(f"{game}.option.{name}.name"), value)
        fingers.take(say("options.start"))
        match = table.session.match
        assert match and match.seating.levels == (None, "classic", None)
        fingers.play(lambda: isinstance(table.scene, Result))
        fingers.wait(1.2)  # an earlier press would be taken as meant for the last roll
        assert match.winners
        winner = match.referee.players[match.winners[0]]
        assert any(winner in words for words in table.words)
        fingers.press("roll")
        again = table.session.match
        assert isinstance(table.scene, Play) and again and again is not match
        assert (again.game, again.seating, again.guests) == (match.game, match.seating, match.guests)
        assert again.referee.options == match.referee.options


def check_lamps(table: Tabletop) -> None:
    assert lamps(table) == lit(table)


@pytest.mark.parametrize("game", GAMES)
def test_the_whole_menu_can_be_visited_during_every_game(game):
    with Tabletop(pins=True) as table:
        fingers = Fingers(table, look=lambda: check_lamps(table))
        say = table.context.say
        table.sit(game, [ANN, BO, DOT])
        for _ in range(12):
            fingers.go_on()
        before = table.session.match
        fingers.both()
        for words in ("menu.rules", "menu.odds", "menu.settings", "menu.leave", "menu.exit"):
            fingers.find(say(words))
            here = table.scene
            fingers.press("end")
            assert table.scene is not here
            fingers.press("roll")
            fingers.hold_end()
            if table.scene is not here:
                assert words == "menu.odds", "the first press has already gone back"
                fingers.both()
        fingers.hold_end()
        assert isinstance(table.scene, Play) and table.session.match is before


@pytest.mark.parametrize("game", GAMES)
def test_after_a_game_the_menu_offers_a_review_for_each_person(game):
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table, look=lambda: check_lamps(table)), table.context.say
        table.sit(game, [ANN, BO, DOT], SHORT.get(game, {}))
        fingers.play(lambda: isinstance(table.scene, Result))
        fingers.wait(1.2)
        assert say("review.offer") in table.words
        result = table.scene
        fingers.both()
        fingers.take(say("review.open"))
        for name in ("Ann", "Bo", "Ann"):
            assert isinstance(table.scene, Reviewing) and say("review.title", name=name) in table.words
            table.until(lambda: table.scene.wake(table.now) is None)
            assert any(word.startswith(f"{name} ") for word in table.words)
            fingers.press("roll")
        fingers.press("end")
        assert table.scene is result


def test_a_game_of_computers_and_a_solo_game_have_no_review():
    for seats in ([DOT, DOT], [ANN]):
        with Tabletop(pins=True) as table:
            table.sit("cheese", seats, {"goal": 500})
            fingers = Fingers(table)
            fingers.play(lambda: isinstance(table.scene, Result))
            fingers.wait(1.2)
            assert table.context.say("review.offer") not in table.words


def test_every_level_can_be_seated_and_estimates_are_labelled():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        table.kiosk.show(Players(table.context, Lineup(GAMES["cheese"], (ANN,))), table.now)
        fingers.wait(QUICK)
        fingers.take(say("players.computer"))
        fingers.take(say("level.perfect.name"))
        assert say("level.perfect.name") in table.words
        fingers.take(say("players.start"))
        assert say("level.unsolved") not in table.words
        fingers.set(say("cheese.option.cards.name"), say("value.yes"))
        assert say("level.unsolved") in table.words
        fingers.hold_end()
        assert say("level.estimate", level=say("level.perfect.name")) in table.words, "the chosen option is kept"
        for level in ("easy", "sharp"):
            fingers.take(say("players.computer"))
            fingers.take(say(f"level.{level}.name"))
        assert {say("level.easy.name"), say("level.sharp.name")} <= set(table.words)
        assert say("level.estimate", level=say("level.perfect.name")) in table.words, (
            "the estimate also holds for three players"
        )


# Roll and end


def mexico(table: Tabletop) -> Fingers:
    """Ann has rolled 54 and may roll again or end."""
    Loaded(table, (6,), (1,), (5, 4), (3, 1), (2, 1))
    table.sit("mexico", [ANN, BO])
    fingers = Fingers(table)
    for _ in range(3):
        calm(table)
        fingers.press("roll")
    calm(table)
    return fingers


def test_roll_rolls_the_dice():
    with Tabletop(pins=True) as table:
        table.sit("mexico", [ANN, BO])
        calm(table)
        assert table.session.match and table.session.match.referee.history == []
        Fingers(table).press("roll")
        assert len(table.session.match.referee.history) == 1
        assert not table.scene._show.done(table.now), "the die is tumbling"


def test_end_does_nothing_when_the_only_option_is_to_roll():
    with Tabletop(pins=True) as table:
        table.sit("mexico", [ANN, BO])
        calm(table)
        assert lit(table) == (True, False)
        Fingers(table).press("end")
        Fingers(table).hold_end()
        assert table.session.match and table.session.match.referee.history == []


def test_roll_at_a_choice_of_roll_or_end_chooses_and_rolls_with_one_press():
    with Tabletop(pins=True) as table:
        fingers = mexico(table)
        game = table.session.match.referee
        assert game.ask == Choose(0, ("roll", "end"))
        before = len(game.history)
        fingers.press("roll")
        (choice, said), (asked, dice) = game.history[before:]
        assert isinstance(choice, Choose) and said == "roll" and isinstance(asked, Roll) and dice == (3, 1)
        fingers.press("end")  # skips the animation
        fingers.press("end")
        assert game.history[-1][1] == "end" and game.ask == Roll(1, 2)


def test_holding_roll_at_a_choice_of_roll_or_end_rolls_once():
    with Tabletop(pins=True) as table:
        fingers = mexico(table)
        before = len(table.session.match.referee.history)
        fingers.press("roll", 6.0)
        assert len(table.session.match.referee.history) == before + 2


@pytest.mark.parametrize("button", ["roll", "end"])
def test_any_press_skips_the_animation_and_does_nothing_else(button):
    with Tabletop(pins=True) as table:
        table.sit("mexico", [ANN, BO])
        calm(table)
        fingers = Fingers(table)
        fingers.press("roll")
        assert not table.scene._show.done(table.now)
        fingers.press(button)
        assert table.scene._show.done(table.now)
        assert len(table.session.match.referee.history) == 1
        assert table.context.say("cap.skip") not in table.words


def test_roll_skips_the_animation_before_a_private_look():
    with Tabletop(pins=True) as table:
        table.sit("bluff", [ANN, BO])
        fingers = Fingers(table)
        fingers.play(lambda: isinstance(table.session.match.referee.ask, Choose))
        assert not table.scene._show.done(table.now) and not table.scene.wants_look
        fingers.press("roll")
        assert table.scene._show.done(table.now) and table.scene.wants_look
        assert not any(placed.private for placed in table.canvas.texts)


def test_after_a_roll_is_shown_the_screen_and_the_lamps_show_what_is_next():
    with Tabletop(pins=True) as table:
        fingers = mexico(table)
        fingers.press("roll")
        fingers.wait(5.0)  # without any press
        assert table.context.say("cap.skip") not in table.words
        assert table.context.say("mexico.choice.end", score=31) in table.words
        assert lamps(table) == (True, True)
        fingers.press("end")
        fingers.wait(5.0)
        assert lamps(table) == (True, False)


def test_nothing_is_drawn_while_nothing_changes():
    with Tabletop(pins=True) as table:
        mexico(table)
        table.run(1.0)
        assert not any(table.kiosk.turn([], [], table.now + step / 60) for step in range(600))


# Lists


def hidden(table: Tabletop, game: str, *seats: Seat) -> Fingers:
    """Hidden dice have been rolled, and a player has to choose."""
    table.sit(game, seats or [ANN, BO, Seat("Cy")])
    fingers = Fingers(table)
    fingers.throw()
    return fingers


def test_roll_moves_through_a_list_and_end_selects():
    with Tabletop(pins=True) as table:
        fingers = hidden(table, "bluff")
        fingers.press("end")  # skips the private look
        assert fingers.shown == "7", "the list starts at a value that reveals nothing"
        fingers.press("roll")
        assert fingers.shown == "8"
        fingers.press("end")
        assert table.session.match.referee.history[-1][1] == ("claim", 8)


def test_holding_roll_runs_to_the_end_of_a_list_and_stops():
    with Tabletop(pins=True) as table:
        fingers = hidden(table, "bluff")
        fingers.press("end")
        fingers.press("roll", 3.0)
        assert fingers.shown == "12"
        fingers.press("roll")
        assert fingers.shown == "1"


def test_a_bid_is_two_short_lists_and_holding_end_goes_back_to_the_first():
    with Tabletop(pins=True) as table:
        fingers = hidden(table, "cacho")
        say, before = table.context.say, len(table.session.match.referee.history)
        fingers.press("end")
        first = table.scene._decision.choosing.entries
        assert len(first) <= 12 and table.scene._decision.choosing.at == 0
        fingers.find(say("choice.count", count=3))
        fingers.press("end")
        second = table.scene._decision.choosing.entries
        assert [entry.facts["face"] for entry in second] == [1, 2, 3, 4, 5, 6]
        fingers.hold_end()
        assert table.scene._decision.choosing.entries == first
        assert fingers.shown == say("choice.count", count=3), "the cursor has not moved"
        fingers.press("end")
        for _ in range(4):  # from aces to fives
            fingers.press("roll")
        assert len(table.session.match.referee.history) == before
        fingers.press("end")
        assert table.session.match.referee.history[-1][1] == ("bid", (3, 5))


def test_holding_end_goes_back_to_the_private_look():
    with Tabletop(pins=True) as table:
        fingers = hidden(table, "bluff")
        fingers.press("end")
        assert not table.scene.wants_look
        fingers.hold_end()
        assert table.scene.wants_look


def test_holding_end_takes_back_the_last_claim_but_never_a_call():
    with Tabletop(pins=True) as table:
        fingers = hidden(table, "bluff", ANN, BO)
        game = table.session.match.referee
        claimant = game.ask.seat
        before = len(game.history)
        fingers.press("end")
        fingers.press("end")
        assert len(game.history) == before + 1
        calm(table)
        fingers.hold_end()
        assert len(game.history) == before and game.ask.seat == claimant
        assert table.scene.wants_look, "the screen is passed back"
        fingers.press("end")
        fingers.take("9")
        calm(table)
        fingers.take(table.context.say("bluff.choice.call"))
        calm(table)
        after = len(game.history)
        fingers.hold_end()
        assert len(game.history) == after == before + 2


def test_holding_end_goes_back_from_every_list_before_a_game():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        fingers.press("roll")
        games = table.scene
        fingers.press("end")
        players = table.scene
        fingers.take(say("players.start"))
        assert isinstance(table.scene, Listing) and table.scene is not games
        fingers.hold_end()
        assert table.scene is players
        fingers.hold_end()
        assert isinstance(table.scene, Listing)
        fingers.hold_end()
        assert isinstance(table.scene, Attract)


# The menu


def test_holding_both_buttons_opens_the_menu_on_every_screen():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say

        def menu_opens() -> None:
            here = table.scene
            fingers.both()
            assert say("menu.title") in table.words and table.scene is not here
            fingers.both()
            assert table.scene is here, "holding both closes it again"
            fingers.both()
            fingers.hold_end()
            assert table.scene is here

        menu_opens()
        fingers.press("roll")
        menu_opens()
        fingers.press("end")
        assert isinstance(table.scene, Players)
        menu_opens()
        fingers.take(say("players.new"))
        assert isinstance(table.scene, Keyboard)
        menu_opens()
        fingers.hold_end()
        fingers.take(say("players.start"))
        menu_opens()
        fingers.take(say("options.start"))
        calm(table)
        menu_opens()
        fingers.play(lambda: isinstance(table.scene, Result))
        fingers.wait(1.2)  # an earlier press would be taken as meant for the last roll
        menu_opens()


def test_the_menu_opens_while_dice_tumble_and_computers_keep_playing():
    with Tabletop(pins=True) as table:
        table.sit("mexico", [ANN, DOT])
        calm(table)
        fingers = Fingers(table)
        fingers.press("roll")
        assert not table.scene._show.done(table.now)
        fingers.both()
        assert table.context.say("menu.title") in table.words
        before = len(table.session.match.referee.history)
        fingers.wait(60.0)
        assert len(table.session.match.referee.history) > before
        assert table.session.turn == "person", "it waits for Ann"
        fingers.hold_end()
        assert isinstance(table.scene, Play)
        calm(table)
        assert table.scene.caps(table.now).roll


@pytest.mark.parametrize("entry", ["leave", "restart", "shut_down", "exit"])
def test_menu_entries_that_would_lose_a_game_need_a_second_press(entry):
    with Tabletop(pins=True) as table:
        fingers, say = mexico(table), table.context.say
        play, match = table.scene, table.session.match
        history = list(match.referee.history)
        for _ in range(2):  # press End twice without reading, then go back
            fingers.both()
            fingers.take(say(f"menu.{entry}"))
            assert table.session.match is match and table.context.run.ending is None
            fingers.press("end")
            assert table.session.match is match and table.context.run.ending is None
            fingers.hold_end()
            assert table.scene is play and match.referee.history == history
        fingers.both()
        fingers.take(say(f"menu.{entry}"))
        if entry != "leave":
            fingers.take(say("confirm.yes"))
            wished = table.wishes if entry == "shut_down" else [table.context.run.ending]
            assert wished == [entry] and table.session.match is match
            return
        fingers.take(say("confirm.give_up"))
        assert table.session.match is match, "giving up needs another confirmation"
        fingers.press("end")
        fingers.take(say("menu.leave"))
        fingers.take(say("confirm.give_up"))
        fingers.take(say("confirm.yes"))
        assert table.session.match is None and isinstance(table.scene, Attract)
        assert table.context.history.unfinished == ()


@pytest.mark.parametrize("entry", ["shut_down", "restart"])
def test_a_dedicated_table_shuts_down_or_restarts_its_machine_and_says_so(entry):
    with Tabletop(pins=True) as table:
        fingers, say = mexico(table), table.context.say
        table.context.run.service = True
        fingers.both()
        fingers.take(say(f"menu.{entry}"))
        fingers.take(say("confirm.yes"))
        assert table.wishes == [entry] and table.context.run.ending is None
        assert say(f"power.{entry}") in table.words
        table.mailbox.post(PowerRefused(entry, "Access denied"))
        fingers.wait(0.1)
        assert say(f"power.refused.{entry}", why="Access denied") in table.words
        fingers.press("end")
        fingers.hold_end()
        assert isinstance(table.scene, Play)


def test_shutting_down_can_be_retried_after_a_refusal():
    with Tabletop(pins=True) as table:
        fingers, say = Fingers(table), table.context.say
        for refused in (True, False):
            fingers.both()
            fingers.take(say("menu.shut_down"))
            fingers.take(say("confirm.yes"))
            assert say("power.shut_down") in table.words
            if refused:
                table.mailbox.post(PowerRefused("shut_down", "Access denied"))
                fingers.press("end")
                fingers.hold_end()
        assert table.wishes == ["shut_down"] * 2


def test_the_press_that_opens_a_screen_does_nothing_on_it():
    with Tabletop(pins=True) as table:
        fingers = Fingers(table)
        fingers.press("roll", 5.0)
        assert isinstance(table.scene, Listing) and table.scene.at == 0


# Faulty buttons


def test_a_bouncing_button_counts_as_one_press():
    with Tabletop(pins=True) as table:
        fingers = hidden(table, "bluff")
        fingers.press("end")
        for _ in range(3):
            was = int(fingers.shown)
            for _ in range(9):
                for level in ("drive_low", "drive_high", "drive_low"):
                    getattr(table.pin("roll"), level)()
                    table.run(0.001, 0.001)
            table.run(0.1)
            for level in ("drive_high", "drive_low", "drive_high"):
                getattr(table.pin("roll"), level)()
                table.run(0.002, 0.002)
            table.run(0.1)
            assert int(fingers.shown) == was + 1


@pytest.mark.parametrize("stuck", ["roll", "end"])
def test_a_stuck_button_does_no_harm(stuck):
    with Tabletop(pins=True) as table:
        fingers = mexico(table)
        game = table.session.match.referee
        before = len(game.history)
        table.pin(stuck).drive_low()
        fingers.wait(30.0)
        assert len(game.history) == before + (2 if stuck == "roll" else 0), "at most one press counts"
        after = len(game.history)
        assert isinstance(table.scene, Play)
        other = "end" if stuck == "roll" else "roll"
        fingers.press(other)
        assert len(game.history) > after, "the other button still works"
        after = len(game.history)
        calm(table)
        table.pin(stuck).drive_high()
        fingers.wait(5.0)
        assert len(game.history) == after, "releasing it does nothing"


def test_a_button_held_at_startup_is_ignored_until_it_is_released():
    with Tabletop(pins=True) as table:
        pins = DEFAULT.buttons
        table.buttons.close()
        table.factory.reset()
        table.factory.pin(pins.roll_pin).drive_low()
        from table.devices.buttons import open_buttons

        table.buttons = open_buttons(pins, table.mailbox.post, lambda: table.now, timer=False, factory=table.factory)
        table.kiosk.lamps = table.buttons
        fingers = Fingers(table)
        fingers.wait(5.0)
        assert isinstance(table.scene, Attract)
        table.pin("roll").drive_high()
        fingers.wait(0.5)
        assert isinstance(table.scene, Attract)
        fingers.press("roll")
        assert isinstance(table.scene, Listing)
        table.buttons.close()


def test_pressing_both_buttons_at_once_triggers_neither():
    with Tabletop(pins=True) as table:
        fingers = mexico(table)
        before = len(table.session.match.referee.history)
        for first, second in (("roll", "end"), ("end", "roll")):
            table.pin(first).drive_low()
            table.pin(second).drive_low()
            fingers.wait(0.2)
            table.pin(second).drive_high()
            table.pin(first).drive_high()
            fingers.wait(2.0)
            assert len(table.session.match.referee.history) == before and isinstance(table.scene, Play)


# The private look


def test_a_private_look_shows_the_players_dice_while_roll_is_held():
    with Tabletop(pins=True) as table:
        fingers = hidden(table, "bluff")
        seat = table.session.match.referee.ask.seat
        words = table.context.say("bluff.hand", sum=sum(table.session.match.referee.view(seat)["dice"][seat]))
        assert words not in table.words
        table.pin("roll").drive_low()
        fingers.wait(0.5)
        assert [placed.private for placed in table.canvas.texts if placed.text == words] == [True]
        table.pin("roll").drive_high()
        fingers.wait(0.1)
        assert words not in table.words and not any(placed.private for placed in table.canvas.texts)


@pytest.mark.parametrize("comes", ["menu", "trouble"])
def test_a_private_look_ends_when_another_screen_opens(comes):
    with Tabletop(pins=True) as table:
        fingers = hidden(table, "cacho")
        play = table.scene
        table.pin("roll").drive_low()
        fingers.wait(0.5)
        assert any(placed.private for placed in table.canvas.texts)
        if comes == "menu":
            table.key(pygame.K_ESCAPE)
        else:
            table.session.dice.lost = DeviceLost("typed", "gone")
            fingers.wait(QUICK)
        assert table.scene is not play and not any(placed.private for placed in table.canvas.texts)
        table.key(pygame.K_RETURN, "\r")
        assert table.scene is play and not any(placed.private for placed in table.canvas.texts)
        fingers.wait(1.0)
        assert not any(placed.private for placed in table.canvas.texts), "Roll is still held and is ignored"


def test_a_person_among_computers_always_sees_their_own_dice():
    with Tabletop(pins=True) as table:
        table.sit("cacho", [ANN, DOT, DOT])
        Fingers(table).throw()
        assert not table.scene.wants_look
        match = table.session.match
        assert own_dice(match, table.session.phones) == match.referee.view(0)["dice"][0]


# The rules on the screen


def test_the_rules_are_read_page_by_page():
    with Tabletop(pins=True) as table:
        fingers = mexico(table)
        fingers.both()
        fingers.take(table.context.say("menu.rules"))
        assert table.context.say("rules.page", page=1, pages=6) in table.words
        first = list(table.words)
        fingers.press("roll")
        assert table.words != first
        fingers.press("end")
        assert table.context.say("menu.title") in table.words


def test_the_status_text_names_the_current_game_and_counts_unfinished_ones() -> None:
    with Tabletop() as table:
        assert table.kiosk.doing == "No game is in progress."
        table.sit("mexico", [ANN, BO])
        assert table.kiosk.doing == "A game of mexico is in progress."
        table.context.set_aside()
        table.run(0.5)
        assert table.kiosk.doing == "No game is in progress; 1 can be resumed."

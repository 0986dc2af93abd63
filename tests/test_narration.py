"""The kiosk's texts: every public event, ask and standing of every game, in every language."""

from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.engine.asks import Over, Roll
from table.engine.referee import Referee
from table.games import new as new_game
from table.games.default import words as default
from table.session.match import News
from table.text.catalogue import Catalogue, languages
from table.text.narration import name_of, own_prompt, prompt, result, round_line, standing, tell, thrown_for
from tests.playing import at_random
from tests.test_laws import games, settings_of

LONGEST = 100  # characters, which fit on two lines of a caption on the smallest screen
PEOPLE = ("Ann", "Bo", "Cleo", "Dan", "Eve")
EN, ES = Catalogue("en"), Catalogue("es")


def sit(game: str, seats: int = 2, **options) -> Referee:
    return new_game(game, PEOPLE[:seats], {name.rstrip("_"): value for name, value in options.items()}, seed=1)


def news_of(match: Referee, answer) -> News:
    """Give the answer to the game, and return the news that the session would make of it."""
    ask, number, before = match.ask, len(match.history), match.view(None)
    assert not isinstance(ask, Over)
    events = tuple(event for event in match.answer(answer, partial(match.view, None)) if event.visible_to(None))
    hidden = isinstance(ask, Roll) and ask.hidden
    return News(number, ask, None if hidden else match.history[-1][1], events, before, match.view(None))


def narrated(match: Referee, *answers, say=EN) -> list[str]:
    """Give the answers, and return the sentences that report the last one."""
    news = [news_of(match, answer) for answer in answers][-1]
    return [tell(event, news, say) for event in news.events]


def check(sentence: str) -> None:
    assert sentence.strip() == sentence != ""
    assert not set("{}[]()") & set(sentence)
    assert "None" not in sentence and "  " not in sentence
    assert len(sentence) <= LONGEST


@games
@settings(max_examples=25)
@given(st.data())
def test_every_event_and_ask_has_words_in_every_language(game, data):
    seats, options = data.draw(settings_of(game))
    names = data.draw(st.sampled_from([PEOPLE, ["Maximiliana Wolfeschlegelsteinhausen"] * 10, ["😀" * 40] * 10]))
    match = new_game(game.id, [*names, *map(str, range(seats))][:seats], options, seed=1)
    says = [Catalogue(language) for language in languages()]
    chance = Random(data.draw(st.integers(0, 10**6)))
    for _ in range(400):
        view = match.view(None)
        for say in says:
            check(prompt(match.ask, view, say))
            check(round_line(view, say))
            for seat in match.table.seats:
                check(standing(view, seat, say))
        if isinstance(match.ask, Over):
            for say in says:
                end = result(view, match.ask.places, say)
                check(end.sentence)
                assert {line.seat for line in end.lines if line.won} == set(match.ask.winners)
                assert [line.seat for line in end.lines] == [seat for place in match.ask.places for seat in place]
                assert end.lines[0].won
            break
        news = news_of(match, at_random(match, chance))
        for event in news.events:
            for say in says:
                sentence = tell(event, news, say)
                check(sentence)
                assert sentence != default._plainly(event, view, say), "the event has no text of its own"


def test_mexico_is_narrated():
    match = sit("mexico")
    assert narrated(match, (5,)) == ["Ann rolled a 5"]
    assert narrated(match, (2,)) == ["Bo rolled a 2", "Ann starts"]
    assert narrated(match, (4, 5)) == ["Ann rolled 54"]
    assert narrated(match, "roll") == ["Ann rolls again"]
    assert narrated(match, (6, 6)) == ["Ann rolled double 6"]
    assert narrated(match, "end") == ["Ann stops at double 6"]
    assert narrated(match, (1, 2)) == [
        "Bo rolled 21: Mexico!",
        "Mexico! Nothing beats it",
        "Bo wins the round: Mexico beats double 6",
        "Ann loses a life: 2 left",
    ]


def test_mexico_is_narrated_in_spanish():
    match = sit("mexico", lives=2)
    assert narrated(match, (5,), (2,), say=ES) == ["Bo saca un 2", "Empieza Ann"]
    assert narrated(match, (6, 6), say=ES) == ["Ann saca doble 6"]
    assert narrated(match, "end", (1, 2), say=ES) == [
        "Bo saca 21: ¡México!",
        "¡México! Nada le gana",
        "Bo gana la ronda: México le gana a doble 6",
        "Ann pierde una vida: le queda 1",
    ]
    assert narrated(match, (3, 1), "end", (4, 1), say=ES)[1:] == [
        "Bo gana la ronda: 41 le gana a 31",
        "Ann pierde su última vida",
    ]
    assert prompt(match.ask, match.view(None), ES) == "Gana Bo: a Ann no le quedan vidas"


def test_a_tie_against_the_house_is_narrated():
    match = sit("mexico")
    assert narrated(match, (5,), (2,), (4, 5), "end", (5, 4)) == ["Bo rolled 54", "Both rolled 54: no one loses a life"]
    assert prompt(match.ask, match.view(None), EN) == "Ann, roll one die. Highest starts!"
    assert standing(match.view(None), 1, EN) == "the house"


def test_a_tie_for_lowest_is_narrated():
    match = sit("mexico", 3, mode="elimination", lives=2, double=True)
    narrated(match, (5,), (2,), (1,), (4, 3), "end", (4, 3))
    news = narrated(match, (2, 1))
    assert news == ["Cleo rolled 21: Mexico!", "Mexico! Nothing beats it"]
    assert prompt(match.ask, match.view(None), EN) == "Ann, roll one die. Lowest loses!"
    assert prompt(match.ask, match.view(None), ES) == "Ann, tira un dado. ¡El más bajo pierde!"
    assert narrated(match, (3,), (1,)) == ["Bo rolled a 1", "Bo loses their last 2 lives", "Bo is out"]


def test_a_called_bluff_is_narrated_with_the_points():
    match = sit("bluff", rules="simple")
    assert narrated(match, (1, 3)) == ["Ann shakes their cup"]
    assert prompt(match.ask, match.view(None), EN) == "Ann, what do you claim?"
    assert narrated(match, ("claim", 9)) == ["Ann claims 9"]
    assert prompt(match.ask, match.view(None), EN) == "Bo, do you believe 9?"
    assert prompt(match.ask, match.view(None), ES) == "Bo, ¿te crees el 9?"
    assert narrated(match, "call") == [
        "Bo calls the bluff!",
        "Ann claimed 9 but had 4",
        "Ann claimed 9 but had 4: Bo gains 9 and Ann has none to lose",
    ]
    assert narrated(match, (6, 1), ("claim", 7), "call") == [
        "Ann calls the bluff!",
        "Bo claimed 7, and it's true!",
        "Bo really had 7: Bo gains 10 and Ann has none to lose",
    ]
    assert narrated(match, (6, 1), ("claim", 12), "accept") == ["Bo believes it", "Bo believes 12: Ann gains 12"]
    assert narrated(match, (6, 1), ("claim", 12), "call", say=ES) == [
        "¡Ann no se lo cree!",
        "Bo cantó 12 y tenía 7",
        "Bo cantó 12 y tenía 7: Ann gana 12 y Bo pierde 12",
    ]


def test_the_immunity_card_is_narrated():
    match = sit("bluff")
    assert narrated(match, (0, 1)) == ["New seats for everyone"]
    assert narrated(match, (1,)) == ["Ann and Bo are tied. Bo was drawn to start"]
    narrated(match, (1, 1), (2, 2), ("claim", 8))
    assert narrated(match, "call") == ["Ann calls the bluff!", "Bo claimed 8 but had 2"]
    assert prompt(match.ask, match.view(None), EN) == "Bo, play your immunity card?"
    sentences = narrated(match, "immunity")
    assert sentences == ["Bo plays the immunity card", "Immunity card: no one gains or loses points"]
    match.undo()
    assert narrated(match, "concede") == [
        "Bo keeps the immunity card",
        "Bo claimed 8 but had 2: Ann gains 8 and Bo has none to lose",
    ]


def test_a_real_cup_is_narrated():
    match = sit("bluff", rules="simple", cups=(0,))
    view = match.view(None)
    opening = News(-1, None, None, tuple(match.opening), view, view)
    assert [tell(event, opening, EN) for event in opening.events] == ["Ann, roll 2 dice under the cup"]
    narrated(match, ("claim", 9), "call")
    assert prompt(match.ask, match.view(None), EN) == "Ann, lift your cup. What did you roll?"
    assert prompt(match.ask, match.view(None), ES) == "Ann, levanta tu vaso. ¿Qué salió?"
    assert narrated(match, (4, 5))[:2] == ["Ann lifts the cup", "Ann claimed 9, and it's true!"]


def test_pocoloco_is_narrated():
    match = sit("pocoloco", 3)
    assert narrated(match, (1, 0, 2)) == ["Playing order: Bo, Ann, Cleo"]
    assert narrated(match, (1, 4, 6)) == ["Bo has 164 points"]
    assert prompt(match.ask, match.view(None), EN) == "Bo, which dice will you roll again?"
    assert narrated(match, ("reroll", (0, 2))) == ["Bo rolls 2 dice again: 1 6"]
    assert narrated(match, (5, 6)) == ["Bo has PoCo"]
    assert narrated(match, "end") == ["Bo sticks with PoCo"]
    narrated(match, (5, 5, 5), "end")
    assert narrated(match, (2, 2, 3)) == ["Cleo has 7 points", "Bo wins the round with PoCo: Cleo takes 8 chips"]
    match.undo()
    assert narrated(match, (2, 2, 3), say=ES)[1] == "Bo gana la ronda con PoCo: Cleo se lleva 8 fichas"


def test_a_draw_among_tied_players_is_narrated_with_its_purpose():
    match = sit("pocoloco", 3, chips=1)
    narrated(match, (0, 1, 2), (5, 5, 5), "end", (5, 5, 5))
    narrated(match, (5, 5, 5))
    assert prompt(match.ask, match.view(None), EN) == "The table draws lots between Ann, Bo and Cleo"
    assert narrated(match, (1,)) == ["Ann, Bo and Cleo are tied for the best roll. Bo was picked at random"]
    assert narrated(match, (2,)) == [
        "Ann and Cleo are tied for the lowest roll. Cleo was picked at random",
        "Bo wins the round with three fives: Cleo takes 2 chips",
    ]
    assert prompt(match.ask, match.view(None), EN) == "Bo wins: not a chip left!"


def test_pass_the_cheese_is_narrated():
    match = sit("cheese", goal=500, last_turn=True)
    assert narrated(match, (1, 5, 2, 3, 4, 4)) == ["Ann rolled 1 5 2 3 4 4: up to 150 points"]
    assert prompt(match.ask, match.view(None), EN) == "Ann, which dice will you keep?"
    assert narrated(match, ("keep", (0, 1))) == ["Ann keeps 1 5 for 150: 150 at risk"]
    assert prompt(match.ask, match.view(None), EN) == "Ann, roll 4 dice or bank 150?"
    assert narrated(match, "roll") == ["Ann risks 150"]
    assert narrated(match, (2, 3, 4, 6)) == ["Ann rolled 2 3 4 6", "Nothing scores: Ann cuts the cheese and loses 150"]
    match.undo()
    assert narrated(match, (2, 3, 4, 6), say=ES)[1] == "Sin puntos: Ann corta el queso y pierde 150"
    assert narrated(match, (1, 2, 3, 4, 5, 6), ("keep", (0, 1, 2, 3, 4, 5))) == [
        "Bo keeps 1 2 3 4 5 6 for 1500: 1500 at risk",
        "All six dice score: Bo passes the cheese!",
        "Bo banks 1500 and now has 1500",
        "Bo has 1500: one last turn for everyone else",
    ]
    assert narrated(match, (2, 2, 3, 3, 4, 4))[1:] == ["Nothing scores: Ann cuts the cheese"]
    assert prompt(match.ask, match.view(None), ES) == "¡Gana Bo con 1500 puntos!"


def test_a_drawn_card_is_narrated_by_its_meaning():
    match = sit("cheese", cards=True)
    assert prompt(match.ask, match.view(None), EN) == "The table draws a card"
    assert narrated(match, ("bonus300",)) == ["Pass the cheese for 300 extra points"]


def test_cacho_is_narrated():
    match = sit("cacho", dice=3)
    narrated(match, (6,), (1,))
    assert prompt(match.ask, match.view(None), EN) == "Ann, shake your cup"
    narrated(match, (5, 5, 1), (2, 5, 3))
    assert prompt(match.ask, match.view(None), EN) == "Ann, what do you bid?"
    assert narrated(match, ("bid", (3, 5))) == ["Ann bids three fives"]
    assert prompt(match.ask, match.view(None), EN) == "Bo, raise the bid or call Dudo?"
    assert prompt(match.ask, match.view(None), ES) == "Bo, ¿subes la apuesta o dudas?"
    assert own_prompt(match.ask, match.view(None), EN) == "Raise the bid or call Dudo?"
    assert own_prompt(match.ask, match.view(None), ES) == "¿Subes la apuesta o dudas?"
    assert narrated(match, "dudo") == [
        "Dudo! Bo doubts three fives",
        "Four fives, counting aces. Bad call! Bo loses a die",
        "Bo loses a die: 2 left",
    ]
    match.undo()
    assert narrated(match, "dudo", say=ES) == [
        "¡Dudo! Bo no cree que haya tres cincos",
        "Cuatro cincos, contando ases. ¡Mal dudado! Bo pierde un dado",
        "Bo pierde un dado: le quedan 2",
    ]
    narrated(match, (2, 2), (3, 3, 4), ("bid", (1, 6)))
    assert narrated(match, "dudo") == [
        "Dudo! Ann doubts one six",
        "No sixes at all. Good call! Bo loses a die",
        "Bo loses a die: 1 left",
    ]
    narrated(match, (3, 4, 4), (4,), ("bid", (3, 4)))
    assert narrated(match, "calza") == [
        "Calza! Bo says exactly three fours",
        "Three fours. Spot on! Bo wins back a die",
        "Bo wins back a die: 2 now",
    ]


@pytest.mark.parametrize(
    ("game", "options", "seats", "en", "es"),
    [
        ("mexico", {}, 2, "Round 1 of 5", "Ronda 1 de 5"),
        ("mexico", {"goal": "win"}, 2, "Round 1, 0 of 5 won", "Ronda 1, 0 de 5 ganadas"),
        ("mexico", {"mode": "elimination"}, 4, "Round 1", "Ronda 1"),
        ("bluff", {"rounds": 3}, 2, "Round 1 of 3", "Ronda 1 de 3"),
        ("pocoloco", {}, 2, "Round 1", "Ronda 1"),
        ("cheese", {}, 1, "Round 1, first to 5000", "Ronda 1, hasta 5000"),
    ],
)
def test_the_round_line_says_when_the_game_ends(game, options, seats, en, es):
    view = sit(game, seats, **options).view(None)
    assert (round_line(view, EN), round_line(view, ES)) == (en, es)


def test_the_round_line_of_cacho_has_the_number_of_dice_and_whether_aces_are_wild():
    match = sit("cacho", dice=2)
    narrated(match, (6,), (1,))
    assert round_line(match.view(None), EN) == "Round 1, 4 dice in play"
    narrated(match, (2, 2), (3, 3), ("bid", (1, 6)), "dudo")
    assert round_line(match.view(None), EN) == "Round 2, 3 dice in play, aces not wild"


def test_a_result_has_a_line_for_every_player_in_order_of_place():
    view = sit("pocoloco", 4).view(None) | {"standing": [12, 0, 5, 5]}
    end = result(view, ((1,), (2, 3), (0,)), EN)
    assert [(line.place, line.name, line.figure, line.won) for line in end.lines] == [
        (1, "Bo", "0 chips", True),
        (2, "Cleo", "5 chips", False),
        (2, "Dan", "5 chips", False),
        (4, "Ann", "12 chips", False),
    ]
    view = sit("cheese", 3).view(None) | {"standing": [900, 5200, 5200], "round": 7}
    assert result(view, ((1, 2), (0,)), EN).sentence == "Bo and Cleo win with 5200 points!"
    assert result(view, ((1, 2), (0,)), ES).sentence == "¡Ganan Bo y Cleo con 5200 puntos!"
    alone = sit("cheese", 1).view(None) | {"standing": [5200], "round": 7}
    assert result(alone, ((0,),), EN).sentence == "Ann reaches the goal in 7 rounds: 5200 points"


def test_the_result_of_a_challenge_has_the_rounds_that_each_side_won():
    view = sit("mexico").view(None) | {"standing": [1, None], "won": [3, 2]}
    end = result(view, ((0,), (1,)), EN)
    assert end.sentence == "Ann survives 5 rounds and wins!"
    assert [line.figure for line in end.lines] == ["3 rounds won", "2 rounds won"]
    view = sit("mexico", goal="win").view(None) | {"standing": [1, None], "won": [5, 2]}
    assert result(view, ((0,), (1,)), EN).sentence == "Ann wins, 5 to 2!"
    assert (standing(view, 0, ES), standing(view, 1, ES)) == ("1 vida", "la casa")
    view |= {"standing": [0, None], "won": [1, 3]}
    assert result(view, ((1,), (0,)), EN).sentence == "Bo wins: Ann has no lives left"


def test_a_die_that_is_part_of_the_game_has_no_special_purpose():
    match = sit("cheese", 1)
    view = match.view(None)
    assert thrown_for(Roll(0, 1), view) is None
    match = sit("cacho")
    assert thrown_for(Roll(0, 1), match.view(None)) == "begin"
    assert thrown_for(Roll(0, 1, hidden=True), match.view(None)) is None


def test_long_names_are_shortened():
    view = {"players": ["Ann", "Maximiliana Wolfe", "Wolfeschlegelsteinhausen", "Fourteen chars"]}
    names = [name_of(view, seat) for seat in range(4)]
    assert names == ["Ann", "Maximiliana…", "Wolfeschlegel…", "Fourteen chars"]


@pytest.mark.parametrize(
    "players", [["Maximiliana Wolfe"] * 10, ["W" * 40] * 10, ["Ann Smith the Elder", "Ann Smith the Older"]]
)
def test_shortened_names_stay_unique(players):
    view = new_game("pocoloco", players).view(None)
    names = [name_of(view, seat) for seat in range(len(players))]
    assert len(set(names)) == len(players)
    assert max(map(len, names)) <= 14

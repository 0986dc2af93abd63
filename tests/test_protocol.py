"""The protocol, line by line: every request, every closing line, and all kinds of invalid lines."""

import io
import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.engine.referee import digest, with_about
from table.ui.protocol import Dialogue, serve

CHEESE = {"new": "cheese", "players": ["Ann"], "options": {"goal": 500}, "seed": 7}
PASS = [{"dice": [1, 2, 3, 4, 5, 6]}, {"choose": {"keep": [0, 1, 2, 3, 4, 5]}}]
CACHO = {"new": "cacho", "players": ["Ann", "Bo"], "options": {"dice": 2}, "seed": 7}
AT = {  # requests that lead to each kind of ask
    "nothing": [],
    "dice": [{"new": "mexico", "players": ["Ann", "Bo"], "seed": 7}],
    "hidden": [CACHO, {"dice": [6]}, {"dice": [1]}],
    "choice": [CHEESE, PASS[0]],
    "bid": [CACHO, {"dice": [6]}, {"dice": [1]}, {"dice": [2, 3]}, {"dice": [4, 5]}],
    "order": [{"new": "cacho", "players": ["Ann", "Bo", "Cy"], "options": {"shuffle": True}, "seed": 7}],
    "pick": [{"new": "cheese", "players": ["Ann", "Bo"], "options": {"cards": True}, "seed": 7}],
    "over": [CHEESE, *PASS],
}
PLAYING = [place for place in AT if place != "nothing"]
TAIL = {"round", "standing"}
ASKS = {
    "dice": {"ask", "seat", "count", "hidden"} | TAIL,
    "choice": {"ask", "seat", "options"} | TAIL,
    "draw": {"ask", "kind", "from"} | TAIL,
}
VIEW = {"game", "seat", "players", "options", "round", "standing", "turn", "dice"}
REQUESTS = ["games", "new", "dice", "choose", "draw", "auto", "bot", "policy", "view", "undo", "save", "load"]


def send(session, line):
    """Send a line and check its reply: any number of events, then exactly one closing line."""
    raw = line if isinstance(line, bytes) else json.dumps(line).encode()
    replies = [json.loads(json.dumps(reply)) for reply in session.reply(raw)]
    assert all("event" in event for event in replies[:-1])
    assert closes(replies[-1]), replies[-1]
    return replies


def closes(line):
    """Whether this is a documented closing line with exactly its keys, and not an internal error of the referee."""
    if "ask" in line:
        return set(line) == ASKS[line["ask"]]
    if "over" in line:
        return line["over"] is True and set(line) == {"over", "winners", "places"} | TAIL
    if "error" in line:
        return set(line) == {"error"} and not line["error"].startswith("The referee failed")
    return set(line) in ({"view"}, {"policy"}, {"policy", "win"}, {"games"}, {"saved"})


def at(place):
    session = Dialogue()
    for request in AT[place]:
        assert "error" not in send(session, request)[-1]
    return session


def ask(session, *lines):
    """Send the lines and return the last closing line."""
    return [send(session, line)[-1] for line in lines][-1]


def state(session):
    return ask(session, {"save": True}), ask(session, {"view": None})


def refused(session, line):
    """Check that the line gets only an error and leaves the game unchanged, and return the error."""
    before = state(session)
    replies = send(session, line)
    assert [set(reply) for reply in replies] == [{"error"}], line
    assert state(session) == before
    return replies[0]["error"]


def listing():
    return ask(Dialogue(), {"games": True})["games"]


def test_games_are_listed_with_seats_dice_levels_and_options():
    games = {game["id"]: game for game in listing()}
    assert set(games) == {"mexico", "bluff", "pocoloco", "cheese", "cacho"}
    for game in games.values():
        assert set(game) - {"help"} == {"id", "name", "seats", "dice", "levels", "options"}
        assert "classic" in game["levels"]
        for option in game["options"]:
            limits = {"values"} if "values" in option else {"min", "max"}
            assert set(option) - {"only", "of"} == {"name", "type", "default", "help"} | limits
            assert len(option["help"].splitlines()) == 1
    limits = {name: (*game["seats"], game["dice"]) for name, game in games.items()}
    assert limits == {
        "mexico": (2, 10, 2), "bluff": (2, 10, 2), "pocoloco": (2, 10, 3), "cheese": (1, 10, 6), "cacho": (2, 10, 6),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("dice", {"ask": "dice", "seat": 0, "count": 1, "hidden": False, "round": 1, "standing": [3, None]}),
        ("hidden", {"ask": "dice", "seat": 0, "count": 2, "hidden": True, "round": 1, "standing": [2, 2]}),
        ("order", {"ask": "draw", "kind": "order", "from": [0, 1, 2], "round": 1, "standing": [5, 5, 5]}),
        ("over", {"over": True, "winners": [0], "places": [[0]], "round": 1, "standing": [1500]}),
    ],
)
def test_a_closing_line_says_what_is_asked(place, expected):
    assert ask(Dialogue(), *AT[place]) == expected


def test_a_choice_lists_its_options_in_the_form_an_answer_takes():
    session = Dialogue()
    keeps = [{"keep": kept} for kept in ([0], [0, 1, 2, 3, 4, 5], [0, 4], [4])]
    assert ask(session, *AT["choice"])["options"] == keeps
    assert ask(session, {"choose": keeps[0]})["options"] == ["roll", "end"]


def test_events_come_before_the_closing_line():
    session = Dialogue()
    told = [send(session, line)[:-1] for line in [*AT["order"], {"draw": [2, 0, 1]}, {"dice": [6]}]]
    assert told[0] == []
    assert [event["event"] for reply in told for event in reply] == ["drew", "rolled"]
    assert send(at("choice"), PASS[1])[0] == {"event": "chose", "seat": 0, "option": PASS[1]["choose"]}


def test_a_private_event_names_its_recipients():
    public, own = send(at("hidden"), {"dice": [3, 4]})[:-1]
    assert (public.get("to"), public["dice"]) == (None, [None, None])
    assert (own["to"], own["dice"]) == ([0], [3, 4])


WRONG_ANSWERS = {
    "dice": [[], [1, 2], [0], [7], [2.0], [True], ["2"], [None], [[2]], 2, "2", None, {"0": 2}, [1e400], [10**400]],
    "hidden": [[1], [1, 2, 3], [1, 2.0], [False, 1], ["1", "2"], [-1, 1], "12", 12, None],
    "choice": ["keep", "end", 0, None, [0], {"keep": 0}, {"keep": [4, 0]}, {"keep": [0.0]}, {"keep": [False]},
               {"keep": ["0"]}, {"keep": [[0]]}, {"keep": []}, {"keep": [1]}, {"keep": [0], "x": 1}, ["keep", [0]], {},
               {"bid": [0]}, True, {"keep": None}],
    "bid": [{"bid": [1]}, {"bid": [1, 2, 3]}, {"bid": [1.0, 2]}, {"bid": [True, 2]}, {"bid": ["1", 2]}, {"bid": [5, 1]},
            {"bid": [1, 7]}, {"bid": [0, 1]}, {"bid": [-1, 1]}, {"bid": 1}, "dudo", "calza", "bid", None],
    "order": [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2, 2], [0.0, 1, 2], [False, True, 2], ["0", "1", "2"], 0, None, []],
    "pick": [[], ["bonus300", "bonus400"], ["ace"], [0], [None], [["bonus300"]], "bonus300", True, {"bonus300": 1}],
}  # fmt: skip
ANSWERED_BY = {"dice": "dice", "hidden": "dice", "choice": "choose", "bid": "choose", "order": "draw", "pick": "draw"}
ANSWERS = {"dice": [1], "choose": "end", "draw": [0, 1, 2], "bot": "classic", "policy": "classic", "auto": True}


@pytest.mark.parametrize("place", WRONG_ANSWERS)
def test_a_wrong_answer_is_an_error_and_the_ask_still_stands(place):
    session = at(place)
    for wrong in WRONG_ANSWERS[place]:
        refused(session, {ANSWERED_BY[place]: wrong})


@pytest.mark.parametrize("place", ANSWERED_BY)
def test_an_answer_to_another_kind_of_ask_is_an_error(place):
    fits = {ANSWERED_BY[place]} | ({"bot", "policy"} if ANSWERED_BY[place] == "choose" else {"auto"})
    for word in set(ANSWERS) - fits:
        refused(at(place), {word: ANSWERS[word]})


@pytest.mark.parametrize("place", ["nothing", "over"])
def test_an_answer_before_new_or_after_over_is_an_error(place):
    session = at(place)
    for word, value in ANSWERS.items():
        refused(session, {word: value})


@pytest.mark.parametrize("line", [{"view": None}, {"view": 0}, {"save": True}, {"undo": True}])
def test_without_a_game_there_is_nothing_to_view_save_or_undo(line):
    refused(Dialogue(), line)


@pytest.mark.parametrize("place", AT)
def test_a_new_game_can_be_started_at_any_time(place):
    assert ask(at(place), CHEESE) == ask(Dialogue(), CHEESE)


@pytest.mark.parametrize(
    "change",
    [{"new": wrong} for wrong in ("chess", "Cheese", "", None, True, 1, ["cheese"], "\ud800")]
    + [{"players": wrong} for wrong in ([], ["x"] * 11, "Ann", None, [1], [None], [["Ann"]], {"0": "Ann"})]
    + [{"seed": wrong} for wrong in (2.0, True, "2", None, [2], 1e400)]
    + [{"options": wrong} for wrong in (None, [], "goal", {"gaol": 500}, {"": 1}, {"\ud800": 1}, {"goal": {}})]
    + [{"options": {"goal": wrong}} for wrong in (499, 100_001, 500.0, True, "500", None, [500], 10**400)]
    + [{"option": {}}, {"seeds": 1}, {"view": 0}],
)
def test_a_new_game_with_any_invalid_part_is_refused(change):
    for place in ("nothing", "dice", "over"):
        refused(at(place), CHEESE | change)


@pytest.mark.parametrize("game", listing(), ids=lambda game: game["id"])
def test_every_listed_option_takes_its_listed_values_and_no_others(game):
    for option in game["options"]:
        name, mode, most = option["name"], option.get("only", {}), option.get("max")
        if "values" in option:
            good, wrong = option["values"], [None, 0, 1, "", "no such word", [], {}, 1.0]
        elif option["type"] == "list":
            good = [option["default"], [0, 1]]
            wrong = [None, 0, "01", {}, [0.0, 1], [True, 0], ["0", 1], [-1, 0], [most + 1, 0], [None, 0], [[0], 1]]
        else:
            good = [option["min"], option["default"], most]
            wrong = [option["min"] - 1, most + 1, float(most), True, str(most), None, [most], 10**400]
        for value in good:
            session = Dialogue()
            ask(session, {"new": game["id"], "players": ["Ann", "Bo"], "options": mode | {name: value}})
            assert ask(session, {"view": None})["view"]["options"][name] in (value, value or [0, 0])
        for value in wrong:
            refused(Dialogue(), {"new": game["id"], "players": ["Ann", "Bo"], "options": mode | {name: value}})


def test_an_option_of_another_mode_is_an_error():
    for options in ({"double": True}, {"mode": "elimination", "goal": "win"}, {"mode": "elimination", "rounds": 3}):
        refused(Dialogue(), {"new": "mexico", "players": ["Ann", "Bo"], "options": options})


BROKEN = [
    b"", b"\n", b"  \t \r\n", b"{", b"}", b"{}", b"[]", b"null", b"true", b"7", b'"games"', b'[{"games": true}]',
    b'{"games": true', b'{"games": true}}', b'{"games": true} {"games": true}', b"{'games': true}", b"{games: true}",
    b'{"games": 1}', b'{"games": false}', b'{"games": null}', b'{"undo": 1}', b'{"save": "true"}', b'{"auto": false}',
    b'{"games": true, "games": true}', b'{"dice": [1], "dice": [1]}', b'{"load": {"a": 1, "a": 1}}',
    b'{"dice": [NaN]}', b'{"dice": [Infinity]}', b'{"view": -Infinity}', b'{"dice": [1e999]}', b'{"dice": [01]}',
    b'{"dice": [' + b"9" * 5000 + b"]}", b'{"view": ' + b"9" * 5000 + b"}", b'{"view": 1e5}',
    b"\xff\xfe\x00", b'{"games\xff": true}', b'\xef\xbb\xbf{"games": true}', b"\x00", b'{"games": true}\x00',
    b'{"\\ud800": true}', b'{"bot": "\\udfff"}', b'{"choose": "\\ud800"}', b'{"load": {"\\ud800": "\\udc00"}}',
    b'{"choose": {"\\ud800": 1}}', b'{"new": "cheese", "players": ["a"], "options": {"\\ud800": 1}}',
    b"[" * 100_000, b'{"dice":' * 100_000, b'{"load": ' + b"[" * 900 + b"]" * 900 + b"}",
    b'{"choose": ' + b'{"keep":' * 900 + b"1" + b"}" * 901, b'{"games": true, "x": 1}', b'{"game": true}',
    b'{"players": ["Ann"]}', b'{"seed": 1}', b'{"options": {}}', b'{"GAMES": true}', b'{"event": "rolled"}',
]  # fmt: skip


@pytest.mark.parametrize("line", BROKEN, ids=lambda line: repr(line[:40]))
def test_an_invalid_line_is_an_error_and_changes_nothing(line):
    for place in ("nothing", "dice", "choice", "over"):
        refused(at(place), line)


@pytest.mark.parametrize("word", REQUESTS)
def test_two_requests_in_a_line_and_unknown_keys_are_errors(word):
    session = at("dice")
    good = {"games": True, "new": "cheese", "dice": [3], "auto": True, "view": None, "undo": True, "save": True}
    for other in ({name: value for name, value in good.items() if name != word} | {"hint": 1}).items():
        refused(session, dict([(word, good.get(word, "random")), other]))
        refused(session, dict([other, (word, good.get(word, "random"))]))


def test_an_error_says_what_is_allowed():
    session = at("choice")
    assert "games" in refused(session, {"gmaes": True})
    assert "keep" in refused(session, {"choose": "end"})
    assert "goal" in refused(session, CHEESE | {"options": {"gaol": 1}})
    assert "cheese" in refused(session, {"new": "chese", "players": ["Ann"]})
    assert "500" in refused(session, CHEESE | {"options": {"goal": 1}})


any_text = st.text(st.characters(codec=None), max_size=50)


@pytest.mark.parametrize(
    "line",
    [
        b"{" + b",".join(b'"k%d": 1' % n for n in range(6_000)) + b', "k5999": 2}',
        b'{"new": "cheese", "players": ["a' + "\u0301\u0316".encode() * 25_000 + b'"]}',
        b'{"' + b"ab" * 500_000 + b'": 1}',
        b'{"dice": [' + b"1," * 500_000 + b"1]}",
    ],
    ids=["many keys with a duplicate", "a name with many accents", "a long key", "many dice"],
)
def test_no_line_takes_the_referee_longer_than_a_second(line):
    """The time is this thread's CPU time, so a busy machine does not matter."""
    begun = time.thread_time()
    send(Dialogue(), line)
    assert time.thread_time() - begun < 1


def test_undo_takes_back_answers_one_by_one_to_the_start():
    session = Dialogue()
    closing = [ask(session, line) for line in AT["bid"]]
    for expected in closing[-2::-1]:
        assert send(session, {"undo": True}) == [expected]
    refused(session, {"undo": True})


def test_undo_works_after_over():
    session = Dialogue()
    closing = [ask(session, line) for line in AT["over"]]
    assert send(session, {"undo": True}) == [closing[-2]]
    assert ask(session, AT["over"][-1]) == closing[-1]


@pytest.mark.parametrize("place", PLAYING)
def test_a_saved_game_continues_from_the_same_ask_without_events(place):
    session = Dialogue()
    standing_ask = ask(session, *AT[place])
    before = state(session)
    for other in (Dialogue(), at("over"), at("bid")):
        assert send(other, {"load": before[0]["saved"]}) == [standing_ask]
        assert state(other) == before


def changed(saved):
    """Variants of a saved value with a key removed, mistyped, altered or truncated, and values of other types."""
    for key, value in saved.items():
        yield {name: kept for name, kept in saved.items() if name != key}
        wrong = [None, True, 2.0, "x", [], {}, [None], 10**400, -1, [value], str(value), "\ud800"]
        if isinstance(value, list):
            wrong += [value[:-1], value[1:], [*value, value[-1]], value[::-1]]
        if isinstance(value, int):
            wrong += [value + 1, float(value)]
        yield from (saved | {key: other} for other in wrong if repr(other) != repr(value))
    yield saved | {"answers": saved["answers"][:-1], "asks": saved["asks"][:-1]}
    yield saved | {"options": saved["options"] | {"dice": 3}}
    yield saved | {"more": 1}
    yield from (None, True, 1, "saved", [], {}, [saved], json.dumps(saved))


def test_a_modified_saved_game_is_refused_and_the_current_game_continues():
    session = at("choice")
    for value in changed(ask(at("bid"), {"save": True})["saved"]):
        refused(session, {"load": value})


def resealed(saved, **changes):
    content = {key: value for key, value in (saved | changes).items() if key != "digest"}
    return content | {"digest": digest(content)}


def test_host_metadata_in_a_saved_game_is_ignored_but_covered_by_the_digest():
    saved = ask(at("bid"), {"save": True})["saved"]
    told = with_about(saved, {"ended": 12.5, "levels": [None, "sharp"]})
    assert ask(Dialogue(), {"load": told}) == ask(Dialogue(), *AT["bid"])
    refused(at("dice"), {"load": told | {"about": {"ended": 13.5}}})
    refused(at("dice"), {"load": resealed(saved, more=1)})


def test_a_game_saved_with_other_rules_loads_or_says_why_not():
    saved = ask(at("bid"), {"save": True})["saved"]
    assert ask(Dialogue(), {"load": resealed(saved, rules=0)}) == ask(Dialogue(), *AT["bid"])
    why = refused(at("dice"), {"load": resealed(saved, rules=0, asks=["dice 0 3", *saved["asks"][1:]])})
    assert "version 0" in why
    assert "Cacho" in why
    assert "newer" in refused(at("dice"), {"load": resealed(saved, dicetable=saved["dicetable"] + 1)})


def test_a_saved_game_with_an_invalid_answer_is_refused():
    saved = ask(at("bid"), {"save": True})["saved"]
    for wrong in ([9], [2.0], [True], "6", None, [6, 6]):
        refused(at("dice"), {"load": resealed(saved, answers=[wrong, *saved["answers"][1:]])})


def test_no_invalid_saved_value_breaks_the_referee():
    for value in changed(ask(at("bid"), {"save": True})["saved"]):
        if isinstance(value, dict):
            send(session := at("choice"), {"load": resealed(value)})
            send(session, {"auto": True})


def go_on(session, count):
    """Reload the game and return the replies to `count` answers. Choices take the first option; the rest is drawn."""
    found = [send(session, {"load": ask(session, {"save": True})["saved"]})]
    for _ in range(count):
        asked = found[-1][-1]
        found.append(send(session, {"choose": asked["options"][0]} if asked["ask"] == "choice" else {"auto": True}))
    return found


@pytest.mark.parametrize("place", ["dice", "order", "pick"])
def test_draws_depend_only_on_the_seed_even_after_undo_and_load(place):
    played = go_on(session := at(place), 8)
    assert go_on(at(place), 8) == played
    saved = ask(session, {"save": True})["saved"]
    for back in range(1, 9):
        ask(other := Dialogue(), {"load": saved})
        for _ in range(back):
            ask(other, {"undo": True})
        assert go_on(other, back)[1:] == played[-back:]


def test_other_seeds_or_no_seed_give_other_dice():
    for seeds in ([{"seed": seed} for seed in range(20)], [{}] * 20):
        rolls = set()
        for seed in seeds:
            ask(session := Dialogue(), {"new": "cheese", "players": ["Ann"]} | seed)
            rolls.add(json.dumps(send(session, {"auto": True})[0]))
        assert len(rolls) > 10


def test_consecutive_rolls_differ():
    ask(session := Dialogue(), {"new": "cacho", "players": [""] * 10, "seed": 7})
    assert len({send(session, {"auto": True})[0]["dice"][0] for _ in range(10)}) > 1


@pytest.mark.parametrize("seed", [0, -1, 2**64, 10**400])
def test_any_whole_number_is_a_seed(seed):
    assert "dice" in send(Dialogue(), CHEESE | {"seed": seed})[-1]["ask"]


@pytest.mark.parametrize("game", listing(), ids=lambda game: game["id"])
def test_a_policy_has_a_probability_for_every_option_and_a_bot_picks_one_of_them(game):
    for level in game["levels"]:
        session = Dialogue()
        closing = ask(session, {"new": game["id"], "players": ["Ann", "Bo"], "seed": 3})
        for _ in range(12):
            if closing.get("ask") != "choice":
                closing = ask(session, {"auto": True})
                continue
            before = state(session)
            policy = ask(session, {"policy": level})
            for chances in policy.values():
                assert len(chances) == len(closing["options"])
                assert all(0 <= chance <= 1 for chance in chances)
            assert sum(policy["policy"]) == pytest.approx(1)
            assert state(session) == before
            chose, *_ = replies = send(session, {"bot": level})
            assert policy["policy"][closing["options"].index(chose["option"])] > 0
            ask(session, {"undo": True})
            assert send(session, {"bot": level}) == replies
            closing = replies[-1]


def test_an_unlisted_level_is_an_error():
    for level in ("grandmaster", "", None, True, 1, ["classic"], {"level": "classic"}, "\ud800"):
        refused(at("choice"), {"bot": level})
        refused(at("choice"), {"policy": level})


def test_a_bot_does_not_know_the_dice_of_other_seats():
    found = []
    for hand in ([1, 1], [6, 3]):
        ask(session := Dialogue(), *AT["bid"][:-1], {"dice": hand})
        found.append(
            [ask(session, {"policy": "classic"}), ask(session, {"view": 0}), send(session, {"bot": "classic"})]
        )
    assert found[0] == found[1]


@pytest.mark.parametrize("place", PLAYING)
def test_a_view_has_the_documented_keys_and_changes_nothing(place):
    session = at(place)
    before = ask(session, {"save": True})
    closing = ask(session, {"load": before["saved"]})
    for seat in (None, 0):
        view = ask(session, {"view": seat})["view"]
        assert set(view) >= VIEW
        assert (view["seat"], view["turn"]) == (seat, closing.get("seat"))
        assert (view["round"], view["standing"]) == (closing["round"], closing["standing"])
        assert len(view["dice"]) == len(view["players"]) == len(closing["standing"])
    assert ask(session, {"save": True}) == before


def test_a_view_has_null_for_each_hidden_die():
    session = at("bid")
    seen = [ask(session, {"view": seat})["view"]["dice"] for seat in (None, 0, 1)]
    assert seen == [[[None, None], [None, None]], [[2, 3], [None, None]], [[None, None], [4, 5]]]


@pytest.mark.parametrize("seat", [2, -1, 0.0, True, "0", [0], {}, 10**400])
def test_a_view_of_an_unknown_seat_is_an_error(seat):
    refused(at("bid"), {"view": seat})


scalars = st.none() | st.booleans() | st.integers() | st.floats() | any_text | st.sampled_from(REQUESTS)
keys = st.sampled_from(REQUESTS) | any_text
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=3), max_leaves=12
)
any_line = st.binary() | json_values.map(lambda value: json.dumps(value).encode())
requests = st.builds(lambda word, value: json.dumps({word: value}).encode(), st.sampled_from(REQUESTS), json_values)


@given(st.sampled_from(sorted(AT)), st.lists(any_line | requests, max_size=5))
def test_any_line_gets_exactly_one_closing_line(place, lines):
    session = at(place)
    for line in lines:
        send(session, line)


def some_options(described, seats, chance):
    """Choose random values for the options, knowing only how the protocol describes them. A list has all seats in
    some order, or is empty."""
    chosen = {}
    for option in described:
        if all(chosen.get(mode) == word for mode, word in option.get("only", {}).items()):
            if "values" in option:
                value = chance.choice(option["values"])
            elif option["type"] == "list":
                value = chance.sample(range(seats), chance.choice([0, seats]))
            else:
                value = chance.randint(option["min"], min(option["default"], option["min"] + 2000))
            chosen[option["name"]] = value
    return chosen


def some_answer(asked, chance):
    if asked["ask"] == "dice":
        return {"dice": chance.choices(range(1, 7), k=asked["count"])}
    if asked["ask"] == "choice":
        return {"choose": chance.choice(asked["options"])}
    return {"draw": chance.sample(asked["from"], len(asked["from"]) if asked["kind"] == "order" else 1)}


@pytest.mark.parametrize("game", listing(), ids=lambda game: game["id"])
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_a_program_that_uses_only_the_listing_and_asks_plays_every_game_to_the_end(game, seed):
    chance = random.Random(seed)
    session = Dialogue()
    for seats in (chance.randint(max(2, game["seats"][0]), 5), 2):  # a mode may allow fewer seats
        options = some_options(game["options"], seats, chance)
        request = {"new": game["id"], "players": [""] * seats, "options": options}
        closing = ask(session, request)
        if "error" not in closing:
            break
    rounds = 1
    while "over" not in closing:
        assert "error" not in closing, closing
        assert closing["round"] in (rounds, rounds + 1)
        rounds = closing["round"]
        closing = ask(session, some_answer(closing, chance))
    assert closing["winners"] == closing["places"][0]
    assert sorted(seat for place in closing["places"] for seat in place) == list(range(seats))


def served(data):
    serve(io.BytesIO(data), sink := io.BytesIO())
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_the_last_line_needs_no_newline_and_an_empty_stream_gets_no_reply():
    assert served(b"") == []
    assert ["games" in line for line in served(b'{"games": true}\r\n{"games": true}')] == [True, True]


PROGRAM = "import sys; from table.ui.protocol import serve; serve(sys.stdin.buffer, sys.stdout.buffer)"
SERVE = [sys.executable, "-c", PROGRAM]
CLONE = Path(__file__).parents[1]


def test_a_referee_behind_pipes_answers_invalid_lines_of_any_size_and_continues():
    long = b"x" * 10_000_000
    rubbish = [b"\x00\xff", b"", b"[" * 100_000, b'{"x": "' + long + b'"}', long, b'{"dice": [6]}' + long]
    good = [json.dumps(line).encode() for line in AT["bid"]]
    mixed = b"\n".join([*good[:3], *rubbish, *good[3:], long])
    done = subprocess.run(SERVE, cwd=CLONE, input=mixed, capture_output=True, timeout=60, check=True)
    closing = [line for line in map(json.loads, done.stdout.splitlines()) if "event" not in line]
    assert done.stderr == b""
    assert [line.get("ask", "error") for line in closing] == ["dice"] * 3 + ["error"] * 6 + ["dice", "choice", "error"]


def test_a_referee_behind_pipes_answers_each_line_before_the_next_is_sent():
    buffered = os.environ | {"PYTHONUNBUFFERED": ""}
    with subprocess.Popen(SERVE, cwd=CLONE, env=buffered, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        watch = threading.Timer(20, process.kill)  # readline() would block forever without a reply
        watch.start()
        for line in ({"games": True}, {"no": "request"}, CHEESE):
            process.stdin.write(json.dumps(line).encode() + b"\n")
            process.stdin.flush()
            assert closes(json.loads(process.stdout.readline() or "{}"))
        process.stdin.close()
        assert process.wait() == 0
        watch.cancel()

"""The house is told what everybody at the table may know, and nothing that is hidden; a broker that refuses, hangs or
ends never holds the table up, and one that comes back is told how it stands. The broker is a real mosquitto."""

import asyncio
import gc
import json
import random
import re
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.ground
pytest.importorskip("paho.mqtt.client", reason="paho-mqtt talks to brokers")
pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("aiohttp", reason="aiohttp is the phones' port")

from table.config import DEFAULT  # noqa: E402
from table.config.addresses import Broker, parse_broker  # noqa: E402
from table.config.sections import MqttSettings  # noqa: E402
from table.engine.asks import Choose, Draw, Over, Roll  # noqa: E402
from table.engine.errors import Refused  # noqa: E402
from table.games import GAMES  # noqa: E402
from table.machine.doctor import checks as doctor  # noqa: E402
from table.machine.doctor.finding import Finding, Patient  # noqa: E402
from table.session.lineup import Seat  # noqa: E402
from table.session.session import Session  # noqa: E402
from table.storage import mqtt  # noqa: E402
from table.storage.mqtt import NOTHING, MqttPublisher, identity, retained, stands  # noqa: E402
from table.text.catalogue import Catalogue  # noqa: E402
from table.ui.phone import certificate  # noqa: E402
from tests.mosquitto import PASSWORD, USER, broker, listening, locked  # noqa: E402
from tests.phones import Phone, play_out, seat  # noqa: E402
from tests.processes import AT_ONCE, PATIENCE, environment, records, running, unseen, until  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402
from tests.test_phones import at  # noqa: E402
from tests.test_session import Room  # noqa: E402

SAY = Catalogue()
SHOWING = {"call", "dudo", "calza"}


@pytest.fixture(autouse=True)
def in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that is away is tried again at once."""
    monkeypatch.setattr(mqtt, "SOONEST", 0.05)
    monkeypatch.setattr(mqtt, "LATEST", 0.1)


def told(room: Room, rolled: Any = None, say: Catalogue = SAY) -> dict[str, Any]:
    return stands(room.session, rolled, say)


def go_on(room: Room, chance: random.Random, option: Any = None) -> None:
    """Whoever is asked does something: that option, or anything."""
    match room.session.match.referee.ask:
        case Roll(_, count):
            room.throw(*chance.choices(range(1, 7), k=count))
        case Choose(_, options):
            room.choose(chance.choice(options) if option is None else option)
        case Draw():
            room.step()


def over(room: Room) -> bool:
    return isinstance(room.session.match.referee.ask, Over)


# What the house may know


def test_it_knows_the_game_whose_turn_it_is_and_what_is_asked():
    room = Room()
    room.sit("mexico", "Ann", "Bo")
    room.until_roll()
    state, view = told(room), room.session.match.referee.view(None)
    assert state["phase"] == "playing" and state["game"] == {"id": "mexico", "name": "Mexico"}
    assert (state["turn"], state["asked"]) == (view["players"][view["turn"]], "throw")
    assert state["round"] == 1 and set(state["standing"]) == {"Ann", "Bo"} and state["winners"] == []


def test_an_open_roll_is_told_with_who_rolled_it_and_in_words():
    room = Room()
    room.sit("cheese", "Ann", "Bo")
    room.until_roll()
    who = told(room)["turn"]
    room.throw(1, 5, 5, 2, 3, 4)
    state = told(room)
    assert state["rolled"] == {
        "who": who,
        "shown": "1 5 5 2 3 4",
        "hidden": False,
        "dice": [1, 5, 5, 2, 3, 4],
        "sum": 20,
    }
    assert (state["turn"], state["asked"]) == (who, "choose")
    assert state["told"].startswith(f"{who} rolled 1 5 5 2 3 4")


def test_of_a_hidden_roll_it_knows_that_there_was_one():
    room = Room()
    room.sit("bluff", "Ann", "Bo")
    room.until_roll()
    who = told(room)["turn"]
    room.throw(6, 5)
    state = told(room)
    assert state["rolled"] == {"who": who, "shown": "hidden", "hidden": True, "dice": None, "sum": None}
    assert not re.search("[56]", json.dumps(state["rolled"]) + state["told"])


def test_dice_that_were_shown_to_all_are_told():
    room = Room()
    room.sit("bluff", "Ann", "Bo", rules="simple")
    chance = random.Random(1)
    while "call" not in (getattr(room.session.match.referee.ask, "options", ())):
        go_on(room, chance)
    claimant = room.session.match.referee.view(None)["claim"]
    room.choose("call")
    assert str(claimant) in told(room)["told"]


@pytest.mark.parametrize("game", GAMES)
def test_who_won_is_told_at_the_end_of_every_game(game):
    room, chance = Room(), random.Random(3)
    room.sit(game, "Ann", "Bo")
    before = None
    while not over(room):
        before = told(room)["rolled"] or before
        go_on(room, chance)
    state, ask = told(room, before), room.session.match.referee.ask
    assert state["phase"] == "over" and (state["turn"], state["asked"]) == (None, None)
    assert state["winners"] == [room.session.match.referee.players[seat] for seat in ask.winners]
    assert state["told"] and state["told"].isprintable()


def test_what_was_taken_back_is_not_told_any_more():
    room = Room()
    room.sit("mexico", "Ann", "Bo")
    room.until_choice()
    before = told(room)
    room.choose("end")
    assert told(room) != before
    room.session.take_back()
    room.settle()
    assert told(room) == before


def test_it_is_told_in_the_language_of_the_table():
    room, di = Room(), Catalogue("es")
    room.sit("bluff", "Ann", "Bo")
    room.until_roll()
    room.throw(1, 2)
    assert told(room, say=di)["rolled"]["shown"] == "oculta"
    assert told(room, say=di)["told"] != told(room)["told"]
    named = [
        json.loads(text)["name"] for text in retained("x", MqttSettings(), NOTHING, di).values() if "device" in text
    ]
    assert "Última tirada" in named


@pytest.mark.parametrize("game", ["bluff", "cacho"])
@given(st.integers(0, 10**6))
def test_hidden_dice_change_nothing_that_the_house_is_told_until_they_are_shown(game, seed):
    """Two tables, of which only the hidden dice differ: every payload is the same, and there as many."""
    rooms, chance, hidden = (Room(seed=seed), Room(seed=seed)), random.Random(seed), 0
    rolled: list[Any] = [None, None]
    for room in rooms:
        room.sit(game, "Ann", "Bo", "Cy")
        room.session.match.referee.seed = seed
    for _ in range(60):
        ask = rooms[0].session.match.referee.ask
        payloads = []
        for place, room in enumerate(rooms):
            state = told(room, rolled[place])
            rolled[place] = state["rolled"]
            payloads.append(retained("x", MqttSettings(), state, SAY))
        assert payloads[0] == payloads[1]
        if isinstance(ask, Over):
            break
        if isinstance(ask, Roll):
            dice = tuple(chance.choices(range(1, 7), k=ask.count))
            other = tuple(die % 6 + 1 for die in dice) if ask.hidden else dice
            hidden += ask.hidden
            for room, thrown in zip(rooms, (dice, other), strict=True):
                room.throw(*thrown)
        elif isinstance(ask, Choose):
            option = chance.choice(ask.options)
            if option in SHOWING:
                break
            for room in rooms:
                room.choose(option)
        else:
            for room in rooms:
                room.step()
    assert hidden, "the test compares nothing"


# What Home Assistant finds


def test_everything_that_is_announced_belongs_to_one_device_and_says_when_it_is_away():
    found = retained("0123456789ab", MqttSettings(name="The Red Lion"), NOTHING, SAY)
    configs = {topic: json.loads(text) for topic, text in found.items() if topic.endswith("/config")}
    kinds = {topic.split("/")[-2]: topic.split("/")[1] for topic in configs}
    assert kinds == {
        **dict.fromkeys(("game", "turn", "rolled", "round", "told", "winner"), "sensor"),
        "playing": "binary_sensor",
    }
    assert all(re.fullmatch(r"homeassistant/\w+/[\w-]+/[\w-]+/config", topic, re.ASCII) for topic in configs)
    assert len({config["unique_id"] for config in configs.values()}) == len(configs)
    for config in configs.values():
        assert config["device"]["identifiers"] == ["dicetable_0123456789ab"]
        assert config["device"]["name"] == "The Red Lion" and config["device"]["sw_version"]
        assert config["availability_topic"] in found and found[config["availability_topic"]] == "online"
        assert json.loads(found[config["state_topic"]]) == NOTHING
        assert config["json_attributes_topic"] == config["state_topic"] if "json_attributes_topic" in config else True


def test_a_table_without_a_name_has_the_machines_and_without_a_prefix_nothing_is_announced():
    found = retained("x", MqttSettings(), NOTHING, SAY)
    assert json.loads(found["homeassistant/sensor/dicetable_x/turn/config"])["device"]["name"] == socket.gethostname()
    assert list(retained("x", MqttSettings(discovery=""), NOTHING, SAY)) == [
        "dicetable/x/availability",
        "dicetable/x/state",
    ]


def test_a_table_is_always_called_the_same_and_another_one_is_not(tmp_path):
    one, other = tmp_path / "a", tmp_path / "b"
    assert identity(one) == identity(tmp_path / "b" / ".." / "a") != identity(other)
    assert re.fullmatch("[0-9a-f]{12}", identity(one))


# The broker's address


@given(st.text(min_size=1), st.text(), st.integers(1, 65535), st.booleans())
def test_any_user_and_password_can_be_written(user, password, port, tls):
    try:
        written = f"{quote(user, safe='')}:{quote(password, safe='')}"
    except UnicodeEncodeError:  # half a character, which nobody can type
        return
    address = f"mqtt{'s' if tls else ''}://{written}@homeassistant.local:{port}"
    assert parse_broker(address) == Broker("homeassistant.local", port, user, password, tls)


@pytest.mark.parametrize(
    ("address", "read"),
    [
        ("mqtt://ha", Broker("ha", 1883, "", "", False)),
        ("mqtts://10.0.0.2/", Broker("10.0.0.2", 8883, "", "", True)),
        ("mqtt://ann@[fd00::1]:99", Broker("fd00::1", 99, "ann", "", False)),
    ],
)
def test_the_rest_of_an_address_may_be_left_out(address, read):
    assert parse_broker(address) == read


WRONG = ["ha", "http://ha", "mqtt://", "mqtt://ha:0", "mqtt://ha:65536", "mqtt://a..b", "mqtt://ha/topic", "MQTT://ha"]


@pytest.mark.parametrize("address", [*WRONG, "mqtt://ann:hush#hush@ha", f"mqtt://{'a' * 64}.b", "mqtt://:hush@ha"])
def test_an_address_that_is_none_is_a_sentence_without_the_password(address):
    with pytest.raises(Refused, match="A broker's address is mqtt://") as caught:
        parse_broker(address)
    assert "hush" not in str(caught.value)


@given(st.text().map(lambda rest: f"mqtt://{rest}"))
def test_any_text_is_an_address_whose_host_can_be_looked_up_or_a_sentence(text):
    try:
        found = parse_broker(text)
    except Refused:
        return
    assert found.host.encode("idna")


# Through a real broker


@contextmanager
def heralding(address: str, folder: Path, **settings: Any) -> Iterator[tuple[MqttPublisher, list[str]]]:
    """Somebody who tells the house, and all complaints about it."""
    complaints: list[str] = []
    publisher = MqttPublisher(MqttSettings(address=address, **settings), folder, SAY, complaints.append)
    try:
        yield publisher, complaints
    finally:
        publisher.close()


@pytest.fixture
def house(tmp_path):
    with broker(tmp_path) as opened:
        yield opened


def test_a_game_is_told_as_it_is_played_from_the_first_throw_to_who_won(house, tmp_path):
    room, chance = Room(), random.Random(5)
    with listening(house.port) as ear, heralding(house.address, tmp_path) as (publisher, complaints):
        ear.until("it is there", phase="idle")
        room.sit("mexico", "Ann", "Bo")
        seen: list[Any] = []
        while not over(room):
            publisher.tell([room.session], SAY)
            seen.append(ear.until("the turn", turn=told(room)["turn"], told=told(room)["told"]))
            go_on(room, chance)
        publisher.tell([room.session], SAY)
        last = ear.until("the end", phase="over")
        assert last["winners"] == [room.session.match.referee.players[at] for at in room.session.match.winners]
        assert {state["turn"] for state in seen} >= {"Ann", "Bo"}
        assert any(state["rolled"] and state["rolled"]["dice"] for state in seen)
        assert json.loads(ear.ending("/turn/config") or "")["state_topic"] in ear.last
        assert complaints == [] and publisher.trouble == ""


def test_whoever_comes_later_is_told_how_it_stands(house, tmp_path):
    room = Room()
    room.sit("cacho", "Ann", "Bo")
    with heralding(house.address, tmp_path) as (publisher, _):
        publisher.tell([room.session], SAY)
        with listening(house.port) as ear:
            ear.until("the game", phase="playing", game={"id": "cacho", "name": "Cacho"})
            ear.until_said("/availability", "online")
            assert sum(topic.endswith("/config") for topic in ear.last) == len(mqtt.ENTITIES)


def test_what_has_not_changed_is_not_told_again(house, tmp_path):
    room = Room()
    room.sit("mexico", "Ann", "Bo")
    with listening(house.port) as ear, heralding(house.address, tmp_path) as (publisher, _):
        for _ in range(50):
            publisher.tell([room.session], SAY)
        ear.until("the game", phase="playing")
        room.until_roll()
        publisher.tell([room.session], SAY)
        ear.until("the throw", asked="throw")
        names = [topic.split("/")[-2] for topic, _ in ear.heard if topic.endswith("/config")]
        assert len(names) == len(set(names))


def test_a_table_that_closes_says_that_it_is_away(house, tmp_path):
    with listening(house.port) as ear:
        with heralding(house.address, tmp_path):
            ear.until_said("/availability", "online")
        ear.until_said("/availability", "offline")


def test_no_name_stays_with_the_broker_once_a_table_has_closed(house, tmp_path):
    room = Room()
    room.sit("mexico", "Ann", "Bo")
    with listening(house.port) as ear, heralding(house.address, tmp_path) as (publisher, _):
        publisher.tell([room.session], SAY)
        ear.until("the game", phase="playing")
        publisher.close()
        ear.until_said("/availability", "offline")
    with listening(house.port) as later:
        assert later.until("nothing is told", phase="idle") == mqtt.NOTHING
        assert not any("Ann" in said for said in later.last.values())


def test_home_assistant_that_starts_again_is_told_everything_again(house, tmp_path):
    with listening(house.port) as ear, heralding(house.address, tmp_path):
        ear.until("it is there", phase="idle")
        before = len(ear.heard)
        ear.say("homeassistant/status", "online")
        until("all is said again", lambda: len(ear.heard) >= 2 * before)
        again = ear.heard[before:]
        assert {topic for topic, _ in again} - {"homeassistant/status"} == {topic for topic, _ in ear.heard[:before]}


def test_a_broker_that_was_away_is_told_how_it_stands_now(house, tmp_path):
    room, chance = Room(), random.Random(2)
    room.sit("pocoloco", "Ann", "Bo")
    with heralding(house.address, tmp_path) as (publisher, complaints):
        publisher.tell([room.session], SAY)
        with listening(house.port) as ear:
            ear.until("the game", phase="playing")
        house.stop()
        while not over(room):
            go_on(room, chance)
            publisher.tell([room.session], SAY)
        until("it is noticed", lambda: publisher.trouble == "away")
        house.start()
        with listening(house.port) as ear:
            state = ear.until("the end", phase="over")
            assert state["winners"] == [room.session.match.referee.players[at] for at in room.session.match.winners]
            ear.until_said("/availability", "online")
        assert publisher.trouble == "" and len(complaints) == 1 and house.address[7:] in complaints[0]


def test_a_broker_that_hangs_holds_nobody_up(house, tmp_path):
    room, chance = Room(), random.Random(2)
    with listening(house.port) as ear, heralding(house.address, tmp_path) as (publisher, _):
        ear.until("it is there", phase="idle")
        house.signal(signal.SIGSTOP)
        try:
            room.sit("cheese", "Ann", "Bo")
            for _ in range(200):
                go_on(room, chance)
                publisher.tell([room.session], SAY)
        finally:
            house.signal(signal.SIGCONT)
        state = told(room)
        ear.until("how it stands now", told=state["told"], standing=state["standing"])


def test_a_broker_that_never_answers_holds_nobody_up_at_the_end_either(tmp_path):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        silent.settimeout(PATIENCE)
        with heralding(f"mqtt://127.0.0.1:{silent.getsockname()[1]}", tmp_path) as (publisher, _):
            talking, _ = silent.accept()
            with talking:
                talking.settimeout(PATIENCE)
                assert talking.recv(1)  # it asks to be let in
                closing = threading.Thread(target=publisher.close, daemon=True)
                closing.start()
                closing.join(mqtt.KEEPALIVE / 2)  # after the whole of it paho itself gives up
                assert not closing.is_alive(), "it waits for the broker"


def test_a_wrong_password_is_a_sentence_that_is_said_once_and_does_not_hold_it(tmp_path):
    with broker(tmp_path, *locked(tmp_path)) as opened:
        address = f"mqtt://{USER}:hush@127.0.0.1:{opened.port}"
        with heralding(address, tmp_path) as (publisher, complaints):
            until("it is refused", lambda: complaints)
            until("it was tried again", lambda: (tmp_path / "log").read_text().count("not authorised") >= 2)
            assert publisher.trouble == "refused" and len(complaints) == 1
            assert publisher.wrong(SAY) == complaints[0]
            assert f"127.0.0.1:{opened.port}" in complaints[0] and "hush" not in complaints[0]


def test_the_right_password_opens_however_strange_it_is(tmp_path):
    with broker(tmp_path, *locked(tmp_path)) as opened:
        address = f"mqtt://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{opened.port}"
        with heralding(address, tmp_path) as (publisher, complaints):
            until("it is in", lambda: not publisher._away.is_set())
        assert complaints == []


@pytest.mark.filterwarnings("ignore:.*SSLSocket:pytest.PytestUnraisableExceptionWarning")
def test_mqtts_is_spoken_with_a_broker_that_this_machine_trusts_and_with_no_other(tmp_path, monkeypatch):
    pytest.importorskip("cryptography", reason="cryptography makes the certificate")
    certificate.context(tmp_path, None, "127.0.0.1")
    paths = tmp_path / certificate.CERTIFICATE, tmp_path / certificate.KEY
    lines = ["allow_anonymous true", f"certfile {paths[0]}", f"keyfile {paths[1]}"]
    with broker(tmp_path, *lines) as opened:
        address = f"mqtts://127.0.0.1:{opened.port}"
        with heralding(address, tmp_path) as (publisher, complaints):
            until("it is noticed", lambda: complaints)
            assert "certificate" in complaints[0] and publisher._away.is_set()
        until("paho has ended", lambda: not any(one.name.startswith("paho-mqtt") for one in threading.enumerate()))
        gc.collect()  # paho leaves a socket that is not trusted to whoever tidies up
        monkeypatch.setenv("SSL_CERT_FILE", str(paths[0]))
        with heralding(address, tmp_path) as (publisher, complaints):
            until("it is in", lambda: not publisher._away.is_set())
        assert complaints == []


def test_without_paho_the_table_plays_on_and_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "paho", None)
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    room = Room()
    with heralding("mqtt://127.0.0.1:9", tmp_path) as (publisher, complaints):
        until("it is said", lambda: complaints)
        room.sit("mexico", "Ann", "Bo")
        publisher.tell([room.session], SAY)
        assert 'pip install "dicetable[mqtt]"' in complaints[0] and publisher.wrong(SAY) == complaints[0]


# Several rooms


def test_of_several_rooms_the_house_is_told_of_the_one_where_something_last_happened(house, tmp_path):
    one, other = Room(), Room()

    def tell(*rooms: Room) -> None:
        halls: list[Session] = [room.session for room in rooms]
        publisher.tell(halls, SAY)

    with listening(house.port) as ear, heralding(house.address, tmp_path) as (publisher, _):
        one.sit("mexico", "Ann", "Bo")
        tell(one, other)
        ear.until("the first", game={"id": "mexico", "name": "Mexico"})
        other.sit("cacho", "Cy", "Di")
        tell(one, other)
        ear.until("the second", game={"id": "cacho", "name": "Cacho"})
        one.throw(4)
        tell(one, other)
        ear.until("the first again", game={"id": "mexico", "name": "Mexico"}, told=told(one)["told"])
        tell(other)
        ear.until("the one that is left", game={"id": "cacho", "name": "Cacho"})
        other.session.leave()
        tell(other)
        ear.until("nothing is played", phase="idle")


def test_the_last_roll_is_known_however_long_people_bid(house, tmp_path):
    room = Room()
    room.sit("cacho", *(f"P{number}" for number in range(6)))
    with listening(house.port) as ear, heralding(house.address, tmp_path) as (publisher, _):
        for number in range(12):
            ask = room.until_choice()
            publisher.tell([room.session], SAY)
            room.choose(next(option for option in ask.options if option not in SHOWING and option[0] == "bid"))
            assert number < 9 or all(not isinstance(news.ask, Roll) for news in room.session.news.recent)
        publisher.tell([room.session], SAY)
        state = ear.until("the bid", told=told(room)["told"])
        assert state["rolled"]["hidden"] is True


# The whole table


def config(folder: Path, address: str) -> Path:
    path = folder / "table.toml"
    lines = ["[screen]", 'window = "800x480"', "[phones]", 'reach = "machine"', "[mqtt]"]
    path.write_text("\n".join([*lines, f'address = "{address}"', 'name = "Den"', ""]), encoding="utf-8")
    return path


def test_phones_that_play_at_a_table_without_a_screen_are_told_of(house, tmp_path):
    given = str(config(tmp_path, house.address))
    with listening(house.port) as ear, running("serve", "--config", given, env=environment(tmp_path)) as table:
        address = (table.stdout.readline() if table.stdout else "").split(" ")[4]

        async def talk(session: Any) -> None:
            people: list[Phone] = await seat(address, session, ["Ann", "Bo"], "cheese", goal=500)
            await people[0].say("start")
            await asyncio.gather(*(play_out(phone, random.Random(1)) for phone in people))
            for phone in people:
                await phone.close()

        at(address, talk)
        state = ear.until("the end", phase="over")
        assert len(state["winners"]) == 1 and state["winners"][0] in state["standing"]
        table.send_signal(signal.SIGTERM)
        ear.until_said("/availability", "offline")
        assert table.wait(PATIENCE) == 0


@pytest.mark.parametrize("command", [("serve",), ("--simulate",)], ids=["serve", "table"])
def test_a_table_that_is_killed_is_away_at_once(house, tmp_path, command):
    given = str(config(tmp_path, house.address))
    with (
        listening(house.port) as ear,
        running(*command, "--config", given, env=unseen(tmp_path), code=AT_ONCE) as table,
    ):
        until("it is online", lambda: ear.ending("/availability") == "online", table)
        ear.until("it is idle", phase="idle")
        assert json.loads(ear.ending("/turn/config") or "")["device"]["name"] == "Den"
        node = identity(records(tmp_path))
        assert f"dicetable/{node}/state" in ear.last
        table.kill()
        table.wait(PATIENCE)
        ear.until_said("/availability", "offline")


def test_a_game_on_the_screen_is_told_and_one_that_is_left_is_not(house, tmp_path):
    with (
        Tabletop() as table,
        listening(house.port) as ear,
        heralding(house.address, tmp_path) as (publisher, _),
    ):
        table.context.storage.publisher = publisher
        table.sit("mexico", [Seat("Ann"), Seat("", "classic")])
        table.run(2.0)
        ear.until("the game", phase="playing")
        table.context.change("language", "es")
        table.run(0.2)
        until("the names of things", lambda: json.loads(ear.ending("/turn/config") or "")["name"] == "Turno")
        table.context.set_aside()
        table.run(0.2)
        ear.until("nothing is played", phase="idle")


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_somebody_has_to_put_right_is_said_on_the_screen(tmp_path, language):
    with (
        broker(tmp_path, *locked(tmp_path)) as opened,
        Tabletop(language=language) as table,
        heralding(opened.address, tmp_path) as (publisher, complaints),
    ):
        table.context.storage.publisher = publisher
        until("it is refused", lambda: complaints)
        table.run(15.0)  # the first screen is drawn again with the next game that it shows
        shown = " ".join(table.words)
        assert f"127.0.0.1:{opened.port}" in shown
        assert not any(text.cut for text in table.canvas.texts)


# The doctor


@pytest.mark.parametrize(
    ("user", "state", "says"), [(f"{USER}:{quote(PASSWORD, safe='')}@", "ok", "answers"), ("", "broken", "refuses")]
)
def test_the_doctor_says_whether_the_broker_lets_the_table_in(tmp_path, user, state, says):
    with broker(tmp_path, *locked(tmp_path)) as opened:
        settings = MqttSettings(address=f"mqtt://{user}127.0.0.1:{opened.port}")
        (found,) = examined(tmp_path, settings)
        assert (found.state, says in found.said) == (state, True) and (state == "ok" or "[mqtt]" in found.fix)


def test_the_doctor_says_that_a_broker_is_away_or_that_there_is_none(tmp_path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        (away,) = examined(tmp_path, MqttSettings(address=f"mqtt://127.0.0.1:{closed.getsockname()[1]}"))
    assert away.state == "broken" and "cannot be reached" in away.said
    (none,) = examined(tmp_path, MqttSettings())
    assert none.state == "ok"


def examined(folder: Path, settings: MqttSettings) -> list[Finding]:
    checks = [check for check in doctor.CHECKS if check.what == "house"]
    return list(doctor.examined(Patient(replace(DEFAULT, mqtt=settings), folder), checks=checks))

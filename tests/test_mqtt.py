"""Publishing to MQTT: only public state, never hidden dice. A broker that refuses, hangs or stops never delays the
table, and is sent the current state once it is back. The broker is a real mosquitto."""

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
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reconnects to the broker almost at once."""
    monkeypatch.setattr(mqtt, "SOONEST", 0.05)
    monkeypatch.setattr(mqtt, "LATEST", 0.1)


def published(room: Room, rolled: Any = None, say: Catalogue = SAY) -> dict[str, Any]:
    return stands(room.session, rolled, say)


def advance(room: Room, chance: random.Random, option: Any = None) -> None:
    """Answers the current ask, with `option` if it is given, else at random."""
    match room.session.match.referee.ask:
        case Roll(_, count):
            room.roll(*chance.choices(range(1, 7), k=count))
        case Choose(_, options):
            room.choose(chance.choice(options) if option is None else option)
        case Draw():
            room.step()


def is_over(room: Room) -> bool:
    return isinstance(room.session.match.referee.ask, Over)


# What is published


def test_the_state_has_the_game_the_turn_and_the_kind_of_ask():
    room = Room()
    room.sit("mexico", "Ann", "Bo")
    room.until_roll()
    state, view = published(room), room.session.match.referee.view(None)
    assert state["phase"] == "playing" and state["game"] == {"id": "mexico", "name": "Mexico"}
    assert (state["turn"], state["asked"]) == (view["players"][view["turn"]], "roll")
    assert state["round"] == 1 and set(state["standing"]) == {"Ann", "Bo"} and state["winners"] == []


def test_an_open_roll_is_published_with_its_player_and_in_words():
    room = Room()
    room.sit("cheese", "Ann", "Bo")
    room.until_roll()
    who = published(room)["turn"]
    room.roll(1, 5, 5, 2, 3, 4)
    state = published(room)
    assert state["rolled"] == {
        "who": who,
        "shown": "1 5 5 2 3 4",
        "hidden": False,
        "dice": [1, 5, 5, 2, 3, 4],
        "sum": 20,
    }
    assert (state["turn"], state["asked"]) == (who, "choose")
    assert state["told"].startswith(f"{who} rolled 1 5 5 2 3 4")


def test_a_hidden_roll_is_published_without_its_dice():
    room = Room()
    room.sit("bluff", "Ann", "Bo")
    room.until_roll()
    who = published(room)["turn"]
    room.roll(6, 5)
    state = published(room)
    assert state["rolled"] == {"who": who, "shown": "hidden", "hidden": True, "dice": None, "sum": None}
    assert not re.search("[56]", json.dumps(state["rolled"]) + state["told"])


def test_dice_that_were_shown_to_all_are_published():
    room = Room()
    room.sit("bluff", "Ann", "Bo", rules="simple")
    chance = random.Random(1)
    while "call" not in (getattr(room.session.match.referee.ask, "options", ())):
        advance(room, chance)
    claimant = room.session.match.referee.view(None)["claim"]
    room.choose("call")
    assert str(claimant) in published(room)["told"]


@pytest.mark.parametrize("game", GAMES)
def test_the_winners_are_published_at_the_end_of_every_game(game):
    room, chance = Room(), random.Random(3)
    room.sit(game, "Ann", "Bo")
    before = None
    while not is_over(room):
        before = published(room)["rolled"] or before
        advance(room, chance)
    state, ask = published(room, before), room.session.match.referee.ask
    assert state["phase"] == "over" and (state["turn"], state["asked"]) == (None, None)
    assert state["winners"] == [room.session.match.referee.players[seat] for seat in ask.winners]
    assert state["told"] and state["told"].isprintable()


def test_taking_back_a_choice_restores_the_published_state():
    room = Room()
    room.sit("mexico", "Ann", "Bo")
    room.until_choice()
    before = published(room)
    room.choose("end")
    assert published(room) != before
    room.session.take_back()
    room.settle()
    assert published(room) == before


def test_texts_are_published_in_the_tables_language():
    room, di = Room(), Catalogue("es")
    room.sit("bluff", "Ann", "Bo")
    room.until_roll()
    room.roll(1, 2)
    assert published(room, say=di)["rolled"]["shown"] == "oculta"
    assert published(room, say=di)["told"] != published(room)["told"]
    named = [
        json.loads(text)["name"] for text in retained("x", MqttSettings(), NOTHING, di).values() if "device" in text
    ]
    assert "Última tirada" in named


@pytest.mark.parametrize("game", ["bluff", "cacho"])
@given(st.integers(0, 10**6))
def test_hidden_dice_change_nothing_that_is_published_until_they_are_shown(game, seed):
    """Two tables that differ only in their hidden dice publish the same payloads."""
    rooms, chance, hidden = (Room(seed=seed), Room(seed=seed)), random.Random(seed), 0
    rolled: list[Any] = [None, None]
    for room in rooms:
        room.sit(game, "Ann", "Bo", "Cy")
        room.session.match.referee.seed = seed
    for _ in range(60):
        ask = rooms[0].session.match.referee.ask
        payloads = []
        for place, room in enumerate(rooms):
            state = published(room, rolled[place])
            rolled[place] = state["rolled"]
            payloads.append(retained("x", MqttSettings(), state, SAY))
        assert payloads[0] == payloads[1]
        if isinstance(ask, Over):
            break
        if isinstance(ask, Roll):
            dice = tuple(chance.choices(range(1, 7), k=ask.count))
            other = tuple(die % 6 + 1 for die in dice) if ask.hidden else dice
            hidden += ask.hidden
            for room, roll in zip(rooms, (dice, other), strict=True):
                room.roll(*roll)
        elif isinstance(ask, Choose):
            option = chance.choice(ask.options)
            if option in SHOWING:
                break
            for room in rooms:
                room.choose(option)
        else:
            for room in rooms:
                room.step()
    assert hidden, "no hidden dice were rolled"


# Home Assistant discovery


def test_all_announced_entities_belong_to_one_device_and_report_their_availability():
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


def test_the_name_defaults_to_the_hostname_and_an_empty_prefix_turns_discovery_off():
    found = retained("x", MqttSettings(), NOTHING, SAY)
    assert json.loads(found["homeassistant/sensor/dicetable_x/turn/config"])["device"]["name"] == socket.gethostname()
    assert list(retained("x", MqttSettings(discovery=""), NOTHING, SAY)) == [
        "dicetable/x/availability",
        "dicetable/x/state",
    ]


def test_a_tables_id_is_stable_and_unique(tmp_path):
    one, other = tmp_path / "a", tmp_path / "b"
    assert identity(one) == identity(tmp_path / "b" / ".." / "a") != identity(other)
    assert re.fullmatch("[0-9a-f]{12}", identity(one))


# The broker's address


@given(st.text(min_size=1), st.text(), st.integers(1, 65535), st.booleans())
def test_any_user_and_password_can_be_quoted(user, password, port, tls):
    try:
        written = f"{quote(user, safe='')}:{quote(password, safe='')}"
    except UnicodeEncodeError:  # a lone surrogate, which cannot be typed
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
def test_parts_of_an_address_are_optional(address, read):
    assert parse_broker(address) == read


WRONG = ["ha", "http://ha", "mqtt://", "mqtt://ha:0", "mqtt://ha:65536", "mqtt://a..b", "mqtt://ha/topic", "MQTT://ha"]


@pytest.mark.parametrize("address", [*WRONG, "mqtt://ann:hush#hush@ha", f"mqtt://{'a' * 64}.b", "mqtt://:hush@ha"])
def test_an_invalid_address_is_refused_without_showing_the_password(address):
    with pytest.raises(Refused, match="A broker's address is mqtt://") as caught:
        parse_broker(address)
    assert "hush" not in str(caught.value)


@given(st.text().map(lambda rest: f"mqtt://{rest}"))
def test_every_accepted_address_has_a_valid_host_name(text):
    try:
        found = parse_broker(text)
    except Refused:
        return
    assert found.host.encode("idna")


# Through a real broker


@contextmanager
def publishing(address: str, folder: Path, **settings: Any) -> Iterator[tuple[MqttPublisher, list[str]]]:
    """A publisher, and a list that collects its complaints."""
    complaints: list[str] = []
    publisher = MqttPublisher(MqttSettings(address=address, **settings), folder, SAY, complaints.append)
    try:
        yield publisher, complaints
    finally:
        publisher.close()


@pytest.fixture
def mosquitto(tmp_path):
    with broker(tmp_path) as opened:
        yield opened


def test_a_game_is_published_from_the_first_roll_to_the_winner(mosquitto, tmp_path):
    room, chance = Room(), random.Random(5)
    with listening(mosquitto.port) as ear, publishing(mosquitto.address, tmp_path) as (publisher, complaints):
        ear.until("the table is online", phase="idle")
        room.sit("mexico", "Ann", "Bo")
        seen: list[Any] = []
        while not is_over(room):
            publisher.tell([room.session], SAY)
            seen.append(ear.until("the turn", turn=published(room)["turn"], told=published(room)["told"]))
            advance(room, chance)
        publisher.tell([room.session], SAY)
        last = ear.until("the end", phase="over")
        assert last["winners"] == [room.session.match.referee.players[at] for at in room.session.match.winners]
        assert {state["turn"] for state in seen} >= {"Ann", "Bo"}
        assert any(state["rolled"] and state["rolled"]["dice"] for state in seen)
        assert json.loads(ear.ending("/turn/config") or "")["state_topic"] in ear.last
        assert complaints == [] and publisher.trouble.word == ""


def test_late_subscribers_get_the_current_state(mosquitto, tmp_path):
    room = Room()
    room.sit("cacho", "Ann", "Bo")
    with publishing(mosquitto.address, tmp_path) as (publisher, _):
        publisher.tell([room.session], SAY)
        with listening(mosquitto.port) as ear:
            ear.until("the game", phase="playing", game={"id": "cacho", "name": "Cacho"})
            ear.until_said("/availability", "online")
            assert sum(topic.endswith("/config") for topic in ear.last) == len(mqtt.ENTITIES)


def test_unchanged_payloads_are_not_published_again(mosquitto, tmp_path):
    room = Room()
    room.sit("mexico", "Ann", "Bo")
    with listening(mosquitto.port) as ear, publishing(mosquitto.address, tmp_path) as (publisher, _):
        for _ in range(50):
            publisher.tell([room.session], SAY)
        ear.until("the game", phase="playing")
        room.until_roll()
        publisher.tell([room.session], SAY)
        ear.until("the roll", asked="roll")
        names = [topic.split("/")[-2] for topic, _ in ear.heard if topic.endswith("/config")]
        assert len(names) == len(set(names))


def test_a_table_that_closes_says_that_it_is_offline(mosquitto, tmp_path):
    with listening(mosquitto.port) as ear:
        with publishing(mosquitto.address, tmp_path):
            ear.until_said("/availability", "online")
        ear.until_said("/availability", "offline")


def test_no_player_name_stays_with_the_broker_after_the_table_closes(mosquitto, tmp_path):
    room = Room()
    room.sit("mexico", "Ann", "Bo")
    with listening(mosquitto.port) as ear, publishing(mosquitto.address, tmp_path) as (publisher, _):
        publisher.tell([room.session], SAY)
        ear.until("the game", phase="playing")
        publisher.close()
        ear.until_said("/availability", "offline")
    with listening(mosquitto.port) as later:
        assert later.until("the state is cleared", phase="idle") == mqtt.NOTHING
        assert not any("Ann" in said for said in later.last.values())


def test_everything_is_published_again_when_home_assistant_restarts(mosquitto, tmp_path):
    with listening(mosquitto.port) as ear, publishing(mosquitto.address, tmp_path):
        ear.until("the table is online", phase="idle")
        before = len(ear.heard)
        ear.say("homeassistant/status", "online")
        until("everything is published again", lambda: len(ear.heard) >= 2 * before)
        again = ear.heard[before:]
        assert {topic for topic, _ in again} - {"homeassistant/status"} == {topic for topic, _ in ear.heard[:before]}


def test_a_broker_that_was_down_gets_the_current_state(mosquitto, tmp_path):
    room, chance = Room(), random.Random(2)
    room.sit("pocoloco", "Ann", "Bo")
    with publishing(mosquitto.address, tmp_path) as (publisher, complaints):
        publisher.tell([room.session], SAY)
        with listening(mosquitto.port) as ear:
            ear.until("the game", phase="playing")
        mosquitto.stop()
        while not is_over(room):
            advance(room, chance)
            publisher.tell([room.session], SAY)
        until("the trouble is noticed", lambda: publisher.trouble.word == "away")
        mosquitto.start()
        with listening(mosquitto.port) as ear:
            state = ear.until("the end", phase="over")
            assert state["winners"] == [room.session.match.referee.players[at] for at in room.session.match.winners]
            ear.until_said("/availability", "online")
        assert publisher.trouble.word == "" and len(complaints) == 1 and mosquitto.address[7:] in complaints[0]


def test_a_broker_that_hangs_does_not_block_the_table(mosquitto, tmp_path):
    room, chance = Room(), random.Random(2)
    with listening(mosquitto.port) as ear, publishing(mosquitto.address, tmp_path) as (publisher, _):
        ear.until("the table is online", phase="idle")
        mosquitto.signal(signal.SIGSTOP)
        try:
            room.sit("cheese", "Ann", "Bo")
            for _ in range(200):
                advance(room, chance)
                publisher.tell([room.session], SAY)
        finally:
            mosquitto.signal(signal.SIGCONT)
        state = published(room)
        ear.until("the current state", told=state["told"], standing=state["standing"])


def test_a_broker_that_never_answers_does_not_block_closing(tmp_path):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        silent.settimeout(PATIENCE)
        with publishing(f"mqtt://127.0.0.1:{silent.getsockname()[1]}", tmp_path) as (publisher, _):
            talking, _ = silent.accept()
            with talking:
                talking.settimeout(PATIENCE)
                assert talking.recv(1)  # the publisher connects
                closing = threading.Thread(target=publisher.close, daemon=True)
                closing.start()
                closing.join(mqtt.KEEPALIVE / 2)  # on its own, paho would give up only after KEEPALIVE
                assert not closing.is_alive(), "closing waits for the broker"


def test_a_wrong_password_is_reported_once_without_showing_it(tmp_path):
    with broker(tmp_path, *locked(tmp_path)) as opened:
        address = f"mqtt://{USER}:hush@127.0.0.1:{opened.port}"
        with publishing(address, tmp_path) as (publisher, complaints):
            until("the login is refused", lambda: complaints)
            until("the login is tried again", lambda: (tmp_path / "log").read_text().count("not authorised") >= 2)
            assert publisher.trouble.word == "refused" and len(complaints) == 1
            assert publisher.wrong(SAY) == complaints[0]
            assert f"127.0.0.1:{opened.port}" in complaints[0] and "hush" not in complaints[0]


def test_a_password_with_special_characters_works(tmp_path):
    with broker(tmp_path, *locked(tmp_path)) as opened:
        address = f"mqtt://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{opened.port}"
        with publishing(address, tmp_path) as (publisher, complaints):
            until("the login works", lambda: not publisher._away.is_set())
        assert complaints == []


@pytest.mark.filterwarnings("ignore:.*SSLSocket:pytest.PytestUnraisableExceptionWarning")
def test_mqtts_connects_only_to_a_broker_with_a_trusted_certificate(tmp_path, monkeypatch):
    pytest.importorskip("cryptography", reason="cryptography makes the certificate")
    certificate.context(tmp_path, None, "127.0.0.1")
    paths = tmp_path / certificate.CERTIFICATE, tmp_path / certificate.KEY
    lines = ["allow_anonymous true", f"certfile {paths[0]}", f"keyfile {paths[1]}"]
    with broker(tmp_path, *lines) as opened:
        address = f"mqtts://127.0.0.1:{opened.port}"
        with publishing(address, tmp_path) as (publisher, complaints):
            until("the trouble is noticed", lambda: complaints)
            assert "certificate" in complaints[0] and publisher._away.is_set()
        until("paho has ended", lambda: not any(one.name.startswith("paho-mqtt") for one in threading.enumerate()))
        gc.collect()  # paho leaves a socket open if the certificate is not trusted
        monkeypatch.setenv("SSL_CERT_FILE", str(paths[0]))
        with publishing(address, tmp_path) as (publisher, complaints):
            until("the login works", lambda: not publisher._away.is_set())
        assert complaints == []


def test_without_paho_the_table_runs_and_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "paho", None)
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    room = Room()
    with publishing("mqtt://127.0.0.1:9", tmp_path) as (publisher, complaints):
        until("the complaint", lambda: complaints)
        room.sit("mexico", "Ann", "Bo")
        publisher.tell([room.session], SAY)
        assert 'pip install "dicetable[mqtt]"' in complaints[0] and publisher.wrong(SAY) == complaints[0]


# Several rooms


def test_the_room_with_the_latest_news_is_published(mosquitto, tmp_path):
    one, other = Room(), Room()

    def tell(*rooms: Room) -> None:
        halls: list[Session] = [room.session for room in rooms]
        publisher.tell(halls, SAY)

    with listening(mosquitto.port) as ear, publishing(mosquitto.address, tmp_path) as (publisher, _):
        one.sit("mexico", "Ann", "Bo")
        tell(one, other)
        ear.until("the first", game={"id": "mexico", "name": "Mexico"})
        other.sit("cacho", "Cy", "Di")
        tell(one, other)
        ear.until("the second", game={"id": "cacho", "name": "Cacho"})
        one.roll(4)
        tell(one, other)
        ear.until("the first again", game={"id": "mexico", "name": "Mexico"}, told=published(one)["told"])
        tell(other)
        ear.until("the remaining game", game={"id": "cacho", "name": "Cacho"})
        other.session.leave()
        tell(other)
        ear.until("nothing is played", phase="idle")


def test_the_last_roll_stays_published_during_a_long_round_of_bids(mosquitto, tmp_path):
    room = Room()
    room.sit("cacho", *(f"P{number}" for number in range(6)))
    with listening(mosquitto.port) as ear, publishing(mosquitto.address, tmp_path) as (publisher, _):
        for number in range(12):
            ask = room.until_choice()
            publisher.tell([room.session], SAY)
            room.choose(next(option for option in ask.options if option not in SHOWING and option[0] == "bid"))
            assert number < 9 or all(not isinstance(news.ask, Roll) for news in room.session.news.recent)
        publisher.tell([room.session], SAY)
        state = ear.until("the bid", told=published(room)["told"])
        assert state["rolled"]["hidden"] is True


# The whole table


def config(folder: Path, address: str) -> Path:
    path = folder / "table.toml"
    lines = ["[screen]", 'window = "800x480"', "[phones]", 'reach = "machine"', "[mqtt]"]
    path.write_text("\n".join([*lines, f'address = "{address}"', 'name = "Den"', ""]), encoding="utf-8")
    return path


def test_a_game_on_phones_is_published_by_a_table_without_a_screen(mosquitto, tmp_path):
    given = str(config(tmp_path, mosquitto.address))
    with listening(mosquitto.port) as ear, running("serve", "--config", given, env=environment(tmp_path)) as table:
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
def test_a_table_that_is_killed_is_offline_at_once(mosquitto, tmp_path, command):
    given = str(config(tmp_path, mosquitto.address))
    with (
        listening(mosquitto.port) as ear,
        running(*command, "--config", given, env=unseen(tmp_path), code=AT_ONCE) as table,
    ):
        until("it is online", lambda: ear.ending("/availability") == "online", table)
        ear.until("the idle state", phase="idle")
        assert json.loads(ear.ending("/turn/config") or "")["device"]["name"] == "Den"
        node = identity(records(tmp_path))
        assert f"dicetable/{node}/state" in ear.last
        table.kill()
        table.wait(PATIENCE)
        ear.until_said("/availability", "offline")


def test_a_game_on_the_screen_is_published_until_it_is_left(mosquitto, tmp_path):
    with (
        Tabletop() as table,
        listening(mosquitto.port) as ear,
        publishing(mosquitto.address, tmp_path) as (publisher, _),
    ):
        table.context.storage.publisher = publisher
        table.sit("mexico", [Seat("Ann"), Seat("", "classic")])
        table.run(2.0)
        ear.until("the game", phase="playing")
        table.context.change("language", "es")
        table.run(0.2)
        until("the translated names", lambda: json.loads(ear.ending("/turn/config") or "")["name"] == "Turno")
        table.context.set_aside()
        table.run(0.2)
        ear.until("nothing is played", phase="idle")


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_refused_login_is_shown_on_the_screen(tmp_path, language):
    with (
        broker(tmp_path, *locked(tmp_path)) as opened,
        Tabletop(language=language) as table,
        publishing(opened.address, tmp_path) as (publisher, complaints),
    ):
        table.context.storage.publisher = publisher
        until("the login is refused", lambda: complaints)
        table.run(15.0)  # the first screen is redrawn when it shows the next game
        shown = " ".join(table.words)
        assert f"127.0.0.1:{opened.port}" in shown
        assert not any(text.cut for text in table.canvas.texts)


# The doctor


@pytest.mark.parametrize(
    ("user", "state", "says"), [(f"{USER}:{quote(PASSWORD, safe='')}@", "ok", "answers"), ("", "broken", "refuses")]
)
def test_the_doctor_says_whether_the_broker_accepts_the_login(tmp_path, user, state, says):
    with broker(tmp_path, *locked(tmp_path)) as opened:
        settings = MqttSettings(address=f"mqtt://{user}127.0.0.1:{opened.port}")
        (found,) = examined(tmp_path, settings)
        assert (found.state, says in found.said) == (state, True) and (state == "ok" or "[mqtt]" in found.fix)


def test_the_doctor_reports_a_broker_that_is_down_and_accepts_that_none_is_configured(tmp_path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        (away,) = examined(tmp_path, MqttSettings(address=f"mqtt://127.0.0.1:{closed.getsockname()[1]}"))
    assert away.state == "broken" and "cannot be reached" in away.said
    (none,) = examined(tmp_path, MqttSettings())
    assert none.state == "ok"


def examined(folder: Path, settings: MqttSettings) -> list[Finding]:
    checks = [check for check in doctor.CHECKS if check.what == "mqtt"]
    return list(doctor.examined(Patient(replace(DEFAULT, mqtt=settings), folder), checks=checks))

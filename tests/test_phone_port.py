"""The phone port under abuse: the table keeps running, and the offender is refused or disconnected."""

import asyncio
import json
import random
import socket
import ssl
import string
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.ground
aiohttp = pytest.importorskip("aiohttp", reason="aiohttp serves the phones")
zeroconf = pytest.importorskip("zeroconf", reason="zeroconf finds tables on the same network")

from table.engine.errors import Refused  # noqa: E402
from table.text.catalogue import Catalogue  # noqa: E402
from table.ui.phone import certificate, gate  # noqa: E402
from table.ui.phone.addresses import near_by  # noqa: E402
from table.ui.phone.connections import MOST_OF_ONE as MOST_OF_ONE_PERSON  # noqa: E402
from table.ui.phone.gate import HEADERS, LINGERING, MOST_IDLE, Idle, policy  # noqa: E402
from table.ui.phone.near import KIND, Nearby, placed, understood  # noqa: E402
from table.ui.phone.seats import PhoneRules  # noqa: E402
from table.ui.phone.server import MOST_OF_ONE  # noqa: E402
from table.ui.phone.server import RUBBISH as MOST_RUBBISH  # noqa: E402
from table.ui.phone.updates import Outgoing  # noqa: E402
from tests.phones import SLOW, Phone, Rooms, play_out, rooms, seat  # noqa: E402
from tests.processes import until  # noqa: E402
from tests.test_phones import at, whose_turn  # noqa: E402


@pytest.fixture
def table(tmp_path: Path):
    with rooms(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory):
    """A table without players, shared by tests that only request a page."""
    with rooms(tmp_path_factory.mktemp("empty")) as opened:
        yield opened


def get(table: Rooms, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    async def talk(session):
        async with session.get(table.address + path, headers=headers, allow_redirects=False) as answer:
            return answer.status, dict(answer.headers), await answer.text()

    return at(table.address, talk)


def socket_of(table: Rooms) -> str:
    return f"{table.address.replace('http', 'ws', 1)}/ws"


def upgrade(table: Rooms) -> bytes:
    """The HTTP request of a page that opens a WebSocket."""
    return (
        f"GET /ws HTTP/1.1\r\nHost: {table.address.partition('//')[2]}\r\nOrigin: {table.address}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()


async def close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError, ssl.SSLError):
        await writer.wait_closed()


# Served files


SERVED = ["/", "/KRTB", "/table", "/table/krtb", "/page/app.css", "/words/es.json", "/near.json"]
NOT_SERVED = ["/page/../server.py", "/page/%2e%2e/server.py", "/page/__init__.py", "/page/a.js", "/ABCDE", "/table.db"]


@pytest.mark.parametrize("path", SERVED)
def test_the_pages_files_are_served_with_a_strict_policy(empty: Rooms, path: str):
    status, headers, text = get(empty, path)
    assert status == 200 and text
    assert HEADERS.items() <= headers.items()
    assert headers["Content-Security-Policy"] == policy(empty.address.removeprefix("http://"))


@pytest.mark.parametrize("path", NOT_SERVED)
def test_no_other_file_is_served(empty: Rooms, path: str):
    status, headers, text = get(empty, path)
    assert status == 404 and "import" not in text and HEADERS.items() <= headers.items()


def test_a_port_that_listens_only_locally_lists_no_nearby_tables(empty: Rooms):
    assert json.loads(get(empty, "/near.json")[2])["rooms"] == []


# Allowed hosts and origins


@pytest.mark.parametrize("host", ["evil.example", "192.0.2.7.evil.example:80", ""])
def test_a_request_for_another_host_name_is_refused(empty: Rooms, host: str):
    assert get(empty, "/", Host=host)[0] in (400, 403)


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:1", "null", ""])
def test_a_page_of_another_origin_gets_no_websocket(empty: Rooms, origin: str):
    async def talk(session):
        with pytest.raises(aiohttp.WSServerHandshakeError) as why:
            await session.ws_connect(socket_of(empty), headers={"Origin": origin})
        return why.value.status

    assert at(empty.address, talk) == 403


@pytest.mark.parametrize(
    ("peer", "near"),
    [
        ("192.168.1.7", True), ("10.0.0.1", True), ("172.20.1.1", True), ("127.0.0.1", True), ("::1", True),
        ("fe80::1%eth0", True), ("fd00::5", True), ("::ffff:192.168.0.3", True), ("8.8.8.8", False),
        ("::ffff:8.8.8.8", False), ("2a00:1450::1", False), ("", False), ("rubbish", False),
    ],
)  # fmt: skip
def test_only_the_same_network_is_near(peer: str, near: bool):
    assert near_by(peer) is near


def test_an_ipv6_peer_is_near_if_it_shares_the_prefix_of_the_local_address():
    assert near_by("2a00:1450:1:2::77", "2a00:1450:1:2::5") and not near_by("2a00:1450:1:3::77", "2a00:1450:1:2::5")


# Invalid and excessive messages


RUBBISH = [
    "rubbish", "{", "[]", "null", '{"say": "fly"}', '{"say": "join", "name": 5}', "\x00", '{"say": "hello"}', "9" * 300,
    "",
]  # fmt: skip


@pytest.mark.parametrize("first", [False, True])
def test_invalid_messages_are_refused_and_too_many_close_the_connection(table: Rooms, first: bool):
    async def talk(session):
        for begin in range(0, len(RUBBISH), MOST_RUBBISH):
            phone = Phone(table.address, session)
            if first:
                await phone.connect()
            else:
                await phone.open()
            for text in RUBBISH[begin : begin + MOST_RUBBISH]:
                await phone.raw(text)
                await phone.until(lambda said: said["is"] == "refused")
            await phone.notices(lambda: phone.hung_up is not None)  # noqa: B023
            assert phone.hung_up == 1008

    at(table.address, talk)


@pytest.mark.parametrize("text", ["x" * 100_000, b"\xff" * 3000])
def test_a_message_that_is_too_large_closes_the_connection(table: Rooms, text: str | bytes):
    async def talk(session):
        phone = await Phone(table.address, session).open()
        await phone.raw(text)
        await phone.notices(lambda: phone.hung_up is not None)

    at(table.address, talk)


LONE_SURROGATES = {"room": "\ud800", "token": "\ud800", "language": "\ud800", "watch": False}


def test_a_lone_surrogate_is_refused(table: Rooms):
    async def talk(session):
        phone = Phone(table.address, session)
        await phone.connect()
        await phone.say("hello", **LONE_SURROGATES)
        assert (await phone.until(lambda said: said["is"] == "refused"))["why"]
        await seat(table.address, session, ["Ann", "Bo"], "bluff")

    at(table.address, talk)


def test_silent_connections_are_closed_and_open_pages_are_not(table: Rooms, monkeypatch: pytest.MonkeyPatch):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        monkeypatch.setattr(gate, "LINGERING", -1.0)  # from now on every idle connection is overdue
        host, port = table.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        assert await asyncio.wait_for(reader.read(), SLOW) == b""
        writer.close()
        await people[0].say("start")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))

    at(table.address, talk)


def test_idle_connections_are_overdue_after_a_while_or_if_there_are_too_many():
    idle = Idle()
    assert idle.overdue(["early"], 100.0) == set()
    assert idle.overdue(["early", "late"], 100.0 + LINGERING) == set()
    assert idle.overdue(["early", "late"], 100.1 + LINGERING) == {"early"}
    assert idle.overdue(["late", *range(MOST_IDLE - 1)], 101.0 + LINGERING) == set()
    assert idle.overdue([*range(MOST_IDLE), "late"], 101.0 + LINGERING) == {"late"}
    assert idle.overdue(["early"], 102.0 + LINGERING) == set()  # the old connection was closed, so this one is new


def test_many_pages_of_one_person_and_a_flood_of_stale_taps_delay_nobody(table: Rooms):
    connections = table.host.connections
    sent: list[Outgoing] = []

    async def talk(session):
        ann, bo = await seat(table.address, session, ["Ann", "Bo"], "bluff")
        await ann.say("start")
        await whose_turn([ann, bo])
        pages = []
        for _ in range(20):
            page = Phone(table.address, session)
            page.token = bo.token
            pages.append(await page.open(bo.room))
        for page in pages:
            await page.notices(lambda: page.state or page.hung_up is not None)  # noqa: B023
        (line,) = (one.id for one in list(connections._lines.values()) if one.person and one.person.name == "Ann")
        updates, send = connections._updates, connections._updates._send
        updates._send = lambda out: (sent.extend(out), send(out))

        async def hail(page: Phone) -> int:
            try:
                for _ in range(60):
                    await page.say("roll", at="old:1:0")
                await page.say("pass")  # answered after all the taps
            except ConnectionError:
                return 0
            await page.notices(lambda: page.hung_up is not None or any('"is": "code"' in text for text in page.heard))
            return int(page.hung_up is None)

        assert sum(await asyncio.gather(*(hail(page) for page in pages))) == MOST_OF_ONE_PERSON
        await ann.say("pass")
        await ann.until(lambda said: said["is"] == "code")
        told = [json.loads(out.text)["is"] for out in sent if out.line == line]
        assert told[0] == "code"  # Ann's first message, because she gets none about other people's stale taps
        (room,) = connections.rooms.values()
        assert all(len(person.lines) <= MOST_OF_ONE_PERSON for person in room.people.values())

    at(table.address, talk)


def test_incomplete_messages_and_requests_delay_nobody(table: Rooms):
    async def talk(session):
        host, port = table.address.removeprefix("http://").split(":")
        _, half = await asyncio.open_connection(host, int(port))
        half.write(b"GET /ws HTTP/1.1\r\nHost: ")
        await half.drain()
        _, cut = await asyncio.open_connection(host, int(port))
        cut.write(upgrade(table) + b"\x81\xfe\x01")
        await cut.drain()
        people = await seat(table.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        await people[0].say("start")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))
        for writer in (half, cut):
            writer.close()

    at(table.address, talk)


def test_a_phone_that_sends_ten_thousand_messages_is_disconnected_and_the_game_continues(table: Rooms):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        await people[0].say("start")
        offender = await Phone(table.address, session).open(people[0].room)

        async def flood() -> None:
            try:
                for _ in range(10_000):
                    await offender.say("ready", ready=True)
            except ConnectionError:
                pass

        plays = [play_out(phone, random.Random(n)) for n, phone in enumerate(people)]
        await asyncio.gather(flood(), *plays)
        await offender.notices(lambda: offender.hung_up is not None)
        assert offender.hung_up in (1006, 1008)  # 1006 if the phone was still sending and missed the reason

    at(table.address, talk)


def test_most_of_five_hundred_connections_from_one_address_are_refused_and_others_play(table: Rooms):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        refused, held = [], []
        for _ in range(500):
            try:
                held.append(await session.ws_connect(socket_of(table), origin=table.address))
            except aiohttp.WSServerHandshakeError as why:
                refused.append(why.status)
        assert len(held) <= MOST_OF_ONE and len(held) + len(refused) == 500 and set(refused) <= {429, 503}
        await people[0].say("start")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))
        for line in held:
            await line.close()

    async def with_room(_):
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            await talk(session)

    at(table.address, with_room)


def test_a_token_of_another_room_or_of_a_former_player_gives_no_access(table: Rooms):
    async def talk(session):
        (ann,) = await seat(table.address, session, ["Ann"], "cheese")
        (bo,) = await seat(table.address, session, ["Bo"], "cheese")
        thief = Phone(table.address, session)
        thief.token = ann.token
        await thief.open(bo.room)
        assert (await thief.sees(lambda state: True))["you"] is None
        await ann.say("leave")
        await ann.sees(lambda state: state["you"] is None)
        thief = Phone(table.address, session)
        thief.token = ann.token
        await thief.open(ann.room)
        assert (await thief.sees(lambda state: True))["you"] is None

    at(table.address, talk)


def test_a_token_is_sent_only_to_its_owner_and_never_stored(table: Rooms, tmp_path: Path):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "bluff", rounds=1)
        watcher = await Phone(table.address, session).open(people[0].room, watch=True)
        await people[0].say("start")
        await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))
        for phone in (*people, watcher):
            others = [other.token for other in people if other is not phone]
            assert not any(token in text for text in phone.heard for token in others)
            assert sum(phone.token in text for text in phone.heard if phone.token) <= 1
        return [phone.token for phone in people]

    tokens = at(table.address, talk)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"Ann" in kept and not any(token.encode() in kept for token in tokens)


# The operator


def test_settings_need_the_pin_and_it_cannot_be_guessed(tmp_path: Path):
    async def talk(session):
        phone = await Phone(table.address, session).open()
        for guess in range(6):
            await phone.say("settings", pin=f"000{guess}", name="create", value=False)
            await phone.until(lambda said: said["is"] == "refused")
        await phone.say("settings", pin="2468", name="create", value=False)  # the PIN is right, but comes too late
        assert (await phone.until(lambda said: said["is"] == "refused"))["why"]
        assert table.phone_rules.create

    with rooms(tmp_path, pin="2468") as table:
        at(table.address, talk)


def test_the_pin_allows_disabling_new_rooms_and_showing_odds(tmp_path: Path):
    async def talk(session):
        people = await seat(table.address, session, ["Ann", "Bo"], "bluff")
        await people[0].say("settings", pin="2468", name="odds", value=True)
        await people[0].say("settings", pin="2468", name="create", value=False)
        await people[0].say("start")
        state = await people[1].sees(lambda state: state["odds"])
        assert all(0 <= line["chance"] <= 1 and line["label"] and line["shown"] for line in state["odds"]["all"])
        other = await Phone(table.address, session).open()
        assert (await other.until(lambda said: said["is"] == "rooms"))["create"] is False
        await other.say("create", name="", player="Zoe")
        assert (await other.until(lambda said: said["is"] == "refused"))["why"] == "New rooms can't be opened here."

    with rooms(tmp_path, pin="2468", phone_rules=PhoneRules()) as table:
        at(table.address, talk)


# HTTPS, and other tables


def test_a_certificate_is_created_once_with_a_private_key_file_and_used_for_https(tmp_path: Path):
    context = certificate.context(tmp_path, None, "127.0.0.1")
    key = tmp_path / certificate.KEY
    before = key.read_bytes()
    assert key.stat().st_mode & 0o077 == 0
    certificate.context(tmp_path, None, "127.0.0.1")
    assert key.read_bytes() == before

    async def talk(_):
        trusted = ssl.create_default_context(cafile=str(tmp_path / certificate.CERTIFICATE))
        host, port = table.address.removeprefix("https://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port), ssl=trusted)
        writer.write(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        await close(writer)
        reader, writer = await asyncio.open_connection(host, int(port), ssl=trusted)
        writer.write(upgrade(table))
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        hello = b'{"say": "hello", "room": "", "token": "", "language": "en", "watch": false}'
        writer.write(bytes([0x81, 0x80 + len(hello), 0, 0, 0, 0]) + hello)  # a text frame with a mask of zeros
        assert b'"is": "rooms"' in await reader.readuntil(b"}")
        await close(writer)

    with rooms(tmp_path / "records", tls=context) as table:
        assert table.address.startswith("https://")
        at(table.address, talk)


def test_an_unusable_certificate_is_named_in_the_error(tmp_path: Path):
    (tmp_path / "a.crt").write_text("rubbish")
    with pytest.raises(Refused, match=r"a\.crt"):
        certificate.context(tmp_path, (str(tmp_path / "a.crt"), str(tmp_path / "b.key")), "127.0.0.1")


def test_another_tables_announcement_is_parsed_and_an_invalid_one_is_ignored():
    room = {"name": "The Red Lion", "code": "KRTB", "game": "Cacho", "players": 3, "playing": True}
    told = {b"a": b"http://192.168.1.9:8000", b"r0": json.dumps(room).encode(), b"p": b'{"lat": 52.4, "lon": 4.9}'}
    (found,) = understood(told, "http://192.168.1.5:8000")
    place = {"address": "http://192.168.1.9:8000/KRTB", "here": False, "lat": 52.4, "lon": 4.9}
    assert found == {**room, "game_id": "", **place}
    assert understood(told, "http://192.168.1.9:8000") == []  # a table ignores its own announcement
    for change in (
        {b"a": b"javascript:alert(1)"}, {b"a": b""}, {b"a": b"\xff\xfe"}, {b"r0": b"{"}, {b"r0": b"[1]"}, {b"r0": None},
        {b"a": b"http://["},
        {b"r0": b'{"code": "../x", "players": 1}'}, {b"r0": b'{"code": "KRTB", "players": "many"}'}, {b"p": b"["},
    ):  # fmt: skip
        assert understood({**told, **change}, "") == []


def code() -> str:
    """A random room code, since other tests may run on this machine at the same time."""
    return "".join(random.SystemRandom().choices(string.ascii_uppercase, k=4))


def test_two_tables_on_one_network_see_each_other_change_and_leave():
    room = {"name": "The Red Lion", "code": code(), "game": "Cacho", "players": 3, "playing": False}
    ours = Nearby("http://127.0.0.1:8321", interfaces=["127.0.0.1"])
    theirs = Nearby("http://127.0.0.1:8322", "52.4,4.9", interfaces=["127.0.0.1"])
    try:
        theirs.tell("http://127.0.0.1:8322", [room])

        def seen() -> list[dict[str, Any]]:
            return [one for one in ours.listed()["rooms"] if one["code"] == room["code"]]

        until("the other table is listed", seen)
        assert seen()[0]["address"] == f"http://127.0.0.1:8322/{room['code']}" and seen()[0]["here"] is False
        assert ours.listed()["positions"] is True
        theirs.tell("http://127.0.0.1:8322", [{**room, "playing": True}])
        until("the other table is listed as playing", lambda: [one["playing"] for one in seen()] == [True])
        theirs.close()
        until("the other table is no longer listed", lambda: seen() == [])
    finally:
        theirs.close()
        ours.close()


def test_a_nearby_game_is_named_in_the_language_of_the_phone():
    spanish = Catalogue("es")("cheese.name")
    assert spanish != "Pass the Cheese"
    name = "Mesa " + 35 * "🎲"  # with the game's id, the entry is too long for an announcement
    rooms = [
        {"name": one, "code": code(), "game": game, "game_id": id, "players": 3, "playing": False}
        for one, game, id in (
            ("A", "Pass the Cheese", "cheese"),
            ("B", "Farkle", "farkle"),
            (name, "Yams of the plaza", "yams_of_the_plaza"),
        )
    ]
    rooms.append({key: value for key, value in rooms[0].items() if key != "game_id"} | {"code": code()})
    theirs = Nearby("http://127.0.0.1:8322", interfaces=["127.0.0.1"])
    ours = Nearby("http://127.0.0.1:8321", interfaces=["127.0.0.1"])
    with closing(theirs), closing(ours):
        theirs.tell("http://127.0.0.1:8322", rooms)

        def games(language: str) -> list[str]:
            found = {one["code"]: one["game"] for one in ours.listed(language)["rooms"]}
            return [found.get(room["code"], "") for room in rooms]

        until("the other table is listed", lambda: all(games("es")))
        assert games("es") == [spanish, "Farkle", "Yams of the plaza", "Pass the Cheese"]
        assert games("en") == ["Pass the Cheese", "Farkle", "Yams of the plaza", "Pass the Cheese"]


def test_the_page_gets_nearby_games_in_its_own_language(table: Rooms, monkeypatch: pytest.MonkeyPatch):
    ours = Nearby("http://127.0.0.1:8321", interfaces=["127.0.0.1"])
    monkeypatch.setattr(table.port, "_nearby", ours)

    async def talk(session):
        ann = await Phone(table.address, session, "Ann").open()
        await ann.say("create", name="", player="Ann")
        await ann.say("game", game="cheese")
        await ann.sees(lambda state: state["lobby"]["game"] == "cheese")

    at(table.address, talk)
    table.port.tell(table.host.connections)
    for query, language in (("?language=es", "es"), ("?language=xx", "en"), ("", "en")):
        (room,) = (one for one in json.loads(get(table, f"/near.json{query}")[2])["rooms"] if one["here"])
        assert (room["game"], room["game_id"]) == (Catalogue(language)("cheese.name"), "cheese")


class Busy:
    """A table that announces its name but answers no further queries, as if its machine were busy."""

    def __init__(self) -> None:
        self.code = code()
        address = f"http://127.0.0.1:8323/{self.code}"
        room = {"name": "The Red Lion", "code": self.code, "game": "Cacho", "players": 3, "playing": False}
        told = {"a": address, "r0": json.dumps(room)}
        self._info = zeroconf.ServiceInfo(KIND, f"{self.code}.{KIND}", port=8323, properties=told, server="x.local.")
        self._info.addresses = [socket.inet_aton("127.0.0.1")]
        self._line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self._line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        group = socket.inet_aton("224.0.0.251") + socket.inet_aton("127.0.0.1")
        self._line.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
        self._line.bind(("", 5353))
        self._line.settimeout(60)

    def tell(self) -> None:
        self._say(self._info.dns_service(), self._info.dns_text(), *self._info.dns_addresses())

    def _say(self, *records: zeroconf.DNSRecord) -> None:
        out = zeroconf.DNSOutgoing(0x8400)  # the flags of a response
        for record in records:
            out.add_answer_at_time(record, 0)
        for packet in out.packets():
            self._line.sendto(packet, ("224.0.0.251", 5353))

    def asked(self) -> None:
        """Answer the search for tables, and return once this table's details are queried."""
        while True:
            asked = [question.name for question in zeroconf.DNSIncoming(self._line.recv(9000)).questions]
            if KIND in asked:
                self._say(self._info.dns_pointer())
            if self._info.name in asked:
                return

    def close(self) -> None:
        self._line.close()


@pytest.fixture
def busy() -> Iterator[Busy]:
    with closing(Busy()) as made:
        yield made


def near_threads() -> set[threading.Thread]:
    return {one for one in threading.enumerate() if one.name.startswith(("near", "zeroconf"))}


def test_a_table_too_busy_to_answer_is_queried_until_it_does(busy: Busy):
    ours = Nearby("http://127.0.0.1:8321", interfaces=["127.0.0.1"], answer=100, rests=[0.01])
    with closing(ours):
        for _ in range(3):  # one query per 100 ms
            busy.asked()
        busy.tell()
        until("the other table is listed", lambda: busy.code in [one["code"] for one in ours.listed()["rooms"]])


def test_closing_while_waiting_for_another_table_leaves_no_threads(busy: Busy):
    before = near_threads()
    ours = Nearby("http://127.0.0.1:8321", interfaces=["127.0.0.1"])
    with closing(ours):
        busy.asked()
    ours._thread.join(60)
    assert near_threads() == before


@pytest.mark.parametrize(("text", "place"), [("52.37,4.89", (52.37, 4.89)), ("", None), ("here", None), ("91,0", None)])
def test_coordinates_are_parsed_and_checked(text: str, place: tuple[float, float] | None):
    assert placed(text) == (place and {"lat": place[0], "lon": place[1]})

"""Publishes the table's state over MQTT (whose turn it is, what was rolled, who won), with Home Assistant discovery.

Its one rule: only public information is published, and the table never waits for the broker. Only the latest state
counts, so nothing is queued: after a reconnect, the broker gets the current state.
"""

import hashlib
import json
import socket
import sys
import threading
import uuid
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from table import __version__
from table.config.addresses import Broker, parse_broker
from table.config.sections import MqttSettings
from table.engine.asks import Ask, Choose, Over, Roll, View
from table.session.match import News
from table.session.session import Session
from table.text import game_texts
from table.text.catalogue import Catalogue
from table.text.narration import result, standing, tell

if TYPE_CHECKING:
    from paho.mqtt.client import Client

ROOT = "dicetable"
ONLINE, OFFLINE = "online", "offline"  # Home Assistant's default payloads for availability
ASKED = {Roll: "roll", Choose: "choose"}
KEEPALIVE = 30  # seconds: MQTT's keep-alive interval
SOONEST, LATEST = 1, 60  # seconds: first and longest wait before reconnecting; doubled after each failure
LAST = 0.5  # seconds to wait for the goodbye message to be sent
LONGEST = 255  # characters: the longest state that Home Assistant accepts
SHOWN = ("missing", "refused")  # errors that somebody has to fix; "away" usually passes

Json = dict[str, Any]
NOTHING: Json = {
    "phase": "idle",
    "game": None,
    "round": None,
    "turn": None,
    "asked": None,
    "rolled": None,
    "told": None,
    "standing": {},
    "winners": [],
}


# The public state


def stands(session: Session, rolled: Json | None, say: Catalogue) -> Json:
    """The state of a session. `rolled` is the last published roll of the same game."""
    match = session.match
    return known(match.referee.view(None), match.referee.ask, session.news.recent, rolled, say) if match else NOTHING


def known(view: View, ask: Ask | Over, recent: Sequence[News], rolled: Json | None, say: Catalogue) -> Json:
    """The state of a game, made only from public information."""
    names: list[str] = view["players"]
    told = [tell(event, news, say) for news in list(recent)[-1:] for event in news.events]
    winners: tuple[int, ...] = ()
    if isinstance(ask, Over):
        winners = ask.winners
        told = [result(view, ask.places, say).sentence]
    return {
        "phase": "over" if isinstance(ask, Over) else "playing",
        "game": {"id": view["game"], "name": game_texts.name(view["game"], say)},
        "round": view["round"],
        "turn": None if view["turn"] is None else names[view["turn"]],
        "asked": ASKED.get(type(ask)),
        "rolled": next(filter(None, (_rolled(news, say) for news in reversed(recent))), rolled),
        "told": told[-1] if told else None,
        "standing": {name: standing(view, seat, say) for seat, name in enumerate(names)},
        "winners": [names[seat] for seat in winners],
    }


def _rolled(news: News, say: Catalogue) -> Json | None:
    """The roll in the form that is published: hidden dice have no values."""
    if not isinstance(news.ask, Roll):
        return None
    who = news.before["players"][news.ask.seat]
    dice = [die for die in news.answer or () if isinstance(die, int)]
    if news.ask.hidden or not dice:
        return {"who": who, "shown": say("mqtt.hidden"), "hidden": True, "dice": None, "sum": None}
    return {"who": who, "shown": " ".join(map(str, dice)), "hidden": False, "dice": dice, "sum": sum(dice)}


class Entity(NamedTuple):
    """A Home Assistant entity. `value` and `more` are Home Assistant templates over the dictionary that `known`
    returns."""

    kind: str
    id: str
    icon: str
    value: str
    more: str = ""  # the entity's attributes


ENTITIES = (
    Entity(
        "sensor",
        "game",
        "mdi:dice-multiple",
        "value_json.game.name if value_json.game else None",
        "{'phase': value_json.phase, 'standing': value_json.standing}",
    ),
    Entity("sensor", "turn", "mdi:account", f"value_json.turn[:{LONGEST}] if value_json.turn else None"),
    Entity(
        "sensor",
        "rolled",
        "mdi:dice-5",
        "value_json.rolled.shown if value_json.rolled else None",
        "value_json.rolled or {}",
    ),
    Entity("sensor", "round", "mdi:counter", "value_json.round"),
    Entity("sensor", "told", "mdi:message-text", f"value_json.told[:{LONGEST}] if value_json.told else None"),
    Entity(
        "sensor",
        "winner",
        "mdi:trophy",
        f"(value_json.winners | join(', '))[:{LONGEST}] if value_json.winners else None",
    ),
    Entity("binary_sensor", "playing", "mdi:play", "'ON' if value_json.phase == 'playing' else 'OFF'"),
)


def availability(node: str) -> str:
    return f"{ROOT}/{node}/availability"


def retained(node: str, settings: MqttSettings, state: Json, say: Catalogue) -> dict[str, str]:
    """All retained messages by topic: first the discovery configs, then availability and state."""
    topic = f"{ROOT}/{node}/state"
    device = {
        "identifiers": [f"{ROOT}_{node}"],
        "name": settings.name or socket.gethostname(),
        "manufacturer": ROOT,
        "model": say("attract.title"),
        "sw_version": __version__,
    }
    found = {}
    for entity in ENTITIES if settings.discovery else ():
        config = {
            "name": say(f"mqtt.{entity.id}"),
            "unique_id": f"{ROOT}_{node}_{entity.id}",
            "icon": entity.icon,
            "state_topic": topic,
            "value_template": f"{{{{ {entity.value} }}}}",
            "availability_topic": availability(node),
            "device": device,
            "origin": {"name": ROOT, "sw_version": __version__},
        }
        if entity.more:
            config |= {
                "json_attributes_topic": topic,
                "json_attributes_template": f"{{{{ ({entity.more}) | tojson }}}}",
            }
        found[f"{settings.discovery}/{entity.kind}/{ROOT}_{node}/{entity.id}/config"] = _text(config)
    return {**found, availability(node): ONLINE, topic: _text(state)}


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def identity(folder: Path) -> str:
    """The table's id in topics: a digest of the machine and the folder, which reveals neither of them."""
    node = uuid.getnode()
    made_up = node >> 40 & 1  # without a network card, Python makes up a number with this bit set
    machine = socket.gethostname() if made_up else f"{node:012x}"
    return hashlib.sha256(f"{machine} {folder.resolve()}".encode("utf-8", "surrogateescape")).hexdigest()[:12]


# Publishing

Stamp = tuple[str, int, int] | None


class _Seen(NamedTuple):
    """The last published state of a session."""

    stamp: Stamp
    state: Json


def _stamp(session: Session) -> Stamp:
    """A value that changes whenever the public state does."""
    match = session.match
    return (match.id, len(match.referee.history), session.news.taken_back) if match else None


class _Trouble:
    """What is wrong with the connection. Each new problem is reported once."""

    def __init__(self, where: str, complain: Callable[[str], None]) -> None:
        self.word = self.detail = ""  # a key of mqtt.* in the language files, and the system's message
        self._where, self._complain = where, complain

    def set(self, word: str, detail: str, say: Catalogue) -> None:
        if (word, detail) != (self.word, self.detail):
            self.word, self.detail = word, detail
            self._complain(self.sentence(say))

    def clear(self) -> None:
        self.word = self.detail = ""

    def sentence(self, say: Catalogue) -> str:
        return say(f"mqtt.{self.word}", where=self._where, detail=self.detail)


class MqttPublisher:
    """Publishes the state that the main thread passes to `tell`.

    paho talks to the broker in its own thread, and reconnects by itself. paho is imported only after the table shows
    its first screen, because the import takes a moment.
    """

    def __init__(
        self,
        settings: MqttSettings,
        folder: Path,
        say: Catalogue,
        complain: Callable[[str], None],
        after: float = 0.0,
    ) -> None:
        """`complain`: called with a sentence, from any thread, whenever the error changes. `after`: seconds to wait
        before connecting."""
        self.broker = parse_broker(settings.address)
        self.trouble = _Trouble(self.broker.where, complain)
        self._settings = settings
        self._seen: dict[Session, _Seen] = {}  # in the order of their last changes
        self._lock = threading.Lock()  # protects everything below
        self._newest, self._say = NOTHING, say
        self._sent: dict[str, str] = {}  # payloads by topic, sent since the last connect
        self._client: Client | None = None
        self._node = ""
        self._away, self._closed = threading.Event(), threading.Event()
        self._away.set()  # not connected yet
        threading.Thread(target=self._open, args=(folder, after), name="mqtt", daemon=True).start()

    def tell(self, sessions: Iterable[Session], say: Catalogue) -> None:
        """Publishes the state of the session that changed last."""
        stamps = {session: _stamp(session) for session in sessions}
        if say is self._say and stamps == {session: seen.stamp for session, seen in self._seen.items()}:
            return
        for session, stamp in stamps.items():
            before = self._seen.get(session)
            changed = before is None or before.stamp != stamp
            if changed:
                self._seen.pop(session, None)  # so that the session is inserted at the end
            if changed or say is not self._say:
                same = before is not None and before.stamp and stamp and before.stamp[0] == stamp[0]
                rolled = before.state["rolled"] if before and same else None
                self._seen[session] = _Seen(stamp, stands(session, rolled, say))
        self._seen = {session: seen for session, seen in self._seen.items() if session in stamps}
        played = [seen.state for seen in self._seen.values() if seen.stamp]
        with self._lock:
            self._newest, self._say = played[-1] if played else NOTHING, say
            self._send()

    def wrong(self, say: Catalogue) -> str:
        """The error as a sentence, if somebody has to fix it; otherwise empty."""
        return self.trouble.sentence(say) if self.trouble.word in SHOWN else ""

    def close(self) -> None:
        """Publishes the empty state, so that no names stay on the broker, and goes offline."""
        self._closed.set()
        with self._lock:
            client, connected = self._client, not self._away.is_set()
            self._newest = NOTHING
            self._send()
        if client is None:
            return
        if connected:
            client.publish(availability(self._node), OFFLINE, retain=True)
        client.disconnect()  # ends paho's thread, once everything is sent
        if connected:
            self._away.wait(LAST)

    # In other threads

    def _open(self, folder: Path, after: float) -> None:
        if self._closed.wait(after):
            return
        node = identity(folder)
        try:
            client = _client(self.broker, f"{ROOT}_{node}")
        except ModuleNotFoundError:
            self.trouble.set("missing", "", self._say)
            return
        client.will_set(availability(node), OFFLINE, retain=True)
        client.reconnect_delay_set(SOONEST, LATEST)
        client.on_connect = lambda _client, _data, _flags, reason, _properties: self._on_connect(reason)
        client.on_connect_fail = lambda _client, _data: self.trouble.set("away", _why(), self._say)
        client.on_disconnect = lambda *_: self._on_disconnect()
        client.on_message = lambda _client, _data, message: self._on_message(bytes(message.payload))
        with self._lock:
            if not self._closed.is_set():
                self._node, self._client = node, client
                client.connect_async(self.broker.host, self.broker.port, KEEPALIVE)
                client.loop_start()

    def _on_connect(self, reason: Any) -> None:
        if reason.is_failure:
            self.trouble.set("refused", str(reason), self._say)
            return
        self.trouble.clear()
        with self._lock:
            assert self._client is not None
            if self._closed.is_set():
                self._client.disconnect()
                return
            self._away.clear()
            self._sent = {}
            if self._settings.discovery:
                self._client.subscribe(f"{self._settings.discovery}/status")
            self._send()

    def _on_disconnect(self) -> None:
        with self._lock:
            self._away.set()

    def _on_message(self, said: bytes) -> None:
        """Publishes everything again when Home Assistant announces that it has started."""
        if said == ONLINE.encode():
            with self._lock:
                self._sent = {}
                self._send()

    def _send(self) -> None:
        """Publishes what has changed; call it with the lock held. paho only queues the messages here. If the connection
        is lost, everything is sent again after the next connect."""
        if self._client is None or self._away.is_set():
            return
        for topic, payload in retained(self._node, self._settings, self._newest, self._say).items():
            if self._sent.get(topic) != payload:
                self._sent[topic] = payload
                self._client.publish(topic, payload, retain=True)


def _client(broker: Broker, name: str) -> "Client":
    """Raises ModuleNotFoundError if paho is not installed."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2, client_id=name)
    if broker.user:
        client.username_pw_set(broker.user, broker.password)
    if broker.tls:
        client.tls_set()
    return client


def _why() -> str:
    """The system's message for a failed connection. This works only while paho is handling the exception."""
    error = sys.exception()
    return str(getattr(error, "strerror", None) or error or "?")


def answers(settings: MqttSettings, seconds: float) -> tuple[str, str]:
    """Checks whether the broker accepts this table. Returns ("", ""), or a key of mqtt.* with the detail. Publishes
    nothing."""
    broker = parse_broker(settings.address)
    came: SimpleQueue[tuple[str, str]] = SimpleQueue()
    try:
        client = _client(broker, f"{ROOT}_{uuid.uuid4().hex[:12]}")
    except ModuleNotFoundError:
        return "missing", ""
    client.on_connect = lambda _client, _data, _flags, reason, _properties: came.put(
        ("refused", str(reason)) if reason.is_failure else ("", "")
    )
    client.on_connect_fail = lambda *_: came.put(("away", _why()))
    client.connect_async(broker.host, broker.port, KEEPALIVE)
    client.loop_start()
    try:
        return came.get(timeout=seconds)
    except Empty:
        return "away", "no answer"
    finally:
        client.disconnect()

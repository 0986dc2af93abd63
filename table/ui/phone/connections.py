"""Connected pages, their rooms and people: passes messages from pages to rooms, and room states to pages.

Its one rule: a page acts only for the person whose token it sent. A message that a page is not allowed to send has no
effect or is refused.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import fields
from math import inf
from typing import Any

from table.config.sections import KEYS
from table.engine.errors import Refused
from table.engine.fields import kind_of, right
from table.engine.names import clean
from table.session.guard import Guard
from table.session.lineup import Lineup
from table.session.messages import Committed, Found, NotKept, PhoneLeft, PhoneSaid
from table.text import game_texts
from table.text.catalogue import FIRST, Catalogue
from table.text.refusals import sentence
from table.ui.phone import lobby
from table.ui.phone.people import CODE_SECONDS, Person
from table.ui.phone.record_requests import RecordRequests
from table.ui.phone.replayed import Asked
from table.ui.phone.room import Room
from table.ui.phone.seats import PhoneRules
from table.ui.phone.updates import Line, Send, Updates
from table.ui.shared.storage import Storage

MOST_OF_ONE = 4  # maximum number of open pages per person


class Connections:
    """The connected pages and the rooms. Created and used only by the main thread."""

    def __init__(
        self,
        send: Send,
        address: Callable[[str], str],
        phone_rules: PhoneRules,
        pin: str = "",
        create: Callable[[str], Room] | None = None,
        clock: Callable[[], float] = time.monotonic,
        storage: Storage | None = None,
    ) -> None:
        self.rooms: dict[str, Room] = {}
        self.phone_rules = phone_rules
        self._guard = Guard(pin)
        self._screen = create is None  # whether the table has a screen; otherwise, phones open the rooms
        self._create = create
        self._clock = clock
        self._lines: dict[int, Line] = {}
        self._updates = Updates(send, address)
        self._record_requests: RecordRequests | None = None
        if storage and storage.reader:
            self._record_requests = RecordRequests(storage, self._updates.tell, clock)

    def open(self, room: Room) -> None:
        """Adds the room. Pages that asked for the room before it was open, for example after a restart, enter at
        once."""
        self.rooms[room.code] = room
        self._updates.list_changed = True
        for line in self._lines.values():
            if line.room is None and line.wanted[0] == room.code:
                self._greet(line)

    def close(self, room: Room) -> None:
        self.rooms.pop(room.code, None)
        for line in self._lines.values():
            if line.room is room:
                line.wanted = room.code, line.wanted[1]
                line.room = line.person = None
        self._updates.forget(room)

    def hear(self, message: PhoneSaid | PhoneLeft) -> None:
        if isinstance(message, PhoneLeft):
            self._leave(self._lines.pop(message.line, None))
            self._updates.again.discard(message.line)
            if self._record_requests:
                self._record_requests.gone(message.line)
            return
        said = message.said
        line = self._lines.get(message.line)
        if said["say"] == "hello":
            self._hello(message.line, said)
        elif line is not None:
            try:
                self._do(line, said)
            except Refused as why:
                self._updates.tell(line.id, {"is": "refused", "why": sentence(why, line.say)})
            if said["say"] != "records":
                self._updates.again.add(line.id)  # the page receives the state even if the request is refused

    # Connecting and disconnecting

    def _hello(self, id: int, said: Mapping[str, Any]) -> None:
        self._leave(self._lines.pop(id, None))
        wanted = said["room"].upper(), said["token"]
        line = self._lines[id] = Line(id, Catalogue(said["language"] or FIRST), wanted, said["watch"])
        if not self._greet(line):
            self._updates.tell(line.id, self._listed(line.say))

    def _greet(self, line: Line) -> bool:
        """Lets the page enter the room that it asked for, if there is such a room."""
        code, token = line.wanted
        room = self.rooms.get(code)
        if room is None and not code and len(self.rooms) == 1 and (self._screen or line.watch):
            room = next(iter(self.rooms.values()))
        if room:
            self._enter(line, room, room.register.whose(token) if token and not line.watch else None)
        return room is not None

    def _enter(self, line: Line, room: Room, person: Person | None, token: str = "") -> None:
        """Lets the page enter the room as this person. If there is a new token, only this page receives it."""
        self._leave(line)
        line.room, line.person = room, person
        self._updates.again.add(line.id)
        if person:
            for old in sorted(person.lines)[: 1 - MOST_OF_ONE]:  # this person's oldest pages, if too many are open
                self._leave(self._lines.pop(old, None))
                self._updates.tell(old, {"is": "beat"}, last=True)  # not "moved", because the page's token stays valid
            room.arrives(person, line.id)
        if token:
            self._updates.tell(line.id, {"is": "yours", "room": room.code, "token": token})

    def _leave(self, line: Line | None) -> None:
        if line and line.room and line.person:
            line.room.departs(line.person, line.id)

    def _listed(self, say: Catalogue) -> dict[str, Any]:
        return {
            "is": "rooms",
            "create": self._create is not None and self.phone_rules.create,
            "screen": self._screen,
            "rooms": [about(room, say) for room in self.rooms.values()],
        }

    # Requests

    def _do(self, line: Line, said: Mapping[str, Any]) -> None:
        match said["say"]:
            case "language":
                line.say = Catalogue(said["language"])
                if line.room is None:
                    self._updates.tell(line.id, self._listed(line.say))
            case "settings":
                self._settings(said)
            case "records":
                self._look_up(line, said)
            case "rename_player" | "merge_player" | "forget_player":
                self._change_name(line, said)
            case "create":
                self._make(line, said)
            case _:
                if line.room is None:
                    raise Refused("refused.no_room")
                self._do_there(line.room, line, said)

    def _do_there(self, room: Room, line: Line, said: Mapping[str, Any]) -> None:
        word, person = said["say"], line.person
        if word == "join":
            if person is None and not line.watch:
                self._enter(line, room, *room.join(said["name"]))
        elif word == "take":
            self._take_over(line, room, said["code"])
        elif person is None:
            raise Refused("refused.not_joined")
        elif word == "pass":
            code = room.register.code_for(person)
            self._updates.tell(line.id, {"is": "code", "code": code, "seconds": round(CODE_SECONDS)})
        elif word == "leave":
            for other in self._lines.values():
                if other.person is person:
                    other.person = None
            room.leave(person)
        elif word in FOR_ALL:
            FOR_ALL[word](room, person, said)
        elif person.id != room.register.host:
            raise Refused("refused.not_host")
        elif word in LINEUP:
            room.lobby.arrange(lambda lineup: LINEUP[word](lineup, said))
            room.touch()
        else:
            FOR_HOST[word](room, said)
            room.touch()

    def _make(self, line: Line, said: Mapping[str, Any]) -> None:
        if self._create is None or not self.phone_rules.create:
            raise Refused("refused.locked")
        if line.person:
            raise Refused("refused.leave_first")
        room = self._create(clean(said["name"]))
        self.open(room)
        self._enter(line, room, *room.join(said["player"]))

    def _take_over(self, line: Line, room: Room, code: str) -> None:
        found = room.register.take_over(code)
        if found is None:
            raise Refused("refused.wrong_code")
        room.touch(kept=True)
        person, token = found
        for other in self._lines.values():
            if other.person is person and other is not line:
                self._leave(other)
                other.person = None
                self._updates.tell(other.id, {"is": "moved"})
        self._enter(line, room, person, token)

    def _only_operator(self, pin: str) -> None:
        now = self._clock()
        if not self._guard.asks:
            raise Refused("refused.no_pin")
        if self._guard.locked(now):
            raise Refused("refused.pin_locked")
        if not self._guard.right(pin, now):
            raise Refused("refused.wrong_pin")

    def _settings(self, said: Mapping[str, Any]) -> None:
        self._only_operator(said["pin"])
        name, value = said["name"], said["value"]
        offered = {rule.name for rule in fields(PhoneRules)}
        if name not in offered or not right(kind_of(KEYS["phones"][name]), value):
            raise Refused("refused.not_offered")
        setattr(self.phone_rules, name, value)
        self._updates.list_changed = True
        for room in self.rooms.values():
            room.changed = True

    # The records

    def _look_up(self, line: Line, said: Mapping[str, Any]) -> None:
        match = line.room.session.match if line.room and not line.room.playing else None
        asked = Asked(said["page"], said["name"], said["number"], said["at"], match)
        if self._record_requests:
            self._record_requests.ask(line.id, asked, line.say)
        else:
            self._updates.tell(line.id, {"is": "records", **asked.said, "why": line.say("refused.no_records")})

    def _change_name(self, line: Line, said: Mapping[str, Any]) -> None:
        self._only_operator(said["pin"])
        if self._record_requests is None:
            raise Refused("refused.no_records")
        if any(room.seats.plays(said["name"]) for room in self.rooms.values()):
            raise Refused("refused.seated")
        self._record_requests.change(line.id, said, line.say)

    def answered(self, message: Found | Committed | NotKept) -> None:
        """Handles the news that a page of the records was read or an entry was written. The request might have come
        from another part of the table."""
        if self._record_requests is None:
            return
        if isinstance(message, Found):
            self._record_requests.found(message)
        else:
            self._record_requests.kept(message)

    @property
    def due(self) -> float:
        """When `publish` has to be called next even if no message arrives."""
        return self._record_requests.due if self._record_requests else inf

    def publish(self) -> None:
        """Sends each changed room to all pages in it."""
        if self._record_requests:
            self._record_requests.go_on()
        self._updates.publish(self.rooms.values(), self._lines.values(), self._listed)


def about(room: Room, say: Catalogue) -> dict[str, Any]:
    """The public description of a room."""
    return {
        "name": room.name,
        "code": room.code,
        "game": game_texts.name(room.lobby.lineup.game.id, say),
        "players": len(room.lobby.lineup.seats),
        "playing": room.playing,
    }


LINEUP: dict[str, Callable[[Lineup, Mapping[str, Any]], Lineup]] = {
    "option": lambda lineup, said: lobby.with_option(lineup, said["name"], said["value"]),
    "computer": lambda lineup, said: lobby.with_computer(lineup, said["level"]),
    "move": lambda lineup, said: lobby.moved(lineup, said["place"], said["to"]),
    "drop": lambda lineup, said: lobby.dropped(lineup, said["place"]),
    "replace": lambda lineup, said: lobby.replaced(lineup, said["place"], said["level"]),
}
"""What the host can change before a game."""

FOR_HOST: dict[str, Callable[[Room, Mapping[str, Any]], None]] = {
    "game": lambda room, said: room.lobby.play(said["game"]),
    "start": lambda room, _: room.start(),
    "again": lambda room, _: room.again(),
    "lobby": lambda room, _: room.to_lobby(),
}


def _retry(room: Room) -> None:
    """Lets the game go on after its rules failed."""
    room.session.stuck = False
    room.touch()


FOR_ALL: dict[str, Callable[[Room, Person, Mapping[str, Any]], None]] = {
    "ready": lambda room, person, said: room.ready(person, said["ready"]),
    "rename": lambda room, person, said: room.rename(person, said["name"]),
    "roll": lambda room, person, said: room.seats.roll(person, said["at"]),
    "pick": lambda room, person, said: room.seats.pick(person, said["at"], said["pick"]),
    "gone": lambda room, person, said: room.wish(person, said["seat"], said["do"]),
    "retry": lambda room, person, said: _retry(room),
}

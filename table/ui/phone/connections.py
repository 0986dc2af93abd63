"""Who is connected, in which room and as whom: what pages say goes to their rooms, and rooms go to their pages.

Its one rule: a page acts for nobody but the person whose token it came with. A word that is not meant for it does
nothing, or gets a sentence.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

from table.engine.errors import Refused
from table.engine.names import clean
from table.session.guard import Guard
from table.session.messages import Committed, Found, NotKept, PhoneLeft, PhoneSaid
from table.text import game_texts
from table.text.catalogue import FIRST, Catalogue
from table.ui.phone.people import CODE_SECONDS, Person
from table.ui.phone.record_requests import Books, Clerk
from table.ui.phone.replayed import Asked
from table.ui.phone.room import PhoneRules, Room, sentence
from table.ui.phone.snapshot import Snapshot

MOST_OF_ONE = 4  # pages that one person may have open


class Outgoing(NamedTuple):
    """A message for one page. Of two states that wait for a slow phone, only the newer is sent."""

    line: int
    text: str
    state: bool = False
    last: bool = False  # and then hang up


Send = Callable[[list[Outgoing]], None]


@dataclass
class Line:
    id: int
    say: Catalogue
    wanted: tuple[str, str] = ("", "")  # the room and the token that it said hello with
    watch: bool = False
    room: Room | None = None
    person: Person | None = None


class Connections:
    """Made and used by the main thread alone."""

    def __init__(
        self,
        send: Send,
        address: Callable[[str], str],
        house: PhoneRules,
        pin: str = "",
        screen: bool = True,
        create: Callable[[str], Room] | None = None,
        clock: Callable[[], float] = time.monotonic,
        books: Books | None = None,
    ) -> None:
        self.rooms: dict[str, Room] = {}
        self.house = house
        self._send = send
        self._address = address
        self._guard = Guard(pin)
        self._screen = screen
        self._create = create
        self._clock = clock
        self._lines: dict[int, Line] = {}
        self._stamps: dict[str, object] = {}
        self._versions: dict[str, int] = {}
        self._again: set[int] = set()  # lines that are sent how it stands, though nothing has changed
        self._list_changed = False
        self._clerk = Clerk(books, self._tell, clock) if books else None

    def open(self, room: Room) -> None:
        """Whoever asked for it already, as after a restart, is in it at once."""
        self.rooms[room.code] = room
        self._list_changed = True
        for line in self._lines.values():
            if line.room is None and line.wanted[0] == room.code:
                self._greet(line)

    def close(self, room: Room) -> None:
        self.rooms.pop(room.code, None)
        self._stamps.pop(room.code, None)
        self._versions.pop(room.code, None)
        for line in self._lines.values():
            if line.room is room:
                line.wanted = room.code, line.wanted[1]
                line.room = line.person = None
        self._list_changed = True

    def hear(self, message: PhoneSaid | PhoneLeft) -> None:
        if isinstance(message, PhoneLeft):
            self._leave(self._lines.pop(message.line, None))
            self._again.discard(message.line)
            if self._clerk:
                self._clerk.gone(message.line)
            return
        said = message.said
        line = self._lines.get(message.line)
        if said["say"] == "hello":
            self._hello(message.line, said)
        elif line is not None:
            try:
                self._do(line, said)
            except Refused as why:
                self._say(line, {"is": "refused", "why": sentence(why, line.say)})
            if said["say"] != "records":
                self._again.add(line.id)  # whatever comes of it, the page is told how it stands

    # Coming and going

    def _hello(self, id: int, said: Mapping[str, Any]) -> None:
        self._leave(self._lines.pop(id, None))
        wanted = said["room"].upper(), said["token"]
        line = self._lines[id] = Line(id, Catalogue(said["language"] or FIRST), wanted, said["watch"])
        if not self._greet(line):
            self._say(line, self._listed())

    def _greet(self, line: Line) -> bool:
        """Into the room that it wants, if there is one."""
        code, token = line.wanted
        room = self.rooms.get(code)
        if room is None and not code and len(self.rooms) == 1 and (self._screen or line.watch):
            room = next(iter(self.rooms.values()))
        if room:
            self._enter(line, room, room.person(token) if token and not line.watch else None)
        return room is not None

    def _enter(self, line: Line, room: Room, person: Person | None) -> None:
        self._leave(line)
        line.room, line.person = room, person
        self._again.add(line.id)
        if person:
            for old in sorted(person.lines)[: 1 - MOST_OF_ONE]:  # pages that were left open somewhere
                self._leave(self._lines.pop(old, None))
                self._send([Outgoing(old, '{"is": "beat"}', last=True)])  # nobody took its seat: its token stays good
            room.arrives(person, line.id)

    def _leave(self, line: Line | None) -> None:
        if line and line.room and line.person:
            line.room.departs(line.person, line.id)

    def _listed(self) -> dict[str, Any]:
        return {
            "is": "rooms",
            "create": self._create is not None and self.house.create,
            "screen": self._screen,
            "rooms": [self.told(room, Catalogue()) for room in self.rooms.values()],
        }

    def told(self, room: Room, say: Catalogue) -> dict[str, Any]:
        """A room as everybody on this network may know it."""
        return {
            "name": room.name,
            "code": room.code,
            "game": game_texts.name(room.party.game.id, say),
            "players": len(room.party.seats),
            "playing": room.playing,
        }

    # What people do

    def _do(self, line: Line, said: Mapping[str, Any]) -> None:
        word, room = said["say"], line.room
        if word == "language":
            line.say = Catalogue(said["language"])
            return
        if word == "settings":
            self._settings(said)
            return
        if word == "records":
            self._look_up(line, said)
            return
        if word in CHANGES:
            self._change_name(line, said)
            return
        if word == "create":
            self._make(line, said)
            return
        if room is None:
            raise Refused("sight.no_room")
        if word == "join":
            if line.person is None and not line.watch:
                self._become(line, room, *room.join(said["name"]))
            return
        if word == "take":
            self._take_over(line, room, said["code"])
            return
        if line.person is None:
            raise Refused("sight.not_joined")
        if word in FOR_HOST:
            if line.person.id != room.host:
                raise Refused("sight.not_host")
            FOR_HOST[word](room, said)
        elif word == "pass":
            code = room.code_for(line.person)
            self._say(line, {"is": "code", "code": code, "seconds": round(CODE_SECONDS)})
        elif word == "leave":
            person = line.person
            for other in self._lines.values():
                if other.person is person:
                    other.person = None
            room.leave(person)
        else:
            FOR_ALL[word](room, line.person, said)

    def _make(self, line: Line, said: Mapping[str, Any]) -> None:
        if self._create is None or not self.house.create:
            raise Refused("sight.locked")
        if line.person:
            raise Refused("sight.leave_first")
        room = self._create(clean(said["name"]))
        self.open(room)
        self._become(line, room, *room.join(said["player"]))

    def _become(self, line: Line, room: Room, person: Person, token: str) -> None:
        self._enter(line, room, person)
        self._say(line, {"is": "yours", "room": room.code, "token": token})

    def _take_over(self, line: Line, room: Room, code: str) -> None:
        found = room.take_over(code)
        if found is None:
            raise Refused("sight.wrong_code")
        person, token = found
        for other in self._lines.values():
            if other.person is person and other is not line:
                self._leave(other)
                other.person = None
                self._say(other, {"is": "moved"})
        self._become(line, room, person, token)

    def _only_operator(self, pin: str) -> None:
        now = self._clock()
        if not self._guard.asks or self._guard.locked(now):
            raise Refused("sight.no_pin")
        if not self._guard.right(pin, now):
            raise Refused("sight.wrong_pin")

    def _settings(self, said: Mapping[str, Any]) -> None:
        self._only_operator(said["pin"])
        name, value = said["name"], said["value"]
        switch = name in ("odds", "create") and type(value) is bool
        seconds = name == "patience" and type(value) is int and 5 <= value <= 3600
        if not (switch or seconds):
            raise Refused("sight.not_offered")
        setattr(self.house, name, value)
        self._list_changed = True
        for room in self.rooms.values():
            room.changed = True

    # The records

    def _look_up(self, line: Line, said: Mapping[str, Any]) -> None:
        match = line.room.session.match if line.room and not line.room.playing else None
        asked = Asked(said["page"], said["name"], said["number"], said["at"], match)
        if self._clerk:
            self._clerk.ask(line.id, asked, line.say)
        else:
            self._say(line, {"is": "records", **asked.said, "why": line.say("sight.no_records")})

    def _change_name(self, line: Line, said: Mapping[str, Any]) -> None:
        self._only_operator(said["pin"])
        if self._clerk is None:
            raise Refused("sight.no_records")
        if any(room.plays(said["name"]) for room in self.rooms.values()):
            raise Refused("sight.seated")
        self._clerk.change(line.id, said, line.say)

    def answered(self, message: Found | Committed | NotKept) -> None:
        """Something was read or written, for a phone or for somebody else."""
        if self._clerk is None:
            return
        if isinstance(message, Found):
            self._clerk.found(message)
        else:
            self._clerk.kept(message)

    @property
    def due(self) -> float:
        """When `publish` has something to do, though nothing has happened."""
        return self._clerk.due if self._clerk else inf

    # What pages are sent

    def publish(self) -> None:
        """Sends each room that has changed to all who are in it."""
        if self._clerk:
            self._clerk.go_on()
        out: list[Outgoing] = []
        for room in self.rooms.values():
            if room.session.passing and not room.changed:
                continue  # what comes of it is sent, and that at once
            stamp = _stamp(room), self._address(room.code)
            here = [line for line in self._lines.values() if line.room is room]
            if room.changed or stamp != self._stamps.get(room.code):
                room.changed = False
                self._stamps[room.code] = stamp
                self._list_changed = True
                self._versions[room.code] = self._versions.get(room.code, 0) + 1
            else:
                here = [line for line in here if line.id in self._again]
            out += self._states(room, here)
            self._again -= {line.id for line in here}
        if self._list_changed:
            self._list_changed = False
            listed = json.dumps(self._listed())
            out += [Outgoing(line.id, listed, True) for line in self._lines.values() if line.room is None]
        if out:
            self._send(out)

    def _states(self, room: Room, lines: list[Line]) -> list[Outgoing]:
        if not lines:
            return []
        version = self._versions.get(room.code, 0)
        sight, texts, out = Snapshot(room, self._address(room.code)), dict[tuple[str, str], str](), []
        for line in lines:
            key = line.say.language, line.person.id if line.person else ""
            if key not in texts:
                texts[key] = json.dumps(sight.state(line.person, line.say, version))
            out.append(Outgoing(line.id, texts[key], True))
        return out

    def _say(self, line: Line, said: Mapping[str, Any]) -> None:
        self._tell(line.id, said)

    def _tell(self, line: int, said: Mapping[str, Any]) -> None:
        self._send([Outgoing(line, json.dumps(said))])


def _stamp(room: Room) -> object:
    """Changes whenever what the room shows does."""
    match = room.session.match
    levels = match.seating.levels if match else ()
    return room.at, room.session.turn, room.session.phones, levels, room.party, tuple(room.gone())


CHANGES = ("rename_player", "merge_player", "forget_player")
"""Of names in the records: the operator's."""

FOR_HOST: dict[str, Callable[[Room, Mapping[str, Any]], None]] = {
    "game": lambda room, said: room.play(said["game"]),
    "option": lambda room, said: room.option(said["name"], said["value"]),
    "computer": lambda room, said: room.add_computer(said["level"]),
    "move": lambda room, said: room.move(said["place"], said["to"]),
    "drop": lambda room, said: room.drop(said["place"]),
    "replace": lambda room, said: room.replace_seat(said["place"], said["level"]),
    "start": lambda room, _: room.start(),
    "again": lambda room, _: room.again(),
    "lobby": lambda room, _: room.to_lobby(),
}

FOR_ALL: dict[str, Callable[[Room, Person, Mapping[str, Any]], None]] = {
    "ready": lambda room, person, said: room.ready(person, said["ready"]),
    "rename": lambda room, person, said: room.rename(person, said["name"]),
    "throw": lambda room, person, said: room.throw(person, said["at"]),
    "pick": lambda room, person, said: room.pick(person, said["at"], said["pick"]),
    "gone": lambda room, person, said: room.wish(person, said["seat"], said["do"]),
}

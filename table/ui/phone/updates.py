"""Sends messages to pages: answers at once, and the state of the room after a change or a message from the page.

Its one rule: an unchanged room costs nothing, and pages with the same state share one text.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from table.session.session import Session
from table.text.catalogue import Catalogue
from table.ui.phone.people import Person
from table.ui.phone.room import Room
from table.ui.phone.snapshot import Snapshot


class Outgoing(NamedTuple):
    """A message for one page. If two states wait for a slow phone, only the newer one is sent."""

    line: int
    text: str
    state: bool = False
    last: bool = False  # whether to close the connection after this message


Send = Callable[[list[Outgoing]], None]


@dataclass
class Line:
    """A connected page."""

    id: int
    say: Catalogue
    wanted: tuple[str, str] = ("", "")  # the room and the token from the page's hello
    watch: bool = False
    room: Room | None = None
    person: Person | None = None


class Updates:
    def __init__(self, send: Send, address: Callable[[str], str]) -> None:
        self.again: set[int] = set()  # ids of pages that get the state even if it has not changed
        self.list_changed = False  # whether to send the list of rooms to pages without a room
        self._send = send
        self._address = address
        self._sent: dict[str, tuple[object, int]] = {}  # by room: the stamp and version of the last state

    def tell(self, line: int, said: Mapping[str, Any], last: bool = False) -> None:
        self._send([Outgoing(line, json.dumps(said), last=last)])

    def forget(self, room: Room) -> None:
        self._sent.pop(room.code, None)
        self.list_changed = True

    def publish(
        self, rooms: Collection[Room], lines: Collection[Line], listed: Callable[[Catalogue], Mapping[str, Any]]
    ) -> None:
        out: list[Outgoing] = []
        for room in rooms:
            if room.notice:
                here = [line for line in lines if line.room is room]
                out += [Outgoing(line.id, json.dumps({"is": "refused", "why": line.say(room.notice)})) for line in here]
                room.notice = ""
            if _passing(room.session) and not room.changed:
                continue  # the result comes soon and is sent then
            here = [line for line in lines if line.room is room]
            stamp, (before, version) = (_stamp(room), self._address(room.code)), self._sent.get(room.code, (None, 0))
            if room.changed or stamp != before:
                room.changed = False
                version += 1
                self._sent[room.code] = stamp, version
                self.list_changed = True
            else:
                here = [line for line in here if line.id in self.again]
            out += self._states(room, here, version)
            self.again -= {line.id for line in here}
        if self.list_changed:
            self.list_changed = False
            texts = dict[str, str]()
            for line in lines:
                if line.room is None:
                    if line.say.language not in texts:
                        texts[line.say.language] = json.dumps(listed(line.say))
                    out.append(Outgoing(line.id, texts[line.say.language], True))
        if out:
            self._send(out)

    def _states(self, room: Room, lines: list[Line], version: int) -> list[Outgoing]:
        if not lines:
            return []
        snapshot, texts, out = Snapshot(room, self._address(room.code)), dict[tuple[str, str], str](), []
        for line in lines:
            key = line.say.language, line.person.id if line.person else ""
            if key not in texts:
                texts[key] = json.dumps(snapshot.state(line.person, line.say, version))
            out.append(Outgoing(line.id, texts[key], True))
        return out


def _passing(session: Session) -> bool:
    """Whether a brief operation is in progress: an answer is being written, or simulated dice are being rolled."""
    return session.writing or (session.dice.asked is not None and session.dice.asked.instant)


def _stamp(room: Room) -> object:
    """A value that changes whenever the state shown on pages changes."""
    match, seats = room.session.match, room.seats
    levels = match.seating.levels if match else ()
    session = room.session
    return seats.at, session.turn, session.stuck, session.phones, levels, room.lobby.lineup, tuple(seats.gone())

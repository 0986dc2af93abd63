"""What a message changes that every table has: the sessions of its rooms, its history and storage, and its phones.

Its one rule: each message is handled here once. A front end does only what is its own, before or after.
"""

from collections.abc import Iterable

from table.session.messages import (
    Committed,
    Found,
    League,
    Message,
    NotKept,
    Opened,
    PhoneLeft,
    PhoneSaid,
    Recounted,
    Troubled,
)
from table.ui.phone.connections import Connections
from table.ui.phone.room import Room
from table.ui.shared.history import History
from table.ui.shared.storage import Storage


def dispatch(
    message: Message, history: History, storage: Storage, connections: Connections | None, rooms: Iterable[Room]
) -> bool:
    """Whether the message changed anything."""
    rooms = list(rooms)
    match message:
        case PhoneSaid() | PhoneLeft():
            if connections:
                connections.hear(message)
            return any(room.changed for room in rooms)  # else, whatever comes of it comes later
        case Opened(records):
            history.opened(records)
        case Recounted(players, names):
            history.renamed(players)
            for room in rooms:
                room.called_anew(names)
        case League():
            storage.league = message
        case Troubled():
            storage.failed(message)
        case Found() | Committed() | NotKept():
            changed = storage.noted(message)
            if connections:
                connections.answered(message)
            asked = storage.answered(message)  # whoever had asked for it shows it
            return _handle(message, rooms) or changed or asked
        case _:
            return _handle(message, rooms)
    return True


def _handle(message: Message, rooms: Iterable[Room]) -> bool:
    """Each session is told, not only the first that the message is for."""
    return sum(room.session.handle(message) for room in rooms) > 0


def tick(now: float, shown: float | None, history: History, rooms: Iterable[Room]) -> None:
    """Time goes on in each room; who has played is counted once a match is over."""
    for room in rooms:
        if room.session.match and room.session.turn == "over":
            history.count(room.session.match)
        room.session.tick(now, shown)

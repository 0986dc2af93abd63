"""Dispatches messages to the sessions of the rooms, the history, storage and phones.

Its one rule: each message is handled here once. A front end handles only its own concerns, before or after.
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
    """Returns whether the message changed anything."""
    rooms = list(rooms)
    match message:
        case PhoneSaid() | PhoneLeft():
            if connections:
                connections.hear(message)
            return any(room.changed for room in rooms)
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
            if connections:
                connections.answered(message)
            return True in [storage.answered(message), *(room.session.handle(message) for room in rooms)]
        case _:
            return True in [room.session.handle(message) for room in rooms]  # a list, so that no session is skipped
    return True


def tick(now: float, shown: float | None, history: History, rooms: Iterable[Room]) -> None:
    """Advances each room, and counts finished matches for their players."""
    for room in rooms:
        if room.session.match and room.session.turn == "over":
            history.count(room.session.match)
        room.session.tick(now, shown)

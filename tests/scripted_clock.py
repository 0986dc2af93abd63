"""Run the kiosk's real loop with a scripted clock: waiting for a message jumps to the time when one arrives."""

from table.session.mailbox import Mailbox
from table.session.messages import Message
from tests.tabletop import Tabletop


class TimedMailbox(Mailbox):
    """A table's mailbox. Waiting advances the table's clock; drawing and thinking take no time."""

    def __init__(self, table: Tabletop) -> None:
        self._messages, self._bell = table.mailbox._messages, table.mailbox._bell
        self._table = table
        self._coming: list[tuple[float, Message]] = []

    def clock(self) -> float:
        return self._table.now

    def post_at(self, at: float, message: Message) -> None:
        """Deliver a message at this time. Calls must be in order of time."""
        self._coming.append((at, message))

    def wait(self, seconds: float) -> bool:
        until = self._table.now + seconds
        if not super().wait(0) and self._coming and self._coming[0][0] <= until:
            at, message = self._coming.pop(0)
            self._table.now = max(self._table.now, at)
            self.post(message)
        if super().wait(0):
            return True
        self._table.now = until
        return False

"""Reads pages of the records for a table, in its own thread.

Its one rule: the caller never blocks. Each question gets a ticket, and the answer is posted as a `Found` with this
ticket.
"""

import queue
import threading
from itertools import count
from pathlib import Path
from typing import Any

from table.engine.errors import Refused
from table.session.messages import Found, Post
from table.storage.records import read

_TICKETS = count(1)


class Reader:
    def __init__(self, folder: Path, post: Post) -> None:
        self._folder = folder
        self._post = post
        self._asked: queue.SimpleQueue[tuple[int, read.Question[Any]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, question: read.Question[Any]) -> int:
        """Returns the ticket of the `Found` message that will bring the page or an error."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="records", daemon=True)
            self._thread.start()
        ticket = next(_TICKETS)
        self._asked.put((ticket, question))
        return ticket

    def close(self) -> None:
        self._asked.put(None)

    def _run(self) -> None:
        while (asked := self._asked.get()) is not None:
            ticket, question = asked
            try:
                with read.opened(self._folder) as connection:
                    self._post(Found(ticket, question(connection)))
            except Refused as why:
                self._post(Found(ticket, None, str(why)))
            except Exception as why:  # any error, such as a failing disk: the thread must survive
                self._post(Found(ticket, None, f"The records cannot be read: {why}."))

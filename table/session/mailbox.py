"""The message queue. Its one rule: any thread can post; only the main thread takes messages, or sleeps until one
arrives.
"""

import queue
import threading

from table.session.messages import Message


class Mailbox:
    def __init__(self) -> None:
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._bell = threading.Event()

    def post(self, message: Message) -> None:
        self._messages.put(message)
        self._bell.set()

    def take(self) -> list[Message]:
        self._bell.clear()
        found = []
        while not self._messages.empty():
            found.append(self._messages.get())
        return found

    def wait(self, seconds: float) -> bool:
        """Returns whether a message arrived in time."""
        return self._bell.wait(seconds)

"""Controls the table's Wi-Fi hotspot in a thread, because NetworkManager takes seconds and the screen must never wait.

Its one rule: one operation at a time, in its own thread; the resulting state is posted.
"""

import threading
from collections.abc import Callable

from table.machine import hotspot
from table.session.messages import HotspotState, Post


class Hotspot:
    def __init__(self, post: Post) -> None:
        self.busy = False
        self._post = post

    def look(self) -> None:
        self._do(hotspot.look)

    def switch(self, on: bool) -> None:
        self._do(lambda: hotspot.switch(on))

    def _do(self, work: Callable[[], HotspotState]) -> None:
        if self.busy:
            return
        self.busy = True
        threading.Thread(target=self._work, args=(work,), name="hotspot", daemon=True).start()

    def _work(self, work: Callable[[], HotspotState]) -> None:
        state = work()
        self.busy = False
        self._post(state)

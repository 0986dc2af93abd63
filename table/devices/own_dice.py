"""What the table has learned about its own dice, in a file beside the camera's calibration (see vision.own_dice).

Its one rule: it is only a help. A file that is damaged or cannot be written never stops the camera.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from table.devices.aside import in_a_thread
from table.session.messages import Post, Troubled

if TYPE_CHECKING:  # OpenCV is slow to import, and only a table with a camera needs it
    from vision.own_dice import Face, OwnDice


class LearnedDice:
    """Every new value is given to `changed`, and saved. Files are read and written in threads of their own."""

    def __init__(
        self,
        path: Path | None,
        post: Post,
        changed: Callable[[OwnDice], None],
        aside: Callable[[Callable[[], None]], None] = in_a_thread,
    ) -> None:
        """Without a path, what was learned is lost when the table ends."""
        self._path, self._post, self._changed, self._aside = path, post, changed, aside
        self._lock = threading.Lock()  # guards the value: the camera's threads learn, and the main thread forgets
        self._writing = threading.Lock()
        self._own: OwnDice | None = None  # None until the file has been read

    @property
    def count(self) -> int:
        """How many faces of dice are remembered."""
        own = self._own
        return len(own.faces) if own else 0

    def open(self) -> None:
        """Called before the camera starts: gives it what is remembered, at first from the file."""
        with self._lock:  # otherwise, the camera could get this value after a newer one
            if self._own is not None:
                self._changed(self._own)
                return
        self._aside(self._load)

    def learn(self, faces: tuple[Face, ...]) -> None:
        """Adds faces whose values people said."""
        if faces:
            self._load()
            self._replace(lambda own: own.learned(faces))

    def begin_with(self, faces: tuple[Face, ...] = ()) -> None:
        """Forgets everything but these faces."""
        from vision.own_dice import NOTHING_LEARNED

        self._replace(lambda _: NOTHING_LEARNED.learned(faces))

    def _load(self) -> None:
        from vision.own_dice import NOTHING_LEARNED, load

        if self._own is None:
            loaded = load(self._path) if self._path else NOTHING_LEARNED
            with self._lock:
                if self._own is None:
                    self._own = loaded
                    self._changed(loaded)

    def _replace(self, new: Callable[[OwnDice], OwnDice]) -> None:
        from vision.own_dice import NOTHING_LEARNED

        with self._lock:
            self._own = new(self._own or NOTHING_LEARNED)
            self._changed(self._own)
        if self._path:
            self._aside(self._save)

    def _save(self) -> None:
        """Saves the newest value, because a thread that was started first may come last."""
        from vision.own_dice import NOTHING_LEARNED, save

        assert self._path is not None
        with self._writing:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                save(self._own or NOTHING_LEARNED, self._path)
            except OSError as why:
                self._post(Troubled("own_dice", str(why)))

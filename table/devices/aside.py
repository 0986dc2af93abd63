"""Runs slow work of a device in a thread of its own, because the screen must never wait."""

from __future__ import annotations

import threading
from collections.abc import Callable

NAME = "aside"  # of these threads


def in_a_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name=NAME, daemon=True).start()

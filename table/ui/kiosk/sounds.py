"""Short sounds, played in a separate thread.

Sounds never block the caller. Opening the mixer can be slow and can fail; without audio everything works silently.
"""

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

import pygame

RATE = 22050
CHANNELS = 16  # sounds that can play at the same time
BUFFER = 512  # samples; a sound starts 23 ms after the press

LATE = 0.25  # seconds; a sound that waits longer than this for the mixer to open is dropped

# Raised if there is no sound device, or if pygame was built without the mixer.
SILENT = (pygame.error, NotImplementedError, ImportError, OSError)


class _Play(NamedTuple):
    file: Path
    at: float  # seconds of time.monotonic()


class _Volume(NamedTuple):
    percent: int


_Orders = SimpleQueue[_Play | _Volume | None]


class Sounds:
    """The sounds in a folder, by name. The object must be created after the screen is open, because SDL must not open
    screen and sound at the same time."""

    def __init__(self, folder: Path, on: bool = True, volume: int = 70) -> None:
        found: dict[str, list[Path]] = {}
        for file in sorted(folder.glob("*.wav")):
            found.setdefault(file.stem.rstrip("0123456789"), []).append(file)
        self._takes = {name: cycle(files) for name, files in found.items()}
        self._orders: _Orders = SimpleQueue()
        every = [file for files in found.values() for file in files]
        self._thread = Thread(target=_work, args=(self._orders, every), name="sounds", daemon=True)
        self._thread.start()
        self.set(on, volume)

    def play(self, name: str) -> None:
        """Plays a sound. Several takes of one sound (land1 to land3) are played in turn."""
        file = next(self._takes[name])
        if self._on:
            self._orders.put(_Play(file, time.monotonic()))

    def set(self, on: bool, volume: int) -> None:
        """Turns the sound on or off and sets the volume (0 to 100). Tries again to open a device that was missing."""
        self._on = on and volume > 0
        self._orders.put(_Volume(volume if on else 0))

    def close(self, timeout: float = 0.5) -> None:
        """Ends the thread. Waits no longer than the timeout for a device that hangs."""
        self._on = False
        self._orders.put(None)
        self._thread.join(timeout)


def _work(orders: _Orders, files: Sequence[Path]) -> None:
    """Executes orders until None arrives. Only this thread uses the mixer."""
    sounds: dict[Path, pygame.mixer.Sound] = {}
    while (order := orders.get()) is not None:
        try:
            match order:
                case _Volume(percent):
                    if percent and not sounds:
                        sounds = _opened(files)
                    for sound in sounds.values():
                        sound.set_volume((percent / 100) ** 2)  # squared, so that even steps sound even
                case _Play(file, at) if file in sounds and time.monotonic() - at < LATE:
                    sounds[file].play()
        except SILENT:
            sounds = {}
    with suppress(*SILENT):
        pygame.mixer.quit()


def _opened(files: Sequence[Path]) -> dict[Path, pygame.mixer.Sound]:
    if not open_mixer():
        return {}
    pygame.mixer.set_num_channels(CHANNELS)
    return {file: pygame.mixer.Sound(str(file)) for file in files}


def open_mixer() -> bool:
    """Opens the mixer. Returns False if there is no audio; raises pygame.error if opening fails."""
    if _nothing_to_open():
        return False
    pygame.mixer.init(RATE, -16, 1, BUFFER)
    return True


def _nothing_to_open() -> bool:
    """Whether this is a Linux machine with neither a sound card nor a sound server. On such a machine, opening the
    mixer would print many ALSA errors."""
    if not sys.platform.startswith("linux") or "SDL_AUDIODRIVER" in os.environ or "PULSE_SERVER" in os.environ:
        return False
    server = Path(os.environ.get("XDG_RUNTIME_DIR") or "/nowhere")
    return not any(place.exists() for place in (Path("/dev/snd"), server / "pulse", server / "pipewire-0"))

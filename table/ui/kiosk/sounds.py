"""What is heard: short sounds, played by a thread of their own.

Its one rule: a sound never keeps anybody waiting. Opening the mixer can take long and can fail; where there is no
audio, everything is as it was, but silent.
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
CHANNELS = 16  # so many can be heard at once
BUFFER = 512  # samples: 23 ms from a press to its sound

LATE = 0.25  # seconds after which a sound is better not played: the mixer was still being opened

# What the mixer does where there is no device, and where pygame was built without one.
SILENT = (pygame.error, NotImplementedError, ImportError, OSError)


class _Play(NamedTuple):
    file: Path
    at: float  # seconds of time.monotonic()


class _Volume(NamedTuple):
    percent: int


_Orders = SimpleQueue[_Play | _Volume | None]


class Sounds:
    """The sounds of a folder by name. Make it when the screen is open: SDL must not be asked for both at once."""

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
        """Begins that sound. Of several takes, land1 to land3, each has its turn."""
        file = next(self._takes[name])
        if self._on:
            self._orders.put(_Play(file, time.monotonic()))

    def set(self, on: bool, volume: int) -> None:
        """On or off, and a volume from 0 to 100. Where there was no device, it is looked for again."""
        self._on = on and volume > 0
        self._orders.put(_Volume(volume if on else 0))

    def close(self, timeout: float = 0.5) -> None:
        """Ends the thread, and does not wait longer than that for a device that hangs."""
        self._on = False
        self._orders.put(None)
        self._thread.join(timeout)


def _work(orders: _Orders, files: Sequence[Path]) -> None:
    """Does what is ordered until there comes None. The mixer belongs to this thread alone."""
    sounds: dict[Path, pygame.mixer.Sound] = {}
    while (order := orders.get()) is not None:
        try:
            match order:
                case _Volume(percent):
                    if percent and not sounds:
                        sounds = _opened(files)
                    for sound in sounds.values():
                        sound.set_volume((percent / 100) ** 2)  # squared, even steps are heard as even
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
    """Whether there is anything to open; if it then fails, pygame says why."""
    if _nothing_to_open():
        return False
    pygame.mixer.init(RATE, -16, 1, BUFFER)
    return True


def _nothing_to_open() -> bool:
    """A Linux machine without a sound card or a sound server: trying would only fill the terminal with ALSA's woes."""
    if not sys.platform.startswith("linux") or "SDL_AUDIODRIVER" in os.environ or "PULSE_SERVER" in os.environ:
        return False
    server = Path(os.environ.get("XDG_RUNTIME_DIR") or "/nowhere")
    return not any(place.exists() for place in (Path("/dev/snd"), server / "pulse", server / "pipewire-0"))

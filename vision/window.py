"""The window of `dicetable watch`: shows frames and readings live.

Its one rule: it shows the newest frame. Frames that arrive faster than they can be drawn are processed but not shown.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import cv2

from vision.networks import Image
from vision.watch import Look, Recorder, shown

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame prints a greeting on import
import pygame

SIZE = (1280, 800)
PACE = 1 / 30  # seconds between draws
ENDS = (pygame.K_ESCAPE, pygame.K_q)


def show(seen: Iterator[Look]) -> None:
    """Show until the source ends or the user closes the window. Raises ValueError if there is no screen."""
    try:
        pygame.display.init()
        surface = pygame.display.set_mode(SIZE, pygame.RESIZABLE)
    except pygame.error as why:
        raise ValueError(f"There is no screen here ({why}): use --json.") from None
    pygame.display.set_caption("dicetable watch")
    recorder, note, drawn = Recorder(Path.cwd()), "", 0.0
    try:
        for look in seen:
            recorder.see(look)
            for event in pygame.event.get():
                if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key in ENDS):
                    return
                if event.type == pygame.KEYDOWN and event.key in (pygame.K_s, pygame.K_v):
                    note = _saved(recorder, look, event.key == pygame.K_v)
            now = time.monotonic()
            if now - drawn >= PACE or look.changed:
                _draw(surface, shown(look, note))
                drawn = now
    finally:
        pygame.display.quit()


def _saved(recorder: Recorder, look: Look, film: bool) -> str:
    try:
        return f"Saved {(recorder.film() if film else recorder.picture(look)).name}."
    except OSError as why:
        return f"It could not be saved: {why.strerror}."


def _draw(surface: pygame.Surface, page: Image) -> None:
    wide, high = surface.get_size()
    scale = min(wide / page.shape[1], high / page.shape[0])
    size = (max(1, round(page.shape[1] * scale)), max(1, round(page.shape[0] * scale)))
    fitted = cv2.resize(page, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    picture = pygame.image.frombuffer(cv2.cvtColor(fitted, cv2.COLOR_BGR2RGB).tobytes(), size, "RGB")
    surface.fill((28, 28, 28))
    surface.blit(picture, picture.get_rect(center=surface.get_rect().center))
    pygame.display.flip()

"""The screen and the sound, opened as the table opens them, for a moment.

Its one rule: what SDL opens may be a screen that nobody sees or a sound that nobody hears, and that is said.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress

from table.config import paths
from table.machine.doctor.finding import BROKEN, OK, WARNING, Finding, Patient

SMALLEST = (800, 480)  # that all texts are made for
UNSEEN = ("dummy", "offscreen", "evdev")
PLAYED = "turn.wav"
NO_GREETING = ("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets whoever imports it


def screen(patient: Patient) -> Iterator[Finding]:
    if patient.is_running:  # a table that runs has opened one, and people are looking at it
        yield Finding("screen", OK, "The table is running and has the screen.")
        return
    os.environ.setdefault(*NO_GREETING)
    try:
        import pygame

        from table.ui.kiosk.start import NoScreen, open_screen
    except ImportError as why:
        yield Finding("screen", BROKEN, f"pygame cannot be loaded ({why}).", "Install it with pip install pygame-ce.")
        return
    try:
        width, height = open_screen(patient.config.screen.window).get_size()
        driver = pygame.display.get_driver()
    except NoScreen as why:
        yield _none(patient, str(why))
        return
    finally:
        pygame.display.quit()
    said = f"{width}x{height}, through {driver}."
    if driver in UNSEEN:
        fix = "Start it without SDL_VIDEODRIVER, unless nobody is meant to see it."
        yield Finding("screen", WARNING, f"Nobody sees it: {said}", fix)
    elif width < SMALLEST[0] or height < SMALLEST[1]:
        fix = f"Use a screen, or a window, of {SMALLEST[0]}x{SMALLEST[1]} or more."
        yield Finding("screen", WARNING, f"Texts may be hard to read: {said}", fix)
    else:
        yield Finding("screen", OK, said)


def _none(patient: Patient, why: str) -> Finding:
    """Who is logged in from elsewhere may not be let at the screen, however well it is."""
    far = "SSH_CONNECTION" in os.environ
    fix = "Plug one in and switch it on before the machine starts. Without a screen the table is in the terminal."
    if far:
        fix = "Run this at the machine itself, or end what has the screen (a desktop)."
    return Finding("screen", BROKEN if patient.pi and not far else WARNING, f"None can be opened ({why}).", fix)


def sound(patient: Patient) -> Iterator[Finding]:
    if not patient.settings.sound:
        yield Finding("sound", OK, "It is switched off, in the config or at the table.")
        return
    if patient.is_running:  # without a sound server only one can have it, and a game is no place for a test
        yield Finding("sound", OK, "The table is running and has the sound.")
        return
    os.environ.setdefault(*NO_GREETING)
    try:
        import pygame

        from table.ui.kiosk.sounds import SILENT, open_mixer
    except ImportError:
        return  # said of the screen
    fix = "Plug in a speaker and choose it in raspi-config or the desktop; or leave it, and the table is silent."
    try:
        if open_mixer():
            yield _heard(patient)
        else:
            yield Finding("sound", WARNING, "There is no sound device.", fix)
    except SILENT as why:
        yield Finding("sound", WARNING, f"No sound device can be opened ({why}).", fix)
    with suppress(*SILENT):
        pygame.mixer.quit()


def _heard(patient: Patient) -> Finding:
    import pygame
    from pygame._sdl2.audio import get_audio_device_names

    if os.environ.get("SDL_AUDIODRIVER") in ("dummy", "disk"):
        fix = "Start it without SDL_AUDIODRIVER, unless nobody is meant to hear it."
        return Finding("sound", WARNING, "It goes nowhere.", fix)
    if patient.tell:
        patient.tell("A sound is played now. Nothing? Turn the speaker up, or choose another in raspi-config.")
        played = pygame.mixer.Sound(str(paths.assets() / "sounds" / PLAYED))
        played.play()
        time.sleep(played.get_length())
    return Finding("sound", OK, f"It opens: {', '.join(get_audio_device_names(False)) or 'the usual device'}.")

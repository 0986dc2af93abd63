"""Checks screen and sound, by opening them briefly, as the table does.

Its one rule: if SDL opens only an invisible screen or a silent sound device, the finding says so.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress

from table.config import paths
from table.machine.doctor.finding import BROKEN, OK, WARNING, Finding, Patient

SMALLEST = (800, 480)  # the smallest size that all texts are designed for
UNSEEN = ("dummy", "offscreen", "evdev")
PLAYED = "turn.wav"
NO_GREETING = ("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame prints a greeting when it is imported


def screen(patient: Patient) -> Iterator[Finding]:
    if patient.is_running:  # the running table is already using the screen
        yield Finding("screen", OK, "The running table is using the screen.")
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
        fix = "Unset SDL_VIDEODRIVER, unless that is intended."
        yield Finding("screen", WARNING, f"Nothing is visible: {said}", fix)
    elif width < SMALLEST[0] or height < SMALLEST[1]:
        fix = f"Use a screen or window of at least {SMALLEST[0]}x{SMALLEST[1]}."
        yield Finding("screen", WARNING, f"Texts may be hard to read: {said}", fix)
    else:
        yield Finding("screen", OK, said)


def _none(patient: Patient, why: str) -> Finding:
    """The finding if no screen can be opened. Over SSH this is only a warning, because the screen might still work
    locally."""
    far = "SSH_CONNECTION" in os.environ
    fix = "Plug one in and switch it on before the machine starts. Without one, the table plays in the terminal."
    if far:
        fix = "Run this at the machine itself, or close the program that uses the screen, such as a desktop."
    return Finding("screen", BROKEN if patient.pi and not far else WARNING, f"No screen can be opened ({why}).", fix)


def sound(patient: Patient) -> Iterator[Finding]:
    if not patient.settings.sound:
        yield Finding("sound", OK, "It is off, in the config or at the table.")
        return
    if patient.is_running:  # the device might be exclusive, and a test sound would disturb the game
        yield Finding("sound", OK, "The running table is using the sound.")
        return
    os.environ.setdefault(*NO_GREETING)
    try:
        import pygame

        from table.ui.kiosk.sounds import SILENT, open_mixer
    except ImportError:
        return  # reported by the check of the screen
    fix = "Plug in a speaker and choose it in raspi-config or the desktop. Without one, the table is silent."
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
        fix = "Unset SDL_AUDIODRIVER, unless that is intended."
        return Finding("sound", WARNING, "SDL_AUDIODRIVER turns the sound off.", fix)
    if patient.tell:
        patient.tell("You should hear a sound now. If not, turn up the speaker, or choose another in raspi-config.")
        played = pygame.mixer.Sound(str(paths.assets() / "sounds" / PLAYED))
        played.play()
        time.sleep(played.get_length())
    return Finding("sound", OK, f"It works through {', '.join(get_audio_device_names(False)) or 'the default device'}.")

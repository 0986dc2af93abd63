"""Checks the camera: whether it opens, its frame rate, focus and light, and whether its calibration still fits.

Its one rule: it uses the same feed as the table, for as long as a camera needs to adjust its exposure, and changes no
settings.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from table.devices.camera import SIMULATED, CameraDice
from table.devices.camera_feed import BROKEN_OPENCV, calibration_path
from table.machine.doctor.finding import BROKEN, END_THE_TABLE, OK, WARNING, Finding, Patient, join

if TYPE_CHECKING:  # importing OpenCV is slow
    from vision import camera, lighting
    from vision.networks import Image
    from vision.tray import Calibration

LAST = 5  # pictures used to judge light, focus and calibration
LONGEST = 6.0  # seconds to wait for that many pictures
FEWEST = 12.0  # pictures per second; with fewer, reading a roll takes too long
PI_HAS_NONE = ("no cameras", "rpicam-apps")  # words in the error if the Pi sees no camera or lacks rpicam-apps
SHOW_IT = 'Calibrate it: at the table, open Settings, then "Camera".'
MISFITS = {
    "size": "Its pictures are not the size they were when it was calibrated.",
    "moved": "The camera or the tray was moved since the calibration.",
    "other": "The tray looks different from the calibrated one, or the camera was turned.",
}


def check(patient: Patient) -> Iterator[Finding]:
    name = patient.config.dice.camera
    wanted = patient.settings.source == CameraDice.name
    bad = BROKEN if wanted else WARNING
    if name == SIMULATED:
        yield Finding("camera", OK, "It is simulated: no lens and no light to check.")
        return
    try:
        from vision import camera, tray
    except ImportError as why:
        yield Finding("camera", bad, f"OpenCV is missing or broken ({why}).", BROKEN_OPENCV)
        return
    path = calibration_path(name, patient.folder)
    known, damage = None, ""
    try:
        known = tray.load(path) if path and os.path.exists(path) else None
    except ValueError as why:
        damage = str(why)
    try:
        with closing(camera.opened(name, known.size if known else camera.USUAL)) as feed:
            pictures, rate = _watched(feed)
    except ValueError as why:
        yield _absent(patient, str(why), bool(known or damage))
        return
    yield Finding("camera", OK, f"{name} gives pictures of {feed.size[0]}x{feed.size[1]}.")
    few = rate < FEWEST
    fix = "Give it more light, its own USB port, and a short cable." if few else ""
    yield Finding("frame rate", WARNING if few else OK, f"{rate:.0f} pictures per second.", fix)
    if not (wanted or known or damage):
        return  # the camera is not used, so its picture does not matter
    misfit = _misfit(pictures, known) if known else ""
    yield from _picture(pictures, None if misfit else known, bad)
    if damage:
        yield Finding("calibration", bad, damage, SHOW_IT)
    elif known is None:
        yield Finding("calibration", WARNING, "The camera is not calibrated, so it reads less reliably.", SHOW_IT)
    elif misfit:
        yield Finding("calibration", bad, MISFITS[misfit], f"Put it back, or calibrate it again. {SHOW_IT}")
    else:
        yield Finding("calibration", OK, f"The tray is where it was; dice are {known.side:.0f} pixels wide.")


def _watched(feed: camera.Feed) -> tuple[list[Image], float]:
    """Watches the feed for a few seconds. Returns the last pictures, and the frame rate."""
    from vision.camera import SETTLES

    last: deque[Image] = deque(maxlen=LAST)
    times: list[float] = []
    for picture, at in feed.frames():
        last.append(picture)
        times.append(at)
        if at - times[0] >= (SETTLES if len(last) == LAST else LONGEST):
            break
    if not last:
        raise ValueError("It gives no pictures.")
    return list(last), (len(times) - 1) / max(times[-1] - times[0], 1e-6)


def _absent(patient: Patient, why: str, learnt: bool) -> Finding:
    """The finding for a camera that cannot be opened: missing, busy, or permission denied."""
    name, wanted = patient.config.dice.camera, patient.settings.source == CameraDice.name
    bad = BROKEN if wanted else WARNING
    device = f"/dev/video{name.removeprefix('camera:')}" if name.startswith("camera:") else name
    there = device.startswith("/dev/") or (name == "csi" and not any(words in why for words in PI_HAS_NONE))
    if device.startswith("/dev/") and sys.platform.startswith("linux"):
        there = os.path.exists(device)
        if there and not os.access(device, os.R_OK | os.W_OK):
            return Finding("camera", bad, f"This user is not allowed to open {device}.", join("video"))
    if there and patient.is_running:
        return Finding("camera", WARNING, "The running table is using the camera.", END_THE_TABLE)
    if not (wanted or learnt):
        return Finding("camera", OK, f"{why} The table plays with other dice.")
    fix = 'Plug it in, or name another one under [dice] in the config: for the Pi\'s own, write camera = "csi".'
    if "rpicam-apps" in why:
        fix = "Run sudo apt install rpicam-apps."
    elif name == "csi":
        fix = "Check both ends of its flat cable; rpicam-hello --list-cameras lists what the Pi sees."
    return Finding("camera", bad, why, fix)


def _picture(pictures: list[Image], known: Calibration | None, bad: str) -> Iterator[Finding]:
    """Checks focus and light. `known` is the calibration, if it fits the pictures."""
    from vision import guide, lighting, trouble

    last = pictures[-1]
    if trouble.dark(last):
        yield _worded(lighting.Finding(lighting.DARK), bad)
        return
    told = _light(pictures, known) if known else []
    if trouble.unsharp(last, known.side if known else guide.GUESSED * len(last)):
        told.append(lighting.Finding(lighting.BLURRED))
    blurred = [one for one in told if one.what == lighting.BLURRED]
    others = [one for one in told if one.what != lighting.BLURRED]
    yield _worded(blurred[0], bad) if blurred else Finding("focus", OK, "The picture is sharp.")
    for one in others:
        yield _worded(one, WARNING)
    if not others:
        more = "" if known else " After a calibration, more can be checked."
        yield Finding("light", OK, f"It is bright enough.{more}")


def _light(pictures: list[Image], known: Calibration) -> list[lighting.Finding]:
    """Checks the light on the dice, or on the empty tray if there are no dice."""
    from vision import lighting, reader

    last = pictures[-1]
    if not known.strange(known.new(last), []):
        return lighting.of_empty(pictures, known.tray)
    return lighting.of_dice(known, last, reader.read(last, known).dice)


def _worded(found: lighting.Finding, state: str) -> Finding:
    from vision import lighting

    said, _, fix = lighting.SAYS[found.what].partition(": ")
    where = f", at {found.at[0]:.0f},{found.at[1]:.0f} in its picture" if found.at else ""
    what = "focus" if found.what == lighting.BLURRED else "light"
    return Finding(what, state, f"{said}{where}.", f"{fix[:1].upper()}{fix[1:]}")


def _misfit(pictures: list[Image], known: Calibration) -> str:
    """The matching key in MISFITS if the pictures do not fit the calibration, otherwise "". All checked pictures must
    agree."""
    from vision import fit

    said = {fit.fits(known, picture) for picture in pictures[::2]}
    return said.pop() if len(said) == 1 else ""

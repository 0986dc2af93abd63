"""The camera: whether it opens, how many pictures come, whether they are sharp and well lit, and fit what was learnt.

Its one rule: it looks through the same feed as the table, for as long as a camera takes to find its exposure, and
leaves every setting as it is.
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

if TYPE_CHECKING:  # OpenCV takes long to be there
    from vision import camera, lighting
    from vision.networks import Image
    from vision.tray import Calibration

LAST = 5  # pictures by which light, focus and calibration are judged
LONGEST = 6.0  # seconds after which fewer have to do
FEWEST = 12.0  # pictures a second: with fewer, dice lie for long before they are read
PI_HAS_NONE = ("no cameras", "rpicam-apps")  # what the Pi's command says if it sees none, and we if there is no command
SHOW_IT = 'Show it the tray: Settings at the table, "Camera".'
MISFITS = {
    "size": "Its pictures have another size than those that the tray was learnt from.",
    "moved": "The camera or the tray was moved since the tray was learnt.",
    "other": "The tray looks like another one than was learnt, or the camera is turned.",
}


def sight(patient: Patient) -> Iterator[Finding]:
    name = patient.config.dice.camera
    wanted = patient.settings.source == CameraDice.name
    bad = BROKEN if wanted else WARNING
    if name == SIMULATED:
        yield Finding("camera", OK, "It is simulated: its dice are drawn, and need no lens and no light.")
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
    fix = "Give it more light, a USB port of its own, and no long cable." if few else ""
    yield Finding("frame rate", WARNING if few else OK, f"{rate:.0f} pictures come in a second.", fix)
    if not (wanted or known or damage):
        return  # a camera that nobody plays with may look wherever it likes
    misfit = _misfit(pictures, known) if known else ""
    yield from _picture(pictures, None if misfit else known, bad)
    if damage:
        yield Finding("calibration", bad, damage, SHOW_IT)
    elif known is None:
        yield Finding("calibration", WARNING, "The camera does not know its tray, and reads less surely.", SHOW_IT)
    elif misfit:
        yield Finding("calibration", bad, MISFITS[misfit], f"Put it back as it was, or learn it anew. {SHOW_IT}")
    else:
        yield Finding("calibration", OK, f"The tray is where it was; dice are {known.side:.0f} pixels wide in it.")


def _watched(feed: camera.Feed) -> tuple[list[Image], float]:
    """The last pictures of the first seconds, and how many came in one."""
    from vision.camera import SETTLES

    last: deque[Image] = deque(maxlen=LAST)
    times: list[float] = []
    for picture, at in feed.frames():
        last.append(picture)
        times.append(at)
        if at - times[0] >= (SETTLES if len(last) == LAST else LONGEST):
            break
    if not last:
        raise ValueError("There are no pictures in it.")
    return list(last), (len(times) - 1) / max(times[-1] - times[0], 1e-6)


def _absent(patient: Patient, why: str, learnt: bool) -> Finding:
    """It gives no pictures. If it is there, somebody has it, or keeps us from it."""
    name, wanted = patient.config.dice.camera, patient.settings.source == CameraDice.name
    bad = BROKEN if wanted else WARNING
    device = f"/dev/video{name.removeprefix('camera:')}" if name.startswith("camera:") else name
    there = device.startswith("/dev/") or (name == "csi" and not any(words in why for words in PI_HAS_NONE))
    if device.startswith("/dev/") and sys.platform.startswith("linux"):
        there = os.path.exists(device)
        if there and not os.access(device, os.R_OK | os.W_OK):
            return Finding("camera", bad, f"{device} may not be opened.", join("video"))
    if there and patient.is_running:
        return Finding("camera", WARNING, "The table is running and has the camera.", END_THE_TABLE)
    if not (wanted or learnt):
        return Finding("camera", OK, f"{why} The table plays with other dice.")
    fix = 'Plug it in, or name another below [dice] in the config: the Pi\'s own is camera = "csi".'
    if "rpicam-apps" in why:
        fix = "Run sudo apt install rpicam-apps."
    elif name == "csi":
        fix = "Look at both ends of its flat cable; rpicam-hello --list-cameras says what the Pi sees."
    return Finding("camera", bad, why, fix)


def _picture(pictures: list[Image], known: Calibration | None, bad: str) -> Iterator[Finding]:
    """Focus and light; `known` only as far as it fits."""
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
        more = "" if known else " More is said of a tray that is known."
        yield Finding("light", OK, f"It is bright enough.{more}")


def _light(pictures: list[Image], known: Calibration) -> list[lighting.Finding]:
    """Of dice, if some lie there, and of the tray, if none do."""
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
    """Why they do not fit; a single picture is not believed."""
    from vision import fit

    said = {fit.fits(known, picture) for picture in pictures[::2]}
    return said.pop() if len(said) == 1 else ""

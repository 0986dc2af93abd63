"""The commands about dice: read, calibrate, markers, watch and edice."""

import argparse
from types import ModuleType

from table.app.common import CLOSED, end_at_once, end_when_told, needs_output, say_line
from table.engine.errors import Closed, Refused


def _reading() -> ModuleType:
    end_at_once()
    try:
        from vision import command
    except ModuleNotFoundError as why:
        if why.name not in ("cv2", "numpy"):
            raise
        raise Refused("Reading dice needs OpenCV: install it with pip install opencv-python-headless.") from None
    end_when_told()
    needs_output("The results are written to standard output")
    return command


def read(parsed: argparse.Namespace) -> int:
    command = _reading()
    try:
        good = command.run(parsed.files, parsed.json, parsed.annotate, parsed.expect, parsed.calibration)
    except ValueError as why:
        raise Refused(str(why)) from None
    except FileNotFoundError as why:  # the networks that read dice are missing
        raise Closed(str(why)) from None
    return 0 if good else CLOSED


def calibrate(parsed: argparse.Namespace) -> int:
    command = _reading()
    try:
        found, told = command.learn(parsed.into, parsed.empty, parsed.dice)
    except ValueError as why:
        raise Refused(str(why)) from None
    except FileNotFoundError as why:
        raise Closed(str(why)) from None
    say_line(f"{parsed.into}: a tray seen in {found.size[0]}x{found.size[1]}, with dice {found.side:.0f} pixels wide.")
    for finding in told:
        say_line(finding)
    return 0


def markers(parsed: argparse.Namespace) -> int:
    command = _reading()
    try:
        written = command.write_markers(parsed.folder)
    except ValueError as why:
        raise Refused(str(why)) from None
    say_line(f"Wrote {' and '.join(written)}: print one of them.")
    return 0


def watch(parsed: argparse.Namespace) -> int:
    from table.config.values import parse_size

    size = parse_size(parsed.size, "A camera's picture")
    _reading()
    from vision import watch

    show = None
    if not parsed.json:
        from vision import window

        show = window.show
    try:
        watch.run(parsed.source, say_line, size, parsed.expect, parsed.calibration, parsed.seconds, show)
    except (ValueError, FileNotFoundError) as why:  # FileNotFoundError: the networks that read dice are missing
        raise Closed(str(why)) from None
    return 0


def edice(parsed: argparse.Namespace) -> int:
    from table.devices import pretend

    needs_output("The port of the e-dice is written to standard output")
    pretend.run(parsed.dice, say_line)
    return 0

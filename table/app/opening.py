"""The commands that open a table (on the screen, in a terminal, or for phones alone) or write its config."""

import argparse
import os
import signal
import sys
import threading
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

from table.app.common import config_of, end_at_once, end_when_told, folder_of, say_line, write_new
from table.engine.errors import Closed, Refused
from table.machine.service import LEFT

if TYPE_CHECKING:
    from table.config import Config


def table(parsed: argparse.Namespace) -> int:
    """Opens the table on the screen; without a screen, in the terminal; with neither, for phones alone."""
    from table.config.values import parse_camera

    end_at_once()
    config = config_of(parsed)
    camera = parsed.camera and parse_camera(parsed.camera)
    start = _kiosk()
    try:
        ending = start.play(
            config,
            folder_of(config),
            simulate=parsed.simulate,
            camera=camera,
            edice=parsed.edice,
            service=parsed.service,
        )
    except start.NoScreen as why:
        if parsed.service:
            raise Closed(f"There is no screen ({why}): connect one, and the table will use it shortly.") from None
        return _without_screen(str(why), config)
    return _end(ending, parsed.service)


def demo(parsed: argparse.Namespace) -> int:
    if parsed.text:
        return _text_demo(config_of(parsed))
    end_at_once()
    config = config_of(parsed)
    start = _kiosk()
    try:
        start.play(config, folder_of(config), demo=True)
    except start.NoScreen:
        return _text_demo(config)
    return 0


def _kiosk() -> ModuleType:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame prints a greeting when it is imported
    from table.ui.kiosk import start

    return start


def _without_screen(why: str, config: "Config") -> int:
    end_when_told()
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty():
        from table.text.catalogue import Catalogue
        from table.ui import terminal

        print(f"There is no screen ({why}), so the table opens in this terminal.", file=sys.stderr)
        terminal.play(None, [], [], None, None, Catalogue(config.screen.language))
        return 0
    if not config.phones.on:
        raise Closed(f"There is no screen ({why}) and no terminal, and phones are off in the config: connect a screen.")
    print(f"dicetable: There is no screen ({why}) and no terminal, so people play on phones.", file=sys.stderr)
    return _rooms(config)


def _text_demo(config: "Config") -> int:
    from table.text.catalogue import Catalogue
    from table.ui import terminal

    terminal.demo(Catalogue(config.screen.language))
    print("To play, run dicetable on a machine with a screen, or dicetable play in a terminal.")
    return 0


def _end(ending: str, service: bool) -> int:
    """Called once everything is closed. Restarts if a restart was chosen at the table; otherwise returns the exit
    status."""
    if ending == "restart":
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", "table", *sys.argv[1:]])
    return LEFT if service and ending == "exit" else 0


def write_config(parsed: argparse.Namespace) -> int:
    from table import config

    if parsed.file is None:
        print(config.commented(), end="")
        return 0
    write_new(parsed.file, config.commented())
    say_line(f"Wrote {parsed.file}. Start the table with: dicetable --config {parsed.file}")
    return 0


def serve(parsed: argparse.Namespace) -> int:
    config = config_of(parsed)
    if parsed.port is not None:
        if not 1024 <= parsed.port <= 65535:
            raise Refused(f"A port is a number from 1024 to 65535, not {parsed.port}.")
        config = replace(config, phones=replace(config.phones, port=parsed.port))
    if (parsed.certificate is None) != (parsed.key is None) or (parsed.certificate and not parsed.tls):
        raise Refused("A certificate of your own needs --tls, --certificate and --key together.")
    return _rooms(config, parsed.tls, (parsed.certificate, parsed.key) if parsed.certificate else None)


def _rooms(config: "Config", tls: bool = False, given: tuple[str, str] | None = None) -> int:
    """Runs the table for phones alone, until SIGTERM or Ctrl-C."""
    from table.ui import serve
    from table.ui.phone import certificate
    from table.ui.phone.addresses import own_address

    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    signal.signal(signal.SIGINT, lambda *_: ended.set())
    folder = folder_of(config)
    context = certificate.context(folder, given, own_address()) if tls else None

    def opened(address: str) -> None:
        where = "on this machine" if config.phones.reach == "machine" else "on a phone on the same network"
        say_line(f"The table is at {address} - open that {where}. Ctrl-C stops it.")
        if not config.phones.public_url and not address.endswith(f":{config.phones.port}"):
            say_line(f"(Port {config.phones.port} is used by another program.)")

    serve.run(config, folder, context, opened, ended.is_set)
    return 0

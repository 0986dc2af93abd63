"""The command `dicetable`: what people type, and the only place that knows everything.

Its one rule: whatever is typed gets what it asked for or one clear line and a non-zero exit, never a traceback.
"""

import argparse
import json
import os
import secrets
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from table import places
from table.arguments import WRONG_USE, WrongUse, parsers
from table.errors import Closed, Refused, did_you_mean, shown
from table.rules import GAMES
from table.service import LEFT

if TYPE_CHECKING:
    from table.config import Config

CLOSED = 1  # exit statuses, as shells and other commands use them
INTERRUPTED = 130
TERMINATED = 143


def main(arguments: Sequence[str] | None = None) -> int:
    _end_when_told()
    typed = sys.argv[1:] if arguments is None else list(arguments)
    complain = _complain_as_json if "--json" in typed else _complain
    try:
        return _run(typed)
    except WrongUse as why:
        return complain(str(why), WRONG_USE, why.prog)
    except Refused as why:
        return complain(str(why), WRONG_USE)
    except Closed as why:
        return complain(str(why), CLOSED)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return CLOSED  # whoever was reading has gone, and knows
    except OSError as why:
        return complain(f"Reading or writing failed, so it ends here: {why.strerror}.", CLOSED)
    finally:
        _let_go_of_output()


def _end_when_told() -> None:
    """By an exception, so that whoever has the terminal puts it back as it was."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))


def _end_at_once() -> None:
    """Until the table listens itself there is nothing to put back, and an exception can get lost in an import."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _complain(sentence: str, status: int, who: str = "dicetable") -> int:
    print(f"{who}: {sentence}", file=sys.stderr)
    return status


def _complain_as_json(sentence: str, status: int, who: str = "dicetable") -> int:
    """To a program that reads the output, whatever it asked for."""
    try:
        if sys.stdout is not None:
            print(json.dumps({"error": sentence}), flush=True)
            return status
    except OSError:  # that very output cannot be written
        pass
    return _complain(sentence, status, who)


def _let_go_of_output() -> None:
    """What could not be written must not fail once more when Python ends."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments = ["table", *arguments]
    command = arguments[0]
    if command not in COMMANDS and not command.startswith("-"):
        hint = f" Did you mean play {command}?" if command in GAMES else did_you_mean(command, COMMANDS)
        raise Refused(f"There is no command {shown(command)}.{hint} The commands are {', '.join(COMMANDS)}.")
    parser, commands = parsers()
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:  # said by the command that was meant, which tells of its own help
        commands[parsed.command].error(f"unrecognized arguments: {' '.join(map(shown, unknown))}")
    return COMMANDS[parsed.command](parsed)


def _table(parsed: argparse.Namespace) -> int:
    """The table on the screen; without one, in the terminal; with neither, a demo as text."""
    from table.config import parse_camera

    _end_at_once()
    config = _config(parsed)
    camera = parsed.camera and parse_camera(parsed.camera)
    start = _kiosk()
    try:
        ending = start.play(
            config,
            _folder(config),
            simulate=parsed.simulate,
            camera=camera,
            edice=parsed.edice,
            service=parsed.service,
        )
    except start.NoScreen as why:
        if parsed.service:
            raise Closed(f"There is no screen here ({why}): connect one, and the table is on it in a moment.") from None
        return _without_screen(str(why), config)
    return _end(ending, parsed.service)


def _demo(parsed: argparse.Namespace) -> int:
    if parsed.text:
        return _text_demo()
    _end_at_once()
    config = _config(parsed)
    start = _kiosk()
    try:
        start.play(config, _folder(config), demo=True)
    except start.NoScreen:
        return _text_demo()
    return 0


def _kiosk() -> ModuleType:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets whoever imports it
    from table.kiosk import start

    return start


def _config(parsed: argparse.Namespace) -> "Config":
    from table import config

    found = config.load(Path(parsed.config) if parsed.config else places.config())
    if getattr(parsed, "window", None):
        found = replace(found, screen=replace(found.screen, window=config.parse_size(parsed.window)))
    return found


def _folder(config: "Config") -> Path:
    return Path(config.journal.folder).expanduser() if config.journal.folder else places.records()


def _without_screen(why: str, config: "Config") -> int:
    _end_when_told()
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty():
        from table import terminal

        print(f"There is no screen here ({why}), so the table is in this terminal.", file=sys.stderr)
        terminal.play(None, [], [], None, None)
        return 0
    if not config.phones.on:
        raise Closed(f"There is no screen here ({why}), no terminal, and the config allows no phones.")
    print(f"dicetable: There is no screen here ({why}) and no terminal, so phones are the table.", file=sys.stderr)
    return _rooms(config)


def _text_demo() -> int:
    from table import terminal

    terminal.demo()
    print("For a table on a screen run dicetable where there is one; in a terminal, dicetable play.")
    return 0


def _end(ending: str, service: bool) -> int:
    """What was wished for at the table, once everything is closed."""
    if ending == "restart":
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", "table", *sys.argv[1:]])
    return LEFT if service and ending == "exit" else 0


def _write_config(parsed: argparse.Namespace) -> int:
    from table import config

    if parsed.file is None:
        print(config.commented(), end="")
        return 0
    try:
        with open(parsed.file, "x", encoding="utf-8") as file:
            file.write(config.commented())
    except FileExistsError:
        raise Refused(f"{parsed.file} exists already and was left as it is: name another file.") from None
    except OSError as why:
        raise Refused(f"{parsed.file} cannot be written ({why.strerror}): name another file.") from None
    print(f"Wrote {parsed.file}. Start the table with: dicetable --config {parsed.file}")
    return 0


def _referee(_: argparse.Namespace) -> int:
    from table.protocol import serve

    if sys.stdin is None or sys.stdout is None:
        raise Closed("The referee reads requests from its input and writes to its output, and one of them is closed.")
    if sys.stdin.isatty():
        print('One JSON request a line; Ctrl-D ends. Start with {"games": true}.', file=sys.stderr)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0


def _arena(parsed: argparse.Namespace) -> int:
    from table import arena
    from table.terminal import figures, setup

    if sys.stdout is None:
        raise Closed("Who wins would be written to the output, and that is closed.")
    game = setup.find_game(parsed.game)
    options = setup.parse_options(parsed.option, game, arena.seat_names(len(parsed.levels)))
    seed = secrets.randbits(32) if parsed.seed is None else parsed.seed
    contest = arena.contest(game, parsed.levels, options, parsed.games, seed)
    workers, began, status = min(arena.cores(), contest.games), time.monotonic(), 0
    won: arena.Tally = Counter()
    try:
        with closing(arena.played(contest, workers)) as playing:
            figures.progress(0, contest.games, 0)
            for won in playing:
                figures.progress(won.total(), contest.games, time.monotonic() - began)
    except KeyboardInterrupt:
        if not won:
            raise
        status = INTERRUPTED
    finally:
        figures.wipe_progress()
    seconds = time.monotonic() - began
    if parsed.json:
        _say_line(json.dumps(arena.as_json(contest, won, seconds, workers)))
    else:
        _say_line(figures.of_arena(contest, won, seconds, workers))
    return status


def _odds(parsed: argparse.Namespace) -> int:
    from table import chances
    from table.terminal import figures, setup

    if sys.stdout is None:
        raise Closed("The chances would be written to the output, and that is closed.")
    game = setup.find_game(parsed.game).id
    given, tables = chances.tables(game, parsed.dice, parsed.single)
    if parsed.json:
        _say_line(json.dumps({"game": game, **given, **chances.as_json(tables)}))
    else:
        _say_line(figures.of_odds(game, given, tables))
    return 0


def _play(parsed: argparse.Namespace) -> int:
    from table import terminal

    terminal.play(parsed.game, parsed.seat, parsed.option, parsed.seed, Path(parsed.save) if parsed.save else None)
    return 0


def _review(parsed: argparse.Namespace) -> int:
    from table import review
    from table.terminal import reviewed
    from table.terminal.screen import Screen

    game = review.loaded(_saved(parsed.saved))
    if parsed.seat is not None and not 0 <= parsed.seat < len(game.players):
        raise Refused(f"There is no seat {parsed.seat} in that game: the seats are 0 to {len(game.players) - 1}.")
    for seat in range(len(game.players)) if parsed.seat is None else [parsed.seat]:
        found = review.review(game, seat)
        if parsed.json:
            _say_line(json.dumps(review.as_json(game, found)))
        else:
            reviewed.show(Screen(sys.stdin, sys.stdout), game, found)
    return 0


def _saved(name: str) -> object:
    """What a file, or the input, holds as JSON."""
    try:
        if name == "-":
            text = sys.stdin.read() if sys.stdin is not None else ""
        else:
            text = Path(name).read_text(encoding="utf-8")
        return json.loads(text)
    except OSError as why:
        raise Refused(f"{name} cannot be read ({why.strerror}): name a saved game.") from None
    except (ValueError, RecursionError):
        raise Refused(f"{name} is no saved game: dicetable play --save FILE writes one.") from None


def _serve(parsed: argparse.Namespace) -> int:
    config = _config(parsed)
    if parsed.port is not None:
        if not 1024 <= parsed.port <= 65535:
            raise Refused(f"A port is a number from 1024 to 65535, not {parsed.port}.")
        config = replace(config, phones=replace(config.phones, port=parsed.port))
    if (parsed.certificate is None) != (parsed.key is None) or (parsed.certificate and not parsed.tls):
        raise Refused("--certificate and --key come together, and with --tls.")
    return _rooms(config, parsed.tls, (parsed.certificate, parsed.key) if parsed.certificate else None)


def _rooms(config: "Config", tls: bool = False, given: tuple[str, str] | None = None) -> int:
    """The table for phones alone, until it is told to end."""
    from table.phone import certificate, serve
    from table.phone.addresses import own_address

    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    signal.signal(signal.SIGINT, lambda *_: ended.set())
    folder = _folder(config)
    context = certificate.context(folder, given, own_address()) if tls else None

    def opened(address: str) -> None:
        where = "on this machine" if config.phones.reach == "machine" else "on a phone on the same network"
        _say_line(f"The table is at {address} - open that {where}. Ctrl-C ends.")
        if not config.phones.public_url and not address.endswith(f":{config.phones.port}"):
            _say_line(f"(Another program has port {config.phones.port}.)")

    def complain(sentence: str) -> None:
        print(f"dicetable: {sentence}", file=sys.stderr, flush=True)

    serve.run(config, folder, context, opened, complain, ended.is_set)
    return 0


def _reading() -> ModuleType:
    _end_at_once()
    try:
        from vision import command
    except ModuleNotFoundError as why:
        if why.name not in ("cv2", "numpy"):
            raise
        raise Refused("Reading dice needs OpenCV: install it with pip install opencv-python-headless.") from None
    _end_when_told()
    if sys.stdout is None:
        raise Closed("What is read is written to the output, and that is closed.")
    return command


def _read(parsed: argparse.Namespace) -> int:
    command = _reading()
    try:
        good = command.run(parsed.files, parsed.json, parsed.annotate, parsed.expect, parsed.calibration)
    except ValueError as why:
        raise Refused(str(why)) from None
    except FileNotFoundError as why:  # of the reader's own files
        raise Closed(str(why)) from None
    return 0 if good else CLOSED


def _calibrate(parsed: argparse.Namespace) -> int:
    command = _reading()
    try:
        found, told = command.learn(parsed.into, parsed.empty, parsed.dice)
    except ValueError as why:
        raise Refused(str(why)) from None
    except FileNotFoundError as why:
        raise Closed(str(why)) from None
    print(f"{parsed.into}: a tray seen in {found.size[0]}x{found.size[1]}, with dice {found.side:.0f} pixels wide.")
    for finding in told:
        print(finding)
    return 0


def _markers(parsed: argparse.Namespace) -> int:
    command = _reading()
    try:
        written = command.write_markers(parsed.folder)
    except ValueError as why:
        raise Refused(str(why)) from None
    print(f"Wrote {' and '.join(written)}: print one of them.")
    return 0


def _watch(parsed: argparse.Namespace) -> int:
    from table.config import parse_size

    size = parse_size(parsed.size, "A camera's picture")
    _reading()
    from vision import watch

    show = None
    if not parsed.json:
        from vision import window

        show = window.show
    try:
        watch.run(parsed.source, _say_line, size, parsed.expect, parsed.calibration, parsed.seconds, show)
    except (ValueError, FileNotFoundError) as why:  # the second of the reader's own files
        raise Closed(str(why)) from None
    return 0


def _edice(parsed: argparse.Namespace) -> int:
    from table import pretend

    if sys.stdout is None:
        raise Closed("Where the e-dice is would be written to the output, and that is closed.")
    pretend.run(parsed.dice, _say_line)
    return 0


def _doctor(parsed: argparse.Namespace) -> int:
    from table import doctor

    if sys.stdout is None:
        raise Closed("What is found is written to the output, and that is closed.")
    config = _config(parsed)
    seen = sys.stdout.isatty() and not parsed.json
    person = seen and sys.stdin is not None and sys.stdin.isatty()
    found = []
    patient = doctor.Patient(config, _folder(config), tell=_say_indented if person else None)
    for finding in doctor.examined(patient, begins=_say_passing if seen else lambda what: None):
        found.append(finding)
        if not parsed.json:
            _say_line(doctor.as_text(finding))
    _say_line(doctor.as_json(found) if parsed.json else doctor.summary(found))
    return CLOSED if any(finding.state == doctor.BROKEN for finding in found) else 0


def _say_indented(line: str) -> None:
    _say_line(f"         {line}")


def _say_passing(what: str) -> None:
    print(f"...      {what}", end="\r", flush=True)  # until the next line is written over it


def _hotspot(parsed: argparse.Namespace) -> int:
    from table import hotspot, qr

    if sys.stdout is None:
        raise Closed("How the Wi-Fi stands would be written to the output, and that is closed.")
    state = hotspot.look()
    if parsed.wish:
        if parsed.wish == "on" and state.network and not parsed.json:
            # Said before it happens: whoever reads this over that network reads nothing more.
            _say_line(f"The table leaves the Wi-Fi {state.network} for its own.")
        state = hotspot.switch(parsed.wish == "on")
    if state.trouble:
        raise Closed(hotspot.sentence(state))
    if parsed.json:
        facts = {name: getattr(state, name) for name in ("on", "name", "password", "address", "network")}
        _say_line(json.dumps(facts))
    elif state.on:
        _say_line("The table's own Wi-Fi is on.")
        _say_line(f"  name      {state.name}\n  password  {state.password}\n  address   {state.address}\n")
        if sys.stdout.encoding.lower().startswith("utf"):  # the code is made of half blocks
            for line in qr.lines(hotspot.joining(state.name, state.password), coloured=sys.stdout.isatty()):
                _say_line(line)
    else:
        _say_line(f"The table's own Wi-Fi is off.{f' The Wi-Fi here is {state.network}.' if state.network else ''}")
    return 0


def _install(parsed: argparse.Namespace) -> int:
    from table.install import command

    return _installed(lambda: command.install(_say_line, parsed.wheel, parsed.anyway, parsed.dry_run))


def _update(parsed: argparse.Namespace) -> int:
    from table.install import command

    return _installed(lambda: command.update(_say_line, parsed.to, parsed.dry_run))


def _uninstall(parsed: argparse.Namespace) -> int:
    from table.install import command

    return _installed(lambda: command.uninstall(_say_line, parsed.purge, parsed.dry_run))


def _installed(do: Callable[[], None]) -> int:
    from table.install.work import Failed

    if sys.stdout is None:
        raise Closed("What is done to this machine is written to the output, and that is closed.")
    try:
        do()
    except Failed as why:
        raise Closed(str(why)) from None
    return 0


def _say_line(line: str) -> None:
    print(line, flush=True)  # whoever reads along a pipe waits for each


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "table": _table,
    "demo": _demo,
    "config": _write_config,
    "play": _play,
    "review": _review,
    "serve": _serve,
    "referee": _referee,
    "arena": _arena,
    "odds": _odds,
    "read": _read,
    "calibrate": _calibrate,
    "markers": _markers,
    "watch": _watch,
    "edice": _edice,
    "doctor": _doctor,
    "hotspot": _hotspot,
    "install": _install,
    "update": _update,
    "uninstall": _uninstall,
}

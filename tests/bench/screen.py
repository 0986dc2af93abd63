"""The part of `make bench` about the screen: the time per frame, the load of an idle table, and how fast it starts.

Its one rule: the table is the real one, with a dummy display and a real clock, and each figure is next to its limit.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

SIZE = (1280, 720)
FIRST, FRAMES = 150, 900  # the first frames are not measured, because they fill the sprite cache
THREADS = 8
EVERY = 0.01  # seconds between a thread's messages: cameras, radios and buttons post far less often
# The idle table runs for WARM seconds, until it has shown every game. Then its load is measured for SECONDS, from one
# roll to the next.
WARM, SECONDS = 31.0, 18.0
STARTS = 5
HEADLESS = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
    "DICETABLE_CONFIG": str(Path(__file__).parent.parent / "loopback.toml"),  # with an open port, like a real table
}
NAMES = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jo")


def main() -> None:
    print(f"\n{'The screen, 1280x720':48} {'measured':>10} {'at most':>10} {'share':>7}")
    passed, own = (sorted(seconds) for seconds in zip(*frames(), strict=True))
    row("A frame of PocoLoco for ten, dice tumbling, p50", 1000 * passed[FRAMES // 2], None, "ms")
    row("A frame of PocoLoco for ten, dice tumbling, p99", 1000 * passed[FRAMES * 99 // 100], 10, "ms")
    row("CPU time of the main thread per frame, p50", 1000 * own[FRAMES // 2], None, "ms")
    row("CPU time of the main thread per frame, p99", 1000 * own[FRAMES * 99 // 100], None, "ms")
    row("Load at the idle first screen, of a core", 100 * float(child("idle")), 2, "%")
    row("From start to the first handled press, best of 5", min(float(child("press")) for _ in range(STARTS)), 1, "s")


def row(what: str, measured: float, most: float | None, unit: str) -> None:
    bar = f"{most:7.1f} {unit:2} {measured / most:6.0%}" if most else ""
    print(f"{what:48} {measured:7.2f} {unit:2} {bar}".rstrip(), flush=True)


def frames(meanwhile: Callable[[Any], AbstractContextManager[None]] | None = None) -> list[tuple[float, float]]:
    """For each frame with tumbling dice, the seconds from taking the messages to the flip, and the CPU time spent. Runs
    at the real frame rate, while `meanwhile` (by default `posting`) runs as well."""
    os.environ.update(HEADLESS)
    import pygame

    from table.session.lineup import Seat
    from table.ui.kiosk.loop import FRAME
    from table.ui.kiosk.scenes.play import Play
    from tests.tabletop import Tabletop

    found: list[tuple[float, float]] = []
    with Tabletop(SIZE) as table, (meanwhile or posting)(table):
        while len(found) < FIRST + FRAMES:
            if not isinstance(table.scene, Play):
                table.now = time.monotonic()
                table.sit("pocoloco", [Seat(name, "classic") for name in NAMES], {"chips": 9})
            begun, worked = time.perf_counter(), time.thread_time()
            now = time.monotonic()
            drawn = table.kiosk.turn(table.mailbox.take(), pygame.event.get(), now)
            if drawn:
                pygame.display.flip()
            spent = time.perf_counter() - begun
            if drawn and isinstance(table.scene, Play) and _tumbling(table.scene, now):
                found.append((spent, time.thread_time() - worked))
            time.sleep(max(0.0, FRAME - spent))
    return found[FIRST:]


def _tumbling(scene: Any, now: float) -> bool:
    moment = scene._show.at(now).moment
    return moment is not None and moment.kind == "rolled"


@contextmanager
def posting(table: Any) -> Iterator[None]:
    """Eight threads keep posting messages that nothing handles."""
    from table.session.messages import DiceRead

    ended = threading.Event()

    def post() -> None:
        while not ended.wait(EVERY):
            table.mailbox.post(DiceRead("simulated", 0, (1, 2, 3)))

    threads = [threading.Thread(target=post) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def child(what: str) -> str:
    """The output of this module, run in a separate process with an empty home folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.bench.screen", what, folder, repr(time.monotonic())]
        env = {**os.environ, **HEADLESS, "PYTHONDONTWRITEBYTECODE": ""}  # write .pyc files, so later starts are warm
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def idle(folder: str) -> None:
    """Run the table; a thread measures the CPU time and ends the process."""
    from table import app

    def watch() -> None:
        time.sleep(WARM)
        begun = time.process_time()
        time.sleep(SECONDS)
        print((time.process_time() - begun) / SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch).start()
    os.environ["XDG_DATA_HOME"] = folder
    app.main(["--window", "1280x720"])


def press(folder: str, begun: float) -> None:
    """Run the table with a key press queued before the loop starts; end when the next screen is shown."""
    from table import app

    os.environ["XDG_DATA_HOME"] = folder
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    from table.ui.kiosk import start

    run = vars(start)["run"]

    def pressed(kiosk: Any, mailbox: Any, clock: Any, _: Any, service: Any) -> None:
        import pygame

        first = kiosk.scene
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE, mod=0, unicode=" "))
        run(kiosk, mailbox, clock, lambda: kiosk.scene is not first, service)
        print(time.monotonic() - begun)

    vars(start)["run"] = pressed
    app.main(["--window", "1280x720"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["idle"]:
        idle(sys.argv[2])
    elif sys.argv[1:2] == ["press"]:
        press(sys.argv[2], float(sys.argv[3]))
    else:
        main()

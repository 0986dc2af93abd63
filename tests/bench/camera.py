"""The part of `make bench` about the camera: how soon dice at rest appear on the screen, and what that costs per frame.

Its one rule: a 1280x720 film at 30 frames per second is played in real time and read by a table's camera process,
while the table draws 60 frames per second.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from tests.bench.screen import HEADLESS, SIZE, row

ROLLS = 12
EMPTY, FLIES, LIES = 60, 8, 105  # frames of the empty tray, of dice in the air, and of dice at rest
RATE = 30.0
COUNT = 3  # dice, as in PocoLoco
MORE = 3  # further frames allowed after the dice have settled
SEED = 2


def main() -> None:
    try:
        import cv2
    except ImportError:
        print("OpenCV is not installed, so the camera is skipped.")
        return
    del cv2
    os.environ.update(HEADLESS)
    from vision.settle import QUIET

    settles = 2 * math.ceil(QUIET * RATE)
    with tempfile.TemporaryDirectory() as folder:
        waits, works, read = watched(Path(folder))
    waits.sort()
    passed, own = (sorted(seconds) for seconds in zip(*works, strict=True))
    print(
        f"\n{f'Under the camera, 1280x720, {read} of {ROLLS} rolls':48} {'measured':>10} {'at most':>10} {'share':>7}"
    )
    most = 1000 * (settles + MORE) / RATE
    row("From the last moving frame to dice on the screen", 1000 * waits[len(waits) // 2], most, "ms")
    row("The slowest roll", 1000 * waits[-1], most, "ms")
    row("A frame meanwhile, p50", 1000 * passed[len(passed) // 2], None, "ms")
    row("A frame meanwhile, p99", 1000 * passed[len(passed) * 99 // 100], 12, "ms")
    row("CPU time of the main thread per frame, p99", 1000 * own[len(own) * 99 // 100], None, "ms")


def film(path: Path) -> tuple[Any, list[int]]:
    """Write a film of several rolls. Returns the tray's calibration, and each roll's first frame at rest."""
    import cv2
    import numpy as np

    from vision import simulated
    from vision.render import fixed

    rng = np.random.default_rng(SEED)
    table = fixed.set_up(rng, SIZE, unseen=False)
    written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    rests, number = [], EMPTY

    def shown(scene: Any, count: int) -> None:
        few = list(islice(fixed.lying(rng, table, scene), 4))
        for k in range(count):
            written.write(few[k % len(few)])

    shown(table.stage, EMPTY)
    for _ in range(ROLLS):
        roll = fixed.roll(rng, table, COUNT)
        for frame in fixed.flying(rng, table, roll.scene, FLIES):
            written.write(frame)
        shown(roll.scene, LIES)
        rests.append(number + FLIES)
        number += FLIES + LIES
    written.release()
    return simulated.calibration(table), rests


def watched(folder: Path) -> tuple[list[float], list[tuple[float, float]], int]:
    """Returns three things: for each roll that was read, the seconds from when the dice came to rest until the screen
    showed them; for each frame, its elapsed and CPU time; and the number of rolls that were read."""
    import pygame

    from table.config import DEFAULT
    from table.session.lineup import Seat
    from table.session.messages import CameraShows
    from table.ui.kiosk.gestures import ROLL, Tap
    from table.ui.kiosk.loop import FRAME
    from tests.tabletop import Tabletop

    known, rests = film(folder / "film.avi")
    config = replace(DEFAULT, dice=replace(DEFAULT.dice, source="camera", camera=f"video:{folder / 'film.avi'}"))
    seen: list[tuple[float, int]] = []  # when dice were shown, and the number of camera frames until then
    works: list[tuple[float, float]] = []  # elapsed time, and CPU time of the main thread
    begun = math.inf  # when the film started, estimated from the earliest frame
    frames = 0
    with Tabletop(SIZE, config, folder) as table:
        camera = table.sources["camera"].camera
        camera.calibrate(known)

        def sit() -> None:
            table.now = table.kiosk._touched = time.monotonic()
            table.sit("pocoloco", [Seat("Ann"), Seat("Bo")])

        sit()
        camera.show((400, 300))
        last, over = None, math.inf
        while frames < rests[-1] + LIES // 2:
            start, worked, now = time.perf_counter(), time.thread_time(), time.monotonic()
            table.now = now
            messages = table.mailbox.take()
            for message in messages:
                if isinstance(message, CameraShows):
                    frames += 1
                    begun = min(begun, now - (frames - 1) / RATE)
            table.kiosk._changed = True
            table.kiosk.turn(messages, [], now)
            pygame.display.flip()
            works.append((time.perf_counter() - start, time.thread_time() - worked))
            saw = table.context.devices.saw
            if saw and saw is not last and saw.state == "read":
                last = saw
                seen.append((time.monotonic(), frames))
                over = now + 0.5
            elif now >= over:
                over = math.inf
                sit()
            elif not table.scene._show.done(now):
                table.kiosk._do([Tap(ROLL)], now)
            time.sleep(max(0.0, FRAME - (time.perf_counter() - start)))
    waits = []
    for at, frame in seen:
        rest = max((rest for rest in rests if rest <= frame), default=None)
        if rest is not None:
            waits.append(at - begun - rest / RATE)
    return waits, works[120:], len(waits)


if __name__ == "__main__":
    main()

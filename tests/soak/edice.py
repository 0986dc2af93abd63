"""`python -m tests.soak.edice`: e-dice on a bad serial line, and e-dice that are unplugged during a game.

The line flips bits, adds noise, and damages, drops, repeats and delays messages. Whenever the e-dice have been
unplugged, they are plugged in again.

Its one rule: the true rolls are recorded. Every roll that the table accepts has to be one of them.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from table.config import DEFAULT
from table.devices.edice import EDice
from table.engine.asks import Choose, Roll
from table.games import GAMES, bots
from table.session.lineup import Seat
from table.session.messages import Post
from table.ui.kiosk.gestures import ROLL, Tap
from table.ui.kiosk.scenes.play import Play
from tests.edice import Cable, Firmware, Hub
from tests.soak.lines import hostile
from tests.tabletop import Tabletop

LINES, PULLS = 200_000, 100
PATIENCE = 60.0  # seconds for anything that has to happen
SHORT = {
    "mexico": {"rounds": 2},
    "bluff": {"rounds": 1},
    "pocoloco": {"chips": 2},
    "cheese": {"goal": 500},
    "cacho": {"dice": 1},
}


class Evening:
    """A table with e-dice, and a player who presses the table's button or the one on the e-dice.

    By default the e-dice are on a simulated hub and time runs as fast as possible. With `real` they are on a pty, with
    the driver's threads and the real clock.
    """

    def __init__(self, folder: Path, seed: int, device: Any = None, real: bool = False) -> None:
        self._held = ExitStack()
        self.chance = random.Random(seed)
        self.hub: Hub | None = None
        device = device or Firmware(entropy=random.Random(seed).randbytes)
        if real:
            cable = self._held.enter_context(Cable(folder / "edice", device))
            self.line, self.pull, self.put_back = cable.line, cable.pull, cable.put_back
            driver: Callable[[Post], EDice] = lambda post: EDice(post, cable.port)  # noqa: E731
        else:
            hub = self.hub = Hub()
            self.line = hub.line(device=device)
            self.pull, self.put_back = lambda: hub.pull(self.line), lambda: hub.put_back(self.line)
            self._held.callback(device.off)
            driver = hub.edice
        config = replace(DEFAULT, dice=replace(DEFAULT.dice, source="edice"))
        self.table = self._held.enter_context(Tabletop(config=config, folder=folder, edice=driver))
        self.table.context.session.dice.devices["edice"].open()
        self.taken = 0
        self.wrong: list[str] = []

    def __enter__(self) -> "Evening":
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    @property
    def history(self) -> list[Any]:
        assert self.table.session.match
        return self.table.session.match.referee.history

    def sit(self, game: str, options: dict[str, Any] | None = None) -> None:
        self._go_on()
        self.table.kiosk._touched = self.table.now
        self.table.sit(game, [Seat("Ann"), Seat("Bo")], SHORT[game] if options is None else options)

    def _go_on(self) -> None:
        if self.hub:
            self.hub.step()
        self.table.now = self.hub.now if self.hub else time.monotonic()

    def turn(self) -> None:
        self._go_on()
        if self.hub:
            self.table.turn()
        else:
            self.table.kiosk.turn(self.table.mailbox.take(), [], self.table.now)
            self.table.mailbox.wait(0.01)

    def until(self, done: Callable[[], Any], what: str) -> None:
        until = self.table.now + PATIENCE
        while not done():
            assert self.table.now < until, f"timed out waiting for {what}, while the screen showed {self.table.words}"
            self.turn()

    def run(self, seconds: float) -> None:
        until = self.table.now + seconds
        while self.table.now < until:
            self.turn()

    def press(self) -> None:
        """Press the button on the e-dice."""
        self.line.pressed = True
        self.run(0.05)
        self.line.pressed = False
        self.run(0.1)

    def go_on(self, pull: bool = False) -> bool:
        """Do the next step of the game; return False when the game is over."""
        session, scene = self.table.session, self.table.scene
        if not isinstance(scene, Play) or session.match is None:
            return False
        ask = session.match.referee.ask
        if not scene._show.done(self.table.now):
            self.table.kiosk._do([Tap(ROLL)], self.table.now)
        elif session.dice.awaited or (session.turn == "person" and isinstance(ask, Roll)):
            self._roll(pull)
        elif session.turn == "person" and isinstance(ask, Choose):
            session.choose(bots.choose("classic", session.match.referee, self.chance))
        self.turn()
        return True

    def _roll(self, pull: bool) -> None:
        session, before = self.table.session, len(self.history)
        assert session.match and isinstance(session.match.referee.ask, Roll)
        ours = (session.dice.asked or session.dice.expected) is session.dice.devices["edice"]
        if not session.dice.awaited:
            if ours and not pull and self.chance.random() < 0.5:
                self.until(lambda: self._pressed(before), "a press of the e-dice")
            else:
                self.table.kiosk._do([Tap(ROLL)], self.table.now)
        if pull and ours:
            self.run(self.chance.uniform(0, 0.9))
            self.pull()
            self.run(self.chance.uniform(0, 0.3))
            self.put_back()
        self.until(lambda: len(self.history) > before, "a roll")
        if ours:
            self.taken += 1
            device = session.dice.devices["edice"]
            assert isinstance(device, EDice)
            (ask, answer), asked = self.history[before], device.boards._last
            assert asked and asked.roll is ask
            rolled = self.line.rolled.get(asked.asked.ask)
            if answer != rolled:
                self.wrong.append(f"{answer} was accepted but {rolled} was rolled")

    def _pressed(self, before: int) -> bool:
        """Press again until it takes effect: e-dice that are still booting ignore their button."""
        if not self.table.session.dice.awaited and len(self.history) == before:
            self.press()
        return self.table.session.dice.awaited is not None or len(self.history) > before


def pulls(count: int, seed: int, device: Any = None, real: bool = False) -> tuple[Counter[str], list[str]]:
    """Unplug the e-dice and plug them in again `count` times during games, around the moment of a roll."""
    with tempfile.TemporaryDirectory() as folder, Evening(Path(folder), seed, device, real) as evening:
        evening.sit("cheese", {"goal": 10_000})
        kept: list[Any] = []
        while evening.taken < count:
            if not evening.go_on(pull=True):
                evening.sit("cheese", {"goal": 10_000})
                kept = []
            assert evening.history[: len(kept)] == kept, "something was lost"
            kept = list(evening.history)
        return Counter({"pulls": evening.taken}), evening.wrong


def games(seed: int, device: Any = None, names: Any = GAMES) -> tuple[Counter[str], list[str]]:
    """Play each of the games to its end."""
    with tempfile.TemporaryDirectory() as folder, Evening(Path(folder), seed, device) as evening:
        over: Counter[str] = Counter()
        for game in names:
            evening.sit(game)
            while evening.go_on():
                pass
            over[game] += 1
        over["rolls"] = evening.taken
        return over, evening.wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.edice", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--lines", type=int, default=LINES, help="lines to send over a hostile connection (%(default)s)"
    )
    parser.add_argument(
        "--pulls", type=int, default=PULLS, help="times to unplug the e-dice during a game (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if asked.seed is None else asked.seed
    print(f"{asked.lines} lines and {asked.pulls} pulls with seed {seed}", flush=True)
    faults: list[str] = []
    runs: list[Callable[[], tuple[Counter[str], list[str]]]] = [
        lambda: hostile(asked.lines, seed),
        lambda: pulls(asked.pulls, seed, real=True),
    ]
    for run in runs:
        counts, wrong = run()
        print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())), flush=True)
        faults += wrong
    print(*(faults or ["No wrong roll was accepted."]), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

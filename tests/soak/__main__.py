"""`make soak`: 200 kills by a seed that is said, and a summary. ARGS="1000 7" makes it 1000 with the seed 7."""

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.soak.kills import Ledger, kill

KILLS = 200
A_FOLDER = 20  # kills after which another table begins with an empty folder


def main(kills: int = KILLS, seed: int | None = None) -> None:
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    print(f"{kills} kills with seed {seed}", flush=True)
    chance = random.Random(seed)
    begun = time.monotonic()
    ledgers: list[Ledger] = []
    while (done := sum(ledger.kills for ledger in ledgers)) < kills:
        ledgers.append(Ledger())
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(min(A_FOLDER, kills - done)):
                kill(Path(folder), ledgers[-1], chance)
        played = sum(len(told.answers) for ledger in ledgers for told in ledger.matches.values())
        print(f"{sum(ledger.kills for ledger in ledgers):6} killed, {played} answers, all found", flush=True)
    told = [told for ledger in ledgers for told in ledger.matches.values()]
    games = Counter(one.game["game"] for one in told if one.answers)
    cut = sum((Counter(ledger.cut) for ledger in ledgers), Counter[str]())
    print(f"{sum(one.over is True for one in told)} of {len(told)} matches were over ({_listed(games)})")
    print(f"{sum(ledger.in_flight for ledger in ledgers)} answers were under way when the kill came, and were there")
    print(f"copies cut off anywhere opened: {_listed(cut)}")
    print(f"nothing lost, nothing twice, in {time.monotonic() - begun:.0f} seconds")


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.most_common())


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))

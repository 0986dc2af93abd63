"""`make soak`: kills a table 200 times with a random seed, which it prints. ARGS="1000 7": 1000 kills with seed 7."""

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.soak.kills import Ledger, kill

KILLS = 200
A_FOLDER = 20  # kills before the next table starts with an empty folder


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
        played = sum(len(reported.answers) for ledger in ledgers for reported in ledger.matches.values())
        print(f"{sum(ledger.kills for ledger in ledgers):6} killed, {played} answers, all found again", flush=True)
    reported = [reported for ledger in ledgers for reported in ledger.matches.values()]
    games = Counter(one.game["game"] for one in reported if one.answers)
    cut = sum((Counter(ledger.cut) for ledger in ledgers), Counter[str]())
    print(f"{sum(one.over is True for one in reported)} of {len(reported)} matches were finished ({_listed(games)})")
    print(
        f"{sum(ledger.in_flight for ledger in ledgers)} answers were stored just before the kill and not yet reported"
    )
    print(f"truncated copies opened: {_listed(cut)}")
    print(f"nothing lost and nothing duplicated in {time.monotonic() - begun:.0f} seconds")


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.most_common())


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))

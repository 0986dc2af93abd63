"""How well `perfect` plays Cacho against `sharp`, which uses only the odds. They play rounds with five dice each, and
whole games in which one `perfect` meets several `sharp` players. `python -m tests.bench.cacho [--rounds N]`, also part
of `make bench`."""

import argparse
import random
import sys
from math import sqrt
from typing import Any

from table import games
from table.engine import referee
from table.engine.asks import Choose, Over
from table.games import bots

ROUNDS = 20_000
GAMES = 100  # each larger table plays one whole game per this many rounds
NORMAL = 2.576  # the quantile for 99% confidence


def play(levels: list[str], match: referee.Referee, chance: random.Random, rounds: int) -> None:
    """Play until the game is over or this many rounds have been played."""
    while not isinstance(ask := match.ask, Over) and match.table.round <= rounds:
        if isinstance(ask, Choose):
            match.answer(bots.choose(levels[ask.seat], match, chance))
        else:
            match.answer(match.drawn(chance))


def round_score(number: int, options: dict[str, Any]) -> float:
    """One round of `perfect` against `sharp`: 1 if `perfect` comes out ahead, 0.5 if nothing changes.

    In four consecutive rounds, `perfect` plays each seat twice, once as the starter and once not."""
    seat, starter = number % 2, number // 2 % 2
    levels = ["sharp", "sharp"]
    levels[seat] = "perfect"
    match = games.new("cacho", levels, options, number)
    for each in (0, 1):
        match.answer((6 if each == starter else 1,))
    before = list(match.table.standing)
    play(levels, match, random.Random(number), rounds=1)
    change = [after - dice for after, dice in zip(match.table.standing, before, strict=True)]
    return float(1 + change[seat] - change[1 - seat]) / 2


def game_won(seats: int, number: int) -> bool:
    """Whether one `perfect` player wins a game against `sharp` players."""
    levels = ["sharp"] * seats
    levels[number % seats] = "perfect"
    match = games.new("cacho", levels, {}, number)
    play(levels, match, random.Random(number), rounds=sys.maxsize)
    assert isinstance(match.ask, Over)
    return match.ask.winners == (number % seats,)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cacho", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of five dice against five ({ROUNDS})")
    rounds = parser.parse_args(arguments).rounds
    print(f"{'Perfect Cacho against the plain odds':48} {'scores':>8} {'+-':>8} {'wanted':>8}")
    for raising in ("strict", "classic"):
        scored = sum(round_score(number, {"raise": raising}) for number in range(rounds))
        _row(f"{rounds:,} rounds, five dice each, raise {raising}", scored / rounds, rounds, 0.55)
    for seats in (3, 4, 5, 6):
        games = max(rounds // GAMES, seats)
        won = sum(game_won(seats, number) for number in range(games))
        _row(f"{games:,} games of one among {seats - 1} sharps", won / games, games, 1 / seats)


def _row(name: str, share: float, tries: int, wanted: float) -> None:
    print(f"{name:48} {share:8.1%} {NORMAL * sqrt(share * (1 - share) / tries):>7.1%}  {wanted:8.1%}", flush=True)


if __name__ == "__main__":
    main()

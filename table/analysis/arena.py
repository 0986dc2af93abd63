"""Contests between computer players, played on all cores (`dicetable arena`).

Each game depends only on the contest's seed and the game's number, so it does not matter how games are shared among
cores.
"""

import multiprocessing
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, sqrt
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from statistics import NormalDist
from typing import Any, NamedTuple, cast

from table import games
from table.engine.asks import Choose, Game, Over
from table.engine.errors import Closed, Refused, did_you_mean, shown
from table.engine.options import in_force
from table.games import bots
from table.session.match import Seating, begin

MOST_GAMES = 10**9
CONFIDENCE = 0.99
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_REPORT = 0.1  # seconds between a worker's reports

Tally = Counter[tuple[int, ...]]
"""The number of games won by each set of entrants. If a win was shared, its set has several entrants."""


@dataclass(frozen=True)
class Contest:
    """Which levels play which game, and how often. Entrants are numbered by their places in `levels`;
    their seats change from game to game."""

    game: str
    levels: tuple[str, ...]
    options: Mapping[str, Any]
    games: int
    seed: int

    @property
    def names(self) -> list[str]:
        """The entrants' names. If a level plays more than once, its entrants are numbered."""
        seen = [self.levels[: place + 1].count(level) for place, level in enumerate(self.levels)]
        return [level if nth == 1 else f"{level} #{nth}" for level, nth in zip(self.levels, seen, strict=True)]


class Result(NamedTuple):
    """The result of one entrant: its wins, including its share of each shared win, and the confidence interval of its
    win rate."""

    name: str
    level: str
    wins: Fraction
    share: float
    low: float
    high: float


class Verdict(NamedTuple):
    """Whether an entrant's lead over the next one in the ranking is significant, or how many games might make it so."""

    ahead: str
    behind: str
    beyond_chance: bool
    games_to_tell: int | None


def contest(game: Game, levels: Sequence[str], options: Mapping[str, Any], games: int, seed: int) -> Contest:
    """The contest with these values. If a value is invalid, raises Refused, which says what would be valid."""
    words = tuple(level.strip().casefold() for level in levels)
    known = bots.levels(game.id)
    for word in words:
        if word not in known:
            hint = did_you_mean(word, known)
            raise Refused(f"There is no level {shown(word)}.{hint} The levels are {', '.join(known)}.")
    if len(words) < 2:
        raise Refused(f"An arena needs at least two levels. Name another one after {words[0]}.")
    if not 1 <= games <= MOST_GAMES:
        raise Refused(f"The number of games must be from 1 to {MOST_GAMES}, not {shown(games)}.")
    first = begin(game, Seating(tuple(seat_names(len(words))), words), options, seed)
    return Contest(game.id, words, in_force(first.options), games, seed)


def seat_names(seats: int) -> list[str]:
    return [f"Seat {seat}" for seat in range(1, seats + 1)]


def seating(contest: Contest, number: int) -> list[int]:
    """The entrant at each seat in this game. Games come in blocks, with as many games in a block as there are seats.
    Within a block, every entrant plays once at every seat. Each block begins with a new random order."""
    block, turn = divmod(number, len(contest.levels))
    entrants = list(range(len(contest.levels)))
    random.Random(f"{contest.seed} seats {block}").shuffle(entrants)
    return entrants[turn:] + entrants[:turn]


def winners(contest: Contest, number: int) -> tuple[int, ...]:
    """Plays one game and returns the entrants that won it."""
    seats = seating(contest, number)
    seed = random.Random(f"{contest.seed} game {number}").getrandbits(53)
    game = games.new(contest.game, seat_names(len(seats)), contest.options, seed)
    while not isinstance(ask := game.ask, Over):
        if isinstance(ask, Choose):
            game.answer(bots.choose(contest.levels[seats[ask.seat]], game))
        else:
            game.answer(game.drawn())
    return tuple(sorted(seats[seat] for seat in ask.winners))


def cores() -> int:
    """The number of cores that this process can use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def played(contest: Contest, workers: int) -> Generator[Tally, None, None]:
    """Plays all games and repeatedly yields the wins so far. Closing the generator ends the workers."""
    spawn = multiprocessing.get_context("spawn")
    running: dict[Connection, BaseProcess] = {}  # the workers, by our end of each worker's pipe
    try:
        with _without_interrupts():
            for first in range(workers):
                ours, theirs = spawn.Pipe(duplex=False)
                worker = spawn.Process(target=_work, args=(contest, first, workers, theirs), daemon=True)
                worker.start()
                running[ours] = worker
                theirs.close()
        yield from _gathered(running)
    finally:
        for ended in running.values():
            ended.terminate()
        for pipe, ended in running.items():
            ended.join()
            pipe.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """At a terminal, Ctrl-C reaches all processes. Processes started in this block never receive it. This process
    receives it when the block ends."""
    if (
        sys.platform == "win32"
    ):  # Windows has no signal masks, so workers only start ignoring Ctrl-C once they are running
        yield
        return
    resource_tracker.ensure_running()  # starting the tracker unblocks SIGINT, so start it first
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _gathered(running: Mapping[Connection, BaseProcess]) -> Generator[Tally, None, None]:
    total: Tally = Counter()
    listening = list(running)
    while listening:
        for pipe in cast("list[Connection]", wait(listening)):
            try:
                told: Tally | str = pipe.recv()
            except EOFError:
                listening.remove(pipe)
                running[pipe].join()
                if running[pipe].exitcode:
                    raise Closed("A worker process was killed, so the arena has stopped. Try again.") from None
                continue
            if isinstance(told, str):
                raise Closed(told)
            total += told
        yield total


def _work(contest: Contest, first: int, step: int, pipe: Connection) -> None:
    """Plays every `step`-th game. Each worker keeps its loaded tables and caches from game to game."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    won: Tally = Counter()
    due = time.monotonic() + _REPORT
    try:
        for number in range(first, contest.games, step):
            try:
                won[winners(contest, number)] += 1
            except Exception as why:
                said = str(why) if isinstance(why, Refused) else f"{type(why).__name__}, {why}."
                pipe.send(f"Game {number + 1} of seed {contest.seed} cannot be played: {said}")
                return
            if time.monotonic() >= due:
                pipe.send(won)
                won, due = Counter(), time.monotonic() + _REPORT
        pipe.send(won)
    except OSError:
        pass  # the main process has ended


def results(contest: Contest, won: Tally) -> list[Result]:
    """The entrants from best to worst."""
    found = []
    for entrant, (name, level) in enumerate(zip(contest.names, contest.levels, strict=True)):
        wins = sum((Fraction(games, len(who)) for who, games in won.items() if entrant in who), Fraction(0))
        share = float(wins / won.total())
        found.append(Result(name, level, wins, share, *interval(share, won.total())))
    return sorted(found, key=lambda result: -result.wins)


def interval(share: float, games: int) -> tuple[float, float]:
    """Wilson's confidence interval."""
    spread = _Z * _Z / games
    middle = (share + spread / 2) / (1 + spread)
    reach = sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def verdicts(contest: Contest, won: Tally) -> list[Verdict]:
    """The verdict on each pair of neighbours in the ranking, based on the games that exactly one of them won."""
    names = contest.names
    order = [names.index(result.name) for result in results(contest, won)]
    found = []
    for one, other in pairwise(order):
        mine = sum(games for who, games in won.items() if one in who and other not in who)
        yours = sum(games for who, games in won.items() if other in who and one not in who)
        certain, games = told_apart(mine, yours, won.total())
        found.append(Verdict(names[one], names[other], certain, games))
    return found


def told_apart(mine: int, yours: int, games: int) -> tuple[bool, int | None]:
    """Whether the lead is significant (sign test). If not, also the number of games after which it would be significant
    if the win rates stayed the same, or None if that number cannot be estimated."""
    lead = mine - yours
    if lead <= 0:
        return False, None
    if (lead - 1) ** 2 >= _Z * _Z * (mine + yours):
        return True, None
    needed = ceil(games * _Z * _Z * (mine + yours) / lead**2)
    return False, needed if games < needed <= 100 * games else None


def as_json(contest: Contest, won: Tally, seconds: float, workers: int) -> dict[str, Any]:
    """All results, for programs."""
    games = won.total()
    return {
        "game": contest.game,
        "options": dict(contest.options),
        "seed": contest.seed,
        "games": games,
        "wanted": contest.games,
        "seconds": round(seconds, 3),
        "games_per_second": round(games / seconds, 1),
        "cores": workers,
        "confidence": CONFIDENCE,
        "entrants": [{**result._asdict(), "wins": float(result.wins)} for result in results(contest, won)],
        "verdicts": [verdict._asdict() for verdict in verdicts(contest, won)],
    }

"""Helpers that play games in tests."""

from collections.abc import Sequence
from math import comb
from typing import Any

from hypothesis import settings

from table import games
from table.engine.asks import Choose, Draw, Event, Over, Roll
from table.engine.referee import Referee
from table.games import bots


def examples(part: float) -> settings:
    """Settings with this share of the usual number of examples, for tests in which each example is a whole game."""
    return settings(max_examples=max(3, round(settings().max_examples * part)))


def start(game: str, seats: int = 2, **options: Any) -> Referee:
    """A new game with this many seats. Write the option `raise` as `raise_`."""
    named = {name.rstrip("_"): value for name, value in options.items()}
    return games.new(game, [f"P{seat}" for seat in range(seats)], named, seed=1)


def feed(game: Referee, *answers: Any) -> list[Event]:
    """Give these answers in order; return the events of the last one."""
    events: list[Event] = []
    for answer in answers:
        events = game.answer(answer)
    return events


def at_random(game: Referee, chance: Any) -> Any:
    """A random answer to the current ask."""
    match game.ask:
        case Roll(_, count):
            return tuple(chance.choices(range(1, 7), k=count))
        case Choose(_, options):
            return chance.choice(options)
        case Draw("order", candidates):
            return tuple(chance.sample(candidates, len(candidates)))
        case Draw(_, candidates):
            return (chance.choice(candidates),)
    raise AssertionError("the game is over")


def played(game: str, levels: Sequence[str], seed: int, **options: Any) -> Referee:
    """A whole game between computers of these levels."""
    match = games.new(game, [f"P{seat}" for seat in range(len(levels))], options, seed)
    while not isinstance(ask := match.ask, Over):
        if isinstance(ask, Choose):
            match.answer(bots.choose(levels[ask.seat], match))
        else:
            match.answer(match.drawn())
    return match


def wins(game: str, better: str, worse: str, games: int, seats: int = 2, **options: Any) -> int:
    """How many games the better level wins when the worse one has all other seats. The better level takes each seat in
    turn."""
    won = 0
    for seed in range(games):
        levels = [better if seat == (seed + 1) % seats else worse for seat in range(seats)]
        won += levels[played(game, levels, seed, **options).ask.winners[0]] == better  # type: ignore[union-attr]
    return won


def by_luck(won: int, games: int) -> float:
    """The probability that one of two equal players wins at least this many games."""
    return sum(comb(games, k) for k in range(won, games + 1)) / 2**games

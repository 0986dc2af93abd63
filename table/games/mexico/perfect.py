"""Mexico solved: exactly for two seats, by lives, rounds and who leads. No table is stored: rounds are solved when
needed.

A round between two seats is solved with its stakes given: the leader's probability of winning the game after each
possible result. The stakes come from the rounds that follow. While three or more seats have lives, each round is played
to avoid losing it, and the probability of winning the game is estimated from the lives.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import exp, prod
from typing import Any, NamedTuple

import numpy as np

from table.engine.asks import Option, View
from table.engine.customs import round_from
from table.games.mexico import bots as mexico
from table.games.mexico.bots import BEST, NEAR, WAYS, choice, hopes
from table.games.mexico.rules import MEXICO, MOST_ROLLS, rank

Table = np.ndarray[Any, Any]

SETTLED = 1e-13


class Stakes(NamedTuple):
    """The leader's probability of winning the game after winning, tying or losing a round, without and with a Mexico in
    it.

    The values can also be Fractions, or arrays with one entry per round.
    """

    won: Any
    tied: Any
    lost: Any
    mexico_won: Any
    mexico_tied: Any
    mexico_lost: Any


def perfect(view: View, options: Sequence[Option]) -> list[float]:
    """Maximizes the probability of winning the game. If both options are equally good, plays like sharp."""
    if len(_playing(view)) > 2:
        return mexico.sharp(view, options)
    worth = _worth(view)
    if abs(worth["roll"] - worth["end"]) <= NEAR:
        return mexico.sharp(view, options)
    return [float(worth[str(option)] == max(worth.values())) for option in options]


def win(view: View, options: Sequence[Option]) -> list[float]:
    worth = _estimate(view) if len(_playing(view)) > 2 else _worth(view)
    return [worth[str(option)] for option in options]


def fair(view: View) -> float:
    options = view["options"]
    if options["mode"] == "elimination":
        return 1 / len(view["players"])
    lives, rounds = options["lives"], options["rounds"]
    if options["goal"] == "survive":
        house, challenger = _survival(lives, rounds)[-1, -1]
    else:
        race = _race(max(lives, rounds))
        challenger, house = race[rounds, lives], race[lives, rounds]
    wins = float(1 + challenger - house) / 2
    return wins if view["seat"] == 0 else 1 - wins


def _playing(view: View) -> list[int]:
    """The seats that are not out. They include the house of a challenge, which has no lives to lose."""
    return [seat for seat, lives in enumerate(view["standing"]) if lives != 0]


# A round between two


def leading(stakes: Stakes) -> list[Table]:
    """The leader's probability of winning the game if it ends on each rank (inner) after each roll of the turn
    (outer)."""
    ways, ends = _second(stakes)
    # The second roller's probability of winning before its turn, by its number of rolls.
    second = hopes(ways, [ends] * MOST_ROLLS, np.maximum)[::-1]
    for fewer in second[:-1]:
        fewer[-1] = second[-1][-1]  # a leader's Mexico does not limit the rolls
    return [1 - hope for hope in second]


def leader_has(stakes: Stakes) -> Any:
    """The leader's probability of winning the game before the round, if both play perfectly."""
    return hopes(WAYS, leading(stakes), np.maximum)[0]


def _second(stakes: Stakes) -> tuple[list[Table], list[Table]]:
    """The second roller's turn, by the rank to beat: how many rolls are below it, equal to it, above it, or a Mexico,
    and what each of these is worth to the second roller. Against a Mexico, an equal roll counts as a Mexico."""
    to_beat = np.arange(1, BEST + 1).reshape(-1, *[1] * np.ndim(stakes.won))
    led_mexico = to_beat == BEST
    ends = [
        1 - np.where(led_mexico, stakes.mexico_won, stakes.won),
        1 - np.where(led_mexico, stakes.mexico_tied, stakes.tied),
        1 - np.where(led_mexico, stakes.mexico_lost, stakes.lost),
        1 - np.where(led_mexico, stakes.mexico_tied, stakes.mexico_lost),
    ]
    return [ways[to_beat - 1] for ways in _WAYS_AGAINST], ends


_AT = np.array(WAYS)
_BELOW = np.cumsum(_AT) - _AT
_MEXICO = np.full(BEST, WAYS[-1])
_EQUAL = np.where(np.arange(BEST) == BEST - 1, 0, _AT)
_WAYS_AGAINST = (_BELOW, _EQUAL, 36 - _BELOW - _EQUAL - _MEXICO, _MEXICO)


# Games of two seats: tables of the leader's probability of winning, computed by solving every round


@cache
def _survival(lives: int, rounds: int) -> Table:
    """The leader's probability of winning a challenge with the goal survive: by the challenger's lives, the rounds
    left, and whether the challenger leads."""
    chance = np.zeros((lives + 1, rounds + 1, 2))
    chance[0, :, 0] = chance[1:, 0, 1] = 1
    return _settled(chance, lambda lives, left, leads: _to_survive(chance, lives, left, leads))


def _to_survive(chance: Table, lives: Any, left: Any, leads: Any) -> Stakes:
    won = 1 - chance[lives - 1 + leads, left - 1, 1 - leads]
    lost = chance[lives - leads, left - 1, leads]
    return _plain(won, (1 + chance[lives, left - 1, leads] - chance[lives, left - 1, 1 - leads]) / 2, lost)


@cache
def _race(rounds: int) -> Table:
    """The leader's probability of winning a challenge with the goal win: by the rounds that the leader and the other
    seat must still win. The house must win one round for each of the challenger's lives."""
    chance = np.zeros((rounds + 1, rounds + 1))
    chance[0] = 1
    return _settled(chance, lambda mine, theirs: _to_race(chance, mine, theirs))


def _to_race(chance: Table, mine: Any, theirs: Any) -> Stakes:
    won, lost = 1 - chance[theirs, mine - 1], chance[mine, theirs - 1]
    return _plain(won, (1 + chance[mine, theirs] - chance[theirs, mine]) / 2, lost)


@cache
def _duel(lives: int, double: bool) -> Table:
    """The leader's probability of winning an elimination between two seats: by the leader's lives and the other
    seat's."""
    chance = np.zeros((lives + 1, lives + 1))
    chance[:, 0] = 1
    return _settled(chance, lambda mine, theirs: _to_duel(chance, mine, theirs, double))


def _to_duel(chance: Table, mine: Any, theirs: Any, double: bool) -> Stakes:
    def at_cost(lives: int) -> tuple[Any, Any, Any]:
        won = 1 - chance[np.maximum(theirs - lives, 0), mine]
        lost = chance[np.maximum(mine - lives, 0), theirs]
        return won, (won + lost) / 2, lost

    return Stakes(*at_cost(1), *at_cost(2 if double else 1))


def _plain(won: Any, tied: Any, lost: Any) -> Stakes:
    return Stakes(won, tied, lost, won, tied, lost)


def _settled(chance: Table, stakes: Callable[..., Stakes]) -> Table:
    """Fills the table by solving every round. The stakes of a round come from the same table. If one of the first two
    indices is 0, the game is over. Every round lowers the sum of these indices, except that a tie can leave it
    unchanged. So the table is solved from the end of the game, and parts that have converged are not solved again."""
    states = np.indices(chance.shape)[:, 1:, 1:].reshape(chance.ndim, -1)
    to_go = states[0] + states[1]
    least = most = to_go.min()
    while least <= to_go.max():
        some = (least <= to_go) & (to_go <= most)
        played = tuple(states[:, some])
        before, chance[played] = chance[played], leader_has(stakes(*played))
        least = to_go[some][np.abs(chance[played] - before) >= SETTLED].min(initial=most + 1)
        most += 1
    return chance


def _worth(view: View) -> dict[str, float]:
    """In a game between two, the seat's probability of winning after ending and after rolling again."""
    stakes = _stakes(view)
    led = view["scores"][view["leader"]]
    if led is None:
        return choice(view, _leading(stakes))
    to_beat = rank(divmod(led, 10))
    below, equal, above, best = (float(end[to_beat - 1]) for end in _second(stakes)[1])
    ends = [*[below] * (to_beat - 1), equal, *[above] * (BEST - to_beat - 1), best][:BEST]
    return choice(view, [ends] * view["limit"])


@lru_cache(maxsize=1000)
def _leading(stakes: Stakes) -> list[list[float]]:
    return [line.tolist() for line in leading(stakes)]


def _stakes(view: View) -> Stakes:
    options, standing, leader = view["options"], view["standing"], view["leader"]
    (other,) = (seat for seat in _playing(view) if seat != leader)
    if options["mode"] == "elimination":
        chance = _duel(options["lives"], options["double"])
        return _to_duel(chance, standing[leader], standing[other], options["double"])
    lives, rounds = options["lives"], options["rounds"]
    if options["goal"] == "survive":
        chance = _survival(lives, rounds)
        return _to_survive(chance, standing[0], rounds - view["round"] + 1, int(leader == 0))
    to_win = rounds - view["won"][0], standing[0]
    return _to_race(_race(max(lives, rounds)), to_win[leader], to_win[other])


# More than two seats


def _estimate(view: View) -> dict[str, float]:
    """The seat's probability of winning after each option: it combines the probability of not losing the round with an
    estimate from the lives afterwards. If this seat does not lose, the others still in danger are assumed to be equally
    likely to lose."""
    seat, scores = view["seat"], view["scores"]
    done = [rank(divmod(read, 10)) for read in scores if read is not None]
    in_danger = [
        other
        for other in _playing(view)
        if other != seat and (scores[other] is None or rank(divmod(scores[other], 10)) == min(done))
    ]
    cost = 2 if view["options"]["double"] and MEXICO in scores else 1
    otherwise = sum(_after(view, other, cost) for other in in_danger) / len(in_danger)
    lost = _after(view, seat, cost)
    return {option: safe * otherwise + (1 - safe) * lost for option, safe in mexico.odds(view).items()}


def _after(view: View, loser: int, cost: int) -> float:
    """The seat's probability of winning, after the seat `loser` has lost a round among three or more."""
    seat, lives, options = view["seat"], list(view["standing"]), view["options"]
    lives[loser] = max(0, lives[loser] - cost)
    alive = [each for each in range(len(lives)) if lives[each]]
    if seat not in alive:
        return 0.0
    if len(alive) > 2:
        return _last_alive(lives[seat], tuple(sorted(lives[each] for each in alive if each != seat)))
    leader, second = [each for each in round_from(loser, range(len(lives))) if lives[each]]
    chance = float(_duel(options["lives"], options["double"])[lives[leader], lives[second]])
    return chance if seat == leader else 1 - chance


STEP = 0.125  # time step of the clocks in the model
LONG = 40.0  # the time at which almost no seat has a life left


@lru_cache(maxsize=1000)
def _last_alive(mine: int, others: tuple[int, ...]) -> float:
    """The probability of being the last seat with lives, if all seats lose lives at the same rate. In the model, an
    independent clock takes each seat's lives, and the seat whose clock finishes last wins."""
    outlived = [_gone(lives) for lives in others]
    alone = zip(_gone(mine), _gone(mine)[1:], strict=False)
    return sum(
        (later - sooner) * prod((line[step] + line[step + 1]) / 2 for line in outlived)
        for step, (sooner, later) in enumerate(alone)
    )


@cache
def _gone(lives: int) -> list[float]:
    """For each time step, the probability that all lives are gone if one is lost per time unit on average."""
    line = []
    for step in range(int(LONG / STEP) + 1):
        time = step * STEP
        terms = accumulate(range(1, lives), lambda term, k: term * time / k, initial=exp(-time))  # noqa: B023
        line.append(1 - sum(terms))
    return line

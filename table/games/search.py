"""The level `search`: plays many random games starting with each option, and selects the option that wins most often.

It needs only the rules. The rules run as a Python generator, which cannot be copied, so each playout first replays the
answers that the game has had so far. These answers include any hidden dice, so games with hidden dice are refused.

The cost of a decision is limited by a number of asks, not by time, so that the choice is the same on any machine. The
budget is spent by successive halving: all options get the same number of playouts, the worse half is dropped, and so
on. In each round of playouts a seat gets the same random numbers after every option, so fewer playouts are needed to
tell options apart.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import ceil, log2
from random import Random
from typing import Any

from table.engine import options as game_options
from table.engine.asks import Answer, Ask, Choose, Game, Roll, Table
from table.engine.errors import Refused, RuleFailed
from table.engine.referee import Referee
from table.games import GAMES

BUDGET = 20_000
"""The number of asks answered for one decision."""
LONGEST = 2_000
"""The number of asks after which a playout counts as a tie of all seats."""
PROBES, PROBE = 5, 500
"""The number of random games, and of asks in each, that are played to detect hidden dice."""


class Silent(Table):
    """Drops all events, because nothing reads them in a playout."""

    def tell(self, kind: str, /, **facts: Any) -> None:
        pass


def weighing(referee: Referee) -> Callable[[], list[float]]:
    """Returns a function that gives 1 for the best option and 0 for the others. Everything that the function
    needs from the referee is copied beforehand."""
    ask, history = referee.ask, referee.history
    assert isinstance(ask, Choose)
    if any(map(_hides, (asked for asked, _ in history))) or _any_hidden(referee.table):
        raise Refused(f"Search cannot play {referee.game.name} with hidden dice, because it would see all of them.")
    answers, seats = [answer for _, answer in history], len(referee.players)
    return partial(_best, referee.game, referee.options, seats, answers, ask, referee.chance("search"))


def _best(game: Game, options: Any, seats: int, answers: list[Answer], ask: Choose, chance: Random) -> list[float]:
    left = list(range(len(ask.options)))
    won, played, spent = [0.0] * len(left), [0] * len(left), 0
    rounds = ceil(log2(len(left)))
    for number in range(1, rounds + 1):
        while spent < BUDGET * number / rounds:
            seed = chance.getrandbits(32)
            chance.shuffle(left)  # so that their order does not matter in a tie or when the budget runs out
            for at in left:
                if spent < BUDGET:
                    path = [*answers, ask.options[at]]
                    share, asks = playout(game, options, seats, path, ask.seat, seed)
                    won[at] += share
                    played[at] += 1
                    spent += asks
        left.sort(key=lambda at: (won[at] / max(1, played[at]), played[at]), reverse=True)
        left = left[: (len(left) + 1) // 2]
    return [float(at == left[0]) for at in range(len(ask.options))]


def playout(game: Game, options: Any, seats: int, answers: Sequence[Answer], seat: int, seed: int) -> tuple[float, int]:
    """Plays on at random from these answers. Returns the seat's share of the win, and the total number of asks."""
    streams = [Random(seed * (seats + 1) + each).random for each in range(seats + 1)]  # one per seat, one for the table
    answered = len(answers)
    try:
        steps = game.play(Silent(seats), options)
        next(steps)
        for answer in answers:
            ask = steps.send(answer)
        while answered < len(answers) + LONGEST:
            ask = steps.send(_at_random(ask, streams))
            answered += 1
    except StopIteration as end:
        return (seat in end.value) / len(end.value), answered
    except Exception as fault:
        raise RuleFailed(game.name, game.package, fault) from fault
    return 1 / seats, answered


def _at_random(ask: Ask, streams: Sequence[Callable[[], float]]) -> Answer:
    """A random answer. Each stream yields numbers from 0 to 1: one stream per seat, and the last for the table."""
    if isinstance(ask, Choose):
        return ask.options[int(streams[ask.seat]() * len(ask.options))]
    if isinstance(ask, Roll):
        number = streams[ask.seat]
        return tuple([1 + int(6 * number()) for _ in range(ask.count)])
    shuffled = sorted(ask.candidates, key=lambda _: streams[-1]())
    return tuple(shuffled[:1] if ask.kind == "pick" else shuffled)


@cache
def hides_dice(game_id: str) -> bool:
    """Whether any dice are hidden in a few random games with the default options."""
    game = GAMES[game_id]
    seats = game.seat_limits(game.options())[0]
    options = game_options.check(game.options, {}, seats)
    for seed in range(PROBES):
        streams = [Random(seed).random] * (seats + 1)
        table = Silent(seats)
        try:
            steps = game.play(table, options)
            ask = next(steps)
            for _ in range(PROBE):
                if _hides(ask) or _any_hidden(table):
                    return True
                ask = steps.send(_at_random(ask, streams))
        except StopIteration:
            pass
        except Exception:  # `search` cannot play rules that fail
            return True
    return False


def _hides(ask: Ask) -> bool:
    return isinstance(ask, Roll) and ask.hidden


def _any_hidden(table: Table) -> bool:
    return any(None in dice for dice in table.hands.seen_by(None))

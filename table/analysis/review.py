"""Reviews a seat's decisions: what a perfect player would have chosen, and what the difference cost.

A decision is judged by what its seat could know at the time. What happened afterwards is luck.

Everything is measured as the probability of winning the game. A decision costs the difference between the best option
and the chosen one. All other changes are luck: the dice, the draws, and the other players' choices. So the initial
probability, plus all luck, minus all costs, is the result.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from table.engine.asks import Ask, Choose, Option, Over, View
from table.engine.errors import Refused
from table.engine.options import SEATS, named
from table.engine.referee import Referee, option_to_json
from table.games import bots

SLIP = 0.0005
"""The smallest cost that counts as a mistake in a solved game."""
ROUGH_SLIP = 0.01
"""The smallest cost that counts as a mistake in other games, where probabilities are only estimates."""


@dataclass(frozen=True)
class Decision:
    answer: int  # index among the game's answers
    view: View  # the seat's private view
    chosen: Option
    best: Option
    win: float  # the probability of winning after the chosen option
    best_win: float  # the probability of winning after the best option
    luck: float  # the change in the winning probability since the seat's last decision
    slip: bool  # whether it was a mistake

    @property
    def cost(self) -> float:
        return self.best_win - self.win


@dataclass(frozen=True)
class Review:
    seat: int
    solved: bool  # whether the probabilities are exact; otherwise they are the perfect level's estimates
    start: float  # the seat's winning probability before the first roll of the game
    decisions: tuple[Decision, ...]
    over: bool
    result: float  # 1 for a win, 1/n if n seats share the win, else 0; before the end, the probability of winning
    alone: bool  # a solo game, which has no opponent to beat
    cup: bool  # the seat had a real cup: decisions based on hidden dice under it cannot be judged
    known: bool  # the game has a perfect level; without one, no decision is judged

    @property
    def cost(self) -> float:
        return sum(decision.cost for decision in self.decisions)

    @property
    def luck(self) -> float:
        return self.result - self.start + self.cost

    @property
    def slips(self) -> list[Decision]:
        """The mistakes, most expensive first."""
        return sorted((each for each in self.decisions if each.slip), key=lambda each: -each.cost)


@dataclass(frozen=True)
class Progress:
    judged: int
    count: int  # number of decisions to judge

    @property
    def number(self) -> int:
        """The number of the decision being judged, from 1."""
        return min(self.judged + 1, self.count)


def review(game: Referee, seat: int) -> Review:
    return _concluded(game, seat, tuple(decisions(game, seat)))


def reviewing(game: Referee, seats: Sequence[int]) -> Iterator[Progress | Review]:
    """Reviews the seats one after another. Judging a decision takes a moment, so this yields the progress at the start
    and after each decision, and each seat's review as soon as it is ready."""
    judged, count = 0, sum(_decides(ask, seat) for seat in seats for ask, _ in game.history)
    yield Progress(judged, count)
    for seat in seats:
        found = []
        for decision in decisions(game, seat):
            found.append(decision)
            judged += 1
            yield Progress(judged, count)
        yield _concluded(game, seat, tuple(found))


def _concluded(game: Referee, seat: int, found: tuple[Decision, ...]) -> Review:
    """Builds the review from the seat's decisions."""
    if not 0 <= seat < len(game.players):
        raise Refused(f"There is no seat {seat}. The seats are 0 to {len(game.players) - 1}.")
    view = _again(game).view(seat)
    known = bots.has_perfect(game.game.id)
    start = bots.fair(view) if known else 1 / len(game.players)
    result = found[-1].win if found else start
    if isinstance(game.ask, Over):
        result = 1 / len(game.ask.winners) if seat in game.ask.winners else 0.0
    return Review(
        seat,
        bots.solved(view["game"], view["options"], len(game.players)),
        start,
        found,
        isinstance(game.ask, Over),
        result,
        len(game.players) == 1,
        any(seat in view["options"][name] for name in named(game.game.options, SEATS)),
        known,
    )


def decisions(game: Referee, seat: int) -> Iterator[Decision]:
    """Yields the decisions one by one, because each takes a moment to judge. Yields none if the game has no perfect
    level."""
    if not bots.has_perfect(game.game.id):
        return
    again = _again(game)
    chance: float | None = None
    for place, (ask, answer) in enumerate(game.history):
        view = again.view(seat)
        if _decides(ask, seat) and None not in view["dice"][seat]:
            if chance is None:
                chance = bots.fair(view)
            found = _judged(place, view, ask, answer, chance)  # type: ignore[arg-type]  # it is a choice
            chance = found.win
            yield found
        again.answer(answer)


def _decides(ask: Ask, seat: int) -> bool:
    """Whether the ask is a decision for the seat. A forced move is not a decision."""
    return isinstance(ask, Choose) and ask.seat == seat and len(ask.options) > 1


def _judged(place: int, view: View, ask: Choose, chosen: Option, before: float) -> Decision:
    fine = SLIP if bots.solved(view["game"], view["options"], len(view["players"])) else ROUGH_SLIP
    wins = bots.win(view, ask.options)
    most, win, best = max(wins), wins[ask.options.index(chosen)], chosen
    slip = most - win >= fine
    if not slip:
        win = most
    else:  # among the best options, take the perfect level's most frequent choice
        chances = bots.policy("perfect", view, ask.options)
        good = [at for at, each in enumerate(wins) if most - each < fine]
        best = ask.options[max(good, key=lambda at: (chances[at], wins[at]))]
    return Decision(place, view, chosen, best, win, most, most - before, slip)


def _again(game: Referee) -> Referee:
    return Referee(game.game, game.players, game.options, game.seed)


def as_json(game: Referee, found: Review) -> dict[str, Any]:
    return {
        "game": game.game.id,
        "seat": found.seat,
        "name": game.players[found.seat],
        "solved": found.solved,
        "over": found.over,
        "start": found.start,
        "luck": found.luck,
        "cost": found.cost,
        "result": found.result,
        "decisions": [
            {
                "answer": each.answer,
                "round": each.view["round"],
                "chosen": option_to_json(each.chosen),
                "best": option_to_json(each.best),
                "win": each.win,
                "best_win": each.best_win,
                "cost": each.cost,
                "luck": each.luck,
            }
            for each in found.decisions
        ],
    }

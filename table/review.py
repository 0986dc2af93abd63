"""How somebody played: each decision of a seat, what perfect would have done, and what the difference cost.

Its one rule: a decision is judged by what its seat could know when it was made. What happened afterwards is luck.

All is told in chances to win the game. A decision costs what the best option had more than the one that was chosen.
Everything else that moves the chance is luck: the dice, the draws, and what the others do. So the chance at the start,
plus all the luck, minus all that was given away, is the result.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from table import bots, referee
from table.errors import Refused
from table.referee import Referee, option_to_json
from table.rules.vocabulary import Choose, Option, Over, View

SLIP = 0.0005
"""A difference in the chance to win that is worth a word; what is solved to so many digits is exact to fewer."""


@dataclass(frozen=True)
class Decision:
    answer: int  # its place among the answers of the game
    view: View  # what the seat saw
    chosen: Option
    best: Option
    win: float  # the chance to win after what was chosen,
    best_win: float  # and after the best
    luck: float  # what the chance had changed since the seat's last decision

    @property
    def cost(self) -> float:
        return self.best_win - self.win

    @property
    def slip(self) -> bool:
        return self.cost >= SLIP


@dataclass(frozen=True)
class Review:
    seat: int
    solved: bool  # whether the chances are exact, or perfect's best estimate
    start: float  # the chance to win before anything was thrown
    decisions: tuple[Decision, ...]
    result: float  # 1 for a win, a share of a shared one, 0; the chance after the last decision if it goes on

    @property
    def cost(self) -> float:
        return sum(decision.cost for decision in self.decisions)

    @property
    def luck(self) -> float:
        return self.result - self.start + self.cost

    @property
    def slips(self) -> list[Decision]:
        """The dearest first."""
        return sorted((each for each in self.decisions if each.slip), key=lambda each: -each.cost)


def review(game: Referee, seat: int) -> Review:
    found = tuple(decisions(game, seat))
    return concluded(game, seat, found)


def concluded(game: Referee, seat: int, found: tuple[Decision, ...]) -> Review:
    """The review, once its decisions are found."""
    if not 0 <= seat < len(game.players):
        raise Refused(f"There is no seat {seat}: the seats are 0 to {len(game.players) - 1}.")
    view = _again(game).view(seat)
    start = bots.fair(view)
    result = found[-1].win if found else start
    if isinstance(game.ask, Over):
        result = 1 / len(game.ask.winners) if seat in game.ask.winners else 0.0
    return Review(seat, bots.solved(view["game"], view["options"], len(game.players)), start, found, result)


def decisions(game: Referee, seat: int) -> Iterator[Decision]:
    """One after the other, as each takes a moment to judge. Where nothing could be chosen there was no decision."""
    again = _again(game)
    chance: float | None = None
    for place, (ask, answer) in enumerate(game.history):
        if isinstance(ask, Choose) and ask.seat == seat and len(ask.options) > 1:
            view = again.view(seat)
            if chance is None:
                chance = bots.fair(view)
            found = _judged(place, view, ask, answer, chance)  # type: ignore[arg-type]  # a choice's answer is an option
            chance = found.win
            yield found
        again.answer(answer)


def _judged(place: int, view: View, ask: Choose, chosen: Option, before: float) -> Decision:
    wins = bots.win(view, ask.options)
    most = max(wins)
    win = wins[ask.options.index(chosen)]
    best = chosen if most - win < SLIP else _preferred(view, ask, wins)
    return Decision(place, view, chosen, best, win, most, most - before)


def _preferred(view: View, ask: Choose, wins: list[float]) -> Option:
    """What perfect chooses most often among what is best."""
    chances = bots.policy("perfect", view, ask.options)
    most = max(wins)
    good = [place for place, win in enumerate(wins) if most - win < SLIP]
    return ask.options[max(good, key=lambda place: (chances[place], wins[place]))]


def _again(game: Referee) -> Referee:
    return Referee(game.game, game.players, game.options, game.seed)


def as_json(game: Referee, found: Review) -> dict[str, Any]:
    return {
        "game": game.game.id,
        "seat": found.seat,
        "name": game.players[found.seat],
        "solved": found.solved,
        "over": isinstance(game.ask, Over),
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


def loaded(saved: Any) -> Referee:
    """A game as the referee saved it: the value itself, or the whole line that it came in."""
    if isinstance(saved, dict) and set(saved) == {"saved"}:
        saved = saved["saved"]
    return referee.load(saved)

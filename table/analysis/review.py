"""How somebody played: each decision of a seat, what perfect would have done, and what the difference cost.

Its one rule: a decision is judged by what its seat could know when it was made. What happened afterwards is luck.

All is told in chances to win the game. A decision costs what the best option had more than the one that was chosen.
Everything else that moves the chance is luck: the dice, the draws, and what the others do. So the chance at the start,
plus all the luck, minus all that was given away, is the result.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from table.engine.asks import Ask, Choose, Option, Over, View
from table.engine.errors import Refused
from table.engine.options import SEATS, named
from table.engine.referee import Referee, option_to_json
from table.games import bots

SLIP = 0.0005
"""A difference in the chance to win that is worth a word, where the game is solved;"""
ROUGH_SLIP = 0.01
"""where it is not, perfect itself does not judge more finely."""


@dataclass(frozen=True)
class Decision:
    answer: int  # its place among the answers of the game
    view: View  # what the seat saw
    chosen: Option
    best: Option
    win: float  # the chance to win after what was chosen,
    best_win: float  # and after the best
    luck: float  # what the chance had changed since the seat's last decision
    slip: bool  # whether the difference is worth a word

    @property
    def cost(self) -> float:
        return self.best_win - self.win


@dataclass(frozen=True)
class Review:
    seat: int
    solved: bool  # whether the chances are exact, or perfect's best estimate
    start: float  # the chance to win before anything was thrown
    decisions: tuple[Decision, ...]
    over: bool
    result: float  # 1 for a win, a share of a shared one, 0; the chance after the last decision if it is not over
    alone: bool  # nobody else played: there was nothing to win
    cup: bool  # what lay under a real cup only its seat knows: what was decided by it is not judged

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
    return Review(
        seat,
        bots.solved(view["game"], view["options"], len(game.players)),
        start,
        found,
        isinstance(game.ask, Over),
        result,
        len(game.players) == 1,
        any(seat in view["options"][name] for name in named(game.game.options, SEATS)),
    )


def decisions(game: Referee, seat: int) -> Iterator[Decision]:
    """One after the other, as each takes a moment to judge."""
    again = _again(game)
    chance: float | None = None
    for place, (ask, answer) in enumerate(game.history):
        view = again.view(seat)
        if decides(ask, seat) and None not in view["dice"][seat]:
            if chance is None:
                chance = bots.fair(view)
            found = _judged(place, view, ask, answer, chance)  # type: ignore[arg-type]  # it is a choice
            chance = found.win
            yield found
        again.answer(answer)


def decides(ask: Ask, seat: int) -> bool:
    """Whether that was a decision of the seat. Where there was one option only, it was none."""
    return isinstance(ask, Choose) and ask.seat == seat and len(ask.options) > 1


def _judged(place: int, view: View, ask: Choose, chosen: Option, before: float) -> Decision:
    fine = SLIP if bots.solved(view["game"], view["options"], len(view["players"])) else ROUGH_SLIP
    wins = bots.win(view, ask.options)
    most, win, best = max(wins), wins[ask.options.index(chosen)], chosen
    slip = most - win >= fine
    if not slip:
        win = most
    else:  # what perfect chooses most often among what is best
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

"""The odds of PocoLoco: how often three dice make each kind of hand, and how likely a hand is to be beaten."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from table.analysis.luck import Judged, Read
from table.analysis.moments import Events, Moments, keep_best
from table.analysis.odds import Exact
from table.analysis.sheets import Column, Sheet
from table.engine.asks import Answer, Choose, Dice, Option, Roll, Table, View
from table.engine.chances import at_least, exactly, rolls, spread
from table.games.pocoloco.bots import left_lying
from table.games.pocoloco.rules import GAME, MOST_ROLLS, REROLLS, Rank, rank

POCO = 4
KINDS = {"poco": POCO, "three": 3, "loco": 2, "points": 1}  # kinds of hands, with the chips they cost the others
KIND_NAMES = {"poco": "PoCo (4-5-6)", "three": "three of a kind", "loco": "Loco (1-2-3)", "points": "points"}
FACE_NAMES = ("aces", "twos", "threes", "fours", "fives", "sixes")
TYPICAL = (
    (4, 5, 6), (6, 6, 6), (1, 1, 1), (1, 2, 3), (1, 1, 6), (1, 6, 6), (1, 1, 5), (1, 6, 5), (6, 6, 5), (1, 5, 5),
    (1, 2, 2), (6, 5, 5), (6, 2, 2), (5, 5, 4), (3, 2, 2),
)  # fmt: skip
"""Examples of hands, from best to worst."""


def makes(kind: str) -> Fraction:
    return exactly(KINDS[kind], 3, _chips)


def _chips(hand: Dice) -> int:
    return rank(hand).chips


@cache
def beats(to_beat: Rank, left: int = 1, dice: Dice = ()) -> Fraction:
    """The probability of beating a hand with `left` more rolls if these dice are kept, for a player who wants nothing
    else."""
    thrown = 3 - len(dice)
    found = sum(ways * beats_from(to_beat, left - 1, dice + roll) for roll, ways in rolls(thrown).items())
    return Fraction(found, 6**thrown)


def beats_from(to_beat: Rank, left: int, hand: Dice) -> Fraction | int:
    """The probability of beating a hand, for a player who has a complete hand and keeps the best dice of it."""
    if rank(hand) > to_beat:
        return 1
    if not left:
        return 0
    return max(beats(to_beat, left, dice) for dice in {left_lying(hand, again) for again in _REROLLED})


_REROLLED = [option[1] for option in REROLLS if isinstance(option, tuple) and isinstance(option[1], tuple)]


def odds(view: View) -> list[Exact]:
    """How often three dice make each kind of hand, and how often they beat the best hand of this round."""
    lines: list[Exact] = [(kind, {}, makes(kind)) for kind in ("poco", "three", "loco")]
    lines += [
        ("points", {"points": points}, at_least(Rank(KINDS["points"], points), 3, rank)) for points in (200, 160, 100)
    ]
    ranks = [Rank(*done) for done in view["ranks"] if done is not None]
    if ranks:
        lines.append(("best", {}, beats(max(ranks))))
    return lines


def now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """The odds of beating a hand with the rolls left: the best hand of this round or, if no other hand is finished, the
    player's own hand. They are for rolling the highlighted dice again. If none are highlighted, they are for the dice
    that are best to roll."""
    ranks = [Rank(*done) for done in view["ranks"] if done is not None]
    hand, left = tuple(view["dice"][ask.seat]), view["limit"] - view["rolls"]
    if isinstance(ask, Roll):
        if not ranks or ask.count < GAME.dice:  # the view does not say which dice are kept
            return []
        return [("best", {}, beats(max(ranks), left if hand else view["limit"]))]
    to_beat = max(ranks, default=rank(hand))
    chance = beats_from(to_beat, 0 if option == "end" else left, hand)
    if isinstance(option, tuple) and isinstance(option[1], tuple):
        chance = beats(to_beat, left, left_lying(hand, option[1]))
    return [("best" if ranks else "this", {}, chance)]


def tables(given: object) -> dict[str, Sheet]:
    """The kinds of hands, and how likely each hand is to be beaten in a turn, if the best dice are kept."""
    ways = spread(3, _chips)
    turns = range(1, MOST_ROLLS + 1)
    return {
        "kinds": Sheet(
            "How often three dice make each kind of hand, and how often they do at least as well:",
            (
                Column("hand", "kind", KIND_NAMES.__getitem__),
                Column("of 216", "ways", str),
                Column("chance", "chance"),
                Column("or better", "at_least"),
            ),
            "at_least",
            [
                {"kind": kind, "ways": ways[chips], "chance": makes(kind), "at_least": at_least(chips, 3, _chips)}
                for kind, chips in KINDS.items()
            ],
        ),
        "beaten": Sheet(
            "How often a hand is beaten in a turn, by its number of rolls, if the right dice are rolled again:",
            (
                Column("hand", "hand", _named),
                Column("1 roll", "in_1"),
                Column("2 rolls", "in_2"),
                Column("3 rolls", "in_3"),
            ),
            "in_3",
            [{"hand": list(hand), **{f"in_{turn}": beats(rank(hand), turn) for turn in turns}} for hand in TYPICAL],
        ),
    }


def _named(hand: Sequence[int]) -> str:
    chips, value = rank(hand)
    words = {4: "PoCo", 3: f"three {FACE_NAMES[hand[0] - 1]}", 2: "Loco", 1: f"{value} points"}
    return f"{'-'.join(map(str, hand))}, {words[chips]}"


def judged(table: Table, ask: Roll, last: Answer) -> Judged:
    """A roll is judged by the rank of the whole hand, including the kept dice."""
    if ask.count == 3:
        return (), rank
    again: tuple[int, ...] = last[1]  # type: ignore[assignment]  # the seat's choice of dice to roll again
    kept = left_lying(table.hands[ask.seat], again)
    return kept, beside(kept)


@cache
def beside(kept: Dice) -> Read:
    """A function that ranks rolled dice together with the kept ones. Cached, so that equal dice give the same function,
    and the percentiles of its rolls are computed only once."""
    return lambda dice: rank(kept + dice)


def moments(events: Events) -> Moments:
    """How many rounds a player won with 4-5-6, and the most chips that a player gave away at once."""
    found: Moments = Counter()
    for event in events:
        if event["event"] == "chips":
            if event["each"] == POCO:
                found[event["winner"], "poco"] += 1
            for seat, given in enumerate(event["given"]):
                keep_best(found, seat, "chips", given)
    return found

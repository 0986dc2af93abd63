"""The odds of Mexico: how good one roll of two dice is, and how likely a score is to be beaten."""

from collections import Counter
from fractions import Fraction

from table.analysis.luck import Judged
from table.analysis.moments import Events, Moments
from table.analysis.odds import Exact
from table.analysis.sheets import Column, Sheet
from table.engine.asks import Answer, Choose, Option, Roll, Table, View
from table.engine.chances import at_least, better, spread, within
from table.games.mexico.rules import MEXICO, MOST_ROLLS, RANKING, rank, score


def better_than(read: int) -> Fraction:
    return better(rank(divmod(read, 10)), 2, rank)


def as_good_as(read: int) -> Fraction:
    return at_least(rank(divmod(read, 10)), 2, rank)


def odds(view: View) -> list[Exact]:
    """How good one roll can be, and how likely the remaining rolls are to beat the best score of this round."""
    mexicos = as_good_as(MEXICO)
    lines: list[Exact] = [("mexico", {}, mexicos), ("double", {}, as_good_as(11) - mexicos)]
    lines += [("score", {"score": read}, as_good_as(read)) for read in (61, 51, 41)]
    scores = [read for read in view["scores"] if read is not None]
    if scores:
        best = min(scores, key=RANKING.index)  # RANKING begins with the best score
        once, left = better_than(best), max(1, view["limit"] - view["rolls"])
        lines += [("beat", {"score": best, "count": rolls}, within(once, rolls)) for rolls in range(1, left + 1)]
    return lines


def now(view: View, ask: Roll | Choose, option: Option | None) -> list[Exact]:
    """The odds of beating the best score of this round with the rolls left, and of beating the lowest score, which
    loses. The leader gets the odds of a better next roll."""
    scores = sorted({read for read in view["scores"] if read is not None}, key=RANKING.index)
    dice, left = view["dice"][ask.seat], view["limit"] - view["rolls"]
    if isinstance(ask, Choose) and not scores:
        return [("next", {"score": score(dice)}, better_than(score(dice)))]
    if isinstance(ask, Roll) and ask.count == 1:  # a roll for who starts or who loses
        return []

    def beats(read: int) -> Fraction | int:
        has = isinstance(ask, Choose) and rank(dice) > rank(divmod(read, 10))
        return 1 if has else within(better_than(read), left)

    lines: list[Exact] = [("lowest", {"score": scores[-1]}, beats(scores[-1]))] if len(scores) > 1 else []
    return lines + [("beats", {"score": read}, beats(read)) for read in scores[:1]]


def tables(given: object) -> dict[str, Sheet]:
    """The 21 rolls, and how likely each score is to be beaten in a turn."""
    ways = spread(2, score)
    turns = range(1, MOST_ROLLS + 1)
    return {
        "rolls": Sheet(
            "How often two dice make each roll, and how often they do at least as well:",
            (
                Column("roll", "roll", _named),
                Column("of 36", "ways", str),
                Column("chance", "chance"),
                Column("or better", "at_least"),
            ),
            "at_least",
            [
                {"roll": read, "ways": ways[read], "chance": Fraction(ways[read], 36), "at_least": as_good_as(read)}
                for read in RANKING
            ],
        ),
        "beaten": Sheet(
            "How often each score is beaten in a turn, by its number of rolls:",
            (
                Column("score", "score", _named),
                Column("1 roll", "in_1"),
                Column("2 rolls", "in_2"),
                Column("3 rolls", "in_3"),
            ),
            "in_3",
            [{"score": read, **{f"in_{turn}": within(better_than(read), turn) for turn in turns}} for read in RANKING],
        ),
    }


def _named(read: int) -> str:
    return f"Mexico ({MEXICO})" if read == MEXICO else str(read)


def judged(table: Table, ask: Roll, last: Answer) -> Judged:
    """A roll is judged by its rank. A roll of one die counts only in a tiebreak, because the loser of a tiebreak loses
    a life."""
    if ask.count == 2:
        return (), rank
    return None if table.board.leader is None else ((), sum)


def moments(events: Events) -> Moments:
    """The number of Mexicos that a player rolled in a game."""
    return Counter((event["seat"], "mexicos") for event in events if event["event"] == "mexico")

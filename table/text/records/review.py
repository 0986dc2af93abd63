"""The page about how someone played."""

from table.analysis.review import Decision, Review
from table.text.catalogue import Catalogue
from table.text.narration import reviewed
from table.text.numbers import percent, points
from table.text.records import blocks as b


def review(
    found: Review,
    seats: dict[int, str],
    say: Catalogue,
    number: int = 0,
    opening: bool = False,
    slips: bool = True,
    every: bool = True,
) -> b.Page:
    """The review of one of these seats. Each decision links to its step in game `number`. `opening`: whether the game
    has a step before its first answer. `slips` adds a list of the worst mistakes, and `every` a list of all
    decisions."""
    name = seats[found.seat]
    blocks: list[b.Block] = []
    if len(seats) > 1:
        links = tuple((other, b.Link("review", number=number, at=at)) for at, other in seats.items())
        blocks.append(b.Switch(say("records.players"), links, list(seats).index(found.seat)))
    if why := reviewed.without(found, name, say):
        blocks.append(b.Text(why))
        return b.Page(say("review.title", name=name), tuple(blocks))

    def rows(decisions: list[Decision]) -> b.Rows:
        return b.Rows(tuple(_decision(each, number, opening, say) for each in decisions))

    blocks += [b.Text(reviewed.summary(found, name, say), "lead"), facts(found, say)]
    blocks.append(b.Section(say("review.chance"), (chances(found, say), b.Text(say("review.chance_how"), "quiet"))))
    blocks += [b.Text(note, "quiet") for note in reviewed.notes(found, name, say)]
    if not found.slips:
        blocks.append(b.Text(say("review.right")))
    elif slips:
        dearest: list[b.Block] = [rows(found.slips[: reviewed.DEAREST])]
        if len(found.slips) > reviewed.DEAREST:
            dearest.append(b.Text(say("review.more", count=len(found.slips) - reviewed.DEAREST), "quiet"))
        blocks.append(b.Section(say("review.slips"), tuple(dearest)))
    if every:
        blocks.append(b.Section(say("review.decisions"), (rows(list(found.decisions)),), folded=True))
    return b.Page(say("review.title", name=name), tuple(blocks))


def facts(found: Review, say: Catalogue) -> b.Rows:
    """The probability of winning at the start, the effects of luck and mistakes, and the result."""
    figures = {
        "review.start": (points(found.start, say), ""),
        "review.luck": (points(found.luck, say, signed=True), "good" if found.luck > 0 else ""),
        "review.cost": (points(-found.cost, say, signed=found.cost > 0), "bad" if found.cost > 0 else ""),
        "review.result": (points(found.result, say), ""),
    }
    rows = (b.Row(say(key), (figure,), tone=tone) for key, (figure, tone) in figures.items())
    return b.Rows(tuple(rows), tiles=True)


def chances(found: Review, say: Catalogue) -> b.Chances:
    marks = tuple((each.best_win, each.win, each.slip) for each in found.decisions)
    axis = tuple(percent(share, say) for share in (1, 0.5, 0))
    return b.Chances(found.start, marks, found.result, axis, reviewed.balance(found, say))


def _decision(each: Decision, number: int, opening: bool, say: Catalogue) -> b.Row:
    better = say("review.better", best=reviewed.phrase(each.view, each.best, say)) if each.slip else ""
    return b.Row(
        reviewed.place(each.view, each.chosen, say),
        (f"▾ {points(each.cost, say)}" if each.slip else f"✓ {say('review.as_perfect')}",),
        reviewed.phrase(each.view, each.chosen, say),
        better,
        tone="bad" if each.slip else "good",
        link=b.Link("replay", number=number, at=each.answer + opening),
    )

"""How Mexico is put into words."""

from collections.abc import Sequence

from table.engine.asks import Choose, Event, Option, Roll, View
from table.games.default import words as default
from table.games.mexico.rules import MEXICO, score
from table.session.match import News
from table.text.catalogue import Catalogue
from table.text.choices import Choice, roll_or_end
from table.text.narration.words import name_of


def read(score: int, say: Catalogue) -> str:
    """The name of a score: Mexico, double 6, 54."""
    if score == MEXICO:
        return say("mexico.hand.mexico")
    high, low = divmod(score, 10)
    return say("mexico.hand.double", face=high) if high == low else str(score)


def tell(event: Event, news: News, say: Catalogue) -> str:
    facts, before = event.facts, news.before
    match event.kind:
        case "rolled" if len(facts["dice"]) == 2:
            name, rolled = name_of(before, facts["seat"]), score(facts["dice"])
            if rolled == MEXICO:
                return say("mexico.tell.rolled_mexico", name=name)
            return say("mexico.tell.rolled", name=name, hand=read(rolled, say))
        case "chose" if facts["option"] == "end":
            seat = facts["seat"]
            return say("mexico.tell.end", name=name_of(before, seat), hand=read(score(before["dice"][seat]), say))
        case "won":
            winner, scores = facts["seat"], facts["scores"]
            best, worst = (read(scores[seat], say) for seat in (winner, 1 - winner))
            return say("mexico.tell.won", name=name_of(before, winner), best=best, worst=worst)
        case "tie":
            return say("mexico.tell.tie", hand=read(facts["score"], say))
        case "lost":
            left = facts["left"]
            key = {0: "mexico.tell.lost_last", 1: "mexico.tell.lost_one_left"}.get(left, "mexico.tell.lost")
            return say(key, name=name_of(before, facts["seat"]), count=facts["lives"], left=left)
    return default.tell(event, news, say)


def thrown_for(ask: Roll, view: View) -> str | None:
    if not default.one_die(ask, view):
        return None
    # In an elimination, single dice rolled before the first score decide who starts. Later ones decide who loses.
    played = view["options"]["mode"] == "elimination" and any(view["scores"])
    return "lowest" if played else "begin"


def choices(ask: Choose, public: View) -> Choice:
    return roll_or_end(ask, public, score=score(public["dice"][ask.seat]))


def round_line(view: View, say: Catalogue) -> str:
    options = view["options"]
    if options["mode"] == "elimination":
        return default.round_line(view, say)
    key = "round.of" if options["goal"] == "survive" else "mexico.round.won"
    return say(key, round=view["round"], rounds=options["rounds"], won=view["won"][0])


def standing(view: View, seat: int, say: Catalogue) -> str:
    """The seat's lives, or a different text for the house in a challenge, which has no lives."""
    return say("mexico.standing.house") if view["standing"][seat] is None else default.standing(view, seat, say)


def final(view: View, seat: int, say: Catalogue) -> str:
    """The seat's final lives. In a challenge, it is the rounds won, because the house has no lives."""
    if view["options"]["mode"] == "elimination":
        return default.final(view, seat, say)
    return say("mexico.standing.won", count=view["won"][seat])


def result(view: View, winners: Sequence[int], say: Catalogue) -> str:
    winner, options = winners[0], view["options"]
    name = name_of(view, winner)
    if options["mode"] == "elimination":
        return say("mexico.result.last", name=name)
    if view["standing"][winner] is None:
        return say("mexico.result.house", name=name, loser=name_of(view, 1 - winner))
    if options["goal"] == "win":
        return say("mexico.result.rounds", name=name, won=view["won"][winner], lost=view["won"][1 - winner])
    return say("mexico.result.survived", name=name, count=options["rounds"])


def out(view: View, seat: int) -> bool:
    return bool(view["standing"][seat] == 0)


def note(view: View, seat: int, say: Catalogue) -> str:
    return "" if view["scores"][seat] is None else read(view["scores"][seat], say)


def facts(view: View, say: Catalogue) -> list[tuple[str, str]]:
    if not view["rolls"]:
        return []
    return [(say("mexico.fact.rolls"), say("value.of", number=view["rolls"], most=view["limit"]))]


def place(view: View, option: Option, say: Catalogue) -> str:
    return default.place_with(sorted(view["dice"][view["seat"]], reverse=True), view, say)

"""What happened, a sentence an event. Its one rule: it is told as somebody at the table would say it, and short."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from table.engine.asks import Draw, Event, Roll
from table.games.cacho import rules as cacho
from table.games.cheese import rules as cheese
from table.games.mexico import rules as mexico
from table.text.catalogue import Catalogue
from table.text.narration.asked import thrown_for
from table.text.narration.words import capital, card_help, faces, mexico_hand, name_of, names_of, pocoloco_hand

if TYPE_CHECKING:  # a terminal says the same things without a session and its devices
    from table.session.match import News

Facts = dict[str, Any]
MOST_IN_ORDER = 4  # names; of more only the first, and the board shows the others


def tell(event: Event, news: "News", say: Catalogue) -> str:
    """The sentence for one public event of the news."""
    assert event.visible_to(None)
    return TELL[event.kind](event.facts, news, say)


def rolled(facts: Facts, news: "News", say: Catalogue) -> str:
    seat, dice, before = facts["seat"], facts["dice"], news.before
    name, game = name_of(before, seat), before["game"]
    if None in dice:
        return say("tell.shaken", name=name)
    if None in before["dice"][seat]:
        return say("tell.lifted", name=name)
    if isinstance(news.ask, Roll) and thrown_for(news.ask, before):
        return say("tell.one_die", name=name, die=dice[0])
    match game:
        case "mexico" if mexico.score(dice) == mexico.MEXICO:
            return say("mexico.tell.rolled_mexico", name=name)
        case "mexico":
            return say("mexico.tell.rolled", name=name, hand=mexico_hand(mexico.score(dice), say))
        case "pocoloco":  # the whole hand, of which only some may have been thrown
            return say("pocoloco.tell.rolled", name=name, hand=pocoloco_hand(news.after["dice"][seat], say))
        case "cheese":
            points = cheese.score(dice).total
            key = "cheese.tell.rolled" if points else "cheese.tell.rolled_nothing"
            return say(key, name=name, dice=faces(dice), points=points)
    return say("bluff.tell.rolled", name=name, sum=sum(dice))


def chose(facts: Facts, news: "News", say: Catalogue) -> str:
    seat, option, before = facts["seat"], facts["option"], news.before
    name, game, dice = name_of(before, seat), before["game"], before["dice"][seat]
    match option:
        case "end" if game == "mexico":
            return say("mexico.tell.end", name=name, hand=mexico_hand(mexico.score(dice), say))
        case "end" if game == "pocoloco":
            return say("pocoloco.tell.end", name=name, hand=pocoloco_hand(dice, say))
        case "roll" if game == "cheese":
            return say("cheese.tell.roll", name=name, points=before["points"])
        case ("claim", claim):
            return say("bluff.tell.claim", name=name, claim=claim)
        case ("reroll", places):
            return say(
                "pocoloco.tell.reroll", name=name, count=len(places), dice=faces(dice[place] for place in places)
            )
        case ("keep", places):
            kept = [dice[place] for place in places]
            points = cheese.score(kept).total
            total = before["points"] + points
            return say("cheese.tell.keep", name=name, dice=faces(kept), points=points, total=total)
        case ("bid", bid):
            return say("cacho.tell.bid", name=name, bid=capital(say.bid(*bid)))
        case "dudo" | "calza":
            return say(f"cacho.tell.{option}", name=name, bid=say.bid(*before["bid"]))
    return say(f"{game}.tell.{option}", name=name)


def drew(facts: Facts, news: "News", say: Catalogue) -> str:
    before, after, drawn = news.before, news.after, facts["drawn"]
    if before["game"] == "cheese":
        return card_help(drawn[0], say)
    if facts["kind"] == "pick":
        assert isinstance(news.ask, Draw)
        level = [int(seat) for seat in news.ask.candidates]
        names = names_of(before, level, say)
        return say(_purpose(news, level), names=names, name=name_of(before, drawn[0]))
    if before["game"] == "bluff":  # who leads the new circle may yet have to be drawn
        led = after["turn"] is not None
        return say("bluff.tell.circle_led", name=name_of(after, after["leader"])) if led else say("bluff.tell.circle")
    what = "cacho.tell.seats" if before["game"] == "cacho" else "tell.order"
    if len(drawn) > MOST_IN_ORDER:
        return say(f"{what}_many", name=name_of(before, drawn[0]))
    return say(what, names=", ".join(name_of(before, seat) for seat in drawn))


def _purpose(news: "News", level: Sequence[int]) -> str:
    """What one of those level is drawn for, which only the state of the table tells."""
    before = news.before
    if before["game"] == "bluff":
        return "tell.drawn_to_win" if news.after["turn"] is None else "bluff.tell.drawn_to_lead"
    if not any(before["standing"][seat] for seat in level):
        return "tell.drawn_to_win"
    best = max(rank for rank in before["ranks"] if rank is not None)
    all_of_the_best = [seat for seat, rank in enumerate(before["ranks"]) if rank == best]
    return f"pocoloco.tell.drawn_as_{'best' if sorted(level) == all_of_the_best else 'lowest'}"


def by_name(key: str) -> Callable[[Facts, "News", Catalogue], str]:
    """An event that needs no more than a name."""
    return lambda facts, news, say: say(key, name=name_of(news.before, facts["seat"]))


def cup(facts: Facts, news: "News", say: Catalogue) -> str:
    return say("tell.cup", name=name_of(news.before, facts["seat"]), count=facts["count"])


def won(facts: Facts, news: "News", say: Catalogue) -> str:
    winner, scores = facts["seat"], facts["scores"]
    best, worst = (mexico_hand(scores[seat], say) for seat in (winner, 1 - winner))
    return say("mexico.tell.won", name=name_of(news.before, winner), best=best, worst=worst)


def tie(facts: Facts, news: "News", say: Catalogue) -> str:
    return say("mexico.tell.tie", hand=mexico_hand(facts["score"], say))


def lost(facts: Facts, news: "News", say: Catalogue) -> str:
    name, left = name_of(news.before, facts["seat"]), facts["left"]
    if news.before["game"] == "cacho":
        return say("cacho.tell.lost" if left else "cacho.tell.lost_last", name=name, count=left)
    key = {0: "lost_last", 1: "lost_one_left"}.get(left, "lost")
    return say(f"mexico.tell.{key}", name=name, count=facts["lives"], left=left)


def called(facts: Facts, news: "News", say: Catalogue) -> str:
    key = "bluff.tell.hit" if facts["hit"] else "bluff.tell.missed"
    return say(key, name=name_of(news.before, facts["claimant"]), claim=facts["claim"], sum=sum(facts["dice"]))


def scored(facts: Facts, news: "News", say: Catalogue) -> str:
    """Bo claimed 9, had 4: Ann takes 9 and Bo loses 3."""
    before, after, claim = news.before, news.after, facts["claim"]
    claimant, caller = facts["claimant"], facts["caller"]
    if not any(facts["gains"]):
        return say("bluff.tell.immune")
    changes = []
    for seat, meant in zip((claimant, caller), facts["gains"], strict=True):
        changed, name = after["standing"][seat] - before["standing"][seat], name_of(before, seat)
        if changed:
            changes.append(say(f"bluff.tell.{'takes' if changed > 0 else 'loses'}", name=name, points=abs(changed)))
        elif meant:
            changes.append(say("bluff.tell.nothing_to_lose", name=name))
    if facts["gains"][0] < 0:
        changes.reverse()  # who takes comes first
    if not facts["called"]:
        what = say("bluff.tell.believed", name=name_of(before, caller), claim=claim)
    elif facts["gains"][0] > 0:
        what = say("bluff.tell.hit_scored", name=name_of(before, claimant), claim=claim)
    else:
        what = say(
            "bluff.tell.missed", name=name_of(before, claimant), claim=claim, sum=sum(_shown_dice(claimant, news))
        )
    return say("bluff.tell.scored", what=what, changes=say.listed(changes))


def _shown_dice(claimant: int, news: "News") -> list[int]:
    """A called claimant's dice: shown just now, or since its card was asked for."""
    for event in news.events:
        if event.kind == "called":
            return list(event.facts["dice"])
    return list(news.before["dice"][claimant])


def tied(facts: Facts, news: "News", say: Catalogue) -> str:
    return say("bluff.tell.tied", names=names_of(news.before, facts["seats"], say))


def chips(facts: Facts, news: "News", say: Catalogue) -> str:
    winner, loser = facts["winner"], facts["loser"]
    hand = pocoloco_hand(news.after["dice"][winner], say)
    names = {"winner": name_of(news.before, winner), "loser": name_of(news.before, loser)}
    return say("pocoloco.tell.chips", **names, hand=hand, count=sum(facts["given"]))


def cut(facts: Facts, news: "News", say: Catalogue) -> str:
    key = "cheese.tell.cut" if facts["points"] else "cheese.tell.cut_early"
    return say(key, name=name_of(news.before, facts["seat"]), points=facts["points"])


def passed(facts: Facts, news: "News", say: Catalogue) -> str:
    key = "cheese.tell.passed_bonus" if facts["bonus"] else "cheese.tell.passed"
    return say(key, name=name_of(news.before, facts["seat"]), bonus=facts["bonus"])


def banked(facts: Facts, news: "News", say: Catalogue) -> str:
    name = name_of(news.before, facts["seat"])
    return say("cheese.tell.banked", name=name, points=facts["points"], total=facts["total"])


def last_turns(facts: Facts, news: "News", say: Catalogue) -> str:
    return say("cheese.tell.last_turns", name=name_of(news.before, facts["seat"]), points=facts["points"])


def dudo(facts: Facts, news: "News", say: Catalogue) -> str:
    number, _ = facts["bid"]
    return _counted("dudo", facts["count"] < number, facts, news, say)


def calza(facts: Facts, news: "News", say: Catalogue) -> str:
    number, _ = facts["bid"]
    return _counted("calza", facts["count"] == number, facts, news, say)


def _counted(word: str, right: bool, facts: Facts, news: "News", say: Catalogue) -> str:
    """There are four fives: dudo is wrong, Bo loses a die."""
    count, (_, face) = facts["count"], facts["bid"]
    verdict = say(f"cacho.tell.{word}_{'right' if right else 'wrong'}")
    for event in news.events:
        if event.kind in ("lost", "regained"):
            key = "cacho.tell.and_loses" if event.kind == "lost" else "cacho.tell.and_regains"
            verdict = say(key, verdict=verdict, name=name_of(news.before, event.facts["seat"]))
    if not count:
        return say("cacho.tell.there_none", faces=say.faces(face, 0), verdict=verdict)
    with_aces = count > cacho.count(face, facts["dice"], wild=False)
    key = "cacho.tell.there_with_aces" if with_aces else "cacho.tell.there"
    return say(key, count=count, bid=say.bid(count, face), verdict=verdict)


def regained(facts: Facts, news: "News", say: Catalogue) -> str:
    return say("cacho.tell.regained", name=name_of(news.before, facts["seat"]), count=facts["left"])


TELL: dict[str, Callable[[Facts, "News", Catalogue], str]] = {
    "rolled": rolled,
    "chose": chose,
    "drew": drew,
    "cup": cup,
    "begins": by_name("tell.begins"),
    "mexico": by_name("mexico.tell.mexico"),
    "won": won,
    "tie": tie,
    "lost": lost,
    "out": by_name("tell.out"),
    "called": called,
    "scored": scored,
    "tied": tied,
    "void": lambda facts, news, say: say("bluff.tell.void"),
    "chips": chips,
    "cut": cut,
    "passed": passed,
    "banked": banked,
    "last_turns": last_turns,
    "dudo": dudo,
    "calza": calza,
    "regained": regained,
}

"""How Cacho is put into words."""

from collections.abc import Callable, Sequence

from table.analysis.odds import Odds
from table.engine.asks import Ask, Choose, Event, Option, Roll, View
from table.games.cacho.rules import count
from table.games.default import words as default
from table.session.match import News
from table.text.catalogue import Catalogue, capital
from table.text.choices import Choice, bids
from table.text.narration.words import name_of


def tell(event: Event, news: News, say: Catalogue) -> str:
    facts, before = event.facts, news.before
    match event.kind:
        case "chose":
            option, name = facts["option"], name_of(before, facts["seat"])
            if isinstance(option, str):
                key = "cacho.tell.dudo" if option == "dudo" else "cacho.tell.calza"
                return say(key, name=name, bid=say.bid(*before["bid"]))
            return say("cacho.tell.bid", name=name, bid=say.bid(*option[1]))
        case "dudo" | "calza":
            return _counted(event, news, say)
        case "lost" if not facts["left"]:
            return say("cacho.tell.lost_last", name=name_of(before, facts["seat"]))
    return default.tell(event, news, say)


def _counted(event: Event, news: News, say: Catalogue) -> str:
    """For example: Four fives, counting aces. Bad call! Bo loses a die."""
    facts, found = event.facts, event.facts["count"]
    number, face = facts["bid"]
    right = found < number if event.kind == "dudo" else found == number
    verdict = say(f"cacho.tell.{event.kind}_{'right' if right else 'wrong'}")
    for other in news.events:
        if other.kind in ("lost", "regained"):
            key = "cacho.tell.and_loses" if other.kind == "lost" else "cacho.tell.and_regains"
            verdict = say(key, verdict=verdict, name=name_of(news.before, other.facts["seat"]))
    if not found:
        return say("cacho.tell.there_none", faces=say.faces(face, 0), verdict=verdict)
    with_aces = found > count(face, facts["dice"], wild=False)
    key = "cacho.tell.there_with_aces" if with_aces else "cacho.tell.there"
    return say(key, count=found, bid=capital(say.bid(found, face)), verdict=verdict)


def counting(event: Event, news: News) -> Callable[[int], bool]:
    _, face = event.facts["bid"]
    return lambda die: bool(count(face, [[die]], not news.before["single"]))


def told_by_another(event: Event, news: News) -> bool:
    """Whether the sentence about the count already says who loses or regains a die."""
    said = any(other.kind in ("dudo", "calza") for other in news.events)
    return said and event.kind in ("lost", "regained")


def prompt(ask: Ask, view: View, say: Catalogue) -> str:
    if not isinstance(ask, Choose):
        return default.prompt(ask, view, say)
    name = name_of(view, ask.seat)
    if view["bid"]:
        return say("cacho.prompt.raise", name=name, bid=say.bid(*view["bid"]))
    return say("cacho.prompt.open", name=name)


def thrown_for(ask: Roll, view: View) -> str | None:
    return "begin" if default.one_die(ask, view) else None


def choices(ask: Choose, public: View) -> Choice:
    """Bids are grouped by count. If only the challenges are left, they are shown like the options of any other game."""
    return default.choices(ask, public) if isinstance(ask.options[0], str) else bids(ask, public)


def round_line(view: View, say: Catalogue) -> str:
    if not view["in_play"]:
        return default.round_line(view, say)
    key = "cacho.round.dice_single" if view["single"] else "cacho.round.dice"
    return say(key, round=view["round"], count=view["in_play"])


def order(view: View) -> Sequence[int]:
    return list(view["circle"])


def out(view: View, seat: int) -> bool:
    return bool(view["standing"][seat] == 0)


def note(view: View, seat: int, say: Catalogue) -> str:
    own = [bid for at, bid in view["bids"] if at == seat]
    return say.bid(*own[-1]) if own else ""


def facts(view: View, say: Catalogue) -> list[tuple[str, str]]:
    found = [(say("cacho.fact.in_play"), str(view["in_play"]))] if view["in_play"] else []
    return found + ([(say("cacho.fact.bid"), say.bid(*view["bid"]))] if view["bid"] else [])


def hand(dice: Sequence[int], game: str, say: Catalogue) -> str:
    """How many dice there are of each face."""
    return say.listed([say.bid(list(dice).count(face), face) for face in sorted(set(dice))])


def chance(line: Odds, game: str, say: Catalogue) -> str:
    return say(f"cacho.odds.{line.what}", bid=say.bid(line.facts["count"], line.facts["face"]))


def phrase(view: View, option: Option, say: Catalogue) -> str:
    word, (number, face) = (option, view["bid"]) if isinstance(option, str) else option  # type: ignore[misc]  # a bid
    return say(f"cacho.review.{word}", bid=say.bid(number, face))

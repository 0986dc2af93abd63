"""Names, hands and cards as sentences call them. Its one rule: a sentence has room for two names, however long."""

from collections.abc import Iterable, Sequence
from typing import Any

from table.analysis.odds import Odds
from table.engine.asks import View
from table.games.mexico import rules as mexico
from table.games.pocoloco import rules as pocoloco
from table.text.catalogue import Catalogue

LONGEST_NAME = 14
MOST_NAMES = 3  # in one sentence, if they are no longer than this together; of more it is only said how many
LONGEST_NAMES = 36
_JOINER = "\u200d"  # of emoji


def name_of(view: View, seat: int) -> str:
    """The player's name, shortened where it would fill a whole line, and never to what another's is shortened to."""
    name: str = view["players"][seat]
    if len(name) <= LONGEST_NAME:
        return name
    others = [other for at, other in enumerate(view["players"]) if at != seat]
    for shorten in (_first_word, _beginning, _both_ends):
        short = shorten(name)
        if len(short) <= LONGEST_NAME and all(short != shorten(other) for other in others):
            return short
    return f"{_beginning(name)[:-3]}… {seat + 1}"


def _first_word(name: str) -> str:
    return name.partition(" ")[0] + "…"


def _beginning(name: str) -> str:
    return name[: LONGEST_NAME - 1].rstrip(f" {_JOINER}") + "…"


def _both_ends(name: str) -> str:
    return f"{name[:7].rstrip(_JOINER)}…{name[-6:].lstrip(_JOINER)}"


def names_of(view: View, seats: Sequence[int], say: Catalogue) -> str:
    """Ann, Bo and Dot; 7 players."""
    names = [name_of(view, seat) for seat in seats]
    if len(names) > MOST_NAMES or sum(map(len, names)) > LONGEST_NAMES:
        return say("many.players", count=len(names))
    return say.listed(names)


def faces(dice: Iterable[int]) -> str:
    return " ".join(str(die) for die in dice)


def capital(text: str) -> str:
    """As the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def mexico_hand(score: int, say: Catalogue) -> str:
    """Two dice as they are called: Mexico, double 6, 54."""
    if score == mexico.MEXICO:
        return say("mexico.hand.mexico")
    high, low = divmod(score, 10)
    return say("mexico.hand.double", face=high) if high == low else str(score)


def pocoloco_hand(dice: Sequence[int], say: Catalogue) -> str:
    """Three dice as they are called: PoCo, three fives, Loco, 164 points."""
    chips, value = pocoloco.rank(dice)
    match chips:
        case 4:
            return say("pocoloco.hand.poco")
        case 3:
            return say("pocoloco.hand.three", faces=say.faces(value, 3))
        case 2:
            return say("pocoloco.hand.loco")
    return say("many.points", count=value)


def card_help(card: str, say: Catalogue) -> str:
    """What a card of Pass the Cheese means."""
    return say(f"cheese.card.{card}")


def hand(dice: Sequence[int], game: str, say: Catalogue) -> str:
    """What hidden dice come to: their sum in Bluff, how many of each face in Cacho."""
    if game == "bluff":
        return say("play.together", sum=sum(dice))
    return say.listed([say.bid(list(dice).count(face), face) for face in sorted(set(dice))])


def chance(line: Odds, game: str, say: Catalogue) -> str:
    """What might happen."""
    facts: dict[str, Any] = dict(line.facts)
    if "face" in facts:
        facts["bid"] = say.bid(facts["count"], facts["face"])
    return say(f"{game}.odds.{line.what}", **facts)


def percent(chance: float, say: Catalogue) -> str:
    """Whole percents, but never "0" for what can happen nor "100" for what need not."""
    if 0 < chance < 0.01:
        return say("value.percent", percent=f"{100 * chance:.1f}" if chance > 0.0005 else "<0.1")
    return say("value.percent", percent=min(99, round(100 * chance)) if chance < 1 else 100)

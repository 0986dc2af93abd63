"""What is shown of the news: beats, one after the other, each a picture of the table, a caption, a movement and a rest.

Its one rule: a beat is made of public news alone, its length too. The dice of a beat lie as they did when it happened,
even where the rules have cleared the table since, so that people see why.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from table.engine.asks import Event, Roll, View
from table.games.cacho import rules as cacho
from table.games.cheese import rules as cheese
from table.games.mexico import rules as mexico
from table.games.pocoloco import rules as pocoloco
from table.session.match import News
from table.text.catalogue import Catalogue
from table.text.narration import tell, thrown_for

Facts = dict[str, Any]


@dataclass(frozen=True)
class Beat:
    """One thing that happened: `seconds` of movement, and then a `rest` in which it can be read."""

    kind: str
    facts: Facts
    view: View
    seconds: float
    caption: str
    sound: str | None = None
    rest: float = 0.0
    landing: str | None = None  # heard when the movement ends

    @property
    def total(self) -> float:
        return self.seconds + self.rest


@dataclass(frozen=True)
class Moment:
    """A point in a beat. `t`: how much of its movement is done, 1 while it rests. `turn` counts beats, for variety."""

    kind: str
    facts: Facts
    t: float
    turn: int


@dataclass(frozen=True)
class Shown:
    """What there is to draw. Without a moment nothing moves."""

    view: View
    moment: Moment | None
    caption: str


class Pace(NamedTuple):
    seconds: float
    rest: float
    sound: str | None = None
    landing: str | None = None


PACES = {
    "rolled": Pace(0.9, 0.35, "shake", "land"),
    "shaken": Pace(0.7, 0.1, "shake", "land"),
    "chose": Pace(0.4, 0.3, "take"),
    "drew": Pace(0.9, 0.7, "turn"),
    "begins": Pace(0.5, 0.7, "turn"),
    "mexico": Pace(1.2, 0.4, "mexico"),
    "won": Pace(0.8, 1.4, "good"),
    "tie": Pace(0.8, 1.2, "turn"),
    "lost": Pace(0.9, 1.1, "life"),
    "out": Pace(0.6, 1.0, "bad"),
    "called": Pace(0.8, 1.2, "reveal"),
    "scored": Pace(1.0, 1.4, "good"),
    "tied": Pace(0.6, 1.6, "turn"),
    "void": Pace(0.6, 1.4, "turn"),
    "chips": Pace(1.4, 1.2, "chip"),
    "cut": Pace(1.0, 0.6, "bad"),
    "passed": Pace(1.0, 1.0, "good"),
    "banked": Pace(1.0, 1.0, "good"),
    "last_turns": Pace(0.6, 1.6, "turn"),
    "challenged": Pace(1.5, 1.5, "reveal"),
    "regained": Pace(0.9, 1.1, "good"),
    "cup": Pace(0.4, 0.4, "turn"),
}
ONE_DIE = Pace(0.6, 0.2, "shake", "land")  # thrown for who begins, or who is lowest
LIFTED = Pace(0.4, 0.5, "reveal")  # a real cup: nothing tumbles
NEXT_CUP = Pace(0.3, 0.0, "shake")  # shaken in a row
OWN_CHOICE = Pace(0.15, 0.0)  # whoever has pressed knows it already
BELIEVED = Pace(0.8, 0.8, "good")
LATE = 0.5  # seconds: a sound that fell due under a menu is not made up for
SETTLING = {"lost", "out", "regained", "chips", "scored", "banked"}  # after these the standing is the new one


def beats(
    news: News, say: Catalogue, computers: Container[int] = (), rerolled: Sequence[int] | None = None
) -> list[Beat]:
    """What is shown of one answer. `rerolled`: the places that PocoLoco's player has just chosen to throw again."""
    found: list[Beat] = []
    table = news.before
    for event in news.events:
        kind, facts = _as_shown(event, news, rerolled)
        before, table = table, _table_after(table, kind, facts, news)
        # Kept dice still lie where they were thrown while they are picked out.
        view = before if kind == "chose" and facts["option"][0] == "keep" else table
        pace = _pace(kind, facts, news, computers)
        if pace is not None:
            caption = tell(event, news, say)
            found.append(Beat(kind, facts, view, pace.seconds, caption, pace.sound, pace.rest, pace.landing))
    return found


def _as_shown(event: Event, news: News, rerolled: Sequence[int] | None) -> tuple[str, Facts]:
    """The kind of beat that an event becomes, and its facts."""
    kind, facts = event.kind, event.facts
    match kind:
        case "rolled" if None in facts["dice"]:
            return "shaken", {"seat": facts["seat"], "count": len(facts["dice"])}
        case "rolled":
            places = _places(facts["seat"], facts["dice"], news, rerolled)
            return kind, {"seat": facts["seat"], "dice": list(facts["dice"]), "places": places}
        case "lost":
            return kind, {"seat": facts["seat"], "amount": facts.get("lives", 1), "left": facts["left"]}
        case "scored":  # a score stops at 0, so the rules' gains may be more than what was lost
            seats = facts["claimant"], facts["caller"]
            gains = [news.after["standing"][seat] - news.before["standing"][seat] for seat in seats]
            return kind, {**facts, "gains": gains}
        case "dudo" | "calza":
            _, face = facts["bid"]
            wild = not news.before["single"]
            counting = [[cacho.count(face, [[die]], wild) == 1 for die in dice] for dice in facts["dice"]]
            return "challenged", {**facts, "word": kind, "counting": counting}
    return kind, dict(facts)


def _places(seat: int, dice: Sequence[int], news: News, rerolled: Sequence[int] | None) -> list[int]:
    """The positions of the hand that were thrown. None of a real cup's: it was only lifted."""
    hand = news.before["dice"][seat]
    if None in hand:
        return []
    if news.before["game"] != "pocoloco" or not hand:
        return list(range(len(dice)))
    if rerolled is not None and len(rerolled) == len(dice):
        return list(rerolled)
    # Gone on with in the middle of a turn: any places that explain the hand show it as it came to be.
    for places in combinations(range(len(hand)), len(dice)):
        found = list(hand)
        for place, die in zip(places, dice, strict=True):
            found[place] = die
        if found == news.after["dice"][seat]:
            return list(places)
    raise AssertionError("dice that were thrown again lie in the hand")


def _table_after(table: View, kind: str, facts: Facts, news: News) -> View:
    """The public table once that has happened, and before the rules went on."""
    game, after = table["game"], news.after
    match kind:
        case "rolled":
            return _with_roll(table, facts["seat"], facts["dice"], news)
        case "shaken":
            return _with_dice(table, facts["seat"], [None] * facts["count"])
        case "chose":
            return _with_choice(table, facts["seat"], facts["option"], news)
        case "drew" if game == "bluff" and facts["kind"] == "order" and after["turn"] is None:
            return _new_circle(after, facts["drawn"])  # who leads it is drawn next
        case "drew" if game == "bluff" and after["circle"] != table["circle"]:
            return _new_circle(after, after["circle"])  # the leader was drawn, and nobody has thrown yet
        case "drew" if facts["kind"] == "order" or game == "cheese":
            return after
        case "cup":
            return after
        case "called":
            return _with_dice(table, facts["claimant"], facts["dice"])
        case "challenged":
            return {**table, "dice": [list(dice) for dice in facts["dice"]]}
        case "won":
            return {**table, "won": after["won"]}
        case "passed":
            return {**table, "points": table["points"] + facts["bonus"]}
        case "banked":
            return {**table, "points": 0, "standing": after["standing"]}
        case "last_turns":
            return {**table, "finisher": facts["seat"]}
    return {**table, "standing": after["standing"]} if kind in SETTLING else table


def _with_dice(table: View, seat: int, dice: Sequence[int | None]) -> View:
    return {**table, "dice": [list(dice) if at == seat else hand for at, hand in enumerate(table["dice"])]}


def _set(values: Sequence[Any], seat: int, value: Any) -> list[Any]:
    return [value if at == seat else old for at, old in enumerate(values)]


def _with_roll(table: View, seat: int, dice: Sequence[int], news: News) -> View:
    if table["game"] == "pocoloco":
        hand, again = news.after["dice"][seat], bool(table["dice"][seat])
        rolls = table["rolls"] + 1 if again else 1
        ranks = table["ranks"]
        if rolls == table["limit"]:
            ranks = _set(ranks, seat, list(pocoloco.rank(hand)))
        return {**_with_dice(table, seat, hand), "rolls": rolls, "ranks": ranks}
    thrown = _with_dice(table, seat, dice)
    if table["game"] == "mexico" and len(dice) == 2:
        thrown["rolls"] += 1
        read = mexico.score(dice)
        if read == mexico.MEXICO or thrown["rolls"] == table["limit"]:
            thrown["scores"] = _set(table["scores"], seat, read)
    return thrown


def _with_choice(table: View, seat: int, option: Any, news: News) -> View:
    match option:
        case "end" if table["game"] == "mexico":
            return {**table, "scores": _set(table["scores"], seat, mexico.score(table["dice"][seat]))}
        case "end" if table["game"] == "pocoloco":
            return {**table, "ranks": _set(table["ranks"], seat, list(pocoloco.rank(table["dice"][seat])))}
        case ("claim", claim):
            return {**table, "claim": claim, "claims": _set(table["claims"], seat, claim)}
        case "immunity":
            return {**table, "cards": news.after["cards"]}
        case ("bid", bid):
            return {**table, "bid": list(bid), "bidder": seat, "bids": [*table["bids"], [seat, list(bid)]]}
        case ("keep", places):
            roll = table["dice"][seat]
            kept = [roll[place] for place in places]
            rest = [die for place, die in enumerate(roll) if place not in places]
            return {
                **_with_dice(table, seat, rest),
                "kept": table["kept"] + kept,
                "left": len(rest),
                "points": table["points"] + cheese.score(kept).total,
            }
    return table


def _new_circle(after: View, drawn: Sequence[int]) -> View:
    seats = len(after["players"])
    nobody = dict.fromkeys(("leader", "claimant", "caller", "claim"))
    return {**after, **nobody, "circle": list(drawn), "claims": [None] * seats, "dice": [[] for _ in range(seats)]}


def _pace(kind: str, facts: Facts, news: News, computers: Container[int]) -> Pace | None:
    """How long it takes; None if it is not shown by itself."""
    before = news.before
    match kind:
        case "rolled" if not facts["places"]:
            return LIFTED
        case "rolled" if isinstance(news.ask, Roll) and thrown_for(news.ask, before):
            return ONE_DIE
        case "shaken" if any(None in hand for hand in before["dice"]) and not any(before.get("claims", ())):
            return NEXT_CUP
        case "chose" if facts["seat"] not in computers:
            thrown = facts["option"] == "roll" or facts["option"][0] == "reroll"
            return None if thrown else OWN_CHOICE  # the same press has thrown
        case "lost" if before["game"] == "cacho":
            return PACES[kind]._replace(sound="bad")
        case "scored" if not facts["called"]:
            return BELIEVED
        case "scored" if facts["gains"][0] <= 0:
            return PACES[kind]._replace(sound="bad" if any(facts["gains"]) else None)
    return PACES[kind]


def _picked_up(news: News) -> Sequence[int] | None:
    """The places that PocoLoco's player chose to throw again."""
    for event in news.events:
        if event.kind == "chose" and event.facts["option"][0] == "reroll":
            places: tuple[int, ...] = event.facts["option"][1]
            return places
    return None


class Show:
    """The beats that are being shown. The clock is passed in; what is over leaves its caption and the newest view."""

    def __init__(self, say: Catalogue, view: View, computers: Container[int] = ()) -> None:
        self.say = say
        self._computers = computers
        self._turn = 0
        self._over = 0.0  # when the last beat was over
        self.stand(view)

    def stand(self, view: View) -> None:
        """Nothing is shown but that view: a game gone on with, or an answer taken back."""
        self._view = view
        self._caption = ""
        self._playing: list[tuple[float, Beat, int]] = []  # when it starts, and which one it is
        self._sounds: list[tuple[float, str]] = []
        self._rerolled: Sequence[int] | None = None

    def add(self, news: Iterable[News], now: float) -> None:
        """Shows it as soon as what is being shown is over."""
        self._advance(now)
        for one in news:
            for beat in beats(one, self.say, self._computers, self._rerolled):
                start = max(now, self.over)
                self._playing.append((start, beat, self._turn))
                self._turn += 1
                self._sounds += [(start, beat.sound)] if beat.sound else []
                self._sounds += [(start + beat.seconds, beat.landing)] if beat.landing else []
            self._rerolled = _picked_up(one)
            self._view = one.after

    @property
    def over(self) -> float:
        """When all that there is to show will be over, or was."""
        if not self._playing:
            return self._over
        begun, last, _ = self._playing[-1]
        return begun + last.total

    def at(self, now: float) -> Shown:
        self._advance(now)
        if not self._playing:
            return Shown(self._view, None, self._caption)
        start, beat, turn = self._playing[0]
        t = min(1.0, max(0.0, (now - start) / beat.seconds))
        return Shown(beat.view, Moment(beat.kind, beat.facts, t, turn), beat.caption)

    def skip(self, now: float) -> None:
        """Everything that is being shown is over."""
        if self._playing:
            self._caption = self._playing[-1][1].caption
            self._over = now
        self._playing = []
        self._sounds = []

    def done(self, now: float) -> bool:
        self._advance(now)
        return not self._playing

    def wake(self, now: float) -> float | None:
        """When there is something else to draw: now while something moves, None if nothing is being shown."""
        self._advance(now)
        if not self._playing:
            return None
        start, beat, _ = self._playing[0]
        return now if now < start + beat.seconds else start + beat.total

    def take_sounds(self, now: float) -> list[str]:
        """The sounds that have become due since this was last asked."""
        due = [sound for at, sound in self._sounds if now - LATE < at <= now]
        self._sounds = [(at, sound) for at, sound in self._sounds if at > now]
        return due

    def _advance(self, now: float) -> None:
        while self._playing and self._playing[0][0] + self._playing[0][1].total <= now:
            start, beat, _ = self._playing.pop(0)
            self._over = start + beat.total
            self._caption = beat.caption

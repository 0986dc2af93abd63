"""What is shown of the news: beats, one after the other, each a picture of the table, a caption, a movement and a rest.

Its one rule: a beat is made of public news alone, its length too. The dice of a beat lie as they did when it happened,
even where the rules have cleared the table since, so that people see why.

Each game says in its `beats` what is peculiar to it: `shown` gives the kind and the facts of a beat, `after` the table
once that has happened, `PACES` and `pace` how long it is shown.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from table.engine.asks import View
from table.games import part
from table.session.match import News
from table.text.catalogue import Catalogue
from table.text.narration import tell

Facts = dict[str, Any]
Hand = Sequence[int | None]


class Pace(NamedTuple):
    """How long the movement of a beat takes and how long it rests then, to be read; what is heard at its begin and its
    end."""

    seconds: float
    rest: float
    sound: str | None = None
    landing: str | None = None

    @property
    def total(self) -> float:
        return self.seconds + self.rest


@dataclass(frozen=True)
class Beat:
    """One thing that happened."""

    kind: str
    facts: Facts
    before: View
    view: View
    pace: Pace
    caption: str


@dataclass(frozen=True)
class Moment:
    """A point in a beat. `t`: how much of its movement is done, 1 while it rests. `turn` counts beats, for variety."""

    kind: str
    facts: Facts
    t: float
    turn: int
    before: View  # the table before it


@dataclass(frozen=True)
class Shown:
    """What there is to draw. Without a moment nothing moves."""

    view: View
    moment: Moment | None
    caption: str


OWN_CHOICE = Pace(0.15, 0.0)  # whoever has pressed knows it already
LATE = 0.5  # seconds: a sound that fell due under a menu is not made up for


def beats(
    news: News, say: Catalogue, computers: Container[int] = (), rerolled: Sequence[int] | None = None
) -> list[Beat]:
    """What is shown of one answer. `rerolled`: the places of the dice that were just chosen to be thrown again."""
    game = part(news.before["game"], "beats")
    found: list[Beat] = []
    table = news.before
    for event in news.events:
        before = table
        if event.kind == "rolled":
            kind, facts, table = _thrown(table, event.facts["seat"], event.facts["dice"], news, rerolled)
        else:
            kind, facts = game.shown(event, news)
        table = game.after(table, kind, facts, news)
        chosen = facts["option"] if kind == "chose" else ""
        # Kept dice still lie where they were thrown while they are picked out.
        view = before if chosen and chosen[0] == "keep" else table
        if chosen and facts["seat"] not in computers:
            thrown = chosen == "roll" or chosen[0] == "reroll"
            pace = None if thrown else OWN_CHOICE  # the same press has thrown
        else:
            pace = game.PACES.get(kind) or game.pace(kind, facts, news)
        if pace is not None:
            found.append(Beat(kind, facts, before, view, pace, tell(event, news, say)))
    return found


def _thrown(
    table: View, seat: int, dice: Sequence[int | None], news: News, rerolled: Sequence[int] | None
) -> tuple[str, Facts, View]:
    """The kind of a throw, its facts, and the table with its dice. `places` are those of the hand that were thrown: all
    of it, some of it, or none of a real cup's, which was only lifted."""
    if None in dice:
        return "shaken", {"seat": seat, "count": len(dice)}, with_dice(table, seat, dice)
    before, after = news.before["dice"][seat], news.after["dice"][seat]
    places, hand = list(range(len(dice))), list(dice)
    if None in before:
        places = []
    elif rerolled is not None and len(rerolled) == len(dice) and max(rerolled) < len(before):
        places, hand = list(rerolled), _with(before, rerolled, dice)
    elif len(dice) < len(before) == len(after):
        found = _explained(before, after, dice)
        places, hand = (places, hand) if found is None else (found, after)
    return "rolled", {"seat": seat, "dice": list(dice), "places": places}, with_dice(table, seat, hand)


def _explained(
    before: Sequence[int | None], after: Sequence[int | None], dice: Sequence[int | None]
) -> list[int] | None:
    """The places in the hand after a throw where its dice can lie; any that explain it will do. The rules may have put
    the hand in another order."""
    for some in combinations(range(len(before)), len(dice)):
        if _with(before, some, dice) == after:
            return list(some)
    free = list(range(len(after)))
    places = []
    for die in dice:
        place = next((place for place in free if after[place] == die), None)
        if place is None:
            return None
        free.remove(place)
        places.append(place)
    return places


def _with(hand: Sequence[int | None], places: Sequence[int], dice: Sequence[int | None]) -> list[int | None]:
    found = list(hand)
    for place, die in zip(places, dice, strict=True):
        found[place] = die
    return found


def with_dice(table: View, seat: int, dice: Sequence[int | None]) -> View:
    """The table with these dice in front of that seat."""
    return {**table, "dice": with_value(table["dice"], seat, list(dice))}


def with_value(values: Sequence[Any], seat: int, value: Any) -> list[Any]:
    """The values by seat, with another one for that seat."""
    return [value if at == seat else old for at, old in enumerate(values)]


def _picked_up(news: News) -> Sequence[int] | None:
    """The places that were just chosen to be thrown again."""
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
                start, pace = max(now, self.over), beat.pace
                self._playing.append((start, beat, self._turn))
                self._turn += 1
                self._sounds += [(start, pace.sound)] if pace.sound else []
                self._sounds += [(start + pace.seconds, pace.landing)] if pace.landing else []
            self._rerolled = _picked_up(one)
            self._view = one.after

    @property
    def over(self) -> float:
        """When all that there is to show will be over, or was."""
        if not self._playing:
            return self._over
        begun, last, _ = self._playing[-1]
        return begun + last.pace.total

    def at(self, now: float) -> Shown:
        self._advance(now)
        if not self._playing:
            return Shown(self._view, None, self._caption)
        start, beat, turn = self._playing[0]
        seconds = beat.pace.seconds
        t = min(1.0, max(0.0, (now - start) / seconds)) if seconds else 1.0
        return Shown(beat.view, Moment(beat.kind, beat.facts, t, turn, beat.before), beat.caption)

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
        return now if now < start + beat.pace.seconds else start + beat.pace.total

    def take_sounds(self, now: float) -> list[str]:
        """The sounds that have become due since this was last asked."""
        due = [sound for at, sound in self._sounds if now - LATE < at <= now]
        self._sounds = [(at, sound) for at, sound in self._sounds if at > now]
        return due

    def _advance(self, now: float) -> None:
        while self._playing and self._playing[0][0] + self._playing[0][1].pace.total <= now:
            start, beat, _ = self._playing.pop(0)
            self._over = start + beat.pace.total
            self._caption = beat.caption

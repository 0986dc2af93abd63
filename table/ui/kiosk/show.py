"""Turns news into beats, shown one after the other: a view of the table, a caption, an animation and a pause.

A beat, including its length, depends on public news only. A beat shows the table as it was when the rules reported the
event, even if the rules have cleared the table since, so that people see what led to the event.

Each game adds its own part in `beats`: `shown` returns the kind and the facts of a beat, `after` returns the table
after the beat, and `PACES` and `pace` give the length of the beat.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from table.engine.asks import View, rolls, to_reroll
from table.games import part
from table.session.match import News
from table.text.catalogue import Catalogue
from table.text.narration import tell

Facts = dict[str, Any]
Hand = Sequence[int | None]


class Pace(NamedTuple):
    """The length of a beat's animation and of the pause for reading after it, with the sounds at its start and end."""

    seconds: float
    rest: float
    sound: str | None = None
    landing: str | None = None

    @property
    def total(self) -> float:
        return self.seconds + self.rest


@dataclass(frozen=True)
class Beat:
    """One event of the game, ready to be shown."""

    kind: str
    facts: Facts
    before: View
    view: View
    pace: Pace
    caption: str


@dataclass(frozen=True)
class Moment:
    """A point in time within a beat.

    `t` is the progress of the animation, from 0 to 1; during the pause it stays 1. `turn` is the number of the beat, so
    that animations can vary.
    """

    kind: str
    facts: Facts
    t: float
    turn: int
    before: View  # the table before the beat


@dataclass(frozen=True)
class Shown:
    """What to draw. Without a moment, nothing moves."""

    view: View
    moment: Moment | None
    caption: str


OWN_CHOICE = Pace(0.15, 0.0)  # short, because the person who pressed already knows
LATE = 0.5  # seconds; a sound that is later than this, because a menu was open, is dropped


def beats(
    news: News, say: Catalogue, computers: Container[int] = (), rerolled: Sequence[int] | None = None
) -> list[Beat]:
    """The beats for one answer. `rerolled` contains the places of the dice just selected for a reroll."""
    game = part(news.before["game"], "beats")
    found: list[Beat] = []
    table = news.before
    for event in news.events:
        before = table
        if event.kind == "rolled":
            kind, facts, table = _thrown(table, event.facts["seat"], event.facts["dice"], news, rerolled)
        else:
            kind, facts = game.shown(event, news)
        table = game.after(table, kind, facts, news._replace(after=event.table or news.after))
        chosen = facts["option"] if kind == "chose" else ""
        # Kept dice stay where they were rolled while they are being selected.
        view = before if chosen and chosen[0] == "keep" else table
        if chosen and facts["seat"] not in computers:
            pace = None if rolls(chosen) else OWN_CHOICE  # no beat if the same press also rolled the dice
        else:
            pace = game.PACES.get(kind) or game.pace(kind, facts, news)
        if pace is not None:
            found.append(Beat(kind, facts, before, view, pace, tell(event, news, say)))
    return found


def _thrown(
    table: View, seat: int, dice: Sequence[int | None], news: News, rerolled: Sequence[int] | None
) -> tuple[str, Facts, View]:
    """The beat of a roll: its kind, its facts, and the table with the rolled dice.

    `places` are the rolled places of the hand: all, some, or none if no dice should tumble, because people saw their
    real dice roll, or only lifted a real cup.
    """
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
    if news.rolled:
        places = []
    return "rolled", {"seat": seat, "dice": list(dice), "places": places}, with_dice(table, seat, hand)


def _explained(
    before: Sequence[int | None], after: Sequence[int | None], dice: Sequence[int | None]
) -> list[int] | None:
    """Places in the hand where the rolled dice could be after the roll, even if the rules have reordered the hand."""
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
    """The table with these dice in front of the seat."""
    return {**table, "dice": with_value(table["dice"], seat, list(dice))}


def with_value(values: Sequence[Any], seat: int, value: Any) -> list[Any]:
    """A copy of the values with the seat's value replaced."""
    return [value if at == seat else old for at, old in enumerate(values)]


def _picked_up(news: News) -> Sequence[int] | None:
    """The places of the dice just selected for a reroll."""
    for event in news.events:
        if event.kind == "chose" and (places := to_reroll(event.facts["option"])):
            return places
    return None


class Show:
    """The queue of beats being shown. The caller passes in the time. After the last beat, its caption and the newest
    view stay on the screen."""

    def __init__(self, say: Catalogue, view: View, computers: Container[int] = ()) -> None:
        self.say = say
        self._computers = computers
        self._turn = 0
        self._over = 0.0  # when the last beat ended
        self.stand(view)

    def stand(self, view: View) -> None:
        """Drops all beats and shows only this view, after a game is resumed or an answer is undone."""
        self._view = view
        self._caption = ""
        self._playing: list[tuple[float, Beat, int]] = []  # start time, beat and turn
        self._sounds: list[tuple[float, str]] = []
        self._rerolled: Sequence[int] | None = None

    def add(self, news: Iterable[News], now: float) -> None:
        """Queues the news after the current beats."""
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
        """When the last queued beat ends or, if no beat is queued, when the last one ended."""
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
        """Ends all queued beats immediately."""
        if self._playing:
            self._caption = self._playing[-1][1].caption
            self._over = now
        self._playing = []
        self._sounds = []

    def done(self, now: float) -> bool:
        self._advance(now)
        return not self._playing

    def wake(self, now: float) -> float | None:
        """When to redraw: now during an animation, at the end of a pause, or never (None) when no beat is shown."""
        self._advance(now)
        if not self._playing:
            return None
        start, beat, _ = self._playing[0]
        return now if now < start + beat.pace.seconds else start + beat.pace.total

    def take_sounds(self, now: float) -> list[str]:
        """The sounds that have become due since the last call."""
        due = [sound for at, sound in self._sounds if now - LATE < at <= now]
        self._sounds = [(at, sound) for at, sound in self._sounds if at > now]
        return due

    def _advance(self, now: float) -> None:
        while self._playing and self._playing[0][0] + self._playing[0][1].pace.total <= now:
            start, beat, _ = self._playing.pop(0)
            self._over = start + beat.pace.total
            self._caption = beat.caption

"""What can be chosen, as short lists: for two buttons, for fingers, for a phone, for a glance from two metres.

Its one rule: a list comes from the ask and the public view alone, its order and the entry it starts at too. So nothing
on the shared screen tells of dice that not everybody may know.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any, Literal

from table.engine.asks import Choose, Option, View
from table.games.cheese import rules as cheese
from table.games.mexico import rules as mexico
from table.games.pocoloco import rules as pocoloco
from table.text.catalogue import Catalogue

NEUTRAL_CLAIM = 7
COUNTS_AT_ONCE = 10
"""With more, and with both challenges, twelve entries: as many as there are claims."""

MORE = "choice.more"

Kind = Literal["roll_or_end", "list", "bid", "dice"]
Places = frozenset[int]


@dataclass(frozen=True)
class Entry:
    """One line of a list: a key of the catalogue with its facts, and the option that it stands for.

    An entry without an option leads on to the list in `then`.
    """

    option: Option | None
    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    number: int | None = None  # the digits that go straight to it
    places: tuple[int, ...] | None = None  # where the dice lie that stay, if this is about dice
    then: "tuple[Entry, ...]" = ()


@dataclass(frozen=True)
class Choice:
    """An ask as a list, and the place where it starts. Roll or end is none to move in: each button is one of them."""

    kind: Kind
    entries: tuple[Entry, ...]
    start: int = 0
    dice: tuple[int, ...] = ()  # those on the table, if this is about dice
    keeping: Mapping[Places, Option] = field(default_factory=dict)  # the option for all the dice that may stay


def lists(ask: Choose, public: View) -> Choice:
    """What there is to choose, from the ask and the public view alone."""
    options = ask.options
    if set(options) == {"roll", "end"}:
        return Choice("roll_or_end", roll_or_end(ask, public))
    match options[0], options[-1]:
        case ("keep", _), _:
            return which_to_keep(ask, public)
        case "end", ("reroll", _):
            return which_to_reroll(ask, public)
        case ("bid", _), _:
            return Choice("bid", bids(options))
    start = options.index(("claim", NEUTRAL_CLAIM)) if ("claim", NEUTRAL_CLAIM) in options else 0
    return Choice("list", tuple(plain(option, public) for option in options), start)


def roll_or_end(ask: Choose, public: View) -> tuple[Entry, ...]:
    """Roll first, with the count of the dice that are then thrown."""
    if public["game"] == "cheese":
        return (
            Entry("roll", "choice.roll", {"count": public["left"]}),
            Entry("end", "choice.bank", {"points": public["points"]}),
        )
    dice = public["dice"][ask.seat]
    facts = {"rolls": public["rolls"], "limit": public["limit"], "count": len(dice)}
    return Entry("roll", "choice.again", facts), Entry("end", "choice.stay", {"score": mexico.score(dice)})


def plain(option: Option, public: View) -> Entry:
    """An option that stands for itself: a claim, a word."""
    if isinstance(option, str):
        claim = public.get("claim")
        return Entry(option, f"choice.{option}", {} if claim is None else {"claim": claim})
    word, value = option
    return Entry(option, f"choice.{word}", {word: value}, value if isinstance(value, int) else None)


def bids(options: Sequence[Option]) -> tuple[Entry, ...]:
    """The counts, each with its faces; then the challenges, dudo last: Roll held to the end of the list finds it."""
    by_count: dict[int, list[Entry]] = {}
    words = []
    for option in options:
        match option:
            case ("bid", (int(count), int(face))):
                bid = Entry(option, "choice.bid", {"count": count, "face": face}, number=face)
                by_count.setdefault(count, []).append(bid)
            case str(word):
                words.append(Entry(option, f"choice.{word}"))
    counts = [count_entry(count, faces) for count, faces in sorted(by_count.items())]
    return pages(counts, words[::-1])


def count_entry(count: int, faces: list[Entry]) -> Entry:
    """With one face only, it is that bid already."""
    if len(faces) == 1:
        return Entry(faces[0].option, faces[0].key, faces[0].facts, number=count)
    return Entry(None, "choice.count", {"count": count}, number=count, then=tuple(faces))


def pages(counts: list[Entry], words: list[Entry]) -> tuple[Entry, ...]:
    """Sixty counts are no short list: what does not fit follows behind one more entry."""
    if len(counts) <= COUNTS_AT_ONCE:
        return *counts, *words
    here, rest = counts[: COUNTS_AT_ONCE - 1], counts[COUNTS_AT_ONCE - 1 :]
    more = Entry(None, MORE, {"least": rest[0].number, "most": rest[-1].number}, then=pages(rest, words))
    return *here, more, *words


def which_to_keep(ask: Choose, public: View) -> Choice:
    """Cheese: the most points first; among equals, the most dice."""
    dice = tuple(public["dice"][ask.seat])
    keeping: dict[Places, Option] = {}
    for option in ask.options:
        match option:
            case (_, tuple(kept)):
                keeping[frozenset(kept)] = option
    entries = []
    for places, option in folded(dice, keeping):
        faces = values(dice, places)
        facts = {"count": len(faces), "dice": faces, "points": cheese.score(faces).total}
        entries.append(Entry(option, "choice.keep", facts, places=places))
    entries.sort(key=lambda entry: (-entry.facts["points"], -entry.facts["count"]))
    return Choice("dice", tuple(entries), dice=dice, keeping=keeping)


def which_to_reroll(ask: Choose, public: View) -> Choice:
    """PocoLoco: first what promises the best dice after one more roll."""
    dice = tuple(public["dice"][ask.seat])
    every = frozenset(range(len(dice)))
    keeping: dict[Places, Option] = {}
    for option in ask.options:
        match option:
            case ("reroll", tuple(where)):
                keeping[every - frozenset(where)] = option
            case _:
                keeping[every] = option
    entries = []
    for places, option in folded(dice, keeping):
        again = values(dice, every - frozenset(places))
        key = "choice.reroll" if again else "choice.keep_all"
        facts = {"count": len(again) or len(dice), "dice": again or values(dice, places)}
        entries.append(Entry(option, key, facts, places=places))
    entries.sort(key=lambda entry: -promise(values(dice, entry.places or ())))
    return Choice("dice", tuple(entries), dice=dice, keeping=keeping)


def folded(dice: Sequence[int], keeping: Mapping[Places, Option]) -> list[tuple[tuple[int, ...], Option]]:
    """Sets of dice, by their places: of those that show the same faces, only the one that lies first."""
    first: dict[tuple[int, ...], tuple[tuple[int, ...], Option]] = {}
    for places, option in sorted((tuple(sorted(kept)), option) for kept, option in keeping.items()):
        first.setdefault(values(dice, places), (places, option))
    return list(first.values())


def values(dice: Sequence[int], places: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(dice[place] for place in places))


@cache
def promise(kept: tuple[int, ...]) -> float:
    """PocoLoco: how many of all rolls three dice beat on average, when those are kept and the others rolled again."""
    rolls = list(product(range(1, 7), repeat=3 - len(kept)))
    return sum(_beats(pocoloco.rank(kept + roll)) for roll in rolls) / len(rolls)


@cache
def _beats(rank: pocoloco.Rank) -> float:
    """Half of those that tie are counted."""
    return (bisect_left(_all_ranks(), rank) + bisect_right(_all_ranks(), rank)) / 2


@cache
def _all_ranks() -> list[pocoloco.Rank]:
    return sorted(pocoloco.rank(roll) for roll in product(range(1, 7), repeat=3))


def pages_of(entries: tuple[Entry, ...]) -> list[tuple[Entry, ...]]:
    """A list and all that follow it behind `more`."""
    for entry in entries:
        if entry.key == MORE:
            return [entries, *pages_of(entry.then)]
    return [entries]


def label(entry: Entry, say: Catalogue) -> str:
    """An entry in words."""
    facts = dict(entry.facts)
    if "dice" in facts:
        facts["dice"] = " ".join(map(str, facts["dice"]))
    if entry.key == "choice.bid":
        return say.bid(facts["count"], facts["face"])
    return say(entry.key, **facts)

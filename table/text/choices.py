"""What can be chosen, as short lists: for two buttons, for fingers, for a phone, for a glance from two metres.

Its one rule: a list comes from the ask and the public view alone, its order and the entry it starts at too. So nothing
on the shared screen tells of dice that not everybody may know.

`lists` asks the `words` of the game for its list. The other functions are what games make theirs from: an entry for
each option, roll or end, sets of dice, bids.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from table.engine.asks import Choose, Option, View
from table.games import GAMES, part
from table.text.catalogue import Catalogue, readable
from table.text.narration.words import faces

COUNTS_AT_ONCE = 10
"""With more, and with both challenges, twelve entries: as many as there are claims."""

BID, COUNT, MORE = "choice.bid", "choice.count", "choice.more"
AGAIN = ("reroll", "roll", "throw", "again")
"""Words for dice that are thrown again; of any other word with dice, these stay."""
SHARED = ("keep", "reroll", "keep_all")
COMMON = {"game", "seat", "players", "options", "round", "standing", "turn", "dice"}
"""What every view has; the rest is the board of its game."""

Kind = Literal["roll_or_end", "list", "bid", "dice"]
Places = frozenset[int]


@dataclass(frozen=True)
class Entry:
    """One line of a list: a key of the catalogue with its facts, and the option that it stands for.

    An entry without an option leads on to the list in `then`. `label` has its words.
    """

    option: Option | None
    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    number: int | None = None  # the digits that go straight to it
    places: tuple[int, ...] | None = None  # where the dice lie that stay, if this is about dice
    shows: tuple[int, ...] = ()  # the faces that say more than words where dice can be drawn, beside what `beside` says
    then: "tuple[Entry, ...]" = ()

    @property
    def word(self) -> str:
        return self.key.rpartition(".")[2]


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
    choice: Choice = part(public["game"], "words").choices(ask, public)
    return choice


# An entry in words


def spoken(entry: Entry) -> dict[str, Any]:
    """The facts as a text takes them: dice as 4 5."""
    facts = dict(entry.facts)
    return facts | {"dice": faces(facts["dice"])} if isinstance(facts.get("dice"), tuple) else facts


def label(entry: Entry, say: Catalogue) -> str:
    """The game's own words, or those that games share, or the option's word and value as its rules have them."""
    facts = spoken(entry)
    if entry.key == BID:
        return say.bid(facts["count"], facts["face"])
    word = entry.word
    shared = [f"choice.{word}"] if word in SHARED else [f"button.{word}"] if word in ("roll", "end") else []
    if entry.option == "end" and entry.places:
        shared = ["choice.keep_all"]
    try:
        return say.first(entry.key, *shared, **facts)
    except KeyError:
        return " ".join([readable(word), *_value(entry)])


def beside(entry: Entry, say: Catalogue) -> str:
    """What is said beside the faces that the entry shows."""
    try:
        return say.first(f"{entry.key}_dice", f"choice.{entry.word}_dice", **entry.facts)
    except KeyError:
        return readable(entry.word)


def _value(entry: Entry) -> list[str]:
    if entry.shows:
        return [faces(entry.shows)]
    match entry.option:
        case (_, tuple(values)):
            return [faces(values)]
        case (_, value):
            return [str(value)]
    return []


# What lists are made of


def board(public: View) -> dict[str, int | str]:
    """The numbers and words among the options and on the board, as facts of a text."""
    fields = {**public["options"], "round": public["round"]}
    fields |= {name: value for name, value in public.items() if name not in COMMON}
    return {name: value for name, value in fields.items() if type(value) in (int, str)}


def plain(option: Option, public: View, seat: int, **facts: Any) -> Entry:
    """An option that stands for itself: a word, or a word with a value. Its facts are the board's, and the value by the
    word; of a set of the seat's dice, these `dice` and their `count`."""
    word, value = option if isinstance(option, tuple) else (option, None)
    own: dict[str, Any] = {}
    if isinstance(value, tuple):
        dice = public["dice"][seat]
        own = {word: faces(value)}
        if None not in dice and are_places(value, dice):
            own = {"count": len(value), "dice": tuple(dice[place] for place in value)}
    elif value is not None:
        own = {word: value, "count": value}
    key, number = f"{public['game']}.choice.{word}", value if isinstance(value, int) else None
    return Entry(option, key, {**board(public), **own, **facts}, number, shows=own.get("dice", ()))


def are_places(where: Sequence[int], dice: Sequence[Any]) -> bool:
    """Whether these could be places of so many dice: in ascending order, each once."""
    return list(where) == sorted({*where} & {*range(len(dice))})


def roll_or_end(ask: Choose, public: View, **facts: Any) -> Choice:
    """Roll first. Its `count` is that of the dice that are then thrown: those of this seat, unless the game knows
    better."""
    count = len(public["dice"][ask.seat]) or GAMES[public["game"]].dice
    return Choice(
        "roll_or_end", tuple(plain(word, public, ask.seat, **{"count": count, **facts}) for word in ("roll", "end"))
    )


def staying(ask: Choose, public: View) -> dict[Places, Option]:
    """Where every option is a set of the seat's own dice in sight: the option for each set that may stay.

    Such an option is a word with the places of some dice, in ascending order. Beside them "end" means that all stay,
    and "roll" that all are thrown again. Nothing if an option is of another kind.
    """
    dice = public["dice"][ask.seat]
    every = frozenset(range(len(dice)))
    found: dict[Places, Option] = {}
    sets = 0
    for option in ask.options:
        match option:
            case (word, tuple(where)) if are_places(where, dice) and None not in dice:
                places = every - frozenset(where) if word in AGAIN else frozenset(where)
                sets += 1
            case str(word) if word in AGAIN:
                places = frozenset()
            case "end":
                places = every
            case _:
                return {}
        found[places] = option
    return found if sets and len(found) == len(ask.options) else {}


def sets_of_dice(ask: Choose, public: View, keeping: Mapping[Places, Option]) -> Choice:
    """An entry for each set that is different to look at, in the order of the options. The facts of an entry are the
    dice that it speaks of, and their count."""
    dice = tuple(public["dice"][ask.seat])
    every = frozenset(range(len(dice)))
    entries = []
    for places, option in folded(dice, keeping):
        again = (option if isinstance(option, str) else option[0]) in AGAIN
        meant = values(dice, every.difference(places) if again else places)
        entry = plain(option, public, ask.seat, count=len(meant), dice=meant)
        entries.append(replace(entry, places=places, shows=() if isinstance(option, str) else meant))
    ranked: dict[Option | None, int] = {option: at for at, option in enumerate(ask.options)}
    entries.sort(key=lambda entry: ranked[entry.option])
    return Choice("dice", tuple(entries), dice=dice, keeping=keeping)


def folded(dice: Sequence[int], keeping: Mapping[Places, Option]) -> list[tuple[tuple[int, ...], Option]]:
    """Sets of dice, by their places: of those that show the same faces, only the one that lies first."""
    first: dict[tuple[int, ...], tuple[tuple[int, ...], Option]] = {}
    for places, option in sorted((tuple(sorted(kept)), option) for kept, option in keeping.items()):
        first.setdefault(values(dice, places), (places, option))
    return list(first.values())


def values(dice: Sequence[int], places: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(dice[place] for place in places))


def bids(ask: Choose, public: View) -> Choice:
    """The counts, each with its faces; then the challenges, the first of them last: Roll held to the end of the list
    finds it."""
    by_count: dict[int, list[Entry]] = {}
    words = []
    for option in ask.options:
        match option:
            case ("bid", (int(count), int(face))):
                bid = Entry(option, BID, {"count": count, "face": face}, number=face, shows=(face,))
                by_count.setdefault(count, []).append(bid)
            case str(word):
                words.append(plain(word, public, ask.seat))
    counts = [count_entry(count, faces) for count, faces in sorted(by_count.items())]
    return Choice("bid", pages(counts, words[::-1]))


def count_entry(count: int, faces: list[Entry]) -> Entry:
    """With one face only, it is that bid already."""
    if len(faces) == 1:
        return Entry(faces[0].option, BID, faces[0].facts, number=count, shows=faces[0].shows)
    return Entry(None, COUNT, {"count": count}, number=count, then=tuple(faces))


def pages(counts: list[Entry], words: list[Entry]) -> tuple[Entry, ...]:
    """Sixty counts are no short list: what does not fit follows behind one more entry."""
    if len(counts) <= COUNTS_AT_ONCE:
        return *counts, *words
    here, rest = counts[: COUNTS_AT_ONCE - 1], counts[COUNTS_AT_ONCE - 1 :]
    more = Entry(None, MORE, {"least": rest[0].number, "most": rest[-1].number}, then=pages(rest, words))
    return *here, more, *words


def pages_of(entries: tuple[Entry, ...]) -> list[tuple[Entry, ...]]:
    """A list and all that follow it behind `more`."""
    for entry in entries:
        if entry.key == MORE:
            return [entries, *pages_of(entry.then)]
    return [entries]

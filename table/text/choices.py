"""Choices as short lists: for two buttons, touch, phones, and reading from two metres away.

Its one rule: a list, its order and the entry selected at the start depend only on the ask and the public view. So the
shared screen reveals nothing about hidden dice.

`lists` asks the game's `words` for its list. The other functions are building blocks for games: they make an entry per
option, the choice to roll or end, sets of dice, and bids.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from table.engine.asks import Choose, Option, View
from table.games import GAMES, part
from table.text.catalogue import Catalogue, readable
from table.text.narration.words import faces

COUNTS_AT_ONCE = 10
"""The most counts on one page. With both challenges, a page has at most twelve entries, as many as there are claims in
Bluff."""

BID, COUNT, MORE = "choice.bid", "choice.count", "choice.more"
AGAIN = ("reroll", "roll", "throw", "again")
"""Words for rolling dice again; with any other word, the dice in the option stay."""
SHARED = ("keep", "reroll", "keep_all")
COMMON = {"game", "seat", "players", "options", "round", "standing", "turn", "dice"}
"""The fields that every view has; all others come from the game's board."""

Kind = Literal["roll_or_end", "list", "bid", "dice"]
Places = frozenset[int]


@dataclass(frozen=True)
class Entry:
    """One line of a list: a catalogue key with its facts, and the option that the line stands for.

    An entry without an option leads to the list in `then`. `label` returns its text."""

    option: Option | None
    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    number: int | None = None  # the number that people can type to select the entry
    places: tuple[int, ...] | None = None  # positions of the dice that stay, if the entry is about dice
    shows: tuple[int, ...] = ()  # faces to draw in place of words; `beside` returns the text next to them
    then: "tuple[Entry, ...]" = ()

    @property
    def word(self) -> str:
        return self.key.rpartition(".")[2]


@dataclass(frozen=True)
class Choice:
    """An ask as a list, and the entry selected at the start. The choice to roll or end needs no list, because
    each of the two has its own button."""

    kind: Kind
    entries: tuple[Entry, ...]
    start: int = 0
    dice: tuple[int, ...] = ()  # the dice on the table, if the choice is about dice
    keeping: Mapping[Places, Option] = field(default_factory=dict)  # the option for each set of dice that can stay


def lists(ask: Choose, public: View) -> Choice:
    """The list for an ask, made from the ask and the public view only."""
    choice: Choice = part(public["game"], "words").choices(ask, public)
    return choice


# The text of an entry


def spoken(entry: Entry) -> dict[str, Any]:
    """The facts as text; for example, dice become "4 5"."""
    facts = dict(entry.facts)
    return facts | {"dice": faces(facts["dice"])} if isinstance(facts.get("dice"), tuple) else facts


def label(entry: Entry, say: Catalogue) -> str:
    """The text of an entry: the game's own or the shared one, or else the option's word and value from the rules."""
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
    """The text next to the faces that the entry shows."""
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


# Building blocks of lists


def board(public: View) -> dict[str, int | str]:
    """The numbers and words among the options, the round and the fields of the game's board, as facts for a text."""
    fields = {**public["options"], "round": public["round"]}
    fields |= {name: value for name, value in public.items() if name not in COMMON}
    return {name: value for name, value in fields.items() if type(value) in (int, str)}


def plain(option: Option, public: View, seat: int, **facts: Any) -> Entry:
    """An option as an entry: a word, or a word with a value. The facts are those of `board` plus the value, named after
    the option's word. If the value is a set of the seat's dice, the facts `dice` and `count` replace it."""
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
    """Whether these are valid positions of dice, in ascending order and without repeats."""
    return list(where) == sorted({*where} & {*range(len(dice))})


def roll_or_end(ask: Choose, public: View, **facts: Any) -> Choice:
    """The choice to roll or end, with roll first. `count` is the number of dice that would be rolled: all of the
    seat's dice, unless the game passes another number."""
    count = len(public["dice"][ask.seat]) or GAMES[public["game"]].dice
    return Choice(
        "roll_or_end", tuple(plain(word, public, ask.seat, **{"count": count, **facts}) for word in ("roll", "end"))
    )


def staying(ask: Choose, public: View) -> dict[Places, Option]:
    """The option for each set of dice that can stay, if every option is a set of the seat's own visible dice.

    Such an option is a word with the positions of some dice, in ascending order. Among such options, "end" means that
    all dice stay, and "roll" that all are rolled again. The result is empty if there is an option of another kind."""
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
    """An entry for each set of dice, in the order of the options. Sets with the same faces share an entry. The facts of
    an entry are the dice it refers to, and their count."""
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
    """The sets of dice, as positions. If several sets have the same faces, only the first is included."""
    first: dict[tuple[int, ...], tuple[tuple[int, ...], Option]] = {}
    for places, option in sorted((tuple(sorted(kept)), option) for kept, option in keeping.items()):
        first.setdefault(values(dice, places), (places, option))
    return list(first.values())


def values(dice: Sequence[int], places: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(dice[place] for place in places))


def bids(ask: Choose, public: View) -> Choice:
    """The list for a bid: the counts, each with its faces, then the challenges. The challenges are in reverse order, so
    that holding Roll, which moves to the end of the list, selects the first of them."""
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
    """An entry for a count. If only one face can be bid, the entry is the bid itself."""
    if len(faces) == 1:
        return Entry(faces[0].option, BID, faces[0].facts, number=count, shows=faces[0].shows)
    return Entry(None, COUNT, {"count": count}, number=count, then=tuple(faces))


def pages(counts: list[Entry], words: list[Entry]) -> tuple[Entry, ...]:
    """Splits long lists (up to sixty counts) into pages, linked by a `more` entry."""
    if len(counts) <= COUNTS_AT_ONCE:
        return *counts, *words
    here, rest = counts[: COUNTS_AT_ONCE - 1], counts[COUNTS_AT_ONCE - 1 :]
    more = Entry(None, MORE, {"least": rest[0].number, "most": rest[-1].number}, then=pages(rest, words))
    return *here, more, *words


def pages_of(entries: tuple[Entry, ...]) -> list[tuple[Entry, ...]]:
    """A list and all its further pages."""
    for entry in entries:
        if entry.key == MORE:
            return [entries, *pages_of(entry.then)]
    return [entries]

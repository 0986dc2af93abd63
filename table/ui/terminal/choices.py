"""What a person can type to make a choice, and what it means.

Its one rule: a reader returns one of the offered options, or refuses with a sentence that lists them. Nothing
here is specific to a game, because the options come from the lists that all front ends use. Those lists are made from
the public view, so a question never gives away another player's dice.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, NoReturn

from table.engine.asks import Choose, Option, View
from table.engine.errors import Refused
from table.text.catalogue import Catalogue, capital
from table.text.choices import Choice, Entry, label, lists, values
from table.text.narration.words import faces
from table.ui.terminal.screen import folded, quoted

FEW = 3  # numbers listed in a hint
MOST_SETS = 6  # how many sets of dice are listed, best first

Words = Mapping[str, Option | None]


class Question(NamedTuple):
    """Lines with the options, if helpful; a hint about what to type; and the function that reads the answer."""

    lines: list[str]
    hint: str
    read: Callable[[str], Option]


def question(ask: Choose, public: View, say: Catalogue) -> Question:
    choice = lists(ask, public)
    match choice.kind:
        case "roll_or_end":
            return roll_or_end(choice, say)
        case "bid":
            return what_to_bid(choice, say)
        case "dice":
            return which_dice(choice, say)
    return one_of_a_list(choice, say)


def roll_or_end(choice: Choice, say: Catalogue) -> Question:
    """Enter rolls; the first letter of the End button, in the current language, ends."""
    roll, end = choice.entries
    buttons = {say("button.roll"): roll.option, say("button.end"): end.option}
    hint = say("terminal.hint.roll_or_end", roll=label(roll, say), key=_letter(say("button.end")), end=label(end, say))

    def read(text: str) -> Option:
        found = meant(text, buttons, *vocabularies(choice.entries, say)) if text else roll.option
        return found if found is not None else refuse(text, hint, say)

    return Question([], hint, read)


def one_of_a_list(choice: Choice, say: Catalogue) -> Question:
    """An entry is selected by its own number, or its position in the list, or the start of its label. If all entries
    have the same word and different numbers, no lines are needed."""
    entries = list(flat(choice.entries))
    numbers = [entry.number for entry in entries if entry.number is not None]
    words = {entry.word for entry in entries if entry.number is not None}
    own = len(words) == 1 and len(set(numbers)) == len(numbers)
    keys = [entry.number if own else at for at, entry in enumerate(entries, 1)]
    by_key = {key: entry.option for key, entry in zip(keys, entries, strict=True) if key is not None}
    hint = say("terminal.hint.numbers", least=min(by_key), most=max(by_key))
    lines = []
    if not own or len(numbers) < len(entries):
        few = [str(key) for key in by_key]
        hint = say("terminal.hint.list", numbers=say.listed(few, "or") if len(few) <= FEW else hint)
        shown = ["" if key is None else str(key) for key in keys]
        wide = max(map(len, shown))
        lines = [f"  {key:>{wide}}  {label(entry, say)}" for key, entry in zip(shown, entries, strict=True)]

    def read(text: str) -> Option:
        found = by_key.get(int(text)) if re.fullmatch("[0-9]{1,9}", text) else None
        if found is None:
            found = meant(text, *vocabularies(entries, say))
        return found if found is not None else refuse(text, hint, say)

    return Question(lines, hint, read)


def which_dice(choice: Choice, say: Catalogue) -> Question:
    """A set is selected by its faces: those that stay, or those that are rolled again."""
    dice, every = choice.dice, frozenset(range(len(choice.dice)))
    again = any(
        tuple(entry.facts["dice"]) != values(dice, entry.places or ()) for entry in choice.entries if entry.shows
    )
    words = [entry for entry in choice.entries if isinstance(entry.option, str)]
    buttons = {say("button.end"): "end"} if any(entry.option == "end" for entry in words) else {}

    def typed(entry: Entry) -> str:
        return _letter(say("button.end")) if entry.option == "end" else faces(entry.facts["dice"])

    best = choice.entries[:MOST_SETS]
    wide = max(len(typed(entry)) for entry in best)
    lines = [f"  {typed(entry):<{wide}}  {label(entry, say)}" for entry in best]
    first = choice.entries[0]
    hint = say("terminal.hint.faces", best=label(first, say) if first in words else faces(first.facts["dice"]))

    def option_of(wanted: Sequence[int]) -> Option | None:
        places = places_of(wanted, dice, say)
        return choice.keeping.get(every - places if again else places)

    def read(text: str) -> Option:
        if not text:
            return first.option  # type: ignore[return-value]  # a set of dice leads to no other list
        if (spoken := meant(text, buttons, *vocabularies(words, say))) is not None:
            return spoken
        if folded(say("terminal.all")).startswith(folded(text)):
            return option_of(dice) or read("")
        wanted = typed_faces(text)
        if not wanted:
            refuse(text, hint, say)
        found = option_of(wanted)
        if found is None:
            raise Refused(say("terminal.no_set", dice=faces(wanted)))
        return found

    return Question(lines, hint, read)


def what_to_bid(choice: Choice, say: Catalogue) -> Question:
    """A bid is selected by count and face (3 5, 3x5 or 35), a challenge by its first letter."""
    bids: dict[tuple[int, int], Option] = {}
    words = []
    for entry in flat(choice.entries):
        match entry.option:
            case (_, (int(count), int(face))):
                bids[count, face] = entry.option
            case _:
                words.append(entry)
    keys = [f"{_letter(label(entry, say))}: {label(entry, say)}" for entry in words]
    if bids:
        count, face = next((bid for bid in bids if bid[0] != bid[1]), next(iter(bids)))
        keys.insert(0, say("terminal.hint.bid", count=count, face=face))
    hint = "; ".join(keys)

    def read(text: str) -> Option:
        if (spoken := meant(text, *vocabularies(words, say))) is not None:
            return spoken
        bid = typed_bid(text)
        if bid is None:
            refuse(text, hint, say)
        if bid not in bids:
            raise Refused(say("terminal.no_bid", bid=capital(say.bid(*bid)), bids=", ".join(spans(bids, say)) or hint))
        return bids[bid]

    return Question([], hint, read)


def spans(bids: Iterable[tuple[int, int]], say: Catalogue) -> Iterator[str]:
    """The possible bids summarized by face, because there can be hundreds."""
    counts: dict[int, list[int]] = {}
    for count, face in bids:
        counts.setdefault(face, []).append(count)
    for face, found in sorted(counts.items()):
        least, most = min(found), max(found)
        if least == most:
            yield say.bid(least, face)
        else:
            yield say("terminal.bids", least=least, most=most, faces=say.faces(face, most))


def typed_bid(text: str) -> tuple[int, int] | None:
    found = re.fullmatch(r"([1-9][0-9]?[0-9]??)[\s,;x×]*([1-6])", text.casefold())
    return (int(found[1]), int(found[2])) if found else None


def typed_faces(text: str) -> list[int]:
    """Faces such as 1 5 5, 155 or 1,5,5; empty if the text is something else."""
    digits = re.sub(r"[\s,;+-]", "", text)
    return [int(digit) for digit in digits] if re.fullmatch("[1-6]{1,20}", digits) else []


def typed_dice(text: str, count: int, say: Catalogue) -> tuple[int, ...]:
    """The values of real dice under a cup."""
    dice = typed_faces(text)
    if len(dice) != count:
        refuse(text, say("terminal.hint.dice", count=count, like=faces((3, 5, 1, 6, 2, 4)[:count])), say)
    return tuple(dice)


def places_of(wanted: Sequence[int], dice: Sequence[int], say: Catalogue) -> frozenset[int]:
    """The positions of dice with these faces. If several dice are equal, the first ones are taken."""
    if Counter(wanted) - Counter(dice):
        raise Refused(say("terminal.not_there", wanted=faces(wanted), dice=faces(dice)))
    left, places = Counter(wanted), set()
    for place, face in enumerate(dice):
        if left[face]:
            left[face] -= 1
            places.add(place)
    return frozenset(places)


def meant(text: str, *words: Words) -> Option | None:
    """The option that the text names or abbreviates, in the first vocabulary where it is unambiguous."""
    for vocabulary in words if text else ():
        for fits in (str.__eq__, str.startswith):
            found = {option for word, option in vocabulary.items() if fits(folded(word), folded(text))}
            if len(found) == 1:
                return found.pop()
    return None


def vocabularies(entries: Iterable[Entry], say: Catalogue) -> tuple[Words, Words]:
    """The labels of these entries, and the rules' own words for them."""
    spoken = {label(entry, say): entry.option for entry in entries if entry.option is not None}
    return spoken, {option: option for option in spoken.values() if isinstance(option, str)}


def flat(entries: Iterable[Entry]) -> Iterator[Entry]:
    """All entries with an option, including those of nested lists, without duplicates."""
    found: dict[Option, Entry] = {}
    ahead = list(entries)
    while ahead:
        entry = ahead.pop(0)
        if entry.option is None:
            ahead = [*entry.then, *ahead]
        else:
            found.setdefault(entry.option, entry)
    yield from found.values()


def refuse(text: str, hint: str, say: Catalogue) -> NoReturn:
    if not text:
        raise Refused(say("terminal.nothing_typed", hint=hint))
    raise Refused(say("terminal.not_offered", text=quoted(text), hint=hint))


def _letter(word: str) -> str:
    return word[0].casefold()

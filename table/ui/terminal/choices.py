"""What a person can type when there is something to choose, and what it means.

Its one rule: a reader gives one of the options that are offered, or refuses with a sentence that says which are. It
sees the public view alone, so no question depends on what only others know.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from table.engine.asks import Choose, Option, View
from table.engine.errors import Refused
from table.games.cacho import rules as cacho
from table.games.cheese import rules as cheese
from table.ui.terminal import words
from table.ui.terminal.screen import quoted
from table.ui.terminal.words import Names, many

Reader = Callable[[str], Option]

_FACE_WORDS = {form: face for face in words.FACES for form in (words.face_words(face, 1), words.face_words(face, 2))}
_FACE_WORDS |= {"one": 1, "ones": 1}
_NUMBER_WORDS = {word: number for number, word in enumerate(words.NUMBERS) if number} | {"a": 1, "an": 1}


class Question(NamedTuple):
    """What is said before, the question itself, and how an answer to it is read."""

    before: str
    prompt: str
    read: Reader


def question(ask: Choose, view: View, names: Names) -> Question:
    """The question for that choice, with what everybody can see."""
    match ask.options[0]:
        case "roll":
            return roll_or_end(view, names)
        case ("claim", _):
            return Question("", "What do you claim, 1 to 12?", lambda text: claim(text, ask.options))
        case "accept":
            return believe_or_call(view, names)
        case "immunity":
            prompt = "Play your immunity card (i) or concede (c)?"
            return Question("", prompt, by_word({"i": "immunity", "c": "concede"}, "i for the card or c to concede"))
        case ("keep", _):
            return which_to_keep(ask, view)
        case "end":
            return which_to_reroll(ask, view, names)
    return what_to_bid(ask, view)


def by_word(meanings: dict[str, Option], offer: str, enter: Option | None = None) -> Reader:
    """Takes a letter, or the whole word that it stands for; Enter alone only where it has a meaning."""
    known = meanings | {str(option): option for option in meanings.values()}

    def read(text: str) -> Option:
        if not text and enter is not None:
            return enter
        if text.casefold() not in known:
            raise Refused(f"Type {offer}{f', not {quoted(text)}' if text else ''}.")
        return known[text.casefold()]

    return read


def roll_or_end(view: View, names: Names) -> Question:
    read = by_word({"r": "roll", "e": "end"}, "r or just Enter to roll, or e to end", enter="roll")
    if view["game"] == "cheese":
        before = f"{many(view['points'], 'point')} this turn, {many(view['left'], 'die', 'dice')} left to roll."
        return Question(before, "Enter rolls on, e banks the points.", read)
    before = f"Roll {view['rolls']} of {view['limit']}."
    others = [seat for seat, score in enumerate(view["scores"]) if score is not None]
    if others:
        told = (f"{names.whom(seat)} {words.mexico_words(view['scores'][seat])}" for seat in others)
        before += f" So far: {', '.join(told)}."
    return Question(before, "Enter rolls again, e ends your turn.", read)


def claim(text: str, options: Sequence[Option]) -> Option:
    if text.isascii() and text.isdecimal() and len(text) < 3 and ("claim", int(text)) in options:
        return "claim", int(text)
    raise Refused(f"Claim a number from 1 to 12{f', not {quoted(text)}' if text else ''}.")


def believe_or_call(view: View, names: Names) -> Question:
    claimant = view["claimant"]
    card = " and still holds an immunity card" if view["cards"][claimant] else ""
    before = f"{names.who(claimant)} claims {view['claim']}{card}."
    read = by_word({"a": "accept", "c": "call", "b": "accept", "believe": "accept"}, "a to accept it or c to call")
    return Question(before, "Accept it (a) or call the bluff (c)?", read)


def which_to_keep(ask: Choose, view: View) -> Question:
    roll = view["dice"][ask.seat]
    best = cheese.score(roll)
    reasons = [f"{words.faces(reason.dice)} for {reason.points}" for reason in best.reasons]
    before = f"Scores: {', '.join(reasons)}" + (f"; all: {best.total}." if len(reasons) > 1 else ".")
    prompt = "Keep which faces? Enter keeps all that scores."
    if len(ask.options) > 1:
        sample = words.faces(best.reasons[0].dice)
        prompt = f"Keep which faces (like {sample})? Enter keeps all that scores."

    def read(text: str) -> Option:
        if text.casefold() in ("", "all", "a"):
            wanted = list((Counter(roll) - Counter(best.unscored)).elements())
        else:
            wanted = typed_faces(text)
        places = places_of(wanted, roll)
        option: Option = "keep", places
        if option not in ask.options:
            idle = cheese.score(wanted).unscored
            raise Refused(
                f"{words.faces(idle)} would not score: single 1s and 5s do, three of a kind, and 1 to 6 in one roll."
            )
        return option

    return Question(before, prompt, read)


def which_to_reroll(ask: Choose, view: View, names: Names) -> Question:
    roll = view["dice"][ask.seat]
    before = f"Roll {view['rolls']} of {view['limit']}."
    done = [seat for seat in view["order"] if view["ranks"][seat] is not None]
    if done:
        told = (f"{names.whom(seat)} {words.pocoloco_words(view['dice'][seat])}" for seat in done)
        before += f" So far: {', '.join(told)}."
    prompt = f"Throw which faces again (like {roll[0]}, or all)? Enter ends your turn."

    def read(text: str) -> Option:
        if text.casefold() in ("", "e", "end"):
            return "end"
        wanted = roll if text.casefold() in ("all", "a") else typed_faces(text)
        return "reroll", places_of(wanted, roll)

    return Question(before, prompt, read)


def typed_faces(text: str) -> list[int]:
    """1 5 5, or 155, or 1,5,5."""
    digits = re.sub(r"[\s,;+-]", "", text)
    if not digits or len(digits) > 20 or not all(digit in "123456" for digit in digits):
        raise Refused(f"Type the faces as they lie there, like 1 5 5, not {quoted(text)}.")
    return [int(digit) for digit in digits]


def places_of(wanted: Sequence[int], roll: Sequence[int]) -> tuple[int, ...]:
    """Where those faces lie; of equal ones the first."""
    lacking = Counter(wanted) - Counter(roll)
    if lacking:
        face = min(lacking)
        has = roll.count(face)
        there = {0: f"is no {face}", 1: f"is only one {face}"}.get(has, f"are only {words.NUMBERS[has]} {face}s")
        raise Refused(f"There {there} in {words.faces(roll)}.")
    left = Counter(wanted)
    places = []
    for place, face in enumerate(roll):
        if left[face]:
            left[face] -= 1
            places.append(place)
    return tuple(places)


def typed_dice(text: str, count: int) -> tuple[int, ...]:
    """Dice that really lay under a cup."""
    try:
        dice = typed_faces(text)
    except Refused:
        dice = []
    if len(dice) != count:
        raise Refused(f"Type {many(count, 'face')} from 1 to 6, like {words.faces((3, 5, 1, 6, 2, 4)[:count])}.")
    return tuple(dice)


def what_to_bid(ask: Choose, view: View) -> Question:
    if view["bid"] is None:
        modest = max(1, view["in_play"] // 5)
        prompt = f"You open. What do you bid (like {modest} 5: {words.bid_words((modest, 5))})?"
    else:
        standing = words.bid_words(view["bid"])
        prompt = f"Nothing is above {standing}: dudo (d) or calza (c)?"
        match ask.options[0]:
            case ("bid", (count, face)):
                prompt = f"Above {standing} (like {count} {face}), dudo (d) or calza (c)?"

    def read(text: str) -> Option:
        word = text.casefold()
        spoken: Option | None = {"d": "dudo", "doubt": "dudo", "c": "calza"}.get(word, word)
        if spoken not in cacho.CHALLENGES:
            bid = typed_bid(word)
            spoken = ("bid", bid) if bid else None
        if spoken in ask.options:
            return spoken
        if spoken in cacho.CHALLENGES:
            raise Refused(f"There is no bid yet to say {spoken} to. {legal_bids(ask.options)}")
        if spoken is None:
            raise Refused(f"Type a bid as a count and a face. {legal_bids(ask.options)}")
        raise Refused(f"That bid is not possible now. {legal_bids(ask.options)}")

    return Question("", prompt, read)


def typed_bid(text: str) -> tuple[int, int] | None:
    """3 5, 3x5, three fives, 3 5s; None if it is no bid."""
    tokens = [token for token in re.findall(r"[0-9]+|[a-z]+", text) if token not in ("x", "s", "bid", "of", "times")]
    if len(tokens) == 1 and re.fullmatch("[1-9][1-6]", tokens[0]):
        tokens = list(tokens[0])
    if len(tokens) != 2:
        return None
    count = int(tokens[0]) if tokens[0].isdecimal() and len(tokens[0]) < 4 else _NUMBER_WORDS.get(tokens[0], 0)
    face = int(tokens[1]) if tokens[1] in "123456" else _FACE_WORDS.get(tokens[1], 0)
    return (count, face) if count and face else None


def legal_bids(options: Sequence[Option]) -> str:
    """Which bids are possible, face by face: there can be hundreds."""
    counts: dict[int, list[int]] = {}
    for option in options:
        match option:
            case ("bid", (int(count), int(face))):
                counts.setdefault(face, []).append(count)
    spans = {face: _span(found) for face, found in counts.items()}
    if not spans:
        return "Only dudo (d) and calza (c) are left."
    if len(spans) == len(words.FACES) and len(set(spans.values())) == 1:
        return f"Possible: {spans[1]} of any face."
    told = (f"{span} {words.face_words(face, 1 if span == '1' else 2)}" for face, span in sorted(spans.items()))
    tail = ", or d or c" if "dudo" in options else ""
    return f"Possible: {', '.join(told)}{tail}."


def _span(counts: Sequence[int]) -> str:
    return str(counts[0]) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"

"""How the games are put into words: names, numbers, lists, bids.

Its one rule: players are called by their names, and the person alone at the keyboard may be "You". What happened is
told in the past tense, which is the same for "You" and for a name.
"""

from collections.abc import Iterable, Sequence

from table.games.mexico import rules as mexico
from table.games.pocoloco import rules as pocoloco
from table.ui.terminal.draw import isolated

YOU = "You"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
FACES = {1: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
CARDS = {
    "bonus300": "300 points more for passing the cheese",
    "bonus400": "400 points more for passing the cheese",
    "bonus500": "500 points more for passing the cheese",
    "mustpass": "must pass, no stopping, and 1000 points more for passing the cheese",
}


class Names:
    """The players as sentences call them, by seat."""

    def __init__(self, players: Sequence[str]) -> None:
        self._shown = [isolated(name) for name in players]

    def who(self, seat: int) -> str:
        return self._shown[seat]

    def whom(self, seat: int) -> str:
        """Inside a sentence."""
        return "you" if self._shown[seat] == YOU else self._shown[seat]

    def whose(self, seat: int) -> str:
        return "Your" if self._shown[seat] == YOU else f"{self._shown[seat]}'s"

    def listed(self, seats: Iterable[int], start: bool = False) -> str:
        found = [self.whom(seat) for seat in seats]
        if start and found[0] == "you":
            found[0] = YOU
        return listed(found)


def listed(items: Sequence[str], word: str = "and") -> str:
    """Ann, Bo and Dot."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}"


def many(count: int, one: str, more: str | None = None) -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def faces(dice: Iterable[int | None]) -> str:
    return " ".join("?" if face is None else str(face) for face in dice)


def face_words(face: int, count: int) -> str:
    word = FACES[face]
    return word if count == 1 else word + ("es" if word.endswith("x") else "s")


def bid_words(bid: Sequence[int]) -> str:
    """three fives"""
    count, face = bid
    return f"{NUMBERS[count] if count < len(NUMBERS) else count} {face_words(face, count)}"


def mexico_words(score: int) -> str:
    return "Mexico (21)" if score == mexico.MEXICO else str(score)


def pocoloco_words(dice: Sequence[int]) -> str:
    chips, value = pocoloco.rank(dice)
    if chips == 3:
        return f"three {face_words(value, 3)}"
    return {4: "PoCo", 2: "Loco", 1: many(value, "point")}[chips]

"""The games in the catalogue's words: what happened, what is asked, the standings and the result.

Each function calls the game's `words`, or those of `table.games.default`, which documents what a game can define.

Its one rule: these functions receive only public events and public views, so they cannot reveal anything else.
"""

# mypy: disable-error-code=no-any-return

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from table.analysis.odds import Odds
from table.engine.asks import Ask, Choose, Event, Over, Roll, View
from table.engine.places import Places
from table.games import part  # the functions of a part return the same types as those in table.games.default
from table.session.match import News
from table.text.catalogue import Catalogue, capital
from table.text.narration.words import name_of as name_of

Purpose = Literal["begin", "lowest"]


# What happened


def tell(event: Event, news: News, say: Catalogue) -> str:
    """The sentence for one of the public events in `news`."""
    assert event.visible_to(None)
    return part(news.before["game"], "words").tell(event, news, say)


def counting(event: Event, news: News) -> Callable[[int], bool]:
    """For an event that shows all hands, a function that tells whether a face counts towards the bid."""
    return part(news.before["game"], "words").counting(event, news)


def told_by_another(event: Event, news: News) -> bool:
    """Whether a transcript leaves this event out, because another event of the same news says the same thing."""
    return part(news.before["game"], "words").told_by_another(event, news)


# What is asked


def prompt(ask: Ask | Over, view: View, say: Catalogue) -> str:
    """What is asked, and of whom, in one sentence; once the game is over, who won."""
    if isinstance(ask, Over):
        return result(view, ask.places, say).sentence
    return part(view["game"], "words").prompt(ask, view, say)


def own_prompt(ask: Roll | Choose, view: View, say: Catalogue) -> str:
    """The prompt for the player's own phone, without the name that it begins with."""
    return capital(prompt(ask, view, say).removeprefix(f"{name_of(view, ask.seat)}, "))


def thrown_for(ask: Roll, view: View) -> Purpose | None:
    """Why each player rolls a single die; None for any other roll."""
    return part(view["game"], "words").thrown_for(ask, view)


def round_line(view: View, say: Catalogue) -> str:
    """The number of the round, and the number of rounds or the target."""
    return part(view["game"], "words").round_line(view, say)


# Standings


@dataclass(frozen=True)
class Line:
    """One player in the standings."""

    seat: int
    place: int  # seats that tie share a place, and the next place is skipped: 1, 1, 3
    name: str
    figure: str

    @property
    def won(self) -> bool:
        return self.place == 1


@dataclass(frozen=True)
class Result:
    """Who won, in a sentence, and the final standings from the first place to the last."""

    sentence: str
    lines: tuple[Line, ...]


def standing(view: View, seat: int, say: Catalogue) -> str:
    """A seat's standing with its unit, such as "2 lives" or "34 points". Empty if the seat has no number."""
    return part(view["game"], "words").standing(view, seat, say)


def counted(game: str, figure: int, say: Catalogue) -> str:
    """A standing with the game's unit, if the game is installed and has one."""
    return say.get(f"{game}.unit", str(figure), count=figure)


def result(view: View, places: Places, say: Catalogue) -> Result:
    words, lines = part(view["game"], "words"), list[Line]()
    for seats in places:
        place = len(lines) + 1
        lines += [Line(seat, place, view["players"][seat], words.final(view, seat, say)) for seat in seats]
    return Result(words.result(view, places[0], say), tuple(lines))


# What lies in front of a seat and in the middle


def order(view: View) -> Sequence[int]:
    """The seats in playing order: those that play this round, then the others."""
    first: Sequence[int] = part(view["game"], "words").order(view)
    return [*first, *(seat for seat in range(len(view["players"])) if seat not in first)]


def out(view: View, seat: int) -> bool:
    """Whether the seat is out of the game."""
    return bool(part(view["game"], "words").out(view, seat))


def kept(view: View, seat: int) -> Sequence[int]:
    """The dice that the seat has set aside."""
    return part(view["game"], "words").kept(view, seat)


def note(view: View, seat: int, say: Catalogue) -> str:
    """What the seat has bid or reached in this round."""
    return part(view["game"], "words").note(view, seat, say)


def marks(view: View, seat: int, say: Catalogue) -> list[str]:
    """Other things that the seat has, such as a card, or games won before."""
    return part(view["game"], "words").marks(view, seat, say)


def facts(view: View, say: Catalogue) -> list[tuple[str, str]]:
    """Facts about the table, each a label and a value."""
    return [(label, str(value)) for label, value in part(view["game"], "words").facts(view, say)]


# In a few words


def hand(dice: Sequence[int], game: str, say: Catalogue) -> str:
    """Hidden dice and their value, as text."""
    return part(game, "words").hand(dice, game, say)


def chance(line: Odds, game: str, say: Catalogue) -> str:
    """A line of odds, as text."""
    return part(game, "words").chance(line, game, say)

"""A finished game as a readable text: who played what and when, each round in sentences, and the result.

Its one rule: it covers finished games only, so it can show dice that were hidden. A game that the current rules cannot
replay is told from its stored events.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from table.engine.asks import View
from table.engine.errors import Refused
from table.engine.options import SEATS, describe
from table.games import GAMES
from table.session import lineup
from table.session.match import News
from table.storage.records import games
from table.storage.records.pages import GamePage
from table.text import game_texts
from table.text.catalogue import Catalogue
from table.text.narration import result, round_line, standing, tell, told_by_another
from table.text.narration.words import faces
from table.text.records import words


@dataclass(frozen=True)
class Chapter:
    """A heading and its lines."""

    title: str
    lines: tuple[str, ...]


def text(page: GamePage, say: Catalogue) -> str:
    return "\n\n".join("\n".join([each.title, *(f"  {line}" for line in each.lines)]) for each in chapters(page, say))


def chapters(page: GamePage, say: Catalogue) -> list[Chapter]:
    """The game, each round, and the result. If the game cannot be replayed, the reason and the stored events."""
    page = words.in_language(page, say)
    head = Chapter(game_texts.name(page.line.game, say), tuple(about(page, say)))
    try:
        game = games.played(page)
    except Refused:
        told = (say("records.told_only"), *plainly(page, say)) if page.events else ()
        end = tuple(filter(None, (words.result(page.line, say),)))
        return [head, Chapter(say("refused.game_gone"), told), *([Chapter(say("records.end"), end)] if end else [])]
    found = games.steps(game)
    middle = [_round(told, say) for told in rounds(found)]
    ended = result(game.view(None), game.ask.places, say)  # type: ignore[union-attr]  # over: checked by `steps`
    lines = tuple(say("records.stands", name=line.name, figure=line.figure) for line in ended.lines)
    return [head, *middle, Chapter(ended.sentence, lines)]


def about(page: GamePage, say: Catalogue) -> list[str]:
    """The date, the players and the options."""
    seats = [words.who(seat, at, say) for at, seat in enumerate(page.line.seats)]
    lines = [words.day(page.line.ended, say, clock=True), say("records.who_played", names=say.listed(seats))]
    if page.saved is not None:
        played = options(page.saved, seats, say)
        lines += [say("records.options", options=", ".join(played))] if played else []
    return lines


def options(saved: Mapping[str, Any], seats: Sequence[str], say: Catalogue, unusual: bool = False) -> list[str]:
    """The options in words; with `unusual`, only those that differ from their defaults.

    Empty for a game that is no longer installed."""
    if saved["game"] not in GAMES:
        return []
    game, found = GAMES[saved["game"]], []
    for option in describe(game.options):
        name, value = option["name"], saved["options"].get(option["name"])
        cups = option.get("of") == SEATS
        nothing = isinstance(value, list) and not any(value) and not cups
        if value is None or nothing or (unusual and value == option["default"]):
            continue
        if isinstance(value, str) and value not in option["values"]:
            shown = value  # a value from older rules
        elif cups and value:
            shown = say.listed([seats[seat] for seat in value])
        elif isinstance(value, list) and not cups:
            shown = ", ".join(map(str, value))
        else:
            shown = lineup.shown(game, option, value, say)
        found.append(say("records.option", name=game_texts.option_name(game.id, name, say), value=shown))
    return found


def rounds(steps: Sequence[News]) -> list[list[News]]:
    """The steps, grouped by round."""
    return [list(news) for _, news in groupby(steps, key=lambda news: news.before["round"])]


def standings(steps: Sequence[News]) -> list[list[float | None]]:
    """For each seat, the standing at the start and after every round."""
    views = [steps[0].before, *(told[-1].after for told in rounds(steps))]
    return [list(column) for column in zip(*(view["standing"] for view in views), strict=True)]


def sentences(news: News, say: Catalogue) -> list[str]:
    """The sentences of one step, including dice that only one seat saw."""
    found = []
    for event in news.events:
        if told_by_another(event, news):
            continue
        told = tell(event, news, say)
        if event.kind == "rolled" and None in event.facts["dice"]:
            dice = [die for die in news.after["dice"][event.facts["seat"]] if die is not None]
            told = say("records.shaken", told=told, dice=faces(dice)) if dice else told
        found.append(told)
    return found


def _round(told: Sequence[News], say: Catalogue) -> Chapter:
    lines = [line for news in told for line in sentences(news, say)]
    return Chapter(round_line(told[0].before, say), (*lines, stands(told[-1].after, say)))


def stands(view: View, say: Catalogue) -> str:
    """All standings in one line, such as "Ann: 3 lives; Bo: 2 lives"."""
    return "; ".join(
        say("records.stands", name=name, figure=standing(view, seat, say)) for seat, name in enumerate(view["players"])
    )


def plainly(page: GamePage, say: Catalogue) -> list[str]:
    """The stored events, in the rules' own words."""
    found = []
    for event, following in zip(page.events, [*page.events[1:], {}], strict=True):
        if None in event.get("dice", ()) and "to" in following:
            continue  # skip the public event of a hidden roll: the seat's own event follows
        facts = [f"{key} {_plain(value)}" for key, value in event.items() if key not in ("event", "seat", "to")]
        seats = [seat for seat in (event.get("seat"),) if type(seat) is int and 0 <= seat < len(page.line.seats)]
        who = [words.who(page.line.seats[seat], seat, say) for seat in seats]
        found.append(", ".join([*who, str(event["event"]), *facts]))
    return found


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key} {_plain(each)}" for key, each in value.items())
    return " ".join(map(_plain, value)) if isinstance(value, list) else str(value)

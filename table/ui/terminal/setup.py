"""Before a game: which one, who plays, with which options.

Its one rule: what was given is checked like what is typed. Typed wrongly, it is asked again; given wrongly, refused.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from table.engine.asks import Game
from table.engine.errors import NoTable, Refused
from table.engine.names import clean
from table.engine.options import describe
from table.engine.referee import Referee
from table.games import GAMES, bots, find
from table.session.match import Seating, begin, seated
from table.ui.terminal import draw
from table.ui.terminal.screen import Screen, quoted
from table.ui.terminal.words import YOU, listed, many

_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")


class Left(Exception):
    """Somebody typed q."""


def welcome(screen: Screen) -> None:
    screen.line("")
    for line in draw.BANNER.split("\n"):
        screen.line(line, "name")
    screen.line("")


def show_games(screen: Screen) -> None:
    for number, game in enumerate(GAMES.values(), 1):
        least, most = game.seats
        screen.line(
            f"  {screen.paint(str(number), 'name')}  {screen.paint(game.name, 'bold')}, {least} to {most} players"
        )
        for line in draw.wrapped(game.summary, screen.width - 6):
            screen.line(f"     {screen.paint(line, 'dim')}")
    screen.line("")


def find_game(text: str) -> Game:
    """A game by its number in the menu or its name, or enough of its beginning."""
    games = list(GAMES.values())
    wanted = clean(text).casefold()
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 4 and 1 <= int(wanted) <= len(games):
        return games[int(wanted) - 1]
    begun = [game for game in games if any(word.startswith(wanted) for word in (game.id, game.name.casefold()))]
    if len(begun) == 1 and wanted:
        return begun[0]
    if not wanted:
        raise Refused(f"Type a number from 1 to {len(games)}, or the name of a game.")
    return find(wanted)


def parse_options(texts: Sequence[str], game: Game, names: Sequence[str]) -> dict[str, Any]:
    """name=value, as people type it: yes for true, players by name where the rules count seats."""
    known = {option["name"]: option for option in describe(game.options)}
    given: dict[str, Any] = {}
    for text in texts:
        found = list(re.finditer(r"\b([A-Za-z_]+) *=", text))
        if text.strip() and (not found or text[: found[0].start()].strip(" ,")):
            raise Refused(f"An option is typed as name=value, such as {_example(game)}, not {quoted(text)}.")
        for at, match in enumerate(found):
            end = found[at + 1].start() if at + 1 < len(found) else len(text)
            name = match[1].casefold()
            if name in given:
                raise Refused(f"Option {name} is given twice: say it once.")
            given[name] = _value(text[match.end() : end].strip(" ,"), known.get(name, {}), names)
    return given


def _example(game: Game) -> str:
    options = describe(game.options)
    option = next((option for option in options if option["type"] == "integer"), options[0])
    return f"{option['name']}={option['default']}"


def _value(text: str, option: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The value as the rules take it; what cannot be one stays a text, which they then refuse."""
    word = text.casefold()
    match option.get("type"):
        case "boolean":
            if word not in _YES + _NO:
                raise Refused(f"Option {option['name']} is yes or no, not {quoted(text)}.")
            return word in _YES
        case "integer" if re.fullmatch("-?[0-9]{1,9}", text):
            return int(text)
        case "string":
            return word
        case "list" if option["name"] == "cups":
            return _named_seats(text, names)
        case "list":
            entries = text.strip("[]").replace(",", " ").split()
            return [int(entry) if re.fullmatch("[0-9]{1,9}", entry) else entry for entry in entries]
    return text


def _named_seats(text: str, names: Sequence[str]) -> list[int]:
    if text.casefold() == "all":
        return list(range(len(names)))
    seats = {name.casefold(): seat for seat, name in enumerate(names)}
    found: list[int] = []
    for entry in filter(None, map(clean, text.split(","))):
        if entry.casefold() not in seats:
            like = ",".join(names[:2])
            raise Refused(f"Nobody here is called {quoted(entry)}: cups takes names with commas ({like}), or all.")
        found.append(seats[entry.casefold()])
    return found


def ask_game(screen: Screen, rules: Any) -> Game:
    show_games(screen)
    while True:
        text = _ask(screen, "Which game? (a number or a name; ?2: the rules of 2; q: quit)")
        try:
            if text == "?":
                raise Refused("Type ? with a number or a name, such as ?2, to read the rules of that game.")
            if not text.startswith("?"):
                return find_game(text)
            rules(find_game(text[1:]))
        except Refused as why:
            screen.say(str(why))


def ask_seats(screen: Screen, game: Game, before: Sequence[str] | None) -> tuple[list[str], Seating]:
    """Names, or nothing for the players of the game before, or for one person against a computer."""
    usual = list(before) if before and game.seats[0] <= len(before) <= game.seats[1] else [YOU, "computer"]
    meant = "the same players" if before and usual == list(before) else "you against a computer"
    while True:
        text = _ask(screen, f"Who plays? (like Ann, Bo, computer:sharp; Enter: {meant})")
        if text == "?":
            levels = listed([f"computer:{level}" for level in bots.LEVELS], "or")
            screen.say(
                f"Type names in the order you sit, such as Ann, Bo, computer. A computer can also be {levels}, from "
                "the weakest to the strongest; without a word it is classic."
            )
            continue
        try:
            seats = [name for name in text.split(",") if name.strip()] if text.strip(" ,") else usual
            return seats, seated(seats, game)
        except Refused as why:
            commas = " Put commas between names, like Ann, Bo." if len(seats) == 1 and " " in text else ""
            screen.say(f"{why}{commas}")


def ask_options(screen: Screen, game: Game, seating: Seating, seed: int | None) -> tuple[dict[str, Any], Referee]:
    while True:
        text = _ask(screen, "Options? (Enter: the usual ones; name=value; ?: show them)")
        if text == "?":
            show_options(screen, game)
            continue
        try:
            options = parse_options([text], game, seating.names)
            return options, begin(game, seating, options, seed)
        except Refused as why:
            screen.say(str(why))


def show_options(screen: Screen, game: Game) -> None:
    for option in describe(game.options):
        match option:
            case {"values": [False, True]}:
                values, default = "yes or no", "yes" if option["default"] else "no"
            case {"values": values}:
                values, default = listed(values, "or"), option["default"]
            case {"name": "cups"}:
                values, default = "names with commas, or all", "nobody"
            case {"type": "list"}:
                values, default = f"a number for each player, such as {option['name']}=0,2", "zeros"
            case _:
                values, default = f"{option['min']} to {option['max']}", option["default"]
        name = screen.paint(option["name"], "bold")
        screen.say(f"  {name}: {values} (usually {default}). {option['help']}", indent="      ")


def introduce(screen: Screen, game: Referee, seating: Seating, options: Mapping[str, Any]) -> None:
    """Who plays what, in a line or two, with what was decided for them."""
    screen.line("")
    players = [
        draw.isolated(name) + (f" (computer, {level})" if level else "")
        for name, level in zip(game.players, seating.levels, strict=True)
    ]
    screen.say(f"{screen.paint(game.game.name, 'bold')}: {listed(players)}.")
    view = game.view(None)
    if view["game"] == "mexico" and view["options"]["mode"] == "challenge":
        challenger, house = (draw.isolated(name) for name in game.players)
        goal = f"{view['options']['goal']} {many(view['options']['rounds'], 'round')}"
        has = "You are the challenger and have" if challenger == YOU else f"{challenger} is the challenger and has"
        screen.say(f"{has} to {goal} against the house, {house}.")
    elif view["game"] == "mexico" and "mode" not in options:
        screen.say("More than two play, so it is everybody for themselves (mode elimination).")
    if "perfect" in seating.levels:
        try:
            bots.prepare(game.game.id)
        except NoTable as why:
            screen.say(f"{why} Until then it plays as {bots.WITHOUT_TABLES} does.", "bad")
    note_estimates(screen, view["game"], view["options"], seating.levels)
    screen.say("At any question, ? shows the rules, o the odds of a choice, and q quits.", "dim")


def note_estimates(screen: Screen, game: str, options: Mapping[str, Any], levels: Sequence[str | None]) -> None:
    """A level that cannot be what it is called says so."""
    if "perfect" in levels and not bots.solved(game, options, len(levels)):
        screen.say("This game is not solved as it is set up: perfect plays by its best estimate.")


def _ask(screen: Screen, question: str) -> str:
    text = screen.ask(question)
    if text.casefold() in ("q", "quit"):
        raise Left
    return text

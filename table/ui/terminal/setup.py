"""The questions before a game: which game, who plays, and with which options.

Its one rule: arguments and typed answers are checked alike, and refused in the player's language. After a wrong answer
the question is repeated; a wrong argument ends the program.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from table.engine.asks import Game
from table.engine.errors import NoTable, Refused, RuleFailed, Unfit
from table.engine.names import clean
from table.engine.options import PER_SEAT, describe, valid
from table.engine.referee import Referee
from table.games import BROKEN, GAMES, bots
from table.session.lineup import shown
from table.session.match import Seating, begin, seated
from table.text import game_texts
from table.text.catalogue import Catalogue
from table.text.narration import transcript
from table.ui.terminal import draw
from table.ui.terminal.screen import Screen, folded, quoted

COMPUTER = "computer"  # what people type for a computer player; a level can follow, as in computer:sharp

_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")


class Left(Exception):
    """The user typed q."""


def welcome(screen: Screen) -> None:
    screen.line("")
    for line in draw.BANNER.split("\n"):
        screen.line(line, "name")
    screen.line("")


def show_games(screen: Screen, say: Catalogue) -> None:
    for number, game in enumerate(GAMES.values(), 1):
        least, most = game.seats
        name = screen.paint(game_texts.name(game.id, say), "bold")
        screen.line(f"  {screen.paint(str(number), 'name')}  {name}, {say('choose.seats', least=least, most=most)}")
        for line in draw.wrapped(game_texts.summary(game.id, say), screen.width - 6):
            screen.line(f"     {screen.paint(line, 'dim')}")
    for name, why in BROKEN.items():
        screen.line(f"  -  {screen.paint(name, 'bold')}")
        for line in draw.wrapped(say("choose.broken", why=why), screen.width - 6):
            screen.line(f"     {screen.paint(line, 'dim')}")
    screen.line("")


def find_game(text: str, say: Catalogue | None = None) -> Game:
    """A game by its number in the menu, its name, or an unambiguous prefix."""
    say = say or Catalogue()
    games = list(GAMES.values())
    wanted = folded(clean(text))
    if not wanted:
        raise Refused(say("terminal.game.nothing", count=len(games)))
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 4 and 1 <= int(wanted) <= len(games):
        return games[int(wanted) - 1]
    if wanted in BROKEN and wanted not in GAMES:
        raise Refused(say("choose.broken_game", name=wanted, why=BROKEN[wanted]))
    named = {word: game for game in games for word in (game.id, folded(game_texts.name(game.id, say)))}
    begun = {game.id for word, game in named.items() if word.startswith(wanted)}
    if wanted not in GAMES and len(begun) != 1:
        raise Refused(say("terminal.game.unknown", text=quoted(text), near=_near(wanted, GAMES, say)))
    return GAMES[wanted if wanted in GAMES else begun.pop()]


def _near(text: str, known: Iterable[str], say: Catalogue) -> str:
    """The closest known word, or all known words if none is close."""
    words = list(known)
    return say.listed(get_close_matches(text[:40], words, 1) or words, "or")


def parse_options(
    texts: Sequence[str], game: Game, names: Sequence[str], say: Catalogue | None = None
) -> dict[str, Any]:
    """Parses name=value as people type it: yes for true, and player names for seats."""
    say = say or Catalogue()
    known = {option["name"]: option for option in describe(game.options)}
    given: dict[str, Any] = {}
    if not known and any(text.strip() for text in texts):
        raise Refused(say("terminal.options.none", game=game_texts.name(game.id, say)))
    for text in texts:
        found = list(re.finditer(r"\b([A-Za-z_]+) *=", text))
        if text.strip() and (not found or text[: found[0].start()].strip(" ,")):
            raise Refused(say("terminal.options.form", like=_example(game), text=quoted(text)))
        for at, match in enumerate(found):
            end = found[at + 1].start() if at + 1 < len(found) else len(text)
            name, value = match[1].casefold(), text[match.end() : end].strip(" ,")
            if name not in known:
                raise Refused(say("terminal.options.unknown", name=name, near=_near(name, known, say)))
            if name in given:
                raise Refused(say("terminal.options.twice", name=name))
            given[name] = _value(value, game, known[name], names, say)
    return given


def _example(game: Game) -> str:
    options = describe(game.options)
    option = next((option for option in options if option["type"] == "integer"), options[0])
    return f"{option['name']}={option['default']}"


def _value(text: str, game: Game, option: Mapping[str, Any], names: Sequence[str], say: Catalogue) -> Any:
    """Parses a value. Raises Refused with the possible values if the text is invalid."""
    if option["type"] == "list":
        entries = [clean(entry) for entry in re.split("," if _of_seats(option) else "[ ,]+", text.strip("[]"))]
        found: Any = _seats(entries, names, say) if _of_seats(option) else [_whole(entry) for entry in entries]
    elif option["type"] == "integer":
        found = _whole(text)
    else:
        typed: dict[str, Any] = {folded(shown(game, option, value, say)): value for value in option["values"]}
        typed |= {str(value): value for value in option["values"]}
        if option["type"] == "boolean":
            typed |= dict.fromkeys(_YES, True) | dict.fromkeys(_NO, False)
        found = typed.get(folded(text))
    if valid(game.options, option["name"], found, len(names)):
        return found
    raise Refused(
        say("terminal.options.wrong", name=option["name"], values=_values(game, option, say), text=quoted(text))
    )


def _of_seats(option: Mapping[str, Any]) -> bool:
    return bool(option["type"] == "list" and option["of"] != PER_SEAT)


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None


def _seats(entries: Sequence[str], names: Sequence[str], say: Catalogue) -> list[int | None]:
    if [folded(entry) for entry in entries] in (["all"], [folded(say("terminal.all"))]):
        return list(range(len(names)))
    seats = {name.casefold(): seat for seat, name in enumerate(names)}
    return [seats.get(entry.casefold()) for entry in entries if entry]


def _values(game: Game, option: Mapping[str, Any], say: Catalogue) -> str:
    """The possible values of an option."""
    if "values" in option:
        values = [True, False] if option["type"] == "boolean" else option["values"]
        return say.listed([shown(game, option, value, say) for value in values], "or")
    if _of_seats(option):
        return say("terminal.options.seats", all=say("terminal.all"))
    key = "terminal.options.per_seat" if option["type"] == "list" else "terminal.options.number"
    return say(key, least=option["min"], most=option["max"])


def ask_game(screen: Screen, say: Catalogue, rules: Callable[[Game], None]) -> Game:
    show_games(screen, say)
    while True:
        text = _ask(screen, say("terminal.game.ask"))
        try:
            if text == "?":
                raise Refused(say("terminal.game.rules"))
            if not text.startswith("?"):
                return find_game(text, say)
            rules(find_game(text[1:], say))
        except Refused as why:
            screen.say(str(why))


def ask_seats(screen: Screen, say: Catalogue, game: Game, before: Sequence[str] | None) -> tuple[list[str], Seating]:
    """Asks for names. An empty answer selects the previous players, or a guest against a computer."""
    same = before is not None and game.seats[0] <= len(before) <= game.seats[1]
    usual = list(before) if same and before else [say("players.guest"), COMPUTER]
    hint = say("terminal.seats.same" if same else "terminal.seats.usual")
    example = _levels(game, say)[-2:][0]  # the second strongest, if there are several
    while True:
        text = _ask(screen, say("terminal.seats.ask", usual=hint, computer=example))
        if text == "?":
            screen.say(
                say(
                    "terminal.seats.help",
                    computer=example,
                    levels=say.listed(_levels(game, say), "or"),
                    usual=game_texts.level_name(bots.usual(game.id), say, game.id).casefold(),
                )
            )
            continue
        seats = [name for name in text.split(",") if name.strip()] if text.strip(" ,") else usual
        try:
            return seats, seating_of(seats, game, say)
        except Refused as why:
            screen.say(f"{why} {say('terminal.seats.commas')}" if len(seats) == 1 and " " in text else str(why))


def seating_of(seats: Sequence[str], game: Game, say: Catalogue) -> Seating:
    """Seats people and computers by what was typed."""
    with _refusing(game, say):
        return seated([_seat(text, game, say) for text in seats], game)


def _seat(text: str, game: Game, say: Catalogue) -> str:
    """Translates a computer and its level, if typed in the current language, into the words that `seated` expects."""
    word, _, level = folded(clean(text)).partition(":")
    if word.strip() not in (COMPUTER, folded(say("players.computer"))):
        return text
    known = {folded(game_texts.level_name(name, say, game.id)): name for name in bots.levels(game.id)}
    level = level.strip()
    return f"{COMPUTER}:{known.get(level, level)}" if level else COMPUTER


def start(game: Game, seating: Seating, options: Mapping[str, Any], seed: int | None, say: Catalogue) -> Referee:
    with _refusing(game, say):
        return begin(game, seating, options, seed)


@contextmanager
def _refusing(game: Game, say: Catalogue) -> Iterator[None]:
    """Says, in the player's language, why the game cannot start."""
    try:
        yield
    except Unfit as unfit:
        facts = dict(unfit.facts)
        match unfit.reason:
            case "seats" | "seats_with":
                facts |= {"game": game_texts.name(game.id, say), "limits": game_texts.players(facts["limits"], say)}
            case "level":
                facts = {"text": quoted(facts["level"]), "levels": say.listed(_levels(game, say), "or")}
            case "only":
                mode = next(option for option in describe(game.options) if option["name"] == facts["mode"])
                facts["word"] = shown(game, mode, facts["word"], say)
        raise Refused(say(f"terminal.unfit.{unfit.reason}", **facts)) from None


def _levels(game: Game, say: Catalogue) -> list[str]:
    """The game's computers as people can type them, from the weakest level to the strongest."""
    word, levels = say("players.computer").casefold(), bots.levels(game.id)
    return [f"{word}:{game_texts.level_name(level, say, game.id).casefold()}" for level in levels]


def ask_options(
    screen: Screen, say: Catalogue, game: Game, seating: Seating, seed: int | None
) -> tuple[dict[str, Any], Referee]:
    while True:
        text = _ask(screen, say("terminal.options.ask")) if describe(game.options) else ""
        if text == "?":
            show_options(screen, say, game)
            continue
        try:
            options = parse_options([text], game, seating.names, say)
            return options, start(game, seating, options, seed, say)
        except RuleFailed:
            raise
        except Refused as why:
            screen.say(str(why))


def show_options(screen: Screen, say: Catalogue, game: Game) -> None:
    for option in describe(game.options):
        usual = say("value.nobody") if _of_seats(option) else "0"
        if option["type"] != "list":
            usual = shown(game, option, option["default"], say)
        line = say("terminal.options.line", name=option["name"], values=_values(game, option, say), usual=usual)
        help = game_texts.option_help(game.id, option, say)
        screen.say(f"  {line.replace(option['name'], screen.paint(option['name'], 'bold'), 1)} {help}", indent="      ")


def introduce(screen: Screen, say: Catalogue, game: Referee, seating: Seating) -> None:
    """The players and the non-default options, in a line or two."""
    screen.line("")
    names = [draw.isolated(name) for name in game.players]
    players = [
        say("records.computer", name=name, level=game_texts.level_name(level, say, game.game.id)) if level else name
        for name, level in zip(names, seating.levels, strict=True)
    ]
    title = screen.paint(game_texts.name(game.game.id, say), "bold")
    screen.say(say("terminal.introduced", game=title, names=say.listed(players)))
    if changed := transcript.options(game.save(), names, say, unusual=True):
        screen.say(say("records.options", options=", ".join(changed)))
    if "perfect" in seating.levels:
        try:
            bots.prepare(game.game.id)
        except NoTable:
            weaker = bots.weaker(game.game.id, "perfect")
            screen.say(say("terminal.no_table", level=game_texts.level_name(weaker, say, game.game.id)), "bad")
    note_estimates(screen, game.game.id, game.view(None)["options"], seating.levels, say)
    if seating.people:
        screen.say(say("terminal.keys" if bots.has_perfect(game.game.id) else "terminal.keys_without_odds"), "dim")


def note_estimates(
    screen: Screen, game: str, options: Mapping[str, Any], levels: Sequence[str | None], say: Catalogue | None = None
) -> None:
    """Notes that a perfect level only estimates, if the game is not solved."""
    if "perfect" in levels and not bots.solved(game, options, len(levels)):
        screen.say((say or Catalogue())("level.unsolved"))


def _ask(screen: Screen, question: str) -> str:
    text = screen.ask(question)
    if text.casefold() in ("q", "quit"):
        raise Left
    return text

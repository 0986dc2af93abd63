"""The referee as a command, which reads and writes JSON lines, so that any program can play.

Its one rule: every line gets an answer and no line ends the process. `Dialogue.reply` does everything except I/O.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NoReturn

from table import games
from table.engine.asks import Ask, Choose, Draw, Over, Roll
from table.engine.errors import Refused, did_you_mean, shown
from table.engine.options import describe
from table.engine.referee import Referee, event_to_json, option_from_json, option_to_json
from table.games import GAMES, bots

EXAMPLE = json.dumps({"new": next(iter(GAMES)), "players": ["Ann", "Bo"]})
LONGEST_LINE = 8 * 1024 * 1024  # bytes; enough for a saved game of 300,000 answers
Line = dict[str, Any]


class Dialogue:
    """The conversation with one host program, about at most one game at a time."""

    def __init__(self) -> None:
        self._referee: Referee | None = None
        self._requests: dict[str, Callable[[Line], list[Line]]] = {
            "games": self._games,
            "new": self._new,
            "dice": self._dice,
            "choose": self._choose,
            "draw": self._draw,
            "auto": self._auto,
            "bot": self._bot,
            "policy": self._policy,
            "view": self._view,
            "undo": self._undo,
            "save": self._save,
            "load": self._load,
        }

    def reply(self, line: bytes) -> list[Line]:
        """Zero or more events and one closing line."""
        try:
            request = parse(line)
            words = [word for word in request if word in self._requests]
            if len(words) != 1:
                self._refuse_words(request, words)
            allowed = WITH_NEW if words == ["new"] else ()
            for key in request:
                if key != words[0] and key not in allowed:
                    raise Refused(f"{shown(key)} is not allowed with {words[0]}.{did_you_mean(key, allowed)}")
            return self._requests[words[0]](request)
        except Refused as why:
            return [{"error": str(why)}]
        except RecursionError:
            return [{"error": f"This line is nested too deeply. Send one of: {_listed(self._requests)}"}]
        except Exception as fault:  # a bug in this program, not in the host: the game is unchanged
            kind = type(fault).__name__  # without the error's message, which could contain hidden dice
            return [{"error": f"The referee failed on this line ({kind}); the game is unchanged. Please report this."}]

    def _refuse_words(self, request: Line, words: list[str]) -> NoReturn:
        if len(words) > 1:
            raise Refused(f"One request per line: this one has {' and '.join(words)}. Send them separately.")
        unknown = next(iter(request), None)
        if unknown is None:
            raise Refused(f"This request is empty. Send one of: {_listed(self._requests)}")
        if unknown in WITH_NEW:
            raise Refused(f"{shown(unknown)} is only allowed with new: {EXAMPLE}.")
        near = did_you_mean(unknown, self._requests)
        raise Refused(f"{shown(unknown)} is not a request.{near} Send one of: {_listed(self._requests)}")

    @property
    def _game(self) -> Referee:
        if self._referee is None:
            raise Refused(f"No game has been started. Send {EXAMPLE} first.")
        return self._referee

    def _games(self, request: Line) -> list[Line]:
        _only_true(request, "games")
        return [{"games": list_games()}]

    def _new(self, request: Line) -> list[Line]:
        game, players = request["new"], request.get("players")
        options, seed = request.get("options", {}), request.get("seed")
        if type(game) is not str:
            raise Refused(f"new takes the id of a game ({', '.join(GAMES)}), not {shown(game)}.")
        if type(players) is not list or not all(type(name) is str for name in players):
            raise Refused(f'players is a list of names, such as ["Ann", "Bo"], not {shown(players)}.')
        if type(options) is not dict:
            raise Refused(f'options is an object, such as {{"rounds": 3}}, not {shown(options)}.')
        if "seed" in request and type(seed) is not int:
            raise Refused(f"seed is a whole number, not {shown(seed)}.")
        self._referee = games.new(game, players, options, seed)
        return [*map(event_to_json, self._referee.opening), ask_line(self._referee)]

    def _dice(self, request: Line) -> list[Line]:
        return self._answer(Roll, "dice", request["dice"])

    def _choose(self, request: Line) -> list[Line]:
        return self._answer(Choose, "choose", option_from_json(request["choose"]))

    def _draw(self, request: Line) -> list[Line]:
        return self._answer(Draw, "draw", request["draw"])

    def _auto(self, request: Line) -> list[Line]:
        _only_true(request, "auto")
        return self._take(self._game.drawn())

    def _bot(self, request: Line) -> list[Line]:
        self._choice_for("bot")
        return self._take(bots.choose(request["bot"], self._game))

    def _policy(self, request: Line) -> list[Line]:
        ask = self._choice_for("policy")
        level, view = request["policy"], self._game.view(ask.seat)
        reply: Line = {"policy": bots.chances(level, self._game)}
        if level == "perfect" and bots.solved(view["game"], view["options"], len(view["players"])):
            reply["win"] = bots.win(view, ask.options)
        return [reply]

    def _view(self, request: Line) -> list[Line]:
        seat, seats = request["view"], len(self._game.players)
        if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
            raise Refused(f"view takes a seat from 0 to {seats - 1}, or null for the public view, not {shown(seat)}.")
        return [{"view": self._game.view(seat)}]

    def _undo(self, request: Line) -> list[Line]:
        _only_true(request, "undo")
        self._game.undo()
        return [ask_line(self._game)]

    def _save(self, request: Line) -> list[Line]:
        _only_true(request, "save")
        return [{"saved": self._game.save()}]

    def _load(self, request: Line) -> list[Line]:
        self._referee = games.load(request["load"])
        return [ask_line(self._referee)]

    def _answer(self, kind: type[Ask], word: str, answer: Any) -> list[Line]:
        if not isinstance(self._game.ask, (kind, Over)):
            raise Refused(f"{word} does not answer the current ask: {_wanted(self._game.ask)}")
        return self._take(answer)

    def _take(self, answer: Any) -> list[Line]:
        events = self._game.answer(answer)
        return [*map(event_to_json, events), ask_line(self._game)]

    def _choice_for(self, word: str) -> Choose:
        ask = self._game.ask
        if not isinstance(ask, Choose):
            raise Refused(f"{word} is only possible for a choice: {_wanted(ask)}")
        return ask


WITH_NEW = ("players", "options", "seed")


def parse(line: bytes) -> Line:
    """Parses one request. If the line is invalid, raises Refused, which says why."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("This line is not UTF-8 text. Send one JSON object per line.") from None
    if not text.strip():
        raise Refused("This line is blank. Send one JSON object per line.")
    try:
        value = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant)
    except Refused:
        raise
    except ValueError as why:
        raise Refused(f'This line is not JSON ({why}). Send one JSON object, such as {{"games": true}}.') from None
    if type(value) is not dict:
        raise Refused(f'A request is a JSON object, such as {{"games": true}}, not {shown(value)}.')
    return value


def _once_each(pairs: list[tuple[str, Any]]) -> Line:
    found: Line = {}
    for key, value in pairs:
        if key in found:
            raise Refused(f"{shown(key)} appears twice in one object. Send it once.")
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise Refused(f"{name} is not JSON. Numbers must be whole.")


def _only_true(request: Line, word: str) -> None:
    if request[word] is not True:
        raise Refused(f'Send {{"{word}": true}}, not {shown(request[word])}.')


def _wanted(ask: Ask | Over) -> str:
    match ask:
        case Roll(seat, count):
            return f'seat {seat} rolls {count}, so send {{"dice": [...]}} or {{"auto": true}}.'
        case Choose(seat):
            return f'seat {seat} chooses, so send {{"choose": OPTION}} or {{"bot": LEVEL}}.'
        case Draw(kind):
            return f'the table draws ({kind}), so send {{"draw": [...]}} or {{"auto": true}}.'
        case Over():
            return "the game is over, so send undo, new or load."


def _listed(words: Any) -> str:
    return ", ".join(words) + "."


def list_games() -> list[Line]:
    return [
        {
            "id": game.id,
            "name": game.name,
            "help": game.summary,
            "seats": list(game.seats),
            "dice": game.dice,
            "levels": list(bots.levels(game.id)),
            "options": describe(game.options),
        }
        for game in GAMES.values()
    ]


def ask_line(game: Referee) -> Line:
    """The line that closes a reply: the current ask, or the end of the game."""
    tail = {"round": game.table.round, "standing": list(game.table.standing)}
    match game.ask:
        case Roll(seat, count, hidden):
            return {"ask": "dice", "seat": seat, "count": count, "hidden": hidden, **tail}
        case Choose(seat, options):
            return {"ask": "choice", "seat": seat, "options": [option_to_json(option) for option in options], **tail}
        case Draw(kind, candidates):
            return {"ask": "draw", "kind": kind, "from": list(candidates), **tail}
        case Over(places):
            return {"over": True, "winners": list(places[0]), "places": [list(seats) for seats in places], **tail}


def lines(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream; None for each line that is too long. Even a line that is too long needs little memory."""
    while line := source.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while (rest := source.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answers every line until the end of the stream."""
    dialogue = Dialogue()
    for line in lines(source):
        if line is None:
            replies: list[Line] = [{"error": f"This line exceeds {LONGEST_LINE} bytes. Send one request per line."}]
        else:
            replies = dialogue.reply(line)
        sink.writelines(json.dumps(reply).encode() + b"\n" for reply in replies)
        sink.flush()

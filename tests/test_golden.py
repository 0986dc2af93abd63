"""Golden games: readable text files, at least one per game, that are replayed answer by answer.

A file starts with the game, the players, the options and a seed. Then come the asks, each with its answer after an
arrow and the resulting events below it. `make golden` regenerates the files from their own answers. If a file
has no answers, computers at the classic level play its game.
"""

import json
from pathlib import Path

import pytest

from table import games
from table.engine.asks import Choose, Draw, Over, Roll
from table.engine.referee import Referee
from table.games import GAMES, bots

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
HEADER = ("game", "players", "options", "seed")


def test_every_game_has_a_golden_game():
    assert {path.stem.split("-")[0] for path in GOLDEN} == set(GAMES)


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_a_golden_game_is_reproduced_exactly(path, request):
    text = path.read_text(encoding="utf-8")
    if request.config.getoption("--rewrite-golden"):
        text = replayed(text)
        path.write_text(text, encoding="utf-8")
    assert replayed(text) == text


def replayed(text: str) -> str:
    """The text that results from replaying the file's answers."""
    header, _, body = text.strip().partition("\n\n")
    asked = dict(line.split(": ", 1) for line in header.splitlines() if not line.startswith("#"))
    game_id, players, options, seed = (json.loads(asked[key]) for key in HEADER)
    game = games.new(game_id, players, options, seed)
    answers = [line.rsplit(" -> ", 1)[1] for line in body.splitlines() if line.startswith("> ")]
    lines = [header, ""]
    standing = None
    while not isinstance(game.ask, Over):
        if standing != (standing := (game.table.round, list(game.table.standing))):
            lines.append(f"Round {standing[0]}, standing {words(standing[1])}")
        assert answers or not body, f"the file ends before the game does, at {asked_for(game)}"
        answer = parsed(game, answers.pop(0)) if body else by_computer(game)
        lines.append(f"> {asked_for(game)} -> {words(answer)}")
        lines += [
            f"    {event.kind} " + ", ".join(f"{name} {words(fact)}" for name, fact in event.facts.items())
            for event in game.answer(answer)
            if event.kind not in ("rolled", "chose", "drew")
        ]
    assert not answers, "the game ends before the file does"
    names = ", ".join(game.players[seat] for seat in game.ask.winners)
    lines.append(f"Over in round {game.table.round}, standing {words(game.table.standing)}: {names}")
    return "\n".join(lines) + "\n"


def asked_for(game: Referee) -> str:
    match game.ask:
        case Roll(seat, count, hidden):
            return f"{game.players[seat]} rolls {count}{' hidden' if hidden else ''}"
        case Choose(seat, options):
            listed = [words(option) for option in options]
            if len(listed) > 8:
                listed = [*listed[:3], f"... {len(listed) - 6} more ...", *listed[-3:]]
            return f"{game.players[seat]} chooses ({', '.join(listed)})"
        case Draw(kind, candidates):
            return f"the table draws {kind} of {len(candidates)} ({words(tuple(dict.fromkeys(candidates)))})"
    raise AssertionError("over")


def words(value) -> str:
    """An answer or a fact in readable form: "3 4", "claim 7" or "keep 0 2"."""
    if isinstance(value, (list, tuple)):
        return " ".join(f"({words(entry)})" if isinstance(entry, list) else words(entry) for entry in value)
    return "-" if value is None else str(value)


def parsed(game: Referee, text: str):
    """The answer that this text stands for, given the game's current ask."""
    match game.ask:
        case Roll():
            return [int(die) for die in text.split()]
        case Choose(_, options):
            return next(option for option in options if words(option) == text)
        case Draw(_, candidates):
            return [next(entry for entry in candidates if str(entry) == word) for word in text.split()]


def by_computer(game: Referee):
    if isinstance(game.ask, Choose):
        return bots.choose("classic", game)
    return game.drawn()

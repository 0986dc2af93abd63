"""The process to kill: `python -m tests.soak.player FOLDER SEED` plays random games of every kind, without a screen.

Its one rule: it reports each write as soon as it is confirmed to be on the disk, and never waits for its reader. The
session, the journal and the dice are the table's own. Each line is JSON:

    {"match": ID, "game": {...}, "guests": [...], "levels": [...]}    this match starts or is resumed
    {"match": ID, "answers": 7, "last": ..., "seen": "..."}           this many answers are on disk, and the last one
    {"match": ID, "back": 6}                                          answer 6 is about to be undone
    {"lost": "..."}                                                   the journal failed to write something
"""

import hashlib
import json
import os
import queue
import random
import sys
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

from table import devices
from table.devices.simulated import SimulatedDice
from table.engine.asks import Choose, Game, Over, Roll
from table.engine.referee import Referee, outline
from table.games import GAMES
from table.session.match import Match, begin, named
from table.session.messages import Message, NotKept, Opened, Troubled, Unfinished
from table.session.session import Session
from table.storage.journal.lock import Lock
from table.storage.journal.writer import Journal

PEOPLE = ("Ann", "Bo", "Cleo", "Dan", "Eve")
HEADER = ("game", "players", "options", "seed")  # the parts of a saved game that exist before the first answer
SHORT: dict[str, Mapping[str, Any]] = {
    "mexico": {"rounds": 3},
    "bluff": {"rounds": 2},
    "pocoloco": {"chips": 2},
    "cheese": {"goal": 500},
    "cacho": {"dice": 2},
}


def main(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    kinds = cycle([*GAMES.values()][seed % len(GAMES) :] + [*GAMES.values()][: seed % len(GAMES)])
    inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
    with Lock(folder):
        journal = Journal(folder, inbox.put)
        journal.start()
        aside = list(_opened(inbox).unfinished)
        sources = {name: devices.make(name, inbox.put) for name in devices.SOURCES}
        sources["simulated"] = SimulatedDice(inbox.put, chance)
        session = Session(journal, sources, "simulated", chance)
        while True:
            if aside and chance.random() < 0.7:
                session.go_on(aside.pop(chance.randrange(len(aside))))
            else:
                session.begin(any_match(next(kinds), chance))
            left = _play(session, inbox, chance)
            if left:
                aside.append(left)


def _opened(inbox: "queue.SimpleQueue[Message]") -> Any:
    while True:
        message = inbox.get()
        if isinstance(message, Troubled):
            say(lost=f"{message.trouble}: {message.detail}")
        elif isinstance(message, Opened):
            return message.records


def any_match(game: Game, chance: random.Random) -> Match:
    seats = chance.randint(game.seats[0], min(4, game.seats[1]))
    levels = [chance.choice((None, None, "classic", "random")) for _ in range(seats)]
    seating = named(chance.sample(PEOPLE, seats), levels)
    short = {} if game.id == "mexico" and seats > 2 else SHORT[game.id]
    guests = tuple(seat for seat in seating.people if chance.random() < 0.3)
    return Match(begin(game, seating, chance.choice(({}, short)), chance.getrandbits(64)), seating, guests)


def _play(session: Session, inbox: "queue.SimpleQueue[Message]", chance: random.Random) -> Unfinished | None:
    """Play until the game is over, or put it aside for another."""
    match = session.match
    assert match is not None
    told = len(match.referee.history)
    saved = {name: value for name, value in match.referee.save().items() if name in HEADER}
    say(match=match.id, game=saved, levels=match.seating.levels, guests=match.guests)
    until = chance.randint(5, 120)
    while session.turn != "over":
        if session.turn == "busy":
            message = inbox.get()
            if isinstance(message, NotKept):
                say(lost=message.trouble)
            session.handle(message)
        elif session.can_take_back and chance.random() < 0.1:
            say(match=match.id, back=len(match.referee.history) - 1)
            session.take_back()
        elif session.turn == "table":
            session.step()
        elif isinstance(match.referee.ask, Roll):
            session.dice.throw()
        else:
            assert isinstance(match.referee.ask, Choose)
            session.choose(chance.choice(match.referee.ask.options))
        if len(match.referee.history) != told:
            told = len(match.referee.history)
            last = match.referee.save()["answers"][-1] if told else None
            say(match=match.id, answers=told, last=last, seen=seen(match.referee))
            until -= 1
            if until < 0 and session.turn in ("person", "table"):
                return session.set_aside()
    return None


def seen(referee: Referee) -> str:
    """A digest of the current ask and of every player's view. Equal states of a game have equal digests."""
    views = [referee.view(viewer) for viewer in (None, *range(len(referee.players)))]
    asked = ["over", referee.ask.winners] if isinstance(referee.ask, Over) else outline(referee.ask)
    return hashlib.sha256(json.dumps([asked, views], sort_keys=True, default=str).encode()).hexdigest()


def say(**facts: Any) -> None:
    """Print in a single write, which is atomic on a pipe."""
    os.write(1, json.dumps(facts).encode() + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

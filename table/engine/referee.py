"""The referee runs one game: it checks each answer, passes it to the rules, and gets the next ask.

A game is its players, its options, its seed and the list of answers so far. Undo, loading and crash recovery all replay
that list; no other state of a game is ever stored.
"""

import hashlib
import json
import random
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from table.engine import options as game_options
from table.engine.asks import Answer, Ask, Choose, Draw, Event, Game, Option, Over, Roll, Steps, Table, View
from table.engine.errors import Refused, RuleFailed, Unfit, shown
from table.engine.names import made_good
from table.engine.places import places

FORMAT = 1  # the version of the saved-game format


class Referee:
    """One game in progress. `ask` is the current ask, or `Over`."""

    def __init__(self, game: Game, players: tuple[str, ...], options: Any, seed: int) -> None:
        self.game = game
        self.players = players
        self.options = options
        self.seed = seed
        self._begin()

    def _begin(self) -> None:
        self.table = Table(len(self.players))
        self.history: list[tuple[Ask, Answer]] = []
        try:
            self._steps: Steps[tuple[int, ...]] = self.game.play(self.table, self.options)
            self.ask: Ask | Over = next(self._steps)
        except Exception as fault:
            raise RuleFailed(self.game.name, self.game.package, fault) from fault
        self.opening = self.table.events  # events before the first answer

    def answer(self, answer: Any, watch: Callable[[], View] | None = None) -> list[Event]:
        """Applies the answer to the current ask and returns the events it caused. If it raises Refused, nothing has
        changed.

        With `watch`, each event from the rules carries a view: what `watch` returned at that moment. This is optional
        because views take time to make.
        """
        ask = self.ask
        if isinstance(ask, Over):
            raise Refused("The game is over. Undo the last answer or start a new game.")
        answer, events = TAKE[type(ask)](ask, answer)
        table = self.table
        table.events = events
        table.watch = watch
        try:
            try:
                self.ask = self._steps.send(answer)
            except StopIteration as end:
                self.ask = self._over(end.value)
        except Exception as fault:
            self._replay(self.history)
            raise RuleFailed(self.game.name, self.game.package, fault) from fault
        self.history.append((ask, answer))
        return events

    def _over(self, winners: Iterable[int]) -> Over:
        winners, table = tuple(winners), self.table
        if not winners or not {*table.seats}.issuperset(winners):
            raise ValueError("play must return the seats that won")
        return Over(places(winners, table.standing, table.gone, self.game.fewest_first))

    def check(self, answer: Any) -> Answer:
        """Returns the answer in the form that the rules expect, without applying it. If the answer is invalid, raises
        Refused, which says what would be valid.

        A caller that stores answers does so between `check` and `answer`.
        """
        if isinstance(self.ask, Over):
            raise Refused("The game is over. Undo the last answer or start a new game.")
        return TAKE[type(self.ask)](self.ask, answer)[0]

    def undo(self) -> None:
        """Undoes the last answer."""
        if not self.history:
            raise Refused("There is nothing to undo. The game has just begun.")
        self._replay(self.history[:-1])

    def _replay(self, history: Sequence[tuple[Ask, Answer]]) -> None:
        self._begin()
        for _, answer in history:
            self.answer(answer)

    def view(self, seat: int | None) -> View:
        """A seat's private view, or the public view (None): a JSON value that shares no objects with the game."""
        table = self.table
        board = table.board
        return {
            "game": self.game.id,
            "seat": seat,
            "players": list(self.players),
            "options": game_options.in_force(self.options),
            "round": table.round,
            "standing": list(table.standing),
            "turn": getattr(self.ask, "seat", None),
            "dice": table.hands.seen_by(seat),
            **{field.name: plain(getattr(board, field.name)) for field in (fields(board) if board is not None else ())},
        }

    def chance(self, purpose: str) -> random.Random:
        """A random number generator for this ask and purpose. It depends on the seed and the number of answers, not on
        their content. So it is the same after an undo or a load, and does not leak hidden dice."""
        return random.Random(f"{self.seed} {len(self.history)} {purpose}")

    def drawn(self, chance: random.Random | None = None) -> Answer:
        """A random answer to a Roll or Draw, from `chance` or else from the referee's own generator for this ask."""
        chance = chance or self.chance("auto")
        match self.ask:
            case Roll(_, count):
                return tuple(chance.choices(range(1, 7), k=count))
            case Draw("order", candidates):
                return tuple(chance.sample(candidates, len(candidates)))
            case Draw("pick", candidates):
                return (chance.choice(candidates),)
            case Choose(seat):
                raise Refused(f"Seat {seat} has to choose. Only dice and draws are answered automatically.")
        raise Refused("The game is over. There is nothing to roll or draw.")

    def save(self) -> dict[str, Any]:
        """The whole game as a JSON value, including hidden dice: for the host, never for a player."""
        saved = {
            "dicetable": FORMAT,
            "game": self.game.id,
            "rules": self.game.version,
            "players": list(self.players),
            "options": game_options.in_force(self.options),
            "seed": self.seed,
            "asks": [outline(ask) for ask, _ in self.history],
            "answers": [to_json(ask, answer) for ask, answer in self.history],
        }
        return saved | {"digest": digest(saved)}


def start(
    game: Game, players: Sequence[str], options: Mapping[str, Any] | None = None, seed: int | None = None
) -> Referee:
    """A new game. Names and options can be passed as people typed them. If the game cannot start, raises Refused, which
    says what would be valid."""
    check_seats(game.name, game.seats, len(players))
    checked_options = game_options.check(game.options, options or {}, len(players))
    check_seats(f"{game.name} with these options", game.seat_limits(checked_options), len(players), "seats_with")
    return Referee(game, made_good(players), checked_options, secrets.randbits(53) if seed is None else seed)


def check_seats(what: str, limits: tuple[int, int], seats: int, reason: str = "seats") -> None:
    least, most = limits
    if not least <= seats <= most:
        fits = f"exactly {least}" if least == most else f"{least} to {most}"
        raise Unfit(f"{what} is for {fits} players, not {seats}.", reason, limits=limits, players=seats)


SAVED = {
    "dicetable": int,
    "game": str,
    "rules": int,
    "players": list,
    "options": dict,
    "seed": int,
    "asks": list,
    "answers": list,
    "digest": str,
}


def resume(saved: Any, find: Callable[[str], Game]) -> Referee:
    """Resumes a saved game under the rules that `find` returns for its id. Raises Refused if the value is corrupt or
    the rules have changed too much."""
    if not isinstance(saved, dict) or "dicetable" not in saved:
        raise Refused("This is not a saved game. Load the value that save returned, unchanged.")
    if type(saved["dicetable"]) is int and saved["dicetable"] > FORMAT:
        raise Refused("This game was saved by a newer dicetable. Update this one to resume the game.")
    for key, kind in SAVED.items():
        if type(saved.get(key)) is not kind:
            raise Refused(f"This saved game is corrupt: its {key} is missing or invalid. Use another copy.")
    content = {key: value for key, value in saved.items() if key != "digest"}
    if (
        set(saved) - {"about"} != set(SAVED)
        or len(saved["asks"]) != len(saved["answers"])
        or digest(content) != saved["digest"]
    ):
        raise Refused("This saved game was changed or truncated after it was saved. Use another copy.")
    if not all(type(name) is str for name in saved["players"]):
        raise Refused("This saved game is corrupt: a player's name is not a string. Use another copy.")
    referee = start(find(saved["game"]), saved["players"], saved["options"], saved["seed"])
    for number, (asked, answer) in enumerate(zip(saved["asks"], saved["answers"], strict=True), 1):
        try:
            if outline(referee.ask) != asked:
                raise Refused(f"the old rules ask for {shown(asked)}, the new rules for {shown(outline(referee.ask))}.")
            referee.answer(from_json(referee.ask, answer))
        except Refused as why:
            raise Refused(
                f"This game was saved with version {saved['rules']} of the {referee.game.name} rules and cannot be "
                f"resumed with version {referee.game.version}. At answer {number}: {why}"
            ) from why
    return referee


def with_about(saved: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    """A saved game with the host's own data under "about", which `load` ignores."""
    content = {key: value for key, value in saved.items() if key not in ("about", "digest")} | {"about": dict(about)}
    return content | {"digest": digest(content)}


def told(game: Referee) -> list[Event]:
    """All events of a game so far, including those that were shown only to some seats."""
    again = Referee(game.game, game.players, game.options, game.seed)
    events = list(again.opening)
    for _, answer in game.history:
        events += again.answer(answer)
    return events


def take_choice(ask: Choose, answer: Any) -> tuple[Option, list[Event]]:
    """Returns the offered option that equals the answer."""
    # Players in this process answer with the offered object itself, and comparing identities is much faster.
    for option in ask.options:
        if option is answer:
            break
    else:
        if answer not in ask.options:
            raise Refused(f"{shown(option_to_json(answer))} is not offered. {_offer(ask.options)}")
        option = ask.options[ask.options.index(answer)]
    return option, [Event("chose", {"seat": ask.seat, "option": option})]


def take_dice(ask: Roll, answer: Any) -> tuple[Answer, list[Event]]:
    """Hidden dice are sent only to their seat. Everyone is told that they were rolled."""
    dice = answer if type(answer) is tuple else tuple(answer) if isinstance(answer, (list, tuple)) else ()
    right = len(dice) == ask.count
    for die in dice:
        if type(die) is not int or not 1 <= die <= 6:
            right = False
    if not right:
        wanted = "1 die" if ask.count == 1 else f"{ask.count} dice"
        given = "" if ask.hidden else f", not {shown(answer)}"  # everyone can read errors: do not quote hidden dice
        raise Refused(f"Answer with a list of {wanted}, each a whole number from 1 to 6{given}.")
    if not ask.hidden:
        return dice, [Event("rolled", {"seat": ask.seat, "dice": dice})]
    unseen = Event("rolled", {"seat": ask.seat, "dice": (None,) * ask.count})
    return dice, [unseen, Event("rolled", {"seat": ask.seat, "dice": dice}, (ask.seat,))]


def take_draw(ask: Draw, answer: Any) -> tuple[Answer, list[Event]]:
    drawn = tuple(answer) if isinstance(answer, (list, tuple)) else ()
    left = list(ask.candidates)
    for entry in drawn:
        if entry not in left or type(entry) is not type(left[0]):
            drawn = ()
            break
        left.remove(entry)
    if len(drawn) != (1 if ask.kind == "pick" else len(ask.candidates)):
        wanted = "exactly one" if ask.kind == "pick" else "all, in any order,"
        candidates = shown(list(dict.fromkeys(ask.candidates)))
        raise Refused(f"Answer with a list of {wanted} of {candidates}, not {shown(answer)}.")
    return drawn, [Event("drew", {"kind": ask.kind, "drawn": drawn})]


TAKE: dict[type, Callable[[Any, Any], tuple[Answer, list[Event]]]] = {
    Choose: take_choice,
    Roll: take_dice,
    Draw: take_draw,
}
"""For each kind of ask: the function that checks an answer. It returns the answer in the form that the rules expect,
and the events that announce it."""


def _offer(options: Sequence[Option]) -> str:
    listed = [shown(option_to_json(option)) for option in options]
    if len(listed) > 12:
        listed = [*listed[:6], f"... {len(listed) - 9} more ...", *listed[-3:]]
    return f"Choose one of {', '.join(listed)}."


def option_to_json(option: Any) -> Any:
    """An option as JSON: ("bid", (3, 5)) becomes {"bid": [3, 5]}."""
    if isinstance(option, tuple) and len(option) == 2:
        word, value = option
        return {word: list(value) if isinstance(value, tuple) else value}
    return option


def option_from_json(value: Any) -> Any:
    """An option from JSON: {"bid": [3, 5]} becomes ("bid", (3, 5)). Any other value is returned unchanged,
    and `take_choice` refuses it."""
    if type(value) is dict and len(value) == 1:
        ((word, argument),) = value.items()
        if type(argument) is int:
            return word, argument
        if type(argument) is list and all(type(entry) is int for entry in argument):
            return word, tuple(argument)
    return value


def event_to_json(event: Event) -> dict[str, Any]:
    facts = event.facts
    if event.kind == "chose":
        facts = {**facts, "option": option_to_json(facts["option"])}
    return {"event": event.kind, **facts} | ({} if event.to is None else {"to": list(event.to)})


def to_json(ask: Ask, answer: Any) -> Any:
    return option_to_json(answer) if isinstance(ask, Choose) else list(answer)


def from_json(ask: Ask | Over, value: Any) -> Any:
    return option_from_json(value) if isinstance(ask, Choose) else value


def outline(ask: Ask | Over) -> str:
    """An ask in a few characters, enough to detect that changed rules ask for something else."""
    match ask:
        case Roll(seat, count, hidden):
            return f"{'hidden' if hidden else 'dice'} {seat} {count}"
        case Choose(seat, options):
            return f"choice {seat} {len(options)}"
        case Draw(kind, candidates):
            return f"{kind} {len(candidates)}"
        case Over():
            return "over"


def digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def plain(value: Any) -> Any:
    """A copy of a value from a game's board, with JSON types only."""
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return dict(value) if isinstance(value, dict) else value

"""How the tests play: start a game, feed it answers, look at what it asks."""

from typing import Any

from table import referee
from table.referee import Referee
from table.rules.vocabulary import Choose, Draw, Event, Roll


def start(game: str, seats: int = 2, **options: Any) -> Referee:
    """A new game with that many seats. An option called `raise` is written `raise_`."""
    named = {name.rstrip("_"): value for name, value in options.items()}
    return referee.new(game, [f"P{seat}" for seat in range(seats)], named, seed=1)


def feed(game: Referee, *answers: Any) -> list[Event]:
    """Gives the answers one after the other; the events of the last one."""
    events: list[Event] = []
    for answer in answers:
        events = game.answer(answer)
    return events


def at_random(game: Referee, chance: Any) -> Any:
    """Any answer to the ask that stands."""
    match game.ask:
        case Roll(_, count):
            return tuple(chance.choices(range(1, 7), k=count))
        case Choose(_, options):
            return chance.choice(options)
        case Draw("order", candidates):
            return tuple(chance.sample(candidates, len(candidates)))
        case Draw(_, candidates):
            return (chance.choice(candidates),)
    raise AssertionError("the game is over")

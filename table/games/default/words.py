"""What a game says that has no words of its own."""

from collections.abc import Sequence

from table.engine.asks import View
from table.text.catalogue import Catalogue

SHARED = {"game", "seat", "players", "options", "round", "standing", "turn", "dice", "shown"}


def out(view: View, seat: int) -> bool:
    """Whether the seat plays no more: the game's board may have a list of them, `out`."""
    return seat in view.get("out", ())


def kept(view: View, seat: int) -> Sequence[int]:
    """The dice that the seat has set aside, which lie there beside those in its hand."""
    return ()


def note(view: View, seat: int, say: Catalogue) -> str:
    """What the seat has said or reached in this round."""
    return ""


def facts(view: View, say: Catalogue) -> list[tuple[str, str]]:
    """The public numbers and words of the game's board, each with a label."""
    own = {name: value for name, value in view.items() if name not in SHARED and isinstance(value, (int, str))}
    return [
        (
            name.replace("_", " ").capitalize(),
            say("value.yes" if value else "value.no") if isinstance(value, bool) else str(value),
        )
        for name, value in own.items()
    ]

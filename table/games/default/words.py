"""What a game says that has no words of its own."""

from table.engine.asks import View
from table.text.catalogue import Catalogue

SHARED = {"game", "seat", "players", "options", "round", "standing", "turn", "dice", "shown"}


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

"""Games that cannot be imported, or that lack a part which failed."""

from collections.abc import Iterator
from itertools import product

from table.games import BROKEN as FAILED
from table.games import BUILT_IN, GAMES, PARTS, own_part
from table.machine.doctor.finding import BROKEN, OK, Finding, Patient
from table.text.catalogue import languages, texts


def games(_: Patient) -> Iterator[Finding]:
    for language in languages():  # a game's texts and parts are read when they are first needed
        texts(language)
    for game, part in product([game for game in GAMES if game not in BUILT_IN], PARTS):
        own_part(game, part)
    for name, why in FAILED.items():
        fix = "Update or uninstall the package that it comes from. The other games are not affected."
        yield Finding("games", BROKEN, f"{name} cannot be used ({why}).", fix)
    if not FAILED:
        yield Finding("games", OK, f"{len(GAMES)} games: {', '.join(game.name for game in GAMES.values())}.")

"""Games that cannot be imported, and parts of games that fail."""

from collections.abc import Iterator
from itertools import product

from table import games as known
from table.games import BUILT_IN, DEFECTS, GAMES, PARTS, own_part
from table.machine.doctor.finding import BROKEN, OK, WARNING, Finding, Patient
from table.text.catalogue import languages, texts


def games(_: Patient) -> Iterator[Finding]:
    for language in languages():  # a game's texts and parts are read when they are first needed
        texts(language)
    for game, part in product([game for game in GAMES if game not in BUILT_IN], PARTS):
        own_part(game, part)
    for name, why in known.BROKEN.items():
        fix = "Mend or uninstall the package that it comes from. The other games are not affected."
        yield Finding("games", BROKEN, f"{name} cannot be played ({why}).", fix)
    for where, why in DEFECTS.items():
        fix = "Mend it in the package that it comes from. Until then the table uses its own default."
        yield Finding("games", WARNING, f"{where} cannot be used ({why}).", fix)
    if not known.BROKEN and not DEFECTS:
        yield Finding("games", OK, f"{len(GAMES)} games: {'; '.join(game.name for game in GAMES.values())}.")

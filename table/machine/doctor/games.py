"""Checks for games that cannot be imported, and for games with parts that fail to load."""

from collections.abc import Iterator
from itertools import product

from table import games as known
from table.games import BUILT_IN, DEFECTS, GAMES, PARTS, own_part
from table.machine.doctor.finding import BROKEN, OK, WARNING, Finding, Patient
from table.text.catalogue import languages, texts


def games(_: Patient) -> Iterator[Finding]:
    for language in languages():  # load everything now, because texts and parts are loaded only on first use
        texts(language)
    for game, part in product([game for game in GAMES if game not in BUILT_IN], PARTS):
        own_part(game, part)
    for name, why in known.BROKEN.items():
        fix = "Fix or uninstall its package. The other games are not affected."
        yield Finding("games", BROKEN, f"{name} cannot be played ({why}).", fix)
    for where, why in DEFECTS.items():
        fix = "Update or repair its package. Until then, the table uses its own default."
        yield Finding("games", WARNING, f"{where} cannot be used ({why}).", fix)
    if not known.BROKEN and not DEFECTS:
        yield Finding("games", OK, f"{len(GAMES)} games: {'; '.join(game.name for game in GAMES.values())}.")

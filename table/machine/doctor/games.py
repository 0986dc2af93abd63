"""Checks for games that cannot be imported, and for games with files that fail to load."""

from collections.abc import Iterator
from contextlib import suppress

from table import games as known
from table.engine.errors import NoTable
from table.games import BUILT_IN, DEFECTS, GAMES, PARTS, bots, defect, has_part, own_part, part, tables
from table.machine.doctor.finding import BROKEN, OK, WARNING, Finding, Patient
from table.text import pages
from table.text.catalogue import languages, texts


def games(_: Patient) -> Iterator[Finding]:
    for language in languages():  # load everything now, because texts and parts are loaded only on first use
        texts(language)
    for game in GAMES:
        if game not in BUILT_IN:
            _load(game)
    for name, why in known.BROKEN.items():
        fix = "Fix or uninstall its package. The other games are not affected."
        yield Finding("games", BROKEN, f"{name} cannot be played ({why}).", fix)
    for where, why in DEFECTS.items():
        fix = "Update or repair its package. Until then, the table uses its own default."
        yield Finding("games", WARNING, f"{where} cannot be used ({why}).", fix)
    if not known.BROKEN and not DEFECTS:
        yield Finding("games", OK, f"{len(GAMES)} games: {'; '.join(game.name for game in GAMES.values())}.")


def _load(game: str) -> None:
    """Loads all files of another package's game. Failures are recorded in `DEFECTS`."""
    for name in PARTS:
        if own_part(game, name):
            with suppress(ImportError):  # if pygame is missing, the check of the screen reports it
                part(game, name)
    for where in bots.missing(game):  # loads perfect and solve, too
        defect(f"{game}: {where}", "it does not exist")
    if has_part(game, "solve"):
        try:
            tables.load(game)
        except NoTable as why:
            defect(f"{game}: table.npz", str(why))
    for language in languages():
        pages.page(game, language)

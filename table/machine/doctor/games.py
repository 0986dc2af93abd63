"""Games that cannot be imported, or that lack a part which failed."""

from collections.abc import Iterator

from table.games import BROKEN as FAILED
from table.games import GAMES
from table.machine.doctor.finding import BROKEN, OK, Finding, Patient
from table.text.catalogue import texts


def games(patient: Patient) -> Iterator[Finding]:
    texts(patient.config.screen.language)  # a game's texts are read when they are first needed
    for name, why in FAILED.items():
        fix = "Update or uninstall the package that it comes from. The other games are not affected."
        yield Finding("games", BROKEN, f"{name} cannot be used ({why}).", fix)
    if not FAILED:
        yield Finding("games", OK, f"{len(GAMES)} games: {', '.join(game.name for game in GAMES.values())}.")

"""The database that the table shares with others, and that has everybody's games.

Its one rule: it looks whether the table would be let in, and writes nothing.
"""

from collections.abc import Iterator

from table.config.database import where
from table.machine.doctor.finding import BROKEN, OK, Finding, Patient
from table.storage.league import answers


def league(patient: Patient) -> Iterator[Finding]:
    settings = patient.config.league
    if not settings.address:
        yield Finding("league", OK, "The config names no league, so games stay at this table.")
        return
    there = where(settings.address)
    word, detail = answers(settings)
    match word:
        case "missing":
            fix = 'Install it with pip install "dicetable[league]".'
            yield Finding("league", BROKEN, "The package that talks to PostgreSQL is missing.", fix)
        case "refused":
            fix = "Look at address in [league] of the config, and at what docs/league.md has the server do."
            yield Finding("league", BROKEN, f"The league {there} refuses the table ({detail}).", fix)
        case "newer":
            yield Finding("league", BROKEN, f"The league {there} is of a newer version.", "Update this table.")
        case "away":
            fix = "Is it running, and is this its name and port? Games are kept here until it is back."
            yield Finding("league", BROKEN, f"The league {there} cannot be reached ({detail}).", fix)
        case _:
            yield Finding("league", OK, f"The league {there} answers.")

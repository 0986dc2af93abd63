"""Checks the services that the config names: the MQTT broker, and the league's database.

Its one rule: it only checks whether the table could log in. Nothing is published or written.
"""

from collections.abc import Iterator

from table.config.addresses import database_where, parse_broker
from table.machine.doctor.finding import BROKEN, OK, Finding, Patient
from table.storage import league as leagues
from table.storage import mqtt

ANSWER = 10.0  # seconds to wait for a broker
SAID = {
    "missing": "The Python package for {kind} is missing.",
    "refused": "{there} refuses the table ({detail}).",
    "newer": "{there} has a newer version.",
    "away": "{there} cannot be reached ({detail}).",
}
FIXES = {
    ("mqtt", "missing"): 'Install it with pip install "dicetable[mqtt]".',
    ("mqtt", "refused"): "Check the username and password in address, under [mqtt] in the config.",
    (
        "mqtt",
        "away",
    ): "Check that it is running, and its name and port. If the name cannot be found, use its IP "
    "address, such as 192.168.1.10.",
    ("league", "missing"): 'Install it with pip install "dicetable[league]".',
    ("league", "refused"): "Check address under [league] in the config, and the server's setup in docs/league.md.",
    ("league", "newer"): "Update this table.",
    ("league", "away"): "Check that it is running, and its name and port. Games are kept here until it is back.",
}


def mqtt_broker(patient: Patient) -> Iterator[Finding]:
    settings = patient.config.mqtt
    if settings.address:
        there = f"The broker {parse_broker(settings.address).where}"
        yield _answered("mqtt", "brokers", there, *mqtt.answers(settings, ANSWER))
    else:
        yield Finding("mqtt", OK, "The config names no MQTT broker, so nothing is published.")


def league(patient: Patient) -> Iterator[Finding]:
    settings = patient.config.league
    if settings.address:
        there = f"The league {database_where(settings.address)}"
        yield _answered("league", "PostgreSQL", there, *leagues.answers(settings))
    else:
        yield Finding("league", OK, "The config names no league, so games stay at this table.")


def _answered(what: str, kind: str, there: str, trouble: str, detail: str) -> Finding:
    if not trouble:
        return Finding(what, OK, f"{there} answers.")
    said = SAID[trouble].format(kind=kind, there=there, detail=detail)
    return Finding(what, BROKEN, said, FIXES[what, trouble])

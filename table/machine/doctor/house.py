"""The broker through which the house is told what goes on at the table.

Its one rule: it says hello and goodbye, and tells nothing.
"""

from collections.abc import Iterator

from table.config.broker import parse_broker
from table.machine.doctor.finding import BROKEN, OK, Finding, Patient
from table.storage import mqtt

ANSWER = 10.0  # seconds


def house(patient: Patient) -> Iterator[Finding]:
    settings = patient.config.mqtt
    if not settings.address:
        yield Finding("house", OK, "The config names no broker, so no house is told of the table.")
        return
    where = parse_broker(settings.address).where
    word, detail = mqtt.answers(settings, ANSWER)
    match word:
        case "missing":
            fix = 'Install it with pip install "dicetable[mqtt]".'
            yield Finding("house", BROKEN, "The package that talks to brokers is missing.", fix)
        case "refused":
            fix = "Look at the user and password in address, in [mqtt] of the config."
            yield Finding("house", BROKEN, f"The broker {where} refuses the table ({detail}).", fix)
        case "away":
            fix = (
                "Is it running, and is this its name and port? A number such as 192.168.1.10 needs no name to be found."
            )
            yield Finding("house", BROKEN, f"The broker {where} cannot be reached ({detail}).", fix)
        case _:
            yield Finding("house", OK, f"The broker {where} answers.")

"""What can be set: every section and every key, with its default, what is right for it and why one would change it.

The one rule: a key is declared here and nowhere else.
"""

import re
from dataclasses import Field, dataclass, field, fields
from typing import Any

from table.config import values
from table.config.values import CAMERAS
from table.engine.fields import declare, flag, number, one_of, whole

LANGUAGES = ("en", "es")
SOURCES = ("simulated", "typed", "camera", "edice")
PIN_FACTORIES = ("", "lgpio", "rpigpio", "pigpio", "native", "mock")
COLOURS = ("teal", "orange", "blue", "green", "red", "yellow", "white", "black", "purple")

PIN = whole(0, 27)


def _pin(default: int, help: str) -> Any:
    """A pin by its GPIO number. No two keys of a section may name the same."""
    return declare(PIN, default, help)


def _text(help: str, default: str = "") -> Any:
    return declare(values.LINE, default, help)


@dataclass(frozen=True)
class ScreenSettings:
    """What is seen."""

    window: tuple[int, int] | None = declare(
        values.WINDOW, None, "The size of the window, such as 1280x720. Empty: the whole screen."
    )
    language: str = one_of(*LANGUAGES, help="The language at the start; it can be changed at the table.")
    large_text: bool = flag(False, "Larger writing, for those who sit far away.")
    brightness: int = number(100, 0, 100, "In percent. A table in a dark room is kinder at 60.")
    idle_minutes: int = number(5, 1, 240, "A game that nobody goes on with is put aside after so many minutes.")


@dataclass(frozen=True)
class ButtonSettings:
    """The two buttons, Roll and End, and their lamps. Pins are GPIO numbers, not places on the header."""

    enabled: str = one_of(
        "auto", "on", "off", help="auto uses buttons where there are pins; on says so if there are none."
    )
    roll_pin: int = _pin(17, "Each button connects its pin to ground (or to 3.3 V, see pull_up).")
    end_pin: int = _pin(27, "No two keys may have the same pin.")
    roll_lamp: int = _pin(22, "Lamps light up while their button can be pressed. A pin without a lamp does no harm.")
    end_lamp: int = _pin(23, "A lamp that needs more than a few milliamperes needs a transistor.")
    pull_up: bool = flag(True, "true: a button connects its pin to ground. false: to 3.3 V.")
    pin_factory: str = one_of(
        *PIN_FACTORIES, help="Through which library gpiozero reaches the pins. Empty: what works here."
    )
    debounce_ms: int = number(25, 5, 100, "A button has to rest so long between two presses. Worn ones need more.")
    roll_colour: str = one_of(*COLOURS, help="The colours of the real buttons, for the screen to show the same.")
    end_colour: str = one_of(*COLOURS, help="Two that everybody can tell apart are best.", default="orange")


@dataclass(frozen=True)
class DiceSettings:
    """Where the dice come from at the start; it can be changed at the table."""

    source: str = one_of(
        *SOURCES,
        help="simulated: the table throws. typed: people throw real dice and enter them. camera: people throw real "
        "dice and the table reads them. edice: electronic dice on USB.",
    )
    camera: str = declare(values.CAMERA, "camera:0", f"Which camera: {CAMERAS}, which shows dice that are drawn.")
    edice: str = _text(
        "The ports of the electronic dice, with commas between: /dev/ttyACM0, COM3, or what dicetable edice prints. "
        "Empty: found by themselves."
    )


@dataclass(frozen=True)
class SoundSettings:
    """What is heard. A machine without sound plays in silence."""

    on: bool = flag(True, "false for a quiet room.")
    volume: int = number(70, 0, 100, "In percent.")


@dataclass(frozen=True)
class PhoneSettings:
    """Phones that join over the local network, and hold a player's dice in private."""

    on: bool = flag(True, "false: no port is opened, and nobody can join.")
    port: int = number(8321, 1024, 65535, "If another program has it, one of the next ten is taken.")
    room: str = _text("What the room is called. Empty: three words, chosen anew at each table.")
    public_url: str = declare(
        values.URL, "", "The address from outside, such as https://dice.example.org, where there is one."
    )
    reach: str = one_of(
        "lan",
        "machine",
        "anywhere",
        help="lan: only phones on the same network. machine: only this machine, as behind a proxy. anywhere: whoever "
        "comes.",
    )
    create: bool = flag(True, "false: on a table without a screen, nobody can open one more room.")
    odds: bool = flag(False, "true: phones show the chances of the moment.")
    patience: int = number(60, 5, 3600, "Seconds after which the others may play on without a phone that is gone.")
    position: str = declare(
        values.PLACE, "", "Where the table stands, such as 52.37,4.89: phones may then sort tables by distance."
    )


@dataclass(frozen=True)
class MqttSettings:
    """The house, told by MQTT what goes on at the table: Home Assistant finds it by itself. Never what is hidden."""

    address: str = declare(
        values.BROKER,
        "",
        "The broker, such as mqtt://user:password@homeassistant.local:1883, or mqtts:// where it speaks TLS. "
        "Empty: nothing is told to anybody.",
    )
    name: str = _text("What the table is called in the house. Empty: as this machine is called.")
    discovery: str = declare(
        values.TOPIC, "homeassistant", "Where Home Assistant looks for what is new. Empty: nothing is announced there."
    )


@dataclass(frozen=True)
class OperatorSettings:
    """Whoever looks after the table."""

    pin: str = declare(
        values.DIGITS,
        "",
        "At the table it is asked for before settings are changed and players renamed, merged or deleted; from a phone "
        "names and the settings of phones are changed with it alone. Empty: nobody is asked, and no phone can.",
    )

    @property
    def typed(self) -> str:
        """The PIN where only digits can be typed, as on the table's own screen; empty if it is an old one of others."""
        return self.pin if re.fullmatch(r"\d{1,12}", self.pin, re.ASCII) else ""


@dataclass(frozen=True)
class LeagueSettings:
    """Several tables with one leaderboard: their finished games are sent to one PostgreSQL database as well."""

    address: str = declare(
        values.DATABASE,
        "",
        "The database, such as postgresql://user:password@db.example.org/dicetable. Empty: games stay at this table.",
    )
    name: str = _text("What the table is called there. Empty: as this machine is called.")


@dataclass(frozen=True)
class JournalSettings:
    """What is remembered: players, their games won, and every game up to its last throw."""

    folder: str = _text("The folder for it. Empty: where this system keeps such things for you.")
    megabytes: int = number(
        1000,
        20,
        1_000_000,
        "It keeps to that size, its copy included: photos of corrected dice go first, then how the oldest games went.",
    )


@dataclass(frozen=True)
class Config:
    screen: ScreenSettings = field(default_factory=ScreenSettings)
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    dice: DiceSettings = field(default_factory=DiceSettings)
    sound: SoundSettings = field(default_factory=SoundSettings)
    phones: PhoneSettings = field(default_factory=PhoneSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    league: LeagueSettings = field(default_factory=LeagueSettings)
    operator: OperatorSettings = field(default_factory=OperatorSettings)
    journal: JournalSettings = field(default_factory=JournalSettings)


DEFAULT = Config()
SECTIONS: dict[str, type] = {section.name: type(getattr(DEFAULT, section.name)) for section in fields(Config)}
Keys = dict[str, Field[Any]]
KEYS: dict[str, Keys] = {name: {key.name: key for key in fields(made)} for name, made in SECTIONS.items()}
MOVED: dict[tuple[str, str], tuple[str, str, Field[Any]]] = {("phones", "pin"): ("operator", "pin", _text("Any."))}
"""Keys that stood in another section once, where they stand now, and what was right for them then: older files go on
being read."""

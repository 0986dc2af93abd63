"""The sections and keys of the config, with their defaults, possible values and help.

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
    """A pin, by GPIO number. Each pin may be used only once per section."""
    return declare(PIN, default, help)


def _text(help: str, default: str = "") -> Any:
    return declare(values.LINE, default, help)


@dataclass(frozen=True)
class ScreenSettings:
    """The screen."""

    window: tuple[int, int] | None = declare(
        values.WINDOW, None, "The size of the window, such as 1280x720. Empty: full screen."
    )
    language: str = one_of(*LANGUAGES, help="The initial language; it can be changed at the table.")
    large_text: bool = flag(False, "Larger text, for people who sit far away.")
    brightness: int = number(100, 0, 100, "In percent. In a dark room, 60 is easier on the eyes.")
    idle_minutes: int = number(5, 1, 240, "A game that no one continues is put aside after this many minutes.")


@dataclass(frozen=True)
class ButtonSettings:
    """The two buttons, Roll and End, and their lamps. Pins are GPIO numbers, not positions on the header."""

    enabled: str = one_of(
        "auto", "on", "off", help="auto: use buttons if the machine has pins. on: also warn if it has none."
    )
    roll_pin: int = _pin(17, "Each button connects its pin to ground (or to 3.3 V, see pull_up).")
    end_pin: int = _pin(27, "Each pin can be used only once.")
    roll_lamp: int = _pin(22, "Each lamp is lit while its button can be pressed. A pin without a lamp does no harm.")
    end_lamp: int = _pin(23, "A lamp that needs more than a few milliamperes needs a transistor.")
    pull_up: bool = flag(True, "true: a button connects its pin to ground. false: to 3.3 V.")
    pin_factory: str = one_of(
        *PIN_FACTORIES, help="The library that gpiozero uses to access the pins. Empty: choose one that works."
    )
    debounce_ms: int = number(25, 5, 100, "The minimum time between two presses. Worn buttons need more.")
    roll_colour: str = one_of(*COLOURS, help="The colour of the real button, which the screen shows too.")
    end_colour: str = one_of(*COLOURS, help="Choose two colours that everyone can tell apart.", default="orange")


@dataclass(frozen=True)
class DiceSettings:
    """The initial source of dice; it can be changed at the table."""

    source: str = one_of(
        *SOURCES,
        help="simulated: the table rolls. typed: people roll real dice and enter the result. camera: people roll real "
        "dice and the table reads them. edice: electronic dice on USB.",
    )
    camera: str = declare(values.CAMERA, "camera:0", f"The camera: {CAMERAS}, which renders its dice.")
    edice: str = _text(
        "The ports of the electronic dice, separated by commas: /dev/ttyACM0, COM3, or what dicetable edice prints. "
        "Empty: detect them."
    )


@dataclass(frozen=True)
class SoundSettings:
    """Sound. A machine without a sound device stays silent."""

    on: bool = flag(True, "false for a quiet room.")
    volume: int = number(70, 0, 100, "In percent.")


@dataclass(frozen=True)
class PhoneSettings:
    """Phones that join over the local network, and show each player's hidden dice in private."""

    on: bool = flag(True, "false: no port is opened, and phones cannot join.")
    port: int = number(8321, 1024, 65535, "If another program uses this port, the table takes one of the next ten.")
    room: str = _text("The name of the room. Empty: three random words.")
    public_url: str = declare(values.URL, "", "The public address, such as https://dice.example.org, if there is one.")
    reach: str = one_of(
        "lan",
        "machine",
        "anywhere",
        help="Who may connect. lan: only phones on the same network. machine: only this machine, for example behind a "
        "proxy. anywhere: everyone.",
    )
    create: bool = flag(True, "false: on a table without a screen, no one can open another room.")
    odds: bool = flag(False, "true: phones show the current odds.")
    patience: int = number(60, 5, 3600, "Seconds after which the others may continue without a disconnected phone.")
    position: str = declare(
        values.PLACE, "", "The table's coordinates, such as 52.37,4.89, so that phones can sort tables by distance."
    )


@dataclass(frozen=True)
class MqttSettings:
    """MQTT, for home automation: the state of the table without hidden dice. Home Assistant detects it by itself."""

    address: str = declare(
        values.BROKER,
        "",
        "The broker, such as mqtt://user:password@homeassistant.local:1883, or mqtts:// for TLS. Empty: nothing is "
        "published.",
    )
    name: str = _text("The table's name in Home Assistant. Empty: the name of this machine.")
    discovery: str = declare(
        values.TOPIC, "homeassistant", "Home Assistant's discovery topic. Empty: the table is not announced there."
    )


@dataclass(frozen=True)
class OperatorSettings:
    """The operator, who looks after the table."""

    pin: str = declare(
        values.DIGITS,
        "",
        "The PIN for changing settings and for renaming, merging or deleting players. On phones, player names and the "
        "settings for phones can be changed only with it. Empty: the table does not ask for it, and phones cannot "
        "change these.",
    )

    @property
    def typed(self) -> str:
        """The PIN for places where only digits can be typed, such as the table's screen. Empty if an older config has a
        PIN with other characters."""
        return self.pin if re.fullmatch(r"\d{1,12}", self.pin, re.ASCII) else ""


@dataclass(frozen=True)
class LeagueSettings:
    """The league: several tables with a common leaderboard, which also send their games to one PostgreSQL database."""

    address: str = declare(
        values.DATABASE,
        "",
        "The database, such as postgresql://user:password@db.example.org/dicetable. Empty: no league.",
    )
    name: str = _text("The table's name in the league. Empty: the name of this machine.")


@dataclass(frozen=True)
class JournalSettings:
    """The records: players, wins, and every game down to its last roll."""

    folder: str = _text("The folder of the records. Empty: the system's usual folder for application data.")
    megabytes: int = number(
        1000,
        20,
        1_000_000,
        "The size limit, including the backup copy. Photos of corrected dice are removed first, then the moves of the "
        "oldest games.",
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
"""Keys that have moved to another section, so that older files still work: their new place, and the field that
validated them before the move."""

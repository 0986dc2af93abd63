"""What a table is told once, in a TOML file: its screen, buttons, dice, sound, and where it keeps its games.

The one rule: every key is declared in one place, with its default, what is right for it and why one would change it.
The checks and the file that `dicetable config` writes both come from there.
"""

import json
import os
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from table.errors import Refused, did_you_mean, shown

LANGUAGES = ("en", "es")
SOURCES = ("simulated", "typed", "camera", "edice")
CAMERAS = "camera:0, a device such as /dev/video0, csi (the Pi's own), video:FILE, images:FOLDER, or simulated-camera"
PIN_FACTORIES = ("", "lgpio", "rpigpio", "pigpio", "native", "mock")
COLOURS = ("teal", "orange", "blue", "green", "red", "yellow", "white", "black", "purple")
SMALLEST, LARGEST = (320, 240), (7680, 4320)
MOST_BYTES = 100_000  # no config is longer, and whatever else was named by mistake is not read to its end

Size = tuple[int, int]


def _one_of(words: Sequence[str], help: str, default: str | None = None) -> Any:
    return _key(words[0] if default is None else default, "word", help, words=tuple(words))


def _number(default: int, least: int, most: int, help: str) -> Any:
    return _key(default, "number", help, least=least, most=most)


def _flag(default: bool, help: str) -> Any:
    return _key(default, "flag", help)


def _pin(default: int, help: str) -> Any:
    """A pin by its GPIO number. No two keys of a section may name the same."""
    return _key(default, "pin", help, least=0, most=27)


def _window(help: str) -> Any:
    return _key(None, "window", help)


def _text(help: str, default: str = "") -> Any:
    return _key(default, "text", help)


def _camera(default: str, help: str) -> Any:
    return _key(default, "camera", help)


def _key(default: Any, kind: str, help: str, **limits: Any) -> Any:
    return field(default=default, metadata={"kind": kind, "help": help, **limits})


@dataclass(frozen=True)
class ScreenSettings:
    """What is seen."""

    window: tuple[int, int] | None = _window("The size of the window, such as 1280x720. Empty: the whole screen.")
    language: str = _one_of(LANGUAGES, "The language at the start; it can be changed at the table.")
    large_text: bool = _flag(False, "Larger writing, for those who sit far away.")
    brightness: int = _number(100, 0, 100, "In percent. A table in a dark room is kinder at 60.")
    idle_minutes: int = _number(5, 1, 240, "A game that nobody goes on with is put aside after so many minutes.")


@dataclass(frozen=True)
class ButtonSettings:
    """The two buttons, Roll and End, and their lamps. Pins are GPIO numbers, not places on the header."""

    enabled: str = _one_of(
        ("auto", "on", "off"), "auto uses buttons where there are pins; on says so if there are none."
    )
    roll_pin: int = _pin(17, "Each button connects its pin to ground (or to 3.3 V, see pull_up).")
    end_pin: int = _pin(27, "No two keys may have the same pin.")
    roll_lamp: int = _pin(22, "Lamps light up while their button can be pressed. A pin without a lamp does no harm.")
    end_lamp: int = _pin(23, "A lamp that needs more than a few milliamperes needs a transistor.")
    pull_up: bool = _flag(True, "true: a button connects its pin to ground. false: to 3.3 V.")
    pin_factory: str = _one_of(
        PIN_FACTORIES, "Through which library gpiozero reaches the pins. Empty: what works here."
    )
    debounce_ms: int = _number(25, 5, 100, "A button has to rest so long between two presses. Worn ones need more.")
    roll_colour: str = _one_of(COLOURS, "The colours of the real buttons, for the screen to show the same.")
    end_colour: str = _one_of(COLOURS, "Two that everybody can tell apart are best.", default="orange")


@dataclass(frozen=True)
class DiceSettings:
    """Where the dice come from at the start; it can be changed at the table."""

    source: str = _one_of(
        SOURCES,
        "simulated: the table throws. typed: people throw real dice and enter them. camera: people throw real dice and "
        "the table reads them. edice: electronic dice on USB.",
    )
    camera: str = _camera("camera:0", f"Which camera: {CAMERAS}, which shows dice that are drawn.")
    edice: str = _text(
        "The ports of the electronic dice, with commas between: /dev/ttyACM0, COM3, or what dicetable edice prints. "
        "Empty: found by themselves."
    )


@dataclass(frozen=True)
class SoundSettings:
    """What is heard. A machine without sound plays in silence."""

    on: bool = _flag(True, "false for a quiet room.")
    volume: int = _number(70, 0, 100, "In percent.")


@dataclass(frozen=True)
class PhoneSettings:
    """Phones that join over the local network, and hold a player's dice in private."""

    on: bool = _flag(True, "false: no port is opened, and nobody can join.")
    port: int = _number(8321, 1024, 65535, "If another program has it, one of the next ten is taken.")
    room: str = _text("What the room is called. Empty: three words, chosen anew at each table.")
    public_url: str = _key("", "url", "The address from outside, such as https://dice.example.org, where there is one.")
    reach: str = _one_of(
        ("lan", "machine", "anywhere"),
        "lan: only phones on the same network. machine: only this machine, as behind a proxy. anywhere: whoever comes.",
    )
    create: bool = _flag(True, "false: on a table without a screen, nobody can open one more room.")
    odds: bool = _flag(False, "true: phones show the chances of the moment.")
    patience: int = _number(60, 5, 3600, "Seconds after which the others may play on without a phone that is gone.")
    pin: str = _text("With it the operator changes these from a phone. Empty: nobody can.")
    position: str = _key(
        "", "place", "Where the table stands, such as 52.37,4.89: phones may then sort tables by distance."
    )


@dataclass(frozen=True)
class JournalSettings:
    """What is remembered: players, their games won, and every game up to its last throw."""

    folder: str = _text("The folder for it. Empty: where this system keeps such things for you.")


@dataclass(frozen=True)
class Config:
    screen: ScreenSettings = field(default_factory=ScreenSettings)
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    dice: DiceSettings = field(default_factory=DiceSettings)
    sound: SoundSettings = field(default_factory=SoundSettings)
    phones: PhoneSettings = field(default_factory=PhoneSettings)
    journal: JournalSettings = field(default_factory=JournalSettings)


DEFAULT = Config()
_SECTIONS: dict[str, type] = {section.name: type(getattr(DEFAULT, section.name)) for section in fields(Config)}
_Keys = dict[str, Field[Any]]
_KEYS: dict[str, _Keys] = {name: {key.name: key for key in fields(made)} for name, made in _SECTIONS.items()}


def load(path: Path | None) -> Config:
    """The config of that file, with defaults for what it leaves out; no file at all is all defaults."""
    if path is None:
        return DEFAULT
    name = str(path).encode("utf-8", "replace").decode()
    return parse(_text_of(path, name), name)


def parse(text: str, name: str) -> Config:
    """As `load`, of a text; `name` is what a refusal calls it."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(_not_toml(text, name, str(error))) from None
    except (ValueError, RecursionError):  # a number with thousands of digits; brackets within brackets without end
        raise Refused(f"{name}: A number in it is too long, or its brackets are too deep.") from None

    def refuse(path: tuple[str, ...], sentence: str) -> Refused:
        return Refused(f"{name}, line {_line_of(text, path)}: {sentence}")

    made = {}
    for section, values in given.items():
        if section not in _KEYS:
            raise refuse((section,), _no_section(section, values))
        if not isinstance(values, dict):
            raise refuse((section,), f"{section} is a section: write [{section}], and its keys in the lines below.")
        made[section] = _section(section, values, refuse)
    return Config(**made)


def parse_size(text: str, what: str = "A window") -> Size:
    """The width and height that "1280x720" says, of whatever has a size."""
    found = re.fullmatch(r"\s*([0-9]{1,5})\s*[xX×]\s*([0-9]{1,5})\s*", text)
    if not found:
        raise Refused(f"{what} has a size such as 1280x720, not {shown(text)}.")
    size = (int(found[1]), int(found[2]))
    near = tuple(max(least, min(most, n)) for least, most, n in zip(SMALLEST, LARGEST, size, strict=True))
    if size != near:
        raise Refused(
            f"{what} has a size from {_written_size(SMALLEST)} to {_written_size(LARGEST)}, not "
            f"{_written_size(size)}. Did you mean {_written_size(near)}?"
        )
    return size


def commented() -> str:
    """A whole config file: every key with its default, what it is for and what else would be right."""
    lines = ["# The config of a dice table. Every key stands here with its default; what is left out has it too."]
    for name, made in _SECTIONS.items():
        lines += ["", "", *_comment(made.__doc__ or ""), f"[{name}]"]
        for key in _KEYS[name].values():
            lines += ["", *_comment(f"{key.metadata['help']} {_choices(key)}"), f"{key.name} = {_toml(key.default)}"]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> Iterator[str]:
    return (f"# {line}" for line in textwrap.wrap(text, 100))


def _choices(key: Field[Any]) -> str:
    """What can stand there, as a comment says it; nothing where the help says it all."""
    match key.metadata["kind"]:
        case "word":
            return f"One of {', '.join(_toml(word) for word in key.metadata['words'])}."
        case "number" | "pin":
            return f"From {key.metadata['least']} to {key.metadata['most']}."
        case _:
            return ""


def _toml(value: Any) -> str:
    if value is None:
        return '""'
    return json.dumps(value, ensure_ascii=False)  # the same as in TOML, for words, whole numbers, true and false


def _text_of(path: Path, name: str) -> str:
    if os.path.isdir(path):
        raise Refused(f"{name} is a folder, not a config file.")
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise Refused(f"There is no file {name}. The command dicetable config writes one.") from None
    except OSError as error:
        raise Refused(f"{name} cannot be read: {error.strerror or error}.") from None
    except ValueError:  # a zero in it
        raise Refused(f"{shown(name)} is not the name of a file.") from None
    if len(raw) > MOST_BYTES:
        raise Refused(f"{name} is too long for a config file.")
    try:
        return raw.decode("utf-8-sig")  # some editors put a mark in front
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Refused(f"{name}, line {line}: This is not text in UTF-8. Save the file as UTF-8.") from None


_Refuse = Callable[[tuple[str, ...], str], Refused]


def _section(section: str, given: Mapping[str, Any], refuse: _Refuse) -> Any:
    keys = _KEYS[section]
    values = {}
    for name, value in given.items():
        if name not in keys:
            raise refuse((section, name), _no_key(section, name))
        try:
            values[name] = _value(f"[{section}] {name}", keys[name], value)
        except Refused as error:
            raise refuse((section, name), str(error)) from None
    made = _SECTIONS[section](**values)
    _check_pins(section, made, list(given), refuse)
    return made


def _check_pins(section: str, made: Any, given: list[str], refuse: _Refuse) -> None:
    """Every pin is named once. The key to blame is the last one that stands in the file."""
    pins = [name for name, key in _KEYS[section].items() if key.metadata["kind"] == "pin"]
    pins.sort(key=lambda name: given.index(name) if name in given else -1)
    taken: dict[int, str] = {}
    for name in pins:
        pin = getattr(made, name)
        if pin in taken:
            sentence = f"[{section}] {name} is {pin}, and so is {taken[pin]}: every one needs a pin of its own."
            raise refuse((section, name), sentence)
        taken[pin] = name


def _value(name: str, key: Field[Any], value: Any) -> Any:
    """The value as the table uses it, or what would be right."""
    match key.metadata["kind"]:
        case "word":
            words = key.metadata["words"]
            if type(value) is str and value in words:
                return value
            right = _either([_toml(word) for word in words])
            near = did_you_mean(value.strip().lower(), words) if isinstance(value, str) else ""
        case "flag":
            if type(value) is bool:
                return value
            right, near = "true or false", _near_flag(value)
        case "number" | "pin":
            least, most = key.metadata["least"], key.metadata["most"]
            if type(value) is int and least <= value <= most:
                return value
            right, near = f"a whole number from {least} to {most}", _near_number(value, least, most)
        case "window":
            if type(value) is str:
                return parse_size(value) if value.strip() else None
            right, near = 'a size such as "1280x720", or "" for the whole screen', ""
        case "camera" if type(value) is str:
            return parse_camera(value)
        case "url":
            if value == "" or (
                type(value) is str and re.fullmatch(r"https?://[a-z0-9.-]+(:\d{2,5})?", value, re.ASCII)
            ):
                return value
            right, near = "http:// or https:// with a name in small letters and nothing behind it", ""
        case "place":
            if type(value) is str and re.fullmatch(r"(-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?)?", value, re.ASCII):
                return value
            right, near = "a latitude and a longitude, such as 52.37,4.89", ""
        case _:
            if type(value) is str and value.isprintable():
                return value
            right, near = "a text in one line", ""
    raise Refused(f"{name} is {right}, not {shown(value)}.{near}")


def parse_camera(name: str) -> str:
    """A source of pictures, if it is spelt like one; whether there is such a camera only the camera can tell."""
    if name in ("csi", "simulated-camera") or re.fullmatch(
        r"camera:\d{1,3}|/dev/.+|video:.+|images:.+", name, re.ASCII
    ):
        return name
    near = did_you_mean(name.strip().lower(), ("csi", "simulated-camera", "camera:0"))
    raise Refused(f"There is no camera {shown(name)}.{near} A camera is {CAMERAS}.")


def _near_flag(value: Any) -> str:
    meant = {"true": "true", "yes": "true", "on": "true", "1": "true"}
    meant |= {"false": "false", "no": "false", "off": "false", "0": "false"}
    word = meant.get(str(value).strip().lower())
    return f" Did you mean {word}?" if word else ""


def _near_number(value: Any, least: int, most: int) -> str:
    try:
        number = round(float(value)) if type(value) in (int, float, str) else None
    except (ValueError, OverflowError):
        number = None
    return "" if number is None else f" Did you mean {max(least, min(most, number))}?"


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _no_section(name: str, value: Any) -> str:
    if not isinstance(value, (dict, list)):
        home = next((section for section, keys in _KEYS.items() if name in keys), None)
        if home:
            return f"The key {shown(name)} stands in no section. It belongs below [{home}]."
        every = [key for keys in _KEYS.values() for key in keys]
        return f"There is no key {shown(name)}.{did_you_mean(name, every)} Every key belongs to a section."
    return f"There is no section [{_plain(name)}].{did_you_mean(name, _KEYS) or f' There are {_either(list(_KEYS))}.'}"


def _no_key(section: str, name: str) -> str:
    sentence = f"There is no key {shown(name)} in [{section}]."
    if near := did_you_mean(name, _KEYS[section]):
        return sentence + near
    home = next((other for other, keys in _KEYS.items() if name in keys), None)
    if home:
        return f"{sentence} It belongs in [{home}]."
    return f"{sentence} Its keys are {', '.join(_KEYS[section])}."


def _plain(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]{1,40}", name) else shown(name)


def _not_toml(text: str, name: str, words: str) -> str:
    """tomllib's own words, with the line in front: "Invalid value (at line 3, column 7)", or "(at end of document)"."""
    found = re.search(r"\s*\(at (?:line (\d+), column \d+|end of document)\)\s*$", words)
    line = found[1] if found and found[1] else len(text.rstrip().split("\n"))
    said = words[: found.start()] if found else words
    return f"{name}, line {line}: This is not TOML: {said[:1].lower()}{said[1:].rstrip('.')}."


def _written_size(size: Sequence[int]) -> str:
    return f"{size[0]}x{size[1]}"


def _line_of(text: str, path: tuple[str, ...]) -> int:
    """The line on which what first names that key begins.

    tomllib tells no lines, but it can be asked: a file that is right is still right when cut off after any of its
    statements, and the shortest such piece that has the key ends with it. So quotes, dots and brackets need no second
    parser.
    """
    lines = text.replace("\r\n", "\n").split("\n")

    def piece(end: int) -> Any:
        """The first `end` lines, and as many more as the statement that stands there goes on."""
        while True:
            try:
                return tomllib.loads("\n".join(lines[:end]))
            except tomllib.TOMLDecodeError:
                end += 1

    def named(values: Any) -> bool:
        for part in path:
            if not isinstance(values, dict) or part not in values:
                return False
            values = values[part]
        return True

    before, after = 0, len(lines)  # a piece without the key, and one with it
    while before < after - 1:
        middle = (before + after) // 2
        if named(piece(middle)):
            after = middle
        else:
            before = middle
    return before + 1

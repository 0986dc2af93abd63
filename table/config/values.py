"""What a value has to be, by the kind of its key: as the table uses it, or a sentence with what would be right."""

import json
import re
from collections.abc import Sequence
from dataclasses import Field
from typing import Any

from table.config.broker import parse_broker
from table.config.database import check_database
from table.config.sections import CAMERAS, LARGEST, SMALLEST, Size
from table.engine.errors import Refused, did_you_mean, shown


def value_of(name: str, key: Field[Any], value: Any) -> Any:
    """The value as the table uses it, or what would be right."""
    match key.metadata["kind"]:
        case "word":
            words = key.metadata["words"]
            if type(value) is str and value in words:
                return value
            right = either([toml(word) for word in words])
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
        case "digits":
            if type(value) is str and re.fullmatch(r"(\d{4,12})?", value, re.ASCII):
                return value
            right, near = 'four to twelve digits in quotes, such as "2468", or "" for none', ""
        case "broker" if type(value) is str:
            if value:
                parse_broker(value)
            return value
        case "database" if type(value) is str:
            if value:
                check_database(value)
            return value
        case "topic":
            if type(value) is str and re.fullmatch(r"([\w-]+(/[\w-]+)*)?", value, re.ASCII):
                return value
            right, near = "words of plain letters, with / between them", ""
        case _:
            if type(value) is str and value.isprintable():
                return value
            right, near = "a text in one line", ""
    raise Refused(f"{name} is {right}, not {shown(value)}.{near}")


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


def _written_size(size: Sequence[int]) -> str:
    return f"{size[0]}x{size[1]}"


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


def either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def toml(value: Any) -> str:
    if value is None:
        return '""'
    return json.dumps(value, ensure_ascii=False)  # the same as in TOML, for words, whole numbers, true and false

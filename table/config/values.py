"""Kinds of values that only a config has: sizes, cameras, addresses and such."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from table.config.addresses import check_database, parse_broker
from table.engine.errors import Refused, did_you_mean, shown
from table.engine.fields import Kind, only_if

CAMERAS = "camera:0, a device such as /dev/video0, csi (the Pi's own), video:FILE, images:FOLDER, or simulated-camera"
SMALLEST, LARGEST = (320, 240), (7680, 4320)

Size = tuple[int, int]


def _text(right: str, accepts: Callable[[str], object]) -> Kind:
    return Kind("string", right, only_if(lambda value: type(value) is str and bool(accepts(value))))


def _pattern(right: str, pattern: str) -> Kind:
    return _text(right, re.compile(pattern, re.ASCII).fullmatch)


def _parsed(right: str, parse: Callable[[str], Any]) -> Kind:
    """Text that has a sentence of its own for what is wrong with it."""

    def read(value: Any) -> Any:
        if type(value) is not str:
            raise ValueError
        return parse(value)

    return Kind("string", right, read)


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


def _unless_empty(check: Callable[[str], object]) -> Callable[[str], str]:
    def parse(value: str) -> str:
        if value:
            check(value)
        return value

    return parse


LINE = _text("a text in one line", str.isprintable)
WINDOW = _parsed(
    'a size such as "1280x720", or "" for the whole screen', lambda value: parse_size(value) if value.strip() else None
)
CAMERA = _parsed("a text in one line", parse_camera)
URL = _pattern(
    "http:// or https:// with a name in small letters and nothing behind it", r"(https?://[a-z0-9.-]+(:\d{2,5})?)?"
)
PLACE = _pattern("a latitude and a longitude, such as 52.37,4.89", r"(-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?)?")
DIGITS = _pattern('four to twelve digits in quotes, such as "2468", or "" for none', r"(\d{4,12})?")
TOPIC = _pattern("words of plain letters, with / between them", r"([\w-]+(/[\w-]+)*)?")
BROKER = _parsed("a text in one line", _unless_empty(parse_broker))
DATABASE = _parsed("a text in one line", _unless_empty(check_database))


def toml(value: Any) -> str:
    if value is None:
        return '""'
    return json.dumps(value, ensure_ascii=False)  # the same as in TOML, for words, whole numbers, true and false

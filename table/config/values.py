"""Types of values used only in the config: sizes, cameras, addresses and so on."""

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
    """A kind of string that `parse` reads. Errors from `parse` are shown unchanged."""

    def read(value: Any) -> Any:
        if type(value) is not str:
            raise ValueError
        return parse(value)

    return Kind("string", right, read)


def parse_size(text: str, what: str = "A window") -> Size:
    """Parses a size such as "1280x720". `what` is the subject of the error message."""
    found = re.fullmatch(r"\s*([0-9]{1,5})\s*[xX×]\s*([0-9]{1,5})\s*", text)
    if not found:
        raise Refused(f"{what} has a size such as 1280x720, not {shown(text)}.")
    size = (int(found[1]), int(found[2]))
    if not all(least <= n <= most for least, most, n in zip(SMALLEST, LARGEST, size, strict=True)):
        raise Refused(
            f"{what} has a size from {_written_size(SMALLEST)} to {_written_size(LARGEST)}, not {_written_size(size)}."
        )
    return size


def _written_size(size: Sequence[int]) -> str:
    return f"{size[0]}x{size[1]}"


def parse_camera(name: str) -> str:
    """Checks the syntax of a camera's name, but not whether there is such a camera."""
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


LINE = _text("one line of text", str.isprintable)
WINDOW = _parsed(
    'a size such as "1280x720", or "" for full screen', lambda value: parse_size(value) if value.strip() else None
)
CAMERA = _parsed("one line of text", parse_camera)
URL = _pattern(
    "http:// or https:// and a host name in lower case, without a path", r"(https?://[a-z0-9.-]+(:\d{2,5})?)?"
)
PLACE = _pattern("a latitude and a longitude, such as 52.37,4.89", r"(-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?)?")
DIGITS = _pattern('four to twelve digits in quotes, such as "2468", or "" for none', r"(\d{4,12})?")
TOPIC = _pattern("words of letters, digits, _ and -, separated by /", r"([\w-]+(/[\w-]+)*)?")
BROKER = _parsed("one line of text", _unless_empty(parse_broker))
DATABASE = _parsed("one line of text", _unless_empty(check_database))


def toml(value: Any) -> str:
    if value is None:
        return '""'
    return json.dumps(value, ensure_ascii=False)  # JSON and TOML agree on strings, integers and booleans

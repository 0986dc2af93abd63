"""The line protocol of the electronic dice. A line has a verb, a number, key=value fields, a checksum and a newline.

Its one rule: only lines exactly as `encode` writes them are valid. The table uses this file on CPython, and the
dice use it on MicroPython, so it imports nothing and uses only features that both have. README.md in this
folder explains the verbs.
"""

VERSION = 1  # protocol version; each side sends its own in hello
LONGEST = 120  # maximum characters in a line, including the newline
LARGEST = 999_999_999  # largest line number; enough for four months at a hundred lines per second

_SMALL = "abcdefghijklmnopqrstuvwxyz"
_VALUE = _SMALL + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-_"


def _shifted(value: int) -> int:
    for _ in range(4):
        value = (value << 1) ^ 0x11021 if value & 0x8000 else value << 1
    return value


_BY_FOUR = [_shifted(value << 12) for value in range(16)]  # CRC table for four bits at a time


class Damaged(ValueError):
    """The line is not valid."""


def crc(data: bytes) -> int:
    """CRC-16 (CCITT, initial value 0xFFFF). Detects all errors of up to three bits and all bursts of up to 16 bits."""
    value = 0xFFFF
    for byte in data:
        value = (value << 4 & 0xFFFF) ^ _BY_FOUR[value >> 12 ^ byte >> 4]
        value = (value << 4 & 0xFFFF) ^ _BY_FOUR[value >> 12 ^ byte & 15]
    return value


def encode(verb: str, number: int, *fields: str) -> bytes:
    """The line with its newline, for example encode("roll", 7, "count=2"). Fields keep their order."""
    _check(verb, number, fields)
    body = " ".join([verb, str(number), " ".join(fields)]).strip().encode()
    line = body + b" *%04X\n" % crc(body)
    if len(line) > LONGEST:
        raise Damaged("a line has at most 120 characters")
    return line


def decode(line: bytes) -> "tuple[str, int, dict[str, str]]":
    """Splits a line (without its newline) into verb, number and fields. Raises Damaged if the line is not valid."""
    if len(line) >= LONGEST or len(line) < 6 or line[-6:-4] != b" *":
        raise Damaged("a line must end with a space, a star and four digits")
    body = line[:-6]
    if line[-4:] != b"%04X" % crc(body):
        raise Damaged("the checksum does not match")
    try:
        words = str(body, "ascii").split(" ")  # _check refuses other characters
        number = int(words[1])
    except (ValueError, IndexError):
        raise Damaged("a line must have a verb and a number") from None
    if str(number) != words[1]:
        raise Damaged("a number has no leading zeros or signs")
    _check(words[0], number, tuple(words[2:]))
    return words[0], number, dict(_pair(word) for word in words[2:])


def _check(verb: str, number: int, fields: "tuple[str, ...]") -> None:
    if not _made_of(verb, _SMALL, 12):
        raise Damaged("a verb has up to 12 lower-case letters")
    if not 0 <= number <= LARGEST:
        raise Damaged("a number has up to nine digits")
    keys = []
    for field in fields:
        key, value = _pair(field)
        if key in keys or not _made_of(key, _SMALL, 12) or not _made_of(value, _VALUE, 40):
            raise Damaged("fields are key=value, and each key occurs once")
        keys.append(key)


def _pair(field: str) -> "tuple[str, str]":
    key, _, value = field.partition("=")
    return key, value


def _made_of(word: str, letters: str, most: int) -> bool:
    if not 1 <= len(word) <= most:
        return False
    return all(letter in letters for letter in word)


class Lines:
    """Splits received bytes into lines. Never holds more than one line."""

    def __init__(self) -> None:
        self.refused = 0  # number of invalid lines; callers may reset it to 0
        self._held = b""
        self._overflown = False  # the current line is too long and is skipped up to the next newline

    def feed(self, data: bytes) -> "list[tuple[str, int, dict[str, str]]]":
        found: list[tuple[str, int, dict[str, str]]] = []
        begin = 0
        while True:
            end = data.find(b"\n", begin)
            self._hold(data, begin, len(data) if end < 0 else end)
            if end < 0:
                return found
            begin = end + 1
            held, overflown = self._held, self._overflown
            self._held, self._overflown = b"", False
            if held[-1:] == b"\r":  # terminals end lines with CR LF
                held = held[:-1]
            if not held and not overflown:
                continue
            try:
                if overflown:
                    raise Damaged("a line has at most 120 characters")
                found.append(decode(held))
            except Damaged:
                self.refused += 1

    def _hold(self, data: bytes, begin: int, end: int) -> None:
        if self._overflown or len(self._held) + end - begin > LONGEST:
            self._held, self._overflown = b"", True
        else:
            self._held += data[begin:end]

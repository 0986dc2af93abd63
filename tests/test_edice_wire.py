"""The e-dice's line protocol: lines survive a round trip, damaged ones are refused, and floods use little memory."""

import string
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware import wire

SMALL = st.text(string.ascii_lowercase, min_size=1, max_size=8)
VALUES = st.text(string.ascii_letters + string.digits + ".,:-_", min_size=1, max_size=12)
FIELDS = st.dictionaries(SMALL, VALUES, max_size=4)
LINES = st.tuples(SMALL, st.integers(0, wire.LARGEST), FIELDS)
ROLLED = b"rolled 31 boot=7f3a9c01 dice=35 ask=9f3a77c1 under=42 *6DD9\n"


def written(line):
    verb, number, fields = line
    return wire.encode(verb, number, *(f"{key}={value}" for key, value in fields.items()))


def read(data):
    return wire.Lines().feed(data)


@given(LINES)
def test_an_encoded_line_is_decoded_again_and_is_printable(line):
    data = written(line)
    assert read(data) == [line]
    assert len(data) <= wire.LONGEST and data.endswith(b"\n") and data[:-1].decode("ascii").isprintable()


def test_a_line_has_the_documented_format():
    fields = {"boot": "7f3a9c01", "dice": "35", "ask": "9f3a77c1", "under": "42"}
    assert read(ROLLED) == [("rolled", 31, fields)]
    assert wire.crc(b"123456789") == 0x29B1  # the standard check value of this CRC


@given(LINES, st.data())
def test_any_flipped_bit_is_refused(line, data):
    good = written(line)
    bit = data.draw(st.integers(0, 8 * len(good) - 1))
    flipped = bytearray(good)
    flipped[bit // 8] ^= 1 << bit % 8
    assert read(bytes(flipped) + b"\n") == []


def test_one_or_two_flipped_bits_in_a_roll_are_refused():
    bits = range(8 * (len(ROLLED) - 1))
    for one in bits:
        for other in range(one, 8 * (len(ROLLED) - 1), 7):
            flipped = bytearray(ROLLED)
            flipped[one // 8] ^= 1 << one % 8
            if other != one:
                flipped[other // 8] ^= 1 << other % 8
            assert read(bytes(flipped)) == []


@settings(derandomize=True)  # a 16-bit CRC misses one cut in 65,536, so always try the same cuts
@given(LINES, st.data())
def test_a_line_with_missing_bytes_is_refused(line, data):
    good = written(line)[:-1]
    begin = data.draw(st.integers(0, len(good) - 1))
    end = data.draw(st.integers(begin + 1, len(good)))
    assert read(good[:begin] + good[end:] + b"\n") == []


def test_a_roll_with_missing_bytes_is_refused():
    for begin in range(len(ROLLED) - 1):
        for end in range(begin + 1, len(ROLLED)):
            assert read(ROLLED[:begin] + ROLLED[end:] + b"\n") == []


@given(st.lists(LINES, max_size=5), st.binary(max_size=200), st.lists(st.integers(0, 400), max_size=8))
@example([("a", 0, {})], b"\xff" * 200, [1, 2, 3])
def test_lines_are_decoded_from_any_pieces_and_after_noise(lines, noise, cuts):
    whole = noise.replace(b"\n", b"?") + b"\n" + b"".join(map(written, lines))
    decoder, found = wire.Lines(), []
    at = 0
    for cut in [*sorted(cuts), len(whole)]:
        found += decoder.feed(whole[at:cut])
        at = max(at, cut)
    assert found == lines


def test_crlf_is_accepted_and_empty_lines_are_ignored():
    decoder = wire.Lines()
    assert len(decoder.feed(b"\r\n\n" + ROLLED[:-1] + b"\r\n")) == 1
    assert decoder.refused == 0


def test_a_flood_without_a_newline_uses_little_memory_and_ends_at_the_next_line():
    decoder = wire.Lines()
    decoder.feed(b"x" * 4096)
    tracemalloc.start()
    for _ in range(2000):
        decoder.feed(b"x" * 4096)
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 20_000 and most < 100_000
    assert len(decoder.feed(b"\n" + ROLLED)) == 1
    assert decoder.refused == 1


@pytest.mark.parametrize(
    "line",
    [
        ("", 1),
        ("Roll", 1),
        ("roll", -1),
        ("roll", 10**9),
        ("roll", 1, "x"),
        ("roll", 1, "a=1", "a=2"),
        ("roll", 1, "a=b c"),
        ("roll", 1, "a=\n"),
        ("roll", 1, "a=" + "b" * 41),
        ("roll", 1, "a=" + "b" * 40, "c=" + "d" * 40, "e=" + "f" * 40),
    ],
)
def test_invalid_lines_are_not_encoded(line):
    with pytest.raises(wire.Damaged):
        wire.encode(*line)


@pytest.mark.parametrize(
    "body",
    [
        b"roll",
        b"roll 07",
        b"roll 7 ",
        b" roll 7",
        b"roll  7",
        b"roll 7  a=b",
        b"roll +7",
        b"roll 1_0",
        b"roll 7 a",
        b"roll 7 a=",
        b"roll 7 a=b a=c",
        b"ROLL 7",
        b"roll 7 a=\xc3\xa9",
        b"roll 7\ta=b",
        b"",
    ],
)
def test_only_the_canonical_form_is_accepted_even_with_a_valid_crc(body):
    assert read(body + b" *%04X\n" % wire.crc(body)) == []


def test_a_lowercase_crc_is_refused():
    assert read(ROLLED.replace(b"*6DD9", b"*6dd9")) == []

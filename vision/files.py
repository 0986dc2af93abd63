"""Loads photos and films as frames, or fails with one clear sentence.

Its one rule: check the file's header before decoding anything, so that no file takes too much memory or time, and no
truncated file goes unnoticed.
"""

from __future__ import annotations

import os
import stat
import struct
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import Image

CUT_SHORT = "The picture is incomplete: copy it again from where it came from."
MEGA = 1_000_000
MOST_BYTES = 128 * MEGA  # maximum size of a picture file, in bytes
MOST_PIXELS = 256 * MEGA  # maximum number of pixels in a JPEG that is scaled down during decoding
MOST_ROOM = 110 * MEGA  # memory for decoding at full size, in bytes: enough for most JPEGs of 36 megapixels
MOST_FILM = 10 * MEGA  # maximum number of pixels in a frame of a film
ENOUGH = 1600  # sufficient length of the long side, in pixels; larger pictures are reduced to 1/2, 1/4 or 1/8
LEAST_SIDE = 16  # minimum width and height in pixels; smaller pictures cannot show a die
STRIP = 256  # rows processed at a time: a whole picture as floats would need four times the memory
GREY = 128  # shade behind transparent parts, from which both white and black dice stand out
USUAL_RATE = 30.0  # frames per second, if the film does not state its rate

STARTS = {
    "JPEG": (b"\xff\xd8\xff",),
    "PNG": (b"\x89PNG\r\n\x1a\n",),
    "GIF": (b"GIF87a", b"GIF89a"),
    "TIFF": (b"II*\0", b"MM\0*"),
}
PHONE = (b"heic", b"heix", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis")
WIDTH, LENGTH, COLOURS, ORIENTATION, SAMPLES = 256, 257, 262, 274, 277  # TIFF tags, also used by EXIF


@dataclass(frozen=True)
class Photo:
    frame: Image
    size: tuple[int, int]  # width and height of the upright picture; the frame may be smaller


def is_film(path: str) -> bool:
    """Whether the file is a film rather than a picture, judging by its first bytes and not by its name."""
    begins = _begins(path, 512)
    if not begins:
        raise ValueError("The file is empty.")
    if _format(begins):
        return False
    if _begins_film(begins):
        return True
    raise ValueError("This is neither a picture nor a video that can be read here: use JPEG, PNG, WebP or MP4.")


def _begins(path: str, most: int) -> bytes:
    with _opened(path) as file:
        try:
            return file.read(most)
        except OSError as why:
            raise ValueError(f"The file cannot be read ({why.strerror}).") from None


def _opened(path: str) -> IO[bytes]:
    """Open a regular file. Pipes and devices are refused first, because opening one may block."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ValueError("This is a pipe or a device: use a picture, a video, a folder or camera:0.")
        return open(path, "rb")
    except FileNotFoundError:
        raise ValueError("There is no such file.") from None
    except OSError as why:
        raise ValueError(f"The file cannot be opened ({why.strerror}).") from None


def load(path: str, enough: int = ENOUGH) -> Photo:
    """Load a picture as people see it: upright, in colour, without transparency, and no larger than necessary."""
    data = _begins(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"The file is larger than {MOST_BYTES // MEGA} megabytes: make the picture smaller.")
    about = header(data)
    _check(about)
    times = next(times for times in (8, 4, 2, 1) if max(about.size) >= times * enough or times == 1)
    frame = _upright(_decoded(data, about, times), about.turn)
    return Photo(frame, about.size if about.turn < 5 else about.size[::-1])


def _check(about: Header) -> None:
    width, height = about.size
    if about.cut:
        raise ValueError(CUT_SHORT)
    if min(width, height) < LEAST_SIDE:
        raise ValueError(f"The picture has only {width}x{height} pixels: too few to show a die.")
    most = int(MOST_ROOM / about.room) if about.room else MOST_PIXELS
    if width * height > most:
        rather = "save it as a regular JPEG, or make it smaller" if about.room else "make it smaller"
        raise ValueError(
            f"The picture has {width * height / MEGA:.0f} megapixels; the limit for its kind is {most // MEGA}: "
            f"{rather}."
        )


def _decoded(data: bytes, about: Header, times: int) -> Image:
    """Decode at 1/`times` of the size. A JPEG is reduced during decoding, other formats afterwards."""
    at_once = about.kind == "JPEG" and times > 1
    flags = getattr(cv2, f"IMREAD_REDUCED_COLOR_{times}") if at_once else cv2.IMREAD_COLOR
    # Only IMREAD_UNCHANGED decodes transparency.
    flags = cv2.IMREAD_UNCHANGED if about.alpha else flags | cv2.IMREAD_IGNORE_ORIENTATION
    with hushed() as said:
        try:
            found = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
        except cv2.error:
            found = None
        # The JPEG decoder fills missing parts with grey and only prints a warning.
        if b"premature end" in said():
            raise ValueError(CUT_SHORT)
    if found is None:
        raise ValueError(f"The picture cannot be decoded: it is damaged, or an unsupported kind of {about.kind}.")
    frame = _plain(np.asarray(found))
    if times == 1 or at_once:
        return frame
    size = (-(-frame.shape[1] // times), -(-frame.shape[0] // times))
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)


def _plain(found: NDArray[Any]) -> Image:
    """Convert to 8 bits and three channels, with transparent parts on grey."""
    if found.dtype not in (np.uint8, np.uint16):
        raise ValueError("The picture's pixel format is not supported: save it as JPEG or PNG.")
    if found.ndim == 2:
        found = found[..., None]
    if found.dtype == np.uint8 and found.shape[2] == 3:
        return found
    out = np.empty((*found.shape[:2], 3), np.uint8)
    for top in range(0, found.shape[0], STRIP):
        strip = found[top : top + STRIP]
        if strip.dtype == np.uint16:
            strip = (strip >> 8).astype(np.uint8)
        if strip.shape[2] == 4:
            share = strip[..., 3:].astype(np.float32) / 255
            strip = np.round(strip[..., :3] * share + GREY * (1 - share))
        out[top : top + STRIP] = strip
    return out


def _upright(frame: Image, turn: int) -> Image:
    """Turn upright according to the EXIF orientation (1 to 8). For orientations from 5 on, the picture is transposed
    before any flip."""
    if turn >= 5:
        frame = np.asarray(cv2.transpose(frame), np.uint8)
    flips = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}
    return np.asarray(cv2.flip(frame, flips[turn]), np.uint8) if turn in flips else frame


@dataclass(frozen=True)
class Header:
    kind: str
    size: tuple[int, int]  # width and height as stored
    turn: int = 1  # EXIF orientation; 1 is upright
    cut: bool = False
    alpha: bool = False
    room: float = 6  # bytes per pixel needed for decoding; 0 if the picture is scaled down during decoding


def _format(begins: bytes) -> str | None:
    """The picture format that these first bytes indicate, or None if it is unknown."""
    for name, starts in STARTS.items():
        if begins.startswith(starts):
            return name
    if begins[:4] == b"RIFF" and begins[8:12] == b"WEBP":
        return "WebP"
    if begins[:2] == b"BM" and begins[15:18] == b"\0\0\0":
        return "BMP"
    return "HEIC or AVIF" if begins[4:8] == b"ftyp" and begins[8:12] in PHONE else None


def _begins_film(begins: bytes) -> bool:
    """Whether these bytes begin a container that cameras and phones write. Playlists are not accepted."""
    return (
        begins[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")
        or (begins[:4] == b"RIFF" and begins[8:12] == b"AVI ")
        or begins.startswith((b"\x1a\x45\xdf\xa3", b"\0\0\1\xba", b"\0\0\1\xb3", b"OggS", b"\x30\x26\xb2\x75"))
        or (begins[:1] == b"G" and begins[188:189] == b"G" and begins[376:377] == b"G")
    )


def header(data: bytes) -> Header:
    """Parse the header. Raises ValueError if the format is not supported."""
    found = _format(data[:512])
    readers = {"JPEG": _jpeg, "PNG": _png, "WebP": _webp, "GIF": _gif, "TIFF": _tiff, "BMP": _bmp}
    if found not in readers:
        raise ValueError(f"{found or 'These'} pictures cannot be read here: save it as JPEG.")
    try:
        return readers[found](data)
    except (struct.error, IndexError, ValueError, ZeroDivisionError):
        return Header(found, (0, 0), cut=True)


def _jpeg(data: bytes) -> Header:
    at, size, turn, room, parts = 2, (0, 0), 1, 0.0, 0
    while True:
        at = data.index(b"\xff", at)  # skip garbage between segments, as decoders do
        marker = data[at + 1]
        at += 1 if marker == 0xFF else 2
        if marker in (0, 1, 0xFF) or 0xD0 <= marker <= 0xD8:
            continue
        length = struct.unpack_from(">H", data, at)[0]
        segment = data[at + 2 : at + length]
        if marker == 0xE1 and segment.startswith(b"Exif\0\0") and turn == 1:
            turn = _turn(segment[6:])
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            high, wide, parts = struct.unpack_from(">HHB", segment, 1)
            size, samples = (wide, high), [(s >> 4) * (s & 15) for s in segment[7 : 6 + 3 * parts : 3]]
            room = 0.0 if marker < 0xC2 else 2 * sum(samples) / max(samples)
        elif marker == 0xDA:
            break
        at += length
    # A JPEG with a separate scan for each channel is decoded at full size before it is scaled down, just like a
    # progressive JPEG.
    room = room if segment[0] == parts else room or 6.0
    # FF is escaped in scan data, so FFD9 is always the end; anything after it is not part of the picture.
    return Header("JPEG", size, turn, cut=data.find(b"\xff\xd9", at) < 0, room=room)


def _png(data: bytes) -> Header:
    wide, high, depth, colours = struct.unpack_from(">IIBB", data, 16)
    turn, alpha, ended = 1, colours in (4, 6), False
    at = 8
    while at + 12 <= len(data) and not ended:
        length, name = struct.unpack_from(">I4s", data, at)
        if name == b"eXIf":
            turn = _turn(data[at + 8 : at + 8 + length])
        alpha, ended = alpha or name == b"tRNS", name == b"IEND"
        at += 12 + length
    return Header("PNG", (wide, high), turn, not ended, alpha, (11 if alpha else 6) * max(1, depth / 8))


def _webp(data: bytes) -> Header:
    """The first chunk holds everything needed except the EXIF data, which may follow near the end of the file."""
    first, length = data[12:16], struct.unpack_from("<I", data, 4)[0]
    turn, cut = 1, len(data) < 8 + length
    if first == b"VP8X":
        wide, high = (1 + int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
        if data[20] & 8:
            turn = _turn(data[data.rfind(b"EXIF") + 8 :].removeprefix(b"Exif\0\0"))
        return Header("WebP", (wide, high), turn, cut, bool(data[20] & 16), room=11)
    if first == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return Header(
            "WebP", (1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)), turn, cut, bool(bits >> 28 & 1), room=11
        )
    wide, high = struct.unpack_from("<HH", data, 26)
    return Header("WebP", (wide & 0x3FFF, high & 0x3FFF), turn, cut)


def _gif(data: bytes) -> Header:
    return Header("GIF", struct.unpack_from("<HH", data, 6), alpha=True, room=11)


def _bmp(data: bytes) -> Header:
    """The fourth byte of a pixel is rarely used as alpha, so it is ignored."""
    wide, high = struct.unpack_from("<HH" if data[14] == 12 else "<ii", data, 18)
    return Header("BMP", (abs(wide), abs(high)))


def _tiff(data: bytes) -> Header:
    """The decoder turns TIFFs upright itself."""
    tags = _tags(data)
    size = (tags.get(WIDTH, 0), tags.get(LENGTH, 0))
    alpha = tags.get(COLOURS) == 2 and tags.get(SAMPLES) == 4
    return Header("TIFF", size if tags.get(ORIENTATION, 1) < 5 else size[::-1], alpha=alpha, room=12)


def _turn(exif: bytes) -> int:
    try:
        turn = _tags(exif).get(ORIENTATION, 1)
    except (struct.error, IndexError):
        return 1  # many programs damage EXIF, but the picture is still fine
    return turn if 1 <= turn <= 8 else 1


def _tags(data: bytes) -> dict[int, int]:
    """The tags in the first directory whose values are integers."""
    order = "<" if data[:2] == b"II" else ">"
    first = struct.unpack_from(f"{order}I", data, 4)[0]
    count = struct.unpack_from(f"{order}H", data, first)[0]
    found = {}
    for at in range(first + 2, first + 2 + 12 * count, 12):
        tag, form, _ = struct.unpack_from(f"{order}HHI", data, at)
        if form in (3, 4):  # 16 or 32 bits
            found[tag] = struct.unpack_from(f"{order}{'HI'[form - 3]}", data, at + 8)[0]
    return found


class Film:
    """The frames of a film with their times in seconds."""

    def __init__(self, capture: cv2.VideoCapture, size: tuple[int, int]) -> None:
        self._capture, self.size = capture, size
        rate = capture.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 1 <= rate <= 1000 else USUAL_RATE
        count = capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self.count = int(count) if 0 < count < 1e9 else None  # number of frames according to the header, if known
        self.seen = 0
        self.at = 0.0

    def frames(self) -> Iterator[tuple[Image, float]]:
        while True:
            try:
                with hushed():
                    there, frame = self._capture.read()
            except cv2.error:
                return
            if not there or frame is None:
                return
            after = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            self.at = after if after > self.at or not self.seen else self.at + 1 / self._rate
            self.seen += 1
            yield _plain(np.asarray(frame)), self.at

    @property
    def trouble(self) -> str | None:
        """Why the film ended early, or None. Call `trouble` after the last frame."""
        if not self.seen:
            return "No picture of the video can be decoded: it is damaged or incomplete."
        if self.count and self.count - self.seen > max(2, self.count // 10):
            return f"The video ends after {self.seen} of {self.count} frames: it is damaged or incomplete."
        return None


@contextmanager
def film(path: str) -> Iterator[Film]:
    with _opened(path) as file:
        # Use an absolute path, which cannot be mistaken for a URL. If OpenCV cannot encode the name, use the file
        # descriptor.
        where = os.path.abspath(path)
        try:
            where.encode()
        except UnicodeEncodeError:
            where = f"/dev/fd/{file.fileno()}"
        with hushed():
            capture = cv2.VideoCapture(where, cv2.CAP_FFMPEG)
        with _released(capture):
            if not capture.isOpened():
                raise ValueError("The video cannot be decoded: it is damaged, incomplete or not supported.")
            size = (int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
            if size[0] * size[1] > MOST_FILM:
                raise ValueError(f"The video is {size[0]}x{size[1]} pixels: make it smaller.")
            yield Film(capture, size)


@contextmanager
def _released(capture: cv2.VideoCapture) -> Iterator[None]:
    try:
        yield
    finally:
        with hushed():
            capture.release()


@contextmanager
def hushed() -> Iterator[Callable[[], bytes]]:
    """Redirect what OpenCV and its codecs print to stderr. Yields a function that returns the output."""
    with ExitStack() as after:
        try:
            kept = after.enter_context(tempfile.TemporaryFile())
        except OSError:  # the disk is full: discard the output
            kept = after.enter_context(open(os.devnull, "r+b"))
        with suppress(OSError):  # stderr might be closed
            before = os.dup(2)
            after.callback(os.close, before)
            after.callback(os.dup2, before, 2)
            os.dup2(kept.fileno(), 2)
        yield lambda: kept.read(10_000) if kept.seek(0) == 0 else b""

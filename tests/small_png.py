"""Write small PNG files, with fewer shades and maximum compression. Files saved by pygame are twice as large."""

import struct
import zlib

import numpy
import pygame
from pygame import Surface


def fewer_shades(surface: Surface, step: int) -> Surface:
    """Round red, green and blue to steps of this size."""
    return pygame.surfarray.make_surface(pygame.surfarray.array3d(surface) // step * step + step // 2)


def png(surface: Surface) -> bytes:
    """Encode a surface, with a palette if it has at most 256 colours."""
    width, height = surface.get_size()
    shades = pygame.surfarray.array3d(surface).swapaxes(0, 1)
    colours, numbers = numpy.unique(shades.reshape(-1, 3), axis=0, return_inverse=True)
    few = len(colours) <= 256
    rows = numbers.reshape(height, width).astype("uint8") if few else shades.reshape(height, 3 * width)
    parts = [_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3 if few else 2, 0, 0, 0))]
    parts += [_chunk(b"PLTE", colours.astype("uint8").tobytes())] if few else []
    parts += [_chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows), 9)), _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

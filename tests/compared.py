"""Compare a picture with a small reference picture that a person has approved.

The comparison ignores differences in antialiasing, but detects a moved panel, a missing die or a changed colour.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pygame
from pygame import Rect, Surface

from tests.small_png import fewer_shades, png

WIDTH = 180  # width of a reference picture in pixels
STEPS = 16  # distance between the shades of a reference picture; larger steps make smaller files
WINDOW = 7  # width in pixels of the reference picture, where a small die is about as wide
MOST_ALL_OVER, MOST_ANYWHERE = 3.0, 55.0  # limits, out of 255; other versions of SDL and its fonts reach 1.5 and 40


class Difference(NamedTuple):
    all_over: float
    most: float
    where: Rect  # the window in the reference picture

    @property
    def too_much(self) -> bool:
        return self.all_over > MOST_ALL_OVER or self.most > MOST_ANYWHERE

    def __str__(self) -> str:
        x, y = (round(at * 800 / WIDTH) for at in self.where.center)
        return f"{self.all_over:.1f} on average, {self.most:.1f} around {x},{y} (at a width of 800)"


def keep(surface: Surface, file: Path) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(png(fewer_shades(small(surface), STEPS)))


def hold(surface: Surface, file: Path, failed: Path) -> None:
    """Fail if the surface differs from the reference, and save both side by side in the `failed` folder."""
    picture = pygame.image.load(file)
    found = difference(small(surface), picture)
    if found.too_much:
        path = failed / f"{file.stem}.side-by-side.png"
        pygame.image.save(side_by_side(surface, picture, found.where), path)
        raise AssertionError(f"The screen differs from {file.name}: {found}. See {path}")


def small(surface: Surface) -> Surface:
    width, height = surface.get_size()
    return pygame.transform.smoothscale(surface, (WIDTH, round(WIDTH * height / width)))


def seen_against(seen: Surface, good: Surface) -> Difference:
    return difference(small(seen), fewer_shades(small(good), STEPS))


def difference(seen: Surface, kept: Surface) -> Difference:
    """How much the pictures differ: on average, and in the window where they differ most.

    A shift by one pixel does not count, because other font versions draw a line slightly shorter or longer.
    """
    if seen.get_size() != kept.get_size():
        return Difference(255.0, 255.0, kept.get_rect())
    # The colour axis comes first, because numpy is slow along a short last axis.
    colours = (pygame.surfarray.array3d(surface).transpose(2, 0, 1).astype(float) for surface in (seen, kept))
    one, other = (blurred(shades, WINDOW) for shades in colours)
    width, height = other.shape[1] - 2, other.shape[2] - 2
    still = other[:, 1:-1, 1:-1]
    shifted = (one[:, x : x + width, y : y + height] for x in range(3) for y in range(3))
    nearest = numpy.min([abs(moved - still).max(axis=0) for moved in shifted], axis=0)
    away = (nearest - STEPS / 2).clip(min=0)
    x, y = numpy.unravel_index(away.argmax(), away.shape)
    return Difference(float(away.mean()), float(away.max()), Rect(int(x) + 1, int(y) + 1, WINDOW, WINDOW))


def blurred(shades: Any, width: int) -> Any:
    """The mean of each square of this width."""
    for axis in (1, 2):
        sums = numpy.cumsum(numpy.insert(shades, 0, 0, axis=axis), axis=axis)
        length = sums.shape[axis]
        ends, starts = (numpy.take(sums, range(*cut), axis=axis) for cut in ((width, length), (0, length - width)))
        shades = (ends - starts) / width
    return shades


def side_by_side(seen: Surface, kept: Surface, where: Rect) -> Surface:
    """The reference on the left, the surface on the right, with a frame where they differ most."""
    width, height = seen.get_size()
    sheet = Surface((2 * width + 8, height))
    sheet.fill((255, 0, 255))
    sheet.blit(pygame.transform.scale(kept, (width, height)), (0, 0))
    sheet.blit(seen, (width + 8, 0))
    k = width / WIDTH
    for left in (0, width + 8):
        frame = Rect(left + round(where.x * k), round(where.y * k), round(where.width * k), round(where.height * k))
        pygame.draw.rect(sheet, (255, 0, 255), frame, 3)
    return sheet

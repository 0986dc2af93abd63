"""`make screenshots`: write the screens of the gallery to docs/screens/. Most of them are not in git.

Private screens are left out.
"""

from pathlib import Path

import pygame

from tests import visit
from tests.gallery import NAMES, SCREENS
from tests.small_png import fewer_shades, png

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
SIZE = (1280, 720)
KEPT = {"attract-cheese": "attract", "cacho-full-challenge": "cacho", "cheese-keep": "cheese"}
"""The screens in the README, which are smaller, with their file names."""
KEPT_SIZE = (960, 540)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for screen in SCREENS.values():
        if screen.private:
            continue
        there = screen.visit("en", NAMES)
        with there.table:
            for page, canvas in enumerate(visit.pages(there, screen, SIZE), 1):
                name = f"{screen.name}-{page}" if screen.pages else screen.name
                pygame.image.save(canvas.surface, FOLDER / f"{name}.png")
                if name in KEPT:
                    kept = pygame.transform.smoothscale(canvas.surface, KEPT_SIZE)
                    (FOLDER / f"readme-{KEPT[name]}.png").write_bytes(png(fewer_shades(kept, 4)))
    print(f"{FOLDER} now contains {len(list(FOLDER.glob('*.png')))} pictures.")


if __name__ == "__main__":
    main()

"""Redraw the pictures, with looks that never occur in training. Every die is legible, and some tables have no dice."""

import json

import cv2
import numpy as np

from tests.dice import HOME
from vision.render import draw, random_scene
from vision.render.legible import legible

SIZE = (480, 360)
DICE = (1, 2, 3, 5, 0, 4, 6, 1, 5, 2, 8, 0, 3, 5, 1, 4, 12, 2, 0, 5, 3, 6, 20, 0)


def main() -> None:
    truth = {}
    for i, dice in enumerate(DICE):
        for seed in range(1000):
            rng = np.random.default_rng((20261116, i, seed))
            scene = random_scene(rng, SIZE, dice, die_px=(26, 60 if dice > 4 else 110), clutter=0.4, unseen=True)
            picture = draw(scene, SIZE)
            sharp = max(map(abs, scene.sensor.smear)) < 1.5
            whole = len(picture.truth) == dice and all(t.top_visible > 0.97 for t in picture.truth)
            # Half a domino at the edge of the picture cannot be told from a die.
            domino = any(100 <= mark < 200 for solid in scene.solids for mark in solid.layout.marks)
            if sharp and whole and not domino and all(legible(scene, SIZE)):
                break
        else:
            raise SystemExit(f"No picture of {dice} fully visible dice was found.")
        name = f"{i:02}.jpg"
        cv2.imwrite(str(HOME / name), picture.image, (cv2.IMWRITE_JPEG_QUALITY, 88))
        truth[name] = sorted(t.value for t in picture.truth)
    (HOME / "truth.json").write_text(json.dumps(truth, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

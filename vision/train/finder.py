"""Training of the finder: heatmaps of the six faces and of unreadable dice, with size, offset and angle.

Its one rule: it is trained on crops of rendered pictures only, with dice of readable sizes and some far larger ones.
"""

# PyTorch has no types unless it is installed, and it is only installed for training.
# mypy: disable-error-code="import-not-found, misc, untyped-decorator, no-any-return"

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from vision.train.crops import Chance, finder_piece
from vision.train.learn import Batch
from vision.train.nets import MAPS, Finder
from vision.train.pictures import Pictures, load


@dataclass
class FinderLesson:
    folder: Path  # folder of the pictures
    name: str = "finder"
    batch: int = 24
    peak: float = 8e-3
    decay: float = 0.01

    @cached_property
    def store(self) -> Pictures:
        return load(self.folder)

    def net(self) -> nn.Module:
        return Finder()

    def make(self, rng: Chance, count: int) -> Batch:
        chosen = rng.integers(len(self.store.images), size=count)
        pieces = [finder_piece(rng, self.store, int(i)) for i in chosen]
        return np.stack([p[0] for p in pieces]), np.stack([p[1] for p in pieces])

    def loss(self, out: Any, aim: Any) -> tuple[Any, tuple[float, float]]:
        heat, rest = loss_of(out, aim)
        return heat + rest, (float(heat.detach()), float(rest.detach()))


def loss_of(out: Any, aim: Any) -> tuple[Any, Any]:
    """CenterNet's focal loss on the heatmaps, and L1 loss on size, offset and angle where there are dice."""
    logits = out[:, :MAPS].float()
    want, weight = aim[:, :MAPS], aim[:, MAPS : 2 * MAPS]
    p = torch.sigmoid(logits)
    yes, no = nn.functional.logsigmoid(logits), nn.functional.logsigmoid(-logits)
    hit = (want > 0.999).float()
    heat = -(hit * (1 - p) ** 2 * yes + (1 - hit) * (1 - want) ** 4 * p**2 * no) * weight
    count = hit.sum().clamp(min=1)
    here = aim[:, 19:20]
    diff = (out[:, MAPS:] - aim[:, 14:19]).abs()
    rest = (diff * here * torch.tensor([1.0, 1.0, 1.0, 0.5, 0.5]).view(1, 5, 1, 1)).sum() / here.sum().clamp(min=1)
    return heat.sum() / count, rest

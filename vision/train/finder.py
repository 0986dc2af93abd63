"""Trains the finder: six heatmaps of faces and one of dice that must not be read, with size, offset and angle.

Its one rule: as many steps as it is told, and the same seed takes the same ones.
"""

# PyTorch is typed only where it is installed, and it is installed only for training.
# mypy: disable-error-code="import-not-found, misc, untyped-decorator, no-any-return"

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

from vision.train.crops import finder_piece
from vision.train.nets import MAPS, Average, Finder
from vision.train.pictures import Pictures, bar

BATCH = 16
Batch = tuple[Any, ...]


def ahead(make: Callable[[], Batch], count: int) -> Any:
    """Batches made by a thread of its own while the network learns from the last."""
    box: queue.Queue[Batch] = queue.Queue(6)

    def work() -> None:
        for _ in range(count):
            box.put(make())

    threading.Thread(target=work, daemon=True).start()
    for _ in range(count):
        yield box.get()


def loss_of(out: Any, aim: Any) -> tuple[Any, Any]:
    """CenterNet's focal loss on the heatmaps; size, offset and angle only where a die is."""
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


def train(store: Pictures, steps: int, seed: int, peak: float = 4e-3) -> Finder:
    torch.manual_seed(seed)
    rng = np.random.default_rng((seed, 77))
    net = Finder().to(memory_format=torch.channels_last)
    mean = Average(net)
    judge: Any = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=0.01, betas=(0.9, 0.99))
    plan = torch.optim.lr_scheduler.OneCycleLR(judge, peak, total_steps=steps + 1, pct_start=0.1)

    def make() -> Batch:
        pieces = [finder_piece(rng, store, int(i)) for i in rng.integers(len(store.images), size=BATCH)]
        return np.stack([p[0] for p in pieces]), np.stack([p[1] for p in pieces])

    start, seen = time.monotonic(), [0.0, 0.0]
    net.train()
    for step, (pictures, aim) in enumerate(ahead(make, steps)):
        x = (torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)
        heat, rest = loss_of(net(x), torch.from_numpy(aim))
        judge.zero_grad(set_to_none=True)
        (heat + rest).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        judge.step()
        plan.step()
        mean.add(net)
        seen = [0.99 * a + 0.01 * float(b) for a, b in zip(seen, (heat, rest), strict=True)]
        if step % 20 == 19:
            real = 1 - 0.99 ** (step + 1)
            bar("finder", step + 1, steps, start, f"{seen[0] / real:.3f} {seen[1] / real:.3f} ")
    bar("finder", steps, steps, start, "\n")
    net.load_state_dict(mean.state)
    return net.eval()

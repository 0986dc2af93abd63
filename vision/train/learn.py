"""The training loop, in two processes.

Its one rule: it runs the given number of steps, and the same seed gives the same steps, even if the training was
interrupted and resumed.
"""

# PyTorch has no types unless it is installed, and it is only installed for training.
# mypy: disable-error-code="import-not-found, misc, untyped-decorator, no-any-return"

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import torch
from torch import distributed, multiprocessing, nn
from torch.nn.parallel import DistributedDataParallel

from vision.train.crops import Chance
from vision.train.nets import Average
from vision.train.pictures import bar
from vision.train.steady import Steady

# Each process takes its part of every batch. On nets this small, a second thread in one process hardly helps.
HANDS = 2
SAVED = 250  # steps between checkpoints, a minute or two
Batch = tuple[Any, ...]


class Lesson(Protocol):
    """What a network learns, and from which pictures. A lesson is sent to other processes, so it holds paths and arrays
    instead of pictures."""

    name: str
    batch: int
    peak: float  # peak learning rate
    decay: float

    def net(self) -> nn.Module: ...

    def make(self, rng: Chance, count: int) -> Batch:
        """A batch: crops as bytes (n, h, w, 3), and their targets."""
        ...

    def loss(self, out: Any, aim: Any) -> tuple[Any, tuple[float, float]]:
        """The loss, and two figures for the progress bar."""
        ...


def learn(lesson: Lesson, steps: int, seed: int, checkpoint: Path) -> Any:
    """Train a network for this many steps. Continues from the checkpoint if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.spawn(_work, (lesson, steps, seed, folder, checkpoint), HANDS)
    net = lesson.net()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["mean"])
    return net.to(memory_format=torch.channels_last).eval()


def _work(rank: int, lesson: Lesson, steps: int, seed: int, folder: str, checkpoint: Path) -> None:
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    distributed.init_process_group("gloo", f"file://{folder}/meeting", rank=rank, world_size=HANDS)
    torch.manual_seed(seed)
    net = lesson.net().to(memory_format=torch.channels_last)
    both = DistributedDataParallel(net)
    mean = Average(net)
    rule: Any = Steady(net, lesson.peak, lesson.decay)
    plan = torch.optim.lr_scheduler.OneCycleLR(rule, lesson.peak, total_steps=steps + 1, pct_start=0.1)
    first = 0
    if checkpoint.exists():
        known = torch.load(checkpoint, weights_only=True)
        first = known["step"]
        net.load_state_dict(known["net"])
        rule.load_state_dict(known["rule"])
        plan.load_state_dict(known["plan"])
        mean.state, mean.seen = known["mean"], known["step"]
    start, seen = time.monotonic(), [0.0, 0.0]
    both.train()
    for step in range(first, steps):
        rng = np.random.default_rng((seed, len(lesson.name), rank, step))
        pieces, aim = lesson.make(rng, lesson.batch // HANDS)
        x = (torch.from_numpy(pieces).permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)
        loss, told = lesson.loss(both(x), torch.from_numpy(aim))
        rule.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        rule.step()
        plan.step()
        mean.add(net)
        seen = [0.99 * a + 0.01 * b for a, b in zip(seen, told, strict=True)]
        if rank == 0 and step % 20 == 19:
            real = 1 - 0.99 ** (step + 1 - first)
            bar(lesson.name, step + 1, steps, start, " ".join(f"{s / real:.3f}" for s in seen) + " ", first)
        if rank == 0 and (step + 1 == steps or (step + 1) % SAVED == 0):
            known = {"step": step + 1, "net": net.state_dict(), "mean": mean.state}
            known |= {"rule": rule.state_dict(), "plan": plan.state_dict()}
            beside = checkpoint.with_suffix(".new")
            torch.save(known, beside)
            beside.replace(checkpoint)
    if rank == 0:
        bar(lesson.name, steps, steps, start, "\n", first)
    distributed.destroy_process_group()

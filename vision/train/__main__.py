"""`python -m vision.train`: both networks from nothing, into assets/vision."""

# PyTorch is typed only where it is installed, and it is installed only for training.
# mypy: disable-error-code="import-not-found, misc, untyped-decorator, no-any-return"

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

# Read by the allocator when a process starts: without it every batch is mapped and cleared anew, at half the speed.
CALM = {
    "MALLOC_MMAP_THRESHOLD_": "1073741824",
    "MALLOC_TRIM_THRESHOLD_": "4294967296",
    "OMP_WAIT_POLICY": "PASSIVE",
}
# What an hour on two cores does, with some room.
PICTURES, FINDER_STEPS, JUDGE_STEPS = 24_000, 6_600, 4_500


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="about how long it may take on two cores")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path, default=Path("build/pictures"), help="where the pictures are kept")
    parser.add_argument("--again", action="store_true", help="use the pictures that are there")
    parser.add_argument("--into", type=Path, default=Path("assets/vision"))
    asked = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit("Training needs PyTorch: pip install torch==2.13.0 onnx")
    from vision.train import finder, judge, nets, pictures

    torch.set_num_threads(min(2, os.cpu_count() or 1))
    part, start = asked.minutes / 60, time.monotonic()
    if asked.again:
        store = pictures.load(asked.pictures)
    else:
        store = pictures.render(asked.pictures, int(PICTURES * min(1.0, part)), asked.seed)
    found = finder.train(store, int(FINDER_STEPS * part), asked.seed)
    asked.into.mkdir(parents=True, exist_ok=True)
    nets.export(found, str(asked.into / "finder.onnx"), 320)
    judged = judge.train(store, found, int(JUDGE_STEPS * part), asked.seed)
    nets.export(judged, str(asked.into / "judge.onnx"), nets.JUDGE_SIDE)
    count = nets.weights(found) + nets.weights(judged)
    print(f"{count:,} weights in {(time.monotonic() - start) / 60:.0f} minutes, in {asked.into}")
    return 0


if __name__ == "__main__":
    if any(os.environ.get(k) != v for k, v in CALM.items()):
        os.environ.update(CALM)
        os.execv(sys.executable, [sys.executable, "-m", "vision.train", *sys.argv[1:]])
    sys.exit(main())

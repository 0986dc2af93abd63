"""`python -m vision.train`: both networks and the rules over them from nothing, into assets/vision."""

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
INTO = Path(__file__).resolve().parents[2] / "assets" / "vision"
# What an hour on two cores does, with some room.
PICTURES, FINDER_STEPS, JUDGE_STEPS, WEIGHED = 20_000, 18_000, 7_000, 800
SEEN = "rendered pictures only: seed {seed}, {pictures} pictures, {finder} and {judge} steps"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--part", type=float, default=1.0, help="of the whole training, which takes an hour")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path, default=Path("build/pictures"), help="where the pictures are kept")
    parser.add_argument("--again", action="store_true", help="use the pictures that are there")
    asked = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit('Training needs PyTorch: pip install -e ".[train]"')
    from vision import weigh
    from vision.train import finder, judge, nets, pictures
    from vision.train import weigh as fitting

    torch.set_num_threads(min(2, os.cpu_count() or 1))
    start = time.monotonic()
    steps = [max(1, int(n * asked.part)) for n in (FINDER_STEPS, JUDGE_STEPS)]
    if asked.again:
        store = pictures.load(asked.pictures)
    else:
        store = pictures.render(asked.pictures, max(100, int(PICTURES * min(1.0, asked.part))), asked.seed)
    found = finder.train(store, steps[0], asked.seed)
    INTO.mkdir(parents=True, exist_ok=True)
    nets.export(found, str(INTO / "finder.onnx"), 320)
    judged = judge.train(store, found, steps[1], asked.seed)
    nets.export(judged, str(INTO / "judge.onnx"), nets.JUDGE_SIDE)
    seen = SEEN.format(seed=asked.seed, pictures=len(store.images), finder=steps[0], judge=steps[1])
    cases = fitting.cases(asked.seed + 1, max(40, int(WEIGHED * min(1.0, asked.part))))
    rules = fitting.fit(cases, seen)
    weigh.save(INTO / "weights.json", rules)
    print("On rendered pictures:", dict(fitting.score(cases, rules)))
    count = nets.weights(found) + nets.weights(judged)
    print(f"{count:,} weights in {(time.monotonic() - start) / 60:.0f} minutes, in {INTO}")
    return 0


if __name__ == "__main__":
    if any(os.environ.get(k) != v for k, v in CALM.items()):
        os.environ.update(CALM)
        os.execv(sys.executable, [sys.executable, "-m", "vision.train", *sys.argv[1:]])
    sys.exit(main())

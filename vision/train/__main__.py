"""`python -m vision.train`: trains both networks and fits the rules from scratch, into assets/vision."""

# PyTorch has no types unless it is installed, and it is only installed for training.
# mypy: disable-error-code="import-not-found, misc, untyped-decorator, no-any-return"

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

# Environment variables that are read when a process starts. Without them, memory is mapped and cleared for every batch,
# which halves the speed.
CALM = {
    "MALLOC_MMAP_THRESHOLD_": "1073741824",
    "MALLOC_TRIM_THRESHOLD_": "4294967296",
    "OMP_WAIT_POLICY": "PASSIVE",
}
INTO = Path(__file__).resolve().parents[2] / "assets" / "vision"
# With these numbers, training takes about an hour on two cores, half of it for the finder.
PICTURES, FINDER_STEPS, JUDGE_STEPS, PICTURED = 20_000, 14_000, 5_000, 800
LEFT_OUT = INTO.parents[1] / "tests" / "bench" / "left_out"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--part", type=float, default=1.0, help="fraction of the training (1 takes about an hour)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path, default=Path("build/pictures"), help="folder for rendered pictures")
    parser.add_argument("--again", action="store_true", help="use the existing pictures")
    parser.add_argument("--rules", action="store_true", help="only fit the rules, for the existing networks")
    parser.add_argument("--photos", type=Path, help="a folder with labels.csv: also fit the rules to its photographs")
    asked = parser.parse_args()
    start = time.monotonic()
    if not asked.rules:
        train(asked.seed, asked.part, asked.pictures, asked.again)
    fit(asked.seed, min(1.0, asked.part), asked.photos)
    print(f"{(time.monotonic() - start) / 60:.0f} minutes, in {INTO}")
    return 0


def train(seed: int, part: float, folder: Path, again: bool) -> None:
    """Train both networks, on rendered pictures only."""
    try:
        import torch
    except ImportError:
        sys.exit('Training needs PyTorch: pip install -e ".[train]"')
    from vision import models
    from vision.train import judge, nets, pictures
    from vision.train.finder import FinderLesson
    from vision.train.judge import JudgeLesson
    from vision.train.learn import learn

    torch.set_num_threads(min(2, os.cpu_count() or 1))
    if again:
        store = pictures.load(folder)
    else:
        store = pictures.render(folder, max(100, int(PICTURES * min(1.0, part))), seed)
    found = learn(FinderLesson(folder), max(1, int(FINDER_STEPS * part)), seed)
    INTO.mkdir(parents=True, exist_ok=True)
    nets.export(found, str(INTO / models.FINDER), 320)
    lesson = JudgeLesson(folder, judge.spots(store), judge.mine(store, found))
    judged = learn(lesson, max(1, int(JUDGE_STEPS * part)), seed)
    nets.export(judged, str(INTO / models.JUDGE), nets.JUDGE_SIDE)
    print(f"{nets.weights(found) + nets.weights(judged):,} weights")


def fit(seed: int, part: float, photos: Path | None) -> None:
    """Fit the rules. If there are photographs, also
    cross-validate: leave out each photo folder in turn, and fit the rules to the rest."""
    from vision import models
    from vision.train import scoring as fitting
    from vision.train.photos import left_out, photographed

    pictured = fitting.cases(seed + 1, max(40, int(PICTURED * part)), INTO)
    taken = photographed(photos, models.draft(INTO)) if photos else []
    folders = sorted({case.source for case in taken})
    rules = fitting.fit([*pictured, *taken])
    seen = f"networks: rendered pictures only, seed {seed}; rules: rendered pictures"
    models.save_rules(INTO / models.RULES, rules, ", ".join([seen, *folders]))
    for folder, own in left_out([*pictured, *taken], folders).items():
        rest = [f for f in folders if f != folder]
        models.save_rules(LEFT_OUT / f"{folder}.json", own, ", ".join([seen, *rest]))
    print("On rendered pictures:", dict(fitting.score(pictured, rules)))


if __name__ == "__main__":
    if any(os.environ.get(k) != v for k, v in CALM.items()):
        os.environ.update(CALM)
        os.execv(sys.executable, [sys.executable, "-m", "vision.train", *sys.argv[1:]])
    sys.exit(main())

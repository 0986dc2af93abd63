"""`python -m vision.train`: trains both networks and fits the rules from scratch, into assets/vision."""

# PyTorch has no types unless it is installed, and it is only installed for training.
# mypy: disable-error-code="import-not-found, misc, untyped-decorator, no-any-return"

from __future__ import annotations

import argparse
import json
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
PICTURES, FINDER_STEPS, JUDGE_STEPS, PICTURED = 22_000, 14_000, 9_000, 800
LEFT_OUT = INTO.parents[1] / "tests" / "bench" / "left_out"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--part", type=float, default=1.0, help="fraction of the training (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--build", type=Path, default=Path("build/training"), help="folder for pictures and checkpoints"
    )
    parser.add_argument("--resume", action="store_true", help="continue an interrupted training")
    parser.add_argument("--only", choices=("judge", "rules"), help="keep the existing networks, except the judge")
    parser.add_argument("--photos", type=Path, help="a folder with labels.csv: also fit the rules to its photographs")
    asked = parser.parse_args()
    start = time.monotonic()
    if asked.only != "rules":
        train(asked.seed, asked.part, asked.build, asked.resume, asked.only != "judge")
    fit(asked.seed, min(1.0, asked.part), asked.photos)
    print(f"{(time.monotonic() - start) / 60:.0f} minutes, in {INTO}")
    return 0


def train(seed: int, part: float, folder: Path, resume: bool, both: bool) -> None:
    """Train the judge, and with `both` the finder too, on rendered pictures only."""
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
    checkpoints = {name: folder / f"{name}.pt" for name in ("finder", "judge")}
    settings, now = folder / "settings.json", {"seed": seed, "part": part, "both": both}
    if resume and (not settings.exists() or json.loads(settings.read_text(encoding="utf-8")) != now):
        sys.exit(f"{folder} has no interrupted training with these settings: leave out --resume to start a new one.")
    if not resume:
        for checkpoint in checkpoints.values():
            checkpoint.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        settings.write_text(json.dumps(now), encoding="utf-8")
    store = pictures.render(folder, max(100, int(PICTURES * min(1.0, part))), seed, resume)
    INTO.mkdir(parents=True, exist_ok=True)
    if both:
        found = learn(FinderLesson(folder), max(1, int(FINDER_STEPS * part)), seed, checkpoints["finder"])
        nets.export(found, str(INTO / models.FINDER), 320)
        print(f"finder: {nets.weights(found):,} weights")
    lesson = JudgeLesson(folder, judge.spots(store), judge.mine(store, models.network(INTO / models.FINDER)))
    judged = learn(lesson, max(1, int(JUDGE_STEPS * part)), seed, checkpoints["judge"])
    nets.export(judged, str(INTO / models.JUDGE), nets.JUDGE_SIDE)
    print(f"judge: {nets.weights(judged):,} weights")


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

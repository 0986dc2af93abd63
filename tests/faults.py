"""`make faults`: plants known faults, one at a time, in a copy of the project, and sees that the tests catch each.

A fault that is not caught, or whose place in the source has gone, is an error.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TESTS = ["laws", "golden", "layers", "mexico", "bluff", "pocoloco", "cheese", "cacho", "protocol", "bots"]
FAULTS = {
    "hidden dice in an event": (
        "table/referee.py",
        '"dice": (None,) * ask.count}',
        '"dice": dice}',
    ),
    "a view that forgets to mask": (
        "table/rules/vocabulary.py",
        "if hidden and seat != viewer",
        "if hidden and seat != viewer and viewer is None",
    ),
    "hands that are not hidden after the first round": (
        "table/rules/cacho.py",
        "table.hands.lay(seat, dice, hidden=True)",
        "table.hands.lay(seat, dice, hidden=table.round < 2)",
    ),
    "hidden dice that steer what the table draws": (
        "table/referee.py",
        'f"{self.seed} {len(self.history)} {purpose}"',
        'f"{self.seed} {self.history} {purpose}"',
    ),
    "hidden dice in an error": (
        "table/referee.py",
        '"" if ask.hidden else f", not {shown(answer)}"',
        'f", not {shown(answer)}"',
    ),
    "options that depend on another seat's dice": (
        "table/rules/bluff.py",
        "(yield Choose(caller, CALLS))",
        "(yield Choose(caller, CALLS if table.hands[claimant] != (6, 6) else CALLS[:1]))",
    ),
    "a rule that calls random": (
        "table/rules/customs.py",
        "    (picked,) = yield Draw",
        "    candidates = __import__('random').sample(list(candidates), len(candidates))\n    (picked,) = yield Draw",
    ),
    "Mexico ranked below 66": (
        "table/rules/mexico.py",
        "RANKING = (MEXICO, 66,",
        "RANKING = (66, MEXICO,",
    ),
    "a PocoLoco tie that picks the same seat twice": (
        "table/rules/pocoloco.py",
        "pick([seat for seat in lowest if seat != winner])",
        "pick(lowest)",
    ),
    "a second Cheese triple lost": (
        "table/rules/cheese.py",
        "THREE_POINTS[face])] * threes",
        "THREE_POINTS[face])] * min(threes, 1)",
    ),
    "the third die of a Cheese triple lost": (
        "table/rules/cheese.py",
        "(face,) * 3, THREE_POINTS[face])",
        "(face,) * 2, THREE_POINTS[face])",
    ),
    "an ace counted as wild in a single-die round": (
        "table/rules/cacho.py",
        "wild=not board.single)",
        "wild=True)",
    ),
}


def first_failure(path: str, right: str, wrong: str) -> str | None:
    """The first test that fails with that fault in place, if one does."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv*", ".git", ".*_cache", ".hypothesis"))
        source = (copy / path).read_text(encoding="utf-8")
        if source.count(right) != 1:
            sys.exit(f"{path} has no single place for {right!r} any more: bring tests/faults.py up to date.")
        (copy / path).write_text(source.replace(right, wrong), encoding="utf-8")
        run = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-x",
                "-q",
                "--hypothesis-seed=1",
                *(f"tests/test_{name}.py" for name in TESTS),
            ],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
            timeout=600,
        )
    if run.returncode not in (0, 1):
        sys.exit(f"The tests could not be run:\n{run.stdout}{run.stderr}")
    failed = [line for line in run.stdout.splitlines() if line.startswith("FAILED ")]
    return failed[0].split()[1] if failed else None


def main() -> int:
    if found := first_failure("table/errors.py", '"""Everything', '"""Everything'):
        sys.exit(f"Without any fault the tests fail too, at {found}: mend that first.")
    missed = 0
    for name, fault in FAULTS.items():
        found = first_failure(*fault)
        missed += found is None
        print(f"{'caught' if found else 'MISSED'}  {name}{f' ({found})' if found else ''}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

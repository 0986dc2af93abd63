"""How the networks' votes are weighed: the shipped rules, how the code applies them, and how they are trained."""

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("cv2", reason="OpenCV runs the networks")

from vision import decide, models, scoring  # noqa: E402
from vision.models import Rules  # noqa: E402
from vision.scoring import FEATURES, Candidate  # noqa: E402
from vision.train import scoring as fitting  # noqa: E402
from vision.train.scoring import BAD, GOOD, Case  # noqa: E402
from vision.tray import Calibration  # noqa: E402

VISION = Path(__file__).parent.parent / "assets" / "vision"
LEFT_OUT = Path(__file__).parent / "bench" / "left_out"


def seen(value: int, clear: float, x: float = 50.0, side: float = 30.0, nothing: float = 0.0) -> Candidate:
    """A candidate to which both networks give this value, with this confidence."""
    finder, judge = np.full(7, 0.02, np.float32), np.full(10, 0.005, np.float32)
    finder[value - 1], judge[value], judge[0] = clear, clear * (1 - nothing), nothing
    return Candidate(x, 50.0, side, 0.0, finder, 1.0, judge, judge)


def test_the_shipped_rules_fit_the_code_and_name_their_training_data() -> None:
    shipped = models.shipped()
    rules = shipped.rules
    assert len(rules.trust) == len(rules.presence) == FEATURES + 1
    assert 0 < rules.none < 1 and 0 < rules.sure < 1
    assert shipped.seen.startswith("networks: rendered pictures only")


def test_each_folder_of_photos_is_judged_by_rules_trained_without_it() -> None:
    folders = {path.stem: models.ruled(models.shipped(), path) for path in LEFT_OUT.glob("*.json")}
    assert {"damian", "matteo", "nell", "nodice"} <= folders.keys()
    for folder, learnt in folders.items():
        assert folder in models.shipped().seen.split(", ") and folder not in learnt.seen.split(", ")


def test_the_networks_have_fewer_than_two_million_weights_together() -> None:
    assert sum((VISION / name).stat().st_size for name in ("finder.onnx", "judge.onnx")) < 4 * 2_000_000


def test_a_clear_die_is_sure_a_faint_die_is_doubtful_and_noise_is_ignored() -> None:
    clear, faint, nothing = seen(5, 0.95, 50), seen(3, 0.5, 150, nothing=0.05), seen(2, 0.13, 250, nothing=0.98)
    rules, found = models.shipped().rules, [clear, faint, nothing]
    sure, doubtful = decide.parted(found, *scoring.weighed(found, rules), rules)
    assert [w.candidate for w in sure] == [clear]
    assert [w.candidate for w in doubtful] == [faint]


def trust(found: list[Candidate]) -> list[float]:
    return [float(t) for t in scoring.weighed(found, models.shipped().rules)[0]]


def test_a_face_of_a_different_size_is_trusted_less() -> None:
    others = [seen(4, 0.95, x) for x in (100.0, 200.0, 300.0)]
    usual, tiny = (trust([*others, seen(1, 0.7, 400.0, side)])[-1] for side in (30.0, 12.0))
    assert tiny < usual


def test_a_face_within_another_die_is_trusted_less() -> None:
    clear = seen(4, 0.95, 100.0)
    apart, inside = (trust([clear, seen(1, 0.7, x)])[-1] for x in (200.0, 112.0))
    assert inside < apart


def candidate(judge: tuple[int, int], finder: int, pattern: int) -> Candidate:
    """A candidate for which each witness votes for one value. The witnesses are the two looks of the judge, the
    finder and the pip pattern."""
    votes = [np.eye(10, dtype=np.float32)[value] for value in judge]
    finds = np.eye(7, dtype=np.float32)[finder - 1] * 0.4
    return Candidate(50.0, 50.0, 30.0, 0.0, finds, 1.0, *votes, fits=np.eye(6, dtype=np.float32)[pattern - 1])


def test_a_value_that_the_pattern_contradicts_needs_very_high_trust() -> None:
    found = [candidate((4, 4), 4, 4), candidate((4, 4), 4, 6), candidate((4, 4), 4, 6)]
    assert decide.supported(found, np.array([0.8, 0.8, 0.95])).tolist() == [0.8, 0.0, 0.95]
    assert len(decide.supported([], np.zeros(0))) == 0


def known(hard: bool = False) -> Calibration:
    corners = ((0.0, 0.0), (640.0, 0.0), (640.0, 480.0), (0.0, 480.0))
    return Calibration((640, 480), 30.0, corners, None, np.zeros((240, 320, 3), np.uint8), 1.0, hard=hard)


def test_in_a_tray_a_value_needs_both_looks_of_the_judge_and_one_more_witness() -> None:
    several = [candidate((4, 4), 6, 4), candidate((4, 4), 4, 6), candidate((4, 4), 6, 2), candidate((4, 2), 4, 4)]
    assert decide.supported(several, np.full(4, 0.99), known()).tolist() == [0.99, 0.99, 0, 0]


def test_dice_that_are_hard_to_read_need_very_high_trust_and_unanimity() -> None:
    several = [candidate((4, 4), 4, 4), candidate((4, 4), 4, 6), candidate((4, 4), 4, 4)]
    assert decide.supported(several, np.array([0.95, 0.95, 0.85]), known(hard=True)).tolist() == [0.95, 0, 0]


RULES = Rules((), (), sure=0.8, agreed=0.6, none=0.2, known=0.3, gap=0.5)
AGREE, DIFFER = candidate((4, 4), 4, 4), candidate((4, 4), 4, 6)


def believed(found: list[Candidate], trust: list[float], expect: int | None = None, presence: float = 0.5) -> int:
    """How many candidates are believed; -1 if others are in doubt."""
    sure, doubtful = decide.parted(found, np.array(trust), np.full(len(found), presence), RULES, expect)
    return -1 if doubtful else len(sure)


def test_less_trust_is_enough_if_all_witnesses_agree() -> None:
    assert believed([AGREE, AGREE], [0.9, 0.65]) == 2
    assert believed([AGREE, DIFFER], [0.9, 0.65]) == -1
    assert believed([AGREE, AGREE], [0.9, 0.55]) == -1


def test_with_a_known_number_of_dice_those_that_stand_out_are_believed() -> None:
    every = [AGREE] * 3
    assert believed(every, [0.9, 0.4, 0.1], 2) == 2
    assert believed(every, [0.9, 0.4, 0.3], 2) == -1, "the third is not far behind the second"
    assert believed(every, [0.9, 0.2, 0.05], 2) == -1, "hardly a die"
    assert believed([AGREE, DIFFER, AGREE], [0.9, 0.4, 0.1], 2) == -1, "its value is not certain"
    assert believed(every, [0.9, 0.4, 0.1], 2, presence=0.8) == -1, (
        "the third is certainly a die, though an unclear one"
    )


def test_if_a_die_is_missing_the_best_dropped_candidate_is_shown_as_doubtful() -> None:
    found = [AGREE, AGREE, AGREE]
    trust, presence = np.array([0.95, 0.15, 0.1]), np.array([0.9, 0.1, 0.1])
    sure, doubtful = decide.parted(found, trust, presence, RULES, 2)
    assert [w.trust for w in sure] == [0.95] and [w.trust for w in doubtful] == [0.15]
    assert decide.parted(found, trust, presence, RULES)[1] == []


def test_saved_rules_can_be_loaded_again(tmp_path: Path) -> None:
    rules = Rules((0.5,) * 28, (-0.25,) * 28, 0.9, 0.6, 0.1, 0.3, 0.5)
    models.save_rules(tmp_path / "rules.json", rules, "a test")
    again = models.ruled(models.shipped(), tmp_path / "rules.json")
    assert (again.rules, again.seen) == (rules, "a test")


def test_the_fit_recovers_a_known_rule() -> None:
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.normal(size=(4000, 2)), np.ones(4000)])
    want = (rng.random(4000) < 1 / (1 + np.exp(-(2 * rows[:, 0] - 1 * rows[:, 1] + 0.5)))).astype(float)
    assert fitting.logistic(rows, want, np.ones(4000)) == pytest.approx((2, -1, 0.5), abs=0.25)


def cases() -> list[Case]:
    """Clear dice with the right value, faint dice of which half are right, and a die that must not be read."""
    out = []
    for i in range(200):
        value, faint = 1 + i % 6, i % 4 == 0
        die = seen(value, 0.35 if faint else 0.95, nothing=0.3 if faint else 0.0)
        right = not faint or i % 8 == 0
        out.append(Case([die], [float(right)], [1.0], GOOD, (value,) if right else (1 + value % 6,)))
    return [*out, Case([seen(6, 0.3, nothing=0.1)], [0.0], [1.0], BAD, (6,))]


def test_the_fitted_limits_read_most_dice_with_hardly_any_errors() -> None:
    rules = fitting.fit(cases())
    count = fitting.score(cases(), rules)
    assert count["exact"] == 150 and count["wrong"] == 0 and count["unsure"] == 51
    blind = fitting.score(cases(), Rules(rules.trust, rules.presence, 0.0, 0.0, 0.0, 0.0, 1.0))
    assert blind["wrong"] == 26, "without limits, wrong faint dice are believed"

"""All tests that are named by `make faults`, `make arm-check` and CI exist. The suite itself runs none of those
commands."""

import re
from pathlib import Path

import pytest

from tests import arm, faults

CLONE = Path(__file__).parent.parent
PLANTED = [(name, *fault) for _, planted in faults.GROUPS.values() for name, fault in planted.items()]
FAULTS = [("none", *faults.NO_FAULT), *PLANTED]


def missing(names) -> list[str]:
    return [name for name in names if not (CLONE / "tests" / f"test_{name}.py").exists()]


@pytest.mark.parametrize("group", faults.GROUPS)
def test_the_tests_of_a_group_of_faults_exist(group):
    tests, planted = faults.GROUPS[group]
    assert planted and not missing(tests)


@pytest.mark.parametrize(("name", "path", "right", "wrong"), FAULTS)
def test_a_fault_changes_exactly_one_place_in_the_source(name, path, right, wrong):
    assert (CLONE / path).read_text(encoding="utf-8").count(right) == 1
    assert (right == wrong) == (name == "none")


def test_the_tests_for_the_other_processor_exist():
    assert not missing([*arm.RULES, *arm.VISION])
    for path, _, test in (one.partition("::") for one in (arm.SHELL, *arm.READING)):
        assert f"\ndef {test}(" in (CLONE / path).read_text(encoding="utf-8"), test


def test_the_tests_that_ci_runs_with_the_oldest_packages_exist():
    script = (CLONE / ".ci" / "run").read_text(encoding="utf-8")
    lists = re.findall(r'^(?:screen|packages)="([^"]+)"$', script, re.MULTILINE)
    assert len(lists) == 2 and not missing(" ".join(lists).split())

"""The end of a test run: skips with their reasons (failures if all tests are required), and a list of slow tests."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.summary import slow

SUITE = {
    "test_called.py": "import pytest\ndef test_it():\n    pytest.skip('no camera')\n",
    "test_fixture.py": "import pytest\n@pytest.fixture\ndef lens(): pytest.skip('no lens')\ndef test_it(lens): pass\n",
    "test_marked.py": "import pytest\n@pytest.mark.skipif(True, reason='no die')\ndef test_it(): pass\n",
    "test_module.py": "import pytest\npytest.skip('no buttons', allow_module_level=True)\n",
    "test_expected.py": "import pytest\n@pytest.mark.xfail\ndef test_it(): assert False\n",
    "test_good.py": "def test_it(): pass\n",
}
REASONS = ("no camera", "no lens", "no die", "no buttons")


@pytest.fixture
def suite(tmp_path) -> Path:
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    for name, source in SUITE.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    return tmp_path


def run(suite: Path, required: str) -> tuple[int, str]:
    environment = os.environ | {"DICETABLE_REQUIRE_ALL": required, "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "--continue-on-collection-errors", "--rootdir", suite, suite]
    done = subprocess.run(command, cwd=suite, env=environment, capture_output=True, encoding="utf-8", timeout=60)
    return done.returncode, done.stdout


def test_every_skip_fails_when_all_tests_are_required(suite):
    status, output = run(suite, required="1")
    assert status == pytest.ExitCode.TESTS_FAILED
    # If a test fails before it has begun, pytest counts an error instead.
    assert re.search("1 failed, 1 passed, 1 xfailed, 3 errors", output), output
    assert all(re.search(f"{reason}; but DICETABLE_REQUIRE_ALL is set", output) for reason in REASONS), output


@pytest.mark.parametrize("required", ["", "0"])
def test_a_skip_only_reports_its_reason_if_not_all_tests_are_required(suite, required):
    status, output = run(suite, required)
    assert status == pytest.ExitCode.OK
    assert all(f"1 test: {reason}" in output for reason in REASONS), output


def ran(name: str, seconds: float, *marks: str, when: str = "call") -> pytest.TestReport:
    return pytest.TestReport(name, (name, 1, name), dict.fromkeys(marks, 1), "passed", None, when, duration=seconds)


def test_slow_files_and_tests_are_listed_longest_first():
    reports = [
        ran("tests/test_few.py::test_long", 4.0),
        ran("tests/test_few.py::test_long", 2.0, when="setup"),
        ran("tests/test_many.py::test_slow", 14.0, "slow"),
        ran("tests/test_many.py::test_quick", 1.0),
        ran("tests/test_quick.py::test_quick", 4.9),
    ]
    assert [line.split()[2] for line in slow(reports)] == ["tests/test_many.py", "tests/test_few.py::test_long"]

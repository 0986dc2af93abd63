"""What holds for all tests: how hard hypothesis tries, what a skip means, how golden games and pictures are renewed."""

import os
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

# Several tests run at once: more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

import pytest
from hypothesis import HealthCheck, settings

from tests.summary import pytest_terminal_summary, reason  # noqa: F401  # the first is a hook
from tests.terminal_session import sittings

# No deadline, and examples may take long to make: a slow or busy machine is no fault of the rules.
# `pytest --hypothesis-profile=thorough` tries harder.
PATIENT: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("brief", max_examples=10, **PATIENT)  # on other Pythons, whose rules are the same
settings.register_profile("modest", max_examples=50, **PATIENT)
settings.register_profile("thorough", max_examples=1000, print_blob=True, **PATIENT)
settings.load_profile("modest")

LONGEST = {
    "test_worker", "test_browser", "test_by_hand", "test_calibrate", "test_calibration", "test_camera_dice",
    "test_camera_table", "test_install", "test_journal", "test_league", "test_phone_port", "test_phone_records",
    "test_processes", "test_read", "test_rolls", "test_texts", "test_window",
}  # fmt: skip

# A script that starts the tests in the background makes them ignore Ctrl-C, and so would every process that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

REQUIRE_ALL = os.environ.get("DICETABLE_REQUIRE_ALL", "") not in ("", "0")
"""CI sets it: a test that a laptop may skip has to run there, so that nothing goes untested unnoticed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="write the golden games anew instead of comparing")
    parser.addoption("--rewrite-pictures", action="store_true", help="write the pictures of the screens anew")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where the ground is left out, files that are all about it are not even read: what they import may be missing."""
    if config.getoption("markexpr") != "not ground" or not collection_path.name.startswith("test_"):
        return None
    source = collection_path.read_text(encoding="utf-8")
    return True if "\npytestmark = " in source and "pytest.mark.ground" in source else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take longest begin: no worker is left alone with one of them at the end."""
    items.sort(key=lambda item: item.path.stem not in LONGEST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    return refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    return refuse_skip((yield))


def refuse_skip(report: Any) -> Any:
    """The report, failed if it is a skip and all tests are required. An expected failure is no skip."""
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{reason(report)}; but every test is required here (DICETABLE_REQUIRE_ALL is set)"
    return report


@pytest.fixture(autouse=True)
def nobody_stays_behind() -> Generator[None, None, None]:
    """A test that failed in the middle of a game leaves no process for the others to trip over."""
    yield
    for sitting in sittings:
        if sitting.process.returncode is None:
            sitting.process.kill()
            sitting.end()
    sittings.clear()

"""Settings for all tests: hypothesis profiles, the meaning of a skip, and options to rewrite golden files."""

import os
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

# Several tests run in parallel, so more threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

import pytest
from hypothesis import HealthCheck, settings

from tests.summary import pytest_terminal_summary, reason  # noqa: F401  # the first is a hook
from tests.terminal_session import sittings

# No deadline, and examples may take long to generate: tests must not fail because the machine is slow or busy.
# `pytest --hypothesis-profile=thorough` runs more examples.
PATIENT: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("brief", max_examples=10, **PATIENT)  # CI uses it on additional Python versions
settings.register_profile("modest", max_examples=50, **PATIENT)
settings.register_profile("thorough", max_examples=1000, print_blob=True, **PATIENT)
settings.load_profile("modest")

LONGEST = {
    "test_worker", "test_browser", "test_by_hand", "test_calibrate", "test_calibration", "test_camera_dice",
    "test_camera_table", "test_install", "test_journal", "test_league", "test_phone_port", "test_phone_records",
    "test_processes", "test_read", "test_rolls", "test_texts", "test_window",
}  # fmt: skip

# A shell script that starts the tests in the background makes them ignore Ctrl-C, and child processes inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

REQUIRE_ALL = os.environ.get("DICETABLE_REQUIRE_ALL", "") not in ("", "0")
"""Set in CI, where every test must run: a skip counts as a failure."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="rewrite the golden games instead of comparing")
    parser.addoption("--rewrite-pictures", action="store_true", help="rewrite the pictures of the screens")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m "not ground"`, do not even import files marked ground: their imports may be missing."""
    if config.getoption("markexpr") != "not ground" or not collection_path.name.startswith("test_"):
        return None
    source = collection_path.read_text(encoding="utf-8")
    return True if "\npytestmark = " in source and "pytest.mark.ground" in source else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the slowest files first, so that no worker is still busy with a slow file at the end."""
    items.sort(key=lambda item: item.path.stem not in LONGEST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    return refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    return refuse_skip((yield))


def refuse_skip(report: Any) -> Any:
    """Turn a skip into a failure if all tests are required. An expected failure is not a skip."""
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{reason(report)}; but DICETABLE_REQUIRE_ALL is set, so every test must run"
    return report


@pytest.fixture(autouse=True)
def kill_leftover_processes() -> Generator[None, None, None]:
    """Kill the processes of a test that failed in the middle of a game."""
    yield
    for sitting in sittings:
        if sitting.process.returncode is None:
            sitting.process.kill()
            sitting.end()
    sittings.clear()

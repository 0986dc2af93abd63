"""What holds for all tests: how hard hypothesis tries, what a skip means, how golden games are rewritten."""

import os
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings

from tests.sitting import sittings

# No deadline: a slow or busy machine is no fault of the rules. `pytest --hypothesis-profile=thorough` tries harder.
settings.register_profile("modest", max_examples=50, deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile("modest")

REQUIRE_ALL = os.environ.get("DICETABLE_REQUIRE_ALL", "") not in ("", "0")
"""CI sets it: a test that a laptop may skip has to run there, so that nothing goes untested unnoticed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="write the golden games anew instead of comparing")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    return refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    return refuse_skip((yield))


def refuse_skip(report: Any) -> Any:
    """The report, failed if it is a skip and all tests are required. An expected failure is no skip."""
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{reason}; but every test is required here (DICETABLE_REQUIRE_ALL is set)"
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

"""The last lines of a test run: which tests could not run on this machine and why, and which were slow."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

FILE_LIMIT = 10.0  # seconds for all tests in a file
TEST_LIMIT, SLOW_LIMIT = 5.0, 15.0  # seconds for a normal test, and for one marked slow


def pytest_terminal_summary(terminalreporter: Any) -> None:
    found = [report for group in terminalreporter.stats.values() for report in group]
    reports = [report for report in found if isinstance(report, pytest.TestReport | pytest.CollectReport)]
    for title, lines in (("not run here", list(not_run(reports))), ("slow", list(slow(reports)))):
        if lines:
            terminalreporter.write_sep("=", title)
            for line in lines:
                terminalreporter.write_line(line)


def not_run(reports: list[pytest.TestReport | pytest.CollectReport]) -> Iterator[str]:
    """One line per reason."""
    skipped = Counter(reason(report) for report in reports if report.skipped and not hasattr(report, "wasxfail"))
    for why, count in skipped.most_common():
        yield f"{count} {'test' if count == 1 else 'tests'}: {why}"


def reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


def slow(reports: list[pytest.TestReport | pytest.CollectReport]) -> Iterator[str]:
    """One line per file and per test over its limit, slowest first. Fixtures count too."""
    files: dict[str, float] = defaultdict(float)
    tests: dict[str, float] = defaultdict(float)
    limits: dict[str, float] = {}
    for report in reports:
        if isinstance(report, pytest.TestReport):
            files[report.nodeid.partition("::")[0]] += report.duration
            tests[report.nodeid] += report.duration
            limits[report.nodeid] = SLOW_LIMIT if "slow" in report.keywords else TEST_LIMIT
    for name, seconds in by_time(files):
        if seconds > FILE_LIMIT:
            yield f"{seconds:5.1f} s  {name}"
    for name, seconds in by_time(tests):
        if seconds > limits[name]:
            yield f"{seconds:5.1f} s  {name} (at most {limits[name]:.0f} on a quiet machine)"


def by_time(seconds: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda item: -item[1])

"""A pytest plugin that names the tests that take long, which ought to be marked campaign: ``python -m pytest -n 2 -p tests.timing``.

Processor seconds of the test and of the programs that it starts, so that a busy machine changes little.
"""

from __future__ import annotations

import resource

import pytest

LONG = 0.4
"""Seconds."""
STARTED = pytest.StashKey[float]()


def processor() -> float:
    """Seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[STARTED] = processor()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """The report of the teardown carries the time to the process that prints."""
    item.user_properties.append(("processor", processor() - item.stash[STARTED]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The slowest come first."""
    done = (report for reports in terminalreporter.stats.values() for report in reports if isinstance(report, pytest.TestReport))
    times = {report.nodeid: float(str(dict(report.user_properties).get("processor", 0))) for report in done if report.when == "teardown"}
    for test, seconds in sorted(times.items(), key=lambda item: -item[1]):
        if seconds > LONG:
            terminalreporter.write_line(f"{seconds:7.2f} s {test}")

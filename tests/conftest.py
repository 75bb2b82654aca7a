"""Fixtures that several test files use."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.command_line import CommandLine
from verifier.claims.papers import SHELF, catalogue, papers
from verifier.running.memory import fewer_collections

settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")

ALWAYS = (
    "tests/constructions/test_neighbours.py",
    "tests/mutation",
    "tests/papers",
    "tests/test_core_only.py",
    "tests/test_package.py",
    "tests/verifier/certificates",
    "tests/verifier/commands/test_exit_statuses.py",
    "tests/verifier/proofs/test_symbols_random.py",
    "tests/verifier/report",
    "tests/verifier/site",
)
"""What trust rests on runs in any case, however long it takes: the checker, the gate, neighbours, proofs for all parameters."""


NUMBERS = count()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that take long, as `tests/timing.py` measured them, are of the campaign, as are all but one case in n of `one_in(n)`."""
    cases = Counter[str]()
    listed = set(Path(__file__).with_name("long.txt").read_text(encoding="utf-8").splitlines())
    for item in items:
        test, chosen = item.nodeid.split("[")[0], item.get_closest_marker("one_in")
        left_out = chosen is not None and cases[test] % chosen.args[0]
        cases[test] += 1
        if left_out or (item.nodeid in listed and not item.nodeid.startswith(ALWAYS)):
            item.add_marker(pytest.mark.campaign)


def pytest_collection_finish() -> None:
    """What was collected stays: the garbage collector need not look at it again, and looks as rarely as in the program."""
    gc.freeze()
    fewer_collections()


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that are kept between commands are kept in a folder of the test's own, which the program makes when it keeps one."""
    monkeypatch.setenv("BITREFEREE_CACHE", str(tmp_path_factory.getbasetemp() / "kept" / str(next(NUMBERS))))


@pytest.fixture(autouse=True)
def the_same_papers() -> Iterator[None]:
    """Papers that a command line adds are gone with the test."""
    before = list(SHELF.folders)
    yield
    if SHELF.folders != before:
        SHELF.folders = before
        papers.cache_clear()
        catalogue.cache_clear()


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line."""
    return CommandLine(capsys)

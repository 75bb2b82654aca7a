"""Fixtures that several test files use."""

from __future__ import annotations

import gc
import marshal
import os
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("HYPOTHESIS_NO_PLUGINS", "1")  # those of other packages: each process would import trio, which nothing here uses

from hypothesis import HealthCheck, settings

from tests.command_line import CommandLine
from verifier.claims import papers as at_hand
from verifier.claims.papers import papers
from verifier.running import answers
from verifier.running.results import READ
from verifier.running.shelf import SHELF

settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")

NUMBERS = count()
READ.begin()
BYTES = bytes(range(256))
PARSE = tomllib.loads


@lru_cache(maxsize=4096)
def _packed(text: str) -> bytes:
    """The content of a TOML file, packed, so that each reader has a copy of its own."""
    return marshal.dumps(PARSE(text))


def _read(text: str) -> dict[str, Any]:
    """What ``tomllib.loads`` gives, which many tests read of the same files."""
    try:
        return dict(marshal.loads(_packed(text)))
    except ValueError:  # a mistake in the file, or a date, which cannot be packed
        return PARSE(text)


def pytest_configure() -> None:
    """Commands work in one process unless a test names --jobs: two of them start in the time of many tests.

    The installed papers are found once; every test that names papers of its own asks for them again. A file of one text is parsed once.
    """
    os.cpu_count = lambda: 1
    tomllib.loads = _read  # type: ignore[assignment]
    at_hand.entry_points = cache(at_hand.entry_points)  # type: ignore[attr-defined]


SITES = "tests/verifier/show/"
"""The folder whose tests look at the same pages and sites."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``--dist loadfile`` all tests of :data:`SITES` stay with one process, which makes each site once."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return SITES if file.startswith(SITES) else file

    return ByFile(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the campaign are all but one case in n of ``one_in(n)`` and the cases that ``long(…)`` names, as `tests/timing.py` finds them.

    A name in ``long(…)`` that no case has is an error, as it would leave nothing out.
    """
    cases, absent = Counter[str](), dict[str, set[str]]()
    for item in items:
        test, _, case = item.nodeid.partition("[")
        chosen, long = item.get_closest_marker("one_in"), item.get_closest_marker("long")
        if long:
            absent.setdefault(test, set(long.args)).discard(case.removesuffix("]"))
        if (chosen and cases[test] % chosen.args[0]) or (long and case.removesuffix("]") in long.args):
            item.add_marker(pytest.mark.campaign)
        cases[test] += 1
    unknown = [f"{test}: long({', '.join(map(repr, sorted(names)))})" for test, names in absent.items() if names]
    if unknown and not any("::" in each for each in config.args):
        raise pytest.UsageError("no case is called so: " + "; ".join(unknown))


def pytest_collection_finish() -> None:
    """What was collected stays, and what tests make is gone with them: the garbage collector has nothing to look for."""
    gc.freeze()
    gc.disable()


def pytest_sessionfinish() -> None:
    """Nor has pytest, which collects once more as it ends: a process of ``-n`` that takes long to end is interrupted."""
    gc.freeze()


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the test's own; pytest's has a link to the newest, and the names of all before are read for each."""
    folder = tmp_path_factory.getbasetemp() / f"test-{next(NUMBERS)}"
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that are kept between commands are kept in a folder of the test's own, which the program makes when it keeps one.

    The screens that ship are not shown.
    """
    monkeypatch.setattr(answers, "FOLDER", tmp_path_factory.getbasetemp() / "no screens")
    monkeypatch.setenv("BITREFEREE_CACHE", str(tmp_path_factory.getbasetemp() / "kept" / str(next(NUMBERS))))


@pytest.fixture(autouse=True)
def bytes_are_what_they_were() -> Iterator[None]:
    """A library has been seen to write into the bytes objects of length one that Python keeps once."""
    yield
    assert [BYTES[n : n + 1][0] for n in range(256)] == list(range(256))


@pytest.fixture(autouse=True)
def the_same_papers() -> Iterator[None]:
    """Papers that a command line adds are gone with the test."""
    before, trusted = list(SHELF.folders), SHELF.trusted
    yield
    if (SHELF.folders, SHELF.trusted) != (before, trusted):
        SHELF.folders, SHELF.trusted = before, trusted
        papers.cache_clear()


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line."""
    return CommandLine(capsys)

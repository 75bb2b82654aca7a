"""A pytest plugin that writes which tests take long: ``python -m pytest -n 2 -m '' -p tests.timing``, then see ``tests/long.txt``.

Processor seconds of the test and of the programs that it starts, so that a busy machine changes little.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

LONG = 0.4  # seconds
FOLDER = Path(__file__).parent


def processor() -> float:
    """Seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    before = processor()
    result = yield
    if processor() - before > LONG:
        with (FOLDER / f"long.{os.getpid()}.txt").open("a", encoding="utf-8") as file:
            file.write(f"{item.nodeid}\n")
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The process that distributes the tests puts the lists of the others together."""
    if hasattr(session.config, "workerinput"):
        return
    parts = sorted(FOLDER.glob("long.*.txt"))
    lines = {line for part in parts for line in part.read_text(encoding="utf-8").splitlines()}
    (FOLDER / "long.txt").write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")
    for part in parts:
        part.unlink()

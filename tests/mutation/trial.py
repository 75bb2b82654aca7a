"""Tests run on a copied tree, in a process forked from one that has the libraries loaded and nothing of the program."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("verifier", "constructions", "lowerbounds", "tests")
OPTIONS = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0"]
MEMORY = 4 << 30
"""Bytes of address space that a trial may have."""
SLOW = 5.0
"""Seconds of the processor after which a test is left out, as slow."""
CALLS_LOOKED_AT = 200_000
"""Of each test without a change; one that calls more, or that starts a program, may reach anything."""
ANYTHING = "anything"


FILES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", "action.yml", ".pre-commit-hooks.yaml")


def copied(folder: Path) -> Path:
    """The program, its tests and what they read, copied."""
    for name in (*PACKAGES, "reports", "docs", ".ci", *FILES):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / name).exists():
            shutil.copy2(ROOT / name, folder / name)
    return folder


@contextlib.contextmanager
def written(file: Path, source: str) -> Iterator[None]:
    """The file holds ``source`` meanwhile, with a time of its own so that no compiled file passes for it."""
    text, stamp = file.read_bytes(), file.stat()
    file.write_text(source, encoding="utf-8")
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 3_600_000_000_000))
    try:
        yield
    finally:
        file.write_bytes(text)
        os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


@dataclass
class Outcome:
    """What tests did on a tree.

    ended: how, ``passed``, ``failed``, ``stopped`` (out of time or memory, or the process died); failed: the tests that did.
    reached: of each test, seconds of the processor and the functions that it called, as ``path function``.
    """

    ended: str
    failed: list[str] = field(default_factory=list)
    reached: dict[str, tuple[float, list[str]]] = field(default_factory=dict)


@dataclass(eq=False)
class Recorder:
    """A plug-in of pytest: which tests run, in which order, what they reach and which fail."""

    tree: Path
    chosen: list[str] | None
    failed: list[str] = field(default_factory=list)
    reached: dict[str, tuple[float, list[str]]] = field(default_factory=dict)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.chosen is not None:
            place = {name: k for k, name in enumerate(self.chosen)}
            items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        codes: set[CodeType] = set()

        seen = 0

        def called(frame: FrameType, event: str, argument: object) -> None:
            nonlocal seen
            codes.add(frame.f_code)
            seen += 1
            if seen == CALLS_LOOKED_AT:
                sys.settrace(None)

        began = time.process_time()
        if self.chosen is None:
            signal.setitimer(signal.ITIMER_PROF, SLOW, SLOW)
            sys.settrace(called)
        try:
            yield
        finally:
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_PROF, 0)
        names = {f"{Path(c.co_filename).relative_to(self.tree)} {top(c)}" for c in codes if c.co_filename.startswith(f"{self.tree}/")}
        if seen >= CALLS_LOOKED_AT or any(c.co_filename == subprocess.__file__ for c in codes):
            names.add(ANYTHING)
        self.reached[item.nodeid] = time.process_time() - began, sorted(names)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(f"{report.nodeid} (not read)")


def top(code: CodeType) -> str:
    """The outermost function or method that a code belongs to."""
    return code.co_qualname.split(".<locals>")[0]


def run(tree: Path, tests: list[str], chosen: list[str] | None = None, seconds: float = 3600, long: bool = False) -> Outcome:
    """The tests of some files on a tree.

    Args:
        tests: files or folders, from the tree.
        chosen: the tests to be run, in this order, up to the first that fails; None for all, each traced and to its end.
        seconds: of the processor, after which it is stopped.
        long: with the tests of the campaign.
    """
    result = tree / "outcome.json"
    result.unlink(missing_ok=True)
    process = get_context("fork").Process(target=_child, args=(tree, tests, chosen, long, int(seconds) + 1, result))
    process.start()
    answer = ended(process, result, 20 * seconds)
    return Outcome(**answer)


def ended(process: BaseProcess, result: Path, seconds: float) -> dict[str, Any]:
    """What a process of tests found, or that it was stopped."""
    process.join(seconds)
    if process.is_alive() and process.pid is not None:
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8")) if result.exists() else {"ended": "stopped"}
    return found


def kept(result: Path, how: str, recorder: Recorder) -> None:
    """The end of a process of tests: what it found is written whole."""
    part = result.with_suffix(".part")
    part.write_text(json.dumps({"ended": how, "failed": recorder.failed, "reached": recorder.reached}), encoding="utf-8")
    part.replace(result)
    os._exit(0)


def _too_slow(number: int, frame: FrameType | None) -> None:
    pytest.fail(f"slower than {SLOW} s")


def alone(tree: Path) -> None:
    """In a process of its own: nothing of the program is loaded, what is loaded comes from the tree, and nothing is said."""
    os.setsid()
    for name in [name for name in sys.modules if name.split(".")[0] in PACKAGES]:
        del sys.modules[name]
    sys.path[:] = [str(tree), *(path for path in sys.path if path and Path(path) != ROOT)]
    os.environ["PYTHONPATH"] = str(tree)
    os.chdir(tree)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def limited(seconds: int) -> None:
    """Processor seconds and memory of this process; a program that a test starts may set limits of its own, also higher ones."""
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, MEMORY)):
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def _child(tree: Path, tests: list[str], chosen: list[str] | None, long: bool, seconds: int, result: Path) -> None:
    alone(tree)
    limited(seconds)
    sys.dont_write_bytecode = chosen is not None
    signal.signal(signal.SIGPROF, _too_slow)
    recorder = Recorder(tree, chosen)
    options = [*(OPTIONS if chosen is not None else OPTIONS[1:]), *(["-m", ""] if long else [])]
    status = pytest.main([*options, *tests], plugins=[recorder])
    kept(result, {0: "passed", 5: "passed"}.get(int(status), "failed"), recorder)

"""Tests collected once on a tree, by a process that forks another for each change: a trial costs its tests and nothing more."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import sys
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.mutation import swap
from tests.mutation.trial import MEMORY, OPTIONS, Outcome, Recorder, alone, ended, kept

Timed = list[tuple[str, float]]
"""Tests in an order, with the seconds of the processor that each takes without a change."""


@dataclass
class Collected:
    """A process that has collected the tests of some files.

    sound: tests that passed here without a change, each asked when it first fails with one; unsound: those that did not.
    """

    tree: Path
    files: list[str]
    long: bool
    sound: set[str] = field(default_factory=set)
    unsound: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        context = get_context("fork")
        self.here, there = context.Pipe()
        self.process = context.Process(target=_serve, args=(self.tree, self.files, self.long, self.here, there))
        self.process.start()
        there.close()
        self._heard()  # collected, before anything of the tree changes

    def tried(self, module: str, before: str, after: str, tests: Timed) -> Outcome | None:
        """The tests with one change, up to the first that fails; None where only a start from nothing can tell."""
        self.here.send((module, before, after, [each for each in tests if each[0] not in self.unsound]))
        answer = self._heard()
        return None if answer is None else Outcome(**answer)

    def is_sound(self, test: tuple[str, float]) -> bool:
        """Whether a test passes here while nothing is changed."""
        if test[0] not in self.sound | self.unsound:
            alone = self.tried("", "", "", [test])
            (self.sound if alone is not None and alone.ended == "passed" else self.unsound).add(test[0])
        return test[0] in self.sound

    def _heard(self) -> Any:
        try:
            return self.here.recv()
        except EOFError:
            raise RuntimeError(f"the tests of {', '.join(self.files)} could not be collected") from None

    def close(self) -> None:
        self.here.close()
        self.process.join()


@dataclass(eq=False)
class Server:
    """A plug-in of pytest that, in place of running the tests collected, runs those it is asked for, in a process each time."""

    tree: Path
    asked: Connection
    called: set[CodeType] = field(default_factory=set)
    """What ran while the tests were collected: a change of it may be told from the start only."""

    def on_call(self, frame: FrameType, event: str, argument: object) -> None:
        self.called.add(frame.f_code)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        sys.settrace(None)
        items = {item.nodeid: item for item in session.items}
        gc.collect()
        gc.freeze()
        self.asked.send("collected")
        with contextlib.suppress(EOFError):
            while True:
                module, before, after, tests = self.asked.recv()
                self.asked.send(self._answer(session, items, module, before, after, tests))
        os._exit(0)

    def _answer(self, session: pytest.Session, items: dict[str, pytest.Item], module: str, before: str, after: str, tests: Timed) -> Any:
        loaded = sys.modules.get(module.removesuffix(".py").replace("/", ".")) if module else None
        found = swap.found(loaded, before, after) if loaded else None
        if loaded and found is None:
            return None
        result = self.tree / "outcome.json"
        result.unlink(missing_ok=True)
        chosen = [(items[name], seconds) for name, seconds in tests if name in items]
        process = get_context("fork").Process(target=self._child, args=(session, chosen, found, result))
        process.start()
        outcome = ended(process, result, 60 + 100 * sum(seconds for _, seconds in chosen))
        return None if outcome["ended"] == "passed" and found and found[0].__code__ in self.called else outcome

    def _child(self, session: pytest.Session, chosen: list[tuple[pytest.Item, float]], found: Any, result: Path) -> None:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        if found:
            function, code = found
            function.__code__ = code
        recorder = Recorder(self.tree, [])
        session.config.pluginmanager.register(recorder)
        for (item, seconds), (after, _) in zip(chosen, [*chosen[1:], (None, 0)], strict=False):
            signal.setitimer(signal.ITIMER_PROF, 1 + 5 * seconds)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if recorder.failed:
                break
        kept(result, "failed" if recorder.failed else "passed", recorder)


def _serve(tree: Path, files: list[str], long: bool, here: Connection, asked: Connection) -> None:
    here.close()
    alone(tree)
    sys.dont_write_bytecode = True
    server = Server(tree, asked)
    sys.settrace(server.on_call)
    pytest.main([*OPTIONS[1:], *(["-m", ""] if long else []), f"--basetemp={tree / 'temporary'}", *files], plugins=[server])
    os._exit(1)

"""One of the processes of a campaign: a copied tree, the tests collected there, and what killed before."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from multiprocessing.util import Finalize
from pathlib import Path

from tests.mutation.choosing import concerned
from tests.mutation.collected import Collected, Timed
from tests.mutation.operators import Mutant
from tests.mutation.trial import Outcome, copied, run, written


@dataclass
class Worker:
    """killers: by function, how many changes each test has told; those are asked first."""

    tree: Path
    long: bool
    collected: Collected | None = None
    killers: defaultdict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def tried(self, mutant: Mutant, tests: Timed) -> str:
        """The test that kills a mutant, or how it ended otherwise; empty where it survives."""
        if not tests:
            return ""
        known = self.killers[mutant.module, mutant.function]
        ordered = sorted(tests, key=lambda test: -known[test[0]])
        source, session, seconds = mutant.source, self.session(mutant.module), dict(tests)
        outcome = None
        while outcome is None:
            with written(self.tree / mutant.module, source):
                outcome = session.tried(mutant.module, mutant.text, source, ordered)
                if outcome is None:
                    places = sorted({test.split("::")[0] for test, _ in tests})
                    names, expected = [test for test, _ in ordered], sum(seconds.values())
                    outcome = run(self.tree, places, names, 10 + 5 * expected, self.long)
                    break
            if not all(session.is_sound((test, seconds[test])) for test in outcome.failed):
                outcome = None
        known.update(outcome.failed)
        return "" if outcome.ended == "passed" else next(iter(outcome.failed), outcome.ended)

    def session(self, module: str) -> Collected:
        """The tests that concern a module, collected from the unchanged program."""
        files = concerned(module)
        if self.collected is None or self.collected.files != files:
            if self.collected is not None:
                self.collected.close()
            self.collected = Collected(self.tree, files, self.long)
        return self.collected


WORKERS: list[Worker] = []
"""The one of this process."""


def begin(folder: Path, long: bool) -> None:
    tree = folder / str(os.getpid())
    tree.mkdir()
    WORKERS.append(Worker(copied(tree), long))
    Finalize(None, end, exitpriority=1)  # before this process waits for those that it started


def end() -> None:
    if WORKERS[0].collected is not None:
        WORKERS[0].collected.close()


def tried(mutant: Mutant, tests: Timed) -> str:
    return WORKERS[0].tried(mutant, tests)


def unchanged(file: str) -> Outcome:
    """A file's tests without a change."""
    return run(WORKERS[0].tree, [file], long=WORKERS[0].long)

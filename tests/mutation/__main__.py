"""How much the tests notice: one-site changes of the program, each tried with the tests that reach it.

    python -m tests.mutation                                    # every change of every module: some hours
    python -m tests.mutation verifier/arithmetic lowerbounds    # of some modules
    python -m tests.mutation --sample 50 --seed 7 --journal mutants.jsonl

The tests run without a change first (the baseline): which are slow, which function each reaches; those that fail are named and left out.
Then every mutant is tried with the tests that reach its function, the quickest first and up to ``--seconds`` of them, until one fails.
A change of one function is put in its place in a process that has the tests collected; any other, and one that survives there though
the function ran before, is tried from the start.
Survivors are printed at the end by module, each with its change: some change nothing, which a reader has to see; exit status 1 where there
are any. With a journal, what is stopped goes on where it was; mutants that died are not tried again while their module stays.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from tests.mutation.choosing import HERE, Baseline, Telling, all_mutants, concerned, digest, part, sample
from tests.mutation.operators import Mutant
from tests.mutation.trial import ROOT
from tests.mutation.worker import begin, tried, unchanged

LIBRARIES = ("click", "flint", "hypothesis", "msgspec", "numpy", "rich.table", "rich.progress", "sympy", "networkx", "jinja2")
"""Loaded once, before the processes of the trials are forked."""


class Journal:
    """Finished work, one line each, in a file if there is one."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        self.found: dict[str, Any] = dict(json.loads(line) for line in lines)

    @property
    def survivors(self) -> set[str]:
        """The names of those that survived some tests; they may have died by others since."""
        return {key.removeprefix("survived ").rsplit(" ", 2)[0] for key in self.found if key.startswith("survived ")}

    def keep(self, key: str, value: Any) -> None:
        self.found[key] = value
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, value], ensure_ascii=False) + "\n")


@dataclass
class Campaign:
    """The workers, the earlier results, where progress is shown, and whether the campaign's tests are also run."""

    pool: ProcessPoolExecutor
    journal: Journal
    console: Console
    long: bool

    def done(self, work: dict[Future[Any], Any], title: str) -> Iterator[tuple[Any, Any]]:
        """What each piece of work found, as it ends."""
        ending, quiet = as_completed(work), not self.console.is_terminal
        for future in track(ending, title, len(work), console=self.console, transient=True, disable=quiet):
            yield work[future], future.result()

    def baseline(self, tests: list[str]) -> Baseline:
        """What each test that passes without a change reaches, and in which time."""
        program = digest(*(p.read_text(encoding="utf-8") for p in self.program()))
        keys = {file: f"baseline {file} {digest(program, self.asked, (ROOT / file).read_text(encoding='utf-8'))}" for file in tests}
        work = {self.pool.submit(unchanged, file): file for file, key in keys.items() if key not in self.journal.found}
        for file, outcome in self.done(work, "without a change"):
            if outcome.ended == "stopped":
                raise RuntimeError(f"{file}: was stopped without a change")
            self.journal.keep(keys[file], [outcome.failed, outcome.reached])
        found: Baseline = {}
        for key in keys.values():
            failed, reached = self.journal.found[key]
            for test in failed:
                self.console.print(
                    f"left out, as it fails or is slow without a change: {test}", highlight=False, markup=False, soft_wrap=True
                )
            found |= {test: what for test, what in reached.items() if test not in failed}
        return found

    @property
    def asked(self) -> str:
        return "with long tests" if self.long else ""

    @staticmethod
    def program() -> list[Path]:
        """The program and what its tests share."""
        places = [path for name in ("verifier", "lowerbounds", "constructions") for path in (ROOT / name).rglob("*.py")]
        shared = (path for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith("test_") and HERE not in path.parents)
        return sorted([*places, *shared])

    def tried(self, chosen: list[Mutant], telling: Telling) -> Iterator[tuple[Mutant, str]]:
        """Each mutant with the test that kills it, or how it ended otherwise; empty where it survives."""
        work, keys = {}, {}
        for mutant in sorted(chosen, key=lambda mutant: (concerned(mutant.module), mutant.module, mutant.function)):
            module, tests = digest((ROOT / mutant.module).read_text(encoding="utf-8")), telling.tests(mutant)
            died = f"died {mutant.name} {module}"
            survived = f"survived {mutant.name} {module} {digest(self.asked, *sorted(test for test, _ in tests))}"
            if died in self.journal.found or survived in self.journal.found:
                yield mutant, str(self.journal.found.get(died, ""))
            else:
                keys[mutant] = died, survived
                work[self.pool.submit(tried, mutant, tests)] = mutant
        for mutant, how in self.done(work, "mutants"):
            died, survived = keys[mutant]
            self.journal.keep(died if how else survived, how)
            yield mutant, how


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="files or folders of the program; all by default")
    parser.add_argument("--sample", type=int, metavar="N", help="only N changes, chosen by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", metavar="K/N", help="the K-th of N parts, in the order of the text: for several machines or sittings")
    parser.add_argument("--seconds", type=float, default=10, help="of tests for each change, by the baseline (default 10)")
    parser.add_argument("--long", action="store_true", help="with the tests that are run by hand only, marked campaign")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="trials at a time (default 1)")
    parser.add_argument("--journal", type=Path, help="a file of finished work: the same command goes on where it was stopped")
    parser.add_argument("--survivors", action="store_true", help="only what survived by the journal")
    parser.add_argument("--list", action="store_true", help="print the changes and try none")
    asked = parser.parse_args()
    missing = [place for place in asked.modules if not (ROOT / place).exists()]
    if missing:
        parser.error(f"no such file or folder of the program: {missing[0]}")
    chosen = list(all_mutants(asked.modules))
    if asked.part is not None:
        try:
            chosen = part(chosen, asked.part)
        except ValueError:
            parser.error(f"--part {asked.part}: expected K/N with 1 <= K <= N, for example 1/2")
    if asked.sample is not None:
        chosen = sample(chosen, asked.sample, asked.seed)
    journal = Journal(asked.journal)
    if asked.survivors:
        chosen = [mutant for mutant in chosen if mutant.name in journal.survivors]
    if asked.list:
        print(*(mutant.name for mutant in chosen), sep="\n")
        return 0
    for name in LIBRARIES:
        importlib.import_module(name)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        ProcessPoolExecutor(asked.processes, get_context("fork"), begin, (Path(folder), asked.long)) as pool,
    ):
        return report(Campaign(pool, journal, Console(stderr=True), asked.long), chosen, asked.seconds)


def report(campaign: Campaign, chosen: list[Mutant], seconds: float) -> int:
    """Try the mutants, print the survivors by module and the figures."""
    baseline = campaign.baseline(list(dict.fromkeys(test for mutant in chosen for test in concerned(mutant.module))))
    killers, survivors = Counter[str](), defaultdict[str, list[str]](list)
    for mutant, how in campaign.tried(chosen, Telling(baseline, seconds)):
        if how:
            killers[how.split("::")[0]] += 1
        else:
            survivors[mutant.module].append(mutant.name.removeprefix(f"{mutant.module} "))
    for module, names in sorted(survivors.items()):
        print(f"{module}: {len(names):,} survived", *sorted(names), sep="\n    ")
    print(f"{len(chosen):,} mutants: {sum(killers.values()):,} died, {sum(map(len, survivors.values())):,} survived")
    print(*(f"    {times:5,} killed by {file}" for file, times in killers.most_common()), sep="\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())

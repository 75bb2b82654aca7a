"""How much the tests notice: one-site changes of the program, each tried with the tests that reach it.

    python -m tests.mutation                                    # every change of every module: a day's work
    python -m tests.mutation verifier/arithmetic lowerbounds    # of some modules
    python -m tests.mutation --sample 50 --seed 7 --journal mutants.jsonl

The tests run without a change first (the baseline): which are slow, which function each reaches; those that fail are named and left out.
Then every mutant is tried with the tests that reach its function, the quickest first and up to ``--seconds`` of them, until one fails.
Survivors are printed with their changes; those in ``harmless.toml``, where the reason stands, are counted apart. Exit status 1 where
another survived. With a journal, what is stopped goes on where it was; mutants that died are not tried again while their module stays.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import importlib
import json
import os
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from tests.mutation.operators import Mutant, mutants
from tests.mutation.trial import ANYTHING, ROOT, Outcome, copied, run, written

HERE = Path(__file__).parent
CONCERNS: dict[str, list[str]] = tomllib.loads((HERE / "concerns.toml").read_text(encoding="utf-8"))["tests"]
HARMLESS: dict[str, str] = {
    f"{entry['module']} {change}": entry["why"]
    for entry in tomllib.loads((HERE / "harmless.toml").read_text(encoding="utf-8")).get("harmless", [])
    for change in entry["changes"]
}
LIBRARIES = ("click", "flint", "hypothesis", "msgspec", "numpy", "rich.table", "rich.progress", "sympy", "networkx", "jinja2")
"""Loaded once, before the processes of the trials are forked."""


def concerned(module: str) -> list[str]:
    """The test files that concern a module."""
    for pattern, places in CONCERNS.items():
        if fnmatch.fnmatch(module, pattern):
            return [test for place in places for test in files(place, "test_*.py")]
    return []


def files(place: str, pattern: str) -> list[str]:
    """The files of a folder, or the file, from the root."""
    path = ROOT / place
    found = sorted(path.rglob(pattern)) if path.is_dir() else [path]
    return [str(each.relative_to(ROOT)) for each in found]


def all_mutants(places: list[str]) -> Iterator[Mutant]:
    """Every change of the modules that some tests concern, of all or of the places asked for."""
    for module in dict.fromkeys(m for place in places or ["verifier", "lowerbounds", "constructions"] for m in files(place, "*.py")):
        if concerned(module):
            yield from mutants(module, (ROOT / module).read_text(encoding="utf-8"))


def sample(every: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """A part that stays the same for a seed while other code changes: those with the least digests."""
    return sorted(every, key=lambda mutant: digest(str(seed), mutant.name))[:size]


def digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


class Journal:
    """Finished work, one line each, in a file if there is one."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        self.found: dict[str, Any] = dict(json.loads(line) for line in lines)

    def keep(self, key: str, value: Any) -> None:
        self.found[key] = value
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, value], ensure_ascii=False) + "\n")


@dataclass
class Campaign:
    """A copied tree, what was found before, and where progress is shown."""

    tree: Path
    journal: Journal
    console: Console
    seconds: float

    def shown(self, work: list[Any], title: str) -> Iterator[Any]:
        quiet = not self.console.is_terminal
        yield from track(work, title, console=self.console, transient=True, disable=quiet)

    def baseline(self, tests: list[str]) -> dict[str, tuple[float, list[str]]]:
        """Of each test that passes without a change: its seconds, and the functions it reaches."""
        program = digest(*(p.read_text(encoding="utf-8") for p in self.program()))
        found: dict[str, tuple[float, list[str]]] = {}
        for file in self.shown(tests, "without a change"):
            key = f"baseline {file} {digest(program, (ROOT / file).read_text(encoding='utf-8'))}"
            if key not in self.journal.found:
                outcome = run(self.tree, [file])
                if not outcome.reached and not outcome.failed:
                    raise RuntimeError(f"{file}: no test ran without a change ({outcome.ended})")
                self.journal.keep(key, [outcome.failed, outcome.reached])
            failed, reached = self.journal.found[key]
            for test in failed:
                self.console.print(
                    f"left out, as it fails or is slow without a change: {test}", highlight=False, markup=False, soft_wrap=True
                )
            found |= {test: what for test, what in reached.items() if test not in failed}
        return found

    @staticmethod
    def program() -> list[Path]:
        """The program and what its tests share."""
        places = [path for name in ("verifier", "lowerbounds", "constructions") for path in (ROOT / name).rglob("*.py")]
        return sorted([*places, *(path for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith("test_"))])

    def tried(self, mutant: Mutant, baseline: dict[str, tuple[float, list[str]]]) -> str:
        """The test that kills a mutant, or how it ended otherwise; empty where it survives."""
        module = digest((ROOT / mutant.module).read_text(encoding="utf-8"))
        tests = self.telling(mutant, baseline)
        died, survived = f"died {mutant.name} {module}", f"survived {mutant.name} {module} {digest(*tests)}"
        if died in self.journal.found or survived in self.journal.found:
            return str(self.journal.found.get(died, ""))
        expected = sum(baseline[test][0] for test in tests)
        with written(self.tree / mutant.module, mutant.source):
            places = sorted({test.split("::")[0] for test in tests})
            outcome = run(self.tree, places, tests, 10 + 5 * expected) if tests else Outcome("passed")
        how = "" if outcome.ended == "passed" else next(iter(outcome.failed), outcome.ended)
        self.journal.keep(died if how else survived, how)
        return how

    def telling(self, mutant: Mutant, baseline: dict[str, tuple[float, list[str]]]) -> list[str]:
        """The tests that reach the mutant's function, then those that may, the quickest first, as many as the seconds allow."""
        concerned_files = set(concerned(mutant.module))
        where = f"{mutant.module} {mutant.function}" if mutant.function else mutant.module
        found = []
        for test, (seconds, reached) in baseline.items():
            surely = any(reaches(name, where) for name in reached)
            if test.split("::")[0] in concerned_files and (surely or ANYTHING in reached):
                found.append((not surely, seconds, test))
        chosen, spent = [], 0.0
        for _, seconds, test in sorted(found):
            if chosen and spent + seconds > self.seconds:
                break
            chosen.append(test)
            spent += seconds
        return chosen


def reaches(called: str, where: str) -> bool:
    """Whether the function called is the one, or of the class or module, or the one around it."""
    return called == where or called.startswith((f"{where}.", f"{where} ")) or where.startswith(f"{called}.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="files or folders of the program; all by default")
    parser.add_argument("--sample", type=int, metavar="N", help="only N changes, chosen by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10, help="of tests for each change, by the baseline (default 10)")
    parser.add_argument("--journal", type=Path, help="a file of finished work: the same command goes on where it was stopped")
    parser.add_argument("--list", action="store_true", help="print the changes and try none")
    asked = parser.parse_args()
    missing = [place for place in asked.modules if not (ROOT / place).exists()]
    if missing:
        parser.error(f"no such file or folder of the program: {missing[0]}")
    chosen = list(all_mutants(asked.modules))
    if asked.sample is not None:
        chosen = sample(chosen, asked.sample, asked.seed)
    if asked.list:
        print(*(mutant.name for mutant in chosen), sep="\n")
        return 0
    for name in LIBRARIES:
        importlib.import_module(name)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        campaign = Campaign(copied(Path(folder)), Journal(asked.journal), Console(stderr=True), asked.seconds)
        return report(campaign, chosen)


def report(campaign: Campaign, chosen: list[Mutant]) -> int:
    """Try the mutants, print the survivors and the figures."""
    baseline = campaign.baseline(list(dict.fromkeys(test for mutant in chosen for test in concerned(mutant.module))))
    killers, survivors, harmless = Counter[str](), [], 0
    for mutant in campaign.shown(chosen, "mutants"):
        how = campaign.tried(mutant, baseline)
        if how:
            killers[how.split("::")[0]] += 1
            if mutant.name in HARMLESS:
                print(f"listed as harmless, but killed by {how}: {mutant.name}", flush=True)
        elif mutant.name in HARMLESS:
            harmless += 1
        else:
            survivors.append(mutant.name)
            print(f"survived: {mutant.name}", flush=True)
    print(f"{len(chosen):,} mutants: {sum(killers.values()):,} died, {harmless:,} survived harmlessly, {len(survivors):,} survived")
    print(*(f"    {times:5,} killed by {file}" for file, times in killers.most_common()), sep="\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())

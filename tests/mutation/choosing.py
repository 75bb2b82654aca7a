"""Which changes are tried, and with which tests."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.mutation.operators import Mutant, mutants
from tests.mutation.trial import ANYTHING, ROOT

HERE = Path(__file__).parent
OUTSIDE = ("tests/test_cases.py", "tests/test_engines.py")
"""Tests that speak to the program from outside, and may reach any module."""
Baseline = dict[str, tuple[float, list[str]]]
"""Of each test that passes without a change: its seconds of the processor, and the functions it reaches, as ``path function``."""


@cache
def concerned(module: str) -> list[str]:
    """The test files that are named like a module or import it; the mirrored folder's files, if none of those is among them; and those that
    speak to the program from outside."""
    path = Path(module)
    named = (path.parent if path.name == "__init__.py" else path.with_suffix("")).as_posix().replace("/", ".")
    every = [test for test in files("tests", "test_*.py") if not (ROOT / test).is_relative_to(HERE)]
    found = [test for test in every if Path(test).name == f"test_{path.name}" or named in imported(test)]
    folder = mirrored(path.parent)
    around = [test for test in every if Path(test).is_relative_to(folder)]
    near = found if not around or {*found} & {*around} else [*found, *around]
    return list(dict.fromkeys([*near, *OUTSIDE]))


def mirrored(folder: Path) -> Path:
    """The folder of the tests that mirrors one of the program, or the nearest above it that there is."""
    place = Path("tests") / folder
    while not (ROOT / place).is_dir():
        place = place.parent
    return place


def imported(file: str) -> set[str]:
    """The modules that a test file names in its imports, or that a file of the tests does which it imports."""
    found, left = set[str](), {file}
    seen = set(left)
    while left:
        names = named_in(left.pop())
        found |= names
        shared = {f"{name.replace('.', '/')}.py" for name in names if name.startswith("tests.")}
        left |= {name for name in shared - seen if (ROOT / name).exists()}
        seen |= shared
    return found


@cache
def named_in(file: str) -> frozenset[str]:
    """What a file imports, as modules or names in them."""
    found = set[str]()
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return frozenset(found)


def files(place: str, pattern: str) -> list[str]:
    """The files of a folder, or the file, from the root."""
    path = ROOT / place
    found = sorted(path.rglob(pattern)) if path.is_dir() else [path]
    return [str(each.relative_to(ROOT)) for each in found]


def all_mutants(places: list[str]) -> Iterator[Mutant]:
    """Every change of every module, or of those of the places asked for."""
    for module in dict.fromkeys(m for place in places or ["verifier", "lowerbounds", "constructions"] for m in files(place, "*.py")):
        yield from mutants(module, (ROOT / module).read_text(encoding="utf-8"))


def sample(every: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """A part that stays the same for a seed while other code changes: those with the least digests."""
    return sorted(every, key=lambda mutant: digest(str(seed), mutant.name))[:size]


def part(every: list[Mutant], which: str) -> list[Mutant]:
    """``K/N``: the K-th of N parts of one size, in the order of the text. Raises ValueError for other words."""
    k, n = (int(word) for word in which.split("/"))
    if not 1 <= k <= n:
        raise ValueError(which)
    return every[len(every) * (k - 1) // n : len(every) * k // n]


def digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


class Telling:
    """Which tests may tell that a function changed, by a baseline."""

    def __init__(self, baseline: Baseline, seconds: float) -> None:
        self.baseline, self.seconds = baseline, seconds
        self._known: dict[tuple[str, str], list[tuple[str, float]]] = {}

    def tests(self, mutant: Mutant) -> list[tuple[str, float]]:
        """Those that reach the mutant's function, then those that may, with seconds: as many as the time allows, the quickest first.

        The file that is named like the module comes first. Of each test the quickest case comes before the second of any other: cases of
        one test tell much the same.
        """
        key = mutant.module, mutant.function
        if key not in self._known:
            self._known[key] = self._chosen(*key)
        return self._known[key]

    def _chosen(self, module: str, function: str) -> list[tuple[str, float]]:
        concerned_files = set(concerned(module))
        where = f"{module} {function}" if function else module
        body = not any(where in reached for _, reached in self.baseline.values())  # of a class: no function of its own makes its objects
        found, cases = [], Counter[str]()
        for test, (seconds, reached) in sorted(self.baseline.items(), key=lambda item: item[1][0]):
            if test.split("::")[0] in concerned_files:
                surely = any(reaches(name, where) for name in reached)
                if surely or ANYTHING in reached or (body and any(reaches(name, module) for name in reached)):
                    cases[test.split("[")[0]] += 1
                    beside = f"/test_{Path(module).name}::" in test
                    found.append((not surely, not beside, cases[test.split("[")[0]], seconds, test))
        chosen: list[tuple[str, float]] = []
        spent = 0.0
        for *_, seconds, test in sorted(found):
            if not chosen or spent + seconds <= self.seconds:
                chosen.append((test, seconds))
                spent += seconds
        return chosen


def reaches(called: str, where: str) -> bool:
    """Whether the function called is the one, or of the class or module, or the one around it."""
    return called == where or called.startswith((f"{where}.", f"{where} ")) or where.startswith(f"{called}.")

"""The long comparisons of the stand-alone checker with the rest of the program, from one command that ends with figures:

    python -m tests.verifier.certificates.campaign [NAME ...] [--cases N] [--from K] [--processes N] [--journal FILE]

    differential    random constructions and semantics: every value of every step against the scalar definition
    mutants         certificates changed at random: what is accepted is true by the engines' account
    constructions   random constructions, certified as if they were right: accepted where enumeration finds no failure, and only there
    tables          every change of one symbol of the papers' tables, likewise

A disagreement is printed with its case, which is run again by ``--from CASE --cases 1``. Exit status 1 where there was one. With a journal,
what is stopped goes on where it was, for the same checker.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import track

from tests.verifier.certificates.test_agreement import assert_all_seen, compare, every_case, try_change, try_mutant, try_random
from tests.verifier.certificates.test_alone import FILES

CHUNK = 200

every_change = lru_cache(maxsize=1)(lambda: list(every_case()))
"""The changed tables, in a fixed order."""


class Campaign(NamedTuple):
    """How many cases there are, what one of them shows (it raises where two programs disagree), and what all of them must have shown."""

    cases: Callable[[], int]
    run: Callable[[int], Counter[str]]
    complete: Callable[[Counter[str]], None] = lambda seen: None


CAMPAIGNS = {
    "differential": Campaign(lambda: 100_000, compare, assert_all_seen),
    "mutants": Campaign(lambda: 10_000, lambda case: Counter([try_mutant(case)])),
    "constructions": Campaign(lambda: 5_000, lambda case: Counter([" ".join(map(str, try_random(case)))])),
    "tables": Campaign(lambda: len(every_change()), lambda case: Counter([try_change(*every_change()[case])])),
}


@dataclass(frozen=True)
class Chunk:
    """Some cases in a row, of one checker."""

    name: str
    first: int
    count: int
    checker: str

    @property
    def key(self) -> str:
        return f"{self.name} {self.first} {self.count} {self.checker}"


class Figures(NamedTuple):
    """What the cases of a chunk showed, those that disagreed, and seconds of the processor."""

    seen: dict[str, int]
    wrong: list[str]
    seconds: float


def tried(chunk: Chunk) -> tuple[Chunk, Figures]:
    """What the cases of a chunk show."""
    seen, wrong, began = Counter[str](), list[str](), time.process_time()
    for case in range(chunk.first, chunk.first + chunk.count):
        try:
            seen += CAMPAIGNS[chunk.name].run(case)
        except Exception:
            wrong.append(f"{chunk.name}, case {case}:\n{traceback.format_exc()}")
    return chunk, Figures(dict(seen), wrong, time.process_time() - began)


def run(name: str, first: int, count: int, processes: int, journal: Path | None) -> bool:
    """Run the cases but for those in the journal, with progress on a terminal; whether all agreed."""
    checker = hashlib.sha256(b"".join(path.read_bytes() for path in FILES)).hexdigest()[:16]
    chunks = [Chunk(name, k, min(CHUNK, first + count - k), checker) for k in range(first, first + count, CHUNK)]
    lines = [json.loads(line) for line in journal.read_text().splitlines()] if journal and journal.exists() else []
    done = {key: Figures(*figures) for key, figures in lines}
    left = [chunk for chunk in chunks if chunk.key not in done]
    console = Console(stderr=True)
    with get_context("spawn").Pool(processes) as pool:
        results: Iterator[tuple[Chunk, Figures]] = pool.imap_unordered(tried, left)
        for chunk, figures in track(results, name, len(left), console=console, transient=True, disable=not console.is_terminal):
            done[chunk.key] = figures
            if journal:
                with journal.open("a") as file:
                    file.write(json.dumps([chunk.key, figures]) + "\n")
    found = [done[chunk.key] for chunk in chunks]
    wrong, seen = [each for figures in found for each in figures.wrong], sum((Counter(each.seen) for each in found), Counter[str]())
    seconds = sum(figures.seconds for figures in found)
    print(*wrong, f"{name}: {count:,} cases in {seconds:.0f} s of the processor, {len(wrong)} disagreements", sep="\n")
    print("    " + ", ".join(f"{what} {times:,}" for what, times in sorted(seen.items())), flush=True)
    if count == CAMPAIGNS[name].cases():
        CAMPAIGNS[name].complete(seen)
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CAMPAIGNS) + "; all by default")
    parser.add_argument("--cases", type=int)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--journal", type=Path, help="a file of finished work: the same command goes on where it was stopped")
    asked = parser.parse_args()
    names = asked.names or list(CAMPAIGNS)
    if not CAMPAIGNS.keys() >= set(names):
        parser.error(f"the names of campaigns are {', '.join(CAMPAIGNS)}")
    agreed = [
        run(name, asked.first, asked.cases or CAMPAIGNS[name].cases() - asked.first, asked.processes, asked.journal) for name in names
    ]
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())

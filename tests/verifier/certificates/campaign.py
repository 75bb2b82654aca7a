"""The long comparisons of the stand-alone checker with the rest of the program, from one command that ends with figures:

    python -m tests.verifier.certificates.campaign [NAME ...] [--cases N] [--from K] [--processes N]

    differential    random constructions and semantics: every value of every step against the scalar definition
    mutants         certificates changed at random: what is accepted is true by the engines' account
    constructions   random constructions, certified as if they were right: accepted where enumeration finds no failure, and only there
    tables          every change of one symbol of the papers' tables, likewise

A disagreement is printed with its case, which is run again by ``--from CASE --cases 1``. Exit status 1 where there was one.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from multiprocessing import get_context
from typing import NamedTuple

from rich.console import Console
from rich.progress import track

from tests.verifier.certificates.test_differential import assert_all_seen, compare
from tests.verifier.certificates.test_forged import cases, try_change, try_random
from tests.verifier.certificates.test_mutants import try_mutant

every_change = lru_cache(maxsize=1)(lambda: list(cases()))
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


def tried(job: tuple[str, int]) -> tuple[Counter[str], str]:
    """What one case shows, or the disagreement."""
    name, case = job
    try:
        return CAMPAIGNS[name].run(case), ""
    except Exception:
        return Counter(), f"{name}, case {case}:\n{traceback.format_exc()}"


def run(name: str, first: int, count: int, processes: int) -> bool:
    """Run the cases, with progress on a terminal; whether all agreed."""
    jobs, seen, wrong, began = [(name, case) for case in range(first, first + count)], Counter[str](), 0, time.monotonic()
    with get_context("spawn").Pool(processes) as pool:
        results: Iterator[tuple[Counter[str], str]] = pool.imap_unordered(tried, jobs, chunksize=20)
        console = Console(stderr=True)
        for counted, disagreement in track(results, name, count, console=console, transient=True, disable=not console.is_terminal):
            seen += counted
            if disagreement:
                wrong += 1
                print(disagreement, flush=True)
    figures = ", ".join(f"{what} {times:,}" for what, times in sorted(seen.items()))
    print(f"{name}: {count:,} cases in {time.monotonic() - began:.0f} s, {wrong} disagreements\n    {figures}", flush=True)
    if count == CAMPAIGNS[name].cases():
        CAMPAIGNS[name].complete(seen)
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CAMPAIGNS) + "; all by default")
    parser.add_argument("--cases", type=int)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    names = asked.names or list(CAMPAIGNS)
    if not CAMPAIGNS.keys() >= set(names):
        parser.error(f"the names of campaigns are {', '.join(CAMPAIGNS)}")
    agreed = [run(name, asked.first, asked.cases or CAMPAIGNS[name].cases() - asked.first, asked.processes) for name in names]
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())

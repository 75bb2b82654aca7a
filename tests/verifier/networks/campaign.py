"""Hostile construction files on the command line, from one command that ends with figures:

    python -m tests.verifier.networks.campaign [--cases N] [--from K]

Each file is a good one with one to three changes in its text, run by ``verify construction`` in a process of its own. What may come out is
a verdict, or one line: no traceback, no fault of the program, not over 10 s of the processor, not over 1 GiB. A case that does otherwise is
printed, and run again by ``--from CASE --cases 1``. Exit status 1 where there was one.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import resource
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from rich.console import Console
from rich.progress import track

from tests.verifier.certificates.samples import TABLES
from verifier.claims.verdicts import EXIT_FAULT, EXIT_INPUT
from verifier.commands.main import run
from verifier.running.memory import bounded

CASES, SECONDS, MEMORY = 5_000, 10, 1 << 30
GOOD = (Path(__file__).parents[2] / "good.toml").read_text(encoding="utf-8")
WORDS = ["[", "]", "[[row]]", "{", "}", '"', "\n", "=", ",", "N", "-N", "i", "p", "**", "/0", "9" * 50, "0x", "1e9", "true", "é", "\0"]
WORDS += ["y[", ":", "~"]
EXPRESSIONS = ["N", "-N", "i", "-i", "p", "2**p", "2**-i", "1/i", "m - i", "[1 : n]", "{1, i}", "{p}", "[i : 2]", "y[i]", "~z[1 : 2]"]
LARGE = ["z[i - 3]", "2**4000*2**4000", "10**30", "ceil(log2(i))", "x.y", "p >= 2", "p > 2 or 1/0 > 1", "f1", "[1 : 10**5]", "y[1 : 13]"]
FILES = [GOOD, GOOD, *((TABLES / f"{name}.toml").read_text(encoding="utf-8") for name in ("table-5", "table-6", "witness-t1"))]
VALUES = [*EXPRESSIONS, *LARGE, "2**(p**p)", "9" * 400, "1/3", "sum(2**-j for j in (1, 10**9))", "[1 : 20]", "64", "0"]
VALUES += [f"{'(' * 80}1{')' * 80}", "[1 : n] | [1 : 99999]", "m", "h", "-1", "2", "1/2"]
VALUE = re.compile(r'"[^"\n]*"|(?<=[ \[])-?[0-9]+\b')


class Outcome(NamedTuple):
    """How the program ended on a file, what it said on standard error, and what it took."""

    status: int
    said: str
    seconds: float

    @property
    def fault(self) -> str:
        """What is wrong with this end, or nothing."""
        if self.status not in (0, 1, 2, 3):
            return f"status {self.status}"
        if self.seconds > SECONDS:
            return f"{self.seconds:.1f} s"
        if "not enough memory" in self.said or "more memory" in self.said:
            return "over 1 GiB"
        return "several lines" if self.status == EXIT_INPUT and len(self.said.splitlines()) > 6 else ""


def hostile(case: int) -> bytes:
    """A good file with one to three changes in its text; the same for the same case."""
    rng = Random(f"hostile {case}")
    text = rng.choice(FILES)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = rng.choice([_inserted, _moved, *[_valued] * 10])(text, rng)
    data = text.encode("utf-8", "surrogatepass")
    return data if rng.random() < 0.97 else _flipped(data, rng)


def _inserted(text: str, rng: Random) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice([*WORDS, "\ud800", "\x1b[2J", "\u202e"]) + text[at + rng.randint(0, 12) :]


def _valued(text: str, rng: Random) -> str:
    """A value behind the head of the file that is another."""
    found = list(VALUE.finditer(text))[4:]
    if not found:
        return text
    place = rng.choice(found)
    value = f'"{rng.choice(VALUES)}"' if rng.random() < 0.7 else rng.choice(found)[0]
    return text[: place.start()] + value + text[place.end() :]


def _moved(text: str, rng: Random) -> str:
    """A line that is gone, or occurs a second time."""
    lines = text.splitlines(keepends=True)
    line = rng.choice(lines)
    lines.insert(rng.randint(0, len(lines)), line) if rng.random() < 0.5 else lines.remove(line)
    return "".join(lines)


def _flipped(data: bytes, rng: Random) -> bytes:
    return bytes(rng.randrange(256) if rng.random() < 0.01 else byte for byte in data)


def tried(case: int, folder: Path) -> Outcome:
    """The program run on a case's file, in a child of this process."""
    file, said = folder / "file.toml", folder / "said"
    file.write_bytes(hostile(case))
    child = os.fork()
    if child == 0:
        status = EXIT_FAULT
        with contextlib.suppress(BaseException):
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 2, SECONDS + 2))
            for stream, path in ((1, Path(os.devnull)), (2, said)):
                os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
            with bounded(MEMORY):
                status = run(["construction", str(file), "--p", str(5 + case % 4)])
            sys.stderr.flush()
        os._exit(status)
    _, ended, used = os.wait4(child, 0)
    return Outcome(os.waitstatus_to_exitcode(ended), said.read_text(errors="replace"), used.ru_utime + used.ru_stime)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--from", type=int, default=0, dest="first")
    asked = parser.parse_args()
    console, ends, faults, longest = Console(stderr=True), Counter[int](), 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for text in FILES:  # what good files need is read once, before the children are made
            (Path(folder) / "file.toml").write_text(text)
            with contextlib.redirect_stdout(io.StringIO()):
                run(["construction", str(Path(folder) / "file.toml"), "--p", "8"])
        cases = range(asked.first, asked.first + asked.cases)
        for case in track(cases, "files", console=console, transient=True, disable=not console.is_terminal):
            outcome = tried(case, Path(folder))
            ends[outcome.status] += 1
            longest = max(longest, outcome.seconds)
            if outcome.fault:
                faults += 1
                print(f"case {case}: {outcome.fault}: {outcome.said[-400:]}", flush=True)
    listed = ", ".join(f"status {status} {times:,}" for status, times in sorted(ends.items()))
    print(f"{asked.cases:,} files, {faults} faults, the longest {longest:.1f} s: {listed}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

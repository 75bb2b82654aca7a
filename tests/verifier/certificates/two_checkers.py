"""The checker in Python beside the one in C: what each says of a file, and a campaign of mutants that ends with figures:

    python -m tests.verifier.certificates.two_checkers [--cases N] [--from K]

A case on which one accepts and the other does not is a disagreement; exit status 1 where there was one. A certificate that is larger than
the limits of either is no disagreement.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from lowerbounds.running_sums import COUPLINGS
from tests.verifier.certificates.mutations import by_the_engines, mutant
from tests.verifier.certificates.random_constructions import random_case
from tests.verifier.certificates.test_agreement import bases
from verifier.arithmetic.semantics import read_semantics
from verifier.certificates import recheck, recheck_command, recheck_reading
from verifier.certificates.catalogue import certify_claim
from verifier.certificates.recheck_reading import Limits
from verifier.certificates.refuted import refuted_certificate
from verifier.certificates.statement import Subject
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.networks.execution import Execution
from verifier.running.errors import InputError

SOURCE = Path(recheck.__file__).parent / "second_checker" / "recheck.c"
ONE_SUM = "every-bit-counts/theorem-2.4:one-sum"
POINTS = [("a4", 3, 7, "any"), ("a4+overflow=saturate", 2, 3, "product"), ("a4", 2, 4, "independent")]
"""Barriers alone, the bits before, and those twice."""


def compiled(folder: Path) -> Path:
    """The second checker."""
    path = folder / "second_checker"
    subprocess.run(["cc", "-std=c99", "-O2", "-o", str(path), str(SOURCE)], check=True)
    return path


@lru_cache(maxsize=1)
def one_sums() -> tuple[str, ...]:
    """Certificates about one running sum."""
    with tempfile.TemporaryDirectory() as folder:
        path, found = Path(folder) / "one-sum.json", []
        for semantics, q, m, coupling in POINTS:
            point = {"q": q, "m": m, "coupling": COUPLINGS.index(coupling)}
            certify_claim(find_claim(ONE_SUM), Edition.STATEMENT, point, read_semantics(semantics), path, 1 << 20)
            found.append(path.read_text())
    return tuple(found)


def compare(program: Path, certificate: Any, path: Path) -> str:
    """What both say of the certificate, as it stands in a file."""
    path.write_text(certificate if isinstance(certificate, str) else json.dumps(certificate))
    first, line, _ = recheck_command.examine(str(path), Limits(), recheck.recheck)
    done = subprocess.run([str(program), str(path)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), (done.returncode, done.stderr)
    if 3 in (first, done.returncode):
        return "too large"
    assert (first == 0) == (done.returncode == 0), f"{line} / {done.stdout}"
    return "accepted" if first == 0 else "refused"


def try_case(program: Path, case: int, path: Path) -> str:
    """One mutant of a construction's, a fooling set's or a one-sum certificate, or the trace of a random construction."""
    rng = Random(f"two checkers {case}")
    if case % 4 == 3:
        return "random trace " + compare(program, random_trace(case, rng), path)
    kind, texts = ("one-sum", one_sums()) if case % 4 == 2 else ("construction", bases())
    others = [json.loads(text) for text in texts]
    title, changed = mutant(rng.choice(others), others, rng)
    try:
        said = compare(program, changed, path)
        if said == "accepted" and kind == "construction":
            line = recheck.recheck(recheck_reading.read(str(path), Limits()))
            assert line.startswith(by_the_engines(recheck_reading.read(str(path), Limits()))), f"falsely accepted: {line}"
    except AssertionError as difference:
        raise AssertionError(f"case {case}: {title}: {difference}") from None
    return f"{kind} {said}"


def random_trace(case: int, rng: Random) -> Any:
    """A random construction on a random input that it fails, with every value of every step; a fooling set where there is none."""
    instance, semantics = random_case(f"two checkers {case}")
    strings = range(1 << instance.m)
    for y, z in rng.sample([(y, z) for y in strings for z in strings if y <= z], 3):
        try:
            return refuted_certificate(Subject("random", "printed", {}), Execution(instance, semantics), y, z)
        except (ValueError, InputError):
            continue
    return bases()[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--from", type=int, default=0, dest="first")
    asked = parser.parse_args()
    seen, wrong = Counter[str](), 0
    with tempfile.TemporaryDirectory() as folder:
        program, path = compiled(Path(folder)), Path(folder) / "certificate.json"
        for case in range(asked.first, asked.first + asked.cases):
            try:
                seen[try_case(program, case, path)] += 1
            except AssertionError as difference:
                wrong += 1
                print(difference, flush=True)
    print(f"{asked.cases:,} cases, {wrong} disagreements: " + ", ".join(f"{what} {n:,}" for what, n in sorted(seen.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

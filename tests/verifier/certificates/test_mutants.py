"""Thousands of changed certificates: whatever is accepted is true by the engines' account, and said to be of a claim only where it is."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from random import Random
from typing import Any

from tests.verifier.certificates.mutations import by_the_engines, mutant
from tests.verifier.certificates.samples import TABLES
from verifier.arithmetic.semantics import read_semantics
from verifier.certificates import recheck
from verifier.certificates.claims import attribution
from verifier.certificates.files import certify
from verifier.certificates.fooling import fooling_certificate
from verifier.certificates.statement import Subject
from verifier.errata.tables import read_construction
from verifier.networks.execution import Execution
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem

SAMPLE = 120
CLAIM = "every-bit-counts/lemma-2.3:denominator-first"
BASES = [
    ("witness-t0-simple", 3, "a4"),
    ("witness-t0-simple", 3, "a4+order=products"),
    ("witness-t0-simple", 3, "a4+ties=away"),
    ("witness-t0-simple", 3, "a4+entries=rounded"),
    ("witness-t0-p3", 3, "a4"),
    ("witness-t0-p3", 3, "a4+ln2=rounded"),
    ("witness-t1", 3, "a4"),
    ("witness-t1", 3, "a4+overflow=saturate"),
]
"""Small witnesses: some are right under the semantics, some are not."""

OF_THEIR_CLAIM = 5
"""The fooling set and the first four are of the claim that they name, the others of a table of that name only."""


@lru_cache(maxsize=1)
def bases() -> tuple[str, ...]:
    """The certificates that are changed."""
    found = [fooling_certificate(Subject("every-bit-counts/lemma-b.1", "statement", {"m": 5}), Problem("EQ", "y <= z", 5))]
    for name, p, semantics in BASES:
        instance = instantiate(read_construction(TABLES / f"{name}.toml").file, {"p": p})
        found.append(certify(Subject(CLAIM, "printed", instance.parameters), Execution(instance, read_semantics(semantics))))
    return tuple(json.dumps(certificate) for certificate in found)


def try_mutant(seed: int | str) -> str:
    """What the checker does with one mutant; an accepted one has to be true, and of the claim where it is said to be."""
    rng = Random(seed)
    others = [json.loads(text) for text in bases()]
    original = rng.choice(others)
    title, changed = mutant(original, others, rng)
    try:
        line = recheck.recheck(changed)
    except (recheck.Rejected, recheck.Unknown, recheck.TooMuch) as reason:
        return type(reason).__name__
    where = f"seed {seed!r}: {title}"
    assert line.startswith(by_the_engines(changed)), where
    of_the_claim, said = attribution(changed)
    same = meaning(changed) == meaning(original)
    if of_the_claim:
        assert any(claimed(changed) == claimed(other) for other in others[:OF_THEIR_CLAIM]), f"{where}: {said}"
    return "accepted, the same" if same else "accepted, another truth"


def meaning(certificate: Any) -> Any:
    """Everything that a certificate says, in lowest terms."""
    return recheck.canonical({key: certificate[key] for key in certificate if key != "digest"})


def claimed(certificate: Any) -> Any:
    """The claim that it names and the construction or problem that it has. The claims of these tables are one thing in every edition."""
    keys = ("claim", "parameters", "construction", "problem")
    return recheck.canonical({key: certificate[key] for key in keys if key in certificate})


def test_a_sample_of_mutants() -> None:
    seen = Counter(try_mutant(f"sample {k}") for k in range(SAMPLE))
    assert {"Rejected", "Unknown", "accepted, the same", "accepted, another truth"} <= seen.keys(), seen

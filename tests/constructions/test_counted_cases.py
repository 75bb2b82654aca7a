"""The cases of the core's judges, counted by loops over bit strings, tokens and entries of our own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict


def strings(m: int) -> list[str]:
    return ["".join(bits) for bits in product("01", repeat=m)]


def part(string: str, first: int, last: int) -> int:
    """The number of the bits first … last, counted from 1."""
    return int(string[first - 1 : last], 2)


def usable(string: str, t: int, e: int) -> bool:
    """Whether an exponent is in the range of the corrected Table 7."""
    return part(string, 2, e + 1) in range(t - 1, (1 << e) - 1)


def kept(string: str, e: int) -> bool:
    """Whether a first half keeps the promise of Lemma C.3."""
    return string[-2:] != "10" and part(string, 2, e) != 0


def first_halves(t: int, e: int) -> int:
    halves = [string for string in strings(t + e) if kept(string, e)]
    return sum(y < z for y in halves for z in halves)


COUNTS: list[tuple[str, str, dict[str, int], Callable[[], int]]] = [
    ("formula", "every-bit-counts/lemma-2.2:alice-tokens", {"p": 3}, lambda: len([i for i in range(100) if 1 <= i <= 4 * 3 + 2])),
    ("formula", "every-bit-counts/theorem-2.4:pairs-on-a-grid", {"p": 4}, lambda: 1),
    ("formula", "piecewise-affine/section-2.7:exact-varies", {"n": 4}, lambda: len([l for l in range(4) if l])),
    ("pairs", "every-bit-counts/lemma-c.3:first-halves", {"t": 3, "e": 2}, lambda: first_halves(3, 2)),
    ("pairs", "every-bit-counts/theorem-1.1:every-pair", {"p": 4}, lambda: sum(y < z for y in strings(3) for z in strings(3))),
    ("tables", "every-bit-counts/lemma-2.6:denominator-first", {"p": 3}, lambda: sum(y <= z for y in strings(5) for z in strings(5))),
    ("output", "every-bit-counts/lemma-2.6:output-yes", {"p": 7}, lambda: len(strings(13))),
    ("input_representation", "every-bit-counts/section-c.1:input-representation", {"t": 3, "e": 3}, lambda: len(range(2 * 6 + 1 + 2))),
    ("partial_sum", "every-bit-counts/lemma-2.3:denominator-step-6", {"p": 8}, lambda: len([*product(strings(6), strings(6))])),
    ("one_string", "every-bit-counts/lemma-c.5:after-step-1", {"t": 3, "e": 3},
     lambda: sum(usable(y, 3, 3) and y[-2:] != "10" for y in strings(6))),
    ("one_string", "every-bit-counts/lemma-c.5:step-6", {"t": 4, "e": 3}, lambda: sum(usable(z, 4, 3) for z in strings(7))),
    ("expectation", "parameter-space-symmetry/proposition-4.1:first-display-2", {"n": 2, "m": 1}, lambda: len([*product("12", repeat=2)])),
]  # fmt: skip


@pytest.mark.parametrize(("judge", "name", "point", "count"), COUNTS, ids=[f"{judge}-{name}" for judge, name, _, _ in COUNTS])
def test_a_judge_goes_through_every_case(judge: str, name: str, point: dict[str, int], count: Callable[[], int]) -> None:
    claim = find_claim(name)
    assert isinstance(claim.judge, NamedJudge)
    assert claim.judge.target.split(":")[0] == f"verifier.judges.{judge}"
    found = Session().own(claim, Edition.REPAIRED, claim.complete(point), DEFAULT_SEMANTICS)
    assert (found.verdict, found.scope.cases) == (Verdict.VERIFIED, count())

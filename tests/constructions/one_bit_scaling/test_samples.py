"""What a sentence quantifies over: it is refuted by any point of that, and a sample of it verifies nothing."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from constructions.one_bit_scaling.judges import dynamics
from constructions.one_bit_scaling.judges.dynamics import instances
from constructions.one_bit_scaling.mathematics.training import Problem
from tests.outcomes import outcome
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import NAMED
from verifier.arithmetic.square_roots import RootSum
from verifier.claims.model import Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.language.polynomials import Unknown, value

STATEMENT, PRINTED, REPAIRED = Edition
gradient, kernel, outputs, full_outputs = Problem.gradient, Problem.kernel, Problem.outputs, Problem.full_outputs


judged = partial(outcome, "one-bit-scaling")


@pytest.mark.long("lemma-b.7:upper-point1-shown1")
@pytest.mark.parametrize(
    ("claim", "point", "shown"),
    [
        ("lemma-b.7:upper", {"n": 1}, {"p": "1/20"}),
        ("lemma-b.7:upper", {"n": 71}, {}),
        ("lemma-b.7:lower", {"n": 71}, {"p": "17/100", "c": "3"}),
        ("lemma-b.10", {"n": 6}, {"k": "1", "s": "1"}),
        ("lemma-b.13", {}, {"n": "1", "t": "1"}),
        ("lemma-b.14:upper", {}, {"n": "1"}),
        ("lemma-b.14:lower", {}, {}),
    ],
)
def test_a_counterexample_outside_the_usual_family_refutes(claim: str, point: dict[str, int], shown: dict[str, str]) -> None:
    found = judged(claim, STATEMENT, **point)
    assert found.verdict is Verdict.REFUTED
    assert shown.items() <= (found.counterexample or {}).items()


@pytest.mark.parametrize("claim", ["lemma-b.11", "lemma-b.13", "lemma-b.9", "definition-e.1", "lemma-i.4"])
def test_a_sample_leaves_what_it_does_not_refute_open(claim: str) -> None:
    parameters = {p.name: 2 for p in find_claim(f"one-bit-scaling/{claim}").parameters}
    found = judged(claim, REPAIRED, **parameters)
    assert found.verdict is Verdict.OPEN
    assert "a sample: the sentence is about" in (found.reason or "")


@pytest.mark.parametrize(
    ("claim", "m", "n", "d", "sides"),
    [
        ("lemma-f.3", 2, 1, 3, 2 * 3),
        ("definition-g.1", 2, 2, 2, 2 * 2),
        ("definition-g.3", 1, 2, 2, 2 * 2),
        ("definition-c.8", 2, 2, 2, 2),
        ("claim-h.2", 2, 2, 2, 1),
        ("definition-j.1", 2, 2, 3, 2),
    ],
)
def test_an_identity_is_compared_once_for_each_of_its_sides(claim: str, m: int, n: int, d: int, sides: int) -> None:
    """Weights, entries of a matrix, outputs or one number: as polynomials, and so for all real numbers."""
    found = judged(claim, STATEMENT, m=m, n=n, d=d)
    assert (found.verdict, found.scope.cases, found.scope.method) == (Verdict.VERIFIED, sides, "polynomials")


@pytest.mark.parametrize(
    ("claim", "name", "other"),
    [
        ("lemma-f.3", "gradient", lambda self, r, active, errors, factor=None: [e * 2 for e in gradient(self, r, active, errors, factor)]),
        ("definition-c.8", "kernel", lambda self, neurons, *chosen: [[e * 2 for e in row] for row in kernel(self, neurons, *chosen)]),
        ("lemma-h.3", "kernel", lambda self, neurons, *chosen: [[e * 2 for e in row] for row in kernel(self, neurons, *chosen)]),
        ("definition-f.1", "outputs", lambda self, neurons: [2 * f for f in outputs(self, neurons)]),
        ("definition-j.1", "full_outputs", lambda self, neurons: [2 * f for f in full_outputs(self, neurons)]),
    ],
)
def test_another_process_moves_the_verdict_on_an_identity(
    claim: str, name: str, other: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(claim, STATEMENT, m=1, n=1, d=2).verdict is Verdict.VERIFIED
    monkeypatch.setattr(Problem, name, other)
    found = judged(claim, STATEMENT, m=1, n=1, d=2)
    assert found.verdict is Verdict.REFUTED


def test_every_exact_instance_is_a_value_of_the_general_one() -> None:
    """Polynomials of the general instance against the same sums of an instance with weights, data and signs of numbers."""
    general = dynamics.General.of(2, 2, 2)
    generic = general.problem.outputs(general.neurons())[0]
    for one in instances(Query(find_claim("one-bit-scaling/lemma-f.3"), None, {"m": 2, "n": 2, "d": 2}, NAMED["a4"], Session())):
        neurons = one.neurons()
        at = {Unknown("factor"): Fraction(1)}
        for name, rows in {"w": one.before, "x": one.problem.inputs, "a": [(a,) for a in one.problem.signs]}.items():
            at |= {Unknown(name, (r + 1, k + 1)): Fraction(v) for r, row in enumerate(rows) for k, v in enumerate(row)}
        at |= {Unknown("g", (r + 1, i + 1)): Fraction(n.active) for r, row in enumerate(neurons) for i, n in enumerate(row)}
        errors = [[RootSum.of(e) for e in u] for u in one.quantization_errors()]
        if all(e.terms.keys() <= {1} for u in errors for e in u):
            at |= {Unknown("u", (r + 1, k + 1)): e.rational for r, u in enumerate(errors) for k, e in enumerate(u)}
            assert one.problem.outputs(neurons)[0] == one.problem.factor * value(general.ring, generic, at)


@pytest.mark.parametrize("step", ["test-inputs", "hoeffding"])
def test_what_the_printed_update_trains_is_not_verified_as_printed(step: str) -> None:
    """In two dimensions both networks are alike if both updates are gradients, and the one of Claim J.3 is none."""
    verdicts = [judged(f"theorem-k.1:{step}", edition, d=2).verdict for edition in (STATEMENT, PRINTED, REPAIRED)]
    assert verdicts == [Verdict.VERIFIED, Verdict.REFUTED, Verdict.VERIFIED]

"""The judge of identities of matrices: equal words, counterexamples, shapes, and what it does not decide."""

from dataclasses import replace

import pytest

from verifier.judges.fields import Matrices
from verifier.judges.matrices import judge
from verifier.statements.model import DEFAULT_SEMANTICS, Question
from verifier.statements.papers import find_claim
from verifier.statements.session import Session
from verifier.verdicts import Edition, Finding, Verdict

SHAPES = {"A": "n, m", "B": "n, m", "g": "m, m", "h": "m, m"}


def judged(*equal: str, orthogonal: tuple[str, ...] = ()) -> Finding:
    claim = replace(find_claim("parameter-space-symmetry/equation-5"), parameters=())
    return judge(Question(claim, Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session()), Matrices(SHAPES, list(equal), list(orthogonal)))


@pytest.mark.parametrize(
    ("equal", "orthogonal", "verdict", "said"),
    [
        (("T(A*g)", "T(g)*T(A)"), (), Verdict.VERIFIED, ""),
        (("A*g*inv(g*h)*h", "A"), (), Verdict.REFUTED, "left"),
        (("A*g*inv(h*g)*h", "A*inv(h)*h"), (), Verdict.VERIFIED, ""),
        (("A*g*T(B*g)", "A*T(B)"), ("g",), Verdict.VERIFIED, ""),
        (("A*g*T(B*g)", "A*T(B)"), (), Verdict.REFUTED, "g"),
        (("g*h", "h*g"), ("g", "h"), Verdict.REFUTED, "g"),
        (("A + B - A", "B"), (), Verdict.VERIFIED, ""),
        (("A", "-A"), (), Verdict.REFUTED, "A"),
        (("A*B", "A"), (), Verdict.REFUTED, "multiplies a n x m and a n x m"),
        (("A + g", "A"), (), Verdict.REFUTED, "adds a n x m and a m x m"),
        (("A", "T(A)"), (), Verdict.REFUTED, "the sides are n x m and m x n"),
        (("inv(A)", "A"), (), Verdict.REFUTED, "inverts"),
    ],
)
def test_identities(equal: tuple[str, ...], orthogonal: tuple[str, ...], verdict: Verdict, said: str) -> None:
    found = judged(*equal, orthogonal=orthogonal)
    assert found.verdict is verdict
    assert said in f"{found.reason} {found.counterexample}"

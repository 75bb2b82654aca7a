"""The judge of identities of matrices: equal words, counterexamples, shapes, and what it does not decide."""

from dataclasses import replace

import pytest
import sympy

from verifier.claims.model import DEFAULT_SEMANTICS, Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome
from verifier.judges.fields import Matrices
from verifier.judges.matrices import judge

SHAPES = {"A": "n, m", "B": "n, m", "g": "m, m", "h": "m, m"}


def judged(*equal: str, orthogonal: tuple[str, ...] = (), shapes: dict[str, str] = SHAPES) -> Outcome:
    claim = replace(find_claim("parameter-space-symmetry/equation-5"), parameters=())
    return judge(Query(claim, Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session()), Matrices(shapes, list(equal), list(orthogonal)))


@pytest.mark.parametrize(
    ("equal", "orthogonal"),
    [
        (("A*T(B)", "B*T(A)"), ()),
        (("A*T(B)", "A*T(B)", "B*T(A)"), ()),
        (("-(T(A)*B)", "-(T(B)*A)"), ()),
        (("A*T(B) - B*T(A)", "B*T(A) - A*T(B)"), ()),
        (("T(g)*h + h*g", "g*h + h*g"), ()),
        (("inv(g)*h", "h*inv(g)"), ()),
        (("inv(g)*h*g", "h"), ("g", "h")),
        (("T(g)*h", "inv(g)*h"), ("h",)),
        (("A*inv(g)", "A*g"), ()),
    ],
)
def test_a_counterexample_makes_two_sides_what_it_says(equal: tuple[str, ...], orthogonal: tuple[str, ...]) -> None:
    """By another program's matrices; sides that agree for matrices of one entry need more."""
    shown = judged(*equal, orthogonal=orthogonal).counterexample or {}
    at = {name: sympy.Matrix([list(map(sympy.Rational, row.split())) for row in text.split("; ")]) for name, text in shown.items()}
    left, right = at.pop("left"), at.pop("right")
    values = [eval(text, {"T": sympy.Matrix.transpose, "inv": sympy.Matrix.inv, **at}) for text in equal]
    assert left == values[0]
    assert right == next(value for value in values if value != values[0])

"""The judge of identities of matrices: equal words, counterexamples, shapes, and what it does not decide."""

from dataclasses import replace
from random import Random

import pytest
import sympy

from verifier.claims.model import DEFAULT_SEMANTICS, Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.judges.fields import Matrices
from verifier.judges.matrices import judge, reduced
from verifier.running.errors import InputError

SHAPES = {"A": "n, m", "B": "n, m", "g": "m, m", "h": "m, m"}


def judged(*equal: str, orthogonal: tuple[str, ...] = (), shapes: dict[str, str] = SHAPES) -> Outcome:
    claim = replace(find_claim("parameter-space-symmetry/equation-5"), parameters=())
    return judge(Query(claim, Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session()), Matrices(shapes, list(equal), list(orthogonal)))


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
        (("-A", "A - A - A"), (), Verdict.VERIFIED, ""),
        (("A*g*inv(g)", "A"), (), Verdict.VERIFIED, ""),
        (("(g + h)*(inv(g) - inv(h))", "h*inv(g) - g*inv(h)"), (), Verdict.VERIFIED, ""),
        (("A - B", "A + B"), (), Verdict.REFUTED, "B"),
        (("A*B", "A"), (), Verdict.REFUTED, "multiplies a n x m and a n x m"),
        (("A + g", "A"), (), Verdict.REFUTED, "adds a n x m and a m x m"),
        (("T(T(A)*T(B))", "B*A"), (), Verdict.REFUTED, "multiplies a m x n and a m x n"),
        (("T(T(A)*B)", "T(B)*A"), (), Verdict.VERIFIED, ""),
        (("g", "T(g)"), (), Verdict.REFUTED, "g"),
        (("A", "T(A)"), (), Verdict.REFUTED, "the sides are n x m and m x n"),
        (("A", "A", "T(A)"), (), Verdict.REFUTED, "the sides are n x m and m x n"),
        (("inv(A)", "A"), (), Verdict.REFUTED, "inverts"),
    ],
)
def test_identities(equal: tuple[str, ...], orthogonal: tuple[str, ...], verdict: Verdict, said: str) -> None:
    found = judged(*equal, orthogonal=orthogonal)
    assert found.verdict is verdict
    assert said in f"{found.reason} {found.counterexample}"


def test_a_counterexample_names_every_matrix_and_both_sides() -> None:
    found = judged("A*g", "B*g").counterexample or {}
    assert found.keys() == {*SHAPES, "left", "right"}


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


@pytest.mark.parametrize("shape", ["n", "n, m, m", ""])
def test_a_shape_is_two_sizes(shape: str) -> None:
    with pytest.raises(InputError, match=f"the shape of g is '{shape}'; two sizes"):
        judged("g", "g", shapes={"g": shape})


@pytest.mark.parametrize("of", ["A*T(B)", "A*g*T(B)", "g + h", "-g"])
def test_only_products_of_square_matrices_have_an_inverse(of: str) -> None:
    with pytest.raises(InputError, match="the inverse of a product of square matrices was expected"):
        judged(f"inv({of})", of)


@pytest.mark.parametrize("seed", range(10))
def test_a_word_is_reduced_by_pairs_of_inverses(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        word = tuple((rng.choice("gh"), rng.random() < 0.3, rng.random() < 0.5) for _ in range(rng.randrange(9)))
        expected = word
        while pairs := [k for k in range(len(expected) - 1) if {*expected[k : k + 2]} == {(*expected[k][:2], b) for b in (False, True)}]:
            expected = expected[: pairs[0]] + expected[pairs[0] + 2 :]
        assert reduced(word) == expected

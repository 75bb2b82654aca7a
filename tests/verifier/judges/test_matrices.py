"""The judge of identities of matrices: equal words, counterexamples, shapes, and what it does not decide."""

from dataclasses import replace
from random import Random

import pytest

from verifier.errors import InputError
from verifier.judges import matrices
from verifier.judges.fields import Matrices
from verifier.judges.matrices import judge, reduced, small
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
        (("-A", "A - A - A"), (), Verdict.VERIFIED, ""),
        (("A*g*inv(g)", "A"), (), Verdict.VERIFIED, ""),
        (("(g + h)*(inv(g) - inv(h))", "h*inv(g) - g*inv(h)"), (), Verdict.VERIFIED, ""),
        (("A - B", "A + B"), (), Verdict.REFUTED, "B"),
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


def test_a_counterexample_names_every_matrix_and_both_sides() -> None:
    found = judged("A*g", "B*g").counterexample or {}
    assert found.keys() == {*SHAPES, "left", "right"}


@pytest.mark.parametrize("of", ["A*T(B)", "A*g*T(B)", "g + h", "-g"])
def test_only_products_of_square_matrices_have_an_inverse(of: str) -> None:
    with pytest.raises(InputError, match="the inverse of a product of square matrices was expected"):
        judged(f"inv({of})", of)


@pytest.mark.parametrize(("most", "verdict"), [(0, Verdict.OPEN), (1, Verdict.REFUTED)])
def test_as_many_matrices_are_tried_as_may_be(monkeypatch: pytest.MonkeyPatch, most: int, verdict: Verdict) -> None:
    """The first of them, A = 1, is a counterexample."""
    monkeypatch.setattr(matrices, "MOST_TRIED", most)
    assert judged("A", "-A").verdict is verdict


@pytest.mark.parametrize(("orthogonal", "entries"), [(True, {1, -1}), (False, {1, 2, -1})])
def test_small_square_matrices_are_all_with_one_of_the_entries_in_each_row_and_column(orthogonal: bool, entries: set[int]) -> None:
    tried = [chosen["g"] for chosen in small({"g": ("n", "n")}, frozenset("g") if orthogonal else frozenset())]
    ones = [((x,),) for x in entries]
    twos = [made for x in entries for y in entries for made in (((x, 0), (0, y)), ((0, x), (y, 0)))]
    assert len(tried) == len(set(tried))
    assert set(tried) == {*ones, *twos}


@pytest.mark.parametrize("seed", range(10))
def test_a_word_is_reduced_by_pairs_of_inverses(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        word = tuple((rng.choice("gh"), rng.random() < 0.3, rng.random() < 0.5) for _ in range(rng.randrange(9)))
        expected = word
        while pairs := [k for k in range(len(expected) - 1) if {*expected[k : k + 2]} == {(*expected[k][:2], b) for b in (False, True)}]:
            expected = expected[: pairs[0]] + expected[pairs[0] + 2 :]
        assert reduced(word) == expected

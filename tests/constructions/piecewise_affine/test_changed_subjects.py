"""Another operation or format under a claim, and its verdict moves."""

from typing import Any, cast

import pytest

from constructions.piecewise_affine.mathematics import exact, formulas
from constructions.piecewise_affine.mathematics.exact import Scalars
from verifier.arithmetic.bit_patterns import BitFormat
from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict


def judged(name: str, edition: Edition = Edition.REPAIRED, **parameters: int) -> Verdict:
    claim = find_claim(f"piecewise-affine/{name}")
    return Session().outcome(claim, edition, claim.complete(parameters), DEFAULT_SEMANTICS)[0].verdict


SMALL, FORMAT = {"n": 4, "w": 1}, {"e": 3, "m": 1}
ORDINARY = {"product": lambda x, y: x * y, "quotient": lambda x, y: x / y}


def without_carry(x: Fraction, y: Fraction) -> Fraction:
    """The product of two numbers without the carry from their mantissas."""
    a, b = exact.parts(x), exact.parts(y)
    return exact.Parts((a.S + b.S) % 2, a.E + b.E, (a.M + b.M) % 1).value


LEAST = {"n": 2, "w": 1}
CHANGED: list[tuple[str, dict[str, int], object, str, Any]] = [
    *((f"equation-{k}", LEAST, formulas, "ONE", formulas.ONE + formulas.UNIT) for k in (5, 7, 8, 12)),
    ("equation-5", SMALL, exact, "product", ORDINARY["product"]),
    ("equation-5", LEAST, exact, "product", without_carry),
    ("section-2.4:product-is-jointly-affine", LEAST, exact, "product", without_carry),
    ("table-1:product-approximate", LEAST, exact, "product", lambda x, y: x * y + 1),
    ("equation-17", SMALL, exact, "quotient", ORDINARY["quotient"]),
    ("table-1:product-exact", SMALL, exact, "product", lambda x, y: abs(x * y)),
    ("table-1:quotient-by-b-exact", SMALL, exact, "quotient", ORDINARY["quotient"]),
    ("equation-10", SMALL, exact, "log2", lambda x: x),
    ("equation-9", SMALL, exact, "exp2", lambda x: 1 + x),
    ("equation-20", SMALL, exact, "sqrt", lambda x: (1 + x) / 2),
    ("equation-19", SMALL, exact, "quotient", ORDINARY["quotient"]),
    ("equation-18:no-largest-error", SMALL, exact, "product", ORDINARY["product"]),
    ("section-2.7:quotient-fixed-divisor", {"n": 4}, exact, "quotient", ORDINARY["quotient"]),
    ("section-2.7:quotient-worst-case", {"n": 4}, exact, "quotient", ORDINARY["quotient"]),
    ("section-2.7:worst-case", {"n": 4}, exact, "product", lambda x, y: x + y),
    ("section-2.7:alpha-first-carry", {"v": 2}, exact, "product", ORDINARY["product"]),
    ("section-2.7:alpha-gains", {"n": 1}, exact, "product", ORDINARY["product"]),
    ("section-2.7:approximate-is-nearer", {"n": 4}, exact, "product", ORDINARY["product"]),
    ("section-2.7:unbiased-quotient", SMALL, exact, "quotient", lambda x, y: Fraction(1)),
    ("equation-3", FORMAT, BitFormat, "value", lambda self, pattern: Fraction(pattern)),
    ("section-2.2:every-pattern", FORMAT, Scalars, "multiply", lambda self, a, b: a),
    ("section-2.3:subtraction-of-patterns", FORMAT, Scalars, "divide", lambda self, a, b: a),
]


@pytest.mark.long("section-2.7:alpha-first-carry")
@pytest.mark.parametrize(("name", "point", "place", "attribute", "other"), CHANGED, ids=[each[0] for each in CHANGED])
def test_a_changed_subject_moves_the_verdict(
    name: str, point: dict[str, int], place: object, attribute: str, other: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(name, **point) is Verdict.VERIFIED
    monkeypatch.setattr(place, attribute, other)
    assert judged(name, **point) is Verdict.REFUTED


@pytest.mark.long("equation-13", "equation-16", "equation-8")
@pytest.mark.parametrize("name", ["equation-8", "equation-10", "equation-13", "equation-16"])
def test_for_every_mantissa_and_exponent(name: str) -> None:
    from verifier.claims.parameters import ALL

    assert judged(name, n=ALL, w=ALL) is Verdict.VERIFIED


@pytest.mark.campaign
@pytest.mark.parametrize(
    "name",
    ["equation-1", "equation-12", "equation-19", "equation-20", "section-1:figure-1-slopes", "section-2.7:alpha-first-carry", "table-1"],
)
def test_for_every_mantissa_and_exponent_by_cases(name: str) -> None:
    from verifier.claims.parameters import ALL

    assert judged(name, n=ALL, w=ALL) is Verdict.VERIFIED


@pytest.mark.parametrize(
    ("name", "rests_on", "pieces"),
    [
        ("equation-19:above-1", "equation-19:quotient-by-log2-e", [["0", "1", {"y": "1 + z - b"}]]),
        ("equation-18:bounds", "equation-18:product-by-log2-e", [["0", "1", {"y": "1 + x"}]]),
    ],
)
def test_a_combination_moves_with_what_it_rests_on(name: str, rests_on: str, pieces: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    judge = find_claim(f"piecewise-affine/{rests_on}").judge
    assert isinstance(judge, NamedJudge)
    assert judged(name) is Verdict.VERIFIED
    monkeypatch.setitem(cast(dict[str, Any], judge.fields), "pieces", pieces)
    assert judged(name) is Verdict.OPEN

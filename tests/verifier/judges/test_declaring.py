"""Judges of papers by their signatures: which fields they read, how formulas arrive, what is refused and in which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
import pytest

from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Condition, Formula, Integer, Rational, judge
from verifier.running.errors import InputError

AT_3 = Query(Claim("a/b", "", "", "", lets={"two": "2"}), Edition.STATEMENT, {"p": 3}, DEFAULT_SEMANTICS, Session())
THIS = f"{__name__}:"
READ: list[dict[str, Any]] = []


@judge
def every_kind(
    query: Query,
    *,
    bits: Integer,
    is_: str,
    half: Rational = Fraction(1, 2),
    each: Sequence[Rational] = (),
    ends: tuple[int, Formula] | None = None,
    rows: list[tuple[Integer, str]] = [],  # noqa: B006
    named: Mapping[str, Condition] = {},
    side: Literal["left", "right"] = "left",
    bound: Formula = Formula("p + 1"),
) -> Outcome:
    READ.append({k: v for k, v in locals().items() if k != "query"})
    return Outcome(Verdict.VERIFIED, Scope("one", 1))


@judge
def below(query: Query, *, bound: Formula) -> Cases:
    yield Over("numbers up to p")
    for k in range(1, query["p"] + 1):
        yield k < bound(k=k) or {"k": k}


def no_judge(query: Query) -> Outcome:
    raise AssertionError(query)


def test_formulas_arrive_evaluated_or_as_functions_of_the_names_that_are_missing() -> None:
    given = {"is": "1", "each": ["1/2", "p/two"], "ends": [4, "p*x"], "rows": [["two*p", "six"]], "named": {"odd": "x % 2 == 1"}}
    every_kind(AT_3, bits="p + two", **given)
    read = READ.pop()
    assert (read["bits"], read["is_"], read["half"], read["each"]) == (5, "1", Fraction(1, 2), [Fraction(1, 2), Fraction(3, 2)])
    assert (read["ends"][0], read["ends"][1](x=5), read["rows"]) == (4, 15, [(6, "six")])
    assert [read["named"]["odd"](x=x) for x in (2, 3)] == [False, True]
    assert (read["bound"](), str(read["bound"])) == (4, "p + 1")


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"is": "1"}, "missing required field bits"),
        ({"bits": "1", "is": "1", "bit": 2}, "bit: unknown field 'bit'; did you mean bits?"),
        ({"bits": "1", "is_": "1"}, "is_: unknown field 'is_'"),
        ({"bits": "1", "is": "1", "query": "1"}, "query: unknown field 'query'; there are bits, is,"),
        ({"bits": 1, "is": "1"}, "bits: a text was expected, not 1"),
        ({"bits": "1", "is": "1", "side": "top"}, "side: left or right was expected, not 'top'"),
        ({"bits": "1", "is": "1", "ends": ["1", "2"]}, "ends: "),
    ],
)
def test_fields_that_do_not_fit_are_refused_in_our_words(fields: dict[str, Any], refused: str) -> None:
    with pytest.raises(InputError) as error:
        NamedJudge(f"{THIS}every_kind", fields)(AT_3)
    assert refused in str(error.value)
    assert "Expected" not in str(error.value)


def test_only_what_is_declared_is_a_judge() -> None:
    with pytest.raises(InputError, match="has no judge 'no_judge'"):
        NamedJudge(f"{THIS}no_judge", {})(AT_3)
    with pytest.raises(msgspec.ValidationError):
        below(AT_3)

"""Inclusions: a derivative is called one, in the scope and in the counterexample."""

import pytest

from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.judges.fields import Inclusion
from verifier.judges.inclusion import interval, judge
from verifier.running.errors import InputError


@pytest.mark.parametrize(("order", "name", "verdict"), [(0, "x**2", Verdict.VERIFIED), (1, "x**2'", Verdict.REFUTED)])
def test_x_squared_maps_the_unit_interval_below_3_2_and_its_derivative_does_not(order: int, name: str, verdict: Verdict) -> None:
    query = Query(Claim("artificial/lemma-1", "", "", ""), Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session())
    found = judge(query, Inclusion("x**2", ["0", "1"], ["-1", "3/2"], order))
    assert (found.verdict, found.scope.statement) == (verdict, f"{name} on all of (0, 1)")
    assert (f"{name}(x)" in (found.counterexample or {})) is (verdict is Verdict.REFUTED)


@pytest.mark.parametrize(
    ("functions", "leaves"),
    [(["x", "1 - x"], None), (["x", "2*x"], "2*x"), (["x + 1", "x"], "x + 1"), ("x**2 - x", "x**2 - x"), ("x/2", None)],
)
def test_each_of_several_functions_maps_the_interval(functions: str | list[str], leaves: str | None) -> None:
    """Without an order it is the functions themselves that are asked for: the derivatives -1 of 1 - x and 1/2 of x/2 tell them apart."""
    query = Query(Claim("artificial/lemma-1", "", "", ""), Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session())
    found = judge(query, Inclusion(functions, ["0", "1"], ["0", "1"]))
    names = [functions] if isinstance(functions, str) else functions
    assert found.scope.statement == f"{', '.join(names)} on all of (0, 1)"
    assert found.verdict is (Verdict.REFUTED if leaves else Verdict.VERIFIED)
    assert leaves is None or f"{leaves}(x)" in (found.counterexample or {})
    assert leaves is not None or all(f"{name}: " in str(found.witness) for name in names)


def test_a_function_without_a_formula_is_refused() -> None:
    claim = Claim("artificial/lemma-1", "", "", "", functions={"f": "fractions:Fraction"})
    query = Query(claim, Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session())
    with pytest.raises(InputError, match="f is fractions:Fraction, which has no formula in x"):
        judge(query, Inclusion("f", ["0", "1"], ["0", "1"]))


@pytest.mark.parametrize("ends", [["1"], ["0", "1", "2"], ["1", "1"], ["1", "0"]])
def test_what_is_no_interval_is_refused(ends: list[str]) -> None:
    query = Query(Claim("artificial/lemma-1", "", "", ""), Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session())
    with pytest.raises(InputError, match="is not an interval; two ends, the lower first, were expected"):
        interval(query, ends)

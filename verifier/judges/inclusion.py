"""Judging that functions, or their derivatives, map an open interval into another, by rigorous enclosures."""

from __future__ import annotations

from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import proved, refuted
from verifier.claims.judge_names import imported
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.fields import Inclusion
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.language.real_functions import RealFunction, escape, open_range
from verifier.running.errors import InputError

METHOD = "ball arithmetic on pieces, monotone ones by their ends"


def judge(query: Query, fields: Inclusion) -> Outcome:
    """Judge each function in turn; the first point of one that leaves the interval is the counterexample. Undecided: open."""
    functions = [fields.function] if isinstance(fields.function, str) else fields.function
    domain, claimed = interval(query, fields.from_), interval(query, fields.into)
    names = [name + "'" * fields.order for name in functions]
    scope = f"{', '.join(names)} on all of {shown(fields.from_)} {query.at}".rstrip()
    found = []
    for name, function in zip(names, functions, strict=True):
        sigma = named_function(query, function)
        try:
            true = open_range(sigma, fields.order, domain)
            out = escape(sigma, fields.order, domain, claimed)
        except ArithmeticError as undecided:
            return Outcome(Verdict.OPEN, Scope(scope, None, METHOD), reason=str(undecided))
        if out is not None:
            value = {"x": out.x, f"{name}(x)": out.value}
            return refuted(scope, {**value, "claimed": shown(fields.into), "true range": true}, METHOD)
        found.append(f"{name}: {true}")
    return proved(scope, METHOD, witness=f"ranges, to four decimals: {'; '.join(found)}")


def interval(query: Query, texts: list[str]) -> tuple[Fraction, Fraction]:
    """The two ends, formulas in the claim's parameters and definitions.

    Raises:
        InputError: they are not two, or not ascending.
    """
    values = [exact.rational(inlined_text(text, query.claim.lets), query.names) for text in texts]
    if len(values) != 2 or values[0] >= values[1]:
        raise InputError(f"{shown(texts)} is not an interval; two ends, the lower first, were expected")
    return values[0], values[1]


def shown(texts: list[str]) -> str:
    return f"({', '.join(texts)})"


def named_function(query: Query, text: str) -> RealFunction:
    """A formula in x, or a function of the paper's mathematics that has its ``formula``, by its name."""
    target = query.claim.functions.get(text)
    if target is None:
        return RealFunction(text)
    found = imported(target)
    if not isinstance(getattr(found, "formula", None), str):
        raise InputError(f"{text} is {target}, which has no formula in x")
    return RealFunction(found.formula)

"""Judging an expectation: the expected value of a formula in random entries against a closed form, as polynomials in all that is fixed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Claim, Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.expectation_bounds import least
from verifier.judges.expectation_sides import Sides
from verifier.judges.fields import Expectation, members
from verifier.language.definitions import inlined_text
from verifier.language.polynomials import NoPolynomialError
from verifier.language.syntax import parse
from verifier.language.tree import Name
from verifier.proofs.index_degrees import sufficient
from verifier.running.errors import InputError


def judge(query: Query, fields: Expectation) -> Outcome:
    """Whether the expected value is the closed form, at every value of the unknowns."""
    try:
        sides = Sides(query.claim, fields, query.names)
    except NoPolynomialError as error:
        return declined(f"{error} {query.at}".rstrip())
    try:
        return _compared(query, fields, sides)
    except NoPolynomialError as error:
        found = _at_few(query, fields, 1) or _by_bound(query, fields) or _at_few(query, fields, FEW)
        return found or declined(f"{error} {query.at}".rstrip())


FEW = 2
"""So many entries other than 0 are tried where the sides are not polynomials in all of them."""


def _at_few(query: Query, fields: Expectation, most: int) -> Outcome | None:
    """A refutation at weights that are 0 but for a few entries, where both sides are polynomials; None where none is found."""
    sides = Sides(query.claim, fields, query.names)
    for given in sides.few(most):
        for names in sides.assignments():
            try:
                left, right = sides.at(names, given)
            except NoPolynomialError:
                continue
            if left != right:
                return _refuted(query, fields, sides.counterexample(names, left, right, given))
    return None


def _by_bound(query: Query, fields: Expectation) -> Outcome | None:
    """The same, where a bound below of the expected value is above the closed form."""
    sides = Sides(query.claim, fields, query.names)
    for given in sides.few(1):
        for names in sides.assignments():
            found = least(sides, names, given)
            if found is not None and found[0] > found[1]:
                entries = {str(u): str(x) for u, x in given.items() if x}
                ends = dict.fromkeys(sorted(sides.positive), "1")
                sides_of = {"expected": f"at least {found[0]}", "claimed": str(found[1])}
                return _refuted(query, fields, {k: str(v) for k, v in names.items()} | entries | ends | sides_of)
    return None


def _refuted(query: Query, fields: Expectation, found: Mapping[str, str]) -> Outcome:
    point = {k: str(v) for k, v in query.parameters.items()}
    reason = f"the expected value is {found['expected']}, {found['claimed']} was claimed" if fields.uniform else None
    scope = Scope(_scope(fields, query.at), None, "polynomials")
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={**point, **found})


def _compared(query: Query, fields: Expectation, sides: Sides) -> Outcome:
    scope, cases = _scope(fields, query.at), 0
    for names in sides.assignments():
        cases += 1
        left, right = sides.at(names)
        if left != right:
            return _refuted(query, fields, sides.counterexample(names, left, right))
    return Outcome(Verdict.VERIFIED, Scope(scope, cases, "polynomials"), reason="equal as polynomials in the entries")


def _scope(fields: Expectation, at: str) -> str:
    """``every entry, U uniform in -r .. r independently, …``."""
    law = f"{', '.join(f'{k} uniform in {v}' for k, v in fields.uniform.items())}, independent" if fields.uniform else ""
    each = ", ".join(f"{k} in {v}" for k, v in fields.each.items())
    return " ".join(filter(None, ["every value of the entries", f"({law})" if law else "", f"for {each}" if each else "", at]))


def for_all(claim: Claim, fields: Expectation, fixed: Mapping[str, int]) -> Outcome:
    """For every size, by the sizes that suffice (:mod:`verifier.proofs.index_degrees`), each as polynomials."""
    sizes = [p.name for p in claim.parameters]
    scope = _scope(fields, f"for every {', '.join(name for name in sizes if name not in fixed)}")
    try:
        if claim.where is not None or any(p.where.replace(" ", "") != f"{p.name}>=1" for p in claim.parameters):
            raise InputError("the argument for every size is for sizes from 1 on")
        sides = [inlined_text(text, claim.lets) for text in (fields.of, fields.is_)]
        ends = {name: members(text) for name, text in fields.each.items()}
        lasts = {name: parse(last) for name, (first, last) in ends.items() if first.strip() == "1"}
        quantified = {name: last.name for name, last in lasts.items() if isinstance(last, Name)}
        if len(quantified) < len(ends):
            raise InputError("the argument for every size is for ranges from 1 to a size")
        most = {size: sufficient(sides, size, sizes, quantified) for size in sizes if size not in fixed}
        cases = 0
        for values in product(*(range(1, most[s] + 1) if s in most else [int(fixed[s])] for s in sizes)):
            point = dict(zip(sizes, values, strict=True))
            compared = Sides(claim, fields, {k: Fraction(v) for k, v in point.items()})
            for names in compared.assignments():
                cases += 1
                left, right = compared.at(names)
                if left != right:
                    found = {k: str(v) for k, v in point.items()} | compared.counterexample(names, left, right)
                    return Outcome(Verdict.REFUTED, Scope(scope, None, "polynomials"), counterexample=found)
    except InputError as error:
        return Outcome(Verdict.OPEN, Scope(scope), reason=f"not decided by degrees: {error}")
    bounds = ", ".join(f"{name} <= {least}" for name, least in most.items())
    proof = (
        f"compared as polynomials: every {bounds}, {cases} identities",
        "a monomial's coefficient is a polynomial in each size, of a degree that these sizes exceed (verifier/proofs/index_degrees.py)",
    )
    return Outcome(Verdict.VERIFIED, Scope(scope, None, "degrees"), f"by degrees: enough are {bounds}", proof=proof)

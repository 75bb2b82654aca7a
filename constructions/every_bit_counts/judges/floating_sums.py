"""Sums of numbers of precision (t, e) that Appendix C's proofs write out, apart from any table."""

from __future__ import annotations

from msgspec import Struct

from constructions.every_bit_counts.judges.floating_bounds import problem_of
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.numbers import ZERO, Number, show
from verifier.formulas import exact
from verifier.formulas.definitions import inlined
from verifier.formulas.exact import Bits
from verifier.formulas.syntax import names_in, parse
from verifier.problems import bits_of
from verifier.statements.findings import for_each
from verifier.statements.model import Question, declined
from verifier.verdicts import Finding, Scope

Names = dict[str, exact.Given]


class RoundedSum(Struct, frozen=True, forbid_unknown_fields=True, rename={"is_": "is"}):
    """``terms`` added from left to right, each sum rounded, are ``is``, for every promised y and both bits ``z_m``.

    Formulas in the parameters, y and z_m; when: the y and z_m that are meant.
    """

    terms: list[str]
    is_: str
    when: str = "1 == 1"


def rounded_sum(question: Question, given: RoundedSum) -> Finding:
    """The sum in precision (t, e), for every case; without y and z_m in its formulas, one."""
    lets, t, e = question.claim.lets, question["t"], question["e"]
    machine = question.semantics.machine(Digits(t, e))
    terms, claimed, when = [inlined(parse(x), lets) for x in given.terms], inlined(parse(given.is_), lets), inlined(parse(given.when), lets)

    def found(names: Names) -> Number:
        total: Number = ZERO
        for term in terms:
            total = machine.add(total, exact.rational(term, names))
        return total

    used = names_in(claimed).union(names_in(when), *map(names_in, terms))
    every: list[Names] = _promised(question) if used & {"y", "z_m"} else [{**question.names}]
    cases = [case for case in every if exact.truth(when, case)]
    if not cases:
        return declined(f"no promised y with {given.when} {question.at}")
    return for_each(
        cases,
        lambda c: found(c) == exact.rational(claimed, c),
        lambda c: {**_shown(c), "found": show(found(c)), "claimed": str(exact.rational(claimed, c))},
        lambda n: Scope(f"all {n:,} such sums {question.at}: {' + '.join(given.terms)} is {given.is_}", n, "enumeration"),
        "the sum is something else",
    )


def _promised(question: Question) -> list[Names]:
    """Every promised y with either last bit of z."""
    problem = problem_of(question)
    strings = [Bits(int(y), problem.length) for y in problem.occurring("y")]
    return [{**question.names, "y": y, "z_m": bit} for y in strings for bit in (0, 1)]


def _shown(case: Names) -> dict[str, str]:
    y = case.get("y")
    return {"y": bits_of(y.number, y.length), "z_m": str(case["z_m"])} if isinstance(y, Bits) else {}

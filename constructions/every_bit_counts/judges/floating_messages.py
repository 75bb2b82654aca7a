"""Appendix C's bounds for transformers: the messages of one sum or two, and whose tokens Alice holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from constructions.every_bit_counts.judges.floating_bounds import problem_of
from constructions.every_bit_counts.judges.tables import undefined
from lowerbounds.alphabets import Alphabet
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.semantics import Semantics
from verifier.claims.finite_cases import at_point, for_each
from verifier.claims.model import Query, by_edition
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Integer, judge
from verifier.judges.tables import well_formed

ONE_NUMERATOR_SUM = "one-numerator-sum"
"""Alice's part of the numerator is one number. Under ((A X) W^V) it is one number for each column that W^V uses."""


@judge
@by_edition
def lower_bound(
    query: Query,
    *,
    bits: Integer,
    smaller: str,
    given: str,
    numbers: Literal["one", "two"] = "one",
    numerator: Literal["any", "one running sum"] = "any",
    fewest: int = 3,
    promise: Literal["printed", "repaired"] = "printed",
) -> Outcome:
    """No transformer of so many bits or fewer computes the function: its messages are fewer than Alice's promised inputs.

    Any two promised y1 < y2 differ at z = y2, so that a protocol needs a message for each. Formats (t', e') of fewer bits have no more
    values than those of so many. The statement is false where a transformer of as few bits computes the function.

    bits: that do not suffice; numbers: how many Alice sends, one in linear attention, two (the denominator too) in softmax;
    numerator: whether a transformer may have any numerator, or one running sum only.
    smaller:   the claim that a transformer of few bits suffices where the numerator may be any; that many are ``fewest``.
    promise:   that of the claim's table as printed, or with the promises that its errata add.
    given:     the claim that the input representation is defined. Where no errata make it so, the bound speaks of nothing.
    """
    without = undefined(query, given)
    if without is not None:
        return without
    any_numerator = numerator == "any"
    columns_first = query.semantics.order == "ax"  # elsewhere every transformer has one running sum
    if any_numerator and columns_first and query.edition is Edition.STATEMENT and bits >= fewest:
        witness = query.ask(smaller)
        if witness.verdict is Verdict.VERIFIED:
            return _outdone(query, witness, bits, smaller, fewest)
    problem = problem_of(query, repaired=promise == "repaired")
    inputs = len(problem.occurring("y"))
    formats = [Digits(k, bits - k) for k in range(1, bits)]
    what = f"{bits} bits, {numbers} of whose numbers {'is' if numbers == 'one' else 'are'} sent"

    def shown(digits: Digits) -> dict[str, str]:
        count = messages(query.semantics, digits, numbers)
        return {"t'": str(digits.t), "e'": str(digits.e), "messages": str(count), "inputs": str(inputs)}

    checked = for_each(
        formats,
        lambda d: messages(query.semantics, d, numbers) < inputs,
        shown,
        lambda cases: Scope(f"all {cases:,} formats of {what}, against {inputs:,} inputs of Alice {query.at}", cases, "counting"),
        f"{numbers} of {bits} bits can tell all of Alice's inputs apart",
        assumptions=(ONE_NUMERATOR_SUM,) if any_numerator and columns_first else (),
        witness="message count; any two promised y1 < y2 differ at z = y2",
    )
    speaks_of = {"promise": problem.promise, "format": f"{query.claim.point} point"}
    if checked.verdict is not Verdict.REFUTED:
        return replace(checked, speaks_of=speaks_of)
    return Outcome(Verdict.OPEN, checked.scope, reason=f"the counting proves nothing here: {checked.reason}", speaks_of=speaks_of)


def messages(semantics: Semantics, digits: Digits, numbers: str) -> int:
    """How many messages one sum of either sign is, or that beside a sum of weights, which is not negative.

    Infinities are messages unless the reading saturates. NaN is not counted: it stays NaN and is answered with 0, but y has to be accepted
    at z = y.
    """
    form, infinities = semantics.format(digits), semantics.overflow != "saturate"
    sums = Alphabet(form, infinities=infinities).count()
    return sums if numbers == "one" else sums * Alphabet(form, nonnegative=True, infinities=infinities).count()


def _outdone(query: Query, witness: Outcome, bits: int, name: str, fewest: int) -> Outcome:
    """A transformer with fewer bits than the bound allows."""
    smaller = find_claim(f"{query.claim.paper}/{name}")
    point = smaller.complete({k: v for k, v in query.parameters.items() if k in {p.name for p in smaller.parameters}})
    columns = "A X has a partial sum for each column that W^V uses, and Alice knows them all"
    return Outcome(
        Verdict.REFUTED,
        Scope(f"transformers of {bits} bits {query.at}; the one found is checked on {witness.scope.statement}", 1, witness.scope.method),
        witness.witness,
        reason=f"where A X is formed first {fewest} bits suffice: {columns}",
        counterexample={**{k: str(v) for k, v in point.items()}, "bits": str(fewest), "transformer": name},
        speaks_of=witness.speaks_of,
    )


@judge
def counted_bound(query: Query, *, bound: Integer, numbers: Literal["one", "two"]) -> Outcome:
    """The bound is what counting messages gives: every format of one bit less has too few, and some format of so many bits has enough.

    bound: a number of bits; numbers: how many numbers of fewer bits are messages too few.
    """
    inputs = len(problem_of(query).occurring("y"))
    formats = [Digits(k, bits - k) for bits in (bound - 1, bound) for k in range(1, bits)]
    found = {d: messages(query.semantics, d, numbers) for d in formats}
    enough = {bits: max((found[d] for d in formats if d.bits == bits), default=1) for bits in (bound - 1, bound)}
    scope = Scope(
        f"all {len(formats):,} formats of {bound - 1} and {bound} bits, {numbers} of whose numbers are sent {query.at}",
        len(formats),
        "counting",
    )
    shown = "; ".join(f"{bits} bits: at most {most:,} messages" for bits, most in enough.items())
    reason = f"{shown}; Alice has {inputs:,} inputs"
    if enough[bound - 1] < inputs <= enough[bound]:
        return Outcome(Verdict.VERIFIED, scope, reason=reason)
    point = at_point(query)
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={**point, "bound": str(bound), "inputs": str(inputs)})


@judge
@by_edition
def alice_tokens(query: Query, *, first: Integer, last: Integer) -> Outcome:
    """The tokens first … last hold bits of y only, all others bits of z only."""
    prepared = well_formed(query)
    if isinstance(prepared, Outcome):
        return prepared
    execution, witness = prepared
    indices = {t.index for t in execution.instance.tokens} | set(range(first, last + 1))
    read = {t.index: {bit.string for bit in t.reads} for t in execution.instance.tokens}

    def holds(i: int) -> bool:
        return i in read and read[i] <= {"y" if first <= i <= last else "z"}

    return for_each(
        sorted(indices),
        holds,
        lambda i: {"token": str(i), "reads": ", ".join(sorted(read.get(i, ()))) or "there is no such token"},
        lambda cases: Scope(f"all {cases:,} tokens {query.at} against S = {{{first}, …, {last}}}", cases, "enumeration"),
        "a token stands on the wrong side",
        witness=witness,
    )

"""From a transformer to a protocol (Lemmas 2.2 and 2.5): Alice's message, the number of messages, and the conclusions.

The argument's two assumptions are named where it uses them: p-bits-per-number, a number of q bits is one of 2^q messages; and
one-numerator-sum, Alice's part of the numerator is one number. Under ((A X) W^V) Alice's part has one number for each column that W^V uses.

Theorem 2.4 follows from them: the bits that EQ_m needs by counting, and the bits with which transformers compute it, for each reading and
with fixed splits.

Token order with fixed splits: each stored number has its digits split in advance, s in front of the binary point, the rest behind it.

With p bits and s digits in front of the point the values are k·2^(s−p+1), |k| ≤ 2^(p−1) − 1: a grid for each place where a number is
stored. ``proofs/FixedSplit.v`` has this arithmetic; rounding is to nearest, ties to zero, and overflow is decided on the rounded value.

The witness has the rows of ``witness-t1``. Weights have every digit before the point, except those of the last p bits, which have them
after it. The numerator, the quotient and the hidden node have every digit after the point, the denominator and the output node before it.

Families with a fixed number of bits that compute EQ on strings of every length, proved by a closed set of states (ours).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from constructions.every_bit_counts.judges.tables import NO_ONE
from constructions.every_bit_counts.mathematics.two_bit_transformer import (
    BITS,
    SATURATING,
    VARIANTS,
    Variant,
    length,
    two_bit_transformer,
    variants,
)
from lowerbounds.alphabets import Exclusion, exclusion, largest_excluded, messages_of_sums
from lowerbounds.protocol import Protocol
from verifier.arithmetic.formats import fixed_grid
from verifier.arithmetic.machine import Machine, rectified
from verifier.arithmetic.numbers import NAN, ONE, ZERO, Number, show
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.finite_cases import Cases, Over, at_point
from verifier.claims.model import Claim, Query, by_edition, declined
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict, worst
from verifier.engines.columns import EVERY_LENGTH, Family, columns_by_position, family_of, invariant
from verifier.engines.dispatch import decide as decide_all
from verifier.engines.enumerate import one_failure
from verifier.engines.failure_counts import Census, Solved
from verifier.errata.tables import read_construction
from verifier.judges.declaring import Integer, judge
from verifier.judges.editions import edition_instance
from verifier.judges.tables import speaks_of, well_formed
from verifier.language.definitions import inlined_text
from verifier.language.exact import integer
from verifier.language.syntax import LARGEST
from verifier.networks.entries import Large
from verifier.networks.instance import Instance, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import bits_of
from verifier.running.errors import InputError, LimitError
from verifier.running.printable import assignment
from verifier.transformers.table_traces import decide, evaluate, numerator_of
from verifier.transformers.tables import Execution

if TYPE_CHECKING:
    from verifier.certificates.statement import Certificate, Subject

BITS_PER_NUMBER = "p-bits-per-number"
ONE_NUMERATOR_SUM = "one-numerator-sum"


@judge
@by_edition
def lower_bound(
    query: Query,
    *,
    length: Integer,
    fewer: Integer,
    fooling: str,
    smaller: str,
    exactly: str,
    one_sum: str,
    numerator: Literal["any", "one running sum"] = "any",
    counted: Literal["numbers", "running sums"] = "numbers",
) -> Outcome:
    """No transformer of so few bits computes EQ_m: Alice needs m bits, and two numbers of that many bits have fewer messages.

    Counting the numbers, as the paper does, proves the second step only for few bits. For slightly more bits, our count of the possible
    running sums proves it; for still more, each number is counted as its number of bits. The statement is false if a transformer of two
    bits computes EQ_m. It is true for one bit, because no output is 1; the printed argument applies there as well, and Alice's partial sums
    are those of zeros.

    length: of the strings; fewer: bits, which do not suffice;
    numerator: whether a transformer may have any numerator, or one running sum only;
    counted: the objects that the argument counts, all pairs of numbers or possible pairs of running sums; a statement may rest on either;
    fooling: the claim that Alice needs ``length`` bits;
    smaller: the claim that two bits suffice if the numerator may be any; exactly: the claim that ``fewer`` bits do;
    one_sum: the claim that two running sums of q bits do not distinguish m bits, asked if counting proves nothing.
    """
    m = length
    if m > LARGEST:
        raise LimitError(f"strings of {m} bits: messages are counted up to {LARGEST} bits", "a smaller --p")
    any_numerator = numerator == "any"
    if any_numerator and query.edition is Edition.STATEMENT and fewer >= BITS:
        witness = query.ask(smaller)
        if witness.verdict is Verdict.VERIFIED:
            return _outdone(query, witness, m, fewer, smaller, exactly)
    only_zero = fewer == 1 and not query.semantics.form(fewer).contains(ONE)
    if only_zero and query.edition is not Edition.PRINTED:
        return Outcome(Verdict.VERIFIED, Scope(f"every transformer of 1 bit, at m = {m}", 1, NO_ONE), "1 is not representable in one bit")
    forced = query.ask(fooling, Edition.STATEMENT, m=m)
    if forced.verdict is not Verdict.VERIFIED:
        return forced
    count = exclusion(query.semantics, fewer, m)
    scope = Scope(f"fooling set of 2^{m} members; two numbers of {fewer} bits at m = {m}", count.messages, "counting")
    argument, reason = "fooling set and message count", str(count)
    if not count.proves and query.edition is not Edition.STATEMENT and counted == "numbers":
        return _too_many_messages(query, count, scope)
    assumptions = [] if count.proves else [BITS_PER_NUMBER]
    if not count.proves:
        apart = query.ask(one_sum, Edition.STATEMENT, q=fewer, m=m)
        if apart.verdict is Verdict.VERIFIED:
            scope = replace(apart.scope, statement=f"fooling set of 2^{m} members; {apart.scope.statement}")
            argument, reason, assumptions = "fooling set and two running sums", apart.reason or "", []
    if any_numerator and query.semantics.order == "ax" and not only_zero:
        assumptions.append(ONE_NUMERATOR_SUM)
    verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
    speaks_of = {"promise": "y <= z", "format": f"{query.claim.point} point"}
    return Outcome(verdict, scope, argument, tuple(assumptions), reason=reason, speaks_of=speaks_of)


def _too_many_messages(query: Query, count: Exclusion, scope: Scope) -> Outcome:
    """The outcome if the argument counts two numbers, and they have at least as many messages as Alice has strings."""
    shown = {**at_point(query), "bits": str(count.bits), "pairs of numbers": str(count.messages), "strings of Alice": str(count.needed)}
    return Outcome(Verdict.REFUTED, scope, reason=f"counting the messages proves nothing: {count}", counterexample=shown)


def _outdone(query: Query, witness: Outcome, m: int, bits: int, smaller: str, exactly: str) -> Outcome:
    """A transformer with fewer bits than the bound allows; and whether one with the largest excluded number of bits is also known."""
    same = bits > BITS and query.ask(exactly).verdict is Verdict.VERIFIED
    also = f"; exactly {bits} bits suffice as well: {exactly}" if same else ""
    why = f"{BITS} bits suffice: (A X) W^V has a partial sum for each column that W^V uses, and Alice knows more than two numbers"
    scope = Scope(f"transformers of {bits} bits for EQ_{m}; the one found is checked on {witness.scope.statement}", 1, witness.scope.method)
    return Outcome(
        Verdict.REFUTED,
        scope,
        witness.witness,
        reason=f"{why}{also}",
        counterexample={"p": str(query["p"]), "m": str(m), "bits": str(BITS), "transformer": smaller},
        speaks_of=witness.speaks_of,
    )


@judge
def protocol_cost(query: Query, *, bits: Integer, cost: Integer) -> Outcome:
    """This many bits distinguish all pairs of a numerator of either sign and a denominator ≥ 0.

    bits: of the transformer's numbers; cost: of the protocol, in bits.
    """
    messages = exclusion(query.semantics, bits, 1).messages
    scope = Scope(f"{messages:,} pairs of numbers of {bits} bits, {cost} bits, {query.at}", messages, "counting")
    if messages <= 1 << cost:
        return Outcome(Verdict.VERIFIED, scope, reason=f"{messages:,} pairs fit {cost} bits")
    needed = (messages - 1).bit_length()
    reason = f"{messages:,} pairs need {needed} bits, {cost} was claimed"
    found = {"bits": str(bits), "pairs": str(messages), "claimed": str(cost), "needed": str(needed)}
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={"p": str(query["p"]), **found})


@judge
@by_edition
def two_numbers(
    query: Query,
    *,
    numbers: Literal["L1 and L2", "L1 and every partial sum", "L2", "every partial sum"],
    representation: Literal["T0", "T1"] | None = None,
    last: str = "m",
) -> Outcome:
    """The transformer's answer is a function of Alice's message and z.

    If Alice sends all her sums, Bob continues from them, and his answer is compared with the transformer's on every promise pair.
    If she sends less, two y with one message must not get different answers at one z.

    numbers: Alice's message for the numerator: L2 alone, or each of its partial sums; and L1 for the denominator, if there is one;
    representation: of the two-bit transformer, T0 or T1; by default the claim's table is used, and ``last`` is Alice's last token.
    """
    if representation is None:
        prepared = well_formed(query)
        if isinstance(prepared, Outcome):
            return prepared
        execution, name = prepared
    else:
        fits = 4 * query["p"] + (2 if representation == "T1" else 1)
        execution, name = _transformer(query, representation, fits), "the two-bit transformer"
    protocol = Protocol(execution, integer(inlined_text(last, query.claim.lets), execution.instance.names))
    if execution.sums > 1 and numbers in ("L1 and L2", "L2"):
        return _collision(query, protocol, name)
    return _answers(query, protocol, name, numbers)


def _answers(query: Query, protocol: Protocol, name: str, numbers: str) -> Outcome:
    """Compare Bob's answer from the message alone with the transformer's own, on every promise pair.

    The transformer's own answers are those of EQ_m if counting column by column shows it; otherwise the definition computes each.
    """
    execution, problem = protocol.execution, protocol.execution.instance.problem
    m, pairs = problem.length, problem.pairs()
    query.within(pairs * len(execution.instance.tokens) * execution.sums, "terms of sums over all pairs")
    counted, answered = _counted(execution), lru_cache(maxsize=None)(partial(decide, execution))
    right = counted is not None and not counted.failures
    scope = Scope(f"all {pairs:,} pairs {problem.promise} {query.at}, m = {m}, for {name}", pairs, "enumeration")
    everything = problem.occurring("z")
    for y in map(int, problem.occurring("y")):
        message = protocol.message(y)
        for z in map(int, everything[problem.promises(np.full_like(everything, y), everything)]):
            answer = answered(protocol.attention(message, z)).answer
            own = problem.value(y, z) if right else evaluate(execution, y, z).decision.answer
            if answer != own:
                found = {"y": bits_of(y, m), "z": bits_of(z, m), "Bob": str(answer), "transformer": str(own)}
                reason = "Bob answers otherwise than the transformer"
                return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={**at_point(query), **found})
    sent = execution.sums + execution.normalised
    return Outcome(Verdict.VERIFIED, scope, witness=f"{sent} numbers: {numbers}", failures=0)


def _collision(query: Query, protocol: Protocol, name: str) -> Outcome:
    """The first y that shares L1 and L2 with a smaller one and needs another answer, with the least z that shows it."""
    execution, problem, m = protocol.execution, protocol.execution.instance.problem, protocol.execution.instance.m
    last: dict[tuple[Number, ...], int] = {}
    compared = 0
    strings = 0
    for y in problem.each("y"):
        strings += 1
        query.within(strings + compared, "strings and pairs")
        *sums, denominator = protocol.message(y)
        sent = numerator_of(execution, tuple(sums)), denominator
        other = last.get(sent)
        last[sent] = y
        if other is None:
            continue
        for z in problem.each("z"):
            if not (problem.promised(y, z) and problem.promised(other, z)):
                continue
            compared += 1
            query.within(strings + compared, "strings and pairs")
            answers = [evaluate(execution, x, z).decision.answer for x in (other, y)]
            if answers[0] != answers[1]:
                message = {"L1": show(denominator)} if execution.normalised else {}
                called = " and ".join([*message, "L2"])
                return Outcome(
                    Verdict.REFUTED,
                    Scope(f"pairs {problem.promise} {query.at}, m = {m}, for {name}", 1, "enumeration"),
                    reason=f"two y have the same {called} and different answers at one z: A X has {execution.sums} sums that W^V uses",
                    counterexample={
                        **at_point(query),
                        "y": bits_of(other, m),
                        "other y": bits_of(y, m),
                        "z": bits_of(z, m),
                        **message,
                        "L2": show(sent[0]),
                        "answers": f"{answers[0]} and {answers[1]}",
                    },
                )
    scope = Scope(f"all {strings:,} strings y {query.at}, m = {m}, for {name}", strings, "enumeration")
    return Outcome(Verdict.VERIFIED, scope, witness="numbers: L1 and L2" if execution.normalised else "one number: L2", failures=0)


def _transformer(query: Query, representation: str, n: int, variant: Variant = SATURATING) -> Execution:
    """The transformer of few bits at the query's p, under its semantics.

    Raises:
        LimitError: too many entries in its columns.
    """
    p = query["p"]
    columns = variant.columns * length(representation, {"p": p, "n": n})
    query.within(n * columns, "entries of the columns")
    return Execution(two_bit_transformer(representation, p, n, variant), query.semantics)


@judge
def few_bits(query: Query, *, representation: Literal["T0", "T1"], bits: Integer) -> Outcome:
    """The transformer of this many bits computes EQ_m on the representation, by the first variant that does under the query's semantics."""
    found: Outcome | None = None
    for by_enumeration in (False, True):
        for variant in variants(bits):
            made = _computes(query, representation, variant, by_enumeration)
            if made is not None and made.verdict is Verdict.VERIFIED:
                return made
            found = made or found
    assert found is not None
    return found


WIDEST_JOINT = 9
"""Beyond this length the many column sums are too large to enumerate together."""


def _counted(execution: Execution) -> Census | None:
    """Every pair, counted column by column, or None if the columns cannot be counted."""
    return None if columns_by_position(execution) is None else decide_all(execution, smallest=False)


def _computes(query: Query, representation: str, variant: Variant, by_enumeration: bool) -> Outcome | None:
    """One variant, by one of the two methods, or None if the columns cannot be counted."""
    census: Census | Solved
    execution = _transformer(query, representation, query["n"], variant)
    instance, m = execution.instance, execution.instance.m
    if by_enumeration:
        if m > WIDEST_JOINT:
            raise LimitError(f"the columns of strings of {m} bits are enumerated together up to {WIDEST_JOINT} bits", "a smaller --p")
        one = None if query.limits.counts else one_failure(execution)
        census = one or decide_all(execution, limit=query.limits.states)
    else:
        counted = _counted(execution)
        if counted is None or counted.failures:
            return None
        census = counted
    values = {"m": m, "n": query["n"], "bits": instance.bits, "d": len(instance.query.rows)}
    about = speaks_of(query.claim, instance)
    scope = Scope(f"all {census.cases:,} pairs y <= z at {assignment(values)}", census.cases, census.method)
    witness = f"{'two bits' if instance.bits == BITS else f'{instance.bits} bits'} on {representation}: {variant.how}"
    if census.smallest is not None:
        y, z = (bits_of(x, m) for x in census.smallest)
        failures = None if isinstance(census, Solved) else census.failures
        reason = f"fails on {'some' if failures is None else f'{failures:,}'} of them"
        return Outcome(Verdict.REFUTED, scope, witness, reason=reason, counterexample={"y": y, "z": z}, failures=failures, speaks_of=about)
    assert isinstance(census, Census)
    remark = f"a NaN is met and rejected on {census.nans:,} inputs" if census.nans else None
    verdict = Verdict.CONDITIONAL if execution.assumptions else Verdict.VERIFIED
    return Outcome(verdict, scope, witness, execution.assumptions, reason=remark, failures=0, speaks_of=about)


def halves(query: Query, semantics: Semantics, lower: str, upper: str, witness_table: str) -> Outcome:
    """Judge both halves under one reading; the worse one decides; m = 2p − 1. The values of the outcome are the cells of the reading's row.

    lower, upper: the claims that p − 1 bits do not suffice, and that p bits do; witness_table: the claim of the printed table.
    """

    def ask(name: str, edition: Edition = Edition.STATEMENT) -> Outcome:
        return query.asker.ask(f"{query.claim.paper}/{name}", edition, query.parameters, semantics)

    m = 2 * query["p"] - 1
    found = {"lower half": ask(lower), "upper half": ask(upper)}
    verdict = worst([half.verdict for half in found.values()])
    deciding = [name for name, half in found.items() if half.verdict is verdict]
    assumptions = tuple(dict.fromkeys(each for half in found.values() for each in half.assumptions))
    return Outcome(
        verdict,
        Scope(f"both halves {query.at}, m = {m}", 2, "comparison"),
        assumptions=assumptions if verdict is Verdict.CONDITIONAL else (),
        reason=None if verdict is Verdict.VERIFIED else f"{verdict.value}: {', '.join(deciding)}",
        counterexample={"p": str(query["p"]), verdict.value: " and ".join(deciding)} if verdict is Verdict.REFUTED else None,
        values={
            "m": str(m),
            "bits by counting": str(largest_excluded(semantics, m) + 1),
            "numerator": "a sum a column" if semantics.order == "ax" else "one sum",
            **{name: half.verdict.value for name, half in found.items()},
            "printed table": ask(witness_table, Edition.PRINTED).verdict.value,
            "repaired table": ask(witness_table, Edition.REPAIRED).verdict.value,
            "witness": found["upper half"].witness or "none",
        },
    )


@judge
def both_halves(query: Query, *, lower: str, upper: str, witness_table: str) -> Outcome:
    """Whether the query's own reading supports both halves."""
    return halves(query, query.semantics, lower, upper, witness_table)


@judge
def one_reading(query: Query, *, lower: str, upper: str, witness_table: str) -> Outcome:
    """Whether one of the readings that the theorem's overview compares supports both halves; refuted if each refutes one of them."""
    theorem = find_claim(f"{query.claim.paper}/{query.claim.owner}")
    assert theorem.overview is not None
    readings = [read_semantics(name) for name in theorem.overview.readings]
    rows = {reading.label: halves(query, reading, lower, upper, witness_table) for reading in readings}
    cells = {label: row.values or {} for label, row in rows.items()}
    shown = "; ".join(
        f"{label}: {', '.join(f'{half} {row[half]}' for half in ('lower half', 'upper half'))}" for label, row in cells.items()
    )
    scope = Scope(f"{len(rows)} readings {query.at}, m = {2 * query['p'] - 1}", len(rows), "comparison")
    supporting = [label for label, row in rows.items() if row.verdict is Verdict.VERIFIED]
    if supporting:
        return Outcome(Verdict.VERIFIED, scope, witness=", ".join(supporting), reason=shown)
    failing = {label: row.counterexample[row.verdict.value] for label, row in rows.items() if row.counterexample is not None}
    if len(failing) == len(rows):
        return Outcome(Verdict.REFUTED, scope, reason=shown, counterexample={"p": str(query["p"]), **failing})
    return Outcome(Verdict.OPEN, scope, reason=shown)


@judge
def fixed_splits(query: Query, *, bits: Integer, fewer: Integer, length: Integer, n: Integer) -> Cases:
    """This many bits compute EQ on strings of this length, by every promise pair of the witness; ``fewer`` bits do not, by counting."""
    yield Over("every pair y <= z of the witness with fixed splits, and the pairs of two sums", "enumeration and counting")
    witness, m = instantiate(read_construction(WITNESS).file, {"p": bits, "n": n}), length
    assert witness.m == m, "the witness compares strings of this length"
    strings = 1 << m
    query.within(strings * (strings + 1) // 2 * len(witness.tokens), "terms of sums over all pairs")
    pairs = prod(messages_of_sums(fixed_grid(fewer), nan=True))
    yield pairs < strings or {"bits": fewer, "pairs": pairs, "strings": strings}
    for y, z, output in split_outputs(witness, bits):
        right = output == ONE if y == z else output in (ZERO, NAN)
        yield right or {"y": bits_of(y, m), "z": bits_of(z, m), "output": show(output)}


WITNESS = Path(__file__).parents[1] / "tables" / "witness-t1.toml"

Sums = tuple[Number, Number]
"""Numerator and denominator."""


def split(p: int, s: int) -> Machine:
    """The arithmetic of numbers of p bits with s digits before the point."""
    return Machine(fixed_grid(p, Fraction(2**s, 2 ** (p - 1))))


def split_outputs(instance: Instance, p: int) -> Iterator[tuple[int, int, Number]]:
    """Every pair y ≤ z with the output of the witness of p bits, m = 2p − 1, on the input representation T1.

    Both sums run token by token; then follow the quotient, the hidden node max{0, −2x + 2^(2−p)} and the output node max{0, −2^(p−2) h +
    1}. In ``small`` every digit is after the point, in ``large`` every digit before it.
    """
    small, large = split(p, 0), split(p, p - 1)
    terms = [_split_terms(token, p, small, large) for token in instance.tokens]
    for y in range(1 << instance.m):
        for z in range(y, 1 << instance.m):
            numerator: Number = ZERO
            denominator: Number = ZERO
            for token, each in zip(instance.tokens, terms, strict=True):
                product, weight = each[token.pattern(y, z, instance.m) if len(each) > 1 else 0]
                numerator, denominator = small.add(numerator, product), large.add(denominator, weight)
            x = small.divide(numerator, denominator)
            h = rectified(small.add(small.add(ZERO, small.multiply(Fraction(-2), x)), Fraction(1, 2 ** (p - 2))))
            yield y, z, rectified(large.add(large.add(ZERO, large.multiply(Fraction(-(2 ** (p - 2))), h)), ONE))


def _split_terms(token: Token, p: int, small: Machine, large: Machine) -> list[Sums]:
    """A token's product and weight, by the bit that it reads; the weights of the last p bits are small."""
    machine = small if p <= token.index <= 2 * p - 1 or token.index >= 3 * p + 1 else large
    found: list[Sums] = []
    for vector in token.vectors:
        if vector is not None:
            _, key, value = vector
            assert isinstance(value, Fraction)
            weight = ZERO if isinstance(key, Large) else machine.round(Fraction(2) ** int(key))
            found.append((small.multiply(weight, value), weight))
    return found


@judge
def every_length(query: Query, *, sizes: Sequence[Mapping[str, int]], representation: str = "") -> Outcome:
    """The construction computes EQ on strings of every length: its positions are alike at these sizes, and so are those of every longer
    string.

    sizes: parameters of the construction, from which its form is read, the smallest first;
    representation: of the two-bit transformer; by default the claim's table is used.
    """
    found: Outcome | None = None
    for executions in _variants(query.claim, sizes, representation, query.semantics):
        made = _judged(executions)
        if made.verdict is Verdict.VERIFIED:
            return made
        found = found or made
    assert found is not None
    return found


def _variants(claim: Claim, sizes: Sequence[Mapping[str, int]], representation: str, semantics: Semantics) -> Iterator[list[Execution]]:
    """The construction at its sizes, in each of its variants."""
    if not representation:
        yield [Execution(edition_instance(claim, Edition.PRINTED, size), semantics) for size in sizes]
        return
    for variant in VARIANTS:
        yield [Execution(two_bit_transformer(representation, size["p"], size["n"], variant), semantics) for size in sizes]


def certificate_of_every_length(subject: Subject, semantics: Semantics, evidence: bool = True) -> Certificate:
    """The content of a certificate of a construction, at the second of its claim's sizes, which has several positions.

    Raises:
        InputError: the construction does not compute EQ on strings of every length under this reading.
    """
    from verifier.certificates.tables import every_length as every_length_certificate

    claim = find_claim(subject.claim)
    for (execution,) in _variants(claim, claim.fields["sizes"][1:2], str(claim.fields.get("representation", "")), semantics):
        family = family_of(execution)
        found = invariant(execution, family) if family else None
        if found is not None and found.wrong is None:
            return every_length_certificate(subject, execution)
    raise InputError(f"{subject.claim}: no closed set of states that is answered rightly")


def _judged(executions: Sequence[Execution]) -> Outcome:
    families = [family_of(execution) for execution in executions]
    smallest = families[0]
    lengths = ", ".join(str(execution.instance.m) for execution in executions)
    if smallest is None or not all(family is not None and family.alike(smallest) for family in families):
        return declined(f"the positions of the construction are not alike at m = {lengths} under this reading")
    return _closed(executions[0], smallest)


def _closed(execution: Execution, family: Family) -> Outcome:
    found = invariant(execution, family)
    if found is None:
        return Outcome(Verdict.OPEN, Scope("strings of every length"), reason="no small set of states is closed")
    scope = Scope(f"strings of every length: {len(found.states)} states, closed under every pair of bits", None, EVERY_LENGTH)
    if found.wrong is not None:
        (total, equal), denominator = found.wrong
        state = {"numerator": show(total), "strings": "equal" if equal else "different", "denominator": show(denominator)}
        return Outcome(Verdict.REFUTED, scope, reason="a state that some strings reach is answered wrongly", counterexample=state)
    return Outcome(Verdict.VERIFIED, scope, witness=str(found))

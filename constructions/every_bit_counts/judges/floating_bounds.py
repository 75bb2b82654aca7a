"""Appendix C's bounds: fooling sets and counts of promised inputs, messages of one sum, and whose tokens Alice holds."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from msgspec import Struct

from constructions.every_bit_counts.judges.tables import undefined
from lowerbounds.alphabets import Alphabet
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.rationals import Fraction
from verifier.construction.instantiate import names_at, pair_length
from verifier.errors import LimitError, amount
from verifier.formulas import arrays, exact
from verifier.formulas.definitions import inlined_text
from verifier.formulas.quantities import Quantity
from verifier.formulas.strings import Strings
from verifier.judges.editions import table_parameters
from verifier.judges.tables import well_formed
from verifier.problems import Problem, bits_of, promise_at
from verifier.semantics import Semantics
from verifier.statements.findings import for_each
from verifier.statements.model import Question, declined
from verifier.statements.papers import find_claim
from verifier.statements.session import judge_words
from verifier.verdicts import Edition, Finding, Scope, Verdict

ONE_NUMERATOR_SUM = "one-numerator-sum"
"""Alice's part of the numerator is one number. Under ((A X) W^V) it is one number for each column that W^V uses."""

PAIR_BY_PAIR = 1 << 23
"""Fooling sets with more pairs than this are checked by their members."""
PAIRS_AT_ONCE = 64
"""How many pairs in arrays count as one case."""


class Members(Struct, frozen=True, forbid_unknown_fields=True):
    """A set of pairs (x, x): ``members`` is the condition on x; bits: what it is said to force."""

    members: str
    bits: str | None = None


class Count(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of the number ``size`` of the strings x with ``members``."""

    members: str
    holds: str | list[str]


class TwoMembers(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of any two strings y < z with ``members``; ``promised`` is 1 where (y, z) keeps the table's promise, else 0."""

    members: str
    holds: str


class NumberOfBits(Struct, frozen=True, forbid_unknown_fields=True):
    """A number of bits, in the parameters and m."""

    bits: str


class Tokens(Struct, frozen=True, forbid_unknown_fields=True):
    """The tokens first … last."""

    first: str
    last: str


def problem_of(question: Question) -> Problem:
    """The function and the promise of the claim's table as printed, whether the table is well-formed or not.

    Raises:
        LimitError: more strings than ``--limit``.
    """
    assert question.claim.table is not None
    file = question.claim.table.source.file
    names = names_at(file, table_parameters(question.claim, question.parameters))
    problem = Problem(file.problem.function, promise_at(file.problem.promise, names), pair_length(file, names))
    _listed(question, problem.length)
    return problem


def _listed(question: Question, length: int) -> None:
    """Asks whether all strings of this length may be listed, in arrays.

    Raises:
        LimitError: they are more than ``--limit``.
    """
    if 1 << length > question.limits.states:
        raise LimitError(f"{amount(1 << length)} strings, the limit is {question.limits.states:,}", "--limit")


def value_of(question: Question, formula: str, **known: int) -> int:
    """An integer formula of the claim in its parameters and in ``known``."""
    return exact.integer(inlined_text(formula, question.claim.lets), {**question.names, **known})


def strings_with(question: Question, condition: str, length: int) -> list[int]:
    """The strings x of this length that keep the condition, ascending."""
    _listed(question, length)
    asked = inlined_text(condition, question.claim.lets)
    kept = arrays.truth(asked, {**question.names, "x": Strings.every(length)})
    return [int(x) for x in np.flatnonzero(np.broadcast_to(kept, (1 << length,)))]


def fooling_set(question: Question, problem: Problem, members: list[int], what: str, needed: int | None = None) -> Finding:
    """Whether the pairs (x, x) are a fooling set, and, where ``needed`` is given, whether it forces that many bits.

    Pair by pair; where there are more than :data:`PAIR_BY_PAIR` pairs, member by member, which the order of the strings allows.
    """
    from lowerbounds.communication import on_strings
    from lowerbounds.fooling import check_fooling_set, ordered_diagonal

    each_pair = len(members) ** 2 // 2 <= min(PAIR_BY_PAIR, question.limits.states)
    found = check_fooling_set(on_strings(problem), [(x, x) for x in members]) if each_pair else ordered_diagonal(problem, members)
    method = "enumeration" if each_pair else "counting"
    scope = Scope(f"{what}: all {max(found.pairs, 1):,} pairs of {found.size:,} members", max(found.pairs, 1), method)
    if found.bad is not None:
        return Finding(Verdict.REFUTED, scope, reason=str(found.bad), counterexample={"pair": str(found.bad)})
    if needed is None or found.bits >= needed:
        return Finding(Verdict.VERIFIED, scope, f"fooling set of size {found.size:,}", reason=f"at least {found.bits} bits", failures=0)
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"Alice has {found.size:,} different y only: naming hers takes {found.bits} bits, {needed} were claimed",
        counterexample={"claimed": str(needed), "found": str(found.bits), "inputs of Alice": str(found.size)},
    )


def is_fooling_set(question: Question, given: Members) -> Finding:
    """Whether the set is one under the table's promise, pair by pair (Definition A.5)."""
    problem = problem_of(question)
    needed = value_of(question, given.bits) if given.bits is not None else None
    return fooling_set(question, problem, strings_with(question, given.members, problem.length), f"the set {question.at}", needed)


def counted(question: Question, given: Count) -> Finding:
    """The members are counted one by one, and the conditions on their number are asked."""
    size = len(strings_with(question, given.members, problem_of(question).length))
    conditions = [given.holds] if isinstance(given.holds, str) else given.holds
    names = {**question.names, "size": Fraction(size)}
    wrong = [text for text in conditions if not exact.truth(inlined_text(text, question.claim.lets), names)]
    scope = Scope(f"the {size:,} members {question.at}: {' and '.join(conditions)}", len(conditions), "counting")
    if not wrong:
        return Finding(Verdict.VERIFIED, scope)
    point = {k: str(v) for k, v in question.parameters.items()}
    reason = f"there are {size:,} members; {wrong[0]} was claimed"
    return Finding(Verdict.REFUTED, scope, reason=reason, counterexample={**point, "size": str(size), "claimed": wrong[0]})


def two_members(question: Question, given: TwoMembers) -> Finding:
    """The condition on every two members, the smaller one first; of the pairs that fail the smallest is the counterexample."""
    problem = problem_of(question)
    members = np.array(strings_with(question, given.members, problem.length), dtype=np.int64)
    question.within(len(members) ** 2 // 2 // PAIRS_AT_ONCE, "pairs of members")
    first, second = (members[k] for k in np.triu_indices(len(members), 1))
    if not first.size:
        return declined(f"there are no two members {question.at}")
    known: dict[str, Any] = {**question.names, "y": Strings.of(first, problem.length), "z": Strings.of(second, problem.length)}
    promised = Quantity.listed((Fraction(0), Fraction(1))).picked((2,), problem.promises(first, second).astype(np.int64))
    holds = np.broadcast_to(arrays.truth(inlined_text(given.holds, question.claim.lets), {**known, "promised": promised}), first.shape)
    scope = Scope(f"all {first.size:,} pairs of {len(members):,} members {question.at}: {given.holds}", int(first.size), "enumeration")
    if holds.all():
        return Finding(Verdict.VERIFIED, scope, failures=0)
    k, failures = int(holds.argmin()), int((~holds).sum())
    pair = {"y": bits_of(int(first[k]), problem.length), "z": bits_of(int(second[k]), problem.length)}
    point = {name: str(v) for name, v in question.parameters.items()}
    reason = f"fails on {failures:,} pairs of members"
    return Finding(Verdict.REFUTED, scope, reason=reason, counterexample={**point, **pair}, failures=failures)


def communication(question: Question, given: NumberOfBits) -> Finding:
    """At least so many bits: all (x, x) that keep the promise are the largest fooling set there is, since naming y is a protocol."""
    problem = problem_of(question)
    question.within(1 << problem.length, "strings")
    every = np.arange(1 << problem.length)
    members = np.flatnonzero(problem.promises(every, every)).tolist()
    alone = {int(y) for y in problem.occurring("y")}
    assert alone == set(members), "a promised y without (y, y) would need an argument of its own"
    needed = value_of(question, given.bits)
    return fooling_set(question, problem, members, f"at least {needed} bits {question.at}, {problem.promise}", needed)


class LowerBound(Struct, frozen=True, forbid_unknown_fields=True):
    """bits: that do not suffice, a formula; numbers: how many Alice sends, one in linear attention, two (the denominator too) in softmax.

    numerator: whether a transformer may have any numerator, or one running sum only.
    smaller:   the claim that a transformer of few bits suffices where the numerator may be any; that many are ``fewest``.
    given:     the claim that the input representation is defined. Where no errata make it so, the bound speaks of nothing.
    """

    bits: str
    smaller: str
    given: str
    numbers: Literal["one", "two"] = "one"
    numerator: Literal["any", "one running sum"] = "any"
    fewest: int = 3


def lower_bound(question: Question, given: LowerBound) -> Finding:
    """No transformer of so many bits or fewer computes the function: its messages are fewer than Alice's promised inputs.

    Any two promised y1 < y2 differ at z = y2, so that a protocol needs a message for each. Formats (t', e') of fewer bits have no more
    values than those of so many. The statement is false where a transformer of as few bits computes the function.
    """
    without = undefined(question, given.given)
    if without is not None:
        return without
    bits, any_numerator = value_of(question, given.bits), given.numerator == "any"
    columns_first = question.semantics.order == "ax"  # elsewhere every transformer has one running sum
    if any_numerator and columns_first and question.edition is Edition.STATEMENT and bits >= given.fewest:
        witness = question.ask(given.smaller)
        if witness.verdict is Verdict.VERIFIED:
            return _outdone(question, witness, bits, given)
    problem = problem_of(question)
    inputs = len(problem.occurring("y"))
    formats = [Digits(k, bits - k) for k in range(1, bits)]
    what = f"{bits} bits, {given.numbers} of whose numbers {'is' if given.numbers == 'one' else 'are'} sent"

    def shown(digits: Digits) -> dict[str, str]:
        count = messages(question.semantics, digits, given.numbers)
        return {"t'": str(digits.t), "e'": str(digits.e), "messages": str(count), "inputs": str(inputs)}

    checked = for_each(
        formats,
        lambda d: messages(question.semantics, d, given.numbers) < inputs,
        shown,
        lambda cases: Scope(f"all {cases:,} formats of {what}, against {inputs:,} inputs of Alice {question.at}", cases, "counting"),
        f"{given.numbers} of {bits} bits can tell all of Alice's inputs apart",
        assumptions=(ONE_NUMERATOR_SUM,) if any_numerator and columns_first else (),
        witness="message count; any two promised y1 < y2 differ at z = y2",
    )
    if checked.verdict is not Verdict.REFUTED:
        return checked
    return Finding(Verdict.OPEN, checked.scope, reason=f"the counting proves nothing here: {checked.reason}")


def messages(semantics: Semantics, digits: Digits, numbers: str) -> int:
    """How many messages one sum of either sign is, or that beside a sum of weights, which is not negative.

    Infinities are messages unless the reading saturates. NaN is none: it stays, and is answered with 0, but y is to be accepted at z = y.
    """
    form, infinities = semantics.format(digits), semantics.overflow != "saturate"
    sums = Alphabet(form, infinities=infinities).count()
    return sums if numbers == "one" else sums * Alphabet(form, nonnegative=True, infinities=infinities).count()


def _outdone(question: Question, witness: Finding, bits: int, given: LowerBound) -> Finding:
    """A transformer with fewer bits than the bound allows."""
    smaller = find_claim(f"{question.claim.paper}/{given.smaller}")
    point = smaller.complete({k: v for k, v in question.parameters.items() if k in {p.name for p in smaller.parameters}})
    columns = "A X has a partial sum for each column that W^V uses, and Alice knows them all"
    return Finding(
        Verdict.REFUTED,
        Scope(f"transformers of {bits} bits {question.at}; the one found is checked on {witness.scope.statement}", 1, witness.scope.method),
        witness.witness,
        reason=f"where A X is formed first {given.fewest} bits suffice: {columns}",
        counterexample={**{k: str(v) for k, v in point.items()}, "bits": str(given.fewest), "transformer": given.smaller},
        replay=judge_words(smaller, Edition.STATEMENT, point, question.semantics),
    )


class Excluded(Struct, frozen=True, forbid_unknown_fields=True):
    """bound: a number of bits, a formula; numbers: how many numbers of fewer bits are messages too few."""

    bound: str
    numbers: Literal["one", "two"]


def counted_bound(question: Question, given: Excluded) -> Finding:
    """The bound is what counting messages gives: every format of one bit less has too few, and some format of so many bits has enough."""
    inputs, bound = len(problem_of(question).occurring("y")), value_of(question, given.bound)
    formats = [Digits(k, bits - k) for bits in (bound - 1, bound) for k in range(1, bits)]
    found = {d: messages(question.semantics, d, given.numbers) for d in formats}
    enough = {bits: max((found[d] for d in formats if d.bits == bits), default=1) for bits in (bound - 1, bound)}
    scope = Scope(
        f"all {len(formats):,} formats of {bound - 1} and {bound} bits, {given.numbers} of whose numbers are sent {question.at}",
        len(formats),
        "counting",
    )
    shown = "; ".join(f"{bits} bits: at most {most:,} messages" for bits, most in enough.items())
    reason = f"{shown}; Alice has {inputs:,} inputs"
    if enough[bound - 1] < inputs <= enough[bound]:
        return Finding(Verdict.VERIFIED, scope, reason=reason)
    point = {k: str(v) for k, v in question.parameters.items()}
    return Finding(Verdict.REFUTED, scope, reason=reason, counterexample={**point, "bound": str(bound), "inputs": str(inputs)})


def alice_tokens(question: Question, given: Tokens) -> Finding:
    """The tokens first … last hold bits of y only, all others bits of z only."""
    prepared = well_formed(question)
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared
    first, last = value_of(question, given.first), value_of(question, given.last)
    indices = {t.index for t in reading.instance.tokens} | set(range(first, last + 1))
    read = {t.index: {bit.string for bit in t.reads} for t in reading.instance.tokens}

    def holds(i: int) -> bool:
        return i in read and read[i] <= {"y" if first <= i <= last else "z"}

    return for_each(
        sorted(indices),
        holds,
        lambda i: {"token": str(i), "reads": ", ".join(sorted(read.get(i, ()))) or "there is no such token"},
        lambda cases: Scope(f"all {cases:,} tokens {question.at} against S = {{{first}, …, {last}}}", cases, "enumeration"),
        "a token stands on the wrong side",
        witness=witness,
    )

"""Judges of Appendix C, floating point: the numbers of precision (t, e), compared with the format of every verdict (Definition A.10); sums
and products of such numbers in the proofs, apart from any table; fooling sets, counts of promised inputs and the communication that they
force; bounds for transformers: the messages of one sum or two, and Alice's tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product, zip_longest
from typing import Literal

import numpy as np

from constructions.every_bit_counts.judges.tables import undefined
from constructions.every_bit_counts.mathematics.weights import entry_at
from lowerbounds.alphabets import messages_of_sums
from verifier.arithmetic.formats import Digits, floating_point
from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.claims.finite_cases import at_point, for_each
from verifier.claims.model import Claim, Query, by_edition, declined
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges import fields
from verifier.judges.declaring import Condition, Formula, Integer, Rational, Reduction, judge
from verifier.judges.editions import edition_file, table_parameters
from verifier.judges.evaluation import Reader
from verifier.judges.formula import assignments
from verifier.judges.tables import well_formed
from verifier.language import arrays, exact
from verifier.language.array_values import Strings
from verifier.language.definitions import inlined_text
from verifier.language.exact import Bits, Given
from verifier.language.printer import printed
from verifier.language.syntax import names_in, parse
from verifier.language.tree import Comparison, Slice
from verifier.networks.indices import field
from verifier.networks.instantiate import names_at, pair_length
from verifier.networks.problems import Problem, bits_of, promise_at
from verifier.proofs.domain import conjuncts
from verifier.running.errors import LimitError, amount
from verifier.running.limits import strings_of


def diagonal(promise: str, length: str) -> tuple[str, list[str]] | None:
    """The number of strings of this length that keep ``y <= z`` and conditions on bits as (x, x); None for a promise of another kind.

    It comes with the conditions under which it is right: the bits of no two conditions overlap, all lie inside the string, and each
    excluded number is one that they can spell.
    """
    ordered, ends, widths, spelled = False, ["0"], list[str](), list[str]()
    for condition in conjuncts(parse(promise)):
        match condition:
            case _ if printed(condition) == "y <= z":
                ordered = True
            case Comparison(Slice(_, start, stop), (operator,), (number,)) if operator == "!=" or (operator, printed(number)) == (">", "0"):
                first, last = printed(start), printed(stop if stop is not None else start)
                ends += [first, last]
                widths.append(f"(({last}) - ({first}) + 1)")
                spelled.append(f"0 <= ({printed(number)}) < 2**{widths[-1]}")
            case _:
                return None
    apart = [f"({a}) {'<' if k % 2 == 0 and k < 2 * len(widths) else '<='} ({b})" for k, (a, b) in enumerate(pairwise([*ends, length]))]
    size = " * ".join([f"2**({' - '.join([f'({length})', *widths])})", *(f"(2**{width} - 1)" for width in widths)])
    return (size, apart + spelled) if ordered else None


PAIR_BY_PAIR = 1 << 23
"""Fooling sets with more pairs than this are checked by the order of the strings."""


def problem_of(query: Query, *, repaired: bool = False) -> Problem:
    """The function and the promise of the claim's table as printed (or repaired), even if the table is ill-formed.

    Raises:
        LimitError: more strings than ``--limit``.
    """
    assert query.claim.table is not None
    source = query.claim.table.source
    file = source.repaired() if repaired else source.file
    names = names_at(file, table_parameters(query.claim, query.parameters))
    problem = Problem(file.problem.function, promise_at(file.problem.promise, names), pair_length(file, names))
    _listed(query, problem.length)
    return problem


def _listed(query: Query, length: int) -> None:
    """Check that all strings of this length may be listed, in arrays.

    Raises:
        LimitError: they are more than ``--limit``.
    """
    if strings_of(length) > query.limits.states:
        raise LimitError(f"{amount(strings_of(length))} strings, the limit is {query.limits.states:,}", "--limit")


def strings_with(query: Query, condition: str, length: int) -> list[int]:
    """The strings x of this length that satisfy the condition, ascending."""
    _listed(query, length)
    asked = inlined_text(condition, query.claim.lets)
    kept = arrays.truth(asked, {**query.names, "x": Strings.every(length)})
    return [int(x) for x in np.flatnonzero(np.broadcast_to(kept, (1 << length,)))]


def fooling_set(query: Query, problem: Problem, members: list[int], what: str, needed: int | None = None) -> Outcome:
    """Whether the pairs (x, x) are a fooling set, and, if ``needed`` is given, whether it forces that many bits.

    The check goes pair by pair; for more than :data:`PAIR_BY_PAIR` pairs, by the order of the strings.
    """
    from lowerbounds.fooling import by_order, check_fooling_set

    each_pair = len(members) ** 2 // 2 <= min(PAIR_BY_PAIR, query.limits.states)
    found = check_fooling_set(problem, [(x, x) for x in members]) if each_pair else by_order(problem, members)
    method = "enumeration" if each_pair else "counting"
    scope = Scope(f"{what}: all {max(found.pairs, 1):,} pairs of {found.size:,} members", max(found.pairs, 1), method)
    if found.bad is not None:
        return Outcome(Verdict.REFUTED, scope, reason=str(found.bad), counterexample={"pair": str(found.bad)})
    if needed is None or found.bits >= needed:
        return Outcome(Verdict.VERIFIED, scope, f"fooling set of size {found.size:,}", reason=f"at least {found.bits} bits", failures=0)
    return Outcome(
        Verdict.REFUTED,
        scope,
        reason=f"Alice has {found.size:,} different y only: naming hers takes {found.bits} bits, {needed} were claimed",
        counterexample={"claimed": str(needed), "found": str(found.bits), "inputs of Alice": str(found.size)},
    )


@judge
def is_fooling_set(query: Query, *, members: str, bits: Integer | None = None) -> Outcome:
    """Check pair by pair whether the set is a fooling set under the table's promise (Definition A.5).

    members: the condition on x of its pairs (x, x); bits: the number that it is claimed to force.
    """
    problem = problem_of(query)
    return fooling_set(query, problem, strings_with(query, members, problem.length), f"the set {query.at}", bits)


def _every_length(claim: Claim, fixed: Mapping[str, int], *, bits: str) -> Reduction | None:
    """Judge every length: all (x, x) that keep the table's promise, counted by a formula, are more than fewer bits can distinguish."""
    assert claim.table is not None
    file = claim.table.source.file
    found = diagonal(file.problem.promise, str(file.problem.length))
    if found is None or file.problem.function != "EQ":
        return None
    size, apart = found
    said = [f"{size} > 2**(({bits}) - 1)", *apart]
    because = (
        "the pairs (x, x) that keep the promise are a fooling set, since (x, x') keeps it for x < x': each condition is on one string, "
        "and both x and x' meet it"
    )
    derived = {name: str(value) for name, value in file.derived.items()}
    return Reduction(tuple(printed(inlined_text(text, derived)) for text in said), because)


@judge(for_every=_every_length)
def communication(query: Query, *, bits: Integer) -> Outcome:
    """Alice needs at least this many bits: all (x, x) that keep the promise are the largest fooling set, because naming y is a protocol."""
    problem = problem_of(query)
    query.within(strings_of(problem.length), "strings")
    every = np.arange(1 << problem.length)
    members = np.flatnonzero(problem.promises(every, every)).tolist()
    alone = {int(y) for y in problem.occurring("y")}
    assert alone == set(members), "a promised y without (y, y) would need an argument of its own"
    found = fooling_set(query, problem, members, f"at least {bits} bits {query.at}, {problem.promise}", bits)
    return replace(found, speaks_of={"promise": problem.promise})


SOME = Condition("size > 0")


def defined(query: Query, value: Formula, besides: Sequence[Rational]) -> list[Fraction]:
    """The values of all quadruples with |a| = t − 1 and |b| = e − 1, and the additional ones, ascending, each once.

    value: the number that the quadruple s_a, a, s_b, b represents; besides: values that no quadruple has.
    """
    t, e = query["t"], query["e"]
    query.within(strings_of(t + e), "quadruples")
    found = {value(s_a=s_a, a=a, s_b=s_b, b=b) for s_a in (0, 1) for a in range(1 << t - 1) for s_b in (0, 1) for b in range(1 << e - 1)}
    return sorted(found | set(besides))


def _every_precision(claim: Claim, fixed: Mapping[str, int], *, value: str, besides: Sequence[str]) -> Reduction | None:
    """Definition A.10 for every (t, e): the quadruples are ±k 2^x with integers 2^(t-1) <= k < 2^t and |x + t - 1| < 2^(e-1)."""
    if besides:
        return None
    said = (f"({value}) == (1 - 2*s_a)*(2**(t - 1) + a)*2**((1 - 2*s_b)*b - (t - 1))", "1 + (t - 1) + 1 + (e - 1) == t + e")
    digits = {"s_a": "0 <= s_a <= 1", "a": "0 <= a <= 2**(t - 1) - 1", "s_b": "0 <= s_b <= 1", "b": "0 <= b <= 2**(e - 1) - 1"}
    because = "k = 2^(t-1) + a takes every integer from 2^(t-1) to 2^t - 1 once, and the exponent every one of absolute value below 2^(e-1)"
    return Reduction(said, because, digits)


@judge(for_every=_every_precision)
def values(query: Query, *, value: Formula, besides: Sequence[Rational] = ()) -> Outcome:
    """Compare the definition's values with those of the format, one by one, except zero."""
    t, e = query["t"], query["e"]
    used = [x for x in floating_point(t, e).values() if x != 0]
    return for_each(
        zip_longest(defined(query, value, besides), used),
        lambda row: row[0] == row[1],
        lambda row: {"definition": str(row[0]), "format": str(row[1])},
        lambda cases: Scope(f"all {cases:,} non-zero values {query.at}", cases, "enumeration"),
        "the definition's values and the format's values differ",
    )


@judge
def said(query: Query, *, value: Formula, besides: Sequence[Rational] = (), holds: Condition = SOME, some: bool = False) -> Outcome:
    """Judge the condition on the number of values, or on one of them.

    holds: a condition on ``size``, the number of values, or on one value ``x`` (``some``).
    """
    found = defined(query, value, besides)
    kept = any(holds(size=len(found), x=x) for x in found) if some else holds(size=len(found))
    scope = Scope(f"the {len(found):,} values {query.at}: {holds}{' for one of them' if some else ''}", len(found), "enumeration")
    if kept:
        return Outcome(Verdict.VERIFIED, scope)
    point = at_point(query)
    shown = {"values": str(len(found)), "smallest magnitude": str(min(abs(x) for x in found))}
    return Outcome(Verdict.REFUTED, scope, reason=f"of {len(found):,} values {'none' if some else 'all'}", counterexample=point | shown)


FEWEST = 3
"""Bits (t, e) of the smallest transformer that is known where the numerator may be any."""
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
    promise: Literal["printed", "repaired"] = "printed",
) -> Outcome:
    """No transformer of at most this many bits computes the function: its messages are fewer than Alice's promised inputs.

    Any two promised y1 < y2 differ at z = y2, so a protocol needs a message for each. Formats (t', e') of fewer bits have no more values
    than those of this many bits. The statement is false if a transformer of so few bits computes the function.

    bits: the number that does not suffice; numbers: the count that Alice sends, one in linear attention, two (with the denominator) in
    softmax;
    numerator: whether a transformer may have any numerator, or one running sum only.
    smaller: the claim that a transformer of few bits suffices if the numerator may be any (:data:`FEWEST`).
    promise:   that of the claim's table as printed, or with the promises that its errata add.
    given:     the claim that the input representation is defined. If no errata make it so, the bound is empty.
    """
    without = undefined(query, given)
    if without is not None:
        return without
    any_numerator = numerator == "any"
    columns_first = query.semantics.order == "ax"  # elsewhere every transformer has one running sum
    if any_numerator and columns_first and query.edition is Edition.STATEMENT and bits >= FEWEST:
        witness = query.ask(smaller)
        if witness.verdict is Verdict.VERIFIED:
            return _outdone(query, witness, bits, smaller)
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
    """The number of messages that one sum of either sign can be, or one beside a sum of weights, which is not negative.

    Infinities are messages unless the reading saturates. NaN is not counted: it stays NaN and is answered with 0, but y must be accepted at
    z = y.
    """
    sums, weights = messages_of_sums(semantics.form(digits), semantics.overflow != "saturate")
    return sums if numbers == "one" else sums * weights


def _outdone(query: Query, witness: Outcome, bits: int, name: str) -> Outcome:
    """A transformer with fewer bits than the bound allows."""
    smaller = find_claim(f"{query.claim.paper}/{name}")
    point = smaller.complete({k: v for k, v in query.parameters.items() if k in {p.name for p in smaller.parameters}})
    columns = "A X has a partial sum for each column that W^V uses, and Alice knows them all"
    return Outcome(
        Verdict.REFUTED,
        Scope(f"transformers of {bits} bits {query.at}; the one found is checked on {witness.scope.statement}", 1, witness.scope.method),
        witness.witness,
        reason=f"where A X is formed first {FEWEST} bits suffice: {columns}",
        counterexample={**{k: str(v) for k, v in point.items()}, "bits": str(FEWEST), "transformer": name},
        speaks_of=witness.speaks_of,
    )


@judge
def counted_bound(query: Query, *, bound: Integer, numbers: Literal["one", "two"]) -> Outcome:
    """The bound is the result of counting messages: every format of one bit less has too few, and some format of this many bits has enough.

    bound: a number of bits; numbers: the count of numbers of fewer bits that are too few messages.
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


Names = Mapping[str, Given]
ONCE = Formula("1")


@judge
@by_edition
def rounded(
    query: Query,
    *,
    sign: Literal["+", "*"],
    of: list[str],
    is_: str,
    times: Formula = ONCE,
    each: Mapping[str, str] = {},
    when: str = "1 == 1",
    entry: Mapping[str, list[str]] = {},
    quantities: Sequence[str] = (),
) -> Outcome:
    """``of``, exact numbers that are added (or multiplied) from left to right in precision (t, e), give ``is``; the first is rounded as
    well.

    Formulas in the parameters, the names of ``each`` (ranges, both ends included), the promised string y and a bit z_m.
    times: the number of repetitions of the last one; when: the intended cases.
    entry: names for entries of the edition's table, by their places (``row.10.zero.3``); each of several places is a case.
    quantities: of the table, each with all values that its bits allow.
    """
    machine, count = query.semantics.machine(Digits(Formula("t", query).integer(), Formula("e", query).integer())), times.integer()
    operation = machine.add if sign == "+" else machine.multiply
    ranges, places = dict(each), [dict[str, str]()]
    if entry or quantities:
        assert query.claim.table is not None
        file, outside = edition_file(query.claim, query.edition, query.parameters)
        if outside:
            return declined(outside)
        at = names_at(file, table_parameters(query.claim, query.parameters))
        ranges |= {name: f"0 .. {2 ** len(field(file.quantities[name], at, 0)) - 1}" for name in quantities}
        chosen = product(*([(name, place) for place in listed] for name, listed in entry.items()))
        places = [{name: str(entry_at(file, place)) for name, place in row} for row in chosen]
    lets = {name: text for name, text in query.claim.lets.items() if name not in quantities}
    cases: list[tuple[dict[str, str], Names, Number, Fraction]] = []
    for entries in places:
        *numbers, claimed, meant = (inlined_text(text, {**lets, **entries}) for text in (*of, is_, when))
        numbers += [numbers[-1]] * (count - 1)
        for names in _cases(query, ranges, frozenset().union(*map(names_in, (*numbers, claimed, meant)))):
            if exact.truth(meant, names):
                found = machine.round(exact.rational(numbers[0], names))
                for number in numbers[1:]:
                    found = operation(found, exact.rational(number, names))
                cases.append((entries, names, found, exact.rational(claimed, names)))
    if not cases:
        return declined(f"there is no case with {when} {query.at}")
    written = f" {sign} ".join(of) + (f" ({count} times)" if times.text != "1" else "")
    return for_each(
        cases,
        lambda case: case[2] == case[3],
        lambda case: {**case[0], **_shown(query, case[1]), "found": show(case[2]), "claimed": str(case[3])},
        lambda n: Scope(f"{'the 1 case' if n == 1 else f'all {n:,} cases'} {query.at}: {written} is {is_}", n, "enumeration"),
        "rounded it is something else",
    )


def _cases(query: Query, each: dict[str, str], used: frozenset[str]) -> Iterator[Names]:
    """Every assignment of ``each``, with every promised y and either last bit of z if the formulas use them."""
    for names in assignments(query, fields.Formula("1 == 1", each), Reader(query.claim.functions)):
        if used & {"y", "z_m"}:
            problem = problem_of(query)
            yield from ({**names, "y": Bits(int(y), problem.length), "z_m": bit} for y in problem.occurring("y") for bit in (0, 1))
        else:
            yield names


def _shown(query: Query, case: Names) -> dict[str, str]:
    own = {k: v for k, v in case.items() if k not in query.parameters}
    return {k: bits_of(v.number, v.length) if isinstance(v, Bits) else str(v) for k, v in own.items()}

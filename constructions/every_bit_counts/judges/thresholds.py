"""The possible lengths of strings (ours): with one value column, for the fewest bits by search; with a numerator that is one running sum,
by the states that the last bits must still distinguish.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from lowerbounds.alphabets import exclusion
from lowerbounds.running_sums import COUPLINGS, Coupling, RunningSums, Sums
from verifier.arithmetic.machine import RoundingRule
from verifier.arithmetic.numbers import INF, NEG_INF, Number, show
from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.semantics import Semantics
from verifier.claims.finite_cases import at_point
from verifier.claims.model import Query, declined
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Integer, judge
from verifier.language.syntax import LARGEST
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Advance, silent

if TYPE_CHECKING:
    from lowerbounds.last_bits import Backwards, Table
    from lowerbounds.one_column import Attempt
    from verifier.certificates.statement import Certificate, Subject

MOST_BITS = 3
"""The searches over all choices end within seconds up to here."""
MOST_CLAUSES = 60_000


def _searched(query: Query, q: int, m: int) -> str:
    """The sizes: q bits of the numbers, and m of the strings.

    Raises:
        LimitError: more bits than the searches accept, or a semantics that they do not support.
    """
    if q > MOST_BITS:
        raise LimitError(f"{q} bits: the searches are made for {MOST_BITS} bits at most", "a smaller --q")
    if query.semantics.order != "ax" or query.semantics.ln2 != "ideal":
        raise LimitError("the search knows the order ax with ideal ln 2", "--arithmetic a4")
    return f"at q = {q}, m = {m}"


def _excluded(scope: Scope, reason: str, q: int, m: int) -> Outcome:
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={"q": str(q), "m": str(m)})


@judge
def tell_apart(query: Query, *, bits: Integer, length: Integer) -> Outcome:
    """Whether some scores and values give all of Alice's strings different pairs of sums that can still be accepted."""
    q, m, at = bits, length, _searched(query, bits, length)
    count = exclusion(query.semantics, q, m)
    if count.proves:
        return _excluded(Scope(f"every choice {at}", count.messages, "counting"), str(count), q, m)
    found = _by_last_bits(query, q, m, "score")
    if found.verdict is Verdict.VERIFIED:
        return _excluded(found.scope, found.reason or "", q, m)
    if found.counterexample is None:
        return found
    table = {name: text for name, text in found.counterexample.items() if name.startswith("y_")}
    witness = f"a table of (product, weight) of {q} bits, the weight is 0 or 2^score"
    return Outcome(Verdict.VERIFIED, found.scope, witness, values=table, failures=0)


def _size(weight: Fraction, outcome: Attempt) -> str:
    proof = f", a proof of {outcome.lemmas:,} lemmas" if outcome.lemmas else ""
    return f"W^V = {weight}: {outcome.variables:,} variables, {outcome.clauses:,} clauses{proof}"


MOST_TOKENS = 14
"""The most tokens, with the last one, for which the SAT search runs."""


@judge
def one_value_column(
    query: Query, *, bits: Integer, length: Integer, n: Integer, representation: str, known: str = "", apart: str = ""
) -> Outcome:
    """Judge whether a transformer whose W^V has one nonzero row computes EQ_m, by the known one where it applies and else by every choice.

    A choice consists of weights and values, representable, with ideal ln 2, and of the accepted outputs, as a SAT problem.

    n: the last token; representation: of the input; known: the claim of a table with one column, where it applies;
    apart: the claim that Alice's strings can be separated, without which nothing is decided.
    """
    from lowerbounds.one_column import search

    table = find_claim(f"{query.claim.paper}/{known}") if known else None
    if table is not None and table.outside(query.parameters) is None:
        return query.ask(table.id, Edition.STATEMENT)
    told = query.ask(apart, Edition.STATEMENT, q=bits, m=length) if apart else None
    if told is not None and told.verdict is Verdict.REFUTED:
        return told
    if n + 1 > MOST_TOKENS:
        raise LimitError(f"the search takes at most {MOST_TOKENS} tokens, n + 1 = {n + 1}", "fewer tokens")
    if query.semantics.order == "values" or query.semantics.ln2 != "ideal":
        raise LimitError("the search knows the orders ax and products, with ideal ln 2", "--arithmetic a4 or narrative")
    try:
        outcomes = search(query.semantics, bits, representation, length, n, proved=True, most_clauses=MOST_CLAUSES)
    except LimitError as limit:
        return Outcome(Verdict.OPEN, Scope(query.at), reason=f"not settled: {limit}")
    point = at_point(query) | {"m": str(length)}
    if not outcomes:
        scope, reason = Scope(f"every weight {query.at}", 1, "enumeration"), f"{bits}-bit numbers have no positive value"
        return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=point)
    weights = ", ".join(str(weight) for weight, _ in outcomes)
    choices = f"every choice of a weight and a value for each token and bit, W^V in {weights} or their negatives, any final MLP"
    at = query.at if "m" in query.parameters else f"{query.at}, m = {length}"
    scope = Scope(f"{choices} {at}", len(outcomes), "SAT (CaDiCaL)")
    sizes = "; ".join(_size(weight, outcome) for weight, outcome in outcomes)
    if outcomes[-1][1].satisfiable:
        cases = 2**length * (2**length + 1) // 2
        replayed = Scope(f"all {cases:,} pairs y <= z {query.at}", cases, "replay")
        return Outcome(Verdict.VERIFIED, replayed, "a table found by SAT", reason=sizes, failures=0)
    reason = f"no table exists: unsatisfiable for every W^V ({sizes}); unit propagation checks every lemma"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=point)


def certificate_of_one_column(subject: Subject, semantics: Semantics, evidence: bool = True) -> Certificate:
    """A certificate that no choice of tokens, W^V and accepted outputs decides EQ. The checker finds the evidence itself, from the output
    backwards.

    Raises:
        InputError: another order of evaluation, which the checker does not know.
    """
    from verifier.certificates.one_sum import statement_of_sums

    if semantics.order != "ax":
        raise InputError("certificates are of the order ax; --arithmetic a4 was expected")
    q, m = subject.parameters["q"], subject.parameters["m"]
    return statement_of_sums(subject, semantics, "one-column", m, q, "product")


MOST_SEARCHED = 4
"""Bits up to which every choice on a grid is searched."""


@judge
def fewest_on_a_grid(
    query: Query, *, p: Integer, length: Integer, tokens: Integer, representation: str, order: str, excluded: str = "", known: str = ""
) -> Outcome:
    """The fewest bits of one fixed grid with which one value column and any set of accepted outputs compute EQ_m, or bounds.

    For few tokens, every weight and value of every token, and every set of outputs, are tried as SAT problems of ascending bits.
    Otherwise p bits or more are needed, by the claim that excludes fewer, and at most p + 1, by a table.

    tokens: the number n of tokens before the last one; representation: of the input; order: ``ax`` or ``products``;
    excluded: the claim that q bits do not separate all of Alice's strings; known: the claim of a table of p + 1 bits.
    """
    from lowerbounds.one_column import search

    semantics = replace(query.semantics, point="grid", order=order)
    if tokens + 1 > MOST_TOKENS and known:
        return _bounds(query, p, length, tokens, semantics, excluded, known)
    if tokens + 1 > MOST_TOKENS or semantics.ln2 != "ideal":
        raise LimitError(f"the search takes {MOST_TOKENS} tokens, and ideal ln 2", "a smaller --p")
    for bits in range(1, MOST_SEARCHED + 1):
        found = search(semantics, bits, representation, length, tokens, proved=True)
        if found and found[-1][1].satisfiable:
            scope = Scope(f"every choice with up to {bits} bits {query.at}, m = {length}", bits, "SAT (CaDiCaL)")
            fewer = f"with {bits - 1} no table exists" if bits > 1 else "there are no fewer"
            return Outcome(Verdict.VERIFIED, scope, f"{bits} bits; {fewer}")
    return declined(f"no table with up to {MOST_SEARCHED} bits {query.at}")


def _bounds(query: Query, p: int, length: int, tokens: int, semantics: Semantics, excluded: str, known: str) -> Outcome:
    def ask(claim: str, **parameters: int) -> Outcome:
        return query.asker.ask(f"{query.claim.paper}/{claim}", Edition.STATEMENT, parameters, semantics)

    above, below = ask(known, p=p + 1, n=tokens), ask(excluded, q=p, m=length)
    if above.verdict is not Verdict.VERIFIED:
        return declined(f"no table with {p + 1} bits is known {query.at}")
    enough = f"{p + 1} are enough by {known}"
    if below.verdict is Verdict.VERIFIED:
        scope = Scope(f"{below.scope.statement}; {above.scope.statement}", below.scope.cases, below.scope.method)
        return Outcome(Verdict.VERIFIED, scope, f"{p + 1} bits; with {p} the running sums do not tell all strings y apart, and {enough}")
    counted = exclusion(semantics, p - 1, length)
    if not counted.proves:
        return declined(f"{p - 1} bits are not excluded by counting {query.at}")
    scope = Scope(f"every choice with {p - 1} bits {query.at}; {above.scope.statement}", counted.messages, "counting")
    return Outcome(Verdict.VERIFIED, scope, f"{p} or {p + 1} bits; with {p - 1} there are too few pairs of sums ({counted}), and {enough}")


MOST_STEPS = 1 << 26
"""The number of pairs of maps, edges and members of codes after which the search gives up."""


class KnownTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that separates strings on T0, of numbers of this many bits.

    tokens: for each token of y the product and the weight for the bit 0, then those for 1, as ``1/2 1 | -1 1/4``.
    """

    bits: int
    tokens: list[str]

    @property
    def table(self) -> Table:
        return [(zero, one) for zero, one in (map(_sums, text.split("|")) for text in self.tokens)]


def _sums(text: str) -> Sums:
    infinite: dict[str, Number] = {"inf": INF, "-inf": NEG_INF}
    product, weight = (infinite.get(word) or rational(word) for word in text.split())
    return product, weight


@judge
def too_many_strings(query: Query, *, bits: Integer, length: Integer, known: Sequence[KnownTable] = ()) -> Outcome:
    """Prove from the last bit backwards that no tokens of the coupling reach 2^m different states; a table that reaches them refutes it.

    known: tables from a random search; each is run on every string before it counts.
    """
    most = MOST_BITS + (query.semantics.point == "grid")
    if bits > most or length > LARGEST:
        raise LimitError(f"{bits} bits: the search through pairs of maps takes at most {most} bits", "a smaller --q")
    return _by_last_bits(query, bits, length, COUPLINGS[query["coupling"]], known)


def _by_last_bits(query: Query, q: int, m: int, coupling: Coupling, known: Sequence[KnownTable] = ()) -> Outcome:
    """Verified if no tokens reach 2^m different states, refuted by a table; open if the search takes too long."""
    sums = _sums_of(query.semantics.point, query.semantics.scale, query.semantics.rule, q, coupling)
    at = f"at q = {q}, m = {m}, products: {coupling}"
    states = len(sums.states)
    if states < 1 << m:
        reason = f"{states} states are reached and can still be accepted, fewer than 2^{m} = {1 << m:,}"
        return Outcome(Verdict.VERIFIED, Scope(f"every state {at}", max(states, 1), "reachability"), reason=reason)
    from lowerbounds.last_bits import tells_apart

    for each in known:
        if each.bits == q and len(each.tokens) >= m and tells_apart(sums, each.table[:m]):
            return _told_apart(each.table[:m], q, m, at)
    try:
        found = _searched_backwards(sums, m, query.advance)
    except LimitError as limit:
        return Outcome(Verdict.OPEN, Scope(f"{states} states {at}"), reason=f"not settled: {limit}")
    if found.found is not None:
        assert tells_apart(sums, found.found), "the table found does not replay"
        return _told_apart(found.found, q, m, at)
    scope = Scope(f"every pair of the {len(sums.maps)} maps of {states} states, from the last bit back, {at}", found.pairs, "matchings")
    return Outcome(Verdict.VERIFIED, scope, reason=str(found))


@lru_cache(maxsize=32)
def _sums_of(point: str, scale: object, rule: RoundingRule, bits: int, coupling: Coupling) -> RunningSums:
    """The sums of a machine: the order in which a semantics takes its products does not matter here."""
    semantics = Semantics(point=point, scale=scale, rounding=rule.rounding, ties=rule.ties, overflow=rule.overflow)  # type: ignore[arg-type]
    return RunningSums(semantics, bits, coupling)


_FOUND: dict[tuple[Semantics, int, Coupling, int], Backwards] = {}


def _searched_backwards(sums: RunningSums, length: int, advance: Advance = silent) -> Backwards:
    """One search for each machine, coupling and length.

    Raises:
        LimitError: more steps than ``MOST_STEPS``.
    """
    from lowerbounds.last_bits import last_bits

    key = sums.semantics, sums.bits, sums.coupling, length
    if key not in _FOUND:
        spent = 0

        def spend(steps: int) -> None:
            nonlocal spent
            advance("pairs of maps and edges", spent, MOST_STEPS)
            spent += steps
            if spent > MOST_STEPS:
                raise LimitError(
                    f"more than {MOST_STEPS:,} pairs of maps and edges of {sums.bits}-bit sums at m = {length}", "a smaller --m"
                )

        _FOUND[key] = last_bits(sums, length, spend=spend)
    return _FOUND[key]


def _told_apart(table: Table, q: int, m: int, at: str) -> Outcome:
    tokens = {f"y_{i}": " | ".join(f"{show(x)} {show(w)}" for x, w in pair) for i, pair in enumerate(table, 1)}
    return Outcome(
        Verdict.REFUTED,
        Scope(f"all {1 << m:,} strings {at}", 1 << m, "replay"),
        reason="a table gives all strings different sums: product and weight for the bit 0 | for the bit 1",
        counterexample={"q": str(q), "m": str(m), **tokens},
    )


def certificate(subject: Subject, semantics: Semantics, evidence: bool = True) -> Certificate:
    """The barriers, for the last bit's token, of every pair of maps that counting does not exclude.

    Raises:
        InputError: more bits than the search accepts, or pairs of maps that the last bit alone does not exclude.
    """
    from lowerbounds.last_bits import barriers
    from verifier.certificates.one_sum import one_sum_evidence, statement_of_sums

    parameters = subject.parameters
    q, m, coupling = parameters["q"], parameters["m"], COUPLINGS[parameters["coupling"]]
    if q > MOST_BITS or m < 2:
        raise InputError(f"certificates are of at most {MOST_BITS} bits, and of strings of two bits or more")
    statement = statement_of_sums(subject, semantics, "one-sum", m, q, coupling)
    if not evidence:
        return statement
    sums = _sums_of(semantics.point, semantics.scale, semantics.rule, q, coupling)
    found, going_on = barriers(sums, m)
    if going_on:
        raise InputError(f"barriers of the last bit alone do not exclude every table of {m} bits, and certificates hold nothing else")
    return {**statement, **one_sum_evidence(b.states for b in found)}

"""How long strings can be where the numerator is one running sum: what the last bits must still tell apart (ours)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from constructions.every_bit_counts.judges.thresholds import MOST_BITS
from lowerbounds.last_bits import Backwards, Table, barriers, last_bits, tells_apart
from lowerbounds.running_sums import COUPLINGS, Coupling, RunningSums, Sums
from verifier.arithmetic.machine import RoundingRule
from verifier.arithmetic.numbers import INF, NEG_INF, Number, show
from verifier.arithmetic.rationals import rational
from verifier.arithmetic.semantics import Semantics
from verifier.certificates.one_sum import one_sum_facts
from verifier.certificates.statement import Certificate
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Integer, judge
from verifier.language.syntax import LARGEST
from verifier.networks.problems import Problem
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Advance, silent

MOST_STEPS = 1 << 26
"""How many pairs of maps, edges and members of codes are looked at before the search is given up."""


class KnownTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that tells strings apart on T0, of numbers of so many bits.

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
    """No tokens of the coupling leave 2^m different states: by going backwards from the last bit; refuted by a table that does it.

    known: tables that were found by a search at random; each is run on every string before it counts.
    """
    q, m = bits, length
    coupling = COUPLINGS[query["coupling"]]
    most = MOST_BITS + (query.semantics.point == "grid")
    if q > most or m > LARGEST:
        raise LimitError(f"{q} bits: pairs of maps are gone through for {most} bits at most", "a smaller --q")
    sums = _sums_of(query.semantics.point, query.semantics.scale, query.semantics.rule, q, coupling)
    at = f"at q = {q}, m = {m}, products: {coupling}"
    states = len(sums.states)
    if states < 1 << m:
        reason = f"{states} states are reached and can still be accepted, fewer than 2^{m} = {1 << m:,}"
        return Outcome(Verdict.VERIFIED, Scope(f"every state {at}", states, "reachability"), reason=reason)
    for each in known:
        if each.bits == q and len(each.tokens) >= m and tells_apart(sums, each.table[:m]):
            return _told_apart(each.table[:m], q, m, at)
    try:
        found = _searched(sums, m, query.advance)
    except LimitError as limit:
        return Outcome(Verdict.OPEN, Scope(f"{states} states {at}"), reason=f"not settled: {limit}")
    if found.found is not None:
        return _told_apart(found.found, q, m, at)
    scope = Scope(f"every pair of the {len(sums.maps)} maps of {states} states, from the last bit back, {at}", found.pairs, "matchings")
    return Outcome(Verdict.VERIFIED, scope, reason=str(found))


@lru_cache(maxsize=32)
def _sums_of(point: str, scale: object, rule: RoundingRule, bits: int, coupling: Coupling) -> RunningSums:
    """The sums of a machine: the order in which a semantics takes its products is no matter here."""
    semantics = Semantics(point=point, scale=scale, rounding=rule.rounding, ties=rule.ties, overflow=rule.overflow)  # type: ignore[arg-type]
    return RunningSums(semantics, bits, coupling)


_FOUND: dict[tuple[Semantics, int, Coupling, int], Backwards] = {}


def _searched(sums: RunningSums, length: int, advance: Advance = silent) -> Backwards:
    """One search for each machine, coupling and length.

    Raises:
        LimitError: more steps than ``MOST_STEPS``.
    """
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


def certificate(parameters: Mapping[str, int], semantics: Semantics) -> Certificate:
    """The barriers, for the last bit's token, of every pair of maps that counting leaves; and the exclusions of earlier bits for the pairs
    that remain.

    Raises:
        InputError: more bits than are searched, a table that tells the strings apart, or pairs that only the first bit excludes.
    """
    q, m, coupling = parameters["q"], parameters["m"], COUPLINGS[parameters["coupling"]]
    if q > MOST_BITS or m < 2:
        raise InputError(f"certificates are of at most {MOST_BITS} bits, and of strings of two bits or more")
    sums = _sums_of(semantics.point, semantics.scale, semantics.rule, q, coupling)
    found, going_on = barriers(sums, m)
    before = _searched(sums, m) if going_on else Backwards()
    if before.possible:
        raise InputError(f"a table tells strings of {m} bits apart")
    if before.levels and before.levels[-1].continued:
        raise InputError(f"only the first bit excludes some tables of {m} bits, and certificates say no more than the bits behind it")
    covers = {path: [(c.least, c.weights) for c in listed] for path, listed in before.covers.items()}
    return one_sum_facts(semantics, Problem("EQ", "y <= z", m), q, coupling, ((b.zero, b.one, b.states) for b in found), covers)

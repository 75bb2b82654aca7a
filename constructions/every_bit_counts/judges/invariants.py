"""Families with a fixed number of bits that compute EQ on strings of every length, by a set of states that is closed (ours)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from constructions.every_bit_counts.mathematics.two_bit_transformer import VARIANTS, two_bit_transformer
from verifier.arithmetic.numbers import show
from verifier.arithmetic.semantics import Semantics
from verifier.certificates.every_length import every_length as every_length_certificate
from verifier.certificates.statement import Certificate, Subject
from verifier.claims.model import Query, declined
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.engines.columns import EVERY_LENGTH, Family, family_of, invariant
from verifier.judges.declaring import judge
from verifier.judges.editions import edition_instance
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution


@judge
def every_length(query: Query, *, sizes: Sequence[Mapping[str, int]], representation: str = "") -> Outcome:
    """The construction computes EQ on strings of every length: its positions are alike at these sizes, and so is every longer string's.

    sizes: parameters of the construction, at which its form is read, the smallest first;
    representation: of the two-bit transformer; without it the claim's table is meant.
    """
    found: Outcome | None = None
    for executions in _variants(query, sizes, representation):
        made = _judged(executions)
        if made.verdict is Verdict.VERIFIED:
            return made
        found = found or made
    assert found is not None
    return found


def _variants(query: Query, sizes: Sequence[Mapping[str, int]], representation: str) -> Iterator[list[Execution]]:
    """The construction at its sizes, in each of its variants."""
    if not representation:
        yield [Execution(edition_instance(query.claim, Edition.PRINTED, size), query.semantics) for size in sizes]
        return
    for variant in VARIANTS:
        yield [Execution(two_bit_transformer(representation, size["p"], size["n"], variant), query.semantics) for size in sizes]


def certificate_of_every_length(subject: Subject, semantics: Semantics, evidence: bool = True) -> Certificate:
    """What a certificate of the two-bit transformer says, at the second of the sizes that its claim names, with several positions.

    Raises:
        InputError: no variant computes EQ on strings of every length under this reading.
    """
    claim = find_claim("every-bit-counts/lemma-2.5:every-length")
    size, representation = claim.fields["sizes"][1], str(claim.fields["representation"])
    for variant in VARIANTS:
        execution = Execution(two_bit_transformer(representation, size["p"], size["n"], variant), semantics)
        family = family_of(execution)
        found = invariant(execution, family) if family else None
        if found is not None and found.wrong is None:
            return every_length_certificate(subject, execution)
    raise InputError("no variant of the two-bit transformer has a closed set of states that is answered rightly")


def certificate_of_floating_every_length(subject: Subject, semantics: Semantics, evidence: bool = True) -> Certificate:
    """What a certificate of the transformer with floats of three bits says, at the second of the sizes that its claim names.

    Raises:
        InputError: it does not compute EQ on strings of every length under this reading.
    """
    claim = find_claim("every-bit-counts/lemma-c.4:every-length")
    execution = Execution(edition_instance(claim, Edition.PRINTED, claim.fields["sizes"][1]), semantics)
    family = family_of(execution)
    found = invariant(execution, family) if family else None
    if found is None or found.wrong is not None:
        raise InputError("the transformer of three bits has no closed set of states that is answered rightly")
    return every_length_certificate(subject, execution)


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

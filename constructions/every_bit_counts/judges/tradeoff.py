"""Theorem 2.4 in one table: how many bits EQ_m needs by counting, and what transformers achieve, reading by reading."""

from __future__ import annotations

from dataclasses import dataclass

from lowerbounds.alphabets import largest_excluded
from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.model import Query
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict, worst
from verifier.judges.declaring import judge


@dataclass(frozen=True)
class Halves:
    """lower, upper: the claims that p − 1 bits do not suffice, and that p bits do; witness_table: the claim of the printed table."""

    lower: str
    upper: str
    witness_table: str


@dataclass(frozen=True)
class Row:
    """The theorem at one p under one reading.

    counted: the least number of bits that counting two messages leaves possible, where the numerator is one running sum.
    """

    semantics: Semantics
    m: int
    counted: int
    lower: Outcome
    upper: Outcome
    printed: Outcome
    repaired: Outcome

    @property
    def verdict(self) -> Verdict:
        """Whether this one reading supports both halves of the theorem: the worse of the two."""
        return worst((self.lower.verdict, self.upper.verdict))

    @property
    def deciding(self) -> list[str]:
        """The halves that have this verdict."""
        return [name for name, half in (("lower half", self.lower), ("upper half", self.upper)) if half.verdict is self.verdict]

    @property
    def assumptions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.lower.assumptions, *self.upper.assumptions)))

    @property
    def values(self) -> dict[str, str]:
        """The row's cells by the names of the columns."""
        return {
            "m": str(self.m),
            "bits by counting": str(self.counted),
            "numerator": "a sum a column" if self.semantics.order == "ax" else "one sum",
            "lower half": self.lower.verdict.value,
            "upper half": self.upper.verdict.value,
            "printed table": self.printed.verdict.value,
            "repaired table": self.repaired.verdict.value,
            "witness": self.upper.witness or "none",
        }


def row(query: Query, halves: Halves, semantics: Semantics) -> Row:
    """The outcomes that a row sums up; m = 2p − 1."""

    def ask(name: str, edition: Edition = Edition.STATEMENT) -> Outcome:
        return query.asker.ask(f"{query.claim.paper}/{name}", edition, query.parameters, semantics)

    m = 2 * query["p"] - 1
    return Row(
        semantics=semantics,
        m=m,
        counted=largest_excluded(semantics, m) + 1,
        lower=ask(halves.lower),
        upper=ask(halves.upper),
        printed=ask(halves.witness_table, Edition.PRINTED),
        repaired=ask(halves.witness_table, Edition.REPAIRED),
    )


@judge
def both_halves(query: Query, *, lower: str, upper: str, witness_table: str) -> Outcome:
    """Whether the query's own reading supports both halves."""
    found = row(query, Halves(lower, upper, witness_table), query.semantics)
    verdict, deciding = found.verdict, found.deciding
    return Outcome(
        verdict,
        Scope(f"both halves {query.at}, m = {found.m}", 2, "comparison"),
        assumptions=found.assumptions if verdict is Verdict.CONDITIONAL else (),
        reason=None if verdict is Verdict.VERIFIED else f"{verdict.value}: {', '.join(deciding)}",
        counterexample={"p": str(query["p"]), verdict.value: " and ".join(deciding)} if verdict is Verdict.REFUTED else None,
        values=found.values,
    )


@judge
def one_reading(query: Query, *, lower: str, upper: str, witness_table: str) -> Outcome:
    """Whether one of the readings that the theorem's overview compares supports both halves; refuted where each refutes one of them."""
    halves = Halves(lower, upper, witness_table)
    theorem = find_claim(f"{query.claim.paper}/{query.claim.owner}")
    assert theorem.overview is not None
    rows = [row(query, halves, read_semantics(name)) for name in theorem.overview.readings]
    shown = "; ".join(f"{r.semantics.label}: lower half {r.lower.verdict.value}, upper half {r.upper.verdict.value}" for r in rows)
    scope = Scope(f"{len(rows)} readings {query.at}, m = {rows[0].m}", len(rows), "comparison")
    supporting = [r.semantics.label for r in rows if r.verdict is Verdict.VERIFIED]
    if supporting:
        return Outcome(Verdict.VERIFIED, scope, witness=", ".join(supporting), reason=shown)
    if all(r.verdict is Verdict.REFUTED for r in rows):
        failing = {r.semantics.label: " and ".join(r.deciding) for r in rows}
        return Outcome(Verdict.REFUTED, scope, reason=shown, counterexample={"p": str(query["p"]), **failing})
    return Outcome(Verdict.OPEN, scope, reason=shown)

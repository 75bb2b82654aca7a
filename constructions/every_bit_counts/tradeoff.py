"""The paper's question in one table: how many bits EQ_m needs by counting, and what transformers achieve, reading by reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from constructions.every_bit_counts.chapter import P_TIGHT, PAPER_ID
from verifier.claims.model import Asker, Chapter, Question
from verifier.errors import LimitError
from verifier.semantics import Semantics, read_semantics
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)

READINGS = ("a4", "narrative", "a4+order=values", "a4+point=grid", "a4+point=grid+order=products", "a4+point=grid+order=values")
"""The readings that the table has by default: where the binary point is, and whether columns or products are summed."""


@dataclass(frozen=True)
class TradeoffRow:
    """Theorem 2.4 at one p under one reading.

    counted:  the least number of bits that counting two messages leaves possible for EQ_m, where the numerator is one running sum.
    one_sum:  whether the reading makes the numerator one running sum for every transformer, as the reduction needs.
    lower, upper: the verdicts on the statements of Lemma 2.5 (p − 1 bits do not suffice) and Lemma 2.6 (p bits do).
    printed, repaired: the verdicts on Table 6.
    witness:  what the verdict on the upper half rests on.
    """

    p: int
    m: int
    semantics: str
    counted: int
    one_sum: bool
    lower: Verdict
    upper: Verdict
    printed: Verdict
    repaired: Verdict
    witness: str | None

    @property
    def both_halves(self) -> bool:
        """Whether one and the same reading supports both halves of the theorem."""
        return self.lower is Verdict.VERIFIED and self.upper is Verdict.VERIFIED


def tradeoff_row(asker: Asker, p: int, semantics: Semantics) -> TradeoffRow:
    """One row, from the findings of the claims that it sums up."""
    from lowerbounds.alphabets import largest_excluded

    def ask(name: str, edition: Edition) -> Finding:
        return asker.ask(f"{PAPER_ID}/{name}", edition, {"p": p}, semantics)

    upper = ask("lemma-2.6", Edition.STATEMENT)
    return TradeoffRow(
        p=p,
        m=2 * p - 1,
        semantics=semantics.label,
        counted=largest_excluded(semantics, 2 * p - 1) + 1,
        one_sum=semantics.order != "ax",
        lower=ask("lemma-2.5", Edition.STATEMENT).verdict,
        upper=upper.verdict,
        printed=ask("lemma-2.6:table-6", Edition.PRINTED).verdict,
        repaired=ask("lemma-2.6:table-6", Edition.REPAIRED).verdict,
        witness=upper.witness,
    )


def tradeoff_table(asker: Asker, ps: Iterable[int], readings: Iterable[str] = READINGS) -> Iterator[TradeoffRow]:
    """The table, p by p; ``readings`` are names as ``--semantics`` takes them."""
    chosen = [read_semantics(name) for name in readings]
    for p in ps:
        yield from (tradeoff_row(asker, p, semantics) for semantics in chosen)


LARGEST = 10


@chapter.claim(
    "theorem-2.4:one-reading",
    statement="One and the same reading of the arithmetic supports both halves of Theorem 2.4: p bits suffice for EQ_{2p−1}, p − 1 do not.",
    place="Section 2.2, Theorem 2.4",
    checks=f"Lemmas 2.5 and 2.6 side by side under each of {len(READINGS)} readings",
    parameters=(P_TIGHT,),
    bounded=False,
)
def one_reading(question: Question) -> Finding:
    p = question["p"]
    if p > LARGEST:
        raise LimitError(f"p = {p}: the readings are compared up to p = {LARGEST}", "a smaller --p")
    rows = list(tradeoff_table(question.asker, [p]))
    shown = "; ".join(f"{r.semantics}: lower half {r.lower.value}, upper half {r.upper.value}" for r in rows)
    scope = Scope(f"{len(rows)} readings at p = {p}, m = {2 * p - 1}", len(rows), "comparison")
    supporting = [r.semantics for r in rows if r.both_halves]
    if supporting:
        return Finding(Verdict.VERIFIED, scope, witness=", ".join(supporting), reason=shown)
    if all(Verdict.REFUTED in (r.lower, r.upper) for r in rows):
        return Finding(Verdict.REFUTED, scope, reason=shown, counterexample={"p": str(p), **{r.semantics: _failing(r) for r in rows}})
    return Finding(Verdict.OPEN, scope, reason=shown)


def _failing(row: TradeoffRow) -> str:
    return "lower half" if row.lower is Verdict.REFUTED else "upper half"

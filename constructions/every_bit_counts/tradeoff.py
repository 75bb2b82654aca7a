"""The paper's question in one table: how many bits EQ_m needs by counting, and what transformers achieve, reading by reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verifier.claims.chapter import Chapter
from verifier.claims.model import Asker, Question

from constructions.every_bit_counts.chapter import P_TIGHT, PAPER_ID, READINGS
from verifier.errors import LimitError
from verifier.semantics import Semantics, read_semantics
from verifier.verdicts import Edition, Finding, Scope, Verdict, worst

chapter = Chapter(PAPER_ID)


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
    assumptions: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """Whether this one reading supports both halves of the theorem: the worse of the two."""
        return worst((self.lower, self.upper))

    @property
    def both_halves(self) -> bool:
        return self.verdict is Verdict.VERIFIED

    @property
    def values(self) -> dict[str, str]:
        """The row's cells by the names of the columns."""
        return {
            "m": str(self.m),
            "bits by counting": str(self.counted),
            "numerator": "one sum" if self.one_sum else "a sum a column",
            "lower half": self.lower.value,
            "upper half": self.upper.value,
            "printed table": self.printed.value,
            "repaired table": self.repaired.value,
            "witness": self.witness or "none",
        }


def tradeoff_row(asker: Asker, p: int, semantics: Semantics) -> TradeoffRow:
    """One row, from the findings of the claims that it sums up."""
    from lowerbounds.alphabets import largest_excluded

    def ask(name: str, edition: Edition) -> Finding:
        return asker.ask(f"{PAPER_ID}/{name}", edition, {"p": p}, semantics)

    lower, upper = (ask(name, Edition.STATEMENT) for name in ("lemma-2.5", "lemma-2.6"))
    return TradeoffRow(
        p=p,
        m=2 * p - 1,
        semantics=semantics.label,
        counted=largest_excluded(semantics, 2 * p - 1) + 1,
        one_sum=semantics.order != "ax",
        lower=lower.verdict,
        upper=upper.verdict,
        printed=ask("lemma-2.6:table-6", Edition.PRINTED).verdict,
        repaired=ask("lemma-2.6:table-6", Edition.REPAIRED).verdict,
        witness=upper.witness,
        assumptions=tuple(dict.fromkeys((*lower.assumptions, *upper.assumptions))),
    )


def tradeoff_table(asker: Asker, ps: Iterable[int], readings: Iterable[str] = READINGS) -> Iterator[TradeoffRow]:
    """The table, p by p; ``readings`` are names as ``--semantics`` takes them."""
    chosen = [read_semantics(name) for name in readings]
    for p in ps:
        yield from (tradeoff_row(asker, p, semantics) for semantics in chosen)


LARGEST = 16


@chapter.claim(
    "theorem-2.4:both-halves",
    statement="Under this reading both halves of Theorem 2.4 are true: p bits suffice for EQ_{2p−1} on T1, p − 1 do not.",
    place="Section 2.2, Theorem 2.4",
    checks="Lemmas 2.5 and 2.6, with the count of two messages, Table 6 printed and repaired, and the witness of the upper half",
    parameters=(P_TIGHT,),
)
def both_halves(question: Question) -> Finding:
    p = question["p"]
    if p > LARGEST:
        raise LimitError(f"p = {p}: the two halves are compared up to p = {LARGEST}", "a smaller --p")
    row = tradeoff_row(question.asker, p, question.semantics)
    verdict = row.verdict
    failing = [half for half, found in (("lower half", row.lower), ("upper half", row.upper)) if found is verdict]
    return Finding(
        verdict,
        Scope(f"both halves at p = {p}, m = {row.m}", 2, "comparison"),
        assumptions=row.assumptions if verdict is Verdict.CONDITIONAL else (),
        reason=None if verdict is Verdict.VERIFIED else f"{verdict.value}: {', '.join(failing)}",
        counterexample={"p": str(p), verdict.value: " and ".join(failing)} if verdict is Verdict.REFUTED else None,
        values=row.values,
    )


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

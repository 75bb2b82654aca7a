"""Registering what a proof says of partial sums of its table: one claim for each statement, hung on its lemma."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question, Table
from verifier.claims.partial_sums import PartialSum, judge_partial_sum

from verifier.verdicts import Finding


@dataclass(frozen=True)
class Proof:
    """A proof whose statements are registered in a chapter under ``lemma:name``."""

    chapter: Chapter
    lemma: str
    place: str
    parameters: tuple[Parameter, ...]
    table: Table

    def says(
        self, name: str, statement: str, place: str, printed: PartialSum, repaired: PartialSum | None = None, why: str | None = None
    ) -> None:
        """A statement on a partial sum; ``repaired`` and ``why`` are its erratum."""

        @self.chapter.claim(
            f"{self.lemma}:{name}",
            statement=statement,
            place=f"{self.place}, {place}",
            checks=f"the {printed.quantity} of steps {printed.first}–{printed.last} on all {printed.inputs}",
            parameters=self.parameters,
            table=self.table,
            errata=(Erratum(printed.says, repaired.says, why),) if repaired and why else (),
        )
        def judge(question: Question) -> Finding:
            return judge_partial_sum(question, printed, repaired)

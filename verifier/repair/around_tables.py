"""What the search for repairs does around a construction file: its gaps, the forms near by, and the sentences that lead step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.repair.closing import Closing
from verifier.repair.edits import Changes
from verifier.repair.near_tables import NearTable
from verifier.repair.proof_sentences import Sentence
from verifier.repair.search_state import Advance, Search
from verifier.repair.stepwise import StepByStep
from verifier.repair.target import Checked, State, Subject


class AroundTable:
    """One construction file. Where its answers are right, pairs of edits are not tried for what is expected alone: they are too many."""

    pairs_where_right = False

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    def start(self, before: Checked) -> tuple[str, ...]:
        """What is expected is asked where the answers are right; from now on the point that failed is asked first."""
        failing = self.subject.broken(()) if before.state.answers else ()
        self.subject.start(before.point)
        return failing

    def names(self, state: Search, advance: Advance) -> Iterator[Changes]:
        return Closing(self.subject, state, advance).names()

    def gaps(self, state: Search, advance: Advance) -> Iterator[Changes]:
        return Closing(self.subject, state, advance).gaps()

    def near(self, state: Search, advance: Advance) -> NearTable:
        return NearTable(self.subject, state, advance)

    def steps(self, sentences: Sequence[Sentence], state: Search, advance: Advance) -> StepByStep | None:
        """Where no edit of one symbol makes it right: sentences lead, or entries that the precision lacks."""
        before, found = state.before.state, state.found
        if before is State.ILL_FORMED or any(repair.state is State.RIGHT for repair in found):
            return None
        leads = before is State.LACKING or bool(found) or bool(sentences)
        return StepByStep(self.subject, sentences, state, advance) if leads else None

"""A repair step by step, for a table that lacks more than a search over one or two symbols can mend: each stage is a search near by.

First what is said of the table on the way leads (:mod:`verifier.repair.proof_sentences`), in the order in which it is said: where a
sentence fails, the one edit of the steps that it is about that makes it true and breaks fewer others than it mends, with as few entries
that the precision lacks as can be. Then, where the answers are wrong all the same, one more edit of one symbol anywhere; and last, part
by part, the entries that are not representable. A smaller repair may exist.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.repair.edits import Changes, edits, together
from verifier.repair.near_tables import NearTable, lacking_places, part_of
from verifier.repair.proof_sentences import Sentence, kept
from verifier.repair.search_state import Advance, Search, Stage, Walk
from verifier.repair.target import State, Subject
from verifier.running.errors import InputError, LimitError


class StepByStep:
    """One such walk; the forms are counted in ``state``."""

    def __init__(self, subject: Subject, sentences: Sequence[Sentence], state: Search, advance: Advance) -> None:
        self.subject, self.sentences, self.state, self.advance = subject, sentences, state, advance
        self._truths = kept(sentences, subject.file(()))
        self.walk = Walk(sum(self._truths), len(sentences))

    def run(self) -> Walk:
        """Everything that can be mended so; ``checked`` is None where nothing was."""
        walk, now = self.walk, self.subject
        for number, sentence in enumerate(self.sentences, 1):
            if not self._truths[number - 1] and sentence.steps is not None:
                now = self._made(now, self._mending(now, number - 1, sentence))
            self.advance("sentences", number, len(self.sentences))
        if not now.check(()).state.answers:
            now = self._made(now, self._answering(now))
        if now.check(()).state is State.LACKING:
            instance = now.instance((), 0)
            assert instance is not None
            parts = sorted({part_of(place) for place in lacking_places(instance, now.semantics)}, key=_in_order)
            for number, part in enumerate(parts, 1):
                now = self._made(now, self._representable(now, part))
                self.advance("entries that are not representable", number, len(parts))
        walk.kept = sum(self._truths)
        walk.failing = tuple(s.name for s, true in zip(self.sentences, self._truths, strict=True) if not true)
        if walk.stages:
            walk.edits = together([edit for stage in walk.stages for edit in stage.edits])
            walk.checked = self.subject.check(walk.edits)
        return walk

    def _made(self, now: Subject, stage: Stage | None) -> Subject:
        """The subject behind a stage."""
        if stage is None:
            return now
        self.walk.stages.append(stage)
        self._truths = kept(self.sentences, now.file(stage.edits))
        return now.edited(stage.edits)

    def _mending(self, now: Subject, number: int, sentence: Sentence) -> Stage | None:
        """The edits of one symbol of the sentence's steps that make it true, and more sentences than before.

        Steps whose sum another sentence states, and has right, are left alone; where there are none, the weights may be edited.
        """
        assert sentence.steps is not None
        alike = zip(self.sentences, self._truths, strict=True)
        settled = frozenset[int]().union(*(s.steps or () for s, true in alike if true and s.exact and s.of == sentence.of))
        places = tuple(f"row.{step}." for step in sentence.steps - settled) + (() if settled else ("weights.",))
        made = []
        for edit in edits(now.source.raw):
            if edit.at.startswith(places):
                self.state.spend(1)
                truths = self._with(now, (edit,), number)
                if truths is not None and truths[number] and sum(truths) > sum(self._truths):
                    made.append((edit, truths))
        order = {edit: (now.lacking((edit,)), -sum(truths)) for edit, truths in made}
        least = min(order.values(), default=None)
        return self._best(sentence.name, now, [(edit,) for edit, _ in made if order[edit] == least])

    def _with(self, now: Subject, made: Changes, first: int) -> tuple[bool, ...] | None:
        """The sentences that a form keeps; None where it does not keep ``first``, which is asked before the others, or is none."""
        try:
            file = now.file(made)
        except (InputError, LimitError):
            return None
        return kept(self.sentences, file) if self.sentences[first].true(file) else None

    def _answering(self, now: Subject) -> Stage | None:
        """The edits of one symbol with which every promised input is answered rightly."""
        found = [repair.edits for repair in NearTable(now, self.state, self.advance).one()]
        return self._best("the answers", now, self._keeping(now, found))

    def _representable(self, now: Subject, part: str) -> Stage | None:
        """The fewest edits of a part that leave it no entry that the precision lacks: those that break no sentence, if there are any."""
        fewest: list[Changes] = []
        for found in NearTable(now, self.state, self.advance).within(part):
            best = self._keeping(now, [repair.edits for repair in found])
            fewest = fewest or best
            if best and sum(kept(self.sentences, now.file(best[0]))) >= sum(self._truths):
                fewest = best
                break
        return self._best(f"entries that are not representable in {part}", now, fewest)

    def _keeping(self, now: Subject, found: Sequence[Changes]) -> list[Changes]:
        """Those that keep the most sentences."""
        counts = [sum(kept(self.sentences, now.file(each))) for each in found]
        return [each for each, count in zip(found, counts, strict=True) if count == max(counts)]

    def _best(self, why: str, now: Subject, found: Sequence[Changes]) -> Stage | None:
        """Of edits that serve as well: those that leave the fewest lacking entries; of those the ones with the fewest different slips, as
        an author repeats them; of those the smallest change.
        """
        if not found:
            return None
        before = [edit.slip for stage in self.walk.stages for edit in stage.edits]

        def key(each: Changes) -> tuple[int, int, int, int]:
            slips = {*before, *(edit.slip for edit in each)}
            return now.lacking(each), len(slips), sum(edit.change for edit in each), sum(edit.longer for edit in each)

        best, *others = sorted(found, key=key)
        return Stage(why, best, tuple(others))


def _in_order(part: str) -> tuple[int, int]:
    """Rows by their step, then weights, then the MLP."""
    name, _, step = part.partition(".")
    return ("row", "weights", "mlp").index(name), int(step or 0)

"""A repair step by step, for a table that lacks more than a search over one or two symbols can mend.

First what is said of the table on the way leads (:mod:`verifier.repair.sentences`), in the order in which it is said: where a sentence
fails, the one edit of the steps that it is about that makes it true and breaks fewer others than it mends, with as few entries that the
precision lacks as can be. Then, where the answers are wrong all the same, one more edit of one symbol anywhere; and last, part by part,
the entries that the precision lacks (:mod:`verifier.repair.local`). This is no proof that no smaller repair exists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from verifier.errata.tables import Source
from verifier.networks.records import ConstructionFile
from verifier.repair.edits import Edit, edits
from verifier.repair.local import Local
from verifier.repair.sentences import Sentence, kept
from verifier.repair.target import Checked, State, Subject
from verifier.repair.unrepresentable import lacking_places, part_of
from verifier.running.errors import InputError, LimitError

Advance = Callable[[str, int, int], None]
Edits = tuple[Edit, ...]
"""Edits that are made together, of what stands there before them."""


@dataclass(frozen=True)
class Stage:
    """Edits made for one reason: a sentence that failed, or the part that has entries that the precision lacks.

    others: edits that would have served as well: as many symbols, and as many sentences kept.
    """

    why: str
    edits: Edits
    others: tuple[Edits, ...] = ()


@dataclass
class Walk:
    """A repair step by step, as far as it went.

    edits: all of them, of the file as written; checked: the state with them; failing: the sentences that fail all the same; kept: how
    many are kept as written and with the edits; considered: edited forms.
    """

    before: int
    sentences: int
    kept: int = 0
    stages: list[Stage] = field(default_factory=list)
    edits: Edits = ()
    checked: Checked | None = None
    failing: tuple[str, ...] = ()
    considered: int = 0


class StepByStep:
    """One such search. ``spend`` is told of forms before they are considered, and may end it."""

    def __init__(
        self,
        subject: Subject,
        sentences: Sequence[Sentence],
        spend: Callable[[int], None] = lambda forms: None,
        advance: Advance = lambda *_: None,
    ) -> None:
        self.subject, self.sentences, self._told, self._advance = subject, sentences, spend, advance
        self._truths = kept(sentences, subject.file(()))
        self.walk = Walk(sum(self._truths), len(sentences))

    def run(self) -> Walk:
        """Everything that can be mended so; ``checked`` is None where nothing was."""
        walk, now = self.walk, self.subject
        for number, sentence in enumerate(self.sentences, 1):
            if not self._truths[number - 1] and sentence.steps is not None:
                now = self._made(now, self._mending(now, number - 1, sentence))
            self._advance("sentences", number, len(self.sentences))
        if not now.check(()).state.answers:
            now = self._made(now, self._answering(now))
        if now.check(()).state is State.LACKING:
            instance = now.instance((), 0)
            assert instance is not None
            parts = sorted({part_of(place) for place in lacking_places(instance, now.semantics)}, key=_in_order)
            for number, part in enumerate(parts, 1):
                now = self._made(now, self._representable(now, part))
                self._advance("entries that the precision lacks", number, len(parts))
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
        file = now.file(stage.edits)
        self._truths = kept(self.sentences, file)
        return replace_source(now, file)

    def _spend(self, forms: int) -> None:
        self._told(forms)
        self.walk.considered += forms

    def _mending(self, now: Subject, number: int, sentence: Sentence) -> Stage | None:
        """The edits of one symbol of the sentence's steps that make it true, and more sentences than before.

        Steps whose sum another sentence states, and has right, are left alone; where there are none, the weights are tried, too.
        """
        assert sentence.steps is not None
        alike = zip(self.sentences, self._truths, strict=True)
        settled = frozenset[int]().union(*(s.steps or () for s, true in alike if true and s.exact and s.of == sentence.of))
        places = tuple(f"row.{step}." for step in sentence.steps - settled) + (() if settled else ("weights.",))
        made = []
        for edit in edits(now.source.raw):
            if edit.at.startswith(places):
                self._spend(1)
                truths = self._with(now, (edit,), number)
                if truths is not None and truths[number] and sum(truths) > sum(self._truths):
                    made.append((edit, truths))
        order = {edit: (now.lacking((edit,)), -sum(truths)) for edit, truths in made}
        least = min(order.values(), default=None)
        return self._best(sentence.name, now, [(edit,) for edit, _ in made if order[edit] == least])

    def _with(self, now: Subject, made: Edits, first: int) -> tuple[bool, ...] | None:
        """The sentences that a form keeps; None where it does not keep ``first``, which is asked before the others, or is none."""
        try:
            file = now.file(made)
        except (InputError, LimitError):
            return None
        return kept(self.sentences, file) if self.sentences[first].true(file) else None

    def _answering(self, now: Subject) -> Stage | None:
        """The edits of one symbol with which every promised input is answered rightly."""
        found = []
        for edit in edits(now.source.raw):
            self._spend(1)
            if now.check((edit,)).state.answers:
                found.append((edit,))
        return self._best("the answers", now, self._keeping(now, found))

    def _representable(self, now: Subject, part: str) -> Stage | None:
        """The fewest edits of a part that leave it no entry that the precision lacks: those that break no sentence, if there are any."""
        fewest: list[Edits] = []
        for found in Local(now, part, self._spend).sizes():
            best = self._keeping(now, found)
            fewest = fewest or best
            if best and sum(kept(self.sentences, now.file(best[0]))) >= sum(self._truths):
                fewest = best
                break
        return self._best(f"entries that the precision lacks in {part}", now, fewest)

    def _keeping(self, now: Subject, found: Sequence[Edits]) -> list[Edits]:
        """Those that keep the most sentences."""
        counts = [sum(kept(self.sentences, now.file(each))) for each in found]
        return [each for each, count in zip(found, counts, strict=True) if count == max(counts)]

    def _best(self, why: str, now: Subject, found: Sequence[Edits]) -> Stage | None:
        """Of edits that serve as well: those that leave the fewest lacking entries; of those the ones with the fewest different slips, as
        an author repeats them; of those the smallest change.
        """
        if not found:
            return None
        before = [edit.slip for stage in self.walk.stages for edit in stage.edits]

        def key(each: Edits) -> tuple[int, int, int, int]:
            slips = {*before, *(edit.slip for edit in each)}
            longer = sum(len(str(edit.repaired)) - len(str(edit.printed)) for edit in each)
            return now.lacking(each), len(slips), sum(edit.change for edit in each), longer

        best, *others = sorted(found, key=key)
        return Stage(why, best, tuple(others))


def replace_source(subject: Subject, file: ConstructionFile) -> Subject:
    """A subject of an edited file, at the same points and under the same reading."""
    return Subject(Source(file, msgspec.to_builtins(file)), subject.given, subject.semantics, subject.states)


def together(made: Sequence[Edit]) -> Edits:
    """Edits one after the other as edits of the first text: those of one place are one, or none where they undo each other."""
    found: dict[str, Edit] = {}
    for edit in made:
        if edit.at in found:
            first = found[edit.at]
            what = f"{first.what} and {edit.what}"
            edit = replace(edit, printed=first.printed, what=what, symbols=first.symbols + edit.symbols, change=first.change + edit.change)
        found[edit.at] = edit
    return tuple(edit for edit in found.values() if edit.printed != edit.repaired)


def _in_order(part: str) -> tuple[int, int]:
    """Rows by their step, then weights, then the MLP."""
    name, _, step = part.partition(".")
    return ("row", "weights", "mlp").index(name), int(step or 0)

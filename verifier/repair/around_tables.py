"""What the search for repairs does around a construction file: it closes gaps, tries the forms near by, and goes step by step.

A gap is a token without a row or without a clause, a token with two rows, a bit that the string lacks, or a name that is not defined. Edits
and clauses close gaps, and known names take the place of unknown ones.

A repair step by step is for a table that lacks more than a search over one or two symbols can mend: each stage is a search near by. First
what is said of the table on the way leads (:mod:`verifier.repair.proof_sentences`), in the order in which it is said: where a sentence
fails, the one edit of the steps that it is about that makes it true and breaks fewer others than it mends, with as few entries that are not
representable as can be. Then, where the answers are wrong all the same, one more edit of one symbol anywhere; and last, part by part, the
entries that are not representable. A smaller repair may exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from verifier.networks.errata import ERRATA
from verifier.networks.instantiate import instantiate
from verifier.networks.record_base import Expression
from verifier.repair.edits import ADDED, Change, Changes, Clause, Edit, edits, entry_of, printed_expressions, together
from verifier.repair.near_tables import NearTable, lacking_places, part_of
from verifier.repair.proof_sentences import Sentence, kept
from verifier.repair.search import Advance, Search, Stage, Walk, as_small
from verifier.repair.target import Checked, State, Table
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError
from verifier.weights.toml_text import toml_text

_UNKNOWN = re.compile(r"no name '(\w+)' here; the names are ([\w, ]+)")
_ONWARDS = re.compile(r"\[\s*(?P<before>.+?) \+ 1\s*:")
_FIRST = re.compile(r"\[\s*1\s*:")


def for_gaps(raw: Mapping[str, Any], strings: Iterable[str]) -> Iterator[Change]:
    """Edits of ranges and of what tokens hold, ranges with a part of another table's added, and clauses for the tokens of a row."""
    for edit in edits(raw):
        if edit.ranges:
            yield edit
    ranges = list(dict.fromkeys(entry["i"] for part in ("row", "input") for entry in raw[part]))
    ends = [raw["tokens"][end] for end in ("first", "last")]
    for at, printed in printed_expressions(raw):
        if at.rpartition(".")[2] == "i":
            for other in dict.fromkeys([*ends, *ranges]):
                if str(other) not in str(printed):
                    yield Edit(at, printed, f"{printed}{ADDED}{other}", f"the tokens {other} are added")
    for i in dict.fromkeys([*ranges, *ends]):
        held: list[Expression] = [0, *(f"{string}[{index}]" for string in strings for index in _indices(str(i)))]
        for reads in held:
            yield Clause(i, reads)


def _indices(i: str) -> Iterator[str]:
    """Which bit a token i of a range may hold: bit i, and the first bit where the range begins."""
    yield "i"
    if (onwards := _ONWARDS.match(i)) is not None:
        before = onwards["before"]
        yield f"i - {before}" if re.fullmatch(r"[\w*]+", before) else f"i - ({before})"
    elif i.startswith("[") and not _FIRST.match(i):
        yield f"i + 1 - ({i[1:].partition(':')[0].strip()})"


def for_names(raw: Mapping[str, Any], defects: Iterable[FileDefect]) -> Iterator[Edit]:
    """Edits that put a name that there is for one that there is not."""
    asked: set[str] = set()
    for defect in defects:
        found = _UNKNOWN.search(defect.message)
        if found is None or found[1] in asked:
            continue
        unknown, names = found[1], found[2].split(", ")
        asked.add(unknown)
        near = dict.fromkeys([*get_close_matches(unknown, names, n=3, cutoff=0.3), *names])
        for at, printed in printed_expressions(raw):
            if re.search(rf"\b{unknown}\b", str(printed)):
                for name in near:
                    repaired = re.sub(rf"\b{unknown}\b", name, str(printed))
                    yield Edit(at, printed, repaired, f"{unknown} for {name}")


MOST_CHANGES = 3
"""Gaps that are closed one after another."""
MOST_STARTED = 4
"""Of changes that close equally many gaps, so many are gone on from."""
MOST_TRIED = 2000


class Closing:
    """The changes of one file; the forms are counted in ``state``."""

    def __init__(self, subject: Table, state: Search, advance: Advance) -> None:
        self.subject, self.state, self.advance = subject, state, advance
        strings = subject.source.file.problem.strings or {"y": "", "z": ""}
        self._candidates = list(for_gaps(subject.source.raw, strings))
        self._left = MOST_TRIED

    def gaps(self) -> Iterator[Changes]:
        """The fewest changes that close all gaps: those that close the most are made first, and gone on from."""
        before = self.subject.open_gaps(())
        assert before, "a well-formed table has no gaps"
        return self._closing((), before)

    def _closing(self, already: Changes, fewest: int) -> Iterator[Changes]:
        best: list[Changes] = []
        for number, change in enumerate(self._candidates, 1):
            if any(_same_place(change, other) for other in already):
                continue
            if not self._left:
                break
            self._left -= 1
            self.state.spend(1)
            gaps = self.subject.open_gaps((*already, change))
            if gaps is not None and gaps < fewest:
                fewest, best = gaps, [(*already, change)]
            elif best and gaps == fewest:
                best.append((*already, change))
            self.advance("gaps", number, len(self._candidates))
        if not fewest:
            yield from best
        elif len(already) + 1 < MOST_CHANGES:
            for changes in best[:MOST_STARTED]:
                yield from self._closing(changes, fewest)

    def names(self) -> Iterator[Changes]:
        """Names that there are in place of one that there is not."""
        try:
            instantiate(self.subject.file(()), self.subject.points[0])
        except FileDefects as error:
            for change in for_names(self.subject.source.raw, error.each):
                self.state.spend(1)
                yield (change,)
        except InputError:
            pass


def _same_place(one: Change, other: Change) -> bool:
    return one == other if isinstance(one, Clause) else one.at == other.at


class StepByStep:
    """One such walk; the forms are counted in ``state``."""

    def __init__(self, subject: Table, sentences: Sequence[Sentence], state: Search, advance: Advance) -> None:
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

    def _made(self, now: Table, stage: Stage | None) -> Table:
        """The subject behind a stage."""
        if stage is None:
            return now
        self.walk.stages.append(stage)
        self._truths = kept(self.sentences, now.file(stage.edits))
        return now.edited(stage.edits)

    def _mending(self, now: Table, number: int, sentence: Sentence) -> Stage | None:
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

    def _with(self, now: Table, made: Changes, first: int) -> tuple[bool, ...] | None:
        """The sentences that a form keeps; None where it does not keep ``first``, which is asked before the others, or is none."""
        try:
            file = now.file(made)
        except (InputError, LimitError):
            return None
        return kept(self.sentences, file) if self.sentences[first].true(file) else None

    def _answering(self, now: Table) -> Stage | None:
        """The edits of one symbol with which every promised input is answered rightly."""
        found = [repair.edits for repair in NearTable(now, self.state, self.advance).one()]
        return self._best("the answers", now, self._keeping(now, found))

    def _representable(self, now: Table, part: str) -> Stage | None:
        """The fewest edits of a part that leave it no entry that the precision lacks: those that break no sentence, if there are any."""
        fewest: list[Changes] = []
        for found in NearTable(now, self.state, self.advance).within(part):
            best = self._keeping(now, [repair.edits for repair in found])
            fewest = fewest or best
            if best and sum(kept(self.sentences, now.file(best[0]))) >= sum(self._truths):
                fewest = best
                break
        return self._best(f"entries that are not representable in {part}", now, fewest)

    def _keeping(self, now: Table, found: Sequence[Changes]) -> list[Changes]:
        """Those that keep the most sentences."""
        counts = [sum(kept(self.sentences, now.file(each))) for each in found]
        return [each for each, count in zip(found, counts, strict=True) if count == max(counts)]

    def _best(self, why: str, now: Table, found: Sequence[Changes]) -> Stage | None:
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


class TableSubject(Table):
    """One construction file. Where its answers are right, pairs of edits are not tried for what is expected alone: they are too many."""

    pairs_where_right = False

    def start(self, before: Checked) -> tuple[str, ...]:
        """What is expected is asked where the answers are right; from now on the point that failed is asked first."""
        failing = self.broken(()) if before.state.answers else ()
        self.ask_first(before.point)
        return failing

    def names(self, state: Search, advance: Advance) -> Iterator[Changes]:
        return Closing(self, state, advance).names()

    def gaps(self, state: Search, advance: Advance) -> Iterator[Changes]:
        return Closing(self, state, advance).gaps()

    def near(self, state: Search, advance: Advance) -> NearTable:
        return NearTable(self, state, advance)

    def steps(self, sentences: Sequence[Sentence], state: Search, advance: Advance) -> StepByStep | None:
        """Where no edit of one symbol makes it right: sentences lead, or entries that the precision lacks."""
        before, found = state.before.state, state.found
        if before is State.ILL_FORMED or any(repair.state is State.RIGHT for repair in found):
            return None
        leads = before is State.LACKING or bool(found) or bool(sentences)
        return StepByStep(self, sentences, state, advance) if leads else None

    def errata(self, state: Search, name: str) -> str | None:
        """The best repair as an errata file; those that are as small stand in comments above it. Without one, what closes the gaps."""
        if not (state.found or state.closed):
            return None
        best, also = state.found[0].edits if state.found else state.closed[0][0], state.found[1:]
        why = f"as printed: {state.before.state.value}, at {state.before.reason}"
        stages = state.walk.stages if state.walk and state.by_steps else ()
        mended = {edit.at: f"mends {stage.why}" for stage in stages for edit in stage.edits}
        clauses = [
            {"name": f"added-{number}", **edit.added, "why": mended.get(edit.at, why)}
            for number, edit in enumerate(best, 1)
            if isinstance(edit, Clause)
        ]
        record = {
            "format": ERRATA,
            "construction": self.source.file.id,
            "semantics": self.semantics.label,
            "domain": domain_of(self.points),
            "why_domain": "where the repair was checked, on every promised input" if state.found else "where the changes were tried",
            "clause": clauses,
            "erratum": [entry_of(edit, mended.get(edit.at, why)) for edit in best if isinstance(edit, Edit)],
        }
        said = [f"Found by a search over {state.considered:,} edited forms{'' if state.complete else ', which was not finished'}."]
        said += [] if state.found else [f"It is not enough: {state.closed[0][1].state.value}."]
        return toml_text(record, "\n".join([*said, *as_small(also)]))


def domain_of(points: Sequence[Mapping[str, int]]) -> str:
    """Exactly these points, as a condition on the parameters: ``p == 8 and n == 34 or p == 9 and n == 38``."""
    return " or ".join(" and ".join(f"{name} == {value}" for name, value in values.items()) for values in points)

"""The constructions within a few symbols of a file, and which of them are right: one symbol, two, or a few of one part.

Each form is checked on every promised input. Forms that cannot work are counted as they are left out, and left out only for one of these
reasons: the form was evaluated on an input and is wrong there; no token or two rows are for one index; an entry that the precision lacks
is still there where the search is for those alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from verifier.networks.instance import Instance
from verifier.repair.coverage import coverage
from verifier.repair.edits import Edit, edits
from verifier.repair.instances import with_both
from verifier.repair.search_state import Advance, Repair, Search
from verifier.repair.sifting import Input
from verifier.repair.target import State, Subject
from verifier.repair.unrepresentable import Places, lacking_places, part_of

MOST_IN_ROW = 3
MOST_IN_MLP = 4


@dataclass(frozen=True)
class Form:
    """A construction at the first point after one edit; lacking: its entries that the precision lacks, where the search is for those."""

    edit: Edit
    made: Instance
    lacking: Places


class NearTable:
    """The edited forms near one readable file, counted in ``state``."""

    def __init__(self, subject: Subject, state: Search, advance: Advance) -> None:
        self.subject, self.state, self.advance = subject, state, advance
        base = subject.instance((), 0)
        assert base is not None, "a construction without a value is not searched"
        self.base = base
        self._representable = subject.check(()).state is State.LACKING
        """Whether all answers are right, so that the search is for the entries that the precision lacks."""

        self._before = self._lacking(base)
        self._inputs: dict[tuple[int, ...], Input] = {}
        self._inputs_of: tuple[Instance, Sequence[Form]] | None = None

    def one(self) -> Iterator[Repair]:
        """Edits of one symbol."""
        yield from self._each(self._singles)

    def two(self) -> Iterator[Repair]:
        """Edits of two symbols: of one expression, then of two."""
        yield from self._each(self._made(edits(self.subject.source.raw, 2), "two symbols of one expression"))
        ranges = [form for form in self._singles if form.edit.ranges]
        others = [form for form in self._singles if not form.edit.ranges]
        yield from self._both_ranges(ranges)
        for number, form in enumerate(ranges, 1):
            self.state.spend(len(others))
            if not form.made.defects:
                yield from self._behind(form, others)
            self.advance("an index and another symbol", number, len(ranges))
        if self.base.defects:
            self.state.spend(len(others) * (len(others) - 1) // 2)
        else:
            yield from self._both_others(others)

    def within(self, part: str) -> Iterator[list[Repair]]:
        """For one edit of a part, two, … all sets of so many that leave no entry there that the precision lacks, and every answer right.

        part: the row of one step (``row.2``), ``weights`` or ``mlp``.
        """
        mine = [e for e in edits(self.subject.source.raw) if not e.ranges and (e.at == part or e.at.startswith(f"{part}."))]
        harmless = [form for form in self._made(mine) if not form.made.defects and form.lacking <= self._before]
        left = frozenset(place for place in self._before if part_of(place) == part)
        for size in range(1, (MOST_IN_MLP if part == "mlp" else MOST_IN_ROW) + 1):
            yield [repair for forms in self._sets(left, harmless, size) for repair in self._repair(forms, self._merged(forms))]

    @cached_property
    def _singles(self) -> list[Form]:
        return self._made(edits(self.subject.source.raw), "one symbol")

    def _made(self, listed: Sequence[Edit], label: str = "") -> list[Form]:
        """The form of each edit that can be read; all are counted."""
        found: list[Form] = []
        for number, edit in enumerate(listed, 1):
            self.state.spend(1)
            instance = self.subject.after(edit, self.base)
            if instance is not None:
                found.append(Form(edit, instance, self._lacking(instance)))
            if label:
                self.advance(label, number, len(listed))
        return found

    def _lacking(self, instance: Instance) -> Places:
        """The entries that the precision lacks, where the search is for those."""
        return lacking_places(instance, self.subject.semantics) if self._representable and not instance.defects else frozenset()

    def _repair(self, forms: Sequence[Form], made: Instance | None, whole: bool = False) -> Iterator[Repair]:
        """The edits of these forms, if they are a repair.

        made: the construction with all of them, where it is known; whole: whether an entry that the precision lacks makes it none.
        """
        together = tuple(form.edit for form in forms)
        yield from self.state.repairs(self.subject, together, self.subject.check(together, made, whole), whole)

    def _merged(self, forms: Sequence[Form]) -> Instance | None:
        """The construction with all these edits; None where only the file says what they make together."""
        if len(forms) == 1:
            return forms[0].made
        whole: Instance | None = None if any(form.made.defects for form in forms) else self.base
        for form in forms:
            whole = whole and with_both(self.base, whole, form.made)
        return whole

    def _each(self, forms: Sequence[Form]) -> Iterator[Repair]:
        """Edits by themselves: those of indices, and where no index is wrong the others."""
        for form in forms:
            if form.edit.ranges:
                yield from self._repair([form], form.made, self._representable)
        if not self.base.defects:
            others = [form for form in forms if not form.edit.ranges]
            yield from self._sifted(self.base, None, list(range(len(others))), others)

    def _both_ranges(self, ranges: Sequence[Form]) -> Iterator[Repair]:
        whole = coverage(self.subject.file(()), self.base)
        each = [coverage(self.subject.file((form.edit,)), form.made) for form in ranges]
        for k, form in enumerate(ranges):
            for other, theirs in zip(ranges[k + 1 :], each[k + 1 :], strict=True):
                if form.edit.at != other.edit.at:
                    self.state.spend(1)
                    if whole.with_both(each[k], theirs):
                        yield from self._repair([form, other], None, self._representable)
            self.advance("two indices", k + 1, len(ranges))

    def _behind(self, form: Form, others: Sequence[Form]) -> Iterator[Repair]:
        """An edit of an index that leaves the table well-formed, with each edit of what is not an index."""
        if not self.base.defects and not self.subject.source.file.quantities and _same_rows(self.base, form.made):
            yield from self._sifted(form.made, form, self._leaving_none(form, range(len(others)), others), others)
        else:
            for other in others:
                yield from self._repair([form, other], None, self._representable)

    def _both_others(self, others: Sequence[Form]) -> Iterator[Repair]:
        """Two edits of entries, weights and the MLP; those that are not sifted on the inputs that are known go first."""
        others = sorted(others, key=self._sifts)
        for k, form in enumerate(others):
            partners = [p for p in range(k + 1, len(others)) if others[p].edit.at != form.edit.at]
            self.state.spend(len(partners))
            yield from self._sifted(self.base, form, self._leaving_none(form, partners, others), others)
            self.advance("two symbols", k + 1, len(others))

    def _leaving_none(self, form: Form, partners: Sequence[int], others: Sequence[Form]) -> list[int]:
        """The partners that together with a form leave no entry that the precision lacks, where the search is for those."""
        both = ((p, others[p].lacking) for p in partners)
        return [p for p, theirs in both if form.lacking | theirs <= self._before and not form.lacking & theirs]

    def _sets(self, left: Places, harmless: Sequence[Form], size: int) -> Iterator[tuple[Form, ...]]:
        """All sets of so many edits of different places that leave nothing of ``left`` lacking, each once.

        Those that take it away are chosen first, the edits that mend the first entry before the others; any others complete the set.
        """
        seen: set[frozenset[Edit]] = set()
        for core in self._cores((), left, size, harmless):
            taken = {form.edit.at for form in core}
            for more in combinations([form for form in harmless if form.edit.at not in taken], size - len(core)):
                self.state.spend(1)
                chosen = (*core, *more)
                key = frozenset(form.edit for form in chosen)
                if key not in seen and len({form.edit.at for form in chosen}) == size:
                    seen.add(key)
                    yield chosen

    def _cores(self, chosen: tuple[Form, ...], left: Places, size: int, harmless: Sequence[Form]) -> Iterator[tuple[Form, ...]]:
        """Sets of edits that take away what is lacking, the first of it first."""
        if not left:
            yield chosen
        elif len(chosen) < size:
            first = min(left)
            for form in harmless:
                if first not in form.lacking and all(form.edit.at != each.edit.at for each in chosen):
                    yield from self._cores((*chosen, form), left & form.lacking, size, harmless)

    def _sifted(self, on: Instance, form: Form | None, partners: list[int], others: Sequence[Form]) -> Iterator[Repair]:
        """An edit, or none, with those of its partners (numbers of ``others``) that are right on every input that is known.

        on: the construction whose tokens hold their bits: the base, or that of an edit of an index.
        """
        already, made = ([form], form.made) if form else ([], self.base)
        simple = [k for k, other in enumerate(others) if self._sifts(other)]
        row_of = {k: number for number, k in enumerate(simple)}
        done: set[tuple[int, ...]] = set()
        while partners:
            for strings in [strings for strings in self.subject.inputs[0] if strings not in done]:
                done.add(strings)
                rows = np.array([row_of[p] for p in partners if p in row_of], dtype=np.intp)
                if not len(rows):
                    break
                keep = set(rows[self._input(on, others, simple, strings).keep(made, rows)].tolist())
                partners = [p for p in partners if p not in row_of or row_of[p] in keep]
            if partners:
                other = others[partners.pop(0)]
                whole = self._merged([*already, other])
                yield from self._repair([*already, other], whole, self._representable)

    def _input(self, on: Instance, others: Sequence[Form], simple: Sequence[int], strings: tuple[int, ...]) -> Input:
        """What the edits of the embedding change on an input, computed once for each construction and list of edits in turn."""
        if self._inputs_of is None or self._inputs_of[0] is not on or self._inputs_of[1] is not others:
            self._inputs_of, self._inputs = (on, others), {}
        if strings not in self._inputs:
            inputs = dict(zip(on.task.strings, strings, strict=True))
            self._inputs[strings] = Input(on, [others[k].made for k in simple], inputs, self.subject.semantics)
        return self._inputs[strings]

    def _sifts(self, form: Form) -> bool:
        """Whether an edit changes some tokens' vectors and nothing that other tokens' terms are made of."""
        return form.edit.part == "row" and form.made.asking == self.base.asking


def _same_rows(one: Instance, other: Instance) -> bool:
    """Whether every token has the row and the vectors that it has in the other, whatever bits it holds."""
    return all(
        (a.index, a.step, a.vectors) == (b.index, b.step, b.vectors) and [len(f) for f in a.fields] == [len(f) for f in b.fields]
        for a, b in zip(one.tokens, other.tokens, strict=True)
    )

"""The search for all smallest repairs of a construction: one edited symbol, then two, each form checked on every promised input.

It counts forms, not seconds, so that a limit ends it at the same place on every machine; forms that cannot work are counted as they
are left out, and left out only for one of these reasons: the form was evaluated on an input and is wrong there; no token or two rows
are for one index; an entry that the precision lacks is still there where the search is for those alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from verifier.networks.instance import Instance
from verifier.repair.coverage import Coverage, coverage
from verifier.repair.edits import Edit, edits
from verifier.repair.instances import with_both
from verifier.repair.pairs import Input
from verifier.repair.search_state import Repair, Search
from verifier.repair.target import State, Subject
from verifier.repair.unrepresentable import Lacking, Places, lacking_places

MOST_SYMBOLS = 2
DEFAULT_LIMIT = 2_000_000
"""Forms that are considered before the search gives up."""

Advance = Callable[[str, int, int], None]
Form = tuple[Edit, Instance]
"""An edit, and the construction with it at the first point."""


class LimitReachedError(Exception):
    """The limit of forms is reached."""


class Searching:
    """One search on one subject."""

    def __init__(self, subject: Subject, limit: int, advance: Advance, told: Callable[[Search], None]) -> None:
        self.subject, self.limit, self.advance, self.told = subject, limit, advance, told
        self.state = Search(subject.check(()))
        subject.start(self.state.before.point)
        self._inputs: dict[tuple[int, int], Input] = {}
        self._inputs_of: tuple[Instance, Sequence[Form]] | None = None

    def run(self, most: int = MOST_SYMBOLS, first: int = 1) -> Search:
        """All repairs of the fewest symbols, at most ``most`` of them; ``first`` is 2 where those of one were considered before."""
        state = self.state
        if state.before.state in (State.RIGHT, State.UNREADABLE, State.UNDECIDED):
            return state
        try:
            for symbols in range(first, most + 1):
                state.symbols = symbols
                self._one() if symbols == 1 else self._two()
                if state.found:
                    break
            state.complete = True
        except LimitReachedError:
            pass
        return state

    def _one(self) -> None:
        """One symbol of one expression."""
        self._base = self.subject.instance((), 0)
        assert self._base is not None, "a construction without a value is not searched"
        self._singles = self._made("one symbol", edits(self.subject.source.raw))
        self._each(self._singles)

    def _two(self) -> None:
        """Two symbols: of one expression, then of two."""
        self._each(self._made("two symbols of one expression", edits(self.subject.source.raw, 2)))
        base, singles = self._base, self._singles
        assert base is not None
        self._lack = self._lacking(base, [made for edit, made in singles if not edit.ranges])
        whole = coverage(self.subject.file(()), base)
        ranges = [(e, made, coverage(self.subject.file((e,)), made)) for e, made in singles if e.ranges]
        others = [(edit, made) for edit, made in singles if not edit.ranges]
        self._both_ranges(ranges, whole)
        for number, (edit, made, _) in enumerate(ranges, 1):
            self.spend(len(others))
            if not made.defects:
                self._behind(base, edit, made, others)
            self.advance("an index and another symbol", number, len(ranges))
        if base.defects:
            self.spend(len(others) * (len(others) - 1) // 2)
        else:
            self._both_others(base, others)

    def _made(self, label: str, listed: Sequence[Edit]) -> list[Form]:
        """Each edit with what it makes of the construction at the first point, where that can be read; all are counted."""
        assert self._base is not None
        found: list[Form] = []
        for number, edit in enumerate(listed, 1):
            self.spend(1)
            instance = self.subject.after(edit, self._base)
            if instance is not None:
                found.append((edit, instance))
            self.advance(label, number, len(listed))
        return found

    def _each(self, forms: Sequence[Form]) -> None:
        """Edits by themselves: those of indices, and where no index is wrong the others."""
        base = self._base
        assert base is not None
        for edit, made in forms:
            if edit.ranges:
                self._try((edit,), made)
        if not base.defects:
            others = [(edit, made) for edit, made in forms if not edit.ranges]
            self._sifted(base, base, (), base, list(range(len(others))), others)

    def _both_ranges(self, ranges: Sequence[tuple[Edit, Instance, Coverage]], whole: Coverage) -> None:
        for k, (edit, _, mine) in enumerate(ranges):
            for other, _, theirs in ranges[k + 1 :]:
                if edit.at != other.at:
                    self.spend(1)
                    if whole.with_both(mine, theirs):
                        self._try((edit, other))
            self.advance("two indices", k + 1, len(ranges))

    def _behind(self, base: Instance, edit: Edit, made: Instance, others: Sequence[Form]) -> None:
        """An edit of an index that leaves the table well-formed, with each edit of what is no index."""
        left = list(range(len(others)))
        if not base.defects and not self.subject.source.file.quantities and _same_rows(base, made):
            if self._lack is not None:
                lacking = self._unrepresentable(made)
                left = [k for k in left if self._lack.gone_beside(lacking, k)]
            self._sifted(made, base, (edit,), made, left, others)
        else:
            for k in left:
                self._try((edit, others[k][0]))

    def _both_others(self, base: Instance, others: Sequence[Form]) -> None:
        """Two edits of entries, weights and the MLP, sifted on the inputs that are known; those that sift no others go first."""
        others = sorted(others, key=lambda form: _sifts(form, base))
        numbers = {at: k for k, at in enumerate(dict.fromkeys(edit.at for edit, _ in others))}
        places = np.array([numbers[edit.at] for edit, _ in others])
        lacking = self._lacking(base, [made for _, made in others])
        for k, (edit, made) in enumerate(others):
            later = np.arange(len(others)) > k
            partners = np.flatnonzero(later & (places != places[k]))
            self.spend(len(partners))
            if lacking is not None:
                kept = [p for p in partners if lacking.gone_with(k, int(p))]
                partners = np.array(kept, dtype=np.intp)
            self._sifted(base, base, (edit,), made, [int(p) for p in partners], others)
            self.advance("two symbols", k + 1, len(others))

    def _sifted(
        self,
        on: Instance,
        base: Instance,
        already: tuple[Edit, ...],
        made: Instance,
        partners: list[int],
        others: Sequence[Form],
    ) -> None:
        """Edits that made ``made`` with those of their partners that may be right on every input that is known.

        on: the construction whose tokens hold their bits, the base or ``made``; base: that of which ``others`` are edits.
        """
        simple = [k for k, form in enumerate(others) if _sifts(form, base)]
        row_of = {k: number for number, k in enumerate(simple)}
        done: set[tuple[int, int]] = set()
        while partners:
            for pair in [pair for pair in self.subject.inputs[0] if pair not in done]:
                done.add(pair)
                rows = np.array([row_of[p] for p in partners if p in row_of], dtype=np.intp)
                if not len(rows):
                    break
                keep = set(rows[self._input(on, others, simple, pair).keep(made, rows)].tolist())
                partners = [p for p in partners if p not in row_of or row_of[p] in keep]
            if partners:
                edit, after = others[partners.pop(0)]
                self._try((*already, edit), with_both(base, made, after) if already else after)

    def _input(self, on: Instance, others: Sequence[Form], simple: Sequence[int], pair: tuple[int, int]) -> Input:
        """What the edits of the embedding change on an input, computed once for each construction and list of edits in turn."""
        if self._inputs_of is None or self._inputs_of[0] is not on or self._inputs_of[1] is not others:
            self._inputs_of, self._inputs = (on, others), {}
        if pair not in self._inputs:
            self._inputs[pair] = Input(on, [others[k][1] for k in simple], pair, self.subject.semantics)
        return self._inputs[pair]

    def _lacking(self, base: Instance, made: Sequence[Instance]) -> Lacking | None:
        """What the precision lacks after each edit, where nothing else is the matter."""
        if self.state.before.state is not State.LACKING:
            return None
        each = [self._unrepresentable(instance) for instance in made]
        return Lacking(self._unrepresentable(base), each)

    def _unrepresentable(self, instance: Instance) -> Places:
        return lacking_places(instance, self.subject.semantics)

    def _try(self, made: tuple[Edit, ...], first: Instance | None = None) -> None:
        checked = self.subject.check(made, first, whole=self.state.before.state is State.LACKING)
        self.state.undecided += checked.state is State.UNDECIDED
        better = checked.state.answers and (self.state.before.state is not State.LACKING or checked.state is State.RIGHT)
        if better:
            self.state.found.append(Repair(made, checked.state, checked.cases))
            self.told(replace(self.state))

    def spend(self, forms: int) -> None:
        """Count so many forms that are about to be considered.

        Raises:
            LimitReachedError: that is more than the limit.
        """
        if self.state.considered + forms > self.limit:
            raise LimitReachedError
        self.state.considered += forms


def _sifts(form: Form, base: Instance) -> bool:
    """Whether an edit changes some tokens' vectors and nothing that other tokens' terms are made of."""
    return form[0].part == "row" and form[1].asking == base.asking


def _same_rows(one: Instance, other: Instance) -> bool:
    """Whether every token has the row and the vectors that it has in the other, whatever bits it holds."""
    return all(
        (a.index, a.step, a.vectors) == (b.index, b.step, b.vectors) and [len(f) for f in a.fields] == [len(f) for f in b.fields]
        for a, b in zip(one.tokens, other.tokens, strict=True)
    )

"""The constructions within a few symbols of a file, and which of them are right: one symbol, two, or a few of one part.

Each form is checked on every promised input. A form is left out, and counted, for one of three reasons: it was evaluated on an input and is
wrong there; some token would have no row or two; an entry that the precision lacks is still there where the search is for those alone.

Pairs of edits are sifted thousands at a time on one input. An edit of an embedding entry changes the vectors of some tokens on the input
and nothing else, so that two of them together change the vectors of both. A pair is left out only where its answer was computed and is
wrong; pairs whose vectors cannot be merged go to the slow check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import States
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.engines.program import DENOMINATOR, INVALID, NO, YES, Program
from verifier.language.exact import integer
from verifier.networks.indices import index_set
from verifier.networks.instance import Instance, Vector
from verifier.networks.instantiate import names_at
from verifier.networks.record_base import Expression
from verifier.networks.records import ConstructionFile
from verifier.networks.tasks import Inputs
from verifier.repair.edits import Edit, edits
from verifier.repair.instances import with_both
from verifier.repair.search import Advance, Repair, Search
from verifier.repair.target import State, Table
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution

Places = frozenset[str]


def lacking_places(instance: Instance, semantics: Semantics) -> Places:
    """The entries that the precision lacks, no two of one name: those of the weights with their place in the matrix or node."""
    execution = Execution(instance, semantics)
    rows: dict[str, tuple[Fraction, ...]] = {}
    for name, matrix in (("query", instance.query), ("key", instance.key), ("value", instance.value)):
        rows |= {f"{name} {k}": row for k, row in enumerate(matrix.rows)}
    rows |= {f"node {k}": (*node.weights, node.bias) for k, node in enumerate((*instance.hidden, instance.output))}
    weights = {f"{at}, {k}" for at, row in rows.items() for k, x in enumerate(row) if not execution.machine.form.contains(x)}
    return frozenset(weights | {text for text in execution.unrepresentable_in_attention if text.startswith("step ")})


def part_of(place: str) -> str:
    """The part of a file that a lacking entry is of, as an edit's place begins: ``row.2``, ``weights`` or ``mlp``."""
    word = place.split(",")[0].split()
    return f"row.{word[1]}" if word[0] == "step" else "mlp" if word[0] == "node" else "weights"


Keep = npt.NDArray[np.bool_]


class Terms:
    """What vectors contribute under one reading, as states of the vectorised machine, by the vector's number."""

    def __init__(self, instance: Instance, semantics: Semantics) -> None:
        self.execution = Execution(instance, semantics)
        self.program = Program(self.execution)
        self._encode = self.program.lattice.encode
        self._found: list[list[np.int64]] = []
        self.table: States = np.zeros((0, self.execution.sums + 1), dtype=np.int64)
        self.known: Keep = np.zeros(0, dtype=bool)

    def extend(self, vectors: Sequence[Vector]) -> None:
        """Tabulate the vectors that are new; one that cannot be evaluated is not known."""
        fresh = [self._term(vector) for vector in vectors[len(self.table) :]]
        if fresh:
            rows = np.array([row or [np.int64(0)] * self.table.shape[1] for row in fresh], dtype=np.int64)
            self.table = np.concatenate([self.table, rows])
            self.known = np.concatenate([self.known, np.array([row is not None for row in fresh])])

    def _term(self, vector: Vector) -> list[np.int64] | None:
        try:
            term = self.execution.term_of(vector)
        except InputError:
            return None
        parts: tuple[Number, ...] = (*term.products, term.weight)
        return [self._encode(x) for x in parts]


class Input:
    """One input of a construction, and what each edit of its embedding changes there."""

    def __init__(self, base: Instance, edited: Sequence[Instance], inputs: Inputs, semantics: Semantics) -> None:
        """``edited``: the construction after each edit of its embedding, with the same tokens and bits."""
        self.base, self.semantics = base, semantics
        self.patterns = [token.pattern_at(inputs, base.task.strings) for token in base.tokens]
        self.right = (YES,) if base.task.value_at(inputs) else (NO, INVALID)
        self._numbers: dict[Vector, int] = {}
        self._vectors: list[Vector] = []
        self.plain: States = np.array([self._number(v) for v in self._selected(base)], dtype=np.int64)
        self.rows: States = np.array([[self._number(v) for v in self._selected(each)] for each in edited], dtype=np.int64)
        self._terms = Terms(base, semantics)

    def keep(self, first: Instance, others: npt.NDArray[np.intp]) -> Keep:
        """For the edit that made ``first`` together with each of ``others`` (numbers of ``edited``): is the answer right, or not known?"""
        same = first.query == self.base.query and first.key == self.base.key and first.value == self.base.value
        same = same and (first.hidden, first.output, first.asking) == (self.base.hidden, self.base.output, self.base.asking)
        own = np.array([self._number(v) for v in self._selected(first)], dtype=np.int64)
        rows = self.rows[others].copy()
        unknown: Keep = np.zeros(len(others), dtype=bool)
        for t in np.flatnonzero(own != self.plain):
            alone = rows[:, t] == self.plain[t]
            rows[alone, t] = own[t]
            for k in np.flatnonzero(~alone):
                merged = self._merged(int(own[t]), int(rows[k, t]), int(self.plain[t]))
                unknown[k] |= merged is None
                rows[k, t] = own[t] if merged is None else merged
        terms = self._terms if same else Terms(first, self.semantics)
        terms.extend(self._vectors)
        unknown |= ~terms.known[rows].all(axis=1)
        return unknown | np.isin(self._answers(terms, rows), self.right)

    def _answers(self, terms: Terms, rows: States) -> States:
        """The answer for each row of vectors' numbers, the tokens in their order."""
        program, lattice = terms.program, terms.program.lattice
        names = [*program.numerator_sums, *([DENOMINATOR] if terms.execution.normalised else [])]
        sums: dict[str, States] = {}
        for k, name in enumerate(names):
            column = terms.execution.sums if name == DENOMINATOR else k
            states: States = np.zeros(len(rows), dtype=np.int64)
            for t in range(rows.shape[1]):
                added = terms.table[rows[:, t], column]
                if added.any():
                    states = lattice.add(states, added)
            sums[name] = states
        return np.broadcast_to(program.answers(*program.attentions(sums)), (len(rows),))

    def _selected(self, instance: Instance) -> list[Vector]:
        return [token.vectors[pattern] or () for token, pattern in zip(instance.tokens, self.patterns, strict=True)]

    def _number(self, vector: Vector) -> int:
        if vector not in self._numbers:
            self._numbers[vector] = len(self._vectors)
            self._vectors.append(vector)
        return self._numbers[vector]

    def _merged(self, one: int, other: int, plain: int) -> int | None:
        """The vector with the changed entries of both; None where both change one entry."""
        a, b, base = self._vectors[one], self._vectors[other], self._vectors[plain]
        if not len(a) == len(b) == len(base) or any(x != p and w != p for x, w, p in zip(a, b, base, strict=True)):
            return None
        return self._number(tuple(w if x == p else x for x, w, p in zip(a, b, base, strict=True)))


Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Coverage:
    """counts: for the rows and for the clauses, how often each token is named, and last how many indices name no token."""

    counts: Counts

    def with_both(self, one: Coverage, other: Coverage) -> bool:
        """Whether two edits of different places of this construction name every token once, and nothing else.

        one, other: the coverage after each edit alone. What an edit adds or takes away, it does so beside the other.
        """
        both = one.counts + other.counts - self.counts
        return bool((both[:, :-1] == 1).all() and (both[:, -1] == 0).all())


def coverage(file: ConstructionFile, instance: Instance) -> Coverage:
    """The coverage of a construction that can be read, at the instance's parameters."""
    names = names_at(file, instance.parameters)
    first, last = (integer(text, names) for text in (file.tokens.first, file.tokens.last))

    def counted(texts: Iterable[Expression]) -> Counts:
        named = np.array([i - first for text in texts for i in index_set(text, names)], dtype=np.int64)
        size = last - first + 1
        inside = (named >= 0) & (named < size)
        return np.bincount(np.where(inside, named, size), minlength=size + 1)

    return Coverage(np.stack([counted(row.i for row in file.row), counted(clause.i for clause in file.input)]))


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

    def __init__(self, subject: Table, state: Search, advance: Advance) -> None:
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

"""A construction file as a subject of repair. The search checks forms of the file, closes gaps, and finds longer repairs in steps.

A gap is a token without a row or without a clause, a token with two rows, a bit that the string lacks, or a name that is not defined. Edits
and clauses close gaps, and known names replace unknown ones.

A step-by-step repair is for a table with more faults than a search over one or two symbols can repair: each stage is a search for small
edits. First the sentences about the table lead (:mod:`verifier.repair.proof_sentences`), in their order: if a sentence fails, the search
takes the one edit of its steps that makes it true and breaks fewer others than it repairs, with as few entries that are not representable
as possible. Then, if the answers are still wrong, it takes one more edit of one symbol anywhere; and last, part by part, it replaces the
entries that are not representable. A smaller repair may exist.

Each form within a few symbols of a file is checked on every promised input. A form is left out, and counted, for one of three
reasons: it was evaluated on an input and is wrong there; some token would have no row or two; or an entry that the precision lacks remains
in a search for such entries only. The instance of an edited file comes from that of the file before the edit: only the edited part is
computed again. The instance of two edits is composed of the instances of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import msgspec

from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics, readings
from verifier.claims.parameters import Parameter, parse_values
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import sampled_failure
from verifier.engines.failure_counts import Census
from verifier.engines.program import sums_of
from verifier.errata.tables import Source, apply
from verifier.judges.expectations import every_input
from verifier.networks import files
from verifier.networks.errata import ERRATA
from verifier.networks.indices import field
from verifier.networks.instance import Defect, Instance, Matrix, Node, Token
from verifier.networks.instantiate import instantiate, mlp_nodes, tabulated, weight_matrix
from verifier.networks.problems import Problem, bits_of
from verifier.networks.record_base import Expression, complete, outside_domain
from verifier.networks.records import ConstructionFile
from verifier.repair.edits import (
    ADDED,
    OTHER_STRING,
    Change,
    Changes,
    Clause,
    Edit,
    edits,
    edits_of_ends,
    entries,
    exchanges,
    printed_expressions,
    together,
)
from verifier.repair.proof_sentences import Sentence, kept
from verifier.repair.search import Checked, Repair, Search, Stage, State, Subject, Walk, by_rank
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError
from verifier.running.identifiers import nearest
from verifier.running.printable import assignment
from verifier.transformers.table_traces import attentions_at
from verifier.transformers.table_traces import decide as answered
from verifier.transformers.tables import Execution

Known = tuple[tuple[tuple[str, int], ...], tuple[int, ...]]
"""An input on which some form is wrong, as the lengths of the strings and the strings."""
MOST_KEPT = 1 << 16
"""The number of attentions and answers on such inputs that are kept. Forms that read the same vectors and weights share them."""
STATES = 1 << 22
"""The most states that an engine visits for one form. The fast engines need fewer states for all that they decide."""
FURTHER = 2
"""The number of values of the first parameter that are tried beyond those that were checked."""
MOST_CHECKED = 4
"""The number of values of ``[check]`` that are tried besides those of the request."""


class Table(Subject):
    """A construction file under one reading at given points.

    If its answers are right, pairs of edits are not tried for the expectations alone: they are too many.

    Every edited form is checked from the cheapest question to the most expensive: can it be read, is it well-formed, is it right on the
    inputs on which another form was wrong, and last the engine, on every promised input. Inputs on which the engine finds a form wrong are
    kept.
    """

    pairs_where_right = False
    why = "as printed: {0.state.value}, at {0.reason}"

    def __init__(self, source: Source, points: Sequence[Mapping[str, int]], semantics: Semantics, states: int) -> None:
        """``states``: the most states that an engine may visit for one form at one point. ``left_out`` says which point lies outside the
        domain.

        Raises:
            InputError: no point within the file's domain.
        """
        self.source, self.semantics, self.states = source, semantics, states
        whole = [complete(source.file, point) for point in points]
        self.given = [dict(point) for point in points]
        self.points = [values for values in whole if outside_domain(source.file, values) is None]
        self.left_out = next((why for why in (outside_domain(source.file, values) for values in whole) if why), "")
        if not self.points:
            raise InputError(f"{source.file.id}: {self.left_out}")
        self.inputs: list[list[Known]] = [[] for _ in self.points]
        self._attentions: dict[object, tuple[Number, ...]] = {}
        self._answers: dict[object, int | None] = {}

    def file(self, edits: Sequence[Change]) -> ConstructionFile:
        """The file with these changes made."""
        added = [edit.added for edit in edits if isinstance(edit, Clause)]
        raw = {**self.source.raw, "input": [*self.source.raw["input"], *added]}
        return apply(raw, [edit.erratum("") for edit in edits if isinstance(edit, Edit)], self.source.file.id)

    def instance(self, edits: Sequence[Change], point: int) -> Instance | None:
        """The edited construction at a point, or None if it cannot be read."""
        return _instance(self.file(edits), self.points[point])

    def after(self, edit: Edit, before: Instance) -> Instance | None:
        """The construction after one edit at the first point; ``before`` is the one without it; None if it cannot be read."""
        if edit.ranges or before.defects:
            return self.instance((edit,), 0)
        return instance_after(edit, self.file((edit,)), before)

    def open_gaps(self, edits: Sequence[Change]) -> int | None:
        """The number of defects of the tokens, rows and clauses, at all points together, or None if an expression has no value."""
        try:
            file = self.file(edits)
        except InputError:
            return None
        made = [_instance(file, values) for values in self.points]
        return None if None in made else sum(len(instance.defects) for instance in made if instance is not None)

    def broken(self, edits: Sequence[Change]) -> tuple[str, ...]:
        """The expectations of the file from which some promised input departs at some point, for a well-formed construction."""
        file, found = self.file(edits), dict[str, None]()
        for values in self.points:
            instance = instantiate(file, values)
            if not instance.expectations:
                continue
            try:
                met = every_input(Execution(instance, self.semantics), self.states)
            except (InputError, LimitError):
                continue
            found |= {each.name: None for each, seen in zip(instance.expectations, met, strict=True) if seen.failures}
        return tuple(found)

    def check(self, edits: Sequence[Change], first: Instance | None = None, whole: bool = False) -> Checked:
        """The state of the construction with these edits, at all points together.

        Args:
            first: the edited construction at the first point, if it is known.
            whole: whether a form with entries that the precision lacks is useless, so that nothing more is checked.
        """
        try:
            file = None if first is not None else self.file(edits)
        except InputError as error:
            return Checked(State.UNREADABLE, str(error))
        cases = where = 0
        lacking: list[str] = []
        constant: list[str] = []
        for point, values in enumerate(self.points):
            if first is not None and not point:
                instance: Instance | None = first
            else:
                file = file or self.file(edits)
                try:
                    instance = instantiate(file, values)
                except (InputError, LimitError) as error:
                    return Checked(State.UNREADABLE, str(error.each[0] if isinstance(error, FileDefects) else error), point=point)
            assert instance is not None
            if instance.defects:
                return Checked(State.ILL_FORMED, f"{assignment(values)}: {instance.defects[0]}", point=point)
            try:
                if known := self._wrong_on(instance, self.inputs[point]):
                    return Checked(State.WRONG, _input(instance, known), point=point)
                execution = Execution(instance, self.semantics)
                if whole and execution.assumptions:
                    return Checked(State.LACKING, "", point=point)
                found = decide(execution, limit=self.states)
                wrong, cases = found.smallest, cases + found.cases
                constant.append(found.constant if isinstance(found, Census) else "")
            except InputError as error:
                return Checked(State.UNREADABLE, str(error), point=point)
            except LimitError as error:
                pairs = isinstance(instance.task, Problem) and instance.outputs == 1
                wrong = sampled_failure(sums_of(execution)) if pairs else None
                if wrong is None:
                    return Checked(State.UNDECIDED, str(error), point=point)
            if wrong is not None:
                self.inputs[point].append((tuple(instance.task.strings.items()), wrong))
                return Checked(State.WRONG, _input(instance, wrong), point=point)
            if execution.assumptions:
                where = where if lacking else point
                lacking.append(f"{assignment(values)}: {', '.join(execution.unrepresentable or execution.assumptions)}")
        same = constant[0] if len({*constant}) == 1 else ""
        return Checked(State.LACKING if lacking else State.RIGHT, "; ".join(lacking) or same, cases, where)

    def edited(self, edits: Sequence[Change]) -> Table:
        """The edited file at the same points in their order and under the same reading."""
        file = self.file(edits)
        made = Table(Source(file, msgspec.to_builtins(file)), self.given, self.semantics, self.states)
        made.points = list(self.points)
        return made

    def start(self, before: Checked) -> tuple[str, ...]:
        """Check the expectations of a well-formed table; from now on check the failing point first."""
        failing = self.broken(()) if before.state.answers or before.state is State.WRONG else ()
        self.ask_first(before.point)
        return failing

    def near(self, search: Search) -> tuple[Iterator[Repair], Iterator[Repair]]:
        near = NearTable(self, search)
        return chain(near.one(), near.ends_and_exchanges()), near.two()

    def names(self, search: Search) -> Iterator[Changes]:
        """The edits that put a known name in place of an unknown one; if every name is known, all edits of one symbol."""
        try:
            instantiate(self.file(()), self.points[0])
        except FileDefects as error:
            for change in list(for_names(self.source.raw, error.each)) or [*edits(self.source.raw), *edits_of_ends(self.source.raw)]:
                search.spend(1)
                yield (change,)
        except InputError:
            pass

    def gaps(self, search: Search) -> Iterator[Changes]:
        return closing(self, search)

    def walk(self, search: Search, sentences: Sequence[Sentence]) -> None:
        """If no edit of one symbol makes it right, follow the sentences, or the entries that the precision lacks."""
        before = search.before.state
        if before is State.ILL_FORMED or any(repair.state is State.RIGHT for repair in search.found):
            return
        if before is State.LACKING or search.found or sentences:
            StepByStep(self, sentences, search).run()

    def ranked(self, search: Search, sentences: Sequence[Sentence]) -> list[Repair]:
        """Each repair is tried under every reading, and at further values of the first parameter."""
        listed = []
        for number, repair in enumerate(search.found, 1):
            listed.append(self._measured(repair, sentences))
            search.advance("ranking", number, len(search.found))
        return by_rank(listed)

    def _measured(self, repair: Repair, sentences: Sequence[Sentence]) -> Repair:
        file, every = self.file(repair.edits), list(readings(self.source.file.precision.point))
        first = instantiate(file, self.points[0])
        return replace(
            repair,
            further=tuple((name, value, self._right(_instance(file, values), self.semantics)) for name, value, values in self._beyond()),
            survives=tuple(reading.label for reading in every if self._right(first, reading)),
            readings=len(every),
            lacking=len(Execution(first, self.semantics).unrepresentable),
            kept=sum(kept(sentences, file)),
            uniform=sum(_uniform(self.source.raw, edit) for edit in repair.edits),
        )

    def _beyond(self) -> list[tuple[str, int, dict[str, int]]]:
        """The values of the first parameter in ``[check]`` and the two after the largest requested one, within the domain.

        The parameters with a default have their default.
        """
        file = self.source.file
        name = next(iter(file.parameters), None)
        largest = max(self.given, key=lambda given: given.get(name or "", 0))
        if name is None or name not in largest:
            return []
        try:
            checked = [value for value in parse_values(str(file.check[name]), Parameter(name, "", "")) if isinstance(value, int)]
        except (KeyError, InputError, LimitError):
            checked = []
        asked = {given.get(name) for given in self.given}
        found = []
        for value in dict.fromkeys([*checked[:MOST_CHECKED], *(largest[name] + by for by in range(1, FURTHER + 1))]):
            values = complete(file, {**largest, name: value})
            if value not in asked and outside_domain(file, values) is None:
                found.append((name, value, values))
        return found

    def errata_head(self, name: str, found: bool) -> dict[str, Any]:
        """The domain is exactly the points: ``p == 8 and n == 34 or p == 9 and n == 38``."""
        return {
            "format": ERRATA,
            "construction": self.source.file.id,
            "semantics": self.semantics.label,
            "domain": " or ".join(" and ".join(f"{name} == {value}" for name, value in values.items()) for values in self.points),
            "why_domain": "where the repair was checked, on every promised input" if found else "where the changes were tried",
        }

    def ask_first(self, point: int) -> None:
        """Check this point first from now on, because most wrong forms are wrong there."""
        self.points.insert(0, self.points.pop(point))
        self.inputs.insert(0, self.inputs.pop(point))

    def _wrong_on(self, instance: Instance, known: list[Known]) -> tuple[int, ...] | None:
        """The first known input with a wrong answer, which is tried first on the next form: similar forms fail on the same inputs."""
        lengths, execution = tuple(instance.task.strings.items()), None
        point = (*instance.parameters.values(), lengths)
        for number, (of, strings) in enumerate(known):
            if of != lengths:
                continue
            inputs = dict(zip(instance.task.strings, strings, strict=True))
            vectors = tuple(token.vectors[token.pattern_at(inputs, instance.task.strings)] for token in instance.tokens)
            read = point, vectors, instance.query, instance.key, instance.value
            if read not in self._attentions:
                execution = execution or Execution(instance, self.semantics)
                self._attentions[read] = attentions_at(execution, inputs)
            given = point, self._attentions[read], instance.hidden, instance.output
            if given not in self._answers:
                execution = execution or Execution(instance, self.semantics)
                self._answers[given] = answered(execution, *self._attentions[read]).answer
            wrong = self._answers[given] != instance.task.value_at(inputs)
            for memo in (self._attentions, self._answers):
                if len(memo) > MOST_KEPT:
                    memo.clear()
            if wrong:
                known.insert(0, known.pop(number))
                return strings
        return None

    def lacking(self, edits: Sequence[Change]) -> int:
        """The number of entries of the edited construction that the precision lacks at the first point."""
        instance = self.instance(edits, 0)
        assert instance is not None, "a form that cannot be read is not a repair"
        return len(Execution(instance, self.semantics).unrepresentable)

    def _right(self, instance: Instance | None, semantics: Semantics) -> bool:
        """Whether a construction is right on every input under a reading; one that cannot be evaluated is not."""
        try:
            return (
                instance is not None and not instance.defects and decide(Execution(instance, semantics), limit=self.states).smallest is None
            )
        except (InputError, LimitError):
            return False


def _instance(file: ConstructionFile, values: Mapping[str, int]) -> Instance | None:
    try:
        return instantiate(file, values)
    except (InputError, LimitError):
        return None


def _input(instance: Instance, strings: tuple[int, ...]) -> str:
    shown = (f"{name} = {bits_of(x, length)}" for (name, length), x in zip(instance.task.strings.items(), strings, strict=True))
    return f"{assignment(instance.parameters)}: {', '.join(shown)}"


def instance_after(edit: Edit, file: ConstructionFile, before: Instance) -> Instance | None:
    """The construction after an edit of an entry, a weight or the MLP, or None if it cannot be read.

    file: the edited file; before: a well-formed instance of the file without the edit, at the same parameters.
    """
    assert not edit.ranges, "which tokens there are is not computed anew"
    _, _, inside = edit.at.partition(".")
    try:
        if edit.part == "row":
            return _with_row(int(inside.partition(".")[0]), file, before)
        if edit.part == "weights":
            name = inside.partition(".")[0]
            made: dict[str, Any] = {name: weight_matrix(getattr(file.weights, name), before.names)}
            return replace(before, **made)
        hidden = tuple(made for node in file.mlp.hidden for made in mlp_nodes(node, before.names))
        return replace(before, hidden=hidden, output=mlp_nodes(file.mlp.output, before.names)[0])
    except (InputError, LimitError):
        return None


def _with_row(step: int, file: ConstructionFile, before: Instance) -> Instance:
    """Rows of one step that are printed twice are both computed again, because the tokens know their row by its step alone."""
    numbers = [k for k, row in enumerate(file.row) if row.step == step]
    if len(numbers) > 1:
        raise InputError(f"step {step} occurs {len(numbers)} times")
    row = file.row[numbers[0]]
    mine = {token.index: token.fields for token in before.tokens if token.step == step}
    quantities = {name: field(text, before.names, 0, before.task.strings) for name, text in file.quantities.items()}
    defects: list[Defect] = []
    checked, numbered = files.Checked(), dict.fromkeys(mine, (numbers[0], row))
    made = {token.index: token for token in tabulated(mine, numbered, quantities, before.names, defects, checked)}
    checked.done(file.id)
    return replace(before, tokens=tuple(made.get(token.index, token) for token in before.tokens), defects=tuple(defects))


def with_both(before: Instance, one: Instance, other: Instance) -> Instance | None:
    """The construction with the edits of both, each made on ``before``; None if both change one number, or other tokens or bits."""
    parts: dict[str, Any] = {name: _both(*(getattr(each, name) for each in (before, one, other))) for name in PARTS}
    return None if CONFLICT in parts.values() else replace(before, **parts)


PARTS = ("tokens", "query", "key", "value", "hidden", "output")
CONFLICT = object()


def _both(before: Any, one: Any, other: Any) -> Any:
    """The result of both edits. If one of them changes nothing, it is the result of the other."""
    if one is before or one == before:
        return other
    if other is before or other == before:
        return one
    if isinstance(before, tuple) and len(before) == len(one) == len(other):
        parts = tuple(_both(*each) for each in zip(before, one, other, strict=True))
        return CONFLICT if CONFLICT in parts else parts
    if isinstance(before, Token | Matrix | Node):
        fields = {name: _both(*(getattr(each, name) for each in (before, one, other))) for name in before.__dataclass_fields__}
        return CONFLICT if CONFLICT in fields.values() else replace(before, **fields)
    return CONFLICT


Places = frozenset[str]


def lacking_places(instance: Instance, semantics: Semantics) -> Places:
    """The names of the entries that the precision lacks, each once. An entry of the weights has its place in the matrix or node."""
    execution = Execution(instance, semantics)
    rows: dict[str, tuple[Fraction, ...]] = {}
    for name, matrix in (("query", instance.query), ("key", instance.key), ("value", instance.value)):
        rows |= {f"{name} {k}": row for k, row in enumerate(matrix.rows)}
    rows |= {f"node {k}": (*node.weights, node.bias) for k, node in enumerate((*instance.hidden, instance.output))}
    weights = {f"{at}, {k}" for at, row in rows.items() for k, x in enumerate(row) if not execution.machine.form.contains(x)}
    return frozenset(weights | {text for text in execution.unrepresentable_in_attention if text.startswith("step ")})


def part_of(place: str) -> str:
    """The part of a file that contains a lacking entry, as an edit's place begins: ``row.2``, ``weights`` or ``mlp``."""
    word = place.split(",")[0].split()
    return f"row.{word[1]}" if word[0] == "step" else "mlp" if word[0] == "node" else "weights"


MOST_IN_ROW = 3
MOST_IN_MLP = 4


@dataclass(frozen=True)
class Form:
    """A construction at the first point after one edit; lacking: its entries that the precision lacks, in a search for those."""

    edit: Edit
    made: Instance
    lacking: Places


class NearTable:
    """The edited forms near one readable file, counted in ``search``."""

    def __init__(self, subject: Table, search: Search) -> None:
        self.subject, self.search = subject, search
        base = subject.instance((), 0)
        assert base is not None, "a construction without a value is not searched"
        self.base = base
        self._representable = subject.check(()).state is State.LACKING
        """Whether all answers are right, so that the search is for the entries that the precision lacks."""

        self._before = self._lacking(base)

    def one(self) -> Iterator[Repair]:
        """Edits of one symbol."""
        yield from self._each(self._singles)

    def ends_and_exchanges(self) -> Iterator[Repair]:
        """If no edit of one symbol makes everything true: edits of ends and lengths, and exchanges of two clauses' or numbers."""
        if all(repair.broken for repair in self.search.found):
            yield from self._each(self._made(edits_of_ends(self.subject.source.raw)))
            yield from self._pairs([form for form in self._singles if form.edit.what == OTHER_STRING], "two clauses", apart=False)
            for exchange in exchanges(self.subject.source.raw) if not self.base.defects else ():
                forms = self._made(exchange)
                if len(forms) == len(exchange):
                    made = None if exchange[0].ranges else self._merged(forms)
                    yield from self._repair(forms, made, self._representable)

    def two(self) -> Iterator[Repair]:
        """Edits of two symbols, first in one expression and then in two."""
        yield from self._each(self._made(edits(self.subject.source.raw, 2), "two symbols of one expression"))
        ranges = [form for form in self._singles if form.edit.ranges]
        others = [form for form in self._singles if not form.edit.ranges]
        yield from self._pairs(ranges, "two indices", apart=False)
        for number, form in enumerate(ranges, 1):
            self.search.spend(len(others))
            if not form.made.defects:
                yield from self._behind(form, others)
            self.search.advance("an index and another symbol", number, len(ranges))
        if self.base.defects:
            self.search.spend(len(others) * (len(others) - 1) // 2)
        else:
            yield from self._pairs(others, "two symbols", apart=True)

    def within(self, part: str) -> Iterator[list[Repair]]:
        """All sets of one edit of a part, then of two, and so on, that leave the part no unrepresentable entry and make every answer right.

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
        """The form of each edit that can be read; all edits are counted."""
        found: list[Form] = []
        for number, edit in enumerate(listed, 1):
            self.search.spend(1)
            instance = self.subject.after(edit, self.base)
            if instance is not None:
                found.append(Form(edit, instance, self._lacking(instance)))
            if label:
                self.search.advance(label, number, len(listed))
        return found

    def _lacking(self, instance: Instance) -> Places:
        """The entries that the precision lacks, in a search for those."""
        return lacking_places(instance, self.subject.semantics) if self._representable and not instance.defects else frozenset()

    def _repair(self, forms: Sequence[Form], made: Instance | None, whole: bool = False) -> Iterator[Repair]:
        """The edits of these forms, if they are a repair.

        made: the construction with all of them, if it is known; whole: whether an entry that the precision lacks disqualifies it.
        """
        together = tuple(form.edit for form in forms)
        yield from self.search.repairs(together, self.subject.check(together, made, whole), whole, self.subject)

    def _merged(self, forms: Sequence[Form]) -> Instance | None:
        """The construction with all these edits, or None if only the file shows their joint effect."""
        if len(forms) == 1:
            return forms[0].made
        whole: Instance | None = None if any(form.made.defects for form in forms) else self.base
        for form in forms:
            whole = whole and with_both(self.base, whole, form.made)
        return whole

    def _each(self, forms: Sequence[Form]) -> Iterator[Repair]:
        """Edits of one symbol in indices, or elsewhere if no index is wrong."""
        for form in sorted(forms, key=lambda form: not form.edit.ranges):
            if form.edit.ranges or not self.base.defects:
                yield from self._repair([form], form.made, self._representable)

    def _behind(self, form: Form, others: Sequence[Form]) -> Iterator[Repair]:
        """An edit of an index that leaves the table well-formed, with each edit of another kind."""
        apart = not self.base.defects and not self.subject.source.file.quantities and _same_rows(self.base, form.made)
        for other in others:
            yield from self._repair([form, other], self._merged([form, other]) if apart else None, self._representable)

    def _pairs(self, forms: Sequence[Form], label: str, apart: bool) -> Iterator[Repair]:
        """Two edits of these; apart: whether they change nothing of each other, so that their instances can be put together."""
        for k, form in enumerate(forms):
            for other in forms[k + 1 :]:
                if other.edit.at != form.edit.at:
                    self.search.spend(1)
                    yield from self._repair([form, other], self._merged([form, other]) if apart else None, self._representable)
            self.search.advance(label, k + 1, len(forms))

    def _sets(self, left: Places, harmless: Sequence[Form], size: int) -> Iterator[tuple[Form, ...]]:
        """All sets of ``size`` edits at different places that repair every unrepresentable entry of ``left``, each once.

        Edits that remove such an entry are chosen first, starting with those of the first entry. Other edits complete the set.
        """
        seen: set[frozenset[Edit]] = set()
        for core in self._cores((), left, size, harmless):
            taken = {form.edit.at for form in core}
            for more in combinations([form for form in harmless if form.edit.at not in taken], size - len(core)):
                self.search.spend(1)
                chosen = (*core, *more)
                key = frozenset(form.edit for form in chosen)
                if key not in seen and len({form.edit.at for form in chosen}) == size:
                    seen.add(key)
                    yield chosen

    def _cores(self, chosen: tuple[Form, ...], left: Places, size: int, harmless: Sequence[Form]) -> Iterator[tuple[Form, ...]]:
        """Sets of edits that repair the unrepresentable entries of ``left``, in the order of these entries."""
        if not left:
            yield chosen
        elif len(chosen) < size:
            first = min(left)
            for form in harmless:
                if first not in form.lacking and all(form.edit.at != each.edit.at for each in chosen):
                    yield from self._cores((*chosen, form), left & form.lacking, size, harmless)


def _same_rows(one: Instance, other: Instance) -> bool:
    """Whether every token has the same row and vectors as in the other, whatever bits it holds."""
    return all(
        (a.index, a.step, a.vectors) == (b.index, b.step, b.vectors) and [len(f) for f in a.fields] == [len(f) for f in b.fields]
        for a, b in zip(one.tokens, other.tokens, strict=True)
    )


def _uniform(raw: Mapping[str, Any], edit: Change) -> bool:
    """Whether an edit changes an entry that stands in every row in this place, and so hardly by mistake."""
    part, _, place = edit.at.rpartition(".")
    if not (isinstance(edit, Edit) and edit.at.startswith("row.") and part.endswith((".zero", ".one"))):
        return False
    column = [str(row[bit][int(place) - 1]) for row in raw["row"] for bit in ("zero", "one") if row.get(bit)]
    return set(column) == {str(edit.printed)}


_ONWARDS = re.compile(r"\[\s*(?P<before>.+?) \+ 1\s*:")
_FIRST = re.compile(r"\[\s*1\s*:")


def for_gaps(raw: Mapping[str, Any], strings: Iterable[str]) -> Iterator[Change]:
    """Edits of ranges and of tokens' contents, ranges extended by a part of another table's, and clauses for the tokens of a row."""
    for edit in edits(raw):
        if edit.ranges:
            yield edit
    for number, clause in enumerate(raw["input"], 1):
        for at, printed in entries(clause["reads"], f"input.{number}.reads", ()):
            string = str(printed).partition("[")[0]
            for bit in (f"{string}[{index}]" for index in _indices(str(clause["i"])) if string in strings):
                if bit != printed:
                    yield Edit(at, printed, bit, "the bit that is read")
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
    """The bits that token i of a range may hold, which are bit i and the first bit of the range."""
    yield "i"
    if (onwards := _ONWARDS.match(i)) is not None:
        before = onwards["before"]
        yield f"i - {before}" if re.fullmatch(r"[\w*]+", before) else f"i - ({before})"
    elif i.startswith("[") and not _FIRST.match(i):
        yield f"i + 1 - ({i[1:].partition(':')[0].strip()})"


def for_names(raw: Mapping[str, Any], defects: Iterable[FileDefect]) -> Iterator[Edit]:
    """Edits that replace an unknown name by a known one."""
    asked: set[str] = set()
    for defect in defects:
        if defect.unknown is None or defect.unknown[0] in asked:
            continue
        unknown, names = defect.unknown
        asked.add(unknown)
        near = dict.fromkeys([*nearest(unknown, names, most=3, cutoff=0.3), *names])
        for at, printed in printed_expressions(raw):
            if re.search(rf"\b{unknown}\b", str(printed)):
                for name in near:
                    repaired = re.sub(rf"\b{unknown}\b", name, str(printed))
                    yield Edit(at, printed, repaired, f"{unknown} for {name}")


MOST_CHANGES = 3
"""Gaps that are closed one after another."""
MOST_STARTED = 4
"""The number of changes from which the search continues, if several close equally many gaps."""
MOST_TRIED = 2000


def closing(subject: Table, search: Search) -> Iterator[Changes]:
    """Find the fewest changes that close all gaps. The search first makes the changes that close the most, and continues from these."""
    strings = subject.source.file.problem.strings or {"y": "", "z": ""}
    candidates, left = list(for_gaps(subject.source.raw, strings)), iter(range(MOST_TRIED))

    def closed(already: Changes, fewest: int) -> Iterator[Changes]:
        best: list[Changes] = []
        for number, change in enumerate(candidates, 1):
            if any(change.at == other.at for other in already):
                continue
            if next(left, None) is None:
                break
            search.spend(1)
            gaps = subject.open_gaps((*already, change))
            if gaps is not None and gaps < fewest:
                fewest, best = gaps, [(*already, change)]
            elif best and gaps == fewest:
                best.append((*already, change))
            search.advance("gaps", number, len(candidates))
        if not fewest:
            yield from best
        elif len(already) + 1 < MOST_CHANGES:
            for changes in best[:MOST_STARTED]:
                yield from closed(changes, fewest)

    before = subject.open_gaps(())
    assert before, "a well-formed table has no gaps"
    return closed((), before)


class StepByStep:
    """Run the step-by-step search once, and count the variants of the table that it tries."""

    def __init__(self, subject: Table, sentences: Sequence[Sentence], search: Search) -> None:
        self.subject, self.sentences, self.search = subject, sentences, search
        self._truths = kept(sentences, subject.file(()))
        self.walk = search.walk = Walk(sum(self._truths), len(sentences))

    def run(self) -> Walk:
        """Everything that can be mended so."""
        walk, now = self.walk, self.subject
        for number, sentence in enumerate(self.sentences, 1):
            if not self._truths[number - 1] and sentence.steps is not None:
                now = self._made(now, self._mending(now, number - 1, sentence))
            self.search.advance("sentences", number, len(self.sentences))
        if not now.check(()).state.answers:
            now = self._made(now, self._answering(now))
        if now.check(()).state is State.LACKING:
            instance = now.instance((), 0)
            assert instance is not None
            parts = sorted({part_of(place) for place in lacking_places(instance, now.semantics)}, key=_in_order)
            for number, part in enumerate(parts, 1):
                now = self._made(now, self._representable(now, part))
                self.search.advance("entries that are not representable", number, len(parts))
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
                self.search.spend(1)
                truths = self._with(now, (edit,), number)
                if truths is not None and truths[number] and sum(truths) > sum(self._truths):
                    made.append((edit, truths))
        order = {edit: (now.lacking((edit,)), -sum(truths)) for edit, truths in made}
        least = min(order.values(), default=None)
        return self._best(sentence.name, now, [(edit,) for edit, _ in made if order[edit] == least])

    def _with(self, now: Table, made: Changes, first: int) -> tuple[bool, ...] | None:
        """The sentences that a form keeps, or None where it does not keep ``first``, which is asked before the others, or is none."""
        try:
            file = now.file(made)
        except (InputError, LimitError):
            return None
        return kept(self.sentences, file) if self.sentences[first].true(file) else None

    def _answering(self, now: Table) -> Stage | None:
        """The edits of one symbol with which every promised input is answered rightly."""
        found = [repair.edits for repair in NearTable(now, self.search).one()]
        return self._best("the answers", now, self._keeping(now, found))

    def _representable(self, now: Table, part: str) -> Stage | None:
        """The smallest sets of edits after which every entry of a part is representable; if some set breaks no sentence, only those."""
        fewest: list[Changes] = []
        for found in NearTable(now, self.search).within(part):
            best = self._keeping(now, [repair.edits for repair in found])
            fewest = fewest or best
            if best and sum(kept(self.sentences, now.file(best[0]))) >= sum(self._truths):
                fewest = best
                break
        return self._best(f"entries that are not representable in {part}", now, fewest)

    def _keeping(self, now: Table, found: Sequence[Changes]) -> list[Changes]:
        """Return the edits that keep the most sentences."""
        counts = [sum(kept(self.sentences, now.file(each))) for each in found]
        return [each for each, count in zip(found, counts, strict=True) if count == max(counts)]

    def _best(self, why: str, now: Table, found: Sequence[Changes]) -> Stage | None:
        """Choose the sets of edits with the fewest unrepresentable entries, then the fewest kinds of slips, since authors repeat a slip,
        then the smallest change.
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

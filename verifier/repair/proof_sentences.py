"""Sentences about a construction's intermediate values: those of a proof, or the expectations of a file. Each edited form satisfies or
breaks each sentence.

They show where a table departs from its author's intention, so that a search need not wait for a wrong answer; of two equally small
repairs, the one that satisfies more sentences is better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

from verifier.arithmetic.semantics import Semantics
from verifier.claims.model import Claim, Query
from verifier.claims.papers import find_claim
from verifier.claims.records import Table
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.tables import Source
from verifier.judges.expectations import every_input
from verifier.judges.partial_sum import steps
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.records import ConstructionFile
from verifier.running.errors import InputError, LimitError
from verifier.transformers.tables import Execution

MOST_INPUTS = 1 << 20
"""Inputs on which the expectations of a file are looked at for one form."""


@dataclass(frozen=True)
class Sentence:
    """One sentence about a construction.

    of: the quantity; steps: the steps of the table whose partial sum it is, None for the whole sum;
    exact: whether it gives the exact number; true: whether a form satisfies it.
    """

    name: str
    of: str
    steps: frozenset[int] | None
    exact: bool
    true: Callable[[ConstructionFile], bool]


def kept(sentences: Sequence[Sentence], file: ConstructionFile) -> tuple[bool, ...]:
    """The sentences that a form satisfies."""
    return tuple(sentence.true(file) for sentence in sentences)


@dataclass(frozen=True)
class _Edited(Table):
    """A claim's table with another file in its place; ``looked`` records that it was read."""

    edited: Source | None = None
    looked: list[bool] | None = None

    @property
    def source(self) -> Source:
        assert self.edited is not None
        if self.looked is not None:
            self.looked.append(True)
        return self.edited


def of_claim(claim: Claim, given: Mapping[str, int], semantics: Semantics) -> list[Sentence]:
    """The sentences of a statement about the table of ``claim`` (the statement, or a step of it), as printed, in the paper's order.

    Sentences that do not apply at these parameters, are ours, or do not read the table are left out; so is the claim that the table
    computes its function, which the repair itself serves.
    """
    table, session = claim.table, Session()
    assert table is not None
    original = table.source
    found = []
    for step in find_claim(f"{claim.paper}/{claim.owner}").steps:
        if step.ours or step.judge is None or step.table is None or step.id == step.table.claim:
            continue
        if (step.table.folder, step.table.name) != (table.folder, table.name):
            continue
        values = step.complete({p.name: given[p.name] for p in step.parameters if p.name in given})
        if step.outside(values) is not None:
            continue
        true, looked = partial(_true, step, values, semantics, session), list[bool]()
        true(original.file, looked)
        if looked:
            of, exact = str(step.fields.get("of", "")), "is" in step.fields
            found.append(Sentence(step.name, of, _steps(step, original.file), exact, true))
    return found


def _true(
    step: Claim, values: Mapping[str, int], semantics: Semantics, session: Session, file: ConstructionFile, looked: list[bool] | None = None
) -> bool:
    """The outcome of the step's own judge with another file as the printed table."""
    assert step.table is not None
    assert step.judge is not None
    own = {field.name: getattr(step.table, field.name) for field in fields(Table)}
    edited = replace(step, table=_Edited(**own, edited=Source(file, {}), looked=looked))
    try:
        found = step.judge(Query(edited, Edition.PRINTED, values, semantics, session))
    except (InputError, LimitError):
        return False
    return found.verdict in (Verdict.VERIFIED, Verdict.CONDITIONAL)


def _steps(step: Claim, file: ConstructionFile) -> frozenset[int] | None:
    text = step.fields.get("steps")
    if not isinstance(text, str):
        return None
    first, last = steps(text)
    return frozenset(row.step for row in file.row if first <= row.step <= last)


def of_file(instance: Instance, file: ConstructionFile, semantics: Semantics) -> list[Sentence]:
    """The expectations of a file at the instance's parameters, in its order."""
    asked: dict[int, tuple[ConstructionFile, tuple[bool, ...]]] = {}

    def answers(form: ConstructionFile) -> tuple[bool, ...]:
        if id(form) not in asked:
            asked.clear()
            asked[id(form)] = form, _expectations(form, instance, semantics)
        return asked[id(form)][1]

    found = []
    for number, expectation in enumerate(instance.expectations):
        last = max(expectation.after, default=instance.tokens[0].index)
        steps = None if expectation.of == "output" else frozenset(t.step for t in instance.tokens if t.index <= last)
        of = f"{expectation.of} {expectation.column}"
        exact = expectation.formula != expectation.says and not expectation.where
        found.append(Sentence(expectation.name, of, steps, exact, lambda form, number=number: answers(form)[number]))  # type: ignore[misc]
    return found


def _expectations(form: ConstructionFile, instance: Instance, semantics: Semantics) -> tuple[bool, ...]:
    none = (False,) * len(instance.expectations)
    try:
        made = instantiate(form, instance.parameters)
        if made.defects:
            return none
        met = every_input(Execution(made, semantics), MOST_INPUTS)
    except (InputError, LimitError):
        return none
    return tuple(not each.failures for each in met)

"""The table of engines for tables: the one that was asked for decides, or the first that can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from verifier.engines import METHODS
from verifier.engines.by_states import Question, by_states
from verifier.engines.columns import walk_columns
from verifier.engines.combine import share
from verifier.engines.enumerate import enumerate_inputs, enumerate_pairs
from verifier.engines.failure_counts import Census
from verifier.engines.program import program_of
from verifier.engines.reachable import DEFAULT_LIMIT, METHOD, reachable_sets
from verifier.engines.search import NotApplicableError
from verifier.networks.problems import Problem
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution

FEW_BITS = 20
"""Inputs of so many bits are run one by one rather than by states, unless states are asked for."""
Advance = Callable[[int, int], None]

_FOUND: WeakKeyDictionary[Execution, dict[tuple[str, int, bool], Census]] = WeakKeyDictionary()
"""What was found of the readings in use: several claims ask the same of one table."""


@dataclass(frozen=True)
class Asked:
    """A table under a reading: is every promised input right? method: ``auto``, or the engine that is to decide."""

    execution: Execution
    method: str
    limit: int
    advance: Advance
    smallest: bool

    @property
    def pairs(self) -> bool:
        """Whether inputs are pairs of strings with a named function, and there is one value column."""
        return isinstance(self.execution.instance.task, Problem) and self.execution.instance.outputs == 1


@dataclass(frozen=True)
class Engine:
    """name: as ``--method`` has it. decide: raises a NotApplicableError where the engine cannot handle a table."""

    name: str
    decide: Callable[[Asked], Census]


def decide(
    execution: Execution,
    method: str = "auto",
    limit: int = DEFAULT_LIMIT,
    advance: Advance = lambda done, total: None,
    smallest: bool = True,
) -> Census:
    """What one method finds of a well-formed instance.

    Args:
        method: auto, enumerate, reachable or columns.
        limit: the largest number of states to visit.
        smallest: whether the smallest failure is looked for even where counting does not find it.

    Raises:
        InputError: no such method, or one that cannot handle this construction.
        LimitError: more work than ``limit``.
    """
    if method not in METHODS:
        raise InputError(f"--method {method}: {', '.join(METHODS)} were expected")
    known = _FOUND.setdefault(execution, {})
    for (by, within, all_of_it), found in known.items():
        enough = within == limit or (found.work is not None and found.work <= limit)
        if by == method and enough and all_of_it >= smallest:
            return found
    found = known[method, limit, smallest] = _decided(Asked(execution, method, limit, advance, smallest))
    return found


def _decided(asked: Asked) -> Census:
    engines, reason = list(ENGINES), ""
    if not asked.execution.semantics.of_tables:
        engines, reason = list(ENGINES[-1:]), "it decides readings such as a4"
    for engine in engines:
        if asked.method in ("auto", engine.name):
            try:
                return engine.decide(asked)
            except NotApplicableError as error:
                reason = reason or str(error)
    raise InputError(f"--method {asked.method}: {reason}; --method enumerate can decide it")


def _by_blocks(asked: Asked) -> Census:
    if not asked.pairs:
        raise NotApplicableError("it decides pairs of strings and one value column")
    return reachable_sets(asked.execution, asked.limit, asked.advance, smallest=asked.smallest)


def _by_columns(asked: Asked) -> Census:
    if not asked.pairs:
        raise NotApplicableError("it decides pairs of strings and one value column")
    counted = walk_columns(asked.execution)
    if counted is None:
        raise NotApplicableError("it is not of that form")
    if counted.failures:
        raise NotApplicableError(f"{counted.failures:,} pairs fail, and counting finds no smallest one")
    return counted


def _by_states(asked: Asked) -> Census:
    task = asked.execution.instance.task
    if asked.method == "auto":
        if task.bits <= FEW_BITS:
            raise NotApplicableError("few inputs, which are run one by one")
        if isinstance(task, Problem) and asked.pairs and task.conditions.ordered and share(program_of(asked.execution)) is not None:
            raise NotApplicableError("positions in two blocks, which are run on their own")
    question = Question(asked.execution)
    return by_states(question, question.states(), METHOD, asked.limit, asked.smallest)


def _one_by_one(asked: Asked) -> Census:
    run = enumerate_pairs if asked.pairs and asked.execution.semantics.of_tables else enumerate_inputs
    return run(asked.execution, asked.limit, asked.advance)


ENGINES = (
    Engine("reachable", _by_blocks),
    Engine("columns", _by_columns),
    Engine("reachable", _by_states),
    Engine("enumerate", _one_by_one),
)

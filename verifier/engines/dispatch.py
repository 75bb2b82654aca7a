"""Choose the engine: the one that was asked for, or the fastest that can decide."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from verifier.engines.failure_counts import Census
from verifier.networks.execution import Execution
from verifier.networks.problems import Problem
from verifier.running.errors import InputError

DEFAULT_LIMIT = 1 << 31
METHODS = ("auto", "enumerate", "reachable", "columns")
Advance = Callable[[int, int], None]

_FOUND: WeakKeyDictionary[Execution, dict[tuple[str, int, bool], Census]] = WeakKeyDictionary()
"""What was found of the readings in use: several claims ask the same of one table."""


def decide(
    execution: Execution,
    method: str = "auto",
    limit: int = DEFAULT_LIMIT,
    advance: Advance = lambda done, total: None,
    smallest: bool = True,
) -> Census:
    """What one method finds of a well-formed instance. What is not a problem on pairs, or has several value columns, is enumerated; else
    ``auto`` takes reachable sets where they apply, then the column automaton where it applies and finds no failure, then enumeration.

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
    found = known[method, limit, smallest] = _decided(execution, method, limit, advance, smallest)
    return found


def _decided(execution: Execution, method: str, limit: int, advance: Advance, smallest: bool) -> Census:
    instance = execution.instance
    if not isinstance(instance.task, Problem) or instance.outputs > 1:
        from verifier.engines.enumerate import enumerate_inputs

        if method not in ("auto", "enumerate"):
            raise InputError(f"--method {method}: it decides pairs of strings and one value column; --method enumerate decides the others")
        return enumerate_inputs(execution, limit, advance)
    if method in ("auto", "reachable"):
        from verifier.engines.reachable import reachable_sets
        from verifier.engines.stages import StagingError

        try:
            return reachable_sets(execution, limit, advance, smallest=smallest)
        except StagingError as reason:
            if method == "reachable":
                raise InputError(f"--method reachable: {reason}; --method enumerate can decide it") from None
    if method != "enumerate":
        from verifier.engines.columns import walk_columns

        counted = walk_columns(execution)
        if counted is not None and not counted.failures:
            return counted
        if method == "columns":
            found = "it is not of that form" if counted is None else f"{counted.failures:,} pairs fail, and counting finds no smallest one"
            raise InputError(f"--method columns: {found}; --method enumerate can decide it")
    from verifier.engines.enumerate import enumerate_pairs

    return enumerate_pairs(execution, limit, advance)

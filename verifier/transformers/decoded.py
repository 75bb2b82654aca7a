"""The verdict of induction on a decoding network: right on every input, or a wrong input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import LimitError
from verifier.running.limits import Advance, silent
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.induction import Cases, Induction
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network
from verifier.transformers.outputs import Answer

MOST_TRIED = 32
"""Groups of a step whose inputs are tried, where boxes leave them open."""


@dataclass(frozen=True)
class Decided:
    """wrong: a wrong input and its answer, or None where every input is right. smallest: whether no smaller input is wrong."""

    wrong: tuple[Strings, Answer] | None
    smallest: bool = True
    groups: int = 0


def decide(
    network: Network, arithmetic: Arithmetic, advance: Advance = silent, fixed: Mapping[tuple[str, int], int] | None = None
) -> Decided:
    """Every input of a decoding network, by induction over its outputs; with ``fixed`` digits, every input that has them.

    A group that is wrong holds wrong inputs only: where an earlier output is wrong, the answer is wrong already. If no group is left open,
    the smallest of the smallest inputs of wrong groups is the smallest wrong input.

    Raises:
        LimitError: some groups are left open, and no wrong input was found among them.
    """
    induction = Induction(network, arithmetic, fixed)
    wrong: list[Strings] = []
    tried: list[Strings] = []
    open_groups = groups = 0
    for step in range(induction.steps):
        advance(f"output {step + 1} of {induction.steps}", step, induction.steps)
        cases, verdict = induction.judge(step)
        groups += len(verdict)
        wrong += [_strings(induction, row) for row in _first(cases, np.flatnonzero(verdict < 0))]
        left = np.flatnonzero(verdict == 0)
        open_groups += len(left)
        tried += _extremes(induction, cases, left[:MOST_TRIED])
    order = list(network.input.lengths)
    candidates = sorted({tuple(each[name] for name in order): each for each in (*wrong, *tried)}.items())
    for start in range(0, len(candidates), 1024):
        found = wrong_by_arrays(network, arithmetic, [each for _, each in candidates[start : start + 1024]])
        if found:
            return Decided(found[0], not open_groups, groups)
    if wrong:
        raise AssertionError("a group that is wrong has a right input")
    if open_groups:
        raise LimitError(f"{open_groups:,} of {groups:,} groups of inputs are left open", "another arithmetic")
    return Decided(None, groups=groups)


def _first(cases: Cases, rows: np.ndarray) -> list[np.ndarray]:
    """The smallest input of these groups."""
    smallest = cases.path[-1].smallest[rows]
    return [smallest[np.lexsort(tuple(reversed(smallest.T)))[0]]] if len(rows) else []


def _strings(induction: Induction, numbers: np.ndarray) -> Strings:
    """Strings from the numbers that they spell."""
    base, width = induction.sum.base, induction.width
    names = induction.sum.strings
    return {
        name: tuple(int(x) // base ** (width - 1 - k) % base for k in range(width)) for name, x in zip(names, numbers.tolist(), strict=True)
    }


def _extremes(induction: Induction, cases: Cases, rows: np.ndarray) -> list[Strings]:
    """For each group its smallest input and those at which the sums of heads are least or largest."""
    last = cases.path[-1]
    found = [_strings(induction, last.smallest[row]) for row in rows]
    for end in range(len(last.before)):
        found += [_strings(induction, np.array(numbers)) for numbers in _traced(induction, cases, end, rows)]
    return found


def _traced(induction: Induction, cases: Cases, end: int, rows: np.ndarray) -> Iterator[list[int]]:
    """The inputs that lead to one end of a sum."""
    for row in rows.tolist():
        query = cases.path[-1].query
        assert query is not None
        q = int(query[row])
        numbers = induction.digits.rest(range(len(cases.path) - 1, induction.width)).tolist()
        for column in range(len(cases.path) - 2, -1, -1):
            source, choice = cases.path[column + 1].before[end]
            at = min(q, source.shape[1] - 1) if source.shape[1] > 1 else 0
            row, digit = int(source[row, at]), int(choice[row, at])
            if column < induction.width:
                for which, value in enumerate(induction.digits.every(column)[digit].tolist()):
                    numbers[which] += value * induction.sum.base**column
        yield numbers

"""From which length on a network is wrong in an arithmetic: every input of every length, the first wrong one, and how to repeat it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from verifier.running.errors import InputError, LimitError
from verifier.running.limits import DEFAULT_LIMITS, Advance, Limits, silent
from verifier.transformers import interned
from verifier.transformers.answers import chunk_size, wrong_by_arrays, wrong_by_definition
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.carriers import carrier
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network, complete, network
from verifier.transformers.outputs import Answer
from verifier.transformers.records import NetworkFile

COUNTED = "interned states"
SCHEMA = "bitreferee/precision/1"


@dataclass(frozen=True)
class Wrong:
    """A wrong answer: the length, the input as text, and the answer."""

    length: int
    strings: Mapping[str, str]
    answer: Answer


@dataclass(frozen=True)
class Cell:
    """A network in one arithmetic.

    length:     the name of the parameter that is the length; given: values of others.
    decided_to: the largest length up to which every input is decided, None where there is none; cases: inputs.
    stopped:    why larger lengths are not decided, if they are not.
    """

    construction: str
    length: str
    given: Mapping[str, int]
    arithmetic: Arithmetic
    first_wrong: Wrong | None
    decided_to: int | None
    cases: int
    method: str
    stopped: str = ""

    @property
    def replay(self) -> str:
        """The command that shows the first wrong input."""
        if self.first_wrong is None:
            return ""
        named = [
            *(f"{name}={value}" for name, value in self.given.items()),
            *(f"{name}={text}" for name, text in self.first_wrong.strings.items()),
        ]
        options = " ".join(f"--with {shlex.quote(each)}" for each in [f"{self.length}={self.first_wrong.length}", *named])
        return f"verify precision {self.construction} --formats {shlex.quote(str(self.arithmetic))} {options}"

    def document(self) -> dict[str, Any]:
        """The cell as JSON has it."""
        wrong = self.first_wrong
        return {
            "arithmetic": str(self.arithmetic),
            "first_wrong": wrong
            and {
                "length": wrong.length,
                "input": " ".join(wrong.strings.values()),
                "expected": wrong.answer.expected,
                "found": wrong.answer.found,
            },
            "decided_to": self.decided_to,
            "method": self.method,
            "replay": self.replay,
        }


def first_wrong(
    construction: str,
    file: NetworkFile,
    arithmetic: Arithmetic,
    lengths: range,
    given: Mapping[str, int] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    advance: Advance = silent,
) -> Cell:
    """Every input of these lengths, in their order, up to the first wrong one.

    construction: what the replay calls the file. given: values of other parameters.
    A length that the file does not admit is passed over; where the work is larger than the limits, or a comparison stays undecided, it
    ends there.

    Raises:
        InputError: the file admits none of the lengths.
    """
    cell = partial(Cell, construction, file.length, dict(given or {}), arithmetic)
    method, decide = _method(arithmetic)
    methods: dict[str, None] = {}
    decided: int | None = None
    refused = InputError(f"{construction}: no length was given")
    cases = work = 0
    for length in lengths:
        advance(f"{construction} {arithmetic}, length {length}", 0, 0)
        point = {**(given or {}), file.length: length}
        try:
            complete(file, point)
        except InputError as error:
            refused = error
            continue
        built = network(file, point)
        counted = method == "arrays" and not interned.not_applicable(built, arithmetic)
        work += 1 if counted else built.input.count * len(built.input.layout) ** 2 * (1 if method == "arrays" else 1000)
        if work > limits.states:
            return cell(None, decided, cases, " and ".join(methods), f"length {length} needs more work than --limit allows")
        try:
            found = _by_states(built, arithmetic) if counted else decide(built, arithmetic)
            methods[COUNTED if counted else method] = None
        except (InputError, LimitError) as error:
            return cell(None, decided, cases, " and ".join(methods), f"length {length}: {error}")
        cases += built.input.count
        decided = length
        if found is not None:
            strings, answer = found
            wrong = Wrong(length, built.input.written(strings), answer)
            return cell(wrong, decided, cases, " and ".join(methods))
    if decided is None:
        raise refused
    return cell(None, decided, cases, " and ".join(methods))


def _method(arithmetic: Arithmetic) -> tuple[str, Callable[[Network, Arithmetic], tuple[Strings, Answer] | None]]:
    """Arrays where there are any, else the definition."""
    try:
        carrier(arithmetic)
    except LimitError:
        return "definition", lambda built, how: next(wrong_by_definition(built, how, built.input.every()), None)
    return "arrays", _by_arrays


def _by_states(built: Network, arithmetic: Arithmetic) -> tuple[Strings, Answer] | None:
    """The first wrong of the smallest inputs of all states, which is the first wrong input.

    Raises:
        AssertionError: the states do not cover every input.
    """
    states = interned.states(built, arithmetic)
    assert sum(state.count for state in states) == built.input.count
    size = chunk_size(built)
    for chunk in _chunks((state.smallest for state in states), size):
        wrong = wrong_by_arrays(built, arithmetic, chunk)
        if wrong:
            return wrong[0]
    return None


def _by_arrays(built: Network, arithmetic: Arithmetic) -> tuple[Strings, Answer] | None:
    size = chunk_size(built)
    for chunk in _chunks(built.input.every(), size):
        wrong = wrong_by_arrays(built, arithmetic, chunk)
        if wrong:
            return wrong[0]
    return None


def _chunks(inputs: Iterator[Strings], size: int) -> Iterator[Sequence[Strings]]:
    while chunk := list(islice(inputs, size)):
        yield chunk


def document(construction: str, lengths: range, cells: Sequence[Cell]) -> dict[str, Any]:
    """The JSON document ``bitreferee/precision/1``."""
    return {
        "schema": SCHEMA,
        "construction": construction,
        "lengths": [lengths.start, lengths.stop - 1],
        "cells": [cell.document() for cell in cells],
    }

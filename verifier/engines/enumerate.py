"""The engine that visits every input of the promise: no Python in the inner loop, exact, in chunks of bounded size.

An input is a number with as many digits as all strings have bits, the first string in front; inputs are visited in increasing order. The
engine first tries some chosen pairs, which often refute a construction sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from verifier.arithmetic.arrays import Truths
from verifier.arithmetic.numbers import NAN
from verifier.engines.failure_counts import Census, Solved
from verifier.engines.program import Criterion, Known, Program, axes, bits_of, sums_of
from verifier.networks.indices import Bit
from verifier.networks.problems import Integers, Problem, Task, split_inputs
from verifier.running.errors import InputError, LimitError, amount
from verifier.transformers.table_traces import answer_at
from verifier.transformers.tables import Execution

METHOD = "enumeration"
CHUNK_BITS = 18
MOST_BITS = 60
"""Longer inputs are not machine words."""
DEFAULT_LIMIT = 1 << 31
COST_OF_DEFINITION = 1 << 13
"""States that arrays visit while the definition runs one input."""
Advance = Callable[[int, int], None]
"""A function that receives the progress as the steps done and the steps in all."""


def enumerate_inputs(
    execution: Execution,
    limit: int = DEFAULT_LIMIT,
    advance: Advance = lambda done, total: None,
    criterion: Criterion = Program.faults,
) -> Census:
    """Visit every promised input of a well-formed instance, with any strings and any number of value columns.

    Args:
        limit: the largest number of states to visit; an enumeration that needs more is declined.
        criterion: the test for a failure; by default a wrong answer of the transformer.

    Raises:
        LimitError: more inputs than ``limit``.
        InputError: a promise that no input keeps, or a function or promise without a value at some input.
        ValueError: an ill-formed instance.
    """
    task = execution.instance.task
    if not execution.semantics.of_tables:
        by_definition = partial(_by_definition, execution)
        return _census(task, by_definition, limit // COST_OF_DEFINITION, advance, "definition")
    return _census(task, partial(judged, _program(execution), criterion=criterion), limit, advance)


def first_failure(execution: Execution, most: int) -> tuple[int, int] | None:
    """The first pair of the promise with a wrong answer among the first ``most`` pairs or fewer, y ascending, always including those with y
    = 0, or None if none fails.

    Raises:
        ValueError: an ill-formed instance.
    """
    problem = execution.instance.problem
    _, _, chunk = next(_chunks(problem, max(problem.length, most.bit_length() - 1)))
    found = judged(_program(execution), chunk)
    if not found.wrong.any():
        return None
    y, z = input_at(problem, chunk, int(found.wrong.argmax()))
    return y, z


def _program(execution: Execution) -> Program:
    if execution.instance.defects:
        raise ValueError(f"{execution.instance.id} is ill-formed: {execution.instance.defects[0]}")
    return sums_of(execution)


@dataclass(frozen=True)
class Judged:
    """For each of some inputs: whether it keeps the promise, has the answer 1, is answered wrongly, leads to NaN."""

    promised: Truths
    yes: Truths
    wrong: Truths
    invalid: Truths


def judged(program: Program, chunk: Chunk, criterion: Criterion = Program.faults) -> Judged:
    """The results on a chunk."""
    task = program.execution.instance.task
    promised, yes = asked(task, split_inputs(task, chunk.numbers))
    if not promised.any():
        return Judged(promised, yes, promised, promised)
    outputs = [np.broadcast_to(x, chunk.shape).reshape(-1) for x in program.attentions(program.sums_at(chunk.bits))]
    faults = criterion(program, *outputs)
    return Judged(promised, yes, promised & np.where(yes, faults.on_yes, faults.on_no), promised & faults.invalid)


def _by_definition(execution: Execution, chunk: Chunk) -> Judged:
    """Judge inputs as :func:`judged` does, by the definition, for arithmetics that have no arrays of running sums."""
    task = execution.instance.task
    promised, yes = asked(task, split_inputs(task, chunk.numbers))
    wrong, invalid = np.zeros_like(promised), np.zeros_like(promised)
    for place in np.flatnonzero(promised).tolist():
        decision = answer_at(execution, dict(zip(task.strings, input_at(task, chunk, place), strict=True)))
        wrong[place], invalid[place] = decision.answer != int(yes[place]), decision.output is NAN
    return Judged(promised, yes, wrong, invalid)


def _census(
    task: Task,
    decided: Callable[[Chunk], Judged],
    limit: int,
    advance: Advance,
    method: str = METHOD,
) -> Census:
    """The census over all inputs."""
    cases = failures = nans = yes = missed = 0
    smallest: tuple[int, ...] | None = None
    for done, total, chunk in chunks(task, limit):
        found = decided(chunk)
        cases += int(found.promised.sum())
        failures += int(found.wrong.sum())
        yes += int(found.yes.sum())
        missed += int((found.wrong & found.yes).sum())
        nans += int(found.invalid.sum())
        if smallest is None and found.wrong.any():
            smallest = input_at(task, chunk, int(found.wrong.argmax()))
        advance(done + 1, total)
    if not cases:
        raise no_input(task)
    return Census(cases, failures, nans, smallest, method, yes, missed)


def no_input(task: Task) -> InputError:
    """The error for a promise that no input keeps."""
    return InputError(f"problem.promise: no input keeps {task.promise} ({task.described})")


@dataclass(frozen=True)
class Chunk:
    """Inputs that begin with the same bits, ascending. bits: an axis of ``shape`` for each bit that varies, and one value for the
    others."""

    numbers: Integers
    bits: Known
    shape: tuple[int, ...]


def chunks(task: Task, limit: int) -> Iterator[tuple[int, int, Chunk]]:
    """Every input of a task in chunks, ascending; each with its number and the total.

    Raises:
        LimitError: more inputs than ``limit``, or than machine words count.
    """
    if task.bits > MOST_BITS or 1 << task.bits > limit:
        inputs = amount(1 << task.bits) if task.bits <= MOST_BITS else f"2^{task.bits}"
        raise LimitError(f"enumeration visits {inputs} inputs ({task.described}), the limit is {limit:,}", "--limit")
    yield from _chunks(task, CHUNK_BITS)


def _chunks(task: Task, size: int) -> Iterator[tuple[int, int, Chunk]]:
    """Every input in chunks of 2^size."""
    bits = [Bit(name, k) for name, length in task.strings.items() for k in range(1, length + 1)]
    prefix = max(0, len(bits) - size)
    rest = len(bits) - prefix
    for value in range(1 << prefix):
        fixed = {bit: np.asarray(value >> prefix - k & 1) for k, bit in enumerate(bits[:prefix], 1)}
        yield value, 1 << prefix, Chunk(np.arange(1 << rest, dtype=np.int64) + (value << rest), fixed | axes(bits[prefix:]), (2,) * rest)


def asked(task: Task, inputs: Mapping[str, Integers]) -> tuple[Truths, Truths]:
    """The inputs that keep the promise, and the function's values there; it is evaluated on those inputs only, and 0 at others."""
    promised = task.promises_at(inputs)
    values = np.zeros_like(promised)
    if promised.any():
        values[promised] = task.values_at({name: each[promised] for name, each in inputs.items()})
    return promised, values


def input_at(task: Task, chunk: Chunk, place: int) -> tuple[int, ...]:
    """Return one input of a chunk, its strings in their order."""
    return tuple(int(each[0]) for each in split_inputs(task, chunk.numbers[place : place + 1]).values())


SAMPLE = 1 << 11
LONGEST = 62
"""Longer strings are no integers of 64 bits."""


def wrong_on(program: Program, y: Integers, z: Integers) -> Truths:
    """Say of each pair whether it keeps the promise and is answered wrongly. ``y``, ``z``: integers, one pair at each place."""
    problem = program.execution.instance.problem
    sums = program.sums_at(bits_of({"y": y, "z": z}, problem.strings))
    faults = program.faults(*(np.broadcast_to(each, y.shape) for each in program.attentions(sums)))
    wrong: Truths = problem.promises(y, z) & np.where(problem.values(y, z), faults.on_yes, faults.on_no)
    return wrong


def sampled_failure(program: Program) -> tuple[int, int] | None:
    """A failing pair among some thousands: z = y, its neighbours, one flipped bit, and others, or None if they are all right.

    The same pairs in every run. The sample can prove a construction wrong, but never right.
    """
    length = program.execution.instance.m
    random = np.random.default_rng(0)
    y = random.integers(0, 1 << length, SAMPLE, dtype=np.int64)
    turned = y ^ (np.int64(1) << random.integers(0, length, SAMPLE, dtype=np.int64))
    others = (y, np.minimum(y + 1, (1 << length) - 1), turned, random.integers(0, 1 << length, SAMPLE, dtype=np.int64))
    for other in others:
        low, high = np.minimum(y, other), np.maximum(y, other)
        wrong = wrong_on(program, low, high)
        if wrong.any():
            k = int(wrong.argmax())
            return int(low[k]), int(high[k])
    return None


def one_failure(execution: Execution) -> Solved | None:
    """A failing pair among those of :func:`sampled_failure`, or None without one, or if the inputs are not pairs."""
    instance = execution.instance
    if not isinstance(instance.task, Problem) or instance.outputs > 1 or instance.m > LONGEST:
        return None
    found = sampled_failure(sums_of(execution))
    return None if found is None else Solved(instance.task.pairs(), found, "chosen inputs")

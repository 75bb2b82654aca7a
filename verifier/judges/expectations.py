"""Judging the expectations of a construction file (:class:`verifier.networks.instance.Expectation`) on every promised input.

All inputs run in one pass. The running sums are added token by token, and compared after the tokens that an expectation names. If an
expectation depends only
on the number of ones read and on some bits, inputs with equal sums are compared as one. If an input departs, every input is checked; the
definition runs the first failing one (:func:`departures`) and gives the token and the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from verifier.arithmetic.arrays import States, Truths
from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.engines.by_states import numbers_of
from verifier.engines.enumerate import Chunk, chunks, input_at
from verifier.engines.program import DENOMINATOR, Program, sums_of
from verifier.engines.search import NotApplicableError, Rows, merge
from verifier.judges.strings import decoded
from verifier.judges.wording import input_words, inputs_text
from verifier.language import arrays, exact
from verifier.language.array_values import Strings
from verifier.language.arrays import Column
from verifier.language.exact import Bits, Given
from verifier.language.string_use import use_of_string
from verifier.networks.indices import Bit
from verifier.networks.instance import Expectation, Instance, Token
from verifier.networks.instantiate import FOUND
from verifier.networks.problems import NO_PROMISE, Inputs, Problem, bits_of, split_inputs
from verifier.running.errors import InputError, LimitError, amount, placed
from verifier.transformers.table_traces import evaluate_at, numerators_of
from verifier.transformers.tables import Execution


@dataclass(frozen=True)
class Departure:
    """The token at which one input departs from an expectation, and the value at this token."""

    token: int
    step: int
    found: Number
    claimed: str


@dataclass(frozen=True)
class Met:
    """The result of an expectation, with the numbers of inputs that it covers and that fail, the first failure, and the method."""

    cases: int
    failures: int
    smallest: tuple[int, ...] | None
    method: str = "enumeration"


def departures(execution: Execution, expectation: Expectation, inputs: Inputs) -> Iterator[Departure]:
    """The places at which one promised input departs from an expectation, token by token, by the definition."""
    instance, trace = execution.instance, evaluate_at(execution, inputs)
    strings = {name: Bits(inputs[name], length) for name, length in instance.task.strings.items()}
    for step in trace.steps:
        if step.token.index not in expectation.after:
            continue
        found: Number
        if expectation.of == "output":
            found = trace.attentions[expectation.column]
        elif expectation.of == "denominator":
            found = step.denominator
        elif expectation.of == "column":
            found = step.sums[_column(execution, expectation)]
        else:
            found = numerators_of(execution, step.sums)[expectation.column]
        names: dict[str, Given] = {**instance.names, **strings, "i": Fraction(step.token.index)}
        if expectation.where and not exact.truth(expectation.where, names):
            continue
        if not exact.truth(expectation.formula, {**names, FOUND: found}):
            yield Departure(step.token.index, step.token.step, found, _claimed(expectation, names))


def _claimed(expectation: Expectation, names: Mapping[str, Given]) -> str:
    """The value that the expectation names at the token, followed by its formula if it has one."""
    if expectation.formula == expectation.says:
        return expectation.says
    value = exact.rational(expectation.says, names)
    return show(value) if str(value) == expectation.says else f"{show(value)} = {expectation.says}"


def _column(execution: Execution, expectation: Expectation) -> int:
    """The running sum of a column of A X.

    Raises:
        InputError: no such column is formed.
    """
    if execution.semantics.order != "ax":
        raise InputError(f"{expectation.name}: no column of A X is formed in this order of evaluation ({execution.semantics.order})")
    if expectation.column not in execution.columns:
        formed = ", ".join(str(c + 1) for c in execution.columns) or "none"
        raise InputError(f"{expectation.name}: column {expectation.column + 1} of A X is not formed, as W^V does not use it; {formed} are")
    return execution.columns.index(expectation.column)


def every_input(execution: Execution, limit: int, advance: Callable[[int, int], None] = lambda done, total: None) -> list[Met]:
    """Judge each expectation on every promised input.

    Raises:
        LimitError: more inputs than ``limit``.
        InputError: a formula without a value at some input.
    """
    instance, program = execution.instance, sums_of(execution)
    cases, failures = [0] * len(instance.expectations), [0] * len(instance.expectations)
    smallest: list[tuple[int, ...] | None] = [None] * len(instance.expectations)
    for done, total, chunk in chunks(instance.task, limit):
        promised = instance.task.promises_at(split_inputs(instance.task, chunk.numbers))
        spoken, wrong = _of_chunk(execution, program, chunk, promised)
        for k in range(len(instance.expectations)):
            cases[k] += int(spoken[k].sum())
            failures[k] += int(wrong[k].sum())
            if smallest[k] is None and wrong[k].any():
                smallest[k] = input_at(instance.task, chunk, int(wrong[k].argmax()))
        advance(done + 1, total)
    return [Met(*each) for each in zip(cases, failures, smallest, strict=True)]


def _of_chunk(execution: Execution, program: Program, chunk: Chunk, promised: Truths) -> tuple[list[Truths], list[Truths]]:
    """List for each expectation the inputs that it covers and those among them that depart from it."""
    instance = execution.instance
    spoken = [np.zeros_like(promised) for _ in instance.expectations]
    wrong = [np.zeros_like(promised) for _ in instance.expectations]
    inputs = {name: each[promised] for name, each in split_inputs(instance.task, chunk.numbers).items()}
    strings = {name: Strings.of(inputs[name], length) for name, length in instance.task.strings.items()}
    sums: dict[str, States] = {name: np.zeros((), dtype=np.int64) for name in program.sums}
    for token, addends in zip(program.tokens, program.by_token(), strict=True):
        for name, addend in addends.items():
            sums[name] = program.lattice.add(sums[name], addend.at(chunk.bits))
        for k, expectation in enumerate(instance.expectations):
            if token.index in expectation.after and promised.any():
                states = _states(execution, program, expectation, sums, chunk.shape).reshape(-1)[promised]
                where, held = _compared(execution, program, expectation, token, states, strings)
                spoken[k][np.flatnonzero(promised)[where]] = True
                wrong[k][np.flatnonzero(promised)[~held]] = True
    return spoken, wrong


def _compared(
    execution: Execution, program: Program, expectation: Expectation, token: Token, states: States, strings: Mapping[str, Strings]
) -> tuple[Truths, Truths]:
    """The inputs that an expectation covers after a token, and those on which it does not fail. states: the quantity's values."""
    instance, shape = execution.instance, states.shape
    names: dict[str, Given | Column] = {**instance.names, **strings, "i": Fraction(token.index)}
    found = decoded(states, program.lattice.decode, np.ones(shape, np.bool_))
    held = np.ones(shape, np.bool_)
    with placed(expectation.name, (*expectation.path, "is")):
        where = np.broadcast_to(arrays.truth(expectation.where, names), shape) if expectation.where else held.copy()
        if where.any():
            inner = {name: each.picked(shape, where) for name, each in strings.items()}
            held[where] = arrays.truth(expectation.formula, {**names, **inner, FOUND: found.picked(shape, where)})
    return where, held


def in_every_state(execution: Execution, limit: int) -> list[int] | None:
    """The number of inputs that each expectation covers, by the states of the running sums after each token, or None if one fails
    somewhere.

    Raises:
        NotApplicableError: the states do not determine the needed facts about the strings, or they are more than ``limit``.
    """
    instance = execution.instance
    if isinstance(instance.task, Problem) or instance.task.promise != NO_PROMISE:
        raise NotApplicableError("only the last token shows which states keep the promise")
    program, known = sums_of(execution), dict.fromkeys(instance.task.strings, 0)
    asked = {bit for expectation in instance.expectations for bit in _bits_asked(expectation, instance)}
    last = {bit: token.index for token in program.tokens for bit in token.reads}
    kept = sorted(asked)
    rows = Rows({name: np.zeros(1, np.int64) for name in (*program.sums, *map(_ones, known))}, np.ones(1, object))
    cases, spent = [0] * len(instance.expectations), 0
    for token, addends in zip(program.tokens, program.by_token(), strict=True):
        for bit in token.reads:
            if bit.index == known[bit.string] + 1:
                known[bit.string] += 1
                rows = _with_bit(rows, bit)
        if any(bit.index > known[bit.string] for bit in token.reads):
            raise NotApplicableError("the bits of a string are not read in their order")
        columns = dict(rows.columns)
        for name, addend in addends.items():
            columns[name] = program.lattice.add(columns[name], addend.at({bit: columns[_bit(bit)] for bit in addend.reads}))
        gone = {_bit(bit) for bit in token.reads if last[bit] == token.index and bit not in kept}
        rows, _ = merge(Rows({name: x for name, x in columns.items() if name not in gone}, rows.count), placed=False)
        spent += len(rows)
        if spent > limit:
            raise NotApplicableError(f"the expectation needs more than {limit:,} states")
        for k, expectation in enumerate(instance.expectations):
            if token.index not in expectation.after:
                continue
            states = _states(execution, program, expectation, rows.columns, rows.count.shape)
            strings = {name: _with_ones(rows, name, known[name], length, kept) for name, length in instance.task.strings.items()}
            where, held = _compared(execution, program, expectation, token, states, strings)
            if not held.all():
                return None
            cases[k] = int(rows.count[where].sum()) << sum(instance.task.strings[name] - bits for name, bits in known.items())
    return cases


def _bits_asked(expectation: Expectation, instance: Instance) -> Iterator[Bit]:
    """The bits whose values an expectation needs. The state keeps of the other bits only the number of ones among those already read.

    Raises:
        NotApplicableError: it asks for more.
    """
    if expectation.where and len(expectation.after) > 1:
        raise NotApplicableError("the inputs that the expectation covers differ from token to token")
    read = dict.fromkeys(instance.task.strings, 0)
    for token in instance.tokens:
        read |= {bit.string: max(bit.index, read[bit.string]) for bit in token.reads}
        for name, length in instance.task.strings.items() if token.index in expectation.after else ():
            for formula in filter(None, (expectation.formula, expectation.where)):
                use = use_of_string(formula, name, {**instance.names, "i": Fraction(token.index)}, runs=True)
                if (
                    use is None
                    or not use.runs <= {(1, read[name])}
                    or (use.ones and read[name] < length)
                    or max(use.bits, default=0) > read[name]
                ):
                    raise NotApplicableError(f"{formula} reads more of {name} than some bits and the number of ones that are read")
                yield from (Bit(name, k) for k in use.bits)


def _with_bit(rows: Rows, bit: Bit) -> Rows:
    """Repeat each state for the next bit 0 and the next bit 1."""
    columns = {name: np.concatenate([x, x]) for name, x in rows.columns.items()}
    columns[_bit(bit)] = np.repeat(np.arange(2), len(rows))
    columns[_ones(bit.string)] = columns[_ones(bit.string)] + columns[_bit(bit)]
    return Rows(columns, np.concatenate([rows.count, rows.count]))


def _with_ones(rows: Rows, string: str, read: int, length: int, kept: Sequence[Bit]) -> Strings:
    """A string that leads to each state."""
    bits = {bit.index: rows.columns[_bit(bit)] for bit in kept if bit.string == string and bit.index <= read}
    return Strings.of(numbers_of(rows.columns[_ones(string)], bits, range(1, read + 1), length), length)


def _bit(bit: Bit) -> str:
    return f"bit {bit.string} {bit.index}"


def _ones(string: str) -> str:
    return f"ones of {string}"


def _states(execution: Execution, program: Program, expectation: Expectation, sums: Mapping[str, States], shape: tuple[int, ...]) -> States:
    """The quantity's value for each input of a chunk; linear attention with W^V = 0 has no sums."""
    if expectation.of == "denominator":
        found = sums.get(DENOMINATOR, np.asarray(program.lattice.encode(Fraction(1))))
    elif expectation.of == "column":
        found = sums[program.numerator_sums[_column(execution, expectation)]]
    else:
        found = (program.attentions(sums) if expectation.of == "output" else program.numerators(sums))[expectation.column]
    return np.broadcast_to(found, shape)


def judged_expectations(
    execution: Execution, witness: str, words: tuple[str, ...], limit: int, advance: Callable[[int, int], None]
) -> Iterator[tuple[str, Outcome]]:
    """An outcome for each expectation, by its name; ``words`` are those of the replaying command, without the input."""
    instance = execution.instance
    if not instance.expectations:
        return
    try:
        met = _met(execution, limit, advance)
    except LimitError as error:
        for expectation in instance.expectations:
            yield expectation.name, declined(str(error))
        return
    for expectation, one in zip(instance.expectations, met, strict=True):
        yield expectation.name, _outcome(execution, expectation, one, witness, words)


def _met(execution: Execution, limit: int, advance: Callable[[int, int], None]) -> list[Met]:
    """Judge each expectation: by states if they show that all hold, else on every input."""
    try:
        cases = in_every_state(execution, limit)
    except NotApplicableError:
        cases = None
    return every_input(execution, limit, advance) if cases is None else [Met(count, 0, None, "reachable") for count in cases]


def _outcome(execution: Execution, expectation: Expectation, met: Met, witness: str, words: tuple[str, ...]) -> Outcome:
    instance = execution.instance
    kept = f" where {expectation.where}" if expectation.where else ""
    subject = _subject(expectation, instance.outputs)
    if not met.cases:
        return declined(f"no promised input{kept}: nothing is expected of any")
    holds = f"{'keeps' if expectation.formula == expectation.says else 'is'} {expectation.says}"
    scope = Scope(f"all {amount(met.cases)} {inputs_text(instance)}{kept}: {subject} {holds}", met.cases, met.method)
    if met.smallest is None:
        assumptions = execution.attention_assumptions
        return Outcome(Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED, scope, witness, assumptions, failures=0)
    inputs = dict(zip(instance.task.strings, met.smallest, strict=True))
    digits = {name: bits_of(inputs[name], length) for name, length in instance.task.strings.items()}
    first = next(departures(execution, expectation, inputs), None)
    if first is None:
        raise AssertionError(f"the engine refutes {expectation.name} at {inputs}, the definition does not")
    counterexample = {
        **{k: str(v) for k, v in instance.parameters.items()},
        **digits,
        "token": str(first.token),
        "step": str(first.step),
        "found": show(first.found),
        "expected": first.claimed,
    }
    return Outcome(
        Verdict.REFUTED,
        scope,
        witness,
        reason=f"{departure_told(expectation, instance, first)}; fails on {met.failures:,} of them",
        counterexample=counterexample,
        failures=met.failures,
        replay=(*words, *input_words(digits)),
    )


def departure_told(expectation: Expectation, instance: Instance, first: Departure) -> str:
    """``the numerator after token 3 (step 1) is 4, 1 = popcount(y) was expected``."""
    place = "" if expectation.of == "output" else f" after token {first.token} (step {first.step})"
    return f"{_subject(expectation, instance.outputs)}{place} is {show(first.found)}, {first.claimed} was expected"


def _subject(expectation: Expectation, outputs: int) -> str:
    if expectation.of == "column":
        return f"column {expectation.column + 1} of A X"
    numbered = outputs > 1 and expectation.of != "denominator"
    return f"{expectation.of} {expectation.column + 1}" if numbered else f"the {expectation.of}"

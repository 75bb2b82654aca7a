"""Whether coordinates have the values that a network file expects, over real numbers, at every token of every input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verifier.arithmetic.numbers import NAN
from verifier.arithmetic.reals import Undecided
from verifier.arithmetic.semantics import EXACT, Arithmetic
from verifier.networks.record_base import admits
from verifier.running.limits import CLOCK, DEFAULT_LIMITS, INTERPRETED, Advance, Limits, OutOfTime, silent
from verifier.transformers import formulas
from verifier.transformers.causes import short
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import Run, Vector, run
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network, network
from verifier.transformers.outputs import given, place, promised
from verifier.transformers.records import Expect, NetworkFile


@dataclass(frozen=True)
class Broken:
    """The first failure of an expectation: the length, the input as text, the token's position, and the coordinates that it reads."""

    length: int
    strings: Mapping[str, str]
    position: int
    shown: str


@dataclass(frozen=True)
class Expected:
    """An expectation and the lengths up to which it holds. stopped: why larger lengths are not decided, if so."""

    name: str
    holds: str
    broken: Broken | None
    decided_to: int | None
    cases: int
    stopped: str = ""


def names(file: NetworkFile) -> list[str]:
    """The names of a file's expectations."""
    return [entry.name or f"expect-{k}" for k, entry in enumerate(file.expect, 1)]


def judged_expectations(
    file: NetworkFile,
    lengths: range,
    parameters: Mapping[str, int] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    advance: Advance = silent,
) -> list[Expected]:
    """Every expectation of a file on every promised input of these lengths, each up to the first failure."""
    broken: dict[str, Broken] = {}
    decided: dict[str, int] = {}
    cases: dict[str, int] = dict.fromkeys(names(file), 0)
    stopped, work = "", 0
    for length in lengths if file.expect else ():
        advance(f"expectations of {file.id}, length {length}", 0, 0)
        point = {**(parameters or {}), file.length: length}
        if not admits(file, point):
            continue
        built = network(file, point)
        work += built.input.count * len(built.input.layout) ** 2 * INTERPRETED
        if work > limits.states:
            stopped = f"length {length} needs a larger --limit"
            break
        counted = dict(cases)
        try:
            for strings in built.input.every():
                if CLOCK.over:
                    raise OutOfTime
                if promised(built, strings):
                    _judge(built, strings, length, broken, cases)
        except (Undecided, OutOfTime) as error:
            stopped = f"length {length}: {CLOCK.told() if isinstance(error, OutOfTime) else error}"
            cases |= {name: count for name, count in counted.items() if name not in broken}
            break
        decided |= {name: length for name in names(file) if name not in broken or broken[name].length == length}
        if len(broken) == len(file.expect):
            break
    return [
        Expected(name, entry.holds, broken.get(name), decided.get(name), cases[name], "" if name in broken else stopped)
        for name, entry in zip(names(file), file.expect, strict=True)
    ]


def _judge(built: Network, strings: Strings, length: int, broken: dict[str, Broken], cases: dict[str, int]) -> None:
    made = run(built, built.input.tokens(strings), context(Arithmetic(EXACT)))
    for name, entry in zip(names(built.file), built.file.expect, strict=True):
        if name in broken:
            continue
        cases[name] += 1
        for position, shown in failures(built, strings, made, entry):
            broken[name] = Broken(length, built.input.written(strings), position, shown)
            break


def failures(built: Network, strings: Strings, made: Run, entry: Expect) -> Iterator[tuple[int, str]]:
    """The positions at which an expectation fails on an input, with the coordinates that it reads at each."""
    known, functions = given(built, strings)
    vectors = _vectors(made, entry)
    places: Sequence[int] = [place(built, entry.at, len(vectors))] if entry.at else range(len(vectors))
    for i in places:
        position = i + built.file.input.first
        read = formulas.reads(entry.holds, vectors[i])
        shown = ", ".join(f"{name} = {short(vectors[i][name])}" for name in vectors[i] if name in read)
        if any(vectors[i][name] is NAN for name in read) or not formulas.truth(
            entry.holds, {**known, **vectors[i], "i": position, "token": made.tokens[i]}, functions
        ):
            yield position, shown


def _vectors(made: Run, entry: Expect) -> list[Vector]:
    if entry.after == 0:
        return made.embedding
    layer = made.layers[entry.after - 1]
    return layer.attention if entry.block == "attention" else layer.network

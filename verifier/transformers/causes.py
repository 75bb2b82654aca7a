"""The cause of a wrong answer: the first place at which the rounded run differs from the run over real numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from verifier.arithmetic import reals
from verifier.arithmetic.numbers import NAN, Special
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import EXACT, Arithmetic
from verifier.running.errors import InputError, LimitError
from verifier.transformers.cells import Cell
from verifier.transformers.contexts import Value, context
from verifier.transformers.evaluate import HeadTrace, Run, Vector
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network
from verifier.transformers.network import network as built_at
from verifier.transformers.outputs import judged, place
from verifier.transformers.records import HARD, Kind, NetworkFile

MOST_TOKENS = 600
"""A longer input is not run over real numbers."""


REALS = "reals"


@dataclass(frozen=True)
class Cause:
    """kind: ``reals`` if the network is wrong over real numbers, too; else ``overflow``, ``tie``, ``order``, ``lost``, ``residue``,
    ``rounding``, or empty if none is found; says: the cause in words.

    answered: the numbers that decide the answer, rounded and over real numbers.
    """

    kind: str
    says: str
    answered: tuple[str, str] = ("", "")


def cause_of(file: NetworkFile, cell: Cell) -> Cause:
    """The cause of the first wrong answer of a cell that has one."""
    assert cell.first_wrong is not None
    built = built_at(file, {**cell.given, cell.length: cell.first_wrong.length})
    strings = {name: built.input.read(name, text) for name, text in cell.first_wrong.strings.items()}
    return cause(built, strings, cell.arithmetic)


def cause(network: Network, strings: Strings, arithmetic: Arithmetic) -> Cause:
    """The cause of a wrong answer, by the definition in both arithmetics."""
    rounded = judged(network, strings, context(arithmetic))
    if len(network.input.layout) > MOST_TOKENS or arithmetic.exact:
        return Cause("", "", (rounded.answer.shown, ""))
    try:
        real = judged(network, strings, context(Arithmetic(EXACT)))
    except (InputError, LimitError):
        return Cause("", "", (rounded.answer.shown, ""))
    answered = (rounded.answer.shown, real.answer.shown)
    if not real.answer.right:
        return Cause(REALS, "wrong over real numbers as well", answered)
    words = list(network.input.words)
    for step, (mine, theirs) in enumerate(zip(rounded.runs, real.runs, strict=False), 1):
        before = f"symbol {step}: " if len(rounded.runs) > 1 else ""
        found = list(_differences(network, words, mine, theirs))
        for kinds in (("overflow",), ("tie", "order"), ("lost", "residue", "sign")):
            for kind, says in found:
                if kind in kinds:
                    return Cause(kind, before + says, answered)
    return Cause("rounding", "no sign differs from that over real numbers; the values do", answered)


def _differences(network: Network, words: Sequence[str], mine: Run, theirs: Run) -> Iterator[tuple[str, str]]:
    first = network.file.input.first
    names = [f"{words[token]} at {i + first}" for i, token in enumerate(mine.tokens)]
    answers = _answering(network, len(names))
    for own, other in zip(blocks(mine), blocks(theirs), strict=True):
        if own.head is None or other.head is None:
            yield from _vectors(own.title, names, own.vectors, other.vectors)
            continue
        k, h = own.place
        asking = range(answers, answers + 1) if k == len(mine.layers) - 1 else range(len(names))
        yield from _head(own.title, network.layers[k].heads[h].entry.kind, names, own.head, other.head, asking)


class Block(NamedTuple):
    """A part of a run: a vector for each token, by its name in traces and causes; for a head its output.

    place: for a head, its layer and its number in it, from 0.
    """

    title: str
    vectors: Sequence[Vector]
    head: HeadTrace | None = None
    place: tuple[int, int] = (0, 0)


def blocks(run: Run) -> Iterator[Block]:
    """The parts of a run, in its order."""
    yield Block("embedding", run.embedding)
    last = run.embedding
    for k, layer in enumerate(run.layers):
        for h, head in enumerate(layer.heads):
            yield Block(f"layer {k + 1}, head {h + 1}", head.given, head, (k, h))
        yield Block(f"layer {k + 1}, after attention", layer.attention)
        if layer.hidden:
            yield Block(f"layer {k + 1}, hidden unit", layer.hidden)
            yield Block(f"layer {k + 1}", layer.network)
        last = layer.network
    if run.last is not last:
        yield Block("last norm", run.last)


def _answering(network: Network, length: int) -> int:
    """The place of the token that answers."""
    entry = network.file.accept or network.file.choose
    return length - 1 if entry is None else place(network, entry.at, length)


def _head(place: str, kind: Kind, names: Sequence[str], mine: HeadTrace, theirs: HeadTrace, asking: range) -> Iterator[tuple[str, str]]:
    for i in asking:
        name, scores, own, other = names[i], mine.scores[i], mine.weights[i], theirs.weights[i]
        for j, score in enumerate(scores):
            if isinstance(score, Special):
                yield "overflow", f"{place}: {name} scores {names[j]} as {short(score)}"
        if kind not in HARD:
            continue
        chosen, right = ({j for j, w in enumerate(weights) if w is not None} for weights in (own, other))
        if chosen == right or not chosen or not right:
            continue
        wrong, best = min(chosen - right or chosen), min(right)
        tied = scores[wrong] == scores[best]
        said = "scores are equal" if tied else f"{short(scores[wrong])} is above {short(scores[best])}"
        yield "tie" if tied else "order", f"{place}: {name} looks at {names[wrong]}, not {names[best]}: {said}"


def _vectors(place: str, names: Sequence[str], mine: Sequence[Vector], theirs: Sequence[Vector]) -> Iterator[tuple[str, str]]:
    for name, own, other in zip(names, mine, theirs, strict=True):
        for key, x in own.items():
            y = other[key]
            if isinstance(x, Special) and not isinstance(y, Special):
                yield "overflow", f"{place}: {key} of {name} is {short(x)}"
            elif not isinstance(x, Special) and y is not NAN:
                right = _sign(y)
                sign = (x > 0) - (x < 0)
                if right is not None and sign != right:
                    kind = "lost" if sign == 0 else "residue" if right == 0 else "sign"
                    yield kind, f"{place}: {key} of {name} is {short(x)}, not {short(y)}"


def _sign(x: Value) -> int | None:
    try:
        return reals.sign(x)
    except InputError:
        return None


def short(x: Value) -> str:
    """A value in a few characters: a small fraction as it is, another number with four digits."""
    if isinstance(x, Special):
        return str(x.value)
    if isinstance(x, Fraction) and len(str(x)) <= 8:
        return str(x)
    ball = reals.enclosure(x)
    if 1e-300 < abs(ball.mid()) < 1e300:
        return f"{float(x if isinstance(x, Fraction) else ball.mid()):.4g}"
    return str(x if isinstance(x, reals.Real) else ball.str(4, radius=False))

"""The answer of a network to an input, and whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verifier.arithmetic.numbers import NAN
from verifier.arithmetic.rationals import Fraction
from verifier.language.string_use import StringUse, use_of_string
from verifier.transformers import formulas
from verifier.transformers.contexts import Context, Value
from verifier.transformers.evaluate import Run, Vector, applied, run
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network

BOTH = "both yes and no"
"""The answer where the conditions for yes and for no do not exclude each other, which is a mistake of the file."""


@dataclass(frozen=True)
class Answer:
    """expected, found: ``yes``, ``no``, a symbol or symbols; found may be ``neither``, ``nan`` or :data:`BOTH`."""

    expected: str
    found: str
    shown: str = ""

    @property
    def right(self) -> bool:
        return self.expected == self.found


@dataclass(frozen=True)
class Judged:
    """An input, its runs (several for decoding: one for each symbol) and the answer."""

    strings: Strings
    runs: list[Run]
    answer: Answer


def given(network: Network, strings: Strings) -> tuple[dict[str, Any], dict[str, Any]]:
    """The names and functions that formulas about an input may use."""
    names, functions = formulas.of_strings(strings, len(network.input.letters))
    return {**network.names, **names}, functions


def promised(network: Network, strings: Strings) -> bool:
    """Whether the input keeps the promise."""
    promise = network.file.input.promise
    return promise == "none" or formulas.truth(promise, *given(network, strings))


def expected(network: Network, strings: Strings) -> str:
    """The right answer."""
    names, functions = given(network, strings)
    file = network.file
    if file.accept is not None:
        return "yes" if formulas.truth(file.accept.function, names, functions) else "no"
    if file.choose is not None:
        return _symbol(network, formulas.number(file.choose.function, names, functions))
    assert file.decode is not None
    symbols: list[str] = []
    for k in range(1, formulas.integer(file.decode.steps, network.names) + 1):
        symbols.append(_symbol(network, formulas.number(file.decode.function, {**names, "k": Fraction(k)}, functions)))
        if symbols[-1] == file.decode.until:
            break
    return " ".join(symbols)


def string_use(network: Network) -> StringUse | None:
    """The facts about its one string of bits that the right answer of a network needs, or None for another input, or other facts."""
    entry = network.file.accept or network.file.choose
    if entry is None or len(network.input.lengths) != 1 or len(network.input.letters) != 2:
        return None
    ((name, length),) = network.input.lengths.items()
    found = use_of_string(entry.function, name, network.names)
    return found if found is not None and all(1 <= bit <= length for bit in found.bits) else None


def _symbol(network: Network, x: formulas.Constant) -> str:
    found: list[str] = [symbol for k, symbol in enumerate(network.input.alphabet) if x == k]
    return found[0] if found else f"no symbol: {x}"


def judged(network: Network, strings: Strings, context: Context, whole: bool = True) -> Judged:
    """Run one input by the definition. whole: also tokens behind the last heads that do not answer."""
    file, tokens = network.file, network.input.tokens(strings)
    if file.decode is None:
        entry = file.accept or file.choose
        assert entry is not None
        made = run(network, tokens, context, None if whole else place(network, entry.at, len(tokens)))
        return Judged(strings, [made], Answer(expected(network, strings), *found(network, made.last, context)))
    runs, symbols = [], list[str]()
    for _ in range(formulas.integer(file.decode.steps, network.names)):
        runs.append(run(network, tokens, context))
        chosen = argmax([applied(form, runs[-1].last[-1], context) for form in network.logits], context)
        symbols.append("nan" if chosen is None else network.input.alphabet[chosen])
        if chosen is None or symbols[-1] == file.decode.until:
            break
        tokens = [*tokens, chosen]
    return Judged(strings, runs, Answer(expected(network, strings), " ".join(symbols)))


def found(network: Network, last: Sequence[Vector], context: Context) -> tuple[str, str]:
    """The answer from the last vectors, and the numbers that decide it."""
    entry = network.file.accept or network.file.choose
    assert entry is not None
    x = last[0] if len(last) == 1 else last[place(network, entry.at, len(last))]
    if network.file.accept is not None:
        return accepted(network, x)
    logits = [applied(form, x, context) for form in network.logits]
    chosen = argmax(logits, context)
    return "nan" if chosen is None else network.input.alphabet[chosen], ", ".join(map(written, logits))


def accepted(network: Network, x: Vector) -> tuple[str, str]:
    """Yes, no, neither, both or nan; and the coordinates that the conditions read."""
    accept = network.file.accept
    assert accept is not None
    names = {**network.names, **x}
    read = formulas.reads(accept.yes, x) | (formulas.reads(accept.no, x) if accept.no else set())
    shown = ", ".join(f"{name} = {written(x[name])}" for name in x if name in read)
    if any(x[name] is NAN for name in read):
        return "nan", shown
    yes = formulas.truth(accept.yes, names)
    no = formulas.truth(accept.no, names) if accept.no else not yes
    return {(True, False): "yes", (False, True): "no", (False, False): "neither", (True, True): BOTH}[yes, no], shown


def place(network: Network, at: str, length: int) -> int:
    """The index of the token in ``at``."""
    return network.input.place(at, network.names, length, network.file.input.first)


def argmax(logits: Sequence[Value], context: Context) -> int | None:
    """The index of the first largest, or None if one is NaN."""
    if any(x is NAN for x in logits):
        return None
    best = 0
    for k, x in enumerate(logits):
        if context.less(logits[best], x):
            best = k
    return best


def written(x: Value) -> str:
    """A value in a line."""
    return x.value if hasattr(x, "value") else str(x)

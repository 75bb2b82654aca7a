"""A network as a certificate has it: every formula worked out at a point, every number exact or between two fractions that round alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import WRITTEN, Arithmetic
from verifier.certificates.recheck_between import BITS
from verifier.language.syntax import names_in
from verifier.running.errors import InputError
from verifier.transformers import formulas
from verifier.transformers.formulas import Constant, Map
from verifier.transformers.network import FeedForward, Head, Layer, Network, Norm
from verifier.transformers.outputs import place
from verifier.transformers.reals import enclosure

FORMAT = "bitreferee/network-certificate/1"
KNOBS = ("format", "rounding", "sums", "products", "accumulate", "maximum", "division", "scaling", "root", "overflow")
"""The knobs that certificates have, besides ``subnormals``."""
MOST_BITS = 1 << 12

Record = dict[str, Any]


def arithmetic_data(arithmetic: Arithmetic) -> Record:
    """Every knob by name, in the words of certificates.

    Raises:
        InputError: an arithmetic that certificates do not have.
    """
    if not arithmetic.of_programs:
        raise InputError(f"{arithmetic} has no certificates; rounding to nearest, ties=even, order=values were expected")
    words = {meant: written for written, meant in WRITTEN.items()}
    named = {knob: knob for knob in KNOBS} | {"subnormals": "underflow"}
    return {knob: words.get((field, getattr(arithmetic, field)), (knob, getattr(arithmetic, field)))[1] for knob, field in named.items()}


class Statement:
    """Writes a network out."""

    def __init__(self, network: Network, arithmetic: Arithmetic) -> None:
        self.network, self.machine = network, None if arithmetic.exact else arithmetic.machine()
        self.symbols, self.letters = len(network.input.alphabet), len(network.input.letters)
        self.index = {name: k for k, name in enumerate(network.coordinates)}
        self.known: dict[Any, Any] = {}
        decode = network.file.decode
        self.steps = formulas.integer(decode.steps, network.names) if decode else 0
        self.positions = len(network.input.layout) + max(0, self.steps - 1)

    def data(self) -> Record:
        """The record of the network."""
        shape = self.network.input
        return {
            "coordinates": list(self.network.coordinates),
            "symbols": list(shape.alphabet),
            "letters": str(len(shape.letters)),
            "words": str(len(shape.words)),
            "strings": {name: str(length) for name, length in shape.lengths.items()},
            "layout": [str(entry) if isinstance(entry, int) else [entry[0], str(entry[1])] for entry in shape.layout],
            "embedding": [self._vectors(i) for i in range(self.positions)],
            "layers": [self._layer(layer) for layer in self.network.layers],
            "final_norm": self._norms(self.network.final_norm),
            "output": self._output(),
        }

    def number(self, x: Constant) -> Any:
        """A fraction, or for another real number two that it lies between."""
        if isinstance(x, Fraction):
            return str(x)
        if x not in self.known:
            self.known[x] = self._between(x)
        return self.known[x]

    def _between(self, x: Constant) -> list[str]:
        import flint

        if self.machine is None:
            return self._ends(x)
        bits = 64
        while bits <= MOST_BITS:
            with flint.ctx.workprec(bits):
                ball = enclosure(x)
                ends = [_fraction(end) for end in (ball.lower(), ball.upper())] if ball.is_finite() else []
            if ends and len({self.machine.round(end) for end in ends}) == 1:
                return [str(end) for end in ends]
            bits *= 2
        raise InputError(f"the rounding of {x} stays undecided")

    @staticmethod
    def _ends(x: Constant) -> list[str]:
        """Two fractions that a real number lies between, of as many digits as the checker computes with."""
        import flint

        with flint.ctx.workprec(BITS):
            ball = enclosure(x)
            ends = [_fraction(end) for end in (ball.lower(), ball.upper())] if ball.is_finite() else []
        if not ends or ends[0] >= ends[1]:
            raise InputError(f"no certificate of exact arithmetic: a number between two fractions was expected, not {x}")
        return [str(end) for end in ends]

    def _vectors(self, i: int) -> list[Any]:
        layout = self.network.input.layout
        entry = layout[i] if i < len(layout) else None
        words: Iterable[int] = [entry] if isinstance(entry, int) else range(self.symbols if entry is None else self.letters)
        return [[str(word), self._vector(self.network.embedding(word, i))] for word in words]

    def _vector(self, given: Mapping[str, Constant]) -> list[Any]:
        return [self.number(given[name]) if name in given else "0" for name in self.network.coordinates]

    def _map(self, form: Map, index: Mapping[str, int]) -> list[Any]:
        return [[[str(index[name]), self.number(c)] for name, c in form.terms], [self.number(form.constant)] if form.constant != 0 else []]

    def _maps(self, forms: Iterable[Map]) -> list[Any]:
        return [self._map(form, self.index) for form in forms]

    def _norms(self, norm: Norm | None) -> list[Record]:
        if norm is None:
            return []
        numbers = {part: [[name, self.number(x)] for name, x in getattr(norm, part).items()] for part in ("gain", "shift")}
        entry = norm.entry
        return [{"kind": entry.kind, "place": entry.place, "eps": self.number(norm.eps), "only": list(entry.only), **numbers}]

    def _layer(self, layer: Layer) -> Record:
        values = [list(head.value) for head in layer.heads]
        combine = [
            [name, [[str(h), str(values[h].index(value)), self.number(c)] for (h, value), c in sources]]
            for name, sources in layer.combine.items()
        ]
        return {
            "heads": [self._head(head) for head in layer.heads],
            "combine": combine,
            "residual": layer.entry.residual,
            "network": [self._units(layer.network)] if layer.network else [],
            "attention_norm": self._norms(layer.norms.get("attention")),
            "network_norm": self._norms(layer.norms.get("network")),
        }

    def _head(self, head: Head) -> Record:
        places, entry = range(self.positions), head.entry
        rows = ["".join("01"[head.sees(i, j)] for j in places) for i in places] if entry.where else []
        bias = []
        if entry.bias is not None:
            bias = [[self.number(self.network.bias(head, i, j)) if head.sees(i, j) else "0" for j in places] for i in places]
        return {
            "kind": entry.kind,
            "score": entry.score,
            "query": self._maps(head.query),
            "key": self._maps(head.key),
            "value": self._maps(head.value.values()),
            "scale": self.number(head.scale),
            "mask": "listed" if entry.where else entry.mask,
            "listed": rows,
            "masked": [] if head.masked is None else [self.number(head.masked)],
            "bias": bias,
            "turns": [[[self.number(x) for x in self.network.turn(angle, i)] for i in places] for angle in head.angles],
            "normed": [] if head.norm is None else [self.number(head.norm.eps)],
        }

    def _units(self, entry: FeedForward) -> Record:
        hidden = {name: k for k, name in enumerate(entry.hidden)}
        return {
            "activation": entry.entry.activation,
            "hidden": self._maps(entry.hidden.values()),
            "gate": self._maps(entry.gate[name] for name in hidden) if entry.gate else [],
            "into": [[name, self._map(form, hidden)] for name, form in entry.into.items()],
            "factor": [] if entry.factor is None else [self.number(entry.factor)],
            "residual": entry.entry.residual,
        }

    def _output(self) -> Record:
        file, network = self.network.file, self.network
        part = "accept" if file.accept else "choose" if file.choose else "decode"
        entry: Any = getattr(file, part)
        texts = {"function": str(entry.function), "promise": file.input.promise}
        if file.accept:
            texts |= {"yes": file.accept.yes, "no": file.accept.no}
        read = {name for key, text in texts.items() if text and (key, text) != ("promise", "none") for name in names_in(text)}
        own = {*network.input.lengths, *self.index} | ({"k"} if file.decode else set())
        names = {name: network.names[name] for name in sorted((read & network.names.keys()) - own)}
        if not all(isinstance(x, Fraction) for x in names.values()):
            raise InputError("a right answer that reads an irrational number")
        record: Record = {"kind": part, **texts, "names": {name: str(x) for name, x in names.items()}}
        if file.decode:
            record |= {"steps": str(self.steps), "until": file.decode.until}
        else:
            record["at"] = str(place(network, entry.at, len(network.input.layout)))
        return record | ({} if file.accept else {"logits": self._maps(network.logits)})


def _fraction(x: Any) -> Fraction:
    """An end of a ball, a dyadic number."""
    mantissa, exponent = x.man_exp()
    mantissa, exponent = int(mantissa), int(exponent)
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)

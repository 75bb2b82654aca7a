"""Networks in the form of certificates. Every formula is evaluated at a point, and every number is exact or lies between two fractions that
round to one value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from verifier.arithmetic.bit_patterns import number_format
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.reals import enclosure
from verifier.arithmetic.semantics import Arithmetic
from verifier.certificates.formula_data import Written
from verifier.certificates.statement import Record, arithmetic_record, layer_record, map_record
from verifier.certificates.tables import dyadic
from verifier.running.errors import InputError
from verifier.transformers import formulas
from verifier.transformers.formulas import Constant, Map
from verifier.transformers.network import FeedForward, Head, Network, Norm
from verifier.transformers.outputs import place

MOST_BITS = 1 << 12
EXACT_BITS = 256
"""The digits between which a certificate of exact arithmetic puts a real number."""


KEPT = ("format", "maximum", "division", "root")
"""The knobs that certificates write with the program's words."""
FIXED = {"rounding": "nearest", "sums": "left-to-right", "products": "rounded", "accumulate": "", "scaling": "scores"}
"""The knobs that have one setting in certificates."""


def arithmetic_of_network(arithmetic: Arithmetic) -> Record:
    """The knobs by name, and the format's own overflow if none is given.

    Raises:
        InputError: an arithmetic that certificates of networks do not have.
    """
    other = [f"{knob}={getattr(arithmetic, knob)}" for knob, setting in FIXED.items() if getattr(arithmetic, knob) != setting]
    if other:
        usual = "in certificates each operation is rounded once, into one format, sums run from left to right, and scales multiply scores"
        raise InputError(f"{arithmetic} has no certificate, because of {', '.join(other)}; {usual}")
    if not arithmetic.of_programs:
        raise InputError(f"{arithmetic} is not supported by certificates; rounding to nearest, ties=even, order=values were expected")
    overflow = "" if arithmetic.exact else arithmetic.overflow or number_format(arithmetic.format).rule.overflow
    return arithmetic_record(
        {
            **{knob: getattr(arithmetic, knob) for knob in KEPT},
            "overflow": {"after": "infinity"}.get(overflow, overflow),
            "subnormals": {"subnormals": "kept", "flush": "flushed"}[arithmetic.underflow],
        }
    )


def arithmetic_named(record: Mapping[str, str]) -> Arithmetic:
    """The arithmetic of such a record."""
    overflow = record["overflow"]
    return Arithmetic(
        **{knob: record[knob] for knob in KEPT},  # type: ignore[arg-type]  # all are texts
        overflow={"infinity": "after"}.get(overflow, overflow),
        underflow={"kept": "subnormals", "flushed": "flush"}.get(record["subnormals"], record["subnormals"]),
    )


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
        layout = enumerate(shape.layout)
        return {
            "coordinates": list(self.network.coordinates),
            "symbols": list(shape.alphabet),
            "letters": str(len(shape.letters)),
            "strings": {name: str(length) for name, length in shape.lengths.items()},
            "tokens": [
                [[], [self._embedded(entry, i)]]
                if isinstance(entry, int)
                else [[[entry[0], str(entry[1])]], [self._embedded(word, i) for word in range(self.letters)]]
                for i, entry in layout
            ],
            "outputs": [[self._embedded(word, i) for word in range(self.symbols)] for i in range(len(shape.layout), self.positions)],
            "layers": self._layers(),
            "output": self._output(),
        }

    def number(self, x: Constant) -> Any:
        """A fraction, or two fractions around another real number."""
        if isinstance(x, Fraction):
            return str(x)
        if x not in self.known:
            self.known[x] = self._between(x)
        return self.known[x]

    def _between(self, x: Constant) -> list[str]:
        """Two ends that are rounded to the same value. In exact arithmetic they have as many digits as the checker uses."""
        import flint

        bits = 64 if self.machine else EXACT_BITS
        while bits <= MOST_BITS:
            with flint.ctx.workprec(bits):
                ball = enclosure(x)
                ends = [dyadic(end) for end in (ball.lower(), ball.upper())] if ball.is_finite() else []
            if ends and (ends[0] < ends[1] if self.machine is None else len({self.machine.round(end) for end in ends}) == 1):
                return [str(end) for end in ends]
            if self.machine is None:
                raise InputError(f"no certificate of exact arithmetic: a number between two fractions was expected, not {x}")
            bits *= 2
        raise InputError(f"the rounding of {x} stays undecided")

    def _embedded(self, word: int, i: int) -> list[Any]:
        given = self.network.embedding(word, i)
        return [self.number(given[name]) if name in given else "0" for name in self.network.coordinates]

    def _map(self, form: Map, index: Mapping[str, int]) -> list[Any]:
        return map_record(((index[name], self.number(c)) for name, c in form.terms), self.number(form.constant))

    def _maps(self, forms: Iterable[Map]) -> list[Any]:
        return [self._map(form, self.index) for form in forms]

    def _optional(self, x: Constant | None) -> list[Any]:
        return [] if x is None else [self.number(x)]

    def _norms(self, norm: Norm | None) -> list[Record]:
        if norm is None:
            return []
        numbers = {part: [[name, self.number(x)] for name, x in getattr(norm, part).items()] for part in ("gain", "shift")}
        entry = norm.entry
        return [{"kind": entry.kind, "eps": self.number(norm.eps), "only": list(entry.only), **numbers}]

    def _layers(self) -> list[Record]:
        """The attention and the network of each layer, each with its norm. The last norm is a separate layer.

        A head without values is left out.
        """
        layers: list[Record] = []
        for layer in self.network.layers:
            if layer.heads:
                place = {h: str(k) for k, h in enumerate(h for h, head in enumerate(layer.heads) if head.value)}
                values = [list(head.value) for head in layer.heads]
                combine = [
                    [name, [[place[h], str(values[h].index(value)), self.number(c)] for (h, value), c in sources]]
                    for name, sources in layer.combine.items()
                ]
                heads = [self._head(head) for head in layer.heads if head.value]
                layers.append(self._normed(layer.norms.get("attention"), heads=heads, combine=combine, residual=layer.entry.residual))
            if layer.network:
                units = [self._units(layer.network)]
                layers.append(self._normed(layer.norms.get("network"), units=units, residual=layer.network.entry.residual))
        return [*layers, layer_record(after=self._norms(self.network.final_norm))] if self.network.final_norm else layers

    def _normed(self, norm: Norm | None, **given: Any) -> Record:
        """A layer with its norm."""
        return layer_record(**given, **({norm.entry.place: self._norms(norm)} if norm else {}))

    def _head(self, head: Head) -> Record:
        if head.masked is not None or head.entry.kind == "softmax-plus-one":
            raise InputError(
                "certificates have no score of a hidden token or of no token; softmax of the tokens that are seen was expected"
            )
        places, entry = range(self.positions), head.entry
        rows = ["".join("01"[head.sees(i, j)] for j in places) for i in places] if entry.where or entry.mask != "none" else []
        bias = []
        if entry.bias is not None:
            bias = [[self.number(self.network.bias(head, i, j)) if head.sees(i, j) else "0" for j in places] for i in places]
        return {
            "kind": entry.kind,
            "score": entry.score,
            "base": "e",
            "query": self._maps(head.query),
            "key": self._maps(head.key),
            "value": self._maps(head.value.values()),
            "scale": [self.number(head.scale)],
            "seen": rows,
            "bias": bias,
            "turns": [[[self.number(x) for x in self.network.turn(angle, i)] for i in places] for angle in head.angles],
            "normed": self._optional(head.norm.eps if head.norm else None),
        }

    def _units(self, entry: FeedForward) -> Record:
        hidden = {name: k for k, name in enumerate(entry.hidden)}
        return {
            "activation": entry.entry.activation,
            "hidden": self._maps(entry.hidden.values()),
            "gate": self._maps(entry.gate[name] for name in hidden) if entry.gate else [],
            "into": [[name, self._map(form, hidden)] for name, form in entry.into.items()],
            "factor": self._optional(entry.factor),
        }

    def _output(self) -> Record:
        file, network = self.network.file, self.network
        part = "accept" if file.accept else "choose" if file.choose else "decode"
        entry: Any = getattr(file, part)
        names = {name: x for name, x in network.names.items() if isinstance(x, Fraction) and name not in network.input.lengths}
        written = Written(network.input.lengths, names)
        promise = "true" if file.input.promise == "none" else written.formula(file.input.promise)
        record: Record = {"kind": part, "promise": promise}
        if file.decode:
            function: Any = [Written(network.input.lengths, {**names, "k": Fraction(k)}).formula(entry.function) for k in self.outputs]
            record |= {"function": function, "until": file.decode.until}
        else:
            record |= {"function": written.formula(entry.function), "at": str(place(network, entry.at, len(network.input.layout)))}
        if file.accept:
            coordinates = Written({}, {name: x for name, x in names.items() if name not in self.index}, self.index)
            record |= {"yes": coordinates.formula(file.accept.yes), "no": coordinates.formula(file.accept.no) if file.accept.no else "true"}
            return record | {"nan": "nan"}
        return record | {"logits": self._maps(network.logits)}

    @property
    def outputs(self) -> range:
        return range(1, self.steps + 1)

"""A second reader of certificates: docs/certificate-format.md word for word, on every input, with the program's arithmetic.

It shares no code with the checker. It reads sums from left to right, each operation rounded, and heads without turns, norms or biases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

from verifier.arithmetic.enclosure import round_exp, round_multiple_of_ln2, round_power_of_two
from verifier.arithmetic.formats import fixed_grid, floating_point, free_point
from verifier.arithmetic.machine import Machine, RoundingRule, exact_product
from verifier.arithmetic.numbers import INF, NAN, Number, Special, less, negate, sign
from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.semantics import Arithmetic

Symbols = Mapping[str, tuple[int, ...]]


class Beyond(Exception):  # noqa: N818
    """Something that this reader does not read."""


def machine_of(arithmetic: Mapping[str, str]) -> Machine:
    """The format of numbers with its rounding."""
    expected = {"accumulate": "", "sums": "left-to-right", "rounding": "operation", "products": "rounded", "scaling": "scores"}
    if any(arithmetic[key] != setting for key, setting in expected.items()) or arithmetic["format"] == "exact":
        raise Beyond
    name, *digits = arithmetic["format"].split(":")
    ties, overflow = arithmetic["ties"], {"infinity": "after"}.get(arithmetic["overflow"], arithmetic["overflow"])
    rule = RoundingRule("truncate" if ties == "truncate" else "nearest", "zero" if ties == "truncate" else ties, overflow)  # type: ignore[arg-type]
    below = {"flushed": "flush", "kept": "subnormals"}.get(arithmetic["subnormals"], arithmetic["subnormals"])
    if name == "float":
        return Machine(floating_point(int(digits[0]), int(digits[1]), below), rule)  # type: ignore[arg-type]
    if name == "fixed":
        bits = int(digits[0])
        return Machine(fixed_grid(bits, rational(digits[1])) if digits[1:] else free_point(bits), rule)
    if ties != "even" or below == "nearest" or overflow == "before":
        raise Beyond
    return Arithmetic(arithmetic["format"], overflow=overflow, underflow=below).machine()


OPERATIONS: dict[str, Callable[[list[Any]], Any]] = {
    "+": sum,
    "*": prod,
    "min": min,
    "max": max,
    "and": all,
    "or": any,
    "-": lambda x: x[0] - x[1],
    "/": lambda x: x[0] / x[1],
    "//": lambda x: Fraction(x[0] // x[1]),
    "%": lambda x: x[0] % x[1],
    "**": lambda x: x[0] ** int(x[1]),
    "not": lambda x: not x[0],
    "abs": lambda x: abs(x[0]),
    "popcount": lambda x: Fraction(int(x[0]).bit_count()),
}


class Reader:
    """One case of a certificate."""

    def __init__(self, arithmetic: Mapping[str, str], network: Mapping[str, Any]) -> None:
        self.knobs, self.network, self.machine = arithmetic, network, machine_of(arithmetic)
        self.names = network["coordinates"]
        self.letters = int(rational(network["letters"]))
        self.lengths = {name: int(rational(length)) for name, length in network["strings"].items()}
        self.known: dict[Any, Any] = {}

    def number(self, text: Any) -> Any:
        if isinstance(text, list):
            low, high = (self.machine.round(rational(x)) for x in text)
            assert low == high
            return low
        x = rational(text)
        return x if self.knobs["entries"] == "exact" else self.machine.round(x)

    def vector(self, entries: list[Any]) -> list[Any]:
        return [x if x in ("N", "-N") else self.number(x) for x in entries]

    def times(self, x: Any, y: Any) -> Any:
        """Of N: 0 with 0, NaN with NaN, N with a sign with all else."""
        if "N" in str(x) + str(y) and isinstance(x, str) + isinstance(y, str):
            (large, other) = (x, y) if isinstance(x, str) else (y, x)
            if isinstance(other, str):
                raise Beyond
            if other is NAN or sign(other) == 0:
                return other if other is NAN else Fraction(0)
            return "N" if (large == "N") == (sign(other) > 0) else "-N"
        return self.machine.round(exact_product(x, y))

    def plus(self, x: Any, y: Any) -> Any:
        for large, other in ((x, y), (y, x)):
            if isinstance(large, str):
                if other != large and not isinstance(other, Fraction):
                    raise Beyond
                return large
        return self.machine.add(x, y)

    def settled(self, x: Any) -> Number:
        """N is beyond every number."""
        return self.machine.round(INF if x == "N" else Special.NEG_INF) if isinstance(x, str) else x

    def applied(self, form: Any, x: list[Any]) -> Any:
        total: Any = None
        terms, constant = form
        for k, c in terms:
            term = self.times(self.number(c), x[int(rational(k))])
            total = term if total is None else self.plus(total, term)
        for c in constant:
            if self.knobs["constants"] == "added":
                known, c = Fraction(0) if total is None else total, self.number(c)
                exact = isinstance(known, Fraction) and isinstance(c, Fraction)
                total = self.machine.round(known + c) if exact else self.machine.add(known, c)
            else:
                term = self.times(self.number(c), self.machine.round(Fraction(1)))
                total = term if total is None else self.plus(total, term)
        return Fraction(0) if total is None else total

    def run(self, strings: Symbols) -> str:
        """The answer to an input."""
        vectors = []
        for reads, choices in self.network["tokens"]:
            content = 0
            for name, place in reads:
                content = content * self.letters + strings[name][int(rational(place))]
            vectors.append(self.vector(choices[content]))
        output = self.network["output"]
        if output["kind"] == "decode" or self.network["final_norm"]:
            raise Beyond
        at = int(rational(output["at"]))
        for layer in self.network["layers"][:-1]:
            vectors = [self.after(layer, vectors, i) for i in range(len(vectors))]
        return self.answer(output, self.after(self.network["layers"][-1], vectors, at) if self.network["layers"] else vectors[at])

    def after(self, layer: Any, vectors: list[list[Any]], i: int) -> list[Any]:
        if layer["attention_norm"] or layer["network_norm"]:
            raise Beyond
        x = vectors[i]
        if layer["heads"]:
            given = [self.head(head, vectors, i) for head in layer["heads"]]
            found = {}
            for name, sources in layer["combine"]:
                values = [(given[int(rational(h))][int(rational(v))], c) for h, v, c in sources]
                terms = [value if not c else self.times(self.number(c[0]), value) for value, c in values]
                total = Fraction(0) if not terms else terms[0]
                for term in terms[1:]:
                    total = self.machine.add(total, term)
                found[name] = total
            x = self.set(x, found, layer["residual"])
        for units in layer["network"]:
            if units["gate"] or units["factor"]:
                raise Beyond
            hidden = [self.activation(units["activation"], self.applied(form, x)) for form in units["hidden"]]
            into = {name: self.applied(form, hidden) for name, form in units["into"]}
            if units["rectified"]:
                into = {name: self.activation("relu", value) for name, value in into.items()}
            x = self.set(x, into, units["residual"])
        return x

    def set(self, x: list[Any], given: Mapping[str, Any], residual: bool) -> list[Any]:
        if not residual:
            return [given.get(name, Fraction(0)) for name in self.names]
        return [self.machine.add(value, given[name]) if name in given else value for name, value in zip(self.names, x, strict=True)]

    def activation(self, kind: str, x: Number) -> Number:
        one = self.machine.round(Fraction(1))
        if x is NAN or kind == "identity":
            return x
        if kind == "step":
            return one if sign(x) > 0 else Fraction(0)
        if kind not in ("relu", "clipped-relu"):
            raise Beyond
        x = Fraction(0) if sign(x) < 0 else x
        return one if kind == "clipped-relu" and less(one, x) else x

    def head(self, head: Any, vectors: list[list[Any]], i: int) -> list[Number]:
        """What a head gives at a position."""
        if any(head[key] for key in ("bias", "turns", "normed", "masked", "listed")) or head["score"] != "product":
            raise Beyond
        seen = [j for j in range(len(vectors)) if head["mask"] == "none" or j < i or (j == i and head["mask"] == "causal")]
        query = [self.applied(form, vectors[i]) for form in head["query"]]
        scores = [self.score(head, query, vectors[j]) for j in seen]
        weights, divisor = self.weights(head, scores)
        taking = [(w, vectors[j]) for w, j in zip(weights, seen, strict=True) if w is not None]
        columns = sorted({int(rational(k)) for terms, _ in head["value"] for k, _ in terms})
        how, found = self.knobs["attention"], list[Any]()
        if how == "inputs":
            sums = {c: self.total([self.settled(self.times(w, x[c])) for w, x in taking]) for c in columns}
            found = [self.total([self.times(self.number(c), sums[int(rational(k))]) for k, c in terms]) for terms, _ in head["value"]]
        for form in head["value"] if how != "inputs" else ():
            parts = []
            for w, x in taking:
                if how == "values":
                    parts.append(self.settled(self.times(w, self.applied(form, x))))
                else:
                    products = [(self.settled(self.times(w, x[int(rational(k))])), self.number(c)) for k, c in form[0]]
                    parts.append(self.total([self.times(y, c) for y, c in products]))
            found.append(self.total(parts))
        return found if divisor is None else [self.machine.divide(x, divisor) for x in found]

    def total(self, parts: list[Any]) -> Any:
        total: Any = Fraction(0)
        for k, part in enumerate(parts):
            total = part if k == 0 else self.machine.add(total, part)
        return total

    def score(self, head: Any, query: list[Any], x: list[Any]) -> Any:
        key = [self.applied(form, x) for form in head["key"]]
        if len(key) > 1 and any(isinstance(each, str) for each in (*key, *query)):
            raise Beyond
        found: Any = Fraction(0)
        for k, pair in enumerate(zip(query, key, strict=True)):
            found = self.times(*pair) if k == 0 else self.plus(found, self.times(*pair))
        for scale in head["scale"] if query else ():
            found = self.times(found, self.number(scale))
        return found

    def weights(self, head: Any, scores: list[Any]) -> tuple[list[Any], Number | None]:
        kind, machine = head["kind"], self.machine
        if kind == "linear" or not scores:
            return [self.settled(s) if head["base"] == "e" else self.multiple(s) for s in scores], None
        if kind.startswith("softmax"):
            everything = [Fraction(0), *scores] if kind == "softmax-plus-one" else scores
            if self.knobs["maximum"] == "subtracted":
                top = everything[0]
                for s in everything:
                    top = NAN if NAN in (s, top) else s if less(top, s) else top
                everything = [machine.add(s, negate(top)) for s in everything]
            exponentials = [self.power(s, head["base"]) for s in everything]
            total = self.total(exponentials)
            own = exponentials[len(exponentials) - len(scores) :]
            return (own, total) if self.knobs["division"] == "output" else ([machine.divide(w, total) for w in own], None)
        if NAN in scores:
            return [NAN] * len(scores), None
        best = [j for j, s in enumerate(scores) if not any(less(s, other) for other in scores)]
        one, chosen = machine.round(Fraction(1)), best if kind == "average-hard" else [best[0 if kind == "leftmost" else -1]]
        size = machine.round(Fraction(len(chosen)))
        weight = one if self.knobs["division"] == "output" else machine.divide(one, size)
        found = [weight if j in chosen else None for j in range(len(scores))]
        return found, size if self.knobs["division"] == "output" and kind == "average-hard" else None

    def power(self, score: Any, base: str) -> Number:
        key = (score, base)
        if key not in self.known:
            x = self.settled(score) if isinstance(score, str) else score
            if isinstance(x, Special):
                self.known[key] = x if x is NAN else self.machine.round(INF) if x is INF else Fraction(0)
            elif isinstance(score, str):
                self.known[key] = self.machine.round(INF) if score == "N" else Fraction(0)
            else:
                self.known[key] = round_exp(self.machine, x) if base == "e" else round_power_of_two(self.machine, x)
        return self.known[key]

    def multiple(self, score: Any) -> Number:
        return round_multiple_of_ln2(self.machine, score) if isinstance(score, Fraction) else self.settled(score)

    def answer(self, output: Any, x: list[Any]) -> str:
        if output["kind"] == "choose":
            logits = [self.applied(form, x) for form in output["logits"]]
            if NAN in logits:
                return "nan"
            return str(self.network["symbols"][next(j for j, s in enumerate(logits) if not any(less(s, other) for other in logits))])
        names = dict(zip(self.names, x, strict=True))
        if any(names[name] is NAN for part in ("yes", "no") for name in names_of(output[part]) if name in names):
            return str(output["nan"])
        if self.value(output["yes"], {}, names):
            return "yes"
        return "no" if self.value(output["no"], {}, names) else "neither"

    def value(self, form: Any, strings: Symbols, names: Mapping[str, Any]) -> Any:
        """A formula."""
        if not isinstance(form, list):
            if form in ("true", "false"):
                return form == "true"
            if form in strings:
                return self.spelled(strings[form])
            return names[form] if form in names else rational(form)
        word, *parts = form
        if word == "bits":
            return self.spelled(strings[parts[0]][int(rational(parts[1])) - 1 : int(rational(parts[2]))])
        if word == "if":
            return self.value(parts[1] if self.value(parts[0], strings, names) else parts[2], strings, names)
        values = [self.value(part, strings, names) for part in parts]
        if word in ("==", "!=", "<", "<=", ">", ">="):
            x, y = values
            below, above = less(x, y), less(y, x)
            return {"==": not below and not above, "!=": below or above, "<": below, "<=": not above, ">": above, ">=": not below}[word]
        return OPERATIONS[word](values)

    def spelled(self, symbols: tuple[int, ...]) -> Fraction:
        total = 0
        for symbol in symbols:
            total = total * self.letters + symbol
        return Fraction(total)

    def judged(self) -> Iterator[tuple[Symbols, bool]]:
        """Every input that keeps the promise, and whether it is answered rightly."""
        output = self.network["output"]
        for choice in product(range(self.letters), repeat=sum(self.lengths.values())):
            strings, rest = {}, choice
            for name, length in self.lengths.items():
                strings[name], rest = rest[:length], rest[length:]
            if self.value(output["promise"], strings, {}):
                expected = self.value(output["function"], strings, {})
                if output["kind"] == "accept":
                    right = "yes" if expected else "no"
                else:
                    symbols = self.network["symbols"]
                    right = symbols[int(expected)] if expected in range(len(symbols)) else ""
                yield strings, self.run(strings) == right


def names_of(form: Any) -> set[str]:
    return {form} if isinstance(form, str) else {name for part in form for name in names_of(part)}


def true(certificate: Any) -> bool:
    """Whether every fact of an accepted certificate is so."""
    for case in certificate["cases"]:
        judged = list(Reader(certificate["arithmetic"], case["network"]).judged())
        evidence = case["evidence"]
        if evidence["kind"] == "wrong":
            given = {name: tuple(int(rational(x)) for x in symbols) for name, symbols in evidence["input"].items()}
            if (given, False) not in [(dict(strings), right) for strings, right in judged]:
                return False
        elif not judged or not all(right for _, right in judged):
            return False
    return True

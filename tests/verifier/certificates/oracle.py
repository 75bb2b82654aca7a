"""A second reader of certificates: docs/certificate-format.md word for word, on every input, with the program's arithmetic.

It shares no code with the checker: what a network computes is the program's definition of it, of the numbers that the certificate states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Any

import networkx

from lowerbounds.one_column import CONSTANT, Choice, OneColumn, tokens_of
from verifier.arithmetic.bit_patterns import PATTERNS
from verifier.arithmetic.formats import fixed_grid, floating_point, free_point
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.numbers import INF, NAN, ONE, Special
from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.reals import enclosure, opaque
from verifier.arithmetic.semantics import EXACT, Arithmetic, read_semantics
from verifier.networks.record_base import Expression
from verifier.transformers import records
from verifier.transformers.contexts import Exactly, Rounded
from verifier.transformers.evaluate import after, applied, kernel, keyed, queried, read_by_heads, run, scaled, score
from verifier.transformers.formulas import Map
from verifier.transformers.network import FeedForward, Head, Layer, Model, Norm

Symbols = Mapping[str, tuple[int, ...]]
MOST_FOOLED = 8


class Beyond(Exception):  # noqa: N818
    """Something that this reader leaves open."""


@dataclass(frozen=True)
class Stated(Arithmetic):
    """The arithmetic of a certificate, whose format may be any."""

    rounds: Machine | None = None

    def machine(self, precision: object = None) -> Machine:
        assert self.rounds is not None
        return self.rounds

    accumulator = machine


class Numbers(Rounded):
    """Rounded operations. The numbers of a certificate are values already; 1 is that of the format."""

    def __init__(self, stated: Stated, multiplied: bool) -> None:
        super().__init__(stated)
        self.one, self.multiplied = self.machine.round(ONE), multiplied
        self.constant = lambda x: self.one if x is ONE else x

    def dot(self, terms: Any, constant: Any = None, name: str = "") -> Any:
        if constant is not None and self.multiplied:
            terms, constant = [*terms, (constant, self.one)], None
        return super().dot(terms, constant, name)

    def clipped(self, x: Any) -> Any:
        return self.one if self.less(self.one, x) else x


def machine_of(arithmetic: Mapping[str, str]) -> Machine:
    """The format of numbers with its rounding."""
    name, *digits = arithmetic["format"].split(":")
    ties, overflow = arithmetic["ties"], {"infinity": "after"}.get(arithmetic["overflow"], arithmetic["overflow"])
    below: Any = {"flushed": "flush", "kept": "subnormals"}.get(arithmetic["subnormals"], arithmetic["subnormals"])
    if name == "float":
        form = floating_point(int(digits[0]), int(digits[1]), below)
    elif name == "fixed":
        form = fixed_grid(int(digits[0]), rational(digits[1])) if digits[1:] else free_point(int(digits[0]))
    elif name == "int8":
        form = fixed_grid(8, rational(digits[0]) if digits else Fraction(1, 64))
    else:
        form = replace(PATTERNS[name].form, underflow=below)
    rule: Any = ("truncate" if ties == "truncate" else "nearest", "zero" if ties == "truncate" else ties, overflow)
    return Machine(form, RoundingRule(*rule))


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


class Certified(Model):
    """The network of one case, as the definition runs it; a token is known by the number of its contents.

    absent: the positions of tokens that take no part, as these contents have no vector.
    """

    final_norm = None

    def __init__(self, network: Mapping[str, Any], number: Callable[[Any], Any]) -> None:
        self.network, self.number, self.coordinates = network, number, tuple(network["coordinates"])
        self.absent: set[int] = set()
        self.parts = [[*self._layers(layer)] for layer in network["layers"]]
        self.layers = tuple(each for part in self.parts for each in part)

    def embedding(self, token: int, i: int) -> Mapping[str, Any]:
        tokens = self.network["tokens"]
        choices = tokens[i][1] if i < len(tokens) else self.network["outputs"][i - len(tokens)]
        return dict(zip(self.coordinates, map(self.number, choices[token]), strict=True)) if choices[token] else {}

    def attend_to(self, tokens: list[int]) -> None:
        """Leave out those without a vector."""
        self.absent = {i for i, token in enumerate(tokens) if not self.embedding(token, i)}

    def bias(self, head: Head, i: int, j: int) -> Any:
        return self.number(head.entry.bias[i][j])  # type: ignore[index]

    def turn(self, angle: Any, i: int) -> tuple[Any, Any]:
        cosine, sine = map(self.number, angle[i])
        return cosine, sine

    def _map(self, form: Any, names: Any) -> Map:
        terms, constant = form
        return Map(tuple((names[int(rational(k))], self.number(c)) for k, c in terms), *map(self.number, constant))

    def _layers(self, layer: Any) -> Iterator[Layer]:
        """Its heads, or its units, each behind the norm before; and the norm behind, as a layer that adds nothing."""
        residual, before = (
            layer["residual"],
            {of: self._norm(norm, "before") for norm in layer["before"] for of in ("attention", "network")},
        )
        of_all = records.Layer(residual=residual)
        heads, combine = tuple(map(self._head, layer["heads"])), {}
        for name, sources in layer["combine"]:
            combine[name] = tuple(((int(rational(h)), str(int(rational(v)))), self.number(c)) for h, v, c in sources)
        if heads:
            yield Layer(of_all, heads, combine, None, before)
        else:
            for units in layer["units"] or [{"activation": "relu", "hidden": [], "gate": [], "into": [], "factor": []}]:
                yield Layer(of_all, (), {}, self._units(units, residual), before if units["hidden"] else {})
        for norm in layer["after"]:
            nothing = FeedForward(records.FeedForward({}, {}), {}, {}, {})
            yield Layer(of_all, (), {}, nothing, {"network": self._norm(norm, "after")})

    def _units(self, units: Any, residual: bool) -> FeedForward:
        hidden, gates = ({str(k): self._map(form, self.coordinates) for k, form in enumerate(units[part])} for part in ("hidden", "gate"))
        into = {name: self._map(form, [*hidden]) for name, form in units["into"]}
        entry = records.FeedForward({}, {}, activation=units["activation"], residual=residual)
        return FeedForward(entry, hidden, gates, into, *map(self.number, units["factor"]))

    def _norm(self, norm: Any, place: Any) -> Norm:
        numbers = ({name: self.number(c) for name, c in norm[part]} for part in ("gain", "shift"))
        return Norm(records.Norm(0, kind=norm["kind"], place=place, only=norm["only"]), self.number(norm["eps"]), *numbers)

    def _head(self, head: Any) -> Head:
        bias: Expression | None = head["bias"] or None
        entry = records.Head({}, kind=head["kind"], score=head["score"], bias=bias)
        maps = [tuple(self._map(form, self.coordinates) for form in head[part]) for part in ("query", "key", "value")]
        norm = [Norm(records.Norm(0, kind="rms"), self.number(eps), {}, {}) for eps in head["normed"]]
        return Head(
            entry,
            *maps[:2],
            {str(k): form for k, form in enumerate(maps[2])},
            *(map(self.number, head["scale"] or ["1"])),
            None,
            tuple(head["turns"]),
            *norm or [None],
            visible=lambda i, j: j not in self.absent and (not head["seen"] or head["seen"][i][j] == "1"),
            scaled=bool(head["scale"]),
            ln2=head["base"] == "2" and head["kind"] == "softmax",
        )


class Reader:
    """One case of a certificate."""

    def __init__(self, arithmetic: Mapping[str, str], network: Mapping[str, Any]) -> None:
        self.knobs, self.network = arithmetic, network
        order = {"inputs": "ax"}.get(arithmetic["attention"], arithmetic["attention"])
        if arithmetic["format"] == EXACT:
            self.context: Any = Exactly()
            self.context.arithmetic = Arithmetic(EXACT, order=order, maximum="kept", division=arithmetic["division"])
        else:
            knobs = {knob: arithmetic[knob] for knob in ("maximum", "division", "root")}
            stated = Stated("float64", order=order, entries="exact", rounds=machine_of(arithmetic), **knobs)
            self.context = Numbers(stated, arithmetic["constants"] == "multiplied")
        self.names = network["coordinates"]
        self.letters = int(rational(network["letters"]))
        self.lengths = {name: int(rational(length)) for name, length in network["strings"].items()}
        self.made = Certified(network, self.number)

    def number(self, text: Any) -> Any:
        exact = self.knobs["format"] == EXACT
        if isinstance(text, list):
            low, high = map(rational, text)
            if exact:
                return opaque(lambda: enclosure(low).union(enclosure(high)))
            low, high = map(self.context.machine.round, (low, high))
            assert low == high
            return low
        x = rational(text)
        return x if exact or self.knobs["entries"] == "exact" else self.context.machine.round(x)

    def run(self, strings: Symbols) -> str:
        """The answer to an input."""
        tokens, output = self.contents(strings), self.network["output"]
        if output["kind"] != "decode":
            return self.answer(output, self.ended(tokens, int(rational(output["at"]))))
        said: list[str] = []
        for step in range(len(output["function"])):
            said.append(self.answer(output, self.ended(tokens, len(tokens) - 1)))
            if said[-1] in ("nan", output["until"]):
                break
            if step < len(self.network["outputs"]):
                tokens = [*tokens, self.network["symbols"].index(said[-1])]
        return " ".join(said)

    def contents(self, strings: Symbols) -> list[int]:
        """The contents of each token, by number."""
        found = []
        for reads, _ in self.network["tokens"]:
            content = 0
            for name, place in reads:
                content = content * self.letters + strings[name][int(rational(place))]
            found.append(content)
        return found

    def ended(self, tokens: list[int], at: int) -> Any:
        """The coordinates at a position at the end."""
        self.made.attend_to(tokens)
        last = run(self.made, tokens, self.context, at).last
        return last[0 if any(layer.heads for layer in self.made.layers) else at]

    def answer(self, output: Any, x: Mapping[str, Any]) -> str:
        if output["kind"] != "accept":
            logits = [applied(self.made._map(form, self.made.coordinates), x, self.context) for form in output["logits"]]
            if NAN in logits:
                return "nan"
            best = next(j for j, s in enumerate(logits) if not any(self.context.less(s, other) for other in logits))
            return str(self.network["symbols"][best])
        if any(x[name] is NAN for part in ("yes", "no") for name in names_of(output[part]) if name in x):
            return str(output["nan"])
        if self.value(output["yes"], {}, x):
            return "yes"
        return "no" if self.value(output["no"], {}, x) else "neither"

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
            return self.spelled(strings[parts[0]][int(rational(parts[1])) - 1 : int(rational(parts[-1]))])
        if word == "if":
            return self.value(parts[1] if self.value(parts[0], strings, names) else parts[2], strings, names)
        values = [self.value(part, strings, names) for part in parts]
        if word in ("==", "!=", "<", "<=", ">", ">="):
            x, y = values
            below, above = self.context.less(x, y), self.context.less(y, x)
            return {"==": not below and not above, "!=": below or above, "<": below, "<=": not above, ">": above, ">=": not below}[word]
        if not all(isinstance(x, Fraction | Special | bool) for x in values):
            raise Beyond
        return OPERATIONS[word](values)

    def spelled(self, symbols: tuple[int, ...]) -> Fraction:
        total = 0
        for symbol in symbols:
            total = total * self.letters + symbol
        return Fraction(total)

    def promised(self) -> Iterator[Symbols]:
        """Every input that keeps the promise."""
        for choice in product(range(self.letters), repeat=sum(self.lengths.values())):
            strings, rest = {}, choice
            for name, length in self.lengths.items():
                strings[name], rest = rest[:length], rest[length:]
            if self.value(self.network["output"]["promise"], strings, {}):
                yield strings

    def judged(self) -> Iterator[tuple[Symbols, bool]]:
        """Every input that keeps the promise, and whether it is answered rightly."""
        for strings in self.promised():
            yield strings, self.run(strings) == self.right(self.network["output"], strings)

    def right(self, output: Any, strings: Symbols) -> str:
        """The right answer."""
        if output["kind"] == "accept":
            return "yes" if self.value(output["function"], strings, {}) else "no"
        symbols, words = self.network["symbols"], list[str]()
        for function in output["function"] if output["kind"] == "decode" else [output["function"]]:
            x = self.value(function, strings, {})
            words.append(symbols[int(x)] if x in range(len(symbols)) else "none")
            if words[-1] == output.get("until"):
                break
        return " ".join(words)

    def longer(self) -> bool:
        """Whether pairs of up to four bits are answered rightly, with up to three tokens more, where all positions add as some do here.

        The numerator is the sum of what each position adds to its columns; each further token has a weight that some token has.
        """
        context, output, (y, z) = self.context, self.network["output"], self.lengths
        layer, *behind = self.made.layers
        if len(layer.heads) != 1 or any(each.heads for each in behind):
            raise Beyond
        (head,), at, zeros = layer.heads, int(rational(output["at"])), {name: (0,) * n for name, n in self.lengths.items()}
        terms = head.value["0"].terms
        weights, options = set[Any](), set[tuple[int, int, tuple[Any, ...]]]()
        for place in range(self.lengths[y]):
            added = {}
            for bits in product((0, 1), repeat=2):
                held = zip((y, z), bits, strict=True)
                sums, own = self.weighed(layer, {name: (*zeros[name][:place], bit, *zeros[name][place + 1 :]) for name, bit in held}, at)
                weights |= set(own)
                added[bits] = [context.multiply(c, sums[name]) for name, c in terms]
            columns = [k for k in range(len(terms)) if len({parts[k] for parts in added.values()}) > 1]
            columns = columns or [k for k in range(len(terms)) if any(parts[k] != 0 for parts in added.values())]
            options |= {(*bits, tuple(parts[k] for k in columns)) for bits, parts in added.items()}
        bottoms = [None] if head.entry.kind == "linear" else self.sums_of(weights, len(self.network["tokens"]), 3)
        start = dict(self.made.embedding(0, at))
        for length in range(1, 5 if len(options) <= 4 else 4):
            for pairs in product(options, repeat=length):
                top = context.total([part for _, _, parts in pairs for part in parts])
                expected = "yes" if all(a == b for a, b, _ in pairs) else "no"
                sign = next((a - b for a, b, _ in pairs if a != b), 0)
                if sign > 0 and output["promise"] != "true":
                    continue  # of the promise it is known that it says y <= z
                for bottom in bottoms:
                    x = after(layer, start, [{"0": top if bottom is None else context.divide(top, bottom)}], context)[2]
                    for each in behind:
                        x = after(each, x, [], context)[2]
                    if self.answer(output, x) != expected:
                        return False
        return True

    def weighed(self, layer: Layer, strings: Symbols, at: int) -> tuple[dict[str, Any], list[Any]]:
        """The sum of each column, and the weights of all tokens."""
        context, (head,) = self.context, layer.heads
        vectors = [read_by_heads(layer, dict(self.made.embedding(x, i)), context) for i, x in enumerate(self.contents(strings))]
        query = scaled(head, queried(self.made, head, at, vectors[at], context), context)
        scores = [score(self.made, head, at, j, query, keyed(self.made, head, j, x, context), context) for j, x in enumerate(vectors)]
        if None in scores:
            raise Beyond
        weights = [kernel(head, s, context) for s in scores]
        columns = [name for name, _ in head.value["0"].terms]
        return {c: context.total([context.multiply(w, x[c]) for w, x in zip(weights, vectors, strict=True)]) for c in columns}, weights

    def sums_of(self, weights: set[Any], count: int, more: int) -> list[Any]:
        """What so many weights, or up to ``more`` more, may add up to."""
        now, found = set(weights), set[Any]()
        for k in range(1, count + more + 1):
            found |= now if k >= count else set()
            now = {self.context.add(total, w) for total in now for w in weights}
        return list(found)


def names_of(form: Any) -> set[str]:
    return {form} if isinstance(form, str) else {name for part in form for name in names_of(part)}


def fools(length: int) -> bool:
    """Whether the pairs (x, x) are a fooling set of EQ under y <= z: 1 at each; of two of them some mixed pair is 0 and promised."""
    strings = range(1 << length)
    return all((x <= other and x != other) or (other <= x and x != other) for x in strings for other in strings if x != other)


class AnyWeights(OneColumn):
    """The SAT problem of one value column whose tokens have any weights of an arithmetic, of which products are made.

    Of longer strings than three bits only those are asked for that begin with zeros.
    """

    def __init__(self, machine: Any, length: int, value_weight: Fraction, moves: list[Any]) -> None:
        asked = min(length, 3)
        zeros, y_and_z = [CONSTANT] * (length - asked), tokens_of("T0", asked, 2 * asked)
        super().__init__(read_semantics("a4"), 1, asked, [*zeros, *y_and_z[:asked], *zeros, *y_and_z[asked:]], value_weight)
        self.machine, values = machine, list(machine.form.values())
        self.choices = dict.fromkeys(moves, Choice(None, Fraction(0)))  # which it is does not matter here
        self.weights, self.every_product = [*dict.fromkeys(w for _, w in moves)], [*dict.fromkeys(x for x, _ in moves)]
        self.numerators = [*values, INF, Special.NEG_INF, NAN]
        self.denominators = [*(x for x in values if x >= 0), INF, NAN]


@cache
def decided(arithmetic: tuple[tuple[str, str], ...], coupling: str, length: int) -> bool:
    """Whether some tokens, W^V and accepted outputs decide EQ of two strings of this length, by a solver."""
    machine, moves = machine_of(dict(arithmetic)), moves_of(arithmetic, coupling)
    if length > MOST_FOOLED or len(moves) > 40:
        raise Beyond
    found = any(AnyWeights(machine, length, weight, moves).solve().satisfiable for weight in machine.form.values() if weight > 0)
    if found and length > 3:
        raise Beyond
    return found


def moves_of(arithmetic: tuple[tuple[str, str], ...], coupling: str) -> list[Any]:
    """What one token can add to the numerator, and its weight."""
    machine = machine_of(dict(arithmetic))
    values, moves = list(machine.form.values()), []
    ends = [x for x in (INF, Special.NEG_INF) if machine.round(x) is x]
    for w in [x for x in values if x >= 0] + ends[:1]:
        made = [machine.multiply(w, v) for v in values] if coupling == "product" else [*values, *ends]
        made = [Fraction(0)] if coupling == "any" and w == 0 else made
        moves += [(x, w) for x in dict.fromkeys(made) if x is not NAN]
    return moves


@cache
def told_apart(arithmetic: tuple[tuple[str, str], ...], coupling: str, length: int) -> bool:
    """Whether the token of the last bit may tell strings of this length apart: 2^(length - 1) edges {f0(s), f1(s)} that share no end."""
    machine, moves, half = machine_of(dict(arithmetic)), moves_of(arithmetic, coupling), 1 << (length - 1)

    def after(state: Any, move: Any) -> Any:
        return machine.add(state[0], move[0]), machine.add(state[1], move[1])

    states, waiting = {(Fraction(0), Fraction(0))}, [(Fraction(0), Fraction(0))]
    while waiting:
        state = waiting.pop()
        fresh = {found for move in moves if NAN not in (found := after(state, move))} - states
        states |= fresh
        waiting += fresh
    useful = {state for state in states if machine.divide(*state) is not NAN}
    while more := {s for s in states - useful if any(after(s, move) in useful for move in moves)}:
        useful |= more
    maps = {tuple(found if (found := after(s, move)) in useful else None for s in useful) for move in moves}
    for f, g in combinations(maps, 2):
        edges = {(u, v) for u, v in zip(f, g, strict=True) if u != v and u is not None and v is not None}
        if len(edges) >= half and len({u for edge in edges for u in edge}) >= 2 * half:
            graph: Any = networkx.Graph(edges)
            if len(networkx.max_weight_matching(graph, maxcardinality=True)) >= half:
                return True
    return False


def every_length(case: Any) -> bool:
    """Whether a case is about strings of every length."""
    return bool(case["evidence"].get("cut") == "each")


def counted(certificate: Any) -> int:
    """How many inputs keep the promise, in the cases that are said to be right on all of them."""
    cases = [case for case in certificate.get("cases", []) if case["evidence"]["kind"] != "wrong" and not every_length(case)]
    return sum(len([*Reader(certificate["arithmetic"], case["network"]).promised()]) for case in cases)


def true(certificate: Any) -> bool:
    """Whether every fact of an accepted certificate is so."""
    if "fact" in certificate:
        length = int(rational(certificate["length"]))
        if certificate["fact"] == "fooling-set":
            if length > MOST_FOOLED:
                raise Beyond
            return fools(length)
        no = told_apart if certificate["fact"] == "one-sum" else decided
        return not no(tuple(sorted(certificate["arithmetic"].items())), certificate["coupling"], length)
    for case in certificate["cases"]:
        reader = Reader(certificate["arithmetic"], case["network"])
        evidence = case["evidence"]
        if every_length(case):
            if not reader.longer():
                return False
            continue
        judged = list(reader.judged())
        if evidence["kind"] == "wrong":
            given = {name: tuple(int(rational(x)) for x in symbols) for name, symbols in evidence["input"].items()}
            if (given, False) not in [(dict(strings), right) for strings, right in judged]:
                return False
        elif not judged or not all(right for _, right in judged):
            return False
    return True

"""A second reader of certificates: docs/certificate-format.md word for word, on every input, with the program's arithmetic.

It shares no code with the checker. Real numbers that are not rational are balls; where a ball leaves a comparison open, the reader stops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from math import isqrt, prod
from typing import Any

import flint
import networkx

from lowerbounds.one_column import CONSTANT, Choice, OneColumn, tokens_of
from verifier.arithmetic.bit_patterns import PATTERNS
from verifier.arithmetic.enclosure import round_exp, round_power_of_two, round_root
from verifier.arithmetic.formats import fixed_grid, floating_point, free_point
from verifier.arithmetic.machine import Machine, RoundingRule, exact_product
from verifier.arithmetic.numbers import INF, NAN, Number, Special, less, negate, sign
from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.semantics import read_semantics

Symbols = Mapping[str, tuple[int, ...]]
MOST_FOOLED = 8
BALL_BITS = 600


class Beyond(Exception):  # noqa: N818
    """Something that this reader leaves open."""


class Real:
    """A real number in a ball; only what is so everywhere in the ball is said of it."""

    def __init__(self, ball: Any) -> None:
        self.ball = ball

    @staticmethod
    def around(x: Any) -> Any:
        """A ball around a number, or that of a real number."""
        flint.ctx.prec = BALL_BITS
        return x.ball if isinstance(x, Real) else flint.arb(flint.fmpq(int(x.numerator), int(x.denominator)))

    def __neg__(self) -> Real:
        return Real(-self.ball)

    def __add__(self, other: Any) -> Real:
        return Real(self.ball + self.around(other))

    def __mul__(self, other: Any) -> Any:
        return Fraction(0) if isinstance(other, Fraction) and other == 0 else Real(self.ball * self.around(other))

    def __truediv__(self, other: Any) -> Real:
        return Real(self.ball / self.around(other))

    def __rtruediv__(self, other: Any) -> Real:
        return Real(self.around(other) / self.ball)

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other: Any) -> bool:
        return other is not self and self.known(self.ball < self.around(other), self.ball >= self.around(other))

    def __gt__(self, other: Any) -> bool:
        return other is not self and self.known(self.ball > self.around(other), self.ball <= self.around(other))

    def __eq__(self, other: object) -> bool:
        return not isinstance(other, Special) and self.known(False, self.ball != self.around(other))

    __hash__ = None  # type: ignore[assignment]

    def known(self, so: bool, otherwise: bool) -> bool:
        if not so and not otherwise:
            raise Beyond
        return so


class Reals(Machine):
    """Exact arithmetic."""

    def round(self, x: Any) -> Any:
        return NAN if isinstance(x, Special) else x


def machine_of(arithmetic: Mapping[str, str]) -> Machine:
    """The format of numbers with its rounding."""
    name, *digits = arithmetic["format"].split(":")
    ties, overflow = arithmetic["ties"], {"infinity": "after"}.get(arithmetic["overflow"], arithmetic["overflow"])
    below: Any = {"flushed": "flush", "kept": "subnormals"}.get(arithmetic["subnormals"], arithmetic["subnormals"])
    if name == "exact":
        return Reals(free_point(1))
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
            if isinstance(self.machine, Reals):
                return Real(Real.around(low).union(Real.around(high)))
            assert low == high
            return low
        x = rational(text)
        return x if self.knobs["entries"] == "exact" else self.machine.round(x)

    def vector(self, entries: list[Any]) -> list[Any]:
        return [self.number(x) for x in entries]

    def times(self, x: Any, y: Any) -> Any:
        return self.machine.round(exact_product(x, y))

    def applied(self, form: Any, x: list[Any]) -> Any:
        total: Any = None
        terms, constant = form
        for k, c in terms:
            term = self.times(self.number(c), x[int(rational(k))])
            total = term if total is None else self.machine.add(total, term)
        for c in constant:
            if self.knobs["constants"] == "added":
                known, c = Fraction(0) if total is None else total, self.number(c)
                exact = isinstance(known, Fraction) and isinstance(c, Fraction)
                total = self.machine.round(known + c) if exact else self.machine.add(known, c)
            else:
                term = self.times(self.number(c), self.machine.round(Fraction(1)))
                total = term if total is None else self.machine.add(total, term)
        return Fraction(0) if total is None else total

    def run(self, strings: Symbols) -> str:
        """The answer to an input."""
        vectors = self.vectors(strings)
        output = self.network["output"]
        if output["kind"] != "decode":
            return self.answer(output, self.ended(vectors, int(rational(output["at"]))))
        said: list[str] = []
        for step in range(len(output["function"])):
            said.append(self.answer(output, self.ended(vectors, len(vectors) - 1)))
            if said[-1] in ("nan", output["until"]):
                break
            if step < len(self.network["outputs"]):
                vectors = [*vectors, self.vector(self.network["outputs"][step][self.network["symbols"].index(said[-1])])]
        return " ".join(said)

    def vectors(self, strings: Symbols) -> list[list[Any]]:
        """The vectors of the tokens."""
        found = []
        for reads, choices in self.network["tokens"]:
            content = 0
            for name, place in reads:
                content = content * self.letters + strings[name][int(rational(place))]
            found.append(self.vector(choices[content]))
        return found

    def ended(self, vectors: list[Any], at: int) -> Any:
        """The coordinates at a position at the end."""
        layers = self.network["layers"]
        for k, layer in enumerate(layers):
            all_are_read = any(later["heads"] for later in layers[k + 1 :])
            vectors = [self.after(layer, vectors, i) if i == at or all_are_read else [] for i in range(len(vectors))]
        return vectors[at]

    def after(self, layer: Any, vectors: list[list[Any]], i: int) -> list[Any]:
        read = [self.normed(x, layer["before"]) if x else x for x in vectors] if layer["heads"] else []
        return self.through(layer, vectors[i], [self.head(head, read, i) for head in layer["heads"]])

    def through(self, layer: Any, x: list[Any], given: list[list[Any]]) -> list[Any]:
        """A position after a layer, for what the heads give."""
        found: dict[str, Any] = {}
        for name, sources in layer["combine"]:
            terms = [self.times(self.number(c), given[int(rational(h))][int(rational(v))]) for h, v, c in sources]
            found[name] = self.total(terms)
        for units in layer["units"]:
            read = self.normed(x, layer["before"])
            hidden = [self.activation(units["activation"], self.applied(form, read)) for form in units["hidden"]]
            if units["gate"]:
                hidden = [self.times(u, self.applied(form, read)) for u, form in zip(hidden, units["gate"], strict=True)]
            found = {name: self.applied(form, hidden) for name, form in units["into"]}
            for factor in units["factor"]:
                found = {name: self.times(value, self.number(factor)) for name, value in found.items()}
        return self.normed(self.set(x, found, layer["residual"]), layer["after"])

    def normed(self, x: list[Any], norms: list[Any]) -> list[Any]:
        """A vector after its norm, if there is one: (x - mean)/sqrt(variance + eps), or x/sqrt(mean square + eps), times gain, plus shift;
        coordinates that it leaves out become 0."""
        for norm in norms:
            gain, shift = ({name: self.number(c) for name, c in norm[key]} for key in ("gain", "shift"))
            names = [name for name in self.names if name in norm["only"] or not norm["only"]]
            kept = self.rescaled([x[self.names.index(name)] for name in names], norm["kind"] == "layer", norm["eps"])
            found = dict(zip(names, kept, strict=True))
            found |= {name: self.times(value, gain[name]) for name, value in found.items() if name in gain}
            found |= {name: self.machine.add(value, shift[name]) for name, value in found.items() if name in shift}
            x = [found.get(name, Fraction(0)) for name in self.names]
        return x

    def rescaled(self, x: list[Any], centred: bool, eps: Any) -> list[Any]:
        machine = self.machine
        size = machine.round(Fraction(len(x)))
        if centred:
            mean = machine.divide(self.total(x), size)
            x = [machine.add(value, negate(mean)) for value in x]
        inside = machine.add(machine.divide(self.total([self.times(value, value) for value in x]), size), self.number(eps))
        inverse = self.knobs["root"] == "multiply"
        root = self.root(inside, inverse)
        return [self.times(value, root) if inverse else machine.divide(value, root) for value in x]

    def root(self, x: Any, inverse: bool) -> Any:
        if not isinstance(self.machine, Reals):
            return round_root(self.machine, x, inverse)
        if isinstance(x, Special) or (not isinstance(x, Real) and isqrt(x.numerator * x.denominator) ** 2 == x.numerator * x.denominator):
            return NAN if x is NAN else Fraction(isqrt(x.numerator * x.denominator), x.denominator)
        return Real(Real.around(x).sqrt())

    def set(self, x: list[Any], given: Mapping[str, Any], residual: bool) -> list[Any]:
        if not residual:
            return [given.get(name, Fraction(0)) for name in self.names]
        return [self.machine.add(value, given[name]) if name in given else value for name, value in zip(self.names, x, strict=True)]

    def activation(self, kind: str, x: Any) -> Any:
        one = self.machine.round(Fraction(1))
        if x is NAN or kind == "identity":
            return x
        if kind == "step":
            return one if sign(x) > 0 else Fraction(0)
        if kind == "silu":
            return self.machine.divide(x, self.machine.add(one, self.power(negate(x), "e")))
        if isinstance(x, Real):
            ball = x.ball.max(Real.around(Fraction(0)))
            return Real(ball.min(Real.around(one)) if kind == "clipped-relu" else ball)
        x = Fraction(0) if sign(x) < 0 else x
        return one if kind == "clipped-relu" and less(one, x) else x

    def head(self, head: Any, vectors: list[list[Any]], i: int) -> list[Number]:
        """What a head gives at a position."""
        seen, scores = self.scored(head, vectors, i)
        weights, divisor = self.weights(head, scores)
        taking = [(w, vectors[j]) for w, j in zip(weights, seen, strict=True) if w is not None]
        columns = sorted({int(rational(k)) for terms, _ in head["value"] for k, _ in terms})
        how, found = self.knobs["attention"], list[Any]()
        if how == "inputs":
            sums = {c: self.total([(self.times(w, x[c])) for w, x in taking]) for c in columns}
            found = [self.total([self.times(self.number(c), sums[int(rational(k))]) for k, c in terms]) for terms, _ in head["value"]]
        for form in head["value"] if how != "inputs" else ():
            parts = []
            for w, x in taking:
                if how == "values":
                    parts.append(self.times(w, self.applied(form, x)))
                else:
                    products = [((self.times(w, x[int(rational(k))])), self.number(c)) for k, c in form[0]]
                    parts.append(self.total([self.times(y, c) for y, c in products]))
            found.append(self.total(parts))
        return found if divisor is None else [self.machine.divide(x, divisor) for x in found]

    def total(self, parts: list[Any]) -> Any:
        total: Any = Fraction(0)
        for k, part in enumerate(parts):
            total = part if k == 0 else self.machine.add(total, part)
        return total

    def turned(self, head: Any, maps: list[Any], x: list[Any], place: int) -> list[Any]:
        """The query or key of a token: normed, then each two entries turned by its position."""
        entries = [self.applied(form, x) for form in maps]
        for eps in head["normed"]:
            entries = self.rescaled(entries, False, eps)
        for k, by_place in enumerate(head["turns"]):
            (cosine, sine), (a, b) = self.vector(by_place[place]), entries[2 * k : 2 * k + 2]
            entries[2 * k] = self.machine.add(self.times(a, cosine), negate(self.times(b, sine)))
            entries[2 * k + 1] = self.machine.add(self.times(a, sine), self.times(b, cosine))
        return entries

    def scored(self, head: Any, vectors: list[list[Any]], i: int) -> tuple[list[int], list[Any]]:
        """The tokens that a position sees, and their scores."""
        seen = [j for j in range(len(vectors)) if vectors[j] and (not head["seen"] or head["seen"][i][j] == "1")]
        query = self.turned(head, head["query"], vectors[i], i)
        scores = [self.score(head, query, vectors[j], j) for j in seen]
        if head["bias"]:
            scores = [self.machine.add(score, self.number(head["bias"][i][j])) for score, j in zip(scores, seen, strict=True)]
        return seen, scores

    def score(self, head: Any, query: list[Any], x: list[Any], place: int) -> Any:
        key = self.turned(head, head["key"], x, place)
        found: Any = Fraction(0)
        for k, pair in enumerate(zip(query, key, strict=True)):
            found = self.times(*pair) if k == 0 else self.machine.add(found, self.times(*pair))
        for scale in head["scale"] if query else ():
            found = self.times(found, self.number(scale))
        return negate(found) if head["score"] == "minus-absolute" and found is not NAN and sign(found) > 0 else found

    def weights(self, head: Any, scores: list[Any]) -> tuple[list[Any], Number | None]:
        kind, machine = head["kind"], self.machine
        if kind == "linear" or not scores:
            return scores, None
        if kind == "softmax":
            everything = scores
            if self.knobs["maximum"] == "subtracted" and not isinstance(machine, Reals):  # there it changes nothing
                top = everything[0]
                for s in everything:
                    top = NAN if NAN in (s, top) else s if less(top, s) else top
                everything = [machine.add(s, negate(top)) for s in everything]
            exponentials = [self.power(s, head["base"]) for s in everything]
            total = self.total(exponentials)
            return (exponentials, total) if self.knobs["division"] == "output" else ([machine.divide(w, total) for w in exponentials], None)
        if NAN in scores:
            return [NAN] * len(scores), None
        best = [j for j, s in enumerate(scores) if not any(less(s, other) for other in scores)]
        one, chosen = machine.round(Fraction(1)), best if kind == "average-hard" else [best[0 if kind == "leftmost" else -1]]
        size = machine.round(Fraction(len(chosen)))
        weight = one if self.knobs["division"] == "output" else machine.divide(one, size)
        found = [weight if j in chosen else None for j in range(len(scores))]
        return found, size if self.knobs["division"] == "output" and kind == "average-hard" else None

    def power(self, score: Any, base: str) -> Any:
        if isinstance(self.machine, Reals) and score is not NAN:
            if base != "e":
                raise Beyond
            return Fraction(1) if not isinstance(score, Real) and score == 0 else Real(Real.around(score).exp())
        key = (score, base)
        if key not in self.known:
            x = score
            if isinstance(x, Special):
                self.known[key] = x if x is NAN else self.machine.round(INF) if x is INF else Fraction(0)
            else:
                self.known[key] = round_exp(self.machine, x) if base == "e" else round_power_of_two(self.machine, x)
        return self.known[key]

    def answer(self, output: Any, x: list[Any]) -> str:
        if output["kind"] != "accept":
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
            return self.spelled(strings[parts[0]][int(rational(parts[1])) - 1 : int(rational(parts[-1]))])
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
        (layer, *behind), output, (y, z) = self.network["layers"], self.network["output"], self.lengths
        if len(layer["heads"]) != 1 or any(each["heads"] for each in behind):
            raise Beyond
        (head,), at, zeros = layer["heads"], int(rational(output["at"])), {name: (0,) * n for name, n in self.lengths.items()}
        terms = [(int(rational(k)), self.number(c)) for k, c in head["value"][0][0]]
        weights, options = set[Any](), set[tuple[int, int, tuple[Any, ...]]]()
        for place in range(self.lengths[y]):
            added = {}
            for bits in product((0, 1), repeat=2):
                held = zip((y, z), bits, strict=True)
                sums, own = self.weighed(layer, {name: (*zeros[name][:place], bit, *zeros[name][place + 1 :]) for name, bit in held}, at)
                weights |= set(own)
                added[bits] = [self.times(c, sums[k]) for k, c in terms]
            columns = [k for k in range(len(terms)) if len({parts[k] for parts in added.values()}) > 1]
            columns = columns or [k for k in range(len(terms)) if any(parts[k] != 0 for parts in added.values())]
            options |= {(*bits, tuple(parts[k] for k in columns)) for bits, parts in added.items()}
        bottoms = [None] if head["kind"] == "linear" else self.sums_of(weights, len(self.network["tokens"]), 3)
        start = self.vector(self.network["tokens"][at][1][0])
        for length in range(1, 5 if len(options) <= 4 else 4):
            for pairs in product(options, repeat=length):
                top: Any = Fraction(0)
                for part in (part for _, _, parts in pairs for part in parts):
                    top = self.machine.add(top, part)
                expected = "yes" if all(a == b for a, b, _ in pairs) else "no"
                sign = next((a - b for a, b, _ in pairs if a != b), 0)
                if sign > 0 and output["promise"] != "true":
                    continue  # of the promise it is known that it says y <= z
                for bottom in bottoms:
                    x = self.through(layer, start, [[top if bottom is None else self.machine.divide(top, bottom)]])
                    for each in behind:
                        x = self.through(each, x, [])
                    if self.answer(output, x) != expected:
                        return False
        return True

    def weighed(self, layer: Any, strings: Symbols, at: int) -> tuple[dict[int, Any], list[Any]]:
        """The sum of each column, and the weights of all tokens."""
        (head,), vectors = layer["heads"], [self.normed(x, layer["before"]) for x in self.vectors(strings)]
        _, scores = self.scored(head, vectors, at)
        weights = self.weights(head, scores)[0] if head["kind"] == "linear" else [self.power(s, head["base"]) for s in scores]
        columns = {int(rational(k)) for k, _ in head["value"][0][0]}
        return {c: self.total([(self.times(w, x[c])) for w, x in zip(weights, vectors, strict=True)]) for c in columns}, weights

    def sums_of(self, weights: set[Any], count: int, more: int) -> list[Any]:
        """What so many weights, or up to ``more`` more, may add up to."""
        now, found = set(weights), set[Any]()
        for k in range(1, count + more + 1):
            found |= now if k >= count else set()
            now = {self.machine.add(total, w) for total in now for w in weights}
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

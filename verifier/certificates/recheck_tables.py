"""A table of any function: its strings and its condition of acceptance, run on every input at once."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from .recheck_arithmetic import FloatingPoint, Machine, read_semantics, words
from .recheck_columns import COMPARED, Column, Inputs, of_token, summed
from .recheck_construction import MOST_BITS, Bit, Transformer, read_digits
from .recheck_reading import At, Limits, Rejected, Value, demand


class Table(Transformer):
    """A table of any function: linear attention, floating point, several columns of W^V, strings of any names, answers of any condition."""

    def __init__(self, semantics: At, construction: At, limits: Limits) -> None:
        self.limits = limits
        given = construction.record("id", "precision", "attention", "problem", "accept", "tokens", "query", "key", "value", "mlp")
        given["id"].text()
        problem = given["problem"].record("function", "promise", "strings")
        self.inputs, self.function, self.promise = Inputs(problem["strings"], limits), problem["function"], problem["promise"]
        self.knobs, scale, self.label = read_semantics(semantics)
        self.lacking, self.linear = False, given["attention"].one_of("softmax", "linear") == "linear"
        self.machine, self.format = self.read_precision(given["precision"], scale)
        self.words = words(self.machine.unit)
        query = self.matrix(given["query"])
        d, width = len(query), len(query[0])
        self.key, self.value = self.matrix(given["key"], (d, width)), self.matrix(given["value"], (d, None), scores=False)
        self.outputs = len(self.value[0])
        every = range(d) if self.knobs["columns"] == "all" else None
        self.used = [list(every or (c for c in range(d) if self.value[c][k] != 0)) for k in range(self.outputs)]
        self.columns = sorted({c for used in self.used for c in used})
        self.sums = len(self.columns) if self.knobs["order"] == "ax" else self.outputs
        self.tokens = self.read_tokens(given["tokens"], d)
        limits.spend(8 * sum(len(vectors) for _, vectors in self.tokens) * (d + 2) * (width + self.outputs) * self.cost)
        self.query = self.project(self.tokens[-1][1][0], query)
        self.weights: dict[Value, int] = {}
        self.addends = [[self.terms(v) for v in vectors] for _, vectors in self.tokens]
        mlp = given["mlp"].record("hidden", "output")
        self.hidden = [self.node(n, self.outputs) for n in mlp["hidden"].items()]
        self.output = self.node(mlp["output"], len(self.hidden))
        said = given["accept"].record("yes", "no", "rectified")
        names = {"inf": Fraction(1 << 4096), "-inf": Fraction(-1 << 4096)}  # beyond every number of a certificate
        self.yes, self.no, self.rectified = accepted(said["yes"], names), accepted(said["no"], names), said["rectified"].flag()

    def read_precision(self, given: At, scale: Fraction) -> tuple[Machine, str]:
        names = given.names()
        if "bits" in names:
            bits = given.record("bits")["bits"].integer(1, MOST_BITS)
            return Machine(bits, self.knobs, scale, self.limits), f"{bits} bits"
        t, e = read_digits(given)
        if self.knobs["point"] != "free":
            given.refuse("a free point, as a grid is of fixed point,")
        return FloatingPoint(t, e, self.knobs, self.limits), f"floating point of t = {t}, e = {e} digits"

    def bit(self, given: At) -> Bit:
        match = re.fullmatch(r"([A-Za-z][A-Za-z0-9_]*)\[([1-9][0-9]{0,3})\]", given.text())
        if not match or int(match[2]) > self.inputs.lengths.get(match[1], 0):
            given.refuse("a bit of one of the strings")
        return match[1], int(match[2])

    def terms(self, vector: list[Value]) -> list[int]:
        """What a token adds: to each sum of the numerators, and last to the denominator."""
        weight, order, m = self.weight(vector), self.knobs["order"], self.machine
        factor, found = m.value(weight), list[int]()
        if order == "ax":
            return [*(m.times(factor, vector[c]) for c in self.columns), weight]
        for k, used in enumerate(self.used):
            if order == "products":
                found.append(m.sum(m.times(m.value(m.times(factor, vector[c])), self.value[c][k]) for c in used))
            else:
                found.append(m.times(factor, m.value(m.sum(m.times(self.value[c][k], vector[c]) for c in used))))
        return [*found, weight]

    def node_value(self, node: tuple[list[Value], Value], inputs: list[int]) -> int:
        """The output node may be left as it is."""
        if node is not self.output or self.rectified:
            return super().node_value(node, inputs)
        m, (weights, bias) = self.machine, node
        return self.biased(m.sum(m.times(w, m.value(x)) for w, x in zip(weights, inputs, strict=True)), bias)

    def answered(self, output: int) -> int | None:
        """1 for yes, 0 for no and NaN, None for neither."""
        value = self.machine.value(output)
        return 0 if value == "nan" or (not self.yes(value) and self.no(value)) else 1 if self.yes(value) else None

    def on_every_input(self) -> Column:
        """The output node on every input."""
        m, inputs = self.machine, self.inputs
        places = [[inputs.bit(*bit) for bit in reads] for reads, _ in self.tokens]
        self.limits.spend(
            4 * sum(len(terms) * (1 + len(reads)) ** 2 for reads, terms in zip(places, self.addends, strict=True)) * (self.sums + 1)
        )
        found = [
            summed(inputs, m, (of_token(reads, terms, k) for reads, terms in zip(places, self.addends, strict=True)))
            for k in range(self.sums + 1)
        ]
        numerators = found[:-1]
        if self.knobs["order"] == "ax":
            numerators = [
                summed(inputs, m, (self.weighted_column(found[self.columns.index(c)], self.value[c][k]) for c in used))
                for k, used in enumerate(self.used)
            ]
        attentions = numerators if self.linear else [inputs.both(m.divide, each, found[-1], 2) for each in numerators]
        if self.outputs == 1 and 4 * len(set(attentions[0][1])) <= len(attentions[0][1]):  # few values: the MLP once for each
            return inputs.each(lambda attention: self.mlp(attention)[1], attentions[0])
        hidden = [self.on_node(node, attentions, True) for node in self.hidden]
        return self.on_node(self.output, hidden, self.rectified)

    def weighted_column(self, column: Column, weight: Value) -> Column:
        return self.inputs.each(lambda x: self.machine.times(self.machine.value(x), weight), column, 4 * self.cost)

    def on_node(self, node: tuple[list[Value], Value], inputs: list[Column], rectified: bool) -> Column:
        """A node of the MLP on every input."""
        weights, bias = node
        total = summed(self.inputs, self.machine, (self.weighted_column(x, w) for w, x in zip(weights, inputs, strict=True)))
        return self.inputs.each(lambda x: max(0, self.biased(x, bias)) if rectified else self.biased(x, bias), total, 4 * self.cost)

    @property
    def what(self) -> str:
        kind = "linear" if self.linear else "softmax"
        strings = ", ".join(f"{name} of {length} bits" for name, length in self.inputs.lengths.items())
        return f"the function of {strings}, {kind} attention in {self.format}, semantics {self.label}"


def accepted(given: At, names: Mapping[str, Any]) -> Callable[[Any], bool]:
    """A condition on the output node: comparisons of "out" with numbers, joined by and, or, not."""
    if not isinstance(given.data, list):
        known = given.one_of("true", "false") == "true"
        return lambda out: known
    word, *parts = given.items() or [given]
    named = word.text()
    if named in COMPARED and len(parts) == 2:
        left, right = (None if part.data == "out" else part.number() for part in parts)
        compare = COMPARED[named]
        return lambda out: compare(names.get(out, out) if left is None else left, names.get(out, out) if right is None else right)
    if named == "not" and len(parts) == 1:
        inner = accepted(parts[0], names)
        return lambda out: not inner(out)
    if named in ("and", "or") and parts:
        inners, gather = [accepted(part, names) for part in parts], all if named == "and" else any
        return lambda out: gather(inner(out) for inner in inners)
    return word.refuse("a condition on out")


def check_enumerated(facts: Mapping[str, At], t: Table) -> str:
    """Every promised input: the outcomes are those listed, and each is answered with the function's value."""
    inputs = t.inputs
    output = t.on_every_input()
    promised, value = inputs.condition(t.promise), inputs.condition(t.function)
    every = tuple(range(inputs.bits))
    counts: dict[tuple[int, bool], int] = {}
    inputs.limits.spend(1 << inputs.bits)
    for asked, right, out in zip(*(inputs.spread(column, every) for column in (promised, value, output)), strict=True):
        if asked:
            counts[out, right] = counts.get((out, right), 0) + 1
    demand(counts, "no input keeps the promise")
    cases, yes = sum(counts.values()), sum(count for (_, right), count in counts.items() if right)
    demand(facts["cases"].integer() == cases, f"cases: {cases} inputs keep the promise")
    demand(facts["yes"].integer() == yes, f"yes: on {yes} of them the function is 1")
    said = [x.text() for x in facts["assumptions"].items()]
    demand(said == t.assumptions, f"assumptions: {', '.join(t.assumptions) or 'none'} were expected")
    listed = set()
    for each in facts["outcomes"].items():
        out, right, count = each.items(3)
        key = t.machine.state(out.value()), right.one_of("0", "1") == "1"
        demand(t.machine.value(key[0]) == out.value(), f"{out.place}: {out.data} is not representable in the format")
        demand(key not in listed, f"{each.place}: an outcome is listed twice")
        demand(counts.get(key, 0) == count.integer(1), f"{each.place}: {counts.get(key, 0)} inputs have this outcome")
        listed.add(key)
    for key in counts:
        demand(key in listed, f"outcomes: {t.machine.value(key[0])} where {int(key[1])} is right is missing")
        if t.answered(key[0]) != int(key[1]):
            raise Rejected(f"outcomes: an output node of {t.machine.value(key[0])} is not answered with {int(key[1])}")
    return f"enumerated: {t.what}: right on all {cases} promised inputs{t.assuming}"

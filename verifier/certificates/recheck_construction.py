"""A construction under its semantics, read and prepared: what each token adds to the running sums, and what the MLP answers."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce

from .recheck_arithmetic import LARGE, ZERO, FloatingPoint, Machine, exact_product, multiple_of_ln2, read_semantics, words
from .recheck_reading import At, Limits, Unknown, Value
from .recheck_rounding import NAN

Bit = tuple[str, int]  # string, position
FORMS = {False: ("bits",), True: ("precision", "attention")}  # of a construction: fixed point with softmax, and floats
READS = re.compile(r"([yz])\[([1-9][0-9]{0,3})\]")
MOST_BITS, MOST_READS, LONGEST = 64, 16, 3000


def read_digits(given: At) -> tuple[int, int]:
    """The digits of a float's mantissa and exponent."""
    parts = given.record("t", "e")
    return parts["t"].integer(1, 60), parts["e"].integer(1, 7)


class Transformer:
    """The construction under its semantics (Section A.4): what each token adds to each running sum, and what the MLP answers.

    every_length: whether the fact is about all pairs of strings; such a construction may also have floats and linear attention.
    """

    linear = False
    ln2 = False

    def __init__(self, semantics: At, construction: At, limits: Limits, every_length: bool = False) -> None:
        self.limits = limits
        self.linear = every_length and "precision" in construction.names()
        given = construction.record("id", *FORMS[self.linear], "problem", "tokens", "query", "key", "value", "mlp")
        given["id"].text()
        self.length = read_problem(given["problem"], every_length)
        self.knobs, scale, self.label = read_semantics(semantics)
        self.machine, self.size, self.lacking = *self.read_machine(semantics, given, scale), False
        self.words = words(self.machine.unit)  # of the longest number, which says what an operation costs
        query = self.matrix(given["query"])
        d, width = len(query), len(query[0])
        self.key, value = self.matrix(given["key"], (d, width)), self.matrix(given["value"], (d, 1), scores=False)
        self.value_weights = [row[0] for row in value]
        used = [c for c, w in enumerate(self.value_weights) if w != 0]
        self.columns = list(range(d)) if self.knobs["columns"] == "all" else used
        self.sums = len(self.columns) if self.knobs["order"] == "ax" else 1
        self.tokens = self.read_tokens(given["tokens"], d)
        limits.spend(8 * sum(len(vectors) for _, vectors in self.tokens) * (d + 2) * (width + 1) * self.cost)
        self.query = self.project(self.tokens[-1][1][0], query)
        self.weights: dict[Value, int] = {}
        self.addends = [[self.terms(v) for v in vectors] for _, vectors in self.tokens]
        mlp = given["mlp"].record("hidden", "output")
        self.hidden = [self.node(n, 1) for n in mlp["hidden"].items()]
        self.output = self.node(mlp["output"], len(self.hidden))
        self.answers: dict[int, int | None] = {}

    def read_machine(self, semantics: At, given: Mapping[str, At], scale: Fraction) -> tuple[Machine, str]:
        """The machine, and its precision in words. With floating point attention is linear: the weight is <Q,K>, and nothing is divided."""
        if not self.linear:
            self.bits = given["bits"].integer(1, MOST_BITS)
            return Machine(self.bits, self.knobs, scale, self.limits), f"{self.bits} bits"
        given["attention"].one_of("linear")
        if self.knobs["point"] != "free":
            semantics.refuse("a free point, as a grid is of fixed point,")
        t, e = read_digits(given["precision"])
        self.bits = t + e
        return FloatingPoint(t, e, self.knobs, self.limits), f"floats of precision ({t}, {e}), {t + e} bits"

    @property
    def cost(self) -> int:
        """Steps of one operation: more for numbers of more than some 200 bits."""
        return 1 + self.words // 4

    def entry(self, x: Fraction) -> Value:
        """An entry as the semantics takes it: as it is, or rounded into the format."""
        self.words = max(self.words, words(x))
        self.limits.spend(4 * self.cost)
        self.lacking = self.lacking or not self.machine.holds(x)
        return self.machine.value(self.machine.state(x)) if self.knobs["entries"] == "rounded" else x

    def matrix(self, given: At, shape: tuple[int, int | None] | None = None, scores: bool = True) -> list[list[Value]]:
        """Its rows, one for each dimension of the embedding. One matrix of the scores, W^Q or W^K, may have the factor ln 2."""
        parts = given.record("rows", "ln2")
        d, width = shape or (None, None)
        ln2 = parts["ln2"].flag()
        if ln2 and (self.ln2 or not scores):
            parts["ln2"].refuse("false, as one of W^Q and W^K at most has the factor ln 2,")
        self.ln2 = self.ln2 or ln2
        exact = [[x.number() for x in row.items(width)] for row in parts["rows"].items(d)]
        if len({len(row) for row in exact}) != 1 or not exact[0]:
            given.refuse("a matrix with rows of one length")
        rows = [[self.entry(x) for x in row] for row in exact]
        if ln2 and self.knobs["ln2"] == "rounded":  # the product with ln 2 is rounded, once
            real, value = self.machine.real, self.machine.value
            rows = [[value(real(partial(multiple_of_ln2, x))) if x else x for x in row] for row in exact]
        return rows

    def read_tokens(self, given: At, d: int) -> list[tuple[list[Bit], list[list[Value]]]]:
        """What each token reads, and its vector for every content. The last one asks, and is a constant."""
        tokens: list[tuple[list[Bit], list[list[Value]]]] = []
        indices: list[int] = []
        for each in given.items():
            parts = each.record("index", "step", "reads", "vectors")
            parts["step"].integer()
            indices.append(parts["index"].integer())
            if indices[-1] != indices[0] + len(tokens):
                parts["index"].refuse(f"index {indices[0] + len(tokens)}")
            reads = [self.bit(text) for text in parts["reads"].items()]
            if len(reads) > MOST_READS:
                parts["reads"].refuse(f"a list of at most {MOST_READS} bits")
            vectors = [[self.vector_entry(x) for x in vector.items(d)] for vector in parts["vectors"].items(1 << len(reads))]
            tokens.append((reads, vectors))
        if not tokens or tokens[-1][0]:
            given.refuse("a list whose last token asks and reads nothing")
        return tokens

    def bit(self, given: At) -> Bit:
        match = READS.fullmatch(given.text())
        if not match or int(match[2]) > self.length:
            given.refuse(f"y[k] or z[k] with k up to {self.length}")
        return match[1], int(match[2])

    def vector_entry(self, given: At) -> Value:
        return str(given.data) if given.data in LARGE else self.entry(given.number())

    def node(self, given: At, inputs: int) -> tuple[list[Value], Value]:
        parts = given.record("weights", "bias")
        return [self.entry(w.number()) for w in parts["weights"].items(inputs)], self.entry(parts["bias"].number())

    def project(self, vector: list[Value], weights: list[list[Value]]) -> list[Value]:
        """vector times weights, left to right."""
        columns = ([self.product(x, row[j]) for x, row in zip(vector, weights, strict=True)] for j in range(len(weights[0])))
        zero: Value = ZERO
        return [reduce(self.plus, column, zero) for column in columns]

    def product(self, x: Value, y: Value) -> Value:
        """Rounded x * y, where N stays N."""
        exact = exact_product(x, y)
        return exact if exact in LARGE else self.machine.value(self.machine.state(exact))

    def plus(self, x: Value, y: Value) -> Value:
        """Rounded x + y. What is finite is lost beside N; how N and another N, an infinity or NaN compare is not known."""
        if x in LARGE or y in LARGE:
            if x != y and not (isinstance(x, Fraction) or isinstance(y, Fraction)):
                raise Unknown(f"construction: {x} + {y} in a projection; N combines with nothing")
            return x if x in LARGE else y
        return self.machine.value(self.machine.add(self.machine.state(x), self.machine.state(y)))

    def weight(self, vector: list[Value]) -> int:
        """e^<Q,K>, rounded: the attention weight; e^-N is 0. Of linear attention <Q,K> itself."""
        key = self.project(vector, self.key)
        if any(x in LARGE for x in (*key, *self.query)):
            if len(key) != 1 or (key[0] in LARGE and self.query[0] in LARGE):
                raise Unknown("construction: N meets other terms in <Q, K>; N combines with nothing")
            score = exact_product(self.query[0], key[0])
        else:
            score = self.machine.value(self.machine.sum(self.machine.times(q, k) for q, k in zip(self.query, key, strict=True)))
        if isinstance(score, str):
            return self.machine.state(score) if self.linear else self.endless_weight(score)
        if score not in self.weights:
            self.limits.spend(64)
            self.weights[score] = self.weight_of(score)
        return self.weights[score]

    def endless_weight(self, score: str) -> int:
        """e to what is beyond every number."""
        return NAN if score == "nan" else 0 if score.startswith("-") else self.machine.infinite(False)

    def weight_of(self, score: Fraction) -> int:
        """e^score, rounded; of linear attention the score itself, rounded: in units of an exact ln 2 it is multiplied out."""
        if not self.linear:
            return self.machine.exp(score, self.ideal_ln2)
        if self.ideal_ln2 and score:
            return self.machine.real(partial(multiple_of_ln2, score))
        return self.machine.state(score)

    def terms(self, vector: list[Value]) -> list[int]:
        """What a token adds: to each sum of the numerator, and last to the denominator."""
        weight, order, m = self.weight(vector), self.knobs["order"], self.machine
        factor = m.value(weight)
        if order == "ax":
            return [*(m.times(factor, vector[c]) for c in self.columns), weight]
        if order == "products":
            parts = ((m.value(m.times(factor, vector[c])), self.value_weights[c]) for c in self.columns)
            return [m.sum(m.times(x, w) for x, w in parts), weight]
        return [m.times(factor, m.value(m.sum(m.times(self.value_weights[c], vector[c]) for c in self.columns))), weight]

    def weighted(self, k: int, state: int) -> int:
        """What the k-th sum contributes to the numerator."""
        if self.knobs["order"] != "ax":
            return state
        return self.machine.times(self.machine.value(state), self.value_weights[self.columns[k]])

    def numerator(self, parts: Sequence[int]) -> int:
        """The contributions added left to right; where the products were summed there is one."""
        return self.machine.sum(parts) if self.knobs["order"] == "ax" else parts[0]

    def node_value(self, node: tuple[list[Value], Value], inputs: list[int]) -> int:
        """max{0, sum of w x, + b}; NaN stays NaN."""
        m, (weights, bias) = self.machine, node
        total = m.sum(m.times(w, m.value(x)) for w, x in zip(weights, inputs, strict=True))
        return max(0, self.biased(total, bias))

    def biased(self, total: int, bias: Value) -> int:
        """Rounded total + bias, which need not be of the format."""
        known = self.machine.value(total)
        if isinstance(bias, str):
            return self.machine.add(total, self.machine.state(bias))
        return self.machine.state(known + bias) if isinstance(known, Fraction) else total

    def mlp(self, attention: int) -> tuple[list[int], int]:
        """The hidden nodes and the output."""
        self.limits.spend((32 * len(self.hidden) + 32) * self.cost)
        hidden = [self.node_value(n, [attention]) for n in self.hidden]
        return hidden, self.node_value(self.output, hidden)

    def answer(self, attention: int) -> int | None:
        """1 or 0; None for an output that is neither. NaN is rejected, which is to say answered with 0."""
        if attention not in self.answers:
            output = self.machine.value(self.mlp(attention)[1])
            self.answers[attention] = 0 if output in (ZERO, "nan") else 1 if output == 1 else None
        return self.answers[attention]

    @property
    def assumptions(self) -> list[str]:
        return ["exact-entries"] if self.lacking and self.knobs["entries"] == "exact" else []

    @property
    def assuming(self) -> str:
        return f", assuming {', '.join(self.assumptions)}" if self.assumptions else ""

    @property
    def ideal_ln2(self) -> bool:
        """Whether scores are in units of an exact ln 2."""
        return self.ln2 and self.knobs["ln2"] == "ideal"

    @property
    def what(self) -> str:
        return f"EQ of two strings of {self.length} bits under y <= z, in {self.bits} bits, semantics {self.label}"


def read_problem(given: At, any_promise: bool = False) -> int:
    """The length of the strings; EQ under y <= z is the only problem known, but for facts about all pairs of strings."""
    parts = given.record("function", "promise", "length")
    parts["function"].one_of("EQ")
    if any_promise:
        parts["promise"].text()
    else:
        parts["promise"].one_of("y <= z")
    return parts["length"].integer(1, LONGEST)

"""Recheck a Bitreferee certificate. Four files, standard library only, their own arithmetic. Read them, then run

    python recheck.py FILE [--claim DIGEST] [--bytes N] [--entries N] [--work N] [--states N]

exit 0: accepted · 1: rejected, with the reason · 2: not a certificate that this program reads, or its answer cannot be written ·
3: larger than the limits, which the options raise, or accepted but of another statement than --claim asks for.

A certificate is JSON (or gzipped JSON) with exactly these keys. format, kind, claim, edition, parameters; semantics, every knob of the
arithmetic; construction, expanded: what each token reads and its vector for every content, W^Q, W^K, W^V, MLP; digest, the SHA-256 of all
that, which binds the facts below to their statement; and then
  refuted       input (y, z) and trace: after each token its weight, products and running sums; at the end the output and the answer
  verified      cases, assumptions, blocks. A block has positions of the strings, the sums that read no others, and stages: some positions
                of z become known, and the states reached are listed, by pairs with y < z so far (less) and by all pairs (every), as
                runs [start, step, count] in units of the format, none twice. Two blocks are a prefix and a suffix of the positions
  every-length  assumptions, states and denominators: what the numerator can be, with whether y and z are equal so far, after any number of
                positions that add as those of the construction, and what the denominator can be after its tokens or more of the same
  fooling-set   problem (in place of semantics and construction), rule, size, pairs and bits
  one-sum       semantics, problem and sums (bits and coupling, in place of a construction) and barriers: for two maps, each by a product
                and a weight that it adds, the states without which their images fall into parts that are too small; and longer: for other
                two maps covers, each a weight for every state (a text, one of 0-9a-z a state) under which sets of states that the bits
                before make have at least so much (least), and longer in turn: the same for two maps of the token before
  enumerated    a table of any function: cases and yes, how many inputs keep the promise and on how many of them the function is 1,
                assumptions, and outcomes: the values of the output node where 0 is right and where 1 is, each with the number of inputs
  counterexample  a table of any function: input and trace, as for refuted, with a numerator and an attention for each column of W^V
Numbers are exact, in any spelling (3, "3", "6/2", "3.0") of up to 300 digits; infinities and NaN are spelt inf, -inf, nan.

What is accepted is a fact about the construction in the file. Its parameters p, n, m are compared with bits, tokens and length. The claim's
name is its author's word, which this program cannot check: it prints the digest of the statement and no name, and --claim asks for a digest
that you trust. `verify recheck` compares the construction with its catalogue. docs/certificate-format.md specifies the format.

The three files beside this one, of which it takes nothing but names listed below: recheck_arithmetic.py reads the pieces of a certificate
and has the arithmetic, recheck_one_sum.py checks one-sum, recheck_tables.py has formulas, floating point and enumeration. Copy all four,
wherever you like.
"""

import argparse
import os
import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import product, repeat
from operator import or_
from types import ModuleType
from typing import Any, NamedTuple, TextIO

if not __package__:  # run as a file: the other two are those beside it, whatever Python's path is
    folder = os.path.dirname(os.path.realpath(__file__))
    for name in ("recheck_arithmetic.py", "recheck_one_sum.py", "recheck_tables.py"):
        if not os.path.isfile(os.path.join(folder, name)):
            print(f"recheck.py needs {name} beside it")
            sys.exit(70)
    __package__ = "recheck_alone"
    sys.modules[__package__] = alone = ModuleType(__package__)
    alone.__path__ = [folder]

from .recheck_arithmetic import (
    INF,
    LARGE,
    LIMITS,
    NAMES,
    NAN,
    WORDS,
    ZERO,
    At,
    Limits,
    Machine,
    Rejected,
    TooMuch,
    Unknown,
    Value,
    demand,
    digest,
    exact_product,
    multiple_of_ln2,
    read,
    read_problem,
    read_semantics,
    shown,
    words,
)
from .recheck_one_sum import COUPLINGS, RunningSums, check_one_sum
from .recheck_tables import Column, Floats, Inputs, accepted, check_enumerated, of_token, summed

Bit = tuple[str, int]  # string, position
Check = Callable[[Any, Limits], str]  # what a certificate proves
Row = tuple[int, ...]  # a state for each sum of a block, and last the bits of y that are still needed
VERSION = "bitreferee/certificate/1"
EDITIONS = ("statement", "printed", "repaired")
FORMS = {False: ("bits",), True: ("precision", "attention")}  # of a construction: fixed point with softmax, and floats
READS = re.compile(r"([yz])\[([1-9][0-9]{0,3})\]")
MOST_BITS, WIDEST_STAGE, MOST_READS = 64, 8, 16


def read_digits(given: At) -> tuple[int, int]:
    """The digits of a float's mantissa and exponent."""
    parts = given.record("t", "e")
    return parts["t"].integer(1, 60), parts["e"].integer(1, 7)


class Transformer:
    """The construction under its semantics (Section A.4): what each token adds to each running sum, and what the MLP answers.

    every_length: whether the fact is about all pairs of strings; such a construction may also have floats and linear attention.
    """

    floating = False

    def __init__(self, semantics: At, construction: At, limits: Limits, every_length: bool = False) -> None:
        self.limits = limits
        self.floating = every_length and "precision" in construction.names()
        given = construction.record("id", *FORMS[self.floating], "problem", "tokens", "query", "key", "value", "mlp")
        given["id"].text()
        self.length = read_problem(given["problem"], every_length)
        self.knobs, scale, self.label = read_semantics(semantics)
        self.machine, self.size, self.lacking = *self.read_machine(semantics, given, scale), False
        self.words = words(self.machine.unit)  # of the longest number, which says what an operation costs
        query, self.ln2 = self.matrix(given["query"])
        d, width = len(query), len(query[0])
        (self.key, _), (value, _) = self.matrix(given["key"], (d, width)), self.matrix(given["value"], (d, 1))
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
        """The machine, and its precision in words. Floats come with linear attention: the weight is <Q,K>, and nothing is divided."""
        if not self.floating:
            self.bits = given["bits"].integer(1, MOST_BITS)
            return Machine(self.bits, self.knobs, scale, self.limits), f"{self.bits} bits"
        given["attention"].one_of("linear")
        if self.knobs["point"] != "free":
            semantics.refuse("a free point, as a grid is of fixed point,")
        t, e = read_digits(given["precision"])
        self.bits = t + e
        return Floats(t, e, self.knobs, self.limits), f"floats of precision ({t}, {e}), {t + e} bits"

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

    def matrix(self, given: At, shape: tuple[int, int | None] | None = None) -> tuple[list[list[Value]], bool]:
        """Its rows and whether it has the factor ln 2, which only W^Q may; there is a row for each dimension of the embedding."""
        parts = given.record("rows", "ln2")
        d, width = shape or (None, None)
        ln2 = parts["ln2"].flag()
        if ln2 and shape:
            parts["ln2"].refuse("false, as only W^Q has the factor ln 2,")
        exact = [[x.number() for x in row.items(width)] for row in parts["rows"].items(d)]
        if len({len(row) for row in exact}) != 1 or not exact[0]:
            given.refuse("a matrix with rows of one length")
        rows = [[self.entry(x) for x in row] for row in exact]
        if ln2 and self.knobs["ln2"] == "rounded":  # the product with ln 2 is rounded, once
            real, value = self.machine.real, self.machine.value
            rows = [[value(real(partial(multiple_of_ln2, x))) if x else x for x in row] for row in exact]
        return rows, ln2

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
        if self.floating:
            return self.machine.state(score)
        if isinstance(score, str):
            return self.endless_weight(score)
        if score not in self.weights:
            self.limits.spend(64)
            self.weights[score] = self.weight_of(score)
        return self.weights[score]

    def endless_weight(self, score: str) -> int:
        """e to what is beyond every number."""
        return NAN if score == "nan" else 0 if score.startswith("-") else self.machine.infinite(False)

    def weight_of(self, score: Fraction) -> int:
        """e^score, rounded."""
        return self.machine.exp(score, self.ideal_ln2)

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
        query, self.ln2 = self.matrix(given["query"])
        d, width = len(query), len(query[0])
        (self.key, _), (self.value, _) = self.matrix(given["key"], (d, width)), self.matrix(given["value"], (d, None))
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
        return Floats(t, e, self.knobs, self.limits), f"floating point of t = {t}, e = {e} digits"

    def bit(self, given: At) -> Bit:
        match = re.fullmatch(r"([A-Za-z][A-Za-z0-9_]*)\[([1-9][0-9]{0,3})\]", given.text())
        if not match or int(match[2]) > self.inputs.lengths.get(match[1], 0):
            given.refuse("a bit of one of the strings")
        return match[1], int(match[2])

    def endless_weight(self, score: str) -> int:
        return self.machine.state(score) if self.linear else super().endless_weight(score)

    def weight_of(self, score: Fraction) -> int:
        """Of linear attention the score itself, rounded; in units of an exact ln 2 it is multiplied out."""
        if not self.linear:
            return super().weight_of(score)
        if self.ideal_ln2 and score:
            return self.machine.real(partial(multiple_of_ln2, score))
        return self.machine.state(score)

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


# ---- a construction that is wrong


def check_counterexample(facts: Mapping[str, At], t: Table) -> str:
    """Run a table on the input; every line of the trace must be what comes out, and the answer must be wrong."""
    given = facts["input"].record(*t.inputs.lengths)
    strings = {name: each.text() for name, each in given.items()}
    for name, text in strings.items():
        if len(text) != t.inputs.lengths[name] or set(text) - {"0", "1"}:
            given[name].refuse(f"a string of {t.inputs.lengths[name]} bits")
    demand(t.inputs.one(t.inputs.condition(t.promise), strings), "the input breaks the promise")
    expected = int(t.inputs.one(t.inputs.condition(t.function), strings))
    found = run_table(t, strings)
    agree(facts["trace"], found)
    demand(found["answer"] != str(expected), f"the table answers {found['answer']} on this input, and that is right: nothing is refuted")
    at = ", ".join(f"{name} = {text}" for name, text in strings.items())
    return f"counterexample: {t.what}: at {at} it answers {found['answer']}, {expected} is right{t.assuming}"


def run_table(t: Table, strings: Mapping[str, str]) -> dict[str, Any]:
    """Everything that happens on one input; the denominator of linear attention is 1."""
    m, value = t.machine, t.machine.value
    sums, steps = [0] * (t.sums + 1), []
    for (reads, _), terms in zip(t.tokens, t.addends, strict=True):
        content = "".join(strings[s][k - 1] for s, k in reads)
        added = terms[int(content or "0", 2)]
        sums = [m.add(s, x) for s, x in zip(sums, added, strict=True)]
        *products, weight = map(value, added)
        *after, denominator = map(value, sums)
        denominator = Fraction(1) if t.linear else denominator
        steps.append({"content": content, "weight": weight, "products": products, "sums": after, "denominator": denominator})
    tops = sums[:-1]
    if t.knobs["order"] == "ax":
        tops = [m.sum(m.times(value(sums[t.columns.index(c)]), t.value[c][k]) for c in used) for k, used in enumerate(t.used)]
    attentions = tops if t.linear else [m.divide(top, sums[-1]) for top in tops]
    hidden = [t.node_value(node, attentions) for node in t.hidden]
    output = t.node_value(t.output, hidden)
    word = {0: "0", 1: "1", None: "neither"}[t.answered(output)]
    ends = {"numerators": [*map(value, tops)], "denominator": Fraction(1) if t.linear else value(sums[-1])}
    return {
        "steps": steps,
        **ends,
        "attentions": [*map(value, attentions)],
        "hidden": [*map(value, hidden)],
        "output": value(output),
        "answer": word,
    }


def check_refuted(facts: Mapping[str, At], t: Transformer) -> str:
    """Run the transformer on the input; every line of the trace must be what comes out, and the answer must be wrong."""
    given = facts["input"].record("y", "z")
    y, z = (given[name].text() for name in "yz")
    for name, text in (("y", y), ("z", z)):
        if len(text) != t.length or set(text) - {"0", "1"}:
            given[name].refuse(f"a string of {t.length} bits")
    demand(y <= z, "the input breaks the promise y <= z")
    found = run(t, y, z)
    agree(facts["trace"], found)
    answered, expected = found["answer"], str(int(y == z))
    demand(answered != expected, f"the transformer answers {answered} on this input, and that is right: nothing is refuted")
    return f"refuted: {t.what}: at y = {y}, z = {z} it answers {answered}, {expected} is right{t.assuming}"


def run(t: Transformer, y: str, z: str) -> dict[str, Any]:
    """Everything that happens on one input."""
    sums, steps, strings, value = [0] * (t.sums + 1), [], {"y": y, "z": z}, t.machine.value
    for (reads, _), terms in zip(t.tokens, t.addends, strict=True):
        content = "".join(strings[s][k - 1] for s, k in reads)
        added = terms[int(content or "0", 2)]
        sums = [t.machine.add(s, x) for s, x in zip(sums, added, strict=True)]
        *products, weight = map(value, added)
        *after, denominator = map(value, sums)
        steps.append({"content": content, "weight": weight, "products": products, "sums": after, "denominator": denominator})
    top = t.numerator([t.weighted(k, s) for k, s in enumerate(sums[:-1])])
    attention = t.machine.divide(top, sums[-1])
    hidden, output = t.mlp(attention)
    word = {0: "0", 1: "1", None: "neither"}[t.answer(attention)]
    ends = {"numerator": value(top), "denominator": value(sums[-1]), "attention": value(attention)}
    return {"steps": steps, **ends, "hidden": [*map(value, hidden)], "output": value(output), "answer": word}


def agree(claimed: At, found: Any) -> None:
    """The claimed data has the shape and the values that were found."""
    if isinstance(found, dict):
        parts = claimed.record(*found)
        for key, each in found.items():
            agree(parts[key], each)
    elif isinstance(found, list):
        entries = claimed.items()
        demand(len(entries) == len(found), f"{claimed.place} has {len(entries)} entries, but {len(found)} were found")
        for entry, each in zip(entries, found, strict=True):
            agree(entry, each)
    else:
        text = isinstance(found, str) and found not in WORDS.values()
        said = claimed.text() if text else claimed.integer() if isinstance(found, int) else claimed.value()
        demand(said == found, f"{claimed.place} is {shown(claimed.data)}, but {found} was found")


# ---- a construction that is right


def check_verified(facts: Mapping[str, At], t: Transformer) -> str:
    """Every pair y <= z lies in a set that the certificate lists; the sets are what the tokens make of them; the ends are right."""
    cases = (1 << t.length) * ((1 << t.length) + 1) // 2
    agree(facts["cases"], cases)
    agree(facts["assumptions"], t.assumptions)
    blocks = facts["blocks"].items()
    demand(len(blocks) in (1, 2), "one block or two were expected")
    walked = [Block(t, given, wants_every=place == 2) for place, given in enumerate(blocks, 1)]
    edges = [edge for block in walked for edge in (block.first - 1, block.last)]
    demand((edges[0], edges[-1], edges[1:-1]) == (0, t.length, edges[1:-1][::-1]), "the blocks leave out positions")
    demand(sorted(k for block in walked for k in block.sums) == list(range(t.sums + 1)), "each sum belongs to one block")
    for block in walked:
        block.check()
    ends = Ends(t, walked)
    if len(walked) == 1:
        ends.check([walked[0].equal], 1, "y = z")
        ends.check([walked[0].less], 0, "y < z")
    else:
        first, second = walked
        ends.check([first.equal, second.equal], 1, "y = z")
        ends.check([first.less, second.every], 0, "y < z in the first block")
        ends.check([first.equal, second.less], 0, "y < z in the second block")
    return f"verified: {t.what}: right on all {cases} pairs{t.assuming}"


class Addend(NamedTuple):
    """What one token adds to one sum of a block: a state for each content of the bits of y and z that matter, as masks of the block."""

    of_y: int
    of_z: int
    table: dict[tuple[int, int], int]


Queues = list[list[Addend]]  # for each sum of a block, what is still to be added


class Block:
    """Positions first … last, the sums that depend on no others, and the states that they reach, stage by stage.

    A row has a state for each sum, and then the bits of y that are still needed: those that tokens read once z is being read (late), and
    as long as z agrees with y those behind the positions read. Rows that are alike are one.
    """

    def __init__(self, t: Transformer, given: At, wants_every: bool) -> None:
        self.t, self.where = t, given.place
        parts = given.record("first", "last", "sums", "stages")
        self.first = parts["first"].integer(1, t.length)
        self.last = parts["last"].integer(self.first, t.length)
        numbers = {f"sum {k + 1}": k for k in range(t.sums)} | {"denominator": t.sums}
        self.sums = [numbers.get(name.text(), -1) for name in parts["sums"].items()]
        if -1 in self.sums:
            parts["sums"].items()[self.sums.index(-1)].refuse(f"sum 1 to sum {t.sums} or denominator")
        demand(len(set(self.sums)) == len(self.sums), f"{self.where}: a sum is there twice")
        t.limits.keep("states", len(self.sums) + 1 << self.last - self.first + 1)
        self.starts, queues = self.taken([self.addends(k) for k in self.sums], self.first, self.first - 1)
        self.stages: list[tuple[int, int, Queues, dict[str, At]]] = []
        reached, kinds = self.first - 1, ("less", "every") if wants_every else ("less",)
        for stage in parts["stages"].items():
            listed = stage.record("first", "last", *kinds)
            first, last = listed["first"].integer(), listed["last"].integer()
            in_order = first == reached + 1 and first <= last <= min(self.last, first + WIDEST_STAGE)
            demand(in_order, f"{stage.place}: positions {first} to {last} behind {reached}")
            step, queues = self.taken(queues, first, last)
            self.stages.append((first, last, step, {kind: listed[kind] for kind in kinds}))
            reached = last
        demand(reached == self.last and not any(queues), f"{self.where}: the stages leave out positions or tokens")
        self.late = reduce(or_, (addend.of_y for _, _, step, _ in self.stages for each in step for addend in each), 0)
        self.equal: set[Row] = set()
        self.less: set[Row] = set()
        self.every: set[Row] = set()

    def addends(self, k: int) -> list[Addend]:
        """For each token that adds something to the k-th sum: the bits that matter, and a state for each of their contents.

        The file has a vector for each of these contents, which bounds the work.
        """
        found = []
        for (reads, _), terms in zip(self.t.tokens, self.t.addends, strict=True):
            bits, table = sorted(set(reads)), {}
            self.t.limits.spend(len(terms) * (1 + len(bits)) ** 2 + 4 * len(reads) + 4)
            for values in product((0, 1), repeat=len(bits)):
                content = "".join(str(values[bits.index(b)]) for b in reads)
                table[values] = terms[int(content or "0", 2)][k]
            for place in reversed(range(len(bits))):
                if all(table[v] == table[(*v[:place], 1 - v[place], *v[place + 1 :])] for v in table):
                    table = {(*v[:place], *v[place + 1 :]): x for v, x in table.items() if not v[place]}
                    del bits[place]
            outside = [f"{string}[{position}]" for string, position in bits if not self.first <= position <= self.last]
            demand(not outside, f"{self.where}: a sum of it depends on {', '.join(outside)}, outside its positions")
            if any(table.values()):
                packed = {(self.packed("y", bits, v), self.packed("z", bits, v)): x for v, x in table.items()}
                ones = [1] * len(bits)
                found.append(Addend(self.packed("y", bits, ones), self.packed("z", bits, ones), packed))
        return found

    def packed(self, string: str, bits: list[Bit], values: Sequence[int]) -> int:
        """The bits of one string, as a number that has the block's last position as its lowest bit."""
        return sum(value << self.last - k for (s, k), value in zip(bits, values, strict=True) if s == string)

    def taken(self, queues: Queues, first: int, last: int) -> tuple[Queues, Queues]:
        """The addends of each sum up to the first that reads z behind ``last``; none may read z before ``first``."""
        taken, rest, behind = [], [], (1 << self.last - last) - 1
        for queue in queues:
            end = next((k for k, addend in enumerate(queue) if addend.of_z & behind), len(queue))
            for again in (addend.of_z >> self.last - first + 1 for addend in queue[:end]):
                demand(not again, f"{self.where}: z[{first - again.bit_length()}] is read again after its stage")
            taken.append(queue[:end])
            rest.append(queue[end:])
        return taken, rest

    def check(self) -> None:
        """Walk through the stages; after each one the states reached are those listed."""
        width = self.last - self.first + 1
        sums = [self.sums_of_y(each) for each in self.starts]
        self.equal = {(*(known[y & seen] for known, seen in sums), y) for y in range(1 << width)}
        self.every = set(map(self.forgotten, self.equal)) if "every" in self.stages[0][-1] else set()
        for first, last, step, listed in self.stages:
            self.walk(first, last, step)
            for kind, runs in listed.items():
                self.compare(runs, getattr(self, kind))

    def sums_of_y(self, addends: list[Addend]) -> tuple[dict[int, int], int]:
        """What the addends, which read y only, come to for each content of the bits that they read, and those bits."""
        known, seen = {0: 0}, 0
        for of_y, _, table in addends:
            for bit in (1 << k for k in range(of_y.bit_length()) if of_y >> k & ~seen >> k & 1):
                known |= {y | bit: total for y, total in known.items()}
            seen |= of_y
            self.t.limits.spend(len(known))
            known = {y: self.t.machine.add(total, table[y & of_y, 0]) for y, total in known.items()}
        return known, seen

    def forgotten(self, row: Row) -> Row:
        """The row with the late bits of y only."""
        return (*row[:-1], row[-1] & self.late)

    def walk(self, first: int, last: int, step: Queues) -> None:
        """One stage: z's bits at first … last become known."""
        behind, contents = self.last - last, range(1 << last - first + 1)
        self.t.limits.spend(len(self.equal))
        parts: list[list[Row]] = [[] for _ in contents]  # the rows where z agrees with y so far, by y's bits at this stage
        for row in self.equal:
            parts[row[-1] >> behind & len(contents) - 1].append(row)
        smaller: set[Row] = set()  # those whose y is smaller there than z
        equal, less, every = set(smaller), set(smaller), set(smaller)
        for z, part in enumerate(parts):
            same, fewer = set(map(self.forgotten, part)), self.less | smaller
            after = self.after(same | fewer | self.every, z << behind, step)
            equal.update((*after[self.forgotten(row)][:-1], row[-1] & (self.late | (1 << behind) - 1)) for row in part)
            less.update(map(after.__getitem__, fewer))
            every.update(map(after.__getitem__, self.every))
            smaller |= same
            self.t.limits.keep("states", (len(equal) + len(less) + len(every)) * (len(self.sums) + 1))
        self.equal, self.less, self.every = equal, less, every

    def after(self, rows: set[Row], z: int, step: Queues) -> dict[Row, Row]:
        """What each row becomes when z has these bits."""
        self.t.limits.spend(len(rows) * (1 + sum(1 + len(each) for each in step)))
        add, added, found = repeat(self.t.machine.add), dict[int, list[list[int]]](), {}
        for row in rows:
            y = row[-1]
            if y not in added:
                every = [[table[y & of_y, z & of_z] for of_y, of_z, table in each] for each in step]
                added[y] = [[state for state in each if state] for each in every]  # x + 0 is x
            found[row] = (*map(reduce, add, added[y], row), y)
        return found

    def compare(self, runs: At, reached: set[Row]) -> None:
        """The listed states are those reached, each once."""
        late = [1 << k for k in reversed(range(self.last - self.first + 1)) if self.late >> k & 1]
        width, left = len(self.sums) + len(late), set(reached)
        for run in runs.items():
            starts, steps, count = run.items(3)
            length = count.integer(1)
            if length > len(left):
                raise Rejected(f"{run.place}: a run of {length} states, where {len(left)} are left")
            pairs = list(zip(starts.items(width), steps.items(width), strict=True))
            columns = [progression(start, step, self.t.machine.largest, length) for start, step in pairs[: len(self.sums)]]
            bits = [start.integer(0, 1) + step.integer(0, 0) for start, step in pairs[len(self.sums) :]]
            y = sum(bit for bit, is_set in zip(late, bits, strict=True) if is_set)
            rows = set(zip(*columns, [y] * length, strict=True))
            for row in rows - left:
                twice = "is listed twice" if row in reached else "is listed, but nothing leads to it"
                raise Rejected(f"{run.place}: the state {self.shown(row)} {twice}")
            if len(rows) != length:
                raise Rejected(f"{run.place}: a state is listed twice")
            left -= rows
        for row in left:
            raise Rejected(f"{runs.place}: the state {self.shown(row)} is reached, but not listed")

    def shown(self, row: Row) -> str:
        return ", ".join(WORDS.get(state, str(state)) for state in row[:-1][:9]) + ", ..." * (len(row) > 10)


def progression(start: At, step: At, largest: int, length: int) -> Sequence[int]:
    """So many states: an infinity or NaN stands still, others go in steps, of which none leads to the states that are no numbers."""
    special = [state for state, word in WORDS.items() if word == start.data]
    if special:
        return [special[0] + step.integer(0, 0)] * length
    state, by = start.integer(-largest, largest), step.integer(-2 * largest, 2 * largest)
    return range(state, state + by * length, by) if by else [state] * length


class Ends:
    """What the transformer answers at the end, for every combination of final states."""

    def __init__(self, t: Transformer, blocks: list[Block]) -> None:
        self.t, self.names = t, [block.sums for block in blocks]
        self.holder = next(k for k, names in enumerate(self.names) if t.sums in names)  # the block that has the denominator
        self.live = live_runs(t)

    def check(self, sets: Sequence[set[Row]], wanted: int, when: str) -> None:
        """Every combination is answered with ``wanted``; sets has the final states of each block."""
        shown = self.t.machine.value
        for tops, bottoms in self.products([{row[:-1] for row in each} for each in sets]):
            for denominators in signs(bottoms):
                for top in tops:
                    self.t.limits.spend(4 * self.t.cost)
                    for bottom in (self.not_yes if wanted else self.not_no)(top, denominators):
                        raise Rejected(f"{when}: {shown(top)} over {shown(bottom)} is not answered with {wanted}")

    def products(self, rows: list[set[Row]]) -> Iterator[tuple[set[int], set[int]]]:
        """The combinations as (numerators, denominators): where the numerator's parts beside the denominator are equal, any with any."""
        t, own = self.t, self.names[self.holder]
        others = [k for place, names in enumerate(self.names) for k in names if place != self.holder]
        t.limits.spend(sum(8 * len(names) * len(each) for names, each in zip(self.names, rows, strict=True)))
        above = {()} if len(rows) == 1 else {self.weigh(others, row) for row in rows[1 - self.holder]}
        beside: dict[Row, set[int]] = {}
        for row in rows[self.holder]:
            beside.setdefault(self.weigh(own, row), set()).add(row[own.index(t.sums)])
        inner = [k for k in own if k != t.sums]
        for key, denominators in beside.items():
            t.limits.spend(4 * len(above) * (1 + t.sums))
            parts = (dict(zip(inner + others, key + row, strict=True)) for row in above)
            yield {t.numerator([part[k] for k in range(t.sums)]) for part in parts}, denominators

    def weigh(self, names: list[int], row: Row) -> Row:
        """What the sums of a row contribute to the numerator, the denominator left out."""
        return tuple(self.t.weighted(k, x) for k, x in zip(names, row, strict=True) if k != self.t.sums)

    def not_yes(self, top: int, ordered: list[int]) -> Iterator[int]:
        """Denominators of one sign that break the answer 1. Rounded division is monotone: equal at both ends is equal in between."""
        divide = self.t.machine.divide
        tried = ordered[:1] if divide(top, ordered[0]) == divide(top, ordered[-1]) else ordered
        self.t.limits.spend(4 * self.t.cost * len(tried))
        return (bottom for bottom in tried if self.t.answer(divide(top, bottom)) != 1)

    def not_no(self, top: int, ordered: list[int]) -> Iterator[int]:
        """Denominators of one sign whose quotient lies in a run of values that are not answered with 0.

        The quotients of 0 are all alike: they neither fall nor rise.
        """
        divide, falling = self.t.machine.divide, top >= 0
        lowest, highest = sorted((divide(top, ordered[0]), divide(top, ordered[-1])))
        for place in range(bisect_left(self.live, lowest, key=lambda run: run[1]), len(self.live)):
            low, high = self.live[place]
            if low > highest:
                break
            self.t.limits.spend(2 * self.t.cost * (1 + len(ordered).bit_length()))
            # look for the first quotient that has passed the run's near end
            passed = (lambda d, x=high: divide(top, d) <= x) if falling else (lambda d, x=low: divide(top, d) >= x)
            found = bisect_left(ordered, True, key=passed)
            if found < len(ordered) and low <= divide(top, ordered[found]) <= high:
                yield ordered[found]


def signs(denominators: Iterable[int]) -> list[list[int]]:
    """Finite denominators of one sign, ascending; zero, infinities and NaN each on their own."""
    ordered = sorted(denominators)
    zero, one = bisect_left(ordered, 0), bisect_left(ordered, 1)
    start, end = bisect_left(ordered, 1 - INF), bisect_left(ordered, INF)
    return [s for s in (ordered[start:zero], ordered[one:end], *([x] for x in (*ordered[:start], *ordered[zero:one], *ordered[end:]))) if s]


def live_runs(t: Transformer) -> list[tuple[int, int]]:
    """The values of the attention that are not answered with 0, as runs (first, last) of states.

    Each hidden node is monotone in the attention on either side of 0, and the output in each hidden node. Where the output is the same
    with all its terms at their lowest and at their highest over an interval, it is the same on all of it; other intervals are halved.
    """
    m = t.machine
    digits, half = m.digits, 1 << max(m.digits - 1, 0)
    count = (1 << digits) + (half * digits if m.free and digits else 0)  # magnitudes, 0 among them

    def state(index: int) -> int:
        """The states ascending: 0 is in the middle; 2^digits with spacing 1, then binades that double the spacing."""
        size = abs(index)
        if size < 1 << digits:
            return index
        binade, rest = divmod(size - (1 << digits), half)
        size = (half + rest) << (binade + 1)
        return size if index > 0 else -size

    live = [(s, s) for s in (-INF, 0, INF, NAN) if t.answer(s) != 0]
    waiting = [(-count + 1, -1), (1, count - 1)] if count > 1 else []
    while waiting:
        first, last = waiting.pop()
        constant, output = box(t, state(first), state(last))
        if not constant and first < last:
            middle = (first + last) // 2
            waiting += [(first, middle), (middle + 1, last)]
        elif (output if constant else t.answer(state(first))) != 0:
            live.append((state(first), state(last)))
    return sorted(live)


def box(t: Transformer, first: int, last: int) -> tuple[bool, int]:
    """Whether the output is surely the same for all attention values from ``first`` to ``last``, and that output."""
    m, (weights, bias) = t.machine, t.output
    ends = [t.mlp(first)[0], t.mlp(last)[0]]
    low = high = 0
    for k, w in enumerate(weights):
        products = [m.times(w, m.value(hidden[k])) for hidden in ends]
        low, high = m.add(low, min(products)), m.add(high, max(products))
        if NAN in (low, high, *products):
            return False, NAN
    low, high = (max(0, t.biased(end, bias)) for end in (low, high))
    return low == high != NAN, low


# ---- a construction whose positions are alike, for strings of every length


def check_every_length(facts: Mapping[str, At], t: Transformer) -> str:
    """The states listed hold the empty strings' and, with a state, what any pair of bits makes of it; over each denominator they are right.

    So it is for the strings of every length, if each position has the columns of a position here, beside one another, and each token one
    of the weights here: further tokens add 0 to a column, and the numerator adds the columns from left to right.
    """
    agree(facts["assumptions"], t.assumptions)
    columns, m = position_of(t), t.machine
    states = [(s.items(2)[0], s.items(2)[1].one_of("equal", "different") == "equal") for s in facts["states"].items()]
    reached = {(m.state(total.value()), equal) for total, equal in states}
    bottoms = {m.state(d.value()) for d in facts["denominators"].items()}
    demand(len(reached) == len(states), "a state is listed twice")
    demand((0, True) in reached, "the state 0, equal of the empty strings is not listed")
    t.limits.spend(8 * len(reached) * (len(columns) + 1) * t.cost)
    for total, equal in reached:
        for y, z in product((0, 1), repeat=2):
            after = m.sum([total, *(m.times(m.value(of[y, z]), weight) for of, weight in columns)])
            leads = (after, equal and y == z)
            demand(leads in reached, f"bits {y} and {z} lead from {m.value(total)} to {m.value(after)}, which is not listed")
    if t.floating:
        demand(bottoms == {m.state(Fraction(1))}, "denominators: linear attention is divided by nothing, so 1 alone was expected")
    weights, now = {terms[-1] for each in t.addends for terms in each}, {0}
    for _ in () if t.floating else t.tokens:
        t.limits.spend(4 * len(weights) * len(now) * t.cost)
        now = {m.add(d, w) for d in now for w in weights}
    t.limits.spend(4 * len(bottoms) * (len(weights) + len(reached)) * t.cost)
    for d in () if t.floating else now | {m.add(d, w) for d in bottoms for w in weights}:
        demand(d in bottoms, f"the denominator {m.value(d)} is reached, but not listed")
    for total, equal in reached:
        for d in bottoms:
            right = t.answer(m.divide(total, d)) == int(equal)
            demand(right, f"{m.value(total)} over {m.value(d)} is not answered with {int(equal)}")
    return (
        f"every length: EQ of two strings of any length, in {t.size}, semantics {t.label}: {len(reached)} states, closed under every "
        f"pair of bits, where positions add as here and {len(t.tokens)} tokens or more have the weights of these{t.assuming}"
    )


def position_of(t: Transformer) -> list[tuple[dict[tuple[int, int], int], Value]]:
    """The columns of a position, alike at all: what each adds up to at the bits y and z, and what W^V multiplies it with."""
    demand(t.knobs["order"] == "ax", "semantics: columns of A X are summed with order ax alone")
    where, found = list[int](), list[tuple[dict[tuple[int, int], int], Value]]()
    for k, column in enumerate(t.columns):
        t.limits.spend(4 * sum((1 + len(reads)) << len(reads) for reads, _ in t.tokens) * t.cost)
        places = {
            place
            for (reads, _), terms in zip(t.tokens, t.addends, strict=True)
            if len({added[k] for added in terms}) > 1
            for flip, (_, place) in zip([1 << at for at in reversed(range(len(reads)))], reads, strict=True)
            if any(added[k] != terms[content ^ flip][k] for content, added in enumerate(terms))
        }
        demand(len(places) == 1, f"column {column + 1} of A X depends on {len(places)} positions, one was expected")
        (place,) = places
        where.append(place)
        found.append(({(y, z): column_sum(t, k, {"y": y, "z": z}, place) for y, z in product((0, 1), repeat=2)}, t.value_weights[column]))
    order = list(dict.fromkeys(where))
    groups = [[each for at, each in zip(where, found, strict=True) if at == place] for place in order]
    demand(where == [at for at in order for each in where if each == at], "the columns of a position are not beside one another")
    demand(set(order) == set(range(1, t.length + 1)), "a position of the strings has no column")
    demand(all(group == groups[0] for group in groups), "two positions of the strings do not have the same columns")
    return groups[0]


def column_sum(t: Transformer, k: int, bits: Mapping[str, int], place: int) -> int:
    """The k-th sum over all tokens where this position has these bits; no other position adds anything to it."""
    added = []
    for (reads, _), terms in zip(t.tokens, t.addends, strict=True):
        content = "".join(str(bits[string]) if at == place else "0" for string, at in reads)
        added.append(terms[int(content or "0", 2)][k])
    return t.machine.sum(added)


# ---- a set that forces many messages


def check_fooling(facts: Mapping[str, At], length: int) -> str:
    """The diagonal: EQ is 1 at each (x, x); of two members x < x', the entry (x, x') keeps y <= z and is 0 (Definition A.5)."""
    facts["rule"].one_of("diagonal")
    members = 1 << length
    found = {"size": members, "pairs": members * (members - 1) // 2, "bits": (members - 1).bit_length()}
    for key, count in found.items():
        agree(facts[key], count)
    return f"fooling set: the {members} pairs (x, x) of EQ of two strings of {length} bits under y <= z force at least {length} bits"


# ---- the certificate


class Statement:
    """What a certificate is about, read and compared with itself: its construction, if it has one, and the name that it goes by."""

    def __init__(self, certificate: Any, limits: Limits) -> None:
        whole = At(certificate)
        for key, known in (("format", (VERSION,)), ("kind", tuple(FACTS))):
            At(whole.names().get(key, whole).data, key).one_of(*known)
        self.kind = certificate["kind"]
        self.parts = whole.record(*NAMES, *ABOUT.get(self.kind, ("semantics", "construction")), *FACTS[self.kind], "digest")
        self.parts["claim"].text()
        self.parts["edition"].one_of(*EDITIONS)
        if self.kind in TABLES:
            self.transformer: Transformer | None = Table(self.parts["semantics"], self.parts["construction"], limits)
        elif self.kind in CHECKS:
            every = self.kind == "every-length"
            self.transformer = Transformer(self.parts["semantics"], self.parts["construction"], limits, every)
        else:
            self.transformer = None
        self.sums = RunningSums(self.parts["semantics"], self.parts["sums"], limits) if self.kind == "one-sum" else None
        self.length = self.read_length()
        sizes = {name: (self.size(name), each.integer()) for name, each in self.parts["parameters"].names().items()}
        for name, (size, said) in sizes.items():
            demand(said == size or self.kind in TABLES, f"parameters: {name} is {said}, but {size} was found")
        demand(self.parts["digest"].text() == digest(certificate), "the digest is not that of the statement")
        at = ", ".join(f"{name} = {size}" for name, (size, _) in sizes.items()) or "no parameters"
        self.name = f"{certificate['digest']} at {at}"

    def read_length(self) -> int:
        if isinstance(self.transformer, Table):
            return self.transformer.inputs.bits
        return self.transformer.length if self.transformer else read_problem(self.parts["problem"])

    def size(self, parameter: str) -> int:
        """What a parameter has to be: p the bits, n the tokens before the last one, m the length of the strings; q the bits of sums."""
        if self.kind in TABLES:
            return self.parts["parameters"].names()[parameter].integer()  # an author's word: the construction is written out
        sizes = {"m": self.length}
        if self.sums:
            sizes |= {"q": self.sums.bits, "coupling": COUPLINGS.index(self.sums.coupling)}
        if self.transformer:
            sizes |= {"p": self.transformer.bits, "n": len(self.transformer.tokens) - 1}
        if parameter not in sizes:
            raise Unknown(f"parameters: {shown(parameter)} is none of {', '.join(sizes)}, which can be compared with what was found")
        return sizes[parameter]


def recheck(certificate: Any, limits: Limits | None = None) -> str:
    """One line that says what the certificate proves, the digest of its statement, and what its reading takes for granted.

    Raises Rejected, Unknown or TooMuch.
    """
    said = Statement(certificate, limits or Limits())
    if isinstance(said.transformer, Table):
        fact = TABLES[said.kind](said.parts, said.transformer)
    elif said.transformer:
        fact = CHECKS[said.kind](said.parts, said.transformer)
    else:
        fact = check_one_sum(said.parts, said.sums, said.length) if said.sums else check_fooling(said.parts, said.length)
    granted = "; the reading grants ideal-ln2, e^(k ln 2) = 2^k" if said.transformer and said.transformer.ideal_ln2 else ""
    return f"{fact}; {said.name}{granted}"


ABOUT = {"fooling-set": ("problem",), "one-sum": ("semantics", "problem", "sums")}
FACTS = {
    "refuted": ("input", "trace"),
    "verified": ("cases", "assumptions", "blocks"),
    "every-length": ("assumptions", "states", "denominators"),
    "fooling-set": ("rule", "size", "pairs", "bits"),
    "one-sum": ("barriers", "longer"),
    "enumerated": ("cases", "yes", "assumptions", "outcomes"),
    "counterexample": ("input", "trace"),
}
CHECKS = {"refuted": check_refuted, "verified": check_verified, "every-length": check_every_length}
TABLES = {"enumerated": check_enumerated, "counterexample": check_counterexample}


def examine(path: str, limits: Limits, claim: str | None = None, check: Check = recheck) -> tuple[int, str, Any]:
    """The exit status, the line that says why, and the certificate where it is accepted, of the statement ``claim`` where that is given."""
    try:
        certificate = read(path, limits)
        line = f"accepted: {check(certificate, limits)}"
        if claim not in (None, certificate["digest"]):
            return 3, f"{line}; another statement was asked for, {claim}", None
        return 0, line, certificate
    except Rejected as reason:
        return 1, f"rejected: {reason}", None
    except Unknown as reason:
        return 2, f"not a certificate known here: {reason}", None
    except TooMuch as reason:
        return 3, f"not rechecked: {reason}", None
    except MemoryError:
        return 3, "not rechecked: out of memory, which lower limits would have said before", None


def say(line: str, status: int) -> int:
    """Print the line; the exit status, which is 2 where the line cannot be written and the same where nobody reads on."""
    fault = written(sys.stdout, line)
    if fault:
        written(sys.stderr, f"the answer cannot be written: {fault}")
    return 2 if fault else status


def written(stream: TextIO | None, line: str) -> str:
    """Write the line; why it cannot be, or nothing. What is then still buffered goes nowhere, silently."""
    if stream is None:
        return "the stream is closed"
    try:
        print(line, file=stream, flush=True)
    except (OSError, ValueError) as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return "" if isinstance(error, BrokenPipeError) else str(error)
    return ""


class Parser(argparse.ArgumentParser):
    """A command line whose help can be piped like an answer."""

    def print_help(self, file: Any = None) -> None:
        sys.exit(say(self.format_help()[:-1], 0))


def positive(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,17}", text):
        raise ValueError
    return int(text)


def statement(text: str) -> str:
    if not re.fullmatch("sha256:[0-9a-f]{64}", text):
        raise ValueError
    return text


def main(arguments: list[str], check: Check = recheck, name: str = "recheck.py") -> int:
    parser = Parser(prog=name, description="Recheck a Bitreferee certificate.", allow_abbrev=False)
    parser.add_argument("file")
    of_claim = "accept a certificate of this statement only; a name is no digest, as this program knows no catalogue"
    parser.add_argument("--claim", type=statement, metavar="DIGEST", help=of_claim)
    for name, (most, what) in LIMITS.items():
        parser.add_argument(f"--{name}", type=positive, default=most, metavar="N", help=f"{what}, {most} by default")
    asked = vars(parser.parse_args(arguments))
    try:
        file, claim = asked.pop("file"), asked.pop("claim")
        status, line, _ = examine(file, Limits(**asked), claim, check)
        return say(line, status)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        return say(f"a fault of this program: {type(error).__name__}: {str(error)!a}", 70)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

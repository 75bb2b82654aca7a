"""Recheck a Bitreferee certificate. One file, standard library only, its own arithmetic: read it in one sitting, then run

    python recheck.py FILE        exit 0: accepted · 1: rejected, with the reason · 2: not a certificate that this program knows

A certificate is JSON (or gzipped JSON): format, kind, claim, edition, parameters; semantics, every knob of the arithmetic; construction,
expanded: what each token reads and its vector for every content, W^Q, W^K, W^V, MLP; digest, the SHA-256 of all that, which binds
the facts below to their statement; and then
  refuted       input (y, z) and trace: after each token its weight, products and running sums; at the end the output and the answer
  verified      cases, assumptions, blocks. A block has positions of the strings, the sums that read no others, and stages: some positions
                of z become known, and the states reached are listed, by pairs with y < z so far (less) and by all pairs (every), as
                runs [start, step, count] in units of the format. Two blocks are a prefix and a suffix of the positions
  fooling-set   problem, rule, size, pairs and bits
Numbers are exact, in any spelling. The claim's name is bound to the construction by the digest only: compare the tokens with the paper.
"""

import gzip
import hashlib
import json
import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from math import factorial
from typing import Any

Value = int | Fraction  # a rational, or INF, -INF, NAN
Entry = Any  # a value, or one of LARGE
Bit = tuple[str, int]  # string, position
Addend = tuple[list[Bit], dict[tuple[int, ...], int]]  # the bits that matter, and a state for each of their contents
Queues = list[list[Addend]]  # for each sum of a block, what is still to be added
State = tuple[Any, ...]  # a state for each sum of a block, and last the bits of y that are read again

VERSION = "bitreferee/certificate/1"
INF, NAN = 1 << 200, 1 << 201  # states that are no numbers, beyond all that are; -INF is minus infinity
LARGE = ("N", "-N")  # the papers' "large enough N": nothing but its sign is known
MOST_BITS, MOST_VALUE, MOST_STATES = 64, 1 << 80, 1 << 24
KNOBS = {"point": ("free", "grid"), "rounding": ("nearest", "truncate"), "ties": ("zero", "even", "away"), "ln2": ("ideal", "rounded")}
KNOBS |= {"overflow": ("after", "before", "saturate"), "order": ("ax", "products", "values"), "columns": ("used", "all")}
KNOBS |= {"entries": ("exact", "rounded")}


class Rejected(Exception):  # noqa: N818
    """The certificate says something that does not follow."""


class Unknown(Exception):  # noqa: N818
    """Not a certificate that this program can read."""


def demand(holds: object, reason: str) -> None:
    if not holds:
        raise Rejected(reason)


NUMBER = re.compile(r"\s*[+-]?[0-9]{1,2000}(/0*[1-9][0-9]{0,2000}|\.[0-9]{1,2000})?\s*")


def number(text: Any, where: str) -> Fraction:
    """An exact rational: 3, "3", "6/2", "3.0"."""
    if isinstance(text, bool) or not NUMBER.fullmatch(str(text)):
        raise Unknown(f"{where}: {text!r} is no exact number")
    return Fraction(str(text))


def integer(text: Any, where: str) -> int:
    value = number(text, where)
    if value.denominator != 1:
        raise Unknown(f"{where}: {text!r} is no integer")
    return value.numerator


def extended(text: Any, where: str) -> Value:
    """A rational, or inf, -inf, nan."""
    return {"inf": INF, "-inf": -INF, "nan": NAN}[text] if text in ("inf", "-inf", "nan") else number(text, where)


def canonical(value: Any) -> Any:
    """The same content with every number in lowest terms, as text: what the digest is made of."""
    if isinstance(value, dict):
        return {key: canonical(each) for key, each in value.items()}
    if isinstance(value, list):
        return [canonical(each) for each in value]
    return str(Fraction(str(value))) if not isinstance(value, bool) and NUMBER.fullmatch(str(value)) else value


def digest(certificate: Any) -> str:
    keys = ("format", "kind", "claim", "edition", "parameters", "semantics", "construction", "problem")
    statement = canonical({key: certificate[key] for key in keys if key in certificate})
    return "sha256:" + hashlib.sha256(json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


class Machine:
    """p bits (Every Bit Counts, Definition A.7 and Section A.3): every operation exact, then rounded once.

    A state is an integer, the value in units of the format: 2^-(p-1) where the point is free, the scale on a fixed grid.
    """

    def __init__(self, bits: int, knobs: Any, scale: Fraction) -> None:
        self.rounding, self.ties, self.overflow = knobs["rounding"], knobs["ties"], knobs["overflow"]
        self.digits, self.free = bits - 1, knobs["point"] == "free"
        self.unit = Fraction(1, 1 << self.digits) if self.free else scale
        self.exact = 1 << self.digits  # whole units below this need no rounding
        self.largest = ((1 << self.digits) - 1) << (self.digits if self.free else 0)

    def spacing(self, whole: int) -> int:
        """Units between neighbours where the magnitude is at least ``whole`` units: i integer digits leave p-1-i for the fraction."""
        integer_digits = (whole >> self.digits).bit_length()
        return 1 << min(integer_digits, self.digits) if self.free else 1

    def rounded(self, top: int, bottom: int = 1) -> int:
        """The state of top/bottom units, bottom > 0."""
        size = abs(top)
        step = self.spacing(size // bottom) * bottom
        count, rest = divmod(size, step)
        tie_up = self.ties == "away" or (self.ties == "even" and count % 2 == 1)
        if self.rounding == "nearest" and (2 * rest > step or (2 * rest == step and tie_up)):
            count += 1
        state = count * step // bottom
        beyond = size > self.largest * bottom if self.overflow == "before" else state > self.largest
        if beyond:
            state = self.largest if self.overflow == "saturate" else INF
        return -state if top < 0 else state

    def infinite(self, negative: bool) -> int:
        return (-1 if negative else 1) * (self.largest if self.overflow == "saturate" else INF)

    def state(self, x: Value) -> int:
        """A rational rounded to a state; infinities become the largest value where the machine saturates."""
        if not -INF < x < INF:
            return NAN if x == NAN else self.infinite(x < 0)
        units = Fraction(x) / self.unit
        return self.rounded(units.numerator, units.denominator)

    def value(self, state: int) -> Value:
        return state if abs(state) >= INF else state * self.unit

    def holds(self, x: Value) -> bool:
        """Whether a rational is a value of the format."""
        units = abs(Fraction(x)) / self.unit
        return units.denominator == 1 and units <= self.largest and units.numerator % self.spacing(units.numerator) == 0

    def add(self, a: int, b: int) -> int:
        """Rounded a + b of states."""
        if -INF < a < INF and -INF < b < INF:
            total = a + b
            return total if -self.exact < total < self.exact else self.rounded(total)
        if NAN in (a, b) or a == -b:
            return NAN
        return self.infinite((a if abs(a) == INF else b) < 0)

    def divide(self, a: int, b: int) -> int:
        """Rounded a / b of states; zero has no sign."""
        if NAN in (a, b) or (abs(a) == INF == abs(b)) or a == b == 0:
            return NAN
        if abs(a) == INF or b == 0:
            return self.infinite((a < 0) != (b < 0))
        if abs(b) == INF:
            return 0
        side = -1 if b < 0 else 1
        return self.rounded(side * a * self.unit.denominator, abs(b) * self.unit.numerator)

    def times(self, x: Value, y: Value) -> Value:
        """Rounded x · y of values (rationals, which need not be of the format, or infinite or NaN)."""
        if NAN in (x, y):
            return NAN
        if abs(x) == INF or abs(y) == INF:
            return NAN if 0 in (x, y) else self.value(self.infinite((x < 0) != (y < 0)))
        return self.value(self.state(x * y))

    def plus(self, x: Value, y: Value) -> Value:
        """Rounded x + y of values."""
        if -INF < x < INF and -INF < y < INF:
            return self.value(self.state(Fraction(x) + y))
        return self.value(self.add(*(0 if -INF < each < INF else int(each) for each in (x, y))))

    def sum(self, values: Iterable[Value]) -> Value:
        return reduce(self.plus, (Fraction(0), *values))

    def real(self, enclosure: Callable[[int], Sequence[Value]]) -> int:
        """The state of an irrational number, from enclosures that shrink: both ends round alike."""
        for terms in (16, 64, 256, 1024, 4096):
            low, high = (self.state(end) for end in enclosure(terms))
            if low == high:
                return low
        raise Rejected("a rounding of exp stays undecided")

    def exp(self, x: Fraction, times_ln2: bool) -> Value:
        """e^x or e^(x ln 2), rounded, as a value."""
        if x == 0 or (times_ln2 and x.denominator == 1 and abs(x) <= 4096):
            return self.value(self.state(Fraction(2) ** int(x)))
        if abs(x) > 4 * self.digits + self.unit.numerator.bit_length() + self.unit.denominator.bit_length() + 8:
            return self.value(self.infinite(False)) if x > 0 else Fraction(0)  # beyond twice the largest value, or below a quarter unit

        def enclosure(terms: int) -> tuple[Fraction, Fraction]:
            ends = ln2(x, terms) if times_ln2 else [x]
            return exponential(min(ends), terms)[0], exponential(max(ends), terms)[1]

        return self.value(self.real(enclosure))


def ln2(x: Fraction, terms: int) -> list[Fraction]:
    """Bounds of x ln 2: ln 2 = Σ 1/(k 2^k): the tail is below its next term doubled."""
    low = sum((Fraction(1, k << k) for k in range(1, 8 * terms)), Fraction(0))
    return sorted((x * low, x * (low + Fraction(1, 1 << (8 * terms - 1)))))


def exponential(x: Fraction, terms: int) -> tuple[Fraction, Fraction]:
    """Bounds of e^x by Taylor's series with the tail as a geometric one."""
    if x < 0:
        low, high = exponential(-x, terms)
        return 1 / high, 1 / low
    count = terms + 4 * int(x)
    low = sum((x**k / factorial(k) for k in range(count)), Fraction(0))
    return low, low + x**count / factorial(count) / (1 - x / (count + 1))


class Transformer:
    """The construction under its semantics (Section A.4): what each token adds to each running sum, and what the MLP answers."""

    def __init__(self, certificate: Any) -> None:
        given, knobs = certificate["construction"], certificate["semantics"]
        for knob, settings in KNOBS.items():
            if knobs.get(knob) not in settings:
                raise Unknown(f"semantics: {knob}={knobs.get(knob)}")
        bits, scale = integer(given["bits"], "bits"), number(knobs.get("scale", 1), "scale")
        demand(1 <= bits <= MOST_BITS and 0 < scale < MOST_VALUE, f"{bits} bits, scale {scale}")
        self.knobs, self.machine = knobs, Machine(bits, knobs, scale)
        self.length = read_problem(given["problem"])
        self.raw: list[Fraction] = []  # every entry and weight as printed, for the assumption exact-entries
        if given["key"]["ln2"] or given["value"]["ln2"]:
            raise Unknown("a factor ln 2 in W^K or W^V")
        self.ln2 = given["query"]["ln2"] is True
        query, self.key, value = (self.matrix(given[name], name) for name in ("query", "key", "value"))
        self.value_weights = [row[0] for row in value]
        used = [c for c, w in enumerate(self.value_weights) if w != 0]
        self.columns = list(range(len(value))) if knobs["columns"] == "all" else used
        self.sums = len(self.columns) if knobs["order"] == "ax" else 1
        self.tokens = [self.token(t, f"token {k}", len(query)) for k, t in enumerate(given["tokens"], 1)]
        demand(not self.tokens[-1][0], "the last token asks and must be a constant")
        self.hidden = [self.node(n, 1) for n in given["mlp"]["hidden"]]
        self.output = self.node(given["mlp"]["output"], len(self.hidden))
        self.query = self.project(self.tokens[-1][1][0], query)
        self.addends = [[self.terms(v) for v in vectors] for _, vectors in self.tokens]
        self.answers: dict[int, int | None] = {}

    def entry(self, text: Any, where: str) -> Value:
        """An entry as the semantics takes it: as it is, or rounded into the format."""
        x = number(text, where)
        demand(abs(x) < MOST_VALUE, f"{where}: {text} is larger than this program takes")
        self.raw.append(x)
        return self.machine.value(self.machine.state(x)) if self.knobs["entries"] == "rounded" else x

    def matrix(self, given: Any, name: str) -> list[list[Value]]:
        matrix = [[self.entry(x, name) for x in row] for row in given["rows"]]
        if given["ln2"] and self.knobs["ln2"] == "rounded":  # the product with ln 2 is rounded, once
            exact = [[number(x, name) for x in row] for row in given["rows"]]
            real, value = self.machine.real, self.machine.value
            matrix = [[value(real(partial(ln2, x))) if x else x for x in row] for row in exact]
        demand(len({len(row) for row in matrix}) == 1 and (name != "value" or len(matrix[0]) == 1), f"{name} is no matrix as expected")
        return matrix

    def token(self, given: Any, where: str, dimension: int) -> tuple[list[Bit], list[list[Entry]]]:
        """Its bits as (string, position), and its vector for each content."""
        reads = [(text[0], int(text[2:-1])) for text in given["reads"]]
        known = [f"{s}[{k}]" for s, k in reads if s in "yz" and 1 <= k <= self.length]
        demand(known == given["reads"], f"{where} reads {given['reads']}")
        vectors = [[x if x in LARGE else self.entry(x, where) for x in vector] for vector in given["vectors"]]
        demand(len(vectors) == 1 << len(reads), f"{where}: a vector for each content was expected")
        demand(all(len(vector) == dimension for vector in vectors), f"{where}: vectors of dimension {dimension} were expected")
        return reads, vectors

    def node(self, given: Any, inputs: int) -> tuple[list[Value], Value]:
        weights = [self.entry(w, "mlp") for w in given["weights"]]
        demand(len(weights) == inputs, f"mlp: {inputs} weights were expected at each node")
        return weights, self.entry(given["bias"], "mlp")

    def project(self, vector: list[Entry], weights: list[list[Value]]) -> list[Entry]:
        """vector · weights; N times 0 is 0, and N with anything finite is N."""
        found = []
        for j in range(len(weights[0])):
            pairs = [(x, row[j]) for x, row in zip(vector, weights, strict=True)]
            products = [times_large(x, w) if x in LARGE else self.machine.times(x, w) for x, w in pairs]
            large = [x for x in products if x in LARGE]
            found.append(large[0] if large else self.machine.sum(products))
        return found

    def weight(self, vector: list[Entry]) -> Value:
        """e^<Q,K>, rounded: the attention weight."""
        key = self.project(vector, self.key)
        large = [k for k in (*key, *self.query) if k in LARGE]
        if large:
            demand(len(key) == len(large) == 1, "N meets other terms in <Q, K>")
            score = times_large(large[0], key[0] if self.query[0] in LARGE else self.query[0])
        else:
            score = self.machine.sum(self.machine.times(q, k) for q, k in zip(self.query, key, strict=True))
        if score in ("N", INF):
            return self.machine.value(self.machine.infinite(False))
        if score in ("-N", -INF):
            return Fraction(0)
        return score if score == NAN else self.machine.exp(Fraction(score), self.ln2 and self.knobs["ln2"] == "ideal")

    def terms(self, vector: list[Entry]) -> list[Value]:
        """What a token adds: to each sum of the numerator, and last to the denominator, as values."""
        weight, order = self.weight(vector), self.knobs["order"]
        times = self.machine.times
        if order == "ax":
            return [*(self.times_entry(weight, vector[c]) for c in self.columns), weight]
        if order == "products":
            parts = [times(self.times_entry(weight, vector[c]), self.value_weights[c]) for c in self.columns]
            return [self.machine.sum(parts), weight]
        return [times(weight, self.machine.sum(self.times_entry(self.value_weights[c], vector[c]) for c in self.columns)), weight]

    def times_entry(self, x: Value, entry: Entry) -> Value:
        product_ = times_large(entry, x) if entry in LARGE else self.machine.times(x, entry)
        return self.machine.value(self.machine.infinite(product_ == "-N")) if product_ in LARGE else product_

    def weighted(self, k: int, state: int) -> int:
        """What the k-th sum contributes to the numerator, as a state."""
        if self.knobs["order"] != "ax":
            return state
        return self.machine.state(self.machine.times(self.machine.value(state), self.value_weights[self.columns[k]]))

    def numerator(self, parts: list[int]) -> int:
        """The contributions added left to right; where the products were summed there is one."""
        return reduce(self.machine.add, parts, 0) if self.knobs["order"] == "ax" else parts[0]

    def node_value(self, node: tuple[list[Value], Value], inputs: list[Value]) -> Value:
        """max{0, Σ w·x + b}."""
        weights, bias = node
        total = self.machine.plus(self.machine.sum(self.machine.times(w, x) for w, x in zip(weights, inputs, strict=True)), bias)
        return total if total == NAN else max(Fraction(0), total)

    def mlp(self, attention: int) -> tuple[list[Value], Value]:
        """The values of the hidden nodes and of the output, for a state of the attention's output."""
        hidden = [self.node_value(n, [self.machine.value(attention)]) for n in self.hidden]
        return hidden, self.node_value(self.output, hidden)

    def answer(self, attention: int) -> int | None:
        """1 or 0; None for an output that is neither. NaN is rejected, which is to say answered with 0."""
        if attention not in self.answers:
            output = self.mlp(attention)[1]
            self.answers[attention] = 0 if output in (0, NAN) else 1 if output == 1 else None
        return self.answers[attention]

    def assumptions(self) -> list[str]:
        return ["exact-entries"] if self.knobs["entries"] == "exact" and not all(map(self.machine.holds, self.raw)) else []


def times_large(large: Entry, x: Entry) -> Entry:
    """±N · x, exactly."""
    return x if x in (0, NAN) else "N" if (large == "N") == (x > 0) else "-N"


def read_problem(given: Any) -> int:
    """The length of the strings; EQ under y <= z is the only problem known."""
    if (given["function"], given["promise"]) != ("EQ", "y <= z"):
        raise Unknown(f"the problem {given['function']} under {given['promise']}")
    length = integer(given["length"], "length")
    demand(1 <= length <= 4096, f"strings of {length} bits")
    return length


def check_refuted(certificate: Any) -> str:
    """Run the transformer on the input; every line of the trace must be what comes out, and the answer must be wrong."""
    t = Transformer(certificate)
    strings = certificate["input"]
    for name in "yz":
        text = strings[name]
        demand(len(text) == t.length and not set(text) - {"0", "1"}, f"input: {name} is no string of {t.length} bits")
    demand(strings["y"] <= strings["z"], "the input breaks the promise y <= z")
    sums, steps, value = [0] * (t.sums + 1), [], t.machine.value
    for (reads, _), terms in zip(t.tokens, t.addends, strict=True):
        content = "".join(strings[s][k - 1] for s, k in reads)
        added = terms[int(content or "0", 2)]
        sums = [t.machine.add(s, t.machine.state(x)) for s, x in zip(sums, added, strict=True)]
        after = [value(s) for s in sums]
        steps.append({"content": content, "weight": added[-1], "products": added[:-1], "sums": after[:-1], "denominator": after[-1]})
    top = t.numerator([t.weighted(k, s) for k, s in enumerate(sums[:-1])])
    attention = t.machine.divide(top, sums[-1])
    hidden, output = t.mlp(attention)
    answer, expected = t.answer(attention), int(strings["y"] == strings["z"])
    word = "neither" if answer is None else str(answer)
    found = {"steps": steps, "numerator": value(top), "denominator": value(sums[-1]), "attention": value(attention)}
    agree(certificate["trace"], {**found, "hidden": hidden, "output": output, "answer": word}, "trace")
    demand(answer != expected, f"the transformer answers {word} on this input, and that is right: nothing is refuted")
    return f"refuted: EQ_{t.length} at y = {strings['y']}, z = {strings['z']}: expected {expected}, answered {word}"


def agree(claimed: Any, found: Any, where: str) -> None:
    """The claimed data has the shape and the values that were found."""
    if isinstance(found, dict | list):
        same_shape = isinstance(claimed, type(found)) and len(claimed) == len(found)
        demand(same_shape, f"{where} has another shape than what was found")
        for key in found if isinstance(found, dict) else range(len(found)):
            demand(not isinstance(found, dict) or key in claimed, f"{where} has no {key}")
            agree(claimed[key], found[key], f"{where}, {key if isinstance(found, dict) else f'number {key + 1}'}")
    else:
        right = claimed == found if isinstance(found, str) else extended(claimed, where) == found
        demand(right, f"{where} is {claimed}, but {shown(found)} was found")


def shown(x: Any) -> str:
    return {INF: "inf", -INF: "-inf", NAN: "nan"}.get(x, str(x))


def check_verified(certificate: Any) -> str:
    """Every pair y <= z lies in a set that the certificate lists; the sets are what the tokens make of them; the ends are right."""
    t = Transformer(certificate)
    cases, assumed = (1 << t.length) * ((1 << t.length) + 1) // 2, t.assumptions()
    agree({key: certificate[key] for key in ("cases", "assumptions")}, {"cases": cases, "assumptions": assumed}, "the scope")
    blocks = certificate["blocks"]
    demand(len(blocks) in (1, 2), "one block or two were expected")
    walked = [Block(t, given, place, place == 2) for place, given in enumerate(blocks, 1)]
    edges = [edge for block in walked for edge in (block.first - 1, block.last)]
    demand((edges[0], edges[-1], edges[1:-1]) == (0, t.length, edges[1:-1][::-1]), "the blocks leave out positions")
    demand(sorted(k for block in walked for k in block.sums) == list(range(t.sums + 1)), "each sum belongs to one block")
    ends = Ends(t, walked)
    if len(walked) == 1:
        ends.check([walked[0].equal], 1, "y = z")
        ends.check([walked[0].less], 0, "y < z")
    else:
        first, second = walked
        ends.check([first.equal, second.equal], 1, "y = z")
        ends.check([first.less, second.every], 0, "y < z in the first block")
        ends.check([first.equal, second.less], 0, "y < z in the second block")
    on = f" if {', '.join(assumed)}" if assumed else ""
    return f"verified{on}: EQ_{t.length} on all {cases} pairs y <= z"


class Block:
    """Positions first … last, the sums that depend on no others, and the states that they reach, stage by stage."""

    def __init__(self, t: Transformer, given: Any, place: int, wants_every: bool) -> None:
        self.t, self.where = t, f"block {place}"
        self.first, self.last = (integer(given[key], self.where) for key in ("first", "last"))
        demand(1 <= self.first <= self.last <= t.length, f"{self.where}: positions {self.first} to {self.last}")
        demand(self.last - self.first < 24, f"{self.where} is too wide to be checked")
        names = [*(f"sum {k}" for k in range(1, t.sums + 1)), "denominator"]
        self.sums = [names.index(name) for name in given["sums"]]
        queues = [self.dependent_addends(k) for k in self.sums]
        starts, queues = self.taken(queues, 0, 0)
        steps, reached, stages = [], self.first - 1, given["stages"]
        for stage in stages:
            first, last = (integer(stage[key], self.where) for key in ("first", "last"))
            demand(first == reached + 1 and first <= last < first + 9, f"{self.where}: a stage of {first} to {last} behind {reached}")
            step, queues = self.taken(queues, first, last)
            steps.append((first, last, step))
            reached = last
        demand(reached == self.last and not any(queues), f"{self.where}: the stages leave out positions or tokens")
        self.late = sorted({b for _, _, step in steps for each in step for reads, _ in each for b in reads if b[0] == "y"})
        self.equal = [self.start(y, starts) for y in range(2 << self.last - self.first)]
        self.less: set[State] = set()
        self.every = set(self.equal) if wants_every else set()
        for place_, (stage, known) in enumerate(zip(stages, steps, strict=True), 1):
            self.walk(*known)
            for name in ("less", "every") if wants_every else ("less",):
                self.compare(stage[name], getattr(self, name), f"{self.where}, stage {place_}, {name}")

    def dependent_addends(self, k: int) -> list[Addend]:
        """For each token that adds something to the k-th sum: the bits that matter, and a table from their values to a state."""
        found = []
        for (reads, _), terms in zip(self.t.tokens, self.t.addends, strict=True):
            bits = sorted(set(reads))
            table = {}
            for values in product((0, 1), repeat=len(bits)):
                content = int("".join(str(values[bits.index(b)]) for b in reads) or "0", 2)
                table[values] = self.t.machine.state(terms[content][k])
            for place in reversed(range(len(bits))):
                if all(table[v] == table[(*v[:place], 1 - v[place], *v[place + 1 :])] for v in table):
                    table = {(*v[:place], *v[place + 1 :]): x for v, x in table.items() if not v[place]}
                    del bits[place]
            outside = [f"{string}_{position}" for string, position in bits if not self.first <= position <= self.last]
            demand(not outside, f"{self.where}: a sum of it depends on {', '.join(outside)}, outside its positions")
            if any(table.values()):
                found.append((bits, table))
        return found

    def taken(self, queues: Queues, first: int, last: int) -> tuple[Queues, Queues]:
        """The addends of each sum up to the first that reads z behind ``last``; none may read z before ``first``."""
        taken, rest = [], []
        for queue in queues:
            end = next((k for k, (bits, _) in enumerate(queue) if any(s == "z" and i > last for s, i in bits)), len(queue))
            late = [i for bits, _ in queue[:end] for s, i in bits if s == "z" and i < first]
            demand(not late, f"{self.where}: z_{late and late[0]} is read again after its stage")
            taken.append(queue[:end])
            rest.append(queue[end:])
        return taken, rest

    def start(self, y: int, starts: Queues) -> State:
        """The state of y before any bit of z, and the bits of y that later tokens read again."""
        bit = {("y", k): y >> (self.last - k) & 1 for k in range(self.first, self.last + 1)}
        sums = (reduce(self.t.machine.add, (table[tuple(bit[b] for b in bits)] for bits, table in addends), 0) for addends in starts)
        return (*sums, tuple(bit[b] for b in self.late))

    def walk(self, first: int, last: int, step: Queues) -> None:
        """One stage: z's bits at first … last become known."""
        width = last - first + 1
        memory = {}

        def after(state: State, value: int) -> State:
            key = (state[-1], value)
            if key not in memory:
                bits = dict(zip(self.late, state[-1], strict=True))
                bits.update({("z", k): value >> (last - k) & 1 for k in range(first, last + 1)})
                memory[key] = [[table[tuple(bits[b] for b in reads)] for reads, table in addends] for addends in step]
            return (*(reduce(self.t.machine.add, addends, total) for total, addends in zip(state, memory[key], strict=False)), state[-1])

        values = range(1 << width)
        less = {after(state, value) for state in self.less for value in values}
        equal = []
        for y, state in enumerate(self.equal):
            own = y >> (self.last - last) & (1 << width) - 1
            less.update(after(state, value) for value in range(own + 1, 1 << width))
            equal.append(after(state, own))
        self.every = {after(state, value) for state in self.every for value in values}
        self.equal, self.less = equal, less

    def compare(self, runs: Any, reached: set[State], where: str) -> None:
        """The listed states are those reached, no more and no fewer."""
        listed: set[State] = set()
        for start, step, count in runs:
            start, step, count = [extended(x, where) for x in start], [number(x, where) for x in step], integer(count, where)
            demand(len(start) == len(step) == len(self.sums) + len(self.late), f"{where}: a run has one entry for each sum and late bit")
            demand(0 < count <= MOST_STATES - len(listed), f"{where}: a run of {count} states")
            rows = ([a + k * b for a, b in zip(start, step, strict=True)] for k in range(count))
            listed.update((*row[: len(self.sums)], tuple(row[len(self.sums) :])) for row in rows)
        for state in listed ^ reached:
            what = "is listed, but nothing leads to it" if state in listed else "is reached, but not listed"
            raise Rejected(f"{where}: the state {', '.join(shown(x) for x in state[:-1])} {what}")


class Ends:
    """What the transformer answers at the end, for every combination of final states."""

    def __init__(self, t: Transformer, blocks: list[Block]) -> None:
        self.t, self.names = t, [block.sums for block in blocks]
        self.live: list[tuple[int, int]] | None = None
        self.holder = next(k for k, names in enumerate(self.names) if t.sums in names)  # the block that has the denominator

    def check(self, sets: Sequence[Iterable[State]], wanted: int, when: str) -> None:
        """Every combination is answered with ``wanted``; sets has the final states of each block."""
        value = self.t.machine.value
        for tops, bottoms in self.products([{state[:-1] for state in each} for each in sets]):
            for top, denominators in product(tops, signs(bottoms)):
                wrong = (self.not_yes if wanted else self.not_no)(top, denominators)
                for bottom in wrong:
                    raise Rejected(f"{when}: {shown(value(top))} over {shown(value(bottom))} is not answered with {wanted}")

    def products(self, rows: list[set[State]]) -> Iterator[tuple[set[int], set[int]]]:
        """The combinations as (numerators, denominators): where the numerator's parts beside the denominator are equal, any with any."""
        t, own = self.t, self.names[self.holder]
        others = [k for place, names in enumerate(self.names) for k in names if place != self.holder]
        above = {()} if len(rows) == 1 else {self.weigh(others, row) for row in rows[1 - self.holder]}
        beside: dict[tuple[int, ...], set[int]] = {}
        for row in rows[self.holder]:
            beside.setdefault(self.weigh(own, row), set()).add(row[own.index(t.sums)])
        inner = [k for k in own if k != t.sums]
        for key, denominators in beside.items():
            parts = (dict(zip(inner + others, key + row, strict=True)) for row in above)
            yield {t.numerator([part_[k] for k in range(t.sums)]) for part_ in parts}, denominators

    def weigh(self, names: list[int], row: State) -> tuple[int, ...]:
        """What the sums of a row contribute to the numerator, the denominator left out."""
        return tuple(self.t.weighted(k, x) for k, x in zip(names, row, strict=True) if k != self.t.sums)

    def not_yes(self, top: int, ordered: list[int]) -> Iterator[int]:
        """Denominators of one sign that break the answer 1. Rounded division is monotone: equal at both ends is equal in between."""
        divide = self.t.machine.divide
        tried = ordered[:1] if divide(top, ordered[0]) == divide(top, ordered[-1]) else ordered
        return (bottom for bottom in tried if self.t.answer(divide(top, bottom)) != 1)

    def not_no(self, top: int, ordered: list[int]) -> Iterator[int]:
        """Denominators of one sign whose quotient lies in a run of values that are not answered with 0."""
        live = self.live = live_runs(self.t) if self.live is None else self.live
        divide, falling = self.t.machine.divide, top >= 0
        ends = sorted((divide(top, ordered[0]), divide(top, ordered[-1])))
        for low, high in live:
            if low <= ends[1] and high >= ends[0]:  # look for the first quotient that has passed the run's near end
                passed = (lambda d, x=high: divide(top, d) <= x) if falling else (lambda d, x=low: divide(top, d) >= x)
                place = bisect_left(ordered, True, key=passed)
                if place < len(ordered) and low <= divide(top, ordered[place]) <= high:
                    yield ordered[place]


def signs(denominators: Iterable[int]) -> list[list[int]]:
    """Finite denominators of one sign, ascending; zero, infinities and NaN each on their own."""
    ordered = sorted(denominators)
    zero, one = bisect_left(ordered, 0), bisect_left(ordered, 1)
    start, end = bisect_left(ordered, 1 - INF), bisect_left(ordered, INF)
    return [s for s in (ordered[start:zero], ordered[one:end], *([x] for x in (*ordered[:start], *ordered[zero:one], *ordered[end:]))) if s]


def live_runs(t: Transformer) -> list[tuple[int, int]]:
    """The values of the attention that are not answered with 0, as runs (first, last) of states.

    Each hidden node is monotone in the attention, and the output in each hidden node. Where the output is the same with all its terms at
    their lowest and at their highest over an interval, it is the same on all of it; other intervals are halved.
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

    live = [(s, s) for s in (-INF, INF, NAN) if t.answer(s) != 0]
    waiting = [(-count + 1, count - 1)]
    while waiting:
        first, last = waiting.pop()
        constant, output = box(t, state(first), state(last))
        if not constant and first < last:
            middle = (first + last) // 2
            waiting += [(first, middle), (middle + 1, last)]
        elif (output if constant else t.answer(state(first))) != 0:
            live.append((state(first), state(last)))
    return sorted(live)


def box(t: Transformer, first: int, last: int) -> tuple[bool, Value | None]:
    """Whether the output is surely the same for all attention values from ``first`` to ``last``, and that output."""
    m, (weights, bias) = t.machine, t.output
    ends = [t.mlp(first)[0], t.mlp(last)[0]]
    low: Value = Fraction(0)
    high = low
    for k, w in enumerate(weights):
        products = [m.times(w, hidden[k]) for hidden in ends]
        low, high = m.plus(low, min(products)), m.plus(high, max(products))
        if NAN in (low, high, *products):
            return False, None
    low, high = (max(0, m.plus(end, bias)) for end in (low, high))
    return low == high != NAN, low


def check_fooling(certificate: Any) -> str:
    """The diagonal: EQ is 1 at each (x, x); of two members x < x', the entry (x, x') keeps y <= z and is 0 (Definition A.5)."""
    if certificate["rule"] != "diagonal":
        raise Unknown(f"the rule {certificate['rule']!r}")
    members = 1 << read_problem(certificate["problem"])
    facts = {"size": members, "pairs": members * (members - 1) // 2, "bits": (members - 1).bit_length()}
    agree({key: certificate[key] for key in facts}, facts, "the set")
    return f"fooling set: {members} members, at least {facts['bits']} bits"


KINDS = {"verified": check_verified, "refuted": check_refuted, "fooling-set": check_fooling}


def read(path: str) -> Any:
    try:
        with open(path, "rb") as file:
            data = file.read()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        certificate = json.loads(data.decode(), parse_float=str, parse_constant=str)
    except (OSError, EOFError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Unknown(f"not readable as JSON: {error}") from None
    if not isinstance(certificate, dict) or certificate.get("format") != VERSION:
        raise Unknown(f"the format is not {VERSION}")
    return certificate


def recheck(certificate: Any) -> str:
    """One line that says what the certificate proves. Raises Rejected or Unknown."""
    kind = certificate.get("kind")
    if kind not in KINDS:
        raise Unknown(f"the kind {kind!r}")
    try:
        demand(certificate["digest"] == digest(certificate), "the digest is not that of the statement")
        fact = KINDS[kind](certificate)
    except (TypeError, KeyError, AttributeError, IndexError, ValueError) as error:
        raise Unknown(f"malformed: {type(error).__name__}: {error}") from None
    return f"{certificate['claim']} ({certificate['edition']}) at {json.dumps(certificate['parameters'])}: {fact}"


def main(arguments: list[str]) -> int:
    try:
        if len(arguments) != 1:
            raise Unknown("usage: python recheck.py FILE")
        print(f"accepted: {recheck(read(arguments[0]))}")
        return 0
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    except Unknown as reason:
        print(f"not a certificate known here: {reason}")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Recheck a Bitreferee certificate. One file, standard library only, its own arithmetic: read it in one sitting, then run

    python recheck.py FILE        exit 0: accepted · 1: rejected, with the reason · 2: not a certificate that this program knows

A certificate is JSON (or gzipped JSON) with the keys
  format        "bitreferee/certificate/1"
  kind          "verified", "refuted" or "fooling-set"
  claim, edition, parameters      what the certificate is about
  semantics     every knob of the arithmetic, by name
  construction  bits, problem, tokens (what each reads, its vector for every content), W^Q, W^K, W^V, MLP: all of it, expanded
  digest        SHA-256 over all of the above, numbers in lowest terms: it binds the facts below to their statement
  refuted:      input (y, z) and trace: after each token its weight, products and running sums; then the output and the answer
  verified:     cases, assumptions, and blocks: positions of the strings, the sums that read them, and for each stage (some positions
                of z become known) the states reached while y < z already (less) and by all pairs (every), as runs [start, step, count]
                in units of the format; one block, or two whose sums do not depend on each other's positions
  fooling-set:  problem, rule (diagonal, or listed with members), size, pairs and bits

What is accepted: the construction, as embedded, under the semantics, computes its function on all promise pairs (verified); or gives a
wrong answer on that pair (refuted); or: the set fools, so that at least ``bits`` bits are needed. Numbers are exact, in any spelling.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
from bisect import bisect_left
from fractions import Fraction
from itertools import product
from math import factorial

VERSION = "bitreferee/certificate/1"
INF, NAN = 1 << 200, 1 << 201  # states that are no numbers, beyond all that are; -INF is minus infinity
LARGE = ("N", "-N")  # the papers' "large enough N": nothing but its sign is known
MOST_BITS, LONGEST_LIST, MOST_STATES = 64, 1 << 21, 1 << 24
KNOBS = {
    "point": ("free", "grid"),
    "rounding": ("nearest", "truncate"),
    "ties": ("zero", "even", "away"),
    "overflow": ("after", "before", "saturate"),
    "order": ("ax", "products", "values"),
    "columns": ("used", "all"),
    "entries": ("exact", "rounded"),
    "ln2": ("ideal", "rounded"),
}


class Rejected(Exception):
    """The certificate says something that does not follow."""


class Unknown(Exception):
    """Not a certificate that this program can read."""


def demand(holds, reason):
    if not holds:
        raise Rejected(reason)


# ---------------------------------------------------------------------------------------------------- reading

NUMBER = re.compile(r"[+-]?\d{1,2000}(/\d{1,2000}|\.\d{1,2000})?")


def number(text, where):
    """An exact rational: 3, "3", "6/2", "3.0"."""
    if isinstance(text, int) and not isinstance(text, bool):
        return Fraction(text)
    if not isinstance(text, str) or not NUMBER.fullmatch(text.strip()) or re.search(r"/0+$", text.strip()):
        raise Unknown(f"{where}: {text!r} is no exact number")
    return Fraction(text.strip())


def integer(text, where):
    value = number(text, where)
    if value.denominator != 1:
        raise Unknown(f"{where}: {text!r} is no integer")
    return value.numerator


def extended(text, where):
    """A rational, or inf, -inf, nan."""
    return {"inf": INF, "-inf": -INF, "nan": NAN}[text] if text in ("inf", "-inf", "nan") else number(text, where)


def part(record, key, kind, where="the certificate"):
    """record[key], which must be of the given kind."""
    if not isinstance(record, dict) or key not in record:
        raise Unknown(f"{where} has no {key}")
    if not isinstance(record[key], kind):
        raise Unknown(f"{where}: {key} is no {kind.__name__}")
    if kind is list and len(record[key]) > LONGEST_LIST:
        raise Unknown(f"{where}: {key} has more than {LONGEST_LIST} entries")
    return record[key]


def canonical(value):
    """The same content with every number in lowest terms, as text: what the digest is made of."""
    if isinstance(value, dict):
        return {key: canonical(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [canonical(each) for each in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int) or (isinstance(value, str) and NUMBER.fullmatch(value.strip()) and not re.search(r"/0+$", value.strip())):
        return str(number(value, "digest"))
    if isinstance(value, str):
        return value
    raise Unknown(f"{value!r} is no exact number")


def digest(certificate):
    keys = ("format", "kind", "claim", "edition", "parameters", "semantics", "construction", "problem")
    statement = canonical({key: certificate[key] for key in keys if key in certificate})
    return "sha256:" + hashlib.sha256(json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


# ------------------------------------------------------------------------------------------------- arithmetic


class Machine:
    """p bits (Every Bit Counts, Definition A.7 and Section A.3): every operation exact, then rounded once.

    A state is an integer, the value in units of the format: 2^-(p-1) where the point is free, the scale on a fixed grid.
    """

    def __init__(self, bits, knobs, scale):
        self.rounding, self.ties, self.overflow = knobs["rounding"], knobs["ties"], knobs["overflow"]
        self.digits = bits - 1
        self.free = knobs["point"] == "free"
        self.unit = Fraction(1, 1 << self.digits) if self.free else scale
        self.largest = ((1 << self.digits) - 1) << (self.digits if self.free else 0)

    def spacing(self, whole):
        """Units between neighbours where the magnitude is at least ``whole`` units: i integer digits leave p-1-i for the fraction."""
        integer_digits = (whole >> self.digits).bit_length()
        return 1 << min(integer_digits, self.digits) if self.free else 1

    def rounded(self, top, bottom=1):
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

    def infinite(self, negative):
        size = self.largest if self.overflow == "saturate" else INF
        return -size if negative else size

    def state(self, x):
        """A rational rounded to a state; infinities become the largest value where the machine saturates."""
        if x in (INF, -INF):
            return self.infinite(x < 0)
        if x == NAN:
            return NAN
        units = Fraction(x) / self.unit
        return self.rounded(units.numerator, units.denominator)

    def value(self, state):
        return state if abs(state) >= INF else state * self.unit

    def holds(self, x):
        """Whether a rational is a value of the format."""
        units = abs(Fraction(x)) / self.unit
        return units.denominator == 1 and units <= self.largest and units.numerator % self.spacing(units.numerator) == 0

    def add(self, a, b):
        """Rounded a + b of states (or of a state and any number of whole units)."""
        if abs(a) < INF and abs(b) < INF:
            return self.rounded(a + b)
        if NAN in (a, b) or (abs(a) == abs(b) and a != b):
            return NAN
        return self.infinite((a if abs(a) == INF else b) < 0)

    def divide(self, a, b):
        """Rounded a / b of states; zero has no sign."""
        if NAN in (a, b) or (abs(a) == INF == abs(b)) or a == b == 0:
            return NAN
        if abs(a) == INF or b == 0:
            return self.infinite((a < 0) != (b < 0))
        if abs(b) == INF:
            return 0
        side = -1 if b < 0 else 1
        return self.rounded(side * a * self.unit.denominator, abs(b) * self.unit.numerator)

    def times(self, x, y):
        """Rounded x · y of values (rationals, which need not be of the format, or infinite or NaN)."""
        if NAN in (x, y):
            return NAN
        if abs(x) == INF or abs(y) == INF:
            return NAN if 0 in (x, y) else self.value(self.infinite((x < 0) != (y < 0)))
        return self.value(self.state(x * y))

    def plus(self, x, y):
        """Rounded x + y of values."""
        if abs(x) < INF and abs(y) < INF:
            return self.value(self.state(Fraction(x) + y))
        return self.value(self.add(x if abs(x) >= INF else 0, y if abs(y) >= INF else 0))

    def sum(self, values):
        total = Fraction(0)
        for x in values:
            total = self.plus(total, x)
        return total

    def real(self, enclosure):
        """The state of an irrational number, from enclosures that shrink: both ends round alike."""
        terms = 16
        while terms <= 4096:
            low, high = (self.state(end) for end in enclosure(terms))
            if low == high:
                return low
            terms *= 2
        raise Rejected("a rounding of exp stays undecided")

    def exp(self, low_factor, times_ln2=False):
        """e^x or e^(x ln 2), rounded, as a value."""
        x = low_factor
        if x == 0 or (times_ln2 and x.denominator == 1 and abs(x) <= 4096):
            return self.value(self.state(Fraction(2) ** x.numerator if times_ln2 else Fraction(1)))
        if abs(x) > 4 * self.digits + abs(self.unit.numerator).bit_length() + self.unit.denominator.bit_length() + 8:
            return self.value(self.infinite(False)) if x > 0 else Fraction(0)  # 2^|x| is beyond twice the largest, or 1/unit

        def enclosure(terms):
            ends = [x * factor for factor in ln2(terms)] if times_ln2 else [x, x]
            return exponential(min(ends), terms)[0], exponential(max(ends), terms)[1]

        return self.value(self.real(enclosure))


def ln2(terms):
    """ln 2 = Σ 1/(k 2^k): the tail is below its next term doubled."""
    low = sum((Fraction(1, k << k) for k in range(1, 8 * terms)), Fraction(0))
    return low, low + Fraction(1, 1 << (8 * terms - 1))


def exponential(x, terms):
    """Bounds of e^x by Taylor's series with the tail as a geometric one."""
    if x < 0:
        low, high = exponential(-x, terms)
        return 1 / high, 1 / low
    count = terms + 4 * int(x)
    low = sum((x**k / factorial(k) for k in range(count)), Fraction(0))
    return low, low + x**count / factorial(count) / (1 - x / (count + 1))


# ----------------------------------------------------------------------------------------------- construction


class Transformer:
    """The construction under its semantics (Section A.4): what each token adds to each running sum, and what the MLP answers."""

    def __init__(self, certificate):
        given = part(certificate, "construction", dict)
        semantics = part(certificate, "semantics", dict)
        self.knobs = {}
        for knob, settings in KNOBS.items():
            self.knobs[knob] = part(semantics, knob, str, "semantics")
            if self.knobs[knob] not in settings:
                raise Unknown(f"semantics: {knob}={self.knobs[knob]}")
        bits = integer(part(given, "bits", object, "construction"), "bits")
        if not 1 <= bits <= MOST_BITS:
            raise Unknown(f"{bits} bits")
        scale = number(semantics.get("scale", "1"), "semantics: scale")
        demand(scale > 0, "the scale is not positive")
        self.machine = Machine(bits, self.knobs, scale)
        self.length = read_problem(part(given, "problem", dict, "construction"))
        self.raw = []  # every entry and weight as printed, for the assumption exact-entries
        query, key, value = (self.matrix(given, name) for name in ("query", "key", "value"))
        self.ln2 = given["query"].get("ln2") is True
        if any(given[name].get("ln2") is True for name in ("key", "value")):
            raise Unknown("a factor ln 2 in W^K or W^V")
        self.value_weights = [row[0] for row in value]
        used = [c for c, w in enumerate(self.value_weights) if w != 0]
        self.columns = list(range(len(value))) if self.knobs["columns"] == "all" else used
        self.sums = len(self.columns) if self.knobs["order"] == "ax" else 1
        self.key = key
        self.tokens = [self.token(t, k, len(query)) for k, t in enumerate(part(given, "tokens", list, "construction"), 1)]
        demand(self.tokens and not self.tokens[-1][0], "the last token asks and must be a constant")
        mlp = part(given, "mlp", dict, "construction")
        self.hidden = [self.node(n, 1) for n in part(mlp, "hidden", list, "mlp")]
        self.output = self.node(part(mlp, "output", dict, "mlp"), len(self.hidden))
        if self.ln2 and self.knobs["ln2"] == "rounded":
            query = [
                [self.machine.value(self.machine.real(lambda t, x=x: sorted(x * f for f in ln2(t)))) if x else x for x in r] for r in query
            ]
        self.query = self.project(self.tokens[-1][1][0], query)
        self.addends = [[self.terms(v) for v in vectors] for _, vectors in self.tokens]
        self.answers = {}

    def entry(self, text, where, raw=True):
        x = number(text, where)
        if raw:
            self.raw.append(x)
        rounds = self.knobs["entries"] == "rounded"
        return self.machine.value(self.machine.state(x)) if rounds else x

    def matrix(self, given, name):
        spec = part(given, name, dict, "construction")
        rows = part(spec, "rows", list, name)
        later = name == "query" and spec.get("ln2") is True and self.knobs["ln2"] == "rounded"  # rounded with its factor, once
        read = (lambda x: self.raw.append(number(x, name)) or number(x, name)) if later else (lambda x: self.entry(x, name))
        matrix = [[read(x) for x in row] for row in rows]
        widths = {len(row) for row in matrix}
        if len(widths) != 1 or 0 in widths or (name == "value" and widths != {1}):
            raise Unknown(f"{name}: the rows of a matrix have one length")
        return matrix

    def token(self, given, place, dimension):
        """Its bits as (string, position), and its vector for each content."""
        where = f"token {place}"
        reads = []
        for text in part(given, "reads", list, where):
            match = re.fullmatch(r"([yz])\[(\d{1,6})\]", text) if isinstance(text, str) else None
            if not match or not 1 <= int(match[2]) <= self.length:
                raise Unknown(f"{where} reads {text!r}")
            reads.append((match[1], int(match[2])))
        vectors = part(given, "vectors", list, where)
        demand(len(reads) <= 16 and len(vectors) == 1 << len(reads), f"{where}: a vector for each content was expected")
        read = [[x if x in LARGE else self.entry(x, where) for x in vector] for vector in vectors]
        demand(all(len(vector) == dimension for vector in read), f"{where}: vectors of dimension {dimension} were expected")
        return reads, read

    def node(self, given, inputs):
        weights = [self.entry(w, "mlp") for w in part(given, "weights", list, "mlp")]
        demand(len(weights) == inputs, f"mlp: {inputs} weights were expected at each node")
        return weights, self.entry(part(given, "bias", object, "mlp"), "mlp")

    def project(self, vector, weights):
        """vector · weights; N times 0 is 0, and N with anything finite is N."""
        found = []
        for j in range(len(weights[0])):
            products = [
                times_large(x, row[j]) if x in LARGE else self.machine.times(x, row[j]) for x, row in zip(vector, weights, strict=True)
            ]
            large = [x for x in products if x in LARGE]
            found.append(large[0] if large else self.machine.sum(products))
        return found

    def weight(self, vector):
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

    def terms(self, vector):
        """What a token adds: to each sum of the numerator, and last to the denominator, as values."""
        weight, order = self.weight(vector), self.knobs["order"]
        times = self.machine.times
        if order == "ax":
            return [*(self.times_entry(weight, vector[c]) for c in self.columns), weight]
        if order == "products":
            parts = [times(self.times_entry(weight, vector[c]), self.value_weights[c]) for c in self.columns]
            return [self.machine.sum(parts), weight]
        return [times(weight, self.machine.sum(self.times_entry(self.value_weights[c], vector[c]) for c in self.columns)), weight]

    def times_entry(self, x, entry):
        if entry not in LARGE:
            return self.machine.times(x, entry)
        large = times_large(entry, x)
        return self.machine.value(self.machine.infinite(large == "-N")) if large in LARGE else large

    def weighted(self, k, state):
        """What the k-th sum contributes to the numerator, as a state."""
        if self.knobs["order"] != "ax":
            return state
        return self.machine.state(self.machine.times(self.machine.value(state), self.value_weights[self.columns[k]]))

    def numerator(self, parts):
        """The contributions added left to right; where the products were summed there is one."""
        total = 0
        for state in parts:
            total = self.machine.add(total, state)
        return total if self.knobs["order"] == "ax" else parts[0]

    def node_value(self, node, inputs):
        """max{0, Σ w·x + b}."""
        weights, bias = node
        total = self.machine.plus(self.machine.sum(self.machine.times(w, x) for w, x in zip(weights, inputs, strict=True)), bias)
        return total if total == NAN else max(Fraction(0), total)

    def mlp(self, attention):
        """The values of the hidden nodes and of the output, for a state of the attention's output."""
        hidden = [self.node_value(n, [self.machine.value(attention)]) for n in self.hidden]
        return hidden, self.node_value(self.output, hidden)

    def answer(self, attention):
        """1 or 0; None for an output that is neither. NaN is rejected, which is to say answered with 0."""
        if attention not in self.answers:
            output = self.mlp(attention)[1]
            self.answers[attention] = 0 if output in (0, NAN) else 1 if output == 1 else None
        return self.answers[attention]

    def assumptions(self):
        exact = self.knobs["entries"] == "exact" and not all(self.machine.holds(x) for x in self.raw)
        return ["exact-entries"] if exact else []


def times_large(large, x):
    """±N · x, exactly."""
    if x == 0 or x == NAN:
        return x
    return "N" if (large == "N") == (x > 0) else "-N"


def read_problem(given):
    """The length of the strings; only EQ under y <= z is known."""
    if (given.get("function"), given.get("promise")) != ("EQ", "y <= z"):
        raise Unknown(f"the problem {given.get('function')} under {given.get('promise')}")
    length = integer(part(given, "length", object, "problem"), "problem: length")
    demand(1 <= length <= 4096, f"strings of {length} bits")
    return length


# ---------------------------------------------------------------------------------------------------- refuted


def check_refuted(certificate):
    """Run the transformer on the input; every line of the trace must be what comes out, and the answer must be wrong."""
    t = Transformer(certificate)
    given, trace = part(certificate, "input", dict), part(certificate, "trace", dict)
    strings = {name: part(given, name, str, "input") for name in "yz"}
    for name, text in strings.items():
        demand(len(text) == t.length and not set(text) - {"0", "1"}, f"input: {name} is no string of {t.length} bits")
    demand(strings["y"] <= strings["z"], "the input breaks the promise y <= z")
    expected = int(strings["y"] == strings["z"])
    steps = part(trace, "steps", list, "trace")
    demand(len(steps) == len(t.tokens), f"the trace has {len(steps)} steps, the construction {len(t.tokens)} tokens")
    sums = [0] * (t.sums + 1)
    for place, (step, (reads, _), terms) in enumerate(zip(steps, t.tokens, t.addends, strict=True), 1):
        content = "".join(strings[s][k - 1] for s, k in reads)
        added = terms[int(content or "0", 2)]
        sums = [t.machine.add(s, t.machine.state(x)) for s, x in zip(sums, added, strict=True)]
        same(step, "content", content, f"token {place}")
        same_values(step, "products", added[:-1], f"token {place}")
        same_values(step, "weight", added[-1], f"token {place}")
        same_values(step, "sums", [t.machine.value(s) for s in sums[:-1]], f"token {place}")
        same_values(step, "denominator", t.machine.value(sums[-1]), f"token {place}")
    top = t.numerator([t.weighted(k, s) for k, s in enumerate(sums[:-1])])
    attention = t.machine.divide(top, sums[-1])
    hidden, output = t.mlp(attention)
    for key, value in (("numerator", top), ("denominator", sums[-1]), ("attention", attention)):
        same_values(trace, key, t.machine.value(value), "trace")
    same_values(trace, "hidden", hidden, "trace")
    same_values(trace, "output", output, "trace")
    answer = t.answer(attention)
    same(trace, "answer", {0: "0", 1: "1", None: "neither"}[answer], "trace")
    demand(answer != expected, f"the transformer answers {answer} on this input, and that is right: nothing is refuted")
    return f"refuted: EQ_{t.length} at y = {strings['y']}, z = {strings['z']}: expected {expected}, answered {trace['answer']}"


def same(record, key, found, where):
    claimed = part(record, key, str, where)
    demand(claimed == found, f"{where}: {key} is {claimed}, but {found} was found")


def same_values(record, key, found, where):
    claimed = part(record, key, object, where)
    listed = isinstance(found, list)
    demand(isinstance(claimed, list) == listed and (not listed or len(claimed) == len(found)), f"{where}: {key} has another shape")
    for a, b in zip(claimed, found, strict=True) if listed else [(claimed, found)]:
        demand(extended(a, where) == b, f"{where}: {key} is {a}, but {shown(b)} was found")


def shown(x):
    return {INF: "inf", -INF: "-inf", NAN: "nan"}.get(x, str(x))


# --------------------------------------------------------------------------------------------------- verified


def check_verified(certificate):
    """Every pair y <= z lies in a set that the certificate lists; the sets are what the tokens make of them; the ends are right."""
    t = Transformer(certificate)
    claimed = integer(part(certificate, "cases", object), "cases")
    cases = (1 << t.length) * ((1 << t.length) + 1) // 2
    demand(claimed == cases, f"cases is {claimed}, there are {cases} pairs y <= z of length {t.length}")
    assumed = part(certificate, "assumptions", list)
    demand(assumed == t.assumptions(), f"assumptions are {assumed}, but {t.assumptions()} was found")
    blocks = part(certificate, "blocks", list)
    demand(len(blocks) in (1, 2), "one block or two were expected")
    walked = [Block(t, given, place, len(blocks) == 2 and place == 2) for place, given in enumerate(blocks, 1)]
    demand(walked[0].first == 1 and walked[-1].last == t.length, "the blocks leave out positions")
    demand(len(walked) == 1 or walked[1].first == walked[0].last + 1, "the blocks overlap or leave out positions")
    names = sorted(k for block in walked for k in block.sums)
    demand(names == list(range(t.sums + 1)), "each sum belongs to one block")
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

    def __init__(self, t, given, place, wants_every):
        self.t, self.where = t, f"block {place}"
        self.first, self.last = (integer(part(given, key, object, self.where), self.where) for key in ("first", "last"))
        demand(1 <= self.first <= self.last <= t.length, f"{self.where}: positions {self.first} to {self.last}")
        demand(self.last - self.first < 24, f"{self.where} is too wide to be checked")
        self.sums = [self.sum_number(name) for name in part(given, "sums", list, self.where)]
        queues = [self.dependent_addends(k) for k in self.sums]
        starts, queues = self.taken(queues, 0, 0)
        edges, stages = [], part(given, "stages", list, self.where)
        for number_, stage in enumerate(stages, 1):
            edge = [integer(part(stage, key, object, self.where), self.where) for key in ("first", "last")]
            demand(edge[0] == (edges[-1][1] + 1 if edges else self.first), f"{self.where}, stage {number_} skips positions")
            demand(edge[0] <= edge[1] < edge[0] + 9, f"{self.where}, stage {number_}: positions {edge}")
            edges.append(edge)
        demand(edges and edges[-1][1] == self.last, f"{self.where}: the stages leave out positions")
        steps = []
        for first, last in edges:
            step, queues = self.taken(queues, first, last)
            steps.append(step)
        demand(not any(queues), f"{self.where}: tokens are left over")
        self.late = sorted({b for step in steps for each in step for reads, _ in each for b in reads if b[0] == "y"})
        width = self.last - self.first + 1
        self.equal = [self.start(y, starts) for y in range(1 << width)]
        self.less, self.every = set(), set(self.equal) if wants_every else set()
        for number_, (stage, (first, last), step) in enumerate(zip(stages, edges, steps, strict=True), 1):
            self.walk(stage, first, last, step, f"{self.where}, stage {number_}")
            wanted = [("less", self.less), ("every", self.every)] if wants_every else [("less", self.less)]
            for name, reached in wanted:
                self.compare(part(stage, name, list, self.where), reached, f"{self.where}, stage {number_}, {name}")

    def sum_number(self, name):
        """sum 1, sum 2, … are those of the numerator, then comes the denominator."""
        names = [*(f"sum {k}" for k in range(1, self.t.sums + 1)), "denominator"]
        demand(name in names, f"{self.where}: no sum is called {name!r}")
        return names.index(name)

    def dependent_addends(self, k):
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
            for string, position in bits:
                inside = self.first <= position <= self.last
                demand(inside, f"{self.where}: a sum of it depends on {string}_{position}, which is outside the block")
            if any(table.values()):
                found.append((bits, table))
        return found

    def taken(self, queues, first, last):
        """The addends of each sum up to the first that reads z behind ``last``; none may read z before ``first``."""
        taken, rest = [], []
        for queue in queues:
            end = next((k for k, (bits, _) in enumerate(queue) if any(s == "z" and i > last for s, i in bits)), len(queue))
            late = [i for bits, _ in queue[:end] for s, i in bits if s == "z" and i < first]
            demand(not late, f"{self.where}: z_{late and late[0]} is read again after its stage")
            taken.append(queue[:end])
            rest.append(queue[end:])
        return taken, rest

    def bit_of_y(self, y, position):
        return y >> (self.last - position) & 1

    def start(self, y, starts):
        """The state of y before any bit of z, and the bits of y that later tokens read again."""
        state = []
        for addends in starts:
            total = 0
            for bits, table in addends:
                total = self.t.machine.add(total, table[tuple(self.bit_of_y(y, k) for _, k in bits)])
            state.append(total)
        return (*state, tuple(self.bit_of_y(y, k) for _, k in self.late))

    def walk(self, stage, first, last, step, where):
        """One stage: z's bits at first … last become known."""
        width = last - first + 1
        memory = {}

        def after(state, value):
            key = (state[-1], value)
            if key not in memory:
                bits = dict(zip(self.late, state[-1], strict=True))
                bits.update({("z", k): value >> (last - k) & 1 for k in range(first, last + 1)})
                memory[key] = [[table[tuple(bits[b] for b in reads)] for reads, table in addends] for addends in step]
            result = []
            for total, addends in zip(state, memory[key], strict=False):
                for x in addends:
                    total = self.t.machine.add(total, x)
                result.append(total)
            return (*result, state[-1])

        values = range(1 << width)
        less = {after(state, value) for state in self.less for value in values}
        equal = []
        for y, state in enumerate(self.equal):
            own = y >> (self.last - last) & (1 << width) - 1
            less.update(after(state, value) for value in range(own + 1, 1 << width))
            equal.append(after(state, own))
        self.every = {after(state, value) for state in self.every for value in values}
        self.equal, self.less = equal, less

    def compare(self, runs, reached, where):
        """The listed states are those reached, no more and no fewer."""
        listed = set()
        for run in runs:
            demand(isinstance(run, list) and len(run) == 3, f"{where}: a run is [start, step, count]")
            start, step = ([extended(x, where) for x in each] if isinstance(each, list) else [] for each in run[:2])
            count = integer(run[2], where)
            demand(len(start) == len(step) == len(self.sums) + len(self.late), f"{where}: a run has one entry for each sum and late bit")
            demand(0 < count <= MOST_STATES, f"{where}: a run of {count} states")
            for k in range(count):
                row = [a + k * b for a, b in zip(start, step, strict=True)]
                listed.add((*row[: len(self.sums)], tuple(row[len(self.sums) :])))
            demand(len(listed) <= MOST_STATES, f"{where}: more than {MOST_STATES} states")
        for state in listed ^ reached:
            what = "is listed, but nothing leads to it" if state in listed else "is reached, but not listed"
            raise Rejected(f"{where}: the state {', '.join(shown(x) for x in state[:-1])} {what}")


class Ends:
    """What the transformer answers at the end, for every combination of final states."""

    def __init__(self, t, blocks):
        self.t, self.blocks = t, blocks
        self.live = None

    def check(self, sets, wanted, when):
        """Every combination is answered with ``wanted``; sets has the final states of each block."""
        for group in self.groups(sets):
            for numerators, denominators in group:
                for same_sign in signs(denominators):
                    for top in numerators:
                        if wanted == 1:
                            self.all_yes(top, same_sign, when)
                        else:
                            self.none_live(top, same_sign, when)

    def groups(self, sets):
        """The combinations as products: lists of (numerators, denominators)."""
        t, names = self.t, [block.sums for block in self.blocks]
        rows = [{state[:-1] for state in each} for each in sets]
        holder = next(k for k, each in enumerate(names) if t.sums in each)
        above = (
            {tuple(t.weighted(k, x) for k, x in zip(names[1 - holder], row, strict=True)) for row in rows[1 - holder]}
            if len(sets) == 2
            else {()}
        )
        beside = {}
        for row in rows[holder]:
            named = dict(zip(names[holder], row, strict=True))
            key = tuple(t.weighted(k, x) for k, x in named.items() if k != t.sums)
            beside.setdefault(key, set()).add(named[t.sums])
        sums = [k for k in names[holder] if k != t.sums]
        others = names[1 - holder] if len(sets) == 2 else []
        for key, denominators in beside.items():
            tops = set()
            for values in above:
                parts = {**dict(zip(sums, key, strict=True)), **dict(zip(others, values, strict=True))}
                tops.add(t.numerator([parts[k] for k in range(t.sums)]))
            yield [(tops, denominators)]

    def wrong(self, top, bottom, wanted, when):
        values = (shown(self.t.machine.value(x)) for x in (top, bottom))
        raise Rejected(f"{when}: numerator {{}} over denominator {{}} is not answered with {wanted}".format(*values))

    def all_yes(self, top, ordered, when):
        """Rounded division is monotone along denominators of one sign: equal quotients at both ends are equal in between."""
        ends = [self.t.machine.divide(top, d) for d in (ordered[0], ordered[-1])]
        for bottom in (ordered[0], ordered[-1]) if ends[0] == ends[1] else ordered:
            if self.t.answer(self.t.machine.divide(top, bottom)) != 1:
                self.wrong(top, bottom, 1, when)

    def none_live(self, top, ordered, when):
        """No quotient lies in a run of values that are answered with something else than 0."""
        if self.live is None:
            self.live = live_runs(self.t)
        falling = top >= 0
        size = len(ordered)
        quotient = self.t.machine.divide
        ends = sorted((quotient(top, ordered[0]), quotient(top, ordered[-1])))
        for low, high in self.live:
            if high < ends[0] or low > ends[1]:
                continue
            place, step = 0, 1 << size.bit_length()
            while step:  # the first denominator whose quotient has entered the run, coming from its outside
                if place + step <= size:
                    x = quotient(top, ordered[place + step - 1])
                    if (x > high) if falling else (x < low):
                        place += step
                step >>= 1
            if place < size and low <= quotient(top, ordered[place]) <= high:
                self.wrong(top, ordered[place], 0, when)


def signs(denominators):
    """Finite denominators of one sign, ascending; zero, infinities and NaN each on their own."""
    ordered = sorted(denominators)
    zero, one = bisect_left(ordered, 0), bisect_left(ordered, 1)
    start, end = bisect_left(ordered, 1 - INF), bisect_left(ordered, INF)
    return [s for s in (ordered[start:zero], ordered[one:end], *([x] for x in (*ordered[:start], *ordered[zero:one], *ordered[end:]))) if s]


def live_runs(t):
    """The values of the attention that are not answered with 0, as runs (first, last) of states.

    Each hidden node is monotone in the attention, and the output in each hidden node. Where the output is the same with all its terms at
    their lowest and at their highest over an interval, it is the same on all of it; other intervals are halved.
    """
    m = t.machine
    digits, half = m.digits, 1 << max(m.digits - 1, 0)
    count = (1 << digits) + (half * digits if m.free and digits else 0)  # magnitudes, 0 among them

    def state(index):
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
        if constant:
            if output != 0:
                live.append((state(first), state(last)))
        elif first < last:
            middle = (first + last) // 2
            waiting += [(first, middle), (middle + 1, last)]
        elif t.answer(state(first)) != 0:
            live.append((state(first), state(last)))
    return sorted(live)


def box(t, first, last):
    """Whether the output is surely the same for all attention values from ``first`` to ``last``, and that output."""
    m = t.machine
    weights, bias = t.output
    ends = [t.mlp(first)[0], t.mlp(last)[0]]
    low = high = Fraction(0)
    for k, w in enumerate(weights):
        products = [m.times(w, hidden[k]) for hidden in ends]
        if NAN in products:
            return False, None
        low, high = m.plus(low, min(products)), m.plus(high, max(products))
        if NAN in (low, high):
            return False, None
    low, high = m.plus(low, bias), m.plus(high, bias)
    if NAN in (low, high):
        return False, None
    return max(low, 0) == max(high, 0), max(low, 0)


# ------------------------------------------------------------------------------------------------ fooling sets

FUNCTIONS = {"EQ": lambda y, z: y == z, "GT": lambda y, z: y > z}
PROMISES = {"y <= z": lambda y, z: y <= z, "none": lambda y, z: True}
MOST_MEMBERS = 4096


def check_fooling(certificate):
    """All members have one value; of each two, a cross entry keeps the promise and has another value (Definition A.5)."""
    problem = part(certificate, "problem", dict)
    if problem.get("function") not in FUNCTIONS or problem.get("promise") not in PROMISES:
        raise Unknown(f"the problem {problem.get('function')} under {problem.get('promise')}")
    function, promise = FUNCTIONS[problem["function"]], PROMISES[problem["promise"]]
    length = integer(part(problem, "length", object, "problem"), "problem: length")
    demand(1 <= length <= 4096, f"strings of {length} bits")
    rule = part(certificate, "rule", str)
    size, pairs, bits = (integer(part(certificate, key, object), key) for key in ("size", "pairs", "bits"))
    if rule == "diagonal":
        # Of two members x < x', the entry (x, x') keeps y <= z and every other promise known here; EQ is 0 there and 1 on the diagonal.
        demand(problem["function"] == "EQ", "the diagonal is a fooling set of EQ")
        found = 1 << length
    elif rule == "listed":
        members = [tuple(integer(x, "members") for x in pair) for pair in part(certificate, "members", list)]
        demand(0 < len(members) <= MOST_MEMBERS, f"{len(members)} members; 1 to {MOST_MEMBERS} are checked pair by pair")
        check_members(members, function, promise, length)
        found = len(members)
    else:
        raise Unknown(f"the rule {rule!r}")
    demand(size == found, f"size is {size}, the set has {found} members")
    demand(pairs == found * (found - 1) // 2, f"pairs is {pairs}, there are {found * (found - 1) // 2}")
    demand(bits == (found - 1).bit_length(), f"bits is {bits}, {found} members need {(found - 1).bit_length()}")
    return f"fooling set: {found} members, at least {bits} bits"


def check_members(members, function, promise, length):
    for member in members:
        demand(len(member) == 2 and all(0 <= x < 1 << length for x in member), f"{member} is no pair of strings of {length} bits")
        demand(promise(*member), f"the member {member} breaks the promise")
    value = function(*members[0])
    for k, (y, z) in enumerate(members):
        demand(function(y, z) == value, f"the member {(y, z)} has another value than the first")
        for other_y, other_z in members[:k]:
            crosses = [(y, other_z), (other_y, z)]
            fooled = any(promise(*cross) and function(*cross) != value for cross in crosses)
            demand(fooled, f"nothing separates {(other_y, other_z)} and {(y, z)}")


# -------------------------------------------------------------------------------------------------------- main

KINDS = {"verified": check_verified, "refuted": check_refuted, "fooling-set": check_fooling}


def no_float(text):
    raise Unknown(f"{text} is no exact number")


def read(path):
    try:
        with open(path, "rb") as file:
            data = file.read()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        certificate = json.loads(data.decode(), parse_float=no_float, parse_constant=no_float)
    except (OSError, EOFError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Unknown(f"not readable as JSON: {error}") from None
    if not isinstance(certificate, dict) or certificate.get("format") != VERSION:
        raise Unknown(f"the format is not {VERSION}")
    return certificate


def recheck(certificate):
    """One line that says what the certificate proves. Raises Rejected or Unknown."""
    kind = certificate.get("kind")
    if kind not in KINDS:
        raise Unknown(f"the kind {kind!r}")
    for key, type_ in (("claim", str), ("edition", str), ("parameters", dict), ("digest", str)):
        part(certificate, key, type_)
    demand(certificate["digest"] == digest(certificate), "the digest is not that of the statement")
    try:
        fact = KINDS[kind](certificate)
    except (TypeError, KeyError, AttributeError, IndexError, ValueError) as error:
        raise Unknown(f"malformed: {type(error).__name__}: {error}") from None
    parameters = ", ".join(f"{k} = {v}" for k, v in certificate["parameters"].items())
    return f"{certificate['claim']} ({certificate['edition']}) at {parameters}: {fact}"


def main(arguments):
    if len(arguments) != 1:
        print("usage: python recheck.py FILE", file=sys.stderr)
        return 2
    try:
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

"""The problem of a certificate: the right answer to an input, the promise, and the answer of the network.

If this file is right, you may believe: an input is called right only if it breaks the promise or the network's answer equals the function.

Formulas are written out: a list is an operation and its operands, a text is a number or a name; the name of a string stands for the number
that it spells in the base of its letters. ``bits`` is the number that symbols first to last of a string spell, or only the first. A
condition is a number: 0 where it does not hold, and ``true`` is 1, ``false`` 0.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from .recheck_network import Network, Symbol, Vector, spelled
from .recheck_numbers import NAN, WORDS, Between, Numbers
from .recheck_reading import NUMBER, At, Limits, Open, Unknown, list_of

Part = Callable[[Mapping[Any, Any]], Any]  # what a part of a formula comes to, where its names stand for these
MOST_DIGITS, MOST_EXPONENT = 20000, 4096


def whole(x: Any) -> int:
    if x.denominator != 1 or x < 0:
        raise Unknown("a whole number from 0 on was expected in a formula")
    return int(x)


def power(x: Any, y: Any) -> Fraction:
    base, exponent = Fraction(x), whole(y)
    if exponent * max(base.numerator.bit_length(), base.denominator.bit_length(), 1) > MOST_EXPONENT:
        raise Unknown("a small power was expected in a formula")
    return base**exponent


COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
OPERATIONS: dict[str, tuple[int, Callable[..., Any]]] = {  # how many numbers, 0 for one or more, and the number that they give
    "+": (0, lambda *x: sum(x)),
    "*": (0, lambda *x: prod(x)),
    "min": (0, lambda *x: min(x)),
    "max": (0, lambda *x: max(x)),
    "-": (2, operator.sub),
    "/": (2, lambda x, y: Fraction(x) / y),
    "//": (2, operator.floordiv),
    "%": (2, operator.mod),
    "**": (2, power),
    "abs": (1, abs),
    "popcount": (1, lambda x: whole(x).bit_count()),
    "not": (1, lambda x: x == 0),
    **{named: (2, compare) for named, compare in COMPARED.items()},
}
IN_TURN: dict[str, tuple[int, Callable[[Sequence[Part], Mapping[Any, Any]], Any]]] = {  # not all of whose parts are worked out
    "and": (0, lambda parts, names: all(part(names) != 0 for part in parts)),
    "or": (0, lambda parts, names: any(part(names) != 0 for part in parts)),
    "if": (3, lambda parts, names: parts[1 if parts[0](names) != 0 else 2](names)),
}
OUTPUTS = {"accept": ("at", "yes", "no", "nan"), "choose": ("at", "logits"), "decode": ("until", "logits")}
MOST_STEPS, TRUTHS = 4096, {"true": 1, "false": 0}


class Formula:
    """A formula of a certificate; ``symbols`` are those that it reads, ``counts`` the strings of which it reads the number of ones, and
    ``orders`` those of one length that it compares as a whole.

    Its value follows from what is known of an input: each symbol, by string and place from 0; or the number of ones of a string, by its
    name, and the order of two strings, -1, 0 or 1, by both names. Some symbols may then be unknown.
    """

    def __init__(self, given: At, lengths: Mapping[str, int], letters: int, names: Sequence[str], limits: Limits) -> None:
        self.lengths, self.letters, self.known, self.limits = lengths, letters, names, limits
        self.symbols: set[Symbol] = set()
        self.counts: set[str] = set()
        self.orders: set[tuple[str, str]] = set()
        self.names: set[str] = set()
        self.size = 0
        self.part, self.words = self.read(given), in_words(given.data)

    def value(self, names: Mapping[Any, Any]) -> Any:
        self.limits.spend(self.size)
        return self.part(names)

    def holds(self, names: Mapping[Any, Any]) -> bool:
        return bool(self.value(names) != 0)

    def read(self, given: At) -> Part:
        self.size += 1
        if not isinstance(given.data, list):
            return self.leaf(given)
        word, *parts = given.items() or [given]
        named, strings = word.text(), [part.data for part in parts if isinstance(part.data, str) and part.data in self.lengths]
        lengths = [self.lengths[name] for name in strings]
        if named == "bits" and len(parts) in (2, 3):
            return self.bits(*parts)
        if named == "popcount" and len(parts) == len(strings) == 1:
            return self.ones(word, strings[0])
        if named in COMPARED and len(parts) == len(strings) == len({*strings}) == 2 and lengths[0] == lengths[1]:
            return self.order(named, (strings[0], strings[1]))
        expected = "an operation, of as many parts as it takes,"
        count, operation = (IN_TURN | OPERATIONS).get(named) or word.refuse(expected)
        if not (len(parts) == count if count else parts):
            word.refuse(expected)
        read = [self.read(part) for part in parts]
        if named in IN_TURN:
            return lambda names: operation(read, names)
        return lambda names: worked_out(word, operation, [each(names) for each in read])

    def leaf(self, given: At) -> Part:
        text = given.text()
        if text in self.lengths:
            return self.symbols_of(text, 0, self.lengths[text] - 1)
        if text in self.known:
            self.names.add(text)
            return lambda names: names[text]
        if text not in TRUTHS and not NUMBER.fullmatch(text):
            given.refuse("a number or a name")
        exact = TRUTHS[text] if text in TRUTHS else given.number()
        number: Any = exact.numerator if exact.denominator == 1 else exact
        return lambda names: number

    def bits(self, name: At, first: At, last: At | None = None) -> Part:
        string = name.one_of(*self.lengths)
        low = first.integer(1, self.lengths[string])
        high = last.integer(low, self.lengths[string]) if last else low
        return self.symbols_of(string, low - 1, high - 1)

    def symbols_of(self, string: str, first: int, last: int) -> Part:
        """The number that some symbols of a string spell."""
        self.symbols |= {(string, k) for k in range(first, last + 1)}
        self.size += last - first
        return lambda names: self.number(names, string, first, last)

    def number(self, names: Mapping[Any, Any], string: str, first: int, last: int) -> int:
        """What the symbols at these places spell."""
        symbols = [names.get((string, place), -1) for place in range(first, last + 1)]
        if -1 in symbols:
            raise Unknown("a symbol that is not known is asked for")
        return spelled(symbols, self.letters)

    def ones(self, word: At, string: str) -> Part:
        if self.letters != 2:
            word.refuse("a string of bits, of popcount,")
        self.counts.add(string)
        last = self.lengths[string] - 1
        return lambda names: names[string] if string in names else self.number(names, string, 0, last).bit_count()

    def order(self, named: str, pair: tuple[str, str]) -> Part:
        """Compare two strings, of which only the order may be known."""
        last, compare = self.lengths[pair[0]] - 1, COMPARED[named]
        self.orders.add(pair)
        self.size += 2 * last
        return lambda names: compare(names[pair], 0) if pair in names else compare(*(self.number(names, x, 0, last) for x in pair))


def in_words(data: Any) -> str:
    """A formula as one writes it."""
    if not isinstance(data, list):
        return str(data)
    word, *parts = map(in_words, data)
    if word == "bits":
        return f"{parts[0]}[{':'.join(dict.fromkeys(parts[1:]))}]"
    if word.isalpha() and word not in ("and", "or"):
        return f"{word}({', '.join(parts)})"
    infix = f" {word} ".join(parts)
    return infix if word in COMPARED else f"({infix})"


def worked_out(word: At, operation: Callable[..., Any], values: list[Any]) -> Any:
    """Apply an operation to known numbers; its result is never large. Infinities, and numbers known by their ends, may only be compared; an
    infinity also has a size."""
    compares = word.data in (*COMPARED, "not")
    if Between in map(type, values) and not compares:
        raise Open("an operation of a formula on a number of which only ends are known")
    if any(isinstance(x, float) for x in values) and not compares and word.data != "abs":
        word.refuse("no operation on an infinity")
    if word.data in ("/", "//", "%") and values[1] == 0:
        word.refuse("a divisor other than 0")
    found = operation(*values)
    if not isinstance(found, float) and found.numerator.bit_length() + found.denominator.bit_length() > MOST_DIGITS:
        word.refuse("no number of so many digits")
    return found


class Answers:
    """A network with its output: ``accept`` says yes or no, ``choose`` a symbol, ``decode`` appends symbols."""

    def __init__(self, given: At, numbers: Numbers) -> None:
        self.network = Network(given, numbers)
        self.numbers, t = numbers, self.network
        output = t.output
        self.kind = output.names()["kind"].one_of(*OUTPUTS) if "kind" in output.names() else output.refuse("a record with a kind")
        parts = output.record("kind", "function", "promise", *OUTPUTS[self.kind])
        if {*t.strings} & {*t.coordinates}:
            output.refuse("names of strings other than those of coordinates, of an output")
        self.functions = [self.formula(x) for x in (parts["function"].items() if self.kind == "decode" else [parts["function"]])]
        self.promise = self.formula(parts["promise"])
        self.steps, self.at, self.until, self.nan = 0, len(t.tokens) - 1, "", "nan"
        self.logits = list_of(t.map)(parts["logits"]) if "logits" in parts else []
        if self.kind != "accept" and len(self.logits) != len(t.symbols):
            parts["logits"].refuse("a map for each symbol")
        if self.kind == "decode":
            self.steps, self.until = len(self.functions), parts["until"].text()
            if not 1 <= self.steps <= MOST_STEPS:
                parts["function"].refuse(f"1 to {MOST_STEPS} right outputs")
        else:
            self.at = parts["at"].integer(0, len(t.tokens) - 1)
        if any(not x for token in (t.tokens if self.steps else [t.tokens[self.at]]) for x in token.vectors):
            output.refuse("an answer at a token with vectors")
        if len(t.outputs) != max(0, self.steps - 1):
            parts["kind"].refuse("vectors of the outputs that are read")
        if self.kind == "accept":
            self.yes, self.no = (Formula(parts[part], {}, 2, t.coordinates, numbers.limits) for part in ("yes", "no"))
            self.nan = parts["nan"].one_of("nan", "no")
        self.read = sorted(self.yes.names | self.no.names) if self.kind == "accept" else []

    def formula(self, given: At) -> Formula:
        return Formula(given, self.network.strings, self.network.letters, (), self.numbers.limits)

    @property
    def meaning(self) -> str:
        """The right answer in words; for several outputs, of each output."""
        function = shortened(", ".join(each.words for each in self.functions))
        return function if self.promise.words == "true" else f"{function} under {shortened(self.promise.words)}"

    def promised(self, strings: Mapping[Any, Any]) -> bool:
        return self.promise.holds(strings)

    def expected(self, strings: Mapping[Any, Any]) -> str:
        """The right answer."""
        if self.kind == "accept":
            return "yes" if self.functions[0].holds(strings) else "no"
        found: list[str] = []
        for function in self.functions:
            found.append(self.symbol(function.value(strings)))
            if found[-1] == self.until:
                break
        return " ".join(found)

    def symbol(self, x: Any) -> str:
        symbols = self.network.symbols
        return symbols[int(x)] if x.denominator == 1 and 0 <= x < len(symbols) else f"no symbol: {x}"

    def found(self, strings: Mapping[Any, Any]) -> str:
        """The network's answer."""
        t = self.network
        vectors = [token.vectors[spelled([strings[symbol] for symbol in token.reads], t.letters)] for token in t.tokens]
        said: list[str] = []
        for step in range(len(self.functions)):
            said.append(self.of(t.run(vectors, self.at + step)))
            if said[-1] in ("nan", self.until):
                break
            if step < len(t.outputs):
                vectors = [*vectors, t.outputs[step][t.symbols.index(said[-1])]]
        return " ".join(said)

    def of(self, x: Vector) -> str:
        """The answer that follows from the final coordinates."""
        if self.kind != "accept":
            chosen = self.chosen(x)
            return "nan" if chosen is None else self.network.symbols[chosen]
        values = [x[self.network.index[name]] for name in self.read]
        if any(value == NAN for value in values):
            return self.nan
        names = {name: self.compared(value) for name, value in zip(self.read, values, strict=True)}
        if self.yes.holds(names):
            return "yes"
        return "no" if self.no.holds(names) else "neither"

    def compared(self, state: Any) -> Any:
        """A number or an infinity, for comparisons only."""
        if type(state) is Between:
            return Between(self.compared(state.low), self.compared(state.high))
        return float(WORDS[state]) if state in WORDS else self.numbers.value(state)

    def chosen(self, x: Vector) -> int | None:
        """The index of the first largest logit; None if a logit is NaN."""
        logits = [self.network.applied(form, x) for form in self.logits]
        return None if NAN in logits else logits.index(max(logits))


def shortened(text: str) -> str:
    return text if len(text) <= 1000 else f"{text[:997]}..."

"""The problem of a certificate: the right answer to an input, the promise, and the answer of the network.

To be believed, if this file is right: an input is called right only if it breaks the promise or the network's answer is the function's.

Formulas are written out: a list is an operation and what it is of, a text is a number, ``true``, ``false``, or a name; the name of a string
stands for the number that it spells in the base of its letters. ``bits`` is the number that symbols first to last of a string spell.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from .recheck_network import Network, Symbol, Vector
from .recheck_numbers import INF, NAN, Between, Numbers
from .recheck_reading import NUMBER, At, Limits, Open, Unknown

Part = Callable[[Mapping[Any, Any]], Any]  # what a formula comes to, for its names
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SUMMED: dict[str, Callable[[list[Any]], Any]] = {"+": sum, "*": prod, "min": min, "max": max}
GATHERED: dict[str, Callable[[Any], bool]] = {"and": all, "or": any}
MOST_DIGITS, MOST_EXPONENT = 20000, 4096
OUTPUTS = {
    "accept": ("at", "yes", "no", "nan"),
    "choose": ("at", "logits"),
    "decode": ("until", "logits"),
}
MOST_STEPS = 4096


class Text:
    """A string: its symbols by place, from 0, some of which may not be known, and the sum of all."""

    __slots__ = ("known", "length", "letters", "ones")

    def __init__(self, letters: int, length: int, known: Mapping[int, int], ones: int | None = None) -> None:
        self.letters, self.length, self.known, self.ones = letters, length, known, ones

    def number(self, first: int, last: int) -> int:
        """What the symbols at these places spell."""
        total = 0
        for place in range(first, last + 1):
            if place not in self.known:
                raise Unknown("a symbol that is not known is asked for")
            total = total * self.letters + self.known[place]
        return total


class Formula:
    """A formula of a certificate; ``symbols`` are those that it reads, ``counts`` the strings of which it reads the number of ones, and
    ``orders`` those of one length that it compares as a whole."""

    def __init__(self, given: At, lengths: Mapping[str, int], letters: int, names: Sequence[str], limits: Limits) -> None:
        self.lengths, self.letters, self.known, self.limits = lengths, letters, names, limits
        self.symbols: set[Symbol] = set()
        self.counts: set[str] = set()
        self.orders: set[tuple[str, str]] = set()
        self.names: set[str] = set()
        self.size = 0
        self.is_truth, self.part, self.words = self.read(given)

    def value(self, names: Mapping[Any, Any]) -> Any:
        self.limits.spend(self.size)
        return self.part(names)

    def read(self, given: At) -> tuple[bool, Part, str]:
        """Whether a part of it is a condition, what it comes to, and its text."""
        self.size += 1
        if not isinstance(given.data, list):
            return self.leaf(given)
        word, *parts = given.items() or [given]
        named, count = word.text(), len(parts)
        if named == "bits" and count == 3:
            return False, *self.bits(*parts)
        if named == "popcount" and count == 1 and self.lengths.get(parts[0].text() if isinstance(parts[0].data, str) else "") is not None:
            return False, *self.ones(parts[0])
        if named == "if" and count == 3:
            test, (kind, yes, x), (other, no, y) = self.condition(parts[0]), self.read(parts[1]), self.read(parts[2])
            if kind != other:
                word.refuse("two numbers or two conditions, beside if,")
            holds, text = test
            return kind, lambda names: yes(names) if holds(names) else no(names), f"({x} if {text} else {y})"
        if named == "not" and count == 1:
            holds, text = self.condition(parts[0])
            return True, lambda names: not holds(names), f"not {text}"
        if named in GATHERED and parts:
            read, gather = [self.condition(part) for part in parts], GATHERED[named]
            conditions = [each for each, _ in read]
            return True, lambda names: gather(each(names) for each in conditions), f"({f' {named} '.join(text for _, text in read)})"
        if named in COMPARED and count == 2 and self.are_strings(parts):
            return True, *self.order(named, *parts)
        numbers = [self.number(part) for part in parts]
        texts, values = [text for _, text in numbers], [each for each, _ in numbers]
        if named in COMPARED and count == 2:
            (left, right), compare = values, COMPARED[named]
            return True, lambda names: compare(left(names), right(names)), f"{texts[0]} {named} {texts[1]}"
        return False, *self.operation(word, values, texts)

    def leaf(self, given: At) -> tuple[bool, Part, str]:
        text = given.text()
        if text in ("true", "false"):
            truth = text == "true"
            return True, lambda names: truth, text
        if text in self.lengths:
            last = self.lengths[text] - 1
            self.symbols |= {(text, k) for k in range(last + 1)}
            self.size += last
            return False, lambda names: names[text].number(0, last), text
        if text in self.known:
            self.names.add(text)
            return False, lambda names: names[text], text
        if not NUMBER.fullmatch(text):
            given.refuse("a number, a condition or a name")
        exact = given.number()
        number: Any = exact.numerator if exact.denominator == 1 else exact
        return False, lambda names: number, str(exact)

    def bits(self, name: At, first: At, last: At) -> tuple[Part, str]:
        text = name.one_of(*self.lengths)
        low = first.integer(1, self.lengths[text]) - 1
        high = last.integer(low + 1, self.lengths[text]) - 1
        self.symbols |= {(text, k) for k in range(low, high + 1)}
        self.size += high - low
        where = f"{low + 1}" if low == high else f"{low + 1}:{high + 1}"
        return lambda names: names[text].number(low, high), f"{text}[{where}]"

    def ones(self, name: At) -> tuple[Part, str]:
        text, length = name.text(), self.lengths[name.text()]
        if self.letters != 2:
            name.refuse("a string of bits")
        self.counts.add(text)

        def counted(names: Mapping[Any, Any]) -> int:
            string = names[text]
            return string.number(0, length - 1).bit_count() if string.ones is None else int(string.ones)

        return counted, f"popcount({text})"

    def are_strings(self, parts: Sequence[At]) -> bool:
        """Whether these are two strings of one length."""
        x, y = (self.lengths.get(part.data) if isinstance(part.data, str) else None for part in parts)
        return x is not None and x == y and parts[0].data != parts[1].data

    def order(self, named: str, x: At, y: At) -> tuple[Part, str]:
        """Two strings compared, of which only their order may be known: -1, 0 or 1 under both of their names."""
        key, last, compare = (x.text(), y.text()), self.lengths[x.text()] - 1, COMPARED[named]
        self.orders.add(key)
        self.size += 2 * last

        def compared(names: Mapping[Any, Any]) -> bool:
            known = names.get(key)
            return compare(*(names[each].number(0, last) for each in key)) if known is None else compare(known, 0)

        return compared, f"{key[0]} {named} {key[1]}"

    def condition(self, given: At) -> tuple[Part, str]:
        is_truth, part, text = self.read(given)
        return (part, text) if is_truth else given.refuse("a condition")

    def number(self, given: At) -> tuple[Part, str]:
        is_truth, part, text = self.read(given)
        return given.refuse("a number") if is_truth else (part, text)

    def operation(self, word: At, values: list[Part], texts: list[str]) -> tuple[Part, str]:
        """An operation on numbers that are known."""
        named, count, values = word.text(), len(values), [known(each) for each in values]
        if named in SUMMED and values:
            total = SUMMED[named]
            text = f"{named}({', '.join(texts)})" if named in ("min", "max") else f"({f' {named} '.join(texts)})"
            return lambda names: self.bounded(total([each(names) for each in values]), word), text
        if named in ("abs", "popcount") and count == 1:
            (inner,) = values
            if named == "abs":
                return lambda names: abs(inner(names)), f"abs({texts[0]})"
            return lambda names: self.whole(inner(names), word).bit_count(), f"popcount({texts[0]})"
        if named in ("-", "/", "//", "%", "**") and count == 2:
            (left, right), text = values, f"({f' {named} '.join(texts)})"
            return lambda names: self.bounded(self.of_two(named, left(names), right(names), word), word), text
        return word.refuse("an operation, of as many parts as it takes,")

    def of_two(self, named: str, x: Any, y: Any, word: At) -> Any:
        if named == "-":
            return x - y
        if named == "**":
            base, exponent = Fraction(x), self.whole(y, word)
            size = max(base.numerator.bit_length(), base.denominator.bit_length(), 1)
            return base**exponent if exponent * size <= MOST_EXPONENT else word.refuse("a small power")
        if y == 0 or (named != "/" and not (isinstance(x, int | Fraction) and isinstance(y, int | Fraction))):
            word.refuse("a divisor other than 0, and fractions,")
        return x // y if named == "//" else x % y if named == "%" else x / (Fraction(y) if isinstance(y, int) else y)

    def whole(self, x: Any, word: At) -> int:
        return int(x) if isinstance(x, int | Fraction) and x.denominator == 1 and x >= 0 else word.refuse("a whole number from 0 on")

    def bounded(self, x: Any, word: At) -> Any:
        """A number that is not too large; infinities of the format are only compared."""
        if isinstance(x, float):
            word.refuse("no sum or product of an infinity")
        if isinstance(x, int | Fraction) and x.numerator.bit_length() + x.denominator.bit_length() > MOST_DIGITS:
            word.refuse("no number of so many digits")
        return x


def known(part: Part) -> Part:
    """A number that an operation is of."""

    def number(names: Mapping[Any, Any]) -> Any:
        x = part(names)
        if type(x) is Between:
            raise Open("an operation of a formula on a number of which only ends are known")
        return x

    return number


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
        if (self.kind == "accept" and not self.functions[0].is_truth) or not self.promise.is_truth:
            output.refuse("conditions")
        if self.kind != "accept" and any(function.is_truth for function in self.functions):
            output.refuse("numbers of symbols")
        self.logits = t.maps(parts["logits"]) if "logits" in parts else []
        if self.kind != "accept" and len(self.logits) != len(t.symbols):
            parts["logits"].refuse("a map for each symbol")
        if self.kind == "decode":
            self.steps, self.until = len(self.functions), parts["until"].text()
            if not 1 <= self.steps <= MOST_STEPS:
                parts["function"].refuse(f"1 to {MOST_STEPS} right outputs")
        else:
            self.at = parts["at"].integer(0, len(t.tokens) - 1)
        if len(t.outputs) != max(0, self.steps - 1):
            parts["kind"].refuse("vectors of the outputs that are read")
        if self.kind == "accept":
            self.yes, self.no = (Formula(parts[part], {}, 2, t.coordinates, numbers.limits) for part in ("yes", "no"))
            self.nan = parts["nan"].one_of("nan", "no")
            if not self.yes.is_truth or not self.no.is_truth:
                output.refuse("conditions of yes and no")
        self.read = sorted(self.yes.names | self.no.names) if self.kind == "accept" else []
        self.seen: dict[tuple[Any, ...], str] = {}

    def formula(self, given: At) -> Formula:
        return Formula(given, self.network.strings, self.network.letters, (), self.numbers.limits)

    @property
    def meaning(self) -> str:
        """The right answer in words."""
        first, last = self.functions[0].words, self.functions[-1].words
        function = first if len(self.functions) == 1 else f"{first}, ..., {last}"
        under = "" if self.promise.words == "true" else f" under {shortened(self.promise.words)}"
        return f"{shortened(function)}{under}"

    @property
    def formulas(self) -> list[Formula]:
        """All that the right answer and the promise read."""
        return [*self.functions, self.promise]

    @property
    def inputs(self) -> int:
        return int(self.network.letters ** sum(self.network.strings.values()))

    def text(self, name: str, symbols: Sequence[int]) -> Text:
        """A whole string."""
        return Text(self.network.letters, self.network.strings[name], dict(enumerate(symbols)))

    def promised(self, strings: Mapping[Any, Any]) -> bool:
        return bool(self.promise.value(strings))

    def expected(self, strings: Mapping[Any, Any]) -> str:
        """The right answer."""
        if self.kind == "accept":
            return "yes" if self.functions[0].value(strings) else "no"
        found: list[str] = []
        for function in self.functions:
            found.append(self.symbol(function.value(strings)))
            if self.kind == "decode" and found[-1] == self.until:
                break
        return " ".join(found)

    def symbol(self, x: Any) -> str:
        symbols = self.network.symbols
        return symbols[int(x)] if x.denominator == 1 and 0 <= x < len(symbols) else f"no symbol: {x}"

    def found(self, strings: Mapping[Any, Any]) -> str:
        """What the network answers."""
        t = self.network
        vectors = [token.vectors[t.content(j, [strings[s].known[k] for s, k in token.reads])] for j, token in enumerate(t.tokens)]
        if self.kind != "decode":
            return self.of(t.run(vectors, self.at))
        said: list[str] = []
        for step in range(self.steps):
            chosen = self.chosen(t.run(vectors, len(vectors) - 1))
            said.append("nan" if chosen is None else t.symbols[chosen])
            if chosen is None or said[-1] == self.until:
                break
            if step < len(t.outputs):
                vectors = [*vectors, t.outputs[step][chosen]]
        return " ".join(said)

    def of(self, x: Vector) -> str:
        """The answer that the coordinates at the end give."""
        if self.kind == "choose":
            chosen = self.chosen(x)
            return "nan" if chosen is None else self.network.symbols[chosen]
        values = [x[self.network.index[name]] for name in self.read]
        if any(value == NAN for value in values):
            return self.nan
        names = {name: self.compared(value) for name, value in zip(self.read, values, strict=True)}
        if self.yes.value(names):
            return "yes"
        return "no" if self.no.value(names) else "neither"

    def compared(self, state: Any) -> Any:
        """A number, or an infinity, with which formulas only compare."""
        if type(state) is Between:
            return Between(self.compared(state.low), self.compared(state.high))
        return float("inf" if state > 0 else "-inf") if abs(state) == INF else self.numbers.value(state)

    def chosen(self, x: Vector) -> int | None:
        """The first of the largest logits; None where one is NaN."""
        logits = [self.network.applied(form, x) for form in self.logits]
        return None if NAN in logits else logits.index(max(logits))


def shortened(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:297]}..."

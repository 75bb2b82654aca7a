"""The columns of digits behind a decoding network: groups of inputs, column by column, with the extremes of the sums of heads.

The right outputs are digits of a sum S = c + c_1·s_1 + … of the strings, read as numbers in the base of the alphabet, from the last one.
With carry 0 = c and t = carry i + the sum of c_s times digit i of s, output i is t mod base and carry i + 1 is the quotient.
"""

import ast
from collections.abc import Iterable, Iterator
from fractions import Fraction
from operator import add

from .recheck_answers import Answers
from .recheck_last_token import Copied, Summed
from .recheck_reading import Rejected, demand

Key = tuple[int, ...]
Extremes = tuple[int, ...]  # of each sum the least value and the negative of the largest, so that both are minima
Table = list[dict[int, tuple[int, int]]]  # for each token and word the ends of what it adds to a sum
Watch = tuple[str, int]  # a string, or "" for the outputs, and a column
MOST_STRINGS = 4


class Digits:
    """The digits of the strings and of the right outputs, by column from the last one."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.t, self.place = answers.transformer, place
        self.base, self.strings, self.prompt = len(self.t.symbols), list(self.t.strings), len(self.t.layout)
        demand(self.t.letters == self.base, f"{place}: strings of all symbols were expected")
        widths = set(self.t.strings.values())
        demand(len(widths) == 1 and len(self.strings) <= MOST_STRINGS, f"{place}: strings of one length were expected")
        self.width = widths.pop()
        self.first, self.coefficients = digit_sum(answers, place)
        self.tokens: dict[Watch, list[int]] = {}
        for j, entry in enumerate(self.t.layout):
            if not isinstance(entry, int):
                self.tokens.setdefault((entry[0], self.width - 1 - entry[1]), []).append(j)
        symbols = list(range(self.base))
        self.words = [[entry] if isinstance(entry, int) else symbols for entry in self.t.layout] + [symbols] * (answers.steps - 1)

    def watched(self, step: int, copied: set[int]) -> Iterator[Watch]:
        """The symbols that heads copy, by column."""
        for column in range(step + 1):
            for name in self.strings:
                if copied.intersection(self.tokens.get((name, column), ())):
                    yield name, column
            if column < step - 1 and self.prompt + column in copied:
                yield "", column

    def groups(self, step: int, query: int, heads: list[Copied | Summed], watched: list[Watch]) -> dict[Key, Extremes]:
        """Every group of a query: (carry, total, symbols watched), with the exact extremes of the sums."""
        tables = [products for head in heads if isinstance(head, Summed) for products in head.products]
        last = self.prompt + step - 1
        self.t.limits.spend(len(self.words) * self.base * len(tables))
        start: Extremes = (0, 0) * len(tables)
        for j, entry in enumerate(self.t.layout):
            if isinstance(entry, int) and j != last:
                start = added(start, tables, j, [entry])
        start = added(start, tables, last, [query])
        for column in range(step + 1, self.width):
            for name in self.strings:
                for j in self.tokens.get((name, column), ()):
                    start = added(start, tables, j, range(self.base))
        states: dict[Key, Extremes] = {(self.first,): start}
        for column in range(step + 1):
            grown: dict[Key, Extremes] = {}
            choices = self.choices(column, tables, watched)
            self.t.limits.spend(2 * len(states) * len(choices) * (1 + len(tables)))
            for (carry, *seen), ends in states.items():
                for (total, *symbols), more in choices.items():
                    right, following = (carry + total) % self.base, (carry + total) // self.base
                    if column == step - 1 and right != query:
                        continue
                    both = tuple(map(add, ends, more))
                    key = (*seen, *symbols)
                    if column < step - 1:
                        both = added(both, tables, self.prompt + column, [right])
                        key = (*key, right) if ("", column) in watched else key
                    merge(grown, (carry, total, *key) if column == step else (following, *key), both)
            self.t.limits.keep("states", len(grown))
            states = grown
        return states

    def choices(self, column: int, tables: list[Table], watched: list[Watch]) -> dict[Key, Extremes]:
        """What the digits of a column add: by their total, and by those that are watched."""
        found: dict[Key, Extremes] = {(0,): (0, 0) * len(tables)}
        for name, coefficient in zip(self.strings, self.coefficients, strict=True):
            if column >= self.width:
                break
            grown: dict[Key, Extremes] = {}
            self.t.limits.spend(len(found) * self.base * (1 + len(tables)))
            of_digit: list[tuple[Key, Extremes]] = []
            for digit in range(self.base):
                more: Extremes = (0, 0) * len(tables)
                for j in self.tokens.get((name, column), ()):
                    more = added(more, tables, j, [digit])
                of_digit.append(((digit,) if (name, column) in watched else (), more))
            for (total, *symbols), ends in found.items():
                for digit, (key, more) in enumerate(of_digit):
                    merge(grown, (total + coefficient * digit, *symbols, *key), tuple(map(add, ends, more)))
                self.t.limits.keep("states", len(grown))
            found = grown
        return found

    def word(self, token: int, step: int, query: int, key: Key, watched: list[Watch]) -> int:
        """The word of a token that a head copies, in a group."""
        if token == self.prompt + step - 1:
            return query
        if token >= self.prompt:
            return key[2 + watched.index(("", token - self.prompt))]
        entry = self.t.layout[token]
        if isinstance(entry, int):
            return entry
        watch = entry[0], self.width - 1 - entry[1]
        if watch not in watched:
            raise Rejected(f"{self.place}, step {step + 1}: a head copies a digit of a later column")
        return key[2 + watched.index(watch)]


def added(ends: Extremes, tables: list[Table], j: int, words: Iterable[int]) -> Extremes:
    """Extremes with what one of some words adds at a token; one that takes no part adds nothing."""
    more: list[int] = []
    for table in tables:
        found = [table[j][word] for word in words if word in table[j]] or [(0, 0)]
        more += min(low for low, _ in found), min(-high for _, high in found)
    return tuple(map(add, ends, more))


def merge(states: dict[Key, Extremes], key: Key, ends: Extremes) -> None:
    """Put a state beside the others of its key."""
    states[key] = tuple(map(min, states[key], ends)) if key in states else ends


def digit_sum(answers: Answers, place: str) -> tuple[int, list[int]]:
    """The constant and the coefficients of S, where the right outputs are S//B**(k - 1) % B."""
    base = len(answers.transformer.symbols)
    match answers.function.tree:
        case ast.BinOp(
            left=ast.BinOp(
                left=total,
                op=ast.FloorDiv(),
                right=ast.BinOp(left=power, op=ast.Pow(), right=ast.BinOp(left=ast.Name("k"), op=ast.Sub(), right=ast.Constant(1))),
            ),
            op=ast.Mod(),
            right=modulus,
        ):
            if answers.function.number(power, answers.names, {}) == base == answers.function.number(modulus, answers.names, {}):
                constant, terms = linear(total, answers, place)
                numbers = [constant, *(terms.get(name, Fraction(0)) for name in answers.transformer.strings)]
                if all(x.denominator == 1 and 0 <= x < 1 << 20 for x in numbers):
                    return int(numbers[0]), [int(x) for x in numbers[1:]]
    raise Rejected(f"{place}: right outputs S//B**(k - 1) % B were expected, where S is a sum of the strings")


def linear(tree: ast.AST, answers: Answers, place: str) -> tuple[Fraction, dict[str, Fraction]]:
    """The constant and the coefficients of a sum of strings."""
    match tree:
        case ast.Name(id=name) if name in answers.transformer.strings:
            return Fraction(0), {name: Fraction(1)}
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            (x, terms), (y, more) = linear(left, answers, place), linear(right, answers, place)
            return x + y, {name: terms.get(name, Fraction(0)) + more.get(name, Fraction(0)) for name in {*terms, *more}}
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            (x, terms), (y, more) = linear(left, answers, place), linear(right, answers, place)
            if not terms or not more:
                return x * y, {name: c * (x if more else y) for name, c in {**terms, **more}.items()}
        case ast.Constant() | ast.Name():
            found = answers.function.number(tree, answers.names, {})
            return found, {}
    raise Rejected(f"{place}: a sum of strings was expected")

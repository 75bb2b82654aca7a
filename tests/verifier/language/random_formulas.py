"""Random formulas over bit strings, numbers with infinities, and parameters; and random cases to evaluate them on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special
from verifier.arithmetic.rationals import Fraction as F
from verifier.language.arrays import Quantity, Strings
from verifier.language.exact import Bits
from verifier.running.errors import InputError

LENGTH = 4
CONSTANTS: dict[str, Any] = {"p": F(3), "h": F(-2), "q": F(1, 2), "s": Bits(0b1011, LENGTH)}
NUMBERS = ("y", "z", "v", "w", "k", "p", "h", "q", "s", "0", "1", "2", "3", "0.5")
CODES = {INF: 1, NEG_INF: -1, NAN: 2}


def double(x: Number | Bits) -> Number:
    if not isinstance(x, F):
        raise InputError("a fraction was expected")
    return 2 * x


def ones(string: Bits | Number) -> int:
    """How many ones a string has; 7 for anything else."""
    return string.number.bit_count() if isinstance(string, Bits) else 7


def even(x: Number) -> bool:
    return isinstance(x, F) and x % 2 == 0


FUNCTIONS: dict[str, Callable[..., Any]] = {"double": double, "ones": ones, "even": even}
Bound = tuple[str, ...]


@dataclass(frozen=True)
class Writer:
    """Writes a formula, asking ``draw`` for every choice."""

    draw: Callable[[st.SearchStrategy[Any]], Any]

    def one_of(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def number(self, depth: int, bound: Bound = ()) -> str:
        if depth <= 0:
            return str(self.one_of(*NUMBERS, *bound, *bound))
        kinds = (self.sum, self.sum, self.power, self.choice, self.applied, self.rounded, self.bits, self.over_range, self.leaf)
        return str(self.one_of(*kinds)(depth - 1, bound))

    def condition(self, depth: int, bound: Bound = ()) -> str:
        kinds = (self.comparison, self.comparison, self.predicate)
        if depth > 0:
            kinds += (self.connected, self.connected, self.negated, self.conditional, self.membership, self.quantifier)
        return str(self.one_of(*kinds)(depth - 1, bound))

    def leaf(self, depth: int, bound: Bound) -> str:
        return self.number(0, bound)

    def sum(self, depth: int, bound: Bound) -> str:
        return f"({self.number(depth, bound)} {self.one_of(*'+-*+-*/%', '//')} {self.number(depth, bound)})"

    def power(self, depth: int, bound: Bound) -> str:
        return f"(-{self.number(depth, bound)})**{self.one_of('2', '(-1)', 'k', '(0)', '7', 'q', 'v', *bound)}"

    def choice(self, depth: int, bound: Bound) -> str:
        return f"({self.number(depth, bound)} if {self.condition(depth, bound)} else {self.number(depth, bound)})"

    def applied(self, depth: int, bound: Bound) -> str:
        name = self.one_of("floor", "ceil", "abs", "double", "ones", "popcount", "value", "min", "max", "gcd", "binom")
        more = name in ("min", "max", "gcd", "binom")
        return f"{name}({', '.join(self.number(depth, bound) for _ in range(1 + more))})"

    def rounded(self, depth: int, bound: Bound) -> str:
        return f"{self.one_of('floor', 'ceil')}({self.one_of('log2', 'sqrt')}({self.number(depth, bound)}))"

    def bits(self, depth: int, bound: Bound) -> str:
        first = self.one_of("", "1 : ", "2 : ", "k : ", *(f"{name} : " for name in bound))
        return f"{self.one_of('y', 'z', 's')}[{first}{self.number(depth - 1, bound)}]"

    def _range(self, bound: Bound) -> tuple[str, str]:
        name = f"j{len(bound)}"
        return name, f"for {name} in ({self.one_of('1', 'k', '-1', 'p', *bound)}, {self.one_of('3', 'k', 'p', 'v', *bound)})"

    def over_range(self, depth: int, bound: Bound) -> str:
        name, each = self._range(bound)
        guard = f" if {self.condition(depth - 1, (*bound, name))}" if self.one_of(True, False) else ""
        return f"{self.one_of('sum', 'min', 'max')}({self.number(depth, (*bound, name))} {each}{guard})"

    def quantifier(self, depth: int, bound: Bound) -> str:
        name, each = self._range(bound)
        return f"{self.one_of('all', 'any')}({self.condition(depth, (*bound, name))} {each})"

    def comparison(self, depth: int, bound: Bound) -> str:
        signs = ("==", "!=", "<", "<=", ">", ">=")
        last = self.one_of(self.number(depth, bound), self.number(0, bound), "inf", "-inf")
        middle = f" {self.one_of(*signs)} {self.number(depth, bound)}" if self.one_of(True, False, False) else ""
        return f"({self.number(depth, bound)}{middle} {self.one_of(*signs)} {last})"

    def predicate(self, depth: int, bound: Bound) -> str:
        return self.one_of("b", f"{self.one_of('finite', 'nan', 'even')}({self.number(depth, bound)})")

    def membership(self, depth: int, bound: Bound) -> str:
        return f"({self.number(depth, bound)} {self.one_of('in', 'not in')} ({self.number(depth, bound)}, {self.number(0, bound)}))"

    def connected(self, depth: int, bound: Bound) -> str:
        parts = [self.condition(depth, bound) for _ in range(self.one_of(2, 2, 3))]
        return f"({self.one_of(' and ', ' or ').join(parts)})"

    def negated(self, depth: int, bound: Bound) -> str:
        return f"(not {self.condition(depth, bound)})"

    def conditional(self, depth: int, bound: Bound) -> str:
        return f"({self.condition(depth, bound)} if {self.condition(depth, bound)} else {self.condition(depth, bound)})"


@st.composite
def formulas(draw: st.DrawFn) -> str:
    writer = Writer(draw)
    return draw(st.sampled_from([writer.number, writer.condition, writer.condition]))(3)


@dataclass(frozen=True)
class Cases:
    """The values of each name, case by case."""

    columns: dict[str, list[Any]]

    @property
    def each(self) -> list[dict[str, Any]]:
        """One by one."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True)]
        return [{**CONSTANTS, **row, "y": Bits(row["y"], LENGTH), "z": Bits(row["z"], LENGTH)} for row in rows]

    @property
    def arrays(self) -> dict[str, Any]:
        """As arrays."""
        columns, v = self.columns, self.columns["v"]
        counts = [0 if isinstance(x, Special) else int(4 * x) for x in v]
        return {
            **CONSTANTS,
            "y": Strings.of(np.array(columns["y"]), LENGTH),
            "z": Strings.of(np.array(columns["z"]), LENGTH),
            "v": Quantity.of(counts, F(1, 4), [CODES[x] if isinstance(x, Special) else 0 for x in v]),
            "w": np.array(columns["w"], dtype=np.int64),
            "k": np.array(columns["k"], dtype=np.int64),
            "b": np.array(columns["b"], dtype=np.bool_),
        }


fractions = st.builds(F, st.integers(-6, 6), st.just(4))
words = st.integers(0, 2**LENGTH - 1)
COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "y": words,
    "z": words,
    "v": st.one_of(fractions, fractions, st.sampled_from([INF, NEG_INF, NAN])),
    "w": st.one_of(st.integers(-3, 5), st.sampled_from([2**62, -(2**63), 2**63 - 1, 2**31])),
    "k": st.integers(0, 4),
    "b": st.booleans(),
}


@st.composite
def cases(draw: st.DrawFn) -> Cases:
    count = draw(st.integers(1, 5))
    return Cases({name: draw(st.lists(values, min_size=count, max_size=count)) for name, values in COLUMNS.items()})

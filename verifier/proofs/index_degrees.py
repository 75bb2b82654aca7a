"""Why an identity of sums over the rows and columns of matrices need be checked for small sizes only.

Let both sides be sums over 1 … n and 1 … m of polynomials in entries whose places are bound names, times powers of n and m. The sides keep
their form when rows or columns are renamed, so a monomial's coefficient depends on the pattern of its places alone: with s different
columns it counts the tuples of the L summed columns that have this pattern, times the powers of m (up to m^e, after multiplying by the
largest power m^c that divides). That is a polynomial in m of degree at most L − s + e + c for m >= s, so that it is 0 for every m if it is
for the L − s + e + c + 1 sizes from m = s on: for all m <= L + e + c if s >= 1, and for one more if s may be 0 (m alone, an expected
value), as there is no size 0 to compare at; and so for rows. A name that the claim itself quantifies (for each i) counts as one more sum:
multiply by one more vector of unknowns and add; then s >= 1. Rows and columns must not be mixed: a matrix has the same kind of index at
each place wherever it occurs, and indices are compared with their own kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from verifier.language.syntax import names_in, quoted
from verifier.language.tree import Algebra, Call, Comparison, Name, Node, Numeral, Operation, Ranged, Signed, fold
from verifier.running.errors import InputError

MOST_POWER = 8


@dataclass(frozen=True)
class Degree:
    """over: the most summed indices and powers of the size in one product; under: the largest power of the size that divides."""

    over: int = 0
    under: int = 0

    def __mul__(self, other: Degree) -> Degree:
        return Degree(self.over + other.over, self.under + other.under)

    def __or__(self, other: Degree) -> Degree:
        return Degree(max(self.over, other.over), max(self.under, other.under))


def sufficient(sides: Iterable[Node], size: str, sizes: Iterable[str], quantified: Mapping[str, str]) -> int:
    """The greatest value of ``size`` up to which both sides are to be compared, so that they are equal for every one.

    sizes: every parameter that is a size; quantified: the names of the claim's own ranges, each with the size at which it ends.

    Raises:
        InputError: a part for which the argument says nothing, such as an index n − 1 or a division by n + 1.
    """
    reader, found = _Degrees(size, frozenset(sizes), quantified), Degree()
    for side in sides:
        found |= fold(side, reader)
    ranges = list(quantified.values()).count(size)
    return found.over + found.under + (ranges or 1)


class _Degrees(Algebra[Degree]):
    """``bound``: the names of ranges, each with the size at which it ends; ``places``: the kinds of a matrix's two indices."""

    def __init__(
        self, size: str, sizes: frozenset[str], bound: Mapping[str, str], places: dict[str, tuple[str, str]] | None = None
    ) -> None:
        self.size, self.sizes, self.bound = size, sizes, bound
        self.places = {} if places is None else places

    def outside(self, node: Node) -> Degree:
        return self.refuse(node, "nothing is known of its dependence on the size")

    def numeral(self, node: Numeral) -> Degree:
        return Degree()

    def name(self, node: Name) -> Degree:
        if node.name in self.bound:
            self.refuse(node, "an index outside a place")
        return Degree(1) if node.name == self.size else Degree()

    def signed(self, node: Signed) -> Degree:
        return fold(node.operand, self)

    def operation(self, node: Operation) -> Degree:
        match node:
            case Operation(left, "+" | "-", right):
                return fold(left, self) | fold(right, self)
            case Operation(left, "*", right):
                return fold(left, self) * fold(right, self)
            case Operation(left, "/", right):
                return fold(left, self) * self.divisor(right)
            case Operation(left, "**", Numeral(int() as power)) if 0 <= power <= MOST_POWER:
                each, found = fold(left, self), Degree()
                for _ in range(power):
                    found *= each
                return found
        return self.outside(node)

    def call(self, node: Call) -> Degree:
        match node:
            case Call("abs", (of,)):
                return fold(of, self)
            case Call(name, (Name(row), Name(column))) if row in self.bound and column in self.bound:
                kinds = self.bound[row], self.bound[column]
                if self.places.setdefault(name, kinds) != kinds:
                    self.refuse(node, "rows and columns are mixed")
                return Degree()
        return self.outside(node)

    def ranged(self, node: Ranged) -> Degree:
        if node.function != "sum":
            return self.outside(node)
        match node.ends:
            case Numeral(1), Name(last) if last in self.sizes:
                bound = {**self.bound, node.name: last}
            case _:
                self.refuse(node, "a sum from 1 to a size was expected")
        for condition in node.tests:
            match condition:
                case Comparison(Name(one), ("==" | "!=",), (Name(other),)) if bound.get(one) == bound.get(other) is not None:
                    pass
                case _:
                    self.refuse(condition, "u != v or u == v of two rows or two columns was expected")
        inside = fold(node.body, _Degrees(self.size, self.sizes, bound, self.places))
        return inside * Degree(1) if last == self.size else inside

    def divisor(self, node: Node) -> Degree:
        match node:
            case Name(name) if name in self.sizes:
                return Degree(0, int(name == self.size))
            case Operation(left, "*", right):
                return self.divisor(left) * self.divisor(right)
            case Operation(Name(name), "**", Numeral(int() as power)) if name in self.sizes:
                return Degree(0, power if name == self.size else 0)
        if names_in(node):
            self.refuse(node, "a power of a size was expected below")
        return Degree()

    @staticmethod
    def refuse(node: Node, why: str) -> NoReturn:
        raise InputError(f"{quoted(node)}: {why}")

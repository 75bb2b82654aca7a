"""The fields that the judges of the core read from a statement file: a record for each judge, which names the fields that are formulas.

The records are separate from the judges, so a file can be read and its mistakes shown without importing an engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from msgspec import Struct

from verifier.running.errors import InputError


def members(text: str) -> list[str]:
    """The formulas of ``a .. b`` or ``[a : b]``, the two ends of a range, or of ``a, b, c``.

    Raises:
        InputError: more than two ends.
    """
    if (bracketed := text.strip()).startswith("[") and bracketed.endswith("]") and bracketed.count(":") == 1:
        return bracketed[1:-1].split(":")
    if text.count("..") > 1:
        raise InputError(f"{text!r}: a range, first .. last, or values with commas between were expected")
    return text.split("..") if ".." in text else text.split(",")


Formulas = str | list[str]
"""A condition, or several conditions that must all hold."""


class Fields(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of one judge.

    ``FORMULAS`` names the fields in the formula language; ``BOUNDED``: whether a bounded arithmetic takes part.
    """

    FORMULAS: ClassVar[tuple[str, ...]] = ()
    BOUNDED: ClassVar[bool] = False

    def formulas(self) -> Iterator[str]:
        """Every formula among the fields."""
        for name in self.FORMULAS:
            value = getattr(self, name)
            if isinstance(value, dict):
                yield from (formula for text in value.values() for formula in members(text))
            else:
                yield from [value] if isinstance(value, str) else value or ()


class Formula(Fields, frozen=True):
    """A condition on numbers, at every assignment of ``each`` (ranges, both ends included, the first name slowest) that passes ``when``.

    shows: names whose values a counterexample shows in addition to the parameters and the names of ``each``.
    """

    FORMULAS: ClassVar[tuple[str, ...]] = ("holds", "when", "shows", "each")

    holds: Formulas
    each: dict[str, str] = {}
    when: str | None = None
    shows: list[str] = []


def states_one(holds: str | None, is_: str | None) -> None:
    """A condition is stated as ``holds`` or as ``is``.

    Raises:
        ValueError: both are given, or neither.
    """
    if (holds is None) == (is_ is None):
        raise ValueError("one of holds and is was expected")


class PartialSum(Fields, frozen=True, rename={"is_": "is"}):
    """A condition on the sum ``v`` of the rows ``steps`` (``1..8``, ``9``) of the claim's table, for every pair of y and z.

    of:    ``numerator`` ((A X) W^V of those tokens), ``denominator``, ``columns``: the largest column sum of A X in magnitude, or
           ``column``: the sum of the one column that W^V uses, before its weight; where the semantics multiplies this weight into each
           product, the sum of these products. ``applied`` is the weight that the sum already contains, 1 or the entry of W^V.
    over:  the positions of y and z on which the sum may depend, ``1 : h``; the judge checks every pair of contents of these positions.
    holds: the condition; is: short for ``v == …``; when: a condition on the pairs, in addition to the promise.
    """

    FORMULAS: ClassVar[tuple[str, ...]] = ("holds", "is_", "when")
    BOUNDED = True

    of: Literal["numerator", "denominator", "columns", "column"]
    steps: str
    over: str
    holds: str | None = None
    is_: str | None = None
    when: str | None = None

    def __post_init__(self) -> None:
        states_one(self.holds, self.is_)


class Output(Fields, frozen=True, rename={"is_": "is"}):
    """A condition on the attention's output ``v`` on every promise pair: on those with the answer ``on`` (yes, no), or on all.

    otherwise: the condition on the pairs with the other answer.
    """

    FORMULAS: ClassVar[tuple[str, ...]] = ("holds", "is_", "otherwise")
    BOUNDED = True

    holds: str | None = None
    is_: str | None = None
    on: Literal["yes", "no", "all"] = "all"
    otherwise: str | None = None

    def __post_init__(self) -> None:
        states_one(self.holds, self.is_)
        if self.otherwise is not None and self.on == "all":
            raise ValueError("otherwise is for the pairs with the other answer; on = yes or on = no was expected")


class OneString(Fields, frozen=True, rename={"is_": "is"}):
    """A condition on a quantity that the rows ``steps`` of the claim's table compute from one string, for every value that the promise
    admits.

    of:     what ``v`` is: ``numerator``, ``denominator`` or ``column`` (the rounded sum, as for partial sums), ``running`` (the numerator
            after each of the tokens), ``weights`` (each token's attention weight), or ``values`` (the values added without rounding).
    string: ``y`` or ``z``; no token of the rows may read the other string.
    holds:  the condition; is: short for ``v == …``; when: a condition on the strings, in addition to the promise.
    """

    FORMULAS: ClassVar[tuple[str, ...]] = ("holds", "is_", "when")
    BOUNDED = True

    of: Literal["numerator", "denominator", "column", "running", "weights", "values"]
    steps: str
    string: Literal["y", "z"]
    holds: str | None = None
    is_: str | None = None
    when: str | None = None

    def __post_init__(self) -> None:
        states_one(self.holds, self.is_)


class InputRepresentation(Fields, frozen=True):
    """The input representation of the claim's table gives every token one content, which consists of bits that exist.

    each, when: the points of the claim, ranges with both ends included; at: the table's parameters at them.
    """

    FORMULAS: ClassVar[tuple[str, ...]] = ("each", "when", "at")

    each: dict[str, str] = {}
    when: str | None = None
    at: dict[str, str] = {}


class Computes(Fields, frozen=True):
    """The claim's own table computes its function on every promise pair; this judge has no fields."""

    BOUNDED = True


class Pairs(Fields, frozen=True):
    """A condition on the strings ``y`` and ``z`` of ``length`` bits, on every pair that keeps ``promise``.

    strings: ``y`` if the condition is about one string only.
    """

    FORMULAS: ClassVar[tuple[str, ...]] = ("holds", "promise", "length")

    holds: Formulas
    length: str
    promise: str = "y <= z"
    strings: str = "y, z"
    shows: list[str] = []


class Inclusion(Fields, frozen=True, rename={"from_": "from"}):
    """A function, or its derivative of an order, maps the open interval ``from`` into the open interval ``into``; or each of several.

    function: a formula in ``x``, or the name of a function of the paper's mathematics that has its ``formula``.
    """

    FORMULAS: ClassVar[tuple[str, ...]] = ("from_", "into")

    function: str | list[str]
    from_: list[str]
    into: list[str]
    order: int = 0


class Declined(Fields, frozen=True):
    """The reason why our computations cannot decide a claim, such as the score of a trained network or a definition."""

    reason: str


class Expectation(Fields, frozen=True, rename={"is_": "is"}):
    """The expected value of ``of`` is ``is``, as polynomials in the entries of matrices, ``Q(i, u)``, and in free numbers.

    shapes: of the matrices with a fixed shape, ``{ Q = "n, m" }``: a formula that names an entry outside is refuted.
    uniform: the matrices whose entries are random and independent, each uniform in ``-r .. r`` or ``0 .. r``, r > 0 a free number.
    each: ranges of names, both ends included: the claim is made for each assignment.
    """

    FORMULAS: ClassVar[tuple[str, ...]] = ("of", "is_", "each", "shapes")

    of: str
    is_: str
    uniform: dict[str, str] = {}
    each: dict[str, str] = {}
    shapes: dict[str, str] = {}

    def __post_init__(self) -> None:
        for name, text in self.each.items():
            if ".." not in text:
                raise ValueError(f"each {name} is {text!r}; a range, first .. last, was expected")


class Matrices(Fields, frozen=True):
    """Two expressions in matrices are equal, for every matrix of the shapes: ``T(A)`` is the transpose, ``inv(A)`` the inverse.

    shapes: ``{ A = "n, m" }``, sizes that are parameters or letters of their own; orthogonal: those with inv(A) = T(A).
    """

    shapes: dict[str, str]
    equal: list[str]
    orthogonal: list[str] = []


class Reals(Fields, frozen=True):
    """Formulas in one real that are positive on an interval except at their stated zeros.

    over:     the real's name and the ends of the interval, ``["x", "0", "1"]``; both belong to it.
    positive: pairs of a formula and its zeros in the interval, with commas between.
    pieces:   from, to, and the meaning of names there, ``["0", "1/2", { y = "1 + x" }]``, without a gap; by default one piece.
    """

    over: tuple[str, str, str]
    positive: list[tuple[str, str]]
    pieces: list[tuple[str, str, dict[str, str]]] = []

    def formulas(self) -> Iterator[str]:
        """Every formula among the fields."""
        yield from self.over[1:]
        for formula, zeros in self.positive:
            yield from [formula, *filter(str.strip, zeros.split(","))]
        for low, high, meanings in self.pieces:
            yield from [low, high, *meanings.values()]


class Mean(Fields, frozen=True):
    """The mean of a formula over all reals of a box is positive.

    over: the names and the ends of their intervals, ``[["x", "0", "1"], ["y", "0", "1"]]``.
    """

    over: list[tuple[str, str, str]]
    positive: str

    def formulas(self) -> Iterator[str]:
        """Every formula among the fields."""
        yield self.positive
        for _, low, high in self.over:
            yield from (low, high)


class Combination(Fields, frozen=True, rename={"from_": "from"}):
    """Formulas that are not negative because each is a sum of products of non-negative terms.

    If the formulas follow from the sentence by an argument, the claim has it in ``checks`` and sets ``words``. A name that the sentence
    or the paper defines needs no argument.

    means:    names of the formulas, each with its definition.
    given:    non-negative formulas: the claim's assumptions about its names.
    from:     premises by name: a claim of the judge ``reals``, the number of one of its formulas from 0 on, and the formulas that replace
              its names, ``["section-2.7:log2-worst-case", 0, { x = "s*y - i" }]``.
    positive: pairs of a formula and the sum, in premises, formulas given, squares and constants.
    at:       a point at which everything given holds, so that the claim is not empty.
    """

    from_: dict[str, tuple[str, int, dict[str, str]]]
    positive: list[tuple[str, str]]
    given: list[str]
    at: dict[str, str]
    means: dict[str, str] = {}

    def formulas(self) -> Iterator[str]:
        """Every formula among the fields."""
        yield from [*self.given, *self.at.values()]
        for _, _, names in self.from_.values():
            yield from names.values()
        for pair in self.positive:
            yield from pair


CORE: dict[str, tuple[type[Fields], str]] = {
    "formula": (Formula, "verifier.judges.formula:judge"),
    "pairs": (Pairs, "verifier.judges.strings:judge"),
    "partial-sum": (PartialSum, "verifier.judges.partial_sum:judge"),
    "one-string": (OneString, "verifier.judges.one_string:judge"),
    "input-representation": (InputRepresentation, "verifier.judges.tables:input_representation"),
    "output": (Output, "verifier.judges.output:judge"),
    "computes": (Computes, "verifier.judges.tables:judge"),
    "inclusion": (Inclusion, "verifier.judges.inclusion:judge"),
    "declined": (Declined, "verifier.judges.declined:judge"),
    "expectation": (Expectation, "verifier.judges.expectation:judge"),
    "identity": (Expectation, "verifier.judges.expectation:judge"),
    "matrices": (Matrices, "verifier.judges.matrices:judge"),
    "reals": (Reals, "verifier.judges.reals:judge"),
    "mean": (Mean, "verifier.judges.reals:mean"),
    "combination": (Combination, "verifier.judges.reals:combination"),
}
"""The judges of the core by the names that statement files give them."""

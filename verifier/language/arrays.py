"""The reading of formulas over all cases at once: a name may be an array, and a formula's value is one.

It agrees with :mod:`verifier.language.exact` case by case. No part is evaluated for a case that does not ask for it: each branch of an
``if``, and what follows in ``and`` and ``or``, is evaluated on the cases that reach it, unless it cannot fail. A part without arrays is
left to the exact reading, and so are functions without an array form, once for each distinct value.

Sums, extremes, *all* and *any* over a range of each case are formed on blocks of (case, value) pairs at once. Pairs come case by case, the
values of a case in order. A case that is decided asks for no more values; where a block that runs past the deciding one cannot be
evaluated, it is tried again in smaller blocks, at last one value of each case at a time.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, reduce
from typing import Any, TypeAlias

import numpy as np

from verifier.arithmetic.numbers import infinity
from verifier.arithmetic.rationals import Fraction
from verifier.language import exact
from verifier.language.array_values import NOT_A_NUMBER, ZERO, Array, Index, Quantity, Strings, Truths, Whole
from verifier.language.operands import Bits, Functions, Given, Value, check_given, exact_value, named, no_condition
from verifier.language.operations import APPLIED, ROUNDED, power
from verifier.language.syntax import CONDITIONS, Formula, infinite, names_in, quoted, tree_of
from verifier.language.tree import (
    Algebra,
    Call,
    Choice,
    Comparison,
    Logic,
    Membership,
    Name,
    Node,
    Operation,
    Ranged,
    Signed,
    Slice,
    children,
    fold,
    walk,
)
from verifier.running.errors import BeyondError, InputError

SAFE = ("floor", "ceil", "abs", "min", "max", "finite", "nan")


def can_fail(node: Node, refused: Callable[[Node], bool | None]) -> bool:
    """Whether a part might have no value in some case; of names, + - * and comparisons that is only for their size.

    Args:
        refused: of a part that does not depend on the case, whether it has no value; None for any other part.
    """
    if infinite(node) is not None:
        return False
    if (known := refused(node)) is not None:
        return known
    match node:
        case Operation(_, "+" | "-" | "*") | Name() | Signed() | Logic() | Comparison() | Membership() | Choice():
            return any(can_fail(part, refused) for part in children(node))
        case Call(name) if name in SAFE:
            return any(can_fail(part, refused) for part in children(node))
    return True


Column: TypeAlias = Quantity | Strings | Truths
"""What a name may be over the cases, beside one exact value for all of them."""


def on_distinct(node: Node, function: Callable[..., object], *columns: Column) -> Quantity | Truths:
    """``function`` of every case's arguments.

    Raises:
        InputError: the function refuses one of them, or gives numbers for some and conditions for others.
    """
    shape = np.broadcast_shapes(*(c.shape for c in columns))
    codes = np.zeros(int(np.prod(shape)), dtype=np.int64)
    for column in columns:
        for part in _parts(column):
            _, positions = np.unique(np.broadcast_to(part, shape).reshape(-1), return_inverse=True)
            codes = np.unique(codes * (int(positions.max(initial=0)) + 1) + positions.reshape(-1), return_inverse=True)[1].reshape(-1)
    _, first = np.unique(codes, return_index=True)
    arguments = zip(*(_values(column, shape, first) for column in columns), strict=True)
    found = [exact_value(named(node, function, *each)) for each in arguments]
    if all(isinstance(x, bool) for x in found):
        return np.array(found, dtype=np.bool_)[codes].reshape(shape)
    numbers = [x for x in found if not isinstance(x, bool | Bits)]
    if len(numbers) < len(found):
        raise InputError(f"{quoted(node)}: numbers only, or conditions only, were expected")
    return Quantity.listed(numbers).picked((len(numbers),), codes.reshape(shape))


def _parts(column: Column) -> list[Array]:
    """Integer arrays that tell the values of a column apart."""
    if isinstance(column, Quantity):
        bottom = [] if isinstance(column.denominator, int) else [column.denominator.values]
        return [column.numerator.values, *bottom, column.codes]
    return [column.numbers.values if isinstance(column, Strings) else column]


def _values(column: Column, shape: tuple[int, ...], index: Array) -> list[Value]:
    if isinstance(column, Quantity):
        return list(column.picked(shape, index).numbers())
    if isinstance(column, Strings):
        return [Bits(int(n), column.length) for n in column.numbers.picked(shape, index).values]
    return [bool(x) for x in np.broadcast_to(column, shape).reshape(-1)[index]]


ARITHMETIC: dict[str, Callable[[Quantity, Quantity], Quantity]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
APPLIED_TO_ALL: dict[str, Callable[..., Quantity]] = {
    "floor": Quantity.floor,
    "ceil": lambda x: -(-x).floor(),
    "abs": abs,
    "popcount": Quantity.popcount,
    "value": lambda x: x,
    "min": lambda *xs: reduce(Quantity.least, xs),
    "max": lambda *xs: -reduce(Quantity.least, [-x for x in xs]),
}
PREDICATES: dict[str, Callable[[Quantity], Truths]] = {
    "finite": lambda x: np.asarray(x.codes == 0),
    "nan": lambda x: np.asarray(x.codes == NOT_A_NUMBER),
}

PAIRS_AT_FIRST = 1 << 12
"""How many pairs a block begins with; more cases than that are asked one value at a time, since then it is the same for all of them."""
PAIRS_AT_ONCE = 1 << 20
MOST_PAIRS = 1 << 28

Pairs: TypeAlias = tuple[Array, Quantity | Truths]
"""The cases that have a value in the block (ascending), and these values."""
Evaluate: TypeAlias = Callable[[Array, Whole], Pairs]
"""The values for pairs of a case and an offset into its range."""


class _Decided:
    """*all* or *any* of conditions: a case is decided by the first that is ``deciding``."""

    def __init__(self, size: int, deciding: bool) -> None:
        self.result: Truths = np.full(size, not deciding)
        self.open: Truths = np.ones(size, dtype=np.bool_)
        self.deciding = deciding

    def add(self, cases: Array, values: Quantity | Truths) -> None:
        assert not isinstance(values, Quantity)
        hit = cases[values == self.deciding]
        self.result[hit] = self.deciding
        self.open[hit] = False

    def finish(self) -> Truths:
        return self.result


class _Gathered:
    """A sum or an extreme of numbers."""

    def __init__(self, size: int, name: str) -> None:
        self.result = Quantity(Whole.of(np.zeros(size, dtype=np.int64)))
        self.open: Truths = np.ones(size, dtype=np.bool_)
        self.seen: Truths = np.zeros(size, dtype=np.bool_)
        self.name = name

    def add(self, cases: Array, values: Quantity | Truths) -> None:
        assert isinstance(values, Quantity)
        starts = np.flatnonzero(np.diff(cases, prepend=-1))
        here: Truths = np.zeros(self.seen.shape, dtype=np.bool_)
        here[cases[starts]] = True
        found = values
        if len(starts) < len(cases):
            found = totals(values, starts) if self.name == "sum" else extremes(values, starts, least=self.name == "min")
        found = found if len(starts) == len(here) else found.spread(here)
        if self.name == "sum":
            self.result = self.result + found
        else:
            better = self.result.least(found) if self.name == "min" else -(-self.result).least(-found)
            self.result = better.where(self.seen & here, found.where(here, self.result))
        self.seen |= here

    def finish(self) -> Quantity:
        if self.name != "sum" and not self.seen.all():
            raise InputError("no value at all; one or more were expected")
        return self.result


def form(name: str, spans: Whole, evaluate: Evaluate) -> Quantity | Truths:
    """The sum, min, max, all or any of each case; ``spans`` is how many values each has (none where it is negative).

    Raises:
        InputError: a value that is asked for and has none, an extreme of nothing, or more than 2^28 values.
    """
    sizes = np.clip(spans.values, 0, MOST_PAIRS + 1).astype(np.int64)
    formed = _Decided(len(sizes), name == "any") if name in ("all", "any") else _Gathered(len(sizes), name)
    done = np.zeros(len(sizes), dtype=np.int64)
    asked, visited, most = np.flatnonzero(sizes), 0, min(PAIRS_AT_FIRST, PAIRS_AT_ONCE)
    while asked.size:
        counts = np.minimum(sizes[asked] - done[asked], 1 if asked.size > PAIRS_AT_FIRST else max(1, most // asked.size))
        visited += int(counts.sum())
        if visited > MOST_PAIRS:
            raise BeyondError(f"more than {MOST_PAIRS:,} values of a bound name")
        cases = np.repeat(asked, counts)
        offsets = np.arange(len(cases)) - np.repeat(np.cumsum(counts) - counts, counts) + done[cases]
        try:
            formed.add(*evaluate(cases, Whole.of(offsets)))
        except InputError:
            widest = int(counts.max())
            if isinstance(formed, _Gathered) or widest == 1:
                raise
            most = asked.size * (widest // 2)
            continue
        most = min(PAIRS_AT_ONCE, 2 * max(most, asked.size))
        done[asked] += counts
        asked = asked[(done[asked] < sizes[asked]) & formed.open[asked]]
    return formed.finish()


def totals(numbers: Quantity, starts: Array) -> Quantity:
    """The sums of the runs that begin at ``starts``, for one dimension."""
    top, common = numbers.over_one_denominator()
    longest = int(np.diff(starts, append=len(top.values)).max(initial=1))
    summed = Whole(top.values, top.most * longest).narrow()
    found = Quantity(Whole(np.add.reduceat(summed.values, starts), summed.most), common)
    if numbers.special is None:
        return found
    up, down, nan = (np.logical_or.reduceat(numbers.special == code, starts) for code in (1, -1, NOT_A_NUMBER))
    special = np.where(nan | (up & down), NOT_A_NUMBER, up.astype(np.int8) - down).astype(np.int8)
    return Quantity(found.numerator.where(special == 0, ZERO), common, special)


def extremes(numbers: Quantity, starts: Array, least: bool) -> Quantity:
    """The least or greatest of each of the runs that begin at ``starts``, for one dimension."""
    top, common = numbers.over_one_denominator()
    choose = np.minimum if least else np.maximum
    if numbers.special is None:
        return Quantity(Whole(choose.reduceat(top.values, starts), top.most), common)
    far = 1 if least else -1
    finite = top.where(numbers.special == 0, Whole.of(far * (top.most + 1)))
    found = choose.reduceat(finite.values, starts)
    nan, near = (np.logical_or.reduceat(numbers.special == code, starts) for code in (NOT_A_NUMBER, -far))
    special = np.where(nan, NOT_A_NUMBER, np.where(near, -far, np.where(abs(found) > top.most, far, 0))).astype(np.int8)
    return Quantity(Whole(found, finite.most).where(special == 0, ZERO), common, special)


HIGHEST_POWER = 4
"""Higher powers of arrays are left to the exact reading."""


Names: TypeAlias = Mapping[str, Given | Column | Array]


def value(formula: Formula, names: Names, functions: Functions | None = None) -> Quantity | Truths:
    """The value of a formula in every case: an array of the shape to which the given arrays broadcast.

    Raises:
        InputError: as the exact reading, for any of the cases.
    """
    tree = tree_of(formula)
    check_given(tree, names, functions or {})
    columns: dict[str, Column] = {}
    constants: dict[str, Given] = {}
    for name, given in names.items():
        if isinstance(given, np.ndarray):
            columns[name] = given if given.dtype == np.bool_ else Quantity.of(given)
        elif isinstance(given, Quantity | Strings):
            columns[name] = given
        else:
            constants[name] = given
    shape = _shape(columns.values())
    with np.errstate(all="raise"):
        found = _Cases(columns, constants, functions or {}).plain(tree)
    return found.broadcast(shape) if isinstance(found, Quantity) else np.broadcast_to(found, shape)


def truth(formula: Formula, names: Names, functions: Functions | None = None) -> Truths:
    """In which cases a condition holds."""
    found = value(formula, names, functions)
    return no_condition(tree_of(formula)) if isinstance(found, Quantity) else found


def _shape(columns: Any) -> tuple[int, ...]:
    return np.broadcast_shapes(*(c.shape for c in columns))


@lru_cache(maxsize=4096)
def _has_range(node: Node) -> bool:
    return any(isinstance(each, Ranged) for each in walk(node))


class _Cases(Algebra[Column]):
    """A set of cases: ``columns`` differ from case to case, ``constants`` do not."""

    def __init__(self, columns: Mapping[str, Column], constants: Mapping[str, Given], functions: Functions) -> None:
        self.columns, self.constants, self.functions = columns, constants, functions

    def value(self, node: Node) -> Column:
        return self.constant(node) if self.is_constant(node) else fold(node, self)

    def name(self, node: Name) -> Column:
        return self.columns[node.name]

    def signed(self, node: Signed) -> Column:
        return -self.number(node.operand) if node.sign == "-" else self.number(node.operand)

    def operation(self, node: Operation) -> Column:
        if node.operator == "**":
            return self.power(node)
        return named(node, ARITHMETIC[node.operator], self.number(node.left), self.number(node.right)).bounded()

    def comparison(self, node: Comparison) -> Column:
        values = [self.compared(each) for each in (node.left, *node.others)]
        found = [x.compared(op, y) for op, x, y in zip(node.operators, values, values[1:], strict=False)]
        return reduce(operator.and_, found)

    def membership(self, node: Membership) -> Column:
        x, *others = [self.compared(each) for each in (node.left, *node.values)]
        found: Truths = reduce(operator.or_, [x.compared("==", other) for other in others])
        return found if node.inside else ~found

    def slice(self, node: Slice) -> Column:
        ends = [self.number(end) for end in node.ends]
        return named(node, self.string(node).part, ends[0], ends[-1])

    def call(self, node: Call) -> Column:
        match node:
            case Call("floor" | "ceil" as name, (Call(inner, (of,)),)) if inner in ROUNDED:
                return on_distinct(node, lambda x: ROUNDED[inner](x, name == "ceil"), self.number(of))
            case Call(name, arguments) if name in APPLIED_TO_ALL:
                return named(node, APPLIED_TO_ALL[name], *map(self.number, arguments))
            case Call(name, (of,)) if name in PREDICATES:
                return PREDICATES[name](self.number(of))
        if node.function in APPLIED:
            return on_distinct(node, APPLIED[node.function], *map(self.number, node.arguments))
        return on_distinct(node, self.functions[node.function], *map(self.value, node.arguments))

    def is_constant(self, node: Node) -> bool:
        return self.columns.keys().isdisjoint(names_in(node)) and not _has_range(node)

    def constant(self, node: Node) -> Column:
        found = exact.value(node, self.constants, self.functions)
        if isinstance(found, bool):
            return np.asarray(found)
        return Strings(Whole.of(found.number), found.length) if isinstance(found, Bits) else Quantity.constant(found)

    def number(self, node: Node) -> Quantity:
        found = self.value(node)
        if isinstance(found, Quantity):
            return found
        if isinstance(found, Strings):
            return Quantity(found.numbers)
        raise InputError(f"{quoted(node)} is a condition, a number was expected")

    def plain(self, node: Node) -> Quantity | Truths:
        found = self.value(node)
        return Quantity(found.numbers) if isinstance(found, Strings) else found

    def truth(self, node: Node) -> Truths:
        found = self.value(node)
        return no_condition(node) if isinstance(found, Quantity | Strings) else found

    def string(self, node: Slice) -> Strings:
        found = self.columns[node.name] if node.name in self.columns else self.constant(Name(node.name))
        if not isinstance(found, Strings):
            raise InputError(f"{quoted(node)}: bits of a string were expected, but this is not a string")
        return found

    def power(self, node: Operation) -> Column:
        if self.is_constant(node.right):
            k = exact.value(node.right, self.constants, self.functions)
            if isinstance(k, Fraction) and k.denominator == 1 and 0 <= k <= HIGHEST_POWER:
                return self.number(node.left).power(int(k)).bounded()
        return on_distinct(node, power, self.number(node.left), self.number(node.right))

    def compared(self, node: Node) -> Quantity:
        side = infinite(node)
        return self.number(node) if side is None else Quantity.constant(infinity(side))

    def logic(self, node: Logic) -> Column:
        """Conditions joined by ``and`` or ``or``, each where those before it have not decided."""
        first, *others = node.parts
        found = self.truth(first)
        if node.operator == "not":
            return ~found
        decisive = node.operator == "or"
        for condition in others:
            asked = ~found if decisive else found
            if not asked.any():
                break
            more = self.where(asked, condition)
            if isinstance(more, Quantity):
                no_condition(condition)
            found = found | more if decisive else found & more
        return found

    def choice(self, node: Choice) -> Column:
        test = self.truth(node.test)
        if test.all() or not test.any():
            return self.plain(node.body if test.any() else node.orelse)
        yes, no = self.where(test, node.body), self.where(~test, node.orelse)
        if isinstance(yes, Quantity) and isinstance(no, Quantity):
            return yes.where(test, no)
        if isinstance(yes, Quantity) or isinstance(no, Quantity):
            raise InputError(f"{quoted(node)}: two numbers or two conditions were expected")
        return np.where(test, yes, no)

    def where(self, mask: Truths, node: Node) -> Quantity | Truths:
        """A part in the cases where ``mask`` holds (somewhere); elsewhere anything."""
        if mask.all():
            return self.plain(node)
        if not can_fail(node, self.refused):
            with suppress(InputError):  # a number too large, or a condition for a number, in a case that does not ask
                return self.plain(node)
        used = self.columns.keys() & names_in(node)
        asked = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, _shape(self.columns[name] for name in used)))
        inner = self.picked(used, asked.shape, asked.reshape(-1)).plain(node)
        if isinstance(inner, Quantity):
            return inner.broadcast((int(asked.sum()),)).spread(asked)
        found = np.zeros(asked.shape, dtype=np.bool_)
        found[asked] = inner
        return found

    def picked(self, used: Any, shape: tuple[int, ...], index: Index) -> _Cases:
        """The cases that ``index`` names among all of this shape, with the columns that are used."""
        columns: dict[str, Column] = {}
        for name in used:
            column = self.columns[name]
            if isinstance(column, Quantity | Strings):
                columns[name] = column.picked(shape, index)
            else:
                columns[name] = np.broadcast_to(column, shape).reshape(-1)[index]
        return _Cases(columns, self.constants, self.functions)

    def binding(self, name: str, values: Whole) -> _Cases:
        """These cases with one more name: a constant where all its values are one."""
        columns: dict[str, Column] = {n: c for n, c in self.columns.items() if n != name}
        lowest = values.values.min()
        if lowest == values.values.max():
            return _Cases(columns, {**self.constants, name: Fraction(int(lowest))}, self.functions)
        return _Cases({**columns, name: Quantity(values)}, self.constants, self.functions)

    def refused(self, node: Node) -> bool | None:
        """Whether a part that is the same in every case, or the same bits of a string, has no value; None for any other."""
        names = self.constants
        if isinstance(node, Slice) and all(map(self.is_constant, node.ends)):
            names = {**names, node.name: Bits(0, self.string(node).length)}
        elif not self.is_constant(node):
            return None
        try:
            exact.value(node, names, self.functions)
        except InputError:
            return True
        return False

    def ranged(self, node: Ranged) -> Column:
        used = self.columns.keys() & names_in(node)
        shape = _shape(self.columns[n] for n in used)
        flat = self.picked(used, shape, slice(None))
        size = math.prod(shape)
        every = np.arange(size)
        first, last = (named(end, flat.number(end).integers).broadcast((size,)) for end in node.ends)

        def evaluate(cases: Array, offsets: Whole) -> Pairs:
            inner = flat if np.array_equal(cases, every) else flat.picked(used, (size,), cases)
            inner = inner.binding(node.name, first.picked((size,), cases) + offsets)
            for condition in node.tests:
                kept = np.broadcast_to(inner.truth(condition), cases.shape)
                cases, inner = cases[kept], inner.picked(inner.columns, cases.shape, kept)
            if not len(cases):
                return cases, np.zeros(0, dtype=np.bool_) if node.function in CONDITIONS else Quantity(Whole.of(cases))
            if node.function in CONDITIONS:
                return cases, np.broadcast_to(inner.truth(node.body), cases.shape)
            return cases, inner.number(node.body).broadcast(cases.shape)

        found = named(node, form, node.function, last - first + Whole.of(1), evaluate)
        places = every.reshape(shape)
        return found.picked((size,), places).bounded() if isinstance(found, Quantity) else np.asarray(found[places])

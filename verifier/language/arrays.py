"""The reading of formulas over all cases in one pass. If a name is an array, the value of the formula is an array.

The values agree with :mod:`verifier.language.exact` in every case. A value that is the same in every case stays one exact value; a function
without a form on arrays is called once for each distinct value. No part fails for a case that does not need it: each branch of an ``if``,
and later conditions in ``and`` and ``or``, are evaluated on the cases that reach them, unless they have a value in every case.

Sums, extremes, *all* and *any* over a range are formed one value of the bound name after another, the first of all cases, then the second
of all that have one; a decided case needs no more values.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache, partial, reduce
from typing import Any, ClassVar, TypeAlias

import numpy as np

from verifier.arithmetic.machine import exact_sum
from verifier.arithmetic.numbers import ZERO, Special, negate
from verifier.arithmetic.rationals import Fraction
from verifier.language import exact, operands, operations
from verifier.language.array_values import Array, Index, Quantity, Strings, Truths, Whole
from verifier.language.exact import Case, Part, Parts
from verifier.language.operands import Bits, Functions, Given, Value, check_given, exact_value, named
from verifier.language.syntax import CONDITIONS, Formula, calls_in, names_in, no_condition, tree_of
from verifier.language.tree import Choice, Logic, Node, Ranged, walk
from verifier.running.errors import InputError

Column: TypeAlias = Quantity | Strings | Truths
"""The values that a name may have over the cases, besides one exact value for all cases."""
Mixed: TypeAlias = Value | Column
"""The value of a part, which is one exact value for all cases or a column."""


def is_exact(*values: Mixed) -> bool:
    return all(isinstance(x, Fraction | Special | bool | Bits) for x in values)


def column(x: Mixed) -> Any:
    """The value as a column, without dimensions if it is the same in every case."""
    match x:
        case bool():
            return np.asarray(x)
        case Bits(number, length):
            return Strings(Whole.of(number), length)
        case Fraction() | Special():
            return Quantity.constant(x)
    return x


def over_columns(exactly: Callable[..., Any], form: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """An operation on values that may be columns: ``exactly`` if none is, else its form on columns, which has no infinities and NaN."""

    def applied(*values: Mixed) -> Any:
        if is_exact(*values):
            return exactly(*values)
        columns = [column(x) for x in values]
        special = [x.codes != 0 for x in columns if isinstance(x, Quantity) and x.codes.any()]
        if form is None or not special:
            found = form(*columns) if form else on_distinct(exactly, *columns)
        else:
            mask = np.broadcast_to(reduce(operator.or_, special), _shape(columns))
            alone = on_distinct(exactly, *(_pick(x, mask.shape, mask.reshape(-1)) for x in columns))
            found = _where(mask, _spread(alone, mask), form(*(x.plain() if isinstance(x, Quantity) else x for x in columns)))
        return found.bounded() if isinstance(found, Quantity) else found

    return applied


def on_distinct(function: Callable[..., object], *columns: Column) -> Quantity | Truths:
    """Apply ``function`` to the arguments of every case.

    Raises:
        InputError: the function refuses one of them, or gives numbers for some and conditions for others.
    """
    shape = _shape(columns)
    codes = np.zeros(int(np.prod(shape)), dtype=np.int64)
    for each in columns:
        for part in _parts(each):
            _, positions = np.unique(np.broadcast_to(part, shape).reshape(-1), return_inverse=True)
            codes = np.unique(codes * (int(positions.max(initial=0)) + 1) + positions.reshape(-1), return_inverse=True)[1].reshape(-1)
    _, first = np.unique(codes, return_index=True)
    arguments = zip(*(_values(_pick(each, shape, first)) for each in columns), strict=True)
    found = [operations.bounded(exact_value(function(*each))) for each in arguments]
    if all(isinstance(x, bool) for x in found):
        return np.array(found, dtype=np.bool_)[codes].reshape(shape)
    numbers = [x for x in found if not isinstance(x, bool | Bits)]
    if len(numbers) < len(found):
        raise InputError("numbers only, or conditions only, were expected")
    return Quantity.listed(numbers).picked((len(numbers),), codes.reshape(shape))


def _parts(x: Column) -> list[Array]:
    """Integer arrays that distinguish the values of a column."""
    if isinstance(x, Quantity):
        return [each.values for each in (x.numerator, x.denominator, x.special) if each.shape]
    return [x.numbers.values if isinstance(x, Strings) else x]


def _values(x: Column) -> list[Value]:
    """The elements of a column of one dimension."""
    if isinstance(x, Quantity):
        return list(x.numbers())
    return [Bits(int(n), x.length) for n in x.numbers.values] if isinstance(x, Strings) else x.tolist()


def _shape(columns: Iterable[Any]) -> tuple[int, ...]:
    return np.broadcast_shapes(*(c.shape for c in columns))


def _pick(x: Any, shape: tuple[int, ...], index: Index) -> Any:
    """The elements of the flattened column of this shape with the indices ``index``."""
    return np.broadcast_to(x, shape).reshape(-1)[index] if isinstance(x, np.ndarray) else x.picked(shape, index)


def _spread(x: Any, mask: Truths) -> Any:
    """A column of the mask's shape that has these values where it holds, in order, and anything elsewhere."""
    if isinstance(x, Quantity):
        return x.broadcast((int(mask.sum()),)).spread(mask)
    found = np.zeros(mask.shape, dtype=np.bool_)
    found[mask] = x
    return found


def _where(mask: Truths, x: Any, y: Any) -> Any:
    """The first column where the mask holds, the second elsewhere."""
    if isinstance(x, Quantity) != isinstance(y, Quantity):
        raise InputError("two numbers or two conditions were expected")
    return x.where(mask, y) if isinstance(x, Quantity) else np.where(mask, x, y)


FORMS: dict[str, Callable[..., Quantity | Truths]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "floor": Quantity.floor,
    "ceil": lambda x: -(-x).floor(),
    "abs": abs,
    "popcount": Quantity.popcount,
    "value": lambda x: x,
    "min": lambda *xs: reduce(Quantity.least, xs),
    "max": lambda *xs: -reduce(Quantity.least, [-x for x in xs]),
}
"""The operations and functions that have a form on columns; any other is asked once for each distinct value."""
FORMED: dict[str, tuple[Any, Callable[[Any, Any], Any]]] = {
    "sum": (Quantity.constant(ZERO), over_columns(exact_sum, FORMS["+"])),
    "min": (Quantity.constant(ZERO), over_columns(operations.least, FORMS["min"])),
    "max": (Quantity.constant(ZERO), over_columns(operations.greatest, FORMS["max"])),
    "all": (np.asarray(True), operator.and_),
    "any": (np.asarray(False), operator.or_),
}
"""The combination of a range's values, given by that of no value (an extreme of none is refused) and that of two values."""
HIGHEST_POWER = 4
"""Higher powers of arrays are left to the exact reading."""


def _of_all(table: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    return {name: over_columns(exactly, FORMS.get(name)) for name, exactly in table.items()}


def _power(x: Mixed, y: Mixed) -> Any:
    if isinstance(y, Fraction) and y.denominator == 1 and 0 <= y <= HIGHEST_POWER and not is_exact(x):
        return over_columns(lambda base: operations.power(base, y), lambda base: base.power(int(y)))(x)
    return over_columns(operations.power)(x, y)


COMPARISONS = {op: over_columns(partial(operations.compare, op), lambda x, y, op=op: x.compared(op, y)) for op in operations.COMPARED}


def _part(strings: Column, first: Quantity, last: Quantity | None = None) -> Quantity:
    if not isinstance(strings, Strings):
        raise InputError("bits of a string were expected, but this is not a string")
    return strings.part(first, first if last is None else last)


def _number(node: Node, found: Mixed) -> Mixed:
    match found:
        case Quantity():
            return found
        case Strings():
            return Quantity(found.numbers)
        case np.ndarray() | np.bool_():
            return operands.number(node, True)
    return operands.number(node, found)


def _columns(case: Case, node: Node) -> dict[str, Column]:
    """The columns that a part reads and that differ from case to case."""
    return {name: case.names[name] for name in names_in(node) if not is_exact(case.names[name])}


def _picked(case: Case, columns: Mapping[str, Column], shape: tuple[int, ...], index: Index) -> Case:
    """The cases with the indices ``index`` among all of this shape, with these columns and the constant values."""
    same = {name: x for name, x in case.names.items() if is_exact(x)}
    return Case({**same, **{name: _pick(x, shape, index) for name, x in columns.items()}}, case.functions, case.terms)


def _asked(case: Case, mask: bool | Truths, node: Node, of: Part[Any]) -> Any:
    """A part in the cases in which ``mask`` holds (at least one); elsewhere anything."""
    if np.all(mask):
        return of(case)
    if _is_short(node):
        with suppress(InputError):  # of a case that does not ask
            return of(case)
    used = _columns(case, node)
    asked = np.broadcast_to(mask, np.broadcast_shapes(np.shape(mask), _shape(used.values())))
    inner = of(_picked(case, used, asked.shape, asked.reshape(-1)))
    return inner if is_exact(inner) else _spread(inner, asked)


@lru_cache(maxsize=4096)
def _is_short(node: Node) -> bool:
    """Whether a part neither calls a caller's function nor goes through a range, and so may be evaluated without need."""
    return not calls_in(node) and not any(isinstance(each, Ranged) for each in walk(node))


Table: TypeAlias = Mapping[str, Callable[..., Any]]


class _Parts(Parts):
    """The parts of a formula in cases whose names may be columns."""

    read = staticmethod(lambda x: x)
    negate = staticmethod(over_columns(negate, operator.neg))
    part = staticmethod(over_columns(operands.part, _part))
    plain = staticmethod(_number)
    conditions = (bool, np.ndarray, np.bool_)
    every = staticmethod(partial(reduce, operator.and_))
    some = staticmethod(partial(reduce, operator.or_))
    compare = staticmethod(lambda op, x, y: COMPARISONS[op](x, y))
    binary: ClassVar[Table] = {**_of_all(operations.BINARY), "**": _power}
    applied: ClassVar[Table] = _of_all(operations.APPLIED)
    rounded: ClassVar[Table] = {
        name: lambda x, up, rounded=rounded: over_columns(partial(rounded, up=up))(x) for name, rounded in operations.ROUNDED.items()
    }
    predicates: ClassVar[Table] = _of_all(exact.PREDICATES)

    def logic(self, node: Logic) -> Part[Any]:
        """Conditions joined by ``and`` or ``or``; each is evaluated in the cases that earlier ones have not decided."""
        first, *others = [(part, self.truth(part)) for part in node.parts]
        decisive = node.operator == "or"

        def found(case: Case) -> Any:
            result = first[1](case)
            for part, of in others:
                asked = result ^ decisive
                if not np.any(asked):
                    break
                more = _asked(case, asked, part, of)
                result = result | more if decisive else result & more
            return result ^ (node.operator == "not")

        return found

    def choice(self, node: Choice) -> Part[Any]:
        chosen, yes, no = self.truth(node.test), self.either(node.body), self.either(node.orelse)

        def found(case: Case) -> Any:
            test = chosen(case)
            if np.all(test) or not np.any(test):
                return yes(case) if np.any(test) else no(case)
            first, second = _asked(case, test, node.body, yes), _asked(case, test ^ True, node.orelse, no)
            return named(node, _where, test, column(first), column(second))

        return found

    def ranged(self, node: Ranged) -> Part[Any]:
        """A range, the first value of each case, then the second: each in the cases that have it and are not decided."""
        ends, tests = [(end, self.number(end)) for end in node.ends], [(each, self.truth(each)) for each in node.tests]
        of: Part[Any] = self.truth(node.body) if node.function in CONDITIONS else self.number(node.body)
        nothing, combine = FORMED[node.function]

        def combined(case: Case) -> Any:
            shape = _shape(_columns(case, node).values())
            first, last = (named(end, column(border(case)).integers) for end, border in ends)
            sizes, alike = (last - first).values + 1, first.values.size > 0 and first.values.min() == first.values.max()
            result, seen = _pick(nothing, shape, np.zeros(shape, np.int64)), np.zeros(shape, np.bool_)
            for k in range(int(sizes.max(initial=0))):
                bound = Fraction(int(first.values.flat[0]) + k) if alike else Quantity(first + Whole.of(k))
                inner, asked = case.with_bound(node.name, bound), np.broadcast_to(k < sizes, shape)
                if node.function in CONDITIONS:
                    if not (open_cases := result == nothing).any():
                        break
                    asked = asked & open_cases
                for condition, holds in tests:
                    if asked.any():
                        asked = asked & _asked(inner, asked, condition, holds)
                if asked.any():
                    value = _where(asked, column(_asked(inner, asked, node.body, of)), nothing)
                    result = _where(asked, _where(seen, combine(result, value), value), result)
                    seen = seen | asked
            if node.function in ("min", "max") and not seen.all():
                raise InputError("no value at all; one or more were expected")
            return result.bounded() if isinstance(result, Quantity) else result

        exactly = super().ranged(node)
        return lambda case: named(node, combined, case) if _columns(case, node) else exactly(case)


_PARTS = _Parts()


@lru_cache(maxsize=1 << 12)
def _whole(tree: Node) -> Part[Any]:
    """A formula, analysed once."""
    return _PARTS.either(tree)


Names: TypeAlias = Mapping[str, Given | Column | Array]


def value(formula: Formula, names: Names, functions: Functions | None = None) -> Quantity | Truths:
    """The value of a formula in every case: an array of the shape to which the given arrays broadcast.

    Raises:
        InputError: as the exact reading, for any of the cases.
    """
    tree = tree_of(formula)
    check_given(tree, names, functions or {})
    given = {name: _given(x) for name, x in names.items()}
    shape = _shape(x for x in given.values() if not is_exact(x))
    case = Case.of(given, {name: over_columns(lambda *each, f=f: exact_value(f(*each))) for name, f in (functions or {}).items()})
    with np.errstate(all="raise"):
        found = column(_whole(tree)(case))
    return found.broadcast(shape) if isinstance(found, Quantity) else np.broadcast_to(found, shape)


def _given(x: Any) -> Mixed:
    if isinstance(x, np.ndarray):
        return x if x.dtype == np.bool_ else Quantity.of(x)
    return x if isinstance(x, Quantity | Strings) else exact_value(x)


def truth(formula: Formula, names: Names, functions: Functions | None = None) -> Truths:
    """The cases in which a condition holds."""
    found = value(formula, names, functions)
    return no_condition(tree_of(formula)) if isinstance(found, Quantity) else found

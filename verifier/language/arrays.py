"""The reading of formulas over all cases at once: a name may be an array, and a formula's value is one.

It agrees with :mod:`verifier.language.exact` case by case. No part is evaluated for a case that does not ask for it: each branch of an
``if``, and what follows in ``and`` and ``or``, is evaluated on the cases that reach it, unless it cannot fail. A part without arrays is
left to the exact reading, and so are functions without an array form, once for each distinct value.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache, reduce
from typing import Any, TypeAlias

import numpy as np

from verifier.arithmetic.numbers import infinity
from verifier.arithmetic.rationals import Fraction
from verifier.language import exact
from verifier.language.array_operations import APPLIED_TO_ALL, ARITHMETIC, PREDICATES
from verifier.language.array_ranges import Pairs, form
from verifier.language.distinct_cases import Column, on_distinct
from verifier.language.evaluator import roundable
from verifier.language.integer_arrays import Array, Index, Truths, Whole
from verifier.language.operands import Bits, Functions, Given, check_given, named, no_condition
from verifier.language.operations import APPLIED, ROUNDED, power
from verifier.language.rational_arrays import Quantity
from verifier.language.strings import Strings
from verifier.language.syntax import CONDITIONS, Formula, infinite, names_in, quoted, tree_of
from verifier.language.total_parts import can_fail
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
    fold,
    walk,
)
from verifier.running.errors import InputError

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
            case Call(name, (Call(inner, (of,)),)) if roundable(name, inner):
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

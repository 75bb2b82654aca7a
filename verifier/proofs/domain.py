"""The domain of a statement for all parameters: integers with a lower bound each, and cases that cover it.

A parameter is written low + k with an integer k ≥ 0, where low is a formula in the parameters before it. A case gives each k a form
offset + step·t with an integer t ≥ 0, or fixes it; splitting a case off at its least value, or by remainders, keeps it covered.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import integer
from verifier.language.syntax import Formula, names_in, range_of, tree_of
from verifier.running.errors import InputError

MOST_ALTERNATIVES = 16
FLIPPED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.Gt(),
    ast.LtE: ast.GtE(),
    ast.Gt: ast.Lt(),
    ast.GtE: ast.LtE(),
    ast.Eq: ast.Eq(),
}


@dataclass(frozen=True)
class Parameter:
    """An integer: ``low`` and above, or, where ``fixed``, just ``low``."""

    name: str
    low: ast.expr
    fixed: bool = False


@dataclass(frozen=True)
class Slack:
    """k = offset + step·t for the integers t ≥ 0; step 0 fixes k."""

    offset: int = 0
    step: int = 1

    def least(self) -> Slack:
        return Slack(self.offset, 0)

    def above(self, times: int = 1) -> Slack:
        return replace(self, offset=self.offset + times * self.step)

    def remainders(self, modulus: int) -> list[Slack]:
        return [Slack(self.offset + r * self.step, modulus * self.step) for r in range(modulus)]


Case = Mapping[str, Slack]
"""The slack of every parameter."""


@dataclass(frozen=True)
class BoundName:
    """The range of a quantifier: its ``ends``, what they say of the name (``within``), and the ``tests`` behind ``if``.

    All must have a meaning, the ends first: where an end is no integer, the range is not empty, it has no meaning.
    """

    ends: tuple[ast.expr, ast.expr]
    within: tuple[ast.expr, ...]
    tests: tuple[ast.expr, ...]


@dataclass(frozen=True)
class Domain:
    """Parameters in their order and the conditions on them. The last may be the bound names of quantifiers, the outer ones first."""

    parameters: tuple[Parameter, ...]
    conditions: tuple[ast.expr, ...]
    ranges: tuple[BoundName, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.parameters)

    def all_cases(self) -> Case:
        return {p.name: Slack(0, 0 if p.fixed else 1) for p in self.parameters}

    def __str__(self) -> str:
        conditions = ", ".join(map(ast.unparse, self.conditions)).replace(" ** ", "**")
        return f"{conditions}; {', '.join(self.names)} integers"

    def with_bound_name(self, terms: ast.GeneratorExp) -> Domain:
        """The domain with the name that a quantifier binds as one more parameter."""
        name, (low, high) = range_of(terms)
        ends = [ast.Compare(low, [ast.LtE()], [ast.Name(name)]), ast.Compare(ast.Name(name), [ast.LtE()], [high])]
        parameters = (*self.parameters, Parameter(name, _call("ceil", low)))
        bound = BoundName((low, high), tuple(ends), tuple(terms.generators[0].ifs))
        return Domain(parameters, self.conditions, (*self.ranges, bound))

    def has(self, point: Mapping[str, int], check: Callable[[ast.expr, Mapping[str, int]], bool]) -> bool:
        """Whether a point belongs to it, by exact values.

        Raises:
            InputError: a condition without a meaning there, or the end of a range that is no integer.
        """
        if not all(check(c, point) for c in self.conditions):
            return False
        for bound in self.ranges:
            for end in bound.ends:
                integer(end, point)
            if not all(check(c, point) for c in (*bound.within, *bound.tests)):
                return False
        return True


def alternatives(conditions: Sequence[ast.expr]) -> list[list[ast.expr]]:
    """The conjuncts of the conditions, once for each choice of a side of every outer ``or`` among them.

    Where there are many choices, the conjuncts as they are.
    """
    atoms = [atom for condition in conditions for atom in conjuncts(condition)]
    sides: list[list[list[ast.expr]]] = []
    for atom in atoms:
        match atom:
            case ast.BoolOp(op=ast.Or(), values=values):
                sides.append([choice for value in values for choice in alternatives([value])])
            case _:
                sides.append([[atom]])
    if prod(map(len, sides)) > MOST_ALTERNATIVES:
        return [atoms]
    return [[atom for side in choice for atom in side] for choice in product(*sides)]


def domain_of(names: Iterable[str], conditions: Sequence[ast.expr]) -> Domain:
    """The domain of parameters in their order, of which some condition bounds each from below in terms of those before it.

    Raises:
        InputError: a parameter without a lower bound that is affine in it.
    """
    parameters: list[Parameter] = []
    for name in names:
        known = {p.name for p in parameters}
        bounds = [b for atom in conditions for b in isolated(atom, name) if names_in(b.low) <= known]
        if not bounds:
            raise InputError(f"{name} has no lower bound such as {name} >= 1 in terms of the parameters before it")
        parameters.append(_best(bounds))
    return Domain(tuple(parameters), tuple(conditions))


def _best(bounds: Sequence[Parameter]) -> Parameter:
    """An equation, else a bound by other parameters, else the largest number; the bounds that are left are conditions still."""
    fixed = [b for b in bounds if b.fixed] or [b for b in bounds if names_in(b.low)]
    return fixed[0] if fixed else max(bounds, key=lambda b: integer(b.low, {}))


def conjuncts(condition: ast.expr) -> Iterator[ast.expr]:
    """The conditions that ``and`` and chains of comparisons join."""
    match condition:
        case ast.BoolOp(op=ast.And(), values=parts):
            for part in parts:
                yield from conjuncts(part)
        case ast.Compare(left=left, ops=ops, comparators=rights) if len(ops) > 1:
            for a, op, b in zip((left, *rights), ops, rights, strict=False):
                yield ast.Compare(a, [op], [b])
        case _:
            yield condition


def isolated(condition: ast.expr, name: str) -> Iterator[Parameter]:
    """The lower bound, or the value, that a comparison in which the name stands once gives it: n > 4*p gives floor(4*p) + 1."""
    match condition:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in FLIPPED:
            count = [sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(side)) for side in (left, right)]
            if count == [0, 1]:
                left, op, right = right, FLIPPED[type(op)], left
            if sum(count) == 1:
                yield from _solved(left, op, right, name)
        case ast.Compare(left=ast.Name(id=named), ops=[ast.In()], comparators=[ast.Tuple(elts=values)]) if named == name:
            yield Parameter(name, _call("ceil", values[0] if len(values) == 1 else _call("min", *values)))


def _solved(left: ast.expr, op: ast.cmpop, right: ast.expr, name: str) -> Iterator[Parameter]:
    """Peels the left side, which holds the name, down to it."""
    match left:
        case ast.Name():
            if isinstance(op, ast.Eq):
                yield Parameter(name, right, fixed=True)
            elif isinstance(op, ast.Gt):
                yield Parameter(name, ast.BinOp(_call("floor", right), ast.Add(), ast.Constant(1)))
            elif isinstance(op, ast.GtE):
                yield Parameter(name, _call("ceil", right))
        case ast.UnaryOp(op=ast.USub(), operand=x):
            yield from _solved(x, FLIPPED[type(op)], ast.UnaryOp(ast.USub(), right), name)
        case ast.BinOp(left=x, op=ast.Add(), right=c) if name in names_in(x):
            yield from _solved(x, op, ast.BinOp(right, ast.Sub(), c), name)
        case ast.BinOp(left=c, op=ast.Add(), right=x):
            yield from _solved(x, op, ast.BinOp(right, ast.Sub(), c), name)
        case ast.BinOp(left=x, op=ast.Sub(), right=c) if name in names_in(x):
            yield from _solved(x, op, ast.BinOp(right, ast.Add(), c), name)
        case ast.BinOp(left=c, op=ast.Sub(), right=x):
            yield from _solved(x, FLIPPED[type(op)], ast.BinOp(c, ast.Sub(), right), name)
        case (
            ast.BinOp(left=x, op=ast.Mult(), right=ast.Constant(value=int() | Fraction() as n) as c)
            | ast.BinOp(left=ast.Constant(value=int() | Fraction() as n) as c, op=ast.Mult(), right=x)
        ):
            if n > 0:
                yield from _solved(x, op, ast.BinOp(right, ast.Div(), c), name)
        case ast.BinOp(left=x, op=ast.Div(), right=ast.Constant(value=int() | Fraction() as n) as c) if n > 0:
            yield from _solved(x, op, ast.BinOp(right, ast.Mult(), c), name)
        case ast.Call(func=ast.Name(id="floor"), args=[x]) if isinstance(op, ast.Gt | ast.GtE):
            least = _call("ceil", right) if isinstance(op, ast.GtE) else ast.BinOp(_call("floor", right), ast.Add(), ast.Constant(1))
            yield from _solved(x, ast.GtE(), least, name)
        case ast.Call(func=ast.Name(id="ceil"), args=[x]) if isinstance(op, ast.Gt | ast.GtE):
            below = ast.BinOp(_call("ceil", right), ast.Sub(), ast.Constant(1)) if isinstance(op, ast.GtE) else _call("floor", right)
            yield from _solved(x, ast.Gt(), below, name)


def _call(function: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(function), list(arguments), [])


class _Definitions(ast.NodeTransformer):
    """A copy of a formula in which names are replaced by what they stand for."""

    def __init__(self, meanings: Mapping[str, ast.expr]) -> None:
        self.meanings = meanings

    def visit_Name(self, node: ast.Name) -> ast.expr:  # the name that ast.NodeVisitor looks for
        return self.meanings.get(node.id, node)


def written_out(formula: Formula, meanings: Mapping[str, ast.expr], parameters: Collection[str]) -> ast.expr:
    """A formula with its definitions put in.

    Raises:
        InputError: outside the language; or a quantifier or sum binds a name that has a meaning already.
    """
    tree = deepcopy(tree_of(formula))
    bound = {range_of(node)[0] for node in ast.walk(tree) if isinstance(node, ast.GeneratorExp)}
    twice = bound & {*meanings, *parameters}
    if twice:
        raise InputError(f"{ast.unparse(tree)} binds {', '.join(sorted(twice))}, which has a meaning already")
    result: ast.expr = _Definitions(meanings).visit(tree)
    return result

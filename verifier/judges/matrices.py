"""Judging an identity of matrices for every size: both sides as sums of words in the matrices, their transposes and inverses.

Noncommutative symbols of sympy are such words: transposition reverses one, g g⁻¹ cancels; for an orthogonal g the transpose is the
inverse. Sides with one normal form are equal for every matrix; otherwise a counterexample is sought among small matrices, and without one
the claim is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.fields import Matrices
from verifier.language.syntax import parse, quoted
from verifier.language.tree import Call, Name, Node, Operation, Signed
from verifier.proofs.rational_numbers import sympy
from verifier.running.errors import InputError

Shape = tuple[str, str]
Entries = npt.NDArray[Any]
MOST_TRIED = 20000
MOST_FILLED = 9
"""The number of matrices that are tried for a shape that is not square."""


class ShapeError(InputError):
    """A product or sum of matrices whose shapes do not fit."""


@dataclass(frozen=True)
class Algebra:
    """Matrices by name, each with its shape; ``orthogonal``: those whose transpose is their inverse."""

    shapes: Mapping[str, Shape]
    orthogonal: frozenset[str] = frozenset()

    def read(self, node: Node) -> tuple[Shape, Any]:
        """The shape and the normal form of an expression, a sum of words.

        Raises:
            ShapeError: shapes do not fit; InputError: a matrix is unknown, or an operation is not allowed.
        """
        match node:
            case Name(name) if name in self.shapes:
                return self.shapes[name], _letter(name)
            case Signed("-", operand):
                shape, words = self.read(operand)
                return shape, sympy.expand(-words)
            case Operation(left, "+" | "-" as op, right):
                (shape, one), (also, other) = self.read(left), self.read(right)
                if shape != also:
                    raise ShapeError(f"{quoted(node)} adds a {_by(shape)} and a {_by(also)} matrix")
                return shape, sympy.expand(one + other if op == "+" else one - other)
            case Operation(left, "*", right):
                (shape, one), (also, other) = self.read(left), self.read(right)
                if shape[1] != also[0]:
                    raise ShapeError(f"{quoted(node)} multiplies a {_by(shape)} and a {_by(also)} matrix")
                return (shape[0], also[1]), sympy.expand(one * other)
            case Call("T", (of,)):
                shape, words = self.read(of)
                turned = {sympy.transpose(letter): letter**-1 for letter in map(_letter, self.orthogonal)}
                return shape[::-1], sympy.transpose(words).xreplace(turned)
            case Call("inv", (of,)):
                shape, words = self.read(of)
                if shape[0] != shape[1]:
                    raise ShapeError(f"{quoted(node)} inverts a {_by(shape)} matrix")
                square = all(self.shapes[str(letter)][0] == self.shapes[str(letter)][1] for letter in words.free_symbols)
                if words.is_Add or words.as_coeff_Mul()[0] != 1 or not square:
                    raise InputError(f"{quoted(node)}: the inverse of a product of square matrices was expected")
                return shape, sympy.expand(words**-1)
        raise InputError(f"{quoted(node)}: matrices are {', '.join(self.shapes)}; + - * T(A) inv(A) was expected")


def _letter(name: str) -> Any:
    return sympy.Symbol(name, commutative=False)


def _shape(name: str, text: str) -> Shape:
    """``n, m``.

    Raises:
        InputError: not two sizes.
    """
    sizes = [size.strip() for size in text.split(",")]
    if len(sizes) != 2:
        raise InputError(f"the shape of {name} is {text!r}; two sizes such as 'n, m' were expected")
    return sizes[0], sizes[1]


def _by(shape: Shape) -> str:
    return f"{shape[0]} x {shape[1]}"


def judge(query: Query, fields: Matrices) -> Outcome:
    """Whether the expressions are equal for every matrix of these shapes, whatever the sizes."""
    shapes = {name: _shape(name, text) for name, text in fields.shapes.items()}
    algebra = Algebra(shapes, frozenset(fields.orthogonal))
    scope = f"every {', '.join(f'{name} ({_by(shape)})' for name, shape in shapes.items())}: {' = '.join(fields.equal)}"
    trees = [parse(text) for text in fields.equal]
    try:
        (first, words), *others = [algebra.read(tree) for tree in trees]
    except ShapeError as error:
        return Outcome(Verdict.REFUTED, Scope(scope, None, "shapes"), reason=str(error))
    if odd := [shape for shape, _ in others if shape != first]:
        reason = f"the sides are {_by(first)} and {_by(odd[0])}"
        return Outcome(Verdict.REFUTED, Scope(scope, None, "shapes"), reason=reason)
    if all(other == words for _, other in others):
        return Outcome(Verdict.VERIFIED, Scope(scope, None, "algebra"), reason="one normal form as sums of products of matrices")
    for chosen in islice(small(shapes, algebra.orthogonal), MOST_TRIED):
        values = [_value(tree, chosen) for tree in trees]
        if different := [value for value in values if (value != values[0]).any()]:
            found = {name: _shown(entries) for name, entries in chosen.items()}
            sides = {"left": _shown(values[0]), "right": _shown(different[0])}
            return Outcome(Verdict.REFUTED, Scope(scope, None, "algebra"), counterexample={**found, **sides})
    return Outcome(Verdict.OPEN, Scope(scope), reason="the normal forms differ, and no small matrices show it")


def small(shapes: Mapping[str, Shape], orthogonal: frozenset[str]) -> Iterator[dict[str, Entries]]:
    """Yield matrices of size 1, then of size 2. Square ones are diagonal matrices or permutations with the entries ±1 and 2 (±1 if
    orthogonal); the others have the entries 0, 1 and 2.
    """
    sizes = sorted({size for shape in shapes.values() for size in shape})
    for size in (1, 2):
        lengths = {name: int(name) if name.isdigit() else size for name in sizes}
        yield from _of_sizes(shapes, orthogonal, lengths)


def _of_sizes(shapes: Mapping[str, Shape], orthogonal: frozenset[str], lengths: Mapping[str, int]) -> Iterator[dict[str, Entries]]:
    choices = []
    for name, shape in shapes.items():
        rows, columns = lengths[shape[0]], lengths[shape[1]]
        if shape[0] == shape[1]:
            entries = (1, -1) if name in orthogonal else (1, 2, -1)
            choices.append([_monomial(order, scale) for order in permutations(range(rows)) for scale in product(entries, repeat=rows)])
        else:
            filled = islice(product(map(Fraction, (1, 0, 2)), repeat=rows * columns), MOST_FILLED)
            choices.append([np.array(f, dtype=object).reshape(rows, columns) for f in filled])
    for chosen in product(*choices):
        yield dict(zip(shapes, chosen, strict=True))


def _monomial(order: tuple[int, ...], scale: tuple[int, ...]) -> Entries:
    made = np.full((len(order), len(order)), Fraction(0), dtype=object)
    made[range(len(order)), order] = list(map(Fraction, scale))
    return made


def _value(node: Node, at: Mapping[str, Entries]) -> Entries:
    """An expression at matrices of numbers; square ones have one entry in each row and column."""
    match node:
        case Name(name):
            return at[name]
        case Signed(_, operand):
            return -_value(operand, at)
        case Operation(left, op, right):
            one, other = _value(left, at), _value(right, at)
            return np.asarray(one @ other if op == "*" else one + other if op == "+" else one - other)
        case Call("T", (of,)):
            return _value(of, at).T
        case Call(_, (of,)):
            return np.asarray(np.vectorize(lambda x: 1 / x if x else x, otypes=[object])(_value(of, at).T))
    raise AssertionError(repr(node))


def _shown(entries: Entries) -> str:
    return "; ".join(" ".join(map(str, row)) for row in entries)

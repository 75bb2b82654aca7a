"""Judging an identity of matrices for every size: both sides as sums of words in the matrices, their transposes and inverses.

Transposition reverses a word, g g⁻¹ cancels, and for an orthogonal g the transpose is the inverse. Sides with one normal form are equal for
every matrix; otherwise a counterexample is sought among small matrices, and without one the claim is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, permutations, product

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.fields import Matrices
from verifier.language.syntax import parse, quoted
from verifier.language.tree import Call, Name, Node, Operation, Signed
from verifier.running.errors import InputError

Letter = tuple[str, bool, bool]
"""A matrix, whether transposed, whether inverted."""
Word = tuple[Letter, ...]
Shape = tuple[str, str]
Entries = tuple[tuple[Fraction, ...], ...]
MOST_TRIED = 20000
MOST_FILLED = 9
"""The number of matrices that are tried for a shape that is not square."""


class ShapeError(InputError):
    """A product or sum of matrices whose shapes do not fit."""


@dataclass(frozen=True)
class Words:
    """A sum of words of one shape, each with its coefficient."""

    shape: Shape
    terms: Mapping[Word, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Algebra:
    """Matrices by name, each with its shape; ``orthogonal``: those whose transpose is their inverse."""

    shapes: Mapping[str, Shape]
    orthogonal: frozenset[str] = frozenset()

    def read(self, node: Node) -> Words:
        """The normal form of an expression.

        Raises:
            ShapeError: shapes do not fit; InputError: a matrix is unknown, or an operation is not allowed.
        """
        match node:
            case Name(name) if name in self.shapes:
                return Words(self.shapes[name], {((name, False, False),): 1})
            case Signed("-", operand):
                return self._times(self.read(operand), -1)
            case Operation(left, "+" | "-" as op, right):
                one, other = self.read(left), self.read(right)
                if one.shape != other.shape:
                    raise ShapeError(f"{quoted(node)} adds a {_by(one.shape)} and a {_by(other.shape)} matrix")
                return _sum(one.shape, one, self._times(other, -1 if op == "-" else 1))
            case Operation(left, "*", right):
                one, other = self.read(left), self.read(right)
                if one.shape[1] != other.shape[0]:
                    raise ShapeError(f"{quoted(node)} multiplies a {_by(one.shape)} and a {_by(other.shape)} matrix")
                made: dict[Word, int] = {}
                for (v, a), (w, b) in product(one.terms.items(), other.terms.items()):
                    word = reduced(v + w)
                    made[word] = made.get(word, 0) + a * b
                return Words((one.shape[0], other.shape[1]), {w: c for w, c in made.items() if c})
            case Call("T", (of,)):
                found = self.read(of)
                turned = {reduced(tuple(self._turned(letter) for letter in reversed(word))): c for word, c in found.terms.items()}
                return Words((found.shape[1], found.shape[0]), turned)
            case Call("inv", (of,)):
                found = self.read(of)
                if found.shape[0] != found.shape[1]:
                    raise ShapeError(f"{quoted(node)} inverts a {_by(found.shape)} matrix")
                letters = [name for word in found.terms for name, _, _ in word]
                if list(found.terms.values()) != [1] or any(self.shapes[n][0] != self.shapes[n][1] for n in letters):
                    raise InputError(f"{quoted(node)}: the inverse of a product of square matrices was expected")
                ((word, _),) = found.terms.items()
                return Words(found.shape, {reduced(tuple((n, t, not i) for n, t, i in reversed(word))): 1})
        raise InputError(f"{quoted(node)}: matrices are {', '.join(self.shapes)}; + - * T(A) inv(A) was expected")

    def _turned(self, letter: Letter) -> Letter:
        name, transposed, inverted = letter
        return (name, False, not inverted) if name in self.orthogonal else (name, not transposed, inverted)

    @staticmethod
    def _times(words: Words, factor: int) -> Words:
        return Words(words.shape, {w: factor * c for w, c in words.terms.items()})


def reduced(word: Word) -> Word:
    """The word without adjacent inverse pairs."""
    kept: list[Letter] = []
    for letter in word:
        if kept and kept[-1][:2] == letter[:2] and kept[-1][2] != letter[2]:
            kept.pop()
        else:
            kept.append(letter)
    return tuple(kept)


def _sum(shape: Shape, one: Words, other: Words) -> Words:
    made = dict(one.terms)
    for word, count in other.terms.items():
        made[word] = made.get(word, 0) + count
    return Words(shape, {w: c for w, c in made.items() if c})


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
        first, *others = [algebra.read(tree) for tree in trees]
    except ShapeError as error:
        return Outcome(Verdict.REFUTED, Scope(scope, None, "shapes"), reason=str(error))
    if odd := [w for w in others if w.shape != first.shape]:
        reason = f"the sides are {_by(first.shape)} and {_by(odd[0].shape)}"
        return Outcome(Verdict.REFUTED, Scope(scope, None, "shapes"), reason=reason)
    if all(words.terms == first.terms for words in others):
        return Outcome(Verdict.VERIFIED, Scope(scope, None, "algebra"), reason="one normal form as sums of products of matrices")
    for chosen in islice(small(shapes, algebra.orthogonal), MOST_TRIED):
        values = [_value(tree, chosen) for tree in trees]
        if any(value != values[0] for value in values):
            found = {name: _shown(entries) for name, entries in chosen.items()}
            sides = {"left": _shown(values[0]), "right": _shown(next(v for v in values if v != values[0]))}
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
            filled = islice(product((1, 0, 2), repeat=rows * columns), MOST_FILLED)
            choices.append([tuple(tuple(map(Fraction, f[r * columns : (r + 1) * columns])) for r in range(rows)) for f in filled])
    for chosen in product(*choices):
        yield dict(zip(shapes, chosen, strict=True))


def _monomial(order: tuple[int, ...], scale: tuple[int, ...]) -> Entries:
    return tuple(tuple(Fraction(scale[r]) if order[r] == c else Fraction(0) for c in range(len(order))) for r in range(len(order)))


def _value(node: Node, at: Mapping[str, Entries]) -> Entries:
    """An expression at matrices of numbers; square ones have one entry in each row and column."""
    match node:
        case Name(name):
            return at[name]
        case Signed(_, operand):
            return tuple(tuple(-x for x in row) for row in _value(operand, at))
        case Operation(left, "*", right):
            one, other = _value(left, at), _value(right, at)
            columns = list(zip(*other, strict=True))
            return tuple(tuple(sum((x * y for x, y in zip(row, c, strict=True)), Fraction(0)) for c in columns) for row in one)
        case Operation(left, op, right):
            sign = -1 if op == "-" else 1
            pairs = zip(_value(left, at), _value(right, at), strict=True)
            return tuple(tuple(x + sign * y for x, y in zip(*rows, strict=True)) for rows in pairs)
        case Call("T", (of,)):
            return tuple(zip(*_value(of, at), strict=True))
        case Call(_, (of,)):
            return tuple(tuple(1 / x if x else x for x in row) for row in zip(*_value(of, at), strict=True))
    raise AssertionError(repr(node))


def _shown(entries: Entries) -> str:
    return "; ".join(" ".join(map(str, row)) for row in entries)

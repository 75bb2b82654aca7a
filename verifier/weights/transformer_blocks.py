"""Blocks of a transformer, given as matrices, as tables of a network file; numbers, maps and tables become formulas as a person would write
them. Matrices have a row for each coordinate that they read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.language.syntax import LONGEST
from verifier.running.errors import InputError, LimitError
from verifier.running.grouping import grouped
from verifier.weights.tensors import Matrix, Row

LARGEST_SHOWN = 1 << 14
"""The largest denominator that is written in digits. A larger one is written as a power of 2."""
MOST_CHOICES = 24
"""Up to this many cases are written one after the other. More cases are divided into halves."""


def number(x: Fraction) -> str:
    """``3``, ``-5/8``, ``13421773/2**27``."""
    if x.denominator <= LARGEST_SHOWN or x.denominator & (x.denominator - 1):
        return str(x)
    return f"{x.numerator}/2**{x.denominator.bit_length() - 1}"


def linear(coefficients: Mapping[str, Fraction], constant: Fraction = Fraction(0)) -> str:
    """Write a map as its non-zero terms in their order, followed by the constant.

    Raises:
        LimitError: it is longer than a formula may be.
    """
    text = ""
    for name, c in (*coefficients.items(), ("", constant)):
        if c == 0:
            continue
        sign = (" - " if c < 0 else " + ") if text else ("-" if c < 0 else "")
        size = number(abs(c))
        text += sign + (size if not name else name if abs(c) == 1 else f"{size}*{name}")
    return _bounded(_grouped(text or "0"))


def _grouped(text: str) -> str:
    """Put brackets into a long sum, because a formula may be nested at most 60 deep."""
    terms = text.replace(" - ", " + -").split(" + ")
    if len(terms) <= 40:
        return text
    groups = [terms[k : k + 40] for k in range(0, len(terms), 40)]
    return " + ".join(f"({' + '.join(group)})".replace("+ -", "- ") for group in groups)


def choice(name: str, values: Sequence[Fraction], texts: Sequence[str] | None = None) -> str:
    """The value of ``name`` = 0, 1, … as one formula: ``1 if token == 2 else 0``.

    Raises:
        LimitError: it is longer than a formula may be.
    """
    written = [number(x) for x in values]
    most, times = Counter(written).most_common(1)[0]
    default = most if times > 1 else written[-1]
    cases = grouped((value, str(k) if texts is None else texts[k]) for k, value in enumerate(written) if value != default)
    if len(cases) <= MOST_CHOICES:
        text = "".join(f"{value} if {_among(name, keys)} else " for value, keys in cases.items()) + default
        return _bounded(text)
    return _bounded(_halved(name, written, 0))


def _among(name: str, keys: Sequence[str]) -> str:
    return f"{name} == {keys[0]}" if len(keys) == 1 else f"{name} in ({', '.join(keys)})"


def _halved(name: str, written: Sequence[str], first: int) -> str:
    if len(set(written)) == 1:
        return written[0]
    middle = len(written) // 2
    low, high = _halved(name, written[:middle], first), _halved(name, written[middle:], first + middle)
    return f"({low} if {name} < {first + middle} else {high})"


def _bounded(text: str) -> str:
    if len(text) > LONGEST:
        raise LimitError(
            f"a formula would have {len(text):,} characters, more than {LONGEST:,}", "a narrower model, or a smaller vocabulary"
        )
    return text


ONE = "one"
"""The name of the 1 by which the bias of an output projection is written."""


@dataclass(frozen=True)
class Linear:
    """x·matrix + bias."""

    matrix: Matrix
    bias: Row

    def maps(self, names: Sequence[str]) -> list[str]:
        """A formula for each column."""
        return [linear(dict(zip(names, column, strict=True)), b) for column, b in zip(self.columns, self.bias, strict=True)]

    @property
    def columns(self) -> list[Row]:
        return [list(column) for column in zip(*self.matrix, strict=True)] if self.matrix else []


@dataclass(frozen=True)
class Attention:
    """groups: the number of heads of keys and values, if smaller than ``heads``; order: of a head's entries of query and key."""

    query: Linear
    key: Linear
    value: Linear
    output: Linear
    heads: int
    groups: int
    mask: str
    rotary: Sequence[str] = ()
    order: Sequence[int] = ()


def attention(part: Attention, coordinates: Sequence[str]) -> dict[str, Any]:
    """A layer of heads. The output projection is ``combine``; its bias is the multiple of a 1 that a head of hard attention copies.

    Raises:
        InputError: the columns cannot be divided into this number of heads.
    """
    query, key, value = (each.maps(coordinates) for each in (part.query, part.key, part.value))
    width, sizes = len(query) // part.heads, len(value) // part.groups
    if width * part.heads != len(query) or width * part.groups != len(key) or sizes * part.groups != len(value):
        raise InputError(
            f"{len(query)}, {len(key)} and {len(value)} columns of query, key and value; "
            f"multiples of {part.heads}, {part.groups} and {part.groups} were expected, the numbers of heads"
        )
    order = part.order or range(width)
    heads: list[dict[str, Any]] = []
    for h in range(part.heads):
        g = h * part.groups // part.heads
        names = [f"v{h * sizes + k}" for k in range(sizes)]
        entry: dict[str, Any] = {"mask": part.mask} if part.mask != "none" else {}
        entry |= {"rotary": list(part.rotary)} if part.rotary else {}
        entry |= {"query": [query[h * width + k] for k in order], "key": [key[g * width + k] for k in order]}
        heads.append(entry | {"value": dict(zip(names, value[g * sizes : (g + 1) * sizes], strict=True))})
    names = [f"v{k}" for k in range(part.heads * sizes)]
    if any(part.output.bias):
        heads.append({"kind": "leftmost", "value": {ONE: "1"}})
    columns = zip(coordinates, part.output.columns, part.output.bias, strict=True)
    combine = {name: linear({**dict(zip(names, column, strict=True)), ONE: b}) for name, column, b in columns}
    return {"scale": root_of(width), "head": heads, "combine": without_zeros(combine)}


def root_of(width: int) -> str:
    """1/√width."""
    root = next((k for k in range(1, width + 1) if k * k >= width), 1)
    return ("1" if width == 1 else f"1/{root}") if root * root == width else f"1/sqrt({width})"


def network(first: Linear, second: Linear, activation: str, coordinates: Sequence[str], gate: Linear | None = None) -> dict[str, Any]:
    """A network of two layers. gate: the factor of the activated units."""
    units = [f"u{k}" for k in range(len(first.bias))]
    made: dict[str, Any] = {"activation": activation, "hidden": dict(zip(units, first.maps(coordinates), strict=True))}
    if gate is not None:
        made["gate"] = dict(zip(units, gate.maps(coordinates), strict=True))
    return made | {"into": without_zeros(dict(zip(coordinates, second.maps(units), strict=True)))}


def without_zeros(maps: Mapping[str, str]) -> dict[str, str]:
    """The maps except those that add nothing; at least one."""
    return {name: text for name, text in maps.items() if text != "0"} or dict(list(maps.items())[:1])


def norm(kind: str, eps: Fraction, gain: Row, shift: Row, block: str, coordinates: Sequence[str]) -> dict[str, Any]:
    """A norm before a block."""
    made: dict[str, Any] = {"kind": kind, "place": "before", "eps": number(eps)}
    made |= {"of": [block]} if block else {}
    for part, values, plain in (("gain", gain, 1), ("shift", shift, 0)):
        if entries := {name: number(x) for name, x in zip(coordinates, values, strict=True) if x != plain}:
            made[part] = entries
    return made


def embedding(tokens: Matrix, positions: Matrix | None, first: int, coordinates: Sequence[str]) -> dict[str, str]:
    """The coordinates of token number k at position i; positions: the terms at ``first``, ``first`` + 1, …."""
    found = {}
    for k, name in enumerate(coordinates):
        column = [row[k] for row in tokens]
        text = choice("token", column)
        if positions is not None and any(row[k] for row in positions):
            places = choice("i", [row[k] for row in positions], [str(first + j) for j in range(len(positions))])
            text = places if not any(column) else " + ".join(f"({part})" if " if " in part else part for part in (text, places))
        found[name] = text
    return found

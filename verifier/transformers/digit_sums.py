"""Right outputs that are the digits of a sum: a recurrence over columns in place of a formula over whole strings.

Let S = c + Σ c_s·s, with integers c, c_s >= 0, of strings read as numbers in base B, the number of symbols. With carry 0 = c, and
t = carry i + Σ c_s·(digit i of s, from the least), digit i of S is t mod B and carry i + 1 is ⌊t/B⌋: this is addition in columns, and
holds for every length by induction. A decoding network whose right symbol k is ``S//B**(k - 1) % B`` is judged by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from verifier.language.exact import integer
from verifier.language.syntax import names_in, parse, tree_of
from verifier.language.tree import Node, Operation
from verifier.running.errors import InputError
from verifier.transformers.carriers import Array
from verifier.transformers.formulas import linear
from verifier.transformers.network import Network


@dataclass(frozen=True)
class DigitSum:
    """coefficients: of the strings, by name; first: the carry into the last digit; digits: the choices of one column, a row each."""

    base: int
    coefficients: Mapping[str, int]
    first: int

    @property
    def strings(self) -> tuple[str, ...]:
        return tuple(self.coefficients)

    @property
    def digits(self) -> Array:
        """Every choice of one digit of each string."""
        return np.array(list(product(range(self.base), repeat=len(self.coefficients))), np.int64)

    def column(self, carry: Array, digits: Array) -> tuple[Array, Array]:
        """The output symbol and the next carry."""
        total = carry + digits @ np.array(list(self.coefficients.values()), np.int64)
        return total % self.base, total // self.base


def digit_sum(network: Network) -> DigitSum | None:
    """The recurrence of a decoding network's right outputs, or None where the formula is not of this form."""
    decode = network.file.decode
    base = len(network.input.alphabet)
    assert decode is not None
    if network.input.letters != network.input.alphabet:
        return None
    total = _numerator(tree_of(decode.function), base, network)
    if total is None:
        return None
    lengths = network.input.lengths
    try:
        form = linear(total, list(lengths), network.names)
    except InputError:
        return None
    weights = dict(form.terms)
    if any(c.denominator != 1 or c < 0 for c in (*weights.values(), form.constant)):  # type: ignore[union-attr,operator]
        return None
    if len(set(lengths.values())) != 1:
        return None
    return DigitSum(base, {name: int(weights.get(name, 0)) for name in lengths}, int(form.constant))  # type: ignore[arg-type]


def _numerator(tree: Node, base: int, network: Network) -> Node | None:
    """S of the formula S//B**(k - 1) % B."""

    def is_base(node: Node) -> bool:
        return not names_in(node) - network.names.keys() and integer(node, network.names) == base

    match tree:
        case Operation(Operation(total, "//", Operation(power, "**", exponent)), "%", modulus):
            if is_base(power) and is_base(modulus) and exponent == parse("k - 1") and "k" not in names_in(total):
                return total
    return None

"""The rounded embedding of many tokens and positions; each formula is evaluated once for all cases that it does not tell apart.

A formula of the position alone has the same values in strings of every length, so they are remembered. A formula that reads i and
parameters is evaluated for all positions at once, in integers; the definition takes over wherever that is not enough.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from verifier.arithmetic.floats import MOST_DIGITS, Array, Carrier, to_float
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Arithmetic
from verifier.language import arrays
from verifier.language.array_values import Quantity, Whole
from verifier.language.syntax import names_in, tree_of
from verifier.running.errors import InputError
from verifier.transformers.contexts import Rounded
from verifier.transformers.network import Network

FEW = 8
"""Positions that are not worth an array."""


class RoundedEmbedding:
    """The coordinates that a network's embedding sets, as values of a format."""

    def __init__(self, network: Network, carrier: Carrier, scalar: Rounded) -> None:
        self.network, self.carrier, self.scalar = network, carrier, scalar
        self._tables: dict[str, dict[tuple[int, int], float]] = {}

    def table(self, name: str, there: Array) -> Array:
        """The values of a coordinate, of the shape (token, position), or (1, position) where it does not depend on the token.

        there: which tokens occur at each position, of the shape (token, position); other entries of the table mean nothing.
        """
        read = names_in(tree_of(self.network.file.embedding[name]))
        length = there.shape[1]
        if "token" not in read:
            return (
                self._by_position(name, length)[None] if "i" in read else np.full((1, length), self._value(name, 0, 0), self.carrier.dtype)
            )
        found = np.zeros(there.shape, self.carrier.dtype)
        if "i" not in read:
            for token in np.flatnonzero(there.any(axis=1)).tolist():
                found[token] = self._value(name, token, 0)
            return found
        for token, i in np.argwhere(there).tolist():
            found[token, i] = self._value(name, token, i)
        return found

    def _by_position(self, name: str, length: int) -> Array:
        if length > FEW and (fast := rounded_positions(self.network, name, length, self.carrier, self.scalar.arithmetic)) is not None:
            return fast
        return np.array([self._value(name, 0, i) for i in range(length)], self.carrier.dtype)

    def _value(self, name: str, token: int, i: int) -> float:
        """By the definition."""
        known = self._known(name)
        if (token, i) not in known:
            known[token, i] = to_float(self.scalar.constant(self.network.coordinate(name, token, i)))
        return known[token, i]

    def _known(self, name: str) -> dict[tuple[int, int], float]:
        """What is known of a coordinate; of a formula that reads nothing but the token and i, from strings of other lengths too."""
        if name not in self._tables:
            formula = self.network.file.embedding[name]
            free = names_in(tree_of(formula)) <= {"token", "i"} and self.network.names.keys().isdisjoint({"token", "i"})
            self._tables[name] = _known(str(formula), self.network.file.input.first, self.scalar.arithmetic) if free else {}
        return self._tables[name]


@lru_cache(maxsize=64)
def _known(formula: str, first: int, arithmetic: Arithmetic) -> dict[tuple[int, int], float]:
    """The rounded values of a formula, by token and position, as far as they are known."""
    return {}


def rounded_positions(network: Network, name: str, length: int, carrier: Carrier, arithmetic: Arithmetic) -> Array | None:
    """The rounded values of a formula of i and parameters at positions 0 to length − 1; None where only the definition gives them.

    Numerators and denominators are below 2^24, so that float64 holds them, and its quotient is rounded once. A format of at most 24 digits
    then gets the quotient rounded twice. That is innocuous, as :mod:`verifier.arithmetic.floats` says for ÷ of two numbers of 24
    digits: a quotient that is not a midpoint m of neighbours in the format differs from m by more than float64's rounding error.
    """
    if not arithmetic.machine().form.binades:
        return None
    formula = network.file.embedding[name]
    read = names_in(tree_of(formula))
    given: dict[str, Any] = {other: network.names[other] for other in read & network.names.keys() - {"i"}}
    if "token" in read or not all(isinstance(x, Fraction) for x in given.values()):
        return None
    first = network.file.input.first
    given["i"] = Quantity(Whole.of(np.arange(first, first + length)))
    try:
        found = arrays.value(formula, given)
    except InputError:
        return None
    if not isinstance(found, Quantity) or (found.special is not None and found.special.any()):
        return None
    top = found.numerator
    bottom = Whole.of(found.denominator) if isinstance(found.denominator, int) else found.denominator
    if max(top.most, bottom.most) >> MOST_DIGITS:
        return None
    exact = np.broadcast_to(top.values, (length,)).astype(np.float64) / np.broadcast_to(bottom.values, (length,)).astype(np.float64)
    return (carrier.rounded(exact) + 0.0).astype(carrier.dtype)  # a zero has no sign

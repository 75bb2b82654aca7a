"""A trained network with integer weights as a real function: each weight an integer times a scale, everything else exact, in balls.

The architecture is that of Appendix D: Definition A.2 at the last token, the sinusoidal encoding (as real numbers), layer norms after the
attention and after the MLP. The answer is 'equal' where its logit is larger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError

EPSILON = Fraction(1, 100_000)
"""Below the roots of the layer norms."""

PRECISIONS = (128, 256, 512, 1024, 2048, 4096)
"""Bits, one after the other until a sign is certain."""


@dataclass(frozen=True)
class IntegerNetwork:
    """levels: an array of integers for each parameter's name (:meth:`Network.shapes`), scales: what they are multiplied by."""

    m: int
    heads: int
    levels: Mapping[str, Any]
    scales: Mapping[str, float]

    @staticmethod
    def rounded(parameters: Mapping[str, Any], bits: int, m: int, heads: int) -> IntegerNetwork:
        """The nearest integers of so many bits, the scale of each array its largest magnitude over the largest integer."""
        top = 2 ** (bits - 1) - 1
        scales = {name: float(np.float32(np.abs(x).max() / np.float32(top))) or 1.0 for name, x in parameters.items()}
        levels = {name: np.clip(np.rint(np.asarray(x, float) / scales[name]), -top, top).astype(int) for name, x in parameters.items()}
        return IntegerNetwork(m, heads, levels, scales)

    @property
    def n(self) -> int:
        return 2 * self.m + 1

    @cached_property
    def d(self) -> int:
        return int(self.levels["query"].shape[0])

    def weights(self, name: str) -> Any:
        """The weights as float64, which holds an integer of some bits times a float32 exactly."""
        return self.levels[name] * self.scales[name]

    @cached_property
    def _at(self) -> dict[int, Balls]:
        return {}

    def at(self, precision: int) -> Balls:
        """The network in balls of so many bits; its table is made once."""
        if precision not in self._at:
            self._at[precision] = Balls(self, precision)
        return self._at[precision]

    def says_equal(self, y: int, z: int) -> bool:
        """The answer to the strings of two numbers, certain.

        Raises:
            InputError: no precision decides it.
        """
        for precision in PRECISIONS:
            found = self.at(precision).speaks_for_equal(bits(y, self.m), bits(z, self.m))
            if found > 0:
                return True
            if found < 0:
                return False
        raise InputError(f"{PRECISIONS[-1]} bits do not tell whether both logits are equal at y = {y}, z = {z}")

    def document(self) -> dict[str, Any]:
        """The network as JSON data; scales are hexadecimal numbers, which are exact."""
        arrays = {name: {"scale": self.scales[name].hex(), "levels": x.tolist()} for name, x in self.levels.items()}
        return {"m": self.m, "heads": self.heads, "arrays": arrays}

    @staticmethod
    def of(document: Mapping[str, Any]) -> IntegerNetwork:
        """From JSON.

        Raises:
            InputError: something is missing or of another shape.
        """
        try:
            arrays = document["arrays"]
            levels = {name: np.array(x["levels"], dtype=int) for name, x in arrays.items()}
            scales = {name: float.fromhex(x["scale"]) for name, x in arrays.items()}
            made = IntegerNetwork(int(document["m"]), int(document["heads"]), levels, scales)
            shape = made.levels["embedding"].shape
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"a network of integers with scales was expected ({error!r})") from None
        if shape != (2, made.n, made.d):
            raise InputError(f"the embedding has the shape {shape}; (2, {made.n}, {made.d}) was expected")
        return made


class Balls:
    """The network at one precision; ``table`` is what attention adds up for each bit and token: (weight times value …, weight) by head."""

    def __init__(self, network: IntegerNetwork, precision: int) -> None:
        import flint

        self.flint, self.network, self.precision = flint, network, precision
        with flint.ctx.workprec(precision):
            self.parameters = {name: self._balls(network.weights(name)) for name in network.levels}
            self.table = self._table()

    def _balls(self, array: Any) -> Any:
        return [self._balls(x) for x in array] if getattr(array, "ndim", 0) else self.flint.arb(float(array))

    def _position(self, token: int, column: int) -> Any:
        """sin or cos of token/10000^(2⌊column/2⌋/d)."""
        arb = self.flint.arb
        angle = arb(token) / arb(10_000) ** (arb(column // 2 * 2) / self.network.d)
        return angle.cos() if column % 2 else angle.sin()

    def _product(self, x: list[Any], name: str) -> list[Any]:
        matrix = self.parameters[name]
        return [sum((a * row[k] for a, row in zip(x, matrix, strict=True)), self.flint.arb(0)) for k in range(len(matrix[0]))]

    def _table(self) -> list[list[list[list[Any]]]]:
        network, size = self.network, self.network.d // self.network.heads
        places = [[self._position(i, c) for c in range(network.d)] for i in range(network.n)]
        tokens = [
            [[x + e for x, e in zip(self.parameters["embedding"][bit][i], places[i], strict=True)] for i in range(network.n)]
            for bit in (0, 1)
        ]
        query = self._product(tokens[0][-1], "query")
        made = []
        for of_bit in tokens:
            rows = []
            for token in of_bit:
                key, value = self._product(token, "key"), self._product(token, "value")
                rows.append([self._of_head(query, key, value, slice(h * size, (h + 1) * size)) for h in range(network.heads)])
            made.append(rows)
        return made

    def _of_head(self, query: list[Any], key: list[Any], value: list[Any], part: slice) -> list[Any]:
        score = sum((a * b for a, b in zip(query[part], key[part], strict=True)), self.flint.arb(0))
        weight = score.exp()
        return [*(weight * v for v in value[part]), weight]

    def speaks_for_equal(self, y: tuple[int, ...], z: tuple[int, ...]) -> Any:
        """The logit of equal less that of unequal, a ball."""
        with self.flint.ctx.workprec(self.precision):
            zero = self.flint.arb(0)
            attended = []
            for h in range(self.network.heads):
                chosen = [self.table[bit][i][h] for i, bit in enumerate((*y, *z, 0))]
                *above, below = (sum(column, zero) for column in zip(*chosen, strict=True))
                attended += [x / below for x in above]
            normed = self._norm(attended, 1)
            hidden = [x.max(zero) for x in self._affine(normed, "hidden")]
            unequal, equal = self._affine(self._norm(self._affine(hidden, "output"), 2), "head")
            return equal - unequal

    def _affine(self, x: list[Any], name: str) -> list[Any]:
        return [a + b for a, b in zip(self._product(x, name), self.parameters[f"{name}-bias"], strict=True)]

    def _norm(self, x: list[Any], k: int) -> list[Any]:
        zero = self.flint.arb(0)
        mean = sum(x, zero) / len(x)
        centred = [a - mean for a in x]
        root = (sum((a * a for a in centred), zero) / len(x) + ball_around(self.flint, EPSILON)).sqrt()
        gain, shift = self.parameters[f"gain-{k}"], self.parameters[f"shift-{k}"]
        return [a / root * g + s for a, g, s in zip(centred, gain, shift, strict=True)]


def bits(number: int, m: int) -> tuple[int, ...]:
    """The string of a number, the first bit the most significant."""
    return tuple(number >> i & 1 for i in reversed(range(m)))

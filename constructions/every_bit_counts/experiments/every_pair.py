"""Compute a network's answers to every pair of strings in float32 with an error bound; where it is too wide, in float64 and then in balls.

Let u be the unit roundoff and V the largest value of a token. An attention output is within 10 u V if its sums were rounded from float64,
and within (4m + 20) u V if they were formed in the type itself: a numerator is at most V times its denominator. A layer norm divides by the
root s of the mean square of its centred input; the root is 1-Lipschitz in the maximum norm, and no entry exceeds √d s. The maps after it
multiply errors by their largest sum of magnitudes. So the error of the quantity that is compared with 0 is at most ``per_root``/s +
``fixed``.

A trained network with integer weights as a real function. Each weight is an integer times a scale, and balls enclose everything else.

The architecture is that of Appendix D: Definition A.2 at the last token, the sinusoidal encoding (as real numbers), layer norms after the
attention and after the MLP. The answer is 'equal' if its logit is larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import flint
import numpy as np

from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError

SAFETY = 1.25
"""A factor for the bounds, which are computed in float64. It covers their own rounding and terms of second order in u."""

BLOCK = 8192
"""Pairs that are evaluated together: their arrays stay in the processor's cache."""

LEAST_SUM = 2.0**-60
"""The least denominator for weights of at most 1, which is far above what underflows in float32 or float64."""


def strings(m: int) -> Any:
    """(2^m, m): every string, the first bit the most significant."""
    return (np.arange(1 << m)[:, None] >> np.arange(m)[::-1]) & 1


class Fast:
    """The network in one floating-point type. A sum over tokens is the sum over y plus the sum over z and the last token."""

    def __init__(self, network: IntegerNetwork, kind: Any) -> None:
        self.network, self.kind = network, kind
        self.u = float(np.finfo(kind).eps) / 2
        table, largest = _table(network)
        m, every = network.m, strings(network.m)
        self.of_y = _sums(every, table[:, :m]).astype(kind)
        self.of_z = np.ascontiguousarray((_sums(every, table[:, m : 2 * m]) + table[0, -1]).T.astype(kind))
        columns = {name: network.weights(name) for name in network.levels if name not in ("embedding", "query", "key", "value")}
        self.parameters = {name: np.ascontiguousarray((x.T if x.ndim == 2 else x[:, None]).astype(kind)) for name, x in columns.items()}
        head, gain, shift = (network.weights(name) for name in ("head", "gain-2", "shift-2"))
        towards = (head[:, 1] - head[:, 0]) * gain
        bias = network.weights("head-bias")
        self.direction = towards.astype(kind)
        self.mean, self.epsilon = np.full(network.d, 1 / network.d, kind), kind(EPSILON)
        self.offset = kind((head[:, 1] - head[:, 0]) @ shift + bias[1] - bias[0])
        ends = np.abs(towards).sum() + np.abs((head[:, 1] - head[:, 0]) * shift).sum() + np.abs(bias).sum()
        self.per_root, self.fixed = self._error(largest, ends)

    def _error(self, largest: float, ends: float) -> tuple[float, float]:
        """The error of :meth:`compared` is at most the first over the first layer norm's root, and the second.

        ends: the sum of the magnitudes of the factors of the last, centred layer and its root.
        """
        u, d, weights = self.u, self.network.d, self.network.weights
        widest = np.sqrt(d)
        gain, shift = np.abs(weights("gain-1")).max(), np.abs(weights("shift-1")).max()
        normed = widest * gain + shift
        first, first_bias = np.abs(weights("hidden")).sum(axis=0).max(), np.abs(weights("hidden-bias")).max()
        hidden = first * normed + first_bias
        second, second_bias = np.abs(weights("output")).sum(axis=0).max(), np.abs(weights("output-bias")).max()
        made = second * hidden + second_bias
        attended = (10 if self.kind is np.float32 else 4 * self.network.m + 20) * u * largest
        centred = 2 * attended + (d + 4) * u * largest
        # Errors as (over the root, fixed): of the norm's output, the hidden layer, the MLP's output, that centred, and the sum at the end.
        over = gain * (1 + widest) * centred
        fixed = gain * (1 + (d + 4) * widest) * u + 4 * u * normed
        over, fixed = over * first, fixed * first + (d + 4) * u * hidden
        over, fixed = over * second, fixed * second + (len(weights("hidden-bias")) + 4) * u * made
        over, fixed = 2 * over, 2 * fixed + (d + 4) * u * made
        return SAFETY * ends * over, SAFETY * (ends * fixed + (2 * d + 10) * u * ends * (2 * made + 1))

    def compared(self, y: int, z: Any) -> tuple[Any, Any]:
        """Compare y with each z (numbers of strings): a quantity that is positive if the answer is 'equal', and a bound on its error."""
        p, heads = self.parameters, self.network.heads
        sums = (self.of_y[y][:, None] + self.of_z[:, z]).reshape(heads, -1, len(z))
        attended = (sums[:, :-1] / sums[:, -1:]).reshape(-1, len(z))
        centred = attended - self.mean @ attended
        root = np.sqrt(self.mean @ (centred * centred) + self.epsilon)
        centred /= root
        centred *= p["gain-1"]
        centred += p["shift-1"]
        hidden = p["hidden"] @ centred
        hidden += p["hidden-bias"]
        np.maximum(hidden, 0, out=hidden)
        made = p["output"] @ hidden
        made += p["output-bias"]
        made -= self.mean @ made
        last = np.sqrt(self.mean @ (made * made) + self.epsilon)
        # Times the last root, which is positive, the difference of the logits is this.
        return self.direction @ made + self.offset * last, self.per_root / root + self.fixed


def _table(network: IntegerNetwork) -> tuple[Any, float]:
    """(2, n, heads (k + 1)) of the tokens' terms of numerators and denominators, within an ulp of float64, and the largest value.

    The weights of a head are divided by a power of two, so that the largest lies between 1/2 and 1.

    Raises:
        InputError: the weights are too far apart for these bounds.
    """
    at = network.at(256)
    rows = [[[float(x.mid()) for x in head] for head in token] for of_bit in at.table for token in of_bit]
    exact = np.array(rows).reshape(2, network.n, network.heads, -1)
    exponents = np.frexp(exact[..., -1].max(axis=(0, 1)))[1]
    scaled = np.ldexp(exact, -exponents[None, None, :, None])
    if not np.isfinite(scaled).all() or scaled[..., -1].min(axis=0).sum(axis=0).min() < LEAST_SUM:
        raise InputError("the attention's weights are too far apart for float32; only balls could decide")
    largest = float(np.abs(scaled[..., :-1] / scaled[..., -1:]).max())
    return scaled.reshape(2, network.n, -1), largest


def _sums(every: Any, table: Any) -> Any:
    return every @ table[1] + (1 - every) @ table[0]


@dataclass
class Count:
    """The results so far: rows of y, pairs decided in each arithmetic, wrong answers by distance, the smallest wrong pair."""

    rows: int
    decided: dict[str, int]
    wrong: list[int]
    smallest: tuple[int, int] | None = None

    @staticmethod
    def begun(m: int) -> Count:
        return Count(0, {"float32": 0, "float64": 0, "balls": 0}, [0] * (m + 1))


def counted(network: IntegerNetwork, count: Count, keep: Callable[[Count], None], until: int | None = None) -> Count:
    """Count every pair from the row ``count.rows`` on, y by y; ``keep`` is called after each."""
    m = network.m
    fast, slow = Fast(network, np.float32), Fast(network, np.float64)
    every = np.arange(1 << m)
    ones = strings(m).sum(axis=1)
    for y in range(count.rows, (1 << m) if until is None else until):
        equal, decided = answers(network, (fast, slow), y, every)
        for name, many in decided.items():
            count.decided[name] += many
        bad = np.flatnonzero(equal != (every == y))
        if len(bad):
            if count.smallest is None:
                count.smallest = y, int(bad[0])
            found = np.bincount(ones[bad ^ y], minlength=m + 1)
            count.wrong = [a + int(b) for a, b in zip(count.wrong, found, strict=True)]
        count.rows = y + 1
        keep(count)
    return count


def answers(network: IntegerNetwork, in_turn: tuple[Fast, ...], y: int, every: Any) -> tuple[Any, dict[str, int]]:
    """Whether each z is called equal to y, with certainty, and the number decided in each arithmetic."""
    equal = np.zeros(len(every), bool)
    left = every
    decided = {}
    for name, at in zip(("float32", "float64"), in_turn, strict=True):
        open_blocks = []
        for begin in range(0, len(left), BLOCK):
            block = left[begin : begin + BLOCK]
            value, error = at.compared(y, block)
            certain = np.abs(value) > error
            equal[block] = value > 0
            open_blocks.append(block[~certain])
        decided[name] = len(left) - sum(map(len, open_blocks))
        left = np.concatenate(open_blocks)
        if not len(left):
            return equal, decided
    for z in left:
        equal[z] = network.says_equal(y, int(z))
    return equal, {**decided, "balls": len(left)}


def distances(m: int) -> Iterator[int]:
    """The number of pairs that differ in 0, 1, …, m bits."""
    from math import comb

    return ((1 << m) * comb(m, k) for k in range(m + 1))


EPSILON = Fraction(1, 100_000)
"""Below the roots of the layer norms."""

PRECISIONS = (128, 256, 512, 1024, 2048, 4096)
"""Bits, one after the other until a sign is certain."""


@dataclass(frozen=True)
class IntegerNetwork:
    """levels: an array of integers for each parameter's name (:meth:`Network.shapes`), scales: their factors."""

    m: int
    heads: int
    levels: Mapping[str, Any]
    scales: Mapping[str, float]

    @staticmethod
    def rounded(parameters: Mapping[str, Any], bits: int, m: int, heads: int) -> IntegerNetwork:
        """The nearest integers of this many bits; the scale of each array is its largest magnitude over the largest integer."""
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
    def at(self) -> Callable[[int], Balls]:
        """The network in balls of the given number of bits. Each network is computed once."""
        return cache(partial(Balls, self))

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
        """Read the answers from JSON.

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
    """The network at one precision, in arrays of balls; ``table`` has the attention's terms for each bit, token and head: (weight times
    value …, weight).
    """

    def __init__(self, network: IntegerNetwork, precision: int) -> None:
        self.network, self.precision = network, precision
        with flint.ctx.workprec(precision):
            self.parameters = {name: _each(flint.arb, network.weights(name)) for name in network.levels}
            self.table = self._table()

    def _table(self) -> Any:
        network, parameters = self.network, self.parameters
        split = (network.heads, network.d // network.heads)
        columns = [(flint.arb(10_000) ** (flint.arb(c // 2 * 2) / network.d), "cos" if c % 2 else "sin") for c in range(network.d)]
        places = [[getattr(flint.arb(i) / rate, name)() for rate, name in columns] for i in range(network.n)]
        tokens = parameters["embedding"] + np.array(places, dtype=object)
        query = (tokens[0, -1] @ parameters["query"]).reshape(split)
        key, value = ((tokens @ parameters[name]).reshape(2, network.n, *split) for name in ("key", "value"))
        weight = _each(flint.arb.exp, (query * key).sum(-1, keepdims=True))
        return np.concatenate([weight * value, weight], axis=-1)

    def speaks_for_equal(self, y: tuple[int, ...], z: tuple[int, ...]) -> Any:
        """The logit of equal less that of unequal, a ball."""
        with flint.ctx.workprec(self.precision):
            sums = self.table[[*y, *z, 0], range(self.network.n)].sum(0)
            normed = self._norm((sums[:, :-1] / sums[:, -1:]).reshape(-1), 1)
            hidden = _each(lambda x: x.max(flint.arb(0)), self._affine(normed, "hidden"))
            unequal, equal = self._affine(self._norm(self._affine(hidden, "output"), 2), "head")
            return equal - unequal

    def _affine(self, x: Any, name: str) -> Any:
        return x @ self.parameters[name] + self.parameters[f"{name}-bias"]

    def _norm(self, x: Any, k: int) -> Any:
        centred = x - x.sum() / len(x)
        root = (centred @ centred / len(x) + ball_around(flint, EPSILON)).sqrt()
        return centred / root * self.parameters[f"gain-{k}"] + self.parameters[f"shift-{k}"]


def _each(function: Callable[[Any], Any], x: Any) -> Any:
    """The function of each entry of an array, as an array of objects."""
    return np.vectorize(function, otypes=[object])(x)


def bits(number: int, m: int) -> tuple[int, ...]:
    """The string of a number, the first bit the most significant."""
    return tuple(number >> i & 1 for i in reversed(range(m)))

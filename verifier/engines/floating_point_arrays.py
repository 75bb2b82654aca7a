"""The floating-point machine on arrays: values as int64 codes in the order of the values, exact, with sentinels for inf and NaN.

The code of a positive value counts the positive values up to it, 0 is 0, and a negative value has the negative code. Every operation
works on integer significands and exponents, and rounds once; what does not fit its 64 bits is kept as a sticky bit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from verifier.arithmetic.formats import dyadic, floor_log2, power_of_two
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, ZERO, Number, Special
from verifier.engines.chunks import in_pieces
from verifier.engines.fixed_point_arrays import INFINITE, NOT_A_NUMBER, SPECIALS, States, Truths, bit_lengths
from verifier.running.errors import LimitError

MOST_DIGITS = 28
MOST_EXPONENT_DIGITS = 20
FARTHEST = 61
MOST_PRODUCT_BITS = 59
"""Of a significand times that of a constant: half a spacing, at most 2^60, is more."""


class Codes:
    """A floating-point machine whose states are codes.

    Raises:
        LimitError: for more than 28 mantissa digits (two significands and guard bits share 64 bits) or 20 exponent digits.
    """

    def __init__(self, machine: Machine) -> None:
        form = machine.form
        if form.unit != power_of_two(floor_log2(form.unit)):
            raise TypeError(f"{form} is not a binary format")
        t, e = form.precision, (form.binades // 2 + 1).bit_length()
        if t > MOST_DIGITS or e > MOST_EXPONENT_DIGITS:
            raise LimitError(
                f"t = {t}, e = {e}; the vectorised machine takes t <= {MOST_DIGITS}, e <= {MOST_EXPONENT_DIGITS}",
                "a smaller precision",
            )
        self.machine = machine
        self.rule = machine.rule
        self._t, self._underflow = t, form.underflow
        self._leading = np.int64(1 << t - 1)
        self._lowest = floor_log2(form.unit)
        self._gap = np.int64(form.first - 1)
        self.largest = form.ordinal(form.top)

    def encode(self, x: Number) -> np.int64:
        """A value of the format as a state."""
        if isinstance(x, Special):
            return SPECIALS[x]
        if not self.machine.form.contains(x):
            raise ValueError(f"{x} is not a value of {self.machine.form}")
        if x == 0:
            return np.int64(0)
        spacing = self.machine.form.spacing(abs(x))
        significand, scale = int(abs(x) / spacing), spacing.numerator.bit_length() - spacing.denominator.bit_length()
        code = self._code_of(np.int64(significand), np.int64(scale))
        return np.int64(code if x > 0 else -code)

    def decode(self, state: int | np.int64) -> Number:
        """A state as a value."""
        for special, code in SPECIALS.items():
            if state == code:
                return special
        significand, scale = self._unpack(np.asarray([state], dtype=np.int64))
        magnitude = (ZERO + 2) ** int(scale[0]) * int(significand[0])
        return magnitude if state > 0 else -magnitude

    def _decoded(self, states: States) -> list[Number]:
        """A row of states as values."""
        numbers = zip(states.tolist(), *(each.tolist() for each in self._unpack(np.where(self.finite(states), states, 0))), strict=True)
        named = {code: special for special, code in SPECIALS.items()}
        return [named[s] if s in named else power_of_two(scale) * (m if s > 0 else -m) for s, m, scale in numbers]

    def finite(self, states: States) -> Truths:
        return np.abs(states) < INFINITE

    def add(self, a: States, b: States) -> States:
        """Rounded a + b."""
        return in_pieces(self._add, a, b)

    def _add(self, a: States, b: States) -> States:
        a, b = np.broadcast_arrays(a, b)
        finite = self.finite(a) & self.finite(b)
        swap = np.abs(a) < np.abs(b)
        total = self._add_finite(np.where(finite, np.where(swap, b, a), 0), np.where(finite, np.where(swap, a, b), 0))
        if finite.all():
            return total
        nan = ~self.finite(a) & ~self.finite(b) & (a != b)
        return np.where(finite, total, np.where(nan, NOT_A_NUMBER, np.where(self.finite(a), b, a)))

    def add_constant(self, a: States, constant: Number) -> States:
        """Rounded a + constant, where the constant need not be a value of the format."""
        if not isinstance(constant, Special) and self.machine.form.contains(constant):
            return self.add(a, np.asarray(self.encode(constant)))
        return self._on_distinct(a, lambda x: self.machine.add(x, constant))

    def multiply_constant(self, a: States, constant: Number) -> States:
        """Rounded a · constant, where the constant need not be a value of the format."""
        factor = None if isinstance(constant, Special) else dyadic(constant)
        if factor is None or factor[0].bit_length() + self._t > MOST_PRODUCT_BITS:
            return self._on_distinct(a, lambda x: self.machine.multiply(x, constant))
        return in_pieces(lambda piece: self._multiply_dyadic(piece, *factor, constant), a)

    def _multiply_dyadic(self, a: States, numerator: int, exponent: int, constant: Number) -> States:
        significand, scale = self._unpack(np.where(self.finite(a), a, 0))
        products = self._pack((a < 0) ^ (numerator < 0), significand * abs(numerator), scale + exponent, np.zeros(a.shape, dtype=bool))
        for special, code in SPECIALS.items():
            products = np.where(a == code, self.encode(self.machine.multiply(special, constant)), products)
        return products

    def divide(self, a: States, b: States) -> States:
        """Rounded a / b."""
        return in_pieces(self._divide, a, b)

    def _divide(self, a: States, b: States) -> States:
        """Rounded quotient. The shifted dividend is even, so that a rest of 1 comes with an odd quotient, which is no tie."""
        a, b = np.broadcast_arrays(a, b)
        plain = self.finite(a) & self.finite(b) & (b != 0)
        negative = (a < 0) ^ (b < 0)
        dividend, up = self._unpack(np.where(plain, a, 0))
        divisor, down = self._unpack(np.where(plain, b, 1))
        guard = 2 * self._t + 3 - bit_lengths(dividend)  # a subnormal dividend has fewer digits than t
        whole, rest = np.divmod(dividend << guard, divisor)
        quotient = self._pack(negative, whole, up - down - guard, rest > 0)
        if plain.all():
            return quotient
        nan = (a == NOT_A_NUMBER) | (b == NOT_A_NUMBER) | (~self.finite(a) & ~self.finite(b)) | ((a == 0) & (b == 0))
        over = self.encode(self.machine.round(INF))
        beyond = np.where(negative, -over, over)
        exceptional = np.where(nan, NOT_A_NUMBER, np.where(self.finite(b), beyond, 0))
        return np.where(plain, quotient, exceptional)

    def rectify(self, a: States) -> States:
        """max{0, a}; NaN stays."""
        return np.maximum(a, 0)

    def _on_distinct(self, a: States, operation: Callable[[Number], Number]) -> States:
        values, inverse = np.unique(a, return_inverse=True)
        results = np.array([self.encode(operation(v)) for v in self._decoded(values)], dtype=np.int64)
        return results[inverse].reshape(a.shape)

    def _unpack(self, codes: States) -> tuple[States, States]:
        """Significands and the exponents of their last digits: \\|value\\| = significand · 2^scale; 0 has significand 0."""
        place = np.abs(codes) + self._gap
        below = place < self._leading
        binade = np.where(below, 0, (place >> (self._t - 1)) - 1)
        significand = np.where(below, place, (place & (self._leading - 1)) + self._leading)
        return np.where(codes == 0, 0, significand), binade + self._lowest

    def _code_of(self, significand: States | np.int64, scale: States | np.int64) -> States:
        """The code of significand · 2^scale; a carry into one digit more counts on into the next binade."""
        return np.asarray((scale - self._lowest) * self._leading + significand - self._gap, dtype=np.int64)

    def _add_finite(self, large: States, small: States) -> States:
        """Rounded sum of finite states with \\|large\\| ≥ \\|small\\|. A summand that reaches into the guard digits alone makes no tie."""
        high, high_scale = self._unpack(large)
        low, low_scale = self._unpack(small)
        guard = self._t + 3
        distance = high_scale - low_scale
        beyond = np.clip(distance - guard, 0, FARTHEST)
        kept = low >> beyond
        sticky = (kept << beyond) != low
        distance = np.minimum(distance, guard)
        opposite = (large < 0) ^ (small < 0)
        total = (high << distance) + np.where(opposite, -kept - sticky, kept)
        return self._pack(large < 0, total, high_scale - distance, sticky)

    def _pack(self, negative: Truths, whole: States, scale: States, sticky: Truths) -> States:
        """±(whole + rest) · 2^scale rounded to a code, where 0 < rest < 1 if ``sticky``, and then more than t digits; else rest = 0.

        What lies above one half goes up whether it is called a tie or not.
        """
        lengths = bit_lengths(whole)
        spacing = scale + lengths - self._t
        if self._underflow != "flush":
            tiny = spacing < self._lowest
            spacing = np.where(tiny, self._lowest if self._underflow == "subnormals" else self._lowest + self._t - 1, spacing)
        shift = spacing - scale
        whole = np.where(shift < 0, whole << np.clip(-shift, 0, FARTHEST), whole)
        shift = np.clip(shift, 0, FARTHEST)
        kept = whole >> shift
        low = whole - (kept << shift)
        half = (np.int64(1) << shift) >> 1
        above = (low > half) | ((low == half) & sticky)
        tie = (low == half) & ~sticky & (shift > 0)
        rounded = self._code(kept + self.rule.goes_up(above, tie, kept), spacing)
        if self.rule.overflow == "before":
            floor = self._code(kept, spacing)
            over = (floor > self.largest) | ((floor == self.largest) & ((low > 0) | sticky))
        else:
            over = rounded > self.largest
        beyond = np.int64(self.largest) if self.rule.overflow == "saturate" else INFINITE
        magnitude = np.where(over, beyond, rounded)
        return np.where(negative, -magnitude, magnitude)

    def _code(self, multiple: States, spacing: States) -> States:
        """The code of multiple · 2^spacing, 0 for what lies below the smallest positive value."""
        code = self._code_of(multiple, spacing)
        if self._underflow == "nearest":
            code = np.where((spacing == self._lowest + self._t - 1) & (multiple <= 1), multiple, code)
        return np.where(multiple == 0, 0, np.maximum(code, 0))

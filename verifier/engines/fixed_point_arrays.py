"""The bounded-precision machine on arrays: values as int64 multiples of the format's unit, exact, with sentinels for inf and NaN.

Each operation is that of :class:`verifier.arithmetic.machine.Machine`, on every element. Where 64 bits do not suffice for an
intermediate product the scalar machine takes over, on the distinct values.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special
from verifier.arithmetic.rationals import Fraction
from verifier.engines.chunks import in_pieces
from verifier.running.errors import LimitError

States = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

INFINITE = np.int64(1 << 60)
NOT_A_NUMBER = np.int64(3 << 60)
SAFE = 1 << 62
WIDEST = 30
SPECIALS: dict[Special, np.int64] = {INF: INFINITE, NEG_INF: -INFINITE, NAN: NOT_A_NUMBER}


EXACT_DIGITS = 53
"""Whole numbers of so many binary digits are floats of 64 bits exactly."""


def bit_lengths(magnitudes: States) -> States:
    """The number of binary digits of each element ≥ 0, exactly (a float's exponent may be one too large; that is put right)."""
    lengths = np.frexp(magnitudes.astype(np.float64))[1].astype(np.int64)
    lengths -= (lengths > 0) & (magnitudes >> np.maximum(lengths - 1, 0) == 0)
    return lengths


def _long_division(dividend: States, divisor: States, shift: int) -> tuple[States, States]:
    """⌊dividend · 2^shift / divisor⌋ and the rest, as many binary digits at a time as 62 bits hold; quotients from 2^61 on may be cut
    down to that, which no format reaches.
    """
    whole, rest = np.divmod(dividend, divisor)
    room = 62 - int(divisor.max(initial=1)).bit_length()
    while shift:
        step = min(shift, room)
        digits, rest = np.divmod(rest << step, divisor)
        whole = (np.minimum(whole, (1 << 61) >> step) << step) + digits
        shift -= step
    return whole, rest


class Lattice:
    """A fixed-point machine whose states are integers times ``unit``.

    Raises:
        LimitError: for more than 30 bits, whose sums do not fit the sentinels' range.
    """

    def __init__(self, machine: Machine) -> None:
        form = machine.form
        if not form.fixed_point:
            raise TypeError(f"{form} is not a fixed-point format")
        if form.precision + 1 > WIDEST:
            raise LimitError(f"{form.precision + 1} bits; the vectorised machine takes at most {WIDEST}", "a smaller precision")
        self.machine = machine
        self.unit: Fraction = form.unit
        self.largest = form.top
        self.rule = machine.rule
        self._digits, self._binades = form.precision, form.binades
        self._ties = self.rule.rounding == "nearest" and self.rule.ties != "zero"

    def encode(self, x: Number) -> np.int64:
        """A value of the format as a state."""
        if isinstance(x, Special):
            return SPECIALS[x]
        quotient = x / self.unit
        if quotient.denominator != 1 or abs(quotient) > self.largest:
            raise ValueError(f"{x} is not a value of {self.machine.form}")
        return np.int64(quotient.numerator)

    def decode(self, state: int | np.int64) -> Number:
        """A state as a value."""
        for special, code in SPECIALS.items():
            if state == code:
                return special
        return int(state) * self.unit

    def finite(self, states: States) -> Truths:
        return np.abs(states) < INFINITE

    def add(self, a: States, b: States) -> States:
        """Rounded a + b."""
        return in_pieces(self._add, a, b)

    def _add(self, a: States, b: States) -> States:
        total = self._round(np.asarray(a + b, dtype=np.int64))
        special = ~(self.finite(a) & self.finite(b))
        if special.any():
            a, b = np.broadcast_arrays(a, b)
            nan = ~self.finite(a) & ~self.finite(b) & (a != b)
            infinite = np.where(self.finite(a), b, a)
            total = np.where(special, np.where(nan, NOT_A_NUMBER, infinite), total)
        return total

    def add_constant(self, a: States, constant: Number) -> States:
        """Rounded a + constant, where the constant need not be a value of the format."""
        return in_pieces(lambda piece: self._add_constant(piece, constant), a)

    def _add_constant(self, a: States, constant: Number) -> States:
        if isinstance(constant, Special):
            return self._on_distinct(a, lambda x: self.machine.add(x, constant))
        exact = constant / self.unit
        if exact.denominator == 1 and abs(exact) < SAFE // 4:
            return self.add(a, np.int64(exact.numerator))  # type: ignore[arg-type]  # a scalar broadcasts
        if self._reach(a) * exact.denominator + abs(exact.numerator) >= SAFE:
            return self._on_distinct(a, lambda x: self.machine.add(x, constant))
        finite = self.finite(a)
        numerator = np.where(finite, a, 0) * exact.denominator + exact.numerator
        return np.where(finite, self._round_ratio(numerator, np.int64(exact.denominator)), a)

    def multiply_constant(self, a: States, constant: Number) -> States:
        """Rounded a · constant, where the constant need not be a value of the format."""
        return in_pieces(lambda piece: self._multiply_constant(piece, constant), a)

    def _multiply_constant(self, a: States, constant: Number) -> States:
        if isinstance(constant, Special) or constant == 0:
            return self._on_distinct(a, lambda x: self.machine.multiply(x, constant))
        factor, divisor = abs(constant.numerator), constant.denominator
        fits = self._reach(a) * factor < SAFE and divisor < SAFE
        if not fits and (factor >= SAFE // 2 or 4 * (self.largest + 1) * divisor >= SAFE):
            return self._on_distinct(a, lambda x: self.machine.multiply(x, constant))
        finite = self.finite(a)
        most = np.int64(SAFE // factor)  # beyond it, where there is any, the product overflows the format
        product = self._round_ratio(np.clip(np.where(finite, a, 0), -most, most) * constant.numerator, np.int64(divisor))
        return np.where(finite, product, np.where(a == NOT_A_NUMBER, a, a if constant > 0 else -a))

    def divide(self, a: States, b: States) -> States:
        """Rounded a / b."""
        return in_pieces(self._divide, a, b)

    def _divide(self, a: States, b: States) -> States:
        a, b = np.broadcast_arrays(a, b)
        up, down = self.unit.denominator, self.unit.numerator
        long = self._reach(a) * up >= SAFE
        if self._reach(b) * down >= SAFE // 2 or (long and up & up - 1):
            return self._divide_distinct(a, b)
        plain = self.finite(a) & self.finite(b) & (b != 0)
        divisor = np.where(plain, np.abs(b), 1)
        side = np.where(b < 0, -1, 1)
        dividend = np.where(plain, a * side, 0)
        if long:
            whole, rest = _long_division(np.abs(dividend), divisor * down, up.bit_length() - 1)
            quotient = self._round_mixed(dividend, whole, rest, divisor * down)
        else:
            quotient = self._round_ratio(dividend * up, divisor * down)
        if plain.all():
            return quotient
        nan = (a == NOT_A_NUMBER) | (b == NOT_A_NUMBER) | (~self.finite(a) & ~self.finite(b)) | ((a == 0) & (b == 0))
        over = self.encode(self.machine.round(INF))
        beyond = np.where((a < 0) ^ (b < 0), -over, over)
        exceptional = np.where(nan, NOT_A_NUMBER, np.where(self.finite(b), beyond, 0))
        return np.where(plain, quotient, exceptional)

    def rectify(self, a: States) -> States:
        """max{0, a}; NaN stays."""
        return np.maximum(a, 0)

    def _reach(self, a: States) -> int:
        """The largest finite magnitude in ``a``, and at least 1: what is multiplied with it must fit 64 bits by itself."""
        return int(np.abs(np.where(self.finite(a), a, 0)).max(initial=1))

    def _on_distinct(self, a: States, operation: Callable[[Number], Number]) -> States:
        values, inverse = np.unique(a, return_inverse=True)
        results = np.array([self.encode(operation(self.decode(v))) for v in values], dtype=np.int64)
        return results[inverse].reshape(a.shape)

    def _divide_distinct(self, a: States, b: States) -> States:
        pairs, inverse = np.unique(np.stack([a.ravel(), b.ravel()]), axis=1, return_inverse=True)
        quotients = [self.encode(self.machine.divide(self.decode(x), self.decode(y))) for x, y in pairs.T]
        return np.array(quotients, dtype=np.int64)[inverse.ravel()].reshape(a.shape)

    def _round(self, exact: States) -> States:
        """Whole multiples of the unit, rounded into the format."""
        magnitude = np.abs(exact)
        if magnitude.max(initial=0) < 1 << self._digits:
            return exact
        return self._finish(exact, magnitude, self._shift(magnitude), None)

    def _round_ratio(self, numerator: States, denominator: States | np.int64) -> States:
        """numerator/denominator units (denominator > 0), rounded into the format."""
        whole, rest = np.divmod(np.abs(numerator), denominator)
        return self._round_mixed(numerator, whole, rest, denominator)

    def _round_mixed(self, signed: States, whole: States, rest: States, denominator: States | np.int64) -> States:
        """whole + rest/denominator units with the sign of ``signed``, rounded into the format."""
        return self._finish(signed, whole, self._shift(whole), (rest, denominator))

    def _shift(self, magnitude: States) -> States:
        """The binade of each magnitude: how many digits more than the format has it has, at most as many as values have."""
        if self._digits + self._binades < EXACT_DIGITS:  # what is longer than a float64's digits has too many in any case
            lengths = np.frexp(np.minimum(magnitude, (1 << EXACT_DIGITS) - 1).astype(np.float64))[1].astype(np.int64)
        else:
            lengths = bit_lengths(magnitude)
        return np.clip(lengths - self._digits, 0, self._binades)

    def _finish(self, signed: States, whole: States, shift: States, tail: tuple[States, States | np.int64] | None) -> States:
        """Round ``whole`` (plus tail[0]/tail[1] < 1) to a multiple of 2^shift, decide overflow, put the sign back.

        The shift leaves as many digits as the format has; beyond its values a coarser multiple would overflow no less.
        """
        kept = whole >> shift
        low = whole - (kept << shift)
        half = (np.int64(1) << shift) >> 1
        tie: Truths | bool = False
        if tail is None:
            above = low > half
            if self._ties:
                tie = (low == half) & (shift > 0)
        else:
            rest, divisor = tail
            coarse = shift > 0
            above = np.where(coarse, (low > half) | ((low == half) & (rest > 0)), rest > divisor - rest)
            if self._ties:
                tie = np.where(coarse, (low == half) & (rest == 0), rest == divisor - rest)
        rounded = (kept + self.rule.goes_up(above, tie, kept)) << shift
        if self.rule.overflow == "before":
            over = (whole > self.largest) | ((whole == self.largest) & (tail[0] > 0) if tail is not None else False)
        else:
            over = rounded > self.largest
        beyond = np.int64(self.largest) if self.rule.overflow == "saturate" else INFINITE
        magnitude = np.where(over, beyond, rounded)
        return np.where(signed < 0, -magnitude, magnitude)

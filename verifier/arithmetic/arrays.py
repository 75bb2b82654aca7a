"""The bounded-precision machine on arrays of int64, exact, with sentinels for inf and NaN.

Each operation is that of :class:`verifier.arithmetic.machine.Machine`, on every element. A state is a whole number of units
(:class:`Lattice`), or the number under which a value is known (:class:`Codes`, :class:`Interned`). Lattices and codes compute with
significands and exponents; sums of units are sums of integers. The scalar machine does everything else, and whatever needs more than 64
bits on the way, once for each distinct value or pair.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from math import prod
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.formats import Format, dyadic, units_of
from verifier.arithmetic.machine import Machine, RoundingRule, rectified
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import LimitError

States = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

INFINITE = np.int64(1 << 60)
NOT_A_NUMBER = np.int64(3 << 60)
SPECIALS: dict[Special, np.int64] = {INF: INFINITE, NEG_INF: -INFINITE, NAN: NOT_A_NUMBER}
SAFE = 1 << 62
EXACT_DIGITS = 53
"""A whole number of at most this many binary digits is exactly a float of 64 bits."""
PIECE = 1 << 14
"""The elements of a piece. Its ten 64-bit intermediates take about 1 MiB and stay in the processor's cache."""


def in_pieces(compute: Callable[..., States], *arrays: States) -> States:
    """``compute(*arrays)`` for an elementwise function, a piece at a time; the arrays broadcast."""
    if prod(map(np.size, arrays)) <= PIECE:
        return compute(*arrays)
    shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
    if prod(shape) <= PIECE:
        return compute(*arrays)
    whole = [np.broadcast_to(a, shape) for a in arrays]
    result = np.empty(shape, dtype=np.int64)
    below = result[0].size
    step = max(1, PIECE // below)
    for start in range(0, len(result), step):
        part = (slice(start, start + step),) if below <= PIECE else (start,)
        result[part] = in_pieces(compute, *(a[part] for a in whole))
    return result


def bit_lengths(magnitudes: States) -> States:
    """The number of binary digits of each element from 0 to 2^62, exactly (a float's exponent may be one too large, which is corrected)."""
    lengths: States = np.maximum((magnitudes.astype(np.float64).view(np.int64) >> 52) - 1022, 0)
    lengths -= (lengths > 0) & (magnitudes >> np.maximum(lengths - 1, 0) == 0)
    return lengths


def shifted(rule: RoundingRule, whole: States, shift: States | int) -> States:
    """whole / 2^shift as a whole number, rounded as ``rule`` says; a negative number only to the nearest with ties to even."""
    if rule.rounding == "truncate":
        return whole >> shift
    step = np.left_shift(np.int64(1), shift)
    if rule.ties == "away":
        half = step >> 1
    elif rule.ties == "zero":
        half = step - 1 >> 1
    else:
        half = step - 1 + (whole >> shift & 1) >> 1
    return whole + half >> shift


class ArrayMachine(ABC):
    """A machine on arrays of states, whose operations are the scalar machine's, once for each distinct value or pair.

    largest: the state of the largest value.
    """

    def __init__(self, machine: Machine, largest: int) -> None:
        if machine.rule.overflow == "nan":
            raise TypeError("overflow to NaN has no sign, states have one")
        self.machine, self.rule, self.largest = machine, machine.rule, largest

    @abstractmethod
    def _state(self, x: Fraction) -> int:
        """A finite value of the format as a state."""

    @abstractmethod
    def _value(self, state: int) -> Fraction:
        """A finite state as a value."""

    def encode(self, x: Number) -> np.int64:
        """A value of the format as a state.

        Raises:
            ValueError: the format lacks it.
        """
        if isinstance(x, Special):
            return SPECIALS[x]
        if not self.machine.form.contains(x):
            raise ValueError(f"{x} is not a value of {self.machine.form}")
        return np.int64(self._state(x))

    def decoded(self, states: States) -> list[Number]:
        """A row of states as values."""
        return [_NAMED[s] if s in _NAMED else self._value(s) for s in states.tolist()]

    def decode(self, state: int | np.int64) -> Number:
        """A state as a value."""
        return self.decoded(np.asarray([state], dtype=np.int64))[0]

    def finite(self, states: States) -> Truths:
        return np.abs(states) < INFINITE

    def add(self, a: States, b: States) -> States:
        """Rounded a + b."""
        return self._by_values(self.machine.add, a, b)

    def add_constant(self, a: States, constant: Number) -> States:
        """Rounded a + constant, where the constant need not be a value of the format."""
        return self._by_values(lambda x: self.machine.add(x, constant), a)

    def multiply_constant(self, a: States, constant: Number) -> States:
        """Rounded a · constant, where the constant need not be a value of the format."""
        return self._by_values(lambda x: self.machine.multiply(x, constant), a)

    def divide(self, a: States, b: States) -> States:
        """Rounded a / b."""
        return self._by_values(self.machine.divide, a, b)

    def rectify(self, a: States) -> States:
        """max{0, a}; NaN stays."""
        return np.maximum(a, 0)

    def _by_values(self, operation: Callable[..., Number], *arrays: States) -> States:
        """Rows are sorted as numbers whose digits give the place of each state among those of its array."""
        shape, rows, known = np.broadcast_shapes(*map(np.shape, arrays)), np.zeros(1, np.int64), []
        for a in arrays:
            states, places = np.unique(a, return_inverse=True)
            known.append(states)
            rows = rows * len(states) + np.broadcast_to(places.reshape(np.shape(a)), shape)
        distinct, places = np.unique(rows, return_inverse=True)
        at = np.unravel_index(distinct, tuple(map(len, known)))
        each = zip(*(self.decoded(states[k]) for states, k in zip(known, at, strict=True)), strict=True)
        return np.array([self.encode(operation(*row)) for row in each], dtype=np.int64)[places.ravel()].reshape(shape)


_NAMED = {int(state): special for special, state in SPECIALS.items()}


def _some_special(states: States) -> bool:
    return bool(states.max(initial=0) >= INFINITE or states.min(initial=0) <= -INFINITE)


def vectorised(machine: Machine) -> ArrayMachine:
    """The machine on arrays. States have the order of the values, and are multiples of a unit if 64 bits hold them, or else codes."""
    return Lattice(machine) if machine.form.fixed_point or Lattice.holds(machine.form) else Codes(machine)


def _zeros(n: int) -> int:
    """Count the binary digits 0 at the end of a number n > 0."""
    return (n & -n).bit_length() - 1


class Digits(ArrayMachine):
    """A machine that computes with significands and exponents, in units of the format; the negative of a state is that of its value.

    It rounds once; digits beyond the 64 bits of a significand become a sticky bit.
    """

    FARTHEST = 61
    MOST_BITS = 60
    """The most bits of a number that is rounded. Half of the farthest spacing is larger."""

    def __init__(self, machine: Machine, largest: int, width: int) -> None:
        super().__init__(machine, largest)
        form = machine.form
        self._digits, self._underflow, self._width = form.precision, form.underflow, width
        power = dyadic(form.unit)
        self._lowest = power[1] if power is not None and power[0] == 1 else None
        """log₂ of the unit."""

    @abstractmethod
    def _sum(self, a: States, b: States) -> States:
        """Rounded a + b of finite states."""

    @abstractmethod
    def _sum_with(self, a: States, constant: Fraction) -> States | None:
        """Rounded a + constant of finite states, or None where 64 bits do not suffice."""

    @abstractmethod
    def _unpack(self, states: States) -> tuple[States, States]:
        """Significands and the exponents of their last digits: \\|value\\| = significand · 2^scale units; 0 has significand 0."""

    @abstractmethod
    def _packed(self, multiple: States, spacing: States) -> States:
        """The state of multiple · 2^spacing units, 0 below the smallest positive value; a carry counts on into the next binade."""

    def _product(self, a: States, constant: Fraction) -> States | None:
        """Rounded a · constant of finite states, the constant not 0, or None where 64 bits do not suffice."""
        above, below = abs(constant.numerator), constant.denominator
        up, down = _zeros(above), _zeros(below)
        above, below = above >> up, below >> down
        guard = 0 if below == 1 else max(0, self._digits + 2 + below.bit_length() - above.bit_length())
        if above.bit_length() + self._width + guard > self.MOST_BITS:
            return None
        significand, scale = self._unpack(a)
        whole, rest = np.divmod(significand * above << guard, below)
        return self._pack((a < 0) ^ (constant < 0), whole, scale + (up - down - guard), rest > 0)

    def _quotient(self, a: States, b: States) -> States | None:
        """Rounded a / b of finite states a ≥ 0 and b > 0, or None where units are not powers of two.

        The shifted dividend is even, so that a rest of 1 comes with an odd quotient, which is no tie.
        """
        if self._lowest is None:
            return None
        dividend, up = self._unpack(a)
        divisor, down = self._unpack(b)
        guard = self._width + self._digits + 2 - bit_lengths(dividend)
        whole, rest = np.divmod(dividend << guard, divisor)
        return self._pack(np.zeros(a.shape, dtype=bool), whole, up - down - guard - self._lowest, rest > 0)

    def _pack(self, negative: Truths, whole: States, scale: States, sticky: Truths) -> States:
        """±(whole + rest) · 2^scale units rounded to a state, where 0 < rest < 1 if ``sticky``, and then more than the format's digits, or
        else rest = 0.
        """
        spacing = scale + bit_lengths(whole) - self._digits
        if self._underflow != "flush":
            spacing = np.where(spacing < 0, 0 if self._underflow == "subnormals" else self._digits - 1, spacing)
        shift = spacing - scale
        if shift.min(initial=0) < 0:
            whole = whole << np.clip(-shift, 0, self.FARTHEST)
        shift = np.clip(shift, 0, self.FARTHEST)
        guarded = whole << 1 | sticky
        rounded = self._packed(shifted(self.rule, guarded, shift + 1), spacing)

        def beyond() -> Truths:
            kept = whole >> shift
            floor = self._packed(kept, spacing)
            return np.asarray((floor > self.largest) | ((floor == self.largest) & ((kept << shift != whole) | sticky)))

        magnitude = self._bounded(rounded, beyond)
        return np.where(negative, -magnitude, magnitude)

    def add(self, a: States, b: States) -> States:
        return in_pieces(self._add, a, b)

    def _add(self, a: States, b: States) -> States:
        if not (_some_special(a) or _some_special(b)):
            return self._sum(a, b)
        a, b = np.broadcast_arrays(a, b)
        finite = self.finite(a) & self.finite(b)
        total = self._sum(np.where(finite, a, 0), np.where(finite, b, 0))
        nan = ~self.finite(a) & ~self.finite(b) & (a != b)
        return np.where(finite, total, np.where(nan, NOT_A_NUMBER, np.where(self.finite(a), b, a)))

    def add_constant(self, a: States, constant: Number) -> States:
        return in_pieces(lambda piece: self._with_constant(piece, constant, self._sum_with, self.machine.add), a)

    def multiply_constant(self, a: States, constant: Number) -> States:
        if constant == 0 and not _some_special(a):
            return np.zeros(np.shape(a), dtype=np.int64)
        compute = None if constant == 0 else self._product
        return in_pieces(lambda piece: self._with_constant(piece, constant, compute, self.machine.multiply), a)

    def _with_constant(
        self,
        a: States,
        constant: Number,
        compute: Callable[[States, Fraction], States | None] | None,
        scalar: Callable[[Number, Number], Number],
    ) -> States:
        found, special = None, _some_special(a)
        if compute is not None and not isinstance(constant, Special):
            found = compute(np.where(self.finite(a), a, 0) if special else a, constant)
        if found is None:
            return self._by_values(lambda x: scalar(x, constant), a)
        if special:
            for x, state in SPECIALS.items():
                found = np.where(a == state, self.encode(scalar(x, constant)), found)
        return found

    def divide(self, a: States, b: States) -> States:
        return in_pieces(self._divide, a, b)

    def _divide(self, a: States, b: States) -> States:
        a, b = np.broadcast_arrays(a, b)
        plain = self.finite(a) & self.finite(b) & (b != 0)
        above, below = np.where(plain, np.abs(a), 0), np.where(plain, np.abs(b), 1)
        quotient = self._quotient(above, below)
        if quotient is None:
            return self._by_values(self.machine.divide, a, b)
        negative = (a < 0) ^ (b < 0)
        quotient = np.where(negative, -quotient, quotient)
        if plain.all():
            return quotient
        nan = (a == NOT_A_NUMBER) | (b == NOT_A_NUMBER) | (~self.finite(a) & ~self.finite(b)) | ((a == 0) & (b == 0))
        over = self.encode(self.machine.round(INF))
        exceptional = np.where(nan, NOT_A_NUMBER, np.where(self.finite(b), np.where(negative, -over, over), 0))
        return np.where(plain, quotient, exceptional)

    def _bounded(self, rounded: States, exact: Callable[[], Truths]) -> States:
        """Magnitudes after overflow. exact: where the exact magnitude is beyond the largest value."""
        if self.rule.overflow == "before":
            over = exact()
        elif rounded.max(initial=0) <= self.largest:
            return rounded
        else:
            over = rounded > self.largest
        beyond = np.int64(self.largest) if self.rule.overflow == "saturate" else INFINITE
        return np.where(over, beyond, rounded)


class Lattice(Digits):
    """A machine whose states are integers times ``unit``.

    Raises:
        LimitError: for values of more than 29 digits or 58 bits, whose sums do not fit the sentinels' range.
    """

    WIDEST = 30
    LONGEST = 58
    MOST_UNITS = 48
    """Digits of a format and of its largest value together, with which units need not be taken apart."""

    def __init__(self, machine: Machine) -> None:
        form = machine.form
        if not self.holds(form):
            raise LimitError(f"numbers of {form.precision + 1} bits; arrays hold at most {self.WIDEST}", "a smaller precision")
        short = form.precision + form.top.bit_length() <= self.MOST_UNITS
        super().__init__(machine, form.top, form.top.bit_length() if short else form.precision)
        self.unit: Fraction = form.unit
        self._binades, self._first = form.binades, form.first

    @classmethod
    def holds(cls, form: Format) -> bool:
        """Whether 64 bits hold the format's values as multiples of a unit, and their sums."""
        return form.precision < cls.WIDEST and form.top.bit_length() <= cls.LONGEST

    def _state(self, x: Fraction) -> int:
        return int(x / self.unit)

    def _value(self, state: int) -> Fraction:
        return state * self.unit

    def _add(self, a: States, b: States) -> States:
        """A special summand shows in the sum of a special and a finite state: finite states are below 2^58."""
        if not _some_special(a if a.size < b.size else b):
            exact = np.asarray(a + b, dtype=np.int64)
            magnitude = np.abs(exact)
            reach = magnitude.max(initial=0)
            if reach < SAFE >> 3:
                return self._whole(exact, magnitude, reach)
        return super()._add(a, b)

    def _sum(self, a: States, b: States) -> States:
        exact = np.asarray(a + b, dtype=np.int64)
        magnitude = np.abs(exact)
        return self._whole(exact, magnitude, magnitude.max(initial=0))

    def _whole(self, exact: States, magnitude: States, reach: np.int64) -> States:
        """Round a whole number of units into the format. magnitude: the absolute value; reach: the largest absolute value."""
        if self._first == 1 and reach < 1 << self._digits:
            return exact
        shift = self._shift(magnitude)
        rounded = shifted(self.rule, magnitude, shift) << shift
        if self._first > 1:
            rounded = np.where(rounded < self._first, 0, rounded)
        rounded = self._bounded(rounded, lambda: magnitude > self.largest)
        return np.where(exact < 0, -rounded, rounded)

    def _sum_with(self, a: States, constant: Fraction) -> States | None:
        exact = constant / self.unit
        return self._sum(a, np.asarray(exact.numerator, np.int64)) if exact.denominator == 1 and abs(exact) < SAFE // 4 else None

    def _product(self, a: States, constant: Fraction) -> States | None:
        if constant.denominator == 1 and (self.largest + 1) * abs(constant) < SAFE:
            return self._sum(a * constant.numerator, np.asarray(0, np.int64))
        return super()._product(a, constant)

    def _unpack(self, states: States) -> tuple[States, States]:
        magnitude = np.abs(states)
        if self._width > self._digits:
            return magnitude, np.zeros((), np.int64)
        scale: States = np.maximum(bit_lengths(magnitude) - max(1, self._digits), 0)
        return magnitude >> scale, scale

    def _packed(self, multiple: States, spacing: States) -> States:
        """A magnitude that overflows is any above the largest value."""
        units = multiple << np.clip(spacing, 0, max(self._binades + 1, self._digits - 1))
        if self._underflow == "flush":
            units = np.where(spacing < 0, multiple >> np.clip(-spacing, 0, self.FARTHEST), units)
        return np.where(units < self._first, 0, units)

    def _shift(self, magnitude: States) -> States | int:
        """The number of binary digits that rounding removes: the digits beyond the format's, at most as many as values have; below the
        smallest value that underflow leaves, all digits.
        """
        shift: States | int = 0
        if self._binades:
            if self._digits + self._binades < EXACT_DIGITS:  # what is longer than a float64's digits has too many in any case
                exponents = (magnitude.astype(np.float64).view(np.int64) >> 52) - (1022 + self._digits)
            else:
                exponents = bit_lengths(magnitude) - self._digits
            shift = np.minimum(np.maximum(exponents, 0), self._binades)
        return np.where(magnitude < self._first, self._digits - 1, shift) if self._underflow == "nearest" else shift


class Codes(Digits):
    """A machine of a binary format that stores each value as a code: the number of positive values up to this one, with the value's sign.

    Raises:
        LimitError: for more than 28 mantissa digits (two significands and guard bits share 64 bits) or 20 exponent digits.
    """

    MOST_DIGITS = 28
    MOST_EXPONENT_DIGITS = 20

    def __init__(self, machine: Machine) -> None:
        form = machine.form
        t, e = form.precision, (form.binades // 2 + 1).bit_length()
        if t > self.MOST_DIGITS or e > self.MOST_EXPONENT_DIGITS:
            raise LimitError(
                f"numbers of t = {t}, e = {e} digits; arrays hold t <= {self.MOST_DIGITS}, e <= {self.MOST_EXPONENT_DIGITS}",
                "a smaller precision",
            )
        super().__init__(machine, form.ordinal(form.top), t)
        if self._lowest is None:
            raise TypeError(f"{form} is not a binary format")
        self._leading = np.int64(1 << t - 1)
        self._gap = np.int64(form.first - 1)

    def _state(self, x: Fraction) -> int:
        code = self.machine.form.ordinal(int(abs(x) / self.machine.form.unit)) if x else 0
        return code if x > 0 else -code

    def _value(self, state: int) -> Fraction:
        form = self.machine.form
        units = units_of(form, abs(state)) if state else 0
        return (units if state > 0 else -units) * form.unit

    def _unpack(self, codes: States) -> tuple[States, States]:
        place = np.abs(codes) + self._gap
        below = place < self._leading
        binade = np.where(below, 0, (place >> (self._digits - 1)) - 1)
        significand = np.where(below, place, (place & (self._leading - 1)) + self._leading)
        return np.where(codes == 0, 0, significand), binade

    def _sum(self, a: States, b: States) -> States:
        """A summand that reaches only into the guard digits makes no tie."""
        a, b = np.broadcast_arrays(a, b)
        swap = np.abs(a) < np.abs(b)
        large, small = np.where(swap, b, a), np.where(swap, a, b)
        high, high_scale = self._unpack(large)
        low, low_scale = self._unpack(small)
        guard = self._digits + 3
        distance = high_scale - low_scale
        beyond = np.clip(distance - guard, 0, self.FARTHEST)
        kept = low >> beyond
        sticky = (kept << beyond) != low
        distance = np.minimum(distance, guard)
        opposite = (large < 0) ^ (small < 0)
        total = (high << distance) + np.where(opposite, -kept - sticky, kept)
        return self._pack(large < 0, total, high_scale - distance, sticky)

    def _sum_with(self, a: States, constant: Fraction) -> States | None:
        return self._sum(a, np.asarray(self.encode(constant))) if self.machine.form.contains(constant) else None

    def _packed(self, multiple: States, spacing: States) -> States:
        code = spacing * self._leading + multiple - self._gap
        if self._underflow == "nearest":
            code = np.where((spacing == self._digits - 1) & (multiple <= 1), multiple, code)
        return np.where(multiple == 0, 0, np.maximum(code, 0))


class Interned(ArrayMachine):
    """A machine for any number of digits. A small whole number is its own state; other values are numbered as they are met.

    It suits formats with few values, such as a format of a thousand digits whose sums take a thousand values. States are not in the order
    of values.
    """

    SMALL = 1 << 40
    """Whole numbers of a smaller magnitude are states. Sums and products of states are exact where all operands and results are such."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine, SAFE)
        self._values: list[Fraction] = []
        self._states: dict[Fraction, int] = {}
        form = machine.form
        self._holds_small = form.contains(Fraction(1)) and form.contains(Fraction(self.SMALL - 1))
        """Whether small whole numbers are values. It suffices that the number of 40 ones is a value, since then no spacing below it exceeds
        1.
        """

    def _state(self, x: Fraction) -> int:
        if x.denominator == 1 and abs(x) < self.SMALL:
            return int(x)
        if x not in self._states:
            self._states[x] = self.SMALL + len(self._values)
            self._values.append(x)
        return self._states[x]

    def _value(self, state: int) -> Fraction:
        return Fraction(state) if state < self.SMALL else self._values[state - self.SMALL]

    def _small(self, *arrays: States) -> bool:
        return self._holds_small and all(a.min(initial=0) > -self.SMALL and a.max(initial=0) < self.SMALL for a in arrays)

    def add(self, a: States, b: States) -> States:
        if self._small(a, b) and self._small(total := np.asarray(a + b)):
            return total
        return super().add(a, b)

    def add_constant(self, a: States, constant: Number) -> States:
        if self._whole(constant):
            return self.add(a, np.asarray(int(constant), np.int64))
        return super().add_constant(a, constant)

    def multiply_constant(self, a: States, constant: Number) -> States:
        if self._small(a) and self._whole(constant) and abs(int(constant)) * int(np.abs(a).max(initial=0)) < self.SMALL:
            return a * int(constant)
        return super().multiply_constant(a, constant)

    def _whole(self, constant: Number) -> TypeGuard[Fraction]:
        return self._holds_small and not isinstance(constant, Special) and constant.denominator == 1 and abs(constant) < self.SMALL

    def rectify(self, a: States) -> States:
        return np.maximum(a, 0) if self._small(a) else self._by_values(rectified, a)

"""Formats by name, and those of IEEE 754 and its narrower relatives as bit patterns: a sign, an exponent with a bias, a mantissa.

Sources: IEEE 754-2019, 3.4 (float16, float32); the OCP specification of 8-bit floating point, revision 1.0, 5 (E4M3, which is
``e4m3fn`` here, and E5M2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from verifier.arithmetic.formats import Format, fixed_grid, free_point, power_of_two, units_of
from verifier.arithmetic.machine import Machine, Overflow, RoundingRule
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special
from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.errors import InputError

Top = Literal["ieee", "one-nan", "none"]


@dataclass(frozen=True)
class BitFormat:
    """The patterns [S, Ē, M̄] of 1 + ``exponent_bits`` + ``mantissa_bits`` bits; a pattern is the unsigned number that these bits spell.

    top: the patterns of the largest Ē. ``ieee``: infinity (M̄ = 0) and NaN; ``one-nan``: numbers, but for NaN where M̄ is all ones;
         ``none``: numbers.

    With E = Ē − (2^(exponent_bits − 1) − 1), other patterns encode ±2^E·(1 + M̄/2^mantissa_bits), those of Ē = 0 ±2^(E +
    1)·M̄/2^mantissa_bits.
    """

    name: str
    exponent_bits: int
    mantissa_bits: int
    top: Top = "ieee"

    def __post_init__(self) -> None:
        if self.exponent_bits < 1 or self.mantissa_bits < 1 or (self.top == "ieee" and self.exponent_bits < 2):
            raise ValueError(f"{self.name}: {self.exponent_bits} exponent and {self.mantissa_bits} mantissa bits hold no numbers")

    @cached_property
    def width(self) -> int:
        return 1 + self.exponent_bits + self.mantissa_bits

    @cached_property
    def offset(self) -> int:
        """The bias, which is Ē − E."""
        return (1 << self.exponent_bits - 1) - 1

    @cached_property
    def unit(self) -> int:
        """The number 2^mantissa_bits, which is the pattern of Ē = 1, M̄ = 0 and the divisor of M̄."""
        return 1 << self.mantissa_bits

    @cached_property
    def sign_bit(self) -> int:
        return 1 << self.width - 1

    @cached_property
    def last(self) -> int:
        """The largest pattern without a sign."""
        return self.sign_bit - 1

    @cached_property
    def largest(self) -> int:
        """The pattern of the largest finite number."""
        return self.last - {"ieee": self.unit, "one-nan": 1, "none": 0}[self.top]

    @cached_property
    def infinity(self) -> int | None:
        """The pattern of inf, if there is one."""
        return self.last - self.unit + 1 if self.top == "ieee" else None

    @cached_property
    def nan(self) -> int | None:
        """A pattern of NaN, the quiet one of IEEE 754, if there is one."""
        return {"ieee": self.last - self.unit + 1 + (self.unit >> 1), "one-nan": self.last, "none": None}[self.top]

    def fields(self, pattern: int) -> tuple[int, int, int]:
        """S, Ē, M̄.

        Raises:
            ValueError: no pattern of this width.
        """
        if not 0 <= pattern < 1 << self.width:
            raise ValueError(f"{pattern} is not a pattern of {self.width} bits")
        return pattern >> self.width - 1, (pattern & self.last) >> self.mantissa_bits, pattern & self.unit - 1

    def is_nan(self, pattern: int) -> bool:
        return pattern & self.last > (self.largest if self.infinity is None else self.infinity)

    def is_infinite(self, pattern: int) -> bool:
        return pattern & self.last == self.infinity

    def value(self, pattern: int) -> Number:
        """The number that a pattern encodes; −0 is 0."""
        sign, _, _ = self.fields(pattern)
        if self.is_nan(pattern):
            return NAN
        if self.is_infinite(pattern):
            return NEG_INF if sign else INF
        magnitude: Fraction = units_of(self.form, pattern & self.last) * self.form.unit
        return -magnitude if sign else magnitude

    @cached_property
    def form(self) -> Format:
        """The format of the patterns' finite numbers; the pattern of a positive one is its ordinal."""
        endless = Format(power_of_two(1 - self.offset - self.mantissa_bits), self.mantissa_bits + 1, top=0)
        return replace(endless, top=units_of(endless, self.largest))

    @cached_property
    def _machine(self) -> Machine:
        return Machine(self.form, RoundingRule("nearest", "even", "saturate" if self.top == "none" else "after"))

    def nearest(self, value: Number) -> int:
        """The pattern of the nearest number; a tie goes to the even pattern. Half a step beyond the largest number or more is inf or NaN.

        A format without inf and NaN saturates at its largest number; 0 is +0.

        Raises:
            ValueError: NaN, where the format has none.
        """
        if isinstance(value, Special):
            return self._special(value)
        rounded = self._machine.round(value)
        if isinstance(rounded, Special):
            return self._special(rounded)
        units = int(abs(rounded) / self.form.unit)
        return (self.sign_bit if value < 0 else 0) | (self.form.ordinal(units) if units else 0)

    def _special(self, value: Special) -> int:
        if value is NAN or self.infinity is None:
            if self.nan is None:
                raise ValueError(f"{self.name} has no pattern of {value.value}")
            return self.nan | (self.sign_bit if value is NEG_INF else 0)
        return self.infinity | (self.sign_bit if value is NEG_INF else 0)


FLOAT32 = BitFormat("float32", 8, 23)
BFLOAT16 = BitFormat("bfloat16", 8, 7)
FLOAT16 = BitFormat("float16", 5, 10)
E4M3FN = BitFormat("e4m3fn", 4, 3, "one-nan")
E5M2 = BitFormat("e5m2", 5, 2)


def ieee(exponent_bits: int, mantissa_bits: int) -> BitFormat:
    """The format of these widths with the special values of IEEE 754."""
    return BitFormat(f"e{exponent_bits}m{mantissa_bits}", exponent_bits, mantissa_bits)


PATTERNS: dict[str, BitFormat] = {
    "float64": BitFormat("float64", 11, 52),
    "float32": FLOAT32,
    "float16": FLOAT16,
    "bfloat16": BFLOAT16,
    "e5m2": E5M2,
    "e4m3": E4M3FN,
    "e3m2": BitFormat("e3m2", 3, 2, "none"),
    "e2m3": BitFormat("e2m3", 2, 3, "none"),
    "e2m1": BitFormat("e2m1", 2, 1, "none"),
}
"""IEEE 754-2019, 3.4; OCP 8-bit floating point 1.0 (E4M3 and E5M2); OCP microscaling 1.0 (FP6 and FP4), without its block scales."""
NAMES = (*PATTERNS, "int8", "int8:1/64", "fixed:8", "fixed:16:1/256")
OVERFLOWS: dict[Top, tuple[Overflow, ...]] = {
    "ieee": ("after", "before", "saturate", "nan"),
    "one-nan": ("nan", "saturate"),
    "none": ("saturate",),
}
"""The treatments of results that are too large, the usual one first."""
OF_FIXED_POINT: tuple[Overflow, ...] = ("saturate", "after", "before", "nan")


@lru_cache(maxsize=256)
def number_format(name: str, overflow: str = "") -> Machine:
    """The format of this name with rounding to nearest, ties to even: ``float16``, ``int8:1/64`` (scale 1/64), ``fixed:16:1/256`` (16 bits
    with their sign, scale 1/256) or ``fixed:8`` (the binary point anywhere, Definition A.7 of *Every Bit Counts*).

    overflow: as :class:`RoundingRule` has it; by default the usual one of the format, which saturates for int8 and fixed point.

    Raises:
        InputError: no such format, or none with such an overflow.
    """
    if name in PATTERNS:
        form, possible = PATTERNS[name].form, OVERFLOWS[PATTERNS[name].top]
    else:
        form, possible = _fixed_point(name), OF_FIXED_POINT
    found = next((each for each in possible if each == (overflow or possible[0])), None)
    if found is None:
        raise InputError(f"overflow={overflow} with format={name}: {' or '.join(f'overflow={each}' for each in possible)} was expected")
    return Machine(form, RoundingRule("nearest", "even", found))


def _fixed_point(name: str) -> Format:
    kind, *details = name.split(":")
    try:
        match kind, details:
            case "int8", []:
                return fixed_grid(8, Fraction(1, 64))
            case "int8", [scale]:
                return fixed_grid(8, rational(scale))
            case "fixed", [bits]:
                return free_point(int(bits))
            case "fixed", [bits, scale]:
                return fixed_grid(int(bits), rational(scale))
    except (ValueError, ZeroDivisionError):
        pass
    raise InputError(f"no number format {name!r}; one like {', '.join(NAMES)} was expected")

"""The number formats of networks, by name: binary formats as IEEE 754 and OCP define them, and fixed point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from verifier.arithmetic.bit_patterns import BFLOAT16, E4M3FN, E5M2, FLOAT16, FLOAT32, BitFormat
from verifier.arithmetic.formats import Format, binary, fixed_grid, free_point
from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.errors import InputError

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


@dataclass(frozen=True)
class NumberFormat:
    """A format and what it does beyond its largest number. overflow: ``infinity``, ``saturate`` or ``nan``."""

    name: str
    form: Format
    overflow: str
    overflows: tuple[str, ...]

    @property
    def binary(self) -> bool:
        """Whether it is one of IEEE 754 or OCP, no fixed point."""
        return self.name in PATTERNS


@lru_cache(maxsize=256)
def number_format(name: str, overflow: str = "", subnormals: str = "kept") -> NumberFormat:
    """The format of this name, ``float16``, ``int8:1/64`` (scale 1/64), ``fixed:16:1/256`` (16 bits with their sign, scale 1/256) or
    ``fixed:8`` (the binary point anywhere, Definition A.7 of *Every Bit Counts*).

    overflow: that of the format where none is named: infinity, or NaN for e4m3, or saturation where there is neither, and for int8
    and fixed point.

    Raises:
        InputError: no such format, or none with such an overflow.
    """
    if subnormals not in ("kept", "flushed"):
        raise InputError(f"subnormals: {subnormals!r}; kept or flushed was expected")
    if name in PATTERNS:
        bits = PATTERNS[name]
        largest, underflow = Fraction(bits.value(bits.largest)), "flush" if subnormals == "flushed" else "subnormals"  # type: ignore[arg-type]
        form = binary(bits.mantissa_bits + 1, 1 - bits.offset, largest, underflow)  # type: ignore[arg-type]
        possible = {"ieee": ("infinity", "saturate", "nan"), "one-nan": ("nan", "saturate"), "none": ("saturate",)}[bits.top]
    else:
        form, possible = _fixed_point(name), ("saturate", "infinity", "nan")
    if overflow and overflow not in possible:
        raise InputError(f"overflow of {name}: {overflow!r}; {' or '.join(possible)} was expected")
    return NumberFormat(name, form, overflow or possible[0], possible)


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

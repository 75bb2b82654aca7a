"""``Format``: a bounded number format with its rounding, from Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.arithmetic.formats import Digits
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.interface.arguments import Exact, exact, integer, standard, standard_fraction
from verifier.interface.notebooks import table
from verifier.running.errors import InputError

WIDEST = 4096
SHOWN = 16


@dataclass(frozen=True)
class Format:
    """The values of a format, and how a rational is rounded to one of them. Made by :meth:`fixed`, :meth:`grid` or :meth:`floating`.

    Each operation is exact, then rounded once. Results are :class:`~fractions.Fraction`, or ``INF``, ``NEG_INF``, ``NAN`` of
    :mod:`verifier.arithmetic.numbers`. Source: *Every Bit Counts*, Definitions A.7 and A.10; ties and overflow as the semantics says.

    >>> four = Format.fixed(4)
    >>> four.round("1/3"), four.round(100), four.add("7/8", "1/8")
    (Fraction(3, 8), <Special.INF: 'inf'>, Fraction(1, 1))
    >>> four.round(0.1)
    Traceback (most recent call last):
    TypeError: the number is 0.1, a float; an int, a Fraction or a text such as '1/10' was expected
    """

    name: str
    semantics: str
    machine: Machine

    @classmethod
    def fixed(cls, bits: int, semantics: str = "a4") -> Format:
        """Fixed point with ``bits`` bits: a sign and bits − 1 binary digits, the point anywhere among them (a reading may say where).

        Args:
            bits: 1 … 4096, the sign among them.
            semantics: a reading, such as ``a4`` or ``a4+ties=even``.

        Raises:
            TypeError: ``bits`` is not an int.
            InputError: ``bits`` out of range, or no such reading.

        >>> [str(x) for x in Format.fixed(3).values()]
        ['-3', '-2', '-3/2', '-1', '-3/4', '-1/2', '-1/4', '0', '1/4', '1/2', '3/4', '1', '3/2', '2', '3']
        """
        return cls._made("fixed", _count(bits, "bits"), semantics)

    @classmethod
    def grid(cls, bits: int, scale: Exact = 1, semantics: str = "a4") -> Format:
        """The values scale·k, \\|k\\| ≤ 2^(bits−1) − 1.

        Args:
            bits: 1 … 4096, the sign among them.
            scale: a positive rational.

        Raises:
            TypeError: ``bits`` is not an int, ``scale`` no rational.
            InputError: out of range.

        >>> [str(x) for x in Format.grid(3, "1/2").values()]
        ['-3/2', '-1', '-1/2', '0', '1/2', '1', '3/2']
        """
        step = exact(scale, "scale")
        if step <= 0:
            raise InputError(f"scale is {step}; a positive rational was expected")
        return cls._made("grid", _count(bits, "bits"), f"{semantics}+scale={step}")

    @classmethod
    def floating(cls, t: int, e: int, semantics: str = "a4") -> Format:
        """Floating point: ±1.a × 2^±b with t − 1 digits in a and e − 1 in b, and zero (Definition A.10).

        Args:
            t: 1 … 4096 digits of the mantissa, its sign among them.
            e: 1 … 24 digits of the exponent, its sign among them.

        Raises:
            TypeError: no int.
            InputError: out of range.

        >>> [str(x) for x in Format.floating(2, 2).values() if x >= 0]
        ['0', '1/2', '3/4', '1', '3/2', '2', '3']
        """
        return cls._made("floating", Digits(_count(t, "t"), _count(e, "e", 24)), semantics)

    @classmethod
    def _made(cls, kind: str, precision: int | Digits, semantics: str) -> Format:
        reading: Semantics = read_semantics(semantics)
        size = f"t={precision.t}, e={precision.e}" if isinstance(precision, Digits) else str(precision)
        return cls(f"{kind}({size})", reading.label, reading.machine(precision))

    @property
    def largest(self) -> Fraction:
        """The largest value."""
        return standard_fraction(self.machine.form.largest)

    @property
    def smallest(self) -> Fraction:
        """The smallest positive value."""
        return standard_fraction(self.machine.form.smallest)

    def contains(self, x: Exact) -> bool:
        """Whether a rational is one of the values.

        >>> Format.fixed(4).contains("1/8"), Format.fixed(4).contains("1/3")
        (True, False)
        """
        return self.machine.form.contains(exact(x))

    def spacing(self, x: Exact) -> Fraction:
        """The distance of neighbouring values at the magnitude of ``x``: its unit in the last place."""
        return standard_fraction(self.machine.form.spacing(abs(exact(x))))

    def values(self) -> Iterator[Fraction]:
        """Every finite value, ascending; there are about 2^bits."""
        return map(standard_fraction, self.machine.form.values())

    def round(self, x: Exact) -> Number:
        """The value that stands for ``x``."""
        return standard(self.machine.round(exact(x)))

    def add(self, x: Exact, y: Exact) -> Number:
        """x + y, exact, then rounded."""
        return standard(self.machine.add(exact(x), exact(y)))

    def multiply(self, x: Exact, y: Exact) -> Number:
        """x·y, exact, then rounded."""
        return standard(self.machine.multiply(exact(x), exact(y)))

    def divide(self, x: Exact, y: Exact) -> Number:
        """x / y, exact, then rounded; 0/0 is NaN, x/0 an infinity."""
        return standard(self.machine.divide(exact(x), exact(y)))

    def to_dict(self) -> dict[str, str]:
        """Name, reading, and the ends of its values as exact strings."""
        return {"format": self.name, "semantics": self.semantics, "largest": show(self.largest), "smallest": show(self.smallest)}

    def _repr_html_(self) -> str:
        shown: list[str] = []
        x = self.smallest
        while x <= self.largest and len(shown) < SHOWN:
            shown.append(str(x))
            x += self.machine.form.spacing(x)
        more = [] if x > self.largest else ["…"]
        rows = [[self.name, self.semantics, show(self.largest), ", ".join([*shown, *more])]]
        return table("number format", ("format", "semantics", "largest", "positive values"), rows)


def _count(value: int, name: str, most: int = WIDEST) -> int:
    number = integer(value, name)
    if not 1 <= number <= most:
        raise InputError(f"{name} is {number}; 1 … {most} was expected")
    return number

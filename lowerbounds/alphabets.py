"""Message alphabets, which are the exact numbers of different messages that one number of a format can be.

The lower bounds of *Every Bit Counts* take a p-bit number for p bits of communication. This is a statement about formats: on a fixed grid
it is true, for Definition A.7's free binary point it is false from p = 2 on.
"""

from __future__ import annotations

from dataclasses import dataclass

from verifier.arithmetic.formats import Format
from verifier.arithmetic.semantics import Semantics
from verifier.running.errors import LimitError


@dataclass(frozen=True)
class Alphabet:
    """The messages that one number can be.

    nonnegative: the sign is known and carries nothing (a denominator is a sum of exponentials); zero stays.
    infinities:  ±inf (+inf alone where the sign is known) are messages; nan: NaN is one.
    """

    form: Format
    nonnegative: bool = False
    infinities: bool = True
    nan: bool = False

    def count(self) -> int:
        """The count by the closed form of the format: 0 and pairs ±x, an odd number where there are signs."""
        finite = (self.form.size + 1) // 2 if self.nonnegative else self.form.size
        infinities = (1 if self.nonnegative else 2) if self.infinities else 0
        return finite + infinities + self.nan


def messages_of_sums(form: Format, infinities: bool = True, nan: bool = False) -> tuple[int, int]:
    """The messages that a sum of either sign can be, and those of a sum that is not negative."""
    return Alphabet(form, False, infinities, nan).count(), Alphabet(form, True, infinities, nan).count()


@dataclass(frozen=True)
class Exclusion:
    """Whether counting proves that a pair of numbers of ``bits`` bits cannot carry ``needed`` = 2^m different inputs of Alice."""

    bits: int
    length: int
    numerator: int
    denominator: int

    @property
    def messages(self) -> int:
        return self.numerator * self.denominator

    @property
    def needed(self) -> int:
        return 1 << self.length

    @property
    def proves(self) -> bool:
        return self.messages < self.needed

    def __str__(self) -> str:
        relation = "<" if self.proves else "≥"
        product = f"{self.numerator:,} · {self.denominator:,} = {self.messages:,}"
        return f"{product} pairs of {self.bits}-bit numbers {relation} 2^{self.length} = {self.needed:,}"


LONGEST = 1 << 12
"""Bits of numbers and of strings whose messages are counted."""


def exclusion(semantics: Semantics, bits: int, length: int) -> Exclusion:
    """The count for a numerator of either sign and a denominator ≥ 0, each of ``bits`` bits, against 2^length.

    Numbers of 0 bits give one message. The infinities are messages unless the reading saturates. NaN is not counted: a sum that is NaN
    stays NaN and the answer is 0, but every y of Alice's has to be accepted with z = y.

    Raises:
        LimitError: more than :data:`LONGEST` bits of either.
    """
    if max(bits, length) > LONGEST:
        raise LimitError(f"messages are counted up to {LONGEST:,} bits", "a smaller parameter")
    if bits < 1:
        return Exclusion(bits, length, 1, 1)
    return Exclusion(bits, length, *messages_of_sums(semantics.form(bits), semantics.overflow != "saturate"))


def largest_excluded(semantics: Semantics, length: int) -> int:
    """The largest number of bits that counting excludes for EQ on ``length`` bits, where Alice sends two numbers."""
    bits = 0
    while exclusion(semantics, bits + 1, length).proves:
        bits += 1
    return bits

"""Fractions. Every module takes rationals from here: the type of `quicktions`, which behaves as that of the standard library and is several
times as fast.

The type checker sees `fractions.Fraction`: same operations, same hashes, same equality.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction
else:
    try:
        from quicktions import Fraction
    except ImportError:  # slower, and the same in all else
        from fractions import Fraction

__all__ = ["Fraction", "rational"]


def rational(text: str) -> Fraction:
    """The number that a text writes, such as "3", "-1/2", "0.25" or "1e-3".

    No other module turns texts into numbers. All versions of `quicktions` to 1.24 write a text of one character into the byte that Python
    keeps once for all of ``b"\\0"``, and from then on that byte is another one for the whole process.

    Raises:
        ValueError: where the text writes no number.
        ZeroDivisionError: where its denominator is 0.

    """
    return Fraction(int(text)) if len(text) == 1 else Fraction(text)

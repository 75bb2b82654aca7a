"""Fractions. Every module takes them from here: the type of `quicktions`, which is that of the standard library, several times as fast.

To the type checker they are `fractions.Fraction`: same operations, same hashes, equal where that is equal.
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

__all__ = ["Fraction"]

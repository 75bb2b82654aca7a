"""Exact extended rationals, number formats, rounding and the operations of a bounded-precision machine."""

"""The arithmetic of a network, as one record of named knobs, and presets that say what known programs do."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from verifier.arithmetic.bit_patterns import number_format
from verifier.arithmetic.machine import Machine
from verifier.running.errors import InputError

EXACT = "exact"
CHOICES: dict[str, tuple[str, ...]] = {
    "rounding": ("operation", "dot-product"),
    "scaling": ("scores", "query"),
    "maximum": ("subtracted", "kept"),
    "division": ("weights", "output"),
    "root": ("divide", "multiply"),
    "products": ("rounded", "narrow", "fused"),
}
_ORDER = re.compile(r"left-to-right|pairwise|numpy|split:[1-9]\d{0,3}")


@dataclass(frozen=True)
class Arithmetic:
    """How a network is computed. Numbers of the file, and exp, cos and √ of them, are rounded once, to the nearest, ties to even.

    format:     ``exact``, or a number format such as ``float16``.
    rounding:   of every ``operation``, or of each ``dot-product`` as a whole (other operations are rounded each).
    sums:       ``left-to-right``; ``pairwise``: the sum of both halves; ``split:k``: k sums, of every k-th term, then left to right;
                ``numpy``: what ``np.add.reduce`` does on a contiguous axis.
    products:   in dot products ``rounded`` into the format of sums, ``narrow``: into ``format``; or ``fused`` with the addition (left to
                right and split only).
    accumulate: the format in which dot products and sums are computed, if another; they are rounded into ``format`` at the end.
    maximum:    of the scores, ``subtracted`` before exp, or ``kept``.
    division:   by the sum of e^score: of the ``weights``, or of the ``output``.
    scaling:    of the ``scores``, or of the ``query``.
    root:       a norm's result is (x − mean) ``divide``d by the root, or ``multiply``ed by its inverse, which is rounded once.
    overflow:   ``infinity``, ``saturate`` or ``nan``; by default what the format has.
    subnormals: ``kept`` or ``flushed``.
    """

    format: str = "float32"
    rounding: str = "operation"
    sums: str = "left-to-right"
    products: str = "rounded"
    accumulate: str = ""
    maximum: str = "subtracted"
    division: str = "weights"
    scaling: str = "scores"
    root: str = "divide"
    overflow: str = ""
    subnormals: str = "kept"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise InputError(f"{name}: {getattr(self, name)!r}; {' or '.join(choices)} was expected")
        if not _ORDER.fullmatch(self.sums):
            raise InputError(f"sums: {self.sums!r}; left-to-right, pairwise, numpy or split:4 was expected")
        if self.products == "fused" and self.sums in ("pairwise", "numpy"):
            raise InputError(f"fused products are added left-to-right or split:4, not {self.sums}")
        if not self.exact:
            self.machine, self.accumulator  # noqa: B018  # both exist

    @property
    def exact(self) -> bool:
        return self.format == EXACT

    @property
    def machine(self) -> Machine:
        """The format of all numbers, with its rounding."""
        return number_format(self.format, self.overflow, self.subnormals)

    @property
    def accumulator(self) -> Machine:
        """The format in which sums are formed."""
        return number_format(self.accumulate, "", self.subnormals) if self.accumulate else self.machine

    def __str__(self) -> str:
        """``float16``, and each knob that is not at its default: ``float16+sums=pairwise``."""
        others = (f"{f.name}={getattr(self, f.name)}" for f in fields(self)[1:] if getattr(self, f.name) != f.default)
        return "+".join((self.format, *others))


PRESETS: dict[str, Arithmetic] = {
    "numpy-float64": Arithmetic("float64", sums="numpy"),
    "numpy-float32": Arithmetic("float32", sums="numpy"),
    "numpy-float16": Arithmetic("float16", sums="numpy", products="narrow", accumulate="float32"),
    "onnxruntime-float64": Arithmetic("float64", products="fused"),
    "onnxruntime-float32": Arithmetic("float32", products="fused"),
    "ml_dtypes-bfloat16": Arithmetic("bfloat16"),
    "ml_dtypes-e5m2": Arithmetic("e5m2"),
    "ml_dtypes-e4m3": Arithmetic("e4m3"),
    "bfloat16-accumulating-float32": Arithmetic("bfloat16", accumulate="float32"),
    "float16-accumulating-float32": Arithmetic("float16", accumulate="float32"),
}
"""What known programs do; all else is at its default.

``numpy-…``: rows summed by ``np.add.reduce`` over a contiguous axis, products formed before (for float16 it sums in float32).
``onnxruntime-…``: MatMul on the CPU, with fused products from left to right: in float64 always, in float32 of two rows and columns or more.
A product of one row or one column in float32, ReduceSum over the last axis, and Exp are no preset's: they have other orders, and Exp is
not correctly rounded.
``ml_dtypes-…``: ``np.add.reduce(x * y)`` of arrays of these types, from left to right where numpy's own types are summed in parts.
``…-accumulating-float32``: matrix units with a wide accumulator; and ``np.dot`` of arrays of ``ml_dtypes``.
"""


def arithmetic(text: str) -> Arithmetic:
    """The arithmetic that a text such as ``float16``, ``float16+sums=pairwise`` or a preset's name describes.

    Raises:
        InputError: naming what was expected.
    """
    first, *knobs = (part.strip() for part in text.split("+"))
    found = PRESETS[first] if first in PRESETS else Arithmetic(first)
    known = [f.name for f in fields(Arithmetic)]
    for knob in knobs:
        name, equals, value = knob.partition("=")
        if not equals or name not in known:
            raise InputError(f"{knob!r}: one of {', '.join(f'{k}=…' for k in known)} was expected")
        found = replace(found, **{name: value})
    return found

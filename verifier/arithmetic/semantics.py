"""Arithmetics: named, explicit readings of how a table or a network is computed, one frozen record with one field for each knob.

``a4`` follows *Every Bit Counts*, Definitions A.7, A.10 and Section A.4; ``narrative`` sums e^⟨Q,K⟩·V token by token, each product taken
left to right, as the proofs of Lemmas 2.3 and 2.6 do in words. Both leave the number of bits to the table or claim. Number formats such as
``float16`` and the presets of known programs fix it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias

from verifier.arithmetic.bit_patterns import OVERFLOWS, number_format
from verifier.arithmetic.formats import Digits, Format, Precision, fixed_grid, floating_point, free_point
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.errors import InputError

EXACT = "exact"
KNOBS: dict[str, tuple[str, ...]] = {
    "point": ("free", "grid"),
    "rounding": ("nearest", "truncate"),
    "ties": ("zero", "even", "away"),
    "overflow": ("after", "before", "saturate"),
    "underflow": ("nearest", "flush", "subnormals"),
    "order": ("ax", "products", "values"),
    "columns": ("used", "all"),
    "entries": ("exact", "rounded"),
    "ln2": ("ideal", "rounded"),
}
"""The knobs of tables and their settings, the one of ``a4`` first. The knob ``scale`` (of ``point=grid``) takes any positive rational."""

CHOICES: dict[str, tuple[str, ...]] = {
    "rounding": ("operation", "dot-product"),
    "scaling": ("scores", "query"),
    "maximum": ("subtracted", "kept"),
    "division": ("weights", "output"),
    "root": ("divide", "multiply"),
    "products": ("rounded", "narrow", "fused"),
    "subnormals": ("kept", "flushed"),
}
"""The knobs of networks that have a few settings, their default first."""
OF_NETWORKS = (
    "format", "rounding", "sums", "products", "accumulate", "maximum", "division", "scaling", "root", "overflow", "subnormals",
)  # fmt: skip
"""The knobs of networks, as they are written and in this order."""
_ORDER = re.compile(r"left-to-right|pairwise|numpy|split:[1-9]\d{0,3}")
_WRITTEN = {
    ("rounding", "operation"): ("rounding", "nearest"),
    ("overflow", "infinity"): ("overflow", "after"),
    ("subnormals", "kept"): ("underflow", "subnormals"),
    ("subnormals", "flushed"): ("underflow", "flush"),
}
"""Settings that are written with other words for networks than for tables, and the field and value of each."""

ALL_READINGS = "all"
"""What asks for every reading of :func:`readings`."""

Point = Literal["fixed", "floating"]

ONLY: dict[str, Point] = {"point": "fixed", "underflow": "floating"}
"""The knobs that touch one kind of format only; the others turn both."""

MEANINGS: dict[str, str] = {
    "point=free": "the binary point is anywhere among the p−1 digits (Definition A.7)",
    "point=grid": "one fixed grid: the values are scale·k with |k| ≤ 2^(p−1) − 1",
    "rounding=nearest": "to the nearest value",
    "rounding=truncate": "towards zero",
    "ties=zero": "a midpoint goes to the neighbour nearer zero",
    "ties=even": "a midpoint goes to the even multiple of the spacing",
    "ties=away": "a midpoint goes to the neighbour farther from zero",
    "overflow=after": "a result is infinite when its rounded value needs more digits",
    "overflow=before": "a result is infinite when its exact value is beyond the largest value",
    "overflow=saturate": "a result beyond the largest value becomes the largest value",
    "underflow=nearest": "a float below the smallest positive one, 2^−q, goes to the nearer of 0 and 2^−q, as ties says (Definition A.10)",
    "underflow=flush": "a float that is below 2^−q when rounded to its t digits becomes 0",
    "underflow=subnormals": "below 2^−q the multiples of 2^(−q−t+1) are also representable",
    "order=ax": "((A X) W^V): column sums of A X first, then the value weights (Section A.4)",
    "order=products": "Σ (e^⟨Q,K⟩ X_j) W^V: each token's product left to right, then the sum (the proofs' words)",
    "order=values": "Σ e^⟨Q,K⟩ (X_j W^V): the value matrix V = X W^V is formed first",
    "columns=used": "a column of A X is formed only where W^V uses it",
    "columns=all": "every column of A X is formed; an infinite one times a zero weight is NaN",
    "entries=exact": "entries that the format lacks are taken as they are (assumption exact-entries)",
    "entries=rounded": "entries that the format lacks are rounded into it",
    "ln2=ideal": "e^(k ln 2) is 2^k, then rounded (assumption ideal-ln2)",
    "ln2=rounded": "ln 2 is rounded into the format; e^(k·that) is enclosed and rounded",
}

_OF_TABLES = {
    "name": "a4", "ties": "zero", "overflow": "after", "underflow": "nearest", "order": "ax", "entries": "exact", "ln2": "ideal",
    "maximum": "kept", "division": "output",
}  # fmt: skip
_OF_FORMATS = {
    "ties": "even", "underflow": "subnormals", "order": "values", "entries": "rounded", "ln2": "rounded",
    "maximum": "subtracted", "division": "weights",
}  # fmt: skip
"""What is meant where a field is left empty."""


@dataclass(frozen=True)
class Arithmetic:
    """A reading of the arithmetic. Numbers of a network file, and exp, cos and √ of them, are rounded once.

    format:     ``exact``, or a number format such as ``float16``; empty where a table or claim says the bits.
    name:       without a format, the named reading that this one begins with.
    rounding:   of each operation ``nearest`` or ``truncate``; or of each ``dot-product`` as a whole (other operations are rounded each).
    overflow:   with a format by default what the format has.
    sums:       ``left-to-right``; ``pairwise``: the sum of both halves; ``split:k``: k sums, of every k-th term, then left to right;
                ``numpy``: what ``np.add.reduce`` does on a contiguous axis.
    products:   in dot products ``rounded`` into the format of sums, ``narrow``: into ``format``; or ``fused`` with the addition (left to
                right and split only).
    accumulate: the format in which dot products and sums are computed, if another; they are rounded into ``format`` at the end.
    maximum:    of the scores, ``subtracted`` before exp, or ``kept``.
    division:   by the sum of e^score: of the ``weights``, or of the ``output``.
    scaling:    of the ``scores``, or of the ``query``.
    root:       a norm's result is (x − mean) ``divide``d by the root, or ``multiply``ed by its inverse, which is rounded once.
    permits:    the assumptions that it makes part of the reading.

    The other knobs are those of :data:`KNOBS`, explained in :data:`MEANINGS`.
    """

    format: str = ""
    name: str = ""
    point: str = "free"
    scale: Fraction = Fraction(1)
    rounding: str = "nearest"
    ties: str = ""
    overflow: str = ""
    underflow: str = ""
    order: str = ""
    columns: str = "used"
    entries: str = ""
    ln2: str = ""
    sums: str = "left-to-right"
    products: str = "rounded"
    accumulate: str = ""
    maximum: str = ""
    division: str = ""
    scaling: str = "scores"
    root: str = "divide"
    permits: frozenset[str] = frozenset({"ideal-ln2"})

    def __post_init__(self) -> None:
        for field, value in (_OF_FORMATS if self.format else _OF_TABLES).items():
            object.__setattr__(self, field, getattr(self, field) or value)
        if self.format:
            for knob in ("rounding", "overflow"):
                object.__setattr__(self, knob, _WRITTEN.get((knob, getattr(self, knob)), (knob, getattr(self, knob)))[1])
            _check(self.written)

    @property
    def exact(self) -> bool:
        return self.format == EXACT

    def form(self, precision: Precision) -> Format:
        """The fixed-point format with so many bits, or the floating-point format with these digits, under this reading."""
        if isinstance(precision, Digits):
            return floating_point(precision.t, precision.e, self.underflow)  # type: ignore[arg-type]  # checked by with_knob
        return free_point(precision) if self.point == "free" else fixed_grid(precision, self.scale)

    @property
    def rule(self) -> RoundingRule:
        return RoundingRule(self.rounding, self.ties, self.overflow)  # type: ignore[arg-type]  # checked by with_knob

    def machine(self, precision: Precision | None = None) -> Machine:
        """The format of all numbers, with its rounding.

        precision: the bits or digits, of a reading without a format.
        """
        if precision is not None:
            return Machine(self.form(precision), self.rule)
        return number_format(self.format, self.written["overflow"], self.written["subnormals"])

    @property
    def accumulator(self) -> Machine:
        """The format in which sums are formed."""
        return number_format(self.accumulate, "", self.written["subnormals"]) if self.accumulate else self.machine()

    @property
    def written(self) -> dict[str, str]:
        """Every knob as it is written: those of networks with a format, else those of tables."""
        if not self.format:
            return {f.name: str(getattr(self, f.name)) for f in fields(self) if f.name in KNOBS or f.name == "scale"}
        words = {meant: written for written, meant in _WRITTEN.items()}
        values = {knob: ("underflow" if knob == "subnormals" else knob) for knob in OF_NETWORKS}
        return {knob: words.get((field, getattr(self, field)), (knob, getattr(self, field)))[1] for knob, field in values.items()}

    def with_knob(self, knob: str, setting: str) -> Arithmetic:
        """This reading with one knob set, both as they are written.

        Raises:
            InputError: for an unknown knob or setting.
        """
        if self.format:
            _check({**self.written, knob: setting})
            field, value = _WRITTEN.get((knob, setting), (knob, setting))
            return replace(self, **{field: value})  # type: ignore[arg-type]  # checked above
        if knob == "scale":
            return replace(self, point="grid", scale=_positive_rational(setting))
        if knob not in KNOBS:
            raise InputError(f"semantics: no knob {knob!r}; the knobs are {', '.join([*KNOBS, 'scale'])}")
        if setting not in KNOBS[knob]:
            raise InputError(f"semantics: {knob}={setting} is not a setting; {knob} takes {', '.join(KNOBS[knob])}")
        changes: dict[str, Any] = {knob: setting, "scale": Fraction(1)} if (knob, setting) == ("point", "free") else {knob: setting}
        return replace(self, **changes)

    @property
    def changed_knobs(self) -> list[tuple[str, str]]:
        """The knobs in which this reading differs from the named one, or the format, that it started from."""
        base = (Arithmetic(self.format) if self.format else NAMED[self.name]).written
        return [(knob, setting) for knob, setting in self.written.items() if setting != base[knob]]

    def beside(self, other: Arithmetic) -> str:
        """What sets this reading apart from another: the one knob in which they differ, as it stands here; else its label.

        >>> NAMED["a4"].beside(read_semantics("a4+rounding=truncate")), NAMED["narrative"].beside(NAMED["a4"])
        ('rounding=nearest', 'narrative')
        """
        mine, theirs = self.written, other.written
        names = [knob for knob in mine if mine[knob] != theirs.get(knob)]
        return f"{names[0]}={mine[names[0]]}" if self.name == other.name and len(names) == 1 else self.label

    @property
    def label(self) -> str:
        """Its name or format, with changed knobs as ``name+knob=value``; :func:`read_semantics` or :func:`arithmetic` reads it back."""
        return "+".join([self.format or self.name, *(f"{k}={v}" for k, v in self.changed_knobs)])

    def __str__(self) -> str:
        return self.label


Semantics: TypeAlias = Arithmetic
"""An arithmetic as the reading of a paper."""


def _check(written: Mapping[str, str]) -> None:
    """Refuse settings of networks that there are not, or that do not go together."""
    for knob, choices in CHOICES.items():
        if written[knob] not in choices:
            raise InputError(f"{knob}: {written[knob]!r}; {' or '.join(choices)} was expected")
    if not _ORDER.fullmatch(written["sums"]):
        raise InputError(f"sums: {written['sums']!r}; left-to-right, pairwise, numpy or split:4 was expected")
    if written["products"] == "fused" and written["sums"] in ("pairwise", "numpy"):
        raise InputError(f"fused products are added left-to-right or split:4, not {written['sums']}")
    if written["format"] == EXACT:
        if written["overflow"] not in ("", *OVERFLOWS):
            raise InputError(f"overflow of {EXACT}: {written['overflow']!r}; {' or '.join(OVERFLOWS)} was expected")
    else:
        number_format(written["format"], written["overflow"], written["subnormals"])
        if written["accumulate"]:
            number_format(written["accumulate"], "", written["subnormals"])


NAMED: dict[str, Arithmetic] = {
    "a4": Arithmetic(),
    "narrative": Arithmetic(name="narrative", order="products"),
}

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

_RATIONAL = re.compile(r"[+-]?\d{1,99}(/\d{1,99}|(\.\d{1,99})?(e[+-]?\d{1,2})?)")


def _positive_rational(text: str) -> Fraction:
    try:
        if not _RATIONAL.fullmatch(text):
            raise ValueError
        value = rational(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"semantics: scale={text} is not a rational number such as 1/2") from None
    if value <= 0:
        raise InputError(f"semantics: scale={text} is not positive")
    return value


def arithmetic(text: str) -> Arithmetic:
    """The arithmetic that a text such as ``float16``, ``float16+sums=pairwise`` or a preset's name describes.

    Raises:
        InputError: naming what was expected.
    """
    first, *knobs = (part.strip() for part in text.split("+"))
    if not first:
        number_format(first)
    found = PRESETS[first] if first in PRESETS else Arithmetic(first)
    for knob in knobs:
        name, equals, setting = knob.partition("=")
        if not equals or name not in OF_NETWORKS:
            raise InputError(f"{knob!r}: one of {', '.join(f'{k}=…' for k in OF_NETWORKS)} was expected")
        found = found.with_knob(name, setting)
    return found


def read_semantics(text: str) -> Arithmetic:
    """``a4``, ``narrative``, ``a4+ties=even``, ``ties=even+overflow=before`` (knobs of ``a4``).

    Raises:
        InputError: for an unknown name, knob or setting.
    """
    words = text.replace(",", "+").split("+")
    semantics = NAMED["a4"]
    if "=" not in words[0]:
        name = words.pop(0)
        if name not in NAMED:
            raise InputError(f"semantics: no reading {name!r}; there are {', '.join(NAMED)}, all, and knobs such as a4+ties=even")
        semantics = NAMED[name]
    for word in words:
        knob, equals, setting = word.partition("=")
        if not equals:
            raise InputError(f"semantics: {word!r} is not of the form knob=setting")
        semantics = semantics.with_knob(knob.strip(), setting.strip())
    return semantics


def readings(of: Point | None = None) -> Iterator[Arithmetic]:
    """The readings of ``--semantics all``: every named one, and ``a4`` with each single knob turned to each other setting.

    ``of``: only knobs that matter for fixed or for floating point; all of them by default.
    """
    yield from NAMED.values()
    base = NAMED["a4"]
    knobs = {k: settings for k, settings in KNOBS.items() if of is None or ONLY.get(k, of) == of}
    for knob, settings in knobs.items():
        for setting in settings:
            if setting != getattr(base, knob):
                changed = base.with_knob(knob, setting)
                if all(replace(changed, name=n, permits=s.permits) != s for n, s in NAMED.items()):
                    yield changed


def chosen_semantics(text: str, of: Point | None = None) -> list[Arithmetic]:
    """The readings asked for; ``all`` is every one of :func:`readings` for fixed or floating point, or both."""
    return list(readings(of)) if text == ALL_READINGS else [read_semantics(text)]

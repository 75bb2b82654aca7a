"""Arithmetics: named, explicit readings of how a table or a network is computed, one frozen record with one field for each knob.

``a4`` follows *Every Bit Counts*, Definitions A.7, A.10 and Section A.4; ``narrative`` sums e^⟨Q,K⟩·V token by token, each product taken
left to right, as the proofs of Lemmas 2.3 and 2.6 do in words. Both leave the number of bits to the table or claim; number formats such as
``float16`` and the presets of known programs fix it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from verifier.arithmetic.bit_patterns import NAMES, PATTERNS, number_format
from verifier.arithmetic.formats import Digits, Format, Precision, fixed_grid, floating_point, free_point
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.errors import InputError
from verifier.running.identifiers import meant

EXACT = "exact"
KNOBS: Mapping[str, Mapping[str, str]] = {
    "format": {
        "float16": "the number format; by default a table or claim says its bits",
    },
    "point": {
        "free": "the binary point is anywhere among the p−1 digits (Definition A.7)",
        "grid": "one fixed grid: the values are scale·k with |k| ≤ 2^(p−1) − 1",
    },
    "scale": {
        "1/2": "the scale of a grid, any positive rational number",
    },
    "rounding": {
        "nearest": "to the nearest value",
        "truncate": "towards zero",
        "dot-product": "to the nearest value, a dot product as a whole; other operations one by one",
    },
    "ties": {
        "zero": "a midpoint goes to the neighbour nearer zero",
        "even": "a midpoint goes to the even multiple of the spacing",
        "away": "a midpoint goes to the neighbour farther from zero",
    },
    "sums": {
        "left-to-right": "one term after another",
        "pairwise": "the sum of both halves",
        "numpy": "the order of np.add.reduce on a contiguous axis",
        "split:4": "so many sums, of every fourth term here, then left to right",
    },
    "products": {
        "rounded": "products in dot products are rounded into the format of sums",
        "narrow": "products in dot products are rounded into the format of numbers",
        "fused": "a product is rounded together with its addition; left-to-right and split only",
    },
    "accumulate": {
        "float32": "the format in which dot products and sums are computed; by default that of numbers",
    },
    "maximum": {
        "subtracted": "the largest score is subtracted before exp",
        "kept": "exp of the scores themselves",
    },
    "division": {
        "weights": "the weights are divided by the sum of e^score",
        "output": "the head's output is divided by the sum of e^score",
    },
    "scaling": {
        "scores": "the scale multiplies the scores",
        "query": "the scale multiplies the query",
    },
    "root": {
        "divide": "a norm divides by the root",
        "multiply": "a norm multiplies by the inverse of the root, which is rounded once",
    },
    "overflow": {
        "after": "a result is infinite when its rounded value needs more digits",
        "before": "a result is infinite when its exact value is beyond the largest value",
        "saturate": "a result beyond the largest value becomes the largest value",
        "nan": "a result beyond the largest value is NaN",
    },
    "underflow": {
        "nearest": "a float below the smallest positive one, 2^−q, goes to the nearer of 0 and 2^−q, as ties says (Definition A.10)",
        "flush": "a float that is below 2^−q when rounded to its t digits becomes 0",
        "subnormals": "below 2^−q the multiples of 2^(−q−t+1) are also representable",
    },
    "order": {
        "ax": "((A X) W^V): column sums of A X first, then the value weights (Section A.4)",
        "products": "Σ (e^⟨Q,K⟩ X_j) W^V: each token's product left to right, then the sum (the proofs' words)",
        "values": "Σ e^⟨Q,K⟩ (X_j W^V): the value matrix V = X W^V is formed first",
    },
    "columns": {
        "used": "a column of A X is formed only where W^V uses it",
        "all": "every column of A X is formed; an infinite one times a zero weight is NaN",
    },
    "zeros": {
        "kept": "in other maps than W^V a coefficient 0 is multiplied, so that 0·∞ is NaN",
        "skipped": "a coefficient 0 of a map contributes 0, whatever it would multiply",
    },
    "entries": {
        "exact": "entries that the format lacks are taken as they are (assumption exact-entries)",
        "rounded": "entries that the format lacks are rounded to the format",
    },
    "ln2": {
        "ideal": "e^(k ln 2) is 2^k, then rounded (assumption ideal-ln2)",
        "rounded": "ln 2 is rounded into the format; e^(k·that) is enclosed and rounded",
    },
}
"""Every property that a name can set, with its settings and their meanings. Examples of the names in :data:`FREE`."""
FREE = ("format", "scale", "sums", "accumulate")
"""The knobs that take more settings than are listed."""
TURNED: Mapping[str, tuple[str, ...]] = {
    knob: tuple(setting for setting in KNOBS[knob] if (knob, setting) not in (("rounding", "dot-product"), ("overflow", "nan")))
    for knob in ("point", "rounding", "ties", "overflow", "underflow", "order", "columns", "entries", "ln2")
}
"""The knobs that the readings of papers differ in, with the settings that some paper's text supports, that of ``a4`` first."""
WRITTEN = {
    ("rounding", "operation"): ("rounding", "nearest"),
    ("overflow", "infinity"): ("overflow", "after"),
    ("subnormals", "kept"): ("underflow", "subnormals"),
    ("subnormals", "flushed"): ("underflow", "flush"),
}
"""Other words for some settings, as certificates of networks have them, and what they mean."""
_ORDER = re.compile(r"left-to-right|pairwise|numpy|split:[1-9]\d{0,3}")

ALL_READINGS = "all"
"""The word that asks for every reading of :func:`readings`."""

Point = Literal["fixed", "floating"]

ONLY: dict[str, Point] = {"point": "fixed", "underflow": "floating"}
"""The knobs that touch one kind of format only; the others turn both."""

_OF_TABLES = {
    "ties": "zero", "overflow": "after", "underflow": "nearest", "order": "ax", "entries": "exact", "ln2": "ideal",
    "zeros": "kept", "maximum": "kept", "division": "output",
}  # fmt: skip
_OF_FORMATS = {
    "ties": "even", "underflow": "subnormals", "order": "values", "entries": "rounded", "ln2": "rounded",
    "zeros": "skipped", "maximum": "subtracted", "division": "weights",
}  # fmt: skip
"""The meaning of an empty field in a named reading and in a number format."""


@dataclass(frozen=True)
class Arithmetic:
    """A reading of the arithmetic. Numbers of a network file, and exp, cos and √ of them, are rounded once.

    format: ``exact``, or a number format such as ``float16``; empty if a table or claim states the bits.
    name: the named reading that this one starts from, or empty if it starts from a format.
    permits: the assumptions that the reading includes.

    The other fields are the knobs of :data:`KNOBS`. An empty ``overflow`` means the format's own.

    Raises:
        InputError: settings that there are not, or that do not go together.
    """

    format: str = ""
    name: str = ""
    point: str = "free"
    scale: Fraction = Fraction(1)
    rounding: str = "nearest"
    ties: str = ""
    sums: str = "left-to-right"
    products: str = "rounded"
    accumulate: str = ""
    maximum: str = ""
    division: str = ""
    scaling: str = "scores"
    root: str = "divide"
    overflow: str = ""
    underflow: str = ""
    order: str = ""
    columns: str = "used"
    zeros: str = ""
    entries: str = ""
    ln2: str = ""
    permits: frozenset[str] = frozenset({"ideal-ln2"})

    def __post_init__(self) -> None:
        if not self.format and not self.name:
            object.__setattr__(self, "name", "a4")
        for knob, value in (_OF_TABLES if self.name else _OF_FORMATS).items():
            object.__setattr__(self, knob, getattr(self, knob) or value)
        self._check()

    def _check(self) -> None:
        for knob, setting in self.knobs.items():
            possible = KNOBS[knob]
            if knob not in FREE and setting not in possible and not (knob == "overflow" and not setting):
                hint = meant(setting, possible, f"{knob} takes {', '.join(possible)}")
                raise InputError(f"{knob}={setting} is not a setting; {hint}")
        if not _ORDER.fullmatch(self.sums):
            raise InputError(f"sums={self.sums} is not a setting; sums takes left-to-right, pairwise, numpy or split:4")
        if self.products == "fused" and self.sums in ("pairwise", "numpy"):
            raise InputError(f"fused products are added left-to-right or split:4, not {self.sums}")
        if self.format and (self.point, self.scale) != ("free", Fraction(1)):
            raise InputError(f"point and scale are part of the format: fixed:8:1/4 and not {self.format} was expected")
        if self.format and not self.exact:
            self.machine()
        if self.accumulate:
            number_format(self.accumulate)

    @property
    def exact(self) -> bool:
        return self.format == EXACT

    @property
    def knobs(self) -> dict[str, str]:
        """Every knob with its setting."""
        return {knob: str(getattr(self, knob)) for knob in KNOBS}

    @cached_property
    def of_tables(self) -> bool:
        """Whether every token has its own weight and products, added from left to right, as in the readings of papers."""
        base = NAMED["a4"].knobs
        knobs = {knob: setting for knob, setting in self.knobs.items() if knob not in ("format", "scale")}
        return all(setting in TURNED.get(knob, (base[knob],)) for knob, setting in knobs.items()) and not self.exact

    @property
    def of_papers(self) -> bool:
        """Whether it is a reading of papers, which is for tables and leaves the number of bits to a table or claim."""
        return self.of_tables and not self.format

    @cached_property
    def of_programs(self) -> bool:
        """Whether numbers are rounded to nearest with ties to even and values formed first, as in programs that run networks."""
        usual = {"ties": "even", "order": "values", "columns": "used", "zeros": "skipped", "entries": "rounded"}
        rounds = self.rounding != "truncate" and self.overflow != "before" and self.underflow != "nearest"
        return bool(self.format) and rounds and all(getattr(self, knob) == setting for knob, setting in usual.items())

    def form(self, precision: Precision) -> Format:
        """The fixed-point format with this many bits, or the floating-point format with these digits, under this reading."""
        if isinstance(precision, Digits):
            return floating_point(precision.t, precision.e, self.underflow)  # type: ignore[arg-type]  # checked when it was made
        return free_point(precision) if self.point == "free" else fixed_grid(precision, self.scale)

    @property
    def rule(self) -> RoundingRule:
        """The rounding of operations, if the precision comes from a table or claim."""
        rounding = "truncate" if self.rounding == "truncate" else "nearest"
        return RoundingRule(rounding, self.ties, self.overflow)  # type: ignore[arg-type]  # checked when it was made

    def machine(self, precision: Precision | None = None) -> Machine:
        """The format of all numbers, with its rounding.

        precision: the bits or digits of a table or claim, for a reading without a format.

        Raises:
            InputError: neither says the number format.
        """
        if self.format:
            return self._into(self.format, self.overflow)
        if precision is None:
            raise InputError(f"{self} has no number format; one was expected, as in {self}+format=fixed:8")
        return Machine(self.form(precision), self.rule)

    def accumulator(self, precision: Precision | None = None) -> Machine:
        """The format in which sums are formed."""
        return self._into(self.accumulate, "") if self.accumulate else self.machine(precision)

    def _into(self, name: str, overflow: str) -> Machine:
        """The rounding into the format of this name. If no overflow is given, the format's overflow is used."""
        found = number_format(name, overflow)
        form = replace(found.form, underflow=self.underflow) if name in PATTERNS else found.form  # type: ignore[arg-type]  # checked too
        return Machine(form, replace(self.rule, overflow=found.rule.overflow))

    def with_knob(self, knob: str, setting: str) -> Arithmetic:
        """Set one knob of this reading. Knob and setting are texts.

        Raises:
            InputError: for an unknown knob or setting.
        """
        knob, setting = WRITTEN.get((knob, setting), (knob, setting))
        if knob not in KNOBS:
            raise InputError(f"no knob {knob!r}; {meant(knob, KNOBS, 'the knobs are ' + ', '.join(KNOBS))}")
        changes: dict[str, Any] = {knob: setting}
        if knob == "scale":
            changes = {"point": "grid", "scale": _positive_rational(setting)}
        elif (knob, setting) == ("point", "free"):
            changes["scale"] = Fraction(1)
        elif knob == "format" or (knob == "overflow" and not setting):
            number_format(setting) if setting != EXACT else None
        elif not setting:
            raise InputError(f"{knob}= is not a setting; {knob} takes {', '.join(KNOBS[knob])}")
        return replace(self, **changes)

    @property
    def changed_knobs(self) -> list[tuple[str, str]]:
        """The knobs in which this reading differs from the named one, or the format, that it started from."""
        base = (NAMED[self.name] if self.name else Arithmetic(self.format)).knobs
        return [(knob, setting) for knob, setting in self.knobs.items() if setting != base[knob]]

    def beside(self, other: Arithmetic) -> str:
        """The one knob in which this reading differs from another, with its setting here. If several differ, the label of this reading.

        >>> NAMED["a4"].beside(read_semantics("a4+rounding=truncate")), NAMED["narrative"].beside(NAMED["a4"])
        ('rounding=nearest', 'narrative')
        """
        mine, theirs = self.knobs, other.knobs
        names = [knob for knob in mine if mine[knob] != theirs[knob]]
        return f"{names[0]}={mine[names[0]]}" if self.name == other.name and len(names) == 1 else self.label

    @property
    def label(self) -> str:
        """The name or format of the arithmetic, with changed knobs as ``name+knob=value``. :func:`read_arithmetic` reads this label."""
        return "+".join([self.name or self.format, *(f"{k}={v}" for k, v in self.changed_knobs)])

    def __str__(self) -> str:
        return self.label


Semantics: TypeAlias = Arithmetic
"""An arithmetic as the reading of a paper."""

NAMED: dict[str, Arithmetic] = {
    "a4": Arithmetic(name="a4"),
    "narrative": Arithmetic(name="narrative", order="products"),
}
"""The readings that leave the number of bits to a table or claim."""

PRESETS: dict[str, Arithmetic] = {
    **NAMED,
    "exact": Arithmetic("exact"),
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
"""The readings by name. Names of number formats are also accepted. The presets are what known programs do; all else is at its default.

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
        raise InputError(f"scale={text} is not a rational number such as 1/2") from None
    if value <= 0:
        raise InputError(f"scale={text} is not positive")
    return value


def read_arithmetic(text: str) -> Arithmetic:
    """``a4``, ``a4+ties=even``, ``ties=even+overflow=before`` (knobs of ``a4``), ``float16``, ``float16+sums=pairwise``, or a preset.

    Raises:
        InputError: for an unknown name, knob or setting.
    """
    words = [word.strip() for word in text.replace(",", "+").split("+")]
    first = "a4" if "=" in words[0] else words.pop(0)
    found = PRESETS[first] if first in PRESETS else Arithmetic(_format(first))
    for word in words:
        knob, equals, setting = word.partition("=")
        if not equals:
            several = f"{text} names several arithmetics; one was expected" if word in (*PRESETS, *NAMES) else ""
            raise InputError(several or f"{word!r} is not of the form knob=setting; the knobs are {', '.join(KNOBS)}")
        found = found.with_knob(knob.strip(), setting.strip())
    return found


def _format(name: str) -> str:
    try:
        number_format(name)
    except InputError:
        kinds = f"{', '.join(NAMED)}, {EXACT}, a number format ({', '.join(NAMES)}), or a preset such as numpy-float32"
        hint = meant(name, [*NAMED, EXACT, *NAMES, *PRESETS], f"{kinds} was expected, with knobs as in a4+ties=even")
        raise InputError(f"no arithmetic {name!r}; {hint}") from None
    return name


def read_semantics(text: str) -> Arithmetic:
    """Read an arithmetic that leaves the number of bits to a claim.

    Raises:
        InputError: for an unknown name, knob or setting; for one that no paper's text supports.
    """
    found = read_arithmetic(text)
    if not found.of_papers:
        raise InputError(f"{found} is no reading of papers; {', '.join(NAMED)} or one with knobs such as a4+ties=even was expected")
    return found


def arithmetic(text: str) -> Arithmetic:
    """Read an arithmetic that has a number format, as networks need it.

    Raises:
        InputError: naming what was expected.
    """
    found = read_arithmetic(text)
    if not found.exact:
        found.machine()
    return found


def readings(of: Point | None = None) -> Iterator[Arithmetic]:
    """The readings of ``--arithmetic all``, which are every named reading, and ``a4`` with one knob at each other setting.

    ``of``: only knobs that matter for fixed or for floating point; by default all of them.
    """
    yield from NAMED.values()
    base = NAMED["a4"]
    for knob, settings in TURNED.items():
        for setting in settings if of is None or ONLY.get(knob, of) == of else ():
            if setting != getattr(base, knob):
                changed = base.with_knob(knob, setting)
                if all(replace(changed, name=n, permits=s.permits) != s for n, s in NAMED.items()):
                    yield changed


def chosen_semantics(text: str, of: Point | None = None) -> list[Arithmetic]:
    """The readings asked for; ``all`` is every one of :func:`readings` for fixed or floating point, or both."""
    return list(readings(of)) if text == ALL_READINGS else [read_semantics(text)]

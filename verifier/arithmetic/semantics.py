"""Semantics: a named, explicit reading of a paper's arithmetic, one frozen record with one field for each knob.

The default ``a4`` follows *Every Bit Counts*, Definitions A.7, A.10 and Section A.4; ``narrative`` sums e^⟨Q,K⟩·V token by token, each
product taken left to right, as the proofs of Lemmas 2.3 and 2.6 do in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from verifier.arithmetic.formats import Digits, Format, Precision, fixed_grid, floating_point, free_point
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.errors import InputError

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
"""Every knob and its settings, the one of ``a4`` first. The knob ``scale`` (of ``point=grid``) takes any positive rational."""

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


@dataclass(frozen=True)
class Semantics:
    """A reading of the arithmetic. ``permits`` names the assumptions that it makes part of the reading."""

    name: str = "a4"
    point: str = "free"
    scale: Fraction = Fraction(1)
    rounding: str = "nearest"
    ties: str = "zero"
    overflow: str = "after"
    underflow: str = "nearest"
    order: str = "ax"
    columns: str = "used"
    entries: str = "exact"
    ln2: str = "ideal"
    permits: frozenset[str] = frozenset({"ideal-ln2"})

    def format(self, precision: Precision) -> Format:
        """The fixed-point format with so many bits, or the floating-point format with these digits, under this reading."""
        if isinstance(precision, Digits):
            return floating_point(precision.t, precision.e, self.underflow)  # type: ignore[arg-type]  # checked by with_knob
        return free_point(precision) if self.point == "free" else fixed_grid(precision, self.scale)

    @property
    def rule(self) -> RoundingRule:
        return RoundingRule(self.rounding, self.ties, self.overflow)  # type: ignore[arg-type]  # checked by with_knob

    def machine(self, precision: Precision) -> Machine:
        return Machine(self.format(precision), self.rule)

    def with_knob(self, knob: str, setting: str) -> Semantics:
        """This reading with one knob set.

        Raises:
            InputError: for an unknown knob or setting.
        """
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
        """The knobs in which this reading differs from the named one it started from."""
        base = NAMED[self.name]
        names = [f.name for f in fields(self) if f.name not in ("name", "permits")]
        return [(k, str(getattr(self, k))) for k in names if getattr(self, k) != getattr(base, k)]

    def beside(self, other: Semantics) -> str:
        """What sets this reading apart from another: the one knob in which they differ, as it stands here; else its label.

        >>> NAMED["a4"].beside(read_semantics("a4+rounding=truncate")), NAMED["narrative"].beside(NAMED["a4"])
        ('rounding=nearest', 'narrative')
        """
        names = [f.name for f in fields(self) if f.name != "permits" and getattr(self, f.name) != getattr(other, f.name)]
        return f"{names[0]}={getattr(self, names[0])}" if len(names) == 1 and names[0] != "name" else self.label

    @property
    def label(self) -> str:
        """Its name, with changed knobs as ``name+knob=value``; :func:`read_semantics` reads it back."""
        return "+".join([self.name, *(f"{k}={v}" for k, v in self.changed_knobs)])


NAMED: dict[str, Semantics] = {
    "a4": Semantics(),
    "narrative": Semantics(name="narrative", order="products"),
}


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


def read_semantics(text: str) -> Semantics:
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


def readings(of: Point | None = None) -> Iterator[Semantics]:
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


def chosen_semantics(text: str, of: Point | None = None) -> list[Semantics]:
    """The readings asked for; ``all`` is every one of :func:`readings` for fixed or floating point, or both."""
    return list(readings(of)) if text == ALL_READINGS else [read_semantics(text)]

"""Conditions at points: in fractions, in balls for irrational values, over arrays for many points."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.judges.fields import members
from verifier.language import exact
from verifier.language.definitions import formula_of, inlined_text, written_out
from verifier.language.exact import Given
from verifier.language.syntax import calls_in
from verifier.language.tree import Node

Names = Mapping[str, Given]
Functions = Mapping[str, Callable[..., Given]]

FEW = 64
"""Fewer assignments than this are gone through one by one."""


class Reader:
    """Evaluate in fractions; for irrational values, in balls, a function by its formula. ``method``: the methods used so far."""

    def __init__(self, functions: Mapping[str, str]) -> None:
        self.functions = supplied(functions)
        self._targets = functions
        self.method = "algebra"

    @property
    def written(self) -> Functions:
        """The functions themselves, which may be formulas; each is imported."""
        from verifier.claims.judge_names import imported

        return {name: imported(target) for name, target in self._targets.items()}

    def read_as_formulas(self, conditions: Sequence[Node]) -> str:
        """Name the functions that symbols read as formulas, or empty if none is."""
        called = {name for condition in conditions for name, _ in calls_in(condition)}
        read = sorted(name for name in called & self._targets.keys() if formula_of(self.written[name]) is not None)
        return "".join(f"; {name} is read as its formula, which has its values there" for name in read)

    def first_wrong(
        self, asked: Sequence[Node], when: Node | None, some: Sequence[Names], varying: Sequence[str]
    ) -> tuple[int, tuple[Node, Names] | None]:
        """Count the assignments that pass ``when`` up to the first that fails a condition, and return that one with the condition."""
        if len(some) >= FEW:
            try:
                return self._together(asked, when, some, varying)
            except exact.Irrational:
                pass
        kept = 0
        for names in some:
            if when is None or self.truth(when, names):
                kept += 1
                for condition in asked:
                    if not self.truth(condition, names):
                        return kept, (condition, names)
        return kept, None

    def _together(
        self, asked: Sequence[Node], when: Node | None, some: Sequence[Names], varying: Sequence[str]
    ) -> tuple[int, tuple[Node, Names] | None]:
        """The same over arrays."""
        from verifier.language import arrays
        from verifier.language.array_values import Quantity

        def columns(chosen: Sequence[Names]) -> dict[str, Any]:
            return {**chosen[0], **{name: Quantity.listed(_fraction(names[name]) for names in chosen) for name in varying}}

        kept = list(some)
        if when is not None:
            passes = arrays.truth(when, columns(some), self.functions)
            kept = [names for names, ok in zip(some, passes.tolist(), strict=True) if ok]
        first: tuple[int, Node] | None = None
        for condition in asked if kept else ():
            holds = arrays.truth(condition, columns(kept), self.functions)
            if not holds.all() and (first is None or int(holds.argmin()) < first[0]):
                first = int(holds.argmin()), condition
        return (len(kept), None) if first is None else (first[0] + 1, (first[1], kept[first[0]]))

    def truth(self, condition: Node, names: Names) -> bool:
        try:
            return exact.truth(condition, names, self.functions)
        except exact.Irrational:
            from verifier.language import balls

            self.method = "enclosure"
            return balls.truth(written_out(condition, self.written), names, self.functions)

    def shown(self, formula: Node, names: Names) -> str:
        """The value as an exact string, or an enclosure of it."""
        try:
            return str(exact.value(formula, names, self.functions))
        except exact.Irrational:
            formula = written_out(formula, self.written)
            import flint

            from verifier.arithmetic.enclosure import FIRST_PRECISION, LAST_PRECISION, ends
            from verifier.language import balls
            from verifier.language.real_functions import four_digits

            bits = FIRST_PRECISION
            while True:
                try:
                    with flint.ctx.workprec(bits):
                        return four_digits(*ends(balls.enclosure(formula, names, self.functions, bits)))
                except ArithmeticError:  # a large number needs more bits for its four decimals
                    bits *= 2
                    if bits > LAST_PRECISION:
                        raise

    def range(self, text: str, names: Names, lets: Mapping[str, str]) -> range | list[Fraction]:
        """A range ``a .. b``, which includes both ends, or values separated by commas."""
        values = [exact.rational(inlined_text(part, lets), names, self.functions) for part in members(text)]
        return range(math.ceil(values[0]), math.floor(values[1]) + 1) if ".." in text or text.strip().startswith("[") else values


def _fraction(given: Given) -> Fraction:
    assert isinstance(given, Fraction)
    return given


def supplied(functions: Mapping[str, str]) -> Functions:
    """A paper's functions by name, each imported at its first call."""
    from verifier.claims.judge_names import lazily

    return {name: lazily(target) for name, target in functions.items()}

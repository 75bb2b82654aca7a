"""The truth of a condition for all slacks at once: it holds for all, for none, or neither is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from verifier.proofs.nonnegative import Wants
from verifier.proofs.signs import Form


@dataclass(frozen=True)
class Line:
    """A line of a certificate: a formula in the parameters, as a form whose signs decide what it is about.

    ``given``: the conditions, in the formula language, where it was asked for; the form's slacks are ≥ 0 there.
    """

    formula: str
    form: Form
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"where {' and '.join(self.given)}: " if self.given else ""
        return f"{where}{self.formula} = {self.form}"


@dataclass(frozen=True)
class Judgement:
    """Whether a condition holds for all slacks (True), for none (False), or it is not known (None): why, and what would help."""

    value: bool | None
    lines: tuple[Line, ...] = ()
    reason: str = ""
    wants: Wants = ()


Asked = Callable[[], Judgement]
TRUE = Judgement(True)


def denied(found: Judgement) -> Judgement:
    return found if found.value is None else replace(found, value=not found.value)


def conjunction(parts: Sequence[Asked]) -> Judgement:
    """Whether all hold, asked from the left: nothing behind a part that is false for all slacks is asked."""
    lines: tuple[Line, ...] = ()
    unknown: Judgement | None = None
    for part in parts:
        found = part()
        if found.value is False:
            return found
        lines += found.lines
        unknown = unknown or (found if found.value is None else None)
    return unknown or Judgement(True, lines)


def disjunction(parts: Sequence[Asked]) -> Judgement:
    """Whether one holds: not whether all fail."""
    return denied(conjunction([_denial(part) for part in parts]))


def _denial(part: Asked) -> Asked:
    return lambda: denied(part())

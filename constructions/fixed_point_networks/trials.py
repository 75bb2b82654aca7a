"""From trials to findings: the chapter's record, its parameters, and the one way a search becomes a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from verifier.claims.model import Parameter, Question, declined

from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.grid import DOMAIN_P, DOMAIN_S, FixedPoint
from verifier.errors import LimitError
from verifier.verdicts import Edition, Finding, Scope, Verdict

PAPER_ID = "fixed-point-networks"

Failure = Mapping[str, object] | None
Trial = Failure | int
"""A failure, None for a case that passed, or how many cases passed at once."""


def p_and_s(p: str = "1..3", s: str = "1..3") -> tuple[Parameter, Parameter]:
    """The parameters of nearly every claim, with the ranges run by default."""
    return (
        Parameter("p", "magnitude bits; Q_(p,s) has p+1 bits", DOMAIN_P, p),
        Parameter("s", "scaling factor, 1 <= s <= 2^p - 1", DOMAIN_S, s),
    )


def dimension(typical: str = "1") -> Parameter:
    return Parameter("d", "input dimension", "d >= 1", typical)


EVERY = "every"


def activation_parameter() -> Parameter:
    """σ: every activation tried, or one of those that have a name."""
    names = (EVERY, *NAMED)
    return Parameter("sigma", "the activation", f"sigma >= 0 and sigma <= {len(NAMED)}", default="0", names=names)


def divisor_parameter(least: str) -> Parameter:
    """r: every divisor that the statement admits, or one of them; ``least``: its condition besides r ≥ 3 and s·r ∈ Q_{p,s}."""
    return Parameter("r", "the divisor", f"r == 0 or r >= 3 and s*s*r <= 2**p - 1{least}", default="0", names=(EVERY,))


def chosen(question: Question, name: str) -> int:
    """The number of a parameter that can be ``every``; 0 for that, and where the claim has no such parameter."""
    return int(question.parameters.get(name, 0))


def grid_of(question: Question, power: int = 2) -> FixedPoint:
    """Q_{p,s} at the question's parameters, where size^power cases are within the limit.

    Raises:
        LimitError: they are not.
    """
    grid = FixedPoint(question["p"], question["s"])
    within_limit(question, grid.size**power)
    return grid


def at(question: Question) -> str:
    """``at p = 3, s = 2``."""
    return "at " + ", ".join(f"{name} = {value}" for name, value in question.parameters.items() if str(value) != EVERY)


def decide(scope: str, trials: Iterable[Trial], method: str | None = None, witness: str | None = None) -> Finding:
    """Verified when no trial fails, refuted at the first that does; trials come smallest first. No trials at all: declined."""
    count = 0
    for trial in trials:
        if trial is not None and not isinstance(trial, int):
            return refuted(scope, trial, method)
        count += 1 if trial is None else trial
    if count == 0:
        return declined(f"the claim says nothing here: {scope} is no case at all")
    return Finding(Verdict.VERIFIED, Scope(scope, count, method), witness=witness)


def refuted(scope: str, failure: Mapping[str, object], method: str | None = None) -> Finding:
    return Finding(Verdict.REFUTED, Scope(scope, None, method), counterexample={k: _shown(v) for k, v in failure.items()})


def _shown(value: object) -> str:
    return f"({', '.join(map(_shown, value))})" if isinstance(value, (list, tuple)) else str(value)


def proved(scope: str, method: str, cases: int | None = None, witness: str | None = None) -> Finding:
    return Finding(Verdict.VERIFIED, Scope(scope, cases, method), witness=witness)


def uses_errata(question: Question) -> bool:
    """Whether the repaired wording is judged; statement and printed coincide for a plain number, equation or rule."""
    return question.edition is Edition.REPAIRED


def printed(question: Question) -> bool:
    return question.edition is Edition.PRINTED


def within_limit(question: Question, cases: int) -> None:
    """Raises LimitError: more cases than ``--limit`` admits, a case being worth a thousand of its steps."""
    if cases * 1000 > question.limits.states:
        raise LimitError(f"about {cases:,} cases, more than {question.limits.states // 1000:,} (a thousandth of --limit)", "--limit")

"""Verdicts, scopes and results, which are plain values. Other modules show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from verifier.running.notebooks import Facts
from verifier.running.printable import assignment, shell_line
from verifier.running.shelf import SHELF


class Verdict(Enum):
    """The five words, from best to worst when the parts of a claim are combined."""

    VERIFIED = "verified"
    CONDITIONAL = "conditional"
    OPEN = "open"
    DECLINED = "declined"
    REFUTED = "refuted"


class Edition(Enum):
    """The question about a claim. Is it true, does it hold as printed, does it hold with our errata?"""

    STATEMENT = "statement"
    PRINTED = "printed"
    REPAIRED = "repaired"


KERNEL = "kernel"
"""The method of what a kernel decides."""
SHIPPED = "Coq accepted a proof for this version; `verify proofs` repeats it"
"""The meaning of :data:`KERNEL` if the kernel was not asked here."""
SYMBOLIC = "symbolic"
"""The method of what symbols decide for all parameters."""
SIDES = {"left": "left side", "right": "right side", "found": "computed", "expected": "expected", "claimed": "the paper states"}
"""The names under which judges leave both sides of what fails, the paper's last."""
IN_WORDS = "argument-in-words"
"""The assumption that the words of ``checks`` lead from the claim's sentence to the formulas."""

_RANK = {verdict: rank for rank, verdict in enumerate(Verdict)}


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """refuted > declined > open > conditional > verified.

    Raises:
        ValueError: for no verdicts at all; nothing is not verified.
    """
    return max(verdicts, key=_RANK.__getitem__)


@dataclass(frozen=True)
class Scope:
    """The exact set that a verdict covers, its number of cases (None if nothing was counted), and the method.

    sample_of: what the sentence quantifies over, if the cases are only a sample of it.
    """

    statement: str
    cases: int | None = None
    method: str | None = None
    sample_of: str = ""


@dataclass(frozen=True, repr=False)
class Outcome(Facts):
    """The result of a judge for one edition of a claim at one parameter point.

    counterexample: exact strings by name; replay: words that follow ``verify`` and show the counterexample again.
    failures: the number of cases that fail, if the method counts them.
    values: further results, by name, as exact strings: the columns of the outcome's row in a table.
    proof: the certificate of a proof for all parameters, line by line.
    blocked_by: for a declined outcome, the claim that says why the subject has no meaning here.
    needs: extras (optional dependencies) that are missing: with them the verdict may differ.
    speaks_of: the subject of the outcome besides its parameters: ``promise``, ``representation`` (what each token holds), ``format``.
    out_of_reach: whether a declined outcome is due to a limit or an extra that is not installed.
    felled_by: the id of the argument step whose refutation refutes the claim.
    degenerate: why the parameters of a refutation are not intended, if the reason says that.
    meant: for a refutation for all parameters at an unintended point, the verdict for all intended parameters.
    undecided: why it is open and what would decide it, in words that do not differ from claim to claim, if ``reason`` says more.

    Raises:
        ValueError: a verified outcome has no cases, a refuted one shows nothing, or a conditional one has no condition.
    """

    verdict: Verdict
    scope: Scope
    witness: str | None = None
    assumptions: tuple[str, ...] = ()
    reason: str | None = None
    counterexample: Mapping[str, str] | None = None
    failures: int | None = None
    replay: tuple[str, ...] | None = None
    parts: tuple[str, ...] = ()
    values: Mapping[str, str] | None = None
    proof: tuple[str, ...] = ()
    blocked_by: str | None = None
    needs: tuple[str, ...] = ()
    out_of_reach: bool = False
    felled_by: str = ""
    degenerate: str = ""
    meant: Verdict | None = None
    undecided: str = ""
    speaks_of: Mapping[str, str] = field(default_factory=dict)

    def caption(self) -> str:
        return self.verdict.value

    def facts(self) -> dict[str, str | None]:
        return {"scope": self.scope.statement, "reason": self.reason, "counterexample": assignment(_in_words(self.counterexample or {}))}

    def __post_init__(self) -> None:
        if self.verdict is Verdict.VERIFIED and self.scope.cases is not None and self.scope.cases <= 0:
            raise ValueError(f"verified over {self.scope.cases} cases: {self.scope.statement}")
        if self.verdict is Verdict.VERIFIED and self.scope.cases is None and self.scope.method is None and not self.parts:
            raise ValueError(f"verified by no method over no cases: {self.scope.statement}")
        if self.verdict is Verdict.REFUTED and not (self.counterexample or self.reason or self.parts):
            raise ValueError(f"refuted without a counterexample, reason or part: {self.scope.statement}")
        if self.verdict is Verdict.CONDITIONAL and not (self.assumptions or self.parts):
            raise ValueError(f"conditional on nothing: {self.scope.statement}")
        if self.blocked_by is not None and self.verdict is not Verdict.DECLINED:
            raise ValueError(f"blocked, but {self.verdict.value}: {self.scope.statement}")
        if self.out_of_reach and self.verdict is not Verdict.DECLINED:
            raise ValueError(f"out of reach, but {self.verdict.value}: {self.scope.statement}")


def _in_words(values: Mapping[str, str]) -> dict[str, str]:
    return {SIDES.get(name, name): value for name, value in values.items()}


def declined(reason: str, blocked_by: str | None = None, *, out_of_reach: bool = False) -> Outcome:
    """An outcome that decides nothing, because the point is outside the domain, a limit is exceeded, or the construction has no meaning
    here.
    """
    return Outcome(Verdict.DECLINED, Scope("nothing was checked"), reason=reason, blocked_by=blocked_by, out_of_reach=out_of_reach)


@dataclass(frozen=True, repr=False)
class Result(Facts):
    """An outcome with the question that it answers. ``slips``: refuted steps of the proof that do not affect it, if they were counted."""

    claim: str
    edition: Edition
    parameters: Mapping[str, int]
    semantics: str | None
    outcome: Outcome
    seconds: float = field(default=0.0, compare=False)
    slips: int | None = None

    @property
    def verdict(self) -> Verdict:
        return self.outcome.verdict

    @property
    def replay(self) -> str | None:
        """The one command that shows the counterexample again, with the user's folders if the paper is in one of them."""
        return f"{SHELF.program(self.claim)} {shell_line(self.outcome.replay)}" if self.outcome.replay else None

    def to_dict(self) -> dict[str, Any]:
        """A ``result`` of the document of ``--format json``, in which every quantity is an exact string."""
        outcome = self.outcome
        cases = outcome.scope.cases
        more: dict[str, Any] = {"values": dict(outcome.values)} if outcome.values else {}
        more |= {"proof": list(outcome.proof)} if outcome.proof else {}
        more |= {"blocked_by": outcome.blocked_by} if outcome.blocked_by else {}
        more |= {"slips": str(self.slips)} if self.slips is not None else {}
        return {
            "claim": self.claim,
            "edition": self.edition.value,
            "witness": outcome.witness,
            "parameters": {k: str(v) for k, v in self.parameters.items()},
            "semantics": self.semantics,
            "verdict": outcome.verdict.value,
            "scope": {"statement": outcome.scope.statement, "cases": str(cases) if cases else None, "method": outcome.scope.method},
            "assumptions": list(outcome.assumptions),
            "reason": outcome.reason,
            "counterexample": dict(outcome.counterexample) if outcome.counterexample else None,
            "failures": str(outcome.failures) if outcome.failures is not None else None,
            "replay": self.replay,
            "parts": list(outcome.parts),
            "seconds": f"{self.seconds:.3f}",
            **more,
        }

    def caption(self) -> str:
        return f"{self.claim} ({self.edition.value}) {assignment(self.parameters)}"

    def facts(self) -> dict[str, str | None]:
        return {"verdict": self.verdict.value, **self.outcome.facts(), "replay": self.replay}


EXIT_VERIFIED, EXIT_REFUTED, EXIT_INPUT, EXIT_UNDECIDED, EXIT_FAULT = 0, 1, 2, 3, 70


def exit_status(results: Iterable[Result]) -> int:
    """0 everything verified · 1 something refuted · 3 nothing refuted but something undecided.

    Count ``statement`` and ``printed`` results if there are any, else all results.
    """
    listed = [(r.edition, r.verdict) for r in results]
    return status_of(worst([verdict for edition, verdict in listed if edition is not Edition.REPAIRED] or [v for _, v in listed]))


def status_of(verdict: Verdict) -> int:
    """The exit status of a verdict."""
    return {Verdict.REFUTED: EXIT_REFUTED, Verdict.VERIFIED: EXIT_VERIFIED}.get(verdict, EXIT_UNDECIDED)

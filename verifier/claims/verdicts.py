"""Verdicts, scopes and results: what the machine says of a claim. All of it is values; showing them is somebody else's job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

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
    """The question about a claim: is it true, does it hold as printed, does it hold with our errata?"""

    STATEMENT = "statement"
    PRINTED = "printed"
    REPAIRED = "repaired"


KERNEL = "kernel"
"""The method of what a kernel decides."""
SYMBOLIC = "symbolic"
"""The method of what symbols decide for all parameters."""
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
    """The exact set that a verdict covers, how many cases it has (None where cases are not what was counted), and by which method.

    sample_of: what the sentence is about, where the cases are a sample of it only.
    """

    statement: str
    cases: int | None = None
    method: str | None = None
    sample_of: str = ""


@dataclass(frozen=True)
class Outcome:
    """The result of a judge for one edition of a claim at one parameter point.

    counterexample: names to exact strings; replay: words that follow ``verify`` and show the counterexample again.
    failures: how many cases fail, where the method counts them.
    values: what else was found, by name, as exact strings: the columns of a table that the outcome is a row of.
    proof: the certificate of a proof for all parameters, line by line.
    blocked_by: the claim that says why what the claim speaks of has no meaning here; declined then.
    needs: extras (optional dependencies) that were asked for and are not installed: with them another verdict may come out.
    speaks_of: what the outcome is about besides its parameters: ``promise``, ``representation`` (what each token holds), ``format``.
    out_of_reach: a limit, or an extra that is not installed, kept the judge from deciding; declined then.
    felled_by: the argument step, by its id, that is refuted and refutes the claim.
    degenerate: why the parameters of a refutation are not meant, where the reason says that.
    meant: the verdict for all parameters that the authors mean, of a refutation for all parameters at one that they do not mean.
    undecided: why it is open and what would decide it, without what differs from claim to claim, where ``reason`` says more.

    Raises:
        ValueError: a verified outcome over no cases, a refuted one that shows nothing, a conditional one on nothing.
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
            raise ValueError(f"blocked and yet {self.verdict.value}: {self.scope.statement}")
        if self.out_of_reach and self.verdict is not Verdict.DECLINED:
            raise ValueError(f"out of reach and yet {self.verdict.value}: {self.scope.statement}")


def declined(reason: str, blocked_by: str | None = None, *, out_of_reach: bool = False) -> Outcome:
    """An outcome that decides nothing: outside the domain, over a limit, or about a construction that has no meaning here."""
    return Outcome(Verdict.DECLINED, Scope("nothing was checked"), reason=reason, blocked_by=blocked_by, out_of_reach=out_of_reach)


@dataclass(frozen=True)
class Result:
    """An outcome, with what was asked. ``slips``: refuted steps of the proof that change nothing for it, where they were counted."""

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
        """The one command that shows the counterexample again, with the folders that the user named where its paper is in one of them."""
        return f"{SHELF.program(self.claim)} {shell_line(self.outcome.replay)}" if self.outcome.replay else None

    def to_dict(self) -> dict[str, Any]:
        """A ``result`` of the document of ``--format json``: every quantity is an exact string."""
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

    def __repr__(self) -> str:
        return "\n".join([self._caption, *(f"  {name}: {text}" for name, text in self._lines)])

    def _repr_html_(self) -> str:
        """The result as a table, for notebooks."""
        from verifier.interface.notebooks import table

        return table(self._caption, ("", ""), self._lines)

    @property
    def _caption(self) -> str:
        return f"{self.claim} ({self.edition.value}) {assignment(self.parameters)}"

    @property
    def _lines(self) -> list[tuple[str, str]]:
        """What there is to say of the outcome, each with its name."""
        found = self.outcome
        seen = assignment(found.counterexample or {})
        rows = [("verdict", self.verdict.value), ("scope", found.scope.statement), ("reason", found.reason), ("counterexample", seen)]
        return [(name, text) for name, text in [*rows, ("replay", self.replay)] if text]


EXIT_VERIFIED, EXIT_REFUTED, EXIT_INPUT, EXIT_UNDECIDED, EXIT_FAULT = 0, 1, 2, 3, 70


def exit_status(results: Iterable[Result]) -> int:
    """0 everything verified · 1 something refuted · 3 nothing refuted but something undecided.

    Judged over ``statement`` and ``printed`` where there are such results, else over all.
    """
    listed = list(results)
    judged = [r for r in listed if r.edition is not Edition.REPAIRED] or listed
    verdict = worst(r.verdict for r in judged)
    if verdict is Verdict.REFUTED:
        return EXIT_REFUTED
    return EXIT_VERIFIED if verdict is Verdict.VERIFIED else EXIT_UNDECIDED

"""What the steps of a proof make of the statement that they prove: refuted arguments, slips, and how many hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from verifier.claims.model import Claim
from verifier.claims.points import shared_points
from verifier.claims.verdicts import Outcome, Verdict, worst

Judged = Callable[[Claim, Mapping[str, int]], Outcome]
Replay = Callable[[Claim, Mapping[str, int]], tuple[str, ...]]


def broken_step(made: Outcome, claim: Claim, values: Mapping[str, int], judged: Judged, replay: Replay) -> Outcome:
    """The statement's finding, refuted by the first of its argument steps that is refuted at this point; else as it was."""
    for step in claim.steps:
        if step.role != "argument" or step.ours:
            continue
        for point in shared_points(step, values):
            found = judged(step, point)
            if found.verdict is Verdict.REFUTED:
                return replace(
                    made,
                    verdict=Verdict.REFUTED,
                    assumptions=(),
                    reason=f"its argument fails: {step.name}" + (f": {found.reason}" if found.reason else ""),
                    counterexample=found.counterexample,
                    failures=None,
                    replay=found.replay or replay(step, point),
                    blocked_by=None,
                )
    return made


@dataclass(frozen=True)
class Proof:
    """How the steps of a statement stand as printed at one of its points: each with its worst verdict there.

    ``silent``: steps that say nothing at this point; ``states``: the work that a step may take, where that is less than ``--limit``.
    Results of ours that hang on the statement are no steps of its proof.
    """

    claim: Claim
    stood: tuple[tuple[Claim, Outcome], ...]
    silent: int
    states: int | None = None

    @classmethod
    def of(cls, claim: Claim, values: Mapping[str, int], judged: Judged, states: int | None = None) -> Proof:
        stood, silent = [], 0
        for step in claim.steps:
            if step.ours:
                continue
            found = [judged(step, point) for point in shared_points(step, values)]
            if found:
                verdict = worst(f.verdict for f in found)
                stood.append((step, next(f for f in found if f.verdict is verdict)))
            else:
                silent += 1
        return cls(claim, tuple(stood), silent, states)

    def _with(self, verdict: Verdict) -> list[tuple[Claim, Outcome]]:
        return [(s, f) for s, f in self.stood if f.verdict is verdict]

    @property
    def slips(self) -> int:
        """Refuted steps that change nothing for the statement: asides, and where it rests on a witness that stands, arguments too."""
        refuted = [step for step, _ in self._with(Verdict.REFUTED)]
        witness = self.claim.table.claim if self.claim.table else None
        stands = self.claim.witness and all(step.id != witness for step in refuted)
        return sum(1 for step in refuted if step.role == "aside" or stands)

    @property
    def line(self) -> str | None:
        """``proof: 18 of 24 steps hold, 5 slips, 1 blocked; first: equation (2) …``; None for a statement without steps."""
        if not self.stood:
            return None
        refuted = self._with(Verdict.REFUTED)
        failing = len(refuted) - self.slips
        blocked = sum(1 for _, f in self.stood if f.blocked_by)
        conditional = self._with(Verdict.CONDITIONAL)
        on = ", ".join(dict.fromkeys(a for _, f in conditional for a in f.assumptions))
        others = len(self.stood) - len(self._with(Verdict.VERIFIED)) - len(refuted) - blocked - len(conditional)
        within = f" (within {self.states:,} states a step; --steps judges them with --limit)" if self.states else ""
        counts = [
            f"{len(self._with(Verdict.VERIFIED))} of {len(self.stood)} steps hold",
            *([f"{failing} fail{'s' if failing == 1 else ''}"] if failing else []),
            *([f"{self.slips} slip{'' if self.slips == 1 else 's'}"] if self.slips else []),
            *([f"{blocked} blocked"] if blocked else []),
            *([f"{len(conditional)} conditional on {on}"] if conditional else []),
            *([f"{others} undecided{within}"] if others else []),
        ]
        first = next((s for s, _ in refuted if s.role == "argument"), None) or next((s for s, _ in refuted), None)
        return f"proof: {', '.join(counts)}" + (f"; the first that matters: {first.name}" if first else "")

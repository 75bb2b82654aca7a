"""How the steps of a statement's proof stand at one point: how many hold, fail, are slips, or are undecided, as one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verifier.claims import rules
from verifier.claims.model import Claim
from verifier.claims.points import Point, step_points
from verifier.claims.verdicts import Outcome, Verdict, worst

Judged = Callable[[Point], Outcome]

MOST_NAMED = 3
"""How many steps that are left undecided the line names."""


@dataclass(frozen=True)
class Proof:
    """How the steps of a statement stand as printed at one of its points: each with its worst verdict there.

    ``silent``: steps that say nothing at this point; ``states``: the work that a step may take, where that is less than ``--limit``.
    Results of ours that hang on the statement are not steps of its proof.
    """

    claim: Claim
    stood: tuple[tuple[Claim, Outcome], ...]
    silent: int
    states: int | None = None

    @classmethod
    def of(cls, owner: Point, judged: Judged, states: int | None = None) -> Proof:
        stood, silent = [], 0
        for step in owner.claim.steps:
            if step.ours:
                continue
            found = [judged(point) for point in step_points(step, owner.values)]
            if found:
                verdict = worst(f.verdict for f in found)
                stood.append((step, next(f for f in found if f.verdict is verdict)))
            else:
                silent += 1
        return cls(owner.claim, tuple(stood), silent, states)

    def _with(self, verdict: Verdict) -> list[tuple[Claim, Outcome]]:
        return [(s, f) for s, f in self.stood if f.verdict is verdict]

    @property
    def slips(self) -> int:
        """Refuted steps that change nothing for the statement: asides, and where it rests on a witness that stands, arguments too."""
        return rules.slips(self.claim, (step for step, _ in self._with(Verdict.REFUTED)))

    @property
    def undecided(self) -> list[Claim]:
        """The steps that are open, or declined and not blocked."""
        return [step for step, _ in self._undecided()]

    def _undecided(self) -> list[tuple[Claim, Outcome]]:
        left_out = [*self._with(Verdict.OPEN), *self._with(Verdict.DECLINED)]
        return [(step, outcome) for step, outcome in left_out if not outcome.blocked_by]

    @property
    def line(self) -> str | None:
        """``proof: 18 of 24 steps hold, 5 fail but nothing rests on them, 1 blocked``; None for a statement without steps.

        A slip is never the first that matters.
        """
        if not self.stood:
            return None
        refuted = self._with(Verdict.REFUTED)
        failing = len(refuted) - self.slips
        blocked = sum(1 for _, f in self.stood if f.blocked_by)
        conditional = self._with(Verdict.CONDITIONAL)
        on = ", ".join(dict.fromkeys(a for _, f in conditional for a in f.assumptions))
        limited = [step for step, outcome in self._undecided() if outcome.out_of_reach and self.states]
        undecided = [step for step in self.undecided if step not in limited]
        within = f"within {self.states:,} states a step" if self.states else ""
        counts = [
            f"{len(self._with(Verdict.VERIFIED))} of {len(self.stood)} steps hold",
            *([f"{failing} fail{'s' if failing == 1 else ''}"] if failing else []),
            *([_slips(self.slips, bool(failing))] if self.slips else []),
            *([f"{blocked} blocked"] if blocked else []),
            *([f"{len(conditional)} conditional on {on}"] if conditional else []),
            *([f"{len(undecided)} undecided: {_listed(undecided)}"] if undecided else []),
            *([f"{len(limited)} undecided {within}: {_listed(limited)} (--steps judges with --limit)"] if limited else []),
        ]
        first = next((s for s, _ in refuted if s.role == "argument"), None) if failing else None
        return f"proof: {', '.join(counts)}" + (f"; the first that matters: {first.name}" if first else "")


def _slips(count: int, more: bool) -> str:
    """``5 more fail but nothing rests on them``."""
    return f"{count} {'more ' if more else ''}{'fails but nothing rests on it' if count == 1 else 'fail but nothing rests on them'}"


def _listed(steps: Sequence[Claim]) -> str:
    """The names of the steps without their owner's, the first of many."""
    names = [step.name.partition(":")[2] for step in steps]
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")

"""The evidence for each numbered statement of a paper: for which parameters it is decided, and by what.

A kernel's theorem, a proof by symbols and a counterexample that the authors mean decide a statement for all its parameters. A statement
made of parts is decided where all its parts are, or where a theorem refutes one; a theorem about one of several parts, in another reading
or about a result of ours beside the statement is named, and does not decide it. A statement that is verified at some parameters and
decided no further rests on finite checks only, and the table says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from verifier.claims.kernel_proofs import Decided, deciding
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.gate.by_symbols import Reach, numbered, proved
from verifier.gate.run import Run
from verifier.show.facts import inside
from verifier.show.main_results import led
from verifier.show.theorems import decides, leading, linked_theorems
from verifier.show.verdict_words import groups, of_edition, points_text, spoken, standing, titled

Rests = Literal["kernel", "symbols", "counterexample", "as it stands", "finite checks", "undecided"]
MEANINGS: dict[Rests, str] = {
    "kernel": "a theorem that Coq's kernel accepts, for every parameter from some on",
    "symbols": "a proof by symbols, for every parameter that is meant",
    "counterexample": "false for parameters that the authors mean, shown by a counterexample",
    "as it stands": "it has no parameters, and is decided",
    "finite checks": "verified at the parameters named, and no further",
    "undecided": "nothing decides it",
}


@dataclass(frozen=True)
class Evidence:
    """A statement, what it rests on, its evidence in words, and why there is no more of it."""

    claim: Claim
    rests: Rests
    evidence: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True)
class Table:
    """The evidence for a paper's statements, from a run. asks_kernel: whether a theorem counts only if the kernel accepts it here, or as
    the files link it: pages have to be the same whether or not Coq is installed.
    """

    run: Run
    asks_kernel: bool = True
    session: Session = field(default_factory=Session)

    def counts(self, theorem: Decided) -> bool:
        """Whether a theorem is taken for evidence."""
        return bool(theorem.word.accepted) if self.asks_kernel else True

    def of(self, claim: Claim) -> Evidence:
        """The evidence for one statement, that for all parameters first."""
        results = of_edition(self.run.results[claim.id], Edition.STATEMENT)
        decided, own = self._decided(claim, results)
        others = tuple(said for said in dict.fromkeys(self._elsewhere(claim)) if said not in own)
        everywhere = self.everywhere(claim)
        if everywhere == "kernel":
            return Evidence(claim, "kernel", (decided, *others))
        symbols = self._symbols(claim)
        if everywhere == "symbols":
            return Evidence(claim, "symbols", ("for every parameter, by symbols", *others))
        if symbols == "meant":
            domain = " and ".join(p.meant for p in claim.parameters if p.meant)
            return Evidence(claim, "symbols", (f"for every parameter that is meant ({domain}), by symbols", decided))
        if any(r.verdict is Verdict.REFUTED and not claim.not_meant(r.parameters) for r in results):
            return Evidence(claim, "counterexample", (decided, *others))
        verified = [r for r in results if r.verdict is Verdict.VERIFIED]
        if verified and not claim.parameters:
            return Evidence(claim, "as it stands", (decided, *others))
        if verified:
            return Evidence(claim, "finite checks", (decided, *others), _why(claim, verified, self._not_counted(claim)))
        return Evidence(claim, "undecided", (decided, *others), "; ".join([*self._not_counted(claim), _reason(results)]))

    def everywhere(self, claim: Claim) -> Literal["kernel", "symbols"] | None:
        """What decides a statement for all its parameters in the default reading: a theorem or symbols, its own or those of its parts."""
        if self._own(claim):
            return "kernel"
        if not claim.parts:
            return "symbols" if self._symbols(claim) == "every" else None
        parts = [find_claim(part.claim) for part in claim.parts]
        if any(map(self._refuted, parts)):
            return None if claim.exists else "kernel"
        found = {self.everywhere(part) for part in parts}
        if None in found:
            return None
        return "kernel" if "kernel" in found else "symbols"

    def _refuted(self, claim: Claim) -> bool:
        """Whether a theorem says that a statement is false, or one of its parts; what fails for one choice is not false for every one."""
        if any(theorem.refutes for theorem in self._own(claim)):
            return True
        return not claim.exists and any(self._refuted(find_claim(part.claim)) for part in claim.parts)

    def _refuting(self, claim: Claim) -> Iterator[tuple[str, Decided]]:
        """The parts that a theorem refutes for the same parameters, with the theorem. A statement with such a part is also false."""
        for part in () if claim.exists else claim.parts:
            own = [] if part.parameters else self._own(find_claim(part.claim))
            yield from ((find_claim(part.claim).name, theorem) for theorem in own if theorem.refutes)

    def _symbols(self, claim: Claim) -> Reach:
        """How far symbols prove a statement, as the run found it."""
        found = self.run.symbols.get(claim.id)
        return proved(claim, self.session) if found is None else found

    def _not_counted(self, claim: Claim) -> list[str]:
        """The theorems about a statement or its parts, in the default reading, not accepted by the kernel here; each with its word."""
        every = (claim, *(find_claim(part.claim) for part in claim.parts))
        linked = (theorem for each in every for theorem in deciding(each, Edition.STATEMENT, DEFAULT_SEMANTICS))
        return [f"{theorem.named} does not count: {theorem.word.said}" for theorem in linked if not self.counts(theorem)]

    def _own(self, claim: Claim) -> list[Decided]:
        """The theorems of a statement in the default reading that are taken for evidence."""
        return [theorem for theorem in deciding(claim, Edition.STATEMENT, DEFAULT_SEMANTICS) if self.counts(theorem)]

    def _decided(self, claim: Claim, results: Sequence[Result]) -> tuple[str, list[str]]:
        """How a statement stands in the default reading, theorems first and degenerate parameters last; and its theorems by themselves."""
        found, left = leading(claim, DEFAULT_SEMANTICS, inside(claim, results), self.counts)
        proved = [(theorem.refutes, theorem.stated) for theorem in found]
        for part, theorem in self._refuting(claim):
            proved.append((True, f"{theorem.stated}: {titled(part)}"))
            left = [r for r in left if r.verdict is not Verdict.REFUTED or not theorem.covers(r.parameters)]
        said = "; ".join(map(str, led(proved, groups(claim, left, methods=True))))
        degenerate = [r for r in results if r.verdict is Verdict.REFUTED and claim.not_meant(r.parameters)]
        edge = f"false at {spoken(points_text(claim, degenerate, results))} (degenerate)" if degenerate else ""
        return "; ".join(filter(None, [said, edge])) or standing(claim, results, methods=True), [decides(t) for t in found]

    def _elsewhere(self, claim: Claim) -> Iterator[str]:
        """The theorems that a statement, its parts and our results beside it name, with their readings."""
        for each in (claim, *map(find_claim, (part.claim for part in claim.parts)), *(step for step in claim.steps if step.ours)):
            for theorem in filter(self.counts, linked_theorems([each])):
                yield decides(theorem) if each is claim else f"{titled(each.name)}: {decides(theorem)}"


def evidence(paper: Paper, run: Run, asks_kernel: bool = True) -> Iterator[Evidence]:
    """The evidence for every numbered statement, in the paper's order; ``asks_kernel`` as in :class:`Table`."""
    table = Table(run, asks_kernel)
    yield from map(table.of, numbered(paper))


def _why(claim: Claim, verified: Sequence[Result], not_counted: Sequence[str]) -> str:
    """Why there is no more than finite checks: what decides it goes through cases, and which theorems do not count here."""
    methods = list(dict.fromkeys(r.outcome.scope.method or "its parts" for r in verified))
    names = ", ".join(p.name for p in claim.parameters)
    rest = "; ".join(not_counted) or f"no theorem, invariant or formula holds it for every {names}"
    return f"{' and '.join(methods[:3])} at {points_text(claim, verified)}; {rest}"


def _reason(results: Sequence[Result]) -> str:
    return next((r.outcome.reason for r in results if r.outcome.reason), "no evidence")


def counts(listed: Sequence[Evidence]) -> list[tuple[Rests, int]]:
    """How many statements rest on what, the strongest first."""
    return [(rests, sum(each.rests == rests for each in listed)) for rests in MEANINGS]

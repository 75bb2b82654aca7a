"""Facts of a run in words, for sentences that are written by hand: ``{true lemma-2.6}`` becomes ``p = 2..8``.

A sentence with a slot that the run does not bear out is an error: what is written cannot outlive what is computed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.errata.findings import CLASSES
from verifier.errata.listings import Listing, listings
from verifier.gate.run import Run
from verifier.gate.standing import OfRun, Standing, inside, points_texts, spoken, standing
from verifier.running.errors import InputError
from verifier.show.theorems import linked_theorems

SLOT = re.compile(r"\{([^{}]*)\}")
WORDS = {"true": Verdict.VERIFIED, "false": Verdict.REFUTED, "open": Verdict.OPEN, "conditional": Verdict.CONDITIONAL}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class NotJudgedError(Exception):
    """The run has no result of a claim that a sentence is about: the sentence is left out."""


@dataclass(frozen=True, eq=False)
class Facts:
    """The facts of a run that sentences can use.

    * ``true CLAIM``, ``false CLAIM``, ``open CLAIM``, ``conditional CLAIM``: the meant parameters with this verdict; an error if none has.
    * ``only true CLAIM``: the same, and an error where a meant parameter has another verdict; where there is no parameter, nothing.
    * ``first false CLAIM``: the smallest of these parameters. ``last …``: the largest.
    * Any of them may end with ``printed`` or ``repaired`` and with ``in READING``.
    * ``proved CLAIM``: nothing, and an error unless its file links a theorem of a kernel that proves it for all parameters.
    * ``undecided CLAIM``: nothing, and an error where a verdict or a theorem decides it.
    * ``count CLASS``: how many findings; ``smallest FINDING NAME``: a value of its counterexample.
    """

    paper: Paper
    run: Run
    _standings: dict[str, Standing] = field(default_factory=dict)

    @cached_property
    def listings(self) -> tuple[Listing, ...]:
        return listings(self.paper, self.run.results, self.run.follows)

    @cached_property
    def source(self) -> OfRun:
        return OfRun(self.paper, self.run)

    @cached_property
    def semantics(self) -> Semantics:
        """The paper's first reading."""
        return read_semantics(next(iter(self.paper.readings)))

    def standing(self, claim: Claim) -> Standing:
        """The standing of a claim of the paper, worked out once."""
        if claim.id not in self._standings:
            self._standings[claim.id] = standing(self.source, claim)
        return self._standings[claim.id]

    @cached_property
    def claims(self) -> dict[str, Claim]:
        return {claim.name: claim for claim in self.paper}

    def filled(self, text: str) -> str:
        """The sentence with its slots filled.

        Raises:
            InputError: a slot that cannot be computed, or that the run does not bear out.
            NotJudgedError: the run has no result of what it asks about.
        """
        return SLOT.sub(lambda found: self.fact(found[1]), " ".join(text.split()))

    def fact(self, asked: str) -> str:
        """One slot."""
        words = asked.split()
        match words:
            case ["count", kind] if kind in CLASSES:
                return number(sum(1 for o in self.listings if o.finding.kind == kind))
            case ["proved", claim]:
                return self._proved(asked, claim)
            case ["undecided", claim]:
                return self._undecided(asked, claim)
            case ["smallest", finding, *name] if name:
                return self._smallest(asked, finding, " ".join(name))
            case [("first" | "last" | "only") as which, *rest] if rest:
                return self._points(asked, rest, which)
            case _:
                return self._points(asked, words)

    def _smallest(self, asked: str, finding: str, name: str) -> str:
        listing = next((o for o in self.listings if o.finding.entry.id == finding), None)
        found = (listing.counterexample or {}) if listing else {}
        if name not in found:
            raise InputError(f"{{{asked}}}: the finding has no such value; it has {', '.join(found) or 'none'}")
        return found[name]

    def _undecided(self, asked: str, claim: str) -> str:
        if claim not in self.claims:
            raise InputError(f"{{{asked}}}: a claim of the paper was expected")
        if (status := self.standing(self.claims[claim]).status) not in ("open", "not judged"):
            raise InputError(f"{{{asked}}}: {claim} is {status}")
        return ""

    def _proved(self, asked: str, claim: str) -> str:
        known = [self.claims[claim]] if claim in self.claims else []
        if all(theorem.refutes for theorem in linked_theorems(known)):
            raise InputError(f"{{{asked}}}: no theorem of a proof folder proves it")
        return ""

    def _points(self, asked: str, words: Sequence[str], which: str = "") -> str:
        left = list(words)
        reading = left.pop() if left[-2:-1] == ["in"] else None
        if reading:
            left.pop()
        edition = Edition(left.pop()) if left[-1] in ("printed", "repaired") else Edition.STATEMENT
        if len(left) != 2 or left[0] not in WORDS or left[1] not in self.claims:
            raise InputError(f"{{{asked}}}: a verdict and a claim of the paper were expected, such as {{true lemma-1}}")
        claim, verdict = self.claims[left[1]], WORDS[left[0]]
        meant = inside(claim, self.results(claim, edition, reading))
        if not meant:
            raise NotJudgedError(claim.id)
        found = [r for r in meant if r.verdict is verdict]
        if not found or (which == "only" and len(found) < len(meant)):
            raise InputError(f"{{{asked}}}: {claim.name} is {', '.join(dict.fromkeys(r.verdict.value for r in meant))}")
        if which in ("first", "last"):
            found = [found[0 if which == "first" else -1]]
        return spoken("; ".join(points_texts(claim, found, meant)))

    def results(self, claim: Claim, edition: Edition, reading: str | None) -> list[Result]:
        """The results under a reading; the default one if none is named."""
        if reading not in (None, *self.paper.readings):
            raise InputError(f"no reading {reading!r}; there are {', '.join(self.paper.readings)}")
        return self.source.results(claim, edition, reading)


def number(count: int) -> str:
    """In words up to twelve."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)

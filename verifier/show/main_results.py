"""A paper's main results: each with the rows that answer whether it is true, half by half and reading by reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import Paper, find_claim
from verifier.claims.records import Row
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.errata.findings import SERIOUS
from verifier.errata.listings import Listing, slighter
from verifier.show.corrections import with_slots
from verifier.show.counterexamples import in_a_line, of_result
from verifier.show.facts import SLOT, Facts, inside
from verifier.show.theorems import leading, theorems, theorems_of_steps
from verifier.show.verdict_words import OUTSIDE, Group, but_for_misprints, groups, of_edition, spelled, titled

STATUSES = {
    "true": "every part is true for all parameters that were judged and that the authors mean",
    "true after correction": "false as it is written under some reading of the paper, and true with our corrections",
    "false": "false for parameters that the authors mean, and not shown to be true with our corrections",
    "open": "not decided: some part is open, or only the proof's own representation fails where the result says that one exists",
}
"""What can be said of a main result."""
LONGEST_ANSWER = 16
"""An answer of more words is abridged."""


@dataclass(frozen=True)
class Said:
    """What is true, false or open. parts: for which parameters, product by product: ``false for p = 3..8``."""

    word: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return "; ".join(self.parts)


NOT_COMPUTED = Said("open", ("not decided by a computation",))


@dataclass(frozen=True)
class Answer:
    """How a row stands under a reading: ``false for p = 3..8; true for p = 2``.

    verdict: the worst of them; short: the groups without methods; misprints: how many lesser findings alone explain failures.
    """

    reading: str
    groups: tuple[Said, ...]
    verdict: Verdict
    short: tuple[Said, ...]
    misprints: int = 0

    @property
    def text(self) -> str:
        """All groups in a line."""
        return "; ".join(map(str, self.groups)) + self.but

    @property
    def brief(self) -> str:
        """The groups in a line, without methods."""
        return "; ".join(map(str, self.short)) + self.but

    @property
    def abridged(self) -> str:
        """The line, of which a long one has the first parameters of each group: ``true for p = 2 and others; false for p = 3``."""
        if len(self.brief.split()) <= LONGEST_ANSWER:
            return self.brief
        return "; ".join(abridged(each.parts) for each in self.short) + self.but

    @property
    def but(self) -> str:
        """What keeps lesser findings from counting."""
        return f", but for misprints ({self.misprints})" if self.misprints else ""


@dataclass(frozen=True)
class Judgement:
    """A row of a main result.

    answers: one, where all readings agree; printed: how the printed proof or witness of this row does; repaired: after corrections.
    smallest: the smallest counterexample, in words, with its replay. proofs: what is proved of it for all parameters.
    aside: what holds or fails at parameters that the authors do not mean.
    """

    says: str
    claim: Claim
    answers: tuple[Answer, ...]
    printed: str
    repaired: str
    smallest: str
    replay: str | None
    proofs: tuple[str, ...]
    aside: str


@dataclass(frozen=True)
class MainResult:
    """A theorem, or what the paper has in its place. status: one of :data:`STATUSES`; only_in: the readings under which it is false,
    where it is not false under all; unproved: whether its printed proof needs a correction that changes mathematics.
    """

    claim: Claim
    rows: tuple[Judgement, ...]
    status: str
    only_in: str
    unproved: bool
    findings: tuple[Listing, ...]

    @property
    def name(self) -> str:
        return titled(self.claim.name)


def main_claims(paper: Paper) -> list[Claim]:
    """The statements of :attr:`Paper.main`."""
    return [paper.statement(name) for name in paper.main]


def together(results: Sequence[MainResult]) -> list[tuple[str, MainResult]]:
    """The results by name, those with the same rows as one: ``Theorems 1.1 and 2.4``."""
    return [(" and ".join(each.name for each in listed), listed[0]) for listed in alike(results)]


def alike(results: Sequence[MainResult]) -> list[list[MainResult]]:
    """The results, those with the same rows together."""
    groups: dict[tuple[tuple[str, str], ...], list[MainResult]] = {}
    for result in results:
        groups.setdefault(tuple((row.says, row.claim.id) for row in result.rows), []).append(result)
    return list(groups.values())


def main_results(facts: Facts) -> list[MainResult]:
    """Every main result, in the paper's order."""
    return [main_result(facts, claim) for claim in main_claims(facts.paper)]


def main_result(facts: Facts, claim: Claim) -> MainResult:
    """One statement with its rows; one without rows of its own is a row itself."""
    rows = tuple(judgement(facts, row, find_claim(row.claim)) for row in claim.rows) or (judgement(facts, Row("", claim.id), claim),)
    deciding = [claim, *(row.claim for row in rows)]
    about = tuple(o for o in facts.listings if o.finding.kind in SERIOUS and _concerns(o, deciding))
    judged = [row.claim for row in rows]
    verdicts = {reading: _standing(facts, claim, judged, reading) for reading in facts.paper.readings if _has(facts, judged, reading)}
    false = [reading for reading, verdict in verdicts.items() if verdict is Verdict.REFUTED]
    if false and not about:
        false = []
    printed = inside(claim, facts.results(claim, Edition.PRINTED, None))
    return MainResult(
        claim,
        rows,
        _status(facts, claim, list(verdicts.values()), bool(false)),
        ", ".join(facts.paper.called[r] for r in false) if len(false) < len(verdicts) else "",
        bool(about) and any(r.verdict is Verdict.REFUTED for r in printed),
        about,
    )


def _concerns(listing: Listing, claims: Sequence[Claim]) -> bool:
    ids = {claim.id for claim in claims}
    return bool(ids & listing.follows.every) or any(each.id in ids for each in listing.finding.about)


def _has(facts: Facts, claims: Sequence[Claim], reading: str) -> bool:
    """Whether the run has something of one of the claims under this reading."""
    return any(facts.results(claim, Edition.STATEMENT, reading) for claim in claims)


def _standing(facts: Facts, claim: Claim, rows: Sequence[Claim], reading: str) -> Verdict:
    """The worst of all rows; open where only rows are refuted. A claim that something exists may have another example than its proof's."""
    own = [result.verdict for result in _stated(facts, claim, reading)]
    worst = _verdict(facts, rows, reading)
    return Verdict.OPEN if worst is Verdict.REFUTED and own and Verdict.REFUTED not in own else worst


def _verdict(facts: Facts, claims: Sequence[Claim], reading: str) -> Verdict:
    """The worst of all rows, by theorems where these decide; a row that has no results under this reading has those of the default."""
    order = list(Verdict)
    return max((v for claim in claims for v in _decided(facts, claim, reading)), key=order.index, default=Verdict.OPEN)


def _decided(facts: Facts, claim: Claim, reading: str) -> list[Verdict]:
    found, left = leading(claim, read_semantics(reading), _stated(facts, claim, reading) or _stated(facts, claim, None))
    return [*(Verdict.REFUTED if t.refutes else Verdict.VERIFIED for t in found), *(r.verdict for r in left)]


def _stated(facts: Facts, claim: Claim, reading: str | None) -> list[Result]:
    """What is meant of a claim as a statement, each failure that only lesser findings explain as it is after corrections."""
    repaired = facts.results(claim, Edition.REPAIRED, reading)
    return but_for_misprints(claim, inside(claim, facts.results(claim, Edition.STATEMENT, reading)), repaired, facts.listings)


def _worst(results: Sequence[Result]) -> Verdict:
    order = list(Verdict)
    return max((r.verdict for r in results), key=order.index, default=Verdict.OPEN)


def _status(facts: Facts, claim: Claim, verdicts: Sequence[Verdict], false: bool) -> str:
    if false:
        mended = inside(claim, facts.results(claim, Edition.REPAIRED, None))
        return "true after correction" if mended and _worst(mended) is Verdict.VERIFIED else "false"
    return "true" if verdicts and set(verdicts) == {Verdict.VERIFIED} else "open"


def judgement(facts: Facts, row: Row, claim: Claim) -> Judgement:
    """How a row stands: over the parameters that are meant, the others in a footnote."""
    answers = [_answer(facts, r, claim, meant) for r in facts.paper.readings if (meant := _stated(facts, claim, r))]
    if len({a.brief for a in answers}) == 1:
        answers = [replace(answers[0], reading="")]
    default = facts.results(claim, Edition.STATEMENT, None)
    failing = next((r for r in _stated(facts, claim, None) if r.verdict is Verdict.REFUTED), None)
    degenerate = [r for r in default if claim.not_meant(r.parameters) is not None and r.verdict is Verdict.REFUTED]
    return Judgement(
        row.says,
        claim,
        tuple(answers) or (Answer("", (NOT_COMPUTED,), Verdict.OPEN, (NOT_COMPUTED,)),),
        _printed(facts, claim),
        in_words(claim, inside(claim, facts.results(claim, Edition.REPAIRED, None))),
        (_told(row, failing) or _example(facts, failing) or _smallest(failing)) if failing else "",
        failing.replay if failing else None,
        (*theorems([claim]), *theorems_of_steps(claim)),
        f"degenerate: {in_words(claim, degenerate)}" if degenerate else "",
    )


def _printed(facts: Facts, claim: Claim) -> str:
    """How the printed proof or witness does; where it fails for misprints and the like alone, that it holds but for these."""
    results = inside(claim, facts.results(claim, Edition.PRINTED, None))
    lesser = slighter(claim.id, facts.listings)
    mended = not any(r.verdict is Verdict.REFUTED for r in inside(claim, facts.results(claim, Edition.REPAIRED, None)))
    if lesser and mended and any(r.verdict is Verdict.REFUTED for r in results):
        return f"holds, but for misprints ({len(lesser)})"
    return in_words(claim, results)


def _answer(facts: Facts, reading: str, claim: Claim, meant: Sequence[Result]) -> Answer:
    """What theorems say for all parameters leads; the results that they leave over follow."""
    found, left = leading(claim, read_semantics(reading), meant)
    decided = [(t.refutes, f"{t.ranges} ({t.proof.kernel.capitalize()})") for t in found]
    spared = meant != inside(claim, facts.results(claim, Edition.STATEMENT, reading))
    misprints = len(slighter(claim.id, facts.listings)) if spared else 0
    text, brief = (led(decided, groups(claim, left, methods)) for methods in (True, False))
    return Answer(facts.paper.called[reading], text, _worst(meant), brief, misprints)


def led(by_theorems: Sequence[tuple[bool, str]], rest: Sequence[Group]) -> tuple[Said, ...]:
    """``true for every p >= 3 (Coq 8.16.1, theorem …), p = 2 (enumeration); false for p = 1``: theorems, with what agrees, come first."""
    said = [_said(group) for group in rest if group.word != OUTSIDE]
    for word, refutes in (("false", True), ("true", False)):
        if ranges := [stated for each, stated in by_theorems if each is refutes]:
            first, *others = next((group.at for group in rest if group.word == word and group.at), ("",))
            between = ", and for " if any(" and " in stated for stated in ranges) else ", "
            leading = Said(word, (f"{word} for {between.join([*ranges, *filter(None, [first])])}", *others))
            said = [leading, *(each for each in said if each.word != word or not first)]
    return tuple(said)


def _said(group: Group) -> Said:
    """``false for p = 3..8``; ``conditional on exact-entries p = 7``."""
    if not group.at:
        return Said(group.word, (str(group),))
    first, *others = group.at
    return Said(group.word, (f"{group.word} for {first}" if group.word.isalpha() else f"{group.word} {first}", *others))


def in_words(claim: Claim, results: Sequence[Result], methods: bool = False) -> str:
    """How the results stand: true, false or open for which parameters."""
    return "; ".join(map(str, led((), groups(claim, results, methods)))) or "not judged"


def abridged(parts: Sequence[str]) -> str:
    """The first of several lists of parameters."""
    return f"{parts[0]}{' and others' if len(parts) > 1 else ''}"


def _told(row: Row, failing: Result) -> str:
    """A counterexample as the row tells it; empty where it tells none, or one with other values."""
    found = {**{name: str(value) for name, value in failing.parameters.items()}, **(failing.outcome.counterexample or {})}
    said = " ".join(row.example.split())
    return with_slots(said, found) if all(name in found for name in SLOT.findall(said)) else ""


def _example(facts: Facts, failing: Result) -> str:
    """A counterexample as a finding tells it; empty where no finding tells this one.

    A finding may tell what refutes a step of the printed argument: that is no counterexample to the result.
    """
    for listing in facts.listings:
        entry, found = listing.finding.entry, listing.counterexample or {}
        if listing.smallest is None or not tells(_in_edition(facts, listing.smallest, failing.edition), failing):
            continue
        if entry.kind in SERIOUS and entry.example and all(name in found for name in SLOT.findall(entry.example)):
            return with_slots(" ".join(entry.example.split()), found)
    return ""


def _in_edition(facts: Facts, told: Result, edition: Edition) -> Result:
    """The result of another edition that has the same counterexample; the one that is told, where there is none."""
    there = (r for r in of_edition(facts.run.results.get(told.claim, ()), edition) if r.parameters == told.parameters)
    return next((r for r in there if r.outcome.counterexample == told.outcome.counterexample), told)


def tells(told: Result, failing: Result) -> bool:
    """Whether a finding tells the counterexample of a result: its own, or that of the part that refutes it, at the same parameters."""
    at = all(failing.parameters.get(name, value) == value for name, value in told.parameters.items())
    own = told.claim == failing.claim or told.claim in failing.outcome.parts
    return own and at and told.edition is failing.edition


def _smallest(result: Result) -> str:
    found = result.outcome
    shown = of_result(result)
    at = ", ".join(f"{k} = {v}" for k, v in result.parameters.items() if k not in shown)
    said = in_a_line(shown) if shown else spelled(found.reason or "")
    return f"{at}: {said}" if at and said else at or said

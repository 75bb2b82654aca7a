"""The standing of a result: is it true, and does its printed proof work? Only this module computes it.

A result asks questions, such as the two halves of a theorem. Each has an answer under each reading of the arithmetic: what is true, false
and open for which parameters, and by what evidence. Answers come from the verdicts of a run, or at the points of a request, and from
theorems of a kernel and proofs by symbols. They cover the parameters that the authors intend; the others are a footnote. A failure that
only misprints, slips and degenerate cases explain counts as the corrected result.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.file_records import RowEntry
from verifier.claims.kernel_proofs import Decided, deciding, tight
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, find_claim
from verifier.claims.parameters import Parameter
from verifier.claims.request import rests_on_ln2
from verifier.claims.verdicts import IN_WORDS, KERNEL, SHIPPED, Edition, Result, Verdict
from verifier.errata.by_name import claim_errata, named_errata
from verifier.errata.findings import SERIOUS, Finding
from verifier.errata.findings import listed as listed_findings
from verifier.errata.listings import Listing, faults, listings
from verifier.gate.by_symbols import Reach
from verifier.gate.point_sets import points_texts
from verifier.gate.run import Run
from verifier.language.syntax import names_in, parse
from verifier.proofs.domain import conjuncts
from verifier.running.grouping import grouped
from verifier.running.notebooks import Facts
from verifier.running.printable import joined

Word = Literal["true", "false", "conditional", "open", "declined"]
WORDS: Mapping[Verdict, Word] = {
    Verdict.VERIFIED: "true",
    Verdict.REFUTED: "false",
    Verdict.CONDITIONAL: "conditional",
    Verdict.OPEN: "open",
    Verdict.DECLINED: "declined",
}
SYMBOLS, ALL_INPUTS, COUNTEREXAMPLE = "symbols", "all inputs", "counterexample"
EVIDENCE = {
    KERNEL: SHIPPED,
    SYMBOLS: "computer algebra proves it for every parameter named",
    ALL_INPUTS: "every input was evaluated, or every state that the inputs can reach",
    "counting": "there are fewer messages than strings to tell apart",
    "search": "every choice was tried",
    "exact": "it was computed exactly at the parameters named, or for the whole statement if none are",
    COUNTEREXAMPLE: "one input makes it false; the command repeats that input",
}
"""The kinds of evidence, each with its meaning."""
METHODS = {
    "enumeration": ALL_INPUTS,
    "reachable": ALL_INPUTS,
    "replay": ALL_INPUTS,
    "counting": "counting",
    "matchings": "search",
    "combination": "search",
}
"""The first word of a judge's method that names a kind of evidence; other methods are exact computations."""
LN2 = "e^(k ln 2) = 2^k"
"""The assumption that the readings of a paper permit, in a table that has the factor ln 2."""
SPOKEN = {IN_WORDS: "an argument in words that no program checks"}
"""Assumptions whose names say too little."""

Status = Literal["true", "true in one order only", "false in one order, open in another", "false", "conditional", "open", "not judged"]
STATUSES: Mapping[str, str] = {
    "true": "true for all parameters that were judged and that the authors mean, in every order of evaluation",
    "true in one order only": "true in one order of evaluation, false or open in another",
    "false in one order, open in another": "false in one order of evaluation, and open in another",
    "false": "false for parameters that the authors mean",
    "open": f"we could not decide it, or only by an argument that no program checks; an answer that assumes {LN2} counts as decided",
}
"""The statuses of questions on pages that count them."""
MARKS: Mapping[str, str] = {
    "true": "✓",
    "true in one order only": "◐",
    "false in one order, open in another": "◐",
    "false": "✗",
    "conditional": "~",
    "open": "?",
    "not judged": "–",
}
"""The mark of a result is that of the question *is it true?*, never that of the printed edition."""


@dataclass(frozen=True)
class Part:
    """A word for some parameters. where: the parameters, product by product; by: the evidence, one of :data:`EVIDENCE`, or empty."""

    word: str
    where: tuple[str, ...] = ()
    by: str = ""

    def __str__(self) -> str:
        """``p = 2 (all inputs)``."""
        where = "; ".join(self.where)
        return where + (f" ({self.by})" if self.by else "")


@dataclass(frozen=True)
class Answer:
    """The answer to a question under a reading.

    reading: its id, or empty if all readings give the same answer. called: its name for readers. verdict: the worst of all parts.
    misprints: how many lesser findings alone explain failures, which do not count. ours: our constructions, not the printed one, on which
    true parts rest.
    """

    reading: str
    called: str
    parts: tuple[Part, ...]
    verdict: Verdict
    misprints: int = 0
    ours: tuple[str, ...] = ()

    @property
    def groups(self) -> list[tuple[str, str]]:
        """A text for each word: ``true for every p >= 3 (kernel), and for p = 2 (all inputs)``."""
        by_word = grouped((part.word, str(part).strip()) for part in self.parts)
        return [(word, _for(word, list(filter(None, texts)))) for word, texts in by_word.items()]

    @property
    def text(self) -> str:
        """The answer in a line."""
        return "; ".join(text for _, text in self.groups) + self.but

    @property
    def but(self) -> str:
        """``, after 2 small corrections``."""
        if not self.misprints:
            return ""
        small = small_corrections(self.misprints)
        return f", {small}" if self.verdict is Verdict.VERIFIED else f"; as printed it fails, but not {small}"

    @property
    def by_ours(self) -> str:
        """``, by our construction lemma-2.6:denominator-first``; empty if no true part rests on one."""
        return f", by our construction{'s' if len(self.ours) > 1 else ''} {' and '.join(self.ours)}" if self.ours else ""


def small_corrections(count: int) -> str:
    """``after 2 small corrections``. Misprints, slips and degenerate cases do not count against a result."""
    return f"after {count} small correction{'' if count == 1 else 's'}"


def _for(word: str, at: Sequence[str]) -> str:
    """``true for every p >= 3 (kernel), and for p = 2 (all inputs)``."""
    if not at:
        return word
    if all(text.startswith("(") for text in at):
        return f"{word} {', '.join(at)}"
    between = ", and for " if any(" and " in text for text in at) else ", "
    return f"{word} for {between.join(at)}"


@dataclass(frozen=True)
class Printed:
    """Whether the printed proof or witness works.

    works: ``works``, ``corrected``, ``fails`` or ``undecided``; corrections: the findings that concern it, if those of the paper are
    known; where: the parameters for which it works, as printed or corrected; first: the first argument step that fails; at: the
    parameters for which it fails, if not all; misprints: the lesser findings that alone explain failures, which do not count; replay:
    the command that shows the first failure.
    """

    works: Literal["works", "corrected", "fails", "undecided"]
    corrections: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    first: Claim | None = None
    at: str = ""
    misprints: int = 0
    replay: str | None = None

    def __str__(self) -> str:
        """The result in a line, with claims by their names."""
        where = f" for {'; '.join(self.where)}" if self.where else ""
        where += f", {small_corrections(self.misprints)}" if self.misprints else ""
        fails = f"fails{f' for {self.at}' if self.at else ''}" + (f", first at {self.first.name}" if self.first else "")
        match self.works:
            case "works":
                return f"works{where}"
            case "corrected":
                count = len(self.corrections)
                return f"{fails}; works after {count or 'our'} correction{'' if count == 1 else 's'}{where}"
            case "fails":
                return fails
            case _:
                return "fails only because of small mistakes; after their correction it is not decided" if self.misprints else "not decided"


@dataclass(frozen=True, repr=False)
class Question(Facts):
    """A half of a result, or the whole result if it has no halves.

    says: in words, empty for the result itself; claim: the claim that decides it; answers: one, if all readings agree.
    corrected: the standing of the corrected claim, if it is false as written. failing: the smallest counterexample at intended parameters.
    degenerate: a footnote.
    """

    says: str
    claim: Claim
    answers: tuple[Answer, ...]
    status: Status
    proof: Printed | None = None
    corrected: str = ""
    assumes: tuple[str, ...] = ()
    failing: Result | None = None
    degenerate: tuple[Part, ...] = ()
    example: str = ""

    def caption(self) -> str:
        return self.says or self.claim.id

    def facts(self) -> dict[str, str | None]:
        said = {answer.called or "answer": answer.text for answer in self.answers}
        return {**said, "printed proof": str(self.proof or ""), "degenerate points": self.footnote.removeprefix("degenerate: ")}

    @property
    def footnote(self) -> str:
        """``degenerate: false for p = 1``."""
        return f"degenerate: {'; '.join(_for(part.word, [str(part)]) for part in self.degenerate)}" if self.degenerate else ""

    def to_dict(self) -> dict[str, Any]:
        """The document for JSON, in which every quantity is a text."""
        return {
            "question": self.says or self.claim.statement,
            "claim": self.claim.id,
            "status": self.status,
            "answers": [
                {
                    "reading": answer.reading or None,
                    "called": answer.called or None,
                    "parts": [{"answer": p.word, "for": list(p.where), "by": p.by or None} for p in answer.parts],
                    "misprints": str(answer.misprints),
                }
                for answer in self.answers
            ],
            "assumes": list(self.assumes),
            "proof": str(self.proof) if self.proof else None,
            "corrected": self.corrected or None,
            "counterexample": dict(self.failing.outcome.counterexample or {}) if self.failing else None,
            "replay": self.failing.replay if self.failing else None,
            "degenerate": self.footnote or None,
        }


@dataclass(frozen=True, repr=False)
class Standing:
    """The record of a result.

    exists: the object whose existence the result claims, if the answers are about the proof's own example; findings: those that concern it:
    first those that name the step that fails first, and among these the most serious first.
    """

    claim: Claim
    questions: tuple[Question, ...]
    findings: tuple[Finding, ...] = ()
    exists: str = ""

    def __repr__(self) -> str:
        return f"{self.mark} {self.claim.id}: {self.status}"

    @cached_property
    def status(self) -> Status:
        """The worst status of the questions under each reading; a refutation of the proof's own example leaves the existence of another
        open."""
        readings = {answer.reading for question in self.questions for answer in question.answers}
        judged = (self._worst(reading) for reading in (readings - {""} or readings))
        return how_it_stands([Verdict.OPEN if self.exists and worst is Verdict.REFUTED else worst for worst in judged])

    def _worst(self, reading: str) -> Verdict:
        answers = [answer for question in self.questions for answer in question.answers if answer.reading in (reading, "")]
        return max((answer.verdict for answer in answers), key=list(Verdict).index)

    @property
    def mark(self) -> str:
        return MARKS[self.status]

    @property
    def kinds(self) -> list[str]:
        """The kinds of evidence of its answers."""
        return list(dict.fromkeys(part.by for q in self.questions for answer in q.answers for part in answer.parts if part.by))

    @property
    def says_false(self) -> bool:
        """Whether an answer is false."""
        return any(part.word == "false" for q in self.questions for answer in q.answers for part in answer.parts)

    def to_dict(self) -> dict[str, Any]:
        """For JSON, ``bitreferee/standing/1``."""
        return {
            "schema": "bitreferee/standing/1",
            "claim": self.claim.id,
            "status": self.status,
            "exists": self.exists or None,
            "questions": [q.to_dict() for q in self.questions],
            "findings": [f.id for f in self.findings],
        }


@dataclass(frozen=True, eq=False)
class Known:
    """A paper with the verdicts of a run, over typical parameters or at the points of a command.

    whole: whether answers cover all parameters of a theorem; else those of the run.
    """

    paper: Paper
    run: Run
    whole: bool = True
    _standings: dict[str, Standing] = field(default_factory=dict)
    _concerning: dict[str, tuple[Finding, ...]] = field(default_factory=dict)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return listed_findings(self.paper)

    @cached_property
    def listings(self) -> tuple[Listing, ...]:
        """The findings with their consequences in this run, the most serious first."""
        return listings(self.paper, self.run.results, self.run.follows)

    @cached_property
    def faults(self) -> tuple[str, ...]:
        """Failures that no finding explains, and findings that the run contradicts; none for a paper without findings."""
        return tuple(faults(self.paper, self.listings, self.run.results)) if self.findings else ()

    def results(self, claim: Claim, edition: Edition, reading: str | None) -> list[Result]:
        """The results of a claim under a reading; the paper's first if none is named."""
        first = reading is None or reading == next(iter(self.paper.readings))
        return of_edition((self.run.results if first else self.run.readings.get(str(reading), {})).get(claim.id, ()), edition)

    def reach(self, claim: Claim, edition: Edition = Edition.STATEMENT) -> Reach:
        """The extent to which symbols prove an edition of the claim, or empty if that was not computed."""
        return self.run.symbols.get(claim.id, {}).get(edition.value, "")

    def standing(self, claim: Claim) -> Standing:
        """The standing of a claim, computed once."""
        if claim.id not in self._standings:
            self._standings[claim.id] = standing(self, claim)
        return self._standings[claim.id]

    def concerning(self, claim: Claim) -> tuple[Finding, ...]:
        """The findings about a claim, its parts or its argument steps, or with errata of these; computed once."""
        if claim.id not in self._concerning:
            self._concerning[claim.id] = _concerning(claim, self.findings)
        return self._concerning[claim.id]


def standing(source: Known, claim: Claim) -> Standing:
    """Compute the standing of a result from the rows of its file, or from the result alone if it has none."""
    rows = claim.rows or (RowEntry(says="", claim=claim.id),)
    refuted = any(r.verdict is Verdict.REFUTED for r in _meant(source, claim, None))
    asked = tuple(_question(source, row, claim if row.claim == claim.id else find_claim(row.claim)) for row in rows)
    concerned = {f.id for each in (claim, *(q.claim for q in asked)) for f in source.concerning(each)}
    first = {step.id: step for q in asked if q.proof and (step := q.proof.first)}
    errata = {name for step in first.values() for name in claim_errata(step)}
    found = sorted((f for f in source.findings if f.id in concerned), key=lambda f: not f.concerns(first, errata))
    exists = claim.exists if claim.exists and claim.rows and not refuted else ""
    return Standing(claim, asked, tuple(found), exists)


def counted(listed: Iterable[Standing]) -> dict[str, int]:
    """Count the questions by status; a question of two results counts once."""
    asked = {(q.says, q.claim.id): q.status for each in listed for q in each.questions}
    counts: Counter[str] = Counter("open" if status in ("conditional", "not judged") else status for status in asked.values())
    return {status: counts[status] for status in STATUSES}


def _question(source: Known, row: RowEntry, claim: Claim) -> Question:
    answers = [made for reading in source.paper.readings if (made := answer(source, claim, reading)) is not None]
    if len({(a.parts, a.misprints) for a in answers}) == 1:
        answers = [replace(answers[0], reading="", called="", ours=tuple(dict.fromkeys(name for a in answers for name in a.ours)))]
    stated = source.results(claim, Edition.STATEMENT, None)
    false = [r for r in _meant(source, claim, None) if r.verdict is Verdict.REFUTED]
    degenerate = [r for r in stated if claim.not_meant(r.parameters) is not None and r.verdict is Verdict.REFUTED]
    repaired = inside(claim, source.results(claim, Edition.REPAIRED, None))
    assumed = tuple(dict.fromkeys(a for r in stated if r.verdict is Verdict.VERIFIED for a in r.outcome.assumptions))
    return Question(
        row.says,
        claim,
        tuple(answers),
        how_it_stands([answer.verdict for answer in answers]),
        printed_proof(source, claim),
        in_words(claim, repaired) if false and repaired else "",
        (*([LN2] if rests_on_ln2(claim) else []), *assumed),
        false[0] if false else None,
        tuple(parts_of(claim, degenerate)),
        row.example,
    )


def our_constructions(claim: Claim, results: Sequence[Result]) -> tuple[str, ...]:
    """The steps of ours with a table that is the witness of a true result, where the printed table is none."""
    made = {r.outcome.witness for r in results if r.verdict is Verdict.VERIFIED}
    tables = {step.name: step.table.file_name for step in claim.steps if step.ours and step.table is not None}
    return tuple(name for name, file in tables.items() if file in made and claim.table is not None and file != claim.table.file_name)


def how_it_stands(verdicts: Sequence[Verdict]) -> Status:
    """The status of a question or a result, from its verdict under each reading."""
    known = set(verdicts) - {Verdict.DECLINED}
    if not known:
        return "not judged"
    if known == {Verdict.VERIFIED}:
        return "true"
    if known == {Verdict.REFUTED}:
        return "false"
    if Verdict.VERIFIED in known and (Verdict.REFUTED in known or Verdict.OPEN in known):
        return "true in one order only"
    if Verdict.REFUTED in known:
        return "false in one order, open in another"
    return "open" if Verdict.OPEN in known else "conditional"


def answer(source: Known, claim: Claim, reading: str) -> Answer | None:
    """The answer to a claim under a reading, from theorems, then from symbols, then from other results. The result is None if nothing is
    known.
    """
    meant = _meant(source, claim, reading)
    own = inside(claim, source.results(claim, Edition.STATEMENT, reading))
    semantics = read_semantics(reading)
    first = reading == next(iter(source.paper.readings))
    theorems, left = leading(claim, semantics, meant, source.whole)
    if not own and not (theorems and source.results(claim, Edition.STATEMENT, reading)) and not (first and source.reach(claim)):
        return None
    proved = grouped(("false" if theorem.refutes else "true", theorem) for theorem in theorems)
    parts = [Part(word, tuple(ranges_of(listed)), KERNEL) for word, listed in proved.items()]
    spared = meant != own
    reach = source.reach(claim, Edition.REPAIRED if spared else Edition.STATEMENT) if first or not claim.bounded else ""
    if reach and all(r.verdict in (Verdict.VERIFIED, Verdict.OPEN) for r in left):
        parts.append(Part("true", (_every(claim, reach),) if claim.parameters else (), SYMBOLS))
        left = []
    parts += parts_of(claim, left, meant)
    verdicts = [Verdict.REFUTED if p.word == "false" else Verdict.VERIFIED for p in parts if p.by in (KERNEL, SYMBOLS)]
    order = list(Verdict)
    worst = max((*verdicts, *(r.verdict for r in left)), key=order.index, default=Verdict.OPEN)
    count = len(source.concerning(claim)) if spared else 0
    return Answer(reading, source.paper.called[reading], tuple(_by_word(parts)), worst, count, our_constructions(claim, meant))


def _range(theorem: Decided) -> str:
    """The range of a theorem; :func:`_whole` if it is the whole domain of these parameters."""
    asked = set(conjuncts(parse(theorem.where)))
    named = [p for p in theorem.claim.parameters if any(p.name in names_in(part) for part in asked)]
    domain = {part for p in named if p.where for part in conjuncts(parse(p.where))}
    return _whole(named) if asked == domain else theorem.ranges


def _whole(parameters: Sequence[Parameter]) -> str:
    """``every p and s <= 2**p - 1``: parameters, with the conditions of their domain that relate several."""
    names = [p.name for p in parameters]
    parts = dict.fromkeys(part for p in parameters if p.where for part in conjuncts(parse(p.where)))
    related = [tight(part) for part in parts if len(names_in(part) & {*names}) > 1]
    own = {name: text for name in names for text in related if text.startswith(f"{name} ")}
    others = [text for text in related if text not in own.values()]
    return f"every {joined([own.get(name, name) for name in names])}{' with ' if others else ''}{' and '.join(others)}"


def ranges_of(theorems: Sequence[Decided]) -> list[str]:
    """The ranges of theorems: ``every p >= 2 and n > p`` for ``every p >= 3 and n > p`` and ``p = 2 and every n > p``."""
    ranges = [_range(theorem) for theorem in theorems]
    found = list(ranges)
    for from_here in ranges:
        if (head := re.match(r"every (\w+) >= (\d+)(?: and (.*))?$", from_here)) is not None:
            name, first, rest = head[1], int(head[2]) - 1, head[3]
            before = f"{name} = {first}" + (f" and every {rest}" if rest else "")
            if before in found:
                found.remove(before)
                found[found.index(from_here)] = from_here.replace(f">= {first + 1}", f">= {first}", 1)
    return found


def _by_word(parts: Sequence[Part]) -> list[Part]:
    """Sort the parts so that those with the same word stand together."""
    words = list(dict.fromkeys(part.word for part in parts))
    return sorted(parts, key=lambda part: words.index(part.word))


def _every(claim: Claim, reach: Reach) -> str:
    """The parameters that symbols cover."""
    if reach == "meant":
        meant = " and ".join(p.meant for p in claim.parameters if p.meant)
        return f"every {meant}" if meant else "all parameters that are meant"
    return _whole([p for p in claim.parameters if not p.names])


def parts_of(claim: Claim, results: Sequence[Result], among: Sequence[Result] = ()) -> list[Part]:
    """The results by word and evidence, each group with its parameters."""
    groups = grouped(((word(r), evidence(r)), r) for r in results if r.verdict is not Verdict.DECLINED)
    return [Part(word, tuple(map(spoken, points_texts(claim, listed, among or results))), by) for (word, by), listed in groups.items()]


def word(result: Result) -> str:
    """``true``, ``false``, ``conditional on exact-entries``."""
    on = ", ".join(SPOKEN.get(assumption, assumption) for assumption in result.outcome.assumptions)
    return f"{WORDS[result.verdict]} on {on}" if on else WORDS[result.verdict]


def evidence(result: Result) -> str:
    """The evidence of a result, one of :data:`EVIDENCE`, or empty if it decides nothing."""
    if result.verdict is Verdict.REFUTED:
        return COUNTEREXAMPLE
    if result.verdict is not Verdict.VERIFIED:
        return ""
    method = result.outcome.scope.method or ""
    if method in (KERNEL, "symbolic"):
        return KERNEL if method == KERNEL else SYMBOLS
    return next((kind for name, kind in METHODS.items() if method.startswith(name) or f" {name}" in method), "exact")


def in_words(claim: Claim, results: Sequence[Result]) -> str:
    """Results in words: ``true for p = 2..4 (all inputs); open for p = 5..8``."""
    made = Answer("", "", tuple(_by_word(parts_of(claim, results))), Verdict.OPEN)
    return made.text or "not judged"


def printed_proof(source: Known, claim: Claim) -> Printed | None:
    """Whether a claim's printed proof or witness works at the intended parameters, or None if the paper prints none."""
    results = inside(claim, source.results(claim, Edition.PRINTED, None))
    if not results or not (claim.steps or claim.table is not None or claim.parts):
        return None
    concerned = source.concerning(claim)
    repaired = inside(claim, source.results(claim, Edition.REPAIRED, None))
    lesser = bool(concerned) and not any(f.kind in SERIOUS for f in concerned)
    mended = but_for_misprints(results, repaired) if lesser else results
    failing = [r for r in mended if r.verdict is Verdict.REFUTED]
    reach = source.reach(claim, Edition.PRINTED if mended == results else Edition.REPAIRED) if claim.parameters else ""
    if not failing:
        works = [r for r in mended if r.verdict is Verdict.VERIFIED]
        where = (_every(claim, reach),) if reach else _texts(claim, works, mended)
        spared = len(concerned) if mended != results else 0
        return Printed("works", where=where, misprints=spared) if works else Printed("undecided", misprints=spared)
    at = "; ".join(_texts(claim, failing, results)) if len(failing) < len(results) else ""
    first = _first_failing(source, claim, failing[0])
    own, follows = {*claim_errata(claim)}, source.run.follows
    causes = [f for f in concerned if f.id not in follows or claim.id in follows[f.id].every or not own.isdisjoint(f.errata)]
    causes = causes or list(concerned)
    needed = (tuple(f.id for f in causes if f.kind in SERIOUS) or tuple(f.id for f in causes)) if source.whole else ()
    theorems = list(deciding(claim, Edition.REPAIRED, DEFAULT_SEMANTICS)) if source.whole else []
    wrong = [r.parameters for r in failing]
    works = [r for r in repaired if r.verdict is Verdict.VERIFIED and not any(t.covers(r.parameters) for t in theorems)]
    works = [r for r in works if r.parameters in wrong]  # elsewhere it needs no correction
    if works or theorems:
        return Printed(
            "corrected", needed, (*(t.ranges for t in theorems), *_texts(claim, works, repaired)), first, at, 0, failing[0].replay
        )
    return Printed("fails", needed, (), first, at, 0, failing[0].replay)


def _first_failing(source: Known, claim: Claim, failing: Result) -> Claim | None:
    """The first argument step that is refuted as printed at the parameters where the proof fails first."""
    for step in claim.steps:
        if step.role == "argument" and not step.ours:
            for result in source.results(step, Edition.PRINTED, None):
                if result.verdict is Verdict.REFUTED and all(failing.parameters.get(k, v) == v for k, v in result.parameters.items()):
                    return step
    return next((step for step in claim.steps if step.id == failing.outcome.felled_by), None)


def proof_of(claim: Claim) -> dict[str, Claim]:
    """A claim, its parts, theirs, and the argument steps of all of them."""
    walked: dict[str, Claim] = {}

    def walk(each: Claim, whole: bool) -> None:
        if each.id in walked:
            return
        walked[each.id] = each
        for part in each.parts if whole else ():
            walk(find_claim(part.claim), True)
        for step in each.steps if whole else ():
            if step.role == "argument":
                walk(step, False)

    walk(claim, True)
    return walked


def _concerning(claim: Claim, listed: Sequence[Finding]) -> tuple[Finding, ...]:
    walked = proof_of(claim)
    errata = named_errata(walked.values())
    whole = {*errata, *(name.partition("#")[0] for name in errata)}
    return tuple(f for f in listed if f.concerns(walked, whole))


def _meant(source: Known, claim: Claim, reading: str | None) -> list[Result]:
    """The results at intended parameters; a failure that only lesser findings explain is replaced by the corrected result."""
    own = inside(claim, source.results(claim, Edition.STATEMENT, reading))
    if not any(r.verdict is Verdict.REFUTED for r in own):
        return own
    concerned = source.concerning(claim)
    if not concerned or any(f.kind in SERIOUS for f in concerned):
        return own
    return but_for_misprints(own, source.results(claim, Edition.REPAIRED, reading))


def but_for_misprints(results: Sequence[Result], repaired: Sequence[Result]) -> list[Result]:
    """The results, each failure replaced by the corrected result, if that does not fail as well."""
    after = {tuple(r.parameters.items()): r.outcome for r in repaired if r.verdict is not Verdict.REFUTED}
    mended = ((r, after.get(tuple(r.parameters.items())) if r.verdict is Verdict.REFUTED else None) for r in results)
    return [r if outcome is None else replace(r, outcome=outcome) for r, outcome in mended]


def inside(claim: Claim, results: Iterable[Result]) -> list[Result]:
    """The results at parameters that the authors intend, without declined ones."""
    return [r for r in results if r.verdict is not Verdict.DECLINED and claim.not_meant(r.parameters) is None]


def of_edition(results: Sequence[Result], edition: Edition) -> list[Result]:
    """The results of one edition, in their order."""
    return [r for r in results if r.edition is edition]


def leading(claim: Claim, semantics: Semantics, results: Sequence[Result], whole: bool = True) -> tuple[list[Decided], list[Result]]:
    """The theorems that decide a claim in a reading, and the results that remain: outside their parameters, or against them.

    whole: also count theorems that cover none of the results.
    """
    found = _theorems(claim, semantics, whole)
    if not whole:
        found = [theorem for theorem in found if any(_agrees(theorem, r) for r in results)]
    return found, [r for r in results if not any(_agrees(theorem, r) for theorem in found)]


def _theorems(claim: Claim, semantics: Semantics, whole: bool) -> list[Decided]:
    """The theorems on a claim; if it is a conjunction at the same parameters, those that all its parts have for the same ranges."""
    own = list(deciding(claim, Edition.STATEMENT, semantics, whole))
    if own or claim.judge is not None or not claim.parts or any(part.parameters for part in claim.parts):
        return own
    first, *others = (_theorems(find_claim(part.claim), semantics, whole) for part in claim.parts)
    return [t for t in first if all((t.ranges, t.refutes) in ((o.ranges, o.refutes) for o in other) for other in others)]


def _agrees(theorem: Decided, result: Result) -> bool:
    """Whether a theorem decides a result's point; a result that is open there does not contradict it."""
    says = Verdict.REFUTED if theorem.refutes else Verdict.VERIFIED
    return result.verdict in (says, Verdict.OPEN) and theorem.covers(result.parameters)


def _texts(claim: Claim, results: Sequence[Result], among: Sequence[Result]) -> tuple[str, ...]:
    return tuple(map(spoken, points_texts(claim, results, among))) if results else ()


def spoken(points: str) -> str:
    """``p = 3..8`` for ``p=3..8``, ``t = 3..4, e = 2..4`` for ``t=3..4 e=2..4``."""
    return re.sub(r"(?<=\d) (?=\w+ = )", ", ", re.sub(r"(\w)=", r"\1 = ", points)).replace(",", ", ").replace(",  ", ", ")

"""One Markdown page for each paper: the letter that a referee sends. True results come first. Traces and steps are on the site."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import Paper
from verifier.claims.parameters import ALL
from verifier.claims.points import parameter_words
from verifier.claims.verdicts import KERNEL, Edition, Result, Verdict
from verifier.errata.findings import CLASSES, MEANING, SLOT, Finding
from verifier.errata.listings import Listing
from verifier.gate.run import Run
from verifier.gate.standing import EVIDENCE, STATUSES, SYMBOLS, Question, Standing, leading
from verifier.gate.verdict_table import TABLE
from verifier.running.grouping import grouped
from verifier.running.printable import joined
from verifier.running.shelf import SHELF
from verifier.show.answers import named, proof_line, together
from verifier.show.corrections import Row, correction_rows, corrections
from verifier.show.counterexamples import in_a_line, of_listing, rounded
from verifier.show.judged import Judged, judged_by, number, read_letter
from verifier.show.markdown import Written, template
from verifier.show.own_pages import own_pages
from verifier.show.verdict_words import spelled, titled

GENERATED = Written("<!-- Written by `verify report`; edit the claims and the findings, not this page. -->")
MOST_MAJOR = 8
"""The largest number of major points in a letter; other findings are rows of the table of corrections."""
MOST_OPEN = 4
MOST_WORDS = 1200
"""About two pages."""
CORRECTIONS = "corrections"
"""The name of the page of a paper's corrections."""


def letter_files(paper: Paper, run: Run) -> dict[str, str]:
    """The letter on a paper by the name of its file, and, if it has no room for all corrections, a page of these; the result is always the
    same.

    A letter has at most :data:`MOST_WORDS` words and :data:`MOST_MAJOR` major points: as many of the most serious findings as fit. A line
    counts the points that are left out.
    """
    judged = judged_by(run, paper)
    most = len(judged.serious[:MOST_MAJOR])
    for count, beside in ((most, False), *((count, True) for count in range(most, -1, -1))):
        made = _letter(judged, count, beside)
        if words(made) <= MOST_WORDS:
            break
    return {f"{paper.id}.md": made, **({f"{paper.id}-{CORRECTIONS}.md": corrections_page(judged)} if beside else {})}


def verdicts_beside(program: str) -> str:
    """The link from a page to the table of verdicts: beside the program's own pages, and beside the folder of those of other papers."""
    return TABLE if program == "verify" else f"../{TABLE}"


def words(text: str) -> int:
    """Count the words of a page; signs and the bars of tables do not count."""
    return sum(bool(re.search(r"\w", word)) for word in text.replace("|", " ").split())


def _letter(judged: Judged, count: int, beside: bool) -> str:
    """Write the letter with ``count`` major points in full. beside: the corrections have a page of their own."""
    paper, major = judged.paper, judged.serious[:count]
    return template("page.md.jinja").render(
        generated=GENERATED,
        paper=paper,
        scanned=SHELF.program(paper.id) == "verify",
        here=judged,
        results=together(judged.main),
        parameters=parameters_named(judged.main),
        existence=existence(judged.main),
        assumed=assumed(judged.main),
        readings=[(paper.called[name], says) for name, says in paper.readings.items()] if judged.run.readings else [],
        major=[_point(paper, listing) for listing in major],
        further=len(judged.serious) - count,
        changes=[] if beside else _changes(judged, major),
        beside=f"{paper.id}-{CORRECTIONS}.md" if beside else "",
        open=[*judged.letter.open, *_undecided(judged)],
        table=_with_certificate(judged),
        kernel=any(part.by == KERNEL for each in judged.main for q in each.questions for a in q.answers for part in a.parts),
        verify=SHELF.program(paper.id),
        verdicts=verdicts_beside(SHELF.program(paper.id)),
        number=number,
        proof=partial(_proof, points=[listing.finding for listing in major], listed=[o.finding for o in judged.listings]),
        symbols=_by_symbols(judged),
        own=[{"name": own.name(paper), "says": own.says} for own in own_pages(paper)],
    )


def _proof(question: Question, points: Sequence[Finding], listed: Sequence[Finding] = ()) -> str:
    """Say whether the printed proof works; the points of the letter that say why not stand in place of the step that fails first.

    Of a part without a proof that is false, the points about it, and the corrections if others of the findings are about it.
    """
    proof = question.proof
    because = proof.corrections if proof else [f.id for f in points if question.failing and question.claim in f.about]
    told = [str(at) for at, finding in enumerate(points, 1) if finding.id in because]
    see = f"point{'s' if len(told) > 1 else ''} {joined(told)}"
    if not proof:
        corrected = question.failing and any(question.claim in f.about for f in listed if f not in points)
        places = [*([see] if told else []), *(["the corrections"] if corrected else [])]
        return f"see {' and '.join(places)}" if places else ""
    if not told:
        return proof_line(question)
    fails, after, works = proof_line(replace(question, proof=replace(proof, first=None))).partition("; works after")
    return f"{fails} ({see}){after}{works}"


def corrections_page(judged: Judged) -> str:
    """All corrections of a paper: where, what to read, for what."""
    verify = SHELF.program(judged.paper.id)
    made = template("corrections.md.jinja")
    return made.render(
        generated=GENERATED, paper=judged.paper, here=judged, changes=_changes(judged, []), scanned=verify == "verify", verify=verify
    )


def _changes(judged: Judged, told: Sequence[Listing]) -> list[Row]:
    return [row for o in judged.listings if o not in told for row in correction_rows(judged.paper, o.finding)]


def assumed(results: Sequence[Standing]) -> dict[tuple[str, ...], str]:
    """The assumptions of the answers *true* to some question, each with a mark for its cell in the table."""
    every = dict.fromkeys(question.assumes for result in results for question in result.questions if question.assumes)
    return dict(zip(every, "†‡§¶", strict=False))


def _with_certificate(judged: Judged) -> str:
    """``lemma-2.6:table-6 --p 7 --n 30 --edition printed``: the first run of a printed table that has a certificate, or empty without
    one.
    """
    for claim in judged.paper:
        if claim.table is None or claim.table.claim != claim.id:
            continue
        for result in judged.run.results.get(claim.id, ()):
            found = result.outcome
            decided = found.verdict in (Verdict.VERIFIED, Verdict.REFUTED) and "defect" not in (found.counterexample or {})
            if decided and result.edition is Edition.PRINTED:
                return " ".join([claim.name, *parameter_words(result.parameters), "--edition", "printed"])
    return ""


def _by_symbols(judged: Judged) -> str:
    """``piecewise-affine/equation-1 --n all --w all --verbose``: the first answer that rests on symbols, or empty without one."""
    for question in (q for each in judged.main for q in each.questions):
        if any(part.by == SYMBOLS for answer in question.answers for part in answer.parts):
            return " ".join([question.claim.id, *parameter_words({p.name: ALL for p in question.claim.parameters}), "--verbose"])
    return ""


def overview(listed: Sequence[Paper], runs: Mapping[str, Run]) -> str:
    """``reports/README.md``: all papers, the standing of the questions of their main results, and where to read and check the rest."""
    made = [judged_by(runs[paper.id], paper) for paper in listed]
    program = SHELF.program(listed[0].id) if listed else "verify"
    return template("overview.md.jinja").render(
        generated=GENERATED,
        papers=made,
        existence=existence,
        assumed=assumed,
        named=named,
        gravest=gravest(made),
        classes=CLASSES,
        meaning=MEANING,
        evidence=EVIDENCE,
        program=program,
        shipped=program == "verify",
        check=f"{program} gate --pages",
        table=verdicts_beside(program),
        statuses={status: says for status, says in STATUSES.items() if any(each.statuses[status] for each in made)},
    )


def gravest(listed: Sequence[Judged]) -> list[tuple[Judged, dict[str, Any]]]:
    """The gravest mistake of each paper that has a serious one, as a major point."""
    return [(each, _point(each.paper, each.serious[0])) for each in listed if each.serious]


def _point(paper: Paper, listing: Listing) -> dict[str, Any]:
    """A major point: its title, place, example, correction, and the one command that shows it."""
    entry = listing.finding.entry
    return {
        "title": entry.title,
        "place": head(entry.place),
        "example": example(listing),
        "correction": correction(paper, listing),
        "replay": listing.replay or f"{SHELF.program(paper.id)} findings {entry.id}",
    }


def parameters_named(results: Sequence[Standing]) -> list[tuple[str, str]]:
    """The parameters that the answers name, each with the shortest meaning that a claim gives, without its conditions."""
    asked = [question for result in results for question in result.questions]
    said = " ".join(answer.text for question in asked for answer in question.answers)
    parameters = (p for question in asked for p in question.claim.parameters if re.search(rf"\b{p.name} (?:=|>=) ", said))
    meanings = grouped((p.name, re.split("[,;]", p.meaning)[0]) for p in parameters)
    return [(name, min(listed, key=len)) for name, listed in meanings.items()]


def existence(results: Sequence[Standing]) -> list[str]:
    """Say of the results that claim existence that their answers are about the example in the proof."""
    by_object = grouped((result.exists, result.claim.name) for result in results if result.exists)
    claim = {what: f"{named(names)} claim{'s' if len(names) == 1 else ''} only that some {what} works" for what, names in by_object.items()}
    return [f"{says}. An answer *false* is about the proof's {what}; the theorem stays open." for what, says in claim.items()]


def head(place: str) -> str:
    """The first part of a place: ``Appendix B.2, Table 6`` of ``Appendix B.2, Table 6, steps 1, 11 and 19``."""
    first = re.split(r"; |: |, against | \((?!\d+\))", place)[0]
    return ", ".join(re.split(r", (?=[A-Za-z])", first)[:2])


def example(listing: Listing) -> str:
    """The smallest counterexample in a sentence: in the finding's words, or the values by name."""
    found = listing.counterexample or {}
    if found and listing.finding.entry.example:
        return listing.finding.example({name: _short(text) for name, text in found.items()})
    return f"Smallest example: {in_a_line(of_listing(listing))}." if found else ""


def _short(text: str) -> str:
    """A value with its long fractions rounded."""
    return re.sub(r"-?\d+/\d+", lambda found: f"≈ {near}" if (near := rounded(found[0])) else found[0], text)


def correction(paper: Paper, listing: Listing) -> str:
    """The change that the authors would make: the finding's own sentence, or that of its first erratum that fits one."""
    if listing.finding.entry.correction:
        return " ".join(listing.finding.entry.correction.split())
    return next((c.said for c in corrections(paper, listing.finding) if c.in_words or (c.short and c.entry)), "")


def _undecided(judged: Judged) -> list[str]:
    """List the open statements that no sentence of the letter names. Statements with the same reason share a line."""
    lines: dict[str, list[str]] = {}
    made = read_letter(judged.paper)
    told = " ".join(text for sentence in (made.open if made else ()) for text in (*sentence.needs, *SLOT.findall(sentence.says))).split()
    first = read_semantics(next(iter(judged.paper.readings)))
    for claim in judged.paper.statements():
        if claim.name in told or "open" not in (q.status for q in judged.standing(claim).questions):
            continue
        for question in judged.standing(claim).questions:
            results = judged.results(question.claim, Edition.STATEMENT, None)
            open_ = [r for r in leading(question.claim, first, results)[1] if r.verdict is Verdict.OPEN]
            if question.status == "open" and open_:
                lines.setdefault(_why_open(judged, open_[0]), []).append(titled(claim.name))
    by_reason = {why: list(dict.fromkeys(names)) for why, names in lines.items()}
    return [f"{', '.join(names[:MOST_OPEN])}{' and others' if len(names) > MOST_OPEN else ''}{why}." for why, names in by_reason.items()]


def _why_open(judged: Judged, result: Result) -> str:
    """``: `` and why a result is open: which parts or steps are open, or what would decide it."""
    found = result.outcome
    open_ = [name for name in found.parts if name in judged.claims and judged.standing(judged.claims[name]).status == "open"]
    if open_:
        return f": rests on {joined([titled(judged.claims[name].name) for name in open_])}, which {'is' if len(open_) == 1 else 'are'} open"
    return f": {spelled(found.undecided or found.reason or 'no evidence')}"

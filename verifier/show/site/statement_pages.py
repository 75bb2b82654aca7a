"""The page of a statement: what it says, how it stands, its proof's steps, and every point that was judged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.show.corrections import FIELDS, corrections_of
from verifier.show.counterexamples import in_a_line, of_result
from verifier.show.main_results import main_result
from verifier.show.pictures import verdicts
from verifier.show.site.judged import Judged, link
from verifier.show.site.tables import table_path, tables
from verifier.show.site.templates import page
from verifier.show.theorems import theorems
from verifier.show.verdict_words import MARK, Stand, points_text, standing, stands, titled, word

STATUS = {Edition.STATEMENT: "is it true", Edition.PRINTED: "as printed", Edition.REPAIRED: "with our errata"}

STEPS = (
    ("What its proof and remarks say, step by step", "The mark is for the step as printed. Nothing rests on an aside.", False),
    ("What we asked besides", "The paper does not claim these.", True),
)
"""The steps of a statement: the paper's and ours, with a sentence on them."""


def statement_page(judged: Judged, claim: Claim) -> str:
    """One statement with its steps."""
    readings = {name: listed[claim.id] for name, listed in judged.run.readings.items() if claim.id in listed}
    first = next(iter(judged.paper.readings), "")
    order = judged.paper.order
    place = order.index(claim.name)
    return page(
        "statement.html.jinja",
        judged.page(claim.id),
        titled(claim.name),
        here=judged,
        claim=claim,
        answer=main_result(judged.summary.facts, claim) if claim.rows else None,
        record=_record(judged, claim),
        picture=verdicts.picture(claim, judged.run.results[claim.id], readings, first, judged.listings).inside(),
        readings=[
            (
                name,
                says,
                [
                    (STATUS[e], standing(claim, found, methods=True))
                    for e in Edition
                    if (found := judged.results(claim, e, name if k else None))
                ],
            )
            for k, (name, says) in enumerate(judged.paper.readings.items())
            if not k or name in readings
        ],
        parameters=claim.parameters,
        parts=[link(judged, part.claim) for part in claim.parts],
        steps=[
            (title, says, [_record(judged, step) for step in listed])
            for title, says, ours in STEPS
            if (listed := [step for step in claim.steps if step.ours is ours])
        ],
        hypotheses=claim.hypotheses,
        questions=[q.asks for q in claim.questions],
        table=_table(judged, claim),
        before=link(judged, f"{judged.paper.id}/{order[place - 1]}") if place else None,
        after=link(judged, f"{judged.paper.id}/{order[place + 1]}") if place + 1 < len(order) else None,
    )


def _table(judged: Judged, claim: Claim) -> dict[str, str] | None:
    table = claim.table
    if table is None or table.name not in tables(judged):
        return None
    return {"name": table.source.file.title, "href": table_path(judged, table.name)}


def _record(judged: Judged, claim: Claim) -> dict[str, Any]:
    """A claim for a page: verdicts in words, its first counterexample, its errata, what was judged point by point."""
    found = {edition: judged.results(claim, edition) for edition in Edition}
    refuted = [r for e in (Edition.PRINTED, Edition.STATEMENT) for r in found[e] if r.verdict is Verdict.REFUTED]
    failing = next((r for r in refuted if claim.not_meant(r.parameters) is None), next(iter(refuted), None))
    return {
        "claim": claim,
        "step": claim.name.partition(":")[2],
        "sign": judged.sign(claim, Edition.PRINTED),
        "standing": _standing(judged, claim),
        "failing": _point(claim, failing) if failing else None,
        "changes": corrections_of(judged.paper, claim),
        "theorems": theorems([claim]),
        "findings": [{"name": o.finding.entry.title, "href": judged.finding_page(o)} for o in judged.findings_of.get(claim.id, ())],
        "points": [_point(claim, *run) for e in Edition for run in _runs(claim, found[e])],
        "judged": sum(map(len, found.values())),
        "formulas": [(FIELDS.get(name, name), text) for name, text in claim.fields.items() if isinstance(text, str)],
    }


def _standing(judged: Judged, claim: Claim) -> list[tuple[str, str]]:
    """A line for each edition; those that agree share it."""
    lines: list[tuple[str, Stand]] = []
    for edition in Edition:
        stand = stands(claim, judged.run.results[claim.id], edition, judged.listings, methods=True)
        if lines and stand.agrees(lines[-1][1]) and stand.misprints == lines[-1][1].misprints:
            lines[-1] = (f"{lines[-1][0]}, {STATUS[edition]}", lines[-1][1])
        else:
            lines.append((STATUS[edition], stand))
    return [(asked, str(stand)) for asked, stand in lines]


def _runs(claim: Claim, results: Sequence[Result]) -> list[list[Result]]:
    """The results of an edition; neighbours that agree are together, but each refutation stands alone with its counterexample."""

    def alike(result: Result) -> tuple[object, ...]:
        found = result.outcome
        alone = tuple(result.parameters.items()) if result.verdict is Verdict.REFUTED else ()
        return word(claim, result), found.scope.method, found.reason, found.blocked_by, alone

    return [list(run) for _, run in groupby(results, key=alike)]


def _point(claim: Claim, *run: Result) -> dict[str, Any]:
    """A row of the table: results that agree, with the scope of the last."""
    result = run[-1]
    found = result.outcome
    return {
        "at": points_text(claim, run),
        "edition": result.edition.value,
        "verdict": result.verdict.value,
        "mark": MARK[result.verdict],
        "word": word(claim, result),
        "scope": found.scope.statement,
        "cases": None if found.scope.cases is None else f"{found.scope.cases:,}",
        "method": found.scope.method,
        "reason": found.reason,
        "counterexample": in_a_line(of_result(result)),
        "blocked": found.blocked_by,
        "replay": result.replay,
    }


def statement_list(judged: Judged) -> str:
    """Every statement in the paper's order, with its signs."""
    sections = [
        (title, [{**link(judged, c.id), "signs": judged.signs(c), "steps": len([s for s in c.steps if not s.ours])} for c in claims])
        for title, names in judged.paper.sections
        for claims in [[judged.paper.statement(n) for n in names]]
    ]
    return page("statements.html.jinja", f"{judged.folder}/statements/index.html", "Statements", here=judged, sections=sections)

"""The page of a result: is it true, does the printed proof work, what to correct; steps and evidence are folded."""

from __future__ import annotations

from typing import Any

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Verdict
from verifier.gate.standing import EVIDENCE, Question
from verifier.show.answers import smallest, text_of
from verifier.show.corrections import FIELDS, correction_rows, corrections_of
from verifier.show.counterexamples import in_a_line, of_result
from verifier.show.judged import Judged
from verifier.show.site.tables import table_path, tables
from verifier.show.site.templates import page
from verifier.show.theorems import theorems, theorems_of_steps
from verifier.show.verdict_words import titled

STEPS = (
    ("What its proof and remarks say, step by step", "Marks say whether a step is true. Nothing rests on an aside.", False),
    ("What we asked besides", "The paper does not claim these.", True),
)
"""The headings of the paper's steps and of ours."""


def statement_page(judged: Judged, claim: Claim) -> str:
    """One result with its steps."""
    found = judged.standing(claim)
    order = judged.paper.order
    place = order.index(claim.name)
    about = {f.id for f in found.findings}
    concerned = [o for o in judged.listings if o.finding.id in about]
    section = next(title for title, names in judged.paper.sections if claim.name in names)
    return page(
        "statement.html.jinja",
        judged.page(claim.id),
        titled(claim.name),
        here=judged,
        claim=claim,
        standing=found,
        section=section,
        users=judged.links(judged.used_by.get(claim.id, [])),
        questions=[_question(judged, q) for q in found.questions],
        readings=[(name, judged.paper.called[name]) for name in judged.paper.readings]
        if any(a.reading for q in found.questions for a in q.answers)
        else [],
        evidence=EVIDENCE,
        theorems=theorems([claim, *(q.claim for q in found.questions)]) + theorems_of_steps(claim),
        findings=[{"name": o.finding.entry.title, "href": judged.finding_page(o)} for o in concerned],
        changes=list(dict.fromkeys(row for o in concerned for row in correction_rows(judged.paper, o.finding))),
        parameters=claim.parameters,
        parts=judged.links([part.claim for part in claim.parts]),
        steps=[
            (title, says, [_step(judged, step) for step in listed])
            for title, says, ours in STEPS
            if (listed := [step for step in claim.steps if step.ours is ours])
        ],
        hypotheses=claim.hypotheses,
        formulas=_formulas(claim),
        table=_table(judged, claim),
        before=judged.link(f"{judged.paper.id}/{order[place - 1]}") if place else None,
        after=judged.link(f"{judged.paper.id}/{order[place + 1]}") if place + 1 < len(order) else None,
    )


def _question(judged: Judged, question: Question) -> dict[str, Any]:
    """A question for a page: its answers by reading, with the counterexample in words."""
    return {
        **judged.link(question.claim.id),
        "says": question.says,
        "question": question,
        "cells": {answer.reading: answer for answer in question.answers},
        "example": smallest(question, judged.listings, judged.run.results),
        "replay": question.failing.replay if question.failing else None,
    }


def _table(judged: Judged, claim: Claim) -> dict[str, str] | None:
    table = claim.table
    if table is None or table.name not in tables(judged):
        return None
    return {"name": table.source.file.title, "href": table_path(judged, table.name)}


def _formulas(claim: Claim) -> list[tuple[str, str]]:
    return [(FIELDS.get(name, name), text) for name, text in claim.fields.items() if isinstance(text, str)]


def _step(judged: Judged, claim: Claim) -> dict[str, Any]:
    """A step: whether it holds, its first counterexample, its correction."""
    found = judged.standing(claim)
    refuted = [r for r in judged.run.results[claim.id] if r.edition is Edition.PRINTED and r.verdict is Verdict.REFUTED]
    failing = next((r for r in refuted if claim.not_meant(r.parameters) is None), next(iter(refuted), None))
    return {
        "claim": claim,
        "step": claim.name.partition(":")[2],
        "standing": found,
        "answer": text_of(found),
        "footnote": "; ".join(q.footnote for q in found.questions if q.footnote),
        "failing": (in_a_line(of_result(failing)) or failing.outcome.reason or "") if failing else "",
        "replay": failing.replay if failing else None,
        "changes": corrections_of(judged.paper, claim),
        "theorems": theorems([claim]),
        "findings": [{"name": o.finding.entry.title, "href": judged.finding_page(o)} for o in judged.findings_of.get(claim.id, ())],
        "formulas": _formulas(claim),
    }


def statement_list(judged: Judged) -> str:
    """Every statement in the paper's order, with its mark."""
    sections = [
        (title, [{**judged.link(c.id), "standing": judged.standing(c), "steps": len([s for s in c.steps if not s.ours])} for c in claims])
        for title, names in judged.paper.sections
        for claims in [[judged.paper.statement(n) for n in names]]
    ]
    return page("statements.html.jinja", f"{judged.folder}/statements/index.html", "Statements", here=judged, sections=sections)

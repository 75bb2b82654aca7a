"""The page of a result: is it true, does the printed proof work, what to correct; steps and evidence are folded."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from markupsafe import Markup

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.by_name import named_errata
from verifier.gate.standing import EVIDENCE, proof_of
from verifier.show.corrections import correction_rows, corrections_of
from verifier.show.counterexamples import in_a_line, of_result
from verifier.show.judged import Judged
from verifier.show.notation.mathml import sentence
from verifier.show.notation.plain import shown
from verifier.show.site.reference import terms
from verifier.show.site.templates import page
from verifier.show.theorems import theorems
from verifier.show.verdict_words import spelled, titled

STEPS = (
    ("What its proof and remarks say, step by step", "Marks say whether a step is true. Nothing rests on an aside.", False),
    ("What we asked besides", "The paper does not claim these.", True),
)
"""The headings of the paper's steps and of ours."""
MATH = r'<span class="math" role="math" aria-label="{}">.*?</math>(?:[^<]*</span>)?</span>'
"""A piece of mathematics in a sentence, by the words that are read aloud."""
MARKUP = re.compile("(" + MATH.format('[^"]*') + "|<code>.*?</code>|<[^>]*>)")


def statement_page(judged: Judged, claim: Claim) -> str:
    """Write one result with its steps."""
    found, order = judged.standing(claim), judged.paper.order
    place = order.index(claim.name)
    about = {f.id for f in found.findings}
    concerned = [o for o in judged.listings if o.finding.id in about]
    names = named_errata(step for q in found.questions for step in proof_of(q.claim).values())
    by_reading = any(a.reading for q in found.questions for a in q.answers)
    return page(
        "statement.html.jinja",
        judged.page(claim.id),
        titled(claim.name),
        here=judged,
        claim=claim,
        lead=carded(judged, claim.statement),
        standing=found,
        section=next(title for title, names in judged.paper.sections if claim.name in names),
        readings={name: shown(says) for name, says in judged.paper.readings.items()} if by_reading else {},
        evidence=EVIDENCE,
        theorems=theorems([claim, *(q.claim for q in found.questions)]),
        findings=concerned,
        changes=list(dict.fromkeys(row for o in concerned for row in correction_rows(judged.paper, o.finding, names))),
        steps=[
            (title, says, [_step(judged, step) for step in listed])
            for title, says, ours in STEPS
            if (listed := [step for step in claim.steps if step.ours is ours])
        ],
        before=f"{judged.paper.id}/{order[place - 1]}" if place else None,
        after=f"{judged.paper.id}/{order[place + 1]}" if place + 1 < len(order) else None,
    )


def carded(judged: Judged, text: str) -> Markup:
    """Write a sentence in which the first mention of each word of the paper's glossary leads there, and shows its meaning on hovering."""
    pieces = MARKUP.split(sentence(spelled(text)))
    for number, term in enumerate(terms(judged), 1):
        link = f'<a class="term" href="../../glossary.html#{judged.paper.id}-{number}" title="{escape(shown(term.says))}">'
        named = re.compile(rf"\b{re.escape(term.name)}\b"), re.compile(MATH.format(re.escape(escape(shown(term.name)))))
        for place, piece in enumerate(pieces):
            if (found := named[place % 2].search(piece)) is not None and "<a " not in piece:
                pieces[place] = f"{piece[: found.start()]}{link}{found[0]}</a>{piece[found.end() :]}"
                break
    return Markup("".join(pieces))


def _step(judged: Judged, claim: Claim) -> dict[str, Any]:
    """A step: whether it holds, its first counterexample, its correction."""
    refuted = [r for r in judged.run.results[claim.id] if r.edition is Edition.PRINTED and r.verdict is Verdict.REFUTED]
    failing = next((r for r in refuted if claim.not_meant(r.parameters) is None), next(iter(refuted), None))
    return {
        "claim": claim,
        "standing": judged.standing(claim),
        "failing": (in_a_line(of_result(failing)) or failing.outcome.reason or "") if failing else "",
        "replay": failing.replay if failing else None,
        "changes": corrections_of(judged.paper, claim),
        "theorems": theorems([claim]),
    }


def statement_list(judged: Judged) -> str:
    """Every statement in the paper's order, with its mark."""
    return page("statements.html.jinja", f"{judged.folder}/statements/index.html", "Statements", here=judged)

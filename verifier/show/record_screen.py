"""``verify show CLAIM``: is it true, does the printed proof work, on what does the answer rest, what to correct, and how to check it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.parameters import ALL
from verifier.claims.points import asked_points, parameter_words
from verifier.claims.records import KINDS
from verifier.claims.verdicts import KERNEL
from verifier.errata.by_name import claim_errata
from verifier.gate.standing import EVIDENCE, SYMBOLS, Standing
from verifier.running.printable import many
from verifier.running.shelf import SHELF
from verifier.show.answer_screen import LEGEND, asked, counted_steps, short_name, why_false, words_of
from verifier.show.answers import named, text_of
from verifier.show.corrections import FIELDS, entry_words, in_words
from verifier.show.judged import Judged
from verifier.show.notation.plain import shown
from verifier.show.screen import folded, say
from verifier.show.theorems import theorems

Section = tuple[str, list[str]]
MOST_CORRECTIONS = 6
"""The findings that are listed of a claim; the others are counted."""


def show_claim(claim: Claim, paper: Paper, judged: Judged | Sequence[str] | None, whole: bool) -> None:
    """Print a claim and its record, section by section.

    Args:
        judged: the paper with its run; or else the lines that ship of the statement's answers; or None: then a command that judges the
            paper stands in place of the record.
        whole: also show the fields that the judge reads, our errata and every step.
    """
    say([claim.id], "bold")
    say([*_told(claim.statement), *_told(f"({claim.place})"), *_told(_sort(claim))])
    for title, lines in _sections(claim, paper, judged, whole or claim.role is not None):
        if lines:
            say(["", *folded(shown(title), 2, 0)], "bold")
            say(lines)


def _sort(claim: Claim) -> str:
    """Say of a step whether the proof rests on it, and of a statement what it asserts, if its file says so."""
    if claim.ours:
        return "This is our own example or question; the paper does not claim it."
    if claim.role is not None:
        return "The proof rests on this step." if claim.role == "argument" else "An aside: nothing in the proof rests on this step."
    return f"{claim.kind}: {KINDS[claim.kind]}" if claim.kind else ""


def _sections(claim: Claim, paper: Paper, told: Judged | Sequence[str] | None, whole: bool) -> Iterator[Section]:
    program, name = SHELF.program(paper.id), short_name(claim)
    judged = told if isinstance(told, Judged) else None
    if isinstance(told, Judged):
        found = told.standing(claim)
        yield f"Is it true, and does the printed proof work: {found.mark} {found.status}", list(_answers(told, found))
        yield "On what does the answer rest?", list(_evidence(found, whole))
        yield "What to correct", list(_to_correct(told, found))
    elif told is not None:
        more = f"on what the answer rests, and what to correct: {program} show {name} --fresh"
        yield "Is it true, and does the printed proof work?", [*told, "", *_told(more)]
    else:
        yield "Is it true", _told(f"not computed here; `{program} show {name} --fresh` computes it, and shows it in this place")
    yield "How to check it", [f"  {what}: {command}" for what, command in _commands(claim, judged, f"{program} {{}} {name}", whole)]
    parameters = [f"--{p.name}: {p.described}" for p in claim.parameters] + ([f"where {claim.where}"] if claim.where else [])
    yield "Parameters (meaning; domain; value if left out)", _all_told(parameters)
    if whole:
        yield "What the judge reads", _all_told(_fields(claim))
        yield "Our errata", _all_told(_errata(paper, claim))
        yield from _steps(claim, judged)


def _told(text: str, indent: int = 2) -> list[str]:
    return folded(shown(text), indent + 2, indent) if text else []


def _all_told(texts: Iterable[str], indent: int = 2) -> list[str]:
    return [line for text in texts for line in _told(text, indent)]


def _answers(judged: Judged, found: Standing) -> Iterator[str]:
    """Each question with its answers, its printed proof and its smallest counterexample; then the number of steps that are true."""
    for question in found.questions:
        yield from (*asked(question, len(found.questions) > 1), *why_false(question, found.findings))
    if found.exists:
        what = found.exists
        says = f"These answers are about the {what} of the proof. The statement claims only that some {what} works"
        yield from _told(f"{says}, so it is open where they say false.")
    yield from _all_told(counted_steps([judged.standing(step) for step in found.claim.steps if not step.ours]))


def _evidence(found: Standing, whole: bool) -> Iterator[str]:
    """Yield what is checked, each kind of evidence with its meaning, and the assumptions. If ``whole``, also yield every
    theorem.
    """
    claim, asked = found.claim, found.questions
    yield from _told(f"checked: {claim.checks}" if claim.checks else "")
    for kind in found.kinds:
        yield from _told(f"{kind}: {EVIDENCE[kind]}")
        if kind == KERNEL and whole:
            yield from _all_told(theorems([claim, *(q.claim for q in asked)]), 4)
    yield from _all_told(f"assumed: {each}" for each in dict.fromkeys(a for q in asked for a in q.assumes))
    parts = list(dict.fromkeys(part.claim.partition("/")[2] for part in claim.parts if not part.claim.startswith(f"{claim.id}:")))
    yield from _told(f"parts: {named(parts)}" if parts else "")


def _to_correct(judged: Judged, found: Standing) -> Iterator[str]:
    """The findings without which the printed proof works, or else the first about the claim, each with its correction and its command."""
    program, every = SHELF.program(judged.paper.id), {finding.id: finding.entry for finding in found.findings}
    needed = dict.fromkeys(name for question in found.questions if question.proof for name in question.proof.corrections)
    listed = list(needed or every)[:MOST_CORRECTIONS]
    for name in listed:
        yield from _told(every[name].title)
        yield from _told(every[name].correction, 4)
        yield f"    {program} findings {every[name].id}"
    if left := len(every) - len(listed):
        yield from _told(f"{many(left, 'more finding')}: `{program} findings {judged.paper.id}`")


def _commands(claim: Claim, judged: Judged | None, program: str, whole: bool) -> Iterator[tuple[str, str]]:
    """Yield the checks that a reader can repeat, each with its command. program: the command line with a place for the verb."""
    judge = program.format("").replace("  ", " ")
    points = list(asked_points(claim, {}))
    yield "one case", f"{judge}{words_of(next((point for point in points if not point.not_meant), points[0]))}"
    if judged is not None:
        found = judged.standing(claim)
        failing = [q.failing.replay if q.failing is not None else q.proof.replay if q.proof else None for q in found.questions]
        yield from (("a failure", replay) for replay in dict.fromkeys(failing) if replay)
        if KERNEL in found.kinds:
            yield "Coq's proofs", f"{SHELF.program(claim.paper)} proofs {claim.paper}"
        if SYMBOLS in found.kinds:
            every = " ".join(parameter_words({p.name: ALL for p in claim.parameters if not p.names}))
            yield "the proof by symbols", f"{judge} {every} --verbose"
    if claim.hypotheses:
        yield "the hypotheses that it needs", f"{program.format('show')} --questions"
    if not whole:
        yield "what the judge reads, and every step", f"{program.format('show')} --steps"


def _fields(claim: Claim) -> Iterator[str]:
    """The formulas and other fields that the judge reads, and the definitions that they use."""
    yield f"docs/paper-format.md explains these fields of statements/{claim.owner}.toml"
    for name, value in claim.fields.items():
        called = FIELDS.get(name, name)
        if isinstance(value, (str, int)):
            yield f"{called}: {value}"
        elif isinstance(value, dict):
            yield f"{called}: {', '.join(f'{k}: {v}' for k, v in value.items())}"
        elif all(isinstance(v, (str, int)) for v in value):
            yield f"{called}: {(' and ' if name == 'holds' else ', ').join(map(str, value))}"
    if claim.lets:
        yield f"where {', '.join(f'{name} = {text}' for name, text in claim.lets.items())}"
    yield "arithmetic: rounded, under a reading (--arithmetic)" if claim.bounded else "arithmetic: exact, nothing is rounded"
    yield from (f"hypothesis: {each.says}" for each in claim.hypotheses)


def _errata(paper: Paper, claim: Claim) -> Iterator[str]:
    """Our errata by name. Those of the claim's fields come before those of its table."""
    for name, erratum in zip(claim_errata(claim), claim.errata, strict=True):
        told = in_words(paper).words(name)[0].rstrip(".") if claim.parts else ""
        yield f"{name}: {told or f'for {erratum.printed} read {erratum.repaired}'}; {erratum.why}"
    if claim.table is None:
        return
    file = Path(claim.table.file_name).name
    if (errata := claim.table.source.errata) is None or not claim.table.errata:
        yield f"none of {file}"
        return
    yield f"of {file} for {errata.domain} under {errata.semantics}: {errata.why_domain}"
    for entry in errata.erratum if claim.table.claim == claim.id else ():
        where = "; ".join(map(entry_words, entry.places))
        yield f"{claim.table.name}/{entry.name} ({where}): for {entry.printed} read {entry.repaired}; {entry.why}"


def _steps(claim: Claim, judged: Judged | None) -> Iterator[Section]:
    """The steps by their place in the proof, each with its mark and its answer; the first heading explains the marks."""
    legend = f" ({LEGEND})" if judged is not None else ""
    for place, group in groupby(claim.steps, key=lambda step: "Ours; the paper does not claim these" if step.ours else step.place):
        lines: list[str] = []
        for step in group:
            aside = " (aside)" if step.role == "aside" and not step.ours else ""
            mark = f"{judged.standing(step).mark} " if judged is not None else ""
            lines += _told(f"{mark}:{step.name.partition(':')[2]}{aside}: {step.statement}")
            lines += _told(text_of(judged.standing(step)), 6) if judged is not None else []
        yield f"{place}{legend}", lines
        legend = ""

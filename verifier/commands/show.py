"""``verify show``: a claim in our words, questions about it that its paper leaves open, or the evidence for a paper's statements."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, claims_called, find_claim, find_paper
from verifier.claims.records import KINDS
from verifier.claims.verdicts import EXIT_VERIFIED, Edition
from verifier.commands.answers import ships
from verifier.commands.browse import claim_lines
from verifier.commands.options import arithmetic_option, edition_option, limit_option, output_option, put, screen_or_json_option
from verifier.commands.progress import Progress
from verifier.commands.subjects import NetworkSubject, Subject, SubjectCommand, TableSubject, given_values
from verifier.interface.arguments import integer, of_arguments
from verifier.interface.notebooks import Shown
from verifier.running.answers import Screen, kept_screen, say_kept
from verifier.running.errors import InputError
from verifier.running.limits import Advance, Limits
from verifier.running.printable import json_text
from verifier.running.results import Store
from verifier.running.shelf import SHELF
from verifier.show.notation.plain import shown as shown_text
from verifier.show.screen import console, folded, say

if TYPE_CHECKING:
    from verifier.claims.questions import Answer
    from verifier.gate.standing import Standing
    from verifier.show.judged import Judged


@dataclass(frozen=True, repr=False)
class Stands(Shown):
    """The standing of a result: ``record`` has its questions, their answers under each reading, and the state of the printed proof."""

    record: Standing

    @property
    def status(self) -> str:
        """``true``, ``false``, ``open`` or another of :data:`~verifier.gate.standing.STATUSES`."""
        return self.record.status

    def caption(self) -> str:
        return f"{self.record.mark} {self.record.claim.id}: {self.status}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each question and reading: the answer in words, and the state of the printed proof."""
        return [
            {
                "question": question.says or question.claim.statement,
                "reading": answer.called or None,
                "answer": answer.text,
                "printed proof": str(question.proof) if question.proof else None,
            }
            for question in self.record.questions
            for answer in question.answers
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document ``bitreferee/standing/1``, as ``verify show CLAIM --format json`` prints it."""
        return self.record.to_dict()


@of_arguments
def standing(claim: str, *, jobs: int = 1) -> Stands:
    """Say whether a result is true, for which parameters and by what evidence, as ``verify show`` and every page do.

    Args:
        claim: its name, such as ``theorem-2.4``.
        jobs: processes that judge the paper, which takes minutes unless an earlier run is kept; a script that asks for several guards its
        own run with ``if __name__ == "__main__"``.

    Raises:
        InputError: no such claim.
    """
    with Progress() as advance:
        return Stands(_judged(found_paper(claim), integer(jobs, "jobs"), advance).standing(find_claim(claim)))


WITHOUT: dict[type[Subject], str] = {
    TableSubject: "a file says itself what it is; `verify NAME` judges it, and `verify trace NAME` runs it",
    NetworkSubject: "a network says itself what it is; `verify NAME` judges it, and `verify trace NAME` runs it",
}


@click.command("show", cls=SubjectCommand, most=1, without=WITHOUT)
@click.argument("claim", metavar="CLAIM | PAPER")
@click.option("--steps", is_flag=True, help="Show every step in full.")
@click.option("--questions", is_flag=True, help="Ask which hypotheses a statement needs, its smallest case, whether it holds elsewhere.")
@edition_option
@arithmetic_option
@limit_option
@screen_or_json_option
@output_option
def command(
    claim: str,
    steps: bool,
    questions: bool,
    edition: str | None,
    arithmetic: str | None,
    limit: int | None,
    form: str,
    output: Path | None,
    **given: str | None,
) -> int:
    """Show a CLAIM in our words, its place in the paper, its parameters, what is checked, its errata, and the steps of its proof.

    For a PAPER, show of every statement whether it is true, for which parameters and by what evidence, and whether its printed proof works.
    The JSON document has the standing of a claim, or of every statement of a paper.

    With --questions, each answer is computed and says what was searched. Answers are not verdicts. Exit status 0.
    """
    ranges = given_values(given)
    if not questions and (ranges or edition is not None or (output is not None and form != "json")):
        raise InputError("show: parameters and --edition are for --questions, --output for --format json")
    paper = find_paper(claim)
    if questions:
        _questions(
            find_claim(claim), ranges, edition or "statement", arithmetic or DEFAULT_SEMANTICS.label, limit or Limits().states, form, output
        )
    elif paper is not None:
        _standings(paper, claim, form, output)
    elif form == "json":
        _standings(found_paper(claim), claim, form, output)
    else:
        _in_our_words(claim, steps)
    return EXIT_VERIFIED


def _questions(claim: Claim, ranges: Mapping[str, str], edition: str, semantics: str, limit: int, form: str, output: Path | None) -> None:
    """Answer the questions that the paper leaves open about a statement.

    Raises:
        InputError: a step, or a file for what is shown on the screen.
    """
    from verifier.claims.questions import Inquiry

    if claim.role is not None:
        raise InputError(f"{claim.name} is a step; a statement such as {claim.owner} was expected")
    if output is not None and form != "json":
        raise InputError("--output needs --format json")
    with Progress() as advance:
        answers = list(Inquiry(claim, read_semantics(semantics), Edition(edition), Limits(limit), advance, ranges).answers())
    if form == "screen":
        _show_answers(claim, answers)
        return
    put(json_text({"statement": claim.id, "answers": [asdict(a) for a in answers]}), output)


def found_paper(name: str) -> Paper:
    """The paper of a claim."""
    paper = find_paper(find_claim(name).paper)
    assert paper is not None
    return paper


def _standings(paper: Paper, name: str, form: str, output: Path | None) -> None:
    """The standing of every statement of a paper, or of one claim as JSON."""
    from verifier.show.answer_screen import statement_line

    with Progress() as advance:
        judged = _judged(paper, os.cpu_count() or 1, advance)
    if form == "json":
        found = [judged.standing(claim).to_dict() for claim in (paper.statements() if find_paper(name) else [find_claim(name)])]
        put(json_text(found if find_paper(name) else found[0]), output)
        return
    for claim in paper.statements():
        click.echo("\n".join(folded(shown_text(statement_line(judged, claim)), 4, 0)))
    counts = Counter(judged.standing(claim).status for claim in paper.statements())
    click.echo(f"\n{len(paper.order)} statements: {', '.join(f'{number} {status}' for status, number in counts.most_common())}")


def _judged(paper: Paper, jobs: int, advance: Advance) -> Judged:
    """A paper with its run, which is kept until the paper or the program changes."""
    from verifier.gate.run import kept_runs
    from verifier.show.judged import judged_by

    return judged_by(kept_runs([paper], jobs, advance)[paper.id], paper)


def _in_our_words(name: str, steps: bool) -> None:
    """A claim and its steps, in a line each or in full."""
    found = find_claim(name)
    also = [("also", f"{name!r} is also the name of {other.id}: {other.statement}") for other in claims_called(name)[1:]]
    shipped = _shipped(found)
    _show(found, also, _stands(found, shipped))
    if steps:
        for step in found.steps:
            console().print()
            _show(step)
    elif found.steps:
        _grouped(found.steps)
    if shipped is not None:
        say_kept()


def _shipped(claim: Claim) -> Screen | None:
    """The shipped screen of a statement's paper, if it may be shown."""
    paper = found_paper(claim.id)
    return kept_screen(("show", paper.id)) if claim.role is None and ships(paper) and not Store.fresh else None


def _stands(claim: Claim, shipped: Screen | None) -> list[str]:
    """The standing of a statement, from the shipped screen of its paper or from a kept run; else the command that computes it."""
    if claim.role is not None:
        return []
    paper = found_paper(claim.id)
    if shipped is not None:
        return re.split(r"\n(?=\S)", shipped.text)[paper.order.index(claim.name)].splitlines()
    judged = _kept(paper)
    if judged is None:
        return folded(f"`{SHELF.program(paper.id)} show {paper.id}` judges the paper and says how it stands", 4, 0)
    from verifier.show.answer_screen import statement_line

    return folded(shown_text(statement_line(judged, claim)), 4, 0)


def _kept(paper: Paper) -> Judged | None:
    """A paper with its run, if one is kept; with --fresh the paper is judged."""
    from verifier.gate.run import kept_run
    from verifier.show.judged import judged_by

    if Store.fresh:
        with Progress() as advance:
            return _judged(paper, os.cpu_count() or 1, advance)
    run = kept_run(paper)
    return judged_by(run, paper) if run is not None else None


def _show_answers(claim: Claim, answers: list[Answer]) -> None:
    """Print the statement and its parameters; then each question, its answer and the extent of the search."""
    from verifier.show.counterexamples import in_a_line, named

    say([claim.id], "bold")
    told = [(claim.statement, 2, ""), *((f"{p.name}: {p.described}", 4, "dim") for p in claim.parameters), ("", 0, "")]
    for answer in answers:
        question = answer.question.removesuffix("?")
        told += [(f"{question[:1].upper()}{question[1:]}?", 2, "bold"), *((line, 4, "") for line in answer.answer.splitlines())]
        told += [(f"counterexample: {in_a_line(named(answer.counterexample, answer.searched))}", 4, "")] if answer.counterexample else []
        told.append((f"searched: {answer.searched}", 4, "dim"))
    for text, indent, style in told:
        say(folded(shown_text(text), indent + 2, indent), style)


def _show(claim: Claim, also: Iterable[tuple[str, str]] = (), stands: Iterable[str] = ()) -> None:
    from rich.text import Text

    say([claim.id], "bold")
    say(stands)
    for title, text in (*also, *_paragraphs(claim)):
        if not text:
            say(["", title], "bold")
            continue
        first, *rest = folded(shown_text(text), 12)
        console().print(Text.assemble((f"{title:<11} ", "dim"), first.lstrip()), soft_wrap=True)
        say(rest)


def _grouped(steps: tuple[Claim, ...]) -> None:
    """The steps, grouped by their place in the proof."""
    for place, group in groupby(steps, key=lambda s: "ours" if s.ours else s.place):
        say(["", *folded(place, 0)], "bold")
        claim_lines(list(group), steps[0].owner)


def _paragraphs(claim: Claim) -> Iterator[tuple[str, str]]:
    from verifier.errata.by_name import claim_errata
    from verifier.show.corrections import entry_words, in_words

    yield "says", claim.statement
    yield "place", claim.place
    if claim.kind:
        yield "kind", f"{claim.kind}: {KINDS[claim.kind]}"
    if claim.role:
        yield "role", f"{claim.role}: " + ("the conclusion rests on it" if claim.role == "argument" else "nothing rests on it")
    if claim.checks:
        yield "checked", claim.checks
    if claim.parameters or claim.where:
        yield "Parameters: their meaning, their domain, and what is taken where one is left out", ""
    for parameter in claim.parameters:
        yield f"--{parameter.name}", parameter.described
    if claim.where:
        yield "where", claim.where
    yield "What the judge reads", ""
    yield from _formulas(claim)
    yield "arithmetic", "rounded, under a reading (--arithmetic)" if claim.bounded else "exact: no rounding takes part"
    if claim.parts:
        yield "parts", ", ".join(p.claim for p in claim.parts)
    for hypothesis in claim.assuming:
        yield "hypothesis", hypothesis
    if claim.errata or (claim.table is not None and claim.table.errata):
        yield "Our corrections", ""
    paper = find_paper(claim.paper)
    for name, erratum in zip(claim_errata(claim), claim.errata, strict=True):
        told = in_words(paper).words(name)[0].rstrip(".") if paper and claim.parts else ""
        yield "correction", f"{name}: {told or f'for {erratum.printed} read {erratum.repaired}'}; {erratum.why}"
    if claim.table is not None and claim.table.errata:
        errata = claim.table.source.errata
        assert errata is not None
        yield "table", f"{claim.table.file_name}; errata for {errata.domain} under {errata.semantics}: {errata.why_domain}"
        for entry in errata.erratum if claim.table.claim == claim.id else ():
            where = "; ".join(map(entry_words, entry.places))
            yield "  entry", f"{claim.table.name}/{entry.name} ({where}): for {entry.printed} read {entry.repaired}; {entry.why}"
    elif claim.table is not None:
        yield "table", claim.table.file_name


def _formulas(claim: Claim) -> Iterator[tuple[str, str]]:
    """The formulas that the judge reads, and the definitions that they use."""
    from verifier.show.corrections import FIELDS

    for name, value in claim.fields.items():
        if isinstance(value, (str, int)):
            yield FIELDS.get(name, name), str(value)
        elif isinstance(value, dict):
            yield name, ", ".join(f"{k}: {v}" for k, v in value.items())
        elif all(isinstance(v, (str, int)) for v in value):
            yield name, " and ".join(map(str, value)) if name == "holds" else ", ".join(map(str, value))
    for name, text in claim.lets.items():
        yield "with", f"{name} = {text}"

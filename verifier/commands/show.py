"""``verify show``: the answers on a claim or on every statement of a paper, or questions that the paper leaves open."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, find_claim, find_paper
from verifier.claims.verdicts import EXIT_VERIFIED, Edition, Verdict
from verifier.commands.options import arithmetic_option, edition_option, limit_option, output_option, put, screen_or_json_option
from verifier.commands.progress import Progress
from verifier.commands.subjects import ClaimSubject, NetworkSubject, Subject, SubjectCommand, TableSubject, given_subject
from verifier.interface.arguments import of_arguments
from verifier.running.answers import QUESTIONS, Screen, folder_of, kept_screen, say_kept, shown
from verifier.running.errors import InputError
from verifier.running.limits import Advance, Limits
from verifier.running.notebooks import TEXT, Columns, Shown
from verifier.running.printable import json_text
from verifier.running.results import Store
from verifier.show.notation.plain import shown as shown_text
from verifier.show.screen import folded, say

if TYPE_CHECKING:
    from verifier.claims.questions import Answer
    from verifier.gate.standing import Standing
    from verifier.show.judged import Judged


@dataclass(frozen=True, repr=False)
class Stands(Shown):
    """The standing of a result: ``record`` has its questions, their answers under each reading, and the state of the printed proof.

    examples: for each question its smallest counterexample in words, or an empty text.
    """

    record: Standing
    examples: tuple[str, ...]
    columns: ClassVar[Columns] = dict.fromkeys(("question", "reading", "answer", "printed_proof", "why_false", "degenerate_points"), TEXT)

    @property
    def answer(self) -> str:
        """``true``, ``false``, ``open`` or another of :data:`~verifier.gate.standing.STATUSES`."""
        return self.record.status

    def caption(self) -> str:
        return repr(self.record)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each question and reading: the answer in words, the state of the printed proof, the smallest counterexample, and the
        points that the authors do not mean."""
        found = []
        for asked, example in zip(self.record.questions, self.examples, strict=True):
            points = asked.footnote.removeprefix("degenerate: ") or None
            for each in asked.answers:
                said = (asked.says or asked.claim.statement, each.called or None, each.text, str(asked.proof) if asked.proof else None)
                found.append(self.row(*said, example if example and each.verdict is Verdict.REFUTED else None, points))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The document ``bitreferee/standing/1``, as ``verify show CLAIM --format json`` prints it."""
        return self.record.to_dict()


@of_arguments
def standing(claim: str, *, jobs: int = 1) -> Stands:
    """Say whether a result is true, for which parameters and by what evidence, as ``verify show`` and every page do.

    Args:
        claim: its name, such as ``theorem-2.4``.
        jobs: processes that judge the claim unless a run of its paper is kept; a script that asks for several guards its own run with
        ``if __name__ == "__main__"``.

    Raises:
        InputError: no such claim.

    >>> standing("definition-a.5").answer
    'true'
    """
    subject = given_subject(claim)
    if not isinstance(subject, ClaimSubject):
        raise InputError(f"{claim} is a {subject.kind}; a claim such as theorem-2.4 was expected, and `judge` takes a {subject.kind}")
    with Progress() as advance:
        judged = _record(subject.claim, jobs, advance)
    record = judged.standing(subject.claim)
    return Stands(record, tuple(map(judged.smallest, record.questions)))


WITHOUT: dict[type[Subject], str] = {
    TableSubject: "a file says itself what it is; `verify NAME` judges it, and `verify trace NAME` runs it",
    NetworkSubject: "a network says itself what it is; `verify NAME` judges it, and `verify trace NAME` runs it",
}


@click.command("show", cls=SubjectCommand, most=1, without=WITHOUT)
@click.argument("claim", metavar="CLAIM | PAPER")
@click.option("--steps", is_flag=True, help="Also show what the judge reads, and every step of the proof.")
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
    **given: str,
) -> int:
    """Show of a CLAIM whether it is true, whether its printed proof works, on what the answer rests, and how to check it.

    With --steps, also show what the judge reads, our errata, and every step of the proof with its answer. A step is always shown in full.

    For a PAPER, show the answers on every statement, a line for each. The JSON document has the answers on a claim, or on all statements.

    With --questions, each answer is computed and says what was searched. Answers are not verdicts. Exit status 0.
    """
    if not questions and (given or edition is not None or (output is not None and form != "json")):
        raise InputError("show: parameters and --edition are for --questions, --output for --format json")
    if questions:
        asked, usual = find_claim(claim), not given and form == "screen" and (edition, arithmetic, limit) == (None, None, None)
        if usual and (screen := _kept(asked, "show", asked.id, QUESTIONS)) is not None:
            _show_statement(asked)
            shown(screen.text)
            say_kept()
        else:
            semantics = arithmetic or DEFAULT_SEMANTICS.label
            _questions(asked, given, edition or "statement", semantics, limit or Limits().states, form, output)
    elif (paper := find_paper(claim)) is not None:
        _standings(paper, form, output)
    elif form == "json":
        asked = find_claim(claim)
        with Progress() as advance:
            put(json_text(_record(asked, os.cpu_count() or 1, advance).standing(asked).to_dict()), output)
    else:
        _claim(find_claim(claim), steps)
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
        _show_statement(claim)
        _show_answers([*answers[-2:], *answers[:-2]])  # the questions about every statement, then those about this one
        return
    put(json_text({"statement": claim.id, "answers": [asdict(a) for a in answers]}), output)


def found_paper(name: str) -> Paper:
    """The paper of a claim."""
    paper = find_paper(find_claim(name).paper)
    assert paper is not None
    return paper


def _standings(paper: Paper, form: str, output: Path | None) -> None:
    """The standing of every statement of a paper."""
    from verifier.show.answer_screen import statement_lines
    from verifier.show.judged import judged_paper

    with Progress() as advance:
        judged = judged_paper(paper, os.cpu_count() or 1, advance)
    if form == "json":
        put(json_text([judged.standing(claim).to_dict() for claim in paper.statements()]), output)
        return
    for claim in paper.statements():
        click.echo("\n".join(statement_lines(judged, claim)))
    counts = Counter(judged.standing(claim).status for claim in paper.statements())
    click.echo(f"\n{len(paper.order)} statements: {', '.join(f'{number} {status}' for status, number in counts.most_common())}")


def _record(claim: Claim, jobs: int, advance: Advance) -> Judged:
    """A claim's paper with its kept run. Without a kept run, only the part on which the claim's standing rests is judged."""
    from verifier.gate.run import kept_run, run_of
    from verifier.show.judged import judged_by

    paper = found_paper(claim.id)
    return judged_by((None if Store.fresh else kept_run(paper)) or run_of(paper, claim, jobs, advance), paper)


def _kept(claim: Claim, *words: str) -> Screen | None:
    """The screen that ships of a command on a statement or its paper, if the paper is one that ships."""
    ships = claim.role is None and not Store.fresh and found_paper(claim.id).folder == folder_of(claim.paper)
    return kept_screen(words) if ships else None


def _claim(claim: Claim, steps: bool) -> None:
    """Show a claim: its record, if a run of its paper is kept; for a statement of a shipped paper else its answers, which ship."""
    from verifier.gate.run import kept_run
    from verifier.show.record_screen import show_claim

    paper = found_paper(claim.id)
    if Store.fresh or kept_run(paper) is not None:
        with Progress() as advance:
            judged = _record(claim, os.cpu_count() or 1, advance)
        show_claim(claim, paper, judged, steps)
        return
    screen = _kept(claim, "show", paper.id)
    if screen is None:
        show_claim(claim, paper, None, steps)
        return
    of_statements = re.split(r"\n(?=\S)", screen.text)
    show_claim(claim, paper, of_statements[paper.order.index(claim.name)].splitlines(), steps)
    say_kept()


def _show_statement(claim: Claim) -> None:
    """Print the statement and its parameters."""
    say([claim.id], "bold")
    say(folded(shown_text(claim.statement), 4, 2))
    say((line for p in claim.parameters for line in folded(shown_text(f"{p.name}: {p.described}"), 6, 4)), "dim")
    say(["Questions that the paper leaves open, each with our answer and what we searched:", ""], "bold")


def _show_answers(answers: list[Answer]) -> None:
    """Print each question, its answer and the extent of the search."""
    from verifier.show.counterexamples import in_a_line, named

    for answer in answers:
        question = answer.question.removesuffix("?")
        found = [f"counterexample: {in_a_line(named(answer.counterexample, answer.searched))}"] if answer.counterexample else []
        say(folded(shown_text(f"{question[:1].upper()}{question[1:]}?"), 4, 2), "bold")
        say(line for text in (*answer.answer.splitlines(), *found) for line in folded(shown_text(text), 6, 4))
        say(folded(shown_text(f"searched: {answer.searched}"), 6, 4), "dim")

"""``verify ask STATEMENT``: what the paper does not say of it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.questions import Answer, Inquiry
from verifier.claims.verdicts import Edition
from verifier.commands.claims import ClaimCommand
from verifier.commands.options import edition_option, limit_option, output_option, semantics_option, write
from verifier.commands.progress import Progress
from verifier.running.errors import InputError
from verifier.running.limits import Limits
from verifier.show.counterexamples import in_a_line, named
from verifier.show.notation.plain import shown
from verifier.show.screen import console, folded
from verifier.show.streams import written


@click.command("ask", cls=ClaimCommand)
@click.argument("claim")
@edition_option
@semantics_option
@limit_option
@click.option(
    "--format", "form", type=click.Choice(("screen", "json")), default="screen", show_default=True, help="How to show the answers."
)
@output_option
def command(claim: str, edition: str | None, semantics: str, limit: int, form: str, output: Path | None, **given: str | None) -> int:
    """Answer questions on STATEMENT that the paper leaves open: which hypotheses it needs, the smallest case where it applies, and whether
    it also holds outside the domain that it states.

    Each answer is computed and says what was searched. Answers are not verdicts. Exit status 0.
    """
    found = find_claim(claim)
    if found.role is not None:
        raise InputError(f"{found.name} is a step; a statement such as {found.owner} was expected")
    ranges = {k: v for k, v in given.items() if v is not None}
    with Progress() as advance:
        inquiry = Inquiry(found, read_semantics(semantics), Edition(edition or "statement"), Limits(limit), advance, ranges)
        answers = list(inquiry.answers())
    if form == "json":
        text = json.dumps({"statement": found.id, "answers": [asdict(a) for a in answers]}, indent=1, ensure_ascii=False) + "\n"
        if output is None:
            written(text)
        else:
            write(output, text)
    else:
        if output is not None:
            raise InputError("--output needs --format json")
        _show(found, answers)
    return 0


def _show(claim: Claim, answers: list[Answer]) -> None:
    """The statement and what its parameters are; then each question, its answer and what was searched."""
    from rich.text import Text

    out = console()
    out.print(Text(claim.id, style="bold"))
    told = [(claim.statement, 2, ""), *((f"{p.name}: {p.described}", 4, "dim") for p in claim.parameters), ("", 0, "")]
    for answer in answers:
        question = answer.question.removesuffix("?")
        told += [(f"{question[:1].upper()}{question[1:]}?", 2, "bold"), *((line, 4, "") for line in answer.answer.splitlines())]
        told += [(f"counterexample: {in_a_line(named(answer.counterexample, answer.searched))}", 4, "")] if answer.counterexample else []
        told.append((f"searched: {answer.searched}", 4, "dim"))
    for text, indent, style in told:
        for part in folded(shown(text), indent + 2, indent):
            out.print(Text(part, style=style), soft_wrap=True)

"""``verify ask STATEMENT``: what the paper does not say of it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.questions import Answer, Inquiry
from verifier.claims.verdicts import Edition
from verifier.commands.claims import ClaimCommand
from verifier.commands.options import edition_option, limit_option, output_option, semantics_option, write
from verifier.commands.progress import Progress
from verifier.running.errors import InputError
from verifier.running.limits import Limits
from verifier.show.notation.plain import shown
from verifier.show.screen import console, folded, mapping_text
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
    """Ask of STATEMENT which hypotheses it needs, from which parameters on it says something, whether it holds beyond its domain.

    The answers are computed, say what was searched, and are no verdicts. Exit status 0.
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
        _show(found.id, answers)
    return 0


def _show(name: str, answers: list[Answer]) -> None:
    from rich.text import Text

    out = console()
    out.print(Text(name, style="bold"))
    for answer in answers:
        lines = [(f"{answer.question.removesuffix('?')}?", 2, "bold"), (answer.answer, 4, "")]
        lines += [(f"counterexample: {mapping_text(answer.counterexample)}", 4, "")] if answer.counterexample else []
        lines.append((f"searched: {answer.searched}", 4, "dim"))
        for text, indent, style in lines:
            for part in folded(shown(text), indent + 2, indent):
                out.print(Text(part, style=style), soft_wrap=True)

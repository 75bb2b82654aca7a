"""``verify report``: write the pages, or check that the committed ones are what would be written."""

from __future__ import annotations

from pathlib import Path

import click

from verifier.commands.options import write
from verifier.commands.progress import Progress
from verifier.report.pages import page
from verifier.report.selection import run_paper
from verifier.statements.papers import papers
from verifier.verdicts import EXIT_REFUTED, EXIT_VERIFIED


@click.command("report")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=Path("reports"), show_default=True, help="Where the pages are."
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where a page differs from what would be written.")
@click.option("--paper", help="Only this paper's page.")
def command(folder: Path, check: bool, paper: str | None) -> int:
    """Write one Markdown page for each paper: every claim at its typical parameters, all editions, scopes, assumptions, errata."""
    from verifier.errors import InputError

    chosen = [p for p in papers() if paper in (None, p.id)]
    if not chosen:
        raise InputError(f"no paper {paper!r}; there are {', '.join(p.id for p in papers())}")
    status = EXIT_VERIFIED
    with Progress() as advance:
        for each in chosen:
            text = page(each, run_paper(each, advance))
            path = folder / f"{each.id}.md"
            if not check:
                write(path, text)
                click.echo(f"{path} written")
            elif not path.exists() or path.read_text(encoding="utf-8") != text:
                click.echo(f"{path} differs from what `verify report` writes: {_first_difference(path, text)}")
                status = EXIT_REFUTED
            else:
                click.echo(f"{path} is up to date")
    return status


def _first_difference(path: Path, text: str) -> str:
    if not path.exists():
        return "the file is missing"
    old, new = path.read_text(encoding="utf-8").splitlines(), text.splitlines()
    for number, (before, after) in enumerate(zip(old, new, strict=False), 1):
        if before != after:
            return f"line {number} is {before[:120]!r}, {after[:120]!r} was expected"
    return f"{len(old)} lines, {len(new)} were expected"

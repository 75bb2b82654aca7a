"""``verify report``: write the pages, or check that the committed ones are what would be written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.gate import install, refuse_incomplete
from verifier.commands.options import jobs_option, write
from verifier.commands.progress import Progress
from verifier.errors import InputError
from verifier.report.folder import HERE, reports_folder
from verifier.report.pages import page
from verifier.report.run import Run, run_claims
from verifier.statements.papers import Paper, papers
from verifier.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED

folder_option = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Where the pages are; {HERE} by default, here or where the program's source is.",
)


@click.command("report")
@folder_option
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where a page differs from what would be written.")
@click.option("--paper", help="Only this paper's page.")
@jobs_option
def command(folder: Path | None, check: bool, paper: str | None, jobs: int) -> int:
    """Write one Markdown page for each paper: every claim at its typical parameters, all editions, scopes, assumptions, errata."""
    chosen = [p for p in papers() if paper in (None, p.id)]
    if not chosen:
        raise InputError(f"no paper {paper!r}; there are {', '.join(p.id for p in papers())}")
    with Progress() as advance:
        run = run_claims([claim for each in chosen for claim in each], jobs, advance)
    return (compare_pages if check else update_pages)(folder or reports_folder(), chosen, run)


def update_pages(folder: Path, chosen: Sequence[Paper], run: Run) -> int:
    """Write the pages of these papers.

    Raises:
        InputError: a claim needs an extra that is not installed.
    """
    refuse_incomplete(run)
    for paper in chosen:
        path = folder / f"{paper.id}.md"
        write(path, page(paper, run))
        click.echo(f"{path} written")
    return EXIT_VERIFIED


def compare_pages(folder: Path, chosen: Sequence[Paper], run: Run) -> int:
    """Print for each paper whether its page is, byte for byte, what would be written; the exit status."""
    statuses = {EXIT_VERIFIED}
    for paper in chosen:
        path = folder / f"{paper.id}.md"
        needs = {claim: run.needs[claim] for claim in run.needs if claim.startswith(f"{paper.id}/")}
        if needs:
            statuses.add(EXIT_UNDECIDED)
            lines = [f"{path} not compared: {claim} needs {install(extras)}" for claim, extras in needs.items()]
        else:
            difference = _first_difference(path, page(paper, run).encode())
            statuses |= {EXIT_REFUTED} if difference else set()
            lines = [f"{path} differs from what `verify report` writes: {difference}" if difference else f"{path} is up to date"]
        for line in lines:
            click.echo(line)
    return EXIT_REFUTED if EXIT_REFUTED in statuses else max(statuses)


def _first_difference(path: Path, wanted: bytes) -> str | None:
    """Where the file's bytes differ from these first; None if nowhere."""
    try:
        found = path.read_bytes()
    except OSError as error:
        return f"it cannot be read, {error.strerror}"
    if found == wanted:
        return None
    old, new = found.split(b"\n"), wanted.split(b"\n")
    for number, (before, after) in enumerate(zip(old, new, strict=False), 1):
        if before != after:
            column = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
            return f"line {number}, from byte {column + 1} on, is {_piece(before, column)}, {_piece(after, column)} was expected"
    return f"{len(old) - 1} line ends, {len(new) - 1} were expected"


def _piece(line: bytes, column: int) -> str:
    return repr(line[column : column + 60].decode(errors="backslashreplace"))

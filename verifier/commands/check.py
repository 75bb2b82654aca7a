"""``verify check``: the gate and the pages from one run of the claims."""

from __future__ import annotations

from pathlib import Path

import click

from verifier.commands.gate import compare_table, update_table
from verifier.commands.options import jobs_option
from verifier.commands.progress import Progress
from verifier.commands.report import compare_pages, folder_option, update_pages
from verifier.report.folder import TABLE, reports_folder
from verifier.report.run import run_claims
from verifier.report.verdict_table import read_table
from verifier.statements.papers import catalogue, papers
from verifier.verdicts import EXIT_REFUTED


@click.command("check")
@folder_option
@click.option("--update", is_flag=True, help="Rewrite the table of verdicts and the pages from this run.")
@jobs_option
def command(folder: Path | None, update: bool, jobs: int) -> int:
    """Run every claim once; compare the table of verdicts (as `verify gate`) and the pages (as `verify report --check`) with it."""
    folder = folder or reports_folder()
    expected = [] if update else read_table(folder / TABLE)
    with Progress() as advance:
        run = run_claims(catalogue().values(), jobs, advance)
    if update:
        return max(update_table(folder / TABLE, run), update_pages(folder, papers(), run))
    statuses = {compare_table(folder / TABLE, run, expected), compare_pages(folder, papers(), run)}
    return EXIT_REFUTED if EXIT_REFUTED in statuses else max(statuses)

"""``verify check``: the gate, the findings and the report from one run of the claims."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from verifier.claims.papers import papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.gate import compare_table, update_table
from verifier.commands.options import jobs_option
from verifier.commands.progress import Progress
from verifier.commands.report import compare_pages, folder_option, update_pages
from verifier.errata.findings import findings
from verifier.errata.listings import faults, listings
from verifier.gate.assumptions import conditional_on_refuted
from verifier.gate.folder import TABLE, reports_folder
from verifier.gate.run import Run, run_papers
from verifier.gate.run_cache import Kept
from verifier.gate.verdict_table import read_table


@click.command("check")
@folder_option
@click.option("--update", is_flag=True, help="Rewrite the table of verdicts and the report from this run.")
@jobs_option
def command(folder: Path | None, update: bool, jobs: int) -> int:
    """Run every claim once; compare the table of verdicts (as `verify gate`) and the report (as `verify report --check`) with it.

    Fails, too, where a refutation is explained by no finding of a paper that lists findings, and where a result is conditional on what
    another claim refutes. Nothing kept from another run is used.
    """
    folder = folder or reports_folder()
    expected = [] if update else read_table(folder / TABLE)
    with Progress() as advance:
        run, runs = run_papers(papers(), jobs, advance)
    for paper in papers():
        Kept.usual().write(paper, runs[paper.id])
    explained = max(unexplained(runs), on_refuted_assumptions(runs))
    if update:
        return max(update_table(folder / TABLE, run), update_pages(folder, papers(), runs), explained)
    statuses = {compare_table(folder / TABLE, run, expected), compare_pages(folder, papers(), runs), explained}
    return EXIT_REFUTED if EXIT_REFUTED in statuses else max(statuses)


def unexplained(runs: Mapping[str, Run]) -> int:
    """Print what no finding explains, of the papers that list findings; the exit status."""
    lines = []
    for paper in papers():
        run = runs[paper.id]
        if findings(paper) and not run.needs:
            lines += faults(paper, listings(paper, run.results, run.follows), run.results)
    for line in lines:
        click.echo(line)
    return EXIT_REFUTED if lines else EXIT_VERIFIED


def on_refuted_assumptions(runs: Mapping[str, Run]) -> int:
    """Print which results, under the readings of the pages too, are conditional on an assumption that does not hold; the exit status."""
    lines: list[str] = []
    for paper in papers():
        run = runs[paper.id]
        for results in (run.results, *({**run.results, **by_claim} for by_claim in run.readings.values())):
            lines += conditional_on_refuted(paper, results)
    for line in dict.fromkeys(lines):
        click.echo(line)
    return EXIT_REFUTED if lines else EXIT_VERIFIED

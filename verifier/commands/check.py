"""``verify check``: the gate, the findings and the report from one run of the claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from verifier.claims.papers import Paper, chosen_papers, papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.answers import compare_answers, update_answers
from verifier.commands.gate import compare_table, own_place, update_table
from verifier.commands.options import jobs_option, paper_option
from verifier.commands.progress import Progress
from verifier.commands.report import compare_pages, folder_option, update_pages
from verifier.errata.findings import findings
from verifier.errata.listings import faults, listings
from verifier.gate.assumptions import conditional_on_refuted
from verifier.gate.folder import BESIDE, HERE, TABLE, reports_folder
from verifier.gate.run import Run, keep_run, run_papers
from verifier.gate.verdict_table import claim_in, read_table


@click.command("check")
@folder_option
@paper_option
@click.option("--update", is_flag=True, help="Rewrite the table of verdicts, the report and the screens that ship from this run.")
@jobs_option
@click.pass_obj
def command(named: tuple[Path, ...] | None, /, folder: Path | None, paper: str | None, update: bool, jobs: int) -> int:
    """Run every claim once; compare the table of verdicts (as `verify gate`) and the report (as `verify report --check`) with it.

    `verify check` is a spelling of `verify gate --pages` that files of CI systems use.

    With --papers DIR these are the papers there, their table DIR/verdicts.tsv and their pages in DIR/reports. It also fails if no finding
    of a paper that lists findings explains a refutation, and if a result is conditional on an assumption that another claim refutes. It
    uses no results of earlier runs. Of the program's own papers it also compares the screens that ship with it.
    """
    chosen = chosen_papers(papers(), named or (), paper)
    own = bool(named) and set(map(id, chosen)) <= set(map(id, chosen_papers(papers(), named or ())))
    table = own_place(named or (), TABLE) if own and folder is None else (folder or reports_folder()) / TABLE
    folder = folder or (own_place(named or (), HERE) if own else reports_folder())
    ids = {each.id for each in chosen}
    committed = [] if update and (paper is None or not table.exists()) else read_table(table)
    others = [line for line in committed if paper is not None and claim_in(line).partition("/")[0] not in ids]
    with Progress() as advance:
        run, runs = run_papers(chosen, jobs, advance)
    for each in chosen:
        keep_run(each, runs[each.id])
    explained = max(unexplained(chosen, runs), on_refuted_assumptions(chosen, runs))
    if update:
        written = update_table(table, run, others), update_pages(folder, chosen, runs, paper is None)
        return max(*written, update_answers(chosen) if folder.resolve() == BESIDE else EXIT_VERIFIED, explained)
    expected = [line for line in committed if line not in others]
    statuses = {compare_table(table, run, expected, paper is None), compare_pages(folder, chosen, runs, paper is None), explained}
    statuses |= {compare_answers(chosen)} if folder.resolve() == BESIDE else set()
    return EXIT_REFUTED if EXIT_REFUTED in statuses else max(statuses)


def unexplained(chosen: Sequence[Paper], runs: Mapping[str, Run]) -> int:
    """Print what no finding explains, of the papers that list findings; the exit status."""
    lines = []
    for paper in chosen:
        run = runs[paper.id]
        if findings(paper):
            lines += faults(paper, listings(paper, run.results, run.follows), run.results)
    for line in lines:
        click.echo(line)
    return EXIT_REFUTED if lines else EXIT_VERIFIED


def on_refuted_assumptions(chosen: Sequence[Paper], runs: Mapping[str, Run]) -> int:
    """Print which results, under the readings of the pages too, are conditional on an assumption that does not hold; the exit status."""
    lines: list[str] = []
    for paper in chosen:
        run = runs[paper.id]
        for results in (run.results, *({**run.results, **by_claim} for by_claim in run.readings.values())):
            lines += conditional_on_refuted(paper, results)
    for line in dict.fromkeys(lines):
        click.echo(line)
    return EXIT_REFUTED if lines else EXIT_VERIFIED

"""``verify gate``: fail where a run of the claims differs from the committed table of verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import click

from verifier.commands.options import jobs_option, write
from verifier.commands.progress import Progress
from verifier.errors import InputError
from verifier.report.differences import differences
from verifier.report.folder import HERE, TABLE, reports_folder
from verifier.report.rows import Row, rows
from verifier.report.run import Run, run_claims
from verifier.report.verdict_table import as_table, read_table
from verifier.statements.papers import catalogue
from verifier.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED

EVERY = "*"


@click.command("gate")
@click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The table of verdicts; {HERE / TABLE} by default, here or where the program's source is.",
)
@click.option(
    "--claims", "pattern", default=EVERY, show_default=True, help="Only claims whose id matches, such as 'every-bit-counts/lemma-2.*'."
)
@click.option("--update", is_flag=True, help="Rewrite the table from this run; with --claims, the rows of these claims only.")
@jobs_option
def command(table: Path | None, pattern: str, update: bool, jobs: int) -> int:
    """Run the claims at their typical parameters; compare verdicts, scopes, cases and assumptions with the committed table."""
    path = table or reports_folder() / TABLE
    committed = [] if update and (pattern == EVERY or not path.exists()) else read_table(path)
    chosen = [claim for claim in catalogue().values() if fnmatchcase(claim.id, pattern)]
    expected = [row for row in committed if fnmatchcase(row.claim, pattern)]
    if not chosen and not expected:
        raise InputError(f"--claims {pattern}: no claim matches; `verify list` shows them")
    with Progress() as advance:
        run = run_claims(chosen, jobs, advance, errata=False)
    if update:
        return update_table(path, run, [row for row in committed if row not in expected])
    return compare_table(path, run, expected, whole=pattern == EVERY)


def update_table(path: Path, run: Run, kept: Sequence[Row] = ()) -> int:
    """Write the run's rows, and those that are kept of other claims, in the papers' order.

    Raises:
        InputError: a claim needs an extra that is not installed: its verdicts would be lost.
    """
    refuse_incomplete(run)
    order = {claim: number for number, claim in enumerate(catalogue())}
    found = sorted([*kept, *rows(run.every_result, catalogue())], key=lambda row: order.get(row.claim, len(order)))
    write(path, as_table(found))
    click.echo(f"{path} written: {len(run.every_result):,} results in {len(found) - len(kept):,} rows, {len(kept):,} rows kept")
    return EXIT_VERIFIED


def compare_table(path: Path, run: Run, expected: Sequence[Row], whole: bool = True) -> int:
    """Print how the run differs from the rows, which are the whole table or those of some claims; the exit status."""
    found = list(rows(run.every_result, catalogue()))
    lines = differences([row for row in expected if row.claim not in run.needs], [row for row in found if row.claim not in run.needs])
    if whole and not lines and not run.needs and list(expected) != found:
        lines = ["the claims are in another order"]
    for line in lines:
        click.echo(line)
    for claim, extras in run.needs.items():
        click.echo(f"{claim}: not compared, it needs {install(extras)}")
    count = sum(len(listed) for claim, listed in run.results.items() if claim not in run.needs)
    click.echo(f"{count:,} results, {len(lines)} differences from {path}" if lines else f"{count:,} results as in {path}")
    if lines:
        return EXIT_REFUTED
    return EXIT_UNDECIDED if run.needs else EXIT_VERIFIED


def refuse_incomplete(run: Run) -> None:
    """Nothing is written from a run in which an extra was missing."""
    if run.needs:
        extras = sorted({extra for listed in run.needs.values() for extra in listed})
        raise InputError(f"nothing written: {', '.join(run.needs)} needs {install(extras)}")


def install(extras: Sequence[str]) -> str:
    """What is missing, and how to get it."""
    return f"the extra {', '.join(extras)}, which is not installed: pip install 'bitreferee[{','.join(extras)}]'"

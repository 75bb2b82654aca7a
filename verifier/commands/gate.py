"""``verify gate``: fail where a verdict, scope or assumption differs from the committed baseline."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import click

from verifier.commands.options import write
from verifier.commands.progress import Progress
from verifier.errors import InputError
from verifier.report.baseline import as_baseline, differences, entry, entry_key, read_baseline
from verifier.report.selection import run_claims
from verifier.statements.papers import catalogue
from verifier.verdicts import EXIT_REFUTED, EXIT_VERIFIED


@click.command("gate")
@click.option("--baseline", type=click.Path(dir_okay=False, path_type=Path), default=Path("reports/baseline.json"), show_default=True)
@click.option(
    "--claims", "pattern", default="*", show_default=True, help="Only claims whose id matches, such as 'every-bit-counts/lemma-2.*'."
)
@click.option("--update", is_flag=True, help="Rewrite the baseline from this run (with --claims *, so that nothing is lost).")
def command(baseline: Path, pattern: str, update: bool) -> int:
    """Run the selected claims at their typical parameters and compare verdict, scope and assumptions with the baseline."""
    chosen = [c for c in catalogue().values() if fnmatch(c.id, pattern)]
    if not chosen:
        raise InputError(f"--claims {pattern}: no claim matches; `verify list` shows them")
    if update and pattern != "*":
        raise InputError("--update rewrites the whole baseline; leave --claims out")
    expected = {} if update else read_baseline(baseline)
    ids = {c.id for c in chosen}
    with Progress() as advance:
        results = list(run_claims(chosen, advance))
    if update:
        write(baseline, as_baseline(results))
        click.echo(f"{baseline} written: {len(results)} results")
        return EXIT_VERIFIED
    wanted = {key: e for key, e in expected.items() if key.partition(" ")[0] in ids or pattern == "*"}
    lines = differences(wanted, {entry_key(r): entry(r) for r in results})
    for line in lines:
        click.echo(line)
    click.echo(f"{len(results)} results, {len(lines)} differ from {baseline}" if lines else f"{len(results)} results as in {baseline}")
    return EXIT_REFUTED if lines else EXIT_VERIFIED

"""``verify thresholds``: the fewest bits that compute EQ_{2p−1} under each reading of *Every Bit Counts*, with the evidence."""

from __future__ import annotations

from pathlib import Path

import click

from constructions.every_bit_counts.commands.searches import searches
from constructions.every_bit_counts.commands.thresholds import Row, Thresholds, as_markdown
from verifier.claims.verdicts import EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import Integer
from verifier.commands.progress import Progress
from verifier.show.output_files import write_whole
from verifier.show.screen import folded


@click.command("thresholds")
@click.option("--p", "most", type=Integer(2, 64), default=8, show_default=True, help="Up to which p token order is shown one by one.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the page as Markdown to this file.")
def command(most: int, output: Path | None) -> int:
    """Show the fewest bits that compute EQ on 2p - 1 bits under each reading, with the evidence that fewer fail and that these are enough.

    An open cell shows its bounds. Exit status 3 while a cell is open.
    """
    with Progress() as advance:
        thresholds = Thresholds()
        thresholds.session.advance = advance
        rows, each, grid = list(thresholds.rows()), list(thresholds.at(range(2, most + 1))), list(thresholds.on_a_grid(range(3, most + 1)))
    if output is not None:
        write_whole(output, as_markdown(rows, each, grid, list(searches())).encode())
    for row in (*rows, *each, *grid):
        for line in lines(row):
            click.echo(line)
    return EXIT_UNDECIDED if any(row.cell.open for row in (*rows, *each, *grid)) else EXIT_VERIFIED


def lines(row: Row) -> list[str]:
    """A row in 80 columns."""
    cell = row.cell
    first = f"{row.reading}, {row.over}: {cell.fewest} bits{' (open)' if cell.open else ''}"
    return [*folded(first, 2, 0), *folded(f"no fewer: {cell.below}", 6, 4), *folded(f"enough: {cell.above}", 6, 4)]

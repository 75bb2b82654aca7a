"""What ``verify repair`` does for gaps, and for tables that the search over pairs of strings is not made for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from verifier.arithmetic.semantics import Semantics
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import write
from verifier.commands.progress import Progress
from verifier.errata.tables import Source
from verifier.repair.proposals import Proposals, Proposing, beyond_pairs, points_inside
from verifier.repair.target import State
from verifier.repair.writing import proposal_text
from verifier.show.proposals_screen import as_json, shown
from verifier.show.streams import written

MOST_FOR_PAIRS = 2000
"""Candidates for the gaps of a table that another search is made for."""


def propose(source: Source, points: Sequence[Mapping[str, int]], semantics: Semantics, states: int, limit: int) -> Proposals | None:
    """The proposals for a file; None where the search over pairs of strings is to be asked: it is made for the file, and the file has no
    gaps, or one edit of one symbol closes them, or nothing was found.

    Raises:
        InputError: no point within the file's domain.
    """
    inside = points_inside(source, points)
    alone = beyond_pairs(source, inside[0])
    with Progress() as advance:
        search = Proposing(source, inside, semantics, states, limit if alone else min(limit, MOST_FOR_PAIRS), advance)
        if not alone and search.made.before.state is not State.ILL_FORMED:
            return None
        made = search.run()
    other = made.listed and made.listed[0].right and not made.listed[0].one_symbol
    return made if alone or other else None


def show_proposals(made: Proposals, file: str, form: str, output: Path | None) -> int:
    """Show what was proposed and write the best as errata; the status."""
    if output is not None and made.listed:
        write(output, proposal_text(made))
    if form == "json":
        written(as_json(made))
    else:
        for line in shown(made, file, str(output) if output is not None and made.listed else ""):
            click.echo(line)
    if made.before.nothing or any(each.right and each.found.state is State.RIGHT for each in made.listed):
        return EXIT_VERIFIED
    undecided = not made.complete or made.listed or made.before.state is State.UNDECIDED
    return EXIT_UNDECIDED if undecided else EXIT_REFUTED

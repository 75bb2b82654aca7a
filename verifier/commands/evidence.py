"""``verify evidence PAPER``: for which parameters each numbered statement is decided, and by what."""

from __future__ import annotations

import os

import click

from verifier.claims.papers import find_paper
from verifier.claims.verdicts import EXIT_VERIFIED
from verifier.commands.progress import Progress
from verifier.running.errors import InputError
from verifier.show.evidence import MEANINGS, Evidence, counts, evidence
from verifier.show.screen import folded
from verifier.show.verdict_words import titled


@click.command("evidence")
@click.argument("name", metavar="PAPER")
def command(name: str) -> int:
    """Show, for every numbered statement of PAPER, the parameters for which it is decided, and by what.

    The end counts the statements by kind of evidence, and names those that rest only on finite checks, with the reason.
    """
    from verifier.gate.run_cache import Kept

    paper = find_paper(name)
    if paper is None:
        raise InputError(f"no paper {name!r}; `verify list` shows them")
    with Progress() as advance:
        run = Kept.usual().run(paper, os.cpu_count() or 1, advance, symbols=True)
        listed = list(evidence(paper, run))
    for line in lines(listed):
        click.echo(line)
    return EXIT_VERIFIED


def lines(listed: list[Evidence]) -> list[str]:
    """The table in 80 columns."""
    made = []
    for each in listed:
        made.append(f"{titled(each.claim.name)}: {each.rests}")
        made += [line for text in (*each.evidence, *([each.why] if each.why else [])) for line in folded(text, 6, 4)]
    made += ["", f"{len(listed)} numbered statements:"]
    made += [f"  {number:3} {rests}: {MEANINGS[rests]}" for rests, number in counts(listed) if number]
    finite = [titled(each.claim.name) for each in listed if each.rests == "finite checks"]
    made += folded(f"finite checks only ({len(finite)} of {len(listed)}): {', '.join(finite) or 'none'}", 2, 0)
    return made

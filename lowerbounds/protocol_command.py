"""``verify trace --protocol TARGET --p 3 --cut 5``: a construction as a protocol, Alice's tokens first, Bob from her message alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED, Edition
from verifier.commands.options import Integer, arithmetic_option, of_table_option
from verifier.commands.progress import Progress
from verifier.commands.subjects import ClaimSubject, NetworkSubject, PaperSubject, Subject, SubjectCommand, TableSubject
from verifier.interface.constructions import AtPoint
from verifier.networks.instance import Instance
from verifier.networks.problems import read_bits
from verifier.running.errors import InputError
from verifier.running.shelf import SHELF
from verifier.show.screen import folded

if TYPE_CHECKING:
    from lowerbounds.protocol import Protocol

WITHOUT: dict[type[Subject], str] = {
    PaperSubject: "one construction is run as a protocol; `verify list NAME --steps` shows the claims",
    NetworkSubject: "a protocol cuts the tokens of one table; a network of several layers has no such cut",
}


@click.command("protocol", cls=SubjectCommand, most=1, without=WITHOUT)
@click.argument("word", metavar="TARGET")
@click.option("--cut", type=Integer(), help="Alice's last token; by default the last one that reads y.")
@click.option("--y", help="With --z, show the transcript of this pair.")
@click.option("--z", help="With --y, show the transcript of this pair.")
@click.option("--compare", is_flag=True, help="Also compare Bob's answer with the transformer's on every pair that keeps the promise.")
@of_table_option
@arithmetic_option
def command(
    subject: Subject,
    cut: int | None,
    y: str | None,
    z: str | None,
    compare: bool,
    edition: str,
    arithmetic: str | None,
    **given: str,
) -> int:
    """Run TARGET, a construction file or a claim with a table, as a protocol: Alice adds up the tokens up to the cut and sends her sums.

    The output is the number of different messages that she sends, and two strings with one message but different answers for some z; or the
    transcript of one pair. Exit status: 0 no collision, and Bob answers as the transformer; 1 a collision, or a different answer; 2 a cut
    after which a token reads y, or before which one reads z.
    """
    from lowerbounds.protocol import Protocol

    if (y is None) != (z is None):
        raise InputError("--y and --z belong together")
    at = _at_point(subject, given, Edition(edition), arithmetic)
    execution, instance = at.execution(read_semantics), at.instance
    protocol = Protocol(execution, _last(instance) if cut is None else cut)
    head = f"{instance.id} in {at.reading}: Alice has the tokens up to {protocol.alice[-1].index}, Bob the {len(protocol.bob)} after them"
    if y is None or z is None:
        return _show_run(protocol, head, compare)
    transcript = protocol.transcript(read_bits(y, instance.m, "y"), read_bits(z, instance.m, "z"))
    click.echo("\n  ".join([head, *transcript.lines()]))
    return EXIT_VERIFIED if transcript.agrees else EXIT_REFUTED


def _at_point(subject: Subject, given: Mapping[str, str], edition: Edition, reading: str | None) -> AtPoint:
    """The construction at its parameters.

    Raises:
        InputError: a claim without a table, or parameters outside the domain.
    """
    if isinstance(subject, TableSubject):
        return AtPoint.of_file(subject.source, subject.name, given, reading)
    assert isinstance(subject, ClaimSubject)
    claim = subject.claim
    if claim.table is None:
        raise InputError(f"{claim.name} has no construction to run; `{SHELF.program(claim.id)} {claim.id}` judges it")
    return AtPoint.of_claim(claim, given, edition, reading)


def _last(instance: Instance) -> int:
    """The last token that reads y."""
    execution = [t.index for t in instance.tokens if any(bit.string == "y" for bit in t.reads)]
    if not execution:
        raise InputError(f"{instance.id}: no token reads y; --cut says which tokens are Alice's")
    return execution[-1]


def _show_run(protocol: Protocol, head: str, compare: bool) -> int:
    with Progress() as advance:
        run = protocol.run(lambda done, total: advance("messages", done, total))
        compared = protocol.compare(lambda done, total: advance("pairs", done, total)) if compare else None
    click.echo("\n".join(folded(head, 2, 0)))
    several = f"{run.numbers - 1} numbers L2 of the numerator" if run.numbers > 2 else "L2 of the numerator"
    for text in (
        f"a message: Alice's rounded sums, L1 of the denominator and {several}",
        f"messages: {run.messages:,} different ones for Alice's {run.inputs:,} strings y",
        f"collision: {run.collision or 'none: whenever two strings y have one message, their answers agree for every z'}",
    ):
        click.echo("\n".join(folded(text, 4, 2)))
    if compared is not None:
        click.echo(f"  Bob's answer differs from the transformer's on {compared.differing:,} of {compared.pairs:,} promised pairs")
        if compared.first is not None:
            click.echo("\n".join(f"    {line}" for line in compared.first.lines()))
    return EXIT_REFUTED if run.collision or (compared and compared.differing) else EXIT_VERIFIED

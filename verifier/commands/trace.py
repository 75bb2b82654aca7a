"""``verify trace CLAIM --p 8 --y … --z …``: one input through a claim's construction, with everything that was rounded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim, papers
from verifier.claims.points import read_integer
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED, Edition
from verifier.commands.options import ClaimCommand, of_table_option, semantics_option, write
from verifier.judges.editions import readable_instance
from verifier.judges.one_input import fails_at
from verifier.networks.evaluate import evaluate, evaluate_at
from verifier.networks.execution import Execution
from verifier.networks.instance import Instance
from verifier.networks.problems import Problem, read_bits
from verifier.running.errors import InputError
from verifier.running.shelf import SHELF
from verifier.show.streams import written
from verifier.show.trace_screen import as_json, show_trace

trace_format_option = click.option(
    "--format", "form", type=click.Choice(("screen", "json")), default="screen", show_default=True, help="How to show the trace."
)


@click.command("trace", cls=ClaimCommand)
@click.argument("claim")
@click.option("--y", required=True, help="Alice's string, in binary.")
@click.option("--z", required=True, help="Bob's string, in binary.")
@of_table_option
@semantics_option
@trace_format_option
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the sums, and the proof's values for them, as SVG; or write the document of --format json.",
)
def command(claim: str, y: str, z: str, edition: str, semantics: str, form: str, output: Path | None, **given: str | None) -> int:
    """Run CLAIM's construction on one input: every token's weight, product and partial sums, all roundings, the MLP's nodes, and the token
    after which the run leaves the proof.

    CLAIM may be a network of several layers, gallery/parity or a file: then every layer is shown.

    Exit status: 0 the answer is right; 1 it is wrong, or CLAIM, about a sum or the output, is wrong at this input, or the construction
    is ill-formed; 3 the input breaks the promise.
    """
    found = find_claim(claim)
    if found.table is None:
        raise InputError(f"{found.name} has no construction to run{_constructions_of(found)}")
    values = {name: read_integer(name, text) for name, text in given.items() if text is not None}
    point = found.complete(values)
    outside = found.outside(point)
    if outside:
        raise InputError(outside)
    instance = readable_instance(found, Edition(edition), point)
    if output is not None and form == "screen" and not instance.defects:
        _draw(found, Edition(edition), instance, semantics, y, z, output)
    status = run_trace(instance, semantics, {"y": y, "z": z}, edition, form, output, found)
    against = _against(found, Edition(edition), point, instance, semantics, y, z) if status == EXIT_VERIFIED else None
    if against is None:
        return status
    if form == "screen":
        click.echo(f"{found.name} is refuted here: {against}")
    return EXIT_REFUTED


def _against(claim: Claim, edition: Edition, point: Mapping[str, int], instance: Instance, semantics: str, y: str, z: str) -> str | None:
    """What is found, where the claim is about a sum or the output and wrong at this input; None elsewhere."""
    if not isinstance(instance.task, Problem):
        return None
    execution = Execution(instance, read_semantics(semantics))
    return fails_at(claim, edition, point, execution, read_bits(y, instance.m, "y"), read_bits(z, instance.m, "z"))


def _draw(claim: Claim, edition: Edition, instance: Instance, semantics: str, y: str, z: str, output: Path) -> None:
    """The picture of one input."""
    from verifier.show.pictures.proof_says import said
    from verifier.show.pictures.sums import picture

    execution = Execution(instance, read_semantics(semantics))
    trace = evaluate(execution, read_bits(y, instance.m, "y"), read_bits(z, instance.m, "z"))
    write(output, picture(execution, trace, said(claim, execution, trace, edition)).file())


def _constructions_of(claim: Claim) -> str:
    """The constructions that the claim is built of, as the end of a message; those of its paper where it is built of none."""
    program = SHELF.program(claim.id)
    waiting, inside = [claim], []
    while waiting:
        each = waiting.pop(0)
        inside += [each.name] if each.table is not None and each.role is None else []
        waiting += [find_claim(part.claim) for part in each.parts]
    if inside:
        return f"; `{program} trace {inside[0]}` runs that of {' or '.join(inside)}"
    paper = next(p for p in papers() if p.id == claim.paper)
    tables = list(paper.raw.get("tables", {}))
    return f"; {', '.join(tables)} have one: `{program} trace {tables[0]}`" if tables else f"; `{program} {claim.id}` judges it"


def run_trace(
    instance: Instance,
    semantics: str,
    given: Mapping[str, str],
    edition: str,
    form: str = "screen",
    output: Path | None = None,
    claim: Claim | None = None,
) -> int:
    """Trace one input, given as digits of its strings, or show why the construction cannot be run; the exit status.

    claim: whose proof says what the sums are.

    Raises:
        InputError: a string or reading that cannot be used, or a document of a construction that cannot be run.
    """
    if instance.defects and form == "json":
        raise InputError(f"{instance.id} ({edition}) is ill-formed at these parameters and cannot be traced: {instance.defects[0]}")
    if instance.defects:
        click.echo(f"{instance.id} ({edition}) is ill-formed at these parameters:")
        for defect in instance.defects:
            click.echo(f"  {defect}")
        return EXIT_REFUTED
    execution = Execution(instance, read_semantics(semantics))
    trace = evaluate_at(execution, {name: read_bits(given[name], length, name) for name, length in instance.task.strings.items()})
    if form == "json":
        text = as_json(execution, trace, edition)
        if output is None:
            written(text)
        else:
            write(output, text)
    else:
        from verifier.show.pictures.proof_says import said

        proof = []
        if claim is not None and isinstance(instance.task, Problem):
            proof = said(claim, execution, trace, Edition(edition))
        show_trace(execution, trace, edition, proof)
    if not trace.promised:
        return EXIT_UNDECIDED
    return EXIT_VERIFIED if trace.correct else EXIT_REFUTED

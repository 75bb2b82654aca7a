"""``verify plot CLAIM --p 5 --output failures.svg``: the pictures of the site, for one claim."""

from __future__ import annotations

from pathlib import Path

import click

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.points import points, read_integer
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_VERIFIED, Edition, Result
from verifier.commands.claims import ClaimCommand
from verifier.commands.options import semantics_option, write
from verifier.commands.progress import Progress
from verifier.judges.editions import readable_instance
from verifier.judges.wording import parameter_text
from verifier.networks.execution import Execution
from verifier.running.errors import InputError
from verifier.running.limits import Advance
from verifier.show.pictures import failures, verdicts
from verifier.show.pictures.drawing import Drawing


@click.command("plot", cls=ClaimCommand)
@click.argument("claim")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The SVG file to write.")
@click.option(
    "--edition",
    type=click.Choice([e.value for e in Edition]),
    default="printed",
    show_default=True,
    help="Which edition of the table to run.",
)
@click.option("--verdicts", "against", is_flag=True, help="Draw the verdicts against the parameters, even if the claim has a construction.")
@semantics_option
def command(claim: str, output: Path, edition: str, against: bool, semantics: str, **given: str | None) -> int:
    """Draw CLAIM: where its construction fails, over all pairs (y, z); of a claim without one, its verdicts against its parameters.

    A range such as --p 2..8 draws the verdicts, and so does a construction that is ill-formed at the parameters given.
    """
    found, execution = find_claim(claim), read_semantics(semantics)
    values = {name: text for name, text in given.items() if text is not None}
    several = any(".." in text or "," in text for text in values.values())
    with Progress() as advance:
        if found.table is None or against or several or not values:
            drawing = _verdicts(found, values, execution, advance)
        else:
            drawing = _failures(found, Edition(edition), values, execution, advance) or _verdicts(found, values, execution, advance)
    write(output, drawing.file())
    click.echo(f"{output} written: {drawing.title}" + (f": {drawing.says}" if drawing.says else ""))
    return EXIT_VERIFIED


def _failures(claim: Claim, edition: Edition, values: dict[str, str], execution: Semantics, advance: Advance) -> Drawing | None:
    """The map of one instance; None, with a line that says why, where it is ill-formed.

    Raises:
        InputError: parameters outside the claim's domain.
    """
    point = claim.complete({name: read_integer(name, text) for name, text in values.items()})
    if outside := claim.outside(point):
        raise InputError(outside)
    instance = readable_instance(claim, edition, point)
    if instance.defects:
        at = parameter_text(instance.parameters)
        click.echo(f"{instance.id} ({edition.value}) is ill-formed at {at}: {instance.defects[0]}; its verdicts are drawn")
        return None
    found = failures.failure_map(Execution(instance, execution), advance=lambda done, total: advance("pairs", done, total))
    return failures.picture(found, f"{claim.name}, {edition.value}, {parameter_text(instance.parameters)}")


def _verdicts(claim: Claim, values: dict[str, str], execution: Semantics, advance: Advance) -> Drawing:
    """The verdicts of every edition at the points asked for."""
    session, asked = Session(advance=advance), list(points(claim, values))
    label = execution.label if claim.bounded else None
    results = [
        Result(claim.id, edition, claim.complete(point), label, *session.outcome(claim, edition, point, execution))
        for point in asked
        for edition in Edition
    ]
    return verdicts.picture(claim, results, {})

"""``verify plot CLAIM --p 5 --output failures.svg``: the pictures of the site, for one claim or one construction file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.points import points, read_integer
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_VERIFIED, Edition, Result
from verifier.commands.files_named import SOURCES, FileCommand
from verifier.commands.options import ClaimCommand, of_table_option, semantics_option, write
from verifier.commands.progress import Progress
from verifier.errata.tables import Source
from verifier.judges.editions import readable_instance
from verifier.judges.own_files import file_points, file_semantics, in_file
from verifier.judges.wording import parameter_text
from verifier.networks.execution import Execution
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.repair.patterns import failing_pattern
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Advance
from verifier.running.printable import visible
from verifier.show.pictures import failures, verdicts
from verifier.show.pictures.captioned import of_failures, of_verdicts
from verifier.show.pictures.drawing import Drawing
from verifier.show.screen import folded
from verifier.show.verdict_words import titled

STRINGS = {"y": "Alice's string", "z": "Bob's string"}


def _svg(context: click.Context, option: click.Parameter, path: Path) -> Path:
    """The file to write, unless its name says that another kind of picture is wanted."""
    if path.suffix.lower() not in (".svg", ""):
        raise click.UsageError(f"--output {visible(str(path))}: pictures are SVG; a name such as {visible(path.stem)}.svg was expected")
    return path


output_svg = click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), callback=_svg, required=True, help="The SVG file to write."
)


@click.command("plot", cls=ClaimCommand)
@click.argument("claim")
@output_svg
@of_table_option
@click.option("--verdicts", "against", is_flag=True, help="Draw the verdicts against the parameters, even if the claim has a construction.")
@semantics_option
def command(claim: str, output: Path, edition: str, against: bool, semantics: str, **given: str | None) -> int:
    """Draw CLAIM: a map of the pairs (y, z) on which its construction fails; for a claim without a construction, its verdicts against its
    parameters.

    A range such as --p 2..8 draws the verdicts, and so does a construction that is ill-formed at the parameters given. CLAIM may be a
    construction file: then the map of its failures is drawn, at its own parameters.
    """
    found, execution = find_claim(claim), read_semantics(semantics)
    values = {name: text for name, text in given.items() if text is not None}
    several = any(".." in text or "," in text or text == "all" for text in values.values())
    with Progress() as advance:
        if found.table is None or against or several or not values:
            drawing = _verdicts(found, values, execution, advance)
        else:
            drawing = _failures(found, Edition(edition), values, execution, advance) or _verdicts(found, values, execution, advance)
    return _written(output, drawing)


@click.command("plot", cls=FileCommand)
@click.argument("file")
@output_svg
@semantics_option
@click.pass_context
def of_file(context: click.Context, /, file: str, output: Path, semantics: str, **given: str | None) -> int:
    """Draw where the construction of FILE fails, over all pairs (y, z), at one point of its parameters."""
    source: Source = context.meta[SOURCES][file]
    ranges = {name: text for name, text in given.items() if text is not None and name in source.file.parameters}
    with in_file(source, file):
        point, *more = file_points(source, ranges)
        own = file_semantics(source)
    if more:
        raise InputError(f"{file}: {len(more) + 1} points were given; one was expected, such as {flags(point)}")
    chosen = context.get_parameter_source("semantics") is not click.core.ParameterSource.DEFAULT
    instance = instantiate(source.file, point)
    if instance.defects:
        raise InputError(f"{file} is ill-formed at {parameter_text(instance.parameters)}: {instance.defects[0]}")
    with Progress() as advance:
        drawing = _map(instance, read_semantics(semantics if chosen else own), source.file.title, advance)
    return _written(output, drawing)


def flags(point: Mapping[str, int]) -> str:
    """``--p 8 --n 34``."""
    return " ".join(f"--{name} {value}" for name, value in point.items())


def _written(output: Path, drawing: Drawing) -> int:
    write(output, drawing.file())
    for text in filter(None, (f"{output} written: {drawing.title}", drawing.says)):
        click.echo("\n".join(folded(text, 2, 0)))
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
    return _map(instance, execution, f"{titled(claim.name)}, {edition.value}", advance)


def _map(instance: Instance, semantics: Semantics, name: str, advance: Advance) -> Drawing:
    """Where a construction fails, with what its failing inputs have in common."""
    execution = Execution(instance, semantics)
    title = f"{name}, {parameter_text(instance.parameters)}, {semantics.label}"
    found = failures.failure_map(execution, advance=lambda done, total: advance("pairs", done, total))
    try:
        pattern = failing_pattern(execution, found.failures) if found.failures else None
    except (InputError, LimitError):
        pattern = None
    return of_failures(failures.picture(found, title, titled=False), found, title, str(pattern) if pattern else None, STRINGS)


def _verdicts(claim: Claim, values: dict[str, str], execution: Semantics, advance: Advance) -> Drawing:
    """The verdicts of every edition at the points asked for."""
    session, asked = Session(advance=advance), list(points(claim, values))
    label = execution.label if claim.bounded else None
    results = [
        Result(claim.id, edition, claim.complete(point), label, *session.outcome(claim, edition, point, execution))
        for point in asked
        for edition in Edition
    ]
    return of_verdicts(verdicts.picture(claim, results, {}), claim, results)

"""``verify plot SUBJECT --p 5 --output failures.svg``: the pictures of the site, for one claim, table file or network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.points import points, read_integer
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_VERIFIED, Edition, Result
from verifier.commands.options import arithmetic_option, of_table_option, write
from verifier.commands.progress import Progress
from verifier.commands.subjects import ClaimSubject, NetworkSubject, PaperSubject, SubjectCommand, TableSubject, given_values, one_subject
from verifier.judges.editions import readable_instance
from verifier.judges.own_files import file_points, file_semantics, in_file
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.repair.patterns import failing_pattern
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Advance
from verifier.running.printable import assignment, visible
from verifier.show.pictures import failures, verdicts
from verifier.show.pictures.captioned import of_failures, of_verdicts
from verifier.show.pictures.drawing import Drawing
from verifier.show.screen import folded
from verifier.show.verdict_words import titled
from verifier.transformers.tables import Execution

STRINGS = {"y": "Alice's string", "z": "Bob's string"}


def _svg(context: click.Context, option: click.Parameter, path: Path) -> Path:
    """The file to write, unless its name says that another kind of picture is wanted."""
    if path.suffix.lower() not in (".svg", ""):
        raise click.UsageError(f"--output {visible(str(path))}: pictures are SVG; a name such as {visible(path.stem)}.svg was expected")
    return path


output_svg = click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), callback=_svg, required=True, help="The SVG file to write."
)


WITHOUT = {PaperSubject: "a claim or a file is drawn; `verify report --site DIR --paper NAME` draws all claims of a paper"}


@click.command("plot", cls=SubjectCommand, most=1, without=WITHOUT)
@click.argument("word", metavar="SUBJECT")
@output_svg
@of_table_option
@click.option("--verdicts", "against", is_flag=True, help="Draw the verdicts against the parameters, even if the claim has a construction.")
@arithmetic_option
@click.pass_context
def command(
    context: click.Context, /, word: str, output: Path, edition: str, against: bool, arithmetic: str | None, **given: str | None
) -> int:
    """Draw SUBJECT: the pairs (y, z) on which the construction of a claim or of a table file fails; for a claim without a construction, its
    verdicts against its parameters; for a network, the lengths up to which it is right, by arithmetic.

    A range such as --p 2..8 draws the verdicts of a claim, and so does a construction that is ill-formed at the parameters given.
    """
    del word
    subject, values = one_subject(context), given_values(given)
    with Progress() as advance:
        match subject:
            case ClaimSubject():
                drawing = _of_claim(subject.claim, values, Edition(edition), against, arithmetic or DEFAULT_SEMANTICS.label, advance)
            case TableSubject():
                drawing = _of_table(subject, values, arithmetic, advance)
            case NetworkSubject():
                drawing = _of_network(subject, values, arithmetic, advance)
            case _:
                raise InputError(f"plot {subject.name}: a {subject.kind} is not drawn")
    write(output, drawing.file())
    for text in filter(None, (f"{output} written: {drawing.title}", drawing.says)):
        click.echo("\n".join(folded(text, 2, 0)))
    return EXIT_VERIFIED


def _of_claim(claim: Claim, values: dict[str, str], edition: Edition, against: bool, reading: str, advance: Advance) -> Drawing:
    execution = read_semantics(reading)
    several = any(".." in text or "," in text or text == "all" for text in values.values())
    if claim.table is None or against or several or not values:
        return _verdicts(claim, values, execution, advance)
    return _failures(claim, edition, values, execution, advance) or _verdicts(claim, values, execution, advance)


def _of_table(subject: TableSubject, ranges: dict[str, str], reading: str | None, advance: Advance) -> Drawing:
    """Where the construction of a file fails, at one point of its parameters."""
    file, source = subject.name, subject.source
    with in_file(source, file):
        point, *more = file_points(source, ranges)
        chosen = reading or file_semantics(source)
    if more:
        raise InputError(f"{file}: {len(more) + 1} points were given; one was expected, such as {flags(point)}")
    instance = instantiate(source.file, point)
    if instance.defects:
        raise InputError(f"{file} is ill-formed at {assignment(instance.parameters)}: {instance.defects[0]}")
    return _map(instance, read_semantics(chosen), source.file.title, advance)


def _of_network(subject: NetworkSubject, ranges: dict[str, str], arithmetics: str | None, advance: Advance) -> Drawing:
    """The lengths up to which a network is right, by arithmetic."""
    from verifier.commands.precision import FORMATS, Deciding
    from verifier.show.pictures.lengths import picture

    found = Deciding.of(subject, ranges).precision(arithmetics or FORMATS, advance)
    return picture(f"{subject.name}: {subject.file.title}", found.lengths, found.cells)


def flags(point: Mapping[str, int]) -> str:
    """``--p 8 --n 34``."""
    return " ".join(f"--{name} {value}" for name, value in point.items())


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
        at = assignment(instance.parameters)
        click.echo(f"{instance.id} ({edition.value}) is ill-formed at {at}: {instance.defects[0]}; its verdicts are drawn")
        return None
    return _map(instance, execution, f"{titled(claim.name)}, {edition.value}", advance)


def _map(instance: Instance, semantics: Semantics, name: str, advance: Advance) -> Drawing:
    """Where a construction fails, with what its failing inputs have in common."""
    execution = Execution(instance, semantics)
    title = f"{name}, {assignment(instance.parameters)}, {semantics.label}"
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
    return of_verdicts(verdicts.picture(claim, results), claim, results)

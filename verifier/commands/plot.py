"""``verify plot SUBJECT --p 5 --output failures.svg``: the pictures of the site, for one claim, table file or network."""

from __future__ import annotations

from pathlib import Path

import click

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.points import asked_points
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_VERIFIED, Edition
from verifier.commands.options import arithmetic_option, of_table_option, write
from verifier.commands.progress import Progress
from verifier.commands.subjects import ClaimSubject, NetworkSubject, PaperSubject, Subject, SubjectCommand, TableSubject
from verifier.interface.constructions import AtPoint
from verifier.running.errors import InputError
from verifier.running.limits import Advance
from verifier.running.printable import assignment, visible
from verifier.show.pictures import failures
from verifier.show.pictures.captioned import of_failures, of_verdicts, verdicts_picture
from verifier.show.pictures.drawing import Drawing
from verifier.show.screen import folded
from verifier.show.verdict_words import titled

STRINGS = {"y": "Alice's string", "z": "Bob's string"}


def _svg(context: click.Context, option: click.Parameter, path: Path) -> Path:
    """The file to write, unless its name ends like another kind of picture."""
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
def command(subject: Subject, output: Path, edition: str, against: bool, arithmetic: str | None, **values: str) -> int:
    """Draw SUBJECT: the pairs (y, z) on which the construction of a claim or of a table file fails; for a claim without a construction, its
    verdicts against its parameters; for a network, the lengths up to which it is right, by arithmetic.

    A range such as --p 2..8 draws the verdicts of a claim, and so does a construction that is ill-formed at the parameters given.
    """
    with Progress() as advance:
        match subject:
            case ClaimSubject():
                drawing = _of_claim(subject.claim, values, Edition(edition), against, arithmetic or DEFAULT_SEMANTICS.label, advance)
            case TableSubject():
                drawing = _map(AtPoint.of_file(subject.source, subject.name, values, arithmetic), subject.source.file.title, advance)
            case NetworkSubject():
                drawing = _of_network(subject, values, arithmetic, advance)
            case _:
                raise InputError(f"plot {subject.name}: a {subject.kind} is not drawn")
    write(output, drawing.file())
    for text in filter(None, (f"{output} written: {drawing.title}", drawing.says)):
        click.echo("\n".join(folded(text, 2, 0)))
    return EXIT_VERIFIED


def _of_claim(claim: Claim, values: dict[str, str], edition: Edition, against: bool, reading: str, advance: Advance) -> Drawing:
    several = any(".." in text or "," in text or text == "all" for text in values.values())
    if claim.table is None or against or several or not values:
        return _verdicts(claim, values, read_semantics(reading), advance)
    return _failures(claim, edition, values, reading, advance) or _verdicts(claim, values, read_semantics(reading), advance)


def _of_network(subject: NetworkSubject, ranges: dict[str, str], arithmetics: str | None, advance: Advance) -> Drawing:
    """The lengths up to which a network is right, by arithmetic."""
    from verifier.commands.precision import FORMATS, Deciding
    from verifier.show.pictures.lengths import picture

    found = Deciding.of(subject, ranges).precision(arithmetics or FORMATS, advance)
    return picture(f"{subject.name}: {subject.file.title}", found.lengths, found.cells)


def _failures(claim: Claim, edition: Edition, values: dict[str, str], reading: str, advance: Advance) -> Drawing | None:
    """Draw the failures of one instance; if the instance is ill-formed, print a line that says why and return None.

    Raises:
        InputError: parameters outside the claim's domain.
    """
    at = AtPoint.of_claim(claim, values, edition, reading)
    if (instance := at.instance).defects:
        place = assignment(instance.parameters)
        click.echo(f"{instance.id} ({edition.value}) is ill-formed at {place}: {instance.defects[0]}; its verdicts are drawn")
        return None
    return _map(at, f"{titled(claim.name)}, {edition.value}", advance)


def _map(at: AtPoint, name: str, advance: Advance) -> Drawing:
    """The map of the inputs on which a construction fails, with what these inputs have in common."""
    execution = at.execution(read_semantics)
    title = f"{name}, {assignment(at.instance.parameters)}, {execution.semantics.label}"
    found, pattern = failures.described(execution, advance=lambda done, total: advance("pairs", done, total))
    return of_failures(failures.picture(found, title, titled=False), found, title, pattern, STRINGS)


def _verdicts(claim: Claim, values: dict[str, str], execution: Semantics, advance: Advance) -> Drawing:
    """The verdicts of every edition at the points of the request."""
    session = Session(advance=advance)
    results = [session.result(point, edition, execution) for point in list(asked_points(claim, values)) for edition in Edition]
    return of_verdicts(verdicts_picture(claim, results), claim, results)

"""``verify trace SUBJECT --p 8 --y … --z …``: one input through a construction or a network, with everything that was rounded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from verifier.arithmetic.semantics import read_arithmetic, read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import find_claim, papers
from verifier.claims.points import read_integer
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED, Edition
from verifier.commands.options import arithmetic_option, of_table_option, write
from verifier.commands.subjects import SubjectCommand, one_subject, texts
from verifier.errata.tables import read_with_errata
from verifier.interface.running import network_trace
from verifier.interface.subjects import ClaimSubject, NetworkSubject, PaperSubject, TableSubject, one_string_gives
from verifier.judges.editions import readable_instance
from verifier.judges.one_input import fails_at
from verifier.judges.own_files import file_points, file_semantics, in_file
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem, read_bits
from verifier.running.errors import InputError
from verifier.running.shelf import SHELF
from verifier.show.streams import written
from verifier.show.trace_screen import as_json, show_trace
from verifier.transformers.table_traces import evaluate, evaluate_at
from verifier.transformers.tables import Execution

WITHOUT = {PaperSubject: "one input of one construction is traced; `verify list NAME --steps` shows the claims"}


@click.command("trace", cls=SubjectCommand, most=1, strings=True, without=WITHOUT)
@click.argument("word", metavar="SUBJECT")
@of_table_option
@arithmetic_option
@click.option("--errata", type=click.Path(dir_okay=False, path_type=Path), help="Apply these errata to the file first.")
@click.option("--format", "form", type=click.Choice(("screen", "json")), default="screen", show_default=True, help="How to show the trace.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the sums of a claim's construction, and the proof's values for them, as SVG; or write the document of --format json.",
)
@click.pass_context
def command(
    context: click.Context,
    /,
    word: str,
    edition: str,
    arithmetic: str | None,
    errata: Path | None,
    form: str,
    output: Path | None,
    **given: str | None,
) -> int:
    """Run SUBJECT, a claim's construction, a table file, a network file or gallery/ID, on one input, step by step.

    Every string of the input is an option of its own name, such as --y 0110 --z 0110, or --w 0110; a length that is not given is that of
    the string. Of a table: every token's weight, product and partial sums, all roundings, the MLP's nodes, and the token after which the
    run leaves the proof. Of a network: every layer, its heads with scores and weights, and the coordinates of every token.

    Exit status: 0 the answer is right; 1 it is wrong, or the claim, about a sum or the output, is wrong at this input, or the construction
    is ill-formed; 3 the input breaks the promise.
    """
    del word
    subject, asked = one_subject(context), texts(given)
    if isinstance(subject, ClaimSubject) and subject.claim.table is None:
        raise InputError(f"{subject.claim.name} has no construction to run{_constructions_of(subject.claim)}")
    strings = [option.name for option in subject.strings()]
    if missing := [f"--{name}" for name in strings if name not in asked]:
        raise InputError(f"{subject.name}: {' and '.join(missing)} was expected, the symbols of the input")
    if errata is not None and not isinstance(subject, TableSubject):
        raise InputError(f"--errata: a table file was expected, {subject.name} is a {subject.kind}")
    digits = {name: asked.pop(name) for name in strings}
    match subject:
        case ClaimSubject():
            return _of_claim(subject.claim, asked, digits, Edition(edition), arithmetic, form, output)
        case TableSubject():
            return _of_table(subject, asked, digits, arithmetic, errata, form, output)
        case NetworkSubject():
            return _of_network(subject, asked, digits, arithmetic, form, output)
    raise InputError(f"trace {subject.name}: a {subject.kind} is not run")


def _of_claim(
    claim: Claim, asked: dict[str, str], digits: dict[str, str], edition: Edition, reading: str | None, form: str, output: Path | None
) -> int:
    """The construction of a claim, with what its proof says."""
    assert claim.table is not None
    reading = reading or DEFAULT_SEMANTICS.label
    point = claim.complete({name: read_integer(name, text) for name, text in asked.items()})
    outside = claim.outside(point)
    if outside:
        raise InputError(outside)
    instance = readable_instance(claim, edition, point)
    if output is not None and form == "screen" and not instance.defects:
        _draw(claim, edition, instance, reading, digits, output)
    status = _run(instance, reading, digits, edition.value, form, output, claim)
    against = _against(claim, edition, point, instance, reading, digits) if status == EXIT_VERIFIED else None
    if against is None:
        return status
    if form == "screen":
        click.echo(f"{claim.name} is refuted here: {against}")
    return EXIT_REFUTED


def _of_table(
    subject: TableSubject,
    asked: dict[str, str],
    digits: Mapping[str, str],
    reading: str | None,
    errata: Path | None,
    form: str,
    output: Path | None,
) -> int:
    """A table file, as written or with errata."""
    if form == "screen" and output is not None:
        raise InputError("--output: the trace of a file is written with --format json; `verify plot` draws where a table fails")
    source = subject.source if errata is None else read_with_errata(Path(subject.name), errata)
    with in_file(source, subject.name):
        whole = one_string_gives(subject.lengths(), asked, {name: len(text) for name, text in digits.items()})
        point, *more = file_points(source, whole)
        if more:
            raise InputError("one point is traced; a range was given")
        instance = instantiate(source.repaired() if source.errata else source.file, point)
        chosen = reading or file_semantics(source)
    return _run(instance, chosen, digits, "with its errata" if source.errata else "as written", form, output)


def _of_network(
    subject: NetworkSubject, asked: dict[str, str], digits: Mapping[str, str], how: str | None, form: str, output: Path | None
) -> int:
    """A network of several layers."""
    found = network_trace(subject, digits, asked, how)
    text = (
        json.dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n" if form == "json" else "".join(f"{line}\n" for line in found.lines)
    )
    if output is None:
        written(text)
    else:
        write(output, text)
    if not found.promised:
        return EXIT_UNDECIDED
    return EXIT_VERIFIED if found.correct else EXIT_REFUTED


def _against(
    claim: Claim, edition: Edition, point: Mapping[str, int], instance: Instance, semantics: str, digits: Mapping[str, str]
) -> str | None:
    """What is found, where the claim is about a sum or the output and wrong at this input; None elsewhere."""
    if not isinstance(instance.task, Problem) or not read_arithmetic(semantics).of_papers:
        return None
    execution = Execution(instance, read_semantics(semantics))
    return fails_at(claim, edition, point, execution, *_pair(instance, digits))


def _pair(instance: Instance, digits: Mapping[str, str]) -> tuple[int, int]:
    return read_bits(digits["y"], instance.m, "y"), read_bits(digits["z"], instance.m, "z")


def _draw(claim: Claim, edition: Edition, instance: Instance, semantics: str, digits: Mapping[str, str], output: Path) -> None:
    """The picture of one input."""
    from verifier.show.pictures.proof_says import said
    from verifier.show.pictures.sums import picture

    execution = Execution(instance, read_semantics(semantics))
    trace = evaluate(execution, *_pair(instance, digits))
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


def _run(
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
    execution = Execution(instance, read_arithmetic(semantics))
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

"""``verify construction FILE --p 8``: judge anyone's construction file, without a paper."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import click

from verifier.attention.terms import Reading
from verifier.commands.options import (
    chosen_semantics,
    deliver,
    format_option,
    limit_option,
    method_option,
    output_option,
    semantics_option,
)
from verifier.commands.progress import Progress
from verifier.commands.trace import run_trace
from verifier.construction.errata import Source, read_construction
from verifier.construction.instantiate import complete, instantiate, outside_domain
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import Advance
from verifier.errors import InputError, LimitError
from verifier.judges.tables import ill_formed, table_finding
from verifier.output.screen import show_readings, show_results
from verifier.semantics import Semantics
from verifier.statements.model import Parameter, declined
from verifier.statements.points import parse_values
from verifier.verdicts import Edition, Finding, Result, exit_status

OWN_OPTIONS = "options of the file named"


class FileCommand(click.Command):
    """A command whose options are the parameters of the construction file named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-"):
            ctx.meta["source"] = read_construction(Path(args[0]))
            ctx.meta[OWN_OPTIONS] = file_options(ctx.meta["source"], args[0], {p.name for p in self.params})
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *ctx.meta.get(OWN_OPTIONS, [])]


def file_options(source: Source, path: str, taken: set[str]) -> list[click.Option]:
    """An option for every parameter of a construction file.

    Raises:
        InputError: a parameter with the name of one of the command's own options.
    """
    own = []
    for name, spec in source.file.parameters.items():
        if name in taken:
            raise InputError(f"{path}: parameters.{name}: the name is taken by an option of this command")
        text = f"{spec.meaning or spec.where}; {spec.where}" + (f"; default {spec.default}" if spec.default is not None else "")
        own.append(click.Option([f"--{name}"], metavar="A, A..B", help=text))
    return own


@click.command("construction", cls=FileCommand)
@click.argument("file")
@click.option("--y", help="With --z: trace this one input instead.")
@click.option("--z", help="With --y: trace this one input instead.")
@semantics_option
@format_option
@output_option
@method_option
@limit_option
@click.pass_context
def command(
    context: click.Context,
    /,
    file: str,
    y: str | None,
    z: str | None,
    semantics: str,
    form: str,
    output: Path | None,
    method: str,
    limit: int,
    **given: str | None,
) -> int:
    """Check the construction in FILE (TOML): is it well-formed, and does it compute its function on every promised input?"""
    source: Source = context.meta["source"]
    ranges = {k: v for k, v in given.items() if v is not None}
    if (y is None) != (z is None):
        raise InputError("--y and --z belong together")
    results: list[Result] = []
    with Progress() as advance:
        for point in _points(source, ranges):
            if y is not None and z is not None:
                return _trace(source, point, semantics, y, z)
            for reading in chosen_semantics(semantics, source.file.precision.point):
                finding = _judge(source, file, point, reading, method, limit, lambda done, total: advance(source.file.id, done, total))
                values = complete(source.file, point)
                results.append(Result(f"construction/{_slug(source.file.id)}", Edition.PRINTED, values, reading.label, finding))
    show = (lambda: show_readings(results)) if semantics == "all" else (lambda: show_results(results))
    deliver(results, form, output, show)
    return exit_status(results)


def _points(source: Source, ranges: dict[str, str]) -> list[dict[str, int]]:
    found: list[dict[str, int]] = [{}]
    for name, text in ranges.items():
        found = [{**point, name: value} for point in found for value in parse_values(text, Parameter(name, "", ""))]
    return found


def _judge(source: Source, file: str, point: dict[str, int], semantics: Semantics, method: str, limit: int, advance: Advance) -> Finding:
    values = complete(source.file, point)
    outside = outside_domain(source.file, values)
    if outside:
        return declined(outside)
    words = ["construction", file, *(w for k, v in values.items() for w in (f"--{k}", str(v)))]
    if semantics.label != "a4":
        words += ["--semantics", semantics.label]
    try:
        instance = instantiate(source.file, values)
        if instance.defects:
            return replace(ill_formed(instance, Path(file).name), replay=tuple(words))
        reading = Reading(instance, semantics)
        return table_finding(reading, decide(reading, method, limit, advance), Path(file).name, tuple(words))
    except LimitError as error:
        return declined(str(error))


def _trace(source: Source, point: dict[str, int], semantics: str, y: str, z: str) -> int:
    return run_trace(instantiate(source.file, point), semantics, y, z, "as written")


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9.-]+", "-", name.lower()).strip("-") or "file"

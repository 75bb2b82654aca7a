"""``verify construction FILE… --p 8``: judge anyone's construction files, without a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import prod
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
from verifier.errors import InputError, LimitError, placed
from verifier.judges.tables import ill_formed, table_finding
from verifier.output.screen import show_readings, show_results
from verifier.semantics import Semantics
from verifier.statements.model import ALL, SHORT_OF_MEMORY, Parameter, declined
from verifier.statements.points import MOST_VALUES, SHORTER, parse_values
from verifier.verdicts import Edition, Finding, Result, exit_status

OWN_OPTIONS = "options of the files named"
SOURCES = "the construction files named"


class FileCommand(click.Command):
    """A command whose options are the parameters of the construction files named, wherever among the words they stand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        sources = {path: read_construction(Path(path)) for path in files_among(args, super().get_params(ctx))}
        taken = {p.name for p in self.params if p.name is not None}
        options = {o.name: o for path, source in sources.items() for o in file_options(source, path, taken)}
        ctx.meta[SOURCES], ctx.meta[OWN_OPTIONS] = sources, list(options.values())
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *ctx.meta.get(OWN_OPTIONS, [])]


def files_among(words: Sequence[str], options: Iterable[click.Parameter]) -> list[str]:
    """The words that are neither options nor their values; a word that begins with a dash is a file only behind ``--``."""
    alone = {name for o in options if isinstance(o, click.Option) and (o.is_flag or o.count) for name in o.opts}
    found: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            found += rest
        elif not word.startswith("-") or word == "-":
            found.append(word)
        elif "=" not in word and word not in alone:
            next(rest, None)
    return list(dict.fromkeys(found))


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
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
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
    files: tuple[str, ...],
    y: str | None,
    z: str | None,
    semantics: str,
    form: str,
    output: Path | None,
    method: str,
    limit: int,
    **given: str | None,
) -> int:
    """Check the construction in each FILE (TOML): is it well-formed, and does it compute its function on every promised input?"""
    sources: dict[str, Source] = context.meta[SOURCES]
    ranges = {k: v for k, v in given.items() if v is not None}
    if (y is None) != (z is None):
        raise InputError("--y and --z belong together")
    if y is not None and z is not None:
        if len(sources) > 1:
            raise InputError("--y and --z trace one file; several were named")
        return _trace(*next(iter(sources.items())), ranges, semantics, y, z)
    names = _claims(sources)
    results: list[Result] = []
    with Progress() as advance:
        for file, source in sources.items():
            with placed(file):
                points = _points(source, ranges)
            for point in points:
                for reading in chosen_semantics(semantics, source.file.precision.point):
                    with placed(file):
                        finding = _judge(source, file, point, reading, method, limit, partial(advance, source.file.id))
                        values = complete(source.file, point)
                    results.append(Result(names[file], Edition.PRINTED, values, reading.label, finding))
    show = (lambda: show_readings(results)) if semantics == "all" else (lambda: show_results(results))
    deliver(results, form, output, show)
    return exit_status(results)


def _claims(sources: Mapping[str, Source]) -> dict[str, str]:
    """What each file's results are called: by the id of its construction, or where two have the same by the file's path."""
    ids = [_slug(source.file.id) for source in sources.values()]
    return {file: f"construction/{_slug(file) if ids.count(name) > 1 else name}" for file, name in zip(sources, ids, strict=True)}


def _points(source: Source, ranges: dict[str, str]) -> list[dict[str, int]]:
    """Every combination of the values given for the file's parameters."""
    listed = {name: parse_values(text, Parameter(name, "", "")) for name, text in ranges.items() if name in source.file.parameters}
    if any(values == [ALL] for values in listed.values()):
        raise InputError("every value of a parameter is a question for claims of a paper; a number or a range was expected")
    if prod(len(values) for values in listed.values()) > MOST_VALUES:
        raise LimitError(f"{source.file.id}: the ranges have more than {MOST_VALUES:,} points, the limit for one run", SHORTER)
    return [dict(zip(listed, values, strict=True)) for values in product(*listed.values())]


def _judge(source: Source, file: str, point: dict[str, int], semantics: Semantics, method: str, limit: int, advance: Advance) -> Finding:
    values = complete(source.file, point)
    outside = outside_domain(source.file, values)
    if outside:
        return declined(outside)
    words = ["construction", f"./{file}" if file.startswith("-") else file, *(w for k, v in values.items() for w in (f"--{k}", str(v)))]
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
    except MemoryError:
        return declined(SHORT_OF_MEMORY)


def _trace(file: str, source: Source, ranges: dict[str, str], semantics: str, y: str, z: str) -> int:
    with placed(file):
        point, *more = _points(source, ranges)
        if more:
            raise InputError("--y and --z trace one point; a range was given")
        instance = instantiate(source.file, point)
    return run_trace(instance, semantics, y, z, "as written")


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9.-]+", "-", name.lower()).strip("-.") or "file"

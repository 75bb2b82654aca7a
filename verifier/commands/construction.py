"""``verify construction FILE… --p 8``: judge anyone's construction files, without a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from verifier.construction.records import ConstructionFile
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import Advance
from verifier.errors import InputError, LimitError, Mistake, Mistakes, placed
from verifier.judges.expected import judged_expectations
from verifier.judges.tables import ill_formed, table_finding
from verifier.output.screen import show_readings, show_results
from verifier.semantics import Semantics
from verifier.statements.model import ALL, Parameter, declined
from verifier.statements.points import MOST_VALUES, parse_values
from verifier.verdicts import Edition, Finding, Result, exit_status

STRING_HELP = "Trace one input instead: the digits of this string (every string of the file is given)."
OWN_OPTIONS = "options of the files named"
SOURCES = "the construction files named"


class FileCommand(click.Command):
    """A command whose options are the parameters of the construction files named, wherever among the words they stand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        sources: dict[str, Source] = {}
        wrong: list[InputError] = []
        for path in files_among(args, super().get_params(ctx)):
            try:
                sources[path] = read_construction(Path(path))
            except InputError as error:
                wrong.append(error)
        if wrong:
            raise wrong[0] if len(wrong) == 1 else together(wrong)
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
    own = [click.Option([f"--{name}"], metavar="BITS", help=STRING_HELP) for name in strings_of(source.file)]
    for name, spec in source.file.parameters.items():
        if name in taken:
            raise InputError(f"{path}: parameters.{name}: the name is taken by an option of this command")
        text = f"{spec.meaning or spec.where}; {spec.where}" + (f"; default {spec.default}" if spec.default is not None else "")
        own.append(click.Option([f"--{name}"], metavar="A, A..B", help=text))
    return own


@click.command("construction", cls=FileCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
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
    semantics: str,
    form: str,
    output: Path | None,
    method: str,
    limit: int,
    **given: str | None,
) -> int:
    """Check the construction in each FILE (TOML): is it well-formed, and does it compute its function on every promised input?"""
    sources: dict[str, Source] = context.meta[SOURCES]
    strings = dict.fromkeys(name for source in sources.values() for name in strings_of(source.file))
    ranges = {k: v for k, v in given.items() if v is not None and k not in strings}
    digits = {name: given[name] for name in strings if given[name] is not None}
    if digits:
        if len(sources) > 1:
            raise InputError(f"{_options(strings)} trace one file; several were named")
        if len(digits) < len(strings):
            raise InputError(f"{_options(strings)} belong together")
        return _trace(*next(iter(sources.items())), ranges, semantics, {k: str(v) for k, v in digits.items()})
    names = _claims(sources)
    results: list[Result] = []
    with Progress() as advance:
        for file, source in sources.items():
            with placed(file):
                points = _points(source, ranges)
            for point in points:
                for reading in chosen_semantics(semantics, source.file.precision.point):
                    with in_file(source, file):
                        values = complete(source.file, point)
                        for name, finding in _judge(source, file, point, reading, method, limit, partial(advance, source.file.id)):
                            results.append(Result(f"{names[file]}{name}", Edition.PRINTED, values, reading.label, finding))
    show = (lambda: show_readings(results)) if semantics == "all" else (lambda: show_results(results))
    deliver(results, form, output, show)
    return exit_status(results)


def strings_of(file: ConstructionFile) -> tuple[str, ...]:
    """The names of the input strings."""
    return tuple(file.problem.strings) or ("y", "z")


def _options(names: Iterable[str]) -> str:
    """``--y and --z``."""
    *others, last = (f"--{name}" for name in names)
    return f"{', '.join(others)} and {last}" if others else last


@contextmanager
def in_file(source: Source, file: str) -> Iterator[None]:
    """Puts the file, and where it is known the line, before every mistake found inside."""
    try:
        with placed(file):
            yield
    except Mistakes as error:
        raise error.located(file, source.lines.of if source.lines else lambda path: None) from None


def together(errors: Sequence[InputError]) -> Mistakes:
    """The mistakes of several files."""
    lines = [line for error in errors for line in (error.lines if isinstance(error, Mistakes) else (str(error),))]
    return Mistakes([Mistake((), line, "") for line in lines], "", lines)


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
        raise InputError(f"{source.file.id}: the ranges have more than {MOST_VALUES:,} points, the limit for one run")
    return [dict(zip(listed, values, strict=True)) for values in product(*listed.values())]


def _judge(
    source: Source, file: str, point: dict[str, int], semantics: Semantics, method: str, limit: int, advance: Advance
) -> Iterator[tuple[str, Finding]]:
    """What is found of a file at a point: whether it computes its function, and of each of its expectations (``:name``)."""
    values = complete(source.file, point)
    outside = outside_domain(source.file, values)
    if outside:
        yield "", declined(outside)
        return
    words = ["construction", f"./{file}" if file.startswith("-") else file, *(w for k, v in values.items() for w in (f"--{k}", str(v)))]
    if semantics.label != "a4":
        words += ["--semantics", semantics.label]
    try:
        instance = instantiate(source.file, values)
        if instance.defects:
            where = source.lines.of if source.lines else None
            yield "", replace(ill_formed(instance, Path(file).name, where), replay=tuple(words))
            return
        reading = Reading(instance, semantics)
        yield "", table_finding(reading, decide(reading, method, limit, advance), Path(file).name, tuple(words))
    except LimitError as error:
        yield "", declined(str(error))
        return
    yield from judged_expectations(reading, Path(file).name, tuple(words), limit, advance)


def _trace(file: str, source: Source, ranges: dict[str, str], semantics: str, digits: Mapping[str, str]) -> int:
    with in_file(source, file):
        point, *more = _points(source, ranges)
        if more:
            raise InputError(f"{_options(digits)} trace one point; a range was given")
        instance = instantiate(source.file, point)
    return run_trace(instance, semantics, digits, "as written")


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9.-]+", "-", name.lower()).strip("-.") or "file"

"""Commands of construction files: which words name files, and the parameters of these as options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

import click

from verifier.commands.options import OWN_OPTIONS, OwnOptions
from verifier.errata.tables import Source, read_construction
from verifier.running.errors import InputError, lines_of
from verifier.show.screen import notice

STRING_HELP = "Trace one input instead: the digits of this string (every string of the file is given)."
SOURCES = "the construction files named"
REFUSED = "what is wrong with those that cannot be read"


class FileCommand(OwnOptions):
    """A command whose options are the parameters of the construction files named, wherever among the words they stand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        sources, refused = read_files(files_among(args, super().get_params(ctx)))
        if refused and not sources:
            self.without_files(ctx, refused)
        taken = {p.name for p in self.params if p.name is not None}
        options = {o.name: o for path, source in sources.items() for o in file_options(source, path, taken)}
        ctx.meta[SOURCES], ctx.meta[REFUSED], ctx.meta[OWN_OPTIONS] = sources, refused, list(options.values())
        return super().parse_args(ctx, args)

    def without_files(self, ctx: click.Context, refused: Sequence[str]) -> None:
        """End where no file can be read.

        Raises:
            InputError: the last defect; those before it are printed.
        """
        nothing_read(refused)


class DocumentCommand(FileCommand):
    """A command that writes its documents also where no file can be read; the parameters are unknown then."""

    def without_files(self, ctx: click.Context, refused: Sequence[str]) -> None:
        ctx.ignore_unknown_options = True


def nothing_read(refused: Sequence[str]) -> NoReturn:
    """Raise the last of these defects and print those before it."""
    complain(refused[:-1])
    raise InputError(refused[-1])


def read_files(paths: Sequence[str]) -> tuple[dict[str, Source], list[str]]:
    """The files that can be read, by path, and what is wrong with the others."""
    sources: dict[str, Source] = {}
    refused: list[str] = []
    for path in paths:
        try:
            sources[path] = read_construction(Path(path))
        except InputError as error:
            refused += lines_of(error)
    return sources, refused


def complain(messages: Iterable[str]) -> None:
    """A line each, on standard error, as for an error that ends the program."""
    for message in dict.fromkeys(messages):
        notice(f"verify: {message}")


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
    own = [click.Option([f"--{name}"], metavar="BITS", help=STRING_HELP) for name in source.file.string_names]
    for name, spec in source.file.parameters.items():
        if name in taken:
            raise InputError(f"{path}: parameters.{name}: the name is taken by an option of this command")
        text = f"{spec.meaning or spec.where}; {spec.where}" + (f"; default {spec.default}" if spec.default is not None else "")
        own.append(click.Option([f"--{name}"], metavar="A, A..B", help=text))
    return own

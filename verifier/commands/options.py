"""Options that several commands share, and functions that write documents and files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.arithmetic.semantics import ALL_READINGS, EXACT, KNOBS, NAMED
from verifier.claims.verdicts import EXIT_INPUT, EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED, Edition
from verifier.engines import METHODS
from verifier.gate.verdict_table import HERE
from verifier.running.errors import InputError
from verifier.running.identifiers import below
from verifier.running.limits import Limits
from verifier.running.printable import json_text, visible
from verifier.show.streams import write_whole, written

if TYPE_CHECKING:
    from verifier.show.places import Document

FORMATS = ("screen", "json", "junit", "sarif", "markdown")


class Integer(click.IntRange):
    """An integer in the digits 0 to 9, as everywhere in this program: neither ``1_0`` nor digits of another script."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not re.fullmatch(r"[+-]?[0-9]{1,1000}", value):
            self.fail(f"{value[:60]!r} is not an integer.", param, ctx)
        return super().convert(value, param, ctx)

    def _describe_range(self) -> str:
        """The range for help texts, or empty if there is none."""
        return "" if self.min is None and self.max is None else super()._describe_range()


Complete = Callable[[click.Context, click.Parameter, str], list[str]]


def completing(names: Callable[[str], Iterable[str]]) -> Complete:
    """Complete a word in a shell: offer the names that ``names`` finds and that begin with the word."""
    return lambda context, parameter, incomplete: [name for name in names(incomplete) if name.startswith(incomplete)]


def _arithmetics(incomplete: str) -> list[str]:
    """Names of readings and formats, or after a plus the values of the knobs."""
    first, plus, _ = incomplete.rpartition("+")
    changed = [f"{first}+{name}={value}" for name, values in KNOBS.items() for value in values]
    return changed if plus else [*NAMED, ALL_READINGS, EXACT, *FORMATS_OF_NETWORKS]


def _formats(incomplete: str) -> list[str]:
    """Complete the last of several names of network arithmetics, which are separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in _arithmetics(last) if name not in (*NAMED, ALL_READINGS)]


def _papers(incomplete: str) -> list[str]:
    from verifier.claims.papers import papers

    return [paper.id for paper in papers()]


complete_papers, complete_formats = completing(_papers), completing(_formats)
FORMATS_OF_NETWORKS = ("float64", "float32", "float16", "bfloat16", "e5m2", "e4m3", "e2m1")
arithmetic_option = click.option(
    "--arithmetic",
    "--semantics",
    metavar="NAME",
    shell_complete=completing(_arithmetics),
    help="The arithmetic: a4 (matrix order), narrative (token order), one with changes such as a4+ties=even, or all; for a network exact, "
    "or formats such as float16,bfloat16.  [default: a4; for a file, the one in its [check]; for a network, exact]",
)
edition_option = click.option(
    "--edition",
    type=click.Choice([e.value for e in Edition]),
    help="Judge and show only this edition: is it true (statement), does the printed proof work (printed), "
    "does it work after our corrections (repaired)?",
)
of_table_option = click.option(
    "--edition",
    type=click.Choice([e.value for e in Edition]),
    default="printed",
    show_default=True,
    help="The edition of the table that is run.",
)
format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="screen", show_default=True, help="How to show the results."
)
screen_or_json_option = click.option(
    "--format", "form", type=click.Choice(("screen", "json")), default="screen", show_default=True, help="How to show the results."
)
output_option = click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the results to this file.")
folder_option = click.option(
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Where the pages are; {HERE} in the working directory by default.",
)
shipped_option = click.option("--shipped", is_flag=True, help="Write or compare the pages of the checkout that the program runs from.")
check_option = click.option("--check", is_flag=True, help="Write nothing; exit 1 where a file differs from what would be written.")
method_option = click.option(
    "--method", type=click.Choice(METHODS), default="auto", show_default=True, help="The engine that judges constructions."
)
certificate_option = click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a certificate of the construction or fooling set, for `verify recheck`; needs one claim, one point and --edition. "
    "FILE.gz is compressed.",
)
errata_option = click.option(
    "--errata", type=click.Path(dir_okay=False, path_type=Path), help="Apply these errata to the file first; needs one table file."
)
paper_option = click.option("--paper", metavar="ID", shell_complete=complete_papers, help="Use only this paper.")
jobs_option = click.option(
    "--jobs", type=Integer(1), default=os.cpu_count() or 1, show_default="the number of processors", help="Number of local processes."
)
limit_option = click.option(
    "--limit",
    type=Integer(1),
    help=f"The most states that an engine may visit for one result.  [default: {Limits().states:,}; for a network, the most work in "
    "elements of arrays, 30,000,000]",
)


STATUSES = (EXIT_VERIFIED, EXIT_UNDECIDED, EXIT_REFUTED, EXIT_INPUT)
"""From the best to the worst."""


def worst_status(statuses: Iterable[int]) -> int:
    """The exit status of a command on several subjects."""
    return max(statuses, key=STATUSES.index, default=EXIT_VERIFIED)


def put(text: str, output: Path | None) -> None:
    """Write a text into a file, or on standard output without one.

    Raises:
        InputError: the file cannot be written.
    """
    if output is None:
        written(text)
    else:
        write(output, text)


def write(path: Path, text: str) -> None:
    """Write a text file whole or not at all.

    Raises:
        InputError: the file cannot be written.
    """
    write_whole(path, visible(text).encode())


def write_below(folder: Path, name: str, text: str) -> None:
    """Write a text file in a folder; missing folders are created.

    Raises:
        InputError: the name leads out of the folder, or the file cannot be written.
    """
    path = below(folder, name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: cannot be made: {error.strerror}") from None
    write(path, text)


def rendered(document: Document, form: str) -> str:
    """The document in any of :data:`FORMATS` except the screen."""
    match form:
        case "json":
            from verifier.show.documents import run_document

            return json_text(run_document(document.results))
        case "junit":
            from verifier.show.junit import as_junit

            return as_junit(document)
        case "sarif":
            from verifier.show.sarif import as_sarif

            return as_sarif(document)
    from verifier.show.markdown import as_markdown

    return as_markdown(document.results)

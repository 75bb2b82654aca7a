"""The screens that ship with the program (:mod:`verifier.running.answers`): made by the commands themselves, compared, and written."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import click

from verifier.claims.papers import Paper
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import write_below
from verifier.commands.tool import found_commands
from verifier.errata.findings import findings
from verifier.running.answers import (
    FOLDER,
    OF_PAPERS,
    QUESTIONS,
    Screen,
    below_seal,
    file_of,
    file_text,
    folder_of,
    marked,
    name_of,
    read,
    screens,
    sources_of,
)
from verifier.running.errors import InputError
from verifier.running.results import READ, ROOT, program_files

TERMINAL = {"COLUMNS": "80", "FORCE_COLOR": "1", "TERM": "xterm"}
QUIET = ("NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLORTERM")
"""The variables of the environment on which a screen could depend."""


def commands(paper: Paper) -> Iterator[tuple[str, ...]]:
    """The commands on a paper whose screens ship, the slow ones last."""
    yield (paper.id,)
    yield from ((verb, paper.id, *options) for verb, *options in OF_PAPERS)
    for finding in findings(paper):
        yield "findings", finding.id
    yield "show", paper.id
    for name, found in found_commands().items():
        if found.verb == "show" and paper.folder.name in found.run.split("."):
            yield "show", paper.id, f"--{name}"
    for statement in paper.statements():
        yield "show", statement.id, QUESTIONS


def _made(paper: Paper, slow: bool = True) -> dict[str, Screen]:
    """The screens by name; without ``slow`` those that need only a run of the claims."""
    made = {name_of(words, paper.id): screen(words) for words in commands(paper) if slow or words[0] != "show"}
    return made | {name: Screen(each.text.partition("\n\n")[2], each.status) for name, each in made.items() if name.endswith(QUESTIONS)}


def ships(paper: Paper) -> bool:
    """Whether the paper is one of those that come with the program."""
    return paper.folder == folder_of(paper.id)


def screen(words: Sequence[str]) -> Screen:
    """The text that a command prints on a terminal of 80 columns, and its exit status."""
    from verifier.commands.main import verify

    with _terminal() as printed:
        status = verify.main(args=list(words), prog_name="verify", standalone_mode=False, obj=())
    return Screen(marked(printed.getvalue()), status if isinstance(status, int) else EXIT_VERIFIED)


def update_answers(papers: Sequence[Paper]) -> int:
    """Write the screens of the shipped papers whose file lacks the current seal."""
    for paper in filter(ships, papers):
        path = file_of(paper.id)
        if below_seal(paper.id, read(path)) is not None:
            click.echo(f"{path} is up to date")
            continue
        shown = _made(paper)
        _rests_on_itself(paper)
        write_below(FOLDER, path.name, file_text(paper.id, shown))
        click.echo(f"{path} written")
    return EXIT_VERIFIED


def compare_answers(papers: Sequence[Paper]) -> int:
    """Print which screens differ from the commands' present output, or have the seal of another program; return the exit status.

    A correct seal says that this program made every screen from these files; the screens of the current run are also compared.
    """
    statuses = {EXIT_VERIFIED}
    for paper in filter(ships, papers):
        path = file_of(paper.id)
        if not path.is_file():
            click.echo(f"{path}: no screens ship; `verify check --update` writes them")
            continue
        body = below_seal(paper.id, read(path))
        kept = screens(body or "")
        if body is None:
            line = "has the seal of another program or paper; `verify check --update` writes it again"
        elif wrong := [name for name, each in _made(paper, slow=False).items() if kept.get(name) != each]:
            line = f"differs from what `verify {wrong[0]}` prints"
        else:
            click.echo(f"{path} is up to date")
            continue
        click.echo(f"{path} {line}")
        statuses.add(EXIT_REFUTED)
    return max(statuses)


def _rests_on_itself(paper: Paper) -> None:
    """Raise InputError if the screens depend on a file beside the program that their seal does not cover."""
    read = READ.manifest(paper.id)
    others = ["something that has no digest"] if read is None else [name for name in read if not _covered(name, paper.id)]
    if others:
        raise InputError(f"{paper.id}: its screens cannot be sealed: they rest on {others[0]}")


def _covered(name: str, paper: str) -> bool:
    """Whether a file that was read is the paper's, lies elsewhere (as Python's own do), or belongs to this program and its seal."""
    of, colon, _ = name.partition(":")
    beside = name.startswith(f"{ROOT}{os.sep}")
    return of == paper if colon else not beside or Path(name) in (*program_files(showing=True), *sources_of(paper))


class _Printed(io.StringIO):
    """Standard output for a command that takes it for a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@contextmanager
def _terminal() -> Iterator[_Printed]:
    """Keep the standard output, in a separate environment."""
    before, printed = dict(os.environ), _Printed()
    os.environ.update(TERMINAL)
    for name in QUIET:
        os.environ.pop(name, None)
    try:
        with redirect_stdout(printed):
            yield printed
    finally:
        os.environ.clear()
        os.environ.update(before)

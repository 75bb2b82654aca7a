"""``verify precision gallery``: the table of first wrong lengths, written or compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import check_option, compare_files, folder_option, jobs_option, shipped_option, write_files
from verifier.commands.progress import Progress
from verifier.gate.gallery import FILE, Entry, gallery_run, shipped_text, table
from verifier.gate.verdict_table import pages_folder
from verifier.running.answers import FOLDER
from verifier.running.errors import InputError
from verifier.running.results import Store
from verifier.show.gallery_page import gallery_page
from verifier.show.pictures.lengths import gallery_picture


@click.command("gallery")
@folder_option
@shipped_option
@check_option
@jobs_option
def command(folder: Path | None, shipped: bool, check: bool, jobs: int) -> int:
    """Run every construction of the gallery in every format, on every input of every length within the limit of work.

    Writes gallery.md, the picture gallery.svg and the table gallery.tsv. Exit status 1: a file differs, or a network is wrong over real
    numbers.
    """
    place = folder or pages_folder(shipped)
    if not place.is_dir():
        raise InputError(f"--output {place}: no such folder; nothing was run")
    with Progress() as advance:
        entries = gallery_run(jobs, advance, Store.usual())
    return (compare_gallery if check else update_gallery)(place, entries, shipped)


def gallery_files(entries: Sequence[Entry]) -> dict[str, str]:
    """The files of the gallery's report by name."""
    return {"gallery.md": gallery_page(entries), "gallery.svg": gallery_picture(entries).file(), "gallery.tsv": table(entries)}


def update_gallery(folder: Path, entries: Sequence[Entry], shipped: bool = False) -> int:
    """Write the files; ``shipped``: also the run that ships with the program."""
    if shipped:
        write_files(FOLDER, {FILE: shipped_text(entries)})
    return write_files(folder, gallery_files(entries)) or _refuted(entries)


def compare_gallery(folder: Path, entries: Sequence[Entry], shipped: bool = False) -> int:
    """Print for each file whether its content is current; return the exit status."""
    own = compare_files(FOLDER, {FILE: shipped_text(entries)}, "verify precision gallery --shipped") if shipped else EXIT_VERIFIED
    return max(own, compare_files(folder, gallery_files(entries), "verify precision gallery"), _refuted(entries))


def _refuted(entries: Sequence[Entry]) -> int:
    wrong = [entry.id for entry in entries if not entry.right]
    for name in wrong:
        click.echo(f"gallery/{name} is refuted over real numbers")
    return EXIT_REFUTED if wrong else EXIT_VERIFIED

"""``verify report``: write the pages, or check that the committed ones are what would be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from verifier.claims.papers import Paper, chosen_papers, papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.gate import install, own_place, refuse_incomplete
from verifier.commands.options import jobs_option, paper_option, write_below
from verifier.commands.progress import Progress
from verifier.errata.listings import listings
from verifier.gate.folder import HERE, pages_folder
from verifier.gate.gallery import Entry, gallery_run
from verifier.gate.run import Run, kept_runs
from verifier.running.errors import InputError
from verifier.running.limits import Advance
from verifier.running.results import Store
from verifier.show.badges import badge, citation
from verifier.show.own_pages import own_pages as brought
from verifier.show.pages import letter_files, overview

folder_option = click.option(
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Where the pages are; {HERE} in the working directory by default.",
)
shipped_option = click.option("--shipped", is_flag=True, help="Write or compare the pages of the checkout that the program runs from.")


@click.command("report")
@folder_option
@shipped_option
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where a file differs from what would be written.")
@paper_option
@click.option("--site", type=click.Path(file_okay=False, path_type=Path), help="Write only the site, to this folder.")
@jobs_option
@click.pass_obj
def command(
    named: tuple[Path, ...] | None, /, folder: Path | None, shipped: bool, check: bool, paper: str | None, site: Path | None, jobs: int
) -> int:
    """Write for each paper the page that a referee would send, a badge (SVG) and a citation (BibTeX), and an overview over all.

    With --papers DIR these are the papers there, and their pages are in DIR/reports.
    The program keeps the runs of the papers in the user's cache folder until a paper or the program changes.
    """
    chosen = chosen_papers(papers(), named or (), paper)
    own = bool(named) and set(map(id, chosen)) <= set(map(id, chosen_papers(papers(), named or ())))
    if (site is not None) + (folder is not None) + shipped > 1:
        raise InputError("--site, --output and --shipped are different reports; one at a time was expected")
    place = site or folder
    if place is not None and ((check and not place.is_dir()) or (place.exists() and not place.is_dir())):
        raise InputError(f"{place}: a folder was expected")
    with Progress() as advance:
        runs = kept_runs(chosen, jobs, advance)
        if site is not None:
            networks = gallery_run(jobs, advance, Store.usual()) if paper is None and not own else []
            files = site_of(chosen, runs, advance, networks)
            if check:
                return compare_site(site, files)
            for name, text in files.items():
                write_below(site, name, text)
            click.echo(f"{site / 'index.html'} written, and {len(files) - 1} files beside it")
            return EXIT_VERIFIED
    pages = folder or (own_place(named or (), HERE) if own else pages_folder(shipped))
    return (compare_pages if check else update_pages)(pages, chosen, runs, paper is None)


def report_files(chosen: Sequence[Paper], runs: Mapping[str, Run], whole: bool) -> dict[str, str]:
    """The files of a report by name: page, badge, citation and own pages of each paper, and the overview of the whole report."""
    files: dict[str, str] = {}
    for paper in chosen:
        files |= letter_files(paper, runs[paper.id])
        files[f"{paper.id}.svg"] = badge(listings(paper, runs[paper.id].results, runs[paper.id].follows))
        files[f"{paper.id}.bib"] = citation(paper) + "\n"
        files |= {own.name: text for own in brought(paper) if (text := own.text()) is not None}
    return files | ({"README.md": overview(chosen, runs)} if whole else {})


def update_pages(folder: Path, chosen: Sequence[Paper], runs: Mapping[str, Run], whole: bool = True) -> int:
    """Write the files of the report.

    Raises:
        InputError: a claim needs an extra that is not installed.
    """
    for run in runs.values():
        refuse_incomplete(run)
    return write_files(folder, report_files(chosen, runs, whole))


def compare_pages(folder: Path, chosen: Sequence[Paper], runs: Mapping[str, Run], whole: bool = True) -> int:
    """Print for each file of the report whether it is, byte for byte, what would be written; the exit status."""
    needs = {paper.id: runs[paper.id].needs for paper in chosen if runs[paper.id].needs}
    complete: dict[str, str] = {}
    for name, text in report_files(chosen, runs, whole).items():
        lacking = {claim: extras for p in needs if name.startswith(p) or name == "README.md" for claim, extras in needs[p].items()}
        for claim, extras in lacking.items():
            click.echo(f"{folder / name} not compared: {claim} needs {install(extras)}")
        complete |= {} if lacking else {name: text}
    return compare_files(folder, complete, "verify report") or (EXIT_UNDECIDED if needs else EXIT_VERIFIED)


def site_of(chosen: Sequence[Paper], runs: Mapping[str, Run], advance: Advance, networks: Sequence[Entry] = ()) -> dict[str, str]:
    """The files of the site of these papers, by name.

    Raises:
        InputError: a claim needs an extra that is not installed.
    """
    from verifier.show.judged import Judged
    from verifier.show.site.build import site_files

    for run in runs.values():
        refuse_incomplete(run)
    return site_files([Judged(each, runs[each.id]) for each in chosen], advance, networks)


def compare_site(folder: Path, files: Mapping[str, str]) -> int:
    """Print which files of a site are not, byte for byte, what would be written, and which it has beside them; the exit status."""
    beside = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - files.keys()
    status = compare_files(folder, files, "verify report --site", each=False)
    for name in sorted(beside):
        click.echo(f"{folder / name} is not a file of this site")
    return EXIT_REFUTED if beside else status


def write_files(folder: Path, files: Mapping[str, str]) -> int:
    """Write files, with a line for each."""
    for name, text in files.items():
        write_below(folder, name, text)
        click.echo(f"{folder / name} written")
    return EXIT_VERIFIED


def compare_files(folder: Path, files: Mapping[str, str], command: str, each: bool = True) -> int:
    """Print for each file whether it is, byte for byte, what this command would write, or how many are; the exit status."""
    differing = 0
    for name, text in files.items():
        difference = _first_difference(folder / name, text.encode())
        differing += difference is not None
        if difference is not None:
            click.echo(f"{folder / name} differs from what `{command}` writes: {difference}")
        elif each:
            click.echo(f"{folder / name} is up to date")
    if not each and not differing:
        click.echo(f"{folder}: {len(files)} files are up to date")
    return EXIT_REFUTED if differing else EXIT_VERIFIED


def _first_difference(path: Path, wanted: bytes) -> str | None:
    """Where the file's bytes differ from these first; None if nowhere."""
    try:
        found = path.read_bytes()
    except OSError as error:
        return f"it cannot be read, {error.strerror}"
    if found == wanted:
        return None
    old, new = found.split(b"\n"), wanted.split(b"\n")
    for number, (before, after) in enumerate(zip(old, new, strict=False), 1):
        if before != after:
            column = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
            return f"line {number}, from byte {column + 1} on, is {_piece(before, column)}, {_piece(after, column)} was expected"
    return f"{len(old) - 1} line ends, {len(new) - 1} were expected"


def _piece(line: bytes, column: int) -> str:
    return repr(line[column : column + 60].decode(errors="backslashreplace"))

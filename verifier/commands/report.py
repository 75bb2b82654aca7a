"""``verify report``: write the pages, or check that the committed ones are what would be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from verifier.claims.papers import Paper, papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.gate import install, refuse_incomplete
from verifier.commands.options import jobs_option, write
from verifier.commands.progress import Progress
from verifier.errata.listings import listings
from verifier.gate.folder import HERE, reports_folder
from verifier.gate.run import Run
from verifier.gate.run_cache import Kept
from verifier.running.errors import InputError
from verifier.running.identifiers import below
from verifier.running.limits import Advance
from verifier.show.badges import badge, citation
from verifier.show.overview import overview
from verifier.show.pages import page

folder_option = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Where the pages are; {HERE} by default, here or where the program's source is.",
)


@click.command("report")
@folder_option
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where a file differs from what would be written.")
@click.option("--paper", help="Only this paper's page, badge and citation.")
@click.option("--site", type=click.Path(file_okay=False, path_type=Path), help="The site in this folder, and nothing else.")
@jobs_option
def command(folder: Path | None, check: bool, paper: str | None, site: Path | None, jobs: int) -> int:
    """Write for each paper the page that a referee would send, a badge (SVG) and a citation (BibTeX), and an overview over all.

    The runs of the papers are kept in the user's cache folder as long as neither paper nor program changes.
    """
    chosen = [p for p in papers() if paper in (None, p.id)]
    if not chosen:
        raise InputError(f"no paper {paper!r}; there are {', '.join(p.id for p in papers())}")
    if site is not None and folder is not None:
        raise InputError("--site and --folder are two reports; one at a time was expected")
    place = site or folder
    if place is not None and ((check and not place.is_dir()) or (place.exists() and not place.is_dir())):
        raise InputError(f"{place}: a folder was expected")
    with Progress() as advance:
        runs = Kept.usual().runs(chosen, jobs, advance)
        if site is not None:
            return (compare_site if check else update_site)(site, chosen, runs, advance)
    return (compare_pages if check else update_pages)(folder or reports_folder(), chosen, runs, paper is None)


def report_files(chosen: Sequence[Paper], runs: Mapping[str, Run], whole: bool) -> dict[str, str]:
    """The files of a report by name: page, badge and citation of each paper; of the whole report the overview, too."""
    files: dict[str, str] = {}
    for paper in chosen:
        files[f"{paper.id}.md"] = page(paper, runs[paper.id])
        files[f"{paper.id}.svg"] = badge(listings(paper, runs[paper.id].results, runs[paper.id].follows))
        files[f"{paper.id}.bib"] = citation(paper) + "\n"
    return files | ({"README.md": overview(chosen, runs)} if whole else {})


def update_pages(folder: Path, chosen: Sequence[Paper], runs: Mapping[str, Run], whole: bool = True) -> int:
    """Write the files of the report.

    Raises:
        InputError: a claim needs an extra that is not installed.
    """
    for run in runs.values():
        refuse_incomplete(run)
    for name, text in report_files(chosen, runs, whole).items():
        write(below(folder, name), text)
        click.echo(f"{folder / name} written")
    return EXIT_VERIFIED


def site_of(chosen: Sequence[Paper], runs: Mapping[str, Run], advance: Advance) -> dict[str, str]:
    """The files of the site of these papers, by name.

    Raises:
        InputError: a claim needs an extra that is not installed.
    """
    from verifier.show.site.build import site_files
    from verifier.show.site.judged import Judged

    for run in runs.values():
        refuse_incomplete(run)
    return site_files([Judged(each, runs[each.id]) for each in chosen], advance)


def update_site(folder: Path, chosen: Sequence[Paper], runs: Mapping[str, Run], advance: Advance) -> int:
    """Write the site of these papers.

    Raises:
        InputError: a claim needs an extra that is not installed, or a file cannot be written.
    """
    files = site_of(chosen, runs, advance)
    for name, text in files.items():
        write(below(folder, name), text)
    click.echo(f"{folder / 'index.html'} written, and {len(files) - 1} files beside it")
    return EXIT_VERIFIED


def compare_site(folder: Path, chosen: Sequence[Paper], runs: Mapping[str, Run], advance: Advance) -> int:
    """Print which files of a site are not, byte for byte, what would be written, and which it has beside them; the exit status."""
    files = site_of(chosen, runs, advance)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    differences = {name: _first_difference(folder / name, text.encode()) for name, text in files.items()}
    for name, difference in differences.items():
        if difference:
            click.echo(f"{folder / name} differs from what `verify report --site` writes: {difference}")
    for name in sorted(found - files.keys()):
        click.echo(f"{folder / name} is no file of this site")
    if any(differences.values()) or found - files.keys():
        return EXIT_REFUTED
    click.echo(f"{folder}: {len(files)} files are up to date")
    return EXIT_VERIFIED


def compare_pages(folder: Path, chosen: Sequence[Paper], runs: Mapping[str, Run], whole: bool = True) -> int:
    """Print for each file of the report whether it is, byte for byte, what would be written; the exit status."""
    statuses = {EXIT_VERIFIED}
    incomplete = {paper.id for paper in chosen if runs[paper.id].needs}
    for name, text in report_files(chosen, runs, whole).items():
        path = folder / name
        about = [name.rpartition(".")[0]] if name != "README.md" else sorted(incomplete)
        needs = {c: extras for p in about if p in incomplete for c, extras in runs[p].needs.items()}
        if needs:
            statuses.add(EXIT_UNDECIDED)
            lines = [f"{path} not compared: {claim} needs {install(extras)}" for claim, extras in needs.items()]
        else:
            difference = _first_difference(path, text.encode())
            statuses |= {EXIT_REFUTED} if difference else set()
            lines = [f"{path} differs from what `verify report` writes: {difference}" if difference else f"{path} is up to date"]
        for line in lines:
            click.echo(line)
    return EXIT_REFUTED if EXIT_REFUTED in statuses else max(statuses)


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

"""``verify report``, ``check`` and ``precision gallery``: write the texts that runs determine, or compare them with the committed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from verifier.claims.papers import Paper, chosen_papers, papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.answers import compare_answers, update_answers
from verifier.commands.gate import compare_table, install, neighbours_refused, own_place, refuse_incomplete, say_unexplained, update_table
from verifier.commands.options import (
    check_option,
    folder_option,
    jobs_option,
    paper_option,
    shipped_option,
    write_below,
)
from verifier.commands.progress import Progress
from verifier.gate.gallery import FILE, Entry, gallery_run, shipped_text, table
from verifier.gate.objections import conditional_on_refuted
from verifier.gate.run import Run, keep_run, kept_runs, run_papers
from verifier.gate.verdict_table import BESIDE, HERE, TABLE, claim_in, pages_folder, read_table, reports_folder
from verifier.running.answers import FOLDER
from verifier.running.errors import InputError
from verifier.running.limits import Advance
from verifier.running.results import Store
from verifier.running.shelf import SHELF
from verifier.show.badges import badge, citation
from verifier.show.gallery_page import gallery_page
from verifier.show.judged import judged_by
from verifier.show.own_pages import own_pages as brought
from verifier.show.pages import letter_files, overview
from verifier.show.pictures.lengths import gallery_picture


def own_papers(named: tuple[Path, ...] | None, chosen: Sequence[Paper]) -> bool:
    """Whether all chosen papers are in the folders that the user named."""
    return bool(named) and set(map(id, chosen)) <= set(map(id, chosen_papers(papers(), named or ())))


@click.command("report")
@folder_option
@shipped_option
@check_option
@paper_option
@click.option("--site", type=click.Path(file_okay=False, path_type=Path), help="Write only the site, to this folder.")
@jobs_option
@click.pass_obj
def command(
    named: tuple[Path, ...] | None, /, folder: Path | None, shipped: bool, check: bool, paper: str | None, site: Path | None, jobs: int
) -> int:
    """Write for each paper the page that a referee would send, a badge (SVG) and a citation (BibTeX), and an overview over all.

    With --papers DIR the command writes the pages of the papers there, in DIR/reports.
    The program keeps the runs of the papers in the user's cache folder until a paper or the program changes.
    """
    chosen = chosen_papers(papers(), named or (), paper)
    own = own_papers(named, chosen)
    if (site is not None) + (folder is not None) + shipped > 1:
        raise InputError("--site, --output and --shipped ask for different reports; one was expected")
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
    return settled_pages(pages, report_files(chosen, runs, paper is None), runs, check)


def report_files(chosen: Sequence[Paper], runs: Mapping[str, Run], whole: bool) -> dict[str, str]:
    """The files of a report by name: page, badge, citation and own pages of each paper, and the overview of the whole report."""
    files: dict[str, str] = {}
    with SHELF.pages():
        for paper in chosen:
            files |= letter_files(paper, runs[paper.id])
            files[f"{paper.id}.svg"] = badge(judged_by(runs[paper.id], paper).listings)
            files[f"{paper.id}.bib"] = citation(paper) + "\n"
            files |= {own.name(paper): text for own in brought(paper) if (text := own.text(paper)) is not None}
        return files | ({"README.md": overview(chosen, runs)} if whole else {})


def settled_pages(folder: Path, files: Mapping[str, str], runs: Mapping[str, Run], check: bool) -> int:
    """Write the files of the report; with ``check``, print for each whether its content is current. Return the exit status.

    Raises:
        InputError: a claim needs an extra that is not installed, and so nothing is written.
    """
    needs = {paper: run.needs for paper, run in runs.items() if run.needs}
    for run in runs.values() if not check else ():
        refuse_incomplete(run)
    complete: dict[str, str] = {}
    for name, text in files.items():
        lacking = {claim: extras for p in needs if name.startswith(p) or name == "README.md" for claim, extras in needs[p].items()}
        for claim, extras in lacking.items():
            click.echo(f"{folder / name} not compared: {claim} needs {install(extras)}")
        complete |= {} if lacking else {name: text}
    return settled(folder, complete, "verify report", check) or (EXIT_UNDECIDED if needs else EXIT_VERIFIED)


def site_of(chosen: Sequence[Paper], runs: Mapping[str, Run], advance: Advance, networks: Sequence[Entry] = ()) -> dict[str, str]:
    """The files of the site of these papers, by name.

    Raises:
        InputError: a claim needs an extra that is not installed.
    """
    from verifier.show.site.build import site_files

    for run in runs.values():
        refuse_incomplete(run)
    with SHELF.pages():
        return site_files([judged_by(runs[each.id], each) for each in chosen], advance, networks)


def compare_site(folder: Path, files: Mapping[str, str]) -> int:
    """Print which files of a site are not current, byte for byte, and which files are surplus; return the exit status."""
    beside = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - files.keys()
    status = settled(folder, files, "verify report --site", check=True, each=False)
    for name in sorted(beside):
        click.echo(f"{folder / name} is not a file of this site")
    return EXIT_REFUTED if beside else status


@click.command("check")
@folder_option
@paper_option
@click.option("--update", is_flag=True, help="Rewrite the table of verdicts, the report and the screens that ship from this run.")
@jobs_option
@click.pass_obj
def check(named: tuple[Path, ...] | None, /, folder: Path | None, paper: str | None, update: bool, jobs: int) -> int:
    """Run every claim once; compare the table of verdicts (as `verify gate`) and the report (as `verify report --check`) with it.

    `verify check` is a spelling of `verify gate --pages` that files of CI systems use.

    With --papers DIR the command compares the papers there, their table DIR/verdicts.tsv and their pages in DIR/reports. It also fails if
    no finding of a paper that lists findings explains a refutation, if a neighbour of a claim is not refused, and if a result is
    conditional on an assumption that another claim refutes. It uses no results of earlier runs. For the program's own papers it also
    compares the screens that ship with it.
    """
    chosen = chosen_papers(papers(), named or (), paper)
    own = own_papers(named, chosen)
    verdicts = own_place(named or (), TABLE) if own and folder is None else (folder or reports_folder()) / TABLE
    folder = folder or (own_place(named or (), HERE) if own else reports_folder())
    ids = {each.id for each in chosen}
    committed = [] if update and (paper is None or not verdicts.exists()) else read_table(verdicts)
    others = [line for line in committed if paper is not None and claim_in(line).partition("/")[0] not in ids]
    with Progress() as advance:
        run, runs = run_papers(chosen, jobs, advance)
    for each in chosen:
        keep_run(each, runs[each.id])
    explained = objected(chosen, runs)
    if update:
        refuse_incomplete(run)
    pages = report_files(chosen, runs, paper is None)
    if update:
        table_of = update_table(verdicts, run, others)
    else:
        table_of = compare_table(verdicts, run, [line for line in committed if line not in others], paper is None)
    statuses = {table_of, settled_pages(folder, pages, runs, not update), explained}
    if update and paper is not None:
        click.echo(f"{folder / 'README.md'} counts all papers and stays as it is: the same command without --paper writes it")
    if folder.resolve() == BESIDE:
        statuses.add(update_answers(chosen) if update else compare_answers(chosen))
    if own and not neighbours_refused([claim for each in chosen for claim in each], run):
        statuses.add(EXIT_REFUTED)
    return EXIT_REFUTED if EXIT_REFUTED in statuses else max(statuses)


def objected(chosen: Sequence[Paper], runs: Mapping[str, Run]) -> int:
    """Print which refutations no finding explains, for papers with findings, and which results, also under the readings of the pages, are
    conditional on an assumption that is false; return the exit status.
    """
    lines = [line for paper in chosen for line in judged_by(runs[paper.id], paper).faults]
    for paper in chosen:
        run = runs[paper.id]
        for results in (run.results, *({**run.results, **by_claim} for by_claim in run.readings.values())):
            lines += conditional_on_refuted(paper, results)
        say_unexplained(paper, run)
    for line in dict.fromkeys(lines):
        click.echo(line)
    return EXIT_REFUTED if lines else EXIT_VERIFIED


def settled(folder: Path, files: Mapping[str, str], command: str, check: bool, each: bool = True) -> int:
    """Write files, with a line for each. With ``check``, print for each whether it equals, byte for byte, the file that this command would
    write, or print only how many do; return the exit status."""
    differing = 0
    for name, text in files.items():
        if not check:
            write_below(folder, name, text)
            said = "written"
        elif difference := _first_difference(folder / name, text.encode()):
            differing += 1
            said = f"differs from what `{command}` writes: {difference}"
        else:
            said = "is up to date" if each else ""
        if said:
            click.echo(f"{folder / name} {said}")
    if check and not each and not differing:
        click.echo(f"{folder}: {len(files)} files are up to date")
    return EXIT_REFUTED if differing else EXIT_VERIFIED


def _first_difference(path: Path, wanted: bytes) -> str | None:
    """The first place where the file's bytes differ from these, or None if they are equal."""
    try:
        found = path.read_bytes()
    except OSError as error:
        return "it is missing" if isinstance(error, FileNotFoundError) else f"it cannot be read, {error.strerror}"
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


@click.command("gallery")
@folder_option
@shipped_option
@check_option
@jobs_option
def gallery(folder: Path | None, shipped: bool, check: bool, jobs: int) -> int:
    """Run every construction of the gallery in every format, on every input of every length within the limit of work.

    Writes gallery.md, the picture gallery.svg and the table gallery.tsv. Exit status 1: a file differs, or a network is wrong over real
    numbers.
    """
    place = folder or pages_folder(shipped)
    if not place.is_dir():
        raise InputError(f"--output {place}: no such folder; nothing was run")
    with Progress() as advance:
        entries = gallery_run(jobs, advance, Store.usual())
    return settled_gallery(place, entries, shipped, check)


def gallery_files(entries: Sequence[Entry]) -> dict[str, str]:
    """The files of the gallery's report by name."""
    return {"gallery.md": gallery_page(entries), "gallery.svg": gallery_picture(entries).file(), "gallery.tsv": table(entries)}


def settled_gallery(folder: Path, entries: Sequence[Entry], shipped: bool = False, check: bool = False) -> int:
    """Write or compare the files; ``shipped``: also the run that ships with the program. Return the exit status."""
    command = "verify precision gallery"
    own = settled(FOLDER, {FILE: shipped_text(entries)}, f"{command} --shipped", check) if shipped else EXIT_VERIFIED
    status = settled(folder, gallery_files(entries), command, check)
    wrong = [entry.id for entry in entries if not entry.right]
    for name in wrong:
        click.echo(f"gallery/{name} is refuted over real numbers")
    return max(own, status, EXIT_REFUTED if wrong else EXIT_VERIFIED)

"""``verify gate`` compares a run with a committed table of verdicts, of all papers or of the user's papers and files.

Files have no editions: their three columns are equal, because :mod:`verifier.judges.own_files` has one result for each file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import click

from verifier.claims.model import Claim
from verifier.claims.papers import Paper, catalogue, chosen_papers, papers
from verifier.claims.parameters import Parameter
from verifier.claims.verdicts import EXIT_INPUT, EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED, Edition, Result
from verifier.commands.options import jobs_option, paper_option, write
from verifier.commands.progress import Progress
from verifier.commands.subjects import NetworkSubject, Subject, TableSubject, complain, complete_files, subjects
from verifier.errata.findings import findings
from verifier.gate.objections import neighbour_faults, theorems_of
from verifier.gate.run import Run, run_claims
from verifier.gate.verdict_table import HERE, TABLE, as_table, claim_in, differences, lines_of, read_table, reports_folder
from verifier.running.errors import TRUST, FileDefect, FileDefects, InputError, defects_of
from verifier.running.limits import Advance, Limits
from verifier.running.printable import many
from verifier.show.judged import UNEXPLAINED, judged_by


def own_place(named: Sequence[Path], name: Path | str) -> Path:
    """The folder of the user's papers for their table of verdicts and their pages.

    Raises:
        InputError: several folders were named, so no single place exists.
    """
    if len(named) > 1:
        raise InputError(f"--papers names {len(named)} folders; --output was expected, the one place of their table or pages")
    return named[0] / name


def judge_files(named: Sequence[Subject], table: Path, advance: Advance) -> tuple[Run, dict[str, Claim], list[FileDefect]]:
    """Run table files at the points of their ``[check]``, and networks at the lengths that their files call typical; also return their
    claims under the names of the table, and the mistakes of files that cannot be used or say nothing to check, which have no results.
    """
    from verifier.commands.judge import Asked, as_claim, network_results
    from verifier.judges.own_files import judged, names_of, path_names

    refused: list[FileDefect] = []
    sources = {each.name: each.source for each in named if isinstance(each, TableSubject)}
    for file, source in list(sources.items()):
        unsaid = [k for k, spec in source.file.parameters.items() if spec.default is None and k not in source.file.check]
        if unsaid:
            refused.append(FileDefect((), f'[check] with {unsaid[0]} = "..." was expected: the gate runs what the file says', "", file))
            del sources[file]
    names = path_names(sources, table.parent)
    claims = {each: as_claim(each, sources[file], file) for file, name in names.items() for each in names_of(name, sources[file])}
    results: dict[str, list[Result]] = {name: [] for name in claims}
    for result in judged(sources, {}, None, "auto", Limits().states, advance, refused, names=names):
        results[result.claim] += [replace(result, edition=edition) for edition in Edition]
    for network in (each for each in named if isinstance(each, NetworkSubject)):
        gallery = network.name.startswith("gallery/")
        path = f"network/{network.name}" if gallery else next(iter(path_names([network.name], table.parent).values()))
        try:
            found = list(network_results(network, Asked(), advance))
        except FileDefects as error:
            refused += defects_of(error, network.name)
            continue
        for result in found:
            name = f"network/{path.partition('/')[2]}{''.join(result.claim.partition(':')[1:])}"
            claims[name] = Claim(name, network.file.title, network.name, "", tuple(Parameter(k, k, "") for k in result.parameters))
            results.setdefault(name, [replace(result, claim=name, edition=edition) for edition in Edition])  # first the decided lengths
    without = files_of(refused, table)
    return Run({claim: listed for claim, listed in results.items() if file_of(claim) not in without}, {}), claims, refused


def file_of(claim: str) -> str:
    """The file of a result, as the result's name in a table of verdicts has it."""
    return claim.partition("/")[2].partition(":")[0]


def files_of(defects: Sequence[FileDefect], table: Path) -> set[str]:
    """The files with these mistakes, as the names in a table of verdicts have them."""
    from verifier.judges.own_files import path_names

    return {file_of(name) for name in path_names([defect.file for defect in defects], table.parent).values()}


EVERY = "*"


@click.command("gate")
@click.argument("files", nargs=-1, metavar="[FILE]...", shell_complete=complete_files)
@click.option(
    "--output",
    "--table",
    "table",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The table of verdicts; {HERE / TABLE} by default, here or where the program's source is; with --papers DIR it is DIR/{TABLE}, "
    f"for FILEs {TABLE} here.",
)
@click.option("--claims", "pattern", help="Judge only claims whose id matches, such as 'every-bit-counts/lemma-2.*'.")
@paper_option
@click.option(
    "--update", is_flag=True, help="Rewrite the table from this run; with --claims or --paper, rewrite only the rows of these claims."
)
@jobs_option
@click.pass_obj
def command(
    named: tuple[Path, ...], /, files: tuple[str, ...], table: Path | None, pattern: str | None, paper: str | None, update: bool, jobs: int
) -> int:
    """Run claims at their typical parameters, and compare verdicts, scopes, cases and assumptions with a table of verdicts.

    Without FILEs the gate runs the claims of every paper, or with --papers DIR those of the papers there. With FILEs the gate checks that
    each construction computes its function, at the points of its [check]. For your own papers the gate also runs the neighbours of each
    claim, which must be refused for the reason that they name. --update writes the table. `verify gate --pages` also compares the pages of
    the report, from the same run.
    """
    if paper is not None:
        if files or pattern is not None:
            raise InputError("--paper: neither --claims nor construction files were expected with it")
        pattern = f"{chosen_papers(papers(), named, paper)[0].id}/*"
    if files:
        return _of_files(files, table or Path(TABLE), pattern, update)
    own = bool(named) and (paper is None or paper in {each.id for each in chosen_papers(papers(), named)})
    path = table or (own_place(named, TABLE) if own else reports_folder() / TABLE)
    own_ones = chosen_papers(papers(), named) if own else []
    for each in own_ones:
        findings(each)
    listed = [claim for each in own_ones for claim in each] if own else list(catalogue().values())
    chosen = [claim for claim in listed if fnmatchcase(claim.id, pattern or EVERY)]
    committed = [] if update and (pattern is None or not path.exists()) else read_table(path)
    expected = [line for line in committed if fnmatchcase(claim_in(line), pattern or EVERY)]
    if not chosen and not expected:
        raise InputError(f"--claims {pattern}: no claim matches; `verify list` shows them")
    with Progress() as advance:
        run = run_claims(chosen, jobs, advance, errata=False)
    if update:
        status = update_table(path, run, [line for line in committed if line not in expected])
    else:
        status = compare_table(path, run, expected, whole=pattern is None)
    for each in own_ones:
        say_unexplained(each, run)
    return status if not own or neighbours_refused(chosen, run) else EXIT_REFUTED


def say_unexplained(paper: Paper, run: Run) -> None:
    """Print which claims are refuted, for a paper without findings; in a paper with findings a refutation that has none is a fault."""
    judged = judged_by(run, paper)
    if not judged.findings and judged.unexplained:
        click.echo(f"{paper.id}: {UNEXPLAINED.lower().rstrip('.')}: {judged.unexplained}")


def neighbours_refused(claims: Sequence[Claim], run: Run) -> bool:
    """Whether the machine refuses every neighbour of these claims as their files say; print a line for each other one, and their number."""
    compared = [claim for claim in claims if claim.id not in run.needs]
    lines = [line for claim in compared for line in neighbour_faults(claim)]
    for line in lines:
        click.echo(line)
    if asked := sum(len(claim.neighbours) for claim in compared):
        click.echo(f"{many(asked, 'neighbour')} asked, {asked - len(lines)} refused as expected")
    return not lines


def _of_files(files: tuple[str, ...], path: Path, pattern: str | None, update: bool) -> int:
    """The gate of construction files against a table of their own. A file that cannot be used hides no difference of the others."""
    if pattern is not None:
        raise InputError("--claims chooses claims of papers; construction files are named one by one")
    named, refused = subjects(files, files=True)
    complain(refused)
    expected = [] if update else read_table(path)
    with Progress() as advance:
        run, claims, unusable = judge_files(named, path, advance)
    complain(unusable)
    refused += unusable
    without = files_of(refused, path)
    expected = [line for line in expected if file_of(claim_in(line)) not in without]
    status = EXIT_VERIFIED if update else compare_table(path, run, expected, claims=claims)
    if refused:
        return EXIT_INPUT
    return update_table(path, run, claims=claims) if update else status


def update_table(path: Path, run: Run, kept: Sequence[str] = (), claims: Mapping[str, Claim] | None = None) -> int:
    """Write the lines of the run and the kept lines of other claims, in the papers' order; ``claims`` for claims of no paper.

    Raises:
        InputError: a claim needs an extra that is not installed, so its verdicts would be lost.
    """
    refuse_incomplete(run)
    known = catalogue() if claims is None else claims
    order = {claim: number for number, claim in enumerate(known)}
    found = sorted([*kept, *lines_of(run.every_result, known)], key=lambda line: order.get(claim_in(line), len(order)))
    write(path, as_table(found))
    made = len(found) - len(kept)
    click.echo(f"{path} written: {len(run.every_result):,} results in {made:,} row{'s' * (made != 1)}, {len(kept):,} rows kept")
    return EXIT_VERIFIED


def compare_table(path: Path, run: Run, expected: Sequence[str], whole: bool = True, claims: Mapping[str, Claim] | None = None) -> int:
    """Print how the run differs from the lines, which are the whole table or those of some claims; return the exit status."""
    found = lines_of(run.every_result, catalogue() if claims is None else claims)
    before, now = ([line for line in listed if claim_in(line) not in run.needs] for listed in (expected, found))
    lines = differences(before, now)
    if whole and not lines and before != now:
        lines = ["the claims are in another order"]
    for line in lines:
        click.echo(line)
    for claim, extras in run.needs.items():
        click.echo(f"{claim}: not compared, it needs {install(extras)}")
    theorems = theorems_of(catalogue()[claim] for claim in run.results if claims is None and claim in catalogue())
    for line in theorems.lines:
        click.echo(line)
    count = sum(len(listed) for claim, listed in run.results.items() if claim not in run.needs)
    differ = f", {many(len(lines), 'line')} of difference from" if lines else " as in"
    click.echo(f"{many(count, 'result')}{differ} {path}")
    if theorems.accepted:
        click.echo(f"{len(theorems.accepted)} claims rest on theorems for every parameter that the kernel accepts")
    if lines or theorems.refused:
        return EXIT_REFUTED
    return EXIT_UNDECIDED if run.needs else EXIT_VERIFIED


def refuse_incomplete(run: Run) -> None:
    """Refuse to write anything from a run in which an extra was missing."""
    if run.needs:
        extras = sorted({extra for listed in run.needs.values() for extra in listed})
        raise InputError(f"nothing written: {', '.join(run.needs)} needs {install(extras)}")


def not_compared(needs: Mapping[str, tuple[str, ...]]) -> str:
    """One line for all claims that were not compared because extras are missing."""
    extras = sorted({extra for listed in needs.values() for extra in listed})
    shown = [*list(needs)[:3], *([f"{len(needs) - 3} more"] if len(needs) > 3 else [])]
    return f"not compared: {', '.join(shown)} need{'s' * (len(needs) == 1)} {install(extras)}"


def install(extras: Sequence[str]) -> str:
    """The missing extras, and the command that installs them."""
    if TRUST in extras:
        return f"Python of its own folder, which only {TRUST} runs"
    return f"the extra {', '.join(extras)}, which is not installed: pip install 'bitreferee[{','.join(extras)}]'"

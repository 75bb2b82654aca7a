"""``verify proofs``: have Coq's kernel check the theorems for all parameters."""

from __future__ import annotations

from collections.abc import Sequence

import click

from verifier.claims.papers import chosen_papers, papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import complete_papers, jobs_option, paper_option
from verifier.commands.progress import Progress
from verifier.kernel.answer_cache import digest_of_sources, keep, question
from verifier.kernel.checking import FRAGMENT, check_folder, check_theorem, refusals
from verifier.kernel.coq import INSTALL, Coq, installed_coq
from verifier.kernel.folders import FILE, Meaning, ProofFolder, Theorem, proof_folders
from verifier.kernel.propositions import meaning_of, proposition
from verifier.running.errors import InputError


@click.command("proofs")
@click.argument("names", nargs=-1, metavar="[PAPER]...", shell_complete=complete_papers)
@paper_option
@click.option("--theorem", metavar="NAME", help="Check only this theorem and its dependencies, without coqchk; nothing is kept.")
@jobs_option
def command(names: tuple[str, ...], paper: str | None, theorem: str | None, jobs: int) -> int:
    """Build the proofs of the PAPERs named, or of all papers with proofs, and have Coq's kernel check them.

    A proof folder is `proofs/` beside a paper's statements; its proofs.toml lists the sources and the theorems. The sources have to stay
    in a small fragment of Coq; each theorem has to prove the statement that it names, without an axiom; coqchk checks every term again.
    definitions.toml pairs the definitions in Coq with functions and tables of the program; those that have changed since are named. The
    results are kept until a source, the program or Coq changes; `--p all` reads them.

    Exit status: 0 every theorem is accepted; 1 one is refused, with the reasons; 3 Coq is not installed.
    """
    known = {paper.id: paper for paper in papers()}
    names = (*names, paper) if paper is not None else names
    for name in names:
        chosen_papers(papers(), (), name)
    folders = list(proof_folders((name, each.folder) for name, each in known.items() if name in names or not names))
    if not folders:
        raise InputError("no paper asked for has proofs")
    asked = [(folder, [each for each in folder.listing.theorem if theorem in (None, each.name)]) for folder in folders]
    if not any(listed for _, listed in asked):
        known_names = ", ".join(each.name for folder in folders for each in folder.listing.theorem)
        raise InputError(f"no theorem {theorem!r}; the theorems are {known_names}")
    coq = installed_coq()
    if coq is None:
        return max(_without_coq(folder) for folder in folders)
    return max(_check(folder, listed, coq, theorem, jobs) for folder, listed in asked if listed)


def _check(folder: ProofFolder, listed: Sequence[Theorem], coq: Coq, alone: str | None, jobs: int) -> int:
    """Check a folder, or one theorem alone, and print each theorem with its result; return the exit status."""
    begun_with = question(folder, coq.version)
    with Progress() as advance:
        if alone is None:
            checked = check_folder(folder, coq, advance, jobs)
            keep(folder, coq, checked, begun_with)
        else:
            checked = [check_theorem(each, folder, coq, advance, jobs) for each in listed]
    how = "checked" if alone is None else "built"
    accepted = f"{how} by Coq {coq.version} {FRAGMENT}; no axioms{'' if alone is None else '; coqchk was not asked'}"
    for each in checked:
        click.echo(f"{folder.paper}  {each.theorem.file}.v  {each.theorem.name}  {'accepted' if each.accepted else 'refused'}")
        lines = [f"refused: {reason}" for reason in each.reasons] or [says(folder, each.theorem), accepted]
        click.echo("\n".join(f"    {line}" for line in lines))
    if coq.version != folder.listing.version:
        click.echo(f"pages name {folder.listing.checked_by} for these theorems; this is Coq {coq.version}")
    if not all(each.accepted for each in checked):
        return EXIT_REFUTED
    if alone is None and folder.listing.accepted not in ("", digest := digest_of_sources(folder)):
        click.echo(f'{folder.folder / FILE} says that other sources were accepted; expected: accepted = "{digest}"')
        return EXIT_REFUTED
    return EXIT_VERIFIED


def says(folder: ProofFolder, theorem: Theorem) -> str:
    """The facts read from a theorem's proposition: its range and, for theorems about claims, the facts about the problem."""
    stated = proposition(folder, theorem)
    try:
        meaning = meaning_of(folder, stated)
    except InputError:
        meaning = Meaning()
    bounds = stated.range({"p", "q", "s", "m", "n"})
    return "; ".join(filter(None, [f"{theorem.statement}.{theorem.states}", bounds and f"for every {bounds}", meaning.in_words]))


def _without_coq(folder: ProofFolder) -> int:
    """Run the checks that need no Coq. The checks find where the sources leave the fragment, and which definitions have changed."""
    found = refusals(folder)
    for reason in found:
        click.echo(f"{folder.paper}  {reason}")
    for theorem in folder.listing.theorem:
        click.echo(f"{folder.paper}  {theorem.file}.v  {theorem.name}  {'refused' if found else 'declined'}")
    click.echo(f"Coq is not installed: {INSTALL}")
    return EXIT_REFUTED if found else EXIT_UNDECIDED

"""``verify proofs``: have Coq's kernel check the theorems for all parameters."""

from __future__ import annotations

import click

from verifier.claims.papers import papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import paper_option
from verifier.commands.progress import Progress
from verifier.kernel.answer_cache import keep, question
from verifier.kernel.checking import FRAGMENT, Checked, check_folder, check_theorem, refusals
from verifier.kernel.coq import INSTALL, installed_coq
from verifier.kernel.folders import ProofFolder, Theorem, proof_folders
from verifier.running.errors import InputError


@click.command("proofs")
@click.argument("names", nargs=-1, metavar="[PAPER]...")
@paper_option
@click.option("--theorem", metavar="NAME", help="Check only this theorem and its dependencies, without coqchk; nothing is kept.")
def command(names: tuple[str, ...], paper: str | None, theorem: str | None) -> int:
    """Build the proofs of the PAPERs named, or of all papers with proofs, and have Coq's kernel check them.

    A proof folder is `proofs/` beside a paper's statements; its proofs.toml lists the sources and the theorems. The sources have to stay
    in a small fragment of Coq; each theorem has to prove the statement that it names, without an axiom; coqchk checks every term again.
    definitions.toml pairs the definitions in Coq with functions and tables of the program; those that have changed since are named. The
    results are kept until a source, the program or Coq changes; `--p all` reads them.

    Exit status: 0 every theorem is accepted; 1 one is refused, with the reasons; 3 Coq is not installed.
    """
    known = {paper.id: paper.folder for paper in papers()}
    names = (*names, paper) if paper is not None else names
    for name in names:
        if name not in known:
            raise InputError(f"no paper {name!r}; there are {', '.join(known)}")
    folders = list(proof_folders((name, folder) for name, folder in known.items() if name in names or not names))
    if not folders:
        raise InputError("no paper asked for has proofs")
    if theorem is not None:
        asked = [(folder, found) for folder in folders if (found := folder.theorem(theorem)) is not None]
        if not asked:
            known_names = ", ".join(each.name for folder in folders for each in folder.listing.theorem)
            raise InputError(f"no theorem {theorem!r}; there are {known_names}")
        return max(_check_one(each, folder) for folder, each in asked)
    return max(_check(folder) for folder in folders)


def _check_one(theorem: Theorem, folder: ProofFolder) -> int:
    """Check one theorem, print a line for it; the exit status."""
    coq = installed_coq()
    if coq is None:
        return _without_coq(folder)
    with Progress() as advance:
        checked = check_theorem(theorem, folder, coq, advance)
    _show(folder, checked, f"built by Coq {coq.version} {FRAGMENT}; no axioms; coqchk was not asked")
    return EXIT_VERIFIED if checked.accepted else EXIT_REFUTED


def _show(folder: ProofFolder, checked: Checked, accepted: str) -> None:
    """A theorem, what it says, and what was found."""
    theorem = checked.theorem
    click.echo(f"{folder.paper}  {theorem.file}.v  {theorem.name}  {'accepted' if checked.accepted else 'refused'}")
    click.echo(f"    {theorem.says}")
    for line in [f"refused: {reason}" for reason in checked.reasons] or [accepted]:
        click.echo(f"    {line}")


def _check(folder: ProofFolder) -> int:
    """Check a folder, print a line for each theorem; the exit status."""
    coq = installed_coq()
    if coq is None:
        return _without_coq(folder)
    begun_with = question(folder, coq.version)
    with Progress() as advance:
        checked = check_folder(folder, coq, advance)
    keep(folder, coq, checked, begun_with)
    for each in checked:
        _show(folder, each, f"checked by Coq {coq.version} {FRAGMENT}; no axioms")
    if coq.version != folder.listing.version:
        click.echo(f"pages name {folder.listing.checked_by} for these theorems; this is Coq {coq.version}")
    return EXIT_VERIFIED if all(each.accepted for each in checked) else EXIT_REFUTED


def _without_coq(folder: ProofFolder) -> int:
    """What can be said without Coq: where the sources leave the fragment, and which definitions have changed."""
    found = refusals(folder)
    for reason in found:
        click.echo(f"{folder.paper}  {reason}")
    for theorem in folder.listing.theorem:
        click.echo(f"{folder.paper}  {theorem.file}.v  {theorem.name}  {'refused' if found else 'declined'}")
    click.echo(f"Coq is not installed: {INSTALL}")
    return EXIT_REFUTED if found else EXIT_UNDECIDED

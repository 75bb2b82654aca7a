"""``verify proofs``: have Coq's kernel check the theorems for all parameters."""

from __future__ import annotations

import click

from verifier.claims.papers import papers
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import paper_option
from verifier.commands.progress import Progress
from verifier.kernel.checking import FRAGMENT, check_folder, left_fragment
from verifier.kernel.coq import INSTALL, installed_coq
from verifier.kernel.folders import ProofFolder, proof_folders
from verifier.kernel.kept import keep
from verifier.running.errors import InputError


@click.command("proofs")
@click.argument("names", nargs=-1, metavar="[PAPER]...")
@paper_option
def command(names: tuple[str, ...], paper: str | None) -> int:
    """Build the proofs of every PAPER that has some, or of those named, and have Coq's kernel check them.

    A proof folder is `proofs/` beside a paper's statements; its proofs.toml lists the sources and the theorems. The sources have to stay
    in a small fragment of Coq; each theorem has to prove the statement that it names, without an axiom; coqchk checks every term again.
    What is found is kept until a source, the program or Coq changes; `--p all` reads it.

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
    return max(_check(folder) for folder in folders)


def _check(folder: ProofFolder) -> int:
    """Check a folder, print a line for each theorem; the exit status."""
    coq = installed_coq()
    if coq is None:
        return _without_coq(folder)
    with Progress() as advance:
        checked = check_folder(folder, coq, advance)
    keep(folder, coq, checked)
    for each in checked:
        theorem = each.theorem
        click.echo(f"{folder.paper}  {theorem.file}.v  {theorem.name}  {'accepted' if each.accepted else 'refused'}")
        click.echo(f"    {theorem.says}")
        if each.accepted:
            click.echo(f"    checked by Coq {coq.version} {FRAGMENT}; no axioms")
        for reason in each.reasons:
            click.echo(f"    refused: {reason}")
    if coq.version != folder.listing.version:
        click.echo(f"pages name {folder.listing.checked_by} for these theorems; this is Coq {coq.version}")
    return EXIT_VERIFIED if all(each.accepted for each in checked) else EXIT_REFUTED


def _without_coq(folder: ProofFolder) -> int:
    """What can be said without Coq: where the sources leave the fragment."""
    found = left_fragment(folder)
    for departure in found:
        click.echo(f"{folder.paper}  {departure}")
    for theorem in folder.listing.theorem:
        click.echo(f"{folder.paper}  {theorem.file}.v  {theorem.name}  {'refused' if found else 'declined'}")
    click.echo(f"Coq is not installed: {INSTALL}")
    return EXIT_REFUTED if found else EXIT_UNDECIDED

"""``verify recheck FILE``: check a certificate with the checker, which imports nothing of this project, then compare it with the
catalogue."""

from __future__ import annotations

from pathlib import Path

import click

from verifier.certificates import recheck
from verifier.certificates.recheck_reading import LIMITS, Limits
from verifier.claims.verdicts import EXIT_INPUT, EXIT_UNDECIDED
from verifier.commands.progress import Progress
from verifier.commands.subjects import NetworkSubject, TableSubject, subject
from verifier.running.errors import InputError


@click.command("recheck")
@click.argument("file", type=click.Path())
@click.option(
    "--construction",
    "own",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Compare the certificate, entry for entry, with this construction or network file instead of the catalogue.",
)
def command(file: str, own: Path | None, **limits: int) -> int:
    """Check a certificate again from FILE only, as `python recheck.py FILE` does with `recheck_*.py` beside it.

    An accepted certificate is then compared with the catalogue. The certificate belongs to the claim that it names if its construction
    equals the catalogue's, entry for entry; otherwise it only belongs to some table of that name. --construction compares it with your own
    file instead.

    Exit status: 0 accepted, and it belongs to the claim that it names; 1 rejected, with the reason; 2 not a certificate that it knows; 3
    accepted but only for some table of that name, or larger than a limit.
    """
    with Progress(f"check of {file}"):
        status, line, certificate = recheck.examine(file, Limits(**limits), recheck.recheck)
    if status == EXIT_INPUT:
        raise InputError(line)
    status = recheck.say(line, status)
    if certificate is None or status:
        return status
    from verifier.certificates.catalogue import attribution

    found = None if own is None else subject(str(own), files=True)
    mine = found.file if isinstance(found, NetworkSubject) else found.source if isinstance(found, TableSubject) else None
    of_the_claim, line = attribution(certificate, mine, str(own or ""))
    return recheck.say(line, 0 if of_the_claim else EXIT_UNDECIDED)


for name, (most, meaning) in LIMITS.items():
    option = click.Option([f"--{name}"], type=click.IntRange(1), default=most, show_default=True, help=f"The largest number of {meaning}.")
    command.params.append(option)

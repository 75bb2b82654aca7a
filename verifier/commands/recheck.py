"""``verify recheck FILE``: check a certificate with the checker that knows nothing of this project, then compare it with the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from verifier.certificates import recheck, recheck_network
from verifier.certificates.recheck_command import examine, say
from verifier.certificates.recheck_reading import LIMITS, Limits


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

    An accepted certificate is then compared with the catalogue. It belongs to the claim that it names if its construction equals the
    catalogue's, entry for entry; otherwise it only belongs to some table of that name. --construction compares it with your own file
    instead.

    Exit status: 0 accepted, and it belongs to the claim that it names; 1 rejected, with the reason; 2 not a certificate that it knows; 3
    accepted but only for some table of that name, or larger than a limit.
    """
    status, line, certificate = examine(file, Limits(**limits), checked)
    status = say(line, status)
    if certificate is None or status:
        return status
    if certificate["format"] == recheck_network.VERSION:
        from verifier.certificates.network_evidence import attribution as network_attribution

        same, line = network_attribution(certificate, str(own) if own is not None else None)
        return say(line, 0 if same else 3)
    from verifier.certificates.catalogue import attribution, attribution_to_file
    from verifier.claims.verdicts import EXIT_UNDECIDED
    from verifier.errata.tables import read_construction

    if own is not None:
        of_the_claim, line = attribution_to_file(certificate, read_construction(own), str(own))
    else:
        of_the_claim, line = attribution(certificate)
    return say(line, 0 if of_the_claim else EXIT_UNDECIDED)


def checked(certificate: Any, limits: Limits) -> str:
    """Check a certificate of any format and return what it proves."""
    version = certificate.get("format") if isinstance(certificate, dict) else None
    return CHECKERS.get(version if isinstance(version, str) else "", recheck.recheck)(certificate, limits)


CHECKERS: dict[str, Callable[[Any, Limits], str]] = {each.VERSION: each.recheck for each in (recheck_network,)}


for name, (most, meaning) in LIMITS.items():
    option = click.Option([f"--{name}"], type=click.IntRange(1), default=most, show_default=True, help=f"The largest number of {meaning}.")
    command.params.append(option)

"""``verify recheck FILE``: check a certificate with the checker that knows nothing of this project."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("recheck")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> int:
    """Check a certificate again, from nothing but FILE: the same as `python recheck.py FILE`, which needs no other file.

    Exit status: 0 accepted; 1 rejected, with the reason; 2 not a certificate that it knows.
    """
    from verifier.recheck import main

    return main([str(file)])

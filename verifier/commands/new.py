"""``verify new FILE``: a commented construction file that verifies as it stands."""

from __future__ import annotations

import tomllib
from pathlib import Path

import click

from verifier.claims.verdicts import EXIT_VERIFIED
from verifier.commands.options import Integer, write
from verifier.networks.files import shaped
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.networks.templates import NAMED, beginning
from verifier.running.errors import InputError
from verifier.running.identifiers import slug


@click.command("new")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--function",
    default="parity",
    show_default=True,
    help=f"What is computed: {', '.join(NAMED)}, or a condition on strings of m bits such as 'x[1] != y[m]'.",
)
@click.option("--bits", type=Integer(1), default=3, show_default=True, help="The length m of each string where none is given.")
def command(file: Path, function: str, bits: int) -> int:
    """Write a commented construction FILE (TOML) to begin with; it verifies as it stands."""
    if file.exists():
        raise InputError(f"{file}: there is a file of this name; another name was expected")
    text = beginning(function, bits, slug(file.stem))
    instantiate(shaped(tomllib.loads(text), ConstructionFile, CONSTRUCTION, file.name), {})
    write(file, text)
    click.echo(f"{file} is written; try: verify construction {file}")
    return EXIT_VERIFIED

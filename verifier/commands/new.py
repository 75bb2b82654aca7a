"""``verify new FILE``: write a commented file as a start: a construction, with ``--network`` a transformer, with ``--paper`` a paper."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import click

from verifier.claims.papers import find_paper
from verifier.claims.verdicts import EXIT_VERIFIED
from verifier.commands.options import Integer, completing, write, write_below
from verifier.networks.files import shaped
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.networks.templates import NAMED, SYNONYMS, beginning, paper_files
from verifier.running.errors import InputError
from verifier.running.identifiers import slug
from verifier.running.printable import many, shell_line
from verifier.show.field_reference import RECORDS, field_tables, json_schema
from verifier.show.streams import written

NETWORK = "my-network"
"""The id in the template of a network."""


def first_network(name: str) -> str:
    """The network file that ``--network`` writes, with this id: small, commented, and right over real numbers."""
    text = (files("verifier.transformers") / "template.toml").read_text(encoding="utf-8")
    return text.replace(f'id = "{NETWORK}"', f'id = "{name}"')


@click.command("new")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE | DIR", required=False)
@click.option("--paper", is_flag=True, help="Write a paper in the folder DIR, with three statements, a table and a file for findings.")
@click.option(
    "--function",
    shell_complete=completing(lambda word: NAMED),
    help=f"The function that the construction computes: {', '.join(NAMED)}, or a condition on strings of m bits such as 'x[1] != y[m]'.  "
    "[default: parity]",
)
@click.option("--bits", type=Integer(1), default=3, show_default=True, help="The length m of each string, if no length is given.")
@click.option(
    "--network", "transformer", is_flag=True, help="Write a transformer of several layers, for `verify precision`, instead of a table."
)
@click.option("--schema", type=click.Choice(list(RECORDS)), help="Print the JSON schema of the files of this kind instead, for editors.")
@click.option("--fields", is_flag=True, help="With --schema, list every field with its meaning, as Markdown.")
@click.option("--force", is_flag=True, help="Write FILE although there is a file of this name.")
def command(
    file: Path | None, paper: bool, function: str | None, bits: int, transformer: bool, schema: str | None, fields: bool, force: bool
) -> int:
    """Write a commented construction FILE (TOML) as a beginning, or a paper with --paper.

    Both verify without changes, except a table for a condition of your own: it is wrong on every input until you fill in the row that it
    marks.
    """
    if (file is None) is (schema is None) or (fields and schema is None):
        raise InputError("new: a file to write, or --schema KIND with or without --fields, was expected")
    if file is None:
        written(field_tables(schema or "") if fields else json_schema(schema or ""))
        return EXIT_VERIFIED
    if paper and transformer:
        raise InputError("--paper and --network: one of them was expected")
    if paper:
        return _paper(file)
    if file.exists() and not (force and file.is_file()):
        raise InputError(f"{file}: the file exists; another name was expected, or --force")
    if transformer:
        write(file, first_network(slug(file.stem)))
        click.echo(f"{file} is written; try: verify precision {file}")
        return EXIT_VERIFIED
    another = " (--function NAME or CONDITION for another)" if function is None else ""
    function = function or "parity"
    text = beginning(function, bits, slug(file.stem))
    instantiate(shaped(tomllib.loads(text), ConstructionFile, CONSTRUCTION, file.name), {})
    write(file, text)
    if SYNONYMS.get(function, function) in NAMED:
        click.echo(f"{file} is written: {function} of {many(bits, 'bit')}{another}; try: verify {file}")
    else:
        wrong = "it is wrong on every input: the template for conditions has no weights of its own"
        click.echo(f"{file} is written, and {wrong}; fill in the row marked TO DO, then: verify {file}")
    return EXIT_VERIFIED


def _paper(folder: Path) -> int:
    """Write a first paper.

    Raises:
        InputError: the name is that of a file, the folder holds something, or another paper has its name.
    """
    if folder.suffix == ".toml":
        raise InputError(f"--paper {folder}: a paper is a folder; a name without .toml was expected, such as {folder.stem}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: this name is taken; a new or an empty folder was expected")
    name = slug(folder.resolve().name)
    if find_paper(name) is not None:
        raise InputError(f"{folder}: {name} is the id of a paper that ships; another name of a folder was expected")
    for place, text in paper_files(name).items():
        write_below(folder, place, text)
    click.echo(f"{folder} is written; try: {shell_line(['verify', '--papers', str(folder), name])}")
    return EXIT_VERIFIED

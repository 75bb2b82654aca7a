"""``verify schema KIND``: the JSON schema of construction files and of the files of a paper, for completion in editors."""

from __future__ import annotations

import click

from verifier.claims.verdicts import EXIT_VERIFIED
from verifier.show.field_reference import RECORDS, field_tables, json_schema
from verifier.show.streams import written


@click.command("schema")
@click.argument("kind", type=click.Choice(list(RECORDS)))
@click.option("--fields", is_flag=True, help="Instead list every field with its meaning, as Markdown.")
def command(kind: str, fields: bool) -> int:
    """Print the JSON schema of the files of this KIND."""
    written(field_tables(kind) if fields else json_schema(kind))
    return EXIT_VERIFIED

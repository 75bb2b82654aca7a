"""``verify schema construction``: the JSON schema of construction files, for completion in editors."""

from __future__ import annotations

import click

from verifier.claims.verdicts import EXIT_VERIFIED
from verifier.networks.field_reference import RECORDS, field_tables, json_schema
from verifier.show.streams import written


@click.command("schema")
@click.argument("kind", type=click.Choice(list(RECORDS)))
@click.option("--fields", is_flag=True, help="Every field with its meaning, as Markdown, instead.")
def command(kind: str, fields: bool) -> int:
    """Print the JSON schema of the files of this KIND."""
    written(field_tables(kind) if fields else json_schema(kind))
    return EXIT_VERIFIED

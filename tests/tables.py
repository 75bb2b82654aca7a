"""The construction files of *Every Bit Counts*, for tests of the machine."""

from importlib.resources import files
from pathlib import Path

from verifier.claims.records import Table

FOLDER = Path(str(files("constructions.every_bit_counts"))) / "tables"


def table(name: str, errata: bool = True) -> Table:
    """A construction file with its errata, where it has some."""
    return Table(str(FOLDER), name, errata)

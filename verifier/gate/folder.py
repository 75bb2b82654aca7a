"""The folder of the committed pages and of the table of verdicts."""

from __future__ import annotations

from pathlib import Path

import verifier
from verifier.running.errors import InputError

HERE = Path("reports")
TABLE = "verdicts.tsv"
BESIDE = Path(verifier.__file__).parents[1] / HERE
"""The folder of the source tree that the program runs from, if it runs from one."""


def checkout() -> Path | None:
    """The source tree that the program runs from; None if it is installed."""
    return BESIDE.parent if (BESIDE / TABLE).is_file() else None


def pages_folder(shipped: bool) -> Path:
    """Where pages are written: ``reports`` in the working directory, or with ``shipped`` that of the checkout that the program runs from.

    Raises:
        InputError: the program runs from no checkout.
    """
    if shipped and checkout() is None:
        raise InputError("--shipped: the program runs from no checkout with reports")
    return BESIDE if shipped else HERE


def reports_folder() -> Path:
    """``reports`` in the working directory if it holds a table of verdicts, else that of the source tree if it does, else the former."""
    return BESIDE if not (HERE / TABLE).is_file() and checkout() else HERE

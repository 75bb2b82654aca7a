"""The folder of the committed pages and of the table of verdicts."""

from __future__ import annotations

from pathlib import Path

import verifier

HERE = Path("reports")
TABLE = "verdicts.tsv"
BESIDE = Path(verifier.__file__).parents[1] / HERE
"""The folder of the source tree that the program runs from, if it runs from one."""


def reports_folder() -> Path:
    """``reports`` in the working directory if it holds a table of verdicts, else that of the source tree if it does, else the former."""
    return BESIDE if not (HERE / TABLE).is_file() and (BESIDE / TABLE).is_file() else HERE

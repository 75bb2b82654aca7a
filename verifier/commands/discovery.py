"""Subcommands of the papers and of the lower bounds, found by their ``commands.toml``: a table for each, with ``run`` and ``help``.

Nothing is imported to find them, so that ``verify --help`` stays quick.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

FILE = "commands.toml"


@lru_cache(maxsize=1)
def found_commands() -> dict[str, tuple[str, str]]:
    """Name → (``module:attribute`` of the click command, one line of help), in the order of the folders."""
    return {
        name: (entry["run"], entry["help"]) for file in _files() for name, entry in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }


def _files() -> list[Path]:
    folders = [Path(place) for package in ("lowerbounds", "constructions") for place in _places(package)]
    return [file for folder in folders for file in (folder / FILE, *sorted(folder.glob(f"*/{FILE}"))) if file.is_file()]


def _places(package: str) -> list[str]:
    spec = find_spec(package)
    return list(spec.submodule_search_locations or ()) if spec else []

"""Tables of tests that stand in a file beside them, one line a case."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def tables(module: str, name: str) -> Any:
    """The tables of a TOML file in the folder of a module, which gives its ``__file__``."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


def titled(x: object) -> str:
    """The titles of a table's lines as the names of its tests."""
    return x if isinstance(x, str) else ""

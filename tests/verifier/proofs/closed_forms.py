"""The claims of ``closed_forms.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROVED, OPEN = "proved", "open"


@dataclass(frozen=True)
class ClosedForm:
    """A claim on all parameters of a domain; ``found``: proved, open, or where it is first false; ``box``: where it is evaluated."""

    name: str
    found: str | Mapping[str, int]
    formula: str
    domain: Mapping[str, str]
    box: Mapping[str, range]
    lets: Mapping[str, str]


def _ends(text: str) -> range:
    low, high = text.split("..")
    return range(int(low), int(high) + 1)


CLOSED_FORMS = [
    ClosedForm(name, found, formula, group["domain"], {p: _ends(ends) for p, ends in group["box"].items()}, group.get("let", {}))
    for group in tomllib.loads(Path(__file__).with_suffix(".toml").read_text())["group"]
    for name, found, formula in group["claims"]
]

"""Good certificates to change, and the changes: a place and what to put there."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import constructions.every_bit_counts
from verifier.arithmetic.semantics import read_semantics
from verifier.certificates.files import certify
from verifier.certificates.fooling import fooling_certificate
from verifier.certificates.statement import Certificate, Subject
from verifier.errata.tables import Source, read_with_errata
from verifier.networks.execution import Execution
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem

Change = Callable[[Any], Any]
TABLES = Path(constructions.every_bit_counts.__path__[0]) / "tables"
LEMMA = "every-bit-counts/lemma-2.6:table-6"


def source(name: str) -> Source:
    """A table of the paper with its errata."""
    return read_with_errata(TABLES / f"{name}.toml", TABLES / f"{name}.errata.toml")


def table(name: str, semantics: str = "a4", p: int = 8, without: tuple[str, ...] = ()) -> Execution:
    """The repaired table, but for the errata left out."""
    return Execution(instantiate(source(name).repaired(without), {"p": p}), read_semantics(semantics))


def subject(execution: Execution, claim: str = LEMMA) -> Subject:
    return Subject(claim, "repaired", execution.instance.parameters)


def plain(certificate: Certificate) -> Any:
    """The certificate as JSON gives it back."""
    return json.loads(json.dumps(certificate))


@lru_cache(maxsize=64)
def _good(kind: str) -> str:
    if kind == "fooling-set":
        return json.dumps(fooling_certificate(Subject("every-bit-counts/lemma-b.1", "statement", {"m": 15}), Problem("EQ", "y <= z", 15)))
    execution = table("table-6", without=("step-1-key",) if kind == "refuted" else ())
    return json.dumps(certify(subject(execution), execution))


def good(kind: str) -> Any:
    """A fresh copy of a good certificate: of Table 6 at p = 8, repaired or but for one repair, or of a fooling set."""
    return json.loads(_good(kind))


def put(*path: Any, value: Any) -> Change:
    """The change that puts ``value`` (or what it makes of the old one) at a path."""

    def change(certificate: Any) -> Any:
        changed = copy.deepcopy(certificate)
        here = changed
        for key in path[:-1]:
            here = here[key]
        here[path[-1]] = value(here[path[-1]]) if callable(value) else value
        return changed

    return change


def drop(*path: Any) -> Change:
    """The change that takes the last key of a path, or the last entry of the list there, away."""

    def change(certificate: Any) -> Any:
        changed = copy.deepcopy(certificate)
        here = changed
        for key in path[:-1]:
            here = here[key]
        del here[path[-1]]
        return changed

    return change


def titled(x: object) -> str:
    """The titles of a table's lines as the names of its tests."""
    return x if isinstance(x, str) else ""

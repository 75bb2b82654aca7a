"""Good certificates to change, the changes (a place and what to put there), and constructions as the checker reads them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction as F
from functools import lru_cache
from pathlib import Path
from typing import Any

import constructions.every_bit_counts
from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.certificates import recheck_arithmetic, recheck_construction
from verifier.certificates.files import certify
from verifier.certificates.fooling import fooling_certificate
from verifier.certificates.recheck_reading import At, Limits
from verifier.certificates.statement import Certificate, Subject, construction_data, semantics_data
from verifier.errata.tables import Source, read_with_errata
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.transformers.tables import Execution

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


A4 = {**{knob: settings[0] for knob, settings in recheck_arithmetic.KNOBS.items()}, "scale": "1"}
"""A reading as a certificate writes it."""


def transformer(instance: Instance, semantics: Semantics) -> recheck_construction.Transformer:
    """The checker's reading of the construction."""
    return recheck_construction.Transformer(At(semantics_data(semantics)), At(construction_data(instance)), Limits())


def small(bits: int, length: int = 1, d: int = 1) -> Instance:
    """A token for each bit of y, one that asks, entries and weights 1, and an MLP that changes with every value of the attention."""
    one = (F(1),) * d
    tokens = [Token(k, 1, ((Bit("y", k),),), ((F(0),) * d, one)) for k in range(1, length + 1)]
    return Instance(
        id="small",
        parameters={},
        names={},
        precision=bits,
        task=Problem("EQ", "y <= z", length),
        tokens=(*tokens, Token(length + 1, 2, ((),), (one,))),
        query=Matrix((one,) * d, ln2=True),
        key=Matrix((one,) * d),
        value=Matrix(((F(1),),) * d),
        hidden=(Node((F(1),), F(0)),),
        output=Node((F(1),), F(0)),
    )

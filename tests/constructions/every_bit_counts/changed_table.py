"""A claim whose table has one more change, beside its errata: what a judge says of it must move."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from verifier.construction.errata import Source, apply
from verifier.construction.records import ErratumEntry
from verifier.semantics import read_semantics
from verifier.statements.model import Claim
from verifier.statements.records import Table
from verifier.statements.session import Session
from verifier.verdicts import Edition, Finding


@dataclass(frozen=True)
class ChangedTable(Table):
    """A table of the paper that is read from ``given``, not from its files."""

    given: Source | None = None

    @property
    def source(self) -> Source:
        assert self.given is not None
        return self.given


def changed(claim: Claim, at: str, before: str | int, after: str | int, printed: bool = False) -> Claim:
    """The claim about its table with ``before`` replaced by ``after``: after its errata, or as printed (always so without errata)."""
    table = claim.table
    assert table is not None
    entry = ErratumEntry(name="neighbour", at=at, printed=before, repaired=after, why="a test")
    source = table.source
    if source.errata is None or printed:
        source = replace(source, file=apply(source.raw, [entry], table.name))
    else:
        source = replace(source, errata=msgspec.structs.replace(source.errata, erratum=[*source.errata.erratum, entry]))
    stand_in = ChangedTable(**vars(table), given=source)
    return replace(claim, table=stand_in, repaired=claim.repaired and replace(claim.repaired, table=stand_in))


def judged(claim: Claim, edition: Edition = Edition.REPAIRED, semantics: str = "a4", **given: int) -> Finding:
    """What the claim's own judge says, without its steps."""
    return Session().own(claim, edition, claim.complete(given), read_semantics(semantics))[0]

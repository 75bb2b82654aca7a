"""A claim whose table has one more change, beside its errata: what a judge says of it must move."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.records import Table
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome
from verifier.errata.tables import Source, apply
from verifier.networks.errata import TableErratum


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
    entry = TableErratum(name="neighbour", at=at, printed=before, repaired=after, why="a test")
    source = table.source
    if source.errata is None or printed:
        source = replace(source, file=apply(source.raw, [entry], table.name))
    else:
        source = replace(source, errata=msgspec.structs.replace(source.errata, erratum=[*source.errata.erratum, entry]))
    stand_in = ChangedTable(**vars(table), given=source)
    return replace(claim, table=stand_in, repaired=claim.repaired and replace(claim.repaired, table=stand_in))


def judged(claim: Claim, edition: Edition = Edition.REPAIRED, semantics: str = "a4", **given: int) -> Outcome:
    """What the claim's own judge says, without its steps."""
    return Session().own(claim, edition, claim.complete(given), read_semantics(semantics))


def with_fields(claim: Claim, **fields: object) -> Claim:
    assert isinstance(claim.judge, NamedJudge)
    return replace(claim, judge=replace(claim.judge, fields={**claim.judge.fields, **fields}))

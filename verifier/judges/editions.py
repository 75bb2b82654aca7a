"""The table of a claim in its editions: as printed, with its errata, or with only its indices repaired."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition
from verifier.errata.tables import Source
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.record_base import complete
from verifier.networks.records import ConstructionFile


def table_parameters(claim: Claim, given: Mapping[str, int]) -> dict[str, int]:
    """The parameters that the claim's table takes, out of those given."""
    assert claim.table is not None
    file = claim.table.source.file
    return complete(file, {k: v for k, v in given.items() if k in file.parameters})


def edition_file(claim: Claim, edition: Edition, given: Mapping[str, int]) -> tuple[ConstructionFile, str | None]:
    """The construction file of an edition, and a sentence if the errata do not cover these parameters.

    A statement is about the printed table; only the repaired edition is about the repaired one.
    """
    assert claim.table is not None
    source = claim.table.source
    if edition is not Edition.REPAIRED or not claim.table.errata:
        return source.file, None
    return _repaired(source, claim.table.without), source.outside_errata(given) if claim.table.domain else None


@lru_cache(maxsize=64)
def _repaired(source: Source, without: tuple[str, ...]) -> ConstructionFile:
    return source.repaired(without)


Values = tuple[tuple[str, int], ...]


@lru_cache(maxsize=64)
def _instance(source: Source, without: tuple[str, ...] | None, values: Values) -> Instance:
    """The table at its parameters: as printed (``without`` is None), or with its errata. The steps of one proof share it."""
    return instantiate(source.file if without is None else _repaired(source, without), dict(values))


@lru_cache(maxsize=64)
def _with_ranges(source: Source, without: tuple[str, ...] | None, values: Values) -> Instance | None:
    """The table with the errata of its indices, otherwise as printed (``without`` is None) or with other errata, or None if that is
    ill-formed or not a table.
    """
    file = source.with_ranges()
    if file is not None and without is not None:
        file = source.repaired(set(without) - source.ranges)
    ranged = instantiate(file, dict(values)) if file else None
    return None if ranged is None or ranged.defects else ranged


def edition_instance(claim: Claim, edition: Edition, given: Mapping[str, int]) -> Instance:
    """The claim's table in one edition at given parameters, including its defects.

    Raises:
        InputError: parameters outside the table's domain.
    """
    assert claim.table is not None
    without = claim.table.without if edition is Edition.REPAIRED else None
    return _instance(claim.table.source, without, tuple(table_parameters(claim, given).items()))


def readable_instance(claim: Claim, edition: Edition, given: Mapping[str, int]) -> Instance:
    """The instance on which claims about the table are judged: the edition's; if that is ill-formed and a repair of only its indices makes
    it well-formed, the repaired one. The table's own claim uses no repair.
    """
    instance = edition_instance(claim, edition, given)
    assert claim.table is not None
    whole = edition is Edition.REPAIRED and not claim.table.partial
    if not instance.defects or whole or claim.table.claim in (None, claim.id):
        return instance
    return with_indices_repaired(claim, given, edition) or instance


def with_indices_repaired(claim: Claim, given: Mapping[str, int], edition: Edition = Edition.PRINTED) -> Instance | None:
    """The claim's table in this edition with repaired indices, or None without such errata, or if it is still ill-formed."""
    assert claim.table is not None
    without = tuple(claim.table.without) if edition is Edition.REPAIRED else None
    return _with_ranges(claim.table.source, without, tuple(table_parameters(claim, given).items()))

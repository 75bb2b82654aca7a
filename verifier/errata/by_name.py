"""Errata by name, and claims with only some of their errata, which shows the consequences of each mistake.

An erratum is named by its place, without the paper: ``lemma-2.6:mlp-target`` is an erratum of a claim (``…#2`` the second of several),
``table-6/step-1-key`` one of a table, and ``table-6/domain`` is the domain that the errata of a table state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from verifier.claims.model import Claim
from verifier.claims.records import Erratum, Table, plain
from verifier.running.errors import InputError

DOMAIN = "domain"


@dataclass(frozen=True)
class Only:
    """Apply only the errata of these names."""

    names: frozenset[str]

    def applied(self, claim: Claim) -> Claim:
        """The claim whose repaired edition has these errata alone.

        Raises:
            InputError: an erratum of a table needs another one that is not among them (when the table is read).
        """
        if claim.repaired is None and (claim.table is None or not claim.table.errata):
            return claim
        every = tuple(range(len(claim.errata)))
        chosen = tuple(k for k, name in zip(every, claim_errata(claim), strict=False) if name in self.names)
        repaired = None if not chosen else claim.repaired if chosen == every else claim.partly[chosen]
        if repaired is not None:
            repaired = replace(repaired, table=self._table(repaired.table))
        return replace(claim, repaired=repaired, table=self._table(claim.table))

    def _table(self, table: Table | None) -> Table | None:
        if table is None or not table.errata:
            return table
        left_out = {name for name in table.source.names if f"{table.name}/{name}" not in self.names}
        domain = f"{table.name}/{DOMAIN}" in self.names
        return replace(table, without=tuple(sorted({*table.without, *left_out})), partial=True, domain=domain)


def claim_errata(claim: Claim) -> list[str]:
    """The names of the claim's own errata, in their order; a shared erratum has the other claim's name."""
    if claim.erratum_of is not None:
        return [claim.erratum_of]
    if len(claim.errata) < 2:
        return [claim.name for _ in claim.errata]
    return [f"{claim.name}#{number}" for number in range(1, len(claim.errata) + 1)]


def named_errata(claims: Iterable[Claim]) -> dict[str, Erratum]:
    """Every erratum of the claims and of their tables, by name, in their order."""
    found: dict[str, Erratum] = {}
    for claim in claims:
        if claim.table is not None and claim.table.errata:
            found |= _of_table(claim.table)
        if claim.repaired is not None:
            found |= dict(zip(claim_errata(claim), claim.errata, strict=True))
    return found


def errata_of_tables(claims: Iterable[Claim]) -> Iterator[tuple[Claim, str]]:
    """Each erratum of a table and of its promise by name, with the first claim of the table, in the order in which the tables are left."""
    first = {claim.table: claim for claim in reversed(list(claims)) if claim.table is not None and claim.table.errata}
    for table, claim in reversed(first.items()):
        assert table.source.errata is not None
        yield from ((claim, name) for name in table.source.errata.names)


WILD = frozenset("*?[")
"""The signs of a pattern that a name does not have."""


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern (``table-7/step-*-key*``) matches the erratum of this name; a claim's name stands for all of its errata."""
    return pattern in (name, name.partition("#")[0]) or (not WILD.isdisjoint(pattern) and fnmatchcase(name, pattern))


def matching(patterns: Iterable[str], every: Mapping[str, Erratum]) -> Iterator[str]:
    """The names that the patterns match, pattern by pattern.

    Raises:
        InputError: a pattern that matches none.
    """
    for pattern in patterns:
        found = [name for name in every if matches(pattern, name)]
        if not found:
            raise InputError(f"no erratum {pattern!r}; `verify show` of a claim names its errata")
        yield from found


def touched(claim: Claim, names: frozenset[str]) -> bool:
    """Whether one of the errata belongs to the claim or to its table."""
    own = any(name in names for name in claim_errata(claim))
    table = f"{claim.table.name}/" if claim.table is not None and claim.table.errata else None
    return own or (table is not None and any(name.startswith(table) for name in names))


def _of_table(table: Table) -> dict[str, Erratum]:
    errata = table.source.errata
    assert errata is not None
    found = {e.name: Erratum(plain(str(e.printed)), plain(str(e.repaired)), e.why, e.in_words, tuple(e.places)) for e in errata.erratum}
    found |= {p.name: Erratum(plain("no such promise"), plain(p.condition), p.why) for p in errata.promise}
    found |= {c.name: Erratum(plain(f"no clause for the tokens {c.i}"), plain(str(c.reads)), c.why) for c in errata.clause}
    found[DOMAIN] = Erratum(plain("every value in the domain"), plain(errata.domain), errata.why_domain)
    return {f"{table.name}/{name}": erratum for name, erratum in found.items()}

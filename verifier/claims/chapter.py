"""Writing claims down: the decorator that makes a judge into a claim."""

from __future__ import annotations

from collections.abc import Callable

from verifier.claims.model import Claim, Erratum, Judge, Overview, Parameter, Part, Table
from verifier.semantics import Point


class Chapter:
    """Collects the claims of a paper; its :meth:`claim` is the decorator that makes a judge into a claim.

    point: the kind of format that its claims speak of.
    """

    def __init__(self, paper: str, point: Point = "fixed") -> None:
        self.paper = paper
        self.point: Point = point
        self.claims: list[Claim] = []

    def claim(
        self,
        name: str,
        *,
        statement: str,
        place: str,
        checks: str,
        parameters: tuple[Parameter, ...] = (),
        errata: tuple[Erratum, ...] = (),
        bounded: bool = True,
        table: Table | None = None,
        diagonal: bool = False,
    ) -> Callable[[Judge], Judge]:
        """Register a judge under ``paper/name``."""

        def register(judge: Judge) -> Judge:
            self.add(
                Claim(
                    id=f"{self.paper}/{name}",
                    statement=statement,
                    place=place,
                    checks=checks,
                    parameters=parameters,
                    judge=judge,
                    errata=errata,
                    bounded=bounded,
                    table=table,
                    diagonal=diagonal,
                    point=self.point,
                )
            )
            return judge

        return register

    def add(self, claim: Claim) -> Claim:
        """Register a claim made elsewhere, such as one that is only its parts."""
        if any(c.id == claim.id for c in self.claims):
            raise ValueError(f"two claims are called {claim.id}")
        self.claims.append(claim)
        return claim

    def composite(
        self,
        name: str,
        *,
        statement: str,
        place: str,
        parts: tuple[Part, ...],
        parameters: tuple[Parameter, ...] = (),
        errata: tuple[Erratum, ...] = (),
        bounded: bool = True,
        overview: Overview | None = None,
    ) -> Claim:
        """Register a claim that has the worst verdict of its parts, edition by edition; ``bounded`` where one of them is."""
        full = tuple(Part(f"{self.paper}/{p.claim}" if "/" not in p.claim else p.claim, p.parameters) for p in parts)
        return self.add(
            Claim(
                id=f"{self.paper}/{name}",
                statement=statement,
                place=place,
                checks="its parts, which see",
                parameters=parameters,
                parts=full,
                errata=errata,
                bounded=bounded,
                point=self.point,
                overview=overview,
            )
        )

"""A paper with its run, and where its pages are: what every page of the site is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.errata.findings import SERIOUS
from verifier.errata.listings import Listing
from verifier.gate.run import Run
from verifier.gate.standing import Standing
from verifier.show.answers import text_of
from verifier.show.summary import Summary
from verifier.show.verdict_words import titled

KINDS = {
    "true": "verified",
    "true in one order only": "mixed",
    "false in one order only": "mixed",
    "false": "refuted",
    "conditional": "conditional",
    "open": "open",
    "not judged": "declined",
}
"""The colour of a mark, by how a result stands."""


@dataclass(frozen=True)
class Sign:
    """A mark: its colour, its sign, and the answer behind it."""

    kind: str
    mark: str
    status: str
    says: str


def sign(found: Standing) -> Sign:
    """The mark of a result: is it true?"""
    return Sign(KINDS[found.status], found.mark, found.status, text_of(found))


@dataclass(frozen=True, eq=False)
class Judged:
    """A paper and what a run says of it."""

    paper: Paper
    run: Run

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        """Every claim by its id, in the paper's order."""
        return {claim.id: claim for claim in self.paper}

    @cached_property
    def summary(self) -> Summary:
        """What the first page says."""
        return Summary(self.paper, self.run)

    def standing(self, claim: Claim) -> Standing:
        """The standing of a claim."""
        return self.summary.facts.standing(claim)

    def sign(self, claim: Claim) -> Sign:
        """The mark of a claim."""
        return sign(self.standing(claim))

    @property
    def listings(self) -> tuple[Listing, ...]:
        return self.summary.listings

    @cached_property
    def serious(self) -> list[Listing]:
        return [o for o in self.listings if o.finding.kind in SERIOUS]

    @cached_property
    def lesser(self) -> list[Listing]:
        return [o for o in self.listings if o.finding.kind not in SERIOUS]

    @cached_property
    def findings_of(self) -> Mapping[str, list[Listing]]:
        """The findings that each claim fails because of, or that are about it."""
        found: dict[str, list[Listing]] = {}
        for listing in self.listings:
            about = {claim.id for claim in listing.finding.about}
            for claim in sorted(about | listing.follows.every | set(listing.follows.outside)):
                found.setdefault(claim, []).append(listing)
        return found

    @cached_property
    def used_by(self) -> Mapping[str, list[str]]:
        """The statements that each statement is a part or a row of, by id."""
        found: dict[str, list[str]] = {}
        for claim in self.paper.statements():
            for used in dict.fromkeys([*(p.claim for p in claim.parts), *(r.claim for r in claim.rows)]):
                owner = used.partition(":")[0]
                if owner != claim.id:
                    found.setdefault(owner, []).append(claim.id)
        return {name: list(dict.fromkeys(users)) for name, users in found.items()}

    @property
    def folder(self) -> str:
        """Its pages' folder; a link from the site's root."""
        return self.paper.id

    def page(self, claim: str) -> str:
        """The page of a claim, from the site's root; a step is a place on its statement's page."""
        name = claim.partition("/")[2]
        owner, _, step = name.partition(":")
        return f"{self.folder}/statements/{owner}.html{f'#{step}' if step else ''}"

    def finding_page(self, listing: Listing) -> str:
        return f"{self.folder}/findings/{listing.finding.entry.id}.html"


def link(judged: Judged, claim: str) -> dict[str, str]:
    """A claim's name and page, for templates."""
    known = judged.claims.get(claim)
    name = claim.partition("/")[2]
    return {"name": titled(name), "href": judged.page(claim), "says": known.statement if known else ""}


def links(judged: Judged, claims: Sequence[str]) -> list[dict[str, str]]:
    """Several of them."""
    return [link(judged, claim) for claim in claims]

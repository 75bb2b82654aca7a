"""A paper with its run, and where its pages are: what every page of the site is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Result
from verifier.errata.findings import SERIOUS
from verifier.errata.listings import Listing
from verifier.gate.run import Run
from verifier.show.summary import Summary
from verifier.show.verdict_words import Sign, of_edition, sign, titled


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

    def results(self, claim: Claim, edition: Edition, reading: str | None = None) -> list[Result]:
        """One edition's results under the default reading, or another that was run."""
        listed: Sequence[Result] = self.run.readings[reading].get(claim.id, ()) if reading else self.run.results[claim.id]
        return of_edition(listed, edition)

    def sign(self, claim: Claim, edition: Edition, reading: str | None = None) -> Sign:
        """The sign of an edition: see :func:`verifier.show.verdict_words.sign`."""
        listed = self.run.readings[reading].get(claim.id, ()) if reading else self.run.results[claim.id]
        return sign(claim, listed, edition, self.listings, self.results(claim, Edition.REPAIRED))

    def signs(self, claim: Claim) -> list[tuple[str, list[tuple[str, Sign]]]]:
        """Reading by reading, a sign for each edition that was judged under it; the default reading has all three."""
        first = next(iter(self.paper.readings), "") if self.run.readings else ""
        found = [(first, [(e.value, self.sign(claim, e)) for e in Edition])]
        for name in self.run.readings:
            judged = [(e.value, self.sign(claim, e, name)) for e in Edition if self.results(claim, e, name)]
            if judged:
                found.append((name, judged))
        return found


def link(judged: Judged, claim: str) -> dict[str, str]:
    """A claim's name and page, for templates."""
    known = judged.claims.get(claim)
    name = claim.partition("/")[2]
    return {"name": titled(name), "href": judged.page(claim), "says": known.statement if known else ""}

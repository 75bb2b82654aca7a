"""A paper with its run: the one record from which every page, letter and screen is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.records import Table
from verifier.errata.findings import CLASSES, SERIOUS
from verifier.errata.listings import Listing
from verifier.gate.run import Run, kept_runs, main_claims
from verifier.gate.standing import Known, Question, Standing, counted
from verifier.running.grouping import grouped
from verifier.running.limits import Advance
from verifier.show.answers import smallest
from verifier.show.letter import Letter, letter, number
from verifier.show.verdict_words import titled

TITLES = (("What holds.", "holds"), ("What does not.", "fails"), ("After correction.", "repaired"), ("What stays open.", "open"))
"""The parts of a letter, as pages begin them."""


@lru_cache(maxsize=64)
def judged_by(run: Run, paper: Paper) -> Judged:
    """The one record of a paper with this run, from which everything shown is made."""
    return Judged(paper, run)


def judged_paper(paper: Paper, jobs: int, advance: Advance) -> Judged:
    """A paper with its run, which is kept until the paper or the program changes."""
    return judged_by(kept_runs([paper], jobs, advance)[paper.id], paper)


class Judged(Known):
    """A paper and the results of a run on it, in the order and the words of pages."""

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        """Every claim by its id, in the paper's order."""
        return {claim.id: claim for claim in self.paper}

    @cached_property
    def letter(self) -> Letter:
        return letter(self)

    @cached_property
    def main(self) -> list[Standing]:
        """The standing of every main result, in the paper's order."""
        return [self.standing(claim) for claim in main_claims(self.paper)]

    @cached_property
    def serious(self) -> list[Listing]:
        return [o for o in self.listings if o.finding.kind in SERIOUS]

    @cached_property
    def lesser(self) -> list[Listing]:
        return [o for o in self.listings if o.finding.kind not in SERIOUS]

    @cached_property
    def statuses(self) -> dict[str, int]:
        """The number of questions of the main results with each status."""
        return counted(self.main)

    @cached_property
    def classes(self) -> dict[str, int]:
        """The number of findings of each class."""
        counts = Counter(listing.finding.kind for listing in self.listings)
        return {kind: counts[kind] for kind in CLASSES}

    @property
    def told(self) -> list[tuple[str, tuple[str, ...]]]:
        """The summary part by part, each with its title; the counts if the paper has none."""
        parts = [(title, said) for title, part in TITLES if (said := getattr(self.letter, part))]
        return parts or [("In short.", (self.counted,))]

    @property
    def counted(self) -> str:
        """The number of questions with each status, and the number of findings."""
        stand = ", ".join(f"{count} {status}" for status, count in self.statuses.items() if count)
        found = ", ".join(f"{self.classes[kind]} {kind}" for kind in SERIOUS if self.classes[kind])
        misprints = self.classes["misprint"]
        found = found or (f"none, the paper holds but for misprints ({misprints})" if misprints else "")
        lesser = len(self.lesser)
        return (
            f"Questions of the main results: {stand or 'none'}. Serious findings: {found or 'none'}. "
            f"{number(lesser).capitalize()} smaller finding{'' if lesser == 1 else 's'}."
        )

    @cached_property
    def findings_of(self) -> Mapping[str, list[Listing]]:
        """The findings that make each claim fail, or that are about it."""
        about = (
            (each, {claim.id for claim in each.finding.about} | each.follows.every | {*each.follows.outside}) for each in self.listings
        )
        return grouped((claim, listing) for listing, claims in about for claim in sorted(claims))

    @cached_property
    def used_by(self) -> Mapping[str, list[str]]:
        """The statements that each statement is a part or a row of, by id."""
        used = (
            (name.partition(":")[0], claim.id)
            for claim in self.paper.statements()
            for name in (*(p.claim for p in claim.parts), *(r.claim for r in claim.rows))
        )
        return grouped((owner, user) for owner, user in dict.fromkeys(used) if owner != user)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The constructions that are the subject of a claim, those of the paper first."""
        order = list(self.paper.raw.get("tables", {}))
        found = {c.table.name: c.table for c in self.claims.values() if c.table is not None and not c.table.without}
        return {name: found[name] for name in sorted(found, key=lambda n: (order.index(n) if n in order else len(order), n))}

    def listing(self, finding: str) -> Listing:
        """The finding of this name."""
        return next(each for each in self.listings if each.finding.entry.id == finding)

    def smallest(self, question: Question) -> str:
        """The smallest counterexample to a question in words, or empty if it has none."""
        return smallest(question, self.concerning(question.claim))

    @property
    def folder(self) -> str:
        """The folder of its pages; a link from the site's root."""
        return self.paper.id

    def page(self, claim: str) -> str:
        """The page of a claim, from the site's root; a step is a place on its statement's page."""
        name = claim.partition("/")[2]
        owner, _, step = name.partition(":")
        return f"{self.folder}/statements/{owner}.html{f'#{step}' if step else ''}"

    def finding_page(self, listing: Listing) -> str:
        return f"{self.folder}/findings/{listing.finding.entry.id}.html"

    def trace_page(self, listing: Listing) -> str:
        return f"{self.folder}/traces/{listing.finding.entry.id}.html"

    def table_page(self, table: str) -> str:
        return f"{self.folder}/tables/{table}.html"

    def link(self, claim: str) -> dict[str, str]:
        """A claim's name and page, for templates."""
        known = self.claims.get(claim)
        name = claim.partition("/")[2]
        return {"name": titled(name), "href": self.page(claim), "says": known.statement if known else ""}

    def links(self, claims: Sequence[str]) -> list[dict[str, str]]:
        """Several of them."""
        return [self.link(claim) for claim in claims]

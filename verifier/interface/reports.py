"""``findings``: what is wrong in a paper, the most serious first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from verifier.claims.papers import find_paper, papers
from verifier.errata.findings import CLASSES
from verifier.errata.listings import Listing, chosen, listings
from verifier.interface.arguments import integer, of_arguments
from verifier.interface.notebooks import Shown
from verifier.running.errors import InputError
from verifier.running.limits import silent
from verifier.show.findings_document import document


@dataclass(frozen=True, repr=False)
class Findings(Shown):
    """The findings of a paper. A :class:`~verifier.errata.listings.Listing` has the finding, its consequences, and its smallest example."""

    paper: str
    listed: tuple[Listing, ...]

    def __iter__(self) -> Iterator[Listing]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)

    def __getitem__(self, at: int) -> Listing:
        return self.listed[at]

    def caption(self) -> str:
        return f"{self.paper}: {len(self)} findings"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each: class, id, title, place, how many claims fail only because of it, and the replay of its smallest example."""
        return [
            {
                "class": each.finding.kind,
                "id": each.finding.id,
                "title": each.finding.entry.title,
                "place": each.finding.entry.place,
                "fails": len(each.follows.fails),
                "replay": each.replay,
            }
            for each in self.listed
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document ``bitreferee/findings/1``."""
        return document(self.listed)


@of_arguments
def findings(paper: str, kind: str | None = None, *, jobs: int = 1) -> Findings:
    """List what is wrong in a paper, the most serious first, as ``verify findings`` does.

    Args:
        paper: its id, such as ``every-bit-counts``.
        kind: only the findings of this class, such as ``wrong``.
        jobs: processes that judge the paper, where its run is not kept from before; a script that asks for several guards its own run
            with ``if __name__ == "__main__"``.

    Raises:
        InputError: no such paper or class.
    """
    from verifier.gate.run import kept_runs

    found = find_paper(paper)
    if found is None:
        raise InputError(f"no paper {paper!r}; there are {', '.join(p.id for p in papers())}")
    if kind not in (None, *CLASSES):
        raise InputError(f"no class {kind!r}; there are {', '.join(CLASSES)}")
    run = kept_runs([found], integer(jobs, "jobs"), silent)[found.id]
    return Findings(found.id, chosen(listings(found, run.results, run.follows), kind))

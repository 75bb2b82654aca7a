"""The page of pictures: where constructions fail, states against inputs, and the pictures that a paper brings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.named_functions import named_function
from verifier.claims.papers import Paper
from verifier.claims.points import points
from verifier.claims.verdicts import Edition
from verifier.errata.listings import Listing
from verifier.judges.editions import edition_instance
from verifier.judges.wording import parameter_text
from verifier.running.errors import InputError, LimitError, UntrustedError, placed
from verifier.running.identifiers import identifier
from verifier.show.own_pages import own_entries
from verifier.show.pictures import failures, states
from verifier.show.pictures.drawing import Drawing
from verifier.show.pictures.states import Reached
from verifier.show.site.finding_pages import Failing
from verifier.show.site.judged import Judged
from verifier.show.site.tables import tables
from verifier.show.site.templates import page
from verifier.transformers.tables import Execution

FILE = "pictures.toml"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture as the file has it. draw: ``module:function`` in the paper's package, without arguments."""

    id: str
    title: str
    says: str
    draw: str


@dataclass(frozen=True)
class OwnPicture:
    """A picture that can be drawn."""

    entry: Entry
    package: str

    def drawn(self) -> Drawing | None:
        """The picture; None where only ``--trust`` would run the Python that draws it.

        Raises:
            InputError: the entry names no function, or one that makes no drawing.
        """
        with placed(f"{FILE}, {self.entry.id}"):
            try:
                made = named_function(self.package, self.entry.draw)()
            except UntrustedError:
                return None
            if not isinstance(made, Drawing):
                raise InputError(f"{self.entry.draw} makes no Drawing")
            return made


def own_pictures(paper: Paper) -> list[OwnPicture]:
    """The pictures of a paper, in the file's order; none where it has no such file.

    Raises:
        InputError: in one line, what is wrong with the file.
    """
    entries = own_entries(paper, FILE, "picture", Entry)
    with placed(FILE):
        return [OwnPicture(entry, paper.package) for entry in entries if identifier(entry.id)]


WIDEST = 8
"""Blocks of more positions are not gone through for a picture."""
MOST_POINTS = 5


def gallery(judged: Judged, maps: Mapping[str, list[Failing]]) -> str:
    """The page; ``maps`` are those of the findings, by finding."""
    return page(
        "pictures.html.jinja",
        f"{judged.folder}/pictures.html",
        "Pictures",
        here=judged,
        maps=[_shown(judged, o, listed) for o in judged.listings if (listed := [m for m in maps[o.finding.id] if m.found.failures])],
        states=_states(judged),
        own=[{"entry": p.entry, "picture": drawn.inside()} for p in own_pictures(judged.paper) if (drawn := p.drawn())],
    )


def _shown(judged: Judged, listing: Listing, listed: list[Failing]) -> dict[str, Any]:
    return {
        "title": listing.finding.entry.title,
        "href": judged.finding_page(listing),
        "pictures": [{"drawn": failures.picture(m.found, m.title, 256).inside(), "says": m.says} for m in listed],
    }


def _states(judged: Judged) -> str | None:
    """The states of the paper's constructions with our errata, at the smallest parameters in the errata's domain."""
    own = [name for name in tables(judged) if name in judged.paper.raw.get("tables", {})]
    series = {name: found for name in own if (found := list(islice(_reached(judged, name), MOST_POINTS)))}
    return states.picture(series, "States that the running sums reach").inside() if series else None


def _reached(judged: Judged, name: str) -> Iterator[Reached]:
    claim = next(c for c in judged.claims.values() if c.table is not None and c.table.name == name and not c.table.without)
    for point in points(claim, {}):
        try:
            source = claim.table.source if claim.table else None
            if claim.outside(point) is not None or (source and source.errata and source.outside_errata(point) is not None):
                continue
            instance = edition_instance(claim, Edition.REPAIRED if claim.table and claim.table.errata else Edition.PRINTED, point)
            if instance.m > 2 * WIDEST:
                return
        except (InputError, LimitError):
            continue
        if not instance.defects and instance.m >= 1:
            execution = Execution(instance, read_semantics("a4"))
            if states.widest(execution) <= WIDEST:
                yield states.reached(execution, parameter_text(instance.parameters))

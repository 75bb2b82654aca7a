"""Rank repairs of equal size by the one that a reader would choose.

A repair serves the author's intention: the author means numbers of the format, the table at every parameter of its domain, and every
reading of the arithmetic that the text supports. So a repair that is right at more parameters beyond those that were checked goes first,
among them those of the file's ``[check]``; then the one with the fewest entries that the precision lacks, then the one that keeps more of
what is said of the construction on the way, then one that is right under more readings, then the one that adds fewer ranges and clauses,
then the one of fewer different slips, then the smaller change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verifier.arithmetic.semantics import Semantics, readings
from verifier.claims.parameters import Parameter
from verifier.claims.points import parse_values
from verifier.networks.record_base import outside_domain
from verifier.repair.proof_sentences import Sentence, kept
from verifier.repair.search import Repair
from verifier.repair.target import Table
from verifier.running.errors import InputError, LimitError

FURTHER = 2
"""How many values of the first parameter beyond those checked are tried."""
MOST_CHECKED = 4
"""How many values of ``[check]`` are tried beside those asked for."""

Advance = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Ranked:
    """A repair with what is known of it beyond the points that were asked for.

    further: the values of the first parameter tried behind those checked, and whether it is right there; survives: the readings under
    which it is right at the first point, of ``readings``; kept: how many sentences are true with it.
    """

    repair: Repair
    further: tuple[tuple[str, int, bool], ...]
    survives: tuple[str, ...]
    readings: int
    lacking: int
    kept: int = 0

    @property
    def key(self) -> tuple[int, ...]:
        """Smaller is better."""
        beyond = sum(right for _, _, right in self.further)
        change = sum(edit.change for edit in self.repair.edits)
        longer = sum(edit.longer for edit in self.repair.edits)
        slips = len({edit.slip for edit in self.repair.edits})  # an author repeats them
        added = sum(edit.adds for edit in self.repair.edits)
        return -beyond, self.lacking, len(self.repair.broken), -self.kept, -len(self.survives), added, slips, change, longer


def ranked(
    subject: Table,
    found: Sequence[Repair],
    sentences: Sequence[Sentence] = (),
    advance: Advance = lambda label, done, total: None,
) -> list[Ranked]:
    """The repairs, the best first; equal ones in the order in which they were found."""
    listed = []
    for number, repair in enumerate(found, 1):
        listed.append(_measured(subject, repair, sentences))
        advance("ranking", number, len(found))
    return sorted(listed, key=lambda each: each.key)


def unranked(repair: Repair) -> Ranked:
    """A repair of which nothing more is known, as where a search was stopped."""
    return Ranked(repair, (), (), 0, 0)


def _measured(subject: Table, repair: Repair, sentences: Sequence[Sentence]) -> Ranked:
    every: list[Semantics] = list(readings(subject.source.file.precision.point))
    survives = tuple(s.label for s in every if subject.right_at(repair.edits, subject.points[0], s))
    further = tuple((name, value, subject.right_at(repair.edits, values, subject.semantics)) for name, value, values in _beyond(subject))
    true = sum(kept(sentences, subject.file(repair.edits)))
    return Ranked(repair, further, survives, len(every), subject.lacking(repair.edits), true)


def _beyond(subject: Table) -> list[tuple[str, int, dict[str, int]]]:
    """The values of the first parameter that ``[check]`` names and the two after the largest that was asked for, within the domain.

    The parameters with a default are at their default.
    """
    file = subject.source.file
    name = next(iter(file.parameters), None)
    if name is None:
        return []
    largest = max(subject.given, key=lambda given: given.get(name, 0))
    if name not in largest:
        return []
    try:
        checked = [value for value in parse_values(str(file.check[name]), Parameter(name, "", "")) if isinstance(value, int)]
    except (KeyError, InputError, LimitError):
        checked = []
    asked = {given.get(name) for given in subject.given}
    found = []
    for value in dict.fromkeys([*checked[:MOST_CHECKED], *(largest[name] + by for by in range(1, FURTHER + 1))]):
        values = subject.complete({**largest, name: value})
        if value not in asked and outside_domain(file, values) is None:
            found.append((name, value, values))
    return found

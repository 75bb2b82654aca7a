"""A summary of a paper from a run: the sentences of its letter, its main results, its findings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import msgspec

from verifier.claims.papers import Paper
from verifier.errata.findings import CLASSES, SERIOUS
from verifier.errata.listings import Listing
from verifier.gate.run import Run, main_claims
from verifier.gate.standing import Standing, counted
from verifier.networks.files import read_toml
from verifier.running.errors import InputError, placed
from verifier.show.facts import SLOT, Facts, NotJudgedError, number

FILE = "letter.toml"


class Sentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence that says something of a verdict. needs: facts that it rests on and does not print, as in a slot."""

    says: str
    needs: list[str] = []


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: Annotated[str, msgspec.Meta(min_length=1)]
    claims: Annotated[str, msgspec.Meta(min_length=1)]
    holds: list[Sentence]
    fails: list[Sentence] = []
    repaired: list[Sentence] = []
    open: list[Sentence] = []


@dataclass(frozen=True)
class Letter:
    """about: the paper in a sentence; claims: its main claims; the rest: what a run says of them, sentence by sentence."""

    about: str = ""
    claims: str = ""
    holds: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The summary without what the paper claims."""
        return (*self.holds, *self.fails, *self.repaired, *self.open)


def read_letter(paper: Paper) -> _File | None:
    """The file; None where the paper has none.

    Raises:
        InputError: what is wrong with it, such as a sentence on verdicts that asks no fact.
    """
    path = paper.folder / FILE
    if not path.is_file():
        return None
    with placed(FILE):
        try:
            made = msgspec.convert(read_toml(path), _File)
        except msgspec.ValidationError as error:
            raise InputError(str(error).replace("`", "'")) from None
        for sentence in (*made.holds, *made.fails, *made.repaired, *made.open):
            if not sentence.needs and not SLOT.search(sentence.says):
                raise InputError(f"{sentence.says[:60]!r} asks no fact; a slot or needs was expected")
    return made


def letter(facts: Facts) -> Letter:
    """The letter of a paper with its slots filled; empty where the paper has no such file.

    Raises:
        InputError: a slot that cannot be computed, or that the run does not bear out.
    """
    made = read_letter(facts.paper)
    if made is None:
        return Letter()
    with placed(f"{facts.paper.id}, {FILE}"):
        parts = {name: tuple(_told(facts, getattr(made, name))) for name in ("holds", "fails", "repaired", "open")}
        return Letter(" ".join(made.about.split()), " ".join(made.claims.split()), **parts)


def _told(facts: Facts, sentences: list[Sentence]) -> list[str]:
    said = []
    for sentence in sentences:
        try:
            for need in sentence.needs:
                facts.fact(need)
            said.append(facts.filled(sentence.says))
        except NotJudgedError:
            continue
    return said


TITLES = (("What holds.", "holds"), ("What does not.", "fails"), ("After correction.", "repaired"), ("What stays open.", "open"))
"""The parts of a letter, as pages begin them."""


@dataclass(frozen=True, eq=False)
class Summary:
    """A paper with its run, as its first page, its letter and the screen begin."""

    paper: Paper
    run: Run

    @cached_property
    def facts(self) -> Facts:
        return Facts(self.paper, self.run)

    @cached_property
    def letter(self) -> Letter:
        return letter(self.facts)

    @cached_property
    def results(self) -> list[Standing]:
        """The standing of every main result, in the paper's order."""
        return [self.facts.standing(claim) for claim in main_claims(self.paper)]

    @property
    def listings(self) -> tuple[Listing, ...]:
        return self.facts.listings

    @cached_property
    def statuses(self) -> dict[str, int]:
        """How many questions of the main results stand how."""
        return counted(self.results)

    @cached_property
    def classes(self) -> dict[str, int]:
        """How many findings of each class there are."""
        counts = Counter(listing.finding.kind for listing in self.listings)
        return {kind: counts[kind] for kind in CLASSES}

    @property
    def told(self) -> list[tuple[str, tuple[str, ...]]]:
        """The summary part by part, each with its title; parts that say nothing are left out."""
        if not self.letter.holds:
            return [("In short.", self.in_short)]
        return [(title, said) for title, part in TITLES if (said := getattr(self.letter, part))]

    @property
    def in_short(self) -> tuple[str, ...]:
        """The verdicts in sentences: those of the letter, or, where the paper has none, what can be counted."""
        return self.letter.verdicts or (self.counted,)

    @property
    def counted(self) -> str:
        """How many questions stand how, and how many findings there are."""
        stand = ", ".join(f"{count} {status}" for status, count in self.statuses.items() if count)
        found = ", ".join(f"{self.classes[kind]} {kind}" for kind in SERIOUS if self.classes[kind])
        misprints = self.classes["misprint"]
        found = found or (f"none, the paper holds but for misprints ({misprints})" if misprints else "")
        lesser = sum(self.classes[kind] for kind in CLASSES if kind not in SERIOUS)
        return (
            f"Questions of the main results: {stand or 'none'}. Serious findings: {found or 'none'}. "
            f"{number(lesser).capitalize()} smaller finding{'' if lesser == 1 else 's'}."
        )

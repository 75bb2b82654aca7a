"""A paper with its run, the one record from which every page, letter and screen is made; and the sentences of its letter.

The slots of a sentence are facts of a run in words: ``{true lemma-2.6}`` becomes ``p = 2..8``. A sentence with a slot that the run does not
confirm is an error, so the letter cannot outlive the results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated

import msgspec

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.records import Table
from verifier.claims.verdicts import KERNEL, Edition, Verdict
from verifier.errata.findings import CLASSES, SERIOUS, SLOT
from verifier.errata.listings import Listing, unexplained
from verifier.gate.point_sets import points_texts
from verifier.gate.run import Run, kept_runs, main_claims
from verifier.gate.standing import SYMBOLS, Known, Question, Standing, counted, inside, leading, ranges_of, spoken
from verifier.running.errors import InputError, placed
from verifier.running.grouping import grouped
from verifier.running.limits import Advance
from verifier.show.answers import smallest
from verifier.show.own_pages import own_file
from verifier.show.theorems import linked_theorems
from verifier.show.verdict_words import titled

TITLES = (("What holds.", "holds"), ("What does not.", "fails"), ("After correction.", "repaired"), ("What stays open.", "open"))
"""The parts of a letter, as pages begin them."""
UNEXPLAINED = "Refuted and without a finding."


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

    @property
    def proved(self) -> int:
        """The number of questions of the main results that are true by a proof, and not only at the parameters that were judged."""
        true = {(q.says, q.claim.id): q.answers for each in self.main for q in each.questions if q.status == "true"}
        return sum(all(any(p.by in (KERNEL, SYMBOLS) or not p.where for p in a.parts) for a in answers) for answers in true.values())

    @cached_property
    def classes(self) -> dict[str, int]:
        """The number of findings of each class."""
        counts = Counter(listing.finding.kind for listing in self.listings)
        return {kind: counts[kind] for kind in CLASSES}

    @property
    def told(self) -> list[tuple[str, tuple[str, ...]]]:
        """The summary part by part, each with its title; the counts if the paper has none."""
        parts = [(title, said) for title, part in TITLES if (said := getattr(self.letter, part))]
        return (parts or [("In short.", (self.counted,))]) + ([(UNEXPLAINED, (self.unexplained,))] if self.unexplained else [])

    @cached_property
    def unexplained(self) -> str:
        """The claims that are refuted where no finding says why, each with these points; empty if every refutation has a finding."""
        said = []
        for claim, points in unexplained(self.paper, self.listings, self.run.results):
            every = list({tuple(r.parameters.items()): r for r in self.run.results[claim.id]}.values())
            at = "; ".join(points_texts(claim, [r for r in every if r.parameters in points], every))
            said.append(f"{titled(claim.name)} ({spoken(at)})" if at else titled(claim.name))
        return f"{'; '.join(said)}." if said else ""

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


FILE = "letter.toml"
WORDS = {"true": Verdict.VERIFIED, "false": Verdict.REFUTED, "open": Verdict.OPEN, "conditional": Verdict.CONDITIONAL}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Sentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence about a verdict. needs: facts on which it rests and that it does not print, as in a slot."""

    says: str
    needs: list[str] = []


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: Annotated[str, msgspec.Meta(min_length=1)]
    claims: Annotated[str, msgspec.Meta(min_length=1)]
    holds: list[Sentence]
    fails: list[Sentence] = []
    repaired: list[Sentence] = []
    open: list[Sentence] = []
    check: list[Sentence] = []
    symbols: str = ""


@dataclass(frozen=True)
class Letter:
    """about: the paper in a sentence; claims: its main claims; symbols: the meaning of the letters in its main results; check: how to check
    a point without the program; the other fields: the results of a run, sentence by sentence.
    """

    about: str = ""
    claims: str = ""
    symbols: str = ""
    holds: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    check: tuple[str, ...] = ()


class NotJudgedError(Exception):
    """The run has no result of the claim of a sentence: the sentence is left out."""


def read_letter(paper: Paper) -> _File | None:
    """The file, or None if the paper has none.

    Raises:
        InputError: a mistake in the file, such as a sentence on verdicts that states no fact.
    """
    made = own_file(paper, FILE, _File)
    for sentence in (*made.holds, *made.fails, *made.repaired, *made.open, *made.check) if made is not None else ():
        if not sentence.needs and not SLOT.search(sentence.says):
            raise InputError(f"{_at(paper, sentence)}: {sentence.says[:60]!r} states no fact; a fact in braces or in needs was expected")
    return made


def letter(judged: Known) -> Letter:
    """The letter of a paper with its slots filled. The letter is empty if the paper has no ``letter.toml``.

    Raises:
        InputError: a slot that cannot be computed, or that the run does not bear out.
    """
    made = read_letter(judged.paper)
    if made is None:
        return Letter()
    about, claims, symbols = (" ".join(text.split()) for text in (made.about, made.claims, made.symbols))
    parts = (made.holds, made.fails, made.repaired, made.open, made.check)
    return Letter(about, claims, symbols, *(tuple(_told(judged, part)) for part in parts))


def _at(paper: Paper, sentence: Sentence) -> str:
    """The file and the line of a sentence."""
    lines = (paper.folder / FILE).read_text(encoding="utf-8").splitlines()
    begins = (sentence.says.strip() or FILE)[:20]
    return f"{paper.folder / FILE}:{next((number for number, line in enumerate(lines, 1) if begins in line), 1)}"


def _told(judged: Known, sentences: list[Sentence]) -> list[str]:
    said = []
    for sentence in sentences:
        with suppress(NotJudgedError), placed(_at(judged.paper, sentence)):
            for need in sentence.needs:
                fact(judged, need)
            said.append(filled(judged, sentence.says))
    return said


def filled(judged: Known, text: str) -> str:
    """The sentence with its slots filled.

    Raises:
        InputError: a slot that cannot be computed, or that the run does not bear out.
        NotJudgedError: the run has no result of what it asks about.
    """
    return SLOT.sub(lambda found: fact(judged, found[1]), " ".join(text.split()))


def fact(judged: Known, asked: str) -> str:
    """One slot.

    * ``true CLAIM``, ``false CLAIM``, ``open CLAIM``, ``conditional CLAIM``: the meant parameters with this verdict, or the range of a
      theorem; an error if none has, and where a claim that is true by a theorem is called open.
    * ``only true CLAIM``: the same, and an error where a meant parameter has another verdict; where there is no parameter, nothing.
    * Any of them may end with ``printed`` or ``repaired`` and with ``in READING``.
    * ``proved CLAIM``: nothing, and an error unless its file links a theorem of a kernel that proves it for all parameters.
    * ``undecided CLAIM``: nothing, and an error where a verdict or a theorem decides it.
    * ``smallest FINDING NAME``: a value of its counterexample.
    """
    words = asked.split()
    claims = {claim.name: claim for claim in judged.paper}
    match words:
        case ["proved", name]:
            if all(theorem.refutes for theorem in linked_theorems([claims[name]] if name in claims else [])):
                raise InputError(f"{{{asked}}}: no theorem of a proof folder proves it")
            return ""
        case ["undecided", name]:
            if name not in claims:
                raise InputError(f"{{{asked}}}: a claim of the paper was expected")
            if (status := judged.standing(claims[name]).status) not in ("open", "not judged"):
                raise InputError(f"{{{asked}}}: {name} is {status}")
            return ""
        case ["smallest", finding, value]:
            listing = next((o for o in judged.listings if o.finding.entry.id == finding), None)
            found = (listing.counterexample or {}) if listing else {}
            if listing and not found and not any(judged.run.results.get(claim.id) for claim in listing.finding.about):
                raise NotJudgedError
            if value not in found:
                raise InputError(f"{{{asked}}}: the finding has no such value; it has {', '.join(found) or 'none'}")
            return found[value]
        case ["only", *rest] if rest:
            return _points(judged, asked, rest, only=True)
        case _:
            return _points(judged, asked, words)


def _points(judged: Known, asked: str, words: Sequence[str], only: bool = False) -> str:
    left = list(words)
    reading = left.pop() if left[-2:-1] == ["in"] else None
    if reading:
        left.pop()
    if reading not in (None, *judged.paper.readings):
        raise InputError(f"no reading {reading!r}; the readings are {', '.join(judged.paper.readings)}")
    edition = Edition(left.pop()) if left[-1] in ("printed", "repaired") else Edition.STATEMENT
    claim = next((claim for claim in judged.paper if left[1:] == [claim.name]), None)
    if claim is None or left[0] not in WORDS:
        raise InputError(f"{{{asked}}}: a verdict and a claim of the paper were expected, such as {{true lemma-1}}")
    if left[0] == "open" and edition is Edition.STATEMENT and judged.standing(claim).status == "true":
        raise InputError(f"{{{asked}}}: {claim.name} is true")
    meant = inside(claim, judged.results(claim, edition, reading))
    if not meant:
        raise NotJudgedError(claim.id)
    found = [r for r in meant if r.verdict is WORDS[left[0]]]
    if not found or (only and len(found) < len(meant)):
        raise InputError(f"{{{asked}}}: {claim.name} is {', '.join(dict.fromkeys(r.verdict.value for r in meant))}")
    if edition is not Edition.STATEMENT or left[0] not in ("true", "false"):
        return spoken("; ".join(points_texts(claim, found, meant)))
    semantics = read_semantics(reading or next(iter(judged.paper.readings)))
    theorems, found = leading(claim, semantics, found)
    ranges = ranges_of([theorem for theorem in theorems if theorem.refutes == (left[0] == "false")])
    return spoken("; ".join([*ranges, *(points_texts(claim, found, meant) if found else ())]))


def number(count: int) -> str:
    """A number, up to twelve in words."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)

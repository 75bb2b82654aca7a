"""The sentences of a paper's letter, and their slots: facts of a run in words. ``{true lemma-2.6}`` becomes ``p = 2..8``.

A sentence with a slot that the run does not confirm is an error, so the letter cannot outlive the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import msgspec

from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.findings import SLOT
from verifier.gate.point_sets import points_texts
from verifier.gate.standing import Known, inside, spoken
from verifier.running.errors import InputError, placed
from verifier.show.own_pages import own_file
from verifier.show.theorems import linked_theorems

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
    symbols: str = ""


@dataclass(frozen=True)
class Letter:
    """about: the paper in a sentence; claims: its main claims; symbols: the meaning of the letters in its main results; the other fields:
    the results of a run, sentence by sentence.
    """

    about: str = ""
    claims: str = ""
    symbols: str = ""
    holds: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()
    open: tuple[str, ...] = ()


class NotJudgedError(Exception):
    """The run has no result of the claim of a sentence: the sentence is left out."""


def read_letter(paper: Paper) -> _File | None:
    """The file, or None if the paper has none.

    Raises:
        InputError: a mistake in the file, such as a sentence on verdicts that states no fact.
    """
    made = own_file(paper, FILE, _File)
    for sentence in (*made.holds, *made.fails, *made.repaired, *made.open) if made is not None else ():
        if not sentence.needs and not SLOT.search(sentence.says):
            raise InputError(f"{_at(paper, sentence)}: {sentence.says[:60]!r} states no fact; a fact in braces or in needs was expected")
    return made


def letter(judged: Known) -> Letter:
    """The letter of a paper with its slots filled, or empty if the paper has no such file.

    Raises:
        InputError: a slot that cannot be computed, or that the run does not bear out.
    """
    made = read_letter(judged.paper)
    if made is None:
        return Letter()
    about, claims, symbols = (" ".join(text.split()) for text in (made.about, made.claims, made.symbols))
    return Letter(about, claims, symbols, *(tuple(_told(judged, part)) for part in (made.holds, made.fails, made.repaired, made.open)))


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

    * ``true CLAIM``, ``false CLAIM``, ``open CLAIM``, ``conditional CLAIM``: the meant parameters with this verdict; an error if none has,
      and where a claim that is true by a theorem is called open.
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
    return spoken("; ".join(points_texts(claim, found, meant)))


def number(count: int) -> str:
    """A number, up to twelve in words."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)

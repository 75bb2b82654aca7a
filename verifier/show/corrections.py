"""Errata in words: where the paper changes, what to read for what, and why, without addresses of files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import msgspec

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.records import Erratum, Fields
from verifier.claims.verdicts import Edition
from verifier.errata.by_name import DOMAIN, claim_errata
from verifier.errata.findings import Finding
from verifier.language.syntax import parse
from verifier.language.tree import Comparison, Numeral, Operation, Signed, words_in
from verifier.running.errors import InputError
from verifier.running.grouping import grouped
from verifier.show.notation.formulas import of_formula
from verifier.show.notation.plain import notation
from verifier.show.own_pages import own_file
from verifier.show.verdict_words import titled

FILE = "corrections.toml"
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
FIELDS = {
    "holds": "the assertion",
    "is": "the value",
    "of": "the quantity",
    "left": "the left side",
    "right": "the right side",
    "where": "the domain",
    "each": "the range",
    "let": "with",
    "says": "the sentence",
}
WEIGHTS = {"query": "W^Q", "key": "W^K", "value": "W^V"}
SHORT = 48
"""The longest formula, in characters, that a row shows."""


class _Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"printed": "for"}):
    """One correction: the words to read in place of the printed ones."""

    read: str
    printed: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    told: dict[str, str] = msgspec.field(default_factory=dict, name="in-words")
    read: dict[str, _Reading] = {}

    def words(self, name: str) -> tuple[str, tuple[str, str]]:
        """An erratum in a sentence, and what is read for what where that is all of it, or empty if the file does not name it."""
        if name in self.read:
            found = self.read[name]
            return f"Read {found.read} for {found.printed}.", (found.read, found.printed)
        return self.told.get(name, ""), ("", "")


@dataclass(frozen=True)
class Correction:
    """One change, or several of one reason. at: the first one's name, for a link; in_words: as the author of the erratum puts it;
    read: what to read for what, where that is all.
    """

    at: str
    places: tuple[str, ...]
    printed: str
    repaired: str
    why: str
    in_words: str
    read: tuple[str, str] = ("", "")

    @property
    def row(self) -> tuple[str, str]:
        """``(-(h - 2), -(h - 1))``: what to read, and for what. If the change is not a pair of texts, a sentence and an empty text."""
        if self.read[0]:
            return self.read
        if self.short and self.entry and not self.in_words:
            return written(self.repaired), written(self.printed)
        return self.said, ""

    def row_for(self, printed: str) -> tuple[str, str]:
        """The row, completed by the printed text of its finding or by its own printed side if it has only a sentence."""
        read, instead = self.row
        if instead or printed or len(self.printed) > SHORT:
            return read, instead or printed
        return written(self.repaired) if self.short and not self.in_words else read, written(self.printed)

    @property
    def place(self) -> str:
        """``Table 6, step 1, bit 0, second entry; step 1, bit 1``: what all places share is named once."""
        listed = [place.split(", ") for place in dict.fromkeys(self.places)]
        shared = [part for part in listed[0] if all(part in place for place in listed)]
        return "; ".join(", ".join(p for p in place if place is listed[0] or p not in shared) for place in listed)

    @property
    def short(self) -> bool:
        """Whether both sides fit a row, and are entries or formulas."""
        return max(len(self.printed), len(self.repaired)) <= SHORT and (self.entry or all(map(_mathematics, (self.printed, self.repaired))))

    @property
    def said(self) -> str:
        """The correction as a sentence."""
        if self.in_words:
            return self.in_words
        if self.short and self.entry:
            return f"{self.place}: read `{written(self.repaired)}` for `{written(self.printed)}`."
        return f"{self.why[:1].upper()}{self.why[1:]}."

    @property
    def line(self) -> str:
        """The change in a line for a screen: the place, the printed and the corrected text, and why."""
        if self.in_words:
            return f"{self.in_words.rstrip('.')}: {self.why}."
        if self.short:
            return f"{self.place}: read {written(self.repaired)} for {written(self.printed)}; {self.why}."
        return f"{self.place}: {self.why}."

    @property
    def formulas(self) -> bool:
        """Whether both sides are formulas, which a page shows even if they are long."""
        return all(map(_formulas, (self.printed, self.repaired)))

    @property
    def entry(self) -> bool:
        """Whether it changes an entry of a printed table, which a reader finds on the page."""
        return "/" in self.at


def corrections(paper: Paper, finding: Finding, among: Collection[str] = ()) -> list[Correction]:
    """The errata of a finding; errata with the same change and reason form one correction. among: those of these names, if some are."""
    named = {at for at in finding.errata if at in among} or finding.errata
    made = [_correction(paper, at, at, erratum) for at, erratum in finding.errata.items() if at in named]
    groups = grouped(((each.printed, each.repaired, each.why, each.in_words, each.read), each) for each in made)
    return [replace(alike[0], places=tuple(place for each in alike for place in each.places)) for alike in groups.values()]


class Row(NamedTuple):
    """One change. replaces: whether ``read`` is the text to print, or else a sentence that says what to change."""

    where: str
    read: str
    instead: str
    replaces: bool = False


def correction_rows(paper: Paper, finding: Finding, among: Collection[str] = ()) -> list[Row]:
    """Rows of where, what to read, and for what: one for each correction, or the finding's sentence if some have no printed text."""
    entry, made = finding.entry, corrections(paper, finding, among)
    if entry.correction and not (made and all(c.row[1] for c in made)):
        return [Row(entry.place, " ".join(entry.correction.split()), entry.printed)]
    told = [c for c in made if c.in_words or (c.short and c.entry)] or made[:1]
    texts = [(c, *c.row_for(entry.printed)) for c in told]
    rows = [Row(c.place if c.entry else entry.place, read, instead, read != c.said) for c, read, instead in texts]
    return list(dict.fromkeys(rows)) or [Row(entry.place, f"(no correction is given) {entry.title}", entry.printed)]


def corrections_of(paper: Paper, claim: Claim) -> list[Correction]:
    """The errata of one claim, as its page shows them."""
    return [_correction(paper, name, claim.name, erratum) for name, erratum in zip(claim_errata(claim), claim.errata, strict=False)]


def _correction(paper: Paper, name: str, at: str, erratum: Erratum) -> Correction:
    """An erratum, of this name in the paper's ``corrections.toml``."""
    said, read = in_words(paper).words(name)
    sides = _told(erratum.before), _told(erratum.after)
    return Correction(at, tuple(places(paper, at, erratum)), *sides, erratum.why, erratum.in_words or said, read)


def corrected_domain(claim: Claim) -> str:
    """``p >= 7 and n > 4*p + 1``: the parameters that a claim's corrections are for, or empty if they are for all."""
    if claim.table is not None and claim.table.errata and claim.table.source.errata is not None:
        return claim.table.source.errata.domain
    if claim.repaired is None:
        return ""
    own = {p.name: p.where for p in claim.parameters}
    changed = [p.where for p in claim.repaired.parameters if p.where != own.get(p.name)]
    return " and ".join([*changed, *([claim.repaired.where] if claim.repaired.where and claim.repaired.where != claim.where else [])])


def needed_by_corrections(claim: Claim, point: Mapping[str, int]) -> str:
    """``our corrected table needs p >= 7``; empty at a point that the corrections cover, or without corrections."""
    source = claim.table.source if claim.table is not None and claim.table.errata else None
    outside = source.outside_errata(point) if source is not None else claim.of_edition(Edition.REPAIRED).outside(point)
    domain = corrected_domain(claim) if outside else ""
    return f"our corrected {'proof' if claim.table is None else 'table'} needs {domain}" if domain else ""


@lru_cache(maxsize=16)
def in_words(paper: Paper) -> _File:
    """The paper's ``corrections.toml``: what an author would change, by the erratum's name, or empty if it has none.

    Raises:
        InputError: what is wrong with the file.
    """
    return own_file(paper, FILE, _File) or _File()


def places(paper: Paper, at: str, erratum: Erratum) -> Iterator[str]:
    """The places on the paper's page that an erratum of this name changes."""
    table, slash, name = at.partition("/")
    if not slash:
        owner = at.partition("#")[0]
        claim = next((c for c in paper if c.name == owner), None)
        yield claim.place if claim is not None else titled(owner)
    elif not erratum.places:
        yield f"{titled(table)}, {'the parameters that it is for' if name == DOMAIN else 'the promise'}"
    else:
        for address in erratum.places:
            yield f"{titled(table)}, {entry_words(address)}"


def entry_words(address: str) -> str:
    """``step 1, bit 0, second entry`` for ``row.1.zero.2``."""
    match address.split("."):
        case ["row", step, "i"]:
            return f"step {step}, its tokens"
        case ["row", step, ("zero" | "one") as bit, entry]:
            return f"step {step}, bit {'0' if bit == 'zero' else '1'}, {_nth(entry)} entry"
        case ["row", step, *_]:
            return f"step {step}"
        case ["weights", matrix, "matrix", row, column]:
            return f"{WEIGHTS.get(matrix, matrix)}, row {row}, column {column}"
        case ["weights", matrix, *_]:
            return WEIGHTS.get(matrix, matrix)
        case ["mlp", "hidden", node, "bias"]:
            return f"MLP, {_nth(node)} hidden node, its bias"
        case ["mlp", "hidden", node, "weights", entry]:
            return f"MLP, {_nth(node)} hidden node, {_nth(entry)} weight"
        case ["mlp", "hidden", node, *_]:
            return f"MLP, {_nth(node)} hidden node"
        case ["mlp", "output", "bias"]:
            return "MLP, the bias of its output"
        case ["mlp", "output", *rest]:
            return f"MLP, the {_nth(rest[-1]) + ' weight' if rest[-1:] and rest[-1].isdigit() else 'weights'} of its output"
        case ["input", clause, "i"]:
            return f"input representation, {_nth(clause)} clause, its tokens"
        case ["input", clause, *_]:
            return f"input representation, {_nth(clause)} clause"
        case ["let", name, *_]:
            return f"the definition of {name}"
        case _:
            return address.replace(".", " ")


def _formulas(text: str) -> bool:
    """Whether a text consists of formulas only."""
    try:
        for part in text.split("; "):
            parse(part)
    except InputError:
        return False
    return not re.search(r"[A-Za-z]+_[A-Za-z]{3,}|\b(?:True|False)\b|['\"]", text)


def _mathematics(text: str) -> bool:
    """Whether a text is a formula of the paper, without words of a statement file."""
    try:
        node = parse(text)
    except InputError:
        return False
    return isinstance(node, Numeral | Signed | Operation | Comparison) and all(len(word) == 1 or "_" in word for word in words_in(node))


def _nth(number: str) -> str:
    return ORDINALS[int(number) - 1] if number.isdigit() and 1 <= int(number) <= len(ORDINALS) else f"{number}th"


def _told(side: Fields) -> str:
    """An erratum's side, with the names of its fields in words."""
    return "; ".join(f"{FIELDS.get(name, name)}: {text}" if name else text for name, text in side)


def written(text: str) -> str:
    """A formula as a line of text; any other text is unchanged."""
    try:
        return notation(of_formula(parse(text)))
    except InputError:
        return text

"""A referee's letter on a paper: the sentences of the paper's ``letter.toml``, with slots that the run fills."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from verifier.claims.papers import Paper
from verifier.networks.files import read_toml
from verifier.running.errors import InputError, placed
from verifier.show.facts import SLOT, Facts, NotJudgedError

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

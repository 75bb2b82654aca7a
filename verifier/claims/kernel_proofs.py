"""Compare the theorems that a claim's file names in ``proof`` with the claim: a theorem about something else decides nothing.

A theorem decides a claim in one reading of the arithmetic and in one part of its domain. The proposition gives the range, the readings,
whether the theorem refutes the claim, and the facts about the problem (strings, promise, input, bits). These facts must equal those of the
claim's table or fields, and the domain that the link names must lie in the range. A digest covers the proposition, its definitions and the
link: after a change nothing is decided until somebody has compared them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.file_records import ProofEntry
from verifier.claims.model import Claim
from verifier.claims.papers import find_paper
from verifier.claims.verdicts import Edition
from verifier.kernel.answer_cache import Word, digest_of_sources, word
from verifier.kernel.folders import FILE, Meaning, ProofFolder, Theorem, read_folder
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.language.printer import printed
from verifier.language.syntax import parse
from verifier.language.tree import Comparison, Name, Node
from verifier.proofs.domain import conjuncts
from verifier.running.errors import InputError
from verifier.running.results import ROOT

if TYPE_CHECKING:
    from verifier.kernel.definitions import Definitions
    from verifier.kernel.propositions import Proposition

TEXTS = frozenset({"function", "promise", "representation", "table"})
"""The parts of a problem that a theorem gives in words. It gives the others as formulas."""


@dataclass(frozen=True)
class Decided:
    """A theorem with the part of a claim's domain in which it decides. where: this part, in the claim's parameters."""

    claim: Claim
    proof: ProofEntry
    theorem: Theorem
    folder: ProofFolder
    meaning: Meaning
    proposition: Proposition

    @cached_property
    def range(self) -> str:
        """The proposition's hypotheses on the variables that the claim has or gives a value."""
        return self.proposition.range({p.name for p in self.claim.parameters} | self.proof.at.keys())

    @cached_property
    def refutes(self) -> bool:
        """Whether the theorem says that fewer bits suffice than the claim allows."""
        excluded = "fewer" in self.claim.fields and "bits" not in self.claim.fields
        return excluded and "bits" in self.meaning.about and "fewer" not in self.meaning.about

    @property
    def where(self) -> str:
        """The part of the domain, as the claim's file or the proposition says it."""
        return self.proof.where or self.range

    @property
    def condition(self) -> Node:
        """The part of the domain as a formula in the claim's parameters."""
        return inlined_text(self.where, self.proof.at)

    @property
    def hypotheses(self) -> Node:
        """The range of the theorem, in the claim's parameters."""
        return inlined_text(self.range or "0 == 0", self.proof.at)

    @cached_property
    def word(self) -> Word:
        """The kernel's verdict on the theorem, on this machine."""
        return word(self.folder, self.theorem.name)

    @property
    def counts(self) -> bool:
        """Whether the theorem decides: the kernel accepts it here, or was not asked here and accepted these sources when this version was
        made."""
        return self.shipped if self.word.accepted is None else self.word.accepted

    @property
    def shipped(self) -> bool:
        """Whether the kernel accepted these sources when this version was made; Coq is not asked whether it does here."""
        ships = ROOT / "constructions" in self.folder.folder.resolve().parents
        return ships and self.folder.listing.accepted == _sources(self.folder)

    @property
    def named(self) -> str:
        """``theorem both_halves of SplitTheorem.v``; with ``…, given the mean value theorem`` if it assumes one."""
        given = f", given {self.meaning.given}" if self.meaning.given else ""
        return f"theorem {self.theorem.name} of {self.theorem.file}.v{given}"

    @property
    def sentence(self) -> str:
        """``every p >= 3 (Coq 8.16.1, theorem both_halves of SplitTheorem.v)``."""
        return f"{self.ranges} ({self.word.kernel}, {self.named})"

    @property
    def ranges(self) -> str:
        """``every p >= 3 and n >= 4*p + 2``; ``p = 2 and every n >= 4*p + 2`` where a parameter has one value."""
        parts = list(conjuncts(parse(self.where)))
        fixed = [part for part in parts if isinstance(part, Comparison) and part.operators == ("==",)]
        said = [f"{tight(part.left)} = {tight(part.others[0])}" for part in fixed]
        free = " and ".join(tight(part) for part in parts if part not in fixed)
        return " and ".join([*said, *([f"every {free}"] if free else [])])

    @property
    def stated(self) -> str:
        """The sentence as :attr:`sentence`, with the Coq version for which the proofs are written, whatever is installed here."""
        return f"{self.ranges} ({self.folder.listing.checked_by}, {self.named})"

    def covers(self, values: Mapping[str, int]) -> bool:
        """Whether the theorem decides the claim at these values, which its hypotheses must cover.

        Raises:
            InputError: the claim's file states more than the theorem at these values.
        """
        names = _exact(values)
        inside = exact.truth(self.condition, names)
        if inside and not exact.truth(self.hypotheses, names):
            raise InputError(f"{self.claim.name}: proof: {self.named} does not cover {dict(values)}")
        if inside:
            self._agree(values)
        return inside

    def _agree(self, values: Mapping[str, int]) -> None:
        """Check that the theorem's facts about the problem equal the claim's at these values.

        Raises:
            InputError: it is something else.
        """
        for key, wanted in self.meaning.fields.items():
            if (found := self.claim.fields.get(key, "")) != wanted:
                raise InputError(f"{self.claim.name}: proof: {self.named} has {key} {wanted!r}, the claim {found!r}")
        names = _exact(values)
        for key, said in _of_the_claim(self.claim, Edition(self.proof.edition), values).items():
            by_fewer = self.refutes and key == "fewer"
            about = self.meaning.about.get("bits" if by_fewer else key)
            if about is None:
                continue
            expected = about if key in TEXTS else str(exact.integer(inlined_text(about, self.proof.at), names))
            if said != expected and not (by_fewer and int(expected) <= int(said)):
                raise InputError(f"{self.claim.name}: proof: {self.named} has {key} {expected}, the claim {said} at {dict(values)}")


def _of_the_claim(claim: Claim, edition: Edition, values: Mapping[str, int]) -> dict[str, str]:
    """The facts about the problem by name: from the table if the claim is that it computes its function, else from the claim's fields."""
    of_table = claim.table is not None and claim.table.claim in (None, claim.id) and not claim.fields
    if claim.table is not None and (of_table or claim.witness):
        from verifier.judges.editions import edition_instance

        instance = edition_instance(claim, Edition.REPAIRED if edition is Edition.REPAIRED else Edition.PRINTED, values)
        problem = instance.problem
        said = {"function": str(problem.function), "promise": str(problem.promise), "length": str(instance.m), "bits": str(instance.bits)}
        with_errata = f"{claim.table.name} with its errata" if edition is Edition.REPAIRED else claim.table.name
        return said if claim.witness else {**said, "table": with_errata}
    names = _exact(values)
    formulas = {key: inlined_text(str(claim.fields[key]), claim.lets) for key in ("length", "bits", "fewer") if key in claim.fields}
    said = {key: str(exact.integer(formula, names)) for key, formula in formulas.items()}
    return said | {key: str(claim.fields[key]) for key in TEXTS if key in claim.fields}


def deciding(claim: Claim, edition: Edition, semantics: Semantics, whole: bool = True) -> Iterator[Decided]:
    """The theorems that decide a claim in an edition and a reading; for a result of ours, and for a numbered display without
    argument steps and errata, they decide every edition.

    whole: as for :func:`linked`.

    Raises:
        InputError: as :func:`linked`.
    """
    display = claim.name.startswith("equation-") and claim.role is None and not claim.arguments and not claim.errata
    for proof in claim.proofs:
        if edition.value != proof.edition and not ((claim.ours or display) and proof.edition == Edition.STATEMENT.value):
            continue
        found = linked(claim, proof, whole)
        if not claim.bounded or any(_same(semantics, read_semantics(name)) for name in found.meaning.readings):
            yield found


def linked(claim: Claim, proof: ProofEntry, whole: bool = True) -> Decided:
    """The theorem that a claim's file names.

    whole: whether symbols prove that the domain that the link names lies in the theorem's range; :meth:`Decided.covers` checks it at a
    point without that.

    Raises:
        InputError: it does not exist, has another file or kernel, or differs from the claim.
    """
    paper = find_paper(claim.paper)
    folder = None if paper is None else _folder(paper.id, paper.folder / "proofs")
    theorem = folder.theorem(proof.theorem) if folder else None
    if folder is None or theorem is None:
        raise InputError(f"{claim.name}: proof: no theorem {proof.theorem!r} in the paper's proofs/{FILE}")
    if (proof.file, proof.kernel) != (theorem.file, folder.listing.kernel):
        raise InputError(f"{claim.name}: proof: {proof.theorem} is in {theorem.file}.v, checked by {folder.listing.kernel}")
    assert paper is not None
    statement = claim.id.partition("/")[2].partition(":")[0]
    said = _compared(paper.id, paper.folder / "proofs", theorem.name, statement)
    if isinstance(said, str):
        raise InputError(f"{claim.name}: proof: {said}")
    found = Decided(claim, proof, theorem, folder, *said)
    if claim.bounded and not found.meaning.readings:
        raise InputError(f"{claim.name}: proof: {proof.theorem} fixes its own arithmetic, but the claim depends on a reading")
    if whole:
        _within(found)
    return found


@lru_cache(maxsize=256)
def _compared(paper: str, place: Path, name: str, statement: str) -> tuple[Meaning, Proposition] | str:
    """The facts that a theorem states about the problem, and its proposition, or else the change since the sides of a link were compared.

    The folder's ``forms.toml`` gives the facts about the problem; without this file the theorem says nothing of strings and readings.
    """
    folder, file = _folder(paper, place), place.parent / "statements" / f"{statement}.toml"
    theorem = folder.theorem(name) if folder else None
    assert folder is not None
    assert theorem is not None
    from verifier.kernel import definitions
    from verifier.kernel.propositions import meaning_of

    stated = definitions.unchanged(folder, _definitions(folder.paper, place), theorem, file)
    return stated if isinstance(stated, str) else (meaning_of(folder, stated), stated)


def _within(link: Decided) -> None:
    """Check that the domain of a link lies in the range of its theorem, and that all variables of the theorem have a meaning for the claim.

    Raises:
        InputError: it does not, or that is not proved.
    """
    said, known = link.meaning, {p.name for p in link.claim.parameters} | link.proof.at.keys()
    if said.strings and (others := link.proposition.bounded_with(known) - known - set(said.strings)):
        raise InputError(
            f"{link.claim.name}: proof: {link.named} bounds {min(others)}, which the claim does not have and `at` does not give"
        )
    if not link.where:
        raise InputError(f"{link.claim.name}: proof: {link.named} bounds no parameter of the claim; where was expected")
    domain = tuple((p.name, p.where) for p in link.claim.parameters)
    if link.proof.where and not _implied(link.proof.where, printed(link.hypotheses), domain):
        raise InputError(f"{link.claim.name}: proof: {link.named} covers {link.range}; {link.proof.where} does not lie in it")


@lru_cache(maxsize=64)
def _implied(where: str, hypotheses: str, domain: tuple[tuple[str, str], ...]) -> bool:
    """Whether the hypotheses hold for all integers of the domain at which the first condition does: proved by symbols."""
    from verifier.proofs.for_all import Proof, decide_for_all

    parts = list(conjuncts(parse(where)))
    bounds = {name: [printed(part) for part in parts if isinstance(part, Comparison) and part.left == Name(name)] for name, _ in domain}
    inside = {name: " and ".join([f"({of})", *bounds[name]]) for name, of in domain}
    return isinstance(decide_for_all([hypotheses], inside, where=where), Proof)


def tight(formula: Node) -> str:
    """A formula as files write it: ``4*p + 2``."""
    return printed(formula).replace(" ** ", "**").replace(" * ", "*")


def _exact(values: Mapping[str, int]) -> dict[str, Fraction]:
    return {name: Fraction(int(value)) for name, value in values.items()}


def _same(one: Semantics, other: Semantics) -> bool:
    """Whether two arithmetics are the same, whatever their names."""
    return replace(one, name=other.name) == other


_sources = lru_cache(maxsize=16)(digest_of_sources)


@lru_cache(maxsize=16)
def _folder(paper: str, folder: Path) -> ProofFolder | None:
    return read_folder(paper, folder) if (folder / FILE).is_file() else None


@lru_cache(maxsize=16)
def _definitions(paper: str, place: Path) -> Definitions:
    from verifier.kernel import definitions

    folder = _folder(paper, place)
    return definitions.Definitions() if folder is None else definitions.read(folder)

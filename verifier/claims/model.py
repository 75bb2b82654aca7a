"""The record of a claim: a statement or a step of its proof, as a record, and the judge that decides it for one edition at one point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import NAMED, Point, Semantics
from verifier.claims.file_records import OverviewEntry, ProofEntry, RowEntry
from verifier.claims.parameters import ALL, Parameter
from verifier.claims.records import Erratum, Part, Table
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.claims.verdicts import declined as declined
from verifier.language.exact import integer, truth
from verifier.language.syntax import names_in
from verifier.running.errors import InputError, LimitError, amount
from verifier.running.limits import DEFAULT_LIMITS, Advance, Limits, silent
from verifier.running.notebooks import Facts
from verifier.running.printable import assignment


class Asker(Protocol):
    """Judges other claims on behalf of one (:class:`verifier.claims.session.Session`)."""

    def ask(self, claim: str, edition: Edition, parameters: Mapping[str, int], semantics: Semantics) -> Outcome: ...


@dataclass(frozen=True)
class Query:
    """The query that a judge answers: a claim, an edition, a parameter point, a semantics, and a limit of work.

    The claim is that of the edition: for ``repaired`` its errata are already applied, so the judge reads the corrected fields. ``asked`` is
    the edition; None for a judge that does not declare that it depends on it (:func:`by_edition`).
    """

    claim: Claim
    asked: Edition | None
    parameters: Mapping[str, int]
    semantics: Semantics
    asker: Asker
    limits: Limits = DEFAULT_LIMITS
    advance: Advance = silent
    method: str = "auto"

    @property
    def edition(self) -> Edition:
        """The edition to judge.

        Raises:
            UndeclaredEditionError: the judge does not declare that it depends on the edition.
        """
        if self.asked is None:
            raise UndeclaredEditionError(f"the judge of {self.claim.id} reads the edition: it has to declare this with @by_edition")
        return self.asked

    def __getitem__(self, name: str) -> int:
        return self.parameters[name]

    @property
    def names(self) -> dict[str, Fraction]:
        """The parameters as names for expressions."""
        return {k: Fraction(v) for k, v in self.parameters.items()}

    @property
    def at(self) -> str:
        """``at p = 3, s = 2``, without the parameters at their default name; empty for a claim without parameters."""
        defaults = {p.name: p.names[int(p.default)] for p in self.claim.parameters if p.names and p.default is not None}
        shown = assignment({k: v for k, v in self.parameters.items() if str(v) != defaults.get(k)})
        return f"at {shown}" if shown else ""

    @property
    def assuming(self) -> tuple[str, ...]:
        """The names of the claim's hypotheses that the judge takes for granted."""
        return self.claim.assuming

    def within(self, cases: int, what: str = "cases") -> None:
        """Check that the limit allows this many cases one by one.

        Raises:
            LimitError: they are more than ``--limit`` admits.
        """
        if cases > self.limits.cases:
            raise LimitError(f"{amount(cases)} {what} exceed the limit of {self.limits.cases:,}, a thousandth of --limit", "--limit")

    def ask(self, claim: str, edition: Edition | None = None, **parameters: int) -> Outcome:
        """The outcome of another claim (of the same paper, if none is named), by default at the same edition, parameters and semantics."""
        name = claim if "/" in claim else f"{self.claim.paper}/{claim}"
        return self.asker.ask(name, edition or self.edition, parameters or self.parameters, self.semantics)


Judge = Callable[[Query], Outcome]
Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class UndeclaredEditionError(RuntimeError):
    """A judge reads the edition without declaring that it depends on it: a fault of the program."""


def by_edition(judge: Decorated) -> Decorated:
    """Declare that a judge depends on the edition; it is then asked once for each, and only such a judge may read it."""
    judge.by_edition = True  # type: ignore[attr-defined]
    return judge


def depends_on_edition(judge: Callable[..., Any]) -> bool:
    """Whether a judge declares that it depends on the edition."""
    return getattr(judge, "by_edition", False) is True


Role = Literal["argument", "aside"]


class Named:
    """Base of records with a claim's id: ``PAPER/KIND-NUMBER``, or ``PAPER/KIND-NUMBER:step``."""

    id: str

    @property
    def paper(self) -> str:
        return self.id.partition("/")[0]

    @property
    def name(self) -> str:
        """The id without its paper."""
        return self.id.partition("/")[2]

    @property
    def owner(self) -> str:
        """The name of the statement that a step belongs to; for a statement its own name."""
        return self.name.partition(":")[0]


@dataclass(frozen=True)
class Sentence(Named):
    """The sentence of a claim, read without the formulas that judge it. role: the role of a step, as in :class:`Claim`."""

    id: str
    statement: str
    place: str
    role: Role | None


@dataclass(frozen=True, repr=False)
class Claim(Named, Facts):
    """A statement, or a step of one.

    id:        ``PAPER/KIND-NUMBER``, or ``PAPER/KIND-NUMBER:step`` for a step.
    statement: in our own words and notation; place: its place in the paper; checks: what the machine checks.
    judge:     the function; None for a claim that is its parts (or, where it has none, its argument steps) and nothing else.
    role:      for a step, whether the owner's printed conclusion rests on it; None for a statement.
    steps:     of a statement, in the order of the proof.
    where:     its domain, besides those of the parameters.
    lets:      definitions that its formulas use.
    fields:    the judge's other inputs.
    repaired:  the claim with its errata; partly: with some of several errata, by their numbers from 0 on.
    erratum_of: the step whose only erratum also corrects this claim; otherwise the claim itself.
    witness:   whether its printed verdict rests on an object that is checked directly, and not on the steps.
    bounded:   whether the verdict depends on a semantics of bounded arithmetic.
    point:     the kind of format in the claim, which decides the readings of ``--arithmetic all``.
    table:     the claim's construction, for ``trace``.
    diagonal:  whether its witness is the fooling set {(x, x)} of EQ_m under y ≤ z, m a parameter; for certificates.
    certificate: the function, ``module:function`` of a point and a semantics, that gives the content of a certificate of a claim without a
               table.
    overview:  the table below the results of a range of points.
    questions: our questions to a statement, besides those that every statement gets.
    hypotheses: of a statement; assuming: the names of those that the judge takes for granted.
    supports:  assumptions by name, each with the claim that decides it, at parameters in terms of this claim's.
    functions: of the paper's mathematics that its formulas may use, by name: ``module:function``.
    words:     whether an argument in ``checks`` has to be believed in addition to the judge's findings.
    sample:    what the sentence quantifies over, if the judge covers only a sample of it, or else empty.
    exists:    the object that the sentence claims to exist, such as a ``representation``: one example that fails refutes nothing.
    ours:      a result of ours on the paper's statement, which the paper does not state.
    proofs:    theorems that a kernel checks, each for a part of the domain.
    rows:      for a statement, its halves in words, each with the claim that decides it; pages answer row by row.
    kind:      for a statement, the sort of assertion, one of :data:`KINDS`, if its file gives it.
    """

    id: str
    statement: str
    place: str
    checks: str
    parameters: tuple[Parameter, ...] = ()
    judge: Judge | None = None
    parts: tuple[Part, ...] = ()
    errata: tuple[Erratum, ...] = ()
    bounded: bool = True
    table: Table | None = None
    diagonal: bool = False
    certificate: str | None = None
    point: Point = "fixed"
    overview: OverviewEntry | None = None
    role: Role | None = None
    steps: tuple[Claim, ...] = ()
    where: str | None = None
    lets: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    repaired: Claim | None = None
    partly: Mapping[tuple[int, ...], Claim] = field(default_factory=dict)
    erratum_of: str | None = None
    neighbours: tuple[Neighbour, ...] = ()
    witness: bool = False
    hypotheses: tuple[Variant, ...] = ()
    questions: tuple[Variant, ...] = ()
    assuming: tuple[str, ...] = ()
    supports: Mapping[str, Part] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    words: bool = False
    sample: str = ""
    exists: str = ""
    ours: bool = False
    proofs: tuple[ProofEntry, ...] = ()
    kind: str | None = None
    rows: tuple[RowEntry, ...] = ()

    def caption(self) -> str:
        return f"{self.id}{f' ({self.role})' if self.role else ''}"

    def facts(self) -> dict[str, str | None]:
        takes = "; ".join(f"{each.name}: {each.described}" for each in self.parameters)
        return {"says": self.statement, "place": self.place, "parameters": takes, "steps": str(len(self.steps) or "")}

    @property
    def arguments(self) -> tuple[Claim, ...]:
        """The steps on which the printed conclusion rests; results of ours are not counted."""
        return tuple(step for step in self.steps if step.role == "argument" and not step.ours)

    def of_edition(self, edition: Edition) -> Claim:
        """The claim whose fields an edition reads, with its errata or as printed."""
        return self.repaired if edition is Edition.REPAIRED and self.repaired is not None else self

    def complete(self, given: Mapping[str, int]) -> dict[str, int]:
        """The given parameters with the defaults that depend on them.

        Raises:
            InputError: a parameter is missing or unknown.
        """
        known = [p.name for p in self.parameters]
        for name in given:
            if name not in known:
                raise InputError(f"{self.name} has no parameter {name!r}; it takes {', '.join(known) or 'none'}")
        values: dict[str, int] = {}
        for parameter in self.parameters:
            if parameter.name in given:
                values[parameter.name] = parameter.value(given[parameter.name])
            elif parameter.default is not None:
                values[parameter.name] = parameter.value(integer(parameter.default, {k: Fraction(v) for k, v in values.items()}))
            else:
                raise InputError(f"{self.name} needs --{parameter.name} ({parameter.meaning})")
        return values

    def domain(self, fixed: Mapping[str, int]) -> dict[str, str]:
        """The condition of each parameter, if some have a value."""
        return {p.name: f"{p.name} == {int(fixed[p.name])} and ({p.where})" if p.name in fixed else p.where for p in self.parameters}

    def outside(self, values: Mapping[str, int], domain: str = "claim's") -> str | None:
        """A sentence if the values lie outside the claim's domain, or else None. Conditions on parameters that are asked for as a whole are
        ignored.

        domain: the domain that the sentence names, the claim's or the repaired one.
        """
        names = {k: Fraction(v) for k, v in values.items()}
        whole = {k for k, v in values.items() if v is ALL}
        for parameter in self.parameters:
            if whole.isdisjoint(names_in(parameter.where)) and not truth(parameter.where, names):
                return f"{parameter.name} = {parameter.value(values[parameter.name])} is outside the {domain} domain, {parameter.where}"
        if self.where is not None and whole.isdisjoint(names_in(self.where)) and not truth(self.where, names):
            return f"{assignment(values)} is outside the {domain} domain, {self.where}"
        return None

    @property
    def as_meant(self) -> Claim:
        """The claim on the domain that the authors mean."""
        meant = (replace(p, where=f"({p.where}) and ({p.meant})" if p.meant else p.where) for p in self.parameters)
        return replace(self, parameters=tuple(meant))

    def not_meant(self, values: Mapping[str, int]) -> str | None:
        """``the authors intend p >= 2`` if the values lie in the claim's domain but outside the intended one, or else None."""
        names = {k: Fraction(v) for k, v in values.items()}
        for parameter in self.parameters:
            if parameter.meant is not None and not truth(parameter.meant, names):
                return f"the authors intend {parameter.meant}"
        return None


@dataclass(frozen=True)
class Neighbour:
    """A claim one change away, and the verdict that the machine must give: by default refuted.

    because: words that the counterexample or the reason must contain, so that the claim is refused for the right reason.
    """

    claim: Claim
    why: str
    verdict: Verdict = Verdict.REFUTED
    edition: Edition = Edition.STATEMENT
    at: Mapping[str, int] = field(default_factory=dict)
    because: str | None = None


@dataclass(frozen=True)
class Variant:
    """A statement without one of its hypotheses, or with a question of ours: its record with the judge that answers.

    says: the hypothesis or the question, in words; name: of a hypothesis; over: the ranges in which it is asked. The answer to a question
    is the witness of a verified outcome; a refuted outcome says that the recorded answer is wrong.
    """

    says: str
    claim: Claim
    over: Mapping[str, str] = field(default_factory=dict)
    name: str = ""


DEFAULT_SEMANTICS = NAMED["a4"]

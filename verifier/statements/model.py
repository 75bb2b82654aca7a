"""What a claim is: a statement or a step of its proof, as a record, and the judge that decides it for one edition at one point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol

from verifier.construction.errata import Source, read_construction, read_with_errata
from verifier.errors import InputError, LimitError, amount
from verifier.formulas.exact import integer, truth
from verifier.formulas.syntax import names_in
from verifier.semantics import NAMED, Point, Semantics
from verifier.verdicts import Edition, Finding, Scope, Verdict


class Named(int):
    """A value of a parameter that has a name, such as an activation: it counts as its number and is shown by its name."""

    name: str

    def __new__(cls, number: int, name: str) -> Named:
        made = super().__new__(cls, number)
        made.name = name
        return made

    def __reduce__(self) -> tuple[type[Named], tuple[int, str]]:
        return Named, (int(self), self.name)

    def __str__(self) -> str:
        return self.name


class _All(Named):
    """No number, though it stands where numbers do: it equals itself alone."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return hash("all")

    def __reduce__(self) -> str:  # type: ignore[override]  # the one there is, in another process too
        return "ALL"


ALL = _All(-1, "all")
"""A parameter asked for as a whole: every value of its domain."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a claim.

    where:   its domain, as the claim states it; outside it the claim is declined.
    typical: the values (``a..b``, ``a,b``) that are run when the user names none; or
    default: an expression in the parameters before it.
    names:   what the values 0, 1, … are called, where they are called something.
    meant:   the part of the domain that the claim is meant for, where it is smaller: what fails outside it only is an edge.
    """

    name: str
    meaning: str
    where: str
    typical: str | None = None
    default: str | None = None
    names: tuple[str, ...] = ()
    meant: str | None = None

    @property
    def described(self) -> str:
        """Meaning, domain, and what is taken where it is left out."""
        left_out, names = f"{self.typical} if left out", ", ".join(self.names)
        if self.default is not None:
            left_out = f"{self.names[int(self.default)] if self.names else self.default} by default"
        return f"{self.meaning}; {self.where}; {f'or {names}; ' if self.names else ''}{left_out}"

    def value(self, number: int) -> int:
        """The value with its name, if it has one."""
        if isinstance(number, Named):
            return number
        return Named(number, self.names[number]) if 0 <= number < len(self.names) else int(number)


@dataclass(frozen=True)
class Erratum:
    """As printed → (smallest counterexample, computed when asked) → as repaired → why."""

    printed: str
    repaired: str
    why: str


@dataclass(frozen=True)
class Part:
    """A claim that another is built of, and its parameters as expressions in those of the whole (same names by default)."""

    claim: str
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Overview:
    """What a claim shows below its own lines where a range is asked: the statement of ``claim`` under several readings, as a table.

    The results of ``claim`` are the rows, their :attr:`~verifier.verdicts.Finding.values` the columns.
    """

    claim: str
    readings: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A construction file of a paper with its errata file, read when first needed.

    folder: where the files are; claim: the id of the claim that the table computes its function, which says whether it is well-formed.
    without: errata and promises, by name, that the repaired edition of the one claim that has this table does without.
    partial: whether only some of its errata are applied (:mod:`verifier.statements.errata`); domain: whether theirs bounds the repair.
    """

    folder: str
    name: str
    errata: bool = True
    claim: str | None = None
    without: tuple[str, ...] = ()
    partial: bool = False
    domain: bool = True

    @property
    def source(self) -> Source:
        return _load(self.folder, self.name, self.errata)

    @property
    def file_name(self) -> str:
        return f"{self.name}.toml"


@lru_cache(maxsize=64)
def _load(folder: str, name: str, errata: bool) -> Source:
    path = Path(folder) / f"{name}.toml"
    return read_with_errata(path, path.with_name(f"{name}.errata.toml")) if errata else read_construction(path)


@dataclass(frozen=True)
class Limits:
    """How much work one finding may take. ``states``: what an engine visits (``--limit``); ``memory``: a job's bytes, if bounded.

    A case that is gone through one by one counts as :data:`INTERPRETED` of them.
    """

    states: int = 1 << 31
    memory: int | None = None

    @property
    def cases(self) -> int:
        """How many cases may be gone through one by one."""
        return self.states // INTERPRETED


DEFAULT_LIMITS = Limits()

SHORT_OF_MEMORY = "needs more memory than is free; a smaller parameter lifts the limit"
"""Why a claim is declined whose judge was refused memory (:func:`verifier.memory.keep_to_what_is_free`)."""

INTERPRETED = 1000
"""What a case that Python goes through costs, in elements that an engine visits."""


class Advance(Protocol):
    """Told of progress on long work: what is being done, steps done, steps in all (0: unknown; then 0 steps begin it and 1 ends it)."""

    def __call__(self, label: str, done: int, total: int) -> None: ...


def _silent(label: str, done: int, total: int) -> None:
    del label, done, total


def _unnoticed() -> None:
    pass


class Asker(Protocol):
    """Judges other claims on behalf of one (:class:`verifier.statements.session.Session`)."""

    def ask(self, claim: str, edition: Edition, parameters: Mapping[str, int], semantics: Semantics) -> Finding: ...


@dataclass(frozen=True)
class Question:
    """What a judge is asked: a claim, an edition, a parameter point, a semantics, and how much work it may do.

    The claim is the one of the edition: for ``repaired`` its errata are applied already, so that a judge that reads its fields
    reads what the erratum says. ``looked`` is told when a judge looks at the edition all the same: one that never does finds the same
    for a statement and as printed.
    """

    claim: Claim
    asked: Edition
    parameters: Mapping[str, int]
    semantics: Semantics
    asker: Asker
    limits: Limits = Limits()
    advance: Advance = _silent
    method: str = "auto"
    looked: Callable[[], None] = _unnoticed

    @property
    def edition(self) -> Edition:
        """The edition to judge."""
        self.looked()
        return self.asked

    def __getitem__(self, name: str) -> int:
        return self.parameters[name]

    @property
    def names(self) -> dict[str, Fraction]:
        """The parameters as names for expressions."""
        return {k: Fraction(v) for k, v in self.parameters.items()}

    @property
    def at(self) -> str:
        """``at p = 3, s = 2``, without the parameters left at their default name; empty where the claim takes none."""
        defaults = {p.name: p.names[int(p.default)] for p in self.claim.parameters if p.names and p.default is not None}
        shown = ", ".join(f"{k} = {v}" for k, v in self.parameters.items() if str(v) != defaults.get(k))
        return f"at {shown}" if shown else ""

    @property
    def assuming(self) -> tuple[str, ...]:
        """The hypotheses of the claim, by name, that the judge is to take for granted."""
        return self.claim.assuming

    def within(self, cases: int, what: str = "cases") -> None:
        """Asks whether so many cases may be gone through one by one.

        Raises:
            LimitError: they are more than ``--limit`` admits.
        """
        if cases > self.limits.cases:
            raise LimitError(f"{amount(cases)} {what}, at most {self.limits.cases:,} (a thousandth of --limit) are gone through", "--limit")

    def ask(self, claim: str, edition: Edition | None = None, **parameters: int) -> Finding:
        """The finding on another claim (of the same paper, if none is named), by default at the same edition, parameters and semantics."""
        name = claim if "/" in claim else f"{self.claim.paper}/{claim}"
        return self.asker.ask(name, edition or self.edition, parameters or self.parameters, self.semantics)

    @property
    def repaired(self) -> bool:
        """Whether the errata apply."""
        return self.edition is Edition.REPAIRED

    @property
    def errata_apply(self) -> bool:
        """Whether the edition asked for uses the repaired table."""
        return self.edition is Edition.REPAIRED and self.claim.table is not None


Judge = Callable[[Question], Finding]
Role = Literal["argument", "aside"]

KINDS = {
    "definition": "nothing is asserted but that it defines something",
    "identity": "two exact expressions are equal",
    "inequality": "a bound with all its constants",
    "tail bound": "a bound on a probability, with all its constants",
    "order": "a bound up to a constant that nobody names",
    "in probability": "something happens with at least some probability, or in a limit",
}
"""What sort of assertion a statement can be said to be, and what that means for how it is judged."""


@dataclass(frozen=True)
class Repair:
    """An erratum of a claim: the fields that it replaces, as printed and as repaired, and why."""

    printed: Mapping[str, Any]
    fields: Mapping[str, Any]
    why: str

    @property
    def erratum(self) -> Erratum:
        """As printed → as repaired → why, in words: the formulas and sentences that differ."""
        shown = [k for k in self.fields if k != "says"] or list(self.fields)
        printed = {k: _replaced(self.printed.get(k), self.fields[k]) for k in shown}
        return Erratum(_words(printed), _words({k: self.fields[k] for k in shown}), self.why)


def _replaced(printed: Any, repaired: Any) -> Any:
    """What a repair replaces of a field: of a table, such as ``let``, only its entries."""
    if isinstance(repaired, Mapping):
        return {k: v for k, v in (printed or {}).items() if k in repaired}
    return printed


def _words(fields: Mapping[str, Any]) -> str:
    listed = {k: _text(v) for k, v in fields.items() if v not in (None, {})}
    if len(fields) == 1:
        (name,) = fields
        return "".join(listed.values()) or ("every value in the domain" if name == "where" else f"no {name}")
    return "; ".join(f"{k}: {v}" for k, v in listed.items()) or "nothing"


def _text(value: Any) -> str:
    return ", ".join(f"{k} = {v}" for k, v in value.items()) if isinstance(value, Mapping) else str(value)


@dataclass(frozen=True)
class Neighbour:
    """A claim one change away, and what the machine must say of it: by default that it is refuted.

    because: words that the counterexample or the reason must hold, so that it is refused for the right reason.
    """

    claim: Claim
    why: str
    verdict: Verdict = Verdict.REFUTED
    edition: Edition = Edition.STATEMENT
    at: Mapping[str, int] = field(default_factory=dict)
    because: str | None = None


@dataclass(frozen=True)
class Asked:
    """A question of ours to a statement, in words; claim: the statement's record with the judge that answers it.

    The answer is the witness of its finding where that is verified; a refuted one says that the answer held against it is wrong.
    over: the ranges in which it is asked.
    """

    asks: str
    claim: Claim
    over: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hypothesis:
    """What a statement takes for granted, and the statement without it; over: the ranges in which a need for it is looked for."""

    name: str
    says: str
    without: Claim
    over: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """A statement, or a step of one.

    id:        ``PAPER/KIND-NUMBER``, or ``PAPER/KIND-NUMBER:step`` for a step.
    statement: in our own words and notation; place: where the paper has it; checks: what the machine does about it.
    judge:     the function; None for a claim that is its parts (or, where it has none, its argument steps) and nothing else.
    role:      of a step: whether the owner's printed conclusion rests on it. None for a statement.
    steps:     of a statement, in the order of the proof.
    where:     its domain besides the parameters' own.
    lets:      definitions that its formulas use.
    fields:    what the judge reads, besides.
    repair:    its errata; repaired: the claim with them; partly: with some of several, by their numbers from 0 on.
    erratum_of: the step whose one erratum mends this claim, too; its own otherwise.
    witness:   whether its printed verdict rests on an object that is checked by itself, and not on the steps.
    bounded:   whether a semantics of bounded arithmetic takes part.
    point:     the kind of format that it speaks of, which decides the readings of ``--semantics all``.
    table:     the construction that it speaks of, for ``trace``.
    diagonal:  whether its witness is the fooling set {(x, x)} of EQ_m under y ≤ z, m a parameter; for certificates.
    certificate: what says, ``module:function`` of a point and a semantics, what a certificate of the claim holds, if it has no table.
    overview:  the table that a range of points ends with.
    questions: of ours to a statement, besides those that are asked of each.
    hypotheses: of a statement; assuming: the names of those that the judge is to take for granted.
    supports:  assumptions by name, each with the claim that decides it, at parameters in terms of this claim's.
    functions: of the paper's mathematics that its formulas may use, by name: ``module:function``.
    ours:      a result of ours on the paper's statement, no sentence of the paper.
    kind:      of a statement: what sort of assertion it is, one of :data:`KINDS`, where its file says so.
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
    overview: Overview | None = None
    role: Role | None = None
    steps: tuple[Claim, ...] = ()
    where: str | None = None
    lets: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    repair: Repair | None = None
    repaired: Claim | None = None
    partly: Mapping[tuple[int, ...], Claim] = field(default_factory=dict)
    erratum_of: str | None = None
    neighbours: tuple[Neighbour, ...] = ()
    witness: bool = False
    hypotheses: tuple[Hypothesis, ...] = ()
    questions: tuple[Asked, ...] = ()
    assuming: tuple[str, ...] = ()
    supports: Mapping[str, Part] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    ours: bool = False
    kind: str | None = None

    @property
    def paper(self) -> str:
        return self.id.partition("/")[0]

    @property
    def name(self) -> str:
        """The id without its paper."""
        return self.id.partition("/")[2]

    @property
    def owner(self) -> str:
        """The name of the statement that a step belongs to; a statement's own."""
        return self.name.partition(":")[0]

    def of_edition(self, edition: Edition) -> Claim:
        """The claim whose fields an edition is judged by: with its errata, or as printed."""
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

    def outside(self, values: Mapping[str, int]) -> str | None:
        """A sentence where the values lie outside the claim's domain; None inside, as far as those not asked for as a whole say."""
        names = {k: Fraction(v) for k, v in values.items()}
        whole = {k for k, v in values.items() if v is ALL}
        for parameter in self.parameters:
            if whole.isdisjoint(names_in(parameter.where)) and not truth(parameter.where, names):
                return f"{parameter.name} = {parameter.value(values[parameter.name])} is outside the claim's domain, {parameter.where}"
        if self.where is not None and whole.isdisjoint(names_in(self.where)) and not truth(self.where, names):
            shown = ", ".join(f"{k} = {v}" for k, v in values.items())
            return f"{shown} is outside the claim's domain, {self.where}"
        return None

    def not_meant(self, values: Mapping[str, int]) -> str | None:
        """A sentence where the values lie in the claim's domain but outside what it is meant for; None where it is meant."""
        names = {k: Fraction(v) for k, v in values.items()}
        for parameter in self.parameters:
            if parameter.meant is not None and not truth(parameter.meant, names):
                return f"{parameter.name} = {parameter.value(values[parameter.name])} is outside what is meant, {parameter.meant}"
        return None


def declined(reason: str, blocked_by: str | None = None) -> Finding:
    """A finding that decides nothing: outside the domain, over a limit, or about a construction that has no meaning here."""
    return Finding(Verdict.DECLINED, Scope("nothing was checked"), reason=reason, blocked_by=blocked_by)


DEFAULT_SEMANTICS = NAMED["a4"]

"""What a claim is: a record, and one function that judges it for one edition at one parameter point."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from verifier.construction.errata import Source, read_construction, read_with_errata
from verifier.errors import InputError
from verifier.formulas.exact import integer, truth
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


@dataclass(frozen=True)
class Parameter:
    """A parameter of a claim.

    where:   its domain, as the claim states it; outside it the claim is declined.
    typical: the values (``a..b``, ``a,b``) that are run when the user names none; or
    default: an expression in the parameters before it.
    names:   what the values 0, 1, … are called, where they are called something.
    """

    name: str
    meaning: str
    where: str
    typical: str | None = None
    default: str | None = None
    names: tuple[str, ...] = ()

    @property
    def described(self) -> str:
        """Meaning, domain, and what is taken where it is left out."""
        left_out, names = f"{self.typical} if left out", ", ".join(self.names)
        if self.default is not None:
            left_out = f"{self.names[int(self.default)] if self.names else self.default} by default"
        return f"{self.meaning}; {self.where}; {f'or {names}; ' if self.names else ''}{left_out}"

    def value(self, number: int) -> int:
        """The value with its name, if it has one."""
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
    """A construction file of a paper with its errata file, read when first needed."""

    package: str
    name: str
    errata: bool = True

    @property
    def source(self) -> Source:
        return _load(self.package, self.name, self.errata)

    @property
    def file_name(self) -> str:
        return f"{self.name}.toml"


@lru_cache(maxsize=64)
def _load(package: str, name: str, errata: bool) -> Source:
    from importlib.resources import files

    folder = files(package)
    path = folder / f"{name}.toml"
    return read_with_errata(path, folder / f"{name}.errata.toml") if errata else read_construction(path)


@dataclass(frozen=True)
class Limits:
    """How much work one finding may take. ``states``: elements that an engine visits (``--limit``)."""

    states: int = 1 << 31


class Advance(Protocol):
    """Told of progress on long work: what is being done, steps done, steps in all (0: unknown; then 0 steps begin it and 1 ends it)."""

    def __call__(self, label: str, done: int, total: int) -> None: ...


def _silent(label: str, done: int, total: int) -> None:
    del label, done, total


def _unnoticed() -> None:
    pass


class Asker(Protocol):
    """Judges other claims on behalf of one (:class:`verifier.claims.session.Session`)."""

    def ask(self, claim: str, edition: Edition, parameters: Mapping[str, int], semantics: Semantics) -> Finding: ...


@dataclass(frozen=True)
class Question:
    """What a judge is asked: a claim, an edition, a parameter point, a semantics, and how much work it may do.

    ``looked`` is told when a judge looks at the edition: a judge that never does finds the same in every edition.
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

    def ask(self, claim: str, edition: Edition | None = None, **parameters: int) -> Finding:
        """The finding on another claim, by default at the same edition, parameters and semantics."""
        return self.asker.ask(claim, edition or self.edition, parameters or self.parameters, self.semantics)

    @property
    def errata_apply(self) -> bool:
        """Whether the edition asked for uses the repaired table: always for ``repaired``, for ``statement`` where the errata reach."""
        if self.edition is Edition.PRINTED or self.claim.table is None:
            return False
        if self.edition is Edition.REPAIRED:
            return True
        return self.claim.table.source.outside_errata(self.parameters) is None


Judge = Callable[[Question], Finding]


@dataclass(frozen=True)
class Claim:
    """One numbered statement.

    id:        ``PAPER/KIND-NUMBER`` or ``PAPER/KIND-NUMBER:part``.
    statement: in our own words and notation; place: where the paper has it; checks: what the machine does about it.
    judge:     the function; None for a claim that is its parts and nothing else.
    bounded:   whether a semantics of bounded arithmetic takes part.
    point:     the kind of format that it speaks of, which decides the readings of ``--semantics all``.
    table:     the construction that it speaks of, for ``trace``.
    diagonal:  whether its witness is the fooling set {(x, x)} of EQ_m under y ≤ z, m a parameter; for certificates.
    overview:  the table that a range of points ends with.
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
    point: Point = "fixed"
    overview: Overview | None = None

    @property
    def paper(self) -> str:
        return self.id.partition("/")[0]

    @property
    def name(self) -> str:
        """The id without its paper."""
        return self.id.partition("/")[2]

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
        """A sentence where the values lie outside the claim's domain; None inside."""
        names = {k: Fraction(v) for k, v in values.items()}
        for parameter in self.parameters:
            if not truth(parameter.where, names):
                return f"{parameter.name} = {parameter.value(values[parameter.name])} is outside the claim's domain, {parameter.where}"
        return None


@dataclass(frozen=True)
class Paper:
    """A paper: its id, how to cite it, and its claims in the order of the pages."""

    id: str
    title: str
    authors: str
    claims: tuple[Claim, ...]

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)


def declined(reason: str) -> Finding:
    """A finding that decides nothing: outside the domain, or over a limit."""
    return Finding(Verdict.DECLINED, Scope("nothing was checked"), reason=reason)


DEFAULT_SEMANTICS = NAMED["a4"]

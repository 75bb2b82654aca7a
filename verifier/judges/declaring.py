"""Declaring the judges of a paper: a judge is a function whose keyword-only parameters are fields of a statement file.

::

    @judge
    def protocol_cost(query: Query, *, bits: Integer, cost: Integer) -> Outcome: ...

    @judge
    def small_sums(query: Query, *, furthest: Formula) -> Cases:
        yield Over("every activation, by the gcd of its gaps,", "gcd of the gaps")
        for gap in ...:
            yield holds or {"gcd of the gaps": gap}

A field is text, a number, a list or a record as TOML has it, checked against the parameter's type. A field that holds a formula arrives
evaluated at the query's point (:data:`Integer`, :data:`Rational`), or as a function of the names that the judge supplies
(:class:`Formula`, :class:`Condition`).

A claim may follow, for every value of its parameters, from conditions that symbols prove (:class:`Reduction`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints, overload

import msgspec

from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, judged
from verifier.claims.model import Claim, Query, depends_on_edition
from verifier.claims.verdicts import SYMBOLIC, Outcome, Scope, Verdict
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.language.exact import Given
from verifier.language.tree import Node
from verifier.running.errors import InputError, LimitError

if TYPE_CHECKING:
    from verifier.claims.model import Claim


@dataclass(frozen=True)
class Written:
    """A field that is text and read at a query; a subclass says how."""

    text: str
    query: Query | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return self.text

    def _read(self, read: Callable[..., Any], names: Mapping[str, Given]) -> Any:
        """The value as a formula in the query's parameters, the claim's definitions, and these names."""
        assert self.query is not None, f"{self.text}: a default, which the judge gets with its query"
        return read(inlined_text(self.text, self.query.claim.lets), {**self.query.names, **names})


@dataclass(frozen=True)
class Formula(Written):
    """A formula with a number as its value, in the parameters, the claim's definitions, and names that the judge supplies."""

    def __call__(self, **names: Given) -> Fraction:
        found: Fraction = self._read(exact.rational, names)
        return found

    def integer(self, **names: Given) -> int:
        """The value of the field, which must be an integer.

        Raises:
            InputError: it is not.
        """
        found: int = self._read(exact.integer, names)
        return found


@dataclass(frozen=True)
class Condition(Written):
    """A formula that is true or false."""

    def __call__(self, **names: Given) -> bool:
        found: bool = self._read(exact.truth, names)
        return found


@dataclass(frozen=True)
class _Evaluated:
    """The reading of a formula field at a query."""

    read: Callable[[str, Query], Any]


Integer = Annotated[int, _Evaluated(lambda text, query: Formula(text, query).integer())]
"""The value of a formula at the query's point; an integer is expected."""
Rational = Annotated[Fraction, _Evaluated(lambda text, query: Formula(text, query)())]
"""The value of a formula at the query's point."""


@dataclass(frozen=True)
class Reduction:
    """Conditions that imply a claim at every value of its parameters, and which symbols may prove.

    conditions: in the claim's parameters and the names of ``over``; over: further integers, each with its condition; because: why the
    claim follows, in a line. If the conditions fail, nothing follows.
    """

    conditions: tuple[str, ...]
    because: str
    over: Mapping[str, str] = field(default_factory=dict)


ForEvery = Callable[..., "Reduction | None"]
"""``(claim, fixed, **fields)``, formulas as text: the reduction for all parameters but the fixed ones, or None where there is none."""


@dataclass(frozen=True)
class DeclaredJudge:
    """A judge of a paper, with the fields of a statement file by name; and its reduction for every parameter."""

    function: Callable[..., Outcome | Cases]
    for_every: ForEvery | None = None

    def __call__(self, query: Query, /, **fields: Any) -> Outcome:
        """The outcome.

        Raises:
            msgspec.ValidationError: a field that the judge lacks, does not know, or expects as something else.
        """
        given = msgspec.convert(fields, self.record)
        read = {name: _read(kind, getattr(given, name), query) for name, kind in self._kinds.items()}
        found = self.function(query, **read)
        return found if isinstance(found, Outcome) else judged(query, found)

    def reduction(self, claim: Claim, fixed: Mapping[str, int], fields: Mapping[str, Any]) -> Reduction | None:
        """The conditions that imply the claim with these fields, for all its parameters except the fixed ones."""
        if self.for_every is None:
            return None
        given = msgspec.convert(fields, self.record)
        return self.for_every(claim, fixed, **{name: getattr(given, name) for name in self._kinds})

    @property
    def by_edition(self) -> bool:
        """Whether the judge declares that it depends on the edition."""
        return depends_on_edition(self.function)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of its fields."""
        return tuple(f.encode_name for f in msgspec.structs.fields(self.record))

    @cached_property
    def _kinds(self) -> dict[str, Any]:
        hints = get_type_hints(self.function, include_extras=True)
        for p in self._parameters:
            if p.name not in hints:
                code = self.function.__code__
                raise InputError(
                    f"{code.co_filename}:{code.co_firstlineno}: the parameter {p.name} has no type; one was expected, as in `*, n: int`"
                )
        return {p.name: hints[p.name] for p in self._parameters}

    @cached_property
    def record(self) -> type[msgspec.Struct]:
        """The record of its keyword-only parameters. The parameter ``is_`` is the field ``is``."""
        fields: list[Any] = []
        for p in self._parameters:
            kind = _as_given(self._kinds[p.name])
            if p.default is p.empty:
                fields.append((p.name, kind))
            else:
                fields.append((p.name, kind, str(p.default) if kind is str else p.default))
        renamed = {p.name: p.name.rstrip("_") for p in self._parameters}
        return msgspec.defstruct(self.function.__name__, fields, frozen=True, forbid_unknown_fields=True, kw_only=True, rename=renamed)

    @property
    def _parameters(self) -> list[inspect.Parameter]:
        return [p for p in inspect.signature(self.function).parameters.values() if p.kind is p.KEYWORD_ONLY]


@overload
def judge(function: Callable[..., Outcome | Cases]) -> DeclaredJudge: ...


@overload
def judge(*, for_every: ForEvery) -> Callable[[Callable[..., Outcome | Cases]], DeclaredJudge]: ...


def judge(function: Callable[..., Outcome | Cases] | None = None, *, for_every: ForEvery | None = None) -> Any:
    """Declare a judge: it returns an outcome, or yields cases from which the core makes one.

    for_every: a function that reduces a claim for every value of its parameters to conditions (:class:`Reduction`).
    """
    return DeclaredJudge(function) if function is not None else lambda judged: DeclaredJudge(judged, for_every)


def _reading(kind: Any) -> Callable[[str, Query], Any] | None:
    """The reading of a field of this type, if it is a formula."""
    if isinstance(kind, type) and issubclass(kind, Written):
        return kind
    return next((m.read for m in getattr(kind, "__metadata__", ()) if isinstance(m, _Evaluated)), None)


def _as_given(kind: Any) -> Any:
    """The type of a field as written in a file: formulas are text."""
    if _reading(kind) is not None:
        return str
    inner = tuple(map(_as_given, get_args(kind)))
    if inner == get_args(kind):
        return kind
    return Union[inner] if get_origin(kind) in (Union, UnionType) else get_origin(kind)[inner]  # noqa: UP007  # made when it runs


def _read(kind: Any, value: Any, query: Query) -> Any:
    """The value of a field with its formulas read at the query."""
    read = _reading(kind)
    if read is not None:
        return read(value, query)
    inner = get_args(kind)
    if value is None or _as_given(kind) == kind:
        return value
    if get_origin(kind) in (Union, UnionType):
        return _read(next(k for k in inner if isinstance(value, str) == (_as_given(k) is str)), value, query)
    if isinstance(value, dict):
        return {name: _read(inner[1], each, query) for name, each in value.items()}
    if get_origin(kind) is tuple:
        return tuple(_read(k, each, query) for k, each in zip(inner, value, strict=True))
    return [_read(inner[0], each, query) for each in value]


def reduced(claim: Claim, fixed: Mapping[str, int], reduction: Reduction | None) -> Outcome:
    """Verified if the conditions are proved, else open: their failure says nothing about the claim, which is then judged at its points."""
    from verifier.proofs.for_all import Disproof, Proof, decide_for_all

    every = f"every {', '.join(p.name for p in claim.parameters)}"
    scope = Scope(every)
    if reduction is None:
        return Outcome(Verdict.OPEN, scope, reason="what it would follow from for every parameter is not known")
    conditions, domain, where = _asked(claim, fixed, reduction)
    try:
        found = decide_for_all(conditions, domain, where)
    except (InputError, LimitError) as error:
        return Outcome(Verdict.OPEN, scope, reason=f"not decided by symbols: {error}")
    if isinstance(found, Proof):
        proof = (f"follows from {' and '.join(reduction.conditions)}: {reduction.because}", *found.certificate.split("\n"))
        return Outcome(
            Verdict.VERIFIED,
            Scope(f"{every} with {found.domain}", None, SYMBOLIC),
            f"symbolic proof, {found.summary}",
            reason=f"{reduction.because}; exact values agree at the first {found.compared} points",
            proof=proof,
        )
    why = f"fails at {found.point}" if isinstance(found, Disproof) else found.reason
    return Outcome(Verdict.OPEN, scope, reason=f"what it would follow from is not proved: {why}")


def _asked(claim: Claim, fixed: Mapping[str, int], reduction: Reduction) -> tuple[list[Node], dict[str, Node], Node | None]:
    """The conditions, the condition of each integer in ``over``, and the claim's own restriction."""
    conditions = [inlined_text(text, claim.lets) for text in reduction.conditions]
    domain = {name: inlined_text(text, claim.lets) for name, text in (claim.domain(fixed) | dict(reduction.over)).items()}
    return conditions, domain, inlined_text(claim.where, claim.lets) if claim.where else None

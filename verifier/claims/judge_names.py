"""A judge by its name: imported when it is first asked, its fields read as the record that it expects."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from verifier.claims.model import Claim, Judge, Query, depends_on_edition
from verifier.claims.overlays import Raw
from verifier.claims.verdicts import Outcome
from verifier.judges.declaring import DeclaredJudge
from verifier.judges.fields import Fields
from verifier.judges.registry import CORE
from verifier.language.syntax import parse
from verifier.running.errors import InputError


@dataclass(frozen=True)
class NamedJudge:
    """``module:function``: a judge of the core, a function of the query and the record of its fields, or one that a paper declares.

    kind: the record, of a judge of the core.
    """

    target: str
    fields: Mapping[str, Any]
    kind: type[msgspec.Struct] | None = None

    @property
    def every(self) -> Callable[[Claim, Mapping[str, int]], Outcome] | None:
        """What decides the claim for all its parameters but those that have a value: ``for_all(claim, fields, fixed)`` beside the judge.

        None if there is none.
        """
        module = importlib.import_module(self.target.partition(":")[0])
        decide = getattr(module, "for_all", None)
        if decide is None or self.kind is None:
            return None
        return lambda claim, fixed: decide(claim, msgspec.convert(self.fields, self.kind), fixed)

    @property
    def by_edition(self) -> bool:
        """Whether the judge declares that it depends on the edition."""
        return depends_on_edition(imported(self.target) if self.kind is not None else declared(self.target))

    def __call__(self, query: Query) -> Outcome:
        if self.kind is not None:
            return imported(self.target)(query, msgspec.convert(self.fields, self.kind))  # type: ignore[no-any-return]
        judge = declared(self.target)
        try:
            return judge(query, **self.fields)
        except msgspec.ValidationError as error:
            known = ", ".join(judge.keys) or "nothing"
            raise InputError(f"{query.claim.name}: {str(error).replace('`', '')}; {self.target} reads {known}") from None


def judge_of(raw: Raw, own: Raw, package: str) -> tuple[str | None, Judge | None]:
    """The judge by its name: of the core, or ``maps.copies.size`` below the paper's ``judges``. With ``holds`` alone: formula."""
    name = raw.get("judge", "formula" if "holds" in own else None)
    if name is None:
        if own:
            raise InputError(f"no judge, and the fields {', '.join(own)}, which nothing reads; a judge was expected")
        return None, None
    if name in CORE:
        kind, target = CORE[name]
        fields = converted(own, kind)
        for text in fields.formulas():
            parse(text)
        return name, NamedJudge(target, own, kind)
    module, dot, function = str(name).rpartition(".")
    if not dot:
        raise InputError(f"judge is {name!r}; one of {', '.join(CORE)}, or module.function of the paper's judges was expected")
    return name, NamedJudge(f"{package}.judges.{module}:{function}", own)


def converted(own: Raw, kind: type[Fields]) -> Fields:
    """The fields of a judge as its record.

    Raises:
        InputError: one that it lacks or does not know, or of another type.
    """
    try:
        return msgspec.convert(own, kind)
    except msgspec.ValidationError as error:
        known = ", ".join(msgspec.structs.fields(kind)[k].encode_name for k in range(len(msgspec.structs.fields(kind))))
        raise InputError(f"{str(error).replace('`', '')}; the fields are {known}") from None


def declared(target: str) -> DeclaredJudge:
    """The judge of a paper by its place, ``module:function``.

    Raises:
        InputError: no such module or judge.
    """
    module, _, name = target.partition(":")
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise
        raise InputError(f"no module {module} for the judge {name!r}") from None
    judge = getattr(found, name, None)
    if not isinstance(judge, DeclaredJudge):
        raise InputError(f"{module} has no judge {name!r}")
    return judge


def lazily(target: str) -> Callable[..., Any]:
    """A function of a paper's mathematics, ``module:function``, imported when it is first called."""

    def call(*arguments: Any) -> Any:
        return imported(target)(*arguments)

    return call


def imported(target: str) -> Callable[..., Any]:
    """A function of a paper's mathematics itself."""
    module, _, name = target.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found

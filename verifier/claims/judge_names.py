"""Find a judge by its name, import it at the first query, and read its fields into the record that it expects."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from verifier.claims.file_records import OF_NEIGHBOUR, OF_STATEMENT, OF_STEP, THE_FIELDS, Raw
from verifier.claims.model import Claim, Judge, Query, depends_on_edition
from verifier.claims.verdicts import Outcome
from verifier.judges.declaring import DeclaredJudge, reduced
from verifier.judges.fields import CORE, Fields, Formula
from verifier.language.syntax import parse
from verifier.networks.files import misfits
from verifier.running.errors import FileDefect, FileDefects, InputError
from verifier.running.identifiers import meant


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
        """The procedure that decides the claim for all parameters without a value: ``for_all(claim, fields, fixed)`` beside the judge, or
        the reduction that a paper's judge declares. The result is None if the claim has no such procedure.
        """
        if self.kind is None:
            judge = declared(self.target)
            if judge.for_every is None:
                return None
            return lambda claim, fixed: reduced(claim, fixed, judge.reduction(claim, fixed, self.fields))
        module = importlib.import_module(self.target.partition(":")[0])
        decide = getattr(module, "for_all", None)
        if decide is None:
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
        except msgspec.ValidationError:
            raise FileDefects(misfits(self.fields, judge.record), THE_FIELDS) from None


def judge_of(raw: Raw, own: Raw, package: str) -> tuple[str | None, Judge | None]:
    """The judge of this name, which is one of the core or, such as ``maps.copies.size``, one below the paper's ``judges``. A claim that has
    only ``holds`` has the judge ``formula``.
    """
    name = raw.get("judge", "formula" if "holds" in own else None)
    if name is None:
        if own:
            known = sorted({*OF_STATEMENT, *OF_STEP, *Formula.__struct_fields__})
            said = {key: meant(key, known, "a judge that reads it was expected") for key in own}
            raise FileDefects([FileDefect((key,), f"unknown field {key!r}; {text}") for key, text in said.items()], THE_FIELDS)
        return None, None
    if not isinstance(name, str):
        raise FileDefects([FileDefect(("judge",), f"judge is {name!r}; a name was expected", "")], THE_FIELDS)
    if name in CORE:
        kind, target = CORE[name]
        fields = converted(own, kind)
        for text in fields.formulas():
            parsed(text, own)
        return name, NamedJudge(target, own, kind)
    module, dot, function = name.rpartition(".")
    if not dot:
        hint = meant(name, CORE, f"one of {', '.join(CORE)}, or module.function of the paper's judges was expected")
        raise FileDefects([FileDefect(("judge",), f"judge is {name!r}; {hint}", "")], THE_FIELDS)
    return name, NamedJudge(f"{package}.judges.{module}:{function}", own)


MOST_NAMES = 64
"""Names of ``each``, whose values are gone through within each other."""


def converted(own: Raw, kind: type[Fields]) -> Fields:
    """The fields of a judge as its record.

    Raises:
        InputError: one that it lacks or does not know, or of another type.
    """
    defects = list(misfits(own, kind, (), OF_STATEMENT | OF_STEP | OF_NEIGHBOUR))
    if defects:
        raise FileDefects(defects, THE_FIELDS)
    found = msgspec.convert(own, kind)
    names = len(getattr(found, "each", ()))
    if names > MOST_NAMES:
        raise FileDefects([FileDefect(("each",), f"{names:,} names; at most {MOST_NAMES} were expected")], THE_FIELDS)
    return found


def parsed(text: str, raw: Any) -> None:
    """Parse a formula that stands somewhere in these fields.

    Raises:
        FileDefects: what is wrong with it, and its place.
    """
    try:
        parse(text)
    except InputError as error:
        place = next((path for path, each in _texts(raw, ()) if text.strip() in each), ())
        raise FileDefects([FileDefect(place, str(error))], THE_FIELDS) from None


def _texts(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text among these fields, with its place."""
    if isinstance(value, str):
        yield path, value
    for key, each in value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, (list, tuple)) else ():
        yield from _texts(each, (*path, key))


def declared(target: str) -> DeclaredJudge:
    """The judge of a paper by its place, ``module:function``.

    Raises:
        InputError: no such module or judge.
    """
    found: DeclaredJudge = imported(target, DeclaredJudge, "judge")
    return found


def lazily(target: str) -> Callable[..., Any]:
    """A function of a paper's mathematics, ``module:function``, imported at its first call."""

    def call(*arguments: Any) -> Any:
        return imported(target)(*arguments)

    return call


def imported(target: str, kind: Any = Callable, what: str = "function") -> Any:
    """The object that a paper's files name, ``module:function``.

    Raises:
        InputError: no such module, or nothing of this kind in it; UntrustedError: only ``--trust`` runs the folder's Python.
    """
    module, _, name = target.partition(":")
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise
        raise InputError(f"no module {module!r} for the {what} {name!r}; module:function was expected") from None
    if not isinstance(found, kind):
        names = [each for each, value in vars(sys.modules[module]).items() if isinstance(value, kind)]
        raise InputError(f"{module} has no {what} {name!r}; {meant(name, names, 'module:function was expected')}")
    return found

"""Everything in which a TOML table differs from the record (:mod:`msgspec`) that it is to be read as, each with its place."""

from __future__ import annotations

import difflib
import re
import types
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from verifier.running.errors import FileDefect, Path

_SPELT = re.compile(r"[a-z]+(\.\w+)+")
"""A place at the beginning of a message about a whole file: ``check.q``."""
NAMES = {str: "a text", int: "an integer", bool: "true or false", type(None): "nothing"}


BEYOND = (
    "a construction has one layer and one head, a ReLU network and no mask, residual connection or norm; "
    "network files have more (docs/transformers.md)"
)
_OF_NETWORKS = ("layer", "head", "mask", "residual", "norm", "causal", "decoder", "position", "embedding", "activation", "dropout")
WORDS = (
    "a construction has strings of bits and answers yes or no; write other letters, numbers and words as bitreferee/network/1 "
    "(docs/format.md, Answers)"
)
OF_CONSTRUCTIONS = "verifier.networks.records"
"""The module of the records whose fields have these hints."""
_OF_WORDS = ("alphabet", "vocabulary", "choose", "decode", "logit", "argmax", "symbol", "word", "label", "classe")


def misfits(value: Any, wanted: Any, path: Path = (), others: Iterable[str] = ()) -> Iterator[FileDefect]:
    """The defects of a value that should have this type, also inside it; others: fields that may have been meant besides the type's."""
    try:
        msgspec.convert(value, wanted)
    except (msgspec.ValidationError, TypeError):  # the library names the first defect only, and does not know every union
        yield from _each(value, wanted, path, others)


def _each(value: Any, wanted: Any, path: Path, others: Iterable[str] = ()) -> Iterator[FileDefect]:
    """Every defect, where the library says that there is one."""
    if get_origin(wanted) is Annotated:
        yield from _each(value, get_args(wanted)[0], path)
    elif isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        yield from _table(value, wanted, path, others)
    elif get_origin(wanted) is dict and isinstance(value, dict):
        for key, each in value.items():
            yield from misfits(each, get_args(wanted)[1], (*path, key))
    elif get_origin(wanted) is list and isinstance(value, list):
        for k, each in enumerate(value):
            yield from misfits(each, get_args(wanted)[0], (*path, k))
    elif get_origin(wanted) in (Union, types.UnionType):
        yield from _one_of(value, get_args(wanted), path)
    else:
        try:
            msgspec.convert(value, wanted)
        except msgspec.ValidationError:
            yield FileDefect(path, f"{described(wanted)} was expected, not {shown(value)}")


def _one_of(value: Any, choices: tuple[Any, ...], path: Path) -> Iterator[FileDefect]:
    """The choice that is a table or a list is meant where the value is one."""
    for choice in choices:
        table = isinstance(choice, type) and issubclass(choice, msgspec.Struct)
        if (isinstance(value, dict) and table) or (isinstance(value, list) and get_origin(choice) is list):
            yield from misfits(value, choice, path)
            return
    if all(any(misfits(value, choice, path)) for choice in choices):
        yield FileDefect(path, f"{_choice(choices)} was expected, not {shown(value)}")


def _table(value: Any, wanted: type[msgspec.Struct], path: Path, others: Iterable[str]) -> Iterator[FileDefect]:
    if not isinstance(value, dict):
        yield FileDefect(path, f"a table was expected, not {shown(value)}")
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(wanted)}
    hints = get_type_hints(wanted, include_extras=True)
    wrong = False
    strict = wanted.__struct_config__.forbid_unknown_fields
    for key in sorted(value.keys() - fields.keys()) if strict else ():
        near = difflib.get_close_matches(key, [*fields, *others], n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(fields)}"
        if wanted.__module__ == OF_CONSTRUCTIONS:
            hint = BEYOND if key.removesuffix("s") in _OF_NETWORKS else WORDS if key.removesuffix("s") in _OF_WORDS else hint
        wrong = True
        yield FileDefect((*path, key), f"unknown field {key!r}; {hint}")
    for name, field in fields.items():
        if name in value:
            for defect in misfits(value[name], hints[field.name], (*path, name)):
                wrong = True
                yield defect
        elif field.required:
            wrong = True
            yield FileDefect(path, f"missing required field {name}")
    if not wrong:
        try:
            msgspec.convert(value, wanted)
        except msgspec.ValidationError as error:
            message = str(error).partition(" - at `$")[0]
            spelt = _SPELT.match(message) if not path else None
            yield FileDefect(tuple(spelt[0].split(".")), message, "") if spelt else FileDefect(path, message)


def _choice(choices: tuple[Any, ...]) -> str:
    """A number or formula, and what else there may be."""
    plain = [c for c in choices if c is not type(None)]
    formula = ["an integer or a formula in quotes"] if {str, int} <= set(plain) else []
    others = [described(c) for c in plain if not formula or c not in (str, int)]
    return " or ".join(dict.fromkeys(formula + others))


def described(wanted: Any) -> str:
    """A type in words."""
    if get_origin(wanted) is Annotated:
        return described(get_args(wanted)[0])
    if get_origin(wanted) is Literal:
        return " or ".join(map(str, get_args(wanted)))
    if get_origin(wanted) in (list, tuple):
        return "a list"
    if get_origin(wanted) in (Union, types.UnionType):
        return _choice(get_args(wanted))
    return NAMES.get(wanted, "a table")


def shown(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f'the float {value} (an exact number is written in quotes, as "1/2" or "0.5")'
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"

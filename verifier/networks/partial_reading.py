"""Read a file with mistakes in its shape as far as possible, so that all its mistakes are reported together."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from verifier.networks.files import misfits
from verifier.networks.instantiate import instantiate
from verifier.networks.record_base import smallest
from verifier.networks.records import SEMANTICS, ConstructionFile
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError, Path


def further_mistakes(raw: Mapping[str, Any], shape: FileDefects) -> list[FileDefect]:
    """The mistakes in what a file says, beside those in its shape, which are known: at the first parameters that it may have.

    What stands where a shape is wrong is taken for a number, and nothing is said of it.
    """
    known = [_place(defect) for defect in shape.each]
    try:
        file = msgspec.convert(fitted(raw, ConstructionFile), ConstructionFile)
        instantiate(file, _first_point(file))
    except FileDefects as error:
        return [defect for defect in error.each if not any(_overlap(defect.path, place) for place in known)]
    except (msgspec.ValidationError, InputError, LimitError):
        pass
    return []


def mistakes(file: ConstructionFile) -> list[FileDefect]:
    """The mistakes in what a file of the right shape says, at the first parameters that it may have."""
    try:
        instantiate(file, _first_point(file))
    except FileDefects as error:
        return list(error.each)
    except (InputError, LimitError):
        pass
    return []


def _place(defect: FileDefect) -> Path:
    """Where the mistake is; of a field that is missing, the field."""
    missing = defect.message.partition("missing required field ")[2]
    return (*defect.path, missing) if missing else defect.path


def _overlap(one: Path, other: Path) -> bool:
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def fitted(value: Any, wanted: Any) -> Any:
    """The value where it is of this type, else what of it is, with the number 1 for what is not."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        return fitted(value, inner[0])
    if not any(misfits(value, wanted)):
        return value
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        return _table(value if isinstance(value, dict) else {}, wanted)
    if origin is dict:
        return {key: fitted(each, inner[1]) for key, each in value.items()} if isinstance(value, dict) else {}
    if origin is list:
        return [fitted(each, inner[0]) for each in value] if isinstance(value, list) else []
    if origin in (Union, types.UnionType):
        made = [fitted(value, choice) for choice in inner]
        alike = [each for each in made if type(each) is type(value)]
        return (alike or made)[0]
    return {int: 1, bool: False}.get(wanted, inner[0] if origin is Literal else "1")


def _table(value: Mapping[str, Any], wanted: type[msgspec.Struct]) -> dict[str, Any]:
    hints = get_type_hints(wanted, include_extras=True)
    return {
        field.encode_name: fitted(value.get(field.encode_name), hints[field.name])
        for field in msgspec.structs.fields(wanted)
        if field.encode_name in value or field.required
    }


def _first_point(file: ConstructionFile) -> dict[str, int]:
    """The first value that ``[check]`` names for each parameter, or its default, or the smallest that the file admits."""
    first = {name: str(text).partition("..")[0].strip() for name, text in file.check.items() if name != SEMANTICS}
    return smallest(file, {name: int(text) for name, text in first.items() if text.lstrip("-").isdecimal()})

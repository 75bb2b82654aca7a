"""The JSON schema and the reference of fields, both generated from the records into which files are read."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from verifier.claims.file_records import PaperFile, StatementFile
from verifier.errata.findings import FindingsFile
from verifier.judges.fields import CORE
from verifier.networks.errata import ERRATA, NETWORK_ERRATA, NetworkErrata, TableErrata
from verifier.networks.files import described
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.running.printable import json_text
from verifier.show.markdown import template
from verifier.transformers.records import FORMAT, NetworkFile

RECORDS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "construction": (ConstructionFile, CONSTRUCTION),
    "errata": (TableErrata, ERRATA),
    "network": (NetworkFile, FORMAT),
    "network-errata": (NetworkErrata, NETWORK_ERRATA),
    "paper": (PaperFile, "bitreferee paper.toml"),
    "statement": (StatementFile, "bitreferee statements/ID.toml"),
    "findings": (FindingsFile, "bitreferee findings.toml"),
}
"""The kinds of files: the record of each, and its first line or its name."""


def json_schema(name: str) -> str:
    """The JSON schema (draft 2020-12) of the files of this kind, as text."""
    record, version = RECORDS[name]
    schema = msgspec.json.schema(record)
    whole = schema["$defs"][record.__name__]
    if "format" in whole["properties"]:
        whole["properties"]["format"]["const"] = version
    if name == "statement":
        for claim in ("StatementFile", "StepEntry"):
            schema["$defs"][claim]["allOf"] = list(_of_judges())
    titled = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": version, **schema}
    return json_text(titled)


def _of_judges() -> Iterator[dict[str, Any]]:
    """The types of the fields of each judge of the core, as conditions of the schema."""
    for judge, (kind, _) in CORE.items():
        fields = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
        named = {"properties": {"judge": {"const": judge}}, "required": ["judge"]}
        yield {"if": named, "then": {"properties": fields}}


def field_tables(name: str) -> str:
    """Every field of a kind of files, as Markdown tables; for statements also the fields of the core's judges."""
    records = [
        (title, " ".join((record.__doc__ or "").split("\n\n")[0].split()), _fields(record))
        for record, title in _records(RECORDS[name][0]).items()
    ]
    judges = [(judge, *_of_judge(kind)) for judge, (kind, _) in CORE.items()] if name == "statement" else []
    return template("fields.md.jinja").render(records=records, judges=judges)


def _of_judge(kind: type[msgspec.Struct]) -> tuple[str, str, list[dict[str, Any]]]:
    """The text of a judge's record: a sentence, and its fields; and the fields themselves."""
    summary, _, rest = inspect.cleandoc(kind.__doc__ or "").replace("``", "`").partition("\n\n")
    said = re.sub(r"^( *)(\w+(?:, \w+)*): +", r"* `\2`: ", rest, flags=re.MULTILINE)
    return " ".join(summary.split()), said, _fields(kind)


def _fields(record: type[msgspec.Struct]) -> list[dict[str, Any]]:
    """The fields of a record: name, shape of the value, default, and the description in its type."""
    hints, found = get_type_hints(record, include_extras=True), []
    for field in msgspec.structs.fields(record):
        hint = hints[field.name]
        said = next((x.description for x in get_args(hint)[1:] if isinstance(x, msgspec.Meta)), "") if get_origin(hint) is Annotated else ""
        default = "required" if field.required else _default(field)
        shape = {"name": field.encode_name, "shape": described(hint), "required": field.required}
        found.append({**shape, "default": default, "meaning": (said or "").replace("|", "\\|")})
    return found


def _records(record: type[msgspec.Struct]) -> dict[type[msgspec.Struct], str]:
    """A record and the records inside it, in their order, each with its place in a file: ``[layer.norm]``, ``[[row]]``."""
    found: dict[type[msgspec.Struct], list[str]] = {record: ["The whole file"]}
    waiting: list[tuple[type[msgspec.Struct], str]] = [(record, "")]
    while waiting:
        within, path = waiting.pop(0)
        hints = get_type_hints(within, include_extras=True)
        for field in msgspec.structs.fields(within):
            for inner, place in _places(hints[field.name], f"{path}{field.encode_name}"):
                if inner not in found:
                    waiting.append((inner, f"{place.strip('`[]')}." if place.startswith("`[") else ""))
                found.setdefault(inner, []).append(place)
    return {each: ", ".join(dict.fromkeys(places)) for each, places in found.items()}


def _places(hint: Any, path: str, alone: bool = True) -> Iterator[tuple[type[msgspec.Struct], str]]:
    """The records in a field's type, each with the header of its table. alone: only a table may stand there."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint, f"`[{path}]`" if alone else f"a table in `{path}`"
    elif get_origin(hint) is Annotated:
        yield from _places(get_args(hint)[0], path, alone)
    elif get_origin(hint) is list:
        for inner, place in _places(get_args(hint)[0], path, alone):
            yield inner, place.replace("`[", "`[[").replace("]`", "]]`")
    elif get_origin(hint) is dict:
        yield from _places(get_args(hint)[1], f"{path}.NAME", alone)
    elif get_origin(hint) in (Union, types.UnionType):
        choices = [each for each in get_args(hint) if each is not types.NoneType]
        for choice in choices:
            yield from _places(choice, path, alone and len(choices) == 1)


def _default(field: Any) -> str:
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    return "" if value in (None, "", [], {}) else f"`{value}`"

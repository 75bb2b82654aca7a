"""The JSON schema and the reference of fields, both made of the records that files are read as: they cannot say anything else."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from verifier.networks.records import CONSTRUCTION, ERRATA, ConstructionFile, ErrataFile
from verifier.networks.shapes import described

RECORDS: dict[str, tuple[type[msgspec.Struct], str]] = {"construction": (ConstructionFile, CONSTRUCTION), "errata": (ErrataFile, ERRATA)}
"""What can be asked for: the record of a whole file, and what its first line says."""


def json_schema(name: str) -> str:
    """The JSON schema (draft 2020-12) of construction or errata files, as text."""
    record, version = RECORDS[name]
    schema = msgspec.json.schema(record)
    schema["$defs"][record.__name__]["properties"]["format"]["const"] = version
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": version, **schema}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def field_tables(name: str) -> str:
    """Every field of every table of such a file, as Markdown."""
    return "\n".join(line for record in _records(RECORDS[name][0], []) for line in _table(record)) + "\n"


def _records(record: type[msgspec.Struct], seen: list[type[msgspec.Struct]]) -> list[type[msgspec.Struct]]:
    """A record and those within it, each once, in the order in which they are met."""
    if record not in seen:
        seen.append(record)
        for hint in get_type_hints(record, include_extras=True).values():
            for part in _parts(hint):
                if isinstance(part, type) and issubclass(part, msgspec.Struct):
                    _records(part, seen)
    return seen


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    if get_origin(hint) in (Annotated, list, dict, Union, types.UnionType):
        for each in get_args(hint):
            yield from _parts(each)


def _table(record: type[msgspec.Struct]) -> Iterator[str]:
    hints = get_type_hints(record, include_extras=True)
    yield f"### {TITLES.get(record.__name__, record.__name__)}"
    yield ""
    yield " ".join((record.__doc__ or "").split("\n\n")[0].split())
    yield ""
    yield "| field | type | default | meaning |"
    yield "| --- | --- | --- | --- |"
    for field in msgspec.structs.fields(record):
        hint = hints[field.name]
        said = next((x.description for x in get_args(hint)[1:] if isinstance(x, msgspec.Meta)), "") if get_origin(hint) is Annotated else ""
        default = "required" if field.required else _default(field)
        meaning = (said or "").replace("|", "\\|")
        yield f"| `{field.encode_name}` | {described(hint)} | {default} | {meaning} |"
    yield ""


def _default(field: Any) -> str:
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    return "" if value in (None, "", [], {}) else f"`{value}`"


TITLES = {
    "ConstructionFile": "The whole file",
    "ParameterEntry": "`[parameters.NAME]`",
    "PrecisionEntry": "`[precision]`",
    "ProblemEntry": "`[problem]`",
    "TokensEntry": "`[tokens]`",
    "InputEntry": "`[[input]]`",
    "RowEntry": "`[[row]]`",
    "RepeatedEntry": "A repeated entry of a vector",
    "WeightsEntry": "`[weights]`",
    "MatrixEntry": "`[weights.query]`, `[weights.key]`, `[weights.value]`",
    "RepeatedRow": "A repeated row of a matrix",
    "MlpEntry": "`[mlp]`",
    "NodeEntry": "`[[mlp.hidden]]`, `[mlp.output]`",
    "ExpectEntry": "`[[expect]]`",
    "ErrataFile": "The whole file",
    "ErratumEntry": "`[[erratum]]`",
    "PromiseEntry": "`[[promise]]`",
}
"""How an author knows a record."""

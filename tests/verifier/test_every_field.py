"""Every field of every kind of file counts: a file with the field changed is judged, traced or refused otherwise."""

from __future__ import annotations

import json
import tomllib
import types
from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from tests.command_line import CommandLine
from verifier.networks.errata import NetworkErrata, TableErrata
from verifier.networks.records import ConstructionFile
from verifier.transformers.records import NetworkFile

Place = tuple[str | int, ...]

FOR_READERS = {"title", "source", "note", "meaning", "why", "why_domain", "assumes", "open", "in-words"}
"""Fields that people read: no judgement can depend on them."""

OF_CLAIMS = {"keeps", "ranges"}
"""Fields of an erratum that the claims of a paper ask for, and no judgement of a file."""


def text(name: str) -> str:
    """A file in ``fields``, in which every field of its kind has a value."""
    return (Path(__file__).parent / "fields" / f"{name}.toml").read_text(encoding="utf-8")


LN2_ROUNDED = "--semantics a4+ln2=rounded"
FILES: dict[str, tuple[type[msgspec.Struct], str, str, list[list[str]]]] = {
    "table": (
        ConstructionFile,
        text("table"),
        "",
        [["construction"], ["trace", "--m 2 --x 11"], ["trace", "--m 2 --x 10", LN2_ROUNDED]],
    ),
    "floating table": (ConstructionFile, text("floating-table"), "", [["construction"], ["trace", "--m 1 --y 0 --z 0"]]),
    "errata of a table": (
        TableErrata,
        text("table-errata"),
        text("floating-table").replace(", { i = 3, reads = 0 }", ""),
        [["construction"]],
    ),
    "network": (
        NetworkFile,
        text("network"),
        "",
        [["trace", "--n 2 --w 10 --arithmetic float16"], ["construction", "--arithmetic float16"]],
    ),
    "choosing network": (NetworkFile, text("choosing-network"), "", [["construction", "--n 2"], ["trace", "--w 10"]]),
    "decoding network": (NetworkFile, text("decoding-network"), "", [["construction", "--n 2"], ["trace", "--w 10"]]),
    "errata of a network": (NetworkErrata, text("network-errata"), text("choosing-network"), [["construction", "--n 2"]]),
}


def written(raw: dict[str, Any]) -> str:
    """A document as TOML, each of its first keys on one line."""

    def inline(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{json.dumps(key)} = {inline(each)}" for key, each in value.items()) + "}"
        return "[" + ", ".join(map(inline, value)) + "]" if isinstance(value, list) else json.dumps(value)

    return "\n".join(f"{json.dumps(key)} = {inline(value)}" for key, value in raw.items())


def changes(value: Any, wanted: Any, place: Place = ()) -> Iterator[tuple[Place, list[Any]]]:
    """For each place in a value, the other values of which one at least has to be seen; each choice of few is a place of its own."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        yield from changes(value, parts[0], place)
    elif origin in (Union, types.UnionType):
        fitting = [each for each in parts if fits(value, each)]
        yield from changes(value, fitting[0], place)
    elif origin is Literal:
        yield from ((place, [other]) for other in parts if other != value)
    elif isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        hints = get_type_hints(wanted, include_extras=True)
        yield (*place, "colour"), ["red"]
        for field in msgspec.structs.fields(wanted):
            if field.encode_name in value and field.encode_name not in FOR_READERS:
                yield from changes(value[field.encode_name], hints[field.name], (*place, field.encode_name))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from changes(each, parts[1], (*place, key))
        yield place, [{key: value[key] for key in list(value)[:-1]}]
    elif isinstance(value, list):
        for k, each in enumerate(value):
            yield from changes(each, parts[0], (*place, k))
        yield from [(place, [value[:-1]])] if value else []
    elif isinstance(value, bool):
        yield place, [not value]
    else:
        yield (
            place,
            [value + 1, value - 1] if isinstance(value, int) else [f"({value}) + 1", f"({value}) - 1", f"not ({value})", f"{value}x"],
        )


def fits(value: Any, wanted: Any) -> bool:
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        return False
    return True


def cases() -> Iterator[Any]:
    """Every place. Of places that differ by a number in a list, and of the choices of one place, all but the first are campaign."""
    for name, (record, content, _, _) in FILES.items():
        met = set()
        for place, others in changes(tomllib.loads(content), record):
            kind = tuple("" if isinstance(word, int) else word for word in place)
            title = f"{name}: {'.'.join(map(str, place))} {others[0] if len(others) == 1 else ''}".strip()
            yield pytest.param(name, place, others, id=title, marks=[pytest.mark.campaign] if kind in met else [])
            met.add(kind)


CASES = list(cases())


def said(name: str, raw: dict[str, Any], verify: CommandLine) -> Iterator[tuple[int, list[str], str]]:
    """What each command says of a file in the working folder, without times."""
    _, _, base, runs = FILES[name]
    Path("base.toml").write_text(base or written(raw))
    if base:
        Path("base.errata.toml").write_text(written(raw))
    for verb, *options in runs:
        done = verify(verb, "base.toml", *options, "--format json")
        yield done.status, [line for line in done.out.splitlines() if '"seconds"' not in line], done.err


BEFORE: dict[str, list[tuple[int, list[str], str]]] = {}
"""What the program says of each file as it stands above."""


def records(wanted: Any) -> Iterator[type[msgspec.Struct]]:
    """The records that a type is made of, itself included."""
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        yield wanted
        parts = [each for name, each in get_type_hints(wanted, include_extras=True).items()]
    else:
        parts = list(get_args(wanted))
    for part in parts:
        yield from records(part)


def test_every_field_is_changed() -> None:
    """The fields of all records, but for what people read, are the words that the changed places end with."""
    named = {field.encode_name for record, *_ in FILES.values() for each in records(record) for field in msgspec.structs.fields(each)}
    changed = {word for case in CASES for word in case.values[1]}
    assert named - FOR_READERS - OF_CLAIMS <= changed


@pytest.mark.parametrize(("name", "place", "others"), CASES)
def test_every_field_counts(
    name: str, place: Place, others: list[Any], verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    raw = tomllib.loads(FILES[name][1])
    if name not in BEFORE:
        BEFORE[name] = list(said(name, raw, verify))
    before = BEFORE[name]
    assert all(status != 2 for status, _, _ in before), before
    for other in others:
        changed: Any = deepcopy(raw)
        reduce(getitem, place[:-1], changed)[place[-1]] = other
        if any(now != known for now, known in zip(said(name, changed, verify), before, strict=True)):
            return
    pytest.fail(f"{'.'.join(map(str, place))} is read and ignored: {others}")

"""Compare the definitions of the statements with the program's definitions of the same things, by digests, to find changes.

``definitions.toml`` in a proof folder groups the compared items: definitions in Coq, and functions and tables of the program, each with a
digest of its words. A comment, a docstring, a note or a line break changes no digest. If a digest differs, a theorem may no longer be about
what the program computes, so it is refused until somebody has compared the two again; generated cases compare their values.

``python -m verifier.kernel.definitions FOLDER`` writes the current digests.
"""

from __future__ import annotations

import hashlib
import sys
import tokenize
from collections.abc import Iterator, Mapping
from functools import lru_cache, reduce
from importlib import import_module
from inspect import getsource, unwrap
from io import StringIO
from pathlib import Path
from textwrap import dedent
from types import FunctionType
from typing import Any

import msgspec

from verifier.kernel import lint
from verifier.kernel.folders import DEFINITIONS as FILE
from verifier.kernel.folders import FILE as LISTING
from verifier.kernel.folders import ProofFolder, Theorem, read_folder
from verifier.kernel.propositions import Proposition, digest, proposition
from verifier.kernel.terms import sentences
from verifier.networks.files import read_toml
from verifier.networks.record_base import Strict
from verifier.running.errors import InputError

TEXTS = frozenset({"title", "source", "note", "meaning", "why"})
"""The keys in which a table describes itself in words."""
GONE = "nothing"
"""In place of a digest: the name is not a definition or function."""


class Group(Strict, frozen=True):
    """Definitions of one thing: ``Arithmetic.round``; ``verifier.arithmetic.machine:Machine.round`` or ``tables/table-6.toml``."""

    what: str
    coq: dict[str, str]
    program: dict[str, str]


class Definitions(Strict, frozen=True):
    """A ``definitions.toml``: the compared items; for each theorem the digest of its entry and of its proposition with all its definitions;
    for each statement file the digest of its links to theorems.
    """

    compared: tuple[Group, ...] = ()
    theorems: dict[str, str] = msgspec.field(default_factory=dict)
    links: dict[str, str] = msgspec.field(default_factory=dict)


def read(folder: ProofFolder) -> Definitions:
    """The definitions that were compared. None if the folder has no ``definitions.toml``.

    Raises:
        InputError: a mistake in the file.
    """
    path = folder.folder / FILE
    if not path.is_file():
        return Definitions()
    try:
        return msgspec.convert(read_toml(path), Definitions)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}") from None


def differences(folder: ProofFolder) -> list[str]:
    """The changes since the comparison, one line for each group and for each theorem."""
    coq, then = _defined(folder), read(folder)
    lines = [line for group in then.compared if (line := _changed(group, coq, in_the_program(group, folder)))]
    listed = [theorem for theorem in folder.listing.theorem if theorem.name in then.theorems]
    return lines + [found for theorem in listed if isinstance(found := unchanged(folder, then, theorem), str)]


def unchanged(folder: ProofFolder, then: Definitions, theorem: Theorem, statement: Path | None = None) -> Proposition | str:
    """The proposition of a theorem, or what has changed since then: the theorem's entry, the proposition, or a statement file's links."""
    again = f"since they were compared; read both sides, then python -m verifier.kernel.definitions {folder.folder}"
    try:
        stated = proposition(folder, theorem)
    except InputError as error:
        return f"{theorem.name}: {error}"
    if then.theorems.get(theorem.name) != digest(stated):
        return f"{theorem.name} in {LISTING}, or {theorem.statement}.{theorem.states} with its definitions, has changed {again}"
    if statement is not None and then.links.get(statement.stem) != of_links(statement):
        return f"what {statement.name} says of theorems has changed {again}"
    return stated


def of_links(statement: Path) -> str:
    """Give a single digest of a statement file's links to theorems, and its place."""
    raw = read_toml(statement)
    entries = [raw, *raw.get("step", ()), *raw.get("family", ())]
    said = [[entry.get("id"), entry.get("rows"), entry["proof"]] for entry in entries if "proof" in entry]
    return _digest(msgspec.json.encode(said, order="sorted").decode()) if said else ""


def _changed(group: Group, coq: Mapping[str, str], program: Mapping[str, str]) -> str:
    changed = [(name, now.get(name, GONE)) for then, now in ((group.coq, coq), (group.program, program)) for name in _other(then, now)]
    if not changed:
        return ""
    names = ", ".join(f"{name} {'is not there' if value == GONE else 'has changed'}" for name, value in changed)
    others = [name for name in (*group.coq, *group.program) if name not in dict(changed)]
    return f"{group.what}: {names} since the definitions were compared; read it beside {', '.join(others) or 'the paper'}"


def _other(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    yield from (name for name, value in then.items() if now.get(name, GONE) != value)


def _defined(folder: ProofFolder) -> dict[str, str]:
    """The definitions of the modules that were compared, each with the digest of its words."""
    modules = {name.partition(".")[0]: None for group in read(folder).compared for name in group.coq}
    return {name: value for module in modules if module in folder.listing.modules for name, value in _in_coq(folder, module)}


def _in_coq(folder: ProofFolder, module: str) -> Iterator[tuple[str, str]]:
    for sentence in sentences(folder.source(module), f"{module}.v"):
        if sentence.texts[0] in lint.DEFINITIONS:
            yield f"{module}.{sentence.texts[1]}", _digest(" ".join(sentence.texts))


def in_the_program(group: Group, folder: ProofFolder) -> dict[str, str]:
    """The current digests of a group's functions and tables."""
    return {name: _of_the_program(name, folder.folder.parent) for name in group.program}


def digest_of_the_program(folder: ProofFolder) -> str:
    """Give a single digest of all functions and tables with which the definitions were compared."""
    found = {name: value for group in read(folder).compared for name, value in in_the_program(group, folder).items()}
    return _digest(msgspec.json.encode(found, order="sorted").decode())


@lru_cache(maxsize=512)
def _of_the_program(name: str, paper: Path) -> str:
    if name.endswith(".toml"):
        path = paper / name
        return _digest(msgspec.json.encode(_without_texts(read_toml(path)), order="sorted").decode()) if path.is_file() else GONE
    module, _, place = name.partition(":")
    try:
        found: Any = reduce(getattr, place.split("."), import_module(module))
    except (ImportError, AttributeError):
        return GONE
    found = found.fget if isinstance(found, property) else found
    made = unwrap(found) if callable(found) else found
    return _digest(_without_comments(getsource(made)) if isinstance(made, FunctionType | type) else repr(made))


def _without_texts(content: Any) -> Any:
    """A file's content without its descriptive texts."""
    if isinstance(content, dict):
        return {key: _without_texts(value) for key, value in content.items() if key not in TEXTS}
    return [_without_texts(each) for each in content] if isinstance(content, list) else content


def _without_comments(source: str) -> str:
    """The words of a function or class, without its comments and docstrings."""
    kept, fresh = [], True
    for token in tokenize.generate_tokens(StringIO(dedent(source)).readline):
        if token.type in (tokenize.COMMENT, tokenize.NL) or (token.type == tokenize.STRING and fresh):
            continue
        fresh = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
        kept.append("" if fresh else token.string)
    return " ".join(filter(None, kept))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def written(folder: ProofFolder) -> str:
    """The file with the current digests; the comment at its head stays.

    Raises:
        InputError: a name that is not a definition or function.
    """
    path, coq = folder.folder / FILE, _defined(folder)
    text = path.read_text(encoding="utf-8").splitlines()
    lines = [line for line in text if line.startswith("#")]
    for group in read(folder).compared:
        lines += ["", "[[compared]]", f'what = "{group.what}"']
        for side, names, found in (("coq", group.coq, coq), ("program", group.program, in_the_program(group, folder))):
            lines += ["", f"[compared.{side}]"]
            for name in names:
                if found.get(name, GONE) == GONE:
                    raise InputError(f"{path}: {name} is not a definition or function")
                lines.append(f'"{name}" = "{found[name]}"')
    lines += ["", "[theorems]", *(f'{theorem.name} = "{digest(proposition(folder, theorem))}"' for theorem in folder.listing.theorem)]
    statements = sorted((folder.folder.parent / "statements").glob("*.toml"))
    lines += ["", "[links]", *(f'"{path.stem}" = "{now}"' for path in statements if (now := of_links(path)))]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    place = Path(sys.argv[1]).resolve()
    (place / FILE).write_text(written(read_folder(place.parent.name, place)), encoding="utf-8")

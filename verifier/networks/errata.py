"""Errata of table files and of network files: the printed text at a place of the file, and the text to read instead.

A file ``mine.errata.toml`` beside ``mine.toml`` is found without being named.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, field

from verifier.language.syntax import names_in
from verifier.networks.record_base import Expression, Strict, identified
from verifier.running.errors import InputError

ERRATA = "bitreferee/errata/1"
NETWORK_ERRATA = "bitreferee/network-errata/1"
ENDING = ".errata.toml"
Entry = str | int | bool


class Erratum(Strict, frozen=True):
    """One change of a file."""

    name: Annotated[str, Meta(description="A short name: small letters, digits, dots and dashes.")]
    at: Annotated[
        str | list[str],
        Meta(
            description="Where: `embedding.place`, `layer.2.scale`, `layer.1.head.2.value.share`, `mlp.hidden.1.bias`; layers, heads and "
            "lists count from 1, rows of a table go by their step (`row.5.i`). Several places if all have the same expression."
        ),
    ]
    printed: Annotated[Entry, Meta(description="The printed expression, exactly; an empty text if the entry is absent.")]
    repaired: Annotated[Entry, Meta(description="The corrected expression; an empty text if the entry is removed.")]
    why: Annotated[str, Meta(description="Why it is a mistake.")]
    in_words: Annotated[str, Meta(description="The change that an author would make, in a sentence.")] = field(default="", name="in-words")

    def __post_init__(self) -> None:
        identified(self.name, "name")
        if not self.places:
            raise ValueError("at is empty, one place at least was expected")

    @property
    def places(self) -> list[str]:
        return [self.at] if isinstance(self.at, str) else self.at

    @property
    def place(self) -> str:
        """The places of the erratum as text."""
        return ", ".join(self.places)


class TableErratum(Erratum, frozen=True):
    """One change of a table.

    keeps: a step of the proof that it keeps true, if the table computes its function without it.
    semantics: the reading in which the table fails without it, if that differs from the reading of the errata.
    ranges: whether it changes only indices, which every reader corrects: the tokens of a clause or a row, the bits that they hold, or the
    index of a quantity in an entry.
    """

    ranges: bool = False
    keeps: str = ""
    semantics: str = ""


class PromiseEntry(Strict, frozen=True):
    """A condition that is added to the promise: it does not repair the table but restricts its inputs."""

    name: str
    condition: str
    why: str

    def __post_init__(self) -> None:
        identified(self.name, "name")


class ClauseEntry(Strict, frozen=True):
    """An input clause that the file lacks, and that is added after the others: the content of some tokens."""

    name: str
    i: Expression
    reads: Expression | list[Expression]
    why: str

    def __post_init__(self) -> None:
        identified(self.name, "name")


class TableErrata(Strict, frozen=True):
    """Errata of one table, which together make it right on ``domain`` under ``semantics``."""

    format: str
    construction: str
    domain: str
    why_domain: str
    semantics: str
    erratum: list[TableErratum] = field(default_factory=list)
    promise: list[PromiseEntry] = field(default_factory=list)
    clause: list[ClauseEntry] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names of all entries that it changes or adds."""
        return [*(e.name for e in self.erratum), *(p.name for p in self.promise), *(c.name for c in self.clause)]


class NetworkErrata(Strict, frozen=True):
    """The errata of one network. The name of this file stands for the corrected network on the command line."""

    format: Annotated[str, Meta(description=f"`{NETWORK_ERRATA}`, as the file's first line.")]
    network: Annotated[str, Meta(description="The network: a file in the same folder, such as `mine.toml`, or one of the gallery.")]
    erratum: Annotated[list[Erratum], Meta(description="The changes.")]
    domain: Annotated[str, Meta(description="A condition on the parameters for which the errata are meant; by default all.")] = ""
    why_domain: Annotated[str, Meta(description="The reason for this domain.")] = ""

    def __post_init__(self) -> None:
        if len({each.name for each in self.erratum}) < len(self.erratum):
            raise ValueError("erratum: two errata have one name")
        if not self.erratum:
            raise ValueError("erratum: one change at least was expected")


def errata_beside(path: Path) -> Path | None:
    """The errata files that are found without being named."""
    errata = path.with_name(f"{path.stem}{ENDING}")
    return errata if path.suffix == ".toml" and not path.name.endswith(ENDING) and errata.is_file() else None


def changed(raw: Mapping[str, Any], errata: Iterable[Erratum], name: str = "") -> dict[str, Any]:
    """The content of a file with each erratum's printed expression replaced by the repaired one. name: the file's name, for messages.

    Raises:
        InputError: an erratum's place does not exist, or has another text.
    """
    content = copy.deepcopy(dict(raw))
    for erratum in errata:
        replace_in(content, erratum, name)
    return content


def repaired(raw: Mapping[str, Any], errata: NetworkErrata) -> dict[str, Any]:
    """The content of a network file after its errata, on their domain only: a condition on the last parameter.

    Raises:
        InputError: as of :func:`changed`; a domain of other names.
    """
    content = changed(raw, errata.erratum)
    parameters = content.get("parameters", {})
    if unknown := names_in(errata.domain) - set(parameters) if errata.domain else ():
        raise InputError(f"domain: no parameter {min(unknown)!r}; {', '.join(parameters) or 'none'} were expected")
    if errata.domain and parameters:
        last = parameters[list(parameters)[-1]]
        last["where"] = f"({last['where']}) and ({errata.domain})"
    return content


def replace_in(content: dict[str, Any], erratum: Erratum, name: str = "") -> None:
    """Replace the printed expression by the repaired one; errors as of :func:`changed`."""
    whose = f"{name}, erratum {erratum.name}" if name else f"erratum {erratum.name}"
    for at in erratum.places:
        place = _place(content, at)
        if place is None or (isinstance(place[0], dict) and place[1] not in place[0] and erratum.printed != ""):
            raise InputError(f"{whose}: the file has nothing at {at}")
        holder, key = place
        stands = holder.get(key, "") if isinstance(holder, dict) else holder[key]
        if stands != erratum.printed or isinstance(stands, bool) is not isinstance(erratum.printed, bool):
            shown = repr(stands) if isinstance(stands, str | int) else "a table or a list"
            raise InputError(f"{whose}: {at} is {shown}, {erratum.printed!r} was expected")
        if erratum.repaired != "":
            holder[key] = erratum.repaired
        elif stands != "":
            del holder[key]


def writes(raw: Mapping[str, Any], erratum: TableErratum, path: Sequence[str | int]) -> bool:
    """Whether an erratum that fits a file changes the entry with this path of keys, or one below it."""
    for at in [erratum.at] if isinstance(erratum.at, str) else erratum.at:
        here: Any = raw
        keys: list[str | int | None] = []
        for word in at.split("."):
            keys.append(_key(here, word, rows=keys == ["row"]))
            here = here.get(keys[-1]) if isinstance(here, dict) else here[keys[-1]]
        if keys[: len(path)] == list(path):
            return True
    return False


def _place(content: Any, at: str) -> tuple[Any, Any] | None:
    """The table or list and the key in it that ``at`` names, or None if no such place can exist. Rows are named by their step."""
    *way, last = at.split(".")
    here, rows = content, False
    for word in way:
        key = _key(here, word, rows)
        if key is None or (isinstance(here, dict) and key not in here):
            return None
        here, rows = here[key], here is content and word == "row"
    key = _key(here, last, rows)
    return None if key is None else (here, key)


def _key(here: Any, word: str, rows: bool) -> str | int | None:
    if isinstance(here, dict):
        return word
    if not isinstance(here, list) or not (word.isdecimal() and word.isascii()):
        return None
    if rows:
        return next((k for k, entry in enumerate(here) if entry.get("step") == int(word)), None)
    return int(word) - 1 if 1 <= int(word) <= len(here) else None

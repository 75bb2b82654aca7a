"""Errata of network files, ``format = "bitreferee/network-errata/1"``: a file that names a network, and what is changed in it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, field

from verifier.language.syntax import names_in
from verifier.networks.record_base import Strict, identified
from verifier.running.errors import InputError

ERRATA = "bitreferee/network-errata/1"
Entry = str | int | bool
ENDING = ".errata.toml"


class Erratum(Strict, frozen=True):
    """One change of a network file."""

    name: Annotated[str, Meta(description="A short name: small letters, digits, dots and dashes.")]
    at: Annotated[
        str | list[str],
        Meta(
            description="Where: `embedding.place`, `layer.2.scale`, `layer.1.head.2.value.share`, `layer.1.network.hidden.below`; "
            "layers, heads and lists count from 1. Several places if all have the same expression."
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


class NetworkErrata(Strict, frozen=True):
    """The errata of one network. The name of this file stands for the corrected network on the command line."""

    format: Annotated[str, Meta(description=f"`{ERRATA}`, as the file's first line.")]
    network: Annotated[str, Meta(description="The network: a file in the same folder, such as `mine.toml`, or one of the gallery.")]
    erratum: Annotated[list[Erratum], Meta(description="The changes.")]
    domain: Annotated[str, Meta(description="A condition on the parameters for which the errata are meant; by default all.")] = ""
    why_domain: Annotated[str, Meta(description="The reason for this domain.")] = ""

    def __post_init__(self) -> None:
        if len({each.name for each in self.erratum}) < len(self.erratum):
            raise ValueError("erratum: two of one name")
        if not self.erratum:
            raise ValueError("erratum: one change at least was expected")


def beside(path: str) -> Path | None:
    """The errata that are found without being named: ``FILE.errata.toml`` beside ``FILE.toml``."""
    if not path.endswith(".toml") or path.endswith(ENDING):
        return None
    found = Path(path.removesuffix(".toml") + ENDING)
    return found if found.is_file() else None


def repaired(raw: Mapping[str, Any], errata: NetworkErrata) -> dict[str, Any]:
    """The content of a network file after its errata, on their domain only.

    Raises:
        InputError: an erratum whose place is not there, or where something else stands.
    """
    changed = copy.deepcopy(dict(raw))
    for erratum in errata.erratum:
        for at in erratum.places:
            _replace(changed, erratum, at)
    if errata.domain:
        _restrict(changed, errata)
    return changed


def _restrict(raw: dict[str, Any], errata: NetworkErrata) -> None:
    """The domain as a condition on the last parameter that it reads, or on the last one of all."""
    parameters = raw.get("parameters", {})
    if unknown := names_in(errata.domain) - set(parameters):
        raise InputError(f"domain: no parameter {min(unknown)!r}; {', '.join(parameters) or 'none'} were expected")
    if parameters:
        last = parameters[list(parameters)[-1]]
        last["where"] = f"({last['where']}) and ({errata.domain})"


def _replace(raw: dict[str, Any], erratum: Erratum, at: str) -> None:
    *way, last = at.split(".")
    here: Any = raw
    for word in way:
        key = _key(here, word)
        if key is None or (isinstance(here, dict) and key not in here):
            raise InputError(f"erratum {erratum.name}: nothing at {at}")
        here = here[key]
    key = _key(here, last)
    if key is None:
        raise InputError(f"erratum {erratum.name}: nothing at {at}")
    found = here.get(key, "") if isinstance(here, dict) else here[key]
    if found != erratum.printed or isinstance(found, bool) is not isinstance(erratum.printed, bool):
        shown = repr(found) if isinstance(found, str | int) and found != "" else "a table or a list" if found != "" else "empty"
        raise InputError(f"erratum {erratum.name}: {at} is {shown}, {erratum.printed!r} was expected")
    if erratum.repaired == "":
        del here[key]
    else:
        here[key] = erratum.repaired


def _key(here: Any, word: str) -> str | int | None:
    """The key that a word of a place means; None where there cannot be one."""
    if isinstance(here, dict):
        return word
    if isinstance(here, list) and word.isdecimal() and word.isascii() and 1 <= int(word) <= len(here):
        return int(word) - 1
    return None

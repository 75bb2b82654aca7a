"""The parameters of a claim, from what its file, its statement and its paper say of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.claims.judge_names import converted, parsed
from verifier.claims.overlays import Raw
from verifier.claims.parameters import Parameter
from verifier.judges.registry import CORE
from verifier.language.syntax import names_in
from verifier.running.errors import InputError


def declared(raw: Raw, above: Raw, shared: Raw, own: Raw, lets: Mapping[str, str], judge: str | None) -> tuple[Parameter, ...]:
    """The owner's with what the step changes of them, then its own; of a formula, those that it uses; or those that ``takes`` names.

    shared: what ``paper.toml`` says of a parameter of that name stands for what is left out; above: the owner of a step, else nothing.

    Raises:
        InputError: a parameter with other keys, or one that is taken and not there.
    """
    entries: dict[str, dict[str, Any]] = {k: dict(shared[k]) for k in raw.get("takes", ()) if k in shared and not above}
    entries |= {k: {**shared.get(k, {}), **v} for k, v in above.get("parameters", {}).items()}
    entries |= {k: dict(shared[k]) for k in above.get("takes", ()) if k in shared and k not in entries}
    for name, entry in raw.get("parameters", {}).items():
        entries[name] = {**shared.get(name, {}), **entries.get(name, {}), **entry}
        if "typical" in entry:
            entries[name].pop("default", None)
        elif "default" in entry:
            entries[name].pop("typical", None)
    taken = raw.get("takes")
    if taken is None and above and judge in ("formula", "pairs", "expectation", "reals", "mean", "combination"):
        taken = _used(raw, own, lets, entries)
    if taken is not None:
        if unknown := set(taken) - entries.keys():
            raise InputError(f"takes names {min(unknown)!r}, which is not a parameter; there are {', '.join(entries) or 'none'}")
        entries = {k: v for k, v in entries.items() if k in taken}
    return tuple(_parameter(k, v) for k, v in entries.items())


def _used(raw: Raw, own: Raw, lets: Mapping[str, str], entries: Mapping[str, Raw]) -> set[str]:
    """The parameters that a step's formulas use, through its definitions and each other's domains and defaults."""
    fields = converted(own, CORE[raw.get("judge", "formula")][0])
    texts = [*fields.formulas(), *([raw["where"]] if "where" in raw else ())]
    found: set[str] = set()
    while texts:
        for name in names_in(texts.pop()) - found:
            found.add(name)
            texts += [lets[name]] if name in lets else []
            texts += [t for t in (entries[name].get("where"), entries[name].get("default")) if t] if name in entries else []
    return found & entries.keys()


def _parameter(name: str, entry: Raw) -> Parameter:
    known = {**entry, "name": name}
    if isinstance(known.get("names"), list):
        known["names"] = tuple(known["names"])
    try:
        made = Parameter(**known)
    except TypeError:
        allowed = "meaning, where, typical or default, meant, names, family"
        raise InputError(f"parameter {name} has the keys {', '.join(entry)}; meaning and where of {allowed} were expected") from None
    for text in (made.where, made.default, made.meant):
        if text is not None:
            parsed(text, {"parameters": {name: entry}})
    return made

"""Small edits of a network file: a symbol of a formula, another coordinate in a map, another mask, kind of attention or activation.

What states the claim is never edited: the input, the parameters, the right answer, and what coordinates are expected to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from verifier.repair.edits import Edit, edits_of
from verifier.transformers.network import set_coordinates
from verifier.transformers.records import Activation, Kind, Mask, NetworkFile

EDITED = ("constants", "embedding", "norm", "final_norm", "layer", "accept", "choose", "decode")
KEPT = ("function", "at", "steps", "until", "score", "only", "of")
CHOICES: dict[str, Sequence[str]] = {"mask": get_args(Mask), "activation": get_args(Activation), "place": ("before", "after")}
KINDS = {"head": get_args(Kind), "norm": ("layer", "rms"), "final_norm": ("layer", "rms")}
MAPS = ("query", "key", "value", "combine", "hidden", "into", "gate", "logits")
_NAME = re.compile(r"[A-Za-z_]\w*")


def network_edits(raw: Mapping[str, Any], file: NetworkFile, symbols: int = 1) -> list[Edit]:
    """The edits of ``symbols`` (1 or 2) symbols of one entry, in the file's order."""
    coordinates = list(file.coordinates or set_coordinates(file))
    found = []
    for at, printed in _entries(raw):
        words = at.split(".")
        choices = _choices(words)
        if choices or isinstance(printed, bool):
            others = [not printed] if isinstance(printed, bool) else [each for each in choices if each != (printed or choices[0])]
            found += [Edit(at, printed, other, f"{printed or choices[0]} for {other}") for other in others] if symbols == 1 else []
            continue
        found += edits_of(at, printed, symbols)
        if symbols == 1 and (part := next((word for word in words if word in MAPS), None)):
            found += _renamed(at, printed, _names(raw, words, part, coordinates))
    return found


def _entries(raw: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for part in EDITED:
        if part in raw:
            yield from _within(raw[part], part)


def _within(here: Any, at: str) -> Iterator[tuple[str, Any]]:
    if isinstance(here, Mapping):
        for key, each in here.items():
            if key not in KEPT:
                yield from _within(each, f"{at}.{key}")
        if ".head." in at and at.rpartition(".")[2].isdecimal() and at.split(".")[-2] == "head" and "mask" not in here:
            yield f"{at}.mask", ""
    elif isinstance(here, list):
        for number, each in enumerate(here, 1):
            yield from _within(each, f"{at}.{number}")
    elif isinstance(here, str | int):
        yield at, here


def _choices(words: Sequence[str]) -> Sequence[str]:
    """What else may stand there, of an entry that is one of several words."""
    if words[-1] == "kind":
        return next((kinds for part, kinds in KINDS.items() if part in words), ())
    return CHOICES.get(words[-1], ()) if len(words) > 1 and words[-2] not in ("hidden", "into", "gate", "value", "combine") else ()


def _names(raw: Mapping[str, Any], words: Sequence[str], part: str, coordinates: Sequence[str]) -> Sequence[str]:
    """The names that a map may read."""
    if part not in ("combine", "into"):
        return coordinates
    layer = raw["layer"][int(words[1]) - 1]
    if part == "into":
        return list(layer["network"]["hidden"])
    return list(dict.fromkeys(name for head in layer.get("head", []) for name in head["value"]))


def _renamed(at: str, printed: Any, names: Sequence[str]) -> Iterator[Edit]:
    text = str(printed)
    for match in _NAME.finditer(text):
        if match.group() in names:
            for other in names:
                if other != match.group():
                    yield Edit(at, printed, text[: match.start()] + other + text[match.end() :], f"{match.group()} for {other}")

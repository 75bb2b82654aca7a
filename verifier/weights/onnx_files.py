"""An ONNX model as the text of a network file, whose own export is that model again, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from verifier.arithmetic.floats import Array
from verifier.running.errors import InputError
from verifier.transformers.network import network
from verifier.transformers.operations import Operations
from verifier.transformers.records import FORMAT
from verifier.weights.families import coordinates_of
from verifier.weights.frame import Frame, head, words
from verifier.weights.network_files import check, text_of
from verifier.weights.onnx_layers import Layers
from verifier.weights.onnx_steps import Model, differs, read_model
from verifier.weights.onnx_tables import embedded

Parts = dict[str, Any]
NO_PARTS = ("layers", "final_norm", "format")
"""What the metadata have that is no part of the file."""


def from_onnx(path: Path, name: str, frame: Frame | None) -> str:
    """The network file of a model that ``verify convert`` wrote; frame: what is read and asked, where the model does not say it.

    Raises:
        InputError: another model, or one whose operations the network that was read would not give again.
        ImportError: the package onnx is missing.
    """
    model = read_model(path)
    try:
        return _text(model, path, name, frame)
    except InputError as error:
        raise InputError(str(error) if str(error).startswith(str(path)) else f"{path}: {error}") from None
    except (IndexError, KeyError, ValueError, TypeError, AttributeError):
        raise InputError(f"{path}: no model that `verify convert` wrote") from None


def _text(model: Model, path: Path, name: str, frame: Frame | None) -> str:
    said: Parts = {key: value for key, value in model.metadata.items() if key not in NO_PARTS}
    if said and frame is not None:
        raise InputError("the model itself contains its input and its question; no options were expected")
    if not said and frame is None:
        raise InputError("--function was expected: the model does not say what is asked, such as 'popcount(w) % 2'")
    first = int(said.get("input", {}).get("first", 0))
    tables, parts, maps, length = _read(model, said, first)
    rows = {key: embedded(table, first) for key, table in tables.items()}
    whole = said | _asked(said, maps) if said else _plain(next(iter(tables.values())), length, maps, list(tables))
    point = {key: int(entry["typical"]) for key, entry in whole["parameters"].items()}
    beginning = {"format": FORMAT, "id": "model", "title": "model", "source": "model"}
    file = check({**beginning, **whole, "embedding": rows, **parts}, path.name)
    if difference := differs(model, Operations(network(file, point), model.form)):
        raise InputError(difference)
    if frame is None:
        return text_of({**whole, "embedding": rows, **parts}, name, path)
    found = words(frame, len(next(iter(tables.values()))), whole=bool(maps) and not frame.yes)
    asked = head(frame, found, length, dict(zip(found.alphabet, (maps[row] for row in found.rows), strict=False)) if maps else {})
    rows = {key: embedded(table[np.array(found.rows)], first) for key, table in tables.items()}
    return text_of({**asked, "coordinates": list(tables), "embedding": rows, **parts}, name, path)


def _read(model: Model, said: Mapping[str, Any], first: int) -> tuple[dict[str, Array], Parts, list[str], int]:
    """The embedding as tables, layers and last norm, the maps of the logits, and how many positions there are."""
    width = next((model.tables[step.of[0]].shape[-1] for step in model.steps if step.operation == "Gather"), 0)
    names = said.get("coordinates") or coordinates_of(width)
    reader = Layers(model, names, first)
    x, tables, length = reader.embedding()
    layers, final, x = reader.layers(x)
    maps = reader.maps(x, names)[1] if "logits" in model.outputs else []
    parts: Parts = {"layer": layers}
    return dict(zip(names, tables, strict=True)), parts | ({"final_norm": final} if final else {}), maps, length


def _asked(said: Mapping[str, Any], maps: list[str]) -> Parts:
    """The table that chooses symbols, with the maps that the model has."""
    part = next((key for key in ("choose", "decode") if key in said), None)
    if part is None or not maps:
        return {}
    return {part: {key: value for key, value in said[part].items() if key != "logit"} | {"logits": _by_symbol(said["input"], maps)}}


def _by_symbol(entry: Mapping[str, Any], maps: list[str]) -> dict[str, str]:
    return dict(zip(entry.get("alphabet", ["0", "1"]), maps, strict=True))


def _plain(table: Array, length: int, maps: list[str], names: list[str]) -> Parts:
    """A file for a model that says nothing of what is read and asked: strings of all its words."""
    alphabet = [str(k) for k in range(len(table))]
    entry = {"strings": {"w": "n"}, "tokens": ["w"], "alphabet": alphabet}
    made: Parts = {"parameters": {"n": {"where": f"n == {length}", "typical": str(length)}}, "input": entry, "coordinates": names}
    if maps:
        return made | {"choose": {"function": "0", "at": "last", "logits": _by_symbol(entry, maps)}}
    return made | {"accept": {"function": "n >= 0", "at": "last", "yes": f"{names[0]} > 0"}}

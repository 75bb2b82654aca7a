"""A weight file as the text of a network file, read again before anyone sees it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from verifier.networks.files import misfits
from verifier.networks.record_base import smallest
from verifier.running.errors import FileDefect, FileDefects, InputError
from verifier.running.identifiers import slug
from verifier.transformers.network import network
from verifier.transformers.records import FORMAT, NetworkFile
from verifier.weights.families import EXPECTED, FAMILIES, PREFIXES
from verifier.weights.frame import Frame, Settings
from verifier.weights.tensors import Tensors
from verifier.weights.toml_text import toml_text


def from_tensors(path: Path, name: str, given: Mapping[str, Any], frame: Frame) -> str:
    """The network file of a block in named tensors.

    path: ``.npz``, ``.safetensors``, a folder with shards or their index. name: of the file to be written.

    Raises:
        InputError: what cannot be read, what is missing, or names of no known family.
        LimitError: too large.
    """
    family, tensors = _family(path)
    parts = family(tensors, Settings(given, tensors.file.config()), frame)
    return text_of(parts, name, path)


def _family(path: Path) -> tuple[Any, Tensors]:
    tensors = Tensors(path)
    for prefix in PREFIXES:
        tensors.prefix = prefix
        for pattern, family in FAMILIES.items():
            if tensors.matching(pattern):
                return family, tensors
    held = ", ".join(list(tensors.shapes)[:4])
    raise InputError(f"{path} has {held or 'no tensors'}; a tensor {EXPECTED} was expected")


def text_of(parts: Mapping[str, Any], name: str, source: Path) -> str:
    """The text of a file with these parts, which is a network file without mistakes.

    Raises:
        InputError: naming them.
    """
    beginning = {"format": FORMAT, "id": slug(Path(name).stem), "title": f"{slug(source.stem)}, imported", "source": source.name}
    raw = {**beginning, "note": NOTE, **parts}
    text = toml_text(raw)
    check(tomllib.loads(text), name)
    return text


NOTE = "Every weight is the exact value of the float that the source holds."


def check(raw: Mapping[str, Any], name: str) -> NetworkFile:
    """The record of a file that the program wrote.

    Raises:
        FileDefects: what the weights or the words given cannot mean.
    """
    try:
        file = msgspec.convert(raw, NetworkFile)
    except msgspec.ValidationError as error:
        raise FileDefects(list(misfits(raw, NetworkFile)) or [FileDefect((), str(error))], name) from None
    network(file, smallest(file, {}), name)
    return file

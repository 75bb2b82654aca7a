"""The results of ``verify precision`` so far, kept in a file, so that an interrupted run can be continued.

A line of the file is a JSON record: a digest of the program's version, the network, the arithmetic and the first length, and the cell
after one more length.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from verifier import __version__
from verifier.running.errors import InputError
from verifier.running.input_files import MOST_RESULT_BYTES, read_regular
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.cells import Cell, Wrong
from verifier.transformers.enumeration import WHOLE, Part
from verifier.transformers.outputs import Answer
from verifier.transformers.records import NetworkFile

NAMES = {"key", "cell"}


class Journal:
    """Cells by what they are about; without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path, self._known = path, dict[str, dict[str, Any]]()
        if path is not None and path.exists():
            for number, line in enumerate(_lines(path), 1):
                try:
                    record = json.loads(line)
                except ValueError:
                    break  # an interrupted run may leave half a line at the end
                if not isinstance(record, dict) or record.keys() != NAMES:
                    raise InputError(f"{path}: line {number} does not belong to a journal of `verify precision`")
                self._known[record["key"]] = record["cell"]

    def known(
        self, file: NetworkFile, arithmetic: Arithmetic, lengths: range, given: Mapping[str, int], construction: str, part: Part = WHOLE
    ) -> Cell | None:
        """What is decided of these lengths, in a part of their inputs."""
        found = self._known.get(_key(file, arithmetic, lengths, given, part))
        if found is None:
            return None
        wrong = found["first_wrong"]
        if wrong is not None:
            wrong = Wrong(wrong["length"], wrong["strings"], Answer(**wrong["answer"]))
            if wrong.length > lengths[-1]:
                return None
        kept = {name: found[name] for name in ("decided_to", "cases", "method")}
        return Cell(construction, file.length, dict(given), arithmetic, wrong, **kept)

    def keep(self, file: NetworkFile, lengths: range, cell: Cell, part: Part = WHOLE) -> None:
        """Write what is decided after one more length."""
        if self._path is None:
            return
        kept = {name: getattr(cell, name) for name in ("decided_to", "cases", "method")}
        kept["first_wrong"] = cell.first_wrong and asdict(cell.first_wrong)
        line = json.dumps({"key": _key(file, cell.arithmetic, lengths, cell.given, part), "cell": kept})
        try:
            with self._path.open("a", encoding="utf-8") as journal:
                journal.write(line + "\n")
        except OSError as error:
            raise InputError(f"{self._path}: {error.strerror}") from None


def _lines(path: Path) -> list[str]:
    try:
        return read_regular(path, MOST_RESULT_BYTES).splitlines()
    except InputError:
        raise InputError(f"{path}: a journal of `verify precision` was expected") from None


def _key(file: NetworkFile, arithmetic: Arithmetic, lengths: range, given: Mapping[str, int], part: Part) -> str:
    about: list[Any] = [__version__, str(arithmetic), lengths.start, sorted(given.items())]
    if part != WHOLE:
        about.append(str(part))
    return sha256(msgspec.json.encode(file) + json.dumps(about).encode()).hexdigest()

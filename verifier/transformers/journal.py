"""The results of ``verify precision`` so far, kept in a file (:class:`verifier.running.results.Store`), so that an interrupted run can be
continued: it keeps, for a network in an arithmetic from a first length on, the cell up to the last decided length.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import msgspec

from verifier.arithmetic.semantics import Arithmetic
from verifier.running.results import Store
from verifier.transformers.answers import WHOLE, Part
from verifier.transformers.cells import Cell, Wrong
from verifier.transformers.outputs import Answer
from verifier.transformers.records import NetworkFile


class Journal:
    """A journal of cells by their subjects. A journal without a path keeps nothing.

    Raises:
        InputError: the file holds something else.
    """

    def __init__(self, path: Path | None, option: str = "--journal") -> None:
        self._store = None if path is None else Store(path, option)
        if self._store is not None:
            self._store.prepare()

    def known(
        self, file: NetworkFile, arithmetic: Arithmetic, lengths: range, given: Mapping[str, int], construction: str, part: Part = WHOLE
    ) -> Cell | None:
        """The kept result of these lengths, for a part of their inputs, or None without one."""
        content = None if self._store is None else self._store.find(_question(file, arithmetic, lengths, given, part))
        if content is None:
            return None
        found = json.loads(content)
        wrong = found["first_wrong"]
        if wrong is not None:
            wrong = Wrong(wrong["length"], wrong["strings"], Answer(**wrong["answer"]))
            if wrong.length > lengths[-1]:
                return None
        kept = {name: found[name] for name in ("decided_to", "cases", "method")}
        return Cell(construction, file.length, dict(given), arithmetic, wrong, **kept)

    def keep(self, file: NetworkFile, lengths: range, cell: Cell, part: Part = WHOLE) -> None:
        """Keep the result after one more length."""
        if self._store is None:
            return
        kept = {name: getattr(cell, name) for name in ("decided_to", "cases", "method")}
        kept["first_wrong"] = cell.first_wrong and asdict(cell.first_wrong)
        self._store.keep(_question(file, cell.arithmetic, lengths, cell.given, part), json.dumps(kept).encode(), {})


def _question(file: NetworkFile, arithmetic: Arithmetic, lengths: range, given: Mapping[str, int], part: Part) -> list[object]:
    """The data on which a cell depends. The file's content stands for the file, so that journals of several machines can be merged."""
    return ["precision", msgspec.to_builtins(file), str(arithmetic), lengths.start, sorted(given.items()), str(part)]

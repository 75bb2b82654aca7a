"""The cells of ``verify precision``: decided here, as a whole or as a shard, or merged from the shards' journals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import InputError
from verifier.running.limits import Advance, Limits
from verifier.transformers.cells import Cell
from verifier.transformers.enumeration import WHOLE, Part
from verifier.transformers.journal import Journal
from verifier.transformers.precision import decided_lengths, merged
from verifier.transformers.records import NetworkFile


@dataclass(frozen=True)
class Deciding:
    """The task of one command: a network at these lengths.

    part:   of the inputs, kept in the ``journal``; shards: journals that hold all parts, if their cells are merged instead.
    pool:   gives so many ``workers``, processes, when they are needed.
    """

    name: str
    file: NetworkFile
    lengths: range
    given: Mapping[str, int]
    limits: Limits
    journal: Journal
    part: Part
    shards: Sequence[Journal]
    pool: Callable[[], Executor]
    workers: int

    def cell(self, how: Arithmetic, advance: Advance) -> Cell:
        """The network in one arithmetic.

        Raises:
            InputError: a shard is in no journal.
        """
        if self.shards:
            return merged([self._of_shard(Part(k, len(self.shards)), how) for k in range(1, len(self.shards) + 1)], self.file, self.lengths)
        known = self.journal.known(self.file, how, self.lengths, self.given, self.name, self.part)
        about = (self.name, self.file, how, self.lengths, self.given, self.limits)
        for cell in decided_lengths(*about, advance, known, self.part, self.pool if self.workers > 1 else None):
            if cell is not known and not cell.stopped:
                self.journal.keep(self.file, self.lengths, cell, self.part)
        return cell

    def _of_shard(self, part: Part, how: Arithmetic) -> Cell:
        for journal in self.shards:
            found = journal.known(self.file, how, self.lengths, self.given, self.name, part)
            if found is not None:
                return found
        given = "1 journal was given, but it lacks" if part.of == 1 else f"{part.of} journals were given, but none has"
        raise InputError(f"--merge: {given} shard {part} of {self.name} in {how} at these lengths")


def part_of(shard: str | None, journal: Path | None, others: bool) -> Part:
    """The part that ``--shard`` names; ``others``: whether options are given that speak of all inputs.

    Raises:
        InputError: it names none, or nothing keeps what is decided.
    """
    if shard is None:
        return WHOLE
    if journal is None or others:
        raise InputError("--shard: --journal was expected, and no --vary, --certificate, --picture or --merge")
    return Part.read(shard)

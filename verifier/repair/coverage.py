"""How often each token has a row, and how often a clause that says what it holds: once each in a well-formed table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verifier.language.exact import integer
from verifier.networks.indices import index_set
from verifier.networks.instance import Instance
from verifier.networks.instantiate import names_at
from verifier.networks.record_base import Expression
from verifier.networks.records import ConstructionFile

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Coverage:
    """counts: for the rows and for the clauses, how often each token is named, and last how many indices name no token."""

    counts: Counts

    def with_both(self, one: Coverage, other: Coverage) -> bool:
        """Whether two edits of different places of this construction name every token once, and nothing else.

        one, other: the coverage after each edit alone. What an edit adds or takes away, it does so beside the other.
        """
        both = one.counts + other.counts - self.counts
        return bool((both[:, :-1] == 1).all() and (both[:, -1] == 0).all())


def coverage(file: ConstructionFile, instance: Instance) -> Coverage:
    """The coverage of a construction that can be read, at the instance's parameters."""
    names = names_at(file, instance.parameters)
    first, last = (integer(text, names) for text in (file.tokens.first, file.tokens.last))

    def counted(texts: Iterable[Expression]) -> Counts:
        named = np.array([i - first for text in texts for i in index_set(text, names)], dtype=np.int64)
        size = last - first + 1
        inside = (named >= 0) & (named < size)
        return np.bincount(np.where(inside, named, size), minlength=size + 1)

    return Coverage(np.stack([counted(row.i for row in file.row), counted(clause.i for clause in file.input)]))

"""Exact one-way complexity of small problems: two of Alice's inputs need different messages where some input of Bob's separates them.

Alice's inputs and these conflicts make a graph; a protocol with k messages is a proper colouring with k colours. For a total function
the conflict-free relation is an equivalence and the count is that of the distinct rows; under a promise it need not be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lowerbounds.communication import UNDEFINED, CommunicationProblem
from verifier.running.errors import LimitError

LARGEST = 512


@dataclass(frozen=True)
class Complexity:
    """A clique of inputs that pairwise conflict, and a proper colouring: a message for each of Alice's inputs.

    ``messages`` lies between their sizes; it is exact where they agree.
    """

    problem: str
    clique: tuple[int, ...]
    colouring: tuple[int, ...]

    @property
    def at_least(self) -> int:
        return len(self.clique)

    @property
    def at_most(self) -> int:
        return len(set(self.colouring))

    @property
    def exact(self) -> bool:
        return self.at_least == self.at_most

    @property
    def bits(self) -> tuple[int, int]:
        """Between how many bits and how many."""
        return (self.at_least - 1).bit_length(), (self.at_most - 1).bit_length()


def conflicts(problem: CommunicationProblem) -> npt.NDArray[np.bool_]:
    """The pairs of Alice's inputs that some input of Bob's separates: both entries are defined and differ.

    Raises:
        LimitError: more than 512 inputs of Alice's.
    """
    if problem.alice > LARGEST:
        raise LimitError(
            f"{problem.name} has {problem.alice} inputs of Alice's, its conflicts are listed up to {LARGEST}", "a smaller size"
        )
    table = problem.matrix()
    defined = table != UNDEFINED
    return np.stack([((table != row) & defined & (row != UNDEFINED)).any(axis=1) for row in table])


def one_way_complexity(problem: CommunicationProblem) -> Complexity:
    """A largest clique that was found and a colouring that was found; where they agree the complexity is exact.

    The colouring tries networkx's greedy orders, then as many colours as the clique has by backtracking on small problems.
    """
    import networkx as nx

    matrix = conflicts(problem)
    graph: Any = nx.from_numpy_array(matrix)
    clique = _clique(graph, matrix)
    orders = ("DSATUR", "largest_first", "smallest_last")
    colourings = [nx.greedy_color(graph, strategy=order) for order in orders]
    best = min(colourings, key=lambda colours: len(set(colours.values())))
    colouring = tuple(best[x] for x in range(problem.alice))
    if len(set(colouring)) > len(clique) and problem.alice <= 16:
        colouring = _fewest_colours(matrix, len(clique), colouring)
    return Complexity(problem.name, tuple(sorted(clique)), colouring)


def _clique(graph: Any, matrix: npt.NDArray[np.bool_]) -> list[int]:
    """A maximum clique of a small graph; the whole graph where it is complete, else the best of a bounded search."""
    import networkx as nx

    size = len(matrix)
    if matrix.sum() == size * (size - 1):
        return list(range(size))
    if size <= 64:
        return list(nx.max_weight_clique(graph, weight=None)[0])
    return list(nx.approximation.max_clique(graph))


def _fewest_colours(matrix: npt.NDArray[np.bool_], least: int, known: tuple[int, ...]) -> tuple[int, ...]:
    """A colouring with as few colours as possible, from ``least`` up, by backtracking."""
    for colours in range(least, len(set(known))):
        found = _coloured(matrix, colours, [])
        if found is not None:
            return tuple(found)
    return known


def _coloured(matrix: npt.NDArray[np.bool_], colours: int, chosen: list[int]) -> list[int] | None:
    x = len(chosen)
    if x == len(matrix):
        return chosen
    taken = {chosen[k] for k in range(x) if matrix[x, k]}
    for colour in range(min(colours, max(chosen, default=-1) + 2)):
        if colour not in taken and (found := _coloured(matrix, colours, [*chosen, colour])) is not None:
            return found
    return None


def is_proper(problem: CommunicationProblem, colouring: tuple[int, ...]) -> bool:
    """Whether no two inputs with one colour conflict."""
    matrix = conflicts(problem)
    colours = np.array(colouring)
    return not (matrix & (colours[:, None] == colours[None, :])).any()

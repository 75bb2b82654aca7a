"""How many edges of a graph, or sets of states, can be disjoint, with certificates that are easier to check than to find.

Tutte and Berge: for every set U of vertices a matching has at most |U| + Σ ⌊|C|/2⌋ edges, summed over the components C of the graph
without U; and some U attains the maximum. For larger sets: where every set has at least ``least`` of the weight of the states, at most
(sum of all weights)/least of them are disjoint; linear programming finds the weights, and a sum checks them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from verifier.running.errors import MissingExtraError

Edge = tuple[int, int]


@dataclass(frozen=True)
class Matching:
    """A matching that was found, and the set U (``barrier``) whose bound, recomputed from the edges, no matching exceeds."""

    edges: frozenset[Edge]
    barrier: frozenset[int]
    bound: int


def bound(edges: Iterable[Edge], barrier: frozenset[int]) -> int:
    """|U| + Σ ⌊|C|/2⌋ over the components of the graph of ``edges`` without U, by merging the ends of each edge."""
    leader: dict[int, int] = {}

    def find(x: int) -> int:
        leader.setdefault(x, x)
        while leader[x] != x:
            leader[x] = leader[leader[x]]
            x = leader[x]
        return x

    for u, v in edges:
        if u not in barrier and v not in barrier:
            leader[find(u)] = find(v)
    sizes = Counter(find(x) for x in list(leader))
    return len(barrier) + sum(size // 2 for size in sizes.values())


def neighbours_of_leaves(edges: Iterable[Edge]) -> frozenset[int]:
    """A barrier that is often the best one: while a vertex has one neighbour only, that neighbour joins it and both are removed.

    Vertices are taken in a fixed order, so that another program that does the same finds the same.
    """
    around: dict[int, set[int]] = {}
    for u, v in edges:
        around.setdefault(u, set()).add(v)
        around.setdefault(v, set()).add(u)
    barrier, leaves = set(), sorted(x for x, beside in around.items() if len(beside) == 1)
    while leaves:
        leaf = leaves.pop()
        if len(around.get(leaf, ())) == 1:
            (centre,) = around[leaf]
            barrier.add(centre)
            for x in sorted(around.pop(centre)):
                around[x].discard(centre)
                if len(around[x]) == 1:
                    leaves.append(x)
    return frozenset(barrier)


def largest_matching(edges: Iterable[Edge]) -> Matching:
    """A largest matching (networkx, Edmonds' algorithm) with a barrier that attains its size.

    Raises:
        AssertionError: the barrier does not, so that one of the two is wrong.
    """
    import networkx as nx

    known = sorted(edges)
    graph: Any = nx.Graph(known)
    found = frozenset((u, v) for u, v in nx.max_weight_matching(graph, maxcardinality=True))
    barrier = neighbours_of_leaves(known)
    if bound(known, barrier) != len(found):
        barrier = _gallai_edmonds(graph, len(found))
    matching = Matching(found, barrier, bound(known, barrier))
    if matching.bound != len(found) or len({x for edge in found for x in edge}) != 2 * len(found):
        raise AssertionError(f"{len(found)} disjoint edges were found and a bound of {matching.bound}")
    return matching


def _gallai_edmonds(graph: Any, size: int) -> frozenset[int]:
    """The neighbours of the vertices that some largest matching misses, those vertices left out (Gallai and Edmonds).

    Each of them has two neighbours among the missed, in different components.
    """
    import networkx as nx

    missed = set()
    for x in graph:
        rest = graph.copy()
        rest.remove_node(x)
        if len(nx.max_weight_matching(rest, maxcardinality=True)) == size:
            missed.add(x)
    return frozenset(y for x in missed for y in graph[x] if y not in missed)


HEAVIEST = 35
"""The largest weight that is given: certificates write a weight as one letter or digit."""


@dataclass(frozen=True)
class Cover:
    """A weight for each state, by number, under which the sets that are covered have at least ``least``."""

    least: int
    weights: tuple[int, ...]

    @property
    def room(self) -> int:
        """How many disjoint sets can be covered."""
        return sum(self.weights) // self.least

    def covers(self, sets: Collection[tuple[int, ...]]) -> bool:
        """Whether each of the sets has the weight."""
        return all(sum(self.weights[s] for s in one) >= self.least for one in sets)


def tight_cover(sets: Collection[tuple[int, ...]], states: int, needed: int) -> Cover | None:
    """Whole weights, of states 0 … ``states`` − 1, that leave room for fewer than ``needed`` of the sets; None where none were found.

    Linear programming in floating point proposes the weights; that they cover the sets and how much room they leave is exact. None is more
    than ``least``, so that a set of one state has enough. Where it proposes no less than ``needed``, no whole weights leave less room.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    try:
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix
    except ImportError:
        raise MissingExtraError("the search for weights needs scipy", "search") from None
    rows = [k for k, one in enumerate(sets) for _ in one]
    columns = [s for one in sets for s in one]
    matrix: Any = csr_matrix(([-1.0] * len(rows), (rows, columns)), shape=(len(sets), states))
    solved: Any = linprog([1.0] * states, A_ub=matrix, b_ub=[-1.0] * len(sets), bounds=(0, None), method="highs")
    if solved.status != 0 or solved.fun >= needed:
        return None
    for least in range(1, HEAVIEST + 1):
        for up in (0.5, 0.999):
            cover = Cover(least, tuple(int(w * least + up) for w in solved.x))
            if cover.room < needed and cover.covers(sets):
                return cover
    return None

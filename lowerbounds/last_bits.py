"""The states that the last bits of Alice's string must still distinguish. Each state before these bits leads to a set of states after them,
and these sets are disjoint.

Let f0, f1 be the maps of the running sums by the token of y_m for the bits 0 and 1. The 2^(m−1) states before it have 2^m different images:
as edges {f0(s), f1(s)} they are a matching. The tokens of the last k bits map each state before them to a *code* of 2^k different states,
and 2^(m−k) of these codes are disjoint. The search goes through all pairs of maps, backwards from the last bit; if no pair leaves enough
disjoint codes, no weights and products separate all 2^m strings, whatever the earlier tokens are.

A certificate bounds the number of disjoint edges (Tutte, Berge): for every set U of vertices a matching has at most |U| + Σ ⌊|C|/2⌋ edges,
summed over the components C of the graph without U, and some U attains the maximum. For codes: if every set has at least ``least`` of the
weight of the states, at most (sum of all weights)/least are disjoint; linear programming finds the weights, and a sum checks them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import Any

from lowerbounds.running_sums import START, RunningSums, Sums
from verifier.running.errors import MissingExtraError

Edge = tuple[int, int]


@dataclass(frozen=True)
class Matching:
    """A matching that was found, and a set U (``barrier``) that proves that no matching is larger."""

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
    """A barrier that is often the best one: while some vertex has only one neighbour, that neighbour joins it and both are removed.

    Vertices are taken in a fixed order, so that another implementation finds the same barrier.
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

    Each of these neighbours has two neighbours among the missed vertices, in different components.
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
    """A weight for each state, by number, under which the covered sets have at least ``least``."""

    least: int
    weights: tuple[int, ...]

    @property
    def room(self) -> int:
        """The largest number of disjoint sets that the weights allow."""
        return sum(self.weights) // self.least

    def covers(self, sets: Collection[tuple[int, ...]]) -> bool:
        """Whether each of the sets has the weight."""
        return all(sum(self.weights[s] for s in one) >= self.least for one in sets)


def tight_cover(sets: Collection[tuple[int, ...]], states: int, needed: int) -> Cover | None:
    """Integer weights of states 0 … ``states`` − 1 that leave room for fewer than ``needed`` of the sets, or None if none were found.

    Linear programming in floating point proposes the weights; the check that they cover the sets, and the room that they leave, are exact.
    No weight exceeds ``least``, so a set of one state has enough. If it proposes at least ``needed``, no integer weights leave less room.

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


Codes = dict[int, tuple[int, ...]]
"""The codes of states, by number. A code lists the states to which the strings of the last bits lead, if they are all different."""

Image = tuple[int | None, ...]
Table = Sequence[tuple[Sums, Sums]]
"""List for each token of y_1, y_2, … what it adds (product, weight) for the bit 0 and for the bit 1."""
Path = tuple[tuple[Sums, Sums], ...]
"""The moves of the tokens of some last bits, the earliest first."""


@dataclass
class Level:
    """One bit from the end: the number of pairs of maps for its token, and the number that each reason excluded.

    codes:     fewer states than needed have a code.
    images:    all codes together contain fewer than 2^m states.
    matching:  fewer edges than needed are disjoint, by a barrier of Tutte and Berge; ``disjoint`` bounds what any such pair leaves.
    covers:    fewer codes than needed are disjoint, by weights of the states.
    continued: none of these reasons applies; the search continues with the bit before.
    """

    bit: str
    needed: int
    pairs: int = 0
    codes: int = 0
    images: int = 0
    matching: int = 0
    covers: int = 0
    continued: int = 0
    disjoint: int = 0

    def __str__(self) -> str:
        reasons = f"{self.codes:,} by states, {self.images:,} by images, {self.matching:,} by matchings"
        reasons += f", {self.covers:,} by weights" if self.covers else ""
        best = f" (at most {self.disjoint:,} of {self.needed:,} edges)" if self.matching and not self.continued else ""
        return f"{self.bit}: {self.pairs:,} pairs of maps, excluded {reasons}{best}, {self.continued:,} go on"


@dataclass
class Backwards:
    """The result of going backwards: the levels from the last bit on, and the states and moves that separate all strings, if any do.

    found: for y_1 the two states after its token, for each later bit the moves of its token for 0 and 1, or None if none exists.
    covers: for each choice of the last tokens that goes on, the weights that exclude tokens before them.
    """

    levels: list[Level] = field(default_factory=list)
    found: list[tuple[Sums, Sums]] | None = None
    covers: dict[Path, list[Cover]] = field(default_factory=dict)

    @property
    def pairs(self) -> int:
        return sum(level.pairs for level in self.levels)

    def __str__(self) -> str:
        return "; ".join(str(level) for level in self.levels if level.pairs)


class _Search:
    def __init__(self, sums: RunningSums, length: int, spend: Callable[[int], None]) -> None:
        self.sums, self.length, self.spend = sums, length, spend
        names = ["y_m", *(f"y_(m-{k})" for k in range(1, length))]
        self.found = Backwards([Level(name, 1 << length - k) for k, name in enumerate(names[:-1], 1)])

    def before(self, codes: Codes, path: Path) -> bool:
        """Try the token before those of ``path``; return whether a table was found."""
        depth = len(path)
        if depth == self.length - 1:
            return self._first_bit(codes, path)
        level, maps = self.found.levels[depth], self.sums.maps
        covers = self.found.covers.setdefault(path, [])
        level.pairs += comb(len(maps), 2)
        made = {image: [codes.get(x, ()) for x in image] for image in maps}  # type: ignore[arg-type]  # None is no key
        coded = {image: sum(1 << s for s, code in enumerate(listed) if code) for image, listed in made.items()}
        useful = [image for image in maps if coded[image].bit_count() >= level.needed]
        self.spend(comb(len(useful), 2) + 1)
        sets = {image: [sum(1 << s for s in code) for code in made[image]] for image in useful}
        level.codes += comb(len(maps), 2) - comb(len(useful), 2)
        for zero, one in combinations(useful, 2):
            if (coded[zero] & coded[one]).bit_count() < level.needed:
                level.codes += 1
                continue
            both = {u | v: s for s, (u, v) in enumerate(zip(sets[zero], sets[one], strict=True)) if u and v and not u & v}
            if len(both) < level.needed:
                level.codes += 1
            elif reduce(or_, both).bit_count() < 1 << self.length:
                level.images += 1
            elif self._goes_on(level, zero, one, {s: made[zero][s] + made[one][s] for s in both.values()}, covers, depth):
                longer = prepended(zero, one, codes)
                if self.before(longer, ((maps[zero], maps[one]), *path)):
                    return True
        return False

    def _goes_on(self, level: Level, zero: Image, one: Image, codes: Codes, covers: list[Cover], depth: int) -> bool:
        """Whether enough disjoint codes are still possible: neither the edges of this pair, nor those of the last bit, nor weights exclude
        it."""
        here = {(zero[s], one[s]) for s in codes}
        last = {(code[k], code[k + 1]) for code in codes.values() for k in range(0, len(code), 2)}
        self.spend(len(here) + len(last))
        for edges, needed in ((here, level.needed), (last, 1 << self.length - 1)):
            disjoint = most_disjoint(edges, needed, exact=not depth)  # type: ignore[arg-type]  # a state with a code has both images
            if disjoint < needed:
                level.matching += 1
                level.disjoint = max(level.disjoint, disjoint * level.needed // needed)
                return False
        if depth and self._covered(level, list(codes.values()), covers):
            level.covers += 1
            return False
        level.continued += 1
        return True

    def _covered(self, level: Level, codes: list[tuple[int, ...]], covers: list[Cover]) -> bool:
        """Whether known or new weights leave too little room for these codes."""
        if any(cover.covers(codes) for cover in reversed(covers)):
            return True
        self.spend(len(codes) * len(codes[0]))
        cover = tight_cover(codes, len(self.sums.states), level.needed)
        if cover is not None:
            covers.append(cover)
        return cover is not None

    def _first_bit(self, codes: Codes, path: Path) -> bool:
        """Whether two states that y_1's token can leave have disjoint codes."""
        for u, v in combinations((i for i, s in enumerate(self.sums.states) if s in self.sums.first and i in codes), 2):
            if set(codes[u]).isdisjoint(codes[v]):
                self.found.found = [(self.sums.states[u], self.sums.states[v]), *path]
                return True
        return False


def prepended(zero: Image, one: Image, codes: Codes) -> Codes:
    """The codes of the states before one more token: those of its two images, if both have one and all states are different."""
    longer = {}
    for s, (u, v) in enumerate(zip(zero, one, strict=True)):
        if u in codes and v in codes:
            code = codes[u] + codes[v]
            if len(set(code)) == len(code):
                longer[s] = code
    return longer


def most_disjoint(edges: set[tuple[int, int]], needed: int, exact: bool) -> int:
    """A bound on the number of disjoint edges: a quick one if it is below ``needed`` or sufficient, else the largest matching's barrier."""
    quick = bound(edges, neighbours_of_leaves(edges))
    return quick if quick < needed or not exact else largest_matching(edges).bound


def last_bits(sums: RunningSums, length: int, spend: Callable[[int], None] = lambda steps: None) -> Backwards:
    """Whether some tokens of y_1 … y_m leave 2^m different states, m = ``length`` ≥ 1, decided by going backwards.

    spend: receives the counts of pairs of maps, edges and members of codes; it raises if they are too many.
    """
    search = _Search(sums, length, spend)
    search.before({i: (i,) for i in range(len(sums.states))}, ())
    return search.found


def told_apart(sums: RunningSums, table: Table) -> int:
    """The number of different acceptable states that the tokens of a table reach over all strings, on T0, run token by token.

    0 if a token of the table is not a move.
    """
    known, left = set(sums.states), {START}
    for zero, one in table:
        if zero not in sums.moves or one not in sums.moves:
            return 0
        left = {sums.moved(s, move) for s in left for move in (zero, one)}
    return len(left & known)


def tells_apart(sums: RunningSums, table: Table) -> bool:
    """Whether the tokens of a table map all strings to different states."""
    return told_apart(sums, table) == 1 << len(table)


def fewest_denominators(sums: RunningSums, strings: int) -> int:
    """The least number of denominators among this many different states, by the number of states of each denominator."""
    held, most = 0, Counter(denominator for _, denominator in sums.states).most_common()
    for count, (_, states) in enumerate(most, 1):
        held += states
        if held >= strings:
            return count
    raise ValueError(f"{held:,} states are fewer than {strings:,} strings")


@dataclass(frozen=True)
class Barrier:
    """Why two maps, each given by one of its moves, leave fewer disjoint edges than needed: the states of U, ascending by number."""

    zero: Sums
    one: Sums
    states: tuple[int, ...]


def barriers(sums: RunningSums, length: int, exact: bool = True) -> tuple[list[Barrier], list[tuple[Sums, Sums]]]:
    """The barriers that exclude, at the last bit alone, pairs of maps that counting does not exclude; and the moves of the pairs that go
    on.

    exact: whether to find a largest matching if the neighbours of leaves exclude nothing; without it more pairs may go on.
    States are numbered in ascending order of numerator, then denominator, as :attr:`RunningSums.states` lists them.
    """
    half = 1 << length - 1
    found, going_on = [], []
    wide = [image for image in sums.maps if len({*image} - {None}) >= half]
    for zero, one in combinations(wide, 2):
        edges = [(u, v) for u, v in zip(zero, one, strict=True) if u is not None and v is not None and u != v]
        if len({s for edge in edges for s in edge}) < 2 * half:
            continue
        different = set(edges)
        barrier = neighbours_of_leaves(different)
        if bound(different, barrier) >= half:
            matching = largest_matching(different) if exact else None
            if matching is None or matching.bound >= half:
                going_on.append((sums.maps[zero], sums.maps[one]))
                continue
            barrier = matching.barrier
        found.append(Barrier(sums.maps[zero], sums.maps[one], tuple(sorted(barrier))))
    return found, going_on

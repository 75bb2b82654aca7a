"""What the last bits of Alice's string must still tell apart: the states before them are disjoint sets of states after them.

Let f0, f1 be what the token of y_m does to the running sums for the bit 0 and 1. The 2^(m−1) states before it have 2^m different images:
as edges {f0(s), f1(s)} they are a matching. The tokens of the last k bits make of each state before them a *code* of 2^k different states,
and 2^(m−k) of these codes are disjoint. All pairs of maps are gone through, backwards from the last bit; where no pair leaves enough
disjoint codes, no weights and products tell all 2^m strings apart, whatever stands before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from lowerbounds.matchings import bound, largest_matching, neighbours_of_leaves
from lowerbounds.running_sums import START, RunningSums, Sums

Codes = dict[int, tuple[int, ...]]
"""For each state, by its number, the different states that the strings of the last bits make of it; others have no code."""

Image = tuple[int | None, ...]
Table = Sequence[tuple[Sums, Sums]]
"""For each token of y_1, y_2, … what it adds (product, weight) for the bit 0 and for 1."""


@dataclass
class Level:
    """One bit from the end: how many pairs of maps were gone through for its token, and how many each reason excluded.

    codes:     fewer states than needed have a code.
    images:    all codes together hold fewer than 2^m states.
    matching:  fewer edges than needed are disjoint, by a barrier of Tutte and Berge; ``disjoint`` bounds what any such pair leaves.
    continued: none of these; the bit before is looked at.
    """

    bit: str
    needed: int
    pairs: int = 0
    codes: int = 0
    images: int = 0
    matching: int = 0
    continued: int = 0
    disjoint: int = 0

    def __str__(self) -> str:
        reasons = f"{self.codes:,} by states, {self.images:,} by images, {self.matching:,} by matchings"
        best = f" (at most {self.disjoint:,} of {self.needed:,} edges)" if self.matching and not self.continued else ""
        return f"{self.bit}: {self.pairs:,} pairs of maps, excluded {reasons}{best}, {self.continued:,} go on"


@dataclass
class Backwards:
    """What going backwards found: the levels from the last bit on, and the states and moves that tell all strings apart, if any do.

    found: for y_1 the two states after its tokens, for each later bit the moves of its token for 0 and 1; None where none exists.
    """

    levels: list[Level] = field(default_factory=list)
    found: list[tuple[Sums, Sums]] | None = None

    @property
    def possible(self) -> bool:
        return self.found is not None

    @property
    def pairs(self) -> int:
        return sum(level.pairs for level in self.levels)

    def __str__(self) -> str:
        return "; ".join(str(level) for level in self.levels if level.pairs)


@dataclass(frozen=True)
class _Pair:
    """Two maps of the states, by their images, and the sets of these images as bits."""

    zero: Image
    one: Image
    zeros: int
    ones: int


class _Search:
    def __init__(self, sums: RunningSums, length: int, representation: Literal["T0", "T1"], spend: Callable[[int], None]) -> None:
        self.sums, self.length, self.representation, self.spend = sums, length, representation, spend
        masks = {image: sum(1 << s for s in {*image} if s is not None) for image in sums.maps}
        self.pairs = [_Pair(zero, one, masks[zero], masks[one]) for zero, one in combinations(masks, 2)]
        names = ["y_m", *(f"y_(m-{k})" for k in range(1, length))]
        self.found = Backwards([Level(name, 1 << length - k) for k, name in enumerate(names[:-1], 1)])

    def before(self, codes: Codes, path: list[tuple[Sums, Sums]]) -> bool:
        """Go through the token before those of ``path``; whether a table was found."""
        depth = len(path)
        if depth == self.length - 1:
            return self._first_bit(codes, path)
        level = self.found.levels[depth]
        kept = sum(1 << s for s in codes)
        for pair in self.pairs:
            self.spend(1)
            level.pairs += 1
            zeros, ones = pair.zeros & kept, pair.ones & kept
            if min(zeros.bit_count(), ones.bit_count()) < level.needed or (zeros | ones).bit_count() < 2 * level.needed:
                level.codes += 1
                continue
            longer = prepended(pair.zero, pair.one, codes)
            if self._goes_on(level, longer, pair):
                moves = self.sums.maps[pair.zero], self.sums.maps[pair.one]
                if self.before(longer, [moves, *path]):
                    return True
        return False

    def _goes_on(self, level: Level, codes: Codes, pair: _Pair) -> bool:
        """Whether neither counting, nor the edges of this pair, nor those of the last bit exclude that enough codes are disjoint."""
        if len(codes) < level.needed:
            level.codes += 1
            return False
        if len({s for code in codes.values() for s in code}) < 1 << self.length:
            level.images += 1
            return False
        here = {(pair.zero[s], pair.one[s]) for s in codes}
        last = {(code[k], code[k + 1]) for code in codes.values() for k in range(0, len(code), 2)}
        self.spend(len(here) + len(last))
        for edges, needed in ((here, level.needed), (last, 1 << self.length - 1)):
            disjoint = most_disjoint(edges, needed)  # type: ignore[arg-type]  # a state with a code has both images
            if disjoint < needed:
                level.matching += 1
                level.disjoint = max(level.disjoint, disjoint * level.needed // needed)
                return False
        level.continued += 1
        return True

    def _first_bit(self, codes: Codes, path: list[tuple[Sums, Sums]]) -> bool:
        """Whether two states that y_1's tokens can leave have disjoint codes."""
        number = {s: i for i, s in enumerate(self.sums.states)}
        for reached in self.sums.first(self.representation):
            known = sorted(number[s] for s in reached if number[s] in codes)
            for u, v in combinations(known, 2):
                if set(codes[u]).isdisjoint(codes[v]):
                    self.found.found = [(self.sums.states[u], self.sums.states[v]), *path]
                    return True
        return False


def prepended(zero: Image, one: Image, codes: Codes) -> Codes:
    """The codes of the states before one more token: those of its two images, where both have one and all states are different."""
    longer = {}
    for s, (u, v) in enumerate(zip(zero, one, strict=True)):
        if u is not None and v is not None and u != v and u in codes and v in codes:
            code = codes[u] + codes[v]
            if len(set(code)) == len(code):
                longer[s] = code
    return longer


def most_disjoint(edges: set[tuple[int, int]], needed: int) -> int:
    """A bound on how many edges are disjoint: a quick one where it is below ``needed``, else the largest matching with its barrier."""
    quick = bound(edges, neighbours_of_leaves(edges))
    return quick if quick < needed else largest_matching(edges).bound


def last_bits(
    sums: RunningSums, length: int, representation: Literal["T0", "T1"] = "T0", spend: Callable[[int], None] = lambda steps: None
) -> Backwards:
    """Whether some tokens of y_1 … y_m leave 2^m different states, m = ``length`` ≥ 1, decided by going backwards.

    spend: told of the pairs of maps and of the edges that are looked at; it raises where they are too many.
    """
    search = _Search(sums, length, representation, spend)
    search.before({i: (i,) for i in range(len(sums.states))}, [])
    return search.found


def tells_apart(sums: RunningSums, table: Table) -> bool:
    """Whether the tokens of a table, on T0, are moves and leave every string another state: each string run, token by token."""
    left = {START}
    for zero, one in table:
        if zero not in sums.moves or one not in sums.moves:
            return False
        left = {sums.moved(s, move) for s in left for move in (zero, one)}
    return len(left) == 1 << len(table) and left <= set(sums.states)


@dataclass(frozen=True)
class Barrier:
    """Why two maps, each given by a move that it is, leave fewer disjoint edges than needed: the states of U, ascending by number."""

    zero: Sums
    one: Sums
    states: tuple[int, ...]


def barriers(sums: RunningSums, length: int) -> list[Barrier] | None:
    """The barriers that exclude, at the last bit alone, every pair of maps that counting leaves; None where some pair goes on.

    States are numbered in ascending order of numerator, then denominator, as :attr:`RunningSums.states` lists them.
    """
    half, found = 1 << length - 1, []
    for zero, one in combinations(sums.maps, 2):
        images = {*zero} - {None}, {*one} - {None}
        if min(len(images[0] | images[1]) // 2, *map(len, images)) < half:
            continue
        edges = [(u, v) for u, v in zip(zero, one, strict=True) if u is not None and v is not None and u != v]
        if len(edges) < half or len({s for edge in edges for s in edge}) < 2 * half:
            continue
        different = set(edges)
        barrier = neighbours_of_leaves(different)
        if bound(different, barrier) >= half:
            matching = largest_matching(different)
            if matching.bound >= half:
                return None
            barrier = matching.barrier
        found.append(Barrier(sums.maps[zero], sums.maps[one], tuple(sorted(barrier))))
    return found

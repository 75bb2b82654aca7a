"""What the last bits of Alice's string must still tell apart: the states before them are disjoint sets of states after them.

Let f0, f1 be what the token of y_m does to the running sums for the bit 0 and 1. The 2^(m−1) states before it have 2^m different images:
as edges {f0(s), f1(s)} they are a matching. The tokens of the last k bits make of each state before them a *code* of 2^k different states,
and 2^(m−k) of these codes are disjoint. All pairs of maps are gone through, backwards from the last bit; where no pair leaves enough
disjoint codes, no weights and values tell all 2^m strings apart, whatever stands before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from lowerbounds.matchings import bound, largest_matching, neighbours_of_leaves
from lowerbounds.running_sums import RunningSums, Sums

Codes = dict[int, tuple[int, ...]]
"""For each state, by its number, the different states that the strings of the last bits make of it; others have no code."""

Image = tuple[int | None, ...]


@dataclass
class Level:
    """One bit from the end: how many pairs of maps were gone through for its token, and how many each reason excluded.

    codes:     fewer states than needed have a code.
    images:    all codes together hold fewer than 2^m states.
    matching:  fewer codes than needed are disjoint, by a barrier of Tutte and Berge; ``disjoint`` is the most that any pair leaves.
    continued: neither; the bit before is looked at.
    """

    bit: str
    needed: int
    pairs: int = 0
    codes: int = 0
    images: int = 0
    matching: int = 0
    continued: int = 0
    disjoint: int = 0


@dataclass
class Backwards:
    """What going backwards found: the levels from the last bit on, and a table that tells all strings apart, where there is one.

    table: for y_1 the two states after its tokens, for each later bit the moves of its token for 0 and 1; None where none exists.
    """

    levels: list[Level] = field(default_factory=list)
    table: list[tuple[Sums, Sums]] | None = None

    @property
    def possible(self) -> bool:
        return self.table is not None

    @property
    def pairs(self) -> int:
        return sum(level.pairs for level in self.levels)

    def __str__(self) -> str:
        parts = []
        for level in self.levels:
            found = f"at most {level.disjoint:,} of {level.needed:,} disjoint" if level.pairs else "not reached"
            parts.append(f"{level.bit}: {level.pairs:,} pairs of maps, {level.continued:,} go on, {found}")
        return "; ".join(parts)


class _Search:
    def __init__(self, sums: RunningSums, length: int, representation: Literal["T0", "T1"], spend: Callable[[int], None]) -> None:
        self.sums, self.length, self.spend = sums, length, spend
        self.representation = representation
        self.pairs = [(one, other, _mask(one) | _mask(other)) for one, other in sums.pairs()]
        names = ["y_m", *(f"y_(m-{k})" for k in range(1, length))]
        self.found = Backwards([Level(name, 1 << length - k) for k, name in enumerate(names[:-1], 1)])

    def before(self, codes: Codes, path: list[tuple[Sums, Sums]]) -> bool:
        """Go through the token before those of ``path``; whether a table was found."""
        depth = len(path)
        if depth == self.length - 1:
            return self._first_bit(codes, path)
        level = self.found.levels[depth]
        kept = sum(1 << s for s in codes)
        for zero, one, images in self.pairs:
            self.spend(1)
            level.pairs += 1
            if (images & kept).bit_count() < 2 * level.needed:
                level.codes += 1
                continue
            longer = prepended(zero, one, codes)
            if self._goes_on(level, longer, zero, one):
                moves = self.sums.maps[zero], self.sums.maps[one]
                if self.before(longer, [moves, *path]):
                    return True
        return False

    def _goes_on(self, level: Level, codes: Codes, zero: Image, one: Image) -> bool:
        """Whether enough disjoint codes are not excluded by this pair's edges or by those of the last bit."""
        if len(codes) < level.needed:
            level.codes += 1
            return False
        if len({s for code in codes.values() for s in code}) < 1 << self.length:
            level.images += 1
            return False
        here = {(zero[s], one[s]) for s in codes}
        last = {(code[k], code[k + 1]) for code in codes.values() for k in range(0, len(code), 2)}
        self.spend(len(here) + len(last))
        for edges, needed in ((here, level.needed), (last, 1 << self.length - 1)):
            disjoint = most_disjoint(edges, needed)  # type: ignore[arg-type]  # a state with a code has both images
            if edges is here:
                level.disjoint = max(level.disjoint, disjoint)
            if disjoint < needed:
                level.matching += 1
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
                    self.found.table = [(self.sums.states[u], self.sums.states[v]), *path]
                    return True
        return False


def _mask(image: Image) -> int:
    return sum(1 << s for s in {*image} - {None})  # type: ignore[operator]  # None is left out


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
    sums: RunningSums, length: int, representation: Literal["T0", "T1"], spend: Callable[[int], None] = lambda states: None
) -> Backwards:
    """Whether some tokens of y_1 … y_m leave 2^m different states, decided by going backwards; ``length`` m ≥ 1.

    spend: told of each pair of maps and each edge that is looked at; it raises where there are too many.
    """
    search = _Search(sums, length, representation, spend)
    search.before({i: (i,) for i in range(len(sums.states))}, [])
    return search.found


def tables(sums: RunningSums, length: int) -> Iterator[list[tuple[Sums, Sums]]]:
    """Every choice of moves for ``length`` tokens of T0, one pair of moves each: the definition that the fast decision is held to."""
    from itertools import product

    return (list(table) for table in product(list(product(sums.moves, repeat=2)), repeat=length))

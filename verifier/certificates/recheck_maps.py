"""Two facts about no network: a fooling set, and two running sums of few bits that cannot tell all strings apart.

If this file is right, you may believe the fact that is printed. For running sums the fact is: for all one-bit tokens with products and
weights that the coupling allows, two strings of this length reach the same state.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from .recheck_numbers import INF, NAN, Numbers
from .recheck_reading import At, Limits, demand, digest_of
from .recheck_states import closed

COUPLINGS = ("product", "any", "independent")
MOST_LENGTH = 3000


def check_fooling(parts: Mapping[str, At], limits: Limits) -> str:
    """The diagonal: EQ is 1 at each (x, x); of two members x < x', the entry (x, x') keeps y <= z and is 0 (Definition A.5)."""
    length = parts["length"].integer(1, MOST_LENGTH)
    return f"fooling set: the 2^{length} pairs (x, x) of EQ of two strings of {length} bits under y <= z force at least {length} bits"


def check_one_sum(parts: Mapping[str, At], limits: Limits) -> str:
    sums = RunningSums(parts["arithmetic"], parts["coupling"], limits)
    return check_tokens(parts, sums, parts["length"].integer(1, MOST_LENGTH))


FACTS: dict[str, tuple[tuple[str, ...], tuple[str, ...], Callable[[Mapping[str, At], Limits], str]]] = {
    "fooling-set": (("length",), (), check_fooling),
    "one-sum": (("length", "arithmetic", "coupling"), ("barriers",), check_one_sum),
}
"""What a statement says, what evidence there is for it, and the check."""


def check_facts(whole: At, limits: Limits) -> str:
    """A certificate of such a fact."""
    said, evidence, check = FACTS[whole.names()["fact"].one_of(*FACTS)]
    keys = ("format", "claim", "edition", "parameters", "fact", *said)
    parts = whole.record(*keys, *evidence, "digest")
    parts["claim"].text(), parts["edition"].text()
    for value in parts["parameters"].names().values():
        value.integer()
    demand(parts["digest"].text() == digest_of({key: parts[key].data for key in keys}), "the digest is not that of the statement")
    return f"{check(parts, limits)}; statement {parts['digest'].data}"


class RunningSums:
    """Tokens of one bit whose numerator is one sum: a state is (numerator, denominator), and a token adds to both.

    A token's weight is any non-negative value, or inf, whatever its score. The coupling says which products a weight w allows: ``product``
    w times a value, rounded; ``any`` every value and infinity, but 0 if w = 0; ``independent`` every one. States are those that are reached
    from (0, 0) and lead to an output other than NaN; a string whose every output is NaN is never accepted. W^V is 1: with another W^V the
    output is NaN wherever it is NaN for 1. States are numbered in ascending order.
    """

    def __init__(self, arithmetic: At, coupling: At, limits: Limits) -> None:
        self.limits, self.coupling = limits, coupling.one_of(*COUPLINGS)
        m = self.numbers = Numbers(arithmetic, limits)
        form = m.narrow
        if m.real or m.wide != form or not m.in_order or form.largest.bit_length() > 10:
            arithmetic.refuse("one format of few values")
        positive: list[Any] = [x for x in range(1, form.largest + 1) if form.settle(x) == x]
        ends = [] if form.overflow == "saturate" else [INF]
        self.weights = [0, *positive, *ends]
        self.values = [-x for x in reversed(positive)] + [0, *positive]
        self.numerators = [-x for x in ends] + self.values + ends
        limits.spend(8 * len(self.numerators) * (len(self.numerators) + 2 * len(self.weights)) * m.cost)
        self.moves = [(x, w) for w in self.weights for x in self.products(w)]
        self.above = {(a, x): m.add(a, x) for a in self.numerators for x in self.numerators}
        self.below = {(d, w): m.add(d, w) for d in self.weights for w in self.weights}
        self.states = self.reached()
        number = {state: k for k, state in enumerate(self.states)}
        limits.spend(len(self.moves) * len(self.states))
        self.named = {tuple(str(m.value(x)) for x in move): move for move in self.moves}
        self.map = {move: tuple(number.get(self.moved(state, move), -1) for state in self.states) for move in self.moves}

    def products(self, w: int) -> list[int]:
        if self.coupling == "product":
            made = {self.numbers.multiply(w, v) for v in self.values}
            return sorted(made - {NAN})
        return [0] if w == 0 and self.coupling == "any" else self.numerators

    def moved(self, state: tuple[int, int], move: tuple[int, int]) -> tuple[int, int]:
        return self.above[state[0], move[0]], self.below[state[1], move[1]]

    def reached(self) -> list[tuple[int, int]]:
        """The states reached from (0, 0) forwards; of those whose output is NaN, only the ones that lead to others."""
        seen = closed({(0, 0)}, self.after, self.limits)
        found = {state for state in seen if self.numbers.divide(*state) != NAN}
        while more := {state for state in seen - found if self.after(state) & found}:
            found |= more
        return sorted(found)

    def after(self, state: tuple[int, int]) -> set[tuple[int, int]]:
        """The states that a token leads to whose output is not NaN."""
        self.limits.spend(len(self.moves))
        return {after for after in {self.moved(state, move) for move in self.moves} if NAN not in after}


def most_disjoint(edges: set[tuple[int, int]], barrier: set[int]) -> int:
    """An upper bound on the number of disjoint edges (Tutte, Berge): each has an end in the barrier, or lies in a component that is left
    without it."""
    leader = {x: x for edge in edges for x in edge if x not in barrier}

    def find(x: int) -> int:
        while leader[x] != x:
            x = leader[x]
        return x

    for u, v in edges:
        if u in leader and v in leader:
            leader[find(u)] = find(v)
    return len(barrier) + sum(size // 2 for size in Counter(map(find, leader)).values())


def read_move(given: At, sums: RunningSums) -> tuple[int, int]:
    """A product and a weight that one token can add, in lowest terms."""
    names = tuple(x.text() for x in given.items(2))
    return sums.named[names] if names in sums.named else given.refuse("a product and a weight that a token can add")


def check_tokens(facts: Mapping[str, At], sums: RunningSums, length: int) -> str:
    """No tokens leave strings of this length states that all differ.

    The token of the last bit is two maps, f0 and f1. Before it there are 2^(length-1) states s, and all f0(s) and f1(s) differ: as edges
    {f0(s), f1(s)} they are disjoint. For every pair of maps, too few such s, or images, or disjoint edges exist.
    """
    barriers = facts["barriers"]
    if length < 2:
        barriers.refuse("a claim about strings of two bits or more, as the first bit may stand in several tokens,")
    half, size, listed = 1 << (length - 1), len(sums.states), dict[frozenset[tuple[int, ...]], tuple[At, set[int]]]()
    for each in barriers.items():
        parts = each.record("maps", "barrier")
        sums.limits.spend(8 + size // 8)
        maps = frozenset(sums.map[read_move(move, sums)] for move in parts["maps"].items(2))
        states = [x.integer(0, size - 1) for x in parts["barrier"].items()]
        demand(maps not in listed and len(maps) == 2, f"{each.place}: the maps of one entry, or of two entries, are the same")
        demand(len(set(states)) == len(states), f"{each.place}: a state is listed twice")
        listed[maps] = each, set(states)
    images = [(image, {x for x in image if x >= 0}) for image in dict.fromkeys(sums.map.values())]
    for k, (first, ones) in enumerate(images):
        sums.limits.spend((len(images) - k) * (1 + size // 64))
        for second, others in images[k + 1 :]:
            if min(len(ones | others) // 2, len(ones), len(others)) < half:
                continue  # fewer images than strings
            sums.limits.spend(8 * size)
            edges = [(u, v) for u, v in zip(first, second, strict=True) if min(u, v) >= 0 and u != v]
            if len(edges) < half or len({x for edge in edges for x in edge}) < 2 * half:
                continue
            place, barrier = listed.pop(frozenset((first, second)), (barriers, None))
            demand(barrier is not None, f"{barriers.place}: two maps leave {len(edges)} states, and have no barrier")
            bound = most_disjoint(set(edges), barrier or set())
            demand(bound < half, f"{place.place}: {bound} edges may be disjoint, fewer than {half} were expected")
    demand(not listed, "".join(f"{place.place}: these maps need no barrier" for place, _ in [*listed.values()][:1]))
    pairs = len(images) * (len(images) - 1) // 2
    what = f"{size} states, {pairs} pairs of maps, {len(barriers.data)} of them by barriers"
    return f"one sum: no products ({sums.coupling}) in {sums.numbers.label} tell the strings of {length} bits apart; {what}"

"""Three facts about no network: a fooling set, and two of running sums of few bits: they cannot tell all strings apart, or decide EQ.

If this file is right, you may believe the fact that is printed. For running sums the fact is of all one-bit tokens with products and
weights that the coupling allows: two strings of this length reach the same state; or no W^V and no outputs to accept decide EQ.
"""

from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import Any

from .recheck_numbers import INF, NAN, Numbers
from .recheck_reading import At, Limits, closed, demand, digest_of

COUPLINGS = ("product", "any", "independent")
Family = tuple[frozenset[int], ...]  # sets of states
MOST_LENGTH = 3000


def check_facts(whole: At, limits: Limits) -> str:
    """A certificate of such a fact: what its statement says, the evidence, and the fact.

    A fooling set is the diagonal: EQ is 1 at each (x, x); of two members x < x', the entry (x, x') keeps y <= z and is 0 (Definition A.5).
    """
    kind = whole.names()["fact"].one_of("fooling-set", "one-sum", "one-column")
    keys = ("format", "claim", "edition", "parameters", "fact", "length", *(("arithmetic", "coupling") if kind != "fooling-set" else ()))
    parts = whole.record(*keys, *(("barriers",) if kind == "one-sum" else ()), "digest")
    parts["claim"].text(), parts["edition"].one_of("statement", "printed", "repaired", "")
    for value in parts["parameters"].names().values():
        value.integer()
    demand(parts["digest"].text() == digest_of({key: parts[key].data for key in keys}), "the digest is not that of the statement")
    length = parts["length"].integer(1, MOST_LENGTH)
    if kind == "fooling-set":
        fact = f"fooling set: the 2^{length} pairs (x, x) of EQ of two strings of {length} bits under y <= z force at least {length} bits"
    else:
        sums = RunningSums(parts["arithmetic"], parts["coupling"], limits)
        fact = check_tokens(parts["barriers"], sums, length) if kind == "one-sum" else check_column(parts["arithmetic"], sums, length)
    return f"{fact}; statement {parts['digest'].data}"


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
        if m.real or m.largest.bit_length() > 10:
            arithmetic.refuse("one format of few values")
        positive: list[Any] = [x for x in range(1, m.largest + 1) if m.settle(x) == x]
        ends = [] if m.overflow == "saturate" else [INF]
        self.weights = [0, *positive, *ends]
        self.values = [-x for x in reversed(positive)] + [0, *positive]
        self.numerators = [-x for x in ends] + self.values + ends
        limits.spend(8 * len(self.numerators) ** 2 * m.cost)
        self.moves = [(x, w) for w in self.weights for x in self.products(w)]
        self.add = cache(m.add)
        self.states = self.reached()
        number = {state: k for k, state in enumerate(self.states)}
        limits.spend(len(self.moves) * len(self.states))
        maps = [tuple(number.get(self.moved(state, move), -1) for state in self.states) for move in self.moves]
        self.maps = [*dict.fromkeys(maps)]

    def products(self, w: int) -> list[int]:
        if self.coupling == "product":
            return sorted({self.numbers.multiply(w, v) for v in self.values} - {NAN})
        return [0] if w == 0 and self.coupling == "any" else self.numerators

    def moved(self, state: tuple[int, int], move: tuple[int, int]) -> tuple[int, int]:
        return self.add(state[0], move[0]), self.add(state[1], move[1])

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


def check_tokens(barriers: At, sums: RunningSums, length: int) -> str:
    """No tokens leave strings of this length states that all differ.

    The token of the last bit is two maps, f0 and f1. Before it there are 2^(length-1) states s, and all f0(s) and f1(s) differ: as edges
    {f0(s), f1(s)} they are disjoint. For every pair of maps, too few such s, or images, or disjoint edges exist. The barriers stand in the
    order of the pairs that need one; moves are ordered by their weights, then by their products.
    """
    if length < 2:
        barriers.refuse("a claim about strings of two bits or more, as the first bit may stand in several tokens,")
    half, size, left = 1 << (length - 1), len(sums.states), iter(barriers.items())
    images = [(image, {x for x in image if x >= 0}) for image in sums.maps]
    for k, (first, ones) in enumerate(images):
        sums.limits.spend((len(images) - k) * (1 + size // 64))
        for second, others in images[k + 1 :]:
            if min(len(ones | others) // 2, len(ones), len(others)) < half:
                continue  # fewer images than strings
            sums.limits.spend(8 * size)
            edges = [(u, v) for u, v in zip(first, second, strict=True) if min(u, v) >= 0 and u != v]
            if len(edges) < half or len({x for edge in edges for x in edge}) < 2 * half:
                continue
            given = next(left, barriers)
            demand(given is not barriers, f"{barriers.place}: two maps leave {len(edges)} states, and have no barrier")
            states = [x.integer(0, size - 1) for x in given.items()]
            demand(len({*states}) == len(states), f"{given.place}: a state is listed twice")
            bound = most_disjoint(set(edges), {*states})
            demand(bound < half, f"{given.place}: {bound} edges may be disjoint, fewer than {half} were expected")
    demand(next(left, None) is None, f"{barriers.place}: more barriers than pairs of maps that need one")
    pairs = len(images) * (len(images) - 1) // 2
    what = f"{size} states, {pairs} pairs of maps, {len(barriers.data)} of them by barriers"
    return f"one sum: no products ({sums.coupling}) in {sums.numbers.label} tell the strings of {length} bits apart; {what}"


def check_column(place: At, sums: RunningSums, length: int) -> str:
    """No tokens, W^V and accepted outputs decide EQ of two strings y <= z of this length. Each token holds one bit, those of y first; one
    more token behind them holds none.

    Backwards from that token, a family has for each ending of y the states that lead to right answers for every ending of z. Its last set
    has those that lead to acceptance for some ending of z. If y goes on with 0, z does, too, or a 1 is rejected; with 1, so does z.
    """
    m, limits, families = sums.numbers, sums.limits, set[Family]()
    if m.knobs["attention"] != "inputs" or m.knobs["division"] != "output":
        place.refuse("coordinates summed first, and sums divided,")

    def before(family: Family) -> set[Family]:
        """The sets from which a token leads to these sets; of each token."""
        limits.spend(len(sums.maps) * len(family) * len(sums.states))
        return {tuple([frozenset(k for k, x in enumerate(image) if x in behind) for behind in family]) for image in sums.maps}

    for weight in sums.values:
        outputs = [m.divide(m.multiply(x, weight), d) for x, d in sums.states]
        for accepted in (each for size in range(len(outputs)) for each in combinations({*outputs} - {NAN}, size + 1)):
            yes = frozenset(k for k, x in enumerate(outputs) if x in accepted)
            families |= before((yes, yes))
    for _ in range(length):
        both = [pair for family in families for pair in product(before(family), repeat=2)]
        longer = {(*(own - larger for own in zero), *one, some | larger) for (*zero, some), (*one, larger) in both}
        families = {family for family in longer if all(family)}
        limits.keep("states", len(families))
    demand(not families, f"{place.place}: some tokens may decide strings of {length} bits")
    return f"one column: no products ({sums.coupling}) in {m.label} decide EQ of two strings of {length} bits under y <= z"

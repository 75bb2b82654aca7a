"""A construction that is right on all pairs y <= z: from the states at the end of its blocks to the answers."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .recheck_blocks import Block, Row
from .recheck_construction import Transformer
from .recheck_reading import At, Rejected, agree, demand
from .recheck_rounding import INF, NAN


def check_verified(facts: Mapping[str, At], t: Transformer) -> str:
    """Every pair y <= z lies in a set that the certificate lists; the sets are what the tokens make of them; the ends are right."""
    cases = (1 << t.length) * ((1 << t.length) + 1) // 2
    agree(facts["cases"], cases)
    agree(facts["assumptions"], t.assumptions)
    blocks = facts["blocks"].items()
    demand(len(blocks) in (1, 2), "one block or two were expected")
    walked = [Block(t, given, wants_every=place == 2) for place, given in enumerate(blocks, 1)]
    edges = [edge for block in walked for edge in (block.first - 1, block.last)]
    demand((edges[0], edges[-1], edges[1:-1]) == (0, t.length, edges[1:-1][::-1]), "the blocks leave out positions")
    demand(sorted(k for block in walked for k in block.sums) == list(range(t.sums + 1)), "each sum belongs to one block")
    for block in walked:
        block.check()
    ends = Ends(t, walked)
    if len(walked) == 1:
        ends.check([walked[0].equal], 1, "y = z")
        ends.check([walked[0].less], 0, "y < z")
    else:
        first, second = walked
        ends.check([first.equal, second.equal], 1, "y = z")
        ends.check([first.less, second.every], 0, "y < z in the first block")
        ends.check([first.equal, second.less], 0, "y < z in the second block")
    return f"verified: {t.what}: right on all {cases} pairs{t.assuming}"


class Ends:
    """What the transformer answers at the end, for every combination of final states."""

    def __init__(self, t: Transformer, blocks: list[Block]) -> None:
        self.t, self.names = t, [block.sums for block in blocks]
        self.holder = next(k for k, names in enumerate(self.names) if t.sums in names)  # the block that has the denominator
        self.live = live_runs(t)

    def check(self, sets: Sequence[set[Row]], wanted: int, when: str) -> None:
        """Every combination is answered with ``wanted``; sets has the final states of each block."""
        shown = self.t.machine.value
        for tops, bottoms in self.products([{row[:-1] for row in each} for each in sets]):
            for denominators in signs(bottoms):
                for top in tops:
                    self.t.limits.spend(4 * self.t.cost)
                    for bottom in (self.not_yes if wanted else self.not_no)(top, denominators):
                        raise Rejected(f"{when}: {shown(top)} over {shown(bottom)} is not answered with {wanted}")

    def products(self, rows: list[set[Row]]) -> Iterator[tuple[set[int], set[int]]]:
        """The combinations as (numerators, denominators): where the numerator's parts beside the denominator are equal, any with any."""
        t, own = self.t, self.names[self.holder]
        others = [k for place, names in enumerate(self.names) for k in names if place != self.holder]
        t.limits.spend(sum(8 * len(names) * len(each) for names, each in zip(self.names, rows, strict=True)))
        above = {()} if len(rows) == 1 else {self.weigh(others, row) for row in rows[1 - self.holder]}
        beside: dict[Row, set[int]] = {}
        for row in rows[self.holder]:
            beside.setdefault(self.weigh(own, row), set()).add(row[own.index(t.sums)])
        inner = [k for k in own if k != t.sums]
        for key, denominators in beside.items():
            t.limits.spend(4 * len(above) * (1 + t.sums))
            parts = (dict(zip(inner + others, key + row, strict=True)) for row in above)
            yield {t.numerator([part[k] for k in range(t.sums)]) for part in parts}, denominators

    def weigh(self, names: list[int], row: Row) -> Row:
        """What the sums of a row contribute to the numerator, the denominator left out."""
        return tuple(self.t.weighted(k, x) for k, x in zip(names, row, strict=True) if k != self.t.sums)

    def not_yes(self, top: int, ordered: list[int]) -> Iterator[int]:
        """Denominators of one sign that break the answer 1. Rounded division is monotone: equal at both ends is equal in between."""
        divide = self.t.machine.divide
        tried = ordered[:1] if divide(top, ordered[0]) == divide(top, ordered[-1]) else ordered
        self.t.limits.spend(4 * self.t.cost * len(tried))
        return (bottom for bottom in tried if self.t.answer(divide(top, bottom)) != 1)

    def not_no(self, top: int, ordered: list[int]) -> Iterator[int]:
        """Denominators of one sign whose quotient lies in a run of values that are not answered with 0.

        The quotients of 0 are all alike: they neither fall nor rise.
        """
        divide, falling = self.t.machine.divide, top >= 0
        lowest, highest = sorted((divide(top, ordered[0]), divide(top, ordered[-1])))
        for place in range(bisect_left(self.live, lowest, key=lambda run: run[1]), len(self.live)):
            low, high = self.live[place]
            if low > highest:
                break
            self.t.limits.spend(2 * self.t.cost * (1 + len(ordered).bit_length()))
            # look for the first quotient that has passed the run's near end
            passed = (lambda d, x=high: divide(top, d) <= x) if falling else (lambda d, x=low: divide(top, d) >= x)
            found = bisect_left(ordered, True, key=passed)
            if found < len(ordered) and low <= divide(top, ordered[found]) <= high:
                yield ordered[found]


def signs(denominators: Iterable[int]) -> list[list[int]]:
    """Finite denominators of one sign, ascending; zero, infinities and NaN each on their own."""
    ordered = sorted(denominators)
    zero, one = bisect_left(ordered, 0), bisect_left(ordered, 1)
    start, end = bisect_left(ordered, 1 - INF), bisect_left(ordered, INF)
    return [s for s in (ordered[start:zero], ordered[one:end], *([x] for x in (*ordered[:start], *ordered[zero:one], *ordered[end:]))) if s]


def live_runs(t: Transformer) -> list[tuple[int, int]]:
    """The values of the attention that are not answered with 0, as runs (first, last) of states.

    Each hidden node is monotone in the attention on either side of 0, and the output in each hidden node. Where the output is the same
    with all its terms at their lowest and at their highest over an interval, it is the same on all of it; other intervals are halved.
    """
    m = t.machine
    digits, half = m.digits, 1 << max(m.digits - 1, 0)
    count = (1 << digits) + (half * digits if m.free and digits else 0)  # magnitudes, 0 among them

    def state(index: int) -> int:
        """The states ascending: 0 is in the middle; 2^digits with spacing 1, then binades that double the spacing."""
        size = abs(index)
        if size < 1 << digits:
            return index
        binade, rest = divmod(size - (1 << digits), half)
        size = (half + rest) << (binade + 1)
        return size if index > 0 else -size

    live = [(s, s) for s in (-INF, 0, INF, NAN) if t.answer(s) != 0]
    waiting = [(-count + 1, -1), (1, count - 1)] if count > 1 else []
    while waiting:
        first, last = waiting.pop()
        constant, output = box(t, state(first), state(last))
        if not constant and first < last:
            middle = (first + last) // 2
            waiting += [(first, middle), (middle + 1, last)]
        elif (output if constant else t.answer(state(first))) != 0:
            live.append((state(first), state(last)))
    return sorted(live)


def box(t: Transformer, first: int, last: int) -> tuple[bool, int]:
    """Whether the output is surely the same for all attention values from ``first`` to ``last``, and that output."""
    m, (weights, bias) = t.machine, t.output
    ends = [t.mlp(first)[0], t.mlp(last)[0]]
    low = high = 0
    for k, w in enumerate(weights):
        products = [m.times(w, m.value(hidden[k])) for hidden in ends]
        low, high = m.add(low, min(products)), m.add(high, max(products))
        if NAN in (low, high, *products):
            return False, NAN
    low, high = (max(0, t.biased(end, bias)) for end in (low, high))
    return low == high != NAN, low

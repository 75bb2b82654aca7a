"""The states that the sums of a construction reach on all pairs of strings, stage by stage: positions of z become known one by one."""

from collections.abc import Sequence
from functools import reduce
from itertools import product, repeat
from operator import or_
from typing import NamedTuple

from .recheck_construction import Bit, Transformer
from .recheck_reading import At, Rejected, demand
from .recheck_rounding import WORDS

Row = tuple[int, ...]  # a state for each sum of a block, and last the bits of y that are still needed
WIDEST_STAGE = 8


class Addend(NamedTuple):
    """What one token adds to one sum of a block: a state for each content of the bits of y and z that matter, as masks of the block."""

    of_y: int
    of_z: int
    table: dict[tuple[int, int], int]


Queues = list[list[Addend]]  # for each sum of a block, what is still to be added


class Block:
    """Positions first … last, the sums that depend on no others, and the states that they reach, stage by stage.

    A row has a state for each sum, and then the bits of y that are still needed: those that tokens read once z is being read (late), and
    as long as z agrees with y those behind the positions read. Rows that are alike are one.
    """

    def __init__(self, t: Transformer, given: At, wants_every: bool) -> None:
        self.t, self.where = t, given.place
        parts = given.record("first", "last", "sums", "stages")
        self.first = parts["first"].integer(1, t.length)
        self.last = parts["last"].integer(self.first, t.length)
        numbers = {f"sum {k + 1}": k for k in range(t.sums)} | {"denominator": t.sums}
        self.sums = [numbers.get(name.text(), -1) for name in parts["sums"].items()]
        if -1 in self.sums:
            parts["sums"].items()[self.sums.index(-1)].refuse(f"sum 1 to sum {t.sums} or denominator")
        demand(len(set(self.sums)) == len(self.sums), f"{self.where}: a sum is there twice")
        t.limits.keep("states", len(self.sums) + 1 << self.last - self.first + 1)
        self.starts, queues = self.taken([self.addends(k) for k in self.sums], self.first, self.first - 1)
        self.stages: list[tuple[int, int, Queues, dict[str, At]]] = []
        reached, kinds = self.first - 1, ("less", "every") if wants_every else ("less",)
        for stage in parts["stages"].items():
            listed = stage.record("first", "last", *kinds)
            first, last = listed["first"].integer(), listed["last"].integer()
            in_order = first == reached + 1 and first <= last <= min(self.last, first + WIDEST_STAGE)
            demand(in_order, f"{stage.place}: positions {first} to {last} behind {reached}")
            step, queues = self.taken(queues, first, last)
            self.stages.append((first, last, step, {kind: listed[kind] for kind in kinds}))
            reached = last
        demand(reached == self.last and not any(queues), f"{self.where}: the stages leave out positions or tokens")
        self.late = reduce(or_, (addend.of_y for _, _, step, _ in self.stages for each in step for addend in each), 0)
        self.equal: set[Row] = set()
        self.less: set[Row] = set()
        self.every: set[Row] = set()

    def addends(self, k: int) -> list[Addend]:
        """For each token that adds something to the k-th sum: the bits that matter, and a state for each of their contents.

        The file has a vector for each of these contents, which bounds the work.
        """
        found = []
        for (reads, _), terms in zip(self.t.tokens, self.t.addends, strict=True):
            bits, table = sorted(set(reads)), {}
            self.t.limits.spend(len(terms) * (1 + len(bits)) ** 2 + 4 * len(reads) + 4)
            for values in product((0, 1), repeat=len(bits)):
                content = "".join(str(values[bits.index(b)]) for b in reads)
                table[values] = terms[int(content or "0", 2)][k]
            for place in reversed(range(len(bits))):
                if all(table[v] == table[(*v[:place], 1 - v[place], *v[place + 1 :])] for v in table):
                    table = {(*v[:place], *v[place + 1 :]): x for v, x in table.items() if not v[place]}
                    del bits[place]
            outside = [f"{string}[{position}]" for string, position in bits if not self.first <= position <= self.last]
            demand(not outside, f"{self.where}: a sum of it depends on {', '.join(outside)}, outside its positions")
            if any(table.values()):
                packed = {(self.packed("y", bits, v), self.packed("z", bits, v)): x for v, x in table.items()}
                ones = [1] * len(bits)
                found.append(Addend(self.packed("y", bits, ones), self.packed("z", bits, ones), packed))
        return found

    def packed(self, string: str, bits: list[Bit], values: Sequence[int]) -> int:
        """The bits of one string, as a number that has the block's last position as its lowest bit."""
        return sum(value << self.last - k for (s, k), value in zip(bits, values, strict=True) if s == string)

    def taken(self, queues: Queues, first: int, last: int) -> tuple[Queues, Queues]:
        """The addends of each sum up to the first that reads z behind ``last``; none may read z before ``first``."""
        taken, rest, behind = [], [], (1 << self.last - last) - 1
        for queue in queues:
            end = next((k for k, addend in enumerate(queue) if addend.of_z & behind), len(queue))
            for again in (addend.of_z >> self.last - first + 1 for addend in queue[:end]):
                demand(not again, f"{self.where}: z[{first - again.bit_length()}] is read again after its stage")
            taken.append(queue[:end])
            rest.append(queue[end:])
        return taken, rest

    def check(self) -> None:
        """Walk through the stages; after each one the states reached are those listed."""
        width = self.last - self.first + 1
        sums = [self.sums_of_y(each) for each in self.starts]
        self.equal = {(*(known[y & seen] for known, seen in sums), y) for y in range(1 << width)}
        self.every = set(map(self.forgotten, self.equal)) if "every" in self.stages[0][-1] else set()
        for first, last, step, listed in self.stages:
            self.walk(first, last, step)
            for kind, runs in listed.items():
                self.compare(runs, getattr(self, kind))

    def sums_of_y(self, addends: list[Addend]) -> tuple[dict[int, int], int]:
        """What the addends, which read y only, come to for each content of the bits that they read, and those bits."""
        known, seen = {0: 0}, 0
        for of_y, _, table in addends:
            for bit in (1 << k for k in range(of_y.bit_length()) if of_y >> k & ~seen >> k & 1):
                known |= {y | bit: total for y, total in known.items()}
            seen |= of_y
            self.t.limits.spend(len(known))
            known = {y: self.t.machine.add(total, table[y & of_y, 0]) for y, total in known.items()}
        return known, seen

    def forgotten(self, row: Row) -> Row:
        """The row with the late bits of y only."""
        return (*row[:-1], row[-1] & self.late)

    def walk(self, first: int, last: int, step: Queues) -> None:
        """One stage: z's bits at first … last become known."""
        behind, contents = self.last - last, range(1 << last - first + 1)
        self.t.limits.spend(len(self.equal))
        parts: list[list[Row]] = [[] for _ in contents]  # the rows where z agrees with y so far, by y's bits at this stage
        for row in self.equal:
            parts[row[-1] >> behind & len(contents) - 1].append(row)
        smaller: set[Row] = set()  # those whose y is smaller there than z
        equal, less, every = set(smaller), set(smaller), set(smaller)
        for z, part in enumerate(parts):
            same, fewer = set(map(self.forgotten, part)), self.less | smaller
            after = self.after(same | fewer | self.every, z << behind, step)
            equal.update((*after[self.forgotten(row)][:-1], row[-1] & (self.late | (1 << behind) - 1)) for row in part)
            less.update(map(after.__getitem__, fewer))
            every.update(map(after.__getitem__, self.every))
            smaller |= same
            self.t.limits.keep("states", (len(equal) + len(less) + len(every)) * (len(self.sums) + 1))
        self.equal, self.less, self.every = equal, less, every

    def after(self, rows: set[Row], z: int, step: Queues) -> dict[Row, Row]:
        """What each row becomes when z has these bits."""
        self.t.limits.spend(len(rows) * (1 + sum(1 + len(each) for each in step)))
        add, added, found = repeat(self.t.machine.add), dict[int, list[list[int]]](), {}
        for row in rows:
            y = row[-1]
            if y not in added:
                every = [[table[y & of_y, z & of_z] for of_y, of_z, table in each] for each in step]
                added[y] = [[state for state in each if state] for each in every]  # x + 0 is x
            found[row] = (*map(reduce, add, added[y], row), y)
        return found

    def compare(self, runs: At, reached: set[Row]) -> None:
        """The listed states are those reached, each once."""
        late = [1 << k for k in reversed(range(self.last - self.first + 1)) if self.late >> k & 1]
        width, left = len(self.sums) + len(late), set(reached)
        for run in runs.items():
            starts, steps, count = run.items(3)
            length = count.integer(1)
            if length > len(left):
                raise Rejected(f"{run.place}: a run of {length} states, where {len(left)} are left")
            pairs = list(zip(starts.items(width), steps.items(width), strict=True))
            columns = [progression(start, step, self.t.machine.largest, length) for start, step in pairs[: len(self.sums)]]
            bits = [start.integer(0, 1) + step.integer(0, 0) for start, step in pairs[len(self.sums) :]]
            y = sum(bit for bit, is_set in zip(late, bits, strict=True) if is_set)
            rows = set(zip(*columns, [y] * length, strict=True))
            for row in rows - left:
                twice = "is listed twice" if row in reached else "is listed, but nothing leads to it"
                raise Rejected(f"{run.place}: the state {self.shown(row)} {twice}")
            if len(rows) != length:
                raise Rejected(f"{run.place}: a state is listed twice")
            left -= rows
        for row in left:
            raise Rejected(f"{runs.place}: the state {self.shown(row)} is reached, but not listed")

    def shown(self, row: Row) -> str:
        return ", ".join(WORDS.get(state, str(state)) for state in row[:-1][:9]) + ", ..." * (len(row) > 10)


def progression(start: At, step: At, largest: int, length: int) -> Sequence[int]:
    """So many states: an infinity or NaN stands still, others go in steps, of which none leads to the states that are no numbers."""
    special = [state for state, word in WORDS.items() if word == start.data]
    if special:
        return [special[0] + step.integer(0, 0)] * length
    state, by = start.integer(-largest, largest), step.integer(-2 * largest, 2 * largest)
    return range(state, state + by * length, by) if by else [state] * length

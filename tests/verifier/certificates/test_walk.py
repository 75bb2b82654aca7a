"""The states that a block walks through, against every pair of strings run one by one; blocks and stages take every position and sum."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.verifier.certificates.samples import small, titled, transformer
from verifier.arithmetic.semantics import NAMED
from verifier.certificates import recheck_blocks, recheck_construction, recheck_rounding, recheck_verified
from verifier.certificates.recheck_arithmetic import KNOBS, Machine
from verifier.certificates.recheck_reading import At, Limits, Rejected, TooMuch, Unknown

STATES = [0, 0, 0, 1, -1, 2, 3, -8, 12]

MACHINE = Machine(3, {knob: settings[0] for knob, settings in KNOBS.items()}, Fraction(1))


class Tokens:
    """Random tokens over some positions of the strings, and what they come to by definition: each pair of strings on its own.

    A pair is a number, whose bits are those of y and z in turn: bit 2i of it is y's at the i-th position, bit 2i + 1 is z's.
    """

    def __init__(self, rng: Random) -> None:
        self.length = rng.choice([1, 2, 2, 3, 3, 4])
        self.first = rng.randint(1, min(2, self.length))
        self.last = min(self.first + 2, rng.randint(self.first, self.length))
        self.sums = rng.choice([0, 1, 1, 2])
        self.places = range(self.first, self.last + 1)
        self.pairs = range(1 << 2 * len(self.places))
        bits = [(s, k) for s in "yz" for k in self.places]
        reads = [rng.choices(bits, k=rng.choice([0, 1, 1, 2, 3])) for _ in range(rng.randint(1, 5))]
        if rng.random() < 0.5:  # so that few are read again
            reads.sort(key=lambda each: max((k for s, k in each if s == "z"), default=0))
        self.tokens = [(each, self.terms(1 << len(each), rng)) for each in reads]
        self.added = [[self.adds(*token, pair) for pair in self.pairs] for token in self.tokens]

    def terms(self, contents: int, rng: Random) -> list[list[int]]:
        """For each content what is added to each sum, on which some of the bits read may have no influence."""
        matter = [rng.choice([contents - 1, rng.randrange(contents)]) for _ in range(self.sums + 1)]
        every = [[rng.choice(STATES) for _ in matter] for _ in range(contents)]
        return [[every[content & mask][k] for k, mask in enumerate(matter)] for content in range(contents)]

    def place(self, bit: recheck_construction.Bit) -> int:
        return 2 * (bit[1] - self.first) + (bit[0] == "z")

    def adds(self, reads: list[recheck_construction.Bit], terms: list[list[int]], pair: int) -> list[int]:
        content = 0
        for bit in reads:
            content = 2 * content + (pair >> self.place(bit) & 1)
        return terms[content]

    def depends(self, token: int, k: int, bit: recheck_construction.Bit) -> bool:
        added, flip = self.added[token], 1 << self.place(bit)
        return bit in self.tokens[token][0] and any(added[pair][k] != added[pair ^ flip][k] for pair in self.pairs)

    def end(self, k: int, last: int) -> int:
        """How many tokens are added to the k-th sum before z behind ``last`` is read."""
        behind = [("z", place) for place in self.places if place > last]
        return next((n for n in range(len(self.tokens)) if any(self.depends(n, k, bit) for bit in behind)), len(self.tokens))

    def reads_again(self, k: int, first: int, last: int) -> bool:
        """Whether a token of the stage reads z before it."""
        before = [("z", place) for place in self.places if place < first]
        return any(self.depends(n, k, bit) for n in range(self.end(k, first - 1), self.end(k, last)) for bit in before)

    def late(self) -> list[int]:
        """The positions of y that are read once z is."""
        found = {k: range(self.end(k, self.first - 1), len(self.tokens)) for k in range(self.sums + 1)}
        return [p for p in self.places if any(self.depends(n, k, ("y", p)) for k, behind in found.items() for n in behind)]

    def reached(self, last: int) -> dict[str, set[tuple[tuple[int, ...], tuple[int, ...]]]]:
        """After each stage: by pairs that agree so far, by those with y < z and by all, the sums and y's bits that are needed."""
        late, found = self.late(), {"equal": set[Any](), "less": set[Any](), "every": set[Any]()}
        ends = [self.end(k, last) for k in range(self.sums + 1)]
        for pair in self.pairs:
            sums = tuple(reduce(MACHINE.add, (self.added[n][pair][k] for n in range(end)), 0) for k, end in enumerate(ends))
            y, z = ({p: pair >> self.place((string, p)) & 1 for p in self.places} for string in "yz")
            one, other = ([string[p] for p in self.places if p <= last] for string in (y, z))
            for kind in ("every", *(["less"] if one < other else ["equal"] if one == other else [])):
                found[kind].add((sums, tuple(y[p] for p in self.places if p in late or (kind == "equal" and p > last))))
        return found


def asked(tokens: Any, length: int, sums: int, limits: Limits | None = None) -> Any:
    """What a block asks a transformer for: what each token reads and adds, in 3 bits."""
    reads: list[tuple[list[recheck_construction.Bit], list[Any]]] = [(each, []) for each, _ in tokens]
    addends = [terms for _, terms in tokens]
    return SimpleNamespace(tokens=reads, addends=addends, length=length, sums=sums, machine=MACHINE, limits=limits or Limits())


def listed(rows: set[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[Any]:
    return [
        [[recheck_rounding.WORDS.get(x, str(x)) for x in sums] + [str(b) for b in y], ["0"] * len(sums + y), "1"]
        for sums, y in sorted(rows)
    ]


def block_listed(tokens: Tokens, rng: Random, kinds: list[str]) -> tuple[Any, bool]:
    """The block with every state listed, in random stages; whether no stage reads what an earlier one has read."""
    stages, first, names = [], tokens.first, [f"sum {k + 1}" for k in range(tokens.sums)] + ["denominator"]
    sound = True
    while first <= tokens.last:
        last = rng.randint(first, tokens.last)
        reached = tokens.reached(last)
        stages.append({"first": str(first), "last": str(last), **{kind: listed(reached[kind]) for kind in kinds}})
        sound = sound and not any(tokens.reads_again(k, first, last) for k in range(tokens.sums + 1))
        first = last + 1
    return {"first": str(tokens.first), "last": str(tokens.last), "sums": names, "stages": stages}, sound


def checked(tokens: Tokens, given: Any, every: bool, states: int = 1 << 20) -> recheck_blocks.Block:
    made = asked(tokens.tokens, tokens.length, tokens.sums, Limits(states=states))
    block = recheck_blocks.Block(made, At(given, "block"), every)
    block.check()
    return block


def wrong(rng: Random, given: Any, kinds: list[str]) -> tuple[Any, str]:
    """A neighbour: in one of the lists one state is left out, another one, there twice or with another bit of y; and the reason."""
    runs = rng.choice([stage[kind] for stage in given["stages"] for kind in kinds if stage[kind]])
    start, step, _ = runs[-1]
    how = rng.choice(["out", "other", "twice", "still", "bit"])
    sums = len(given["sums"])
    if how == "out":
        runs.pop()
        return given, "is reached, but not listed"
    if how == "twice":
        runs.insert(1, runs[0])
        return given, "the state .* is listed twice" if len(runs) > 2 else "a run of 1 states, where 0 are left"
    if how == "still" and len(runs) > 1:
        runs[:2] = [[start, step, "2"]]
        return given, "a state is listed twice"
    if how == "bit" and len(start) > sums:
        others = {tuple(run[0]) for run in runs}
        place = rng.randrange(sums, len(start))
        changed = [*start[:place], str(1 - int(start[place])), *start[place + 1 :]]
        runs[-1] = [changed, step, "1"]
        return given, "is listed twice|are left" if tuple(changed) in others else "nothing leads to it"
    runs[-1] = [["11", *start[1:]], step, "1"]  # no state: between 8 and 12 there is none
    return given, "nothing leads to it"


def test_the_states_are_those_of_all_pairs() -> None:
    """Where a token reads a bit of z again behind its stage the block is refused; else what is listed is accepted, and no neighbour."""
    seen = Counter[str]()
    for seed in range(120):
        rng = Random(seed)
        tokens, kinds = Tokens(rng), rng.choice([["less"], ["less", "every"]])
        given, sound = block_listed(tokens, rng, kinds)
        if not sound:
            with pytest.raises(Rejected, match="is read again after its stage"):
                checked(tokens, given, len(kinds) > 1)
            seen["read again"] += 1
            continue
        block, reached = checked(tokens, given, len(kinds) > 1), tokens.reached(tokens.last)
        late = sum(1 << tokens.last - p for p in tokens.late())
        for kind in ("equal", *kinds):
            packed = {(*sums, sum(b << tokens.last - p for b, p in zip(y, tokens.late(), strict=True))) for sums, y in reached[kind]}
            assert getattr(block, kind) == packed, f"seed {seed}, {kind}"
        assert block.late == late, f"seed {seed}"
        stages = [tokens.reached(int(stage["last"])) for stage in given["stages"]]
        rows = max(1 << tokens.last - tokens.first + 1, *(sum(len(stage[kind]) for kind in ("equal", *kinds)) for stage in stages))
        checked(tokens, given, len(kinds) > 1, rows * (tokens.sums + 2))
        with pytest.raises(TooMuch, match="states"):
            checked(tokens, given, len(kinds) > 1, rows * (tokens.sums + 2) - 1)
        seen["late" if late else "early"] += 1
        if any(stage[kind] for stage in given["stages"] for kind in kinds):
            given, reason = wrong(rng, given, kinds)
            with pytest.raises(Rejected, match=reason):
                checked(tokens, given, len(kinds) > 1)
            seen[reason] += 1
    assert min(seen.values()) > 2, seen
    assert len(seen) >= 7, seen


Y, Z = ("y", 1), ("z", 1)


def one_token(reads: list[recheck_construction.Bit], terms: list[int], listed: list[Any], place: int = 1) -> None:
    """The block of one position whose denominator is what one token adds to it, with the states for y < z listed."""
    where = str(place)
    stages = [{"first": where, "last": where, "less": listed}]
    given = {"first": where, "last": where, "sums": ["denominator"], "stages": stages}
    tokens = [([(s, place) for s, _ in reads], [[x] for x in terms])]
    recheck_blocks.Block(asked(tokens, place, 0), At(given), wants_every=False).check()


def test_a_bit_of_y_is_0_or_1_and_stands_still() -> None:
    """y < z of one bit is y = 0, which a token reads together with z; 1 is a state that is not reached, others are no bits."""
    one_token([Z, Y], [0, 0, 3, 0], [[["3", "0"], ["0", "0"], "1"]])
    for start, step in (("1", "0"), ("0", "1"), ("0", "-1"), ("2", "0"), ("-1", "0")):
        with pytest.raises(Rejected if start == "1" else Unknown):
            one_token([Z, Y], [0, 0, 3, 0], [[["3", start], ["0", step], "1"]])


def test_a_block_takes_what_its_width_takes() -> None:
    """Also the last of three thousand positions."""
    one_token([Z], [0, 3], [[["3"], ["0"], "1"]], place=3000)


def test_a_state_is_shown_by_nine_of_its_sums() -> None:
    """The bits of y, which come last, are not shown."""
    show, row = recheck_blocks.Block.shown, (3, recheck_rounding.INF, *[2] * 6, -recheck_rounding.INF, 5, 5)
    for sums, shown in ((1, "3"), (2, "3, inf"), (9, "3, inf, 2, 2, 2, 2, 2, 2, -inf")):
        assert show(None, (*row[:sums], 7)) == shown  # type: ignore[arg-type]
    assert show(None, (*row, 7)) == show(None, (*row[:10], 7)) == "3, inf, 2, 2, 2, 2, 2, 2, -inf, ..."  # type: ignore[arg-type]


@pytest.mark.parametrize("bit", [("z", 2), ("y", 2), ("z", 4), ("y", 4)], ids="{0[0]}[{0[1]}]".format)
def test_a_block_depends_on_its_positions_only(bit: recheck_construction.Bit) -> None:
    """Of four positions the third: any other bit that a token reads must not matter."""
    given = {"first": "3", "last": "3", "sums": ["denominator"], "stages": [{"first": "3", "last": "3", "less": []}]}
    for terms in ([0, 0, 3, 0], [0, 3, 0, 0]):
        for reads in ([bit, ("y", 3)], [bit, ("z", 3)]):
            with pytest.raises(Rejected, match=rf"depends on {bit[0]}\[{bit[1]}\], outside its positions"):
                recheck_blocks.Block(asked([(reads, [[x] for x in terms])], 4, 0), At(given), wants_every=False)
    recheck_blocks.Block(asked([([bit, ("y", 3)], [[0], [3], [0], [3]])], 4, 0), At(given), wants_every=False)


ALL = ["sum 1", "denominator"]


def block_of_all(t: recheck_construction.Transformer, first: int, last: int, *stages: tuple[int, int]) -> recheck_blocks.Block:
    """A block of all sums, before any of its states is formed."""
    listed = [{"first": str(a), "last": str(b), "less": []} for a, b in stages]
    return recheck_blocks.Block(t, At({"first": str(first), "last": str(last), "sums": ALL, "stages": listed}), False)


def behind(first: int) -> recheck_construction.Transformer:
    """Of strings of 12 bits: the tokens read y from its bit ``first`` on, and nothing of z."""
    whole = small(3, 12)
    return transformer(replace(whole, tokens=whole.tokens[first - 1 :]), NAMED["a4"])


@pytest.mark.parametrize("first", [1, 4])
def test_the_states_of_a_block_are_counted_before_they_are_formed(first: int) -> None:
    """Two sums and the bits of y that wait, for each content of y's positions."""
    t, states = behind(first), 3 << 13 - first
    t.limits = Limits(states=states)
    block_of_all(t, first, 12, (first, 8), (9, 12))
    t.limits = Limits(states=states - 1)
    with pytest.raises(TooMuch, match=f"more than {states - 1} states"):
        block_of_all(t, first, 12, (first, 8), (9, 12))


STAGES = [
    ("ten positions at once", [(1, 10), (11, 12)], "positions 1 to 10 behind 0"),
    ("a position left out", [(1, 8), (10, 12)], "positions 10 to 12 behind 8"),
    ("a position twice", [(1, 8), (8, 12)], "positions 8 to 12 behind 8"),
    ("the first left out", [(2, 8), (9, 12)], "positions 2 to 8 behind 0"),
    ("the last left out", [(1, 8), (9, 11)], "the stages leave out positions"),
    ("one too many", [(1, 8), (9, 13)], "positions 9 to 13 behind 8"),
    ("a stage of nothing", [(1, 8), (9, 8), (9, 12)], "positions 9 to 8 behind 8"),
    ("no stages", [], "the stages leave out positions"),
]


@pytest.mark.parametrize(("title", "stages", "reason"), STAGES, ids=titled)
def test_stages_take_every_position_though_no_token_reads_it(title: str, stages: list[tuple[int, int]], reason: str) -> None:
    block_of_all(behind(1), 1, 12, (1, 9), (10, 12))
    with pytest.raises(Rejected, match=reason):
        block_of_all(behind(1), 1, 12, *stages)


BLOCKS = [
    ("one position left out", [(1, 2, []), (4, 12, ALL)], "leave out positions"),
    ("one in both", [(1, 4, []), (4, 12, ALL)], "leave out positions"),
    ("the first left out", [(2, 3, []), (4, 12, ALL)], "leave out positions"),
    ("the last left out", [(4, 12, ALL), (1, 3, [])], "leave out positions"),
    ("only the end", [(4, 12, ALL)], "leave out positions"),
    ("a sum left out", [(1, 3, []), (4, 12, ["denominator"])], "each sum belongs to one block"),
    ("all sums in both", [(1, 12, ALL), (1, 12, ALL)], "leave out positions"),
    ("all of them", [(1, 3, []), (4, 12, ALL)], "is reached, but not listed"),
    ("in one block", [(1, 12, ALL)], "is reached, but not listed"),
]


@pytest.mark.parametrize(("title", "blocks", "reason"), BLOCKS, ids=titled)
def test_blocks_take_every_position_and_every_sum(title: str, blocks: list[tuple[int, int, list[str]]], reason: str) -> None:
    """Where they do, it is the states that are wanting."""
    given = []
    for place, (first, last, sums) in enumerate(blocks):
        kinds: dict[str, list[str]] = {"less": []} | ({"every": []} if place else {})
        stages = [{"first": str(k), "last": str(k), **kinds} for k in range(first, last + 1)]
        given.append({"first": str(first), "last": str(last), "sums": sums, "stages": stages})
    facts = At({"cases": str((1 << 12) * ((1 << 12) + 1) // 2), "assumptions": [], "blocks": given}).names()
    with pytest.raises(Rejected, match=reason):
        recheck_verified.check_verified(facts, behind(4))

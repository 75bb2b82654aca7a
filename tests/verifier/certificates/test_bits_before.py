"""What the tokens before the last one exclude: accepted only where no tokens at all, tried one by one, tell the strings apart."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from lowerbounds.matchings import largest_matching
from verifier.certificates import recheck_one_sum
from verifier.certificates.recheck_reading import At, Limits, Rejected

Map = tuple[int, ...]
Codes = dict[int, tuple[int, ...]]


def made(maps: Sequence[Map]) -> Any:
    """Running sums with these maps, of which a token is called by its number."""
    sums = SimpleNamespace(map={(0, k): image for k, image in enumerate(maps)}, states=range(len(maps[0])), limits=Limits())
    sums.machine, sums.bits, sums.coupling, sums.label = SimpleNamespace(state=lambda value: value), 1, "any", "made"
    return sums


def entry(pair: tuple[int, ...], **facts: Any) -> dict[str, Any]:
    return {"maps": [["0", str(k)] for k in pair], **facts}


def weights(states: int, heavy: Collection[int]) -> str:
    return "".join("1" if x in heavy else "0" for x in range(states))


def some_table(maps: Sequence[Map], length: int) -> bool:
    """Whether some two states for the first bit and for each bit after it some two maps leave each string another state."""
    left = [{*pair} for pair in combinations(range(len(maps[0])), 2)]
    for _ in range(length - 1):
        tried = [(states, pair) for states in left for pair in combinations(maps, 2)]
        after = [({image[x] for x in states for image in pair}, 2 * len(states)) for states, pair in tried]
        left = [states for states, count in after if len(states - {-1}) == count]
    return bool(left)


def enough(codes: Sequence[tuple[int, ...]], needed: int) -> bool:
    """Whether so many of the codes are disjoint."""
    if needed == 0 or not codes:
        return needed == 0
    first, *others = codes
    return enough([code for code in others if not {*first} & {*code}], needed - 1) or enough(others, needed)


def prepended(first: Map, second: Map, codes: Codes) -> Codes:
    """The codes before two maps: of the states whose images have disjoint ones."""
    pairs = {s: (codes[u], codes[v]) for s, (u, v) in enumerate(zip(first, second, strict=True)) if u in codes and v in codes}
    return {s: u + v for s, (u, v) in pairs.items() if not {*u} & {*v}}


def before(maps: Sequence[Map], codes: Codes, needed: int) -> tuple[dict[str, Any], bool]:
    """What excludes a token before these codes: states of which each code has one; whether that was found for all that leave too few."""
    covers, longer, whole, states = [], [], True, len(maps[0])
    for i, k in combinations(range(len(maps)), 2):
        both = prepended(maps[i], maps[k], codes)
        listed = [*both.values()]
        if enough(listed, needed):
            if needed > 2:
                facts, complete = before(maps, both, needed // 2)
                longer.append(entry((i, k), **facts))
                whole = whole and complete
        elif len(both) >= needed:
            few = next((h for h in combinations(range(states), needed - 1) if all({*h} & {*code} for code in listed)), None)
            covers += [{"least": "1", "weights": weights(states, few)}] if few else []
            whole = whole and few is not None
    return {"covers": covers, "longer": longer}, whole


def certificate(maps: Sequence[Map], length: int) -> tuple[dict[str, Any], bool]:
    """Barriers where they are needed, what the tokens before exclude where barriers are not enough, and whether it is all there."""
    half, barriers, longer, whole = 1 << length - 1, [], [], True
    for i, k in combinations(range(len(maps)), 2):
        edges = prepended(maps[i], maps[k], {x: (x,) for x in range(len(maps[0]))})
        counts = [len({edge[side] for edge in edges.values()}) for side in (0, 1)]
        if min(*counts, len({x for edge in edges.values() for x in edge}) // 2) < half:
            continue
        largest = largest_matching({(u, v) for u, v in edges.values()})
        if largest.bound < half:
            barriers.append(entry((i, k), barrier=[str(x) for x in largest.barrier]))
        elif length > 2:
            facts, complete = before(maps, edges, half // 2)
            longer.append(entry((i, k), **facts))
            whole = whole and complete
    return {"barriers": barriers, "longer": longer}, whole


def judged(maps: Sequence[Map], length: int, facts: dict[str, Any]) -> str:
    try:
        return recheck_one_sum.check_one_sum({key: At(each, key) for key, each in facts.items()}, made(maps), length)
    except Rejected as refused:
        return str(refused)


def random_maps(rng: Random, length: int) -> list[Map]:
    """Two maps that append a bit, which tell all strings of this length apart, a third one, and some images changed at random."""
    states = (1 << length) + rng.randrange(3)
    names = rng.sample(range(states), 1 << length)
    maps = [[-1] * states for _ in range(rng.choice([2, 3]))]
    for s in range(1 << length):
        for k, image in enumerate(maps):
            image[names[s]] = names[(2 * s + k) % (1 << length)]
    for _ in range(rng.randrange(1 << length)):
        rng.choice(maps)[rng.randrange(states)] = rng.choice([-1, *range(states)])
    return [*dict.fromkeys(map(tuple, maps))]


@pytest.mark.parametrize("length", [2, 3, 4])
def test_random_maps(length: int) -> None:
    seen = Counter[bool]()
    for seed in range({2: 60, 3: 60, 4: 25}[length]):
        maps = random_maps(Random(seed), length)
        (facts, whole), possible = certificate(maps, length), some_table(maps, length)
        said = judged(maps, length, facts)
        if possible or whole:
            assert said.startswith("one sum: ") != possible, f"seed {seed}: {said}"
            how = f" {len(maps) * (len(maps) - 1) // 2} pairs of maps, {len(facts['barriers'])} of them by barriers"
            how += f", {len(facts['longer'])} by the bits before, with {json.dumps(facts).count('least')} covers" if facts["longer"] else ""
            assert possible or said.endswith(how)
            seen[possible] += 1
    assert len(seen) == 2, seen
    assert min(seen.values()) > 2, seen


def tree(last: int) -> tuple[list[int], list[int]]:
    """Two maps that tell 4 bits apart and would not without any of their images: 14 states, one of them the last, and 16 leaves."""
    zero, one = [-1] * 30, [-1] * 30
    name = {**{k: k for k in range(30)}, last: 29, 29: last}
    for k in range(14):
        zero[name[k]], one[name[k]] = name[2 * k + 2], name[2 * k + 3]
    return zero, one


def judged_and_known(*images: list[int]) -> tuple[str, bool]:
    """What is said of these maps and 4 bits, and whether some tokens tell them apart."""
    maps = [*map(tuple, images)]
    facts, whole = certificate(maps, 4)
    assert whole
    return judged(maps, 4, facts), some_table(maps, 4)


def test_every_image_counts() -> None:
    """Refused while all are there, accepted once one is missing."""
    for last in range(14):
        zero, one = tree(last)
        said, possible = judged_and_known(zero, one)
        assert possible
        assert said.endswith("and no cover holds them")
        (zero, one)[last % 2][29] = -1
        said, possible = judged_and_known(zero, one)
        assert not possible
        assert said.startswith("one sum: ")


def test_a_code_has_no_state_twice() -> None:
    """State 5 leads to 12 alone; 30, which leads to 12 and 13, stands in for it where nothing else is left."""
    zero, one = tree(29)
    one[5] = zero[5]
    said, possible = judged_and_known([*zero, 12, 2], [*one, 13, 30])
    assert not possible
    assert said.startswith("one sum: ")


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def before_one(rows: Sequence[str], covers: Sequence[tuple[int, str]], length: int = 3, longer: Sequence[Any] = ()) -> int:
    """Two maps before the last bit, which for each row have a state: its images are known by their codes, which are of these letters."""
    names = [*dict.fromkeys(code for row in rows for code in row.split())]
    ends = [(-1,) * (len(LETTERS) - len(rows)) + tuple(names.index(row.split()[side]) for row in rows) for side in (0, 1)]
    codes = {k: tuple(map(LETTERS.index, code)) for k, code in enumerate(names) if code != "-"}
    given = [{"least": str(least), "weights": weights(26, {LETTERS.index(x) for x in heavy})} for least, heavy in covers]
    facts = entry((0, 1), covers=given, longer=list(longer))
    return recheck_one_sum.check_before(At(facts, "entry"), codes, made(ends), length, 1)


THROUGH_D = ["ab cd", "ef gd", "hi jd"]
"""All hold d, and four edges of the last bit are disjoint all the same."""
TRIANGLE = ["ab cd", "ae fg", "bh fi"]
"""Each holds two of a, b, f, and every two of them one."""
BEFORE: list[tuple[str, list[str], list[tuple[int, str]], str]] = [
    ("two codes that are disjoint", ["ab cd", "ef gh"], [], "2 codes, and no cover holds them"),
    ("and a cover of one of them", ["ab cd", "ef gh"], [(1, "a")], "no cover holds them"),
    ("and of the other", ["ab cd", "ef gh"], [(1, "h")], "no cover holds them"),
    ("the same codes in another order", ["ab cd", "ba dc", "cd ba"], [], ""),
    ("one state with a code", ["ab cd", "ef -", "- gh"], [], ""),
    ("codes that hold few states", ["ab cd", "ae fg"], [], ""),
    ("images that overlap", ["ab ac", "ef eg", "hi hk", "lm ln"], [], ""),
    ("edges with one end in common", ["ab cd", "ab ef", "ab gh"], [], ""),
    ("few disjoint edges of the last bit", ["ab cd", "ae cf", "ag ch"], [], ""),
    ("one state in all codes, and no cover", THROUGH_D, [], "3 codes, and no cover holds them"),
    ("a cover", THROUGH_D, [(1, "d")], ""),
    ("the second cover", THROUGH_D, [(1, "a"), (1, "d")], ""),
    ("the first of two covers", THROUGH_D, [(1, "d"), (1, "a")], ""),
    ("a cover of another state", THROUGH_D, [(1, "a")], "no cover holds them"),
    ("a cover of too much", THROUGH_D, [(1, "cd")], "a weight of 2, fewer than 1 times 2 was expected"),
    ("a cover that asks for more than there is", THROUGH_D, [(2, "d")], "no cover holds them"),
    ("two of three", TRIANGLE, [(2, "abf")], ""),
    ("and one of them", TRIANGLE, [(2, "ab")], "no cover holds them"),
    ("as much as two codes have", ["ab cd", "ef gh"], [(2, "abef")], "a weight of 4, fewer than 2 times 2 was expected"),
    ("as much as three", ["ab cd", "ef gh"], [(3, "abcefg")], "a weight of 6, fewer than 3 times 2 was expected"),
]


def test_two_maps_before_the_last_bit() -> None:
    for title, rows, covers, reason in BEFORE:
        try:
            said = str(before_one(rows, covers))
        except Rejected as refused:
            said = str(refused)
        assert said.endswith(reason or str(len(covers))), f"{title}: {said}"


def test_every_pair_of_maps_counts() -> None:
    """Three of five maps are constants; the others leave two disjoint codes, of the last bits and of the bits before."""
    for i, k in combinations(range(5), 2):
        maps = [(k,) * 8 for k in range(5)]
        maps[i], maps[k] = (-1, -1, 0, 1, -1, -1, -1, -1), (-1, -1, 2, 3, -1, -1, -1, -1)
        assert judged(maps, 2, {"barriers": [], "longer": []}).endswith("two maps leave 2 states, and have no barrier")
        codes = {k: (2 * k, 2 * k + 1) for k in range(4)}
        with pytest.raises(Rejected, match="two maps leave 2 codes, and no cover holds them"):
            recheck_one_sum.check_before(At({"maps": [], "covers": [], "longer": []}), codes, made(maps), 3, 1)


FEW = ["ab cd", "ef gh", "ij kl"]
NOT_NEEDED = [
    ("too few states have a code", FEW),
    ("too few codes", [*FEW, "bc bd"]),
    ("too few states in all codes", [*FEW, "mn oa"]),
]


def test_what_excludes_itself_needs_nothing_before_it() -> None:
    """Of strings of 4 bits, where four codes are needed."""
    for title, rows in NOT_NEEDED:
        assert before_one(rows, [], length=4) == 0, title
        with pytest.raises(Rejected, match="these maps need no covers"):
            before_one(rows, [], length=4, longer=[entry((0, 1), covers=[], longer=[])])


def test_of_the_first_bit_nothing_is_known() -> None:
    with pytest.raises(Rejected, match="only the first bit is left"):
        before_one(["ab cd"], [], length=2)

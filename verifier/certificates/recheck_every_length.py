"""A construction whose positions are alike, for strings of every length."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from .recheck_construction import Transformer
from .recheck_reading import At, Value, agree, demand


def check_every_length(facts: Mapping[str, At], t: Transformer) -> str:
    """The states listed hold the empty strings' and, with a state, what any pair of bits makes of it; over each denominator they are right.

    So it is for the strings of every length, if each position has the columns of a position here, beside one another, and each token one
    of the weights here: further tokens add 0 to a column, and the numerator adds the columns from left to right.
    """
    agree(facts["assumptions"], t.assumptions)
    columns, m = position_of(t), t.machine
    states = [(s.items(2)[0], s.items(2)[1].one_of("equal", "different") == "equal") for s in facts["states"].items()]
    reached = {(m.state(total.value()), equal) for total, equal in states}
    bottoms = {m.state(d.value()) for d in facts["denominators"].items()}
    demand(len(reached) == len(states), "a state is listed twice")
    demand((0, True) in reached, "the state 0, equal of the empty strings is not listed")
    t.limits.spend(8 * len(reached) * (len(columns) + 1) * t.cost)
    for total, equal in reached:
        for y, z in product((0, 1), repeat=2):
            after = m.sum([total, *(m.times(m.value(of[y, z]), weight) for of, weight in columns)])
            leads = (after, equal and y == z)
            demand(leads in reached, f"bits {y} and {z} lead from {m.value(total)} to {m.value(after)}, which is not listed")
    if t.linear:
        demand(bottoms == {m.state(Fraction(1))}, "denominators: linear attention is divided by nothing, so 1 alone was expected")
    weights, now = {terms[-1] for each in t.addends for terms in each}, {0}
    for _ in () if t.linear else t.tokens:
        t.limits.spend(4 * len(weights) * len(now) * t.cost)
        now = {m.add(d, w) for d in now for w in weights}
    t.limits.spend(4 * len(bottoms) * (len(weights) + len(reached)) * t.cost)
    for d in () if t.linear else now | {m.add(d, w) for d in bottoms for w in weights}:
        demand(d in bottoms, f"the denominator {m.value(d)} is reached, but not listed")
    for total, equal in reached:
        for d in bottoms:
            right = t.answer(m.divide(total, d)) == int(equal)
            demand(right, f"{m.value(total)} over {m.value(d)} is not answered with {int(equal)}")
    return (
        f"every length: EQ of two strings of any length, in {t.size}, semantics {t.label}: {len(reached)} states, closed under every "
        f"pair of bits, where positions add as here and {len(t.tokens)} tokens or more have the weights of these{t.assuming}"
    )


def position_of(t: Transformer) -> list[tuple[dict[tuple[int, int], int], Value]]:
    """The columns of a position, alike at all: what each adds up to at the bits y and z, and what W^V multiplies it with."""
    demand(t.knobs["order"] == "ax", "semantics: columns of A X are summed with order ax alone")
    where, found = list[int](), list[tuple[dict[tuple[int, int], int], Value]]()
    for k, column in enumerate(t.columns):
        t.limits.spend(4 * sum((1 + len(reads)) << len(reads) for reads, _ in t.tokens) * t.cost)
        places = {
            place
            for (reads, _), terms in zip(t.tokens, t.addends, strict=True)
            if len({added[k] for added in terms}) > 1
            for flip, (_, place) in zip([1 << at for at in reversed(range(len(reads)))], reads, strict=True)
            if any(added[k] != terms[content ^ flip][k] for content, added in enumerate(terms))
        }
        demand(len(places) == 1, f"column {column + 1} of A X depends on {len(places)} positions, one was expected")
        (place,) = places
        where.append(place)
        found.append(({(y, z): column_sum(t, k, {"y": y, "z": z}, place) for y, z in product((0, 1), repeat=2)}, t.value_weights[column]))
    order = list(dict.fromkeys(where))
    groups = [[each for at, each in zip(where, found, strict=True) if at == place] for place in order]
    demand(where == [at for at in order for each in where if each == at], "the columns of a position are not beside one another")
    demand(set(order) == set(range(1, t.length + 1)), "a position of the strings has no column")
    demand(all(group == groups[0] for group in groups), "two positions of the strings do not have the same columns")
    return groups[0]


def column_sum(t: Transformer, k: int, bits: Mapping[str, int], place: int) -> int:
    """The k-th sum over all tokens where this position has these bits; no other position adds anything to it."""
    added = []
    for (reads, _), terms in zip(t.tokens, t.addends, strict=True):
        content = "".join(str(bits[string]) if at == place else "0" for string, at in reads)
        added.append(terms[int(content or "0", 2)][k])
    return t.machine.sum(added)

"""Small random constructions of EQ under y ≤ z, well-formed and mostly wrong: material to compare engines on."""

from __future__ import annotations

import random
from dataclasses import replace

from verifier.arithmetic.rationals import Fraction, rational
from verifier.arithmetic.semantics import NAMED
from verifier.networks.entries import Large
from verifier.networks.indices import Bit, Field
from verifier.networks.instance import Instance, Matrix, Node, Token, Vector
from verifier.networks.problems import Problem
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

KINDS = ("ascending", "late", "swapped", "separate")
"""z in ascending order behind y · y mixed among z, and tokens that hold two bits · two tokens of z swapped · sums that separate."""

ENTRIES = [rational(x) for x in ("0", "0", "1", "-1", "2", "-2", "3", "1/2", "-1/2", "4", "-4", "1/4", "7")]
KEYS = [Large(positive=False), *(Fraction(x) for x in (0, 0, 1, -1, 2, -2))]


def random_construction(seed: int) -> tuple[Instance, str]:
    """A construction and its kind; the same for the same seed."""
    rng = random.Random(seed)
    kind, length, bits = rng.choice(KINDS), rng.randint(1, 4), rng.randint(3, 6)
    fields = _contents(rng, kind, length)
    tokens = tuple(Token(k, k, each, _vectors(rng, kind, each, length)) for k, each in enumerate(fields, 1))
    threshold, slope = rng.choice([rational(x) for x in ("0", "1", "1/2", "2", "-1")]), rng.choice([Fraction(x) for x in (-1, -2, -4, 1)])
    one, zero = Fraction(1), Fraction(0)
    instance = Instance(
        id=f"random construction {seed}",
        parameters={},
        names={},
        precision=bits,
        task=Problem("EQ", "y <= z", length),
        tokens=tokens,
        query=Matrix(((one,), (zero,), (zero,)), ln2=rng.random() < 0.8),
        key=Matrix(((zero,), (one,), (zero,))),
        value=Matrix(((zero if rng.random() < 0.6 else rng.choice(ENTRIES),), (zero,), (rng.choice(ENTRIES[2:]),))),
        hidden=(Node((-one,), threshold), Node((one,), -threshold)),
        output=Node((slope, slope), one),
    )
    return instance, kind


def _contents(rng: random.Random, kind: str, length: int) -> list[tuple[Field, ...]]:
    z = [bit for k in range(1, length + 1) for bit in [Bit("z", k)] * rng.choice([1, 1, 1, 2, 0])]
    y = [bit for k in range(1, length + 1) for bit in [Bit("y", k)] * rng.choice([1, 1, 2])]
    rng.shuffle(y)
    if kind == "swapped" and len(z) > 1:
        k = rng.randrange(len(z) - 1)
        z[k], z[k + 1] = z[k + 1], z[k]
    if kind == "late":
        for bit in y:
            z.insert(rng.randint(0, len(z)), bit)
    contents: list[tuple[Field, ...]] = [((bit,),) for bit in (z if kind == "late" else y + z)]
    if kind == "late" and rng.random() < 0.5:
        pair = ((Bit("y", rng.randint(1, length)),), (Bit("z", rng.randint(1, length)),))
        contents.insert(rng.randint(0, len(contents)), pair)
    for _ in range(2):
        contents.insert(rng.randint(0, len(contents)), ((),))
    return [*contents, ((),)]


def _vectors(rng: random.Random, kind: str, fields: tuple[Field, ...], length: int) -> tuple[Vector, ...]:
    width = sum(len(each) for each in fields)
    vectors = []
    for _ in range(2**width):
        key, value = rng.choice(KEYS), rng.choice(ENTRIES)
        if kind == "separate" and width == 1:
            high = fields[0][0].index <= length // 2
            key, value = (Fraction(-1), value) if high else (key, Fraction(0))
        vectors.append((Fraction(1), key, value))
    return tuple(vectors)


def nearly_right(rng: random.Random, high: int, low: int) -> Instance:
    """Sums that separate, and failures that are rare: for positions of the prefix, what y adds to the numerator z takes away; for those
    of the suffix, a bit of y and one of z have the weights of each other's contents. One number is changed, and the MLP answers 1 to what
    two pairs z = y lead to and to what lies between.
    """
    zero, one = Fraction(0), Fraction(1)
    contents = []
    for k in range(1, high + low + 1):
        if k <= high:
            size = Fraction(rng.choice([1, 1, 2, 3]))
            both = [[(zero, zero), (zero, size)], [(zero, zero), (zero, -size)]]
        else:
            keys = [(Fraction(rng.choice([0, 1, 2])), zero), (Fraction(rng.choice([-1, 0, 1, 3])), zero)]
            both = [keys, keys[::-1]]
        contents += [(Bit(string, k), content) for string, content in zip("yz", both, strict=True)]
    bit, changed = rng.choice(contents)
    place, change = rng.randrange(2), rng.choice([-1, 0, 1])
    key, value = changed[place]
    changed[place] = (key, value + change) if bit.index <= high else (key + change, value)
    tokens = [Token(n, n, ((bit,),), tuple((one, *each) for each in content)) for n, (bit, content) in enumerate(contents)]
    instance = Instance(
        id="nearly right",
        parameters={},
        names={},
        precision=10,
        task=Problem("EQ", "y <= z", high + low),
        tokens=(*tokens, Token(len(tokens), len(tokens), ((),), ((one, zero, one),))),
        query=Matrix(((one,), (zero,), (zero,)), ln2=True),
        key=Matrix(((zero,), (one,), (zero,))),
        value=Matrix(((zero,), (zero,), (one,))),
        hidden=(),
        output=Node((), one),
    )
    execution, steep = Execution(instance, NAMED["a4"]), Fraction(512)
    strings = [rng.randrange(1 << high + low) for _ in range(2)]
    accepted = [evaluate(execution, y, y).attention for y in strings]
    hidden = (Node((steep,), -steep * max(accepted)), Node((-steep,), steep * min(accepted)))
    return replace(instance, hidden=hidden, output=Node((-one, -one), one))

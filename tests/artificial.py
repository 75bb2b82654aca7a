"""Small made-up constructions: random tables whose sums separate or not, and the census of each by brute force."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.oracle import Execution, Transformer, Value
from tests.oracle_reading import random_floating_semantics, random_semantics
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.rationals import rational
from verifier.networks.entries import Entry, Large
from verifier.networks.indices import Bit, Field
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.problems import Problem
from verifier.running.errors import InputError
from verifier.transformers import tables as terms

ENTRIES = [rational(x) for x in ("0", "0", "1", "-1", "2", "-2", "1/2", "3", "-4", "8", "1/3", "-3/4")]
KEYS = [rational(x) for x in ("0", "0", "1", "-1", "2", "-2", "3", "1/2", "-5")]
KINDS = ("joint", "blocks", "repeated", "constants", "wild")


def random_instance(kind: str, rng: Random) -> Instance:
    """A well-formed instance of the given kind.

    joint: any token reads any bit; blocks: tokens that read a suffix have a zero value entry, those that read a prefix one key;
    repeated: tokens read several bits, some twice, some flipped; constants: no token reads anything; wild: as joint, with large
    entries, many columns and no restraint, so that infinities and NaN come up.
    """
    m = rng.choice([1, 2, 3])
    d = rng.choice([2, 3]) if kind != "wild" else 3
    tokens = [_token(kind, k, m, d, rng) for k in range(rng.randint(2, 6))]
    tokens.append(replace(_token("constants", len(tokens), m, d, rng), step=99))
    zero, one = F(0), F(1)
    key = [[one if c == 1 else zero] for c in range(d)]
    query = [[rng.choice([one, one, zero, F(2), F(-1)]) if c != 1 else zero] for c in range(d)]
    value = [[rng.choice([zero, one, F(2), F(8), F(1, 2)]) if c != 1 or kind == "wild" else zero] for c in range(d)]
    hidden = tuple(Node((rng.choice(ENTRIES),), rng.choice(ENTRIES)) for _ in range(rng.choice([0, 1, 2, 2, 2])))
    output = Node(tuple(rng.choice(ENTRIES) for _ in hidden), rng.choice([one, one, zero, F(1, 2)]))
    return Instance(
        id=f"artificial-{kind}",
        parameters={},
        names={},
        precision=rng.randint(2, 6),
        task=Problem(rng.choice(["EQ", "EQ", "EQ", "GT"]), rng.choice(["y <= z", "y <= z", "none"]), m),
        tokens=tuple(tokens),
        query=Matrix(tuple(map(tuple, query)), ln2=rng.random() < 0.7),
        key=Matrix(tuple(map(tuple, key))),
        value=Matrix(tuple(map(tuple, value))),
        hidden=hidden,
        output=output,
    )


def _token(kind: str, index: int, m: int, d: int, rng: Random) -> Token:
    fields = _fields(kind, m, rng)
    width = sum(len(each) for each in fields)
    early = all(bit.index <= (m + 1) // 2 for each in fields for bit in each)
    shared = rng.choice(KEYS)
    vectors = []
    for _ in range(2**width):
        vector: list[Entry] = [rng.choice(ENTRIES) * (64 if kind == "wild" and rng.random() < 0.5 else 1) for _ in range(d)]
        vector[0], vector[1] = F(1), rng.choice(KEYS) if rng.random() < 0.8 else Large(positive=rng.random() < 0.1)
        if kind == "blocks":
            vector[1] = shared if early else vector[1]
            vector[2:] = vector[2:] if early else [F(0)] * (d - 2)
        vectors.append(tuple(vector))
    return Token(index, index + 1, fields, tuple(vectors))


def _fields(kind: str, m: int, rng: Random) -> tuple[Field, ...]:
    if kind == "constants":
        return ((),)
    count = rng.randint(1, 3) if kind == "repeated" else rng.choice([0, 1, 1, 1, 2])
    bits = tuple(Bit(rng.choice("yz"), rng.randint(1, m), rng.random() < 0.2) for _ in range(count))
    if kind == "blocks":
        bits = bits[:1]
    cut = rng.randint(0, len(bits))
    return (bits[:cut], bits[cut:])


def combines(execution: terms.Execution) -> bool:
    """Whether N meets nothing in the sums of this reading that it cannot be combined with: else the construction is in error."""
    try:
        for token in execution.instance.tokens:
            for pattern in range(len(token.vectors)):
                execution.term(token, pattern)
    except InputError:
        return False
    return True


def random_reading(kind: str, rng: Random, attention: str = "softmax", floating: bool = False) -> terms.Execution:
    """A random instance under a random semantics, drawn again where the two do not go together."""
    while True:
        instance, semantics = replace(random_instance(kind, rng), attention=attention), random_semantics(rng)
        if floating:
            instance = replace(instance, precision=Digits(rng.randint(1, 4), rng.randint(1, 4)))
            semantics = random_floating_semantics(rng)
        try:
            execution = terms.Execution(instance, semantics)
        except InputError:
            continue
        if combines(execution):
            return execution


def embedding(instance: Instance, y: str, z: str) -> list[list[Value]]:
    """The vectors that the strings select, read off the token's table bit by bit."""
    rows = []
    for token in instance.tokens:
        digits = "".join({"y": y, "z": z}[bit.string][bit.index - 1] for each in token.fields for bit in each)
        vector = token.vectors[int(digits, 2) if digits else 0]
        assert vector is not None
        rows.append([str(x) if isinstance(x, Large) else x for x in vector])
    return rows


def transformer(instance: Instance) -> Transformer:
    return Transformer(
        wq=[list(row) for row in instance.query.rows],
        wk=[list(row) for row in instance.key.rows],
        wv=[row[0] for row in instance.value.rows],
        hidden=[(node.weights[0], node.bias) for node in instance.hidden],
        out=list(instance.output.weights),
        bias=instance.output.bias,
        ln2=instance.query.ln2,
        attention=instance.attention,
    )


def brute_census(instance: Instance, execution: Execution) -> tuple[int, int, int, tuple[int, int] | None]:
    """Cases, failures, NaNs and the first failure, by the oracle on every pair."""
    made, m = transformer(instance), instance.m
    cases = failures = nans = 0
    first = None
    for y in range(2**m):
        for z in range(2**m):
            if instance.problem.promise == "y <= z" and y > z:
                continue
            expected = (y == z) if instance.problem.function == "EQ" else (y > z)
            output = made.output(embedding(instance, f"{y:0{m}b}", f"{z:0{m}b}"), execution)[3]
            cases += 1
            nans += output == "nan"
            if output != 1 if expected else output not in (0, "nan"):
                failures += 1
                first = first or (y, z)
    return cases, failures, nans, first

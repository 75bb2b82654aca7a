"""Random constructions under random semantics, every knob and every corner of the arithmetic: what two programs can be compared on."""

from __future__ import annotations

from random import Random

from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.rationals import rational
from verifier.arithmetic.semantics import TURNED, Semantics, read_semantics
from verifier.networks.entries import Entry, Large
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.problems import Problem
from verifier.transformers.tables import Execution

BITS = (1, 2, 3, 3, 4, 4, 5, 6, 8, 12, 24, 64)
SMALL = [rational(x) for x in ("0", "0", "0", "1", "1", "-1", "2", "-2", "3", "1/2", "-1/2", "1/3", "-3/4", "5/8", "4", "-7", "8")]
LARGE = [rational(x) for x in ("64", "-100", "1000", "-31", "1/1000", "-1/64", "4097/4096", "123456789/1024", "-18446744073709551616")]
SCALES = ("1", "1/2", "1/8", "3", "2/3", "7/5", "1/1000", "1000", "1/123456789", "4722366482869645213696")


def random_semantics(rng: Random) -> Semantics:
    """Every knob at random, a fixed grid of some scale in one case of four."""
    words = [f"{knob}={rng.choice(settings)}" for knob, settings in TURNED.items() if knob != "point"]
    words += [f"scale={rng.choice(SCALES)}"] if rng.random() < 0.25 else []
    return read_semantics("a4+" + "+".join(words))


def random_case(seed: int | str) -> tuple[Instance, Semantics]:
    """A construction, in error or not, and a semantics; the same for the same seed."""
    rng = Random(seed)
    m, d, width = rng.randint(1, 3), rng.randint(1, 4), rng.choice([1, 1, 1, 1, 2, 3])
    pool = SMALL if rng.random() < 0.7 else SMALL + LARGE
    large = rng.choice([0, 0, 0.05, 0.3])
    tokens = [_token(k, rng.choice([0, 1, 1, 2, 3]), m, d, pool, large, rng) for k in range(1, rng.randint(2, 6))]
    tokens.append(_token(len(tokens) + 1, 0, m, d, pool, large / 2, rng))
    nodes = rng.choice([0, 1, 2, 2, 3])
    factor = rng.choice(["W^Q", "W^Q", "W^K", ""])
    instance = Instance(
        id=f"random {seed}",
        parameters={},
        names={},
        precision=rng.choice(BITS),
        task=Problem("EQ", "y <= z", m),
        tokens=tuple(tokens),
        query=Matrix(_rows(d, width, pool, rng), ln2=factor == "W^Q"),
        key=Matrix(_rows(d, width, SMALL, rng), ln2=factor == "W^K"),
        value=Matrix(_rows(d, 1, pool, rng)),
        hidden=tuple(Node((rng.choice(pool),), rng.choice(pool)) for _ in range(nodes)),
        output=Node(tuple(rng.choice(pool) for _ in range(nodes)), rng.choice(pool)),
    )
    return instance, random_semantics(rng)


def _token(index: int, width: int, m: int, d: int, pool: list[F], large: float, rng: Random) -> Token:
    reads = tuple(Bit(rng.choice("yz"), rng.randint(1, m)) for _ in range(width))
    return Token(index, index, (reads,), tuple(tuple(_entry(pool, large, rng) for _ in range(d)) for _ in range(1 << width)))


def _entry(pool: list[F], large: float, rng: Random) -> Entry:
    return Large(positive=rng.random() < 0.3) if rng.random() < large else rng.choice(pool)


def _rows(count: int, width: int, pool: list[F], rng: Random) -> tuple[tuple[F, ...], ...]:
    """A matrix that is mostly a choice of coordinates, so that what an entry does is seen."""
    simple = rng.random() < 0.7
    return tuple(tuple(F(rng.random() < 0.4) if simple else rng.choice(pool) for _ in range(width)) for _ in range(count))


def readable(instance: Instance, semantics: Semantics) -> Execution:
    """The reading, every term of which was formed.

    Raises:
        InputError: the construction is in error under this semantics.
    """
    execution = Execution(instance, semantics)
    for token in instance.tokens:
        for pattern in range(len(token.vectors)):
            execution.term(token, pattern)
    return execution

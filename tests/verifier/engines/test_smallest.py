"""The smallest counterexample that reachable sets find, where failures are rare: constructions that are nearly right."""

from dataclasses import replace
from random import Random

from tests.verifier.engines.random_constructions import nearly_right
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import NAMED
from verifier.engines.reachable import reachable_sets
from verifier.networks.entries import Large
from verifier.networks.indices import Bit
from verifier.networks.instance import Node, Token
from verifier.transformers.tables import Execution


def test_a_second_half_that_fails_only_behind_a_larger_first_one() -> None:
    """(5 + z_1 - y_1) / (5 + y_2 - z_2) is 1 where both halves agree, and where y = 01, z = 10; nothing else is accepted."""
    one, zero = F(1), F(0)
    contents = {Bit("y", 1): ((0, 5), (0, 4)), Bit("z", 1): ((0, 0), (0, 1)), Bit("y", 2): ((0, 0), (1, 0)), Bit("z", 2): ((1, 0), (0, 0))}
    tokens = [Token(k, k, ((bit,),), tuple((one, *map(F, each)) for each in both)) for k, (bit, both) in enumerate(contents.items(), 1)]
    asks = Token(5, 5, ((),), ((one, Large(positive=False), zero),))
    steep, output = F(8), Node((-one, -one), one)
    instance = replace(nearly_right(Random(0), 1, 1), tokens=(*tokens, asks), hidden=(Node((steep,), -steep), Node((-steep,), steep)))
    found = reachable_sets(Execution(replace(instance, output=output), NAMED["a4"]))
    assert "two independent blocks" in found.how
    assert (found.cases, found.failures, found.smallest) == (10, 1, (0b01, 0b10))

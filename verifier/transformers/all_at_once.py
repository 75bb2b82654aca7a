"""The engines that decide all inputs of one length at once, whatever their number, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verifier.running.errors import InputError, LimitError
from verifier.transformers import local_states, prefixes
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.enumeration import first_among, method_of
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network
from verifier.transformers.outputs import Answer

POSITION_SUMS = "position-only weights"
FEW = {"arrays": 1 << 12, "definition": 1 << 5}
"""Inputs that are better run one by one, where no states of prefixes decide them."""

Found = tuple[Strings, Answer]


@dataclass(frozen=True)
class AtOnce:
    """The engine that decides a length; wrong: gives the first wrong input, or None."""

    method: str
    wrong: Callable[[], Found | None]


def decided_at_once(built: Network, arithmetic: Arithmetic) -> AtOnce | None:
    """The first engine that decides every input; None where none does."""
    how = method_of(arithmetic)
    smallest = _smallest_of_prefixes(built, arithmetic) if how == "arrays" else None
    if smallest is not None:
        return AtOnce(prefixes.METHOD, lambda: first_among(built, arithmetic, iter(smallest)))
    if built.input.count <= FEW[how] or local_states.not_applicable(built):
        return None
    try:
        found = local_states.smallest_wrong(built, arithmetic)
    except (InputError, LimitError, ArithmeticError):
        return AtOnce(POSITION_SUMS, lambda: None) if _right_by_position_sums(built, arithmetic) else None
    return AtOnce(local_states.METHOD, lambda: found)


def _right_by_position_sums(built: Network, arithmetic: Arithmetic) -> bool:
    """Whether every input is right by the ends of sums, as the checker of certificates bounds them."""
    from verifier.certificates import network_evidence

    return network_evidence.right_by_position_sums(built, arithmetic)


def _smallest_of_prefixes(built: Network, arithmetic: Arithmetic) -> list[Strings] | None:
    """The smallest inputs of all states of prefixes, or None where they do not decide the network."""
    if prefixes.not_applicable(built, arithmetic):
        return None
    try:
        return prefixes.Prefixes(built, arithmetic).smallest()
    except (LimitError, ArithmeticError):
        return None

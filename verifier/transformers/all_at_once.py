"""The engines that decide all inputs of one length at once, whatever their number, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verifier.running.errors import InputError, LimitError
from verifier.transformers import induction, local_states, prefixes
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.arrays import Arrays
from verifier.transformers.enumeration import first_among, method_of
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network
from verifier.transformers.outputs import Answer

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
    found = _by_prefixes(built, arithmetic) if how == "arrays" else ""
    if not isinstance(found, str):
        smallest, arrays = found
        return AtOnce(prefixes.METHOD, lambda: first_among(built, arithmetic, iter(smallest), arrays))
    if built.input.count <= FEW[how] or local_states.not_applicable(built):
        return None
    wrong = _by_local_states(built, arithmetic)
    return None if isinstance(wrong, str) else AtOnce(local_states.METHOD, lambda: wrong)


def missing(built: Network, arithmetic: Arithmetic) -> str:
    """What each engine lacks to decide every input of a network that none of them decides."""
    if built.file.decode is not None:
        return f"{induction.METHOD}: {induction.not_applicable(built, arithmetic) or 'some groups of inputs stay open'}"
    no_arrays = "" if method_of(arithmetic) == "arrays" else "an arithmetic that has arrays was expected"
    smallest = no_arrays or _by_prefixes(built, arithmetic)
    cases = local_states.not_applicable(built) or _by_local_states(built, arithmetic)
    reasons = {
        prefixes.METHOD: smallest if isinstance(smallest, str) else "",
        local_states.METHOD: cases if isinstance(cases, str) else "",
    }
    return "; ".join(f"{engine}: {why.partition('; ')[0]}" for engine, why in reasons.items() if why)


def _by_local_states(built: Network, arithmetic: Arithmetic) -> Found | str | None:
    """The first wrong input, None where there is none; or why cases do not decide the network."""
    try:
        return local_states.smallest_wrong(built, arithmetic, min(local_states.MOST_CASES, built.input.count // 2))
    except (InputError, LimitError, ArithmeticError) as error:
        return str(error)


def _by_prefixes(built: Network, arithmetic: Arithmetic) -> tuple[list[Strings], Arrays] | str:
    """The smallest inputs of all states of prefixes, and arrays that run them; or why they do not decide the network."""
    if reason := prefixes.not_applicable(built, arithmetic):
        return reason
    try:
        found = prefixes.Prefixes(built, arithmetic)
        return found.smallest(), found.arrays
    except (LimitError, ArithmeticError) as error:
        return str(error)

"""The use that a formula makes of a bit string: its number of ones, and certain bits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifier.language import exact
from verifier.language.syntax import Formula, names_in, tree_of
from verifier.language.tree import Call, Name, Node, Ranged, Slice, walk


@dataclass(frozen=True)
class StringUse:
    """The use that a formula makes of a string of bits: whether it reads the number of ones, which bits, and the ones of which runs."""

    ones: bool
    bits: tuple[int, ...]
    runs: frozenset[tuple[int, int]] = frozenset()


def use_of_string(formula: Formula, string: str, names: Mapping[str, Any], runs: bool = False) -> StringUse | None:
    """The use that a formula makes of a string, or None if it uses it in another way, such as by the symbols of a range.

    runs: whether the ones of runs of bits may be used.
    """
    bits, counted = set[int](), set[tuple[int, int]]()
    ones, read = False, 0
    nodes = list(walk(tree_of(formula)))
    known = names.keys() - {node.name for node in nodes if isinstance(node, Ranged)}
    for node in nodes:
        match node:
            case Call("popcount", (Name(name),)) if name == string:
                ones, read = True, read + 1
            case Call("popcount", (Slice(name, first, Node() as last),)) if runs and name == string:
                if not names_in(first) | names_in(last) <= known:
                    return None
                counted.add((exact.integer(first, names), exact.integer(last, names)))
                read += 1
            case Slice(name, index, None) | Call(name, (index,)) if name == string:
                if not names_in(index) <= known:
                    return None
                bits.add(exact.integer(index, names))
            case Slice(name) if runs and name == string:
                read -= 1
            case Slice(name) | Call(name) if name == string:
                return None
            case Name(name) if name == string:
                read -= 1
    return StringUse(ones, tuple(sorted(bits)), frozenset(counted)) if read == 0 else None

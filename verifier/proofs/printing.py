"""How formulas and differences are written in certificates."""

from __future__ import annotations

from verifier.language import printer
from verifier.language.tree import Node, Numeral, Operation, Ranged
from verifier.proofs.nonnegative import Expr, Quantities


def text(tree: Node) -> str:
    """A tree as a formula, with powers closed up."""
    return printer.printed(tree).replace(" ** ", "**")


def listed(terms: Ranged) -> str:
    """What a range has in brackets."""
    return printer.terms(terms).replace(" ** ", "**")


def difference(left: Node, right: Node) -> str:
    """left − right."""
    return text(left if right == Numeral(0) else Operation(left, "-", right))


def count(low: Node, high: Node, without: int) -> str:
    """high − low + 1, the number of integers from low to high, less so many."""
    return text(Operation(Operation(high, "-", low), "+", Numeral(1 - without)))


def above(name: str, low: Expr, quantities: Quantities) -> str:
    """``p - 3``, ``n - (4*k + 5)``: how far a name is above a value."""
    if low.is_Integer:
        return f"{name} - {low}" if low > 0 else f"{name} + {-low}" if low < 0 else name
    return f"{name} - ({quantities.shown(low)})"

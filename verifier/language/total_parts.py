"""Find the parts of a formula that have a value in every case."""

from __future__ import annotations

from collections.abc import Callable

from verifier.language.syntax import infinite
from verifier.language.tree import Call, Choice, Comparison, Logic, Membership, Name, Node, Operation, Signed, children

SAFE = ("floor", "ceil", "abs", "min", "max", "finite", "nan")


def can_fail(node: Node, refused: Callable[[Node], bool | None]) -> bool:
    """Whether a part might have no value in some case; of names, + - * and comparisons that is only for their size.

    Args:
        refused: of a part that does not depend on the case, whether it has no value; None for any other part.
    """
    if infinite(node) is not None:
        return False
    if (known := refused(node)) is not None:
        return known
    match node:
        case Operation(_, "+" | "-" | "*") | Name() | Signed() | Logic() | Comparison() | Membership() | Choice():
            return any(can_fail(part, refused) for part in children(node))
        case Call(name) if name in SAFE:
            return any(can_fail(part, refused) for part in children(node))
    return True

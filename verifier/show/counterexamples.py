"""Counterexamples for readers: each value under a name that describes it, long numbers in a few digits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Context, Decimal
from itertools import starmap
from typing import TYPE_CHECKING

from verifier.claims.verdicts import Result
from verifier.language.printer import printed
from verifier.language.syntax import names_in, parse
from verifier.language.tree import Comparison, Node, words_in
from verifier.running.errors import InputError
from verifier.show.notation.formulas import of_formula
from verifier.show.notation.marks import GREEK
from verifier.show.notation.plain import ABOVE, encodable, notation

if TYPE_CHECKING:
    from verifier.errata.listings import Listing

LONG = 14
NUMBER = re.compile(r"(-?\d+)(?:/(\d+))?")
BITS = re.compile(r"[01]+")


def rounded(text: str) -> str | None:
    """``7.73·10⁻⁴`` for a fraction or integer of many digits; None for a short text, a string of bits, or a text that is not a number."""
    found = NUMBER.fullmatch(text)
    if found is None or len(text) < LONG or BITS.fullmatch(text):
        return None
    three = Context(prec=3)
    mantissa, _, power = f"{three.divide(Decimal(found[1]), Decimal(found[2] or 1)):.2e}".partition("e")
    return f"{mantissa.replace('-', '−')}·10{''.join(ABOVE[c] for c in str(int(power)).replace('-', '−'))}"


SIDES = {"left": "left side", "right": "right side", "found": "computed", "expected": "expected", "claimed": "the paper states"}
"""The names under which judges leave both sides of what fails, the paper's last."""
SPOKEN = ("computed", "the paper states")
"""Names that a value follows without a sign."""
STATED = {"finite(v)": "a finite number"}
DEFECT = ("place", "defect")
"""Names of the values that say by themselves why a construction is ill-formed."""
SUBSCRIPT = re.compile(r"[A-Za-z]_\w{1,3}")
LONGEST_SIDE = 44
"""A side whose formula is longer is called the left or the right side; the formula stands with the claim."""


def names(values: Mapping[str, str], asserted: str = "") -> dict[str, str]:
    """A name for a reader for each value of a counterexample: ``5*s**2`` in place of ``left``, ``computed`` for ``found``.

    asserted: the scope of a refuted outcome, such as ``5*s**2 <= 2**p - 1 at p = 4``; the sides are those of its formula.
    """
    told = {**SIDES, **_sides(asserted)} if {"left", "right"} <= values.keys() else SIDES
    both = "claimed" in values or "right" in values
    return {name: told.get(name, name) if both else name for name in values}


def named(values: Mapping[str, str], asserted: str = "") -> dict[str, str]:
    """The values of a counterexample under :func:`names`, in their order, with the computed value before the paper's."""
    return _ordered(values, names(values, asserted))


def _ordered(values: Mapping[str, str], told: Mapping[str, str]) -> dict[str, str]:
    sides = [name for name in SIDES if name in values]
    slots = iter(sides if len(sides) == 2 else [])
    order = [next(slots, name) if name in SIDES else name for name in values]
    return {told[name]: values[name] for name in order}


def of_result(result: Result) -> dict[str, str]:
    """The counterexample of a result, named, or empty if it has none."""
    return named(result.outcome.counterexample or {}, result.outcome.scope.statement)


def of_listing(listing: Listing) -> dict[str, str]:
    """The smallest counterexample of a finding with its parameters; its sides have the finding's names, if it names them."""
    values = listing.counterexample or {}
    told = names(values, listing.smallest.outcome.scope.statement if listing.smallest else "")
    given = listing.finding.entry.sides
    sides = [name for name in SIDES if name in values]
    return _ordered(values, {**told, **dict(zip(sides, given, strict=False))} if len(given) == len(sides) == 2 else told)


def in_a_line(values: Mapping[str, str]) -> str:
    """``p = 4, s = 2, 5·s² = 20``: formulas typeset, if the terminal has the signs."""
    return ", ".join(starmap(_said, values.items()))


def _said(name: str, value: str) -> str:
    if name in DEFECT:
        return value
    return f"{name} {STATED.get(value, value).removeprefix('v == ')}" if name in SPOKEN else f"{_typeset(name)} = {value}"


def _sides(asserted: str) -> dict[str, str]:
    """The formulas left and right of the one comparison that is asserted, or none if it has several, or long ones."""
    formula = re.sub(r"(?:^| )at \w+ = .*$", "", asserted)
    try:
        tree = parse(formula)
    except InputError:
        return {}
    if not isinstance(tree, Comparison) or len(tree.others) != 1:
        return {}
    sides = {"left": tree.left, "right": tree.others[0]}
    return {side: text for side, node in sides.items() if _of_the_paper(node) and len(text := printed(node)) <= LONGEST_SIDE}


def _of_the_paper(side: Node) -> bool:
    """Whether a side is a formula in the paper's letters, without a word of a statement file."""
    return bool(names_in(side)) and all(len(word) == 1 or word in GREEK or SUBSCRIPT.fullmatch(word) for word in words_in(side))


def _typeset(name: str) -> str:
    if not re.search(r"[*/+(]", name):
        return name
    try:
        return encodable(notation(of_formula(parse(name))), name)
    except InputError:
        return name

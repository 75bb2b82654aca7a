"""Counterexamples for readers: each value under a name that describes it, long numbers in a few digits."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.papers import Paper, find_paper
from verifier.claims.parameters import ALL
from verifier.claims.verdicts import SIDES, Edition, Result, Verdict
from verifier.errata.findings import Finding, listed
from verifier.language import exact
from verifier.language.printer import printed
from verifier.language.syntax import parse
from verifier.language.tree import Call, Comparison, Logic, Name, Node
from verifier.running.errors import InputError
from verifier.running.shelf import SHELF
from verifier.show.notation.formulas import of_formula
from verifier.show.notation.plain import ABOVE, encodable, notation

if TYPE_CHECKING:
    from verifier.errata.listings import Listing

LONG = 14
NUMBER = re.compile(r"(-?\d+)(?:/(\d+))?")
BITS = re.compile(r"[01]+")
LETTER = re.compile("[A-Za-z]")


def rounded(text: str) -> str | None:
    """``7.73·10⁻⁴`` for a fraction or integer of many digits; None for a short text, a string of bits, or a text that is not a number."""
    found = NUMBER.fullmatch(text)
    if found is None or len(text) < LONG or BITS.fullmatch(text):
        return None
    three = Context(prec=3)
    mantissa, _, power = f"{three.divide(Decimal(found[1]), Decimal(found[2] or 1)):.2e}".partition("e")
    return f"{mantissa.replace('-', '−')}·10{''.join(ABOVE[c] for c in str(int(power)).replace('-', '−'))}"


LIMITS = {"==": "", "<=": " at most", ">=": " at least", "<": " less than", ">": " more than", "!=": " other than"}
"""The words before a number with which a formula is compared, by the sign between them."""
SPOKEN = ("computed", "the paper states", *(f"it should be{words}" for words in LIMITS.values()))
"""Names that a value follows without a sign."""
STATED = {"finite(v)": "a finite number"}
DEFECT = ("place", "defect")
"""Names of the values that say by themselves why a construction is ill-formed."""
SUBSCRIPT = re.compile(r"[A-Za-z]_\w{1,3}")
LONGEST_SIDE = 44
"""A side whose formula is longer is called the left or the right side; the formula stands with the claim."""


@lru_cache(maxsize=16)
def readable_findings(paper: Paper) -> tuple[Finding, ...]:
    """The findings of a paper for the screen of a verdict. If their file is wrong, there are none, and a line says so."""
    try:
        return listed(paper)
    except InputError as error:
        print(f"verify: {error}; the verdict is shown without findings", file=sys.stderr)
        return ()


def mistakes(result: Result) -> list[str]:
    """``finding: Sigmoid does not round to 0 at -1 (`verify findings NAME`)`` for each finding about a claim that is refuted as stated or
    as printed, at parameters of which the finding speaks.
    """
    paper_id, _, name = (result.outcome.felled_by or result.claim).partition("/")
    paper = find_paper(paper_id)
    if paper is None or result.verdict is not Verdict.REFUTED or result.edition is Edition.REPAIRED or ALL in result.parameters.values():
        return []
    told = [f for f in readable_findings(paper) if name in (*f.entry.about, f.entry.shown) and f.speaks_of(result.parameters)]
    return [f"finding: {f.entry.title} (`{SHELF.program(paper.id)} findings {f.id}`)" for f in told]


@lru_cache(maxsize=16)
def _called(paper: Paper) -> Mapping[str, Sequence[str]]:
    """The names that the paper's findings give to the sides of a counterexample, by the claim whose counterexample they show."""
    shown = reversed([finding.entry for finding in readable_findings(paper)])
    return {f"{paper.id}/{entry.shown or entry.about[0]}": entry.sides for entry in shown if entry.sides}


def named(values: Mapping[str, str], asserted: str = "", claim: str = "") -> dict[str, str]:
    """The values of a counterexample by a name for readers, in their order, with the computed value before the paper's: ``5*s**2`` in place
    of ``left``, ``computed`` for ``found``.

    asserted: the scope of a refuted outcome, such as ``5*s**2 <= 2**p - 1 at p = 4``; the sides are those of its formula, or have the names
    that a finding gives to those of this claim.
    """
    told = {**SIDES, **_sides(asserted, values)} if {"left", "right"} <= values.keys() else SIDES
    if "claimed" not in values and "right" not in values:
        told = {name: name for name in SIDES}
    sides = [name for name in SIDES if name in values]
    paper = find_paper(claim.partition("/")[0])
    given = _called(paper).get(claim, ()) if paper is not None else ()
    told = {**told, **dict(zip(sides, given, strict=True))} if len(given) == len(sides) else told
    slots = iter(sides if len(sides) == 2 else [])
    order = [next(slots, name) if name in SIDES else name for name in values]
    return {told.get(name, name): values[name] for name in order}


def of_result(result: Result) -> dict[str, str]:
    """The counterexample of a result, named, or empty if it has none."""
    return named(result.outcome.counterexample or {}, result.outcome.scope.statement, result.outcome.felled_by or result.claim)


def of_listing(listing: Listing) -> dict[str, str]:
    """The smallest counterexample of a finding with its parameters; its sides have the finding's names, if it names them."""
    asserted = listing.smallest.outcome.scope.statement if listing.smallest else ""
    return named(listing.counterexample or {}, asserted, listing.finding.shown.id)


def in_a_line(values: Mapping[str, str]) -> str:
    """``p = 4, s = 2, 5·s² = 20``: formulas typeset, if the terminal has the signs."""
    defect = all(name in values for name in DEFECT)
    return ", ".join(value if defect and name in DEFECT else _said(name, value) for name, value in values.items())


def _said(name: str, value: str) -> str:
    if near := rounded(value) if len(value) > LONGEST_SIDE else None:
        return f"{_typeset(name)} ≈ {near}"
    return f"{name} {STATED.get(value, value).removeprefix('v == ')}" if name in SPOKEN else f"{_typeset(name)} = {value}"


def _sides(asserted: str, values: Mapping[str, str]) -> dict[str, str]:
    """The formulas left and right of the one asserted comparison that may have these values, if they are short; none if several may."""
    formula = re.sub(r"(?:^| )at \w+ = .*$", "", asserted)
    try:
        tree = parse(formula)
    except InputError:
        return {}
    parts = tree.parts if isinstance(tree, Logic) and tree.operator == "and" else (tree,)
    links = [link for part in parts if isinstance(part, Comparison) for link in part.links()]
    numbers = {name: rational(text) for name, text in values.items() if NUMBER.fullmatch(text)}
    chosen = [link for link in links if _may_be(link.left, values["left"], numbers) and _may_be(link.others[0], values["right"], numbers)]
    if len(chosen) != 1 or not all(isinstance(part, Comparison) for part in parts):
        return {}
    ((left, operator, right),) = ((link.left, link.operators[0], link.others[0]) for link in chosen)
    said = {"left": printed(left), "right": printed(right)}
    told = {side: text if text in values else _words(text) for side, text in said.items() if LETTER.search(text)}
    told = {side: text for side, text in told.items() if len(text) <= LONGEST_SIDE and " for " not in text}
    if not LETTER.search(said["right"]):
        told["right"] = f"it should be{LIMITS[operator]}"
    return {"left": "computed", **told} if "right" in told else told


def _may_be(side: Node, text: str, numbers: Mapping[str, Fraction]) -> bool:
    """Whether a side may have this value: it has it, or names what the counterexample does not show."""
    try:
        return str(exact.rational(side, numbers)) == text
    except InputError:
        return True


def _words(formula: str) -> str:
    """``last token of z`` for a name or function ``last_token_of_z`` of a statement file. Other formulas stay as they are."""
    node = parse(formula)
    word = node.function if isinstance(node, Call) else node.name if isinstance(node, Name) else ""
    return word.replace("_", " ") if "_" in word and not SUBSCRIPT.fullmatch(word) else formula


def _typeset(name: str) -> str:
    if not re.search(r"[*/+(]", name) or re.search(r"\w_\w{4}", name):
        return name
    try:
        return encodable(notation(of_formula(parse(name))), name)
    except InputError:
        return name

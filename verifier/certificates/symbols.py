"""Certificates of what symbols prove for every value of the parameters: the formulas, cases that cover the domain, and hints in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.certificates import recheck_symbols
from verifier.certificates.files import write_certificate
from verifier.certificates.recheck_conditions import Reading
from verifier.certificates.recheck_hints import Given
from verifier.certificates.recheck_polynomials import Algebra, Undecided
from verifier.certificates.recheck_reading import At, Limits, Rejected, canonical, digest_of
from verifier.certificates.recheck_trees import brief
from verifier.certificates.symbol_hints import Sought
from verifier.claims.constituents import constituents
from verifier.claims.for_all import is_formula
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.parameters import ALL
from verifier.claims.verdicts import Edition
from verifier.language.tree import Algebra as Tree
from verifier.language.tree import Call, Choice, Comparison, Logic, Membership, Name, Node, Numeral, Operation, Ranged, Signed, fold
from verifier.proofs.domain import Case, Domain, Theorem, isolated
from verifier.proofs.printing import text
from verifier.running.errors import InputError, LimitError, placed

MOST_WORK = 1 << 28
"""Steps of the checker for all cases of a condition."""
FUNCTIONS = ("floor", "ceil", "abs", "log2", "sqrt", "popcount", "binom", "min", "max", "gcd", "exp", "log", "erf", "tanh")
RANGED = {"sum": "sum", "min": "least", "max": "greatest", "all": "all", "any": "any"}


class Data(Tree[Any]):
    """Formulas as a certificate writes them."""

    def outside(self, node: Node) -> Any:
        raise InputError(f"no certificate, as the checker does not read {text(node)}")

    def numeral(self, node: Numeral) -> str:
        return str(Fraction(*node.value.as_integer_ratio()))

    def name(self, node: Name) -> str:
        return node.name

    def signed(self, node: Signed) -> Any:
        return ["neg", data(node.operand)] if node.sign == "-" else data(node.operand)

    def operation(self, node: Operation) -> Any:
        return [node.operator, data(node.left), data(node.right)]

    def comparison(self, node: Comparison) -> Any:
        links = [[link.operators[0], data(link.left), data(link.others[0])] for link in node.links()]
        return links[0] if len(links) == 1 else ["and", *links]

    def membership(self, node: Membership) -> Any:
        among = [["==", data(node.left), data(value)] for value in node.values]
        found = among[0] if len(among) == 1 else ["or", *among]
        return found if node.inside else ["not", found]

    def logic(self, node: Logic) -> Any:
        return [node.operator, *map(data, node.parts)]

    def choice(self, node: Choice) -> Any:
        return ["if", *map(data, (node.test, node.body, node.orelse))]

    def call(self, node: Call) -> Any:
        if node.function == "value":
            return data(node.arguments[0])
        if node.function not in FUNCTIONS:
            return self.outside(node)
        return [node.function, *map(data, node.arguments)]

    def ranged(self, node: Ranged) -> Any:
        return [RANGED[node.function], data(node.body), node.name, *map(data, node.ends), list(map(data, node.tests))]


def data(node: Node) -> Any:
    """A formula as a certificate writes it."""
    return fold(node, Data())


def theorem_data(domain: Domain, wanted: Sequence[Node]) -> dict[str, Any]:
    """The conditions that hold on a domain."""
    return {"parameters": list(domain.names), "given": list(map(data, domain.conditions)), "holds": list(map(data, wanted))}


def least_data(domain: Domain) -> list[Any]:
    """Each parameter's least value, whether it is the only one, and which condition says so, by its number; nothing of bound names."""
    found: list[Any] = []
    for parameter in domain.parameters[: len(domain.parameters) - len(domain.ranges)]:
        by = next(k for k, condition in enumerate(domain.conditions, 1) if parameter in isolated(condition, parameter.name))
        found.append([data(parameter.low), parameter.fixed, str(by)])
    return [*found, *([] for _ in domain.ranges)]


def case_data(
    case: Case, proof: Mapping[str, Any], theorem: dict[str, Any], condition: Any, names: Sequence[str], limits: Limits
) -> dict[str, Any]:
    """A case with the hints that it needs.

    Raises:
        InputError: the checker's reading does not show the condition there.
    """
    at = [[str(case[name].offset), str(case[name].step)] for name in names]
    given = {"least": proof["least"], "cases": [{"at": at, "roundings": [], "signs": []}]}
    shape = recheck_symbols.Theorem(At(theorem))
    checked = recheck_symbols.Proof(At(given), shape, shape.holds[condition], limits)
    algebra = Algebra(limits)
    sought = Sought(algebra, checked.bound)
    reading = Reading(algebra, sought, {}, [])
    try:
        slacks = [(case[name].offset, case[name].step) for name in names]
        if not checked.outside(reading, slacks) and not reading.truth(checked.condition):
            raise Undecided("the condition is not shown")
    except (Undecided, Rejected) as reason:
        raise InputError(f"no certificate: where {', '.join(f'{n} {s.offset} + {s.step}k' for n, s in case.items())}: {reason}") from None
    return used({"at": at, "roundings": sought.roundings, "signs": sought.signs}, proof, shape, condition, limits)


def used(
    case: dict[str, Any], proof: Mapping[str, Any], theorem: recheck_symbols.Theorem, condition: int, limits: Limits
) -> dict[str, Any]:
    """A case without the hints that the checker does not use, such as those for a rounding that was tried in vain."""
    given = At({"least": proof["least"], "cases": [case]})
    checked = recheck_symbols.Proof(given, theorem, theorem.holds[condition], limits)
    hints = Given(checked.cases[0], checked.bound, Algebra(limits))
    checked.decide(hints, [(int(offset), int(step)) for offset, step in case["at"]], checked.cases[0]["at"].place)
    count = len(case["roundings"])
    kept = [[entry for k, entry in enumerate(case[key], start) if k in hints.used] for key, start in (("roundings", 0), ("signs", count))]
    return {"at": case["at"], "roundings": kept[0], "signs": kept[1]}


def proof_data(domain: Domain, wanted: Sequence[Node], number: int) -> dict[str, Any]:
    """The proof of one of the conditions.

    Raises:
        InputError: none that the checker reads is found.
    """
    from verifier.language import exact
    from verifier.proofs.cover import Cover, FalseAt, Stuck

    theorem = theorem_data(domain, wanted)
    cover = Cover(domain, wanted[number], exact.truth)
    proof = {"least": least_data(cover.domain)}
    try:
        cases = [case for case, _ in cover.cases(cover.domain.all_cases())]
    except (Stuck, FalseAt) as stuck:
        raise InputError(f"no certificate: {stuck}") from None
    limits = Limits(work=MOST_WORK)
    return proof | {"cases": [case_data(case, proof, theorem, number, cover.domain.names, limits) for case in cases]}


def symbols_certificate(claim: str, edition: str, fixed: Mapping[str, int], theorems: Sequence[Theorem]) -> dict[str, Any]:
    """The certificate of conditions on domains, which the checker accepts; ``fixed``: the parameters that have a value.

    Raises:
        InputError: the checker does not read a formula, or a case is not shown.
    """
    statement = statement_data(claim, edition, fixed, theorems)
    proofs = [[proof_data(domain, wanted, k) for k in range(len(wanted))] for domain, wanted in theorems]
    certificate = statement | {"proofs": proofs, "digest": digest_of(statement)}
    recheck_symbols.recheck(certificate, Limits(work=MOST_WORK))
    return certificate


def statement_data(claim: str, edition: str, fixed: Mapping[str, int], theorems: Sequence[Theorem]) -> dict[str, Any]:
    """The statement of a certificate."""
    return {
        "format": recheck_symbols.VERSION,
        "claim": claim,
        "edition": edition,
        "parameters": {name: str(value) for name, value in fixed.items()},
        "theorems": [theorem_data(domain, wanted) for domain, wanted in theorems],
    }


def theorems_of(claim: Claim, edition: Edition, fixed: Mapping[str, int]) -> tuple[list[Theorem], list[str]]:
    """The theorems that symbols prove for a claim, or for all its parts, at all parameters except the fixed ones; and why the claim
    follows, if it is not itself proved.

    Raises:
        InputError: nothing that symbols read.
    """
    asked = claim.of_edition(edition)
    if asked.judge is None:
        values: dict[str, Any] = {p.name: fixed.get(p.name, ALL) for p in claim.parameters}
        parts = list(constituents(asked, claim, values))
        if not parts:
            raise InputError(f"{claim.name} has no judge and no parts that say anything here")
        found = [theorems_of(part.claim, edition, {n: v for n, v in part.values.items() if v is not ALL}) for part in parts]
        return [theorem for theorems, _ in found for theorem in theorems], [why for _, whys in found for why in whys]
    if not is_formula(asked):
        raise InputError(f"{claim.name} is not decided by symbols")
    assert isinstance(asked.judge, NamedJudge)
    theorems, because = asked.judge.theorems(asked, fixed)
    return theorems, [f"{claim.name}: {because}"] if because else []


def lacks_certificate(claim: Claim, edition: Edition) -> str:
    """Why a claim that symbols prove for every parameter has no certificate; nothing where the checker accepts one."""
    try:
        theorems, _ = theorems_of(claim, edition, {})
        symbols_certificate(claim.id, edition.value, {}, theorems)
    except (InputError, LimitError) as reason:
        return str(reason).removeprefix("no certificate").lstrip(":, ")
    return ""


def certify_for_all(claim: Claim, edition: Edition, fixed: Mapping[str, int], path: Path) -> int:
    """Write the certificate of a claim for all parameters but the fixed ones to ``path``; the file's size in bytes.

    Raises:
        InputError: a claim that symbols do not decide, or whose proof the checker does not read; nothing is written.
    """
    with placed("--certificate: nothing was written"):
        theorems, _ = theorems_of(claim, edition, fixed)
        certificate = symbols_certificate(claim.id, edition.value, fixed, theorems)
    return write_certificate(certificate, path)


def other_theorem(found: Sequence[Any], catalogue: Sequence[Any]) -> str | None:
    """The first theorem that is another one than the catalogue's; None where all are the same."""
    if len(found) != len(catalogue):
        return f"it has {len(found)} theorems, the catalogue's claim has {len(catalogue)}"
    for number, (one, other) in enumerate(zip(found, catalogue, strict=True), 1):
        if one != other:
            return f"theorem {number} is not the catalogue's, {brief(str(recheck_symbols.Theorem(At(other))))}"
    return None


def attribution(certificate: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether an accepted certificate is of the claim that it names, and a line that says so, or why it is not."""
    try:
        claim, edition = find_claim(certificate["claim"]), Edition(certificate["edition"])
        if claim.id != certificate["claim"]:
            return False, f"of a claim of that name only: the catalogue's name is {claim.id}"
        fixed = {name: int(value) for name, value in certificate["parameters"].items()}
        if unknown := fixed.keys() - {p.name for p in claim.parameters}:
            return False, f"of a claim of that name only: {claim.name} has no parameter {min(unknown)}"
        theorems, because = theorems_of(claim, edition, fixed)
        own = statement_data(claim.id, edition.value, fixed, theorems)
        differs = other_theorem(canonical(certificate["theorems"]), canonical(own["theorems"]))
    except (InputError, LimitError) as reason:
        differs = str(reason)
    if differs:
        return False, f"of a claim of that name only: {differs}"
    at = ", ".join(f"{name} = {value}" for name, value in fixed.items())
    every = f"for every {', '.join(p.name for p in claim.parameters if p.name not in fixed)}" if len(fixed) < len(claim.parameters) else ""
    said = f"of this claim: formula for formula what symbols prove of the catalogue's {claim.id} ({edition.value})"
    said = " ".join(filter(None, [said, every, f"at {at}" if at else ""]))
    return True, "; ".join([said, *(f"it follows from this, as we argue and no program checks: {why}" for why in because)])

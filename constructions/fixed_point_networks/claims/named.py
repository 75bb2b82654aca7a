"""Lemma 8: the named activations, rounded with certainty (Sections 3.2.3, 5.7)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Part, Question

from constructions.fixed_point_networks.claims.slope import everything
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.rounded_activations import has_unit_gap, rounded
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, refuted, within_limit
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

NAMED_IN_LEMMA_8 = {
    "relu": ("p >= 1", "1..7"),
    "elu": ("p >= 1", "1..7"),
    "silu": ("p >= 3", "1..7"),
    "mish": ("p >= 3", "1..7"),
    "gelu": ("p >= 3", "1..7"),
    "sigmoid": ("p >= 3", "1..7"),
    "softplus": ("p >= 3", "1..5"),
}


def bound_on_s(name: str) -> str:
    """Lemma 8's condition on s, for p in its range."""
    return "s >= 1 and s <= 2**p - 1" + (" and (p >= 4 or s <= 5)" if name == "softplus" else "")


def _lemma_8(name: str, where_p: str, typical_s: str) -> Part:
    @claim(
        f"lemma-8:{name}",
        statement=f"{name}: S = Q_(p,s) for every bias",
        place="Section 3.2.3, Lemma 8; proof in 5.7",
        checks="the rounded activation, with certainty, until two neighbouring inputs are one level apart; else the gcd of all gaps",
        parameters=(
            Parameter("p", "magnitude bits", where_p, "3"),
            Parameter("s", "scaling factor", bound_on_s(name), typical_s),
        ),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        return full_set(question, name)

    del judge
    return Part(f"lemma-8:{name}")


def full_set(question: Question, name: str) -> Finding:
    """Whether S is Q_{p,s} for every bias."""
    grid, activation = grid_of(question, 1), NAMED[name]
    scope = f"every bias and every value of Q_(p,s) {at(question)}"
    found = has_unit_gap(activation, grid)
    if found is not None:
        a, b = found
        witness = f"[{name}]({grid.show(a)}) and [{name}]({grid.show(b)}) are 1/s apart, so gcd 1"
        return decide(scope, everything(grid), "gcd of the gaps", witness)
    sets = reach("S", rounded(activation, grid))
    class_ = sets.full_for_every_bias()
    if class_ is None:
        return decide(scope, [None], "gcd of the gaps", f"gcd {sets.step}/s^2")
    missing = sets.missing(class_)
    assert missing is not None
    return refuted(scope, {"b": grid.show(class_), "missing": grid.show(missing)}, "gcd of the gaps")


chapter.composite(
    "lemma-8",
    statement="S = Q_(p,s) for every bias: ReLU and ELU; SiLU, Mish, GELU and Sigmoid for p >= 3; SoftPlus for p >= 4 or p = 3 and s <= 5",
    place="Section 3.2.3, Lemma 8; proof in 5.7",
    parts=tuple(_lemma_8(name, *rest) for name, rest in NAMED_IN_LEMMA_8.items()),
    parameters=p_and_s("3", "1..5"),
    bounded=False,
)


@claim(
    "lemma-8:hypotheses",
    statement="whether Lemma 8 needs its bounds on p and s",
    place="Section 3.2.3, Lemma 8",
    checks="every activation of the lemma, and leaky ReLU, Hardtanh and the identity, at every s, inside and outside the bounds",
    parameters=(Parameter("p", "magnitude bits", "p >= 1", "1..6"),),
    bounded=False,
)
def lemma_8_hypotheses(question: Question) -> Finding:
    within_limit(question, 8 * 4 ** question["p"])
    p = question["p"]

    def trials() -> Iterator[Failure]:
        for s in range(1, 2**p):
            grid = FixedPoint(p, s)
            for name, activation in NAMED.items():
                yield None if has_unit_gap(activation, grid) else {"activation": name, "s": s}

    return decide(
        f"all ten named activations at every s <= 2^p - 1, {at(question)}",
        trials(),
        "gcd of the gaps",
        "two neighbouring inputs are one level apart everywhere: no bound on p or s is needed here beyond s <= 2^p - 1",
    )

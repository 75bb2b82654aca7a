"""The gate's lines on claims with theorems of a kernel: a refused theorem fails the gate, and a kernel that was not asked is named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from verifier.claims.kernel_proofs import linked
from verifier.claims.model import Claim


@dataclass
class Theorems:
    """The claims whose theorems are accepted; for the others, by what the kernel said, the claims that rest on them."""

    accepted: list[str] = field(default_factory=list)
    refused: dict[str, list[str]] = field(default_factory=dict)
    not_asked: dict[str, list[str]] = field(default_factory=dict)

    @property
    def lines(self) -> list[str]:
        """A line for each answer of the kernel other than an acceptance."""
        refused = [f"{', '.join(claims)}: {said}" for said, claims in self.refused.items()]
        return refused + [f"{', '.join(claims)}: not compared for every parameter: {said}" for said, claims in self.not_asked.items()]


def theorems_of(claims: Iterable[Claim]) -> Theorems:
    """Collect the kernel's answers on the theorems of these claims."""
    found = Theorems()
    for claim in claims:
        words = [linked(claim, proof).word for proof in claim.proofs]
        for word in words:
            if not word.accepted:
                listed = (found.not_asked if word.accepted is None else found.refused).setdefault(word.said, [])
                listed += [claim.id] if claim.id not in listed else []
        if words and all(word.accepted for word in words):
            found.accepted.append(claim.id)
    return found

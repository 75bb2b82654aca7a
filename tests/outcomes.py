"""The outcome of a claim, for tests that change what it is about."""

from __future__ import annotations

from dataclasses import replace

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome
from verifier.running.limits import Limits


def outcome(
    paper: str,
    claim: str,
    edition: Edition = Edition.STATEMENT,
    semantics: str = "a4",
    limits: Limits = Limits(),
    theorems: bool = True,
    **point: int,
) -> Outcome:
    """What is found of a claim of a paper at a point, by a session of its own. theorems: whether those of the kernel count."""
    asked = find_claim(f"{paper}/{claim}")
    asked = asked if theorems else replace(asked, proofs=())
    return Session(limits).outcome(asked, edition, point, read_semantics(semantics))[0]

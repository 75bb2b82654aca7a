"""Certificates of fooling sets: the rule that names the members, and what they count."""

from __future__ import annotations

from verifier.certificates.statement import Certificate, Subject, problem_data, sealed
from verifier.networks.problems import Problem


def fooling_certificate(subject: Subject, problem: Problem) -> Certificate:
    """The diagonal (x, x) of EQ under y ≤ z, which is the set of *Every Bit Counts*, Lemma B.1."""
    size = 1 << problem.length
    return sealed(
        {
            **subject.header("fooling-set"),
            "problem": problem_data(problem),
            "rule": "diagonal",
            "size": str(size),
            "pairs": str(size * (size - 1) // 2),
            "bits": str((size - 1).bit_length()),
        }
    )

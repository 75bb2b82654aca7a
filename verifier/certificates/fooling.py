"""Certificates of fooling sets: the rule that names the members, or the members themselves, and what they count."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.certificates.statement import Certificate, Subject, problem_data, sealed
from verifier.problems import Problem


def fooling_certificate(subject: Subject, problem: Problem, members: Sequence[tuple[int, int]] | None = None) -> Certificate:
    """The diagonal (x, x) of EQ where no members are given, else the members as listed."""
    size = len(members) if members is not None else 1 << problem.length
    listed = {"members": [[str(y), str(z)] for y, z in members]} if members is not None else {}
    return sealed(
        {
            **subject.header("fooling-set"),
            "problem": problem_data(problem),
            "rule": "diagonal" if members is None else "listed",
            **listed,
            "size": str(size),
            "pairs": str(size * (size - 1) // 2),
            "bits": str((size - 1).bit_length()),
        }
    )

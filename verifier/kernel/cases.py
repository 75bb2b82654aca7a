"""Texts for generated Coq files: results of the program as examples that the kernel computes again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def sample(items: Iterable[T], most: int) -> list[T]:
    """At most this many of the items, evenly spread, always the first one."""
    every = list(items)
    return every[:: -(-len(every) // most)]


def integer(k: int) -> str:
    """A whole number, in brackets where it is negative."""
    return f"({k})" if k < 0 else str(k)


def listed(items: Iterable[str]) -> str:
    """A list of Coq terms."""
    return f"[{'; '.join(items)}]"


def example(name: str, computed: str, expected: str) -> str:
    """An example: the kernel computes the first term and compares it with the second one."""
    return f"Example {name} : {computed} = {expected}.\nProof. reflexivity. Qed.\n"

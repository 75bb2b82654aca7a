"""Texts for generated Coq files: results of the program as examples that the kernel computes again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def sample(items: Iterable[T], most: int) -> list[T]:
    """At most this many of the items, evenly spread, always the first one."""
    every = list(items)
    return every[:: -(-len(every) // most)]


def integer(k: int) -> str:
    """A whole number, in brackets if it is negative."""
    return f"({k})" if k < 0 else str(k)


def listed(items: Iterable[str]) -> str:
    """A list of Coq terms."""
    return f"[{'; '.join(items)}]"


def example(name: str, computed: str, expected: str) -> str:
    """An example: the kernel computes the first term and compares it with the second one."""
    return f"Example {name} : {computed} = {expected}.\nProof. reflexivity. Qed.\n"


_EXAMPLE = re.compile(r"^Example (\S+) :(.*)$", re.MULTILINE)


def differences(committed: str, computed: str) -> list[str]:
    """The examples whose digests differ in the two texts of a cases file, by name; and those that only one of them has."""
    then, now = (_digests(text) for text in (committed, computed))
    changed = [f"{name}: the program computes something else" for name in then if name in now and then[name] != now[name]]
    return changed + [f"{name}: in {'the file' if name in then else 'the program'} alone" for name in sorted(then.keys() ^ now.keys())]


def _digests(text: str) -> dict[str, str]:
    return {name: hashlib.sha256(content.encode()).hexdigest() for name, content in _EXAMPLE.findall(text)}
